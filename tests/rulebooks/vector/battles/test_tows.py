"""What tugs of a battle's own rulebook have in tow in the tracker. VM-N68"""

from functools import cache
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.tactics.battles import FlightRecord, TacticalBattle, TacticalTow
from rules_engine.rulebooks.vector.battles.tracker import TRACKER
from tests.expected.kept import cases
from tests.rulebooks.vector.battles.tracked import NORTH, SOUTH, Tracked, approach, ship, step

BASE = FlightRecord(size_class=2, warp=0, impulse=0, total_power=10, turn_mode="C", stays=True)
ODD = FlightRecord(size_class=3, warp=29, impulse=3, total_power=36, turn_mode="C")
PLACED = {
    (NORTH, "set-up"): ["N1: at 5050; facing A\nN2: at 5050; facing A\nN3: at 5051\nN4: at 4950; facing D"],
    (SOUTH, "set-up"): ["S1: at 5010; facing D"],
}


def towing(tugs: tuple[str, ...] = ("N1",), *, speed: int = 8, **plots: list[str]) -> Tracked:
    """N1 flies 8A with the base N3 and the ship N4 in tow; N2 pulls as well where it is a tug. All are set up."""
    return _towing(tugs, speed, **plots).goes_on_from(_placed(tugs, speed))


@cache
def _placed(tugs: tuple[str, ...], speed: int) -> tuple[dict[str, Json], ...]:
    """Looking for places takes most of the time of a game, so it is done once."""
    return tuple(_towing(tugs, speed).play(2).rests)


def _towing(tugs: tuple[str, ...], speed: int, **plots: list[str]) -> Tracked:
    north = ("N1", "N2", "N3", "N4")
    battle = TacticalBattle(
        title="Battle of the hill",
        forces=((NORTH,), (SOUTH,)),
        ships=(
            ship("N1", flight=ODD, least_speed=speed, most_speed=speed),
            ship("N2", flight=ODD, least_speed=speed, most_speed=speed),
            ship("N3", flight=BASE, least_speed=0, most_speed=0),
            ship("N4", least_speed=0, most_speed=0),
            ship("S1", least_speed=8, most_speed=8),
        ),
        steps=(step(north), step(("S1",))),
        tows=(TacticalTow(tugs=tugs, towed=("N3", "N4")),),
    )
    typed: dict[tuple[str, str], Any] = {
        **PLACED,
        (NORTH, "plot"): plots.get("north", []),
        (SOUTH, "plot"): plots.get("south", []),
    }
    return Tracked(battle, typed, options={"pieces": 1}, watched=False)


def flies(game: Tracked) -> dict[str, tuple[str, str]]:
    """Where the North's units are, and how they fly."""
    return {key: (one.at, one.vector.says) for key, one in game.state.battle.units.items() if key.startswith("N")}


@pytest.mark.rule("vector", "CJD1.55")
def test_what_is_in_tow_moves_with_its_tug_also_a_base():
    game = towing().until(1)
    assert flies(game) == {
        "N1": ("5042", "8A"), "N2": ("5042", "8A"), "N3": ("5043", "8A"), "N4": ("4942", "8A"),
    }  # fmt: skip
    assert game.state.battle.fixed == []


@pytest.mark.rule("vector", "CJD1.21")
def test_tug_that_tows_has_half_its_points_rounded_up_and_pays_for_itself_alone():
    """29 warp are 15 points; 7 hexes of acceleration take 14 of them."""
    game = towing(north=["N1: thrust 7 on 1"]).until(1)
    assert {key: one[1] for key, one in flies(game).items()} == {"N1": "15A", "N2": "8A", "N3": "15A", "N4": "15A"}
    assert game.state.battle.units["N1"].warp_left == 1
    (ask,) = [one for one in towing().asked_now() if one.parties == (NORTH,)]
    said = {line.key: line.note for line in ask.form.lines}
    assert "15+1 points left" in said["N1"]
    assert "29+1 points left" in said["N2"]


@cases("sheet, refused")
def test_its_tug_decides_how_a_unit_in_tow_moves(sheet: dict[str, dict[str, str]], refused: bool):
    (ask,) = [one for one in towing().asked_now() if one.parties == (NORTH,)]
    assert [one.rule for one in ask.refusals_of(sheet)] == (["VM-N68"] if refused else [])


