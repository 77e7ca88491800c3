"""Border Patrol: worlds that must look alike to a Team do, kind by kind, and cloaked stacks stay unseen."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.grids.hexes import Grid
from rules_engine.rulebooks.border_patrol import RULEBOOK
from rules_engine.rulebooks.border_patrol.records.settings import Supply
from rules_engine.rulebooks.border_patrol.scenario.reading import read_scenario
from tests.expected.sections import section
from tests.rulebooks.border_patrol.captains import CaptainsMatch
from tests.rulebooks.border_patrol.plays import Played, play, world
from tests.rulebooks.border_patrol.squadrons import files
from tests.secrecy.kinds import kinds_compared, kinds_of, pictures_of
from tests.secrecy.test_reports import Scan
from tests.seeds import IS_FULL, IS_THOROUGH

BOOK = "border_patrol"
CORE = {"referee", "waiting", "doctrine"}
"""Kinds of the core's own commands, which every rulebook shares, and of standing orders in words, which this one does
not have; the other books' cases compare them."""


def test_every_kind_of_report_and_ask_has_a_case_of_two_worlds() -> None:
    made, compared = kinds_of(BOOK), kinds_compared(BOOK)
    assert len(made.reports) > 10
    assert len(made.asks) > 4
    for ones, others in ((made.reports, compared.reports), (made.asks, compared.asks)):
        assert {kind: ones[kind] for kind in ones.keys() - CORE if kind not in others} == {}
        assert set(others) <= set(ones)


def test_every_kind_of_picture_has_a_case_of_two_worlds() -> None:
    """Counters by their form and courses by their kind: all that a map of this book draws."""
    drawn, compared = pictures_of(BOOK), kinds_compared(BOOK).pictures
    assert len(drawn) >= 8
    assert {kind: drawn[kind] for kind in drawn if kind not in compared} == {}
    assert set(compared) <= set(drawn)


def unseen_by(side: str, *games: Played) -> None:
    """Every game looks the same to this Team, and something in them does differ."""
    first, *others = games
    other = "red" if side == "blue" else "blue"
    for game in others:
        assert first.seen_by(side) == game.seen_by(side)
        assert first.state != game.state or first.seen_by(other) != game.seen_by(other), "the worlds do not differ"


@pytest.mark.parametrize("seed", range(1, 7))
def test_nothing_that_captains_are_told_names_the_others_ships_and_stacks(seed: int) -> None:
    """As of random games, of such in which captains seek each other."""
    scan = Scan(CaptainsMatch(RULEBOOK, read_scenario(files("neutral_zone" if seed % 2 else "intro")), seed))
    scan.run()
    assert scan.reports > 20
    assert not scan.leaks, "\n".join(scan.leaks[:10])


# --- what stands open on the map --------------------------------------------------------------------------------------
@pytest.mark.unseen("border_patrol", reports=("turn", "movement", "score"), asks=("plot",))
def test_how_many_and_what_others_are_is_unseen() -> None:
    def went(ships: str) -> Played:
        state = world(f"blue B1 0505 CA\nred {ships}\nprovince rim nobody 1105 1106")
        state.teams["red"].treasury = len(ships)
        return play(state, {"B1": {"route": "0506"}}, {key: {"route": "1106"} for key in state.stacks if key != "B1"})

    unseen_by("blue", went("R1 1105 CA"), went("R1 1105 DN+DD+CA"), went("R1 1105 CA[flagship=yes]\nred R2 1105 CA+CA"))


@pytest.mark.unseen("border_patrol", reports=("movement",), asks=("plot",))
def test_stacks_under_cloak_are_unseen_wherever_they_go() -> None:
    def went(sheet: dict[str, Any]) -> Played:
        state = world("blue B1 0505 CA\nred R1 1105 CA\nred R2 0808 CA[cloak_cost=10]")
        return play(state, {"B1": {"route": "0506"}}, {"R1": {"route": "1106"}, "R2": {"cloak": "all turn", **sheet}})

    unseen_by("blue", went({}), went({"route": "0708 0608"}), went({"route": "0708 0608 0508"}))


