"""What is seen of a tracked battle, and by whom, word for word."""

from fractions import Fraction

from rules_engine.core.knowledge.views import Board
from rules_engine.core.tactics.battles import FlightRecord, TacticalBattle, TacticalGroundPiece
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from rules_engine.rulebooks.vector.tracked.moments import now
from tests.expected.kept import cases
from tests.rulebooks.vector.battles.tracked import NORTH, SOUTH, Tracked, approach, ship, step

KNOWN = FlightRecord(warp=30, impulse=4, total_power=36, turn_mode="C", move_cost=Fraction(1))


def mixed() -> TacticalBattle:
    """N1 with all its figures and a base; S1 with an invented one, and S9 that arrives on turn 3; ground of all kinds
    of shapes."""
    ships = (
        ship("N1", left=75, weapon_status=0, flight=KNOWN, kind="CA"),
        ship("N2", flight=FlightRecord(stays=True), most_speed=0),
        ship("S1", weapon_status=3, least_speed=8, most_speed=8),
        ship("S9", arrives=3),
    )
    ground = (
        TacticalGroundPiece(id="rock", kind="planet", name="Rock", hexes=("4040",)),
        TacticalGroundPiece(id="hot", kind="heat", hexes=("4545", "4546")),
        TacticalGroundPiece(id="cloud", kind="nebula"),
        TacticalGroundPiece(id="more", kind="nebula"),
        TacticalGroundPiece(id="named", kind="dust", name="Smoke"),
    )
    steps = (step(("N1", "N2")), step(("S1",)), step(("S9",)))
    return approach(ships=ships, steps=steps, ground=ground, notes=("Of the book.",))


def game() -> Tracked:
    sheets = {(NORTH, "set-up"): ["N1: at 5050; facing A\nN2: at 5051"], (SOUTH, "set-up"): ["S1: at 5060; facing A"]}
    return Tracked(mixed(), sheets)


def side(found: Tracked, which: str) -> Board:
    return TRACKER.side_board(found.state, found.battle, which)


def panels(board: Board) -> dict[str, tuple[str, ...]]:
    return {one.title: tuple(map(str, one.rows)) for one in board.panels}


def remarks(board: Board) -> dict[str, tuple[str, ...]]:
    assert board.tactical is not None
    return {one.code: one.remarks for one in board.tactical.units}


NOTES = {
    "Of this battle": (
        "Of the book.",
        "Heat in 4545, 4546",
        "Nebula fills the sheet",
        "Nebula fills the sheet",
        "Smoke fills the sheet",
    )
}
N1 = "N1 Ship N1 at 5050, faces A, at rest"
N2 = "N2 Ship N2 at 5051, faces D, at rest"
S1 = "S1 Ship S1 at 5060, faces A, 8A, speed 8"
FULL = "; energy left: 30 warp + 1 impulse"
TO_COME = "S9 Ship S9 arrives on turn 3"


def test_before_the_set_up_each_side_sees_its_own_that_are_to_be_set_up() -> None:
    begun = game()
    unset = ("N1 Ship N1 is to be set up", "N2 Ship N2 is to be set up")
    south = ("S1 Ship S1 is to be set up", TO_COME)
    assert panels(side(begun, NORTH)) == {"Your units": unset, **NOTES}
    assert panels(side(begun, SOUTH)) == {"Your units": south, **NOTES}
    assert panels(TRACKER.common_board(begun.state, begun.battle)) == NOTES
    assert panels(TRACKER.omniscient_board(begun.state, begun.battle)) == {"All units": (*unset, *south), **NOTES}
    assert [(one.key, one.name, one.emblem) for one in side(begun, NORTH).sides] == [
        (NORTH, "north", "N"),
        (SOUTH, "south", "S"),
    ]


