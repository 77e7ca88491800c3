"""Score: points by the scenario's figures, told to everybody at each turn's end."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.border_patrol.records.battles import Tallied
from rules_engine.rulebooks.border_patrol.records.places import MapProvince
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.records.units import NEUTRALS

MOST_NAMED = 3
"""Provinces that are named in what a Team scores; of more their number."""


def tally(state: BorderState, team: Side, points: int, what: str) -> None:
    """Give a Team points for something; nothing is noted where the scenario gives none."""
    if points:
        state.teams[team].score += points
        state.tallied.append(Tallied(team=team, points=points, what=what))


@rule("V8.56")
def holder_of(state: BorderState, province: MapProvince) -> Side | None:
    """The Team that holds a province: with an uncrippled unit in supply in it, and nobody else there. Who is under
    cloak neither holds nor contests. V8.56, BP-N19"""
    there = [unit for unit in state.units.values() if unit.hex in province.hexes and not unit.cloaked]
    teams = {unit.team for unit in there if unit.team}
    if len(teams) != 1 or any(unit.kind in NEUTRALS for unit in there):
        return None
    able = any(not unit.crippled and unit.in_supply for unit in there)
    return min(teams) if able else None


def score_turn(turn: BorderTurn) -> None:
    """Score provinces held, receive what places yield, and tell everybody the turn's points. BP-N19

    Income is told by the map's heading alone."""
    state = turn.state
    held: dict[Side, list[str]] = {}
    for _, province in sorted(state.provinces.items()):
        team = holder_of(state, province)
        if team is not None:
            held.setdefault(team, []).append(province.name)
    for team, names in held.items():
        said = ", ".join(names) if len(names) <= MOST_NAMED else counted(len(names), "province")
        tally(state, team, len(names) * state.scoring.province, f"held {said}")
    for team in state.teams.values():
        provinces = sum(one.owner == team.id for one in state.provinces.values())
        systems = sum(one.owner == team.id for one in state.systems.values())
        team.treasury += provinces * state.economy.province + systems * state.economy.system
    for key, team in state.teams.items():
        own = [one for one in state.tallied if one.team == key]
        gained = sum(one.points for one in own)
        what = ", ".join(f"{one.what} {one.points}" for one in own)
        text = f"{team.name} {team.score}" + (f" (+{gained}): {what}." if gained else ", as before.")
        turn.tell_all(text, kind="score", why=because("BP-N19"))
    state.tallied = []
