"""Positions of a battle under way, as captains type them: the sheet, and what it comes to. VM-N67"""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field as Bound
from pydantic import RootModel, ValidationError

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.forms.forms import Choice, Field, Form, Line, number_field, text_field
from rules_engine.core.grids.space import WAYS, NoHex, Way, column_row, hex_at, lattice_of
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.protocol.question import Question
from rules_engine.core.tactics.battles import TacticalBattle, TacticalShip
from rules_engine.core.tactics.tallies import Fate
from rules_engine.rulebooks.vector.battles.placing import FARTHEST, LONGEST_HEX
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.tracked.state import TrackedState, TypedFleet, TypedPosition

RULE = "VM-N67"
TURN_LINE = "battle"
LATEST = 999
MOST_SPEED = 200
LONGEST_VECTOR = 40

UnitIs = Literal["here", "destroyed", "disengaged", "left the map"]
_WHAT: tuple[UnitIs, ...] = ("here", "destroyed", "disengaged", "left the map")


class PositionLine(Frozen):
    """Of a unit: whether it is still there, its hex, facing and vector. Of the battle: the turn that comes next."""

    turn: Annotated[int, Bound(ge=1, le=LATEST)] | None = None
    unit: UnitIs = "here"
    at: Annotated[str, Bound(max_length=LONGEST_HEX)] | None = None
    facing: Way = "A"
    vector: Annotated[str, Bound(max_length=LONGEST_VECTOR)] = "0"


class PositionsSheet(RootModel[dict[str, PositionLine]]):
    """A side's positions, by unit; empty where nothing is said."""

    def of(self, key: str) -> PositionLine:
        """What is said of a unit, or of the battle."""
        return self.root.get(key, PositionLine())

    @property
    def turn(self) -> int:
        """The turn that comes next."""
        return self.of(TURN_LINE).turn or 1


def positions_ask(state: TrackedState, battle: TacticalBattle, side: Side) -> Ask[PositionsSheet]:
    """A side's positions; until something is said nothing is taken up, and what was said before stands."""
    before = state.typed.get(side)
    default = PositionsSheet({}) if before is None else _sheet_of(before)
    ships = [one for one in battle.ships if one.side == side]
    return Ask(
        kind="positions",
        parties=(side,),
        title="Positions of the battle under way",
        text="Say which turn comes next, and where your units stand. Others do so at once; then all see it.",
        question=Question(
            "Where do they stand?",
            "The next turn, and hex, facing and vector of each unit.",
            others="stay as typed",
            noun="unit",
        ),
        model=PositionsSheet,
        form=_form(ships, default),
        rule=RULE,
        pace="tactical",
        default=default,
        default_says="What was typed before stands." if before else "Nothing is typed yet: it is asked again.",
        check=lambda sheet: list(_judge(ships, sheet)),
        read_back=lambda sheet: [_said(one) for one in say_fleet(battle, side, fleet_of(ships, sheet))],
    )


def _said(line: str) -> str:
    return f"{line}."


def _sheet_of(fleet: TypedFleet) -> PositionsSheet:
    lines = {TURN_LINE: PositionLine(turn=fleet.turn)}
    for code, one in fleet.units.items():
        is_out: UnitIs = one.fate or "here"
        at = None if one.fate else one.at
        lines[code] = PositionLine(unit=is_out, at=at, facing=one.facing, vector=one.vector.says)
    return PositionsSheet(lines)


def _form(ships: list[TacticalShip], default: PositionsSheet) -> Form:
    turns = number_field("turn", "Next turn", range(1, LATEST + 1), default.of(TURN_LINE).turn, "the turn to be flown")
    return Form(
        lines=(
            Line(key=TURN_LINE, label="The battle", fields=(turns,)),
            *(_line(one, default.of(one.code)) for one in ships),
        )
    )


