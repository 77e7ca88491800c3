"""A prompt whose card is a frame: whatever is done to its message, it stays one, and is right on Discord.

simcord refuses words beside blocks and messages that would be frames no more, so a path that forgets it fails here.
"""

from dataclasses import replace
from typing import Any

import pytest

from bot.records.effects import ClosePrompt
from tests.bot.worlds.framed import frame_cards, note_maps
from tests.bot.worlds.simulated_server import SimulatedServer, message_of, said
from tests.message_words import IS_LAYOUT, pieces, pressable, words_of

TURN = "Orders for turn 1"
PEOPLE = ("ann", "abe", "leo", "zoe")


@pytest.fixture(autouse=True)
def frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """All prompts' cards are frames with a map."""
    frame_cards(monkeypatch)
    note_maps(monkeypatch)


def messages(here: SimulatedServer, who: str) -> list[Any]:
    """What the bot wrote to somebody, as it stands."""
    backend = here.env.backend
    return [one for _, one in sorted(backend.messages[backend.get_dm_channel(here.people[who].id).id].items())]


def sheets(here: SimulatedServer, who: str, title: str = TURN) -> list[Any]:
    """The messages in which a sheet of that title stands or stood."""
    return [one for one in messages(here, who) if title in words_of(one)]


def check_frames(here: SimulatedServer) -> None:
    """No message has words beside its blocks, or shows a file that it does not carry; nothing went wrong anywhere."""
    for channel in here.env.backend.messages.values():
        for message in channel.values():
            if message.flags & IS_LAYOUT:
                assert not message.content
                items = [item for one in pieces(message.components) for item in one.get("items", ())]
                assert {item["media"]["url"] for item in items} == {file["url"] for file in message.attachments}
    assert here.failures() == []


async def two_of_red(here: SimulatedServer) -> str:
    """Ann and abe command red, leo blue; play begins."""
    campaign = await here.found()
    await here.seat(campaign, ann="red", abe="red", leo="blue")
    await here.slash(here.rita, "campaign start", campaign=campaign)
    return campaign


async def test_a_sheet_that_is_filled_in_is_shown_anew_wherever_it_stands(here: SimulatedServer) -> None:
    await two_of_red(here)
    await here.fill(here.ann, TURN, "0.0", f0="7")
    for who in ("ann", "abe"):
        (sheet,) = sheets(here, who)
        assert sheet.flags & IS_LAYOUT
        assert "number 7" in words_of(sheet)
        assert len(sheet.attachments) == 1
    await here.press(here.abe, TURN, "Undo")
    await here.press(here.ann, TURN, "Ready")
    assert all("You are ready" in words_of(sheets(here, who)[0]) for who in ("ann", "abe"))
    check_frames(here)


async def test_the_page_that_somebody_opened_stays_as_the_sheet_is_by_now(here: SimulatedServer) -> None:
    await two_of_red(here)
    await here.press(here.ann, TURN, "All orders")
    await here.fill(here.abe, TURN, "0.0", f0="7")
    await here.slash(here.rita, "referee pause")
    (page,) = sheets(here, "ann")
    assert words_of(page).startswith("## All orders")
    await here.slash(here.rita, "referee resume")
    (page,) = sheets(here, "ann")
    assert words_of(page).startswith("## All orders")
    assert "• number 7, careful" in words_of(page)
    await here.press(here.ann, TURN, "Back")
    assert not words_of(sheets(here, "ann")[0]).startswith("## All orders")
    await here.press(here.ann, TURN, "All orders")
    await here.resolve_now()
    (closed,) = sheets(here, "ann")
    assert (pressable(closed), "All orders" in words_of(closed)) == ([], False)
    check_frames(here)


async def test_what_was_not_accepted_stands_in_the_frame(game: SimulatedServer) -> None:
    opened = await game.press(game.ann, TURN, "Write them")
    (box,) = [one["component"]["custom_id"] for one in opened.modal["components"]]
    await game.ann.user.submit_modal(opened, {box: "fleet: number 2; stance bold"})
    (sheet,) = sheets(game, "ann")
    assert words_of(sheet).startswith("## Orders for turn 1: not accepted\n")
    assert len(sheet.attachments) == 1
    check_frames(game)


async def test_a_frame_may_be_asked_for(game: SimulatedServer) -> None:
    """By a command, which answers with it at once, and it is worked in as any other."""
    for command, options in (("next", {}), ("orders show", {"sheet": TURN})):
        shown = await game.slash(game.ann, command, **options)
        parts = [part for part in (shown.response, *shown.followups) if part is not None and pressable(part)]
        assert [len(part.attachments) for part in parts] == [1]
        assert all(part.ephemeral and part.flags.components_v2 for part in parts)
        await game.ann.click(parts[0], label="Ready" if command == "next" else "Not ready after all")
    check_frames(game)


@pytest.mark.parametrize("answer", ["Keep it", "Throw it away"])
async def test_starting_over_asks_first(game: SimulatedServer, answer: str) -> None:
    await game.fill(game.ann, TURN, "0.0", f0="7")
    asked = await game.press(game.ann, TURN, "Start over")
    await game.ann.user.click(message_of(asked), label=answer)
    assert ("number 7" in words_of(sheets(game, "ann")[0])) == (answer == "Keep it")
    check_frames(game)


async def test_a_turn_that_closes_leaves_a_line_in_every_frame(here: SimulatedServer) -> None:
    await two_of_red(here)
    await here.resolve_now()
    for who in ("ann", "abe", "leo"):
        (sheet,) = sheets(here, who)
        assert [one["type"] for one in pieces(sheet.components)] == [10]
        assert (sheet.attachments, pressable(sheet)) == ([], [])
    check_frames(here)


