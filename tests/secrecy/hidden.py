"""What a PQ-17 side keeps to itself, and changes of it: the second of two worlds differs from the first by these.

Each change takes a state as its snapshot keeps it, and the side that must not notice. What it may change follows from
chapter 6.2: names and ids never show; an enemy's stores show at ID4 alone; of a force that is Unidentified nothing
shows, and what it does shows only to who comes into its hex; books, pools and plans are a side's own.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from rules_engine.core.basics.base import Side
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.pq17.records import calendar, roster
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from tests.secrecy.twin_turns import Change, Data

PLENTY = 6
"""Command points in a bank that no turn's orders use up."""
MOST = 120
"""Numbers of task forces that are changed: more than either side has."""
FAR = 9
"""Hexes from everything of the watcher's: no force comes so far in one turn, the watcher's own advance included."""


def enemy_of(data: Data, side: Side) -> Side:
    """The other side."""
    return next(one["key"] for one in data["sides"] if one["key"] != side)


def forces(data: Data, side: Side) -> list[Data]:
    """The task forces of a side, bases that everybody knows left out."""
    found = [tf for tf in data["task_forces"].values() if tf["side"] == side and not is_public(tf)]
    return sorted(found, key=lambda tf: roster.natural_order(tf["id"]))


def is_public(tf: Data) -> bool:
    """Whether it is a base that everybody knows."""
    return tf["base"] is not None and tf["base"]["known"]


def unseen(data: Data, watcher: Side) -> list[Data]:
    """The enemy's forces that are Unidentified and not in company: no watcher's force or settled hex is there."""
    mine = places(data, watcher)
    found = forces(data, enemy_of(data, watcher))
    return [tf for tf in found if tf["id_level"] == int(IdLevel.N) and tf["hex"] not in mine]


def places(data: Data, side: Side) -> set[str]:
    """Where a side has forces or settlers."""
    held = {tf["hex"] for tf in data["task_forces"].values() if tf["side"] == side}
    return held | {one["hex"] for one in data["settled"].values() if one["side"] == side}


def far(data: Data, watcher: Side) -> list[Data]:
    """The unseen forces that nobody of the watcher's can meet this turn."""
    grid = Grid.model_validate(data["grid"])
    mine = places(data, watcher)
    return [tf for tf in unseen(data, watcher) if all(grid.distance(tf["hex"], one) >= FAR for one in mine)]


def units(data: Data, found: list[Data]) -> Iterator[Data]:
    """The units of these forces."""
    for tf in found:
        for unit_id in tf["units"]:
            yield data["units"][unit_id]


# --- changes ----------------------------------------------------------------------------------------------------------
def other_names(told: str = "") -> Change:
    """Every ship and force of the enemy's has another name, and another id, the last one first.

    What stood on a battle's sheet (``told``) keeps its name: it is known.
    """
    change = Change("the enemy's names and ids", lambda data, watcher: _rename(change, data, watcher, told))
    change.until = frozenset({"sheet"})
    return change


def _rename(change: Change, data: Data, watcher: Side, told: str) -> bool:
    enemy = enemy_of(data, watcher)
    found = [tf for tf in data["task_forces"].values() if tf["side"] == enemy]
    own = {_letter(tf) for tf in data["task_forces"].values() if tf["side"] == watcher}
    letters = {_letter(tf) for tf in found} - own  # a base that the enemy took keeps its id, which its owner knew
    numbers = range(1, MOST)
    change.names = {f"{one}{10 * (MOST - number) + 3}": f"{one}{number}" for one in letters for number in numbers}
    ships = sorted(unit["id"] for unit in data["units"].values() if unit["side"] == enemy)
    change.names |= {f"ship-{number:04}": unit_id for number, unit_id in enumerate(ships)}
    bases = {unit for tf in found if is_public(tf) for unit in tf["units"]}
    for number, unit_id in enumerate(ships):
        unit = data["units"][unit_id]
        if unit["name"] not in told and unit_id not in bases:
            unit["name"] = f"Nameless {number}"
    for tf in found:
        if not tf["name"] or tf["name"] not in told:
            tf["name"] = f"Squadron {tf['hex']}"
    return bool(found)


def _letter(tf: Data) -> str:
    """What the ids of a side's forces begin with."""
    return tf["id"].rstrip("0123456789")


def _stores(data: Data, unit: Data, more: int) -> None:
    """Less of everything; but what a convoy's freighters lose is scored and published."""
    unit["options"] = "other options"
    unit["probes"] = max(0, unit["probes"] - more)
    unit["stores"] = {goods: max(0, count - more) for goods, count in unit["stores"].items()}
    unit["rp_damcon"] = max(0, unit["rp_damcon"] - more)
    if unit["id"] not in data["progress"]["freighters"]:
        unit["supply"] = max(0, unit["supply"] - more)


def stores(data: Data, watcher: Side) -> bool:
    """What the enemy's ships carry, but for those whose status the watcher reads (ID4)."""
    found = [tf for tf in forces(data, enemy_of(data, watcher)) if tf["id_level"] < int(IdLevel.ID4)]
    for unit in units(data, found):
        _stores(data, unit, 1)
    return bool(found)


def damage(data: Data, watcher: Side) -> bool:
    """What is left of ships that the watcher cannot meet this turn: boxes, fuel, crews."""
    found = far(data, watcher)
    for unit in units(data, found):
        unit["crippled"] = True
        unit["fuel"] = str(max(Fraction(0), Fraction(unit["fuel"]) - 1))
        unit["battery"] = max(0, unit["battery"] - 1)
        unit["special_sensors"] = 0
        unit["repairs"]["damage"] = {"hull": 1}
        unit["self_repairs_left"] = max(0, unit["self_repairs_left"] - 1)
    return bool(found)


