"""What stands on a theatre: places are ground, what is known now stands by itself, and old sightings are gathered."""

from collections.abc import Iterable
from typing import NamedTuple

from map_render.drawing import text
from map_render.drawing.scene import OwnerLook, Scene
from map_render.drawing.theme import Icon, Theme
from rules_engine.core.basics.base import HexId, Owner
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.views import Counter, HexNote

OLD = 3
"""Turns after which sightings near each other are gathered under one sign."""
NEAR = 2
"""How many hexes apart such sightings may be."""
_PLANETS = ("capital", "major", "minor")


class Site(NamedTuple):
    """A base or settled place: ground, not a counter. ``rank`` orders names: 0 is the most important."""

    hex: HexId
    look: OwnerLook | None
    icon: Icon
    name: str
    figure: str
    rank: int
    planet: str = ""
    age: int = 0
    new: bool = False


class Stand(NamedTuple):
    """All that stands in one hex: our plates, for each other owner its contacts, and whether a battle is open."""

    hex: HexId
    ours: tuple[Counter, ...]
    others: tuple[tuple[Owner, tuple[Counter, ...]], ...]
    battle: bool = False

    @property
    def contested(self) -> bool:
        """Whether ours and others that are seen now are both there, or several others."""
        return len(self.others) + bool(self.ours) > 1

    @property
    def counters(self) -> tuple[Counter, ...]:
        """All of them."""
        return (*self.ours, *(one for _, group in self.others for one in group))


class Old(NamedTuple):
    """Sightings of one owner that are not of this turn, near each other."""

    hex: HexId
    owner: Owner
    members: tuple[Counter, ...]

    @property
    def ages(self) -> tuple[int, int]:
        """The least and the greatest age."""
        ages = [one.age for one in self.members]
        return min(ages), max(ages)


class Pieces(NamedTuple):
    """All pieces of a theatre."""

    places: tuple[Site, ...]
    stands: tuple[Stand, ...]
    old: tuple[Old, ...]


def pieces_of(scene: Scene, theme: Theme, within: Iterable[HexId]) -> Pieces:
    """What a scene shows in these hexes."""
    shown = set(within)
    there = [one for one in scene.board.counters if one.hex in shown]
    bases = [one for one in there if theme.form_look(one.form).glyph == "base" and one.grade != 0]
    battles = {one.hex for one in there if theme.form_look(one.form).glyph == "battle"}
    ground = {id(one) for one in bases}
    forces = [one for one in there if id(one) not in ground and theme.form_look(one.form).glyph != "battle"]
    now, past = list[Counter](), list[Counter]()
    for one in forces:
        (past if is_old(scene, one) else now).append(one)
    return Pieces(
        tuple(_places(scene, theme, bases, shown)),
        tuple(_stands(scene, now, battles)),
        tuple(_gathered(scene.board.grid, past)),
    )


def is_plate(scene: Scene, one: Counter) -> bool:
    """Whether a counter is drawn as a plate: it is the reader's own, or of the first side where nobody reads."""
    return scene.look_of(one.owner).shape == "plate"


def is_old(scene: Scene, one: Counter) -> bool:
    """Whether a counter is a sighting that is not of this turn."""
    return not is_plate(scene, one) and (one.age > 0 or not one.live)


def _stands(scene: Scene, now: list[Counter], battles: set[HexId]) -> Iterable[Stand]:
    by_hex: dict[HexId, list[Counter]] = {name: [] for name in battles}
    for one in now:
        by_hex.setdefault(one.hex, []).append(one)
    for name, here in sorted(by_hex.items()):
        ours = sorted((one for one in here if is_plate(scene, one)), key=lambda one: (-(one.ships or 0), one.id))
        groups: dict[Owner, list[Counter]] = {}
        for one in sorted(here, key=lambda one: (-(one.grade or 0), not one.changed, one.id)):
            if not is_plate(scene, one):
                groups.setdefault(one.owner, []).append(one)
        others = tuple((owner, tuple(groups[owner])) for owner in sorted(groups, key=scene.seat_order))
        yield Stand(name, tuple(ours), others, name in battles)


def _gathered(grid: Grid, past: list[Counter]) -> Iterable[Old]:
    """Sightings older than three turns within two hexes of each other are one; younger ones stand by themselves."""
    left = sorted(past, key=lambda one: (one.age, one.hex, one.id))
    while left:
        first = left.pop(0)
        members = [first]
        if first.age > OLD:
            near = [
                one
                for one in left
                if one.owner == first.owner and one.form == first.form and grid.distance(one.hex, first.hex) <= NEAR
            ]
            members += near
        else:
            near = [one for one in left if one.age <= OLD and (one.hex, one.owner) == (first.hex, first.owner)]
            members += near
        gone = {id(one) for one in near}
        left = [one for one in left if id(one) not in gone]
        yield Old(first.hex, first.owner, tuple(members))


def _places(scene: Scene, theme: Theme, bases: list[Counter], shown: set[HexId]) -> Iterable[Site]:
    notes = {note.hex: note for note in scene.board.hexes if note.hex in shown}
    at = {one.hex: one for one in bases}
    # Maps have hundreds of marks of a few kinds.
    words = {mark: theme.word(mark) for mark in {mark for note in notes.values() for mark in note.marks}}
    for name in sorted({*at, *(name for name, note in notes.items() if note.marks or note.name)}):
        yield _place(scene, theme, words, name, note=notes.get(name), base=at.get(name))


def _place(
    scene: Scene, theme: Theme, words: dict[str, str], name: HexId, *, note: HexNote | None, base: Counter | None
) -> Site:
    marks = [words[mark] for mark in note.marks] if note else []
    owner = base.owner if base else note.owner if note else ""
    look = scene.look_of(owner) if owner or base else None
    called = text.plain(note.name[:80]) if note and note.name else text.plain(base.label[:80]) if base else ""
    if base and note and note.owner not in ("", base.owner):
        called = f"{called} ({scene.look_of(note.owner).emblem})"  # the sign tells whose the base is
    figure = text.plain(note.figure[:12]) if note else ""
    planet = next((size for size in _PLANETS if size in marks), "")
    if "planet" in marks or planet:
        planet = planet or "major"
    icon: Icon = "base" if base else theme.mark_look(marks[0]).icon if marks else "square"
    rank = 0 if base or icon == "base" or planet in ("capital", "major") else 1 if marks else 2
    if planet and not base:
        icon = "planet"
    return Site(
        name, look, icon if marks or base else "square", called, figure, rank, planet if not base else "",
        base.age if base else 0, bool(base and base.changed),
    )  # fmt: skip
