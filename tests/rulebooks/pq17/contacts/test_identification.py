"""Chapter 6.2: exactly what each level reveals, and never more."""

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.pq17.contacts import detection as ch06
from rules_engine.rulebooks.pq17.contacts import identification as ident
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import table, told, world


# --- chapter 6.4 and the detection step: on the map, fading, off the map ----------------------------------------------
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


@cases("before, after")
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
    at = table(world("A1 0405 CA ID3"))
    ch06.start_impulse(at)
    assert (told(at, "alliance"), told(at, "coalition")) == ([], ["Contact E1 in 0405 is lost."])


WHY = because("PQ-17 6.2")


def details(line: str, level: IdLevel, tf_id: str = "C1") -> tuple[str, ...]:
    state = world(line)
    return ident.contact_details(state, state.task_forces[tf_id], level)


@pytest.mark.rule("pq17", "6.2.2")
def test_at_u_only_cloaks_sensors_and_a_scout_are_known() -> None:
    assert details("C1 0405 CA+SC speed 2 U", IdLevel.U) == ("No cloaks in use", "Sensors active, scout present")
    assert details("C1 0405 CA speed 2 U", IdLevel.U) == ("No cloaks in use", "Sensors active, no scout")
    assert details("C1 0405 CA+SC passive U", IdLevel.U) == ("No cloaks in use", "Sensors passive")
    assert details("C1 0405 CW cloak U", IdLevel.U) == ("Cloaks in use", "Sensors passive")


@pytest.mark.rule("pq17", "6.2.2", "5.2.3.3")
def test_a_scout_without_a_special_sensor_left_or_without_power_is_none() -> None:
    assert "Sensors active, no scout" in details("C1 0405 SC[special_sensors=0] U", IdLevel.U)
    assert "Sensors active, no scout" in details("C1 0405 SC[can_power_sensors=no] U", IdLevel.U)


@pytest.mark.rule("pq17", "6.2.2")
def test_a_base_is_a_force_with_positional_stabilizers() -> None:
    found = details("C9 0405 BATS base Lair U", IdLevel.U, "C9")
    assert found == ("No cloaks in use", "Sensors active, scout present", "Positional stabilizers")


@pytest.mark.rule("pq17", "6.2.3")
def test_id0_adds_nothing_but_that_the_force_is_identified() -> None:
    state = world("C1 0405 CA ID0")
    tf = state.task_forces["C1"]
    assert ident.contact_details(state, tf, IdLevel.ID0) == ident.contact_details(state, tf, IdLevel.U)
    assert ident.headline_of(tf, IdLevel.U) == "Force present"
    assert ident.headline_of(tf, IdLevel.ID0) == "Force identified"


@pytest.mark.rule("pq17", "6.2.4", "6.2.4.1", "6.2.4.3")
def test_id1_adds_the_movement_cost_under_warp_and_that_others_are_there(kept: Kept) -> None:
    # 1 + 1/2 + 1/3 = 1 5/6; the hulk has no warp, and at Warp Crawl it does not use impulse
    assert details("C1 0405 CA+DD+FF+HK speed WC ID1", IdLevel.ID1)[2:] == kept()


@pytest.mark.rule("pq17", "6.2.4.1")
def test_no_fuel_or_warp_off_is_no_warp() -> None:
    assert "movement cost 1/2" in details("C1 0405 CA[fuel=0]+DD speed 1", IdLevel.ID1)[2]
    assert details("C1 0405 CA+DD warp-off", IdLevel.ID1)[2] == "Ships using warp: movement cost 0 in all"


@pytest.mark.rule("pq17", "6.2.4.2", "6.2.4.3")
def test_impulse_shows_only_at_impulse_crawl() -> None:
    # at speed 0 a force with warp off has a negligible signature (IDL-6)
    assert "Some units on impulse only" in details("C1 0405 CA warp-off speed IC", IdLevel.ID1)
    standing = details("C1 0405 CA warp-off", IdLevel.ID1)
    assert "Some units on impulse only" not in standing
    assert "Some units with negligible propulsion signature" in standing


