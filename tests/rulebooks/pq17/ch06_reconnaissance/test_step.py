"""Chapter 6.3: the reconnaissance step, its declarations, and what each side may and may not say or hear."""

from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance.step import reconnaissance_steps
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records import damage, state
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from tests.expected.kept import cases
from tests.form_documents import form_document
from tests.rulebooks.pq17.worlds.notation import ask_for, asks_of, reports_to, run, situation, table, told, world

NOW = "\nturn 2 impulse 1 half A initiative alliance"


def play(at: TurnContext[state.State], sheets: dict[str, Any] | None = None, phasing: str = "alliance") -> list[AnyAsk]:
    """Play the step; ``sheets`` are the answers by side, others take the default. Returns what was asked."""
    asked: list[AnyAsk] = []

    def answer(ask: AnyAsk) -> Any:
        asked.append(ask)
        return (sheets or {}).get(ask.parties[0])

    announce_detections(at)
    run(reconnaissance_steps(at, phasing), answer)
    return asked


def met(text: str, *rolls: int, **settings: Any) -> TurnContext[state.State]:
    return table(world(text + NOW, **settings), *rolls)


MEET = "A1 0405 CA speed 2\nC1 0405 CA speed 1"


def searches(text: str) -> dict[str, Any]:
    """Sheets by side, such as ``A1>E1 shadow, A2>E1 probes 3``."""
    sheets: dict[str, dict[str, Any]] = {"alliance": {}, "coalition": {}}
    for one, target, *words in (part.replace(">", " ").split() for part in text.split(", ") if part):
        line: dict[str, Any] = {"target": target}
        match words:
            case ["shadow"]:
                line["shadow"] = True
            case ["probes", count]:
                line["probes"] = int(count)
        sheets["alliance" if one.startswith("A") else "coalition"][one] = line
    return sheets


@cases("case, proves, forces, dice, orders, asked, afterwards", "asked, afterwards")
def test_what_searches_find_and_cost(forces: str, dice: list[int], orders: str, asked: str, afterwards: str) -> None:
    """Dice: the local conditions, then for each search its main roll, flags and ID roll. Who is asked is asked in this
    order."""
    at = met(forces, *dice)
    assert " ".join(ask.parties[0] for ask in play(at, searches(orders))) == asked
    assert situation(at.state) == afterwards
    assert at.shared.dice.rolls == []  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.rule("pq17", "6.3", "6.3.2", "6.3.2.2", "6.3.4.11", "6.3.4.13")
def test_a_search_costs_fuel_succeeds_and_raises_the_level() -> None:
    # LC 5 good; main 10 finds; ID roll 60 is +2: U to ID1
    at = met(MEET, 5, 10, 60)
    asked = play(at, {"alliance": {"A1": {"target": "E1"}}})
    assert [ask.parties for ask in asked] == [("coalition",), ("alliance",)]
    assert at.state.task_forces["C1"].id_level is IdLevel.ID1
    assert at.state.units["A1.CA"].fuel == 34 - 2
    assert at.state.has_mark(at.state.task_forces["A1"], "searched")
    assert told(at, "alliance")[-1].startswith("E1 in 0405, ID1: Force identified. No cloaks in use.")


@pytest.mark.rule("pq17", "6.3.4.13")
def test_of_several_searches_that_gain_as_much_the_first_is_told_as_the_reason() -> None:
    """Both ID rolls, 44 and 43, are +1."""
    at = met("A1 0405 CA\nA2 0405 CA\nC1 0405 CA ID0", 5, 10, 44, 10, 43)
    play(at, {"alliance": {"A1": {"target": "E1"}, "A2": {"target": "E1"}}})
    (why,) = [one.why for one in at.shared.reports if one.text.startswith("E1 in 0405, ID1") and one.why]
    assert [roll.total for roll in why.dice] == [44]


@pytest.mark.rule("pq17", "6.3.4.8")
def test_levels_stay_as_they_were_until_all_attempts_are_over() -> None:
    # A1 raises C1 from U, but A2's roll 39 (row 0, column 1) still meets a target at U and fails
    at = met("A1 0405 CA\nA2 0405 CA\nC1 0405 CA", 5, 10, 85, 39)
    play(at, {"alliance": {"A1": {"target": "E1"}, "A2": {"target": "E1"}}})
    assert told(at, "alliance")[-2].startswith("A2 searched E1 in 0405: failed")


