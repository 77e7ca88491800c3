"""Courses that are flown again and again, ``loop 0404 0406``, and what stops a course: ``contact; turn 5; at 0505``."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.forms.routes import LOOP, TO, PlottedRoute, say_patrol, walked, words_in
from rules_engine.core.grids.hexes import Grid, NoWay, UnknownHex
from rules_engine.core.standing.stops import read_conditions
from rules_engine.rulebooks.cutler.records.orders import COURSE_WORDS, LONGEST_COURSE, read_course
from rules_engine.rulebooks.cutler.records.parts.standing import NO_ORDERS, RouteStop, RoutineOrders, StandingRecord
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fleet
from rules_engine.rulebooks.cutler.standing.precedence import book_key

MOST_STOPS = 10
MOST_CHARACTERS = 100
STOP_EXAMPLE = "contact; turn 5; at 0505"
_PATROL = re.compile(r"\bloop\b|\bagain and again\b", re.IGNORECASE)
_TURN = re.compile(r"turn\s*(?P<turn>\d{1,3})")
_AT = re.compile(r"(?:at|in|reaches)\s+(?P<hex>\w{1,8})")


# --- the notes of a race or a fleet -----------------------------------------------------------------------------------


def record_of(state: CutlerState, key: str) -> StandingRecord:
    """What is ordered of a race or, as ``hydran/F1``, of a fleet; not to be changed."""
    return state.standing.get(key) or StandingRecord()


def keep_record(
    state: CutlerState,
    key: str,
    *,
    orders: RoutineOrders = NO_ORDERS,
    loop: Sequence[HexId] = (),
    stops: Iterable[RouteStop] = (),
) -> None:
    """Keep what is ordered of a race or a fleet; where that is nothing, nothing is kept."""
    record = StandingRecord(orders=orders, loop=list(loop), stops=tuple(stops))
    state.standing.pop(key, None)
    if not record.is_empty:
        state.standing[key] = record


def drop_records(state: CutlerState) -> None:
    """Forget what was ordered of fleets that are no more."""
    known = {*state.races(), *map(book_key, state.fleets.values())}
    for key in [key for key in state.standing if key not in known]:
        del state.standing[key]


def loop_of(state: CutlerState, fleet: Fleet | None) -> list[HexId]:
    """The hexes of a fleet's patrol, one by one; none where it has none."""
    return [] if fleet is None else list(record_of(state, book_key(fleet)).loop)


def stops_of(state: CutlerState, fleet: Fleet | None) -> tuple[RouteStop, ...]:
    """What stops a fleet's course."""
    return () if fleet is None else record_of(state, book_key(fleet)).stops


def orders_of_fleet(state: CutlerState, fleet: Fleet | None) -> RoutineOrders:
    """A fleet's own standing orders."""
    return NO_ORDERS if fleet is None else record_of(state, book_key(fleet)).orders


# --- patrols as written -----------------------------------------------------------------------------------------------


@dataclass
class CourseWalk:
    """The hex that a course has reached so far, while it is read; gaps between hexes are filled in."""

    grid: Grid
    here: HexId
    path: str
    steps: list[HexId] = field(default_factory=list[HexId])
    defect: Refusal | None = None

    def take(self, word: str) -> bool:
        """Go to a hex by the way that all courses take."""
        if not word or word.casefold() in (TO, LOOP):
            self.defect = malformed(f"{TO!r} needs a hex after it", self.path, legal=COURSE_WORDS)
            return False
        legs, refusals = read_course(self.grid, self.here, word, self.path)
        if refusals:
            self.defect = refusals[0]
            return False
        self.steps += legs
        self.here = legs[-1] if legs else self.here
        return True

    def go_to(self, word: str) -> bool:
        """The same, after ``to``."""
        return self.take(word)

    def again(self, loop: Sequence[str]) -> Refusal | None:
        """Patrols end where they begin."""
        return None


def read_patrol(grid: Grid, start: HexId, text: str, path: str) -> PlottedRoute:
    """The hexes of a typed course one by one, and those of its patrol; a patrol is closed by the straight way back to
    its first hex."""
    if not _PATROL.search(text):
        steps, refusals = read_course(grid, start, text, path)
        return PlottedRoute(steps, refusals=refusals)
    words = [word for word in words_in(text, {}) if word.casefold() != TO]
    places = [number for number, word in enumerate(words) if word.casefold() == LOOP]
    if len(places) == 1:
        ahead, again = words[: places[0]], words[places[0] + 1 :]
        again, ahead = (again, ahead) if again else (ahead, [])
        if len(again) < 2 or again[0] == again[1]:
            return PlottedRoute(refusals=[malformed(f"{LOOP} needs two hexes", path, legal=f"{LOOP} 0404 0406")])
        words = [*ahead, again[0], LOOP, *again[1:], again[0]]
    return walked(words, CourseWalk(grid, start, path), path, most=LONGEST_COURSE)


