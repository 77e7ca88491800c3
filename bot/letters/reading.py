"""Reading letters: each for the two sides that wrote it, and for nobody else."""

from dataclasses import dataclass

from bot.campaigns.permissions import Caller, require
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from bot.letters.cards import A_PAGE, list_card
from bot.letters.names import sides_named
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.components import Card
from bot.records.letters.letter import KeptLetter

UNKNOWN = "Only the two sides of a letter can look at it; `/letters` lists those of yours."


@dataclass(frozen=True, slots=True)
class Read:
    """A letter as somebody may read it. ``reader`` is their side; None for a referee who may read it."""

    campaign: CampaignInfo
    kept: KeptLetter
    reader: str | None


class LetterReading:
    """Finds letters again."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def one(self, token: str, user_id: int) -> Read:
        """A letter.

        Raises:
            Sorry: when there is none of that token for this user; whether there is one for others is not said.
        """
        async with self._runtime.store.read() as tx:
            kept = await tx.letters.find(token)
        if kept is None:
            raise Sorry(UNKNOWN, code="unknown-letter")
        campaign, caller = await self._runtime.directory.seat(kept.letter.campaign, user_id)
        if caller.side in (kept.letter.sender, kept.letter.receiver):
            return Read(campaign, kept, caller.side)
        if may_read_all(campaign, caller):
            return Read(campaign, kept, None)
        raise Sorry(UNKNOWN, code="unknown-letter")

    async def page(self, campaign_id: str, user_id: int, page: int = 0, of: str = "") -> Card:
        """A page of the letters that somebody may read, the newest first; of those with one side, if ``of`` names one.

        Raises:
            Sorry: when they may read none, or there is no such side.
        """
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        require(caller, "letters")
        reads_all = may_read_all(campaign, caller)
        if caller.side is None and not reads_all:
            raise Sorry(
                "Only the sides themselves read their letters; a referee reads none before the end here.",
                code="denied-letters",
            )
        reader = None if reads_all else caller.side
        others = {key: name for key, name in campaign.side_names.items() if key != reader}
        other = sides_named(of, others)[0] if of.strip() else ""
        async with self._runtime.store.read() as tx:
            total = await tx.letters.count(campaign_id, reader, other)
            page = max(0, min(page, (total - 1) // A_PAGE))
            letters = await tx.letters.page(campaign_id, reader, other, skip=page * A_PAGE, most=A_PAGE)
        if not total:
            return Card(_none(campaign, reader, f" with {campaign.side_names[other]}" if other else ""))
        names = campaign.side_names
        return list_card(campaign_id, letters, names, reader=reader, page=page, total=total, of=other)

    async def partners(self, campaign_id: str, user_id: int) -> dict[str, str]:
        """The sides whose letters somebody may choose, by key; none for who may read no letters."""
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        reads_all = may_read_all(campaign, caller)
        if caller.side is None and not reads_all:
            return {}
        return {key: name for key, name in campaign.side_names.items() if reads_all or key != caller.side}


def _none(campaign: CampaignInfo, reader: str | None, whom: str) -> str:
    """That there are no letters (with somebody): among all sides, or of the one that reads."""
    if campaign.status is CampaignStatus.ENDED:
        if reader is None:
            return f"No letters{whom} were written in this campaign."
        return f"You had no letters{whom}. What others wrote is open now: `/referee export` has it."
    more = " `/letter` writes one." if reader is not None and campaign.settings.letters != "off" else ""
    return f"There are no letters{whom} yet.{more}"


def may_read_all(campaign: CampaignInfo, caller: Caller) -> bool:
    """Whether somebody may read every side's letters: its referee, once it has ended; before that only one who plays
    no side and has played none, and where it was settled before play that the referee does."""
    if caller.user_id != campaign.referee_id:
        return False
    is_over = campaign.status is CampaignStatus.ENDED
    return is_over or (campaign.settings.letters == "read" and not caller.plays_and_referees)
