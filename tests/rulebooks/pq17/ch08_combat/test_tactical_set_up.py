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
from tests.rulebooks.pq17.worlds.battles import NOW, at_battle, battle_asks, first_battle
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


@pytest.mark.rule("pq17", "8.5.5.4.1")
def test_one_unit_of_the_original_defender_stands_in_the_middle_whichever_it_is() -> None:
    first = tracked("A1 0505 CA speed 2 U\nC1 0505 CA+DD+FF speed 3 ID0").steps[0]
    assert first.units == ("DF1", "DF2", "DF3")
    for code in first.units:
        others: dict[str, Spot] = {one: (3, 4) for one in first.units if one != code}
        assert broken(first, MARK | others | {code: MIDDLE}) == []
    assert broken(first, MARK | dict.fromkeys(first.units, (1, 0))) == ["One unit is in the middle of the map."]


@pytest.mark.rule("pq17", "8.5.5.4.2", "T3a")
def test_every_other_unit_is_in_range_of_each_by_its_own_figure() -> None:
    # warships see 50 hexes, the freighter 35: so it stands no farther than 35 from either
    first = tracked("A1 0505 CA speed 2 U\nC1 0505 CA+DD+FT speed 1 ID0").steps[0]
    assert broken(first, MARK | {"DF1": MIDDLE, "DF2": (35, 0), "DF3": (0, 0)}) == []
    assert broken(first, MARK | {"DF1": MIDDLE, "DF2": (50, 0), "DF3": (20, 0)}) == []
    beyond = ["Every other unit is within 35 hexes of DF3."]
    assert broken(first, MARK | {"DF1": MIDDLE, "DF2": (50, 0), "DF3": (14, 0)}) == beyond
    text = broken(first, MARK | {"DF1": MIDDLE, "DF2": (51, 0), "DF3": (20, 0)})
    assert "Every other unit is within 50 hexes of DF1 to DF2." in text


@pytest.mark.rule("pq17", "8.5.5.4.3", "T3a")
def test_no_attacker_is_nearer_than_a_units_own_range_and_one_is_exactly_at_it(kept: Kept) -> None:
    second = tracked("A1 0505 CA+DD speed 2 U\nC1 0505 CA+FT speed 1 ID0").steps[1]
    assert second.units == ("AT1", "AT2")
    together = MARK | {"DF1": MIDDLE, "DF2": MIDDLE}
    assert broken(second, together | {"AT1": (50, 0), "AT2": (51, 0)}) == []
    found = broken(second, together | {"AT1": (50, 0), "AT2": (49, 0)})
    assert found == ["No unit of attacking force 1 is nearer than 50 hexes to DF1."]
    far = "One unit of attacking force 1 is exactly 50 hexes from DF1 or 35 hexes from DF2."
    assert broken(second, together | {"AT1": (51, 0), "AT2": (52, 0)}) == [far]
    # the freighter sees 35: at exactly that from it, out of the cruiser's 50, is enough
    spread = MARK | {"DF1": MIDDLE, "DF2": (-35, 0)}
    assert broken(second, spread | {"AT1": (-70, 0), "AT2": (-71, 0)}) == []
    assert broken(second, spread | {"AT1": (-69, 0), "AT2": (-71, 0)}) == kept()


@pytest.mark.rule("pq17", "8.5.5.4.3")
def test_at_the_range_of_one_unit_is_enough() -> None:
    second = tracked("A1 0505 CA speed 2 U\nC1 0505 CA#2 speed 3 ID0").steps[1]
    assert broken(second, MARK | {"DF1": MIDDLE, "DF2": (-10, 0), "AT1": (50, 0)}) == []
    assert broken(second, MARK | {"DF1": MIDDLE, "DF2": (10, 0), "AT1": (50, 0)}) != []


@pytest.mark.rule("pq17", "8.5.5.4.3")
def test_attackers_are_in_each_others_range() -> None:
    second = tracked("A1 0505 CA+FT speed 1 U\nC1 0505 CA speed 1 ID0").steps[1]
    there = MARK | {"DF1": MIDDLE, "AT1": (50, 0)}
    assert broken(second, there | {"AT2": (85, 0)}) == []
    assert broken(second, there | {"AT2": (86, 0)}) == ["Every other unit is within 35 hexes of AT2."]


