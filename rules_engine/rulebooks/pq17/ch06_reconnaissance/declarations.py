"""Chapter 6.3.2: which forces search which contacts, on one sheet for each side.

A line stands for a task force that could search; what follows a success (probes, shadowing) is set on the same line, so
that meeting an enemy costs each side one prompt. Bases and settled hexes search without cost and by themselves.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, NamedTuple

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Absence, Choice, Field, Form, Line, number_field, text_field
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.protocol.question import Question, at_each
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch05_movement.speeds import max_speed
from rules_engine.rulebooks.pq17.ch10_supply.fuel import can_pay, cost, short_of
from rules_engine.rulebooks.pq17.ch11_repair.refits import is_at_work
from rules_engine.rulebooks.pq17.contacts.detection import contact_hexes, watched
from rules_engine.rulebooks.pq17.contacts.identification import book_of, is_scouting
from rules_engine.rulebooks.pq17.contacts.minefields import hostile_field, is_minefield
from rules_engine.rulebooks.pq17.contacts.settled_hexes import is_settled, raid_target, shadowers
from rules_engine.rulebooks.pq17.contacts.spies import eyes_of, is_spy
from rules_engine.rulebooks.pq17.orders.standing_precedence import side_orders
from rules_engine.rulebooks.pq17.records.forces import IdLevel, SettledHex, TaskForce
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.special_conditions.points_for_searches import is_worth_searching

ALL = "all"
ORDER = "order"
FREE_SEARCH_CAP = IdLevel.ID2
"""The highest level to which bases and settled hexes raise a target. PQ-17 1.7.5, 1.8.6."""


class SearchLine(Frozen):
    """The orders of one searcher; on the ``order`` line, the hexes in the order in which they are resolved."""

    target: str | None = None
    probes: Annotated[int, Bounded(ge=0)] = 0
    shadow: bool = False
    hexes: str = ""


NO_SEARCH = SearchLine()


class SearchSheet(RootModel[dict[str, SearchLine]]):
    """All of a side's searches of one step, by task force id, ``settled HEX`` or ``order``."""

    def line(self, key: str) -> SearchLine:
        """The line of that key; an empty one if it was left out."""
        return self.root.get(key, NO_SEARCH)


# --- searchers and targets --------------------------------------------------------------------------------------------

Targets = dict[str, TaskForce]
"""Enemy forces by the contact numbers under which the searcher's side holds them, in their order."""


class Searcher(NamedTuple):
    """Who could search now, a task force or a settled hex, and whom. ``key`` names its line on the sheet."""

    key: str
    targets: Targets
    tf: TaskForce | None = None
    settled: SettledHex | None = None

    @property
    def is_base(self) -> bool:
        """Whether it is a base cluster."""
        return self.tf is not None and self.tf.is_base

    @property
    def is_ships(self) -> bool:
        """Whether it is a task force of ships, which pays for its search."""
        return self.tf is not None and not self.tf.is_base


@rule("6.3.2", "7.3.8", "8.6.2.1", "8.6.2.2", "12.3.1", "12.4.1")
def targets_of(state: State, tf: TaskForce) -> Targets:
    """The enemies a force may search, by its own side's contact number: all in its hex, or only the one it shadows.

    These include a minefield, and a settled hex that it could raid.
    PQ-17 6.3.2, 7.3.8, 8.6.2.1, 8.6.2.2, 12.3.1, 12.4.1; rulings REC-31, SHD-8.
    """
    settled = raid_target(state, tf)
    if settled is not None and tf in shadowers(state, tf.hex):
        return {settled.id: settled}
    numbers = book_of(state, tf.side).current
    found: Targets = {
        numbers[enemy.id]: enemy
        for enemy in _enemies_in(state, tf.hex, tf.side)
        if enemy.id in numbers and enemy.id_level > IdLevel.N and tf.shadowing in ("", enemy.id)
    }
    if settled is not None and not tf.shadowing:
        found[settled.id] = settled
    return _by_number(found)


def _by_number(found: Targets) -> Targets:
    """The targets in the order of their numbers."""
    return {track: found[track] for track in sorted(found, key=tf_order)} if len(found) > 1 else found


