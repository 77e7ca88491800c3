"""Task forces made up at random: their ships, damage, fuel, posture, speed and towing, all as the rules allow."""

from collections.abc import Sequence
from fractions import Fraction
from random import Random

from rules_engine.core.basics.base import HexId, Side
from rules_engine.rulebooks.pq17.ch01_forces.new_units import couple, file_unit, free_id, new_unit
from rules_engine.rulebooks.pq17.ch05_movement import postures, speeds
from rules_engine.rulebooks.pq17.ch10_supply.fuel import cost, hex_cost
from rules_engine.rulebooks.pq17.orders.order_sheets import posture_of
from rules_engine.rulebooks.pq17.records.forces import Posture, TaskForce, TowGroup, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.minefields import load_mines
from rules_engine.rulebooks.pq17.tables.operations import Speed

NATIONS: dict[str, tuple[Side, str]] = {
    "FED": ("alliance", "federation"), "KZI": ("alliance", "kzinti"), "ORI": ("alliance", "orion"),
    "KLI": ("coalition", "klingon"), "LYR": ("coalition", "lyran"),
}  # fmt: skip
"""The builders of the campaign's catalogue: side and nation, by the mark of a class."""
CIVIL: dict[Side, str] = {"alliance": "federation", "coalition": "klingon"}
"""Who sends civilian ships."""

FLEETS: tuple[tuple[str, ...], ...] = (
    ("CA", "DD"), ("FF",), ("DD", "FF", "FF"), ("CL", "DD"), ("FFS", "FF"), ("DDS",), ("DN", "CA", "DD"),
    ("TUG", "CARGO-POD"), ("TUG", "CARGO-POD", "REPAIR-POD", "FF"), ("TUG", "MB-POD"), ("F-ALM", "FF"), ("F-ALM",),
    ("F-ALM", "FFM"), ("FFM", "FF"), ("F-ALR", "FF"), ("F-L", "F-S", "FF"), ("F-L",), ("F-AL", "F-S"),
)  # fmt: skip
"""What a task force may consist of, by categories of the catalogue; what a builder lacks is left out."""

POSTURES: tuple[tuple[str, ...], ...] = ((), (), (), ("passive",), ("warp off",), ("cloak",), ("logistics",))


def class_for(state: State, mark: str, kind: str) -> str | None:
    """The class of a category that a builder has, or None; civilian types belong to everybody."""
    return next((one for one in (f"{mark}-{kind}", kind) if one in state.classes), None)


def task_force(state: State, chance: Random, side: Side, hex_id: HexId) -> TaskForce:
    """A new task force somewhere, at work or short of everything."""
    marks = [mark for mark, (owner, _) in NATIONS.items() if owner == side]
    mark = chance.choice([marks[0], *marks])
    kinds = [found for kind in chance.choice(FLEETS) if (found := class_for(state, mark, kind))]
    kinds = kinds or [f"{mark}-FF"]
    units = [_unit(state, chance, side, mark, kind) for kind in kinds]
    tf = TaskForce(id=free_id(state, side), side=side, hex=hex_id, units=sorted(unit.id for unit in units))
    state.put_force(tf)
    couple(state, tf)
    _spare_loose_pods(state, tf)
    if chance.random() < 0.35:
        for unit in state.units_of(tf):
            if chance.random() < 0.6:
                damage(state, chance, unit)
    _tow(state, chance, tf)
    _fuel(state, chance, tf)
    ports = [base for base in state.bases_in(hex_id, side) if base.id != tf.id]
    if ports and chance.random() < 0.35:
        state.set_port(tf, ports[0].id)
    set_out(state, chance, tf)
    return tf


def _unit(state: State, chance: Random, side: Side, mark: str, class_id: str) -> Unit:
    stem = f"{side[0]}-{class_id.partition('-')[2].casefold() or class_id.casefold()}"
    unit_id = next(one for n in range(1, 999) if (one := f"{stem}-{n}") not in state.units)
    nation = NATIONS[mark][1] if class_id.startswith(mark) else CIVIL[side]
    kind = state.classes[class_id]
    known = bool(state.settings.campaign.nation)
    unit = new_unit(kind, unit_id=unit_id, name=unit_id.upper(), side=side, nation=nation if known else "")
    file_unit(state, unit)
    if kind.is_minelayer:
        load_mines(kind, unit, chance.choice((8, 100, 200, 400)))
    return unit


