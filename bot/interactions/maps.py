"""Maps as answers: whole with a crop of each numbered place where one says more, or around an area."""

import asyncio

from bot.delivery.compose import distinct
from bot.delivery.drawing import AnyView, Drawing, MapOrder, board_of
from bot.delivery.prepared import SIZE_LIMIT, Attachment, Message, picture
from bot.errors import Sorry
from bot.recording.bulletin import pins
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.places import UnknownPlace


async def map_message(
    drawing: Drawing, view: AnyView, order: MapOrder, area: tuple[HexId, ...] | int | None = None
) -> Message:
    """A map with its words: whole, with a crop of each numbered place, or around an area."""
    try:
        images = await asyncio.to_thread(drawing.pictures, view, order, area)
    except UnknownPlace:
        raise Sorry("That area is not on this map.", code="unknown-hex") from None
    files: list[Attachment] = []
    notes: list[str] = []
    for image in images:
        made, note = picture(image.filename, image.png, image.alt, SIZE_LIMIT)
        files += made
        notes += [note] if note else []
    board = board_of(view)
    words = [f"**{board.heading}**", pins(board.news) if area is None else "", *notes]
    return Message("\n".join(filter(None, words)), files=distinct(files))
