"""Who defends a hex with terrain: the race that was there first. 3.5.4"""

from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.counted import verb
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import Why, because
from rules_engine.rulebooks.cutler.ch02_movement.passage import owner_by_passage
from rules_engine.rulebooks.cutler.records.conditions.cloaks import seen
from rules_engine.rulebooks.cutler.records.conditions.officers import has_navigator
from rules_engine.rulebooks.cutler.records.contest import roll_order
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Fight, Moment

_WAS, _HAS = ("was", "were"), ("has", "have")
"""The verbs of the reasons, of one race and of a coordinated force."""


class Designated(NamedTuple):
    """The defender and the attacker, and why they are."""

    defender: Side
    attacker: Side
    reason: str
    why: Why


@rule("3.5.4", "3.5.4.1", "9.7", "2.10")
def designate(turn: CutlerTurn, hex_id: HexId, pair: tuple[Side, Side]) -> Designated:
    """Who has been in the hex longest without a break defends, of a coordinated force any of its races. If both came at
    once, it is the last race that moved through surveyed neutral space before, else the one with a legendary navigator,
    else a die decides, for this impulse. 3.5.4, 3.5.4.1, 9.7, 2.10, CU-R65"""
    state, here = turn.state, turn.state.fights.get(hex_id, Fight())
    one, other = pair
    forces = {side: here.force_of(side) for side in pair}
    since = {one: _since(state, hex_id, forces[one], forces[other])}
    since[other] = _since(state, hex_id, forces[other], forces[one])
    was, has = ({side: verb(len(forces[side]), *forms) for side in pair} for forms in (_WAS, _HAS))
    if since[one] != since[other]:
        first = min(pair, key=since.__getitem__)
        return _designated(pair, first, f"{was[first]} here first", because("3.5.4, CU-R65"))
    owner = owner_by_passage(state, hex_id)
    if owner in here.races_of(*pair):
        side = next(side for side in pair if owner in here.force_of(side))
        return _designated(pair, side, f"{was[side]} the last to move through here alone", because("9.7, CU-R124"))
    shown = [unit for unit in state.units_in(hex_id) if not (unit.cloaked or unit.docked_at)]
    guided = [side for side in pair if has_navigator(unit for unit in shown if unit.race in here.force_of(side))]
    if len(guided) == 1:
        return _designated(pair, guided[0], f"{has[guided[0]]} a legendary navigator", because("3.5.4.1, CU-R65"))
    order, rolls = roll_order(turn, list(pair), "defender", seen_by=here.races_of(*pair))
    return _designated(pair, order[0], f"{has[order[0]]} the higher die", because("3.5.4.1, CU-R65", dice=rolls))


@rule("3.5.4")
def _since(state: CutlerState, hex_id: HexId, force: tuple[Side, ...], enemies: tuple[Side, ...]) -> tuple[int, int]:
    """Turn and impulse since when a force is in a hex: each of its races as noted, else since the first of its units
    came that the enemy sees; a race that has none left there counts for nothing. 3.5.4, 2.6.2.1"""
    came: list[Moment | None] = []
    for race in force:
        noted = state.presence.get(hex_id, {}).get(race)
        shown = [unit for enemy in enemies for unit in seen(state, hex_id, race, enemy)]
        came += [unit.entered_at for unit in shown] if noted is None else [noted]
    came = came or [unit.entered_at for race in force for unit in state.units_in(hex_id, race)]
    return min(((one.turn, one.impulse) if one is not None else (0, 0) for one in came), default=(0, 0))


def _designated(pair: tuple[Side, Side], defender: Side, reason: str, why: Why) -> Designated:
    return Designated(defender, next(race for race in pair if race != defender), reason, why)