def _line(ship: TacticalShip, now: PositionLine) -> Line:
    facing = Field("facing", "Facing", "one", tuple(Choice(one, one) for one in WAYS), value=now.facing)
    fields = [
        Field("unit", "It is", "one", tuple(Choice(one, one) for one in _WHAT), value=now.unit),
        text_field("at", "Hex", LONGEST_HEX, now.at, "column and row, as 0412"),
        facing,
        text_field("vector", "Vector", LONGEST_VECTOR, now.vector, "as 12C or 6A+6B; 0 at rest")._replace(
            optional=False
        ),
    ]
    note = f"arrives on turn {ship.arrives}: no hex before" if ship.arrives else ship.kind
    return Line(key=ship.code, label=f"{ship.code} {ship.name}", note=note, fields=tuple(fields))


def is_to_come(ship: TacticalShip, turn: int) -> bool:
    """Whether a unit is not there yet when a turn is about to begin."""
    return bool(ship.arrives) and ship.arrives >= turn


def _judge(ships: list[TacticalShip], sheet: PositionsSheet) -> Iterator[Refusal]:
    if not sheet.root:
        return
    known = {TURN_LINE: None} | {one.code: one for one in ships}
    for key in sheet.root:
        if key not in known:
            yield malformed(f"{key} is no unit of yours in this battle", key, legal=", ".join(known))
    if sheet.of(TURN_LINE).turn is None:
        yield malformed("it does not say which turn comes next", f"{TURN_LINE}.turn", legal=f"1 to {LATEST}")
    for ship in ships:
        yield from _judge_unit(ship, sheet.of(ship.code), sheet.turn)


def _judge_unit(ship: TacticalShip, line: PositionLine, turn: int) -> Iterator[Refusal]:
    path = f"{ship.code}.at"
    if is_to_come(ship, turn):
        if line.at:
            legal = f"no hex of {ship.code} before turn {ship.arrives}"
            yield illegal(f"{ship.code} arrives at the beginning of turn {ship.arrives}", RULE, path, legal=legal)
        return
    if line.unit != "here":
        return
    legal = "column and row, as 0412 or -3.12"
    if not line.at:
        yield malformed(f"it does not say where {ship.code} is", path, legal=legal)
        return
    try:
        if any(abs(one) > FARTHEST for one in column_row(lattice_of(line.at))):
            yield malformed(f"{line.at} is too far off", path, legal=f"columns and rows from -{FARTHEST} to {FARTHEST}")
    except NoHex as error:
        yield malformed(str(error), path, legal=legal)
    yield from _judge_vector(ship, line)


def _judge_vector(ship: TacticalShip, line: PositionLine) -> Iterator[Refusal]:
    path = f"{ship.code}.vector"
    try:
        speed = Vector(says=line.vector).speed
    except ValidationError:
        yield malformed(f"{line.vector!r} is no vector", path, legal="hexes and direction, as 12C or 6A+6B, or 0")
        return
    if ship.flight.stays and speed:
        yield illegal(f"{ship.code} stays where it is", "VM-N61", path, legal="0")
    elif speed > MOST_SPEED:
        yield malformed(f"{line.vector} is speed {speed}", path, legal=f"speed {MOST_SPEED} or less")


def fleet_of(ships: list[TacticalShip], sheet: PositionsSheet) -> TypedFleet | None:
    """What a legal sheet says; None of one that says nothing."""
    if not sheet.root:
        return None
    units: dict[str, TypedPosition] = {}
    for ship in ships:
        line = sheet.of(ship.code)
        if is_to_come(ship, sheet.turn):
            continue
        if line.unit == "here":
            at = hex_at(lattice_of(line.at or ""))
            units[ship.code] = TypedPosition(at=at, facing=line.facing, vector=Vector(says=line.vector))
        else:
            fate: Fate = line.unit
            units[ship.code] = TypedPosition(fate=fate)
    return TypedFleet(turn=sheet.turn, units=units)


def say_fleet(battle: TacticalBattle, side: Side, fleet: TypedFleet | None) -> list[str]:
    """What a side has said, unit by unit, without what is still to come."""
    if fleet is None:
        return ["Nothing is said yet"]
    said = [f"Turn {fleet.turn} comes next"]
    for ship in (one for one in battle.ships if one.side == side and one.code in fleet.units):
        one = fleet.units[ship.code]
        motion = f"{one.vector.says}, speed {one.vector.speed}" if one.vector.speed else "at rest"
        said.append(f"{ship.code} {ship.name} {one.fate or f'in {one.at}, faces {one.facing}, {motion}'}")
    return said
