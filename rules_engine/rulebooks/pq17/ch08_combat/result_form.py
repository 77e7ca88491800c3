"""The result form of a battle fought by hand: what both sides report for every unit, and whether they agree.

Both accounts must agree line by line; every unit that was sent in is on the form, so that none can be lost by not
being mentioned. Ruling CMB-17.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import Field as Bounded
from pydantic import model_serializer, model_validator

from rules_engine.core.basics.base import Frozen, Json, Side
from rules_engine.core.basics.counted import counted, verb
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.catalogues.ship_records import Boxes
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.views import track_order
from rules_engine.core.protocol.accounts import HOW_IT_ENDED, say_difference
from rules_engine.core.protocol.asks import Agreement, Ask, BattleSetup
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.tactics.describing import described
from rules_engine.rulebooks.pq17.ch05_movement.ship_figures import figure_fields, say_figures, unpowered_of
from rules_engine.rulebooks.pq17.ch05_movement.speeds import practical_speed
from rules_engine.rulebooks.pq17.ch08_combat.battle_setup import (
    alike,
    battle_forces,
    battle_setup,
)
from rules_engine.rulebooks.pq17.ch08_combat.pictures import account_guide, battle_scene, labelled, own_units, place_of
from rules_engine.rulebooks.pq17.ch08_combat.standing_battles import broken_off
from rules_engine.rulebooks.pq17.ch08_combat.tactics import tactics_of
from rules_engine.rulebooks.pq17.ch10_supply.fuel import reduced_combat_cost
from rules_engine.rulebooks.pq17.ch10_supply.use_in_battle import UsedFields, check_used, comparable_used, used_fields
from rules_engine.rulebooks.pq17.ch11_repair.boxes import full_boxes
from rules_engine.rulebooks.pq17.ch11_repair.self_repair import (
    RepairFields,
    check_repairs,
    comparable,
    result_fields,
    say_repairs,
)
from rules_engine.rulebooks.pq17.orders.order_sheets import ShipFigures
from rules_engine.rulebooks.pq17.records.battles import BATTLE_LINE, NOBODY, Battle
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State

FATE = "fate"
NOTHING = "nothing"

Fate = Literal["ok", "destroyed", "captured", "disengaged"]

BOX_KINDS: tuple[tuple[str, str], ...] = (
    ("warp", "Warp boxes left"),
    ("awr", "AWR boxes left"),
    ("impulse", "Impulse boxes left"),
    ("battery", "Batteries left"),
    ("special_sensors", "Special sensors left"),
    ("cargo", "Cargo boxes left"),
    ("orion_cargo", "Orion cargo boxes left"),
    ("repair", "Repair boxes left"),
    ("tractors", "Tractors left"),
)
"""The boxes that the campaign must know of a surviving unit, with the form's labels."""


class BattleLine(Frozen):
    """Who won, and how many turns it took."""

    winner: str
    turns: Annotated[int, Bounded(ge=1)]


class UnitLine(RepairFields, UsedFields, ShipFigures):
    """One unit's account. Boxes that are left out are as they were when the battle began."""

    fate: Fate
    turn: Boxes | None = None
    """The battle turn in which it disengaged."""
    crippled: bool = False
    warp: Boxes | None = None
    awr: Boxes | None = None
    impulse: Boxes | None = None
    battery: Boxes | None = None
    special_sensors: Boxes | None = None
    cargo: Boxes | None = None
    orion_cargo: Boxes | None = None
    repair: Boxes | None = None
    tractors: Boxes | None = None
    sensors: Boxes | None = None
    """Its sensor rating now: the best box left of the track."""
    probes: Boxes | None = None
    boxes_on: Boxes | None = None
    """The most warp and AWR boxes ever on in the battle, for a unit that began with some off."""

    def boxes(self) -> dict[str, int]:
        """The counts that were given, by kind."""
        given = {key: getattr(self, key) for key, _ in BOX_KINDS}
        return {key: int(value) for key, value in given.items() if value is not None}


