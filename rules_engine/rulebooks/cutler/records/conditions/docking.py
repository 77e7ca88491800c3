"""PFs that are docked on a tender, or on another unit with docks for them. 2.4.1.7, 2.6.1, 3.3.7, CU-R23

A docked PF goes where its host goes, is in its host's fleet, and is seen by nobody but its owner. ``dock`` begins it
and ``leave_dock`` ends it; nobody else writes ``Unit.docked_at``.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Protocol

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.orders import WaveLine
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit
from rules_engine.rulebooks.cutler.records.tables import PFS

AT_DOCK = "docked"
"""Where docked PFs are that are sent to no feature, and to no approach battle. 3.5.8"""


@rule("2.4.1.7")
def can_dock(unit: Unit) -> bool:
    """Whether it is a PF or an Interceptor. 2.4.1.7"""
    return unit.kind in PFS


@rule("2.4.1.7", "2.6.1")
def dock(pf: Unit, host: Unit) -> None:
    """Dock a PF: it lets go of its tow, and drops the cloak that it may have. 2.4.1.7, 2.6.1, CU-R23"""
    pf.docked_at = host.id
    pf.end_tow()
    pf.drop_cloak()
    _follow(pf, host)


@rule("2.4.1.7", "2.6.1")
def leave_dock(pf: Unit, host: Unit | None = None) -> None:
    """Undock a PF. It is where its host is and came from where that came, it has disengaged and escaped from whom that
    did, and has made no hex of that way itself. 2.4.1.7, 2.6.1, CU-R23"""
    if host is not None and not host.destroyed:
        _follow(pf, host)
    pf.docked_at = ""


def _follow(pf: Unit, host: Unit) -> None:
    """Put a docked PF where its host is."""
    pf.hex, pf.entered_from, pf.entered_at = host.hex, host.entered_from, host.entered_at
    pf.last_opportunity, pf.retreat_hex, pf.held_turn = host.last_opportunity, host.retreat_hex, host.held_turn
    pf.disengaged_from, pf.escaped_from = [*host.disengaged_from], [*host.escaped_from]
    pf.escaped_to, pf.dust_paid, pf.nebula_exit = host.escaped_to, False, ""


# --- who is docked where ---------------------------------------------------------------------------------------------


def docked_on(state: CutlerState, hosts: Iterable[Unit]) -> list[Unit]:
    """The PFs that are docked on any of these, by id."""
    keys = {unit.id for unit in hosts if unit.record.pf_room}
    if not keys:
        return []
    return [unit for unit in state.alive() if unit.docked_at in keys]


@rule("2.4.1.7", "3.5.8")
def undock(state: CutlerState, ships: Iterable[str]) -> list[Unit]:
    """Let those of these ships that are docked leave their docks as a battle is set up; who did. 2.4.1.7, 3.5.8,
    CU-R23"""
    found = [state.units[key] for key in dict.fromkeys(ships) if key in state.units and state.units[key].docked_at]
    for pf in found:
        leave_dock(pf, state.units[pf.docked_at])
    return found


def in_own_flight(units: Iterable[Unit]) -> list[Unit]:
    """Those of a fleet's units that are not docked."""
    return [unit for unit in units if not unit.docked_at]


@rule("2.4.1.7")
def hosts_for(state: CutlerState, race: Side, hex_id: HexId, units: Iterable[Unit]) -> list[Unit]:
    """On whom PFs of a fleet with these units may dock: on those of them that have docks, and on bases of their race in
    the hex. 2.4.1.7, 2.6.1, CU-R23"""
    bases = (unit for unit in state.units_in(hex_id, race) if unit.kind == "base")
    return [unit for unit in (*units, *bases) if unit.record.pf_room]


