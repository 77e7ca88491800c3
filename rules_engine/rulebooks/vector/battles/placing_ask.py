"""Asking a side to place its units of a step, in secret. VM-N62"""

from collections.abc import Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.forms.forms import Absence, Choice, Field, Form, Line, number_field, text_field
from rules_engine.core.grids.space import WAYS
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.protocol.question import Question
from rules_engine.core.tactics.battles import TacticalShip
from rules_engine.core.tactics.judging import conditions_for
from rules_engine.rulebooks.vector.battles.placing import (
    LONGEST_HEX,
    PlacedUnit,
    PlacingLine,
    PlacingSheet,
    UnitPlacing,
)
from rules_engine.rulebooks.vector.tracked.figures import invented_in

AT_ONCE = "Others do so at once where they have units to place; nobody sees yours before all are in."
FACES = Choice("", "to the nearest enemy")


def placing_ask(placing: UnitPlacing, side: Side) -> Ask[PlacingSheet]:
    """A side's sheet for its units of a step; who is silent begins legally, where the sheet has them."""
    default = PlacingSheet({key: PlacingLine(at=at) for key, at in placing.begins.items()})
    says = f"{placing.step.says.rstrip('.')}."
    conditions = _conditions_said(placing)
    arrivals = [f"{one.code} {one.name} {_comes(one)}." for one in placing.later]
    return Ask(
        kind="set-up",
        parties=(side,),
        title="Set-up",
        text="\n".join([f"{says} {AT_ONCE}", *conditions, *arrivals, *say_invented(placing.ships)]),
        question=Question(
            "Set-up",
            " ".join([says, *_few(conditions), *_few(arrivals)]),
            others="begin where the sheet has them",
            noun="unit",
            lines=placing.codes,
        ),
        model=PlacingSheet,
        form=Form(
            lines=tuple(_line(placing, one) for one in placing.ships),
            why_absent=lambda: [
                Absence(one.code, f"{one.code} {one.name}", f"{one.code} {_comes(one)}", "VM-N63")
                for one in placing.later
            ],
        ),
        rule=placing.step.rule,
        pace="tactical",
        default=default,
        default_says="The units begin where the sheet has them.",
        check=placing.refusals,
        read_back=lambda sheet: [say_placed(one) for one in placing.units(sheet)],
    )


FEW = 3
"""Conditions, or units that come later, that a card has room for; its text and the battle's sheet have them all."""


def _few(said: Sequence[str]) -> Sequence[str]:
    return said if len(said) <= FEW else [*said[: FEW - 1], f"And {len(said) - FEW + 1} more: **All orders** has them."]


def _conditions_said(placing: UnitPlacing) -> list[str]:
    """What the side's units must meet, each condition once. VM-N62"""
    said = (one.says.rstrip(".") for one in conditions_for(placing.step, placing.codes))
    return [f"{one}." for one in dict.fromkeys(said)]


def _comes(ship: TacticalShip) -> str:
    """When a unit is set up that is not in this step, for its own side. VM-N63"""
    return f"arrives on turn {ship.arrives}" if ship.arrives else "is set up in a later step"


def say_invented(ships: tuple[TacticalShip, ...]) -> list[str]:
    """Which figures of these units are invented, for their own side."""
    found = {one.code: names for one in ships if (names := invented_in(one.flight))}
    return [f"Invented figures of {code}: {', '.join(names)}." for code, names in found.items()]


def _line(placing: UnitPlacing, ship: TacticalShip) -> Line:
    unsaid = _unsaid_facing(placing)
    fields = [
        text_field("at", "Hex", LONGEST_HEX, placing.begins[ship.code], "column and row, as 0412"),
        Field("facing", "Facing", "one", tuple(Choice(one, one) for one in WAYS), optional=True, help=unsaid),
    ]
    if ship.least_speed < ship.most_speed:
        speeds = range(ship.least_speed, ship.most_speed + 1)
        fields.append(number_field("speed", "Speed", speeds, ship.least_speed, "hexes a turn", optional=True))
    if ship.most_speed:
        fields.append(Field("astern", "Moves astern", "flag", optional=True))
    return Line(key=ship.code, label=f"{ship.code} {ship.name}", note=_note(ship), fields=tuple(fields))


def _unsaid_facing(placing: UnitPlacing) -> str:
    step = placing.step
    return f"blank: towards {step.faces}" if step.faces else f"blank: {FACES.label}" if step.faces_enemy else "blank: A"


def _note(ship: TacticalShip) -> str:
    least, most = ship.least_speed, ship.most_speed
    speed = f"speed {least}" if least == most else f"speed {least} to {most}"
    kind = f"{ship.kind}, " if ship.kind else ""
    return f"{kind}{'stays where it is' if ship.flight.stays else speed}"


def say_placed(one: PlacedUnit) -> str:
    """A unit as it is placed."""
    facing = "turned to the nearest enemy" if one.facing is None else f"faces {one.facing}"
    motion = f"speed {abs(one.speed)} {'ahead' if one.speed > 0 else 'astern'}" if one.speed else "at rest"
    return f"{one.ship.code} {one.ship.name} in {one.at}, {facing}, {motion}."
