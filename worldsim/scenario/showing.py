"""How a scenario shows itself in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

from worldsim.notebook import panel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from worldsim.scenario.model import Planet, Scenario


def scenario_panel(scenario: Scenario) -> str:
    """A handful of facts as HTML."""
    return panel(f"Scenario {scenario.campaign.name}", _facts(scenario))


def _facts(scenario: Scenario) -> Iterator[tuple[str, object]]:
    campaign = scenario.campaign
    teams = sum(team.count for colony in scenario.colonies for team in colony.teams)
    reserve = sum(each.reserve for each in scenario.ingredients)
    yield "about", campaign.description or None
    yield "days", f"{campaign.days:,}"
    yield "seed", campaign.seed
    yield "planet", _planet(scenario.planet)
    yield "ingredients", f"{len(scenario.ingredients):,}, {reserve:,} units in the ground"
    yield "colonies", f"{len(scenario.colonies):,}, with {teams:,} teams"
    yield "interventions", len(scenario.interventions) or None


def _planet(planet: Planet) -> str:
    if planet.map is not None:
        return f"the map {planet.map}"
    sectors = planet.sectors_per_region
    return f"{planet.regions:,} regions ({planet.shape}) of {sectors:,} sectors each"
