"""What is not accepted stands on no sheet: it goes back to who wrote it, beside its reason, and spoils nothing else."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.cards import cards, frame_sizes, menus
from bot.cards.prompts.standing import MOST_WRITTEN
from bot.cards.prompts.state import PromptState
from bot.errors import MOST_REASONS, explained
from bot.interactions.giving_back import FILE_NAME
from bot.records.campaigns import CampaignStatus
from bot.store import database, errors, tables
from bot.store.transaction import Transaction
from rules_engine.core.basics.refusals import Refusal, malformed
from rules_engine.core.protocol.asks import Ask
from tests.bot.cards.test_cards import state
from tests.bot.worlds.simulated_server import SimulatedServer, message_of, modal_of, said
from tests.expected.words import has_words

TITLE = "Orders for turn 1"
ILLEGAL = "fleet: number 2; stance bold; motto “to be mended”"
LONG = 'fleet: number 8; motto "' + "long " * 300 + '"'


async def typed(here: SimulatedServer, who: Any, text: str) -> Any:
    """Somebody types orders."""
    shown = await here.press(who, TITLE, "Write them")
    return await here.submit(who.user, shown, text=text)


async def box(here: SimulatedServer, who: Any) -> str:
    """What the box of *Write them* opens with."""
    shown = await here.press(who, TITLE, "Write them")
    return modal_of(shown)["components"][0]["component"].get("value", "")


async def attached(*messages: Any) -> str:
    """The text of the one file below these messages."""
    (file,) = [one for message in messages if message is not None for one in message.attachments]
    assert file.filename == FILE_NAME
    return (await file.read()).decode()


async def test_a_refused_line_spoils_no_later_one_and_waits_to_be_mended(game: SimulatedServer) -> None:
    await typed(game, game.ann, "fleet: number 7")
    await typed(game, game.ann, ILLEGAL)
    content = game.prompt(game.ann, TITLE).content
    assert "a bold fleet names 3 or more (Toy 1.3)" in content
    assert f"You wrote:\n```\n{ILLEGAL}\n```" in content
    assert "number 7, careful" in content
    (draft,) = await game.rows(tables.PromptRow.draft, tables.PromptRow.token == await game.token("red", "orders"))
    assert draft["fleet"]["stance"] == "careful"
    assert await box(game, game.ann) == ILLEGAL
    await game.restart()
    assert await box(game, game.ann) == ILLEGAL
    await game.fill(game.ann, TITLE, "0.1", f0="s17")
    has_words(game.prompt(game.ann, TITLE).content, "Saved, receipt", never="names 3 or more")
    await game.press(game.ann, TITLE, "Ready")
    assert "✅ You are ready" in game.prompt(game.ann, TITLE).content
    assert await box(game, game.ann) == ILLEGAL
    await typed(game, game.ann, ILLEGAL.replace("number 2", "number 5"))
    assert "number 5, bold" in game.prompt(game.ann, TITLE).content
    assert (await box(game, game.ann)).startswith("fleet: number 5; stance bold; ")


async def test_what_one_commander_wrote_is_not_put_into_anothers_box(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.seat(campaign, ann="red", abe="red", leo="blue")
    await here.slash(here.rita, "campaign start")
    await typed(here, here.ann, ILLEGAL)
    assert await box(here, here.abe) == "fleet: number 1; stance careful; loud no\n"
    await typed(here, here.abe, "fleet: nonsense")
    assert await box(here, here.ann) == ILLEGAL
    assert await box(here, here.abe) == "fleet: nonsense"


async def test_a_closed_sheet_keeps_nothing_of_it(game: SimulatedServer) -> None:
    await typed(game, game.ann, ILLEGAL)
    assert await game.rows(tables.ReturnedRow.text) == [ILLEGAL]
    await game.later(24 * 3600 + 60)
    assert await game.rows(tables.ReturnedRow.text) == []


async def test_a_form_that_was_refused_opens_as_it_was_sent_and_the_parts_of_a_line_count_together(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(menus, "MODAL_FIELDS", 1)  # so that each field is a part of its own
    await here.begin()
    await here.fill(here.ann, TITLE, "0.1", f0=["bold"])
    assert "names 3 or more" in here.prompt(here.ann, TITLE).content
    assert "You wrote:\n```\nStance: bold\n```\nChoose the line again" in here.prompt(here.ann, TITLE).content
    shown = await here.ann.user.select(here.prompt(here.ann, TITLE), ["0.1"])
    options = modal_of(shown)["components"][0]["component"]["options"]
    assert [one["value"] for one in options if one.get("default")] == ["bold"]
    await here.fill(here.ann, TITLE, "0.4", f0="Onward")  # by itself legal, with the other it is not
    assert "number 1, careful" in here.prompt(here.ann, TITLE).content
    await here.fill(here.ann, TITLE, "0.0", f0="5")
    assert "number 5, bold" in here.prompt(here.ann, TITLE).content
    assert await here.rows(tables.ReturnedRow.lines) == []


async def test_a_form_that_could_not_be_read_opens_with_what_was_typed(game: SimulatedServer) -> None:
    await game.fill(game.ann, TITLE, "0.0", f0="seventy", f4="Onward")
    shown = await game.ann.user.select(game.prompt(game.ann, TITLE), ["0.0"])
    fields = [one["component"] for one in modal_of(shown)["components"]]
    assert (fields[0]["value"], fields[4]["value"]) == ("seventy", "Onward")


# --- starting over ----------------------------------------------------------------------------------------------------
async def test_starting_over_asks_and_may_be_left(game: SimulatedServer) -> None:
    assert "there is nothing to throw away" in said(await game.press(game.ann, TITLE, "Start over"))
    await game.fill(game.ann, TITLE, "0.0", f0="7", f1=["bold"])
    before = await game.fingerprint()
    asked = await game.press(game.ann, TITLE, "Start over")
    assert asked.ephemeral
    assert "fleet: number 7; stance bold" in said(asked)
    await game.ann.user.click(asked.response, label="Keep it")
    assert await game.fingerprint() == before
    assert "number 7, bold" in game.prompt(game.ann, TITLE).content


async def test_nothing_else_is_thrown_away_than_was_shown(game: SimulatedServer) -> None:
    await game.fill(game.ann, TITLE, "0.0", f0="7")
    asked = await game.press(game.ann, TITLE, "Start over")
    await game.fill(game.ann, TITLE, "0.0", f0="8")
    assert "not what it was" in said(await game.ann.user.click(asked.response, label="Throw it away"))
    assert "number 8" in game.prompt(game.ann, TITLE).content


async def test_starting_over_forgets_what_was_not_accepted(game: SimulatedServer) -> None:
    await typed(game, game.ann, ILLEGAL)
    asked = await game.press(game.ann, TITLE, "Start over")
    assert "not accepted would be thrown away" in said(asked)
    await game.ann.user.click(asked.response, label="Throw it away")
    assert await box(game, game.ann) == "fleet: number 1; stance careful; loud no\n"


async def test_a_question_with_a_few_answers_starts_over_from_what_stands_if_nothing_is_sent(game: SimulatedServer):
    await game.fill(game.ann, TITLE, "0.0", f0="7")
    await game.press(game.ann, TITLE, "Ready")
    await game.press(game.leo, TITLE, "Ready")
    await game.press(game.ann, "The spoils", "gold")
    asked = await game.press(game.ann, "The spoils", "Start over")
    await game.ann.user.click(asked.response, label="Throw it away")
    assert "take mercy" in game.prompt(game.ann, "The spoils").content


# --- texts with nothing in them ---------------------------------------------------------------------------------------
EMPTY = ["", "  \n\t\n", "# only a note\n", "\ufeff", "fleet:\n"]


@pytest.mark.parametrize("text", EMPTY)
async def test_a_file_with_nothing_in_it_says_so_and_changes_nothing(game: SimulatedServer, text: str) -> None:
    await game.fill(game.ann, TITLE, "0.0", f0="7")
    before = await game.fingerprint()
    sheet = await game.token("red", "orders")
    result = await game.dm_slash(game.ann, "orders upload", file=("orders.txt", text.encode()), sheet=sheet)
    assert said(result).startswith("Nothing was in that text, so nothing was changed.")
    assert await game.fingerprint() == before


@pytest.mark.parametrize("text", EMPTY[1:])
async def test_typed_orders_with_nothing_in_them_say_so(game: SimulatedServer, text: str) -> None:
    before = await game.fingerprint()
    result = await typed(game, game.ann, text.replace("\ufeff", " "))
    assert said(result).startswith("Nothing was in that text, so nothing was changed.")
    assert await game.fingerprint() == before


async def test_who_empties_the_box_gets_the_sheet_in_it(game: SimulatedServer) -> None:
    fresh = await game.press(game.ann, TITLE, "Write them")
    assert modal_of(fresh)["components"][0]["component"]["required"]
    await typed(game, game.ann, ILLEGAL)
    shown = await game.press(game.ann, TITLE, "Write them")
    assert not modal_of(shown)["components"][0]["component"]["required"], "no client would send it empty"
    await typed(game, game.ann, "")
    assert await box(game, game.ann) == "fleet: number 1; stance careful; loud no\n"


async def test_a_ruling_with_nothing_in_it_is_none(game: SimulatedServer) -> None:
    for who in (game.ann, game.leo):
        await game.press(who, TITLE, "Ready")
    async with game.store.read() as tx:
        (prompt,) = [one for one in await tx.prompts.open_of(game.campaign, "red") if one.kind == "battle"]
    result = await game.slash(game.rita, "referee ruling", battle=prompt.ask_id, reason="So it was.", text="# nothing")
    assert said(result).startswith("Nothing was in that text")


# --- forms that come when nothing can be ordered ----------------------------------------------------------------------
async def test_a_form_of_a_closed_sheet_gives_its_text_back_to_its_writer_alone(game: SimulatedServer) -> None:
    opened = await game.press(game.ann, TITLE, "Write them")
    line = await game.ann.user.select(game.prompt(game.ann, TITLE), ["0.0"])
    await game.later(24 * 3600 + 60)
    late = await game.submit(game.ann.user, opened, text=ILLEGAL)
    assert "is closed; nothing was changed" in said(late)
    assert message_of(late).content.endswith(f"\nYou wrote:\n```\n{ILLEGAL}\n```")
    assert late.response.ephemeral
    late = await game.submit(game.ann.user, line, f0="7", f1=["bold"], f4="Onward")
    assert message_of(late).content.endswith("\nYou wrote:\n```\n7\nbold\nOnward\n```")


async def test_a_long_text_comes_back_in_a_file(game: SimulatedServer) -> None:
    opened = await game.press(game.ann, TITLE, "Write them")
    await game.later(24 * 3600 + 60)
    late = await game.submit(game.ann.user, opened, text=LONG)
    assert await attached(late.response, *late.followups) == LONG


@pytest.mark.parametrize("why", ["paused", "halted", "seat", "full", "defect"])
async def test_whatever_keeps_a_form_from_being_taken_its_text_comes_back(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch, why: str
) -> None:
    campaign = await here.begin()
    opened = await here.press(here.ann, TITLE, "Write them")
    text = "fleet: number 8; motto Onward"

    async def full(_: database.Store, transaction: Transaction) -> None:
        await transaction.connection.close()
        raise errors.StoreUnavailable("The disk of the database is full.")

    async def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    match why:
        case "paused":
            await here.slash(here.rita, "referee pause", campaign=campaign)
        case "halted":
            async with here.store.write() as tx:
                await tx.campaigns.set_status(campaign, CampaignStatus.HALTED, "It does not play back.")
        case "seat":
            async with here.store.write() as tx:
                await tx.members.remove(campaign, here.ann.user.id)
        case "full":
            monkeypatch.setattr(database.Store, "_commit", full)
        case _:
            monkeypatch.setattr(here.bot.services.orders.filling, "write", broken)
    late = await here.submit(here.ann.user, opened, text=text)
    assert said(late).endswith(f"You wrote:\n```\n{text}\n```"), said(late)
    assert late.ephemeral
    monkeypatch.undo()
    assert "answered" not in await here.journal()


async def test_a_file_and_a_commands_long_text_come_back_as_well(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    campaign = await here.begin()
    text = LONG.replace("8", "2")
    sheet = await here.token("red", "orders")

    async def broken(*_: object, **__: object) -> None:
        raise errors.StoreUnavailable("gone")

    monkeypatch.setattr(here.bot.services.orders.filling, "write", broken)
    late = await here.dm_slash(here.ann, "orders upload", file=("orders.txt", text.encode()), sheet=sheet)
    assert await attached(late.response, *late.followups) == text
    reason = "We stop here until everybody is back from the holidays; " * 3
    refused = await here.slash(here.ann, "referee pause", campaign=campaign, reason=reason.strip())
    assert f"You wrote:\n```\n{reason.strip()}\n```" in said(refused)
    assert "You wrote" not in said(await here.slash(here.ann, "referee pause", campaign=campaign, reason="Holidays."))


async def test_a_search_for_a_line_is_not_worth_giving_back(game: SimulatedServer) -> None:
    found = await game.forge_modal(
        game.ann.user, game.prompt(game.ann, TITLE), f"m|{await game.token('blue', 'orders')}|find|1", text="flee"
    )
    assert "You wrote" not in said(found)


# --- long texts -------------------------------------------------------------------------------------------------------
async def test_a_long_text_that_is_refused_says_why_and_comes_back_whole(game: SimulatedServer) -> None:
    text = "\n".join([*(f"# note {number} " + "x" * 60 for number in range(40)), f"flaat: motto {'y' * 900}"])
    result = await typed(game, game.ann, text)
    content = game.prompt(game.ann, TITLE).content
    has_words(content, "line 41: there is no line “flaat”", "Did you mean fleet?", "# note 0")
    assert await attached(*result.followups) == text
    assert result.followups[-1].flags.ephemeral
    assert await box(game, game.ann) == text


async def test_of_a_long_file_that_is_refused_the_reasons_are_told(game: SimulatedServer) -> None:
    text = "fleet: number 2; stance bold\n" + "# note\n" * 5_000
    sheet = await game.token("red", "orders")
    result = await game.dm_slash(game.ann, "orders upload", file=("orders.txt", text.encode()), sheet=sheet)
    assert "names 3 or more" in said(result)
    assert await box(game, game.ann) == "fleet: number 1; stance careful; loud no\n"  # too long for the box


REFUSALS = st.lists(
    st.builds(
        malformed,
        st.text("ab “”\n`*", min_size=1, max_size=3_000).map(lambda text: f"“{text}”: wrong"),
        st.text("ab.", max_size=300),
        legal=st.text("ab ,", max_size=3_000),
        nearest=st.lists(st.text("ab", min_size=1, max_size=100), max_size=3),
    ),
    min_size=1,
    max_size=30,
)


@given(REFUSALS, st.text("ab`\n ", max_size=4_000), st.integers(0, 3_000))
def test_the_first_reason_and_the_beginning_of_the_text_are_never_cut_off(
    refusals: list[Refusal], text: str, asked: int
) -> None:
    from dataclasses import replace

    shown: PromptState = state(problems=explained(refusals), written=text or "x")
    shown = replace(shown, ask=replace(shown.ask, text="a" * asked, default_says="b" * asked))
    layout = cards.prompt_card(shown).layout
    assert layout is not None
    assert frame_sizes.fits(layout)
    content = "\n".join(frame_sizes.words_of(layout))
    first = explained(refusals)[0]
    assert len(first) <= MOST_REASONS + 300
    assert f"🛑 {first.removeprefix('• ')}" in content, "one mark is enough"
    assert "🛑 •" not in content
    assert "wrong" in first or "…" in first
    assert "You wrote:\n```\n" in content
    assert (text or "x").strip().replace("`", "ˋ")[:MOST_WRITTEN] in content
    assert content.count("```") == 2


def test_every_refusal_is_told_or_counted() -> None:
    rows = explained([malformed(f"wrong {number} " + "x" * 200, f"line {number}") for number in range(20)])
    assert rows[-1] == f"• … and {20 - len(rows) + 1} more"
    assert isinstance(state().ask, Ask)
