"""Chapter 6.2: identification levels, exactly what each reveals, and the contact numbers."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Lost, Removed, Sighted, Why
from rules_engine.core.knowledge.views import TrackBook
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch10_supply.fuel import moving_cost
from rules_engine.rulebooks.pq17.ch10_supply.stores import holdings, loaded_boxes
from rules_engine.rulebooks.pq17.ch11_repair.boxes import full_boxes
from rules_engine.rulebooks.pq17.ch11_repair.refits import is_inactive, units_at_work
from rules_engine.rulebooks.pq17.contacts.minefields import HEADLINE, field_details, is_minefield
from rules_engine.rulebooks.pq17.contacts.settled_hexes import is_settled
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from rules_engine.rulebooks.pq17.tables.supply import Goods

LEAST_LEVEL = IdLevel.ID0
"""An attack needs a target identified at least as a force. PQ-17 6.2.3, 8.4.2."""


# --- what a unit or a task force shows --------------------------------------------------------------------------------


@rule("5.2.3.3", "6.3.4.2", "1.8.5", "6.3.4.1")
def is_scouting(state: State, tf: TaskForce) -> bool:
    """Whether a force searches as a scout: it is active and uncloaked and has one special sensor with power for it.

    PQ-17 5.2.3.3, 6.3.4.2, 1.8.5; rulings REC-5, BAS-6."""
    if not tf.posture.active or tf.posture.cloak:
        return False
    units = [state.units[unit_id] for unit_id in tf.units]
    fitted = [unit for unit in units if unit.special_sensors and unit.can_power_sensors]
    return any(not is_inactive(unit) and not state.is_load(tf, unit) for unit in fitted)


@rule("5.2.3.2", "5.2.4")
def is_warp_on(state: State, tf: TaskForce) -> bool:
    """Whether the force's warp is on: it is by its posture, and one unit has a box left to give power.

    Fuel is needed to declare that posture, in planning or after a battle, not to keep it: what was paid for drives the
    ships, and nothing says that it ends with the last point. PQ-17 5.2.3.2, 5.2.4; BAS-9, PST-2, own ruling PQ-190.
    """
    if is_settled(tf):
        return True  # ruling RAID-1
    return tf.posture.warp and any(unit.power_boxes for unit in units_at_work(state, tf))


@rule("6.2.4.1")
def uses_warp(state: State, tf: TaskForce, unit: Unit) -> bool:
    """Whether a ship shows warp: posture, undestroyed warp or AWR boxes, and fuel; not in a refit. Bases never do.

    6.2.4.1; BAS-9."""
    powered = bool(tf.posture.warp and unit.power_boxes and unit.fuel)
    return powered and not state.classes[unit.class_id].is_base and not is_inactive(unit)


@rule("6.2.4.2")
def uses_impulse(state: State, tf: TaskForce, unit: Unit) -> bool:
    """Whether a ship shows impulse only: no warp, impulse boxes left, and moving at Impulse Crawl. PQ-17 6.2.4.2."""
    if uses_warp(state, tf, unit) or state.class_of(unit).is_base or is_inactive(unit):
        return False
    return bool(unit.impulse) and tf.speed is Speed.IMPULSE_CRAWL


# --- what each level reveals ------------------------------------------------------------------------------------------

_CLOAKS, _NO_CLOAKS = "Cloaks in use", "No cloaks in use"
_PASSIVE, _ACTIVE = "Sensors passive", "Sensors active"
_STABILIZERS = "Positional stabilizers"
_WARP_COST = "Ships using warp: movement cost"
_USING_WARP = "using warp"
_PROPULSIONS = {"warp": _USING_WARP, "impulse": "on impulse only", "negligible": "with negligible propulsion"}


def contact_details(state: State, tf: TaskForce, level: IdLevel) -> tuple[str, ...]:
    """Exactly what the enemy is told of a force at ``level``, line by line. PQ-17 6.2.2-6.2.7; IDL-3..9."""
    if is_minefield(tf):
        return field_details(tf, level)
    lines: list[str] = []
    if level >= IdLevel.U:
        lines += _at_presence(state, tf)
    if level >= IdLevel.ID1:
        groups = _propulsion(state, tf)
        lines += _at_id1(state, groups)
        if level >= IdLevel.ID2:
            lines += _at_id2(state, tf, groups)
    if level is IdLevel.ID3:
        lines += _at_id3(state, tf)
    if level >= IdLevel.ID4:
        lines += _at_id4(state, tf)
    return tuple(lines)


@rule("6.2.2", "6.2.3")
def headline_of(tf: TaskForce, level: IdLevel) -> str:
    """One line for the counter. PQ-17 6.2.2, 6.2.3."""
    if is_minefield(tf):
        return HEADLINE
    if tf.base is not None and tf.base.known:
        return f"{tf.base.name}, known base"
    return "Force present" if level < IdLevel.ID0 else "Force identified"


@rule("6.2.2")
def _at_presence(state: State, tf: TaskForce) -> list[str]:
    """Cloaks, sensors, scout, stabilisers; not nation, number, speed, warp or port. PQ-17 6.2.2; IDL-3."""
    posture = tf.posture
    lines = [_CLOAKS if posture.cloak else _NO_CLOAKS]
    if not posture.active:
        lines.append(_PASSIVE)
    else:
        scout = "scout present" if is_scouting(state, tf) else "no scout"
        lines.append(f"{_ACTIVE}, {scout}")
    if tf.is_base:
        lines.append(_STABILIZERS)
    return lines


@rule("6.2.4")
def _at_id1(state: State, groups: Mapping[str, Sequence[Unit]]) -> list[str]:
    """The movement cost under warp, with the pods that ships carry, and that there are other units, without numbers.

    PQ-17 6.2.4; IDL-5, IDL-6."""
    total = sum((moving_cost(state, unit) for unit in groups["warp"]), Fraction(0))
    lines = [f"{_WARP_COST} {show_fraction(total)} in all"]
    if groups["impulse"]:
        lines.append("Some units on impulse only")
    if groups["negligible"]:
        lines.append("Some units with negligible propulsion signature")
    return lines


@rule("6.2.5")
def _at_id2(state: State, tf: TaskForce, groups: Mapping[str, Sequence[Unit]]) -> list[str]:
    """Numbers in each propulsion group by the empire that built them, and the number of bases; loads are no units.

    PQ-17 6.2.5; IDL-7."""
    built = Counter([(state.classes[unit.class_id].empire, key) for key, units in groups.items() for unit in units])
    lines: list[str] = []
    for empire in sorted({empire for empire, _ in built}):
        counted = [f"{built[empire, key]} {text}" for key, text in _PROPULSIONS.items() if built[empire, key]]
        lines.append(f"{empire}: {', '.join(counted)}")
    bases = sum([state.classes[state.units[unit_id].class_id].is_base for unit_id in tf.units])
    if bases:
        lines.append(f"Bases: {bases}")
    return lines


@rule("6.2.4.3")
def _propulsion(state: State, tf: TaskForce) -> dict[str, list[Unit]]:
    """The units by what drives them: warp, impulse alone, or nothing that shows. PQ-17 6.2.4.3."""
    groups: dict[str, list[Unit]] = {"warp": [], "impulse": [], "negligible": []}
    for unit in state.separate_units(tf):
        shown = "warp" if uses_warp(state, tf, unit) else "impulse" if uses_impulse(state, tf, unit) else "negligible"
        groups[shown].append(unit)
    return groups


@rule("6.2.6")
def _at_id3(state: State, tf: TaskForce) -> list[str]:
    """Movement cost, a tug's with its pods, and the name of the chart it stands on: never variant, name or damage.

    PQ-17 6.2.6; IDL-8, FUE-5."""
    charts = [(moving_cost(state, unit), state.class_of(unit).msc_table) for unit in state.separate_units(tf)]
    return [_times(count, f"MC {show_fraction(cost)} {chart}") for cost, chart, count in _heaviest_first(charts)]


@rule("6.2.7")
def _at_id4(state: State, tf: TaskForce) -> list[str]:
    """Every unit's status sheet. PQ-17 6.2.7; IDL-9."""
    sheets = [(moving_cost(state, unit), status_line(state, unit)) for unit in state.units_of(tf)]
    return [_times(count, sheet) for _, sheet, count in _heaviest_first(sheets)]


