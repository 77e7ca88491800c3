"""Cards that are frames of blocks: within Discord's limits, noticed when they come, and frames ever after."""

import asyncio
from dataclasses import replace
from typing import Any

import aiohttp
import discord
import pytest

from bot.delivery import exit as way_out
from bot.delivery import prepared
from bot.delivery.compose import Unfit, layout_of, message_of
from bot.delivery.composing.layouts import MOST_BYTES
from bot.delivery.effects import PLAIN
from bot.delivery.exit import Exit
from bot.delivery.reconciling.building import MADE_AGAIN
from bot.records.components import Block, Card, Layout
from bot.records.effects import ClosePrompt, Post, Reconcile, Refresh
from tests.bot.delivery.frames import ACCENT, BLOCKS, FRAMED, LISTED, PICTURE, PICTURED, ROW, button, png, shape, shown
from tests.bot.delivery.test_compose import pressed
from tests.bot.delivery.world import World
from tests.expected.kept import Kept, cases
from tests.message_words import IS_LAYOUT, pieces, pressable, words_of

MAP = [{"kind": "text", "name": "map.txt", "text": "a map"}]
WORDS = "## Contact at Scene Flow\nE27 is near A12.\n**A12** sails on\n0404 0405\n-# Saved. Closes in 2 hours."


# --- what is sent ----------------------------------------------------------------------------------------------------
async def test_blocks_become_what_discord_knows() -> None:
    made = layout_of(Layout((PICTURE, *BLOCKS), ACCENT), ("map.png",))
    assert made is not None
    (box,) = made.to_components()
    assert (box["type"], box["accent_color"]) == (17, ACCENT)
    assert [one["type"] for one in box["components"]] == [12, 10, 10, 14, 9, 1, 1, 10]
    (item,) = box["components"][0]["items"]
    assert (item["media"]["url"], item["description"]) == ("attachment://map.png", PICTURE["alt"])
    section = box["components"][4]
    assert section["components"][0]["content"] == "**A12** sails on\n0404 0405"
    assert section["accessory"]["custom_id"] == "p|tok|change|0"
    assert made.is_finished(), "discord.py would keep it"
    assert layout_of(Layout((dict(PICTURE), *BLOCKS), ACCENT), ("map.png",)) is made  # type: ignore[arg-type]


def text(length: int) -> Block:
    return {"type": "text", "text": "x" * length}


def section(number: int) -> Block:
    return {"type": "section", "text": "x", "button": button(f"b{number}")}


@cases("case, blocks, fits", "", made="blocks")
async def test_as_much_as_discord_takes_fits_and_no_more(blocks: tuple[Block, ...], fits: bool) -> None:
    layout = Layout(blocks)
    if fits:
        made = layout_of(layout)
        assert made is not None
        assert len(list(pieces(made.to_components()))) <= 40, "as Discord counts them"
    else:
        with pytest.raises(Unfit, match="at most"):
            layout_of(layout)


async def test_all_defects_of_a_layout_are_named_at_once_with_their_places(kept: Kept) -> None:
    blocks: tuple[Block, ...] = (
        {"type": "text", "text": " "},
        {"type": "section", "text": "x", "button": button("twice", "L" * 81)},
        {"type": "row", "row": ()},
        {"type": "row", "row": (button("twice"),)},
        {"type": "picture", "name": "chart.png", "alt": "a" * 1_025},
    )
    with pytest.raises(Unfit) as found:
        layout_of(Layout(blocks), ("map.png",))
    assert str(found.value).split("; ") == kept()


async def test_a_layout_that_discord_would_stumble_over_is_unfit() -> None:
    """Its bytes are counted as they are sent."""
    rows = tuple(
        {"type": "row", "row": tuple({**button(f"{'i' * 90}{y}{x}"), "label": "é" * 60} for x in range(5))}
        for y in range(5)
    )
    with pytest.raises(Unfit, match=rf"bytes of components, at most {MOST_BYTES}"):
        layout_of(Layout(rows))  # type: ignore[arg-type]


