"""The state before the first turn, as a scenario without defects makes it."""

from collections.abc import Iterable, Mapping

from rules_engine.core.basics.base import Json
from rules_engine.core.scenarios.entries import Marked
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.others import BorderConvoy, Habits, SupplyConvoy
from rules_engine.rulebooks.border_patrol.records.places import HeldSystem, IonStorm, ListeningPost, MapProvince
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTeam, Captain, Race, number_of
from rules_engine.rulebooks.border_patrol.records.units import PodCarried
from rules_engine.rulebooks.border_patrol.scenario.entries import BorderScenario, ForcesFile, ScenarioFile
from rules_engine.rulebooks.border_patrol.scenario.hexes import without_start
from rules_engine.rulebooks.border_patrol.scenario.new_units import convoy_ships, new_units


def set_up(document: Mapping[str, Json]) -> BorderState:
    """The state before the first turn: all units undamaged, in supply and where the scenario puts them."""
    scenario = BorderScenario.model_validate(document)
    file, forces = scenario.file, scenario.units
    state = BorderState(
        title=file.title,
        grid=file.map.grid(),
        turns=file.turns,
        scoring=file.scoring,
        supply=file.supply,
        zones=file.zones,
        economy=file.economy,
        invented=tuple(_invented(scenario)),
        options=sorted({*file.options}),
        arrivals_leave=file.unsettled_battles == "arrivals leave",
    )
    _set_map(state, file)
    _set_forces(state, forces, scenario)
    return state


def _set_map(state: BorderState, file: ScenarioFile) -> None:
    state.terrain = {one.hex: one.terrain for one in file.terrain}
    for team in file.team:
        state.teams[team.key] = BorderTeam(id=team.key, name=team.name, emblem=team.emblem, treasury=team.treasury)
    for race in file.race:
        state.races[race.key] = Race(id=race.key, name=race.name, team=race.team)
    for captain in file.captain:
        state.captains[captain.key] = Captain(id=captain.key, name=captain.name, team=captain.team)
    for one in file.province:
        owner = one.team or ""
        state.provinces[one.key] = MapProvince(
            id=one.key, name=one.name, hexes=one.hexes, owner=owner, disrupted=one.disrupted
        )
    for one in file.system:
        owner = one.team or ""
        state.systems[one.key] = HeldSystem(id=one.key, name=one.name, hex=one.hex, owner=owner, original=owner)
    for one in file.storm:
        state.storms[one.key] = IonStorm(id=one.key, hex=one.hex, heading=one.heading, drift=one.drift)
    for one in file.post:
        state.posts[one.key] = ListeningPost(id=one.key, team=one.team, hex=one.hex)


def _set_forces(state: BorderState, forces: ForcesFile, scenario: BorderScenario) -> None:
    file = scenario.file
    state.units = new_units(scenario.file, forces, scenario.classes)
    for entry in forces.stack:
        team = state.captains[entry.captain].team
        own = [one.id for one in forces.unit if one.stack == entry.id]
        state.stacks[entry.id] = UnitStack(id=entry.id, team=team, hex=entry.hex, captain=entry.captain, units=own)
        made = state.teams[team]
        made.stacks_made = max(made.stacks_made, number_of(entry.id)[0])
    for one in forces.convoy:
        stack = state.stacks[one.stack]
        state.convoys[one.key] = BorderConvoy(
            id=one.key,
            team=stack.team,
            stack=one.stack,
            sets_out=one.sets_out,
            route=[stack.hex, *without_start(one.route, stack.hex)],
        )
    for one in forces.supply_convoy:
        state.supply_convoys[one.team] = SupplyConvoy(team=one.team, ships=convoy_ships(file, one, scenario.classes))
    for one in forces.pod:
        state.set_down(one.team, one.hex, PodCarried(name=one.name, weight=one.weight))
    for one in forces.habits:
        state.habits[one.unit] = Habits(
            unit=one.unit,
            habit=one.habit,
            allowance=one.allowance,
            senses=one.senses,
            route=without_start(one.route, state.units[one.unit].hex),
            driven_off_by=one.driven_off_by,
            by_hand=one.by_hand,
        )


def _invented(scenario: BorderScenario) -> Iterable[str]:
    """The parts whose figures are made up, in the words of the files."""
    file, forces = scenario.file, scenario.units
    sections: dict[str, Marked] = {
        "map": file.map,
        "scoring": file.scoring,
        "supply": file.supply,
        "zones": file.zones,
        "economy": file.economy,
    }
    yield from (name for name, part in sections.items() if part.invented)
    for what, entries in (
        ("terrain", {one.hex: one for one in file.terrain}),
        ("province", {one.key: one for one in file.province}),
        ("system", {one.key: one for one in file.system}),
        ("storm", {one.key: one for one in file.storm}),
        ("post", {one.key: one for one in file.post}),
        ("convoy", {one.key: one for one in forces.convoy}),
        ("supply_convoy", {one.team: one for one in forces.supply_convoy}),
        ("habits", {one.unit: one for one in forces.habits}),
    ):
        yield from (f"{what} {key}" for key, part in entries.items() if part.invented)
    yield from (f"class {key}" for key, kind in scenario.classes.items() if kind.invented)
