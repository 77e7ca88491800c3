"""What a side knows of the others: its dossier, for those who command it alone.

Here, and nowhere else, what other sides have handed on is joined in: it stands beside the journal, and the engine files
it as hearsay.
"""

from collections.abc import Awaitable, Callable, Sequence

from bot.campaigns.dossiers import known_of
from bot.campaigns.notices import holding
from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.cards.dossiers.seen import SeenDossier
from bot.errors import Sorry
from rules_engine.core.basics.base import Owner, Side
from rules_engine.core.knowledge.dossiers.hearsay import entry_of
from rules_engine.core.knowledge.hearsay.items import Hearsay
from rules_engine.core.knowledge.hearsay.onto_views import newest
from rules_engine.core.knowledge.views import Board

HandedOn = Callable[[str, Side], Awaitable[Sequence[Hearsay]]]
"""Gives what others have handed on to a side of a campaign, in the order in which it came."""


class DossierQueries:
    """Gives dossiers."""

    def __init__(self, runtime: Runtime, handed_on: HandedOn) -> None:
        self._runtime = runtime
        self._handed_on = handed_on

    async def others(self, campaign_id: str, user_id: int) -> dict[Owner, str]:
        """The sides and outsiders of whom the user's side may have a dossier, by key."""
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        require(caller, "dossier")
        if caller.side is None:
            return {}
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            return _others(adjudicator.view(caller.side).board, caller.side)

    async def of_side(self, campaign_id: str, user_id: int) -> SeenDossier:
        """What the user's side knows.

        Raises:
            Sorry: when the user commands no side.
        """
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        require(caller, "dossier")
        side = caller.side
        if side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        async with self._runtime.store.read() as tx:
            kept, told = await known_of(tx, campaign.id, side)
        handed_on = await self._handed_on(campaign.id, side)
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            board = adjudicator.view(side).board
            hearsay = [entry_of(one) for one in newest(handed_on, board.when.turn)]
            dossier = adjudicator.dossier(side, told, hearsay, kept=kept)
            names = _others(board, side)
            return SeenDossier(campaign.id, side, names, dossier, adjudicator.turn_parts, board.places)


def _others(board: Board, side: Side) -> dict[Owner, str]:
    return {one.key: one.name for one in (*board.sides, *board.outsiders) if one.key != side}
