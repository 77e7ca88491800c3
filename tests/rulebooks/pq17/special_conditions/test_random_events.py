"""Random events: what is offered when, what it does, and what the other side learns."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import searching_hexes
from rules_engine.rulebooks.pq17.ch06_reconnaissance.step import reconnaissance_steps
from rules_engine.rulebooks.pq17.ch08_combat.attack import combat_steps
from rules_engine.rulebooks.pq17.ch08_combat.declarations import able_to_attack, attack_ask, attackable
from rules_engine.rulebooks.pq17.ch12_mines.attacks import old_mines_steps
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections, contact_hexes, start_impulse
from rules_engine.rulebooks.pq17.nations.conditions_in_force import event_now, is_cautious
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.special_conditions import Spy
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.special_conditions import random_events
from tests.expected.kept import cases
from tests.form_documents import form_text
from tests.rulebooks.pq17.worlds.battles import detected
from tests.rulebooks.pq17.worlds.notation import asks_of, run, situation, table, told
from tests.rulebooks.pq17.worlds.special_conditions import asked_of, event, holds, seen, special_world

NOW = "\nturn 2 impulse 1 half A initiative coalition"
DUEL = "A1 0405 CA speed 1 ID1\nC1 0405 CA speed 1 ID1"


def met(text: str, *rolls: int, bases: str = "", **labels: int) -> TurnContext[State]:
    state = special_world(text + NOW, bases=bases)
    return detected(table(state, *rolls, by_label={"local conditions": 5, "/surprise": 5, **labels}))


def by_kind(**sheets: Any) -> Any:
    """Answers by kind of ask, underscores for spaces; attacks are the Coalition's; all else by default."""

    def answer(ask: AnyAsk) -> Any:
        if ask.kind == "attack" and ask.parties != ("coalition",):
            return None
        return sheets.get(ask.kind.replace(" ", "_"))

    return answer


def use(on: str | None = None, again: str = "new") -> dict[str, Any]:
    return {"use": {"on": on, "again": again}}


# --- elusive target ---------------------------------------------------------------------------------------------------
STEPS: dict[str, Any] = {"search": reconnaissance_steps, "attack": combat_steps}


@cases("case, proves, forces, dice, verb, orders, used, offered, rolled, left, afterwards", "rolled, left, afterwards")
def test_elusive_target(
    *, forces: str, dice: list[int], verb: str, orders: dict[str, Any], used: bool, offered: int, rolled: list[str],
    left: bool, afterwards: str,
) -> None:  # fmt: skip
    """The Alliance holds it while one side searches or attacks: how often it is offered, what is rolled, and whether it
    is left."""
    at = met(forces, *dice)
    event(at.state, "alliance", "elusive target")
    kinds: list[str] = []

    def answer(ask: AnyAsk) -> Any:
        kinds.append(ask.kind)
        if ask.kind == verb:
            return orders.get(ask.parties[0])
        return use("yes") if used and ask.kind == "random event" else None

    run(STEPS[verb](at, "coalition"), answer)
    assert kinds.count("random event") == offered
    assert [roll.purpose for roll in at.shared.rolls] == rolled
    assert (event_now(at.state, "alliance", "elusive target") is not None) is left
    assert any("proves elusive" in text for text in told(at, "coalition")) is used
    assert at.state.battles == []
    assert situation(at.state) == afterwards


@pytest.mark.rule("pq17", "C.random.elusive-target")
@pytest.mark.parametrize("step", [reconnaissance_steps, combat_steps])
def test_who_is_asked_about_a_searcher_does_not_read_its_own_name_anywhere(step: Any) -> None:
    at = met(DUEL + "\nC2 0405 FF shadows A1", 1, 1)
    event(at.state, "alliance", "elusive target")
    asked: list[str] = []

    def answer(ask: AnyAsk) -> Any:
        if ask.kind == "random event":
            asked.append(f"{ask.id} {ask.title} {ask.text} {form_text(ask.form)}")
            return use("yes")
        return {"C1": {"target": "E1"}} if ask.kind in ("search", "attack") and ask.parties == ("coalition",) else None

    run(step(at, "coalition"), answer)
    assert asked
    assert not any("C1" in text for text in asked)


