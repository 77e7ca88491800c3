"""Chapter 1.8.12: bases built of pods in the Tactical Logistics Step."""

from typing import Any, Literal

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch01_forces.construction import (
    build_refusals,
    carry_out_construction,
    is_buildable,
    note_disturbances,
    parts_at_hand,
    stow_module,
)
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import searchers
from rules_engine.rulebooks.pq17.ch08_combat.battle import roll_surprise
from rules_engine.rulebooks.pq17.ch08_combat.battle_setup import battle_setup
from rules_engine.rulebooks.pq17.ch10_supply import docking, stores
from rules_engine.rulebooks.pq17.ch11_repair.berths import workshop
from rules_engine.rulebooks.pq17.contacts.identification import contact_details
from rules_engine.rulebooks.pq17.plotting.logistics_sheet import logistics_steps
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.construction import BuildOrder
from rules_engine.rulebooks.pq17.records.forces import UNMARKED, IdLevel, Marks, TaskForce, Unit
from rules_engine.rulebooks.pq17.records.special_conditions import BaseProject
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario import invariants
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import asks_of, run, ship_class, table, told, world
from tests.rulebooks.pq17.worlds.repair import YARD
from tests.rulebooks.pq17.worlds.special_conditions import SHIPS, special_world


# --- chapter 1.9: how the tactical rules are changed, as far as the campaign referees it ------------------------------
@pytest.mark.rule("pq17", "1.9.3")
@cases("class_id, docked")
def test_docking_is_external_and_limited_by_type_of_base(class_id: str, docked: int) -> None:
    state = special_world()
    unit = next(iter(state.units.values())).changed(class_id=class_id)
    assert SHIPS[class_id].class_id == class_id
    assert docking.positions(state, unit) == docked


@pytest.mark.rule("pq17", "1.9.5")
@pytest.mark.parametrize(("rolled", "status"), [(10, "WS-1, surprised"), (1, "WS-3")])
def test_surprise_comes_from_the_campaigns_own_roll(rolled: int, status: str) -> None:
    # Table 7: 10 surprises a defender in good conditions who knows nothing of a warp-on attacker's level; 1 never does
    state: State = world("A1 0405 CA speed 1 U\nC1 0405 CA speed 1 ID0\nturn 2 impulse 1 half A")
    at = table(state, rolled)
    battle = Battle(
        key="1", hex="0405", attacker="alliance", defender="coalition", original=["C1"], attackers=["A1"], conditions=4
    )
    battle.names = {"AT1": "A1.CA", "DF1": "C1.CA"}
    roll_surprise(at, battle)
    rows = [row for panel in battle_setup(at, battle).panels for row in panel.rows]
    assert any(row.startswith(f"Weapon status: Original Defender {status}") for row in rows)


PARTS: dict[str, Any] = YARD | {
    one.class_id: one
    for one in (
        ship_class("TG", "1", warp=30, is_tug=True, pod_slots=2, tractors=3),
        ship_class("MP", "1/2", unit_kind="pod", builds="MB", impulse=0, awr=2, cargo=5, damcon_track=(), tractors=0),
        ship_class("PM", "1/6", unit_kind="module", cargo_size=12, impulse=0, awr=10, damcon_track=(), tractors=0),
        ship_class(
            "MB",
            "0",
            unit_kind="base",
            base_type="MB",
            core_pods=2,
            module_slots=2,
            impulse=0,
            awr=8,
            cargo=10,
            repair=4,
        ),
    )
}
READY = "A1 0405 TG+MP#2+RP logistics speed 0"


def site(text: str = READY) -> State:
    state = world(text, classes=PARTS)
    for key in sorted(state.units):
        if key.startswith("A1.") and key[3:5] in ("MP", "RP"):
            state.units[key].carried_by = "A1.TG"
    return state


def ask_of(state: State) -> AnyAsk:
    (ask,) = [ask for ask in asks_of(logistics_steps(table(state))) if ask.parties == ("alliance",)]
    return ask


