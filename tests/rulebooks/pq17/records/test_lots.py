"""Orders that nobody chose: by what their reader knows, and by lot where that does not settle it."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from rules_engine.core.basics import canonical_json, refusals
from rules_engine.core.basics.base import When
from rules_engine.core.basics.dice import DiceStream
from rules_engine.core.knowledge import reports, views
from rules_engine.core.protocol.turn_context import SharedTurn, TurnContext
from rules_engine.core.running.edits import assign
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import announce, reorganise
from rules_engine.rulebooks.pq17.ch06_reconnaissance.step import reconnaissance_steps
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records import calendar, forces, roster
from rules_engine.rulebooks.pq17.records.lots import as_seen, by_lot, drawing
from rules_engine.rulebooks.pq17.records.state import State, tf_order
from rules_engine.rulebooks.pq17.shown.boards import known_bases
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.notation import SIDES, run, table, told, world


# --- moments, levels and ids as they are written and sorted -----------------------------------------------------------
@pytest.mark.rule("pq17", "1.2.5", "1.2.6")
def test_the_halves_of_the_impulses_are_steps_one_to_six_and_planning_is_step_none() -> None:
    found = [("", 0), *((half, impulse) for impulse in (1, 2, 3) for half in ("A", "B"))]
    state = world("A1 0405 CA")
    steps: list[tuple[int, int]] = []
    for state.half, state.impulse in found:
        for state.turn in (0, 1, 2):
            now = calendar.moment(state)
            steps.append((now.turn, now.step))
    assert steps == [(turn, step) for step in range(7) for turn in (1, 1, 2)]


@pytest.mark.rule("pq17", "6.2.1", "6.2.2")
def test_levels_are_called_as_the_book_calls_them_and_drawn_from_id0_on() -> None:
    labels = ["Unidentified", "U", "ID0", "ID1", "ID2", "ID3", "ID4"]
    assert [(one.label, one.grade) for one in forces.IdLevel] == list(zip(labels, (0, 0, 1, 2, 3, 4, 5), strict=True))


def test_ids_are_sorted_as_people_count() -> None:
    assert sorted(["A10", "A2", "A", "A1", "A0x"], key=roster.natural_order) == ["A", "A1", "A2", "A10", "A0x"]
    assert roster.natural_order("A") == ("A", 0)


# --- lookups of task forces say what a look at every task force would say, whatever changed before --------------------
HEXES = ("0303", "0404", "0405")
WORLD = """
    A1 0303 CA+DD
    A2 0404 DD
    A10 0404 FF
    A9 0303 BATS base Haven known LC1
    C1 0404 CA
    C2 0405 DD+FF
"""


def plainly(state: State) -> dict[str, object]:
    """Every lookup, worked out from all task forces."""
    everyone = sorted(state.task_forces.values(), key=lambda tf: tf_order(tf.id))
    units = sorted(state.units)
    return {
        "all": everyone,
        "sides": [[tf for tf in everyone if tf.side == side] for side in ("alliance", "coalition")],
        "hexes": [[tf for tf in everyone if tf.hex == hex_id] for hex_id in HEXES],
        "docked": [tf for tf in everyone if tf.in_port == "A9" and tf.side == "alliance"],
        "shadowers": [[tf for tf in everyone if tf.shadowing == one] for one in ("A1", "C1")],
        "units": [next((tf for tf in everyone if unit in tf.units), None) for unit in units],
    }


def looked_up(state: State) -> dict[str, object]:
    """The same by the state's own lookups."""
    haven = forces.TaskForce(id="A9", side="alliance", hex="0303", units=[])
    return {
        "all": state.all_task_forces(),
        "sides": [state.all_task_forces(side) for side in ("alliance", "coalition")],
        "hexes": [state.task_forces_in(hex_id) for hex_id in HEXES],
        "docked": state.docked_at(haven),
        "shadowers": [state.shadowers_of(one) for one in ("A1", "C1")],
        "units": [state.tf_of(unit) for unit in sorted(state.units)],
    }


def same(one: object, other: object) -> bool:
    """The very same task forces in the same places."""
    if isinstance(one, dict) and isinstance(other, dict):
        return all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return one is other


