"""The map of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from worldsim.runs.reading import Run
    from worldsim.world.atlas import Atlas


def atlas_of_run(run: Run) -> Atlas:
    """The map that a run was simulated on: made again from its scenario and seed.

    Raises:
        WorldsimError: its scenario is damaged.
    """
    from worldsim.processes.maps import atlas_of  # noqa: PLC0415  # loads networkx and numpy

    return atlas_of(run.scenario, run.manifest.seed)
