"""Chapter 8.3 and 8.4: who attacks whom, the attempts, and the battles they form.

The phasing side declares and rolls first, then the other, knowing the results (rulings REC-1, CMB-6).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import RootModel

from rules_engine.core.asks import Ask, Steps
from rules_engine.core.base import Record, Side
from rules_engine.core.forms import Choice, Field, Form, Line
from rules_engine.core.rational import show_fraction
from rules_engine.core.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.reports import because
from rules_engine.core.table import Table
from rules_engine.rulebooks.pq17.ch06_declarations import targets_of
from rules_engine.rulebooks.pq17.ch06_detection import contact_hexes
from rules_engine.rulebooks.pq17.ch06_identification import remove_contact, report_contact, track_for
from rules_engine.rulebooks.pq17.ch06_search import (
    Wording,
    attempt,
    conditions_between,
    is_shadowed,
    quarry_of,
    seeker_of,
)
from rules_engine.rulebooks.pq17.ch07_shadowing import lose_shadowing, remember_links
from rules_engine.rulebooks.pq17.ch08_battle import battle_sequence_steps
from rules_engine.rulebooks.pq17.ch09_fuel import can_pay, cost, pay, short_of
from rules_engine.rulebooks.pq17.engagements import Battle
from rules_engine.rulebooks.pq17.state import IdLevel, State, TaskForce, tf_order

LEAST_LEVEL = IdLevel.ID0
"""An attack needs a target identified at least as a force. PQ-17 6.2.3, 8.4.2."""


class AttackLine(Record):
    """Whom one task force attacks: a contact number, or nobody."""

    target: str | None = None


class AttackSheet(RootModel[dict[str, AttackLine]]):
    """All of a side's attacks of one step, by task force id."""

    def target_of(self, tf_id: str) -> str | None:
        """The contact it attacks, if any."""
        line = self.root.get(tf_id)
        return line.target if line else None


@dataclass(frozen=True)
class Success:
    """An attack that succeeded, by task force ids; ``group`` is the target and all who stand with it."""

    attacker: str
    group: tuple[str, ...]


# --- who can attack whom ----------------------------------------------------------------------------------------------


def attackable(state: State, tf: TaskForce) -> dict[str, TaskForce]:
    """The enemies a force may attack, by contact number: at ID0 or better, and only whom it shadows if it does.

    PQ-17 8.3.1, 8.4.2, 6.2.3, 7.3.9, 1.8.10.2; rulings SHD-9, BAS-5.
    """
    return {track: enemy for track, enemy in targets_of(state, tf).items() if enemy.id_level >= LEAST_LEVEL}


def may_attack(state: State, tf: TaskForce) -> bool:
    """Whether a force may attempt an attack this impulse, targets apart: no base, not in port, one attempt an impulse,
    not successfully attacked, and combat fuel for every ship.

    PQ-17 1.8.8, 5.5.8, 8.3.2, 8.3.3, 8.3.4.1, 9.6; rulings CMB-1, CMB-2, PRT-6.
    """
    return not why_no_attack(state, tf)


def why_no_attack(state: State, tf: TaskForce) -> tuple[str, str] | None:
    """Problem and rule that keep a force from attacking, or None."""
    if tf.is_base:
        return "a base does not attack", "PQ-17 1.8.8"
    if tf.in_port:
        return "a force in port may not attack", "PQ-17 5.5.8"
    if state.has_mark(tf, "attempted_attack"):
        return "it has attempted an attack this impulse", "PQ-17 8.3.2"
    if state.has_mark(tf, "was_attacked"):
        return "it was successfully attacked this impulse", "PQ-17 8.3.3"
    if not can_pay(state, tf, "combat"):
        short = ", ".join(unit.name for unit in short_of(state, tf, "combat"))
        return f"not enough fuel for combat: {short}", "PQ-17 8.3.4.1"
    return None


# --- the step ---------------------------------------------------------------------------------------------------------


