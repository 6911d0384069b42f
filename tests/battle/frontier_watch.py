"""Watches a campaign at every event: nobody in two places, two battles or two states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from worldsim.processes.simulation import Simulation

if TYPE_CHECKING:
    from worldsim.events.kinds import DiceRolled, Event
    from worldsim.scenario import Scenario

MINUTES_A_DAY = 1440
AWAY = {"outbound", "on_site", "homeward", "lost", "in_battle"}


class Watched:
    """A campaign whose world is looked at in the middle of every event.

    Args:
        scenario: What to simulate.
        seed: Of all chance.

    Attributes:
        sim: The campaign.
        events: All that was recorded.
        looks: How often the world was looked at.
        over_midnight: Battles that stood at some midnight, by sector and first contest.
    """

    def __init__(self, scenario: Scenario, seed: int) -> None:
        self.sim: Simulation | None = None
        self.events: list[Any] = []
        self.looks = 0
        self.over_midnight: set[tuple[str, int | None]] = set()
        self.sim = Simulation(scenario, seed=seed, write=lambda _: None, on_event=self._see)

    def day(self) -> None:
        """Let a day pass, and note the battles that wait for the next dawn."""
        sim = self.running
        sim.advance()
        self._look()
        for battle in sim.world.contests.battles.values():
            self.over_midnight.add((battle.sector, battle.cause))

    @property
    def running(self) -> Simulation:
        """The campaign, which there is once it is founded."""
        assert self.sim is not None
        return self.sim

    def of(self, kind: str) -> list[Any]:
        """The events of a kind."""
        return [each for each in self.events if each.__struct_config__.tag == kind]

    def _see(self, event: Event | DiceRolled) -> None:
        self.events.append(event)
        if self.sim is not None:
            self._look()

    def _look(self) -> None:
        """Each team is in one place and one state; those in a battle are in one, and there."""
        world = self.running.world
        self.looks += 1
        fighting: dict[str, str] = {}
        for sector, battle in world.contests.battles.items():
            assert battle.sector == sector
            assert len(set(battle.teams)) == len(battle.teams)
            assert (battle.attacker is None) == (battle.defender is None)
            for duellist in (battle.attacker, battle.defender):
                assert duellist is None or duellist in battle.teams
            assert battle.attacker is None or battle.attacker != battle.defender
            for name in battle.teams:
                assert name not in fighting, f"{name} fights in {fighting[name]} and {sector}"
                fighting[name] = sector
        for team in world.teams:
            # A battle is over for all at once: the last event of it comes before its end.
            if team.status == "in_battle":
                assert fighting.get(team.id) == team.place, f"{team.id} in battle, {fighting}"
            elif team.id in fighting:
                raise AssertionError(f"{team.id} is {team.status} and fights")
            assert (team.trip is None) == (team.status not in AWAY) or team.status == "gone"
            if team.status in {"on_site", "in_battle"}:
                assert team.trip is not None
                assert team.place == team.trip.target
                assert team.trip.position == team.trip.distance
            names = [each.name for each in (*team.members, *team.infirmary)]
            assert len(set(names)) == len(names), f"somebody of {team.id} is there twice"
