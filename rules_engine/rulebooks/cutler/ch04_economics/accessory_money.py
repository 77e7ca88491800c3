"""Chapter 4.2.4: accessories take repair boxes that docking bays leave free, and are made and moved at once."""

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch04_accessories.orders import AccessoryPlans, judge_accessories, load, say_order
from rules_engine.rulebooks.cutler.ch04_economics.dock_orders import DockPlans
from rules_engine.rulebooks.cutler.ch04_economics.plan import Demand
from rules_engine.rulebooks.cutler.records.economy import Spent
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn, Unit


@rule("4.2.1", "4.2.4")
def accessories_beside(state: CutlerState, race: Side, sheet: TurnSheet, docks: DockPlans) -> AccessoryPlans:
    """A sheet's accessories. They take repair boxes for which no docking bay names a number; bays that take what there
    is get the rest. 4.2.1, 4.2.4, CU-N65"""

    def free(base: Unit) -> int:
        asked = [plan.demand.asked or 0 for plan in docks.plans if plan.demand and plan.dock.base is base]
        return base.record.repair - sum(asked)

    found = judge_accessories(state, race, sheet.accessories, free)
    left = {base.id: free(base) - found.spent_at(base.id) for base in state.alive(race) if base.kind == "base"}
    for plan in docks.plans:
        if plan.demand and plan.demand.asked is None:
            plan.demand.most = min(plan.demand.most, max(0, left[plan.dock.base.id]))
            left[plan.dock.base.id] -= plan.demand.most
    return found


def demands_of(found: AccessoryPlans) -> list[Demand]:
    """What accessories take through repair boxes."""
    bought = [(plan, plan.base) for plan in found.plans if plan.base and plan.cpv]
    return [Demand(f"{plan.key}.count", base.hex, plan.cpv, plan.cpv) for plan, base in bought]


@rule("4.2.4", "4.2.1")
def make_accessories(turn: CutlerTurn, race: Side, found: AccessoryPlans) -> None:
    """Make and move them. 4.2.4, 4.2.1, CU-N65"""
    state = turn.state
    for plan in found.plans:
        load(state, plan)
        if plan.base is not None:
            item = f"{plan.count} {'CPV of mines' if plan.item.kind == 'mines' else f'x {plan.item.name}'}"
            state.spent.append(Spent(base=plan.base.id, race=race, item=item, cpv=plan.cpv))
        done = "Moved" if plan.base is None else "Made"
        turn.tell([race], f"{done}: {say_order(plan)}.", kind="economy", why=because("4.2.4, CU-N65"))
