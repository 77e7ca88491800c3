"""Battle hexes and monsters: who fights, what is reported and refused, what comes of it at once, and who scores."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from tests.expected.kept import cases
from tests.rulebooks.border_patrol.plays import Played, after, play, world
from tests.rulebooks.border_patrol.squadrons import refused, with_change

LINES = "blue B1 0505 CA+DD\nred R1 0507 CA"
MEET = {"R1": {"route": "0506 0505"}}


def fought(account: dict[str, dict[str, Any]] | None = None, lines: str = LINES, **more: Any) -> Played:
    """Red comes to Blue's hex, in phase 4."""
    return play(world(lines), more.pop("blue", None), more.pop("red", MEET), battle=account, **more)


def battle(game: Played) -> AnyAsk:
    return game.asked("blue", "battle")[0]


class TestWhoFights:
    def test_both_teams_units_in_a_hex_that_somebody_entered(self):
        game = fought()
        (ask,) = game.asked("blue", "battle")
        assert ask.parties == ("blue", "red")
        assert [(line.key, line.label) for line in ask.form.lines] == [
            ("BU1", "BU1: B1-CA (Blue Team)"),
            ("BU2", "BU2: B1-DD (Blue Team)"),
            ("RU1", "RU1: R1-CA (Red Team)"),
        ]
        assert game.texts("blue", "battle")[-1] == "The battle in 0505 is over. All are there as before."

    def test_nor_is_it_on_the_sheet_of_those_who_fight_there(self):
        game = fought(lines=f"{LINES}\nred R2 0505 DD[cloak_cost=5]", red=MEET | {"R2": {"cloak": "all turn"}})
        assert [line.key for line in battle(game).form.lines] == ["BU1", "BU2", "RU1"]

    def test_bases_do(self):
        game = play(world("blue base 0505 BATS\nred R1 0507 CA"), None, MEET)
        assert [line.key for line in battle(game).form.lines] == ["BU1", "RU1"]
        assert "disengaged" not in [one.value for one in battle(game).form.lines[0].fields[0].choices]

    def test_two_hexes_are_fought_side_by_side(self):
        game = fought(lines=f"{LINES}\nblue B2 0909 CA\nred R2 0911 CA", red=MEET | {"R2": {"route": "0910 0909"}})
        asks = game.asked("blue", "battle")
        assert [ask.strand for ask in asks][:2] == ["T1/P4/battles/0505", "T1/P4/battles/0909"]


class TestNobodyAgrees:
    @pytest.mark.rule("border_patrol", "V8.14")
    def test_all_stay_and_nobody_fights_again_until_somebody_enters(self):
        end = battle(fought()).ends
        assert end is not None
        assert end.says.endswith("They do not fight again there until somebody enters the hex.")
        assert {line["fate"] for line in end.account().values()} == {"intact"}

    @pytest.mark.rule("border_patrol", "V8.14")
    def test_who_moved_disengages_when_the_scenario_has_it_so(self):
        game = play(world(LINES, unsettled_battles="arrivals leave"), None, MEET, battle=lambda ask: ask.ends.account())
        assert "stacks that moved in this phase disengage" in battle(game).ends.says
        assert (game.hexes()["B1"], game.hexes()["R1"]) == ("0505", "0506")


