"""What no single key of a study can tell: that its parts fit together."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from worldsim.scenario.near import did_you_mean
from worldsim.scenario.shipped import SCENARIOS, find_beside, names_beside

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from worldsim.scenario.checks import Finding, KeyPath
    from worldsim.scenario.origins import Origins
    from worldsim.scenario.study_model import DesignTable, FactorTable, StudyFile

    Path: TypeAlias = KeyPath

RESERVED = (
    "cell", "replication", "seed", "digest", "status", "error", "seconds", "value", "metric",
)  # fmt: skip
"""Columns that every table of a study has, or that its answers have."""
OF_THE_STUDY = {
    "campaign.days": "days in [study]: it holds for all campaigns",
    "campaign.seed": "seed in [study]: the seeds of the campaigns follow from it",
    "record": "keep in [study]: what is recorded changes nothing of what happens",
    "planet.map": "variants, each with a scenario of its own",
    "planet.map_text": "variants, each with a scenario of its own",
    "catalogue": "variants, each with a scenario of its own",
    "extends": "variants, each with a scenario of its own",
}
"""Keys of a scenario that no factor may have, and what there is instead."""
BY_CHANCE = ("latin_hypercube", "sobol", "morris", "saltelli")
POWERS = ("sobol", "saltelli")


def study_checks(study: StudyFile, origins: Origins) -> Iterator[Finding]:
    """All that is wrong between the keys of a study that are right by themselves.

    Args:
        study: The study.
        origins: Where its keys were given: relative names of files start there.

    Yields:
        Key path, what is given, what would be right.
    """
    for i, factor in enumerate(study.factors):
        yield from _factor(i, factor)
    yield from _names(study)
    yield from _files(study, origins)
    for i, text in enumerate(study.study.sets):
        yield from _allowed(("study", "set", i), text.partition("=")[0].strip())
    if study.design is not None:
        yield from _design(study, study.design)
    yield from _numbers(study)


def _factor(i: int, factor: FactorTable) -> Iterator[Finding]:
    path: Path = ("factors", i)
    given = [
        name
        for name, value in (
            ("values", factor.values),
            ("range", factor.range),
            ("variants", factor.variants),
        )
        if value is not None
    ]
    if len(given) != 1:
        said = " and ".join(given) or "nothing it could take"
        yield path, said, "values, range or variants, and one of them only"
    if factor.variants is None:
        if factor.key is None:
            yield path, "no key", 'key = "rules.gathering.one_success_cost", or variants'
        else:
            yield from _allowed((*path, "key"), factor.key)
    elif factor.key is not None:
        yield (*path, "key"), factor.key, "no key beside variants: they say what they change"
    elif factor.name is None:
        yield path, "no name", 'a name for these variants, such as name = "policy"'
    for name, variant in (factor.variants or {}).items():
        for k, text in enumerate(variant.sets):
            where = (*path, "variants", name, "set", k)
            yield from _allowed(where, text.partition("=")[0].strip())
    yield from _range(path, factor)


def _range(path: Path, factor: FactorTable) -> Iterator[Finding]:
    for name, on in (("whole", factor.whole), ("log", factor.log)):
        if on and factor.range is None:
            yield (*path, name), True, "nothing: it says something of a range only"
    if factor.range is None:
        return
    low, high = factor.range
    where = (*path, "range")
    if not low < high:
        yield where, [low, high], "[lowest, highest], the first below the second"
    elif factor.log and low <= 0:
        yield where, [low, high], "a range above 0, as log = true asks for ratios"
    elif factor.whole and not (low.is_integer() and high.is_integer()):
        yield where, [low, high], "whole ends, as whole = true asks for whole numbers"


def _allowed(path: Path, key: str) -> Iterator[Finding]:
    """Whether a key may differ between cells, or be overridden for all of them."""
    for name, instead in OF_THE_STUDY.items():
        if key == name or key.startswith(f"{name}."):
            yield path, key, instead


def _names(study: StudyFile) -> Iterator[Finding]:
    taken = dict.fromkeys(RESERVED, "every study has a column of that name")
    for i, factor in enumerate(study.factors):
        where = ("factors", i, "name" if factor.name is not None else "key")
        yield from _own(where, factor.column, taken, f"factor {i + 1} has it")
    for i, metric in enumerate(study.metrics):
        yield from _own(("metrics", i, "name"), metric.name, taken, f"metric {i + 1} has it")
    unlisted = {each.name for each in study.metrics}
    for i, name in enumerate(study.study.metrics):
        if name in unlisted:
            unlisted.remove(name)  # one of its own may be listed, once
        else:
            yield from _own(("study", "metrics", i), name, taken, "it stands there twice")


def _own(path: Path, name: str, taken: dict[str, str], says: str) -> Iterator[Finding]:
    folded = name.lower()  # columns of a database do not tell cases apart
    if name and folded in taken:
        yield path, name, f"a name of its own: {taken[folded]}"
    taken.setdefault(folded, says)


def _files(study: StudyFile, origins: Origins) -> Iterator[Finding]:
    """The scenario files that are named."""
    named: list[tuple[Path, str]] = [(("study", "scenario"), study.study.scenario)]
    with_files = []
    for i, factor in enumerate(study.factors):
        of_variants = [
            (("factors", i, "variants", name, "scenario"), variant.scenario)
            for name, variant in (factor.variants or {}).items()
            if variant.scenario is not None
        ]
        with_files += of_variants[:1]
        named += of_variants
    for path, name in named:
        folder = origins.folder(path)
        if find_beside(name, folder, SCENARIOS) is None:
            what = "a scenario file, its path starting where this file is, or a shipped scenario"
            there = (each.removesuffix(".toml") for each in names_beside(folder, SCENARIOS))
            yield path, name, what + did_you_mean(name, there)
    for path, name in with_files[1:]:
        yield path, name, "set = [...]: scenarios of their own are for the variants of one factor"


def _design(study: StudyFile, design: DesignTable) -> Iterator[Finding]:
    kind, points, factors = design.kind, design.points, study.factors
    if not factors:
        yield ("design",), "no factors", "[[factors]], or no [design]"
        return
    if kind in BY_CHANCE and points is None:
        yield ("design",), f"{kind} without points", "points = 64, or another number"
    elif kind not in BY_CHANCE and points is not None:
        yield ("design", "points"), points, f"nothing: the factors say how many points a {kind} has"
    elif kind in POWERS and points is not None and points & (points - 1):
        below = 1 << (points.bit_length() - 1)
        yield ("design", "points"), points, f"a power of 2, such as {below} or {below * 2}"
    if kind in ("morris", "saltelli") and len(factors) == 1:
        yield ("design", "kind"), kind, "two factors or more, or another kind"
    if kind == "morris" and points == 1:
        yield ("design", "points"), points, "2 trajectories or more"
    if kind == "list":
        yield from _listed(factors)


def _listed(factors: Iterable[FactorTable]) -> Iterator[Finding]:
    sizes: set[int] = set()
    for i, factor in enumerate(factors):
        if factor.range is not None:
            yield ("factors", i, "range"), list(factor.range), "values, as a list has no ranges"
        sizes.add(len(factor.values or factor.variants or ()))
    if len(sizes - {0}) > 1:
        given = f"factors of {', '.join(map(str, sorted(sizes)))} values"
        yield ("design", "kind"), given, "as many values for each factor of a list"


def _numbers(study: StudyFile) -> Iterator[Finding]:
    table, stop = study.study, study.stop
    if table.warm_up_days >= table.days:
        yield ("study", "warm_up_days"), table.warm_up_days, f"fewer than days = {table.days}"
    if stop is None:
        return
    if stop.ceiling < table.replications:
        least = f"at least replications = {table.replications}, with which it begins"
        yield ("stop", "ceiling"), stop.ceiling, least
    if table.replications < 2:  # noqa: PLR2004 - one value has no spread
        yield ("study", "replications"), table.replications, "2 or more, as [stop] needs a spread"
