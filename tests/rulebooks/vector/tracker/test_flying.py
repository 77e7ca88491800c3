"""Whole turns flown: pieces, conditions, who may know what. CJD1.0, VM-R09, VM-R36, VM-R38"""

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.grids.space import hexes_between
from rules_engine.rulebooks.vector.records.happenings import Happened, What
from rules_engine.rulebooks.vector.records.tactical import Tactical, TacticalOptions, TacticalTerrain
from rules_engine.rulebooks.vector.tracker.air import nearest_enemies
from rules_engine.rulebooks.vector.tracker.coasting import drifts
from rules_engine.rulebooks.vector.tracker.flying import begin_turn, end_turn, fly_piece
from rules_engine.rulebooks.vector.tracker.foreseen import foresee
from rules_engine.rulebooks.vector.tracker.saying import sentence
from rules_engine.rulebooks.vector.tracker.towing import catch, release
from tests.expected.kept import Kept
from tests.rulebooks.vector.skies import Loaded, fly, next_turn, plot, sky, ways, what

units = st.lists(
    st.tuples(st.integers(0, 70), st.integers(0, 40), st.integers(0, 5), st.sampled_from("ABCDEF")),
    min_size=1,
    max_size=4,
)


def drawn(drawn_units: list[tuple[int, int, int, str]], **options: object) -> Tactical:
    """A battle with units as Hypothesis draws them."""
    lines = [
        f"H{number} h {20 + number}20 {facing} {one}{'ABCDEF'[around]}+{two}{'ABCDEF'[(around + 1) % 6]}"
        for number, (one, two, around, facing) in enumerate(drawn_units, 1)
    ]
    battle = sky("\n".join(lines))
    battle.options = TacticalOptions.model_validate(options)
    return battle


@pytest.mark.rule("vector", "CJD1.0", "CJD1.14")
@given(units, st.booleans())
def test_coasting_is_the_same_in_any_number_of_pieces(drawn_units: list[tuple[int, int, int, str]], friction: bool):
    flown: list[tuple[object, object]] = []
    for pieces in (1, 2, 4, 32):
        battle = drawn(drawn_units, pieces=pieces, friction=friction)
        happened: list[object] = []
        for _ in range(2):
            for end in battle.options.ends:
                assert battle.piece_end == end
                happened += fly_piece(battle, {}, end, None)
            happened += end_turn(battle)
            begin_turn(battle)
        document = battle.to_json()
        document.pop("options")
        flown.append((document, happened))
    assert all(one == flown[0] for one in flown[1:])


@given(units)
def test_what_was_plotted_is_flown_alike_in_one_piece_or_with_coasting_pieces_after_it(
    drawn_units: list[tuple[int, int, int, str]],
):
    plots = {"H1": plot("accelerate 3 on 2", "turn left on 3", "slip left on 8", "reserve 2 on 8")}
    whole, parts = drawn(drawn_units), drawn(drawn_units)
    happened = fly(whole, plots, 32)
    pieces = fly(parts, plots, 8) + fly(parts, {}, 16) + fly(parts, {}, 32)
    assert (happened, whole.to_json()) == (pieces, parts.to_json())


def test_the_ends_of_pieces():
    assert [TacticalOptions(pieces=count).ends for count in (1, 2, 4)] == [(32,), (16, 32), (8, 16, 24, 32)]
    assert TacticalOptions(pieces=32).ends == tuple(range(1, 33))
    battle = sky("H1 h 2020 A 8A", pieces=4)
    assert battle.piece_end == 8
    battle.impulse = 8
    assert battle.piece_end == 16
    battle.impulse = 32
    assert battle.piece_end == 32


@pytest.mark.rule("vector", "CJD1.0", "CJD1.1")
def test_declarations_come_before_movement():
    battle = sky("H1 h 2020 A 4A")
    happened = fly(battle, {"H1": plot("turn right on 8", "accelerate 4 on 8")}, 8)
    assert [one.what for one in happened] == ["turned", "accelerated", "moved"]
    # the hex of impulse 8 is moved with the new vector 4A+4B; B is nearer to the bow now
    assert (ways(happened, "H1"), battle.units["H1"].at) == ("B", "2120")
    assert battle.clock == 8


@pytest.mark.rule("vector", "CJD1.1")
def test_trails_are_those_of_the_last_turn():
    battle = sky("H1 h 2020 A 2A")
    fly(battle)
    assert battle.units["H1"].trail == ["2020", "2019", "2018"]
    next_turn(battle)
    assert (battle.units["H1"].trail, battle.turn, battle.impulse, battle.clock) == (["2018"], 2, 0, 32)


