"""A briefing in words: what a commander reads before the first order, in one message."""

from bot.cards.cards import MOST_CONTENT
from bot.cards.menus import cut
from rules_engine.core.knowledge.briefing import Briefing

MOST_LINE = 300
"""Characters of one line: a list of forces or letters that is longer is cut."""
AGAIN = "-# `/brief` shows this again at any time, with the map."


def briefing_text(briefing: Briefing, *, campaign: str, side: str) -> str:
    """All of a briefing in one message; what finds no room is left out from below, the abbreviations first."""
    head = [f"**{campaign}: you command {side}**", briefing.objective]
    sections = [
        ("Victory", list(briefing.victory)),
        ("Length", [briefing.length]),
        ("Your forces", list(briefing.forces)),
        ("To know", [f"{number}. {said}" for number, said in enumerate(briefing.to_know, 1)]),
        ("Letters", [", ".join(f"{letters}: {word}" for letters, word in briefing.terms)]),
    ]
    blocks = ["\n".join(filter(None, head)), *(_block(title, lines) for title, lines in sections if any(lines))]
    while len("\n".join([*blocks, AGAIN])) > MOST_CONTENT and len(blocks) > 1:
        blocks.pop()
    return "\n".join([*blocks, AGAIN])[:MOST_CONTENT]


def _block(title: str, lines: list[str]) -> str:
    """One line where there is one thing to say, else the title and a line for each."""
    told = [cut(line, MOST_LINE) for line in lines if line]
    if len(told) == 1:
        return f"**{title}:** {told[0]}"
    return "\n".join([f"**{title}:**", *(line if line[:2] in _NUMBERED else f"• {line}" for line in told)])


_NUMBERED = {"1.", "2.", "3."}
