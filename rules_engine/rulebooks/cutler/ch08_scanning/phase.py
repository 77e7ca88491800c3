"""Chapter 8: the scanning phase of an impulse, and what a scan shows."""

from collections.abc import Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Fact, Lost, Why, because
from rules_engine.core.protocol.accounts import in_a_row
from rules_engine.rulebooks.cutler.ch08_scanning.sensors import (
    CLOAK_LIMIT,
    NORMAL_LIMIT,
    SHIP_REACH,
    reach_of,
    scan_limit,
    sensors_of,
    stations,
)
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.conditions.docking import in_own_flight
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.parts.seen import Parties, as_parties, owners_of
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit


class Scan(NamedTuple):
    """A hex that is scanned, and the highest die at which that succeeds."""

    hex: HexId
    limit: int


@rule("8.3.1", "8.3.2", "8.7", "8.8")
def planned_scans(state: CutlerState, race: Side) -> list[Scan]:
    """A race's scans of this impulse, all that are in reach from where its scanners are, in ascending order of hex:
    so their order does not tell who makes them. 8.3.1, 8.3.2, 8.7, 8.8, CU-N20"""
    scans: list[Scan] = []
    for fleet in state.fleets_of(race):
        if fleet.scans:
            sensors = sensors_of(unit for unit in state.members(fleet) if not unit.cloaked)
            scans += _in_reach(state, state.place_of(fleet), SHIP_REACH, fleet.scans[:sensors])
    ordered = state.empires[race].station_scans
    for unit in stations(state, race).values():
        hexes = ordered.get(unit.id, ())[: sensors_of([unit])]
        scans += _in_reach(state, unit.hex, reach_of(unit), hexes)
    return sorted(scans, key=lambda scan: (scan.hex, -scan.limit))


def _in_reach(state: CutlerState, here: HexId, reach: int, hexes: Sequence[HexId]) -> list[Scan]:
    scans = [Scan(hex_id, scan_limit(state.grid.distance(here, hex_id), reach)) for hex_id in hexes]
    return [scan for scan in scans if scan.limit]


@rule("8.0", "8.8")
def scanning_phase(turn: CutlerTurn) -> None:
    """Carry out all scans, race after race in an order by die roll. 8.0, 8.8"""
    state = turn.state
    scans = {race: planned_scans(state, race) for race in state.races()}
    order, rolls = roll_order(turn, [race for race in state.races() if scans[race]], "scanning order")
    if rolls:
        names = ", ".join(map(turn.name_of, order))
        turn.tell_all(f"Scanning order: {names}.", kind="scan", why=because("8.8", dice=rolls))
    for race in order:
        _carry_out(turn.at(race), race, scans[race])


@rule("8.4", "8.7", "8.8")
def _carry_out(turn: CutlerTurn, race: Side, scans: Sequence[Scan]) -> None:
    """All scans of a race: the rolls are public, on one line; who made them, at what range, and the results are not.
    8.4, 8.7, 8.8, CU-R118, CU-R119, CU-R132"""
    places = [turn.at(number) for number in range(1, len(scans) + 1)]
    dice = [place.roll(f"scan of {scan.hex}", faces=6) for place, scan in zip(places, scans, strict=True)]
    said = ", ".join(f"{scan.hex}: {die.total}" for scan, die in zip(scans, dice, strict=True))
    what = f"{turn.name_of(race)} scan{'s' if len(scans) > 1 else ''} of"
    places[0].tell_all(f"{what} {said}.", kind="scan", why=because("8.7, CU-R119, CU-R132", dice=dice))
    failed: list[Made] = []
    for place, scan, die in zip(places, scans, dice, strict=True):
        if die.total > scan.limit:
            failed.append(Made(place, scan, die))
            continue
        deep = scan.limit == NORMAL_LIMIT and die.total <= CLOAK_LIMIT
        why = because("8.4, CU-R118", {"succeeds at": _succeeds_at(scan)}, [die])
        _show(place, race, scan.hex, why, deep=deep)
    if failed:
        _tell_of_failed(race, failed)


