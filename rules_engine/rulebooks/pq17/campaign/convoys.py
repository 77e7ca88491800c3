"""Convoys: deliveries, losses, unloading, and leaving the map in time.

PQ-17 C.oob.federation.kzinti-convoy, C.oob.*.base-convoy, C.cargo-supply-benefit, C.vp.7 to C.vp.10, rulings SUP-10,
SUP-11, SUP-14, SCN-17 to SCN-21.
"""

from fractions import Fraction

from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.arrivals import expect_carriers
from rules_engine.rulebooks.pq17.campaign.departures import allow_exit
from rules_engine.rulebooks.pq17.nations.homes import KLINGON, nation_of, period_of
from rules_engine.rulebooks.pq17.nations.unloading import delivery_bases
from rules_engine.rulebooks.pq17.nations.victory_points import score, to_half
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.progress import Freighter, Permit
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from rules_engine.rulebooks.pq17.tables.order_of_battle import spread
from rules_engine.rulebooks.pq17.tables.supply import Goods

SUPPLIES_A_POINT = 50
"""Supply points for one victory point. PQ-17 C.vp.7, C.vp.8."""
DELIVERY_POINTS = 12
"""Victory points that the deliveries of a period should score. PQ-17 C.vp.9."""
PER_FREIGHTER = Fraction(1, 2)
"""Victory points lost for a freighter that has not left in time. PQ-17 C.vp.10."""


# --- unloading --------------------------------------------------------------------------------------------------------


def _nation_key(state: State, unit: Unit) -> str:
    nation = nation_of(state, unit)
    return "" if nation is None else nation.key


@rule("C.vp.7", "C.vp.note5")
def delivered(turn: TurnContext[State], carrier: Unit, target: Unit, points: int) -> int:
    """Count supplies that a freighter has just unloaded: those of its original load, if the base is the Kzintis'.

    They count when the transfer is carried out, whether stored or not; returns how many did.
    PQ-17 C.vp.7, C.vp.note5, ruling SUP-10."""
    state = turn.state
    freighter = state.progress.freighters.get(carrier.id)
    if freighter is None or freighter.kind != "convoy":
        return 0
    counted = min(points, freighter.original)
    freighter.original -= counted
    base = state.tf_of(target.id)
    if base is None or base.base is None or base.id not in {one.id for one in delivery_bases(state)}:
        return 0
    _count_delivery(turn, carrier, counted, base.base.name)
    return counted


def _count_delivery(turn: TurnContext[State], carrier: Unit, points: int, where: str) -> None:
    if not points:
        return
    tally = turn.state.progress.tally
    tally.delivered += points
    why = because("PQ-17 C.vp.7", {"delivered this period": tally.delivered})
    text = f"{carrier.name} has delivered {points} supply points at {where}."
    turn.tell([ALLIANCE], text, kind="convoy", why=why)


@rule("C.vp.note5", "10.3.8.1")
def unload_for_want_of_bases(turn: TurnContext[State]) -> None:
    """Once both Kzinti bases are lost, freighters that spend a whole turn in Logistics posture in the fallback hex give
    all their supplies to freighters there, without being asked. PQ-17 C.vp.note5, 10.3.8.1."""
    state = turn.state
    fallback = state.settings.campaign.fallback_delivery
    if fallback is None or delivery_bases(state):
        return
    for tf in state.task_forces_in(fallback, ALLIANCE):
        if not tf.posture.logistics or tf.speed is not Speed.STATION:
            continue
        for unit in state.units_of(tf):
            freighter = state.progress.freighters.get(unit.id)
            plan = state.logistics.get(tf.side)
            if freighter is None or freighter.kind != "convoy" or (plan is not None and plan.impulse_of(unit.id)):
                continue
            points = min(unit.supply, freighter.original)
            unit.supply -= points
            freighter.original -= points
            _count_delivery(turn, unit, points, fallback)


@rule("C.vp.7", "SOP.2.c.ii")
def count_deliveries(turn: TurnContext[State]) -> None:
    """Count what the turn's logistics moved from freighters of bought convoys. PQ-17 C.vp.7, SOP.2.c.ii."""
    state = turn.state
    for side in turn.sides:
        plan = state.logistics.get(side)
        for one in plan.done if plan is not None else ():
            if one.goods is Goods.SUPPLY and one.amount and one.target != one.source:
                delivered(turn, state.units[one.source], state.units[one.target], int(one.amount))
    unload_for_want_of_bases(turn)
    write_off_use(state)


# --- losses -----------------------------------------------------------------------------------------------------------


@rule("C.vp.8")
def count_losses(state: State) -> None:
    """Count supplies of the bought convoys that were destroyed with their boxes or ships, or captured, in this half
    impulse.

    Within an impulse only damage takes supplies away; other uses are written off by
    :func:`write_off_use`. PQ-17 C.vp.8, ruling SCN-19."""
    for unit_id, freighter in sorted(state.progress.freighters.items()):
        if freighter.kind != "convoy" or not freighter.original:
            continue
        unit = state.units[unit_id]
        aboard = 0 if unit.fate != "in play" else unit.supply
        if aboard < freighter.original:
            state.progress.tally.destroyed += freighter.original - aboard
            freighter.original = aboard


