"""A scene: the board of any kind of view, whose it is, and how each owner's counters look."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from map_render.drawing import text
from map_render.drawing.palette import FULL, side_ink
from map_render.drawing.shapes import FOE_SHAPES, CounterShape
from map_render.drawing.theme import Theme
from rules_engine.core.basics.base import HexId, Outsider, Owner, Side, SideLabel
from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.knowledge.views import Board, Counter, OmniscientView, PartiesView, PublicView, SideView

AnyView = SideView | PublicView | PartiesView | OmniscientView
Audience = Literal["side", "public", "everything"]


@dataclass(frozen=True)
class OwnerLook:
    """How one owner is drawn and called."""

    key: Owner
    shape: CounterShape
    ink: str
    emblem: str
    name: str

    @property
    def is_lettered(self) -> bool:
        """Whether its counters always carry its emblem: outsiders share shape and ink, and letters tell which."""
        return self.shape == "horned"


@dataclass(frozen=True)
class Scene:
    """A board, for whom it is, and the side that counts as "we" (empty if none does). Of a part of a map ``whole`` is
    the board that it is taken from, and ``shown`` are its hexes."""

    board: Board
    audience: Audience
    own: Side = ""
    whole: Board | None = None
    shown: tuple[HexId, ...] = ()

    @cached_property
    def tactical(self) -> TacticalScene | None:
        """The scene of a battle flown by vectors with the courses that are plotted on its board; None on other maps."""
        scene = self.board.tactical
        if scene is None:
            return None
        drawn = {course.plot.code: course.plot for course in self.board.courses if course.plot is not None}
        kept = (plot for plot in scene.plots if plot.code not in drawn)
        return scene.with_values(plots=(*kept, *drawn.values())) if drawn else scene

    @cached_property
    def afar(self) -> tuple[HexId, ...]:
        """Where our counters are: from there it is said how far things are that a part of a map does not show."""
        return tuple(dict.fromkeys(one.hex for one in self.board.counters if self.is_own(one)))

    @cached_property
    def numbered(self) -> tuple[tuple[int, News], ...]:
        """The numbered places with their numbers. Those in a part of a map keep the numbers that they have on all of
        it."""
        numbers = enumerate((self.whole or self.board).news, 1)
        return tuple((number, news) for number, news in numbers if news in self.board.news)

    @cached_property
    def owners(self) -> dict[str, Owner]:
        """The owner of every counter by its id, also of those beyond a part."""
        return {piece.id: piece.owner for piece in (self.whole or self.board).counters}

    @cached_property
    def side_looks(self) -> dict[Side, OwnerLook]:
        """Every side of the board, in its order: ours a plate, the others a shape and an ink each."""
        looks: dict[Side, OwnerLook] = {}
        others = 0
        for place, side in enumerate(self.board.sides):
            emblem, name = _lettered(side)
            if side.key == self.own or (not self.own and place == 0):
                looks[side.key] = OwnerLook(side.key, "plate", side_ink(place), emblem, name)
            elif text.plain(side.key).lower() in ("neutral", "neutrals"):
                looks[side.key] = OwnerLook(side.key, "disc", "neutral", emblem, name)
            else:
                turn = others % len(FOE_SHAPES)
                looks[side.key] = OwnerLook(side.key, FOE_SHAPES[turn], side_ink(place), emblem, name)
                others += 1
        return looks

    @cached_property
    def outsider_looks(self) -> dict[Owner, OwnerLook]:
        """Every outsider of the board, in its order: all of one shape and ink, which no side has, told apart by their
        letters."""
        lettered = {one.key: _lettered(one) for one in self.board.outsiders}
        return {key: OwnerLook(key, "horned", "neutral", *letters) for key, letters in lettered.items()}

    def look_of(self, owner: Owner) -> OwnerLook:
        """How an owner is drawn; "" is nobody known, and a key that the board does not name is a neutral."""
        known = self.side_looks.get(owner) or self.outsider_looks.get(owner)
        if known is not None:
            return known
        if not owner:
            return OwnerLook("", "clover", "unknown", "?", "unknown")
        name = text.plain(owner, "neutral")
        return OwnerLook(owner, "disc", "neutral", name[:1].upper(), name)

    def seat_order(self, owner: Owner) -> tuple[int, Owner]:
        """Sorts owners: the sides by their seats, then outsiders, then who is not known, then whom the board does not
        name."""
        listed = [*self.side_looks, *self.outsider_looks, ""]
        return listed.index(owner) if owner in listed else len(listed), owner

    def is_own(self, counter: Counter) -> bool:
        """Whether a counter is one of ours."""
        return bool(self.own) and counter.owner == self.own


def _lettered(label: SideLabel | Outsider) -> tuple[str, str]:
    """(emblem, name) of an owner in the letters that maps have."""
    name = text.plain(label.name, label.key)
    return text.plain(label.emblem, name[:1].upper())[:2], name


def scene_of(view: AnyView) -> Scene:
    """The scene of any view."""
    match view:
        case SideView(side=side, board=board):
            return Scene(board, "side", side)
        case PublicView(public=board) | PartiesView(board=board):
            return Scene(board, "public")
        case OmniscientView(omniscient=board):
            return Scene(board, "everything")


def part_of(scene: Scene, hexes: tuple[HexId, ...]) -> Scene:
    """The scene with nothing in it but what is in these hexes: the counters and notes there, the courses that touch
    them, and the numbered places whose pins stand there."""
    board, shown = scene.board, set(hexes)
    update = {
        "counters": tuple(one for one in board.counters if one.hex in shown),
        "courses": tuple(one for one in board.courses if not shown.isdisjoint(one.hexes)),
        "hexes": tuple(note for note in board.hexes if note.hex in shown),
        "news": tuple(news for news in board.news if news.hexes[0] in shown),
    }
    return replace(scene, board=board.model_copy(update=update), whole=board, shown=hexes)


def is_battle(theme: Theme, piece: Counter) -> bool:
    """Whether a counter is a battle to be fought."""
    return theme.form_look(piece.form).glyph == "battle"


def fade_of(counter: Counter) -> int:
    """The strength of a counter's ink: weaker each turn since it was seen, never too weak to be found."""
    weaker = (0, 3, 5, 6)[min(counter.age, 3)]
    return FULL - max(weaker, 0 if counter.live else 2)
