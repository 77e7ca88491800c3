"""Chapter 1.8.12 on the logistics sheet: a line for each task force that could build, extend or activate a base.

Nothing is built unless its owner says so. PQ-17 1.8.12.7, 1.8.12.9, 1.8.12.10.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import Field as Bounded

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.rulebooks.pq17.ch01_forces.construction import (
    build_refusals,
    buildable,
    can_do_something,
    free_parts,
    own_bases,
)
from rules_engine.rulebooks.pq17.ch06_reconnaissance.search_tables import CONDITION_NAMES
from rules_engine.rulebooks.pq17.ch11_repair.plan import RepairLine
from rules_engine.rulebooks.pq17.records.construction import BuildOrder
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.logistics import LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State

BUILD = "build-"
"""Prefix of the keys of construction lines, before the task force."""
MOST_PLACE = 60
USUAL_CONDITIONS = 1
NEBULA_CONDITIONS = 4

Conditions = Literal["1", "2", "3", "4"]
VERBS = {"build": "builds", "extend": "extends", "activate": "puts to work"}


class WorkLine(RepairLine):
    """A line about repairs or about construction."""

    build: str | None = None
    parts: tuple[str, ...] | None = None
    conditions: Conditions | None = None
    near: str | None = None
    place: Annotated[str, Bounded(max_length=MOST_PLACE)] | None = None


@rule("1.8.12.7")
def building_forces(state: State, side: Side) -> list[TaskForce]:
    """The task forces that could build something this turn. PQ-17 1.8.12.7."""
    return [tf for tf in state.all_task_forces(side) if can_do_something(state, tf)]


def could_build(state: State, side: Side, fresh: Sequence[str]) -> bool:
    """Whether a force that could build has units newly in Logistics posture; only then is it worth asking."""
    return any(set(tf.units) & set(fresh) for tf in building_forces(state, side))


@rule("1.8.12.4", "1.8.12.9", "1.8.12.10")
def build_lines(state: State, side: Side) -> list[Line]:
    """A line for each task force that could build, left empty. PQ-17 1.8.12.4, 1.8.12.9, 1.8.12.10, ruling BAS-13."""
    return [_line(state, tf) for tf in building_forces(state, side)]


def _line(state: State, tf: TaskForce) -> Line:
    kinds = tuple(Choice(value=one.class_id, label=f"build a {one.name}") for one in buildable(state, tf))
    extras = free_parts(state, tf)
    old = own_bases(state, tf)
    more = [Choice(value=f"extend {one.id}", label=f"extend {one.name}") for one in old if extras]
    idle = [one for one in old if one.repairs.inactive]
    again = [Choice(value=f"activate {one.id}", label=f"put {one.name} to work") for one in idle]
    fields = [Field(key="build", label="Construction", kind="one", choices=(*kinds, *more, *again), optional=True)]
    if extras:
        named = tuple(Choice(value=one.id, label=f"{one.name} ({state.class_of(one).name})") for one in extras)
        fields.append(Field(key="parts", label="Further pods and modules", kind="many", choices=named, optional=True))
    if kinds:
        levels = (NEBULA_CONDITIONS,) if state.terrain(tf.hex) == "nebula" else (1, 2, 3, 4)
        words = tuple(Choice(value=str(one), label=f"{one} ({CONDITION_NAMES[one]})") for one in levels)
        value = str(levels[0])
        fields.append(Field(key="conditions", label="Local conditions", kind="one", choices=words, value=value))
    bases = state.bases_in(tf.hex, tf.side)
    if kinds and bases:
        near = tuple(Choice(value=one.id, label=one.base.name if one.base else one.id) for one in bases)
        text = "How far from the old base and in which direction, within 50 hexes"
        fields.append(Field(key="near", label="Beside", kind="one", choices=near, optional=True))
        fields.append(
            Field(key="place", label="Where beside it", kind="text", most=MOST_PLACE, optional=True, help=text)
        )
    note = "Station Keeping, Logistics, no reconnaissance and no combat for the whole turn"
    return Line(key=f"{BUILD}{tf.id}", label=f"{tf.label} builds", fields=tuple(fields), note=note)


@rule("1.8.12.2", "1.8.12.3", "1.8.12.4", "1.8.12.5", "1.8.12.6", "1.8.12.7", "1.8.12.8", "1.8.12.9", "1.8.12.10")
def read_builds(state: State, form: Form, lines: Mapping[str, WorkLine]) -> tuple[list[BuildOrder], list[Refusal]]:
    """The orders that a sheet gives, and everything illegal about them. PQ-17 1.8.12.2 to 1.8.12.10."""
    orders: list[BuildOrder] = []
    wrong: list[Refusal] = []
    for line in form.lines:
        given = lines.get(line.key)
        if not line.key.startswith(BUILD) or given is None or not given.build:
            continue
        offered = [choice.value for field in line.fields if field.key == "build" for choice in field.choices]
        if given.build not in offered:
            near = nearest(given.build, offered)
            problem = "nothing of that kind can be built there now"
            wrong.append(malformed(problem, f"{line.key}.build", legal=", ".join(offered), nearest=near))
            continue
        order = _order(state, state.task_forces[line.key.removeprefix(BUILD)], given, given.build)
        found = build_refusals(state, order, line.key)
        wrong += found
        if not found:
            orders.append(order)
    return orders, wrong


def _order(state: State, tf: TaskForce, given: WorkLine, build: str) -> BuildOrder:
    verb, _, subject = build.partition(" ")
    order = BuildOrder(task_force=tf.id, units=sorted(tf.units), what="build", subject=build)
    if subject and verb in ("extend", "activate"):
        order.what, order.subject = verb, subject
    order.parts = list(given.parts or ())
    order.near, order.place = given.near or "", given.place or ""
    chosen = int(given.conditions or USUAL_CONDITIONS)
    order.conditions = NEBULA_CONDITIONS if state.terrain(tf.hex) == "nebula" else chosen
    return order


def say_builds(state: State, plan: LogisticsPlan) -> list[str]:
    """Construction orders in plain words."""
    said: list[str] = []
    for order in plan.builds:
        what = state.classes[order.subject].name if order.what == "build" else state.units[order.subject].name
        parts = ", ".join(state.units[one].name for one in order.parts)
        ending = f" with {parts}" if parts else ""
        if order.what == "build" and order.near:
            ending += f", beside {order.near}: {order.place}"
        elif order.what == "build" and order.conditions:
            ending += f", in {CONDITION_NAMES[order.conditions]} conditions"
        said.append(f"{order.task_force} {VERBS[order.what]} {what}{ending}.")
    return said
