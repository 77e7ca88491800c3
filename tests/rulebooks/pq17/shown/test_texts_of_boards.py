"""Boards and tables as they are read, whole: the texts stand in `texts/`."""

from fractions import Fraction

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.contacts.identification import drop_contact, report_contact
from rules_engine.rulebooks.pq17.nations.victory_points import score
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.records.minefields import Minefield, PrintedField
from rules_engine.rulebooks.pq17.records.state import MapHex, State
from rules_engine.rulebooks.pq17.shown.boards import omniscient_board, public_board, side_board
from rules_engine.rulebooks.pq17.shown.panel_stores import stores_panels
from rules_engine.rulebooks.pq17.shown.tables_of_side import side_tables
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.spelled_out import spell_board, spell_table
from tests.rulebooks.pq17.worlds.notation import CLASSES, table, world
from tests.rulebooks.pq17.worlds.special_conditions import holds, special_world
from tests.rulebooks.pq17.worlds.supply import depot, plan
from tests.rulebooks.written_texts import compare

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
    state.mines.fields["alliance 0402"] = Minefield(side="alliance", hex="0402", strength=3, attacked=True)
    state.mines.fields["coalition 0707"] = Minefield(side="coalition", hex="0707", strength=4)
    state.mines.loads = {"alliance 0602": 150, "coalition 0701": 20}
    state.mines.printed = [PrintedField(side="coalition", hex="0508", strength=2)]
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
    state = depot("A1 0403 FT[fuel=3,supply=20]+DR[supply=0] logistics\nA2 0404 CA\nC1 0607 FT\nturn 2")
    plan(state, dock_A1_FT="A1.DR", A1_FT="> A1.DR 2 supply")
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
    state = special_world("A1 0403 CA\nC1 1013 CA", bases="")
    holds(state, "alliance", "gale force")
    holds(state, "coalition", "sizilien")
    holds(state, "coalition", "breakout").revealed = True
    panel = side_board(state, "alliance", Knowledge()).panel("Special conditions")
    assert panel.rows == ("Period 1: Operation GALE FORCE", "Period 1: enemy: Coalition Breakout")
    assert side_board(world("A1 0403 CA"), "alliance", Knowledge()).panel("Special conditions") is None


@pytest.mark.rule("pq17", "1.2.3", "1.2.4", "1.2.6")
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
