"""Regrouping after a battle: one sheet on which a side forms task forces, sets postures and speeds, and orders
pursuits. Used by the loser, by the winner, and after combat.

PQ-17 8.5.6.1, 8.5.6.2, 8.5.6.4, 8.5.7.2; rulings WPR-1, WPR-6, WPR-11.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Literal, NamedTuple

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, choices
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.sorties import unpaid_sorties
from rules_engine.rulebooks.pq17.ch01_forces.new_units import couple
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import announce, come_out_of_port, free_ids, reorganise
from rules_engine.rulebooks.pq17.ch05_movement.movement import current_speed
from rules_engine.rulebooks.pq17.ch05_movement.postures import force_posture, posture_refusals
from rules_engine.rulebooks.pq17.ch05_movement.speeds import fastest
from rules_engine.rulebooks.pq17.ch08_combat.regrouping_speeds import (
    Reform,
    check_speed,
    legal_speeds,
    offered_postures,
    offered_speeds,
    penalty,
    trial_of,
    units_of,
)
from rules_engine.rulebooks.pq17.ch08_combat.standing_battles import reform_decisions
from rules_engine.rulebooks.pq17.ch11_repair.self_repair import MEND, MendFields, check_mend, mend, mend_lines, say_mend
from rules_engine.rulebooks.pq17.contacts.identification import held_track, track_for
from rules_engine.rulebooks.pq17.orders.order_sheets import PostureWord, posture_of, posture_text, posture_words
from rules_engine.rulebooks.pq17.orders.standing_answers import by_standing_orders_steps
from rules_engine.rulebooks.pq17.records.forces import Posture
from rules_engine.rulebooks.pq17.records.lots import drawing
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.tables.operations import Speed

MOST_FORCES = 12
"""The most task forces that one sheet can form, unless there are more already."""
FORCE = "force "

Then = Literal["battle", "shadow"]


class ReformLine(MendFields):
    """A line of the sheet: a unit's force, a force's posture, speed and quarry, or what a unit repairs."""

    force: Annotated[int, Bounded(ge=1)] | None = None
    posture: tuple[PostureWord, ...] | None = None
    speed: Speed | None = None
    pursue: str | None = None
    then: Then | None = None


class ReformSheet(RootModel[dict[str, ReformLine]]):
    """Units by id, forces as ``force 1``, ``force 2`` …, and repairs as ``repair <unit>``."""


@dataclass(frozen=True)
class Formed:
    """One task force as ordered."""

    number: int
    units: tuple[str, ...]
    source: str
    posture: Posture
    speed: Speed
    pursue: str | None
    then: Then
    reach: Speed = Speed.STATION
    """The highest speed it could choose, with the fuel it had then."""


def reform_steps(turn: TurnContext[State], reform: Reform) -> Steps[dict[str, Formed]]:
    """Ask the side, regroup, set postures at once and speeds for the next impulse; tell the enemy at ID3.

    Returns the orders by the ids of the resulting task forces.
    """
    state = turn.state
    stands = _as_it_stands(state, reform)
    form = Form(lines=(*_lines(state, reform, stands), *mend_lines(state, reform.damaged)))
    repairs = {key: ReformLine.model_validate(line) for key, line in form.prefilled().items() if key.startswith(MEND)}
    filled = {**stands.root, **repairs}
    default = ReformSheet({key: line for key, line in filled.items() if form.line(key) is not None})
    ask = Ask(
        kind="reform",
        parties=(reform.side,),
        title=reform.title,
        text=reform.text,
        model=ReformSheet,
        form=form,
        rule=reform.rule,
        default=default,
        default_says=" ".join([_STANDS] * bool(reform.pools) + [_MENDS] * bool(reform.damaged)),
        pace="decision",
        check=lambda answer: check_reform(state, reform, form, answer),
        read_back=lambda answer: [
            *_read_back(state, reform, read_reform(state, reform, answer)),
            *(say_mend(state.units[unit_id], line) for unit_id, line in _mends(reform, answer)),
        ],
        warn=lambda answer: list(_without_effect(form, read_reform(state, reform, answer), answer)),
    )
    losing = reform.before is not None and not reform.quarries
    decided = reform_decisions(
        state,
        _concerned(state, reform),
        reform.quarries,
        form,
        lambda tf: legal_speeds(state, reform, trial_of(state, tf, tf.units, tf.posture)),
        losing=losing,
    )
    answer = yield from by_standing_orders_steps(turn, ask, decided)
    formed = _carry_out(turn, reform, read_reform(state, reform, answer))
    for unit_id, line in _mends(reform, answer):
        mend(turn, state.units[unit_id], line)
    return formed


def _concerned(state: State, reform: Reform) -> list[str]:
    """The task forces whose standing orders decide: those that may regroup, then those that only repair."""
    repairing = (state.tf_of(unit_id) for unit_id in reform.damaged)
    return list(dict.fromkeys([*reform.forces, *(tf.id for tf in repairing if tf is not None)]))


_STANDS = "Task forces stay as they are, at the nearest speed they can keep; nobody pursues."
_MENDS = "Repairs as filled in: what matters most, as far as the budget goes."


@rule("8.5.7.3")
def _mends(reform: Reform, answer: ReformSheet) -> list[tuple[str, MendFields]]:
    """The repairs that a sheet orders, by unit. PQ-17 8.5.7.3."""
    return [(one, answer.root[MEND + one]) for one in reform.damaged if MEND + one in answer.root]


# --- the sheet --------------------------------------------------------------------------------------------------------


@rule("8.5.6.4")
def _as_it_stands(state: State, reform: Reform) -> ReformSheet:
    """The default: present grouping and postures, with speeds reduced to what can be paid for. PQ-17 8.5.6.4."""
    lines: dict[str, ReformLine] = {}
    for number, tf_id in enumerate(reform.forces, start=1):
        tf = state.task_forces[tf_id]
        for unit_id in sorted(tf.units):
            lines[unit_id] = ReformLine(force=number)
        trial = trial_of(state, tf, tf.units, tf.posture)
        force_posture(state, trial)
        wanted = tf.next_speed or current_speed(state, tf)
        legal = legal_speeds(state, reform, trial)
        lower = [speed for speed in legal if speed.rate <= wanted.rate]
        speed = wanted if wanted in legal else max(lower, key=lambda one: one.rate, default=Speed.STATION)
        lines[f"{FORCE}{number}"] = ReformLine(speed=speed, posture=posture_words(trial.posture))
    return ReformSheet(lines)


def _lines(state: State, reform: Reform, default: ReformSheet) -> list[Line]:
    units = [unit_id for tf_id in reform.forces for unit_id in sorted(state.task_forces[tf_id].units)]
    most = _most(state, reform)
    lines: list[Line] = []
    if len(units) > 1:
        for unit_id in units:
            unit = state.units[unit_id]
            value = default.root[unit_id].force
            field = Field(key="force", label="Task force", kind="number", least=1, most=most, value=value)
            note = f"fuel {show_fraction(unit.fuel)}"
            lines.append(Line(key=unit_id, label=unit.name, fields=(field,), note=note))
    offer = _Offer(tuple(offered_speeds(state, reform)), tuple(offered_postures(state, reform)))
    for number in range(1, most + 1):
        key = f"{FORCE}{number}"
        fields = tuple(_force_fields(reform, default.root.get(key, ReformLine()), offer))
        lines.append(Line(key=key, label=_force_label(state, reform, number, alone=len(units) < 2), fields=fields))
    return lines


def _force_label(state: State, reform: Reform, number: int, *, alone: bool) -> str:
    """The owner's own name of the force with that number on the sheet, or that it is a new one; without the number
    where it would tell nothing."""
    if number > len(reform.forces):
        return f"Task force {number}: new"
    label = state.task_forces[reform.forces[number - 1]].label
    return label if alone else f"Task force {number}: {label}"


def _most(state: State, reform: Reform) -> int:
    """The number of task force lines on the sheet: for existing forces, and for those its ships could be split into."""
    return max(len(reform.forces), min(MOST_FORCES, len(units_of(state, reform.forces))))


class _Offer(NamedTuple):
    """The postures, speeds and quarries offered to the task forces of a sheet."""

    speeds: tuple[Speed, ...]
    postures: tuple[PostureWord, ...]


def _force_fields(reform: Reform, given: ReformLine, offer: _Offer) -> list[Field]:
    offered = tuple(Choice(value=speed.value, label=speed.label) for speed in offer.speeds)
    value = given.speed.value if given.speed else None
    postures = choices(*offer.postures)
    words: Json = None if given.posture is None else [str(word) for word in given.posture]
    none = posture_text(Posture())
    fields = [
        Field(key="speed", label="Speed, next impulse on", kind="one", choices=offered, value=value, optional=True),
        Field("posture", "Posture (none: active)", "many", postures, value=words, optional=True, none=none),
    ]
    if reform.quarries:
        preys = choices(*reform.quarries)
        after = choices(battle="bring it to battle", shadow="shadow it")
        fields += [
            Field(key="pursue", label="Pursues", kind="one", choices=preys, optional=True),
            Field(key="then", label="If it catches it", kind="one", choices=after, value="battle", optional=True),
        ]
    return fields


# --- reading and judging ----------------------------------------------------------------------------------------------


def read_reform(state: State, reform: Reform, answer: ReformSheet) -> list[Formed]:
    """The task forces that a sheet orders; what it leaves out stays as it is, and loads go with their carriers: modules
    always, pods unless they are told where to go."""
    default = _as_it_stands(state, reform)

    def wanted(unit_id: str) -> int:
        given = answer.root.get(unit_id)
        return (given.force if given else None) or default.root[unit_id].force or 1

    members: dict[int, list[str]] = {}
    source: dict[int, str] = {}
    for tf_id in reform.forces:
        tf = state.task_forces[tf_id]
        for unit_id in sorted(tf.units):
            number, unit = wanted(unit_id), state.units[unit_id]
            is_load, was = state.is_load(tf, unit), default.root[unit_id].force
            if is_load and (number == was or state.class_of(unit).unit_kind == "module"):
                number = wanted(unit.carried_by)
            members.setdefault(number, []).append(unit_id)
            source.setdefault(number, tf_id)
    formed: list[Formed] = []
    for number in sorted(members):
        tf = state.task_forces[source[number]]
        key = f"{FORCE}{number}"
        stands = default.root.get(f"{FORCE}{reform.forces.index(tf.id) + 1}", ReformLine())
        given = answer.root.get(key, ReformLine())
        words = stands.posture if given.posture is None else given.posture
        formed.append(
            Formed(
                number=number,
                units=tuple(members[number]),
                source=source[number],
                posture=posture_of(words or ()),
                speed=given.speed or stands.speed or Speed.STATION,
                pursue=given.pursue,
                then=given.then or "battle",
            )
        )
    return formed


@rule("8.5.6.4", "8.5.6.4.2", "8.5.7.2")
def check_reform(state: State, reform: Reform, form: Form, answer: ReformSheet) -> list[Refusal]:
    """Every defect: unknown lines, forces that mix pools, impossible postures and speeds, quarries that are not there,
    pursuits out of port without command points.

    PQ-17 8.5.6.4, 8.5.6.4.2, 8.5.7.2; rulings WPR-6, WPR-11, TF-9, CP-4.
    """
    found: list[Refusal] = []
    keys = [line.key for line in form.lines]
    most = _most(state, reform)
    for key, line in answer.root.items():
        if key not in keys:
            found.append(malformed("there is no such line", key, legal=", ".join(keys), nearest=nearest(key, keys)))
        elif key.startswith(FORCE) and line.force is not None:
            legal = ", ".join(one.key for one in form.by_key[key].fields)
            found.append(malformed("only a ship has a task force", f"{key}.force", legal=legal))
        elif line.force is not None and line.force > most:
            found.append(malformed("no such task force", f"{key}.force", legal=f"1 to {most}"))
    if found:
        return found
    orders = read_reform(state, reform, answer)
    found += _modules_put_off(state, reform, answer, orders)
    for formed in orders:
        found += _check_formed(state, reform, formed)
    found = found or _unpaid_pursuits(state, reform, orders)
    for unit_id, line in _mends(reform, answer):
        found += check_mend(state, state.units[unit_id], line, MEND + unit_id)
    return found


@rule("1.8.12.5")
def _modules_put_off(state: State, reform: Reform, answer: ReformSheet, orders: Sequence[Formed]) -> Iterator[Refusal]:
    """Modules in a ship's cargo that are sent elsewhere than the ship. PQ-17 1.8.12.5."""
    default, goes_to = _as_it_stands(state, reform), {one: formed.number for formed in orders for one in formed.units}
    for unit_id, line in answer.root.items():
        there = goes_to.get(unit_id)
        if there is None or line.force in (None, there, default.root[unit_id].force):
            continue
        unit = state.units[unit_id]
        problem = f"{unit.name} is cargo of {state.units[unit.carried_by].name} and goes where that goes"
        yield illegal(problem, "PQ-17 1.8.12.5", f"{unit_id}.force", legal=str(there))


