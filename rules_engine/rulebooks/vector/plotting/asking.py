"""Asking a captain for a piece of a turn: one secret sheet, by menus, in words or as a file. VM-R36"""

from collections.abc import Iterator

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.protocol.asks import Ask, Pace, Remembered
from rules_engine.core.protocol.question import Question, UsualAnswer
from rules_engine.rulebooks.vector.plotting.fields import plot_form
from rules_engine.rulebooks.vector.plotting.judging import JudgedPiece, judge_sheet
from rules_engine.rulebooks.vector.plotting.words import courses, lines_now, read_back, warnings
from rules_engine.rulebooks.vector.records.known import known_to
from rules_engine.rulebooks.vector.records.pieces import piece_ahead
from rules_engine.rulebooks.vector.records.plots import IMPULSES
from rules_engine.rulebooks.vector.records.sheets import PlotSheet
from rules_engine.rulebooks.vector.records.tactical import Tactical

TEXT = (
    "Say what each unit does, and on which impulse; what you do not say coasts. Thrust: 6 on 1. Turn: right on 4. All "
    "else in words: slip, het, reserve, launch, land, conditions."
)


@rule("CJD1.21", "CJD1.22", "CJD1.32")
def plot_ask(battle: Tactical, side: Side, *, pace: Pace = "orders") -> Ask[PlotSheet]:
    """A captain's sheet for the piece that comes next; who is silent coasts. CJD1.21, CJD1.22, CJD1.32, VM-R36"""
    piece = piece_ahead(battle)
    judged: Remembered[PlotSheet, JudgedPiece] = Remembered(lambda sheet: judge_sheet(battle, side, sheet))
    own = tuple(one.id for one in battle.present() if one.side == side)
    coasts = UsualAnswer("All coast", {key: dict.fromkeys(_moves(battle, key)) for key in own})
    heading = f"Turn {battle.turn}{_when(piece)}"
    return Ask(
        kind="plot",
        parties=(side,),
        title=f"{heading}: plots",
        text=TEXT,
        question=Question(
            heading,
            " ".join(["In secret; what you do not say coasts.", *_to_come(battle, side)]),
            whole=True,
            plain=True,
            others="coast",
            noun="unit",
            lines=own,
            offers=(coasts,) if len(own) > 1 else (),
        ),
        model=PlotSheet,
        form=lambda: plot_form(known_to(battle, side), side),
        rule="CJD1.21, VM-R36",
        pace=pace,
        default=PlotSheet({}),
        default_says="All units coast.",
        leaves_choice=bool(own),
        check=lambda sheet: judged(sheet).refusals,
        read_back=lambda sheet: read_back(judged(sheet)),
        warn=lambda sheet: warnings(judged(sheet)),
        courses=lambda sheet: courses(judged(sheet)),
        lines_now=lambda sheet: lines_now(judged(sheet)),
        forgets=(judged.forget,),
    )


def _to_come(battle: Tactical, side: Side) -> Iterator[str]:
    """Which own units arrive later: nothing else on the card has them."""
    for one in battle.units.values():
        if one.side == side and not one.out and one.waits_for > battle.turn:
            yield f"{one.id} arrives on turn {one.waits_for}."


def _moves(battle: Tactical, unit: str) -> tuple[str, ...]:
    """The fields of a unit's line that say how it moves."""
    return ("plot",) if unit in battle.fixed else ("thrust", "turn", "plot")


def _when(piece: range) -> str:
    """Which impulses of a turn are plotted; nothing for all of them."""
    if len(piece) == 1:
        return f", impulse {piece[0]}"
    return "" if len(piece) == IMPULSES else f", impulses {piece[0]}–{piece[-1]}"
