"""(e) The command's start, and the smallest run against the import of its libraries."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from typing import TYPE_CHECKING

from benching.children import environment
from benching.plan import Measured

if TYPE_CHECKING:
    from benching.plan import Plan

PYTHON = sys.executable
# Several libraries load their parts when first used, so what a run imports is asked of a run.
LIST_LIBRARIES = """
import contextlib, io, sys
from worldsim.cli.main import main
sys.argv = ["worldsim", "run", "lone_colony"]
with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
    main()
print(*[name for name, module in list(sys.modules.items())
        if "site-packages" in (getattr(module, "__file__", None) or "")])
"""
IMPORT_LIBRARIES = """
import importlib, sys
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except Exception:
        pass  # a part that only its own library can import
"""


def startup(plan: Plan) -> Measured:
    """CPU and wall seconds of some commands, in turn."""
    env = environment(plan.source)
    command = [PYTHON, "-m", "worldsim"]
    commands = {
        "--version": [*command, "--version"],
        "--help": [*command, "--help"],
        "import libraries": [PYTHON, "-c", IMPORT_LIBRARIES, *_libraries(env)],
        "run lone_colony": [*command, "run", "lone_colony"],
    }
    cpu: dict[str, list[float]] = {name: [] for name in commands}
    wall: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(3 if plan.quick else 9):
        for name, call in commands.items():
            begun = time.perf_counter()
            cpu[name].append(_child_cpu(call, env))
            wall[name].append(time.perf_counter() - begun)
    rows = {
        name: {
            "cpu_s": statistics.median(cpu[name]),
            "wall_s": statistics.median(wall[name]),
            "least_wall_s": min(wall[name]),  # the others waited for somebody else's work
        }
        for name in commands
    }
    pairs = zip(cpu["run lone_colony"], cpu["import libraries"], strict=True)
    rows["ratio"] = {"run / import": statistics.median(a / b for a, b in pairs)}
    return Measured(rows)


def _libraries(env: dict[str, str]) -> list[str]:
    """The modules of other libraries that a run imports."""
    with tempfile.TemporaryDirectory() as folder:
        asked = subprocess.run(
            [PYTHON, "-c", LIST_LIBRARIES],
            check=True,
            capture_output=True,
            text=True,
            cwd=folder,
            env=env,
        )
    return [name for name in asked.stdout.split() if not name.startswith("worldsim")]


def _child_cpu(command: list[str], env: dict[str, str]) -> float:
    """CPU seconds of a command, started in an empty folder."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(command, check=True, capture_output=True, cwd=folder, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