def _enemies_in(state: State, hex_id: HexId, side: Side) -> list[TaskForce]:
    """The enemy task forces in a hex, a minefield last."""
    field = hostile_field(state, side, hex_id)
    forces = state.task_forces_in(hex_id, state.enemy_of(side))
    return forces if field is None else [*forces, field]


def searchers(state: State, side: Side) -> list[Searcher]:
    """All of a side that could search now, in the order of its sheet: ships' task forces, bases, settled hexes."""
    near = watched(state, side)
    ships = [Searcher(tf.id, targets, tf) for tf in near if (targets := _targets_of_ships(state, tf))]
    bases = [Searcher(tf.id, targets, tf) for tf in near if (targets := _targets_of_base(state, tf))]
    return [*ships, *bases, *searching_hexes(state, side)]


@rule("6.3.2.1", "6.3.2.3", "9.6")
def _targets_of_ships(state: State, tf: TaskForce) -> Targets:
    """The targets of a ships' task force that could search now: one of them has something to tell, it has fuel, and has
    not searched yet this impulse. PQ-17 6.3.2.1, 6.3.2.3, 9.6."""
    if tf.is_base:
        return {}
    targets = targets_of(state, tf)
    if all(_is_open_book(state, tf.side, target) for target in targets.values()) or state.has_mark(tf, "searched"):
        return {}
    return targets if is_at_work(state, tf) and can_pay(state, tf, "reconnaissance") else {}


@rule("1.8.10.1", "12.4.4")
def _is_open_book(state: State, side: Side, target: TaskForce) -> bool:
    """Whether a search could learn nothing useful: a known base, which cannot be shadowed either (forces in port there
    are contacts of their own), or a minefield at ID3. PQ-17 1.8.10.1, 12.4.4; ruling BAS-3."""
    if is_minefield(target) or is_settled(target):
        return target.id_level >= IdLevel.ID3
    known = target.base is not None and target.base.known and target.id_level >= IdLevel.ID3
    return known and not is_worth_searching(state, side, target)


@rule("1.8.6")
def _targets_of_base(state: State, tf: TaskForce) -> Targets:
    """The targets of a base that could search now and still learn something of them: those below ID2, ships before
    mines, least known first. PQ-17 1.8.4-1.8.6."""
    if not tf.is_base or not is_at_work(state, tf) or state.has_mark(tf, "searched"):
        return {}
    found = {track: enemy for track, enemy in targets_of(state, tf).items() if enemy.id_level < FREE_SEARCH_CAP}
    return dict(sorted(found.items(), key=lambda item: (is_minefield(item[1]), item[1].id_level, tf_order(item[0]))))


@rule("1.7.4", "1.8.2.1")
def settled_targets(state: State, settled: SettledHex) -> Targets:
    """The enemy forces a settled hex may search: all there below ID2, each once an impulse. Who is in port with a base
    that has been searched was searched with it, or came too late. PQ-17 1.7.4, 1.8.2.1; rulings SET-1, PQ-182."""
    book = book_of(state, settled.side)
    found: Targets = {}
    for enemy in _enemies_in(state, settled.hex, settled.side):
        track = book.track_of(enemy.id)
        base = state.port_group(enemy)[0]
        searched = any(unit_id in settled.searched for unit_id in (enemy.id, *enemy.units, *base.units))
        if track is not None and not searched and IdLevel.N < enemy.id_level < FREE_SEARCH_CAP:
            found[track] = enemy
    return _by_number(found)


@rule("1.7.4")
def searching_hexes(state: State, side: Side) -> list[Searcher]:
    """The side's settled hexes, and what counts as one, that have a target to search, ascending. PQ-17 1.7.4;

    SPC-14.
    """
    eyes = eyes_of(state, side)
    return [
        Searcher(f"settled {one.hex}", targets, settled=one) for one in eyes if (targets := settled_targets(state, one))
    ]


@rule("7.2.1", "5.2.3.4", "5.2.3.5", "1.8.7", "5.5.8")
def may_declare_shadowing(state: State, tf: TaskForce) -> bool:
    """Whether a force could begin to shadow: it is no base, not in port, not in Logistics posture, not shadowing.

    PQ-17 7.2.1, 5.2.3.4, 5.2.3.5, 1.8.7; ruling SHD-14."""
    return not (tf.is_base or tf.in_port or tf.posture.logistics or tf.shadowing)


