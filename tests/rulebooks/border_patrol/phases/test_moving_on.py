"""Stacks that caught whom they reacted to, and go on by what points they have left."""

from typing import Any

import pytest

from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.plays import Played, play, world

LINES = "blue B1 0505 CA\nred R1 0508 FF"
"""Red's frigate goes 6 hexes, in phases 2, 3, 5, 6, 7 and 8; Blue's cruiser 5, in phases 2, 4, 5, 7 and 8."""
COMES = {"R1": {"route": "0507 0506 P7 0507", "orders": "break out"}}


def caught(orders: str, lines: str = LINES, red: Any = COMES, **more: Any) -> Played:
    """Blue reacts in phase 3, by the point that it held in phase 2, and is in 0506 with Red."""
    return play(world(lines), {"B1": {"react": "any", "orders": orders}}, red, **more)


LEFT = {"RU1": {"fate": "destroyed"}}


@pytest.mark.rule("border_patrol", "V8.69")
class TestGoingBack:
    def test_it_stays_if_nothing_else_is_ordered(self):
        game = caught("stay", battle=LEFT)
        assert game.hexes() == {"B1": "0506"}
        assert game.asked("blue", "moving on") == []

    def test_it_goes_back_to_where_it_lay_in_wait_by_the_points_that_are_left(self):
        game = caught("return", battle=LEFT)
        assert game.hexes() == {"B1": "0505"}
        assert game.texts("blue", "reaction")[-1] == "B1 goes on from 0506: 0505."
        unit = game.state.units["B1-CA"]
        assert (unit.moved_in[3], unit.moved_in[4]) == (1, 1)
        assert not unit.target

    def test_it_is_held_as_any_that_leaves_a_hex_with_others(self):
        game = caught("return")
        assert game.hexes()["B1"] == "0506"
        assert game.texts("blue", "held")[0].startswith("B1 is held in 0506")

    def test_no_longer_than_the_points_last(self):
        """It catches Red in the last phase, and has nothing left for another one."""
        late = {"R1": {"route": "P7 0507 P8 0506"}}
        game = caught("return ask", red=late, battle=LEFT)
        assert game.hexes() == {"B1": "0506"}
        assert game.asked("blue", "moving on") == []


@pytest.mark.rule("border_patrol", "V8.63", "V8.69")
def test_held_points_are_spent_on_the_way_on():
    """With a base it sees two hexes far. It holds the points of phases 2, 4 and 5, goes two hexes in phase 6, has one
    left, and goes two of its way on in phase 7: by the phase's own point and the held one."""
    lines = f"{LINES.replace('FF', 'FF[warp_ok=24 warp_original=24]')}\nblue base 0505 BATS"
    game = caught(
        "return ask",
        lines,
        {"R1": {"route": "P6 0507"}},
        battle=LEFT,
        **{"moving on_blue": {"B1": {"route": "0508 0509 0510"}}},
    )
    unit = game.state.units["B1-CA"]
    assert (unit.moved_in[6], unit.moved_in[7], unit.moved_in[8], unit.accrued) == (2, 2, 1, 0)
    assert game.hexes() == {"B1": "0510"}


@pytest.mark.rule("border_patrol", "V8.69")
class TestAsking:
    def test_its_captain_is_asked_and_silence_stays(self):
        game = caught("return ask", battle=LEFT)
        (ask,) = game.asked("blue", "moving on")
        assert (ask.title, ask.text) == (
            "B1 may move on",
            "It is in 0506, and may enter 4 hexes more in this turn.",
        )
        assert [(one.label, one.values) for one in ask.asks_for.offers] == [("Go back", {"B1": {"answer": "go back"}})]
        (route,) = [one for one in ask.form.lines[0].fields if one.key == "route"]
        assert route.help == "e.g. 0505; instead of the answer above"
        assert ask.read_back(ask.default) == ["B1: stay"]
        assert game.hexes() == {"B1": "0506"}
        assert game.asked("red", "moving on") == []

    def test_it_goes_back_or_by_a_route(self):
        back = caught("return ask", battle=LEFT, **{"moving on_blue": {"B1": {"answer": "go back"}}})
        assert back.hexes() == {"B1": "0505"}
        on = caught("return ask", battle=LEFT, **{"moving on_blue": {"B1": {"route": "0507 to 0509"}}})
        assert on.hexes() == {"B1": "0509"}
        (ask,) = on.asked("blue", "moving on")
        assert ask.read_back(ask.model.model_validate({"B1": {"route": "0507"}})) == ["B1: goes 0507"]

    @cases("route, rule, legal, nearest")
    def test_what_is_refused(self, route: str, rule: str, legal: str, nearest: tuple[str, ...]):
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


@pytest.mark.rule("border_patrol", "V8.62", "V8.69")
def test_it_reacts_anew_to_others_on_its_way_back_and_that_way_is_over(kept: Kept):
    lines = f"{LINES}\nred R2 0308 FF"
    red = {**COMES, "R2": {"route": "P5 0307 P6 0306 P7 0405"}}
    game = caught("return", lines, red, battle=[LEFT, {}])
    assert game.hexes()["B1"] == "0405"
    assert [text for text in game.texts("blue", "reaction") if "intercepts" in text] == kept()


@pytest.mark.rule("border_patrol", "V8.64", "V8.69")
def test_who_has_no_engines_left_is_not_asked():
    account = {"BU1": {"fate": "damaged", "warp": 0, "crippled": True}, **LEFT}
    assert caught("return ask", battle=account).asked("blue", "moving on") == []


@pytest.mark.rule("border_patrol", "V8.62", "V8.69")
def test_a_way_back_that_ended_in_another_reaction_is_not_gone_on_with():
    """From 0507 it is on its way to 0505, and has come to 0506, when others come to 0606 beside it."""
    lines = f"{LINES}\nblue base 0505 BATS\nred R2 0607 FF"
    red = {"R1": {"route": "P6 0507"}, "R2": {"route": "P7 0606"}}
    answers = [{"B1": {"answer": "go back"}}, {"B1": {"answer": "stay"}}]
    more = {"moving on_blue": answers}
    game = caught("return ask", lines, red, battle=[LEFT, LEFT], **more)
    assert len(game.asked("blue", "moving on")) == 2
    assert game.hexes()["B1"] == "0606"


@pytest.mark.rule("border_patrol", "V8.69")
def test_who_caught_others_where_it_lay_in_wait_has_nowhere_to_go_back_to():
    """From 0506 it intercepts in 0505, where it came from."""
    lines = f"{LINES}\nred R2 0402 FF"
    red = {**COMES, "R2": {"route": "0403 0404 P7 0505"}}
    game = caught("return ask", lines, red, battle=[LEFT, LEFT])
    assert game.hexes() == {"B1": "0505"}
    first, second = game.asked("blue", "moving on")
    assert [len(one.asks_for.offers) for one in (first, second)] == [1, 0]
