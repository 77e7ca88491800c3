"""Frames: cards made of blocks, alike in order and look, and fitted into what Discord takes and a phone shows.

From above to below: a heading, one sentence, a picture, rows with a button each, large buttons, small print. Whoever
makes a card gives its parts, each in several forms from the longest to the shortest; what is least important is
shortened first. What was left out must be had by one of the card's buttons. Knows no discord.py.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bot.cards.frame_sizes import MOST_COMPONENTS, components_of, fits, height
from bot.cards.menus import cut
from bot.records.components import (
    Block,
    ButtonSpec,
    Component,
    Layout,
    PictureBlock,
    RowBlock,
    RuleBlock,
    SectionBlock,
    TextBlock,
)

MOST_HEIGHT = 860
"""Pixels of a card on a phone that is 412 wide."""
MOST_IN_ROW = 5
MOST_HEADING = 45
"""Letters of a heading, which should fit one line or two."""

REFEREE = 0x99AAB5
"""The grey edge of the referee's cards."""
SIDES = (0x5CB8EE, 0xFF8438, 0xDD8FBD, 0xFB5151, 0xA076F4, 0xADFA9E, 0xB8A694)
"""The edges of sides' cards, in the order of seats: the colours that the dark maps have for them."""


def accent_of(place: int | None) -> int:
    """The colour of a side's edge by its place in the campaign's order of seats (None: the referee's)."""
    return REFEREE if place is None else SIDES[place % len(SIDES)]


# --- blocks -----------------------------------------------------------------------------------------------------------


def heading(words: str) -> TextBlock:
    """What happened or what is needed, large; six words at most."""
    return {"type": "text", "text": f"## {cut(words, MOST_HEADING)}"}


def text(words: str) -> TextBlock:
    """Words as they are."""
    return {"type": "text", "text": words}


def small(lines: Iterable[str]) -> TextBlock:
    """Small print, each line by itself."""
    return {"type": "text", "text": "\n".join(f"-# {line}" for line in lines)}


def picture(name: str, alt: str) -> PictureBlock:
    """A file of the message."""
    return {"type": "picture", "name": name, "alt": alt}


def rule() -> RuleBlock:
    """A thin line."""
    return {"type": "rule"}


def beside(first: str, below: str, button: ButtonSpec) -> SectionBlock:
    """A row of the card: its first line in bold, a line or two below it, a button beside it."""
    head = f"**{first}**"
    return {"type": "section", "text": f"{head}\n{below}" if below else head, "button": button}


def rows(*components: Component) -> tuple[RowBlock, ...]:
    """Buttons in rows of as many as Discord takes; a menu has a row of its own."""
    made: list[RowBlock] = []
    waiting: list[Component] = []
    for one in components:
        if one["type"] == "select":
            made += _row(waiting)
            waiting = []
            made += _row([one])
        else:
            waiting.append(one)
            if len(waiting) == MOST_IN_ROW:
                made += _row(waiting)
                waiting = []
    return (*made, *_row(waiting))


def _row(components: Sequence[Component]) -> list[RowBlock]:
    return [{"type": "row", "row": tuple(components)}] if components else []


# --- fitting ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FramePart:
    """A part of a card in one or several ``forms``, from the longest to the shortest; an empty one leaves it out.

    Of all parts those with the most ``spare`` are shortened first, of equals those that stand lower. A part with one
    form stays as it is.
    """

    forms: tuple[tuple[Block, ...], ...]
    spare: int = 0


def part(*blocks: Block) -> FramePart:
    """A part that stays as it is."""
    return FramePart((blocks,))


def spared(spare: int, *forms: Sequence[Block]) -> FramePart:
    """A part that may be shortened to each of its forms in turn."""
    return FramePart(tuple(tuple(one) for one in forms), spare)


def framed(
    parts: Sequence[FramePart], accent: int | None, *, tallest: int | None = None, picture_height: int = 210
) -> Layout:
    """A layout of these parts, shortened as far as is needed.

    ``tallest`` bounds its height on a phone where that can be kept by shortening; Discord's limits are kept in any
    case, at the worst by cutting the longest words. ``picture_height`` is how high its pictures are shown.
    """
    taken = [0] * len(parts)

    def laid() -> Layout:
        blocks = [block for one, form in zip(parts, taken, strict=True) for block in one.forms[form]]
        return Layout(_ruled(blocks), accent)

    def shorten() -> bool:
        left = [(one.spare, at) for at, one in enumerate(parts) if taken[at] + 1 < len(one.forms)]
        if left:
            taken[max(left)[1]] += 1
        return bool(left)

    made = laid()
    while not fits(made) and shorten():
        made = laid()
    while tallest is not None and height(made, picture_height) > tallest and shorten():
        made = laid()
    return made if fits(made) else _cut_down(made)


def _ruled(blocks: Iterable[Block]) -> tuple[Block, ...]:
    """Blocks without lines at the beginning, at the end, or beside each other."""
    kept: list[Block] = []
    for block in blocks:
        if block["type"] != "rule" or (kept and kept[-1]["type"] != "rule"):
            kept.append(block)
    return tuple(kept[:-1] if kept and kept[-1]["type"] == "rule" else kept)


def _cut_down(layout: Layout) -> Layout:
    """The same with menus and its longest words cut, and what is beyond Discord's number left out, the last first."""
    blocks = [*layout.blocks]
    while components_of(Layout(tuple(blocks))) > MOST_COMPONENTS:
        spare = [at for at, one in enumerate(blocks) if one["type"] in {"rule", "text", "section"}]
        blocks.pop(spare[-1] if spare else -1)
    for most in (100, 60, 30):
        if fits(Layout(tuple(blocks))):
            break
        blocks = [_smaller_menu(block, most) for block in blocks]
    while not fits(made := Layout(tuple(blocks), layout.accent)):
        sizes = [len(block["text"]) if block["type"] in {"text", "section"} else 0 for block in blocks]  # type: ignore[typeddict-item]
        longest = sizes.index(max(sizes))
        block = blocks[longest]
        if (block["type"] != "text" and block["type"] != "section") or sizes[longest] < 8:
            return made
        blocks[longest] = {**block, "text": cut(block["text"], sizes[longest] * 4 // 5)}  # type: ignore[misc]
    return made


def _smaller_menu(block: Block, most: int) -> Block:
    """A menu whose entries have no second line, and no more letters than that."""
    if block["type"] != "row":
        return block
    return {"type": "row", "row": tuple(_smaller(one, most) for one in block["row"])}


def _smaller(one: Component, most: int) -> Component:
    if one["type"] != "select":
        return one
    return {**one, "options": [{**two, "label": cut(two["label"], most), "description": ""} for two in one["options"]]}
