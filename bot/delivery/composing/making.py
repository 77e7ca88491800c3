"""Making the files of a message: one that cannot be made keeps no words back."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TypeVar

import structlog

from bot.delivery.composing.files import distinct, files_of
from bot.delivery.drawing import Drawing, board_of
from bot.delivery.prepared import SIZE_LIMIT, Attachment, picture
from bot.records.files import CardMapFile, FileSpec, FilmFile
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.knowledge.views import PublicView, SideView

K = TypeVar("K")

log = structlog.get_logger("delivery")

UNDRAWN = "-# A file could not be made; `/map` shows the map."
UNFILMED = "-# The film could not be made. The pictures that were posted one by one show the same."

MOST_MAPS = 64
"""Maps of cards remembered, some 50 kB each."""


@dataclass(frozen=True, slots=True)
class Audience:
    """Who will see a message: one user alone, or all who see a place of the campaign."""

    user_id: int = 0
    place: str = ""


LookUp = Callable[[str, str, Audience, str], Awaitable[SideView | PublicView | None]]
"""What a side of a campaign sees now; None if not all who are to see it command that side.
For no side ("") it is what everybody may see. The last is the ask of a tracked battle, where it is about one."""

Scenes = Callable[[str, FilmFile, str], Awaitable[Sequence[TacticalScene] | None]]
"""What a film of a campaign shows in a place, in its order; None where there is to be none."""


class NothingToShow(Exception):
    """A message is for the sake of something that there is not; it is not to be sent."""


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

    def __init__(self, drawing: Drawing, look_up: LookUp | None = None, scenes: Scenes | None = None) -> None:
        self._drawing = drawing
        self._look_up = look_up
        self._scenes = scenes
        self._filming = asyncio.Lock()
        """One film at a time: what is asked by a click comes first."""
        self._maps: OrderedDict[tuple[bytes, str], Attachment] = OrderedDict()
        self._latest: OrderedDict[bytes, Attachment] = OrderedDict()
        self._keyed: tuple[SideView | PublicView, CardMapFile, str, tuple[bytes, str]] | None = None

    async def made(
        self,
        specs: Sequence[FileSpec],
        campaign_id: str,
        audience: Audience,
        theme: str,
        *,
        in_haste: bool = False,
        seen: SideView | None = None,
    ) -> MadeFiles:
        """The files, in the theme of that name. ``seen`` is what the one reader's side sees now, where that has just
        been looked up for them. ``in_haste`` a map that differs in the side's own courses alone from
        one that was drawn before is that one, until somebody has the time to draw it.

        Raises:
            NothingToShow: for a film that there is not to be.
        """
        files: tuple[Attachment, ...] = ()
        notes: tuple[str, ...] = ()
        current = True
        for spec in specs:
            try:
                if isinstance(spec, CardMapFile):
                    one = await self._card_map(spec, campaign_id, audience, theme, in_haste=in_haste, seen=seen)
                elif isinstance(spec, FilmFile):
                    one = await self._film(spec, campaign_id, audience.place, theme)
                else:
                    one = MadeFiles(*await files_of([spec], self._drawing, theme=theme))
            except NothingToShow:
                raise
            except Exception as error:  # whatever goes wrong in a renderer
                log.error("file.unmade", campaign=campaign_id, kind=spec.kind, error=type(error).__name__)
                one = MadeFiles(notes=(UNFILMED if isinstance(spec, FilmFile) else UNDRAWN,))
            files += one.files
            notes += one.notes
            current = current and one.current
        return MadeFiles(distinct(files), tuple(dict.fromkeys(notes)), current)

    def lags(self, specs: Sequence[FileSpec], theme: str, seen: SideView) -> bool:
        """Whether :meth:`made` in haste would give a map that lacks what the side itself saved last."""
        for spec in specs:
            if isinstance(spec, CardMapFile) and spec.side == seen.side:
                ground, courses = self._keys_of(spec.view or seen, spec, theme)
                if (ground, courses) not in self._maps and ground in self._latest:
                    return True
        return False

    async def _film(self, spec: FilmFile, campaign_id: str, place: str, theme: str) -> MadeFiles:
        async with self._filming:
            scenes = await self._scenes(campaign_id, spec, place) if self._scenes is not None else ()
            if scenes is None:
                raise NothingToShow
            parts = await asyncio.to_thread(self._drawing.film, scenes, theme=theme)
        if not parts:
            return MadeFiles(notes=(UNFILMED,))
        made = [picture(part.filename, part.gif, part.alt, SIZE_LIMIT) for part in parts]
        return MadeFiles(tuple(file for files, _ in made for file in files), tuple(note for _, note in made if note))

    # --- maps of cards -----------------------------------------------------------------------------------------------

    async def _card_map(
        self,
        spec: CardMapFile,
        campaign_id: str,
        audience: Audience,
        theme: str,
        *,
        in_haste: bool,
        seen: SideView | None,
    ) -> MadeFiles:
        view: SideView | PublicView | None = seen if audience.user_id and spec.side else None
        if view is None and self._look_up is not None:
            view = await self._look_up(campaign_id, spec.side, audience, spec.battle)
        told = spec.view  # what it tells of; what is seen now says whether it may be shown
        if any(one is not None and _side_of(one) != spec.side for one in (view, told)) or view is None:
            log.info("file.unshown", campaign=campaign_id, kind=spec.kind)
            return MadeFiles(notes=(UNDRAWN,))
        view = told or view
        ground, courses = self._keys_of(view, spec, theme)
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

    def _keys_of(self, view: SideView | PublicView, spec: CardMapFile, theme: str) -> tuple[bytes, str]:
        """Those of the view and the map that were asked for just before are known: an answer asks twice."""
        last = self._keyed
        if last is not None and last[0] is view and last[1:3] == (spec, theme):
            return last[3]
        keys = _keys(view, spec, theme)
        self._keyed = (view, spec, theme, keys)
        return keys


def _side_of(view: SideView | PublicView) -> str:
    return view.side if isinstance(view, SideView) else ""


def _keys(view: SideView | PublicView, spec: CardMapFile, theme: str) -> tuple[bytes, str]:
    """What a map shows but for the courses on it, shortened; and those."""
    board = board_of(view)
    part = "board" if isinstance(view, SideView) else "public"
    plain = view.model_copy(update={part: board.model_copy(update={"courses": ()})})
    wanted = spec.model_dump_json(exclude={"view"})
    ground = blake2b(f"{plain.model_dump_json()}{wanted}{theme}".encode(), digest_size=16)
    return ground.digest(), repr([course.model_dump_json() for course in board.courses])


def _keep(kept: OrderedDict[K, Attachment], key: K, drawn: Attachment) -> None:
    kept[key] = drawn
    kept.move_to_end(key)
    if len(kept) > MOST_MAPS:
        kept.popitem(last=False)
