"""Chapter 12.7: when a minefield attacks, how often, and whom."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch05_movement.movement import move, must_stay
from rules_engine.rulebooks.pq17.ch08_combat import attack, declarations
from rules_engine.rulebooks.pq17.ch12_mines.attacks import (
    SHIELD_OF,
    attack_steps,
    minefield_attack_steps,
    number_of_attacks,
    strikes_due,
)
from rules_engine.rulebooks.pq17.ch12_mines.removal import minefield_step, wear_minefields
from rules_engine.rulebooks.pq17.contacts import detection, minefields
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.sequence import half_steps, tactical_logistics_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.notation import asked_in, run, table, told
from tests.rulebooks.pq17.worlds.repair import at_mines, field_of, mined, number_of, track_of

# --- chapter 12.6: sweeping as an attack attempt, the Minefield Step, and wear ----------------------------------------
# Speed 3, good conditions: passive and warp off make column 3. Force row U is 01-20 and row 0 21-25, so that against
# a minefield at ID0 01-25 succeeds; of the Scout rows 01-43.
GOOD = 5


def sweep(at: TurnContext[State], sheet: dict[str, Any] | None = None) -> list[AnyAsk]:
    """Play detection and the combat step with the Alliance sweeping; returns what was asked."""
    orders = sheet or {"A1": {"target": "E1"}}
    detection.announce_detections(at)
    steps = attack.combat_steps(at, "alliance")
    return asked_in(steps, lambda ask: orders if ask.parties == ("alliance",) else None)


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
    assert declarations.able_to_attack(at.state, "alliance") == {}  # one attempt an impulse (8.3.2)
    assert must_stay(at.state, at.state.task_forces["A1"]) == "5.3.5.3"
    assert "E1 swept your minefield in 0405: failed." in told(at, "coalition")


ATTACKED = "mines 0405 coalition 4 ID0\nA1 0405 MS{fuel}+CA speed 2 ID0\nC1 0405 CA speed 2"


def attacked_after(sweeps: bool, fuel: str = "") -> tuple[TurnContext[State], list[AnyAsk]]:
    """The Alliance's force, which has swept mines or has not, is successfully attacked; what was asked in the step."""
    at = table(mined(ATTACKED.format(fuel=fuel)), by_label={"": 1})

    def answer(ask: AnyAsk) -> Any:
        match ask.kind, ask.parties:
            case "attack", ("alliance",):
                return {"A1": {"target": track_of(at.state, "coalition", "0405")}} if sweeps else {}
            case "attack", ("coalition",):
                return {"C1": {"target": number_of(at.state, "A1")}}
            case "battle", _:
                return {"battle": {"winner": "nobody", "turns": 1}} | {
                    line.key: {"fate": "destroyed"} for line in ask.form.lines if line.key != "battle"
                }
            case _:
                return None

    detection.announce_detections(at)
    return at, asked_in(attack.combat_steps(at, "alliance"), answer)


@cases("sweeps, fuel", made="fuel")
def test_who_swept_mines_is_not_offered_less_power_when_attacked(sweeps: bool, fuel: int) -> None:
    """Ruling X-01: sweeping is an attack attempt. It costs the cruiser 2 points, and the battle 4 either way."""
    at, asked = attacked_after(sweeps)
    assert ["power" in {ask.kind for ask in asked}, at.state.units["A1.CA"].fuel] == [not sweeps, fuel]
    assert at.state.units["A1.CA"].boxes_off == 0


@pytest.mark.rule("pq17", "8.3.5.2.1", "9.7", "12.6.3.1")
def test_who_swept_mines_and_has_too_little_fuel_left_fights_with_what_it_can_pay() -> None:
    """1 of fuel less 2 x 1/3 is 1/3; the battle is 4/3: 10 boxes x 1/4 are 2 whole ones, for 4/3 x 2/10 = 4/15."""
    at, asked = attacked_after(sweeps=True, fuel="[fuel=1]")
    sweeper = at.state.units["A1.MS"]
    assert "power" not in {ask.kind for ask in asked}
    assert (sweeper.boxes_off, sweeper.fuel) == (8, Fraction(1, 3) - Fraction(4, 15))


