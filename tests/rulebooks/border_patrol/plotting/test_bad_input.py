"""What a turn's sheet refuses: each with its rule, what would be legal, and the nearest thing meant; all at once."""

from typing import Any

import pytest

from rules_engine.rulebooks.border_patrol.plotting.asking import plot_ask
from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.plays import play, refused, where_and_rule, world

PAIR = "blue B1 0505 CA+DD\nblue B2 0707 FF"
"""A cruiser and a destroyer, both with an allowance of 5 (phases 2, 4, 5, 7, 8), and a frigate with 6."""


def route(text: str, stack: str = "B1") -> list[tuple[str, str]]:
    return where_and_rule(refused(world(PAIR), {stack: {"route": text}}))


@pytest.mark.rule("border_patrol", "V8.12", "V8.93")
def test_too_many_points():
    assert route("0506 0507 0508 0509 0510") == []
    (one,) = refused(world(PAIR), {"B1": {"route": "0506 0507 0508 0509 0510 0511"}})
    assert (one.path, one.rule, one.legal) == ("B1.route", "V8.12, V8.93", "5: its allowance")
    assert one.nearest == ("0506 0507 0508 0509 0510",)


@pytest.mark.rule("border_patrol", "V8.93", "V8.94")
def test_a_move_in_a_phase_without_one():
    assert route("P2 0506 P4 0507") == []
    (one,) = refused(world(PAIR), {"B1": {"route": "P3 0506"}})
    assert (one.rule, one.legal) == ("V8.93, V8.94", "0 there; an allowance of 5 moves in the phases 2, 4, 5, 7, 8")
    assert one.nearest == ("P2",)


@pytest.mark.rule("border_patrol", "V8.92", "V8.93")
def test_a_third_hex_in_a_phase_and_a_second_where_there_is_one():
    fast = world("blue B1 0505 FF[warp_ok=24 warp_original=24]")  # 12: two hexes in phases 1, 3, 5 and 7
    assert refused(fast, {"B1": {"route": "P1 0506 0507"}}) == []
    (one,) = refused(fast, {"B1": {"route": "P1 0506 0507 0508"}})
    assert (one.rule, one.legal.split(";")[0]) == ("V8.93, V8.94", "2 there")
    assert route("P2 0506 0507") == [("B1.route", "V8.93")]


@pytest.mark.rule("border_patrol", "V8.94")
def test_more_before_a_phase_than_there_are_points():
    assert route("0506 P4 0507") == []
    assert route("0506 0507 P4 0508") == [("B1.route", "V8.93")]


@pytest.mark.rule("border_patrol", "V8.11")
def test_a_hex_that_is_not_beside_the_last():
    (one,) = refused(world(PAIR), {"B1": {"route": "0508"}})
    assert (one.rule, one.nearest) == ("V8.11", ("0506 0507 0508",))
    assert "to 0508" in one.legal
    assert route("to 0508") == []


@pytest.mark.parametrize("text", ["9999", "nowhere", "P9 0506", "P0 0506", "P4 0506 P2 0507", "loop 0506 0505"])
def test_a_route_that_cannot_be_read(text: str):
    (one,) = refused(world(PAIR), {"B1": {"route": text}})
    assert (one.kind, one.path) == ("malformed", "B1.route")


@pytest.mark.rule("border_patrol", "V8.24")
def test_the_flagship_is_not_left_behind_by_a_stack_that_breaks_out():
    state = world(PAIR)
    line = {"held": "break out", "rearguard": ["B1-CA"]}
    (one,) = refused(state, {"B1": line})
    assert (one.path, one.rule) == ("B1-ships.rearguard", "V8.24, BP-R14")
    assert one.legal == "B1-CA among those that break out"
    assert refused(state, {"B1": line | {"rearguard": ["B1-DD"]}}) == []
    assert refused(state, {"B1": line | {"held": "stay"}}) == []


@pytest.mark.rule("border_patrol", "V8.23")
def test_not_all_of_a_stack_are_its_rearguard():
    line = {"held": "break out", "rearguard": ["B1-CA", "B1-DD"]}
    assert where_and_rule(refused(world(PAIR), {"B1": line})) == [("B1-ships.rearguard", "V8.23")]


@pytest.mark.rule("border_patrol", "V8.18")
def test_a_rearguard_that_parts_a_fighter_from_all_ships():
    """DD is the fighter: neither does it stay alone, nor does it go on alone."""
    state = world("blue B1 0505 CA+DD[kind=fighter command_rating=9]\nred R1 0505 CA")
    for rear in (["B1-DD"], ["B1-CA"]):
        found = refused(state, {"B1": {"rearguard": rear}})
        assert where_and_rule(found) == [("B1-ships.rearguard", "V8.18")]
        assert (found[0].problem, found[0].legal) == (
            "B1-DD would be aboard nothing",
            "a unit beside them that travels",
        )


