"""Chapter 11: boxes of a record sheet by type: how many there are, how many are destroyed, and repair costs.

A type is a word as players write it on a sheet: ``warp``, ``damcon``, ``hull``, ``shield-3``, ``phaser-1``. Some types
are counted in fields of the unit, the rest in its repair record. A class that lists ``boxes`` gives the number of
these; for a class that lists none, only the players' own sheets tell.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.ship_classes import Refit, ShipClass

COUNTED = ("warp", "awr", "impulse", "battery", "special_sensors", "cargo", "orion_cargo", "repair", "tractors")
"""Types that a unit counts in fields of the same name."""
TRACKS = {"sensors": "sensor_track", "damcon": "damcon_track"}
"""Types that are tracks of numbered boxes. Damage takes the highest number first, repair brings the lowest back."""
_counts = attrgetter(*COUNTED)
HULL, EXCESS, HET = "hull", "excess", "het"
SHIELDS = tuple(f"shield-{number}" for number in range(1, 7))
SELF_REPAIR = "self-repair"
"""Not a box, but ordered like one: a restored point of self-repair capacity. PQ-17 11.3.4."""
CONSUMABLES = ("fuel", "supply", "probe", "probes", "ppt", "drone", "drones", "shuttle", "shuttles", "t-bomb", "mine")
"""Things that boxes hold, which a repair never restores. PQ-17 11.4.9.3.5."""

OTHER_COST = 50
"""CDR points for a type that the Cost of Repair table does not list, the factor included. PQ-17 11.4.9.3.1."""
SELF_REPAIR_COST = 125
"""CDR points for each restored self-repair. PQ-17 11.3.4, 11.4.9.3.2."""
OPERATIONAL_FACTOR = 5
"""What the table's values are multiplied by in the Tactical Logistics Step. PQ-17 11.4.9.3, 11.4.9.3.6."""

IMPORTANCE = (
    *("warp", "awr", "impulse", "battery", "damcon"),
    *("sensors", "special_sensors", "tractors", "repair", "cargo", "orion_cargo"),
)
"""The default order of repairs; after these come shields, weapons and other boxes, then hull, then what waits for
hull."""
LATE = (HULL, EXCESS, HET, SELF_REPAIR)
"""What comes after all else, in this order."""
MOST_UNLISTED = 99

_SPELLINGS = {
    "orion-cargo": "orion_cargo",
    "special-sensor": "special_sensors",
    "special-sensors": "special_sensors",
    "sensor": "sensors",
    "batteries": "battery",
    "tractor": "tractors",
    "excess-damage": EXCESS,
    "het-bonus": HET,
    "self-repairs": SELF_REPAIR,
}
_PART = re.compile(r"^(?P<box>[a-z][a-z0-9 _-]*?)(?:\s+x?(?P<count>\d{1,3}))?$")

# --- how many there are -----------------------------------------------------------------------------------------------


def box_type(word: str) -> str:
    """A type in the spelling of the records: ``Special sensors`` is ``special_sensors``."""
    plain = "-".join(word.strip().casefold().replace("_", " ").replace("-", " ").split())
    return _SPELLINGS.get(plain, plain)


def box_name(box: str) -> str:
    """A type in the spelling for players."""
    special = {"awr": "AWR", "damcon": "DAMCON", HET: "HET bonus", EXCESS: "excess damage"}
    return special.get(box, box.replace("_", " "))


def count_boxes(count: int, box: str) -> str:
    """A number of boxes of a type, for people: ``1 warp box``, ``2 sensor boxes``, ``2 self-repairs``."""
    if box == SELF_REPAIR:
        return counted(count, box)
    return counted(count, f"{_one_of(box)} box")


def _one_of(box: str) -> str:
    """A type's name for one box of it: ``sensor``, ``warp``."""
    return box_name(box).removesuffix("s") if box in (*COUNTED, *TRACKS) else box_name(box)


@rule("11.5.4")
def refits_of(state: State, unit: Unit) -> list[Refit]:
    """The finished refits of a unit. PQ-17 11.5.4."""
    return [one for one in state.class_of(unit).refits if one.name in unit.repairs.refits]


def full_boxes(state: State, unit: Unit, box: str) -> int | None:
    """How many boxes of a type the undamaged record has, refits included; None if the class does not list it."""
    kind = state.class_of(unit)
    printed = _printed(kind, box)
    if printed is None or not unit.repairs.refits:  # the usual case
        return printed
    refits = refits_of(state, unit)
    added = sum(count for one in refits for key, count in one.boxes_added.items() if box_type(key) == box)
    return printed + added + sum(_exchanged(one, box) for one in refits)


