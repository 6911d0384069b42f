"""The shipped scenarios load by name, from anywhere, and say the same when written out."""

from __future__ import annotations

import tomllib
from typing import TYPE_CHECKING

import pytest

from worldsim.scenario import (
    configs_dir,
    digest,
    load,
    load_text,
    resolved_toml,
    shipped,
    shipped_scenarios,
)

if TYPE_CHECKING:
    from pathlib import Path

CATALOGUES = sorted(path.name for path in (configs_dir() / "catalogues").glob("*.toml"))


def test_the_promised_scenarios_are_shipped() -> None:
    assert {"first_landing", "lone_colony", "long_depletion"} <= set(shipped_scenarios())
    assert CATALOGUES


@pytest.mark.parametrize("name", shipped_scenarios())
def test_a_shipped_scenario_loads_by_name_from_any_folder(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    scenario = load(name)
    assert scenario.campaign.name == name
    again = load_text(resolved_toml(scenario))
    assert again == scenario
    assert digest(again) == digest(scenario)


@pytest.mark.parametrize("name", CATALOGUES)
def test_a_shipped_catalogue_is_named_by_a_scenario_or_lies_under_one(
    name: str, small: str
) -> None:
    tables = tomllib.loads((configs_dir() / "catalogues" / name).read_text())
    scenario = load_text(f'catalogue = "{name}"\n{small.replace("berry", "berry_x")}')
    for item in tables.get("ingredients", []):
        assert item["id"] in {each.id for each in scenario.ingredients}
    assert set(tables.get("event_tables", {})) <= set(scenario.event_tables)
    assert len(tables.get("wildlife", [])) == len(scenario.wildlife)


def test_an_installed_package_finds_its_configs_inside_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "worldsim"
    (package / "configs" / "scenarios").mkdir(parents=True)
    (tmp_path / "site" / "configs" / "scenarios").mkdir(parents=True)
    monkeypatch.setattr(shipped, "PACKAGE", package)
    assert shipped.configs_dir() == package / "configs"


def test_a_checkout_finds_its_configs_beside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "worldsim").mkdir()
    (tmp_path / "configs" / "scenarios").mkdir(parents=True)
    monkeypatch.setattr(shipped, "PACKAGE", tmp_path / "worldsim")
    assert shipped.configs_dir() == tmp_path / "configs"
