"""Chapter 8.5.6 and 8.5.7: withdrawal, pursuit of any length, and the post-combat step."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import come_out_of_port
from rules_engine.rulebooks.pq17.ch06_reconnaissance.attempt import Quarry, Wording, attempt, quarry_of, seeker_of
from rules_engine.rulebooks.pq17.ch06_reconnaissance.shadowing import closes_circle, follow_steps, take_up
from rules_engine.rulebooks.pq17.ch08_combat.regrouping import Formed, reform_steps
from rules_engine.rulebooks.pq17.ch08_combat.regrouping_speeds import Reform
from rules_engine.rulebooks.pq17.ch11_repair.self_repair import may_mend, raise_shields_unasked
from rules_engine.rulebooks.pq17.contacts.identification import track_for
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.lots import by_lot
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.tables.operations import Speed

TURNS_A_LEVEL = 3
"""For each such number of battle turns since the last ship entered Reserve Mode the pursuer loses a level.

PQ-17 8.5.6.8.2.1.
"""

Fight = Callable[[TurnContext[State], Battle], Steps[None]]


@dataclass(frozen=True)
class RegroupingPool:
    """Ships of one side that may regroup freely among themselves after combat. PQ-17 8.5.7.2."""

    side: Side
    units: tuple[str, ...]


# --- after a battle ---------------------------------------------------------------------------------------------------


@rule("8.5.5.7", "8.5.6", "8.5.6.9.4", "8.5.6.9.5")
def after_battle_steps(turn: TurnContext[State], battle: Battle, fight: Fight) -> Steps[list[RegroupingPool]]:
    """Withdrawal and pursuit after one battle, including the battles that follow from pursuits.

    Returns the ships that may regroup in the post-combat step. PQ-17 8.5.5.7, 8.5.6, 8.5.6.9.4, 8.5.6.9.5,
    8.5.7.2.1-.4, SOP 2.b.vi.6.g; rulings CMB-12, WPR-1, WPR-12.
    """
    state = turn.state
    if not battle.winner:
        return []
    winner, loser = battle.winner, state.enemy_of(battle.winner)
    fleeing = _ships(state, battle, loser)
    if not fleeing:
        return [_who_kept_the_field(state, battle)]
    for tf in fleeing:
        come_out_of_port(state, tf)  # ruling CMB-16
    withdrawing = yield from _loser_steps(turn, battle, fleeing)
    yield from follow_steps(turn.at("withdrawal"), winner)  # 7.3.10: shadowers that stay out of it
    held = {track_for(state, winner, state.task_forces[tf_id]): tf_id for tf_id in withdrawing}
    preys = {track: held[track] for track in sorted(held, key=tf_order)}
    orders = yield from _winner_steps(turn, battle, tuple(preys))
    yield from follow_steps(turn.at("pursuit"), loser)
    pools = _who_pursues_nobody(state, winner, orders)
    chases: list[Chase] = []
    for number, (track, prey) in enumerate(preys.items(), start=1):
        chosen = by_lot(turn.at("hunt", number), [one for one in orders if orders[one].pursue == track], str)
        hunt = Hunt(
            prey=state.task_forces[prey],
            hunters=tuple(state.task_forces[tf_id] for tf_id in chosen),
            to_battle=frozenset(tf_id for tf_id in chosen if orders[tf_id].then == "battle"),
            reach={tf_id: orders[tf_id].reach for tf_id in chosen},
        )
        chases.append(_chase(turn.at(f"pursuit {number}"), battle, hunt))
    for chase in chases:  # all have been rolled for before the first is fought
        pools += _who_lost_it(state, winner, chase.failed)
        pools += yield from _engage_steps(chase, battle, fight)
    return pools


@rule("8.5.7.2.1", "8.5.7.2.4")
def _who_kept_the_field(state: State, battle: Battle) -> RegroupingPool:
    """The winner's ships of a battle after which nobody withdraws, those in Reserve too: they may regroup among
    themselves. PQ-17 8.5.7.2.1, 8.5.7.2.4."""
    return _pool(state, battle.winner, _ships(state, battle, battle.winner))


@rule("8.5.6.3", "8.5.7.2.1", "8.5.7.2.2")
def _who_pursues_nobody(state: State, winner: Side, orders: Mapping[str, Formed]) -> list[RegroupingPool]:
    """The winner's ships that were given nobody to pursue, if there are any: they may regroup among themselves.

    PQ-17 8.5.6.3, 8.5.7.2.1, 8.5.7.2.2."""
    idle = [state.task_forces[tf_id] for tf_id in orders if orders[tf_id].pursue is None]
    return [_pool(state, winner, idle)] if idle else []


def _ships(state: State, battle: Battle, side: Side) -> list[TaskForce]:
    """The side's remaining task forces of ships in the battle."""
    held = [state.task_forces[tf_id] for tf_id in battle.forces(side) if tf_id in state.task_forces]
    return [tf for tf in held if not tf.is_base and tf.side == side]


