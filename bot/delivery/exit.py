"""The one exit: all content that leaves for Discord leaves through this module, and is prepared.

It knows nothing of campaigns, and what carries no content is called in :mod:`bot.delivery.calls.server`. Every message
says who may be pinged (nobody, unless opted in), keeps Discord's limits, and every call passes a crash point before and
after, so that tests can kill the process there.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import discord
from discord import app_commands

from bot.delivery.calls.at_work import MessagesAtWork, files_now
from bot.delivery.calls.call import called
from bot.delivery.calls.first_answer import Kind, first_answer
from bot.delivery.calls.pace import DirectChannels
from bot.delivery.calls.server import ServerCalls
from bot.delivery.composing.layouts import plain_layout, with_wide_pictures
from bot.delivery.composing.made_layout import LAYOUT_FLAG, Kept, MadeLayout, files_of, ids_of, pieces_of, words_of
from bot.delivery.prepared import Message
from bot.delivery.signs.table import Signs, with_signs
from bot.records.signs.marks import bare


@dataclass(frozen=True, slots=True)
class Sent:
    """A message of the bot as it stands in a channel. One that ``is_layout`` has the words of its blocks as text, and
    the ``ids`` of its buttons and menus are those that stand in it."""

    id: int
    nonce: str | None
    text: str
    file_names: tuple[str, ...]
    is_layout: bool = False
    ids: frozenset[str] = frozenset()

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Sent":
        """From Discord's JSON."""
        pieces = list(pieces_of(data.get("components") or ()))
        is_layout = bool(data.get("flags", 0) & LAYOUT_FLAG)
        return cls(
            id=int(data["id"]),
            nonce=None if data.get("nonce") is None else str(data.get("nonce")),
            text=words_of(pieces) if is_layout else data["content"],
            file_names=(
                *(file["filename"] for file in data["attachments"]),
                *(file.filename for file in files_of(pieces)),
            ),
            is_layout=is_layout,
            ids=ids_of(pieces),
        )


class Exit(ServerCalls):
    """What the outbox does on Discord. Errors are discord.py's own; :mod:`bot.delivery.trouble` reads them."""

    def __init__(self, client: discord.Client, at_work: MessagesAtWork | None = None) -> None:
        super().__init__(client)
        self._at_work = at_work or MessagesAtWork()
        self._direct = DirectChannels(self._open_direct_channel)

    @property
    def bot_id(self) -> int:
        """The bot's own user."""
        if self._client.user is None:
            raise RuntimeError("deliver only once the client is logged in")
        return self._client.user.id

    async def post(self, channel_id: int, part: Message, nonce: str) -> int:
        """Send one part; Discord drops a second one with the same nonce for some minutes. Gives its id.

        What is to become a layout comes as words and rows, of which Discord notifies; its files come with the layout.
        """
        channel = self._client.get_partial_messageable(channel_id)

        async def send(signs: Signs) -> discord.Message:
            files = () if part.layout else part.files
            options: dict[str, Any] = {"files": [file.file() for file in files]} if files else {}
            if part.view:
                options["view"] = signs.view(part.view)
            text, mentions = signs.text(part.text) or None, part.allowed_mentions()
            return await called("post", channel.send, text, nonce=nonce, allowed_mentions=mentions, **options)

        return (await with_signs(self._client, send)).id

    async def edit(self, channel_id: int, message_id: int, message: Message) -> None:
        """Replace all that a message says by a layout, whatever it was: what is one can never be anything else again.

        Files are kept if the layout shows them by their names and ``message`` brings none.
        """
        whole = message.whole()
        target = self._client.get_partial_messageable(channel_id).get_partial_message(message_id)
        layout = whole.layout or plain_layout(whole)

        async def edit(signs: Signs) -> discord.Message:
            return await called("edit", target.edit, **_as_layout(whole, layout, signs))

        await self._at_work.edit(message_id, lambda: with_signs(self._client, edit))

    async def direct_channel(self, user_id: int) -> int:
        """The channel of direct messages with a user."""
        return await self._direct.of(user_id)

    async def _open_direct_channel(self, user_id: int) -> int:
        return (await called("direct_channel", self._client.create_dm, discord.Object(user_id))).id

    async def message(self, channel_id: int, message_id: int) -> Sent:
        """A message as it stands now."""
        return Sent.of(await self._http.get_message(channel_id, message_id))

    async def own_messages(self, channel_id: int, after: int) -> list[Sent]:
        """The bot's messages since the snowflake ``after``, oldest first. All of them, page by page."""
        found: list[Sent] = []
        while True:
            page = await self._http.logs_from(channel_id, 100, after=after)
            found += [Sent.of(data) for data in page if int(data["author"]["id"]) == self.bot_id]
            if len(page) < 100:
                return sorted(found, key=lambda sent: sent.id)
            after = max(int(data["id"]) for data in page)


def _as_layout(
    message: Message, layout: MadeLayout, signs: Signs, kept: Sequence[discord.Attachment | Kept] = ()
) -> dict[str, Any]:
    """The options of an edit into a layout. Of its files those ``kept`` are named again, as Discord wants it."""
    options: dict[str, Any] = {"content": None, "view": signs.view(layout)}
    options["allowed_mentions"] = message.allowed_mentions()
    if message.files:
        there = {file.filename: file for file in kept}
        options["attachments"] = [there.get(file.name) or file.file() for file in message.files]
    elif kept:
        options["attachments"] = list(kept)
    elif not layout.names:
        options["attachments"] = []  # what nothing shows any more
    return options