def _printed(kind: ShipClass, box: str) -> int | None:
    if box in COUNTED:
        return int(getattr(kind, box))
    if box in TRACKS:
        return len(getattr(kind, TRACKS[box]))
    match box:
        case "hull":
            return kind.hull
        case "excess":
            return kind.excess_damage
        case "het":
            return kind.het_bonus
        case _ if box in SHIELDS:
            number = SHIELDS.index(box)
            return kind.shields[number] if number < len(kind.shields) else 0
        case _:
            return kind.boxes.get(box, 0) if kind.boxes else None


def changed_boxes(refit: Refit) -> list[tuple[str, str, int]]:
    """The boxes a refit exchanges: old type, new type, how many. ``"2 phaser-2" = "phaser-1"`` is two of them."""
    found: list[tuple[str, str, int]] = []
    for key in sorted(refit.boxes_changed):
        count, _, rest = key.partition(" ")
        old = rest if count.isdigit() and rest else key
        found.append((box_type(old), box_type(refit.boxes_changed[key]), int(count) if old is not key else 1))
    return found


def _exchanged(refit: Refit, box: str) -> int:
    changes = changed_boxes(refit)
    return sum(n for _, new, n in changes if new == box) - sum(n for old, _, n in changes if old == box)


def destroyed(state: State, unit: Unit, box: str) -> int:
    """How many boxes of a type are destroyed."""
    if box in COUNTED:
        return max(0, (full_boxes(state, unit, box) or 0) - int(getattr(unit, box)))
    if box in TRACKS:
        return len(_lost_of_track(state, unit, box))
    return unit.repairs.damage.get(box, 0)


def is_as_printed(state: State, unit: Unit) -> bool:
    """Whether a unit has all boxes of its class's record, no more and no fewer, as most units do."""
    kind, repairs = state.class_of(unit), unit.repairs
    if repairs.damage or repairs.refits or _counts(unit) != _counts(kind):
        return False
    return [*kind.sensor_track] == unit.sensor_track and [*kind.damcon_track] == unit.damcon_track


def all_destroyed(state: State, unit: Unit) -> dict[str, int]:
    """Every type with destroyed boxes, the most important first; equally important ones by cost."""
    if is_as_printed(state, unit):
        return {}
    types = [*COUNTED, *TRACKS, *unit.repairs.damage]
    found = {box: count for box in types if (count := destroyed(state, unit, box))}
    return {box: found[box] for box in sorted(found, key=lambda box: importance(state, box))}


def importance(state: State, box: str) -> tuple[bool, bool, int, str]:
    """Sort key for the order of repairs. Hull comes late, then excess damage, then the HET bonus (11.4.9.3.3-4)."""
    if box in LATE:
        return True, True, LATE.index(box), box
    if box in IMPORTANCE:
        return False, False, IMPORTANCE.index(box), box
    return False, True, table_value(state, box) or OTHER_COST, box


def _lost_of_track(state: State, unit: Unit, box: str) -> list[int]:
    """The destroyed boxes of a track, lowest first."""
    printed: Sequence[int] = getattr(state.class_of(unit), TRACKS[box])
    if list(printed) == track_of(unit, box):  # the usual case
        return []
    return sorted((Counter(printed) - Counter(track_of(unit, box))).elements())


def track_of(unit: Unit, box: str) -> list[int]:
    """The undestroyed boxes of a track."""
    return unit.sensor_track if box == "sensors" else unit.damcon_track


# --- destroying and restoring -----------------------------------------------------------------------------------------


def destroy(state: State, unit: Unit, box: str, count: int = 1) -> int:
    """Destroy up to ``count`` boxes of a type; returns how many were destroyed. Stores are not reduced here.

    Power boxes that are off in the battles of this impulse go first. Own ruling PQ-193.
    """
    if box in COUNTED:
        hit = min(count, int(getattr(unit, box)))
        setattr(unit, box, int(getattr(unit, box)) - hit)
        if box in ("warp", "awr"):
            unit.boxes_off = max(0, unit.boxes_off - hit)
        return hit
    if box in TRACKS:
        left = sorted(track_of(unit, box))
        hit = min(count, len(left))
        setattr(unit, TRACKS[box], sorted(left[: len(left) - hit], reverse=True))
        return hit
    full = full_boxes(state, unit, box)
    before = unit.repairs.damage.get(box, 0)
    hit = max(0, min(count, (MOST_UNLISTED if full is None else full) - before))
    if hit:
        unit.repairs = unit.repairs.with_values(damage={**unit.repairs.damage, box: before + hit})
    return hit