def combat_steps(table: Table[State], phasing: Side) -> Steps[None]:
    """The combat step of one half: attacks of the phasing side, then of the other; then their battles, one by one.

    PQ-17 8.4, 8.5.1, SOP 2.b.vi; rulings CMB-4, CMB-6, CMB-15.
    """
    state = table.state
    waiting = state.enemy_of(phasing)
    successes: list[Success] = []
    for side in (phasing, waiting):
        sheet = yield from _declare_steps(table, side)
        attacks = _attacks(state, side, sheet)
        for attacker, _ in attacks:
            pay(state, attacker, "combat")
            state.set_mark(attacker, "attempted_attack")
        successes += _resolve(table, attacks)
    state.battles = form_battles(table, phasing, successes)
    ordered = yield from _order_steps(table, phasing)
    for key in ordered:
        battle = next(battle for battle in state.battles if battle.key == key)
        yield from battle_sequence_steps(table.at(battle.hex, f"battle {battle.key}"), battle)
    state.battles = []
    remember_links(state)


# --- declaring --------------------------------------------------------------------------------------------------------


def _declare_steps(table: Table[State], side: Side) -> Steps[AttackSheet]:
    """A side's attacks, asked only where one is possible, and published to the other. PQ-17 8.4.2; ruling GEN-11."""
    state = table.state
    ask = attack_ask(table, side)
    if ask is None:
        return AttackSheet({})
    sheet = yield from table.ask_steps(ask)
    enemy = state.enemy_of(side)
    for attacker, target in _attacks(state, side, sheet):
        seen = track_for(state, enemy, attacker)
        why = because("PQ-17 8.4.2", {"declared": "before any roll"})
        table.tell([enemy], f"{seen} in {attacker.hex} attacks your {target.label}.", kind="declared", why=why)
    return sheet


