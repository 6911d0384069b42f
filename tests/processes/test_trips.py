"""Out, on site, home: stories of whole trips."""

from __future__ import annotations

from itertools import pairwise

import pytest
from stories import HOME, Told, scenario, table, team, tell

TWO_DAYS = (
    # Four dice and twenty are 24 to 44 a day, so that 46 always take two days.
    "planet.sector_distance='23'",
    "rules.travel.home_dice=0",
)
BOAR = '\n[[ingredients]]\nid = "boar"\nkind = "meat"\nreserve = 400_000_000_000\n'
WIND = table("terrain", 'effect = "progress", amount = 20')


@pytest.mark.rule("MOVE-2", "MOVE-3", "DAY-1", "ACT-2", "ACT-3", "SURV-2", "SURV-3")
def test_a_full_trip_goes_out_gathers_and_comes_home() -> None:
    told = tell(5, "missions.gather.day_limit=2")
    assert told.lines("place", "sector", "taken", "ate_rations", "situation", "reason", "delivered",
                      "rations", "covered", "days_away") == [
        "1 team.departed rations={'berry': 12}",
        "1 team.moved place=r1",
        "1 team.arrived sector=r1/s2",
        "2 sector.claimed sector=r1/s2",
        "2 team.endured place=r1/s2 ate_rations={'berry': 3} situation=97",
        "2 team.gathered place=r1/s2 taken={'berry': 3}",
        "3 team.endured place=r1/s2 ate_rations={'berry': 3} situation=94",
        "3 team.gathered place=r1/s2 taken={'berry': 3}",
        "3 team.turned_back place=r1/s2 reason=day_limit covered=4.0",
        "4 team.endured place=r1/s2 ate_rations={'berry': 3} situation=91",
        "4 team.moved place=r1",
        "4 team.returned delivered={'berry': 6} rations={'berry': 3} days_away=4",
        "5 team.rested",
    ]  # fmt: skip
    assert told.colony.store == [1000 - 12 + 6 + 3]


@pytest.mark.rule("DAY-1", "FAT-5", "FAT-6")
def test_the_day_of_leaving_tires_but_is_fed_by_the_colony() -> None:
    told = tell(1)
    assert not told.all("team.endured")
    assert told.team.efficiency == 95
    assert [each.stamina for each in told.team.members] == [90, 90, 90]
    assert told.team.situation == 100
    assert told.team.rations == [12]


@pytest.mark.rule("FAT-5", "ACT-1")
def test_each_further_activity_of_a_day_tires_by_five_more() -> None:
    told = tell(1, 'missions.gather.outbound=["gather", "research"]', "planet.sector_distance='60'")
    assert [each.stamina for each in told.team.members] == [80, 80, 80]
    told = tell(2, 'missions.gather.on_site=["gather", "research"]')
    assert [each.stamina for each in told.team.members] == [75, 75, 75]


@pytest.mark.rule("MOVE-2")
def test_arriving_waits_for_the_next_day_and_the_surplus_is_lost() -> None:
    told = tell(2)
    assert told.one("team.moved", heading="out")["travelled"] == 4
    assert told.one("team.arrived")["day"] == 1
    assert [each["day"] for each in told.all("team.gathered")] == [2]


@pytest.mark.rule("MOVE-1", "MOVE-2", "MOVE-3")
def test_a_long_way_takes_the_days_that_its_progress_adds_up_to() -> None:
    told = tell(7, *TWO_DAYS, "missions.gather.day_limit=1", more=WIND)
    out = told.all("team.moved", heading="out")
    back = told.all("team.moved", heading="home")
    assert [each["day"] for each in out] == [1, 2]
    assert [each["day"] for each in back] == [4, 5]
    assert all(24 <= each["progress"] <= 44 for each in out + back)
    assert [each["travelled"] for each in out] == [out[0]["progress"], 46]
    assert [each["travelled"] for each in back] == [back[0]["progress"], 46]
    assert [each["distance"] for each in out + back] == [46] * 4
    assert told.one("team.returned")["day"] == 5


@pytest.mark.rule("MOVE-1", "ACT-1")
def test_progress_is_shared_among_the_activities_and_keeps_its_fraction() -> None:
    far = "planet.sector_distance='900'"
    alone = tell(1, far).one("team.moved")["progress"]
    for others in (1, 2):
        activities = ["research", "gather"][:others]
        told = tell(1, far, f"missions.gather.outbound={activities}")
        assert told.one("team.moved")["progress"] == pytest.approx(alone / (1 + others))
    parts = {
        tell(1, far, 'missions.gather.outbound=["gather"]', seed=seed).one("team.moved")["progress"]
        % 1
        for seed in range(12)
    }
    assert parts == {0.0, 0.5}
    half = Told(scenario(far, 'missions.gather.outbound=["gather", "research"]')).days(4)
    made = [each["progress"] for each in half.all("team.moved", heading="out")]
    assert half.all("team.moved", heading="out")[-1]["travelled"] == pytest.approx(sum(made))
    assert any(each % 1 for each in made)


