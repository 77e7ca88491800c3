"""What stands in each hex of a crop: every force by itself, ours apart from others'; only old sightings are joined."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.scene import OwnerLook, Scene, fade_of, is_battle
from map_render.drawing.shapes import GLYPHS
from map_render.drawing.theme import Icon, Theme
from rules_engine.core.basics.base import HexId
from rules_engine.core.basics.counted import counted
from rules_engine.core.knowledge.views import Counter

OLD = 3
"""A contact that was seen more turns ago than this is joined with others that are as old."""

NEAR = 2
"""How many hexes apart such contacts may be."""

LONGEST_CODE = 6
"""The most letters of a code."""

LONGEST_NAME = 10
"""The most letters of a place's name where room is short."""

_NUMBERED = re.compile(r"(.*?)(\d+)")


class CropSign(NamedTuple):
    """Something to draw in a hex: a counter, or several of one owner as one. ``code`` names it, ``note`` says the rest;
    ``pieces`` are what it stands for."""

    piece: Counter
    look: OwnerLook
    code: str
    note: str = ""
    pieces: tuple[Counter, ...] = ()

    @property
    def is_plate(self) -> bool:
        """Whether it is drawn as a plate that carries its code."""
        return self.look.shape == "plate"

    @property
    def is_dim(self) -> bool:
        """Whether it is not known to be there now."""
        return not self.piece.live or self.piece.age > 0

    @property
    def fade(self) -> int:
        """The strength of its ink."""
        return fade_of(self.piece)

    @property
    def is_whole(self) -> bool:
        """Whether nothing is known to be damaged."""
        return self.piece.whole is None or self.piece.whole >= 100  # percent


@dataclass
class HexStand:
    """All that stands in one hex: our plates, others' shapes, whether there is a battle to be fought."""

    hex: HexId
    plates: list[CropSign] = field(default_factory=list[CropSign])
    shapes: list[CropSign] = field(default_factory=list[CropSign])
    battle: bool = False

    @property
    def is_contested(self) -> bool:
        """Whether several owners stand there now."""
        present = {one.look.key for one in (*self.plates, *self.shapes) if one.piece.live and one.piece.age == 0}
        return self.battle or len(present) > 1


class PlaceSign(NamedTuple):
    """A settled hex, a planet or a base: ground, not a counter. ``look`` is its owner's (None: nobody known),
    ``planet`` its size in words of the theme (``capital``, ``major``, ``minor``; empty if it is none)."""

    hex: HexId
    name: str
    icon: Icon
    look: OwnerLook | None
    figure: str = ""
    planet: str = ""

    @property
    def is_great(self) -> bool:
        """Whether it is more than a settled hex: its name matters on a small map."""
        return self.icon == "base" or self.planet in ("capital", "major")


def places_of(scene: Scene, theme: Theme) -> dict[HexId, PlaceSign]:
    """Every place of the board by its hex: what is marked, and bases that are known."""
    found: dict[HexId, PlaceSign] = {}
    for note in scene.board.hexes:
        if note.marks and note.hex in scene.board.grid:
            look = scene.look_of(note.owner) if note.owner else None
            name = text.plain(note.name)
            icon, planet = theme.mark_look(note.marks[0]).icon, planet_of(theme, note.marks)
            found[note.hex] = PlaceSign(note.hex, name, icon, look, text.plain(note.figure), planet)
    for piece in scene.board.counters:
        if is_base(theme, piece) and piece.hex in scene.board.grid:
            known = found.get(piece.hex)
            look = scene.look_of(piece.owner)
            if known is None:
                found[piece.hex] = PlaceSign(piece.hex, text.plain(piece.label), "base", look)
            else:
                found[piece.hex] = known._replace(look=known.look or look, name=known.name or text.plain(piece.label))
    return found


def outlined(places: dict[HexId, PlaceSign]) -> dict[HexId, str]:
    """The owners of the places that are an outlined hex: settled hexes and bases. Planets are discs."""
    return {
        name: place.look.key
        for name, place in places.items()
        if place.look and (place.icon == "base" or not place.planet)
    }


def planet_of(theme: Theme, marks: tuple[str, ...]) -> str:
    """The size of a planet by the marks of its hex; of unknown size they are major. Empty if there is none."""
    words = [theme.word(mark) for mark in marks]
    size = next((one for one in ("capital", "major", "minor") if one in words), "")
    return size or ("major" if "planet" in words else "")


def is_base(theme: Theme, piece: Counter) -> bool:
    """Whether a counter is a base, which is drawn as a place."""
    return theme.form_look(piece.form).glyph == "base"


