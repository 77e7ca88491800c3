"""Why groups in transit have no line on a sheet, and fields are not on a line on which somebody may look for them."""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.forms.forms import Absence
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import rating_of
from rules_engine.rulebooks.jump_lanes.ch4_towing.tows import able_tugs
from rules_engine.rulebooks.jump_lanes.ch5_exploration.forces import known_unexplored, science_of
from rules_engine.rulebooks.jump_lanes.plotting.groups import company
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import GROUND_KINDS, Squadron

_CARGO = ("load", "unload", "jettison", "take", "land")
"""The fields for cargo."""


def has_holds(state: LanesState, squadron: Squadron) -> bool:
    """Whether a squadron has anything to do with cargo."""
    return bool(rating_of(state, squadron) or squadron.hold or state.carried(squadron.id))


def lands_troops(state: LanesState, squadron: Squadron) -> bool:
    """Whether a squadron carries ground units of its own, or could take some aboard where it is."""
    beside = state.standing(squadron.at) if rating_of(state, squadron) else []
    troops = (*state.carried(squadron.id), *beside)
    return any(one.kind in GROUND_KINDS and one.empire == squadron.empire for one in troops)


def absences(state: LanesState, empire: Side) -> Iterable[Absence]:
    """Of all groups of an empire."""
    for squadron in state.squadrons_of(empire):
        if squadron.transit is not None:
            name = squadron.name
            last = state.turn + squadron.transit.turns_left - 1
            problem = f"{name} is in transit until turn {last} and out of communication"
            yield Absence(squadron.id, name, problem, "13.1.6")
            continue
        for field, problem, rule in _missing(state, squadron):
            yield Absence(squadron.id, squadron.name, problem, rule, field)
    for fleet in state.fleets_of(empire):
        if state.group(fleet.id)[0].transit is not None:
            problem = f"{fleet.name} is in transit and out of communication"
            yield Absence(fleet.id, fleet.name, problem, "13.1.6")


def _missing(state: LanesState, squadron: Squadron) -> Iterable[tuple[str, str, str]]:
    """The fields that a squadron's line has not, why, and by which rule."""
    name, here = squadron.name, state.place_name(squadron.at)
    if squadron.fleet:
        fleet = state.fleets[squadron.fleet].name
        yield from ((field, f"{name} moves with {fleet}", "13.1.5") for field in ("route", "go"))
    if not has_holds(state, squadron):
        yield from ((field, f"{name} has no Cargo rating", "13.3.1") for field in _CARGO)
    if not science_of(state, [squadron]):
        yield "explore", f"{name} has no Science rating", "13.5"
    elif not known_unexplored(state, squadron.empire, squadron.at):
        yield "explore", f"you know no unexplored lane at {here}", "13.5.1"
    if not able_tugs(state, squadron):
        yield "tow", f"{name} has no tug", "13.4"
    if not company(state, squadron):
        yield from ((field, f"no other squadron of yours is at {here}", "13.1.5") for field in ("fleet", "join"))
    if len(state.members(squadron.id)) == 1:
        yield "detach", f"{name} is a single unit", "13.1.5"
    if not lands_troops(state, squadron):
        yield "invade", f"{name} has no ground units to land", "13.3.2.3"
