"""The shipped contest of three factions, watched over its year."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest
from frontier_watch import Watched

from worldsim.scenario import load
from worldsim.world.state import State, packed

HOME = {"at_colony", "disbanded"}


@cache
def year() -> Watched:
    """All of it, watched at every event; what is left at midnight of day 90 is noted."""
    scenario = load("contested_frontier")
    watched = Watched(scenario, scenario.campaign.seed)
    for _ in range(scenario.campaign.days):
        watched.day()
    return watched


@pytest.mark.rule("BAT-13", "BAT-18")
def test_nobody_is_ever_in_two_places_two_battles_or_two_states() -> None:
    watched = year()
    assert watched.looks > 10_000
    assert watched.over_midnight, "and battles that cross midnight are among them"


def test_a_round_is_fought_on_either_side_of_some_midnight() -> None:
    days: dict[tuple[int | None, str, str], set[int]] = {}
    for each in year().of("battle.round_fought"):
        days.setdefault((each.cause, each.attacker, each.defender), set()).add(each.day)
    assert any(len(each) > 1 for each in days.values())


@pytest.mark.rule("BAT-4", "BAT-6")
def test_a_year_has_tens_of_battles_ambushes_and_assaults() -> None:
    begun = year().of("battle.started")
    assert len(begun) >= 20
    assert sum(each.ambush for each in begun) >= 20
    assert sum(each.assault for each in begun) >= 20


def test_all_three_ways_of_meeting_happen() -> None:
    watched = year()
    home = watched.running.world.home
    pairs = {
        frozenset((home[each.attacker].faction, home[each.defender].faction))
        for each in watched.of("battle.started")
    }
    assert frozenset(("ember", "tide")) in pairs
    assert frozenset(("tide", "grove")) not in pairs
    assert watched.of("team.slipped_away")


def test_each_faction_has_a_team_able_to_leave_on_day_90() -> None:
    left: dict[str, set[int]] = {}
    home = year().running.world.home
    for each in year().of("team.departed"):
        left.setdefault(home[each.team].faction, set()).add(each.day)
    assert set(left) == {"ember", "tide", "grove"}
    for faction, days in left.items():
        assert any(90 <= day < 104 for day in days), faction


@pytest.mark.rule("BAT-17")
def test_control_told_by_the_journal_is_control_in_the_world() -> None:
    watched = year()
    told: dict[str, str] = {}
    for each in watched.of("sector.claimed"):
        assert told.get(each.sector) == each.taken_from
        assert each.faction != each.taken_from
        told[each.sector] = each.faction
    control = watched.running.world.contests.control
    assert told == {sector: held.faction for sector, held in control.items()}


@pytest.mark.rule("BAT-14")
def test_losers_lose_half_and_are_home_again_or_lost_on_the_way() -> None:
    watched = year()
    loser_of = [each.loser for each in watched.of("battle.ended")]
    assert len(set(loser_of)) >= 5
    assert any(each.lost for each in watched.of("battle.ended"))
    assert watched.of("card.recovered")


def test_the_state_of_any_midnight_is_read_back_as_it_was_written() -> None:
    scenario = load("contested_frontier")
    watched = Watched(scenario, scenario.campaign.seed)
    decoder = msgspec.msgpack.Decoder(State)
    in_battle = 0
    for _ in range(90):
        watched.day()
        sim = watched.running
        written = packed(sim.world, sim.journal.seq)
        read = decoder.decode(written)
        assert msgspec.msgpack.encode(read) == written
        in_battle += bool(read.contests.battles)
    assert in_battle