def _pool(state: State, side: Side, forces: Sequence[TaskForce]) -> RegroupingPool:
    return RegroupingPool(side=side, units=tuple(unit_id for tf in forces for unit_id in sorted(tf.units)))


@rule("8.5.6.1", "SOP.2.b.vi.6.g.i")
def _loser_steps(turn: TurnContext[State], battle: Battle, fleeing: Sequence[TaskForce]) -> Steps[dict[str, Formed]]:
    """Ask the loser to regroup its ships in Reserve and set postures and speeds, openly. PQ-17 8.5.6.1;

    WPR-1, WPR-13.
    """
    reform = Reform(
        side=fleeing[0].side,
        pools=(tuple(tf.id for tf in fleeing),),
        title=f"Withdrawal from {battle.hex}",
        text=(
            "Your ships in Reserve withdraw. Form task forces, set postures and speeds; all are announced at ID3. "
            "Going faster than before the battle costs the difference of one hex at once. They stay in the hex until "
            "they next move."
        ),
        rule="PQ-17 8.5.6.1",
        before=battle.speeds,
    )
    return (yield from reform_steps(turn.at("withdrawal"), reform))


@rule("8.5.6.2", "SOP.2.b.vi.6.g.ii")
def _winner_steps(turn: TurnContext[State], battle: Battle, preys: tuple[str, ...]) -> Steps[dict[str, Formed]]:
    """Ask the winner to regroup and to order pursuits. PQ-17 8.5.6.2; ruling WPR-10."""
    state = turn.state
    forces = _ships(state, battle, battle.winner)
    if not forces:
        return {}
    reform = Reform(
        side=battle.winner,
        pools=pools_by_port(forces),
        title=f"Pursuit from {battle.hex}",
        text=(
            f"Withdrawing: {', '.join(preys)}. Form task forces, set postures and speeds, and say who pursues whom. A "
            "pursuer slower than its quarry has no chance. Going faster than before the battle costs the difference of "
            "one hex at once."
        ),
        rule="PQ-17 8.5.6.2",
        before=battle.speeds,
        quarries=preys,
    )
    return (yield from reform_steps(turn.at("pursuit"), reform))


def pools_by_port(forces: Sequence[TaskForce]) -> tuple[tuple[str, ...], ...]:
    """Sets of task forces that may exchange units: those in the same port, and those in none. Ruling TF-9."""
    found: dict[str, list[str]] = {}
    for tf in forces:
        found.setdefault(tf.in_port, []).append(tf.id)
    return tuple(tuple(ids) for _, ids in sorted(found.items()))


# --- pursuit ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chance:
    """A pursuer's chance: the level that counts, whether the quarry counts as shadowed, and the number of rolls."""

    level: int
    shadowed: bool
    tries: int
    parts: tuple[tuple[str, str], ...]


