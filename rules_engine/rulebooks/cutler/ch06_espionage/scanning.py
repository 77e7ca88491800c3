"""Chapter 8: the scanning phase. Ships with special sensors look into hexes beside them, by standing orders."""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fleet

REACH, LONG_REACH = 1, 2
"""Hexes of a ship's scan and of its long-range scan. 8.3.2, 8.4.1"""


@rule("8.3.2", "8.4", "8.4.1")
def scan_limit(distance: int) -> int:
    """The highest D6 result at which a ship's scan succeeds; 0: out of reach. 8.3.2, 8.4, 8.4.1, CU-R117, CU-R118"""
    if distance <= REACH:
        return 3
    return 1 if distance <= LONG_REACH else 0


@rule("8.2", "8.3.2")
def planned_scans(state: CutlerState, fleet: Fleet) -> list[tuple[HexId, int]]:
    """The hexes a fleet's sensors can scan from where it is, each with its limit; one hex a sensor. 8.2, 8.3.2"""
    sensors = sum(unit.special_sensors_ok for unit in state.members(fleet))
    here = state.place_of(fleet)
    limits = [(hex_id, scan_limit(state.grid.distance(here, hex_id))) for hex_id in fleet.scans[:sensors]]
    return [(hex_id, limit) for hex_id, limit in limits if limit]


@rule("8.8")
def scanning_phase(turn: CutlerTurn) -> None:
    """Carry out all scans, race after race in an order by die roll. 8.8"""
    state = turn.state
    scans = {
        race: [scan for fleet in state.fleets_of(race) if fleet.scans for scan in planned_scans(state, fleet)]
        for race in state.races()
    }
    order, rolls = roll_order(turn, [race for race in state.races() if scans[race]], "scanning order")
    if rolls:
        names = ", ".join(map(turn.name_of, order))
        turn.tell_all(f"Scanning order: {names}.", kind="scan", why=because("8.8", dice=rolls))
    for race in order:
        for number, (hex_id, limit) in enumerate(scans[race], 1):
            _scan(turn.at(race, number), race, hex_id, limit)


@rule("8.4", "8.7", "8.9")
def _scan(turn: CutlerTurn, race: Side, hex_id: HexId, limit: int) -> None:
    """One scan: the roll is public; the scanning ship and the result are not. 8.4, 8.7, 8.9, CU-R119, CU-R120"""
    state = turn.state
    die = turn.roll(f"scan of {hex_id}", faces=6)
    text = f"{state.name_of(race)} scan of {hex_id}: {die.total}."
    turn.tell_all(text, kind="scan", why=because("8.7, CU-R119", dice=[die]))
    why = because("8.4, CU-R118", {"succeeds at": f"1-{limit}" if limit > 1 else "1"}, [die])
    if die.total > limit:
        turn.tell([race], f"Your scan of {hex_id} shows nothing.", kind="scan", why=why)
        return
    others = [other for other in state.races_in(hex_id) if other != race]
    if not others:
        turn.tell([race], f"Your scan of {hex_id} succeeds: nobody is there.", kind="scan", why=why)
    for other in others:
        units = state.units_in(hex_id, other)
        if not tacintel.same_as_known(turn, race, other, hex_id, units):
            state.empires[race].alerts.append(f"a scan found the {state.name_of(other)} in {hex_id}")
        text = f"Scanned in {hex_id}: {tacintel.in_words(state.name_of(other), units)}."
        tacintel.show(turn, race, other, hex_id, units, text=text, why=why)
