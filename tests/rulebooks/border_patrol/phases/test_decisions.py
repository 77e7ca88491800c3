"""What captains are asked in mid-turn and told of their stacks, also in each phase, and stacks that go on."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.scenario.opening import set_up
from rules_engine.rulebooks.border_patrol.scenario.reading import read_scenario
from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.plays import Played, play, world
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
    def test_nobody_is_asked_where_the_scenario_does_not_say_so(self):
        assert play(world(LINES)).asked("blue", "phase") == []

    def test_for_the_stacks_that_have_points_in_a_phase_after_the_first(self):
        asks = asked_each().asked("blue", "phase")
        assert {ask.title: [line.key for line in ask.form.lines] for ask in asks} == {
            "Turn 1, phase 2": ["B1", "B2"], "Turn 1, phase 3": ["B2"], "Turn 1, phase 4": ["B1"],
            "Turn 1, phase 5": ["B1", "B2"], "Turn 1, phase 6": ["B2"], "Turn 1, phase 7": ["B1", "B2"],
            "Turn 1, phase 8": ["B1", "B2"],
        }  # fmt: skip

    def test_nobody_is_asked_in_the_first_phase_whoever_has_points_in_it(self):
        """24 boxes at a cost of 1/3 are 12 hexes: a frigate with them has points in every phase."""
        asks = asked_each(lines="blue B1 0505 FF[warp_ok=24 warp_original=24]").asked("blue", "phase")
        assert [ask.title for ask in asks] == [f"Turn 1, phase {number}" for number in range(2, 9)]

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
        assert (game.hexes()["B1"], game.state.stacks["B1"].orders.onward) == ("0502", "stop")
        assert game.moves("blue")[0] == "Phase 2: Blue Team 0505 → 0504."

    @pytest.mark.parametrize("word", ["stop", ""])
    def test_a_stack_may_be_held(self, word: str):
        assert asked_each({"B1": {"route": "0506 0507"}}, [{"B1": {"route": word}}]).hexes()["B1"] == "0505"

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
class TestGoingBack:
    def test_it_stays_if_nothing_else_is_ordered(self):
        game = caught("stay", battle=LEFT)
        assert (game.hexes(), game.asked("blue", "moving on")) == ({"B1": "0506"}, [])

    def test_it_goes_back_to_where_it_lay_in_wait_by_the_points_that_are_left(self):
        game = caught("return", battle=LEFT)
        assert (game.hexes(), game.texts("blue", "reaction")[-1]) == ({"B1": "0505"}, "B1 goes on from 0506: 0505.")
        unit = game.state.units["B1-CA"]
        assert (unit.moved_in[3], unit.moved_in[4]) == (1, 1)
        assert not unit.target

    def test_it_is_held_as_any_that_leaves_a_hex_with_others(self):
        game = caught("return")
        assert game.hexes()["B1"] == "0506"
        assert game.texts("blue", "held")[0].startswith("B1 is held in 0506")

    def test_no_longer_than_the_points_last(self):
        """It catches Red in the last phase, and has nothing left for another one."""
        game = caught("return ask", red={"R1": {"route": "P7 0507 P8 0506"}}, battle=LEFT)
        assert (game.hexes(), game.asked("blue", "moving on")) == ({"B1": "0506"}, [])


@pytest.mark.rule("border_patrol", "V8.63", "V8.69")
def test_held_points_are_spent_on_the_way_on():
    """With a base it sees two hexes far. It holds the points of phases 2, 4 and 5, goes two hexes in phase 6, has one
    left, and goes two of its way on in phase 7: by the phase's own point and the held one."""
    lines = f"{CAUGHT_LINES.replace('FF', 'FF[warp_ok=24 warp_original=24]')}\nblue base 0505 BATS"
    game = caught(
        "return ask", lines, {"R1": {"route": "P6 0507"}}, battle=LEFT,
        **{"moving on_blue": {"B1": {"route": "0508 0509 0510"}}},
    )  # fmt: skip
    unit = game.state.units["B1-CA"]
    assert (unit.moved_in[6], unit.moved_in[7], unit.moved_in[8], unit.accrued) == (2, 2, 1, 0)
    assert game.hexes() == {"B1": "0510"}


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

    def test_it_goes_back_or_by_a_route(self):
        back = caught("return ask", battle=LEFT, **{"moving on_blue": {"B1": {"answer": "go back"}}})
        assert back.hexes() == {"B1": "0505"}
        on = caught("return ask", battle=LEFT, **{"moving on_blue": {"B1": {"route": "0507 to 0509"}}})
        assert on.hexes() == {"B1": "0509"}
        (ask,) = on.asked("blue", "moving on")
        assert ask.read_back(ask.model.model_validate({"B1": {"route": "0507"}})) == ["B1: goes 0507"]

    @cases("route, rule, legal, nearest")
    def test_what_is_refused_of_going_on(self, route: str, rule: str, legal: str, nearest: tuple[str, ...]):
        (ask,) = caught("return ask", battle=LEFT).asked("blue", "moving on")
        (one,) = ask.check(ask.model.model_validate({"B1": {"route": route}}))
        assert (one.path, one.rule, one.legal, one.nearest) == ("B1.route", rule, legal, nearest)