# --- posted ----------------------------------------------------------------------------------------------------------
async def test_a_layout_is_posted_as_words_that_notify_and_becomes_blocks_at_once(world: World) -> None:
    await world.open_prompt("tok")
    await world.carried_out(Post(dm=world.ann.id, content=FRAMED.content, card=FRAMED, prompt="tok"))
    channel = world.direct(world.ann)
    (posted,) = world.bodies("POST", f"/channels/{channel}/messages")
    assert (posted["content"], posted.get("flags")) == (FRAMED.content, None)
    assert [one["custom_id"] for row in posted["components"] for one in row["components"]] == [one["id"] for one in ROW]
    (edited,) = world.bodies("PATCH", f"/channels/{channel}/messages")
    assert (edited["content"], edited["flags"]) == (None, IS_LAYOUT)
    (message,) = world.messages_in(channel)
    assert (message.content, words_of(message)) == ("", WORDS)
    assert shape(message) == [17, 10, 10, 14, 9, 10, 2, 1, 2, 2, 1, 3, 10]
    assert await world.prompt_messages("tok") == [(channel, message.id, world.ann.id)]


async def test_a_layout_that_discord_refuses_stands_as_it_was_posted_and_names_its_reader(world: World) -> None:
    await world.open_prompt("tok")
    channel = world.direct(world.ann)
    world.env.inject_error("PATCH", f"/channels/{channel}/messages/*", status=400, code=50035, times=None)
    await world.carried_out(Post(dm=world.ann.id, content=FRAMED.content, card=FRAMED, prompt="tok"))
    (message,) = world.messages_in(channel)
    assert message.content == FRAMED.content
    assert [one["custom_id"] for one in pressable(message)] == [one["id"] for one in ROW]
    assert await world.prompt_messages("tok") == [(channel, message.id, world.ann.id)]
    (told,) = await world.texts("referee")
    assert (
        f"a card for <@{world.ann.id}>. It stands as a plain message, without its pictures; its buttons work." in told
    )


async def test_a_card_that_discord_refuses_to_show_anew_is_posted_anew(world: World) -> None:
    await world.open_prompt("tok")
    channel = world.direct(world.ann)
    await world.carried_out(Post(dm=world.ann.id, content=FRAMED.content, card=FRAMED, prompt="tok"))
    world.env.inject_error("PATCH", f"/channels/{channel}/messages/*", status=400, code=50035, times=None)
    await world.put(Refresh(token="tok", card=replace(FRAMED, content="**Contact** is saved."), dm=world.ann.id))
    await world.deliver()
    before, after = world.messages_in(channel)
    assert after.content == "**Contact** is saved."
    assert await world.prompt_messages("tok") == [(channel, after.id, world.ann.id)]
    assert before.id != after.id
    told = await world.texts("referee")
    assert any(f"the card of a sheet for <@{world.ann.id}>. I post it anew." in one for one in told)


async def test_a_mention_in_a_layout_pings_nobody_and_the_words_before_it_do(world: World) -> None:
    """Who cannot be reached otherwise is called in the side's channel, by the words that are posted first."""
    blocks: tuple[Block, ...] = ({"type": "text", "text": f"<@{world.leo.id}> @everyone waits."},)
    card = replace(FRAMED, layout=Layout(blocks))
    await world.carried_out(
        Post(dm=world.ann.id, content=card.content, card=card, fallback="side:alliance", in_channel=True),
        Post(place="public", content=card.content, card=card),
    )
    (called,) = world.bodies("POST", f"/channels/{await world.place('side:alliance')}/messages")
    assert called["content"].startswith(f"<@{world.ann.id}>")
    assert called["allowed_mentions"]["users"] == [world.ann.id]
    for place in ("side:alliance", "public"):
        channel = await world.place(place)
        (edited,) = world.bodies("PATCH", f"/channels/{channel}/messages")
        assert edited["allowed_mentions"]["parse"] == []
        assert not edited["allowed_mentions"].get("users")
        (message,) = world.messages_in(channel)
        assert not message.ping_user_ids
        assert not message.mention_everyone