@pytest.mark.rule("pq17", "6.3.4.12", "7.2.1")
def test_shadowing_declared_with_the_search_begins_only_on_success() -> None:
    at = met("A1 0405 CA speed 3\nC1 0405 CA speed 1", 5, 10, 50)
    play(at, {"alliance": {"A1": {"target": "E1", "shadow": True}}})
    assert at.state.task_forces["A1"].shadowing == "C1"
    at = met("A1 0405 CA speed 3\nC1 0405 CA speed 1", 5, 99)
    play(at, {"alliance": {"A1": {"target": "E1", "shadow": True}}})
    assert at.state.task_forces["A1"].shadowing == ""
    assert "announces speed" not in " ".join(told(at, "alliance"))


@pytest.mark.rule("pq17", "6.3.2")
def test_the_non_phasing_side_declares_and_resolves_first_and_is_heard() -> None:
    at = met(MEET, 5, 10, 44, 10, 44)
    play(at, {"coalition": {"C1": {"target": "E1"}}, "alliance": {"A1": {"target": "E1"}}})
    heard = told(at, "alliance")
    assert heard.index("E1 in 0405 searches your A1.") < heard.index("E1 searched your A1 in 0405: success.")
    assert heard.index("E1 searched your A1 in 0405: success.") < heard.index("A1 searched E1 in 0405: success.")


@pytest.mark.rule("pq17", "6.3.2")
def test_in_the_second_half_the_roles_swap() -> None:
    assert [ask.parties for ask in play(met(MEET), phasing="coalition")] == [("alliance",), ("coalition",)]


def alliance_sheet(at: TurnContext[state.State], phasing: str = "coalition") -> AnyAsk:
    """The sheet of searches that the Alliance is asked to fill in."""
    announce_detections(at)
    return ask_for(asks_of(reconnaissance_steps(at, phasing)), "alliance")


@pytest.mark.rule("pq17", "6.3.2.3")
def test_one_attempt_an_impulse_covers_both_halves() -> None:
    at = met(MEET, 5, 99)
    play(at, {"alliance": {"A1": {"target": "E1"}}})
    asked: list[AnyAsk] = []
    run(reconnaissance_steps(at.at("B"), "coalition"), asked.append)
    assert [ask.parties for ask in asked] == [("coalition",)]


@pytest.mark.rule("pq17", "1.7.4", "1.7.5", "1.7.3")
def test_a_settled_hex_searches_every_enemy_by_itself_once_an_impulse_up_to_id2() -> None:
    # LC 5 good + 4 shifts = column 4 with one flag; main 10 finds; column 4 gives +1
    at = met("settled 0405 alliance\nC1 0405 CA[fuel=1]\nC2 0405 DD[fuel=1/2]", 5, 10, 50, 50, 10, 50, 50)
    assert play(at) == []
    assert {tf.id: tf.id_level for tf in at.state.all_task_forces()} == {"C1": IdLevel.ID0, "C2": IdLevel.ID0}
    assert told(at, "coalition")[0] == "The settled hex in 0405 searches your C1."
    assert told(at, "alliance")[-1].startswith("E2 in 0405, ID0")
    count = len(at.shared.reports)
    run(reconnaissance_steps(at.at("B"), "coalition"))
    assert len(at.shared.reports) == count


PORT = "settled 0405 alliance\nC9 0405 BATS base Lair LC1 U\nC1 0405 CA port C9\nC2 0405 DD port C9\nC3 0405 DD"
FINDS = {"local conditions": 5, "main": 10, "flag": 99, "ID roll": 50}


def searched_by_the_hex(at: TurnContext[state.State]) -> list[str]:
    """The task forces that the settled hex declared it searches, in the order told."""
    return [text.rpartition(" ")[2].rstrip(".") for text in told(at, "coalition") if "settled hex in 0405" in text]


@pytest.mark.rule("pq17", "1.7.4", "1.8.2.1", "1.8.2")
def test_a_settled_hex_searches_a_base_and_all_in_port_with_it_once() -> None:
    """One attempt for the base, C1 and C2 together, one for C3; in the other half none is left."""
    at = table(world(PORT + NOW), by_label=FINDS)
    play(at)
    assert len(searched_by_the_hex(at)) == 2
    found = {tf.id: tf.id_level for tf in at.state.all_task_forces()}
    assert found == dict.fromkeys(("C1", "C2", "C3", "C9"), IdLevel.ID0)
    assert sum("main" in label for label in at.shared.dice.asked) == 2  # pyright: ignore[reportAttributeAccessIssue]
    run(reconnaissance_steps(at.at("B"), "coalition"))
    assert len(searched_by_the_hex(at)) == 2


