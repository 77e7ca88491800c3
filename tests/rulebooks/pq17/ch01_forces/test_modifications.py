"""Chapter 1.9: how the tactical rules are changed, as far as the campaign referees it."""

import pytest

from rules_engine.rulebooks.pq17.ch08_combat.battle import roll_surprise
from rules_engine.rulebooks.pq17.ch08_combat.battle_setup import battle_setup
from rules_engine.rulebooks.pq17.ch10_supply.docking import positions
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import table, world
from tests.rulebooks.pq17.worlds.special_conditions import SHIPS, special_world


@pytest.mark.rule("pq17", "1.9.3")
@cases("class_id, docked")
def test_docking_is_external_and_limited_by_type_of_base(class_id: str, docked: int) -> None:
    state = special_world()
    unit = next(iter(state.units.values())).changed(class_id=class_id)
    assert SHIPS[class_id].class_id == class_id
    assert positions(state, unit) == docked


@pytest.mark.rule("pq17", "1.9.5")
@pytest.mark.parametrize(("rolled", "status"), [(10, "WS-1, surprised"), (1, "WS-3")])
def test_surprise_comes_from_the_campaigns_own_roll(rolled: int, status: str) -> None:
    # Table 7: 10 surprises a defender in good conditions who knows nothing of a warp-on attacker's level; 1 never does
    state: State = world("A1 0405 CA speed 1 U\nC1 0405 CA speed 1 ID0\nturn 2 impulse 1 half A")
    at = table(state, rolled)
    battle = Battle(
        key="1", hex="0405", attacker="alliance", defender="coalition", original=["C1"], attackers=["A1"], conditions=4
    )
    battle.names = {"AT1": "A1.CA", "DF1": "C1.CA"}
    roll_surprise(at, battle)
    rows = [row for panel in battle_setup(at, battle).panels for row in panel.rows]
    assert any(row.startswith(f"Weapon status: Original Defender {status}") for row in rows)
