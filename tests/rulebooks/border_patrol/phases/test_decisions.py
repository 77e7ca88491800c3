"""What captains are asked in mid-turn and told of their stacks, also in each phase, and stacks that go on."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.scenario.opening import set_up
from rules_engine.rulebooks.border_patrol.scenario.reading import read_scenario
from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.plays import Played, after, play, world
from tests.rulebooks.border_patrol.squadrons import files, refused, with_change

NEAR = "blue B1 0505 CA\nblue base 0505 BATS\nred R1 0508 FF"
"""Red's frigate comes to 0507 in phase 6, two hexes from Blue, whose base widens its zone to as many."""


def test_whether_to_react(kept: Kept):
    (ask,) = play(world(NEAR), {"B1": {"react": "ask"}}, {"R1": {"route": "P6 0507"}}).asked("blue", "reaction")
    assert (ask.title, ask.text, ask.default_says) == ("B1 may react", "Phase 6: the Red Team in 0507.", "Stay.")
    assert ask.asks_for.hexes == ("0507", "0505")
    (line,) = ask.form.lines
    answer, way = line.fields
    assert (line.label, answer.label, answer.value) == ("B1 at 0505: B1-CA", "Answer", "stay")
    assert [choice.label for choice in answer.choices] == ["Stay", "React"]
    assert (way.label, way.help, way.most) == ("First hex", "One of 0506; blank takes the first", 20)
    refused = [
        str(one)
        for sheet in ({"B2": {"answer": "react"}, "B1": {"answer": "run"}}, {"B1": {"answer": "react", "way": "0504"}})
        for one in ask.check(ask.model.model_validate(sheet))
    ]
    assert refused == kept()
    assert list(ask.check(ask.model.model_validate({"B1": {"answer": "stay", "way": "0504"}}))) == []
    assert list(ask.read_back(ask.answer_from({"B1": {"answer": "react", "way": "0506"}}))) == ["B1: react by 0506"]
    assert list(ask.read_back(ask.answer_from({}))) == ["B1: stay"]
    assert list(ask.read_back(ask.model.model_validate({"B1": {}}))) == ["B1: stay"], "a line that says nothing"


def test_who_stands_beside_what_it_reacts_to_is_asked_for_no_way():
    """A cloaked intruder in its own hex: there is no hex to go to."""
    red = {"R1": {"cloak": "all turn", "route": "0506 0505"}}
    game = play(world("blue B1 0505 CA\nred R1 0507 CA[cloak_cost=10]"), {"B1": {"react": "ask"}}, red)
    (ask,) = game.asked("blue", "reaction")
    assert [field.key for field in ask.form.lines[0].fields] == ["answer"]


def test_whether_to_let_others_go_and_whether_to_go_on(kept: Kept):
    game = play(
        world("blue B1 0505 CA\nred R1 0505 CA\nred R2 0505 DD"),
        {"B1": {"route": "0506", "held": "withdraw"}},
        {"R1": {"let_go": "ask"}, "R2": {"let_go": "ask"}},
    )
    (ask,) = game.asked("red", "withdrawal")
    assert [line.label for line in ask.form.lines] == ["R1 at 0505: R1-CA", "R2 at 0505: R2-DD"]
    assert [(one.label, one.values) for one in ask.asks_for.offers] == kept()
    assert (ask.rule, ask.asks_for.hexes) == ("V8.25", ("0505",))
    meets = {"B1": {"route": "0506 0507", "onward": "ask"}}
    (onward,) = play(world("blue B1 0505 CA\nred R1 0507 CA"), meets).asked("blue", "onward")
    assert (onward.default_says, onward.asks_for.hexes) == ("Stop.", ("0507", "0506"))
    assert [one.label for one in onward.asks_for.offers] == ["Go on", "Turn back"]


def held(game: Played, side: str = "blue") -> list[tuple[str, str]]:
    return [(one.text, one.why.rule if one.why else "") for one in game.told(side, "held")]


@cases("lines, line, red, told")
def test_how_a_stack_leaves(lines: str, line: dict[str, Any], red: Any, told: list[tuple[str, str]]):
    assert held(play(world(lines), {"B1": {"route": "0506", **line}}, red)) == told