def write_off_use(state: State) -> None:
    """At the end of a turn's logistics: exclude supplies used up or handed on, which are neither delivered nor
    destroyed."""
    for unit_id, freighter in state.progress.freighters.items():
        freighter.original = min(freighter.original, state.units[unit_id].supply)


# --- carriers -------------------------------------------------------------------------------------------------------


@rule("C.cargo-supply-benefit")
def is_carrier(state: State, unit: Unit) -> bool:
    """Whether a bought ship may carry supplies as the base convoy does. Free ships and the convoys' own ships may not.

    PQ-17 C.cargo-supply-benefit."""
    kind = state.class_of(unit)
    if kind.unit_kind != "ship" or not unit.cargo or unit.fate != "in play" or unit.carried_by:
        return False
    if unit.id in state.progress.freighters or "free" in unit.tags:
        return False
    nation = nation_of(state, unit)
    return nation is not None and any(one.nation == nation.key for one in state.settings.campaign.convoy)


@rule("C.cargo-supply-benefit")
def register_carriers(state: State) -> None:
    """At a period's start: let carriers leave the map where the base convoy does, also those that have returned.

    PQ-17 C.cargo-supply-benefit, ruling SCN-28."""
    progress = state.progress
    waiting: dict[str, list[Unit]] = {}
    for unit_id in sorted(state.units):
        unit = state.units[unit_id]
        if not is_carrier(state, unit):
            continue
        key = _nation_key(state, unit)
        progress.cargo_units.setdefault(unit_id, 0)
        if unit_id not in progress.permits:
            convoy = next(one for one in state.settings.campaign.convoy if one.nation == key)
            allow_exit(state, unit_id, Permit(kind="cargo", hexes=list(spread(convoy.entry))))
        away = progress.away.get(unit_id)
        if away is not None and away.state == "waiting" and not away.key:
            loads = [one for _, one in sorted(state.units.items()) if one.carried_by == unit_id]
            waiting.setdefault(key, []).extend([unit, *(one for one in loads if one.id in progress.away)])
    for nation, units in sorted(waiting.items()):
        expect_carriers(state, nation, units)


# --- at the period's end ----------------------------------------------------------------------------------------------


@rule("C.vp.7", "C.vp.8", "C.vp.9", "C.vp.10", "C.vp.note5", "C.vp.note6", "C.vp.note7")
def score_convoys(turn: TurnContext[State]) -> None:
    """Score deliveries, losses, the shortfall, and freighters that have not left in time.

    PQ-17 C.vp.7, C.vp.8, C.vp.9, C.vp.10, C.vp.note5, C.vp.note6, C.vp.note7, rulings SCN-18, SCN-20, SCN-21."""
    state = turn.state
    tally = state.progress.tally
    arrived = to_half(Fraction(tally.delivered, SUPPLIES_A_POINT))
    inputs = {"supply points": tally.delivered, "a point for": SUPPLIES_A_POINT}
    text = f"{tally.delivered} supply points delivered to the Kzintis."
    score(turn, "C.vp.7", arrived, because("PQ-17 C.vp.7", inputs), text=text)
    lost = Fraction(-tally.destroyed, SUPPLIES_A_POINT)
    inputs = {"supply points": tally.destroyed, "a point for": SUPPLIES_A_POINT}
    text = f"{tally.destroyed} supply points for the Kzintis destroyed."
    score(turn, "C.vp.8", lost, because("PQ-17 C.vp.8", inputs), text=text)
    if arrived < DELIVERY_POINTS:
        short = Fraction(-1, 2) * (DELIVERY_POINTS - arrived)
        why = because("PQ-17 C.vp.9", {"for deliveries": show_fraction(arrived), "called for": DELIVERY_POINTS})
        score(turn, "C.vp.9", short, why, text="Too little was delivered to the Kzintis.")
    _score_absences(turn)


def _score_absences(turn: TurnContext[State]) -> None:
    state = turn.state
    overdue = [one for key, one in sorted(state.progress.freighters.items()) if _is_late(state, key, one)]
    for side, sign in ((ALLIANCE, -1), (COALITION, 1)):
        late = [one for one in overdue if (one.nation == KLINGON) == (side == COALITION)]
        for freighter in late:
            freighter.scored = True
        if late:
            text = f"{len(late)} {turn.name_of(side)} freighter{'s' if len(late) > 1 else ''} did not leave in time."
            why = because("PQ-17 C.vp.10", {"freighters": len(late), "each": show_fraction(PER_FREIGHTER)})
            score(turn, "C.vp.10", sign * PER_FREIGHTER * len(late), why, text=text)


@rule("C.vp.note7")
def _is_late(state: State, unit_id: str, freighter: Freighter) -> bool:
    """Whether a freighter has not left by the end of the period after its arrival; lost ones count as gone.

    PQ-17 C.vp.note7, SCN-17.
    """
    if freighter.scored or period_of(state.turn) <= freighter.period:
        return False
    return state.units[unit_id].fate == "in play" and unit_id not in state.progress.away
