"""Small worlds in players' notation, loaded dice, and a driver for flows.

A world is a few lines::

    hydran F1 0404 CA+DD+FF[warp=3] course 0405 0505
    lyran base 0902 Den
    klingon police 0708
    hydran waits 0404 FL+FS+QL
    hydran V1 0404 FL+FL+QL course 0405 0406
    planet capital 0205 hydran
    nebula 0605
    together hydran lyran
    reserve hydran 40
    turn 1 impulse 3

Between lines of a world stand semicolons as well. Ships are named after race, fleet and class: ``hydran F1 CA`` is the
unit ``hydran-F1-CA`` (a second one ``-CA2``).
Square brackets set fields of a unit: ``warp``, ``imp``, ``moved``, ``from`` (entered_from in this impulse), ``sensors``
(those of its class and of itself), ``fighters`` (likewise), ``boosters`` (sets), ``aboard`` (fighters), ``mines``,
``maintained``, ``missed``, ``crew``, ``officers`` (``navigator/science``), ``cloak`` (``up`` or ``down``), ``mark`` (of
its class), ``tractors``, of a tower whom it ``tows`` (``DD/FF``), and of a PF the ship on which it is in ``dock``. A
base's name may have them, too, and the ``type`` and ``orbit`` of the base.
"""

import re
from collections.abc import Callable, Generator, Mapping
from typing import Any

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.basics.dice import DiceStream, Die
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Field, Line
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk, Batch
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.records.accessories.catalogue import FIGHTER, STANDARD, WBP, Lot
from rules_engine.rulebooks.cutler.records.accessories.flown import together
from rules_engine.rulebooks.cutler.records.classes import UnitClass
from rules_engine.rulebooks.cutler.records.conditions.docking import dock
from rules_engine.rulebooks.cutler.records.parts.coordination import Coordination
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy
from rules_engine.rulebooks.cutler.records.state import CutlerState, Empire, Moment, Planet, Unit
from tests.form_documents import form_text

RACES = (
    SideLabel(key="hydran", name="Hydran", emblem="H"),
    SideLabel(key="lyran", name="Lyran", emblem="L"),
    SideLabel(key="klingon", name="Klingon", emblem="K"),
)
# code: hull, kind, size class, BPV, command rating (None: the hull's), warp, impulse, sensors
CLASSES: dict[str, tuple[str, str, int, int, int | None, int, int, int]] = {
    "DN": ("DN", "ship", 2, 180, None, 36, 6, 0), "CC": ("CC", "ship", 3, 145, None, 30, 4, 0),
    "CA": ("CA", "ship", 3, 125, None, 30, 4, 0), "CW": ("CW", "ship", 3, 100, None, 24, 3, 0),
    "DD": ("DD", "ship", 4, 80, None, 18, 2, 0), "FF": ("FF", "ship", 4, 60, None, 12, 2, 0),
    "SC": ("FF", "ship", 4, 85, None, 12, 2, 2), "DW": ("DW", "ship", 4, 75, None, 18, 2, 0),
    "PFT": ("DD", "ship", 4, 90, None, 18, 2, 1), "SUR": ("CA", "ship", 3, 125, None, 30, 4, 2),
    "CV": ("CA", "ship", 3, 140, None, 30, 4, 0), "MON": ("other", "monitor", 2, 130, 3, 12, 4, 0),
    "AUX": ("other", "auxiliary", 3, 70, None, 12, 2, 0), "PF": ("other", "pf", 5, 35, None, 6, 1, 0),
    "MS": ("FF", "ship", 4, 65, None, 12, 2, 0), "FL": ("other", "freighter", 4, 60, None, 12, 2, 0),
    "FS": ("other", "freighter", 5, 30, None, 6, 1, 0), "QL": ("other", "q_ship", 4, 90, None, 12, 2, 0),
    "QS": ("other", "q_ship", 5, 50, None, 6, 1, 0), "SFL": ("other", "freighter", 4, 80, None, 12, 2, 0),
    "SFS": ("other", "freighter", 5, 40, None, 6, 1, 0), "base": ("other", "base", 1, 600, 10, 0, 0, 0),
    "police": ("FF", "police", 4, 50, None, 12, 2, 0),
}  # fmt: skip