async def test_a_file_that_no_block_shows_stands_below_the_frame(world: World) -> None:
    await world.carried_out(Post(place="public", content="A list.", card=LISTED))
    (message,) = world.messages_in(await world.place("public"))
    assert shape(message) == [17, 10, 13]
    assert shown(message) == ["list.txt"]


async def test_a_layout_behind_a_long_text_is_its_last_message(world: World) -> None:
    await world.carried_out(Post(place="public", content="line\n" * 500, card=FRAMED))
    assert [bool(one.flags & IS_LAYOUT) for one in world.messages_in(await world.place("public"))] == [False, True]


async def test_a_card_whose_picture_is_missing_is_reported_as_a_defect(world: World) -> None:
    await world.carried_out(Post(place="public", content="x", card=PICTURED))
    assert await world.texts("public") == []
    (told,) = await world.texts("referee")
    assert "the message carries no file 'map.png'" in told


async def test_a_message_that_was_deleted_as_soon_as_it_stood_is_let_go(world: World) -> None:
    channel = await world.place("public")
    world.env.inject_error("PATCH", f"/channels/{channel}/messages/*", status=404, code=10008)
    await world.carried_out(Post(place="public", content="x", card=FRAMED))
    assert set(await world.statuses()) == {"done"}
    assert await world.texts("referee") == []


@pytest.mark.parametrize("card", [FRAMED, None], ids=["before it is a layout", "between two parts"])
async def test_what_stood_in_a_channel_that_another_look_made_again_comes_whole_into_the_new_one(
    world: World, monkeypatch: pytest.MonkeyPatch, card: Card | None
) -> None:
    """Discord stumbles over the second call for a message; before it is tried again, the channel goes and comes."""
    old = await world.place("side:alliance")
    name = "send_message" if card is None else "edit_message"
    real, calls = getattr(world.env.bot.http, name), list[int]()

    async def stumbles(channel: int, *arguments: Any, **named: Any) -> Any:
        calls.append(channel)
        if calls.count(old) != (2 if card is None else 1) or channel != old:
            return await real(channel, *arguments, **named)
        world.env.backend.delete_channel(old)
        await world.put(Reconcile())
        await world.delivery.nudge(world.guild.id)
        for _ in range(1_000):
            if await world.place("side:alliance") != old:
                break
            await asyncio.sleep(0.01)
        raise aiohttp.ServerDisconnectedError

    monkeypatch.setattr(world.env.bot.http, name, stumbles)
    lines = "\n".join(f"line {number}" for number in range(400))
    await world.put(Post(place="side:alliance", content=lines if card is None else card.content, card=card))
    async with asyncio.timeout(20):  # it might be tried for ever
        await world.deliver()
    new = await world.place("side:alliance")
    assert new != old
    assert set(await world.statuses()) == {"done"}
    told = [one for one in world.messages_in(new) if one.content != MADE_AGAIN]
    if card is None:
        assert "\n".join(one.content for one in told) == lines
    else:
        assert [shape(one)[0] for one in told] == [17]


async def test_what_discord_fails_over_as_a_layout_stands_as_words(world: World) -> None:
    """The edit fails for ever, while other things pass."""
    channel = await world.place("public")
    world.env.inject_error("PATCH", f"/channels/{channel}/messages/*", status=500, times=None)
    await world.put(Post(place="public", content=FRAMED.content, card=FRAMED))
    await world.posted("side:league", "Not held up.")
    (message,) = world.messages_in(channel)
    assert message.content == FRAMED.content
    assert [one["label"] for one in pressable(message)] == ["Ready", "Write them"]


OTHER_WORDS = replace(FRAMED, layout=Layout(({"type": "text", "text": "Saved."}, BLOCKS[4]), ACCENT))