def _heaviest_first(units: Iterable[tuple[Fraction, str]]) -> list[tuple[Fraction, str, int]]:
    """Units by movement cost and description, with the number of all that are alike; heaviest first, then by
    description, so that the order tells nothing of names or ids."""
    found = [(cost, described, count) for (cost, described), count in Counter(units).items()]
    return sorted(found, key=lambda one: (-one[0], one[1]))


def _times(count: int, line: str) -> str:
    return line if count == 1 else f"{count} × {line}"


@rule("6.2.7", "6.5.1")
def status_line(state: State, unit: Unit) -> str:
    """A unit's status sheet on one line: class, boxes left and stores. For ID4 only. PQ-17 6.2.7, 6.5.1; IDL-9."""
    kind = state.class_of(unit)
    crippled = ", crippled" if unit.crippled else ""
    left = ", ".join(f"{name} {value}/{full}" for name, value, full in box_counts(state, unit) if full or value)
    sensors = ",".join(map(str, sorted(unit.sensor_track, reverse=True))) or "none"
    stores = f"fuel {show_fraction(unit.fuel)}, supply {unit.supply}, probes {unit.probes}"
    stores += f", repair points {unit.repair_points}" if unit.repair_points else ""
    stores += "".join(f", {goods.value} {int(n)}" for goods, n in holdings(unit) if goods is not Goods.PROBES)
    what = f"{kind.name} (MC {show_fraction(kind.move_cost)} {kind.msc_table}{crippled})"
    damcon = ",".join(map(str, unit.damcon_track)) or "none"
    repair = f"DAMCON {damcon}, self-repairs {unit.self_repairs_left}, repair points {unit.repair_points}"
    boxes = loaded_boxes(unit)
    stores += f", {counted(boxes, 'box')} of explosives (suicide freighter)" if boxes else ""
    other = ", ".join(f"{box} {count}" for box, count in sorted(unit.repairs.damage.items()))
    return f"{what}: {left}; sensors {sensors}; {repair}; {stores}{f'; destroyed: {other}' if other else ''}"


