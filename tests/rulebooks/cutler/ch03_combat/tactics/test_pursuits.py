"""Chapter 3.6 for a tracker: escape battles, and pursuers that surround."""

import pytest

from rules_engine.core.grids.space import Way, turned
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.tactics.battles import TacticalBattle
from tests.expected.kept import cases
from tests.rulebooks.cutler.ch03_combat.tactics.fields import all_set_up, at, broken, field_of, fought, speeds

RUNNERS = ("hydran-F1-CA", "hydran-F1-FF")


def caught(surround: dict[str, object] | None = None, way: int = 4, hunters: str = "CC+CW") -> TacticalBattle:
    """Two Hydran ships that run and are caught by Lyrans; a first group that surrounds succeeds, with this ``way``."""
    text = f"turn 1 impulse 3\nhydran F1 0404 CA[warp=8]+FF\nlyran F1 0404 {hunters}\n"
    dice = {"escape from": [6], "surround, group 1": [3], "surround, group 2": [4], "direction, group 1": [way]}
    run = fought(
        text,
        dice,
        wave_hydran=[{"wave": {"ships": list(RUNNERS)}}],
        pursuit_lyran=all_in_one_group,
        surround_lyran=surround or {},
    )
    return field_of(run)


def all_in_one_group(ask: AnyAsk) -> dict[str, object]:
    """A pursuit in which all that can go go together."""
    return {line.key: {"group": 1} for line in ask.form.lines}


@pytest.mark.rule("cutler", "3.6", "3.6.1")
def test_who_flees_is_set_up_first_at_weapon_status_0_pursuers_at_2_and_all_at_their_own_maximum():
    battle = caught(hunters="CC[imp=0]+CW")
    assert [step.units for step in battle.steps] == [("H1", "H2"), ("L1", "L2")]
    assert speeds(battle) == {"H1": (9, 9, 0), "H2": (13, 13, 0), "L1": (30, 30, 2), "L2": (25, 25, 2)}
    flight, pursuit = battle.steps
    assert (flight.one_facing, flight.faces_enemy) == (True, False)
    assert (pursuit.one_facing, pursuit.faces_enemy) == (False, True)


@pytest.mark.rule("cutler", "3.6")
@pytest.mark.parametrize(("apart", "rules"), [(10, []), (11, ["3.6"])])
def test_who_flees_stays_within_10_of_each_other(apart: int, rules: list[str]):
    battle = caught()
    assert broken(battle, battle.steps[0], {"H1": at("A", 0), "H2": at("F", apart)}) == rules


@pytest.mark.rule("cutler", "3.6.1")
@cases("first, second, legal")
def test_pursuers_stand_30_to_34_from_the_nearest_enemy_and_one_at_exactly_30(first: int, second: int, legal: bool):
    battle = caught()
    spots = {"H1": at("A", 0), "H2": at("D", 10), "L1": at("A", first), "L2": at("A", second)}
    assert broken(battle, battle.steps[1], spots) == ([] if legal else ["3.6.1"])


@pytest.mark.rule("cutler", "3.6.1")
@pytest.mark.parametrize(("apart", "rules"), [(10, []), (11, ["3.6.1"])])
def test_pursuers_stay_within_10_of_each_other(apart: int, rules: list[str]):
    battle = caught()
    # Both at 30, in the path: along the ring from straight ahead.
    spots = {"H1": at("A", 0), "H2": at("D", 1), "L1": at("A", 30), "L2": at("C", apart, at("A", 30))}
    assert broken(battle, battle.steps[1], spots) == rules


@pytest.mark.rule("cutler", "3.6.1.1")
@pytest.mark.parametrize("facing", ["A", "C", "F"])
def test_directions_count_from_the_facing_of_who_flees(facing: Way):
    battle = caught({"lyran-F1-CW": {"group": 1}, "rest": {"direction": 2}}, way=5)
    fleeing = {"H1": at("A", 0), "H2": at("A", 0)}
    for way in range(1, 7):
        other = {"L1": at(turned(facing, 1), 30), "L2": at(turned(facing, way - 1), 30)}
        rules = broken(battle, battle.steps[1], fleeing | other, facing)
        assert rules == ([] if way == 5 else ["3.6.1.1, CU-N94"])
    astray = {"L1": at(turned(facing, 3), 30), "L2": at(turned(facing, 4), 30)}
    assert broken(battle, battle.steps[1], fleeing | astray, facing) == ["3.6.1.1, CU-N94"]


@pytest.mark.rule("cutler", "3.6.1.1")
def test_a_direction_reaches_half_way_to_the_next():
    battle = caught({"lyran-F1-CW": {"group": 1}}, way=2)
    for aside, legal in ((15, True), (14, False)):
        spots = {"H1": at("A", 0), "H2": at("A", 0), "L1": at("A", 30), "L2": at("A", 30 - aside, at("B", aside))}
        assert broken(battle, battle.steps[1], spots) == ([] if legal else ["3.6.1.1, CU-N94"])


@pytest.mark.rule("cutler", "3.6.1.1", "3.6.1")
def test_a_group_that_surrounds_stands_by_itself_and_one_that_fails_with_the_rest():
    battle = caught(
        {f"lyran-F1-{ship}": {"group": 1 if number < 2 else 2} for number, ship in enumerate(("CW", "CW2", "FF"))},
        way=1,
        hunters="CC+CW+CW+FF",
    )
    # L1 the rest and L4 who failed, L2 and L3 who surround: both in direction 1, and each pair within 10.
    spots = {"H1": at("A", 0), "H2": at("A", 0), "L1": at("A", 30), "L2": at("C", 14, at("A", 30))}
    spots |= {"L3": at("C", 5, at("A", 30)), "L4": at("E", 10, at("A", 30))}
    pursuit = battle.steps[1]
    assert broken(battle, pursuit, spots) == []
    assert broken(battle, pursuit, spots | {"L3": at("C", 3, at("A", 30))}) == ["3.6.1"]
    assert broken(battle, pursuit, spots | {"L4": at("E", 11, at("A", 30))}) == ["3.6.1"]
    assert all_set_up(battle) == 6


@pytest.mark.rule("cutler", "3.6.1.1")
def test_six_groups_all_round_find_their_places():
    ships = ["FF", *(f"FF{number}" for number in range(2, 7))]
    text = f"turn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0404 {'+'.join(['FF'] * 6)}\n"
    dice = {"escape from": [6]} | {f"direction, group {number}": [number] for number in range(1, 7)}
    battle = field_of(
        fought(
            text,
            dice,
            wave_hydran=[{"wave": {"ships": ["hydran-F1-CA"]}}],
            pursuit_lyran=all_in_one_group,
            surround_lyran={f"lyran-F1-{ship}": {"group": number} for number, ship in enumerate(ships, 1)},
        )
    )
    assert all_set_up(battle) == 7
