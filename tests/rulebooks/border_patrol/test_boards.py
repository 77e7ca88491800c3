"""What boards, tables, maps and the briefing show, to whom and in which words."""

import json

import pytest

from rules_engine.core.basics.base import When
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.reports import Lost, Report, Sighted
from rules_engine.core.knowledge.views import Board, Counter, Knowledge
from rules_engine.rulebooks.border_patrol import RULEBOOK
from rules_engine.rulebooks.border_patrol.ch60_reaction.waiting import begin_reaction
from rules_engine.rulebooks.border_patrol.records.orders import RouteLeg
from rules_engine.rulebooks.border_patrol.records.places import ListeningPost
from rules_engine.rulebooks.border_patrol.records.state import BorderState
from rules_engine.rulebooks.border_patrol.records.units import PodCarried
from rules_engine.rulebooks.border_patrol.shown.sides import hull_name
from rules_engine.rulebooks.border_patrol.shown.units import say_stack, say_unit
from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.fleet import ship
from tests.rulebooks.border_patrol.plays import play, world

LINES = """
blue B1 0505 CA+DD
blue base 0202 BATS
red R1 0808 CA+CA
red R2 0808 DD
red R3 0909 CA[cloak_cost=10]
red base 1111 BATS
monster dragon 0606 stays driven_off_by=999
alien probe 0707 stays driven_off_by=999
province home blue 0201 0202 0203 0301 0302
storm gale 0404
"""


def counters(shown: Board, owner: str) -> dict[str, tuple[str, str, int | None]]:
    return {one.id: (one.hex, one.form, one.ships) for one in shown.counters if one.owner == owner}


@pytest.fixture(scope="module")
def state() -> BorderState:
    return play(world(LINES), None, {"R3": {"cloak": "all turn"}}).state


def test_own_stacks_with_all_that_is_in_them(state: BorderState, kept: Kept):
    shown = board(state)
    assert counters(shown, "blue") == {"B1": ("0505", "force", 2), "blue-0202": ("0202", "base", None)}
    panel = shown.panel("Stacks")
    assert panel is not None
    assert panel.rows == kept()


@pytest.mark.rule("border_patrol", "V8.56")
def test_of_others_one_counter_for_a_hex_and_nothing_of_cloaked_ones(state: BorderState):
    for shown in (board(state), RULEBOOK.public_board(state)):
        assert counters(shown, "red") == {"R-0808": ("0808", "force", None), "R-base-1111": ("1111", "base", None)}
    assert set(counters(RULEBOOK.omniscient_board(state), "red")) == {"R1", "R2", "R3", "red-1111"}


def test_monsters_and_aliens_are_outsiders_that_all_see(state: BorderState):
    shown = board(state)
    assert [one.key for one in shown.outsiders] == ["monsters", "aliens"]
    assert (set(counters(shown, "monsters")), set(counters(shown, "aliens"))) == ({"dragon"}, {"probe"})


def test_the_map_is_public(state: BorderState):
    notes = {note.hex: note for note in board(state).hexes}
    assert notes["0404"].terrain == "ion storm"
    assert (notes["0101"].name, notes["0101"].owner, notes["0101"].marks) == ("Sol", "blue", ("planet",))
    assert (notes["0202"].name, notes["0301"].territory) == ("Home", "blue"), "in the middle of the province"
    assert board(state).hexes == board(state, "red").hexes == RULEBOOK.public_board(state).hexes


def test_the_referee_reads_what_is_invented():
    state = world("blue B1 0505 CA")
    state.invented = ("map", "province home")
    for shown in (RULEBOOK.omniscient_board(state), RULEBOOK.public_board(state)):
        assert shown.panel("Invented figures").rows == ("map, province home",)


def test_listening_posts_are_their_teams_alone():
    from rules_engine.rulebooks.border_patrol.records.places import ListeningPost

    state = world("blue B1 0505 CA")
    state.posts["ear"] = ListeningPost(id="ear", team="blue", hex="0606")
    assert board(state).panel("Listening posts, Blue Team") is not None
    assert board(state, "red").panel("Listening posts, Blue Team") is None
    assert "0606" not in RULEBOOK.public_board(state).model_dump_json()