def attack_ask(table: Table[State], side: Side) -> Ask[AttackSheet] | None:
    """The sheet of all the side's attacks, or None where none is possible. PQ-17 8.4.2, SOP 2.b.vi.2, vi.4."""
    state = table.state
    forces = [tf for tf in state.all_task_forces(side) if may_attack(state, tf) and attackable(state, tf)]
    if not forces:
        return None
    form = Form(lines=tuple(_line(state, tf) for tf in forces))
    return Ask(
        kind="attack",
        parties=(side,),
        title=f"Attacks, turn {state.turn} impulse {state.impulse}{state.half}",
        text=(
            "Choose whom each task force attacks. An attempt costs combat fuel (4 × movement cost) even if it fails, "
            "once an impulse; one attempt each. A success starts a battle that the target cannot refuse."
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


def _line(state: State, tf: TaskForce) -> Line:
    known = attackable(state, tf)
    offered = tuple(
        Choice(value=track, label=f"{track}, held at {enemy.id_level.label}") for track, enemy in known.items()
    )
    field = Field(key="target", label="Attacks", kind="one", choices=offered, optional=True)
    paid = state.has_mark(tf, "paid_combat")
    dearest = max(cost(state, unit, "combat") for unit in state.units_of(tf))
    note = "combat fuel is paid already" if paid else f"costs up to {show_fraction(dearest)} a ship"
    return Line(key=tf.id, label=f"{tf.label} in {tf.hex}"[:80], fields=(field,), note=note)


def _said(line: Line, target: str | None) -> str:
    return f"{line.label}: {f'attacks {target}' if target else 'does not attack'}."


def _warnings(state: State, answer: AttackSheet) -> list[str]:
    said: list[str] = []
    for tf_id in answer.root:
        tf = state.task_forces.get(tf_id)
        if tf is None or answer.target_of(tf_id) is None or state.has_mark(tf, "paid_combat"):
            continue
        dry = [unit.name for unit in state.units_of(tf) if unit.fuel == cost(state, unit, "combat")]
        if dry:
            said.append(f"{tf.label}: {', '.join(dry)} will have no fuel left after the attempt.")
    return said


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
    barred = why_no_attack(state, tf)
    found: list[Refusal] = []
    if barred is not None:
        found.append(illegal(barred[0], barred[1], tf.id, legal="no attack"))
    if target.startswith("settled"):
        problem = "raids on settled hexes are not part of this scenario"
        found.append(illegal(problem, "PQ-17 8.6.1", path, legal=legal))
    elif target not in known:
        if target in targets_of(state, tf):
            problem, rule = f"{target} is only at U; search it first, an attack needs ID0", "PQ-17 8.4.2"
        elif tf.shadowing:
            problem, rule = "while it shadows it may attack nobody else", "PQ-17 7.3.9"
        else:
            problem, rule = "it holds no such contact in its hex", "PQ-17 8.3.1"
        found.append(illegal(problem, rule, path, legal=legal, nearest=nearest(target, known)))
    return found


# --- resolving --------------------------------------------------------------------------------------------------------


def _attacks(state: State, side: Side, sheet: AttackSheet) -> list[tuple[TaskForce, TaskForce]]:
    """Attacker and named target, by hex, then by the target's contact number, then by attacker. PQ-17 SOP 2.b.vi.3."""
    found: list[tuple[TaskForce, TaskForce]] = []
    for tf in state.all_task_forces(side):
        target = attackable(state, tf).get(sheet.target_of(tf.id) or "")
        if target is not None:
            found.append((tf, target))
    hexes = contact_hexes(state)
    return sorted(
        found,
        key=lambda pair: (hexes.index(pair[0].hex), tf_order(track_for(state, side, pair[1])), tf_order(pair[0].id)),
    )


def _resolve(table: Table[State], attacks: Sequence[tuple[TaskForce, TaskForce]]) -> list[Success]:
    """All attempts of one side, target by target; what they change counts only after the last one against a target.

    PQ-17 8.4.3, 8.4.4, 7.4.1, 7.4.2, SOP 2.b.vi.3; ruling SHD-10.
    """
    state = table.state
    successes: list[Success] = []
    groups: dict[str, list[tuple[TaskForce, TaskForce]]] = {}
    for attacker, target in attacks:
        groups.setdefault(state.port_group(target)[0].id, []).append((attacker, target))
    for pairs in groups.values():
        group = state.port_group(pairs[0][1])
        winners = [attacker for attacker, target in pairs if _succeeds(table, attacker, target, group)]
        if not winners:
            continue
        ids = tuple(tf.id for tf in group)
        successes += [Success(attacker=attacker.id, group=ids) for attacker in winners]
        for member in group:
            state.set_mark(member, "was_attacked")
            lose_shadowing(table, member, because("PQ-17 7.4.2", {"successfully attacked in": member.hex}))
            _uncover(table, member)
        for attacker in winners:
            lose_shadowing(table, attacker, because("PQ-17 7.4.1", {"attacked successfully in": attacker.hex}))
    return successes


def _succeeds(table: Table[State], attacker: TaskForce, target: TaskForce, group: Sequence[TaskForce]) -> bool:
    """One attacker's attempt, and a second one against a shadowed target. Known bases need no roll.

    PQ-17 8.4.3, 7.3.4, 7.3.5, 1.8.2.2, 1.8.2.3; rulings CMB-3, BAS-4, BAS-5.
    """
    state = table.state
    if any(member.base is not None and member.base.known for member in group):
        _tell_sure(table, attacker, target)
        return True
    seeker = seeker_of(state, attacker)
    quarries = [quarry_of(state, member, int(member.id_level)) for member in group]
    if attempt(table, seeker, quarries, Wording("attacked", "PQ-17 8.4.3", "attack")).succeeded:
        return True
    if not is_shadowed(state, target):
        return False
    again = Wording("attacked again, since it is shadowed,", "PQ-17 7.3.5", "second attack")
    return bool(attempt(table, seeker, quarries, again).succeeded)


def _tell_sure(table: Table[State], attacker: TaskForce, target: TaskForce) -> None:
    """An attack on a known base succeeds as it is declared. PQ-17 1.8.2.3, 1.8.10.2."""
    state = table.state
    why = because("PQ-17 1.8.10.2", {"known base": "no roll"})
    track = track_for(state, attacker.side, target)
    table.tell([attacker.side], f"{attacker.label} attacked {track}: success.", kind="attempt", why=why)
    seen = track_for(state, target.side, attacker)
    table.tell([target.side], f"{seen} attacked your {target.label}: success.", kind="attempt", why=why)


def _uncover(table: Table[State], member: TaskForce) -> None:
    """An unknown base that is successfully attacked is known from now on. PQ-17 1.8.10.3; ruling BAS-11."""
    state = table.state
    if member.base is None or member.base.known:
        return
    enemy = state.enemy_of(member.side)
    why = because("PQ-17 1.8.10.3", {"successfully attacked in": member.hex})
    old = track_for(state, enemy, member)
    remove_contact(table, enemy, member.id, f"{old} is a base: {member.base.name}.", why)
    member.base.known = True
    member.id_level = IdLevel.ID3
    report_contact(table, member, enemy, why)


# --- forming battles --------------------------------------------------------------------------------------------------


def form_battles(table: Table[State], phasing: Side, successes: Sequence[Success]) -> list[Battle]:
    """Every original defender with all who attacked it, and all who then attacked those.

    PQ-17 8.4.6; rulings CMB-4, CMB-5, CMB-7.
    """
    state = table.state
    side_of = {tf.id: tf.side for tf in state.all_task_forces()}
    ours = [success for success in successes if side_of[success.attacker] == phasing]
    theirs = [success for success in successes if side_of[success.attacker] != phasing]
    battles: list[Battle] = []
    committed = {success.attacker for success in ours}
    for group, attackers in _by_group(ours).items():
        joiners = {
            success.attacker: success.group[0]
            for success in theirs
            if success.group[0] in attackers and success.attacker not in group
        }
        battles.append(_battle(table, str(len(battles) + 1), group, attackers, joiners))
    counter = [success for success in theirs if not committed & set(success.group)]
    for group, attackers in _by_group(counter).items():
        battles.append(_battle(table, str(len(battles) + 1), group, attackers, {}))
    return battles


def _by_group(successes: Sequence[Success]) -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = {}
    for success in successes:
        found.setdefault(success.group, []).append(success.attacker)
    return found


def _battle(
    table: Table[State], key: str, group: Sequence[str], attackers: Sequence[str], joiners: Mapping[str, str]
) -> Battle:
    """The battle of one Original Defender; who is shadowed by somebody outside it counts so throughout. SHD-15."""
    state = table.state
    forces = [state.task_forces[tf_id] for tf_id in (*group, *attackers, *joiners)]
    first, leader = state.task_forces[group[0]], state.task_forces[attackers[0]]
    involved = {tf.id for tf in forces}
    shadowed = sorted({tf.side for tf in forces if any(one.id not in involved for one in state.shadowers_of(tf.id))})
    return Battle(
        key=key,
        hex=first.hex,
        attacker=leader.side,
        defender=first.side,
        original=list(group),
        attackers=sorted(attackers, key=tf_order),
        joiners=dict(joiners),
        conditions=conditions_between(table, seeker_of(state, leader), first),
        shadowed=shadowed,
    )


# --- the order of battles ---------------------------------------------------------------------------------------------


class OrderLine(Record):
    """The battles' numbers in the order in which they are fought."""

    order: str


class OrderSheet(RootModel[dict[str, OrderLine]]):
    """The phasing side's choice."""


def _order_steps(table: Table[State], phasing: Side) -> Steps[list[str]]:
    """The phasing side says in which order battles are fought; asked from two battles on. PQ-17 8.5.1; CMB-15."""
    battles = table.state.battles
    keys = [battle.key for battle in battles]
    if len(keys) < 2:
        return keys
    listed = "; ".join(f"{battle.key}: {battle.hex}" for battle in battles)
    default = OrderSheet({"battles": OrderLine(order=" ".join(keys))})
    field = Field(key="order", label="Fight them in this order", kind="text", most=100, value=" ".join(keys))
    ask = Ask(
        kind="order of battles",
        parties=(phasing,),
        title="Which battle first?",
        text=f"Battles formed: {listed}. Later ones are fought with what earlier ones left.",
        model=OrderSheet,
        form=Form(lines=(Line(key="battles", label="Battles", fields=(field,)),)),
        rule="PQ-17 8.5.1",
        default=default,
        default_says="In the order of their numbers.",
        pace="decision",
        check=lambda answer: _check_order(keys, answer),
    )
    answer = yield from table.ask_steps(ask)
    return _read_order(answer)


def _read_order(answer: OrderSheet) -> list[str]:
    return answer.root["battles"].order.replace(",", " ").split() if "battles" in answer.root else []


def _check_order(keys: Sequence[str], answer: OrderSheet) -> list[Refusal]:
    if sorted(_read_order(answer)) == sorted(keys) and list(answer.root) == ["battles"]:
        return []
    return [malformed("name every battle once", "battles.order", legal=" ".join(keys))]
