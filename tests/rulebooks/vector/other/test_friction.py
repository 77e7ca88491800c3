"""Warp friction. CJD1.61, CJD1.611"""

import pytest

from rules_engine.rulebooks.vector.ch6_friction.friction import loss_at
from rules_engine.rulebooks.vector.tracker.flying import end_turn
from tests.expected.kept import cases
from tests.rulebooks.vector.skies import fly, plot, sky, what


@pytest.mark.rule("vector", "CJD1.6", "CJD1.61", "CJD1.611")
@pytest.mark.parametrize(
    ("speed", "hexes", "damage"),
    [
        (0, 0, 0),
        (1, 0, 0),
        (2, 1, 0),
        (32, 1, 0),
        (33, 2, 1),
        (39, 2, 1),
        (40, 3, 2),
        (47, 3, 2),
        (48, 4, 3),
        (56, 5, 4),
    ],
)
def test_what_friction_takes(speed: int, hexes: int, damage: int):
    assert loss_at(speed) == (hexes, damage)


@pytest.mark.rule("vector", "CJD1.61")
@pytest.mark.parametrize(
    ("flies", "facing", "slower"),
    [
        ("5A", "A", "4A"),
        ("1A", "A", "1A"),
        ("3A+9B", "A", "3A+8B"),
        ("9A+3B", "D", "8A+3B"),
        ("1A+1B", "A", "1A"),
        ("4A+4B", "A", "4A+3B"),  # B is further from the bow
        ("4A+4B", "C", "3A+4B"),
    ],
)
def test_a_hex_of_the_greatest_element(flies: str, facing: str, slower: str):
    battle = sky(f"H1 h 2020 {facing} {flies}", friction=True)
    fly(battle)
    happened = end_turn(battle)
    assert battle.units["H1"].vector.says == slower
    assert what(happened) == ([(32, "H1", "slowed")] if slower != flies else [])
    assert [(one.amount, one.damage, one.shield, one.rule) for one in happened] in ([], [(1, 0, 0, "CJD1.61")])


@pytest.mark.rule("vector", "CJD1.61")
@pytest.mark.parametrize(("chosen", "slower"), [("A", "3A+4B"), ("B", "4A+3B")])
def test_of_two_equal_elements_the_captain_chooses(chosen: str, slower: str):
    for facing in "ABCDEF":
        battle = sky(f"H1 h 2020 {facing} 4A+4B", friction=True)
        fly(battle, {"H1": plot(friction=chosen)})
        end_turn(battle)
        assert battle.units["H1"].vector.says == slower


@pytest.mark.rule("vector", "CJD1.61")
def test_it_is_off_unless_the_table_wants_it():
    battle = sky("H1 h 2020 A 50A")
    fly(battle)
    assert end_turn(battle) == []
    assert battle.units["H1"].vector.says == "50A"


@pytest.mark.rule("vector", "CJD1.611")
@cases("ship, slower, shield, loss, shields")
def test_above_32_it_takes_more_and_damages_the_shield_on_that_side(
    ship: str, slower: str, shield: int, loss: tuple[int, int], shields: tuple[int, ...]
):
    battle = sky(f"H1 h 2020 {ship} shields=10,9,9,9,9,3", friction=True)
    happened = end_turn(battle)
    after = battle.units["H1"]
    assert (after.vector.says, after.figures.shields) == (slower, shields)
    slowed = happened[0]
    assert (slowed.shield, (slowed.amount, slowed.damage), slowed.rule) == (shield, loss, "CJD1.611")
