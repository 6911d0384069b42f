"""The odds of a duel as lines for people, and as JSON."""

from __future__ import annotations

from itertools import accumulate, groupby
from typing import TYPE_CHECKING, Any

from worldsim.cli.output import clean, heading, print_table, say
from worldsim.rules.cards import TRAITS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from worldsim.duel import Cost, Odds, SideOdds
    from worldsim.duel.outcome import Probability
    from worldsim.rules.cards import Card
    from worldsim.scenario.side import LoadedDuel, LoadedSide

ENDS = ("attacker_wins", "defender_wins", "out_of_time")
STANCES = ("scout", "ambush", "strike", "assault")
EIGHTHS = " ▏▎▍▌▋▊▉"
BAR, SHORT_BAR = 24, 16
UNSEEN = 0.0005  # chances below are shown together
ROUNDING = 1e-12  # what exact odds, which are floats, may lack of 1
UNITS = ("B", "kB", "MB", "GB", "TB")
A_THOUSAND, TEN = 1000, 10
A_SECOND = 10**9  # multiplications that go into one
TIMES = (
    (1, "a second"), (10, "some seconds"), (60, "a minute"), (600, "some minutes"),
    (3600, "an hour"), (36_000, "some hours"), (864_000, "some days"),
)  # fmt: skip
"""Seconds below which a duration has this name."""


def takes(cost: Cost) -> str:
    """What exact odds take, in words: ``1.2 GB and some minutes``."""
    seconds = cost.multiplications / A_SECOND
    time = next((name for limit, name in TIMES if seconds <= limit), "weeks or more")
    size = float(cost.memory_bytes)
    unit = 0
    while size >= A_THOUSAND and unit < len(UNITS) - 1:
        size, unit = size / A_THOUSAND, unit + 1
    digits = 1 if size < TEN else 0
    return f"{size:,.{digits}f} {UNITS[unit]} and {time}"


def print_duel(duel: LoadedDuel, odds: Odds) -> None:
    """All about one duel."""
    _print_head(duel)
    say(f"\n{heading('Outcome')}")
    _print_outcome(odds)
    say(f"\n{heading('Sides')}")
    for title, side, ends in _sides(duel, odds):
        _print_side(title, side, ends)
    say(f"\n{heading('Rounds')}, {float(odds.mean_rounds):.1f} on average")
    _print_rounds(odds)
    say(f"\n{heading('Up in the end')}, of characters and vehicles")
    _print_survivors(odds)
    say()
    _print_method(odds)


def print_sweep(
    duel: LoadedDuel, side: str, trait: str, card: str | None, swept: Sequence[tuple[int, Odds]]
) -> None:
    """How the odds move."""
    _print_head(duel)
    for title, loaded in (("attacker", duel.attacker), ("defender", duel.defender)):
        _print_side(title, loaded, None)
    whose = "each character and vehicle" if card is None else clean(card)
    say(f"\n{heading(f'{trait} of the {side}')}, {whose}")
    simulated = any(odds.limits for _, odds in swept)
    limits = ("from", "to") if simulated else ()
    print_table(
        ("power", "attacker wins", *limits, "out of time", "rounds", ""),
        [_sweep_row(power, odds, limits=simulated) for power, odds in swept],
        indent=2,
    )
    say()
    for _, same in groupby(swept, key=lambda each: each[1].method):
        _print_method(max((odds for _, odds in same), key=lambda odds: odds.cost.multiplications))


def _sweep_row(power: int, odds: Odds, *, limits: bool) -> list[object]:
    low, high = odds.limits["attacker_wins"] if odds.limits else (None, None)
    between = [_percent(low), _percent(high)] if limits else []
    return [
        power, _percent(odds.attacker_wins), *between, _percent(odds.out_of_time),
        f"{float(odds.mean_rounds):.1f}", _bar(odds.attacker_wins, SHORT_BAR if limits else BAR),
    ]  # fmt: skip


