"""Which dice the book asks for, by what is rolled for; whoever loads or watches dice checks them by this."""

from typing import NamedTuple


class Asked(NamedTuple):
    """A die of the book: its faces, and the lowest number on it."""

    faces: int
    low: int = 1


D6, D10, D100, TENS = Asked(6), Asked(10), Asked(100), Asked(10, 0)

BOOK: dict[str, Asked] = {
    "initiative": D6,  # 4.1.1
    "local conditions": D100,  # 6.3.3
    "main roll": D100,  # 6.3.4
    "cloak roll": D100,  # 6.3.4.9
    "flag roll": D100,  # 6.3.4.10
    "ID roll": D100,  # 6.3.4.11
    "lock-on roll": D6,  # the tactical game's, 6.3.4.9
    "surprise": D10,  # T7
    "number of mine attacks": D10,  # 12.7.3
    "attack rolls": D10,  # 12.7.5
    "shields hit": D10,  # 12.7.6
    "special condition": D100,  # 1.5.1
    "random event": TENS,  # 1.5.2
    "raid table": D100,  # C.raid.table
    "category": D100,  # C.raid.convoy-and-base
    "type": D100,  # C.raid.convoy-and-base
}
"""By a word of what is rolled for."""
LOT = Asked(10**9)
"""So many faces that ties hardly ever happen; recorded lots fall again only with as many."""
LOTS = ("ships attacked", "minesweeper for attack", "straggler", "hex unless its owner chooses")
"""What is drawn by lot among however many there are."""


def wrong_die(purpose: str, faces: int, low: int) -> str:
    """Why the book asks for other dice; empty if it does not."""
    if purpose == "lot":
        return "" if (faces, low) == LOT else f"a lot has {faces} faces from {low}"
    if any(word in purpose for word in LOTS):
        return ""
    die = next((one for word, one in BOOK.items() if word in purpose), None)
    if die is None:
        return f"the book knows no roll for {purpose}"
    return "" if die == (faces, low) else f"{purpose}: rolled with {faces} faces from {low}, where the book has {die}"
