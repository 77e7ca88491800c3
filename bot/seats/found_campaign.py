"""Creating a campaign, starting it once every side has a commander, and cancelling one that gathers players."""

import asyncio
import secrets

from bot.campaigns.directory import seat_in
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.permissions import Caller, require
from bot.campaigns.runtime import Runtime
from bot.campaigns.scenarios import InstalledScenarios
from bot.errors import Sorry, explain
from bot.faults import point
from bot.recording.briefings import brief
from bot.recording.commit import judged_again, mark_seen
from bot.recording.posts import post_public
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.records.campaign_settings import CampaignSettings
from bot.records.campaigns import CampaignInfo, CampaignSource, CampaignStatus, NewCampaign
from bot.records.effects import Grant, Post, Provision
from bot.records.members import PastSeat
from bot.records.places import PUBLIC_PLACE, REFEREE_ROLE, SPECTATOR
from bot.seats.announcing import announcement
from bot.seats.carrying_out import TIMES, check_pace_of_a_player
from bot.seats.chair import remember_the_referee
from bot.seats.changing import changing_seats, seats_now
from bot.seats.members import announced, plain
from bot.seats.retitling import name_campaigns_in_cards
from bot.store.transaction import Transaction
from rules_engine import rulebooks
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.seats import seated

ID_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
MOST_TITLE = 60

_CANCELLED = "This campaign was cancelled before it began. `/campaign create` founds another."


