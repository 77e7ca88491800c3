"""Sending messages: part by part, each once, with the files that can be made."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import discord

from bot.delivery import advice
from bot.delivery.composing.layouts import with_wide_pictures
from bot.delivery.composing.making import Audience, MadeFiles
from bot.delivery.doubt import find_message, nonce_of
from bot.delivery.job import OutboxJob, Write, log
from bot.delivery.prepared import Message
from bot.delivery.trouble import Trouble, TroubleKind, classify
from bot.records.components import Card
from bot.records.files import CardMapFile, FileSpec
from bot.records.prompts import PromptCopy
from bot.store.transaction import Transaction

UNKNOWN_MESSAGE = 10008
"""Discord's code: there is no such message."""


@dataclass(frozen=True, slots=True)
class Standing:
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


NO_PROMPT = Standing()


async def send(job: OutboxJob, channel_id: int, message: Message, step: str, standing: Standing = NO_PROMPT) -> None:
    """All parts, each once; the last one, which carries the components, is the prompt's message, and becomes a layout
    if there is one as soon as it stands. Several pictures are a reason for one."""
    parts = with_wide_pictures(message).parts()
    for number, part in enumerate(parts):
        name = f"{step}{number}"
        stood = job.results.get(name)
        if isinstance(stood, list) and stood[0] != channel_id:
            job.forget_messages_in(stood[0])  # the place had another channel then, which is gone

        async def call(part: Message = part, name: str = name) -> list[int]:
            return [channel_id, await job.exit.post(channel_id, part, nonce_of(job, name))]

        async def find(part: Message = part, name: str = name) -> list[int] | None:
            return await find_message(job, channel_id, part, name)

        stands = await job.once(name, call, find=find, also=standing.at if number == len(parts) - 1 else None)
        if part.layout:
            await _lay_out(job, stands, part, f"{name}l")


async def _lay_out(job: OutboxJob, stands: list[int], part: Message, step: str) -> None:
    """Turn a message that was posted into its layout. Once more does no harm, so that nothing is looked for."""
    channel_id, message_id = stands

    async def call() -> bool:
        try:
            await job.exit.edit(channel_id, message_id, replace(part, ping_users=()))
        except discord.HTTPException as error:
            trouble = classify(error)
            if error.code == UNKNOWN_MESSAGE:
                log.info("post.deleted", row=job.item.id)  # by somebody, as soon as it stood
                return False
            if trouble is None or trouble.kind is not TroubleKind.REFUSED:
                raise
            await _note_plain(job, trouble)
            return False
        return True

    await job.once(step, call)


async def _note_plain(job: OutboxJob, trouble: Trouble) -> None:
    """Discord does not take a message's layout: it stands as it was posted, in words and rows, and the referee is
    told."""
    label = f"{job.item.effect.kind}, row {job.item.id}, {trouble.label}"
    then = "It stands as a plain message, without its pictures; its buttons work."
    log.warning("post.plain", row=job.item.id, trouble=trouble.label)
    async with job.store.write("plain") as tx:
        await advice.tell(tx, job.home.id, advice.refused(job.item.effect, job.home, label, then), job.now())


async def files_of(job: OutboxJob, specs: Sequence[FileSpec], audience: Audience) -> MadeFiles:
    """The files, and what must be said about them. Maps that somebody gets alone look as they have chosen."""
    theme = job.home.theme
    if audience.user_id and any(isinstance(spec, CardMapFile) for spec in specs):
        async with job.store.read() as tx:
            theme = await tx.readers.theme(audience.user_id) or theme
    return await job.shared.files.made(specs, job.home.id, audience, theme)


def has_card_map(card: Card | None) -> bool:
    """Whether a card holds a map, which not everybody may see who sees the card."""
    return card is not None and any(isinstance(spec, CardMapFile) for spec in card.files)