@pytest.mark.rule("vector", "CJD1.55")
def test_tugs_that_pull_together_move_as_one():
    assert {one[1] for one in flies(towing(("N1", "N2"), north=["N1: thrust 3 on 1"]).until(1)).values()} == {"11A"}
    (ask,) = [one for one in towing(("N1", "N2")).asked_now() if one.parties == (NORTH,)]
    assert [str(one) for one in ask.refusals_of({"N2": {"thrust": "1 on 1"}})] == [
        "N2.thrust: “accelerate 1 on 1”: N1 has it in tow, and decides how both move (VM-N68). Legal: a plot for N1, "
        "or a turn."
    ]


@pytest.mark.rule("vector", "CJD1.55")
@pytest.mark.parametrize("fate", ["disengaged", "left the map"])
def test_what_is_in_tow_leaves_with_its_tug(fate: str):
    said = {"disengaged": "disengaged", "left the map": "left the map"}[fate]
    game = towing(north=["", f"N1: report {said}"]).until(2)
    fates = {one.code: one.fate for one in TRACKER.tally(game.state).ships}
    assert fates == {"N1": fate, "N2": "", "N3": fate, "N4": fate, "S1": ""}
    assert game.state.battle.tows == []


def test_what_leaves_out_of_a_tow_leaves_alone():
    game = towing(north=["", "N4: report disengaged"]).until(2)
    fates = {one.code: one.fate for one in TRACKER.tally(game.state).ships}
    assert fates == {"N1": "", "N2": "", "N3": "", "N4": "disengaged", "S1": ""}
    assert [tow.towed for tow in game.state.battle.tows] == [["N3"]]
    assert [one.when.label for one in game.told(SOUTH, "turn")] == [
        "Turn 1, before impulse 1", "Turn 2, before impulse 1",
    ]  # fmt: skip


def test_what_is_in_tow_moves_on_the_same_impulses_as_its_tug():
    """From its third impulse on the tug flies 11A, and the base stays a hex behind it."""
    game = towing(north=["N1: thrust 3 on 3"]).until(1)
    at = flies(game)
    assert {one[1] for key, one in at.items() if key != "N2"} == {"11A"}
    assert int(at["N3"][0]) - int(at["N1"][0]) == 5051 - 5050
    assert int(at["N1"][0]) - int(at["N4"][0]) == 5050 - 4950
    units = game.state.battle.units
    assert units["N1"].count_from == units["N3"].count_from == units["N4"].count_from


@cases("reports, in_tow, strained, vectors")
def test_tow_ends_when_the_tug_lets_go_or_is_lost(
    reports: str, in_tow: list[str], strained: bool, vectors: dict[str, str]
):
    battle = towing(north=["", reports]).until(2).state.battle
    assert [code for tow in battle.tows for code in tow.towed] == in_tow
    assert battle.units["N1"].strained is strained
    assert {key: battle.units[key].vector.says for key in vectors} == vectors
    stands = ["N3"] if vectors.get("N3") == "0" else []
    assert battle.fixed == stands
    if stands:
        assert battle.units["N3"].at == "5043"


@pytest.mark.rule("vector", "CJD1.55")
def test_tow_ends_when_one_of_two_tugs_is_lost():
    game = towing(("N1", "N2"), north=["", "N2: report destroyed"]).until(2)
    assert game.state.battle.tows == []
    assert (game.state.battle.fixed, game.state.battle.units["N1"].strained) == (["N3"], False)


@pytest.mark.rule("vector", "CJD1.55", "CJD1.551")
def test_tug_that_is_held_draws_what_it_tows_along_and_no_tractor_holds_what_is_in_tow():
    game = towing(south=["", "S1: report tractor N1 9 to 1"]).until(2)
    units = game.state.battle.units
    link = game.state.battle.link_of("N1")
    assert link is not None
    assert link.controller == "S1"
    assert units["S1"].vector == units["N1"].vector == units["N3"].vector == units["N4"].vector
    (ask,) = [one for one in towing().asked_now() if one.parties == (SOUTH,)]
    assert [one.rule for one in ask.refusals_of({"S1": {"report": "tractor N4 9 to 1"}})] == ["VM-N68"]
    assert ask.refusals_of({"S1": {"report": "tractor N1 9 to 1"}}) == ()


@pytest.mark.rule("vector", "CJD1.61")
def test_friction_takes_once_from_all_that_move_as_one():
    game = towing()
    game.state.battle.options = game.state.battle.options.with_values(friction=True)
    game.rests[-1] = game.state.to_json()
    game.until(1)
    assert {key: one[1] for key, one in flies(game).items()} == {"N1": "7A", "N2": "7A", "N3": "7A", "N4": "7A"}