_COUNTED = {
    "warp": "warp",
    "awr": "AWR",
    "impulse": "impulse",
    "battery": "battery",
    "special_sensors": "special sensors",
    "cargo": "cargo",
    "repair": "repair",
    "tractors": "tractors",
}


def box_counts(state: State, unit: Unit) -> tuple[tuple[str, int, int], ...]:
    """For each kind of box, the number left and the number on the undamaged record, refits included."""
    return tuple((label, getattr(unit, box), full_boxes(state, unit, box) or 0) for box, label in _COUNTED.items())


@rule("6.2.5")
def known_ships(details: Sequence[str]) -> int | None:
    """How many ships and bases :func:`contact_details` tells of, read from its lines alone: the numbers that are known
    from ID2 on. None if they tell of none. PQ-17 6.2.5."""
    return sum(map(_counted_in, details)) or None


def _counted_in(line: str) -> int:
    """The sum of a line that counts an empire's units by propulsion; 0 of any other."""
    parts = [part.partition(" ") for part in line.rpartition(": ")[2].split(", ")]
    if not all(number.isdecimal() and said in _PROPULSIONS.values() for number, _, said in parts):
        return 0
    return sum(int(number) for number, _, _ in parts)


class KnownPosture(NamedTuple):
    """What the lines of a report tell of a force's posture; None if they leave it open."""

    cloaked: bool | None
    passive: bool | None
    warp_off: bool | None


@rule("6.2.2", "6.2.4", "6.2.5", "5.2.3.1")
def known_posture(details: Sequence[str]) -> KnownPosture:
    """The posture told by :func:`contact_details`, read from its lines alone. PQ-17 6.2.2, 6.2.4, 6.2.5.

    A cloaked force is passive (5.2.3.1). Ships under warp say that warp is on. That none is does not say that it is
    off: ships without fuel do not count as using warp (6.2.4.1), whatever the posture; nor do bases.
    """
    cloaked = True if _CLOAKS in details else False if _NO_CLOAKS in details else None
    active = any(line.startswith(_ACTIVE) for line in details)
    passive = True if cloaked or _PASSIVE in details else False if active else None
    costs = [line for line in details if line.startswith(_WARP_COST)]
    counts = [line for line in details if line.endswith(_USING_WARP) or f"{_USING_WARP}," in line]
    warp_off = None
    if counts or any(not line.startswith(f"{_WARP_COST} 0 ") for line in costs):
        warp_off = False
    return KnownPosture(cloaked, passive, warp_off)