@pytest.mark.rule("border_patrol", "V8.35")
def test_a_rearguard_with_one_end_of_a_tow():
    state = world("blue B1 0505 CA[towing=B1-DD]+DD+FF")
    line = {"held": "break out", "rearguard": ["B1-DD"]}
    assert where_and_rule(refused(state, {"B1": line})) == [("B1-ships.rearguard", "V8.35")]
    assert refused(state, {"B1": line | {"rearguard": ["B1-FF"]}}) == []


@pytest.mark.rule("border_patrol", "V8.37", "V8.39")
def test_a_second_tow_and_a_larger_ship_in_tow(kept: Kept):
    state = world("blue B1 0505 CA+DD+FF")
    assert refused(state, {"B1": {"tow": ["B1-CA>B1-DD"]}}) == []
    assert where_and_rule(refused(state, {"B1": {"tow": ["B1-CA>B1-DD", "B1-CA>B1-FF"]}})) == kept()
    (one,) = refused(state, {"B1": {"tow": ["B1-DD>B1-CA"]}})
    assert (one.rule, one.legal) == ("V8.39, BP-R20", "Size Class 4 or a higher number")


@pytest.mark.rule("border_patrol", "V8.31", "V8.86")
def test_one_in_two_tows_and_a_tower_in_tow():
    state = world("blue B1 0505 CA+DD+FF")
    assert ("B1-ships.tow", "V8.31") in where_and_rule(refused(state, {"B1": {"tow": ["B1-CA>B1-FF", "B1-DD>B1-FF"]}}))
    assert ("B1-ships.tow", "V8.86") in where_and_rule(refused(state, {"B1": {"tow": ["B1-CA>B1-DD", "B1-DD>B1-FF"]}}))


@pytest.mark.rule("border_patrol", "V8.33", "V8.49")
def test_emergency_movement_while_towing():
    line = {"tow": ["B1-CA>B1-DD"], "emergency": ["B1-CA"]}
    assert where_and_rule(refused(world(PAIR), {"B1": line})) == [("B1.emergency", "V8.33")]


@pytest.mark.rule("border_patrol", "V8.42")
def test_emergency_movement_crippled_or_out_of_supply():
    state = world("blue B1 0505 CA[crippled=yes]+DD[in_supply=no]")
    line = {"emergency": ["B1-CA", "B1-DD"]}
    assert where_and_rule(refused(state, {"B1": line})) == [("B1.emergency", "V8.42")] * 2


@pytest.mark.rule("border_patrol", "V8.44", "V8.46", "V8.47")
def test_a_fifth_emergency_turn_without_a_skilled_engineer_and_one_that_is_barred():
    used = world("blue B1 0505 CA[emergency_used=4]\nblue B2 0606 CA[emergency_used=4 chief_engineer=2]")
    (one,) = refused(used, {"B1": {"emergency": ["B1-CA"]}, "B2": {"emergency": ["B2-CA"]}})
    assert (one.path, one.rule) == ("B1.emergency", "V8.44, V8.46")
    assert one.legal.startswith("an overhaul first, or a chief engineer with a skill of 2")
    barred = world("blue B1 0505 CA[emergency_barred=yes]")
    assert where_and_rule(refused(barred, {"B1": {"emergency": ["B1-CA"]}})) == [("B1.emergency", "V8.47")]


@pytest.mark.rule("border_patrol", "V8.61")
def test_reaction_with_emergency_or_with_a_route():
    line = {"react": "any", "emergency": ["B1-CA"]}
    assert where_and_rule(refused(world(PAIR), {"B1": line})) == [("B1.react", "V8.61")]
    line = {"react": "any", "route": "0506"}
    assert where_and_rule(refused(world(PAIR), {"B1": line})) == [("B1.route", "V8.61")]


@pytest.mark.rule("border_patrol", "V8.68")
def test_reaction_of_the_crippled_and_of_those_in_a_tow():
    state = world("blue B1 0505 CA+DD[crippled=yes]")
    assert where_and_rule(refused(state, {"B1": {"react": "must"}})) == [("B1.react", "V8.68")]
    assert (
        where_and_rule(refused(world(PAIR), {"B1": {"react": "any", "tow": ["B1-CA>B1-DD"]}}))
        == [("B1.react", "V8.68")] * 2
    )