class BattleResult(Frozen):
    """The whole account: the battle's line, and one for each unit by its neutral name."""

    battle: BattleLine
    units: dict[str, UnitLine]

    @model_validator(mode="before")
    @classmethod
    def _from_sheet(cls, document: Any) -> Any:
        """Accept a flat sheet of lines, as the form gives it."""
        if isinstance(document, Mapping) and "units" not in document:
            lines: dict[str, Any] = dict(document)  # pyright: ignore[reportUnknownArgumentType]
            return {"battle": lines.pop(BATTLE_LINE, None), "units": lines}
        return document  # pyright: ignore[reportUnknownVariableType]

    @model_serializer
    def _to_sheet(self) -> dict[str, dict[str, Json]]:
        lines: dict[str, dict[str, Json]] = {BATTLE_LINE: self.battle.model_dump(mode="json")}
        for name, line in self.units.items():
            lines[name] = line.model_dump(mode="json", exclude_none=True)
        return lines


# --- the ask ----------------------------------------------------------------------------------------------------------


@rule("8.5.5", "8.5.5.6", "8.1.1", "SOP.2.b.vi.6.f")
def result_ask(turn: TurnContext[State], battle: Battle) -> Ask[BattleResult]:
    """The set-up sheet and the form for its result, put to both sides. PQ-17 8.5.5, 8.5.5.6; ruling CMB-17."""
    state = turn.state
    tactics = described(lambda: tactics_of(state, battle))
    return Ask(
        kind="battle",
        parties=(battle.attacker, battle.defender),
        title=f"Battle in {battle.hex}, turn {state.turn} impulse {state.impulse}",
        text=(
            "Fight this battle by the sheet, then report it: every unit's fate and what is left of it. Both accounts "
            "must agree. What ships repair right after the battle comes on a sheet of its own."
        ),
        model=BattleResult,
        form=result_form(turn, battle),
        rule="PQ-17 8.5.5",
        pace="battle",
        check=lambda answer: check_result(state, battle, answer),
        read_back=lambda answer: _read_back(turn, battle, answer),
        warn=_warnings,
        agree=lambda accounts: agree(turn, battle, accounts),
        setup=_pictured(turn, battle),
        guide=account_guide(state, battle),
        ends=broken_off(state, battle, lambda: result_form(turn, battle)),
        tactics=tactics.tactics,
        untracked=tactics.untracked,
        question=Question(f"Battle in {battle.hex}", HOW_IT_ENDED),
        set_up_from=frozenset(
            {
                "battles",
                *(f"units.{unit_id}" for unit_id in battle.names.values()),
                *(f"task_forces.{tf_id}" for tf_id in battle.all_forces()),
            }
        ),
    )


def _pictured(turn: TurnContext[State], battle: Battle) -> BattleSetup:
    """The set-up with what its pictures show."""
    scene = battle_scene(turn, battle, battle_forces(turn.state, battle))
    return battle_setup(turn, battle).with_values(scene=scene, own=own_units(turn.state, battle, scene))


def result_form(turn: TurnContext[State], battle: Battle) -> Form:
    """The form, filled in as if nothing had happened: the attacker holds the field, no unit is damaged."""
    winners = (
        *(Choice(value=side, label=turn.name_of(side)) for side in (battle.attacker, battle.defender)),
        Choice(value=NOBODY, label="nobody: both sides are gone"),
    )
    head = Line(
        key=BATTLE_LINE,
        label=f"Battle in {battle.hex}",
        fields=(
            Field(key="winner", label="Winner", kind="one", choices=winners, value=battle.attacker),
            Field(key="turns", label="Turns it lasted", kind="number", least=1, most=200, value=1),
        ),
    )
    state = turn.state
    units = tuple(_unit_line(turn, battle, name, state.units[unit_id]) for name, unit_id in battle.names.items())
    return Form(lines=(head, *units))


