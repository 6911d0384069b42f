"""Colony policies: which team goes where. Shipped ones, and users' own by entry point.

A policy is pure: ``choose(view, chance, memory) -> (Order | None, memory)``. ``view`` is frozen,
``chance`` a stream of floats, ``memory`` JSON (None at first) that is kept for the colony's next
choice. No order means that the team stays at home today.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from worldsim.errors import BrokenInvariantError, UnfitScenarioError
from worldsim.scenario.near import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from worldsim.scenario.model import ScriptLine

    Memory: TypeAlias = Any
    Choose: TypeAlias = Callable[["View", Iterator[float], Memory], tuple["Order | None", Memory]]

GROUP = "worldsim.policies"


@dataclass(frozen=True, slots=True)
class Order:
    """What a team is sent out for.

    Attributes:
        target: A sector among the view's targets.
        mission: A table of ``[missions]``; the team's usual one if None.
    """

    target: str
    mission: str | None = None


class View(NamedTuple):
    """What a colony knows when it sends a team.

    Attributes:
        day: Today.
        colony: Its id.
        team: The id of the team that is ready, ``colony/name``.
        profile, mission: Of the team.
        targets: Sectors it may be sent to, nearest first, equals by name.
        distances: Of each target.
        known_stock: Units now in the ground of each mapped target.
        yields: Units that the last gathering trip to a target took, for those visited before.
        bound_for: How many of the colony's teams are on a trip to each target.
        script: The colony's orders as written in the scenario.
    """

    day: int
    colony: str
    team: str
    profile: str
    mission: str
    targets: tuple[str, ...]
    distances: Mapping[str, float]
    known_stock: Mapping[str, int]
    yields: Mapping[str, int]
    bound_for: Mapping[str, int]
    script: tuple[ScriptLine, ...]

    def spent(self, target: str) -> bool:
        """Whether the colony believes that there is nothing left to fetch."""
        return self.known_stock.get(target, 1) == 0 or self.yields.get(target, 1) == 0


class UnknownPolicyError(UnfitScenarioError):
    """A colony names a policy that nobody provides."""

    def __init__(self, name: str, colony: int, known: tuple[str, ...]) -> None:
        right = (
            f"one of: {', '.join(known)}{did_you_mean(name, known)};"
            " one's own comes with an installed package, as a plug-in"
        )
        super().__init__((("colonies", colony, "policy"), name, right))
        self.args = (name, colony, known)


class BrokenPolicyError(BrokenInvariantError):
    """A policy failed, gave an order that cannot be carried out, or is not pure."""

    def __init__(self, name: str, day: int, what: str) -> None:
        super().__init__(name, day, what)
        self.name, self.day, self.what = name, day, what

    def __str__(self) -> str:
        return f"policy {self.name!r} on day {self.day}: {self.what}"


def nearest(
    view: View,
    chance: Iterator[float],  # noqa: ARG001 - a policy's signature
    memory: Memory,
) -> tuple[Order | None, Memory]:
    """The nearest sector not known to be spent; the nearest of all once every one is."""
    for target in view.targets:
        if not view.spent(target):
            return Order(target), memory
    return (Order(view.targets[0]) if view.targets else None), memory


def richest_known(
    view: View, chance: Iterator[float], memory: Memory
) -> tuple[Order | None, Memory]:
    """The mapped sector with most stock; as ``nearest`` while there is none with any (ACT-4)."""
    best = max(view.known_stock, key=lambda s: (view.known_stock[s], s), default=None)
    if best is not None and view.known_stock[best] > 0 and view.mission != "explore":
        return Order(best), memory
    unmapped = tuple(target for target in view.targets if target not in view.known_stock)
    if view.mission == "explore" and unmapped:
        return Order(unmapped[0]), memory
    return nearest(view, chance, memory)


def round_robin(
    view: View,
    chance: Iterator[float],  # noqa: ARG001 - a policy's signature
    memory: Memory,
) -> tuple[Order | None, Memory]:
    """One sector after another, nearest first, whatever is known of them."""
    if not view.targets:
        return None, memory
    turn = 0 if memory is None else int(memory["turn"])
    return Order(view.targets[turn % len(view.targets)]), {"turn": turn + 1}


def random(view: View, chance: Iterator[float], memory: Memory) -> tuple[Order | None, Memory]:
    """Any sector, each as likely."""
    if not view.targets:
        return None, memory
    return Order(view.targets[int(next(chance) * len(view.targets))]), memory


def scripted(
    view: View,
    chance: Iterator[float],  # noqa: ARG001 - a policy's signature
    memory: Memory,
) -> tuple[Order | None, Memory]:
    """The colony's ``script``: the team's next line whose day has come, each line once."""
    done = [] if memory is None else list(memory["done"])
    name = view.team.partition("/")[2]
    for number, line in enumerate(view.script):
        if line.team == name and line.day <= view.day and number not in done:
            return Order(line.target, line.mission), {"done": [*done, number]}
    return None, memory


SHIPPED: dict[str, Choose] = {
    "nearest": nearest,
    "richest_known": richest_known,
    "round_robin": round_robin,
    "random": random,
    "scripted": scripted,
}


def find_policy(name: str, colony: int) -> Choose:
    """The policy of a name: a shipped one, or one that an installed package provides.

    Raises:
        UnknownPolicyError: there is none; ``colony`` says which one of the scenario names it.
    """
    if name in SHIPPED:
        return SHIPPED[name]
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow, and seldom needed

    provided = entry_points(group=GROUP)
    if name not in provided.names:
        raise UnknownPolicyError(name, colony, (*SHIPPED, *sorted(provided.names)))
    try:
        choose: Choose = provided[name].load()
    except Exception as fault:
        # Importing somebody's plug-in may fail in any way.
        raise BrokenPolicyError(name, 0, f"cannot be imported: {fault}") from fault
    return choose
