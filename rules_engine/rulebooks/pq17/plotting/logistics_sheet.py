"""The logistics sheet: docking, and transfers of goods. PQ-17 SOP.2.a.iv, 10.3.7.

It is opened only for a side that has something to do in Logistics posture, filled in with the routine. A sheet is
turned into a plan once; the plan is judged, read back and carried out.
"""

from collections.abc import Iterator, Sequence

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Form, Sheet
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Remembered, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch10_supply.docking import Yard, can_join, group_refusals, join, yards
from rules_engine.rulebooks.pq17.ch10_supply.drones import inventories
from rules_engine.rulebooks.pq17.ch10_supply.routine import empty_plan, routine_of, routine_plan
from rules_engine.rulebooks.pq17.ch10_supply.standing_lines import (
    RULE,
    StandingNow,
    kept_of,
    say_standing,
    standing_now,
)
from rules_engine.rulebooks.pq17.ch10_supply.stores import cargo_room, say_goods
from rules_engine.rulebooks.pq17.ch10_supply.transfer_words import read_transfers, said_given, unit_names
from rules_engine.rulebooks.pq17.ch10_supply.transfers import (
    berth,
    foreseen,
    group_for,
    is_internal,
    is_used_up,
    transfer_refusals,
)
from rules_engine.rulebooks.pq17.ch11_repair.losses import losses
from rules_engine.rulebooks.pq17.ch11_repair.plan import (
    REPAIR,
    idle_repairs,
    read_repairs,
    repair_refusals,
    repair_warnings,
    say_repairs,
)
from rules_engine.rulebooks.pq17.ch11_repair.routine import (
    add_base_repairs,
    add_repairs,
    new_refits,
    new_repairs,
    repair_needs,
)
from rules_engine.rulebooks.pq17.orders.order_sheets import misplaced
from rules_engine.rulebooks.pq17.plotting.construction_lines import could_build, read_builds, say_builds
from rules_engine.rulebooks.pq17.plotting.logistics_lines import (
    DOCK,
    NO_LINE,
    SIDE_LINE,
    LogisticsSheet,
    givers,
    logistics_form,
    say_wishes,
    set_wishes,
)
from rules_engine.rulebooks.pq17.records.calendar import turn_label
from rules_engine.rulebooks.pq17.records.logistics import DockedGroup, GoodsTransfer, LogisticsPlan
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import DRONE_KINDS, Goods

LogisticsDraft = tuple[LogisticsPlan, list[Refusal]]


class LogisticsDrafts:
    """A side's logistics sheet, and the plans that its answers make, each worked out once.

    The state does not change while a sheet is filled in; whoever changes it calls :meth:`forget`.
    """

    def __init__(self, state: State, side: Side, proposal: LogisticsPlan) -> None:
        now: Remembered[LogisticsPlan, StandingNow] = Remembered(
            lambda plan: _with_standing_lines(state, side, logistics_form(state, side, plan))
        )
        self._now, self._proposal = now, proposal
        self.of: Remembered[LogisticsSheet, LogisticsDraft] = Remembered(
            lambda sheet: draft_plan(state, side, now(proposal).form, sheet)
        )
        """The plan that a sheet makes, and everything illegal about it."""

    @property
    def form(self) -> Form:
        """The sheet, filled in with what the routine proposes, and what stands in its place."""
        return self.now.form

    @property
    def now(self) -> StandingNow:
        """What stands, as far as it fits."""
        return self._now(self._proposal)

    @property
    def usual(self) -> LogisticsSheet:
        """The sheet of a side that says nothing."""
        return LogisticsSheet.model_validate(self.form.prefilled())

    def forget(self) -> None:
        """The state was changed: everything is to be worked out anew."""
        self._now.forget()
        self.of.forget()


# --- asking -----------------------------------------------------------------------------------------------------------


@rule("10.3.7.1")
def logistics_steps(turn: TurnContext[State]) -> Steps[None]:
    """iv. Set the logistics plans of task forces in Logistics posture. PQ-17 SOP.2.a.iv, .1 to .3, 10.3.7.1."""
    state = turn.state
    proposals = {side: routine_plan(state, side, repair_needs(state, side)) for side in turn.sides}
    for side, proposal in proposals.items():
        add_repairs(state, side, proposal)
    all_drafts = {side: LogisticsDrafts(state, side, proposal) for side, proposal in proposals.items()}
    drafts = {side: made for side, made in all_drafts.items() if worth_asking(state, side, proposals[side])}
    for side, made in all_drafts.items():
        end_misfits(turn, side, made)
    asks = [logistics_ask(turn, side, proposals[side], made) for side, made in drafts.items()]
    sheets = yield from turn.ask_all_steps(asks)
    state.logistics = {side: plan for side, plan in proposals.items() if plan.units}
    for side, made in all_drafts.items():
        if side not in drafts and routine_of(state, side).lines and not made.of(made.usual)[1]:
            carry_out_sheet(state, side, made, made.usual)
    for (side, made), sheet in zip(drafts.items(), sheets, strict=True):
        carry_out_sheet(state, side, made, sheet)
    for side in turn.sides:
        plan = state.logistics.get(side, LogisticsPlan())
        add_base_repairs(state, side, plan)
        if plan.repairs:
            state.logistics[side] = plan


