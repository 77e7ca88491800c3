"""The odds of an escape, a scan, a mission, and of leaving a nebula, as the race considering it could work them out.

Only these are read: the race's own units, its contacts as it was told of them, and what everybody knows (terrain,
whether there are legendary navigators). What may be one way or the other gets a line for each.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refused, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice
from rules_engine.core.grids.hexes import UnknownHex
from rules_engine.core.knowledge.odds import Odds, OddsMenu, percent
from rules_engine.core.knowledge.views import Contact, Knowledge, track_order
from rules_engine.rulebooks.cutler.ch02_movement.navigators import may_have_navigators
from rules_engine.rulebooks.cutler.ch02_movement.nebulae import OUT
from rules_engine.rulebooks.cutler.ch03_combat.escape import escape_modifiers, may_escape
from rules_engine.rulebooks.cutler.ch06_espionage.espionage import needed
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
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fleet, Unit
from rules_engine.rulebooks.cutler.records.tables import ESCAPE_LIMIT, ESCAPE_TERRAIN, LEAST_MISSION, MOST_MISSION
from rules_engine.rulebooks.cutler.shown.map_pieces import present

FACES = 6
SPIES = "spies"
NEBULA = "nebula"
POINTS = (10, 15, 20, 25, 30, 40, 50)
"""Points of missions that are offered; any other number may be typed."""
FULL_SPEED = 6
SPEEDS = (6, 5, 4, 3)
"""Speeds of pursuers, of which S1-S5 tell nothing."""

_POINTS = re.compile(r"(?P<points>\d{1,4})\s*(?:ip|points?)?", re.IGNORECASE)


# --- what may be asked ------------------------------------------------------------------------------------------------


def odds_menu(state: CutlerState, side: Side, knowledge: Knowledge) -> OddsMenu:
    """Its fleets, its units that scan and never move, and its spies; its contacts, the way out of a nebula that a fleet
    is in, and points for missions."""
    fleets = present(state, side)
    own = [Choice(value=one.key, label=f"{one.key} in {state.place_of(one)}") for one in fleets]
    own += [Choice(value=key, label=f"{unit.name} in {unit.hex}") for key, unit in stations(state, side).items()]
    targets = [Choice(value=track, label=_say_contact(state, one)) for track, one in _held(knowledge).items()]
    if any(state.terrain.get(state.place_of(fleet)) == NEBULA for fleet in fleets):
        targets.append(Choice(value=NEBULA, label="the way out of the nebula"))
    targets += [Choice(value=f"{points} IP", label=f"a mission with {points} IP") for points in POINTS]
    return OddsMenu(own=(*own, Choice(value=SPIES, label="your spies")), targets=tuple(targets))


def odds_of(state: CutlerState, side: Side, knowledge: Knowledge, own: str, target: str) -> Odds:
    """The chances of one's own against a contact, a hex, the nebula or with points.

    Raises:
        Refused: when it is nothing of this race's, or nothing that it could try.
    """
    word, goal = own.strip().casefold(), " ".join(target.split())
    if word == SPIES:
        return _mission_odds(goal)
    fleet = next((one for one in present(state, side) if one.key.casefold() == word), None)
    station = next((unit for key, unit in stations(state, side).items() if key.casefold() == word), None)
    if fleet is None and station is None:
        known = [choice.value for choice in odds_menu(state, side, knowledge).own]
        text = f"{own[:20]} is no fleet of yours, nothing that scans, nor your spies"
        raise Refused([malformed(text, "own", legal=", ".join(known), nearest=nearest(own[:60], known))])
    if goal.casefold() == NEBULA:
        return _nebula_odds(state, fleet, own)
    contact = _held(knowledge).get(goal.upper())
    hex_id = contact.latest.hex if contact is not None else _hex_named(state, knowledge, goal)
    units = state.members(fleet) if fleet is not None else [station] if station is not None else []
    called = fleet.key if fleet is not None else units[0].name
    lines = [*_scan_lines(state, units, hex_id)]
    if fleet is not None and contact is not None:
        lines += _escape_lines(state, called, units, contact)
    goal_said = _say_contact(state, contact) if contact is not None else hex_id
    rules = "8.4, CU-R118" + (", 3.3.7.1, CU-R55" if fleet is not None and contact is not None else "")
    return Odds(title=f"{called} and {goal_said}", lines=tuple(lines), rule=rules)


def _held(knowledge: Knowledge) -> dict[str, Contact]:
    return {one.track: one for one in sorted(knowledge.held(), key=lambda one: track_order(one.track))}


def _say_contact(state: CutlerState, contact: Contact) -> str:
    whose = f"{state.name_of(contact.owner)} " if contact.owner in state.empires else ""
    return f"{contact.track}, {whose}in {contact.latest.hex}"


def _hex_named(state: CutlerState, knowledge: Knowledge, goal: str) -> HexId:
    try:
        return state.grid.parse(goal)
    except UnknownHex as error:
        known = [*_held(knowledge), NEBULA]
        near = (*nearest(goal[:60], known), *error.nearest)
        text = f"{goal[:20]} is no contact of yours, no hex, and not {NEBULA}"
        legal = f"{', '.join(_held(knowledge)) or 'a contact'}, a hex as 0404, {NEBULA}"
        raise Refused([malformed(text, "target", legal=legal, nearest=near)]) from None


# --- missions ---------------------------------------------------------------------------------------------------------


@rule("6.5.2")
def _mission_odds(goal: str) -> Odds:
    """A mission with so many points, by how many are used against it, which nobody knows before. 6.5.2, CU-R106"""
    found = _POINTS.fullmatch(goal)
    points = int(found["points"]) if found else 0
    if not LEAST_MISSION <= points <= MOST_MISSION:
        text = f"a mission takes {LEAST_MISSION} to {MOST_MISSION} IP"
        raise Refused([malformed(text, "target", legal=f"{LEAST_MISSION} IP to {MOST_MISSION} IP", nearest=("20 IP",))])
    cases: dict[int, int] = {}
    for against in range(points + 1):
        cases.setdefault(needed(points - against), against)
    lines = [_case(against, limit) for limit, against in cases.items()]
    said = f"It succeeds by what is left of its {points} IP: 10 to 20 need 1-4, more need 1-5, fewer fail."
    return Odds(title=f"A mission with {points} IP", lines=(said, *lines), rule="6.5.2, CU-R106")


def _case(against: int, limit: int) -> str:
    used = f"{counted(against, 'point')} or more" if against else "nothing"
    chance = f"**{percent(Fraction(limit, FACES))}**, 1-{limit} on a die" if limit else "it **fails** without a roll"
    return f"• {used} against it: {chance}"


# --- scans ------------------------------------------------------------------------------------------------------------


@rule("8.1", "8.3.1", "8.3.2", "8.4", "8.4.1", "8.6")
def _scan_lines(state: CutlerState, units: Sequence[Unit], hex_id: HexId) -> Iterator[str]:
    """A scan of a hex from where the units are. 8.1, 8.3.1, 8.3.2, 8.4, 8.4.1, 8.6, CU-R117, CU-R118"""
    scans = sensors_of(unit for unit in units if not unit.cloaked)
    here = units[0].hex
    distance = state.grid.distance(here, hex_id)
    reach = reach_of(units[0]) if units[0].is_station else SHIP_REACH
    limit = scan_limit(distance, reach)
    if not scans:
        hidden = sensors_of(units) > 0
        yield f"No scan: {'under cloak nobody scans' if hidden else 'no special sensor there works'} (8.1)."
    elif not limit:
        yield f"No scan of {hex_id} from {here}: {distance} hexes, the reach is {reach} and 1 more (8.3, 8.4.1)."
    else:
        long = ", a long-range scan" if limit < NORMAL_LIMIT else ""
        each = f"each of up to {scans} scans" if scans > 1 else "a scan"
        chance = Fraction(limit, FACES)
        once = f"; at least one of {scans}: {percent(1 - (1 - chance) ** scans)}" if scans > 1 else ""
        succeeds = f"1-{limit}" if limit > 1 else "1"
        yield (
            f"Scan of {hex_id} from {here}, {counted(distance, 'hex')} away{long}: {each} "
            f"succeeds with **{percent(chance)}**, at {succeeds}{once} (8.4)."
        )
        if state.cloaks:
            deep = Fraction(CLOAK_LIMIT, FACES) if limit == NORMAL_LIMIT else Fraction(0)
            yield f"It finds who is under cloak with {percent(deep)} (8.6)."


# --- escapes ----------------------------------------------------------------------------------------------------------


@rule("3.3.7.1")
def escape_chance(modifiers: int) -> Fraction:
    """The chance that a die with so much added is 3 or less. 3.3.7.1, CU-R55"""
    return Fraction(max(0, min(FACES, ESCAPE_LIMIT - modifiers)), FACES)


_OF_PURSUERS = ("legendary navigator pursuing", "slow pursuers")


@rule("3.3.2", "3.3.7", "3.3.7.1")
def _escape_lines(state: CutlerState, called: str, units: Sequence[Unit], contact: Contact) -> Iterator[str]:
    """All ships of a fleet that can run, as one wave, from one group of a contact's; and the other way about. The speed
    of the others is not told, nor whether they have a navigator. 3.3.2, 3.3.7, 3.3.7.1, CU-R53, CU-R55"""
    there = contact.latest.hex
    able = [unit for unit in units if may_escape(unit)]
    if not able:
        yield f"None of {called}'s ships can run (3.3.2)."
        return
    mods = escape_modifiers(state, there, able, able)  # as if pursued by themselves, whose part is left out
    own = {cause: value for cause, value in mods.items() if cause not in _OF_PURSUERS}
    ships = f"its {counted(len(able), 'ship')}"
    yield f"{called} runs from one group there, {ships} as one wave; a die of 3 or less escapes. {_say_mods(own)}"
    yield from _by_speed(sum(own.values()), "pursuers", navigator=+1 if may_have_navigators(state) else 0)
    number = tacintel.number_told(contact.latest.headline) or 0
    if contact.form == "force" and number:
        terrain = state.terrain.get(there, "")
        theirs = {f"{number} ships escaping, if all are full ships": number // 2}
        theirs |= {terrain: ESCAPE_TERRAIN.get(terrain, 0)}
        theirs |= {cause: mods[cause] for cause in _OF_PURSUERS if cause in mods}
        theirs = {cause: value for cause, value in theirs.items() if value}
        yield f"All of {contact.track} run from {called}, as one wave. {_say_mods(theirs)}"
        yield from _by_speed(
            sum(theirs.values()), "runners", navigator=-1 if may_have_navigators(state) else 0, theirs=True
        )


def _say_mods(mods: Mapping[str, int]) -> str:
    said = ", ".join(f"{cause} {value:+d}" for cause, value in mods.items())
    return f"Added: {said}." if said else "Nothing is added."


def _by_speed(mods: int, who: str, *, navigator: int, theirs: bool = False) -> Iterator[str]:
    """The chances by the slowest of the others' ships, of which nothing is told."""
    for speed in SPEEDS:
        slow = FULL_SPEED - speed if theirs else speed - FULL_SPEED
        chance = escape_chance(mods + slow)
        other = f" ({percent(escape_chance(mods + slow + navigator))} if they have a navigator)" if navigator else ""
        yield f"• {who} of speed {speed}: **{percent(chance)}**{other}"