def test_who_arrives_later_is_not_there_before():
    battle = sky("H1 h 2020 A 2A\nC1 c 2025 A 2A waits_for=2")
    happened = fly(battle, {"C1": plot("turn left on 1"), "H1": plot("when within 9: turn towards")})
    assert {one.unit for one in happened} == {"H1"}
    assert what(happened) == []
    next_turn(battle)
    assert [one.id for one in battle.present()] == ["C1", "H1"]
    assert what(fly(battle, {"C1": plot("turn left on 1")})) == [(1, "C1", "turned")]
    battle.units["C1"].out = "destroyed"
    assert [one.id for one in battle.present()] == ["H1"]


def test_a_condition_comes_about_once_by_where_units_stand_before_the_movement_step(kept: Kept):
    lines = "H1 h 2020 A 0\nC1 c 2010 D 16D"
    battle = sky(lines)
    # C1 moves on even impulses: after impulse 4 it is in 2012, 8 hexes away; seen on 5
    happened = fly(battle, {"H1": plot("when within 8: accelerate 2", "when C1 within 8: turn left")})
    assert what(happened) == [(5, "H1", "fired"), (5, "H1", "accelerated"), (5, "H1", "fired"), (5, "H1", "turned")]
    assert [one.to for one in happened if one.what == "fired"] == [("h",), ("h",)]
    battle = sky(lines)
    assert what(fly(battle, {"H1": plot("when within 8 from 9 to 12: turn left")})) == kept("#1")
    battle = sky(lines)
    assert what(fly(battle, {"H1": plot("when within 8 from 1 to 4: turn left")})) == []
    battle = sky(lines)
    assert what(fly(battle, {"H1": plot("when C1 within 0: turn left", "when X1 within 99: turn left")})) == kept("#2")


def test_a_condition_that_comes_about_in_an_interval_is_refused_and_the_rest_goes_on():
    battle = sky("H1 h 2020 A 0\nC1 c 2010 D 16D")
    happened = fly(battle, {"H1": plot("accelerate 1 on 2", "when within 8: accelerate 2", "accelerate 1 on 10")})
    told = [one for one in happened if one.what == "refused"]
    assert [(one.impulse, one.rule, one.legal_on, one.event, one.to) for one in told] == [(5, "CJD1.32", 10, 1, ("h",))]
    assert [one.impulse for one in happened if one.what == "accelerated"] == [2, 10]


def test_the_nearest_enemies_are_no_allies_and_all_that_are_equally_near():
    battle = sky("H1 h 2020 A 0\nH2 h 2021 A 0\nC1 c 2022 A 0\nR2 r 2025 A 0\nR1 r 2015 A 0")
    ship = battle.units["H1"]
    assert [one.id for one in nearest_enemies(battle, ship)] == ["C1"]
    battle.allies = [["h", "c"], ["r", "x"]]
    assert {one.id for one in nearest_enemies(battle, ship)} == {"R1", "R2"}
    for code in ("R1", "R2", "C1"):
        battle.units[code].out = "destroyed"
    assert nearest_enemies(battle, ship) == []
    assert battle.friends("h", "c")
    assert not battle.friends("h", "r")


@pytest.mark.rule("vector", "CJD1.0")
def test_hex_facing_vector_and_acceleration_are_public_and_the_rest_is_the_owners():
    battle = sky("H1 h 2020 A 4A\nC1 c 2019 D 4D\nS1 h 2020 A 0 aboard=H1 rated_speed=6")
    events = ("accelerate 1 on 1", "turn left on 1", "reserve 1 on 1", "stop on 2", "launch S1 on 2", "turn left on 3")
    happened = fly(battle, {"H1": plot(*events, "when within 9: slip left")}, 16)
    public = {one.what for one in happened if not one.to}
    private = {one.what for one in happened if one.to == ("h",)}
    assert public == {"accelerated", "turned", "launched", "moved"}
    assert private == {"reserve", "stopped", "refused", "fired"}


def test_events_before_the_piece_are_not_done_again():
    battle = sky("H1 h 2020 A 4A")
    turns = {"H1": plot("turn left on 2")}
    assert what(fly(battle, turns, 8)) == [(2, "H1", "turned")]
    assert what(fly(battle, turns, 16)) == []


