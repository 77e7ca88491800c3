"""Battles side by side: who fights, their sheets, and the accounts of all parties. 13.2"""

from collections.abc import Iterable
from typing import NamedTuple

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.accounts import HOW_IT_ENDED
from rules_engine.core.protocol.asks import SETTLED_BY, Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.tactics.describing import described
from rules_engine.rulebooks.jump_lanes.battles.account import LaneBattleResult
from rules_engine.rulebooks.jump_lanes.battles.losses import Losses, losses_steps
from rules_engine.rulebooks.jump_lanes.battles.results import (
    agree,
    battle_guide,
    judge_account,
    line_text,
    result_form,
)
from rules_engine.rulebooks.jump_lanes.battles.set_up import set_up_of
from rules_engine.rulebooks.jump_lanes.battles.tactics import draw_order, tactics_of
from rules_engine.rulebooks.jump_lanes.battles.unsettled import stated_end
from rules_engine.rulebooks.jump_lanes.records.battles import Battle, BattleKind
from rules_engine.rulebooks.jump_lanes.records.state import LanesState, LanesTurn
from rules_engine.rulebooks.jump_lanes.records.units import SPACE_KINDS, Unit


class Settled(NamedTuple):
    """What was agreed on of a battle, how, and which cargo its owners gave up."""

    result: LaneBattleResult
    how: str
    losses: Losses


@rule("13.2")
def open_battle(
    turn: LanesTurn, where: str, units: Iterable[Unit], *, in_lane: bool = False, kind: BattleKind = "space"
) -> Battle:
    """Make a battle of these units, named by neutral codes, and tell its parties that they have met. 13.2"""
    state = turn.state
    fighting = [unit for unit in units if kind == "ground" or unit.kind in SPACE_KINDS]
    name = lane_name(state, where) if in_lane else state.place_name(where)
    # A lane's own id would tell how many lanes there are.
    key = "-".join((kind, *((state.lanes[where].a, state.lanes[where].b) if in_lane else (where,)))).replace("/", "-")
    present = {unit.empire for unit in fighting}
    sides = [key for key in state.empires if key in present]
    battle = Battle(key=key, where=where, name=name, in_lane=in_lane, kind=kind, sides=sides)
    for side in sides:
        own = [unit for unit in fighting if unit.empire == side]
        ranked = sorted(own, key=lambda unit: (-unit.siz, unit.name, unit.id))
        for number, unit in enumerate(ranked, 1):
            battle.lines[f"{state.empires[side].emblem}U{number}"] = unit.id
    state.battles[key] = battle
    if kind == "space":
        draw_order(turn, battle)
    turn.tell(sides, f"{battle.title}.", kind="battle", why=because("13.2"))
    return battle


def lane_name(state: LanesState, lane: str) -> str:
    """A lane by its ends."""
    one = state.lanes[lane]
    ends = (state.galaxies[end].name if end in state.galaxies else state.place_name(end) for end in (one.a, one.b))
    return f"the lane {' to '.join(ends)}"


def battles_steps(turn: LanesTurn, battles: Iterable[Battle]) -> Steps[dict[str, Settled]]:
    """Fight battles side by side, and let owners choose which cargo is lost: what came of each."""
    parties = {one.key: one.sides for one in battles}
    return (yield from turn.parting_steps(parties, _fight_steps, window="decision"))


def _fight_steps(turn: LanesTurn, key: str) -> Steps[Settled]:
    """Ask all parties for the account of a battle, and then owners for the cargo that they lose by it."""
    state = turn.state
    battle = state.battles[key]
    form = result_form(state, battle)
    parties: tuple[Side, ...] = tuple(battle.sides)
    preposition = "in" if battle.in_lane else "at"
    tactics = described(lambda: tactics_of(state, battle))
    ask: Ask[LaneBattleResult] = Ask(
        kind="battle",
        parties=parties,
        title=f"Result of the battle {preposition} {battle.name}",
        text="Fight it out by the sheet. Then all parties report every unit; the reports must agree line by line.",
        model=LaneBattleResult,
        form=form,
        rule="G-6",
        pace="battle",
        check=lambda result: judge_account(state, battle, result),
        read_back=lambda result: [line_text(state, battle, code, line) for code, line in result.root.items()],
        agree=lambda accounts: agree(state, battle, accounts),
        setup=set_up_of(turn, battle),
        guide=battle_guide(state, battle, form),
        ends=stated_end(state, battle, form),
        tactics=tactics.tactics,
        untracked=tactics.untracked,
        question=Question("Battle", f"{preposition.capitalize()} {battle.name}. {HOW_IT_ENDED}"),
        about=battle.title,
        set_up_from=frozenset({f"battles.{key}", *(f"units.{one}" for one in battle.lines.values())}),
    )
    result = yield from turn.ask_steps(ask)
    how = SETTLED_BY[turn.settlement("battle", parties)]
    losses = yield from losses_steps(turn, battle, result)
    return Settled(result, how, losses)
