"""Heaps: several counters of one owner in one hex, drawn as one that says how many they are.

Counters of different owners are never one heap, so that nobody in a hex hides behind the count of another.
"""

import re
from collections.abc import Callable, Hashable, Iterable
from itertools import groupby

from map_render.drawing import text
from map_render.drawing.theme import Theme
from map_render.map.layout import Layout
from map_render.map.scene import Scene, is_plate, party_of
from map_render.map.spots import MOST_IN_A_HEX, MOST_PLATES
from rules_engine.core.knowledge.views import Counter

SMALL_HEX = 80
"""Pixels from a hex's centre to its corner below which several plates in it cannot be read on a phone."""

MOST_LOOSE = 2
"""The most plates that are drawn singly in a small hex; where there are other counters too, only one is."""

_NUMBERED = re.compile(r"(.*?)(\d+)")


class Heap(Counter):
    """Counters of one owner in one hex as one. It looks as the most important of them.

    ``label`` is, on a plate, the base's name if a base is among them, on other shapes the labels of all; ``count`` is
    what stands on it: "x6" are six counters, "x6+2" six and two that are no longer held, "+6" a base and six others.
    ``sub`` lists the labels. ``oldest`` is the greatest age of those that ``age`` is the least of.
    """

    count: str
    oldest: int
    members: tuple[Counter, ...]


def members_of(piece: Counter) -> tuple[Counter, ...]:
    """The counters that one stands for: those of a heap, or itself."""
    return piece.members if isinstance(piece, Heap) else (piece,)


def signs_of(piece: Counter, theme: Theme, *, hidden: bool) -> list[str]:
    """The glyphs of what a counter stands for besides what its body shows, those first that stay where they are.
    ``hidden`` says that the body shows no glyph, but a count or its owner's letters."""
    shown = set[str]() if hidden else {theme.form_look(piece.form).glyph}
    there = {theme.form_look(one.form).glyph for one in members_of(piece)} - shown
    return [glyph for glyph in ("base", "mines", "convoy", "ship", "dot") if glyph in there]


def drawn_of(pieces: list[Counter], scene: Scene, layout: Layout, theme: Theme) -> list[Counter]:
    """The counters of one hex as they are drawn: all singly, or those of a side as heaps until there is room for all.

    ``pieces`` are those that stand there, the most important first. Each side keeps at least one of its own.
    """
    groups = [[piece] for piece in pieces]
    plates = [piece for piece in pieces if is_plate(scene, theme, piece)]
    mixed = len(plates) < len(pieces)
    if layout.size < SMALL_HEX and len(plates) > (1 if mixed else MOST_LOOSE):
        groups = _joined(groups, [group for group in groups if is_plate(scene, theme, group[0])])
    limit = MOST_IN_A_HEX if mixed else MOST_PLATES
    while len(groups) > limit:
        several = _several(groups, scene, theme)
        if not several:
            break  # one of each side, and all of them are drawn
        groups = _joined(groups, several)
    return [group[0] if len(group) == 1 else _heap(group, scene, theme) for group in groups]


Groups = list[list[Counter]]


def _joined(groups: Groups, several: Groups) -> Groups:
    """The groups with some of them as one, which takes the place of the first of these."""
    parts = {id(group) for group in several}
    one = [piece for group in several for piece in group]
    return [one if group is several[0] else group for group in groups if group is several[0] or id(group) not in parts]


def _several(groups: Groups, scene: Scene, theme: Theme) -> Groups:
    """The groups that become one next: the most counters of one kind; where no kind has several, those of one side, our
    own before others."""

    def kind(group: list[Counter]) -> Hashable:
        return party_of(theme, group[0]), theme.word(group[0].form), group[0].live

    def side(group: list[Counter]) -> Hashable:
        return party_of(theme, group[0])

    def count(found: Groups) -> int:
        return sum(map(len, found))

    def plates_first(found: Groups) -> tuple[bool, int]:
        return is_plate(scene, theme, found[0][0]), count(found)

    nothing: Groups = []
    found = max(_alike(groups, kind), key=count, default=nothing)
    return found or max(_alike(groups, side), key=plates_first, default=nothing)


def _alike(groups: Groups, key: Callable[[list[Counter]], Hashable]) -> list[Groups]:
    """The groups that have a key in common, where several do."""
    found: dict[Hashable, Groups] = {}
    for group in groups:
        found.setdefault(key(group), []).append(group)
    return [alike for alike in found.values() if len(alike) > 1]


def _heap(members: list[Counter], scene: Scene, theme: Theme) -> Heap:
    held = [one for one in members if one.live]
    seen = held or members
    names = ", ".join(ranges(text.plain(one.label[:20], "?") for one in members))
    base = next((one for one in seen if theme.form_look(one.form).glyph == "base"), None)
    if is_plate(scene, theme, members[0]) and base and len(seen) == len(members):
        rest = [one for one in members if one is not base]
        face, label, count = base, base.label, f"+{len(rest)}"
        names = ", ".join(ranges(text.plain(one.label[:20], "?") for one in rest))
    else:
        face = next((one for one in seen if theme.word(one.form) == "force"), seen[0])
        count = f"x{len(seen)}" + (f"+{len(members) - len(seen)}" if len(seen) < len(members) else "")
        label = count if is_plate(scene, theme, face) else names
    ages = [one.age for one in seen]
    looks = face.model_dump(exclude={"id", "label", "sub", "changed", "age", "details", "count", "oldest", "members"})
    return Heap(
        **looks,
        id=f"heap {face.id}",
        label=label,
        sub=names if is_plate(scene, theme, face) else "",
        changed=any(one.changed for one in members),
        age=min(ages),
        oldest=max(ages),
        count=count,
        members=tuple(members),
    )


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