def test_why_a_stack_is_held():
    game = play(world("blue B1 0505 CA\nred R1 0505 CA"), {"B1": {"route": "0506", "held": "withdraw"}})
    stays = (
        "as much strength stays as the others have; or, of a pinned Team, at most the lead of its highest Command "
        "Rating leave, whoever has that among them, once a phase, and one stays"
    )
    is_held = f"B1 is held in 0505: 1 unit would leave, and a strength of 0 stays against others there. Legal: {stays}."
    asked = "The Blue Team asked to leave 0505: it may not leave before combat."
    assert held(game) == [(asked, "V8.25"), (is_held, "V8.23, V8.24")], "told once, though it would leave in two phases"
    assert held(game, "red") == [(asked, "V8.25")]


def test_engineers_and_sensors():
    lines = "blue B1 0505 DD[emergency_used=2 chief_engineer=7]\nblue B2 0808 CA[sensors_damaged=yes]"
    sheet = {"B1": {"emergency": ["B1-DD"]}, "B2": {"react": "any"}}
    game = play(world(lines), sheet, dice={"engineer": [4, 4], "sensors": [1, 1]})
    (told,) = game.told("blue", "engines")
    assert told.text == "B1-DD fails to use Emergency Movement, loses 1 warp engine box, and is barred."
    assert told.why is not None
    assert [roll.purpose for roll in told.why.dice] == ["chief engineer of B1-DD"]
    assert told.why.inputs == (("skill", "7"),)
    (waits,) = game.told("blue", "reaction")
    assert waits.text == "B2 does not lie in wait: B2-CA has damaged sensors or scanners."
    assert waits.why is not None
    assert [roll.purpose for roll in waits.why.dice] == ["sensors of B2-CA"]


def test_initiative_and_time():
    game = play(world("blue B1 0505 CA"), {"B1": {"route": "0506"}})
    told, own = game.told("blue", "movement")
    assert own.text == "Own stacks: B1 0505 → 0506."
    assert game.texts("red", "movement") == ["Blue Team 0505 → 0506."]
    assert told.why is not None
    assert [roll.purpose for roll in told.why.dice] == ["initiative of the Blue Team", "initiative of the Red Team"]
    assert (told.why.rule, told.when.label, told.when.step) == ("V8.15, BP-R57", "Turn 1, phase 2", 20)
    labels = {report.when.label: report.when.step for report in game.told("blue")}
    assert (labels["Turn 1"], labels["Turn 1, end"]) == (0, 90)
    assert game.texts("red", "turn") == ["Turn 1 of 3 begins."]


# --- each phase ------------------------------------------------------------------------------------------------------
LINES = "blue B1 0505 CA\nblue B2 0909 FF\nred R1 1111 CA"
"""Cruisers have points in phases 2, 4, 5, 7 and 8, the frigate in 2, 3, 5, 6, 7 and 8."""


def asked_each(blue: Any = None, phases: Any = None, lines: str = LINES, **more: Any) -> Played:
    return play(world(lines, options=["ask_every_phase"]), blue, None, phase_blue=phases or [], **more)


@pytest.mark.rule("border_patrol", "V8.15", "V8.94")
class TestAskEveryPhase:
    @cases("lines, asked")
    def test_for_the_stacks_that_have_points_in_a_phase_after_the_first(self, lines: str, asked: list[Any]):
        asks = asked_each(lines=lines).asked("blue", "phase")
        assert [(ask.title, [line.key for line in ask.form.lines]) for ask in asks] == asked

    def test_a_line_says_how_far_a_stack_may_go_and_names_a_hex_beside_it(self):
        first, *_, last = asked_each(lines="blue B1 0505 CA+DD\nred R1 1111 CA").asked("blue", "phase")
        (line,) = first.form.lines
        assert (line.label, line.note) == ("B1 at 0505: B1-CA, B1-DD", "at 0505")
        assert [(one.key, one.label, one.most) for one in line.fields] == [
            ("route", "Route", 100), ("orders", "Standing orders", 100),
        ]  # fmt: skip
        assert line.fields[0].help == "At most 5 hexes more in this turn, e.g. 0504; stop holds"
        assert last.form.lines[0].fields[0].help == "At most 1 hex more in this turn, e.g. 0504; stop holds"

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
            said.append(ask.read_back(ask.answer_from({"B1": {"route": "0504"}})))
            said.append([str(one.hexes) for one in ask.courses(ask.default)])
            return {}

        asked_each({"B1": {"route": "0506 0507"}}, [look])
        assert said == [
            ["B1: goes 0506 0507", "B2: holds at 0909"],
            ["B1: holds at 0505; stops before others; stays if held; lets nobody leave", "B2: holds at 0909"],
            ["B1: goes 0504", "B2: holds at 0909"],
            ["('0505', '0506', '0507')"],
        ]

    def test_the_phase_itself_may_be_named(self):
        (ask, *_) = asked_each().asked("blue", "phase")
        assert list(ask.check(ask.model.model_validate({"B1": {"route": "P2 0506 P8 0507"}}))) == []

    def test_both_teams_are_asked_at_once(self):
        assert next(ask.title for ask in asked_each().asked("red", "phase")) == "Turn 1, phase 2"

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


