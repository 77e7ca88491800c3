"""The signs of a crop: how its counters look, and the arrows of its signposts. All lengths are in pixels."""

from map_render.crop.stands import CropSign, PlaceSign
from map_render.drawing import text
from map_render.drawing.contacts import ContactLook
from map_render.drawing.planets import planet
from map_render.drawing.plates import PlateLook
from map_render.drawing.shapes import GLYPHS
from map_render.drawing.sprites import Sprite, icon
from map_render.drawing.theme import Theme

NEWS = "news"
"""The ink of what is new."""


def plate_look(sign: CropSign, high: int, theme: Theme) -> PlateLook:
    """How a plate of that height looks: code, ships, what is left, whether in port."""
    piece = sign.piece
    glyph = theme.form_look(piece.form).glyph
    return PlateLook(
        sign.code,
        "" if piece.ships is None else str(piece.ships),
        sign.look.ink,
        high,
        None if sign.is_whole else piece.whole,
        piece.docked,
        hollow=sign.is_dim,
        glyph=glyph if glyph in GLYPHS else "",
        fade=sign.fade,
    )


def contact_look(sign: CropSign, across: int, theme: Theme) -> ContactLook:
    """How somebody else's counter looks in a square of that width: his letter as soon as he is known, "?" before."""
    piece = sign.piece
    glyph = theme.form_look(piece.form).glyph
    writing = sign.look.emblem
    if glyph == "initial":
        writing = text.plain(piece.form, "?")[:1].upper()
    if glyph in GLYPHS and not sign.look.is_lettered:
        writing = ""
    elif piece.grade == 0 and not sign.look.is_lettered:
        writing, glyph = "?", "none"
    r = round(across / 2 / (1.34 if piece.changed else 1.12))
    shown = glyph if glyph in GLYPHS else ""
    return ContactLook(
        sign.look.shape, sign.look.ink, r, writing, piece.grade, sign.is_dim, piece.changed, shown, sign.fade
    )


def place_sprite(place: PlaceSign, r: int) -> Sprite:
    """The sign of a place, anchored at its middle: a base or a settlement in its owner's ink, a planet as a disc with
    his letter; ``r`` is half its height."""
    ink = place.look.ink if place.look else "world"
    if place.planet and place.icon != "base":
        return planet(place.planet, ink, place.look.emblem if place.look else "", round(0.8 * r))
    return icon(place.icon, ink, r)
