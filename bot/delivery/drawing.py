"""What the bot draws, in the theme that is wanted. Pillow is loaded by the first picture, not at start."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from bot.records.signs.catalogue import TextSign
from rules_engine.core.basics.base import HexId, Side
from rules_engine.core.knowledge.battle_outcome import BattleOutcome
from rules_engine.core.knowledge.open_times import OpenTimes
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.knowledge.views import Board, OmniscientView, PartiesView, PublicView, SideView
from rules_engine.core.protocol.asks import BattleSetup

if TYPE_CHECKING:
    from map_render import FilmPart, MapImage, Theme

log = structlog.get_logger()

AnyView = SideView | PublicView | PartiesView | OmniscientView


@dataclass(frozen=True, slots=True)
class MapOrder:
    """How somebody wants a map: with the theme of that name, and with these kinds of range on it."""

    theme: str = ""
    ranges: frozenset[str] = frozenset()


def board_of(view: AnyView) -> Board:
    """The picture in a view of any kind."""
    match view:
        case (
            SideView(board=board)
            | PartiesView(board=board)
            | PublicView(public=board)
            | OmniscientView(omniscient=board)
        ):
            return board


PAPER = "paper"
"""The theme that is printed, on white."""

PRINT = "in print"
"""Stands for that. No theme's file can be called so."""


class ThemeDefects(Exception):
    """A theme's file says what no theme may; the text is one line for the host."""


