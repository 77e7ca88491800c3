"""Chapter 8.5: one battle sequence, from the Original Defender's power to the post-combat step.

The battle itself is fought by hand: the preparations made here go onto its sheet, and its result is applied by
``result_applied``.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

from pydantic import Field as Bounded
from pydantic import RootModel

from rules_engine.core.basics.base import Frozen
from rules_engine.core.basics.counted import counted
from rules_engine.core.basics.rational import show_fraction
from rules_engine.core.basics.refusals import Refusal, illegal, malformed, nearest
from rules_engine.core.basics.rules import rule
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.asks import Ask, Steps
from rules_engine.core.protocol.question import Question
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.campaign.reaction_force import watch
from rules_engine.rulebooks.pq17.ch06_reconnaissance.attempt import is_passive
from rules_engine.rulebooks.pq17.ch08_combat.battle_setup import battle_speed
from rules_engine.rulebooks.pq17.ch08_combat.battle_tables import SurpriseFacts, is_surprised, surprise_modifiers
from rules_engine.rulebooks.pq17.ch08_combat.raids import finish_raid
from rules_engine.rulebooks.pq17.ch08_combat.result_applied import take_result
from rules_engine.rulebooks.pq17.ch08_combat.result_form import result_ask
from rules_engine.rulebooks.pq17.ch08_combat.standing_battles import power_decisions
from rules_engine.rulebooks.pq17.ch08_combat.withdrawal import after_battle_steps, post_combat_steps
from rules_engine.rulebooks.pq17.ch10_supply.fuel import least_boxes_off, reduced_combat_cost
from rules_engine.rulebooks.pq17.ch11_repair.self_repair import begin_sequence, end_sequence
from rules_engine.rulebooks.pq17.contacts.identification import is_scouting, is_warp_on, report_contact
from rules_engine.rulebooks.pq17.orders.standing_answers import by_standing_orders_steps
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State

ATTACKER, DEFENDER = "AT", "DF"
"""Prefixes of the units' neutral names, which both sides read."""

# --- the sequence -----------------------------------------------------------------------------------------------------


def battle_sequence_steps(turn: TurnContext[State], battle: Battle) -> Steps[None]:
    """An initial battle and everything that follows from it: 8.5, SOP 2.b.vi.6."""
    battle.original = [tf_id for tf_id in battle.original if tf_id in turn.state.task_forces]
    battle.attackers = [tf_id for tf_id in battle.attackers if tf_id in turn.state.task_forces]
    if not battle.original or not battle.attackers:
        finish_raid(turn, battle)
        return  # its forces were lost in an earlier battle of this step
    yield from fight_steps(turn, battle)
    fought = [turn.state.units[unit_id] for unit_id in battle.names.values()]
    finish_raid(turn, battle)
    pools = yield from after_battle_steps(turn, battle, fight_steps)
    yield from post_combat_steps(turn, pools, fought)
    end_sequence(fought)


def fight_steps(turn: TurnContext[State], battle: Battle) -> Steps[None]:
    """One battle: power, surprise, ID4, the sheet, and its result. Pursuit battles have no surprise roll.

    PQ-17 8.5.2-8.5.5; ruling SRP-4."""
    state = turn.state
    prepare(state, battle)
    yield from power_steps(turn, battle)
    if battle.depth == 0:
        roll_surprise(turn, battle)
    raise_to_id4(turn, battle)
    turn.show_maps()
    result = yield from turn.ask_steps(result_ask(turn, battle))
    take_result(turn, battle, result)
    turn.show_maps()


@rule("8.5.5", "T5.note4", "T1", "T2")
def prepare(state: State, battle: Battle) -> None:
    """Give every unit its neutral name, and record the position against which the result is checked. PQ-17 8.5.5,
    T5.note4.

    Attackers are AT1, AT2 …; the Original Defender's units are DF1 …, continued by the defender's other forces. No
    task force ever has such a name, whichever side attacks.
    """
    battle.names = {}
    counts = dict.fromkeys((ATTACKER, DEFENDER), 0)
    for tf_id in battle.all_forces():
        party = ATTACKER if tf_id in battle.attackers else DEFENDER
        for unit in state.units_of(state.task_forces[tf_id]):
            counts[party] += 1
            battle.names[f"{party}{counts[party]}"] = unit.id
            battle.speeds[unit.id] = battle_speed(state, battle, state.task_forces[tf_id]).value
    units = [state.units[unit_id] for unit_id in battle.names.values()]
    if battle.depth == 0:
        begin_sequence(units, state.turn)
    battle.crippled = [unit.id for unit in units if unit.crippled]


def forces_of(state: State, tf_ids: Sequence[str]) -> list[TaskForce]:
    """The task forces of those ids that still exist."""
    return [state.task_forces[tf_id] for tf_id in tf_ids if tf_id in state.task_forces]


# --- the Original Defender's power ------------------------------------------------------------------------------------


