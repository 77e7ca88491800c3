"""The set-up: where a scenario leaves it open, each captain places its ships in secret, and all are revealed at once.
VM-N26"""

from collections.abc import Iterator
from typing import Annotated

from pydantic import Field as Bound
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.forms.forms import Choice, Field, Form, Line, text_field
from rules_engine.core.grids.space import WAYS, NoHex, Way, hex_at, hexes_between, lattice_of
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.tactics.judging import ring_by_ring
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.state import VectorCaptain, VectorState, VectorTurn
from rules_engine.rulebooks.vector.records.vectors import Vector

RULE = "VM-N26"
MOST_CHOICES = 25
"""Hexes that a menu offers; a larger zone is typed."""
LONGEST_HEX, LONGEST_VECTOR = 12, 40


class SetUpLine(Frozen):
    """A ship: in which hex it begins, where its bow points, and its vector; what is left out stays as it stands."""

    at: Annotated[str, Bound(max_length=LONGEST_HEX)] | None = None
    facing: Way | None = None
    vector: Annotated[str, Bound(max_length=LONGEST_VECTOR)] | None = None


class SetUpSheet(RootModel[dict[str, SetUpLine]]):
    """A captain's set-up, by ship."""

    def of(self, key: str) -> SetUpLine:
        """What is said of a ship."""
        return self.root.get(key, SetUpLine())


def set_up_steps(turn: VectorTurn) -> Steps[None]:
    """Ask all captains with a zone at once, and reveal what is there. VM-N26"""
    state = turn.state
    asked = [key for key in turn.in_play if state.captains[key].zone is not None]
    sheets = yield from turn.ask_all_steps([set_up_ask(state, key) for key in asked])
    turn.moment_ends()
    for key, sheet in zip(asked, sheets, strict=True):
        _carry_out(state, key, sheet)
    state.revealed = True
    turn.set_time(1, 1, "Turn 1, before impulse 1")
    if asked:
        names = " and ".join(turn.name_of(key) for key in asked)
        turn.tell_all(f"The set-up of {names} is revealed.", kind="set-up", why=because(RULE))


def set_up_ask(state: VectorState, side: Side) -> Ask[SetUpSheet]:
    """A captain's set-up; who is silent begins where the scenario says. VM-N26"""
    captain = state.captains[side]
    return Ask(
        kind="set-up",
        parties=(side,),
        title="Set-up",
        text=(
            f"Place {_say_who(captain)} {_say_zone(captain)}. All captains do so at once; nobody sees yours before all "
            "are in."
        ),
        question=Question(
            "Set-up",
            f"Hex, facing and vector of each ship, {_say_zone(captain)}.",
            whole=True,
            plain=True,
            others="begin where they stand",
            noun="ship",
            lines=tuple(one.id for one in state.fleet(side)),
        ),
        model=SetUpSheet,
        form=lambda: _form(state, captain),
        rule=RULE,
        default=SetUpSheet({}),
        default_says="The ships begin where the scenario has them.",
        check=lambda sheet: list(_judge(state, captain, sheet)),
        read_back=lambda sheet: [_say(one, sheet.of(one.id)) for one in state.fleet(side)],
    )


def _say_who(captain: VectorCaptain) -> str:
    """Whom a zone is for: all ships together, or each by itself where it has no middle of its own."""
    return "your ships" if captain.zone is None or captain.zone.at else "each of your ships"


def _say_zone(captain: VectorCaptain, ship: VectorShip | None = None) -> str:
    zone = captain.zone
    if zone is None:
        return "as they are"
    centre = zone.at or ("where it stands now" if ship is None else ship.at)
    return f"within {counted(zone.within, 'hex')} of {centre}, at speed {zone.speed} or less"


def _form(state: VectorState, captain: VectorCaptain) -> Form:
    return Form(lines=tuple(_line(state, captain, one) for one in state.fleet(captain.id)))


