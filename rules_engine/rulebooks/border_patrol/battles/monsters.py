"""Monsters and alien ships that are fought by hand: who plays them, and what becomes of them. BP-N31"""

from collections.abc import Mapping, Sequence

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.border_patrol.campaign.scoring import tally
from rules_engine.rulebooks.border_patrol.records.battles import Battle
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.records.units import NEUTRALS, Unit
from rules_engine.rulebooks.border_patrol.stacks import lose

EMBLEMS = ("M", "X", "Z")
"""What the codes of monsters begin with in a battle: the first that is no Team's emblem."""


def fought_by_hand(state: BorderState, hex_id: HexId) -> list[Unit]:
    """The monsters and alien ships in a hex that are fought by hand. BP-N31"""
    return [unit for unit in state.units_in(hex_id) if unit.kind in NEUTRALS and state.habits[unit.id].by_hand]


def code_of_monster(state: BorderState, number: int) -> str:
    """The neutral code of a monster in a battle."""
    taken = {team.emblem for team in state.teams.values()}
    return f"{next(one for one in EMBLEMS if one not in taken)}U{number}"


def who_plays(state: BorderState, teams: Sequence[Side]) -> Side:
    """The Team that plays the monsters of a battle: that which is not there, or the one that moved last. BP-N31"""
    away = [team for team in state.teams if team not in teams]
    return away[0] if away else max(teams, key=lambda team: (state.now.initiative.get(team, 0), team))


def side_of(battle: Battle, unit: Unit) -> Side:
    """The Team whose a unit is in a battle: a monster is that of the Team that plays it."""
    return unit.team or battle.played_by


def settle_monsters(turn: BorderTurn, battle: Battle, fates: Mapping[str, str]) -> None:
    """Take monsters off the map that were destroyed or left; whoever alone is still there scores them. BP-N31"""
    state = turn.state
    there = {unit.team for unit in state.units_in(battle.hex) if unit.team and unit.id in battle.lines.values()}
    for code, key in battle.lines.items():
        unit = state.units.get(key)
        if unit is None or unit.kind not in NEUTRALS or fates[code] not in ("destroyed", "disengaged"):
            continue
        lose(state, [key])
        how = "is destroyed" if fates[code] == "destroyed" else "leaves"
        text = f"The {unit.name} {how} in {battle.hex}."
        if len(there) == 1:
            (team,) = there
            tally(state, team, state.scoring.monster_driven_off, unit.name)
            text = f"The {unit.name} {how} before the {state.teams[team].name} in {battle.hex}."
        turn.tell_all(text, kind="monster", why=because("BP-N31"))