# --- straggler --------------------------------------------------------------------------------------------------------
LATE = {"local conditions": 5, "0405/straggler/": 1, "attack/": 99, "/straggler": 2}
"""The attack fails, the late attempt succeeds, and the second freighter is chosen."""
CONVOY = "A1 0405 FT#2+CA speed 1 ID3\nC1 0405 CA speed 1 ID1"


def chased(text: str = CONVOY) -> TurnContext[State]:
    """An attack that fails; the event is not used."""
    at = met(text, 99)
    event(at.state, "coalition", "straggler")
    run(combat_steps(at, "coalition"), by_kind(attack={"C1": {"target": "E1"}}, random_event=use()))
    return at


def late(at: TurnContext[State]) -> State:
    """The Coalition's attack fails, and it uses the event on a straggler."""
    announce_detections(at)
    event(at.state, "coalition", "straggler")
    run(combat_steps(at, "coalition"), by_kind(attack={"C1": {"target": "E1"}}, random_event=use("yes")))
    return at.state


@pytest.mark.rule("pq17", "C.random.straggler")
def test_a_straggler_is_destroyed_when_the_late_attempt_succeeds() -> None:
    at = table(special_world(CONVOY + NOW, bases=""), by_label=LATE)
    state = late(at)
    assert (state.units["A1.FT2"].fate, state.units["A1.FT"].fate) == ("destroyed", "in play")
    assert sorted(state.task_forces["A1"].units) == ["A1.CA", "A1.FT"]
    assert [line.amount for line in state.ledger] == [Fraction(-1, 2)]  # economic value 30, 30/60
    assert state.units["C1.CA"].fuel == 34 - 4  # no more fuel for it
    assert state.battles == []
    assert defects(state) == []
    assert "A freighter straggles in 0405 and is destroyed." in told(at, "alliance")
    assert event_now(state, "coalition", "straggler") is None


@pytest.mark.rule("pq17", "C.random.straggler", "T5.2")
def test_a_crippled_straggler_scores_what_its_crippling_left() -> None:
    """Economic value 120, 120/60; half of it was scored when it was crippled."""
    at = table(special_world(CONVOY + NOW, bases=""), by_label=LATE)
    at.state.classes["FT"] = at.state.classes["FT"].model_copy(update={"bpv_economic": Fraction(120)})
    at.state.units["A1.FT2"].crippled = True
    assert [(line.amount, line.line) for line in late(at).ledger] == [(-1, "T5.2")]


@pytest.mark.rule("pq17", "C.random.straggler")
@cases("text", "")
def test_a_straggler_needs_known_freighters(text: str) -> None:
    at = chased(text)
    assert event_now(at.state, "coalition", "straggler") is not None
    assert at.state.special.events[0].offered == []


@pytest.mark.rule("pq17", "C.random.straggler")
def test_a_straggler_kept_for_later_leaves_the_failure_as_it_was() -> None:
    at = chased()
    assert at.state.ledger == []
    assert event_now(at.state, "coalition", "straggler") is not None
    plain = met(CONVOY, 99)
    run(combat_steps(plain, "coalition"), by_kind(attack={"C1": {"target": "E1"}}))
    assert seen(at, "alliance") == seen(plain, "alliance")


# --- HF/DF ------------------------------------------------------------------------------------------------------------
def heard(text: str, sheet: Any = None) -> tuple[TurnContext[State], tuple[AnyAsk, ...]]:
    at = met(text)
    event(at.state, "alliance", "hf-df")
    asks = asks_of(random_events.direction_finding_steps(at))
    at.state.special.events[0].offered = []
    run(random_events.direction_finding_steps(at), (lambda ask: sheet) if sheet else None)
    return at, asks


