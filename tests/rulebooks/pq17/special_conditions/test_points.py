"""Points for operations' attacks, and for searches of bases."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import searchers
from rules_engine.rulebooks.pq17.ch08_combat import attack
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.nations.victory_points import close_period
from rules_engine.rulebooks.pq17.records.forces import UNMARKED, IdLevel
from rules_engine.rulebooks.pq17.records.special_conditions import Shipload
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions.points import reveal_specials
from rules_engine.rulebooks.pq17.special_conditions.points_for_searches import (
    is_worth_searching,
    note_search,
    watch_bastion,
)
from rules_engine.rulebooks.pq17.special_conditions.points_in_battle import Before, is_hurt, note_cargo_lost
from tests.expected.kept import cases
from tests.form_documents import form_document
from tests.rulebooks.pq17.worlds.battles import at_battle, attacks, battle_asks
from tests.rulebooks.pq17.worlds.notation import run, table, told
from tests.rulebooks.pq17.worlds.special_conditions import event, executes, holds, seen, special_world


def attacked(
    state: State, base: str, attacker: str, *, winner: str, sheets: dict[str, dict[str, Any]] | None = None
) -> TurnContext[State]:
    """``attacker`` attacks the known base of that task force; the battle ends as ``sheets`` say, by class of unit."""
    side = state.task_forces[attacker].side
    at = table(state, by_label={"/surprise": 5, "local conditions": 50, "attack/": 1})
    announce_detections(at)
    name = state.task_forces[base].base.name  # pyright: ignore[reportOptionalMemberAccess]

    def answer(ask: Any) -> Any:
        if ask.kind == "attack" and ask.parties == (side,):
            return {attacker: {"target": name}}
        if ask.kind != "battle":
            return None
        form = ask.form.prefilled()
        form["battle"]["winner"] = winner
        (battle,) = state.battles
        for neutral, unit_id in battle.names.items():
            unit = state.units[unit_id]
            form[neutral] |= (sheets or {}).get(unit.class_id, {})
            if unit.side != winner and form[neutral]["fate"] == "ok":
                form[neutral] |= {"fate": "destroyed" if unit.class_id == "BATS" else "disengaged"}
            if form[neutral]["fate"] == "disengaged":
                form[neutral]["turn"] = 1
        return form

    run(attack.combat_steps(at, side), answer)
    return at


def gone(side: str, **more: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The attacker of ``side`` has disengaged; the base is as ``more`` says."""
    return {"CA" if side == "alliance" else "CL": {"fate": "disengaged", "turn": 1}, **more}


def hidden(state: State) -> list[Fraction]:
    return [line.amount for line in state.ledger if line.line == "C.special"]


def kiel() -> State:
    return special_world("A1 1715 CA speed 1 / turn 2 impulse 1 half A initiative alliance")


HURT = {"BATS": {"awr": 11}}


# --- operations -------------------------------------------------------------------------------------------------------
@cases("case, proves, forces, rolled, base, attacker, winner, sheets, points, public", "points, public")
def test_what_an_attack_on_a_base_scores(
    *, forces: str, rolled: str, base: str, attacker: str, winner: str, sheets: dict[str, dict[str, Any]],
    points: list[str], public: str,
) -> None:  # fmt: skip
    """Of C.special in secret, and of all else in public. A BATS is worth 180/60 = 3."""
    side = "alliance" if attacker.startswith("A") else "coalition"
    state = special_world(f"{forces} / {rolled} / turn 2 impulse 1 half A initiative {side}")
    place = state.task_forces[base]
    place.base.known, place.id_level = True, IdLevel.ID3
    attacked(state, base, attacker, winner=winner, sheets=sheets)
    assert [str(amount) for amount in hidden(state)] == points
    assert str(sum(line.amount for line in state.ledger if line.line != "C.special")) == public


@pytest.mark.rule("pq17", "C.special.gale-force", "C.special.clean-sweep")
def test_only_the_first_attack_of_the_period_that_was_plotted_counts() -> None:
    state = kiel()
    executes(state, "alliance", "gale force", "Kiel").fought = True
    attacked(state, "C90", "A1", winner="coalition", sheets=gone("alliance") | HURT)
    assert hidden(state) == []


