"""``extends``, ``catalogue`` and ``--set``: what lies on what, and where each key came from."""

from __future__ import annotations

from pathlib import Path

import pytest

from worldsim.scenario import (
    ScenarioError,
    digest,
    load,
    load_text,
    load_with_origins,
    resolved_toml,
    shipped,
)

FOOD = """\
[[ingredients]]
id = "fish"
kind = "fish"
reserve = 10

[rules.gathering]
order = "common_first"
nothing_in_bag = 5
"""


def write(folder: Path, **files: str) -> None:
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)


@pytest.fixture
def shelves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: str) -> Path:
    """Shipped files of our own: a scenario ``shipped_one`` and a catalogue ``food``."""
    for shelf in ("scenarios", "catalogues", "maps"):
        (tmp_path / "configs" / shelf).mkdir(parents=True)
    write(tmp_path / "configs" / "scenarios", shipped_one=small)
    write(tmp_path / "configs" / "catalogues", food=FOOD)
    monkeypatch.setattr(shipped, "configs_dir", lambda: tmp_path / "configs")
    return tmp_path


def test_tables_of_an_extending_file_merge_and_its_arrays_replace(
    tmp_path: Path, small: str
) -> None:
    upper = (
        'extends = "base.toml"\n[planet]\nregions = 5\n[[ingredients]]\nid = "x"\nkind = "meat"\n'
    )
    write(tmp_path, base=small, upper=upper)
    scenario = load(tmp_path / "upper.toml", sets=["colonies.alpha.stores={}"])
    assert (scenario.planet.regions, scenario.planet.sectors_per_region) == (5, 2)
    assert [each.id for each in scenario.ingredients] == ["x"]
    assert scenario.campaign.name == "small"


def test_extended_files_are_found_from_the_file_that_names_them(tmp_path: Path, small: str) -> None:
    (tmp_path / "deep").mkdir()
    write(tmp_path, base=small, middle='extends = "base.toml"\n[campaign]\ndays = 7\n')
    write(tmp_path / "deep", upper='extends = "../middle.toml"\n[campaign]\nseed = 9\n')
    campaign = load(tmp_path / "deep" / "upper.toml").campaign
    assert (campaign.name, campaign.days, campaign.seed) == ("small", 7, 9)


def test_a_circle_of_files_is_named_from_link_to_link(tmp_path: Path) -> None:
    write(tmp_path, a='extends = "b.toml"\n', b='extends = "c.toml"\n', c='\nextends = "a.toml"\n')
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "a.toml")
    (fault,) = caught.value.faults
    assert fault.place.file.endswith("c.toml")
    assert (fault.place.line, fault.place.column) == (2, 11)
    assert "a.toml -> b.toml -> c.toml -> a.toml" in fault.problem


def test_a_file_that_extends_itself_through_a_link_is_a_circle(tmp_path: Path, small: str) -> None:
    write(tmp_path, a='extends = "b.toml"\n' + small)
    (tmp_path / "b.toml").symlink_to("a.toml")
    with pytest.raises(ScenarioError, match="goes in a circle"):
        load(tmp_path / "a.toml")


def test_a_chain_of_files_ends_at_sixteen(tmp_path: Path, small: str) -> None:
    links = {f"f{n}": f'extends = "f{n + 1}.toml"\n' for n in range(17)}
    write(tmp_path, **links, f17=small)
    assert load(tmp_path / "f1.toml").campaign.name == "small"
    with pytest.raises(ScenarioError, match="goes on too long"):
        load(tmp_path / "f0.toml")


def test_a_fault_is_placed_in_the_file_whose_value_holds(tmp_path: Path, small: str) -> None:
    base = small.replace("regions = 3", "regions = 0").replace("reserve = 50", "reserve = -5")
    write(tmp_path, base=base, upper='extends = "base.toml"\n[planet]\nshape = "rng"\n')
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "upper.toml", sets=["campaign.days=0"])
    places = [Path(str(fault.place)).name for fault in caught.value.faults]
    assert places == [
        "upper.toml:3:9",
        "base.toml:9:11",
        "base.toml:20:11",
        "--set 1: campaign.days=0",
    ]


def test_a_missing_layer_hides_no_other_fault_and_invents_none(tmp_path: Path) -> None:
    write(tmp_path, upper='extends = "nowhere.toml"\n[planet]\nregions = 0\n')
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "upper.toml")
    assert [fault.key for fault in caught.value.faults] == ["extends", "planet.regions"]


