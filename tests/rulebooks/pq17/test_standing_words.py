"""Standing orders in words: read, refused with the nearest thing meant, and read back."""

import re
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.basics.refusals import Refusal, illegal
from rules_engine.core.forms.forms import Field, Form, Line
from rules_engine.core.standing.answers import Decision
from rules_engine.rulebooks.pq17.campaign.period_sheet import period_ask
from rules_engine.rulebooks.pq17.ch08_combat.declarations import AttackSheet
from rules_engine.rulebooks.pq17.orders import order_sheets, standing_answers, standing_read_back
from rules_engine.rulebooks.pq17.orders.idle_words import idle_words
from rules_engine.rulebooks.pq17.orders.standing_precedence import CONVOY, layers_of, whose
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders, write_orders
from rules_engine.rulebooks.pq17.plotting.running_on import read_stops, write_stops
from rules_engine.rulebooks.pq17.records.standing_orders import (
    NO_ORDERS,
    PRESETS,
    AttackOrder,
    SearchOrder,
    ShadowOrder,
    StandingClauses,
    Stop,
    resolved,
)
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.playing.written_scenes import spell_reports
from tests.rulebooks.pq17.worlds.campaign import campaign, put
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table, world

# --- what is said of lines that a sheet does not have, and of towing that cannot be read ------------------------------
FORM = Form(lines=(Line(key="A1", label="A1", fields=(Field(key="route", label="Route", kind="text"),)),))


@cases("lines, refusals", made="lines")
def test_what_the_sheet_does_not_have_is_refused(lines: dict[str, order_sheets.PlanLine], refusals: list[str]) -> None:
    assert [str(one) for one in order_sheets.misplaced(FORM, lines)] == refusals


@cases("text", "")
def test_towing_that_cannot_be_read_is_refused_with_how_it_is_written(text: str, kept: Kept) -> None:
    groups, refusals = order_sheets.read_tows(f"vigil>mote, {text}", "A1.tow")
    assert order_sheets.write_tows(groups) == "vigil>mote"
    assert [str(one) for one in refusals] == kept()


# --- orders alone -----------------------------------------------------------------------------------------------------
ATTACKS = {"A1": Decision({"target": "E1"}, said="A1 attacks.", clause="attack at id1", whose="A1")}


def decided(decisions: dict[str, Decision | None], *refusals: Refusal) -> tuple[AttackSheet | None, int, int]:
    """The sheet, how often it was judged, and how much was told."""
    at = table(world("A1 0405 CA\nC1 0405 CA ID1"))
    judged: list[AttackSheet] = []

    def check(sheet: AttackSheet) -> Sequence[Refusal]:
        judged.append(sheet)
        return refusals

    sheet = standing_answers.by_orders_alone(at, "alliance", "PQ-17 8.4.2", AttackSheet({}), decisions, check=check)
    return sheet, len(judged), len(at.shared.reports)


def test_what_orders_do_is_judged_first_and_told() -> None:
    sheet, judged, told = decided(dict(ATTACKS))
    assert (sheet.root["A1"].target, judged, told) == ("E1", 1, 1)


def test_what_cannot_be_carried_out_is_left_to_the_owner_and_not_told() -> None:
    assert decided(dict(ATTACKS), illegal("no fuel", "PQ-17 9.6")) == (None, 1, 0)


def test_where_orders_do_nothing_there_is_nothing_to_judge() -> None:
    assert decided({}) == (AttackSheet({}), 0, 0)


def test_what_orders_leave_open_is_not_judged() -> None:
    assert decided({**ATTACKS, "A2": None}) == (None, 0, 0)


# --- asks that standing orders decide in part, or altogether: what their owner reads ----------------------------------
def two_calls() -> State:
    """A sheet with two lines: the transfers of CALENDAR, for which there are two cruisers."""
    state = campaign(turn=31)
    put(state, "A1", "1217", "FED-CA", "FED-CA")
    return state


