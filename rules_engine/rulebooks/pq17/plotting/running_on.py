"""Running on: turns are played on stored plans until something needs a side's decision.

Nobody waits in planning for a side that runs on. What stops it is judged by what it knows itself and told to nobody
else; the end of an operational period stops every side.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rational import parse_rational, show_fraction
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.grids.hexes import UnknownHex
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.standing.stops import read_conditions
from rules_engine.rulebooks.pq17.contacts.identification import held_track
from rules_engine.rulebooks.pq17.nations.victory_points import total_for
from rules_engine.rulebooks.pq17.plotting.errands import errand_of
from rules_engine.rulebooks.pq17.records.calendar import begins_period
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.standing_orders import Run, Stop
from rules_engine.rulebooks.pq17.records.state import State

ASK = "ask"
ON = "on"
GO_ON = "go on"
RUNS: dict[str, str] = {
    ASK: "No: ask me every turn",
    ON: "Until something needs me",
    "2": "2 turns at most",
    "3": "3 turns at most",
    "5": "5 turns at most",
    "10": "10 turns at most",
    GO_ON: "As it stands",
}
"""The choices on a sheet: value to label."""


def run_value(run: Run) -> str:
    """The value filled in on a sheet: as set at present, or to be asked."""
    return GO_ON if run.on else ASK


# --- stop conditions as written ---------------------------------------------------------------------------------------

_FUEL = re.compile(r"(?:(?P<tf>\w+)\s+)?fuel\s*(?:<|below|under)\s*(?P<fuel>\d+(?:\.\d+)?(?:/\d+)?)")
_AT = re.compile(r"(?P<tf>\w+)\s+(?:at|in|reaches)\s+(?P<hex>\w+)")
_CONTACT = re.compile(r"contact(?:\s+(?:at\s+)?id\s*(?P<level>[0-3])(?:\s+or better)?)?")


def stop_examples(own: Sequence[str]) -> str:
    """Examples of stop conditions, with one of the side's own task forces."""
    one = own[0] if own else "a task force"
    return f"contact; contact id2; arrived; {one} at 0405; {one} fuel<8; points"


def movers(state: State, side: Side) -> list[str]:
    """The ids of a side's task forces that move."""
    return [tf.id for tf in state.all_task_forces(side) if not tf.is_base]


def read_stops(state: State, side: Side, text: str, path: str) -> tuple[tuple[Stop, ...], list[Refusal]]:
    """The stop conditions that a text stands for, and every defect of it."""
    own = movers(state, side)
    offered = ["contact", "arrived", "points", "fuel<8", *(f"{tf} at 0405" for tf in own)]
    return read_conditions(
        text, path, lambda piece: _read_stop(state, own, piece), legal=stop_examples(own), offered=offered
    )


def _read_stop(state: State, own: Sequence[str], piece: str) -> Stop:
    lowered = piece.casefold()
    if found := _CONTACT.fullmatch(lowered):
        return Stop(kind="contact", level=int(found["level"]) if found["level"] else None)
    if lowered in ("arrived", "arrival", "idle"):
        return Stop(kind="arrived")
    if lowered in ("points", "vp", "victory points"):
        return Stop(kind="points")
    if found := _FUEL.fullmatch(lowered):
        return Stop(kind="fuel", task_force=_own(own, found["tf"] or ""), fuel=parse_rational(found["fuel"]))
    if found := _AT.fullmatch(lowered):
        try:
            return Stop(kind="at", task_force=_own(own, found["tf"]), hex=state.grid.parse(found["hex"]))
        except UnknownHex:
            raise ValueError("there is no such hex") from None
    raise ValueError("it is no stop condition")


def _own(own: Sequence[str], name: str) -> str:
    found = next((one for one in own if one.casefold() == name), None)
    if name and found is None:
        raise ValueError(f"you have no task force {name.upper()}")
    return found or ""


def write_stops(stops: Sequence[Stop]) -> str:
    """The reverse of :func:`read_stops`."""
    return "; ".join(_write_stop(stop) for stop in stops)


def _write_stop(stop: Stop) -> str:
    match stop.kind:
        case "contact":
            return "contact" if stop.level is None else f"contact id{stop.level}"
        case "at":
            return f"{stop.task_force} at {stop.hex}"
        case "fuel":
            return f"{stop.task_force} fuel<{stop.fuel}".strip()
        case _:
            return stop.kind


