"""Score: points by the scenario's figures, which each empire is told of itself alone until the end. JL-N44"""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import CargoWork
from rules_engine.rulebooks.jump_lanes.ch5_exploration.checks import Explored
from rules_engine.rulebooks.jump_lanes.records.battles import ScoreLine
from rules_engine.rulebooks.jump_lanes.records.places import LaneClass, PlaceId, system_of
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import SPACE_KINDS, Unit

RULE = "JL-N44"


def tally(state: LanesState, empire: Side, points: int, what: str) -> None:
    """Give an empire points for something, or take them back; nothing is noted where the scenario gives none."""
    if points:
        state.empires[empire].score += points
        state.ledger.append(ScoreLine(empire=empire, turn=state.turn, points=points, what=what))


@rule("13.3.2.1")
def score_cargo(state: LanesState, works: Iterable[CargoWork]) -> None:
    """Score census that came to colonies, and take points back for what is taken away again: census that only goes to
    and fro scores nothing. 13.3.2.1, JL-N44"""
    for done in works:
        squadron = state.squadrons.get(done.squadron)
        if squadron is None or not done.landed:
            continue
        of = state.empires[squadron.empire]
        before = of.landed.get(done.place, 0)
        after = of.landed[done.place] = before + done.landed
        change = max(0, after) - max(0, before)
        tally(state, squadron.empire, change * state.scoring.census, f"census at {state.place_name(done.place)}")


@rule("13.5.2")
def score_surveys(state: LanesState, explored: Iterable[Explored]) -> None:
    """Score surveys that were completed, by the class of the lane. 13.5.2, JL-N44"""
    scoring = state.scoring
    points: dict[LaneClass, int] = {
        "major": scoring.major,
        "normal": scoring.normal,
        "minor": scoring.minor,
        "restricted": scoring.restricted,
    }
    for one in explored:
        if one.surveyed is not None:
            tally(state, one.empire, points[one.surveyed], f"survey of a {one.surveyed} lane")


def score_destroyed(state: LanesState, empire: Side, units: Iterable[Unit]) -> None:
    """Score units of others that an empire destroyed in battle."""
    for unit in units:
        tally(state, empire, state.scoring.destroyed, f"{unit.name} destroyed")


def presence(state: LanesState) -> dict[str, list[Side]]:
    """By system the empires that are present: with a colony that is not in rebellion, or an active unit of space in
    supply that is no cargo. JL-N45"""
    found: dict[str, dict[Side, None]] = {}

    def note(place: PlaceId, empire: Side) -> None:
        found.setdefault(system_of(place), {})[empire] = None

    for colony in state.colonies.values():
        if colony.owner and not colony.rebellion:
            note(colony.at, colony.owner)
    for _, unit in sorted(state.units.items()):
        if unit.kind in SPACE_KINDS and not (unit.aboard or unit.crippled or unit.out_of_supply):
            place = state.squadrons[unit.squadron].at if unit.squadron else unit.at
            if place:
                note(place, unit.empire)
    return {system: sorted(empires) for system, empires in found.items()}


@rule("13.4.1")
def score_turn(turn: LanesTurn) -> None:
    """Score systems held and starbases that stand where none of their empire stood before, and tell each empire its
    points of the turn. 13.4.1, JL-N44"""
    state = turn.state
    present = presence(state)
    for key, of in state.empires.items():
        held = sum(empires == [key] for empires in present.values())
        tally(state, key, held * state.scoring.system, f"{counted(held, 'system')} held")
        for place in bases_of(state, key):
            if place not in of.bases:
                of.bases.append(place)
                tally(state, key, state.scoring.starbase, f"starbase at {state.place_name(place)}")
        own = [one for one in state.ledger if one.empire == key and one.turn == state.turn]
        what = ", ".join(f"{one.points} for {one.what}" for one in own)
        gained = counted(sum(one.points for one in own), "point")
        text = f"{of.name} scores {gained} in turn {state.turn}{f': {what}' if what else ''}. Now {of.score}."
        turn.tell([key], text, kind="score", why=because(RULE))


def bases_of(state: LanesState, empire: Side) -> list[PlaceId]:
    """The places at which starbases of an empire stand, neither in tow nor crippled."""
    own = (unit for unit in state.units.values() if unit.empire == empire and unit.kind == "starbase" and unit.at)
    return sorted({unit.at for unit in own if not unit.crippled})
