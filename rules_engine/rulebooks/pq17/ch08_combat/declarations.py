"""Chapter 8.3 and 8.4.2: which forces may attack which contacts, on one sheet for each side."""

from collections.abc import Mapping

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, Side
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.protocol.asks import Ask
from rules_engine.core.protocol.question import Question, at_each
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import Targets, targets_of
from rules_engine.rulebooks.pq17.ch10_supply.fuel import can_pay, cost, due, short_of
from rules_engine.rulebooks.pq17.ch11_repair.refits import is_at_work
from rules_engine.rulebooks.pq17.contacts.detection import watched
from rules_engine.rulebooks.pq17.contacts.identification import LEAST_LEVEL
from rules_engine.rulebooks.pq17.contacts.minefields import is_minefield, minesweepers
from rules_engine.rulebooks.pq17.contacts.settled_hexes import PREFIX, is_raided, is_settled, may_raid
from rules_engine.rulebooks.pq17.nations.conditions_in_force import is_cautious
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import FuelUse

CAUTIOUS_LEVEL = IdLevel.ID3
CAUTION = "PQ-17 C.random.high-command-caution"


class AttackLine(Frozen):
    """The contact number that one task force attacks, or none."""

    target: str | None = None


class AttackSheet(RootModel[dict[str, AttackLine]]):
    """All of a side's attacks of one step, by task force id."""

    def target_of(self, tf_id: str) -> str | None:
        """The contact that a task force attacks, if any."""
        line = self.root.get(tf_id)
        return line.target if line else None


# --- attackers and targets --------------------------------------------------------------------------------------------


@rule("8.3.1", "8.4.2", "6.2.3", "7.3.9", "1.8.10.2", "12.6.3")
def attackable(state: State, tf: TaskForce) -> Targets:
    """The enemies a force may attack, by contact number: at ID0 or better, and if it shadows one, only that. Attacking
    a minefield means sweeping it.

    PQ-17 8.3.1, 8.4.2, 6.2.3, 7.3.9, 1.8.10.2, 12.6.3; rulings SHD-9, BAS-5, MIN-11.
    """
    known = targets_of(state, tf)
    return {track: enemy for track, enemy in known.items() if why_no_target(state, tf.side, track, enemy) is None}


@rule("8.4.2", "8.6.2.7", "C.random.high-command-caution")
def why_no_target(state: State, side: Side, track: str, enemy: TaskForce) -> tuple[str, str] | None:
    """The problem and rule that forbid attacking a contact, or None. High Command Caution does not forbid sweeping.

    PQ-17 8.4.2, 8.6.2.7, C.random.high-command-caution; rulings RAID-3, RND-5."""
    if enemy.id_level < LEAST_LEVEL:
        return f"{track} is only at U; search it first, an attack needs ID0", "PQ-17 8.4.2"
    if is_settled(enemy) and is_raided(state, enemy):
        return f"{track} has been raided in this turn", "PQ-17 8.6.2.7"
    if enemy.id_level < CAUTIOUS_LEVEL and not is_minefield(enemy) and is_cautious(state, side):
        return (
            f"High Command forbids attacks below ID3 in this period, and {track} is at {enemy.id_level.label}",
            CAUTION,
        )
    return None


@rule("8.3.4", "12.6.3.1")
def use_against(target: TaskForce) -> FuelUse:
    """The kind of fuel use of an attempt against a target. PQ-17 8.3.4, 12.6.3.1."""
    return "minesweeping" if is_minefield(target) else "combat"


@rule("8.3", "12.6.3.1")
def targets_now(state: State, tf: TaskForce) -> Targets:
    """The enemies a force may attack at this moment, given its marks and fuel. PQ-17 8.3, 12.6.3.1."""
    targets = attackable(state, tf)
    uses: dict[str, FuelUse] = {track: use_against(enemy) for track, enemy in targets.items()}
    possible = [use for use in dict.fromkeys(uses.values()) if why_no_attack(state, tf, use) is None]
    return {track: enemy for track, enemy in targets.items() if uses[track] in possible}


