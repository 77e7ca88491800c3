"""A briefing as a card: what a commander reads before the first order, on one screen, and all of it in words."""

import re
from collections.abc import Sequence

from bot.cards.cards import MOST_CONTENT
from bot.cards.frames import (
    MOST_HEIGHT,
    FramePart,
    accent_of,
    beside,
    fixed,
    framed,
    heading,
    picture,
    rows,
    rule,
    small,
    spared,
    text,
)
from bot.cards.menus import cut
from bot.cards.sheets import campaign_component
from bot.records.components import ButtonSpec, ButtonStyle, Card
from bot.records.files import CardMapFile
from rules_engine.core.knowledge.briefing import Briefing

MOST_LINE = 300
"""Characters of one line: a list of forces or letters that is longer is cut."""
MOST_SHOWN = 110
"""Characters of a line on the card, where three of them have a button each."""
LEAST_CLAUSE = 20
"""Letters of the part of a sentence that says something by itself."""
MAP = "map.png"
MAP_HEIGHT = 245
AGAIN = "-# `/brief` shows this again at any time, with the map."


def briefing_card(briefing: Briefing, *, campaign_id: str, campaign: str, side: str, name: str, place: int) -> Card:
    """A briefing on one screen, with the map as its reader's side sees it, and buttons to the rest.

    ``side`` is the key and ``name`` the name of the side, which has that ``place`` among the seats.
    """
    orders = _button(_again("next", campaign_id), "Open my orders", "primary")
    forces = _button(_again("forces", campaign_id), "Show")
    rules = _button(campaign_component(campaign_id, "brief", "rules"), "Rules")
    whole = _button(campaign_component(campaign_id, "brief", "whole"), "Everything")
    aim = f"**{campaign}:** {briefing.objective}"
    parts = [
        fixed(heading(f"You command {name}")),
        spared(1, [text(aim)], [text(cut(aim, 160))]),
        fixed(picture(MAP, "")),
        fixed(rule()),
        _row("How one wins", briefing.victory[:1], rules),
        _row("Your forces", briefing.forces, forces),
        fixed(rule()),
        *_to_know(briefing.to_know),
        fixed(*rows(orders, whole)),
        *_foot(briefing),
    ]
    layout = framed(
        [one for one in parts if any(one.forms)], accent_of(place), tallest=MOST_HEIGHT, picture_height=MAP_HEIGHT
    )
    said = f"**{campaign}: you command {name}**\n{briefing.objective}"
    return Card(said[:MOST_CONTENT], ((orders, whole),), layout, (CardMapFile(side=side),))


def _row(title: str, lines: Sequence[str], button: ButtonSpec) -> FramePart:
    """What several lines say, as many as stand beside a button."""
    if not any(lines):
        return FramePart(((),))
    return spared(2, *([beside(title, _as_many(lines, "; ", most), button)] for most in (MOST_SHOWN, 80)))


def _as_many(said: Sequence[str], between: str, most: int) -> str:
    """As many of these as find room, and how many more there are; of the first, as much as finds room."""
    told = [one for one in said if one]
    for count in range(len(told), 0, -1):
        rest = [f"{len(told) - count} more"] if count < len(told) else []
        if len(shown := between.join([*told[:count], *rest])) <= most:
            return shown
    return _beginning(told[0], most) if told else ""


def _to_know(said: Sequence[str]) -> list[FramePart]:
    """The things to know, numbered; of those that are long, what they begin with: they stand whole behind a button."""
    if not said:
        return []
    forms = [
        [text("\n".join(f"**{number}** {_beginning(line, most)}" for number, line in enumerate(said, 1)))]
        for most in (200, 75)
    ]
    return [spared(3, *forms)]


def _beginning(sentence: str, most: int) -> str:
    """A sentence that is not longer than that, else its first part."""
    if len(sentence) <= most:
        return sentence
    ends = [at.start() for at in re.finditer(r"[,;:.] ", sentence) if LEAST_CLAUSE <= at.start() < most]
    return f"{sentence[: ends[-1]]}." if ends else cut(sentence, most)


def _foot(briefing: Briefing) -> list[FramePart]:
    """How long it goes, and the letters that are most often met."""
    letters = [f"{short}: {word}" for short, word in briefing.terms]
    length = f"It goes on for {briefing.length}." if briefing.length else ""
    if not (length or letters):
        return []
    return [spared(4, *([small(filter(None, (length, _as_many(letters, ", ", most))))] for most in (170, 90, 50)))]


def _again(command: str, campaign_id: str) -> str:
    """The id of a button that gives a command for this campaign; ``bot.interactions.again`` carries it out."""
    return f'w|{command}|{{"campaign":"{campaign_id}"}}|'


def _button(made_id: str, label: str, style: ButtonStyle = "secondary") -> ButtonSpec:
    return {"type": "button", "id": made_id, "label": label, "style": style, "disabled": False}


# --- in words ---------------------------------------------------------------------------------------------------------


def rules_text(briefing: Briefing) -> str:
    """How one wins, how long it goes, and what to know, in words."""
    told = briefing.model_copy(update={"objective": "", "forces": (), "terms": ()})
    return "\n".join(_sections(told))[:MOST_CONTENT]


def briefing_text(briefing: Briefing, *, campaign: str, side: str) -> str:
    """All of a briefing in one message; what finds no room is left out from below, the abbreviations first."""
    head = [f"**{campaign}: you command {side}**", briefing.objective]
    blocks = ["\n".join(filter(None, head)), *_sections(briefing)]
    while len("\n".join([*blocks, AGAIN])) > MOST_CONTENT and len(blocks) > 1:
        blocks.pop()
    return "\n".join([*blocks, AGAIN])[:MOST_CONTENT]


def _sections(briefing: Briefing) -> list[str]:
    sections = [
        ("Victory", list(briefing.victory)),
        ("Length", [briefing.length]),
        ("Your forces", list(briefing.forces)),
        ("To know", [f"{number}. {said}" for number, said in enumerate(briefing.to_know, 1)]),
        ("Letters", [", ".join(f"{letters}: {word}" for letters, word in briefing.terms)]),
    ]
    return [_block(title, lines) for title, lines in sections if any(lines)]


def _block(title: str, lines: list[str]) -> str:
    """One line where there is one thing to say, else the title and a line for each."""
    told = [cut(line, MOST_LINE) for line in lines if line]
    if len(told) == 1:
        return f"**{title}:** {told[0]}"
    return "\n".join([f"**{title}:**", *(line if line[:2] in _NUMBERED else f"• {line}" for line in told)])


_NUMBERED = {"1.", "2.", "3."}
