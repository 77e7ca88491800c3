"""People: they see what their seat sees and do what its user could, as somebody on a phone would."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from bot.playground import Seat
from bot.playground.seats.seat import file
from bot.playground.world.components import walk
from tests.message_words import IS_LAYOUT, pressable
from tests.patience import PATIENCE

T = TypeVar("T")
Json = dict[str, Any]

PRIMARY = 1
"""Discord's style of a button that stands out."""


class Person:
    """Somebody in a seat."""

    def __init__(self, name: str, seat: Seat) -> None:
        self.name = name
        self.seat = seat

    @property
    def mention(self) -> str:
        """How a message names them."""
        return f"<@{self.seat.user_id}>"

    async def until(self, look: Callable[[], Awaitable[T]]) -> T:
        """Look again after each thing the person sees happen, until there is something to see."""
        async with asyncio.timeout(PATIENCE):
            while True:
                mark = len(self.seat.events)
                found = await look()
                if found:
                    return found
                await self.seat.wait_for_event(lambda _: True, PATIENCE, since=mark)

    # --- looking -------------------------------------------------------------------------------------------------

    async def channels(self) -> list[Json]:
        """All channels, threads and direct messages in sight."""
        state = await self.seat.state()
        return [channel for guild in state["guilds"] for channel in guild["channels"]] + state["dms"]

    async def channel(self, name: str) -> Json:
        """The channel or thread whose name begins with this, as soon as it is visible."""

        async def look() -> Json | None:
            return next((one for one in await self.channels() if (one["name"] or "").startswith(name)), None)

        return await self.until(look)

    async def sees(self, name: str) -> bool:
        """Whether a channel whose name begins with this is visible now."""
        return any((one["name"] or "").startswith(name) for one in await self.channels())

    async def messages(self, name: str) -> list[Json]:
        """The messages in a channel."""
        return await self.seat.messages((await self.channel(name))["id"])

    async def post(self, channel: str, *words: str) -> Json:
        """A message with all these words in a channel, as soon as it is there."""
        place = (await self.channel(channel))["id"]

        async def look() -> Json | None:
            messages = await self.seat.messages(place)
            return next((one for one in messages if all(word in one["words"] for word in words)), None)

        return await self.until(look)

    async def direct(self) -> list[Json]:
        """What the bot wrote by direct message, oldest first."""
        dms = (await self.seat.state())["dms"]
        return await self.seat.messages(dms[0]["id"]) if dms else []

    async def told(self, *words: str) -> Json:
        """The direct message with all these words, as soon as it is there."""

        async def look() -> Json | None:
            return next((one for one in await self.direct() if all(word in one["words"] for word in words)), None)

        return await self.until(look)

    async def sheet(self, title: str) -> Json:
        """The open sheet of that title among the direct messages, as soon as it is there in its frame: it is posted
        in ordinary words, so that it notifies, and edited a moment later."""

        async def look() -> Json | None:
            there = [one for one in await self.direct() if one["flags"] & IS_LAYOUT and pressable(one)]
            cards = [one for one in there if title in first_line(one) or f" · {title}" in one["words"]]
            return cards[-1] if cards else None

        return await self.until(look)

    async def asked(self, *words: str) -> Json:
        """The question with these words among the direct messages, with its buttons and in no frame, as soon as it is
        there."""

        async def look() -> Json | None:
            there = [one for one in await self.direct() if pressable(one)]
            return next((one for one in there if all(word in one["words"] for word in words)), None)

        return await self.until(look)

    async def now(self, message: Json) -> Json:
        """A message as it is now."""
        messages = await self.seat.messages(message["channel_id"])
        return next(one for one in messages if one["id"] == message["id"])

    async def changed(self, message: Json, *words: str) -> Json:
        """A message, as soon as it says all these words."""

        async def look() -> Json | None:
            one = await self.now(message)
            return one if all(word in one["words"] for word in words) else None

        return await self.until(look)

    # --- doing ---------------------------------------------------------------------------------------------------

    async def does(self, command: str, /, *, at: str | None = None, **options: Any) -> Json:
        """Type a slash command; gives the answer, whole once it was deferred."""
        return await self.seat.carry_out(command, channel=at, within=PATIENCE, **options)

    async def _opens(self, press: Callable[[], Awaitable[Json]]) -> Json:
        """What opens a form."""
        opened = await press()
        assert opened["modal"] is not None, said(opened)
        return opened

    async def types(self, card: Json, text: str) -> Json:
        """Type orders into a sheet's one large box; gives the card as it then is."""
        opened = await self._opens(lambda: self.seat.press(card, label="Write them"))
        return (await self.seat.fill_modal(opened["modal"], text=text))["message"]

    async def fills(self, card: Json, line: str, **fields: Any) -> Json:
        """Choose a line of a sheet, in its menu or by the button beside its row, and fill some fields of its form by
        their labels (underscores for spaces)."""
        menus = [one for one in walk(card["components"]) if one["type"] == 3]
        options = [one for menu in menus for one in menu["options"] if one["label"].startswith(line)]
        if options:
            return await self._submits(await self._opens(lambda: self.seat.select(card, options[0]["value"])), fields)
        sections = [one for one in walk(card["components"]) if one["type"] == 9]
        row = next(one for one in sections if one["components"][0]["content"].startswith(f"**{line}"))
        press = lambda: self.seat.press(card, custom_id=row["accessory"]["custom_id"])  # noqa: E731
        return await self._submits(await self._opens(press), fields)

    async def reports(self, card: Json, page: int = 0, **fields: Any) -> Json:
        """Fill some fields of a page of an account's short form, by their labels: two presses; gives the card."""
        wanted = f"|short|{page}"
        button = next(one for one in walk(card["components"]) if one.get("custom_id", "").endswith(wanted))
        press = lambda: self.seat.press(card, custom_id=button["custom_id"])  # noqa: E731
        return await self._submits(await self._opens(press), fields)

    async def _submits(self, opened: Json, fields: Json) -> Json:
        """Send a form back as it was filled in, but for these fields."""
        by_label: Json = {}
        for field in opened["modal"]["fields"]:
            wanted = next((key for key in fields if field["label"].startswith(key.replace("_", " "))), None)
            value = fields[wanted] if wanted is not None else filled_in(field)
            by_label[field["label"]] = (
                [value] if field["kind"].endswith(("select", "checkbox_group")) and isinstance(value, str) else value
            )
        kept = {label: value for label, value in by_label.items() if value is not None}
        return (await self.seat.fill_modal(opened["modal"], by_label=kept))["message"]

    async def uploads(self, text: str | bytes, *, at: str | None = None, name: str = "orders.txt") -> Json:
        """Hand in a sheet as a file."""
        data = text.encode() if isinstance(text, str) else text
        place = at if at is not None else (await self.seat.state())["dms"][0]["id"]
        return await self.does("orders upload", at=place, file={"file": file(name, data)})

    async def understood(self, card: Json) -> str:
        """All that a sheet's orders are understood to be, as its page says them; the card is turned back after it."""
        shown = await self.seat.press(card, label="All orders")
        said_all = said(shown)
        back = await self.seat.press(shown["message"], label="Back")
        assert said(back) == (await self.now(card))["words"], "the page is turned back to the card"
        return said_all

    async def reads_log(self, *, at: str = "") -> str:
        """All that the side was told, as the file that ``/log`` gives, typed in a channel, or to the bot."""
        place = (await self.channel(at))["id"] if at else (await self.seat.state())["dms"][0]["id"]
        answer = await self.does("log", at=place)
        given = await self.seat.press(answer["message"], label="As a file")
        (attached,) = given["message"]["attachments"]
        return (await self.seat.read_file(attached)).decode()

    async def asks_why(self, channel: str, *words: str) -> str:
        """What the first *Why?* below a bulletin with these words answers."""
        bulletin = await self.post(channel, *words)
        label = next(one for one in buttons(bulletin) if one.endswith("Why?"))
        return said(await self.seat.press(bulletin, label=label))

    async def ready(self, card: Json) -> Json:
        """Press Ready."""
        return await self.seat.press(card, label="Ready")

    async def sends_account(self, card: Json) -> Json:
        """Send the account of a battle as it is filled in."""
        return await self.seat.press(card, label="Send this account")


