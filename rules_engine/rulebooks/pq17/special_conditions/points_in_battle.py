"""Extra points for the attacks of GALE FORCE, CLEAN SWEEP, REFORGER, SIZILIEN and Port Strike, and for convoys' losses.

Only the first battle against the operation's base in its period counts (ruling SPC-9), REFORGER's the first that does
Downbelow any harm (ruling SPC-7). Everything here is scored secretly for one side and revealed in the Administrative
Step (ruling FOG-1); the other side's report looks as usual.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.reports import because
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch11_repair.boxes import SHIELDS, all_destroyed
from rules_engine.rulebooks.pq17.nations.conditions_in_force import TARGETS, executing, is_called
from rules_engine.rulebooks.pq17.nations.victory_points import ShipEvent, score, ship_event, ship_points, sign_for
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.special_conditions import Execution
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.special_conditions import RULES, TITLES, ConditionName


@dataclass(frozen=True)
class Terms:
    """The points for an operation's attack beyond the usual ones."""

    internals: int
    """Points for internal damage on the base."""
    ships_too: bool = False
    """Whether internal damage on a ship in port counts as well."""
    counts_as_crippled: bool = False
    """Whether any internal damage on the base scores as if it crippled it."""
    until_hurt: bool = False
    """Whether an attack that does the base no harm leaves the operation's points to the next one."""


TERMS: Mapping[ConditionName, Terms] = {
    "gale force": Terms(10, ships_too=True, counts_as_crippled=True),
    "clean sweep": Terms(5),
    "reforger": Terms(5, until_hurt=True),
    "sizilien": Terms(5),
    "port strike": Terms(5, ships_too=True, counts_as_crippled=True),
}
"""PQ-17 C.special.gale-force, C.special.clean-sweep, C.special.reforger, C.special.sizilien, C.special.port-strike."""


@dataclass(frozen=True)
class Before:
    """The position before the battle: the operation it may score for, and each unit's destroyed boxes and cargo."""

    execution: Execution | None
    base: str
    """The base's task force; empty without an operation."""
    destroyed: Mapping[str, Mapping[str, int]]
    supply: Mapping[str, int]


def begin_battle(state: State, battle: Battle) -> Before:
    """Record the position before a battle's result is applied; this uses up an operation's first attack.

    Ruling SPC-9.
    """
    found: tuple[Execution, TaskForce] | None = None
    if state.special.executions and battle.depth == 0:
        found = _operation(state, battle)
    if found is not None:
        found[0].fought = True
    units = [state.units[unit_id] for unit_id in battle.names.values()]
    loads = {load.unit for load in state.special.shiploads}
    return Before(
        execution=found[0] if found else None,
        base=found[1].id if found else "",
        destroyed={unit.id: _internals(state, unit) for unit in units} if found else {},
        supply={unit.id: unit.supply for unit in units if unit.id in loads},
    )


def _operation(state: State, battle: Battle) -> tuple[Execution, TaskForce] | None:
    """The attacker's operation against a base of the Original Defender, if its first attack is still to come."""
    forces = [state.task_forces[tf_id] for tf_id in battle.original if tf_id in state.task_forces]
    for name in TERMS:
        execution = executing(state, battle.attacker, name)
        if execution is None or execution.fought:
            continue
        targets = (execution.target,) if execution.target else TARGETS[name]
        base = next((tf for tf in forces if any(is_called(tf, target) for target in targets)), None)
        if base is not None:
            return execution, base
    return None


def _internals(state: State, unit: Unit) -> dict[str, int]:
    """Destroyed boxes, except shields."""
    return {box: count for box, count in all_destroyed(state, unit).items() if box not in SHIELDS}


