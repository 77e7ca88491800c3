"""Border Patrol: wherever a cloaked stack goes, and whatever its orders are, the other Team cannot tell that it is
there at all: neither by what it sees, is told and asked, nor by what comes of its own moves."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.border_patrol.records.settings import Supply
from tests.rulebooks.border_patrol.plays import Played, play, world
from tests.seeds import IS_FULL, IS_THOROUGH

HEXES = ("0505", "0506", "0605", "0604", "0606", "0405", "0705", "0504", "0406")
"""Where things happen: some hexes near each other."""
OPEN = """
blue B1 {b1} CA
blue B2 {b2} DD+DD
red R1 {r1} CA
red R3 1102 CA
monster dragon 0707 roams allowance=3 driven_off_by=60
province rim nobody 0505 0506 0605 0606
province core blue 0404 0405 0406
system mid blue 0605
blue base 0406 BATS
"""
ways = st.lists(st.sampled_from(HEXES), max_size=3)
words = st.fixed_dictionaries(
    {
        "onward": st.sampled_from(("go on", "stop", "turn back")),
        "held": st.sampled_from(("stay", "break out")),
        "let_go": st.sampled_from(("refuse", "let go")),
    }
)


def toward(start: str, goals: list[str], most: int) -> str | None:
    """A way by these hexes, as far as an allowance goes."""
    grid, hexes = Grid(columns=12, rows=12), [start]
    for goal in goals:
        hexes += grid.line(hexes[-1], goal)[1:]
    return " ".join(hexes[1 : most + 1]) or None


@pytest.mark.unseen("border_patrol", reports=("movement", "turn", "score"), asks=("plot",))
@settings(max_examples=600 if IS_FULL else 40 if IS_THOROUGH else 12)
@given(
    at=st.fixed_dictionaries({key: st.sampled_from(HEXES) for key in ("b1", "b2", "r1")}),
    blue=st.tuples(ways, ways, words),
    red=words,
    hidden=st.tuples(st.sampled_from(HEXES), ways, words),
    reacts=st.sampled_from(("no", "must", "any")),
)
def test_a_stack_that_nobody_sees_changes_nothing_for_others(
    at: dict[str, str], blue: Any, red: dict[str, Any], hidden: Any, reacts: str
) -> None:
    start, way, said = hidden
    route = toward(start, way, 3)
    # A unit that lies in wait may react to whoever enters its own hex, cloaked or not (V8.54).
    waits = reacts != "no" and at["b2"] not in f"{start} {route}"
    second = {"react": reacts} if waits else {"route": toward(at["b2"], blue[1], 5)}
    assume(waits or reacts == "no")

    def went(start: str, sheet: dict[str, Any]) -> Played:
        state = world(OPEN.format(**at) + f"red R2 {start} CA[cloak_cost=10 cloaks=yes cloaked=yes]")
        return play(
            state,
            {"B1": {"route": toward(at["b1"], blue[0], 5), **blue[2]}, "B2": second},
            {"R1": red, "R3": {"route": "1103 1104 1105 1106 1107"}, "R2": {"cloak": "all turn", **sheet}},
        )

    try:
        away, near = went("1212", {}), went(start, {"route": route, **said})
    except Refused:  # some ways are too long for who is out of supply
        assume(False)
        return
    assert away.seen_by("blue") == near.seen_by("blue")
    assert away.seen_by("red") != near.seen_by("red")


# --- what once told of them -------------------------------------------------------------------------------------------

HID = "[cloak_cost=10 cloaks=yes cloaked=yes]"


def alike_for_blue(*games: Played) -> None:
    first, *others = games
    for other in others:
        assert first.seen_by("blue") == other.seen_by("blue")
        assert first.seen_by("red") != other.seen_by("red")


@pytest.mark.unseen("border_patrol", reports=("turn",), asks=("plot",))
def test_a_hex_that_somebody_hidden_comes_to_is_no_battle_hex_for_it() -> None:
    def came(route: str | None) -> Played:
        state = world(f"blue B1 0505 CA\nred R1 0505 CA\nred R2 0506 CA{HID}")
        return play(state, None, {"R2": {"cloak": "all turn", "route": route}})

    alike_for_blue(came(None), came("0505"))


@pytest.mark.unseen("border_patrol", reports=("battle", "encounter"), asks=("battle",))
def test_who_is_turned_up_where_others_are_fights_there() -> None:
    state = world(f"blue B1 0505 CA\nred R2 0506 CA{HID}")
    turned_up = {"/found": [1, 1], "/what": [1]}
    game = play(state, None, {"R2": {"cloak": "all turn", "route": "0505"}}, dice=turned_up)
    assert [ask.title for ask in game.asked("blue", "battle")] == ["Result of the battle in 0505"]


@pytest.mark.unseen("border_patrol", reports=("movement",), asks=("plot",))
def test_the_order_of_moves_in_the_open_tells_of_no_hidden_ones() -> None:
    def went(route: str | None) -> Played:
        state = world(f"blue B1 0101 CA\nblue B2 0201 CA\nred R1 0909 CA{HID}\nred R2 1111 CA")
        blue = {"B1": {"route": "0102 0103 0104 0105 0106"}, "B2": {"route": "0202 0203 0204 0205 0206"}}
        red = {"R1": {"cloak": "all turn", "route": route}, "R2": {"route": "1110 1109 1108 1107 1106"}}
        return play(state, blue, red)

    still, moving = went(None), went("0908 0907 0906")
    assert any("Red Team 1111" in text for text in moving.texts("blue"))
    alike_for_blue(still, moving)


@pytest.mark.unseen("border_patrol", reports=("score",), asks=("plot",))
def test_hidden_units_open_no_supply_that_shows_in_the_score() -> None:
    """R1 holds a province if it is in supply; Blue's zone lies across the one way that is short enough."""

    def held(*places: str) -> Played:
        lines = [f"red R{number} {place} CA{HID}" for number, place in enumerate(places, 2)]
        lines += ["blue B1 1111 CA", "red R1 1208 CA", "province rim nobody 1208"]
        hide = {f"R{number}": {"cloak": "all turn"} for number, _ in enumerate(places, 2)}
        return play(world("\n".join(lines), supply=Supply(reach=4)), None, hide)

    alike_for_blue(held("0808", "0809"), held("1210", "1211"))
