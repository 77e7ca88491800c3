"""A sheet in words: what is read back, what its captain would probably regret, and courses on the map."""

from collections.abc import Iterator
from itertools import pairwise
from textwrap import shorten

from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.tactical_scene import TacticalPlot
from rules_engine.core.knowledge.views import Course
from rules_engine.core.protocol.question import LineNow
from rules_engine.rulebooks.vector.accounts.reading import write_report
from rules_engine.rulebooks.vector.ch2_energy.allocating import by_half_speed
from rules_engine.rulebooks.vector.ch3_acceleration.thrust import thrust_from
from rules_engine.rulebooks.vector.ch4_turning.turns import turn_from
from rules_engine.rulebooks.vector.plotting.actions import write_action
from rules_engine.rulebooks.vector.plotting.judging import JudgedPiece, JudgedPlot
from rules_engine.rulebooks.vector.plotting.writing import write_event, write_plot
from rules_engine.rulebooks.vector.records.objections import impulse_named
from rules_engine.rulebooks.vector.records.pieces import piece_ahead
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.tracker.foreseen import PlotStep


def read_back(judged: JudgedPiece) -> list[str]:
    """What each unit does: first as it can be typed again, then what comes of it, event by event, and how it ends."""
    said: list[str] = []
    for one in judged.units.values():
        said.append(f"{one.unit.id}: {_typed(judged, one)}")
        said += [f"{one.unit.id} {line}" for line in _comes_to(one)]
    return said or ["No unit is to be commanded."]


def _typed(judged: JudgedPiece, one: JudgedPlot) -> str:
    plot = write_plot(one.plot, piece_ahead(judged.battle))
    reports = [f"report {write_report(report)}" for report in judged.reports if report.by == one.unit.id]
    return "; ".join([plot, *reports])


def _comes_to(one: JudgedPlot) -> Iterator[str]:
    for step in one.foreseen.steps:
        event = one.plot.events[step.event]
        who = f"{event.subject} with " if step.what == "launched" else ""
        then = f"{who}vector {step.vector}, faces {step.facing}"
        yield f"on {step.impulse}: {write_action(event)}{_cost(step)}: {then}"
    ends, speed = one.foreseen, Vector(says=one.foreseen.vector).speed
    yield f"after {ends.last}: {ends.hex}, faces {ends.facing}, vector {ends.vector}, speed {speed}; {_left(one)}"


def _cost(step: PlotStep) -> str:
    parts = [counted(step.bill.warp, "point")] if step.bill.warp else []
    parts += ["the impulse point"] if step.bill.impulse else []
    parts += [f"{step.bill.half} of half its rated speed"] if step.bill.half else []
    return f" for {' and '.join(parts)}" if parts else ""


def _left(one: JudgedPlot) -> str:
    """The points that are used and left when the piece ends."""
    ends = one.foreseen
    if by_half_speed(one.unit.figures):
        return f"{ends.half_left} of half its rated speed left"
    used = f"{ends.spent.warp}+{ends.spent.impulse} points used, {ends.warp_left}+{ends.impulse_left} left"
    return f"{used}, {ends.reserve_left} in reserve" if ends.reserve_left else used


def lines_now(judged: JudgedPiece) -> dict[str, LineNow]:
    """What each line says now, in a few words: the plot, and where it ends."""
    doubts = warnings(judged)
    return {
        key: LineNow(
            _shortened(_typed(judged, one), _ends_now(judged, one)),
            code=key,
            hexes=(one.unit.at, *((one.foreseen.hex,) if one.foreseen.hex != one.unit.at else ())),
            doubts=tuple(said for said in doubts if said.startswith(f"{key}:")),
        )
        for key, one in judged.units.items()
    }


MOST_NOW = 120


def _ends_now(judged: JudgedPiece, one: JudgedPlot) -> str:
    """Where a plot ends, what it leaves, and what it still waits for."""
    battle, ends = judged.battle, one.foreseen
    left = f"{ends.half_left} left" if by_half_speed(one.unit.figures) else f"{ends.warp_left}+{ends.impulse_left} left"
    waits = (("turns", turn_from(one.unit)), ("thrust", thrust_from(one.unit)))
    ahead = battle.clock_of(piece_ahead(battle)[0])
    said = [f"{what} from {impulse_named(clock, battle.turn)}" for what, clock in waits if clock > ahead]
    return "; ".join([f" → {ends.hex}, {ends.vector}, faces {ends.facing}; {left}", *said])