@pytest.mark.unseen("border_patrol", reports=("convoy",))
def test_what_a_convoy_carries_is_unseen() -> None:
    def came(ships: str) -> Played:
        return play(world(f"blue B1 0505 CA\nred R1 1105 {ships}\nconvoy red R1 1105 1106"))

    unseen_by("blue", came("FT"), came("FT+FT[helmsman=3]"))


@pytest.mark.unseen("border_patrol", reports=("monster",))
def test_with_what_a_monster_is_driven_off_is_unseen() -> None:
    def drove(ships: str) -> Played:
        lines = f"blue B1 0506 {ships}\nred R1 1105 CA\nmonster dragon 0505 stays driven_off_by=100"
        return play(world(lines), {"B1": {"route": "0505"}})

    unseen_by("red", drove("CA[bpv=100]"), drove("CA[bpv=90]+CA[bpv=90]"))


@pytest.mark.unseen("border_patrol", reports=("monster", "battle"), asks=("battle",))
def test_who_plays_a_monster_sees_whom_it_fights_and_nothing_of_what_is_left_of_them() -> None:
    def fought(ships: str, status: int) -> Played:
        lines = f"blue B1 0506 {ships}\nred R1 1105 CA\nmonster dragon 0505 stays by-hand"
        account = {"MU1": {"fate": "destroyed"}}
        return play(world(lines), {"B1": {"route": "0505"}}, battle=account, dice={"BU1": [status]})

    unseen_by("red", fought("CA", 1), fought("CA", 6), fought("CA[tractors_ok=0 dcr=2 chief_engineer=4]", 6))


# --- pictures ---------------------------------------------------------------------------------------------------------
@pytest.mark.unseen(
    "border_patrol",
    reports=("held", "battle"),
    asks=("battle",),
    pictures=("counter force", "counter battle", "course plotted", "course moved"),
)
def test_ways_that_are_yet_to_be_gone_are_on_no_map_of_others() -> None:
    def held(route: str | None) -> Played:
        state = world("blue B1 0505 CA\nblue B2 0809 CA\nred R1 0506 CA\nred R2 0809 CA")
        return play(state, None, {"R1": {"route": "0505"}, "R2": {"route": route}})

    one, other = held("0810"), held("0808")
    assert len(one.looks["blue"]) == 2, "the map of the sheet and that of the battle"
    unseen_by("blue", one, other)
    assert one.looks["red"] != other.looks["red"], "its own is drawn for who goes it"


@pytest.mark.unseen("border_patrol", reports=("turn",), asks=("plot",), pictures=("counter convoy", "course route"))
def test_where_a_convoy_is_to_go_and_when_is_on_no_map_of_others() -> None:
    def waits(route: str, sets_out: int) -> Played:
        ports = "system near red 1106\nsystem far red 1103"
        state = world(f"blue B1 0505 CA\nred R1 1105 FT\n{ports}\nconvoy red R1 1105 {route}")
        state.convoys["R1"].sets_out = sets_out
        return play(state)

    one, other = waits("1106", 2), waits("1104 1103", 3)
    unseen_by("blue", one, other)
    assert one.seen_by("red") != other.seen_by("red")


@pytest.mark.unseen("border_patrol", reports=("turn",), asks=("plot",), pictures=("counter base", "counter unit"))
def test_what_is_left_of_bases_and_what_monsters_have_in_mind_is_on_no_map() -> None:
    def stood(dcr: int, habits: str) -> Played:
        state = world(f"blue B1 0505 CA\nred base 1105 BATS\nred R1 1110 CA\nmonster dragon 0808 {habits}")
        state.units["red-1105"].dcr = dcr
        return play(state)

    one = stood(8, "stays driven_off_by=100")
    text = "blue"
    unseen_by(text, one, stood(3, "stays driven_off_by=100"), stood(8, "hunts allowance=3 senses=1 driven_off_by=250"))


# --- orders -----------------------------------------------------------------------------------------------------------
@pytest.mark.unseen("border_patrol", reports=("reaction",), asks=("reaction",))
def test_reaction_orders_that_brought_no_move_are_unseen() -> None:
    def waited(react: str) -> Played:
        return play(world("blue B1 0505 CA\nred R1 0507 CA"), {"B1": {"route": "0506"}}, {"R1": {"react": react}})

    quiet = [waited(react) for react in ("no", "must", "ask")]
    assert quiet[-1].asked("red", "reaction")
    unseen_by("blue", *quiet)
    pinned = [
        play(world("blue B1 0505 CA+CA\nred R1 0505 CA"), None, {"R1": {"react": react}}) for react in ("no", "any")
    ]
    assert pinned[-1].texts("red", "reaction")
    unseen_by("blue", *pinned)