def build(state: State, **line: Any) -> TurnContext[State]:
    """Plan it, let an impulse pass, and carry it out."""
    run(logistics_steps(table(state)), lambda ask: {"build-A1": line} if ask.parties == ("alliance",) else None)
    at = table(state)
    state.impulse = 2
    note_disturbances(state)
    state.impulse = 0
    carry_out_construction(at, "alliance")
    assert invariants.defects(state) == []
    return at


def base_of(state: State) -> tuple[TaskForce, Unit]:
    (tf,) = [tf for tf in state.all_task_forces("alliance") if tf.is_base]
    return tf, state.units[tf.units[0]]


@pytest.mark.rule("pq17", "1.8.1", "1.8.12.2", "1.8.12.3", "1.8.12.6", "1.8.12.7", "1.8.12.9")
def test_two_core_pods_a_tug_and_a_quiet_turn_make_an_unknown_base_in_the_conditions_chosen() -> None:
    state = site(READY + " ID1\nC1 0405 CA ID0")
    at = build(state, build="MB", conditions="3")
    tf, base = base_of(state)
    assert (tf.hex, tf.base and tf.base.known, tf.base and tf.base.conditions) == ("0405", False, 3)
    assert tf.id_level is IdLevel.ID1  # that of its builders
    assert (tf.units, sorted(state.task_forces["A1"].units)) == ([base.id], ["A1.RP", "A1.TG"])
    assert [state.units[one].fate for one in ("A1.MP", "A1.MP2")] == ["built in", "built in"]
    assert not base.repairs.inactive
    assert base.supply == 10  # what the pods had in cargo
    assert told(at, "alliance") == ["A MB 0405 stands in 0405; it works."]
    (heard,) = told(at, "coalition")
    assert heard.startswith("E2 in 0405, ID1: Force identified")
    assert "MB" not in heard


def test_a_base_is_of_the_nation_of_its_first_core_pod() -> None:
    state = site(READY)
    state.units["A1.MP"].nation, state.units["A1.MP2"].nation = "kzinti", "federation"
    build(state, build="MB")
    assert base_of(state)[1].nation == "kzinti"


def built_in_words(state: State) -> str:
    """The base of the Alliance, what it can do, and its builders."""
    tf, base = base_of(state)
    words = [f"{tf.id} {'+'.join(tf.units)}", f"LC{tf.base.conditions}", tf.id_level.name]
    words += ["known"] if tf.base.known else []
    words += ["inactive"] if base.repairs.inactive else []
    words += [f"{key} {getattr(base, key)}" for key in ("awr", "cargo", "supply", "repair")]
    cranes = [crane.points for crane in workshop(state, base).cranes]
    words += [f"cranes {cranes}", *(f"{one} at {place}" for one, place in tf.base.positions.items())]
    left = [unit for one in state.all_task_forces("alliance") if one is not tf for unit in one.units]
    words += [f"builders {'+'.join(left)}"]
    (made,) = state.built
    parts = "+".join(part.class_id for part in made.parts)
    return ", ".join([*words, f"built of {parts}", f"active since {made.active_since}"])


@cases("case, proves, forces, orders, afterwards, told_owner", "afterwards, told_owner")
def test_what_is_built(forces: str, orders: list[dict[str, Any]], afterwards: str, told_owner: list[str]) -> None:
    """Orders of turns one after another; what stands after the last, and what its owner is told of it."""
    state = site(forces)
    for turn, line in enumerate(orders, start=1):
        state.logistics, state.turn = {}, turn
        at = build(state, **line)
    assert built_in_words(state) == afterwards
    assert told(at, "alliance") == told_owner


@pytest.mark.rule("pq17", "1.8.12.9")
@pytest.mark.unseen("pq17", reports=("logistics",), asks=("logistics",))
def test_nobody_hears_of_a_base_whose_builders_nobody_knows() -> None:
    state = site(READY + "\nC1 0405 CA")
    assert told(build(state, build="MB"), "coalition") == []
    assert base_of(state)[0].id_level is IdLevel.N