def able_to_attack(state: State, side: Side) -> dict[str, Targets]:
    """By task force, the enemies that a side may attack at this moment; none if that is worth nobody's asking."""
    ships = [tf for tf in watched(state, side) if not (tf.is_base or tf.in_port)]  # neither attacks at all
    found = {tf.id: targets for tf in ships if (targets := targets_now(state, tf))}
    worth_it = (_is_worth_asking(state, state.task_forces[tf_id], targets) for tf_id, targets in found.items())
    return found if any(worth_it) else {}


def _is_worth_asking(state: State, tf: TaskForce, targets: Targets) -> bool:
    """Whether a force's choice is worth asking about: if it can only attack a minefield, it must have a minesweeper, or
    its side must want to be asked in every impulse."""
    if any(not is_minefield(target) for target in targets.values()):
        return True
    return bool(minesweepers(state, tf)) or state.doctrine[tf.side].ask_every_impulse


@rule("1.8.8", "5.5.8", "8.3.2", "8.3.3", "8.3.4.1", "9.6", "8.4.5")
def why_no_attack(state: State, tf: TaskForce, use: FuelUse = "combat") -> tuple[str, str] | None:
    """Problem and rule that keep a force from attacking, or from sweeping; None where it may, targets apart.

    PQ-17 1.8.8, 5.5.8, 8.3.2, 8.3.3, 8.3.4.1, 9.6; rulings CMB-1, CMB-2, PRT-6."""
    if tf.is_base:
        return "a base does not attack", "PQ-17 1.8.8"
    if tf.in_port:
        return "a force in port may not attack", "PQ-17 5.5.8"
    if not is_at_work(state, tf):
        return "a ship in it is inactive for its refit", "PQ-17 11.5.4"
    if state.has_mark(tf, "attempted_attack"):
        return "it has attempted an attack this impulse", "PQ-17 8.3.2"
    if state.has_mark(tf, "was_attacked"):
        return "it was successfully attacked this impulse", "PQ-17 8.3.3"
    if not can_pay(state, tf, use):
        short = ", ".join(unit.name for unit in short_of(state, tf, use))
        rule = "PQ-17 8.3.4.1" if use == "combat" else "PQ-17 12.6.3.1"
        return f"not enough fuel for {use}: {short}", rule
    return None


# --- the ask --------------------------------------------------------------------------------------------------------


@rule("8.4.2", "8.4.1")
def attack_ask(turn: TurnContext[State], side: Side, able: Mapping[str, Targets]) -> Ask[AttackSheet]:
    """The sheet of all the side's attacks. PQ-17 8.4.2, SOP 2.b.vi.2, vi.4."""
    state = turn.state
    form = Form(lines=tuple(_line(state, state.task_forces[tf_id], able[tf_id]) for tf_id in able))
    return Ask(
        kind="attack",
        parties=(side,),
        title=f"Attacks, turn {state.turn} impulse {state.impulse}{state.half}",
        text=(
            "Choose whom each task force attacks. An attempt costs combat fuel (4 × movement cost) even if it fails, "
            "once an impulse; one attempt each. A success starts a battle that the target cannot refuse; a minefield "
            "loses a strength point instead, and sweeping costs only half as much."
        ),
        question=Question(
            "Whom to attack?",
            f"{counted(len(able), 'force')} may attack; an attempt costs combat fuel even if it fails.",
            tuple(sorted({state.task_forces[key].hex for key in able})),
            noun="force",
            offers=at_each("Attack", able, is_grave=True),
        ),
        model=AttackSheet,
        form=form,
        rule="PQ-17 8.4.2",
        default=AttackSheet({}),
        default_says="Nobody attacks.",
        pace="decision",
        check=lambda answer: check_attacks(state, side, form, answer),
        read_back=lambda answer: [_said(line, answer.target_of(line.key)) for line in form.lines],
        warn=lambda answer: _warnings(state, answer),
    )


