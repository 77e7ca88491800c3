"""Judging a sheet from what its Team knows: every defect, with its rule and what would be legal."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.ch20_pinning.departures import leading_command
from rules_engine.rulebooks.border_patrol.ch20_pinning.strength import travels_by_itself
from rules_engine.rulebooks.border_patrol.ch40_emergency.emergency import judge_emergency
from rules_engine.rulebooks.border_patrol.ch40_emergency.overhauls import (
    OverhaulPlace,
    PlaceKind,
    begin_overhaul,
    judge_overhaul,
)
from rules_engine.rulebooks.border_patrol.ch50_cloaks.cloaks import judge_cloaked_stack
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import cloak_order, order_cloak
from rules_engine.rulebooks.border_patrol.ch60_reaction.reacting import SENSORS_ROLL, judge_reaction
from rules_engine.rulebooks.border_patrol.plotting.formations import Formation, form_up, judge_parts, judge_tows
from rules_engine.rulebooks.border_patrol.plotting.pods import load
from rules_engine.rulebooks.border_patrol.plotting.routes import judge_legs, read_legs
from rules_engine.rulebooks.border_patrol.plotting.standing_words import read_orders
from rules_engine.rulebooks.border_patrol.records.orders import TurnPlots
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, Unit, best_command
from rules_engine.rulebooks.border_patrol.stacks import stack_allowance

_OVERHAULING: dict[str, PlaceKind] = {"SB": "SB", "MB": "MB", "BS": "BS", "BATS": "BATS", "FRD": "FRD"}


@dataclass
class JudgedTurn:
    """A sheet as it was understood, with every defect."""

    formations: dict[str, Formation]
    refusals: list[Refusal] = field(default_factory=list[Refusal])


def judge_plots(state: BorderState, team: Side, sheet: TurnPlots) -> JudgedTurn:
    """Judge a Team's sheet from its own units and what stands open on the map."""
    formations, refusals = form_up(state, team, sheet)
    refusals += load(state, formations)
    for one in formations.values():
        refusals += judge_tows(one)
    judged = JudgedTurn(formations, refusals)
    places: dict[str, OverhaulPlace] = {}
    for one in formations.values():
        if one.line.orders is not None:
            one.words, defects = read_orders(one.line.orders, one.path("orders"))
            refusals += defects
        if one.units:
            refusals += _overhauls(state, one, places)
            refusals += _cloaks(one)
            refusals += _emergencies(one)
            refusals += _reacts(one)
            refusals += _goes(state, one)
            refusals += _part_goes(state, one)
            refusals += _leaves_behind(one)
    return judged


def places_at(state: BorderState, team: Side, hex_id: HexId) -> list[OverhaulPlace]:
    """Where a Team's engines could be overhauled in a hex: its bases, and star systems."""
    bases = [
        OverhaulPlace(
            id=unit.id,
            name=unit.name,
            kind=_OVERHAULING.get(unit.ship_class.upper(), "other"),
            hex=hex_id,
            team=unit.team,
        )
        for unit in state.units_in(hex_id)
        if unit.kind == "base" and unit.team == team
    ]
    systems = [
        OverhaulPlace(
            id=key,
            name=one.name,
            kind="system",
            hex=hex_id,
            team=one.owner,
            original_of=one.original,
            held_last_turn_by=one.owner if one.held else "",
            bombarded=one.bombarded,
        )
        for key, one in sorted(state.systems.items())
        if one.hex == hex_id
    ]
    return [*bases, *systems]


@rule("V8.45")
def _overhauls(state: BorderState, one: Formation, places: dict[str, OverhaulPlace]) -> list[Refusal]:
    """Begin overhauls at the first place of the hex that is free for each; where none is, say why. V8.45"""
    path = one.path("overhaul")
    units, refusals = one.named(one.line.overhaul or (), path)
    for unit in units:
        here = [places.setdefault(place.id, place) for place in places_at(state, one.stack.team, one.stack.hex)]
        tried = [(place, judge_overhaul(unit, place, path)) for place in here]
        free = next((place for place, against in tried if not against), None)
        if free is not None:
            begin_overhaul(unit, free)
        elif tried:
            refusals += tried[0][1]
        else:
            legal = "a hex with an own SB, MB, BS, BATS or FRD, or an own star system"
            text = f"nothing in {one.stack.hex} overhauls engines"
            refusals.append(illegal(text, "V8.45, BP-R37", path, legal=legal))
    return refusals


