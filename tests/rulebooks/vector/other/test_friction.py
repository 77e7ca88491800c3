"""Warp friction. CJD1.61, CJD1.611"""

import pytest

from rules_engine.rulebooks.vector.ch6_friction.friction import loss_at
from rules_engine.rulebooks.vector.records.plots import UnitPlot
from rules_engine.rulebooks.vector.records.tactical import TacticalOptions, TractorLink
from rules_engine.rulebooks.vector.tracker.flying import end_turn
from tests.expected.kept import cases
from tests.rulebooks.vector.duel import three
from tests.rulebooks.vector.plotting.sheets import warned
from tests.rulebooks.vector.skies import fly, next_turn, plot, sky, vector, what


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


@pytest.mark.rule("vector", "CJD1.61")
@pytest.mark.parametrize("silent", [None, plot(), plot("turn left on 1")])
def test_choice_of_an_element_holds_for_the_plot_that_makes_it_alone(silent: UnitPlot | None):
    """Facing C, 4A+4B gives up A; the first turn's choice of B does not last into the second."""
    battle = sky("H1 h 2020 C 4A+4B", friction=True)
    fly(battle, {"H1": plot(friction="B")})
    next_turn(battle)
    assert battle.units["H1"].vector.says == "4A+3B"
    battle.units["H1"].vector = vector("4A+4B")
    fly(battle, {} if silent is None else {"H1": silent})
    assert battle.units["H1"].friction_from == ""
    battle.units["H1"].facing = "C"
    end_turn(battle)
    assert battle.units["H1"].vector.says == "3A+4B"


@pytest.mark.rule("vector", "CJD1.61")
@pytest.mark.parametrize(
    ("first", "second", "slower"),
    [("B", None, "3A+4B"), (None, "B", "4A+3B"), ("A", "B", "4A+3B"), ("B", "A", "3A+4B")],
)
def test_choice_is_that_of_the_last_piece_when_a_turn_has_several(first: str | None, second: str | None, slower: str):
    battle = sky("H1 h 2020 C 4A+4B", friction=True)
    fly(battle, {"H1": plot(friction=first)}, 16)
    fly(battle, {"H1": plot(friction=second)}, 32)
    end_turn(battle)
    assert battle.units["H1"].vector.says == slower


@pytest.mark.rule("vector", "CJD1.61")
def test_controllers_choice_in_a_tractor_does_not_last_either():
    battle = sky("H1 h 2020 C 4A+4B\nR1 r 2020 C 4A+4B", friction=True)
    battle.tractors.append(TractorLink(one="H1", other="R1", power={"H1": 2}, controller="H1"))
    fly(battle, {"H1": plot(friction="B"), "R1": plot(friction="A")})
    next_turn(battle)
    assert [battle.units[one].vector.says for one in ("H1", "R1")] == ["4A+3B", "4A+3B"]
    for one in ("H1", "R1"):
        battle.units[one].vector = vector("4A+4B")
    fly(battle, {"R1": plot(friction="B")})
    end_turn(battle)
    assert [battle.units[one].vector.says for one in ("H1", "R1")] == ["3A+4B", "3A+4B"]


@pytest.mark.rule("vector", "CJD1.61")
@pytest.mark.parametrize(
    ("friction", "impulse", "warning"),
    [
        (True, 0, "H1: warp friction comes after impulse 32: “friction A” holds for this piece alone"),
        (True, 16, None),
        (False, 16, "H1: no warp friction is played here"),
    ],
)
def test_captain_is_warned_when_a_choice_takes_no_effect(friction: bool, impulse: int, warning: str | None):
    battle = three(options=TacticalOptions(friction=friction), impulse=impulse)
    assert warned(battle, "H1: friction A") == ([] if warning is None else [warning])