def test_where_orders_decide_a_line_alone_silence_accepts_them() -> None:
    at = table(two_calls())
    decisions = {"calendar-CA": Decision({"ships": []}), "calendar-DD": None}
    (ask,) = asks_of(standing_answers.by_standing_orders_steps(at, period_ask(at, "alliance"), decisions))
    assert ask.default_says == (
        "Your standing orders are carried out. Where they are silent: The least useful ships go on transfers."
    )
    assert ask.form.prefilled()["calendar-CA"]["ships"] == []
    assert at.shared.reports == []


@pytest.mark.parametrize("times", [1, 2])
def test_where_orders_decide_all_their_owner_is_told_what_and_by_which(times: int) -> None:
    """What is told once a turn is not repeated, the rest is."""
    at = table(two_calls())
    own, sides = "A1's standing orders", "your side's standing orders"
    decisions = {
        "calendar-CA": Decision({"ships": []}, said="Nobody goes.", clause="hold", whose=own, once=True),
        "calendar-DD": Decision({"ships": []}, said="Nobody else goes.", clause="hold", whose=sides),
    }
    for _ in range(times):
        run(standing_answers.by_standing_orders_steps(at, period_ask(at, "alliance"), decisions))
    other = [
        "To alliance, doctrine: Nobody else goes.",
        "  because your side's standing orders “hold”; PQ-17 C.schedule.note3",
    ]
    assert list(spell_reports(at.shared.reports)) == [
        "To alliance, doctrine: Nobody goes.",
        "  because A1's standing orders “hold”; PQ-17 C.schedule.note3",
        *(other * times),
    ]


def orders(text: str) -> StandingClauses:
    found, refusals = read_orders(text, "A1.doctrine", of_side=True)
    assert refusals == []
    return found


def test_a_line_of_orders_is_read_clause_by_clause() -> None:
    assert orders("search fuel>10; shadow; attack id2 x1.5; probes 1; withdraw") == StandingClauses(
        search=SearchOrder(what="search", keep=Fraction(10)), shadow=ShadowOrder(what="shadow"),
        attack=AttackOrder(what="attack", level=2, ratio=Fraction(3, 2)), probes=1, move="withdraw",
    )  # fmt: skip


@cases("text, same")
def test_other_words_mean_the_same(text: str, same: str) -> None:
    assert write_orders(orders(text)) == same


ALL = (
    "search, shadow, probes 1, attack id2 x1.5, raid, sweep, withdraw, hold, go on, pursue, power full, regroup "
    "keep, ask "
    "on contact, ask every step"
)
"""What is legal where a clause cannot be placed at all."""


@cases("text, refusal", "")
def test_what_is_not_understood_is_refused_with_what_would_be(text: str, refusal: str) -> None:
    _, refusals = read_orders(text, "A1.doctrine", of_side=True)
    assert [str(one) for one in refusals] == [f"A1.doctrine: {refusal}"]


@pytest.mark.parametrize("number", [0, 1, 99])
def test_any_number_of_probes_up_to_99_may_be_spent(number: int) -> None:
    assert orders(f"probes {number}").probes == number


def test_what_is_shown_as_legal_is_legal() -> None:
    for text in (*ALL.split(", "), "search fuel>10; shadow; attack id2 x1.5; probes 1; withdraw", "ask moves"):
        assert orders(text) != NO_ORDERS


def test_all_defects_come_at_once(kept: Kept) -> None:
    _, refusals = read_orders("serch; attack id7; probes", "A1.doctrine")
    assert [one.problem for one in refusals] == kept()


def test_settled_hexes_take_orders_from_the_side_alone(kept: Kept) -> None:
    assert orders("settled never").settled == "never"
    _, refusals = read_orders("settled never", "A1.doctrine")
    assert [str(one) for one in refusals] == kept()