@pytest.mark.rule("MOVE-3")
def test_the_way_home_has_one_die_more() -> None:
    of = scenario("planet.sector_distance='900'", "rules.activities.retreat_margin=100")
    out: list[float] = []
    home: list[float] = []
    for seed in range(200):
        told = Told(of, seed=seed).days(2)
        out.append(told.one("team.moved", heading="out")["progress"])
        home.append(told.one("team.moved", heading="home")["progress"])
    assert min(out) >= 4
    assert max(out) <= 24
    # Means 14 and 17.5; standard errors of 200 sums of four and five dice are 0.24 and 0.27.
    assert sum(out) / 200 == pytest.approx(14, abs=1.0)
    assert sum(home) / 200 == pytest.approx(17.5, abs=1.1)


@pytest.mark.rule("MOVE-3", "ACT-3")
def test_a_team_that_turns_back_half_way_has_only_the_way_it_covered_before_it() -> None:
    told = tell(
        2, "planet.sector_distance='900'", "rules.activities.retreat_margin=100",
        "rules.travel.home_dice=9",
    )  # fmt: skip
    out = told.one("team.moved", heading="out")
    turned = told.one("team.turned_back")
    home = told.all("team.moved", heading="home")
    assert turned["day"] == 1
    assert (turned["reason"], turned["place"]) == ("situation", "r1")
    assert turned["covered"] == out["progress"] == home[0]["distance"]
    returned = told.one("team.returned")
    assert home[-1]["travelled"] == out["progress"]
    assert returned["day"] == home[-1]["day"]
    assert returned["experience"] == 0, "a mission given up teaches nothing"


@pytest.mark.rule("ACT-3")
def test_a_team_turns_back_exactly_when_situation_no_longer_covers_the_way_home() -> None:
    # 4 of way at 17.5 a day are 0.2286 days: 20 + 10 + 12 * 0.2286 = 32.7; Situation falls by 33
    # a day: 100, 67, 34, 1.
    falls = ("rules.survival.drain=45", "missions.gather.day_limit=90",
             "missions.gather.target_successes=99")  # fmt: skip
    told = tell(4, *falls)
    assert [each["situation"] for each in told.all("team.endured")] == [67, 34, 1]
    assert told.one("team.turned_back")["day"] == 4
    for margin, day in ((11.2, 4), (11.3, 3)):
        told = tell(4, *falls, f"rules.activities.retreat_margin={margin}")
        assert told.one("team.turned_back", reason="situation")["day"] == day


@pytest.mark.rule("ACT-3")
def test_expected_days_home_count_what_is_done_on_the_way_home() -> None:
    falls = ("rules.survival.drain=45", "missions.gather.day_limit=90",
             "rules.activities.retreat_margin=10.0")  # fmt: skip
    # Halved progress makes 0.457 days of it: 20 + 10 + 12 * 0.457 = 35.5, and 34 is below.
    told = tell(4, *falls, 'missions.gather.homeward=["gather"]')
    assert told.one("team.turned_back", reason="situation")["day"] == 3


@pytest.mark.rule("ACT-3")
@pytest.mark.parametrize(
    ("sets", "day", "reason"),
    [
        ((), 4, "day_limit"),
        (("missions.gather.day_limit=1",), 2, "day_limit"),
        (("rules.activities.day_limit=2",), 3, "day_limit"),
        (("missions.gather.target_units=6",), 3, "target_reached"),
        (("missions.gather.target_units=7",), 4, "target_reached"),
        (("ingredients[0].unit_weight=35",), 2, "full"),
        (("rules.gathering.presence.common=0.0",), 2, "idle"),
        (("rules.gathering.presence.common=0.0", "rules.activities.idle_days=2"), 3, "idle"),
        (("rules.gathering.presence.common=0.0", "rules.activities.idle_days=9"), 4, "day_limit"),
    ],
)  # fmt: skip
def test_a_mission_ends_on(sets: tuple[str, ...], day: int, reason: str) -> None:
    told = tell(6, *sets)
    turned = told.one("team.turned_back")
    assert (turned["day"], turned["reason"]) == (day, reason)
    returned = told.one("team.returned")
    assert returned["day"] == day + 1
    assert returned["experience"] == 1


