"""Chapter 12.6: sweeping as an attack attempt, the Minefield Step, and wear."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch05_movement.movement import must_stay
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.ch08_combat.declarations import able_to_attack, attack_ask
from rules_engine.rulebooks.pq17.ch12_mines.removal import minefield_step, wear_minefields
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.sequence import tactical_logistics_steps
from tests.expected.kept import cases
from tests.rulebooks.pq17.worlds.minefields import at_mines, field_of
from tests.rulebooks.pq17.worlds.notation import run, told

# Speed 3, good conditions: passive and warp off make column 3. Force row U is 01-20 and row 0 21-25, so that against
# a minefield at ID0 01-25 succeeds; of the Scout rows 01-43.
GOOD = 5


def sweep(at: TurnContext[State], sheet: dict[str, Any] | None = None) -> list[AnyAsk]:
    """Play detection and the combat step with the Alliance sweeping; returns what was asked."""
    asked: list[AnyAsk] = []

    def answer(ask: AnyAsk) -> Any:
        asked.append(ask)
        return (sheet or {"A1": {"target": "E1"}}) if ask.parties == ("alliance",) else None

    announce_detections(at)
    run(combat_steps(at, "alliance"), answer)
    return asked


@pytest.mark.rule("pq17", "12.6.3", "12.6.3.1", "12.6.3.2", "SOP.2.b.ix.2")
def test_a_successful_attempt_takes_a_point_at_the_end_of_the_impulse() -> None:
    at = at_mines("mines 0405 coalition 4 ID0\nA1 0405 MS+CA speed 2", GOOD, 25)
    sweep(at)
    assert field_of(at.state, "coalition", "0405").strength == 4
    assert at.state.units["A1.CA"].fuel == 34 - 2  # 2 x MC, and not the 4 of combat
    assert not at.state.units["A1.CA"].marks.paid_combat
    assert at.state.battles == []
    minefield_step(at)
    assert field_of(at.state, "coalition", "0405").strength == 3
    assert told(at, "coalition")[-1] == "Your minefield in 0405 now has strength 3."
    minefield_step(at)
    assert field_of(at.state, "coalition", "0405").strength == 3


@pytest.mark.rule("pq17", "12.6.3")
def test_an_attempt_that_fails_takes_nothing_and_was_the_forces_attack_of_the_impulse() -> None:
    at = at_mines("mines 0405 coalition 4 ID0\nA1 0405 CA speed 2", GOOD, 26)
    at.state.doctrine["alliance"].ask_every_impulse = True
    sweep(at)
    minefield_step(at)
    assert field_of(at.state, "coalition", "0405").strength == 4
    assert able_to_attack(at.state, "alliance") == {}  # one attempt an impulse (8.3.2)
    assert must_stay(at.state, at.state.task_forces["A1"]) == "5.3.5.3"
    assert "E1 swept your minefield in 0405: failed." in told(at, "coalition")


@pytest.mark.rule("pq17", "12.6.3.3")
@cases("units, rolls, strength")
def test_each_minesweeper_gives_another_attempt(units: str, rolls: tuple[int, ...], strength: int) -> None:
    at = at_mines(f"mines 0405 coalition 4 ID0\nA1 0405 {units} speed 2", GOOD, *rolls)
    sweep(at)
    minefield_step(at)
    assert field_of(at.state, "coalition", "0405").strength == strength
    assert at.shared.dice.rolls == []  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.rule("pq17", "12.6.3")
def test_for_sweeping_only_a_working_scout_reads_the_scout_rows() -> None:
    for units, strength in (("MS", 4), ("MS+SC", 3)):
        at = at_mines(f"mines 0405 coalition 4 ID0\nA1 0405 {units} speed 2", GOOD, 43, 43)
        sweep(at)
        minefield_step(at)
        assert field_of(at.state, "coalition", "0405").strength == strength


@pytest.mark.rule("pq17", "12.6.3", "12.2.2")
def test_two_forces_may_sweep_the_last_two_points_away() -> None:
    at = at_mines("mines 0405 coalition 2 ID0\nA1 0405 MS speed 2\nA2 0405 MS speed 2", GOOD, 1, 1)
    sweep(at, {"A1": {"target": "E1"}, "A2": {"target": "E1"}})
    minefield_step(at)
    assert (at.state.mines.fields, told(at, "alliance")[-1]) == ({}, "Minefield E1 in 0405 is no more.")
    assert defects(at.state) == []


@pytest.mark.rule("pq17", "12.6.3", "6.2.3")
def test_a_minefield_at_u_must_be_searched_before_it_is_swept() -> None:
    at = at_mines("mines 0405 coalition 4\nA1 0405 MS speed 2\nC1 0405 CA ID0")
    announce_detections(at)
    ask = attack_ask(at, "alliance", able_to_attack(at.state, "alliance"))
    field = at.state.tracks["alliance"].current["coalition 0405"]
    with pytest.raises(Refused, match=r"search it first.*8\.4\.2"):
        ask.answer_from({"A1": {"target": field}})


@pytest.mark.rule("pq17", "12.6.3.1")
@pytest.mark.parametrize(("fuel", "offered"), [("2", True), ("7/4", False)])
def test_fuel_for_sweeping_is_enough_though_it_is_not_for_combat(fuel: str, offered: bool) -> None:
    # sweeping costs the cruiser 2, combat 4; C1 in the hex cannot be attacked
    at = at_mines(f"mines 0405 coalition 4 ID0\nA1 0405 CA[fuel={fuel}]+MS speed 2\nC1 0405 CA ID0")
    announce_detections(at)
    ask = attack_ask(at, "alliance", able_to_attack(at.state, "alliance"))
    targets = [choice.label for line in ask.form.lines for choice in line.fields[0].choices]
    assert [label.split(",")[0].rstrip("12") for label in targets] == (["sweep minefield E"] if offered else [])


@pytest.mark.rule("pq17", "12.6.3.1", "12.6.3")
@cases("text, rule", "")
def test_who_may_not_sweep_is_refused(text: str, rule: str) -> None:
    at = at_mines(f"mines 0405 coalition 4 ID0\n{text}")
    announce_detections(at)
    ask = attack_ask(at, "alliance", able_to_attack(at.state, "alliance"))
    with pytest.raises(Refused) as refused:
        ask.answer_from({"A1": {"target": "E1"}})
    assert f"PQ-17 {rule}" in str(refused.value)


def test_a_minefield_alone_asks_only_who_has_a_minesweeper_or_wants_to_be_asked() -> None:
    for units, always, asks in (("CA", False, False), ("CA", True, True), ("CA+MS", False, True)):
        at = at_mines(f"mines 0405 coalition 4 ID0\nA1 0405 {units} speed 2")
        announce_detections(at)
        at.state.doctrine["alliance"].ask_every_impulse = always
        assert bool(able_to_attack(at.state, "alliance")) is asks


# --- wear -------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "12.6.2", "SOP.2.c.iii", "12.2.1")
def test_a_minefield_that_attacked_loses_one_point_at_the_turns_end_however_often_it_did() -> None:
    at = at_mines("mines 0405 coalition 4\nmines 0404 coalition 2")
    field_of(at.state, "coalition", "0405").attacked = True
    run(tactical_logistics_steps(at))
    assert [one.strength for one in at.state.mines.fields.values()] == [3, 2]
    assert told(at, "coalition") == ["Your minefield in 0405 now has strength 3."]
    assert told(at, "alliance") == []
    run(tactical_logistics_steps(at))  # the next turn, without an attack
    assert [one.strength for one in at.state.mines.fields.values()] == [3, 2]


@pytest.mark.rule("pq17", "12.6.1", "12.6.2")
def test_time_and_passing_enemies_that_are_not_attacked_take_nothing() -> None:
    at = at_mines("mines 0405 coalition 1 ID3\nA1 0405 CA")
    for _ in range(3):
        announce_detections(at)
        minefield_step(at)
        wear_minefields(at)
    assert field_of(at.state, "coalition", "0405").strength == 1