@pytest.mark.rule("pq17", "C.random.hf-df")
@pytest.mark.parametrize(("level", "after"), [("U", IdLevel.ID0), ("ID0", IdLevel.ID1), ("ID2", IdLevel.ID3)])
def test_hfdf_raises_one_level_anywhere_on_the_map(level: str, after: IdLevel) -> None:
    at, _ = heard(f"A1 0405 CA speed 1\nC1 0909 CA speed 1 {level}", use("E1"))
    assert at.state.task_forces["C1"].id_level is after
    assert event_now(at.state, "alliance", "hf-df") is None


@pytest.mark.rule("pq17", "C.random.hf-df")
def test_hfdf_is_not_offered_on_what_is_at_id3_or_not_held() -> None:
    _, asks = heard("A1 0405 CA speed 1\nC1 0909 CA speed 1 ID3\nC2 1010 CA speed 1")
    assert asks == ()
    _, (ask,) = heard("A1 0405 CA speed 1\nC1 0909 CA speed 1 ID1\nC2 1010 CA speed 1 ID3")
    with pytest.raises(Refused, match=r"cannot be used on that.*C\.random\.hf-df.*Legal: E1"):
        ask.answer_from(use("E2"))


@pytest.mark.rule("pq17", "C.random.hf-df")
@pytest.mark.unseen("pq17", reports=("contact", "special"), asks=("random event",))
def test_the_coalition_never_learns_of_hfdf() -> None:
    text = "A1 0405 CA speed 1\nC1 0909 CA speed 1 ID1"
    used, kept = heard(text, use("E1"))[0], heard(text)[0]
    assert seen(used, "coalition") == seen(kept, "coalition")
    assert seen(used, "alliance") != seen(kept, "alliance")


@pytest.mark.rule("pq17", "1.5.2", "C.random.hf-df")
def test_an_event_is_offered_again_for_something_new_or_when_its_owner_wants() -> None:
    at = met("A1 0405 CA speed 1\nC1 0909 CA speed 1 ID1")
    held = event(at.state, "alliance", "hf-df")
    run(random_events.direction_finding_steps(at))
    assert asks_of(random_events.direction_finding_steps(at)) == ()
    at.state.task_forces["C1"].id_level = IdLevel.ID2
    assert len(asks_of(random_events.direction_finding_steps(at))) == 1
    held.every_time = True
    assert len(asks_of(random_events.direction_finding_steps(at))) == 1
    at.state.turn = 31  # it lapses with its period
    assert asks_of(random_events.direction_finding_steps(at)) == ()


@pytest.mark.rule("pq17", "C.random.hf-df")
def test_a_contact_that_moves_or_fades_is_no_reason_to_offer_an_event_again() -> None:
    at = met("A1 0405 CA speed 1\nC1 0909 CA speed 1 ID1")
    event(at.state, "alliance", "hf-df")
    target = at.state.task_forces["C1"]
    assert len(asks_of(random_events.direction_finding_steps(at))) == 1
    for hex_id, level in (("0808", IdLevel.ID1), ("0807", IdLevel.ID0), ("0707", IdLevel.U), ("0708", IdLevel.ID1)):
        at.state.set_hex(target, hex_id)
        target.id_level = level
        assert asks_of(random_events.direction_finding_steps(at)) == ()
    target.id_level = IdLevel.ID2
    assert len(asks_of(random_events.direction_finding_steps(at))) == 1


@pytest.mark.rule("pq17", "C.random.elusive-target")
def test_the_same_search_is_offered_once_and_each_attack_again() -> None:
    at = met("A1 0405 CA speed 1 ID1\nC1 0405 CA speed 1 ID1\nC2 0405 CA speed 1 ID1")
    event(at.state, "alliance", "elusive target")
    target = at.state.task_forces["A1"]

    def asked(seen: str, verb: str, impulse: int) -> int:
        at.state.impulse = impulse
        return len(asks_of(random_events.elusive_steps(at, "coalition", seen, target, verb)))

    assert [asked("E1", "searched", impulse) for impulse in (1, 2, 3)] == [1, 0, 0]
    assert asked("E2", "searched", 3) == 1
    assert [asked("E1", "attacked", impulse) for impulse in (1, 2, 3)] == [1, 1, 1]


