"""Texts of titled sections that are fitted to a length, so that none of them pushes the others out."""

from typing import NamedTuple


class Section(NamedTuple):
    """A part of a text: its title and its items."""

    title: str
    items: tuple[str, ...]


def fitted(opening: str, sections: list[Section], limit: int) -> str:
    """As many items as fit, taken from the sections in turn, so that no section pushes the others out."""
    taken = [0] * len(sections)
    open_ones = list(range(len(sections)))
    while open_ones:
        for place in list(open_ones):
            taken[place] += 1
            if taken[place] > len(sections[place].items) or len(_joined(opening, sections, taken)) > limit:
                taken[place] -= 1
                open_ones.remove(place)
    text = _joined(opening, sections, taken)
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _joined(opening: str, sections: list[Section], taken: list[int]) -> str:
    parts = [opening]
    for section, count in zip(sections, taken, strict=True):
        left = len(section.items) - count
        if not count:
            parts.append(f"{section.title}: {left} not listed.")
            continue
        more = f"; and {left} more" if left else ""
        parts.append(f"{section.title}: {'; '.join(section.items[:count]).rstrip('.')}{more}.")
    return " ".join(parts)
