"""Small worlds in players' notation, and loaded dice.

A world is a few lines::

    A1 0405 CA+DD speed 2 passive ID1
    A9 0303 BATS base Haven known LC1
    C1 0406 CA#2[fuel=3,warp=10] speed 1 shadows A1
    settled 0303 alliance Haven
    nebula 0505
    turn 2 impulse 1 half A initiative coalition

The first letter of a task force says its side. Units are named ``A1.CA``, ``A1.DD``; ``CA#2`` is two, ``A1.CA`` and
``A1.CA2``. Words after the units: ``speed`` with ``0 IC WC 1 2 3``, ``passive``, ``warp-off``, ``cloak``,
``logistics``, ``ID0``-``ID4``/``U``, ``port``, ``shadows``, ``crawl`` with turns, ``plot`` with a step, ``route``
with steps ``0406,stay``. ``/`` between blanks begins a new line. :func:`notation` writes a world back, and
:func:`situation` with what its ships have lost.
"""

import re
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.basics.dice import DiceStream, Die, Roll
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Knowledge, TrackBook
from rules_engine.core.protocol.asks import AnyAsk, Batch
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.new_units import new_unit
from rules_engine.rulebooks.pq17.ch10_supply.fuel import fill
from rules_engine.rulebooks.pq17.records import forces, standing_orders
from rules_engine.rulebooks.pq17.records.state import MapHex, ScenarioSettings, State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from rules_engine.rulebooks.pq17.tables.ship_classes import ShipClass
from tests.rulebooks.pq17.worlds.dice import wrong_die

SIDES = (
    SideLabel(key="alliance", name="Alliance", emblem="A"),
    SideLabel(key="coalition", name="Coalition", emblem="C"),
)
GRID = Grid(columns=9, rows=8, orientation="pointy", numbering="RRCC", origin="top-right", stagger="even")

SPEEDS = {
    "0": Speed.STATION, "IC": Speed.IMPULSE_CRAWL, "WC": Speed.WARP_CRAWL, "1": Speed.EFFICIENT, "2": Speed.CRUISE,
    "3": Speed.SPRINT,
}  # fmt: skip
LEVELS = {level.name: level for level in forces.IdLevel}


def ship_class(class_id: str, move_cost: str, **fields: Any) -> ShipClass:
    """A made-up class with plain boxes; ``fields`` override them."""
    plain: dict[str, Any] = {
        "class_id": class_id, "name": f"Test {class_id}", "empire": "Testers", "msc_table": f"Tester {class_id}",
        "source": "invented", "move_cost": move_cost, "impulse": 2, "awr": 0, "tractors": 1, "battery": 2,
        "damcon_track": (2, 2, 0), "bpv_economic": 120, "bpv_combat": 100,
    }  # fmt: skip
    return ShipClass.model_validate(plain | fields)


CLASSES: dict[str, ShipClass] = {
    one.class_id: one
    for one in (
        ship_class("CA", "1", warp=30, awr=4, bpv_economic=120, probes=5, size_class=3),
        ship_class("CL", "2/3", warp=16, bpv_economic=90, size_class=3),  # practical speed 24
        ship_class("DD", "1/2", warp=15, awr=1, bpv_economic=80, probes=2),
        ship_class("SC", "1/3", warp=10, special_sensors=4, bpv_economic=75, special_kind="scout", probes=5),
        ship_class("FF", "1/3", warp=10, bpv_economic=60),
        ship_class("KF", "1/3", warp=10, bpv_economic=60, empire="Kzinti"),
        ship_class("CW", "1", warp=30, cloak=True, wps_cloaked=12, bpv_economic=125),
        ship_class("FT", "1/2", warp=6, cargo=50, service="civilian", is_freighter=True, is_warship=False),
        ship_class("HK", "1/2", warp=0, impulse=1),  # no warp left at all
        ship_class("LD", "1/2", warp=15, sensor_track=(4, 2)),  # sensor rating 4
        ship_class(
            "BATS", "0", unit_kind="base", base_type="BATS", impulse=0, awr=12, special_sensors=2, bpv_economic=180
        ),
        ship_class("TUG", "1", warp=30, is_tug=True, pod_slots=2, is_warship=False, bpv_economic=120),
        ship_class(
            "POD", "1/4", unit_kind="pod", warp=0, impulse=0, tractors=0, sensor_track=(0,), cargo=25, bpv_economic=30
        ),
        ship_class("MOD", "1/6", unit_kind="module", warp=0, impulse=0, tractors=0, sensor_track=(0,), cargo_size=12),
        ship_class("DOCK", "0", unit_kind="base", base_type="SAMS", impulse=0, awr=0),
    )
}

