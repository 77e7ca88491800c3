"""Chapter 12.7.7: damage that went through the shields. Internal damage is rolled on the tactical game's own chart, so
the ship's owner says what it destroyed; by default it is spread evenly over the record sheet (own ruling).
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.counted import counted, noun, sentence, verb
from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line, text_field
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import drop_unit, lose_modules
from rules_engine.rulebooks.pq17.ch05_movement.postures import settle_damage
from rules_engine.rulebooks.pq17.ch10_supply.fuel import carried_pods
from rules_engine.rulebooks.pq17.ch10_supply.use_in_battle import lose_goods
from rules_engine.rulebooks.pq17.ch11_repair.boxes import (
    COUNTED,
    HULL,
    TRACKS,
    box_name,
    destroy,
    destroyed,
    full_boxes,
    read_boxes,
    say_boxes,
    write_boxes,
)
from rules_engine.rulebooks.pq17.ch11_repair.self_repair import trim_budget
from rules_engine.rulebooks.pq17.ch12_mines.shields import HIT, Hit, Suffered, take_hits
from rules_engine.rulebooks.pq17.contacts.identification import remove_contact
from rules_engine.rulebooks.pq17.nations.victory_points import score_ship, ship_event
from rules_engine.rulebooks.pq17.orders.order_sheets import misplaced
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions.points_in_battle import note_cargo_lost
from rules_engine.rulebooks.pq17.tables.unit_types import public_name

LONGEST_LIST = 300


class DamageLine(Frozen):
    """What mines destroyed of one ship."""

    fate: Literal["ok", "destroyed"] | None = None
    boxes: Annotated[str, Bounded(max_length=LONGEST_LIST)] | None = None
    crippled: bool | None = None


class DamageSheet(RootModel[dict[str, DamageLine]]):
    """A side's account of what mine hits destroyed, by unit; what is left out takes the even spread."""


# --- the step ---------------------------------------------------------------------------------------------------------


@rule("12.7.6", "12.7.7")
def damage_steps(turn: TurnContext[State], sets: Sequence[Sequence[Hit]]) -> Steps[None]:
    """Apply sets of hits in their order, ask for accounts of the internal damage, and tell the owners.

    PQ-17 12.7.6, 12.7.7; rulings MIN-5, MIN-6."""
    state = turn.state
    total: dict[str, Suffered] = {}
    for hits in sets:
        tf = state.tf_of(hits[0].unit)
        for one in take_hits(state, tf, hits) if tf is not None else []:
            kept = total.setdefault(one.unit, Suffered(one.unit))
            kept.volleys += one.volleys
            kept.open_hits += one.open_hits
            kept.held += one.held
    for unit_id in sorted(total):
        _tell_held(turn, total[unit_id])
    open_ones = {key: total[key] for key in sorted(total) if total[key].is_question}
    asks = [ask for side in turn.sides if (ask := damage_ask(turn, side, open_ones)) is not None]
    sheets = yield from turn.ask_all_steps(asks)
    for ask, sheet in zip(asks, sheets, strict=True):
        for line in ask.form.lines:
            _apply(turn, open_ones[line.key], sheet.root.get(line.key, DamageLine()))


def _tell_held(turn: TurnContext[State], suffered: Suffered) -> None:
    if suffered.is_question:
        return
    unit = turn.state.units[suffered.unit]
    shields = ", ".join(f"#{number}" for number in suffered.held)
    text = f"{unit.name}: {f'shields {shields}' if len(suffered.held) > 1 else f'shield {shields}'} held."
    turn.tell([unit.side], text, kind="mines", why=because("PQ-17 12.7.7", {"a hit does": HIT}))


# --- the ask ----------------------------------------------------------------------------------------------------------


@rule("12.7.7")
def damage_ask(turn: TurnContext[State], side: Side, suffered: Mapping[str, Suffered]) -> Ask[DamageSheet] | None:
    """The ask for what mines destroyed of the side's ships, or None if nothing went through. PQ-17 12.7.7;

    ruling MIN-6.
    """
    state = turn.state
    mine = {key: one for key, one in suffered.items() if state.units[key].side == side}
    if not mine:
        return None
    form = Form(lines=tuple(_line(state, one) for one in mine.values()))
    return Ask(
        kind="mine damage",
        parties=(side,),
        title=f"Mine damage, turn {state.turn} impulse {state.impulse}{state.half}",
        text=(
            "Roll each volley of internals on your damage chart and write what it destroyed. Where your shields are "
            "not known here, first take 35 points off each shield for each hit. The boxes filled in are an even spread."
        ),
        question=Question("Mines hit your ships", "Which boxes did they destroy? An even spread is filled in."),
        model=DamageSheet,
        form=form,
        rule="PQ-17 12.7.7",
        default=DamageSheet.model_validate(form.prefilled()),
        default_says="The internals are spread evenly over each ship's boxes.",
        pace="decision",
        check=lambda sheet: check_damage(state, mine, form, sheet),
        read_back=lambda sheet: [_say(state, one, sheet.root.get(key, DamageLine())) for key, one in mine.items()],
        warn=lambda sheet: [*_warnings(state, mine, sheet), *_lost_anyway(state, form, sheet)],
    )


