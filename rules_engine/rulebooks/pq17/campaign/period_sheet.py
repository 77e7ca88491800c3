"""The sheet of a period: where and when arrivals enter, which ships leave for transfers, which are Patrol White, and
which ships get command points if there are too few for all.

PQ-17 C.schedule.note3, C.schedule.note5, C.cp.*, rulings CP-5, CP-6, CP-12, MOV-7.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Json, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.refusals import Refusal, illegal, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.arrivals import free_key, goals, settle, ships_of, waiting
from rules_engine.rulebooks.pq17.campaign.command_points import (
    PATROL_SHIPS,
    PATROL_WHITE,
    account_of,
    commands,
    cost,
    in_patrol_area,
    leave_uncovered,
    need,
)
from rules_engine.rulebooks.pq17.campaign.transfers import TransferCall, assign, calls, candidates, usual_ships
from rules_engine.rulebooks.pq17.nations.homes import (
    FEDERATION,
    category_of,
    entry_of,
    first_turn_of,
    is_warship,
    nation_of,
    period_of,
)
from rules_engine.rulebooks.pq17.nations.ship_values import value_of
from rules_engine.rulebooks.pq17.orders.order_sheets import misplaced
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.progress import Arrival
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import TURNS_A_PERIOD, Speed
from rules_engine.rulebooks.pq17.tables.order_of_battle import Nation

HOLD = "hold"
STAYS = "none"
COVER = "cover-"
TRANSFER = "Transfer"
HELD_BACK: tuple[str, ...] = ("reinforcement", "return", "special", "cargo")
"""The kinds of arrivals that may enter later than their period's first turn. PQ-17 C.schedule.note5, ruling SCN-28."""
SPEEDS = (Speed.EFFICIENT, Speed.CRUISE, Speed.SPRINT)

Turn = Annotated[int, Bounded(ge=1, le=TURNS_A_PERIOD)]


class PeriodLine(Frozen):
    """One line of the period's sheet; a line holds only the fields that its form offers."""

    hex: str | None = None
    turn: Turn | None = None
    goal: str | None = None
    speed: Speed | None = None
    apart: tuple[str, ...] | None = None
    apart_hex: str | None = None
    ships: tuple[str, ...] | None = None
    exit: str | None = None


class PeriodSheet(RootModel[dict[str, PeriodLine]]):
    """What a side decides once a period."""


NO_LINE = PeriodLine()


def period_ask(turn: TurnContext[State], side: Side) -> Ask[PeriodSheet]:
    """The ask for one side's period sheet. If its form has no line, there is nothing to decide."""
    state = turn.state
    form = period_form(state, side)
    period = period_of(state.turn)
    return Ask(
        kind="period",
        parties=(side,),
        title=f"Period {period}: arrivals, transfers, command",
        text="Where and when ships come on, which leave the map for transfers, and whom command points are for.",
        question=Question(
            f"Plan period {period}", "Ships come on, leave for transfers, and command points are given out."
        ),
        model=PeriodSheet,
        form=form,
        rule="PQ-17 C.schedule.note3",
        default=PeriodSheet.model_validate(form.prefilled()),
        default_says=_say_default(form),
        check=lambda sheet: [*misplaced(form, sheet.root), *check_period(state, side, form, sheet)],
        read_back=lambda sheet: list(_say(state, form, sheet)),
        warn=lambda sheet: [*_warn(state, side, sheet), *_without_effect(form, sheet)],
    )


def _say_default(form: Form) -> str:
    """What is done with each line that nobody fills in."""
    keys = [line.key for line in form.lines]
    fields = {field.key for line in form.lines for field in line.fields}
    said = [
        ("All come on at once, by the edge hexes nearest to a base.", "hex" in fields),
        ("The least useful ships go on transfers.", any(line.label.startswith(TRANSFER) for line in form.lines)),
        ("Patrol White keeps its cruisers, and others take the places of missing ones.", PATROL_WHITE in keys),
        ("The largest ships get the command points.", any(key.startswith(COVER) for key in keys)),
    ]
    return " ".join(sentence for sentence, applies in said if applies) or "Nothing is to be decided."


