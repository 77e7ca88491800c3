"""Chapter 8.3 and 8.4: declaring attacks, the attempts, and the battles they form.

The phasing side declares and rolls first, then the other, knowing the results (rulings REC-1, CMB-6).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import RootModel

from rules_engine.core.basics.base import Frozen, HexId, Side
from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance.attempt import (
    Seeker,
    Wording,
    attempt,
    conditions_between,
    is_shadowed,
    quarry_of,
    seeker_of,
)
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import lose_shadowing, remember_links
from rules_engine.rulebooks.pq17.ch08_combat.battle import battle_sequence_steps
from rules_engine.rulebooks.pq17.ch08_combat.declarations import (
    AttackSheet,
    able_to_attack,
    attack_ask,
    attackable,
    use_against,
)
from rules_engine.rulebooks.pq17.ch08_combat.raids import hex_of, raid_steps
from rules_engine.rulebooks.pq17.ch08_combat.standing_attacks import attack_decisions
from rules_engine.rulebooks.pq17.ch10_supply.fuel import pay
from rules_engine.rulebooks.pq17.ch12_mines import resolve_sweeps
from rules_engine.rulebooks.pq17.contacts.detection import as_the_enemy_numbers
from rules_engine.rulebooks.pq17.contacts.identification import remove_contact, report_contact, track_for
from rules_engine.rulebooks.pq17.contacts.minefields import is_minefield
from rules_engine.rulebooks.pq17.orders.standing_answers import by_orders_alone, by_standing_orders_steps
from rules_engine.rulebooks.pq17.orders.standing_precedence import side_orders
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce
from rules_engine.rulebooks.pq17.records.lots import as_seen
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.special_conditions.random_events import elusive_steps
from rules_engine.rulebooks.pq17.special_conditions.straggler import straggler_steps

ATTEMPT = Wording("attacked", "PQ-17 8.4.3", "attack")
SECOND_ATTEMPT = Wording("attacked again, since it is shadowed,", "PQ-17 7.3.5", "second attack")
LATE_ATTEMPT = Wording("went for a straggler of", "PQ-17 C.random.straggler", "straggler")


@dataclass(frozen=True)
class Success:
    """An attack that succeeded, by task force ids; ``group`` is the target and all forces attacked together with it."""

    attacker: str
    group: tuple[str, ...]


# --- the step ---------------------------------------------------------------------------------------------------------


@rule("8.4", "8.5.1")
def combat_steps(turn: TurnContext[State], phasing: Side) -> Steps[None]:
    """The combat step of one half: attacks of the phasing side, then of the other; then their battles, one by one.

    PQ-17 8.4, 8.5.1, SOP 2.b.vi; rulings CMB-4, CMB-6, CMB-15."""
    state = turn.state
    waiting = state.enemy_of(phasing)
    remember_links(state)
    successes = yield from _all_attacks_steps(turn, (phasing, waiting))
    successes = yield from _raid_steps(turn, successes)
    state.battles = form_battles(turn, phasing, successes)
    ordered = yield from _order_steps(turn, phasing)
    for key in ordered:
        battle = next(battle for battle in state.battles if battle.key == key)
        yield from battle_sequence_steps(turn.at(battle.hex, f"battle {battle.key}"), battle)
    state.battles = []
    remember_links(state)


@rule("8.4.5", "SOP.2.b.vi.4")
def _all_attacks_steps(turn: TurnContext[State], sides: Sequence[Side]) -> Steps[list[Success]]:
    """The attacks of one side, and when all of them are resolved those of the other. PQ-17 8.4.5, SOP.2.b.vi.4."""
    successes: list[Success] = []
    for side in sides:
        sheet = yield from _declare_steps(turn, side)
        attacks = _attacks(turn, side, sheet)
        _commit(turn.state, attacks)
        successes += yield from _resolve_steps(turn, [pair for pair in attacks if not is_minefield(pair[1])])
        resolve_sweeps(turn, [(attacker, target) for attacker, target in attacks if is_minefield(target)])
    return successes


# --- declaring --------------------------------------------------------------------------------------------------------


@rule("8.4.2", "SOP.2.b.vi.2", "SOP.2.b.vi.4")
def _declare_steps(turn: TurnContext[State], side: Side) -> Steps[AttackSheet]:
    """A side's attacks, asked only where one is possible, and published to the other. PQ-17 8.4.2; ruling GEN-11."""
    state = turn.state
    able = able_to_attack(state, side)
    decisions = attack_decisions(state, able)
    sheet = by_orders_alone(
        turn, side, "PQ-17 8.4.2", AttackSheet({}), decisions, check=lambda one: attack_ask(turn, side, able).check(one)
    )
    if sheet is None:
        sheet = yield from by_standing_orders_steps(turn, attack_ask(turn, side, able), decisions)
    enemy = state.enemy_of(side)
    pairs = _pairs(state, side, sheet)
    declared = [(track_for(state, enemy, attacker), attacker, target) for attacker, target in pairs]
    # The enemy is told of them in the order of its own numbers, not of ours.
    for seen, attacker, target in sorted(declared, key=lambda one: (tf_order(one[0]), one[1].hex)):
        why = because("PQ-17 8.4.2", {"declared": "before any roll"})
        verb = "sweeps" if is_minefield(target) else "attacks"
        turn.tell([enemy], f"{seen} in {attacker.hex} {verb} your {target.label}.", kind="declared", why=why)
    return sheet


