"""The canvas: the picture that a map's counters and courses are drawn on, and which counters share a hex."""

from dataclasses import dataclass

from PIL import Image

from map_render.drawing import text
from map_render.drawing.sprites import Sprite, stamp
from map_render.drawing.theme import Theme
from map_render.map.heaps import drawn_of, members_of
from map_render.map.layout import Layout
from map_render.map.scene import Scene, is_battle, is_plate
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.views import Counter, HexNote

Stacks = dict[HexId, list[Counter]]
"""What is drawn in each hex. Every counter is drawn by itself or in a heap."""


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
        return is_battle(self.theme, piece)

    def place_words(self, note: HexNote) -> tuple[str, tuple[str, ...]]:
        """(name, marks) of a hex without those that its counters show."""
        return place_words(self.theme, self.stacks.get(note.hex, []), note)


def place_words(theme: Theme, pieces: list[Counter], note: HexNote) -> tuple[str, tuple[str, ...]]:
    """(name, marks) of a hex without what a base drawn there shows already: the base's mark and its name."""
    drawn = [one for piece in pieces for one in members_of(piece)]
    bases = [piece for piece in drawn if theme.form_look(piece.form).glyph == "base"]
    said = {text.plain(piece.label).lower() for piece in bases}
    names = [part.strip() for part in note.name.split(" / ")]
    left = [name for name in names if text.plain(name).lower() not in said]
    if len(left) == len(names):
        return note.name, note.marks
    return " / ".join(left), tuple(mark for mark in note.marks if theme.mark_look(mark).icon != "base")


def stacks_of(scene: Scene, layout: Layout, theme: Theme) -> Stacks:
    """What is drawn in each hex shown, the most important first: ours and others in turn, changed before unchanged, and
    outsiders behind all sides."""
    there: Stacks = {}
    for piece in scene.board.counters:
        if piece.hex in layout.centres:
            there.setdefault(piece.hex, []).append(piece)
    return {name: drawn_of(_ranked(scene, pieces), scene, layout, theme) for name, pieces in there.items()}


def _ranked(scene: Scene, pieces: list[Counter]) -> list[Counter]:
    if len(pieces) == 1:
        return pieces

    def importance(one: Counter) -> tuple[object, ...]:
        outside = one.owner in scene.outsider_looks
        return one.form != "battle", outside, not one.changed, not one.live, one.age, one.id

    seen: dict[bool, int] = {True: 0, False: 0}
    ranks: list[tuple[int, bool, Counter]] = []
    for piece in sorted(pieces, key=importance):
        own = scene.is_own(piece)
        ranks.append((seen[own], not own, piece))
        seen[own] += 1
    return [piece for _, _, piece in sorted(ranks, key=lambda rank: rank[:2])]
