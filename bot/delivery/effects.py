"""What each effect does on Discord, as straight-line code over :meth:`OutboxJob.once`."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

import discord

from bot.delivery import compose, copies, places
from bot.delivery.announcing import announce
from bot.delivery.composing.making import Audience, NothingToShow
from bot.delivery.job import OutboxJob, log
from bot.delivery.places import admit, at_place, close_thread, in_open_thread, in_place, open_thread, parties_commanders
from bot.delivery.prepared import Message
from bot.delivery.reconciling import asking, building, people
from bot.delivery.reconciling.reconcile import reconcile
from bot.delivery.sending import NO_PROMPT, Standing, files_of, has_card_map, send
from bot.delivery.trouble import GiveUp, Trouble, TroubleKind, Waiting, classify
from bot.records.components import Card
from bot.records.effects import (
    Admit,
    Announcement,
    Archive,
    BattleThread,
    ClosePrompt,
    Dismiss,
    Grant,
    Notice,
    Post,
    Provision,
    Reconcile,
    Redraw,
    Refresh,
    Rename,
    Revoke,
    Unreadable,
    Wake,
)
from bot.records.outbox import OutboxItem
from bot.records.places import (
    BATTLES_PLACE,
    PUBLIC_PLACE,
    REFEREE_PLACE,
    SPECTATOR,
    battle_place,
    kind_of,
)
from bot.store.transaction import Transaction

CLOSED_DM = "I could not reach you by direct message (your messages are closed to me), so this comes here:"
PLAIN = "-# Its pictures and buttons are left out: Discord would not take them. `/map` and `/orders show` give them."
NO_COMMON_SERVER = 50278
"""Discord's code: somebody shares no server with the bot, so that they have left this one, too."""

_UNREACHED = {TroubleKind.CLOSED_DM, TroubleKind.NO_MEMBER, TroubleKind.GONE}

ALREADY_CLOSED = "-# This has closed already."


async def reason_to_hold(tx: Transaction, item: OutboxItem) -> str:
    """Why it is not yet this effect's turn, or nothing. Looked at before anything is marked or called."""
    match item.effect:
        case Post(dm=None, place=str(place)):
            return await places.reason_to_hold(tx, item, place)
        case BattleThread(key=key):
            is_closing = await tx.outbox.is_behind(item, "archive", key)
            return (
                "closing before opening again" if is_closing else await places.reason_to_hold(tx, item, BATTLES_PLACE)
            )
        case Admit():  # Discord lets nobody into a thread who does not see the channel that it is in
            return "grant before its battles" if await tx.outbox.is_behind(item, "grant") else ""
        case Archive(key=key) | Wake(key=key):
            return await places.reason_to_hold(tx, item, battle_place(key))
        case Rename() | Reconcile():
            return "provision before what it makes" if await tx.outbox.is_behind(item, "provision") else ""
        case Refresh() | ClosePrompt() | Redraw():
            return await copies.reason_to_hold(tx, item, item.effect)
        case _:
            return ""


async def carry_out(job: OutboxJob) -> None:
    """Do the job's effect. Raises what Discord says, and this package's own :mod:`bot.delivery.trouble`."""
    match job.item.effect:
        case Post() as effect:
            await _post(job, effect)
        case Refresh() as effect:
            await copies.refresh(job, effect)
        case Redraw() as effect:
            await copies.redraw(job, effect)
        case ClosePrompt() as effect:
            await copies.close(job, effect)
        case BattleThread() as effect:
            await _open_battle(job, effect)
        case Admit() as effect:
            await _admit(job, effect)
        case Dismiss(user_id=user_id):
            await _dismiss(job, user_id)
        case Archive() as effect:
            await _archive(job, effect)
        case Wake(key=key):
            await _wake(job, key)
        case Announcement() as effect:
            await announce(job, effect)
        case Notice(content=content):
            await _notify(job, content)
        case Provision():
            await reconcile(job)
        case Reconcile(users=users):
            await reconcile(job, users)
        case Grant() as effect:
            await people.give(job, effect.user_id, effect.role)
        case Revoke() as effect:
            await people.take(job, effect.user_id, effect.role)
        case Rename(side=side):
            await _rename(job, side)
        case Unreadable(was=was):
            raise compose.Unfit(f"a {was} that is not understood")


# --- messages -----------------------------------------------------------------------------------------------------