def _spare_loose_pods(state: State, tf: TaskForce) -> None:
    """Leave away pods that no tug of the task force has a place for."""
    for unit in state.units_of(tf):
        if state.class_of(unit).unit_kind == "pod" and not unit.carried_by:
            state.set_units(tf, [one for one in tf.units if one != unit.id])
            del state.units[unit.id]


def damage(state: State, chance: Random, unit: Unit) -> None:
    """Destroy some boxes, and what was stored in them."""
    unit.warp = chance.choice((0, unit.warp // 4, unit.warp // 2, unit.warp))
    unit.awr = chance.choice((0, unit.awr))
    unit.impulse = chance.choice((0, unit.impulse))
    unit.tractors = chance.choice((0, unit.tractors))
    unit.special_sensors = chance.choice((0, unit.special_sensors))
    unit.sensor_track = chance.choice(([], list(unit.sensor_track)))
    unit.crippled = chance.random() < 0.4
    unit.fuel = min(unit.fuel, Fraction(unit.power_boxes))
    if state.class_of(unit).hull:
        unit.repairs = unit.repairs.with_values(damage={**unit.repairs.damage, "hull": 1})


# --- towing, fuel, posture and speed ----------------------------------------------------------------------------------
def _tow(state: State, chance: Random, tf: TaskForce) -> None:
    """Let a ship tow others, often a lame one and with its engines off."""
    ships = [unit for unit in state.units_of(tf) if state.class_of(unit).unit_kind == "ship"]
    towers = [unit for unit in ships if unit.tractors and unit.warp]
    if len(ships) < 2 or not towers or chance.random() < 0.5:
        return
    tower = chance.choice(towers)
    towed = chance.sample([one.id for one in ships if one is not tower], 1)
    tf.tows = [TowGroup(tower=tower.id, towed=towed, engines_off=towed if chance.random() < 0.5 else [])]
    if postures.tow_refusals(state, tf, "tow"):
        tf.tows = []


def _fuel(state: State, chance: Random, tf: TaskForce) -> None:
    """Give the ships fuel: plenty, none, a fraction, or exactly what some things cost."""
    how = chance.choice(("full", "full", "none", "fraction", "exact", "exact", "exact", "a little"))
    wanted = chance.sample(
        ["hex", "hex", "hex", "sprint", "reconnaissance", "combat", "minesweeping"], chance.choice((1, 1, 2, 3))
    )
    for unit in state.units_of(tf):
        has_room = Fraction(unit.power_boxes)
        match how:
            case "full":
                continue
            case "none":
                unit.fuel = Fraction(0)
            case "fraction":
                unit.fuel = min(has_room, Fraction(chance.randint(0, 24), chance.choice((2, 3, 4, 6))))
            case "a little":
                unit.fuel = min(has_room, Fraction(chance.randint(0, 6)))
            case _:
                unit.fuel = min(has_room, sum((_price(state, tf, unit, one) for one in wanted), Fraction(0)))


def _price(state: State, tf: TaskForce, unit: Unit, what: str) -> Fraction:
    match what:
        case "hex":
            return hex_cost(state, tf, unit, Speed.EFFICIENT)
        case "sprint":
            return hex_cost(state, tf, unit, Speed.SPRINT)
        case "reconnaissance":
            return cost(state, unit, "reconnaissance")
        case "combat":
            return cost(state, unit, "combat")
        case _:
            return cost(state, unit, "minesweeping")


def set_out(state: State, chance: Random, tf: TaskForce) -> None:
    """Give a task force a posture that it can have, and a speed that it can pay for."""
    words: Sequence[Sequence[str]] = [chance.choice(POSTURES), (), ("passive",), ("warp off",), ("warp off", "passive")]
    for one in words:
        tf.posture = posture_of(one)  # pyright: ignore[reportArgumentType]
        if not postures.posture_refusals(state, tf, "posture"):
            break
    else:
        tf.posture = Posture(warp=False, active=False)
    able = speeds.affordable(state, tf) or [Speed.STATION]
    tf.speed = tf.plotted = chance.choice([able[-1], chance.choice(able)])
    for unit in state.units_of(tf):
        unit.crawl_turns = chance.randint(0, 2) if tf.speed.is_crawl else 0