def _line(state: State, suffered: Suffered) -> Line:
    unit = state.units[suffered.unit]
    spread = even_spread(state, unit, sum(suffered.volleys))
    fates = (Choice(value="ok", label="still there"), Choice(value="destroyed", label="destroyed"))
    fields = (
        text_field(
            "boxes", "Boxes destroyed", LONGEST_LIST, write_boxes(spread), "For example warp 3, hull 4, battery"
        ),
        Field(key="crippled", label="Crippled now", kind="flag", value=_would_cripple(state, unit, spread)),
        Field(key="fate", label="Fate", kind="one", choices=fates, value="ok"),
    )
    label = f"{unit.name} ({state.class_of(unit).label})"
    return Line(key=unit.id, label=label, fields=fields, note=_what_hit(suffered))


def _what_hit(suffered: Suffered) -> str:
    parts: list[str] = []
    if suffered.volleys:
        *_, last = suffered.volleys
        each = ", ".join(map(str, suffered.volleys))
        parts.append(f"{verb(len(suffered.volleys), 'a volley', 'volleys')} of {each} {noun(last, 'internal')}")
    if suffered.open_hits:
        many = len(suffered.open_hits) > 1
        shields = ", ".join(f"#{one}" for one in suffered.open_hits)
        parts.append(f"35 points {'each on shields' if many else 'on shield'} {shields}")
    return "; ".join(parts)


def types_of(state: State, unit: Unit) -> dict[str, int]:
    """The undestroyed boxes of a unit's record by type, except shields and excess damage, as far as its class lists
    them."""
    types = [*COUNTED, *TRACKS, HULL, *sorted(state.class_of(unit).boxes)]
    left = {box: (full_boxes(state, unit, box) or 0) - destroyed(state, unit, box) for box in types}
    return {box: count for box, count in left.items() if count > 0}


def even_spread(state: State, unit: Unit, internals: int) -> list[tuple[str, int]]:
    """A volley spread over all boxes in proportion to what is left of each type, whole boxes, larger remainders first.

    The package's own ruling; the owner may say otherwise."""
    left = types_of(state, unit)
    total = sum(left.values())
    wanted = min(internals, total)
    if not wanted:
        return []
    shares = {box: Fraction(count * wanted, total) for box, count in left.items()}
    lost = {box: int(share) for box, share in shares.items()}
    order = sorted(left, key=lambda box: (lost[box] - shares[box], list(left).index(box)))
    for box in order[: wanted - sum(lost.values())]:
        lost[box] += 1
    return [(box, count) for box, count in lost.items() if count]


def _would_cripple(state: State, unit: Unit, lost: Sequence[tuple[str, int]]) -> bool:
    """The value filled in for crippled: it is so already, or half of the known boxes are gone."""
    left = sum(types_of(state, unit).values()) - sum(count for _, count in lost)
    full = sum(full_boxes(state, unit, box) or 0 for box in (*COUNTED, *TRACKS, HULL, *state.class_of(unit).boxes))
    return unit.crippled or 2 * left <= full


# --- judging an account -----------------------------------------------------------------------------------------------


@rule("12.7.7")
def check_damage(state: State, suffered: Mapping[str, Suffered], form: Form, sheet: DamageSheet) -> list[Refusal]:
    """Every defect: boxes that do not exist, more boxes than went through, a crippled ship no longer crippled.

    PQ-17 12.7.7.
    """
    found = misplaced(form, sheet.root)
    for key, line in sheet.root.items():
        if key not in suffered:
            continue
        unit, left = state.units[key], types_of(state, state.units[key])
        lost, wrong = read_boxes(line.boxes or "", f"{key}.boxes", left)
        found += wrong
        for box, count in lost:
            listed = box in left or full_boxes(state, unit, box) is not None
            if listed and count > left.get(box, 0):
                problem = f"it has {counted(left.get(box, 0), f'{box_name(box)} box')} left"
                found.append(illegal(problem, "PQ-17 12.7.7", f"{key}.boxes", legal=say_boxes(left.items())))
        if sum(count for _, count in lost) > suffered[key].most:
            problem = f"at most {suffered[key].most} points went through"
            found.append(illegal(problem, "PQ-17 12.7.6", f"{key}.boxes", legal=f"at most {suffered[key].most} boxes"))
        if unit.crippled and line.crippled is False and line.fate != "destroyed":
            problem = "it was crippled before"
            found.append(illegal(problem, "PQ-17 T5.note4", f"{key}.crippled", legal="crippled"))
    return found


