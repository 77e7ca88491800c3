"""What a battle changes: units, tows, reaction and emergencies, who left whither, score, and what is known now."""

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Fact, Lost, Sighted, because
from rules_engine.rulebooks.border_patrol.battles.captures import capture
from rules_engine.rulebooks.border_patrol.battles.convoys_met import sail_on
from rules_engine.rulebooks.border_patrol.battles.monsters import settle_monsters
from rules_engine.rulebooks.border_patrol.battles.results import BattleResult, after, fate_of, line_text, unit_of
from rules_engine.rulebooks.border_patrol.campaign.scoring import tally
from rules_engine.rulebooks.border_patrol.campaign.supply import sources
from rules_engine.rulebooks.border_patrol.ch30_towing.tows import end_tow
from rules_engine.rulebooks.border_patrol.ch40_emergency.emergency import is_endangered, keep_emergency, may_try
from rules_engine.rulebooks.border_patrol.ch50_cloaks.wearing import end_cloak, hide_again, turned_up
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import end_by_damage
from rules_engine.rulebooks.border_patrol.ch80_tugs.tugs import drop_burden, judge_tug_tow
from rules_engine.rulebooks.border_patrol.records.battles import Battle
from rules_engine.rulebooks.border_patrol.records.forces import UnitStack
from rules_engine.rulebooks.border_patrol.records.state import BorderState, BorderTurn
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.sightings import tell_posts, tidy_sightings
from rules_engine.rulebooks.border_patrol.stacks import (
    are_aboard_nothing,
    cut_tows,
    is_seen,
    lose,
    new_stack,
    others_seen,
    place,
    stop_reacting,
    tidy_words,
)

LEVEL = 4
"""How well units are known that fought: by name and class."""


GONE = ("destroyed", "captured")
"""Fates after which a Team has a unit no more."""


def carry_out(turn: BorderTurn, battle: Battle, result: BattleResult, how: str) -> None:
    """Carry out the agreed account of a battle, and tell it before all that comes of it."""
    said, why = _said(turn.state, battle, result), because("G-6", {how: ""})
    with turn.holding_back() as consequences:
        noted = _bring_about(turn, battle, result)
    for team, facts in noted.items():
        turn.tell([team], said, kind="battle", facts=facts, why=why)
    turn.tell_held(consequences)


def _bring_about(turn: BorderTurn, battle: Battle, result: BattleResult) -> dict[Side, list[Fact]]:
    """Do what an account says, with all that comes of it; what each Team knows then of those that it fought."""
    state = turn.state
    fought = {code: unit_of(state, battle, code) for code in battle.lines}
    told = {unit.id: state.stack_of(unit.id) for unit in fought.values()}
    for code, unit in fought.items():
        line = result.root[code]
        enemy = state.other(unit.team)
        was_crippled = unit.crippled
        for name, value in after(unit, line).items():
            setattr(unit, name, value)
        if not unit.team:
            continue  # what a monster scores hangs on who is left there
        if line.fate == "destroyed":
            tally(state, enemy, state.scoring.destroyed, f"{unit.name} destroyed")
        elif line.fate != "captured" and unit.crippled and not was_crippled:
            tally(state, enemy, state.scoring.crippled, f"{unit.name} crippled")
    prizes = [unit for code, unit in fought.items() if result.root[code].fate == "captured"]
    for unit in prizes:  # what a crippled tug let go lay there before it was taken, and is still its Team's
        _let_go(turn, unit)
    capture(turn, battle.hex, prizes)
    _lose(turn, [unit for code, unit in fought.items() if unit.team and result.root[code].fate == "destroyed"])
    sail_on(turn, battle.hex)
    fates = {code: line.fate for code, line in result.root.items()}
    left = [unit for code, unit in fought.items() if unit.team and fates[code] not in GONE and unit.id in state.units]
    for unit in left:
        stack = told[unit.id]
        if stack is not None and unit.reacting and unit.crippled:
            stack.moves_on = stack.orders.after != "stay"
        _suffer(turn, unit)
    gone = [unit for code, unit in fought.items() if result.root[code].fate == "disengaged" and unit in left]
    retreats = _retreat(turn, battle.hex, [unit for unit in gone if _finds_a_way(turn, unit)])
    settle_monsters(turn, battle, fates)
    cut_tows(state)
    _show_cloaks(state)
    tidy_sightings(turn)
    for team, own, others in retreats:
        turn.tell([team], own, kind="movement", why=because("BP-N25"))
        turn.tell([state.other(team)], others, kind="movement", why=because("BP-N25"))
    return {
        team: _noted(state, team, battle.hex, [(unit, told[unit.id]) for unit in left if unit.team != team])
        for team in state.teams
    }


