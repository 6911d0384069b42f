"""Questions to a run that several threads ask at once."""

from __future__ import annotations

from threading import Thread
from time import sleep
from typing import TYPE_CHECKING

import pytest

from worldsim.runs import simulate
from worldsim.runs.asking import Asker
from worldsim.runs.duck import QueryError
from worldsim.runs.reading import Run
from worldsim.scenario import load

if TYPE_CHECKING:
    from pathlib import Path

LONG = "SELECT count(*) FROM range(100000000000) AS far(a) WHERE a % 7 = 3"


@pytest.fixture(scope="module", name="folder")
def _folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("asked") / "run"
    simulate(load("lone_colony"), days=5, out=folder)
    return folder


@pytest.mark.parametrize("wait", [0.0, 0.05, 0.3])
def test_who_is_asked_can_be_closed_and_every_question_ends(folder: Path, wait: float) -> None:
    asker = Asker(Run.open(folder))
    ended: list[QueryError] = []

    def ask() -> None:
        try:
            asker.ask(LONG, within_s=60)
        except QueryError as error:
            ended.append(error)

    askers = [Thread(target=ask, daemon=True) for _ in range(3)]
    for each in askers:
        each.start()
    sleep(wait)
    asker.close()
    for each in askers:
        each.join(20)
        assert not each.is_alive()
    assert len(ended) == len(askers)
    with pytest.raises(QueryError):
        asker.ask("SELECT 1")


def test_a_question_that_failed_is_no_hindrance_to_the_next_or_to_closing(folder: Path) -> None:
    asker = Asker(Run.open(folder))
    with pytest.raises(QueryError):
        asker.ask("SELECT nothing_of_the_kind FROM events")
    assert asker.ask("SELECT count(*) FROM events").rows[0][0] > 0
    asker.close()