class PowerLine(Frozen):
    """The number of warp and AWR boxes that a unit keeps on."""

    boxes_on: Annotated[int, Bounded(ge=0)]


class PowerSheet(RootModel[dict[str, PowerLine]]):
    """The Original Defender's announcement, by neutral name."""


@rule("8.3.4.3", "8.3.5.1", "8.3.5.2", "8.5.6.9.3")
def units_to_pay(state: State, battle: Battle) -> dict[str, Unit]:
    """The Original Defender's units that have not paid combat fuel this impulse, by neutral name; loads pay none.
    8.3.4.3; CMB-9, own ruling PQ-180."""
    units = {unit.id for tf in forces_of(state, battle.original) for unit in state.separate_units(tf)}
    held = {name: state.units[unit_id] for name, unit_id in battle.names.items() if unit_id in units}
    return {name: unit for name, unit in held.items() if not unit.marks.paid_combat}


@rule("8.3.5.2", "12.6.3")
def may_save_power(state: State, battle: Battle, payers: Mapping[str, Unit]) -> set[str]:
    """The names of those whose task force attempted no attack in this impulse, to which sweeping mines counts. PQ-17
    8.3.5.2, 12.6.3; rulings CMB-9, X-01."""
    idle = (tf for tf in forces_of(state, battle.original) if not state.has_mark(tf, "attempted_attack"))
    units = {unit_id for tf in idle for unit_id in tf.units}
    return {name for name, unit in payers.items() if unit.id in units}


@rule("8.3.5.2.1", "9.7")
def most_boxes_on(state: State, unit: Unit) -> int:
    """The most warp and AWR boxes that a unit has fuel to fight with. PQ-17 8.3.5.2.1, 9.7; ruling CMB-9."""
    return unit.power_boxes - least_boxes_off(state, unit)


@rule("8.3.5", "8.5.2.1", "8.3.4.2", "9.7", "SOP.2.b.vi.6.b")
def power_steps(turn: TurnContext[State], battle: Battle) -> Steps[None]:
    """Let the Original Defender reduce power to save fuel, as it must if fuel is short; then it pays.

    Only a task force that attempted no attack and has a choice is asked; this is announced before ID4.
    PQ-17 8.3.5, 8.5.2.1, 8.3.4.2, 9.7, SOP.2.b.vi.6.b; rulings CMB-9, CMB-20.
    """
    state = turn.state
    payers = units_to_pay(state, battle)
    most = {name: most_boxes_on(state, unit) for name, unit in payers.items()}
    chosen = PowerSheet({})
    choosers = {name: payers[name] for name in payers if name in may_save_power(state, battle, payers)}
    if any(most[name] for name in choosers):
        ask = _power_ask(state, battle, choosers, most)
        own = {unit.id for unit in choosers.values()}
        forces = [tf for tf in forces_of(state, battle.original) if own.intersection(tf.units)]
        chosen = yield from by_standing_orders_steps(
            turn, ask, power_decisions(state, battle.defender, forces, ask.form)
        )
    for name, unit in payers.items():
        line = chosen.root.get(name)
        boxes_on = most[name] if line is None else line.boxes_on
        _pay(state, unit, boxes_on)
        if unit.boxes_off:
            _announce_power(turn, name, unit)


@rule("8.3.5.3.4")
def _announce_power(turn: TurnContext[State], name: str, unit: Unit) -> None:
    """Announce that a unit fights with some boxes off, before anybody is raised to ID4. PQ-17 8.3.5.3.4."""
    boxes_on = unit.power_boxes - unit.boxes_off
    why = because("PQ-17 8.3.5.3.4", {"boxes on": f"{boxes_on} of {unit.power_boxes}"})
    text = f"{name} of the defenders fights with {boxes_on} of {counted(unit.power_boxes, 'warp and AWR box')} on."
    turn.tell(turn.sides, text, kind="battle", why=why)


@rule("8.3.5.3.3", "8.3.4.2", "8.3.5.3", "8.3.5.3.1", "SOP.2.b.vi.6.c")
def _pay(state: State, unit: Unit, boxes_on: int) -> None:
    """Combat fuel in proportion to the boxes on; a unit without any such box has none to pay. PQ-17 8.3.5.3.3."""
    off = unit.power_boxes - boxes_on
    if unit.power_boxes:
        unit.fuel -= reduced_combat_cost(state, unit, off)
    unit.boxes_off = off
    unit.marks = unit.marks.marked("paid_combat")


