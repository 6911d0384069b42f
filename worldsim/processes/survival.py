"""The survival phase of a team away: Situation, food, being lost, wildlife."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from worldsim.events.kinds import (
    TeamEndured,
    TeamFound,
    TeamSearched,
    TeamStranded,
    WildlifeMet,
)
from worldsim.processes.harm import become_lost, hurt, perish, take_stock_of_people, vanish
from worldsim.rules import survival as rule
from worldsim.rules.contest import drains_situation
from worldsim.rules.dice import clamp_difficulty
from worldsim.rules.gathering import step
from worldsim.rules.teams import DETECTION
from worldsim.world.teams import (
    ATTRIBUTE_OF,
    USE_COMMUNICATIONS,
    USE_DEFENSE,
    USE_DETECTION_WILDLIFE,
    USE_SURVIVAL,
    character_pool,
    drain,
    fit,
    pools,
    team_pool,
)

if TYPE_CHECKING:
    from worldsim.processes.context import Context
    from worldsim.rules.dice import Dice
    from worldsim.scenario.model import Animal
    from worldsim.world.people import Character
    from worldsim.world.teams import Team


class Meal:
    """What a team ate in a day, by ingredient: of its rations, of its cargo, and foraged."""

    __slots__ = ("cargo", "foraged", "rations")

    def __init__(
        self, rations: dict[int, int], cargo: dict[int, int], foraged: dict[int, int]
    ) -> None:
        self.rations = rations
        self.cargo = cargo
        self.foraged = foraged


def endure(ctx: Context, team: Team) -> None:
    """A survival phase.

    Rule SURV-2, SURV-3, DAY-1 [W]: a team that was lost and found is spared the test.
    """
    trip, rules = team.away, ctx.rules.survival
    dice = ctx.dice("survival", team.id)
    difficulty = today_difficulty(ctx, team)
    successes = 0
    if not trip.found:
        successes = _tested(ctx, team, dice, USE_SURVIVAL, "SURV-2", difficulty)
        if _drains(ctx, team):
            team.situation = rule.situation_after(
                team.situation, successes, rules.drain, rules.relief
            )
    meal = eat(ctx, team, dice, difficulty)
    seq = _record_endured(ctx, team, difficulty, successes, meal)
    ctx.explain(seq, dice)
    if starve(ctx, team, seq) and not trip.found:
        _judge_situation(ctx, team, dice, difficulty, seq)


def _record_endured(ctx: Context, team: Team, difficulty: int, successes: int, meal: Meal) -> int:
    world, journal = ctx.world, ctx.journal
    if journal.silent:
        return journal.skip()
    return journal.note(
        TeamEndured(
            journal.seq, journal.t, journal.day, "info", team.cause,
            team=team.id,
            place=team.place,
            weather=world.sky[world.atlas.region_of[team.place]].name,
            difficulty=difficulty,
            successes=successes,
            situation=team.situation,
            efficiency=team.efficiency,
            ate_rations=world.amounts(meal.rations),
            ate_cargo=world.amounts(meal.cargo),
            foraged=world.amounts(meal.foraged),
            hungry_days=team.away.hungry_days,
        )
    )  # fmt: skip


def _drains(ctx: Context, team: Team) -> bool:
    """Whether a day here drains Situation (BAT-17)."""
    patrolling = team.status == "on_site" and ctx.mission(team.away.mission).kind == "patrol"
    return drains_situation(patrolling=patrolling, controls=ctx.world.controls(team, team.place))


def _tested(ctx: Context, team: Team, dice: Dice, use: int, rule_id: str, difficulty: int) -> int:
    """Successes of one of the team's pools, Fatigued where a scenario drains it (FAT-2)."""
    weary = drain(team, ATTRIBUTE_OF[use], ctx.rules)
    added = ctx.rules.fatigue.fatigued_difficulty if weary else 0
    if dice.recording:
        dice.made_of = {"difficulty": difficulty, "fatigue": added}
    return dice.test(rule_id, pools(team, ctx.rules)[use], difficulty + added)


def ground_under(ctx: Context, team: Team) -> str:
    """The place a team stands in at dawn: a sector, or the region it is about to move through."""
    return ctx.world.atlas.region_of[team.place] if team.status == "homeward" else team.place