@rule("8.3.2", "8.3.4.2", "SOP.2.b.vi.2", "SOP.2.b.vi.4")
def _commit(state: State, attacks: Sequence[tuple[TaskForce, TaskForce]]) -> None:
    """Pay for all attempts of one side, and count them, before anything is rolled. PQ-17 8.3.2, 8.3.4.2, SOP.2.b.vi.2,
    SOP.2.b.vi.4."""
    for attacker, target in attacks:
        pay(state, attacker, use_against(target))
        state.set_mark(attacker, "attempted_attack")


# --- resolving --------------------------------------------------------------------------------------------------------


def _pairs(state: State, side: Side, sheet: AttackSheet) -> list[tuple[TaskForce, TaskForce]]:
    """Pairs of attacker and named target."""
    found: list[tuple[TaskForce, TaskForce]] = []
    for tf in state.all_task_forces(side) if sheet.root else ():
        named = sheet.target_of(tf.id)
        target = attackable(state, tf).get(named) if named else None
        if target is not None:
            found.append((tf, target))
    return found


def _attacks(turn: TurnContext[State], side: Side, sheet: AttackSheet) -> list[tuple[TaskForce, TaskForce]]:
    """Pairs of attacker and named target by hex, and within a hex by lot, since both sides see the order."""
    pairs = _pairs(turn.state, side, sheet)
    here = turn.at("order", side)
    return as_seen(here, pairs, lambda pair: pair[0].hex, lambda pair: pair[0].id)


@rule("8.4.3", "8.4.4")
def _resolve_steps(turn: TurnContext[State], attacks: Sequence[tuple[TaskForce, TaskForce]]) -> Steps[list[Success]]:
    """Resolve all attempts of one side, target by target; changes take effect after the last attempt on a target.

    PQ-17 8.4.3, 8.4.4; ruling SHD-10."""
    state = turn.state
    successes: list[Success] = []
    groups: dict[str, list[tuple[TaskForce, TaskForce]]] = {}
    for attacker, target in attacks:
        groups.setdefault(state.port_group(target)[0].id, []).append((attacker, target))
    for pairs in groups.values():
        base, *docked = state.port_group(pairs[0][1])
        group = [base, *as_the_enemy_numbers(turn, docked)]
        winners: list[TaskForce] = []
        for attacker, target in pairs:
            if (yield from _attempt_steps(turn, attacker, target, group)):
                winners.append(attacker)
        if winners:
            successes += _successes(winners, group)
            for member in group:
                _hit(turn, member)
            for attacker in winners:
                _turn_from_shadowing(turn, attacker)
    return successes


@rule("SOP.2.b.vi.3.a.ii", "SOP.2.b.vi.5.a.ii")
def _successes(winners: Sequence[TaskForce], group: Sequence[TaskForce]) -> list[Success]:
    """The forces that take part in the battle that follows. PQ-17 SOP.2.b.vi.3.a.ii, SOP.2.b.vi.5.a.ii."""
    return [Success(attacker=attacker.id, group=tuple(tf.id for tf in group)) for attacker in winners]


@rule("7.4.2", "8.3.3", "SOP.2.b.vi.3.b", "SOP.2.b.vi.5.b")
def _hit(turn: TurnContext[State], member: TaskForce) -> None:
    """A force that was successfully attacked stops shadowing, and may not attack in this impulse. PQ-17 7.4.2, 8.3.3,
    SOP.2.b.vi.3.b, SOP.2.b.vi.5.b."""
    turn.state.set_mark(member, "was_attacked")
    lose_shadowing(turn, member, because("PQ-17 7.4.2", {"successfully attacked in": member.hex}))
    _uncover(turn, member)