def worth_asking(state: State, side: Side, proposal: LogisticsPlan) -> bool:
    """Whether a side has something to decide: the routine would do something, units are newly in Logistics posture,
    or it wants the sheet every turn. A side that lets turns run on, or wants no sheet, follows the routine."""
    wish = routine_of(state, side).sheet
    if wish == "never" or state.doctrine[side].run.on:
        return False
    if wish == "always":
        return bool(proposal.units or givers(state, side, proposal))
    before = state.logistics.get(side, LogisticsPlan()).units
    fresh = [unit for unit in proposal.units if unit not in before]
    if proposal.transfers or new_repairs(state, side, proposal):
        return True
    if could_build(state, side, fresh):
        return True
    return bool(fresh and (_could_do(state, proposal) or new_refits(state, proposal)))


def _could_do(state: State, proposal: LogisticsPlan) -> bool:
    """Whether a unit has supply and another an empty cargo box."""
    units = [state.units[one] for one in proposal.units]
    givers = [one.id for one in units if one.supply]
    return any(one.id != giver and cargo_room(one, Goods.SUPPLY) for one in units for giver in givers)


@rule("10.3.7.1", "10.3.7.2", "10.3.7.4")
def logistics_ask(
    turn: TurnContext[State], side: Side, proposal: LogisticsPlan, drafts: LogisticsDrafts | None = None
) -> Ask[LogisticsSheet]:
    """The sheet, filled in with the routine. PQ-17 10.3.7.1, 10.3.7.2, 10.3.7.4."""
    state = turn.state
    made = drafts or LogisticsDrafts(state, side, proposal)
    return Ask(
        kind="logistics",
        parties=(side,),
        title=f"Logistics, {turn_label(state.turn)}",
        text=(
            "What is docked to what, what is passed on, and what is repaired. It is done at the turn's end; combat "
            "interrupts it, and underway searches do too. The routine is filled in."
        ),
        question=Question("Supply and repair", "The routine is filled in; it is done as the turn ends."),
        model=LogisticsSheet,
        form=lambda: made.form,
        rule="PQ-17 SOP 2.a.iv",
        default=made.usual,
        default_says="The routine: engines are filled, freighters unload what finds room, repairs go on by importance.",
        pace="decision",
        check=lambda sheet: made.of(sheet)[1],
        read_back=lambda sheet: [*read_back(state, made.of(sheet)[0]), *_say_settings(state, side, made.form, sheet)],
        warn=lambda sheet: [*warnings(state, side, made.of(sheet)[0]), *_without_effect(made.form, sheet)],
        losses=lambda sheet: [*warnings(state, side, made.of(sheet)[0]), *losses(state, side, made.of(sheet)[0])],
        forgets=(made.forget,),
        budget=frozenset(line.key for line in made.form.lines),
    )


# --- lines that stand -------------------------------------------------------------------------------------------------


def _with_standing_lines(state: State, side: Side, form: Form) -> StandingNow:
    def trial(filled: Form) -> list[Refusal]:
        return draft_plan(state, side, filled, LogisticsSheet.model_validate(filled.prefilled()))[1]

    return standing_now(form, routine_of(state, side).lines, trial)


@rule("10.3.7.1")
def end_misfits(turn: TurnContext[State], side: Side, drafts: LogisticsDrafts) -> None:
    """Before a side is asked: what stands and is refused this turn, or is of a unit that it has no longer, ends, and
    its owner is told. PQ-17 10.3.7.1, ruling PQ-196."""
    wish = routine_of(turn.state, side)
    if not wish.lines:
        return
    gone = [key for key in wish.lines if not _is_own(turn.state, side, key.removeprefix(DOCK))]
    why = dict.fromkeys(gone, "you have it no longer") | dict(drafts.now.misfits)
    if why:
        form = drafts.form
        turn.state.supply_routine[side] = wish.changed(
            lines={key: value for key, value in wish.lines.items() if key not in why}
        )
        drafts.forget()
        said = "; ".join(f"{line.label if (line := form.line(key)) else key}: {one}" for key, one in why.items())
        text = f"No longer standing in your logistics, for it does not fit: {said}. The rest stands."
        turn.tell([side], text, kind="supply", why=because(RULE))