@pytest.mark.parametrize("card", [FRAMED, OTHER_WORDS, LISTED], ids=["as it was", "pressed", "without buttons"])
async def test_a_post_in_doubt_that_is_a_layout_by_now_is_not_posted_again(
    world: World, monkeypatch: pytest.MonkeyPatch, card: Card
) -> None:
    """The answer to the post was lost; before anybody looks, it was made a layout, or a press changed it further."""
    send, lost = world.env.bot.http.send_message, [True]

    async def loses_the_answer(channel: int, **kwargs: Any) -> Any:
        answer = await send(channel, **kwargs)
        if lost:
            lost.pop()
            files = [prepared.Attachment("list.txt", b"all of it")] if card is LISTED else []
            await way_out.Exit(world.env.bot).edit(channel, int(answer["id"]), message_of(card, files))
            raise aiohttp.ServerDisconnectedError
        return answer

    monkeypatch.setattr(world.env.bot.http, "send_message", loses_the_answer)
    first = LISTED if card is LISTED else FRAMED
    await world.carried_out(*(Post(place="public", content="x", card=first) for _ in range(2)))
    assert [shape(message)[0] for message in world.messages_in(await world.place("public"))] == [17, 17]
    assert len({row["result"]["p0"][1] for row in (await world.rows())[-2:]}) == 2


async def test_a_post_that_discord_refuses_comes_without_pictures_and_the_reader_is_named(world: World) -> None:
    world.env.inject_error("POST", f"/channels/{world.direct(world.ann)}/messages", status=400, code=50035)
    await world.wrote_to(world.ann, "A map.", fallback="side:alliance", files=MAP)
    assert [one.content for one in world.messages_in(world.direct(world.ann))] == [f"A map.\n{PLAIN}"]
    (told,) = await world.texts("referee")
    assert f"a message for <@{world.ann.id}>. I send it without pictures and buttons." in told
    assert "A map." not in told


async def test_a_direct_message_that_discord_refuses_twice_goes_to_the_sides_channel(world: World) -> None:
    world.env.inject_error("POST", f"/channels/{world.direct(world.ann)}/messages", status=400, code=50035, times=2)
    await world.wrote_to(world.ann, "A map.", fallback="side:alliance", files=MAP)
    assert world.messages_in(world.direct(world.ann)) == []
    (message,) = world.messages_in(await world.place("side:alliance"))
    assert message.content.endswith(f"A map.\n{PLAIN}")


# --- edited by the outbox --------------------------------------------------------------------------------------------
@pytest.mark.parametrize("first", [FRAMED, replace(FRAMED, layout=None)], ids=["a frame", "an older version's"])
async def test_a_prompts_message_is_a_frame_after_each_edit(world: World, first: Any) -> None:
    await world.open_prompt("tok")
    await world.put(Post(dm=world.ann.id, content=first.content, card=first, prompt="tok"))
    for card, words in ((replace(FRAMED, content="Plainly.", layout=None), "Plainly."), (FRAMED, WORDS)):
        await world.carried_out(Refresh(token="tok", card=card, dm=world.ann.id))
        (message,) = world.messages_in(world.direct(world.ann))
        assert (message.content, words_of(message)) == ("", words)
        assert pressable(message)
    await world.carried_out(ClosePrompt(token="tok", content="Closed.", dm=world.ann.id))
    (message,) = world.messages_in(world.direct(world.ann))
    assert (words_of(message), shape(message)) == ("Closed.", [10])


# --- answers ---------------------------------------------------------------------------------------------------------
async def test_a_reply_may_be_a_layout_at_once_for_the_caller_only(world: World) -> None:
    result = await pressed(world, lambda i: way_out.reply(i, message_of(PICTURED, [png()])))
    assert result.response.ephemeral
    assert result.response.flags.components_v2
    assert (result.response.content, words_of(result.response)) == ("", WORDS)
    assert len(result.response.attachments) == 1


async def test_a_layout_after_a_defer_is_a_followup_for_the_caller_only(world: World) -> None:
    async def answer(interaction: discord.Interaction[Any]) -> None:
        await way_out.defer(interaction)
        await way_out.reply(interaction, message_of(FRAMED))

    result = await pressed(world, answer)
    (answered,) = [part for part in (result.response, *result.followups) if part and words_of(part) == WORDS]
    assert answered.ephemeral


