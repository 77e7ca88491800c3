"""Cards: long sheets, briefings, lists of sheets, sentences, and what comes back from their forms."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from pydantic import RootModel

from bot.cards import form_values, frame_sizes, frames, sentences, strands
from bot.cards.briefing import AGAIN, MAP_HEIGHT, briefing_card, briefing_text
from bot.cards.cards import MOST_CONTENT, prompt_card
from bot.cards.prompts.orders import orders_lines
from bot.cards.prompts.state import PromptState
from bot.cards.sheets import MOST_SHEETS, ListedSheet, sheet_lines, sheets_card
from bot.records import components, files
from rules_engine.core.basics.base import Json
from rules_engine.core.forms.forms import Choice, Field, Form, Line
from rules_engine.core.knowledge.briefing import Briefing
from rules_engine.core.protocol.asks import Agreement, Ask
from tests.expected.kept import Kept, cases
from tests.rulebooks.test_briefings import opened


class Answer(RootModel[dict[str, dict[str, int]]]):
    """Anything."""


def state(**more: object) -> PromptState:
    line = Line(key="a", label="A", fields=(Field(key="n", label="N", kind="number", least=0, most=9, value=0),))
    ask = Ask(
        kind="orders", parties=("red",), title="Orders", text="Say it.", model=Answer, form=Form(lines=(line,)),
        rule="1", default=Answer({}), default_says="Nothing.",
        read_back=lambda _: [f"Line {number} of a long sheet that says a good deal" for number in range(60)],
        warn=lambda _: ["Somebody will regret this."],
    )  # fmt: skip
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
    return "\n".join(frame_sizes.words_of(layout)).splitlines()


def test_the_card_of_an_account_which_has_no_ready_says_nothing_of_it() -> None:
    battle = replace(state().ask, pace="battle", parties=("red", "blue"), forces=(), agree=lambda _: Agreement(None))
    content = prompt_card(state(ask=battle, receipt="abc", strand="0404 · combat")).content
    assert content.startswith("__0404 · combat__\n")
    assert "Ready" not in content


# --- a briefing on one screen and in one message, whatever there is to be said ----------------------------------------
def test_all_of_it_in_its_order(kept: Kept) -> None:
    briefing = Briefing(
        objective="Win.", victory=("Most points win.", "A ship is a point."), length="3 turns",
        forces=("F1: 2 ships in 0101",), to_know=("It is secret.", "It is quick."),
        terms=(("DD", "destroyer"), ("CA", "cruiser")),
    )  # fmt: skip
    assert briefing_text(briefing, campaign="Duel", side="Red").split("\n") == kept()


def test_what_finds_no_room_is_left_out_from_below() -> None:
    briefing = Briefing(objective="Win.", forces=tuple(f"F{n}: {'x' * 500}" for n in range(6)), terms=(("DD", "d"),))
    told = briefing_text(briefing, campaign="Duel", side="Red")
    assert len(told) <= MOST_CONTENT
    assert told.split("\n")[0] == "**Duel: you command Red**"
    assert "Letters" not in told
    assert told.endswith(AGAIN)


def made(briefing: Briefing, place: int = 0) -> components.Card:
    """It as a card."""
    return briefing_card(briefing, campaign_id="abcde", campaign="Duel", side="red", name="Red", place=place)


def briefing_words(card: components.Card) -> list[str]:
    """The texts of its blocks."""
    assert card.layout is not None
    return [block["text"] for block in card.layout.blocks if block["type"] in {"text", "section"}]  # type: ignore[typeddict-item]


@cases("book, which, side", "")
def test_each_book_tells_its_aim_its_numbers_and_its_forces_on_one_screen(book: str, which: tuple[str, ...], side: str):
    found, state = opened(book, *which)
    briefing = found.briefing(state, side)
    card = made(briefing, place=1)
    assert card.layout is not None
    assert frame_sizes.fits(card.layout)
    assert frame_sizes.height(card.layout, MAP_HEIGHT) <= frames.MOST_HEIGHT
    assert card.layout.accent == frames.SIDES[1]
    assert card.files == (files.CardMapFile(side="red"),)
    shown = briefing_words(card)
    assert shown[:2] == ["## You command Red", f"**Duel:** {briefing.objective}"]
    assert shown[2].startswith("**How one wins**\n")
    assert shown[3].startswith(f"**Your forces**\n{briefing.forces[0]}")
    know = shown[4].split("\n")
    assert [line[:6] for line in know] == ["**1** ", "**2** ", "**3** "]
    assert not [line for line in know if line.endswith("…")], "each says something whole"
    assert briefing.length in shown[5]
    assert card.content == f"**Duel: you command Red**\n{briefing.objective}", "what notifies is short"


def test_a_long_briefing_is_cut_to_the_screen_and_an_empty_one_has_no_empty_rows() -> None:
    long = Briefing(
        objective="Win. " * 60,
        victory=("x" * 500,),
        forces=tuple(f"F{number}: {'y' * 200}" for number in range(10)),
        to_know=tuple(f"{word} {'z' * 300}" for word in ("One", "Two", "Three")),
        terms=tuple((f"L{number}", "w" * 60) for number in range(12)),
    )
    card = made(long)
    assert card.layout is not None
    assert frame_sizes.fits(card.layout)
    assert frame_sizes.height(card.layout, MAP_HEIGHT) <= frames.MOST_HEIGHT
    assert briefing_words(made(Briefing(objective="Win."))) == ["## You command Red", "**Duel:** Win."]


# --- the list of open sheets, and what its strands are called ---------------------------------------------------------
SOON, LATE = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)


def test_where_play_does_not_part_the_soonest_to_close_stands_first_with_its_clock() -> None:
    sheets = [
        ListedSheet("c", "Third", "ready", None),
        ListedSheet("b", "Second", "saved", LATE),
        ListedSheet("a", "First", "nothing saved yet", SOON),
    ]
    card = sheets_card("id", "PQ-17", sheets)
    assert card.content == (
        "**PQ-17**: 3 sheets are open.\n"
        "• **First**: nothing saved yet, closes <t:1767225600:R>\n"
        "• **Second**: saved, closes <t:1767312000:R>\n"
        "• **Third**: ready"
    )
    assert [one["description"] for one in card.rows[0][0]["options"]] == ["nothing saved yet", "saved", "ready"]


def test_strands_whose_clocks_fall_together_are_not_mixed(kept: Kept) -> None:
    sheets = [ListedSheet(f"{n}{hex_id}", f"{hex_id}: {n}", "saved", SOON, hex_id) for n in "ab" for hex_id in
              ("0505", "0404")]  # fmt: skip
    assert sheets_card("id", "Cutler", sheets).content.splitlines()[1:] == kept()


def test_the_clock_of_a_strand_may_stand_still() -> None:
    assert (
        "\n__0404__\n• **One**: saved"
        in sheets_card("id", "C", [ListedSheet("a", "One", "saved", None, "0404")]).content
    )


def test_a_list_ends_with_a_whole_line_and_its_menu_has_all() -> None:
    sheets = [
        ListedSheet(str(n), f"{n:04}: bypass or combat", "saved", SOON, f"{n:04} · {'x' * 40}") for n in range(25)
    ]
    card = sheets_card("id", "C", sheets)
    assert MOST_CONTENT - 100 < len(card.content) <= MOST_CONTENT
    assert card.content.splitlines()[-1].endswith((": saved", ":R>"))
    assert len(card.rows[0][0]["options"]) == MOST_SHEETS


def test_a_strand_is_named_by_its_place_where_there_are_others() -> None:
    combats = ["T3/I2/combat/0404", "T3/I2/combat/0505"]
    assert [strands.strand_name(one, combats) for one in combats] == ["0404 · combat", "0505 · combat"]
    assert strands.strand_name(combats[0], combats[:1]) == ""
    assert strands.strand_name("", ["", combats[0]]) == ""


def test_no_two_strands_are_called_the_same(kept: Kept) -> None:
    waves = ["T3/combat/0404/waves/1", "T3/combat/0505/waves/1", "T3/combat/0505/waves/2", "T4/combat/0505/waves/1"]
    assert [strands.strand_name(one, waves) for one in waves] == kept()


# --- words of rulebooks and people, joined to what follows ------------------------------------------------------------
@cases("words, as_sentence, with_more", "as_sentence, with_more")
def test_no_sentence_has_two_ends(words: str, as_sentence: str, with_more: str) -> None:
    assert (sentences.sentence(words), sentences.leading(words, "nothing new")) == (as_sentence, with_more)


@cases("words, heading")
def test_what_was_refused_is_headed_in_six_words(words: str, heading: str) -> None:
    assert sentences.refused(words) == heading


def test_a_list_of_sheets_joins_no_colon_to_a_question() -> None:
    asked = [ListedSheet("t", title, "saved", None) for title in ("Which battle first?", "Impulse 2")]
    assert sheet_lines(asked) == ["• **Which battle first?** Saved", "• **Impulse 2**: saved"]


# --- what comes back from a form is checked again, whatever sent it ---------------------------------------------------
POSTURES = tuple(Choice(value=one, label=one.title()) for one in ("cruise", "silent", "probe"))


def read(field: Field, raw: Any) -> Json:
    """The value of one field that holds ``raw``; or what is said of it."""
    values, defects = form_values.read_fields("A1", [field], {"f0": raw})
    if defects:
        assert field.key not in values
        (defect,) = defects
        assert defect.path == f"A1, {field.label}"
        return f"{defect.problem}; {defect.legal}"
    return values[field.key]


@cases("raw, value")
def test_one_of_several(raw: Any, value: Json) -> None:
    assert read(Field(key="posture", label="Posture", kind="one", choices=POSTURES), raw) == value


def test_of_many_choices_ten_are_named_and_the_nearest() -> None:
    choices = tuple(Choice(value=f"04{n:02}", label=f"04{n:02}") for n in range(12))
    field = Field(key="to", label="To", kind="one", choices=choices)
    _, (defect,) = form_values.read_fields("A1", [field], {"f0": "0413"})
    assert defect.legal == "0400, 0401, 0402, 0403, 0404, 0405, 0406, 0407, 0408, 0409 …"
    assert "0411" in defect.nearest or "0410" in defect.nearest


@cases("raw, value")
def test_several_of_several(raw: Any, value: Json) -> None:
    assert read(Field(key="how", label="How", kind="many", choices=POSTURES), raw) == value


@cases("kind, raw, told")
def test_no_choice_is_passed_over(kind: Any, raw: Any, told: str) -> None:
    assert read(Field(key="how", label="How", kind=kind, choices=POSTURES), raw) == told


@cases("least, most, raw, value")
def test_a_number(least: int | None, most: int | None, raw: Any, value: Json) -> None:
    assert read(Field(key="n", label="N", kind="number", least=least, most=most), raw) == value


@cases("optional, raw, value")
def test_yes_or_no(optional: bool, raw: Any, value: Json) -> None:
    assert read(Field(key="loud", label="Loud", kind="flag", optional=optional), raw) == value


@cases("raw, value", made="raw")
def test_text(raw: Any, value: Json) -> None:
    assert read(Field(key="motto", label="Motto", kind="text", most=10), raw) == value


def test_what_was_not_sent_is_left_out_and_every_defect_is_told() -> None:
    fields = [
        Field(key="n", label="N", kind="number", least=1, most=9),
        Field(key="motto", label="Motto", kind="text"),
        Field(key="loud", label="Loud", kind="flag"),
    ]
    values, defects = form_values.read_fields("A1", fields, {"f0": "ten", "f2": "perhaps"})
    assert values == {}
    assert [one.path for one in defects] == ["A1, N", "A1, Loud"]