@pytest.mark.unseen("border_patrol", reports=("reaction",), asks=("moving on",))
def test_whether_a_reactor_could_have_gone_on_and_what_its_captain_was_asked_is_unseen() -> None:
    def caught(orders: str) -> Played:
        state = world("blue B1 0505 CA\nred R1 0508 FF")
        red = {"R1": {"react": "any", "orders": orders}}
        return play(state, {"B1": {"route": "0506 0507"}}, red, battle={"BU1": {"fate": "destroyed"}})

    asked = caught("return ask")
    assert asked.asked("red", "moving on")
    unseen_by("blue", caught("stay"), asked)


@pytest.mark.unseen("border_patrol", reports=("onward",), asks=("onward",))
def test_whether_others_stopped_by_order_or_by_word_is_unseen() -> None:
    def stopped(onward: str) -> Played:
        state = world("blue B1 0505 CA\nred R1 0508 CA")
        return play(state, None, {"R1": {"route": "0507 0506 0505", "onward": onward}})

    unseen_by("blue", stopped("stop"), stopped("ask"))


@pytest.mark.unseen("border_patrol", reports=("held",), asks=("withdrawal",))
def test_whether_others_would_leave_and_who_refused_is_unseen() -> None:
    lines = "blue B1 0505 CA\nred R1 0505 CA"

    def stayed(route: str | None) -> Played:
        return play(world(lines), None, {"R1": {"route": route}})

    unseen_by("blue", stayed(None), stayed("0506"))

    def refused(let_go: str) -> Played:
        return play(world(lines), {"B1": {"route": "0506", "held": "withdraw"}}, {"R1": {"let_go": let_go}})

    unseen_by("blue", refused("refuse"), refused("ask"))


@pytest.mark.unseen("border_patrol", reports=("movement",), asks=("phase",))
def test_what_others_are_asked_and_say_in_a_phase_is_unseen() -> None:
    def told(ships: str, *sheets: dict[str, Any]) -> Played:
        state = world(f"blue B1 0505 CA\nred R1 1105 {ships}", options=["ask_every_phase"])
        return play(state, None, None, phase_red=list(sheets))

    last = {"R1": {"route": "P8 1104"}}
    later = [{}, {}, {}, {}, {"R1": {"route": "1104", "orders": "stop"}}]
    unseen_by("blue", told("CA", last), told("CA+CA", last), told("CA", *later))


@pytest.mark.unseen("border_patrol", reports=("pods",), asks=("plot",))
def test_what_others_tugs_take_up_and_set_down_is_unseen() -> None:
    def loaded(*pods: str) -> Played:
        state = world("blue B1 0505 CA\nred R1 1105 TUG\nred pod 1105 Cargo 1\nred pod 1105 Troops 1")
        return play(state, None, {"R1-ships": {"pods": [f"R1-TUG>{pod}" for pod in pods]}})

    unseen_by("blue", loaded(), loaded("cargo"), loaded("cargo", "troops"))


@pytest.mark.unseen("border_patrol", reports=("engines",))
def test_what_goes_on_in_others_engine_rooms_is_unseen() -> None:
    def tried(dice: list[int]) -> Played:
        state = world("blue B1 0505 CA\nred R1 1105 CA[emergency_used=4 chief_engineer=7]")
        return play(state, None, {"R1": {"emergency": ["R1-CA"]}}, dice={"engineer": dice})

    unseen_by("blue", tried([1, 1]), tried([6, 6]), play(world("blue B1 0505 CA\nred R1 1105 CA")))


# --- encounters and battles -------------------------------------------------------------------------------------------
HIDDEN = {"B1": {"cloak": "all turn", "route": "0506"}}


@pytest.mark.unseen("border_patrol", reports=("encounter",))
def test_that_a_listening_post_found_them_is_unseen_by_those_under_cloak() -> None:
    def hid(dice: dict[str, list[int]]) -> Played:
        return play(world("blue B1 0505 CA[cloak_cost=10]\nred R1 1105 CA"), HIDDEN, None, dice=dice)

    found = hid({"/found": [1, 1], "/what": [4]})
    assert found.texts("red", "encounter")
    unseen_by("blue", hid({}), found)


