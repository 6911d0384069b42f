"""``worldsim rules``: the rulebook, from a rule to its options, code and tests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from worldsim.cli.examples import ExampleCommand
from worldsim.cli.options import json_option
from worldsim.cli.output import heading, note, print_json, print_table, say

if TYPE_CHECKING:
    from worldsim.rules.index import Index, Place

SOURCES = {
    "P": "away teams",
    "B": "battle",
    "D": "dice pools",
    "W": "the wiki",
    "us": "our choice",
}


@click.command(
    cls=ExampleCommand,
    examples=[
        ("worldsim rules", "all rules"),
        ("worldsim rules GATH-6", "one rule"),
        ("worldsim rules DICE-1 DICE-7", "several"),
        ("worldsim rules DICE-7 --json", ""),
    ],
)
@click.argument("rules", metavar="[ID]...", nargs=-1)
@json_option
def command(rules: tuple[str, ...], *, as_json: bool) -> None:
    """List all rules, or print each rule ID with its options, source, code and tests."""
    from worldsim.rules.index import folder_of_tests, implemented, proved  # noqa: PLC0415

    code, folder = implemented(), folder_of_tests()
    tests = proved(folder) if folder else {}
    names = list(dict.fromkeys(map(_known, rules)))
    if not names:
        _list_rules(code, tests, as_json=as_json)
    elif as_json:
        documents = [_rule_json(name, code.get(name, []), tests.get(name, [])) for name in names]
        print_json(documents[0] if len(documents) == 1 else documents)
    for number, name in enumerate(() if as_json else names):
        if number:
            say("")
        _print_rule(name, code.get(name, []), tests.get(name, []))
    if folder is None and not as_json:
        note("Tests are listed in a checkout only.")


def _known(rule: str) -> str:
    """The id a person means.

    Raises:
        click.BadParameter: there is no such rule.
    """
    from worldsim.rules.rulebook import RULES  # noqa: PLC0415 -- not for --help
    from worldsim.scenario.near import nearest  # noqa: PLC0415

    if rule.upper() in RULES:
        return rule.upper()
    near = nearest(rule, RULES)
    hint = f"Did you mean {near}?" if near else "All rules: worldsim rules"
    raise click.BadParameter(f"there is no rule {rule!r}. {hint}", param_hint="ID")


def _list_rules(code: Index, tests: Index, *, as_json: bool) -> None:
    from worldsim.rules.rulebook import RULES  # noqa: PLC0415
    from worldsim.scenario.reference import options_by_rule  # noqa: PLC0415 -- loads the scenario

    options = options_by_rule()
    columns = ("rule", "says", "options", "code", "tests")
    rows = [
        (rule, says, options.get(rule, 0), len(code.get(rule, ())), len(tests.get(rule, ())))
        for rule, says in RULES.items()
    ]
    if as_json:
        print_json([dict(zip(columns, row, strict=True)) for row in rows])
    else:
        print_table(columns, rows)


def _sources(code: list[Place]) -> list[str]:
    return list(dict.fromkeys(source for place in code for source in place.sources))


def _rule_json(rule: str, code: list[Place], tests: list[Place]) -> dict[str, Any]:
    from worldsim.rules.index import source_of  # noqa: PLC0415
    from worldsim.rules.rulebook import RULES  # noqa: PLC0415
    from worldsim.scenario.reference import options_of  # noqa: PLC0415 -- loads the scenario

    return {
        "rule": rule,
        "says": RULES[rule],
        "sources": _sources(code),
        "options": [option.as_json() for option in options_of(rule)],
        "code": [_as_json(place, source_of(place)) for place in code],
        "tests": [_as_json(place) for place in tests],
    }


def _print_rule(rule: str, code: list[Place], tests: list[Place]) -> None:
    from worldsim.rules.index import source_of  # noqa: PLC0415
    from worldsim.rules.rulebook import RULES  # noqa: PLC0415
    from worldsim.scenario.reference import options_of  # noqa: PLC0415 -- loads the scenario

    say(f"{heading(rule)}  {RULES[rule]}")
    if sources := _sources(code):
        say("source: " + ", ".join(f"[{name}] {SOURCES.get(name, '')}" for name in sources))
    for option in options_of(rule):
        say(f"\n{heading(option.key)} = {option.default}    ({option.values})")
        say(f"    {option.says}")
    for place in code:
        say(f"\n{heading(f'{place.module}.{place.name}')}  {_spot(place)}\n")
        say(source_of(place))
    if tests:
        say(f"\n{heading('Tests')}")
    for place in tests:
        say(f"  {_spot(place)}  {place.says}")


def _spot(place: Place) -> str:
    """File and line, as editors and terminals take them."""
    from worldsim.rules.index import PACKAGE  # noqa: PLC0415 -- not for --help

    root = PACKAGE.parent
    return f"{place.file.relative_to(root).as_posix()}:{place.line}"


def _as_json(place: Place, text: str | None = None) -> dict[str, Any]:
    fields = {"name": f"{place.module}.{place.name}", "file": _spot(place), "says": place.says}
    return fields if text is None else {**fields, "text": text}
