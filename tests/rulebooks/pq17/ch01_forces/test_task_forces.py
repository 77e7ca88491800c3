"""Chapter 1: task forces, what they inherit, and what the enemy is told of a reorganisation."""

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import announce, drop_unit, pools, reorganise, spare_ids
from rules_engine.rulebooks.pq17.contacts.identification import report_contact
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.campaign_scenario import campaign
from tests.rulebooks.pq17.worlds.notation import notation, table, told, world


@pytest.mark.rule("pq17", "1.6.3", "1.6.5.1", "1.6.7.1")
def test_ships_of_one_hex_and_port_may_be_regrouped_and_bases_never() -> None:
    state = world(
        """
        A1 0402 CA
        A2 0402 DD
        A3 0402 FF port A9
        A4 0403 FF
        A9 0402 BATS base Haven
        """
    )
    assert [[tf.id for tf in pool] for pool in pools(state, "alliance")] == [["A1", "A2"], ["A3"], ["A4"]]


@pytest.mark.rule("pq17", "1.6.4", "1.6.5.2")
def test_there_are_new_names_enough_for_any_partition_and_none_twice() -> None:
    state = world("A1 0402 CA+DD+FF\nA3 0405 CA+DD")
    assert spare_ids(state, "alliance") == {"A1": ("A2", "A4"), "A3": ("A5",)}
    assert spare_ids(world("A2 0405 CA+DD+FF"), "alliance") == {"A2": ("A1", "A3")}


@pytest.mark.rule("pq17", "1.6.5.3", "1.6.5.4", "SOP.2.a.i.2")
def test_parts_inherit_the_level_and_a_union_the_highest() -> None:
    state = world("A1 0405 CA+DD ID2\nA2 0405 FF U\nC1 0405 CA")
    reorganise(state, "alliance", {"A1": ["A1.CA"], "A2": ["A1.DD", "A2.FF"]})
    assert {tf.id: tf.id_level for tf in state.all_task_forces("alliance")} == {"A1": IdLevel.ID2, "A2": IdLevel.ID2}
    reorganise(state, "alliance", {"A5": ["A1.CA", "A1.DD", "A2.FF"]})
    assert notation(state).splitlines()[0] == "A5 0405 CA+DD+FF ID2"


@pytest.mark.rule("pq17", "1.6.5.2", "1.6.4.2")
def test_a_task_force_that_is_named_as_it_is_takes_no_part() -> None:
    """It keeps its contact number and its shadower, and nothing is said of it."""
    state = world("A1 0405 CA+DD ID1\nA2 0405 FF ID1\nC1 0405 CA shadows A2")
    at = table(state)
    before = notation(state)
    track = state.tracks["coalition"].track_of("A2")
    done = reorganise(state, "alliance", {"A1": ["A1.DD", "A1.CA"], "A2": ["A2.FF"]})
    assert (done.changed, done.numbers, notation(state)) == ((), {}, before)
    done = reorganise(state, "alliance", {"A1": ["A1.CA"], "A3": ["A1.DD"], "A2": ["A2.FF"]})
    announce(at, done, rule="PQ-17 1.6.5.7")
    assert state.tracks["coalition"].track_of("A2") == track
    assert state.task_forces["C1"].shadowing == "A2"
    assert track
    assert not any(track in text for text in told(at, "coalition"))


@pytest.mark.rule("pq17", "1.6.1", "1.6.5.1")
@cases("groups")
def test_impossible_groups_are_refused_and_nothing_changes(groups: dict[str, list[str]]) -> None:
    state = world("A1 0405 CA+DD\nA2 0406 FF")
    before = notation(state)
    with pytest.raises(ValueError, match=r".+"):
        reorganise(state, "alliance", groups)
    assert notation(state) == before


@pytest.mark.rule("pq17", "1.6.4.1", "1.6.4.2")
def test_a_new_name_for_the_same_ships_is_private() -> None:
    state = world("A1 0405 CA+DD ID1\nC1 0405 CA")
    at = table(state)
    track = state.tracks["coalition"].track_of("A1")
    done = reorganise(state, "alliance", {"A7": ["A1.CA", "A1.DD"]})
    announce(at, done, rule="PQ-17 1.6.5.7")
    assert state.tracks["coalition"].track_of("A7") == track
    assert told(at, "coalition") == []


