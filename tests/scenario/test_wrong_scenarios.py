"""Wrong scenarios: each is refused with the place, what was given and what would be right."""

from __future__ import annotations

import os
import pickle
import re
from pathlib import Path

import pytest

from worldsim.errors import InputError
from worldsim.scenario import ScenarioError, load, load_text

# What to replace in the small scenario, by what, and what the message must say.
EDITS = [
    ("wrong type: text for a number", "days = 30", 'days = "30"', ["5:8: campaign.days", '"30"', "a whole number from 1 to 1000000"]),
    ("wrong type: fraction for a whole number", "regions = 3", "regions = 3.5", ["9:11: planet.regions", "3.5", "a whole number from 1 to 2000"]),
    ("wrong type: true for a number", "regions = 3", "regions = true", ["9:11: planet.regions", "given true"]),
    ("wrong type: number for text", 'name = "small"', "name = 7", ["4:8: campaign.name", "given 7"]),
    ("wrong type: number for a table", "[planet]", "[planet.landscapes]\nplains = 3\n[planet]", ["8:10: planet.landscapes.plains", "a table"]),
    ("wrong type: table for a list", "[[ingredients]]\nid = \"iron\"\nkind = \"metal\"\nreserve = 100\n\n[[ingredients]]", "[ingredients]", ["12:2: ingredients has the wrong type", "a list"]),
    ("wrong type: list for text", 'shape = "ring"', 'shape = ["ring"]', ["8:9: planet.shape", '["ring"]']),
    ("wrong type: number for a list", 'sector = "r1/s1"', "targets = 5", ["24:11: colonies[0].targets", "a list"]),
    ("unknown key with a near name", 'profile = "gathering"', 'profle = "gathering"', ["29:1: colonies[0].teams[0].profle is not a known key", 'did you mean "profile"?']),
    ("unknown key without a near name", "days = 30", "xyzzy = 30", ["5:1: campaign.xyzzy is not a known key", "name, description, days, seed"]),
    ("unknown table", "[planet]", "[plannet]", ["7:2: plannet is not a known key", 'did you mean "planet"?']),
    ("unknown rules section", "[planet]", "[rules.gatherin]\norder = 1\n[planet]", ["7:8: rules.gatherin", 'did you mean "gathering"?']),
    ("unknown option of a rule", "[planet]", "[rules.gathering]\nordr = 1\n[planet]", ["8:1: rules.gathering.ordr", 'did you mean "order"?']),
    ("unknown key in an inline table", "{ size = 5 }", "{ sise = 5 }", ["30:10: colonies[0].teams[0].crew.sise", 'did you mean "size"?']),
    ("key of a fixed set", "[planet]", "[rules.gathering.presence]\ncommn = 0.5\n[planet]", ["8:1: rules.gathering.presence.commn", 'did you mean "common"?']),
    ("missing schema", "schema = 1\n", "", ["1:1: schema is missing", "right would be 1"]),
    ("wrong schema version", "schema = 1", "schema = 2", ["1:10: schema", "given 2", "right would be 1"]),
    ("missing id", 'id = "iron"\n', "", ["12:1: ingredients[0].id is missing", "small letters"]),
    ("missing kind", 'kind = "fruit"\n', "", ["17:1: ingredients[1].kind is missing", '"fruit"']),
    ("missing table", '[campaign]\nname = "small"\ndays = 30\n', "", ["1:1: campaign is missing", "a table"]),
    ("negative reserve", "reserve = 100", "reserve = -100", ["15:11: ingredients[0].reserve is too small", "given -100", "from 0 to"]),
    ("no regions", "regions = 3", "regions = 0", ["9:11: planet.regions is too small", "from 1 to 2000"]),
    ("too many regions", "regions = 3", "regions = 1_000_000", ["9:11: planet.regions is too large", "1000000"]),
    ("share above one", 'shape = "ring"', "rough_sectors = 1.5", ["8:17: planet.rough_sectors is too large", "a number from 0 to 1"]),
    ("not a number", 'shape = "ring"', "rough_sectors = nan", ["8:17: planet.rough_sectors is not a finite number", "from 0 to 1"]),
    ("infinite", "regions = 3", "regions = inf", ["9:11: planet.regions is not a finite number", "given inf", "a whole number"]),
    ("minus infinite", "regions = 3", "regions = -inf", ["9:11: planet.regions", "given -inf"]),
    ("overflowing float", 'shape = "ring"', "rough_sectors = 1e999", ["8:17: planet.rough_sectors", "given inf"]),
    ("huge whole number", "days = 30", "seed = 99999999999999999999", ["5:8: campaign.seed is too large a number", "from 0"]),
    ("hexadecimal beyond 64 bits", "days = 30", "days = 0xffffffffffffffffff", ["5:8: campaign.days is too large a number"]),
    ("number of 5000 digits", "days = 30", "days = " + "9" * 5000, ["5:7: has a key or number too long", "limit is 200"]),
    ("a date for a number", "days = 30", "days = 2026-01-01", ["5:8: campaign.days is a date or time", "given 2026-01-01", "a whole number"]),
    ("a time for text", 'name = "small"', "name = 07:32:00", ["4:8: campaign.name is a date or time"]),
    ("unknown choice with a near name", '"ring"', '"rng"', ["8:9: planet.shape is none of the choices", '"ring", "line"', 'did you mean "ring"?']),
    ("unknown choice", 'kind = "metal"', 'kind = "zzz"', ["14:8: ingredients[0].kind is none of the choices", '"meat"']),
    ("a reading that is not there", "[planet]", "[rules.gathering]\none_success_cost = 7\n[planet]", ["8:20: rules.gathering.one_success_cost", "one of: 0, 1, 2"]),
    ("wrong form of an id", 'id = "iron"', 'id = "Iron Ore"', ["13:6: ingredients[0].id has the wrong form", '"Iron Ore"', "small letters"]),
    ("an id that is a path", 'name = "small"', 'name = "../up"', ["4:8: campaign.name has the wrong form", '"../up"']),
    ("an empty id", 'id = "one"', 'id = ""', ["28:6: colonies[0].teams[0].id", 'given ""']),
    ("a name with a newline", 'id = "iron"', 'id = "ir\\non"', ["13:6: ingredients[0].id", r'"ir\non"']),
    ("a name with an escape code", 'id = "iron"', 'id = "\\u001b[31miron"', ["13:6: ingredients[0].id holds a control character", r"\x1b[31m"]),
    ("a control character in free text", "days = 30", 'description = "a\\u0007b"', ["5:15: campaign.description holds a control character", r'"a\x07b"']),
    ("a name that turns the reading direction", 'id = "iron"', 'id = "ir\u202eon"', ["13:6: ingredients[0].id", r"\u202e"]),
    ("a key with a newline", "stores = { iron = 5 }", 'stores = { "ir\\non" = 5 }', ['25:12: colonies[0].stores."ir\\non" is not usable as a key']),
    ("a key of the wrong form", "stores = { iron = 5 }", 'stores = { "Iron" = 5 }', ["25:12: colonies[0].stores.Iron is not usable as a key", "small letters"]),
    ("wrong form of a sector", '"r1/s1"', '"r1-s1"', ["24:10: colonies[0].sector has the wrong form", '"r1/s2"']),
    ("wrong dice", 'shape = "ring"', 'sector_distance = "2x6"', ["8:19: planet.sector_distance", '"2x6"', "a sum of dice"]),
    ("a pair of one", "[planet]", "[rules.reserves]\nbands = [[0.5]]\n[planet]", ["8:10: rules.reserves.bands[0] is too short", "a list of 2"]),
    ("wrong type in a pair", "[planet]", '[rules.reserves]\nbands = [[0.5, 1], [0.1, "x"]]\n[planet]', ["8:26: rules.reserves.bands[1][1]", "a whole number"]),
    ("unknown effect", "[planet]", '[event_tables]\nt = [{ id = "x", weight = 1, effects = [{ effect = "helth" }] }]\n[planet]', ["8:52: event_tables.t[0].effects[0].effect", 'did you mean "health"?']),
    ("missing effect", "[planet]", '[event_tables]\nt = [{ id = "x", weight = 1, effects = [{ amount = 1 }] }]\n[planet]', ["8:41: event_tables.t[0].effects[0].effect is missing", '"health"']),
    ("wrong value in an effect", "[planet]", '[event_tables]\nt = [{ id = "x", weight = 1, effects = [{ effect = "health", amount = "x" }] }]\n[planet]', ["8:71: event_tables.t[0].effects[0].amount", "from -1000 to 1000"]),
    ("key of another effect", "[planet]", '[event_tables]\nt = [{ id = "x", weight = 1, effects = [{ effect = "find", units = 1, share = 1 }] }]\n[planet]', ["8:71: event_tables.t[0].effects[0].share is not a known key", "effect, units"]),
    ("duplicate id", 'id = "berry"', 'id = "iron"', ["18:6: ingredients[1].id", '"iron"']),
    ("a store of nothing known", "{ iron = 5 }", "{ irn = 5 }", ["25:12: colonies[0].stores.irn", 'did you mean "iron"?']),
    ("an unknown mission", 'profile = "gathering"', 'mission = "gathr"', ["29:11: colonies[0].teams[0].mission", 'did you mean "gather"?']),
    ("a sector off the map", '"r1/s1"', '"r9/s1"', ["24:10: colonies[0].sector", '"r9/s1"']),
    ("a target that cannot be reached", 'sector = "r1/s1"', 'targets = ["r1/s1", "r3/s9"]', ["24:21: colonies[0].targets[1]", '"r3/s9"']),
    ("extends of a file that is not there", "schema = 1", 'extends = "nowhere.toml"', ["1:11: extends names a file that is not there", '"nowhere.toml"']),
    ("extends upwards of a file that is not there", "schema = 1", 'extends = "../../nowhere.toml"', ["1:11: extends", '"../../nowhere.toml"']),
    ("extends of a number", "schema = 1", "extends = 3", ["1:11: extends is not the name of a file", "given 3"]),
    ("extends of nothing", "schema = 1", 'extends = ""', ["1:11: extends is not the name of a file"]),
    ("extends of a folder", "schema = 1", 'extends = "."', ["1:11: extends names", "which is a folder, not a file"]),
    ("extends of a NUL", "schema = 1", 'extends = "a\\u0000b"', ["1:11: extends holds a control character"]),
    ("extends of a device", "schema = 1", 'extends = "/dev/zero"', ["1:11: extends names /dev/zero, which is a device, not a file"]),
    ("a catalogue that is not there", "schema = 1", 'schema = 1\ncatalogue = ["x.toml"]', ["2:14: catalogue[0] names a file that is not there"]),
    ("a catalogue of a number", "schema = 1", "schema = 1\ncatalogue = 3", ["2:13: catalogue is not the name of a file"]),
    ("a map that is not there", "[planet]", '[planet]\nmap = "x.graphml"', ["8:7: planet.map", '"x.graphml"', "a file that is there"]),
    ("a map that is a folder", "[planet]", '[planet]\nmap = "."', ["8:7: planet.map", "a file of at most 32000000 bytes"]),
    ("a key that stands twice", "days = 30", "days = 30\ndays = 31", ["6:10: is not TOML", "a second time"]),
    ("a table that stands twice", "[planet]", "[planet]\n[planet]", ["8:8: is not TOML", "a second time"]),
    ("an open text", 'shape = "ring"', 'shape = "ring', ["8:14: is not TOML"]),
    ("no value", "days = 30", "days =", ["5:7: is not TOML: Invalid value"]),
    ("an open bracket", "{ size = 5 }", "{ size = 5", ["is not TOML"]),
    ("YAML", "schema = 1", "schema: 1", ["1:7: is not TOML"]),
    ("100 000 dots", "schema = 1", "a" + ".a" * 100_000 + " = 1", ["1:34: has a key with too many dots", "limit is 16"]),
    ("100 000 dots in a header", "[planet]", "[a" + ".a" * 100_000 + "]", ["7:35: has a key with too many dots"]),
    ("a long key", "days = 30", "d" * 300 + " = 30", ["5:1: has a key or number too long", "limit is 200"]),
    ("a long quoted key", "days = 30", '"' + "d" * 300 + '" = 30', ["5:1: campaign.", "is not usable as a key", "200 characters"]),
    ("deep brackets", "days = 30", "days = " + "[" * 100_000, ["5:40: is nested too deeply", "limit is 32"]),
    ("deep braces", "days = 30", "days = " + "{a=" * 100_000, ["is nested too deeply", "limit is 32"]),
    ("deep dotted inline tables", "schema = 1", "schema = " + "{a.b.c.d.e.f.g.h.i=" * 20 + "1" + "}" * 20, ["is nested too deeply", "at most 32 levels"]),
    ("too many keys", "[planet]", "[planet]\n" + "".join(f"k{n} = 1\n" for n in range(40_000)), ["has too many keys and values", "25000"]),
    ("too many lines", "[planet]", "[planet]\n" + "\n" * 200_000, ["has too many lines", "100000"]),
    ("a NUL", "days = 30", "days = 30 # \x00", ["5:13: holds the control character \\x00", "binary"]),
    ("an escape code in a comment", "days = 30", "days = 30 # \x1b[31m", ["5:13: holds the control character \\x1b"]),
    ("a lone carriage return", "days = 30", "days = 30 \r days = 31", ["5:11: "]),
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "says"), [case[1:] for case in EDITS], ids=[c[0] for c in EDITS]
)
def test_a_wrong_scenario_is_refused_with_place_and_cure(
    tmp_path: Path, small: str, old: str, new: str, says: list[str]
) -> None:
    assert old in small
    path = tmp_path / "wrong.toml"
    path.write_bytes(small.replace(old, new, 1).encode())
    with pytest.raises(ScenarioError) as caught:
        load(path)
    message = str(caught.value)
    assert caught.value.exit_code == 2
    for words in says:
        assert words in message
    assert message.isprintable() or all(line.isprintable() for line in message.split("\n"))
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
    ("a missing file", lambda path: path, ["x.toml: there is no such file", "a path to a TOML file"]),
    ("an empty file", lambda path: _bytes(path, b""), ["x.toml:1:1: schema is missing", "campaign is missing"]),
    ("a folder", _folder, ["is a folder, not a file"]),
    ("a pipe", _pipe, ["is a pipe, not a file"]),
    ("50 MB", _large, ["is too large: 50000000 bytes", "4000000"]),
    ("a link to itself", _loop, ["there is no such file"]),
    ("binary", lambda path: _bytes(path, bytes(range(256)) * 4), ["x.toml:2: is not UTF-8 text"]),
    ("binary that is UTF-8", lambda path: _bytes(path, b"\x7fELF\x02\x01\x01\x00"), ["holds the control character", "binary"]),
    ("UTF-16", lambda path: _bytes(path, "schema = 1".encode("utf-16")), ["is not UTF-8 text"]),
    ("Latin-1", lambda path: _bytes(path, b'# caf\xe9\nschema = 1'), ["x.toml:1: is not UTF-8 text"]),
]  # fmt: skip


@pytest.mark.parametrize(("make", "says"), [case[1:] for case in FILES], ids=[c[0] for c in FILES])
def test_a_file_that_is_no_text_is_refused(tmp_path: Path, make, says: list[str]) -> None:
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
