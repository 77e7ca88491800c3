"""Chapters 2.4.1.5 and 2.4.1.7: what is carried along, as it is plotted. A fleet's line names those of its ships that
the others tow, and bases in its hex that it tows to their site; and the PFs that are docked on it. 4.4.1, 2.6.1"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted, verb
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field
from rules_engine.rulebooks.cutler.records.conditions.docking import (
    allot_docks,
    can_dock,
    dock,
    hosts_for,
    leave_dock,
)
from rules_engine.rulebooks.cutler.records.conditions.towing import allot_tows, tow_capacity, towed_among
from rules_engine.rulebooks.cutler.records.orders import FleetLine, FleetPlots
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fleet, Unit
from rules_engine.rulebooks.cutler.records.tables import NO_BASES


def tow_fields(units: list[Unit], bases: Sequence[Unit] = ()) -> list[Field]:
    """What a fleet's line asks about tows: nothing where nobody could be towed. ``bases`` are those in its hex that may
    be."""
    if len(units) + len(bases) < 2 or not any(map(tow_capacity, units)):
        return []
    ways = tuple(Choice(value=unit.id, label=unit.title) for unit in (*units, *bases))
    text = "By others of the fleet, which makes 3 hexes a turn then"
    return [
        Field(
            key="tow", label="In tow", kind="many", choices=ways, value=[*towed_among(units)], optional=True, help=text
        )
    ]


def stored_tow(units: list[Unit], line: FleetLine, bases: Sequence[Unit] = ()) -> list[str]:
    """Whom a fleet tows, by its line; what that leaves out stays as it was."""
    here = {unit.id for unit in (*units, *bases)}
    return list(line.tow) if line.tow is not None else [key for key in towed_among(units) if key in here]


@rule("2.4.1.5")
def judge_tow(key: str, units: list[Unit], tow: list[str], bases: Sequence[Unit] = ()) -> list[Refusal]:
    """Refusals of a tow: of others than the fleet's own ships and ``bases`` in its hex that may be towed, of more than
    its towers may tow, and of ships that must leave as fast as they can. 2.4.1.5, CU-R21, CU-R62, CU-N76, CU-N114"""
    path = f"{key}.tow"
    known = [unit.id for unit in (*units, *bases)]
    refusals = [
        malformed(
            "this is no ship of the fleet, and no base here that is towed",
            path,
            nearest=nearest(ship, known),
        )
        for ship in tow
        if ship not in known
    ]
    if refusals or not tow:
        return refusals
    if len(set(tow)) < len(tow):
        return [malformed("a ship is named twice", path)]
    able = sum(tow_capacity(unit) for unit in units if unit.id not in tow)
    if len(tow) > able:
        text = f"{counted(len(tow), 'unit')} in tow, and the others of the fleet can tow {able}"
        legal = f"at most {able}: one for a ship with a tractor, two for a tug with two"
        refusals.append(illegal(text, "2.4.1.5, CU-R21", path, legal=legal))
    forced = [unit.name for unit in units if unit.retreat_hex]
    if forced:
        text = f"{', '.join(forced)} disengaged, and must first leave at full speed"
        refusals.append(illegal(text, "2.4.1.5, 3.4.5.4", path, legal="no tow until then"))
    return refusals


@rule("2.4.1.5")
def judge_shared_tows(tows: Mapping[str, list[str]]) -> list[Refusal]:
    """Refusals of what two fleets would tow, by the fleet's key. 2.4.1.5, CU-R21"""
    first: dict[str, str] = {}
    return [
        illegal(f"{first[unit]} tows it already", "2.4.1.5, CU-R21", f"{key}.tow", legal="one tower for each unit")
        for key, tow in tows.items()
        for unit in tow
        if first.setdefault(unit, key) != key
    ]


