"""A side's captains as they stand: whose lines are whose on what is open, and whose word is still awaited."""

from bot.campaigns.loaded import AnyAdjudicator
from bot.recording.transaction import Recording
from bot.records.captains import ShipsShared, Team, team_of


def side_team(adjudicator: AnyAdjudicator, side: str, strand: str, shared: ShipsShared | None) -> Team | None:
    """A side's captains in a strand, if it has any. Accounts of battles are everybody's, and asked of no captain."""
    if shared is None:
        return None
    asks = [ask for ask in adjudicator.asks_for(side) if ask.strand == strand and ask.awaited and not ask.is_shared]
    return team_of(shared, adjudicator.roster(side), strand, [ask.form for ask in asks])


async def team_in(recording: Recording, side: str, strand: str) -> Team | None:
    """The same, looked up."""
    shared = await recording.tx.captains.of(recording.campaign.id, side)
    return side_team(recording.adjudicator, side, strand, shared)