def _line(state: State, tf: TaskForce, known: Targets) -> Line:
    offered = tuple(Choice(value=track, label=_target_label(track, enemy)) for track, enemy in known.items())
    field = Field(key="target", label="Attacks", kind="one", choices=offered, optional=True)
    uses: dict[FuelUse, None] = {use_against(enemy): None for enemy in known.values()}
    note = "; ".join(_price(state, tf, use) for use in uses)
    return Line(key=tf.id, label=f"{tf.label} in {tf.hex}", fields=(field,), note=note)


def _target_label(track: str, enemy: TaskForce) -> str:
    what = f"sweep minefield {track}" if is_minefield(enemy) else track
    return f"{what}, held at {enemy.id_level.label}"


def _price(state: State, tf: TaskForce, use: FuelUse) -> str:
    dearest = show_fraction(max(cost(state, unit, use) for unit in state.units_of(tf)))
    if use == "minesweeping":
        return f"sweeping costs up to {dearest} a ship"
    return "combat fuel is paid already" if state.has_mark(tf, "paid_combat") else f"costs up to {dearest} a ship"


def _said(line: Line, target: str | None) -> str:
    return f"{line.label}: {f'attacks {target}' if target else 'does not attack'}."


def _warnings(state: State, answer: AttackSheet) -> list[str]:
    said: list[str] = []
    for tf_id in answer.root:
        tf = state.task_forces.get(tf_id)
        target = None if tf is None else attackable(state, tf).get(answer.target_of(tf_id) or "")
        if tf is None or target is None:
            continue
        dry = [
            unit.name for unit in state.units_of(tf) if unit.fuel and unit.fuel == due(state, unit, use_against(target))
        ]
        if dry:
            said.append(f"{tf.label}: {', '.join(dry)} will have no fuel left after the attempt.")
    return said


@rule("8.3", "8.4.2")
def check_attacks(state: State, side: Side, form: Form, answer: AttackSheet) -> list[Refusal]:
    """Every defect of a sheet, judged by what its own side knows. PQ-17 8.3, 8.4.2; ruling FOG-4."""
    found: list[Refusal] = []
    for key, line in answer.root.items():
        tf = state.task_forces.get(key)
        keys = [line.key for line in form.lines]
        if tf is None or tf.side != side:
            problem = "you have no task force of that name"
            found.append(malformed(problem, key, legal=", ".join(keys), nearest=nearest(key, keys)))
        elif line.target is not None:
            found += _check_target(state, tf, line.target)
    return found


def _check_target(state: State, tf: TaskForce, target: str) -> list[Refusal]:
    path = f"{tf.id}.target"
    known = attackable(state, tf)
    legal = ", ".join(known) or "no attack"
    barred = why_no_attack(state, tf, use_against(known[target]) if target in known else "combat")
    found: list[Refusal] = []
    if barred is not None:
        found.append(illegal(barred[0], barred[1], tf.id, legal="no attack"))
    if target.startswith(PREFIX) and not may_raid(state, tf.side):
        problem = "your side scores nothing by raids on settled hexes, so none is made"
        found.append(illegal(problem, "PQ-17 8.6.1", path, legal=legal))
    elif target not in known:
        enemy = targets_of(state, tf).get(target)
        reason = None if enemy is None else why_no_target(state, tf.side, target, enemy)
        if reason is not None:
            problem, rule = reason
        elif tf.shadowing:
            problem, rule = "while it shadows it may attack nobody else", "PQ-17 7.3.9"
        else:
            problem, rule = "it holds no such contact in its hex", "PQ-17 8.3.1"
        found.append(illegal(problem, rule, path, legal=legal, nearest=nearest(target, known)))
    return found
