"""One gathering phase, from the Limit to the mishap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from worldsim.rules.abundance import modifier
from worldsim.rules.activities import divided
from worldsim.rules.dice import Dice, Pool, clamp_difficulty, with_bonus

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_MISHAP: Final = 0
MINOR: Final = 1
AVERAGE: Final = 2
MISHAPS: Final = ("none", "minor", "average")
MOST_SUCCESSES = 64  # more than the dice any pool can have


class Terms:
    """The numbers of a scenario's ``[rules.gathering]``, ``[rules.reserves]`` and catalogue.

    Lists have one entry for each ingredient of the catalogue.

    Attributes:
        presence: Chance of presence at full stock.
        class_size: Units present per point of the die.
        stealth: Difficulty step of Stealth (GATH-5).
        fragility: Difficulty step of Fragility (GATH-6).
        weight: Points a unit weighs.
        ark: Difficulty change by a profile such as ark when collecting it, if the profile counts.
        costs: What so many successes take from the Limit (GATH-6).
        bands, poor, worst: As ``abundance.modifier`` takes them.
        rank: Place in the order of attempts, lower first; empty for a random order.
    """

    __slots__ = (
        "bands", "class_size", "costs", "destroys", "find_all_at", "fragility", "hard_limit",
        "min_difficulty", "nothing", "poor", "presence", "present_die", "rank", "stealth", "weighs",
        "weight", "worst",
    )  # fmt: skip

    def __init__(self) -> None:
        self.presence: list[float] = []
        self.class_size: list[int] = []
        self.stealth: list[int] = []
        self.fragility: list[int] = []
        self.weight: list[int] = []
        self.rank: list[int] = []
        self.bands: list[tuple[float, int]] = []
        self.poor = 1
        self.worst = 2
        self.present_die = 6
        self.find_all_at = 3
        self.costs = [limit_cost(successes) for successes in range(MOST_SUCCESSES)]
        self.nothing = 10
        self.min_difficulty = 2
        self.hard_limit = True
        self.destroys = False
        self.weighs = True


class Ground:
    """What a team can meet in one place: read, never changed.

    Attributes:
        kinds: Ingredients (by position in the catalogue) that were there at the start.
        left, initial: Units, one entry for each ingredient of the catalogue.
        abundance: POOR, NORMAL or RICH, likewise.
    """

    __slots__ = ("abundance", "initial", "kinds", "left")

    def __init__(
        self, kinds: list[int], left: list[int], initial: list[int], abundance: list[int]
    ) -> None:
        self.kinds = kinds
        self.left = left
        self.initial = initial
        self.abundance = abundance


class Skills:
    """What a team brings to a gathering phase.

    Attributes:
        gathering, detection: The pools, profile dice included.
        added: Added to every difficulty by other activities (ACT-1).
        detection_first, detection_added: Added to the first Detection test by fatigue, and to the
            further ones (FAT-3).
        gathering_added: Added to the tests of each unit by fatigue.
        collecting: Difficulty change when collecting each ingredient (ark), by position.
    """

    __slots__ = (
        "added", "collecting", "detection", "detection_added", "detection_first", "gathering",
        "gathering_added",
    )  # fmt: skip

    def __init__(self, gathering: Pool, detection: Pool, added: int, collecting: list[int]) -> None:
        self.gathering = gathering
        self.detection = detection
        self.added = added
        self.collecting = collecting
        self.detection_first = 0
        self.detection_added = 0
        self.gathering_added = 0


class Haul:
    """What came of a gathering phase.

    Attributes:
        limit: The Limit it began with.
        present: Ingredients present.
        detected: Units found.
        tried: Units attempted.
        taken, destroyed: Units by ingredient.
        mishap: NO_MISHAP, MINOR or AVERAGE.
    """

    __slots__ = ("destroyed", "detected", "limit", "mishap", "present", "taken", "tried")

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.present = 0
        self.detected = 0
        self.tried = 0
        self.taken: dict[int, int] = {}
        self.destroyed: dict[int, int] = {}
        self.mishap = NO_MISHAP


def step(points: int, base: int = 2, per: int = 220) -> int:
    """Difficulty of a Stealth or Fragility.

    Rule GATH-5, GATH-6 [P].

    Args:
        points: 0 to 1000.
        base: Difficulty of the lowest step.
        per: Points of each further step.

    Raises:
        ValueError: ``points`` is outside the scale.
    """
    if not 0 <= points <= 1000:  # noqa: PLR2004 - the scale's end
        raise ValueError(f"{points} is outside the scale of 0 to 1000")
    return base + points // per


def gathering_limit(
    dice: Dice, pool: Pool, activities: int, free_pt: int, limit_by: str, lost_dice: int = 0
) -> int:
    """Units a team may take in one phase; one draw.

    Rule GATH-1, GATH-2 [P].

    Args:
        dice: Where the total score comes from.
        pool: Team Gathering, profile dice included.
        activities: Of the day, Moving included.
        free_pt: Transport Capacity left, in points.
        limit_by: ``weight`` leaves the number alone, the others cut it to ``free_pt``.
        lost_dice: Dice fewer, by fatigue.
    """
    total = dice.total("GATH-1", with_bonus(pool, -lost_dice) if lost_dice else pool)
    limit = divided(total, activities)
    if limit_by != "weight":
        limit = min(limit, free_pt)
    return max(0, limit)


def gather(
    dice: Dice,
    terms: Terms,
    ground: Ground,
    kinds: list[int],
    skills: Skills,
    limit: int,
    free: int,
) -> Haul:
    """A gathering phase after its Limit is known.

    Rule GATH-4 [P]: all rarity rolls, then all Detection tests, then the attempts.

    Args:
        dice: Draws: one for each ingredient in ``kinds`` with stock and one more if present, one
            for each present, one for each detected (their order), one for each unit tried, and one
            for the mishap if there is any entry.
        terms: The scenario's numbers.
        ground: The place.
        kinds: Ingredients the team is after, a part of ``ground.kinds``.
        skills: The team.
        limit: The Gathering Limit.
        free: Transport Capacity left, in points.
    """
    haul = Haul(limit)
    if limit <= 0:
        return haul
    present = present_units(dice, terms, ground, kinds)
    haul.present = len(present)
    found = detect(dice, terms, skills, present)
    minor, average = attempt(dice, terms, skills, found, haul, free)
    haul.mishap = mishap(dice, minor, average, terms.nothing)
    return haul


def present_units(
    dice: Dice, terms: Terms, ground: Ground, kinds: list[int]
) -> list[tuple[int, int, int]]:
    """The rarity rolls: (ingredient, units present, abundance modifier) of what is present.

    Rule GATH-3 [P].
    """
    present: list[tuple[int, int, int]] = []
    left = ground.left
    initial = ground.initial
    for kind in kinds:
        stock = left[kind]
        if stock <= 0:
            continue
        share = stock / initial[kind]
        if dice.happens("GATH-3", terms.presence[kind] * share):
            scarce = modifier(ground.abundance[kind], share, terms.bands, terms.poor, terms.worst)
            die = 1 + dice.pick("GATH-3", terms.present_die)
            units = max(1, die - scarce) * terms.class_size[kind]
            present.append((kind, min(stock, units), scarce))
    return present


def detect(
    dice: Dice, terms: Terms, skills: Skills, present: list[tuple[int, int, int]]
) -> list[tuple[int, int, int]]:
    """The Detection tests: (ingredient, units found, abundance modifier), in order of attempt.

    Rule GATH-5 [P], GATH-4 [us].
    """
    found: list[tuple[int, int, int]] = []
    fatigue = skills.detection_first
    for kind, units, scarce in present:
        difficulty = difficulty_of(
            dice, terms.stealth[kind], scarce, skills.added, 0, fatigue, terms.min_difficulty
        )
        fatigue = skills.detection_added
        successes = dice.test("GATH-5", skills.detection, difficulty)
        if successes:
            found.append((kind, units_found(successes, units, terms.find_all_at), scarce))
    if len(found) > 1:
        found = [found[i] for i in dice.order("GATH-4", len(found))]
        rank = terms.rank
        if rank:
            found.sort(key=lambda each: rank[each[0]])
    return found


def units_found(successes: int, units: int, all_at: int = 3) -> int:
    """Units a Detection test finds of those present.

    Rule GATH-5 [P]: one, half of them rounded up, or all.
    """
    if successes <= 0:
        return 0
    if successes >= all_at:
        return units
    return 1 if successes == 1 else (units + 1) // 2


def difficulty_of(
    dice: Dice, base: int, scarce: int, added: int, ark: int, fatigue: int, least: int
) -> int:
    """All modifiers of a gathering test added up.

    Rule GATH-10 [P].
    """
    if dice.recording:
        parts = {
            "step": base, "abundance": scarce, "activities": added, "ark": ark, "fatigue": fatigue
        }  # fmt: skip
        dice.made_of = {name: value for name, value in parts.items() if value or name == "step"}
    return clamp_difficulty(base + scarce + added + ark + fatigue, least)


def attempt(
    dice: Dice,
    terms: Terms,
    skills: Skills,
    found: Sequence[tuple[int, int, int]],
    haul: Haul,
    free: int,
) -> tuple[int, int]:
    """Try each unit found, until the Limit says stop.

    Rule GATH-2, GATH-6, GATH-7, GATH-8 [P].

    Returns:
        Entries for the bag of mishaps: minor and average ones.
    """
    limit = haul.limit
    most = limit if terms.hard_limit else 1 << 60
    taken = minor = average = 0
    pool = skills.gathering
    costs, recording = terms.costs, dice.recording
    for kind, units, scarce in found:
        haul.detected += units
        weight = terms.weight[kind] if terms.weighs else 0
        difficulty = difficulty_of(
            dice, terms.fragility[kind], scarce, skills.added, skills.collecting[kind],
            skills.gathering_added, terms.min_difficulty,
        )  # fmt: skip
        made_of = dice.made_of
        got = missed = 0
        for _ in range(units):
            if limit <= 0 or taken >= most or weight > free:
                break
            if recording:
                dice.made_of = made_of
            successes = dice.test("GATH-6", pool, difficulty)
            limit -= costs[successes]
            if successes:
                got += 1
                taken += 1
                free -= weight
                minor += successes == 1
            else:
                missed += 1
        average += missed
        haul.tried += got + missed
        if got:
            haul.taken[kind] = got
        if missed and terms.destroys:
            haul.destroyed[kind] = missed
    return minor, average


def limit_cost(successes: int, miss: int = 2, one: int = 1, two: int = 1, spare_at: int = 3) -> int:
    """What an attempt takes from the Limit.

    Rule GATH-6 [P]; the cost of one success [us].

    Args:
        successes: Of the Gathering test.
        miss: Cost of no success.
        one: Cost of one.
        two: Cost of two or more.
        spare_at: Successes from which the Limit is spared.
    """
    if successes >= spare_at:
        return 0
    if successes == 0:
        return miss
    return one if successes == 1 else two


def mishap(dice: Dice, minor: int, average: int, nothing: int = 10) -> int:
    """Which mishap, if any, the phase ends with; one draw if there is any entry.

    Rule GATH-9 [us].

    Args:
        dice: Where the draw comes from.
        minor: Entries of minor mishaps in the bag.
        average: Entries of average ones.
        nothing: Blank entries.
    """
    if not minor + average:
        return NO_MISHAP
    drawn = dice.pick("GATH-9", nothing + minor + average)
    if drawn < nothing:
        return NO_MISHAP
    return MINOR if drawn < nothing + minor else AVERAGE
