"""Ground units that invade a colony from the holds in which they came (13.3.2.3)."""

from collections.abc import Iterable

from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.jump_lanes.ch2_encounters.opposing import opposes
from rules_engine.rulebooks.jump_lanes.ch3_cargo.holds import may_be_settled, own_colony
from rules_engine.rulebooks.jump_lanes.records.places import Colony, PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from rules_engine.rulebooks.jump_lanes.records.units import GROUND_KINDS, Squadron, Unit


@rule("13.3.2.3-ground")
def invaders(state: LanesState, squadron: Squadron) -> list[Unit]:
    """The ground units that a squadron carries, also those that embarked in this turn. 13.3.2.3-ground, JL-R25"""
    return [unit for unit in state.carried(squadron.id) if unit.kind in GROUND_KINDS]


def target_at(state: LanesState, squadron: Squadron, place: PlaceId) -> Colony | None:
    """The colony at a place that a squadron may invade: another empire's, which has not its passage."""
    for colony in state.colonies_at(place):
        if colony.owner and opposes(state, squadron.empire, colony.owner):
            return colony
    return None


@rule("13.3.2.3-ground")
def judge_invasion(state: LanesState, squadron: Squadron, place: PlaceId, path: str, *, is_seen: bool) -> list[Refusal]:
    """Refusals of an invasion by what a squadron carries, where its route of this turn ends: without ground units
    aboard, where it has a colony itself or none can be, and, if its empire sees that place, where no colony of others
    is. 13.3.2.3-ground, JL-R25, JL-R42"""
    refusals: list[Refusal] = []
    if not invaders(state, squadron):
        text = f"{squadron.name} carries no ground units"
        legal = "ground units aboard, which may embark in this turn"
        refusals.append(illegal(text, "13.3.2.3", path, legal=legal))
    can_be = own_colony(state, squadron.empire, place) is None and may_be_settled(state, place)
    if not can_be or (is_seen and target_at(state, squadron, place) is None):
        text = f"there is no colony to invade at {state.place_name(place)}"
        legal = "a colony of an empire with which you have no treaty of passage"
        refusals.append(illegal(text, "13.3.2.3", path, legal=legal))
    return refusals


@rule("13.3.2.3-ground")
def end_invasion(state: LanesState, colony: Colony, landed: Iterable[Unit], *, winner: str) -> None:
    """The end of an invasion: invaders that took the colony stand there, and others stay aboard; the colony is the
    winner's, with its census. 13.3.2.3-ground, JL-N34"""
    if winner == colony.owner:
        return
    colony.owner, colony.rebellion = winner, False
    for unit in landed:
        if unit.empire == winner and unit.id in state.units:
            state.put(unit, at=colony.at)