@pytest.mark.rule("border_patrol", "V8.58", "V8.57", "V8.51")
def test_under_cloak_with_a_ship_that_cannot():
    state = world("blue B1 0505 CA[cloak_cost=10]+DD")
    (one,) = refused(state, {"B1": {"cloak": "all turn"}})
    assert (one.path, one.rule, one.legal) == ("B1.cloak", "V8.58, V8.51", "leave it behind")
    assert refused(state, {"B1": {"cloak": "all turn", "detach": ["B1-DD"]}}) == []
    hurt = world("blue B1 0505 CA[cloak_cost=10 crippled=yes]")
    assert refused(hurt, {"B1": {"cloak": "all turn"}})[0].rule == "V8.58, V8.57"


@pytest.mark.rule("border_patrol", "V8.53")
def test_under_cloak_with_a_tow():
    state = world("blue B1 0505 CA[cloak_cost=10]+DD[cloak_cost=5]")
    line = {"cloak": "all turn", "tow": ["B1-CA>B1-DD"]}
    assert [one.rule for one in refused(state, {"B1": line})] == ["V8.58, V8.53"]


@pytest.mark.rule("border_patrol", "V8.51")
def test_the_cloak_counts_against_the_allowance():
    state = world("blue B1 0505 CA[cloak_cost=10]")  # 20 boxes for 6: 3 hexes
    assert refused(state, {"B1": {"cloak": "all turn", "route": "0506 0507 0508"}}) == []
    (one,) = refused(state, {"B1": {"cloak": "all turn", "route": "0506 0507 0508 0509"}})
    assert one.legal == "3: its allowance"


@pytest.mark.rule("border_patrol", "V8.45")
def test_overhaul_where_nothing_overhauls_and_two_at_one_place(kept: Kept):
    (one,) = refused(world(PAIR), {"B1": {"overhaul": ["B1-CA"]}})
    assert (one.path, one.rule) == ("B1-ships.overhaul", "V8.45, BP-R37")
    at_home = world("blue B1 0101 CA+DD")
    assert refused(at_home, {"B1": {"overhaul": ["B1-CA"]}}) == []
    assert where_and_rule(refused(at_home, {"B1": {"overhaul": ["B1-CA", "B1-DD"]}})) == kept()
    busy = refused(at_home, {"B1": {"overhaul": ["B1-CA"], "route": "0102"}})
    assert [(one.path, one.legal) for one in busy] == [("B1.route", "none: it does not move")]


def test_stacks_and_units_that_are_not_there():
    (one,) = refused(world(PAIR), {"B3": {"route": "0506"}})
    assert (one.kind, one.path, one.legal) == ("malformed", "B3", "B1, B2")
    (one,) = refused(world(PAIR), {"B1": {"emergency": ["B1-CAX"]}})
    assert (one.path, one.nearest) == ("B1.emergency", ("B1-CA",))


def test_parting_and_joining():
    state = world("blue B1 0505 CA+DD\nblue B2 0505 FF\nblue B3 0606 FF")
    assert refused(state, {"B1": {"detach": ["B1-DD"]}, "B2": {"join": "B1"}}) == []
    assert [one.path for one in refused(state, {"B1": {"detach": ["B1-CA", "B1-DD"]}})] == ["B1-ships.detach"]
    (one,) = refused(state, {"B2": {"join": "B3"}})
    assert (one.path, one.legal) == ("B2-ships.join", "B1")
    (one,) = refused(state, {"B2": {"join": "B1", "route": "0506"}})
    assert (one.path, one.legal) == ("B2.route", "say it in the line of B1")
    (one,) = refused(state, {"B1": {"join": "B2"}, "B2": {"join": "B1"}})[:1]
    assert one.problem == "B2 joins another itself"


@cases("before, says, after")
def test_who_joins_comes_with_its_tow_unless_the_line_says_other_tows(
    before: str, says: list[str], after: dict[str, list[str]]
):
    state = world(f"blue B1 0505 {before}\nblue B2 0505 CA[towing=B2-FF]+FF")
    game = play(state, {"B2-ships": {"join": "B1"}, "B1-ships": {"tow": says}})
    assert {key: unit.towing for key, unit in game.state.units.items() if unit.towing} == after


@pytest.mark.rule("border_patrol", "V8.12")
def test_all_defects_at_once():
    sheet = {
        "B1": {"route": "P3 0506", "emergency": ["B1-CA"], "react": "any", "tow": ["B1-CA>B1-DD"]},
        "B2": {"route": "0708 0709 0710 0711 0712 0711 0710"},
        "B9": {},
    }
    found = {one.path for one in refused(world(PAIR), sheet)}
    assert found == {"B9", "B1.emergency", "B1.react", "B1.route", "B2.route"}


