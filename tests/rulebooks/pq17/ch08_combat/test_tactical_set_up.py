"""The set-up of a battle flown by the tactical rules, and its picture."""

from typing import Any

import pytest

from rules_engine.core.grids.space import lattice_of
from rules_engine.core.knowledge.battle_scene import BattleScene, BattleUnit
from rules_engine.core.tactics.battles import TacticalBattle
from rules_engine.core.tactics.conditions import Distance, SetUpStep
from rules_engine.core.tactics.judging import SetUpSpot as Placed
from rules_engine.core.tactics.placing import legal_placement
from rules_engine.rulebooks.pq17.records.damage import RefitInHand
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.battles import NOW, at_battle, attacks, battle_asks, first_battle
from tests.rulebooks.pq17.worlds.notation import world
from tests.rulebooks.set_ups import MIDDLE, Spot, broken

ATTACK: dict[str, list[Any]] = {"attack alliance": [{"A1": {"target": "E1"}}]}
MARK = {"middle": MIDDLE}


def tracked(
    text: str, sheets: dict[str, list[Any]] = ATTACK, *, state: State | None = None, **at: Any
) -> TacticalBattle:
    """The first battle of a world, as a tracker gets it."""
    phasing = next(iter(sheets)).split()[1]
    return next(battle_asks(at_battle(state or world(text + NOW), **at), sheets, phasing)).tactics.battle


def rules(step: SetUpStep) -> set[str]:
    return {one.rule for one in step.conditions}


@cases("case, proves, forces, orders, surprise, step, placed, wrong", made="placed")
def test_what_is_wrong_with_a_set_up(
    *, forces: str, orders: str, surprise: int, step: int, placed: dict[str, Spot], wrong: list[str]
) -> None:
    """The middle of the map is marked. Warships see 50 hexes, freighters 35."""
    battle = tracked(forces, attacks(orders), surprise=surprise)
    assert broken(battle.steps[step - 1], MARK | placed) == wrong


@cases("case, proves, forces, least")
def test_how_near_an_attacker_may_be(forces: str, least: list[int]) -> None:
    second = tracked(forces).steps[1]
    assert [one.least for one in second.conditions if isinstance(one, Distance) and "nearer" in one.says] == least


@pytest.mark.rule("pq17", "8.5.5.4.3")
@pytest.mark.parametrize(("forces", "least"), [(2, 50), (3, 50), (4, 25), (6, 25), (7, 0)])
def test_the_more_forces_attack_the_nearer_they_may_be(forces: int, least: int) -> None:
    """Around a defender that sees 25 hexes: three stand 50 apart on that ring, six 25. PQ-200"""
    numbers = range(1, forces + 1)
    text = "\n".join([*(f"A{number} 0405 CA speed 2 ID0" for number in numbers), "C1 0405 CA speed 1 passive ID0"])
    second = tracked(text, {"attack alliance": [{f"A{number}": {"target": "E1"} for number in numbers}]}).steps[1]
    assert {one.least for one in second.conditions if isinstance(one, Distance) and "or more" in one.says} == {least}
    ring: list[Spot] = [(25, 0), (-25, 25), (0, -25), (0, 25), (-25, 0), (25, -25), (13, 12)]
    there = {f"AT{number}": spot for number, spot in zip(numbers, ring, strict=False)}
    assert broken(second, MARK | {"DF1": MIDDLE} | there) == []


@pytest.mark.rule("pq17", "8.5.5.4.3")
@cases("orders, forces, units")
def test_who_is_placed_in_which_order(orders: str, forces: str, units: list[str]) -> None:
    battle = tracked(forces, attacks(orders), surprise=10)
    found = [f"{battle.ship(step.units[0]).side} {' '.join(step.units)} {sorted(rules(step))}" for step in battle.steps]
    assert found == units


@pytest.mark.rule("pq17", "1.8.2")
def test_a_base_stays_and_ships_in_port_with_it_move() -> None:
    text = "A9 0303 BATS base Haven known LC2\nA1 0303 CA+FT speed 1 port A9\nC1 0303 CA speed 2 U"
    battle = tracked(text, attacks("C1>Haven"), surprise=10)
    base, cruiser = battle.ship("DF1"), battle.ship("DF2")
    assert (base.flight.stays, base.most_speed, cruiser.flight.stays) == (True, 0, False)


@pytest.mark.rule("pq17", "1.8.12.10")
@cases("where, spot, well")
def test_bases_put_beside_others_lie_as_far_as_was_plotted(where: str, spot: Spot, well: bool) -> None:
    """Also beyond the ranges of bases that are passive: 25 hexes."""
    state = world("A9 0303 BATS+DOCK base Haven known LC2 passive\nC1 0303 CA speed 2 U" + NOW)
    base = state.task_forces["A9"].base
    base.positions = {"A9.DOCK": where}
    battle = tracked("", attacks("C1>Haven"), state=state, surprise=10)
    assert (broken(battle.steps[0], MARK | {"DF1": MIDDLE, "DF2": spot}) == []) is well
    assert f"DF2 beside Haven: {where} (1.8.12.10)" in battle.notes