def write_patrol(course: Sequence[HexId], loop: Sequence[HexId]) -> str:
    """The reverse of :func:`read_patrol`."""
    if not loop:
        return " ".join(course)
    before = list(course[: -len(loop)] if list(course[-len(loop) :]) == list(loop) else course)
    if before and before[-1] == loop[-1]:
        del before[-1]
    return " ".join([*before, LOOP, loop[-1], *loop[:-1]])


def say_course(way: Sequence[HexId], loop: Sequence[HexId]) -> str:
    """A course in plain words, from where the fleet is."""
    return say_patrol(way, loop, ahead=" → ".join(way), again=" → ".join(loop))


def next_round(grid: Grid, here: HexId, loop: Sequence[HexId]) -> list[HexId]:
    """The course of a patrol from here: its next round, or the way back to the nearest of its hexes and the rest."""
    if here == loop[-1]:
        return list(loop)
    _, at = min((grid.distance(here, one), number) for number, one in enumerate(loop))
    try:
        back = list(grid.line(here, loop[at])[1:])
    except NoWay:
        return []
    return [*back, *loop[at + 1 :]]


# --- stops as written -------------------------------------------------------------------------------------------------


def read_stops(grid: Grid, text: str, path: str) -> tuple[tuple[RouteStop, ...], list[Refusal]]:
    """The stop conditions that a text stands for, and every defect of it."""
    found, refusals = read_conditions(
        text, path, lambda piece: _read_stop(grid, piece), legal=STOP_EXAMPLE, offered=("contact", "turn 5", "at 0505")
    )
    if len(found) > MOST_STOPS:
        refusals.append(malformed(f"{len(found)} stop conditions", path, legal=f"at most {MOST_STOPS}"))
    return found, refusals


def _read_stop(grid: Grid, written: str) -> RouteStop:
    piece = written.casefold().removeprefix("stop ").strip()
    if piece == "contact":
        return RouteStop(kind="contact")
    if found := _TURN.fullmatch(piece):
        return RouteStop(kind="turn", turn=int(found["turn"]))
    if found := _AT.fullmatch(piece):
        try:
            return RouteStop(kind="at", hex=grid.parse(found["hex"]))
        except UnknownHex:
            raise ValueError("there is no such hex") from None
    raise ValueError("it is no stop condition")


def write_stops(stops: Iterable[RouteStop]) -> str:
    """The reverse of :func:`read_stops`."""
    return "; ".join(
        "contact" if stop.kind == "contact" else f"turn {stop.turn}" if stop.kind == "turn" else f"at {stop.hex}"
        for stop in stops
    )


def say_stops(stops: Sequence[RouteStop]) -> str:
    """What stops a course, in plain words to go on a line; empty where nothing does."""
    return f"; stops at: {write_stops(stops)}" if stops else ""


# --- stopping ---------------------------------------------------------------------------------------------------------


def hold(state: CutlerState, fleet: Fleet) -> None:
    """End a fleet's course, its patrol and what would stop them; its standing orders stay."""
    fleet.end_course()
    key = book_key(fleet)
    if key in state.standing:
        keep_record(state, key, orders=state.standing[key].orders)


def stopped(state: CutlerState, fleet: Fleet, near: Sequence[str]) -> str:
    """Why a fleet's course ends now, with what has come ``near`` it, in words; empty if nothing stops it."""
    for stop in stops_of(state, fleet):
        if stop.kind == "contact" and near:
            return near[0]
        if stop.kind == "at" and state.place_of(fleet) == stop.hex:
            return f"it is in {stop.hex}"
        if stop.kind == "turn" and state.turn >= stop.turn:
            return f"turn {stop.turn} has come"
    return ""


def stop_for_turn(state: CutlerState, race: Side) -> list[str]:
    """End the courses that end with the turn that begins; what is said of each."""
    said: list[str] = []
    for fleet in state.fleets_of(race):
        if any(stop.kind == "turn" and state.turn >= stop.turn for stop in stops_of(state, fleet)):
            said.append(f"{fleet.key} holds in {state.place_of(fleet)}: {stopped(state, fleet, ())}.")
            hold(state, fleet)
    return said


def standing_defects(state: CutlerState) -> list[str]:
    """What cannot be true of standing orders: of nobody, or a patrol that does not go round. Fleets are put in order
    when all hexes have been fought over, so until then orders of lost ones may stand."""
    found: list[str] = []
    fleets = {book_key(fleet) for fleet in state.fleets.values()}
    for key, record in state.standing.items():
        if key not in fleets and key not in state.races() and not state.fights:
            found.append(f"standing orders of {key}, which is nobody")
        legs = zip([*record.loop[-1:], *record.loop], record.loop, strict=False)
        if any(here not in state.grid or goal not in state.grid.neighbours(here) for here, goal in legs):
            found.append(f"the patrol of {key} does not go round")
        if record.is_empty:
            found.append(f"standing orders of {key} that say nothing")
    return found
