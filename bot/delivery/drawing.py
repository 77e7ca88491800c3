"""What the bot draws, in the theme of its installation. Pillow is loaded by the first picture, not at start."""

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.views import OmniscientView, PublicView, SideView
from rules_engine.core.protocol.asks import BattleSetup

if TYPE_CHECKING:
    from map_render import MapImage, Theme

AnyView = SideView | PublicView | OmniscientView


class ThemeDefects(Exception):
    """A theme's file says what no theme may; the text is one line for the host."""


class Drawing:
    """Maps and battle cards in one theme. Drawing blocks: call it in a thread."""

    def __init__(self, theme_file: Path | None = None) -> None:
        """``theme_file`` is TOML; without one the theme is that of the maps' own package."""
        self._theme_file = theme_file

    @cached_property
    def theme(self) -> "Theme":
        """The theme, read when it is first asked for.

        Raises:
            ThemeDefects: when it cannot be used, naming every defect.
        """
        import map_render  # noqa: PLC0415  loads Pillow

        if self._theme_file is None:
            return map_render.DEFAULT
        try:
            return map_render.parse_theme(self._theme_file.read_text(encoding="utf-8"))
        except map_render.ThemeError as error:
            raise ThemeDefects(f"The theme {self._theme_file} is not right: {error}") from None
        except (OSError, UnicodeDecodeError) as error:
            raise ThemeDefects(f"The theme {self._theme_file} cannot be read: {error}") from None

    def map(self, view: AnyView, crop: tuple[HexId, ...] | None = None) -> "MapImage":
        """A view's map, whole or cropped to some hexes.

        Raises:
            UnknownHex: when a hex of the crop is not on it.
        """
        import map_render  # noqa: PLC0415  loads Pillow

        match view:
            case SideView():
                return map_render.render_side(view, theme=self.theme, crop=crop)
            case PublicView():
                return map_render.render_public(view, theme=self.theme, crop=crop)
            case OmniscientView():
                return map_render.render_omniscient(view, theme=self.theme, crop=crop)

    def battle(self, setup: BattleSetup) -> "MapImage":
        """A battle's card, without what one side alone may see."""
        import map_render  # noqa: PLC0415  loads Pillow

        return map_render.render_battle(setup, theme=self.theme)
