"""Frames within Discord's limits, and the cards of open sheets in them."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import RootModel

from bot.cards.cards import prompt_card
from bot.cards.frame_sizes import (
    MOST_BYTES,
    MOST_COMPONENTS,
    MOST_TEXT,
    bytes_of,
    components_of,
    fits,
    height,
    words_of,
)
from bot.cards.frames import (
    MOST_HEIGHT,
    SIDES,
    accent_of,
    beside,
    fixed,
    framed,
    heading,
    picture,
    rows,
    rule,
    small,
    spared,
    text,
)
from bot.cards.prompts.card import short_heading
from bot.cards.prompts.lines import PINS
from bot.cards.prompts.orders import orders_card, orders_lines, pages_of
from bot.cards.prompts.state import PromptState
from bot.records.components import Block, ButtonSpec, Card, MenuSpec
from map_render.drawing.theme import SIDES as DRAWN
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.glance import News
from rules_engine.core.protocol.question import LineNow, Question, UsualAnswer
from tests.bot.cards.test_cards import Answer, state
from tests.expected.words import has_words
from tests.rulebooks.test_every_rulebook import SCENARIOS, match


# --- turn cards -------------------------------------------------------------------------------------------------------
# cards of open sheets in their frames: what needs the reader first, within what Discord takes and a phone shows, and
# nothing that warns is lost.
class AnyValues(RootModel[dict[str, dict[str, str | bool]]]):
    """An answer of any values."""


CLOSES = datetime(2026, 1, 1, tzinfo=UTC)


def words(card: Card) -> str:
    assert card.layout is not None
    return "\n".join(words_of(card.layout))


def labels(card: Card) -> list[str]:
    """The buttons of a card, from above to below."""
    assert card.layout is not None
    found: list[str] = []
    for block in card.layout.blocks:
        if block["type"] == "section":
            found.append(block["button"]["label"])
        elif block["type"] == "row":
            found += [one["label"] for one in block["row"] if one["type"] == "button"]
    return found


def styles_of(card: Card) -> dict[str, str]:
    """The colours of the buttons in rows, by label."""
    assert card.layout is not None
    rows = [block["row"] for block in card.layout.blocks if block["type"] == "row"]
    return {one["label"]: one["style"] for row in rows for one in row if one["type"] == "button"}


def menus(card: Card) -> list[str]:
    assert card.layout is not None
    rows = [block["row"] for block in card.layout.blocks if block["type"] == "row"]
    return [one["placeholder"] for row in rows for one in row if one["type"] == "select"]


def asked(adjudicator: Any, side: str, ask: Any) -> PromptState:
    names = {label.key: label.name for label in adjudicator.labels}
    return PromptState(
        "t" * 12, ask, "A campaign with a long name", names[side], CLOSES, answer=adjudicator.saved(side, ask.id),
        board=adjudicator.view(side).board, side_key=side, place=[*names].index(side),
    )  # fmt: skip


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize("key", SCENARIOS)
def test_every_card_of_a_random_campaign_is_one_screen_and_loses_no_warning(key: str, seed: int) -> None:
    game = match(key, seed)
    for _ in range(8):
        adjudicator = game.adjudicator
        if adjudicator.ending is not None:
            break
        for ask in adjudicator.open_asks():
            for side in [] if ask.is_shared else ask.parties:
                shown = asked(adjudicator, side, ask)
                card = prompt_card(shown)
                assert card.layout is not None
                assert fits(card.layout), ask.kind
                assert height(card.layout, 300 if card.files and card.files[0].area else 210) <= MOST_HEIGHT, ask.kind  # type: ignore[union-attr]
                said = words(card)
                heading = said.removeprefix("## ").split("\n")[0]
                assert 1 <= len(heading.split()) <= 9, heading
                refused = short_heading(replace(shown, problems=("• no",)))
                assert len(refused.split()) <= 6, refused
                assert not {"?.", "..", "?:", ".:"} & set(map("".join, pairwise(card.content))), card.content
                told = [one for one in ask.warn(shown.stands) if one not in said]
                assert not told or f"… and {len(told)} more: **All orders** has them." in said
                assert all(f"⚠️ {one}" in orders_lines(shown) for one in told)
                assert "Ready" in labels(card)
                for page in range(len(pages_of(orders_lines(shown)))):
                    whole = orders_card(shown, page).layout
                    assert whole is not None
                    assert fits(whole)
        game.round()


@cache
def sheet_of_forces() -> PromptState:
    """Twelve forces; A3 stands where there is news, A5 is doubtful, A7 was changed."""
    field = Field("n", "Speed", "number", least=0, most=9, value=0)
    names = [f"A{number}" for number in range(1, 13)]
    lines = (*(Line(key, f"{key} in 0101", (field,)) for key in names), Line("side", "The side", (field,)))
    first = state(answer=Answer({"A7": {"n": 4}}), closes=CLOSES)

    def now(answer: Any) -> dict[str, LineNow]:
        doubts = {"A5": ("A5 will run dry.",)}
        return {
            key: LineNow(f"Does {key}.", key, ("0303" if key == "A3" else "0101",), doubts.get(key, ()))
            for key in names
        }

    ask = replace(
        first.ask, form=Form(lines), warn=lambda _: ["A5 will run dry.", "The side bids too much."], lines_now=now,
        question=Question("Turn 3", "Day 2.", whole=True, others="go on as plotted", noun="force", lines=tuple(names)),
    )  # fmt: skip
    board = match("pq17/intro", 1).adjudicator.view("alliance").board
    news = (
        News(hexes=("0303",), title="Here", fact="0303: E1 seen"),
        News(hexes=("0909",), title="There", fact="0909: E2 seen"),
        News(hexes=("1010",), title="Far", fact="A9 cannot be reached", idle=True),
    )
    return replace(first, ask=ask, board=board.model_copy(update={"news": news}), side_key="alliance", place=0)


def test_a_card_whose_numbered_places_are_not_to_be_answered_names_its_turn_alone() -> None:
    state = sheet_of_forces()
    question = state.ask.question
    assert question is not None
    state = replace(state, ask=replace(state.ask, question=question._replace(plain=True)))
    assert words(prompt_card(state)).startswith("## Turn 3\nDay 2. ")


def test_a_planning_card_shows_first_what_needs_its_reader_and_counts_the_rest() -> None:
    card = prompt_card(sheet_of_forces())
    said = words(card)
    assert said.startswith("## Turn 3: two places need you\nDay 2. The other 9 forces go on as plotted.\n")
    assert said.index(f"**{PINS[0]} A3") < said.index("**A5") < said.index("**A7")
    has_words(said, "⚠️ A5 will run dry.", "✏️ Does A7.")
    assert f"{PINS[1]} 0909: E2 seen" in said, "news where no force is"
    has_words(said, "⚠️ The side bids too much.", never="A1")
    assert labels(card) == ["Change", "Change", "Change", "Ready", "All orders", "Write them"]
    assert menus(card) == ["Another force, or the whole side"]
    assert [one.area for one in card.files] == [()]  # type: ignore[union-attr]


def test_of_places_at_which_nothing_can_be_done_none_needs_its_reader() -> None:
    shown = sheet_of_forces()
    assert shown.board is not None
    idle = tuple(one for one in shown.board.news if one.idle)
    card = prompt_card(replace(shown, board=shown.board.model_copy(update={"news": idle})))
    assert words(card).startswith("## Turn 3: nothing needs you\n")
    card = prompt_card(replace(shown, board=shown.board.model_copy(update={"news": ()})))
    assert words(card).startswith("## Turn 3: nothing new\n")


def test_the_first_sheet_of_a_campaign_asks_for_first_orders() -> None:
    shown = sheet_of_forces()
    assert shown.board is not None
    board = shown.board.model_copy(update={"news": ()})
    first = replace(shown.ask, question=shown.ask.asks_for._replace(heading="Turn 1"))
    assert words(prompt_card(replace(shown, ask=first, board=board))).startswith("## Turn 1: your first orders\n")
    tenth = replace(shown.ask, question=shown.ask.asks_for._replace(heading="Turn 10"))
    assert words(prompt_card(replace(shown, ask=tenth, board=board))).startswith("## Turn 10: nothing new\n")
    assert words(prompt_card(replace(shown, ask=first))).startswith("## Turn 1: two places need you\n")


def test_what_was_changed_and_finds_no_room_is_not_said_to_go_on_as_usual() -> None:
    shown = sheet_of_forces()
    card = prompt_card(replace(shown, answer=Answer({f"A{number}": {"n": 4} for number in (5, *range(7, 12))})))
    said = words(card)
    rows = said.count("✏️ ")
    assert 0 < rows < 6
    # Beside the changed ones stand A1, A2, A4, A6 and A12; A3 is where there is news.
    assert f"The other 5 forces go on as plotted. {6 - rows} more changed: **All orders** has them." in said


def test_a_line_that_stands_for_nothing_is_not_counted_with_those_that_do() -> None:
    shown = sheet_of_forces()
    question = shown.ask.asks_for._replace(lines=("A1", "A3", "A5", "A7"), others="hold", noun="stack")
    card = prompt_card(replace(shown, ask=replace(shown.ask, question=question)))
    assert "Day 2. The other stack holds.\n" in words(card)


def test_a_quiet_turn_needs_nothing_but_ready() -> None:
    shown = sheet_of_forces()
    assert shown.board is not None
    ask = replace(shown.ask, warn=lambda _: [], lines_now=lambda _: {})
    quiet = replace(shown, ask=ask, answer=None, board=shown.board.model_copy(update={"news": ()}))
    card = prompt_card(quiet)
    assert words(card).startswith("## Turn 3: nothing new\n")
    assert labels(card) == ["Ready", "All orders", "Write them"]
    assert "If you send nothing: Nothing." in words(card)
    ready = prompt_card(replace(quiet, ready=True))
    assert words(ready).startswith("## Turn 3: you are ready\n")
    assert labels(ready)[0] == "Not ready after all"


def test_a_line_with_two_answers_is_one_press_and_says_where_it_leads() -> None:
    two = Field("move", "Move", "one", (Choice("go", "Go to 0404"), Choice("stay", "Stay")), value="go")
    one = Field("target", "Attacks", "one", (Choice("E1", "E1, held at ID3"),), optional=True)
    flag = Field("sure", "Sure", "flag", value=False)
    first = state(answer=None)
    lines = (Line("A1", "A1", (two,)), Line("A2", "A2", (one,)), Line("A3", "A3", (flag,)))
    ask = replace(first.ask, form=Form(lines), warn=lambda _: [], read_back=lambda _: [])
    assert labels(prompt_card(replace(first, ask=ask)))[:3] == ["Stay", "Attacks E1", "Yes"]
    given = {"A1": {"move": "stay"}, "A2": {"target": "E1"}, "A3": {"sure": True}}
    assert labels(prompt_card(replace(first, ask=ask, answer=AnyValues(given))))[:3] == ["Go to 0404", "Do not", "No"]


def test_usual_answers_are_buttons_and_the_one_that_stands_is_marked() -> None:
    first = state(answer=Answer({"a": {"n": 9}}))
    offers = (UsualAnswer("Attack E1", {"a": {"n": 9}}, is_grave=True), UsualAnswer("Slip away", {"a": {"n": 0}}))
    ask = replace(first.ask, question=Question("Contact in 0303", "A1 meets E1.", ("0303",), offers=offers))
    board = sheet_of_forces().board
    card = prompt_card(replace(first, ask=ask, board=board, side_key="alliance"))
    assert card.layout is not None
    styles = styles_of(card)
    assert (styles["Attack E1"], styles["Slip away"]) == ("primary", "secondary")
    assert [one.area for one in card.files] == [("0303",)]  # type: ignore[union-attr]
    other = prompt_card(replace(first, ask=ask, board=board, answer=Answer({"a": {"n": 1}})))
    assert other.layout is not None
    styles = styles_of(other)
    assert styles["Attack E1"] == "danger"


def test_a_usual_answer_that_is_the_only_row_s_other_answer_is_one_button() -> None:
    """Beside the row, in the words of the answer; what it would do once more below is left out, and it is taken back
    there."""
    one = Field("target", "Attacks", "one", (Choice("E1", "E1, held at ID3"),), optional=True)
    offers = (UsualAnswer("Attack E1", {"A2": {"target": "E1"}}, is_grave=True), UsualAnswer("Both", {"A2": {"x": 1}}))
    first = state(answer=None)
    question = Question("Whom to attack?", "", (), offers=offers)
    form = Form((Line("A2", "A2", (one,)),))
    ask = replace(first.ask, form=form, question=question, warn=lambda _: [], read_back=lambda _: [])
    card = prompt_card(replace(first, ask=ask))
    assert labels(card)[:2] == ["Attack E1", "Both"]
    assert labels(card).count("Attack E1") == 1
    assert card.layout is not None
    (beside,) = [block["button"] for block in card.layout.blocks if block["type"] == "section"]
    assert (beside["label"], beside["style"]) == ("Attack E1", "danger")
    stands = prompt_card(replace(first, ask=ask, answer=AnyValues({"A2": {"target": "E1"}})))
    assert labels(stands)[:2] == ["Do not", "Both"]
    assert "Attack E1" not in labels(stands)


def test_names_of_places_are_the_sides_own_and_as_they_are() -> None:
    first = state()
    shown = sheet_of_forces()
    assert shown.board is not None
    note = shown.board.hexes[0].model_copy(update={"hex": "0303", "name": "*Grim* `hold`"})
    ask = replace(first.ask, question=Question("Contact in 0303", "A1 is in 0303.", ("0303",)))
    card = prompt_card(replace(first, ask=ask, board=shown.board.model_copy(update={"hexes": (note,)})))
    assert words(card).startswith("## Contact at \\*Grim\\* \\`hold\\`\nA1 is at \\*Grim\\*")


texts: st.SearchStrategy[Sequence[str]] = st.lists(st.text("ab ⚠️`*|é", min_size=1, max_size=400), max_size=60)


@given(texts, texts, st.booleans(), st.integers(1, 60))
def test_whatever_is_wrong_or_doubtful_a_card_fits_and_counts_what_it_leaves_out(
    problems: list[str], doubts: list[str], stuck: bool, count: int
) -> None:
    field = Field("n", "N" * 60, "number", least=0, most=9, value=0)
    lines = tuple(Line(f"A{n}", f"A{n} *{'x' * 70}", (field,), note="y" * 120) for n in range(count))
    first = state(problems=problems, stuck=stuck, answer=Answer({"A0": {"n": 3}}), closes=CLOSES)
    ask = replace(first.ask, form=Form(lines), warn=lambda _: doubts, title="T" * 200, default_says="d" * 500)
    shown = replace(first, ask=ask, board=sheet_of_forces().board, campaign="*" * 90, side="é" * 60)
    card = prompt_card(shown)
    assert card.layout is not None
    assert fits(card.layout)
    said = words(card)
    for some in (problems, doubts):
        assert not [one for one in some if one not in said] or "**All orders** has them." in said or "…" in said
    lines_of_all = orders_lines(shown)
    assert all(f"⚠️ {one}" in lines_of_all for one in doubts)
    assert all(f"🛑 {one}" in lines_of_all for one in problems)
    for page in range(len(pages_of(lines_of_all))):
        whole = orders_card(shown, page).layout
        assert whole is not None
        assert fits(whole)


# --- frames fit what Discord takes, whatever they are made of, and what is important is left out last -----------------
def button(number: int, label: str = "Change") -> ButtonSpec:
    return {"type": "button", "id": f"p|t|edit|{number}", "label": label, "style": "secondary", "disabled": False}


def menu(length: int) -> MenuSpec:
    options = [{"value": str(n), "label": "é" * length, "description": "d" * 99, "default": False} for n in range(25)]
    return {"type": "select", "id": "p|t|line|0", "placeholder": "More", "options": options, "min": 1, "max": 1}  # type: ignore[typeddict-item]


frame_words = st.text(alphabet="ab é—⚠️\n", min_size=1, max_size=900)
blocks = st.one_of(
    st.builds(text, frame_words),
    st.builds(beside, frame_words, frame_words, st.builds(button, st.integers(0, 99))),
    st.builds(lambda some: small([some]), frame_words),
    st.builds(rule),
    st.builds(lambda count: rows(*map(button, range(count)))[0], st.integers(1, 5)),
    st.builds(lambda length: rows(menu(length))[0], st.integers(1, 100)),
)
forms = st.lists(st.lists(blocks, max_size=6), min_size=1, max_size=4)


@given(st.lists(st.tuples(st.integers(0, 9), forms), min_size=1, max_size=14))
def test_every_frame_fits(parts: list[tuple[int, list[list[Block]]]]) -> None:
    made = framed([fixed(heading("Turn 29")), *(spared(spare, *some) for spare, some in parts)], SIDES[0], tallest=860)
    menus = sum(block["type"] == "row" and block["row"][0]["type"] == "select" for block in made.blocks)
    assert components_of(made) <= MOST_COMPONENTS
    assert sum(map(len, words_of(made))) <= MOST_TEXT
    if menus < 2:  # nobody gives more; two large ones that must both stay do not fit
        assert bytes_of(made) <= MOST_BYTES


def test_what_has_most_to_spare_goes_first_and_what_has_nothing_stays() -> None:
    rare = spared(2, [text("rare " * 100)], [text("2 more are behind **All orders**")])
    usual = spared(1, [beside("A6", "stays", button(1))], [])
    must = fixed(text("⚠️ Somebody will regret this."))
    said = [one.get("text", "") for one in framed([must, usual, rare], None, tallest=190).blocks]
    assert said == ["⚠️ Somebody will regret this.", "**A6**\nstays", "2 more are behind **All orders**"]
    said = [one.get("text", "") for one in framed([must, usual, rare], None, tallest=10).blocks]
    assert said == ["⚠️ Somebody will regret this.", "2 more are behind **All orders**"]


def test_lines_stand_only_between_blocks() -> None:
    made = framed([fixed(rule(), text("a"), rule()), spared(1, [rule(), text("b"), rule()], []), fixed(rule())], None)
    assert [one["type"] for one in made.blocks] == ["text", "rule", "text"]


def test_sides_have_the_colours_of_the_map_and_the_referee_has_none_of_them() -> None:
    assert [f"#{one:06x}" for one in SIDES] == [*DRAWN]
    assert accent_of(1) == 0xFF8438
    assert accent_of(None) not in SIDES


def test_a_card_like_the_targets_is_as_high_as_they_are() -> None:
    """Picture 11 of the look: 858 pixels with its telephone around it, some 600 the frame."""
    lines = [beside(f"{n} · A6 Scene Flow", "Now: stay and search E27.", button(n)) for n in range(3)]
    made = framed(
        [
            fixed(heading("Turn 29: three places need you"), text("The other 10 forces go on as plotted.")),
            fixed(picture("map.png", "a map")),
            fixed(*(block for line in lines for block in (rule(), line))),
            fixed(*rows(menu(10), button(7, "Ready"), button(8, "All orders"), button(9, "Write them"))),
            fixed(
                small(["Saved 11:08, you may still change it. Closes today 20:00 (in 9 hours). Saved orders count."])
            ),
        ],
        SIDES[0],
    )
    assert 560 < height(made) < 680
