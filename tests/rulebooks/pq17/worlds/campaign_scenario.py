"""The campaign scenario for tests: its files, a fresh state, and purchases and deployments written as players do."""

from functools import cache
from pathlib import Path
from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refusal, Refused
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.ch01_forces import deployment_plan, deployment_sheet
from rules_engine.rulebooks.pq17.ch01_forces.purchase_sheet import (
    Offer,
    PurchaseSheet,
    carry_out_purchase,
    opening_offer,
    purchase_ask,
)
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.order_of_battle import BuyLine
from tests.rulebooks.pq17.worlds.notation import table

CAMPAIGN = Path(__file__).parents[4] / "config" / "scenarios" / "pq17" / "campaign"


@cache
def files() -> dict[str, str]:
    """The scenario's files as texts."""
    return {path.name: path.read_text() for path in sorted(CAMPAIGN.iterdir())}


@cache
def document() -> dict[str, Json]:
    """The scenario, validated."""
    return RULEBOOK.read_scenario(files())


def campaign() -> State:
    """The state before anything is bought."""
    return RULEBOOK.set_up(document())


def at_opening(state: State, lot: int = 1) -> TurnContext[State]:
    """A turn context before turn 1; ``lot`` is the roll that draws Bastion's hex."""
    state.turn = 1
    return table(state, by_label={"Bastion": lot})


def purchase(state: State, side: str, offer: Offer | None = None) -> Any:
    """The ask for a purchase, ready-made lines filled in."""
    ready: dict[str, BuyLine] = state.ready_made[side].purchase if side in state.ready_made else {}
    return purchase_ask(at_opening(state), offer or opening_offer(state, side), title="", text="", ready=ready)


def refused(ask: Any, **lines: dict[str, Json]) -> list[Refusal]:
    """What is wrong with the filled-in sheet once these lines are changed; keys with ``_`` for ``-``."""
    sheet = ask.form.prefilled()
    for key, line in lines.items():
        sheet[key.replace("_", "-")] = line
    try:
        ask.answer_from(sheet)
    except Refused as wrong:
        return list(wrong.refusals)
    return []


def rules_of(refusals: list[Refusal]) -> list[str]:
    """The rules that refusals name, without the book."""
    return [one.rule.removeprefix("PQ-17 ") for one in refusals]


def bought(state: State, side: str, **lines: str) -> dict[str, list[Unit]]:
    """Buy the ready-made order of battle, with these ``buy`` lines instead."""
    sheet = purchase(state, side).form.prefilled()
    for key, text in lines.items():
        sheet[key.replace("_", "-")] = {"buy": text}
    return carry_out_purchase(state, opening_offer(state, side), PurchaseSheet.model_validate(sheet))


def deployment(state: State, side: str, troops: dict[str, list[Unit]], *, ready: bool = True, lot: int = 1) -> Any:
    """The ask for a deployment of what was bought."""
    lines = state.ready_made[side].deployment if ready else {}
    return deployment_sheet.deployment_ask(at_opening(state, lot), side, troops, lines)


def deploy_sheet(ask: Any, **lines: dict[str, Json]) -> deployment_plan.DeploySheet:
    """The filled-in sheet with these lines changed, judged."""
    sheet = ask.form.prefilled()
    for key, line in lines.items():
        sheet[key.replace("_", "-")] = line
    return ask.answer_from(sheet)