@rule("4.2.3", "8.5.6.2")
def _unpaid_pursuits(state: State, reform: Reform, orders: Sequence[Formed]) -> list[Refusal]:
    """Pursuits out of port that command points do not allow. PQ-17 4.2.3, 8.5.6.2, ruling CP-4."""
    forces = {
        f"{FORCE}{one.number}": trial_of(state, state.task_forces[one.source], one.units, one.posture) for one in orders
    }
    pursuing = {f"{FORCE}{one.number}" for one in orders if one.pursue is not None}
    return unpaid_sorties(state, reform.side, forces, pursuing, lambda key: f"{key}.pursue")


def _check_formed(state: State, reform: Reform, formed: Formed) -> list[Refusal]:
    path = f"{FORCE}{formed.number}"
    found: list[Refusal] = []
    pools = [pool for pool in reform.pools if set(formed.units) & set(units_of(state, pool))]
    if len(pools) > 1:
        problem = "these ships were not together; they cannot form one task force now"
        found.append(illegal(problem, reform.rule, path, legal="ships of one group"))
        return found
    if formed.pursue is not None and formed.pursue not in reform.quarries:
        legal = ", ".join(reform.quarries) or "no pursuit"
        near = nearest(formed.pursue, reform.quarries)
        problem = "that is no withdrawing contact"
        found.append(illegal(problem, "PQ-17 8.5.6.2", f"{path}.pursue", legal=legal, nearest=near))
    trial = trial_of(state, state.task_forces[formed.source], formed.units, formed.posture)
    if formed.pursue is not None:
        trial.in_port = ""
    found += posture_refusals(state, trial, f"{path}.posture")
    if formed.pursue is not None and formed.then == "shadow" and formed.posture.logistics:
        problem = "a force in logistics posture may not shadow"
        found.append(illegal(problem, "PQ-17 5.2.3.4", f"{path}.then", legal="battle, or another posture"))
    found += check_speed(state, reform, trial, formed.speed, f"{path}.speed")
    return found


