"""What a race reads on its own board: its money, its fleets and planets, its standing orders, and its courses."""

import pytest

from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.views import Board, Knowledge
from rules_engine.rulebooks.cutler.boards import public_board, side_board
from rules_engine.rulebooks.cutler.records.parts.units import Moment
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.shown.map_news import news_since
from tests.rulebooks.cutler.armed import armed, taken
from tests.rulebooks.cutler.ch01_setup.ring import opened
from tests.rulebooks.cutler.worlds import world

TEXT = """
turn 2 impulse 3
planet capital 0205 hydran throne
planet major 0303 hydran tide
planet minor 0404 klingon cub
planet capital 0902 lyran den
hydran base 0205 Yard[sensors=2]
hydran F1 0404 CA+DD[warp=12] course 0405 0506
hydran F2 0303 FF[imp=1]
hydran F3 0606 CC[officers=navigator]
lyran F1 0902 CC
reserve hydran 40
"""


def board() -> Board:
    """The Hydran's: a force that lands on Cub, a prize that must leave, one that razes, and a planet that was taken."""
    state = armed(TEXT, parties=4, cub={"boarding_parties": 6, "landed": {"hydran": 7}})
    empire = state.empires["hydran"]
    empire.last_income, empire.base_pool, empire.counter_pool = 150, 75, 12
    empire.cards, empire.asking, empire.station_scans = "bypass", "each", {"hydran-base-0205": ["0204"]}
    taken(state, "tide", "hydran", 1, boarding_parties=16, razed=5, ground={"B": 1})
    state.fleets["hydran/F1"].land, state.fleets["hydran/F1"].parties = "cub", 3
    state.fleets["hydran/F3"].raze = "den"
    prize = state.units["hydran-F2-FF"]
    prize.retreat_hex, prize.captured_from = "0304", "lyran"
    return side_board(state, "hydran", Knowledge())


@pytest.mark.rule("cutler", "4.1.4", "4.1.5", "6.3", "6.4.1.8")
def test_money_is_shown_by_what_it_is_kept_for():
    assert board().panel("Treasury").rows == (
        "Last income: 150 CPV",
        "Intelligence Reserve: 40 of 300 IP",
        "Counter-intelligence set aside: 12",
        "Base Pool: 75 CPV",
        "Stores in 0205: 0 CPV in 50 cargo boxes",
    )


@pytest.mark.rule("cutler", "2.4.1.6", "3.4.5.4", "5.1", "5.2.2")
def test_fleets_are_shown_with_their_orders_and_all_that_is_not_as_it_was_built():
    ca = "Hydran F1 Ca, CA (BPV 125, 4 boarding parties, invented)"
    dd = "Hydran F1 Dd, DD (BPV 80, warp 12 of 18, 4 boarding parties, invented)"
    ff = "Hydran F2 Ff, FF (BPV 60, impulse 1 of 2, 4 boarding parties, prize, invented)"
    cc = "Hydran F3 Cc, CC (BPV 145, legendary navigator, 4 boarding parties, invented)"
    shown = board()
    # Of eighteen warp boxes six are gone, which is two sixths: the force makes four hexes.
    assert shown.panel("Fleets").rows == (
        f"F1 at 0404, speed 4, course 0405 0506; lands 3 boarding parties on Cub: {ca}; {dd}",
        f"F2 at 0303, speed 6, must leave to 0304: {ff}",
        f"F3 at 0606, speed 6, holds; razes Den: {cc}",
        "0205 Yard, Base (BPV 600, invented)",
    )
    assert [(one.ships, one.whole) for one in shown.counters[:4]] == [(2, 88), (1, 92), (1, 100), (1, 100)]
    own = [(one.id, one.hex, one.form, one.label, one.sub, one.details) for one in shown.counters]
    assert own[:4] == [
        ("F1", "0404", "force", "F1", "2 ships, speed 4", (ca, dd)),
        ("F2", "0303", "force", "F2", "1 ship, speed 6", (ff,)),
        ("F3", "0606", "force", "F3", "1 ship, speed 6", (cc,)),
        ("own/hydran-base-0205", "0205", "base", "Yard", "", ("Yard, Base (BPV 600, invented)",)),
    ]
    assert [(one.counter, one.kind, one.hexes) for one in shown.courses] == [
        ("F1", "plotted", ("0404", "0405", "0506")),
        ("F2", "plotted", ("0303", "0304")),
    ]