@pytest.mark.rule("pq17", "C.special.reforger")
def test_reforger_waits_for_the_first_attack_that_does_downbelow_harm_and_counts_no_other() -> None:
    """An attack without internal damage leaves its points to the next one (ruling SPC-7)."""
    state = special_world("C1 0617 CL#3 speed 1\nturn 2 impulse 1 half A initiative coalition")
    executes(state, "coalition", "reforger", "Downbelow")
    found: list[list[Fraction]] = []
    for impulse, base in ((1, {}), (2, {"battery": 1}), (3, {"battery": 0})):
        state.impulse = impulse
        for unit in state.units.values():
            unit.marks = UNMARKED
        attacked(state, "A92", "C1", winner="alliance", sheets=gone("coalition", DOCK=base))
        found.append(hidden(state))
    assert found == [[], [-5], [-5]]


@pytest.mark.rule("pq17", "C.special.gale-force", "C.special.clean-sweep")
@pytest.mark.unseen(
    "pq17", reports=("attempt", "battle", "contact", "declared"), asks=("attack", "battle", "power", "reform")
)
def test_the_attacked_side_sees_the_same_whether_or_not_an_operation_was_carried_out() -> None:
    def fought(carried: bool) -> TurnContext[State]:
        state = kiel()
        holds(state, "alliance", "gale force")
        if carried:
            executes(state, "alliance", "gale force", "Kiel")
        return attacked(state, "C90", "A1", winner="coalition", sheets=gone("alliance") | HURT)

    one, other = fought(True), fought(False)
    assert seen(one, "coalition") == seen(other, "coalition")
    assert any("GALE FORCE" in text for text in told(one, "alliance"))


@pytest.mark.rule("pq17", "SOP.1.e", "C.special.sizilien")
def test_what_has_scored_is_revealed_in_the_administrative_step_and_only_that() -> None:
    state = kiel()
    executes(state, "alliance", "gale force", "Kiel")
    holds(state, "alliance", "clean sweep")
    at = attacked(state, "C90", "A1", winner="coalition", sheets=gone("alliance") | HURT)
    assert not any("GALE FORCE" in text for text in told(at, "coalition"))
    close_period(at)
    reveal_specials(state)
    assert sum("Revealed" in text and "GALE FORCE" in text for text in told(at, "coalition")) == 2
    assert {one.name: one.revealed for one in state.special.conditions} == {"gale force": True, "clean sweep": False}


# --- searches ---------------------------------------------------------------------------------------------------------
@cases("case, proves, side, rolled, searches, points, worth, searching", "points, worth, searching")
def test_what_searches_of_bases_score(
    *, side: str, rolled: str, searches: list[tuple[str, int]], points: list[str], worth: list[str], searching: bool
) -> None:
    """``searches`` are bases with the levels gained; ``worth`` are those that are worth a search afterwards. A1
    searches it then, though a known base has nothing to tell."""
    state = special_world(f"A1 1715 CA speed 1 / turn 5 impulse 1 / {rolled}")
    at = table(state)
    for base, levels in searches:
        note_search(at, side, state.task_forces[base], levels)
    assert [f"{line.amount} {line.line} {' '.join(line.seen_by)}" for line in state.ledger] == points
    bases = state.all_task_forces(state.enemy_of(side))
    assert [tf.id for tf in bases if tf.is_base and is_worth_searching(state, side, tf)] == worth
    assert ("A1" in [one.key for one in searchers(state, "alliance")]) is searching


@pytest.mark.rule("pq17", "C.special.gale-force")
def test_kiel_scores_again_in_another_period() -> None:
    state = special_world("turn 5 impulse 1 / holds alliance: gale force")
    note_search(table(state), "alliance", state.task_forces["C90"], 3)
    state.turn = 31
    holds(state, "alliance", "gale force", 2)
    assert is_worth_searching(state, "alliance", state.task_forces["C90"])


