"""Chapter 4.2.4.1: drones."""

import pytest

from rules_engine.rulebooks.cutler.records.accessories.catalogue import complement
from rules_engine.rulebooks.cutler.records.state import CutlerState
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import kind_of
from tests.rulebooks.cutler.yards import HOME, YARD, counts, refused, refused_in_words, turn, yard

CA, SLOW, ECM, FAST = "hydran-F1-CA", "drone_1_slow", "drone_ecm", "drone_1_fast"


def armed(base_type: str = "SB", **figures: object) -> CutlerState:
    """A cruiser with twelve drones in racks and reloads, six of which may be special, in dock."""
    state = yard(HOME + "hydran F1 0205 CA\n", base_type=base_type)
    record = state.classes["ca"] = kind_of("CA", **{"drones": 12, "special_drones": 6, "shuttles": 1, **figures})
    state.units[CA].record, state.units[CA].holds = record, complement(record)
    return state


def drones(item: str, count: int, to: str = CA, turned_in: int | None = None) -> dict[str, object]:
    return {"item": item, "count": count, "to": to, "turned_in": turned_in}


@pytest.mark.rule("cutler", "4.2.4.1")
def test_a_new_ship_has_slow_drones_and_more_of_them_cost_nothing():
    state = armed()
    turn(state, D1={"work": "build ca", "cpv": 30}, A1=drones(SLOW, 40, f"{YARD} cargo"))
    for _ in range(4):
        turn(state)
    (new,) = [unit for unit in state.alive("hydran") if unit.record.class_id == "ca" and unit.id != CA]
    assert counts(new.holds) == {SLOW: 12, "shuttle": 1}
    state = armed()
    turn(state, A1=drones(SLOW, 40, f"{YARD} cargo"))
    assert counts(state.units[YARD].stowed) == {SLOW: 80}
    assert state.empires["hydran"].base_pool == 125
    assert [(one.item, one.cpv) for one in state.spent] == [("40 x Type I Slow Drone", 0)]


@pytest.mark.rule("cutler", "4.2.4.1", "4.2.1.2")
@pytest.mark.parametrize(("base_type", "makes"), [("SB", True), ("FRD", True), ("BLM", False), ("SAMS", False)])
def test_any_base_that_builds_makes_drones(base_type, makes):
    assert (refused(armed(base_type), A1=drones(SLOW, 1, f"{YARD} cargo")) == []) == makes


@pytest.mark.rule("cutler", "4.2.4.1", "4.2.1.2")
@pytest.mark.parametrize(
    ("base_type", "words"),
    [
        (
            "BLM",
            [
                "A1.to: no base of yours in 0205 makes any Type I Slow Drone (4.2.1.2, 4.2.4, "
                "CU-R83). Legal: a unit beside a base that makes it."
            ],
        ),
    ],
)
def test_any_base_that_builds_makes_drones_and_why(base_type, words):
    assert refused_in_words(armed(base_type), A1=drones(SLOW, 1, f"{YARD} cargo")) == words


@pytest.mark.rule("cutler", "4.2.4.1.1")
@cases("item, count, turned_in, cpv")
def test_an_advanced_drone_comes_with_its_reload_and_credit_for_the_old_one(item, count, turned_in, cpv):
    state = armed()
    turn(state, A1=drones(item, count, turned_in=turned_in))
    left = 12 - 2 * turned_in
    assert counts(state.units[CA].holds) == {item: 2 * count, "shuttle": 1} | ({SLOW: left} if left else {})
    assert [one.cpv for one in state.spent] == [cpv]
    assert state.empires["hydran"].base_pool == 125 - cpv


@pytest.mark.rule("cutler", "4.2.4.1.1", "4.2.4.1.2", "4.2.4.1.3")
@cases("order, expected")
def test_how_many_drones_a_ship_may_have(order, expected):
    assert refused_in_words(armed(), A1=order) == expected


@pytest.mark.rule("cutler", "4.2.4.1.2", "4.2.4.1.3")
def test_special_drones_in_cargo_boxes_do_not_count_against_the_maximum(kept: Kept):
    state = armed(special_drones=0, cargo=2)
    turn(state, A1=drones(ECM, 24, f"{CA} cargo"))
    ship = state.units[CA]
    # Fifty lie in one box.
    assert (counts(ship.stowed), ship.cargo_boxes) == ({ECM: 48}, 1)
    turn(state, A1=drones(ECM, 2, f"{CA} cargo"))
    assert (counts(ship.stowed), ship.cargo_boxes) == ({ECM: 52}, 0)
    assert refused_in_words(state, A1=drones(FAST, 1, f"{CA} cargo")) == kept()
    move = {"item": ECM, "count": 1, "origin": f"{CA} cargo", "to": CA}
    assert ("A1.to", "4.2.4.1.3") in refused(state, A1=move)
