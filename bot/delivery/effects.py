"""What each effect does on Discord, as straight-line code over :meth:`OutboxJob.once`."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

import discord

from bot.delivery import compose, places, provision
from bot.delivery.doubt import find_message, nonce_of
from bot.delivery.job import OutboxJob, Write, log
from bot.delivery.places import admit, at_place, open_thread, parties_commanders
from bot.delivery.prepared import Attachment, Message
from bot.delivery.trouble import GiveUp, TroubleKind, classify
from bot.records.effects import (
    Admit,
    Archive,
    BattleThread,
    ClosePrompt,
    Dismiss,
    FileSpec,
    Grant,
    Notice,
    Post,
    Provision,
    Refresh,
    Revoke,
    Unreadable,
)
from bot.records.outbox import OutboxItem
from bot.records.places import (
    BATTLES_PLACE,
    PUBLIC_PLACE,
    REFEREE_PLACE,
    REFEREE_ROLE,
    SPECTATOR,
    battle_place,
    kind_of,
    role_place,
)
from bot.records.prompts import PromptCopy
from bot.store.transaction import Transaction

CLOSED_DM = "I could not reach you by direct message (your messages are closed to me), so this comes here:"
PLAIN = "-# Its pictures and buttons are left out: Discord would not take them. `/map` and `/orders show` give them."
ALREADY_CLOSED = "-# This has closed already."
UNDRAWN = "-# A file could not be made; `/map` shows the map."


async def reason_to_hold(tx: Transaction, item: OutboxItem) -> str:
    """Why it is not yet this effect's turn, or nothing. Looked at before anything is marked or called."""
    match item.effect:
        case Post(dm=None, place=str(place)):
            return await places.reason_to_hold(tx, item, place)
        case BattleThread():
            return await places.reason_to_hold(tx, item, BATTLES_PLACE)
        case Refresh(dm=None, token=token) | ClosePrompt(dm=None, token=token):
            return "post before its edit" if await tx.outbox.is_behind(item, "post", token) else ""
        case _:
            return ""


async def carry_out(job: OutboxJob) -> None:
    """Do the job's effect. Raises what Discord says, and this package's own :mod:`bot.delivery.trouble`."""
    match job.item.effect:
        case Post() as effect:
            await _post(job, effect)
        case Refresh() as effect:
            await _refresh(job, effect)
        case ClosePrompt() as effect:
            await _edit_copies(job, effect, Message(effect.content))
        case BattleThread() as effect:
            await _open_battle(job, effect)
        case Admit() as effect:
            await _admit(job, effect)
        case Dismiss(user_id=user_id):
            await _dismiss(job, user_id)
        case Archive(key=key):
            await _archive(job, key)
        case Notice(content=content):
            await _notify(job, content)
        case Provision():
            await _provide(job)
        case Grant() as effect:
            await _grant(job, effect)
        case Revoke() as effect:
            await _revoke(job, effect)
        case Unreadable(was=was):
            raise compose.Unfit(f"a {was} that is not understood")


# --- messages -----------------------------------------------------------------------------------------------------


async def _post(job: OutboxJob, post: Post) -> None:
    """A message to a place or a user; a closed DM goes to the fall-back place, with a word why."""
    message = await _message(job, post)
    user = post.dm
    if user is None:
        await _post_at(job, post.place or PUBLIC_PLACE, message, "p", _Standing(post.prompt, reader=0))
        return
    if not await _is_still_theirs(job, post, user):
        log.info("post.left", row=job.item.id)
        return
    standing = _Standing(post.prompt, reader=user)
    if "closed_dm" not in job.results:
        try:
            channel_id = await job.exit.direct_channel(user)
            await _send(job, channel_id, message.pinging(), "d", standing)
            return
        except discord.HTTPException as error:
            trouble = classify(error)
            if trouble is None or trouble.kind not in {TroubleKind.CLOSED_DM, TroubleKind.NO_MEMBER}:
                raise
        await job.once("closed_dm", _nothing)
    if post.fallback is None:
        raise GiveUp("closed-dm", f"<@{user}> takes no direct messages from me; something meant for them stays unsent.")
    pings = tuple(dict.fromkeys((user, *message.ping_users)))
    message = replace(message, text=f"<@{user}> {CLOSED_DM}\n{message.text}", ping_users=pings)
    await _post_at(job, post.fallback, message, "f", standing)


async def _is_still_theirs(job: OutboxJob, post: Post, user: int) -> bool:
    """Whether the reader of a side's business, which falls back to its channel, commands that side still."""
    kind, side = kind_of(post.fallback or "")
    if kind != "side":
        return True
    async with job.store.read() as tx:
        found = await tx.campaigns.find_seat(job.home.id, user)
    return found is not None and found[1] == side