@pytest.mark.rule("pq17", "C.special.gale-force")
def test_kiel_does_not_count_once_it_has_changed_hands() -> None:
    state = special_world("turn 5 impulse 1 / holds alliance: gale force")
    state.set_side(state.task_forces["C90"], "alliance")
    assert not is_worth_searching(state, "alliance", state.task_forces["C90"])


@pytest.mark.rule("pq17", "C.random.port-reconnaissance")
def test_another_base_must_be_searched_until_all_known_ones_have_been() -> None:
    state = special_world("turn 5 impulse 1")
    bases = ["A90", "A91", "A92", "A93", "A94"]
    for number, base in enumerate(bases, start=1):
        state.turn = 30 * number
        state.special.tallies = []
        event(state, "coalition", "port reconnaissance", number)
        for done in bases[: number - 1]:
            assert not is_worth_searching(state, "coalition", state.task_forces[done])
        note_search(table(state), "coalition", state.task_forces[base], 4)
        assert len(state.ledger) == number
    state.turn = 180
    event(state, "coalition", "port reconnaissance", 6)
    assert is_worth_searching(state, "coalition", state.task_forces["A90"])


@pytest.mark.rule("pq17", "C.random.port-reconnaissance")
def test_an_unknown_base_that_is_not_held_does_not_hold_up_the_others() -> None:
    state = special_world("turn 5 impulse 1 / event alliance: port reconnaissance")
    note_search(table(state), "alliance", state.task_forces["C90"], 3)
    state.turn = 31
    event(state, "alliance", "port reconnaissance", 2)
    assert is_worth_searching(state, "alliance", state.task_forces["C90"])  # the Bastion is not located


@pytest.mark.rule("pq17", "C.special.clean-sweep")
def test_the_bastion_at_id3_scores_two_once_after_clean_sweep_is_rolled() -> None:
    state = special_world("turn 5 impulse 1")
    at = table(state)
    bastion = state.task_forces["C91"]
    bastion.id_level = IdLevel.ID3
    watch_bastion(at)
    assert state.ledger == []
    holds(state, "alliance", "clean sweep")
    bastion.id_level = IdLevel.ID2
    watch_bastion(at)
    assert state.ledger == []
    bastion.id_level = IdLevel.ID3
    watch_bastion(at)
    watch_bastion(at)
    assert [(line.amount, line.public) for line in state.ledger] == [(2, False)]
    assert told(at, "coalition") == []


def test_a_result_form_says_nothing_of_operations() -> None:
    plain, carried = kiel(), kiel()
    executes(carried, "alliance", "gale force", "Kiel")
    asks = [next(battle_asks(at_battle(state), attacks("A1>Kiel"))) for state in (plain, carried)]
    assert form_document(asks[0].form) == form_document(asks[1].form)
    assert asks[0].text == asks[1].text


@pytest.mark.rule("pq17", "C.special.reforger", "C.special.gale-force")
@cases("before, now, repaired, hurt")
def test_who_has_taken_internal_damage_in_a_battle(
    before: dict[str, int], now: dict[str, int], repaired: int, *, hurt: bool
) -> None:
    """Own ruling PQ-67."""
    state = special_world("C1 0607 CA")
    unit = state.units["C1.CA"]
    unit.repairs = unit.repairs.with_values(damage=now)
    held = Before(execution=None, base="", destroyed={unit.id: before} if before else {}, supply={})
    assert is_hurt(state, unit, held, destroyed=False, repaired=repaired) is hurt
    assert is_hurt(state, unit, held, destroyed=True, repaired=repaired)


@pytest.mark.rule("pq17", "C.special.coalition-convoy")
@cases("fate, aboard, left, destroyed")
def test_cargo_of_a_coalition_convoy_that_is_lost(fate: str, aboard: int, left: int, destroyed: int) -> None:
    """Of 40 full boxes; captured ones count for neither side."""
    state = special_world("C1 0607 CA")
    unit = state.units["C1.CA"]
    unit.supply = aboard
    state.special.shiploads = [Shipload(unit=unit.id, period=1, left=40)]
    note_cargo_lost(state, unit, 40, fate)
    (load,) = state.special.shiploads
    assert (load.left, load.destroyed) == (left, destroyed)
