"""What a side is told about its campaign: the period ahead, the period past, and the panel of its command.

Each side sees its own figures, and of the other's only published victory points. PQ-17 SOP.3.a, SOP.3.b, ruling FOG-1.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from fractions import Fraction

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import EVERYBODY, MapNote, because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.arrivals import ships_of, waiting
from rules_engine.rulebooks.pq17.campaign.command_points import account_of, commands, must_go_home
from rules_engine.rulebooks.pq17.campaign.transfers import calls, missing
from rules_engine.rulebooks.pq17.nations.homes import is_campaign, period_of
from rules_engine.rulebooks.pq17.nations.victory_points import LEDGER, lines_for, sign_for, signed
from rules_engine.rulebooks.pq17.records.state import ALLIANCE, State, VpLine

LINE_TITLES: dict[str, str] = {
    "C.vp.1": "Klingon large ships destroyed",
    "C.vp.2": "Klingon cruisers destroyed",
    "C.vp.3": "Federation large ships destroyed",
    "C.vp.4": "Other ships destroyed",
    "C.vp.5": "Crippled ships destroyed",
    "C.vp.6": "Ships crippled",
    "C.vp.7": "Supplies delivered",
    "C.vp.8": "Supplies destroyed",
    "C.vp.9": "Too few deliveries",
    "C.vp.10": "Freighters not returned",
    "C.vp.11": "Raids",
    "C.vp.12": "Command points",
    "C.vp.13": "Ships captured",
    "C.vp.14": "Transfers missed",
    "C.vp.15": "Patrol White",
    "C.vp.16": "Emergency reinforcements",
    "T5.1": "Ships destroyed",
    "T5.2": "Crippled ships destroyed",
    "T5.3": "Ships crippled",
    "T5.4": "Raids",
    "T5.5": "Command points",
    "T5.6": "Ships captured",
    "C.special": "Special conditions",
    "C.random": "Random events",
    "4.1.2": "Bids for the initiative",
}
"""The lines of victory points in words: of the campaign's own table, and of the standard one."""


def tell_beginning(turn: TurnContext[State], side: Side) -> None:
    """Tell a side its command points and the transfers due."""
    state = turn.state
    for row in _command_rows(state, side):
        turn.tell([side], row, kind="command", why=because("PQ-17 4.2.1"))
    for row in _transfer_rows(state, side):
        turn.tell([side], row, kind="command", why=because("PQ-17 C.schedule.note4"))


@rule("SOP.3.a", "SOP.3.b")
def tell_period(turn: TurnContext[State], revealed: Collection[VpLine] = ()) -> None:
    """Tell everybody which side has scored what in the period, once all of it is revealed; what was secret until then
    with what it was for. PQ-17 SOP.3.a, SOP.3.b."""
    state = turn.state
    period = period_of(state.turn)
    scored = [line for line in lines_for(state, None) if period_of(line.turn) == period]
    told = [
        f"{turn.name_of(side)} scores {_by_line(own, revealed)}"
        for side in turn.sides
        if (own := [line for line in scored if sign_for(side) * line.amount > 0])
    ]
    text = f"Period {period}: {'. '.join(told) or 'nothing scored'}."
    turn.tell(EVERYBODY, text, kind="victory", why=because("PQ-17 SOP 3.b"), facts=[MapNote(topic=LEDGER, text=text)])


def _by_line(lines: Collection[VpLine], revealed: Collection[VpLine]) -> str:
    """One side's points: their sum, and by line of the table, in its order, with what was revealed just now."""
    parts: list[str] = []
    for name, title in LINE_TITLES.items():
        own = [line for line in lines if line.line == name]
        secret = "; ".join(dict.fromkeys(line.text.rstrip(".") for line in own if line in revealed and line.text))
        if own:
            parts.append(f"{title} {_points(own)}{f' ({secret})' if secret else ''}")
    return f"{_points(lines)}: {', '.join(parts)}"


def _points(lines: Iterable[VpLine]) -> str:
    return show_fraction(abs(sum((line.amount for line in lines), Fraction(0))))


def ledger_by_line(state: State, side: Side | None, period: int) -> Iterable[str]:
    """A period's points by line of the table, in the table's order."""
    sums: dict[str, Fraction] = {}
    for line in lines_for(state, side):
        if period_of(line.turn) == period:
            sums[line.line] = sums.get(line.line, Fraction(0)) + line.amount
    for name, title in LINE_TITLES.items():
        if name in sums:
            yield f"{title} {signed(sums[name])}"


def campaign_rows(state: State, side: Side) -> list[str]:
    """A side's panel: command points, transfers, what waits off the map, and victory points by period."""
    if not is_campaign(state):
        return []
    rows = [*_command_rows(state, side), *_transfer_rows(state, side), *_waiting_rows(state, side)]
    if side == ALLIANCE:
        tally = state.progress.tally
        rows.append(f"Delivered to the Kzintis this period: {tally.delivered}; destroyed: {tally.destroyed}")
    for period in sorted({period_of(line.turn) for line in lines_for(state, side)}):
        scored = "; ".join(ledger_by_line(state, side, period))
        if scored:
            rows.append(f"Period {period}: {scored}")
    return rows


def _command_rows(state: State, side: Side) -> Iterable[str]:
    for nation in commands(state, side):
        account = account_of(state, nation.key)
        yield f"{nation.name} command points: {account.bank} left, {account.spent} spent this period"
    sent = [tf.label for tf in state.all_task_forces(side) if must_go_home(state, tf)]
    if sent:
        yield f"Without command points, on the way to port: {', '.join(sent)}"


def _transfer_rows(state: State, side: Side) -> Iterable[str]:
    """The transfers due, and how many ships have left that count for each, by C.schedule.note2 and C.schedule.note4:
    one that goes for another category, or unfit for an operation, does not."""
    period = period_of(state.turn)
    wanting = Counter((transfer.key, category) for transfer, category in missing(state, period))
    for call in calls(state, side, period):
        gone = call.count - wanting[call.transfer.key, call.category]
        nation = state.settings.campaign.nation_of(call.transfer.nation).name
        yield f"Transfer this period ({nation}): {call.label}; of these gone: {gone}"


def _waiting_rows(state: State, side: Side) -> Iterable[str]:
    for arrival in waiting(state, side):
        when = f"in {arrival.hex} on turn {arrival.turn}" if arrival.hex else "held back"
        yield f"Off the map: {arrival.name}, {counted(len(ships_of(state, arrival)), 'ship')}, {when}"
