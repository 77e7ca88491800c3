"""Why a plot is refused, in words: a step that cannot be made, a task force that is not asked, a field that is absent.

Only what the side itself knows is used. PQ-17 5.3.2 to 5.3.4, 5.5, 5.1.6, 7.4.3, ruling FOG-4.
"""

from collections.abc import Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Absence, Line
from rules_engine.rulebooks.pq17.orders.order_sheets import MovementPlot
from rules_engine.rulebooks.pq17.plotting.routes import read_route
from rules_engine.rulebooks.pq17.records.forces import LAY, STAY, TaskForce
from rules_engine.rulebooks.pq17.records.state import State


@rule("5.3.3", "1.6.7.1", "5.1.6", "5.4.1", "7.4.3", "9.5")
def absences(state: State, side: Side, lines: Sequence[Line]) -> tuple[Absence, ...]:
    """Why each of a side's task forces that has none of the ``lines`` of its plot sheet is not asked, and why fields
    are not on the lines of the others. PQ-17 5.3.3, 1.6.7.1, 5.1.6, 5.4.1, 7.4.3, 9.5."""
    fields = {line.key: [field.key for field in line.fields] for line in lines}
    found: list[Absence] = []
    for tf in state.all_task_forces(side):
        if tf.id not in fields:
            found.append(Absence(key=tf.id, label=tf.label, problem=_why_not_asked(state, tf), rule="PQ-17 5.3.3"))
            continue
        for name in MovementPlot.model_fields:
            if name not in fields[tf.id]:
                rule, problem = _why_no_field(state, tf, name)
                found.append(Absence(key=tf.id, label=tf.label, field=name, problem=problem, rule=rule))
    return tuple(found)


def _why_not_asked(state: State, tf: TaskForce) -> str:
    if tf.is_base:
        return f"{tf.label} is a base, and bases do not move"
    return no_point(state, tf)


def no_point(state: State, tf: TaskForce) -> str:
    """That a task force has no movement point on this impulse, and at which speed."""
    return f"{tf.label} has no movement point on impulse {state.impulse} at {tf.speed.label}"


def _why_no_field(state: State, tf: TaskForce, name: str) -> tuple[str, str]:
    """The rule and the reason why a task force that is asked has not this field on its line."""
    match name:
        case "speed":
            problem = f"{tf.label} can keep up {tf.speed.label}: only who runs short of fuel goes slower in an impulse"
            return "PQ-17 5.1.6", problem
        case "shadow":
            return "PQ-17 7.4.3", f"{tf.label} shadows nobody"
        case "tow":
            return "PQ-17 5.4.1", f"{tf.label} has nothing to tow and nobody to tow it"
        case _:
            return "PQ-17 5.3.3", no_point(state, tf)


@rule("5.3.2", "5.3.3", "5.5.1", "5.5.3", "5.5.4", "12.5.3", "C.oob.klingon.restriction", "C.schedule.note3")
def step_refusal(state: State, tf: TaskForce, step: str, path: str, allowed: Sequence[str]) -> Refusal:
    """Why a task force cannot make a step with this impulse's movement point; ``allowed`` are those that it can make.

    PQ-17 5.3.2, 5.3.3, 5.5.1, 5.5.3, 5.5.4, 12.5.3, C.oob.klingon.restriction, C.schedule.note3."""
    legal = ", ".join(allowed)
    near = nearest(step, allowed)
    route = read_route(state, tf, step, tf.speed, path)
    if route.refusals:
        found = route.refusals[0]
        return found.model_copy(update={"legal": legal, "nearest": near or _within(found.nearest, allowed)})
    if route.steps == [LAY]:
        problem = "its ships have not the fuel for the movement point and for laying mines"
        return illegal(problem, "PQ-17 12.5.3.3", path, legal=legal)
    if len(route.steps) > 1 or route.loop:
        problem = "a plot is one step; routes are given in planning"
        return illegal(problem, "PQ-17 5.3.2", path, legal=legal, nearest=_within(route.steps[:1], allowed))
    if route.steps == [STAY] and step.casefold() != STAY:
        return illegal(f"{tf.label} is in {tf.hex} already", "PQ-17 5.3.4", path, legal=legal, nearest=(STAY,))
    return malformed(f"“{step}” is no step", path, legal=legal, nearest=_within(route.steps, allowed))


def _within(steps: Sequence[str], allowed: Sequence[str]) -> tuple[str, ...]:
    return tuple(one for one in steps if one in allowed)
