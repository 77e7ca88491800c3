"""What stands in the hexes of a map: planets, borders, terrain. All of it is public but what planets make."""

from collections.abc import Mapping

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import HexNote
from rules_engine.rulebooks.cutler.ch04_economics.income import income_of
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState, Planet

SPIED = "spy report"
"""The mark of a hex in which a mission found something; its age stands behind it."""


@rule("1.1.2.3", "1.1.2.5.2", "4.1.4")
def hex_notes(state: CutlerState, reader: Side | None = None, *, everything: bool = False) -> list[HexNote]:
    """Planets, borders and terrain, all public; beside the names of the ``reader``'s own planets, or of all if
    ``everything`` is shown, what they will make in the next turn. 1.1.2.3, 1.1.2.5.2, 4.1.4"""
    planets = {planet.hex: planet for planet in state.planets.values()}
    labels = {} if state.setup is None else state.setup.labels()
    notes: list[HexNote] = []
    for hex_id in sorted({*planets, *state.territory, *state.terrain, *state.unsurveyed, *labels}):
        planet = planets.get(hex_id)
        told = planet is not None and (everything or planet.owner == reader)
        marks = ("planet", planet.kind, *_system_marks(state.systems.get(hex_id))) if planet else ()
        marks += _moon_marks(state, planet) if planet else ()
        notes.append(
            HexNote(
                hex=hex_id,
                terrain=state.terrain.get(hex_id, "space"),
                marks=(*marks, "unsurveyed") if hex_id in state.unsurveyed else marks,
                owner=planet.owner if planet else state.territory.get(hex_id, ""),
                name=planet.name if planet else labels.get(hex_id, ""),
                invented=state.invented and planet is not None,
                figure=f"+{income_of(planet, state.turn + 1)}" if planet and told else "",
                territory=state.territory.get(hex_id, ""),
            )
        )
    return notes


def with_findings(notes: list[HexNote], spied: Mapping[HexId, int]) -> list[HexNote]:
    """The same with a mark where missions of the reader's found something of late, and how many turns ago."""
    there = {note.hex: note for note in notes}
    marks = {hex_id: SPIED + (f" {counted(age, 'turn')} ago" if age else " this turn") for hex_id, age in spied.items()}
    for hex_id, mark in marks.items():
        note = there.get(hex_id, HexNote(hex=hex_id))
        there[hex_id] = note.with_values(marks=(*note.marks, mark))
    return [there[hex_id] for hex_id in sorted(there)]


@rule("1.1.2.4")
def _system_marks(system: StarSystem | None) -> tuple[str, ...]:
    """What else is in a planet's hex; all of it is public. 1.1.2.4, CU-R05"""
    if system is None:
        return ()
    giant = ("gas giant with rings" if system.rings else "gas giant",) if system.gas_giant else ()
    moons = len(system.moons) + len(system.giant_moons)
    counted_moons = (f"{moons} moon{'s' if moons > 1 else ''}",) if moons else ()
    return (*giant, *counted_moons, *(("asteroid field",) if system.asteroid_field else ()))


@rule("1.1.2.3")
def _moon_marks(state: CutlerState, planet: Planet) -> tuple[str, ...]:
    """Moons that others hold than their planet's holder, which is public. 1.1.2.3, CU-N110"""
    apart = [moon.owner for moon in state.moons.values() if moon.hex == planet.hex and moon.owner != planet.owner]
    return tuple(
        f"{counted(apart.count(race), 'moon')} of the {state.name_of(race)}" for race in state.races() if race in apart
    )