@pytest.mark.rule("pq17", "8.5.5.3.10", "8.5.5.3.11", "8.5.5.3.12", "T3c")
def test_distances_are_true_ones_halved_for_cloaks_and_without_fire_control() -> None:
    def at_range(text: str) -> list[int | None]:
        second = tracked(text).steps[1]
        return [one.least for one in second.conditions if isinstance(one, Distance) and "nearer" in one.says]

    assert at_range("A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0") == [50]
    assert at_range("A1 0405 CA speed 2 U\nC1 0405 CA speed 1 passive ID0") == [25]
    assert at_range("A1 0405 CW cloak speed 1 U\nC1 0405 CA speed 1 ID0") == [25]
    assert at_range("A1 0405 CW cloak speed 1 U\nC1 0405 CA speed 1 passive ID0") == [25], "doubled once (DEP-1)"
    assert at_range("A1 0405 CA speed 2 U\nC1 0405 SC speed 1 ID0") == [75]
    assert at_range("A1 0405 CW cloak speed 1 U\nC1 0405 SC speed 1 ID0") == [38]
    assert at_range("A1 0405 CA speed 2 U\nC1 0405 SC speed 1 passive ID0") == [25]
    assert at_range("A1 0405 CA speed 2 U\nC1 0405 FT speed 1 passive ID0") == [18]


TWO = "A1 0405 CA speed 2 ID0\nA2 0405 DD speed 2 ID0\nC1 0405 CA speed WC ID0"
ON_ONE = {"attack alliance": [{"A1": {"target": "E1"}, "A2": {"target": "E1"}}]}


@pytest.mark.rule("pq17", "8.5.5.4.3")
def test_attacking_forces_are_out_of_each_others_ranges(kept: Kept) -> None:
    second = tracked(TWO, ON_ONE).steps[1]
    there = MARK | {"DF1": MIDDLE, "AT1": (50, 0)}
    assert broken(second, there | {"AT2": (49, -50)}) == []
    assert broken(second, there | {"AT2": (50, -50)}) == kept()


@pytest.mark.rule("pq17", "8.5.5.4.3")
def test_where_there_is_no_room_they_are_as_far_apart_as_there_is() -> None:
    """A passive defender is 25 hexes from both: 51 between them is impossible, and 50 on opposite sides is enough."""
    second = tracked(TWO.replace("speed WC", "speed WC passive"), ON_ONE).steps[1]
    there = MARK | {"DF1": MIDDLE, "AT1": (25, 0)}
    assert broken(second, there | {"AT2": (-25, 0)}) == []
    assert broken(second, there | {"AT2": (-25, 25)}) == []
    assert len(broken(second, there | {"AT2": (1, -25)})) == 2


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


RELIEF = f"{TWO}\nC2 0405 FF speed 2 ID0\nC3 0405 FF speed 3 passive U"
JOINED = ON_ONE | {"attack coalition": [{"C2": {"target": "E2"}, "C3": {"target": "E1"}}]}


@pytest.mark.rule("pq17", "8.5.5.4.3")
def test_relief_comes_last_at_its_targets_range_and_out_of_all_others(kept: Kept) -> None:
    """Force 1 of the relief attacked attacking force 2. CMB-7"""
    battle = tracked(RELIEF, JOINED, surprise=10)
    assert [step.units for step in battle.steps] == [("DF1",), ("AT1", "AT2"), ("DF2",), ("DF3",)]
    found = [battle.ship(step.units[0]).side for step in battle.steps]
    assert found == ["coalition", "alliance", "coalition", "coalition"]
    third, fourth = battle.steps[2:]
    assert rules(third) == {"CMB-7"}
    there = MARK | {"DF1": MIDDLE, "AT1": (50, 0), "AT2": (-50, 0)}
    assert broken(third, there | {"DF2": (-100, 0)}) == []
    assert broken(third, there | {"DF2": (-99, 0)}) == kept()
    assert broken(third, there | {"DF2": (-101, 0)}) == ["One unit of relieving force 1 is exactly 50 hexes from AT2."]
    assert broken(third, there | {"DF2": (-50, 50)}) == ["Units of relieving force 1 are 51 hexes or more from DF1."]
    there |= {"DF2": (-100, 0)}
    assert broken(fourth, there | {"DF3": (100, 0)}) == []
    assert "Units of relieving force 2 are 51 hexes or more from DF2." in broken(fourth, there | {"DF3": (-50, 0)})