@rule("8.5.6.8.1", "8.5.6.8.2", "8.5.6.8.2.1", "8.5.6.8.2.2", "8.5.6.8.2.3", "8.5.6.8.2.4")
def chance_of(state: State, battle: Battle, prey: TaskForce, hunter: TaskForce) -> Chance:
    """The level a pursuit is rolled at: ID3, less one for three battle turns in Reserve, more for speed; U to ID3.

    Above ID3 the quarry counts as shadowed; if it was shadowed already, there is a third roll. PQ-17 8.5.6.8.1,
    8.5.6.8.2; rulings WPR-3 to WPR-5, SHD-15.
    """
    turns = [battle.reserve[unit_id] for unit_id in prey.units if unit_id in battle.reserve]
    away = battle.turns - max(turns, default=battle.turns)
    faster = max(0, new_speed(hunter).whole - new_speed(prey).whole)
    raw = int(IdLevel.ID3) - away // TURNS_A_LEVEL + faster
    already = prey.side in battle.shadowed or any(one.id != hunter.id for one in state.shadowers_of(prey.id))
    above = raw > IdLevel.ID3
    return Chance(
        level=max(int(IdLevel.U), min(int(IdLevel.ID3), raw)),
        shadowed=already or above,
        tries=1 + int(already or above) + int(already and above),
        parts=(("battle turns in Reserve", str(away)), ("levels faster", str(faster))),
    )


@rule("8.5.6.8")
def new_speed(tf: TaskForce) -> Speed:
    """The speed just selected, which counts in the procedure. PQ-17 8.5.6.8."""
    return tf.next_speed or tf.speed


@dataclass(frozen=True)
class Hunt:
    """One withdrawing force, all its pursuers, those that want a battle if they catch it, and how fast each could
    go."""

    prey: TaskForce
    hunters: tuple[TaskForce, ...]
    to_battle: frozenset[str]
    reach: Mapping[str, Speed]


@dataclass(frozen=True)
class Chase:
    """What the rolls of one hunt came to: the pursuers that failed, and those that fight, at the place of its dice."""

    turn: TurnContext[State]
    prey: TaskForce
    failed: tuple[TaskForce, ...]
    fighters: tuple[TaskForce, ...]


@rule("8.5.6.5", "8.5.6.9")
def _chase(turn: TurnContext[State], battle: Battle, hunt: Hunt) -> Chase:
    """Roll all pursuits of one force, and settle whether it withdraws, is shadowed or must fight.

    PQ-17 8.5.6.5, 8.5.6.7-8.5.6.9.2, SOP 2.b.vi.6.g.iii; rulings WPR-2, WPR-7, WPR-10."""
    prey = hunt.prey
    caught = [hunter for hunter in hunt.hunters if _catches(turn, battle, hunt, hunter)]
    fighters = tuple(hunter for hunter in caught if hunter.id in hunt.to_battle)
    for hunter in caught:
        if hunter not in fighters:
            _shadow(turn, prey, hunter)
    if not fighters:
        _tell_escape(turn, battle, hunt)
    failed = tuple(hunter for hunter in hunt.hunters if hunter not in caught)
    return Chase(turn=turn, prey=prey, failed=failed, fighters=fighters)


def _engage_steps(chase: Chase, battle: Battle, fight: Fight) -> Steps[list[RegroupingPool]]:
    """Fight the battle that a successful pursuit makes, and all that follows from it.

    PQ-17 8.5.6.9.2-8.5.6.9.5, SOP 2.b.vi.6.g.iv, SOP 2.b.vi.6.g.v."""
    if not chase.fighters:
        return []
    following = _battle_of_pursuit(battle, chase.prey, chase.fighters)
    return (yield from _second_battle_steps(chase.turn, following, fight))


