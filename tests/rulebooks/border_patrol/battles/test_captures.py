"""Captured units: whose they are then, what they bring with them, and who cannot be captured."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.border_patrol import RULEBOOK
from rules_engine.rulebooks.border_patrol.battles.captures import capture
from tests.rulebooks.border_patrol.plays import Played, play, world

LINES = "blue B1 0505 CA+DD\nred R1 0507 CA+DD[flagship=yes]"
MEET = {"R1": {"route": "0506 0505"}}


def fought(account: dict[str, dict[str, Any]], lines: str = LINES, **more: Any) -> Played:
    """Red comes to Blue's hex, in phase 4."""
    return play(world(lines), more.pop("blue", None), more.pop("red", MEET), battle=account, **more)


def refused(account: dict[str, dict[str, Any]], lines: str = LINES) -> list[tuple[str, str]]:
    (ask,) = fought({}, lines).asked("blue", "battle")[:1]
    filled: Any = {key: {**line, **account.get(key, {})} for key, line in ask.form.prefilled().items()}
    with pytest.raises(Refused) as found:
        ask.answer_from(filled)
    assert all(one.problem and one.legal for one in found.value.refusals)
    return [(one.path, one.rule) for one in found.value.refusals]


TAKEN = {"RU2": {"fate": "captured", "warp": 5, "crippled": True}}


@pytest.mark.rule("border_patrol", "V8.22")
class TestCaptured:
    def test_it_goes_over_as_a_stack_of_its_own_as_it_is(self):
        game = fought(TAKEN)
        unit = game.state.units["R1-DD"]
        assert (unit.team, unit.warp_ok, unit.crippled, unit.flagship) == ("blue", 5, True, False)
        stack = game.state.stacks["B2"]
        assert (stack.team, stack.hex, stack.units, stack.captain) == ("blue", "0505", ["R1-DD"], "blue-one")
        assert game.state.stacks["R1"].units == ["R1-CA"]

    def test_its_captors_are_told_its_stack_and_both_what_happened(self):
        game = fought(TAKEN)
        assert "Prize R1-DD captured in 0505, as B2." in game.texts("blue", "battle")
        said = "The battle in 0505 is over. RU2 R1-DD: captured, 5 warp engine boxes, crippled."
        assert game.texts("blue", "battle")[-1] == game.texts("red", "battle")[-1] == said
        assert "as B2" not in game.seen_by("red")

    def test_it_scores_as_one_destroyed(self):
        assert {key: team.score for key, team in fought(TAKEN).state.teams.items()} == {"blue": 6, "red": 0}

    def test_it_is_commanded_in_the_next_turn(self):
        state = fought(TAKEN).state
        state.units["R1-CA"].hex = state.stacks["R1"].hex = "1111"
        play(state, {"B2": {"route": "0506"}})
        assert state.stacks["B2"].hex == "0506"

    def test_a_whole_stack_is_gone_when_all_of_it_is_captured(self):
        game = fought({"RU1": {"fate": "captured"}, **TAKEN})
        assert "R1" not in game.state.stacks
        assert game.state.stacks["B2"].units == ["R1-CA", "R1-DD"]

    def test_a_base_is_a_source_of_its_captors_supply(self):
        lines = "blue base 0505 BATS\nblue B1 0909 CA\nred R1 0507 CA"
        game = fought({"BU1": {"fate": "captured"}}, lines)
        assert game.state.units["blue-0505"].team == "red"
        assert all("blue-0505" not in stack.units for stack in game.state.stacks.values())

    @pytest.mark.rule("border_patrol", "V8.31")
    def test_what_it_towed_is_let_go(self):
        lines = "blue B1 0505 CA\nred R1 0507 CA[towing=R1-DD]+DD"
        game = fought({"RU1": {"fate": "captured"}}, lines)
        assert (game.state.units["R1-CA"].towing, game.state.units["R1-DD"].towed_by) == ([], "")

    @pytest.mark.rule("border_patrol", "V8.82")
    def test_a_tug_that_was_crippled_with_it_had_let_its_tow_go(self):
        lines = "blue B1 0505 CA\nred R1 0507 TUG[towing=R1-DD]+DD"
        game = fought({"RU1": {"fate": "captured", "crippled": True}}, lines)
        assert (game.state.units["R1-TUG"].team, game.state.units["R1-DD"].team) == ("blue", "red")
        assert (game.state.units["R1-TUG"].towing, game.state.units["R1-DD"].towed_by) == ([], "")
        assert game.texts("red", "engines") == ["R1-TUG lets go of R1-DD."]
        assert game.texts("blue", "engines") == []

    def test_a_convoy_whose_ships_are_captured_is_caught(self):
        lines = "blue B1 0506 CA\nred R1 0505 FT\nconvoy red R1 0505 0504"
        game = fought({"RU1": {"fate": "captured"}}, lines, blue={"B1": {"route": "0505"}}, red=None)
        assert game.state.convoys["R1"].fate == "caught"
        assert game.state.teams["blue"].score == 6 + 3

    def test_it_lies_in_wait_and_hides_no_longer(self):
        lines = "blue B1 0505 CA\nred R1 0507 CA[cloak_cost=10]"
        red = {"R1": {"cloak": "all turn", "react": "any"}}
        game = fought({"RU1": {"fate": "captured"}}, lines, blue={"B1": {"route": "0506 0507"}}, red=red)
        unit = game.state.units["R1-CA"]
        assert (unit.team, unit.reacting, unit.cloaked, unit.accrued) == ("blue", False, False, 0)