def _power_ask(state: State, battle: Battle, payers: dict[str, Unit], most: dict[str, int]) -> Ask[PowerSheet]:
    most = {name: most[name] for name in payers}
    default = PowerSheet({name: PowerLine(boxes_on=count) for name, count in most.items()})
    form = Form(lines=tuple(_power_line(state, name, payers[name], most[name]) for name in payers if most[name]))
    return Ask(
        kind="power",
        parties=(battle.defender,),
        title=f"Attacked in {battle.hex}: power for the battle",
        text=(
            "As Original Defender you may turn off whole warp and AWR boxes and pay combat fuel in proportion. They "
            "give no power in the battle (from its turn 2 you may turn them on again and pay the difference), and "
            "damage takes them first."
        ),
        question=Question(
            f"Attacked in {battle.hex}",
            "How much power do your ships fight with? What is turned off costs no combat fuel.",
            (battle.hex,),
        ),
        model=PowerSheet,
        form=form,
        rule="PQ-17 8.3.5",
        default=default,
        default_says="As many boxes on as there is fuel for.",
        pace="decision",
        check=lambda answer: _check_power(most, answer),
        read_back=lambda answer: [_say_power(payers, name, line) for name, line in answer.root.items()],
    )


@rule("8.3.5.2.2")
def _power_line(state: State, name: str, unit: Unit, most: int) -> Line:
    full = reduced_combat_cost(state, unit, 0)
    field = Field(key="boxes_on", label="Boxes on", kind="number", least=0, most=most, value=most)
    note = (
        f"full power ({counted(unit.power_boxes, 'box')}) costs {show_fraction(full)}; fuel {show_fraction(unit.fuel)}"
    )
    return Line(key=name, label=f"{name} {unit.name}", fields=(field,), note=note)


def _say_power(payers: dict[str, Unit], name: str, line: PowerLine) -> str:
    """The power a unit fights with, in words for its owner, with its real name."""
    own = f" {payers[name].name}" if name in payers else ""
    return f"{name}{own}: {counted(line.boxes_on, 'box')} on."


def _check_power(most: dict[str, int], answer: PowerSheet) -> list[Refusal]:
    found: list[Refusal] = []
    for name, line in answer.root.items():
        if name not in most:
            found.append(
                malformed("no unit of that name pays now", name, legal=", ".join(most), nearest=nearest(name, most))
            )
        elif line.boxes_on > most[name]:
            legal = f"0 to {most[name]}"
            problem = "it has no fuel for so many boxes"
            found.append(illegal(problem, "PQ-17 8.3.5.2.1", f"{name}.boxes_on", legal=legal))
    return found


# --- surprise and ID4 -------------------------------------------------------------------------------------------------


@rule("8.5.3.1", "T7")
def surprise_facts(state: State, battle: Battle) -> SurpriseFacts:
    """The facts for Table 7; of several attackers the one that gives most warning counts. PQ-17 8.5.3.1, T7;

    SRP-1 to SRP-3, SRP-5.
    """
    attackers = forces_of(state, battle.attackers)
    defenders = forces_of(state, battle.original)
    return SurpriseFacts(
        condition=battle.conditions,
        attacker_level=max(int(tf.id_level) for tf in attackers),
        attacker_warp_on=any(is_warp_on(state, tf) for tf in attackers),
        attacker_cloaked=all(tf.posture.cloak for tf in attackers),
        both_passive=all(is_passive(tf) for tf in [*attackers, *defenders]),
        defender_scout_active=any(is_scouting(state, tf) for tf in defenders),
    )


@rule("8.5.3", "T7", "1.9.5", "8.5.3.2", "8.5.3.3", "SOP.2.b.vi.6.d")
def roll_surprise(turn: TurnContext[State], battle: Battle) -> None:
    """Roll whether the Original Defender is surprised; both sides see the roll. PQ-17 8.5.3, T7;

    rulings SRP-1, SRP-6.
    """
    facts = surprise_facts(turn.state, battle)
    roll = turn.roll("surprise", faces=10, seen_by=turn.sides)
    battle.surprised = is_surprised(roll.total, facts)
    lines = surprise_modifiers(facts)
    change = sum(value for _, value in lines)
    sum_up = f"{roll.total} {'-' if change < 0 else '+'} {abs(change)} = {roll.total + change}"
    inputs: dict[str, object] = {name: f"{value:+d}" for name, value in lines}
    state_word = "surprised: weapon status 1" if battle.surprised else "not surprised: weapon status 3"
    why = because("PQ-17 8.5.3", {**inputs, "rolled": f"{sum_up} (7 or more surprises)"}, [roll])
    turn.tell(turn.sides, f"Battle in {battle.hex}: the defenders are {state_word}.", kind="battle", why=why)


@rule("6.2.7", "6.5.1", "8.5.4", "8.5.4.1", "SOP.2.b.vi.6.e")
def raise_to_id4(turn: TurnContext[State], battle: Battle) -> None:
    """Raise all units of this battle, and no others, to ID4: both sides get their status sheets.

    PQ-17 6.2.7, 6.5.1, 8.5.4; rulings IDL-9, CMB-19b, FOG-2."""
    state = turn.state
    why = because("PQ-17 8.5.4", {"in battle in": battle.hex})
    for tf in forces_of(state, battle.all_forces()):
        tf.id_level = IdLevel.ID4
        report_contact(turn, tf, state.enemy_of(tf.side), why)
    watch(turn)  # before any losses
