"""Carrying out a sheet at the turn's beginning: parting and joining, tows, cloaks, overhauls, engineers, reaction."""

from collections.abc import Mapping

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.border_patrol.ch20_pinning.departures import is_pinned
from rules_engine.rulebooks.border_patrol.ch40_emergency.emergency import begin_emergency, boxes_at_stake, needs_roll
from rules_engine.rulebooks.border_patrol.ch50_cloaks.cloaks import judge_cloaked_stack
from rules_engine.rulebooks.border_patrol.ch60_reaction.points import end_of_turn
from rules_engine.rulebooks.border_patrol.ch60_reaction.reacting import judge_reaction
from rules_engine.rulebooks.border_patrol.plotting.formations import Formation
from rules_engine.rulebooks.border_patrol.plotting.judging import judge_plots
from rules_engine.rulebooks.border_patrol.plotting.pods import PodInReach, carry_out_loads, pods_within_reach
from rules_engine.rulebooks.border_patrol.records.orders import STANDING, TurnPlots
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.records.units import CARRIED, Unit
from rules_engine.rulebooks.border_patrol.sightings import tidy_sightings
from rules_engine.rulebooks.border_patrol.stacks import join, new_stack, present_to


def carry_out_plots(turn: BorderTurn, team: Side, sheet: TurnPlots) -> None:
    """Carry out a Team's judged sheet."""
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
            _lie_in_wait(turn, team, one)
    _end_waiting(state, team)
    tidy_sightings(turn)


def _part(state: BorderState, one: Formation) -> None:
    """Let units stay as a stack of their own, under cloak if they were and all of them may be."""
    stack = state.stacks.get(one.key) or state.stacks[one.joins]
    made = new_stack(state, stack, [unit.id for unit in one.detached])
    units = state.members(made)
    for unit in units:
        unit.towing, unit.towed_by = [], ""
    made.orders.cloak = "no" if judge_cloaked_stack(units) else one.stack.orders.cloak
    for unit in units:
        unit.cloaks = unit.cloaked = made.orders.cloak != "no"


def _put_in_force(state: BorderState, one: Formation) -> None:
    orders, line = one.stack.orders, one.line
    orders.way, orders.turned, orders.cloak = list(one.legs), False, one.cloak
    orders.react, orders.rearguard = line.react or "no", list(line.rearguard or ())
    standing = one.standing
    for name in STANDING:
        setattr(orders, name, getattr(standing, name))
    for unit in one.units:
        real = state.units[unit.id]
        real.pods = list(unit.pods)
        real.towing, real.towed_by = list(unit.towing), unit.towed_by
        real.cloaks, real.cloaked, real.overhaul_at = unit.cloaks, unit.cloaked, unit.overhaul_at


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
            text = f"{unit.name} fails to use Emergency Movement, loses {lost} warp engine boxes, and is barred."
            turn.tell([team], text, kind="engines", why=why)


@rule("V8.61", "V8.66", "V8.68")
def _lie_in_wait(turn: BorderTurn, team: Side, one: Formation) -> None:
    """Let a stack lie in wait that nobody pins, with the points held since the turn before; with damaged sensors only
    by a roll. V8.61, V8.66, V8.68, BP-R35"""
    state, stack = turn.state, one.stack
    units = [unit for unit in state.members(stack) if unit.kind not in CARRIED]
    if stack.orders.react == "no":
        return
    pinned = is_pinned(team, present_to(state, team, stack.hex))
    for unit in units:
        rolls = [
            turn.roll(f"sensors of {unit.name}", faces=6, count=2, key=f"sensors/{unit.id}", seen_by=[team])
            for damaged in (unit.sensors_damaged,)
            if damaged
        ]
        found = judge_reaction(unit, pinned=pinned, sensors_roll=rolls[0].total if rolls else None)
        if found:
            text = f"{stack.id} does not lie in wait: {found[0].problem}."
            turn.tell([team], text, kind="reaction", why=because(found[0].rule, dice=rolls))
            stack.orders.react = "no"
            return
    for unit in units:
        _keep_waiting(unit)


def _keep_waiting(unit: Unit) -> None:
    end_of_turn(unit, declared_again=True)
    unit.reacting = True


def _end_waiting(state: BorderState, team: Side) -> None:
    """Whoever does not lie in wait again loses what it held."""
    for stack in state.stacks_of(team):
        if stack.orders.react == "no":
            for unit in state.members(stack):
                end_of_turn(unit, declared_again=False)
