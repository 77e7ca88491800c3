"""Every prompt's card as a frame with a map, whatever cards the rulebook has."""

from typing import Any

import pytest

from bot.cards import cards, frame_sizes
from bot.delivery.drawing import Drawing
from bot.direct import answering
from bot.interactions import showing
from bot.orders import open_prompt
from bot.recording import prompts
from bot.records.components import Block, Card, Layout
from bot.records.files import CardMapFile
from map_render import MapImage
from tests import toy

ACCENT = 0x5CB8EE
SIDES = {label.name: label.key for label in toy.SIDES}
Drawn = list[tuple[Any, tuple[str, ...], str]]


def framed(card: Card, side: str) -> Card:
    """The same words, buttons and menus in a frame, below a map of what the side sees."""
    words: tuple[Block, ...] = (
        {"type": "text", "text": "\n".join(frame_sizes.words_of(card.layout)) if card.layout else card.content},
        {"type": "picture", "name": "map.png", "alt": ""},
    )
    rows: list[Block] = [{"type": "row", "row": row} for row in card.rows]
    return Card(card.content, card.rows, Layout((*words, *rows), ACCENT), (CardMapFile(side=side, area=("0101",)),))


def frame_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have prompts' cards be frames."""

    def prompt_card(state: Any, **options: Any) -> Card:
        return framed(cards.prompt_card(state, **options), SIDES[state.side])

    for room in (answering, showing, open_prompt, prompts):
        monkeypatch.setattr(room, "prompt_card", prompt_card)


def note_maps(monkeypatch: pytest.MonkeyPatch) -> Drawn:
    """Draw nothing, but note what is drawn of an area: the view, the area and the theme. A picture's bytes are its
    view."""
    drawn: Drawn = []

    def card_map(self: Drawing, view: Any, area: Any = (), *, pins: Any = None, theme: str = "") -> MapImage:
        if area:  # other cards have maps, too
            drawn.append((view, area, theme))
        return MapImage(view.model_dump_json().encode(), 8, 10, f"A map of {view.side}.")

    monkeypatch.setattr(Drawing, "card_map", card_map)
    return drawn
