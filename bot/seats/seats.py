"""Taking and leaving seats: of a side, of a spectator, and the referee's."""

from contextlib import AsyncExitStack

from bot.campaigns.directory import seat_in
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.permissions import SeatRole, require
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, there_is
from bot.recording.commit import judged_again, mark_seen
from bot.recording.prompts import move_prompts
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.records.campaigns import IN_PLAY, CampaignInfo, CampaignStatus
from bot.records.effects import Grant, Post, Revoke
from bot.records.places import PUBLIC_PLACE, REFEREE_ROLE, SPECTATOR
from bot.seats.members import give_up_seat, take_seat

MOST_COMMANDERS = 8


class Seats:
    """Who plays what."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def by_side(self, campaign: CampaignInfo) -> dict[str, list[int]]:
        """Who sits where, by side; spectators are not listed."""
        async with self._runtime.store.read() as tx:
            return await tx.members.by_side(campaign.id)

    async def join(
        self, campaign_id: str, *, user_id: int, name: str, side: str, interaction_id: int | None = None
    ) -> str:
        """Take a seat; returns the side's printed name."""
        runtime = self._runtime
        async with runtime.store.write() as tx:
            await mark_seen(runtime, tx, interaction_id)
            campaign, caller = await seat_in(tx, campaign_id, user_id)
            key = _side_key(campaign, side)
            require(caller, "spectate" if key == SPECTATOR else "join")
            if campaign.status is CampaignStatus.ENDED:
                raise Sorry("This campaign is over.", code="ended")
            if caller.side == key or (key == SPECTATOR and SeatRole.SPECTATOR in caller.roles):
                raise Sorry("You sit there already.", code="seated")
            if caller.side is not None:
                raise Sorry("You command another side; leave it first with `/campaign leave`.", code="seated")
            taken = await tx.members.seated(campaign_id, key)
            if key != SPECTATOR and len(taken) >= MOST_COMMANDERS:
                raise Sorry(f"That side has {MOST_COMMANDERS} commanders already.", code="full")
            if key != SPECTATOR and taken and campaign.status is not CampaignStatus.GATHERING:
                raise Sorry(
                    "Play is under way and this seat is taken. The referee can bring you in with "
                    "`/referee substitute`.",
                    code="taken",
                )
            if campaign.status is not CampaignStatus.GATHERING and SeatRole.SPECTATOR in caller.roles:
                raise Sorry("You have watched this campaign, so you cannot command a side of it.", code="watched")
            await take_seat(tx, campaign, user_id, name, key, now=runtime.now())
        return "spectators" if key == SPECTATOR else campaign.side_names[key]

    async def leave(self, campaign_id: str, *, user_id: int, interaction_id: int | None = None) -> None:
        """Give up a seat. Once play runs a side may not be left without a commander."""
        runtime = self._runtime
        async with runtime.store.write() as tx:
            await mark_seen(runtime, tx, interaction_id)
            campaign, caller = await seat_in(tx, campaign_id, user_id)
            require(caller, "leave")
            key = caller.side or SPECTATOR
            if key != SPECTATOR and campaign.status not in {CampaignStatus.GATHERING, CampaignStatus.ENDED}:
                others = [one for one in await tx.members.seated(campaign_id, key) if one != user_id]
                if not others:
                    raise Sorry(
                        "Play is under way and you are your side's only commander. Ask the referee to bring in a "
                        "substitute first (`/referee substitute`).",
                        code="last-commander",
                    )
            await give_up_seat(tx, campaign, user_id, key, runtime.now())

    @judged_again
    async def substitute(
        self, campaign_id: str, *, by: int, out_id: int, in_id: int, in_name: str, interaction_id: int | None = None
    ) -> str:
        """Hand a commander's seat to somebody else: rights, channels and open prompts move with it."""
        runtime = self._runtime
        async with runtime.store.read() as tx:
            campaign, caller = await seat_in(tx, campaign_id, by)
            _, leaver = await seat_in(tx, campaign_id, out_id)
            _, arriver = await seat_in(tx, campaign_id, in_id)
        require(caller, "substitute")
        if leaver.side is None:
            raise Sorry("That member commands no side here.", code="not-seated")
        if arriver.side is not None or SeatRole.SPECTATOR in arriver.roles:
            raise Sorry("That member belongs to this campaign already and may know too much.", code="seated")
        if in_id == campaign.referee_id and campaign.status is CampaignStatus.RUNNING:
            raise Sorry("The referee has seen too much to take a side now.", code="referee-seat")
        async with AsyncExitStack() as stack:
            adjudicator: AnyAdjudicator | None = None
            if campaign.status in IN_PLAY:
                adjudicator = await stack.enter_async_context(holding(runtime, campaign_id))
            try:
                async with runtime.store.write() as tx:
                    await mark_seen(runtime, tx, interaction_id)
                    await give_up_seat(tx, campaign, out_id, leaver.side, runtime.now())
                    await take_seat(tx, campaign, in_id, in_name, leaver.side, now=runtime.now())
                    if adjudicator is not None:
                        note = f"{leaver.side}: {out_id} handed over to {in_id}"
                        transition = adjudicator.remark("seat", note, by=str(by), at=runtime.stamp())
                        recording = Recording(tx, campaign, adjudicator, runtime.now())
                        await write_transitions(recording, [transition])
                        await move_prompts(recording, leaver.side, out_id, in_id)
            except BaseException:
                runtime.loaded.evict(campaign_id)
                raise
        return campaign.side_names[leaver.side]

    async def hand_over(self, campaign_id: str, *, by: int, to: int, interaction_id: int | None = None) -> None:
        """Make somebody else the referee: somebody who commands no side."""
        runtime = self._runtime
        async with runtime.store.write() as tx:
            await mark_seen(runtime, tx, interaction_id)
            campaign, caller = await seat_in(tx, campaign_id, by)
            require(caller, "hand-over")
            _, successor = await seat_in(tx, campaign_id, to)
            if successor.side is not None:
                raise Sorry("That member commands a side here, so they cannot be the referee.", code="referee-seat")
            if to == campaign.referee_id:
                raise Sorry("You are the referee already.", code="seated")
            await tx.campaigns.set_referee(campaign_id, to)
            await tx.outbox.put(
                campaign_id,
                Revoke(user_id=by, role=REFEREE_ROLE),
                Grant(user_id=to, role=REFEREE_ROLE),
                Post(place=PUBLIC_PLACE, content=f"<@{to}> is the referee now, instead of <@{by}>."),
                now=runtime.now(),
            )


def _side_key(campaign: CampaignInfo, wanted: str) -> str:
    """The key of the side that somebody means, or :data:`SPECTATOR`. Raises Sorry when there is no such seat."""
    words = {key.casefold(): key for key in campaign.side_names}
    words |= {name.casefold(): key for key, name in campaign.side_names.items()}
    words |= {"spectator": SPECTATOR, SPECTATOR: SPECTATOR}
    key = words.get(wanted.casefold().strip())
    if key is None:
        options = [*campaign.side_names.values(), "spectator"]
        raise Sorry(f"There is no such seat. {there_is(wanted, options)}", code="unknown-side")
    return key