@dataclass(frozen=True, slots=True)
class _Standing:
    """Which prompt stands in a message, if any, and in whose direct messages (0: in a channel)."""

    token: str | None = None
    reader: int = 0

    def at(self, sent: list[int]) -> Write:
        """Remember where the prompt stands; ``sent`` is the channel and the message."""

        async def write(tx: Transaction) -> None:
            if self.token is not None:
                channel_id, message_id = sent
                await tx.prompts.add_copy(self.token, PromptCopy(channel_id, message_id, self.reader))

        return write


_NO_PROMPT = _Standing()


async def _post_at(job: OutboxJob, place: str, message: Message, step: str, standing: _Standing = _NO_PROMPT) -> None:
    async def use(channel_id: int) -> None:
        await _send(job, channel_id, message.pinging(), step, standing)

    await at_place(job, place, use)


async def _send(job: OutboxJob, channel_id: int, message: Message, step: str, standing: _Standing = _NO_PROMPT) -> None:
    """All parts, each once; the last one, which carries the components, is the prompt's message."""
    parts = message.parts()
    for number, part in enumerate(parts):
        name = f"{step}{number}"

        async def call(part: Message = part, name: str = name) -> list[int]:
            return [channel_id, await job.exit.post(channel_id, part, nonce_of(job, name))]

        async def find(part: Message = part, name: str = name) -> list[int] | None:
            return await find_message(job, channel_id, part, name)

        await job.once(name, call, find=find, also=standing.at if number == len(parts) - 1 else None)


async def _message(job: OutboxJob, post: Post) -> Message:
    """A post's content, prepared. A prompt that closed meanwhile comes without its components."""
    if job.item.id in job.shared.plain:
        return Message(text=f"{post.content}\n{PLAIN}".strip())
    notes: list[str] = []
    view = None
    if post.card is not None and post.prompt is not None and not await _is_open(job, post.prompt):
        notes.append(ALREADY_CLOSED)
    else:
        view = compose.view_of(post.card)
    files, file_notes = await _files(job, post.files)
    text = "\n".join(line for line in (post.content, *file_notes, *notes) if line)
    return Message(text=text, files=files, view=view)


async def _files(job: OutboxJob, specs: Sequence[FileSpec]) -> tuple[tuple[Attachment, ...], tuple[str, ...]]:
    """The files; one that cannot be made must not keep the words back."""
    made: tuple[Attachment, ...] = ()
    notes: tuple[str, ...] = ()
    for spec in specs:
        try:
            files, said = await compose.files_of([spec], job.shared.drawing)
        except Exception as error:  # whatever goes wrong in a renderer
            log.error("file.unmade", row=job.item.id, kind=spec.kind, error=type(error).__name__)
            files, said = (), (UNDRAWN,)
        made += files
        notes += said
    return compose.distinct(made), tuple(dict.fromkeys(notes))


async def _is_open(job: OutboxJob, token: str) -> bool:
    async with job.store.read() as tx:
        return await tx.prompts.is_open(token)


async def _refresh(job: OutboxJob, refresh: Refresh) -> None:
    """Show a prompt's messages with a new card."""
    if await _is_open(job, refresh.token):
        message = Message(refresh.card.content, view=compose.view_of(refresh.card))
        await _edit_copies(job, refresh, message, only=refresh.message)


async def _edit_copies(
    job: OutboxJob, effect: Refresh | ClosePrompt, message: Message, *, only: int | None = None
) -> None:
    """Edit the prompt's messages (one user's, or only this one); forget those that are gone."""
    token = effect.token
    async with job.store.read() as tx:
        copies = await tx.prompts.copies(token, user_id=effect.dm, message_id=only)
    for copy in copies:

        async def call(copy: PromptCopy = copy) -> bool:
            try:
                await job.exit.edit(copy.channel_id, copy.message_id, message)
            except discord.HTTPException as error:
                trouble = classify(error)
                if trouble is None or trouble.kind in {TroubleKind.RETRY, TroubleKind.REFUSED}:
                    raise
                log.info("prompt.unreachable", row=job.item.id, channel=copy.channel_id, trouble=trouble.label)
                return False
            return True

        def also(reached: bool, copy: PromptCopy = copy) -> Write:
            async def write(tx: Transaction) -> None:
                if not reached:
                    await tx.prompts.forget_copy(token, copy.message_id)

            return write

        await job.once(f"e{copy.message_id}", call, also=also)


