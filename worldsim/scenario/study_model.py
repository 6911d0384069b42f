"""A study as a person writes it: a TOML file that says which campaigns to simulate."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from worldsim.scenario.tables import Many, Name, Pair, Table

MOST_REPLICATIONS = 1_000_000
Key = Annotated[
    str, Field(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]+$")
]
Value = bool | int | float | str
Keep = Literal["metrics", "tables", "everything"]
Kind = Literal["grid", "list", "latin_hypercube", "sobol", "morris", "saltelli"]


class StudyTable(Table):
    """``[study]``: what is simulated, how often, and what is read from it."""

    name: Name = Field(description="also the name of the study's folder")
    question: str = Field("", max_length=2000, description="what the study is to answer")
    answer: str = Field("", max_length=4000, description="what it answered")
    scenario: str = Field(
        min_length=1, max_length=400, description="a scenario file, or a shipped scenario's name"
    )
    sets: Many[Key] = Field((), alias="set", description="overrides as of --set, for every cell")
    days: int = Field(ge=1, le=1_000_000, description="days of each campaign")
    replications: int = Field(
        ge=1, le=MOST_REPLICATIONS, description="campaigns in each cell, each with its own seed"
    )
    seed: int = Field(ge=0, lt=2**63, description="the seeds of the campaigns follow from it")
    warm_up_days: int = Field(0, ge=0, description="days at the start that no metric counts")
    metrics: Many[Key] = Field(
        (),
        description="the first one is watched; those of [[metrics]] may be left out",
    )
    keep: Keep = Field("metrics", description="what is kept of each campaign")
    common_random_numbers: bool = Field(True, description="the same seeds in every cell")


class Variant(Table):
    """``[factors.variants.NAME]``: a scenario of its own, or some keys that differ."""

    scenario: str | None = Field(
        None, min_length=1, max_length=400, description="instead of that of [study]"
    )
    sets: Many[Key] = Field((), alias="set", description="overrides as of --set")


class FactorTable(Table):
    """``[[factors]]``: something that differs between cells."""

    name: Key | None = Field(None, description="its column in the table; its key if absent")
    key: Key | None = Field(None, description="any key of a scenario, as of --set")
    values: Many[Value] | None = Field(None, min_length=1, description="what it takes")
    range: Pair[float, float] | None = Field(None, description="[lowest, highest]")
    whole: bool = Field(False, description="of a range: whole numbers only")
    log: bool = Field(False, description="of a range: ratios, not differences, are equally likely")
    variants: dict[Name, Variant] | None = Field(
        None, min_length=1, description="instead of a key: named changes"
    )

    @property
    def column(self) -> str:
        """Its name in the table."""
        return self.name or self.key or ""


class DesignTable(Table):
    """``[design]``: which combinations of the factors make a cell."""

    kind: Kind = Field("grid", description="how the cells are chosen")
    points: int | None = Field(
        None, ge=1, le=1_000_000, description="points; trajectories of morris, base of saltelli"
    )
    steps: int = Field(5, ge=2, le=1000, description="of a grid: values taken of a range")
    second_order: bool = Field(False, description="of saltelli: tell pairs of factors apart")


class StopTable(Table):
    """``[stop]``: replicate until a metric is known well enough in every cell."""

    metric: Key = Field(description="the name of one of the study's metrics")
    half_width: float = Field(gt=0, description="of its 95 % t interval, in its unit")
    ceiling: int = Field(
        ge=1, le=MOST_REPLICATIONS, description="replications at most, however wide it still is"
    )


class MetricTable(Table):
    """``[[metrics]]``: a figure read from each campaign by SQL."""

    name: Name = Field(description="its column in the table")
    sql: str = Field(
        min_length=1, max_length=20_000, description="one SELECT that gives one number"
    )


class StudyFile(Table):
    """A whole study, as validated."""

    schema_version: Literal[1] = Field(alias="schema", description="of this format: 1")
    study: StudyTable
    factors: Many[FactorTable] = ()
    design: DesignTable | None = None
    stop: StopTable | None = None
    metrics: Many[MetricTable] = ()