@rule("2.4.1.7")
def allot_docks(
    pfs: Sequence[Unit],
    hosts: Sequence[Unit],
    taken: Mapping[str, int] | None = None,
    *,
    prefers: Collection[str] | None = None,
) -> dict[str, str]:
    """On whom each of these PFs docks, by id: on whom it is docked already, else on the first that has a dock left. Who
    is left over is on nobody. ``taken`` are the docks that others have, by host; other hosts than they ``prefers`` come
    last. 2.4.1.7, CU-R23"""
    free = {host.id: host.record.pf_room - (taken or {}).get(host.id, 0) for host in hosts}
    last = set[str]() if prefers is None else free.keys() - set(prefers)
    allotted: dict[str, str] = {}
    for pf in sorted(pfs, key=lambda one: (one.docked_at not in free, one.id)):
        ways = sorted([pf.docked_at, *free] if pf.docked_at in free else [*free], key=lambda one: one in last)
        host = next((one for one in ways if free[one] > 0), None)
        if host is not None:
            allotted[pf.id] = host
            free[host] -= 1
    return allotted


# --- what goes along -------------------------------------------------------------------------------------------------


@rule("2.4.1.7")
def with_their_hosts(state: CutlerState, moves: Mapping[str, HexId]) -> dict[str, HexId]:
    """The moves of docked PFs whose hosts make these. 2.4.1.7, CU-R23"""
    docked = docked_on(state, (state.units[key] for key in moves))
    return {unit.id: moves[unit.docked_at] for unit in docked}


@rule("2.4.1.7", "2.6.1")
def keep_docked(state: CutlerState) -> None:
    """Docked PFs are where their hosts are, and in the same fleet. They share the fate of a host that was lost, and
    leave one that was given up, has another owner, or has not so many docks since a refit. 2.4.1.7, 2.6.1, CU-R23"""
    docked = [unit for unit in state.alive() if unit.docked_at]
    if not docked:
        return
    fleet_of = {key: fleet for fleet in state.fleets.values() for key in fleet.units}
    full: dict[str, int] = {}
    for pf in docked:
        host = state.units[pf.docked_at]
        full[host.id] = full.get(host.id, 0) + 1
        if host.destroyed and host.lost_turn:
            pf.perish(host.lost_turn)
        elif host.destroyed or host.race != pf.race or full[host.id] > host.record.pf_room:
            leave_dock(pf, host)
        else:
            _follow(pf, host)
            ours, theirs = fleet_of.get(pf.id), fleet_of.get(host.id)
            if theirs is not None and ours is not theirs:
                if ours is not None:
                    ours.units = [key for key in ours.units if key != pf.id]
                theirs.units = [*theirs.units, pf.id]


@rule("2.4.1.7", "3.3.7")
def judge_docked_in_wave(line: WaveLine, pfs: Mapping[str, Unit]) -> list[Refusal]:
    """Refusals of PFs that are named in an escape wave's line and are not docked, have two orders, or would leave a
    host that does not run if it is caught. 2.4.1.7, 3.3.7, CU-R23"""
    refusals: list[Refusal] = []
    for field, named in (("launch", line.launch), ("caught", line.caught)):
        path = f"wave.{field}"
        refusals += [
            illegal("no such PF is docked here", "2.4.1.7, CU-R23", path, nearest=nearest(pf, pfs))
            for pf in named
            if pf not in pfs
        ]
        refusals += [malformed("a PF is named twice", path)] if len(set(named)) < len(named) else []
    named = [pf for pf in (*line.launch, *line.caught) if pf in pfs]
    doubled = {pf for pf in named if pf in line.ships or (pf in line.launch and pf in line.caught)}
    refusals += [malformed(f"{pfs[pf].name} has two orders", "wave.launch") for pf in sorted(doubled)]
    left = [pfs[pf] for pf in line.caught if pf in pfs and pf not in doubled and pfs[pf].docked_at not in line.ships]
    if left:
        text = f"the tender of {', '.join(pf.name for pf in left)} does not run"
        refusals.append(illegal(text, "3.3.7, CU-R23", "wave.caught", legal="PFs that are docked on who runs"))
    return refusals


# --- losses ----------------------------------------------------------------------------------------------------------