@rule("V8.51", "V8.58")
def _cloaks(one: Formation) -> list[Refusal]:
    """Put a stack under cloak that is to move so; one that says nothing keeps its cloak as long as it may. V8.51,
    V8.58"""
    defects = judge_cloaked_stack(one.units, one.path("cloak"))
    if one.line.cloak is None:
        own = [unit for unit in one.units if unit.id in one.stack.units]
        one.cloak_word = cloak_order(own) if not defects else "no"
        defects = []
    else:
        one.cloak_word = one.line.cloak
    if one.cloak_word == "no":
        defects = []
    if defects:
        one.cloak_word = "no"
    for unit in one.units:
        order_cloak(unit, one.cloak_word)
    return defects


@rule("V8.42")
def _emergencies(one: Formation) -> list[Refusal]:
    """Let units use Emergency Movement that may; whether a chief engineer's roll succeeds is not known yet. V8.42"""
    units, refusals = one.named(one.line.emergency or (), one.path("emergency"))
    for unit in units:
        defects = judge_emergency(unit, one.path("emergency"))
        unit.emergency = not defects
        refusals += defects
    return refusals


@rule("V8.61")
def _reacts(one: Formation) -> list[Refusal]:
    """Refuse to lie in wait with a unit that may not, or with a route; whether others hold the stack is not said
    before. V8.61"""
    if one.line.react in (None, "no"):
        return []
    path = one.path("react")
    refusals = [
        defect
        for unit in one.units
        if unit.kind not in CARRIED
        for defect in judge_reaction(_declared(one, unit), path, sensors_roll=SENSORS_ROLL)
    ]
    if one.line.route and one.line.route.strip():
        text = f"{one.key} lies in wait, and would go its way as well"
        refusals.append(illegal(text, "V8.61", one.path("route"), legal="a route, or Reactionary Movement"))
    return refusals


def _declared(one: Formation, unit: Unit) -> Unit:
    """A unit as its line declares it, whether or not Emergency Movement is possible: both together never are."""
    return unit.changed(emergency=unit.id in (one.line.emergency or ()))


def _goes(state: BorderState, one: Formation) -> list[Refusal]:
    """Read the route, and refuse what the stack's points do not reach."""
    if not one.line.route:
        return []
    path = one.path("route")
    one.legs, refusals = read_legs(state.grid, one.stack.hex, one.line.route, path)
    return refusals or judge_legs(one.key, one.lead, one.legs, one.allowance, path)


@rule("V8.15")
def _part_goes(state: BorderState, one: Formation) -> list[Refusal]:
    """Read the way of those that part, which go by what they are themselves. V8.15, BP-R59"""
    route, path = one.line.part_route, one.path("part_route")
    if route is None or not route.strip():
        return []
    if not one.detached:
        text = f"nobody parts from {one.key}"
        return [illegal(text, "BP-R59", path, legal=f"the way of those that {one.path('detach')} names")]
    one.part_legs, refusals = read_legs(state.grid, one.stack.hex, route, path)
    names = ", ".join(unit.name for unit in one.detached)
    speed = stack_allowance(one.detached, together=one.stack.orders.company == "keep together")
    return refusals or judge_legs(names, one.detached[0], one.part_legs, speed, path)


@rule("V8.24", "V8.35")
def _leaves_behind(one: Formation) -> list[Refusal]:
    """Refuse a rearguard of all, with one end of a tow, or, for a stack that would break out, with its highest Command
    Rating. V8.24, V8.35"""
    path = one.path("rearguard")
    rear, refusals = one.named(one.line.rearguard or (), path)
    if not rear:
        return refusals
    go = [unit for unit in one.units if unit not in rear]
    if not go:
        return [*refusals, illegal(f"all of {one.key} would stay", "V8.23", path, legal="some of its units")]
    able = [unit for unit in rear if travels_by_itself(unit)]
    if one.standing.held in ("break out", "either") and best_command(able) > leading_command(go):
        flag = max(able, key=lambda unit: (unit.command, unit.id))
        text = f"{flag.name} has the highest Command Rating of {one.key}, {flag.command}, and would stay"
        refusals.append(illegal(text, "V8.24, BP-R14", path, legal=f"{flag.name} among those that break out"))
    return [*refusals, *judge_parts((go, rear), path), *_torn(rear, go, path)]


def _torn(rear: Iterable[Unit], go: Iterable[Unit], path: str) -> list[Refusal]:
    staying = {unit.id: unit for unit in rear}
    pairs = [(tower, towed) for tower in go for towed in tower.towing if towed in staying]
    names = [(tower.name, staying[towed].name) for tower, towed in pairs]
    going = {unit.id: unit for unit in go}
    names += [(unit.name, going[key].name) for unit in staying.values() for key in unit.towing if key in going]
    return [
        illegal(f"{tower} tows {towed}, and one of them would stay", "V8.35, BP-R22", path, legal="both, or neither")
        for tower, towed in names
    ]
