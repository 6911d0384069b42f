"""What a team does in a day beside moving: gather, hunt, explore, research, construct."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from worldsim.events.kinds import (
    SectorEased,
    SectorMapped,
    TeamConstructed,
    TeamExplored,
    TeamGathered,
    TeamResearched,
)
from worldsim.processes.befalls import befall
from worldsim.rules.activities import added_difficulty, progress_of
from worldsim.rules.dice import clamp_difficulty
from worldsim.rules.gathering import MISHAPS, Haul, Skills, gather, gathering_limit
from worldsim.rules.teams import DETECTION, GATHERING
from worldsim.world.teams import (
    ATTRIBUTE_OF,
    USE_CONSTRUCTION,
    USE_DETECTION_GATHERING,
    USE_DETECTION_OTHER,
    USE_DETECTION_WILDLIFE,
    USE_GATHERING,
    USE_RESEARCH,
    drain,
    fatigued,
    free_capacity,
    pools,
)

if TYPE_CHECKING:
    from worldsim.processes.context import Context
    from worldsim.rules.dice import Dice
    from worldsim.world.teams import Team

MISHAP_TABLES: Final = ("", "minor_mishap", "average_mishap")


def carry_out(
    ctx: Context,
    team: Team,
    activities: tuple[str, ...],
    place: str,
    *,
    moving: bool,
    before: int = 0,
) -> int:
    """Do the day's activities one after another (ACT-1, ACT-2).

    Args:
        ctx: The run.
        team: Who does them.
        activities: Without Moving.
        place: The region or sector on whose reserve the team draws (RES-3).
        moving: Whether Moving is one more activity today.
        before: Activities of the same day that were done before these, at another place.

    Returns:
        The yield: units taken plus successes.
    """
    count = len(activities) + moving
    gained = 0
    for nth, activity in enumerate(activities, before):
        if team.status in {"lost", "gone"}:
            break
        if activity in {"gather", "hunt"}:
            gained += _gather(ctx, team, activity, place, count, nth)
        else:
            gained += _work(ctx, team, activity, place, count, nth)
    return gained


def _gather(ctx: Context, team: Team, activity: str, place: str, activities: int, nth: int) -> int:
    """A gathering phase; units taken."""
    world, rules = ctx.world, ctx.rules
    position = world.index[place]
    dice = ctx.dice("gather", team.id, nth)
    skills, lost_dice = _skills(ctx, team, activity, activities)
    free = free_capacity(team)
    limit = gathering_limit(
        dice, skills.gathering, activities, free, rules.gathering.limit_by, lost_dice
    )
    wanted = ctx.wanted[activity][position]
    if ctx.quotas:
        wanted = [i for i in wanted if world.taken[i] < ctx.quotas.get(i, world.taken[i] + 1)]
    haul = gather(
        dice,
        ctx.terms[team.away.mission],
        world.reserves.grounds[position],
        wanted,
        skills,
        limit,
        free,
    )
    if haul.present:
        drain(team, DETECTION, rules)
    seq = _record_haul(ctx, team, activity, place, haul)
    ctx.explain(seq, dice)
    _carry_off(ctx, team, activity, position, haul)
    if haul.mishap:
        table = ctx.tables.get(MISHAP_TABLES[haul.mishap])
        entry = table.draw(dice) if table and table.entries else None
        if table and entry:
            befall(ctx, team, table.name, entry, dice, place, seq)
    return sum(haul.taken.values())


def _skills(ctx: Context, team: Team, activity: str, activities: int) -> tuple[Skills, int]:
    """What the team brings to a gathering phase, and the dice that fatigue takes from its Limit.

    Rule FAT-3 [D]: tired for the phase, or for the one roll that drained.
    """
    rules = ctx.rules.fatigue
    mine = pools(team, ctx.rules)
    use = USE_DETECTION_WILDLIFE if activity == "hunt" else USE_DETECTION_GATHERING
    counts = mine is team.profiled
    skills = Skills(
        mine[USE_GATHERING],
        mine[use],
        added_difficulty(activities, ctx.rules.activities.extra_difficulty),
        ctx.collecting.get(team.profile, ctx.plain) if counts else ctx.plain,
    )
    worn_out = drain(team, GATHERING, ctx.rules)
    blurred = fatigued(team, DETECTION, ctx.rules)
    whole_phase = rules.fatigued_for == "phase"
    if blurred:
        skills.detection_first = rules.fatigued_difficulty
        skills.detection_added = rules.fatigued_difficulty if whole_phase else 0
    if worn_out and whole_phase:
        skills.gathering_added = rules.fatigued_difficulty
    return skills, rules.fatigued_dice if worn_out and ctx.tires_totals else 0


def _record_haul(ctx: Context, team: Team, activity: str, place: str, haul: Haul) -> int:
    world, journal = ctx.world, ctx.journal
    if journal.silent:
        return journal.skip()
    return journal.note(
        TeamGathered(
            journal.seq, journal.t, journal.day, "info", team.cause,
            team=team.id,
            place=place,
            pool=world.places[world.index[place]].pool,
            activity="hunt" if activity == "hunt" else "gather",
            gathering_limit=haul.limit,
            kinds_present=haul.present,
            units_found=haul.detected,
            units_tried=haul.tried,
            taken=world.amounts(haul.taken),
            destroyed=world.amounts(haul.destroyed),
            mishap=MISHAPS[haul.mishap],
        )
    )  # fmt: skip


def _carry_off(ctx: Context, team: Team, activity: str, place: int, haul: Haul) -> None:
    """Move what was taken from the ground into the cargo, and keep the books."""
    world, trip = ctx.world, team.away
    world.note_taking(ctx.day, team, activity, place, None, 0, haul.limit)
    for ingredient, units in haul.taken.items():
        ctx.take(place, ingredient, units)
        world.load(team, ingredient, units)
        trip.units += units
        world.taken[ingredient] += units
        world.note_taking(ctx.day, team, activity, place, ingredient, units, 0)
    for ingredient, units in haul.destroyed.items():
        world.ledger.lost[ingredient] += ctx.take(place, ingredient, units)


def _work(ctx: Context, team: Team, activity: str, place: str, activities: int, nth: int) -> int:
    """Exploring, research or construction: one test, its successes count.

    Rule ACT-4 [us].
    """
    use = {
        "explore": USE_DETECTION_OTHER,
        "research": USE_RESEARCH,
        "construct": USE_CONSTRUCTION,
    }[activity]
    dice = ctx.dice("work", team.id, nth)
    successes = _attempt(ctx, team, use, activities, dice)
    team.away.successes += successes
    if activity == "explore":
        _explore(ctx, team, place, successes, dice)
    elif activity == "research":
        ctx.world.home[team.id].research += successes
        seq = ctx.journal.record(
            TeamResearched, cause=team.cause, team=team.id, place=place, successes=successes
        )
        ctx.explain(seq, dice)
    else:
        _construct(ctx, team, place, successes, dice)
    return successes


def _attempt(ctx: Context, team: Team, use: int, activities: int, dice: Dice) -> int:
    """A test of one attribute at the usual difficulty, harder by fatigue and other activities."""
    rules = ctx.rules
    tired = drain(team, ATTRIBUTE_OF[use], rules)
    added = added_difficulty(activities, rules.activities.extra_difficulty)
    weary = rules.fatigue.fatigued_difficulty if tired else 0
    base = rules.dice.default_difficulty
    if dice.recording:
        dice.made_of = {"default": base, "activities": added, "fatigue": weary}
    difficulty = clamp_difficulty(base + added + weary, rules.dice.min_difficulty)
    return dice.test("ACT-4", pools(team, rules)[use], difficulty)


def _explore(ctx: Context, team: Team, sector: str, successes: int, dice: Dice) -> None:
    colony = ctx.world.home[team.id]
    needed = ctx.rules.activities.explore_successes
    total = colony.explored.get(sector, 0) + successes
    colony.explored[sector] = total
    seq = ctx.journal.record(
        TeamExplored, cause=team.cause, team=team.id, place=sector, successes=successes, total=total
    )
    ctx.explain(seq, dice)
    if total >= needed and sector not in colony.mapped:
        colony.mapped.append(sector)
        ctx.journal.record(SectorMapped, cause=seq, sector=sector, colony=colony.id, team=team.id)


def _construct(ctx: Context, team: Team, place: str, successes: int, dice: Dice) -> None:
    """Build for the colony, or make the sector easier to live in for good."""
    world, trip = ctx.world, team.away
    seq = ctx.journal.record(
        TeamConstructed, cause=team.cause, team=team.id, place=place, successes=successes
    )
    ctx.explain(seq, dice)
    if not ctx.mission(trip.mission).eases_sector:
        world.home[team.id].construction += successes
        return
    needed = ctx.rules.activities.construct_successes
    points, world.built[place] = progress_of(world.built.get(place, 0), successes, needed)
    if points:
        world.eased[place] = world.eased.get(place, 0) + points
        ctx.journal.record(
            SectorEased, cause=seq, sector=place, team=team.id,
            difficulty=world.place_difficulty(place),
        )  # fmt: skip