@pytest.mark.rule("pq17", "6.2.5")
def test_id2_adds_numbers_by_group_and_builder() -> None:
    found = details("C1 0405 CA#2+KF+HK speed 1", IdLevel.ID2)
    assert found[4:] == ("Kzinti: 1 using warp", "Testers: 2 using warp, 1 with negligible propulsion")
    assert "Bases: 1" in details("C9 0405 BATS base Lair", IdLevel.ID2, "C9")


@pytest.mark.rule("pq17", "6.2.6")
def test_id3_adds_movement_cost_and_chart_of_each_unit_and_no_name_or_damage() -> None:
    whole = details("C1 0405 CA+DD", IdLevel.ID3)
    hurt = details("C1 0405 CA[warp=12]+DD", IdLevel.ID3)
    assert whole[-2:] == ("MC 1 Tester CA", "MC 1/2 (0.5) Tester DD")
    assert hurt == whole
    assert not any("C1" in line for line in whole)


@cases("level, said", "")
def test_ships_of_which_the_same_is_known_are_counted(level: str, said: str) -> None:
    state = world("C1 0405 DD+CA+DD")
    at = table(state)
    ident.report_contact(at, state.task_forces["C1"], "alliance", WHY, level=IdLevel[level])
    (text,) = told(at, "alliance")
    assert said in text
    assert text.count("Tester DD") == 1


@pytest.mark.rule("pq17", "6.2.7")
def test_ships_that_differ_at_id4_have_a_line_each() -> None:
    found = details("C1 0405 DD+DD[fuel=1]", IdLevel.ID4)[-2:]
    assert ["fuel 1," in line for line in found].count(True) == 1
    assert not any("×" in line for line in found)


@pytest.mark.rule("pq17", "6.2.7")
def test_id4_shows_status_sheets() -> None:
    (line,) = details("C1 0405 CA[warp=12,fuel=7/2]", IdLevel.ID4)[-1:]
    assert "warp 12/30" in line
    assert "fuel 3 1/2 (3.5)" in line
    assert "C1" not in line


@cases("case, what, one, other, level", made="level")
@pytest.mark.unseen("pq17", reports=("contact",))
def test_two_worlds_that_differ_only_in_what_is_not_revealed_read_the_same(
    what: str, one: str, other: str, level: IdLevel
) -> None:
    said: list[list[object]] = []
    for text in (one, other):
        state = world(text)
        at = table(state)
        state.task_forces["C1"].id_level = level
        ident.report_contact(at, state.task_forces["C1"], "alliance", WHY)
        said.append([report.model_dump() for report in at.shared.reports])
    assert said[0] == said[1], what


@pytest.mark.rule("pq17", "1.6.4.1", "1.6.4.2")
def test_reports_go_to_one_side_under_its_own_number_and_hold_no_id_or_name() -> None:
    state = world("C7 0405 CA+DD ID3")
    at = table(state)
    ident.report_contact(at, state.task_forces["C7"], "alliance", WHY)
    (report,) = at.shared.reports
    assert report.to == ("alliance",)
    assert "C7" not in report.model_dump_json()
    assert report.text.startswith("E1 in 0405, ID3: Force identified.")


@pytest.mark.rule("pq17", "6.2.1")
def test_what_is_unidentified_is_not_reported() -> None:
    state = world("C1 0405 CA")
    at = table(state)
    ident.report_contact(at, state.task_forces["C1"], "alliance", WHY)
    assert told(at, "alliance") == []


@pytest.mark.rule("pq17", "1.8.10.1", "6.2.1")
def test_a_known_base_keeps_its_name() -> None:
    state = world("C9 0405 BATS base Lair known")
    at = table(state)
    ident.report_contact(at, state.task_forces["C9"], "alliance", WHY)
    assert told(at, "alliance")[0].startswith("Lair in 0405, ID3: Lair, known base.")
