"""Chapter 6.3.4: one attempt on Table 6, die by die."""

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance import attempt as ch06
from rules_engine.rulebooks.pq17.ch06_reconnaissance.search_tables import (
    TABLE_6A,
    TABLE_6B,
    TABLES,
    band_succeeds,
    column_for,
    raised,
)
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import reports_to, table, told, world

# --- tables 6a and 6b: every column whole, and the arithmetic of shifts, by hand --------------------------------------
ROWS = ["U", "0", "1", "2", "3", "S", "FAIL"]


@pytest.mark.rule("pq17", "T6a", "T6b")
@pytest.mark.parametrize("name", ["6a", "6b"])
@pytest.mark.parametrize("section", ["FORCE", "SCOUT", "ID"])
@pytest.mark.parametrize("column", [1, 2, 3, 4])
def test_every_column_covers_1_to_100_without_gap_or_overlap(name: str, section: str, column: int) -> None:
    rows = TABLES[name].cells[section]
    spans = [row[column - 1] for row in rows.values() if row[column - 1] is not None]
    assert [value for low, high in spans for value in range(low, high + 1)] == list(range(1, 101))
    assert list(rows) == (ROWS if section != "ID" else list(rows))


@cases("proves, name, searcher, column, roll, row")
def test_rows_as_printed(name: str, searcher: str, column: int, roll: int, row: str) -> None:
    assert TABLES[name].band(searcher, column, roll) == row  # type: ignore[arg-type]


@pytest.mark.rule("pq17", "6.3.4.11", "T6a", "T6b")
def test_id_section_and_probes_beyond_100_read_as_100() -> None:
    assert [TABLE_6A.increase(1, total) for total in (44, 45, 84, 85, 130)] == [1, 2, 2, 3, 3]
    assert [TABLE_6B.increase(2, total) for total in (3, 4, 63, 64, 91)] == [0, 1, 1, 2, 3]
    assert [TABLE_6A.increase(3, total) for total in (1, 100)] == [1, 1]
    assert [TABLE_6B.increase(4, total) for total in (1, 100)] == [1, 1]


def column(condition: int, speed: str, *, ours: bool = False, theirs: bool = False, warp_off: bool = False):
    return column_for(
        condition, max_speed=Speed(speed), searcher_passive=ours, target_passive=theirs, target_warp_off=warp_off
    )


@pytest.mark.rule("pq17", "6.3.4.3", "T6.supplement")
@cases("speed, expected")
def test_each_speed_short_of_3_shifts_one_column(speed: str, expected: tuple[int, int]) -> None:
    found = column(1, speed)
    assert (found.column, found.flags) == expected


@pytest.mark.rule("pq17", "6.3.4.4", "6.3.4.5", "T6.supplement")
@pytest.mark.parametrize("shift", ["ours", "theirs", "warp_off", "ours theirs warp_off"])
def test_passive_searcher_passive_target_and_warp_off_each_shift_one(shift: str) -> None:
    assert column(1, "3", **dict.fromkeys(shift.split(), True)).column == 1 + len(shift.split())


@pytest.mark.rule("pq17", "6.3.4.6")
def test_every_shift_beyond_column_4_is_a_flag_roll() -> None:
    # poor 3 + speed 1: 2 + target passive 1 + warp off 1 + searcher passive 1 = 8: column 4 and four flags
    found = column(3, "1", ours=True, theirs=True, warp_off=True)
    assert (found.column, found.flags) == (4, 4)
    assert found.text() == (
        "local conditions 3 + searcher's maximum speed 1: 2 + target passive 1 + target warp off 1 + "
        "searcher passive 1 = column 4, 4 beyond: as many flag rolls"
    )


@pytest.mark.rule("pq17", "6.3.4.8")
def test_rows_are_tested_one_by_one_not_up_to_a_threshold() -> None:
    # Alliance FORCE column 2, shadowed target at U: 01-25 and 51-65 succeed and nothing else (REC-10)
    good = [roll for roll in range(1, 101) if band_succeeds(TABLE_6A.band("FORCE", 2, roll), -1, s_counts=True)]
    assert good == [*range(1, 26), *range(51, 66)]


@pytest.mark.rule("pq17", "6.3.4.8")
def test_s_may_be_read_as_everything_up_to_s_where_the_players_agree() -> None:
    assert band_succeeds("3", -1, s_counts=True, cumulative=True)
    assert not band_succeeds("3", -1, s_counts=False, cumulative=True)
    assert not band_succeeds("FAIL", 3, s_counts=True, cumulative=True)