@rule("7.4.1", "SOP.2.b.vi.3.c", "SOP.2.b.vi.5.c")
def _turn_from_shadowing(turn: TurnContext[State], attacker: TaskForce) -> None:
    """A force that attacked successfully stops shadowing, after the last attempt on its target. PQ-17 7.4.1,
    SOP.2.b.vi.3.c, SOP.2.b.vi.5.c; ruling SHD-10."""
    lose_shadowing(turn, attacker, because("PQ-17 7.4.1", {"attacked successfully in": attacker.hex}))


@rule("8.4.3", "C.random.elusive-target", "C.random.straggler")
def _attempt_steps(
    turn: TurnContext[State], attacker: TaskForce, target: TaskForce, group: Sequence[TaskForce]
) -> Steps[bool]:
    """Resolve one attacker's attempt, including random events that change its outcome.

    PQ-17 8.4.3, C.random.elusive-target, C.random.straggler; rulings RND-2, RND-3."""
    here = turn.at(attacker.hex, "events", f"{attacker.id}>{track_for(turn.state, attacker.side, target)}")
    known = any(member.base is not None and member.base.known for member in group)
    if _succeeds(turn, attacker, target, group):
        seen = track_for(turn.state, target.side, attacker)
        asked = turn.at(attacker.hex, "events", f"{seen}>{target.id}")  # as who is asked calls them
        if known or not (yield from elusive_steps(asked, attacker.side, seen, target, "attacked")):
            return True
    seeker = seeker_of(turn.state, attacker)
    yield from straggler_steps(here, attacker, target, lambda: _tries(turn, seeker, [target], LATE_ATTEMPT))
    return False


def _tries(turn: TurnContext[State], seeker: Seeker, group: Sequence[TaskForce], wording: Wording) -> bool:
    """Roll one complete attempt against a target and all forces attacked together with it."""
    quarries = [quarry_of(turn.state, member, int(member.id_level)) for member in group]
    return bool(attempt(turn, seeker, quarries, wording).succeeded)


@rule("8.6.2.4", "C.raid.note2", "C.raid.note4")
def _raid_steps(turn: TurnContext[State], successes: Sequence[Success]) -> Steps[list[Success]]:
    """Turn successes against settled hexes into successes against the local forces that the raid meets, if any: raiders
    and those that attacked them are explicit task forces, and all are in the battle.

    PQ-17 8.6.2.4, C.raid.note2, C.raid.note4; ruling RAID-4.
    """
    raiders: dict[HexId, list[str]] = {}
    opposed: dict[str, list[str]] = {}
    for success in successes:
        if hex_of(success.group[0]):
            raiders.setdefault(hex_of(success.group[0]), []).append(success.attacker)
        else:
            for tf_id in success.group:
                opposed.setdefault(tf_id, []).append(success.attacker)
    raised = yield from raid_steps(turn, raiders, opposed)
    found: list[Success] = []
    for success in successes:
        hex_id = hex_of(success.group[0])
        if not hex_id:
            found.append(success)
        elif hex_id in raised:
            found.append(Success(attacker=success.attacker, group=raised[hex_id]))
    return found


@rule("8.4.3", "7.3.4", "7.3.5", "1.8.2.2", "1.8.2.3", "SOP.2.b.vi.3.a.i", "SOP.2.b.vi.5.a.i")
def _succeeds(turn: TurnContext[State], attacker: TaskForce, target: TaskForce, group: Sequence[TaskForce]) -> bool:
    """Roll one attacker's attempt, and a second one against a shadowed target. Known bases need no roll.

    PQ-17 8.4.3, 7.3.4, 7.3.5, 1.8.2.2, 1.8.2.3; rulings CMB-3, BAS-4, BAS-5."""
    state = turn.state
    if any(member.base is not None and member.base.known for member in group):
        _tell_sure(turn, attacker, target)
        return True
    seeker = seeker_of(state, attacker)
    if _tries(turn, seeker, group, ATTEMPT):
        return True
    return is_shadowed(state, target) and _tries(turn, seeker, group, SECOND_ATTEMPT)


@rule("1.8.2.3", "1.8.10.2")
def _tell_sure(turn: TurnContext[State], attacker: TaskForce, target: TaskForce) -> None:
    """Report that an attack on a known base succeeds without a roll. PQ-17 1.8.2.3, 1.8.10.2."""
    state = turn.state
    why = because("PQ-17 1.8.10.2", {"known base": "no roll"})
    track = track_for(state, attacker.side, target)
    turn.tell([attacker.side], f"{attacker.label} attacked {track}: success.", kind="attempt", why=why)
    seen = track_for(state, target.side, attacker)
    turn.tell([target.side], f"{seen} attacked your {target.label}: success.", kind="attempt", why=why)


