"""Making the files of a message: one that cannot be made keeps no words back."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

import structlog

from bot.delivery.composing.files import distinct, files_of
from bot.delivery.drawing import Drawing
from bot.delivery.prepared import SIZE_LIMIT, Attachment, picture
from bot.errors import Sorry
from bot.queries.views import ViewQueries
from bot.records.files import CardMapFile, FileSpec
from rules_engine.core.knowledge.views import SideView

K = TypeVar("K")

log = structlog.get_logger("delivery")

UNDRAWN = "-# A file could not be made; `/map` shows the map."

MOST_MAPS = 64
"""Maps of cards remembered, some 50 kB each."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who will see a message: one user alone, or all who see a place of the campaign."""

    user_id: int = 0
    place: str = ""


@dataclass(frozen=True, slots=True)
class MadeFiles:
    """The files that could be made, and what the message must say about them. If they are not ``current``, a map lacks
    what the side itself saved last."""

    files: tuple[Attachment, ...] = ()
    notes: tuple[str, ...] = ()
    current: bool = True


class FileMaking:
    """Makes files. The maps of cards are drawn from what their side sees now, looked up with the rights of those who
    will see them, and remembered while nothing on them has changed."""

    def __init__(self, drawing: Drawing, views: ViewQueries | None = None) -> None:
        self._drawing = drawing
        self._views = views
        self._maps: OrderedDict[tuple[bytes, str], Attachment] = OrderedDict()
        self._latest: OrderedDict[bytes, Attachment] = OrderedDict()

    async def made(
        self, specs: Sequence[FileSpec], campaign_id: str, audience: Audience, theme: str, *, in_haste: bool = False
    ) -> MadeFiles:
        """The files, in the theme of that name. ``in_haste`` a map that differs in the side's own courses alone from
        one that was drawn before is that one, until somebody has the time to draw it."""
        files: tuple[Attachment, ...] = ()
        notes: tuple[str, ...] = ()
        current = True
        for spec in specs:
            try:
                if isinstance(spec, CardMapFile):
                    one = await self._card_map(spec, campaign_id, audience, theme, in_haste=in_haste)
                else:
                    one = MadeFiles(*await files_of([spec], self._drawing, theme=theme))
            except Sorry as sorry:  # nobody here may see it
                log.info("file.unshown", campaign=campaign_id, kind=spec.kind, code=sorry.code)
                one = MadeFiles(notes=(UNDRAWN,))
            except Exception as error:  # whatever goes wrong in a renderer
                log.error("file.unmade", campaign=campaign_id, kind=spec.kind, error=type(error).__name__)
                one = MadeFiles(notes=(UNDRAWN,))
            files += one.files
            notes += one.notes
            current = current and one.current
        return MadeFiles(distinct(files), tuple(dict.fromkeys(notes)), current)

    # --- maps of cards -----------------------------------------------------------------------------------------------

    async def _card_map(
        self, spec: CardMapFile, campaign_id: str, audience: Audience, theme: str, *, in_haste: bool
    ) -> MadeFiles:
        view = await self._seen(spec.side, campaign_id, audience)
        ground, courses = _keys(view, spec, theme)
        drawn = self._maps.get((ground, courses))
        older = self._latest.get(ground) if drawn is None and in_haste else None
        if drawn is None and older is None:
            image = await asyncio.to_thread(self._drawing.card_map, view, spec.area, pins=spec.pins, theme=theme)
            drawn = Attachment("map.png", image.png, image.alt)
            _keep(self._maps, (ground, courses), drawn)
            _keep(self._latest, ground, drawn)
        shown = drawn or older
        assert shown is not None
        files, note = picture(shown.name, shown.data, shown.alt, SIZE_LIMIT)
        return MadeFiles(files, (note,) if note else (), current=drawn is not None)

    async def _seen(self, side: str, campaign_id: str, audience: Audience) -> SideView:
        """What a side sees now, if whoever will see the message commands that side now."""
        if self._views is None:
            raise Sorry("Nothing can be looked up here.", code="no-views")
        if not audience.user_id:
            return await self._views.shown_in(campaign_id, side, audience.place)
        view = await self._views.of_side(campaign_id, audience.user_id)
        if view.side != side:
            raise Sorry("You do not command that side.", code="no-side")
        return view


def _keys(view: SideView, spec: CardMapFile, theme: str) -> tuple[bytes, str]:
    """What a map shows but for the courses on it, shortened; and those."""
    board = view.board
    plain = view.model_copy(update={"board": board.model_copy(update={"courses": ()})})
    ground = blake2b(f"{plain.model_dump_json()}{spec.model_dump_json()}{theme}".encode(), digest_size=16)
    return ground.digest(), repr([course.model_dump_json() for course in board.courses])


def _keep(kept: OrderedDict[K, Attachment], key: K, drawn: Attachment) -> None:
    kept[key] = drawn
    kept.move_to_end(key)
    if len(kept) > MOST_MAPS:
        kept.popitem(last=False)
