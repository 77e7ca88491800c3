"""What Cutler's boards tell a map at a glance: header, strengths, borders, ends of turns, ranges, numbered places."""

import pytest

from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.reports import Sighted
from rules_engine.core.knowledge.views import Board, Counter, Knowledge
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch05_planets.capture import hand_over
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.economy import DockWork
from rules_engine.rulebooks.cutler.records.parts.units import Moment
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight
from rules_engine.rulebooks.cutler.records.tacintel import number_told
from tests.rulebooks.cutler.ch01_setup.ring import opened
from tests.rulebooks.cutler.worlds import kind_of, table_of, world

NOW = "turn 2 impulse 3"
PLANETS = """
planet capital 0205 hydran throne
planet minor 0303 hydran cub
planet capital 0902 lyran den
planet major 0908 klingon hearth
"""


def board(text: str, side: str = "hydran", now: str = NOW) -> Board:
    return RULEBOOK.side_board(world(f"{text}\n{now}"), side, Knowledge())


def counters(text: str) -> dict[str, Counter]:
    return {one.id: one for one in board(text).counters}


def stages(text: str, now: str = NOW) -> list[tuple[int, str]]:
    (course,) = board(text, now=now).courses
    return [(stage.after, stage.said) for stage in course.stages]


# --- the header -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "1.1.2.3", "2.1")
def test_the_header_counts_the_planets_of_all_the_readers_first():
    state = world(f"{PLANETS}\n{NOW}")
    header = RULEBOOK.side_board(state, "lyran", Knowledge()).header
    assert [(one.owner, one.count) for one in header.tallies] == [("lyran", 1), ("hydran", 2), ("klingon", 1)]
    assert (header.tallied, header.turn, header.day) == ("planets held", "Turn 2", "of 3, impulse 3")
    assert RULEBOOK.public_board(state).header.figures == RULEBOOK.omniscient_board(state).header.figures == ()
    state.out = ["klingon"]
    assert "klingon" not in [one.owner for one in RULEBOOK.public_board(state).header.tallies]


@pytest.mark.rule("cutler", "4.1.4")
def test_the_header_tells_a_race_its_own_money():
    state = world(f"{PLANETS}\nturn 2")
    state.empires["hydran"].base_pool = 225
    state.planets["throne"].razed = state.planets["throne"].razed + 10
    header = RULEBOOK.side_board(state, "hydran", Knowledge()).header
    assert [(one.value, one.said) for one in header.figures] == [("225", "CPV, +115 a turn")]
    assert header.day == "of 3"


def test_before_the_map_is_made_the_header_says_so():
    state, _ = opened(5)
    header = RULEBOOK.public_board(state).header
    assert (header.turn, header.tallies, RULEBOOK.public_board(state).news) == ("Set-up", (), ())


# --- hexes ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "4.1.4")
def test_what_planets_make_stands_beside_the_names_of_ones_own():
    state = world(f"{PLANETS}\n{NOW}")
    found = {note.name: note.figure for note in RULEBOOK.side_board(state, "hydran", Knowledge()).hexes}
    assert found == {"Throne": "+100", "Cub": "+25", "Den": "", "Hearth": ""}
    assert {note.figure for note in RULEBOOK.public_board(state).hexes} == {""}
    everything = {note.name: note.figure for note in RULEBOOK.omniscient_board(state).hexes}
    assert everything == {"Throne": "+100", "Cub": "+25", "Den": "+100", "Hearth": "+50"}


@pytest.mark.rule("cutler", "1.1.2.5.2")
def test_borders_are_those_of_the_beginning_whoever_holds_the_planets():
    state = world(f"{PLANETS}\n{NOW}")
    state.territory = {"0205": "hydran", "0206": "hydran", "0902": "lyran"}
    state.planets["throne"].owner = "lyran"
    notes = {note.hex: note for note in RULEBOOK.public_board(state).hexes}
    assert {hex_id: note.territory for hex_id, note in notes.items() if note.territory} == state.territory
    assert notes["0205"].owner == "lyran"


# --- strengths and courses --------------------------------------------------------------------------------------------


