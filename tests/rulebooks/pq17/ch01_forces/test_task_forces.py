"""Chapter 1: task forces, what they inherit, and what the enemy is told of a reorganisation."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge import reports, views
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17 import RULEBOOK, sequence
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import announce, drop_unit, pools, reorganise, spare_ids
from rules_engine.rulebooks.pq17.ch05_movement import movement, postures, speeds
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import searching_hexes
from rules_engine.rulebooks.pq17.contacts import detection, identification
from rules_engine.rulebooks.pq17.plotting.impulse_plots import plot_movement_steps
from rules_engine.rulebooks.pq17.plotting.planning_sheet import carry_out_plans, planning_ask
from rules_engine.rulebooks.pq17.records.forces import IdLevel, TaskForce, TowGroup
from rules_engine.rulebooks.pq17.shown.boards import side_board
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.campaign_scenario import campaign
from tests.rulebooks.pq17.worlds.notation import notation, run, table, told, world


# --- overview ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "1.2.5")
def test_in_one_impulse_a_force_moves_one_hex_at_most_and_may_search_there() -> None:
    # good conditions, then 99: the search finds nothing
    at = table(world("A1 0405 CA speed 3 route 0406,0407,0408\nC1 0406 CA\nturn 2"), 5, 99)

    def answer(ask: AnyAsk) -> Any:
        return {"A1": {"target": "E1"}} if ask.kind == "search" and ask.parties == ("alliance",) else None

    run(sequence.impulse_steps(at.at("I1"), 1), answer)
    tf = at.state.task_forces["A1"]
    assert (tf.hex, tf.route) == ("0406", ["0407", "0408"])
    assert any(text.startswith("A1 searched E1 in 0406") for text in told(at, "alliance"))


@pytest.mark.rule("pq17", "1.2.5")
def test_three_impulses_are_three_hexes_at_most() -> None:
    at = table(world("A1 0405 CA speed 3 route 0406,0407,0408,0409\nA2 0303 CA speed 2 route 0304,0305,0306\nturn 2"))
    for number in (1, 2, 3):
        run(sequence.impulse_steps(at.at(f"I{number}"), number))
    assert [tf.hex for tf in at.state.all_task_forces()] == ["0408", "0305"]


@cases("case, proves, forces, groups, afterwards, numbers, heard", "afterwards, numbers, heard")
def test_a_reorganisation_and_what_the_enemy_hears(
    forces: str, groups: list[dict[str, list[str]]], afterwards: str, numbers: list[str], heard: list[str]
) -> None:
    """The Coalition has a report of each contact and gets others of reorganisations, by contact numbers alone."""
    state = world(forces)
    at, track_of = table(state), state.tracks["coalition"].track_of
    for tf in state.all_task_forces("alliance"):
        if track_of(tf.id):
            identification.report_contact(at, tf, "coalition", reports.because("PQ-17 6.2"))
    before = len(told(at, "coalition"))
    for each in groups:
        announce(at, reorganise(state, "alliance", each), rule="PQ-17 1.6.5.7")
    assert notation(state).replace("\n", " / ") == afterwards
    assert [f"{tf.id} is {track}" for tf in state.all_task_forces("alliance") if (track := track_of(tf.id))] == numbers
    assert sorted(at.knowledge("coalition").contacts) == [text.rpartition(" ")[2] for text in numbers]
    assert told(at, "coalition")[before:] == heard
    assert told(at, "alliance") == []


@pytest.mark.rule("pq17", "1.7.8", "1.3.4")
def test_a_hex_that_is_settled_no_longer_is_a_hex_like_any_other() -> None:
    state = world("settled 0405 alliance Amber\nC1 0405 CA U\nturn 2 impulse 1")
    assert [one.key for one in searching_hexes(state, "alliance")] == ["settled 0405"]
    del state.settled["0405"]
    at = table(state)
    assert searching_hexes(state, "alliance") == []
    assert state.settled_by("0405", "alliance") is None
    detection.start_impulse(at)  # nobody watches the hex any more
    detection.announce_detections(at)
    assert state.task_forces["C1"].id_level is IdLevel.N
    assert all("settled" not in note.marks for note in side_board(state, "alliance", views.Knowledge()).hexes)


@pytest.mark.rule("pq17", "1.8.9", "5.2.3.5")
def test_a_base_is_never_in_port_itself() -> None:
    state = world("A9 0405 BATS base Haven known\nA1 0405 CA port A9")
    base = state.task_forces["A9"]
    assert base.in_port == ""
    assert [tf.id for tf in state.docked_at(base)] == ["A1"]
    text = (
        'title = "x"\nturns = 1\nvictory_points = 1\n[map]\ncolumns = 9\nrows = 8\n'
        '[[side]]\nkey = "alliance"\nname = "A"\nemblem = "A"\n[[side]]\nkey = "coalition"\nname = "C"\nemblem = "C"\n'
        '[[task_force]]\nid = "A1"\nside = "alliance"\nhex = "0405"\nin_port = "A2"\nbase = { name = "One" }\n'
        '[[task_force]]\nid = "A2"\nside = "alliance"\nhex = "0405"\nbase = { name = "Two" }\n'
    )
    with pytest.raises(Refused, match=r"task_force\.0\.in_port \(line 19\): a base is never in port \(PQ-17 1\.8\.9\)"):
        RULEBOOK.read_scenario({"scenario.toml": text, "ships.toml": ""})


@pytest.mark.rule("pq17", "5.2.3.6", "5.2.2")
def test_nobody_shadows_unless_he_has_begun_to() -> None:
    assert TaskForce(id="A1", side="alliance", hex="0405", units=["x"]).shadowing == ""
    at = table(world("A1 0405 CA\nA2 0304 CA speed 1 shadows C1\nC1 0304 CA speed 1 ID1\nturn 2"))
    fields = {line.key: [field.key for field in line.fields] for line in planning_ask(at, "alliance").form.lines}
    assert "shadow" not in fields["A1"]
    assert "shadow" in fields["A2"]
    shadowing = {one.id: one.sub for one in side_board(at.state, "alliance", views.Knowledge()).counters}
    assert "shadowing" not in shadowing["A1"]
    assert "shadowing" in shadowing["A2"]


TOW = "A1 0405 CA+DD[fuel=1/2,warp=15] speed 2\nturn 2"


@pytest.mark.rule("pq17", "5.4.7.3", "5.4.7.3.1", "5.4.7.3.2")
def test_a_towed_ship_short_of_fuel_slows_the_pair_or_turns_its_engines_off() -> None:
    # 45 boxes and movement cost 3/2: practical speed 30. At speed 2 a turn is two hexes of 3/2 points, a third of them
    # the DD's: 1 point, and it has 1/2. At speed 1 it is one hex of 3/8, an eighth for the DD.
    state = world(TOW)
    tf = state.task_forces["A1"]
    tf.tows = [TowGroup(tower="A1.CA", towed=["A1.DD"])]
    (refusal,) = postures.speed_refusals(state, tf, Speed.CRUISE, "A1.speed")
    assert refusal.rule == "PQ-17 5.1.4"
    assert postures.speed_refusals(state, tf, Speed.EFFICIENT, "A1.speed") == []
    # with its engines off the CA pays for both, and 30 boxes by 3/2 make practical speed 20: still speed 2
    tf.tows[0].engines_off = ["A1.DD"]
    assert postures.speed_refusals(state, tf, Speed.CRUISE, "A1.speed") == []
    (too_fast,) = postures.speed_refusals(state, tf, Speed.SPRINT, "A1.speed")
    assert too_fast.rule == "PQ-17 5.1.5"


DAMAGED = "A1 0405 CA+DD[fuel=1/2,warp=12] speed 2\nturn 2"


@pytest.mark.rule("pq17", "5.4.7.3.2", "5.4.7.2", "5.4.5")
@cases("tow, rule", "")
def test_any_number_of_warp_boxes_may_be_off_for_towing(tow: str, rule: str) -> None:
    ask = planning_ask(table(world(DAMAGED)), "alliance")
    wrong: list[str | None] = []
    try:
        ask.answer_from({"A1": {"tow": tow, "speed": Speed.CRUISE.value}})
    except Refused as refused:
        wrong = [one.rule for one in refused.refusals]
    assert wrong[:1] == ([rule] if rule else [])


@pytest.mark.rule("pq17", "5.4.7.3.2", "5.4.7.2", "5.4.2")
def test_each_ship_pays_by_the_boxes_that_are_on_and_an_impulse_may_change_them() -> None:
    """A hex at speed 2 is 3/2 points: with 30 and 6 boxes on 5/4 and 1/4; with 30 and 0 all for the cruiser."""
    state = world(DAMAGED)
    ask = planning_ask(table(state), "alliance")
    sheet = ask.answer_from({"A1": {"tow": "A1.CA>A1.DD*6", "speed": Speed.CRUISE.value, "route": "0406 0407"}})
    carry_out_plans(table(state), {"alliance": sheet})
    assert planning_ask(table(state), "alliance").form.prefilled()["A1"]["tow"] == "A1.CA>A1.DD*6"
    state.impulse = 1
    run(plot_movement_steps(table(state)))
    assert [state.units[one].fuel for one in ("A1.CA", "A1.DD")] == [34 - Fraction(5, 4), Fraction(1, 4)]
    state.impulse = 3
    state.doctrine["alliance"].ask_every_impulse = True
    run(plot_movement_steps(table(state)), lambda ask: {"A1": {"tow": "A1.CA>A1.DD*12"}})
    assert [state.units[one].fuel for one in ("A1.CA", "A1.DD")] == [34 - Fraction(11, 4), Fraction(1, 4)]


@pytest.mark.rule("pq17", "5.4.8")
def test_the_practical_speed_may_be_the_owners_own_figure() -> None:
    """Shields, life support, tractor power and cloak enter it, which only the owner's record sheet can tell. SPD-2."""
    state = world("A1 0405 CA")
    tf = state.task_forces["A1"]
    assert speeds.max_speed(state, tf) is Speed.SPRINT
    state.units["A1.CA"].practical_speed = 17
    assert speeds.max_speed(state, tf) is Speed.EFFICIENT