@rule("1.1.2.5.2", "4.4.1")
def judge_way_of_bases(state: CutlerState, key: str, course: Sequence[HexId], going: Sequence[str]) -> list[Refusal]:
    """Refusals of a course on which a base in tow, or under its own power, would come to where none may be, or where
    nobody knows whether one may. ``going`` are the units on that way. 1.1.2.5.2, 4.4.1, CU-R09, CU-N114, CU-N144"""
    found = [state.units[key] for key in dict.fromkeys(going) if key in state.units]
    bases = [unit.name for unit in found if unit.kind == "base"]
    barred = [one for one in course if state.terrain.get(one) in NO_BASES or one in state.unsurveyed]
    if not bases or not barred:
        return []
    what = "is unsurveyed" if barred[0] in state.unsurveyed else "has terrain in which no base may be"
    text = f"{barred[0]} {what}, and {', '.join(bases)} would come there"
    return [illegal(text, "1.1.2.5.2, CU-R09, CU-N114", f"{key}.course", legal="a course around it")]


def carry_out_tow(units: list[Unit], tow: list[str]) -> None:
    """Take a judged tow in hand."""
    allotted = allot_tows(units, tow)
    for unit in units:
        unit.take_in_tow(allotted.get(unit.id, []))


def say_tow(units: list[Unit], tow: list[str], bases: Sequence[Unit] = ()) -> str:
    """A tow in plain words, to go on a line: empty where there is none."""
    names = [unit.name for unit in (*units, *bases) if unit.id in tow]
    return f"; tows {', '.join(names)}" if names else ""


# --- docked PFs ------------------------------------------------------------------------------------------------------


@rule("2.4.1.7", "2.6.1")
def dock_fields(state: CutlerState, fleet: Fleet) -> list[Field]:
    """What a fleet's line asks about PFs: nothing where none could dock. All PFs of its race in its hex may. 2.4.1.7,
    2.6.1, CU-R23"""
    members = state.members(fleet)
    here = members[0].hex
    pfs = [unit for unit in state.units_in(here, fleet.race) if can_dock(unit)]
    if not pfs or not hosts_for(state, fleet.race, here, members):
        return []
    ways = tuple(Choice(value=unit.id, label=unit.title) for unit in pfs)
    docked = [unit.id for unit in members if unit.docked_at]
    text = "On a tender of the fleet, or a base here: they go along, and others see none of them"
    return [Field("dock", "Docked PFs", "many", ways, value=[*docked], optional=True, help=text)]


Homes = Mapping[str, tuple[str, Unit]]
"""Units by id, each with the key of its fleet before a sheet."""


@rule("2.4.1.7", "2.6.1")
def with_pfs(
    home: Homes, sheet: FleetPlots, joined: Mapping[str, str]
) -> tuple[dict[str, str], set[str], list[Refusal]]:
    """Who joins which fleet, with the PFs that are to dock on a ship of it, and those that are docked on a ship that
    joins it, unless they are to leave it; the PFs that leave their docks by that; and refusals of those that are to
    dock in two fleets that are not their own. 2.4.1.7, 2.6.1, CU-R23"""
    found, wanted = dict(joined), dict[str, str]()
    refusals: list[Refusal] = []
    places = {key: unit.hex for key, unit in home.values()}
    for key, line in sheet.fleets.items():
        for pf, (fleet, unit) in [(pf, home[pf]) for pf in dict.fromkeys(line.dock or ()) if pf in home]:
            if fleet != key and can_dock(unit) and places.get(key) == unit.hex:
                found.setdefault(pf, key)
                if wanted.setdefault(pf, key) != key:
                    text = f"{unit.name} would be docked in {wanted[pf]}, too"
                    refusals.append(illegal(text, "2.4.1.7, CU-R23", f"{key}.dock", legal="one dock for each PF"))
    for pf, (key, unit) in home.items():
        line = sheet.fleets.get(key)
        stays = line is None or line.dock is None or pf in line.dock
        if unit.docked_at in joined and pf not in found and stays:
            found[pf] = joined[unit.docked_at]
    return found, {pf for pf, key in found.items() if _leaves_its_dock(pf, home[pf][0], key, sheet)}, refusals


@rule("2.4.1.7", "2.6.1")
def _leaves_its_dock(pf: str, before: str, joins: str, sheet: FleetPlots) -> bool:
    """Whether a PF that joins another fleet leaves its dock, where that fleet's line says nothing of docks: the line of
    its own leaves it out, or it is named as a ship of one that is sent off. 2.4.1.7, 2.6.1, CU-N171"""
    own, there = sheet.fleets.get(before), sheet.fleets.get(joins)
    left_out = own is not None and own.dock is not None and pf not in own.dock
    return left_out or (there is not None and pf in (there.ships or ()) and there.is_sent_off)


