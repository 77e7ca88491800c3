"""What is seen of a tracked battle, figures that records lack, what is counted, and what must never be true."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

import pytest

from rules_engine.core.basics.base import Json, SideLabel
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import Board
from rules_engine.core.tactics.battles import FlightRecord, TacticalBattle, TacticalGroundPiece
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from rules_engine.rulebooks.vector.records.tactical import TowLink
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.tracked.counting import turn_reported
from rules_engine.rulebooks.vector.tracked.faults import defects
from rules_engine.rulebooks.vector.tracked.figures import figures_of, invented_in
from rules_engine.rulebooks.vector.tracked.moments import now
from rules_engine.rulebooks.vector.tracked.state import TrackedState
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.vector.battles.tracked import LABELS, NORTH, SOUTH, Tracked, approach, ship, step

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
    return Tracked(mixed(), sheets, watched=False)


@cache
def placed() -> Tracked:
    """The game once all are placed; played once, for tests that only look at it."""
    return game().play(2)


def side(found: Tracked, which: str) -> Board:
    return TRACKER.side_board(found.state, found.battle, which)


def panels(board: Board) -> dict[str, tuple[str, ...]]:
    return {one.title: tuple(map(str, one.rows)) for one in board.panels}


def remarks(board: Board) -> dict[str, tuple[str, ...]]:
    assert board.tactical is not None
    return {one.code: one.remarks for one in board.tactical.units}


NOTES = {
    "Of this battle": (
        "Of the book.", "Heat in 4545, 4546", "Nebula fills the sheet", "Nebula fills the sheet",
        "Smoke fills the sheet",
    )
}  # fmt: skip
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
    flown = placed()
    common, whole = TRACKER.common_board(flown.state, flown.battle), TRACKER.omniscient_board(flown.state, flown.battle)
    assert panels(side(flown, NORTH)) == {"Your units": (N1 + FULL, N2 + FULL), **NOTES}
    assert panels(side(flown, SOUTH)) == {"Your units": (S1 + FULL, TO_COME), **NOTES}
    assert panels(common) == {"Units": (N1, N2, S1), **NOTES}
    assert panels(whole) == {"All units": (N1 + FULL, N2 + FULL, S1 + FULL, TO_COME), **NOTES}
    assert [(one.key, one.name) for one in common.sides] == [(NORTH, "The North"), (SOUTH, "The South")]


def test_weapons_and_damage_are_said_to_all_and_invented_figures_to_their_side() -> None:
    flown = placed()
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
    assert (panels(TRACKER.common_board(bare.state, bare.battle)), [*panels(side(bare, NORTH))]) == ({}, ["Your units"])


def test_who_comes_near_is_told_on_each_board() -> None:
    flown = placed()
    for board in (side(flown, NORTH), TRACKER.common_board(flown.state, flown.battle)):
        assert [one.fact for one in board.news] == [
            "N2 and S1 1 hex apart on turn 1, impulse 32",
            "N1 and S1 2 hexes apart on turn 1, impulse 32",
        ]


def test_an_invented_figure_is_said_to_its_own_side_alone() -> None:
    own, others = (remarks(side(placed(), one))["S1"] for one in (SOUTH, NORTH))
    assert (own, others) == (("WS 3", "invented: movement cost"), ("WS 3",))


def test_board_tells_of_three_pairs_that_come_near_when_four_do() -> None:
    """N1 and N2 fly towards S1 and S2, so that every pair comes nearer; N1 and S2 are farthest apart, with 15 hexes."""
    ships = tuple(ship(code, least_speed=8, most_speed=8) for code in ("N1", "N2", "S1", "S2"))
    sheets = {
        (NORTH, "set-up"): ["N1: at 5060; facing A\nN2: at 5160; facing A"],
        (SOUTH, "set-up"): ["S1: at 5030; facing D\nS2: at 5130; facing D"],
    }
    battle = approach(ships=ships, steps=(step(("N1", "N2", "S1", "S2")),))
    board = side(Tracked(battle, sheets, watched=False).play(1), NORTH)
    assert [one.fact.partition(" on ")[0] for one in board.news] == [
        "N1 and S1 14 hexes apart", "N2 and S1 14 hexes apart", "N2 and S2 14 hexes apart",
    ]  # fmt: skip


@cases("rests, turn, step, label, piece")
def test_the_moment_in_words(rests: int, turn: int, step: int, label: str, piece: int | None) -> None:
    board = side(game().play(rests), NORTH)
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


# --- tracked figures -------------------------------------------------------------------------------------------------
ALL = ["movement cost", "turn mode", "warp power", "impulse power", "total power"]


@cases("size, cost, mode, powers")
def test_what_stands_where_a_record_is_empty(size: int, cost: str, mode: str, powers: tuple[int, int, int]) -> None:
    found = figures_of(FlightRecord(size_class=size))
    assert (found.size_class, found.move_cost, found.turn_mode) == (size, Fraction(cost), mode)
    assert (found.warp, found.impulse, found.total_power, found.reserve) == (*powers, 0)
    assert invented_in(FlightRecord(size_class=size)) == ALL


def test_what_a_record_has_stands_also_if_it_is_nothing() -> None:
    record = FlightRecord(
        size_class=4, form="PF", nimble=True, move_cost=Fraction(1, 3), turn_mode="A", warp=0, impulse=0, total_power=0,
        reserve=2,
    )  # fmt: skip
    found = figures_of(record)
    assert (found.form, found.nimble, found.move_cost, found.turn_mode) == ("PF", True, Fraction(1, 3), "A")
    assert (found.warp, found.impulse, found.total_power, found.reserve) == (0, 0, 0, 2)
    assert (invented_in(record), invented_in(record.with_values(source="invented"))) == ([], ALL)
    assert invented_in(FlightRecord(stays=True)) == []
    for key, name in zip(("move_cost", "turn_mode", "warp", "impulse", "total_power"), ALL, strict=True):
        assert invented_in(record.with_values(**{key: None})) == [name]


# --- options ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("pieces", [1, 2, 4])
def test_a_turn_has_one_two_or_four_pieces(pieces: int) -> None:
    options = TRACKER.begin(approach(), {"pieces": pieces}, late=False).battle.options
    assert (options.pieces, options.friction) == (pieces, False)


def test_it_has_two_if_nobody_says() -> None:
    assert TRACKER.begin(approach(), {}, late=False).battle.options.pieces == 2


@cases("options, said")
def test_what_is_wrong_with_options_is_said(options: Mapping[str, Json], said: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        TRACKER.begin(approach(), options, late=False)
    assert [str(one) for one in refused.value.refusals] == said


def test_the_beginning_has_forces_allies_ground_and_pairs_of_forces() -> None:
    kinds = ("planet", "asteroids", "dust", "web", "buoy", "nebula", "heat")
    ground = [TacticalGroundPiece(id=kind, kind=kind, name=f"The {kind}", hexes=("5050",)) for kind in kinds]
    battle = approach(
        forces=((NORTH, "west"), (SOUTH,), ("east",)), ground=(*ground, TacticalGroundPiece(id="all", kind="dust"))
    )
    state = TRACKER.begin(battle, {}, late=False)
    assert [(one.id, one.kind, one.name, one.hexes) for one in state.battle.terrain] == [
        (kind, kind, f"The {kind}", ("5050",)) for kind in kinds[:5]
    ]
    assert (state.forces, state.battle.sides) == ([[NORTH, "west"], [SOUTH], ["east"]], [NORTH, "west", SOUTH, "east"])
    assert state.battle.allies == [[NORTH, "west"]]
    assert [(one.one, one.other) for one in state.ranges] == [(NORTH, SOUTH), (NORTH, "east"), (SOUTH, "east")]
    assert (state.begun, state.silent) == ("", [])
    late = TRACKER.begin(battle, {}, late=True)
    assert (late.begun, late.silent) == ("positions", [NORTH, "west", SOUTH, "east"])


# --- counted ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("turn", "impulse", "counts"), [(1, 0, 1), (2, 0, 1), (2, 8, 2), (3, 0, 2), (3, 16, 3)])
def test_the_turn_of_what_is_reported(turn: int, impulse: int, counts: int) -> None:
    """With a turn's first piece it is the one before, and never turn 0. VM-N66"""
    state = TRACKER.begin(approach(), {}, late=False)
    state.battle.turn, state.battle.impulse = turn, impulse
    assert turn_reported(state) == counts


