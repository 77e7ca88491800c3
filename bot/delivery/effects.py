"""What each kind of outbox row does on Discord, as straight-line code over :meth:`OutboxJob.once`."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any

import discord
from sqlalchemy import delete, insert, select

from bot.delivery import compose, places, provision
from bot.delivery.doubt import find_message, nonce_of
from bot.delivery.job import OutboxJob, Write, log
from bot.delivery.places import at_place, open_thread
from bot.delivery.prepared import Message
from bot.delivery.trouble import GiveUp, TroubleKind, classify
from bot.store import outbox
from bot.store.engine import Connection
from bot.store.outbox import OutboxItem
from bot.store.tables import PlaceRow, PromptMessageRow, PromptRow

CLOSED_DM = "I could not reach you by direct message (your messages are closed to me), so this comes here:"
ALREADY_CLOSED = "-# This has closed already."
UNDRAWN = "-# A file could not be made; `/map` shows the map."


async def reason_to_hold(conn: Connection, item: OutboxItem) -> str:
    """Why it is not yet this row's turn, or nothing. Looked at before anything is marked or called."""
    payload = item.payload
    match item.kind:
        case "post" if payload.get("dm") is None:
            return await places.reason_to_hold(conn, item, payload["place"])
        case "thread":
            return await places.reason_to_hold(conn, item, "battles")
        case "refresh" | "close_prompt" if payload.get("dm") is None:
            behind = await outbox.earlier_unfinished(conn, item, "post", prompt=payload["token"])
            return "post before its edit" if behind else ""
        case _:
            return ""


async def post(job: OutboxJob) -> None:
    """A message to a place or a user; a closed DM goes to the fall-back place, with a word why."""
    payload = job.payload
    message = await _message(job)
    user = payload.get("dm")
    if user is None:
        await _post_at(job, payload["place"], message, "p", reader=0)
        return
    if "closed_dm" not in job.result:
        try:
            channel_id = await job.exit.direct_channel(user)
            await _send(job, channel_id, message.pinging(), "d", reader=user)
            return
        except discord.HTTPException as error:
            trouble = classify(error)
            if trouble is None or trouble.kind not in {TroubleKind.CLOSED_DM, TroubleKind.NO_MEMBER}:
                raise
        await job.once("closed_dm", _nothing)
    place = payload.get("fallback")
    if place is None:
        raise GiveUp("closed-dm", f"<@{user}> takes no direct messages from me; something meant for them stays unsent.")
    pings = tuple(dict.fromkeys((user, *message.ping_users)))
    message = replace(message, text=f"<@{user}> {CLOSED_DM}\n{message.text}", ping_users=pings)
    await _post_at(job, place, message, "f", reader=user)


async def _post_at(job: OutboxJob, place: str, message: Message, step: str, *, reader: int) -> None:
    async def use(channel_id: int) -> None:
        await _send(job, channel_id, message.pinging(), step, reader=reader)

    await at_place(job, place, use)


async def _send(job: OutboxJob, channel_id: int, message: Message, step: str, *, reader: int = 0) -> None:
    """All parts, each once; the last one, which carries the components, is the prompt's message."""
    parts = message.parts()
    token = job.payload.get("prompt")
    for number, part in enumerate(parts):
        name = f"{step}{number}"

        async def call(part: Message = part, name: str = name) -> list[int]:
            return [channel_id, await job.exit.post(channel_id, part, nonce_of(job, name))]

        async def find(part: Message = part, name: str = name) -> list[int] | None:
            return await find_message(job, channel_id, part, name)

        standing = token is not None and number == len(parts) - 1
        await job.once(name, call, find=find, also=_prompt_message(token, reader) if standing else None)


