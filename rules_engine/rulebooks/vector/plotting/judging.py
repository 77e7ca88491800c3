"""Judging a sheet from what its side knows: every defect, with its rule, its impulse and what would be legal.

Each unit's plot is flown alone on a copy of the battle as the side knows it, after what the sheet reports of losses.
What cannot be read of it is refused, and the rest judged as far as it stands by itself.
"""

from dataclasses import dataclass, field

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.rulebooks.vector.accounts.judging import reports_of
from rules_engine.rulebooks.vector.plotting.reading import ReadPlot, read_line
from rules_engine.rulebooks.vector.plotting.strangers import BY_THE_SIDE, why_no_line
from rules_engine.rulebooks.vector.plotting.unread import certain_defects, without
from rules_engine.rulebooks.vector.plotting.writing import write_event
from rules_engine.rulebooks.vector.records.known import known_to
from rules_engine.rulebooks.vector.records.pieces import piece_ahead
from rules_engine.rulebooks.vector.records.plots import UnitPlot
from rules_engine.rulebooks.vector.records.reports import FATES, UnitReport
from rules_engine.rulebooks.vector.records.sheets import PlotSheet
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.records.tactical import Tactical
from rules_engine.rulebooks.vector.tracker.foreseen import Foreseen, PlotDefect, foresee
from rules_engine.rulebooks.vector.typed.names import BattleNames


@dataclass
class JudgedPlot:
    """One unit's line as it was understood, and what it comes to."""

    unit: VectorShip
    plot: UnitPlot
    foreseen: Foreseen
    is_said: bool = False


@dataclass
class JudgedPiece:
    """A sheet as it was understood, on the ``battle`` as its side knows it, with every defect."""

    battle: Tactical
    units: dict[str, JudgedPlot] = field(default_factory=dict[str, JudgedPlot])
    reports: list[UnitReport] = field(default_factory=list[UnitReport])
    refusals: list[Refusal] = field(default_factory=list[Refusal])


def judge_sheet(battle: Tactical, side: Side, sheet: PlotSheet) -> JudgedPiece:
    """Judge a side's sheet."""
    judged = JudgedPiece(known_to(battle, side))
    known = judged.battle
    own = [one for one in known.present() if one.side == side]
    judged.refusals += filter(None, (why_no_line(known, side, key) for key in sheet.root))
    names = BattleNames(known, side)
    mine = PlotSheet({one.id: sheet.of(one.id) for one in own})
    judged.reports, refusals = reports_of(known, side, mine)
    judged.refusals += refusals
    for unit in own:
        read = read_line(names, unit.id, sheet.of(unit.id))
        judged.refusals += [*read.refusals, *_gone(judged, unit, read)]
        judged.units[unit.id] = _flown(judged, unit, read, is_said=unit.id in sheet.root)
    return judged


def plots_of(battle: Tactical, side: Side, sheet: PlotSheet) -> dict[str, UnitPlot]:
    """The plots that a side's sheet stands for, by unit; who is silent coasts. VM-R36"""
    names = BattleNames(known_to(battle, side), side)
    own = [one for one in battle.present() if one.side == side]
    return {one.id: read_line(names, one.id, sheet.of(one.id)).plot() for one in own}


def _gone(judged: JudgedPiece, unit: VectorShip, read: ReadPlot) -> list[Refusal]:
    """That a unit does something which its own captain reports gone."""
    fates = [one.what for one in judged.reports if one.unit == unit.id and one.what in FATES]
    if not fates or not read.events:
        return []
    _, name = read.events[0]
    problem = f"{unit.id} is reported {fates[0]}, and would do something"
    return [illegal(problem, BY_THE_SIDE, f"{unit.id}.{name}", legal="the report, or what it does")]


def _flown(judged: JudgedPiece, unit: VectorShip, read: ReadPlot, *, is_said: bool) -> JudgedPlot:
    plot = read.plot()
    foreseen = foresee(judged.battle, unit.id, plot, judged.battle.piece_end)
    defects = certain_defects(judged.battle, unit, plot, foreseen, read.unread)
    judged.refusals += [_with_place(judged, read, plot, one) for one in defects]
    return JudgedPlot(unit, plot, foreseen, is_said)


def _with_place(judged: JudgedPiece, read: ReadPlot, plot: UnitPlot, defect: PlotDefect) -> Refusal:
    """A defect with the words in which it was said, where they stand, and what was left out to judge it."""
    problem = f"{defect.refusal.problem}{without(read.unread)}"
    if defect.event is None:
        return defect.refusal.with_values(path=f"{read.unit}.plot", problem=problem)
    said = write_event(plot.events[defect.event], piece_ahead(judged.battle))
    path = f"{read.unit}.{read.events[defect.event][1]}"
    return defect.refusal.with_values(path=path, problem=f"“{said}”: {problem}")
