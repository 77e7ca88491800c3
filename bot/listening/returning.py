"""Who left the server and came back gets the role and the open battles of their seat again."""

from collections.abc import Mapping, Sequence

import structlog

from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.records.effects import Admit, Grant
from bot.records.members import SeatInPlay
from bot.records.places import REFEREE_ROLE, SPECTATOR, role_place, side_place

log = structlog.get_logger()


async def give_back_what_they_had(
    runtime: Runtime, seats: Sequence[SeatInPlay], roles: Mapping[int, frozenset[int]]
) -> None:
    """``roles``: those of each person who is on the server now. Nothing is done for who is away, or lacks nothing."""
    for campaign_id in {seat.campaign_id for seat in seats}:
        async with runtime.store.read() as tx:
            places = await tx.places.all_of(campaign_id)
            under_way = await tx.outbox.has_queued(campaign_id, "grant")
        if under_way:
            continue
        for seat in seats:
            role = places.get(role_place(seat.seat))
            if seat.campaign_id == campaign_id and role is not None and role not in roles.get(seat.user_id, {role}):
                await _give_back(runtime, seat)


async def _give_back(runtime: Runtime, seat: SeatInPlay) -> None:
    own = {REFEREE_ROLE, SPECTATOR}
    battles: list[str] = []
    if seat.seat not in own:
        async with holding(runtime, seat.campaign_id) as adjudicator:
            battles = [ask.setup.key for ask in adjudicator.asks_for(seat.seat) if ask.setup is not None]
    grant = Grant(user_id=seat.user_id, role=seat.seat if seat.seat in own else side_place(seat.seat))
    admitted = [Admit(user_id=seat.user_id, key=key) for key in battles]
    async with runtime.store.write() as tx:
        await tx.outbox.put(seat.campaign_id, grant, *admitted, now=runtime.now())
    log.info("back on the server", campaign=seat.campaign_id, user=seat.user_id)