# --- the form ---------------------------------------------------------------------------------------------------------


def period_form(state: State, side: Side) -> Form:
    """Arrivals, transfers, Patrol White, and ships out of port where command points are short."""
    lines = [_arrival_line(state, one) for one in waiting(state, side)]
    usual = usual_ships(state, side, period_of(state.turn))
    lines += [_call_line(state, call, usual[call.key]) for call in calls(state, side, period_of(state.turn))]
    lines += [line for line in (_patrol_line(state, side),) if line is not None]
    lines += [line for nation in commands(state, side) if (line := _cover_line(state, nation)) is not None]
    return Form(lines=tuple(lines))


def _arrival_line(state: State, arrival: Arrival) -> Line:
    trial = arrival.copied()
    settle(state, trial)
    may_wait = arrival.kind in HELD_BACK
    hexes = tuple(Choice(value=one, label=one) for one in arrival.entry)
    later = (Choice(value=HOLD, label="Hold back"),) if may_wait else ()
    fields = [Field(key="hex", label="Comes on in", kind="one", choices=hexes + later, value=trial.hex)]
    if may_wait:
        help_text = "Of the period"
        fields.append(Field(key="turn", label="On turn", kind="number", least=1, most=30, value=1, help=help_text))
    bases = tuple(Choice(value=one.id, label=one.base.name) for one in goals(state, arrival) if one.base is not None)
    if bases:
        choices = (*bases, Choice(value=STAYS, label="Waits for orders there"))
        value = trial.destination or STAYS
        fields.append(Field(key="goal", label="Makes for", kind="one", choices=choices, value=value))
    speeds = tuple(Choice(value=one.value, label=one.label) for one in SPEEDS)
    fields.append(Field(key="speed", label="At speed", kind="one", choices=speeds, optional=True))
    separate = ships_of(state, arrival)
    if len(separate) > 1:
        ships = tuple(Choice(value=one, label=_ship(state, state.units[one])) for one in separate)
        fields.append(Field(key="apart", label="Ships that come on apart", kind="many", choices=ships, optional=True))
        label = "These come on in"
        fields.append(Field(key="apart_hex", label=label, kind="one", choices=hexes + later, optional=True))
    names = ", ".join(state.units[one].name for one in arrival.units)
    return Line(
        key=arrival.key, label=f"{arrival.name}: {counted(len(separate), 'ship')}", fields=tuple(fields), note=names
    )


def _call_line(state: State, call: TransferCall, chosen: Iterable[str]) -> Line:
    options = tuple(Choice(value=one.id, label=_ship(state, one)) for one in candidates(state, call))
    ships = Field(key="ships", label="Ships that go", kind="many", choices=options, value=list(chosen), optional=True)
    exits = entry_of(state, call.transfer.nation)
    fields = [ships]
    if len(exits) > 1:
        where = tuple(Choice(value=one, label=one) for one in exits)
        fields.append(Field(key="exit", label="They leave by", kind="one", choices=where, optional=True))
    note = "Undamaged, with half of their fuel or more" if call.transfer.operation else "In any condition"
    return Line(key=call.key, label=f"{TRANSFER} {call.label}", fields=tuple(fields), note=note)


def _patrol_line(state: State, side: Side) -> Line | None:
    able = patrol_candidates(state, side)
    if len(able) <= PATROL_SHIPS:
        return None
    options = tuple(Choice(value=one.id, label=_ship(state, one)) for one in able)
    help_text = "They need no command points while they stay within 3 hexes of Aikashi"
    chosen: list[Json] = [*usual_patrol(state, side)]
    field = Field(key="ships", label="Two cruisers", kind="many", choices=options, value=chosen, help=help_text)
    return Line(key=PATROL_WHITE, label="Patrol White", fields=(field,))


