"""Pictures of a run: their numbers are the run's."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

import pytest

import worldsim as ws
from worldsim.errors import InputError
from worldsim.views.pictures import RUN_PICTURES, run_picture, run_pictures

if TYPE_CHECKING:
    from collections.abc import Callable

    from worldsim.scenario.model import Scenario
    from worldsim.views.pictures.picture import Picture

pytestmark = pytest.mark.needs("plotly")


@pytest.fixture(scope="module", name="run")
def _run() -> ws.Run:
    """Ninety days of rivals who fight."""
    return ws.simulate(ws.load("contested_frontier"), days=90)


@pytest.fixture(scope="module", name="pictures")
def _pictures(run: ws.Run) -> dict[str, Picture]:
    return {picture.name: picture for picture in run_pictures(run)}


def cells(picture: Picture, *names: str) -> list[tuple[Any, ...]]:
    at = [picture.table.columns.index(name) for name in names]
    return [tuple(row[n] for n in at) for row in picture.table.rows]


def test_a_run_with_battles_has_every_picture(pictures: dict[str, Picture]) -> None:
    assert list(pictures) == [each.name for each in RUN_PICTURES]


@pytest.mark.parametrize("name", [each.name for each in RUN_PICTURES])
def test_each_picture_says_what_is_seen_and_has_a_unit_at_each_axis(
    pictures: dict[str, Picture], name: str
) -> None:
    picture = pictures[name]
    assert picture.says.endswith(".")
    assert picture.table.rows
    assert all(len(row) == len(picture.table.columns) for row in picture.table.rows)
    layout = picture.figure.layout
    if name == "stock-map":  # lengths without coordinates; its unit is that of the colours
        assert layout.xaxis.visible is False
        title = picture.figure.data[1].marker.colorbar.title.text
    else:
        assert layout.yaxis.title.text
        title = layout.xaxis.title.text
    assert any(unit in title for unit in ("day", "units", "% of the start"))


@pytest.mark.parametrize("name", [each.name for each in RUN_PICTURES])
def test_the_python_of_a_picture_draws_the_same_figure(
    pictures: dict[str, Picture], name: str, monkeypatch: pytest.MonkeyPatch, run: ws.Run
) -> None:
    monkeypatch.setattr(ws.Run, "open", lambda _: run)
    monkeypatch.setattr("plotly.basedatatypes.BaseFigure.show", lambda _: None)
    made: dict[str, Any] = {}
    exec(pictures[name].python, made)  # noqa: S102 - it is what is offered to be copied
    assert made["picture"].figure == pictures[name].figure


def test_the_last_frame_of_the_map_is_the_stock_at_the_end(
    run: ws.Run, pictures: dict[str, Picture]
) -> None:
    picture = pictures["stock-map"]
    ends = dict(
        run.query(
            'SELECT place, sum(units) FROM (SELECT place, arg_max("left", day) AS units FROM stocks'
            " GROUP BY place, ingredient) GROUP BY place"
        ).fetchall()
    )
    starts = dict(
        run.query('SELECT place, sum("left") FROM stocks WHERE day = 0 GROUP BY 1').fetchall()
    )
    figure = picture.figure
    names, last = figure.data[1].text, figure.frames[-1]
    assert last.name == "90"
    assert len(names) == len(starts)
    for name, percent in zip(names, last.data[0].marker.color, strict=True):
        assert percent == pytest.approx(100 * ends[name] / starts[name], abs=0.05)
    told = {place: units for place, _, units in cells(picture, "place", "day", "left_units")}
    assert told == ends


def test_the_first_frame_of_the_map_is_full_and_no_place_is_left_out(
    pictures: dict[str, Picture],
) -> None:
    frame = pictures["stock-map"].figure.frames[0]
    assert frame.name == "0"
    assert set(frame.data[0].marker.color) == {100}


def test_maps_of_single_ingredients_add_up_to_that_of_all(
    run: ws.Run, pictures: dict[str, Picture]
) -> None:
    from worldsim.views.pictures.stock_map import draw_each  # noqa: PLC0415 - an extra

    each = dict(draw_each(run))
    assert set(each) == set(run.summary().by_ingredient)
    sums: dict[str, int] = defaultdict(int)
    for picture in each.values():
        for place, day, units in cells(picture, "place", "day", "left_units"):
            if day == 0:
                sums[place] += units
    whole = cells(pictures["stock-map"], "place", "day", "left_units")
    assert dict(sums) == {place: units for place, day, units in whole if day == 0}


@pytest.mark.parametrize("by", ["ingredient", "region"])
def test_curves_begin_and_end_where_the_stocks_do(
    run: ws.Run, pictures: dict[str, Picture], by: str
) -> None:
    rows = cells(pictures[f"stock-by-{by}"], by, "day", "left_units")
    summary = run.summary()
    stocks = summary.by_ingredient if by == "ingredient" else summary.by_region
    for name, stock in stocks.items():
        own = [(day, units) for who, day, units in rows if who == name]
        assert own[0] == (0, stock.initial)
        assert own[-1] == (90, stock.left)


def test_a_curve_has_a_point_wherever_it_turns(run: ws.Run, pictures: dict[str, Picture]) -> None:
    rows = cells(pictures["stock-by-ingredient"], "ingredient", "day", "left_units")
    told = {(name, day): units for name, day, units in rows}
    exact = run.query(
        'SELECT ingredient, day, CAST(sum("left" - before) OVER (PARTITION BY ingredient ORDER BY'
        ' day) AS BIGINT) FROM (SELECT *, coalesce(lag("left") OVER (PARTITION BY place, ingredient'
        " ORDER BY day), 0) AS before FROM stocks)"
    ).fetchall()
    changes = {(name, day): units for name, day, units in exact}
    assert changes
    assert {key: told[key] for key in changes} == changes


def test_first_depletions_are_those_of_the_log(run: ws.Run, pictures: dict[str, Picture]) -> None:
    told = cells(pictures["first-depletions"], "ingredient", "place", "first_empty_day")
    logged = run.events("reserve.depleted").aggregate("ingredient, place, min(day)").fetchall()
    assert sorted(told) == sorted(logged)
    first = run.summary().first_depletions[0]
    assert told[0][2] == first.day


def test_who_took_adds_up_to_all_that_was_taken(run: ws.Run, pictures: dict[str, Picture]) -> None:
    sums: dict[tuple[str, str], int] = defaultdict(int)
    for team, where, units in cells(pictures["who-took"], "team", "where", "units"):
        sums[team, where] += units
    taken = run.query(
        "SELECT team, CASE pool WHEN 'sector' THEN 'on site' ELSE 'on the way' END, sum(units)"
        " FROM takings WHERE ingredient IS NOT NULL GROUP BY ALL"
    ).fetchall()
    assert sums == {(team, where): units for team, where, units in taken if units}
    bars = sum(sum(trace.x) for trace in pictures["who-took"].figure.data)
    assert bars == sum(sums.values())


def test_lives_cover_each_day_of_each_team_once(run: ws.Run, pictures: dict[str, Picture]) -> None:
    days: dict[str, list[int]] = defaultdict(list)
    for team, first, last in cells(pictures["lives"], "team", "from_day", "to_day"):
        days[team] += range(first, last + 1)
    teams = {team for (team,) in run.query("SELECT DISTINCT team FROM teams").fetchall()}
    assert days.keys() == teams
    assert all(own == list(range(91)) for own in days.values())


@pytest.mark.parametrize(
    ("name", "days"), [("contested_frontier", 90), ("first_landing", 200), ("lone_colony", 60)]
)
def test_lives_are_in_the_state_that_the_table_of_teams_tells(name: str, days: int) -> None:
    from worldsim.views.pictures.lives import STATES, lives  # noqa: PLC0415 - an extra

    run = ws.simulate(ws.load(name), days=days)
    found = lives(run)
    assert found is not None
    at = {team: n for n, team in enumerate(found.teams)}
    rows = run.query("SELECT team, day, status FROM teams").fetchall()
    assert len(rows) > 8 * len(at)
    for team, day, status in rows:
        told = STATES[found.states[at[team], day]][0]
        assert ("at_colony" if told == "resting" else told) == status, (team, day)


def test_a_log_of_warnings_only_tells_lives_at_the_cadence_and_no_battles(
    make_scenario: Callable[..., Scenario],
) -> None:
    scenario = make_scenario(
        colonies=[{"id": "c", "sector": "r1/s1", "teams": [{"id": "t", "crew": {}}]}]
    )
    run = ws.simulate(scenario, days=20, level="warning")
    picture = run_picture(run, "lives")
    assert picture is not None
    assert "known every 7 days" in picture.says
    statuses = run.query("SELECT day, status FROM teams ORDER BY day").fetchall()
    assert [day for day, _ in statuses] == [0, 7, 14, 20]
    assert run_picture(run, "battles") is None


def test_battles_are_those_of_the_log_with_their_outcomes(
    run: ws.Run, pictures: dict[str, Picture]
) -> None:
    told = cells(pictures["battles"], "day", "sector", "attacker", "defender")
    started = run.events("battle.started").project("day, sector, attacker, defender").fetchall()
    assert sorted(told) == sorted(started)
    ended = run.events("battle.ended").project("day, winner, loser, reason, rounds").fetchall()
    outcomes = cells(pictures["battles"], "end_day", "winner", "loser", "reason", "rounds")
    assert sorted(row for row in outcomes if row[0] is not None) == sorted(ended)
    for row in cells(pictures["battles"], "attacker", "defender", "winner", "loser"):
        assert row[2] is None or {row[0], row[1]} == {row[2], row[3]}


def test_what_mattered_tells_of_every_loss(run: ws.Run, pictures: dict[str, Picture]) -> None:
    told = cells(pictures["what-mattered"], "event", "day")
    for kind, title in (("team.lost", "team lost"), ("member.died", "member died"),
                        ("card.fell", "fell in battle")):  # fmt: skip
        logged = run.events(kind).project("day").fetchall()
        assert sorted(day for event, day in told if event == title) == sorted(d for (d,) in logged)
    firsts = [day for event, day in told if event == "ingredient first used up"]
    assert sorted(firsts) == [each.day for each in run.summary().first_depletions]


def test_what_mattered_is_told_in_the_sentences_of_why(
    run: ws.Run, pictures: dict[str, Picture]
) -> None:
    from worldsim.runs import causes_of  # noqa: PLC0415 - simulates
    from worldsim.views.words import sentence  # noqa: PLC0415 - beside the other

    picture = pictures["what-mattered"]
    told = cells(picture, "seq", "event", "says")
    assert len({event for _, event, _ in told}) > 4
    firsts = {event: (seq, says) for seq, event, says in reversed(told)}
    for seq, says in firsts.values():
        assert says == sentence(causes_of(run, seq, most=1, rolls=False).links[-1].event)
    assert f": {told[-1][2]}" in picture.says
    pointed = [text.replace("<br>", " ") for trace in picture.figure.data for text in trace.text]
    assert sorted(pointed) == sorted(says for _, _, says in told)


def test_long_sentences_are_lines_in_which_names_are_text() -> None:
    from worldsim.views.pictures.mattered import _lines  # noqa: PLC0415 - an extra's room

    said = _lines(f"<b>{'x' * 50} falls</b><br> {'and falls ' * 40}")
    first, *_, last = said.split("<br>")
    assert first == f"&lt;b&gt;{'x' * 50}"
    assert said.count("<br>") == 3
    assert last.endswith(" …")


def test_long_runs_and_many_places_stay_bounded(run: ws.Run) -> None:
    from worldsim.views.pictures.levels import levels  # noqa: PLC0415 - an extra's room
    from worldsim.views.pictures.lives import lives  # noqa: PLC0415 - an extra's room

    few = levels(run, most_steps=20)
    assert few.day.size == 21
    assert (few.day[0], few.day[-1]) == (0, 90)
    every = levels(run)
    assert (few.left == every.left[:, :, few.day]).all()
    short = lives(run, most_teams=5, most_cells=100)
    whole = lives(run)
    assert short is not None
    assert whole is not None
    assert short.states.size <= 105
    assert short.day[-1] == 90
    assert (short.states == whole.states[:5, short.day]).all()


def test_an_empty_ground_and_no_teams_have_no_pictures(
    make_scenario: Callable[..., Scenario],
) -> None:
    scenario = make_scenario(ingredients=[{"id": "berry", "kind": "fruit", "reserve": 0}])
    run = ws.simulate(scenario, days=3)
    assert list(run_pictures(run)) == []


def test_wrong_names_say_which_there_are(run: ws.Run) -> None:
    with pytest.raises(InputError, match="no picture 'map' of a run; there are stock-map"):
        run_picture(run, "map")
    with pytest.raises(InputError, match="ingredient 'ferite'; did you mean"):
        run_picture(run, "stock-map", ingredient="ferite")


def test_names_are_text_in_figures_and_told_apart_when_cut() -> None:
    from worldsim.views.pictures.lives import _told_apart  # noqa: PLC0415 - an extra's room
    from worldsim.views.pictures.look import label, words  # noqa: PLC0415 - an extra's room

    assert label("<b>&lt;x\x1b[31m\u202e") == "&lt;b&gt;&amp;lt;x"
    assert words("a" * 40 + "_17").endswith("a_17")
    assert len(words("a" * 400)) == 32
    assert _told_apart(["a" * 50, "a" * 51, "b"])[0] != _told_apart(["a" * 50, "a" * 51, "b"])[1]
