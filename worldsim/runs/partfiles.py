"""The files that a manifest tells of, read with suspicion.

Who reads one gets what was sealed, in bounded memory, or an error: never another file, never half
of one. A link is never followed, since it might lead out of the run.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import stat
import zlib
from contextlib import contextmanager
from pathlib import PurePath
from typing import IO, TYPE_CHECKING

from worldsim.errors import WorldsimError
from worldsim.runs.manifest import CHECKPOINTS, HISTORY, NUMBERED
from worldsim.runs.places import GZIP, LinkError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from worldsim.runs.manifest import Part

CHUNK_BYTES = 2**20
LARGEST_BYTES = 2**30
"""Of a file that is read as a whole: a checkpoint, a scenario."""
MOST_BYTES = 2**32
"""Of a file that is made in memory: all but the plain segments of the log."""
FOLDERS = frozenset({*NUMBERED, CHECKPOINTS, HISTORY})
PLAIN = ".jsonl"
LONGEST_LINE_BYTES = 16 * 2**20
"""No event comes near; DuckDB's limit too."""
MOST_EXPANSION = 100
"""What a compressed segment may unpack to, in its own size. Logs unpack to about ten times."""
GZIP_WINDOW = 16 + zlib.MAX_WBITS


class DamagedPartError(WorldsimError):
    """A file of a run is not what it was when it was sealed.

    Args:
        path: Of the file, or of the folder of parts it is in.
        reason: What is wrong, as the end of a sentence that begins with the path.
    """

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, reason)
        self.path, self.reason = path, reason

    @property
    def says(self) -> str:
        """What is wrong with which file, without what helps."""
        return f"{self.path} {self.reason}"

    def __str__(self) -> str:
        path = PurePath(self.path)
        within = next((each for each in (path, path.parent) if each.name in FOLDERS), path)
        return f"{self.says}; see: worldsim verify {shlex.quote(str(within.parent))}"


def plain_file(folder: Path, path: str) -> Path:
    """A file of a run that is neither a link nor behind one.

    Args:
        folder: Of the run, which may be a link itself: somebody named it.
        path: As the manifest has it.

    Raises:
        LinkError: it is one.
        DamagedPartError: it is missing, or no file.
    """
    at = folder
    for name in path.split("/"):
        at /= name
        if at.is_symlink():
            raise LinkError(str(at))
    if not at.is_file():
        raise DamagedPartError(str(at), "is missing")
    return at