def probes_of(state: State, tf: TaskForce) -> int:
    """The number of probes aboard all its ships. Ruling REC-19."""
    return sum(unit.probes for unit in state.units_of(tf))


# --- the ask ----------------------------------------------------------------------------------------------------------


def default_searches(state: State, side: Side, able: Sequence[Searcher]) -> SearchSheet:
    """The default: bases and settled hexes search, ships do not. Rulings SET-1, BAS-7."""
    lines = {one.key: SearchLine(target=next(iter(one.targets))) for one in able if one.is_base}
    if side_orders(state, side).settled == "search":
        lines |= {one.key: SearchLine(target=ALL) for one in able if one.settled is not None}
    return SearchSheet(lines)


def has_choice(able: Sequence[Searcher]) -> bool:
    """Whether a side has anything to choose: a ships' task force could search, or a base has several targets."""
    return any(one.is_ships or (one.is_base and len(one.targets) > 1) for one in able)


@rule("6.3.2")
def search_ask(turn: TurnContext[State], side: Side, able: Sequence[Searcher], *, phasing: bool) -> Ask[SearchSheet]:
    """The sheet of all the side's searches. PQ-17 6.3.2, SOP 2.b.v.1-3."""
    state = turn.state
    default = default_searches(state, side, able)
    lines = [_line(state, one, default) for one in able]
    hexes = contact_hexes(state) if phasing else []
    if len(hexes) > 1:
        lines.append(_order_line(hexes))
    form = Form(lines=tuple(lines), why_absent=lambda: _absent_fields(state, lines))
    return Ask(
        kind="search",
        parties=(side,),
        title=f"Reconnaissance, turn {state.turn} impulse {state.impulse}{state.half}",
        text=_text(able, phasing=phasing),
        question=Question(
            "Whom to search?",
            hexes=tuple(sorted({at.hex for one in able if (at := one.tf or one.settled)})),
            offers=at_each("Search", {one.key: one.targets for one in able if one.is_ships}),
        ),
        model=SearchSheet,
        form=form,
        rule="PQ-17 6.3.2",
        default=default,
        default_says="Ships do not search; bases and settled hexes do, on their own.",
        pace="decision",
        check=lambda answer: check_searches(state, side, form, answer),
        read_back=lambda answer: _read_back(state, form, answer),
        warn=lambda answer: _warnings(state, answer),
    )


def _text(able: Sequence[Searcher], *, phasing: bool) -> str:
    when = "The other side has declared already." if phasing else "You declare first; the other side will hear of it."
    if not any(one.is_ships for one in able):
        return f"Choose whom your bases search. {when}"
    return (
        "Each task force may try once an impulse; a search costs fuel (2 × movement cost). "
        f"Probes and shadowing count only if it succeeds. {when}"
    )


def _line(state: State, searcher: Searcher, default: SearchSheet) -> Line:
    targets, value = searcher.targets, default.line(searcher.key).target
    if searcher.settled is not None:
        return _settled_line(searcher.settled, searcher.key, targets, value)
    tf = state.task_forces[searcher.key]
    if not tf.is_base:
        return _ships_line(state, tf, targets)
    return Line(tf.id, f"{tf.label} in {tf.hex}", (_target_field(targets, value),), "free, up to ID2 (1.8.6)")


def _settled_line(settled: SettledHex, key: str, targets: Targets, value: str | None) -> Line:
    field = _target_field(targets, value, Choice(value=ALL, label="every enemy here"))
    name = f"{settled.name} in {settled.hex}" if is_spy(settled) else f"Settled hex {settled.hex}"
    return Line(key=key, label=name, fields=(field,), note="free, up to ID2 (1.7.4, 1.7.5)")


def _ships_line(state: State, tf: TaskForce, targets: Targets) -> Line:
    fields = [_target_field(targets, None)]
    probes = probes_of(state, tf)
    if probes:
        fields.append(number_field("probes", "Probes if it succeeds", range(probes + 1), 0, optional=True))
    if may_declare_shadowing(state, tf):
        fields.append(Field(key="shadow", label="Shadow it if it succeeds", kind="flag", value=False, optional=True))
    return Line(key=tf.id, label=f"{tf.label} in {tf.hex}", fields=tuple(fields), note=_prospects(state, tf))


