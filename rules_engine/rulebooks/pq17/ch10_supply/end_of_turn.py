"""Chapter 10 in the Tactical Logistics Step: goods are moved, supply is converted, and the owner is told.

PQ-17 SOP.2.c.ii, 10.3.6.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Annotated

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import MapNote, because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch10_supply.drones import (
    conversion_excess,
    inventory,
    nation_of,
    nations,
    report_compliance,
)
from rules_engine.rulebooks.pq17.ch10_supply.routine import upkeep
from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_room, damcon_room, put, room, say_goods, take
from rules_engine.rulebooks.pq17.ch10_supply.transfer_words import read_amounts, said_given, write_amounts
from rules_engine.rulebooks.pq17.ch10_supply.transfers import absorb, collect, is_used_up, settle_drones, store
from rules_engine.rulebooks.pq17.orders.order_sheets import misplaced
from rules_engine.rulebooks.pq17.records.calendar import turn_label
from rules_engine.rulebooks.pq17.records.forces import Unit
from rules_engine.rulebooks.pq17.records.logistics import GoodsDelivery, LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import DRONE_KINDS, INTERRUPTED, Goods, boxes_for

MOST_TEXT = 300
"""The most characters of a line that says what supply is converted into."""


@rule("SOP.2.c.ii", "10.3.6")
def supply_steps(turn: TurnContext[State]) -> Steps[None]:
    """ii. Transfers of both sides, conversion of supply, and the use of ships' own supply. PQ-17 SOP.2.c.ii, 10.3.6."""
    state = turn.state
    plans = {side: state.logistics[side] for side in turn.sides if side in state.logistics}
    for side, plan in plans.items():
        plan.done = collect(state, side, state.units, plan)
    asked = [side for side, plan in plans.items() if plan.ask_at_end and convertible(state, side)]
    sheets = yield from turn.ask_all_steps([conversion_ask(turn, side) for side in asked])
    for side, sheet in zip(asked, sheets, strict=True):
        carry_out_conversions(turn, side, sheet)
    for side, plan in plans.items():
        settle_drones(state, side, plan.done)
        store(state, state.units, plan.done)
        report_transfers(turn, side, plan)
    for side in turn.sides:
        carry_out_upkeep(turn, side)
        _report_made_drones(turn, side, plans.get(side, LogisticsPlan()))


@rule("10.2.6.5.1")
def _report_made_drones(turn: TurnContext[State], side: Side, plan: LogisticsPlan) -> None:
    """The first evaluation, once supply has been turned into drones. PQ-17 10.2.6.5.1."""
    if any(one.into in DRONE_KINDS for one in plan.done):
        report_compliance(turn, side)


# --- what supply becomes ----------------------------------------------------------------------------------------------


class MakeLine(Frozen):
    """What one unit converts its supply into."""

    make: Annotated[str, Bounded(max_length=MOST_TEXT)] | None = None


class MakeSheet(RootModel[dict[str, MakeLine]]):
    """A side's conversions at the end of the turn. PQ-17 10.3.7.5."""


def arrived(state: State, side: Side) -> dict[str, Fraction]:
    """Supply on its way without an order for its conversion, by the unit that gets it."""
    plan = state.logistics.get(side, LogisticsPlan())
    found: dict[str, Fraction] = {}
    for one in plan.done:
        if one.goods is Goods.SUPPLY and one.into is None and one.amount and not one.stored:
            found[one.target] = found.get(one.target, Fraction(0)) + one.amount
    return found


@rule("C.vp.7")
def used_up(state: State, side: Side, unit_id: str) -> Fraction:
    """Points of supply just received that the unit uses up at once, as the Kzintis do. PQ-17 C.vp.7, SUP-10."""
    lines = (one for one in state.logistics.get(side, LogisticsPlan()).done if one.target == unit_id)
    return sum((one.amount for one in lines if is_used_up(state, one)), Fraction(0))