@pytest.mark.rule("pq17", "1.6.5.7", "1.6.8.2", "SOP.2.a.v", "1.6.4.2")
def test_a_split_in_sight_is_announced_by_contact_numbers_at_the_inherited_level() -> None:
    state = world("A1 0405 CA+DD ID1\nC1 0405 CA")
    at = table(state)
    report_contact(at, state.task_forces["A1"], "coalition", because("PQ-17 6.2"))
    done = reorganise(state, "alliance", {"A1": ["A1.CA"], "A2": ["A1.DD"]})
    announce(at, done, rule="PQ-17 1.6.5.7")
    texts = told(at, "coalition")[1:]
    assert texts[0] == "Contact E1 has reorganised; its ships are now in E1 and E2."
    assert "movement cost 1 in all" in texts[1]
    assert "movement cost 1/2" in texts[2]
    assert not any("A1" in text or "A2" in text for text in texts)
    assert sorted(at.knowledge("coalition").contacts) == ["E1", "E2"]
    assert told(at, "alliance") == []


@pytest.mark.rule("pq17", "1.6.5.4", "1.6.8.1", "7.3.7")
def test_a_union_in_sight_removes_one_contact_and_stays_shadowed() -> None:
    state = world("A1 0405 CA ID1\nA2 0405 DD U\nC1 0405 CA shadows A2")
    at = table(state)
    for tf_id in ("A1", "A2"):
        report_contact(at, state.task_forces[tf_id], "coalition", because("PQ-17 6.2"))
    done = reorganise(state, "alliance", {"A1": ["A1.CA", "A2.DD"]})
    announce(at, done, rule="PQ-17 1.6.5.7")
    assert state.task_forces["C1"].shadowing == "A1"
    assert sorted(at.knowledge("coalition").contacts) == ["E1"]


@pytest.mark.rule("pq17", "6.2.1")
def test_nothing_is_told_of_what_was_never_seen() -> None:
    state = world("A1 0405 CA+DD\nC1 0607 CA")
    at = table(state)
    announce(at, reorganise(state, "alliance", {"A1": ["A1.CA"], "A2": ["A1.DD"]}), rule="PQ-17 1.6.5.7")
    assert (told(at, "coalition"), state.tracks["coalition"].issued) == ([], 0)


@pytest.mark.rule("pq17", "1.6.5.5")
def test_ships_begin_unidentified() -> None:
    state = world("A1 0405 CA")
    assert state.task_forces["A1"].id_level is IdLevel.N


@pytest.mark.rule("pq17", "1.6.1")
def test_a_task_force_without_ships_is_no_more() -> None:
    state = world("A1 0405 CA\nC1 0405 DD shadows A1")
    drop_unit(state, "A1.CA")
    assert "A1" not in state.task_forces
    assert state.task_forces["C1"].shadowing == ""


@pytest.mark.rule("pq17", "1.6.7.2", "1.6.7.3", "1.8.2")
def test_bases_close_together_are_one_cluster_and_ships_are_in_port_with_all_of_it() -> None:
    state = world("A9 0402 BATS+DOCK base Haven\nA8 0402 BATS base Annex\nA1 0402 CA port A9\nA2 0402 DD")
    cluster = state.task_forces["A9"]
    assert [unit.class_id for unit in state.units_of(cluster)] == ["BATS", "DOCK"]
    assert [tf.id for tf in state.port_group(state.task_forces["A1"])] == ["A9", "A1"]
    assert [tf.id for tf in state.port_group(cluster)] == ["A9", "A1"]
    assert [tf.id for tf in state.port_group(state.task_forces["A8"])] == ["A8"]
    assert [tf.id for tf in state.port_group(state.task_forces["A2"])] == ["A2"]


@pytest.mark.rule("pq17", "1.8.1", "1.6.7.1")
def test_every_base_of_a_campaign_is_a_task_force_of_its_own() -> None:
    state = campaign()
    placed = sorted(base.key for base in state.settings.campaign.base if base.hex is not None)
    bases = [tf for tf in state.all_task_forces() if tf.is_base]
    assert placed
    assert sorted(unit_id for tf in bases for unit_id in tf.units) == placed
    assert [len(tf.units) for tf in bases] == [1] * len(placed)
