"""Battles that end by rule: who stays and who withdraws, and that the same ones do not fight again (13.2, JL-N19)."""

from collections.abc import Callable

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.jump_lanes.battles.fighting import open_battle
from rules_engine.rulebooks.jump_lanes.battles.outcome import space_units_at
from rules_engine.rulebooks.jump_lanes.battles.results import result_form
from rules_engine.rulebooks.jump_lanes.battles.unsettled import stated_end
from rules_engine.rulebooks.jump_lanes.phases.movement import movement_steps
from rules_engine.rulebooks.jump_lanes.records.state import LanesState
from tests.rulebooks.jump_lanes.battles.test_battles import asks, contact, fought
from tests.rulebooks.jump_lanes.frontier import CENTAURI, TERRAN, ship, squadron, standing, turn_of
from tests.rulebooks.jump_lanes.turns import Answer, Play, begin


def ended_by_rule(state: LanesState) -> Play:
    """A turn in which nobody moves, and battles end by rule."""
    play = begin(state)

    def answer(ask: AnyAsk) -> Answer | None:
        if ask.ends is None:
            return None
        play.turn.shared.settlements[ask.id] = "by rule"
        return ask.ends.account()

    play.run(movement_steps(play.turn, ()), answer)
    return play


@pytest.mark.rule("jump_lanes", "13.2")
def test_units_do_not_fight_again_when_their_battle_ended_by_rule() -> None:
    state = contact()
    (battle,) = asks(ended_by_rule(state), "battle")
    assert battle.ends is not None
    assert battle.ends.says.endswith(
        "They do not fight there again until somebody comes or goes, or a war is declared."
    )
    assert [asks(fought(state), "battle") for _ in range(2)] == [[], []]
    assert [*state.stood_off] == ["barnard"]


def test_units_fight_on_when_their_accounts_agreed() -> None:
    state = contact()
    assert [len(asks(fought(state), "battle")) for _ in range(2)] == [1, 1]
    assert state.stood_off == {}


def come(state: LanesState) -> None:
    """A squadron more."""
    squadron(state, "C2", "barnard", ship("Fox", CENTAURI))


def go(state: LanesState) -> None:
    """A squadron that leaves, and comes back later."""
    state.squadrons["T1"].at = "sol"
    assert asks(fought(state), "battle") == []
    state.squadrons["T1"].at = "barnard"


def lose(state: LanesState) -> None:
    """A unit less."""
    state.take_out(state.units["Wolf"])


def declare_war(state: LanesState) -> None:
    """War, where there was no treaty."""
    state.empires[TERRAN].stances[CENTAURI] = "war"


@pytest.mark.parametrize("change", [come, go, lose, declare_war])
def test_units_fight_again_when_something_has_changed(change: Callable[[LanesState], None]) -> None:
    state = contact()
    ended_by_rule(state)
    change(state)
    assert len(asks(fought(state), "battle")) == 1


def ends(state: LanesState) -> tuple[str, dict[str, object]]:
    """How the battle at Barnard ends by rule: in a sentence, and the fates."""
    battle = open_battle(turn_of(state), "barnard", space_units_at(state, "barnard"))
    end = stated_end(state, battle, result_form(state, battle))
    return end.says, {code: line["fate"] for code, line in end.account().items()}


def test_arrivals_withdraw_when_the_scenario_has_it_so() -> None:
    state = contact()
    state.squadrons["C1"].came_from = "ross"
    standing(state, ship("Bastion", kind="starbase"), "barnard")
    stay = dict.fromkeys(("TU1", "TU2", "TU3", "CU1", "CU2"), "intact")
    assert ends(state)[1] == stay
    state.arrivals_leave = True
    assert ends(state) == (
        "It is broken off without losses: squadrons that came there in this turn withdraw.",
        stay | {"CU1": "withdrew", "CU2": "withdrew"},
    )


def test_all_stay_when_nobody_came_in_this_turn() -> None:
    state = contact()
    state.arrivals_leave = True
    says, account = ends(state)
    assert says.endswith("They do not fight there again until somebody comes or goes, or a war is declared.")
    assert set(account.values()) == {"intact"}