def test_a_broken_layer_is_placed_in_its_own_file(tmp_path: Path) -> None:
    write(tmp_path, base="[campaign\n", upper='extends = "base.toml"\n[planet]\nregions = 0\n')
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "upper.toml")
    places = [Path(str(fault.place)).name for fault in caught.value.faults]
    assert places == ["upper.toml:3:11", "base.toml:1:10"]


def test_a_catalogue_lies_under_the_scenario_and_its_ingredients_come_first(
    tmp_path: Path, small: str
) -> None:
    write(
        tmp_path,
        own=FOOD,
        main=f'catalogue = "own.toml"\n{small}[rules.gathering]\norder = "random"\n',
    )
    scenario = load(tmp_path / "main.toml")
    assert [each.id for each in scenario.ingredients] == ["fish", "iron", "berry"]
    assert (scenario.rules.gathering.order, scenario.rules.gathering.nothing_in_bag) == (
        "random",
        5,
    )


def test_several_catalogues_are_joined_in_their_order(tmp_path: Path, small: str) -> None:
    write(tmp_path, one=FOOD, two=FOOD.replace("fish", "meat"))
    write(tmp_path, main=f'catalogue = ["two.toml", "one.toml"]\n{small}')
    ids = [each.id for each in load(tmp_path / "main.toml").ingredients]
    assert ids == ["meat", "fish", "iron", "berry"]


def test_a_fault_in_a_joined_array_is_placed_in_the_file_of_its_item(
    tmp_path: Path, small: str
) -> None:
    write(tmp_path, food=FOOD.replace("10", "-10"))
    write(tmp_path, main=f'catalogue = "food.toml"\n{small.replace("50", "-50")}')
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "main.toml")
    found = [(Path(str(fault.place)).name, fault.key) for fault in caught.value.faults]
    assert found == [
        ("main.toml:21:11", "ingredients[2].reserve"),
        ("food.toml:4:11", "ingredients[0].reserve"),
    ]


def test_an_extending_file_may_name_another_catalogue(tmp_path: Path, small: str) -> None:
    write(tmp_path, one=FOOD, two=FOOD.replace("fish", "meat"))
    write(tmp_path, base=f'catalogue = "one.toml"\n{small}')
    write(tmp_path, upper='extends = "base.toml"\ncatalogue = "two.toml"\n')
    assert load(tmp_path / "upper.toml").ingredients[0].id == "meat"
    sets = [f'catalogue="{tmp_path}/one.toml"', "ingredients.fish.reserve=77"]
    changed = load(tmp_path / "upper.toml", sets=sets).ingredients[0]
    assert (changed.id, changed.reserve) == ("fish", 77)


def test_a_catalogue_names_no_further_files(tmp_path: Path, small: str) -> None:
    write(tmp_path, food=f'extends = "x.toml"\n{FOOD}', main=f'catalogue = "food.toml"\n{small}')
    with pytest.raises(
        ScenarioError, match=r"food\.toml:1:11: extends cannot stand in a catalogue"
    ):
        load(tmp_path / "main.toml")


def test_shipped_files_are_found_where_the_own_folder_has_none(shelves: Path, small: str) -> None:
    write(shelves, main=f'catalogue = "food.toml"\n{small}', upper='extends = "shipped_one"\n')
    assert load(shelves / "main.toml").ingredients[0].id == "fish"
    assert load(shelves / "upper.toml") == load("shipped_one")
    write(shelves, food=FOOD.replace("fish", "meat"))
    assert load(shelves / "main.toml").ingredients[0].id == "meat"


def test_a_shipped_name_is_not_hidden_by_a_folder_of_the_name(
    shelves: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shelves)
    (shelves / "shipped_one").mkdir()
    assert load("shipped_one").campaign.name == "small"
    assert shipped.shipped_scenarios() == ["shipped_one"]


@pytest.mark.parametrize("name", ["shiped_one", "./nowhere/shipped_one.tml"])
def test_an_unknown_name_brings_the_known_ones(shelves: Path, name: str) -> None:
    with pytest.raises(ScenarioError, match="shipped_one") as caught:
        load(name)
    near = caught.value.faults[0].near
    assert near == ("shipped_one" if name == "shiped_one" else None)
    assert shelves.exists()


