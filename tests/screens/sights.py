"""What is photographed of an evening, and how it is found."""

from collections.abc import AsyncIterator
from typing import NamedTuple

from tests.e2e.people import Json, Person


class Sight(NamedTuple):
    """Something to be photographed: its name, who looks, and the message."""

    name: str
    who: Person
    message: Json


Evening = AsyncIterator[Sight]


async def newest(who: Person, channel: str = "", *, files: bool | None = None) -> Json:
    """The newest message of a channel whose name begins so, or of the bot's direct messages; with files, or without."""
    messages = await (who.messages(channel) if channel else who.direct())
    return [one for one in messages if files is None or bool(one["attachments"]) == files][-1]


async def drawn_anew(who: Person, before: Json) -> Json:
    """A card as it is once its map has followed what was saved on it."""
    old = [file["filename"] for file in before["attachments"]]

    async def look() -> Json | None:
        card = await who.now(before)
        return card if [file["filename"] for file in card["attachments"]] != old else None

    card = await who.until(look)
    assert card is not None
    return card


async def asked(who: Person, channel: str, *commands: str) -> AsyncIterator[tuple[str, Json]]:
    """The answers to some commands that somebody types in a channel, by command."""
    place = (await who.channel(channel))["id"]
    for command in commands:
        yield command, (await who.does(command, at=place))["message"]