def today_difficulty(ctx: Context, team: Team) -> int:
    """Survival difficulty where the team is (SURV-1), the region's while it is on its way."""
    world, rules = ctx.world, ctx.rules.survival
    place = ground_under(ctx, team)
    region = world.atlas.region_of[place]
    difficulty = rule.difficulty(
        world.place_difficulty(place), world.sky[region].difficulty, rules.easiest, rules.hardest
    )
    return clamp_difficulty(difficulty, ctx.rules.dice.min_difficulty)


def _judge_situation(ctx: Context, team: Team, dice: Dice, difficulty: int, cause: int) -> None:
    """Lost at 0; stranded below a line, and then a test of Situation as a value decides."""
    if team.situation <= 0:
        become_lost(ctx, team, "situation", cause)
    elif rule.stranded(team.situation, ctx.rules.survival.stranded_below):
        pool = team_pool(team.situation, ctx.rules)
        held = dice.test("SURV-2", pool, difficulty) > 0
        team.away.doomed = not held
        seq = ctx.journal.record(
            TeamStranded, cause=cause, team=team.id, place=team.place, situation=team.situation,
            held=held,
        )  # fmt: skip
        ctx.explain(seq, dice)


def starve(ctx: Context, team: Team, cause: int) -> bool:
    """Hunger takes its toll (SURV-3); whether the team goes on as it was."""
    rules = ctx.rules.survival
    damage = rule.hunger_damage(team.away.hungry_days, rules.grace_days, rules.hunger_damage)
    if not damage:
        return True
    for member in ctx.world.living(team):
        hurt(ctx, team, member, damage, "hunger", cause)
    return take_stock_of_people(ctx, team, cause)


def eat(ctx: Context, team: Team, dice: Dice, difficulty: int) -> Meal:
    """Feed the living members: rations, then cargo, then a Supply Run.

    Rule SURV-3 [P].
    """
    world, trip = ctx.world, team.away
    need = ctx.rules.survival.appetite * team.mouths
    rations = _eat_from(team.rations, need, world.edible)
    for ingredient, units in rations.items():
        need -= units
        team.load -= units * ctx.rules.teams.ration_weight
        world.ledger.eaten[ingredient] += units
    if need <= 0:
        trip.hungry_days = 0
        return Meal(rations, {}, {})
    cargo = _eat_from(team.cargo, need, world.edible)
    for ingredient, units in cargo.items():
        need -= units
        team.load -= units * world.unit_weights[ingredient]
        world.ledger.eaten[ingredient] += units
    foraged = supply_run(ctx, team, dice, difficulty, need) if need > 0 else {}
    for ingredient, units in foraged.items():
        need -= units
        world.ledger.eaten[ingredient] += units
    trip.hungry_days = trip.hungry_days + 1 if need > 0 else 0
    return Meal(rations, cargo, foraged)


def _eat_from(goods: list[int], need: int, edible: list[int]) -> dict[int, int]:
    """Take up to ``need`` units of food, in the order of the catalogue."""
    eaten: dict[int, int] = {}
    for ingredient in edible:
        if need <= 0:
            break
        units = min(need, goods[ingredient])
        if units:
            goods[ingredient] -= units
            eaten[ingredient] = units
            need -= units
    return eaten


def supply_run(ctx: Context, team: Team, dice: Dice, difficulty: int, need: int) -> dict[int, int]:
    """Some members look for food where the team is, before it moves.

    Rule SURV-3, RES-3 [P]: one unit a success, what is met first being a matter of chance.
    """
    world = ctx.world
    place = world.index[ground_under(ctx, team)]
    food = [i for i in world.edible if world.reserves.left[place][i]]
    ready = sorted(fit(team), key=lambda each: -each.skills.get("planetary", 0.0))
    found: dict[int, int] = {}
    if not food:
        return found
    order = [food[i] for i in dice.order("SURV-3", len(food))]
    for runner in ready[: rule.runners(len(ready), ctx.rules.survival.runners)]:
        pool = character_pool(runner.skills.get("planetary", 0.0), ctx.rules)
        for _ in range(min(need, dice.test("SURV-3", pool, difficulty))):
            kind = next((i for i in order if world.reserves.left[place][i]), None)
            if kind is None:
                break
            need -= ctx.take(place, kind, 1)
            found[kind] = found.get(kind, 0) + 1
    for kind, units in found.items():
        world.note_taking(ctx.day, team, "supply", place, kind, units, 0)
    return found


