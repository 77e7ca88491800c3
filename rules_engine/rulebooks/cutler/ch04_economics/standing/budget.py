"""A standing budget: it is filled in on each turn's sheet until it is changed. What no longer fits is left out, for
good, and its owner is told; the rest stands. CU-N150"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from pydantic import ValidationError

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.fitting import fitting
from rules_engine.core.forms.forms import Choice, Field, Form, Line, Sheet
from rules_engine.core.forms.misfits import misfits
from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.cutler.ch04_economics.docks import docks_of
from rules_engine.rulebooks.cutler.ch04_economics.sheet import judge_economy
from rules_engine.rulebooks.cutler.ch04_economics.standing.kept_lines import (
    DOCK,
    ECONOMY,
    lines_of,
    names_of,
    said_of,
    sheet_of,
)
from rules_engine.rulebooks.cutler.records.economy import bay_key
from rules_engine.rulebooks.cutler.records.orders import TurnSheet
from rules_engine.rulebooks.cutler.records.parts.empires import KeptValue
from rules_engine.rulebooks.cutler.records.state import CutlerState, CutlerTurn

RULE = "4.1.6.1, CU-N150"
YES, ONCE, NO = "yes", "once", "no"
Kept = dict[str, dict[str, KeptValue]]


@dataclass
class BudgetNow:
    """A standing budget in a turn: the lines that fit, as they are kept and as they are put on the sheet, and for each
    other, by what it is about, why it does not."""

    kept: Kept = field(default_factory=dict[str, dict[str, KeptValue]])
    sheet: Sheet = field(default_factory=dict[str, dict[str, Json]])
    misfits: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def answer(self) -> TurnSheet:
        """The sheet of a race that says nothing."""
        return TurnSheet.model_validate(self.sheet)


@rule("4.1.6.1", "4.2.1")
def budget_now(state: CutlerState, race: Side) -> BudgetNow:
    """As much of a race's standing budget as fits in this turn, by its own figures. 4.1.6.1, 4.2.1, CU-N150"""
    kept = state.empires[race].budget
    _, gone = sheet_of(state, race, kept)
    there = [about for about in kept if about not in gone]
    names = names_of(state, race)

    def trial(abouts: Sequence[str]) -> Sequence[Refusal]:
        return _refusals(state, race, sheet_of(state, race, {about: kept[about] for about in abouts})[0])

    def is_about(about: str, refusal: Refusal) -> bool:
        return refusal.path.partition(".")[0] == names.get(about, about)

    good, left = fitting(there, trial, is_about)
    found: Kept = {ECONOMY: {}} if kept else {}
    found |= {about: dict(kept[about]) for about in good}
    why = dict.fromkeys(gone, "it is yours no longer") | {about: _why(refused) for about, refused in left.items()}
    return BudgetNow(found, sheet_of(state, race, found)[0], {about: why[about] for about in kept if about in why})


def _refusals(state: CutlerState, race: Side, sheet: Sheet) -> Sequence[Refusal]:
    try:
        return judge_economy(state, race, TurnSheet.model_validate(sheet))
    except ValidationError as error:  # a referee has written it
        return misfits(Form(), error, cast(Json, sheet))


def _why(refused: Sequence[Refusal]) -> str:
    first = refused[0]
    return first.problem + (f" ({first.rule})" if first.rule else "")


# --- on the sheet ----------------------------------------------------------------------------------------------------


def stands_field(state: CutlerState, race: Side) -> Field:
    """Whether the budget stands for later turns."""
    stands = bool(state.empires[race].budget)
    ways = [Choice(YES, "It stands: each turn from now on")]
    ways += [Choice(ONCE, "This turn only; what stood, stands")] if stands else []
    ways.append(Choice(NO, "It does not stand"))
    return Field("stands", "Later turns", "one", tuple(ways), value=YES if stands else NO)


def with_budget(state: CutlerState, race: Side, lines: Sequence[Line]) -> list[Line]:
    """The lines of a turn's sheet with the standing budget filled in."""
    sheet = budget_now(state, race).sheet
    found = [_filled(line, sheet.get(line.key, {})) for line in lines]
    return [
        line._replace(fields=(*line.fields, stands_field(state, race))) if line.key == ECONOMY else line
        for line in found
    ]


