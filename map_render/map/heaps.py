"""Heaps: several own counters in one small hex, drawn as one plate that can be read."""

import re
from collections.abc import Iterable
from itertools import groupby

from map_render.drawing import text
from map_render.drawing.theme import Theme
from map_render.map.layout import Layout
from rules_engine.core.knowledge.views import Counter

SMALL_HEX = 80
"""Pixels from a hex's centre to its corner below which several plates in it cannot be read on a phone."""

MOST_LOOSE = 2
"""The most plates that are drawn singly in a small hex; where there are other counters too, only one is."""

_NUMBERED = re.compile(r"(.*?)(\d+)")


class Heap(Counter):
    """Own counters of one hex as one. ``label`` is the base's name if a base is among them, and ``count`` what stands
    on the plate: "+6" is a base and six others, "x5" five with no base. ``sub`` lists the labels."""

    count: str


def heaped(plates: list[Counter], layout: Layout, theme: Theme, *, among_others: bool) -> list[Counter]:
    """The own counters of a hex as they are drawn: singly, or as one heap. ``plates`` are in the order of drawing."""
    if layout.size >= SMALL_HEX or len(plates) <= (1 if among_others else MOST_LOOSE):
        return plates
    base = next((one for one in plates if theme.form_look(one.form).glyph == "base"), None)
    rest = [one for one in plates if one is not base]
    count = f"+{len(rest)}" if base else f"x{len(rest)}"
    first = base or rest[0]
    heap = Heap(
        id=f"heap {first.id}",
        hex=first.hex,
        owner=first.owner,
        form=first.form if base else "force",
        label=base.label if base else count,
        sub=", ".join(ranges(text.plain(one.label[:20], "?") for one in rest)),
        changed=any(one.changed for one in plates),
        count=count,
    )
    return [heap]


def ranges(labels: Iterable[str]) -> list[str]:
    """Labels in order of their letters and numbers, three and more consecutive ones as a range: A1, A3-A5, M4."""
    plain: list[str] = []
    numbered: set[tuple[str, int]] = set()
    for label in labels:
        found = _NUMBERED.fullmatch(label)
        if found and not (found[2].startswith("0") and found[2] != "0"):
            numbered.add((found[1], int(found[2])))
        else:
            plain.append(label)
    out: list[str] = []
    ordered = list(enumerate(sorted(numbered)))
    for _, run in groupby(ordered, key=lambda pair: (pair[1][0], pair[1][1] - pair[0])):
        names = [f"{letters}{number}" for _, (letters, number) in run]
        out += [f"{names[0]}-{names[-1]}"] if len(names) > 2 else names
    return [*out, *sorted(set(plain))]