@pytest.mark.unseen("border_patrol", reports=("encounter",), asks=("convoy",))
def test_whether_others_let_a_convoy_run_by_order_or_by_word_is_unseen() -> None:
    def met(orders: str) -> Played:
        lines = "blue B1 0505 CA[cloak_cost=10]\nred R1 1105 CA\nred sails FT\nprovince rim red 0506 0507"
        dice = {"/found": [1, 1], "/what": [6]}
        return play(world(lines), {"B1": {**HIDDEN["B1"], "orders": orders}}, None, dice=dice)

    asked = met("convoys ask")
    assert asked.asked("blue", "convoy")
    unseen_by("red", met("spare convoys"), asked)


@pytest.mark.unseen("border_patrol", reports=("encounter", "contact"))
def test_of_units_that_a_storm_shows_nothing_but_number_and_sizes_is_seen() -> None:
    def shown(ships: str) -> Played:
        dice = {"/found": [1, 1], "/what": [1]}
        return play(world(f"blue B1 0505 {ships}\nred R1 1105 CA"), HIDDEN, None, dice=dice)

    unseen_by("red", shown("CA[cloak_cost=10]"), shown("TUG[cloak_cost=10 helmsman=1 dcr=2]"))


@pytest.mark.unseen("border_patrol", reports=("battle",), asks=("battle",))
def test_others_weapon_status_and_what_is_left_of_them_is_unseen_in_battle() -> None:
    def fought(status: int, ships: str) -> Played:
        lines = f"blue B1 0505 CA\nred R1 0506 {ships}"
        return play(world(lines), None, {"R1": {"route": "0505"}}, dice={"RU1": [status]})

    unseen_by("blue", fought(1, "CA"), fought(6, "CA"), fought(6, "CA[emergency_used=3 chief_engineer=5]"))


WHOLE = "CA[special_sensors=2]"
HURT = "CA[special_sensors=2 warp_ok=12 dcr=2 tractors_ok=1 special_sensors_ok=1 sensors_damaged=yes warp_dropped=yes]"


@pytest.mark.unseen("border_patrol", asks=("battle",))
def test_no_account_tells_what_was_left_of_the_others_before() -> None:
    """Not by its form, by what it refuses, by how it is read back, nor by where two of them differ."""

    def met(ships: str) -> Played:
        return play(world(f"blue B1 0505 CA\nred R1 0506 {ships}"), {"B1": {"route": "0506"}})

    unseen_by("blue", met(WHOLE), met(HURT))
    asks = [met(ships).asked("blue", "battle")[0] for ships in (WHOLE, HURT)]
    for line in (
        {},
        *({"warp": count} for count in (0, 11, 12, 13, 30, 31)),
        {"dcr": 3, "tractors": 2, "special": 1},
        {"sensors": True},
        {"fate": "damaged", "dropped": True},
        {"fate": "disengaged"},
        {"fate": "disengaged", "warp": 13},
        {"fate": "disengaged", "warp": 0},
    ):
        assert said_of(asks[0], line) == said_of(asks[1], line), line


def said_of(ask: Any, line: dict[str, Any]) -> object:
    """What one Team reads when it says this of the other's only unit, and the other Team reports it destroyed."""
    filled = ask.form.prefilled()

    def account(**said: Any) -> Any:
        return ask.answer_from({**filled, "RU1": {**filled["RU1"], **said}})

    try:
        mine = account(**line)
    except Refused as refused:
        return [one.model_dump() for one in refused.refusals]
    differ = ask.agree({"blue": mine, "red": account(fate="destroyed")})
    return list(ask.read_back(mine)), differ.differences, [(one.what, dict(one.said)) for one in differ.places]


# --- border patrol cloaks ---------------------------------------------------------------------------------------------
# Border Patrol: wherever a cloaked stack goes, and whatever its orders are, the other Team cannot tell that it is
# there at all: neither by what it sees, is told and asked, nor by what comes of its own moves.
HEXES = ("0505", "0506", "0605", "0604", "0606", "0405", "0705", "0504", "0406")
"""Where things happen: some hexes near each other."""
OPEN = section("open")
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