@rule("2.4.1.7", "2.6.1", "3.4.5.4")
def judge_dock(
    state: CutlerState, race: Side, key: str, units: list[Unit], *, line: FleetLine, leaving: Collection[str]
) -> tuple[list[str], list[Refusal]]:
    """The PFs that are docked in a fleet by its line, and refusals: of what is no PF of theirs there, of those in tow,
    and of those that must leave the hex by themselves. What the line leaves out stays as it was, but for those that are
    ``leaving`` their docks by another line. 2.4.1.7, 2.6.1, 3.4.5.4, CU-R23"""
    path, here = f"{key}.dock", units[0].hex
    members = {unit.id: unit for unit in units}
    hosts = {host.id: host for host in hosts_for(state, race, here, units)}
    if line.dock is None:
        return [unit.id for unit in units if unit.docked_at in hosts and unit.id not in leaving], []
    known = {unit.id: unit for unit in state.units_in(here, race) if can_dock(unit)}
    refusals = [
        malformed("this is no PF of yours in the hex", path, legal=", ".join(known), nearest=nearest(pf, known))
        for pf in line.dock
        if pf not in known
    ]
    if len(set(line.dock)) < len(line.dock):
        refusals.append(malformed("a PF is named twice", path))
    # Those that were named for another fleet, or went there with their tender, are docked there.
    docked = [pf for pf in dict.fromkeys(line.dock) if pf in members]
    towed = [members[pf].name for pf in docked if line.tow and pf in line.tow]
    if towed:
        text = f"{', '.join(towed)} would be docked, and in tow"
        refusals.append(illegal(text, "2.4.1.5, 2.4.1.7", path, legal="one of both"))
    forced = [members[pf] for pf in docked if not members[pf].docked_at and members[pf].retreat_hex]
    if forced:
        text = f"{', '.join(pf.name for pf in forced)} disengaged, and must first leave"
        refusals.append(illegal(text, "3.4.5.4, CU-R23", path, legal="no docking until then"))
    return docked, refusals


def judge_carried(
    state: CutlerState, key: str, units: list[Unit], bases: Sequence[Unit], *, line: FleetLine, leaving: Collection[str]
) -> tuple[list[str], list[str], list[Refusal]]:
    """The PFs that are docked in a fleet by its line, whom it tows, and refusals of both."""
    docked, refusals = judge_dock(state, units[0].race, key, units, line=line, leaving=leaving)
    tow = stored_tow(units, line, bases)
    refusals += judge_tow(key, [unit for unit in units if unit.id not in docked], tow, bases)
    return docked, tow, refusals


class Docking(NamedTuple):
    """What a sheet has one fleet do with docks: its units, those that are to be docked, and whether it has a course."""

    units: Sequence[Unit]
    docked: Sequence[str]
    goes: bool

    @property
    def pfs(self) -> list[Unit]:
        """Those of its units that are to be docked."""
        return [unit for unit in self.units if unit.id in self.docked]


@rule("2.4.1.7", "2.6.1")
def allot_on_sheet(state: CutlerState, race: Side, fleets: Mapping[str, Docking]) -> dict[str, dict[str, str]]:
    """On whom PFs dock, by the fleet's key: all of a sheet are plotted at once, so that docks which some leave are free
    for others, whichever line stands first. Who stays in its dock comes before who enters one. PFs of a fleet with a
    course dock on its own ships as far as these have docks, for bases stay. 2.4.1.7, 2.6.1, CU-R23, CU-N171"""
    allotted: dict[str, dict[str, str]] = {key: {} for key in fleets}
    taken: dict[str, int] = {}
    for is_staying in (True, False):
        for key, one in fleets.items():
            if not one.pfs:
                continue
            hosts = [host for host in hosts_for(state, race, one.units[0].hex, one.units) if host.id not in one.docked]
            own = {host.id for host in hosts if host.kind != "base" or not one.goes}
            pfs = [pf for pf in one.pfs if (pf.docked_at in own) == is_staying]
            fresh = allot_docks(pfs, hosts, taken, prefers=own)
            for host in fresh.values():
                taken[host] = taken.get(host, 0) + 1
            allotted[key] |= fresh
    return allotted


