"""What tests read from a picture: its pixels, its inks, the lines of its legend, the chunks of its file."""

from PIL import Image

from map_render import DEFAULT
from map_render.drawing.palette import INKS
from map_render.map.bands import legend_lines
from map_render.map.layout import make_layout
from map_render.map.scene import Scene, scene_of
from map_render.render import paint
from rules_engine.core.knowledge.views import SideView


def pixels(view: SideView) -> Image.Image:
    """The picture of all hexes as a part of the map is drawn, in palette numbers."""
    return part_of(scene_of(view))


def part_of(scene: Scene, crop: tuple[str, ...] | None = None) -> Image.Image:
    """The picture of a part of the map, or of all its hexes."""
    return paint(scene, DEFAULT, crop or scene.board.grid.hexes())


def ink_of(number: int) -> str:
    """The ink to which a palette number belongs."""
    return INKS[(number - 1) // 15] if 0 < number < 241 else ""


def inks_near(view: SideView, hex_id: str) -> dict[str, int]:
    """How many pixels of each ink, at half strength or more, lie around the middle of a hex."""
    layout = make_layout(view.board.grid, None, DEFAULT)
    x, y = layout.centres[hex_id]
    far = layout.px(0.6)
    found: dict[str, int] = {}
    for number in pixels(view).crop((x - far, y - far, x + far, y + far)).tobytes():
        if number and (number - 1) % 15 >= 7:
            found[ink_of(number)] = found.get(ink_of(number), 0) + 1
    return found


def chunks(png: bytes) -> list[bytes]:
    """The kinds of chunk in a PNG, in order."""
    kinds, at = [], 8
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        kinds.append(png[at + 4 : at + 8])
        at += 12 + length
    return kinds


def legend_of(view: SideView) -> list[tuple[str, str]]:
    """(kind, words) of each line of the legend."""
    scene = scene_of(view)
    lines = legend_lines(scene, make_layout(view.board.grid, None, DEFAULT), DEFAULT)
    return [(line.kind, line.words) for line in lines]
