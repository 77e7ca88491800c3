"""Diplomacy at a glance: with whom what stands, what is offered, of what notice was given, and what the rules have."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.campaigns.notices import holding
from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry
from bot.records.campaigns import IN_PLAY, CampaignInfo
from bot.records.letters.agreements import OPEN, STANDING, SideAgreement, agreements_in
from bot.records.letters.letter import AGREEING, KeptLetter, LetterKind, pair_of

FARTHEST_NOTICE = 200
"""Turns ahead to which notice may run."""


@dataclass(frozen=True, slots=True)
class StandingAgreement:
    """An agreement as it stands now, with the letter that offered it. ``other`` is the side with which it is."""

    offer: KeptLetter
    agreement: SideAgreement
    other: str

    @property
    def is_settled(self) -> bool:
        """Whether nothing of it holds or waits any more."""
        return self.agreement.state not in STANDING | OPEN


@dataclass(frozen=True, slots=True)
class Diplomacy:
    """All that stands between a side and the others, the side's own ``rules`` lines, and whom it may write to."""

    campaign: CampaignInfo
    side: str
    turn: int
    standing: tuple[StandingAgreement, ...]
    rules: tuple[str, ...]
    others: tuple[str, ...]
    out: frozenset[str]


class DiplomacyQueries:
    """Looks up what stands between sides, each for those who command one of them."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def of(self, campaign_id: str, user_id: int) -> Diplomacy:
        """How somebody's side stands with all others.

        Raises:
            Sorry: when they command no side.
        """
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        require(caller, "letter")
        side = caller.side
        assert side is not None
        async with holding(self._runtime, campaign_id, campaign.head) as adjudicator:
            turn, rules = adjudicator.turn, tuple(adjudicator.agreements(side))
            out = frozenset(key for key in campaign.side_names if adjudicator.is_out(key))
        found: list[StandingAgreement] = []
        async with self._runtime.store.read() as tx:
            for other in campaign.side_names:
                if other != side:
                    letters = await tx.letters.between(campaign_id, pair_of(side, other), AGREEING)
                    found += _standing(letters, other, turn)
        may_write = campaign.status in IN_PLAY and campaign.settings.letters != "off" and side not in out
        others = tuple(key for key in campaign.side_names if key != side and key not in out) if may_write else ()
        return Diplomacy(campaign, side, turn, tuple(found), rules, others, out)

    async def one(self, token: str, user_id: int) -> tuple[Diplomacy, StandingAgreement]:
        """An agreement by its offer's token.

        Raises:
            Sorry: when it is none of this user's side's.
        """
        async with self._runtime.store.read() as tx:
            kept = await tx.letters.find(token)
        if kept is None or kept.letter.kind is not LetterKind.OFFER:
            raise Sorry("Only the two sides of an agreement can look at it.", code="unknown-letter")
        campaign, caller = await self._runtime.directory.seat(kept.letter.campaign, user_id)
        if caller.side not in (kept.letter.sender, kept.letter.receiver):
            raise Sorry("Only the two sides of an agreement can look at it.", code="unknown-letter")
        found = await self.of(campaign.id, user_id)
        return found, next(one for one in found.standing if one.offer.token == token)


def _standing(letters: Sequence[KeptLetter], other: str, turn: int) -> list[StandingAgreement]:
    """The agreements of one pair as they stand in that turn."""
    offers = {kept.letter.number: kept for kept in letters if kept.letter.kind is LetterKind.OFFER}
    agreements = agreements_in(kept.letter for kept in letters)
    return [StandingAgreement(offers[number], one.at(turn), other) for number, one in agreements.items()]