def test_who_leaves_in_flight_has_left_on_that_turn_and_stays_counted_so(kept: Kept) -> None:
    game = Tracked(approach(), watched=False).until(2)
    game.sheets[SOUTH, "plot"] = ["", "S1: report destroyed"]
    game.until(5)
    assert [(one.code, one.fate, one.turn) for one in TRACKER.tally(game.state).ships] == kept()


def test_no_range_is_counted_where_a_force_has_nobody() -> None:
    battle = approach(ships=(ship("N1"), ship("S1", arrives=3)), steps=(step(("N1",)), step(("S1",))))
    tally = TRACKER.tally(Tracked(battle, {(NORTH, "battle over"): ["battle: goes_on yes"] * 3}).until(2).state)
    assert (tally.turns, tally.ranges) == (2, ())
    assert [(one.code, one.closest) for one in tally.ships] == [("N1", ())]


def test_allies_are_no_enemies() -> None:
    """W1 stands beside N1; the nearest enemy of both is S1."""
    battle = approach(
        forces=((NORTH, "west"), (SOUTH,)),
        ships=(ship("N1"), ship("W1", side="west"), ship("S1")),
        steps=(step(("N1", "W1")), step(("S1",))),
    )
    west = SideLabel(key="west", name="The West", emblem="W")
    sheets = {
        (NORTH, "set-up"): ["N1: at 5050"],
        ("west", "set-up"): ["W1: at 5052"],
        (SOUTH, "set-up"): ["S1: at 5060"],
    }
    tally = TRACKER.tally(Tracked(battle, sheets, labels=(*LABELS, west), watched=False).until(1).state)
    assert [(one.code, one.closest) for one in tally.ships] == [("N1", (10,)), ("W1", (8,)), ("S1", (8,))]
    (pair,) = tally.ranges
    assert (pair.one, pair.other, pair.ranges) == (NORTH, SOUTH, (8,))


