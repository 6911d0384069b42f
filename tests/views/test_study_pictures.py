"""Pictures of a study: the figures are those that `worldsim study` prints, names are only text."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from made_studies import HOSTILE, MORRIS, Made, costs, hostile_factors, wavy

from worldsim.study.analysis import changes, figures, sensitivity
from worldsim.study.inputs import NoEstimateError
from worldsim.study.survival import Times, quantile_day, survival_curve
from worldsim.views.pictures.study import (
    STUDY_PICTURES,
    Gap,
    NoStudyPictureError,
    pictures_and_gaps,
    study_picture,
    study_pictures,
)
from worldsim.views.pictures.study_rows import column

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from worldsim.study.study import Study
    from worldsim.views.pictures.picture import Picture

pytestmark = pytest.mark.needs("plotly")
SALTELLI = MORRIS.replace('"morris"', '"saltelli"\nsecond_order = true')


def made(folder: Path, more: str | None = None, **given: Any) -> Study:
    values = given.pop("values", wavy)
    return Made(folder, values, costs(0, 1, 2) if more is None else more, **given).study()


def names(study: Study) -> list[str]:
    return [each.name for each in study_pictures(study)]


def texts(value: Any) -> list[str]:
    """All texts anywhere in a figure."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, each in value.items() if key != "template" for text in texts(each)]
    return [text for each in value for text in texts(each)] if isinstance(value, list) else []


def plain(picture: Picture) -> dict[str, Any]:
    """A figure as a page gets it."""
    told: dict[str, Any] = json.loads(picture.figure.to_json())
    return told


def test_the_cells_compared_have_the_means_and_intervals_that_study_show_has(
    tmp_path: Path,
) -> None:
    study = made(tmp_path)
    picture = study_picture(study, "cells", "taken")
    found = figures(study.plan, study.rows, "taken")
    shown: tuple[tuple[str, Callable[[Any], Any]], ...] = (
        ("mean", lambda f: f.mean.estimate),
        ("t_low", lambda f: f.mean.low),
        ("t_high", lambda f: f.mean.high),
        ("bootstrap_low", lambda f: f.bootstrap.low),
        ("bootstrap_note", lambda f: f.bootstrap.note),
        ("q95", lambda f: f.quantiles[0.95]),
        ("n", lambda f: f.n),
    )
    for name, of in shown:
        assert column(picture.table, name) == [of(each) for each in found], name
    drawn = picture.figure.data[0]
    assert list(drawn.x) == column(picture.table, "mean")
    reach = np.add(drawn.x, drawn.error_x.array)
    assert reach == pytest.approx(column(picture.table, "t_high"))


def test_a_bootstrap_of_few_campaigns_is_shown_with_its_warning(tmp_path: Path) -> None:
    few = study_picture(made(tmp_path), "cells")
    assert "holds the truth less often than 95%: have 50 or more" in few.says
    (tmp_path / "more").mkdir()
    more = study_picture(made(tmp_path / "more", replications=60), "cells")
    assert "less often" not in more.says


def test_differences_have_the_figures_that_study_compare_has(tmp_path: Path) -> None:
    study = made(tmp_path)
    picture = study_picture(study, "differences", "taken")
    found = changes(study.plan, study.rows, "taken", study.plan.cells[0])
    shown: tuple[tuple[str, Callable[[Any], Any]], ...] = (
        ("difference", lambda c: c.difference.estimate),
        ("label", lambda c: c.cell.label),
        ("low", lambda c: c.difference.low),
        ("high", lambda c: c.difference.high),
        ("zero_share", lambda c: c.comparison.zero_share),
        ("variance_factor", lambda c: c.comparison.variance_factor),
        ("pairs_needed", lambda c: c.needed),
    )
    for name, of in shown:
        assert column(picture.table, name) == [of(each) for each in found], name
    assert "Each of 2 intervals is 95 % by itself" in picture.says
    assert "pairing was worth" in picture.figure.data[0].text[0]


def test_differences_may_be_taken_from_any_cell(tmp_path: Path) -> None:
    study = made(tmp_path)
    last = next(each for each in STUDY_PICTURES if each.kind == "differences")
    picture = last.make(study, "taken", base=2)
    assert column(picture.table, "cell") == [0, 1]
    found = changes(study.plan, study.rows, "taken", study.plan.cells[2])
    assert column(picture.table, "difference") == [each.difference.estimate for each in found]


def test_cells_that_share_no_seeds_are_compared_without_pairs(tmp_path: Path) -> None:
    study = made(tmp_path, "common_random_numbers = false\n" + costs(0, 1))
    picture = study_picture(study, "differences", "taken")
    assert column(picture.table, "method") == ["Welch"]
    assert "share no seeds" in picture.says
    assert column(picture.table, "zero_share") == [None]