def _line(state: VectorState, captain: VectorCaptain, ship: VectorShip) -> Line:
    places = _legal_hexes(state, captain, ship)
    at = (
        Field("at", "Hex", "one", choices=tuple(Choice(one, one) for one in places), value=ship.at)
        if len(places) <= MOST_CHOICES
        else text_field("at", "Hex", LONGEST_HEX, ship.at, "column and row, as 0412")
    )
    return Line(
        key=ship.id,
        label=ship.name,
        note=f"{ship.id}, {_say_zone(captain, ship)}",
        fields=(
            at,
            Field("facing", "Facing", "one", choices=tuple(Choice(one, one) for one in WAYS), value=ship.facing),
            text_field("vector", "Vector", LONGEST_VECTOR, ship.vector.says, "as 12C or 6A+6B; 0 at rest"),
        ),
    )


def _legal_hexes(state: VectorState, captain: VectorCaptain, ship: VectorShip) -> list[HexId]:
    """The hexes of a captain's zone in which a ship can be, by number."""
    zone = captain.zone
    if zone is None:
        return []
    around = ring_by_ring(lattice_of(zone.at or ship.at), 0, zone.within)
    return sorted({hex_at(one) for one in around} - _planets(state))


def _planets(state: VectorState) -> set[HexId]:
    return {place for one in state.battle.terrain if one.kind == "planet" for place in one.hexes}


def _judge(state: VectorState, captain: VectorCaptain, sheet: SetUpSheet) -> Iterator[Refusal]:
    """Everything that is wrong with a set-up."""
    own = [one.id for one in state.fleet(captain.id)]
    for key, line in sheet.root.items():
        if key not in own:
            yield malformed(f"{key} is no ship of yours", key, legal=", ".join(own))
            continue
        yield from _judge_hex(state, captain, line, state.battle.units[key])
        yield from _judge_vector(captain, line, key)


def _judge_hex(state: VectorState, captain: VectorCaptain, line: SetUpLine, ship: VectorShip) -> Iterator[Refusal]:
    zone, path = captain.zone, f"{ship.id}.at"
    if line.at is None or zone is None:
        return
    centre = zone.at or ship.at
    legal = f"{counted(zone.within, 'hex')} or fewer from {centre}, in no planet"
    try:
        place = hex_at(lattice_of(line.at))
    except NoHex as error:
        yield malformed(str(error), path, legal=legal)
        return
    if (far := hexes_between(place, centre)) > zone.within:
        near = min(_legal_hexes(state, captain, ship), key=lambda one: (hexes_between(one, place), one))
        yield illegal(f"{place} is {counted(far, 'hex')} from {centre}", RULE, path, legal=legal, nearest=(near,))
    elif place in _planets(state):
        yield illegal(f"{place} is in a planet", RULE, path, legal=legal)


def _judge_vector(captain: VectorCaptain, line: SetUpLine, key: str) -> Iterator[Refusal]:
    zone = captain.zone
    if line.vector is None or zone is None:
        return
    legal = f"speed {zone.speed} or less"
    try:
        vector = Vector(says=line.vector)
    except ValueError:
        text = f"{line.vector!r} is no vector"
        yield malformed(text, f"{key}.vector", legal=f"hexes and direction, as 12C or 6A+6B, or 0; {legal}")
        return
    if vector.speed > zone.speed:
        yield illegal(f"{vector.says} is speed {vector.speed}", RULE, f"{key}.vector", legal=legal)


def _say(ship: VectorShip, line: SetUpLine) -> str:
    at, facing, vector = _placed(ship, line)
    motion = f"moving {vector.says}, speed {vector.speed}" if vector.speed else "at rest"
    begins = f"arrives on turn {ship.waits_for}" if ship.waits_for else "begins"
    return f"{ship.id} {ship.name} {begins} in {at}, facing {facing}, {motion}."


def _placed(ship: VectorShip, line: SetUpLine) -> tuple[str, Way, Vector]:
    """Where a ship begins by a line that is legal."""
    at = ship.at if line.at is None else hex_at(lattice_of(line.at))
    return at, line.facing or ship.facing, ship.vector if line.vector is None else Vector(says=line.vector)


def _carry_out(state: VectorState, side: Side, sheet: SetUpSheet) -> None:
    for ship in state.fleet(side):
        ship.at, ship.facing, ship.vector = _placed(ship, sheet.of(ship.id))
        ship.trail = [ship.at]
        for carried in state.battle.units.values():
            if carried.aboard == ship.id:
                carried.at, carried.trail = ship.at, [ship.at]