def _print_head(duel: LoadedDuel) -> None:
    say(heading(f"{clean(duel.attacker.name)} against {clean(duel.defender.name)}"))


def _print_outcome(odds: Odds) -> None:
    rows = []
    for end in ENDS:
        chance = getattr(odds, end)
        between = [_percent(limit) for limit in odds.limits[end]] if odds.limits else []
        rows.append([end.replace("_", " "), _percent(chance), *between, _bar(chance)])
    print_table(("", "chance", *(("from", "to") if odds.limits else ()), ""), rows, indent=2)


def _sides(duel: LoadedDuel, odds: Odds) -> Iterable[tuple[str, LoadedSide, SideOdds]]:
    return (
        ("attacker", duel.attacker, odds.attacker),
        ("defender", duel.defender, odds.defender),
    )


def _print_side(title: str, loaded: LoadedSide, ends: SideOdds | None) -> None:
    """A side's cards, alike ones in one line, with both Initiative dice (BAT-3)."""
    stances = [name for name in STANCES if getattr(loaded.side, name)]
    with_stances = f": {', '.join(stances)}" if stances else ""
    say(f"  {title}, {clean(loaded.name)}{with_stances}")
    columns = ["card", "kind", "count", "health", "initiative", "later"]
    rows = []
    for cards in _alike(loaded):
        first = cards[0]
        row: list[object] = [
            loaded.side.cards[first].name, loaded.side.cards[first].kind, len(cards),
            _health_words(loaded, first),
            f"{loaded.side.first_initiative[first]}d6", f"{loaded.side.later_initiative[first]}d6",
        ]  # fmt: skip
        if ends is not None:
            up = ends.cards[first] if loaded.side.whole[first] else None
            row.append("" if up is None else _percent(_mean([ends.cards[c] or 0 for c in cards])))
        rows.append(row)
    print_table([*columns, "up in the end"] if ends is not None else columns, rows, indent=4)


def _mean(chances: Sequence[Probability]) -> float:
    return float(sum(chances)) / len(chances)


def _alike(loaded: LoadedSide) -> list[list[int]]:
    """The places of the cards, those of one name together."""
    by_name: dict[str, list[int]] = {}
    for place, card in enumerate(loaded.side.cards):
        by_name.setdefault(card.name, []).append(place)
    return list(by_name.values())


def _health_words(loaded: LoadedSide, card: int) -> str:
    whole, left = loaded.side.whole[card], loaded.health[card]
    if not whole:
        return ""
    return str(whole) if left == whole else f"{left} of {whole}"


def _print_rounds(odds: Odds) -> None:
    """The law of the number of rounds; the end of a long tail in one line."""
    law = [float(chance) for chance in odds.rounds]
    seen = [count for count, chance in enumerate(law) if chance >= UNSEEN] or [0]
    done = list(accumulate(law))
    rows: list[list[object]] = [
        [str(count), _percent(law[count]), _percent(min(1.0, done[count])), _bar(law[count])]
        for count in range(seen[0], seen[-1] + 1)
    ]
    if sum(law[seen[-1] + 1 :]) > 0:
        rows.append(["more", _percent(sum(law[seen[-1] + 1 :])), _percent(1), ""])
    print_table(("rounds", "exactly", "at most", ""), rows, indent=2)


def _print_survivors(odds: Odds) -> None:
    ours, theirs = odds.attacker.up, odds.defender.up
    rows: list[list[object]] = []
    for count in range(max(len(ours), len(theirs))):
        pair = [float(up[count]) if count < len(up) else None for up in (ours, theirs)]
        if any(chance is not None and chance >= UNSEEN for chance in pair):
            rows.append([str(count), *(_percent(chance) for chance in pair)])
    means = [f"{float(side.mean_up):.2f}" for side in (odds.attacker, odds.defender)]
    print_table(("up", "attacker", "defender"), [*rows, ["mean", *means]], indent=2)


