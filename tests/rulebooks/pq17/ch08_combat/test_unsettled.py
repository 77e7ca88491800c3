"""Battles of PQ-17 on whose account nobody agrees in time: who leaves, as the scenario states (PQ-203)."""

from typing import Any

from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.repair import Fight, yard


@cases("states, leaves, winner, says")
def test_one_side_of_a_battle_of_pq17_leaves_as_the_scenario_states(
    states: str, leaves: str, winner: str, says: str
) -> None:
    state = yard("A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0")
    state.settings = state.settings.model_copy(update={"unsettled_battles": states})
    fight = Fight(state)
    ask = fight.result_ask()
    assert ask.ends.says == says
    sheet: Any = ask.ends.account()
    gone = [name for name, line in sheet.items() if line.get("fate") == "disengaged"]
    assert {sheet[name]["turn"] for name in gone} == {1}
    assert [fight.battle.names[name].partition(".")[0] for name in gone] == [leaves]
    assert sheet["battle"]["winner"] == winner
