"""Carrying reports out: engines and shields that were lost, tractors, weasels, and who is not there any more."""

from typing import Literal

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.vector.ch2_energy.allocating import most_impulse, most_warp
from rules_engine.rulebooks.vector.records.happenings import Happened
from rules_engine.rulebooks.vector.records.reports import UnitReport
from rules_engine.rulebooks.vector.records.ships import FlightFigures, VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.air import Dice
from rules_engine.rulebooks.vector.tracker.leaving import put_out
from rules_engine.rulebooks.vector.tracker.towing import catch, catch_objection, release
from rules_engine.rulebooks.vector.tracker.tows import leave_together, loosen_tows, note_left_in_tow

WITHOUT_SUBJECT = "out"
"""What a unit remembers of a weasel that has no counter of its own."""


def remaining(figures: FlightFigures, report: UnitReport) -> int:
    """How much is left of what a report says was lost."""
    match report.system:
        case "shield":
            return figures.shields[report.number - 1]
        case "impulse":
            return figures.impulse
        case "power":
            return figures.total_power
        case "reserve":
            return figures.reserve
        case _:
            return figures.warp


@rule("CJD1.21", "CJD1.22")
def carry_out_loss(battle: Tactical, report: UnitReport) -> None:
    """Take what a unit has lost from its figures, and with engines the points of movement that they cannot give any
    more. Total power goes with the engines that make it. CJD1.21, CJD1.22, VM-N42"""
    ship = battle.units[report.unit]
    before, left = ship.figures, max(0, remaining(ship.figures, report) - report.amount)
    power = max(0, before.total_power - report.amount)
    match report.system:
        case "shield":
            shields = [left if number == report.number else one for number, one in enumerate(before.shields, 1)]
            ship.figures = before.with_values(shields=tuple(shields))
        case "impulse":
            ship.figures = before.with_values(impulse=left, total_power=power)
        case "power":
            ship.figures = before.with_values(total_power=left)
        case "reserve":
            ship.figures = before.with_values(reserve=left)
            ship.reserve_left = min(ship.reserve_left, left)
        case _:
            ship.figures = before.with_values(warp=left, total_power=power)
    gave, gives = (most_warp(figures, strained=ship.strained) for figures in (before, ship.figures))
    ship.warp_left = max(0, ship.warp_left - gave + gives)
    ship.impulse_left = max(0, ship.impulse_left - most_impulse(before) + most_impulse(ship.figures))


def carry_out(battle: Tactical, report: UnitReport, dice: Dice) -> list[Happened] | None:
    """Carry a report out that others have confirmed, as far as it can still be so; None where it cannot."""
    ship = battle.units[report.unit]
    if not battle.is_present(ship):
        return None
    match report.what:
        case "lost":
            carry_out_loss(battle, report)
        case "destroyed" | "disengaged" | "left the map" as fate:
            return _leave(battle, ship, fate)
        case "tractor":
            power = {ship.id: report.power, report.other: report.resistance}
            free = catch_objection(battle, ship.id, report.other) is None
            return catch(battle, ship.id, report.other, power, dice) if free else None
        case "released":
            return release(battle, ship.id, report.other) or None
        case "weasel launched":
            ship.weasel = ship.weasel or WITHOUT_SUBJECT
        case "weasel voided":
            ship.weasel = ""
    return []


@rule("CJD1.55")
def _leave(
    battle: Tactical, ship: VectorShip, fate: Literal["destroyed", "disengaged", "left the map"]
) -> list[Happened]:
    """Take a unit out of the battle with all that it carries; a tractor that it was in ends. What it has in tow leaves
    with it, unless it is destroyed. CJD1.55, VM-N41, VM-N68"""
    leaving = [ship.id, *(leave_together(battle, ship.id) if fate != "destroyed" else ())]
    happened = [one for code in leaving if battle.link_of(code) is not None for one in release(battle, code)]
    if fate != "destroyed":
        note_left_in_tow(battle, leaving)
    put_out(battle, leaving, fate)
    return [*happened, *loosen_tows(battle)]