FUEL = st.none() | st.fractions(0, 40, max_denominator=12)
ORDERS = st.builds(
    StandingClauses,
    asks=st.sampled_from([None, "steps", "contact"]),
    search=st.none()
    | st.builds(SearchOrder, what=st.sampled_from(["ask", "never"]))
    | st.builds(SearchOrder, what=st.just("search"), below=st.integers(1, 3), keep=FUEL),
    shadow=st.none() | st.just(ShadowOrder(what="never")) | st.builds(ShadowOrder, what=st.just("shadow"), keep=FUEL),
    probes=st.none() | st.integers(0, 99),
    attack=st.none()
    | st.builds(AttackOrder, what=st.sampled_from(["ask", "never"]))
    | st.builds(
        AttackOrder,
        what=st.just("attack"),
        level=st.integers(1, 3),
        ratio=st.none() | st.fractions(Fraction(1, 6), 6, max_denominator=12),
        keep=FUEL,
        bases=st.booleans(),
    ),
    raid=st.sampled_from([None, "ask", "never", "raid"]),
    sweep=st.sampled_from([None, "ask", "never", "sweep"]),
    move=st.sampled_from([None, "ask", "go on", "hold", "withdraw"]),
    pursue=st.sampled_from([None, "ask", "never", "shadow", "battle"]),
    power=st.sampled_from([None, "ask", "full"]),
    regroup=st.sampled_from([None, "ask", "keep"]),
    settled=st.sampled_from([None, "search", "never"]),
)


@given(ORDERS)
def test_whatever_is_ordered_can_be_written_and_read_again(given_orders: StandingClauses) -> None:
    assert orders(write_orders(given_orders)) == given_orders


@given(ORDERS)
def test_every_clause_is_read_back_in_a_sentence(given_orders: StandingClauses) -> None:
    clauses = sum(getattr(given_orders, name) is not None for name in StandingClauses.model_fields)
    assert standing_read_back.say_orders(given_orders, of_side=True).count(". ") + bool(clauses) == clauses


def test_orders_are_read_back_in_plain_language() -> None:
    said = standing_read_back.say_orders(orders("search fuel>10; attack id2 x1.5; withdraw"))
    assert said == (
        "Searches what appears if every ship keeps more than 10 fuel. Attacks what it holds at ID2 or better, if its "
        "movement cost is known and at most 1 1/2 (1.5) times ours; never bases or what stands beside one. Leaves a "
        "hex with a contact at its next move, towards home."
    )


def test_what_nobody_orders_attacks_nobody() -> None:
    for asks in ("steps", "contact"):
        usual = resolved(StandingClauses(asks=asks))
        assert (usual.attack, usual.search) == (AttackOrder(what="ask"), SearchOrder(what="ask"))
    assert resolved(NO_ORDERS).asks == "steps"


def test_nearer_orders_go_before() -> None:
    found = resolved(orders("hold"), orders("search; withdraw"), orders("attack never; search never"))
    assert (found.move, found.search, found.attack) == ("hold", SearchOrder(what="search"), AttackOrder(what="never"))


# --- stop conditions --------------------------------------------------------------------------------------------------
STATE = world("A1 0405 CA\nA2 0403 DD\nA9 0303 BATS base Haven known\nC1 0608 CA")


@cases("text, stops", made="stops")
def test_stop_conditions_are_read_and_written(text: str, stops: tuple[Stop, ...]) -> None:
    assert read_stops(STATE, "alliance", text, "side.stop") == (stops, [])
    assert read_stops(STATE, "alliance", write_stops(stops), "side.stop") == (stops, [])


@cases("text, says", "")
def test_stop_conditions_that_cannot_be_are_refused(text: str, says: str) -> None:
    _, refusals = read_stops(STATE, "alliance", f"arrived; {text}", "side.stop")
    assert len(refusals) == 1
    assert says in refusals[0].problem
    assert refusals[0].path == "side.stop"


def test_probes_may_be_forbidden() -> None:
    assert read_orders("probes never", "side")[0].probes == 0
    assert read_orders("probes 0", "side")[0].probes == 0


# --- standing orders in which a word says nothing: it is refused by name, with what was understood --------------------
def told(text: str) -> list[str]:
    """What is refused in orders that can be read."""
    assert read_orders(text, "", of_side=True)[1] == []
    return [str(one) for one in idle_words(text, "side.doctrine", of_side=True)]


