"""Handing on what a side knows: drawn from its own view at that moment, shown to it before it goes, and what others
have handed to it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, there_is
from bot.letters.cards import MOST_NOTE
from bot.letters.corresponding import Correspondence, Writing
from bot.records.letters.letter import Draft, Handed, LetterKind
from rules_engine.core.basics.base import HexId
from rules_engine.core.grids.places import UnknownPlace
from rules_engine.core.knowledge.hearsay.cutouts import area_around, counters_handed, cutout
from rules_engine.core.knowledge.hearsay.items import Hearsay, hearsay_of, is_of_others
from rules_engine.core.knowledge.hearsay.onto_views import newest, with_hearsay
from rules_engine.core.knowledge.views import Counter, PublicView, SideView

MOST_CONTACTS = 6
"""Contacts that are named in one letter; a map may hold more."""
MOST_PLACES = 12
"""Hexes by which an area is named."""
MOST_HELD = 40
"""Contacts on a map that go along as entries."""


@dataclass(frozen=True, slots=True)
class ToHandOn:
    """What somebody wants to hand on: contacts by name, or the map around some hexes, with own forces or without."""

    contacts: tuple[str, ...] = ()
    hexes: tuple[HexId, ...] = ()
    with_own: bool = False


class HandingOn:
    """Prepares what is handed on, and finds what was."""

    def __init__(self, runtime: Runtime, writing: Correspondence) -> None:
        self._runtime = runtime
        self._writing = writing

    async def contacts(self, campaign_id: str, user_id: int) -> list[Counter]:
        """What somebody's side has found of others, by its own names."""
        async with self._writing.as_writer(campaign_id, user_id) as writer:
            view = writer.adjudicator.view(writer.side)
        return [one for one in view.board.counters if is_of_others(one, view.side)]

    async def prepare(
        self,
        campaign_id: str,
        user_id: int,
        to: Sequence[str],
        wanted: ToHandOn,
        note: str = "",
        *,
        interaction_id: int | None = None,
    ) -> tuple[Draft, dict[str, str]]:
        """Keep what is to be handed on for its giver to see; gives it, and the names of all sides.

        Raises:
            Sorry: when the side knows of no such thing, or it cannot be sent so.
        """
        if len(note.strip()) > MOST_NOTE:
            raise Sorry(f"The words to it have at most {MOST_NOTE} characters.", code="long-letter")
        async with self._writing.as_writer(campaign_id, user_id) as writer:
            view = writer.adjudicator.view(writer.side)
            public = writer.adjudicator.public_view()
        handed = await asyncio.to_thread(_handed, view, public, wanted)
        return await self._writing.prepare(
            campaign_id, user_id, to, Writing(note, LetterKind.HANDED, handed=handed), interaction_id=interaction_id
        )

    async def told(self, campaign_id: str, side: str) -> tuple[Hearsay, ...]:
        """All that others have handed on to a side, oldest first. Whether anybody may read it the caller has asked."""
        async with self._runtime.store.read() as tx:
            letters = await tx.letters.handed_to(campaign_id, side)
        return tuple(one for letter in letters if (handed := letter.hands_on) is not None for one in handed.items)

    async def onto(self, campaign_id: str, view: SideView) -> SideView:
        """A side's view with what others have handed on to it. Whether anybody may see it the caller has asked."""
        return with_hearsay(view, await self.told(campaign_id, view.side))


def _handed(view: SideView, public: PublicView, wanted: ToHandOn) -> Handed:
    """Blocking: a board may be large."""
    if wanted.hexes:
        if len(wanted.hexes) > MOST_PLACES:
            raise Sorry(f"An area is named by at most {MOST_PLACES} hexes.", code="many-hexes")
        try:
            area = area_around(view.board, wanted.hexes)
        except UnknownPlace:
            raise Sorry("That area is not on this map.", code="unknown-hex") from None
        held = newest((hearsay_of(view, one) for one in counters_handed(view, area)), view.board.when.turn)[:MOST_HELD]
        shown = cutout(view, public, area, with_own=wanted.with_own)
        return Handed(items=tuple(held), area=wanted.hexes, view=shown)
    found = [one for name in dict.fromkeys(wanted.contacts) for one in _named(view, name)]
    if not found:
        raise Sorry("Say what you hand on: a contact of yours, or an area of your map.", code="nothing-handed")
    if len(found) > MOST_CONTACTS:
        raise Sorry(f"At most {MOST_CONTACTS} contacts go in one letter; a map takes more.", code="many-contacts")
    return Handed(items=tuple(hearsay_of(view, one) for one in found))


def _named(view: SideView, name: str) -> list[Counter]:
    """The counters of others that a side calls so."""
    known = [one for one in view.board.counters if is_of_others(one, view.side)]
    wanted = " ".join(name.casefold().split())
    found = [one for one in known if one.label.strip().casefold() == wanted]
    if not found:
        names = dict.fromkeys(one.label.strip() for one in known)
        raise Sorry(
            f"Your side knows of nothing called “{name.strip()[:40]}”. {there_is(name, names)}", code="no-contact"
        )
    return found
