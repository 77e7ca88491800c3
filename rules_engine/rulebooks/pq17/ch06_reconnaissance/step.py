"""Chapter 6: the reconnaissance step, as the sequence of play calls it.

Both sides declare before anything is rolled, the non-phasing side first; it also resolves first (SOP 2.b.v over
6.3.2, rulings REC-1, GEN-3). A target's level is held at its value at the start of the step until all attempts
against it are over.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.basics.dice import Roll
from rules_engine.core.basics.refusals import Refusal
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.standing.answers import Decision
from rules_engine.rulebooks.pq17.ch06_reconnaissance.attempt import (
    SEARCH,
    Attempt,
    Quarry,
    Seeker,
    attempt,
    quarry_of,
    seeker_of,
    seeker_of_settled,
    table_of,
)
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import (
    ALL,
    ORDER,
    SearchLine,
    SearchSheet,
    default_searches,
    has_choice,
    read_hexes,
    search_ask,
    searchers,
    settled_targets,
    targets_of,
)
from rules_engine.rulebooks.pq17.ch06_reconnaissance.search_tables import raised
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import try_to_shadow
from rules_engine.rulebooks.pq17.ch06_reconnaissance.standing_searches import search_decisions
from rules_engine.rulebooks.pq17.ch10_supply.fuel import pay
from rules_engine.rulebooks.pq17.contacts.detection import as_the_enemy_numbers, contact_hexes
from rules_engine.rulebooks.pq17.contacts.identification import held_track, report_contact, track_for
from rules_engine.rulebooks.pq17.contacts.minefield_identification import identify_field
from rules_engine.rulebooks.pq17.contacts.minefields import FieldForce, all_fields, is_minefield, minesweepers
from rules_engine.rulebooks.pq17.contacts.settled_hexes import SettledForce, is_settled, key_of
from rules_engine.rulebooks.pq17.contacts.spies import (
    eyes_of,
    identify_settled,
    is_spied_on,
    note_searched,
    shadow_settled,
)
from rules_engine.rulebooks.pq17.orders.standing_answers import by_orders_alone, by_standing_orders_steps
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.lots import by_lot
from rules_engine.rulebooks.pq17.records.minefields import field_key
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.special_conditions.points_for_searches import note_search
from rules_engine.rulebooks.pq17.special_conditions.random_events import direction_finding_steps, elusive_steps

HIGHEST = 3
"""The best level outside combat. PQ-17 6.2.6."""
FREE_CAP = 2
"""The best level that a base's or a settled hex's search reaches. PQ-17 1.7.5, 1.8.6."""


@dataclass(frozen=True)
class Search:
    """One declared attempt. ``targets`` is the named target's group: itself, or a base and all in port with it."""

    seeker: Seeker
    named: TaskForce
    targets: tuple[TaskForce, ...]
    orders: SearchLine

    @property
    @rule("1.7.5", "1.8.6", "6.2.6")
    def cap(self) -> int:
        """The highest level to which it may raise a target. PQ-17 1.7.5, 1.8.6, 6.2.6."""
        return FREE_CAP if self.seeker.tf is None or self.seeker.tf.is_base else HIGHEST


@dataclass
class Findings:
    """The results so far of all attempts against one group."""

    levels: dict[str, int] = field(default_factory=dict[str, int])
    reasons: dict[str, tuple[dict[str, object], list[Roll]]] = field(
        default_factory=dict[str, tuple[dict[str, object], list[Roll]]]
    )
    fields: dict[str, FieldForce] = field(default_factory=dict[str, FieldForce])
    settled: dict[str, SettledForce] = field(default_factory=dict[str, SettledForce])
    shadowing: list[tuple[TaskForce, TaskForce]] = field(default_factory=list[tuple[TaskForce, TaskForce]])


@rule("6.3")
def reconnaissance_steps(turn: TurnContext[State], phasing: Side) -> Steps[None]:
    """The reconnaissance step of one half. PQ-17 6.3, SOP 2.b.v; rulings REC-1 to REC-24, GEN-11."""
    state = turn.state
    waiting = state.enemy_of(phasing)
    yield from direction_finding_steps(turn.at("before"))
    first = yield from _declare_steps(turn, waiting, phasing=False)
    second = yield from _declare_steps(turn, phasing, phasing=True)
    searches = {waiting: _searches(turn, waiting, first), phasing: _searches(turn, phasing, second)}
    everything = [search for side in (waiting, phasing) for search in searches[side]]
    if not everything:
        return
    for search in everything:
        _commit(state, search)
    for hex_id in _order_of_hexes(state, second):
        held = {tf.id: int(tf.id_level) for tf in state.task_forces_in(hex_id)}
        held |= {field_key(one.side, one.hex): one.level for one in all_fields(state) if one.hex == hex_id}
        held |= {key_of(hex_id): int(state.settled[hex_id].id_level)} if hex_id in state.settled else {}
        for side in (waiting, phasing):
            here = [search for search in searches[side] if search.seeker.hex == hex_id]
            yield from _resolve_hex_steps(turn, hex_id, here, held)
    yield from direction_finding_steps(turn.at("after"))
    turn.show_maps()