def _without_effect(form: Form, orders: Sequence[Formed], answer: ReformSheet) -> Iterator[str]:
    """Warnings of lines of task forces that get no ships, and of what is done after a pursuit that nobody makes."""
    formed = {f"{FORCE}{one.number}": one for one in orders}
    for key, line in answer.root.items():
        filled = ReformLine.model_validate(form.filled_in(key)) if key.startswith(FORCE) else line
        if (
            key.startswith(FORCE)
            and key not in formed
            and line.model_dump(exclude_none=True) != filled.model_dump(exclude_none=True)
        ):
            yield f"{key} gets no ships, so what stands in its line does nothing."
        elif key in formed and formed[key].pursue is None and line.then not in (None, filled.then):
            yield f"{key} pursues nobody, so what it does once it catches somebody does nothing."


# --- carrying out -----------------------------------------------------------------------------------------------------


@rule(
    "1.6.6.1",
    "8.5.6.5.1",
    "8.5.6.5.2",
    "8.5.6.6",
    "8.5.6.6.1",
    "8.5.6.6.2",
    "8.5.7.2.5",
    "8.5.7.2.6",
    "SOP.2.b.vi.6.h.i",
)
def _carry_out(turn: TurnContext[State], reform: Reform, orders: Sequence[Formed]) -> dict[str, Formed]:
    """Form the task forces: organisation and postures count at once, speeds from the next impulse on. PQ-17 1.6.6.1,
    8.5.6.5.1, 8.5.6.5.2, 8.5.6.6, 8.5.6.6.1, 8.5.6.6.2, 8.5.7.2.5, 8.5.7.2.6, SOP.2.b.vi.6.h.i."""
    state = turn.state
    ids = _ids(state, reform, orders)
    groups = {ids[formed.number]: formed.units for formed in orders}
    done = reorganise(state, reform.side, groups, drawing(turn.at("regrouping", reform.side)))
    formed_as: dict[str, Formed] = {}
    for formed in orders:
        tf = state.task_forces[ids[formed.number]]
        couple(state, tf)
        if formed.pursue is not None:
            come_out_of_port(state, tf)
        tf.posture = formed.posture
        reach = fastest(state, tf)
        for unit_id in tf.units:
            state.units[unit_id].fuel -= penalty(state, reform, tf, unit_id, formed.speed)
        tf.plotted = formed.speed
        tf.next_speed = formed.speed
        formed_as[tf.id] = replace(formed, reach=reach)
    announce(turn, done, rule=reform.rule)
    _publish(turn, reform, formed_as)
    return formed_as


