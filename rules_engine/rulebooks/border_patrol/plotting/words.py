"""A sheet in words: what is read back, what its Team would probably regret, and its ways on the map."""

from collections.abc import Iterable, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.views import Course
from rules_engine.rulebooks.border_patrol.ch40_emergency.emergency import boxes_at_stake, needs_roll
from rules_engine.rulebooks.border_patrol.plotting.fields import REACTIONS
from rules_engine.rulebooks.border_patrol.plotting.formations import Formation
from rules_engine.rulebooks.border_patrol.plotting.judging import judge_plots
from rules_engine.rulebooks.border_patrol.plotting.pods import tugs_of
from rules_engine.rulebooks.border_patrol.plotting.routes import write_legs
from rules_engine.rulebooks.border_patrol.plotting.standing_words import CLAUSES, say, say_within
from rules_engine.rulebooks.border_patrol.records.orders import StackOrders, TurnPlots
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import Unit
from rules_engine.rulebooks.border_patrol.stacks import others_seen, whose

_REACTIONS = {one.value: one.label[0].lower() + one.label[1:] for one in REACTIONS}
_USUAL = StackOrders()


def read_back(state: BorderState, team: Side, sheet: TurnPlots) -> list[str]:
    """What each stack does by a sheet, a sentence each."""
    formations = judge_plots(state, team, sheet).formations
    said = [_said(one, state.zones.at_bases) for one in formations.values()]
    return said or ["No stack is to be commanded."]


def _said(one: Formation, farthest: int) -> str:
    if one.joins:
        return f"{one.key}: joins {one.joins}"
    return f"{one.key}: {'; '.join(_does(one, farthest))}"


def _does(one: Formation, farthest: int) -> Iterable[str]:
    line = one.line
    reacts = line.react if line.react not in (None, "no") else None
    if one.legs:
        yield f"goes {write_legs(one.legs)}"
    elif reacts:
        what = "as you say each time" if reacts == "ask" else _REACTIONS[reacts]
        yield f"lies in wait at {one.stack.hex}, reacts {what}"
    else:
        yield f"holds at {one.stack.hex}" + (f", could go {counted(one.allowance, 'hex')}" if one.allowance else "")
    if not all(unit.in_supply for unit in one.units):
        yield "out of supply"
    if one.cloak_word != "no":
        yield "under cloak" + (" until it reacts" if one.cloak_word == "until it reacts" else "")
    if fast := [unit for unit in one.units if unit.emergency]:
        yield f"Emergency Movement by {_names(fast)}"
    for tower in one.units:
        if towed := [unit for unit in one.units if unit.id in tower.towing]:
            yield f"{tower.name} tows {_names(towed)}"
    for tug in tugs_of(one.units):
        if tug.pods and one.line.pods is not None:
            yield f"{tug.name} carries {', '.join(pod.name for pod in tug.pods)}"
    if one.set_down:
        yield f"sets down {', '.join(pod.name for pod in one.set_down)}"
    if busy := [unit for unit in one.units if unit.overhaul_at]:
        yield f"overhaul of {_names(busy)}"
    if one.detached:
        alone = len(one.detached) == 1
        if one.part_legs:
            parts = "parts and goes" if alone else "part and go"
            yield f"{_names(one.detached)} {parts} {write_legs(one.part_legs)}"
        else:
            yield f"{_names(one.detached)} {'stays as a stack of its own' if alone else 'stay as a stack of their own'}"
    if rear := [unit for unit in one.units if unit.id in (line.rearguard or ())]:
        yield f"rearguard {_names(rear)}"
    yield from _stands(one, farthest)


def _stands(one: Formation, farthest: int) -> Iterable[str]:
    """Its standing orders: those that are not as usual, or that the sheet changes."""
    standing, before = one.standing, one.stack.orders
    for name in CLAUSES:
        word = getattr(standing, name)
        if word != getattr(_USUAL, name) or word != getattr(before, name):
            yield say(name, word)
    within, stood = (min(orders.within, farthest) for orders in (standing, before))
    if within != farthest or within != stood:
        yield say_within(within)


def _use(units: Sequence[Unit]) -> str:
    return "uses" if len(units) == 1 else "use"


def _names(units: Sequence[Unit]) -> str:
    return ", ".join(unit.name for unit in units)


def warnings(state: BorderState, team: Side, sheet: TurnPlots) -> list[str]:
    """What a Team would probably regret of a sheet, from what it sees itself."""
    said: list[str] = []
    for one in judge_plots(state, team, sheet).formations.values():
        for unit in one.units:
            if unit.emergency and needs_roll(unit):
                stake = f"{counted(boxes_at_stake(unit), 'warp engine box')} and further attempts"
                said.append(f"{one.key}: {unit.name} needs its chief engineer's roll; failing costs {stake} (V8.47)")
        fast, all_fast = [unit for unit in one.units if unit.emergency], one.allowance
        slow = [unit for unit in one.units if not (unit.emergency or unit.towed_by)]
        if fast and slow:
            goes = f"goes {counted(all_fast, 'hex')}"
            said.append(f"{one.key}: {goes}, as {_names(slow)} {_use(slow)} no Emergency Movement (BP-N16)")
        if one.legs and others_seen(state, team, one.stack.hex) and one.standing.held == "stay":
            said.append(f"{one.key}: {whose(state, team, one.stack.hex)} may hold it in {one.stack.hex} (V8.21)")
        if one.legs and one.cloak_word != "no" and one.standing.held in ("withdraw", "either"):
            said.append(f"{one.key}: if held it asks the others to let it go, and they learn that it is there (V8.25)")
    return said


def courses(state: BorderState, team: Side, sheet: TurnPlots) -> list[Course]:
    """The ways of a sheet on the map."""
    formations = judge_plots(state, team, sheet).formations
    return [
        Course(counter=key, kind="plotted", hexes=(one.stack.hex, *(leg.hex for leg in one.legs)))
        for key, one in formations.items()
        if one.legs
    ] + [
        Course(counter=key, kind="plotted", hexes=(one.stack.hex, *(leg.hex for leg in one.part_legs)))
        for key, one in formations.items()
        if one.part_legs
    ]
