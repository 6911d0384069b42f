"""A scenario written out again, named by a digest and described by a schema."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from worldsim.scenario import (
    ScenarioError,
    digest,
    json_schema,
    load_text,
    resolved_toml,
)
from worldsim.scenario.expectations import PATTERNS
from worldsim.scenario.model import Scenario

PRINTED = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])
NAMES = st.from_regex(r"\A[a-z][a-z0-9_]{0,8}\Z")
INGREDIENTS = st.fixed_dictionaries(
    {"kind": st.sampled_from(["meat", "metal"]), "reserve": st.integers(0, 10**12)},
    optional={"regrowth": st.floats(0, 1), "unit_weight": st.integers(0, 9)},
)
MEMBERS = st.fixed_dictionaries(
    {
        "class": st.sampled_from(["leader", "scout"]),
        "name": st.text(PRINTED, min_size=1, max_size=9),
    },
    optional={"quality": st.integers(1, 13), "skills": st.just({"speed": 50.5, "manual": 40})},
)
EFFECTS = st.sampled_from(
    [{"effect": "find", "units": 2}, {"effect": "health", "amount": -5}, {"effect": "nothing"}]
)


@st.composite
def scenarios(draw: st.DrawFn) -> dict[str, Any]:
    """Right scenarios as plain data, with every kind of nesting the model has."""
    ids = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    members = draw(st.lists(MEMBERS, min_size=1, max_size=3, unique_by=lambda each: each["name"]))
    entry = {"id": "e", "weight": 1.5, "effects": draw(st.lists(EFFECTS, max_size=3))}
    return {
        "schema": 1,
        "campaign": {
            "name": draw(NAMES),
            "days": draw(st.integers(1, 900)),
            "description": draw(st.text(PRINTED)),
        },
        "ingredients": [{"id": name, **draw(INGREDIENTS)} for name in ids],
        "event_tables": {"terrain": [entry]},
        "colonies": [
            {
                "id": "alpha",
                "stores": dict.fromkeys(ids, 3),
                "teams": [{"id": "t", "members": members}],
            }
        ],
        "rules": {"gathering": {"one_success_cost": draw(st.sampled_from([0, 1, 2]))}},
        "planet": {"region_weights": draw(st.just([]) | st.just([0.1, 2, 3e-7, 4, 5, 1e9]))},
    }


@settings(max_examples=40)
@given(scenarios())
def test_the_resolved_text_loads_to_an_equal_scenario(data: dict[str, Any]) -> None:
    scenario = Scenario.model_validate(data)
    text = resolved_toml(scenario)
    again = load_text(text)
    assert again == scenario
    assert digest(again) == digest(scenario)
    assert resolved_toml(again) == text


def test_the_resolved_text_writes_out_every_default_and_override(small: str) -> None:
    data = tomllib.loads(resolved_toml(load_text(small, sets=["planet.regions=4"])))
    assert data["planet"]["regions"] == 4
    assert data["rules"]["gathering"]["presence"]["legendary"] == 0.03
    assert data["rules"]["teams"]["profiles"]["secret"]["dice"]["stealth"] == 3
    assert data["missions"]["hunt"]["kind"] == "hunt"
    assert data["record"]["segment_days"] == 90


@pytest.mark.parametrize(
    "free", ["campaign.days=9", "campaign.seed=9", "record.level=debug", "record.segment_days=5"]
)
def test_the_horizon_the_seed_and_the_record_are_not_in_the_digest(small: str, free: str) -> None:
    assert digest(load_text(small, sets=[free])) == digest(load_text(small))


@pytest.mark.parametrize(
    "bound",
    [
        "campaign.name=other",
        "planet.regions=4",
        "ingredients.iron.reserve=101",
        "rules.gathering.one_success_cost=0",
        "rules.reserves.sector_share=0.4",
        "colonies.alpha.teams.one.crew.size=4",
    ],
)
def test_all_else_is_in_the_digest(small: str, bound: str) -> None:
    assert digest(load_text(small, sets=[bound])) != digest(load_text(small))


def test_the_digest_knows_no_writing_order_and_no_defaults_written_out(small: str) -> None:
    before, mark, colonies = small.partition("[[colonies]]")
    schema, head, tables = before.partition("[campaign]")
    turned = f"{schema}{mark}{colonies}{head}{tables}"
    assert turned != small
    assert digest(load_text(turned)) == digest(load_text(small))
    written = load_text(
        small, sets=["rules.gathering.miss_cost=2", "rules.reserves.sector_share=0.50"]
    )
    assert digest(written) == digest(load_text(small))


def test_the_digest_is_the_same_in_every_process(small: str) -> None:
    code = (
        "import sys; from worldsim.scenario import load_text, digest, resolved_toml;"
        "s = load_text(sys.stdin.read()); print(digest(s)); print(resolved_toml(s))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            input=small,
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        ).stdout
        for seed in ("0", "1")
    }
    (output,) = outputs
    assert output.startswith(digest(load_text(small)))


def test_the_schema_for_editors_takes_right_files_and_parts_and_refuses_wrong_ones(
    small: str,
) -> None:
    schema = json_schema()
    Draft202012Validator.check_schema(schema)
    check = Draft202012Validator(schema)
    right = [
        tomllib.loads(small),
        tomllib.loads(resolved_toml(load_text(small))),
        {"extends": "base.toml", "campaign": {"days": 3}},
        {"catalogue": ["a.toml", "b.toml"]},
    ]
    wrong = [{"extends": 3}, {"planet": {"regions": 0}}, {"plannet": {}}, {"catalogue": [3]}]
    assert [check.is_valid(json.loads(json.dumps(data))) for data in right] == [True] * 4
    assert [check.is_valid(data) for data in wrong] == [False] * 4


def test_every_form_a_text_must_have_is_told_in_words() -> None:
    def patterns(node: Any) -> set[str]:
        if isinstance(node, list):
            return set().union(*map(patterns, node))
        if not isinstance(node, dict):
            return set()
        own = {node["pattern"]} if isinstance(node.get("pattern"), str) else set()
        own |= set(node.get("patternProperties", ()))
        return own.union(*map(patterns, node.values()))

    found = patterns(Scenario.model_json_schema())
    assert found
    assert found == set(PATTERNS)


def test_a_scenario_cannot_be_changed(small: str) -> None:
    scenario = load_text(small)
    with pytest.raises(ValueError, match="frozen"):
        scenario.planet.regions = 9  # type: ignore[misc]
    assert isinstance(scenario, Scenario)
    with pytest.raises(ScenarioError):
        load_text(small.replace("regions = 3", "regions = 0"))