@rule("10.3.7.5", "10.3.10.1")
def convertible(state: State, side: Side) -> list[str]:
    """The units that have supply and lack something it could become. PQ-17 10.3.7.5, 10.3.10.1."""
    coming = arrived(state, side)
    units = [unit for tf in state.all_task_forces(side) for unit in state.units_of(tf)]
    return [one.id for one in units if (one.supply or coming.get(one.id)) and _useful(state, one)]


def _useful(state: State, unit: Unit) -> bool:
    kind = state.class_of(unit)
    return any(room(kind, unit, goods) for goods in Goods if goods is not Goods.SUPPLY)


@rule("10.3.5", "10.3.7.5")
def conversion_ask(turn: TurnContext[State], side: Side) -> Ask[MakeSheet]:
    """The ask for conversions, for a side that chose to decide at the end of the turn. PQ-17 10.3.5, 10.3.7.5."""
    state = turn.state
    form = conversion_form(state, side)
    return Ask(
        kind="conversions",
        parties=(side,),
        title=f"What supply becomes, {turn_label(state.turn)}",
        text="Say what each ship makes of its supply, for example: 3 fuel, 16 drones. The rest stays supply.",
        question=Question("What does supply become?", "What you leave out stays supply."),
        model=MakeSheet,
        form=form,
        rule="PQ-17 10.3.7.5",
        pace="decision",
        default=MakeSheet.model_validate(form.prefilled()),
        default_says="Supply stays supply where there is cargo room, else it becomes engine fuel first.",
        check=lambda sheet: check_conversions(state, side, form, sheet),
        read_back=lambda sheet: _read_back(state, sheet),
    )


def conversion_form(state: State, side: Side) -> Form:
    """A line for each unit with supply, filled in with the conversion of what it cannot store."""
    coming = arrived(state, side)
    return Form(lines=tuple(_make_line(state, state.units[one], coming) for one in convertible(state, side)))


def _make_line(state: State, unit: Unit, coming: Mapping[str, Fraction]) -> Line:
    trial = unit.copied()
    made, _ = absorb(state, trial, coming.get(unit.id, Fraction(0)))
    made.pop(Goods.SUPPLY, None)
    value = write_amounts(made.items()) or None
    help_text = "Amounts of what is made; a supply point serves one purpose"
    field = Field(key="make", label="Make", kind="text", most=MOST_TEXT, value=value, optional=True, help=help_text)
    points = unit.supply + coming.get(unit.id, Fraction(0))
    note = f"{points} supply points, room for {int(cargo_room(unit, Goods.SUPPLY)) + unit.supply} in cargo"
    return Line(key=unit.id, label=f"{unit.name} ({state.class_of(unit).label})", fields=(field,), note=note)


def _wanted(sheet: MakeSheet, unit_id: str) -> tuple[list[tuple[Goods, Fraction]], list[Refusal]]:
    line = sheet.root.get(unit_id)
    return read_amounts(line.make if line and line.make else "", f"{unit_id}.make")


