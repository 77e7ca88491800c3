"""Units as a scenario's entries make them."""

from rules_engine.core.basics.base import Side
from rules_engine.rulebooks.jump_lanes.records.units import LaneUnitClass, Unit
from rules_engine.rulebooks.jump_lanes.scenario.entries import LaterUnitEntry, UnitEntry


def new_unit(entry: UnitEntry | LaterUnitEntry, kind: LaneUnitClass, empire: Side) -> Unit:
    """A unit of a class, in no place yet."""
    return Unit(
        id=entry.id,
        empire=empire,
        name=entry.name,
        class_id=kind.class_id,
        kind=kind.kind,
        siz=kind.siz,
        engines=kind.engines,
        ftl=kind.ftl,
        intergalactic=kind.intergalactic,
        mobility=kind.mobility,
        cargo=kind.cargo,
        towing=kind.towing,
        science=kind.science,
        basing=kind.basing,
        worth=kind.worth,
        crippled=isinstance(entry, UnitEntry) and entry.crippled,
        based_on=entry.based_on or "",
    )