def test_afterwards_all_see_what_is_there_and_the_owner_its_energy() -> None:
    flown = game().play(2)
    common, whole = TRACKER.common_board(flown.state, flown.battle), TRACKER.omniscient_board(flown.state, flown.battle)
    assert panels(side(flown, NORTH)) == {"Your units": (N1 + FULL, N2 + FULL), **NOTES}
    assert panels(side(flown, SOUTH)) == {"Your units": (S1 + FULL, TO_COME), **NOTES}
    assert panels(common) == {"Units": (N1, N2, S1), **NOTES}
    assert panels(whole) == {"All units": (N1 + FULL, N2 + FULL, S1 + FULL, TO_COME), **NOTES}
    assert [(one.key, one.name) for one in common.sides] == [(NORTH, "The North"), (SOUTH, "The South")]


def test_weapons_and_damage_are_said_to_all_and_invented_figures_to_their_side() -> None:
    flown = game().play(2)
    common, whole = TRACKER.common_board(flown.state, flown.battle), TRACKER.omniscient_board(flown.state, flown.battle)
    public = {"N1": ("WS 0",), "N2": ("stays where it is",), "S1": ("WS 3",)}
    own = {**public, "S1": ("WS 3", "invented: movement cost")}
    boards = (side(flown, NORTH), side(flown, SOUTH), common, whole)
    assert [*map(remarks, boards)] == [public, own, public, own]
    for board in boards:
        assert board.tactical is not None
        assert [one.whole for one in board.tactical.units] == [75, None, None]
        assert (board.tactical.title, board.tactical.under) == ("Battle of the hill", "heat, nebula, Smoke")


def test_a_battle_on_open_space_has_no_notes() -> None:
    bare = Tracked(approach())
    assert panels(TRACKER.common_board(bare.state, bare.battle)) == {}
    assert [*panels(side(bare, NORTH))] == ["Your units"]


def test_who_comes_near_is_told_on_each_board() -> None:
    flown = game().play(2)
    for board in (side(flown, NORTH), TRACKER.common_board(flown.state, flown.battle)):
        assert [one.fact for one in board.news] == [
            "N2 and S1 1 hex apart on turn 1, impulse 32",
            "N1 and S1 2 hexes apart on turn 1, impulse 32",
        ]


@cases("rests, turn, step, label, piece")
def test_the_moment_in_words(rests: int, turn: int, step: int, label: str, piece: int | None) -> None:
    found = game().play(rests)
    board = side(found, NORTH)
    assert (board.when.turn, board.when.step, board.when.label) == (turn, step, label)
    assert board.heading == f"Battle of the hill: turn{label.removeprefix('Turn')}"
    assert board.header is not None
    assert (board.header.turn, board.header.step) == (f"Turn {turn}", piece)


def test_a_turn_that_begins_with_a_set_up_is_before_its_first_impulse() -> None:
    """S9 is placed on turn 3; until the first piece is flown all see where they begin."""
    found = game().play(2).until(2).play(1)
    board = side(found, NORTH)
    assert (now(found.state).step, board.when.label) == (1, "Turn 3, before impulse 1")
    assert board.header is not None
    assert board.header.step == 0


def test_while_positions_are_typed_and_confirmed_nothing_else_is_said() -> None:
    stands = {
        (NORTH, "positions"): ["battle: turn 5\nN1: at 5050\nN2: at 5051"],
        (SOUTH, "positions"): ["battle: turn 5\nS1: at 5060\nS9: at 5061"],
    }
    late = Tracked(mixed(), stands, late=True)
    for rests, step_ in ((0, 0), (1, 33)):
        board = side(late.play(rests), NORTH)
        assert (board.when.label, board.when.step) == ("Positions are taken up", step_)
        assert board.header is not None
        assert board.header.step is None
    board = side(late.play(1), NORTH)
    assert board.when.label == "Turn 4, end"
    assert late.state.begun == ""


def test_taken_up_before_turn_1_it_is_no_set_up_any_more() -> None:
    stands = {
        (NORTH, "positions"): ["battle: turn 1\nN1: at 5050\nN2: at 5051"],
        (SOUTH, "positions"): ["battle: turn 1\nS1: at 5060"],
    }
    late = Tracked(mixed(), stands, late=True).play(2)
    assert (late.state.placed, late.state.battle.turn) == ([0, 1], 0)
    assert [ask.kind for ask in late.rest()] == ["plot", "plot"]
