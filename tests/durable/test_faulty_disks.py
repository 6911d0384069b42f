"""The disks of these tests do to small protocols what they are meant to do to a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from faulty_disks import Death, Died, failing
from forgetful_disk import Device, Forgets, KeepsNames, Mixes, restore
from watched_disk import WatchedDisk

from worldsim.runs.disk import Disk, DiskError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from faulty_disks import Refusal
    from forgetful_disk import Fate, Image
    from watched_disk import Kind, Operation


def put(disk: Disk, folder: Path) -> None:
    """A file replaced, another appended to, a folder removed."""
    disk.write_file(folder / "whole", b"new whole")
    file = disk.open_append(folder / "log")
    file.write(b"12345678")
    file.sync()
    file.close()
    disk.remove_folder(folder / "old")


STEPS = [
    "open whole.tmp", "write whole.tmp", "sync whole.tmp", "rename whole.tmp", "sync folder .",
    "open log", "write log", "sync log",
    "remove old/file", "remove folder old",
]  # fmt: skip


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    return fresh(tmp_path / "disk")


def fresh(folder: Path) -> Path:
    (folder / "old").mkdir(parents=True)
    (folder / "old" / "file").write_bytes(b"old")
    (folder / "whole").write_bytes(b"old whole")
    return folder


def seen(folder: Path) -> Image:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in sorted(folder.rglob("*"))
    }


def steps(disk: WatchedDisk, folder: Path) -> list[str]:
    return [
        f"{each.kind} {each.path.relative_to(folder)}"
        for each in disk.operations
        if each.kind != "open folder"
    ]


def test_every_call_that_changes_something_is_an_operation(folder: Path) -> None:
    disk = WatchedDisk()
    put(disk, folder)
    assert steps(disk, folder) == STEPS
    plain = folder.with_name("plain")
    (plain / "old").mkdir(parents=True)
    put(Disk(), plain)
    assert seen(folder) == seen(plain)


def test_each_folder_on_the_way_is_an_operation_and_those_that_are_there_are_none(
    folder: Path,
) -> None:
    disk = WatchedDisk()
    disk.make_folder(folder / "old" / "deep" / "er")
    made = [step for step in steps(disk, folder) if not step.startswith("sync")]
    assert made == ["make folder old/deep", "make folder old/deep/er"]


def test_a_machine_that_died_changes_nothing_any_more(tmp_path: Path) -> None:
    for number, step in enumerate(STEPS):
        folder = fresh(tmp_path / str(number))
        disk = WatchedDisk(Death(number))
        with pytest.raises(Died):
            put(disk, folder)
        assert steps(disk, folder) == STEPS[:number]
        left = seen(folder)
        with pytest.raises(Died):
            put(disk, folder)
        with pytest.raises(Died):
            disk.remove_file(folder / "whole")
        assert seen(folder) == left, step
    put(WatchedDisk(Death(len(STEPS))), fresh(tmp_path / "lived"))


def test_a_machine_may_die_in_the_middle_of_a_write(folder: Path) -> None:
    with pytest.raises(Died):
        put(WatchedDisk(Death(1, half=True)), folder)
    assert seen(folder)["whole.tmp"] == b"new whole"[:4]
    assert seen(folder)["whole"] == b"old whole"


@pytest.mark.parametrize(
    ("kind", "how", "reason"),
    [
        ("open", "ENOSPC", "No space left"),
        ("write", "EIO", "Input/output error"),
        ("write", "short write", "only 4 of 9 bytes fit"),
        ("sync", "EIO", "Input/output error"),
        ("sync folder", "EIO", "Input/output error"),
        ("rename", "ENOSPC", "No space left"),
        ("make folder", "ENOSPC", "No space left"),
        ("remove folder", "EIO", "Input/output error"),
    ],
)
def test_a_refusal_is_told_as_the_real_one(
    kind: Kind, how: Refusal, reason: str, folder: Path
) -> None:
    def protocol(disk: Disk) -> None:
        disk.make_folder(folder / "new")
        put(disk, folder)

    with pytest.raises(DiskError, match=reason):
        protocol(failing(kind, 0, how))


def test_a_disk_fails_once_or_from_then_on(folder: Path) -> None:
    once, for_ever = failing("write", 1, "ENOSPC"), failing("write", 1, "ENOSPC", for_ever=True)
    for disk, outcomes in ((once, "yny"), (for_ever, "ynn")):
        for outcome in outcomes:
            file = disk.open_append(folder / "log")
            if outcome == "y":
                file.write(b"12")
            else:
                with pytest.raises(DiskError, match="No space left"):
                    file.write(b"34")
            file.close()
    assert seen(folder)["log"] == b"12" * 3


def crashed(
    folder: Path,
    fate: Fate,
    protocol: Callable[[Disk], None],
    forgets_sync: Callable[[Operation], bool] = lambda _: False,
) -> Image:
    """What a power cut after a protocol leaves."""
    device = Device(folder, forgets_sync=forgets_sync)
    protocol(WatchedDisk(device))
    return device.image(fate)


def append(disk: Disk, path: Path, *, sync: bool) -> None:
    file = disk.open_append(path)
    file.write(b" and more")
    if sync:
        file.sync()
    file.close()


def test_what_was_there_before_stays(folder: Path) -> None:
    image = crashed(folder, Forgets(), lambda _: None)
    assert image == seen(folder)
    restore(image, folder.with_name("after"))
    assert seen(folder.with_name("after")) == seen(folder)


def test_a_file_put_in_place_by_the_protocol_survives(folder: Path) -> None:
    image = crashed(folder, Forgets(), lambda disk: disk.write_file(folder / "whole", b"new"))
    assert image["whole"] == b"new"
    assert image == seen(folder)


@pytest.mark.parametrize(("forgotten", "left"), [("sync", b""), ("sync folder", b"old whole")])
def test_a_file_put_in_place_without_one_of_its_syncs_does_not(
    forgotten: Kind, left: bytes, folder: Path
) -> None:
    image = crashed(
        folder,
        Forgets(),
        lambda disk: disk.write_file(folder / "whole", b"new"),
        forgets_sync=lambda operation: operation.kind == forgotten,
    )
    assert image == {**seen(folder), "whole": left}


def test_a_new_file_without_a_sync_of_its_folder_has_no_name(folder: Path) -> None:
    image = crashed(folder, Forgets(), lambda disk: append(disk, folder / "log", sync=True))
    assert "log" not in image


@pytest.mark.parametrize(("sync", "left"), [(True, b"old whole and more"), (False, b"old whole")])
def test_what_was_appended_survives_only_when_synced(
    sync: bool,  # noqa: FBT001  # given by pytest
    left: bytes,
    folder: Path,
) -> None:
    image = crashed(folder, Forgets(), lambda disk: append(disk, folder / "whole", sync=sync))
    assert image["whole"] == left


def test_names_may_come_before_contents(folder: Path) -> None:
    def protocol(disk: Disk) -> None:
        append(disk, folder / "log", sync=False)
        disk.rename(folder / "log", folder / "whole")

    image = crashed(folder, KeepsNames(), protocol, forgets_sync=lambda _: True)
    assert image["whole"] == bytes(len(b" and more"))
    assert "log" not in image


def test_a_mix_keeps_any_part_but_what_was_synced_always(folder: Path) -> None:
    device = Device(folder)
    disk = WatchedDisk(device)
    append(disk, folder / "whole", sync=True)
    append(disk, folder / "whole", sync=False)
    append(disk, folder / "log", sync=False)
    disk.remove_file(folder / "old" / "file")
    images = [device.image(Mixes(seed)) for seed in range(200)]
    names = {("log" in image, "old/file" in image) for image in images}
    assert names == {(a, b) for a in (True, False) for b in (True, False)}
    kept, contents = b"old whole and more", {image["whole"] or b"" for image in images}
    assert all(each.startswith(kept) for each in contents)
    assert {kept, kept + b" and", kept + b" and" + bytes(5), kept + b" and more"} <= contents


def test_a_cut_may_be_forgotten(folder: Path) -> None:
    device = Device(folder)
    WatchedDisk(device).truncate(folder / "whole", 3)
    assert {device.image(Mixes(seed))["whole"] for seed in range(20)} == {
        b"old whole",
        b"old",
    }


def test_a_folder_that_is_not_synced_takes_all_in_it_along(folder: Path) -> None:
    def protocol(disk: Disk) -> None:
        disk.make_folder(folder / "deep")
        disk.write_file(folder / "deep" / "a", b"a")

    image = crashed(folder, Forgets(), protocol, lambda operation: operation.path == folder)
    assert "deep" not in image


def test_a_sync_that_follows_a_failed_one_promises_nothing(folder: Path) -> None:
    device = Device(folder)
    disk = failing("sync", 0, "EIO", device)
    file = disk.open_append(folder / "whole")
    file.write(b" and more")
    with pytest.raises(DiskError):
        file.sync()
    file.sync()
    file.close()
    assert [each.path.name for each in device.retried] == ["whole"]
    assert seen(folder)["whole"] == b"old whole and more"
    assert device.image(Forgets())["whole"] == b"old whole"
