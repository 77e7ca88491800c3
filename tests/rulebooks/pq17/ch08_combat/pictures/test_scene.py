"""What the pictures of a battle show of PQ-17's set-up sheets."""

from typing import Any

import pytest

from rules_engine.core.knowledge.battle_scene import BattleScene, BattleUnit
from rules_engine.rulebooks.pq17.records.damage import RefitInHand
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import Kept
from tests.rulebooks.pq17.worlds.battles import NOW, at_battle, first_battle
from tests.rulebooks.pq17.worlds.notation import world

ATTACK: dict[str, list[Any]] = {"attack alliance": [{"A1": {"target": "E1"}}]}


def scene_of(text: str, sheets: dict[str, list[Any]] = ATTACK, *, state: State | None = None, **at: Any) -> BattleScene:
    """The scene of the first battle in a world."""
    found = first_battle(at_battle(state or world(text + NOW), **at), sheets).scene
    assert found is not None
    return found


def unit_of(scene: BattleScene, code: str) -> BattleUnit:
    return next(unit for unit in scene.units if unit.code == code)


def said(scene: BattleScene) -> list[str]:
    return [f"{number}. {step.side}: {step.says}" for number, step in enumerate(scene.steps, start=1)]


def noted(scene: BattleScene, title: str) -> list[str]:
    return [f"{note.says} [{note.rule}]" for notes in scene.notes if notes.title == title for note in notes.notes]


@pytest.mark.rule("pq17", "8.5.5.4.1", "8.5.5.4.2", "8.5.5.4.3")
def test_the_defender_stands_in_the_middle_and_the_attacker_at_its_range(kept: Kept) -> None:
    scene = scene_of("A1 0505 SC+FF speed 2 U\nC1 0505 CA+DD+FF[warp=8] speed 3 ID0", conditions="poor")
    assert (scene.title, scene.when) == ("Battle in 0505", "Turn 2, impulse 1 · open space · poor conditions")
    assert [(force.sides, force.does) for force in scene.forces] == [
        (("coalition",), "defends"),
        (("alliance",), "attacks"),
    ]
    assert [(party.label.key, party.seat) for party in scene.parties] == [("alliance", 0), ("coalition", 1)]
    assert scene.start.distance == "50"
    assert [(one.side, one.spot, one.codes, one.step) for one in scene.start.stations] == [
        ("coalition", "middle", ("DF1",), 1),
        ("coalition", "near", ("DF2", "DF3"), 2),
        ("alliance", "far", ("AT1", "AT2"), 3),
    ]
    assert said(scene) == kept()


@pytest.mark.rule("pq17", "8.5.4")
def test_each_unit_comes_with_what_damage_has_left_of_it() -> None:
    scene = scene_of("A1 0505 SC+FF speed 2 U\nC1 0505 CA+DD+FF[warp=8] speed 3 ID0")
    hurt = unit_of(scene, "DF3")
    assert (hurt.left, hurt.whole, hurt.of, hurt.aside) == (8, 10, "warp", "fuel 8 2/3")
    shown = dict(zip(scene.columns, hurt.cells, strict=True))
    assert (shown["warp"].says, shown["warp"].differs) == ("8/10", True)
    assert [name for name, cell in shown.items() if cell.differs] == ["warp"]
    whole = unit_of(scene, "DF1")
    assert (whole.left, whole.whole) == (30, 30)
    assert not any(cell.differs for cell in whole.cells)


@pytest.mark.rule("pq17", "T3a", "T3c", "8.5.5.3.10", "8.5.5.3.12")
def test_where_ranges_differ_each_unit_says_its_own(kept: Kept) -> None:
    scene = scene_of("A1 0405 CA speed 2 U\nC1 0405 SC+CA speed 3 ID0")
    assert scene.start.distance == "50–75"
    assert said(scene)[1:] == kept("said(scene)(1:)")
    assert {unit.code: unit.aside for unit in scene.units} == kept("#2")


