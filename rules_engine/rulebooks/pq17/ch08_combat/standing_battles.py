"""What stands around a battle: what standing orders decide of it (an original defender's power, withdrawal, pursuit and
regrouping), and how it ends if nobody agrees on it."""

from collections.abc import Callable, Sequence

from rules_engine.core.basics.base import Json, Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Form, Sheet
from rules_engine.core.protocol.accounts import StatedEnd
from rules_engine.core.standing.answers import Decision, Decisions
from rules_engine.rulebooks.pq17.ch05_movement.movement import current_speed
from rules_engine.rulebooks.pq17.contacts.identification import held_track
from rules_engine.rulebooks.pq17.orders.standing_precedence import orders_of, whose
from rules_engine.rulebooks.pq17.records.battles import BATTLE_LINE, Battle
from rules_engine.rulebooks.pq17.records.forces import TaskForce
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.tables.operations import Speed

LegalSpeeds = Callable[[TaskForce], Sequence[Speed]]
"""A function giving the speeds that a task force can take, and pay for, after the battle."""


@rule("8.3.5")
def power_decisions(state: State, side: Side, forces: Sequence[TaskForce], form: Form) -> Decisions:
    """Decide an original defender's power. PQ-17 8.3.5."""
    own = [tf for tf in forces if tf.side == side]
    if not own or not form.lines or any(orders_of(state, tf).power != "full" for tf in own):
        return {}
    said = f"Your ships fight with all the power that they have fuel for: {', '.join(tf.label for tf in own)}."
    told = Decision({}, said, "power full", whose(state, own[0], "power"))
    return {line.key: told if line is form.lines[0] else Decision({}) for line in form.lines}


@rule("8.5.6.1", "8.5.6.2", "8.5.6.7", "8.5.7.2")
def reform_decisions(
    state: State, forces: Sequence[str], quarries: Sequence[str], form: Form, legal: LegalSpeeds, *, losing: bool
) -> Decisions:
    """Decide how a side regroups, withdraws or pursues: ``force N`` of the sheet is the Nth of ``forces``.

    Task forces stay as they are; a withdrawing loser goes as fast as it can pay for, and a pursuer at least as
    fast as its quarry. PQ-17 8.5.6.1, 8.5.6.2, 8.5.6.7, 8.5.7.2.
    """
    own = [state.task_forces[tf_id] for tf_id in forces]
    orders = [orders_of(state, tf) for tf in own]
    if any(one.regroup != "keep" or (quarries and one.pursue == "ask") for one in orders):
        return {}
    found: dict[str, Decision | None] = {line.key: Decision({}) for line in form.lines}
    for number, tf in enumerate(own, start=1):
        if quarries:
            found[f"force {number}"] = _pursue(state, tf, quarries, legal)
        elif losing:
            found[f"force {number}"] = _withdraw(state, tf, legal)
    return found


def _withdraw(state: State, tf: TaskForce, legal: LegalSpeeds) -> Decision:
    speeds = legal(tf)
    if orders_of(state, tf).move != "withdraw" or not speeds:
        said = f"{tf.label} withdraws as it is."
        return Decision({}, said, "regroup keep", whose(state, tf, "regroup"))
    speed = max(speeds, key=lambda one: one.rate)
    said = f"{tf.label} withdraws at {speed.label}."
    return Decision({"speed": speed.value}, said, "withdraw", whose(state, tf, "move"))


def _pursue(state: State, tf: TaskForce, quarries: Sequence[str], legal: LegalSpeeds) -> Decision:
    pursuit = orders_of(state, tf).pursue
    owner = whose(state, tf, "pursue")
    if pursuit not in ("shadow", "battle"):
        return Decision({}, f"{tf.label} pursues nobody.", "pursue never", owner)
    now = tf.next_speed or current_speed(state, tf)
    for track in sorted(quarries, key=tf_order):
        fitting = [speed for speed in legal(tf) if speed.rate >= _announced(state, tf.side, track).rate]
        if fitting:
            speed = now if now in fitting else min(fitting, key=lambda one: one.rate)
            values: dict[str, Json] = {"pursue": track, "then": pursuit, "speed": speed.value}
            purpose = "to bring it to battle" if pursuit == "battle" else "to shadow it"
            return Decision(values, f"{tf.label} pursues {track} {purpose}.", f"pursue {pursuit}", owner)
    return Decision({}, f"{tf.label} is too slow to pursue anybody.", f"pursue {pursuit}", owner)


@rule("8.5.6.1")
def _announced(state: State, side: Side, track: str) -> Speed:
    """The speed that a withdrawing contact has announced. PQ-17 8.5.6.1."""
    for enemy in state.all_task_forces(state.enemy_of(side)):
        if held_track(state, side, enemy) == track:
            return enemy.next_speed or enemy.speed
    return Speed.STATION


# --- nobody agrees ----------------------------------------------------------------------------------------------------


def broken_off(state: State, battle: Battle, form: Callable[[], Form]) -> StatedEnd:
    """How a battle ends on whose account nobody agrees in time: those who attacked are gone, or those who defended if
    the scenario has it so, and nobody lost anything; a base cannot leave, so the others do. Own ruling PQ-203, after
    PQ-17 8.5.5.6."""
    units = {name: state.units[unit_id] for name, unit_id in battle.names.items()}
    with_bases = {unit.side for unit in units.values() if state.class_of(unit).is_base}
    in_order = [(battle.attacker, "attackers"), (battle.defender, "defenders")]
    if state.settings.unsettled_battles == "defenders leave":
        in_order.reverse()
    if in_order[0][0] in with_bases:
        in_order.reverse()
    (leaving, who), (winner, others) = in_order

    def account() -> Sheet:
        sheet = form().prefilled()
        sheet[BATTLE_LINE] = {"winner": winner, "turns": 1}
        for name, unit in units.items():
            if unit.side == leaving:
                sheet[name] = {**sheet[name], "fate": "disengaged", "turn": 1}
        return sheet

    says = f"The {who} leave on the first battle turn, without losses on either side; the {others} hold the hex."
    return StatedEnd(says, account)
