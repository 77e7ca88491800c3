"""Chapter 11.5: refits, worked in with the repair boxes of a starbase, a battle station or a dock.

A refit is a series of jobs (a box added, a box exchanged, a shield altered). A finished job stays done; an unfinished
one is lost unless it is continued next turn. The refit takes effect with the last job; until then the ship is inactive.
"""

from collections.abc import Iterator

from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rules import rule
from rules_engine.rulebooks.pq17.ch11_repair.boxes import TRACKS, box_type, changed_boxes
from rules_engine.rulebooks.pq17.records.damage import RefitInHand
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.ship_classes import Refit

ADDED_BOX = 125
"""CDR points for each box that a refit adds. PQ-17 11.5.5.1."""
CHANGED_BOX = 250
"""CDR points for each box changed into another or altered: 125 to take it out, 125 to put the new one in. 11.5.5.2."""
SHIELD = 250
"""CDR points for each shield whose strength is altered. PQ-17 11.5.5.3."""
REFITTERS = ("SB", "BATS", "FRD")
"""Base types that can refit. PQ-17 11.5.2, ruling REP-9."""


@rule("11.5.5", "11.5.5.1", "11.5.5.2", "11.5.5.3", "11.5.5.4")
def jobs(refit: Refit) -> list[int]:
    """The CDR points of each job of a refit, boxes first. PQ-17 11.5.5, 11.5.5.1 to 11.5.5.4."""
    boxes = [ADDED_BOX] * sum(refit.boxes_added.values())
    changes = [CHANGED_BOX] * sum(count for _, _, count in changed_boxes(refit))
    return [*boxes, *changes, *[SHIELD] * len(refit.shields_changed)]


@rule("11.5.2")
def can_refit(state: State, host: Unit) -> bool:
    """Whether a unit is of a type that refits. PQ-17 11.5.2."""
    return state.class_of(host).base_type in REFITTERS


@rule("11.5.3")
def refits_open(state: State, unit: Unit) -> list[Refit]:
    """The refits that a ship may be given in the campaign's year, if it has not begun another.

    PQ-17 11.5.3, ruling REP-9."""
    if state.class_of(unit).is_base:
        return []
    year = state.settings.campaign.year
    known = [one for one in state.class_of(unit).refits if one.name not in unit.repairs.refits]
    begun = unit.repairs.refit
    if begun is not None:
        return [one for one in known if one.name == begun.name]
    return [one for one in known if one.year <= year]


def refit_named(state: State, unit: Unit, name: str) -> Refit | None:
    """The refit of that name in the class's list."""
    return next((one for one in state.class_of(unit).refits if one.name == name), None)


@rule("11.5.5")
def refit_cost(refit: Refit) -> int:
    """CDR points of the whole refit. PQ-17 11.5.5."""
    return sum(jobs(refit))


def refit_left(state: State, unit: Unit, name: str) -> int:
    """CDR points that a refit still needs."""
    refit = refit_named(state, unit, name)
    if refit is None:
        return 0
    begun = unit.repairs.refit
    return refit_cost(refit) - (begun.points if begun is not None and begun.name == name else 0)


def finished_points(refit: Refit, points: int) -> int:
    """The points of those jobs that ``points`` finish."""
    total = 0
    for job in jobs(refit):
        if total + job > points:
            break
        total += job
    return total