# --- under which number -----------------------------------------------------------------------------------------------


def book_of(state: State, viewer: Side) -> TrackBook:
    """The viewer's book of contact numbers."""
    book = state.tracks.get(viewer)
    return state.tracks.setdefault(viewer, TrackBook()) if book is None else book


def track_for(state: State, viewer: Side, tf: TaskForce) -> str:
    """The viewer's number for an enemy force, a fresh one if it holds none; known bases keep their name. TF-4."""
    if is_settled(tf):
        return tf.id
    book = book_of(state, viewer)
    if tf.base is not None and tf.base.known:
        book.current[tf.id] = tf.base.name
    return book.issue(tf.id)


def held_track(state: State, viewer: Side, tf: TaskForce) -> str | None:
    """The number under which the viewer holds an enemy force now, if it does."""
    return tf.id if is_settled(tf) else book_of(state, viewer).track_of(tf.id)


@rule("6.2.1", "6.4.2")
def drop_contact(turn: TurnContext[State], tf: TaskForce, why: Why) -> None:
    """Drop the enemy's contact with a force: it becomes Unidentified and its counter leaves the map.

    PQ-17 6.2.1, 6.4.2."""
    state = turn.state
    viewer = state.enemy_of(tf.side)
    tf.id_level = IdLevel.N
    track = book_of(state, viewer).drop(tf.id)
    if track is not None:
        text = f"Contact {track} in {tf.hex} is lost."
        turn.tell([viewer], text, kind="contact", why=why, facts=[Lost(track=track)])


def remove_contact(turn: TurnContext[State], viewer: Side, tf_id: str, text: str, why: Why) -> None:
    """Tell a viewer that its contact no longer exists; nothing is told of a force it does not hold."""
    track = book_of(turn.state, viewer).drop(tf_id)
    if track is not None:
        turn.tell([viewer], text, kind="contact", why=why, facts=[Removed(track=track)])


# --- reports ----------------------------------------------------------------------------------------------------------


def sighting(state: State, viewer: Side, tf: TaskForce, level: IdLevel | None = None) -> Sighted:
    """The fact in a report at the present level (or ``level``)."""
    shown = tf.id_level if level is None else level
    return Sighted(
        track=track_for(state, viewer, tf),
        hex=tf.hex,
        form="minefield" if is_minefield(tf) else "base" if tf.is_base else "force",
        level=int(shown),
        level_name=shown.label,
        headline=headline_of(tf, shown),
        details=contact_details(state, tf, shown),
        owner=tf.side,
    )


@rule("6.2.1")
def report_contact(
    turn: TurnContext[State], tf: TaskForce, to_side: Side, why: Why, *, level: IdLevel | None = None, also: str = ""
) -> None:
    """Report an enemy force at its present level: what that level reveals, never more. IDL-3..8, IDL-12.

    A force that is Unidentified is not reported at all (6.2.1).
    """
    shown = tf.id_level if level is None else level
    if shown is IdLevel.N:
        return
    seen = sighting(turn.state, to_side, tf, shown)
    said = ". ".join([seen.headline, *(one for one in seen.details if one != seen.headline)])
    text = f"{seen.track} in {tf.hex}, {seen.level_name}: {said}.{also}"
    turn.tell([to_side], text, kind="contact", why=why, facts=[seen])


def is_news(turn: TurnContext[State], tf: TaskForce, viewer: Side) -> bool:
    """Whether the viewer has not been told the same of a force in this turn. Ruling IDL-12."""
    known = turn.knowledge(viewer).contacts.get(track_for(turn.state, viewer, tf))
    if known is None or not known.live or known.latest.when.turn != turn.now.turn:
        return True
    told = known.latest
    if (told.hex, told.level, told.headline) != (tf.hex, int(tf.id_level), headline_of(tf, tf.id_level)):
        return True
    return told.details != contact_details(turn.state, tf, tf.id_level)
