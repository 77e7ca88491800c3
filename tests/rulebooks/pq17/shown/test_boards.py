"""Boards: what a side sees of itself, of its contacts, and of what everybody knows."""

from fractions import Fraction

import pytest

from map_render import alt_text
from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.side_tables import contacts_table
from rules_engine.core.knowledge.views import HexNote, Knowledge, SideView
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.ch05_movement.movement import move
from rules_engine.rulebooks.pq17.contacts.identification import drop_contact, report_contact
from rules_engine.rulebooks.pq17.nations.victory_points import score
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.records import calendar, minefields
from rules_engine.rulebooks.pq17.records.state import MapHex, State
from rules_engine.rulebooks.pq17.shown.boards import omniscient_board, public_board, side_board
from rules_engine.rulebooks.pq17.shown.panel_stores import stores_panels
from rules_engine.rulebooks.pq17.shown.tables_of_side import period_of, side_tables
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.written_scenes import spell_board, spell_table
from tests.rulebooks.pq17.worlds import special_conditions, supply
from tests.rulebooks.pq17.worlds.notation import CLASSES, table, world
from tests.rulebooks.written_texts import compare, spell_rulings


# --- texts of rulings -------------------------------------------------------------------------------------------------
def test_rulings_on_the_book(request: pytest.FixtureRequest) -> None:
    compare(request, spell_rulings(one for one in RULEBOOK.rulings if not one.rules.startswith("C.")))


def test_rulings_on_the_campaign(request: pytest.FixtureRequest) -> None:
    compare(request, spell_rulings(one for one in RULEBOOK.rulings if one.rules.startswith("C.")))


# --- the tables that a side can look up -------------------------------------------------------------------------------
@pytest.mark.parametrize(("source", "said"), [("invented", "CA, invented"), ("our own book", "CA")])
def test_the_stores_mark_figures_that_are_made_up(source: str, said: str) -> None:
    classes = CLASSES | {"CA": CLASSES["CA"].model_copy(update={"source": source})}
    state = world("A1 0405 CA\nC1 0707 CA", classes=classes)
    (stores,) = [one for one in side_tables(state, "alliance", Knowledge()) if one.key == "stores"]
    assert [row[:4] for row in stores.rows] == [("A1.CA", said, "A1", "0405")]


@cases("turn, period")
def test_a_period_has_thirty_turns_and_what_is_before_the_first_belongs_to_it(turn: int, period: int) -> None:
    assert period_of(turn) == period


@pytest.mark.rule("pq17", "T5.note2")
def test_the_board_shows_the_last_twenty_lines_of_points() -> None:
    """Of 22; 1 to 22 points are 253 in all."""
    state = world("A1 0403 CA")
    at = table(state)
    for n in range(1, 23):
        score(at.at(str(n)), "T5.1", Fraction(n), because("PQ-17 T5"), text=f"Ship {n} destroyed.")
    total, *rows = side_board(state, "alliance", Knowledge()).panel("Victory points").rows
    assert total.startswith("Alliance total +253")
    assert [row.rpartition("Ship ")[2] for row in rows] == [f"{n} destroyed." for n in range(3, 23)]


# --- boards and tables as they are read, whole: the texts stand in `texts/` -------------------------------------------
Request = pytest.FixtureRequest
STATION = """
A1 0403 CA+DD[fuel=3,crippled=yes] speed 2 passive route 0404,0405
A2 0607 FF speed 1 shadows C1
A3 0402 FT port A9
A8 0801 BATS base Burrow
A9 0402 BATS base Haven known LC1
C1 0607 CA+FF speed 3 ID1
C2 0701 DD
C3 0608 CA ID0
C8 0705 BATS base Lair
C9 0508 BATS base Grimhold known LC1
settled 0602 alliance Amberline
settled 0707 coalition Gorge
nebula 0605
turn 2 impulse 1 half A
"""


