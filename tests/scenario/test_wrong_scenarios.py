"""Wrong scenarios: each is refused with the place, what was given and what would be right."""

from __future__ import annotations

import os
import pickle
import re
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from worldsim.errors import InputError
from worldsim.scenario import ScenarioError, load, load_text

if TYPE_CHECKING:
    from collections.abc import Callable


CASES = tomllib.loads((Path(__file__).parent / "wrong_scenarios.toml").read_text())["case"]

# Cases too long to stand in a file: what to replace, by what, and what the message must say.
LONG = {
    "a number of 5000 digits": (
        "days = 30",
        "days = " + "9" * 5000,
        ["5:7: has a key or number too long", "limit is 200"],
    ),
    "100 000 dots": (
        "schema = 1",
        "a" + ".a" * 100_000 + " = 1",
        ["1:34: has a key with too many dots", "limit is 16"],
    ),
    "100 000 dots in a header": (
        "[planet]",
        "[a" + ".a" * 100_000 + "]",
        ["7:35: has a key with too many dots"],
    ),
    "a long key": (
        "days = 30",
        "d" * 300 + " = 30",
        ["5:1: has a key or number too long", "limit is 200"],
    ),
    "a long quoted key": (
        "days = 30",
        '"' + "d" * 300 + '" = 30',
        ["5:1: campaign.", "is not usable as a key", "200 characters"],
    ),
    "deep brackets": (
        "days = 30",
        "days = " + "[" * 100_000,
        ["5:40: is nested too deeply", "limit is 32"],
    ),
    "deep braces": (
        "days = 30",
        "days = " + "{a=" * 100_000,
        ["is nested too deeply", "limit is 32"],
    ),
    "deep dotted inline tables": (
        "schema = 1",
        "schema = " + "{a.b.c.d.e.f.g.h.i=" * 20 + "1" + "}" * 20,
        ["is nested too deeply", "at most 32 levels"],
    ),
    "too many keys": (
        "[planet]",
        "[planet]\n" + "".join(f"k{n} = 1\n" for n in range(40_000)),
        ["has too many keys and values", "20000"],
    ),
    "too many lines": (
        "[planet]",
        "[planet]\n" + "\n" * 200_000,
        ["has too many lines", "100000"],
    ),
    "too many backslashes": (
        "days = 30",
        'description = "' + "\\n" * 300_000 + '"',
        ["has too many backslashes", "200000"],
    ),
    "too many quotation marks": (
        "days = 30",
        "region_weights = [" + "'', " * 150_000 + "]",
        ["has too many quotation marks", "200000"],
    ),
}


@pytest.mark.parametrize("case", CASES, ids=[case["claim"] for case in CASES])
def test_a_wrong_scenario_is_refused_with_place_and_cure(
    tmp_path: Path, small: str, case: dict[str, Any]
) -> None:
    _refused(tmp_path, small, case["old"], case["new"], case["says"])


@pytest.mark.parametrize("claim", LONG)
def test_a_scenario_that_asks_for_too_much_is_refused_with_the_limit(
    tmp_path: Path, small: str, claim: str
) -> None:
    _refused(tmp_path, small, *LONG[claim])


def test_at_least_sixty_wrong_scenarios_are_tried() -> None:
    assert len({case["claim"] for case in CASES} | set(LONG)) >= 60


def _refused(tmp_path: Path, small: str, old: str, new: str, says: list[str]) -> None:
    assert old in small
    path = tmp_path / "wrong.toml"
    path.write_bytes(small.replace(old, new, 1).encode())
    with pytest.raises(ScenarioError) as caught:
        load(path)
    message = str(caught.value)
    assert caught.value.exit_code == 2
    for words in says:
        assert words in message
    assert all(line.isprintable() for line in message.split("\n"))
    assert "wrong.toml" in message
    assert len(caught.value.faults) <= 3, message