_UNIT = re.compile(r"(?P<cls>[A-Z]+)(?:#(?P<count>\d+))?(?:\[(?P<fields>[^\]]*)\])?")


def world(text: str, *, classes: Mapping[str, ShipClass] = CLASSES, **settings: Any) -> State:
    """The state that the notation describes; ``settings`` go into the scenario's settings."""
    chosen: dict[str, Any] = {"title": "Test", "turns": 8, "victory_points": Fraction(1)}
    state = State(
        settings=ScenarioSettings.model_validate(chosen | settings), sides=SIDES, grid=GRID, classes=dict(classes),
        units={}, task_forces={}, tracks={"alliance": TrackBook(prefix="E"), "coalition": TrackBook(prefix="E")},
        doctrine={"alliance": standing_orders.StandingOrders(), "coalition": standing_orders.StandingOrders()}, turn=1,
    )  # fmt: skip
    for line in filter(None, (line.partition("--")[0].strip() for line in text.replace(" / ", "\n").splitlines())):
        _read_line(state, line.split())
    for tf in state.all_task_forces():
        if tf.id_level > forces.IdLevel.N:
            state.tracks[state.enemy_of(tf.side)].issue(tf.id)
    return state


def _read_line(state: State, words: list[str]) -> None:
    match words:
        case ["settled", hex_id, side, *name]:
            state.settled[hex_id] = forces.SettledHex(hex=hex_id, side=side, name=" ".join(name) or "Colony")
        case ["nebula", hex_id]:
            state.hexes[hex_id] = MapHex(terrain="nebula")
        case ["turn", *_]:
            pairs = dict(zip(words[::2], words[1::2], strict=True))
            state.turn = int(pairs["turn"])
            state.impulse = int(pairs.get("impulse", "0"))
            state.half = pairs.get("half", "")  # pyright: ignore[reportAttributeAccessIssue]
            state.initiative = pairs.get("initiative", "alliance")
        case [tf_id, hex_id, units, *rest]:
            _read_force(state, tf_id, hex_id, units, rest)
        case _:
            raise ValueError(f"not a line of a world: {words}")


def _read_force(state: State, tf_id: str, hex_id: str, units: str, words: list[str]) -> None:
    side = "alliance" if tf_id.startswith("A") else "coalition"
    tf = forces.TaskForce(id=tf_id, side=side, hex=hex_id, units=_read_units(state, tf_id, side, units))
    state.put_force(tf)
    rest = iter(words)
    for word in rest:
        match word:
            case "speed":
                tf.speed = tf.plotted = SPEEDS[next(rest)]
            case "passive":
                tf.posture = tf.posture.with_values(active=False)
            case "warp-off":
                tf.posture = tf.posture.with_values(warp=False)
            case "cloak":
                tf.posture = forces.Posture(cloak=True, active=False)
            case "logistics":
                tf.posture = tf.posture.with_values(logistics=True)
            case "base":
                tf.base = forces.BaseRecord(name=next(rest), known=False)
            case "known" if tf.base is not None:
                tf.base.known = True
                tf.id_level = forces.IdLevel.ID3
            case "LC1" | "LC2" | "LC3" | "LC4" if tf.base is not None:
                tf.base.conditions = int(word[2:])
            case "port":
                state.set_port(tf, next(rest))
            case "shadows":
                state.set_target(tf, next(rest))
            case "plot":
                tf.plot = next(rest)
            case "route":
                tf.route = next(rest).split(",")
            case "crawl":
                turns = int(next(rest))
                for unit in state.units_of(tf):
                    unit.crawl_turns = turns
            case _:
                tf.id_level = LEVELS[word]