@pytest.mark.rule("pq17", "1.1.1")
def test_what_a_battle_destroyed_slows_the_force_that_fought_it() -> None:
    state = world("A1 0405 CA speed 3\nturn 2 impulse 1")
    tf = state.task_forces["A1"]
    state.units["A1.CA"].warp = 12
    postures.settle_damage(state, tf)
    assert movement.current_speed(state, tf) is Speed.EFFICIENT
    assert "0406" in movement.destinations(state, tf)


@pytest.mark.rule("pq17", "1.6.3", "1.6.5.1", "1.6.7.1")
def test_ships_of_one_hex_and_port_may_be_regrouped_and_bases_never() -> None:
    state = world("A1 0402 CA / A2 0402 DD / A3 0402 FF port A9 / A4 0403 FF / A9 0402 BATS base Haven")
    assert [[tf.id for tf in pool] for pool in pools(state, "alliance")] == [["A1", "A2"], ["A3"], ["A4"]]


@pytest.mark.rule("pq17", "1.6.4", "1.6.5.2")
def test_there_are_new_names_enough_for_any_partition_and_none_twice() -> None:
    assert spare_ids(world("A1 0402 CA+DD+FF\nA3 0405 CA+DD"), "alliance") == {"A1": ("A2", "A4"), "A3": ("A5",)}
    assert spare_ids(world("A2 0405 CA+DD+FF"), "alliance") == {"A2": ("A1", "A3")}


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


@pytest.mark.rule("pq17", "1.6.5.5")
def test_ships_begin_unidentified() -> None:
    assert world("A1 0405 CA").task_forces["A1"].id_level is IdLevel.N


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
