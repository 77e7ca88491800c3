"""How maps look: as the campaign's referee has it, or as each reader wants it."""

from bot.campaigns.runtime import Runtime
from bot.recording.commit import mark_seen
from bot.records.campaigns import CampaignInfo, CampaignStatus


class MapThemes:
    """The themes that were chosen, by name. An empty name is no choice; whether a theme of a name is there is asked
    where maps are drawn."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def of(self, campaign: CampaignInfo, user_id: int) -> str:
        """The theme of the maps that this user asks for: their own, else the campaign's, else none."""
        async with self._runtime.store.read() as tx:
            return await tx.readers.theme(user_id) or campaign.theme

    async def choose(self, user_id: int, theme: str, interaction_id: int | None = None) -> None:
        """Choose the theme of all maps that this user asks for, in every campaign."""
        async with self._runtime.store.write() as tx:
            await mark_seen(self._runtime, tx, interaction_id)
            await tx.readers.set_theme(user_id, theme)

    async def choose_for_all(self, campaign_id: str, by: int, theme: str, interaction_id: int | None = None) -> None:
        """Choose the theme of what is posted in a campaign, and of maps for readers who have chosen none.

        Raises:
            Sorry: when ``by`` is not its referee.
        """
        await self._runtime.directory.permitted(campaign_id, by, "settings", frozenset(CampaignStatus))
        async with self._runtime.store.write() as tx:
            await mark_seen(self._runtime, tx, interaction_id)
            await tx.campaigns.set_theme(campaign_id, theme)