def test_the_spread_has_each_campaign_with_its_seed(tmp_path: Path) -> None:
    study = made(tmp_path)
    picture = study_picture(study, "spread", "taken")
    assert len(picture.table.rows) == 36
    for cell, replication, seed, value in zip(
        *(column(picture.table, name) for name in ("cell", "replication", "seed", "value")),
        strict=True,
    ):
        outcome = study.rows[cell, replication]
        assert (seed, value) == (str(outcome.seed), outcome.values["taken"])
    boxes = picture.figure.data[0]
    medians = [each.quantiles[0.5] for each in figures(study.plan, study.rows, "taken")]
    assert list(boxes.median) == medians


def test_effects_of_morris_are_those_of_the_analysis(tmp_path: Path) -> None:
    study = made(tmp_path, MORRIS, replications=2)
    picture = study_picture(study, "sensitivity", "taken")
    told = {each.factor: each for each in sensitivity(study.plan, study.rows, "taken").morris}
    assert len(told) == 2
    for factor, size, low, spread in zip(
        *(
            column(picture.table, name)
            for name in ("factor", "mean_size", "mean_size_low", "spread")
        ),
        strict=True,
    ):
        each = told[factor]
        assert (size, low, spread) == (each.size.estimate, each.size.low, each.spread)
    sizes = column(picture.table, "mean_size")
    assert sizes == sorted(sizes, reverse=True)  # type: ignore[type-var]  # all are numbers
    assert not [each for each in names(study) if each.startswith(("differences", "spread"))]


def test_indices_of_sobol_and_their_pairs_are_those_of_the_analysis(tmp_path: Path) -> None:
    study = made(tmp_path, SALTELLI, replications=1)
    found = sensitivity(study.plan, study.rows, "taken")
    picture = study_picture(study, "sensitivity", "taken")
    told = {each.factor: each for each in found.sobol}
    for factor, first, total in zip(
        *(column(picture.table, name) for name in ("factor", "first", "total")), strict=True
    ):
        assert (first, total) == (told[factor].first.estimate, told[factor].total.estimate)
    together = study_picture(study, "together", "taken")
    assert column(together.table, "share") == [each.share.estimate for each in found.pairs]


def day_or_never(cell: int, replication: int, _: str) -> float | None:
    return None if replication % 3 == 0 else 40.0 + 10 * cell + replication


def test_curves_of_times_are_kaplan_meier_with_the_censored_marked(tmp_path: Path) -> None:
    study = made(tmp_path, costs(0, 1), metrics=["day_50_left"], values=day_or_never)
    picture = study_picture(study, "times", "day_50_left")
    values = [day_or_never(0, n, "") for n in range(12)]
    curve = survival_curve(
        Times(
            np.array([100.0 if each is None else each for each in values]),
            np.array([each is not None for each in values]),
        )
    )
    own = [row for row in picture.table.rows if row[0] == 0]
    assert [row[3] for row in own] == curve.share.tolist()
    assert [row[5] for row in own] == curve.high.tolist()
    assert own[-1][-1] == 4  # campaigns in which it never came
    marks = [each for each in picture.figure.data if each.mode == "markers"]
    assert [list(each.x) for each in marks] == [[100.0], [100.0]]
    median = quantile_day(curve).estimate
    assert f"Cell 0: median day {median:g}." in picture.says


def test_a_mean_of_days_says_that_it_leaves_campaigns_out(tmp_path: Path) -> None:
    study = made(tmp_path, costs(0, 1), metrics=["day_50_left"], values=day_or_never)
    says = study_picture(study, "cells", "day_50_left").says
    assert "are left out, by cell: 0 (4 of 12), 1 (4 of 12)" in says
    assert "the mean day is too early" in says


def test_a_day_that_never_came_is_a_gap_with_its_reason(tmp_path: Path) -> None:
    study = made(tmp_path, metrics=["day_0_left"], values=lambda *_: None)
    gaps = [each for each in pictures_and_gaps(study) if isinstance(each, Gap)]
    reasons = {each.title: each.why for each in gaps}
    assert "was reached in no campaign" in reasons["day_0_left: when it happens"]
    assert "no other cell has values" in reasons["day_0_left: differences of cells"]


def failing(cell: int, replication: int, _: str) -> float | str:
    if cell == 1 and replication < 2:
        return f"<b>boom</b> {replication}"
    if cell == 2 and replication > 8:
        raise LookupError
    return wavy(cell, replication, "")


def test_progress_counts_done_failed_and_missing_in_each_cell(tmp_path: Path) -> None:
    study = made(tmp_path, values=failing, status="interrupted")
    picture = study_picture(study, "progress")
    counts = [row[2:] for row in picture.table.rows]
    assert counts == [(12, 0, 0), (10, 2, 0), (9, 0, 3)]
    assert [list(each.x) for each in picture.figure.data] == [[12, 10, 9], [0, 2, 0], [0, 0, 3]]
    assert "interrupted: 31 of 36 campaigns are done, 2 failed, 3 are missing" in picture.says


def test_failures_tell_of_each_campaign_and_how_to_run_it_alone(tmp_path: Path) -> None:
    study = made(tmp_path, values=failing, status="interrupted")
    picture = study_picture(study, "failures")
    assert column(picture.table, "replication") == [0, 1]
    assert column(picture.table, "error") == ["<b>boom</b> 0", "<b>boom</b> 1"]
    seed = study.plan.seed(1, 0)
    command = column(picture.table, "alone")[0]
    assert isinstance(command, str)
    assert f"--seed {seed} --days 100 --set rules.gathering.one_success_cost=1" in command


