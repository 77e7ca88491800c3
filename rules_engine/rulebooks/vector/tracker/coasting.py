"""Where units come to if nobody does anything: for maps, tables, and what is foreseen."""

from collections.abc import Iterable

from rules_engine.core.basics.base import HexId
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.flying import begin_turn, fly_piece


def aside(battle: Tactical, units: Iterable[str]) -> Tactical:
    """A copy of a battle with these units alone, to try something on: the battle itself does not change."""
    kept = {one: battle.units[one].copied() for one in units}
    links = [link.copied() for link in battle.tractors if link.one in kept and link.other in kept]
    tows = [tow.copied() for tow in battle.tows if {tow.lead, *tow.followers} <= kept.keys()]
    return battle.changed(units=kept, tractors=links, tows=tows)


def with_partner(battle: Tactical, unit: str) -> list[str]:
    """A unit, and those that it is in a tractor or a tow with."""
    tow = battle.tow_of(unit)
    together = [unit] if tow is None else [one for one in (tow.lead, *tow.followers) if one in battle.units]
    links = filter(None, map(battle.link_of, together))
    return [*dict.fromkeys([*together, *(one for link in links for one in (link.one, link.other))])]


def drifts(battle: Tactical, ship: VectorShip) -> dict[int, HexId]:
    """The hexes in which a unit stands after the impulses of this turn that are still to come, if it coasts; of the
    next turn where this one is over or none has begun. By impulse. What is left of a path is flown, too: to show it to
    somebody, give the battle as that reader knows it. VM-R38"""
    copy = aside(battle, with_partner(battle, ship.id))
    if copy.impulse == IMPULSES or not copy.turn:
        begin_turn(copy)
    found: dict[int, HexId] = {}
    for impulse in range(copy.impulse + 1, IMPULSES + 1):
        fly_piece(copy, {}, impulse, None)
        found[impulse] = copy.units[ship.id].at
    return found
