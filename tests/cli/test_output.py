"""What is printed cannot break a line, a terminal or a spreadsheet."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from worldsim.cli.output import (
    clean,
    counted,
    print_csv,
    print_json,
    print_table,
    sparkline,
)
from worldsim.views.cells import csv_cell

if TYPE_CHECKING:
    from collections.abc import Iterator

HOSTILE = ["\x1b[31mred\x1b[0m", "a\nb", "\x9b2J", "\x07bell", "\u202ertl", "tab\tbed", "\x00"]


@pytest.mark.parametrize("text", HOSTILE)
def test_cleaned_text_holds_nothing_that_drives_a_terminal(text: str) -> None:
    assert clean(text).isprintable()
    assert clean({"name": [text]}).isprintable()


def test_cleaning_keeps_what_can_be_read() -> None:
    assert clean("\x1b[31mred\x1b[0m") == "red"
    assert clean("a\nb") == "a b"
    assert clean("Żółć 🙂") == "Żółć 🙂"
    assert clean(None) == ""
    assert clean(0.1 + 0.2) == "0.3"
    assert clean({"berry": 3}) == '{"berry":3}'


@pytest.mark.parametrize("text", ["=1+1", "+cmd()", "-2+3", "@sum(a1)", "\x1b=x", "\n=x"])
def test_a_csv_cell_is_never_a_formula(text: str) -> None:
    assert str(csv_cell(text)).startswith("'")


@pytest.mark.parametrize("value", [-3, 2.5, "-3", "+2.5", "-1e-9", "plain", "a=b"])
def test_numbers_and_plain_text_stay_as_they_are_in_csv(value: object) -> None:
    assert csv_cell(value) == value


def test_csv_quotes_what_holds_a_comma(capsys: pytest.CaptureFixture[str]) -> None:
    print_csv(["name", "=n"], [["a,b", -1], [None, {"x": 1}]])
    assert capsys.readouterr().out == 'name,\'=n\n"a,b",-1\n,"{""x"":1}"\n'


def test_json_has_null_where_json_has_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": float("nan"), "b": [float("inf"), 1.5], "c": "\x1b[2J"})
    out = capsys.readouterr().out
    assert json.loads(out) == {"a": None, "b": [None, 1.5], "c": "\x1b[2J"}
    assert "\x1b" not in out


def test_a_piped_table_cuts_and_wraps_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    long = "x" * 300
    print_table(["text", "n"], [[long, 1], ["y", 20], [HOSTILE[0], 3]], indent=2)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"  {long}   1"
    assert lines[2].endswith(" 20")
    assert "red" in lines[3]
    assert len(lines) == 4


def test_a_table_too_wide_for_the_terminal_becomes_paragraphs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worldsim.cli.output.page_columns", lambda: 20)
    print_table(["name", "a", "b"], [["x" * 9, 123456, 654321], ["y", 1, 2]])
    out = capsys.readouterr().out
    assert out.splitlines()[:4] == [
        "row 1",
        "  name  xxxxxxxxx",
        "  a     123456",
        "  b     654321",
    ]


def test_a_table_that_fits_when_its_text_is_folded_stays_a_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worldsim.cli.output.page_columns", lambda: 30)
    print_table(["text", "n"], [["one two three four five six seven", 12345]])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert max(map(len, lines)) <= 30
    assert lines[1].endswith(" 12345")


def test_rows_are_printed_as_they_come(capsys: pytest.CaptureFixture[str]) -> None:
    printed: list[int] = []

    def rows() -> Iterator[list[object]]:
        for n in range(3000):
            if n == 2500:
                printed.append(capsys.readouterr().out.count("\n"))
            yield [n, "x" * (n // 1000)]

    print_table(["n", "text"], rows())
    assert printed[0] > 2000
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == "2999  xx"


def test_wide_characters_fill_two_columns_of_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(["name", "n"], [["黄金", "a"], ["gold", "b"]])
    assert capsys.readouterr().out.splitlines()[1:] == ["黄金  a", "gold  b"]


def test_one_is_counted_as_one() -> None:
    assert counted(1, "trip") == "1 trip"
    assert counted(0, "trip") == "0 trips"
    assert counted(1, "colony", "colonies") == "1 colony"
    assert counted(2000, "colony", "colonies") == "2,000 colonies"


def test_the_lowest_bar_of_a_sparkline_means_nothing_left() -> None:
    assert sparkline([1.0, 0.5, 0.001, 0.0]) == "█▅▂▁"
    assert sparkline([7.0, -1.0]) == "█▁"