def _cover_line(state: State, nation: Nation) -> Line | None:
    """The line for a nation with more ships out of port than it has points for. PQ-17 ruling CP-5."""
    out = need(state, nation.key, state.all_task_forces(nation.side)).out
    bank = account_of(state, nation.key).bank
    if cost(state, nation.key, out) <= bank:
        return None
    options = tuple(Choice(value=one, label=_ship(state, state.units[one])) for one in sorted(out))
    label = "Ships that stay out"
    covered: list[Json] = [*usual_cover(state, nation)]
    field = Field(key="ships", label=label, kind="many", choices=options, value=covered)
    note = f"{bank} command points; all others go to port by the shortest way"
    return Line(key=f"{COVER}{nation.key}", label=f"{nation.name} command points", fields=(field,), note=note)


def _ship(state: State, unit: Unit) -> str:
    tf = state.tf_of(unit.id)
    where = f" in {tf.hex}" if tf is not None else ""
    return f"{unit.name} ({state.class_of(unit).label}){where}"


# --- defaults ---------------------------------------------------------------------------------------------------------


@rule("C.cp.patrol-white")
def patrol_candidates(state: State, side: Side) -> list[Unit]:
    """Cruisers that may hold Patrol White's exemption. PQ-17 C.cp.patrol-white, ruling CP-6."""
    found: list[Unit] = []
    for tf in state.all_task_forces(side):
        for unit in state.units_of(tf):
            nation = nation_of(state, unit)
            own = nation is not None and nation.key == FEDERATION and is_warship(state, unit)
            if own and category_of(state, unit) == "CA":
                found.append(unit)
    return found


def usual_patrol(state: State, side: Side) -> list[str]:
    """The default: ships that hold it, then those deployed for it, those in the area, then any."""

    def order(unit: Unit) -> tuple[object, ...]:
        tf = state.tf_of(unit.id)
        there = tf is not None and in_patrol_area(state, tf.hex)
        return (unit.id not in state.progress.patrol, PATROL_WHITE not in unit.tags, not there, unit.id)

    return sorted(one.id for one in sorted(patrol_candidates(state, side), key=order)[:PATROL_SHIPS])


def usual_cover(state: State, nation: Nation) -> list[str]:
    """The default: as many ships as there are points for, the largest first."""
    out = need(state, nation.key, state.all_task_forces(nation.side)).out
    chosen: list[str] = []
    for one in sorted(out, key=lambda one: (-value_of(state, state.units[one]), one)):
        if cost(state, nation.key, [*chosen, one]) <= account_of(state, nation.key).bank:
            chosen.append(one)
    return sorted(chosen)


# --- judging ----------------------------------------------------------------------------------------------------------


