"""Lookups for logistics plans: where convoys may unload, and which supplies count even if they find no room.

PQ-17 C.oob.*.base-convoy, C.vp.note5, rulings SUP-10, SUP-14.
"""

from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.nations.homes import KZINTI, bases_named, bases_of, commander_of
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, State


@rule("C.vp.note5")
def delivery_bases(state: State) -> list[TaskForce]:
    """The Kzinti bases of the scenario that still stand in Alliance hands: Arzangel and Murzank. PQ-17 C.vp.note5."""
    keys = [base.key for base in state.settings.campaign.base if base.nation == KZINTI]
    return [tf for tf in bases_named(state, keys) if tf.side == ALLIANCE]


@rule("C.oob.federation.base-convoy", "C.oob.kzinti.base-convoy", "C.oob.klingon.base-convoy")
def unloading_refusal(state: State, carrier: Unit, target: Unit, path: str = "") -> Refusal | None:
    """Why a base convoy's freighter may not give supplies to ``target``, or None. It unloads only at bases of its
    nation, the scenario's own and built ones. PQ-17 C.oob.*.base-convoy, ruling SUP-14."""
    freighter = state.progress.freighters.get(carrier.id)
    if freighter is None or freighter.kind != "resupply":
        return None
    nation = freighter.nation
    tf = state.tf_of(target.id)
    if tf is not None and tf.is_base and commander_of(state, target) == nation:
        return None
    legal = ", ".join(base.base.name for base in bases_of(state, nation) if base.base is not None)
    problem = f"{carrier.name} belongs to a base convoy and unloads at its nation's bases only"
    return illegal(problem, f"PQ-17 C.oob.{nation}.base-convoy", path, legal=legal)


@rule("C.vp.7")
def is_handed_over(state: State, source: Unit, target: Unit) -> bool:
    """Whether the Kzintis use up at once, stored or not, what ``source`` gives ``target``: true for a bought convoy's
    freighter at one of their bases. PQ-17 C.vp.7, ruling SUP-10."""
    freighter = state.progress.freighters.get(source.id)
    if freighter is None or freighter.kind != "convoy":
        return False
    return any(target.id in base.units for base in delivery_bases(state))