def _prospects(state: State, tf: TaskForce) -> str:
    dearest = max(cost(state, unit, "reconnaissance") for unit in state.units_of(tf))
    least = min(unit.fuel for unit in state.separate_units(tf))
    rows = "Scout" if is_scouting(state, tf) else "Force"
    return (
        f"{rows} rows, maximum speed {max_speed(state, tf).rate}; costs up to {show_fraction(dearest)} a ship, "
        f"least fuel {show_fraction(least)}"
    )


def _target_field(known: Targets, value: str | None, *extra: Choice) -> Field:
    offered = tuple(Choice(value=track, label=f"{track}, held at {tf.id_level.label}") for track, tf in known.items())
    return Field(key="target", label="Searches", kind="one", choices=(*extra, *offered), value=value, optional=True)


def _order_line(hexes: Sequence[HexId]) -> Line:
    field = text_field("hexes", "Hexes in this order", 200, " ".join(hexes))
    return Line(key=ORDER, label="Order of resolution", fields=(field,), note="You choose the order of hexes (SOP v.1)")


def _absent_fields(state: State, lines: Iterable[Line]) -> Iterator[Absence]:
    """Why a searcher's line has no field for shadowing, or none for probes."""
    for line in lines:
        tf = state.task_forces.get(line.key)
        fields = {field.key for field in line.fields}
        if "target" in fields and "shadow" not in fields:
            for one in _check_shadow(state, line.key, tf, SearchLine()):
                yield Absence(key=line.key, label=line.label, field="shadow", problem=one.problem, rule=one.rule)
        if "target" in fields and "probes" not in fields:
            problem = "it has no probes to spend"
            yield Absence(key=line.key, label=line.label, field="probes", problem=problem, rule="PQ-17 6.3.4.11")


# --- judging an answer ------------------------------------------------------------------------------------------------


@rule("6.3.2")
def check_searches(state: State, side: Side, form: Form, answer: SearchSheet) -> list[Refusal]:
    """Every defect of a sheet, judged by what its own side knows. PQ-17 6.3.2; ruling FOG-4."""
    found: list[Refusal] = []
    for key, line in answer.root.items():
        if form.line(key) is None:
            found.append(_no_such_line(state, side, form, key))
        elif key == ORDER:
            found += _check_order(state, line)
        else:
            found += _check_line(state, form, key, line)
    return found


def _no_such_line(state: State, side: Side, form: Form, key: str) -> Refusal:
    """Why that line is not on the sheet: the force is not the side's, or cannot search, with the rule."""
    tf = state.task_forces.get(key)
    legal = ", ".join(line.key for line in form.lines)
    if tf is None or tf.side != side:
        near = nearest(key, [line.key for line in form.lines])
        return malformed("there is no searcher of that name", key, legal=legal, nearest=near)
    if not targets_of(state, tf):
        return illegal("it holds no contact in its hex", "PQ-17 6.3.2", key, legal=legal)
    if all(_is_open_book(state, side, target) for target in targets_of(state, tf).values()):
        return illegal("a known base has nothing more to tell", "PQ-17 1.8.10.1", key, legal=legal)
    if state.has_mark(tf, "searched"):
        return illegal("it has searched this impulse already", "PQ-17 6.3.2.3", key, legal=legal)
    if not is_at_work(state, tf):
        if tf.is_base:
            return illegal("it is put in place, but not active yet", "PQ-17 1.8.12.8", key, legal=legal)
        return illegal("a ship in it is inactive for its refit", "PQ-17 11.5.4", key, legal=legal)
    if tf.is_base:
        return illegal("a base learns no more than ID2, which all here are at", "PQ-17 1.8.6", key, legal=legal)
    short = ", ".join(unit.name for unit in short_of(state, tf, "reconnaissance"))
    return illegal(f"not enough fuel to search: {short}", "PQ-17 6.3.2.1", key, legal=legal)