@pytest.mark.rule("pq17", "1.7.4", "1.8.2.1")
def test_of_a_known_base_the_settled_hex_searches_those_in_port_once_on_its_sheet_too() -> None:
    at = table(world(PORT.replace("Lair LC1 U", "Lair known LC1") + "\nA1 0405 CA" + NOW), by_label=FINDS)
    play(at, {"alliance": {"settled 0405": {"target": "E2"}}})
    assert searched_by_the_hex(at) == ["C1"]
    levels = {tf.id: tf.id_level for tf in at.state.all_task_forces("coalition")}
    assert levels == {"C1": IdLevel.ID0, "C2": IdLevel.ID0, "C3": IdLevel.U, "C9": IdLevel.ID3}
    announced: list[AnyAsk] = []
    run(reconnaissance_steps(at.at("B"), "coalition"), announced.append)
    assert searched_by_the_hex(at) == ["C1", "C3"]  # C2 was searched with C1


@pytest.mark.rule("pq17", "1.7.4", "1.8.2.1")
def test_who_enters_port_after_its_base_was_searched_is_not_searched_there_again() -> None:
    """Ruling PQ-182: the attempt would be one against the base as well. C3 came on after the first half."""
    at = table(world(PORT.replace("\nC3 0405 DD", "\nC3 0406 DD") + NOW), by_label=FINDS)
    play(at)
    late = at.state.task_forces["C3"]
    at.state.set_hex(late, "0405")
    at.state.set_port(late, "C9")
    announce_detections(at)
    run(reconnaissance_steps(at.at("B"), "coalition"))
    assert len(searched_by_the_hex(at)) == 1


@pytest.mark.rule("pq17", "1.7.5", "1.8.6")
def test_free_searches_stop_where_they_can_teach_nothing_more() -> None:
    at = met("settled 0405 alliance\nA9 0405 BATS base Haven known LC1\nC1 0405 CA[fuel=0] ID2")
    assert play(at) == []
    assert not [one for one in at.shared.reports if one.kind == "attempt"]


@pytest.mark.rule("pq17", "1.8.4", "6.3.4.11")
def test_a_base_has_no_probes_to_spend() -> None:
    at = met("A9 0405 BATS base Haven known LC1\nA1 0405 CA\nC1 0405 CA ID1")
    ask = alliance_sheet(at)
    with pytest.raises(Refused, match=r"A9\.probes.*Legal: 0 to 0"):
        ask.answer_from({"A9": {"target": "E1", "probes": 1}})


@pytest.mark.rule("pq17", "1.8.2.1")
def test_searching_one_force_in_port_searches_the_base_and_all_with_it() -> None:
    # main 30: column 1 for the base and C2 (U to 38), the passive C1 in column 2 is missed; one ID roll 60: +2
    text = "C9 0405 BATS base Lair LC1\nC1 0405 CA[fuel=1] passive port C9\nC2 0405 CA[fuel=1] port C9\nA1 0405 CA"
    at = met(text, 90, 30, 60)
    at.state.units["C9.BATS"].special_sensors = 0
    # the base searches A1 first: Coalition Force, LC1 + 4 shifts, main 90 fails
    play(at, {"alliance": {"A1": {"target": "E2"}}})
    levels = {tf.id: tf.id_level for tf in at.state.all_task_forces("coalition")}
    assert levels == {"C1": IdLevel.U, "C2": IdLevel.ID1, "C9": IdLevel.ID1}


@pytest.mark.rule("pq17", "6.3.2")
def test_the_phasing_side_may_choose_the_order_of_hexes() -> None:
    text = "A1 0303 CA\nC1 0303 CA[fuel=0]\nA2 0405 CA\nC2 0405 CA[fuel=0]"
    at = met(text, 5, 99, 5, 99)
    play(at, {"alliance": {"A1": {"target": "E1"}, "A2": {"target": "E2"}, "order": {"hexes": "0405 0303"}}})
    assert [line[:2] for line in [text for text in told(at, "alliance") if "searched" in text]] == ["A2", "A1"]


# --- orders that are refused ------------------------------------------------------------------------------------------
FLEET = "A1 0405 CA / A2 0405 FF[fuel=1/2] / A3 0406 CA / A4 0405 CA shadows C1 / A5 0405 DD logistics"
FLEET += " / A6 0405 CA port A9 / A9 0405 BATS base Haven known LC1 / C1 0405 CA / C2 0405 DD"
FLEET += " / C9 0405 BATS base Lair known LC2"  # Lair has taken E1


@pytest.mark.rule("pq17", "6.3.2", "6.3.2.1", "6.3.2.3", "7.3.8", "1.8.7", "5.2.3.4", "5.5.8")
@cases("sheet, path, rule", "path, rule")
def test_an_illegal_search_is_refused_with_its_rule(sheet: dict[str, Any], path: str, rule: str) -> None:
    ask = alliance_sheet(met(FLEET))
    with pytest.raises(Refused) as refused:
        ask.answer_from(sheet)
    assert (path, rule) in [(one.path, one.rule) for one in refused.value.refusals]