async def _notify(job: OutboxJob, text: str) -> None:
    """Tell the referee of trouble: in the referee's channel, else by direct message."""
    message = Message(text, ping_users=(job.home.referee_id,)).pinging()
    channel_id = await job.place(REFEREE_PLACE)
    if channel_id is not None and "channel_shut" not in job.results:
        try:
            await provision.guard(job, REFEREE_PLACE, channel_id)
            await _send(job, channel_id, message, "n")
            return
        except Exception as error:
            trouble = classify(error)
            if trouble is not None and trouble.kind is TroubleKind.RETRY:
                raise
        await job.once("channel_shut", _nothing)
    await _send(job, await job.exit.direct_channel(job.home.referee_id), Message(text), "m")


async def _nothing() -> bool:
    return True


# --- battles ------------------------------------------------------------------------------------------------------


async def _open_battle(job: OutboxJob, battle: BattleThread) -> None:
    """A battle's private thread with its set-up, which calls its commanders."""
    thread_id = await job.place(battle_place(battle.key))
    if thread_id is None:
        thread_id = await open_thread(job, battle)
    files, notes = await _files(job, battle.files)
    text = "\n".join(line for line in (battle.content, *notes) if line)
    called = tuple(await parties_commanders(job, battle))
    await _send(job, thread_id, Message(text, files, ping_users=called).pinging(), "t")


async def _admit(job: OutboxJob, effect: Admit) -> None:
    """Let a battle's new commander see its thread, if they still command a side and it is still there."""
    thread_id = await job.place(battle_place(effect.key))
    async with job.store.read() as tx:
        found = await tx.campaigns.find_seat(job.home.id, effect.user_id)
    if thread_id is not None and found is not None and found[1] not in {None, SPECTATOR}:
        with _unless_gone():
            await admit(job, thread_id, effect.user_id)


async def _dismiss(job: OutboxJob, user_id: int) -> None:
    """Take somebody who has left out of every battle's thread."""
    for key, thread_id in (await job.places()).items():
        if kind_of(key)[0] == "battle":

            async def call(thread_id: int = thread_id) -> bool:
                with _unless_gone():
                    await job.exit.remove_from_thread(thread_id, user_id)
                return True

            await job.once(f"r{thread_id}", call)


@contextmanager
def _unless_gone() -> Generator[None]:
    """A thread or a member that is not there any more is no trouble."""
    try:
        yield
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind not in {TroubleKind.NO_MEMBER, TroubleKind.GONE}:
            raise


async def _archive(job: OutboxJob, battle: str) -> None:
    """Archive and lock a battle's thread, if it is still there."""
    thread_id = await job.place(battle_place(battle))
    if thread_id is None:
        return
    try:
        await job.exit.archive(thread_id)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind is not TroubleKind.GONE:
            raise
        async with job.store.write("place") as tx:
            await tx.places.forget(job.home.id, thread_id)


# --- places and roles ---------------------------------------------------------------------------------------------


async def _provide(job: OutboxJob) -> None:
    """All places of the campaign; the referee gets the referee's role."""
    made = await provision.ensure(job)
    try:
        await job.exit.grant(job.home.guild_id, job.home.referee_id, made[role_place(REFEREE_ROLE)])
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind is not TroubleKind.NO_MEMBER:
            raise


async def _grant(job: OutboxJob, grant: Grant) -> None:
    """Give a role of the campaign; if somebody deleted it, make it again first."""
    try:
        await _give_role(job, grant)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind is not TroubleKind.NO_MEMBER:
            raise
        notice = (
            f"<@{grant.user_id}> is not on this server, so I cannot show them their channel. Invite them, then seat "
            "them again."
        )
        raise GiveUp("no-member", notice) from error


async def _give_role(job: OutboxJob, grant: Grant) -> None:
    key = role_place(grant.role)
    role_id = await job.place(key)
    if role_id is None:
        role_id = (await provision.ensure(job))[key]
    try:
        await job.exit.grant(job.home.guild_id, grant.user_id, role_id)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind is not TroubleKind.GONE:
            raise
        await job.exit.grant(job.home.guild_id, grant.user_id, (await provision.ensure(job))[key])


async def _revoke(job: OutboxJob, revoke: Revoke) -> None:
    """Take a role of the campaign. A user who left the server, or a role that is gone, is no trouble."""
    role_id = await job.place(role_place(revoke.role))
    if role_id is None:
        return
    try:
        await job.exit.revoke(job.home.guild_id, revoke.user_id, role_id)
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind not in {TroubleKind.NO_MEMBER, TroubleKind.GONE}:
            raise
