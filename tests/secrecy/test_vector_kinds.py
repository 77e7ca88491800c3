"""Inertial vectors: for every kind of report and ask that the book has, worlds that must look alike to a captain do."""

from collections.abc import Callable

import pytest

from rules_engine.rulebooks.vector.records.state import VectorState
from rules_engine.rulebooks.vector.records.vectors import Vector
from rules_engine.rulebooks.vector.shown.boards import public_board, side_board
from rules_engine.rulebooks.vector.shown.sides import ships_table
from tests.rulebooks.vector.scenarios import opened
from tests.rulebooks.vector.turns import DuelPlayed
from tests.secrecy.kinds import kinds_compared, kinds_of, pictures_of

BOOK = "vector"
TRADERS, RAIDERS, WOLVES = "traders", "raiders", "wolves"
CORE = {"referee", "waiting", "doctrine"}
"""Kinds of the core's own commands, and of standing orders in words; the other books' cases compare them."""


def test_every_kind_of_report_and_ask_has_a_case_of_two_worlds() -> None:
    made, compared = kinds_of(BOOK), kinds_compared(BOOK)
    assert len(made.reports) > 8
    for ones, others in ((made.reports, compared.reports), (made.asks, compared.asks)):
        assert {kind: ones[kind] for kind in ones.keys() - CORE if kind not in others} == {}
        assert set(others) <= set(ones)


def test_every_kind_of_picture_has_a_case_of_two_worlds() -> None:
    drawn, compared = pictures_of(BOOK), kinds_compared(BOOK).pictures
    assert {kind: drawn[kind] for kind in drawn if kind not in compared} == {}


def unseen_by(side: str, *games: DuelPlayed) -> None:
    """Every game looks the same to this captain, and something in them does differ."""
    first, *others = games
    rest = [other for other in first.state.captains if other != side]
    for game in others:
        assert first.seen_by(side) == game.seen_by(side)
        assert any(first.seen_by(one) != game.seen_by(one) for one in rest) or first.state != game.state


def world(change: Callable[[VectorState], None] = lambda _: None) -> VectorState:
    """Traders with two ships, raiders and wolves with one that is there and one that arrives later; the set-up is
    over."""
    state = opened("ambush", 3)
    for captain in state.captains.values():
        captain.zone = None
    state.battle.units["R1"].vector, state.battle.units["W1"].vector = Vector(says="2E+2F"), Vector(says="2F+2A")
    change(state)
    return state


def played(
    *texts: str, change: Callable[[VectorState], None] = lambda _: None, by: str = RAIDERS, turns: int = 1
) -> DuelPlayed:
    """A turn and more with these sheets of one captain's, piece by piece."""
    return DuelPlayed(world(change), {by: texts}, turns=turns)


@pytest.mark.unseen("vector", reports=("turn", "flight"), asks=("plot",))
@pytest.mark.parametrize("by", [RAIDERS, WOLVES])
def test_plots_that_come_to_the_same_are_unseen(by: str) -> None:
    """Conditions that do not come about, energy that is allocated and not used, where friction would take from."""
    ship, first = ("R1", "E") if by == RAIDERS else ("W1", "F")
    sheets = (
        "", f"{ship}: plot energy 8+0", f"{ship}: plot when nearest enemy within 1: turn towards",
        f"{ship}: plot when T1 within 2: accelerate 6; reserve 2 on 3", f"{ship}: plot path {first} first",
        f"{ship}: plot friction {first}",
    )  # fmt: skip
    games = [played(sheet, by=by) for sheet in sheets]
    for side in {TRADERS, RAIDERS, WOLVES} - {by}:
        unseen_by(side, *games)


@pytest.mark.unseen("vector", reports=("flight", "own flight"), asks=("plot",))
def test_how_something_was_paid_for_is_unseen() -> None:
    unseen_by(
        TRADERS, played("R1: plot accelerate 1 on 3"), played("R1: plot reserve 2 on 3; accelerate 1 on 3"),
        played("R1: plot accelerate 1 on 3 by impulse"), played("R1: plot energy 8+0; accelerate 1 on 3"),
        played("R1: plot accelerate 1 on 3; stop on 5"),
    )  # fmt: skip
    unseen_by(
        TRADERS,
        played("R1: plot het E on 3"),
        played("R1: plot het E energy 7 on 3"),
        played("R1: plot reserve 1 on 3; het E on 3"),
        played("R1: plot stop on 2; het E on 3"),
        played("R1: plot het E on 3; energy for it 2"),
    )


@pytest.mark.unseen("vector", reports=("flight",), asks=("plot",))
def test_which_element_moves_next_is_unseen_before_it_moves() -> None:
    """A path that goes on over a piece's end: at speed 3 one hex is flown in the first piece, and two in the second.
    Pictures of others draw where a ship coasts to by the usual path, and not by the one that is plotted."""

    def slow(state: VectorState) -> None:
        state.battle.units["R1"].vector = Vector(says="2E+1F")

    one, other = (played(f"R1: plot path {path}", change=slow) for path in ("EFE", "EEF"))
    for side in (TRADERS, WOLVES):
        assert one.looks[side][:2] == other.looks[side][:2]
    assert one.looks[RAIDERS][1] != other.looks[RAIDERS][1], "its own captain sees where it will go"


def test_a_path_of_others_is_not_what_they_are_drawn_to_coast_by() -> None:
    state = world()
    state.battle.turn, state.battle.impulse, state.revealed = 1, 16, True
    looks: list[str] = []
    for path in ("", "E", "F"):
        state.battle.units["R1"].path = path
        state.battle.units["R1"].friction_from = path
        looks.append(side_board(state, TRADERS).model_dump_json() + ships_table(state, TRADERS).model_dump_json())
        looks.append(public_board(state).model_dump_json())
    assert len({*looks[::2]}) == len({*looks[1::2]}) == 1