def _prompt_message(token: Any, reader: int) -> Callable[[Any], Write]:
    """Remember where the prompt stands."""

    def also(sent: list[int]) -> Write:
        async def write(conn: Connection) -> None:
            if await conn.scalar(select(PromptRow.token).where(PromptRow.token == token)) is None:
                return
            row = {"token": token, "message_id": sent[1], "channel_id": sent[0], "user_id": reader}
            same = (PromptMessageRow.token == token) & (PromptMessageRow.message_id == sent[1])
            await conn.execute(delete(PromptMessageRow).where(same))
            await conn.execute(insert(PromptMessageRow), row)

        return write

    return also


async def _message(job: OutboxJob) -> Message:
    """The row's content, prepared. A prompt that closed meanwhile comes without its components."""
    payload = job.payload
    card: Mapping[str, Any] | None = payload.get("card")
    text = payload.get("content") or (card or {}).get("content", "")
    notes: list[str] = []
    view = None
    if card and payload.get("prompt") is not None and not await _is_open(job, payload["prompt"]):
        notes.append(ALREADY_CLOSED)
    else:
        view = compose.view_of(card)
    files, file_notes = await _files(job)
    role = payload.get("mention_role")
    roles: tuple[int, ...] = ()
    if role and (role_id := await job.place(provision.role_key(role))):
        roles = (role_id,)
    return Message(
        text="\n".join(line for line in (text, *file_notes, *notes) if line),
        files=files,
        view=view,
        ping_users=tuple(payload.get("mention_users") or ()),
        ping_roles=roles,
    )


async def _files(job: OutboxJob) -> tuple[tuple[Any, ...], tuple[str, ...]]:
    """The files; one that cannot be made must not keep the words back."""
    made: tuple[Any, ...] = ()
    notes: tuple[str, ...] = ()
    for spec in job.payload.get("files") or ():
        try:
            files, said = await compose.files_of([spec])
        except Exception as error:  # whatever goes wrong in a renderer
            log.error("file.unmade", row=job.item.id, kind=str(spec.get("kind")), error=type(error).__name__)
            files, said = (), (UNDRAWN,)
        made += files
        notes += said
    return compose.distinct(made), tuple(dict.fromkeys(notes))


async def _is_open(job: OutboxJob, token: str) -> bool:
    async with job.store.read() as conn:
        return await conn.scalar(select(PromptRow.status).where(PromptRow.token == token)) == "open"


async def refresh(job: OutboxJob) -> None:
    """Show a prompt's messages with a new card."""
    card = job.payload["card"]
    if await _is_open(job, job.payload["token"]):
        await _edit_all(job, Message(card["content"], view=compose.view_of(card)))


async def close_prompt(job: OutboxJob) -> None:
    """Take the components away and say how it closed."""
    await _edit_all(job, Message(job.payload["content"]))


async def _edit_all(job: OutboxJob, message: Message) -> None:
    """Edit the prompt's messages (of one user or one message, if the row says so); forget those that are gone."""
    token, user, only = job.payload["token"], job.payload.get("dm"), job.payload.get("message")
    query = select(PromptMessageRow.channel_id, PromptMessageRow.message_id).where(PromptMessageRow.token == token)
    if user is not None:
        query = query.where(PromptMessageRow.user_id == user)
    if only is not None:
        query = query.where(PromptMessageRow.message_id == only)
    async with job.store.read() as conn:
        targets = list((await conn.execute(query.order_by(PromptMessageRow.message_id))).mappings())
    for target in targets:
        channel_id, message_id = target["channel_id"], target["message_id"]

        async def call(channel_id: int = channel_id, message_id: int = message_id) -> bool:
            try:
                await job.exit.edit(channel_id, message_id, message)
            except discord.HTTPException as error:
                trouble = classify(error)
                if trouble is None or trouble.kind in {TroubleKind.RETRY, TroubleKind.REFUSED}:
                    raise
                log.info("prompt.unreachable", row=job.item.id, channel=channel_id, trouble=trouble.label)
                return False
            return True

        def also(reached: bool, message_id: int = message_id) -> Write:
            async def write(conn: Connection) -> None:
                if not reached:
                    same = (PromptMessageRow.token == token) & (PromptMessageRow.message_id == message_id)
                    await conn.execute(delete(PromptMessageRow).where(same))

            return write

        await job.once(f"e{message_id}", call, also=also)


