"""Defects of ``units.toml``: stacks, units, tows and pods."""

from collections.abc import Iterable, Mapping

from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.scenarios.names import doubled, unknown
from rules_engine.rulebooks.border_patrol.ch80_tugs.tugs import judge_pods, judge_tug_tow
from rules_engine.rulebooks.border_patrol.records.classes import BorderClass
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, NEUTRALS, Unit
from rules_engine.rulebooks.border_patrol.scenario.entries import SCENARIO, UNITS, ForcesFile, ScenarioFile, UnitEntry
from rules_engine.rulebooks.border_patrol.scenario.hexes import off_map
from rules_engine.rulebooks.border_patrol.scenario.new_units import new_units, towed_by

Classes = Mapping[str, BorderClass]
NEVER_LEAD = ("freighter", "armed freighter", "Q-ship", "base", *CARRIED, *NEUTRALS)
"""Kinds that are nobody's flagship. BP-N14"""


def force_defects(file: ScenarioFile, forces: ForcesFile, classes: Classes) -> Iterable[Refusal]:
    """Every defect, each with its path. Those of units need the classes, and wait until these have none."""
    yield from _stack_defects(file, forces)
    yield from doubled((one.id for one in forces.unit), f"{UNITS}.unit")
    yield from doubled((one.name.casefold() for one in forces.unit), f"{UNITS}.unit.name")
    if not classes:
        return
    for index, entry in enumerate(forces.unit):
        yield from _unit_defects(file, forces, classes, entry, f"{UNITS}.unit.{index}")
    units = new_units(file, forces, classes)
    for index, entry in enumerate(forces.unit):
        if entry.id in units:
            yield from _burden_defects(units, entry, f"{UNITS}.unit.{index}")
    yield from _captain_defects(file, forces, units)
    yield from _supply_defects(file, units)


def _stack_defects(file: ScenarioFile, forces: ForcesFile) -> Iterable[Refusal]:
    emblems = {one.key: one.emblem for one in file.team}
    teams = {one.key: one.team for one in file.captain}
    grid = file.map.grid()
    manned = {one.stack for one in forces.unit}
    yield from doubled((one.id for one in forces.stack), f"{UNITS}.stack")
    for index, entry in enumerate(forces.stack):
        path = f"{UNITS}.stack.{index}"
        yield from unknown(entry.captain, teams, "captain", f"{path}.captain")
        yield from off_map([entry.hex], grid, f"{path}.hex")
        emblem = emblems.get(teams.get(entry.captain, ""))
        if emblem is not None and entry.id.rstrip("0123456789") != emblem:
            yield malformed(f"{entry.id} is not a stack of that captain's Team", f"{path}.id", legal=f"{emblem}1")
        if entry.id not in manned:
            yield malformed(f"{entry.id} has no units", path, legal="a unit that names it")


@rule("V8.18", "V8.22")
def _unit_defects(
    file: ScenarioFile, forces: ForcesFile, classes: Classes, entry: UnitEntry, path: str
) -> Iterable[Refusal]:
    """A unit of no known class, race or place; or in a place that is not for its kind. V8.18, V8.22, BP-R09"""
    stacks = {one.id: one for one in forces.stack}
    races = {one.key: one.team for one in file.race}
    yield from unknown(entry.class_id, classes, "unit class", f"{path}.class_id")
    yield from unknown(entry.race, races, "race", f"{path}.race")
    yield from unknown(entry.stack, stacks, "stack", f"{path}.stack")
    if entry.hex is not None:
        yield from off_map([entry.hex], file.map.grid(), f"{path}.hex")
    kind = classes.get(entry.class_id)
    if kind is None:
        return
    is_neutral = kind.kind in NEUTRALS
    if is_neutral and entry.race is not None:
        yield illegal(f"a {kind.kind} belongs to no Team", "V8.22", f"{path}.race", legal="no race")
    if not is_neutral and entry.race is None:
        yield malformed("is missing", f"{path}.race", legal="the race that it serves")
    stands = is_neutral or kind.kind == "base"
    if (entry.hex is not None, entry.stack is not None) != (stands, not stands):
        legal = f"{'a hex and no stack' if stands else 'a stack and no hex'} for a {kind.kind}"
        yield malformed("must stand in one place", path, legal=legal)
    stack = stacks.get(entry.stack or "")
    captains = {one.key: one.team for one in file.captain}
    if (
        stack is not None
        and entry.race in races
        and captains.get(stack.captain, races[entry.race]) != races[entry.race]
    ):
        legal = f"races of {captains[stack.captain]} in {stack.id}"
        yield malformed("the stack is of the other Team", f"{path}.stack", legal=legal)
    if entry.flagship and kind.kind in NEVER_LEAD:
        yield illegal(f"a {kind.kind} is nobody's flagship", "BP-N14", f"{path}.flagship", legal="a warship or a tug")
    if kind.kind in CARRIED and not _has_carrier(forces, classes, entry):
        text = f"a {kind.kind} moves only aboard others"
        yield illegal(text, "V8.18, BP-R09", f"{path}.stack", legal="a stack with a ship")
    if entry.pseudo_pods and kind.kind != "tug":
        yield illegal("pseudo-pods are a tug's", "V8.81", f"{path}.pseudo_pods", legal="0")


def _has_carrier(forces: ForcesFile, classes: Classes, entry: UnitEntry) -> bool:
    together = [one for one in forces.unit if one.stack is not None and one.stack == entry.stack]
    return any(one.class_id in classes and classes[one.class_id].kind not in CARRIED for one in together)


@rule("V8.31", "V8.82", "V8.83", "V8.84")
def _burden_defects(units: Mapping[str, Unit], entry: UnitEntry, path: str) -> Iterable[Refusal]:
    """More pods or tows than the unit may have, and tows out of another stack. V8.31, V8.82, V8.83, V8.84"""
    unit = units[entry.id]
    yield from judge_pods(unit, unit.pods, f"{path}.pods")
    for key in entry.towing:
        yield from unknown(key, units, "unit", f"{path}.towing")
    if all(key in units for key in entry.towing):
        yield from judge_tug_tow(unit, towed_by(unit, units), f"{path}.towing")


def _captain_defects(file: ScenarioFile, forces: ForcesFile, units: Mapping[str, Unit]) -> Iterable[Refusal]:
    if not {one.captain for one in forces.stack} <= {one.key for one in file.captain}:
        return  # whose stack it is meant to be, nobody knows yet
    for index, captain in enumerate(file.captain):
        path = f"{SCENARIO}.captain.{index}"
        stacks = {one.id for one in forces.stack if one.captain == captain.key}
        own = [units[one.id] for one in forces.unit if one.stack in stacks and one.id in units]
        if not any(unit.has_warp for unit in own):
            yield malformed(f"{captain.name} commands nothing that moves", path, legal="a stack with a ship")
        flagships = sum(unit.flagship for unit in own)
        if flagships != 1:
            yield illegal(f"{captain.name} has {flagships} flagships", "BP-N14", path, legal="one")


def _supply_defects(file: ScenarioFile, units: Mapping[str, Unit]) -> Iterable[Refusal]:
    owners = {one.team for one in file.system} | {one.team for one in units.values() if one.kind == "base"}
    for index, team in enumerate(file.team):
        if team.key not in owners:
            text = f"{team.name} has neither a base nor a star system, and nobody of it is ever in supply"
            yield illegal(text, "BP-R32", f"{SCENARIO}.team.{index}", legal="a base or a star system")
