"""A battle as one side knows it: what judging its plots may go by."""

from rules_engine.core.basics.base import Side
from rules_engine.rulebooks.vector.records.ships import FlightFigures, VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical, TractorLink


def known_to(battle: Tactical, side: Side) -> Tactical:
    """A copy of a battle with what a side knows: its own units, and of others those that are there, with what shows:
    hex, facing, vector, and what they are. VM-R38"""
    units = {
        one.id: one.copied() if one.side == side else _shown(one)
        for one in battle.units.values()
        if one.side == side or battle.is_present(one)
    }
    tractors = [_tractor(battle, side, link) for link in battle.tractors]
    return battle.changed(units=units, tractors=tractors, tows=[tow.copied() for tow in battle.tows])


def _shown(unit: VectorShip) -> VectorShip:
    figures = FlightFigures(
        size_class=unit.figures.size_class, form=unit.figures.form, move_cost=unit.figures.move_cost
    )
    return VectorShip(
        id=unit.id,
        side=unit.side,
        name=unit.name,
        figures=figures,
        at=unit.at,
        facing=unit.facing,
        vector=unit.vector,
        moved=dict(unit.moved),
        last_way=unit.last_way,
        count_from=unit.count_from,
        slip_ready=unit.slip_ready,
        tumbling=unit.tumbling,
        weasel=unit.weasel,
        trail=list(unit.trail),
    )


def _tractor(battle: Tactical, side: Side, link: TractorLink) -> TractorLink:
    """A tractor as a side knows it: with the power of its own unit alone."""
    own = {unit: power for unit, power in link.power.items() if battle.units[unit].side == side}
    return link.changed(power=own)