async def _post(job: OutboxJob, post: Post) -> None:
    """A message to a place or a user; a closed DM goes to the fall-back place, with a word why."""
    if post.until is not None and job.now() >= post.until:
        log.info("post.too_late", row=job.item.id)
        return
    user = post.dm
    if user is None:
        place = post.place or PUBLIC_PLACE
        try:
            message = await _message(job, post, Audience(place=place))
        except NothingToShow:
            log.info("post.needless", row=job.item.id)
            return
        called = () if post.calls is None else (post.calls,)
        await _post_at(job, place, replace(message, ping_users=called), "p", Standing(post.prompt, reader=0))
        return
    message = await _message(job, post, Audience(user))
    if not await _is_still_theirs(job, post, user):
        log.info("post.left", row=job.item.id)
        return
    standing = Standing(post.prompt, reader=user)
    why = "" if post.in_channel else f" {CLOSED_DM}"
    if not post.in_channel and "closed_dm" not in job.results:
        try:
            channel_id = await job.exit.direct_channel(user)
            titled = await copies.titled(job, message, user)
            await send(job, channel_id, titled.pinging(), "d", standing)
            return
        except discord.HTTPException as error:
            trouble = classify(error)
            is_reached = trouble is None or trouble.kind not in _UNREACHED
            if is_reached and not (post.fallback and _is_refused_plain(job, trouble)):
                raise
            if trouble is not None and trouble.code == NO_COMMON_SERVER:
                async with job.store.write("left") as tx:
                    await asking.ask(tx, job.home.id, job.now())
        await job.once("closed_dm", _nothing)
    if post.fallback is None:
        what = "a message" if post.card is None else "a card"
        raise GiveUp("closed-dm", f"<@{user}> takes no direct messages from me; {what} meant for them stays unsent.")
    pings = tuple(dict.fromkeys((user, *message.ping_users)))
    if has_card_map(post.card):
        message = await _message(job, post, Audience(place=post.fallback))  # where others may see it too
    above = f"<@{user}>{why}"
    layout = message.layout.headed(above) if message.layout else None
    message = replace(message, text=f"{above}\n{message.text}", layout=layout, ping_users=pings)
    await _post_at(job, post.fallback, message, "f", standing)


def _is_refused_plain(job: OutboxJob, trouble: Trouble | None) -> bool:
    """Whether Discord does not take a message even without pictures and buttons: then it goes to another place."""
    return trouble is not None and trouble.kind is TroubleKind.REFUSED and job.item.id in job.shared.plain


async def _is_still_theirs(job: OutboxJob, post: Post, user: int) -> bool:
    """Whether the reader of a side's business, which falls back to its channel, commands that side still."""
    kind, side = kind_of(post.fallback or "")
    if kind != "side":
        return True
    async with job.store.read() as tx:
        found = await tx.campaigns.find_seat(job.home.id, user)
    return found is not None and found[1] == side


async def _post_at(job: OutboxJob, place: str, message: Message, step: str, standing: Standing = NO_PROMPT) -> None:
    async def use(channel_id: int) -> None:
        await send(job, channel_id, message.pinging(), step, standing)

    await at_place(job, place, use)


async def _message(job: OutboxJob, post: Post, audience: Audience) -> Message:
    """A post's content, prepared for those who will see it. A prompt that closed meanwhile comes without components."""
    if job.item.id in job.shared.plain:
        left_out = PLAIN if post.card is not None or post.files else ""
        return Message(text=f"{post.content}\n{left_out}".strip())
    notes: list[str] = []
    card = post.card
    if card is not None and post.prompt is not None and not await copies.is_open(job, post.prompt):
        notes.append(ALREADY_CLOSED)
        card = None
    made = await files_of(job, (*post.files, *(card.files if card else ())), audience)
    text = "\n".join(line for line in (post.content, *made.notes, *notes) if line)
    return replace(compose.message_of(card or Card(""), made.files, made.notes), text=text)


async def _notify(job: OutboxJob, text: str) -> None:
    """Tell the referee of trouble: in the referee's channel, else by direct message. Where neither is to be had it
    waits until one is."""
    message = Message(text, ping_users=(job.home.referee_id,)).pinging()
    if "channel_shut" not in job.results and await job.place(REFEREE_PLACE) is not None:
        try:
            await in_place(job, REFEREE_PLACE, lambda channel_id: send(job, channel_id, message, "n"))
            return
        except Exception as error:
            trouble = classify(error)
            if trouble is not None and trouble.kind is TroubleKind.RETRY:
                raise
        await job.once("channel_shut", _nothing)
    try:
        await send(job, await job.exit.direct_channel(job.home.referee_id), Message(text), "m")
    except discord.HTTPException as error:
        trouble = classify(error)
        if trouble is None or trouble.kind is TroubleKind.RETRY:
            raise
        job.results.pop("channel_shut", None)  # the channel is tried first again
        raise Waiting("unreached", "") from error


async def _nothing() -> bool:
    return True


# --- battles ------------------------------------------------------------------------------------------------------