@rule("1.8.10.3")
def _uncover(turn: TurnContext[State], member: TaskForce) -> None:
    """Make an unknown base that was successfully attacked known to everybody. PQ-17 1.8.10.3; ruling BAS-11."""
    state = turn.state
    if member.base is None or member.base.known:
        return
    enemy = state.enemy_of(member.side)
    why = because("PQ-17 1.8.10.3", {"successfully attacked in": member.hex})
    old = track_for(state, enemy, member)
    remove_contact(turn, enemy, member.id, f"{old} is a base: {member.base.name}.", why)
    member.base.known = True
    member.id_level = IdLevel.ID3
    report_contact(turn, member, enemy, why)


# --- forming battles --------------------------------------------------------------------------------------------------


@rule("8.4.6", "8.1.1", "8.4.6.1", "8.4.6.2")
def form_battles(turn: TurnContext[State], phasing: Side, successes: Sequence[Success]) -> list[Battle]:
    """Form battles: each original defender, the forces that attacked it, and the forces that then attacked those.

    PQ-17 8.4.6; rulings CMB-4, CMB-5, CMB-7."""
    state = turn.state
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
        battles.append(_battle(turn, str(len(battles) + 1), group, attackers, joiners))
    counter = [success for success in theirs if not committed & set(success.group)]
    for group, attackers in _by_group(counter).items():
        battles.append(_battle(turn, str(len(battles) + 1), group, attackers, {}))
    return battles


def _by_group(successes: Sequence[Success]) -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = {}
    for success in successes:
        found.setdefault(success.group, []).append(success.attacker)
    return found


def _battle(
    turn: TurnContext[State], key: str, group: Sequence[str], attackers: Sequence[str], joiners: Mapping[str, str]
) -> Battle:
    """The battle of one Original Defender; a side shadowed from outside the battle counts as shadowed throughout.

    SHD-15.
    """
    state = turn.state
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
        attackers=list(attackers),
        joiners=dict(joiners),
        conditions=conditions_between(turn, seeker_of(state, leader), first),
        shadowed=shadowed,
    )


# --- the order of battles ---------------------------------------------------------------------------------------------


class OrderLine(Frozen):
    """The battles' numbers in the order in which they are fought."""

    order: str


class OrderSheet(RootModel[dict[str, OrderLine]]):
    """The phasing side's choice."""


@rule("8.5.1", "SOP.2.b.vi.1", "SOP.2.b.vi.6.a")
def _order_steps(turn: TurnContext[State], phasing: Side) -> Steps[list[str]]:
    """Ask the phasing side for the order of battles, if there are two or more. PQ-17 8.5.1; CMB-15."""
    battles = turn.state.battles
    keys = [battle.key for battle in battles]
    if len(keys) < 2 or side_orders(turn.state, phasing).asks == "contact":
        return keys
    listed = "; ".join(f"{battle.key}: {battle.hex}" for battle in battles)
    default = OrderSheet({"battles": OrderLine(order=" ".join(keys))})
    field = Field(key="order", label="Fight them in this order", kind="text", most=100, value=" ".join(keys))
    ask = Ask(
        kind="order of battles",
        parties=(phasing,),
        title="Which battle first?",
        text=f"Battles formed: {listed}. Later ones are fought with what earlier ones left.",
        question=Question("Which battle first?", f"Battles formed: {listed}.", tuple(battle.hex for battle in battles)),
        model=OrderSheet,
        form=Form(lines=(Line(key="battles", label="Battles", fields=(field,)),)),
        rule="PQ-17 8.5.1",
        default=default,
        default_says="In the order of their numbers.",
        pace="decision",
        check=lambda answer: _check_order(keys, answer),
        read_back=lambda answer: [f"Fought in this order: {', '.join(_read_order(answer))}."],
    )
    answer = yield from turn.ask_steps(ask)
    return _read_order(answer)


def _read_order(answer: OrderSheet) -> list[str]:
    return answer.root["battles"].order.replace(",", " ").split() if "battles" in answer.root else []


def _check_order(keys: Sequence[str], answer: OrderSheet) -> list[Refusal]:
    if sorted(_read_order(answer)) == sorted(keys) and list(answer.root) == ["battles"]:
        return []
    return [malformed("name every battle once", "battles.order", legal=" ".join(keys))]
