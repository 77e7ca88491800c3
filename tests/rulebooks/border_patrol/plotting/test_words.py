"""The words of sheets, questions and standing orders, as captains read them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.forms.forms import Line
from rules_engine.core.forms.order_text import read_sheet, write_sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.border_patrol.plotting import standing_words
from rules_engine.rulebooks.border_patrol.plotting.asking import plot_ask
from rules_engine.rulebooks.border_patrol.records.orders import MOST_IN_WORDS, STANDING, StackOrders
from tests.expected.kept import Kept, cases
from tests.rulebooks.border_patrol.plays import play, refused, world

LINES = """
blue B1 0505 CA[cloak_cost=10 emergency_used=4 chief_engineer=3]+DD
blue B2 0101 DD+FF
blue B3 0101 FF
red R1 0505 CA
"""


def asked() -> AnyAsk:
    return plot_ask(world(LINES), "blue")


def offered(line: Line | None) -> list[tuple[str, list[str]]]:
    """Each field's label and the labels of its choices."""
    assert line is not None
    return [(field.label, [choice.label for choice in field.choices]) for field in line.fields]


def test_a_stacks_line(kept: Kept):
    line = asked().form.line("B1")
    assert line is not None
    assert (line.label, line.note) == ("B1 at 0505: B1-CA, B1-DD", "at 0505, allowance 5: phases 2, 4, 5, 7, 8")
    assert line.fields[0].help == "5 hexes, in phases 2 4 5 7 8, e.g. 0504; P8 0504 waits for phase 8; blank holds"
    assert offered(line) == kept("#2")
    assert (line.fields[4].value, line.fields[4].help) == kept()


def test_the_line_of_its_ships(kept: Kept):
    assert offered(asked().form.line("B2-ships")) == kept()
    absent = {(one.key, one.field): one.problem for one in asked().form.absent}
    assert absent["B2", "cloak"] == "nobody in B2 has a cloaking device"
    in_words = {"onward": "stop", "held": "break out", "let_go": "let go", "within": "within 1"}
    assert {field: absent["B2", field] for field in in_words} == {
        field: f"it is said in words: orders {example}" for field, example in in_words.items()
    }
    assert absent["B1", "tow"] == "it stands in the line B1-ships"
    assert absent["B1-ships", "overhaul"] == "nothing of yours in 0505 overhauls engines"
    assert absent["B1-ships", "join"] == "no other stack of its captain is in 0505"
    assert absent["B3-ships", "tow"] == "nobody in B3 has anybody to tow"
    assert absent["B3-ships", "detach"] == absent["B3", "rearguard"] == "B3 is one unit alone"


def test_what_is_read_back(kept: Kept):
    ask = asked()
    first = ask.answer_from(
        {
            "B1": {"route": "0506 P5 0507", "emergency": ["B1-CA"], "held": "either", "onward": "ask"},
            "B1-ships": {"rearguard": ["B1-DD"]},
            "B2": {"react": "any", "within": 1, "let_go": "ask"},
            "B3-ships": {"join": "B2"},
        }
    )
    assert ask.read_back(first) == kept("ask.read_back(first)")
    assert ask.warn(first) == kept()
    second = ask.answer_from(
        {
            "B1": {"react": "ask", "cloak": "until it reacts"}, "B1-ships": {"detach": ["B1-DD"]},
            "B2": {"route": "0102", "within": 0}, "B2-ships": {"tow": ["B2-DD>B2-FF"]},
            "B3-ships": {"overhaul": ["B3-FF"]},
        }
    )  # fmt: skip
    assert ask.read_back(second) == kept("ask.read_back(second)")
    leaves = ask.answer_from({"B1": {"route": "0506"}})
    assert ask.warn(leaves) == ["B1: the Red Team may hold it in 0505 (V8.21)"]
    assert [(one.counter, one.hexes) for one in ask.courses(leaves)] == [("B1", ("0505", "0506"))]
    tells = "B1: if held it asks the others to let it go, and they learn that it is there (V8.25)"
    for cloak, held, more in (
        ("all turn", "withdraw", [tells]),
        ("all turn", "either", [tells]),
        ("no", "withdraw", []),
    ):
        hidden = ask.answer_from(
            {"B1": {"route": "0506", "cloak": cloak, "held": held}, "B1-ships": {"detach": ["B1-DD"]}}
        )
        assert ask.warn(hidden) == more


