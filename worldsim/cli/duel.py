"""``worldsim duel``: the odds of a fight, exact while that is possible."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.kinds import Whole
from worldsim.cli.options import json_option, set_option
from worldsim.cli.output import clean, note, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from worldsim.duel import Odds
    from worldsim.rules.cards import Side, Terms
    from worldsim.scenario.side import LoadedDuel

SWEEP = re.compile(r"(?:([^.=]*)\.)?([^.=]+)=(\d{1,4})\.\.(\d{1,4})(?::(\d{1,4}))?")
MOST_POWER = 1000
MOST_STEPS = 101
SLOW = 5 * 10**9  # multiplications: some seconds
MOST_FIGHTS = 10_000_000


class Sweep(NamedTuple):
    """``--sweep``: a trait of a side, and the Powers to give it."""

    side: str
    trait: str
    powers: range


class SweepType(click.ParamType[Any]):
    """A sweep as text, such as ``defender.cover=0..20:2``."""

    name = "sweep"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Sweep:
        """Read the sweep, or fail as wrong usage."""
        from worldsim.rules.cards import TRAITS  # noqa: PLC0415 -- not for --help

        found = SWEEP.fullmatch(value)
        if found is None:
            form = "[attacker.|defender.]TRAIT=LOW..HIGH[:STEP], such as defender.cover=0..20:2"
            self.fail(f"{clean(value)!r} is no sweep; it looks like {form}", param, ctx)
        side, trait, *numbers = found.groups()
        low, high, step = (int(number or 1) for number in numbers)
        side = "attacker" if side is None else side
        for given, known, what in (
            (side, ("attacker", "defender"), "side"), (trait, TRAITS, "trait of a card")
        ):  # fmt: skip
            if given not in known:
                self.fail(_no_such(given, known, what), param, ctx)
        if not low <= high <= MOST_POWER or step < 1:
            right = f"Power from 0 to {MOST_POWER}, the lower one first, in steps of 1 or more"
            self.fail(f"{clean(value)!r} has a wrong range; right would be {right}", param, ctx)
        powers = range(low, high + 1, step)
        if len(powers) > MOST_STEPS:
            wider = (high - low) // (MOST_STEPS - 1) + 1
            problem = f"{clean(value)!r} has {len(powers)} steps, {MOST_STEPS} at most"
            self.fail(f"{problem}; try {low}..{high}:{wider}", param, ctx)
        return Sweep(side, trait, powers)


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim duel raiders garrison", "two shipped sides: raiders attack"),
        ("worldsim duel mine.toml theirs.toml", "two of your own"),
        ("worldsim duel raiders garrison --sweep orders=0..15", "how the odds move"),
        ("worldsim duel raiders garrison --sweep defender.cover=0..20:2 --card guard", ""),
        ("worldsim duel raiders garrison --set rules.battle.tie=defender", ""),
        ("worldsim duel raiders garrison --json", ""),
    ],
)
@click.argument("attacker")
@click.argument("defender")
@click.option(
    "--sweep",
    type=SweepType(),
    metavar="TRAIT=LO..HI[:STEP]",
    help="Give a trait one Power after another; defender.TRAIT for the defender's.",
)
@click.option("--card", metavar="NAME", help="With --sweep: only this card's trait.")
@click.option(
    "--method",
    type=click.Choice(["auto", "exact", "simulated"]),
    default="auto",
    show_default=True,
    help="auto: exact, if within about a minute and 2 GB.",
)
@click.option(
    "--fights",
    type=Whole(1, MOST_FIGHTS),
    default=20_000,
    show_default=True,
    help="How many to play if simulated.",
)
@click.option(
    "--seed", type=Whole(0, 2**63 - 1), default=0, show_default=True, help="Of the fights."
)
@click.option("--scenario", metavar="SCENARIO", help="Whose [rules.battle] holds.")
@set_option
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    /,
    attacker: str,
    defender: str,
    sweep: Sweep | None,
    card: str | None,
    scenario: str | None,
    sets: tuple[str, ...],
    *,
    as_json: bool,
    **how: Any,
) -> None:
    """How likely each end is when ATTACKER comes upon DEFENDER: who wins, when, who is left.

    Each is a TOML file or the name of a shipped side. The odds are exact, or shares of fights that
    were played where exact odds would take too long.
    """
    from worldsim.cli import duellines as lines  # noqa: PLC0415 -- loads numpy
    from worldsim.scenario import ScenarioError  # noqa: PLC0415 -- not for --help
    from worldsim.scenario.side import load_duel  # noqa: PLC0415

    try:
        duel = load_duel(attacker, defender, sets=sets, scenario=scenario)
    except ScenarioError as error:
        if not as_json:
            raise
        print_json({"ok": False, **error.as_json()})
        ctx.exit(error.exit_code)
    _check_sweep(duel, sweep, card)
    _forewarn(duel, how["method"], len(sweep.powers) if sweep else 1)
    if sweep is None:
        odds = _odds(duel, how)
        if as_json:
            print_json(lines.duel_json(duel, odds))
        else:
            lines.print_duel(duel, odds)
        return
    swept = _swept(duel, sweep, card, how)
    if as_json:
        print_json(lines.sweep_json(duel, sweep.side, sweep.trait, card, swept))
    else:
        lines.print_sweep(duel, sweep.side, sweep.trait, card, swept)


def _odds(duel: LoadedDuel, how: dict[str, Any]) -> Odds:
    from worldsim.duel import duel_odds  # noqa: PLC0415 -- loads numpy

    return duel_odds(*duel.arguments, **how)


def _swept(
    duel: LoadedDuel, sweep: Sweep, card: str | None, how: dict[str, Any]
) -> list[tuple[int, Odds]]:
    import worldsim.duel as odds_of  # noqa: PLC0415 -- loads numpy

    terms, ours, theirs, our_health, their_health = duel.arguments
    return odds_of.sweep(
        terms, ours, theirs, sweep.trait, sweep.powers, side=sweep.side, card=card,
        attacker_health=our_health, defender_health=their_health, **how,
    )  # fmt: skip


def _check_sweep(duel: LoadedDuel, sweep: Sweep | None, card: str | None) -> None:
    """See that there is a card to sweep, and that its Power can be had.

    Raises:
        click.BadParameter: there is none, or its dice become too many.
        click.UsageError: nothing is swept.
    """
    if sweep is None:
        if card is not None:
            raise click.UsageError("--card goes with --sweep")
        return
    side: Side = (duel.attacker if sweep.side == "attacker" else duel.defender).side
    names = list(dict.fromkeys(each.name for each in side.cards))
    if card is not None and card not in names:
        raise click.BadParameter(_no_such(card, names, f"card of the {sweep.side}"),
                                 param_hint="'--card'")  # fmt: skip
    if card is None and not any(side.whole):
        problem = f"the {sweep.side} has no character or vehicle; name a card with --card"
        raise click.BadParameter(f"{problem}: {', '.join(names)}", param_hint="'--sweep'")
    _check_dice(duel.terms, side, sweep, card)


def _check_dice(terms: Terms, side: Side, sweep: Sweep, card: str | None) -> None:
    from worldsim.duel.sweep import with_power  # noqa: PLC0415 -- loads numpy
    from worldsim.scenario.side import MOST_DICE, most_dice  # noqa: PLC0415 -- not for --help

    highest = with_power(side, terms, sweep.trait, sweep.powers[-1], card)
    dice, value = most_dice(highest)
    if dice > MOST_DICE:
        given = f"{sweep.trait} {sweep.powers[-1]} makes {dice} dice of {value}"
        raise click.BadParameter(f"{given}, {MOST_DICE} at most", param_hint="'--sweep'")


def _forewarn(duel: LoadedDuel, method: str, times: int) -> None:
    """Say so if it will take long; refuse what this machine cannot hold.

    Raises:
        click.BadParameter: exact odds need more memory than there is.
    """
    from worldsim.cli.duellines import takes  # noqa: PLC0415 -- not for --help
    from worldsim.duel import Budget, cost_of  # noqa: PLC0415

    cost = cost_of(*duel.arguments)
    if method == "simulated" or (method == "auto" and not Budget().allows(cost)):
        return
    memory = _memory()
    if memory is not None and cost.memory_bytes > memory:
        problem = f"exact odds would take {takes(cost)}, more than this machine has"
        raise click.BadParameter(f"{problem}; right would be simulated", param_hint="'--method'")
    if cost.multiplications * times > SLOW:
        each = f", each of {times} times" if times > 1 else ""
        note(f"exact odds take up to {takes(cost)}{each} …")


def _memory() -> int | None:
    """Bytes of memory this machine has, None where it does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def _no_such(given: str, known: Sequence[str], what: str) -> str:
    from worldsim.scenario.near import nearest  # noqa: PLC0415 -- only when something is wrong

    near = nearest(given, known)
    hint = f" Did you mean {clean(near)}?" if near else ""
    return f"{clean(given)!r} is no {what}; there are {', '.join(map(clean, known))}.{hint}"
