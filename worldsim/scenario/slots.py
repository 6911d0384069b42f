"""Tables of a scenario as records with slots, for those who read them all day long.

Each reading of a field of a pydantic model asks its class three times, for what the model adds to
reading; in a team's day that was a tenth of all work. A slot is read at once.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NoReturn, TypeVar, cast

from worldsim.scenario.tables import Table

Model = TypeVar("Model", bound=Table)


class Record:
    """The values of a table; nobody changes them."""

    __slots__: tuple[str, ...] = ()

    def __init__(self, table: Table) -> None:
        for name in self.__slots__:
            object.__setattr__(self, name, _slotted(getattr(table, name)))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__}.{name} is fixed")


def slotted(table: Model) -> Model:
    """The same values under the same names, frozen; without the methods of the model.

    Tables within, in dicts and in tuples too, become such records as well.
    """
    return cast("Model", _slotted(table))


def _slotted(value: Any) -> Any:
    if isinstance(value, Table):
        return _record(type(value))(value)
    if isinstance(value, dict):
        return {key: _slotted(each) for key, each in value.items()}
    if isinstance(value, tuple):
        return tuple(map(_slotted, value))
    return value


@cache
def _record(model: type[Table]) -> type[Record]:
    """The class of a table's records: plain slots, much cheaper to make than a dataclass."""
    return type(model.__name__, (Record,), {"__slots__": tuple(model.model_fields)})
