from __future__ import annotations

import errno
import os
import pickle
import shutil
from typing import TYPE_CHECKING, NoReturn

import pytest
from toy_campaign import ToySimulation, files, toy

from worldsim.runs import Run, simulate
from worldsim.runs.disk import Appender, Disk, DiskError, UnfitPlaceError

if TYPE_CHECKING:
    from pathlib import Path


def full(*_given: object) -> NoReturn:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_file_is_there_whole_and_replaces_what_was_there(tmp_path: Path) -> None:
    disk = Disk()
    disk.write_file(tmp_path / "a", b"long ago")
    disk.write_file(tmp_path / "a", b"now")
    assert disk.read(tmp_path / "a") == b"now"
    assert files(tmp_path) == ["a"]


def test_a_file_that_could_not_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk()
    disk.write_file(tmp_path / "a", b"old")
    for call in ("write", "fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, call, full)
            with pytest.raises(DiskError, match="No space left") as caught:
                disk.write_file(tmp_path / "a", b"new")
        assert caught.value.exit_code == 1
        assert str(tmp_path / "a") in str(caught.value)
        assert disk.read(tmp_path / "a") == b"old"
    disk.write_file(tmp_path / "a", b"new")
    assert files(tmp_path) == ["a"]


def test_a_write_that_was_taken_in_part_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = Appender(tmp_path / "a")
    monkeypatch.setattr(os, "write", lambda _descriptor, data: len(data) - 1)
    with pytest.raises(DiskError, match="only 3 of 4 bytes fit"):
        file.write(b"four")
    file.close()


def test_an_appended_file_goes_on_at_its_end(tmp_path: Path) -> None:
    for data in (b"one", bytearray(b" two")):
        file = Disk().open_append(tmp_path / "a")
        file.write(data)
        file.sync()
        file.close()
    assert (tmp_path / "a").read_bytes() == b"one two"


def test_a_disk_error_survives_being_pickled(tmp_path: Path) -> None:
    with pytest.raises(DiskError) as caught:
        Disk().read(tmp_path / "missing")
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)  # noqa: S301  # ours


def test_a_disk_that_fills_up_while_running_fails_the_run_and_keeps_what_was_sealed(
    tmp_path: Path,
) -> None:
    class FillsUp(Disk):
        def write_file(self, path: Path, data: bytes) -> None:
            if path.name == "000002.parquet":
                raise DiskError("write", str(path), "No space left on device")
            super().write_file(path, data)

    with pytest.raises(DiskError, match=r"stocks/000002\.parquet"):
        simulate(toy(), out=tmp_path / "a", build=ToySimulation, disk=FillsUp())
    run = Run.open(tmp_path / "a")
    assert run.manifest.day == 4
    assert run.query("SELECT max(day) FROM stocks").fetchall() == [(4,)]
    assert not (tmp_path / "a" / ".lock").exists()


@pytest.mark.parametrize("call", ["make_folder", "write_file", "rename"])
def test_a_disk_that_refuses_the_start_leaves_no_run(call: str, tmp_path: Path) -> None:
    class Refuses(Disk):
        pass

    def refuse(_disk: Disk, path: Path, *_more: object) -> NoReturn:
        raise DiskError(call, str(path), "Input/output error")

    setattr(Refuses, call, refuse)
    with pytest.raises(DiskError, match="Input/output error"):
        simulate(toy(), out=tmp_path / "a", build=ToySimulation, disk=Refuses())
    assert not (tmp_path / "a").exists()
    assert files(tmp_path) == []


@pytest.mark.parametrize("call", ["make_folder", "write_file", "rename"])
def test_a_start_that_is_refused_names_the_run_and_no_temporary_file(
    call: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_disk: Disk, path: Path, *_more: object) -> NoReturn:
        raise DiskError(call, str(path), "Input/output error")

    monkeypatch.setattr(Disk, call, refuse)
    with pytest.raises(DiskError) as caught:
        simulate(toy(), out=tmp_path / "a", build=ToySimulation)
    assert str(caught.value) == f"could not make the run {tmp_path / 'a'}: Input/output error"


def test_a_place_where_no_folder_can_be_is_an_input_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "f").write_text("mine")
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    for name in ("f", "dangling"):
        with pytest.raises(UnfitPlaceError, match=f"{name} is no folder"):
            simulate(toy(), out=tmp_path / name / "x", build=ToySimulation)
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda *_: False)
        with pytest.raises(UnfitPlaceError, match="no permission to write in") as caught:
            simulate(toy(), out=tmp_path / "x" / "y", build=ToySimulation)
    assert caught.value.exit_code == 2
    assert files(tmp_path) == ["f"]


def test_a_place_on_no_disk_is_not_called_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nothing = shutil.disk_usage(tmp_path)._replace(total=0, used=0, free=0)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: nothing)
    with pytest.raises(UnfitPlaceError, match=f"{tmp_path} is on no disk"):
        simulate(toy(), out=tmp_path / "x", build=ToySimulation)
