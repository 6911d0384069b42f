"""Small runs of every sort: finished, stopped, killed, compressed, branched; and forged ones."""

from __future__ import annotations

import shutil
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from small_runs import SMALL

from worldsim.events.kinds import TeamGathered
from worldsim.runs import Run, open_branch, open_campaign, simulate
from worldsim.runs import manifest as manifests
from worldsim.runs.driver import drive
from worldsim.runs.manifest import MANIFEST
from worldsim.runs.pruning import compress_run
from worldsim.scenario import load_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from worldsim.events.kinds import DiceRolled, Event, Level
    from worldsim.scenario import Scenario

DAYS = 12
SEGMENT_DAYS = 4
SETS = (f"campaign.days={DAYS}", f"record.segment_days={SEGMENT_DAYS}")


@cache
def brief(level: Level = "info") -> Scenario:
    return load_text(SMALL, sets=[*SETS, f'record.level="{level}"'])


def finished(out: Path, level: Level = "info") -> Path:
    simulate(brief(level), out=out, checkpoint_days=3)
    return out


def interrupted(out: Path) -> Path:
    """Stopped after day 10: the last part is open, and told of."""
    days: list[int] = []
    simulate(
        brief(), out=out, checkpoint_days=3, on_day=lambda day, _: days.append(day),
        stop=lambda: days[-1] == 10,
    )  # fmt: skip
    return out


def killed(out: Path) -> Path:
    """As its files are if the process dies on day 11: the last segment is live, its end torn."""
    begun = out.with_name(f"{out.name}_begun")
    with open_campaign(brief(), out=begun, checkpoint_days=3) as campaign:
        for _ in range(10):
            campaign.step()
        shutil.copytree(begun, out, ignore=shutil.ignore_patterns(".lock"))
    with (out / "events" / "000003.jsonl").open("ab") as file:
        rest = (begun / "events" / "000003.jsonl").read_bytes()[file.tell() :]
        file.write(rest[: rest.rindex(b"\n") - 20])
    shutil.rmtree(begun)
    return out


def failed(out: Path) -> Path:
    """As it is left by an error in the middle of day 11, of which the log tells already."""

    def on_event(event: Event | DiceRolled) -> None:
        if event.day == DAYS - 1 and isinstance(event, TeamGathered):
            raise RuntimeError("the first haul of the day")

    with suppress(RuntimeError):
        simulate(brief(), out=out, checkpoint_days=3, on_event=on_event)
    return out


def compressed(out: Path) -> Path:
    assert compress_run(finished(out)) > 0
    return out


def branched(out: Path) -> Path:
    """A branch at day 5; its parent is gone."""
    parent = finished(out.with_name(f"{out.name}_parent"))
    run = Run.open(parent)
    drive(open_branch(run, brief(), at=5, stocks={"r1": {"wood": 1}}, out=out, checkpoint_days=3))
    shutil.rmtree(parent)
    return out


MADE = {
    "finished": finished,
    "interrupted": interrupted,
    "killed": killed,
    "failed": failed,
    "compressed": compressed,
    "branched": branched,
}


def forge(run: Path, change: Callable[[dict[str, Any]], None]) -> None:
    """Change the manifest, and let it fit its checksum."""
    plain = msgspec.json.decode((run / MANIFEST).read_bytes())
    change(plain)
    plain["checksum"] = manifests._checksum(plain)
    (run / MANIFEST).write_bytes(msgspec.json.format(msgspec.json.encode(plain), indent=2) + b"\n")


def forge_file(run: Path, path: str, data: bytes, name: str | None = None) -> None:
    """Put something else in the place of a file that the manifest tells of."""
    (run / path).unlink()
    (run / (name or path)).write_bytes(data)

    def tell(plain: dict[str, Any]) -> None:
        for part in (*plain["parts"], *plain["open_parts"], *plain["checkpoints"]):
            if part["path"] == path:
                told = manifests.part_of(name or path, data)
                part |= {"path": told.path, "bytes": told.bytes, "sha256": told.sha256}

    forge(run, tell)
