"""What Cutler's boards tell a map at a glance: header, strengths, borders, ends of turns, ranges, numbered places."""

import pytest

from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.reports import Sighted
from rules_engine.core.knowledge.views import Board, Counter, Knowledge
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch05_planets.capture import hand_over
from rules_engine.rulebooks.cutler.records.combat.battles import Battle
from rules_engine.rulebooks.cutler.records.economy import DockWork
from rules_engine.rulebooks.cutler.records.parts.ground_units import stand_on
from rules_engine.rulebooks.cutler.records.parts.units import Moment
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight
from rules_engine.rulebooks.cutler.shown.hex_notes import hex_notes
from rules_engine.rulebooks.cutler.shown.map_news import battle_counters, news_since, open_battles
from rules_engine.rulebooks.cutler.shown.map_pieces import fixed_counters, fleet_counters, generic_counters, ship_row
from rules_engine.rulebooks.cutler.shown.map_ranges import map_ranges
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.armed import mooned
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
def test_own_counters_tell_how_many_they_are_and_what_is_left(kept: Kept):
    found = counters("hydran F1 0404 CA+DD\nhydran F2 0405 CA[warp=10]\nhydran base 0205 Azure\nhydran V1 0303 FL+FL")
    assert {key: (one.ships, one.whole) for key, one in found.items()} == kept()


def test_a_fleet_with_a_ship_in_a_docking_bay_is_docked():
    state = world(f"hydran F1 0205 CA\nhydran F2 0205 CA\nhydran base 0205 Azure\n{NOW}")
    work = DockWork(base="hydran-base-0205", bay=1, race="hydran", into=kind_of("CC"), named="X", cost=9)
    state.works["1"] = work.changed(ship="hydran-F1-CA")
    found = {one.id: one.docked for one in RULEBOOK.side_board(state, "hydran", Knowledge()).counters}
    assert (found["F1"], found["F2"]) == (True, False)


@cases("engines, course, now, moved, ends")
def test_turns_end_where_the_impulse_chart_lets_them_end(engines: str, course: str, now: str, *, moved: bool, ends):
    """A cruiser with half of its engines makes three hexes a turn, in impulses 2, 4 and 6."""
    state = world(f"hydran F1 0202 CA[{engines}] course {course}\n{now}")
    if moved:
        state.units["hydran-F1-CA"].last_opportunity = Moment(turn=2, impulse=state.impulse)
    (drawn,) = RULEBOOK.side_board(state, "hydran", Knowledge()).courses
    assert [(stage.after, stage.said) for stage in drawn.stages] == ends


def test_convoys_have_strengths_and_ends_of_turns_too():
    found = board("hydran V1 0404 FL+FL course 0405 0406 0407 0408")
    assert [one.ships for one in found.counters] == [2]
    assert (found.courses[0].stages[0].said, found.courses[0].stages[-1].after) == ("T3", 4)


# --- ranges -----------------------------------------------------------------------------------------------------------
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


def facts(state: CutlerState, side: str) -> list[tuple[str, str]]:
    shown = RULEBOOK.public_board(state) if side == "everybody" else RULEBOOK.side_board(state, side, Knowledge())
    return [(place.fact, place.aside) for place in shown.news]


def test_an_open_battle_is_numbered_and_marked_for_its_parties_alone(kept: Kept):
    state = in_battle()
    assert facts(state, "hydran") == [("0606: F1 in battle with the Lyran", "thread is open")]
    assert facts(state, "lyran") == [("0606: F1 in battle with the Hydran", "thread is open")]
    assert RULEBOOK.omniscient_board(state).news[0].fact == "0606: Hydran and Lyran in battle"
    assert [shown.news[0].choice for shown in (RULEBOOK.omniscient_board(state), *boards_of(state)[:1])] == kept()
    assert [[one.form for one in shown.counters].count("battle") for shown in boards_of(state)] == [1, 1, 0, 0, 1]


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


@cases("text, side, found", made="text")
def test_foreign_counters_are_numbered_where_own_ships_and_planets_are(text: str, side: str, found):
    assert facts(world(text), side) == found


@cases("holders, now, side, found")
def test_planets_that_changed_hands_are_numbered_for_everybody(holders: dict[int, str], now: str, side: str, found):
    """The Hydran's Cub has these holders, each from a turn on."""
    state = world(f"{PLANETS}\n{now}")
    told = state.turn
    for state.turn, holder in holders.items():
        hand_over(state, state.planets["cub"], holder)
    state.turn = told
    assert facts(state, side) == found


