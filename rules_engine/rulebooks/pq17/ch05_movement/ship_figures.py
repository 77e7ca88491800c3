"""What only its players' record sheets tell of a ship: its warp practical speed, and what it can power.

Owners enter it on the planning sheet, both sides on a battle's result form. Rulings SPD-2, PST-5, BAS-6, CMB-17.
"""

from collections.abc import Iterator, Mapping

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, number_field
from rules_engine.rulebooks.pq17.ch01_forces.sensors import settle_base_sensors
from rules_engine.rulebooks.pq17.ch05_movement.speeds import practical_speed, speed_by_boxes
from rules_engine.rulebooks.pq17.orders.order_sheets import ShipFigures
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.ship_classes import FASTEST, PowerWord

RULES: dict[PowerWord, str] = {"fire control": "PQ-17 5.2.3.3", "special sensors": "PQ-17 6.3.4.2"}
_CHOICES = {word: Choice(value=word, label=word.capitalize()) for word in RULES}


def figure_values(state: State, unit: Unit) -> dict[str, Json]:
    """A ship's or a base's own figures that are in force, by the fields for them; a load has none."""
    most = speed_by_boxes(state, unit)
    speed = most if unit.practical_speed is None else practical_speed(state, unit)
    found: dict[str, Json] = {"practical_speed": speed} if most else {}
    if state.class_of(unit).powered_things:
        found["unpowered"] = [str(word) for word in unpowered_of(unit)]
    return found


def figure_fields(state: State, unit: Unit, values: Mapping[str, Json] | None = None) -> list[Field]:
    """The fields for a ship's or a base's own figures, filled in with ``values``, or else with those in force."""
    fields: list[Field] = []
    values = figure_values(state, unit) if values is None else values
    if "practical_speed" in values:
        fields.append(
            number_field(
                "practical_speed",
                "Warp practical speed",
                range(FASTEST + 1),
                values["practical_speed"],
                f"At most {speed_by_boxes(state, unit)}, by its warp boxes; lower if they power something else",
                optional=True,
            )
        )
    if "unpowered" in values:
        label = "Cannot be powered"
        choices = tuple(map(_CHOICES.__getitem__, state.class_of(unit).powered_things))
        fields.append(
            Field(key="unpowered", label=label, kind="many", choices=choices, value=values["unpowered"], optional=True)
        )
    return fields


@rule("5.2.3.3", "6.3.4.2")
def unpowered_of(unit: Unit) -> tuple[PowerWord, ...]:
    """What a unit cannot power. PQ-17 5.2.3.3, 6.3.4.2; rulings PST-5, BAS-6."""
    if unit.can_power_fire_control:
        return () if unit.can_power_sensors else ("special sensors",)
    return ("fire control",) if unit.can_power_sensors else ("fire control", "special sensors")


@rule("5.1.5", "5.2.3.3", "6.3.4.2")
def figure_refusals(state: State, unit: Unit, line: ShipFigures, path: str) -> list[Refusal]:
    """What is illegal about figures entered for a unit: a speed above what its warp boxes give, or things that it does
    not have. PQ-17 5.1.5, 5.2.3.3, 6.3.4.2; rulings SPD-2, PQ-183."""
    found: list[Refusal] = []
    most = speed_by_boxes(state, unit)
    if line.practical_speed is not None and line.practical_speed > most:
        problem = f"{unit.name}'s warp boxes give a practical speed of {most}"
        legal = f"0 to {most}"
        found.append(illegal(problem, "PQ-17 5.1.5", f"{path}.practical_speed", legal=legal, nearest=(str(most),)))
    has = state.class_of(unit).powered_things
    for word in line.unpowered or ():
        if word not in has:
            problem = f"{unit.name} has no {word}"
            found.append(illegal(problem, RULES[word], f"{path}.unpowered", legal=", ".join(has) or "nothing"))
    return found


def give_figures(state: State, unit: Unit, line: ShipFigures, before: int) -> None:
    """Put entered figures into force. ``before``: the practical speed that the form showed, which changes nothing. What
    its warp boxes give is in force again once that is entered. Rulings SPD-2, PST-5, BAS-6, CMB-17."""
    entered = line.practical_speed
    if entered is not None and entered != before:
        unit.practical_speed = entered if entered < speed_by_boxes(state, unit) else None
    if line.unpowered is not None:
        unit.can_power_fire_control = "fire control" not in line.unpowered
        unit.can_power_sensors = "special sensors" not in line.unpowered
    tf = state.tf_of(unit.id)
    if tf is not None and tf.is_base:
        settle_base_sensors(state, tf)


def is_changed(state: State, unit: Unit, line: ShipFigures) -> bool:
    """Whether a line would change a unit's figures."""
    speed, unpowered = line.practical_speed, line.unpowered
    slower = speed is not None and speed != practical_speed(state, unit)
    return slower or (unpowered is not None and set(unpowered) != set(unpowered_of(unit)))


def say_figures(state: State, unit: Unit, line: ShipFigures) -> Iterator[str]:
    """What a line changes of a unit's figures, in words."""
    if line.practical_speed is not None and line.practical_speed != practical_speed(state, unit):
        yield f"practical speed {line.practical_speed}"
    if line.unpowered is None or set(line.unpowered) == set(unpowered_of(unit)):
        return
    for word in state.class_of(unit).powered_things:
        if (word in line.unpowered) != (word in unpowered_of(unit)):
            yield f"{word} {'cannot' if word in line.unpowered else 'can'} be powered"
