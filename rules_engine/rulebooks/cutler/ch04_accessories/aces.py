"""Chapter 2.9.6.2: legendary aces who outlive their fighters."""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.records.accessories.catalogue import Lots
from rules_engine.rulebooks.cutler.records.accessories.flown import aces_in, together
from rules_engine.rulebooks.cutler.records.accessories.legends import transports, without_fighters
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit


@rule("2.9.6.2")
def rescue_aces(turn: CutlerTurn, race: Side, flight: tuple[HexId, HexId], *lost: Lots) -> None:
    """Take the aces of fighters that found no box aboard a ship or base of their race, where they are transported; its
    owner alone is told. ``flight`` is the hex from which they came, and that to which they flew. 2.9.6.2, CU-N123"""
    state = turn.state
    aces = sum(map(aces_in, lost))
    unit = refuge(state, race, flight)
    if not aces or unit is None:
        return
    for part in lost:
        unit.passengers = together(unit.passengers, without_fighters(part, state.accessories))
    survive = "survives without a fighter" if aces == 1 else "survive without their fighters"
    text = f"{counted(aces, 'legendary ace')} {survive}: aboard {unit.name} in {unit.hex}."
    turn.tell([race], text, kind="movement", why=because("2.9.6.2, CU-N123"))


@rule("2.9.6.2")
def refuge(state: CutlerState, race: Side, flight: tuple[HexId, HexId]) -> Unit | None:
    """The unit that takes aces of a sortie aboard: one in the hex from which they came, else in the one to which they
    flew, else the nearest to it; none where their race has no such unit. 2.9.6.2, CU-N123"""
    units = [unit for unit in state.alive(race) if transports(unit)]

    def far(unit: Unit) -> tuple[bool, int, str]:
        return unit.hex != flight[0], state.grid.distance(unit.hex, flight[1]), unit.id

    return min(units, key=far, default=None)