def _said(state: BorderState, battle: Battle, result: BattleResult) -> str:
    """What both Teams agree on, of the units that are not as they were."""
    lines = {code: result.root[code] for code in battle.lines}
    changed = [line_text(state, battle, code, line) for code, line in lines.items() if fate_of(line) != "intact"]
    return f"The battle in {battle.hex} is over. {'; '.join(changed) or 'All are there as before'}."


def _lose(turn: BorderTurn, units: list[Unit]) -> None:
    """Take destroyed units out of play; a convoy of which nothing is left was caught."""
    state = turn.state
    lose(state, [unit.id for unit in units])
    for _, convoy in sorted(state.convoys.items()):
        if convoy.fate in ("waiting", "under way") and convoy.stack not in state.stacks:
            convoy.fate = "caught"
            tally(state, state.other(convoy.team), state.scoring.convoy_caught, "a convoy caught")


@rule("V8.42", "V8.48", "V8.64", "V8.82")
def _suffer(turn: BorderTurn, unit: Unit) -> None:
    """What damage takes from a unit in mid-turn: a crippled tug its burden, a crippled reactor its reaction, and a unit
    whose rating fell too low its Emergency Movement, unless its chief engineer helps. V8.42, V8.48, V8.64, V8.82,
    BP-N27"""
    state, team = turn.state, unit.team
    _let_go(turn, unit)
    if unit.towing and judge_tug_tow(unit, state.towed_by(unit)):
        for towed in state.towed_by(unit):
            end_tow(unit, towed)
    if unit.emergency:
        rolls = [
            turn.roll(f"chief engineer of {unit.name}", faces=6, count=2, key=f"engineer/{unit.id}", seen_by=[team])
            for tries in (is_endangered(unit) and not unit.crippled and may_try(unit),)
            if tries
        ]
        if not keep_emergency(unit, rolls[0].total if rolls else None):
            why = because("V8.48", dice=rolls)
            turn.tell([team], f"{unit.name} uses Emergency Movement no longer.", kind="engines", why=why)
    if end_by_damage(unit):
        tidy_words(state, unit)


@rule("V8.82")
def _let_go(turn: BorderTurn, unit: Unit) -> None:
    """Let a tug that was crippled drop its burden: its pods lie in the hex, for the Team whose it is at that moment.
    V8.82, BP-N29"""
    pods = list(unit.pods)
    dropped = drop_burden(unit, turn.state.units)
    for pod in pods if dropped else ():
        turn.state.set_down(unit.team, unit.hex, pod)
    if dropped:
        text = f"{unit.name} lets go of {', '.join(dropped)}."
        turn.tell([unit.team], text, kind="engines", why=because("V8.82"))


@rule("V8.57", "V8.58")
def _show_cloaks(state: BorderState) -> None:
    """A stack with a crippled unit, or with one in tow, is under cloak no more. V8.57, V8.58"""
    for stack in state.stacks.values():
        units = state.members(stack)
        cloaked = [unit.cloaked for unit in units]
        if any(cloaked) and (not all(cloaked) or any(unit.crippled or unit.towing for unit in units)):
            for unit in units:
                end_cloak(unit)