def test_own_counters_tell_how_many_they_are_and_what_is_left():
    found = counters("hydran F1 0404 CA+DD\nhydran F2 0405 CA[warp=10]\nhydran base 0205 Azure\nhydran V1 0303 FL+FL")
    assert {key: (one.ships, one.whole) for key, one in found.items()} == {
        "F1": (2, 100),
        "F2": (1, 41),
        "own/hydran-base-0205": (1, 100),
        "E0303": (2, 100),
    }


def test_a_fleet_with_a_ship_in_a_docking_bay_is_docked():
    state = world(f"hydran F1 0205 CA\nhydran F2 0205 CA\nhydran base 0205 Azure\n{NOW}")
    work = DockWork(base="hydran-base-0205", bay=1, race="hydran", into=kind_of("CC"), named="X", cost=9)
    state.works["1"] = work.changed(ship="hydran-F1-CA")
    found = {one.id: one.docked for one in RULEBOOK.side_board(state, "hydran", Knowledge()).counters}
    assert (found["F1"], found["F2"]) == (True, False)


@pytest.mark.rule("cutler", "2.1", "2.4")
@pytest.mark.parametrize(
    ("now", "ends"),
    [
        ("turn 2", [(3, "T3"), (5, "T4")]),
        ("turn 2 impulse 3", [(2, "T3"), (5, "T4")]),
        ("turn 2 impulse 5", [(1, "T3"), (4, "T4"), (5, "T5")]),
    ],
)
def test_turns_end_where_the_impulse_chart_lets_them_end(now: str, ends: list[tuple[int, str]]):
    """A cruiser with half of its engines makes three hexes a turn, in impulses 2, 4 and 6."""
    assert stages("hydran F1 0202 CA[warp=15] course 0203 0204 0205 0206 0207", now) == ends


def test_a_fleet_that_had_its_move_in_an_impulse_has_none_left_in_it():
    state = world("hydran F1 0202 CA[warp=15] course 0203 0204 0205\nturn 2 impulse 4")
    state.units["hydran-F1-CA"].last_opportunity = Moment(turn=2, impulse=4)
    (course,) = RULEBOOK.side_board(state, "hydran", Knowledge()).courses
    assert [(stage.after, stage.said) for stage in course.stages] == [(1, "T3"), (3, "T4")]


def test_a_turn_that_has_no_move_left_ends_where_the_fleet_is():
    state = world("hydran F1 0202 CA[warp=15] course 0203 0204\nturn 2 impulse 6")
    state.units["hydran-F1-CA"].last_opportunity = Moment(turn=2, impulse=6)
    (course,) = RULEBOOK.side_board(state, "hydran", Knowledge()).courses
    assert [(stage.after, stage.said) for stage in course.stages] == [(0, "T3"), (2, "T4")]


def test_a_fleet_that_cannot_move_has_no_ends_of_turns():
    assert stages("hydran F1 0202 CA[warp=0,imp=0] course 0203") == []


def test_convoys_have_strengths_and_ends_of_turns_too():
    found = board("hydran V1 0404 FL+FL course 0405 0406 0407 0408")
    assert [one.ships for one in found.counters] == [2]
    assert found.courses[0].stages[0].said == "T3"
    assert found.courses[0].stages[-1].after == 4


# --- ranges -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "8.3.1", "8.3.2", "8.4.1", "7.2")
def test_scans_reach_next_door_and_long_ones_a_hex_farther():
    state = world(f"hydran F1 0505 SC\nhydran F2 0909 CA\nhydran base 0205 Azure\n{NOW}")
    ranges = {one.kind: one.hexes for one in RULEBOOK.side_board(state, "hydran", Knowledge()).ranges}
    assert ranges == {
        "detection": state.grid.within("0505", 1),
        "long-range": state.grid.within("0505", 2),
        "supply": ("0205",),
    }
    assert RULEBOOK.side_board(state, "lyran", Knowledge()).ranges == ()
    assert RULEBOOK.public_board(state).ranges == RULEBOOK.omniscient_board(state).ranges == ()