async def test_the_press_that_closes_a_turn_turns_its_own_frame_into_a_line(game: SimulatedServer) -> None:
    await game.press(game.ann, TURN, "Ready")
    await game.press(game.leo, TURN, "Ready")
    for who in ("ann", "leo"):
        (sheet,) = sheets(game, who)
        assert (bool(sheet.flags & IS_LAYOUT), sheet.attachments, pressable(sheet)) == (True, [], [])
    check_frames(game)


async def test_a_frame_of_a_closed_turn_explains_itself_when_it_is_pressed(game: SimulatedServer) -> None:
    old = game.prompt(game.ann, TURN)
    token = await game.token("red", "orders")
    await game.later(24 * 3600 + 60)
    stored = game.env.backend.get_message(old.channel.id, old.id)
    before = words_of(stored)
    assert "Closed at its deadline." in before
    pressed = await game.forge(game.ann.user, old, f"p|{token}|ready|1")
    assert said(pressed) == f"“{TURN}” is closed; nothing was changed."
    assert (words_of(stored), stored.attachments) == (before, []), "what was read back of it stays"
    check_frames(game)


async def test_ready_pressed_again_for_want_of_an_answer_leaves_what_the_press_led_to(
    game: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first press closed the turn, but its answer was lost, and the outbox is not there yet."""
    await game.press(game.leo, TURN, "Ready")
    await game.fill(game.ann, TURN, "0.0", f0="7")
    card, token = game.prompt(game.ann, TURN), await game.token("red", "orders")
    await game.bot.delivery.stop()
    await game.bot.services.orders.readiness.say(token, game.ann.user.id, is_ready=True)
    pressed = await game.forge(game.ann.user, card, f"p|{token}|ready|1")
    assert said(pressed) == f"“{TURN}” is closed; nothing was changed."
    await game.bot.delivery.start()
    await game.bot.delivery.settled()
    stored = game.env.backend.get_message(card.channel.id, card.id)
    assert "• number 7, careful\n-# Closed: everybody was ready." in words_of(stored)
    await game.forge(game.ann.user, card, f"p|{token}|ready|1")
    assert "• number 7, careful\n-# Closed: everybody was ready." in words_of(stored)
    check_frames(game)


async def test_a_seat_that_is_handed_over_takes_its_frames_along(game: SimulatedServer) -> None:
    await game.slash(game.rita, "referee substitute", leaving=game.ann.user, arriving=game.abe.user)
    await game.ann.user.click(game.prompt(game.ann, "asks for your consent"), label="Agree")
    (left,) = sheets(game, "ann")
    assert "You handed your seat over." in words_of(left)
    assert (left.attachments, pressable(left)) == ([], [])
    (taken,) = sheets(game, "abe")
    assert len(taken.attachments) == 1
    await game.fill(game.abe, TURN, "0.0", f0="8")
    assert "number 8" in words_of(sheets(game, "abe")[0])
    check_frames(game)


async def test_frames_in_the_sides_channel_are_worked_in_there(here: SimulatedServer) -> None:
    await here.dm_slash(here.ann, "quiet cards", where="channel")
    await here.begin()
    channel = await here.channel("side:red")

    def sheet() -> Any:
        return next(one for one in channel.history() if pressable(one) and TURN in one.content)

    assert len(sheet().attachments) == 1
    await here.ann.click(sheet(), label="Ready")
    assert "You are ready" in sheet().content
    assert len(sheet().attachments) == 1
    await here.resolve_now()
    closed = next(one for one in channel.history() if TURN in one.content)
    assert (closed.attachments, pressable(closed)) == ([], [])
    check_frames(here)


async def test_frames_follow_the_clock_and_go_when_play_goes_back(game: SimulatedServer) -> None:
    await game.slash(game.rita, "referee pause")
    assert "The clock stands still" in words_of(sheets(game, "ann")[0])
    await game.slash(game.rita, "referee resume")
    await game.restart()
    await game.fill(game.ann, TURN, "0.0", f0="7")
    shown = await game.slash(game.rita, "referee rewind", campaign=game.campaign, to="1")
    assert shown.response is not None, said(shown)
    asked = await game.rita.click(shown.response, label="Go back to entry 1 …")
    await game.submit(game.rita, asked, text="A slip.")
    closed, *again = sheets(game, "ann")
    assert (closed.attachments, pressable(closed)) == ([], [])
    assert all(len(one.attachments) == 1 and "number 1" in words_of(one) for one in again)
    assert again
    check_frames(game)


async def test_an_older_versions_message_becomes_a_frame_by_its_next_edit(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pressed, shown anew, and closed: whichever comes first."""
    with monkeypatch.context() as older:
        from bot.cards import cards
        from bot.recording import prompts

        older.setattr(prompts, "prompt_card", lambda state: replace(cards.prompt_card(state), layout=None, files=()))
        campaign = await two_of_red(here)
    assert not any(sheets(here, who)[0].flags & IS_LAYOUT for who in PEOPLE[:3])
    await here.press(here.ann, TURN, "Ready")
    assert all(sheets(here, who)[0].flags & IS_LAYOUT for who in ("ann", "abe"))
    closing = ClosePrompt(token=await here.token("blue", "orders"), content=f"{TURN} is over.", dm=here.leo.id)
    async with here.store.write() as tx:
        await tx.outbox.put(campaign, closing, now=here.now())
    await here.bot.delivery.settled()
    assert words_of(sheets(here, "leo")[0]) == f"{TURN} is over."
    check_frames(here)
