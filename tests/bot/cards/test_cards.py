"""Cards of long sheets: they are cut at their end, so what matters most stands first."""

from dataclasses import replace
from datetime import UTC, datetime

from pydantic import RootModel

from bot.cards.cards import MOST_CONTENT, prompt_card
from bot.cards.frame_sizes import words_of
from bot.cards.prompts.orders import orders_lines
from bot.cards.prompts.state import PromptState
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.protocol.asks import Agreement, Ask
from tests.expected.kept import Kept


class Answer(RootModel[dict[str, dict[str, int]]]):
    """Anything."""


def state(**more: object) -> PromptState:
    line = Line(key="a", label="A", fields=(Field(key="n", label="N", kind="number", least=0, most=9, value=0),))
    ask = Ask(
        kind="orders",
        parties=("red",),
        title="Orders",
        text="Say it.",
        model=Answer,
        form=Form(lines=(line,)),
        rule="1",
        default=Answer({}),
        default_says="Nothing.",
        read_back=lambda _: [f"Line {number} of a long sheet that says a good deal" for number in range(60)],
        warn=lambda _: ["Somebody will regret this."],
    )
    plain = {"token": "t", "ask": ask, "side": "Red", "campaign": "C", "closes": None, "answer": Answer({})}
    return PromptState(**{**plain, **more})  # type: ignore[arg-type]


def test_what_was_refused_warned_of_or_differs_is_never_cut_off() -> None:
    battle = replace(state().ask, pace="battle", parties=("red", "blue"), forces=(), agree=lambda _: Agreement(None))
    shown = state(ask=battle, problems=["line 1: no such thing"], differences=["A1 warp: Blue says 4, Red 5"])
    content = prompt_card(shown).content
    assert len(content) <= MOST_CONTENT
    for words in ("line 1: no such thing", "Blue says 4", "Somebody will regret this", "Line 0 of", "more"):
        assert words in content
    assert "Line 59" not in content


def test_rows_are_shared_by_cards_that_differ_in_their_text_alone() -> None:
    """What is below a card follows from its form, its token, the page and being ready; nothing else may be shared."""
    first = state()
    line = Line(key="b", label="B", fields=first.ask.form.lines[0].fields)
    other = replace(first.ask, form=Form(lines=(*first.ask.form.lines, line)))
    rows = prompt_card(first).rows
    assert prompt_card(replace(first, receipt="abc", problems=["no"])).rows is rows
    ready, elsewhere = prompt_card(replace(first, ready=True)).rows, prompt_card(replace(first, token="u")).rows
    assert [row[0]["id"] for row in rows] == ["p|t|line|0", "p|t|ready|1"]
    assert [row[0]["id"] for row in ready] == ["p|t|line|0", "p|t|ready|0"]
    assert [row[0]["id"] for row in elsewhere] == ["p|u|line|0", "p|u|ready|1"]
    assert [one["value"] for one in prompt_card(replace(first, ask=other)).rows[0][0]["options"]] == ["0.0", "1.0"]
    battle = replace(first.ask, pace="battle", parties=("red", "blue"), forces=(), agree=lambda _: Agreement(None))
    assert prompt_card(replace(first, ask=battle)).rows[1][0]["label"] == "Send this account"
    differing = prompt_card(replace(first, ask=battle, theirs="ab12")).rows
    assert [one["id"] for one in differing[1]][:2] == ["p|t|accept|", "p|t|agree|ab12"]
    assert prompt_card(first).rows is rows


def test_what_was_changed_is_read_back_before_the_rest() -> None:
    """Nine lines, of which the last differs from what stands if nothing is sent."""
    first = state()
    ask = replace(
        first.ask,
        read_back=lambda answer: [*(f"A{n} keeps station." for n in range(8)), f"A8: {len(answer.root)} orders."],
    )
    changed = "\n".join(orders_lines(replace(first, ask=ask, answer=Answer({"a": {"n": 1}}))))
    assert changed.index("✏️ A8: 1 orders.") < changed.index("__As it was filled in__") < changed.index("A0 keeps")
    assert changed.count("A8") == 1
    unchanged = "\n".join(orders_lines(replace(first, ask=ask)))
    assert "✏️" not in unchanged
    assert unchanged.index("A0 keeps") < unchanged.index("A8: 0 orders.")


def test_an_account_that_was_sent_says_what_it_waits_for() -> None:
    battle = replace(state().ask, pace="battle", parties=("red", "blue"), forces=(), agree=lambda _: Agreement(None))
    sent = prompt_card(state(ask=battle, receipt="abc")).content
    assert "Sent, receipt `abc`. It is compared as soon as the others have sent theirs." in sent
    assert "__Your account as understood__" in sent
    assert "ready" not in sent
    differing = prompt_card(state(ask=battle, differences=["A1 warp: Blue says 4, Red 5"])).content
    assert "Change yours and send it again" in differing


def test_a_choice_too_long_for_its_button_is_cut_between_words() -> None:
    """A button holds eighty characters."""
    first = state()
    long = Choice(value="yes", label="Yes, " + "and a good deal more " * 4)
    field = Field(key="n", label="N", kind="one", choices=(long, Choice(value="no", label="No")), value="no")
    asked = replace(first.ask, form=Form(lines=(Line(key="a", label="A", fields=(field,)),)))
    labels = [one["label"] for one in prompt_card(replace(first, ask=asked)).rows[0]]
    assert labels == ["Yes, and a good deal more and a good deal more and a good deal more and a good …", "No"]


def test_a_card_is_headed_by_its_strand_where_its_side_is_asked_in_several(kept: Kept) -> None:
    closes = datetime(2026, 1, 1, tzinfo=UTC)
    first = state(answer=None, closes=closes, ask=replace(state().ask, default_says="", read_back=lambda _: ["Ay."]))
    plain = words(first)
    assert plain == kept()
    assert prompt_card(first).content == "**Orders** · C · Red\nOrders. Closes <t:1767225600:R>."
    assert words(replace(first, strand="0404 · combat")) == [
        "__0404 · combat__ · closes <t:1767225600:R>",
        *plain[:5],
        "-# Nothing saved yet. Ready counts for 0404 · combat alone. Closes <t:1767225600:f>.",
        plain[-1],
    ]
    paused = words(replace(first, strand="0404 · combat", closes=None))
    assert paused[:2] == ["__0404 · combat__", "## Orders"]
    assert "The clock stands still" in paused[-2]


def words(shown: PromptState) -> list[str]:
    """The lines of a card in its frame."""
    layout = prompt_card(shown).layout
    assert layout is not None
    return "\n".join(words_of(layout)).splitlines()


def test_the_card_of_an_account_which_has_no_ready_says_nothing_of_it() -> None:
    battle = replace(state().ask, pace="battle", parties=("red", "blue"), forces=(), agree=lambda _: Agreement(None))
    content = prompt_card(state(ask=battle, receipt="abc", strand="0404 · combat")).content
    assert content.startswith("__0404 · combat__\n")
    assert "Ready" not in content
