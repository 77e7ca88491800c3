"""Battles that ended by rule are not fought again while nothing has changed where they were fought. JL-N19"""

from collections.abc import Iterable

from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.asks import SETTLED_BY
from rules_engine.rulebooks.jump_lanes.battles.outcome import space_units_at
from rules_engine.rulebooks.jump_lanes.ch2_encounters.opposing import opposed_among
from rules_engine.rulebooks.jump_lanes.records.battles import Battle
from rules_engine.rulebooks.jump_lanes.records.places import PlaceId
from rules_engine.rulebooks.jump_lanes.records.state import LanesState

BY_RULE = SETTLED_BY["by rule"]


def note_stood_off(state: LanesState, battles: Iterable[tuple[Battle, str]]) -> None:
    """Note who stands against whom where battles ended by rule, each given with how it was settled."""
    for battle, how in battles:
        if how == BY_RULE and battle.kind == "space" and not battle.in_lane:
            state.stood_off[battle.where] = _standing(state, battle.where)


@rule("13.2")
def still_to_fight(state: LanesState, places: Iterable[PlaceId]) -> list[PlaceId]:
    """Those of the places with opposing groups at which they fight: not where a battle of theirs ended by rule and
    nothing has changed since. 13.2, JL-N19"""
    met = [*places]
    state.stood_off = {
        place: stood for place, stood in state.stood_off.items() if place in met and stood == _standing(state, place)
    }
    return [place for place in met if place not in state.stood_off]


def _standing(state: LanesState, place: PlaceId) -> str:
    """Which units oppose each other at a place, and who is at war there."""
    units = space_units_at(state, place)
    fighting = opposed_among(state, [unit.empire for unit in units])
    wars = [f"{one}!{other}" for one in fighting for other in fighting if state.stance(one, other) == "war"]
    return " ".join([*sorted(unit.id for unit in units if unit.empire in fighting), *sorted(wars)])