def test_what_captains_are_asked_in_mid_turn():
    red = {"R1": {"let_go": "ask"}}
    blue = {"B1": {"route": "0506", "held": "withdraw"}}
    (let_go,) = play(world("blue B1 0505 CA\nred R1 0505 CA"), blue, red).asked("red", "withdrawal")
    assert (let_go.title, let_go.text) == ("The Blue Team would leave 0505", "Letting it go means no combat with it.")
    assert offered(let_go.form.lines[0]) == [("Answer", ["Hold them", "Let them go"])]
    assert let_go.default_says == "Hold them."
    meets = {"B1": {"route": "0506 0507", "onward": "ask"}}
    (onward,) = play(world("blue B1 0505 CA\nred R1 0507 CA"), meets).asked("blue", "onward")
    assert (onward.title, onward.text) == ("Others before B1", "Phase 4: the Red Team in 0507.")
    assert offered(onward.form.lines[0]) == [("Answer", ["Stop", "Go on", "Turn back"])]
    assert onward.read_back(onward.default) == ["B1: stop"]
    waits = {"B1": {"react": "ask"}}
    game = play(world("blue B1 0505 CA\nred R1 0507 CA"), waits, {"R1": {"route": "0506"}})
    (react,) = game.asked("blue", "reaction")
    assert (react.title, react.text) == ("B1 may react", "Phase 2: the Red Team in 0506.")
    assert offered(react.form.lines[0]) == [("Answer", ["Stay", "React"]), ("First hex", [])]


def test_what_is_reported_of_a_unit_in_battle(kept: Kept):
    game = play(world("blue B1 0505 CA\nblue base 0505 BATS\nred R1 0506 CA"), None, {"R1": {"route": "0505"}})
    (battle,) = game.asked("blue", "battle")[:1]
    fates = ["Still there, as before", "Still there, damaged", "Disengaged", "Captured", "Destroyed"]
    assert offered(battle.form.line("RU1")) == kept()
    base = battle.form.line("BU1")
    assert offered(base)[0] == ("Fate", [fates[0], fates[1], fates[3], fates[4]])
    assert "Dropped its warp engines" not in dict(offered(base))


def test_what_the_sheet_of_a_turn_is_called_and_asks(kept: Kept):
    ask = asked()
    assert (ask.title, ask.text) == kept("(ask.title, ask.text)")
    question = ask.asks_for
    assert (question.heading, question.noun, question.others) == ("Turn 0", "stack", "hold")
    assert question.situation == "Ways for eight phases, and what stacks do when they see others."
    assert (ask.rule, ask.default_says) == ("V8.15, V8.61", "All stacks hold.")
    assert list(ask.read_back(ask.answer_from({}))) == kept("#2")
    convoy = plot_ask(world("blue B1 0505 FT\nconvoy blue B1 0505 0506 0507"), "blue")
    assert list(convoy.read_back(convoy.answer_from({}))) == ["No stack is to be commanded."]
    assert not convoy.leaves_choice


