"""The odds of an exploration check, as an empire could work them out from its own squadrons and the lanes it knows."""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refused, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice
from rules_engine.core.knowledge.odds import Odds, OddsMenu, percent
from rules_engine.rulebooks.jump_lanes.ch5_exploration.checks import chance_of
from rules_engine.rulebooks.jump_lanes.ch5_exploration.forces import (
    ExplorationForce,
    end_at,
    known_unexplored,
    science_of,
)
from rules_engine.rulebooks.jump_lanes.records.places import JumpLane
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import Squadron
from rules_engine.rulebooks.jump_lanes.tables.exploration import (
    CHECK_FACES,
    CLASS_FACES,
    MINOR_SUCCESS_BONUS,
    Outcome,
    check_outcome,
    surveyed_class,
)

RULE = "13.5.2, JL-R36"
_OUTCOMES: dict[Outcome, str] = {
    "major success": "the survey is complete",
    "minor success": f"a partial survey, +{MINOR_SUCCESS_BONUS} on later checks",
    "minor failure": "nothing",
    "major failure": "peril",
}


def odds_menu(state: LanesState, side: Side) -> OddsMenu:
    """The squadrons that could explore where they are, and the unexplored lanes there."""
    able = _explorers(state, side)
    lanes = {mark: lane for one in able for mark, lane in _lanes_of(state, one).items()}
    return OddsMenu(
        own=tuple(Choice(one.id, f"{one.id} {one.name} at {state.place_name(one.at)}") for one in able),
        targets=tuple(Choice(mark, f"{mark}, {lane.difficulty}") for mark, lane in lanes.items()),
    )


def odds_of(state: LanesState, side: Side, own: str, target: str) -> Odds:
    """What comes of a check, for a squadron alone and for all that could explore the lane with it.

    Raises:
        Refused: when the squadron cannot explore, or the lane is not where it is.
    """
    squadrons = {one.id.casefold(): one for one in _explorers(state, side)}
    squadron = squadrons.get(own.casefold())
    if squadron is None:
        known = [one.id for one in squadrons.values()]
        problem = f"{own[:20]} is no squadron of yours that could explore where it is"
        raise Refused([malformed(problem, "own", legal=", ".join(known), nearest=nearest(own, known))])
    lanes = {mark.casefold(): (mark, lane) for mark, lane in _lanes_of(state, squadron).items()}
    if target.casefold() not in lanes:
        known = [mark for mark, _ in lanes.values()]
        problem = f"you know no unexplored lane {target[:20]} at {state.place_name(squadron.at)}"
        raise Refused([malformed(problem, "target", legal=", ".join(known), nearest=nearest(target, known))])
    mark, lane = lanes[target.casefold()]
    return Odds(title=f"{squadron.name} explores {mark}", lines=tuple(_lines(state, squadron, lane)), rule=RULE)


def _explorers(state: LanesState, side: Side) -> list[Squadron]:
    """An empire's squadrons with Science at an unexplored lane that it knows."""
    own = [one for one in state.squadrons_of(side) if one.at and science_of(state, [one])]
    return [one for one in own if _lanes_of(state, one)]


def _lanes_of(state: LanesState, squadron: Squadron) -> dict[str, JumpLane]:
    """The unexplored lanes where a squadron is, as its empire calls them."""
    lanes = known_unexplored(state, squadron.empire, squadron.at)
    return {one.mark(end_at(state, squadron.at, one)): one for one in lanes}


@rule("13.5.2")
def _lines(state: LanesState, squadron: Squadron, lane: JumpLane) -> Iterable[str]:
    """The chance with what makes it, what comes of it, and the chance of all together. 13.5.2, JL-R36, JL-N38"""
    gained = lane.bonus.get(squadron.empire, 0)
    base, science = state.chances.of(lane.difficulty), science_of(state, [squadron])
    chance = _chance(state, lane, [squadron])
    yield f"Chance {chance} of 100: {lane.difficulty} {base}, Science {science}, gained before {gained}"
    fell = [check_outcome(chance, rolled) for rolled in range(1, CHECK_FACES + 1)]
    yield from (f"• {percent(Fraction(fell.count(one), CHECK_FACES))}: {said}" for one, said in _OUTCOMES.items())
    classes = [surveyed_class(rolled, state.classes) for rolled in range(1, CLASS_FACES + 1)]
    shares = [f"{one} {percent(Fraction(classes.count(one), CLASS_FACES))}" for one in dict.fromkeys(classes)]
    yield f"A lane that is surveyed is {', '.join(shares)}."
    beside = [one for one in _explorers(state, squadron.empire) if one.at == squadron.at]
    if len(beside) > 1:
        yield f"Together, {' and '.join(one.name for one in beside)}: chance {_chance(state, lane, beside)} of 100."


def _chance(state: LanesState, lane: JumpLane, squadrons: Sequence[Squadron]) -> int:
    first = squadrons[0]
    end = end_at(state, first.at, lane)
    return chance_of(state, ExplorationForce(first.empire, end, lane.id, tuple(one.id for one in squadrons)))