@cases("proves, units, rolls, strength")
def test_each_minesweeper_gives_another_attempt(units: str, rolls: tuple[int, ...], strength: int) -> None:
    at = at_mines(f"mines 0405 coalition 4 ID0\nA1 0405 {units} speed 2", GOOD, *rolls)
    sweep(at)
    minefield_step(at)
    assert field_of(at.state, "coalition", "0405").strength == strength
    assert at.shared.dice.rolls == []  # pyright: ignore[reportAttributeAccessIssue]


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
    detection.announce_detections(at)
    ask = declarations.attack_ask(at, "alliance", declarations.able_to_attack(at.state, "alliance"))
    field = at.state.tracks["alliance"].current["coalition 0405"]
    with pytest.raises(Refused, match=r"search it first.*8\.4\.2"):
        ask.answer_from({"A1": {"target": field}})


@cases("fuel, offered")
def test_fuel_for_sweeping_is_enough_though_it_is_not_for_combat(fuel: str, offered: bool) -> None:
    # sweeping costs the cruiser 2, combat 4; C1 in the hex cannot be attacked
    at = at_mines(f"mines 0405 coalition 4 ID0\nA1 0405 CA[fuel={fuel}]+MS speed 2\nC1 0405 CA ID0")
    detection.announce_detections(at)
    ask = declarations.attack_ask(at, "alliance", declarations.able_to_attack(at.state, "alliance"))
    targets = [choice.label for line in ask.form.lines for choice in line.fields[0].choices]
    assert [label.split(",")[0].rstrip("12") for label in targets] == (["sweep minefield E"] if offered else [])


@cases("text, rule", "")
def test_who_may_not_sweep_is_refused(text: str, rule: str) -> None:
    at = at_mines(f"mines 0405 coalition 4 ID0\n{text}")
    detection.announce_detections(at)
    ask = declarations.attack_ask(at, "alliance", declarations.able_to_attack(at.state, "alliance"))
    with pytest.raises(Refused) as refused:
        ask.answer_from({"A1": {"target": "E1"}})
    assert f"PQ-17 {rule}" in str(refused.value)


@cases("units, always, asks")
def test_a_minefield_alone_asks_only_who_has_a_minesweeper_or_wants_to_be_asked(units: str, always: bool, asks: bool):
    at = at_mines(f"mines 0405 coalition 4 ID0\nA1 0405 {units} speed 2")
    detection.announce_detections(at)
    at.state.doctrine["alliance"].ask_every_impulse = always
    assert bool(declarations.able_to_attack(at.state, "alliance")) is asks


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
        detection.announce_detections(at)
        minefield_step(at)
        wear_minefields(at)
    assert field_of(at.state, "coalition", "0405").strength == 1


NONE = (1,)
"""A number roll that leaves no attack against a minefield of strength 1 known at ID3: 1 - 3 + 1."""


def strikes(at: TurnContext[State], answers: dict[str, Any] | None = None) -> list[AnyAsk]:
    """Play the minefield attacks; returns what was asked."""
    return asked_in(minefield_attack_steps(at), lambda ask: (answers or {}).get(ask.kind))


def due(state: State) -> list[tuple[str, str]]:
    """The sets of attacks that are due: whom, and by the minefield of which hex."""
    return [(one.task_force, one.hex) for one in strikes_due(state)]


# --- when -------------------------------------------------------------------------------------------------------------
@cases("proves, text, sets")
def test_each_movement_meets_each_minefield_of_an_enemy_once(text: str, sets: list[tuple[str, str]]) -> None:
    state = mined(text)
    move(state, "alliance")
    assert sorted(due(state)) == sets


