"""Compiles the hot modules when a wheel is built, from the same plain source.

Without mypyc, without a C compiler, on any failure, or with WORLDSIM_COMPILE=0 the wheel is plain:
it does the same, only slower. The plain ``.py`` files are in the wheel either way. Compiling
happens in a copy, since a compiled file beside its source would shadow later edits.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

COMPILED = (
    "chance.py",
    "events/journal.py",
    "processes/away_team.py",
    "processes/befalls.py",
    "processes/calendar.py",
    "processes/colony.py",
    "processes/contest.py",
    "processes/context.py",
    "processes/departure.py",
    "processes/gathering.py",
    "processes/harm.py",
    "processes/office.py",
    "processes/roster.py",
    "processes/survival.py",
    "rules/abundance.py",
    "rules/activities.py",
    "rules/characters.py",
    "rules/contest.py",
    "rules/day.py",
    "rules/dice.py",
    "rules/fatigue.py",
    "rules/gathering.py",
    "rules/survival.py",
    "rules/teams.py",
    "rules/travel.py",
    "runs/recorder.py",
    "world/colonies.py",
    "world/ledger.py",
    "world/people.py",
    "world/reserves.py",
    "world/rulebook.py",
    "world/teams.py",
    "world/weather.py",
    "world/world.py",
)
"""What the profile names; the rest is called too seldom to matter.

None of these may inherit from a class of another library: the library is not there while a wheel
is built, and mypyc would take the class for one of its own. Nor may ``world/contests.py`` be one:
of the annotation ``dict[str, Control]``, by which msgspec restores a checkpoint, mypyc keeps the
``dict``.
"""

# A fused multiply-add would round differently from the plain build, and runs would differ. The
# other two, and -O2, let the C compiler put small functions into their callers: 7 % of a day.
C_FLAGS = "-ffp-contract=off -fvisibility=hidden -fno-semantic-interposition"
SETUP = """
from mypyc.build import mypycify
from setuptools import setup

setup(
    name="worldsim",
    ext_modules=mypycify(
        ["--ignore-missing-imports", "--follow-imports=silent", *{modules!r}],
        opt_level="2",
        debug_level="0",
    ),
)
"""


class CompileHook(BuildHookInterface):  # type: ignore[type-arg]
    """hatchling's hook: adds the compiled modules to the wheel, if they can be made."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile for an ordinary wheel; an editable install and an sdist stay plain."""
        if version == "editable" or os.environ.get("WORLDSIM_COMPILE") == "0":
            return
        self._scratch = Path(tempfile.mkdtemp(prefix="worldsim-build-"))
        try:
            made = compile_in(self._scratch, Path(self.root) / "worldsim")
        except (OSError, subprocess.CalledProcessError) as fault:
            self.app.display_warning(f"not compiled, the wheel is plain: {fault}")
            return
        for file in made:
            build_data["force_include"][str(file)] = str(file.relative_to(self._scratch))
        build_data["pure_python"] = False
        build_data["infer_tag"] = True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the copy in which was compiled."""
        del version, build_data, artifact_path
        if hasattr(self, "_scratch"):
            shutil.rmtree(self._scratch, ignore_errors=True)


def compile_in(scratch: Path, package: Path) -> list[Path]:
    """Compile a copy of the package.

    Args:
        scratch: An empty folder, which will hold the copy and the compiled modules.
        package: The folder ``worldsim``.

    Returns:
        The compiled modules, each where it belongs under ``scratch``.

    Raises:
        subprocess.CalledProcessError: mypyc or the C compiler is missing, or failed.
    """
    shutil.copytree(package, scratch / "worldsim", ignore=shutil.ignore_patterns("__pycache__"))
    modules = [f"worldsim/{module}" for module in COMPILED]
    (scratch / "setup.py").write_text(SETUP.format(modules=modules))
    subprocess.run(
        [sys.executable, "setup.py", "-q", "build_ext", "--inplace"],
        check=True,
        cwd=scratch,
        env=os.environ | {"CFLAGS": f"{os.environ.get('CFLAGS', '')} {C_FLAGS}".strip()},
        capture_output=True,
    )
    return sorted([*scratch.glob("*.so"), *scratch.glob("worldsim/**/*.so"),
                   *scratch.glob("*.pyd"), *scratch.glob("worldsim/**/*.pyd")])  # fmt: skip
