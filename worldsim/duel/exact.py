"""Exact odds: the chances of all states of both sides, carried from round to round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.duel.cost import cost_of
from worldsim.duel.damage import Arithmetic, Block, Damage
from worldsim.duel.groups import fixed_dice, groups_of
from worldsim.duel.laws import Laws
from worldsim.duel.outcome import Odds, Probability, SideOdds
from worldsim.duel.volleys import Volleys
from worldsim.rules.battle import initiative_bonus

if TYPE_CHECKING:
    import numpy.typing as npt

    from worldsim.rules.cards import Side, Terms

NEGLIGIBLE = 1e-12
FIRST, LATER = ROUNDS = (1, 2)  # from the second round on all rounds follow the same laws


def exact_odds(
    terms: Terms,
    attacker: Side,
    defender: Side,
    attacker_health: list[int] | None = None,
    defender_health: list[int] | None = None,
    *,
    fractions: bool = False,
) -> Odds:
    """The odds of a duel without any chance in them.

    Rule BAT-11 [B], BAT-12 [W].

    Args:
        terms: The scenario's numbers.
        attacker: Who came later.
        defender: Who was there.
        attacker_health: Combat Health the attacker begins with, None for all whole.
        defender_health: Likewise of the defender.
        fractions: Calculate with fractions, to the end and without any error, instead of with
            floats until what is left is below 1e-12. For small duels of few rounds.
    """
    ours = attacker.whole if attacker_health is None else attacker_health
    theirs = defender.whole if defender_health is None else defender_health
    numbers = Arithmetic(exact=fractions)
    course = _Course(terms, (attacker, ours), (defender, theirs), numbers)
    course.follow(0 if fractions else NEGLIGIBLE)
    live = numbers.plain(course.live.sum())
    late = course.rounds >= terms.most_rounds
    mine, its = course.sides
    return Odds(
        method="exact",
        attacker_wins=sum(course.won_in),
        defender_wins=sum(course.lost_in),
        out_of_time=live if late else 0,
        won_in=tuple(course.won_in),
        lost_in=tuple(course.lost_in),
        attacker=_side_odds(mine, course.attacker_ends + course.live.sum(axis=1), attacker),
        defender=_side_odds(its, course.defender_ends + course.live.sum(axis=0), defender),
        unresolved=0 if late else live,
        most_rounds=terms.most_rounds,
        cost=cost_of(terms, attacker, defender, attacker_health, defender_health),
    )


class _Course:
    """A duel as the chances of its states, round after round.

    Attributes:
        live: Chances of the states of a duel that goes on, shape (states of the attacker, states of
            the defender).
        won_in, lost_in: Chances of its ends so far, by round.
        attacker_ends, defender_ends: Chances of each side's states at these ends.
    """

    def __init__(
        self,
        terms: Terms,
        attacker: tuple[Side, list[int]],
        defender: tuple[Side, list[int]],
        numbers: Arithmetic,
    ) -> None:
        self.terms = terms
        self.numbers = numbers
        self.attacker, self.defender = attacker[0], defender[0]
        self.laws = Laws(terms, numbers)
        mine, its = self.sides = _damage(*attacker, numbers), _damage(*defender, numbers)
        self.ours = self._volleys(self.attacker, mine, its)
        self.theirs = self._volleys(self.defender, its, mine)
        self.first = {number: self._first_chances(number) for number in ROUNDS}
        self.attacker_ends = numbers.zeros(mine.size)
        self.defender_ends = numbers.zeros(its.size)
        self.live = numbers.zeros(mine.size, its.size)
        self.live[mine.start(), its.start()] = numbers.ratio(1, 1)
        self.won_in: list[Probability] = []
        self.lost_in: list[Probability] = []
        self.rounds = 0
        self._settle()

    def follow(self, negligible: float) -> None:
        """Go on until time is out or hardly anything is left to follow."""
        while self.rounds < self.terms.most_rounds and self.live.sum() > negligible:
            self.rounds += 1
            self._play()
            self._settle()

    def _play(self) -> None:
        """One round: either side fires first, and the other back with whom it has left.

        Rule BAT-10 [B].
        """
        number = FIRST if self.rounds == 1 else LATER
        mine, its = self.sides
        attacker_first = self.live * self.first[number]
        defender_first = self.live - attacker_first
        attacker_first = self._fire(self.ours, self.attacker, mine, number, attacker_first)
        attacker_first = self._fire(self.theirs, self.defender, its, number, attacker_first.T).T
        defender_first = self._fire(self.theirs, self.defender, its, number, defender_first.T).T
        defender_first = self._fire(self.ours, self.attacker, mine, number, defender_first)
        self.live = attacker_first + defender_first

    def _fire(
        self,
        volleys: Volleys,
        side: Side,
        shooter: Damage,
        number: int,
        before: npt.NDArray[Any],
    ) -> npt.NDArray[Any]:
        """A volley; where one of the sides has nobody up all stays as it is."""
        after = volleys.fire(before, _shooters(self.terms, side, shooter.blocks, number))
        after[shooter.none_up] = before[shooter.none_up]
        after[:, volleys.target.none_up] += before[:, volleys.target.none_up]
        return after

    def _settle(self) -> None:
        """Take the duels that are over out of those that go on."""
        mine, its = self.sides
        won = self.live[:, its.none_up].copy()
        self.live[:, its.none_up] = 0
        lost = self.live[mine.none_up].copy()
        self.live[mine.none_up] = 0
        if not self.rounds:  # nobody on either side: the defender holds
            lost[its.none_up] += won[mine.none_up]
            won[mine.none_up] = 0
        self.won_in.append(self.numbers.plain(won.sum()))
        self.lost_in.append(self.numbers.plain(lost.sum()))
        self.attacker_ends += won
        self.attacker_ends[mine.none_up] += lost.sum()
        self.defender_ends += lost
        self.defender_ends[its.none_up] += won.sum()

    def _volleys(self, side: Side, shooter: Damage, target: Damage) -> Volleys:
        attacks = {
            _attack(self.terms, side, block, number)
            for number in ROUNDS
            for block in shooter.blocks
        }  # fmt: skip
        bonus = self.terms.strike if side.strike else 0
        return Volleys(sorted(attacks), bonus, target, self.laws)

    def _first_chances(self, number: int) -> npt.NDArray[Any]:
        """Chance that the attacker fires first, for each pair of states."""
        ours, theirs = (_initiative_by_state(side, number) for side in self.sides)
        lead = initiative_bonus(self.terms, self.attacker, number)
        lead -= initiative_bonus(self.terms, self.defender, number)
        mine, its = sorted(set(ours)), sorted(set(theirs))
        chances = self.laws.first(mine, its, lead)
        rows = [mine.index(dice) for dice in ours]
        columns = [its.index(dice) for dice in theirs]
        found: npt.NDArray[Any] = chances[rows][:, columns]
        return found


def _damage(side: Side, health: list[int], numbers: Arithmetic) -> Damage:
    return Damage(groups_of(side, health), fixed_dice(side), numbers)


def _attack(terms: Terms, side: Side, block: Block, number: int) -> int:
    """Attack dice of a side with given cards up, without what a strike team adds.

    Rule BAT-6 [B].
    """
    assault = side.assault and (number == 1 or terms.assault_in == "every_round")
    return block.dice.attack + (block.dice.assault if assault else 0)


def _shooters(
    terms: Terms, side: Side, blocks: list[Block], number: int
) -> list[tuple[slice, int]]:
    """The states that can fire, as few slices of equal Attack as they make."""
    found: list[tuple[slice, int]] = []
    for block in blocks[:-1]:
        dice = _attack(terms, side, block, number)
        if found and found[-1][1] == dice:
            found[-1] = slice(found[-1][0].start, block.stop), dice
        else:
            found.append((block.rows, dice))
    return found


def _initiative_by_state(side: Damage, number: int) -> list[int]:
    return [
        block.dice.first_initiative if number == 1 else block.dice.later_initiative
        for block in side.blocks
        for _ in range(block.start, block.stop)
    ]  # fmt: skip


def _side_odds(damage: Damage, ends: npt.NDArray[Any], side: Side) -> SideOdds:
    """How a side comes out, from the chances of its states in the end."""
    up: list[Probability] = [0] * (1 + max(block.count for block in damage.blocks))
    cards: list[Probability | None] = [None if whole == 0 else 0 for whole in side.whole]
    for block in damage.blocks:
        chance = damage.numbers.plain(ends[block.rows].sum())
        up[block.count] += chance
        for group, count in zip(damage.groups, block.up, strict=True):
            share = chance * damage.numbers.ratio(count, len(group.cards))
            for card in group.cards:
                cards[card] = (cards[card] or 0) + share
    return SideOdds(tuple(up), tuple(cards))