def _read_units(state: State, tf_id: str, side: str, text: str) -> list[str]:
    ids: list[str] = []
    for part in text.split("+"):
        found = _UNIT.fullmatch(part)
        if found is None:
            raise ValueError(f"not a unit: {part}")
        for _ in range(int(found["count"] or 1)):
            stem = f"{tf_id}.{found['cls']}"
            number = sum(one == stem or one.removeprefix(stem).isdigit() for one in ids)
            unit_id = f"{stem}{number + 1}" if number else stem
            unit = new_unit(state.classes[found["cls"]], unit_id=unit_id, name=unit_id, side=side)
            state.units[unit_id] = unit
            fill(state, unit)
            _set_fields(unit, found["fields"] or "")
            ids.append(unit_id)
    return ids


def _set_fields(unit: forces.Unit, text: str) -> None:
    for pair in filter(None, text.split(",")):
        key, _, value = pair.partition("=")
        match getattr(unit, key):
            case bool():
                setattr(unit, key, value == "yes")
            case str():
                setattr(unit, key, value)
            case list():
                setattr(unit, key, [int(one) for one in value.split("/") if one])
            case _:
                setattr(unit, key, Fraction(value) if key.startswith("fuel") else int(value))


# --- reading a world back ---------------------------------------------------------------------------------------------
def notation(state: State) -> str:
    """The task forces of a state, a line each, so that a test can compare whole situations."""
    return "\n".join(_force_line(state, tf) for tf in state.all_task_forces())


def situation(state: State) -> str:
    """The task forces of a state in one line, also with what their ships have lost, fuel and boxes."""
    return " / ".join(_force_line(state, tf, losses=True) for tf in state.all_task_forces())


def _losses(state: State, unit: forces.Unit) -> str:
    whole = new_unit(state.classes[unit.class_id], unit_id=unit.id, name=unit.name, side=unit.side)
    fill(state, whole)
    keys = (
        "warp", "awr", "impulse", "sensor_track", "fuel", "probes", "boxes_off", "crippled", "fate", "captured_from",
        "carried_by", "module_boxes",
    )  # fmt: skip
    lost = [key for key in keys if getattr(unit, key) != getattr(whole, key)]
    return f"[{','.join(f'{key}={getattr(unit, key)}' for key in lost)}]" if lost else ""


def _force_line(state: State, tf: forces.TaskForce, *, losses: bool = False) -> str:
    ships = [state.units[unit_id] for unit_id in tf.units]
    units = "+".join(unit.class_id + (_losses(state, unit) if losses else "") for unit in ships)
    short = {speed: word for word, speed in SPEEDS.items()}
    words = [tf.id, tf.hex, units]
    if tf.base is not None:
        words += ["base", tf.base.name, *(["known"] if tf.base.known else [])]
        words += [f"LC{tf.base.conditions}"] if tf.base.conditions else []
    words += ["speed", short[tf.speed]] if tf.speed is not Speed.STATION else []
    words += ["cloak"] if tf.posture.cloak else ["passive"] if not tf.posture.active else []
    words += ["warp-off"] if not tf.posture.warp else []
    words += ["logistics"] if tf.posture.logistics else []
    words += [tf.id_level.name] if tf.id_level > forces.IdLevel.N and not (tf.base and tf.base.known) else []
    words += ["port", tf.in_port] if tf.in_port else []
    words += ["shadows", tf.shadowing] if tf.shadowing else []
    words += ["plot", tf.plot] if tf.plot else []
    words += ["route", ",".join(tf.route)] if tf.route else []
    words += ["of the", tf.side] if losses and tf.id[0] != tf.side[0].upper() else []
    words += ["next", short[tf.next_speed]] if losses and tf.next_speed is not None else []
    return " ".join(words)


