"""Routes as players write them: ``0406 0407 stay port``, ``to 0412``, and patrols ``loop 0406 0405``. Ruling MOV-8."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.refusals import Refusal, illegal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.routes import LOOP, TO, PlottedRoute, say_patrol, walked, words_in
from rules_engine.core.grids.hexes import UnknownHex
from rules_engine.rulebooks.pq17.ch05_movement.may_lay import lay_refusal
from rules_engine.rulebooks.pq17.ch05_movement.speeds import FASTEST_IN_PORT
from rules_engine.rulebooks.pq17.nations.homes import exit_refusal, is_bound
from rules_engine.rulebooks.pq17.orders.order_sheets import MOST_STEPS
from rules_engine.rulebooks.pq17.records.forces import EXIT, IN_PLACE, LAY, PORT, STAY, TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed

_NO_HEXES = (*IN_PLACE, EXIT)
_IN_WORDS = {
    re.compile(r"\b(?:stay(?:s)? and )?lay(?:s)? mines\b", re.IGNORECASE): LAY,
    re.compile(r"\bleave(?:s)? the map\b", re.IGNORECASE): EXIT,
    re.compile(r"\b(leave|enter)(?:s)? port\b", re.IGNORECASE): r"\1-port",
}
"""Steps as they are read back, and how they are written."""
_FROM = re.compile(r"\s*(?P<hex>\d{4})\s*(?:>|→)\s*(?=\S)")
_LEAVE, _ENTER = "leave-port", "enter-port"


@dataclass
class _Walk:
    """The position a route has reached so far, while it is read."""

    state: State
    tf: TaskForce
    speed: Speed
    path: str
    here: HexId
    in_port: bool
    steps: list[str] = field(default_factory=list[str])
    defect: Refusal | None = None

    def take(self, word: str) -> bool:
        """Take one step; False, with a defect, if it is impossible."""
        step, self.defect = self._read(word)
        if self.defect is not None:
            return False
        self.steps.append(step)
        if step == PORT:
            self.in_port = not self.in_port
        elif step not in _NO_HEXES:
            self.here = step
        return True

    def go_to(self, word: str) -> bool:
        """Go to a hex by the shortest path; of several, by the one with the lowest hex numbers."""
        try:
            goal = self.state.grid.parse(word)
        except UnknownHex as error:
            self.defect = _no_hex(word, self.path, error.nearest)
            return False
        if self.in_port and goal != self.here and not self.take(PORT):
            return False
        while self.here != goal and len(self.steps) <= MOST_STEPS:
            if not self.take(_toward(self.state, self.here, goal)):
                return False
        return True

    def _read(self, word: str) -> tuple[str, Refusal | None]:
        state, path = self.state, self.path
        lowered = word.casefold()
        if EXIT in self.steps:
            return "", illegal("nothing follows on leaving the map", "PQ-17 5.3", path, legal=f"{EXIT} comes last")
        if lowered == STAY:
            return STAY, None
        if lowered == LAY:
            return LAY, lay_refusal(state, self.tf, self.here, path)
        if lowered == EXIT:
            return EXIT, self._exit_defect()
        if lowered in (PORT, _LEAVE, _ENTER):
            if lowered != PORT and (lowered == _LEAVE) is not self.in_port:
                problem = f"there it is {'in' if self.in_port else 'not in'} port"
                legal = "enter port" if lowered == _LEAVE else "leave port"
                return "", illegal(problem, "PQ-17 5.5", path, legal=legal)
            return PORT, self._port_defect()
        try:
            hex_id = state.grid.parse(word)
        except UnknownHex as error:
            return "", _no_hex(word, path, error.nearest)
        if self.in_port:
            problem = f"a task force must leave port before it goes to {hex_id}"
            return "", illegal(problem, "PQ-17 5.5.3", path, legal="port, then the hex", nearest=(f"port {hex_id}",))
        if hex_id == self.here:
            return STAY, None
        if self._is_bound:
            problem = f"{self.tf.label} may not leave {self.here}: no Federation warship is identified away from base"
            return "", illegal(problem, "PQ-17 C.oob.klingon.restriction", path, legal=f"{STAY}, {PORT}")
        around = state.grid.neighbours(self.here)
        if hex_id not in around:
            problem = f"{hex_id} does not touch {self.here}"
            legal = f"{', '.join(sorted(around))}; or {TO} {hex_id}"
            return "", illegal(problem, "PQ-17 5.3.3", path, legal=legal, nearest=(_toward(state, self.here, hex_id),))
        return hex_id, None

    def again(self, loop: Sequence[str]) -> Refusal | None:
        """Why these steps cannot begin again from where they end; None if they can."""
        again = _Walk(self.state, self.tf, self.speed, self.path, here=self.here, in_port=self.in_port)
        for step in loop:
            if not again.take(step):
                problem = f"this patrol ends in {self.here}, from where it cannot begin again"
                return illegal(problem, "PQ-17 5.3.3", self.path, legal=f"end beside {step}")
        return None

    @cached_property
    def _is_bound(self) -> bool:
        return is_bound(self.state, self.tf)

    def _port_defect(self) -> Refusal | None:
        state, path = self.state, self.path
        if self.speed.rate > FASTEST_IN_PORT.rate:
            problem = "ports are entered and left at speed 2 or less"
            return illegal(problem, "PQ-17 5.5.4", path, legal="speed 2 or less")
        if not self.in_port and not state.bases_in(self.here, self.tf.side):
            own = [base.hex for base in state.all_task_forces(self.tf.side) if base.is_base]
            problem = f"you have no base in {self.here}"
            return illegal(problem, "PQ-17 5.5.1", path, legal=f"your bases: {', '.join(own)}")
        return None

    def _exit_defect(self) -> Refusal | None:
        if self.in_port:
            problem = "a task force must leave port before it leaves the map"
            return illegal(problem, "PQ-17 5.5.3", self.path, legal=f"{PORT} {EXIT}")
        return exit_refusal(self.state, self.tf, self.here, self.path)


def _toward(state: State, here: HexId, goal: HexId) -> HexId:
    return min(state.grid.neighbours(here), key=lambda one: (state.grid.distance(one, goal), one))


def _no_hex(word: str, path: str, near: Sequence[str]) -> Refusal:
    legal = f"hex numbers, {STAY}, {PORT}, {LAY}, {EXIT}, {TO} and a hex, {LOOP}"
    return malformed(f"{word!r} is no hex", path, legal=legal, nearest=tuple(near))


@rule("5.3.2", "5.3.3", "5.5.1", "5.5.2", "5.5.3", "5.5.4")
def read_route(state: State, tf: TaskForce, text: str, speed: Speed, path: str) -> PlottedRoute:
    """The steps of a written route from where the task force stands, each one movement point, and every defect.

    Only the owner's own bases count as ports, and enemies in the way are no defect. PQ-17 5.3.2, 5.3.3, 5.5.1 to
    5.5.4, rulings FOG-4, MOV-8."""
    written = _FROM.sub("", text, count=1) if _begins_in(text, tf.hex) else text
    return _read_words(state, tf, words_in(written, _IN_WORDS), speed, path)


def _begins_in(text: str, hex_id: HexId) -> bool:
    """Whether a route is written step by step from where the force stands: ``0403 > 0404``. Without the arrow, that hex
    is a step, and a movement point is spent there."""
    begins = _FROM.match(text)
    return begins is not None and begins["hex"] == hex_id


def _read_words(state: State, tf: TaskForce, words: Sequence[str], speed: Speed, path: str) -> PlottedRoute:
    """The steps of a route in the words of a plain one, and every defect."""
    walk = _Walk(state, tf, speed, path, here=tf.hex, in_port=bool(tf.in_port))
    return walked(words, walk, path, most=MOST_STEPS)


@rule("5.3.2")
def stored_route(state: State, tf: TaskForce, speed: Speed) -> PlottedRoute:
    """The rest of a stored route, as far as legal. A force drawn off its patrol goes back to its nearest point.

    PQ-17 5.3.2, ruling MOV-8."""
    kept = _read_words(state, tf, tf.route, speed, tf.id).steps if tf.route else []
    if not tf.loop:
        return PlottedRoute(kept)
    if kept != tf.route or not kept:
        kept = _back_on_patrol(state, tf, speed)
    return PlottedRoute(kept, list(tf.loop) if kept else [])


def _back_on_patrol(state: State, tf: TaskForce, speed: Speed) -> list[str]:
    hexes = [(state.grid.distance(tf.hex, step), at) for at, step in enumerate(tf.loop) if step not in (STAY, PORT)]
    if not hexes:
        return list(tf.loop)
    _, at = min(hexes)
    rest = " ".join(tf.loop[at + 1 :])
    back = read_route(state, tf, f"{TO} {tf.loop[at]} {rest}", speed, tf.id).steps
    return back or list(tf.loop)


def course_of(start: HexId, steps: Sequence[str]) -> tuple[HexId, ...]:
    """The hexes that a route touches, for drawing."""
    return (start, *(step for step in steps if step not in _NO_HEXES))


def say_route(steps: Sequence[str], loop: Sequence[str] = (), *, in_port: bool = False) -> str:
    """A route in plain words, of a task force that sets out from port or not."""
    ahead = " → ".join(_words_of(steps, in_port=in_port))
    ends_in_port = in_port ^ (steps.count(PORT) % 2 == 1)
    again = " → ".join(_words_of(loop, in_port=ends_in_port))
    return say_patrol(steps, loop, ahead=ahead, again=again)


@rule("5.5")
def _words_of(steps: Sequence[str], *, in_port: bool) -> Iterator[str]:
    """The steps in words; port steps alternate between entering and leaving. PQ-17 5.5."""
    said = {STAY: "stay", EXIT: "leave the map", LAY: "lay mines"}
    for step in steps:
        if step == PORT:
            yield "leave port" if in_port else "enter port"
            in_port = not in_port
        else:
            yield said.get(step, step)