class TestTheSheet:
    @pytest.mark.rule("border_patrol", "V8.65")
    def test_each_team_alone_reads_its_weapon_status_and_what_is_left_of_it(self):
        setup = battle(fought(dice={"status": [1, 3, 5]})).setup
        assert setup is not None
        assert [panel.rows for panel in setup.panels] == [
            ("open space",),
            ("BU1 B1-CA: CA, Size Class 3, BPV 0", "BU2 B1-DD: DD, Size Class 4, BPV 0"),
            ("RU1 R1-CA: CA, Size Class 3, BPV 0",),
        ]
        own = "Damage Control Rating 4, 3 tractor beams"
        assert setup.seen_by("red").secret == {"red": setup.secret["red"]}
        assert setup.secret["red"][0].rows == (f"RU1 R1-CA: Weapon Status 2 (1D6: 5), warp 30 of 30, {own}",)
        assert setup.secret["blue"][0].rows[0] == f"BU1 B1-CA: Weapon Status 0 (1D6: 1), warp 30 of 30, {own}"
        assert "Weapon Status 1" in setup.secret["blue"][0].rows[1]

    @pytest.mark.rule("border_patrol", "V8.45")
    def test_who_is_overhauled_fights_with_none_and_the_overhaul_is_broken_off(self):
        lines = "blue B1 0101 DD[emergency_used=2]\nred R1 0102 CA"
        game = play(world(lines), {"B1": {"overhaul": ["B1-DD"]}}, {"R1": {"route": "0101"}}, dice={"status": [6]})
        setup = battle(game).setup
        assert setup is not None
        assert "Weapon Status 0" in setup.secret["blue"][0].rows[0]
        assert "Weapon Status 2" in setup.secret["red"][0].rows[0]
        assert game.texts("blue", "engines") == ["The overhaul of B1-DD is broken off."]
        assert game.state.units["B1-DD"].emergency_used == 2

    def test_the_ground_is_the_hexs(self):
        state = world(LINES)
        state.terrain["0505"] = "asteroids"
        setup = battle(play(state, None, MEET)).setup
        assert setup is not None
        assert setup.panels[0].rows == ("asteroids",)


class TestTheAccount:
    def refused(self, sheet: dict[str, Any], lines: str = LINES) -> list[tuple[str, str]]:
        ask = battle(fought(lines=lines))
        filled = {key: {**line, **sheet.get(key, {})} for key, line in ask.form.prefilled().items()}
        filled |= {key: line for key, line in sheet.items() if key not in filled}
        with pytest.raises(Refused) as refused:
            ask.answer_from({key: line for key, line in filled.items() if line is not None})
        assert all(one.problem for one in refused.value.refusals)
        return [(one.path, one.rule) for one in refused.value.refusals]

    @cases("sheet, path, rule")
    def test_what_is_refused(self, sheet: dict[str, Any], path: str, rule: str):
        assert self.refused(sheet) == [(path, rule)]

    def test_every_unit_is_accounted_for(self):
        ask = battle(fought())
        with pytest.raises(Refused) as refused:
            ask.answer_from({"BU1": {"fate": "intact"}})
        assert [one.path for one in refused.value.refusals] == ["BU2", "RU1"]

    def test_what_was_so_before_stays_so(self):
        ask = battle(fought(lines=LINES.replace("0507 CA", "0507 CA[crippled=yes]")))
        assert "crippled" not in [field.key for field in ask.form.lines[2].fields]
        account: Any = ask.form.prefilled() | {"RU1": {"fate": "damaged", "crippled": False}}
        with pytest.raises(Refused) as refused:
            ask.answer_from(account)
        assert [one.path for one in refused.value.refusals] == ["RU1.crippled"]

    @pytest.mark.parametrize("less", [{"warp": 29}, {"crippled": True}])
    def test_who_has_less_than_before_is_damaged_though_its_fate_is_left_as_it_was(self, less: dict[str, Any]):
        ask = battle(fought())
        assert ask.agree is not None
        assert ask.guide is not None
        filled: Any = ask.form.prefilled()
        short = filled | {"RU1": {**filled["RU1"], **less}}
        whole = filled | {"RU1": {**filled["RU1"], **less, "fate": "damaged"}}
        accounts = {"blue": ask.answer_from(short), "red": ask.answer_from(whole)}
        assert ask.agree(accounts).differences == ()
        said = [list(ask.read_back(one))[2] for one in accounts.values()]
        assert said[0] == said[1]
        assert said[0].startswith("RU1 R1-CA: damaged, ")
        shown = [{one.code: (one.ending, one.says) for one in ask.guide.units(one)} for one in (short, whole, filled)]
        assert [one["RU1"] for one in shown] == [("hurt", "damaged"), ("hurt", "damaged"), ("there", "still there")]

    def test_accounts_agree_line_by_line_and_what_is_left_of_the_destroyed_does_not_matter(self):
        ask = battle(fought())
        assert ask.agree is not None

        def account(**lines: dict[str, Any]) -> Any:
            filled: Any = {key: {**line, **lines.get(key, {})} for key, line in ask.form.prefilled().items()}
            return ask.answer_from(filled)

        one = account(RU1={"fate": "destroyed", "warp": 3})
        other = account(RU1={"fate": "destroyed"})
        assert ask.agree({"blue": one, "red": other}).settled == one
        some = account(RU1={"fate": "damaged", "warp": 20})
        differ = ask.agree({"blue": some, "red": account(RU1={"fate": "damaged", "warp": 21})})
        assert differ.settled is None
        assert differ.differences == (
            "RU1 R1-CA: Blue Team says damaged, 20 warp engine boxes; Red Team says damaged, 21 warp engine boxes",
        )
        assert [(place.line, place.fields) for place in differ.places] == [("RU1", ("warp",))]
        assert [place.fields for place in ask.agree({"blue": some, "red": other}).places] == [()]