@pytest.mark.rule("pq17", "6.3.2.3")
def test_a_force_that_has_searched_is_refused() -> None:
    at = met(FLEET)
    at.state.set_mark(at.state.task_forces["A1"], "searched")
    ask = alliance_sheet(at)
    with pytest.raises(Refused, match="already"):
        ask.answer_from({"A1": {"target": "E2"}})


@pytest.mark.rule("pq17", "1.8.6", "1.8.7", "6.3.2.1", "6.3.4.11", "11.5.4", "1.8.12.8")
@cases("text, rule, problem")
def test_who_may_not_search_is_told_the_reason_in_typed_orders_too(text: str, rule: str, problem: str) -> None:
    ships = "A1 0405 FF\nA2 0405 DD[fuel=1/2]\nA3 0405 CA\nA4 0405 CL logistics\nA8 0405 BATS base Dock\n"
    at = met(f"{ships}A9 0405 BATS base Haven\nC1 0405 CA ID2")
    refit = damage.RefitInHand(name="AWR", points=10, turn=2)
    at.state.units["A3.CA"].repairs = at.state.units["A3.CA"].repairs.with_values(refit=refit)
    at.state.units["A8.BATS"].repairs = at.state.units["A8.BATS"].repairs.with_values(inactive=True)
    ask = alliance_sheet(at)
    with pytest.raises(Refused) as refused:
        read_sheet(ask.form, text, ask.refusals_of)
    assert [(one.rule, one.problem) for one in refused.value.refusals] == [(f"PQ-17 {rule}", problem)]


@cases("sheet")
def test_a_malformed_search_is_refused(sheet: Any) -> None:
    ask = alliance_sheet(met(FLEET))
    with pytest.raises(Refused) as refused:
        ask.answer_from(sheet)
    assert all(one.kind == "malformed" for one in refused.value.refusals)


def test_all_defects_are_told_at_once_and_nothing_changes() -> None:
    at = met(FLEET)
    ask = alliance_sheet(at)
    before = at.state.to_json()
    with pytest.raises(Refused) as refused:
        ask.answer_from({"A1": {"target": "E9", "probes": 9}, "A77": {}, "A3": {"target": "E2"}})
    assert len(refused.value.refusals) == 4
    assert at.state.to_json() == before


def test_the_order_of_hexes_must_name_each_once() -> None:
    at = met("A1 0303 CA\nC1 0303 CA[fuel=0]\nA2 0405 CA\nC2 0405 CA[fuel=0]")
    ask = alliance_sheet(at, "alliance")
    for hexes in ("0303", "0303 0303", "0303 0405 0406"):
        with pytest.raises(Refused, match="every hex"):
            ask.answer_from({"order": {"hexes": hexes}})
    ask.answer_from({"order": {"hexes": "0405, 0303"}})


def test_the_prefilled_form_is_a_legal_answer_and_the_default() -> None:
    ask = alliance_sheet(met(FLEET))
    answer = ask.answer_from(ask.form.prefilled())  # type: ignore[arg-type]
    assert ask.read_back(answer)[0] == "A1 in 0405: does not search."
    assert ask.default is not None
    assert not list(ask.check(ask.default))


def test_running_dry_is_warned_of() -> None:
    at = met("A1 0405 CA[fuel=2]\nC1 0405 CA[fuel=0]")
    ask = alliance_sheet(at, "alliance")
    answer = ask.answer_from({"A1": {"target": "E1"}})
    assert ask.warn(answer) == ["A1: A1.CA will have no fuel left for its next hex."]


# --- secrets ----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("pq17", "6.3.2", "6.2.2")
@cases("case, what, one, other", "")
@pytest.mark.unseen("pq17", reports=("contact",), asks=("search",))
def test_asks_and_reports_do_not_depend_on_what_is_hidden(what: str, one: str, other: str) -> None:
    seen: list[object] = []
    for text in (one, other):
        at = met("A1 0405 CA speed 2\nA2 0405 SC\n" + text)
        announce_detections(at)
        (ask,) = asks_of(reconnaissance_steps(at, "coalition"))
        default = ask.default.model_dump() if ask.default is not None else None
        sheet = (ask.title, ask.text, form_document(ask.form), default, ask.default_says)
        seen.append((sheet, reports_to(at, "alliance")))
    assert seen[0] == seen[1], what


@pytest.mark.rule("pq17", "6.3.4.11")
@pytest.mark.unseen("pq17", reports=("attempt", "conditions", "contact", "declared"), asks=("search",))
def test_the_owner_never_hears_the_level_or_the_id_roll() -> None:
    said: list[object] = []
    for roll in (10, 99):
        at = met(MEET, 5, 10, roll)
        play(at, {"alliance": {"A1": {"target": "E1", "probes": 2 if roll > 50 else 0}}})
        said.append(reports_to(at, "coalition"))
    assert said[0] == said[1]