def postures(data: Data, watcher: Side) -> bool:
    """The postures and orders of forces that the watcher cannot meet this turn."""
    found = [tf for tf in far(data, watcher) if tf["base"] is None]
    for tf in found:
        tf["posture"]["active"] = not tf["posture"]["active"]
        tf["route"], tf["loop"] = [], []
    return bool(found)


def away(data: Data, watcher: Side) -> bool:
    """A force that the watcher cannot meet this turn is one hex further away."""
    grid = Grid.model_validate(data["grid"])
    mine = places(data, watcher)
    for tf in far(data, watcher):
        if tf["base"] is not None or tf["in_port"]:
            continue
        around = [one for one in grid.neighbours(tf["hex"]) if all(grid.distance(one, it) >= FAR for it in mine)]
        if around:
            tf["hex"], tf["route"], tf["loop"], tf["flown"], tf["plot"] = max(around), [], [], [], ""
            return True
    return False


def disbanded(data: Data, watcher: Side) -> bool:
    """One force that the watcher cannot meet this turn is not there at all. A convoy's freighters are published as
    they are lost."""
    for tf in far(data, watcher):
        is_alone = tf["base"] is None and not tf["in_port"] and not tf["tows"]
        if is_alone and not any(one in data["progress"]["freighters"] for one in tf["units"]):
            del data["task_forces"][tf["id"]]
            for unit in tf["units"]:
                data["units"][unit]["fate"] = "destroyed"
            return True
    return False


def books(data: Data, watcher: Side) -> bool:
    """The enemy's unspent points, command points, secret victory points, and what it has in the schedule."""
    enemy = enemy_of(data, watcher)
    changed = False
    for pool in data["pools"].get(enemy, {}).values():
        for category in pool:
            pool[category] = str(Fraction(pool[category]) + 7)
            changed = True
    for nation in data["settings"]["campaign"]["nation"]:
        account = data["progress"]["command"].get(nation["key"])
        if account is not None and nation["side"] == enemy and account["bank"] >= PLENTY:  # else it could do more
            account["bank"] += 3
            account["spent"] += 1
            changed = True
    is_revealed = calendar.ends_period(data["turn"] + 1)  # with the accounts
    for line in () if is_revealed else data["ledger"]:
        if not line["public"] and line["seen_by"] == [enemy]:
            line["amount"] = str(Fraction(line["amount"]) * 2)
            line["text"] = f"Secretly: {line['text']}"
            changed = True
    return changed


def specials(data: Data, watcher: Side) -> bool:
    """Special conditions and random events that the enemy keeps to itself."""
    enemy = enemy_of(data, watcher)
    held = data["special"]
    kept = [one for one in held["conditions"] if one["side"] == enemy and not one["revealed"]]
    used = {one["name"] for one in held["executions"]}
    # A star shows: its bonus is said with the initiative roll (ruling INI-4).
    kept = [one for one in kept if one["name"] not in used and not one["star"]]
    held["conditions"] = [one for one in held["conditions"] if one not in kept]
    events = [one for one in held["events"] if one["side"] == enemy and one["spent"]]
    held["events"] = [one for one in held["events"] if one not in events]
    return bool(kept or events)


def wishes(data: Data, watcher: Side) -> bool:
    """The enemy's wishes about stores, its notes, and orders to forces that meet nobody this turn."""
    enemy = enemy_of(data, watcher)
    data["doctrine"][enemy]["said"] = ["Something was said."]
    found = far(data, watcher)
    for tf in found:
        tf["doctrine"] = {"asks": "steps"}
    return bool(found) or enemy in data["doctrine"]


def waiting(data: Data, watcher: Side) -> bool:
    """The enemy's forces that wait off the map carry other stores."""
    enemy = enemy_of(data, watcher)
    found = [data["units"][one] for one in data["progress"]["away"] if data["units"][one]["side"] == enemy]
    for unit in found:
        _stores(data, unit, 2)
        unit["crippled"] = True
    return bool(found)


def mines(data: Data, watcher: Side) -> bool:
    """Minefields of the enemy's that the watcher never met, far from its forces, are stronger; and mines aboard."""
    enemy = enemy_of(data, watcher)
    grid = Grid.model_validate(data["grid"])
    mine = places(data, watcher)
    changed = False
    for one in data["mines"]["fields"].values():
        lonely = all(grid.distance(one["hex"], it) >= FAR for it in mine)
        if one["side"] == enemy and one["level"] == int(IdLevel.N) and lonely:
            one["strength"] += 1
            changed = True
    return changed


CHANGES: tuple[Callable[[Data, Side], bool], ...] = (
    stores, damage, postures, away, disbanded, books, specials, wishes, waiting, mines,
)  # fmt: skip
"""Every change that needs no other names."""


def all_at_once(told: str = "") -> Change:
    """Everything that can be changed at all, and names."""
    change = other_names(told)
    rename: Callable[[Data, Side], bool] = change.apply

    def apply(data: Any, watcher: Side) -> bool:
        done = [one(data, watcher) for one in CHANGES]
        return rename(data, watcher) or any(done)

    change.apply = apply
    change.until = frozenset({"sheet", "ID4"})
    change.name = "everything of the enemy's that does not show"
    return change


def one_at_a_time(told: str = "") -> Iterator[Change]:
    """Each change by itself."""
    yield other_names(told)
    for one in CHANGES:
        shown = frozenset({"sheet", "ID4"}) if one is stores else frozenset[str]()
        yield Change((one.__doc__ or one.__name__).partition("\n")[0], one, until=shown)