# --- answers to interactions: to whom they are shown is decided here, once ----------------------------------------


async def reply(interaction: discord.Interaction[Any], message: Message, *, public: bool = False) -> None:
    """Answer for the caller's eyes only, unless ``public``; a long answer takes several messages, and one with several
    pictures is a frame.

    Works before and after the interaction was acknowledged.
    """
    named = with_wide_pictures(message.named(alone=not public))
    for part in [named] if named.layout else named.parts():

        def options(signs: Signs, part: Message = part) -> dict[str, Any]:
            given: dict[str, Any] = {"files": [file.file() for file in part.files]} if part.files else {}
            if view := part.layout or part.view:
                given["view"] = signs.view(view)
            if part.text and not part.layout:
                given["content"] = signs.text(part.text)
            return given | {"ephemeral": not public, "allowed_mentions": part.allowed_mentions()}

        async def send(signs: Signs, options: Callable[[Signs], dict[str, Any]] = options) -> None:
            say = interaction.response.send_message
            if not await first_answer(interaction).give(Kind.channel_message, "reply", lambda: say(**options(signs))):
                await called("followup", interaction.followup.send, **options(signs))

        await with_signs(interaction.client, send)


async def defer(interaction: discord.Interaction[Any], *, update: bool = False) -> None:
    """Win time: "thinking" for the caller's eyes only, or (``update``) silently, to change the pressed message.

    Does nothing where the interaction was answered before, for instance since the caller's turn was long in coming.
    """
    kind = Kind.deferred_message_update if update else Kind.deferred_channel_message
    wait = interaction.response.defer
    await first_answer(interaction).give(kind, "defer", lambda: wait(ephemeral=True, thinking=not update))


async def update_message(interaction: discord.Interaction[Any], message: Message) -> None:
    """Replace the message whose component was pressed. A text that is too long goes along as a file.

    A message that is a layout becomes one again, whatever it is to say; one that is not becomes one if ``message`` is.
    """
    pressed = None if first_answer(interaction).is_own_message else interaction.message
    is_alone = interaction.guild_id is None or pressed is None or pressed.flags.ephemeral
    whole = message.named(alone=is_alone).whole()
    if whole.layout is None and (pressed is None or not pressed.flags.components_v2):
        try:
            await _edit_pressed(interaction, lambda signs: _as_words(whole, signs))
        except discord.HTTPException as error:
            if error.status != _MALFORMED or pressed is None:
                raise
        else:
            return
        # It has become a layout since it was pressed.
    layout = whole.layout or plain_layout(whole)
    there = () if pressed is None else await files_now(interaction)
    shown = [file for file in there if file.filename in layout.names]
    await _edit_pressed(interaction, lambda signs: _as_layout(whole, layout, signs, shown))


_MALFORMED = 400


def _as_words(message: Message, signs: Signs) -> dict[str, Any]:
    given: dict[str, Any] = {"attachments": [file.file() for file in message.files]} if message.files else {}
    given |= {"content": signs.text(message.text), "view": message.view and signs.view(message.view)}
    return given | {"allowed_mentions": message.allowed_mentions()}


async def edit_answer(interaction: discord.Interaction[Any], message: Message, *, instead_of: MadeLayout) -> None:
    """Replace an answer by a message with files of its own, if it says still what it said as ``instead_of``."""
    stands = [one.to_dict() for one in (await interaction.original_response()).components]
    if bare(words_of(pieces_of(stands))) == bare(instead_of.words):
        layout = message.layout or plain_layout(message)
        edit = interaction.edit_original_response

        async def send(signs: Signs) -> None:
            await called("edit_answer", edit, **_as_layout(message, layout, signs))

        await with_signs(interaction.client, send)


async def _edit_pressed(interaction: discord.Interaction[Any], options: Callable[[Signs], dict[str, Any]]) -> None:
    async def edit(signs: Signs) -> None:
        change = interaction.response.edit_message
        first = first_answer(interaction)
        if not await first.give(Kind.message_update, "update_message", lambda: change(**options(signs))):
            await called("update_message", interaction.edit_original_response, **options(signs))

    await with_signs(interaction.client, edit)


async def open_modal(interaction: discord.Interaction[Any], modal: discord.ui.Modal) -> None:
    """Open a form. discord.py does not keep it (two users' forms could be mixed up): submissions are routed by id.

    Discord takes a form only as the first answer. Where time had to be won before, the caller is asked to press again.
    """
    modal.stop()
    show = interaction.response.send_modal
    if not await first_answer(interaction).give(Kind.modal, "open_modal", lambda: show(modal)):
        is_typed = interaction.type is discord.InteractionType.application_command
        again = "Give the command" if is_typed else "Press"
        await reply(interaction, Message(f"That took a moment, too long to open a form. {again} once more."))


async def complete(interaction: discord.Interaction[Any], choices: Sequence[tuple[str, str | int]]) -> None:
    """Answer an autocompletion with ``(name, value)`` pairs: the first 25, long names visibly shortened."""
    made = [
        app_commands.Choice(name=name if len(name) <= 100 else f"{name[:99]}…", value=value)
        for name, value in choices[:25]
    ]
    offer = interaction.response.autocomplete
    await first_answer(interaction).give(Kind.autocomplete_result, "complete", lambda: offer(made))