def change(state: State, chance: Random) -> str:
    """Change one thing by one of the state's operations; says which."""
    force = chance.choice(list(state.task_forces.values()))
    match chance.randrange(9):
        case 0:
            state.set_hex(force, chance.choice(HEXES))
            return "moved"
        case 1:
            state.set_port(force, chance.choice(["", "A9"]))
            return "port"
        case 2:
            state.set_target(force, chance.choice(["", "A1", "C1"]))
            return "shadowing"
        case 3 if force.units:
            other = chance.choice(list(state.task_forces.values()))
            *stay, goes = force.units
            state.set_units(force, stay)
            state.set_units(other, [*other.units, goes])
            return "a unit went over"
        case 4 if force.units:
            other = chance.choice(list(state.task_forces.values()))
            *stay, goes = force.units
            state.set_units(other, [*other.units, goes] if other is not force else other.units)
            state.set_units(force, stay if other is not force else force.units)
            return "a unit came first and went then"
        case 5 if len(state.task_forces) > 3:
            state.remove_force(force.id)
            return "dissolved"
        case 6:
            key = f"A{chance.randint(20, 29)}"
            state.put_force(forces.TaskForce(id=key, side="alliance", hex=chance.choice(HEXES), units=[]))
            return "formed"
        case 7:
            state.set_side(force, "coalition" if force.side == "alliance" else "alliance")
            return "captured"
        case _:
            state.put_force(force.copied())
            return "replaced"


@pytest.mark.parametrize("seed", range(20))
def test_lookups_follow_every_change(seed: int):
    state, chance = world(WORLD), Random(seed)
    assert same(looked_up(state), plainly(state))
    for _ in range(60):
        done = change(state, chance)
        assert same(looked_up(state), plainly(state)), done


def test_after_a_change_by_hand_the_index_is_made_anew():
    state = world(WORLD)
    assign(state, "task_forces.A1.hex", "0404")
    assert same(looked_up(state), plainly(state))
    assign(state, "task_forces.A2", None, remove=True)
    assert same(looked_up(state), plainly(state))
    with pytest.raises(refusals.Refused):
        assign(state, "task_forces.A1.hex, task_forces.A1.side, task_forces.A1.speed", "0303")
    assert same(looked_up(state), plainly(state))


def test_a_list_that_was_looked_up_is_the_callers_own():
    state = world(WORLD)
    for found in (state.all_task_forces(), state.all_task_forces("alliance"), state.task_forces_in("0404")):
        found.clear()
    assert [tf.id for tf in state.all_task_forces("alliance")] == ["A1", "A2", "A9", "A10"]
    assert [tf.id for tf in state.task_forces_in("0404")] == ["A2", "A10", "C1"]


def test_copies_and_snapshots_have_lookups_of_their_own():
    state = world(WORLD)
    assert len(state.task_forces_in("0404")) == 3
    for other in (
        state.copied(),
        state.changed(units=dict(state.units), task_forces=state.copied().task_forces),
        State.from_json(state.to_json()),
    ):
        assert other == state
        assert canonical_json.canonical(other.to_json()) == canonical_json.canonical(state.to_json())
        other.set_hex(other.task_forces["A1"], "0404")
        assert same(looked_up(other), plainly(other))
        assert len(other.task_forces_in("0404")) == 4
        assert len(state.task_forces_in("0404")) == 3


NOW = "\nturn 2 impulse 1 half A initiative alliance"
SEEDS = range(24)


def seeded(state: State, seed: int) -> TurnContext[State]:
    """A table with real dice."""
    knowledge = {label.key: views.Knowledge() for label in SIDES}
    dice = DiceStream(b"a seed for lots, number %04d" % seed)
    return TurnContext(state, SharedTurn(dice=dice, sides=SIDES, knowledge=knowledge, now=When(turn=state.turn)), "T2")


def test_what_the_reader_knows_comes_first_and_lots_settle_the_rest() -> None:
    at = table(world("A1 0405 CA"), by_label={"lot/b": 1, "lot/a": 2, "lot/d": 1, "lot/c": 9})
    known = {"e": 0, "c": 1, "d": 1, "a": 2, "b": 2}
    assert as_seen(at, "abcde", lambda one: known[one], str) == ["e", "d", "c", "b", "a"]
    assert [roll.label for roll in at.shared.rolls] == ["T1/lot/c", "T1/lot/d", "T1/lot/a", "T1/lot/b"]


def test_one_thing_needs_no_lot_and_nobody_is_shown_one() -> None:
    at = seeded(world("A1 0405 CA"), 1)
    assert by_lot(at, ["a"], str) == ["a"]
    assert at.shared.rolls == []
    drawing(at)(["a", "b"])
    with pytest.raises(reports.Leak):
        at.tell(["alliance"], "A lot fell.", why=reports.because("PQ-17 6.2.2", {}, at.shared.rolls[:1]))


def outcomes(play: Callable[[int], str]) -> set[str]:
    """The results with many seeds; each seed always gives the same."""
    found = {seed: play(seed) for seed in SEEDS}
    assert {seed: play(seed) for seed in SEEDS[:3]} == {seed: found[seed] for seed in SEEDS[:3]}
    return set(found.values())


# --- numbers ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "6.2.2", "1.6.4.2")
def test_contacts_that_look_alike_are_numbered_by_lot() -> None:
    def numbered(seed: int) -> str:
        at = seeded(world(f"A1 0405 CA\nC1 0405 CA\nC2 0405 DD#3{NOW}"), seed)
        announce_detections(at)
        assert told(at, "alliance")[0].startswith("E1 in 0405")
        return "".join(str(at.state.tracks["alliance"].track_of(tf_id)) for tf_id in ("C1", "C2"))

    assert outcomes(numbered) == {"E1E2", "E2E1"}