@pytest.mark.rule("pq17", "T3c", "8.5.5.3.11", "8.5.3.2", "8.5.5.3.7", "8.5.5.3.8", "T3b")
def test_towards_cloaked_units_it_is_half_as_far_and_surprise_is_said_first(kept: Kept) -> None:
    scene = scene_of("A1 0405 CW#2 cloak speed 1 U\nC1 0405 CW cloak speed 1 ID0", surprise=6)
    assert scene.start.distance == "25"
    assert said(scene)[0] == "1. coalition: its unit in the middle"
    assert scene.remark.startswith("Coalition is surprised: weapon status 1. ")
    assert noted(scene, "Before turn 1") == kept()


@pytest.mark.rule("pq17", "8.4.6.1", "8.5.5.4.3")
def test_several_forces_each_have_a_station(kept: Kept) -> None:
    text = "A1 0405 CA speed 2 ID0\nA2 0405 DD speed 2 ID0\nC1 0405 CA speed WC ID0"
    text += "\nC2 0405 FF speed 2 ID0\nC3 0405 FF speed 3 passive U\nnebula 0405"
    ours, theirs = {"A1": {"target": "E1"}, "A2": {"target": "E1"}}, {"C2": {"target": "E2"}, "C3": {"target": "E1"}}
    sheets = {"attack alliance": [ours], "attack coalition": [theirs]}
    scene = scene_of("", sheets, state=world(text + NOW, battle_notes="no fighters"), surprise=10)
    assert [(one.spot, one.codes, one.step) for one in scene.start.stations] == [
        ("middle", ("DF1",), 1),
        ("far", ("AT1",), 2),
        ("far", ("AT2",), 2),
        ("beyond", ("DF2",), 4),
        ("beyond", ("DF3",), 4),
    ]
    assert said(scene)[2:] == kept("said(scene)(2:)")
    assert noted(scene, "Where") == kept("noted(scene, Where)")
    assert noted(scene, "How it ends")[0] == "Agreed: no fighters []"
    assert "nebula" in scene.when


@pytest.mark.rule("pq17", "1.8.2", "11.5.4")
def test_a_base_comes_first_and_has_no_engine() -> None:
    state = world("A9 0303 BATS base Haven known LC2\nA1 0303 CA speed 1 port A9\nC1 0303 CA speed 2 U" + NOW)
    state.units["A1.CA"].repairs = state.units["A1.CA"].repairs.with_values(
        refit=RefitInHand(name="plus", points=0, turn=1)
    )
    at = at_battle(state, surprise=10)
    scene = first_battle(at, {"attack coalition": [{"C1": {"target": "Haven"}}]}, "coalition").scene
    assert scene.start.stations[0].codes == ("DF1",)
    base = unit_of(scene, "DF1")
    assert (base.left, base.whole, base.of) == (12, 12, "AWR")
    assert "A base cannot disengage [8.5.5.5]" in noted(scene, "How it ends")
    assert "DF2: all systems inactive [11.5.4]" in noted(scene, "Before turn 1")


@pytest.mark.rule("pq17", "1.6.4.1", "8.5.4")
def test_no_ships_own_name_and_no_designation_is_in_it() -> None:
    state = world("A1 0405 CA+DD speed 2 U\nC1 0405 CA+FF speed 1 ID0" + NOW)
    for number, unit in enumerate(state.units.values()):
        unit.name = f"Secret{number}"
    told = scene_of("", state=state).model_dump_json()
    assert "Secret" not in told
    for word in ('"A1', '"C1', "A1.CA", "C1.CA"):
        assert word not in told


@pytest.mark.rule("pq17", "1.6.4.1")
def test_a_side_alone_sees_the_own_names_of_its_ships(kept: Kept) -> None:
    state = world("A1 0405 CA+DD speed 2 U\nC1 0405 CA+FF[warp=4] speed 1 ID0" + NOW)
    for unit in state.units.values():
        unit.name = f"{unit.id} Hawk"
    setup = first_battle(at_battle(state), ATTACK)
    assert [(one.code, one.kind, one.left) for one in setup.own["coalition"].units] == kept()
    assert [one.kind for one in setup.own["alliance"].units] == ["A1.CA Hawk", "A1.DD Hawk"]
    assert "Hawk" not in setup.common().model_dump_json()
    seen = setup.seen_by("alliance").model_dump_json()
    assert "A1.CA Hawk" in seen
    assert "C1.CA Hawk" not in seen