def _unit_line(turn: TurnContext[State], battle: Battle, name: str, unit: Unit) -> Line:
    kind = turn.state.class_of(unit)
    fates = [Choice(value="ok", label="still there"), Choice(value="destroyed", label="destroyed")]
    captor = turn.state.enemy_of(unit.side)
    fates.append(Choice(value="captured", label=f"captured by the {turn.name_of(captor)}"))
    if not kind.is_base:
        fates.append(Choice(value="disengaged", label="disengaged by separation"))
    fields = [
        Field(key="fate", label="Fate", kind="one", choices=tuple(fates), value="ok"),
        Field(key="crippled", label="Crippled", kind="flag", value=unit.crippled),
    ]
    if not kind.is_base:
        fields.append(
            Field(key="turn", label="Disengaged on battle turn", kind="number", least=1, most=200, optional=True)
        )
    for key, label in BOX_KINDS:
        full = full_boxes(turn.state, unit, key)
        if full:
            fields.append(_number(key, label, 0, full, int(getattr(unit, key))))
    if kind.sensor_track:
        most = max(kind.sensor_track)
        fields.append(_number("sensors", "Sensor rating", 0, most, unit.sensor_rating))
    fields += result_fields(turn.state, unit)
    if unit.probes:
        fields.append(_number("probes", "Probes left", 0, unit.probes, unit.probes))
    fields += used_fields(unit)
    if kind.unit_kind in ("ship", "base"):
        fields += figure_fields(turn.state, unit)
    if unit.boxes_off:
        on = unit.power_boxes - unit.boxes_off
        fields.append(_number("boxes_on", "Most boxes ever on", on, unit.power_boxes, on))
    owner = turn.name_of(unit.side)
    return Line(key=name, label=f"{name} {kind.name} ({owner})", fields=tuple(fields))


def _number(key: str, label: str, least: int, most: int, value: int) -> Field:
    return Field(key=key, label=label, kind="number", least=least, most=most, value=value, optional=True)


def _read_back(turn: TurnContext[State], battle: Battle, answer: BattleResult) -> list[str]:
    winner = "Nobody" if answer.battle.winner == NOBODY else turn.name_of(answer.battle.winner)
    turns = answer.battle.turns
    said = [f"{winner} won after {counted(turns, 'turn')}."]
    return [*said, *alike((name, _say_unit(turn.state, name, line, battle)) for name, line in answer.units.items())]


def _say_unit(state: State, name: str, line: UnitLine, battle: Battle) -> str:
    """A unit's fate, and what has changed."""
    unit = state.units[battle.names[name]] if name in battle.names else None
    changed = {key: count for key, count in line.boxes().items() if unit is None or count != getattr(unit, key, None)}
    if line.sensors is not None and (unit is None or line.sensors != unit.sensor_rating):
        changed["sensor rating"] = line.sensors
    if line.probes is not None and (unit is None or line.probes != unit.probes):
        changed["probes"] = line.probes
    if line.boxes_on is not None and (unit is None or line.boxes_on != unit.power_boxes - unit.boxes_off):
        changed["most boxes ever on"] = line.boxes_on
    left = [
        *(f"{key.replace('_', ' ')} {count}" for key, count in changed.items()),
        *say_repairs(line, unit),
        *([f"used up {line.used}"] if line.used else []),
        *(say_figures(state, unit, line) if unit is not None else ()),
    ]
    turn = f" on turn {line.turn}" if line.turn else ""
    crippled = ", crippled" if line.crippled else ""
    told = f"; {', '.join(left)}" if left else ""
    fate = "still there" if line.fate == "ok" else line.fate
    return f"{fate}{turn}{crippled}{told}."


def _warnings(answer: BattleResult) -> list[str]:
    if all(line.fate == "ok" for line in answer.units.values()):
        return ["Every unit is still there, so nobody has lost: a battle ends when one side is gone (8.5.5.6)."]
    return []


# --- judging an account -----------------------------------------------------------------------------------------------


@rule("8.5.5.6", "8.3.5.3.6")
def check_result(state: State, battle: Battle, answer: BattleResult) -> list[Refusal]:
    """Every defect of an account: units missing or unknown, boxes that never existed, impossible fates.

    PQ-17 8.5.5.6, 8.3.5.3.6; rulings CMB-10, CMB-12, CMB-13, CMB-14, CMB-16."""
    found: list[Refusal] = []
    for name in answer.units:
        if name not in battle.names:
            near = nearest(name, battle.names)
            found.append(malformed("no such unit is in this battle", name, legal=", ".join(battle.names), nearest=near))
    for name, unit_id in battle.names.items():
        line = answer.units.get(name)
        if line is None:
            problem = "every unit that was sent in must be accounted for"
            found.append(illegal(problem, "PQ-17 8.5.5.6", name, legal="ok, destroyed, captured or disengaged"))
        else:
            found += _check_unit(state, state.units[unit_id], name, line, answer)
    return found + _check_winner(state, battle, answer)