def test_who_is_under_cloak_scans_nothing():
    state = world(f"hydran F1 0505 SC\n{NOW}")
    state.units["hydran-F1-SC"].cloaked = True
    assert RULEBOOK.side_board(state, "hydran", Knowledge()).ranges == ()


# --- numbered places --------------------------------------------------------------------------------------------------


def in_battle() -> CutlerState:
    """The Hydran and the Lyran fight in 0606, and the Klingon is elsewhere."""
    state = world(f"hydran F1 0606 CA\nhydran F2 0606 DD\nlyran F1 0606 CC\nklingon F1 0908 DD\n{NOW}")
    lines = {"1": "hydran-F1-CA", "2": "lyran-F1-CC"}
    battle = Battle(key="b", kind="main", hex="0606", sides=("hydran", "lyran"), lines=lines)
    state.shown = state.counters()
    state.fights["0606"] = Fight(battle=battle, in_battle=["hydran", "lyran"])
    return state


def facts(state: CutlerState, side: str, knowledge: Knowledge | None = None) -> list[tuple[str, str]]:
    shown = RULEBOOK.side_board(state, side, knowledge or Knowledge())
    return [(place.fact, place.aside) for place in shown.news]


def test_an_open_battle_is_numbered_and_marked_for_its_parties_alone():
    state = in_battle()
    assert facts(state, "hydran") == [("0606: F1 in battle with the Lyran", "thread is open")]
    assert facts(state, "lyran") == [("0606: F1 in battle with the Hydran", "thread is open")]
    assert RULEBOOK.omniscient_board(state).news[0].fact == "0606: Hydran and Lyran in battle"
    marked = [[one.form for one in shown.counters].count("battle") for shown in boards_of(state)]
    assert marked == [1, 1, 0, 0, 1]


def boards_of(state: CutlerState) -> list[Board]:
    """The boards of the three races, of everybody, and of the referee."""
    sides = [RULEBOOK.side_board(state, race, Knowledge()) for race in state.races()]
    return [*sides, RULEBOOK.public_board(state), RULEBOOK.omniscient_board(state)]


def test_whether_two_fight_or_only_meet_is_unseen_by_the_third_and_by_everybody():
    fighting, meeting = in_battle(), in_battle()
    meeting.fights["0606"].battle = None
    one, other = boards_of(fighting), boards_of(meeting)
    assert one[0] != other[0]
    assert one[2:4] == other[2:4]


def test_a_counter_in_the_hex_of_own_ships_is_numbered_and_a_partners_is_not():
    text = "hydran F1 0606 CA\nlyran F1 0606 CC\nturn 2 impulse 3"
    assert facts(world(text), "hydran") == [("0606: Lyran CU still with F1", "")]
    assert facts(world(f"together hydran lyran\n{text}"), "hydran") == []


def test_what_was_glanced_at_is_numbered_with_its_number():
    table = table_of(world("hydran F1 0606 CA\nlyran F1 0606 CC\nturn 2 impulse 3"))
    table.set_time(2, 30, "now")
    sighted = Sighted(
        track="C1", hex="0606", level=5, level_name="S1-S5", owner="lyran", headline="2 Lyran units", details=("x",)
    )
    table.tell(["hydran"], "Seen.", kind="contact", facts=[sighted])
    shown = RULEBOOK.side_board(table.state, "hydran", table.knowledge("hydran"))
    (place,) = shown.news
    assert (place.fact, place.aside, place.note, place.choice) == (
        "0606: C1 meets F1",
        "new",
        "C1: 2 ships",
        "F1 may fight or bypass",
    )
    assert {one.id: one.ships for one in shown.counters}["C1"] == 2


@pytest.mark.parametrize(("headline", "number"), [("2 Hydran and Lyran units", 2), ("nobody", None), ("", None)])
def test_the_number_is_read_from_what_was_told(headline: str, number: int | None):
    assert number_told(headline) == number


def test_foreign_counters_beside_ones_planets_are_threats():
    assert facts(world(f"{PLANETS}\nlyran F1 0304 CC\n{NOW}"), "hydran") == [("Lyran CU in 0304, beside Cub", "")]
    assert facts(world(f"{PLANETS}\nlyran F1 0303 CC\n{NOW}"), "hydran") == [("Cub: Lyran CU at your planet", "")]