@pytest.mark.rule("ACT-3", "ACT-4")
@pytest.mark.parametrize("mission", ["research", "construct"])
def test_a_mission_ends_on_its_target_of_successes(mission: str) -> None:
    colonies = HOME + team(mission=mission, profile="scouting", skill=60)
    told = tell(5, f"missions.{mission}.target_successes=6", "planet.sector_distance='1'",
                colonies=colonies)  # fmt: skip
    assert [each["successes"] for each in told.events if "successes" in each
            and each["event"] != "team.endured"] == [3, 3]  # fmt: skip
    turned = told.one("team.turned_back")
    assert (turned["day"], turned["reason"]) == (3, "target_reached")
    assert getattr(told.colony, {"construct": "construction"}.get(mission, mission)) == 6


@pytest.mark.rule("ACT-3")
def test_a_day_with_yield_starts_the_count_of_idle_days_anew() -> None:
    lengths: set[int] = set()
    for seed in range(8):
        told = tell(
            30, "rules.gathering.presence.common=0.6", "rules.activities.idle_days=2",
            "missions.gather.day_limit=90", "rules.survival.drain=0", seed=seed,
        )  # fmt: skip
        turned = told.all("team.turned_back")[0]
        gained = [sum(each["taken"].values()) for each in told.all("team.gathered")
                  if each["seq"] < turned["seq"]]  # fmt: skip
        assert turned["reason"] == "idle"
        assert gained[-2:] == [0, 0]
        assert all(a or b for a, b in pairwise(gained[:-1]))
        lengths.add(len(gained))
    assert max(lengths) > 3


@pytest.mark.rule("ACT-2")
def test_patrols_hold_their_sector_without_being_idle() -> None:
    told = tell(5, colonies=HOME + team(mission="patrol"))
    assert [each["day"] for each in told.all("team.waited")] == [2, 3, 4]
    assert told.one("team.turned_back")["reason"] == "day_limit"


@pytest.mark.rule("ACT-2", "RES-3", "ACT-1", "TEAM-5")
def test_gathering_on_the_way_is_harder_halves_the_limit_and_draws_on_the_region() -> None:
    # Difficulty 1 always succeeds, 2 with the extra activity does not.
    told = tell(3, 'missions.gather.outbound=["gather"]', level="debug")
    on_the_way, on_site = told.all("team.gathered")[:2]
    assert (on_the_way["day"], on_the_way["place"], on_the_way["pool"]) == (1, "r1", "transition")
    assert (on_site["day"], on_site["place"], on_site["pool"]) == (2, "r1/s2", "sector")
    for gathered, difficulty in ((on_the_way, 2), (on_site, 1)):
        rolls = told.all("dice.rolled", of=gathered["seq"])
        total = next(each for each in rolls if each["rule"] == "GATH-1")
        assert total["pool"] == "6d6"
        assert gathered["gathering_limit"] == total["result"] // difficulty
        tests = [each for each in rolls if each["rule"] in {"GATH-5", "GATH-6"}]
        assert tests
        assert {each["difficulty"] for each in tests} == {difficulty}
    ground = told.sim.world.reserves
    for place in (0, 2):
        assert ground.left[place][0] < ground.initial[place][0]
    assert ground.left[1] == ground.initial[1]


@pytest.mark.rule("ACT-2", "MOVE-2", "DAY-1")
def test_a_team_gathers_on_the_day_of_arrival_too_after_it_has_moved() -> None:
    told = tell(4, 'missions.gather.outbound=["gather"]', 'missions.gather.homeward=["gather"]',
                "missions.gather.day_limit=1")  # fmt: skip
    assert told.lines("pool", without=("team.endured", "weather.changed")) == [
        "1 team.departed", "1 team.moved", "1 team.gathered pool=transition", "1 team.arrived",
        "2 sector.claimed",
        "2 team.gathered pool=sector", "2 team.turned_back",
        "3 team.moved", "3 team.gathered pool=transition", "3 team.returned",
        "4 team.rested",
    ]  # fmt: skip
    moved, gathered, arrived = told.all("team.moved", "team.gathered", "team.arrived")[:3]
    assert moved["t"] == gathered["t"] == arrived["t"] > 0


