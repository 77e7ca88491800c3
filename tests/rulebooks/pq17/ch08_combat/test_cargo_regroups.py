"""Chapter 8.5.7 with 1.8.12.5: modules in a ship's cargo when task forces form anew after a battle."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from tests.rulebooks.pq17.ch08_combat.test_withdrawal import battle_of, met, play, won

LADEN = "A1 0405 CA+FT[module_boxes=12]+MOD[carried_by=A1.FT] speed 2 U\nC1 0405 CA speed 1 U"
RESULT = won("alliance", 1, AT1="ok", AT2="ok", AT3="ok", DF1="destroyed")


@pytest.mark.rule("pq17", "1.8.12.5", "8.5.7.2")
def test_after_a_battle_a_module_goes_where_the_ship_goes_that_has_it_in_its_cargo() -> None:
    at = met(LADEN)
    play(at, battle_of(at), RESULT, {"A1.FT": {"force": 2}})
    assert {tf.id: tf.units for tf in at.state.all_task_forces()} == {"A1": ["A1.CA"], "A2": ["A1.FT", "A1.MOD"]}
    assert list(defects(at.state)) == []


@pytest.mark.rule("pq17", "1.8.12.5", "8.5.7.2")
@pytest.mark.parametrize(("ship", "legal"), [({}, "1"), ({"A1.FT": {"force": 2}}, "2")])
def test_a_module_in_cargo_cannot_be_sent_elsewhere_than_its_ship(ship: dict[str, dict[str, int]], legal: str) -> None:
    at = met(LADEN)
    with pytest.raises(Refused) as refused:
        play(at, battle_of(at), RESULT, {**ship, "A1.MOD": {"force": 3}})
    assert "is cargo of" in str(refused.value)
    assert "1.8.12.5" in str(refused.value)
    assert [one.legal for one in refused.value.refusals] == [legal]


@pytest.mark.rule("pq17", "1.8.12.5")
def test_a_module_may_be_named_where_its_ship_goes() -> None:
    at = met(LADEN)
    play(at, battle_of(at), RESULT, {"A1.FT": {"force": 2}, "A1.MOD": {"force": 2}})
    assert at.state.task_forces["A2"].units == ["A1.FT", "A1.MOD"]
