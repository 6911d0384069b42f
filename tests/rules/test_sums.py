"""Floats are added up alike by every Python: its versions differ in their ``sum`` of them.

Ten tenths are 1 exactly where they are added up well, and a little less by ``sum`` up to 3.11.
"""

from __future__ import annotations

from worldsim.processes.befalls import cumulative
from worldsim.rules.abundance import shared_out
from worldsim.rules.travel import scaled
from worldsim.scenario.options import Weather
from worldsim.world.atlas import Route
from worldsim.world.weather import Climate

TENTHS = [0.1] * 10


def test_the_length_of_a_way() -> None:
    assert Route(tuple(TENTHS), ()).distance == 1


def test_the_stretches_of_a_way_whose_length_is_rolled() -> None:
    assert scaled(TENTHS, 1.0) == TENTHS


def test_where_the_shares_of_an_event_table_end() -> None:
    assert cumulative(TENTHS)[0] == 0.1


def test_units_shared_out_by_weight() -> None:
    assert shared_out(10, TENTHS) == [1] * 10


def test_the_chances_of_the_weathers() -> None:
    climate = Climate({f"w{n}": Weather(weight=0.1, difficulty=n) for n in range(10)})
    assert climate._cuts[0] == 0.1