@rule("SOP.2.b.v.1")
def _order_of_hexes(state: State, sheet: SearchSheet) -> list[HexId]:
    """The hexes in the order in which the phasing side wants them resolved; ascending unless it says otherwise."""
    return read_hexes(sheet.line(ORDER).hexes) or contact_hexes(state)


# --- declaring --------------------------------------------------------------------------------------------------------


@rule("6.3.2", "SOP.2.b.v.2", "SOP.2.b.v.3")
def _declare_steps(turn: TurnContext[State], side: Side, *, phasing: bool) -> Steps[SearchSheet]:
    """A side's searches, asked where there is a choice, and published to the other. PQ-17 6.3.2; REC-1, GEN-11."""
    state = turn.state
    able = searchers(state, side)
    decisions = search_decisions(state, side, able) if has_choice(able) else {}
    usual = default_searches(state, side, able)

    def refused(sheet: SearchSheet) -> Sequence[Refusal]:
        return search_ask(turn, side, able, phasing=phasing).check(sheet)

    sheet = by_orders_alone(turn, side, "PQ-17 6.3.2", usual, decisions, check=refused)
    if sheet is None:
        ask = search_ask(turn, side, able, phasing=phasing)
        in_order = {ORDER: Decision({})} if ask.form.line(ORDER) else {}
        sheet = yield from by_standing_orders_steps(turn, ask, {**decisions, **in_order})
    enemy = state.enemy_of(side)
    declared = _searches(turn, side, sheet)
    # The enemy is told of them in the order of its own numbers, not of ours.
    for search in sorted(declared, key=lambda one: (tf_order(one.seeker.enemy_name), one.seeker.hex)):
        text = f"{search.seeker.enemy_name} in {search.seeker.hex} searches your {search.named.label}."
        why = because("PQ-17 6.3.2", {"declared": "before any roll"})
        turn.tell([enemy], text[0].upper() + text[1:], kind="declared", why=why)
    return sheet


def _searches(turn: TurnContext[State], side: Side, sheet: SearchSheet) -> list[Search]:
    """The attempts that a sheet stands for, ships first, in the order of their ids."""
    state = turn.state
    found: list[Search] = []
    for tf in [one for one in state.all_task_forces(side) if one.id in sheet.root]:
        line = sheet.line(tf.id)
        target = targets_of(state, tf).get(line.target) if line.target else None
        if target is not None:
            found.append(_search(turn, seeker_of(state, tf), target, line))
    for settled in eyes_of(state, side):
        line = sheet.line(f"settled {settled.hex}")
        if line.target is None:
            continue
        known = settled_targets(state, settled)
        chosen = _one_of_each_port(state, known.values()) if line.target == ALL else [known[line.target]]
        found += [_search(turn, seeker_of_settled(settled), target, line) for target in chosen]
    return found


@rule("1.7.4", "1.8.2.1")
def _one_of_each_port(state: State, enemies: Iterable[TaskForce]) -> list[TaskForce]:
    """The first of each base and those in port with it, since an attempt against one is an attempt against all, and
    every other force. PQ-17 1.7.4, 1.8.2.1."""
    found: dict[str, TaskForce] = {}
    for enemy in enemies:
        found.setdefault(state.port_group(enemy)[0].id, enemy)
    return list(found.values())


def _search(turn: TurnContext[State], seeker: Seeker, target: TaskForce, line: SearchLine) -> Search:
    state = turn.state
    base, *docked = state.port_group(target)
    group = (base, *as_the_enemy_numbers(turn, docked))  # in the searcher's order, since it reads them
    return Search(seeker=_seeker_for(state, seeker, target), named=target, targets=group, orders=line)


