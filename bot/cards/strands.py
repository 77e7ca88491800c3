"""What a side reads of the strands in which it is asked: a name for each, made of nothing but their keys."""

from collections.abc import Iterable
from datetime import datetime


def strand_name(strand: str, asked_in: Iterable[str]) -> str:
    """What a side calls a strand (``0404 · combat``), to tell it from the others that it is ``asked_in``; empty while
    it is asked in no other, and for the trunk.

    That is the end of the strand's key, and as much more of it as another of them has, too.
    """
    others = [other.split("/") for other in asked_in if other != strand]
    if not others or not strand:
        return ""
    place = strand.split("/")
    least = next((count for count in range(2, len(place)) if place[-count:] not in [one[-count:] for one in others]), 0)
    return " · ".join(reversed(place[-least:]))


def strand_heading(name: str, closes: datetime | None) -> str:
    """The line that stands above what closes together: on each of its cards, and in lists."""
    clock = "" if closes is None else f" · closes <t:{int(closes.timestamp())}:R>"
    return f"__{name}__{clock}"
