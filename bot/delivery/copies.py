"""The messages in which prompts stand: shown anew, closed, and given the picture that their answer did not wait for."""

from collections.abc import Awaitable, Callable

import discord

from bot.delivery import advice, compose
from bot.delivery.composing.making import Audience
from bot.delivery.job import OutboxJob, Write, log
from bot.delivery.prepared import Message
from bot.delivery.reconciling.again import give_again
from bot.delivery.sending import files_of, has_card_map
from bot.delivery.trouble import Hold, Trouble, TroubleKind, classify
from bot.records.components import Card
from bot.records.effects import ClosePrompt, Redraw, Refresh
from bot.records.outbox import OutboxItem
from bot.records.prompts import PromptCopy
from bot.records.signs.marks import bare
from bot.store.transaction import Transaction


async def reason_to_hold(tx: Transaction, item: OutboxItem, effect: Refresh | ClosePrompt | Redraw) -> str:
    """Why these messages are not yet to be edited, or nothing: of two edits under way nobody knows which comes last."""
    if isinstance(effect, Redraw):  # one that was under way when the process died goes first, as the others wait for it
        is_shown_anew = not item.in_doubt and await tx.outbox.has_queued(item.campaign_id, "refresh", effect.token)
        return "card before its picture" if is_shown_anew else ""
    if effect.dm is None and await tx.outbox.is_behind(item, "post", effect.token):
        return "post before its edit"
    return "picture under way" if await tx.outbox.is_redrawn(item.campaign_id, effect.token) else ""


async def is_open(job: OutboxJob, token: str) -> bool:
    """Whether a prompt may be answered."""
    async with job.store.read() as tx:
        return await tx.prompts.is_open(token)


async def refresh(job: OutboxJob, effect: Refresh) -> None:
    """Show a prompt's messages with a new card; what its reader has opened in its place stays, as it is now.

    Of several cards for one reader the last is shown: an older one would show for a moment what is no longer so.
    """
    async with job.store.read() as tx:
        if not await tx.prompts.is_open(effect.token) or await tx.outbox.is_outdone(job.item):
            return

    async def anew(copy: PromptCopy) -> Message:
        stands = await job.exit.message(copy.channel_id, copy.message_id)
        opened = await job.shared.opened(effect.token, copy.user_id, stands.ids)
        return await _card_for(job, opened or effect.card, copy)

    await _edit_copies(job, effect.token, anew, dm=effect.dm, only=effect.message, again=effect.card)


async def redraw(job: OutboxJob, effect: Redraw) -> None:
    """Show a message's card with the pictures that it should have by now, if it says still what it said.

    What was saved since has another one behind it, and what says something else brought its own. A message that says
    something else because the answer is still on its way gets its pictures after that.
    """
    async with job.store.read() as tx:
        is_followed = await tx.outbox.is_followed(job.item)
    if is_followed or not await is_open(job, effect.token):
        return

    async def drawn(copy: PromptCopy) -> Message | None:
        message = await _card_for(job, effect.card, copy)
        stands = await job.exit.message(copy.channel_id, copy.message_id)
        says = "" if message.layout is None else bare(message.layout.words)
        return message if bare(stands.text) == says else None

    await _edit_copies(job, effect.token, drawn, only=effect.message)


async def close(job: OutboxJob, effect: ClosePrompt) -> None:
    """Take the components of a prompt's messages away, and say how it closed."""

    async def said(_: PromptCopy) -> Message:
        return Message(effect.content)

    await _edit_copies(job, effect.token, said, dm=effect.dm)


async def _card_for(job: OutboxJob, card: Card, copy: PromptCopy) -> Message:
    """A card, prepared for those who see that message."""
    audience = Audience(copy.user_id)
    if has_card_map(card):
        at = {channel: place for place, channel in (await job.places()).items()}
        audience = Audience(place=at[copy.channel_id]) if copy.channel_id in at else audience
    made = await files_of(job, card.files, audience)
    return await titled(job, compose.message_of(card, made.files, made.notes), copy.user_id)


async def titled(job: OutboxJob, message: Message, reader: int) -> Message:
    """A prompt's message with its campaign in the heading, where its ``reader`` commands sides in several; in a channel
    (0), which is one campaign's and read by others, as it is."""
    if not reader or message.layout is None:
        return message
    async with job.store.read() as tx:
        has_several = await tx.members.commands_several(reader)
    return message.titled(job.home.title) if has_several else message


_REACHED, _UNREACHED, _DELETED = 1, 0, -1
"""What became of a message; the first two are written down as truth values by earlier versions."""


async def _edit_copies(
    job: OutboxJob,
    token: str,
    message_for: Callable[[PromptCopy], Awaitable[Message | None]],
    *,
    dm: int | None = None,
    only: int | None = None,
    again: Card | None = None,
) -> None:
    """Edit the prompt's messages (one user's, or only this one) where there is something to say; forget those that are
    gone. In the place of one that somebody has deleted the card comes ``again``.

    One that somebody uses is left until they are answered, so that the answer does not undo the edit.
    """
    async with job.store.read() as tx:
        copies = await tx.prompts.copies(token, user_id=dm, message_id=only)
    for copy in copies:

        async def call(copy: PromptCopy = copy) -> int:
            _hold_for_answers(job, copy)  # and draw nothing in vain
            try:
                message = await message_for(copy)
                if message is not None:
                    _hold_for_answers(job, copy)  # somebody may have used it meanwhile
                    await job.exit.edit(copy.channel_id, copy.message_id, message)
            except discord.HTTPException as error:
                trouble = classify(error)
                if trouble is None or trouble.kind is TroubleKind.RETRY:
                    raise
                if trouble.kind is TroubleKind.REFUSED:
                    if again is None:
                        raise
                    await _note_again(job, trouble)
                    return _DELETED  # what stands there is out of date: the card is posted anew below it
                log.info("prompt.unreachable", row=job.item.id, channel=copy.channel_id, trouble=trouble.label)
                return _DELETED if trouble.kind in {TroubleKind.NO_MESSAGE, TroubleKind.GONE} else _UNREACHED
            return _REACHED

        def also(reached: int, copy: PromptCopy = copy) -> Write:
            async def write(tx: Transaction) -> None:
                if reached == _DELETED:
                    posts = await give_again(tx, job.home.id, token, copy, again)
                    await tx.outbox.put(job.home.id, *posts, now=job.now())
                elif reached == _UNREACHED:
                    await tx.prompts.forget_copy(token, copy.message_id)

            return write

        await job.once(f"e{copy.message_id}", call, also=also)


async def _note_again(job: OutboxJob, trouble: Trouble) -> None:
    """Discord does not take a card as it is now: it is posted anew, and the referee told."""
    label = f"{job.item.effect.kind}, row {job.item.id}, {trouble.label}"
    text = advice.refused(job.item.effect, job.home, label, "I post it anew.")
    async with job.store.write("again") as tx:
        await advice.tell(tx, job.home.id, text, job.now())


def _hold_for_answers(job: OutboxJob, copy: PromptCopy) -> None:
    if job.shared.at_work.waits_for_an_answer(copy.message_id):
        raise Hold("answer before its edit")
