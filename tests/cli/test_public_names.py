"""What ``import worldsim`` offers."""

from __future__ import annotations

import pytest

import worldsim as ws


def test_every_public_name_is_there() -> None:
    assert dir(ws) == sorted(ws.__all__)
    for name in ws.__all__:
        assert getattr(ws, name) is not None


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        ws.no_such_name  # noqa: B018 -- looking is the test


def test_a_campaign_is_simulated_read_and_stepped_from_python() -> None:
    scenario = ws.load("lone_colony")
    run = ws.simulate(scenario, seed=7, days=5)
    with ws.open_campaign(scenario, seed=7, days=5) as campaign:
        assert list(campaign) == [1, 2, 3, 4, 5]
    assert list(campaign.run.lines()) == list(run.lines())
    assert run.events("team.departed").fetchall()