class Made(NamedTuple):
    """A scan that was made: its place in the sequence, and its die."""

    place: CutlerTurn
    scan: Scan
    die: Roll


@rule("8.4")
def _tell_of_failed(race: Side, failed: Sequence[Made]) -> None:
    """Tell a race, on one line, which of its scans show nothing. 8.4, CU-R118"""
    hexes = list(dict.fromkeys(one.scan.hex for one in failed))
    chances = list(dict.fromkeys(_succeeds_at(one.scan) for one in failed))
    inputs = {"succeeds at": chances[0]}
    if len(chances) > 1:
        inputs = {f"{one.scan.hex} succeeds at": _succeeds_at(one.scan) for one in failed}
    shows = f"scan of {hexes[0]} shows" if len(failed) == 1 else f"scans of {in_a_row(hexes)} show"
    why = because("8.4, CU-R118", inputs, [one.die for one in failed])
    failed[0].place.tell([race], f"Your {shows} nothing.", kind="scan", why=why)


def _succeeds_at(scan: Scan) -> str:
    return f"1-{scan.limit}" if scan.limit > 1 else "1"


@rule("8.6")
def _found(state: CutlerState, race: Side, other: Side, hex_id: HexId, *, deep: bool) -> list[Unit]:
    """What a scan shows of another race's units: if ``deep`` also cloaked ones, which may be fought in this impulse.

    8.6, 2.6.2.1, CU-R118
    """
    units = in_own_flight(state.units_in(hex_id, other))
    for unit in units:
        if deep and unit.cloaked and race not in unit.found_by:
            unit.found_by = [*unit.found_by, race]
    return [unit for unit in units if not unit.cloaked or race in unit.found_by]


@rule("8.2", "8.4", "8.5", "8.6", "8.9")
def _show(turn: CutlerTurn, race: Side, hex_id: HexId, why: Why, *, deep: bool) -> None:
    """Show S1-S5 of all others' units in the whole hex, of whatever kind, bases and police ships included, and cloaked
    ones if it is ``deep``; it may be empty. 8.2, 8.4, 8.5, 8.6, 8.9, CU-R118, CU-R120"""
    state = turn.state
    found = {other: _found(state, race, other, hex_id, deep=deep) for other in state.races_in(hex_id) if other != race}
    others = as_parties(state, race, hex_id, found)
    gone = _refuted(state, race, hex_id, others)
    if not others:
        unless = "" if deep or not state.cloaks else " who is not under cloak"
        text = f"Your scan of {hex_id} succeeds: nobody is there{unless}."
        turn.tell([race], text, kind="scan", why=why, facts=gone)
    elif gone:
        text = f"Your scan of {hex_id} succeeds, and what was known to be there has gone."
        turn.tell([race], text, kind="scan", why=why, facts=gone)
    for other, units in others.items():
        if not tacintel.same_as_known(turn, race, other, hex_id, units):
            state.empires[race].alerts.append(f"a scan found the {owners_of(state, units)} in {hex_id}")
        text = f"Scanned in {hex_id}: {tacintel.in_words(owners_of(state, units), units)}."
        tacintel.show(turn, race, other, hex_id, units, text=text, why=why)


def _refuted(state: CutlerState, race: Side, hex_id: HexId, there: Parties) -> list[Fact]:
    """Contacts of what has no counter that are not among what a scan found ``there``; of others the counters tell.
    What stays hidden there changes nothing of it."""
    tracks = state.empires[race].tracks
    facts: list[Fact] = []
    for other in state.races():
        here = {tacintel.part_of(state, unit) for unit in there.get(other, ())}
        for part in tacintel.PARTS:
            hidden = part != "force" and part not in here
            track = tracks.drop(tacintel.Subject(race=other, hex=hex_id, part=part).key()) if hidden else None
            facts += [Lost(track=track)] if track is not None else []
    return facts