@rule("8.5.7.2.3")
def _who_lost_it(state: State, winner: Side, failed: Sequence[TaskForce]) -> list[RegroupingPool]:
    """The pursuers of one force whose attempts failed, if there are any: they may regroup among themselves.

    PQ-17 8.5.7.2.3."""
    return [_pool(state, winner, failed)] if failed else []


@rule("8.5.6.5", "8.5.6.7")
def _tell_escape(turn: TurnContext[State], battle: Battle, hunt: Hunt) -> None:
    """Announce that a force has withdrawn: nobody pursued it, or nobody brought it to battle. PQ-17 8.5.6.5,
    8.5.6.7."""
    seen = track_for(turn.state, battle.winner, hunt.prey)
    why = because("PQ-17 8.5.6.5", {"pursuers": len(hunt.hunters)})
    turn.tell([battle.winner], f"{seen} withdraws from the battle in {battle.hex}.", kind="battle", why=why)
    turn.tell([hunt.prey.side], f"{hunt.prey.label} withdraws successfully in {battle.hex}.", kind="battle", why=why)


@rule("8.5.6.9.2", "8.5.6.9.3", "SOP.2.b.vi.6.g.iv")
def _battle_of_pursuit(battle: Battle, prey: TaskForce, fighters: Sequence[TaskForce]) -> Battle:
    """The battle to which a caught force is brought: it is Original Defender, its pursuers attack, and all ships begin
    it in Combat Mode. PQ-17 8.5.6.9.2, 8.5.6.9.3, SOP.2.b.vi.6.g.iv."""
    return Battle(
        key=f"{battle.key}.{battle.depth + 1}",
        hex=battle.hex,
        attacker=battle.winner,
        defender=prey.side,
        original=[prey.id],
        attackers=[hunter.id for hunter in fighters],
        conditions=battle.conditions,
        depth=battle.depth + 1,
        shadowed=list(battle.shadowed),
    )


@rule("8.5.6.9.4", "8.5.6.9.5", "SOP.2.b.vi.6.g.v")
def _second_battle_steps(turn: TurnContext[State], battle: Battle, fight: Fight) -> Steps[list[RegroupingPool]]:
    """Fight a battle of pursuit, and let who loses it withdraw again. PQ-17 8.5.6.9.4, 8.5.6.9.5, SOP.2.b.vi.6.g.v."""
    turn.state.battles = [*turn.state.battles, battle]
    yield from fight(turn, battle)
    return (yield from after_battle_steps(turn, battle, fight))


@rule("8.5.6.7", "8.5.6.8", "8.5.6.9.1", "SOP.2.b.vi.6.g.iii")
def _catches(turn: TurnContext[State], battle: Battle, hunt: Hunt, hunter: TaskForce) -> bool:
    """Make one pursuer's rolls; a pursuer slower than its quarry has none. A success raises no level, since the quarry
    is at ID3 already. PQ-17 8.5.6.7, 8.5.6.8, 8.5.6.9.1; rulings WPR-2, WPR-8, WPR-9.
    """
    state, prey = turn.state, hunt.prey
    track = track_for(state, hunter.side, prey)
    if new_speed(hunter).rate < new_speed(prey).rate:
        why = because("PQ-17 8.5.6.7", {"its speed": new_speed(prey).rate, "yours": new_speed(hunter).rate})
        turn.tell([hunter.side], f"{hunter.label} is too slow to pursue {track}.", kind="attempt", why=why)
        return False
    chance = chance_of(state, battle, prey, hunter)
    # Its posture and speed were chosen after combat fuel was paid, so a ship without fuel had no warp to choose; what
    # the penalty for going faster has taken since does not slow it.
    seeker = replace(seeker_of(state, hunter), max_speed=hunt.reach[hunter.id])
    usual = quarry_of(state, prey, chance.level)
    quarry = Quarry(
        tf=prey,
        level=chance.level,
        passive=usual.passive,
        warp_off=usual.warp_off,
        cloaked=usual.cloaked,
        s_counts=chance.shadowed or usual.s_counts,
    )
    why = because("PQ-17 8.5.6.8.2", {**dict(chance.parts), "rolls allowed": chance.tries})
    level = IdLevel(chance.level).label
    text = f"{hunter.label} pursues {track}, counted at {level}{' and as shadowed' if chance.shadowed else ''}."
    turn.tell([hunter.side], text, kind="attempt", why=why)
    for number in range(1, chance.tries + 1):
        wording = Wording("pursued", "PQ-17 8.5.6.8", f"pursuit roll {number}")
        if attempt(turn, seeker, [quarry], wording, conditions=battle.conditions).succeeded:
            return True
    return False