def test_what_a_line_has_no_field_for_and_why():
    lines = "blue B1 0505 CA\nblue B2 0101 DD+FF[warp_ok=0]\nblue B3 0707 FF[warp_ok=24 warp_original=24]"
    form = plot_ask(world(lines), "blue").form
    assert [line.key for line in form.lines] == ["B1", "B2", "B3", "B2-ships"]
    ships = form.line("B2-ships")
    assert ships is not None
    assert (ships.label, ships.note, ships.group) == ("B2: parting, joining, tows, pods, overhauls", "at 0101", "Ships")
    assert dict(offered(ships))["Tows"] == ["B2-DD tows B2-FF"], "who has no engines tows nobody"
    said = {(one.key, one.field): (one.problem, one.rule) for one in form.absent}
    assert said["B1-ships", ""] == ("B1 has nobody to part, tow, load or overhaul", "V8.31")
    assert said["B1", "cloak"] == ("nobody in B1 has a cloaking device", "V8.51")
    assert said["B1", "rearguard"] == said["B1-ships", "rearguard"] == ("B1 is one unit alone", "V8.23")
    assert said["B1", "detach"] == ("B1 is one unit alone", "BP-N16")
    assert said["B1", "tow"] == ("nobody in B1 has anybody to tow", "V8.31")
    assert said["B1", "overhaul"] == ("nothing of yours in 0505 overhauls engines", "V8.45")
    assert said["B1", "join"] == ("no other stack of its captain is in 0505", "BP-N16")
    assert said["B2", "tow"] == ("it stands in the line B2-ships", "BP-R58")
    assert form.by_key["B3"].fields[0].help == (
        "12 hexes, in every phase, e.g. 0706; P8 0706 waits for phase 8; blank holds"
    )
    assert form.by_key["B3"].note == "at 0707, allowance 12: phases 1, 2, 3, 4, 5, 6, 7, 8"
    still = plot_ask(world("blue B1 0505 CA[warp_ok=0]"), "blue").form.by_key["B1"]
    assert still.note == "at 0505, does not move by itself"


def test_many_ships_are_counted_where_their_names_would_be_too_long():
    """Eighty letters are shown, eighty-one not."""
    cruiser, frigates = (
        plot_ask(world(f"blue B1 0505 {first}{'+FF' * 8}"), "blue").form.by_key["B1"].label for first in ("CA", "FF")
    )
    assert cruiser == "B1 at 0505: B1-CA, B1-FF, B1-FF2, B1-FF3, B1-FF4, B1-FF5, B1-FF6, B1-FF7, B1-FF8"
    assert len(cruiser) == 80
    assert frigates == "B1 at 0505: B1-FF and 8 more"


def test_who_breaks_out_and_who_stays_behind_in_words(kept: Kept):
    ask = plot_ask(world("blue B1 0505 CA+DD+FF"), "blue")
    line = {"held": "break out", "rearguard": ["B1-DD", "B1-FF"]}
    assert ask.read_back(ask.answer_from({"B1": line, "B1-ships": {"rearguard": line["rearguard"]}})) == kept("#1")
    assert ask.read_back(ask.answer_from({"B1-ships": {"detach": ["B1-DD", "B1-FF"]}})) == kept("#2")
    fast = ask.answer_from({"B1": {"emergency": ["B1-CA"]}})
    assert ask.warn(fast) == ["B1: goes 5 hexes, as B1-DD, B1-FF use no Emergency Movement (BP-N16)"]


# --- standing words --------------------------------------------------------------------------------------------------
STANDING_LINES = "blue B1 0505 CA+DD\nred R1 0508 CA"
FARTHEST = 2


def read(text: str) -> dict[str, object]:
    orders, refusals = standing_words.read_orders(text, "B1.orders")
    assert refusals == []
    return orders


def told(text: str) -> list[str]:
    orders, refusals = standing_words.read_orders(text, "B1.orders")
    assert orders == {}, "nothing is half applied"
    assert all(one.legal and one.path == "B1.orders" for one in refusals)
    return [one.problem for one in refusals]


@cases("text, orders", "")
def test_what_a_text_orders(text: str, orders: dict[str, object]):
    assert read(text) == orders


def test_the_example_that_is_shown_is_read():
    assert read(standing_words.EXAMPLE) == {"onward": "stop", "held": "break out", "let_go": "ask"}


@cases("text, problem")
def test_what_is_refused(text: str, problem: str):
    assert told(text) == [problem]


def test_a_slip_is_answered_with_the_nearest_word():
    (one,) = standing_words.read_orders("retrun", "B1.orders")[1]
    assert one.nearest[0] == "return"


ORDERS = st.builds(
    lambda within, words: StackOrders(within=within, **words),
    st.integers(0, FARTHEST),
    st.fixed_dictionaries({name: st.sampled_from(sorted(words)) for name, words in standing_words.CLAUSES.items()}),
)


