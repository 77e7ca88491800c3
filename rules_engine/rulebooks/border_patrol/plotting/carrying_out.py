"""Carrying out sheets at the turn's beginning: parting and joining, tows, cloaks, overhauls, engineers, reaction."""

from collections.abc import Mapping

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.border_patrol.ch20_pinning.departures import is_pinned
from rules_engine.rulebooks.border_patrol.ch30_towing.tows import end_tows, take_in_tow
from rules_engine.rulebooks.border_patrol.ch40_emergency.emergency import begin_emergency, boxes_at_stake, needs_roll
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import order_cloak
from rules_engine.rulebooks.border_patrol.ch60_reaction.reacting import judge_reaction
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import begin_reaction, end_reaction
from rules_engine.rulebooks.border_patrol.plotting.formations import Formation
from rules_engine.rulebooks.border_patrol.plotting.judging import judge_plots
from rules_engine.rulebooks.border_patrol.plotting.pods import PodInReach, carry_out_loads, pods_within_reach
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.orders import STANDING, TurnPlots
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, Unit
from rules_engine.rulebooks.border_patrol.sightings import tidy_sightings
from rules_engine.rulebooks.border_patrol.stacks import join, new_stack, present_to, tidy_words


def carry_out_plots(turn: BorderTurn, team: Side, sheet: TurnPlots) -> None:
    """Carry out what a Team's judged sheet says of steps 2 and 3A; who lies in wait is judged when all have done so."""
    state = turn.state
    formations = judge_plots(state, team, sheet).formations
    reach = {key: pods_within_reach(state, one.stack) for key, one in formations.items()}
    for one in formations.values():
        if one.joins:
            join(state, one.stack, state.stacks[one.joins])
    for one in formations.values():
        if one.detached:
            _part(state, one)
    for one in formations.values():
        if not one.joins:
            _put_in_force(state, one)
            _load(turn, one, reach[one.key])
            _use_emergencies(turn, team, one)
    tidy_sightings(turn)


@rule("V8.15")
def _part(state: BorderState, one: Formation) -> None:
    """Let units stay as a stack of their own, or go a way of their own; cloaks, words and whole tows stay theirs.
    V8.15, BP-R59, BP-R61"""
    stack = state.stacks.get(one.key) or state.stacks[one.joins]
    made = new_stack(state, stack, [unit.id for unit in one.detached])
    made.orders = one.stack.orders.changed(way=list(one.part_legs), turned=False, react="no", rearguard=[])


def _put_in_force(state: BorderState, one: Formation) -> None:
    orders, line = one.stack.orders, one.line
    orders.way, orders.turned = list(one.legs), False
    orders.react, orders.rearguard = line.react or "no", list(line.rearguard or ())
    standing = one.standing
    for name in STANDING:
        setattr(orders, name, getattr(standing, name))
    real = [state.units[unit.id] for unit in one.units]
    end_tows(real)
    for unit, trial in zip(real, one.units, strict=True):
        for key in trial.towing:
            take_in_tow(unit, state.units[key])
        unit.pods = list(trial.pods)
        unit.overhaul_at = trial.overhaul_at
        order_cloak(unit, one.cloak_word)


@rule("V8.83")
def _load(turn: BorderTurn, one: Formation, reach: Mapping[str, PodInReach]) -> None:
    """Take pods up and set them down. V8.83, BP-N29"""
    for said in carry_out_loads(turn.state, one, reach):
        text = f"{one.key} {said} in {one.stack.hex}."
        turn.tell([one.stack.team], text, kind="pods", why=because("V8.83, BP-N29"))


@rule("V8.43", "V8.46", "V8.47")
def _use_emergencies(turn: BorderTurn, team: Side, one: Formation) -> None:
    """Begin Emergency Movement; beyond the allotment the chief engineer's roll says whether it is used. V8.43, V8.46,
    V8.47"""
    for unit in (turn.state.units[trial.id] for trial in one.units if trial.emergency):
        if not needs_roll(unit):
            begin_emergency(unit)
            continue
        purpose = f"chief engineer of {unit.name}"
        roll = turn.roll(purpose, faces=6, count=2, key=f"engineer/{unit.id}", seen_by=[team])
        lost = boxes_at_stake(unit)
        why = because("V8.46, V8.47", {"skill": unit.chief_engineer}, [roll])
        if begin_emergency(unit, roll.total):
            turn.tell([team], f"{unit.name} uses Emergency Movement beyond its allotment.", kind="engines", why=why)
        else:
            boxes = counted(lost, "warp engine box")
            text = f"{unit.name} fails to use Emergency Movement, loses {boxes}, and is barred."
            turn.tell([team], text, kind="engines", why=why)


@rule("V8.61", "V8.66", "V8.68")
def begin_reactions(turn: BorderTurn) -> None:
    """Let all stacks lie in wait whose sheets say so, judged for both Teams by one and the same map: whoever nobody
    pins there, with the points that the turn before left it. V8.61, V8.66, V8.68, BP-R60"""
    state = turn.state
    pinned = {
        stack.id: is_pinned(team, present_to(state, team, stack.hex))
        for team in state.teams
        for stack in state.stacks_of(team)
    }
    for team in state.teams:
        for stack in state.stacks_of(team):
            if stack.orders.react != "no":
                _lie_in_wait(turn.at("orders", team), stack, pinned=pinned[stack.id])
    for unit in state.units.values():
        if not unit.reacting:
            end_reaction(unit)  # what the turn before left it is lost
            tidy_words(state, unit)


@rule("V8.61", "V8.68")
def _lie_in_wait(turn: BorderTurn, stack: UnitStack, *, pinned: bool) -> None:
    """Let those of a stack lie in wait that may; with damaged sensors by a roll alone. Its Team is told who does not.
    V8.61, V8.68, BP-R35, BP-R60"""
    state, team = turn.state, stack.team
    units = [unit for unit in state.members(stack) if unit.kind not in CARRIED]
    refused: list[tuple[Unit, Refusal, list[Roll]]] = []
    for unit in units:
        rolls = [
            turn.roll(f"sensors of {unit.name}", faces=6, count=2, key=f"sensors/{unit.id}", seen_by=[team])
            for damaged in (unit.sensors_damaged,)
            if damaged
        ]
        found = judge_reaction(unit, pinned=pinned, sensors_roll=rolls[0].total if rolls else None)
        if found:
            refused.append((unit, found[0], rolls))
        else:
            begin_reaction(unit)
    for unit, found, rolls in refused[:1] if len(refused) == len(units) else refused:
        who = stack.id if len(refused) == len(units) else unit.name
        text = f"{who} does not lie in wait: {found.problem}."
        turn.tell([team], text, kind="reaction", why=because(found.rule, dice=rolls))