def test_ranges_of_three_forces_are_counted_pair_by_pair() -> None:
    """All stand in one column at rest: N1 in row 50, S1 in 53 and E1 in 58. VM-N65"""
    battle = approach(
        forces=((NORTH,), (SOUTH,), ("east",)),
        ships=(ship("N1"), ship("S1"), ship("E1", side="east")),
        steps=(step(("N1", "S1", "E1")),),
    )
    east = SideLabel(key="east", name="The East", emblem="E")
    sheets = {
        (NORTH, "set-up"): ["N1: at 5050"],
        (SOUTH, "set-up"): ["S1: at 5053"],
        ("east", "set-up"): ["E1: at 5058"],
    }
    tally = TRACKER.tally(
        Tracked(battle, sheets, options={"pieces": 1}, labels=(*LABELS, east), watched=False).until(1).state
    )
    assert [(one.one, one.other, one.ranges) for one in tally.ranges] == [
        (NORTH, SOUTH, (3,)), (NORTH, "east", (8,)), (SOUTH, "east", (5,)),
    ]  # fmt: skip
    assert [(one.code, one.closest) for one in tally.ships] == [("N1", (3,)), ("S1", (3,)), ("E1", (5,))]


# --- defects ------------------------------------------------------------------------------------------------------
@cache
def _first_turn() -> object:
    return Tracked(approach(), watched=False).until(1).state.to_json()


def flown() -> TrackedState:
    """A battle whose first turn is over; it is flown once and read for each test."""
    return TRACKER.state_model.from_json(_first_turn())


def sets(name: str, value: object) -> Callable[[TrackedState], None]:
    return lambda state: setattr(state, name, value)


def counts(**values: object) -> Callable[[TrackedState], None]:
    def change(state: TrackedState) -> None:
        for name, value in values.items():
            setattr(state.counts["S1"], name, value)

    return change


def _quiet(turns: int) -> Callable[[TrackedState], None]:
    return lambda state: setattr(state.ranges[0], "quiet_turns", turns)


def _in_mid_turn(state: TrackedState) -> None:
    state.unturned = ["S1"]
    state.battle.impulse = 16


def tow(vector: str, *, out: bool = False, turn: int = 1, lead: str = "N1") -> Callable[[TrackedState], None]:
    """N2 in tow, with this vector; N1 flies 2A."""

    def change(state: TrackedState) -> None:
        units = state.battle.units
        units["N1"].vector, units["N2"].vector = Vector(says="2A"), Vector(says=vector)
        units["N2"].out = "destroyed" if out else ""
        state.battle.turn = turn
        state.battle.tows = [TowLink(tugs=[lead], towed=["N2", "N7"])]

    return change


NOTATION = {one.__name__: one for one in (_in_mid_turn, _quiet, counts, sets, tow)} | {"NORTH": NORTH, "SOUTH": SOUTH}


REMEMBERED = "something is remembered of a unit that is not placed"


@cases("change, said")
def test_what_is_impossible_is_found_and_nothing_else(
    change: Callable[[TrackedState], object], said: list[str]
) -> None:
    state = flown()
    evaluated(change, NOTATION)(state)
    assert [*defects(state)] == said


def test_more_that_is_impossible() -> None:
    assert [*defects(TRACKER.begin(approach(), {}, late=True))] == []
    unturned = Tracked(approach()).play(1).state
    assert [*defects(unturned)] == []
    unturned.unturned = ["S7"]
    assert [*defects(unturned)] == [REMEMBERED]
    base = flown()
    base.battle.fixed = ["N1"]
    assert [*defects(base)] == ["N1 does not move, and is not there or moves"]
    base.battle.fixed = ["N7"]
    assert [*defects(base)] == ["N7 does not move, and is not there or moves"]