@pytest.mark.rule("cutler", "5.2.1", "5.3.1", "5.3.2", "4.4.9")
def test_planets_are_shown_with_what_they_make_and_what_holds_them():
    # Of fifty CPV five are razed, and a captured planet makes half, rounded down.
    assert board().panel("Planets").rows == (
        "Throne, 0205: makes 100 of 100 CPV; 0 boarding parties, 0 GCV, 0 crew units",
        "Tide, 0303: makes 22 of 50 CPV, razed 5; 16 boarding parties, 0 GCV, 0 crew units, 1 ground base "
        "(hexside B 1); captured in turn 1, garrison 30 needed",
        "Ground bases of Tide: Tide B1, Ground Base (BPV 20, invented)",
        "Cub, 0404: 7 boarding parties landed",
    )


@pytest.mark.rule("cutler", "2.2", "8.3.1", "1.1.2.3")
def test_standing_orders_and_public_rates_are_shown():
    shown = board()
    assert shown.panel("Standing orders").rows == (
        "Meeting others in a hex: your card is always bypass.",
        "Plots: you are asked in every impulse.",
        "Yard scans 0204 in every impulse.",
        "F1, when it ends an impulse there: lands 3 boarding parties on Cub.",
        "F3, when it ends an impulse there: razes Den.",
    )
    assert shown.panel("CPV rates").rows == (
        "Hydran: 125 CPV a turn",
        "Lyran: 100 CPV a turn",
        "Klingon: 25 CPV a turn",
    )


@pytest.mark.rule("cutler", "2.1", "2.2")
def test_a_board_says_at_which_moment_it_is():
    state = world("turn 2\nhydran F1 0404 CA")
    moments = []
    for impulse in (0, 1, 6):
        state.impulse = impulse
        shown = side_board(state, "hydran", Knowledge())
        assert shown.heading == shown.when.label
        moments.append(shown.when)
    assert moments == [
        When(turn=2, step=0, label="Turn 2 of 3"),
        When(turn=2, step=10, label="Turn 2 of 3, impulse 1"),
        When(turn=2, step=60, label="Turn 2 of 3, impulse 6"),
    ]
    assert public_board(opened(2)[0]).when == When(turn=1, step=0, label="Set-up")


@pytest.mark.rule("cutler", "4.1.4")
@pytest.mark.parametrize(("entries", "shown"), [(0, 0), (1, 1), (3, 3), (5, 3)])
def test_the_last_three_entries_of_the_treasury_stand_below_the_money(entries, shown):
    log = tuple(f"entry {n}" for n in range(entries))
    rows = side_board(world("turn 1\nhydran F1 0404 CA"), "hydran", Knowledge(logs={"Treasury": log})).panels
    (treasury,) = [panel for panel in rows if panel.title == "Treasury"]
    assert treasury.rows == (
        "Last income: 0 CPV",
        "Intelligence Reserve: 0 of 300 IP",
        "Counter-intelligence set aside: 0",
        "Base Pool: 0 CPV",
        *log[-shown:][:shown],
    )


