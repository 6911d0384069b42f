"""Teams as sides of a battle: their cards, their Combat Health, and how the fallen come back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.events.kinds import CardRecovered
from worldsim.rules.cards import TRAITS, Card, Side, power_of_skill, whole_health
from worldsim.rules.contest import recovers, tries_recovery
from worldsim.world.teams import refresh

if TYPE_CHECKING:
    from worldsim.processes.context import Context
    from worldsim.world.teams import Team


def names_of(team: Team) -> list[str]:
    """What a team's cards are called: members by name, then cards; alike ones are numbered."""
    names = [member.name for member in team.members]
    for card in team.cards:
        same = sum(name.partition("#")[0] == card for name in names)
        names.append(f"{card}#{same + 1}" if same else card)
    return names


def cards_of(ctx: Context, team: Team) -> list[Card]:
    """A team's cards: its members, then what it takes along.

    Rule BAT-1, BAT-16 [us].
    """
    terms, divisor = ctx.battle_terms, ctx.rules.battle.divisor
    cards = [
        Card(
            "character",
            [power_of_skill(member.skills.get(trait, 0.0), divisor) for trait in TRAITS],
            whole_health("character", terms),
            member.name,
        )
        for member in team.members
    ]
    for name in team.cards:
        given = ctx.cards[name]
        points: dict[str, int] = dict(given.power.items())
        power = [points.get(trait, 0) for trait in TRAITS]
        health = given.health if given.health is not None else whole_health(given.kind, terms)
        cards.append(Card(given.kind, power, health, name))
    return cards


def side_of(ctx: Context, team: Team, *, ambush: bool = False, assault: bool = False) -> Side:
    """A team as it goes into a duel."""
    return Side(
        cards_of(ctx, team),
        ctx.battle_terms,
        scout=team.profile == "scouting",
        ambush=ambush,
        strike=ctx.mission(team.away.mission).kind == "strike",
        assault=assault,
    )


def ready_for_battle(ctx: Context, team: Team) -> None:
    """Combat Health is whole on a new day, but for the fallen and those who are not conscious.

    Rule BAT-1 [B], BAT-13 [W].
    """
    cards = cards_of(ctx, team)
    if team.fought_on != ctx.day or len(team.combat) != len(cards):
        team.combat = [card.health for card in cards]
    for place, name in enumerate(names_of(team)):
        member = team.members[place] if place < len(team.members) else None
        if name in team.fallen or (member is not None and member.health <= 0):
            team.combat[place] = 0
    team.fought_on = ctx.day


def bring_home_fallen(ctx: Context, team: Team) -> None:
    """The fallen stay at the colony until they are back; each tries at once.

    Rule BAT-14 [W].
    """
    came = [name for name, home in team.fallen.items() if home is None]
    team.fallen |= dict.fromkeys(came, ctx.day)
    try_recoveries(ctx, team, came, nth=1)


def try_recoveries(ctx: Context, team: Team, names: list[str], nth: int = 0) -> None:
    """Each of these fallen may be back today; then it joins the team at home.

    Rule BAT-14 [W].

    Args:
        ctx: The run.
        team: Whose.
        names: Of members or cards, each among the fallen.
        nth: 0 at dawn, 1 for those who come home later in the day.
    """
    dice = ctx.dice("recovery", team.id, nth)
    for name in names:
        home = team.fallen[name]
        if home is None or not tries_recovery(ctx.day - home, ctx.rules.battle.recovery_days):
            continue
        if recovers(dice, ctx.rules.battle.recovery_at):
            del team.fallen[name]
            seq = ctx.journal.record(CardRecovered, cause=team.cause, team=team.id, card=name)
            ctx.explain(seq, dice)
    if team.status in {"at_colony", "disbanded"}:
        sort_fallen(ctx, team)


def sort_fallen(ctx: Context, team: Team) -> None:
    """At home, members who are up are in the team, the fallen in the infirmary."""
    people = [*team.members, *team.infirmary]
    team.members = [each for each in people if each.name not in team.fallen]
    team.infirmary = [each for each in people if each.name in team.fallen]
    refresh(team, ctx.rules)