def kind_of(code: str, **figures: Any) -> UnitClass:
    """The class of that code, with other figures if any are given."""
    hull, kind, size, bpv, rating, warp, impulse, sensors = CLASSES[code]
    values: dict[str, Any] = {
        "class_id": code.lower(), "name": code if len(code) <= 2 else code.title(), "empire": "any",
        "source": "invented", "hull_type": hull, "kind": kind, "size_class": size, "move_cost": 1,
        "bpv_economic": bpv, "bpv_combat": bpv, "command_rating": rating, "warp": warp, "impulse": impulse,
        "special_sensors": sensors,
    }  # fmt: skip
    values |= {"base_type": "SB", "cargo": 50} if kind == "base" else {}
    marked = {"PFT": {"marks": ["pft"]}, "MS": {"marks": ["minesweeper"], "mine_room": 40}}
    values |= marked.get(code, {"marks": ["survey"]} if code in ("SUR", "SFL", "SFS") else {})
    if figures.get("kind", kind) in ("freighter", "q_ship"):
        values |= {"freighter_size": "small" if code.endswith("S") else "large", "cargo": 25}
    return UnitClass.model_validate(values | figures)


def world(text: str) -> CutlerState:
    """The state that a world's lines describe."""
    state = CutlerState(
        title="Test",
        turns=3,
        sides=RACES,
        grid=Grid(columns=11, rows=9),
        turn=1,
        empires={label.key: Empire(race=label.key) for label in RACES},
        planets={},
        units={},
    )
    for line in filter(None, (raw.split("#")[0].strip() for raw in text.replace(";", "\n").splitlines())):
        _line(state, line.split())
    return state


def _line(state: CutlerState, words: list[str]) -> None:
    match words:
        case [("nebula" | "dust" | "asteroids") as terrain, *hexes]:
            state.terrain |= dict.fromkeys(hexes, terrain)  # type: ignore[arg-type]
        case ["unsurveyed", *hexes]:
            state.unsurveyed = list(hexes)
        case ["planet", kind, hex_id, race, *more]:
            key = more[0] if more else f"p{hex_id}"
            values = {"key": key, "name": key.title(), "kind": kind, "hex": hex_id, "race": race, "owner": race}
            state.planets[key] = Planet.from_json(values)
        case ["together", *races]:
            wishes = {race: [other for other in races if other != race] for race in races}
            told = {race: list(named) for race, named in wishes.items()}
            state.coordination = Coordination(wishes=wishes, told=told, forces=[list(races)])
        case ["reserve", race, points]:
            state.empires[race].reserve = int(points)
        case ["turn", turn, *rest]:
            state.turn = int(turn)
            state.impulse = int(rest[1]) if rest else 0
        case [race, ("waits" | "V1" | "V2" | "V3") as convoy, hex_id, ships, *rest]:
            _convoy(state, race, convoy, hex_id, ships=ships, course=rest[1:])
        case [race, ("base" | "police") as what, hex_id, *name]:
            called, _, settings = (name[0] if name else "").partition("[")
            unit = _unit(f"{race}-{what}-{hex_id}", race, called or f"{race} {what}", code=what, hex_id=hex_id)
            _set_all(state, unit, settings)
            state.units[unit.id] = unit
        case [race, fleet, hex_id, ships, *rest]:
            _fleet(state, race, fleet, hex_id, ships=ships, course=rest[1:])
        case _:
            raise ValueError(f"not a line of a world: {' '.join(words)}")


def _convoy(state: CutlerState, race: str, key: str, hex_id: str, *, ships: str, course: list[str]) -> None:
    """Freighters and Q-ships: waiting, or in a convoy with the rest of its course, which embarked where it is."""
    units: list[Unit] = []
    for token in ships.split("+"):
        code, _, settings = token.partition("[")
        count = sum(one.startswith(f"{race}-{key}-{code}") for one in state.units)
        name = f"{race}-{key}-{code}{count + 1 if count else ''}"
        unit = state.units[name] = _unit(name, race, name.replace("-", " ").title(), code=code, hex_id=hex_id)
        _set_all(state, unit, settings)
        units.append(unit)
    if course:
        state.empires[race].convoys_named = int(key[1:])
        only_escorts = all(unit.kind == "q_ship" for unit in units)
        state.convoys[f"{race}/{key}"] = PlottedConvoy(
            key=key, race=race, kind="return" if only_escorts else "convoy", units=sorted(unit.id for unit in units),
            at=hex_id, embarked=hex_id, course=list(course),
        )  # fmt: skip


def _fleet(state: CutlerState, race: str, fleet: str, hex_id: str, *, ships: str, course: list[str]) -> None:
    members: list[str] = []
    for token in ships.split("+"):
        code, _, settings = token.partition("[")
        count = sum(key.startswith(f"{race}-{fleet}-{code}") for key in state.units)
        key = f"{race}-{fleet}-{code}{count + 1 if count else ''}"
        unit = _unit(key, race, key.replace("-", " ").title(), code=code, hex_id=hex_id)
        _set_all(state, unit, settings)
        state.units[key] = unit
        members.append(key)
    empire = state.empires[race]
    empire.fleets_named = int(fleet[1:]) - 1
    state.new_fleet(race, members, course).cloak = all(
        state.units[key].cloaked for key in members if not state.units[key].docked_at
    )


