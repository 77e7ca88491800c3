"""Chapter 2.7: convoys under way. They follow the plot that was handed in when they sailed, and nobody changes it."""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch02_movement.convoys.police import police_speed
from rules_engine.rulebooks.cutler.ch02_movement.movement import Moves, may_enter, paces, top_speed
from rules_engine.rulebooks.cutler.records.conditions.towing import is_deployed
from rules_engine.rulebooks.cutler.records.shipping.convoys import PlottedConvoy, sails_in_convoys
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit

# --- who is where ----------------------------------------------------------------------------------------------------


def convoys_of(state: CutlerState, race: Side) -> list[PlottedConvoy]:
    """A race's convoys under way, by their number; Q-ships on their way back and new police ships are some, too."""
    return sorted((one for one in state.convoys.values() if one.race == race), key=lambda one: int(one.key[1:]))


def members(state: CutlerState, convoy: PlottedConvoy) -> list[Unit]:
    """A convoy's units; those that were lost in this phase are none any more."""
    units = [state.units[key] for key in convoy.units]
    return [unit for unit in units if not unit.destroyed and unit.race == convoy.race]


def waiting(state: CutlerState, race: Side) -> dict[HexId, list[Unit]]:
    """A race's freighters and Q-ships that are not under way, by the hex where they lie, in order of number."""
    sailing = {key for convoy in state.convoys.values() for key in convoy.units}
    found: dict[HexId, list[Unit]] = {}
    for unit in state.alive(race):
        if sails_in_convoys(unit.record) and unit.id not in sailing:
            found.setdefault(unit.hex, []).append(unit)
    return {hex_id: found[hex_id] for hex_id in sorted(found)}


@rule("2.7")
def ports(state: CutlerState, race: Side) -> list[HexId]:
    """Where its freighters may sail to: planets, in whose hands ever, and its own bases, repair docks and sites at
    which a base is to be built. 2.7, CU-R35, CU-N80"""
    places = {planet.hex for planet in state.planets.values()}
    places |= {site.hex for site in state.sites.values() if site.race == race}
    bases = [unit for unit in state.alive(race) if unit.kind == "base" and is_deployed(state, unit)]
    return sorted(places | {unit.hex for unit in bases})


@rule("2.7.3")
def is_escort(unit: Unit) -> bool:
    """Whether it is a Q-ship that escorts others: a prize, whose weapons are barred, sails as a freighter.
    2.7.3, 5.1.2, CU-N82"""
    return unit.kind == "q_ship" and not unit.captured_from


