"""A plain message that is a letter: ``to Klingons: …``. It is shown as it would go, and sent by a button."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.errors import Sorry
from bot.letters.names import UnknownSide, addressed, sides_named
from bot.records.campaigns import CampaignInfo
from bot.services import Services


@dataclass(frozen=True, slots=True)
class Addressed:
    """To which sides of which campaign a message is, and what it says."""

    campaign: CampaignInfo
    to: tuple[str, ...]
    words: str


async def letter_in(services: Services, user_id: int, text: str, campaigns: Sequence[CampaignInfo]) -> Addressed | None:
    """The letter that a message is, in one of the campaigns in which its writer commands a side; None if it is none:
    if it does not begin with the names of sides as they are.

    Raises:
        Sorry: when it may be meant for several campaigns.
    """
    found = addressed(text)
    if found is None:
        return None
    whom, words = found
    meant: list[Addressed] = []
    for campaign in campaigns:
        try:
            others = await services.letters.writing.receivers(campaign.id, user_id)
            meant.append(Addressed(campaign, sides_named(whom, others), words))
        except Sorry:
            continue
    if len(meant) > 1:
        names = ", ".join(f"“{one.campaign.title}”" for one in meant[:10])
        raise Sorry(f"That may be meant for {names}: `/letter` says for which. Nothing was sent.", code="which")
    return meant[0] if meant else None


async def why_no_letter(services: Services, user_id: int, text: str, campaigns: Sequence[CampaignInfo]) -> str:
    """What is said to a message that begins like a letter and all but names a side; empty of any other."""
    found = addressed(text)
    for campaign in campaigns if found is not None else ():
        try:
            sides_named(found[0] if found else "", await services.letters.writing.receivers(campaign.id, user_id))
        except UnknownSide as unknown:
            if unknown.near:
                return unknown.text
        except Sorry:
            continue
    return ""
