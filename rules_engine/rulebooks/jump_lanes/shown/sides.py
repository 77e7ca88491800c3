"""What an empire may look up: its units and its map as tables, and its briefing."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.briefing import Briefing, forces_at_a_glance
from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.rulebooks.jump_lanes.charts import known_places, unexplored_at
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, names_of
from rules_engine.rulebooks.jump_lanes.records.units import Squadron, Unit
from rules_engine.rulebooks.jump_lanes.shown.maps import side_map
from rules_engine.rulebooks.jump_lanes.shown.units import say_transit


def units_table(state: LanesState, empire: Side) -> SideTable:
    """An empire's units: those of squadrons, their cargo, and those that stand by themselves."""
    rows: list[tuple[str, ...]] = []
    for squadron in state.squadrons_of(empire):
        rows += [_row(unit, squadron.id, _where(state, squadron), "") for unit in state.members(squadron.id)]
        rows += [_row(unit, squadron.id, _where(state, squadron), "cargo") for unit in state.carried(squadron.id)]
    alone = [unit for _, unit in sorted(state.units.items()) if unit.empire == empire and unit.at]
    rows += [_row(unit, "", state.place_name(unit.at), "") for unit in alone]
    columns = (
        "Group", "Where", "Unit", "Kind", "SIZ", "Engines", "FTL", "Intergalactic", "Cargo", "Towing", "Science",
        "Basing", "State",
    )  # fmt: skip
    note = "A group goes by its slowest unit that moves by itself. Ratings are those of undamaged units."
    return SideTable(key="units", title="Units", columns=columns, rows=tuple(rows), note=note)


def _where(state: LanesState, squadron: Squadron) -> str:
    return state.place_name(squadron.at) if squadron.at else say_transit(state, squadron)


def _row(unit: Unit, group: str, where: str, held: str) -> tuple[str, ...]:
    states = {
        held: bool(held), "crippled": unit.crippled, "out of supply": unit.out_of_supply, "tows": unit.tows,
        "in tow": unit.towed,
    }  # fmt: skip
    ratings = (
        unit.siz, unit.engines, unit.ftl, unit.intergalactic, unit.cargo, unit.towing, unit.science, unit.basing,
    )  # fmt: skip
    said = ", ".join(word for word, true in states.items() if true)
    return (group, where, unit.name, unit.kind, *map(str, ratings), said)


def lanes_table(state: LanesState, empire: Side) -> SideTable:
    """The lanes that an empire knows, by the systems from which they lead."""
    chart = side_map(state, empire).chart
    kinds = {one.key: one.said for one in chart.kinds}
    rows = [
        (
            chart.called(one.a),
            chart.called(one.b),
            kinds[one.kind],
            f"into another {one.crosses}" if one.crosses else "",
        )
        for one in chart.lanes
    ]
    known = state.empires[empire]
    for place in known_places(state, known):
        for lane in unexplored_at(state, known, place):
            gained = lane.bonus.get(empire, 0)
            said = f"{lane.difficulty}{f', +{gained} gained' if gained else ''}"
            rows.append((chart.called(place), "?", "not explored", f"{lane.mark(place)}: {said}"))
    columns = ("From", "To", "Class", "What else is known")
    note = "Lanes into another sector cost twice as much."
    return SideTable(key="lanes", title="Lanes", columns=columns, rows=tuple(rows), note=note)


def briefing(state: LanesState, empire: Side) -> Briefing:
    """What a captain should know before the first order."""
    score = state.scoring
    forces = [
        f"{one.id} at {state.place_name(one.at)}: {names_of(state.members(one.id))}"
        for one in state.squadrons_of(empire)
        if one.at
    ]
    # A card has room for the first alone.
    victory = [_scored(state), *_victory(state)]
    if score.total:
        victory.append(f"{score.total} points end the campaign.")
    return Briefing(
        objective="Score more points than any other empire.",
        victory=tuple(victory),
        length=counted(state.turns, "turn"),
        forces=forces_at_a_glance(forces, "squadron"),
        to_know=(
            "You see others only where you have units yourself: whose they are and how many, not what.",
            "A lane that costs more than your slowest unit's rating takes several turns; in it no order reaches you.",
            "Unexplored lanes cannot be crossed: order a squadron with Science to explore one, and stay.",
        ),
        terms=(),
    )


def _scored(state: LanesState) -> str:
    """For what there are points, in one sentence."""
    score = state.scoring
    things = {
        "lanes surveyed": score.survey_scores,
        "census landed": score.census,
        "systems held": score.system,
        "starbases set up": score.starbase,
        "units destroyed": score.destroyed,
    }
    *some, last = [what for what, scores in things.items() if scores]
    return f"Points for {' and '.join(filter(None, [', '.join(some), last]))}"


def _victory(state: LanesState) -> Iterable[str]:
    score = state.scoring
    if score.survey_scores:
        yield (
            f"For a lane surveyed: {score.major} if it is major, {score.normal} normal, {score.minor} minor, "
            f"{score.restricted} restricted"
        )
    for points, what in (
        (score.census, "for each census point landed at a colony of yours"),
        (score.system, "a turn for each system that you alone hold"),
        (score.starbase, "for a starbase set up where none of yours stood"),
        (score.destroyed, "for a unit destroyed"),
    ):
        if points:
            yield f"{counted(points, 'point')} {what}"
