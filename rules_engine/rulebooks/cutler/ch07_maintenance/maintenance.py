"""Chapter 7: maintenance in the economics phase, and at the end of the turn what comes of missing it. Its owner alone
is told."""

from typing import Literal

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch02_movement.movement import is_derelict
from rules_engine.rulebooks.cutler.ch07_maintenance.deadlines import due_turn, is_in_port, pressing, turns_between
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.accessories.holds import lacks_shuttle
from rules_engine.rulebooks.cutler.records.conditions.docking import lose_docked
from rules_engine.rulebooks.cutler.records.state import CutlerTurn, Unit
from rules_engine.rulebooks.cutler.records.tables import PFS

Quality = Literal["outstanding", "normal", "poor"]
WORSE: dict[Quality, Quality] = {"outstanding": "normal", "normal": "poor", "poor": "poor"}
"""The next lower level of crew quality; below poor there is none. 7.3"""
MOST_MISSED_BY_PFS = 1
"""A PF that misses one maintenance more is lost. CU-R116"""


@rule("7.0", "7.1")
def announce_deadlines(turn: CutlerTurn) -> None:
    """Tell each race at the start of a turn which of its ships must be in port by the start of the next. 7.0, 7.1"""
    state = turn.state
    for race in state.races():
        late, due = pressing(state, race)
        said = [f"Too late for maintenance in turn {state.turn}: {_named(late)}."] if late else []
        if due:
            said.append(f"For maintenance these must begin turn {state.turn + 1} with a base of yours: {_named(due)}.")
        if said:
            turn.tell([race], " ".join(said), kind="economy", why=because("7.1, 7.2, CU-R114"))


def _named(units: list[Unit]) -> str:
    return ", ".join(f"{unit.name} in {unit.hex}" for unit in units)


@rule("7.0", "7.2", "4.2.4.2.1")
def maintain(turn: CutlerTurn) -> None:
    """Maintain all units that are in port, free of charge, but not those without a shuttle, who must have got one by
    now. 7.0, 7.2, 4.2.4.2.1, CU-R114"""
    state = turn.state
    for race in state.races():
        units = [unit for unit in state.alive(race) if due_turn(unit) is not None and is_in_port(state, unit)]
        if without := [unit.name for unit in units if lacks_shuttle(unit)]:
            text = f"Not maintained, for want of a shuttle: {', '.join(without)}."
            turn.tell([race], text, kind="economy", why=because("4.2.4.2.1"))
        units = [unit for unit in units if not lacks_shuttle(unit)]
        for unit in units:
            unit.maintained, unit.missed = state.turn, 0
        if units:
            names = ", ".join(unit.name for unit in units)
            turn.tell([race], f"Maintained: {names}.", kind="economy", why=because("7.2, CU-R114"))


@rule("7.3", "2.4.1.6")
def miss_maintenance(turn: CutlerTurn) -> None:
    """At the end of a turn: what each unit that was due and was not maintained loses; and derelicts that cannot pay for
    life support are lost. 7.3, 2.4.1.6, CU-R22"""
    state = turn.state
    for unit in state.alive():
        if unit.life_support != "full":
            _lose_derelict(turn, unit)
            continue
        due = due_turn(unit)
        if due is None or state.turn < due:
            continue
        turns = turns_between(unit.record) or 1
        if (state.turn - due) % turns == 0:
            _lose_quality(turn, unit)
        _lose(turn, unit)
    tidy_fleets(state)
    tacintel.fade(turn)


@rule("2.4.1.6", "4.1.8")
def _lose_derelict(turn: CutlerTurn, unit: Unit) -> None:
    """A derelict that has no more than emergency life support is lost, with what it stores. 2.4.1.6, 4.1.8, CU-R22"""
    why = because("2.4.1.6, CU-R22", {"life support": unit.life_support})
    unit.perish(turn.state.turn)
    text = f"{unit.title} in {unit.hex} is lost: a derelict without life support."
    turn.tell([unit.race], text, kind="economy", why=why)
    lose_docked(turn, unit)


@rule("7.3")
def _lose_quality(turn: CutlerTurn, unit: Unit) -> None:
    """One level of crew quality, at the deadline and after each further interval; a poor crew's penalties are doubled
    instead. Breakdown rolls have +1 until it is maintained. 7.3, CU-R116"""
    unit.missed += 1
    if unit.crew_quality == "poor":
        unit.penalties_doubled = True
    unit.crew_quality = WORSE[unit.crew_quality]
    text = f"{unit.title} in {unit.hex} missed its maintenance: {unit.condition}."
    why = because("7.3, CU-R116", {"last maintained": unit.maintained, "due": due_turn(unit)})
    turn.tell([unit.race], text, kind="economy", why=why)


@rule("2.4.1.6", "4.1.8")
def _lose(turn: CutlerTurn, unit: Unit) -> None:
    """Derelicts without maintenance, and PFs that missed it twice running, are lost, with what they store. 2.4.1.6,
    4.1.8, CU-R22, CU-R116, CU-N23"""
    derelict = is_derelict(unit)
    forsaken = unit.kind in PFS and unit.missed > MOST_MISSED_BY_PFS
    if derelict or forsaken:
        unit.perish(turn.state.turn)
        cause = "a derelict without maintenance" if derelict else "two turns without a tender or a base"
        why = because("2.4.1.6, CU-R22, CU-N23" if derelict else "7.3, CU-R116")
        turn.tell([unit.race], f"{unit.title} in {unit.hex} is lost: {cause}.", kind="economy", why=why)
        lose_docked(turn, unit)
