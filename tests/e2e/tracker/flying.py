"""Several tracked battles at once, as their captains fly them: a sheet is found by its battle, too."""

from typing import Any

from bot.playground.world.components import walk
from rules_engine.core.running.tracked import TRACKER
from tests.e2e.cutler.table import Table
from tests.e2e.people import Json, Person, buttons, first_line, said, went_on
from tests.e2e.stage import Stage
from tests.e2e.tracker.tracked import tracker_of
from tests.message_words import IS_LAYOUT, pressable

STRAND = 10
"""Discord's type of a text, the first of which is the heading of a card's strand, where there are several."""


async def agree(who: Person, thread: str, label: str) -> None:
    """Press below what another wished last in a battle's thread."""
    wanted = f"Agree: {label.lower()}"

    async def look() -> Json | None:
        return next((one for one in reversed(await who.messages(thread)) if wanted in buttons(one)), None)

    wished = await who.until(look)
    await who.seat.press(wished, label=wanted)


async def sheet_in(who: Person, battle: str, title: str) -> Json:
    """The open sheet of that title in a battle, as soon as it is there."""

    async def look() -> Json | None:
        there = [one for one in await who.direct() if one["flags"] & IS_LAYOUT and pressable(one)]
        return next((one for one in reversed(there) if _is_of(one, battle) and title in first_line(one)), None)

    return await who.until(look)


async def fly(table: Table, side: str, battle: str, title: str, orders: str = "") -> Json:
    """A side is done with a sheet there, with what it types or as it stands; the card as it is then."""
    who, card = table.of(side), await sheet_in(table.of(side), battle, title)
    if orders:
        card = await who.types(card, orders)
        assert "Saved, receipt" in card["words"], card["words"]
    answer = await who.ready(card)
    assert went_on(answer) or "You are ready" in said(answer), said(answer)
    return answer


async def map_in(who: Person, thread: str) -> str:
    """What the map says of itself that somebody asks for in a battle's thread."""
    answer = await who.does("map", at=(await who.channel(thread))["id"])
    files: list[Any] = answer["message"]["attachments"]
    assert (await who.seat.read_file(files[0])).startswith(b"\x89PNG")
    return files[0]["description"]


async def fill_in(who: Person, thread: str) -> Json:
    """Have the tracker fill in the account of its battle; the account's card as it is then."""
    shown = await tracker_of(who, thread)
    return (await who.seat.press(shown, label="Fill in my account"))["message"]


def deadline_of(stage: Stage, place: str) -> list[Any]:
    """When what a tracker asks in a battle there closes."""
    return stage.rows(f"select falls_at from deadline where strand like '%{place}%/{TRACKER}'")


def _is_of(card: Json, battle: str) -> bool:
    texts = [one["content"] for one in walk(card["components"]) if one["type"] == STRAND]
    return bool(texts) and battle in texts[0].split("\n")[0]
