"""The books: every unit is somewhere, at every midnight, and a run that loses one stops."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from stories import BERRY, HOME, ORE, Told, scenario, table, team

from worldsim.world.ledger import UnbalancedError

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.mark.rule("RES-6")
@pytest.mark.parametrize(
    ("account", "tamper"),
    [
        ("ground", lambda world: world.reserves.left[2].__setitem__(0, 0)),
        ("stored", lambda world: world.colonies[0].store.__setitem__(0, 7)),
        ("carried", lambda world: world.teams[0].cargo.__setitem__(0, 900)),
        ("eaten", lambda world: world.ledger.eaten.__setitem__(0, 900)),
        ("lost", lambda world: world.ledger.lost.__setitem__(0, 900)),
        ("regrown", lambda world: world.ledger.regrown.__setitem__(0, 900)),
    ],
)
def test_a_unit_that_appears_or_vanishes_stops_the_run_at_midnight(
    account: str, tamper: Callable[[object], None]
) -> None:
    told = Told(scenario(goods=BERRY + ORE)).days(3)
    tamper(told.sim.world)
    with pytest.raises(UnbalancedError) as caught:
        told.days(1)
    assert "end of day 4" in str(caught.value)
    assert account in str(caught.value)
    assert "berry: " in str(caught.value)
    assert "ore: " not in str(caught.value), "only accounts that differ are listed"
    assert caught.value.exit_code == 3


@pytest.mark.rule("RES-6", "RES-1", "RES-2")
@pytest.mark.parametrize("seed", range(4))
def test_the_books_balance_at_every_midnight_of_a_busy_world(seed: int) -> None:
    goods = "".join(
        f'\n[[ingredients]]\nid = "i{n}"\nkind = "{kind}"\nrarity = "{rarity}"\n'
        f"reserve = {reserve}\nregrowth = {0.3 * (n % 2)}\n"
        f"stealth = {90 * n}\nfragility = {80 * n}\n"
        for n, (kind, rarity, reserve) in enumerate(
            [("meat", "common", 301), ("fruit", "uncommon", 77), ("metal", "rare", 11),
             ("cargo", "common", 45), ("herb", "epic", 3)]
        )
    )  # fmt: skip
    befalls = (
        table("terrain", 'effect = "find", units = 2', 'effect = "lose_cargo", share = 0.2')
        + table("average_mishap", 'effect = "lose_cargo", share = 0.5')
        + '\n[[wildlife]]\nid = "bear"\nstrength = 3\n'
    )
    colonies = HOME.replace("berry", "i0").replace('targets = ["r1/s2"]', "") + "".join(
        team(name, mission=mission, skill=skill)
        for name, mission, skill in (("a", "gather", 45), ("b", "hunt", 50), ("c", "gather", 15))
    )
    told = Told(
        scenario(
            "planet.regions=3", "planet.sectors_per_region=3",
            "planet.landscapes.meadow.wildlife=0.2", "planet.landscapes.meadow.difficulty=4",
            "rules.survival.upkeep=true",
            'missions.gather.outbound=["gather"]', 'rules.gathering.failed_unit="destroyed"',
            goods=goods, more=befalls, colonies=colonies,
        ),
        seed=seed,
    )  # fmt: skip
    founded = [sum(row[i] for row in told.sim.world.reserves.initial) for i in range(5)]
    assert founded == [301, 77, 11, 45, 3], "no unit is lost to rounding"
    told.days(120)
    ledger = told.sim.world.ledger
    assert sum(ledger.eaten) > 0
    assert sum(ledger.lost) > 0
    assert sum(ledger.regrown) > 0