@pytest.mark.rule("pq17", "1.8.12.2", "1.8.12.3", "1.8.12.4", "1.8.12.6", "1.8.12.7", "1.8.12.8")
@cases("text, what, subject, said")
def test_what_is_missing_for_a_construction(text: str, what: Literal["build", "extend"], subject: str, said: str):
    state = site(text)
    order = BuildOrder(task_force="A1", units=sorted(state.task_forces["A1"].units), what=what, subject=subject)
    assert [str(one) for one in build_refusals(state, order, "build-A1")] == [said]


@pytest.mark.rule("pq17", "1.8.12.3", "1.8.12.6", "1.8.12.7", "1.8.12.2")
@cases("text, rule", "")
def test_what_is_missing_forbids_it(text: str, rule: str) -> None:
    state = site(text)
    order = BuildOrder(task_force="A1", units=sorted(state.task_forces["A1"].units), what="build", subject="MB")
    assert rule in [one.rule for one in build_refusals(state, order, "build-A1")]
    asks = [ask for ask in asks_of(logistics_steps(table(state))) if ask.parties == ("alliance",)]
    assert not [line for ask in asks for line in ask.form.lines if line.key == "build-A1"]


@pytest.mark.rule("pq17", "1.8.12.2")
@pytest.mark.parametrize(("kind", "buildable"), [("MB", True), ("BATS", False)])
def test_only_bases_around_pods_are_built(kind: str, buildable: bool) -> None:
    assert is_buildable(PARTS[kind]) is buildable


@pytest.mark.rule("pq17", "1.8.12.4", "6.2.2")
def test_who_holds_a_base_at_id1_sees_at_once_what_its_extension_adds() -> None:
    """Ten more repair boxes change nothing that shows; the report comes with the extension."""
    state = site()
    build(state, build="MB")
    cluster, base = base_of(state)
    cluster.id_level = IdLevel.ID3
    track = state.tracks["coalition"].track_of(cluster.id) or state.tracks["coalition"].issue(cluster.id)
    state.logistics, state.turn = {}, 2
    at = build(state, build=f"extend {base.id}", parts=["A1.RP"])
    assert [text for text in told(at, "coalition") if text.startswith(f"{track} in 0405, ID3")]


@pytest.mark.rule("pq17", "1.8.12.4")
@pytest.mark.parametrize(("before", "after"), [({"PM": 1}, {"PM": 1, "RP": 1}), ({}, {})])
def test_a_part_that_is_added_is_listed_where_the_others_are(before: dict[str, int], after: dict[str, int]) -> None:
    """A base of the scenario lists its fittings; one that was built lists its parts with itself."""
    state = site()
    build(state, build="MB")
    cluster, base = base_of(state)
    cluster.base.fittings = before
    state.logistics, state.turn = {}, 2
    build(state, build=f"extend {base.id}", parts=["A1.RP"])
    assert cluster.base.fittings == after


@pytest.mark.rule("pq17", "1.8.12.8")
def test_being_searched_or_shadowed_does_not_interrupt() -> None:
    state = site(READY + " ID1\nC1 0405 CA ID0 shadows A1")
    state.units["C1.CA"].marks = Marks(searched=True)
    build(state, build="MB")
    assert not base_of(state)[1].repairs.inactive


@cases("case, proves, forces, line, said", "")
def test_orders_to_build_that_are_refused(forces: str, line: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused, match=said):
        ask_of(site(forces)).answer_from({"build-A1": line})