@pytest.mark.rule("cutler", "5.3.1", "4.1.4")
@pytest.mark.parametrize(("captured", "makes"), [(2, 0), (1, 25)])
def test_a_planet_makes_nothing_in_the_turn_after_its_capture(captured, makes):
    """Taken in turn 2 it is held for the whole of turn 3, and makes half from turn 4 on: not in the next one. Taken in
    turn 1 it does (5.3.1, CU-R79)."""
    state = world(TEXT)
    taken(state, "tide", "lyran", captured)
    shown = side_board(state, "lyran", Knowledge())
    assert shown.panel("Planets").rows[1].startswith(f"Tide, 0303: makes {makes} of 50 CPV; ")
    assert {note.name: note.figure for note in shown.hexes}["Tide"] == f"+{makes}"


@pytest.mark.rule("cutler", "5.2.2", "5.3")
def test_a_fleet_that_razes_and_lands_says_both():
    state = armed(TEXT, parties=4)
    state.fleets["hydran/F1"].raze, state.fleets["hydran/F1"].land = "den", "cub"
    shown = side_board(state, "hydran", Knowledge())
    assert shown.panel("Standing orders").rows[-1] == (
        "F1, when it ends an impulse there: razes Den; lands all boarding parties on Cub."
    )


@pytest.mark.rule("cutler", "2.6.2.1")
@pytest.mark.parametrize(("lurking", "row"), [("stay", "you stay hidden"), ("ask", "you are asked")])
def test_what_cloaked_ships_do_is_a_standing_order(lurking, row):
    state = world("turn 1\nhydran F1 0404 CA[cloak=down]\nlyran F1 0606 CA")
    state.empires["hydran"].lurking = state.empires["lyran"].lurking = lurking
    assert side_board(state, "hydran", Knowledge()).panel("Standing orders").rows[2:] == (
        f"Meeting others under cloak: {row}.",
    )
    assert len(side_board(state, "lyran", Knowledge()).panel("Standing orders").rows) == 2


@pytest.mark.rule("cutler", "1.1.2.4")
@pytest.mark.parametrize(
    ("system", "marks"),
    [
        (StarSystem(), ()),
        (StarSystem(moons=(5,)), ("1 moon",)),
        (StarSystem(moons=(5, 9)), ("2 moons",)),
        (StarSystem(gas_giant=2, giant_moons=(9,)), ("gas giant", "1 moon")),
        (StarSystem(moons=(5,), gas_giant=2, giant_moons=(9,), rings=True), ("gas giant with rings", "2 moons")),
        (StarSystem(asteroid_field=True), ("asteroid field",)),
    ],
)
def test_what_else_is_in_a_planets_hex_stands_on_the_map(system, marks):
    state = world("turn 1\nplanet minor 0404 hydran cub")
    state.systems["0404"] = system
    assert [note.marks for note in public_board(state).hexes] == [("planet", "minor", *marks)]


@pytest.mark.rule("cutler", "2.6.1")
def test_a_counter_of_others_tells_whose_it_is_and_nothing_more():
    (one,) = public_board(world("turn 1\nlyran F1 0404 CA+DN")).counters
    assert (one.id, one.owner, one.label) == ("lyran@0404", "lyran", "Lyran CU")
    assert (one.level, one.level_name, one.grade, one.details, one.ships) == (0, "strength unknown", 0, (), None)


@pytest.mark.rule("cutler", "2.1")
@pytest.mark.parametrize(
    ("turn", "impulse", "moved", "since"),
    [(2, 0, False, 1), (2, 1, True, 2), (2, 6, True, 2), (3, 0, True, 2), (3, 1, False, 3)],
)
def test_a_turn_is_told_of_until_the_first_impulse_of_the_next(turn, impulse, moved, since):
    """The force came to 0405 in turn 2."""
    state = world("turn 2 impulse 3\nhydran F1 0405 CA")
    unit = state.units["hydran-F1-CA"]
    unit.entered_from, unit.entered_at = "0404", Moment(turn=2, impulse=1)
    state.turn, state.impulse = turn, impulse
    shown = side_board(state, "hydran", Knowledge())
    assert [(one.kind, one.hexes) for one in shown.courses] == [("moved", ("0404", "0405"))] * moved
    assert news_since(state) == When(turn=since, step=1)
