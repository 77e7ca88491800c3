"""What a captain may look up: ships and ranges as tables, and the briefing."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.grids.space import ways_towards
from rules_engine.core.knowledge.briefing import Briefing, class_terms, forces_at_a_glance
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.tactical_scene import TacticalUnit
from rules_engine.rulebooks.vector.records.aims import Aim
from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.shown.boards import scene_of
from rules_engine.rulebooks.vector.shown.units import say_energy, say_unit, seen_units


def ships_table(state: VectorState, side: Side) -> SideTable:
    """All units that a captain sees: where they are, how they move, where they coast to, how long they wait."""
    scene = scene_of(state, seen_units(state, side), side)
    energy = {one.id: say_energy(one) for one in seen_units(state, side) if one.side == side}
    rows = tuple(
        (
            one.code,
            one.name,
            one.hex,
            one.facing,
            one.vector,
            str(one.speed),
            one.drifts[-1].hex,
            _say_wait(one.turns_on),
            _say_wait(one.thrusts_on),
            energy.get(one.code, ""),
            ", ".join(one.remarks),
        )
        for one in scene.units
    )
    columns = (
        "Ship", "Name", "Hex", "Facing", "Vector", "Speed", "End if it coasts", "Turns on", "Accelerates on",
        "Energy left", "Remarks",
    )  # fmt: skip
    note = "Impulses beyond 32 are of the next turn. Of others, what anybody can work out."
    return SideTable(key="ships", title="Ships", columns=columns, rows=rows, note=note)


def _say_wait(impulse: int | None) -> str:
    return "at once" if impulse == 0 else "" if impulse is None else str(impulse)


def ranges_table(state: VectorState, side: Side) -> SideTable:
    """Ranges and bearings from a captain's units to all others."""
    scene = scene_of(state, seen_units(state, side), side)
    whose = {one.code: one for one in scene.units}
    rows: list[tuple[str, ...]] = []
    for pair in scene.pairs:
        one, other = whose[pair.one], whose[pair.other]
        if side in (one.side, other.side):
            own, far = (one, other) if one.side == side else (other, one)
            rows.append((own.code, far.code, str(pair.hexes), _bearing(own, far)))
    columns = ("Ship", "To", "Hexes", "Bearing")
    note = "The bearing is the direction in which most of the way lies, then the other."
    return SideTable(key="ranges", title="Ranges", columns=columns, rows=tuple(rows), note=note)


def _bearing(own: TacticalUnit, far: TacticalUnit) -> str:
    return "+".join(ways_towards(own.hex, far.hex)) or "here"


OBJECTIVES: dict[Aim, str] = {
    "courier": "Get away, before hunters match your course.",
    "hunter": "Catch a courier by matching its course.",
    "racer": "Pass the buoys in order, and be the first over the line.",
    "squadron": "Gather your squadron before the others gather theirs.",
}


def briefing(state: VectorState, side: Side) -> Briefing:
    """What a captain should know before the first order."""
    captain = state.captains[side]
    own = [say_unit(one) for one in seen_units(state, side) if one.side == side]
    pieces = state.battle.options.pieces
    asked = "once a turn" if pieces == 1 else f"{pieces} times a turn, for {32 // pieces} impulses each"
    return Briefing(
        objective=OBJECTIVES[captain.aim],
        victory=tuple(_victory(state, captain.aim)),
        length=counted(state.turns, "turn"),
        forces=forces_at_a_glance(own, "ship"),
        to_know=(
            "Your ships keep their vectors; a stop takes a turn about and as much thrust again.",
            f"You plot in secret, {asked}; what you do not say coasts.",
            "All see where ships are, how they face and move; nobody sees plots, energy or conditions.",
        ),
        terms=class_terms(()),
    )


def _away(state: VectorState) -> Iterable[str]:
    if state.edge is not None:
        side = "right of it" if state.edge.leads == "right" else "left of it"
        yield f"A courier is away at column {state.edge.column} or to the {side}"
    if state.buoys:
        yield f"A courier is away that has passed {counted(state.buoys, 'buoy')} in their order"


def _victory(state: VectorState, aim: Aim) -> Iterable[str]:
    rules = state.rules
    near = f"within {counted(rules.match_range, 'hex')}, vectors {rules.match_speed} apart or less"
    match aim:
        case "courier" | "hunter":
            caught = [f"A courier is caught that a hunter matches at the end of an impulse: {near}"]
            if rules.match_before:
                caught.append(f"Nobody is caught from turn {rules.match_before} on")
            # the first stands on the card, and is the reader's own
            yield from [*_away(state), *caught] if aim == "courier" else [*caught, *_away(state)]
            yield "Couriers win who save half their ships; else the hunters who caught most"
        case "racer":
            yield f"A buoy is passed within {counted(rules.pass_range, 'hex')}, in the order of the numbers"
            yield "The first over the line after the last buoy wins; at the last turn who passed most"
        case "squadron":
            yield f"A squadron has gathered when all its ships match one of them: {near}"
            yield "The first to gather wins"
