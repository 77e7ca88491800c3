"""The account of a battle, filled in with what a tracker counted. PQ-17 8.5.5.5, 8.5.5.6"""

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.tactics.tallies import ShipTally, TacticalTally
from rules_engine.rulebooks.pq17.records.battles import BATTLE_LINE, NOBODY, Battle
from rules_engine.rulebooks.pq17.records.state import State


@rule("8.5.5.5.4", "8.5.5.6")
def account_of(state: State, battle: Battle, tally: TacticalTally) -> Sheet:
    """What can be said of a battle by its tally: how long it took, who was destroyed, who disengaged on which turn and,
    once all of a side are gone, who has won. Loads share what becomes of their ships. Boxes, captures and what is
    crippled its captains alone know. PQ-17 8.5.5.5.4, 8.5.5.6; rulings CMB-12, CMB-14, PQ-180."""
    lines: Sheet = {}
    present = {battle.attacker: False, battle.defender: False}
    for name, unit_id in battle.names.items():
        unit = state.units[unit_id]
        counted = tally.ship(name)
        if counted is not None and not counted.fate:
            present[unit.side] = True
        if counted is None and unit.carried_by in battle.names.values():
            counted = tally.ship(battle.name_of(unit.carried_by))
        if counted is not None and (line := _line(counted, is_base=state.class_of(unit).is_base)):
            lines[name] = line
    turns = max([1, tally.turns, *(one.turn for one in tally.ships)])
    return {BATTLE_LINE: {"turns": turns, **_winner(battle, present)}, **lines}


def _line(counted: ShipTally, *, is_base: bool) -> dict[str, Json]:
    """What became of a unit; nothing of one that is still there. On a map that floats (8.5.5.1) who is off it has
    separated from all others. A base cannot disengage."""
    match counted.fate:
        case "destroyed":
            return {"fate": "destroyed"}
        case "disengaged" | "left the map" if not is_base:
            return {"fate": "disengaged", "turn": counted.turn}
        case _:
            return {}


def _winner(battle: Battle, present: dict[str, bool]) -> dict[str, Json]:
    """Who has won: the side that alone has units left, or nobody. Nothing as long as both have."""
    match present[battle.attacker], present[battle.defender]:
        case True, True:
            return {}
        case False, False:
            return {"winner": NOBODY}
        case attacks, _:
            return {"winner": battle.attacker if attacks else battle.defender}
