"""Before the first turn: both sides buy their forces, then deploy them. A scenario may bring ready-made ones.

Ready-made orders of battle are files beside the scenario, ``oob_alliance.toml`` and ``oob_coalition.toml``, with the
lines of both sheets; they are judged like a player's own sheets. PQ-17 C.oob, C.purchase.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from rules_engine.core.basics.base import Side, When
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.dice import DiceStream
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.core.scenarios.files import parsed
from rules_engine.rulebooks.pq17.campaign.arrivals import expect_convoy, expect_force
from rules_engine.rulebooks.pq17.ch01_forces.base_setup import put_up
from rules_engine.rulebooks.pq17.ch01_forces.deployment_plan import DeploySheet, Troops, say_ships
from rules_engine.rulebooks.pq17.ch01_forces.deployment_sheet import carry_out_deployment, deployment_ask
from rules_engine.rulebooks.pq17.ch01_forces.purchase_prices import pools_of
from rules_engine.rulebooks.pq17.ch01_forces.purchase_sheet import (
    PurchaseSheet,
    carry_out_purchase,
    modules_of,
    opening_offer,
    purchase_ask,
)
from rules_engine.rulebooks.pq17.records.progress import Away
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.order_of_battle import ReadyMade

READY_FILES: Mapping[str, Side] = {"oob_alliance.toml": "alliance", "oob_coalition.toml": "coalition"}
"""Ready-made orders of battle, by file name."""

FIRST_TURN = 1
NOTHING_READY = ReadyMade()


def opening_steps(turn: TurnContext[State]) -> Steps[None]:
    """Purchases, then deployment, both sides at once and in secret. PQ-17 C.oob, C.purchase."""
    state = turn.state
    offers = {side: opening_offer(state, side) for side in turn.sides}
    sheets = yield from turn.at("purchase").ask_all_steps(
        [
            purchase_ask(
                turn,
                offers[side],
                title="Order of battle before turn 1",
                text=(
                    "An order of battle is filled in; change what you like, or keep it. "
                    "Write how many of what, with commas between."
                ),
                ready=state.ready_made.get(side, NOTHING_READY).purchase,
            )
            for side in turn.sides
        ]
    )
    troops = {side: _buy(turn, side, sheet) for side, sheet in zip(turn.sides, sheets, strict=True)}
    plans = yield from turn.at("deployment").ask_all_steps(
        [
            deployment_ask(turn, side, troops[side], state.ready_made.get(side, NOTHING_READY).deployment)
            for side in turn.sides
        ]
    )
    for side, plan in zip(turn.sides, plans, strict=True):
        _deploy(turn, side, troops[side], plan)
    state.ready_made = {}


def _buy(turn: TurnContext[State], side: Side, sheet: PurchaseSheet) -> Troops:
    state = turn.state
    offer = opening_offer(state, side)
    for key, fittings in modules_of(state, offer, sheet).items():
        entry = state.settings.campaign.base_of(key)
        if entry.hex is not None:
            put_up(state, entry, entry.hex, fittings)
    troops = carry_out_purchase(state, offer, sheet)
    for units in troops.values():
        for unit in units:
            state.progress.away[unit.id] = Away(state="waiting")
    return troops


def _deploy(turn: TurnContext[State], side: Side, troops: Troops, plan: DeploySheet) -> None:
    """Put a side's forces on the map; what comes on later waits off it. PQ-17 C.oob.*.deployment."""
    state = turn.state
    campaign = state.settings.campaign
    escorts = carry_out_deployment(state, side, troops, plan)
    for key, units in troops.items():
        force = next((one for one in campaign.force if one.key == key), None)
        if force is None:
            expect_convoy(state, key, units, FIRST_TURN)
        elif force.arrives != "deployed":
            expect_force(state, force, [*units, *escorts.get(key, [])], FIRST_TURN)
    mine = [unit for _, unit in sorted(state.units.items()) if unit.side == side and not state.class_of(unit).is_base]
    kept: dict[str, list[str]] = {}
    for pool in pools_of(state, side):
        kept.setdefault(pool.force.name, []).append(f"{counted(pool.points, 'point')} for {pool.category}")
    points = "; ".join(f"{', '.join(some)} ({force})" for force, some in kept.items()) or "no points"
    text = f"Your order of battle stands: {say_ships(mine) or 'no ships'}. You keep {points}."
    turn.tell([side], text, kind="purchase", why=because("PQ-17 C.purchase.4"))


# --- ready-made orders of battle --------------------------------------------------------------------------------------


def read_ready_made(files: Mapping[str, str]) -> tuple[dict[Side, ReadyMade], list[Refusal]]:
    """The ready-made orders of battle of a scenario's files, and every defect of them."""
    ready: dict[Side, ReadyMade] = {}
    refusals: list[Refusal] = []
    for name, side in READY_FILES.items():
        one = parsed(files, name, ReadyMade, refusals) if name in files else None
        if one is not None:
            ready[side] = one
    return ready, refusals


def ready_made_defects(state: State, ready: Mapping[Side, ReadyMade]) -> Iterable[Refusal]:
    """Everything that the rules forbid in ready-made orders of battle. ``state`` is changed and cannot be used
    afterwards."""
    names = {side: name for name, side in READY_FILES.items()}
    table = _empty_table(state)
    for side, made in ready.items():
        purchase, deployment = f"{names[side]}.purchase", f"{names[side]}.deployment"
        ask = purchase_ask(table, opening_offer(state, side), title="", text="", ready=made.purchase)
        sheet = PurchaseSheet.model_validate({**ask.form.prefilled(), **_plain(made.purchase)})
        wrong = list(ask.check(sheet))
        yield from _under(purchase, wrong)
        if wrong:
            continue
        troops = _buy(table, side, sheet)
        deploy = deployment_ask(table, side, troops, made.deployment)
        filled = deploy.form.prefilled()
        plan = DeploySheet.model_validate({**filled, **_with_sites(_plain(made.deployment), filled)})
        yield from _under(deployment, deploy.check(plan))


def _plain(lines: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {key: line.model_dump(exclude_none=True) for key, line in lines.items()}


def _with_sites(lines: dict[str, dict[str, Any]], filled: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Lines completed with the form's values: the hex of a hidden base is drawn by lot."""
    return {key: {**filled.get(key, {}), **line} for key, line in lines.items()}


def _under(path: str, refusals: Iterable[Refusal]) -> Iterable[Refusal]:
    for one in refusals:
        yield one.model_copy(update={"path": f"{path}.{one.path}"})


def _empty_table(state: State) -> TurnContext[State]:
    """A turn context for judging only: nothing that its dice decide is kept."""
    knowledge = {label.key: Knowledge() for label in state.sides}
    dice = DiceStream(b"for judging a ready-made order of battle")
    return TurnContext(
        state, SharedTurn(dice=dice, sides=state.sides, knowledge=knowledge, now=When(turn=0)), "judging"
    )
