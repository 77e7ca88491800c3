"""Which letters maps and cards have: names that somebody gives are refused where others would be left out in silence.

The fonts of ``map_render`` have Latin letters with their accents and common signs; a test holds them to this.
"""

import unicodedata

from rules_engine.core.basics.refusals import Refusal, malformed

SPELT = {"‑": "-", "‐": "-", "‒": "–", "→": ">", "←": "<", "‛": "'", "⁄": "/"}
"""How characters are drawn that the fonts do not have."""
DRAWN = frozenset(map(chr, (*range(0x20, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x180)))) | frozenset(
    "–—‘’‚“”„†•…′″‹›€™−≈≠≤≥"
)
"""Characters that the fonts have."""
MOST_TOLD = 12
"""Letters of one text that are told."""
LEGAL = "Latin letters, with any accents"


def lacking(text: str) -> str:
    """The letters of ``text`` that the fonts cannot draw, not even spelt otherwise, each once; "" if there are none."""
    if text.isascii():
        return ""
    left_out = [
        char
        for char in unicodedata.normalize("NFC", text)
        if char.isalnum() and not any(one in DRAWN for one in SPELT.get(char) or unicodedata.normalize("NFKD", char))
    ]
    return "".join(dict.fromkeys(left_out))


def why_not_drawn(text: str) -> str:
    """Why no map could show a name, with the letters that it has not; empty where maps show it."""
    letters = lacking(text)
    return f"maps have no letters for {' '.join(letters[:MOST_TOLD])}" if letters else ""


def not_drawn(text: str, path: str) -> list[Refusal]:
    """The refusal of a name that no map could show; none where maps show it."""
    problem = why_not_drawn(text)
    return [malformed(problem, path, legal=LEGAL)] if problem else []
