"""Chapter 2.7 on its owner's board: convoys under way and freighters that wait. Nobody else's board has any of it."""

from collections.abc import Callable

from rules_engine.core.basics.base import Side
from rules_engine.core.knowledge.views import Counter, Course, Panel
from rules_engine.rulebooks.cutler.ch02_movement.convoys.under_way import convoys_of, members, waiting
from rules_engine.rulebooks.cutler.ch02_movement.movement import top_speed
from rules_engine.rulebooks.cutler.ch02_movement.stages import stages_of_course
from rules_engine.rulebooks.cutler.records.conditions.strength import whole_of
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy
from rules_engine.rulebooks.cutler.records.state import CutlerState, Unit

Words = Callable[[Unit], str]


def _shown(state: CutlerState, side: Side) -> list[PlottedConvoy]:
    """Those with units left: while hexes are fought over, those that were lost are not dropped yet."""
    return [convoy for convoy in convoys_of(state, side) if members(state, convoy)]


def convoy_counters(state: CutlerState, side: Side, words: Words) -> list[Counter]:
    """Its convoys and the freighters that wait, a counter for each convoy and each hex of waiting ones. A new police
    ship has its own."""
    counters = [
        Counter(
            id=convoy.key,
            hex=units[0].hex,
            owner=side,
            form="convoy",
            label=convoy.key,
            sub=f"speed {min(map(top_speed, units))}",
            details=tuple(map(words, units)),
            ships=len(units),
            whole=whole_of(units),
        )
        for convoy in _shown(state, side)
        if convoy.kind != "police"
        for units in [members(state, convoy)]
    ]
    return counters + [
        Counter(
            id=f"E{here}",
            hex=here,
            owner=side,
            form="freighters",
            label="Freighters",
            sub=f"{len(units)} waiting",
            details=tuple(map(words, units)),
            ships=len(units),
            whole=whole_of(units),
        )
        for here, units in waiting(state, side).items()
    ]


def convoy_courses(state: CutlerState, side: Side) -> list[Course]:
    """What its convoys have yet to sail."""
    return [
        Course(
            counter=convoy.key if convoy.kind != "police" else f"own/{units[0].id}",
            kind="plotted",
            hexes=(units[0].hex, *way),
            stages=stages_of_course(state, units[0], min(map(top_speed, units)), len(way)),
        )
        for convoy in _shown(state, side)
        for units in [members(state, convoy)]
        for forced in [units[0].retreat_hex]
        for way in [[*([forced] if forced else []), *convoy.course]]
        if way
    ]


def convoy_panel(state: CutlerState, side: Side, words: Words, title: str = "Convoys") -> list[Panel]:
    """The panel of its convoys and waiting freighters, if it has any."""
    rows = [
        f"{convoy.key} at {units[0].hex}{_bound(convoy, units)}: {'; '.join(map(words, units))}"
        for convoy in _shown(state, side)
        for units in [members(state, convoy)]
    ]
    rows += [f"Waiting in {here}: {'; '.join(map(words, units))}" for here, units in waiting(state, side).items()]
    return [Panel(title=title, rows=tuple(rows))] if rows else []


def _bound(convoy: PlottedConvoy, units: list[Unit]) -> str:
    forced = f", must leave to {units[0].retreat_hex}" if units[0].retreat_hex else ""
    return f"{forced}, under way {' '.join(convoy.course)}" if convoy.course else forced


def convoy_keys(state: CutlerState, side: Side) -> dict[str, str]:
    """The line of each freighter and Q-ship, by unit."""
    found = {unit.id: f"E{here}" for here, units in waiting(state, side).items() for unit in units}
    return found | {key: convoy.key for convoy in _shown(state, side) for key in convoy.units}
