"""Leaving port without a plot, as pursuers do, and the command points for it. PQ-17 4.2.3, 8.5.6.2, C.cp.*, CP-4."""

from collections.abc import Callable, Collection, Mapping

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.campaign.command_points import commands, cost_of, left, need, price, too_few_points
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import State


@rule("4.2.3", "C.cp.cruisers-and-dreadnoughts", "C.cp.kzinti")
def unpaid_sorties(
    state: State, side: Side, forces: Mapping[str, TaskForce], going: Collection[str], path: Callable[[str], str]
) -> list[Refusal]:
    """A refusal of each of a sheet's ``forces`` whose leaving port adds to a cost that its nation cannot pay.

    ``forces`` are the task forces that would be formed, by the lines of the sheet; ``going`` names the lines of those
    that would leave port, if they are in one. PQ-17 4.2.3, C.cp.*, ruling CP-4.
    """
    leaving = sorted(key for key in going if forces[key].in_port)
    if not leaving:
        return []
    formed = {unit_id for tf in forces.values() for unit_id in tf.units}
    others = [tf for tf in state.all_task_forces(side) if not formed & set(tf.units)]

    def all_if(out: Collection[str]) -> list[TaskForce]:
        there = [tf.changed(id=key, in_port="" if key in out else tf.in_port) for key, tf in forces.items()]
        return [*others, *there]

    refusals: list[Refusal] = []
    for nation in commands(state, side):
        wanted = need(state, nation.key, all_if(leaving))
        short = -left(state, nation.key, wanted)
        if short > 0 and cost_of(state, nation.key, wanted) > price(state, nation, all_if(())):
            refusals += [too_few_points(state, nation, short, path(key)) for key in leaving if key in wanted.causes]
    return refusals