def put_aboard(unit: Unit, fighters: int, boosters: int) -> Unit:
    """The unit with so many ordinary fighters, and so many sets of warp booster packs."""
    unit.lose_fighters(unit.fighters, unit.booster_sets)
    counts = {FIGHTER: fighters, WBP: boosters}
    more = {key: Lot(item=STANDARD[key], count=count) for key, count in counts.items() if count}
    unit.holds = together(unit.holds, more)
    return unit


def set_fields(thing: object, values: Mapping[str, Any]) -> None:
    """Give these fields of a unit, a planet or an empire these values."""
    for name, value in values.items():
        setattr(thing, name, value)


def _set_all(state: CutlerState, unit: Unit, settings: str) -> None:
    for setting in filter(None, settings.rstrip("]").split(",")):
        _set(state, unit, *setting.split("="))


def _set(state: CutlerState, unit: Unit, name: str, value: str) -> None:
    match name:
        case "warp":
            unit.warp_ok = int(value)
        case "imp":
            unit.impulse_ok = int(value)
        case "moved":
            unit.hexes_moved = int(value)
        case "from":
            unit.entered_from = value
            unit.entered_at = unit.last_opportunity = Moment(turn=state.turn, impulse=state.impulse)
        case "sensors":
            unit.record = unit.record.model_copy(update={"special_sensors": int(value)})
            unit.special_sensors_ok = int(value)
        case "fighters":
            unit.record = unit.record.model_copy(update={"fighters": int(value)})
            put_aboard(unit, int(value), 3 * int(value))
        case "boosters":
            put_aboard(unit, unit.fighters, int(value))
        case "aboard":
            put_aboard(unit, int(value), unit.booster_sets)
        case "orbit":
            unit.orbit = value
        case "type":
            unit.record = unit.record.model_copy(update={"base_type": value})
        case "cloak":  # "up" or "down"
            unit.record = unit.record.model_copy(update={"cloak": True})
            unit.cloaked = unit.was_cloaked = value == "up"
        case "tractors":
            unit.record = unit.record.model_copy(update={"tractors": int(value)})
        case "tows":
            unit.towing = [f"{unit.id.rpartition('-')[0]}-{code}" for code in value.split("/")]
        case "mark":
            unit.record = unit.record.model_copy(update={"marks": (value,)})
        case "dock":  # after its host
            dock(unit, state.units[f"{unit.id.rpartition('-')[0]}-{value}"])
        case "officers":
            unit.officers = tuple(value.split("/"))  # type: ignore[assignment]
        case "crew":
            unit.crew_quality = value  # type: ignore[assignment]
        case "mines":
            unit.holds["mines"] = Lot(item=STANDARD["mines"], count=int(value))
        case "maintained" | "missed":
            setattr(unit, name, int(value))
        case _:
            raise ValueError(name)


def _unit(key: str, race: str, name: str, *, code: str, hex_id: str) -> Unit:
    kind = kind_of(code)
    return Unit(
        id=key, race=race, name=name, record=kind, warp_ok=kind.warp, impulse_ok=kind.impulse,
        special_sensors_ok=kind.special_sensors, hex=hex_id,
    )  # fmt: skip


class Loaded(DiceStream):
    """Loaded dice: rolls whose label contains a key take its values in turn; all others show 1.

    Contests that are not loaded take the ordinary stream, since equal dice would be rolled again forever.
    """

    CONTESTS = ("set-up", "order", "acting player", "meeting", "defender")

    def __init__(self, falls: Mapping[str, list[int]]) -> None:
        super().__init__(b"0123456789abcdef")
        self.falls = {key: list(values) for key, values in falls.items()}

    def draw(self, label: str, ordinal: int, die: Die, count: int) -> tuple[int, ...]:
        for key, values in self.falls.items():
            if key in label and values:
                return tuple(values.pop(0) for _ in range(count))
        return super().draw(label, ordinal, die, count) if any(map(label.__contains__, self.CONTESTS)) else (1,) * count


def table_of(state: CutlerState, dice: Mapping[str, list[int]] | None = None) -> TurnContext[CutlerState]:
    """A turn context with this state and these dice."""
    shared = SharedTurn(
        dice=Loaded(dice or {}), sides=state.sides, knowledge={label.key: Knowledge() for label in state.sides},
        now=When(turn=state.turn, step=10 * state.impulse), out_of_play=lambda: RULEBOOK.out_of_play(state),
    )  # fmt: skip
    return TurnContext(state, shared, f"T{state.turn}")