def station() -> TurnContext[State]:
    """Both sides with bases, minefields and a contact; one contact of the Alliance's is lost, points are scored."""
    own = CLASSES["CA"].model_copy(update={"source": "our own book"})
    state = world(STATION, classes=CLASSES | {"CA": own}, ghost_turns=1)
    state.hexes["0605"] = MapHex(terrain="nebula", invented=True)
    state.units["A1.CA"].repairs = state.units["A1.CA"].repairs.with_values(refits=["Y165"])
    state.units["A1.CA"].options = "2 drone racks"
    haven, burrow = (state.task_forces[one].base for one in ("A9", "A8"))
    haven.fittings, burrow.fittings = {"MOD": 2}, {"POD": 1}
    state.mines.fields["alliance 0402"] = minefields.Minefield(side="alliance", hex="0402", strength=3, attacked=True)
    state.mines.fields["coalition 0707"] = minefields.Minefield(side="coalition", hex="0707", strength=4)
    state.mines.loads = {"alliance 0602": 150, "coalition 0701": 20}
    state.mines.printed = [minefields.PrintedField(side="coalition", hex="0508", strength=2)]
    for side, text in (("alliance", "ask on contact; search"), ("coalition", "withdraw")):
        state.doctrine[side].orders = read_orders(text, "", of_side=True)[0]
    state.task_forces["A1"].doctrine = read_orders("hold", "")[0]
    state.task_forces["A2"].meeting = read_orders("attack never", "")[0]
    at = table(state)
    at.set_time(2, 1, "Turn 2 (day 1 PM), impulse 1")
    for tf_id in ("C1", "C3"):
        report_contact(at, state.task_forces[tf_id], "alliance", because("PQ-17 6.2"))
    drop_contact(at, state.task_forces["C3"], because("PQ-17 6.4.2"))
    score(at.at("a"), "T5.1", Fraction(2), because("PQ-17 T5"), text="Fury destroyed.")
    score(at.at("b"), "T5.5", Fraction(-1), because("PQ-17 T5"), text="Points expended.", seen_by=["alliance"])
    return at


@pytest.mark.rule("pq17", "1.3.3", "1.7.1", "1.8.10.1", "6.1.1", "6.2.1", "6.2.4", "6.4.2", "12.2.3", "12.5.3.9")
def test_board_of_a_side(request: Request) -> None:
    at = station()
    compare(request, spell_board(side_board(at.state, "alliance", at.knowledge("alliance"))))


@pytest.mark.rule("pq17", "1.8.10.1", "12.1.3")
def test_board_for_everybody(request: Request) -> None:
    compare(request, spell_board(public_board(station().state)))


def test_board_for_the_referee(request: Request) -> None:
    compare(request, spell_board(omniscient_board(station().state)))


def test_board_once_a_ghost_has_faded(request: Request) -> None:
    at = station()
    at.state.turn, at.state.impulse = 4, 0
    at.state.set_hex(at.state.task_forces["C1"], "0606")
    panel = side_board(at.state, "alliance", at.knowledge("alliance")).panel("Contacts")
    compare(request, [side_board(at.state, "alliance", at.knowledge("alliance")).heading, *panel.rows])


@pytest.mark.rule("pq17", "9.1", "10.1.1", "10.2.2", "10.3.7.2.2")
def test_stores_of_a_side(request: Request) -> None:
    """A freighter beside a drone ship (20, 10 and 10 of its 40 drones), to which it gives supply this turn."""
    state = supply.depot("A1 0403 FT[fuel=3,supply=20]+DR[supply=0] logistics\nA2 0404 CA\nC1 0607 FT\nturn 2")
    supply.plan(state, dock_A1_FT="A1.DR", A1_FT="> A1.DR 2 supply")
    board = side_board(state, "alliance", Knowledge())
    rows = [row for panel in board.panels if panel.title == "Stores" for row in panel.rows]
    compare(request, [*rows, *(row for one in side_tables(state, "alliance", Knowledge()) for row in spell_table(one))])