@rule("10.2.3", "10.2.4", "10.2.6.6", "10.3.3")
def check_conversions(state: State, side: Side, form: Form, sheet: MakeSheet) -> list[Refusal]:
    """No more than the supply there is, nothing lost unless agreed to, drones within their percentages.

    PQ-17 10.2.3, 10.2.4, 10.2.6.6, 10.3.3, ruling SUP-5."""
    found = misplaced(form, sheet.root)
    coming = arrived(state, side)
    drones: dict[str, dict[Goods, Fraction]] = {}
    makers: dict[tuple[str, Goods], str] = {}
    for line in form.lines:
        unit = state.units[line.key]
        wanted, wrong = _wanted(sheet, unit.id)
        found += wrong
        path = f"{unit.id}.make"
        if any(goods is Goods.SUPPLY for goods, _ in wanted):
            found.append(illegal("it is supply already", "PQ-17 10.2.4", path, legal="what it becomes, or nothing"))
            continue
        has = unit.supply + coming.get(unit.id, Fraction(0))
        needs = sum(boxes_for(goods, amount) for goods, amount in wanted)
        if needs > has:
            problem = f"that takes {needs} supply points, and it has {has}"
            found.append(illegal(problem, "PQ-17 10.2.3", path, legal=f"at most {has} points' worth"))
            continue
        lost = make(state, unit.copied(), coming.get(unit.id, Fraction(0)), wanted)[1]
        lost -= min(lost, used_up(state, side, unit.id))
        if lost and not state.logistics[side].may_lose:
            problem = f"there is no room for all of it: {say_goods([(Goods.SUPPLY, lost)])} would be lost"
            found.append(illegal(problem, "PQ-17 10.3.3", path, legal="something else, or less of it"))
        for goods, amount in wanted:
            if goods in DRONE_KINDS:
                made = drones.setdefault(nation_of(state, unit), {})
                made[goods] = made.get(goods, Fraction(0)) + amount
                makers.setdefault((nation_of(state, unit), goods), path)
    for nation, made in drones.items():
        for goods in conversion_excess(inventory(state, nation, nations(state, side)[nation]), made):
            problem = f"{nation} would have more {goods.value} than its share of all drones"
            path = makers[nation, goods]
            found.append(illegal(problem, "PQ-17 10.2.6.6", path, legal="drones (general availability)"))
    return found


@rule("10.2.3", "10.2.5", "10.3.3", "10.3.5")
def make(
    state: State, unit: Unit, coming: Fraction, wanted: Iterable[tuple[Goods, Fraction]]
) -> tuple[dict[Goods, Fraction], Fraction]:
    """Convert supply as wanted, newly received supply first. Returns what the received supply was made into or kept
    as, and the points lost. PQ-17 10.2.3, 10.2.5, 10.3.3, 10.3.5."""
    kind = state.class_of(unit)
    made: dict[Goods, Fraction] = {}
    lost = Fraction(0)
    for goods, amount in wanted:
        points = Fraction(boxes_for(goods, amount))
        fresh = min(points, coming)
        coming -= fresh
        take(unit, Goods.SUPPLY, points - fresh)
        over = put(kind, unit, goods, amount)
        lost += Fraction(boxes_for(goods, over)) if over else 0
        made[goods] = made.get(goods, Fraction(0)) + amount - over
    over = put(kind, unit, Goods.SUPPLY, coming)
    if coming - over:
        made[Goods.SUPPLY] = coming - over
    return made, lost + over


@rule("10.2.5", "10.3.4", "10.3.7.5")
def carry_out_conversions(turn: TurnContext[State], side: Side, sheet: MakeSheet) -> None:
    """Carry out the conversions of a sheet, and tell the owner. PQ-17 10.2.5, 10.3.4, 10.3.7.5."""
    state = turn.state
    coming = arrived(state, side)
    for unit_id in convertible(state, side):
        unit = state.units[unit_id]
        wanted, _ = _wanted(sheet, unit_id)
        lines = [one for one in state.logistics[side].done if one.target == unit_id and one.into is None]
        made, lost = make(state, unit, coming.get(unit_id, Fraction(0)), wanted)
        passed_on = min(lost, used_up(state, side, unit_id))
        for one in (one for one in lines if one.goods is Goods.SUPPLY and one.amount):
            one.stored = {Goods.SUPPLY: one.amount}
        made.pop(Goods.SUPPLY, None)
        said = [f"{unit.name} makes {say_goods(made.items())} of its supply"] if made else []
        if passed_on:
            said.append(f"{unit.name} passes on {say_goods([(Goods.SUPPLY, passed_on)])} at once")
        if lost > passed_on:
            said.append(f"{say_goods([(Goods.SUPPLY, lost - passed_on)])} at {unit.name} found no room and was lost")
        if said:
            text = f"{'; '.join(said)}."
            turn.tell([side], text, kind="supply", why=because("PQ-17 10.3.7.5", {"unit": unit.name}))


