"""The tables that a race may look up: of what is its own, and of nothing else."""

from rules_engine.core.knowledge.side_tables import SideTable
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.rulebooks.cutler.standing.test_answers import given
from tests.rulebooks.cutler.worlds import world

TEXT = """
turn 1 impulse 3
planet capital 0205 hydran throne
hydran F1 0404 CA[warp=15]+DD course 0405
hydran base 0205 Rock
lyran F1 0606 CC
reserve hydran 40
"""


def tables(state: CutlerState, side: str = "hydran") -> dict[str, SideTable]:
    return {one.key: one for one in RULEBOOK.side_tables(state, side, Knowledge())}


def test_ships_have_what_is_left_of_them() -> None:
    table = tables(world(TEXT))["ships"]
    rows = [dict(zip(table.columns, row, strict=True)) for row in table.rows]
    assert [(row["Unit"], row["Fleet"], row["Hex"], row["Speed"], row["Warp"]) for row in rows] == [
        ("Hydran F1 Ca", "F1", "0404", "3", "15 of 30"),
        ("Hydran F1 Dd", "F1", "0404", "6", "18 of 18"),
        ("Rock", "", "0205", "0", "0 of 0"),
    ]


def test_forces_have_their_courses_and_orders() -> None:
    state = given(world(TEXT), hydran_F1="combat x1.5; go on")
    assert tables(state)["forces"].rows == (
        ("F1", "0404", "2", "3", "0405", "Hydran F1 Ca, Hydran F1 Dd", "combat x1.5; go on"),
    )
    state.standing["hydran/F1"].loop = ["0405", "0404"]
    assert tables(state)["forces"].rows[0][4] == "loop 0404 0405" or tables(state)["forces"].rows[0][4].startswith(
        "0405"
    )


def test_stores_and_planets() -> None:
    found = tables(world(TEXT))
    assert found["stores"].rows == (
        ("0205", "CPV", "0", "50 cargo boxes"),
        ("", "Base Pool", "0", ""),
        ("", "Intelligence Reserve", "40", "300 at the end of a turn"),
        ("", "Counter-intelligence", "0", ""),
    )
    assert [row[:4] for row in found["planets"].rows] == [("Throne", "capital", "0205", "100")]


def test_nothing_of_the_others_stands_in_them() -> None:
    one, other = world(TEXT), given(world(TEXT + "lyran F2 0404 CW\nreserve lyran 77"), lyran="bypass")
    assert tables(one) == tables(other)
