"""Monsters that are fought by hand: where, who plays them, and who scores them."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from tests.rulebooks.border_patrol.plays import Played, play, world
from tests.rulebooks.border_patrol.worlds import refused, with_change

LINES = "blue B1 0506 CA+DD\nred R1 1111 CA\nmonster dragon 0505 stays by-hand"
GOES = {"B1": {"route": "0505"}}


def fought(account: dict[str, dict[str, Any]] | None = None, lines: str = LINES, **more: Any) -> Played:
    """Blue comes to the dragon's hex."""
    return play(world(lines), more.pop("blue", GOES), more.pop("red", None), battle=account, **more)


@pytest.mark.rule("border_patrol", "V8.22")
class TestWhere:
    def test_where_one_team_comes_to_it_and_the_other_plays_it(self):
        game = fought()
        (ask,) = game.asked("blue", "battle")
        assert ask.parties == ("blue", "red")
        assert [line.label for line in ask.form.lines] == [
            "BU1: B1-CA (Blue Team)",
            "BU2: B1-DD (Blue Team)",
            "MU1: Dragon (monster)",
        ]
        setup = ask.setup
        assert setup is not None
        assert setup.title == "Battle in 0505: Blue Team against Dragon"
        assert setup.panels[-1].title == "Nobody's, played by the Red Team"
        assert setup.scene is not None
        assert {unit.code: unit.side for unit in setup.scene.units} == {"BU1": "blue", "BU2": "blue", "MU1": "red"}
        assert [force.does for force in setup.scene.forces] == ["fights", "plays the Dragon"]
        assert [unit.kind for unit in setup.scene.units][-1] == "Dragon"
        assert setup.secret["red"][0].rows == ()

    def test_where_it_comes_to_somebody(self):
        lines = LINES.replace("0505 stays", "0504 hunts allowance=8 senses=3")
        assert fought(lines=lines, blue={}).asked("blue", "battle") != []

    def test_not_where_nobody_came(self):
        assert fought(lines=LINES.replace("0506", "0505"), blue={}).asked("blue", "battle") == []

    def test_not_with_those_under_cloak(self):
        lines = LINES.replace("CA+DD\n", "CA[cloak_cost=10]\n")
        sheet = {"B1": {"cloak": "all turn", "route": "0505"}}
        assert fought(lines=lines, blue=sheet).asked("blue", "battle") == []

    def test_beside_a_battle_of_both_teams_who_moved_last_plays_it(self):
        lines = LINES.replace("1111", "0405")
        game = fought(lines=lines, red={"R1": {"route": "0505"}})
        (ask, *_) = game.asked("blue", "battle")
        assert [line.key for line in ask.form.lines] == ["BU1", "BU2", "RU1", "MU1"]
        assert ask.setup is not None
        assert ask.setup.panels[-1].title == "Nobody's, played by the Red Team"

    def test_not_where_it_is_alone(self):
        lines = LINES.replace("0505 stays", "0805 follows 0806 allowance=8")
        assert fought(lines=lines, blue={}).asked("red", "battle") == []

    def test_one_that_bpv_drives_off_is_not_fought(self):
        lines = LINES.replace("by-hand", "driven_off_by=999")
        assert fought(lines=lines).asked("blue", "battle") == []


class TestWhatComesOfIt:
    @pytest.mark.parametrize(("fate", "how"), [("destroyed", "is destroyed"), ("disengaged", "leaves")])
    def test_who_is_left_there_scores_it(self, fate: str, how: str):
        game = fought({"MU1": {"fate": fate}})
        assert "dragon" not in game.state.units
        assert game.texts("red", "monster") == [f"The Dragon {how} before the Blue Team in 0505."]
        assert {key: team.score for key, team in game.state.teams.items()} == {"blue": 4, "red": 0}

    def test_nobody_scores_it_where_both_are_left_or_none(self):
        lines = LINES.replace("1111", "0405")
        both = fought({"MU1": {"fate": "destroyed"}}, lines, red={"R1": {"route": "0505"}})
        assert both.texts("red", "monster") == ["The Dragon is destroyed in 0505."]
        assert {team.score for team in both.state.teams.values()} == {0}
        gone = {"MU1": {"fate": "destroyed"}, "BU1": {"fate": "disengaged"}, "BU2": {"fate": "destroyed"}}
        assert fought(gone).state.teams["blue"].score == 0

    def test_one_that_is_left_holds_who_is_there_and_counts_half_when_crippled(self):
        game = fought({"MU1": {"fate": "damaged", "crippled": True}}, blue={"B1": {"route": "0505 0504"}})
        assert game.state.units["dragon"].crippled
        assert game.hexes()["B1"] == "0504", "half a unit, rounded down, holds nobody"
        assert fought(blue={"B1": {"route": "0505 0504"}}).hexes()["B1"] == "0505"

    def test_its_hunters_may_be_lost_to_it(self):
        game = fought({"BU2": {"fate": "destroyed"}})
        assert "B1-DD" not in game.state.units
        assert game.state.teams["red"].score == 6, "the Team that played it"

    def test_it_is_neither_captured_nor_is_anything_but_its_fate_reported(self):
        (ask,) = fought().asked("blue", "battle")
        line = ask.form.by_key["MU1"]
        assert [field.key for field in line.fields] == ["fate", "crippled"]
        filled: Any = ask.form.prefilled()
        with pytest.raises(Refused) as found:
            ask.answer_from({**filled, "MU1": {"fate": "captured"}})
        assert [(one.path, one.rule) for one in found.value.refusals] == [("MU1.fate", "BP-N28")]


def test_a_file_says_either_what_drives_it_off_or_that_it_is_fought():
    both = with_change("units.toml", "driven_off_by = 120", "driven_off_by = 120\nby_hand = true", "intro")
    (told,) = refused(both)
    assert "means nothing of one that is fought by hand" in told
    neither = with_change("units.toml", "driven_off_by = 120\n", "", "intro")
    (told,) = refused(neither)
    assert "by_hand = true" in told
    assert refused(with_change("units.toml", "driven_off_by = 120", "by_hand = true", "intro")) == []
