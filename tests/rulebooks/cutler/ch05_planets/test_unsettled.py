"""Ground combat that ends by rule (5.3, CU-N187): nobody is lost, and it goes on only when something has changed."""

from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.cutler.ch05_planets.assault import assaults_steps
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.rulebooks.cutler.ch05_planets.test_assault import fight, fought
from tests.rulebooks.cutler.worlds import Run, table_of


def ended_by_rule(state: CutlerState) -> Run:
    """Fights for planets that end by rule."""
    table = table_of(state)

    def by_rule(ask: AnyAsk) -> Any:
        assert ask.ends is not None
        table.shared.settlements[ask.id] = "by rule"
        return ask.ends.account()

    return Run(table, assaults_steps(table), {("assault", ""): by_rule})


@pytest.mark.rule("cutler", "5.3")
def test_troops_fight_on_after_an_end_by_rule_only_when_some_have_come() -> None:
    state, cub = fight(boarding_parties=5, landed={"hydran": 3})
    (ask,) = ended_by_rule(state).asks
    assert ask.ends is not None
    assert ask.ends.says.endswith("They do not fight on until troops come, leave or are lost.")
    assert (cub.boarding_parties, cub.landed) == (5, {"hydran": 3})
    assert [ended_by_rule(state).asks for _ in range(2)] == [[], []]
    cub.landed["hydran"] = 4
    assert len(ended_by_rule(state).asks) == 1
    assert fought(state, planet={"boarding_parties": 5}, H={"boarding_parties": 4}).asks == []