class CampaignFounding:
    """Makes campaigns and begins their play."""

    def __init__(self, runtime: Runtime, scenarios: InstalledScenarios) -> None:
        self._runtime = runtime
        self._scenarios = scenarios

    async def create(
        self,
        *,
        guild_id: int,
        user_id: int,
        title: str,
        scenario: str,
        settings: CampaignSettings,
        interaction_id: int,
        seats: int | None = None,
        channel_id: int | None = None,
    ) -> CampaignInfo:
        """Create a campaign; its channels are made by delivery. ``seats``: how many, where the scenario leaves it open.
        It is announced in the channel ``channel_id``.

        Raises:
            Sorry: when the scenario cannot be used, or not with this number of seats.
        """
        runtime = self._runtime
        title = plain(title)
        if not 1 <= len(title) <= MOST_TITLE:
            raise Sorry(f"A campaign's title has 1 to {MOST_TITLE} characters.", code="bad-title")
        taken = Sorry(f"There is a campaign “{title}” here already; choose another title.", code="same-title")
        known = await runtime.directory.in_server(guild_id)
        if any(one.title == title and one.status is not CampaignStatus.ENDED for one in known):
            raise taken
        book, document = await asyncio.to_thread(self._scenarios.read, scenario)
        try:
            document = seated(book, document, seats)
        except Refused as refused:
            raise Sorry(f"“{scenario}” cannot be founded so:\n{explain(refused.refusals)}", code="seats") from None
        now = runtime.now()
        async with runtime.store.write() as tx:
            await mark_seen(runtime, tx, interaction_id)
            if await tx.campaigns.is_title_taken(guild_id, title):  # meanwhile, by somebody who pressed twice
                raise taken
            info = CampaignInfo(
                id=await _free_id(tx),
                guild_id=guild_id,
                title=title,
                rulebook=book.key,
                status=CampaignStatus.GATHERING,
                referee_id=user_id,
                settings=settings,
                sides=book.sides(document),
            )
            source = CampaignSource(book.key, document, secrets.token_bytes(32))
            await tx.campaigns.add(NewCampaign(info, source, book.version, now))
            welcome = (
                f"**{title}** — {book.title}. Seats: {', '.join(info.side_names.values())}.\n"
                "Take one with `/campaign join`; the referee starts with `/campaign start`.\n"
                "-# What no bot can hide: its host can read its database, and this server's owner and "
                "administrators see every channel."
            )
            if settings.letters != "on":
                welcome = f"{welcome}\n-# {settings.letters_said()}"
            await tx.outbox.put(
                info.id,
                Provision(),
                Grant(user_id=user_id, role=REFEREE_ROLE),
                Post(place=PUBLIC_PLACE, content=welcome),
                *([] if channel_id is None else [await announcement(tx, info.id, channel_id)]),
                now=now,
            )
        return info

    @judged_again
    async def start(self, campaign_id: str, *, user_id: int, interaction_id: int | None = None) -> None:
        """Begin play. Every side needs a commander."""
        runtime = self._runtime
        async with runtime.store.read() as tx:
            campaign, caller = await seat_in(tx, campaign_id, user_id)
            require(caller, "start")
            source = await tx.campaigns.source(campaign_id)
            by_side = await tx.members.by_side(campaign_id)
        if campaign.never_began:
            raise Sorry(_CANCELLED, code="cancelled")
        if campaign.status is not CampaignStatus.GATHERING:
            raise Sorry("This campaign has started already.", code="started")
        empty = [name for key, name in campaign.side_names.items() if key not in by_side]
        if empty:
            raise Sorry(f"Nobody commands {', '.join(empty)} yet.", code="empty-seat")
        if caller.plays_and_referees:
            check_pace_of_a_player({name: getattr(campaign.settings, name) for name in TIMES})
        book = rulebooks.rulebook(campaign.rulebook)
        adjudicator, transition = await asyncio.to_thread(
            AnyAdjudicator.open,
            book,
            title=campaign.title,
            scenario=source.scenario,
            seed=source.seed,
            at=runtime.stamp(),
            nonce=runtime.nonce(),
            tracker=rulebooks.tracker(),
        )
        point("start.before")
        async with runtime.store.write() as tx:
            await mark_seen(runtime, tx, interaction_id)
            if not await tx.campaigns.begin(campaign_id, book.version):
                raise Sorry("This campaign has started already.", code="started")
            recording = Recording(tx, campaign, adjudicator, runtime.now())
            opening = (
                f"**{campaign.title} begins.** The seed of the dice is fixed: its SHA-256 is "
                f"`{adjudicator.genesis.commitment}`. The seed is published at the end, and `plotroom verify` then "
                "checks every roll. The record's hash is posted here each turn, to show that nothing was changed later."
            )
            if campaign.settings.letters == "read":
                opening = f"{opening}\n-# {campaign.settings.letters_said()}"
            await post_public(recording, opening)
            await recording.put(await announcement(tx, campaign_id))
            for side, commanders in (await tx.members.by_side(campaign_id)).items():
                await tx.members.remember(campaign_id, commanders, PastSeat(side, in_play=True))
                await brief(recording, side, sorted(commanders))
            watching = await tx.members.seated(campaign_id, SPECTATOR)
            await tx.members.remember(campaign_id, watching, PastSeat(SPECTATOR, in_play=True))
            await remember_the_referee(tx, campaign, campaign.referee_id)
            seated = await seats_now(tx, campaign, by=user_id, text="play begins")
            await write_transitions(recording, [transition, adjudicator.seat(seated, at=runtime.stamp())])
        runtime.loaded.put(campaign_id, adjudicator)
        await name_campaigns_in_cards(runtime, campaign_id, [user for users in by_side.values() for user in users])

    async def may_be_cancelled(self, campaign_id: str, user_id: int) -> None:
        """Raise Sorry where somebody may not cancel a campaign, or it has begun."""
        _check_cancel(*await self._runtime.directory.seat(campaign_id, user_id))

    @judged_again
    async def cancel(self, campaign_id: str, *, user_id: int, interaction_id: int | None = None) -> None:
        """End a campaign that still gathers players. There is no journal yet that could say so."""
        async with changing_seats(self._runtime, campaign_id, user_id, interaction_id) as change:
            tx = change.tx
            _check_cancel(*await seat_in(tx, campaign_id, user_id))
            await tx.campaigns.set_status(campaign_id, CampaignStatus.ENDED, "cancelled")
            for proposal in await tx.proposals.of(campaign_id):
                await tx.proposals.drop(proposal.token)
            told: list[Post] = []
            if await tx.places.find(campaign_id, PUBLIC_PLACE) is None:
                await tx.outbox.give_up_waiting(campaign_id)  # its channels could not be made, and need not be any more
            else:
                seated = [user for users in (await tx.members.by_side(campaign_id)).values() for user in users]
                called = " ".join(f"<@{user}>" for user in seated)
                text = f"**{change.campaign.title}** is cancelled: it does not begin. {called}".strip()
                told = [Post(place=PUBLIC_PLACE, content=text)]
            await tx.outbox.put(campaign_id, *told, *await announced(change), now=change.now)


def _check_cancel(campaign: CampaignInfo, caller: Caller) -> None:
    require(caller, "cancel")
    if campaign.never_began:
        raise Sorry("This campaign is cancelled already.", code="cancelled")
    if campaign.status is not CampaignStatus.GATHERING:
        raise Sorry("This campaign has begun, so it cannot be cancelled.", code="started")


async def _free_id(tx: Transaction) -> str:
    """A few letters that no other campaign is known by."""
    while True:
        made = "".join(secrets.choice(ID_LETTERS) for _ in range(5))
        if await tx.campaigns.find(made) is None:
            return made
