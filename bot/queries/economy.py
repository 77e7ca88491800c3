"""A side's economy, for those who command it."""

from bot.campaigns.notices import holding
from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.cards.overviews.economy import EconomyCardData
from bot.errors import Sorry
from bot.orders.find_prompt import PromptFinder
from bot.orders.open_prompt import OpenPrompt


class EconomyQueries:
    """Gives economies."""

    def __init__(self, runtime: Runtime, finder: PromptFinder) -> None:
        self._runtime = runtime
        self._finder = finder

    async def of_side(self, campaign_id: str, user_id: int) -> EconomyCardData:
        """What the user's side owns, and what it will lose as its sheets stand.

        Raises:
            Sorry: when the user commands no side, or its rules have no economy.
        """
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        require(caller, "economy")
        side = caller.side
        if side is None:
            raise Sorry("You command no side of this campaign.", code="no-side")
        async with holding(self._runtime, campaign.id, campaign.head) as adjudicator:
            economy = adjudicator.economy(side)
            place = [label.key for label in adjudicator.labels].index(side)
            asks = {ask.id for ask in adjudicator.asks_for(side) if ask.budget}
        if economy.is_empty():
            raise Sorry("Your side has no economy by these rules, or none yet.", code="no-economy")
        token = (await self.budget(campaign_id, user_id)).token if asks else ""
        return EconomyCardData(campaign.id, campaign.title, economy, place, token)

    async def budget(self, campaign_id: str, user_id: int) -> OpenPrompt:
        """The open sheet that holds the budget of the user's side.

        Raises:
            Sorry: when none does.
        """
        prompts = await self._finder.open_prompts(campaign_id, user_id)
        found = next((one for one in prompts if one.ask.budget), None)
        if found is None:
            raise Sorry("No budget is asked of your side now; the next comes by itself.", code="no-budget")
        return found
