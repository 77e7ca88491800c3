"""Monsters and alien ships, which nobody commands: they move by the scenario's habits, after both Teams."""

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.border_patrol.campaign.scoring import tally
from rules_engine.rulebooks.border_patrol.ch10_movement.phases import entitled
from rules_engine.rulebooks.border_patrol.ch60_reaction.reacting import closing_hexes, quarries_of
from rules_engine.rulebooks.border_patrol.phases.reactions import reactions_steps
from rules_engine.rulebooks.border_patrol.records.others import Habits
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.stacks import lose

WAYS = 6
"""The sides of a hex. G-3"""


@rule("V8.55")
def outsiders_steps(turn: BorderTurn) -> Steps[None]:
    """Move each monster and alien ship by its habits, as many hexes as its allowance has points in this phase. V8.55"""
    state = turn.state
    for key in sorted(state.habits):
        habits = state.habits[key]
        for number in range(entitled(habits.allowance, state.now.phase)):
            unit = state.units[key]
            goal = _goal(turn, habits, unit, number)
            if goal is None:
                continue
            left, unit.hex = unit.hex, goal
            state.now.seen.append(f"{unit.name} {left} → {goal}")
            if habits.by_hand:
                state.now.entered.append(goal)
            yield from reactions_steps(turn, [unit], left)


def _goal(turn: BorderTurn, habits: Habits, unit: Unit, number: int) -> HexId | None:
    """The hex that it goes to next, or None."""
    match habits.habit:
        case "stays":
            return None
        case "roams":
            return _anywhere(turn, unit, number)
        case "follows":
            if habits.gone >= len(habits.route):
                return None
            habits.gone += 1
            return habits.route[habits.gone - 1]
        case "hunts":
            return _towards_quarry(turn, habits, unit, number)


def _anywhere(turn: BorderTurn, unit: Unit, number: int) -> HexId:
    """A random hex beside it; off the map the die falls again. G-3"""
    place = turn.at("outsiders", unit.id, number)
    while True:
        roll = place.roll(f"way of {unit.name}", faces=WAYS, key="way")
        goal = turn.state.grid.neighbour(unit.hex, roll.total - 1)
        if goal is not None:
            return goal


@rule("V8.55")
def lose_hidden(state: BorderState, habits: Habits, unit: Unit) -> None:
    """Let a hunter forget for good whom it was after, if that is under cloak in another hex: also if it shows itself
    before the hunter moves. V8.55"""
    chased = state.units.get(habits.quarry)
    if chased is not None and chased.cloaked and chased.hex != unit.hex:
        habits.quarry = ""
        if chased.id not in habits.lost:
            habits.lost.append(chased.id)


@rule("V8.55")
def hide_from_hunters(state: BorderState) -> None:
    """Let all hunters forget whom they were after and who goes under cloak as the turn begins. V8.55"""
    for key, habits in sorted(state.habits.items()):
        lose_hidden(state, habits, state.units[key])


@rule("V8.55")
def _towards_quarry(turn: BorderTurn, habits: Habits, unit: Unit, number: int) -> HexId | None:
    """Towards the nearest unit that it senses: of several as near the one that it is after, else one that is drawn.
    V8.55, BP-N08"""
    state = turn.state
    lose_hidden(state, habits, unit)
    near = [one for one in state.units.values() if state.grid.distance(one.hex, unit.hex) <= habits.senses]
    found = quarries_of(state.grid, unit, near, habits.lost)
    quarry = next((one for one in found if one.id == habits.quarry), found[0] if found else None)
    if len(found) > 1 and quarry is not None and quarry.id != habits.quarry:
        # Nobody sees the die: its faces would count units that are under cloak.
        place = turn.at("outsiders", unit.id, number)
        roll = place.roll(f"whom {unit.name} is after", faces=len(found), key="quarry", seen_by=[])
        quarry = found[roll.total - 1]
    habits.quarry = "" if quarry is None else quarry.id
    if quarry is None or quarry.hex == unit.hex:
        return None
    return closing_hexes(state.grid, unit.hex, quarry.hex)[0]


def drive_off(turn: BorderTurn) -> None:
    """Let monsters and alien ships leave the map that meet one Team alone, with enough BPV of sound units. BP-N24"""
    state = turn.state
    for key in sorted(state.habits):
        unit, habits = state.units[key], state.habits[key]
        there = [one for one in state.units_in(unit.hex) if one.team and not one.cloaked]
        teams = sorted({one.team for one in there})
        force = sum(one.bpv for one in there if not one.crippled)
        if habits.by_hand or len(teams) != 1 or force < habits.driven_off_by:
            continue
        team = state.teams[teams[0]]
        lose(state, [key])
        tally(state, team.id, state.scoring.monster_driven_off, unit.name)
        text = f"The {team.name} drives off the {unit.name} in {unit.hex}."
        turn.tell_all(text, kind="monster", why=because("BP-N24", {"needed": f"{habits.driven_off_by} BPV"}))
