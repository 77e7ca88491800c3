"""What stands above a map: the turn, the steps of its sequence, and the victory points."""

from fractions import Fraction
from math import ceil, floor

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.glance import Closing, Header, Track
from rules_engine.rulebooks.pq17.nations.victory_points import needed_to_win, sign_for
from rules_engine.rulebooks.pq17.records.calendar import day_label, turn_label
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import IMPULSES

STEPS = ("PLAN", *map(str, IMPULSES), "END")
"""The steps of a turn as a map's header names them."""
CLOSING = ("logistics", "administrative")
"""What of a turn's sequence comes after its impulses (PQ-17 SOP.2.c, SOP.3); the time is then as in planning."""
LEAST_REACH = 5
"""How far the track reaches to either side of zero at the least."""


@rule("1.2.3", "1.2.4")
def map_header(state: State, side: Side | None, total: Fraction) -> Header:
    """The header of a side's map (None: of nobody in particular) whose reader knows of these victory points. PQ-17
    1.2.3, 1.2.4."""
    begun = state.turn > 0
    return Header(
        scenario=state.settings.title,
        steps=STEPS,
        step=state.impulse if begun else None,
        track=_track(total, needed_to_win(state), side),
        turn=f"Turn {state.turn}" if begun else "Set-up",
        day=day_label(state.turn) if begun else "",
        closing=Closing(places=CLOSING, heading=f"{turn_label(state.turn)}, end of turn") if begun else None,
    )


@rule("2.1", "T5.note2", "T5.victory", "C.vp.victory")
def _track(total: Fraction, needed: Fraction, side: Side | None) -> Track:
    """The track as its reader counts: the Alliance's points up, the Coalition's down, to a side its own up. A half
    point is left out on the track and said in its number. PQ-17 2.1, T5.note2, T5.victory, C.vp.victory."""
    sign = 1 if side is None else sign_for(side)
    value, aim = sign * floor(total), sign * ceil(needed)
    reach = max(LEAST_REACH, 2 * abs(aim), abs(value))
    who = "Alliance wins at" if side is None else "wins at" if sign > 0 else "lost at"
    return Track(
        label="VP",
        least=-reach,
        most=reach,
        value=value,
        aim=aim,
        said=f"{who} {in_figures(sign * needed)}",
        number=in_figures(sign * total),
    )


def in_figures(points: Fraction) -> str:
    """Points as a header writes them, with a sign and to the half: ``+2½``."""
    whole, half = divmod(abs(points), 1)
    sign = "+" if points > 0 else "−" if points < 0 else ""
    return f"{sign}{whole if whole or not half else ''}{'½' if half else ''}"