def _is_own(state: State, side: Side, unit_id: str) -> bool:
    unit = state.units.get(unit_id)
    return unit is not None and unit.side == side and state.tf_of(unit_id) is not None


# --- drafts -----------------------------------------------------------------------------------------------------------


@rule("5.2.3.4", "10.3.8.1", "10.3.9.1")
def _explained(state: State, side: Side, found: Sequence[Yard], refusal: Refusal) -> Refusal:
    """A refusal of a line that is not there, with the reason if it would be a line of one of the side's own ships that
    takes part in no logistics. PQ-17 5.2.3.4, 10.3.8.1, 10.3.9.1."""
    unit = state.units.get(refusal.path.removeprefix(DOCK).removeprefix(REPAIR))
    if unit is None or unit.side != side or any(unit.id in yard.units for yard in found):
        return refusal
    needs = "Logistics posture, and Station Keeping or, underway, Impulse Crawl"
    problem = f"{unit.name} takes no part in logistics: that needs {needs}"
    return illegal(problem, "PQ-17 5.2.3.4", refusal.path, legal=refusal.legal)


@rule("10.3.7.2", "10.3.7.4")
def draft_plan(state: State, side: Side, form: Form, sheet: LogisticsSheet) -> LogisticsDraft:
    """The plan that a sheet makes, and everything illegal about it. Undocked ships within reach are docked as their
    transfers need. PQ-17 10.3.7.2, 10.3.7.4, ruling SUP-15."""
    found = yards(state, side)
    plan = empty_plan(state, found)
    wrong = [_explained(state, side, found, one) for one in misplaced(form, sheet.root)]
    head = sheet.root.get(SIDE_LINE, NO_LINE)
    plan.ask_at_end, plan.may_lose = bool(head.convert), bool(head.lose)
    if head.plan == "nothing" or wrong:
        return plan, wrong
    plan.groups = [*plan.groups, *_docked(form, sheet)]
    transfers, unread = _transfers(state, side, form, sheet)
    plan.transfers = transfers
    plan.repairs, unclear = read_repairs(state, form, sheet.root, plan)
    plan.builds, unbuilt = read_builds(state, form, sheet.root)
    _dock_the_rest(state, found, plan)
    wrong += unread + unclear + unbuilt
    wrong += [
        one.model_copy(update={"path": _dock_path(form, one.path)}) for one in group_refusals(state, found, plan.groups)
    ]
    if not wrong:
        wrong += [*transfer_refusals(state, side, plan), *repair_refusals(state, plan)]
    return plan, wrong


@rule("SOP.2.a.iv.1")
def _docked(form: Form, sheet: LogisticsSheet) -> list[DockedGroup]:
    """Groups as the host lines name them; what a line leaves out keeps the value filled in. Two ships that name each
    other are one pair."""
    groups: list[DockedGroup] = []
    for line in form.lines:
        if not line.key.startswith(DOCK):
            continue
        given = sheet.root.get(line.key, NO_LINE)
        filled = line.fields[0].value if "ships" not in given.model_fields_set else given.ships
        ships = [str(one) for one in filled] if isinstance(filled, (list, tuple)) else []
        host = line.key.removeprefix(DOCK)
        mirrored = any(one.docked == [host] and ships == [one.host] for one in groups)
        if ships and not mirrored:
            groups.append(DockedGroup(host=host, docked=ships))
    return groups


def _transfers(
    state: State, side: Side, form: Form, sheet: LogisticsSheet
) -> tuple[list[GoodsTransfer], list[Refusal]]:
    lines = [line for line in form.lines if line.key in state.units]
    names = unit_names(state.units[line.key] for line in lines)
    transfers: list[GoodsTransfer] = []
    wrong: list[Refusal] = []
    for line in lines:
        given = sheet.root.get(line.key, NO_LINE)
        text = line.fields[0].value if "give" not in given.model_fields_set else given.give
        read, unread = read_transfers(str(text or ""), state.units[line.key], names, f"{line.key}.give")
        transfers += read
        wrong += unread
    return transfers, wrong