def test_what_others_are_is_not_needed_to_judge_a_sheet():
    """Whether a stack is pinned tells how strong others are: no sheet is refused for it."""
    few = world(f"{PAIR}\nred R1 0505 FF")
    many = world(f"{PAIR}\nred R1 0505 DN+DN+CA+CA+CA")
    for line in ({"route": "0506"}, {"react": "any"}, {"held": "break out", "rearguard": ["B1-DD"]}):
        assert refused(few, {"B1": line}) == refused(many, {"B1": line}) == []


@pytest.mark.rule("border_patrol", "V8.57")
def test_a_cloak_that_is_no_longer_possible_is_not_filled_in():
    state = world("blue B1 0505 CA[cloak_cost=10]")
    play(state, {"B1": {"cloak": "all turn"}})
    ask = plot_ask(state, "blue")
    assert ask.form.prefilled()["B1"]["cloak"] == "all turn"
    state.units["B1-CA"].crippled = True
    ask = plot_ask(state, "blue")
    assert (ask.form.prefilled()["B1"]["cloak"], ask.refusals_of({})) == ("no", ())


def test_a_way_that_was_not_finished_is_over_with_its_turn():
    state = world("blue B1 0505 CA\nred R1 0507 CA")
    play(state, {"B1": {"route": "0506 0507 0508 0509"}})
    assert state.stacks["B1"].hex == "0507", "held there"
    assert state.stacks["B1"].orders.way == []
    assert "route" not in plot_ask(state, "blue").form.prefilled()["B1"]


@pytest.mark.rule("border_patrol", "V8.24")
def test_of_two_with_the_best_rating_either_may_stay():
    line = {"held": "break out", "rearguard": ["B1-DD2"]}
    assert refused(world("blue B1 0505 DD+DD"), {"B1": line}) == []
    (one,) = refused(world("blue B1 0505 DD+DD[command_rating=5]"), {"B1": line})
    assert one.rule == "V8.24, BP-R14"


@pytest.mark.rule("border_patrol", "V8.45")
def test_only_own_bases_of_the_right_kind_and_own_systems_overhaul():
    def fields(lines: str, kind: str = "BATS") -> list[str]:
        state = world(lines)
        for unit in state.units.values():
            unit.ship_class = kind if unit.kind == "base" else unit.ship_class
        line = plot_ask(state, "blue").form.line("B1-ships")
        return [] if line is None else [field.key for field in line.fields]

    assert fields("blue B1 0505 CA\nblue base 0505 BATS") == ["overhaul"]
    assert fields("blue B1 0505 CA\nblue base 0505 BATS", "OUTPOST") == []
    assert fields("blue B1 0505 CA\nred base 0505 BATS") == []
    assert fields("blue B1 0505 CA\nsystem eden red 0505") == []
    assert fields("blue B1 0505 CA\nsystem eden blue 0505") == ["overhaul"]


@pytest.mark.rule("border_patrol", "V8.45")
def test_two_places_in_a_hex_overhaul_two_ships():
    state = world("blue B1 0101 CA+DD\nblue B2 0101 FF\nblue base 0101 BATS")
    both = {"B1": {"overhaul": ["B1-CA", "B1-DD"]}}
    assert refused(state, both) == []
    assert where_and_rule(refused(state, both | {"B2": {"overhaul": ["B2-FF"]}})) == [("B2-ships.overhaul", "V8.45")]


# --- refusal words ---------------------------------------------------------------------------------------------------
LINES = """
blue B1 0505 CA+DD
blue B2 0505 FF
blue B3 0505 FF
blue B4 0707 FF[towing=B4-DD]+DD+FF
blue B5 0808 CA[warp_ok=0]
blue B6 0909 CA+FF[kind=fighter]
"""


def told(sheet: dict[str, Any]) -> list[str]:
    return [str(one) for one in refused(world(LINES), sheet)]


@cases("route, says")
def test_of_a_route(route: str, says: str):
    assert told({"B1": {"route": route}}) == [f"B1.route: {says}"]


def test_of_a_stack_that_does_not_move(kept: Kept):
    assert told({"B5": {"route": "0809"}}) == kept()
    assert told({"B5": {"route": "P8 0809"}})[0] == (
        "B5.route: B5 would enter 1 hex in phase 8 (V8.93, V8.94). Legal: none: it does not move."
    )


def test_of_stacks_and_units(kept: Kept):
    assert told({"B9": {}, "B2": {"emergency": ["B2-XX"]}}) == kept()