@pytest.mark.rule("pq17", "6.3.4.8")
def test_number_rows_need_a_target_at_that_level() -> None:
    def count(level: int, *, s_counts: bool = False) -> int:
        return sum(band_succeeds(TABLE_6A.band("SCOUT", 1, roll), level, s_counts=s_counts) for roll in range(1, 101))

    # SCOUT column 1: U 65, 0 73, 1 75, no row 2, 3 83; S adds 84-96
    assert [count(level) for level in (-1, 0, 1, 2, 3)] == [65, 73, 75, 75, 83]
    assert count(3, s_counts=True) == 96


@pytest.mark.rule("pq17", "6.3.4.11", "6.3.4.13", "1.8.6", "1.7.5")
def test_levels_rise_from_the_start_value_with_floor_and_cap() -> None:
    assert [raised(-1, gain) for gain in (0, 1, 2, 3)] == [0, 0, 1, 2]
    assert [raised(1, gain) for gain in (0, 1, 2, 3)] == [1, 2, 3, 3]
    assert raised(3, 1, cap=2) == 3  # a base or a Settled hex never lowers
    assert raised(1, 3, cap=2) == 2


def try_it(
    text: str, *rolls: int, seeker: str = "A1", target: str = "C1", **settings: object
) -> tuple[bool, TurnContext[State]]:
    """One attempt of ``seeker`` against ``target`` with loaded dice; all of them must be used."""
    state = world(text, **settings)
    at = table(state, *rolls)
    quarry = ch06.quarry_of(state, state.task_forces[target], int(state.task_forces[target].id_level))
    found = ch06.attempt(at, ch06.seeker_of(state, state.task_forces[seeker]), [quarry], ch06.SEARCH)
    assert at.shared.dice.rolls == []  # type: ignore[attr-defined]
    return target in found.succeeded, at


BOTH = "A1 0405 CA speed 2 U\nC1 0405 CA speed 1 U"


@cases("case, proves, seeker, target, forces, dice, outcome")
def test_an_attempt(seeker: str, target: str, forces: str, dice: list[int], outcome: str) -> None:
    """Dice fall in the order of the book: lock-on, local conditions, main roll, cloak, flags; no more are rolled."""
    found, _ = try_it(forces, *dice, seeker=seeker, target=target, flag_empires=("Kzinti",))
    assert ("found" if found else "not found") == outcome


@pytest.mark.rule("pq17", "6.3.3")
@pytest.mark.parametrize(("rolled", "level"), [(1, 1), (11, 1), (12, 2), (59, 2), (60, 3), (78, 3), (79, 4), (100, 4)])
def test_local_conditions_by_the_scenario_table(rolled: int, level: int) -> None:
    assert ch06.hex_conditions(table(world(BOTH), rolled), "0405") == level


@pytest.mark.rule("pq17", "6.3.3")
def test_local_conditions_are_rolled_once_an_impulse_and_told_to_both() -> None:
    at = table(world(BOTH), 50)
    assert ch06.hex_conditions(at, "0405") == ch06.hex_conditions(at, "0405") == 2
    assert told(at, "alliance") == told(at, "coalition") == ["Local conditions in 0405 this impulse: Moderate (2)."]


@pytest.mark.rule("pq17", "6.3.3", "1.3.2")
def test_the_nebula_is_always_terrible_and_never_rolled() -> None:
    assert ch06.hex_conditions(table(world("nebula 0405\n" + BOTH)), "0405") == 4


@pytest.mark.rule("pq17", "1.8.11")
def test_a_bases_fixed_conditions_hold_for_it_and_all_in_port() -> None:
    state = world("A9 0405 BATS base Haven known LC1\nA1 0405 CA port A9 U\nA2 0405 CA U\nC1 0405 CA U")
    at = table(state, 80)
    seeker = ch06.seeker_of(state, state.task_forces["C1"])
    found = {tf_id: ch06.conditions_between(at, seeker, state.task_forces[tf_id]) for tf_id in ("A9", "A1", "A2")}
    assert found == {"A9": 1, "A1": 1, "A2": 4}
    assert ch06.conditions_between(at, ch06.seeker_of(state, state.task_forces["A9"]), state.task_forces["C1"]) == 1


