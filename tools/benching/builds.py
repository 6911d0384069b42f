"""Sources to measure: this checkout compiled, or a revision of it in a folder of its own."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING

from benching.plan import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

COMPILE = """
import sys
from pathlib import Path
scratch, root = map(Path, sys.argv[1:])
sys.path.insert(0, str(root / "tools"))
from build_hook import compile_in
if not compile_in(scratch, root / "worldsim"):
    sys.exit("nothing was compiled")
"""


class NoSuchRevisionError(Exception):
    """Git knows no such revision, or there is no git."""

    def __init__(self, revision: str, said: str) -> None:
        super().__init__(revision, said)
        self.revision, self.said = revision, said

    def __str__(self) -> str:
        return f"{self.revision!r} is no revision of this checkout: {self.said}"


class NotCompiledError(Exception):
    """mypyc or a C compiler is missing, or failed."""

    def __init__(self, root: str, said: str) -> None:
        super().__init__(root, said)
        self.root, self.said = root, said

    def __str__(self) -> str:
        return f"{self.root} cannot be compiled: {self.said.strip().splitlines()[-1]}"


def compiled(scratch: Path, root: Path = ROOT) -> Path:
    """Compile a copy of a checkout's package, as its own build hook does.

    Args:
        scratch: An empty folder for the copy.
        root: The checkout.

    Returns:
        The folder that holds the compiled package.

    Raises:
        NotCompiledError: it cannot be.
    """
    done = subprocess.run(
        [sys.executable, "-c", COMPILE, str(scratch), str(root)],
        check=False,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise NotCompiledError(str(root), done.stderr or "no reason given")
    (scratch / "configs").symlink_to(root / "configs")
    return scratch


@contextmanager
def worktree(revision: str, folder: Path) -> Iterator[Path]:
    """A checkout of another revision, while this lasts.

    Args:
        revision: As git understands it.
        folder: Where it goes; must not exist.

    Raises:
        NoSuchRevisionError: git does not know it.
    """
    try:
        _git("worktree", "add", "--detach", str(folder), revision)
    except (OSError, subprocess.CalledProcessError) as fault:
        said = getattr(fault, "stderr", None) or str(fault)
        raise NoSuchRevisionError(revision, said.strip()) from fault
    try:
        yield folder
    finally:
        _git("worktree", "remove", "--force", str(folder))


def _git(*words: str) -> None:
    subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True, text=True)
