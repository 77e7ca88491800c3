"""Chapter 4.2.4.5 in battle: a minefield belongs to what it surrounds, and takes part in the battles there."""

from collections.abc import Collection

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.cutler.ch04_accessories.mine_orders import features
from rules_engine.rulebooks.cutler.ch04_accessories.minefields import fields_of, has_effect, name_of_feature
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight

HOW_READ = "Places are counted from what they surround: A5=2 is 2 CPV of mines, five hexes of the tactical map in A."
FOUGHT_BEFORE = "there was a battle here since you last said what is left: leave out what was swept or exploded then"


@rule("4.2.4.5.2", "3.5.2")
def fields_at(state: CutlerState, race: Side, hex_id: HexId, feature: str) -> list[MinesLaid]:
    """A race's minefields that take part in the battle at a feature of a hex that is fought over: those that surround
    it, or a base that orbits it. None in a battle in open space, ``feature`` "". 4.2.4.5.2, 3.5.2, CU-N100"""
    if not feature:
        return []
    return [field for field in fields_of(state, race, hex_id) if _place_of(state, field) == feature]


def _place_of(state: CutlerState, field: MinesLaid) -> str:
    """The feature of its hex that a minefield belongs to; "" where what it surrounds is lost."""
    if not has_effect(state, field):
        return ""
    bases = state.fights.get(field.hex, Fight()).ground.bases
    if field.around in bases:
        return bases[field.around]
    known = features(state, field.race)
    return known[field.around].place if field.around in known else ""


@rule("4.2.4.5.2")
def battle_charts(state: CutlerState, race: Side, hex_id: HexId, feature: str) -> list[Panel]:
    """What a race alone reads of its mines at the feature where it fights: their map. 4.2.4.5.2, CU-N68, CU-N100"""
    rows = tuple(
        f"{name_of_feature(state, field)}: {field.cpv} CPV at {field.chart}"
        + (f" ({FOUGHT_BEFORE})" if field.fought else "")
        for field in fields_at(state, race, hex_id, feature)
    )
    return [Panel(title="Your minefields here", rows=(*rows, HOW_READ))] if rows else []


def note_battle(state: CutlerState, hex_id: HexId, feature: str, sides: Collection[Side]) -> None:
    """Remember that there was a battle at minefields of these sides."""
    for race in sides:
        for field in fields_at(state, race, hex_id, feature):
            field.fought = True


def mines_in_words(state: CutlerState, race: Side, hex_id: HexId) -> str:
    """What a race that sends units to the features of a hex reads of its own mines there, as a sentence."""
    said = [
        f"{field.cpv} CPV around {name_of_feature(state, field)}"
        for field in fields_of(state, race, hex_id)
        if has_effect(state, field)
    ]
    return f" Your mines take part in the battle at what they surround: {', '.join(said)}." if said else ""