def test_of_parting_and_joining(kept: Kept):
    assert told({"B1": {"detach": ["B1-CA", "B1-DD"]}, "B6": {"detach": ["B6-CA"]}}) == kept("#1")
    joins = {
        ("B1", "B4"): "B1 cannot join B4. Legal: B2, B3.",
        ("B4", "B99"): "there is no such stack. Legal: no other stack is there.",
    }
    for (one, other), says in joins.items():
        assert told({one: {"join": other}}) == [f"{one}-ships.join: {says}"]
    assert told({"B1": {"join": "B2"}, "B2": {"join": "B3"}}) == kept("#2")
    assert told({"B1": {"join": "B2", "emergency": ["B1-CA"]}}) == kept("#3")


def test_of_a_rearguard(kept: Kept):
    torn = "B4-FF tows B4-DD, and one of them would stay (V8.35, BP-R22). Legal: both, or neither."
    for rear in ("B4-FF", "B4-DD"):
        assert told({"B4": {"rearguard": [rear]}}) == [f"B4-ships.rearguard: {torn}"]
    assert told({"B4": {"rearguard": ["B4-FF", "B4-DD", "B4-FF2"]}}) == kept("#1")
    assert told({"B1": {"rearguard": ["B1-CA"], "held": "either"}}) == kept("#2")


def test_of_overhauls_and_reaction(kept: Kept):
    assert told({"B1": {"overhaul": ["B1-CA"]}}) == kept("told({B1: {overhaul: (B1-CA)}})")
    assert told({"B1": {"react": "any", "route": "0506"}}) == kept("#2")


# --- read back -------------------------------------------------------------------------------------------------------
READ_BACK_LINES = """
blue B1 0505 CA+DD
blue B2 0707 CA[warp_ok=0]
red R1 1010 CA[cloak_cost=10]
"""


def said(sheet: dict[str, Any], team: str = "blue") -> list[str]:
    ask = plot_ask(world(READ_BACK_LINES), team)
    return list(ask.read_back(ask.answer_from(sheet)))


def test_a_stack_that_holds_says_how_far_it_could_go_and_nothing_of_a_way():
    assert said({}) == ["B1: holds at 0505, could go 5 hexes", "B2: holds at 0707"]


@cases("field, value, words")
def test_a_standing_word_that_the_sheet_changes_is_read_back_of_one_that_holds_too(field: str, value: str, words: str):
    assert words in said({"B1": {field: value}})[0]


def test_a_sheet_that_is_filled_in_whole_says_no_more_than_one_that_changes_nothing():
    as_it_stands: dict[str, Any] = {"react": "no", "onward": "go on", "held": "stay", "let_go": "refuse", "within": 2}
    assert said({"B1": as_it_stands}) == said({})
    assert "reacts at most 1 hex away" in said({"B1": {**as_it_stands, "within": 1}})[0]
    assert "away" not in said({"B1": {**as_it_stands, "react": "any"}})[0]


def test_a_shortest_way_is_read_back_hex_by_hex():
    assert said({"B1": {"route": "to 0508"}})[0] == "B1: goes 0506 0507 0508"


def test_a_route_is_asked_for_with_how_far_the_stack_goes_and_when(kept: Kept):
    form = plot_ask(world(READ_BACK_LINES), "blue").form
    assert {key: form.by_key[key].fields[0].help for key in ("B1", "B2")} == kept()


def test_who_is_out_of_supply_is_said_to_be():
    ask = plot_ask(world("blue B1 0505 CA+DD[in_supply=no]"), "blue")
    assert ask.read_back(ask.default) == ["B1: holds at 0505, could go 2 hexes; out of supply"]
    assert ask.form.by_key["B1"].note == "at 0505, allowance 2: phases 4, 8, out of supply"


def test_how_far_it_reacts_is_said_where_it_matters_though_it_stood_so_before():
    state = world(READ_BACK_LINES)
    state.stacks["B1"].orders.within = 1
    ask = plot_ask(state, "blue")
    waits, *_ = ask.read_back(ask.answer_from({"B1": {"react": "any"}}))
    holds, *_ = ask.read_back(ask.answer_from({}))
    assert waits == "B1: lies in wait at 0505, reacts to all others; reacts at most 1 hex away"
    assert holds == "B1: holds at 0505, could go 5 hexes; reacts at most 1 hex away"


@cases("before, after, words")
def test_what_becomes_as_usual_again_is_said_once(before: str, after: str, words: str):
    ask = plot_ask(play(world(READ_BACK_LINES), {"B1": {"orders": before}}).state, "blue")
    assert words in ask.read_back(ask.answer_from({"B1": {"orders": after}}))[0]
    assert words not in ask.read_back(ask.answer_from({"B2": {"orders": after}}))[1]