def _dock_the_rest(state: State, found: Sequence[Yard], plan: LogisticsPlan) -> None:
    """Dock ships that pass something on and are not docked yet, to a base rather than to a ship."""
    groups = list(plan.groups)
    for one in plan.transfers:
        if is_internal(state, one) or group_for(state, plan, one) is not None:
            continue
        ends = [berth(state, one.source), berth(state, one.target)]
        if not any(set(ends) <= set(yard.units) for yard in found):
            continue
        hosts = {group.host for group in groups}
        ends.sort(key=lambda end: (not state.class_of(state.units[end]).is_base, end not in hosts))
        for host, ship in (ends, ends[::-1]):
            if can_join(state, groups, host, ship):
                join(groups, host, ship)
                break
        plan.groups = groups


def _dock_path(form: Form, host: str) -> str:
    return f"{DOCK}{host}.ships" if form.line(f"{DOCK}{host}") is not None else f"{host}.give"


def carry_out_sheet(state: State, side: Side, drafts: LogisticsDrafts, sheet: LogisticsSheet) -> None:
    """Store the plan of the turn and the side's logistics settings. PQ-17 SOP.2.a.iv."""
    head = sheet.root.get(SIDE_LINE, NO_LINE)
    set_wishes(state, side, head.sheet, head.refuel)
    wish = routine_of(state, side)
    lines = kept_of(drafts.form, _document(sheet), wish.lines, head.stands)
    if lines != wish.lines:
        state.supply_routine[side] = wish.changed(lines=lines)
    state.logistics[side] = drafts.of(sheet)[0].copied()  # play changes it, and what was read back stays


# --- reading back -----------------------------------------------------------------------------------------------------


def read_back(state: State, plan: LogisticsPlan) -> list[str]:
    """The plan in plain words."""
    said = [_say_group(state, group) for group in plan.groups]
    said += [say_transfer(state, one) for one in plan.transfers]
    said += [*say_repairs(state, plan), *say_builds(state, plan)]
    return said or ["Nothing is docked, nothing is passed on, and nothing is repaired."]


def _document(sheet: LogisticsSheet) -> Sheet:
    """The lines of a sheet with what they say."""
    return sheet.model_dump(mode="json", exclude_unset=True)


def _say_settings(state: State, side: Side, form: Form, sheet: LogisticsSheet) -> Iterator[str]:
    """What the line of the whole side says beside its plan."""
    head = sheet.root.get(SIDE_LINE, NO_LINE)
    if head.convert:
        yield "At the turn's end you are asked what supply becomes."
    if head.lose:
        yield "What finds no room may be lost."
    yield from say_wishes(state, side, head.sheet, head.refuel)
    yield from say_standing(state, form, _document(sheet), routine_of(state, side).lines, head.stands)


def _without_effect(form: Form, sheet: LogisticsSheet) -> Iterator[str]:
    """Warnings of lines that order nothing as they stand."""
    if sheet.root.get(SIDE_LINE, NO_LINE).plan == "nothing":
        yield "Nothing is to be done this turn, so what stands in the other lines does nothing."
    else:
        yield from idle_repairs(form, sheet.root)


def _say_group(state: State, group: DockedGroup) -> str:
    docked = ", ".join(state.units[one].name for one in group.docked if one in state.units)
    host = state.units[group.host].name
    return f"{host} has its patrol ships {docked}." if group.links else f"Docked to {host}: {docked}."


def say_transfer(state: State, one: GoodsTransfer) -> str:
    """One transfer in plain words."""
    source, target = state.units[one.source].name, state.units[one.target].name
    what = say_goods([(one.goods, one.amount)])
    into = f" as {one.into.value}" if one.into is not None and one.into is not one.goods else ""
    if one.source == one.target:
        return f"{source} uses {what} of its own{into}."
    return f"{said_given('gives', source, target, f'{what}{into}')}."


def warnings(state: State, side: Side, plan: LogisticsPlan) -> list[str]:
    """What would be lost, what supply without an order becomes, and drones that cannot be judged."""
    if any(one.source not in state.units or one.target not in state.units for one in plan.transfers):
        return []
    said: list[str] = []
    for one in foreseen(state, side, plan):
        target = state.units[one.target].name
        if one.lost and not is_used_up(state, one):
            said.append(f"{target} has no room for what is worth {show_fraction(one.lost)} supply: that will be lost.")
        made = [(goods, amount) for goods, amount in one.stored.items() if goods is not Goods.SUPPLY]
        if one.goods is Goods.SUPPLY and one.into is None and made and not plan.ask_at_end:
            said.append(f"{target} has no cargo room for all of it and makes {say_goods(made)}.")
    said += repair_warnings(state, plan)
    if any(one.into in DRONE_KINDS for one in plan.transfers):
        unknown = [one.nation for one in inventories(state, side).values() if one.is_unrecorded]
        said += [f"No drone storage is recorded for {nation}: its drones are on your honour." for nation in unknown]
    return said
