"""Making the files of a message: one that cannot be made keeps no words back."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import structlog

from bot.delivery.composing.files import distinct, files_of
from bot.delivery.drawing import Drawing
from bot.delivery.prepared import SIZE_LIMIT, Attachment, picture
from bot.errors import Sorry
from bot.queries.views import ViewQueries
from bot.records.files import CardMapFile, FileSpec
from rules_engine.core.basics.base import HexId
from rules_engine.core.knowledge.views import PublicView, SideView
from rules_engine.core.protocol.asks import Remembered

log = structlog.get_logger("delivery")

UNDRAWN = "-# A file could not be made; `/map` shows the map."

MOST_MAPS = 32
"""Maps of cards remembered, some 50 kB each."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who will see a message: one user alone, or all who see a place of the campaign."""

    user_id: int = 0
    place: str = ""


@dataclass(frozen=True, slots=True)
class _WantedMap:
    view: SideView | PublicView
    area: tuple[HexId, ...]
    pins: tuple[HexId, ...] | None
    theme: str

    def key(self) -> tuple[str, object, object, str]:
        return self.view.model_dump_json(), self.area, self.pins, self.theme


class FileMaking:
    """Makes files. The maps of cards are drawn from what their side sees now, looked up with the rights of those who
    will see them, and remembered while nothing on them has changed."""

    def __init__(self, drawing: Drawing, views: ViewQueries | None = None) -> None:
        self._drawing = drawing
        self._views = views
        self._maps = Remembered(self._draw, most=MOST_MAPS, key=_WantedMap.key)

    async def made(
        self, specs: Sequence[FileSpec], campaign_id: str, audience: Audience, theme: str
    ) -> tuple[tuple[Attachment, ...], tuple[str, ...]]:
        """The files that could be made, in the theme of that name, and what the message must say about them."""
        made: tuple[Attachment, ...] = ()
        notes: tuple[str, ...] = ()
        for spec in specs:
            try:
                if isinstance(spec, CardMapFile):
                    files, said = await self._card_map(spec, campaign_id, audience, theme)
                else:
                    files, said = await files_of([spec], self._drawing, theme=theme)
            except Sorry as sorry:  # nobody here may see it
                log.info("file.unshown", campaign=campaign_id, kind=spec.kind, code=sorry.code)
                files, said = (), (UNDRAWN,)
            except Exception as error:  # whatever goes wrong in a renderer
                log.error("file.unmade", campaign=campaign_id, kind=spec.kind, error=type(error).__name__)
                files, said = (), (UNDRAWN,)
            made += files
            notes += said
        return distinct(made), tuple(dict.fromkeys(notes))

    async def _card_map(
        self, spec: CardMapFile, campaign_id: str, audience: Audience, theme: str
    ) -> tuple[tuple[Attachment, ...], tuple[str, ...]]:
        view = await self._seen(spec.side, campaign_id, audience)
        drawn = await asyncio.to_thread(self._maps, _WantedMap(view, spec.area, spec.pins, theme))
        files, note = picture(drawn.name, drawn.data, drawn.alt, SIZE_LIMIT)
        return files, (note,) if note else ()

    async def _seen(self, side: str, campaign_id: str, audience: Audience) -> SideView | PublicView:
        """What a side sees now, if whoever will see the message commands that side now; of no side, what all see."""
        if self._views is None:
            raise Sorry("Nothing can be looked up here.", code="no-views")
        if not side:
            return await self._views.public(campaign_id)
        if not audience.user_id:
            return await self._views.shown_in(campaign_id, side, audience.place)
        view = await self._views.of_side(campaign_id, audience.user_id)
        if view.side != side:
            raise Sorry("You do not command that side.", code="no-side")
        return view

    def _draw(self, wanted: _WantedMap) -> Attachment:
        """Blocking."""
        image = self._drawing.card_map(wanted.view, wanted.area, pins=wanted.pins, theme=wanted.theme)
        return Attachment("map.png", image.png, image.alt)