@cases("text, refusal", "")
def test_a_word_that_says_nothing_is_refused_by_name(text: str, refusal: str) -> None:
    assert any(one.startswith(f"side.doctrine: {refusal}") for one in told(text)), told(text)


@cases("text", "")
def test_what_can_be_said_is_said(text: str) -> None:
    assert told(text) == []


@given(ORDERS)
def test_what_is_written_has_no_idle_words(given_orders: StandingClauses) -> None:
    assert told(write_orders(given_orders)) == []


def test_what_cannot_be_read_is_refused_by_itself_alone() -> None:
    assert idle_words("serch at once", "side.doctrine") == []


WORDS = """search shadow attack probes withdraw hold go on raid sweep pursue power regroup settled ask moves no never at
or better every once if the what appears possible is and below bases contact step full keep battle fuel>3 id1 id2 x1 2 3
me all route hexes us ours ; ;"""
VOCABULARY = st.sampled_from(WORDS.split())


@given(st.lists(VOCABULARY, min_size=1, max_size=8).map(" ".join))
def test_of_any_text_every_word_matters_or_is_refused_by_name(text: str) -> None:
    """Each word of orders that are taken is one of a figure or a phrase, or the orders are others without it."""
    found, refusals = read_orders(text, "", of_side=True)
    if refusals or idle_words(text, "", of_side=True):
        return
    for word in re.finditer(r"[^\s;]+", text):
        without = read_orders(f"{text[: word.start()]} {text[word.end() :]}", "", of_side=True)
        if without == (found, []):
            assert re.search(
                r"(go on|every step|on contact|what appears|if possible|power full|regroup keep|pursue battle|hexes"
                r"|settled search|ask me|the \w+|if fuel|(at|below) id\d|at x\d|id\d( or better)?|x\d ours)",
                text,
            ), (text, word[0])


# --- standing orders as their owner reads them back: each order, and the whole sentence that it stands for ------------
@cases("order, sentence")
def test_an_order_is_read_back_in_one_sentence(order: str, sentence: str) -> None:
    assert standing_read_back.say_orders(orders(order), of_side=True) == sentence


@cases("order", "")
def test_what_is_read_back_can_be_typed(order: str) -> None:
    said = standing_read_back.say_orders(orders(order), of_side=True)
    assert orders(said) == orders(order)
    assert orders(said.lower().removesuffix(".")) == orders(order)
    assert orders(f"All task forces: {said}") == orders(order)


def test_what_is_read_back_may_stand_beside_what_is_written() -> None:
    assert orders("Searches nobody. probes 2; hold") == orders("search never; probes 2; hold")
    assert read_orders("Searches nobody. Searches what appears.", "side.doctrine")[1]


def test_a_task_force_is_told_nothing_about_settled_hexes() -> None:
    assert standing_read_back.say_orders(orders("hold; settled never")) == "Stays in its hex while in contact."


@cases("asks, written")
def test_the_presets_as_they_would_be_written(asks: str, written: str) -> None:
    assert write_orders(PRESETS["contact" if asks == "contact" else "steps"]) == written


def test_the_preset_of_convoys_keeps_out_of_everything() -> None:
    assert write_orders(CONVOY) == "search never; shadow never; attack never; raid never; sweep never; go on"


def test_an_order_is_given_the_name_of_the_layer_that_it_comes_from(kept: Kept) -> None:
    """The convoy's preset steps in where its side wants to be asked on contact, and after its own orders."""
    state = world("A1 0405 FT\nA2 0404 CA\nA3 0403 CA")
    state.doctrine["alliance"].orders = orders("ask on contact; probes 1")
    state.task_forces["A1"].doctrine = orders("hold")
    state.task_forces["A1"].meeting = orders("shadow")
    clauses = ("shadow", "move", "search", "probes", "power")
    assert [whose(state, state.task_forces["A1"], one) for one in clauses] == kept()
    assert [one.name for one in layers_of(state, state.task_forces["A2"])] == ["your side's standing orders"]
    assert whose(state, state.task_forces["A3"], "move") == "the usual orders"