@given(units)
def test_drifts_are_where_coasting_leads(drawn_units: list[tuple[int, int, int, str]]):
    battle = drawn(drawn_units)
    fly(battle, {}, 11)
    found = {ship.id: drifts(battle, ship) for ship in battle.present()}
    assert list(found["H1"]) == list(range(12, 33))
    before = battle.to_json()
    for impulse in range(12, 33):
        fly(battle, {}, impulse)
        assert {ship.id: ship.at for ship in battle.present()} == {one: found[one][impulse] for one in found}
    assert battle.to_json() != before or not any(ship.vector.speed for ship in battle.present())
    coming = drifts(battle, battle.units["H1"])
    assert list(coming) == list(range(1, 33))
    next_turn(battle)
    fly(battle)
    assert coming[32] == battle.units["H1"].at


def test_before_the_first_turn_units_drift_through_it():
    battle = sky("H1 h 2020 A 2A", turn=False)
    assert (drifts(battle, battle.units["H1"])[32], battle.turn, battle.clock) == ("2018", 0, 0)


@given(units, st.permutations(range(4)))
def test_the_order_of_units_and_plots_does_not_matter(drawn_units: list[tuple[int, int, int, str]], order: list[int]):
    plots = {f"H{number}": plot("accelerate 2 on 2", "when within 40: turn left") for number in range(1, 5)}
    one, other = drawn(drawn_units), drawn(drawn_units)
    names = list(other.units)
    other.units = {names[at]: other.units[names[at]] for at in order if at < len(names)}
    shuffled = {f"H{at + 1}": plots[f"H{at + 1}"] for at in order}
    assert fly(one, plots) == fly(other, shuffled)


@pytest.mark.rule("vector", "CJD1.13")
def test_two_ships_that_pass_each_other():
    battle = sky("H1 h 2020 A 8A\nC1 c 2010 D 8D")
    fly(battle, {}, 20)
    assert hexes_between(battle.units["H1"].at, battle.units["C1"].at) == 0


def test_what_is_left_of_a_path_shows_in_nobody_elses_turns_towards():
    turns: set[str] = set()
    for path in ("", "C" * 16):
        # by the usual path C1 is ahead on the left on impulse 17, by the other one dead ahead
        battle = sky("H1 h 2020 C 0\nC1 c 2016 A 8B+24C")
        battle.units["C1"].path = path
        turns.add(foresee(battle, "H1", plot("turn towards on 17"), 32).facing)
    assert turns == {"B"}


# --- saying ----------------------------------------------------------------------------------------------------------
SHUTTLE = "S1 h 2020 A 0 aboard=H1 rated_speed=6 form=shuttle size_class=6"


def said(happened: list[Happened], *but: What) -> list[str]:
    """All that happened in words, but for plain moves and what is left out."""
    return [sentence(one, f"the {one.unit}") for one in happened if one.what not in ("moved", *but)]


def test_a_turn_in_words(kept: Kept):
    battle = sky(f"H1 h 2020 A 40A\nC1 c 2021 D 4B\n{SHUTTLE}", friction=True)
    events = ("accelerate 2 on 1", "turn left on 2", "weasel S1 2 to B on 3", "het to A on 4", "reserve 1 on 5")
    happened = fly_piece(battle, {"H1": plot(*events, "accelerate 2 on 6")}, 6, Loaded(1))
    assert said(happened + end_turn(battle)) == kept()


def test_tumbling_in_words(kept: Kept):
    battle = sky("H1 h 2020 A 8B", tumble_pause=5)
    happened = fly(battle, {"H1": plot("weasel on 1", "het to C on 2", "turn right on 7")}, 8, 5, 4)
    assert said(happened) == kept()
    assert sentence(happened[3], "the H1") == "the H1 moves to 2120."


def test_shuttles_tractors_and_terrain_in_words(kept: Kept):
    rocks = TacticalTerrain(id="rocks", name="The Rocks", kind="asteroids", hexes=("2019",))
    battle = sky(f"H1 h 2020 A 40A\nH2 h 2020 A 40A\nC1 c 2010 A 40A\n{SHUTTLE}", terrain=[rocks])
    events = ("launch S1 on 1", "when within 10: turn towards", "stop on 1")
    happened = fly(battle, {"H1": plot(*events), "S1": plot("land H1 on 2"), "H2": plot("slip left on 2")}, 2)
    assert said(happened) == kept()
    happened = catch(battle, "H1", "C1", {"H1": 1, "C1": 1}, Loaded(1)) + release(battle, "C1")
    assert said(happened) == kept("#2")


def test_every_kind_has_words():
    for kind in get_args(What):
        one = Happened(turn=1, impulse=1, unit="H1", side="h", what=kind, hex="2020", facing="A", vector="0")
        assert sentence(one, "Huntress").startswith("Huntress ")
