"""Defects of ``units.toml``: convoys, and the habits of monsters and alien ships."""

from collections.abc import Iterable, Mapping

from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.scenarios.names import doubled, unknown
from rules_engine.rulebooks.border_patrol.ch30_towing.tows import NEVER_TOW
from rules_engine.rulebooks.border_patrol.records.classes import BorderClass
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, NEUTRALS
from rules_engine.rulebooks.border_patrol.scenario.entries import UNITS, ForcesFile, HabitsEntry, ScenarioFile
from rules_engine.rulebooks.border_patrol.scenario.hexes import broken_way, off_map
from rules_engine.rulebooks.border_patrol.scenario.new_units import new_units

Classes = Mapping[str, BorderClass]
CARRY_CARGO = NEVER_TOW
"""Kinds that a convoy brings in."""
_WANTED = {"allowance": "1 to 12 hexes a turn", "senses": "1 hex or more", "route": "a way from where it stands"}


def convoy_defects(file: ScenarioFile, forces: ForcesFile, classes: Classes) -> Iterable[Refusal]:
    """A convoy without a stack or cargo, or whose way is none."""
    stacks = {one.id: one for one in forces.stack}
    teams = {one.key: one.team for one in file.captain}
    units = new_units(file, forces, classes)
    grid = file.map.grid()
    yield from doubled((one.key for one in forces.convoy), f"{UNITS}.convoy")
    yield from doubled((one.stack for one in forces.convoy), f"{UNITS}.convoy.stack")
    for index, convoy in enumerate(forces.convoy):
        path = f"{UNITS}.convoy.{index}"
        yield from unknown(convoy.stack, stacks, "stack", f"{path}.stack")
        if convoy.sets_out > file.turns:
            yield malformed("sets out after the last turn", f"{path}.sets_out", legal=f"1 to {file.turns}")
        stack = stacks.get(convoy.stack)
        yield from broken_way(convoy.route, stack and stack.hex, grid, f"{path}.route")
        if stack is None or not classes or stack.captain not in teams:
            continue
        aboard = [units[one.id] for one in forces.unit if one.stack == stack.id and one.id in units]
        if not any(unit.kind in CARRY_CARGO for unit in aboard):
            yield malformed("brings no cargo", f"{path}.stack", legal=f"a stack with a {CARRY_CARGO[0]}")
        team = teams[stack.captain]
        ports = {one.hex for one in file.system if one.team == team}
        ports |= {one.hex for one in units.values() if one.kind == "base" and one.team == team}
        if convoy.route[-1] not in ports:
            text = f"ends in {convoy.route[-1]}, where its Team has neither base nor star system"
            yield malformed(text, f"{path}.route", legal=", ".join(sorted(ports)[:6]))


def supply_convoy_defects(file: ScenarioFile, forces: ForcesFile, classes: Classes) -> Iterable[Refusal]:
    """Supply convoys of nobody, two of one Team, and ships that bring no cargo or do not sail."""
    teams = {one.key for one in file.team}
    yield from doubled((one.team for one in forces.supply_convoy), f"{UNITS}.supply_convoy.team")
    for index, one in enumerate(forces.supply_convoy):
        path = f"{UNITS}.supply_convoy.{index}"
        yield from unknown(one.team, teams, "Team", f"{path}.team")
        if not classes:
            continue
        for key in one.class_ids:
            yield from unknown(key, classes, "unit class", f"{path}.class_ids")
        kinds = [classes[key] for key in one.class_ids if key in classes]
        if any(kind.kind in ("base", *CARRIED, *NEUTRALS) or not kind.warp for kind in kinds):
            yield malformed("sails with what does not travel", f"{path}.class_ids", legal="ships with warp engines")
        if kinds and not any(kind.kind in CARRY_CARGO for kind in kinds):
            yield malformed("brings no cargo", f"{path}.class_ids", legal=f"a {CARRY_CARGO[0]} among them")


def pod_defects(file: ScenarioFile, forces: ForcesFile) -> Iterable[Refusal]:
    """A pod that lies nowhere, or is nobody's."""
    teams = {one.key for one in file.team}
    for index, pod in enumerate(forces.pod):
        path = f"{UNITS}.pod.{index}"
        yield from unknown(pod.team, teams, "Team", f"{path}.team")
        yield from off_map([pod.hex], file.map.grid(), f"{path}.hex")


def habit_defects(file: ScenarioFile, forces: ForcesFile, classes: Classes) -> Iterable[Refusal]:
    """A monster or an alien ship without habits, habits of another, and such as do not fit together."""
    if not classes:
        return
    units = new_units(file, forces, classes)
    neutral = {key for key, unit in units.items() if unit.kind in NEUTRALS}
    yield from doubled((one.unit for one in forces.habits), f"{UNITS}.habits")
    told = {one.unit for one in forces.habits}
    for index, entry in enumerate(forces.unit):
        if entry.id in neutral and entry.id not in told:
            yield malformed(f"nothing says how {entry.name} moves", f"{UNITS}.unit.{index}", legal="[[habits]] of it")
    for index, one in enumerate(forces.habits):
        path = f"{UNITS}.habits.{index}"
        yield from unknown(one.unit, neutral, "monster or alien ship", f"{path}.unit")
        yield from _fitting(one, path)
        start = units[one.unit].hex if one.unit in units else None
        yield from broken_way(one.route, start, file.map.grid(), f"{path}.route")


def _fitting(one: HabitsEntry, path: str) -> Iterable[Refusal]:
    wanted = {
        "allowance": (one.habit != "stays", one.allowance > 0),
        "senses": (one.habit == "hunts", one.senses > 0),
        "route": (one.habit == "follows", bool(one.route)),
    }
    for name, (needed, given) in wanted.items():
        if needed != given:
            problem = "is needed" if needed else "means nothing"
            legal = _WANTED[name] if needed else "leave it out"
            yield malformed(f"{problem} of one that {one.habit}", f"{path}.{name}", legal=legal)
    if one.by_hand and one.driven_off_by:
        text = "means nothing of one that is fought by hand"
        yield malformed(text, f"{path}.driven_off_by", legal="leave it out, or by_hand = false")
    elif not (one.by_hand or one.driven_off_by):
        legal = "the BPV that drives it off, or by_hand = true"
        yield malformed("must be above 0", f"{path}.driven_off_by", legal=legal)