def _ids(state: State, reform: Reform, orders: Sequence[Formed]) -> dict[int, str]:
    """Each force keeps the id of its first source if no earlier one has it; others take the first free ones."""
    free = free_ids(state, reform.side)
    ids: dict[int, str] = {}
    for formed in orders:
        ids[formed.number] = formed.source if formed.source not in ids.values() else next(free)
    return ids


@rule("8.5.6.1", "8.5.6.2")
def _publish(turn: TurnContext[State], reform: Reform, formed_as: Mapping[str, Formed]) -> None:
    """Announce speeds, postures and who pursues whom. PQ-17 8.5.6.1, 8.5.6.2."""
    state = turn.state
    if not formed_as:
        return
    enemy = state.enemy_of(reform.side)
    preys = {held_track(state, reform.side, tf): tf.label for tf in state.all_task_forces(enemy)}
    said: list[str] = []
    held = {track_for(state, enemy, state.task_forces[tf_id]): formed for tf_id, formed in formed_as.items()}
    for track in sorted(held, key=tf_order):
        formed = held[track]
        words = posture_text(formed.posture)
        pursuit = f", pursues your {preys[formed.pursue]}" if formed.pursue else ""
        said.append(f"{track}: speed {formed.speed.rate}, {words}{pursuit}")
    text = f"The other side's forces after the battle: {'; '.join(said)}."
    turn.tell([enemy], text, kind="battle", why=because(reform.rule, {"announced at": "ID3"}))


def _read_back(state: State, reform: Reform, orders: Sequence[Formed]) -> list[str]:
    """The task forces as ordered, with their future names."""
    ids = _ids(state, reform, orders)
    return [_said(state, formed, ids[formed.number]) for formed in orders]


def _said(state: State, formed: Formed, tf_id: str) -> str:
    names = ", ".join(state.units[unit_id].name for unit_id in formed.units)
    words = posture_text(formed.posture)
    pursuit = f", pursues {formed.pursue}, then {formed.then}" if formed.pursue else ""
    standing = state.task_forces.get(tf_id)
    label = f"{tf_id} (new)" if standing is None else standing.label
    return f"{label}: {names}; speed {formed.speed.rate}, {words}{pursuit}."