def _bytes(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


def _pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def _large(path: Path) -> Path:
    with path.open("wb") as file:
        file.truncate(50_000_000)
    return path


def _loop(path: Path) -> Path:
    path.symlink_to(path.name)
    return path


FILES = [
    (
        "a missing file",
        lambda path: path,
        ["x.toml: there is no such file", "a path to a TOML file"],
    ),
    (
        "an empty file",
        lambda path: _bytes(path, b""),
        ["x.toml:1:1: schema is missing", "campaign is missing"],
    ),
    ("a folder", _folder, ["is a folder, not a file"]),
    ("a pipe", _pipe, ["is a pipe, not a file"]),
    ("50 MB", _large, ["is too large: 50000000 bytes", "4000000"]),
    ("a link to itself", _loop, ["there is no such file"]),
    ("binary", lambda path: _bytes(path, bytes(range(256)) * 4), ["x.toml:2: is not UTF-8 text"]),
    (
        "binary that is UTF-8",
        lambda path: _bytes(path, b"\x7fELF\x02\x01\x01\x00"),
        ["holds the control character", "binary"],
    ),
    ("UTF-16", lambda path: _bytes(path, "schema = 1".encode("utf-16")), ["is not UTF-8 text"]),
    (
        "Latin-1",
        lambda path: _bytes(path, b"# caf\xe9\nschema = 1"),
        ["x.toml:1: is not UTF-8 text"],
    ),
]


@pytest.mark.parametrize(("make", "says"), [case[1:] for case in FILES], ids=[c[0] for c in FILES])
def test_a_file_that_is_no_text_is_refused(
    tmp_path: Path, make: Callable[[Path], Path], says: list[str]
) -> None:
    with pytest.raises(ScenarioError) as caught:
        load(make(tmp_path / "x.toml"))
    for words in says:
        assert words in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("name", ["no_such", "first_landin", "", "a\nb", "a\x00b", "x" * 5000])
def test_a_name_that_is_no_scenario_is_refused_in_printable_words(name: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        load(name)
    assert all(line.isprintable() for line in str(caught.value).split("\n"))
    assert "\n    right would be" in str(caught.value)


def test_all_faults_are_told_at_once_in_the_order_of_the_file(small: str) -> None:
    wrong = small.replace("schema = 1", "schema = 2").replace('"ring"', '"rng"')
    wrong = wrong.replace("reserve = 50", "reserve = -1").replace("crew =", "crow =")
    with pytest.raises(ScenarioError) as caught:
        load_text(wrong, sets=["planet.regions=0", "campaign.dys=1"])
    places = [str(fault.place) for fault in caught.value.faults]
    assert places == [
        "scenario.toml:1:10",
        "scenario.toml:8:9",
        "scenario.toml:20:11",
        "scenario.toml:30:1",
        "--set 1: planet.regions=0",
        "--set 2: campaign.dys=1",
    ]


def test_what_does_not_fit_together_is_told_beside_what_is_wrong_by_itself(small: str) -> None:
    wrong = small.replace("days = 30", "dys = 30").replace("r1/s1", "r7/s1")
    with pytest.raises(ScenarioError) as caught:
        load_text(wrong.replace("reserve = 50", 'reserve = "x"'))
    keys = [fault.key for fault in caught.value.faults]
    assert keys == ["campaign.dys", "ingredients[1].reserve", "colonies[0].sector"]


def test_a_mistyped_value_brings_no_fault_about_its_default(small: str) -> None:
    wrong = small.replace("regions = 3", "regoins = 8").replace("r1/s1", "r8/s1")
    with pytest.raises(ScenarioError) as caught:
        load_text(wrong)
    assert [fault.key for fault in caught.value.faults] == ["planet.regoins"]


def test_a_long_list_of_faults_is_cut_and_counted(small: str) -> None:
    wrong = small.replace("[planet]", "[planet]\n" + "".join(f"k{n} = 1\n" for n in range(300)))
    with pytest.raises(ScenarioError) as caught:
        load_text(wrong)
    assert len(str(caught.value).split("\n")) == 101
    assert str(caught.value).endswith("... and 250 more")


def test_the_error_survives_pickling_and_tells_the_same_as_json(small: str) -> None:
    with pytest.raises(InputError) as caught:
        load_text(small.replace("regions = 3", "regions = 0"))
    again = pickle.loads(pickle.dumps(caught.value))  # noqa: S301
    assert str(again) == str(caught.value)
    assert again.as_json()["faults"] == [
        {
            "file": "scenario.toml",
            "line": 9,
            "column": 11,
            "key": "planet.regions",
            "problem": "is too small",
            "given": "0",
            "cure": "a whole number from 1 to 2000",
            "near": None,
        }
    ]


def test_columns_count_characters_not_bytes(small: str) -> None:
    with pytest.raises(ScenarioError, match=re.escape("scenario.toml:25:28: ")):
        load_text(small.replace("{ iron = 5 }", '{ "é" = 1, iron = "x" }'))


@pytest.mark.parametrize("change", ["\r\n", "bom"])
def test_what_editors_on_other_systems_write_is_read_as_the_same(
    tmp_path: Path, small: str, change: str
) -> None:
    raw = small.encode()
    raw = b"\xef\xbb\xbf" + raw if change == "bom" else raw.replace(b"\n", b"\r\n")
    path = _bytes(tmp_path / "small.toml", raw)
    assert load(path) == load_text(small)
    path.write_bytes(raw.replace(b"regions = 3", b"regions = 0"))
    with pytest.raises(ScenarioError, match=re.escape("small.toml:9:11: planet.regions")):
        load(path)
