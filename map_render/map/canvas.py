"""The canvas: the picture that a map's counters and courses are drawn on, and which counters share a hex."""

from dataclasses import dataclass

from PIL import Image

from map_render.drawing import text
from map_render.drawing.sprites import Sprite, stamp
from map_render.drawing.theme import Theme
from map_render.map.heaps import heaped
from map_render.map.layout import Layout
from map_render.map.scene import Scene
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.views import Counter, HexNote

MOST_IN_A_HEX = 3
MOST_PLATES = 4
"""Plates may overlap more than other shapes, so that one more of them can be shown."""

Stacks = dict[HexId, list[Counter]]


@dataclass(frozen=True)
class Canvas:
    """A picture, what is drawn on it, and how."""

    picture: Image.Image
    scene: Scene
    layout: Layout
    theme: Theme
    stacks: Stacks

    def stamp(self, sprite: Sprite, x: int, y: int) -> None:
        """Put a sprite on the picture."""
        stamp(self.picture, sprite, x, y)

    def is_plate(self, piece: Counter) -> bool:
        """Whether a counter is drawn as a plate that carries its label."""
        return is_plate(self.scene, self.theme, piece)

    def is_battle(self, piece: Counter) -> bool:
        """Whether a counter is a battle to be fought."""
        return _glyph(self.theme, piece) == "battle"

    def shown(self, name: HexId) -> list[Counter]:
        """The counters of a hex that are drawn; the others are only counted."""
        return shown_of(self.scene, self.theme, self.stacks.get(name, []))

    def place_words(self, note: HexNote) -> tuple[str, tuple[str, ...]]:
        """(name, marks) of a hex without those that its counters show."""
        return place_words(self.scene, self.theme, self.stacks.get(note.hex, []), note)


def _glyph(theme: Theme, piece: Counter) -> str:
    return theme.form_look(piece.form).glyph


def is_plate(scene: Scene, theme: Theme, piece: Counter) -> bool:
    """Whether a counter is drawn as a plate that carries its label."""
    return _glyph(theme, piece) != "battle" and scene.look_of(piece.owner).shape == "plate"


def shown_of(scene: Scene, theme: Theme, pieces: list[Counter]) -> list[Counter]:
    """The counters of one hex that are drawn, out of all that stand there."""
    plates = all(is_plate(scene, theme, piece) for piece in pieces)
    return pieces[: MOST_PLATES if plates else MOST_IN_A_HEX]


def place_words(scene: Scene, theme: Theme, pieces: list[Counter], note: HexNote) -> tuple[str, tuple[str, ...]]:
    """(name, marks) of a hex without what a base drawn there shows already: the base's mark and its name."""
    bases = [piece for piece in shown_of(scene, theme, pieces) if _glyph(theme, piece) == "base"]
    said = {text.plain(piece.label).lower() for piece in bases}
    names = [part.strip() for part in note.name.split(" / ")]
    left = [name for name in names if text.plain(name).lower() not in said]
    if len(left) == len(names):
        return note.name, note.marks
    return " / ".join(left), tuple(mark for mark in note.marks if theme.mark_look(mark).icon != "base")


def stacks_of(scene: Scene, layout: Layout, theme: Theme) -> Stacks:
    """The counters of each hex shown, the most important first: ours and others in turn, changed ones before unchanged.

    Own counters that crowd a small hex are one heap.
    """
    stacks: Stacks = {}
    for piece in scene.board.counters:
        if piece.hex in layout.centres:
            stacks.setdefault(piece.hex, []).append(piece)
    return {name: _heaped(scene, layout, theme, _ranked(scene, pieces)) for name, pieces in stacks.items()}


def _heaped(scene: Scene, layout: Layout, theme: Theme, pieces: list[Counter]) -> list[Counter]:
    """Ranked counters of a hex; if its plates must be a heap, it takes the place of the first of them."""
    plates = [piece for piece in pieces if is_plate(scene, theme, piece)]
    drawn = heaped(plates, layout, theme, among_others=len(plates) < len(pieces))
    if drawn is plates:
        return pieces
    first = pieces.index(plates[0])
    return [*pieces[:first], *drawn, *(piece for piece in pieces[first:] if piece not in plates)]


def _ranked(scene: Scene, pieces: list[Counter]) -> list[Counter]:
    if len(pieces) == 1:
        return pieces
    ordered = sorted(pieces, key=lambda one: (one.form != "battle", not one.changed, not one.live, one.age, one.id))
    seen: dict[bool, int] = {True: 0, False: 0}
    ranks: list[tuple[int, bool, Counter]] = []
    for piece in ordered:
        own = scene.is_own(piece)
        ranks.append((seen[own], not own, piece))
        seen[own] += 1
    return [piece for _, _, piece in sorted(ranks, key=lambda rank: rank[:2])]
