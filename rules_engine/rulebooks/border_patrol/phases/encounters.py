"""Unexpected encounters of cloaked stacks that moved, and what becomes known by them. V8.70"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Lost, Sighted, because
from rules_engine.core.protocol.asks import Steps
from rules_engine.rulebooks.border_patrol.battles.convoys_met import set_upon
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import turn_up, turned_up
from rules_engine.rulebooks.border_patrol.ch70_encounters.encounters import (
    MadeKnown,
    Province,
    encounter_kind,
    is_found,
    made_known,
    must_roll,
)
from rules_engine.rulebooks.border_patrol.phases.decisions import convoy_steps
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn

LEVEL = 2
"""How well cloaked units are known that were found: number and Size Classes, no names."""


@rule("V8.71", "V8.72", "V8.73")
def encounters_steps(turn: BorderTurn) -> Steps[None]:
    """Roll for each cloaked stack that moved in this phase. Nobody sees these dice before the campaign's end: who is
    detected must not know of it. V8.71, V8.72, V8.73"""
    state = turn.state
    for team in state.teams:
        for stack in state.stacks_of(team):
            units = state.members(stack)
            if turned_up(units) or not must_roll(units, moved=bool(state.now.moved.get(stack.id))):
                continue
            province = _province(state, stack)
            place = turn.at("encounter", stack.id)
            roll = place.roll("unexpected encounter", faces=6, count=2, key="found", seen_by=[])
            if not is_found(units, roll.total, province):
                continue
            what = place.roll("what is encountered", faces=6, key="what", seen_by=[])
            known = made_known(units, encounter_kind(team, what.total, province))
            if known is None:
                continue
            fights = yield from _fights_steps(turn, stack, known)
            _tell(turn, stack, known, fights=fights)


def _province(state: BorderState, stack: UnitStack) -> Province:
    found = state.province_at(stack.hex)
    return Province() if found is None else Province(found.owner, found.disrupted)


@rule("T8.730")
def _fights_steps(turn: BorderTurn, stack: UnitStack, known: MadeKnown) -> Steps[bool]:
    """Whether a stack fights the convoy that it came upon, by its standing order or its captain; one that runs is let
    go otherwise. A Team whose scenario names no ships for its convoys has none that could be caught. T8.730, BP-N30"""
    if known.kind != "convoy" or turn.state.other(stack.team) not in turn.state.supply_convoys:
        return False
    if stack.orders.convoys == "ask":
        return (yield from convoy_steps(turn, stack))
    return stack.orders.convoys == "fight"


@rule("T8.730")
def _tell(turn: BorderTurn, stack: UnitStack, known: MadeKnown, *, fights: bool) -> None:
    """Tell exactly those whom the result names what it names: a storm everybody, a post the opposing Team alone, a
    convoy that Team and who came upon it. Where they fight, a convoy is a battle hex. T8.730"""
    state = turn.state
    other = state.teams[state.other(stack.team)]
    classes = ", ".join(map(str, known.size_classes))
    what = f"{known.number} cloaked, Size Class {classes}"
    left = stack.trail[-1]
    going = f", going {state.grid.bearing(left, stack.hex)}" if known.direction and not known.upturned else ""
    track = other.tracks.issue(stack.id)
    sighted = Sighted(
        track=track, hex=stack.hex, level=LEVEL, level_name="found", headline=what + going, owner=stack.team
    )
    why = because("V8.73, T8.730", {"by": known.kind})
    if known.upturned:
        turn_up(state.members(stack), "storm")
        state.now.entered.append(stack.hex)
        text = f"An ion storm in {stack.hex} shows units of the {state.teams[stack.team].name}: {what}."
        turn.tell_all(text, kind="encounter", why=why)
        turn.tell([other.id], f"They are {track} to you.", kind="contact", facts=[sighted], why=why)
        return
    if fights:
        set_upon(state, stack)
        text = f"A convoy in {stack.hex} is set upon by {track}: {what}."
        turn.tell([other.id], text, kind="encounter", facts=[sighted], why=why)
        text = f"{stack.id} came upon a convoy in {stack.hex}, and fights it."
        turn.tell([stack.team], text, kind="encounter", why=why)
        return
    by = "A listening post detects" if known.kind == "listening post" else "A convoy, which runs, reports"
    text = f"{by} {track} in {stack.hex}: {what}{going}."
    turn.tell([other.id], text, kind="encounter", facts=[sighted, Lost(track=track)], why=why)
    other.tracks.drop(stack.id)
    if known.kind == "convoy":
        text = f"{stack.id} came upon a convoy in {stack.hex}. It runs, and reports you."
        turn.tell([stack.team], text, kind="encounter", why=why)