class TestWhatIsRefused:
    def test_by_nobody_who_stays(self):
        account = {"BU1": {"fate": "disengaged"}, "BU2": {"fate": "destroyed"}, **TAKEN}
        assert refused(account) == [("RU2.fate", "BP-N28")]
        assert refused({"BU1": {"fate": "captured"}, "BU2": {"fate": "captured"}, "RU1": {"fate": "captured"}, **TAKEN})

    @pytest.mark.rule("border_patrol", "V8.18")
    def test_what_is_aboard_others(self):
        lines = LINES.replace("CA+DD\n", "CA+DD[kind=fighter]\n")
        (ask,) = fought({}, lines).asked("blue", "battle")[:1]
        fates = [one.value for one in ask.form.by_key["BU2"].fields[0].choices]
        assert "captured" not in fates
        assert refused({"BU2": {"fate": "captured"}}, lines) == [("BU2.fate", "BP-N28")]

    def test_accounts_differ_by_who_was_captured(self):
        (ask,) = fought({}).asked("blue", "battle")[:1]
        assert ask.agree is not None
        filled: Any = ask.form.prefilled()
        mine = ask.answer_from({**filled, "RU1": {"fate": "captured"}})
        theirs = ask.answer_from({**filled, "RU1": {"fate": "destroyed"}})
        assert ask.agree({"blue": mine, "red": theirs}).differences == (
            "RU1 R1-CA: Blue Team says captured; Red Team says destroyed",
        )


def taking(key: str) -> Any:
    """That a unit is captured where it is, and nothing else."""

    def flow(turn: Any) -> Any:
        capture(turn, turn.state.units[key].hex, [turn.state.units[key]])
        return
        yield

    return flow


def test_nobody_goes_after_an_own_unit_that_was_the_others():
    state = world("blue B1 0505 CA\nblue B2 0606 CA[reacting=yes target=R1-CA]\nred R1 0505 CA")

    Played(state, steps=taking("R1-CA"))
    assert state.units["R1-CA"].team == "blue"
    assert state.units["B2-CA"].target == ""


@pytest.mark.rule("border_patrol", "V8.63", "V8.66")
def test_one_that_had_left_its_station_by_points_it_held_has_still_done_so():
    """It has no point of its own for the hex that it entered in reaction: nothing is wrong, though that is over."""
    state = world("blue B1 0505 CA\nred R1 0505 CA[reacting=yes left_station=yes accrued=1]")
    state.units["R1-CA"].allowed_in, state.units["R1-CA"].moved_in = {2: 2}, {2: 1}
    Played(state, steps=taking("R1-CA"))
    assert (state.units["R1-CA"].team, state.units["R1-CA"].reacting) == ("blue", False)
    assert RULEBOOK.defects(state) == []