class Drawing:
    """Maps and battle cards. A ``theme`` is a theme's name; an empty one, one that is not there any more and one with
    defects are all the installation's. Drawing blocks: call it in a thread."""

    def __init__(self, theme_file: Path | None = None, others: Mapping[str, Path] | None = None) -> None:
        """``theme_file`` is the installation's theme, as TOML; without one it is that of the maps' own package.
        ``others`` are the files of all themes that may be asked for, by name."""
        self._theme_file = theme_file
        self._others = dict(others or {})
        self._read: dict[str, Theme] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The themes that may be asked for, by name."""
        return tuple(sorted(self._others))

    @cached_property
    def theme(self) -> "Theme":
        """The installation's theme, read when it is first asked for.

        Raises:
            ThemeDefects: when it cannot be used, naming every defect.
        """
        import map_render  # noqa: PLC0415  loads Pillow

        return map_render.DEFAULT if self._theme_file is None else _read(self._theme_file)

    def named(self, name: str) -> "Theme":
        """The theme of a name, read when it is first asked for.

        Raises:
            ThemeDefects: when it cannot be used, naming every defect.
            KeyError: when there is none of that name.
        """
        if name not in self._read:
            self._read[name] = _read(self._others[name])
        return self._read[name]

    def look(self, theme: str = "") -> "Theme":
        """The theme that is meant by a name, whatever became of it since somebody chose it."""
        import map_render  # noqa: PLC0415  loads Pillow

        if theme == PRINT:
            return map_render.on_white(self.look(PAPER))
        if theme in self._others:
            try:
                return self.named(theme)
            except ThemeDefects:
                log.warning("theme not used", theme=theme)
        return self.theme

    def pictures(
        self, view: AnyView, order: MapOrder | None = None, area: tuple[HexId, ...] | int | None = None
    ) -> "tuple[MapImage, ...]":
        """The pictures of a view: the whole map and a crop of each numbered place; or only the crop of an area.

        A battle flown by vectors is whole in one: its rows say of each unit what its crop would.

        ``area`` are hexes, or the rank of a numbered place, from 1. A crop that cannot be drawn beside the map is left
        out.

        Raises:
            UnknownPlace: when a place of the area is not on the map.
        """
        order = order or MapOrder()
        if area is not None:
            return (self._crop(view, area, order),)
        made, board = [self.map(view, order)], board_of(view)
        for rank in range(1, len(board.news) + 1 if board.tactical is None else 1):
            try:
                made.append(self._crop(view, rank, order))
            except Exception as error:  # whatever goes wrong in a renderer, the map itself is there
                log.error("crop.unmade", rank=rank, error=type(error).__name__)
        return tuple(made)

    def printed(self, view: AnyView, order: MapOrder, area: tuple[HexId, ...] | int | None = None) -> bytes:
        """The same pictures as `pictures` gives, as a PDF to be printed: dark on white, whatever theme is asked for.

        Raises:
            UnknownPlace: when a place of the area is not on the map.
        """
        import map_render  # noqa: PLC0415  loads Pillow

        return map_render.pages(self.pictures(view, MapOrder(PRINT, order.ranges), area))

    def map(self, view: AnyView, order: MapOrder | None = None) -> "MapImage":
        """A view's whole map."""
        import map_render  # noqa: PLC0415  loads Pillow

        order = order or MapOrder()
        look = self.look(order.theme)
        match _with_ranges(view, order.ranges):
            case SideView() as side:
                return map_render.render_side(side, theme=look, ranges=tuple(sorted(order.ranges)))
            case PublicView() | PartiesView() as public:
                return map_render.render_public(public, theme=look)
            case OmniscientView() as everything:
                return map_render.render_omniscient(everything, theme=look)

    def card_map(
        self, view: AnyView, area: tuple[HexId, ...] = (), *, pins: tuple[HexId, ...] | None = None, theme: str = ""
    ) -> "MapImage":
        """A map as a card holds it: around the hexes of an area; or whole, with pins on these hexes if not on the news.

        Raises:
            UnknownPlace: when a place of the area is not on the map.
        """
        import map_render  # noqa: PLC0415  loads Pillow

        look = self.look(theme)
        if area:
            return map_render.render_card_crop(view, area=area, theme=look)
        return map_render.render_card_map(view, pins=pins, courses=True, theme=look)

    def _crop(self, view: AnyView, area: tuple[HexId, ...] | int, order: MapOrder) -> "MapImage":
        import map_render  # noqa: PLC0415  loads Pillow

        look, kinds = self.look(order.theme), tuple(sorted(order.ranges))
        shown = _with_ranges(view, order.ranges)
        if isinstance(area, int):
            return map_render.render_crop(shown, area, theme=look, ranges=kinds)
        return map_render.render_crop(shown, area=area, theme=look, ranges=kinds)

    def battle(self, setup: BattleSetup, *, theme: str = "") -> "MapImage":
        """A battle's card, without what one side alone may see."""
        import map_render  # noqa: PLC0415  loads Pillow

        return map_render.render_battle(setup, theme=self.look(theme))

    def battle_details(self, setup: BattleSetup, *, theme: str = "") -> "MapImage | None":
        """A battle's figures and rules, without what one side alone may see; None where its card holds all of it."""
        import map_render  # noqa: PLC0415  loads Pillow

        return map_render.render_battle_details(setup, theme=self.look(theme))

    def account(self, outcome: BattleOutcome, *, theme: str = "") -> "MapImage":
        """What became of a battle's units, as one account has it, for its card."""
        import map_render  # noqa: PLC0415  loads Pillow

        return map_render.render_outcome(outcome, theme=self.look(theme))

    def film(self, scenes: Sequence[TacticalScene], *, theme: str = "") -> "tuple[FilmPart, ...]":
        """Moments of a battle one after the other, as one animated picture or several; none of no moments."""
        import map_render  # noqa: PLC0415  loads Pillow

        return map_render.render_tactical_film(scenes, theme=self.look(theme))

    def times(self, times: OpenTimes, *, theme: str = "") -> "MapImage":
        """The strip of times on a referee's desk."""
        import map_render  # noqa: PLC0415  loads Pillow

        return map_render.render_times(times, theme=self.look(theme))

    def own_units(self, setup: BattleSetup, side: Side, *, theme: str = "") -> "MapImage | None":
        """A side's own units in a battle, for it alone; None where its rulebook tells it no more than all."""
        import map_render  # noqa: PLC0415  loads Pillow

        return map_render.render_own_units(setup, side, theme=self.look(theme))

    def sign(self, sign: TextSign) -> bytes:
        """A sign as a PNG, in the colours that the maps' own package has: it stands on Discord's ground, not on a
        map's."""
        import map_render  # noqa: PLC0415  loads Pillow

        look = map_render.SignLook(sign.form, sign.seat, sign.number, sign.shape, sign.grade)
        return map_render.render_sign(look)


def _with_ranges(view: AnyView, kinds: frozenset[str]) -> AnyView:
    """The view with these kinds of range alone."""
    board = board_of(view)
    wanted = tuple(one for one in board.ranges if one.kind in kinds)
    if len(wanted) == len(board.ranges):
        return view
    shown = board.model_copy(update={"ranges": wanted})
    match view:
        case SideView() | PartiesView():
            return view.model_copy(update={"board": shown})
        case PublicView():
            return view.model_copy(update={"public": shown})
        case OmniscientView():
            return view.model_copy(update={"omniscient": shown})


def _read(file: Path) -> "Theme":
    import map_render  # noqa: PLC0415  loads Pillow

    try:
        return map_render.parse_theme(file.read_text(encoding="utf-8"))
    except map_render.ThemeError as error:
        raise ThemeDefects(f"The theme {file} is not right: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ThemeDefects(f"The theme {file} cannot be read: {error}") from None
