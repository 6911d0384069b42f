"""The smallest campaign there is: real world, real journal, and a made-up day."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

from worldsim.chance import Chance
from worldsim.events import kinds
from worldsim.events.journal import Journal
from worldsim.scenario import load_text
from worldsim.world.build import build
from worldsim.world.world import HOWS, NO_INGREDIENT

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from worldsim.scenario import Scenario

TOY = """
schema = 1
[campaign]
name = "toy"
days = 10
seed = 3
[planet]
regions = 2
sectors_per_region = 2
[[ingredients]]
id = "wood"
kind = "wood"
reserve = 60
[[ingredients]]
id = "berry"
kind = "fruit"
reserve = 9
[[colonies]]
id = "red"
[[colonies.teams]]
id = "one"
crew = {}
[[colonies.teams]]
id = "two"
crew = {}
[rules.travel]
tables = []
[record]
segment_days = 4
teams_every_days = 3
"""


def toy(*sets: str) -> Scenario:
    return load_text(TOY, sets=sets)


class ToySimulation:
    """Every day each team takes one unit of something; the second team dies on day 6."""

    def __init__(
        self,
        scenario: Scenario,
        *,
        seed: int,
        write: Callable[[bytes], None],
        level: kinds.Level | None,
        on_event: Callable[[kinds.Event | kinds.DiceRolled], None] | None,
        state: bytes | None = None,
        before: Scenario | None = None,
    ) -> None:
        assert state is None, "a toy is never gone on with"
        assert before is None
        self._chance = Chance(seed)
        self.world = build(scenario, self._chance)
        self.journal = Journal(write, level=level or "info", on_event=on_event)
        self.journal.day = 0
        self._start = self.journal.record(
            kinds.CampaignStarted, cause=None, campaign="toy", seed=seed, digest="0"
        )
        self.journal.turn_to(0)
        self.journal.flush()
        self.day = 0

    def advance(self) -> None:
        self.day += 1
        self.journal.turn_to((self.day - 1) * 1440 + 60)
        for team in self.world.teams:
            if team.status != "gone":
                self._work(team.id)
        if self.day == 6:
            self._perish()
        self.journal.flush()

    def _work(self, team: str) -> None:
        world, record = self.world, self.journal.record
        draws = self._chance.at("toy", team, self.day)
        cells = [
            (p, i) for p, row in enumerate(world.reserves.left) for i, n in enumerate(row) if n
        ]
        p, i = cells[int(next(draws) * len(cells))]
        world.reserves.take(p, i, 1)
        place, ingredient = world.places[p].id, world.ingredients[i]
        left = record(
            kinds.TeamDeparted, cause=self._start, team=team, mission="gather", target=place,
            policy="nearest", distance=1.5, rations={},
        )  # fmt: skip
        self.journal.roll(
            left, 0, rule="DICE-5", how="test", pool="2d6", difficulty=4, made_of={}, draw=0.5,
            faces=[1, 6], result=1,
        )  # fmt: skip
        number = [each.id for each in world.teams].index(team)
        mission, gather = list(world.scenario.missions).index("gather"), HOWS.index("gather")
        world.takings += [self.day, number, mission, gather, p, NO_INGREDIENT, 0, 7]
        world.takings += [self.day, number, mission, gather, p, i, 1, 0]
        if not world.reserves.left[p][i]:
            record(kinds.ReserveDepleted, cause=left, place=place, ingredient=ingredient)
        record(
            kinds.TeamReturned, cause=left, team=team, colony="red", delivered={ingredient: 1},
            rations={}, days_away=1, experience=0,
        )  # fmt: skip

    def _perish(self) -> None:
        team = self.world.teams[1]
        team.status = "gone"
        lost = self.journal.record(
            kinds.TeamLost, cause=None, team=team.id, place=team.place, reason="situation"
        )
        self.journal.record(
            kinds.TeamPerished, cause=lost, team=team.id, place=team.place, reason="never_found",
            lost={},
        )  # fmt: skip

    def turn(self, turn: object) -> None:
        raise AssertionError(turn)

    def stopped(self) -> str | None:
        return None

    def state(self) -> bytes:
        return json.dumps(self.world.reserves.left).encode()


def files(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