@contextmanager
def opened(folder: Path, part: Part) -> Iterator[IO[bytes]]:
    """The file of a part, of the size it had, from its beginning.

    Raises:
        LinkError: it is a link.
        DamagedPartError: it is missing, has another size, or cannot be read.
    """
    path = plain_file(folder, part.path)
    try:
        with path.open("rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode) or found.st_size != part.bytes:
                reason = f"has {found.st_size:,} bytes, and had {part.bytes:,}"
                raise DamagedPartError(str(path), reason)
            if not part.path.endswith(PLAIN) and part.bytes > MOST_BYTES:
                raise DamagedPartError(str(path), f"has {part.bytes:,} bytes: no run has such")
            yield file
    except OSError as error:
        raise DamagedPartError(str(path), f"cannot be read: {error.strerror or error}") from error


def check(file: IO[bytes], path: Path, part: Part) -> None:
    """Compare a file with its checksum; afterwards it stands at its beginning again.

    Raises:
        DamagedPartError: they do not fit.
    """
    sha256 = hashlib.sha256()
    # A file without lines may be huge and yet take no room; it is not read to its end.
    chunks = whole_lines(pieces(file), path) if part.path.endswith(PLAIN) else pieces(file)
    for chunk in chunks:
        sha256.update(chunk)
    if sha256.hexdigest() != part.sha256:
        raise DamagedPartError(str(path), "is not what it was")
    file.seek(0)


def checked_path(folder: Path, part: Part) -> Path:
    """The path of a file that is what the manifest tells, for others to read.

    Raises:
        LinkError, DamagedPartError: it is not, or is a compressed segment that unpacks to no log.
    """
    path = folder / part.path
    with opened(folder, part) as file:
        check(file, path, part)
        if is_packed(part):
            for _ in lines_in(pieces(file), path, part):
                pass
    return path


def whole_file(folder: Path, part: Part) -> bytes:
    """All of a file that is what the manifest tells.

    Raises:
        LinkError, DamagedPartError: it is not, or is too large to be read at once.
    """
    if part.bytes > LARGEST_BYTES:
        reason = f"has {part.bytes} bytes: more than {LARGEST_BYTES} are not read at once"
        raise DamagedPartError(str(folder / part.path), reason)
    with opened(folder, part) as file:
        check(file, folder / part.path, part)
        return file.read()


def sealed_lines(folder: Path, part: Part) -> Iterator[bytes]:
    """The lines of a sealed segment, plain or compressed, in chunks.

    Raises:
        LinkError, DamagedPartError: it is not what it was; nothing of it was given then.
    """
    path = folder / part.path
    with opened(folder, part) as file:
        check(file, path, part)
        yield from lines_in(pieces(file), path, part)


def live_lines(path: Path) -> Iterator[bytes]:
    """The whole lines of a segment of which no checksum is known, in chunks.

    Raises:
        DamagedPartError: it cannot be read, or has a line that is too long.
    """
    try:
        with path.open("rb") as file:
            yield from whole_lines(pieces(file), path, torn=True)
    except OSError as error:
        raise DamagedPartError(str(path), f"cannot be read: {error.strerror or error}") from error


def is_packed(part: Part) -> bool:
    """Whether it is a compressed segment."""
    return part.path.endswith(GZIP)


def lines_in(cut: Iterator[bytes], path: Path, part: Part) -> Iterator[bytes]:
    """The lines that the bytes of a segment tell, plain or compressed, in chunks.

    Raises:
        DamagedPartError: it cannot be unpacked, or is no log.
    """
    return whole_lines(unpacked(cut, path, part) if is_packed(part) else cut, path)


def unpacked(packed: Iterator[bytes], path: Path, part: Part) -> Iterator[bytes]:
    """What a compressed segment holds, in pieces of bounded size.

    Raises:
        DamagedPartError: it cannot be unpacked, or to more than any log.
    """
    most = MOST_EXPANSION * part.bytes
    given = 0
    try:
        for piece in unzipped(packed):
            given += len(piece)
            if given > most:
                reason = f"unpacks to more than {MOST_EXPANSION} times its size: it is no log"
                raise DamagedPartError(str(path), reason)
            yield piece
    except (EOFError, zlib.error) as error:
        raise DamagedPartError(str(path), f"cannot be unpacked: {error}") from error


def unzipped(packed: Iterator[bytes]) -> Iterator[bytes]:
    """What gzip packed as one member, in pieces of bounded size.

    Raises:
        EOFError, zlib.error: it is something else.
    """
    packer = zlib.decompressobj(GZIP_WINDOW)
    for piece in packed:
        rest = piece
        while rest:
            if packer.eof:
                raise EOFError("something follows its end")
            yield packer.decompress(rest, CHUNK_BYTES)
            rest = packer.unconsumed_tail or packer.unused_data
    yield packer.flush()
    if not packer.eof:
        raise EOFError("its end is missing")


def whole_lines(cut: Iterator[bytes], path: Path, *, torn: bool = False) -> Iterator[bytes]:
    """The same bytes, cut behind newlines.

    Args:
        cut: A log, cut anywhere.
        path: What messages call it.
        torn: What follows the last newline is left out; else it is damage.

    Raises:
        DamagedPartError: a line is longer than any event, or the last one is not whole.
    """
    rest = b""
    for piece in cut:
        whole, newline, after = piece.rpartition(b"\n")
        if newline:
            yield rest + whole + newline
            rest = after
        else:
            rest += piece
        if len(rest) > LONGEST_LINE_BYTES:
            reason = f"has a line of more than {LONGEST_LINE_BYTES // 2**20} MiB: it is no log"
            raise DamagedPartError(str(path), reason)
    if rest and not torn:
        raise DamagedPartError(str(path), "does not end with a whole line")


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    """What is left of a file, bit by bit."""
    while piece := file.read(CHUNK_BYTES):
        yield piece
