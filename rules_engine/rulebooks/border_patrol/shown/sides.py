"""What a Team may look up: its units as a table, its places' income, and its briefing."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.briefing import Briefing, class_terms, forces_at_a_glance
from rules_engine.core.knowledge.economy.holdings import Economy, EconomyFigure, EconomyPlace
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import phases_of
from rules_engine.rulebooks.border_patrol.ch40_emergency.emergency import turns_left
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.stacks import stack_allowance

_HULLS = {
    "DN": "dreadnought",
    "CC": "command cruiser",
    "CA": "heavy cruiser",
    "CL": "light cruiser",
    "CW": "war cruiser",
    "DD": "destroyer",
    "DW": "war destroyer",
    "FF": "frigate",
}
"""The usual letters of warships."""


def units_table(state: BorderState, team: Side) -> SideTable:
    """A Team's units, stack by stack."""
    rows: list[tuple[str, ...]] = []
    for stack in state.stacks_of(team):
        units = state.members(stack)
        speed = stack_allowance(units)
        for unit in units:
            state_of = "crippled" if unit.crippled else "in tow" if unit.towed_by else ""
            rows.append(
                (
                    stack.id,
                    stack.hex,
                    unit.name,
                    unit.ship_class,
                    str(speed),
                    " ".join(map(str, phases_of(speed))),
                    f"{unit.warp_ok} of {unit.warp_original}",
                    str(unit.command),
                    str(turns_left(unit)),
                    "yes" if unit.in_supply else "no",
                    state_of,
                )
            )
    columns = (
        "Stack",
        "Hex",
        "Unit",
        "Class",
        "Allowance",
        "Phases",
        "Warp",
        "Command",
        "Emergency",
        "Supply",
        "State",
    )
    note = "A stack goes by its slowest unit; Emergency is how many turns of it are left."
    return SideTable(key="units", title="Units", columns=columns, rows=tuple(rows), note=note)


def economy(state: BorderState, team: Side) -> Economy:
    """What a Team's provinces and star systems yield in a turn."""
    places: list[EconomyPlace] = []
    for _, system in sorted(state.systems.items()):
        if system.owner == team:
            places.append(_place(system.hex, system.name, state.economy.system))
    for _, province in sorted(state.provinces.items()):
        if province.owner == team:
            places.append(_place(province.hexes[0], province.name, state.economy.province))
    figures = (EconomyFigure(name="Economic points", value=str(state.teams[team].treasury)),)
    return Economy(figures=figures, places=tuple(sorted(places, key=lambda one: (one.hex, one.name))))


def _place(hex_id: str, name: str, points: int) -> EconomyPlace:
    return EconomyPlace(hex=hex_id, name=name, figures=(EconomyFigure(name="A turn", value=str(points)),))


def briefing(state: BorderState, team: Side) -> Briefing:
    """What a captain should know before the first order."""
    score = state.scoring
    own = [state.units[key] for stack in state.stacks_of(team) for key in stack.units]
    forces = [_force(state, stack) for stack in state.stacks_of(team)]
    points = {
        "for each province held": score.province,
        "for a convoy in": score.convoy_in,
        "for one caught": score.convoy_caught,
        "for a monster": score.monster_driven_off,
        "for an enemy crippled": score.crippled,
        "for one destroyed": score.destroyed,
    }
    victory = [
        f"A turn: {', '.join(f'{worth} {what}' for what, worth in points.items() if worth)}",
        "A province is held by the one Team with units in it in the open, one of them uncrippled and in supply.",
    ]
    if score.lead:
        victory.append(f"A lead of {score.lead} ends the campaign.")
    return Briefing(
        objective="Score more points than the other Team.",
        victory=tuple(victory),
        length=counted(state.turns, "turn") + " of eight movement phases",
        forces=forces_at_a_glance(forces, "stack"),
        to_know=(
            "Of others you see Team and hex, not how many nor what; cloaked ones not at all.",
            "One sheet a turn: ways for all phases, and what stacks do when something comes up.",
            "Whoever enters a hex where others stand is held there, and may have to fight.",
        ),
        terms=class_terms((unit.ship_class, hull_name(unit)) for unit in own),
    )


def hull_name(unit: Unit) -> str:
    """What the letters of a unit's class stand for; its kind where they are not among the usual ones."""
    return _HULLS.get(unit.ship_class, unit.ship_class if unit.kind == "ship" else unit.kind)


def _force(state: BorderState, stack: UnitStack) -> str:
    convoy = ", convoy" if state.convoy_of(stack.id) is not None else ""
    return f"{stack.id} at {stack.hex}{convoy}: {_names(state, stack.units)}"


def _names(state: BorderState, keys: list[str]) -> str:
    return ", ".join(state.units[key].name for key in keys)