@pytest.mark.rule("pq17", "1.2.2", "2.1", "T5.note2", "SOP.3.b")
def test_points_of_a_side(request: Request) -> None:
    """A line of the first period in secret, one of the second, and one that the other side alone knows of."""
    state = world("A1 0403 CA\nturn 30 impulse 2")
    at = table(state)
    score(at.at("a"), "T5.5", Fraction(-1), because("PQ-17 T5"), text="1 point expended.", seen_by=["alliance"])
    score(at.at("b"), "T5.5", Fraction(3), because("PQ-17 T5"), text="3 points expended.", seen_by=["coalition"])
    state.turn, state.impulse = 31, 0
    score(at.at("c"), "T5.1", Fraction(2), because("PQ-17 T5"), text="Fury destroyed.")
    score(at.at("d"), "T5.1", Fraction(1), because("PQ-17 T5"), text="Rage destroyed.")
    tables = [one for one in side_tables(state, "alliance", Knowledge()) if one.key != "stores"]
    compare(request, [row for one in tables for row in spell_table(one)])


@pytest.mark.rule("pq17", "1.5")
def test_special_conditions_are_on_the_board_of_a_campaign_that_has_them() -> None:
    state = special_conditions.special_world("A1 0403 CA\nC1 1013 CA", bases="")
    special_conditions.holds(state, "alliance", "gale force")
    special_conditions.holds(state, "coalition", "sizilien")
    special_conditions.holds(state, "coalition", "breakout").revealed = True
    panel = side_board(state, "alliance", Knowledge()).panel("Special conditions")
    assert panel.rows == ("Period 1: Operation GALE FORCE", "Period 1: enemy: Coalition Breakout")
    assert side_board(world("A1 0403 CA"), "alliance", Knowledge()).panel("Special conditions") is None


@cases("turn, impulse, heading")
def test_boards_say_what_time_it_is(turn: int, impulse: int, heading: str) -> None:
    state = world("A1 0403 CA")
    state.turn, state.impulse = turn, impulse
    assert public_board(state).heading == heading


@pytest.mark.rule("pq17", "10.1.1")
def test_who_carries_nothing_has_no_stores_to_show() -> None:
    assert stores_panels(world("A9 0405 DOCK[rp_damcon=0] base Lair known"), "alliance") == ()
    (panel,) = stores_panels(world("A9 0405 DOCK[rp_damcon=0] base Lair known\nA1 0303 CA[fuel=3]"), "alliance")
    assert panel.rows == ("A1 in 0303", "  A1.CA: fuel 3 of 34, repair points 4, probes 5")


TEXT = """
A1 0403 CA+DD speed 2 passive route 0404,0405
A3 0402 FF port A9
A9 0402 BATS base Haven known LC1
C1 0607 CA+FF speed 3
C8 0705 BATS base Lair
C9 0508 BATS base Grimhold known LC1
settled 0602 alliance Amberline
nebula 0605
turn 2 impulse 1 half A
"""


def test_own_task_forces_are_drawn_with_speed_posture_and_route() -> None:
    board = side_board(world(TEXT), "alliance", Knowledge())
    counters = {counter.id: counter for counter in board.counters}
    assert (counters["A1"].hex, counters["A1"].sub, counters["A1"].level) == ("0403", "speed 2, passive", None)
    assert counters["A3"].sub == "stop, in port"
    found = [(course.counter, course.kind, course.hexes) for course in board.courses]
    assert found == [("A1", "route", ("0403", "0404", "0405"))]
    assert any("fuel 34 of 34" in row for row in board.panel("Task forces").rows)


@pytest.mark.parametrize(("level", "grade"), [("U", 0), ("ID0", 1), ("ID1", 2), ("ID2", 3), ("ID3", 4)])
def test_maps_draw_a_contact_as_far_identified_as_its_level_says(level: str, grade: int) -> None:
    at = table(world(f"{TEXT}\nC3 0503 CA {level}"))
    report_contact(at, at.state.task_forces["C3"], "alliance", because("PQ-17 6.2.1"))
    counters = {counter.id: counter for counter in side_board(at.state, "alliance", at.knowledge("alliance")).counters}
    assert (counters["E1"].level_name, counters["E1"].grade) == (level, grade)
    assert counters["A1"].grade is None, "one's own are no contacts"
    assert counters["Grimhold"].grade == 4, "a base that everybody knows"