@cases("case, proves, lines, orders, holds", "")
def test_what_comes_of_a_battle(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


def test_who_was_met_is_noted_as_a_contact_of_that_moment():
    contact = fought().table.knowledge("red").contacts["E1"]
    assert (contact.live, contact.latest.hex, contact.latest.headline) == (False, "0505", "B1-CA (CA), B1-DD (DD)")


def test_who_disengaged_is_told_after_the_battle():
    game = fought({"RU1": {"fate": "disengaged"}})
    told = [report.text for report in game.told("blue") if report.kind in ("battle", "movement")]
    assert told[-1] == "R1-CA disengaged to 0506."
    assert game.table.knowledge("blue").contacts["E1"].latest.hex == "0506"


# --- monsters --------------------------------------------------------------------------------------------------------
MONSTER_LINES = "blue B1 0506 CA+DD\nred R1 1111 CA\nmonster dragon 0505 stays by-hand"
GOES = {"B1": {"route": "0505"}}


def met_monster(account: dict[str, dict[str, Any]] | None = None, lines: str = MONSTER_LINES, **more: Any) -> Played:
    """Blue comes to the dragon's hex."""
    return play(world(lines), more.pop("blue", GOES), more.pop("red", None), battle=account, **more)


@pytest.mark.rule("border_patrol", "V8.22")
class TestWhere:
    def test_where_one_team_comes_to_it_and_the_other_plays_it(self):
        (ask,) = met_monster().asked("blue", "battle")
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

    def test_beside_a_battle_of_both_teams_who_moved_last_plays_it(self):
        game = met_monster(lines=MONSTER_LINES.replace("1111", "0405"), red={"R1": {"route": "0505"}})
        (ask, *_) = game.asked("blue", "battle")
        assert [line.key for line in ask.form.lines] == ["BU1", "BU2", "RU1", "MU1"]
        assert ask.setup is not None
        assert ask.setup.panels[-1].title == "Nobody's, played by the Red Team"


def test_a_monster_is_neither_captured_nor_is_anything_but_its_fate_reported():
    (ask,) = met_monster().asked("blue", "battle")
    assert [field.key for field in ask.form.by_key["MU1"].fields] == ["fate", "crippled"]
    filled: Any = ask.form.prefilled()
    with pytest.raises(Refused) as found:
        ask.answer_from({**filled, "MU1": {"fate": "captured"}})
    assert [(one.path, one.rule) for one in found.value.refusals] == [("MU1.fate", "BP-N28")]


@cases("case, proves, lines, orders, holds", "")
def test_whether_a_monster_is_fought_and_what_comes_of_it(lines: str, orders: Any, holds: dict[str, Any]):
    assert after(lines, orders, holds) == holds


def test_a_file_says_either_what_drives_it_off_or_that_it_is_fought():
    both = with_change("units.toml", "driven_off_by = 120", "driven_off_by = 120\nby_hand = true", "intro")
    (told,) = refused(both)
    assert "means nothing of one that is fought by hand" in told
    (told,) = refused(with_change("units.toml", "driven_off_by = 120\n", "", "intro"))
    assert "by_hand = true" in told
    assert refused(with_change("units.toml", "driven_off_by = 120", "by_hand = true", "intro")) == []