def _filled(line: Line, values: Mapping[str, Json]) -> Line:
    if not values:
        return line
    fields = (one._replace(value=values[one.key]) if one.key in values else one for one in line.fields)
    return line._replace(fields=tuple(fields))


def say_budget(state: CutlerState, race: Side, sheet: TurnSheet) -> list[str]:
    """Whether a sheet's budget stands, in plain words; nothing if that is as it was and there is none."""
    stood, stands = bool(state.empires[race].budget), sheet.economy.stands
    if stands == YES:
        return ["This budget stands for later turns."]
    if stood and stands == NO:
        return ["Your standing budget ends."]
    return ["Your standing budget stays as it was."] if stood and stands == ONCE else []


def budget_rows(state: CutlerState, race: Side) -> list[str]:
    """A race's standing budget, line by line, for its owner."""
    said = budget_said(state, race)
    return [f"Each turn until you change it, your budget: {said}."] if said else []


def budget_said(state: CutlerState, race: Side) -> str:
    """The same in one line; empty without one."""
    kept = state.empires[race].budget
    said = [f"{said_of(state, about)}: {_values(line)}" for about, line in kept.items() if line]
    return ("; ".join(said) or "all new CPV to the Base Pool") if kept else ""


def _values(line: Mapping[str, KeptValue]) -> str:
    return ", ".join(
        f"{name} {', '.join(map(str, one)) if isinstance(one, list) else one}" for name, one in line.items()
    )


# --- in play ---------------------------------------------------------------------------------------------------------


@rule("4.1.6.1")
def leave_out_misfits(turn: CutlerTurn, race: Side) -> None:
    """Before a race is asked: take from its standing budget what fits no more, and tell it. 4.1.6.1, CU-N150"""
    state = turn.state
    if not state.empires[race].budget:
        return
    now = budget_now(state, race)
    state.empires[race].budget = now.kept
    if now.misfits:
        said = "; ".join(f"{said_of(state, about)}: {why}" for about, why in now.misfits.items())
        text = f"No longer in your standing budget, for it does not fit: {said}. The rest stands."
        turn.tell([race], text, kind="economy", why=because(RULE))


@rule("4.1.6.1")
def fitting_budget(state: CutlerState, race: Side, sheet: TurnSheet) -> TurnSheet:
    """A sheet whose money fits, as it must be carried out: without the lines of the standing budget that a referee's
    correction has made illegal since the race was asked. 4.1.6.1, CU-N150"""
    if not state.empires[race].budget or not judge_economy(state, race, sheet):
        return sheet
    now = budget_now(state, race).sheet
    document = {key: line for key, line in sheet.model_dump(mode="json").items() if not _is_money(key)}
    return TurnSheet.model_validate({**document, **now})


def _is_money(key: str) -> bool:
    return key in (ECONOMY, "base", "scrap") or key[:1] in "HDGLA"


@rule("4.1.6.1")
def keep_budget(state: CutlerState, race: Side, sheet: TurnSheet) -> None:
    """Keep a sheet's budget for later turns, or no longer, as it says; what it leaves as it was filled in stays as it
    was kept, such as what a bay is to build once it is free. Before the sheet is carried out. 4.1.6.1, CU-N150"""
    empire = state.empires[race]
    if sheet.economy.stands == NO:
        empire.budget = {}
    if sheet.economy.stands != YES:
        return
    before = empire.budget
    filled_in = lines_of(state, race, TurnSheet.model_validate(sheet_of(state, race, before)[0]))
    now = lines_of(state, race, sheet)
    abouts = dict.fromkeys((*before, *now))
    kept = {
        about: before[about] if about in before and now.get(about) == filled_in.get(about) else now.get(about, {})
        for about in abouts
    }
    busy = {f"{DOCK} {bay_key(dock.base.id, dock.bay)}" for dock in docks_of(state, race).values() if dock.work}
    for about in busy & before.keys():
        waiting = {name: value for name, value in before[about].items() if name != "cpv"}
        kept[about] = {**waiting, **kept[about]}
    empire.budget = {about: line for about, line in kept.items() if line or about == ECONOMY}
    empire.budget.setdefault(ECONOMY, {})