@rule("9.8", "11.3.6", "11.4.9.3.5", "11.1")
def restore(state: State, unit: Unit, box: str) -> bool:
    """Restore one destroyed box of a type, working but empty; False if none is destroyed.

    A repaired box brings back nothing that it held. PQ-17 9.8, 11.1, 11.3.6, 11.4.9.3.5.
    """
    if not destroyed(state, unit, box):
        return False
    if box in COUNTED:
        setattr(unit, box, int(getattr(unit, box)) + 1)
    elif box in TRACKS:
        track = [*track_of(unit, box), _lost_of_track(state, unit, box)[0]]
        setattr(unit, TRACKS[box], sorted(track, reverse=True))
    else:
        left = unit.repairs.damage | {box: unit.repairs.damage[box] - 1}
        unit.repairs = unit.repairs.with_values(damage={key: count for key, count in left.items() if count})
    return True


@rule("11.4.9.3.3", "11.4.9.3.4")
def blocked_by(state: State, unit: Unit, box: str) -> str:
    """The type that must be whole before ``box`` may be repaired; empty if there is none.

    Excess damage waits for all hull, the HET bonus for both. PQ-17 11.4.9.3.3, 11.4.9.3.4, ruling REP-11.
    """
    first = {EXCESS: (HULL,), HET: (HULL, EXCESS)}.get(box, ())
    return next((one for one in first if destroyed(state, unit, one)), "")


# --- what one costs ---------------------------------------------------------------------------------------------------


def table_value(state: State, box: str) -> int | None:
    """The Cost of Repair table's value for a type, all shields alike; None if it lists none. Ruling REP-1."""
    return state.settings.repair_costs.get("shield" if box in SHIELDS else box)


@rule("11.4.9.3", "11.3.4", "11.4.9.3.1", "11.4.9.3.2", "11.4.9.3.6")
def operational_cost(state: State, box: str) -> int:
    """CDR points that a box costs in the Tactical Logistics Step, and only there.

    PQ-17 11.3.4, 11.4.9.3, 11.4.9.3.1, 11.4.9.3.2, 11.4.9.3.6, ruling REP-1."""
    if box == SELF_REPAIR:
        return SELF_REPAIR_COST
    value = table_value(state, box)
    return OTHER_COST if value is None else value * OPERATIONAL_FACTOR


# --- lists of boxes as they are written -------------------------------------------------------------------------------


def write_boxes(boxes: Iterable[tuple[str, int]]) -> str:
    """``warp 3, damcon, hull 2``."""
    return ", ".join(f"{box}{f' {count}' if count != 1 else ''}" for box, count in boxes)


def say_boxes(boxes: Iterable[tuple[str, int]]) -> str:
    """A list of boxes for people."""
    return ", ".join(f"{count} {_one_of(box) if count == 1 else box_name(box)}" for box, count in boxes)


@rule("11.4.9.3.5")
def read_boxes(text: str, path: str, known: Iterable[str]) -> tuple[list[tuple[str, int]], list[Refusal]]:
    """A written list of boxes, in its order, and a refusal for each part that cannot be read. ``known`` are types for
    suggestions.

    Consumables are refused: a repair never restores them. PQ-17 11.4.9.3.5.
    """
    found: list[tuple[str, int]] = []
    refusals: list[Refusal] = []
    for part in filter(None, (piece.strip() for piece in text.casefold().split(","))):
        match = _PART.match(part)
        box = box_type(match["box"]) if match else ""
        if match is None:
            problem = f"{part!r} is no box and number"
            refusals.append(malformed(problem, path, legal="for example warp 3, damcon, hull 2"))
        elif box in CONSUMABLES:
            problem = f"{box} is used up, not damaged: a repair does not restore it"
            refusals.append(illegal(problem, "PQ-17 11.4.9.3.5", path, legal="boxes of the record sheet"))
        elif match["count"] and not int(match["count"]):
            refusals.append(malformed(f"{part!r} names no box", path, legal="a number from 1"))
        else:
            found.append((box, int(match["count"] or 1)))
    strange = [box for box, _ in found if nearest(box, known) and box not in known]
    refusals += [
        malformed(f"{box_name(box)} is no type of box that this unit has", path, nearest=nearest(box, known))
        for box in strange
    ]
    return found, refusals
