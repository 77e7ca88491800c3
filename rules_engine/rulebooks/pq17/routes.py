"""Routes as players write them: ``0406 0407 stay port``. PQ-17 ruling MOV-8."""

import re
from collections.abc import Sequence

from rules_engine.core.base import HexId
from rules_engine.core.hexes import UnknownHex
from rules_engine.core.refusals import Refusal, illegal, malformed
from rules_engine.rulebooks.pq17.ch05_movement import FASTEST_IN_PORT
from rules_engine.rulebooks.pq17.orders import MOST_STEPS
from rules_engine.rulebooks.pq17.state import PORT, STAY, State, TaskForce
from rules_engine.rulebooks.pq17.tables import Speed

_BETWEEN = re.compile(r"[\s,;>→]+")


def read_route(state: State, tf: TaskForce, text: str, speed: Speed, path: str) -> tuple[list[str], list[Refusal]]:
    """The steps of a written route from where the task force stands, each one movement point, and every defect.

    Only the owner's own bases count as ports, and enemies in the way are no defect. PQ-17 5.3.2, 5.3.3, 5.5.1 to
    5.5.4, ruling FOG-4."""
    steps: list[str] = []
    refusals: list[Refusal] = []
    here, in_port = tf.hex, bool(tf.in_port)
    words = [word for word in _BETWEEN.split(text.strip()) if word]
    if len(words) > MOST_STEPS:
        return [], [malformed(f"a route has at most {MOST_STEPS} steps", path)]
    for word in words:
        step, defect = _read_step(state, tf, word, here, in_port=in_port, speed=speed, path=path)
        if defect is not None:
            refusals.append(defect)
            break  # what follows starts from a place that is not known
        steps.append(step)
        if step == PORT:
            in_port = not in_port
        elif step != STAY:
            here = step
    return steps, refusals


def _read_step(
    state: State, tf: TaskForce, word: str, here: HexId, *, in_port: bool, speed: Speed, path: str
) -> tuple[str, Refusal | None]:
    lowered = word.casefold()
    if lowered == STAY:
        return STAY, None
    if lowered == PORT:
        return PORT, _port_defect(state, tf, here, in_port=in_port, speed=speed, path=path)
    try:
        hex_id = state.grid.parse(word)
    except UnknownHex as error:
        return "", malformed(f"{word!r} is no hex", path, legal="hex numbers, stay, port", nearest=error.nearest)
    if in_port:
        problem = f"a task force must leave port before it goes to {hex_id}"
        return "", illegal(problem, "PQ-17 5.5.3", path, legal="port, then the hex", nearest=(f"port {hex_id}",))
    if hex_id == here:
        return STAY, None
    around = state.grid.neighbours(here)
    if hex_id not in around:
        toward = min(around, key=lambda one: (state.grid.distance(one, hex_id), one))
        problem = f"{hex_id} does not touch {here}"
        return "", illegal(problem, "PQ-17 5.3.3", path, legal=", ".join(sorted(around)), nearest=(toward,))
    return hex_id, None


def _port_defect(state: State, tf: TaskForce, here: HexId, speed: Speed, path: str, *, in_port: bool) -> Refusal | None:
    if speed.rate > FASTEST_IN_PORT.rate:
        return illegal("ports are entered and left at speed 2 or less", "PQ-17 5.5.4", path, legal="speed 2 or less")
    if not in_port and not state.bases_in(here, tf.side):
        own = [base.hex for base in state.all_task_forces(tf.side) if base.is_base]
        return illegal(f"you have no base in {here}", "PQ-17 5.5.1", path, legal=f"your bases: {', '.join(own)}")
    return None


def course_of(start: HexId, steps: Sequence[str]) -> tuple[HexId, ...]:
    """The hexes that a route touches, for drawing."""
    return (start, *(step for step in steps if step not in (STAY, PORT)))


def say_route(steps: Sequence[str]) -> str:
    """A route in plain words."""
    said = {STAY: "stay", PORT: "enter or leave port"}
    return " → ".join(said.get(step, step) for step in steps)
