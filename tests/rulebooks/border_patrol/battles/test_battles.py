"""Battle hexes and monsters: who fights, what is reported and refused, what comes of it at once, and who scores."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from tests.rulebooks.border_patrol.plays import Played, play, world
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

    def test_nobody_where_nobody_entered(self):
        assert play(world("blue B1 0505 CA\nred R1 0505 CA")).asked("blue", "battle") == []

    def test_who_is_under_cloak_does_not(self):
        lines = LINES.replace("0507 CA", "0507 CA[cloak_cost=10]")
        game = fought(lines=lines, red={"R1": {"cloak": "all turn", "route": "0506 0505"}})
        assert (game.hexes()["R1"], game.asked("red", "battle")) == ("0505", [])

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
        game = play(world(LINES, unsettled_battles="arrivals leave"), None, MEET, battle=ended)
        assert "stacks that moved in this phase disengage" in battle(game).ends.says
        assert (game.hexes()["B1"], game.hexes()["R1"]) == ("0505", "0506")


def ended(ask: AnyAsk) -> Any:
    """The account by which a battle ends by rule."""
    assert ask.ends is not None
    return ask.ends.account()


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

    def test_what_is_refused(self):
        assert self.refused({"BU9": {"fate": "intact"}}) == [("BU9", "")]
        assert self.refused({"RU1": {"fate": "exploded"}}) == [("RU1.fate", "")]
        assert self.refused({"RU1": {"fate": "damaged", "warp": 31}}) == [("RU1.warp", "V8.48, G-6")]

    def test_every_unit_is_accounted_for(self):
        ask = battle(fought())
        with pytest.raises(Refused) as refused:
            ask.answer_from({"BU1": {"fate": "intact"}})
        assert [one.path for one in refused.value.refusals] == ["BU2", "RU1"]

    @pytest.mark.rule("border_patrol", "V8.14")
    def test_nobody_leaves_without_engines(self):
        for line in ({"warp": 0}, {"dropped": True}):
            assert self.refused({"RU1": {"fate": "disengaged", **line}}) == [("RU1.fate", "V8.14, BP-N25")]

    def test_nothing_grows_by_a_battle(self):
        hurt = LINES.replace("0507 CA", "0507 CA[warp_ok=20 tractors_ok=1 sensors_damaged=yes]")
        unit = fought({"RU1": {"warp": 25, "tractors": 3, "sensors": False}}, hurt).state.units["R1-CA"]
        assert (unit.warp_ok, unit.tractors_ok, unit.sensors_damaged) == (20, 1, True)

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


class TestWhatComesOfIt:
    @pytest.mark.rule("border_patrol", "V8.48", "V8.12")
    def test_allowances_follow_from_the_next_phase_on(self):
        game = fought({"RU1": {"fate": "damaged", "warp": 12}}, red={"R1": {"route": "0506 0505", "held": "stay"}})
        unit = game.state.units["R1-CA"]
        assert (unit.allowed_in[4], unit.allowed_in[5]) == (5, 2)

    @pytest.mark.rule("border_patrol", "V8.14")
    def test_dropped_engines_and_lost_sensors_are_noted(self):
        line = {"fate": "damaged", "dropped": True, "sensors": True, "tractors": 0, "dcr": 1}
        unit = fought({"RU1": line}).state.units["R1-CA"]
        assert (unit.warp_dropped, unit.sensors_damaged, unit.tractors_ok, unit.dcr) == (True, True, 0, 1)
        assert unit.allowed_in[5] == 0

    def test_what_is_scored(self):
        account = {
            "BU1": {"fate": "damaged", "crippled": True},
            "BU2": {"fate": "destroyed"},
            "RU1": {"fate": "damaged", "warp": 20},
        }
        game = fought(account)
        assert {key: team.score for key, team in game.state.teams.items()} == {"blue": 0, "red": 5 + 6}
        assert "B1-DD" not in game.state.units
        assert game.state.stacks["B1"].units == ["B1-CA"]

    @pytest.mark.rule("border_patrol", "V8.82")
    def test_a_crippled_tug_lets_go(self):
        lines = "blue B1 0505 TUG[towing=B1-DD]+DD\nred R1 0507 CA"
        game = fought({"BU1": {"fate": "damaged", "crippled": True}}, lines)
        assert (game.state.units["B1-TUG"].towing, game.state.units["B1-DD"].towed_by) == ([], "")
        assert game.texts("blue", "engines") == ["B1-TUG lets go of B1-DD."]

    @pytest.mark.rule("border_patrol", "V8.31")
    def test_a_tower_without_beams_lets_go(self):
        game = fought({"BU1": {"fate": "damaged", "tractors": 0}}, "blue B1 0505 CA[towing=B1-DD]+DD\nred R1 0507 CA")
        assert (game.state.units["B1-CA"].towing, game.state.units["B1-DD"].towed_by) == ([], "")

    @pytest.mark.rule("border_patrol", "V8.48")
    @pytest.mark.parametrize(("engineer", "dice", "kept"), [(0, [], False), (7, [3, 4], True), (7, [4, 4], False)])
    def test_emergency_movement_goes_with_the_rating_unless_the_engineer_helps(
        self, engineer: int, dice: list[int], kept: bool
    ):
        lines = f"blue B1 0505 CA[emergency_used=1 chief_engineer={engineer}]\nred R1 0507 CA"
        sheet = {"B1": {"emergency": ["B1-CA"]}}
        game = fought({"BU1": {"fate": "damaged", "dcr": 1}}, lines, blue=sheet, dice={"engineer": dice})
        unit = game.state.units["B1-CA"]
        assert (unit.allowed_in[4], unit.allowed_in[5]) == (8, 8 if kept else {True: 4, False: 5}[unit.warp_ok < 30])
        assert unit.emergency_barred == (bool(dice) and not kept)

    @pytest.mark.rule("border_patrol", "V8.64")
    def test_a_crippled_reactor_waits_no_longer_and_loses_what_it_held(self):
        lines = "blue B1 0505 CA\nred R1 0507 CA"
        game = fought({"BU1": {"fate": "damaged", "crippled": True}}, lines, blue={"B1": {"react": "must"}})
        unit = game.state.units["B1-CA"]
        assert (unit.reacting, unit.accrued) == (False, 0)

    @pytest.mark.rule("border_patrol", "V8.57", "V8.58")
    def test_a_cloaked_stack_with_a_crippled_unit_is_seen(self):
        lines = "blue B1 0505 CA\nred R1 0507 CA[cloak_cost=10]+DD[cloak_cost=5]"
        red = {"R1": {"cloak": "all turn", "route": "0506 0505"}}
        game = fought({"RU1": {"fate": "damaged", "crippled": True}}, lines, blue={"B1": {"react": "any"}}, red=red)
        assert [unit.cloaked for unit in game.state.members(game.state.stacks["R1"])] == [False, False]

    def test_who_was_met_is_noted_as_a_contact_of_that_moment(self):
        contact = fought().table.knowledge("red").contacts["E1"]
        assert (contact.live, contact.latest.hex, contact.latest.headline) == (False, "0505", "B1-CA (CA), B1-DD (DD)")


class TestWhoDisengages:
    @pytest.mark.rule("border_patrol", "V8.14")
    def test_not_who_had_no_engines_before_which_its_own_team_alone_is_told(self):
        game = fought({"BU1": {"fate": "disengaged"}}, LINES.replace("CA+DD", "CA[warp_ok=0]"))
        assert game.hexes()["B1"] == "0505"
        said = "B1-CA disengaged, has no warp engine that works, and stays in 0505."
        assert said in game.texts("blue", "movement")
        assert said not in game.texts("red", "movement")

    def test_goes_back_to_where_it_came_from(self):
        game = fought({"RU1": {"fate": "disengaged"}})
        assert game.hexes()["R1"] == "0506"
        assert game.moves("blue") == [
            "Phase 2: Red Team 0507 → 0506.",
            "Phase 4: Red Team 0506 → 0505.",
            "Phase 4: R1-CA disengaged to 0506.",
        ]
        told = [report.text for report in game.told("blue") if report.kind in ("battle", "movement")]
        assert told[-1] == "R1-CA disengaged to 0506.", "after what is told of the battle"

    def test_to_the_hex_nearest_to_its_supply_if_it_did_not_move(self):
        game = fought({"BU1": {"fate": "disengaged"}, "BU2": {"fate": "disengaged"}})
        assert game.hexes()["B1"] == "0404", "Sol is in 0101"

    def test_those_that_go_part_from_those_that_stay(self):
        assert fought({"BU2": {"fate": "disengaged"}}).hexes() == {"B1": "0505", "B2": "0404", "R1": "0505"}

    @pytest.mark.rule("border_patrol", "V8.18")
    @pytest.mark.parametrize(("gone", "where"), [(("BU1",), "0505"), (("BU1", "BU2"), "0404")])
    def test_what_is_aboard_goes_along_when_nobody_stays(self, gone: tuple[str, ...], where: str):
        lines = "blue B1 0505 CA+DD+FF[kind=fighter]\nred R1 0507 CA"
        game = fought({code: {"fate": "disengaged"} for code in gone}, lines)
        assert (game.state.units["B1-CA"].hex, game.state.units["B1-FF"].hex) == ("0404", where)

    def test_not_where_others_stand(self):
        lines = f"{LINES}\nred R2 0404 CA"
        assert fought({"BU1": {"fate": "disengaged"}, "BU2": {"fate": "disengaged"}}, lines).hexes()["B1"] == "0504"


class TestWhatElseComesOfIt:
    def test_who_was_crippled_before_is_not_scored_again(self):
        game = fought({"RU1": {"fate": "damaged", "warp": 3}}, LINES.replace("0507 CA", "0507 CA[crippled=yes]"))
        assert game.state.teams["blue"].score == 0

    @pytest.mark.rule("border_patrol", "V8.18")
    def test_what_was_aboard_is_lost_with_the_last_of_them(self):
        game = fought({"BU1": {"fate": "destroyed"}}, "blue B1 0505 CA+FF[kind=fighter]\nred R1 0507 CA")
        assert list(game.state.stacks) == ["R1"]
        assert "B1-FF" not in game.state.units
        assert game.state.teams["red"].score == 6, "for the ship alone"

    @pytest.mark.rule("border_patrol", "V8.32")
    def test_a_tow_is_cut_where_one_end_leaves(self):
        game = fought({"BU1": {"fate": "disengaged"}}, "blue B1 0505 CA[towing=B1-DD]+DD\nred R1 0507 CA")
        units = game.state.units
        assert (units["B1-CA"].towing, units["B1-DD"].towed_by) == ([], "")
        assert units["B1-CA"].hex != units["B1-DD"].hex

    def test_who_disengages_gives_up_its_way_and_its_target(self):
        game = fought({"RU1": {"fate": "disengaged"}}, red={"R1": {"route": "0506 0505 0504"}})
        assert (game.hexes()["R1"], game.state.stacks["R1"].orders.way) == ("0506", [])


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

    def test_where_it_comes_to_somebody(self):
        lines = MONSTER_LINES.replace("0505 stays", "0504 hunts allowance=8 senses=3")
        assert met_monster(lines=lines, blue={}).asked("blue", "battle") != []

    def test_not_where_nobody_came(self):
        assert met_monster(lines=MONSTER_LINES.replace("0506", "0505"), blue={}).asked("blue", "battle") == []

    def test_not_with_those_under_cloak(self):
        lines = MONSTER_LINES.replace("CA+DD\n", "CA[cloak_cost=10]\n")
        sheet = {"B1": {"cloak": "all turn", "route": "0505"}}
        assert met_monster(lines=lines, blue=sheet).asked("blue", "battle") == []

    def test_beside_a_battle_of_both_teams_who_moved_last_plays_it(self):
        game = met_monster(lines=MONSTER_LINES.replace("1111", "0405"), red={"R1": {"route": "0505"}})
        (ask, *_) = game.asked("blue", "battle")
        assert [line.key for line in ask.form.lines] == ["BU1", "BU2", "RU1", "MU1"]
        assert ask.setup is not None
        assert ask.setup.panels[-1].title == "Nobody's, played by the Red Team"

    def test_not_where_it_is_alone(self):
        lines = MONSTER_LINES.replace("0505 stays", "0805 follows 0806 allowance=8")
        assert met_monster(lines=lines, blue={}).asked("red", "battle") == []

    def test_one_that_bpv_drives_off_is_not_fought(self):
        assert met_monster(lines=MONSTER_LINES.replace("by-hand", "driven_off_by=999")).asked("blue", "battle") == []


class TestWhatComesOfAMonster:
    @pytest.mark.parametrize(("fate", "how"), [("destroyed", "is destroyed"), ("disengaged", "leaves")])
    def test_who_is_left_there_scores_it(self, fate: str, how: str):
        game = met_monster({"MU1": {"fate": fate}})
        assert "dragon" not in game.state.units
        assert game.texts("red", "monster") == [f"The Dragon {how} before the Blue Team in 0505."]
        assert {key: team.score for key, team in game.state.teams.items()} == {"blue": 4, "red": 0}

    def test_nobody_scores_it_where_both_are_left_or_none(self):
        lines = MONSTER_LINES.replace("1111", "0405")
        both = met_monster({"MU1": {"fate": "destroyed"}}, lines, red={"R1": {"route": "0505"}})
        assert both.texts("red", "monster") == ["The Dragon is destroyed in 0505."]
        assert {team.score for team in both.state.teams.values()} == {0}
        gone = {"MU1": {"fate": "destroyed"}, "BU1": {"fate": "disengaged"}, "BU2": {"fate": "destroyed"}}
        assert met_monster(gone).state.teams["blue"].score == 0

    def test_one_that_is_left_holds_who_is_there_and_counts_half_when_crippled(self):
        game = met_monster({"MU1": {"fate": "damaged", "crippled": True}}, blue={"B1": {"route": "0505 0504"}})
        assert game.state.units["dragon"].crippled
        assert game.hexes()["B1"] == "0504", "half a unit, rounded down, holds nobody"
        assert met_monster(blue={"B1": {"route": "0505 0504"}}).hexes()["B1"] == "0505"

    def test_its_hunters_may_be_lost_to_it(self):
        game = met_monster({"BU2": {"fate": "destroyed"}})
        assert "B1-DD" not in game.state.units
        assert game.state.teams["red"].score == 6, "the Team that played it"

    def test_it_is_neither_captured_nor_is_anything_but_its_fate_reported(self):
        (ask,) = met_monster().asked("blue", "battle")
        assert [field.key for field in ask.form.by_key["MU1"].fields] == ["fate", "crippled"]
        filled: Any = ask.form.prefilled()
        with pytest.raises(Refused) as found:
            ask.answer_from({**filled, "MU1": {"fate": "captured"}})
        assert [(one.path, one.rule) for one in found.value.refusals] == [("MU1.fate", "BP-N28")]


def test_a_file_says_either_what_drives_it_off_or_that_it_is_fought():
    both = with_change("units.toml", "driven_off_by = 120", "driven_off_by = 120\nby_hand = true", "intro")
    (told,) = refused(both)
    assert "means nothing of one that is fought by hand" in told
    (told,) = refused(with_change("units.toml", "driven_off_by = 120\n", "", "intro"))
    assert "by_hand = true" in told
    assert refused(with_change("units.toml", "driven_off_by = 120", "by_hand = true", "intro")) == []