@rule("C.schedule.note2", "C.schedule.note3")
def check_period(state: State, side: Side, form: Form, sheet: PeriodSheet) -> list[Refusal]:
    """Every defect of a period's sheet. PQ-17 C.schedule.note2, C.schedule.note3, rulings CP-5, CP-6, MOV-7."""
    refusals = list(_foreign_values(form, sheet))
    if refusals:
        return refusals
    for arrival in waiting(state, side):
        line = sheet.root.get(arrival.key, NO_LINE)
        if line.apart and not line.apart_hex:
            problem = "say where these ships come on"
            path = f"{arrival.key}.apart_hex"
            refusals.append(illegal(problem, "PQ-17 C.schedule.note5", path, legal=", ".join(arrival.entry)))
    taken: dict[str, str] = {}
    for call in calls(state, side, period_of(state.turn)):
        ships = sheet.root.get(call.key, NO_LINE).ships or ()
        if len(ships) > call.count:
            problem = f"{len(ships)} ships for a transfer of {call.count}"
            path = f"{call.key}.ships"
            refusals.append(illegal(problem, "PQ-17 C.schedule.note2", path, legal=f"at most {call.count}"))
        for ship in ships:
            if ship in taken:
                problem = f"{state.units[ship].name} goes on {taken[ship]} already"
                refusals.append(illegal(problem, "PQ-17 C.schedule.note2", f"{call.key}.ships", legal="once each"))
            taken[ship] = call.label
    chosen = sheet.root.get(PATROL_WHITE, NO_LINE).ships
    if chosen is not None and len(chosen) > PATROL_SHIPS:
        problem = f"Patrol White is {PATROL_SHIPS} cruisers, not {len(chosen)}"
        legal = f"at most {PATROL_SHIPS}"
        refusals.append(illegal(problem, "PQ-17 C.cp.patrol-white", f"{PATROL_WHITE}.ships", legal=legal))
    for nation in commands(state, side):
        ships = sheet.root.get(f"{COVER}{nation.key}", NO_LINE).ships
        bank = account_of(state, nation.key).bank
        if ships is not None and (wanted := cost(state, nation.key, ships)) > bank:
            problem = f"these need {wanted} command points"
            path = f"{COVER}{nation.key}.ships"
            refusals.append(illegal(problem, "PQ-17 4.2.1", path, legal=f"{bank} command points"))
    return refusals


def _foreign_values(form: Form, sheet: PeriodSheet) -> Iterable[Refusal]:
    """Refusals of values that are not among a field's choices."""
    for key, line in sheet.root.items():
        known = form.line(key)
        for field in known.fields if known is not None else ():
            options = [choice.value for choice in field.choices]
            given = getattr(line, field.key)
            values = [] if given is None or not options else list(given) if field.kind == "many" else [str(given)]
            for value in values:
                if value not in options:
                    problem = f"{value} is no choice here"
                    near = nearest(value, options)
                    legal = ", ".join(options[:20])
                    rule = "PQ-17 C.schedule.note2" if field.key == "ships" else "PQ-17 C.schedule.note3"
                    yield illegal(problem, rule, f"{key}.{field.key}", legal=legal, nearest=near)


def _say(state: State, form: Form, sheet: PeriodSheet) -> Iterable[str]:
    given: Mapping[str, Mapping[str, object]] = form.prefilled()
    for line in form.lines:
        chosen = sheet.root.get(line.key, NO_LINE)
        if any(field.key == "hex" for field in line.fields):
            yield _say_arrival(state, line, chosen, given[line.key])
        else:
            names = ", ".join(state.units[one].name for one in chosen.ships or () if one in state.units) or "nobody"
            by = f" by {chosen.exit}" if chosen.exit and chosen.ships else ""
            yield f"{line.label}: {names}{by}."


def _say_arrival(state: State, line: Line, chosen: PeriodLine, usual: Mapping[str, object]) -> str:
    """Where, when, how and for where a group comes on, and where those of it that come on apart."""
    has_turn = any(field.key == "turn" for field in line.fields)
    turn = f" on turn {chosen.turn or 1} of the period" if has_turn else ""

    def where(hex_id: str) -> str:
        return "held back" if hex_id == HOLD else f"in {hex_id}{turn}"

    here = chosen.hex or str(usual["hex"])
    names = ", ".join(state.units[one].name for one in chosen.apart or () if one in state.units)
    goal = chosen.goal or usual.get("goal")
    bases = [one.label for field in line.fields if field.key == "goal" for one in field.choices if one.value == goal]
    how = [
        f"apart from them {names} {where(chosen.apart_hex or here)}" if names else "",
        f"at {chosen.speed.label}" if chosen.speed is not None else "",
    ]
    if bases and (names or here != HOLD):
        how.append("waiting for orders there" if goal == STAYS else f"bound for {bases[0]}")
    return f"{line.label}, {'; '.join(filter(None, (where(here), *how)))}."


