"""Chapter 2 and Table 5: victory points. The running total counts Alliance points up and Coalition points down."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Literal

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import EVERYBODY, MapNote, Why, because
from rules_engine.core.protocol.rulebook import Ending
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.nations.ship_values import line_of, multiple_of, uses_campaign_table, value_of
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, COALITION, State, VpLine
from rules_engine.rulebooks.pq17.tables.operations import BPV_PER_POINT, PER_RAID, PER_SHIP, TURNS_A_PERIOD, VpLineName

LEDGER = "Victory points"
"""The topic under which each side's notes keep the victory points it has been told of."""

POINTS_TWO_PERIODS = 30
"""What the Alliance must gain every two operational periods of the campaign. PQ-17 C.vp.victory."""

ShipEvent = Literal["destroyed", "destroyed crippled", "crippled", "captured"]

_LINES: dict[ShipEvent, VpLineName] = {
    "destroyed": "T5.1",
    "destroyed crippled": "T5.2",
    "crippled": "T5.3",
    "captured": "T5.6",
}


def to_half(points: Fraction) -> Fraction:
    """To the nearest half point, exact ties away from zero: 2.25 to 2.5, -5.75 to -6. PQ-17 T5, ruling GEN-7."""
    size = Fraction(int(abs(points) * 2 + Fraction(1, 2)), 2)
    return -size if points < 0 else size


@rule("T5.note2", "C.vp.note2")
def sign_for(scorer: Side) -> int:
    """Points that the Alliance scores count up, the Coalition's down. PQ-17 T5.note2, C.vp.note2."""
    return 1 if scorer == ALLIANCE else -1


@rule("T5.1", "T5.2", "T5.3", "T5.6", "T5.note1", "C.vp.1", "C.vp.2", "C.vp.3", "C.vp.4", "C.vp.5", "C.vp.6", "C.vp.13")
def ship_points(state: State, unit: Unit, event: ShipEvent, *, was_crippled: bool = False) -> Fraction:
    """What one ship or base is worth to its enemy, unsigned and rounded: by economic value, each unit on its own.
    A capture is twice what its destruction would be. A campaign's own table counts some values more than once.

    PQ-17 T5.1, T5.2, T5.3, T5.6, T5.note1, C.vp.1 to C.vp.6, C.vp.13, ruling SCN-24."""
    destruction = multiple_of(state, unit) * value_of(state, unit) / BPV_PER_POINT
    factor = PER_SHIP[event]
    if event == "captured" and was_crippled:
        factor /= 2
    return to_half(destruction * factor)


@rule("T5.note3", "T5.note4")
def ship_event(*, destroyed: bool, captured: bool, crippled_before: bool, crippled_after: bool) -> ShipEvent | None:
    """Which line of the table a unit's battle falls under, by its state when that battle began; None for no points.

    PQ-17 T5.note3, T5.note4."""
    if captured:
        return "captured"
    if destroyed:
        return "destroyed crippled" if crippled_before else "destroyed"
    return "crippled" if crippled_after and not crippled_before else None


@rule("T5.note2", "C.vp.note2")
def score_ship(
    turn: TurnContext[State],
    unit: Unit,
    event: ShipEvent,
    *,
    owner: Side,
    was_crippled: bool = False,
    text: str,
    why: Why,
) -> Fraction:
    """Enter what the enemy of ``owner`` scores for a unit; returns the signed points. PQ-17 T5.note2, C.vp.note2."""
    state = turn.state
    points = ship_points(state, unit, event, was_crippled=was_crippled)
    amount = sign_for(state.enemy_of(owner)) * points
    inputs = {"economic value": show_fraction(value_of(state, unit)), **dict(why.inputs)}
    line, cited = _LINES[event], "T5"
    if uses_campaign_table(state):
        line = cited = line_of(state, unit, event)
        inputs["factor"] = _factor_said(state, unit, event, was_crippled=was_crippled)
    return score(turn, line, amount, because(f"PQ-17 {cited}", inputs, why.dice), text=text)


@rule("2.2", "C.vp.1", "C.vp.2", "C.vp.3", "C.vp.4", "C.vp.5", "C.vp.6", "C.vp.13")
def _factor_said(state: State, unit: Unit, event: ShipEvent, *, was_crippled: bool) -> str:
    """The factor by which the campaign's table counts a unit's value, in words: a part or a multiple of its
    destruction's is given with that, and with the line which that comes from. PQ-17 2.2, C.vp.1 to C.vp.6, C.vp.13,
    ruling X-02."""
    whole = show_fraction(multiple_of(state, unit))
    if event == "destroyed":
        return whole
    factor = PER_SHIP[event] / 2 if event == "captured" and was_crippled else PER_SHIP[event]
    return f"{show_fraction(factor)} × {whole} ({line_of(state, unit, 'destroyed')})"


@rule("T5.4", "T5.note5", "C.vp.11", "C.vp.note8")
def score_raid(turn: TurnContext[State], *, text: str, why: Why) -> Fraction:
    """Enter a successful raid on an Alliance settled hex. PQ-17 T5.4, T5.note5, C.vp.11, C.vp.note8, RAID-10."""
    if not uses_campaign_table(turn.state):
        return score(turn, "T5.4", PER_RAID, why, text=text)
    cited = why.model_copy(update={"rule": f"{why.rule}, C.vp.11"})
    return score(turn, "C.vp.11", PER_RAID, cited, text=text)