def is_hurt(state: State, unit: Unit, before: Before, *, destroyed: bool, repaired: int) -> bool:
    """Whether a unit took internal damage in the battle: it lost boxes, or all of them. If the boxes
    destroyed now and those it ``repaired`` exceed the boxes destroyed before, some were lost in the battle. Own ruling
    PQ-67."""
    held, now = before.destroyed.get(unit.id, {}), _internals(state, unit)
    if destroyed or any(count > held.get(box, 0) for box, count in now.items()):
        return True
    return sum(now.values()) + repaired > sum(held.values())


# --- the operation's points -------------------------------------------------------------------------------------------


@rule(
    "C.special.gale-force", "C.special.clean-sweep", "C.special.reforger", "C.special.sizilien", "C.special.port-strike"
)
def score_operation(
    turn: TurnContext[State], battle: Battle, before: Before, fates: Mapping[str, str], repaired: Mapping[str, int]
) -> None:
    """Points for internal damage, and the base's own points once more. Called while all units are still in place.

    ``fates`` gives each unit's fate by id, ``repaired`` the boxes that it repaired in the battle.

    PQ-17 C.special.gale-force, C.special.clean-sweep, C.special.reforger, C.special.sizilien, C.special.port-strike;
    rulings SPC-7, SPC-9.
    """
    state = turn.state
    if before.execution is None:
        return
    execution, terms = before.execution, TERMS[before.execution.name]
    base = state.task_forces[before.base]
    hurt = {
        unit.id
        for tf_id in battle.original
        for unit in state.units_of(state.task_forces[tf_id])
        if is_hurt(state, unit, before, destroyed=fates.get(unit.id) == "destroyed", repaired=repaired.get(unit.id, 0))
    }
    counted = hurt if terms.ships_too else hurt & set(base.units)
    title = TITLES[execution.name]
    if terms.until_hurt and not counted and not any(fates.get(one) in ("destroyed", "captured") for one in base.units):
        execution.fought = False
    if counted:
        text = f"{title}: internal damage at {_place(base)}."
        _score(turn, execution, Fraction(terms.internals), text)
    for unit in state.units_of(base):
        crippled_before = unit.id in battle.crippled
        event = ship_event(
            destroyed=fates.get(unit.id) == "destroyed",
            captured=fates.get(unit.id) == "captured",
            crippled_before=crippled_before,
            crippled_after=unit.crippled,
        )
        if event is not None:
            text = f"{title}: double points for {_word(event)} {_place(base)}."
            _score(turn, execution, ship_points(state, unit, event, was_crippled=crippled_before), text)
        elif terms.counts_as_crippled and unit.id in hurt and not crippled_before:
            text = f"{title}: internal damage on {_place(base)} counts as crippling it."
            _score(turn, execution, ship_points(state, unit, "crippled"), text)


def _word(event: ShipEvent) -> str:
    return {"captured": "capturing", "crippled": "crippling"}.get(event, "destroying")


def _place(base: TaskForce) -> str:
    return base.base.name if base.base is not None else base.hex


def _score(turn: TurnContext[State], execution: Execution, points: Fraction, text: str) -> None:
    why = because(f"PQ-17 {RULES[execution.name]}", {"plotted for": f"period {execution.period}"})
    amount = sign_for(execution.side) * points
    turn.state.special.scored.append(execution.name)
    score(turn, "C.special", amount, why, text=text, seen_by=[execution.side])


# --- convoys ----------------------------------------------------------------------------------------------------------


@rule("C.special.coalition-convoy")
def note_cargo_lost(state: State, unit: Unit, had: int, fate: str) -> None:
    """Note a Coalition convoy's cargo that was destroyed, in battle or by mines; captured cargo counts for neither
    side. ``had``: its supply points before; ``fate``: ``destroyed``, ``captured``, or any word for a survivor.

    PQ-17 C.special.coalition-convoy; ruling SPC-8.
    """
    for load in [one for one in state.special.shiploads if one.unit == unit.id]:
        kept = 0 if fate in ("destroyed", "captured") else unit.supply
        lost = min(load.left, max(0, had - kept))
        load.left -= lost
        if fate != "captured":
            load.destroyed += lost