@rule("2.7.3")
def escorts_allowed(units: Iterable[Unit]) -> dict[str, int]:
    """How many Q-ships of each size may embark with these freighters: one for every two of its size. 2.7.3, CU-R42"""
    sizes = [unit.record.freighter_size for unit in units if not is_escort(unit)]
    return {size: sizes.count(size) // 2 for size in ("large", "small")}


@rule("2.7.3")
def too_many_escorts(units: Sequence[Unit]) -> int:
    """How many Q-ships must leave a convoy under way: no two may escort one freighter. 2.7.3, CU-R42"""
    escorts = sum(map(is_escort, units))
    return max(0, escorts - (len(units) - escorts))


# --- setting out and parting -----------------------------------------------------------------------------------------


@rule("2.7")
def embark(state: CutlerState, race: Side, units: Sequence[Unit], course: Sequence[HexId]) -> PlottedConvoy:
    """Send freighters off. Those that do not lie at a port come from nowhere to which they could return: their point of
    embarkation is where they go. 2.7, 2.7.3, CU-N81"""
    here = units[0].hex
    for unit in units:
        unit.dust_paid, unit.nebula_exit = False, ""
    return new_convoy(state, race, units, course, embarked=here if here in ports(state, race) else course[-1])


def new_convoy(
    state: CutlerState, race: Side, units: Sequence[Unit], course: Sequence[HexId], *, embarked: HexId
) -> PlottedConvoy:
    """Put units under a plot, as a convoy with a number not used before."""
    empire = state.empires[race]
    empire.convoys_named += 1
    kind = "return" if all(map(is_escort, units)) else "convoy"
    keys = sorted(unit.id for unit in units)
    convoy = PlottedConvoy(
        key=f"V{empire.convoys_named}",
        race=race,
        kind=kind,
        units=keys,
        at=units[0].hex,
        embarked=embarked,
        course=list(course),
    )
    state.convoys[f"{race}/{convoy.key}"] = convoy
    return convoy


@rule("2.7.1", "2.7.3", "2.7.4")
def set_out(turn: CutlerTurn) -> None:
    """Before convoys move: who was driven off from a port is to come back to it, who cannot move is left behind, and
    Q-ships without a freighter to escort turn back. 2.7.1, 2.7.3, 2.7.4, CU-R41, CU-R42, CU-N81"""
    state = turn.state
    tidy_convoys(state)
    for race in state.races():
        _sail_from_where_they_lay(state, race)
        for convoy in convoys_of(state, race):
            if convoy.kind == "convoy":
                _leave_behind(turn, convoy)
                _turn_back(turn, convoy)
            elif convoy.kind == "return":
                _leave_behind(turn, convoy)
    _drop_empty(state)


def _sail_from_where_they_lay(state: CutlerState, race: Side) -> None:
    """Freighters that wait and were driven off leave as all do, if they can, and come back to where they lay. CU-N81,
    CU-R63"""
    for here, units in waiting(state, race).items():
        parts: dict[HexId, list[Unit]] = {}
        for unit in units:
            if unit.retreat_hex and top_speed(unit) > 0:
                parts.setdefault(unit.retreat_hex, []).append(unit)
        for driven in parts.values():
            new_convoy(state, race, driven, [here], embarked=here)


@rule("2.7.1")
def _leave_behind(turn: CutlerTurn, convoy: PlottedConvoy) -> None:
    """Who cannot move does not stop the others. 2.7.1, CU-R41"""
    state = turn.state
    stopped = [unit for unit in members(state, convoy) if top_speed(unit) == 0]
    if stopped:
        convoy.units = [key for key in convoy.units if key not in {unit.id for unit in stopped}]
        text = f"Left behind in {convoy.at} by {convoy.key}: {', '.join(unit.title for unit in stopped)}."
        turn.tell([convoy.race], text, kind="movement", why=because("2.7.1, CU-R41"))


@rule("2.7.3", "2.7.4")
def _turn_back(turn: CutlerTurn, convoy: PlottedConvoy) -> None:
    """Q-ships beyond one for each freighter that is left return to the last point of embarkation, each at its own top
    speed: those first whom the owner has named. 2.7.3, 2.7.4, CU-R42, CU-N83"""
    state = turn.state
    units = members(state, convoy)
    escorts = [unit for unit in units if is_escort(unit)]
    ordered = sorted(escorts, key=lambda unit: (unit.id not in convoy.back, unit.id))
    for unit in ordered[: too_many_escorts(units)]:
        convoy.units.remove(unit.id)
        goal = convoy.embarked
        if unit.hex != goal or unit.retreat_hex:
            course = state.grid.line(unit.hex, goal)[1:]
            new_convoy(state, convoy.race, [unit], course, embarked=goal)
        text = f"{unit.title} has no freighter left to escort in {convoy.key}, and returns to {goal}."
        turn.tell([convoy.race], text, kind="movement", why=because("2.7.3, CU-R42"))


# --- moving ----------------------------------------------------------------------------------------------------------


@rule("2.7", "2.7.1", "2.7.2", "2.8")
def convoy_moves(state: CutlerState) -> Moves:
    """The moves of all convoys in this impulse. Each moves at every opportunity that its slowest member's speed gives
    it; who disengaged goes where it must first. 2.7, 2.7.1, 2.7.2, 2.8, 3.4.5.4, CU-R39, CU-R43"""
    moves: Moves = {}
    pace = paces(state)
    for race in state.races():
        for convoy in convoys_of(state, race):
            units = members(state, convoy)
            goal = next((unit.retreat_hex for unit in units if unit.retreat_hex), "") or "".join(convoy.course[:1])
            speeds = {unit.id: pace[unit.id] if unit.id in pace else police_speed(unit) for unit in units}
            able = (may_enter(state, unit, goal, state.impulse, speeds[unit.id]) for unit in units)
            if goal and all(able):
                moves |= {unit.id: goal for unit in units}
    return moves


@rule("2.7.2")
def tidy_convoys(state: CutlerState) -> None:
    """Drop what was lost, let those go on by themselves who parted, and bring who was thrown off its course back to its
    plot. 2.7.2, CU-R39"""
    for name in sorted(state.convoys):
        convoy = state.convoys[name]
        parts: dict[tuple[HexId, HexId], list[Unit]] = {}
        for unit in members(state, convoy):
            parts.setdefault((unit.hex, unit.retreat_hex), []).append(unit)
        onward = "".join(convoy.course[:1])
        ranked = sorted(parts.items(), key=lambda part: (part[0][0] != onward, -len(part[1]), part[1][0].id))
        convoy.units = [unit.id for unit in ranked[0][1]] if ranked else []
        for _, units in ranked[1:]:
            parted = new_convoy(state, convoy.race, units, convoy.course, embarked=convoy.embarked)
            parted.at, parted.back, parted.kind = convoy.at, list(convoy.back), convoy.kind
    _drop_empty(state)
    for name in sorted(state.convoys):
        convoy = state.convoys[name]
        here = state.units[convoy.units[0]].hex
        if here != convoy.at:
            convoy.come_to(here, state.grid)


def _drop_empty(state: CutlerState) -> None:
    for name in [name for name, convoy in state.convoys.items() if not convoy.units]:
        del state.convoys[name]


@rule("2.7", "2.7.2", "2.8")
def arrive(turn: CutlerTurn) -> None:
    """Convoys that have come to the end of their plot are there, whatever has become of the place, and wait.

    2.7, 2.7.2, 2.8, CU-R40
    """
    state = turn.state
    tidy_convoys(state)
    for race in state.races():
        for convoy in convoys_of(state, race):
            if not convoy.course and not any(unit.retreat_hex for unit in members(state, convoy)):
                names = ", ".join(unit.title for unit in members(state, convoy))
                del state.convoys[f"{race}/{convoy.key}"]
                law = "2.8, CU-R43" if convoy.kind == "police" else "2.7, 2.7.2, CU-R40"
                turn.tell([race], f"Arrived in {convoy.at}: {names}.", kind="movement", why=because(law))


@rule("2.7.1")
def announce_convoys(turn: CutlerTurn, hex_id: HexId, races: Sequence[Side]) -> None:
    """Who has a convoy in a hex in which others are announces it to them. Nothing tells a lone Q-ship from a freighter.
    2.7.1, CU-N84"""
    state = turn.state
    for race in races:
        own = (convoy for convoy in convoys_of(state, race) if convoy.kind != "police")
        if any(unit.hex == hex_id for convoy in own for unit in members(state, convoy)):
            text = f"The {state.name_of(race)} announces a convoy in {hex_id}."
            turn.tell(races, text, kind="combat", why=because("2.7.1"))