# --- residual minefield -----------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.random.residual-minefield")
def test_a_residual_minefield_attacks_one_enemy_force_with_strength_0_at_id0() -> None:
    # 1D10 attacks with no modifier at ID0, strength 0 and no minesweeper: 3 attacks, each a die that misses below 8
    at = met("A1 0405 CA speed 1\nC1 0909 CA speed 1 ID1", 3, 1, 1, 1, 1, 1, 1)
    event(at.state, "alliance", "residual minefield")
    run(random_events.residual_minefield_steps(at, old_mines_steps), by_kind(random_event=use("E1")))
    assert at.shared.rolls[0].total == 3
    assert any("residual minefield" in text for text in told(at, "coalition"))
    assert event_now(at.state, "alliance", "residual minefield") is None


@pytest.mark.rule("pq17", "1.5.2", "C.random.residual-minefield")
def test_a_residual_minefield_is_offered_again_when_a_contact_is_known_better_up_to_id3() -> None:
    at = met("A1 0405 CA speed 1\nC1 0909 CA speed 1 ID2")
    event(at.state, "alliance", "residual minefield")
    offered: list[int] = []
    for level in (IdLevel.ID2, IdLevel.ID3, IdLevel.ID3):
        at.state.task_forces["C1"].id_level = level
        offered.append(len(asks_of(random_events.residual_minefield_steps(at, old_mines_steps))))
    assert offered == [1, 1, 0]


@pytest.mark.rule("pq17", "C.random.residual-minefield")
def test_a_residual_minefield_needs_an_enemy_at_u_and_no_base() -> None:
    at = met("A1 0405 CA speed 1\nC1 0909 CA speed 1\nC9 0707 BATS base Lair known")
    event(at.state, "alliance", "residual minefield")
    assert asks_of(random_events.residual_minefield_steps(at, old_mines_steps)) == ()


@pytest.mark.rule("pq17", "C.random.residual-minefield")
@pytest.mark.unseen("pq17", asks=("random event",))
def test_an_event_that_is_kept_tells_the_enemy_nothing() -> None:
    def played(side: str | None) -> TurnContext[State]:
        at = met("A1 0405 CA speed 1 ID1\nC1 0909 CA speed 1 ID1")
        if side:
            event(at.state, side, "residual minefield")
        run(random_events.residual_minefield_steps(at, old_mines_steps))
        return at

    assert seen(played("alliance"), "coalition") == seen(played(None), "coalition")
    assert seen(played("coalition"), "alliance") == seen(played(None), "alliance")


# --- High Command caution ---------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.random.high-command-caution")
@pytest.mark.parametrize(("level", "may"), [("ID0", False), ("ID2", False), ("ID3", True)])
def test_a_cautious_coalition_attacks_nothing_below_id3(level: str, may: bool) -> None:
    at = met(f"A1 0405 CA speed 1 {level}\nC1 0405 CA speed 1 ID2")
    event(at.state, "coalition", "high command caution")
    assert list(attackable(at.state, at.state.task_forces["C1"])) == (["E1"] if may else [])
    assert list(attackable(at.state, at.state.task_forces["A1"])) == ["E1"]  # the Alliance is not bound


@pytest.mark.rule("pq17", "C.random.high-command-caution")
def test_a_cautious_attack_is_refused_for_that_reason() -> None:
    at = met("A1 0405 CA speed 1 ID2\nA2 0405 CA speed 1 ID3\nC1 0405 CA speed 1 ID2")
    event(at.state, "coalition", "high command caution")
    ask = attack_ask(at, "coalition", able_to_attack(at.state, "coalition"))
    with pytest.raises(Refused, match=r"High Command forbids.*E1 is at ID2.*high-command-caution.*Legal: E2"):
        ask.answer_from({"C1": {"target": "E1"}})