async def _open_battle(job: OutboxJob, battle: BattleThread) -> None:
    """A battle's private thread with its set-up, which calls its commanders."""
    await places.set_others_thread_aside(job, battle)
    made = await files_of(job, battle.files, Audience(place=battle_place(battle.key)))
    text = "\n".join(line for line in (battle.content, *made.notes) if line)
    for last in (False, True):
        thread_id = await open_thread(job, battle)
        called = tuple(await parties_commanders(job, battle))
        try:
            await send(job, thread_id, Message(text, made.files, ping_users=called).pinging(), "t")
            return
        except discord.HTTPException as error:
            if last or not _is(error, TroubleKind.GONE):
                raise


async def _admit(job: OutboxJob, effect: Admit) -> None:
    """Let a battle's new commander see its thread, if they still command a party and it is open and still there."""
    key, user_id = effect.key, effect.user_id
    thread_id = await job.place(battle_place(key))
    if thread_id is None or await places.is_over(job, key) or not await _is_partys_commander(job, key, user_id):
        return
    with _unless_gone():
        await in_open_thread(job, thread_id, lambda: admit(job, thread_id, user_id))
    await places.close_if_over(job, key, thread_id)


async def _is_partys_commander(job: OutboxJob, key: str, user_id: int) -> bool:
    async with job.store.read() as tx:
        found = await tx.campaigns.find_seat(job.home.id, user_id)
        made_from = await tx.outbox.latest(job.home.id, "thread", key)
    sides = made_from.sides if isinstance(made_from, BattleThread) else ()
    return found is not None and (found[1] in sides if sides else found[1] not in {None, SPECTATOR})


async def _dismiss(job: OutboxJob, user_id: int) -> None:
    """Take somebody who has left out of every battle's thread, also out of those that are archived."""
    for key, thread_id in (await job.places()).items():
        if kind_of(key)[0] in {"battle", "past-battle"} and f"r{thread_id}" not in job.results:
            with _unless_gone():
                await _take_out(job, key, thread_id, user_id)
            await job.once(f"r{thread_id}", _nothing)


async def _take_out(job: OutboxJob, key: str, thread_id: int, user_id: int) -> None:
    """Nobody can be taken out of an archived thread: it is opened for that, and closed again if its battle is over."""
    was_archived = f"z{thread_id}"
    if was_archived not in job.results:
        try:
            await job.exit.remove_from_thread(thread_id, user_id)
            return
        except discord.HTTPException as error:
            if not _is(error, TroubleKind.ARCHIVED):
                raise
        if not await job.exit.is_in_thread(thread_id, user_id):
            return
        await job.once(was_archived, _nothing)
        await job.save()  # before it is opened: whoever goes on after a crash finds it open, and must close it
    await job.exit.archive(thread_id, archived=False)
    with _unless_gone():
        await job.exit.remove_from_thread(thread_id, user_id)
    kind, battle = kind_of(key)
    if kind == "past-battle":
        await close_thread(job, thread_id)
    else:
        await places.close_if_over(job, battle, thread_id)


async def _archive(job: OutboxJob, effect: Archive) -> None:
    """Say in a battle's thread that it is over, and close it, if it is still there."""
    thread_id = await job.place(battle_place(effect.key))
    if thread_id is None:
        return
    try:
        if effect.content:
            await in_open_thread(job, thread_id, lambda: send(job, thread_id, Message(effect.content), "a"))
        await close_thread(job, thread_id)
    except discord.HTTPException as error:
        if not _is(error, TroubleKind.GONE):
            raise
        async with job.store.write("place") as tx:
            await tx.places.forget(job.home.id, thread_id)


async def _wake(job: OutboxJob, battle: str) -> None:
    """Keep an open battle's thread awake; one that was deleted is made again."""
    if await places.is_over(job, battle):
        return
    thread_id = await job.place(battle_place(battle))
    if thread_id is not None:
        try:
            await job.exit.stir(thread_id)
            await places.close_if_over(job, battle, thread_id)  # which it may have been made meanwhile
            return
        except discord.HTTPException as error:
            if not _is(error, TroubleKind.GONE):
                raise
    await places.restore(job, battle_place(battle))


def _is(error: discord.HTTPException, kind: TroubleKind) -> bool:
    trouble = classify(error)
    return trouble is not None and trouble.kind is kind


@contextmanager
def _unless_gone() -> Generator[None]:
    """A thread or a member that is not there any more is no trouble."""
    try:
        yield
    except discord.HTTPException as error:
        if not (_is(error, TroubleKind.NO_MEMBER) or _is(error, TroubleKind.GONE)):
            raise


# --- names ------------------------------------------------------------------------------------------------------


async def _rename(job: OutboxJob, side: str) -> None:
    """Call a side's role and channel as it is called now. What was deleted is made again, under that name."""
    try:
        await building.rename(job, side, await building.known(job, side))
    except discord.HTTPException as error:
        if not _is(error, TroubleKind.GONE):
            raise
        await building.rename(job, side, await building.ensure(job))