def test_what_was_glanced_at_is_numbered_with_its_number(kept: Kept):
    table = table_of(world("hydran F1 0606 CA\nlyran F1 0606 CC\nturn 2 impulse 3"))
    table.set_time(2, 30, "now")
    sighted = Sighted(
        track="C1", hex="0606", level=5, level_name="S1-S5", owner="lyran", headline="2 Lyran units", details=("x",)
    )
    table.tell(["hydran"], "Seen.", kind="contact", facts=[sighted])
    shown = RULEBOOK.side_board(table.state, "hydran", table.knowledge("hydran"))
    (place,) = shown.news
    assert (place.fact, place.aside, place.note, place.choice) == kept()
    assert {one.id: one.ships for one in shown.counters}["C1"] == 2


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


# --- all that stands there -------------------------------------------------------------------------------------------
def test_the_header_of_a_set_up_names_the_scenario_alone() -> None:
    state, _ = opened(5)
    for shown in (RULEBOOK.public_board(state), RULEBOOK.side_board(state, state.races()[0], Knowledge())):
        header = shown.header
        assert (header.scenario, header.turn, header.day) == ("The Ring", "Set-up", "")
        assert (header.tallies, header.tallied, header.figures, shown.news) == ((), "", (), ())
    before = world(f"{PLANETS}\nturn 2")
    assert RULEBOOK.public_board(before).header.day == "of 3"
    before.impulse = 1
    assert RULEBOOK.public_board(before).header.day == "of 3, impulse 1"


def test_places_that_nobody_has_yet_are_named_on_the_map_of_a_set_up() -> None:
    state, setup = opened(5)
    setup.empires = [("0101", "0102", "0103"), ("0505",)]
    assert {note.hex: note.name for note in hex_notes(state) if note.name} == {"0102": "Empire 1", "0505": "Empire 2"}


@pytest.mark.rule("cutler", "1.1.2.3", "1.1.2.4", "1.1.2.5.2", "4.1.4", "4.1.4.1")
def test_what_stands_in_each_hex_of_a_map(kept: Kept) -> None:
    state = mooned(world(f"{PLANETS}\n{NOW}"), "0205")
    state.systems |= {"0303": StarSystem(moons=(4,)), "0908": StarSystem(asteroid_field=True, gas_giant=1)}
    state.systems["0902"] = StarSystem(giant_moons=(4, 5))
    for moon, owner in zip(state.moons.values(), ("lyran", "lyran", "klingon"), strict=False):
        moon.owner = owner
    state.unsurveyed, state.terrain = ["0101", "0205"], {"0707": "dust"}
    state.territory = {"0606": "lyran", "0205": "lyran"}
    notes = {note.hex: note for note in hex_notes(state, "hydran")}
    assert {key: (note.marks, note.owner, note.name) for key, note in notes.items()} == kept()
    assert {key: note.terrain for key, note in notes.items() if note.terrain != "space"} == {"0707": "dust"}
    assert {key for key, note in notes.items() if note.invented} == {"0205", "0303", "0902", "0908"}
    assert {key: note.territory for key, note in notes.items() if note.territory} == state.territory
    assert {key: note.figure for key, note in notes.items() if note.figure} == {"0205": "+100", "0303": "+25"}
    # A planet that was taken in turn 2 makes its first half in turn 4.
    state.planets["cub"].captured_turn = 2
    figures = {}
    for turn in (2, 3):
        state.turn = turn
        figures[turn] = {note.name: note.figure for note in hex_notes(state, "hydran")}["Cub"]
    assert figures == {2: "+0", 3: "+12"}
    state.invented = False
    assert not any(note.invented for note in hex_notes(state))