def test_scores_are_everybodys_and_points_to_spend_ones_own(state: BorderState):
    state.teams["red"].treasury = 77
    for shown in (board(state), RULEBOOK.public_board(state)):
        assert "77" not in [figure.value for figure in shown.header.figures]
        assert {one.owner for one in shown.header.tallies} == {"blue", "red"}
    assert [figure.value for figure in board(state, "red").header.figures] == ["77"]


def test_ways_are_ones_own():
    game = play(world("blue B1 0505 CA\nred R1 0507 CA"), {"B1": {"route": "0506 0507 0508"}})
    courses = [(one.kind, one.hexes) for one in board(game.state).courses]
    assert courses == [("moved", ("0505", "0506", "0507"))], "the rest of its way is over with the turn"
    fought = [(one["kind"], one["hexes"]) for one in json.loads(game.looks["blue"][-1])["courses"]]
    assert fought == [("moved", ["0505", "0506", "0507"]), ("plotted", ["0507", "0508"])]
    assert [one for one in board(game.state, "red").courses if one.counter == "B1"] == []


def test_the_table_and_the_briefing(state: BorderState):
    (table,) = RULEBOOK.side_tables(state, "blue", Knowledge())
    assert table.rows[0] == ("B1", "0505", "B1-CA", "CA", "5", "2 4 5 7 8", "30 of 30", "8", "4", "yes", "")
    told = RULEBOOK.briefing(state, "blue")
    assert (told.length, told.forces) == ("3 turns of eight movement phases", ("B1 at 0505: B1-CA, B1-DD",))
    assert told.victory[0] == (
        "A turn: 1 for each province held, 2 for a convoy in, 3 for one caught, 4 for a monster, 5 for an enemy "
        "crippled, 6 for one destroyed"
    )
    assert told.victory[1].startswith("A province is held")
    assert told.terms == (("CA", "heavy cruiser"), ("DD", "destroyer"))


def test_income_by_place():
    state = world("province home blue 0201 0202\nblue B1 0505 CA")
    found = RULEBOOK.economy(state, "blue", Knowledge(), is_ahead=True)
    assert [(place.hex, place.name) for place in found.places] == [("0101", "Sol"), ("0201", "Home")]


# --- news ------------------------------------------------------------------------------------------------------------
def told(state: BorderState, side: str = "blue") -> list[tuple[tuple[str, ...], str, str]]:
    return [(one.hexes, one.fact, one.aside) for one in RULEBOOK.side_board(state, side, Knowledge()).news]


def test_others_who_came_are_numbered_with_the_hex_from_which_they_came_in_the_turn():
    game = play(world("blue B1 0505 CA\nred R1 1008 CA"), None, {"R1": {"route": "1007 1006"}})
    assert told(game.state) == [(("1006",), "1006: Red Team came from 1008", "from 1008")]
    assert (told(game.state, "red"), RULEBOOK.public_board(game.state).news) == ([], ())


def test_where_they_came_to_is_called_by_its_name():
    game = play(world("blue B1 0505 CA\nred R1 1007 CA\nsystem eden blue 1006"), None, {"R1": {"route": "1006"}})
    assert [one.title for one in RULEBOOK.side_board(game.state, "blue", Knowledge()).news] == ["Eden 1006"]


def test_it_is_told_until_the_next_turns_moves():
    game = play(world("blue B1 0505 CA\nred R1 1008 CA"), None, {"R1": {"route": "1007"}})
    assert told(play(game.state).state) == []


def test_it_is_no_news_on_their_own_ground():
    state = world("blue B1 0505 CA\nred R1 1008 CA\nprovince home red 1007 1008")
    assert told(play(state, None, {"R1": {"route": "1007"}}).state) == []