def say_run(run: Run) -> str:
    """How long a side lets turns run on, in plain words."""
    if not run.on:
        return "You are asked every turn."
    until = f", at the latest in planning turn {run.until}" if run.until else ""
    stops = write_stops(run.stops)
    return f"Turns go by on your stored plan{until}{f'; it stops at: {stops}' if stops else ''}."


# --- choosing ---------------------------------------------------------------------------------------------------------


def chosen_run(state: State, side: Side, choice: str | None, stops: tuple[Stop, ...] | None) -> Run:
    """How a side would run on with a sheet's choice; None leaves it as it is."""
    run = state.doctrine[side].run
    changes: dict[str, object] = {} if stops is None else {"stops": stops}
    if choice is not None and choice != GO_ON:
        changes["on"] = choice != ASK
        changes["until"] = state.turn + int(choice) if choice.isdigit() else 0
        changes["since"] = run.since if run.on else state.turn
    return run.changed(**changes)


def set_run(state: State, side: Side, choice: str | None, stops: tuple[Stop, ...] | None) -> None:
    """Store a sheet's choice, and record what the side holds now, so that only changes stop it later."""
    run = state.doctrine[side].run = chosen_run(state, side, choice, stops)
    if run.on:
        run.contacts = held_contacts(state, side)
        run.under_way = [tf.id for tf in state.all_task_forces(side) if tf.route]
        run.points = total_for(state, side)


def held_contacts(state: State, side: Side) -> dict[str, int]:
    """The levels of the contacts that a side holds, by number; known bases left out."""
    found: dict[str, int] = {}
    for enemy in state.all_task_forces(state.enemy_of(side)):
        track = held_track(state, side, enemy)
        known = enemy.base is not None and enemy.base.known
        if enemy.id_level > IdLevel.N and track is not None and not known:
            found[track] = int(enemy.id_level)
    return dict(sorted(found.items()))


# --- stopping ---------------------------------------------------------------------------------------------------------


def sides_to_ask(turn: TurnContext[State]) -> tuple[Side, ...]:
    """The sides to wait for in this turn's planning; a side that is stopped is told why, and only it."""
    state = turn.state
    asked: list[Side] = []
    for side in turn.sides:
        run = state.doctrine[side].run
        if not run.on:
            asked.append(side)
            continue
        reasons = list(dict.fromkeys(_reasons(state, side, run)))
        if reasons:
            run.on, run.until = False, 0
            asked.append(side)
            why = because("standing orders", {"running on since turn": run.since})
            turn.tell([side], f"You no longer run on: {'; '.join(reasons)}.", kind="run", why=why)
    return tuple(asked)


def _reasons(state: State, side: Side, run: Run) -> Iterator[str]:
    """Everything that stops a side now, from what it knows itself."""
    if begins_period(state.turn):
        yield "a new operational period begins"
    if run.until and state.turn >= run.until:
        yield f"turn {state.turn} has come"
    contacts = held_contacts(state, side)
    for stop in run.stops:
        yield from _reached(state, side, run, stop, contacts)


def _reached(state: State, side: Side, run: Run, stop: Stop, contacts: Mapping[str, int]) -> Iterator[str]:
    match stop.kind:
        case "contact":
            least = int(IdLevel.U) if stop.level is None else stop.level
            for track, level in contacts.items():
                if level >= least > run.contacts.get(track, int(IdLevel.N)):
                    yield f"contact {track} is held at {IdLevel(level).label}"
        case "arrived":
            for tf in _named(state, side, run.under_way):
                if not tf.route and not tf.shadowing and errand_of(state, tf) is None:
                    yield f"{tf.label} has flown its route, in {tf.hex}"
        case "at":
            if stop.task_force not in state.task_forces:
                yield f"{stop.task_force} is no more"
            elif state.task_forces[stop.task_force].hex == stop.hex:
                yield f"{state.task_forces[stop.task_force].label} is in {stop.hex}"
        case "fuel":
            own = [tf.id for tf in state.all_task_forces(side)] if not stop.task_force else [stop.task_force]
            for tf in _named(state, side, own):
                least_fuel = min(unit.fuel for unit in state.separate_units(tf))
                if not tf.is_base and stop.fuel is not None and least_fuel < stop.fuel:
                    yield f"{tf.label} is down to {show_fraction(least_fuel)} fuel"
        case "points":
            if total_for(state, side) != run.points:
                yield "the victory points have changed"


def _named(state: State, side: Side, ids: Sequence[str]) -> list[TaskForce]:
    return [tf for tf in state.all_task_forces(side) if tf.id in ids]