def test_both_sides_see_who_tows_whom():
    game = towing().until(1)
    for side in (NORTH, SOUTH):
        scene = TRACKER.side_board(game.state, game.battle, side).tactical
        assert scene is not None
        remarks = {one.code: [said for said in one.remarks if "tow" in said] for one in scene.units}
        assert remarks == {"N1": ["tows N3 and N4"], "N2": [], "N3": ["in tow of N1"], "N4": ["in tow of N1"], "S1": []}


@pytest.mark.parametrize(
    "tows",
    [
        (TacticalTow(tugs=("N1",), towed=("N9",)),),
        (TacticalTow(tugs=("N1",), towed=("N1",)),),
        (TacticalTow(tugs=("N1",), towed=("N2",)), TacticalTow(tugs=("S1",), towed=("N2",))),
    ],
)
def test_tow_of_units_that_are_not_there_or_in_two_tows_is_refused(tows: tuple[TacticalTow, ...]):
    with pytest.raises(ValueError, match="a unit is part of one tow"):
        approach(tows=tows)


def beside_a_base(*, towable: bool, north: str = "", south: str = "") -> Tracked:
    """N1 flies 8A past the base N3 of its own side; the rulebook lets ships tow it, or not. All are set up."""
    return _beside_a_base(towable, north, south).goes_on_from(_placed_beside_a_base(towable))


@cache
def _placed_beside_a_base(towable: bool) -> tuple[dict[str, Json], ...]:
    return tuple(_beside_a_base(towable).play(2).rests)


def _beside_a_base(towable: bool, north: str = "", south: str = "") -> Tracked:
    battle = TacticalBattle(
        title="Battle of the hill",
        forces=((NORTH,), (SOUTH,)),
        ships=(
            ship("N1", flight=ODD, least_speed=8, most_speed=8),
            ship("N3", flight=BASE, least_speed=0, most_speed=0),
            ship("S1", least_speed=8, most_speed=8),
        ),
        steps=(step(("N1", "N3")), step(("S1",))),
        towable=("N3",) if towable else (),
    )
    typed: dict[tuple[str, str], Any] = {
        (NORTH, "set-up"): ["N1: at 5050; facing A\nN3: at 5051"],
        (SOUTH, "set-up"): ["S1: at 5010; facing D"],
        (NORTH, "plot"): ["", north],
        (SOUTH, "plot"): ["", south],
    }
    return Tracked(battle, typed, options={"pieces": 1}, watched=False)


@pytest.mark.rule("vector", "CJD1.55")
def test_base_that_a_rulebook_lets_ships_tow_is_taken_in_tow_and_moves_as_its_tug():
    game = beside_a_base(towable=True, north="N1: report tractor N3 1 to 0").until(1)
    assert (game.state.battle.fixed, game.state.battle.units["N3"].at) == (["N3"], "5051")
    battle = game.until(2).state.battle
    assert (battle.fixed, battle.units["N3"].vector.says, battle.units["N3"].at) == ([], "8A", "5043")
    assert (battle.units["N1"].strained, battle.tractors) == (True, [])
    assert {one.code: one.in_tow for one in TRACKER.tally(game.state).ships} == {"N1": "", "N3": "N1", "S1": ""}


@pytest.mark.rule("vector", "CJD1.55")
@pytest.mark.parametrize(("side", "towable"), [(NORTH, False), (SOUTH, True)])
def test_base_is_held_by_no_tractor_when_it_is_another_sides_or_no_rulebook_lets_ships_tow_it(side: str, towable: bool):
    (ask,) = [one for one in beside_a_base(towable=towable).play(1).asked_now() if one.parties == (side,)]
    unit = "N1" if side == NORTH else "S1"
    assert [one.rule for one in ask.refusals_of({unit: {"report": "tractor N3 1 to 0"}})] == ["VM-N61"]


@pytest.mark.rule("vector", "CJD1.55")
def test_tally_says_with_which_tug_a_unit_has_left():
    game = towing(north=["", "N1: report disengaged"]).until(2)
    in_tow = {one.code: one.in_tow for one in TRACKER.tally(game.state).ships}
    assert in_tow == {"N1": "", "N2": "", "N3": "N1", "N4": "N1", "S1": ""}
    game = towing(north=["", "N1: report destroyed"]).until(2)
    assert {one.in_tow for one in TRACKER.tally(game.state).ships} == {""}