def test_units_stand_on_a_map_with_all_that_is_not_as_it_was(kept: Kept) -> None:
    text = "hydran F1 0404 CA[warp=20,imp=1,officers=navigator,crew=poor,fighters=6,aboard=4]+DD[cloak=up]\n"
    state = world(f"{text}hydran F2 0505 MON[warp=0,imp=0]\nhydran base 0205 Azure\nhydran police 0303\nturn 1")
    ship = state.units["hydran-F2-MON"]
    ship.captured_from, ship.boarding_parties = "lyran", 1
    state.units["hydran-base-0205"].record = kind_of("base", source="printed")
    rows = {unit.id.removeprefix("hydran-"): ship_row(unit) for unit in state.alive("hydran")}
    assert rows == kept()
    fleets = [
        (one.id, one.form, one.label, one.sub, one.ships, len(one.details)) for one in fleet_counters(state, "hydran")
    ]
    assert fleets == kept("fleets")
    fixed = [(one.id, one.form, one.label, one.hex, one.ships, one.details) for one in fixed_counters(state, "hydran")]
    assert fixed == [
        ("own/hydran-base-0205", "base", "Azure", "0205", 1, (rows["base-0205"],)),
        ("own/hydran-police-0303", "force", "hydran police", "0303", 1, (rows["police-0303"],)),
    ]
    for key in ("hydran-F1-CA", "hydran-F1-DD"):  # lost while hexes are fought over
        state.units[key].destroyed = True
    assert [one.id for one in fleet_counters(state, "hydran")] == ["F2"]
    (generic,) = generic_counters(state, [("lyran", "0909")])
    assert (generic.id, generic.label, generic.owner, generic.hex) == ("lyran@0909", "Lyran CU", "lyran", "0909")
    assert (generic.level, generic.grade, generic.level_name) == (0, 0, "strength unknown")


def test_ground_bases_stand_on_no_map_of_their_own() -> None:
    state = world("planet minor 0404 hydran cub\nhydran base 0205 Azure\n")
    stand_on(state, state.planets["cub"], {"A": 1}, state.ground_base_cost.record)
    assert [one.label for one in fixed_counters(state, "hydran")] == ["Azure"]


@cases("moved, now, retreat, course, drawn")
def test_the_last_move_is_drawn_for_the_turn_in_which_it_was(moved, now, retreat, course, drawn) -> None:
    state = world(f"hydran F1 0404 CA{f' course {course}' if course else ''}\n{now}")
    unit = state.units["hydran-F1-CA"]
    unit.entered_from, unit.entered_at = "0303", Moment(turn=moved[0], impulse=moved[1])
    unit.retreat_hex = retreat
    assert [(one.kind, *one.hexes) for one in RULEBOOK.side_board(state, "hydran", Knowledge()).courses] == drawn


@pytest.mark.rule("cutler", "8.3.1", "8.3.2", "8.4.1", "7.2")
def test_ranges_are_those_of_all_scanners_and_of_bases_that_stand() -> None:
    text = "hydran F1 0505 SC\nhydran base 0205 Azure[sensors=1]\nhydran police 0909 Watch[sensors=1]\n"
    state = world(f"{text}lyran F1 0101 SC\n{NOW}")
    within = state.grid.within
    ranges = {one.kind: one.hexes for one in map_ranges(state, "hydran")}
    assert ranges == {
        "detection": tuple(sorted({*within("0505", 1), *within("0205", 3), *within("0909", 1)})),
        "long-range": tuple(sorted({*within("0505", 2), *within("0205", 4), *within("0909", 2)})),
        "supply": ("0205",),
    }
    assert RULEBOOK.side_board(state, "hydran", Knowledge()).ranges == map_ranges(state, "hydran")
    assert RULEBOOK.side_board(state, "klingon", Knowledge()).ranges == ()
    assert RULEBOOK.public_board(state).ranges == RULEBOOK.omniscient_board(state).ranges == ()
    state.units["hydran-F1-SC"].special_sensors_ok = 0
    state.units["hydran-police-0909"].special_sensors_ok = 0
    state.units["hydran-base-0205"].destroyed = True
    assert map_ranges(state, "hydran") == ()


# --- the news in full ------------------------------------------------------------------------------------------------
def forces_in_battle(ships: str = "CA") -> CutlerState:
    """The Hydran and the Klingon fight as one against the Lyran in 0606; another Hydran fleet is beside them."""
    text = f"hydran F1 0606 {ships}\nhydran F2 0606 FF\nlyran F1 0606 CC\nklingon F1 0606 DD"
    state = world(f"{text}\ntogether hydran klingon\n{NOW}")
    lines = {"H1": "hydran-F1-CA", "L1": "lyran-F1-CC", "K1": "klingon-F1-DD"}
    battle = Battle(
        key="b", kind="main", hex="0606", sides=("hydran", "lyran"), lines=lines,
        forces=[["hydran", "klingon"], ["lyran"]],
    )  # fmt: skip
    state.fights["0606"] = Fight(battle=battle)
    return state