def test_nothing_is_told_of_who_came_under_cloak():
    state = world("blue B1 0505 CA\nred R1 1008 CA[cloak_cost=10]\nred R2 1006 CA")
    game = play(state, None, {"R1": {"cloak": "all turn", "route": "1007 1006"}})
    assert (game.hexes()["R1"], told(game.state)) == ("1006", [])


def test_of_those_who_came_to_an_own_hex_it_is_told_that_they_are_there():
    game = play(world("blue B1 0505 CA\nred R1 0507 CA"), None, {"R1": {"route": "0506 0505"}})
    assert [one[1] for one in told(game.state)] == ["0505: R still with B1"]


# --- shown words -----------------------------------------------------------------------------------------------------
SHOWN_LINES = """
blue B1 0505 CA+DD
blue B2 0606 FT
blue B3 0707 CA[cloak_cost=10 cloaks=yes cloaked=yes]
blue base 0202 BATS
red R1 0808 CA
red base 1111 BATS
convoy blue B2 0606 0607 0608
monster dragon 0303 stays driven_off_by=9
alien probe 0909 stays driven_off_by=9
"""


def board(state: BorderState, side: str = "blue", knowledge: Knowledge | None = None) -> Board:
    return RULEBOOK.side_board(state, side, knowledge or Knowledge())


def by_id(shown: Board) -> dict[str, Counter]:
    return {one.id: one for one in shown.counters}


@pytest.mark.rule("border_patrol", "V8.56")
def test_counters(kept: Kept):
    state = world(SHOWN_LINES)
    own = by_id(board(state))
    assert [(own[key].form, own[key].label, own[key].sub, own[key].ships) for key in ("B1", "B2", "B3")] == kept()
    assert own["blue-0202"].details == ("Base 0202 (BATS): as usual",)
    assert own["B1"].details == (
        "B1-CA (CA): warp 30 of 30, 4 emergency turns",
        "B1-DD (DD): warp 15 of 15, 2 emergency turns",
    )
    theirs = [
        (one.form, one.label, one.level, one.level_name, one.grade) for one in (own["R-0808"], own["R-base-1111"])
    ]
    assert theirs == [("force", "R", 1, "seen", 1), ("base", "base", 1, "seen", 1)]
    others = [(own[key].owner, own[key].label, own[key].sub, own[key].grade) for key in ("dragon", "probe")]
    assert others == [("monsters", "Dragon", "monster", 4), ("aliens", "Probe", "alien ship", 4)]
    assert {own[key].level_name for key in ("dragon", "probe")} == {"known"}
    assert {own[key].level for key in ("dragon", "probe")} == {4}
    assert [(one.name, one.emblem) for one in board(state).outsiders] == [("Monsters", "M"), ("Alien ships", "A")]


def known(track: str, level: int, turn: int) -> Knowledge:
    """What a Team knows that saw something once, in that turn."""
    seen = Sighted(track=track, hex="0404", level=level, level_name="found", headline="2 cloaked", owner="red")
    knowledge = Knowledge()
    facts = (seen, Lost(track=track))
    told = Report(number=1, place="T1", when=When(turn=turn), to=("blue",), kind="contact", text="Seen.", facts=facts)
    knowledge.learn(told)
    return knowledge


@pytest.mark.parametrize("level", [2, 4])
def test_what_was_turned_up_is_a_ghost_for_three_turns(level: int):
    state = world("blue B1 0505 CA", turns=9)
    for turn, is_there in ((4, True), (5, False)):
        state.turn = turn
        ghosts = [one for one in board(state, knowledge=known("E1", level, 1)).counters if one.id == "E1"]
        assert [(one.hex, one.grade, one.live, one.age) for one in ghosts] == (
            [("0404", level, False, 3)] if is_there else []
        )


