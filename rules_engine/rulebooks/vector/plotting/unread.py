"""What is judged of a line of which something could not be read: what is wrong whatever those words were to say."""

from collections.abc import Collection
from typing import NamedTuple, get_args

from rules_engine.rulebooks.vector.ch2_energy.allocating import most_impulse
from rules_engine.rulebooks.vector.ch5_other.landing import LANDING_FORMS
from rules_engine.rulebooks.vector.plotting.actions import VERBS
from rules_engine.rulebooks.vector.records.pieces import piece_ahead
from rules_engine.rulebooks.vector.records.plots import IMPULSES, PlotAction, PlotEvent, UnitPlot
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.conditions import waits
from rules_engine.rulebooks.vector.tracker.foreseen import Foreseen, PlotDefect, foresee
from rules_engine.rulebooks.vector.tracker.judged import never_lands
from rules_engine.rulebooks.vector.typed.clauses import TypedClause

EVERYTHING = frozenset({*get_args(PlotAction), "path", "energy"})
"""All that a clause may do to a course; what waits for a condition is in no foreseen course."""
_SAY_NOTHING_OF_IT = ("when", "coast", "friction")
_PAID = ("accelerate", "reverse", "turn", "het")
_SPEED = frozenset({"accelerate", "reverse"})
_FACING = frozenset({"turn", "het"})
_COURSE = _SPEED | _FACING | {"slip", "path"}
_LOOSENED_BY: dict[PlotAction, frozenset[str]] = {
    "slip": _SPEED,
    "weasel": _SPEED | {"het"},
    "reserve": frozenset({"energy", "stop"}),
}
"""What may make an action legal that is not without it; it matters to a reserve only as the point of impulse power."""
_OF_NO_COURSE = ("CJD1.21", "CJD1.551")
"""Rules of what is allocated and of who controls: no clause of a plot changes that."""


class UnreadClause(NamedTuple):
    """Words that could not be read, as they are told back, and what they may have been to do."""

    quoted: str
    may_do: frozenset[str]

    @classmethod
    def of(cls, clause: TypedClause) -> "UnreadClause":
        """A clause, by its first word."""
        verb = next((one for one in clause.text.casefold().split() if one != "plot"), "")
        if clause.condition or verb in _SAY_NOTHING_OF_IT:
            return cls(clause.quoted, frozenset())
        return cls(clause.quoted, frozenset({VERBS.get(verb, verb)}) & EVERYTHING or EVERYTHING)


def without(unread: Collection[UnreadClause]) -> str:
    """That something was judged without these words, at the end of what is said of it."""
    if not unread:
        return ""
    quoted = next(iter(unread)).quoted
    return f"; judged without {quoted if len(unread) == 1 else f'{len(unread)} things that are not understood'}"


def certain_defects(
    battle: Tactical, unit: VectorShip, plot: UnitPlot, foreseen: Foreseen, unread: Collection[UnreadClause]
) -> list[PlotDefect]:
    """The defects of a plot that do not follow from what could not be read of it alone."""
    missing = frozenset[str]().union(*(one.may_do for one in unread))
    lands = missing & _COURSE and any(one.action == "land" and not waits(one) for one in plot.events)
    if unit.figures.form in LANDING_FORMS and ("land" in missing or lands):
        return []  # it may be gone before
    if missing & _FACING and any(one.action in _SPEED for one in plot.events):
        missing |= _SPEED  # the thrust that is read goes another way then
    found = [one for one in foreseen.defects if _stands(battle, unit, plot, one, missing)]
    if "reserve" not in missing or not any(_is_of_points(plot, one) for one in found):
        return found
    if any(one.action == "stop" and not waits(one) for one in plot.events):
        return [one for one in found if not _is_of_points(plot, one)]
    more = _from_reserve(battle, unit, plot)
    richer = foresee(battle, unit.id, plot.after(more), foreseen.last)
    still = {one.event - len(more) for one in richer.defects if one.event is not None}
    return [one for one in found if one.event is None or one.event in still]


def _stands(battle: Tactical, unit: VectorShip, plot: UnitPlot, defect: PlotDefect, missing: frozenset[str]) -> bool:
    """Whether a defect is one whatever the missing clauses do to course and time; points are another matter."""
    if defect.event is None:
        return defect.refusal.rule in _OF_NO_COURSE or not missing & _SPEED
    event = plot.events[defect.event]
    match event.action:
        case "land":
            return not missing & _COURSE or never_lands(battle, unit, event.subject) is not None
        case "turn":
            # a turn towards something that lies ahead by then is none, and no interval begins with it
            by_place = any(one.hand in ("towards", "away") and not waits(one) for one in plot.events)
            return not by_place or not missing & _COURSE
        case "reserve":
            return not event.by_impulse or not missing & _LOOSENED_BY["reserve"]
        case _:
            return not missing & _LOOSENED_BY.get(event.action, frozenset())


def _is_of_points(plot: UnitPlot, defect: PlotDefect) -> bool:
    """Whether something cannot be paid, which time does not mend."""
    return defect.event is not None and not defect.legal_on and plot.events[defect.event].action in _PAID


def _from_reserve(battle: Tactical, unit: VectorShip, plot: UnitPlot) -> list[PlotEvent]:
    """All that a unit could still add from reserve at the piece's beginning, besides what it does add: the point of
    impulse power first, which pays most."""
    begins = battle.impulse % IMPULSES == 0
    reserve = unit.figures.reserve if begins else unit.reserve_left
    left = reserve - sum(one.amount for one in plot.events if one.action == "reserve" and not waits(one))
    if left <= 0:
        return []
    given = plot.impulse if plot.warp is not None and plot.impulse is not None else most_impulse(unit.figures)
    has_point = bool(given if begins else unit.impulse_left or unit.impulse_used)
    has_point = has_point or any(one.action == "reserve" and one.by_impulse for one in plot.events)
    add = PlotEvent(action="reserve", impulse=piece_ahead(battle)[0], amount=1)
    points = [add.with_values(by_impulse=True)] if not has_point else []
    return [*points, *([add.with_values(amount=left - len(points))] if left > len(points) else [])]
