"""Telling what happened in a piece of a turn, to whom may know it: a report for each unit, and one for each deed.
VM-R38"""

from collections.abc import Iterable, Sequence
from typing import Any

from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.reports import EVERYBODY, because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.vector.campaign.deeds import Deed
from rules_engine.rulebooks.vector.records.happenings import Happened
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.state import VectorState, VectorTurn, by_code
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.saying import sentence

PLAIN = ("moved",)
"""What is told of at the end alone: where a unit has come to."""

DEED_RULES = {"caught": "VM-N20", "away": "VM-N21", "passed": "VM-N22", "crossed": "VM-N23", "gathered": "VM-N24"}


def tell_flight(turn: TurnContext[Any], battle: Tactical, happened: Sequence[Happened], first: int, last: int) -> None:
    """Tell what units did on these impulses and where they are, to everybody; and to owners what is theirs alone."""
    units = sorted(battle.units.values(), key=lambda one: (battle.sides.index(one.side), by_code(one.id)))
    for unit in units:
        own = [one for one in happened if one.unit == unit.id]
        # a unit that met its end in this piece is still told of; one that is not there at all is not
        if not own and not battle.is_present(unit):
            continue
        public = [one for one in own if not one.to]
        said = [_say(one) for one in public if one.what not in PLAIN]
        where = f"{unit.id} {unit.name}, impulses {first} to {last}"
        text = " ".join([f"{where}:" if said else f"{where}, coasts.", *said, _say_end(unit)])
        _tell(turn, (), text, "flight", public)
        for to, some in _by_audience(one for one in own if one.to):
            _tell(turn, to, " ".join(map(_say, some)), "own flight", some)


def tell_end(turn: TurnContext[Any], happened: Sequence[Happened]) -> None:
    """Tell what happened at a turn's end, one by one."""
    for one in happened:
        _tell(turn, one.to, _say(one), "turn's end", [one])


def _say(one: Happened) -> str:
    return f"On {one.impulse}: {sentence(one, one.unit)}"


def _say_end(unit: VectorShip) -> str:
    motion = f"{unit.vector.says}, speed {unit.vector.speed}" if unit.vector.speed else "at rest"
    return f"Now in {unit.at}, facing {unit.facing}, {motion}." if not unit.out else f"It is out of play: {unit.out}."


def _by_audience(happened: Iterable[Happened]) -> list[tuple[tuple[Side, ...], list[Happened]]]:
    found: dict[tuple[Side, ...], list[Happened]] = {}
    for one in happened:
        found.setdefault(tuple(sorted(one.to)), []).append(one)
    return sorted(found.items())


def _tell(turn: TurnContext[Any], to: tuple[Side, ...], text: str, kind: str, happened: Sequence[Happened]) -> None:
    rules = dict.fromkeys(one.rule for one in happened if one.rule)
    dice = [roll for one in happened for roll in one.dice]
    turn.tell(to or EVERYBODY, text, kind=kind, why=because(", ".join(rules) or "CJD1.14", dice=dice))


def tell_deeds(turn: VectorTurn, deeds: Sequence[Deed]) -> None:
    """Tell everybody what was reached."""
    for deed in deeds:
        unit = turn.state.battle.units[deed.unit]
        text = _say_deed(turn.state, deed, unit)
        turn.tell_all(f"Impulse {deed.impulse}: {text}", kind="deed", why=because(DEED_RULES[deed.what]))


def _say_deed(state: VectorState, deed: Deed, unit: VectorShip) -> str:
    said = f"{unit.id} {unit.name}"
    match deed.what:
        case "caught":
            return f"{said} is caught: {deed.other} matched its course."
        case "away":
            return f"{said} is away."
        case "passed":
            return f"{said} has passed buoy {deed.number} of {state.buoys}."
        case "crossed":
            return f"{said} has crossed the line."
        case "gathered":
            return f"The {state.captains[unit.side].name} has gathered about {said}."