@rule("V8.14")
def _finds_a_way(turn: BorderTurn, unit: Unit) -> bool:
    """Whether a unit that disengaged has engines to leave with: that it had none before the battle, the account did not
    say, for its own Team alone knows. V8.14, BP-N25"""
    if unit.has_warp:
        return True
    text = f"{unit.name} disengaged, has no warp engine that works, and stays in {unit.hex}."
    turn.tell([unit.team], text, kind="movement", why=because("V8.14, BP-N25"))
    return False


def _retreat(turn: BorderTurn, hex_id: HexId, gone: list[Unit]) -> list[tuple[Side, str, str]]:
    """Let units that disengaged leave the hex, those of a stack together: back to where it came from, or to the hex
    beside it that is nearest to a source of its supply; where others stand in all of them they stay. What is to be told
    of each, to its own Team and to the other, behind all else; where hidden ones went, nobody else learns. BP-N25"""
    state, told = turn.state, list[tuple[Side, str, str]]()
    stacks = {key: stack for key, stack in sorted(state.stacks.items()) if any(unit.id in stack.units for unit in gone)}
    for stack in stacks.values():
        leaving = [unit for unit in gone if unit.id in stack.units]
        if are_aboard_nothing(unit for unit in state.members(stack) if unit not in leaving):
            leaving = state.members(stack)  # what is aboard goes along when nobody else stays
        convoy = state.convoy_of(stack.id)
        if convoy is not None:
            goal = convoy.route[convoy.gone - 1] if convoy.gone and len(leaving) == len(stack.units) else None
        else:
            goal = _refuge(state, stack)
        names = ", ".join(unit.name for unit in leaving)
        if goal is None:
            finds = verb(len(leaving), "finds", "find")
            own = f"{stack.id} disengaged and finds no way out of {hex_id}."
            told.append((stack.team, own, f"{names} disengaged and {finds} no way out of {hex_id}."))
            continue
        moving = stack
        if len(leaving) < len(stack.units):
            moving = new_stack(state, stack, [unit.id for unit in leaving])
        elif convoy is not None:
            convoy.gone -= 1
        why = turned_up(leaving)
        place(state, moving, goal)
        moving.orders.way, moving.moves_on = [], False
        hide_again(state.members(moving))
        for unit in state.members(moving):
            stop_reacting(state, unit)
        tell_posts(turn, moving)
        way = f" to the {state.grid.bearing(hex_id, goal)}" if why == "storm" else ""
        open_to_see = any(is_seen(unit) for unit in leaving)
        whither = f"disengaged to {goal}" if open_to_see else f"disengaged under cloak{way}"
        told.append((moving.team, f"{names} disengaged to {goal}, as {moving.id}.", f"{names} {whither}."))
    return told


def _refuge(state: BorderState, stack: UnitStack) -> HexId | None:
    """Where a stack's units go that disengage, of the hexes without others."""
    beside = [one for one in state.grid.neighbours(stack.hex) if not others_seen(state, stack.team, one)]
    if stack.trail and stack.trail[-1] in beside:
        return stack.trail[-1]
    homes = sources(state, stack.team)

    def far(one: HexId) -> tuple[int, HexId]:
        return min((state.grid.distance(one, home) for home in homes), default=0), one

    return min(beside, key=far, default=None)


def _noted(state: BorderState, team: Side, fought_in: HexId, units: list[tuple[Unit, UnitStack | None]]) -> list[Fact]:
    """What a Team fought, stack by stack, as contacts of this moment, where they are seen, or else where they fought:
    nobody follows them. BP-R57"""
    met: dict[str, list[Unit]] = {}
    for unit, stack in units:
        if stack is not None:
            met.setdefault(stack.id, []).append(unit)
    facts: list[Fact] = []
    for key, there in met.items():
        track = state.teams[team].tracks.issue(key)
        headline = ", ".join(f"{unit.name} ({unit.ship_class})" for unit in there)
        owner = there[0].team
        where = there[0].hex if is_seen(there[0]) else fought_in
        seen = Sighted(track=track, hex=where, level=LEVEL, level_name="known", headline=headline, owner=owner)
        facts += [seen, Lost(track=track)]
        state.teams[team].tracks.drop(key)
    return facts
