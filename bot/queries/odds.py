"""Odds: chances that a side may look up before it decides, from what it knows."""

from bot.campaigns.notices import holding
from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, explain
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.odds import Odds, OddsMenu


class OddsQueries:
    """Asks the rulebook for odds."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def menu(self, campaign_id: str, user_id: int) -> OddsMenu:
        """What the user may ask the odds of. Raises Sorry when the user commands no side."""
        side = await self._side(campaign_id, user_id)
        async with holding(self._runtime, campaign_id) as adjudicator:
            return adjudicator.odds_menu(side)

    async def odds(self, campaign_id: str, user_id: int, own: str, target: str) -> Odds:
        """The chances of something of one's own against something known. Raises Sorry, naming what may be asked of."""
        side = await self._side(campaign_id, user_id)
        async with holding(self._runtime, campaign_id) as adjudicator:
            menu = adjudicator.odds_menu(side)
            if not menu.own:
                raise Sorry("This rulebook has no odds to ask for.", code="no-odds")
            if not menu.targets:
                raise Sorry(
                    "Your side knows of nothing now that it could be tried against, so there are no odds to tell.",
                    code="no-contact",
                )
            try:
                return adjudicator.odds(side, own.strip(), target.strip())
            except Refused as refused:
                raise Sorry(explain(refused.refusals), code="odds-of-what") from None

    async def _side(self, campaign_id: str, user_id: int) -> str:
        _, caller = await self._runtime.directory.seat(campaign_id, user_id)
        require(caller, "odds")
        if caller.side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        return caller.side