def _print_method(odds: Odds) -> None:
    """How the odds were found, what exact ones take."""
    if odds.method == "exact":
        cost = odds.cost
        states = f"{cost.attacker_states:,} by {cost.defender_states:,} states"
        say(f"Exact, over {states}: at most {takes(cost)}.")
        return
    share = f"{float(odds.confidence or 0):.0%}"
    say(f"Simulated: shares of {odds.fights:,} fights, with limits of {share} confidence.")
    say(f"Exact odds would take up to {takes(odds.cost)} (--method exact).")


def _percent(chance: Probability | None) -> str:
    """A chance in percent: never 0.0% or 100.0% for what is neither."""
    if chance is None:
        return ""
    share = float(chance)
    text = f"{share:.1%}"
    if 0 < share < UNSEEN:
        text = "<0.1%"
    if 1 - UNSEEN < share < 1 - ROUNDING:
        text = ">99.9%"
    return f"{text:>6}"


def _bar(chance: Probability, width: int = BAR) -> str:
    """A chance as a bar, to the eighth of a column; only nothing at all has none."""
    eighths = round(float(chance) * width * 8)
    if chance > 0:
        eighths = max(1, eighths)
    whole, part = divmod(eighths, 8)
    return "█" * whole + EIGHTHS[part].strip()


def duel_json(duel: LoadedDuel, odds: Odds) -> dict[str, Any]:
    """One duel as plain data."""
    return {
        "attacker": _side_json(duel.attacker),
        "defender": _side_json(duel.defender),
        "odds": odds_json(odds),
    }


def sweep_json(
    duel: LoadedDuel, side: str, trait: str, card: str | None, swept: Iterable[tuple[int, Odds]]
) -> dict[str, Any]:
    """A sweep as plain data."""
    return {
        "attacker": _side_json(duel.attacker),
        "defender": _side_json(duel.defender),
        "sweep": {"side": side, "trait": trait, "card": card},
        "odds": [{"power": power, **odds_json(odds)} for power, odds in swept],
    }


def odds_json(odds: Odds) -> dict[str, Any]:
    """Odds as plain data."""
    cost = odds.cost
    return {
        "method": odds.method,
        **{end: float(getattr(odds, end)) for end in ENDS},
        "limits": odds.limits,
        "confidence": odds.confidence,
        "fights": odds.fights,
        "unresolved": float(odds.unresolved),
        "mean_rounds": float(odds.mean_rounds),
        "rounds": [
            {"rounds": count, "probability": float(chance)}
            for count, chance in enumerate(odds.rounds)
        ],
        "won_in": [float(chance) for chance in odds.won_in],
        "lost_in": [float(chance) for chance in odds.lost_in],
        "attacker": _ends_json(odds.attacker),
        "defender": _ends_json(odds.defender),
        "exact_takes": {
            "attacker_states": cost.attacker_states,
            "defender_states": cost.defender_states,
            "memory_bytes": cost.memory_bytes,
            "multiplications": cost.multiplications,
        },
    }


def _ends_json(side: SideOdds) -> dict[str, Any]:
    return {
        "mean_up": float(side.mean_up),
        "up": [float(chance) for chance in side.up],
        "cards": [None if chance is None else float(chance) for chance in side.cards],
    }


def _side_json(loaded: LoadedSide) -> dict[str, Any]:
    return {
        "name": loaded.name,
        **{stance: getattr(loaded.side, stance) for stance in STANCES},
        "cards": [_card_json(loaded, n, card) for n, card in enumerate(loaded.side.cards)],
    }


def _card_json(loaded: LoadedSide, place: int, card: Card) -> dict[str, Any]:
    side = loaded.side
    return {
        "name": card.name,
        "kind": card.kind,
        "health": card.health or None,
        "health_left": loaded.health[place] if card.health else None,
        "power": dict(zip(TRAITS, card.power, strict=True)),
        "initiative_dice": side.first_initiative[place],
        "later_initiative_dice": side.later_initiative[place],
    }