@pytest.mark.rule("border_patrol", "V8.64")
def test_a_crippled_reactor_moves_as_others_do_by_what_its_captain_says():
    """What it held is lost; it goes on by points of the phases, with half its boxes in phases 4 and 8."""
    account = {"BU1": {"fate": "damaged", "warp": 15, "crippled": True}, **LEFT}
    game = caught("return ask", battle=account, **{"moving on_blue": {"B1": {"route": "0507"}}})
    unit = game.state.units["B1-CA"]
    assert (unit.reacting, unit.accrued) == (False, 0)
    assert game.hexes() == {"B1": "0507"}


@pytest.mark.rule("border_patrol", "V8.64")
def test_a_crippled_unit_that_reacted_to_nobody_is_not_asked():
    """Red comes to its hex; it lay in wait for nobody."""
    account = {"BU1": {"fate": "damaged", "warp": 15, "crippled": True}, **LEFT}
    lines = "blue B1 0505 CA\nred R1 0507 FF"
    game = play(world(lines), {"B1": {"orders": "return ask"}}, {"R1": {"route": "0506 0505"}}, battle=account)
    assert (len(game.asked("blue", "battle")), game.asked("blue", "moving on")) == (1, [])


@pytest.mark.rule("border_patrol", "V8.62", "V8.69")
def test_it_reacts_anew_to_others_on_its_way_back_and_that_way_is_over(kept: Kept):
    lines = f"{CAUGHT_LINES}\nred R2 0308 FF"
    game = caught("return", lines, {**COMES, "R2": {"route": "P5 0307 P6 0306 P7 0405"}}, battle=[LEFT, {}])
    assert game.hexes()["B1"] == "0405"
    assert [text for text in game.texts("blue", "reaction") if "intercepts" in text] == kept()


@pytest.mark.rule("border_patrol", "V8.64", "V8.69")
def test_who_has_no_engines_left_is_not_asked():
    account = {"BU1": {"fate": "damaged", "warp": 0, "crippled": True}, **LEFT}
    assert caught("return ask", battle=account).asked("blue", "moving on") == []


@pytest.mark.rule("border_patrol", "V8.62", "V8.69")
def test_a_way_back_that_ended_in_another_reaction_is_not_gone_on_with():
    """From 0507 it is on its way to 0505, and has come to 0506, when others come to 0606 beside it."""
    lines = f"{CAUGHT_LINES}\nblue base 0505 BATS\nred R2 0607 FF"
    red = {"R1": {"route": "P6 0507"}, "R2": {"route": "P7 0606"}}
    more = {"moving on_blue": [{"B1": {"answer": "go back"}}, {"B1": {"answer": "stay"}}]}
    game = caught("return ask", lines, red, battle=[LEFT, LEFT], **more)
    assert (len(game.asked("blue", "moving on")), game.hexes()["B1"]) == (2, "0606")


@pytest.mark.rule("border_patrol", "V8.69")
def test_who_caught_others_where_it_lay_in_wait_has_nowhere_to_go_back_to():
    """From 0506 it intercepts in 0505, where it came from."""
    lines = f"{CAUGHT_LINES}\nred R2 0402 FF"
    game = caught("return ask", lines, {**COMES, "R2": {"route": "0403 0404 P7 0505"}}, battle=[LEFT, LEFT])
    assert game.hexes() == {"B1": "0505"}
    first, second = game.asked("blue", "moving on")
    assert [len(one.asks_for.offers) for one in (first, second)] == [1, 0]