@pytest.mark.rule("pq17", "6.2.2", "1.6.4.2")
def test_contacts_that_look_different_are_numbered_by_what_is_seen_whatever_their_owner_calls_them() -> None:
    def numbered(passive: str, active: str) -> list[str]:
        at = table(world(f"A1 0405 CA\n{active} 0405 CA\n{passive} 0405 CA passive{NOW}"))
        announce_detections(at)
        return told(at, "alliance")

    first = numbered("C2", "C1")
    assert numbered("C1", "C2") == first
    assert ["passive" in text for text in first] == [False, True]  # "Sensors active" stands before "Sensors passive"


@pytest.mark.rule("pq17", "1.6.4.2", "1.6.8.2", "7.3.7")
def test_a_lot_says_which_part_of_a_split_keeps_the_number_and_the_shadower() -> None:
    def split(seed: int) -> str:
        at = seeded(world(f"A1 0405 CA+DD ID1\nC1 0405 CA shadows A1{NOW}"), seed)
        at.state.tracks["coalition"].issue("A1")
        announce(at, reorganise(at.state, "alliance", {"A1": ["A1.CA"], "A2": ["A1.DD"]}, drawing(at)), rule="1.6.5.7")
        followed = at.state.task_forces["C1"].shadowing
        assert at.state.tracks["coalition"].track_of(followed) == "E1"
        return followed

    assert outcomes(split) == {"A1", "A2"}


@cases("name", "")
def test_of_contacts_that_merge_the_lowest_number_stays(name: str) -> None:
    at = table(world("A1 0405 CA ID1\nA2 0405 DD ID1\nC1 0405 CA"))
    book = at.state.tracks["coalition"]
    book.current = {"A2": "E4", "A1": "E11"}
    announce(at, reorganise(at.state, "alliance", {name: ["A1.CA", "A2.DD"]}), rule="1.6.5.7")
    assert book.current == {name: "E4"}
    assert told(at, "coalition")[0] == "Contact E11 has reorganised; its ships are now in E4."


# --- attempts ---------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "6.3.2", "SOP.2.b.v.5")
def test_searches_in_a_hex_are_resolved_by_lot_target_by_target() -> None:
    def searched(seed: int) -> str:
        at = seeded(world(f"A1 0405 CA ID1\nA2 0405 CA ID2\nC1 0405 CA ID1\nC2 0405 CA ID2{NOW}"), seed)
        announce_detections(at)
        by_id = {tf_id: at.state.tracks["coalition"].track_of(tf_id) for tf_id in ("A1", "A2")}
        target = at.state.tracks["alliance"].track_of("C1")
        sheet: Any = {"A1": {"target": target}, "A2": {"target": target}}
        run(reconnaissance_steps(at, "alliance"), lambda ask: sheet if ask.parties == ("alliance",) else None)
        attempts = [one.text for one in at.shared.reports if one.kind == "attempt" and one.is_for("coalition")]
        assert len(attempts) == 2
        return next(tf_id for tf_id in by_id if attempts[0].startswith(f"{by_id[tf_id]} searched your C1"))

    assert outcomes(searched) == {"A1", "A2"}


@pytest.mark.rule("pq17", "8.4.3")
def test_attacks_in_a_hex_are_resolved_by_lot_and_hexes_in_their_order() -> None:
    def attacked(seed: int) -> str:
        text = "A1 0909 CA ID1\nA2 0405 CA ID1\nA3 0405 CA ID2\nC1 0405 CA cloak ID0\nC2 0909 CA cloak ID0"
        at = seeded(world(text + NOW), seed)
        announce_detections(at)
        tracks = at.state.tracks["alliance"]
        here, there = tracks.track_of("C1"), tracks.track_of("C2")
        sheet: Any = {"A1": {"target": there}, "A2": {"target": here}, "A3": {"target": here}}
        steps = combat_steps(at, "alliance")
        batch = next(steps)
        batch = steps.send({ask.id: ask.answer_from(sheet) for ask in batch.asks if ask.kind == "attack"})
        tries = [one.text for one in at.shared.reports if one.kind == "attempt" and one.is_for("alliance")]
        assert batch.asks
        names = [text.split()[0] for text in tries]
        assert names[-1] == "A1"  # 0909 after 0405
        return names[0]

    assert outcomes(attacked) == {"A2", "A3"}


# --- boards -----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "1.8.10.1")
def test_known_bases_are_listed_by_hex() -> None:
    state = world("A1 0909 BATS base Far known\nA2 0202 BATS base Near known\nC1 0505 BATS base Mid known")
    assert [tf.hex for tf in known_bases(state)] == ["0202", "0505", "0909"]
