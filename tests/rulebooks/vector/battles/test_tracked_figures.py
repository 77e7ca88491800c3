"""Figures that records lack, options, what is counted, and what must never be true of a tracked battle."""

from collections.abc import Callable, Mapping
from fractions import Fraction

import pytest

from rules_engine.core.basics.base import Json, SideLabel
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.tactics.battles import FlightRecord, TacticalGroundPiece
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from rules_engine.rulebooks.vector.tracked.counting import turn_reported
from rules_engine.rulebooks.vector.tracked.faults import defects
from rules_engine.rulebooks.vector.tracked.figures import figures_of, invented_in
from rules_engine.rulebooks.vector.tracked.state import TrackedState
from tests.expected.kept import cases
from tests.rulebooks.vector.battles.tracked import LABELS, NORTH, SOUTH, Tracked, approach, ship, step

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
    assert invented_in(record) == []
    assert invented_in(record.with_values(source="invented")) == ALL
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
    assert state.forces == [[NORTH, "west"], [SOUTH], ["east"]]
    assert state.battle.sides == [NORTH, "west", SOUTH, "east"]
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


def test_who_leaves_in_flight_has_left_on_that_turn_and_stays_counted_so() -> None:
    game = Tracked(approach()).until(2)
    game.sheets[SOUTH, "plot"] = ["", "S1: report destroyed"]
    game.until(5)
    assert [(one.code, one.fate, one.turn) for one in TRACKER.tally(game.state).ships] == [
        ("N1", "", 0),
        ("N2", "", 0),
        ("S1", "destroyed", 3),
        ("S2", "", 0),
    ]


def test_no_range_is_counted_where_a_force_has_nobody() -> None:
    battle = approach(ships=(ship("N1"), ship("S1", arrives=3)), steps=(step(("N1",)), step(("S1",))))
    game = Tracked(battle, {(NORTH, "battle over"): ["battle: goes_on yes"] * 3})
    tally = TRACKER.tally(game.until(2).state)
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
    tally = TRACKER.tally(Tracked(battle, sheets, labels=(*LABELS, west)).until(1).state)
    assert [(one.code, one.closest) for one in tally.ships] == [("N1", (10,)), ("W1", (8,)), ("S1", (8,))]
    (pair,) = tally.ranges
    assert (pair.one, pair.other, pair.ranges) == (NORTH, SOUTH, (8,))


# --- defects ------------------------------------------------------------------------------------------------------


def flown() -> TrackedState:
    return Tracked(approach()).until(1).state


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


REMEMBERED = "something is remembered of a unit that is not placed"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda state: None, []),
        (sets("forces", [[SOUTH], [NORTH]]), ["the battle's sides are not those of its forces"]),
        (sets("placed", [0, 1, 1]), ["a step is set up twice"]),
        (sets("speeds", {"S7": 8}), [REMEMBERED]),
        (sets("invented", {"S7": ["warp power"]}), [REMEMBERED]),
        (sets("begun", "positions"), ["units are on the map before all positions are typed in"]),
        (sets("begun", "positions seen"), []),
        (sets("silent", [SOUTH]), ["somebody owes positions of a battle that is flown"]),
        (_in_mid_turn, ["a turn is flown and not all face the enemy"]),
        (lambda state: state.counts.pop("S1"), ["other units are counted than are placed"]),
        (counts(left_on=2), []),
        (counts(left_on=3), ["S1 has left on turn 3"]),
        (counts(closest=[1] * 30), []),
        (counts(closest=[1] * 31), ["too many ranges are kept of S1"]),
        (_quiet(1), []),
        (_quiet(2), ["more turns are quiet than were flown"]),
    ],
)
def test_what_is_impossible_is_found_and_nothing_else(
    change: Callable[[TrackedState], object], said: list[str]
) -> None:
    state = flown()
    change(state)
    assert [*defects(state)] == said


def test_more_that_is_impossible() -> None:
    typed = TRACKER.begin(approach(), {}, late=True)
    assert [*defects(typed)] == []
    unturned = Tracked(approach()).play(1).state
    assert [*defects(unturned)] == []
    unturned.unturned = ["S7"]
    assert [*defects(unturned)] == [REMEMBERED]
    base = flown()
    base.battle.fixed = ["N1"]
    assert [*defects(base)] == ["N1 does not move, and is not there or moves"]
    base.battle.fixed = ["N7"]
    assert [*defects(base)] == ["N7 does not move, and is not there or moves"]
