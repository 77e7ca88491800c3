"""What a race's commander should know before the first order: aim, length, own forces, and what letters stand for."""

from collections.abc import Iterator

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.briefing import Briefing, class_terms, forces_at_a_glance
from rules_engine.rulebooks.cutler.ch04_economics.income import cpv_rate
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.records.tables import IMPULSES

TO_KNOW = (
    "Orders are secret and carried out at once, impulse by impulse: a sheet a turn says where fleets go, what is built "
    "and whom spies look for.",
    "On the map you see others' counters and not what is in them, and no cloaked ship, convoy or docked ship at all: "
    "scans, spies and battles tell more.",
    "CPV lie where they are made. A planet loads what is in its hex, and what is neither used nor stored in cargo or "
    "repair boxes is lost.",
)
TERMS = (
    ("CPV", "campaign point value, which is money"),
    ("CU", "campaign unit, what a counter stands for"),
    ("F1", "fleet 1"),
)


def briefing(state: CutlerState, side: Side) -> Briefing:
    """What a commander of that race should know. 12.0, 1.1.2.3, 4.1.4, CU-R125"""
    tie = "; of several that make as much, whose fleet is worth most" if state.tie_break == "fleet_value" else ""
    begun = state.setup is None
    now = f" You make {cpv_rate(state, side)} a turn now." if begun else ""
    return Briefing(
        objective=f"Have the planets that make the most CPV when turn {state.turns} is over.",
        victory=(
            f"After turn {state.turns} the race with the highest CPV rate wins{tie}.{now}",
            "It ends before if one race alone is left in play.",
        ),
        length=f"{counted(state.turns, 'turn')} of {IMPULSES} impulses",
        forces=tuple(_forces(state, side)) if begun else ("Your planets and forces are chosen in the set-up.",),
        to_know=TO_KNOW,
        terms=(*TERMS, *class_terms((unit.record.class_id, unit.record.name) for unit in state.alive(side))),
    )


def _forces(state: CutlerState, side: Side) -> Iterator[str]:
    """A race's planets, bases and fleets."""
    planets = [f"{planet.name} {planet.hex}" for planet in state.planets.values() if planet.owner == side]
    bases = [f"{unit.name} {unit.hex}" for unit in state.alive(side) if unit.is_station]
    if planets:
        yield f"Planets: {', '.join(planets)}"
    if bases:
        yield f"Bases: {', '.join(bases)}"
    fleets = [(fleet.key, state.members(fleet)) for fleet in state.fleets_of(side)]
    named = [f"{key}: {counted(len(units), 'ship')} in {units[0].hex}" for key, units in fleets if units]
    yield from forces_at_a_glance(named, "fleet")