def _check_line(state: State, form: Form, key: str, line: SearchLine) -> list[Refusal]:
    offered = form.line(key)
    field = next((field for field in offered.fields if field.key == "target"), None) if offered else None
    names = [choice.value for choice in field.choices] if field else []
    found: list[Refusal] = []
    if line.hexes:
        found.append(malformed("only the order line takes hexes", f"{key}.hexes"))
    tf = state.task_forces.get(key)
    if line.target is not None and line.target not in names:
        rule, problem = "PQ-17 6.3.2", "that is no contact it can search"
        if tf is not None and tf.shadowing:
            rule, problem = "PQ-17 7.3.8", "while it shadows it may search nobody else"
        near = nearest(line.target, names)
        found.append(illegal(problem, rule, f"{key}.target", legal=", ".join(names), nearest=near))
    if line.target is None and (line.probes or line.shadow):
        found.append(malformed("probes and shadowing need a target", key, legal=", ".join(names)))
    if line.probes:
        held = probes_of(state, tf) if tf is not None and not tf.is_base else 0
        if line.probes > held:
            legal = f"0 to {held}"
            found.append(illegal("it does not carry so many probes", "PQ-17 6.3.4.11", f"{key}.probes", legal=legal))
    if line.shadow:
        found += _check_shadow(state, key, tf, line)
    return found


@rule("1.7.6", "1.8.7", "5.2.3.4", "5.5.8", "7.3.8")
def _check_shadow(state: State, key: str, tf: TaskForce | None, line: SearchLine) -> list[Refusal]:
    path = f"{key}.shadow"
    if tf is None:
        return [illegal("a settled hex cannot shadow", "PQ-17 1.7.6", path, legal="search only")]
    if tf.is_base:
        return [illegal("a base cannot shadow", "PQ-17 1.8.7", path, legal="search only")]
    if tf.in_port:
        return [illegal("a force in port may not shadow", "PQ-17 5.5.8", path, legal="search only")]
    if tf.posture.logistics:
        return [illegal("a force in logistics posture may not shadow", "PQ-17 5.2.3.4", path, legal="search only")]
    if tf.shadowing:
        return [illegal("it is shadowing that contact already", "PQ-17 7.3.8", path, legal="search only")]
    return _check_shadowed(targets_of(state, tf).get(line.target or ""), path)


@rule("1.8.2.1", "12.3.5")
def _check_shadowed(target: TaskForce | None, path: str) -> list[Refusal]:
    """What cannot be shadowed: minefields, and known bases. PQ-17 1.8.2.1, 12.3.5."""
    if target is not None and is_minefield(target):
        return [illegal("a minefield cannot be shadowed", "PQ-17 12.3.5", path, legal="search only")]
    if target is not None and target.base is not None and target.base.known:
        return [illegal("a known base cannot be shadowed", "PQ-17 1.8.2.1", path, legal="a force in port with it")]
    return []


def _check_order(state: State, line: SearchLine) -> list[Refusal]:
    hexes = contact_hexes(state)
    found: list[Refusal] = []
    if line.target or line.probes or line.shadow:
        found.append(malformed("the order line takes hexes only", ORDER, legal=" ".join(hexes)))
    if line.hexes and sorted(read_hexes(line.hexes)) != hexes:
        problem = "name every hex with a contact once"
        found.append(malformed(problem, f"{ORDER}.hexes", legal=" ".join(hexes)))
    return found


def read_hexes(text: str) -> list[HexId]:
    """The hexes of an order line, in their order."""
    return text.replace(",", " ").split()


def _read_back(state: State, form: Form, answer: SearchSheet) -> list[str]:
    said: list[str] = []
    for line in form.lines:
        entry = answer.line(line.key)
        if line.key == ORDER:
            said += [f"Hexes are resolved in this order: {entry.hexes}."] if entry.hexes else []
        elif entry.target is None:
            said.append(f"{line.label}: does not search.")
        else:
            whom = "every enemy there" if entry.target == ALL else entry.target
            probes = f", {counted(entry.probes, 'probe')} if it succeeds" if entry.probes else ""
            shadow = ", and shadows it if it can" if entry.shadow else ""
            said.append(f"{line.label}: searches {whom}{probes}{shadow}.")
    return said


def _warnings(state: State, answer: SearchSheet) -> list[str]:
    """What the side would probably regret: engines left empty by the search."""
    said: list[str] = []
    for key, line in answer.root.items():
        tf = state.task_forces.get(key)
        if tf is None or tf.is_base or line.target is None:
            continue
        dry = [unit.name for unit in state.separate_units(tf) if unit.fuel == cost(state, unit, "reconnaissance")]
        if dry:
            said.append(f"{tf.label}: {', '.join(dry)} will have no fuel left for its next hex.")
    return said