@pytest.mark.rule("pq17", "8.5.5.4.3")
def test_two_that_relieve_against_one_force_share_its_ring() -> None:
    """A passive target sees 25 hexes: both at exactly that from it cannot be 51 apart, and 50 is enough."""
    text = "A1 0405 CA speed 2 passive ID0\nC1 0405 CA speed WC ID0\nC2 0405 FF speed 2 ID0\nC3 0405 FF speed 2 ID0"
    joined = ATTACK | {"attack coalition": [{"C2": {"target": "E1"}, "C3": {"target": "E1"}}]}
    last = tracked(text, joined, surprise=10).steps[-1]
    there = MARK | {"DF1": MIDDLE, "AT1": (50, 0), "DF2": (50, 25)}
    assert broken(last, there | {"DF3": (75, -25)}) == []
    assert broken(last, there | {"DF3": (75, -24)}) == ["Units of relieving force 2 are 50 hexes or more from DF2."]


@pytest.mark.rule("pq17", "8.5.5.4.3", "8.5.5.3.10")
def test_relief_is_as_far_from_its_own_as_there_is_room_beyond_its_target() -> None:
    """A cloaked attacker is 25 hexes from whom it attacks and sees 25: 50, where 51 is asked for."""
    text = "A1 0405 CW cloak speed 1 ID0\nC1 0405 CA speed WC ID0\nC2 0405 FF speed 2 ID0"
    last = tracked(text, ATTACK | {"attack coalition": [{"C2": {"target": "E1"}}]}, surprise=10).steps[-1]
    there = MARK | {"DF1": MIDDLE, "AT1": (25, 0)}
    assert broken(last, there | {"DF2": (50, 0)}) == []
    assert broken(last, there | {"DF2": (25, -25)}) == ["Units of relieving force 1 are 50 hexes or more from DF1."]


@pytest.mark.rule("pq17", "1.8.2")
def test_a_base_and_all_in_port_with_it_are_one_original_defender() -> None:
    text = "A9 0303 BATS base Haven known LC2\nA1 0303 CA+FT speed 1 port A9\nC1 0303 CA speed 2 U"
    battle = tracked(text, {"attack coalition": [{"C1": {"target": "Haven"}}]}, surprise=10)
    first = battle.steps[0]
    assert first.units == ("DF1", "DF2", "DF3")
    base, cruiser = battle.ship("DF1"), battle.ship("DF2")
    assert base.flight.stays
    assert (base.most_speed, cruiser.flight.stays) == (0, False)
    assert broken(first, MARK | {"DF1": MIDDLE, "DF2": (20, 0), "DF3": (0, 20)}) == []
    # the freighter must see the base, too: 35 hexes
    assert broken(first, MARK | {"DF1": MIDDLE, "DF2": (20, 0), "DF3": (0, 36)}) != []


@pytest.mark.rule("pq17", "1.8.12.10")
@cases("where, spot, well")
def test_bases_put_beside_others_lie_as_far_as_was_plotted(where: str, spot: Spot, well: bool) -> None:
    """Also beyond the ranges of bases that are passive: 25 hexes."""
    state = world("A9 0303 BATS+DOCK base Haven known LC2 passive\nC1 0303 CA speed 2 U" + NOW)
    base = state.task_forces["A9"].base
    base.positions = {"A9.DOCK": where}
    battle = tracked("", {"attack coalition": [{"C1": {"target": "Haven"}}]}, state=state, surprise=10)
    assert (broken(battle.steps[0], MARK | {"DF1": MIDDLE, "DF2": spot}) == []) is well
    assert f"DF2 beside Haven: {where} (1.8.12.10)" in battle.notes


@pytest.mark.rule("pq17", "1.8.12.10")
def test_a_base_beside_one_that_is_lost_is_placed_like_any_other() -> None:
    state = world("A9 0303 DOCK base Haven known LC2\nC1 0303 CA speed 2 U" + NOW)
    base = state.task_forces["A9"].base
    base.positions = {"A9.DOCK": "30 hexes"}
    battle = tracked("", {"attack coalition": [{"C1": {"target": "Haven"}}]}, state=state, surprise=10)
    assert rules(battle.steps[0]) == {"PQ-17 8.5.5.4.1"}


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
        ("middle", ("DF1",), 1), ("far", ("AT1",), 2), ("far", ("AT2",), 2), ("beyond", ("DF2",), 4),
        ("beyond", ("DF3",), 4),
    ]  # fmt: skip
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