@pytest.mark.unseen("vector", reports=("news",), asks=("plot",))
def test_engines_and_shields_that_were_hurt_are_unseen() -> None:
    one = played("R1: report lost 6 warp", turns=2)
    assert one.told(RAIDERS, "news")
    unseen_by(TRADERS, one, played("R1: report shield 1 lost 3", turns=2), played("", turns=2))
    unseen_by(WOLVES, one, played("", turns=2))


@pytest.mark.unseen("vector", reports=("flight",), asks=("plot",))
def test_what_a_ship_could_still_do_is_unseen() -> None:
    def stronger(state: VectorState) -> None:
        ship = state.battle.units["R1"]
        ship.figures = ship.figures.with_values(warp=25, impulse=5, reserve=9, total_power=40)

    unseen_by(TRADERS, played(), played(change=stronger))


@pytest.mark.unseen("vector", reports=("turn",), asks=("plot",))
def test_who_arrives_later_does_not_exist_before() -> None:
    def never(state: VectorState) -> None:
        del state.battle.units["R2"]

    def elsewhere(state: VectorState) -> None:
        state.battle.units["R2"].at = "0101"
        state.battle.units["R2"].waits_for = 9

    for side in (TRADERS, WOLVES):
        unseen_by(side, played(), played(change=never), played(change=elsewhere))


@pytest.mark.unseen("vector", reports=("arrival",))
def test_of_who_arrives_what_shows_is_told_and_no_more() -> None:
    def stronger(state: VectorState) -> None:
        ship = state.battle.units["R2"]
        ship.figures = ship.figures.with_values(warp=25, reserve=9)

    one = played(turns=2)
    assert one.told(TRADERS, "arrival")
    unseen_by(TRADERS, one, played(change=stronger, turns=2))


@pytest.mark.unseen("vector", reports=("set-up",), asks=("set-up",))
def test_a_set_up_is_unseen_until_all_are_revealed() -> None:
    def opens(change: Callable[[VectorState], None]) -> DuelPlayed:
        state = opened("ambush", 3)
        change(state)
        return DuelPlayed(state)

    def moved(state: VectorState) -> None:
        ship = state.battle.units["T1"]
        ship.at, ship.facing, ship.trail = "0525", "E", ["0525"]
        state.battle.units["T2"].vector = Vector(says="3A")

    one, other = opens(lambda _: None), opens(moved)
    assert [ask.kind for ask in one.asks[:3]] == ["set-up"] * 3
    assert one.looks[RAIDERS][0] == other.looks[RAIDERS][0]
    assert one.looks[TRADERS][0] != other.looks[TRADERS][0]
    assert len([ask for ask in one.asks[:3] if RAIDERS in ask.parties]) == 1
    assert "T1" not in one.looks[RAIDERS][0]
    assert "T1" in one.looks[RAIDERS][1], "then it is revealed"


def reports_of_the_end(first: str, *, disputed: bool = False) -> DuelPlayed:
    """R1's end is reported after a piece with this sheet."""
    return DuelPlayed(world(), {RAIDERS: [first, "R1: report destroyed"]}, disputed=disputed)


@pytest.mark.unseen("vector", reports=("battle",), asks=("reports",))
def test_what_is_agreed_about_a_unit_tells_nothing_else_of_its_captain() -> None:
    one = reports_of_the_end("R1: plot energy 8+0; reserve 1 on 3")
    assert one.told(TRADERS, "battle")
    unseen_by(TRADERS, one, reports_of_the_end(""))


@pytest.mark.unseen("vector", reports=("battle",), asks=("reports", "dispute"))
def test_what_is_disputed_about_a_unit_tells_nothing_else_of_its_captain() -> None:
    one = reports_of_the_end("R1: plot energy 8+0; reserve 1 on 3", disputed=True)
    unseen_by(TRADERS, one, reports_of_the_end("", disputed=True))


@pytest.mark.unseen("vector", reports=("out of play",))
def test_who_has_no_ships_left_is_public_and_not_what_it_had_plotted() -> None:
    def alone(state: VectorState) -> None:
        del state.battle.units["R2"]

    def ends(first: str) -> DuelPlayed:
        return DuelPlayed(world(alone), {RAIDERS: [first, "R1: report destroyed"]})

    one = ends("R1: plot when nearest enemy within 1: turn towards")
    assert one.told(WOLVES, "out of play")
    unseen_by(WOLVES, one, ends(""))


@pytest.mark.unseen("vector", reports=("deed",))
def test_what_is_reached_is_public_and_not_what_else_was_plotted() -> None:
    def near(state: VectorState) -> None:
        state.battle.units["R1"].at = "0423"
        state.battle.units["R1"].vector = state.battle.units["T1"].vector

    one = played("R1: plot when nearest enemy within 0: turn left", change=near)
    assert one.told(WOLVES, "deed")
    unseen_by(WOLVES, one, played(change=near))


@pytest.mark.unseen("vector", reports=("turn's end",))
def test_what_friction_takes_is_public_and_not_what_was_plotted() -> None:
    def friction(state: VectorState) -> None:
        state.battle.options = state.battle.options.with_values(friction=True)

    one = played("", "R1: plot when nearest enemy within 0: turn left", change=friction)
    assert one.told(TRADERS, "turn's end")
    unseen_by(TRADERS, one, played(change=friction))