@rule("2.1", "T5.note1", "T5.note2")
def score(
    turn: TurnContext[State],
    line: VpLineName,
    amount: Fraction,
    why: Why,
    *,
    text: str,
    seen_by: Sequence[Side] | None = None,
) -> Fraction:
    """Add a line of victory points, rounded to half a point and signed for the running total; tell those who may know.

    ``seen_by`` None is public. Returns the points added; a line of zero points is neither added nor told.
    PQ-17 2.1, T5, T5.note1, T5.note2, rulings GEN-7, FOG-1.
    """
    state = turn.state
    entered = to_half(amount)
    if entered == 0:
        return entered
    state.ledger.append(
        VpLine(
            line=line,
            amount=entered,
            turn=state.turn,
            impulse=state.impulse,
            text=text,
            public=seen_by is None,
            seen_by=tuple(seen_by or ()),
        )
    )
    said = f"Victory points: {signed(entered)} to the Alliance total. {text}"
    turn.tell(
        EVERYBODY if seen_by is None else seen_by,
        said,
        kind="victory",
        why=why,
        facts=[MapNote(topic=LEDGER, text=said)],
    )
    return entered


@rule("SOP.3.a", "SOP.3.b")
def close_period(turn: TurnContext[State]) -> list[VpLine]:
    """Reveal what was scored in secret to those who have not been told of it, and total the points. Returns the lines
    that were secret. PQ-17 SOP.3.a, SOP.3.b, ruling FOG-1."""
    state = turn.state
    revealed: list[VpLine] = []
    for number, line in enumerate(state.ledger):
        if not line.public:
            state.ledger[number] = line.model_copy(update={"public": True})
            revealed.append(state.ledger[number])
            said = f"Revealed: {signed(line.amount)} to the Alliance total in turn {line.turn}. {line.text}"
            fresh = [side for side in turn.sides if side not in line.seen_by]
            if fresh:
                turn.tell(fresh, said, kind="victory", why=because("PQ-17 SOP 3.a"))
    turn.tell_all(f"The Alliance total is {signed(state.total())}.", kind="victory", why=because("PQ-17 SOP 3.b"))
    return revealed


@rule("1.5")
def signed(points: Fraction) -> str:
    """Points with their sign, e.g. ``+1 1/2 (1.5)``."""
    return f"{'+' if points > 0 else ''}{show_fraction(points)}"


def lines_for(state: State, side: Side | None) -> list[VpLine]:
    """The lines of victory points that ``side`` may read; None for the public. PQ-17 ruling FOG-1."""
    return [line for line in state.ledger if line.public or (side is not None and side in line.seen_by)]


_PLACELESS: tuple[VpLineName, ...] = ("4.1.2", "C.special", "C.random")
_RAID = "A raid on "


@rule("T5.1", "T5.2", "T5.3", "T5.4", "T5.6", "C.vp.11")
def place_of(line: VpLine) -> str:
    """The hex that a line of a loss or a raid names, as its text ends or (a raid) begins; "" if it names none. What a
    referee entered may be anything. PQ-17 T5.1 to T5.4, T5.6, C.vp.11."""
    if line.line in _PLACELESS:
        return ""
    if line.text.startswith(_RAID):
        return line.text.removeprefix(_RAID).partition(" ")[0]
    _, found, place = line.text.rstrip(".").rpartition(" in ")
    return place if found else ""


def total_for(state: State, side: Side | None) -> Fraction:
    """The running total as far as ``side`` may know it; None for the public."""
    return sum((line.amount for line in lines_for(state, side)), Fraction(0))


@rule("T5.victory", "C.vp.victory", "C.vp.note11")
def needed_to_win(state: State) -> Fraction:
    """The total at which the Alliance wins: the scenario's, or by the campaign's table 15 a period played.

    PQ-17 T5.victory, C.vp.victory, C.vp.note11, ruling SCN-2."""
    if not uses_campaign_table(state):
        return state.settings.victory_points
    return Fraction(POINTS_TWO_PERIODS, 2) * Fraction(state.settings.turns, TURNS_A_PERIOD)


@rule("1.2.1", "2.1", "2.2", "T5.victory", "T5.note6", "C.vp.victory", "C.year-duration")
def ending(state: State) -> Ending | None:
    """Once the last turn is played: the Alliance wins at or above its threshold, else the Coalition.

    PQ-17 1.2.1, 2.1, 2.2, T5.victory, T5.note6, C.vp.victory, C.year-duration, ruling SCN-2."""
    if state.turn < state.settings.turns:
        return None
    total, needed = state.total(), needed_to_win(state)
    winner = ALLIANCE if total >= needed else COALITION
    name = next(label.name for label in state.sides if label.key == winner)
    return Ending(
        winners=(winner,),
        scores={ALLIANCE: signed(total), COALITION: signed(-total)},
        text=f"{name} wins: the total is {signed(total)}, and the Alliance needed {signed(needed)}.",
        rule="PQ-17 C.vp.victory" if uses_campaign_table(state) else "PQ-17 T5.victory",
    )