def _warn(state: State, side: Side, sheet: PeriodSheet) -> Iterable[str]:
    for call in calls(state, side, period_of(state.turn)):
        ships = sheet.root.get(call.key, NO_LINE).ships or ()
        if len(ships) < call.count:
            yield f"Transfer {call.label}: {call.count - len(ships)} missing, which costs victory points (C.vp.14)."


def _without_effect(form: Form, sheet: PeriodSheet) -> Iterable[str]:
    """Warnings of what is named for nobody: a hex for ships apart, an exit for no ships, a turn for ships held back."""
    for line in form.lines:
        given = sheet.root.get(line.key, NO_LINE)
        fields = {field.key: field for field in line.fields}
        if given.apart_hex and not given.apart:
            yield f"{line.label}: no ships come on apart, so the hex named for them in {line.key} does nothing."
        if given.exit and not given.ships:
            yield f"{line.label}: nobody goes, so the exit named in {line.key} does nothing."
        everybody = "apart" in fields and len(given.apart or ()) == len(fields["apart"].choices)
        if everybody:
            yield f"{line.label}: all of its ships are named to come on apart, so they do not come on apart from any."
        hexes = (given.hex or fields["hex"].value, given.apart_hex if given.apart else HOLD) if "hex" in fields else ()
        if hexes == (HOLD, HOLD) and given.turn not in (None, fields["turn"].value if "turn" in fields else None):
            yield f"{line.label}: all are held back, so the turn named in {line.key} does nothing."


# --- carrying out -----------------------------------------------------------------------------------------------------


def carry_out_period(turn: TurnContext[State], side: Side, sheet: PeriodSheet) -> None:
    """Plan the arrivals, permit transfers, name Patrol White, and send home ships without points left for them."""
    state = turn.state
    for arrival in waiting(state, side):
        _plan(state, arrival, sheet.root.get(arrival.key, NO_LINE))
    for call in calls(state, side, period_of(state.turn)):
        line = sheet.root.get(call.key, NO_LINE)
        assign(state, call, line.ships or (), line.exit or "")
    if patrol_candidates(state, side):
        chosen = sheet.root.get(PATROL_WHITE, NO_LINE).ships
        state.progress.patrol = usual_patrol(state, side) if chosen is None else sorted(chosen)
    for nation in commands(state, side):
        ships = sheet.root.get(f"{COVER}{nation.key}", NO_LINE).ships
        if ships is not None:
            out = need(state, nation.key, state.all_task_forces(side)).out
            for unit_id in sorted(out - set(ships)):
                leave_uncovered(turn, nation, unit_id)


def _plan(state: State, arrival: Arrival, line: PeriodLine) -> None:
    settle(state, arrival)
    if line.goal is not None:
        arrival.destination = "" if line.goal == STAYS else line.goal
    arrival.speed = line.speed.value if line.speed is not None else ""
    _where(state, arrival, line.hex or arrival.hex, line.turn)
    named = {one for one in ships_of(state, arrival) if one in (line.apart or ())}
    apart = [one for one in arrival.units if {one, state.units[one].carried_by} & named]
    if not apart or len(apart) == len(arrival.units):
        return
    other = arrival.copied()
    other.key = free_key(state, arrival.key)
    other.units = apart
    arrival.units = [one for one in arrival.units if one not in apart]
    for unit_id in apart:
        state.progress.away[unit_id].key = other.key
    _where(state, other, line.apart_hex or arrival.hex, line.turn)
    state.progress.arrivals.append(other)


def _where(state: State, arrival: Arrival, hex_id: str, turn: int | None) -> None:
    """Set where and when an arrival enters; held back, it waits for the next period's sheet."""
    if hex_id == HOLD:
        arrival.hex, arrival.turn = "", 0
        return
    arrival.hex = hex_id
    arrival.turn = max(state.turn, first_turn_of(period_of(state.turn)) + (turn or 1) - 1)
