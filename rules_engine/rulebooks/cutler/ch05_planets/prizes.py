"""Chapter 5.1: captured ships that have come to a base are melted down for scrap. CU 1.1 step 1f"""

from collections.abc import Collection

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Line
from rules_engine.core.knowledge.reports import MapNote, because
from rules_engine.rulebooks.cutler.ch02_movement.fleets import tidy_fleets
from rules_engine.rulebooks.cutler.ch04_economics.repairs import cost_of, damage
from rules_engine.rulebooks.cutler.records.accessories.legends import disembark
from rules_engine.rulebooks.cutler.records.orders import SalvageLine
from rules_engine.rulebooks.cutler.records.planetary import SALVAGED_FROM
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit

SALVAGE = "salvage"
"""The line of prizes to be salvaged."""


@rule("5.1", "5.1.1")
def bases_for(state: CutlerState, prize: Unit) -> list[Unit]:
    """Its captor's bases in its hex that can build a ship of its size, and so salvage it. 5.1, 5.1.1, CU-R83"""
    return [
        unit
        for unit in state.units_in(prize.hex, prize.race)
        if unit.record.base_type in SALVAGED_FROM and prize.record.size_class >= SALVAGED_FROM[unit.record.base_type]
    ]


@rule("5.1")
def salvageable(state: CutlerState, race: Side) -> list[Unit]:
    """The prizes of a race that may be salvaged now. 5.1"""
    prizes = [unit for unit in state.alive(race) if unit.captured_from and unit.kind != "base"]
    return [unit for unit in prizes if bases_for(state, unit)]


@rule("5.1.1")
def scrap_value(state: CutlerState, unit: Unit) -> int:
    """Half of its original CPV less what full repair would cost, rounded down. 5.1.1, 4.3, CU-R95, CU-R88"""
    return max(0, unit.record.cpv - cost_of(damage(unit), state.repair_points)) // 2


def salvage_lines(state: CutlerState, race: Side) -> list[Line]:
    """The line of a turn's sheet on which prizes are named for scrap: none where there are no such prizes."""
    ready = salvageable(state, race)
    if not ready:
        return []
    ways = tuple(Choice(value=unit.id, label=f"{unit.title}: {scrap_value(state, unit)} CPV") for unit in ready)
    field = Field(key="ships", label="Melt down", kind="many", choices=ways, value=[], optional=True)
    note = "Prizes beside a base that could build them (5.1)"
    return [Line(key=SALVAGE, label="Prizes to salvage", fields=(field,), note=note)]


@rule("5.1", "4.2.1.1")
def judge_salvage(state: CutlerState, race: Side, line: SalvageLine, docked: Collection[str] = ()) -> list[Refusal]:
    """Refusals of ships that cannot be salvaged, as those that are ``docked`` for work. 5.1, 4.2.1.1, CU-N64"""
    ready = {unit.id: unit for unit in salvageable(state, race)}
    own = {unit.id: unit for unit in state.alive(race)}
    path = f"{SALVAGE}.ships"
    refusals: list[Refusal] = []
    for ship in line.ships:
        if ship not in own:
            refusals.append(malformed("you have no such ship", path, nearest=nearest(ship, own)))
        elif ship not in ready:
            what = "at a base that could build it" if own[ship].captured_from else "a prize"
            legal = ", ".join(ready) or "none"
            refusals.append(illegal(f"{own[ship].name} is not {what}", "5.1, CU-R83", path, legal=legal))
        elif ship in docked:
            text = f"{own[ship].name} lies in a docking bay that works on it"
            refusals.append(illegal(text, "4.2.1.1, 5.1, CU-N64", path, legal="give that work up first"))
    if len(set(line.ships)) < len(line.ships):
        refusals.append(malformed("a ship is named twice", path))
    return refusals


@rule("5.1", "5.1.1")
def salvage_prizes(turn: CutlerTurn, race: Side, line: SalvageLine) -> None:
    """Melt the named prizes down; what the boxes of the bases there cannot hold is lost. 5.1, 5.1.1, CU-R95, CU-N31"""
    state = turn.state
    for unit in (state.units[key] for key in sorted(line.ships)):
        made = left = scrap_value(state, unit)
        for base in bases_for(state, unit):
            loaded = min(left, base.cargo_boxes - base.cargo_cpv)
            base.cargo_cpv += loaded
            left -= loaded
        disembark(unit, state.units_in(unit.hex, race), state.accessories)
        unit.perish()
        text = f"{unit.title} is melted down in {unit.hex}: {made - left} CPV into cargo boxes"
        text += f", {left} lost for want of room" if left else ""
        noted = MapNote(topic="Treasury", text=f"Turn {state.turn}: {text}.")
        turn.tell([race], f"{text}.", kind="economy", why=because("5.1.1, CU-R95"), facts=[noted])
    if line.ships:
        tidy_fleets(state)


def say_salvage(state: CutlerState, line: SalvageLine) -> list[str]:
    """The line in plain words."""
    names = ", ".join(state.units[key].name for key in line.ships)
    return [f"Melted down: {names}."] if names else []