@rule("2.4.1.7", "2.6.1")
def judge_docks(state: CutlerState, race: Side, fleets: Mapping[str, Docking]) -> list[Refusal]:
    """Refusals of more PFs than there are docks for, those of bases shared by all fleets in the hex. 2.4.1.7, 2.6.1,
    CU-R23"""
    refusals: list[Refusal] = []
    for key, allotted in allot_on_sheet(state, race, fleets).items():
        pfs = fleets[key].pfs
        if len(allotted) < len(pfs):
            free = f"{verb(len(allotted), 'is', 'are')} {counted(len(allotted), 'dock')}"
            text = f"{counted(len(pfs), 'PF')} would be docked, and there {free} for them"
            legal = f"at most {len(allotted)}, on tenders of the fleet and bases in the hex"
            refusals.append(illegal(text, "2.4.1.7, 2.6.1, CU-R23", f"{key}.dock", legal=legal))
    return refusals


@rule("2.4.1.7")
def judge_way_from_docks(key: str, units: list[Unit], dock: Sequence[str], course: Sequence[HexId]) -> list[Refusal]:
    """Refusals of a course for PFs that are docked on what does not go: a base. 2.4.1.7, CU-R23"""
    pfs = [unit for unit in units if unit.id in dock]
    if not course or not pfs:
        return []
    hosts = [unit for unit in units if unit.id not in dock and unit.record.pf_room]
    left = len(pfs) - len(allot_docks(pfs, hosts))
    if not left:
        return []
    names = ", ".join(pf.name for pf in pfs)
    text = f"{names}: {left} of them would be docked on a base, which stays"
    legal = "let them leave their docks, or split the others off"
    return [illegal(text, "2.4.1.7, CU-R23", f"{key}.course", legal=legal)]


@rule("2.4.1.7", "2.6.1")
def carry_out_docks(state: CutlerState, race: Side, fleets: Mapping[str, Docking]) -> None:
    """Undock and dock PFs as the judged lines of a sheet say: first all leave that are to, then all dock. 2.4.1.7,
    2.6.1, CU-R23"""
    hosts = {pf: host for allotted in allot_on_sheet(state, race, fleets).values() for pf, host in allotted.items()}
    for unit in (unit for one in fleets.values() for unit in one.units):
        if unit.docked_at and unit.id not in hosts:
            leave_dock(unit, state.units[unit.docked_at])
    for pf, host in hosts.items():
        dock(state.units[pf], state.units[host])


def carry_along(state: CutlerState, race: Side, docking: Mapping[str, Docking], tows: Mapping[str, list[str]]) -> None:
    """Dock and undock PFs, and take in tow, as the judged lines of a sheet say."""
    carry_out_docks(state, race, docking)
    for key, one in docking.items():
        carry_out_tow([unit for unit in one.units if not unit.docked_at], tows[key])


def say_docked(state: CutlerState, units: Sequence[Unit]) -> str:
    """The docked PFs among some units, for their owner, to go on a line: empty where there are none."""
    by_host: dict[str, list[str]] = {}
    for unit in units:
        if unit.docked_at:
            by_host.setdefault(state.units[unit.docked_at].name, []).append(unit.name)
    return "".join(f"; docked on {host}: {', '.join(names)}" for host, names in by_host.items())


@rule("2.4.1.7", "2.6.1")
def say_dock(units: Sequence[Unit], docked: Sequence[str]) -> str:
    """Who is docked by a plot, and who leaves its dock, in plain words, to go on a line. 2.4.1.7, 2.6.1"""
    names = [unit.name for unit in units if unit.id in docked]
    leaving = [unit.name for unit in units if unit.docked_at and unit.id not in docked]
    said = f"; docked: {', '.join(names)}" if names else ""
    does = verb(len(leaving), "leaves its dock", "leave their docks")
    return said + (f"; {', '.join(leaving)} {does}" if leaving else "")
