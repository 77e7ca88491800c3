"""Chapter V8.50: one cloak: how it is ordered, turned up, hidden again, and ended. Nothing else changes it. BP-R61"""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.border_patrol.records.orders import Cloak as CloakWord
from rules_engine.rulebooks.border_patrol.records.standing import Cloak, Shown
from rules_engine.rulebooks.border_patrol.records.units import Unit


@rule("V8.51")
def order_cloak(unit: Unit, word: CloakWord) -> None:
    """Order a unit's cloak for a turn, at its beginning. One that it wears already goes on, turned up or not. V8.51,
    BP-R61"""
    if word == "no":
        unit.cloak = None
    elif unit.cloak is not None and unit.cloak.worn:
        unit.cloak = unit.cloak.with_values(order=word)
    else:
        unit.cloak = Cloak(order=word)


@rule("V8.51", "V8.63")
def end_cloak(unit: Unit) -> None:
    """End a cloak in mid-turn: the unit stands in the open, and its cost counts until the turn ends. V8.51, V8.63"""
    if unit.cloak is not None:
        unit.cloak = unit.cloak.with_values(worn=False, shown="")


def forget_ended_cloak(unit: Unit) -> None:
    """Forget, as the turn ends, a cloak that ended in it."""
    if unit.cloak is not None and not unit.cloak.worn:
        unit.cloak = None


@rule("T8.730")
def turn_up(units: Iterable[Unit], why: Shown) -> None:
    """Turn up those of some units that are under cloak; why some were before stays. T8.730, BP-R61"""
    for unit in units:
        if unit.cloak is not None and unit.cloak.worn and not unit.cloak.shown:
            unit.cloak = unit.cloak.with_values(shown=why)


@rule("V8.73")
def hide_again(units: Iterable[Unit]) -> None:
    """Hide cloaked units again that were turned up. V8.73"""
    for unit in units:
        if unit.cloak is not None:
            unit.cloak = unit.cloak.with_values(shown="")


@rule("V8.58")
def cloak_order(units: Sequence[Unit]) -> CloakWord:
    """How a stack is under cloak: as its units are, if all of them are. V8.58"""
    worn = [unit.cloak for unit in units if unit.cloak is not None and unit.cloak.worn]
    return worn[0].order if worn and len(worn) == len(units) else "no"


def turned_up(units: Iterable[Unit]) -> Shown:
    """Why some of a stack's cloaked units stand open on the map; empty if none does."""
    for unit in units:
        if unit.cloak is not None and unit.cloak.shown:
            return unit.cloak.shown
    return ""
