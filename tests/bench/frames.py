"""A card made of blocks with a map, on its way out: composed, drawn, and found again, beside a card of rows."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

from bot.delivery.compose import message_of
from bot.delivery.composing.making import Audience, FileMaking
from bot.delivery.drawing import Drawing
from bot.delivery.prepared import Attachment
from bot.records.components import Block, ButtonSpec, Card, Layout, MenuSpec
from bot.records.files import CardMapFile
from rules_engine.core.knowledge.views import SideView
from tests.bench.figures import Counts, Figure, Tick, middle, p95
from tests.bench.matches import PQ17, turns_of

PART = "Card"
AT_MOST = 5.0
"""Milliseconds that a frame may take to be composed, longer than a card of rows; an answer waits for it."""


def steps(_: Counts) -> int:
    return 2


def _button(name: str) -> ButtonSpec:
    return {"type": "button", "id": f"p|token|{name}|", "label": name, "style": "secondary", "disabled": False}


MENU: MenuSpec = {
    "type": "select",
    "id": "p|token|line|",
    "placeholder": "Another",
    "options": [{"value": f"{n}", "label": f"Line {n}", "description": "stays", "default": False} for n in range(20)],
    "min": 1,
    "max": 1,
}
ROW = tuple(_button(name) for name in ("Ready", "Type orders", "Undo"))


def card_of(said: str, area: tuple[str, ...]) -> Card:
    """A turn's card, which says something that no card said before, with three rows and a map."""
    picture: Block = {"type": "picture", "name": "map.png", "alt": ""}
    rows: list[Block] = [
        {"type": "section", "text": f"**A{n}** sails on\n{said}", "button": _button(f"Change {n}")} for n in range(3)
    ]
    foot: list[Block] = [{"type": "row", "row": ROW}, {"type": "row", "row": (MENU,)}]
    layout = Layout(({"type": "text", "text": f"## {said}"}, picture, *rows, *foot), 0x5CB8EE)
    return Card(said, (ROW, (MENU,)), layout, (CardMapFile(side="alliance", area=area),))


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """The same card again and again with other words; and its map, of a campaign's turns."""
    picture = Attachment("map.png", bytes(40_000), "A map.")
    plain = [_ms(lambda n=n: replace(card_of(f"Words {n}", ()), layout=None), ()) for n in range(counts.clicks)]
    framed = [_ms(lambda n=n: card_of(f"Words {n}", ()), (picture,)) for n in range(counts.clicks)]
    tick()
    views = turns_of(PQ17, counts.map_turns + 1)
    drawn, again = await _maps([view for view in views if isinstance(view, SideView)])
    tick()
    note = f"{counts.clicks} cards, each with other words"
    return [
        Figure(
            PART,
            "a frame composed",
            middle(framed),
            "ms",
            middle(plain),
            "a card of rows",
            None,
            p95(framed),
            note,
            AT_MOST,
        ),
        Figure(PART, "its map, drawn for the first time", middle(drawn), "ms", note="no answer waits for own plots"),
        Figure(PART, "its map, looked up again", middle(again), "ms", p95=p95(again)),
    ]


def _ms(card: Callable[[], Card], files: tuple[Attachment, ...]) -> float:
    made = card()
    start = time.perf_counter()
    message = message_of(made, files)
    for one in (message.layout, message.view):
        if one is not None:
            one.to_components()
    return (time.perf_counter() - start) * 1_000


async def _maps(views: list[SideView]) -> tuple[list[float], list[float]]:
    drawn: list[float] = []
    again: list[float] = []
    for view in views:

        async def look_up(*_: object, view: SideView = view) -> SideView:
            return view

        files = FileMaking(Drawing(), look_up)
        spec = CardMapFile(side=view.side)
        for times in (drawn, again):
            start = time.perf_counter()
            made = await files.made([spec], "c", Audience(1), "")
            times.append((time.perf_counter() - start) * 1_000)
            assert made.files
            await asyncio.sleep(0)
    return drawn, again
