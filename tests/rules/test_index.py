"""Each rule can be followed from its id to its code and its tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from worldsim.rules.index import (
    PACKAGE,
    folder_of_tests,
    implemented,
    proved,
    rules_in,
    source_of,
)
from worldsim.rules.rulebook import RULES

if TYPE_CHECKING:
    from pathlib import Path

SECTIONS = {
    "DICE": 8, "FAT": 8, "CHAR": 5, "TEAM": 10, "RES": 6, "MAP": 2, "DAY": 3, "SURV": 6,
    "MOVE": 5, "ACT": 4, "GATH": 10, "BAT": 18,
}  # fmt: skip
IDS = [f"{section}-{number}" for section, last in SECTIONS.items() for number in range(1, last + 1)]


@pytest.fixture(scope="module", name="code")
def _code() -> dict[str, object]:
    return dict(implemented())


@pytest.fixture(scope="module", name="tests")
def _tests() -> dict[str, object]:
    folder = folder_of_tests()
    assert folder is not None
    return dict(proved(folder))


def test_the_rulebook_has_a_sentence_for_each_rule_and_for_no_other() -> None:
    assert list(RULES) == IDS


@pytest.mark.parametrize("rule", IDS)
def test_a_function_or_class_names_the_rule(rule: str, code: dict[str, object]) -> None:
    assert code.get(rule)


@pytest.mark.parametrize("rule", IDS)
def test_a_test_is_marked_with_the_rule(rule: str, tests: dict[str, object]) -> None:
    assert tests.get(rule)


def test_code_and_tests_name_no_rule_that_does_not_exist(
    code: dict[str, object], tests: dict[str, object]
) -> None:
    assert {*code, *tests} <= set(IDS)


@pytest.mark.parametrize(
    ("docstring", "expected"),
    [
        ("Rule GATH-6 [P].", [("GATH-6", ("P",))]),
        ("Says.\n\nRule DICE-1, DICE-3 [D].", [("DICE-1", ("D",)), ("DICE-3", ("D",))]),
        ("Rules MOVE-1 to MOVE-3 [P].", [(f"MOVE-{n}", ("P",)) for n in (1, 2, 3)]),
        ("Rule ACT-1 and ACT-2 [P], [us].", [("ACT-1", ("P", "us")), ("ACT-2", ("P", "us"))]),
        ("    Rule DICE-7 [D]; the minimum is a reading [us].", [("DICE-7", ("D", "us"))]),
        ("Rule FAT-1.", [("FAT-1", ())]),
        ("As Rule FAT-1 says [D].", []),
        ("Ruler FAT-1 [D].", []),
    ],
)
def test_a_rule_line_names_its_rules_and_where_they_come_from(
    docstring: str, expected: list[tuple[str, tuple[str, ...]]]
) -> None:
    assert rules_in(docstring) == expected


def test_methods_are_found_with_their_class_line_and_text(tmp_path: Path) -> None:
    package = tmp_path / "worldsim"
    (package / "rules").mkdir(parents=True)
    (package / "rules" / "dice.py").write_text(
        'class Dice:\n    @staticmethod\n    def test() -> int:\n        """Roll.\n\n'
        '        Rule DICE-5 [D].\n        """\n        return 1\n'
    )
    [place] = implemented(package)["DICE-5"]
    assert (place.module, place.name, place.line) == ("worldsim.rules.dice", "Dice.test", 3)
    assert (place.says, place.sources) == ("Roll.", ("D",))
    text = source_of(place)
    assert text.startswith("    @staticmethod")
    assert text.endswith("return 1")


def test_source_that_moved_meanwhile_is_not_mistaken_for_another(tmp_path: Path) -> None:
    package = tmp_path / "worldsim"
    (package / "rules").mkdir(parents=True)
    file = package / "rules" / "dice.py"
    file.write_text('def one() -> None:\n    """One.\n\n    Rule DICE-1 [D].\n    """\n')
    [place] = implemented(package)["DICE-1"]
    file.write_text("def two() -> None:\n    pass\n")
    with pytest.raises(LookupError, match="one is not in"):
        source_of(place)


def test_marks_count_on_functions_classes_modules_and_parameters(tmp_path: Path) -> None:
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_a.py").write_text(
        'pytestmark = pytest.mark.rule("DAY-1")\n'
        '@pytest.mark.rule("DAY-2")\nclass TestB:\n    def test_in_class(self): pass\n'
        '@pytest.mark.parametrize("x", [pytest.param(1, marks=pytest.mark.rule("DAY-3"))])\n'
        "def test_with_parameter(x): pass\n"
        '@pytest.mark.rule("ACT-1")\ndef helper(): pass\n'
    )
    found = {rule: [place.name for place in places] for rule, places in proved(tests).items()}
    assert found == {
        "DAY-1": ["TestB.test_in_class", "test_with_parameter"],
        "DAY-2": ["TestB.test_in_class"],
        "DAY-3": ["test_with_parameter"],
    }


def test_an_installed_package_has_no_tests_beside_it(tmp_path: Path) -> None:
    assert folder_of_tests(tmp_path / "site-packages" / "worldsim") is None
    assert folder_of_tests(PACKAGE) == PACKAGE.parent / "tests"
