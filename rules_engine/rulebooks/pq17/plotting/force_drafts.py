"""A task force as a planning sheet would make it: what is illegal about it, and what is said of it in words."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from rules_engine.core.basics.counted import counted, noun, sentence
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.knowledge.views import Course
from rules_engine.core.protocol.question import LineNow
from rules_engine.rulebooks.pq17.ch05_movement.stages import stages_of_route
from rules_engine.rulebooks.pq17.ch10_supply.fuel import cost, hex_cost, points_left
from rules_engine.rulebooks.pq17.orders.order_sheets import posture_text, write_tows
from rules_engine.rulebooks.pq17.orders.standing_read_back import say_orders
from rules_engine.rulebooks.pq17.orders.standing_words import write_orders
from rules_engine.rulebooks.pq17.plotting.errands import errand_of, say_errand
from rules_engine.rulebooks.pq17.plotting.routes import course_of, say_route
from rules_engine.rulebooks.pq17.records.forces import EXIT, IN_PLACE, PORT, Posture, TaskForce
from rules_engine.rulebooks.pq17.records.progress import ErrandStage
from rules_engine.rulebooks.pq17.records.standing_orders import NO_ORDERS, StandingClauses
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import IMPULSES, Speed

MOST_NAMED = 6
"""The most ships that are read back by name; more are counted by class."""


@dataclass(frozen=True)
class ForceDraft:
    """A task force as a sheet would make it. ``force`` is not part of the ``state``, and nobody may change it.

    ``errand`` is the stage of its errand that it follows; None without an errand or if it is planned otherwise.
    """

    state: State
    force: TaskForce
    refusals: tuple[Refusal, ...]
    errand: ErrandStage | None

    @property
    def course(self) -> Course:
        """Its route on the map."""
        force = self.force
        stages = stages_of_route(self.state, force, force.route, force.speed)
        return Course(counter=force.id, kind="plotted", hexes=course_of(force.hex, force.route), stages=stages)

    @cached_property
    def rests(self) -> bool:
        """Whether it keeps its ships, and neither moves nor has orders of its own."""
        force = self.force
        before = self.state.task_forces.get(force.id)
        same = before is not None and set(before.units) == set(force.units)
        busy = force.route or force.tows or force.shadowing or self.errand
        stands = force.speed is Speed.STATION and force.posture == Posture()
        if not same or busy or not stands:
            return False
        return errand_of(self.state, force) is None and not standing_orders_text(force)

    @cached_property
    def said(self) -> str:
        """All of it in words."""
        state, force = self.state, self.force
        route = f", route {say_route(force.route, force.loop, in_port=bool(force.in_port))}" if force.route else ""
        port = ", in port" if force.in_port else ""
        shadows = ", goes on shadowing" if force.shadowing else ""
        towing = f", towing {write_tows(force.tows)}" if force.tows else ""
        how = f"{force.speed.label}, {posture_text(force.posture)}{shadows}{towing}{route}"
        text = f"{force.label} ({_say_ships(state, force)}) in {force.hex}{port}: {how}."
        if self.errand:
            text = f"{text} {sentence(say_errand(state, force, self.errand))}."
        elif errand_of(state, force) is not None:
            text = f"{text} Its errand ends with this."
        own = _standing_orders(force)
        said = say_orders(own) if own is not None else ""
        return f"{text} {said}" if said else text

    @cached_property
    def now(self) -> LineNow:
        """What it will do, in a few words, and where it is."""
        force = self.force
        return LineNow(f"{self._will_do()}.", code=force.id, hexes=(force.hex,), doubts=self.warnings)

    def _will_do(self) -> str:
        force = self.force
        how = "" if force.posture == Posture() else f", {posture_text(force.posture)}"
        speed = force.speed.label.partition(" (")[0].lower()
        if self.errand and (errand := say_errand(self.state, force, self.errand)):
            return f"{sentence(errand)}{how}"
        if force.shadowing:
            return f"Goes on shadowing{how}"
        if force.loop:
            return f"Patrols {' '.join(force.loop)} at {speed}{how}"
        if force.route:
            last = force.route[-1]
            goal = {EXIT: "Leaves the map", PORT: "Leaves port" if force.in_port else "To port"}.get(last)
            ends = [step for step in force.route if step not in (*IN_PLACE, EXIT)]
            to = f"To {ends[-1]}" if ends else sentence(say_route(force.route, force.loop, in_port=bool(force.in_port)))
            return f"{to if goal is None or ends else goal} at {speed}{how}"
        place = "Stays in port" if force.in_port else "Stays"
        return f"{place}{how}" if force.speed is Speed.STATION else f"{place}, {speed}{how}"

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What its owner would probably regret."""
        force = self.force
        points = points_left(force.speed, IMPULSES, 2)
        said: list[str] = []
        if points and not force.route and not force.shadowing:
            said.append(f"{force.label} has no route: it will spend its movement points in {force.hex}.")
        if force.speed is Speed.STATION and force.route:
            said.append(f"{force.label} has a route but keeps station; `{force.id} at 2` would move it.")
        if weak := _weak(self.state, force, points):
            said.append(f"{force.label}: after this turn's moves {', '.join(weak)} could not pay for combat.")
        return tuple(said)


def _say_ships(state: State, force: TaskForce) -> str:
    """A few ships by name with what they carry, more of them counted by class, the heaviest first."""
    units = state.separate_units(force)
    if len(units) <= MOST_NAMED:
        return ", ".join(unit.name for unit in state.units_of(force))
    kinds = sorted(units, key=lambda unit: (-state.class_of(unit).move_cost, state.class_of(unit).label))
    counts = Counter(state.class_of(unit).label for unit in kinds)
    named = (f"{count} {noun(count, label) if label.islower() else label}" for label, count in counts.items())
    return f"{counted(len(units), 'ship')}: {', '.join(named)}"


def _weak(state: State, force: TaskForce, points: int) -> list[str]:
    """The ships that could not pay for combat after so many movement points."""
    return [
        unit.name
        for unit in state.units_of(force)
        if unit.fuel - points * hex_cost(state, force, unit, force.speed) < cost(state, unit, "combat")
    ]


def standing_orders_text(force: TaskForce) -> str:
    """A task force's own standing orders, in players' notation."""
    return write_orders(_standing_orders(force))


def _standing_orders(force: TaskForce) -> StandingClauses | None:
    own = force.doctrine
    return own if force.meeting is None else force.meeting.over(own or NO_ORDERS)