def test_a_mistyped_file_brings_a_near_one_of_its_folder(tmp_path: Path, small: str) -> None:
    write(tmp_path, landing=small)
    with pytest.raises(ScenarioError, match=r'did you mean "landing\.toml"'):
        load(tmp_path / "lnding.toml")
    write(tmp_path, upper='extends = "landin.toml"\n')
    with pytest.raises(ScenarioError, match=r'did you mean "landing\.toml"'):
        load(tmp_path / "upper.toml")


def test_the_map_is_found_from_the_file_that_names_it_and_kept_in_the_scenario(
    tmp_path: Path, small: str
) -> None:
    (tmp_path / "lower").mkdir()
    (tmp_path / "lower" / "m.graphml").write_bytes(b'\xef\xbb\xbf<graphml\r\n a="\\"/>\r\n')
    write(tmp_path / "lower", base=small.replace("[planet]", '[planet]\nmap = "m.graphml"'))
    write(tmp_path, upper='extends = "lower/base.toml"\n')
    scenario = load(tmp_path / "upper.toml")
    assert scenario.planet.map_text == '<graphml\n a="\\"/>\n'
    assert load_text(resolved_toml(scenario)) == scenario
    (tmp_path / "m.graphml").write_text("<graphml/>")
    other = load(tmp_path / "lower" / "base.toml", sets=[f"planet.map={tmp_path}/m.graphml"])
    assert digest(other) != digest(scenario)


def test_the_largest_map_that_is_read_can_be_read_again_from_the_resolved_scenario(
    tmp_path: Path, small: str
) -> None:
    write(tmp_path, main=small.replace("[planet]", '[planet]\nmap = "m.json"'))
    (tmp_path / "m.json").write_text('"' * 198_000 + "x" * 3_300_000)
    scenario = load(tmp_path / "main.toml")
    assert load_text(resolved_toml(scenario)) == scenario
    (tmp_path / "m.json").write_text('"' * 201_000)
    with pytest.raises(ScenarioError, match="too many quotation marks and lines"):
        load(tmp_path / "main.toml")
    (tmp_path / "m.json").write_text("x" * 4_000_000)
    with pytest.raises(ScenarioError, match="is too large"):
        load(tmp_path / "main.toml")


def test_a_missing_map_hides_no_other_fault(tmp_path: Path, small: str) -> None:
    wrong = small.replace("[planet]", '[planet]\nmap = "m.graphml"').replace("iron = 5", "irn = 5")
    write(tmp_path, main=wrong)
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "main.toml")
    keys = [fault.key for fault in caught.value.faults]
    assert keys == ["planet.map", "colonies[0].stores.irn"]


def test_origins_tell_later_checks_where_a_key_was_given(tmp_path: Path, small: str) -> None:
    write(tmp_path, base=small, upper='extends = "base.toml"\n[planet]\nshape = "line"\n')
    origins = load_with_origins(tmp_path / "upper.toml", sets=["campaign.seed=3"]).origins
    paths = [("planet", "shape"), ("colonies", 0, "sector"), ("campaign", "seed")]
    places = [Path(str(origins.place(path))).name for path in paths]
    assert places == ["upper.toml:3:9", "base.toml:24:10", "--set 1: campaign.seed=3"]
    assert str(origins.place(("planet", "shape"), of_key=True)).endswith("upper.toml:3:1")


def test_deep_tables_behind_many_faults_do_not_break_the_layering(tmp_path: Path) -> None:
    deep = "{a.b.c.d.e.f.g.h.i.j.k.l.m.n.o=" * 31 + "1" + "}" * 31
    text = f"deep = {deep}\nodd = [{'nan, ' * 300}]\n"
    write(tmp_path, base=text, upper=f'extends = "base.toml"\n{text}')
    with pytest.raises(ScenarioError, match="deep is not a known key"):
        load(tmp_path / "upper.toml")


def test_reading_counts_all_files_of_a_scenario_together(tmp_path: Path, small: str) -> None:
    hunts = "".join(f'm{n} = {{kind = "hunt"}}\n' for n in range(5_999))
    much = f'[missions]\ngather = {{kind = "gather"}}\n{hunts}'
    write(tmp_path, base=f"{small}{much}", upper=f'extends = "base.toml"\n{much}')
    assert "m5998" in load(tmp_path / "base.toml").missions
    with pytest.raises(ScenarioError) as caught:
        load(tmp_path / "upper.toml")
    (fault,) = caught.value.faults
    assert fault.place.file.endswith("base.toml")
    assert fault.problem.startswith("has too many keys and values: the limits are 20000")