@rule("2.4.1.7", "4.1.8")
def lose_docked(turn: CutlerTurn, host: Unit, apart: int = 0) -> None:
    """A host was lost: its docked PFs are lost with it, but for as many as got away. 2.4.1.7, 4.1.8, CU-R23"""
    docked = docked_on(turn.state, [host])
    for pf in docked[:apart]:
        leave_dock(pf, host)
    _lose(turn, host, docked[apart:])
    if docked[:apart]:
        text = f"Got away from {host.name}: {_names(docked[:apart])}."
        turn.tell([host.race], text, kind="battle", why=because("2.4.1.7, CU-R23"))


@rule("2.4.1.7", "4.1.8")
def lose_some_docked(turn: CutlerTurn, host: Unit, lost: int) -> None:
    """So many PFs are lost on a host that was not. 2.4.1.7, 4.1.8, CU-R23"""
    _lose(turn, host, docked_on(turn.state, [host])[:lost])


def _lose(turn: CutlerTurn, host: Unit, pfs: Collection[Unit]) -> None:
    for pf in pfs:
        leave_dock(pf)
        pf.perish(turn.state.turn)
    if pfs:
        text = f"Lost in the docks of {host.name}: {_names(pfs)}."
        turn.tell([host.race], text, kind="battle", why=because("2.4.1.7, CU-R23"))


@rule("5.1", "2.4.1.7")
def take_docked(turn: CutlerTurn, host: Unit, owner: Side, captor: Side, apart: int = 0) -> list[Unit]:
    """A host was captured: its docked PFs are captured with it, but for as many as got away. Those that were. 5.1,
    2.4.1.7, CU-R23"""
    docked = docked_on(turn.state, [host])
    for pf in docked[:apart]:
        leave_dock(pf, host)
    for pf in docked[apart:]:
        pf.taken_by(captor)
    for race, pfs, said in ((owner, docked[:apart], "Got away from"), (owner, docked[apart:], "Captured with")):
        if pfs:
            turn.tell([race], f"{said} {host.name}: {_names(pfs)}.", kind="battle", why=because("2.4.1.7, CU-R23"))
    if docked[apart:]:
        text = f"Docked on {host.name}, and captured with it: {_names(docked[apart:])}."
        turn.tell([captor], text, kind="battle", why=because("5.1, CU-R23"))
    return docked[apart:]


def _names(pfs: Iterable[Unit]) -> str:
    return ", ".join(pf.name for pf in pfs)


# --- scenarios -------------------------------------------------------------------------------------------------------


class DockedEntry(Protocol):
    """What a scenario says of a unit that may begin docked."""

    @property
    def race(self) -> Side:
        """Whose it is."""
        ...

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def type(self) -> str:
        """Its class."""
        ...

    @property
    def hex(self) -> HexId:
        """Where it begins."""
        ...

    @property
    def fleet(self) -> str:
        """With whom."""
        ...

    @property
    def docked_on(self) -> str:
        """The key of its host."""
        ...


@rule("2.4.1.7", "2.6.1")
def dock_entry_defects(
    units: Mapping[str, DockedEntry], classes: Mapping[str, UnitClass], key: str, path: str
) -> list[Refusal]:
    """What begins docked and is no PF, or is on what has no dock left for it, or is elsewhere. 2.4.1.7, 2.6.1,
    CU-R23"""
    unit = units[key]
    if not unit.docked_on:
        return []
    law, legal = "2.4.1.7, CU-R23", "a PF tender of its race, hex and fleet"
    if classes[unit.type].kind not in PFS:
        return [illegal("only PFs and Interceptors dock", law, path, legal="nothing")]
    host = units.get(unit.docked_on)
    if host is None or host.type not in classes:
        return [malformed("no such unit", path, nearest=nearest(unit.docked_on, units))]
    room = classes[host.type].pf_room
    if [one for one, entry in units.items() if entry.docked_on == unit.docked_on].index(key) >= room:
        return [illegal(f"{host.name} has {counted(room, 'dock')} for PFs", law, path, legal=legal)]
    if (host.race, host.hex) != (unit.race, unit.hex) or host.fleet not in ("", unit.fleet):
        return [illegal(f"{host.name} is not with it", law, path, legal=legal)]
    return []
