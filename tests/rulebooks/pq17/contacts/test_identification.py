"""Chapter 6.2: exactly what each level reveals, and never more."""

import pytest

from rules_engine.core.knowledge.reports import because
from rules_engine.rulebooks.pq17.contacts import detection as ch06
from rules_engine.rulebooks.pq17.contacts import identification as ident
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import table, told, world


# --- chapter 6.4 and the detection step: on the map, fading, off the map ----------------------------------------------
@cases("proves, text, step, levels, alliance, coalition", "levels, alliance, coalition")
def test_what_a_step_does_to_levels_and_tells(
    text: str, step: str, levels: str, alliance: list[str], coalition: list[str]
) -> None:
    """Detection, the beginning of an impulse, or what a movement point of each force costs."""
    at = table(world(text))
    match step:
        case "detection":
            ch06.announce_detections(at)
        case "impulse":
            ch06.start_impulse(at)
        case _:
            ch06.lower_id_of_movers(at, at.state.all_task_forces())
    assert ", ".join(f"{tf.id} {tf.id_level.name}" for tf in at.state.all_task_forces()) == levels
    assert (told(at, "alliance"), told(at, "coalition")) == (alliance, coalition)


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


@pytest.mark.rule("pq17", "6.3.3", "6.3.2.3")
def test_an_impulse_begins_with_clean_marks_and_unrolled_conditions() -> None:
    state = world("A1 0405 CA\nsettled 0405 alliance")
    state.set_mark(state.task_forces["A1"], "searched")
    state.conditions["0405"] = 3
    state.settled["0405"].searched = ["C1.CA"]
    ch06.start_impulse(table(state))
    assert not state.has_mark(state.task_forces["A1"], "searched")
    assert (state.conditions, state.settled["0405"].searched) == ({}, [])


WHY = because("PQ-17 6.2")


def details(line: str, level: IdLevel) -> tuple[str, ...]:
    state = world(line)
    return ident.contact_details(state, next(iter(state.all_task_forces())), level)


@cases("proves, line, level, said")
def test_what_each_level_reveals(line: str, level: str, said: list[str]) -> None:
    assert list(details(line, IdLevel[level])) == said


@pytest.mark.rule("pq17", "6.2.3")
def test_id0_adds_nothing_but_that_the_force_is_identified() -> None:
    state = world("C1 0405 CA ID0")
    tf = state.task_forces["C1"]
    assert ident.contact_details(state, tf, IdLevel.ID0) == ident.contact_details(state, tf, IdLevel.U)
    assert ident.headline_of(tf, IdLevel.U) == "Force present"
    assert ident.headline_of(tf, IdLevel.ID0) == "Force identified"


@cases("level, said", "")
def test_ships_of_which_the_same_is_known_are_counted(level: str, said: str) -> None:
    state = world("C1 0405 DD+CA+DD")
    at = table(state)
    ident.report_contact(at, state.task_forces["C1"], "alliance", WHY, level=IdLevel[level])
    (text,) = told(at, "alliance")
    assert said in text
    assert text.count("Tester DD") == 1


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


@cases("proves, text, said")
def test_reports_go_to_one_side_under_its_own_number(text: str, said: list[str]) -> None:
    at = table(world(text))
    ident.report_contact(at, next(iter(at.state.all_task_forces())), "alliance", WHY)
    assert (told(at, "alliance"), told(at, "coalition")) == (said, [])
    assert not any("C7" in report.model_dump_json() for report in at.shared.reports)
