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


async def typed(who: Person, card: Json, orders: str) -> Json:
    """A card as it is once its map has followed the orders that were typed into it."""
    old = _pictures(card)
    saved = await who.types(card, orders)

    async def look() -> Json | None:
        shown = await who.now(saved)
        return shown if _pictures(shown) != old else None

    shown = await who.until(look)
    assert shown is not None
    return shown


def _pictures(message: Json) -> list[str]:
    return [file["filename"] for file in message["attachments"]]


async def asked(who: Person, channel: str, *commands: str) -> AsyncIterator[tuple[str, Json]]:
    """The answers to some commands that somebody types in a channel, by command."""
    place = (await who.channel(channel))["id"]
    for command in commands:
        yield command, (await who.does(command, at=place))["message"]
