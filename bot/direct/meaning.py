"""For which sheets somebody's words are meant, of all that are open to them in all their campaigns.

What a text names decides first, then what it can be saved on. Where sheets of several campaigns remain, whoever wrote
it is asked, each time, until they say that it is for one of them from now on.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from bot.orders.typed import Understood
from bot.records.campaigns import CampaignInfo
from bot.services import Services


@dataclass(frozen=True, slots=True)
class Meaning:
    """The ``sheets`` that a text may be meant for, each with what it says there; none if it is no order. One alone is
    what it is meant for; where it fits sheets of the ``others``, by their titles, too, its writer has chosen so."""

    sheets: tuple[Understood, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def may_be_saved(self) -> bool:
        """Whether it is offered to be saved, on one sheet or another."""
        return any(one.may_be_saved for one in self.sheets)

    @property
    def is_of_several_campaigns(self) -> bool:
        """Whether its sheets are of more than one campaign."""
        return len({one.prompt.campaign.id for one in self.sheets}) > 1


class Meanings:
    """Finds what texts are meant for."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def of(self, user_id: int, text: str, token: str | None = None) -> Meaning:
        """What a text is meant for; ``token``: the sheet whose card it answers, for which it is meant whatever is in
        it."""
        typed = self._services.orders.typed
        if token is not None:
            return Meaning((await typed.for_prompt(token, user_id, text),))
        found: list[Understood] = []
        for campaign in await self._services.queries.waiting.commanded(user_id):
            found += await typed.for_campaign(campaign.id, user_id, text)
        return meant(found, await typed.chosen(user_id))

    async def choose(self, user_id: int, campaign: CampaignInfo | None, interaction_id: int | None = None) -> None:
        """Have what fits several campaigns be for this one from now on; None: have it asked each time again."""
        campaign_id = "" if campaign is None else campaign.id
        await self._services.orders.typed.choose(user_id, campaign_id, interaction_id)


def called(campaigns: Iterable[CampaignInfo], title: str) -> CampaignInfo | None:
    """The one of these campaigns that somebody calls by its title."""
    wanted = title.casefold().strip(' .!"“”*')
    return next((one for one in campaigns if wanted and one.title.casefold() == wanted), None)


def meant(found: Sequence[Understood], chosen: str = "") -> Meaning:
    """The sheets, of all that were read, that a text may be meant for; ``chosen`` is the campaign that its writer has
    said it is for if it fits several."""
    by_campaign = [list(together) for _, together in groupby(found, lambda one: one.prompt.campaign.id)]
    likely = [kept for one in by_campaign if (kept := _in_one_campaign(one))]
    fitting = [one for one in likely if one[0].may_be_saved]
    naming = [one for one in likely if any(sheet.is_named for sheet in one)]
    if len(naming) == 1 and (not fitting or naming[0] in fitting):
        return Meaning(tuple(naming[0]))
    asked = [*fitting, *(one for one in naming if fitting and one not in fitting)]
    if not fitting:  # and no book refuses what may be meant for another's sheet
        asked = [_in_one_campaign(one) or one[:1] for one in by_campaign if likely]
    own = [one for one in asked if one[0].prompt.campaign.id == chosen]
    if own and len(asked) > 1:
        others = (one[0].prompt.campaign.title for one in asked if one is not own[0])
        return Meaning(tuple(own[0]), tuple(others))
    return Meaning(tuple(sheet for one in asked for sheet in one))


def _in_one_campaign(found: Iterable[Understood]) -> list[Understood]:
    """Of one campaign's sheets those that a text may be meant for: those that it can be saved on, else the one that it
    speaks of."""
    sheets = list(found)
    fitting = [one for one in sheets if one.may_be_saved]
    if fitting:
        return [one for one in fitting if one.says] or fitting[:1]
    read = [one for one in sheets if one.is_read] or [one for one in sheets if one.names]
    return sorted(read, key=lambda one: -one.names)[:1]