@rule("12.4.3")
def _seeker_for(state: State, seeker: Seeker, target: TaskForce) -> Seeker:
    """The searcher as it counts against a target: a force with a minesweeper searches minefields on the Scout rows.
    PQ-17 12.4.3; ruling REC-26."""
    if is_minefield(target) and seeker.tf is not None and minesweepers(state, seeker.tf):
        return replace(seeker, kind="SCOUT")
    return seeker


@rule("6.3.2.2", "6.3.2.3", "1.7.4", "1.8.4", "SOP.2.b.v.4")
def _commit(state: State, search: Search) -> None:
    """Pay fuel and count the attempt before anything is rolled. PQ-17 6.3.2.2, 6.3.2.3, 1.7.4, 1.8.4; REC-2."""
    tf = search.seeker.tf
    if tf is None:
        units = [unit for target in search.targets for unit in target.units or [target.id]]
        note_searched(state, search.seeker.side, search.seeker.hex, units)
        return
    pay(state, tf, "reconnaissance")
    state.set_mark(tf, "searched")


# --- resolving --------------------------------------------------------------------------------------------------------


@rule("SOP.2.b.v.7")
def _resolve_hex_steps(
    turn: TurnContext[State], hex_id: HexId, searches: Sequence[Search], held: Mapping[str, int]
) -> Steps[None]:
    """Resolve one side's attempts in one hex, target by target, in an order by lot, as both sides see it. PQ-17 SOP
    2.b.v.5-7.

    The lots go by the searcher's own numbers, for its forces and for its contacts.
    """
    if not searches:
        return
    side = searches[0].seeker.side
    groups: dict[str, list[Search]] = {}
    for search in searches:
        target = search.targets[0]
        groups.setdefault(held_track(turn.state, side, target) or target.id, []).append(search)
    here = turn.at(hex_id, "order", side)
    for track in by_lot(here, groups, str):
        findings = Findings()
        for search in by_lot(here.at(track), groups[track], lambda one: one.seeker.label):
            yield from _resolve_steps(turn, search, held, findings)
        _conclude(turn, side, findings, held)


@rule("6.3.4", "1.8.2.1", "C.random.elusive-target")
def _resolve_steps(
    turn: TurnContext[State], search: Search, held: Mapping[str, int], findings: Findings
) -> Steps[None]:
    """Resolve one attempt: success against each target, then one ID roll read for each.

    PQ-17 6.3.4, 1.8.2.1, C.random.elusive-target; BAS-1, BAS-2, RND-2."""
    state = turn.state
    quarries = [_quarry(state, target, held[target.id]) for target in search.targets]
    tried = attempt(turn, search.seeker, quarries, SEARCH)
    if not tried.succeeded:
        return
    seeker = search.seeker
    place = turn.at(seeker.hex, SEARCH.place, f"{seeker.label}>{track_for(state, seeker.side, search.named)}")
    asked = turn.at(seeker.hex, SEARCH.place, f"{seeker.enemy_name}>{search.named.id}")  # as who is asked calls them
    if (yield from elusive_steps(asked, seeker.side, seeker.enemy_name, search.named, "searched")):
        return
    probes = _expend_probes(state, search, tried)
    roll = place.roll("ID roll", faces=100, seen_by=[search.seeker.side])
    for target in search.targets:
        if target.id in tried.succeeded:
            gain = table_of(search.seeker.side).increase(tried.columns[target.id].column, roll.total + probes)
            note_search(turn, search.seeker.side, target, gain)
            _note_level(search, target, _Increase(tried.columns[target.id].column, gain, probes, roll), held, findings)
    tf = search.seeker.tf
    if tf is not None and _declares_shadowing(search, tried):
        findings.shadowing.append((tf, search.named))


class _Increase(NamedTuple):
    """A roll on the ID section: its column, the levels gained, the probes spent on it, and the die."""

    column: int
    gain: int
    probes: int
    roll: Roll


@rule("6.3.4.11", "6.3.4.13", "SOP.2.b.v.6.a.ii")
def _note_level(
    search: Search, target: TaskForce, increase: _Increase, held: Mapping[str, int], findings: Findings
) -> None:
    """Note the level that a success leads to, from the one at the step's start, if it is the best so far.

    PQ-17 6.3.4.11, 6.3.4.13, SOP.2.b.v.6.a.ii."""
    level = raised(held[target.id], increase.gain, search.cap)
    if level <= findings.levels.get(target.id, IdLevel.N):
        return
    inputs: dict[str, object] = {
        "ID section, column": increase.column,
        "gain": f"+{increase.gain}",
        "at most": f"ID{search.cap}",
    }
    if increase.probes:
        inputs["probes"] = f"+{increase.probes}"
    findings.levels[target.id] = level
    if is_minefield(target):
        findings.fields[target.id] = target
    if is_settled(target):
        findings.settled[target.id] = target
    findings.reasons[target.id] = (inputs, [increase.roll])