@cases("case, proves, lines, orders, holds", "")
def test_how_stacks_go_on_and_whether_they_are_asked(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


class TestTheFile:
    OLD = "turns = 3\n"

    def test_options_are_named_in_it(self):
        texts = with_change("scenario.toml", self.OLD, f'{self.OLD}options = ["ask_every_phase"]\n', "intro")
        assert set_up(read_scenario(texts)).options == ["ask_every_phase"]
        assert set_up(read_scenario(files("intro"))).options == []

    def test_others_are_refused(self):
        (told,) = refused(with_change("scenario.toml", self.OLD, f'{self.OLD}options = ["ask_every_hex"]\n', "intro"))
        assert "scenario.toml.options.0" in told
        assert "ask_every_phase" in told


# --- moving on -------------------------------------------------------------------------------------------------------
CAUGHT_LINES = "blue B1 0505 CA\nred R1 0508 FF"
"""Red's frigate goes 6 hexes, in phases 2, 3, 5, 6, 7 and 8; Blue's cruiser 5, in phases 2, 4, 5, 7 and 8."""
COMES = {"R1": {"route": "0507 0506 P7 0507", "orders": "break out"}}


def caught(orders: str, lines: str = CAUGHT_LINES, red: Any = COMES, **more: Any) -> Played:
    """Blue reacts in phase 3, by the point that it held in phase 2, and is in 0506 with Red."""
    return play(world(lines), {"B1": {"react": "any", "orders": orders}}, red, **more)


LEFT = {"RU1": {"fate": "destroyed"}}


@pytest.mark.rule("border_patrol", "V8.69")
class TestAsking:
    def test_its_captain_is_asked_and_silence_stays(self):
        game = caught("return ask", battle=LEFT)
        (ask,) = game.asked("blue", "moving on")
        assert (ask.title, ask.text) == ("B1 may move on", "It is in 0506, and may enter 4 hexes more in this turn.")
        assert [(one.label, one.values) for one in ask.asks_for.offers] == [("Go back", {"B1": {"answer": "go back"}})]
        (route,) = [one for one in ask.form.lines[0].fields if one.key == "route"]
        assert route.help == "e.g. 0505; instead of the answer above"
        assert ask.read_back(ask.default) == ["B1: stay"]
        assert (game.hexes(), game.asked("red", "moving on")) == ({"B1": "0506"}, [])

    def test_a_route_is_read_back(self):
        (ask,) = caught("return ask", battle=LEFT).asked("blue", "moving on")
        assert ask.read_back(ask.model.model_validate({"B1": {"route": "0507"}})) == ["B1: goes 0507"]

    @cases("route, rule, legal, nearest")
    def test_what_is_refused_of_going_on(self, route: str, rule: str, legal: str, nearest: tuple[str, ...]):
        (ask,) = caught("return ask", battle=LEFT).asked("blue", "moving on")
        (one,) = ask.check(ask.model.model_validate({"B1": {"route": route}}))
        assert (one.path, one.rule, one.legal, one.nearest) == ("B1.route", rule, legal, nearest)


@pytest.mark.rule("border_patrol", "V8.69")
def test_who_caught_others_where_it_lay_in_wait_has_nowhere_to_go_back_to():
    """From 0506 it intercepts in 0505, where it came from."""
    lines = f"{CAUGHT_LINES}\nred R2 0402 FF"
    game = caught("return ask", lines, {**COMES, "R2": {"route": "0403 0404 P7 0505"}}, battle=[LEFT, LEFT])
    assert game.hexes() == {"B1": "0505"}
    first, second = game.asked("blue", "moving on")
    assert [len(one.asks_for.offers) for one in (first, second)] == [1, 0]