def stands_of(scene: Scene, theme: Theme) -> dict[HexId, HexStand]:
    """What stands in each hex of the map, bases left out: they are places."""
    grid = scene.board.grid
    stands: dict[HexId, HexStand] = {}
    for sign in _joined(scene, _signs(scene, theme)):
        stand = stands.setdefault(sign.piece.hex, HexStand(sign.piece.hex))
        (stand.plates if sign.is_plate else stand.shapes).append(sign)
    for piece in scene.board.counters:
        if is_battle(theme, piece) and piece.hex in grid:
            stands.setdefault(piece.hex, HexStand(piece.hex)).battle = True
    for stand in stands.values():
        stand.plates.sort(key=lambda one: theme.form_look(one.piece.form).glyph != "none")
        stand.shapes.sort(key=lambda one: (one.is_dim, scene.seat_order(one.look.key), one.piece.age))
    return stands


def _signs(scene: Scene, theme: Theme) -> list[CropSign]:
    signs: list[CropSign] = []
    for piece in scene.board.counters:
        if piece.hex in scene.board.grid and not is_battle(theme, piece) and not is_base(theme, piece):
            look, note = scene.look_of(piece.owner), _note(scene, theme, piece)
            code = code_of(piece)
            code = code.removeprefix(f"{look.name} ") or code  # shape, colour and letter say whose it is
            short = short_code(code)
            signs.append(
                CropSign(piece, look, short, code if short != code and look.shape == "plate" else note, (piece,))
            )
    return signs


def short_code(name: str) -> str:
    """A code for what is called by a name: the first letters of its words and its number ("PC1"), or of a single word
    its beginning. What is short already is its own code."""
    if len(name) <= LONGEST_CODE:
        return name
    words = name.split()
    if len(words) == 1:
        return name[: LONGEST_CODE - 2]
    initials = "".join(word if word.isdigit() else word[0].upper() for word in words)
    return initials[:LONGEST_CODE]


def code_of(piece: Counter) -> str:
    """What a counter is called on pictures."""
    return text.plain(piece.label[:80], text.plain(piece.id[:80], "?"))


def _note(scene: Scene, theme: Theme, piece: Counter) -> str:
    """The small words beside a counter: of ours its posture, of others what is known, or how long ago."""
    if scene.look_of(piece.owner).shape == "plate":
        first = text.plain(piece.sub[:80]).split(", ")[0]
        return "" if first.split(" ")[0].isdigit() and piece.ships is not None else first  # the plate has the number
    glyph = theme.form_look(piece.form).glyph
    if piece.age > 0 or not piece.live:
        return f"{piece.age} t ago" if piece.age > 0 else "lost"
    if piece.grade == 0 and glyph == "none":
        return "unknown"
    ships = "" if piece.ships is None else counted(piece.ships, "ship")
    kind = theme.form_look(piece.form).label if glyph in GLYPHS else text.plain(piece.level_name)
    return " · ".join(part for part in (kind, ships) if part)


def _joined(scene: Scene, signs: list[CropSign]) -> list[CropSign]:
    """The signs with the old sightings of one owner that lie near each other as one each, where the first is."""
    grid = scene.board.grid
    out: list[CropSign] = []
    heaps: list[list[CropSign]] = []
    for sign in signs:
        if sign.is_plate or sign.piece.age <= OLD:
            out.append(sign)
            continue
        for heap in heaps:
            first = heap[0]
            if first.look == sign.look and grid.distance(first.piece.hex, sign.piece.hex) <= NEAR:
                heap.append(sign)
                break
        else:
            heaps.append([sign])
    return [*out, *(heap[0] if len(heap) == 1 else heaped(heap) for heap in heaps)]


def heaped(signs: list[CropSign]) -> CropSign:
    """Several signs of one owner as one, which says how many they are and how old."""
    pieces = tuple(piece for one in signs for piece in one.pieces)
    ages = [one.age for one in pieces]
    note = "" if not max(ages) else f"{min(ages)}–{max(ages)} t ago" if min(ages) < max(ages) else f"{ages[0]} t ago"
    lead = min(pieces, key=lambda one: one.age).model_copy(update={"whole": None, "docked": False})
    return CropSign(lead, signs[0].look, f"×{len(pieces)}", note, pieces)


def codes(signs: Iterable[CropSign]) -> list[str]:
    """The codes of all counters that some signs stand for, in their order."""
    return [code_of(piece) for sign in signs for piece in sign.pieces]


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