def test_a_battle_of_forces_is_told_to_each_of_its_races_and_to_the_referee(kept: Kept) -> None:
    state = forces_in_battle()
    said = {race: [list(one.said) for one in open_battles(state, race)] for race in ("hydran", "lyran", "klingon")}
    assert said == kept()
    choices = {race: [list(one.choice) for one in open_battles(state, race)] for race in ("hydran", "lyran")}
    assert choices == {race: [["Fight it out, then enter the result"]] for race in ("hydran", "lyran")}
    (whole,) = open_battles(state, None, everything=True)
    assert (list(whole.said)[1:], list(whole.choice)) == (["Hydran, Klingon and 1 more in battle", "battle"], [])
    assert list(open_battles(state, None)) == []
    state.units["hydran-F1-CA"].destroyed = True
    assert [next(iter(one.said)) for one in open_battles(state, "hydran")] == ["battle with the Lyran"]
    state.fights["0606"].battle = None
    assert list(open_battles(state, "hydran")) == list(open_battles(state, None, everything=True)) == []


def test_of_another_battle_nothing_is_told_and_only_fleets_in_it_are_named() -> None:
    state = forces_in_battle("CA+DD")
    state.fights["0606"].battle.forces = []
    assert (list(open_battles(state, "klingon")), len(list(open_battles(state, "klingon", everything=True)))) == ([], 1)
    assert [len(list(battle_counters(state, race))) for race in ("hydran", "lyran", "klingon")] == [1, 1, 0]
    (mark,) = battle_counters(state, "hydran")
    assert (mark.id, mark.hex, mark.owner, mark.label) == ("battle 0606", "0606", "", "Battle")
    state.units["hydran-F1-CA"].destroyed = True
    assert [next(iter(one.said)) for one in open_battles(state, "hydran")] == ["battle with the Lyran"]


@pytest.mark.rule("cutler", "4.1.4.1", "5.2")
def test_news_are_told_the_heaviest_first() -> None:
    state = world(
        f"{PLANETS}\nhydran F1 0606 CA+DD+FF\nhydran F2 1109 FF\nhydran F3 0404 CW\nlyran F1 0404 CC\n"
        f"planet minor 0808 lyran kit\nplanet minor 0101 klingon fort\n{NOW}"
    )
    for key, unit in state.units.items():
        if key.startswith(("hydran-F1", "hydran-F2")):
            unit.perish(2)
    for key, owner in (("cub", "lyran"), ("kit", "hydran"), ("fort", "lyran")):
        hand_over(state, state.planets[key], owner)
    lines = {"H1": "hydran-F3-CW", "L1": "lyran-F1-CC"}
    state.fights["0404"] = Fight(
        battle=Battle(key="b", kind="main", hex="0404", sides=("hydran", "lyran"), lines=lines)
    )
    battle = ("0404: F3 in battle with the Lyran", "thread is open")
    three, one = ("0606: you lost Hydran F1…, Hydran F1… and 1 more", "lost"), ("1109: you lost Hydran F2…", "lost")
    lost, taken = ("Cub: captured by the Lyran", "planet lost"), ("Kit: captured by your ships", "planet taken")
    assert facts(state, "hydran") == [battle, three, one]
    state.fights.clear()
    assert facts(state, "hydran") == [three, one, lost]
    for unit in state.units.values():
        unit.destroyed, unit.lost_turn = False, 0
    state.units["lyran-F1-CC"].hex = "1104"
    assert facts(state, "hydran")[:2] == [lost, taken]


def test_news_begin_with_the_first_step_of_a_turn() -> None:
    state = world("hydran F1 0404 CA\nturn 3")
    assert news_since(state) == When(turn=2, step=1)
    state.impulse = 1
    assert news_since(state) == When(turn=3, step=1)
    state.turn, state.impulse = 1, 0
    state.planets = world("planet minor 0404 lyran kit\n").planets
    state.planets["kit"].changed_turn = 0
    assert news_since(state).turn == 0
    assert facts(state, "hydran") == [], "what was so in the beginning is no news"
