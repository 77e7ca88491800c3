"""The pace of a turn of forty units a Team: who is asked what, how often play rests, with contact and without."""

from rules_engine.core.protocol.asks import AnyAsk
from tests.rulebooks.border_patrol.squadrons import Asking, Sailing, sailed, squadrons


def asked(game: Sailing) -> dict[tuple[str, str], int]:
    """How often each Team was asked each kind of thing in the first turn."""
    found: dict[tuple[str, str], int] = {}
    for ask in _of_the_turn(game):
        for side in ask.parties:
            found[side, ask.kind] = found.get((side, ask.kind), 0) + 1
    return found


def _of_the_turn(game: Sailing) -> list[AnyAsk]:
    return [ask for step in game.steps for ask in step.opened if ask.awaited and ask.id.startswith("T1/")]


def test_without_contact_each_team_has_one_sheet_and_play_rests_once() -> None:
    game = sailed(Sailing, squadrons())
    state = game.adjudicator._state
    assert len(state.units) == 80
    assert len({*state.captains}) == 8
    assert all(stack.hex[:2] in ("03", "22") for stack in state.stacks.values()), "everybody moved"
    assert asked(game) == {("west", "plot"): 1, ("east", "plot"): 1}
    assert game.closings == 1


def test_with_one_contact_those_who_met_report_their_battle_and_nobody_is_asked_more() -> None:
    game = sailed(Sailing, squadrons(meet=True))
    assert asked(game) == {(side, kind): 1 for side in ("west", "east") for kind in ("plot", "battle")}
    assert game.closings == 2
    (battle,) = (ask for ask in _of_the_turn(game) if ask.kind == "battle")
    assert len(battle.form.lines) == 6, "the two stacks that met, of eighty units"


def test_who_wants_to_be_asked_is_asked_of_the_stack_that_met_somebody_alone() -> None:
    game = sailed(Asking, squadrons(meet=True))
    assert asked(game)["west", "onward"] == 1
    assert {line.key for ask in _of_the_turn(game) if ask.kind == "onward" for line in ask.form.lines} == {"W1"}
    assert game.closings > 2
