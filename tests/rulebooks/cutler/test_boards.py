"""What a race reads on its own board: its money, its fleets and planets, its standing orders, and its courses."""

import pytest

from rules_engine.core.knowledge.views import Board, Knowledge
from rules_engine.rulebooks.cutler.boards import side_board
from tests.rulebooks.cutler.armed import armed, taken

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
