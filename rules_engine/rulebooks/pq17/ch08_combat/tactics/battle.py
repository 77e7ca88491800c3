"""The whole of a battle for the tactical tracker, from the state that its sheet is made from. PQ-17 8.5.5."""

from collections.abc import Iterable

from rules_engine.core.tactics.battles import MIDDLE, TacticalBattle, TacticalGroundPiece
from rules_engine.core.tactics.tactics import Tactics
from rules_engine.rulebooks.pq17.ch08_combat.battle_setup import battle_forces
from rules_engine.rulebooks.pq17.ch08_combat.pictures.notes import notes_of
from rules_engine.rulebooks.pq17.ch08_combat.tactics.account import account_of
from rules_engine.rulebooks.pq17.ch08_combat.tactics.deployment import MIDDLE_MARK, deployment_of
from rules_engine.rulebooks.pq17.ch08_combat.tactics.ships import ships_of
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.state import State


def tactics_of(state: State, battle: Battle) -> Tactics:
    """How a battle may be tracked. All of it is common: both sides hold each other's status sheets by now (8.5.4), and
    units have no other names than the sheet's."""
    notes = [note for some in notes_of(state, battle, battle_forces(state, battle)) for note in some.notes]
    tracked = TacticalBattle(
        title=f"Battle in {battle.hex}",
        forces=((battle.defender,), (battle.attacker,)),
        ships=tuple(ships_of(state, battle)),
        ground=tuple(_ground(state, battle)),
        steps=tuple(deployment_of(state, battle)),
        notes=tuple(f"{note.says} ({note.rule})" if note.rule else note.says for note in notes),
    )
    return Tactics(tracked, lambda tally: account_of(state, battle, tally))


def _ground(state: State, battle: Battle) -> Iterable[TacticalGroundPiece]:
    """The middle of the map, since the map floats and something must mark it; and a nebula. Where a planet in the hex
    lies, no rule says (ruling DEP-5)."""
    yield TacticalGroundPiece(id=MIDDLE_MARK, kind="buoy", name="Middle of the map", hexes=(MIDDLE,))
    if state.terrain(battle.hex) == "nebula":
        yield TacticalGroundPiece(id="nebula", kind="nebula", name="Nebula")
