"""``--set``: overrides reach every key, and a wrong one is named by its number."""

from __future__ import annotations

from typing import Any

import pytest

from worldsim.scenario import ScenarioError, load_text


@pytest.mark.parametrize(
    ("override", "path", "value"),
    [
        ("planet.regions=9", "planet.regions", 9),
        ("planet.regions = 0x9", "planet.regions", 9),
        ("planet.shape=line", "planet.shape", "line"),
        ('planet.shape="line"', "planet.shape", "line"),
        ("planet . shape=line", "planet.shape", "line"),
        ("rules.gathering.hard_limit=false", "rules.gathering.hard_limit", False),
        ("rules.reserves.sector_share=1", "rules.reserves.sector_share", 1.0),
        ("campaign.description=a=b", "campaign.description", "a=b"),
        ("campaign.description=two words", "campaign.description", "two words"),
        ("planet.region_weights=[1, 2, 3]", "planet.region_weights", (1.0, 2.0, 3.0)),
        ("colonies.0.sector=r2/s1", "colonies.0.sector", "r2/s1"),
        ("colonies.alpha.sector=r2/s1", "colonies.0.sector", "r2/s1"),
        ("colonies[0].teams[0].profile=ark", "colonies.0.teams.0.profile", "ark"),
        ("colonies.alpha.teams.one.vehicles=3", "colonies.0.teams.0.vehicles", 3),
        ("colonies.alpha.teams.one.crew={size = 7}", "colonies.0.teams.0.crew.size", 7),
        ('colonies.alpha.stores."berry"=4', "colonies.0.stores", {"iron": 5, "berry": 4}),
        ("ingredients.berry.reserve=1", "ingredients.1.reserve", 1),
        ("record.level=debug", "record.level", "debug"),
    ],
)
def test_an_override_changes_the_value_it_names(
    small: str, override: str, path: str, value: Any
) -> None:
    found: Any = load_text(small, sets=[override])
    for part in path.split("."):
        found = found[int(part)] if part.isdigit() else getattr(found, part)
    assert found == value


def test_of_two_overrides_of_one_key_the_last_holds(small: str) -> None:
    sets = ["campaign.days=3", "campaign.days=4"]
    assert load_text(small, sets=sets).campaign.days == 4


@pytest.mark.parametrize(
    ("override", "says"),
    [
        ("planet.regions=0", ["planet.regions is too small", "from 1 to 2000"]),
        ("planet.regoins=5", ["planet.regoins is not a known key", 'did you mean "regions"?']),
        ("planet.shape=rng", ["is none of the choices", 'did you mean "ring"?']),
        ("planet.shape", ["is not an override", "KEY=VALUE"]),
        ("=5", ["is not an override"]),
        ("", ["is not an override"]),
        ("planet..shape=ring", ["is not an override"]),
        ("planet.shape=", ["planet.shape has a value that is not TOML"]),
        ('planet.shape="ring', ["has a value that is not TOML", "a TOML value"]),
        ("planet.region_weights=[1, 2", ["has a value that is not TOML"]),
        ("planet.shape=ring\nplanet.regions=5", ["planet.shape has a value that is not TOML"]),
        ("planet.regions=5\n[campaign]\ndays=3", ["planet.regions has a value that is not TOML"]),
        ("planet.shape.x=5", ["planet.shape has nothing inside", '"ring"']),
        ("colonies.7.sector=r1/s1", ["colonies has no such item", "a number below 1", "alpha"]),
        ("colonies.alpa.sector=r1/s1", ["colonies has no such item", 'did you mean "alpha"?']),
        ("colonies.-1.sector=r1/s1", ["colonies has no such item"]),
        ("colonies.alpha.targets.0=r1/s1", ["colonies[0].targets has the wrong type"]),
        ("colonies.alpha.script.0.day=1", ["colonies[0].script has the wrong type"]),
        ("extends=x.toml", ["extends cannot be set"]),
        ("catalogue=x.toml", ["catalogue names a file that is not there"]),
        ("campaign.days=nan", ["campaign.days is not a finite number"]),
        ("campaign.seed=" + "9" * 30, ["campaign.seed is too large a number"]),
        ("campaign.seed=" + "9" * 300, ["has a key or number too long"]),
        ("campaign.days=2026-01-01", ["campaign.days is a date or time"]),
        ("a" + ".a" * 100_000 + "=1", ["has a key with too many dots"]),
        ("planet.region_weights=" + "[" * 100_000, ["is nested too deeply"]),
        ("campaign.description=\x1b[31m", ["holds the control character", r"\x1b"]),
        ("schema=2", ["schema is none of the choices", "right would be 1"]),
        ("colonies=5", ["colonies has the wrong type", "a list"]),
    ],
)
def test_a_wrong_override_is_named_by_its_number(
    small: str, override: str, says: list[str]
) -> None:
    with pytest.raises(ScenarioError) as caught:
        load_text(small, sets=["campaign.days=9", override])
    (fault,) = caught.value.faults
    message = str(caught.value)
    assert fault.place.file.startswith("--set 2: ")
    for words in says:
        assert words in message
    assert all(line.isprintable() for line in message.split("\n"))
    assert len(message) < 1000
