"""Chapter 2.4.1.5: tows, as they are plotted: a fleet's line names those of its ships that the others tow, and bases in
its hex that it tows to their site. 4.4.1"""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field
from rules_engine.rulebooks.cutler.records.conditions.towing import allot_tows, tow_capacity, towed_among
from rules_engine.rulebooks.cutler.records.orders import FleetLine
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit
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
        unit.towing = allotted.get(unit.id, [])


def say_tow(units: list[Unit], tow: list[str], bases: Sequence[Unit] = ()) -> str:
    """A tow in plain words, to go on a line: empty where there is none."""
    names = [unit.name for unit in (*units, *bases) if unit.id in tow]
    return f"; tows {', '.join(names)}" if names else ""