def _shortened(said: str, end: str) -> str:
    """A plot and where it ends, within the letters of a card's line."""
    said = f"{said[:1].upper()}{said[1:]}"
    return shorten(said, MOST_NOW - len(end), placeholder=" …").replace("; …", " …") + end


def warnings(judged: JudgedPiece) -> list[str]:
    """What a captain would probably regret: a course into a planet, what cannot be foreseen, thrust before a turn of
    the same impulse, what a condition may make impossible."""
    said: list[str] = []
    for one in judged.units.values():
        said += [f"{one.unit.id}: {line}" for line in (*_into_planets(judged.battle, one), *one.foreseen.doubts)]
        said += [f"{one.unit.id}: {line}" for line in (*_before_turning(one), *_after_conditions(judged, one))]
        said += [f"{one.unit.id}: {line}" for line in _idle_choice(judged.battle, one)]
    return said


def _into_planets(battle: Tactical, one: JudgedPlot) -> Iterator[str]:
    """That a course enters a planet, the first time."""
    planets = {
        hex_id: spot.name or spot.id for spot in battle.terrain if spot.kind == "planet" for hex_id in spot.hexes
    }
    for impulse, hex_id in one.foreseen.course[1:]:
        if hex_id in planets:
            yield f"its course enters {planets[hex_id]} at {hex_id} on impulse {impulse}"
            return


def _before_turning(one: JudgedPlot) -> Iterator[str]:
    """That it accelerates before it turns on the same impulse: fields stand in an order nobody chose. VM-R09"""
    for step, then in pairwise(one.foreseen.steps):
        first, second = one.plot.events[step.event], one.plot.events[then.event]
        if (step.impulse, first.when, second.when) != (then.impulse, None, None):
            continue
        if first.action in THRUSTS and second.action == "turn":
            swapped = f"{write_action(second)} on {step.impulse}; {write_action(first)} on {step.impulse}"
            yield f"on impulse {step.impulse} it accelerates before it turns; else put “{swapped}” in Plot"


def _idle_choice(battle: Tactical, one: JudgedPlot) -> Iterator[str]:
    """That friction takes nothing in the piece for which its direction is chosen. VM-R61"""
    if one.plot.friction is None:
        return
    if not battle.options.friction:
        yield "no warp friction is played here"
    elif battle.piece_end != IMPULSES:
        yield f"warp friction comes after impulse {IMPULSES}: “friction {one.plot.friction}” holds for this piece alone"


THRUSTS = ("accelerate", "reverse")
_INTERVALS = {"accelerate": "thrust", "reverse": "thrust", "turn": "turn"}


def _after_conditions(judged: JudgedPiece, one: JudgedPlot) -> Iterator[str]:
    """That something plotted may fall into the pause after what waits for a condition."""
    piece = piece_ahead(judged.battle)
    for event in one.plot.events:
        kind = _INTERVALS.get(event.action)
        if event.when is None or kind is None:
            continue
        later = [
            write_event(other, piece)
            for other in one.plot.events
            if other is not event
            and _INTERVALS.get(other.action) == kind
            and (other.impulse is None or other.impulse >= event.when.first)
        ]
        if later:
            yield f"a condition that comes about shortly before rules out “{later[0]}”"


def courses(judged: JudgedPiece) -> list[Course]:
    """The courses of a sheet on the map, hex by hex, with what each unit does on the way and how it ends."""
    return [
        Course(counter=key, kind="plotted", hexes=plot.hexes, plot=plot)
        for key, plot in ((key, _drawn(one)) for key, one in judged.units.items())
        if len(plot.hexes) > 1
    ]


def _drawn(one: JudgedPlot) -> TacticalPlot:
    ends = one.foreseen
    done = ((step.hex, f"{step.impulse}: {write_action(one.plot.events[step.event])}") for step in ends.steps)
    hexes = tuple(hex_id for _, hex_id in ends.course)
    return TacticalPlot(code=one.unit.id, hexes=hexes, events=tuple(done), facing=ends.facing, vector=ends.vector)