@given(ORDERS)
def test_what_is_written_and_what_is_read_back_are_the_same_orders(orders: StackOrders):
    for text in (
        standing_words.write_orders(orders, FARTHEST),
        standing_words.say_orders(orders, FARTHEST),
        standing_words.say_orders(orders, FARTHEST).upper(),
    ):
        assert len(text) <= MOST_IN_WORDS
        found = StackOrders().changed(**read(text))
        assert {name: getattr(found, name) for name in STANDING if name != "within"} == {
            name: getattr(orders, name) for name in STANDING if name != "within"
        }
        assert min(found.within, FARTHEST) == orders.within


@pytest.mark.rule("border_patrol", "V8.23", "V8.24")
def test_words_order_what_choices_did_and_stand_until_they_are_changed():
    state = world("blue B1 0505 CA+DD\nred R1 0505 CA")
    sheet: dict[str, Any] = {"B1": {"route": "0506", "orders": "break out"}, "B1-ships": {"rearguard": ["B1-DD"]}}
    game = play(state, sheet)
    assert (game.hexes()["B1"], game.state.stacks["B1"].orders.held) == ("0506", "break out")
    play(game.state, {"B1": {"orders": "let go"}})
    orders = game.state.stacks["B1"].orders
    assert (orders.held, orders.let_go, orders.onward) == ("break out", "let go", "go on")
    assert standing_words.write_orders(orders, FARTHEST) == "go on; break out; let go"


@pytest.mark.rule("border_patrol", "V8.24")
def test_a_rearguard_is_judged_by_the_words_of_its_sheet():
    sheet = {"B1": {"orders": "break out"}, "B1-ships": {"rearguard": ["B1-CA"]}}
    assert [one.rule for one in refused(world(STANDING_LINES), sheet)] == ["V8.24, BP-R14"]
    assert refused(world(STANDING_LINES), {**sheet, "B1": {"orders": "stay"}}) == []


def test_order_text_takes_words_and_says_what_became_of_the_lists():
    ask = plot_ask(world(STANDING_LINES), "blue")
    typed = read_sheet(ask.form, "B1: route 0506; orders stop, break out\n")
    assert typed == {"B1": {"route": "0506", "orders": "stop, break out"}}
    assert read_sheet(ask.form, 'B1: orders "stop; break out"') == {"B1": {"orders": "stop; break out"}}
    assert read_sheet(ask.form, write_sheet(ask.form, ask.form.prefilled()))["B1"]["orders"] == "go on; stay; refuse"
    said = {one.field: one.problem for one in ask.form.absent if one.key == "B1"}
    assert said["held"] == "it is said in words: orders break out"


def test_bad_words_are_refused_with_their_place_and_nothing_is_applied():
    (one,) = refused(world(STANDING_LINES), {"B1": {"route": "0506", "orders": "brake out"}})
    assert (one.path, one.nearest[0]) == ("B1.orders", "break")


def test_how_far_a_stack_reacts_is_said_where_it_is_less_than_any_zone_reaches():
    near, as_far_as_any = StackOrders(within=FARTHEST - 1), StackOrders(within=FARTHEST)
    assert standing_words.write_orders(near, FARTHEST) == f"go on; stay; refuse; within {FARTHEST - 1}"
    assert standing_words.write_orders(as_far_as_any, FARTHEST) == "go on; stay; refuse"
    assert standing_words.say_orders(near, FARTHEST).endswith(standing_words.say_within(FARTHEST - 1))
    assert "away" not in standing_words.say_orders(as_far_as_any, FARTHEST)


@cases("written, said")
def test_each_order_is_said_as_it_is_meant_and_written_as_it_is_typed(written: str, said: str):
    """What is usual of a catch and of convoys, to stay and to spare them, is not said."""
    orders = StackOrders(**standing_words.read_orders(written, "")[0])
    assert said in standing_words.say_orders(orders, FARTHEST).split("; ")
    assert written in standing_words.write_orders(orders, FARTHEST).split("; ")
