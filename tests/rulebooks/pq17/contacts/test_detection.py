"""Chapter 6.4 and the detection step: on the map, fading, off the map."""

import pytest

from rules_engine.rulebooks.pq17.contacts import detection as ch06
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from tests.rulebooks.pq17.worlds.notation import table, told, world


@pytest.mark.rule("pq17", "6.1.1", "6.2.1", "6.2.2", "6.3.1")
def test_forces_in_one_hex_detect_each_other_at_u_even_under_cloak() -> None:
    state = world("A1 0405 CA speed 2\nC1 0405 CW cloak\nC2 0406 CA")
    at = table(state)
    ch06.announce_detections(at)
    assert {tf.id: tf.id_level for tf in state.all_task_forces()} == {"A1": IdLevel.U, "C1": IdLevel.U, "C2": IdLevel.N}
    assert told(at, "alliance") == ["E1 in 0405, U: Force present. Cloaks in use. Sensors passive."]
    assert told(at, "coalition") == ["E1 in 0405, U: Force present. No cloaks in use. Sensors active, no scout."]


@pytest.mark.rule("pq17", "1.7.2", "1.3.4")
def test_a_settled_hex_detects_enemies_but_not_friends() -> None:
    state = world("settled 0405 alliance\nC1 0405 CA\nA1 0405 DD\nsettled 0302 coalition\nC2 0302 FF")
    state.set_hex(state.task_forces["A1"], "0306")
    ch06.announce_detections(table(state))
    levels = {tf.id: tf.id_level for tf in state.all_task_forces()}
    assert levels == {"A1": IdLevel.N, "C1": IdLevel.U, "C2": IdLevel.N}


@pytest.mark.rule("pq17", "6.2.2")
def test_an_empty_hex_tells_nothing_to_anybody() -> None:
    state = world("A1 0405 CA\nC1 0406 CA")
    at = table(state)
    ch06.announce_detections(at)
    assert at.shared.reports == []
    assert ch06.contact_hexes(state) == []


@pytest.mark.rule("pq17", "6.2.2")
def test_the_same_news_is_told_once_a_turn() -> None:
    state = world("A1 0405 CA\nC1 0405 CA")
    at = table(state)
    ch06.announce_detections(at)
    count = len(at.shared.reports)
    ch06.announce_detections(at)
    assert len(at.shared.reports) == count == 2
    state.task_forces["C1"].posture = state.task_forces["C1"].posture.with_values(active=False)
    ch06.announce_detections(at)
    assert told(at, "alliance")[-1].endswith("Sensors passive.")


@pytest.mark.rule("pq17", "SOP.2.b.vii.2")
@pytest.mark.rule("pq17", "6.4.1")
@pytest.mark.parametrize(
    ("before", "after"), [("ID3", "ID2"), ("ID2", "ID1"), ("ID1", "ID0"), ("ID0", "U"), ("U", "U")]
)
def test_a_movement_point_costs_a_level_down_to_u(before: str, after: str) -> None:
    state = world(f"A1 0405 CA {before}\nC1 0405 CA")
    ch06.lower_id_of_movers(table(state), [state.task_forces["A1"]])
    assert state.task_forces["A1"].id_level.name == after


@pytest.mark.rule("pq17", "6.4.1")
def test_shadowed_forces_and_shadowers_lose_a_level_too() -> None:
    state = world("A1 0405 CA ID2\nC1 0405 CA ID1 shadows A1")
    ch06.lower_id_of_movers(table(state), state.all_task_forces())
    assert [tf.id_level for tf in state.all_task_forces()] == [IdLevel.ID1, IdLevel.ID0]


@pytest.mark.rule("pq17", "6.4.1")
def test_who_is_unidentified_stays_so_and_nobody_hears_of_it() -> None:
    state = world("A1 0405 CA")
    at = table(state)
    ch06.lower_id_of_movers(at, [state.task_forces["A1"]])
    assert state.task_forces["A1"].id_level is IdLevel.N
    assert at.shared.reports == []


@pytest.mark.rule("pq17", "6.4.1")
def test_a_point_expended_in_place_at_u_is_not_noticed() -> None:
    state = world("A1 0405 CA\nC1 0405 CA")
    at = table(state)
    ch06.announce_detections(at)
    count = len(at.shared.reports)
    ch06.lower_id_of_movers(at, [state.task_forces["C1"]])
    assert len(at.shared.reports) == count


@pytest.mark.rule("pq17", "6.4.1", "6.4.2")
def test_a_retreat_is_seen_for_one_hex_and_then_lost() -> None:
    state = world("A1 0405 CA\nC1 0405 CA")
    at = table(state)
    ch06.announce_detections(at)
    state.set_hex(state.task_forces["C1"], "0406")
    ch06.lower_id_of_movers(at, [state.task_forces["C1"]])
    contact = at.knowledge("alliance").contacts["E1"]
    assert (contact.latest.hex, contact.live) == ("0406", True)
    ch06.start_impulse(at)
    assert state.task_forces["C1"].id_level is IdLevel.N
    assert not at.knowledge("alliance").contacts["E1"].live
    state.set_hex(state.task_forces["C1"], "0405")
    ch06.announce_detections(at)
    assert told(at, "alliance")[-1].startswith("E2 in 0405")  # a fresh number after the loss


@pytest.mark.rule("pq17", "6.4.2")
def test_from_any_level_a_force_alone_goes_off_the_map() -> None:
    state = world("A1 0405 CA ID3\nA2 0406 CA ID3\nC1 0406 FF U\nsettled 0301 coalition\nA3 0301 DD ID1")
    ch06.start_impulse(table(state))
    levels = {tf.id: tf.id_level for tf in state.all_task_forces()}
    assert levels == {"A1": IdLevel.N, "A2": IdLevel.ID3, "A3": IdLevel.ID1, "C1": IdLevel.U}


@pytest.mark.rule("pq17", "6.4.2")
def test_its_own_settled_hex_hides_a_force_again() -> None:
    state = world("settled 0405 alliance\nA1 0405 CA ID2")
    ch06.start_impulse(table(state))
    assert state.task_forces["A1"].id_level is IdLevel.N


@pytest.mark.rule("pq17", "1.8.10.1", "1.8.10.3", "6.4.2")
def test_bases_once_detected_stay_on_the_map() -> None:
    state = world("A9 0405 BATS base Haven known\nC9 0301 BATS base Lair ID1")
    at = table(state)
    ch06.start_impulse(at)
    assert [tf.id_level for tf in state.all_task_forces()] == [IdLevel.ID3, IdLevel.ID1]
    assert at.shared.reports == []


@pytest.mark.rule("pq17", "6.3.3", "6.3.2.3")
def test_an_impulse_begins_with_clean_marks_and_unrolled_conditions() -> None:
    state = world("A1 0405 CA\nsettled 0405 alliance")
    state.set_mark(state.task_forces["A1"], "searched")
    state.conditions["0405"] = 3
    state.settled["0405"].searched = ["C1.CA"]
    ch06.start_impulse(table(state))
    assert not state.has_mark(state.task_forces["A1"], "searched")
    assert (state.conditions, state.settled["0405"].searched) == ({}, [])


@pytest.mark.rule("pq17", "6.2.1")
def test_losing_a_contact_is_told_to_its_holder_alone() -> None:
    state = world("A1 0405 CA ID3")
    at = table(state)
    ch06.start_impulse(at)
    assert (told(at, "alliance"), told(at, "coalition")) == ([], ["Contact E1 in 0405 is lost."])