@pytest.mark.rule("pq17", "1.8.12.10")
def test_a_base_beside_one_that_is_lost_is_placed_like_any_other_and_one_that_is_lost_itself_nowhere() -> None:
    state = world("A9 0303 DOCK base Haven known LC2\nC1 0303 CA speed 2 U" + NOW)
    base = state.task_forces["A9"].base
    base.positions = {"A9.DOCK": "30 hexes", "A9.MB": "20 hexes"}
    battle = tracked("", attacks("C1>Haven"), state=state, surprise=10)
    assert rules(battle.steps[0]) == {"PQ-17 8.5.5.4.1"}
    assert [one for one in battle.notes if "beside" in one] == ["DF1 beside Haven: 30 hexes (1.8.12.10)"]


@pytest.mark.rule("pq17", "T3c")
def test_with_warp_off_a_unit_has_no_power_of_it_on_the_first_turns() -> None:
    scene = scene_of("A1 0405 CA speed 2 U\nC1 0405 CA warp-off ID0")
    assert "DF1: no warp or AWR power on turns 0 and 1 [T3c]" in noted(scene, "Before turn 1")


@pytest.mark.rule("pq17", "8.5.5.4.1", "8.5.5.4.2", "8.5.5.4.3")
@cases("text, sheets")
def test_a_legal_set_up_is_found_for_who_says_nothing(text: str, sheets: dict[str, list[Any]]) -> None:
    set_up: dict[str, Placed] = {"middle": Placed((lattice_of("5050"),))}
    for step in tracked(text, sheets, surprise=10).steps:
        found = legal_placement(step.units, step.conditions, set_up, {})
        assert found is not None, step.says
        set_up |= {code: Placed((at,)) for code, at in found.items()}


# --- what the pictures of a battle show of PQ-17's set-up sheets ------------------------------------------------------
def scene_of(text: str, sheets: dict[str, list[Any]] = ATTACK, *, state: State | None = None, **at: Any) -> BattleScene:
    """The scene of the first battle in a world."""
    found = first_battle(at_battle(state or world(text + NOW), **at), sheets).scene
    assert found is not None
    return found


def unit_of(scene: BattleScene, code: str) -> BattleUnit:
    return next(unit for unit in scene.units if unit.code == code)


def stations(scene: BattleScene) -> list[str]:
    return [f"{one.side}, {one.spot}, step {one.step}: {' '.join(one.codes)}" for one in scene.start.stations]


def said(scene: BattleScene) -> list[str]:
    return [f"{number}. {step.side}: {step.says}" for number, step in enumerate(scene.steps, start=1)]


def noted(scene: BattleScene, title: str) -> list[str]:
    return [f"{note.says} [{note.rule}]" for notes in scene.notes if notes.title == title for note in notes.notes]


@pytest.mark.rule("pq17", "8.5.5.4.1", "8.5.5.4.2", "8.5.5.4.3")
def test_the_defender_stands_in_the_middle_and_the_attacker_at_its_range(kept: Kept) -> None:
    scene = scene_of("A1 0505 SC+FF speed 2 U\nC1 0505 CA+DD+FF[warp=8] speed 3 ID0", conditions="poor")
    assert (scene.title, scene.when) == ("Battle in 0505", "Turn 2, impulse 1 · open space · poor conditions")
    found = [(force.sides, force.does) for force in scene.forces]
    assert found == [(("coalition",), "defends"), (("alliance",), "attacks")]
    assert [(party.label.key, party.seat) for party in scene.parties] == [("alliance", 0), ("coalition", 1)]
    assert scene.start.distance == "50"
    assert stations(scene) == kept("stations")
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
    assert stations(scene) == kept("stations")
    assert said(scene)[2:] == kept("said(scene)(2:)")
    assert noted(scene, "Where") == kept("noted(scene, Where)")
    assert noted(scene, "How it ends")[0] == "Agreed: no fighters []"
    assert "nebula" in scene.when


@pytest.mark.rule("pq17", "1.8.2", "11.5.4")
def test_a_base_comes_first_and_has_no_engine() -> None:
    state = world("A9 0303 BATS base Haven known LC2\nA1 0303 CA speed 1 port A9\nC1 0303 CA speed 2 U" + NOW)
    refit = RefitInHand(name="plus", points=0, turn=1)
    state.units["A1.CA"].repairs = state.units["A1.CA"].repairs.with_values(refit=refit)
    at = at_battle(state, surprise=10)
    scene = first_battle(at, attacks("C1>Haven"), "coalition").scene
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
