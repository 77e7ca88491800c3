"""Scenarios that have their captains asked in each movement phase, and in which equals may leave by command."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.scenario.opening import set_up
from rules_engine.rulebooks.border_patrol.scenario.reading import read_scenario
from tests.expected.kept import cases
from tests.rulebooks.border_patrol.plays import Played, play, world
from tests.rulebooks.border_patrol.worlds import files, refused, with_change

LINES = "blue B1 0505 CA\nblue B2 0909 FF\nred R1 1111 CA"
"""Cruisers have points in phases 2, 4, 5, 7 and 8, the frigate in 2, 3, 5, 6, 7 and 8."""


def asked_each(blue: Any = None, phases: Any = None, lines: str = LINES, **more: Any) -> Played:
    state = world(lines, options=["ask_every_phase"])
    return play(state, blue, None, phase_blue=phases or [], **more)


@pytest.mark.rule("border_patrol", "V8.15", "V8.94")
class TestAskEveryPhase:
    def test_nobody_is_asked_where_the_scenario_does_not_say_so(self):
        assert play(world(LINES)).asked("blue", "phase") == []

    def test_for_the_stacks_that_have_points_in_a_phase_after_the_first(self):
        asks = asked_each().asked("blue", "phase")
        assert {ask.title: [line.key for line in ask.form.lines] for ask in asks} == {
            "Turn 1, phase 2": ["B1", "B2"],
            "Turn 1, phase 3": ["B2"],
            "Turn 1, phase 4": ["B1"],
            "Turn 1, phase 5": ["B1", "B2"],
            "Turn 1, phase 6": ["B2"],
            "Turn 1, phase 7": ["B1", "B2"],
            "Turn 1, phase 8": ["B1", "B2"],
        }

    def test_who_is_silent_goes_on_as_before(self):
        game = asked_each({"B1": {"route": "0506 0507"}})
        assert game.hexes()["B1"] == "0507"
        (first, *_) = game.asked("blue", "phase")
        assert first.form.prefilled()["B1"] == {"route": "0506 0507", "orders": "go on; stay; refuse"}
        assert first.default_says == "All stacks go on as before."
        assert (first.asks_for.situation, first.asks_for.others) == ("Ways from here on.", "go on as before")

    def test_it_is_read_back_where_stacks_go_and_hold(self):
        said: list[list[str]] = []

        def look(ask: Any) -> dict[str, Any]:
            said.append(ask.read_back(ask.default))
            said.append(ask.read_back(ask.answer_from({"B1": {"route": "stop", "orders": "stop"}})))
            said.append([str(one.hexes) for one in ask.courses(ask.default)])
            return {}

        asked_each({"B1": {"route": "0506 0507"}}, [look])
        assert said == [
            ["B1: goes 0506 0507", "B2: holds at 0909"],
            ["B1: holds at 0505; stops before others; stays if held; lets nobody leave", "B2: holds at 0909"],
            ["('0505', '0506', '0507')"],
        ]

    def test_a_new_way_and_new_words_hold_from_that_phase_on(self):
        sheets = [{"B1": {"route": "0504"}}, {}, {"B1": {"route": "0503 0502", "orders": "stop"}}]
        game = asked_each({"B1": {"route": "0506 0507"}}, sheets)
        assert game.hexes()["B1"] == "0502"
        assert game.state.stacks["B1"].orders.onward == "stop"
        assert game.moves("blue")[0] == "Phase 2: Blue Team 0505 → 0504."

    @pytest.mark.parametrize("word", ["stop", ""])
    def test_a_stack_may_be_held(self, word: str):
        assert asked_each({"B1": {"route": "0506 0507"}}, [{"B1": {"route": word}}]).hexes()["B1"] == "0505"

    def test_the_phase_itself_may_be_named(self):
        (ask, *_) = asked_each().asked("blue", "phase")
        assert list(ask.check(ask.model.model_validate({"B1": {"route": "P2 0506 P8 0507"}}))) == []

    def test_both_teams_are_asked_at_once(self):
        game = asked_each()
        assert next(ask.title for ask in game.asked("red", "phase")) == "Turn 1, phase 2"

    def test_what_lies_in_wait_is_not_asked_about(self):
        asks = asked_each({"B1": {"react": "any"}}).asked("blue", "phase")
        assert "B1" not in {line.key for ask in asks for line in ask.form.lines}

    @cases("line, path, rule, legal")
    def test_what_is_refused(self, line: dict[str, Any], path: str, rule: str, legal: str):
        (ask, *_) = asked_each().asked("blue", "phase")
        (one,) = ask.check(ask.model.model_validate({"B1": line}))
        assert (one.path, one.rule, one.legal) == (path, rule, legal)

    def test_bad_words_and_other_stacks_are_refused_too(self):
        (ask, *_) = asked_each().asked("blue", "phase")
        found = ask.check(ask.model.model_validate({"B1": {"orders": "halt"}, "B3": {"route": "0506"}}))
        assert [one.path for one in found] == ["B1.orders", "B3"]


@pytest.mark.rule("border_patrol", "V8.24")
def test_equals_may_leave_by_command_where_the_scenario_says_so():
    lines = "blue B1 0505 CA+DD\nred R1 0505 DD+DD"
    sheet = {"B1": {"route": "0506", "orders": "break out"}, "B1-ships": {"rearguard": ["B1-DD"]}}
    assert play(world(lines), sheet).hexes()["B1"] == "0505"
    assert play(world(lines, options=["equal_may_use_command"]), sheet).hexes()["B1"] == "0506"


class TestTheFile:
    OLD = "turns = 3\n"

    def test_options_are_named_in_it(self):
        texts = with_change("scenario.toml", self.OLD, f'{self.OLD}options = ["ask_every_phase"]\n', "intro")
        assert set_up(read_scenario(texts)).options == ["ask_every_phase"]
        assert set_up(read_scenario(files("intro"))).options == []

    def test_others_are_refused(self):
        texts = with_change("scenario.toml", self.OLD, f'{self.OLD}options = ["ask_every_hex"]\n', "intro")
        (told,) = refused(texts)
        assert "scenario.toml.options.0" in told
        assert "ask_every_phase" in told