@cases("written, shown")
def test_counters_say_in_words_what_is_not_as_usual(written: str, shown: str) -> None:
    (counter,) = side_board(world(f"{written}\nturn 2 impulse 1 half A"), "alliance", Knowledge()).counters
    assert counter.sub == shown


@pytest.mark.rule("pq17", "7.3.1", "7.3.2")
def test_a_shadower_names_its_target_by_its_own_number_and_shows_the_way_it_flew() -> None:
    state = world("A1 0405 CA speed 1 shadows C1\nC1 0405 CA speed 2 ID1 plot 0406\nturn 2 impulse 1 half A")
    at = table(state)
    report_contact(at, state.task_forces["C1"], "alliance", because("PQ-17 6.2"))
    move(state, "coalition")
    board = side_board(state, "alliance", at.knowledge("alliance"))
    assert {one.id: one.sub for one in board.counters}["A1"] == "speed 2, shadowing E1"
    assert [(one.counter, one.kind, one.hexes) for one in board.courses] == [("A1", "moved", ("0405", "0406"))]
    assert "A1 at 0406, speed 2, shadowing E1" in alt_text(SideView(side="alliance", board=board))


def test_what_a_side_flew_is_on_no_board_but_its_own() -> None:
    state = world("A1 0405 CA speed 2 plot 0406\nC1 0607 CA\nturn 2 impulse 1 half A")
    move(state, "alliance")
    assert [one.kind for one in side_board(state, "alliance", Knowledge()).courses] == ["moved"]
    assert side_board(state, "coalition", Knowledge()).courses == ()
    assert public_board(state).courses == ()


@pytest.mark.rule("pq17", "1.3.2", "1.7.1", "1.8.10.1", "1.3.3")
def test_terrain_settled_hexes_and_known_bases_are_public_and_unknown_bases_are_not() -> None:
    board = public_board(world(TEXT))
    notes = {note.hex: note for note in board.hexes}
    assert notes["0605"].terrain == "nebula"
    assert (notes["0602"].marks, notes["0602"].owner, notes["0602"].name) == (("settled",), "alliance", "Amberline")
    assert notes["0508"].marks == ("base",)
    assert "0705" not in notes
    assert sorted(counter.label for counter in board.counters) == ["Grimhold", "Haven"]
    assert "Lair" not in board.model_dump_json()


@pytest.mark.rule("pq17", "6.1.1", "6.2.1")
def test_an_enemy_that_is_not_on_the_map_is_nowhere_on_the_board() -> None:
    board = side_board(world(TEXT), "alliance", Knowledge())
    text = board.model_dump_json()
    assert all(word not in text for word in ("C1", "C8", "Lair", "0705"))
    assert "Grimhold" in text
    without = TEXT.replace("C1 0607 CA+FF speed 3\nC8 0705 BATS base Lair\n", "")
    assert without != TEXT
    assert board == side_board(world(without), "alliance", Knowledge())
    elsewhere = board.model_copy(update={"hexes": tuple(note for note in board.hexes if note.hex != "0607")})
    assert "0607" not in elsewhere.model_dump_json(), "it lies in the space around Grimhold, and nothing is said of it"
    assert HexNote(hex="0607", territory="coalition") in board.hexes