def _say(state: State, suffered: Suffered, line: DamageLine) -> str:
    name = state.units[suffered.unit].name
    if line.fate == "destroyed":
        return f"{name} is destroyed."
    lost = say_boxes(_lost(state, suffered, line)) or "nothing"
    return f"{name} loses {lost}{' and is crippled' if line.crippled else ''}."


def _lost(state: State, suffered: Suffered, line: DamageLine) -> list[tuple[str, int]]:
    if line.boxes is None:
        return even_spread(state, state.units[suffered.unit], sum(suffered.volleys))
    return read_boxes(line.boxes, suffered.unit, ())[0]


def _warnings(state: State, suffered: Mapping[str, Suffered], sheet: DamageSheet) -> list[str]:
    said: list[str] = []
    for key, one in suffered.items():
        line = sheet.root.get(key, DamageLine())
        named = sum(count for _, count in _lost(state, one, line))
        if line.fate != "destroyed" and named < sum(one.volleys):
            name = state.units[key].name
            said.append(f"{name}: {named} of {sum(one.volleys)} internals are named; the rest hit nothing listed here.")
    return said


def _lost_anyway(state: State, form: Form, sheet: DamageSheet) -> list[str]:
    """Warnings of ships that are destroyed: what else is written down for them."""
    return [
        f"{state.units[key].name} is destroyed, so what else stands in {key} does nothing."
        for key, line in sheet.root.items()
        if line.fate == "destroyed" and form.line(key) is not None
    ]


# --- applying it ------------------------------------------------------------------------------------------------------


@rule("12.7.7", "9.8", "11.3.7")
def _apply(turn: TurnContext[State], suffered: Suffered, line: DamageLine) -> None:
    """Apply one ship's losses, reduce its stores, and score it for the enemy. PQ-17 12.7.7, 9.8, 11.3.7, T5.1-T5.3;

    FOG-1.
    """
    state = turn.state
    unit = state.units[suffered.unit]
    tf = state.tf_of(unit.id)
    before = unit.crippled
    lost = _lost(state, suffered, line)
    gone = line.fate == "destroyed"
    had = unit.supply
    crippled = _would_cripple(state, unit, lost) if line.crippled is None else line.crippled
    for box, count in lost:
        destroy(state, unit, box, count)
    unit.crippled = before or crippled
    trim_budget(unit)
    text = _say(state, suffered, line.model_copy(update={"crippled": unit.crippled and not before}))
    why = because("PQ-17 12.7.7", {"mines": _what_hit(suffered)})
    turn.tell([unit.side], text, kind="mines", why=why)
    lose_goods(turn, unit, tell=not gone)
    if tf is None:
        return
    note_cargo_lost(state, unit, had, "destroyed" if gone else "ok")
    _score(turn, tf, unit, destroyed=gone, before=before)
    if gone:
        _lose(turn, tf, unit)
    else:
        lose_modules(turn, unit)
    if tf.id in state.task_forces:
        settle_damage(state, tf)


def _score(turn: TurnContext[State], tf: TaskForce, unit: Unit, *, destroyed: bool, before: bool) -> None:
    """Score a unit's loss or damage for the enemy; ``before``: whether it was crippled already. PQ-17 T5.1-T5.3."""
    state = turn.state
    event = ship_event(
        destroyed=destroyed, captured=False, crippled_before=before, crippled_after=unit.crippled and not destroyed
    )
    if event is None:
        return
    said = f"{sentence(public_name(state.class_of(unit)))} {event.split()[0]} by mines in {tf.hex}."
    why = because("PQ-17 12.7.7", {"before the mines": "crippled" if before else "uncrippled"})
    score_ship(turn.at("loss", unit.id), unit, event, owner=unit.side, was_crippled=before, text=said, why=why)


@rule("1.6.1", "1.8.12.5")
def _lose(turn: TurnContext[State], tf: TaskForce, unit: Unit) -> None:
    """Take a destroyed unit out of its force, with the pods and modules that it carries, which score as they would in a
    battle; an empty force leaves the enemy's map. PQ-17 1.6.1, 1.8.12.5, own ruling PQ-180."""
    state = turn.state
    for pod in carried_pods(state, unit):
        note_cargo_lost(state, pod, pod.supply, "destroyed")
        _score(turn, tf, pod, destroyed=True, before=pod.crippled)
        turn.tell([pod.side], f"{pod.name} is lost with {unit.name}.", kind="mines", why=because("PQ-17 12.7.7"))
        pod.fate = "destroyed"
        drop_unit(state, pod.id)
    unit.fate = "destroyed"
    lose_modules(turn, unit)
    drop_unit(state, unit.id)
    if tf.id not in state.task_forces:
        enemy = state.enemy_of(tf.side)
        track = state.tracks[enemy].track_of(tf.id)
        why = because("PQ-17 1.6.1", {"in": tf.hex})
        remove_contact(turn, enemy, tf.id, f"Contact {track} is no more.", why)