# --- nebulae ----------------------------------------------------------------------------------------------------------


@rule("2.4.1.10")
def _nebula_odds(state: CutlerState, fleet: Fleet | None, own: str) -> Odds:
    """What comes of leaving a nebula, by the die; a navigator adds 1 where that lets them out. 2.4.1.10, CU-R26"""
    here = state.place_of(fleet) if fleet is not None else ""
    if fleet is None or state.terrain.get(here) != NEBULA:
        text = f"{own[:20]} is in no nebula"
        raise Refused([malformed(text, "own", legal="a fleet in a nebula")])
    units = state.members(fleet)
    helped = has_navigator(units)
    leaves = Fraction(FACES - OUT + 1 + helped, FACES)
    promised = {unit.nebula_exit for unit in units} - {""}
    lines = [f"{fleet.key} rolls one die to leave the nebula in {here} in an impulse."]
    if promised:
        lines.append(f"An earlier roll already lets it leave: {', '.join(sorted(promised))} (2.4.1.10).")
    lines += [
        f"• 5 or 6{', or 4 with its navigator' if helped else ''}: it leaves as plotted, **{percent(leaves)}**",
        f"• 3: it stays, and may leave so in the next impulse, {percent(Fraction(1, FACES))}",
        f"• 2: it comes out in a random hex, {percent(Fraction(1, FACES))}",
        *([] if helped else [f"• 4: it stays, and drifts out in the next impulse, {percent(Fraction(1, FACES))}"]),
        f"• 1: it stays, and must try again, {percent(Fraction(1, FACES))}",
    ]
    return Odds(title=f"{fleet.key} leaves the nebula", lines=tuple(lines), rule="2.4.1.10, CU-R26")