@pytest.mark.rule("pq17", "6.4.2", "6.2.2")
def test_a_lost_contact_stays_as_a_ghost_that_ages() -> None:
    state = world(TEXT.replace("C1 0607 CA+FF speed 3", "C1 0607 CA+FF speed 3 ID1"))
    at = table(state)
    at.set_time(2, 1, "then")
    report_contact(at, state.task_forces["C1"], "alliance", because("PQ-17 6.2"))
    drop_contact(at, state.task_forces["C1"], because("PQ-17 6.4.2"))
    state.turn = 5
    state.set_hex(state.task_forces["C1"], "0606")
    board = side_board(state, "alliance", at.knowledge("alliance"))
    (ghost,) = [counter for counter in board.counters if counter.owner == "coalition" and counter.form == "force"]
    assert (ghost.id, ghost.hex, ghost.live, ghost.age, ghost.level_name) == ("E1", "0607", False, 3, "ID1")
    assert board.when == When(turn=5, step=1, label="Turn 5 (day 3 AM), impulse 1")
    assert "lost" in board.panel("Contacts").rows[0]


def test_an_old_ghost_fades_and_the_table_keeps_it() -> None:
    """Seen for the last time in turn 2, with the usual 30 turns: shown in turn 32, gone from turn 33 on. A hidden base
    that was found stays, and so does what is held."""
    text = TEXT.replace("C1 0607 CA+FF speed 3", "C1 0607 CA+FF speed 3 ID1\nC2 0505 CA ID0")
    state = world(text.replace("base Lair", "base Lair ID0"))
    at = table(state)
    at.set_time(2, 1, "then")
    for tf_id in ("C1", "C2", "C8"):
        report_contact(at, state.task_forces[tf_id], "alliance", because("PQ-17 6.2"))
    drop_contact(at, state.task_forces["C1"], because("PQ-17 6.4.2"))
    known = at.knowledge("alliance")
    known.contacts["E3"].live = False  # what does not move is still there
    for turn, forces in ((32, ["E1", "E2"]), (33, ["E2"])):
        state.turn = turn
        board = side_board(state, "alliance", known)
        assert [one.id for one in board.counters if one.owner == "coalition" and one.form == "force"] == forces
        assert "E3" in [one.id for one in board.counters]
        rows = next(panel.rows for panel in board.panels if panel.title == "Contacts")
        assert [row.split()[0] for row in rows] == [*forces, "E3", *(["Not"] if turn == 33 else [])]
    assert rows[-1] == "Not shown: 1 lost and last seen more than 30 turns ago; the ledger of contacts has them"
    assert [row[0] for row in contacts_table(known, board).rows] == ["E1", "E2", "E3"]
    state.settings = state.settings.model_copy(update={"ghost_turns": 31})
    assert "E1" in [one.id for one in side_board(state, "alliance", known).counters]


def test_a_known_enemy_base_is_drawn_once_whether_or_not_it_was_met() -> None:
    state = world(TEXT)
    at = table(state)
    assert _labels(side_board(state, "alliance", Knowledge())).count("Grimhold") == 1
    report_contact(at, state.task_forces["C9"], "alliance", because("PQ-17 6.2"))
    assert _labels(side_board(state, "alliance", at.knowledge("alliance"))).count("Grimhold") == 1


def _labels(board: object) -> list[str]:
    return [counter.label for counter in board.counters]  # type: ignore[attr-defined]


def test_the_referee_sees_everything() -> None:
    assert {counter.id for counter in omniscient_board(world(TEXT)).counters} == {"A1", "A3", "A9", "C1", "C8", "C9"}


@cases("seen, now, ringed")
def test_contacts_are_ringed_that_were_seen_this_turn_or_in_planning_the_last(
    seen: tuple[int, int], now: tuple[int, int], *, ringed: bool
) -> None:
    """Turn and impulse; impulse 0 is planning."""
    state = world("A1 0403 CA\nC1 0403 CA ID1\nturn 1 impulse 1 half A")
    state.turn, state.impulse = seen
    at = table(state)
    calendar.mark_time(at, impulse=state.impulse, half=state.half)
    report_contact(at, state.task_forces["C1"], "alliance", because("PQ-17 6.2.1"))
    state.turn, state.impulse = now
    board = side_board(state, "alliance", at.knowledge("alliance"))
    (contact,) = [counter for counter in board.counters if counter.id == "E1"]
    assert contact.changed is ringed
