"""Messages with several pictures: frames in which each has a line of its own, since clients would halve them."""

from dataclasses import replace
from typing import Any

import pytest

from bot.delivery import exit as way_out
from bot.delivery.composing.layouts import with_wide_pictures
from bot.delivery.composing.making import MadeFiles
from bot.delivery.prepared import Attachment, Message
from bot.records.effects import Post
from tests.bot.delivery.frames import png, shape, shown
from tests.bot.delivery.test_answers import pressed
from tests.bot.delivery.world import World
from tests.message_words import words_of

SEVERAL = Message("A map.", (png(), replace(png("white"), name="map-1.png"), Attachment("list.txt", b"all of it")))


async def test_several_pictures_stand_below_each_other_and_one_is_an_ordinary_message() -> None:
    """Clients show those of an ordinary message side by side, half as wide."""
    made = with_wide_pictures(SEVERAL).layout
    assert made is not None
    assert [(one["type"], len(one.get("items", ()))) for one in made.to_components()] == [
        (10, 0),
        (12, 1),
        (12, 1),
        (13, 0),
    ]
    pictures = [one["items"][0] for one in made.to_components() if "items" in one]
    assert [one["media"]["url"] for one in pictures] == ["attachment://map.png", "attachment://map-1.png"]
    assert [one["description"] for one in pictures] == ["A map.", "A map."]
    for message in (replace(SEVERAL, files=SEVERAL.files[1:]), replace(SEVERAL, text="")):
        assert with_wide_pictures(message) is message


async def test_what_discord_would_not_take_as_a_frame_stays_ordinary() -> None:
    wordy = tuple(replace(png(), name=f"map-{n}.png", alt="é" * 1_024) for n in range(2))
    for message in (Message("A map.", wordy), replace(SEVERAL, text="line\n" * 500)):
        assert with_wide_pictures(message) is message


async def test_a_post_with_several_pictures_notifies_in_words_and_becomes_a_frame(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def made(*_: Any) -> MadeFiles:
        return MadeFiles(SEVERAL.files)

    monkeypatch.setattr("bot.delivery.effects.files_of", made)
    await world.put(Post(place="public", content="A map."))
    await world.deliver()
    channel = await world.place("public")
    (posted,) = world.bodies("POST", f"/channels/{channel}/messages")
    assert (posted["content"], posted.get("flags")) == ("A map.", None)
    (message,) = world.messages_in(channel)
    assert (message.content, words_of(message)) == ("", "A map.")
    assert shape(message) == [10, 12, 12, 13]
    assert shown(message) == ["map.png", "map-1.png", "list.txt"]


async def test_an_answer_with_several_pictures_is_a_frame_for_the_caller_only(world: World) -> None:
    result = await pressed(world, lambda i: way_out.reply(i, SEVERAL))
    assert result.response.ephemeral
    assert shape(result.response) == [10, 12, 12, 13]
    assert words_of(result.response).endswith("A map.")