@pytest.mark.rule("pq17", "C.random.high-command-caution", "C.special.no-restrictions")
def test_no_restrictions_overrides_caution_and_both_last_a_period() -> None:
    state = special_world("turn 2 / event coalition: high command caution")
    assert is_cautious(state, "coalition")
    assert not is_cautious(state, "alliance")
    holds(state, "coalition", "no restrictions")
    assert not is_cautious(state, "coalition")
    state.special.conditions = []
    state.turn = 31
    assert not is_cautious(state, "coalition")


@pytest.mark.rule("pq17", "C.random.high-command-caution")
@pytest.mark.unseen("pq17", reports=("contact",), asks=("attack",))
def test_the_alliance_cannot_tell_caution_from_choice() -> None:
    def played(cautious: bool) -> tuple[Any, Any]:
        at = met("A1 0405 CA speed 1 ID2\nC1 0405 CA speed 1 ID2")
        if cautious:
            event(at.state, "coalition", "high command caution")
        asks: list[Any] = []

        def answer(ask: AnyAsk) -> Any:
            asks.extend(asked_of([ask], "alliance"))

        run(combat_steps(at, "coalition"), answer)
        return seen(at, "alliance"), asks

    assert played(True) == played(False)


# --- Agent Cobweb -----------------------------------------------------------------------------------------------------
SPIED = "A1 1217 CA port A90\nA2 1217 DD speed 1\nA3 1216 CA"


def spied() -> TurnContext[State]:
    state = special_world(SPIED + NOW)
    state.special.spies = [Spy(hex=hex_id) for hex_id in ("0419", "0617", "1217")]
    return table(state, by_label={"local conditions": 5})


@pytest.mark.rule("pq17", "C.special.agent-cobweb")
def test_a_spy_detects_and_searches_all_ships_at_the_base_once_an_impulse() -> None:
    at = spied()
    state = at.state
    announce_detections(at)
    levels = {tf.id: tf.id_level for tf in state.all_task_forces("alliance") if not tf.is_base}
    assert levels == {"A1": IdLevel.U, "A2": IdLevel.U, "A3": IdLevel.N}
    assert "1217" in contact_hexes(state)
    (eye,) = searching_hexes(state, "coalition")
    assert (eye.key, len(eye.targets)) == ("settled 1217", 2)
    labels = {"main roll": 1, "ID roll": 1, "flag": 100}
    again = table(state, by_label={"local conditions": 5} | labels)
    run(reconnaissance_steps(again, "coalition"))
    assert {state.task_forces[one].id_level > IdLevel.U for one in ("A1", "A2")} == {True}
    assert all(state.task_forces[one].id_level <= IdLevel.ID2 for one in ("A1", "A2"))
    assert searching_hexes(state, "coalition") == []
    start_impulse(again)
    assert state.task_forces["A1"].id_level > IdLevel.N  # watched ships stay on the map
    assert any(text.startswith("Agent Cobweb searched your A1") for text in told(again, "alliance"))


@pytest.mark.rule("pq17", "C.special.agent-cobweb")
def test_s_counts_for_a_spys_searches_and_not_for_attacks() -> None:
    from rules_engine.rulebooks.pq17.ch06_reconnaissance.attempt import quarry_of
    from rules_engine.rulebooks.pq17.ch06_reconnaissance.step import _quarry  # pyright: ignore[reportPrivateUsage]

    state = spied().state
    target = state.task_forces["A2"]
    assert _quarry(state, target, 0).s_counts
    assert not quarry_of(state, target, 0).s_counts
    assert not _quarry(state, state.task_forces["A3"], 0).s_counts