def test_a_study_that_is_whole_has_neither_progress_nor_failures(tmp_path: Path) -> None:
    study = made(tmp_path)
    assert names(study) == ["cells-taken", "differences-taken", "spread-taken", "settings"]
    with pytest.raises(NoEstimateError, match="no campaign failed"):
        study_picture(study, "failures")


def test_a_study_of_which_nothing_was_simulated_has_neither_figures_nor_gaps(
    tmp_path: Path,
) -> None:
    def none(*_: object) -> float:
        raise LookupError

    study = made(tmp_path, values=none, status="interrupted")
    assert names(study) == ["progress", "settings"]
    empty = study_picture(study, "cells")  # it may be asked for
    assert "(none yet)" in empty.says
    assert column(empty.table, "mean") == [None] * 3


def test_a_study_of_one_cell_has_no_differences(tmp_path: Path) -> None:
    study = made(tmp_path, "")
    assert names(study) == ["cells-taken", "spread-taken", "settings"]


def test_one_campaign_in_a_cell_has_a_dot_without_whiskers(tmp_path: Path) -> None:
    study = made(tmp_path, replications=1)
    drawn = study_picture(study, "cells").figure.data[0]
    assert list(drawn.x) == [wavy(cell, 0, "") for cell in range(3)]
    assert list(drawn.error_x.array) == [None] * 3


def test_many_cells_are_sorted_and_told_when_pointed_at(tmp_path: Path) -> None:
    study = made(tmp_path, costs(*range(60)), replications=2)
    picture = study_picture(study, "cells")
    assert picture.figure.layout.yaxis.ticktext == ()
    means = list(picture.figure.data[0].x)
    assert means == sorted(means)
    assert len(means) == len(picture.table.rows) == 60
    assert picture.figure.layout.height <= 900


@pytest.mark.parametrize(
    "kind", ["cells", "spread", "differences", "progress", "failures", "settings"]
)
def test_hostile_names_are_only_text_in_every_figure(kind: str, tmp_path: Path) -> None:
    def values(cell: int, replication: int, metric: str) -> float | str:
        return HOSTILE[replication] if replication > 5 else wavy(cell, replication, metric)

    study = made(tmp_path, hostile_factors(), values=values)
    picture = study_picture(study, kind)
    own = re.compile(r"<br>|<extra></extra>|<extra>(done|failed|missing)</extra>|^<b>|</b>$")
    for text in texts(plain(picture)):
        assert "<" not in own.sub("", text), text
        assert all(each.isprintable() for each in text), text
    cells = [cell for row in picture.table.rows for cell in row]
    whole = " ".join([*map(str, cells), *picture.table.columns])
    assert any(name in whole for name in HOSTILE)
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", picture.name)


def test_a_hostile_name_stands_in_no_hover_template(tmp_path: Path) -> None:
    study = made(tmp_path, hostile_factors(), replications=2)
    for picture in study_pictures(study):
        for trace in picture.figure.data:
            assert "alert" not in (getattr(trace, "hovertemplate", None) or "")


def test_a_factor_called_as_a_column_keeps_its_values(tmp_path: Path) -> None:
    more = costs(0, 1).replace('"cost"', '"mean"')
    table = study_picture(made(tmp_path, more), "cells").table
    assert column(table, "factor mean") == [0, 1]
    assert len(set(table.columns)) == len(table.columns)


def test_each_picture_has_units_a_table_sentences_and_a_name_of_its_own(tmp_path: Path) -> None:
    study = made(tmp_path, metrics=["taken", "left_share", "taken.ferrite"], values=failing)
    found = list(study_pictures(study))
    assert len({each.name for each in found}) == len(found) == 12
    for each in found[:-1]:
        assert each.says.endswith(".")
        assert each.table.rows
        assert {len(row) for row in each.table.rows} == {len(each.table.columns)}
        axes = each.figure.layout
        assert axes.xaxis.title.text
        assert axes.yaxis.title.text
    across = {each.name: each.figure.layout.xaxis.title.text for each in found}
    assert across["cells-taken-ferrite"] == "units taken from the ground: ferrite"
    assert across["cells-left-share"] == "share of the stock that is left at the end"


def test_the_python_of_each_picture_makes_the_same_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = made(tmp_path, values=failing, status="interrupted")
    monkeypatch.chdir(tmp_path)
    for picture in study_pictures(study):
        made_again: dict[str, Any] = {}
        lines = picture.python.replace("picture.figure.show()\n", "")
        assert lines != picture.python
        exec(compile(lines, picture.name, "exec"), made_again)  # noqa: S102
        assert made_again["picture"].figure.to_json() == picture.figure.to_json()
        assert str(tmp_path) not in picture.python


def test_a_kind_that_there_is_not_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(NoStudyPictureError, match="there are progress, failures"):
        study_picture(made(tmp_path), "pie")
