"""The beginning of the Movement Phase: cargo is disembarked, then embarked. 13.3.3"""

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.jump_lanes.ch3_cargo.working import CargoWork, due, work_cargo
from rules_engine.rulebooks.jump_lanes.plotting.groups import tidy_fleets
from rules_engine.rulebooks.jump_lanes.records.state import LanesTurn


@rule("13.3", "13.3.3-embarking")
def move_cargo(turn: LanesTurn) -> list[CargoWork]:
    """Carry out what all squadrons do with cargo where they stand, and tell their empires; what was to be done once is
    then over. 13.3, 13.3.3-embarking, JL-R02"""
    state = turn.state
    wanted = [(key, order) for key in sorted(state.squadrons) for order in due(state.squadrons[key])]
    owners = {key: state.squadrons[key].empire for key, _ in wanted}
    work = work_cargo(state, wanted)
    for done in work:
        empire = owners[done.squadron]
        if done.refusals:
            first = done.refusals[0]
            text = f"Cargo stays as it is: {first.problem}."
            turn.tell([empire], text, kind="cargo", why=because(first.rule or "13.3.3"))
        else:
            turn.tell([empire], f"{done.text}.", kind="cargo", why=because("13.3.3"))
    for key, order in wanted:
        squadron = state.squadrons.get(key)
        if squadron is not None and not order.again and order in squadron.orders.cargo:
            squadron.orders.cargo.remove(order)
    tidy_fleets(state)
    return work