@pytest.mark.rule("cutler", "4.1.4.1")
def test_a_planet_that_changed_hands_is_numbered_for_everybody():
    state = world(f"{PLANETS}\n{NOW}")
    hand_over(state, state.planets["cub"], "lyran")
    assert facts(state, "hydran") == [("Cub: captured by the Lyran", "planet lost")]
    assert facts(state, "lyran") == [("Cub: captured by your ships", "planet taken")]
    assert facts(state, "klingon") == [("Cub: captured by the Lyran", "planet taken")]
    assert [place.fact for place in RULEBOOK.public_board(state).news] == ["Cub: captured by the Lyran"]
    state.turn = 4
    assert facts(state, "hydran") == [], "it is news for one turn"


@pytest.mark.rule("cutler", "5.2", "5.3")
def test_a_planet_taken_again_or_freed_is_lost_by_who_held_it():
    state = world(f"{PLANETS}\n{NOW}")
    cub = state.planets["cub"]
    hand_over(state, cub, "lyran")
    state.turn = 3
    hand_over(state, cub, "klingon")
    assert facts(state, "lyran") == [("Cub: captured by the Klingon", "planet lost")]
    assert facts(state, "klingon") == [("Cub: captured by your ships", "planet taken")]
    assert facts(state, "hydran") == [("Cub: captured by the Klingon", "planet taken")]
    state.turn = 4
    hand_over(state, cub, "hydran")
    assert facts(state, "klingon") == [("Cub: the Hydran's again", "planet lost")]
    assert facts(state, "hydran") == [("Cub: yours again", "planet freed")]
    assert facts(state, "lyran") == [("Cub: the Hydran's again", "planet freed")]
    state.impulse = 0
    assert facts(state, "hydran") == [("Cub: yours again", "planet freed")], "what came before the first impulse, too"


def test_nothing_is_news_before_the_first_turn_has_an_impulse():
    assert facts(world(f"{PLANETS}\nhydran F1 0606 CA\nturn 1 impulse 0"), "hydran") == []


def test_own_losses_of_the_turn_are_numbered_for_their_owner_alone():
    state = world(f"hydran F1 0606 CA+DD\n{NOW}")
    for unit in state.alive("hydran"):
        unit.perish(2)
    assert facts(state, "hydran") == [("0606: you lost Hydran F1… and Hydran F1…", "lost")]
    assert facts(state, "lyran") == []
    state.turn, state.impulse = 3, 0
    assert len(facts(state, "hydran")) == 1, "before the first impulse the turn before is told of"
    state.impulse = 1
    assert facts(state, "hydran") == []


def test_what_its_owner_gives_up_is_no_loss_and_a_base_adrift_is():
    state = world(f"hydran F1 0606 CA\nhydran base 0606 Den\n{NOW}")
    ship, base = sorted(state.alive("hydran"), key=lambda unit: unit.is_station)
    ship.perish()
    assert facts(state, "hydran") == []
    base.perish(2)
    assert facts(state, "hydran") == [(f"0606: you lost {base.name}", "lost")]


def test_contacts_are_ringed_until_the_turn_after_has_its_first_impulse():
    table = table_of(world("hydran F1 0606 CA\nlyran F1 0707 CC\nturn 2 impulse 3"))
    table.set_time(2, 30, "now")
    table.tell(["hydran"], "Seen.", kind="contact", facts=[Sighted(track="C1", hex="0707", level=5, owner="lyran")])

    def is_ringed() -> bool:
        shown = RULEBOOK.side_board(table.state, "hydran", table.knowledge("hydran"))
        return next(one.changed for one in shown.counters if one.id == "C1")

    assert table.knowledge("hydran").contacts["C1"].latest.when == When(turn=2, step=30, label="now")
    assert is_ringed()
    table.state.turn, table.state.impulse = 3, 0
    assert is_ringed()
    table.state.impulse = 1
    assert not is_ringed()
