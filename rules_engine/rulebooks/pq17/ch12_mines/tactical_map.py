"""Chapter 12.1.2 and 12.1.6 to 12.1.8: mines on the tactical map. The campaign counts them; the players use them in the
tactical game.

A base's mines are for its tactical minefield, in addition to its standard packages; their places and settings are
the owner's secret record, so the sheet tells only the owner how many there are.
"""

from collections.abc import Iterable

from rules_engine.core.basics.base import Side
from rules_engine.core.basics.rules import rule
from rules_engine.core.knowledge.views import Panel
from rules_engine.rulebooks.pq17.ch10_supply.stores import held
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import TaskForce, Unit
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.supply import Goods

MINE_KINDS = (Goods.LARGE_MINES, Goods.SMALL_MINES, Goods.T_BOMBS)
LAYOUT = "Where they lie and how they are set stands on your own record; changes between battles by (M0.0) (12.1.8)"


@rule("12.1.1", "12.1.2", "12.1.8")
def mine_panels(state: State, battle: Battle, side: Side) -> tuple[Panel, ...]:
    """What a side has of mines in a battle: aboard its ships, and in its bases' tactical minefields. Operational
    minefields have no part in it. PQ-17 12.1.1, 12.1.2, 12.1.8; ruling DEP-5, SCN-36."""
    forces = [state.task_forces[tf_id] for tf_id in battle.forces(side)]
    rows = [row for tf in forces for row in _rows(state, battle, tf)]
    if any(tf.is_base and list(_rows(state, battle, tf)) for tf in forces):
        rows.append(LAYOUT)
    return (Panel(title="Your mines", rows=tuple(rows)),) if rows else ()


@rule("12.1.6", "12.1.7")
def _rows(state: State, battle: Battle, tf: TaskForce) -> Iterable[str]:
    """A base's packages and mines, which are for its tactical minefield, and what ships have aboard.

    PQ-17 12.1.6, 12.1.7."""
    if tf.base is not None and tf.base.mine_packages:
        plural = "s" if tf.base.mine_packages > 1 else ""
        yield f"{tf.base.name}: {tf.base.mine_packages} standard minefield package{plural} (M6.2)"
    for unit in state.units_of(tf):
        aboard = _mines_of(unit)
        if aboard:
            what = "for its tactical minefield" if tf.is_base else "aboard"
            yield f"{battle.name_of(unit.id)}: {aboard} {what}"


def _mines_of(unit: Unit) -> str:
    counts = ((int(held(unit, goods)), goods.value) for goods in MINE_KINDS)
    return ", ".join(f"{count} {name}" for count, name in counts if count)