@rule("8.5.5.5.3", "8.5.5.5.4")
def _check_unit(state: State, unit: Unit, name: str, line: UnitLine, answer: BattleResult) -> list[Refusal]:
    kind = state.class_of(unit)
    found: list[Refusal] = []
    for key, count in line.boxes().items():
        full = full_boxes(state, unit, key) or 0
        if count > full:
            problem = f"its record has {counted(full, 'such box')}"
            found.append(illegal(problem, "PQ-17 9.8", f"{name}.{key}", legal=f"0 to {full}"))
    if line.sensors is not None and line.sensors not in (0, *kind.sensor_track):
        legal = ", ".join(map(str, sorted({0, *kind.sensor_track})))
        found.append(illegal("its sensor track has no such box", "PQ-17 6.3.4.7", f"{name}.sensors", legal=legal))
    if line.probes is not None and line.probes > unit.probes:
        found.append(illegal("it had fewer probes", "PQ-17 1.9.7", f"{name}.probes", legal=f"0 to {unit.probes}"))
    if line.fate == "disengaged":
        if kind.is_base:
            problem = "a base cannot disengage"
            found.append(illegal(problem, "PQ-17 8.5.5.5", f"{name}.fate", legal="ok, destroyed, captured"))
        elif line.turn is None or not 1 <= line.turn <= answer.battle.turns:
            legal = f"a turn from 1 to {answer.battle.turns}"
            found.append(illegal("say on which turn it disengaged", "PQ-17 8.5.5.5.4", f"{name}.turn", legal=legal))
    elif line.turn is not None:
        problem = "only a unit that disengaged has a turn"
        found.append(illegal(problem, "PQ-17 8.5.5.5.4", f"{name}.turn", legal="left out"))
    if unit.crippled and not line.crippled and line.fate in ("ok", "disengaged"):
        problem = "it was crippled when the battle began"
        found.append(illegal(problem, "PQ-17 T5.note4", f"{name}.crippled", legal="crippled"))
    found += [*check_repairs(state, unit, name, line, line.boxes()), *check_used(unit, name, line)]
    return found + _check_power(state, unit, name, line)


@rule("8.3.5.3.6")
def _check_power(state: State, unit: Unit, name: str, line: UnitLine) -> list[Refusal]:
    """Check boxes turned on again: no fewer than at the start, no more than existed, and paid for. 8.3.5.3.6;

    CMB-10.
    """
    if line.boxes_on is None:
        return []
    path = f"{name}.boxes_on"
    on = unit.power_boxes - unit.boxes_off
    if not unit.boxes_off and line.boxes_on != on:
        return [illegal("it fought with all boxes on", "PQ-17 8.3.5.3.6", path, legal="left out")]
    if not on <= line.boxes_on <= unit.power_boxes:
        legal = f"{on} to {unit.power_boxes}"
        return [illegal("boxes may only be turned on again", "PQ-17 8.3.5.3.6", path, legal=legal)]
    extra = extra_power_cost(state, unit, line.boxes_on)
    if extra > unit.fuel:
        problem = f"that costs {show_fraction(extra)} more fuel, and it has {show_fraction(unit.fuel)}"
        return [illegal(problem, "PQ-17 8.3.5.3.6", path, legal="fewer boxes")]
    return []


@rule("8.3.5.3.6")
def extra_power_cost(state: State, unit: Unit, boxes_on: int) -> Fraction:
    """Fuel for boxes turned on again: the difference to what was paid. PQ-17 8.3.5.3.6; ruling CMB-10."""
    now = reduced_combat_cost(state, unit, unit.power_boxes - boxes_on)
    return now - reduced_combat_cost(state, unit, unit.boxes_off)