def test_ways():
    state = world(SHOWN_LINES)
    state.stacks["B1"].trail, state.stacks["B1"].orders.way = ["0503", "0504"], [RouteLeg(hex="0506")]
    state.convoys["B2"].gone = 1
    state.stacks["B2"].hex = state.units["B2-FT"].hex = "0607"
    ways = {
        ("B1", "moved", ("0503", "0504", "0505")),
        ("B1", "plotted", ("0505", "0506")),
        ("B2", "route", ("0607", "0608")),
    }
    for shown in (board(state), RULEBOOK.omniscient_board(state)):
        assert {(one.counter, one.kind, one.hexes) for one in shown.courses} == ways
    assert board(state, "red").courses == RULEBOOK.public_board(state).courses == ()
    state.convoys["B2"].fate = "in"
    assert ("B2", "route") not in {(one.counter, one.kind) for one in board(state).courses}


def test_headings():
    state = world("blue B1 0505 CA\nred R1 0507 CA")
    shown = board(state)
    assert (shown.rulebook, shown.heading, shown.when) == (
        "Border Patrol",
        "Turn 0 of 3",
        When(turn=1, step=0, label="Turn 0 of 3"),
    )
    assert shown.header.tallied == "points"
    assert [(one.value, one.said) for one in shown.header.figures] == [("0", "economic points")]
    game = play(state, {"B1": {"route": "0506"}}, {"R1": {"route": "0506"}})
    assert '"label":"Turn 1 of 3, phase 2"' in game.looks["blue"][-1]
    assert '"step":20' in game.looks["blue"][-1]
    assert (
        '"fact":"0506: B1 in battle","aside":"thread is open","note":"","choice":"Fight it out, then enter the result"'
    ) in game.looks["blue"][-1]


def test_a_battle_on_the_map():
    game = play(world("blue B1 0505 CA\nblue B2 0505 DD\nred R1 0507 CA"), None, {"R1": {"route": "0506 0505"}})
    assert [one["fact"] for one in json.loads(game.looks["blue"][-1])["news"]] == ["0505: B1 and B2 in battle"]


def test_panels(kept: Kept):
    state = world(SHOWN_LINES)
    state.posts["ear"] = ListeningPost(id="ear", team="red", hex="0404")
    state.teams["red"].score = 7
    state.invented = ("map", "supply")
    state.stacks["B1"].orders.onward, state.stacks["B1"].orders.held = "turn back", "withdraw"
    state.stacks["B1"].orders.let_go = "ask"
    shown = {panel.title: panel.rows for panel in RULEBOOK.omniscient_board(state).panels}
    assert list(shown) == kept()
    assert (shown["Listening posts, Red Team"], shown["Score"]) == (("0404",), ("Blue Team: 0", "Red Team: 7"))
    assert shown["Invented figures"] == ("map, supply",)
    own = {panel.title: panel.rows for panel in board(state).panels}
    assert list(own) == ["Stacks", "Bases", "Standing orders", "Score"]
    assert own["Bases"] == ("Base 0202 (BATS): as usual",)
    assert own["Standing orders"][:2] == (
        "B1: turns back before others; asks to leave if held; asks you who may leave",
        "B2: goes on past others; stays if held; lets nobody leave",
    )
    assert [panel.title for panel in RULEBOOK.public_board(state).panels] == ["Score", "Invented figures"]


def test_a_unit_in_a_line():
    assert say_unit(ship("CA")) == "Ca (CA): warp 30 of 30, 4 emergency turns"
    assert say_unit(ship("BATS")) == "Bats (BATS): as usual"
    flags = ("flagship", "crippled", "sensors_damaged", "warp_dropped", "emergency", "emergency_barred")
    bad = ship("TUG", **dict.fromkeys(flags, True), in_supply=False, overhaul_at="x", towed_by="y", carried=1)
    bad.pods = [PodCarried(name="Repair")]
    assert say_unit(bad) == (
        "Tug (TUG): warp 30 of 30, 4 emergency turns, flagship, crippled, out of supply, sensors damaged, "
        "dropped its warp engines, Emergency Movement, barred from it, overhaul, in tow, 1 point held, pod Repair"
    )


