"""Who holds which of a campaign's roles: given to whoever has the seat, and taken from whoever has not.

Roles are given and taken here alone, one campaign at a time, so that nobody is given one that they are about to lose.
"""

from collections.abc import Collection, Mapping

import discord

from bot.delivery.job import OutboxJob, log
from bot.delivery.reconciling.building import ensure
from bot.delivery.trouble import TroubleKind, classify
from bot.records.effects import Notice
from bot.records.places import REFEREE_ROLE, SPECTATOR, kind_of, role_place

Seats = Mapping[int, frozenset[str]]
"""The keys of the roles that each person should hold."""


async def give(job: OutboxJob, user_id: int, role: str) -> None:
    """Give somebody a role of the campaign (a side's place, the referee's or the spectators'). One that was deleted is
    made again first. Who is not on the server gets it when they come back."""
    key = role_place(role)
    async with job.shared.roles[job.home.id]:
        places = await job.places()
        try:
            await _give(job, user_id, key, places if key in places else await ensure(job))
        except discord.HTTPException as error:
            trouble = classify(error)
            if trouble is None or trouble.kind is not TroubleKind.NO_MEMBER:
                raise
            await note_absence(job, user_id, frozenset({key}))


async def _give(job: OutboxJob, user_id: int, key: str, places: Mapping[str, int]) -> None:
    try:
        await job.exit.grant(job.home.guild_id, user_id, places[key])
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind is not TroubleKind.GONE:
            raise
        await job.exit.grant(job.home.guild_id, user_id, (await ensure(job))[key])


async def take(job: OutboxJob, user_id: int, role: str) -> None:
    """Take a role of the campaign. A user who left the server, or a role that is gone, is no trouble."""
    async with job.shared.roles[job.home.id]:
        role_id = await job.place(role_place(role))
        if role_id is not None:
            await _take(job, user_id, role_id)


async def _take(job: OutboxJob, user_id: int, role_id: int) -> None:
    try:
        await job.exit.revoke(job.home.guild_id, user_id, role_id)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind not in {TroubleKind.NO_MEMBER, TroubleKind.GONE}:
            raise


async def mend(job: OutboxJob, places: Mapping[str, int], others: Collection[int]) -> set[int]:
    """Have everybody with a seat, and these ``others``, hold the roles of their seat and no other of the campaign's.
    Gives who is on the server. The referee is told once of a commander who is not.

    What Discord refuses for one is tried for the others all the same; the first refusal is raised at the end.
    """
    there: set[int] = set()
    refused: discord.HTTPException | None = None
    async with job.shared.roles[job.home.id]:
        for user_id in sorted({*await _seats(job), *others}):
            held = await job.exit.member_roles(job.home.guild_id, user_id)
            wanted = (await _seats(job)).get(user_id, frozenset())  # as it is now: seats may have changed meanwhile
            if held is None:
                await note_absence(job, user_id, wanted)
                continue
            there.add(user_id)
            try:
                await _mend(job, user_id, places, held, wanted)
                await _note_presence(job, user_id)
            except discord.HTTPException as error:
                refused = refused or error
    if refused is not None:
        raise refused
    return there


async def _mend(
    job: OutboxJob, user_id: int, places: Mapping[str, int], held: Collection[int], wanted: Collection[str]
) -> None:
    roles = {key: role for key, role in places.items() if kind_of(key)[0] == "role"}
    for key, role in sorted(roles.items()):
        if key in wanted and role not in held:
            await _give(job, user_id, key, places)
            log.info("role.given_back", campaign=job.home.id, user=user_id)
        elif key not in wanted and role in held:
            await _take(job, user_id, role)
            log.warning("role.not_theirs", campaign=job.home.id, user=user_id)


async def _seats(job: OutboxJob) -> Seats:
    """Who should hold which roles now."""
    async with job.store.read() as tx:
        home = await tx.campaigns.find(job.home.id) or job.home
        seats = {
            user: {role_place(side)} for side, users in (await tx.members.by_side(home.id)).items() for user in users
        }
        for user in await tx.members.seated(home.id, SPECTATOR):
            seats.setdefault(user, set()).add(role_place(SPECTATOR))
    seats.setdefault(home.referee_id, set()).add(role_place(REFEREE_ROLE))
    return {user: frozenset(keys) for user, keys in seats.items()}


async def note_absence(job: OutboxJob, user_id: int, wanted: Collection[str]) -> None:
    """Tell the referee, once until they are back, that a side's commander is not on the server."""
    names = [name for side, name in job.home.side_names.items() if role_place(side) in wanted]
    if not names:
        return
    text = (
        f"<@{user_id}>, who commands {' and '.join(names)}, is not on this server, so nothing that I post for that "
        "side here reaches them. Invite them: they get their role, their channel and their open battles back by "
        "themselves as soon as they come."
    )
    async with job.store.write("absent") as tx:
        if await tx.installation.note_absence(job.home.id, user_id):
            await tx.outbox.put(job.home.id, Notice(content=text), now=job.now())


async def _note_presence(job: OutboxJob, user_id: int) -> None:
    async with job.store.read() as tx:
        was_away = await tx.installation.is_absent(job.home.id, user_id)
    if was_away:
        async with job.store.write("present") as tx:
            await tx.installation.note_presence(job.home.id, user_id)
        log.info("back on the server", campaign=job.home.id, user=user_id)
