"""A crop in words, for readers who do not see it."""

from map_render.beyond_words import beyond
from map_render.crop.picture import CropSubject, subtitle_of
from map_render.crop.stands import CropSign, HexStand
from map_render.drawing.image import ALT_LIMIT
from map_render.glance_words import words_of
from map_render.sections import Section, fitted
from rules_engine.core.basics.counted import counted

_NEAR = 2


def crop_words(subject: CropSubject) -> str:
    """At most 1,024 characters: what happened and what one may do, who is there, who is within two hexes, what
    lies beyond."""
    stands, focus, grid = subject.stands, subject.focus, subject.scene.board.grid
    number = f"Place {subject.number}, " if subject.number else "Part of the map, "
    opening = f"{number}{words_of(subject.title)}: {words_of(subtitle_of(subject.scene))}."
    for fact in subject.facts:
        opening += f" {words_of(fact).rstrip('.')}."
    near = sorted(
        (name for name in stands if name not in focus and min(grid.distance(name, one) for one in focus) <= _NEAR),
        key=lambda name: (min(grid.distance(name, one) for one in focus), name),
    )
    sections = [
        Section("There", tuple(line for name in focus if name in stands for line in _lines(stands[name]))),
        Section("Near by", tuple(line for name in near for line in _lines(stands[name]))),
        Section("Beyond", beyond(subject.scene, {*focus, *near}, focus)),
    ]
    return fitted(opening, [one for one in sections if one.items], ALT_LIMIT)


def _lines(stand: HexStand) -> list[str]:
    lines = [f"{stand.hex} a battle"] if stand.battle else []
    return lines + [f"{stand.hex} {_said(one)}" for one in (*stand.plates, *stand.shapes)]


def _said(sign: CropSign) -> str:
    piece = sign.piece
    ships = "" if piece.ships is None or not sign.is_plate else counted(piece.ships, "ship")
    left = "" if sign.is_whole else f"{piece.whole}% left"
    whose = "" if sign.is_plate else words_of(sign.look.name)
    parts = [part for part in (whose, ships, left, words_of(sign.note)) if part]
    return f"{words_of(sign.code)} ({', '.join(parts)})" if parts else words_of(sign.code)