async def provide(job: OutboxJob) -> None:
    """All places of the campaign; the referee gets the referee's role."""
    made = await provision.ensure(job)
    try:
        await job.exit.grant(job.home.guild_id, job.home.referee_id, made["role:@referee"])
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind is not TroubleKind.NO_MEMBER:
            raise


async def grant(job: OutboxJob) -> None:
    """Give a role of the campaign."""
    try:
        await _with_role(job, job.exit.grant)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind is not TroubleKind.NO_MEMBER:
            raise
        user = job.payload["user_id"]
        notice = (
            f"<@{user}> is not on this server, so I cannot show them their channel. Invite them, then seat them again."
        )
        raise GiveUp("no-member", notice) from error


async def revoke(job: OutboxJob) -> None:
    """Take a role of the campaign. A user who left the server, or a role that is gone, is no trouble."""
    role_id = await job.place(provision.role_key(job.payload["role"]))
    if role_id is None:
        return
    try:
        await job.exit.revoke(job.home.guild_id, job.payload["user_id"], role_id)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind not in {TroubleKind.NO_MEMBER, TroubleKind.GONE}:
            raise


async def _with_role(job: OutboxJob, call: Callable[[int, int, int], Awaitable[None]]) -> None:
    """Use a role; if somebody deleted it, make it again first."""
    key = provision.role_key(job.payload["role"])
    role_id = await job.place(key)
    if role_id is None:
        role_id = (await provision.ensure(job))[key]
    try:
        await call(job.home.guild_id, job.payload["user_id"], role_id)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind is not TroubleKind.GONE:
            raise
        await call(job.home.guild_id, job.payload["user_id"], (await provision.ensure(job))[key])


async def thread(job: OutboxJob) -> None:
    """A battle's private thread with its sheet; each side's own words go to its own channel."""
    thread_id = await job.place(f"battle:{job.payload['key']}")
    if thread_id is None:
        thread_id = await open_thread(job, job.payload)
    message = await _message(job)
    await _send(job, thread_id, message.pinging(), "t")
    private: dict[str, Any] = job.payload.get("private") or {}
    for number, (side, own) in enumerate(sorted(private.items())):
        await _post_at(job, f"side:{side}", Message(own["content"]), f"s{number}.", reader=0)


async def archive(job: OutboxJob) -> None:
    """Archive and lock a battle's thread, if it is still there."""
    thread_id = await job.place(f"battle:{job.payload['key']}")
    if thread_id is None:
        return
    try:
        await job.exit.archive(thread_id)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind is not TroubleKind.GONE:
            raise
        gone = (PlaceRow.campaign_id == job.home.id) & (PlaceRow.discord_id == thread_id)
        async with job.store.write("place") as conn:
            await conn.execute(delete(PlaceRow).where(gone))


async def notice(job: OutboxJob) -> None:
    """Tell the referee of trouble: in the referee's channel, else by direct message."""
    message = Message(job.payload["content"], ping_users=(job.home.referee_id,)).pinging()
    channel_id = await job.place("referee")
    if channel_id is not None and "channel_shut" not in job.result:
        try:
            await provision.guard(job, "referee", channel_id)
            await _send(job, channel_id, message, "n")
            return
        except Exception as error:
            trouble = classify(error)
            if trouble is not None and trouble.kind is TroubleKind.RETRY:
                raise
        await job.once("channel_shut", _nothing)
    await _send(job, await job.exit.direct_channel(job.home.referee_id), Message(job.payload["content"]), "m")


async def _nothing() -> bool:
    return True


EFFECTS: dict[str, Callable[[OutboxJob], Awaitable[None]]] = {
    "provision": provide,
    "grant": grant,
    "revoke": revoke,
    "post": post,
    "refresh": refresh,
    "close_prompt": close_prompt,
    "thread": thread,
    "archive": archive,
    "notice": notice,
}