# --- turn contexts, dice and flows -----------------------------------------------------------------------------------
class LoadedDice(DiceStream):
    """Dice loaded in the order they are rolled; ``by_label`` loads all rolls whose label contains a word.

    Lots that are not loaded are all alike: they leave an order as it is.
    """

    def __init__(self, rolls: Iterable[int] = (), by_label: Mapping[str, int] | None = None) -> None:
        super().__init__(b"a seed for tests, not secret")
        self.rolls = list(rolls)
        self.by_label = dict(by_label or {})
        self.asked: list[str] = []

    def roll(
        self, label: str, purpose: str, *, faces: int, count: int = 1, low: int = 1, seen_by: frozenset[str] | None
    ) -> Roll:
        """As ever, but only with the dice that the book asks for."""
        assert not (wrong := wrong_die(purpose, faces, low)), wrong
        return super().roll(label, purpose, faces=faces, count=count, low=low, seen_by=seen_by)

    def draw(self, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
        """The next loaded dice; an unloaded roll fails the test."""
        loaded = next((value for word, value in self.by_label.items() if word in label), None)
        if loaded is None and "/lot/" in label:
            return (die.low,) * count
        self.asked.append(label)
        if loaded is not None:
            return (loaded,) * count
        if len(self.rolls) < count:
            raise AssertionError(f"no dice loaded for {label}")
        drawn, self.rolls = tuple(self.rolls[:count]), self.rolls[count:]
        assert all(die.low <= value <= die.high for value in drawn), f"{label}: {drawn} do not fit the die"
        return drawn


def table(
    state: State, *rolls: int, place: str = "T1", by_label: Mapping[str, int] | None = None
) -> TurnContext[State]:
    """A turn context over ``state`` with loaded dice."""
    knowledge = {label.key: Knowledge() for label in SIDES}
    shared = SharedTurn(dice=LoadedDice(rolls, by_label), sides=SIDES, knowledge=knowledge, now=When(turn=state.turn))
    return TurnContext(state, shared, place)


def told(at: TurnContext[State], side: str) -> list[str]:
    """The texts that reached ``side``, in order."""
    return [report.text for report in at.shared.reports if report.is_for(side)]


def reports_to(at: TurnContext[State], side: str, *kinds: str) -> list[dict[str, Any]]:
    """All that reached ``side`` (of these kinds), with reasons and dice; for worlds that must look alike."""
    found = [one for one in at.shared.reports if one.is_for(side) and (not kinds or one.kind in kinds)]
    return [one.model_dump(exclude={"number"}) for one in found]


def run(steps: Generator[Batch, Any, Any], answer: Callable[[AnyAsk], object] | None = None) -> Any:
    """Play ``steps`` through and return what they return; ``answer`` gives a sheet or an answer, None the default."""
    try:
        batch = next(steps)
        while True:
            batch = steps.send({ask.id: _answered(ask, answer) for ask in batch.asks})
    except StopIteration as stop:
        return stop.value


def _answered(ask: AnyAsk, answer: Callable[[AnyAsk], object] | None) -> object:
    given = answer(ask) if answer is not None else None
    if given is None:
        assert ask.default is not None, f"{ask.id} has no default"
        return ask.default
    return given if isinstance(given, ask.model) else ask.answer_from(given)  # pyright: ignore[reportArgumentType]


def asked_in(
    steps: Generator[Batch, Any, Any], answer: Callable[[AnyAsk], object] | None = None
) -> list[AnyAsk]:
    """Play ``steps`` through like :func:`run`, and return what was asked."""
    asked: list[AnyAsk] = []

    def answered(ask: AnyAsk) -> object:
        asked.append(ask)
        return answer(ask) if answer is not None else None

    run(steps, answered)
    return asked


def asks_of(steps: Generator[Batch, Any, Any]) -> tuple[AnyAsk, ...]:
    """The first batch of ``steps``; none if it needs no answer."""
    try:
        return next(steps).asks
    except StopIteration:
        return ()


def ask_for(asks: Sequence[AnyAsk], side: str) -> AnyAsk:
    """The one ask of ``side``."""
    (found,) = [ask for ask in asks if side in ask.parties]
    return found