@rule("8.5.6.9.2", "7.4.1", "5.3.5.4")
def _shadow(turn: TurnContext[State], prey: TaskForce, hunter: TaskForce) -> None:
    """Let a pursuer that caught its quarry shadow it instead of fighting. PQ-17 8.5.6.9.2, 7.4.1."""
    state = turn.state
    state.set_mark(hunter, "declared_shadowing")
    if closes_circle(state, hunter, prey):
        return
    take_up(state, hunter, prey)
    why = because("PQ-17 8.5.6.9.2", {"speed": new_speed(prey).rate})
    track = track_for(state, hunter.side, prey)
    turn.tell([hunter.side], f"{hunter.label} shadows {track} from now on.", kind="shadowing", why=why)
    seen = track_for(state, prey.side, hunter)
    turn.tell([prey.side], f"{seen} shadows your {prey.label}.", kind="shadowing", why=why)


# --- post-combat ------------------------------------------------------------------------------------------------------


@rule("8.5.7.1", "8.5.7.2", "8.5.7.3", "11.4.7")
def post_combat_steps(turn: TurnContext[State], pools: Sequence[RegroupingPool], fought: Sequence[Unit]) -> Steps[None]:
    """Each side regroups what it may, freely and without a fuel penalty, and repairs what it can: all surviving units
    of ``fought`` may, also captured ones. A side with nothing to decide is not asked.

    PQ-17 8.5.7.1, 8.5.7.2, 8.5.7.3, 11.4.7, SOP.2.b.vi.6.h; ruling WPR-11.
    """
    state = turn.state
    left = sorted((unit for unit in fought if state.tf_of(unit.id) is not None), key=lambda unit: unit.id)
    for side in turn.sides:
        groups: list[tuple[str, ...]] = []
        for pool in pools:
            if pool.side == side:
                groups += pools_by_port(_still_there(state, pool))
        own = [unit for unit in left if unit.side == side]
        damaged = tuple(unit.id for unit in own if may_mend(state, unit))
        raise_shields_unasked(unit for unit in own if unit.id not in damaged)
        if not groups and not damaged:
            continue
        reform = Reform(
            side=side,
            pools=tuple(groups),
            title="After the battle",
            text=" ".join([_REGROUP] * bool(groups) + [_REPAIR] * bool(damaged)),
            rule="PQ-17 8.5.7.2" if groups else "PQ-17 8.5.7.3",
            damaged=damaged,
        )
        yield from reform_steps(turn.at("post-combat"), reform)


_REGROUP = (
    "You may regroup the ships that fought together and set postures and speeds. Postures count at once, speeds from "
    "the next impulse."
)
_REPAIR = (
    "Damaged units may repair themselves within their DAMCON budget, each box with a repair point; name the boxes in "
    "the order you want them."
)


def _still_there(state: State, pool: RegroupingPool) -> list[TaskForce]:
    """The pool's remaining task forces, without those that began to shadow."""
    ids = {tf.id for unit_id in pool.units if (tf := state.tf_of(unit_id)) is not None and tf.side == pool.side}
    found = [state.task_forces[tf_id] for tf_id in sorted(ids, key=tf_order)]
    return [tf for tf in found if not tf.is_base and not tf.shadowing]