@rule("11.5.1", "11.5.4", "11.4.9.6", "11.4.10")
def work_on_refit(state: State, unit: Unit, name: str, points: int, *, interrupted: bool) -> str:
    """A turn's work on a refit; returns the outcome in words. If interrupted, the unfinished job is lost (ruling
    REP-4).

    PQ-17 11.5.1, 11.5.4, 11.4.9.6, 11.4.10."""
    refit = refit_named(state, unit, name)
    if refit is None or name in unit.repairs.refits:
        return "there is no such refit to do."
    begun = unit.repairs.refit or RefitInHand(name=name, points=0, turn=state.turn)
    kept = finished_points(refit, begun.points) if interrupted or begun.turn < state.turn - 1 else begun.points
    total = kept + points
    if interrupted:
        total = finished_points(refit, total)
    cost = refit_cost(refit)
    if total >= cost:
        _finish(unit, refit)
        return f"{name} is complete; it is active again."
    unit.repairs = unit.repairs.with_values(refit=RefitInHand(name=name, points=total, turn=state.turn))
    lost = begun.points + points - total
    gone = f", {counted(lost, 'CDR point')} lost" if lost else ""
    return f"{name}, {total} of {cost} CDR points{gone}; it is inactive until all is done."


@rule("C.purchase.3")
def give_refit(state: State, unit: Unit, name: str) -> None:
    """Give a new unit a refit it was bought with. PQ-17 C.purchase.3."""
    refit = refit_named(state, unit, name)
    if refit is not None and name not in unit.repairs.refits:
        _finish(unit, refit)


@rule("11.5.4", "11.4.9.3.5", "C.purchase.3b")
def _finish(unit: Unit, refit: Refit) -> None:
    """Put a finished refit into effect: new boxes are whole, but empty. It costs no points of a purchase.

    PQ-17 11.5.4, 11.4.9.3.5, C.purchase.3b."""
    unit.repairs = unit.repairs.with_values(refit=None, refits=[*unit.repairs.refits, refit.name])
    for box in sorted(refit.boxes_added):
        _alter(unit, box_type(box), refit.boxes_added[box])
    for old, new, count in changed_boxes(refit):
        _alter(unit, old, -count)
        _alter(unit, new, count)


def _alter(unit: Unit, box: str, count: int) -> None:
    """Change a box count that is a field of the unit; other types are counted from the class and its refits."""
    if box in TRACKS or not hasattr(unit, box):
        return
    setattr(unit, box, max(0, int(getattr(unit, box)) + count))


def points_at_stake(state: State, unit: Unit) -> int:
    """CDR points that a unit's refit loses if it does not go on: those of the job that is begun."""
    begun = unit.repairs.refit
    if begun is None:
        return 0
    refit = refit_named(state, unit, begun.name)
    return begun.points - (0 if refit is None else finished_points(refit, begun.points))


@rule("11.4.9.6", "11.5.4")
def ends_refit(state: State, unit: Unit) -> int:
    """Reduce a refit that was not continued this turn to its finished jobs; returns the CDR points lost.

    PQ-17 11.4.9.6, 11.5.4."""
    begun = unit.repairs.refit
    if begun is None or begun.turn >= state.turn:
        return 0
    lost = points_at_stake(state, unit)
    if lost:
        rest = RefitInHand(name=begun.name, points=begun.points - lost, turn=begun.turn)
        unit.repairs = unit.repairs.with_values(refit=rest)
    return lost


@rule("11.5.4", "1.8.12.8", "1.6.3.1")
def is_at_work(state: State, tf: TaskForce) -> bool:
    """Whether a task force can search and attack: none of its ships is inactive, or not all of its bases are.

    PQ-17 11.5.4, 1.8.12.8, 1.6.3.1."""
    idle = [is_inactive(state.units[unit_id]) for unit_id in tf.units]
    return not (all(idle) if tf.is_base else any(idle))


@rule("11.5.4", "1.8.12.8")
def is_inactive(unit: Unit) -> bool:
    """Whether a refit keeps a ship inactive, or a base has been put in place but is not active yet.

    11.5.4, 1.8.12.8.
    """
    return unit.repairs.refit is not None or unit.repairs.inactive


@rule("11.5.4", "1.8.12.8")
def units_at_work(state: State, tf: TaskForce) -> Iterator[Unit]:
    """The units of a force, without what ships carry, that no refit, and no interrupted construction, keeps inactive.

    PQ-17 11.5.4, 1.8.12.8."""
    return (unit for unit in state.separate_units(tf) if not is_inactive(unit))