@pytest.mark.rule("pq17", "1.8.11")
def test_in_the_nebula_a_bases_own_conditions_give_way() -> None:
    state = world("nebula 0405\nA9 0405 BATS base Haven known LC1\nC1 0405 CA U")
    assert ch06.fixed_conditions(state, state.task_forces["A9"]) == 4


@pytest.mark.rule("pq17", "6.3.4.1", "6.3.4.2", "5.2.3.3")
@pytest.mark.parametrize(
    ("line", "kind"),
    [("CA+SC", "SCOUT"), ("CA+SC passive", "FORCE"), ("CA+SC[special_sensors=0]", "FORCE"), ("CA", "FORCE")],
)
def test_scouts_use_their_rows_only_when_active_and_whole(line: str, kind: str) -> None:
    state = world(f"A1 0405 {line} U")
    assert ch06.seeker_of(state, state.task_forces["A1"]).kind == kind


@pytest.mark.rule("pq17", "6.3.4.3.2", "1.7.3", "1.3.4")
def test_a_settled_hex_searches_as_an_active_force_at_speed_0() -> None:
    seeker = ch06.seeker_of_settled(world("settled 0405 alliance\nC1 0405 CA speed 1 U").settled["0405"])
    assert (seeker.kind, seeker.max_speed.value, seeker.passive, seeker.sensor_rating) == ("FORCE", "0", False, 6)


@pytest.mark.rule("pq17", "1.8.2.1")
def test_a_base_and_its_port_share_one_main_roll_read_in_each_ones_column() -> None:
    state = world("C9 0405 BATS base Lair LC1 U\nC1 0405 CA passive port C9 U\nC2 0405 CA port C9 U\nA1 0405 CA U")
    at = table(state, 30)
    quarries = [ch06.quarry_of(state, tf, -1) for tf in state.port_group(state.task_forces["C1"])]
    found = ch06.attempt(at, ch06.seeker_of(state, state.task_forces["A1"]), quarries, ch06.SEARCH)
    # column 1 for the base and C2 (U to 38), column 2 for the passive C1 (U to 25)
    assert found.succeeded == {"C9", "C2"}
    assert {tf_id: column.column for tf_id, column in found.columns.items()} == {"C9": 1, "C1": 2, "C2": 1}


# --- who is told what ---------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "6.3.4.4", "6.3.4.5")
def test_the_searcher_sees_his_arithmetic_and_dice() -> None:
    _, at = try_it(BOTH, 50, 26)
    report = next(one for one in at.shared.reports if one.kind == "attempt" and one.is_for("alliance"))
    assert report.text == "A1 searched E1 in 0405: failed, row 0 needs a target at ID0 or better."
    assert "column 2" in report.why.text()
    assert "main roll 26" in report.why.text()
    assert report.why.rule == "PQ-17 6.3.4.8"


@pytest.mark.rule("pq17", "6.3.4.2", "6.3.4.4", "6.3.4.5")
def test_the_targets_owner_hears_what_both_observe_and_no_dice(kept: Kept) -> None:
    _, at = try_it("A1 0405 SC passive U\nC1 0405 CA passive warp-off U", 5, 1)
    report = next(one for one in at.shared.reports if one.kind == "attempt" and one.is_for("coalition"))
    assert report.text == "E1 searched your C1 in 0405: success."
    assert dict(report.why.inputs) == kept()
    assert report.why.dice == ()
    assert "A1" not in report.model_dump_json()


@pytest.mark.rule("pq17", "6.3.4.4")
@cases("what, one, other, rolls")
def test_the_targets_owner_hears_the_same_whatever_he_must_not_know(
    what: str, one: str, other: str, rolls: tuple[int, ...]
) -> None:
    said: list[list[object]] = []
    for text in (one, other):
        state = world(text + "\nC1 0405 CA U", flag_empires=("Kzinti",))
        at = table(state, *rolls)
        quarry = ch06.quarry_of(state, state.task_forces["C1"], -1)
        assert ch06.attempt(at, ch06.seeker_of(state, state.task_forces["A1"]), [quarry], ch06.SEARCH).succeeded
        said.append(reports_to(at, "coalition"))
    assert said[0] == said[1], what


@pytest.mark.rule("pq17", "6.3.4.8")
@pytest.mark.unseen("pq17", reports=("attempt", "conditions"))
def test_the_same_failure_tells_the_owner_the_same_for_different_dice() -> None:
    said = [reports_to(try_it(BOTH, 50, roll)[1], "coalition", "attempt") for roll in (26, 99)]
    assert said[0] == said[1]