@pytest.mark.rule("RES-3", "MOVE-5")
def test_a_team_on_its_way_draws_on_the_region_where_the_day_ended() -> None:
    # r1 to r2: 23 + 2/2 in r1, the rest of 48 in r2; a day is 24 to 44.
    two = ("planet.regions=2", "planet.sectors_per_region=1", "planet.sector_distance='23'",
           'colonies[0].targets=["r2/s1"]', 'missions.gather.outbound=["gather"]',
           'missions.gather.homeward=["gather"]', "missions.gather.day_limit=1",
           "rules.travel.home_dice=0")  # fmt: skip
    push = table("terrain", 'effect = "progress", amount = 20')
    told = tell(8, *two, more=push)
    moves = told.all("team.moved")
    for moved in moves:
        at = moved["travelled"]
        from_home = at if moved["heading"] == "out" else 48 - at
        assert moved["place"] == ("r1" if from_home < 24 else "r2")
        assert told.one("team.gathered", cause=moved["cause"], day=moved["day"],
                        pool="transition")["place"] == moved["place"]  # fmt: skip
    assert {each["place"] for each in moves} == {"r1", "r2"}
    assert moves[-1]["place"] == "r1", "the day of coming home ends in the colony's region"


@pytest.mark.rule("ACT-2")
def test_hunters_take_wildlife_kinds_only() -> None:
    boar = '\n[[ingredients]]\nid = "boar"\nkind = "meat"\nreserve = 400_000_000_000\n'
    fish = '\n[[ingredients]]\nid = "trout"\nkind = "fish"\nreserve = 400_000_000_000\n'
    berry = '\n[[ingredients]]\nid = "berry"\nkind = "fruit"\nreserve = 400_000_000_000\n'
    hunters = HOME + team(mission="hunt", profile="hunting", vehicles=9)
    told = tell(3, goods=berry + boar + fish, colonies=hunters, level="debug")
    for hunted in told.all("team.gathered"):
        assert hunted["activity"] == "hunt"
        assert set(hunted["taken"]) <= {"boar", "trout"}
    assert {kind for each in told.all("team.gathered") for kind in each["taken"]} == {
        "boar", "trout",
    }  # fmt: skip
    # A hunting team's two dice are for wildlife: 4d6 + 2d6 in Detection, none in Gathering.
    rolls = told.all("dice.rolled")
    assert {each["pool"] for each in rolls if each["rule"] == "GATH-5"} == {"6d6"}
    assert {each["pool"] for each in rolls if each["rule"] == "GATH-6"} == {"4d6"}


@pytest.mark.rule("MAP-2", "MOVE-5")
def test_a_distance_rolled_for_the_mission_is_shared_out_over_the_way() -> None:
    told = tell(
        1, 'planet.distance="per_mission"', 'planet.mission_distance="900"', "planet.regions=2",
        'colonies[0].targets=["r2/s1"]',
    )  # fmt: skip
    assert told.one("team.departed")["distance"] == 900
    # Edges 2, 2, 2 become 300 each; half of the middle one is in r1.
    assert told.team.trip.ends == [450, 900]


@pytest.mark.rule("RES-4", "GATH-10", "GATH-3")
@pytest.mark.parametrize(
    ("left", "modifier"),
    [(1.0, 0), (0.5, 0), (0.36, 0), (0.34, 1), (0.16, 1), (0.14, 2)],
)
def test_a_place_that_is_used_up_is_harder_and_offers_less(left: float, modifier: int) -> None:
    told = Told(
        scenario("rules.gathering.present_die=1", "rules.gathering.class_size.common=3"),
        level="debug", seed=4,
    )  # fmt: skip
    world = told.sim.world
    units = world.reserves.left[2][0]
    world.reserves.left[2][0] = int(units * left)
    world.ledger.lost[0] += units - int(units * left)
    told.days(1)
    for day in range(2, 5):
        told.days(1)
        rolls = [each for each in told.all("dice.rolled", day=day)
                 if each["rule"] in {"GATH-5", "GATH-6"} and each["how"] == "test"]  # fmt: skip
        assert {each["made_of"].get("abundance", 0) for each in rolls} <= {modifier}
        assert {each["difficulty"] for each in rolls} <= {1 + modifier}
        if told.team.status != "on_site":
            break
    assert told.all("dice.rolled", rule="GATH-3", how="chance", result=1) or left < 0.35


@pytest.mark.rule("RES-4")
def test_a_rich_place_is_easier_and_a_poor_one_harder() -> None:
    seen: dict[str, int] = {}
    for target in ("r1/s2", "r2/s1"):
        told = tell(
            2, "planet.regions=2", "planet.region_weights=[4.0, 1.0]",
            'rules.reserves.spread="given"', f'colonies[0].targets=["{target}"]',
            "rules.gathering.scale_base=4", level="debug",
        )  # fmt: skip
        roll = told.one("dice.rolled", rule="GATH-5")
        seen[target] = roll["difficulty"]
        assert roll["difficulty"] == 4 + roll["made_of"].get("abundance", 0)
    assert seen == {"r1/s2": 2, "r2/s1": 5}