def in_turn(*answers: prepared.Message, wait: bool = False) -> Any:
    """Answers presses by replacing the message, with one message after the other."""
    left = list(answers)

    async def answer(interaction: discord.Interaction[Any]) -> None:
        if wait:
            await way_out.defer(interaction, update=True)
        await way_out.update_message(interaction, left.pop(0))

    return answer


@pytest.mark.parametrize("wait", [False, True], ids=["at once", "after a silent defer"])
async def test_a_pressed_message_that_became_a_layout_stays_one(world: World, wait: bool) -> None:
    """Also where only a word is to be said."""
    long = prepared.Message("line\n" * 500, files=(prepared.Attachment("a.txt", b"a"),))
    await pressed(world, in_turn(message_of(FRAMED), message_of(replace(FRAMED, layout=None)), long, wait=wait))
    channel = await world.place("side:alliance")
    handle = next(one for one in world.guild.channels.values() if one.id == channel)
    for words, then in ((WORDS, "p|tok|ready|1"), (FRAMED.content, "p|tok|ready|1")):
        (message,) = handle.history()
        assert (message.content, words_of(message)) == ("", words)
        await world.ann.click(message, custom_id=then)
    (stored,) = world.messages_in(channel)
    assert words_of(stored).endswith("continued in the attached file.")
    assert shown(stored) == ["a.txt", "full-text.txt"]


@pytest.mark.parametrize("wait", [False, True], ids=["at once", "after a silent defer"])
async def test_a_message_that_became_a_layout_since_it_was_pressed_is_answered_all_the_same(world: World, wait: bool):
    """It was shown anew while the press was under way, or while its form was filled in."""

    async def answer(interaction: discord.Interaction[Any]) -> None:
        if wait:
            await way_out.defer(interaction, update=True)
        assert interaction.message is not None
        await way_out.Exit(world.env.bot).edit(
            interaction.message.channel.id, interaction.message.id, message_of(FRAMED)
        )
        await way_out.update_message(interaction, prepared.Message("Saved."))

    await pressed(world, answer)
    (stored,) = world.messages_in(await world.place("side:alliance"))
    assert (words_of(stored), shape(stored)) == ("Saved.", [10])


async def test_a_picture_is_kept_while_it_stays_the_same_and_replaced_by_another(world: World) -> None:
    again = replace(PICTURED, content="again")
    answers = [message_of(PICTURED, [png()]), message_of(again, [png()]), message_of(again, [png("red")])]
    await pressed(world, in_turn(*answers, message_of(FRAMED)))
    channel = await world.place("side:alliance")
    handle = next(one for one in world.guild.channels.values() if one.id == channel)
    ids = []
    for _ in range(3):
        (stored,) = world.messages_in(channel)
        (file,) = stored.attachments
        ids.append(file["id"])
        assert shown(stored) == [file["filename"]]
        await world.ann.click(handle.history()[0], custom_id="p|tok|ready|1")
    assert ids[0] == ids[1] != ids[2]
    (stored,) = world.messages_in(channel)
    assert (stored.attachments, shown(stored)) == ([], [])


async def test_a_card_is_posted_anew_when_its_channel_goes_before_it_became_a_layout(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit = Exit.edit
    first = await world.place("side:alliance")

    async def too_late(exit_: Exit, channel_id: int, message_id: int, message: Any) -> None:
        if channel_id == first and first in world.env.backend.channels:
            world.env.backend.delete_channel(first)
        await edit(exit_, channel_id, message_id, message)

    monkeypatch.setattr(Exit, "edit", too_late)
    layout = Layout(({"type": "text", "text": "Plot!"},))
    await world.carried_out(Post(place="side:alliance", content="Plot!", card=Card("Plot!", (), layout)))
    assert await world.place("side:alliance") != first
    assert await world.texts("side:alliance") == ["Plot!", MADE_AGAIN]