def test_a_stack_in_a_line(kept: Kept):
    state = world(SHOWN_LINES)
    assert {key: say_stack(state, stack).partition(": ")[0] for key, stack in state.stacks.items()} == kept()
    begin_reaction(state.units["B1-CA"])
    assert ", lies in wait: " in say_stack(state, state.stacks["B1"])
    state.stacks["B1"].orders.way = [RouteLeg(hex="0506", phase=4)]
    assert ", goes P4 0506: " in say_stack(state, state.stacks["B1"])
    assert [one.name for one in RULEBOOK.roster(state, "blue")] == ["B1-CA", "B1-DD", "B3-CA"], "without the convoy"


def test_the_table_of_units():
    state = world("blue B1 0505 CA[towing=B1-DD]+DD+FF[in_supply=no crippled=yes]")
    (table,) = RULEBOOK.side_tables(state, "blue", Knowledge())
    assert (table.title, table.note) == (
        "Units",
        "A stack goes by its slowest unit; Emergency is how many turns of it are left.",
    )
    assert " ".join(table.columns) == "Stack Hex Unit Class Allowance Phases Warp Command Emergency Supply State"
    assert [row[-2:] for row in table.rows] == [("yes", ""), ("yes", "in tow"), ("no", "crippled")]


def test_the_briefing():
    told = RULEBOOK.briefing(world("blue B1 0505 CA+DD\nblue B2 0606 FT"), "blue")
    assert told.objective == "Score more points than the other Team."
    assert told.victory == (
        "A turn: 1 for each province held, 2 for a convoy in, 3 for one caught, 4 for a monster, 5 for an enemy "
        "crippled, 6 for one destroyed",
        "A province is held by the one Team with units in it in the open, one of them uncrippled and in supply.",
    )
    assert told.to_know == (
        "Of others you see Team and hex, not how many nor what; cloaked ones not at all.",
        "One sheet a turn: ways for all phases, and what stacks do when something comes up.",
        "Whoever enters a hex where others stand is held there, and may have to fight.",
    )
    assert told.terms == (("CA", "heavy cruiser"), ("DD", "destroyer"), ("FF", "frigate"))
    state = world("blue B1 0505 CA")
    state.scoring = state.scoring.with_values(lead=5)
    assert RULEBOOK.briefing(state, "blue").victory[-1] == "A lead of 5 ends the campaign."


def test_the_briefing_says_which_stack_is_a_convoy():
    told = RULEBOOK.briefing(world(SHOWN_LINES), "blue")
    assert told.forces[:2] == ("B1 at 0505: B1-CA, B1-DD", "B2 at 0606, convoy: B2-FT")


@cases("letters, kind, name")
def test_what_letters_stand_for(letters: str, kind: str, name: str):
    assert hull_name(ship("CA", kind=kind).changed(ship_class=letters)) == name


def test_income_in_words(kept: Kept):
    state = world("province home blue 0201 0202\nblue B1 0505 CA")
    state.economy = state.economy.with_values(province=2, system=3)
    state.teams["blue"].treasury = 11
    found = RULEBOOK.economy(state, "blue", Knowledge(), is_ahead=True)
    assert [(one.name, one.value) for one in found.figures] == [("Economic points", "11")]
    assert [(place.name, [(one.name, one.value) for one in place.figures]) for place in found.places] == kept()


def test_the_name_of_a_province_stands_in_its_middle():
    """Five hexes in a column and one aside: the third of the column is the nearest to the middle of all."""
    state = world("province tail nobody 0301 0302 0303 0304 0305 0403\nprovince row nobody 0508 0608 0708 0808 0908")
    names = {note.hex: note.name for note in board(state).hexes if note.name}
    assert (names["0303"], names["0708"]) == ("Tail", "Row")
    assert len(names) == 4, "and the two star systems"


def test_there_are_no_odds():
    with pytest.raises(Refused, match="this rulebook has no odds"):
        RULEBOOK.odds(world("blue B1 0505 CA"), "blue", Knowledge(), "B1", "R1")
