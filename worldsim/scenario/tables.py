"""How a scenario's tables are declared: strict tables, options with their rule, shared types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, Strict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Item = TypeVar("Item")
Many = Annotated[tuple[Item, ...], Strict(strict=False)]
"""A TOML array, kept as a tuple: the array is taken as it comes, its items are strict."""
First = TypeVar("First")
Second = TypeVar("Second")
Pair = Annotated[tuple[First, Second], Strict(strict=False)]
"""A TOML array of two, likewise."""


class Table(BaseModel):
    """A table of a scenario: unknown keys are refused, types are not guessed, values are fixed."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, allow_inf_nan=False, defer_build=True
    )


def opt(default: Any, rule: str, says: str, **limits: Any) -> Any:
    """An option of a rule, with its default reading.

    Args:
        default: The default, or what makes it; a dict is copied for each scenario.
        rule: The rule's id.
        says: What it changes, for the generated reference.
        **limits: Limits as pydantic's ``Field`` takes them.
    """
    extra: dict[str, Any] = {"rule": rule}
    if isinstance(default, dict) or callable(default):
        return Field(
            default_factory=default if callable(default) else default.copy,
            description=says,
            json_schema_extra=extra,
            **limits,
        )
    return Field(default, description=says, json_schema_extra=extra, **limits)


def laid_over(defaults: Callable[[], Mapping[Any, Any]]) -> BeforeValidator:
    """Lay a given table over the defaults, key by key: what is not named keeps its default."""

    def laid(given: Any) -> Any:
        return _laid(_plain(defaults()), given) if isinstance(given, dict) else given

    return BeforeValidator(laid)


def _laid(below: Any, above: Any) -> Any:
    if isinstance(below, dict) and isinstance(above, dict):
        return below | {key: _laid(below.get(key), value) for key, value in above.items()}
    return above


def _plain(value: Any) -> Any:
    """Tables and arrays as TOML would have given them."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", by_alias=True, exclude_none=True)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _dice_expression(text: str) -> str:
    """Accept sums of whole numbers and dice such as ``2d6+1``."""
    import re  # noqa: PLC0415 - a scenario without dice expressions need not load it

    if not re.fullmatch(r"\s*\d{0,2}d?\d{1,4}(\s*\+\s*\d{0,2}d?\d{1,4}){0,5}\s*", text):
        raise ValueError("a sum of dice such as '2d6' or 'd8+3'")
    return text


DiceExpression = Annotated[str, Field(max_length=60), AfterValidator(_dice_expression)]
Share = Annotated[float, Field(ge=0, le=1)]
Difficulty = Annotated[int, Field(ge=1, le=9)]
Affinity = Literal["physical", "mental", "social", "academic"]
ProfileName = Literal[
    "scouting",
    "gathering",
    "hunting",
    "engineering",
    "escort",
    "scientific",
    "tactical",
    "ark",
    "secret",
]
Kind = Literal[
    "meat", "fish", "fruit", "vegetable", "wood", "herb", "mineral", "metal", "crystal",
    "fuel", "exotic", "cargo",
]  # fmt: skip
Rarity = Literal["common", "uncommon", "rare", "epic", "legendary"]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