@rule("1.7.6", "6.3.4.12", "12.3.5", "SOP.2.b.v.6.a.iii")
def _declares_shadowing(search: Search, tried: Attempt) -> bool:
    """Whether a search leads to shadowing: it was ordered to and found the force it named. A settled hex never shadows,
    nor is a minefield shadowed. PQ-17 1.7.6, 6.3.4.12, 12.3.5, SOP.2.b.v.6.a.iii."""
    able = search.seeker.tf is not None and not is_minefield(search.named)
    return able and search.orders.shadow and search.named.id in tried.succeeded


def _quarry(state: State, target: TaskForce, level: int) -> Quarry:
    """A target of a search: at a base with a spy, S counts for the Coalition as in its settled hexes. SPC-14."""
    quarry = quarry_of(state, target, level)
    return replace(quarry, s_counts=True) if is_spied_on(state, target) else quarry


@rule("6.3.4.11", "1.9.7")
def _expend_probes(state: State, search: Search, tried: Attempt) -> int:
    """Spend probes ordered for a success, only if the ID section has more than one row. 6.3.4.11, 1.9.7; REC-19."""
    tf = search.seeker.tf
    wanted = search.orders.probes
    book = table_of(search.seeker.side)
    columns = sorted({tried.columns[tf_id].column for tf_id in tried.succeeded})
    useful = any(book.increase(column, 1) != book.increase(column, 100) for column in columns)
    if tf is None or not wanted or not useful:
        return 0
    left = wanted
    for unit in state.units_of(tf):
        spent = min(left, unit.probes)
        unit.probes -= spent
        left -= spent
    return wanted - left


def _conclude(turn: TurnContext[State], side: Side, findings: Findings, held: Mapping[str, int]) -> None:
    """After the last attempt against a group: shadowing begins, then levels rise and are reported."""
    _begin_shadowing(turn, findings)
    _raise_levels(turn, side, findings, held)


@rule("6.3.4.12", "SOP.2.b.v.6.b.i")
def _begin_shadowing(turn: TurnContext[State], findings: Findings) -> None:
    """Resolve all shadowing declared against one group. PQ-17 6.3.4.12, SOP.2.b.v.6.b.i; ruling SHD-3."""
    for shadower, target in findings.shadowing:
        if is_settled(target):
            shadow_settled(turn, shadower, target)
        else:
            try_to_shadow(turn, shadower, target)


@rule("6.3.4.13", "SOP.2.b.v.6.b.ii")
def _raise_levels(turn: TurnContext[State], side: Side, findings: Findings, held: Mapping[str, int]) -> None:
    """Raise each target found to the highest level that a search led to. PQ-17 6.3.4.13, SOP.2.b.v.6.b.ii; REC-20 to
    REC-22."""
    state = turn.state
    for tf_id in findings.levels:  # in the order of the targets: by the searcher's numbers
        if tf_id in findings.fields:
            _conclude_field(turn, side, findings, findings.fields[tf_id], held)
            continue
        if tf_id in findings.settled:
            inputs, dice = findings.reasons[tf_id]
            why = because("PQ-17 8.6.2.2", {**inputs, "from": IdLevel(held[tf_id]).label}, dice)
            identify_settled(turn, findings.settled[tf_id], IdLevel(findings.levels[tf_id]), side, why)
            continue
        target = state.task_forces[tf_id]
        target.id_level = IdLevel(max(int(target.id_level), findings.levels[tf_id]))
        inputs, dice = findings.reasons[tf_id]
        change = f"{IdLevel(held[tf_id]).label} to {target.id_level.label}"
        report_contact(turn, target, side, because("PQ-17 6.3.4.13", {**inputs, "from": change}, dice))


@rule("12.4.1", "12.4.4")
def _conclude_field(
    turn: TurnContext[State], side: Side, findings: Findings, force: FieldForce, held: Mapping[str, int]
) -> None:
    """Raise the level of a minefield that was found, and tell its present strength. PQ-17 12.4.1, 12.4.4."""
    inputs, dice = findings.reasons[force.id]
    level = IdLevel(findings.levels[force.id])
    change = f"{IdLevel(held[force.id]).label} to {level.label}"
    identify_field(turn, force, level, side, because("PQ-17 12.4.4", {**inputs, "from": change}, dice))