class Run:
    """A flow driven with scripted answers: ``{(kind, side): sheet or list of sheets}``; others take their default.

    A battle is settled by ``("battle", "")``.
    """

    def __init__(
        self,
        turn: TurnContext[CutlerState],
        steps: Generator[Batch, Any, Any],
        answers: Mapping[Any, Any] | None = None,
    ):
        self.table = turn
        self.asks: list[AnyAsk] = []
        self.result: Any = None
        self.answers = {key: list(v) if isinstance(v, list) else v for key, v in (answers or {}).items()}
        try:
            batch = next(steps)
            while True:
                self.asks += batch.asks
                batch = steps.send({ask.id: self._answer(ask) for ask in batch.asks})
        except StopIteration as stop:
            self.result = stop.value

    def _answer(self, ask: AnyAsk) -> Any:
        key = (ask.kind, "" if len(ask.parties) > 1 else ask.parties[0])
        sheet = self.answers.get(key)
        if isinstance(sheet, list):
            sheet = sheet.pop(0) if sheet else None
        if isinstance(sheet, Callable):
            sheet = sheet(ask)
        if sheet is None:
            return ask.default if ask.default is not None else ask.answer_from(ask.form.prefilled())
        return ask.answer_from(sheet)

    def asked(self, side: str, kind: str = "") -> list[AnyAsk]:
        """What a side was asked."""
        return [ask for ask in self.asks if side in ask.parties and kind in ("", ask.kind)]

    def told(self, side: str, kind: str = "") -> list[Report]:
        """What a side was told."""
        return [one for one in self.table.shared.reports if one.is_for(side) and kind in ("", one.kind)]

    def texts(self, side: str) -> str:
        """All that a side was told, as one text."""
        return "\n".join(one.text for one in self.told(side))


def texts(turn: TurnContext[CutlerState], side: str = "hydran") -> list[str]:
    """All that a side was told, in order."""
    return [one.text for one in turn.shared.reports if one.is_for(side)]


def sees(turn: TurnContext[CutlerState], asks: list[AnyAsk], side: str) -> str:
    """Everything that reaches a side, as one text: board, reports with their reasons, asks with forms and sheets."""
    parts = [RULEBOOK.side_board(turn.state, side, turn.knowledge(side)).model_dump_json()]
    told = [report for report in turn.shared.reports if report.is_for(side)]
    parts += [report.model_copy(update={"number": 0}).model_dump_json() for report in told]
    parts += [f"{one.label}: {one}" for one in turn.shared.rolls if one.seen_by is None or side in one.seen_by]
    for ask in asks:
        if side in ask.parties:
            parts += [ask.id, ask.title, ask.text, ask.rule, ask.default_says, form_text(ask.form)]
            if ask.default is not None:
                parts += [*ask.read_back(ask.default), *ask.warn(ask.default)]
            if ask.setup is not None:
                parts.append(ask.setup.seen_by(side).model_dump_json())
    return "\n".join(parts)


def alike(one: Run, other: Run, *sides: str) -> None:
    """Everything that reaches these sides is the same, byte for byte."""
    for side in sides:
        assert sees(one.table, one.asks, side) == sees(other.table, other.asks, side)


def refusals(ask: AnyAsk, sheet: Any) -> list[tuple[str, str]]:
    """(path, rule) of every refusal of a sheet; empty when it is legal."""
    try:
        ask.answer_from(sheet)
    except Refused as refused:
        return [(one.path, one.rule) for one in refused.refusals]
    return []


def refusal_words(ask: AnyAsk, sheet: Any) -> list[str]:
    """Every refusal of a sheet, in all its words."""
    try:
        ask.answer_from(sheet)
    except Refused as refused:
        return [str(one) for one in refused.refusals]
    return []


def offered(line: Line) -> list[tuple[str, str, object, str]]:
    """What each field of a line asks: its label, what it takes, what is filled in, and its help."""
    return [(one.label, _taken(one), one.value, one.help) for one in line.fields]


def on_sheet(ask: AnyAsk) -> list[str]:
    """All words of a sheet: its title, its text and its default, then its lines and their fields."""
    said = [ask.title, ask.text, ask.default_says]
    for line in ask.form.lines:
        said.append(f"{line.label} ({line.note})" if line.note else line.label)
        for label, taken, value, hint in offered(line):
            said.append(f"- {label}: {taken}; {value!r}" + (f"; {hint}" if hint else ""))
    return [one for one in said if one]


def _taken(one: Field) -> str:
    if one.kind == "number":
        return f"{one.least} to {one.most}"
    return ", ".join(choice.label for choice in one.choices) or one.kind


def words(text: str) -> set[str]:
    """The words of a text."""
    return set(re.findall(r"[\w']+", text))