def _read_back(state: State, sheet: MakeSheet) -> list[str]:
    said: list[str] = []
    for unit_id in sheet.root:
        wanted, _ = _wanted(sheet, unit_id)
        if wanted and unit_id in state.units:
            said.append(f"{state.units[unit_id].name} makes {say_goods(wanted)} of its supply.")
    return said or ["All supply stays supply, where there is room."]


# --- a ship's own supply, and what the owner is told ------------------------------------------------------------------


@rule("10.3.10.1")
def carry_out_upkeep(turn: TurnContext[State], side: Side) -> None:
    """Ships with supply of their own keep their engines as full as their side has set.

    PQ-17 10.3.10.1, ruling FUE-2."""
    state = turn.state
    lines = collect(state, side, state.units, LogisticsPlan(transfers=upkeep(state, side)))
    store(state, state.units, lines)
    said = [f"{state.units[one.source].name} ({say_goods([(Goods.FUEL, one.amount)])})" for one in lines]
    if said:
        text = f"Taken from their own cargo into the engines: {', '.join(said)}."
        turn.tell([side], text, kind="supply", why=because("PQ-17 10.3.10.1"))


@rule("10.3.6", "T4")
def report_transfers(turn: TurnContext[State], side: Side, plan: LogisticsPlan) -> None:
    """Tell the owner what every plotted line did, and what part of interrupted ones was moved. 10.3.6, T4."""
    if not plan.done:
        return
    state = turn.state
    told = [_say(state, one) for one in plan.done]
    cut = {one.impulse for one in plan.done if one.impulse}
    inputs = {f"interrupted in impulse {impulse}": str(INTERRUPTED[impulse]) for impulse in sorted(cut)}
    rule = "PQ-17 10.3.6, T4" if cut else "PQ-17 10.3.6"
    facts = [MapNote(topic="Supply", text=f"Turn {state.turn}: {text}") for text in told]
    turn.tell([side], "Supply: " + " ".join(told), kind="supply", why=because(rule, inputs), facts=facts)


def _say_nothing(state: State, one: GoodsDelivery, plotted: str) -> str:
    """A line by which nothing moved, and why; repair points of its own that a unit puts into its DAMCON track are
    given to nobody."""
    source, target = state.units[one.source], state.units[one.target].name
    why = f"interrupted in impulse {one.impulse}" if one.impulse else "not to be had any more"
    if one.source != one.target:
        return f"{source.name} gave {target} nothing of {plotted} ({why})."
    if one.goods is not Goods.REPAIR:
        return f"{source.name} used nothing of {plotted} ({why})."
    if not one.impulse:
        why = "none is left in its boxes" if damcon_room(source) else "its DAMCON track is full"
    return f"{source.name} put none of {plotted} into its DAMCON track ({why})."


def _say(state: State, one: GoodsDelivery) -> str:
    source, target = state.units[one.source].name, state.units[one.target].name
    plotted = say_goods([(one.goods, one.plotted)])
    if one.amount == 0:
        return _say_nothing(state, one, plotted)
    became = {goods: amount for goods, amount in one.stored.items() if goods is not one.goods}
    text = said_given("gave", source, target, say_goods([(one.goods, one.amount)]))
    if one.source == one.target:
        text = f"{source} used {say_goods([(one.goods, one.amount)])}"
    if one.amount < one.plotted:
        text += f" of {plotted}" + (f", interrupted in impulse {one.impulse}" if one.impulse else "")
    if became:
        text += f", as {say_goods(one.stored.items())}"
    if one.lost and is_used_up(state, one):
        text += f"; {say_goods([(Goods.SUPPLY, one.lost)])} was passed on at once"
    elif one.lost:
        text += f"; what is worth {say_goods([(Goods.SUPPLY, one.lost)])} found no room and was lost"
    return f"{text}."