def search(ctx: Context, team: Team) -> None:
    """A lost team's day: it tries to be heard.

    Rule SURV-5 [W].
    """
    trip = team.away
    trip.lost_days += 1
    dice = ctx.dice("survival", team.id)
    difficulty = today_difficulty(ctx, team)
    successes = _tested(ctx, team, dice, USE_COMMUNICATIONS, "SURV-5", difficulty)
    meal = eat(ctx, team, dice, difficulty)
    amounts = ctx.world.amounts
    seq = ctx.journal.record(
        TeamSearched,
        cause=team.cause,
        team=team.id,
        place=team.place,
        difficulty=difficulty,
        successes=successes,
        lost_days=trip.lost_days,
        efficiency=team.efficiency,
        ate_rations=amounts(meal.rations),
        ate_cargo=amounts(meal.cargo),
        foraged=amounts(meal.foraged),
        hungry_days=trip.hungry_days,
    )
    if starve(ctx, team, seq):
        _hear_of(ctx, team, dice, seq, heard=successes > 0)
    ctx.explain(seq, dice)


def _hear_of(ctx: Context, team: Team, dice: Dice, seq: int, *, heard: bool) -> None:
    """A lost team that was heard goes home; else its members suffer, and in the end it is gone."""
    trip, rules = team.away, ctx.rules.survival
    if heard:
        trip.found = True
        trip.covered = trip.position
        team.status = "homeward"
        team.cause = ctx.journal.record(
            TeamFound, cause=seq, team=team.id, place=team.place, covered=trip.covered
        )
        return
    for member in ctx.world.living(team):
        _roll_fate(ctx, team, member, dice, seq)
    if take_stock_of_people(ctx, team, seq) and rule.never_found(trip.lost_days, rules.lost_days):
        perish(ctx, team, "never_found", seq)


def _roll_fate(ctx: Context, team: Team, member: Character, dice: Dice, cause: int) -> None:
    rules = ctx.rules.survival
    roll = 1 + dice.pick("SURV-5", rules.lost_die)
    fate = rule.lost_fate(roll, rules.vanishes_to, rules.hurt_to)
    if fate == "vanished":
        vanish(ctx, team, member, cause)
    elif fate == "hurt":
        hurt(ctx, team, member, rules.lost_damage, "lost", cause)


def meet_wildlife(ctx: Context, team: Team) -> bool:
    """Wildlife may cross the team's way; whether the team goes on as it was.

    Rule SURV-6 [us].
    """
    animals = ctx.animals
    if not animals:
        return True
    chance = ctx.world.wildlife_chance(team.place)
    if not ctx.journal.debugging and ctx.chance.first("wildlife", team.id, ctx.day) >= chance:
        return True  # what dice would say too, without making them
    dice = ctx.dice("wildlife", team.id)
    if not dice.happens("SURV-6", chance):
        return True
    animal = _drawn(ctx, animals, dice)
    noticed, defended = _face(ctx, team, animal, dice)
    wounds = rule.wounds(animal.strength, defended)
    seq = ctx.journal.record(
        WildlifeMet, cause=team.cause, team=team.id, place=team.place, animal=animal.id,
        noticed=noticed, defended=defended, wounds=wounds,
    )  # fmt: skip
    for _ in range(wounds):
        awake = [each for each in team.members if each.health > 0]
        if not awake:
            break
        victim = awake[dice.pick("SURV-6", len(awake))]
        hurt(ctx, team, victim, ctx.rules.characters.wound, "wildlife", seq)
    ctx.explain(seq, dice)
    return not wounds or take_stock_of_people(ctx, team, seq)


def _drawn(ctx: Context, animals: tuple[Animal, ...], dice: Dice) -> Animal:
    cuts = ctx.animal_cuts
    return animals[min(len(animals) - 1, bisect_right(cuts, dice.draw()))]


def _face(ctx: Context, team: Team, animal: Animal, dice: Dice) -> tuple[int, int]:
    """Successes in noticing the animal, and in fending it off: one harder when ambushed."""
    rules, gathering = ctx.rules, ctx.rules.gathering
    least = rules.dice.min_difficulty
    tired = drain(team, DETECTION, rules)
    mine = pools(team, rules)
    hidden = step(animal.stealth, gathering.scale_base, gathering.scale_step)
    hidden += rules.fatigue.fatigued_difficulty if tired else 0
    noticed = dice.test("SURV-6", mine[USE_DETECTION_WILDLIFE], clamp_difficulty(hidden, least))
    difficulty = rules.dice.default_difficulty
    difficulty += 0 if noticed else rules.survival.ambush_difficulty
    difficulty = clamp_difficulty(difficulty, least)
    return noticed, _tested(ctx, team, dice, USE_DEFENSE, "SURV-6", difficulty)