def filled_in(field: Json) -> Any:
    """What a form's field holds when it is opened, as a client sends it back; None for nothing."""
    match field["kind"]:
        case "radio_group":
            return next((one["value"] for one in field["options"] if one.get("default")), None)
        case "string_select" | "checkbox_group":
            return [one["value"] for one in field["options"] if one.get("default")]
        case "checkbox":
            return bool(field.get("default"))
        case _:
            return field.get("value")


def first_line(message: Json) -> str:
    """A card's title, which stands below the name of its strand where there are several."""
    first, *lines = message["words"].split("\n")
    if any(line.startswith("## ") for line in (first, *lines)):  # a frame has it in its small print
        return lines[-1]
    return lines[0] if lines and first.startswith("__") else first


def said(answer: Json) -> str:
    """What somebody was told in answer."""
    return (answer.get("message") or {}).get("words") or answer.get("error") or ""


def went_on(answer: Json) -> bool:
    """Whether an answer says that play has gone on: in its own words, or in those of the closed sheet."""
    return "play has gone on" in said(answer) or "Closed: everybody was ready" in said(answer)


def buttons(message: Json) -> list[str]:
    """The labels of a message's buttons."""
    return [one["label"] for one in walk(message["components"]) if one["type"] == 2]


def chosen(message: Json) -> list[str]:
    """The labels of the quick answers that are marked as the one that stands."""
    answers = [one for one in walk(message["components"]) if one["type"] == 2 and "|pick|" in one["custom_id"]]
    return [one["label"] for one in answers if one["style"] == PRIMARY]


def neutral(text: str) -> str:
    """A text without moments, receipts and hashes of the record, which differ from run to run."""
    text = re.sub(r"<t:\d+:\w>", "<time>", text)
    return re.sub(r"(receipt|hash) `[^`]+`", r"\1", text)