@pytest.mark.rule("pq17", "1.8.12.5")
def test_a_module_in_cargo_takes_up_boxes_and_frees_them_when_it_is_built_in() -> None:
    """Two modules of twelve boxes fill 24 of the freighter's fifty; a third finds no room beside 20 supply."""
    state = site("A1 0405 TG+MP#2+CB+PM#3 logistics speed 0")
    freighter = state.units["A1.CB"]
    freighter.supply = 20
    modules = [state.units[one] for one in ("A1.PM", "A1.PM2", "A1.PM3")]
    assert [stow_module(state, freighter, one) for one in modules] == [True, True, False]
    assert (freighter.module_boxes, stores.cargo_free(freighter)) == (24, 6)
    build(state, build="MB", parts=["A1.PM"])
    assert (freighter.module_boxes, stores.cargo_free(freighter)) == (12, 18)
    assert base_of(state)[1].awr == 18


@pytest.mark.rule("pq17", "1.8.12.7", "1.8.12.8")
@pytest.mark.parametrize("mark", ["searched", "was_attacked"])
def test_reconnaissance_or_combat_leaves_it_in_place_but_inactive_until_the_procedure_is_repeated(mark: str) -> None:
    state = site(READY + "\nC1 0405 CA ID0")
    run(logistics_steps(table(state)), lambda ask: {"build-A1": {"build": "MB"}} if "alliance" in ask.parties else None)
    state.units["A1.TG"].marks = Marks.model_validate({mark: True})
    state.impulse = 3
    note_disturbances(state)
    state.units["A1.TG"].marks = UNMARKED
    at = table(state)
    carry_out_construction(at, "alliance")
    tf, base = base_of(state)
    assert base.repairs.inactive
    assert contact_details(state, tf, IdLevel.U) == ("No cloaks in use", "Sensors passive", "Positional stabilizers")
    assert "all its systems are inactive" in told(at, "alliance")[0]
    assert (docking.positions(state, base), workshop(state, base).cranes) == (0, [])
    assert tf.id not in [one.key for one in searchers(state, "alliance")]
    assert state.built[0].active_since == 0
    state.turn, state.impulse, state.logistics = 2, 0, {}
    build(state, build=f"activate {base.id}")
    assert not base.repairs.inactive
    shown = ("No cloaks in use", "Sensors active, no scout", "Positional stabilizers")
    assert contact_details(state, tf, IdLevel.U) == shown
    assert state.built[0].active_since == 2


@pytest.mark.rule("pq17", "1.8.12.8")
def test_a_base_that_works_is_not_put_to_work_again() -> None:
    state = site()
    build(state, build="MB")
    _, base = base_of(state)
    order = BuildOrder(task_force="A1", units=sorted(state.task_forces["A1"].units), what="activate", subject=base.id)
    text = [str(one) for one in build_refusals(state, order, "build-A1")]
    assert "build-A1: it works already (PQ-17 1.8.12.8). Legal: an inactive base." in text


@pytest.mark.rule("pq17", "1.8.12.1", "1.8.12.6")
def test_a_special_conditions_tug_may_use_parts_anywhere_in_the_hex() -> None:
    state = site("A1 0405 TG+MP logistics speed 0\nA2 0405 CB+MP logistics speed 0\nA3 0406 CB+RP logistics speed 0")
    assert [one.id for one in parts_at_hand(state, state.task_forces["A1"])] == ["A1.MP"]
    state.special.projects = [BaseProject(side="alliance", name="gearbox", due=2, ships=["A1.TG"])]
    assert [one.id for one in parts_at_hand(state, state.task_forces["A1"])] == ["A1.MP", "A2.MP"]
    build(state, build="MB")
    assert base_of(state)[1].id == "A1.MP-base"


@pytest.mark.rule("pq17", "1.8.12.7")
def test_who_is_driven_off_before_the_end_of_the_turn_builds_nothing() -> None:
    state = site()
    run(logistics_steps(table(state)), lambda _: {"build-A1": {"build": "MB"}})
    state.task_forces["A1"].posture = state.task_forces["A1"].posture.with_values(logistics=False)
    at = table(state)
    carry_out_construction(at, "alliance")
    assert state.built == []
    assert told(at, "alliance") == ["A1 could not build: what it takes is no longer together."]