@pytest.mark.rule("pq17", "12.7.2")
def test_bases_and_what_is_in_their_hex_without_moving_are_not_attacked() -> None:
    state = mined("mines 0405 coalition 4\nA9 0405 BATS base Haven known\nA1 0405 CA port A9\nsettled 0405 alliance")
    minefields.note_transit(state, "A9", "0405", "0405")
    move(state, "alliance")
    assert due(state) == []


@cases("word", "")
def test_entering_and_leaving_port_are_movement_points_expended_there(word: str) -> None:
    state = mined(f"mines 0405 coalition 4\nA9 0405 DOCK base Haven known\nA1 0405 CA speed 2{word} plot port")
    move(state, "alliance")
    assert bool(state.task_forces["A1"].in_port) is not bool(word)
    assert due(state) == [("A1", "0405")]


@pytest.mark.rule("pq17", "12.7.3")
def test_placement_in_a_mined_hex_is_entering_it_and_leaving_the_map_is_leaving_it() -> None:
    state = mined("mines 0405 coalition 4\nA1 0405 CA")
    minefields.note_transit(state, "A1", "", "0405")
    assert due(state) == [("A1", "0405")]
    state.mines.transits = []
    minefields.note_transit(state, "A1", "0405", "")
    assert due(state) == [("A1", "0405")]


@pytest.mark.rule("pq17", "SOP.2.b.iv", "12.7.3")
def test_who_is_placed_in_plot_movement_is_attacked_in_the_half_of_its_own_side() -> None:
    at = at_mines("mines 0405 coalition 1\nA1 0405 CA", 1, 7, 7)
    minefields.note_transit(at.state, "A1", "", "0405")
    run(minefield_attack_steps(at, "coalition"))
    assert told(at, "alliance") == []
    run(minefield_attack_steps(at, "alliance"))
    assert told(at, "alliance") == ["A1 met the minefield in 0405: 2 mine attacks, no hit."]
    assert at.state.mines.transits == []


@pytest.mark.rule("pq17", "SOP.2.b.iv", "12.4.1", "12.7.3")
def test_attacks_come_after_detections_in_the_half_of_who_moved(kept: Kept) -> None:
    # 1 - 0 + 1 = 2 attacks, both on the only ship, and both miss
    at = at_mines("mines 0405 coalition 1\nA1 0406 CA speed 2 plot 0405\nC1 0607 CA speed 2 plot 0606", 1, 7, 7)
    at.state.half, at.state.impulse = "A", 1
    run(half_steps(at.at("A"), "alliance"))
    texts = told(at, "alliance")
    found = texts.index("E1 in 0405, U: Operational minefield.")
    assert found < texts.index("A1 met minefield E1 in 0405: 2 mine attacks, no hit.")
    assert told(at, "coalition") == kept()
    assert at.state.mines.transits == []


# --- how many ---------------------------------------------------------------------------------------------------------
@cases("rolled, level, sweepers, strength, attacks, proves")
def test_how_many_attacks_there_are(rolled: int, level: int, sweepers: int, strength: int, attacks: int) -> None:
    assert number_of_attacks(rolled, level=level, sweepers=sweepers, strength=strength) == attacks


# --- whom -------------------------------------------------------------------------------------------------------------
@cases("proves, text, rolls, screen, asked, where, said", "asked, said")
def test_how_mines_attack_whom_the_alliances_movement_led_to_them(
    text: str, rolls: tuple[int, ...], screen: str | None, *, asked: list[str], where: str, said: list[str]
) -> None:
    """The first roll is for the number of attacks, then come ships by lot, attack rolls, and shields."""
    at = at_mines(text, *rolls)
    move(at.state, "alliance")
    assert [ask.kind for ask in strikes(at, {"screen": {"A1": {"screen": screen}}})] == asked
    assert (at.state.task_forces["A1"].hex, told(at, "alliance")) == (where, said)


@pytest.mark.rule("pq17", "12.7.6")
def test_the_shield_table() -> None:
    expected = {1: 1, 2: 1, 3: 1, 4: 2, 5: 2, 6: 3, 7: 4, 8: 5, 9: 6, 10: 6}
    assert {face: SHIELD_OF[face - 1] for face in range(1, 11)} == expected


