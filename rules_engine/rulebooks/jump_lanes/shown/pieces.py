"""What stands on a map: own groups, also under way; colonies, starbases and derelicts, as far as they are known."""

from collections.abc import Iterable, Iterator

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.glance import LaneTransit
from rules_engine.core.knowledge.views import Counter, Course, HexNote, Knowledge
from rules_engine.rulebooks.jump_lanes.campaign.scoring import bases_of
from rules_engine.rulebooks.jump_lanes.ch1_movement.journeys import DRAWN, ahead
from rules_engine.rulebooks.jump_lanes.plotting.routes import goal_name
from rules_engine.rulebooks.jump_lanes.records.places import PlaceId, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import Squadron
from rules_engine.rulebooks.jump_lanes.shown.maps import ShownMap
from rules_engine.rulebooks.jump_lanes.shown.units import arrival_of, say_squadron
from rules_engine.rulebooks.jump_lanes.sightings import BASE, systems_held

BEYOND = "between galaxies"
"""Where a group is that goes to a galaxy of which its empire knows no system."""


def group_counters(state: LanesState, empire: Side, shown: ShownMap) -> Iterator[Counter]:
    """An empire's own groups: each fleet as one, and each squadron that is in none."""
    for group in state.groups_of(empire):
        squadrons = state.group(group)
        first = squadrons[0]
        units = [unit for one in squadrons for unit in state.members(one.id)]
        cargo = any(one.hold or state.carried(one.id) for one in squadrons)
        crippled = sum(unit.crippled for unit in units)
        yield Counter(
            id=group,
            hex=_where(first, shown),
            owner=empire,
            label=group,
            sub=", ".join(filter(None, ["laden" if cargo else "", _damage(crippled, len(units))])),
            details=tuple(say_squadron(state, one) for one in squadrons),
            ships=len(units),
            # Crippled is half lost: at nothing it would be drawn as if it were gone.
            whole=100 - round(50 * crippled / len(units)) if crippled else None,
        )


def _damage(crippled: int, units: int) -> str:
    """What is crippled of so many units; "" for nothing."""
    return "" if not crippled else "crippled" if crippled == units else f"{crippled} crippled"


def _where(squadron: Squadron, shown: ShownMap) -> str:
    if squadron.transit is None:
        return squadron.at
    return shown.lanes.get(squadron.transit.lane, BEYOND)


def transits(state: LanesState, empire: Side, shown: ShownMap) -> Iterator[LaneTransit]:
    """An empire's own groups in lanes: how far they are, and when they arrive. 13.1.6"""
    for group in state.groups_of(empire):
        first = state.group(group)[0]
        jump = first.transit
        if jump is None or jump.lane not in shown.lanes:
            continue
        done = int(100 * jump.paid / jump.cost) if jump.cost else 0
        arrives = f"turn {arrival_of(state, first)}"  # T3 may be a squadron
        end = goal_name(state, jump.goal) if jump.goal.startswith(DRAWN) else jump.goal
        yield LaneTransit(counter=group, start=jump.origin, end=end, done=min(done, 100), arrives=arrives)


def courses(state: LanesState, empire: Side) -> Iterator[Course]:
    """The routes that an empire's groups follow."""
    for group in state.groups_of(empire):
        first = state.group(group)[0]
        fleet = state.fleets.get(group)
        orders = first.orders if fleet is None else fleet.orders
        legs = ahead(orders)[: max(0, len(orders.legs) - orders.gone)]
        places = [one.to for one in legs if not one.to.startswith(DRAWN)]
        if first.at and places:
            yield Course(counter=group, kind="route", hexes=(first.at, *places))


def battle_counters(state: LanesState, shown: ShownMap, empire: Side | None = None) -> Iterator[Counter]:
    """Battles that are fought now: those of one empire, or all. No empire sees a battle of others."""
    for key, one in sorted(state.battles.items()):
        if empire is None or empire in one.sides:
            at = shown.lanes.get(one.where, BEYOND) if one.in_lane else one.where
            yield Counter(id=f"battle-{key}", hex=at, owner="", form="battle", label="battle")


def notes(
    state: LanesState, shown: ShownMap, empire: Side | None = None, knowledge: Knowledge | None = None
) -> Iterable[HexNote]:
    """The systems and planets of a map by name, and of each whose colony and what else is there, as far as an empire
    knows: its own; others' where its units are now; and whose bases it has seen. Of None all is told. JL-R42"""
    here = set[str]() if empire is None else systems_held(state, empire)
    bases = {one.latest.hex: one.owner for one in knowledge.held() if one.form == BASE} if knowledge else {}
    names = {one.id: one.name for one in shown.chart.systems} | {one.id: one.name for one in shown.chart.planets}
    found = [
        _note(
            state,
            place,
            name,
            empire,
            sees=empire is None or system_of(place) in here,
            base=bases.get(place, ""),
        )
        for place, name in names.items()
    ]
    # What is owned first: in a short text the rest is left out.
    return sorted(found, key=lambda note: (note.owner != empire, not note.owner))


def _note(state: LanesState, place: PlaceId, name: str, empire: Side | None, *, sees: bool, base: Side) -> HexNote:
    colonies = [one for one in state.colonies_at(place) if one.owner and (sees or one.owner == empire)]
    owner = colonies[0].owner if colonies else base
    own = [one for one in colonies if empire in (None, one.owner)]
    marks = ["colony"] if colonies else []
    marks += ["capital"] if any(state.empires[one.owner].home == place for one in colonies) else []
    marks += ["rebellion"] if any(one.rebellion for one in own) else []
    sides = state.empires if empire is None else (empire,)
    marks += ["starbase"] if base or any(place in bases_of(state, one) for one in sides) else []
    marks += ["derelict"] if sees and any(one.at == place for one in state.derelicts.values()) else []
    census = sum(one.census for one in own)
    return HexNote(
        hex=place,
        marks=tuple(marks),
        owner=owner,
        name=name,
        figure=str(census) if census else "",
        territory=owner,
    )


def colony_rows(state: LanesState, empire: Side) -> tuple[str, ...]:
    """An empire's colonies in words, with what waits there."""
    rows: list[str] = []
    for _, colony in sorted(state.colonies.items()):
        if colony.owner == empire:
            waiting = [unit.name for unit in state.standing(colony.at) if unit.empire == empire]
            experience = [counted(colony.experience, "experience point")] if colony.experience else []
            said = [f"census {colony.census}", *experience, *(["in rebellion"] if colony.rebellion else []), *waiting]
            where = state.place_name(colony.at)
            at = f" at {where}" if where != colony.name else ""
            rows.append(f"{colony.name}{at}: {', '.join(said)}")
    return tuple(rows)