@rule("8.5.5.6")
def _check_winner(state: State, battle: Battle, answer: BattleResult) -> list[Refusal]:
    """The battle ends when one side is destroyed, captured or gone; the other side holds the field. 8.5.5.6."""
    path = f"{BATTLE_LINE}.winner"
    winner = answer.battle.winner
    sides = (battle.attacker, battle.defender)
    if winner not in (*sides, NOBODY):
        legal = f"{', '.join(sides)} or {NOBODY}"
        near = nearest(winner, [*sides, NOBODY])
        return [malformed("no such side is in this battle", path, legal=legal, nearest=near)]
    left: dict[Side, list[str]] = {side: [] for side in sides}
    captured: dict[Side, list[str]] = {side: [] for side in sides}
    unknown: set[Side] = set()
    for name, unit_id in battle.names.items():
        line = answer.units.get(name)
        side = state.units[unit_id].side
        if line is None:
            unknown.add(side)
        if line is not None and line.fate == "ok":
            left[side].append(name)
        if line is not None and line.fate == "captured":
            captured[side].append(name)
    found: list[Refusal] = []
    for side in sides:
        if side != winner and left[side]:
            fight = verb(len(left[side]), "fights", "fight")
            problem = f"the battle is not over while {' and '.join(left[side])} still {fight} for the losing side"
            found.append(illegal(problem, "PQ-17 8.5.5.6", path, legal="another winner, or another fate"))
    if winner != NOBODY and not left[winner] and winner not in unknown:
        problem = "the winner has nothing left on the field"
        legal = next((side for side in sides if left[side]), NOBODY)
        found.append(illegal(problem, "PQ-17 8.5.5.6", path, legal=legal))
    for side in sides:
        if captured[side] and (winner in (side, NOBODY)):
            problem = f"{', '.join(captured[side])} cannot be held by a side that did not win"
            found.append(illegal(problem, "PQ-17 8.5.5.6", path, legal="destroyed, disengaged or still there"))
    return found


# --- agreement --------------------------------------------------------------------------------------------------------


def agree(turn: TurnContext[State], battle: Battle, accounts: Mapping[Side, BattleResult]) -> Agreement[BattleResult]:
    """Settled if all accounts say the same of every line; otherwise the differences, with what each says. Of a unit
    whose fate is in dispute, only the fate is listed. Ruling CMB-17."""
    sides = sorted(accounts)
    sheets = {side: _comparable(turn.state, battle, accounts[side]) for side in sides}
    form = result_form(turn, battle)
    said_of = {
        path: {side: sheets[side].get(path, NOTHING) for side in sides} for sheet in sheets.values() for path in sheet
    }
    differing = {path: said for path, said in said_of.items() if len(set(said.values())) > 1}
    told = [path for path in differing if path[1] == FATE or (path[0], FATE) not in differing]
    ordered = sorted(told, key=_path_order)
    whole = {side: {name: line.model_dump() for name, line in accounts[side].units.items()} for side in sides}
    places = tuple(place_of(form, path, differing[path], whole) for path in ordered)
    names = {side: [turn.name_of(side)] for side in sides}
    differences = tuple(
        say_difference(place.what, [(names[side], labelled(form, path, differing[path][side])) for side in sides])
        for path, place in zip(ordered, places, strict=True)
    )
    return Agreement(None if places else next(iter(accounts.values())), differences, places)


def _comparable(state: State, battle: Battle, result: BattleResult) -> dict[tuple[str, str], str]:
    """Every field by line, as words. Of a destroyed unit only its fate counts; boxes left out count as unchanged."""
    found = {(BATTLE_LINE, "winner"): result.battle.winner, (BATTLE_LINE, "turns"): str(result.battle.turns)}
    for name, line in result.units.items():
        found[name, FATE] = line.fate
        if line.fate == "destroyed" or name not in battle.names:
            continue
        unit = state.units[battle.names[name]]
        values: dict[str, object] = {
            "turn": line.turn or "none",
            "crippled": "yes" if line.crippled else "no",
            "sensors": unit.sensor_rating if line.sensors is None else line.sensors,
            "probes": unit.probes if line.probes is None else line.probes,
            "boxes_on": unit.power_boxes - unit.boxes_off if line.boxes_on is None else line.boxes_on,
            "used": comparable_used(line),
            "practical_speed": practical_speed(state, unit) if line.practical_speed is None else line.practical_speed,
            "unpowered": " and ".join(unpowered_of(unit) if line.unpowered is None else sorted(line.unpowered))
            or NOTHING,
        }
        values |= comparable(state, unit, line)
        values |= {key: line.boxes().get(key, getattr(unit, key)) for key, _ in BOX_KINDS}
        found |= {(name, key): str(value) for key, value in values.items()}
    return found


def _path_order(path: tuple[str, str]) -> tuple[bool, tuple[str, int], str]:
    name, key = path
    return name != BATTLE_LINE, track_order(name), key