@pytest.mark.rule("pq17", "12.7.8")
def test_who_does_not_screen_has_all_attacks_fall_by_lot() -> None:
    # 3 - 1 + 1 = 3 attacks, all on ship 1
    at = at_mines("mines 0405 coalition 1\nA1 0405 CA+MS speed 2 plot stay", 3, 1, 1, 1, 7, 7, 7)
    move(at.state, "alliance")
    strikes(at, {"screen": {"A1": {"screen": "no"}}})
    assert [label.rpartition("/")[2] for label in at.shared.dice.asked] == [  # pyright: ignore[reportAttributeAccessIssue]
        "number of mine attacks",
        "ships attacked",
        "attack rolls",
    ]


# --- what each side learns --------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "12.7.3", "12.6.2")
def test_the_owner_hears_of_an_attack_but_not_of_how_many_and_what_they_did() -> None:
    said: list[list[str]] = []
    for rolls in ((1, 7, 7), (10, *[7] * 11), (1, 9, 7, 1)):
        at = at_mines("mines 0405 coalition 1\nA1 0405 SH speed 2 plot stay", *rolls)
        detection.announce_detections(at)
        at.shared.reports.clear()
        move(at.state, "alliance")
        strikes(at)
        said.append(
            [f"{one.text} {one.why.text() if one.why else ''}" for one in at.shared.reports if one.is_for("coalition")]
        )
    assert said[0] == said[1] == said[2]
    assert [text.partition(".")[0] for text in said[0]] == ["Your minefield in 0405 attacked contact E1"]


@pytest.mark.rule("pq17", "12.7.3")
def test_an_attack_that_comes_to_nothing_is_not_heard_of_by_the_owner() -> None:
    at = at_mines("mines 0405 coalition 1 ID3\nA1 0405 CA speed 2 plot stay", *NONE)
    detection.announce_detections(at)
    at.shared.reports.clear()
    move(at.state, "alliance")
    strikes(at)
    assert told(at, "alliance") == ["A1 met minefield E1 in 0405: 0 mine attacks, no hit."]
    assert told(at, "coalition") == []
    assert not field_of(at.state, "coalition", "0405").attacked


@pytest.mark.rule("pq17", "12.7.3", "12.4.4")
@pytest.mark.unseen("pq17", reports=("mines",))
def test_the_number_that_was_rolled_is_shown_to_nobody_since_it_would_tell_the_strength() -> None:
    at = at_mines("mines 0405 coalition 3\nA1 0405 CA speed 2 plot stay", 2, *[7] * 5)
    move(at.state, "alliance")
    strikes(at)
    (number,) = [roll for roll in at.shared.rolls if roll.purpose == "number of mine attacks"]
    assert number.seen_by == frozenset()
    assert number not in [roll for report in at.shared.reports if report.why for roll in report.why.dice]
    # two minefields that come to the same number of attacks cannot be told apart
    other = at_mines("mines 0405 coalition 1\nA1 0405 CA speed 2 plot stay", 4, *[7] * 5)
    move(other.state, "alliance")
    strikes(other)
    assert [one.model_dump() for one in other.shared.reports] == [one.model_dump() for one in at.shared.reports]


# --- mines that are nobody's ------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "12.7.3", "C.random.residual-minefield")
def test_a_residual_minefield_attacks_like_one_of_strength_0_at_id0() -> None:
    # 4 - 0 - 1 minesweeper + 0 = 3 attacks
    at = at_mines("A1 0405 CA+MS speed 2", 4, 1, 1, 7, 7, 7)
    run(attack_steps(at, at.state.task_forces["A1"], strength=0, level=IdLevel.ID0))
    assert told(at, "alliance") == ["A1 met a residual minefield in 0405: 3 mine attacks, no hit."]
    assert told(at, "coalition") == []
