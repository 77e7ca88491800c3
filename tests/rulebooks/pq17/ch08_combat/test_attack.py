"""Chapter 8.3 and 8.4: attacks, their attempts, and the battles they form."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol import asks, turn_context
from rules_engine.rulebooks.pq17.ch08_combat import attack as ch08
from rules_engine.rulebooks.pq17.ch08_combat import battle_tables, declarations
from rules_engine.rulebooks.pq17.records import state
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.tables.operations import Speed
from tests.expected.kept import cases
from tests.form_documents import form_document
from tests.rulebooks.pq17.worlds.battles import detected
from tests.rulebooks.pq17.worlds.notation import CLASSES, ask_for, asks_of, ship_class, situation, table, told, world


# --- tables 3 and 7, line by line -------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "T3a", "8.5.5.3.12")
def test_detection_ranges() -> None:
    assert battle_tables.detection_range(military=True, scout=True) == 75
    assert battle_tables.detection_range(military=True, scout=False) == 50
    assert battle_tables.detection_range(military=False, scout=True) == 35
    assert battle_tables.detection_range(military=False, scout=False) == 35


@pytest.mark.rule("pq17", "T3a", "T8")
def test_fast_patrol_ships_and_shuttles_see_as_far_as_civilians() -> None:
    # Table 8: a PF has a movement cost of at most 1/5; a base or module without one is none
    assert not battle_tables.sees_as_military(ship_class("PF", "1/5"))
    assert not battle_tables.sees_as_military(ship_class("ADM", "1/10", unit_kind="shuttle"))
    assert not battle_tables.sees_as_military(CLASSES["FT"])
    assert battle_tables.sees_as_military(ship_class("FF", "1/4"))
    assert battle_tables.sees_as_military(CLASSES["BATS"])
    assert battle_tables.sees_as_military(ship_class("PAM", "0", unit_kind="module"))


@pytest.mark.rule("pq17", "T3c", "8.5.5.3.10", "8.5.5.3.11")
def test_doubled_ranges_halve_the_distance_on_the_map_rounded_up() -> None:
    assert [battle_tables.true_distance(reach, doubled=True) for reach in (75, 50, 35)] == [38, 25, 18]
    assert [battle_tables.true_distance(reach, doubled=False) for reach in (75, 50, 35)] == [75, 50, 35]


@pytest.mark.rule("pq17", "T3b", "8.5.5.3.9")
def test_only_the_original_defender_is_slowed() -> None:
    speeds = [Speed(text) for text in ("3", "2", "1", "warp crawl", "impulse crawl", "0")]
    assert [battle_tables.speed_cap(speed, original_defender=True) for speed in speeds] == [None, None, 9, 1, 1, 0]
    assert [battle_tables.speed_cap(speed, original_defender=False) for speed in speeds] == [None] * 6


def facts(**changes: object) -> battle_tables.SurpriseFacts:
    base: dict[str, object] = {
        "condition": 2, "attacker_level": -1, "attacker_warp_on": False, "attacker_cloaked": False,
        "both_passive": False, "defender_scout_active": False,
    }  # fmt: skip
    return battle_tables.SurpriseFacts.model_validate(base | changes)


@pytest.mark.rule("pq17", "T7", "8.5.3.1")
@cases("changes, total")
def test_each_line_of_table_7(changes: dict[str, object], total: int) -> None:
    assert sum(value for _, value in battle_tables.surprise_modifiers(facts(**changes))) == total


@pytest.mark.rule("pq17", "T7", "8.5.3.2", "8.5.3.3")
def test_seven_or_more_surprises() -> None:
    assert not battle_tables.is_surprised(5, facts())  # 5 + 1 = 6
    assert battle_tables.is_surprised(6, facts())  # 6 + 1 = 7
    assert not battle_tables.is_surprised(10, facts(attacker_level=0, attacker_warp_on=True))  # 10 - 7 = 3
    assert battle_tables.is_surprised(1, facts(condition=4, attacker_cloaked=True, both_passive=True))  # 1 + 7 = 8


NOW = "\nturn 2 impulse 1 half A initiative alliance"


def met(text: str, *rolls: int, **settings: Any) -> turn_context.TurnContext[state.State]:
    return detected(table(world(text + NOW, **settings), *rolls, by_label={"/surprise": 5}))


def play(
    at: turn_context.TurnContext[state.State], sheets: dict[str, Any], phasing: str = "alliance"
) -> tuple[list[asks.AnyAsk], list[Battle]]:
    """Play the step up to its first battle; returns what was asked before it, and the battles formed."""
    asked: list[asks.AnyAsk] = []
    steps = ch08.combat_steps(at, phasing)
    try:
        batch = next(steps)
        while all(ask.kind in ("attack", "order of battles") for ask in batch.asks):
            asked += batch.asks
            answers = {
                ask.id: ask.answer_from(sheets.get(ask.parties[0] if ask.kind == "attack" else "order", {}))
                for ask in batch.asks
            }
            batch = steps.send(answers)
    except StopIteration:
        return asked, []
    return asked, list(at.state.battles)


DUEL = "A1 0405 CA speed 2 ID0\nC1 0405 CA speed 1 ID0"


def attacks(text: str) -> dict[str, Any]:
    """A sheet of attacks: ``A1>E1 A2>E2``."""
    return {one: {"target": on} for one, on in (pair.split(">") for pair in text.split())}


def in_words(battle: Battle) -> str:
    """A battle as ``alliance: A1+A2 on C1, C2 on A1, conditions 1, coalition shadowed``."""
    joined = [f"{one} on {on}" for one, on in battle.joiners.items()]
    shadowed = [f"{side} shadowed" for side in battle.shadowed]
    sides = f"{battle.attacker}: {'+'.join(battle.attackers)} on {'+'.join(battle.original)}"
    return ", ".join([sides, *joined, f"conditions {battle.conditions}", *shadowed])


@cases("case, proves, forces, dice, alliance, coalition, asked, battles, afterwards", "asked, battles, afterwards")
def test_attacks_and_the_battles_that_they_form(
    *, forces: str, dice: list[int], alliance: str, coalition: str, asked: str, battles: list[str], afterwards: str
) -> None:
    """A force is attacked without a roll for local conditions where they are those of a base."""
    at = met(forces, *dice)
    sheets = {"alliance": attacks(alliance), "coalition": attacks(coalition), "order": {"battles": {"order": "1 2"}}}
    asks, found = play(at, sheets)
    assert " ".join(ask.parties[0] for ask in asks if ask.kind == "attack") == asked
    assert [in_words(one) for one in found] == battles
    assert situation(at.state) == afterwards
    heard = {side: told(at, side) for side in ("alliance", "coalition")}
    for side, orders in (("coalition", alliance), ("alliance", coalition)):
        assert len([text for text in heard[side] if "attacks your" in text]) == len(orders.split())


@pytest.mark.rule("pq17", "8.3.4.2", "8.3.2")
def test_a_failed_attempt_is_paid_for_and_was_the_only_one() -> None:
    at = met(DUEL, 5, 99)
    asked, battles = play(at, {"alliance": {"A1": {"target": "E1"}}})
    assert (battles, [ask.parties for ask in asked]) == ([], [("alliance",), ("coalition",)])
    assert at.state.units["A1.CA"].fuel == 30
    assert declarations.why_no_attack(at.state, at.state.task_forces["A1"])


@pytest.mark.rule("pq17", "8.3.1", "6.2.3", "8.4.2")
@cases("text", "")
def test_who_cannot_attack_is_not_asked(text: str) -> None:
    asked, _ = play(met(text), {}, phasing="alliance")
    assert [ask for ask in asked if ask.parties == ("alliance",)] == []


@pytest.mark.rule("pq17", "8.3.3", "8.4.5")
def test_who_was_successfully_attacked_may_not_attack_and_others_may() -> None:
    steps = ch08.combat_steps(met(DUEL + "\nC2 0405 CA speed 1 ID0", 5, 10), "alliance")
    (first,) = next(steps).asks
    (second,) = steps.send({first.id: first.answer_from({"A1": {"target": "E1"}})}).asks
    assert [line.key for line in second.form.lines] == ["C2"]
    with pytest.raises(Refused, match=r"successfully attacked.*8\.3\.3"):
        second.answer_from({"C1": {"target": "E1"}})


@pytest.mark.rule("pq17", "8.5.1")
def test_the_phasing_side_orders_the_battles_and_must_name_each_once() -> None:
    at = met("A1 0405 CA ID0\nA2 0303 CA ID0\nC1 0405 CA ID0\nC2 0303 CA ID0", 5, 10, 5, 10)
    steps = ch08.combat_steps(at, "alliance")
    (ask,) = next(steps).asks
    (order,) = steps.send({ask.id: ask.answer_from({"A1": {"target": "E1"}, "A2": {"target": "E2"}})}).asks
    assert (order.kind, order.parties) == ("order of battles", ("alliance",))
    for wrong in ("1", "1 1", "1 2 3", ""):
        with pytest.raises(Refused, match="every battle"):
            order.answer_from({"battles": {"order": wrong}})
    (power,) = steps.send({order.id: order.answer_from({"battles": {"order": "2 1"}})}).asks
    first, second = at.state.battles
    assert (first.hex, second.hex) == ("0303", "0405")
    assert "0405" in power.title


@pytest.mark.rule("pq17", "1.8.10.3", "1.8.2.2")
def test_an_unknown_base_that_is_successfully_attacked_becomes_known() -> None:
    at = met("A1 0405 CA ID0\nC9 0405 BATS base Lair LC1 ID0\nC1 0405 CA port C9 U", 10)
    _, (battle,) = play(at, {"alliance": {"A1": {"target": "E2"}}})
    assert battle.original == ["C9", "C1"]
    assert at.state.task_forces["C9"].base.known
    assert "E2 is a base: Lair." in told(at, "alliance")
    assert at.knowledge("alliance").contacts["Lair"].live
    assert "E2" not in at.knowledge("alliance").contacts


@pytest.mark.rule("pq17", "1.8.8")
@pytest.mark.rule("pq17", "8.4.2", "8.3.1", "7.3.9", "8.6.1", "8.3.2")
@cases("sheet, rule", "")
def test_illegal_attacks_are_refused_with_their_rule(sheet: dict[str, Any], rule: str) -> None:
    text = "A1 0405 CA ID0\nA2 0405 CA[fuel=1] ID0\nA3 0406 CA\nA4 0405 CA shadows C2\nA5 0405 CA port A9"
    text += "\nA6 0405 CA ID0\nA9 0405 BATS base Haven known\nC1 0405 CA ID0\nC2 0405 CA U\nsettled 0405 coalition"
    at = met(text)
    at.state.set_mark(at.state.task_forces["A6"], "attempted_attack")
    ask = ask_for(asks_of(ch08.combat_steps(at, "alliance")), "alliance")
    with pytest.raises(Refused) as refused:
        ask.answer_from(sheet)
    assert rule in [one.rule for one in refused.value.refusals]


@pytest.mark.rule("pq17", "8.4.5")
def test_the_other_side_hears_the_results_before_it_declares() -> None:
    at = met(DUEL, 5, 99)
    steps = ch08.combat_steps(at, "alliance")
    (first,) = next(steps).asks
    steps.send({first.id: first.answer_from({"A1": {"target": "E1"}})})
    assert told(at, "coalition")[-1] == "E1 attacked your C1 in 0405: failed."
    assert "E1 in 0405 attacks your C1." in told(at, "coalition")


@pytest.mark.rule("pq17", "8.4.2", "8.3.4.1")
@cases("what, one, other", "")
@pytest.mark.unseen("pq17", reports=("contact",), asks=("attack",))
def test_the_attack_ask_does_not_depend_on_what_is_hidden(what: str, one: str, other: str) -> None:
    seen: list[object] = []
    for text in (one, other):
        (ask,) = asks_of(ch08.combat_steps(met("A1 0405 CA speed 2 ID0\n" + text), "alliance"))
        seen.append((ask.id, ask.title, ask.text, form_document(ask.form), ask.default_says))
    assert seen[0] == seen[1], what
