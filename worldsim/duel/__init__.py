"""The odds of a duel: how likely each end of a fight is, worked out instead of played out.

The exact odds follow every state a duel can be in at once. What makes that cheap: hits fall on the
cards of a side evenly, so given which cards are up and how much damage they have taken together,
how that damage lies on them follows a law that needs no history (see ``damage``). Duels beyond a
budget of work or memory are played many times instead, and say how far off that may be.
"""

from worldsim.duel.cost import Budget, Cost, cost_of
from worldsim.duel.exact import exact_odds
from worldsim.duel.odds import duel_odds
from worldsim.duel.outcome import Odds, SideOdds
from worldsim.duel.simulated import simulated_odds, wilson
from worldsim.duel.sweep import sweep

__all__ = [
    "Budget", "Cost", "Odds", "SideOdds", "cost_of", "duel_odds", "exact_odds", "simulated_odds",
    "sweep", "wilson",
]  # fmt: skip
