"""Interactions: from a seat's action to the bot's last follow-up.

An interaction must be answered within 3 s, once; its token serves follow-ups for 15 min. Nothing is written to disk
before the event has been sent through the gateway; an interaction is kept once the bot has answered it.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from bot.playground.world import payloads
from bot.playground.world.bodies import MessageBody, RequestBody, read_message_body
from bot.playground.world.clock import Clock, Timer
from bot.playground.world.config import PlaygroundConfig
from bot.playground.world.errors import BodyErrors, refuse
from bot.playground.world.json_values import JsonObject
from bot.playground.world.messages import MessageOrigin, Messages
from bot.playground.world.modals import check_modal
from bot.playground.world.model import EPHEMERAL, LOADING, Channel, Interaction, Message
from bot.playground.world.world import Event, World

COMMAND, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 2, 3, 4, 5
MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9

TOKEN_LIFETIME = 15 * 60.0

_RESPONSE_NAMES = {
    MESSAGE: "message",
    DEFERRED: "deferred",
    DEFERRED_UPDATE: "deferred_update",
    UPDATE: "update",
    CHOICES: "choices",
    MODAL: "modal",
}


@dataclass(slots=True)
class FirstResponse:
    """How an interaction was first answered; times in monotonic nanoseconds."""

    name: str
    message: Message | None = None
    modal: JsonObject | None = None
    choices: list[JsonObject] = field(default_factory=list[JsonObject])
    error: str | None = None
    t_callback: int | None = None


@dataclass(slots=True)
class PendingInteraction:
    """An interaction that waits for the bot's first response; `t_dispatch` is in monotonic nanoseconds."""

    interaction: Interaction
    answer: asyncio.Future[FirstResponse]
    timer: Timer
    t_dispatch: int = 0


class Interactions:
    """Delivers interactions to the bot and takes its answers."""

    def __init__(self, world: World, messages: Messages, clock: Clock, config: PlaygroundConfig) -> None:
        self.world = world
        self.messages = messages
        self.clock = clock
        self.attachment_limit = config.attachment_limit
        #: Seconds that those opened from now on wait for their first response.
        self.first_answer_within = config.first_answer_within
        #: Sends INTERACTION_CREATE to the session that serves the guild; the server sets it to the gateway's.
        self.dispatch: Callable[[str | None, JsonObject], None] = lambda guild_id, payload: None
        self._pending: dict[str, PendingInteraction] = {}
        self._by_token: dict[str, Interaction] = {entry.token: entry for entry in world.interactions.values()}
        self._expire()

    # --- from a seat to the bot ----------------------------------------------------------------------------------

    def open(
        self,
        kind: int,
        user_id: str,
        channel: Channel,
        data: JsonObject,
        *,
        message: Message | None = None,
        opener: Interaction | None = None,
        command_line: str | None = None,
    ) -> PendingInteraction:
        """Deliver an interaction; `opener` is the one that opened the modal being submitted."""
        world = self.world
        with_bot = channel.guild_id is None and world.bot_id in channel.recipients
        interaction = Interaction(
            id=world.new_id(),
            token=secrets.token_urlsafe(48),
            type=kind,
            user_id=user_id,
            channel_id=channel.id,
            guild_id=channel.guild_id,
            created=self.clock.now(),
            context=0 if channel.guild_id is not None else 1 if with_bot else 2,
            command_line=command_line or (opener.command_line if opener else None),
            command_name=data.get("name") if kind == COMMAND else opener.command_name if opener else None,
            message_id=None if message is None else message.id,
        )
        interaction.metadata = self._metadata(interaction, opener)
        pending = PendingInteraction(
            interaction,
            asyncio.get_running_loop().create_future(),
            self.clock.call_later(self.first_answer_within, lambda: self._fail(interaction.id)),
        )
        self._pending[interaction.id] = pending
        self._by_token[interaction.token] = interaction
        payload = self._payload(interaction, channel, data, message)
        pending.t_dispatch = time.monotonic_ns()
        self.dispatch(channel.guild_id, payload)
        return pending

    def _metadata(self, interaction: Interaction, opener: Interaction | None) -> JsonObject:
        metadata: JsonObject = {
            "id": interaction.id,
            "type": interaction.type,
            "user_id": interaction.user_id,
            "authorizing_integration_owners": self._owners(interaction.guild_id),
        }
        if interaction.type == COMPONENT:
            metadata["interacted_message_id"] = interaction.message_id
        if interaction.type == MODAL_SUBMIT and opener is not None:
            metadata["trigger"] = opener.metadata
        if interaction.type == COMMAND:
            metadata["line"] = interaction.command_line or interaction.command_name
        return metadata

    @staticmethod
    def _owners(guild_id: str | None) -> dict[str, str]:
        return {"0": guild_id or "0"}

    def _payload(
        self, interaction: Interaction, channel: Channel, data: JsonObject, message: Message | None
    ) -> JsonObject:
        world = self.world
        user = world.users[interaction.user_id]
        channel_body = payloads.channel(world, channel)
        bits = str(world.permissions(user.id, channel))
        payload: JsonObject = {
            "id": interaction.id,
            "application_id": world.application_id,
            "type": interaction.type,
            "token": interaction.token,
            "version": 1,
            "data": data,
            "channel": {**channel_body, "permissions": bits},
            "channel_id": channel.id,
            "locale": user.locale,
            "app_permissions": str(world.permissions(world.bot_id, channel)),
            "authorizing_integration_owners": self._owners(channel.guild_id),
            "context": interaction.context,
            "entitlements": [],
            "attachment_size_limit": self.attachment_limit,
        }
        if channel.guild_id is None:
            payload["user"] = payloads.user(user)
        else:
            member = world.members[channel.guild_id][user.id]
            payload["guild_id"] = channel.guild_id
            payload["guild"] = {"id": channel.guild_id, "locale": "en-US", "features": []}
            payload["guild_locale"] = "en-US"
            payload["member"] = {**payloads.member(world, member), "permissions": bits}
        if message is not None:
            payload["message"] = payloads.message(world, message)
        return payload

    def _fail(self, interaction_id: str) -> None:
        pending = self._pending.pop(interaction_id, None)
        if pending is None:
            return
        interaction = pending.interaction
        interaction.failed = True
        text = "The application did not respond" if interaction.type == COMMAND else "This interaction failed"
        if interaction.type != AUTOCOMPLETE:
            self.world.emit(
                Event("INTERACTION_FAILED", interaction.guild_id, detail={"interaction": interaction, "text": text})
            )
            self.world.commit()
        if not pending.answer.done():
            pending.answer.set_result(FirstResponse("failed", error=text))

    # --- the first answer ----------------------------------------------------------------------------------------

    def answer(self, interaction_id: str, token: str, request: RequestBody, *, received: int) -> JsonObject:
        """Take the callback; returns what `with_response` asks for.

        `received` is when its headers came, in monotonic nanoseconds.
        """
        interaction = self._by_token.get(token)
        if interaction is None or interaction.id != interaction_id or interaction.failed:
            raise refuse("unknown_interaction")
        if interaction.response is not None:
            raise refuse("acknowledged")
        pending = self._pending.get(interaction_id)
        if pending is None:
            raise refuse("unknown_interaction")
        kind = request.fields.get("type")
        self._check_type(interaction, kind)
        assert isinstance(kind, int)
        channel = self.world.channel(interaction.channel_id)
        response = self._carry_out(kind, interaction, channel, request)
        response.t_callback = received
        interaction.response = kind
        del self._pending[interaction_id]
        pending.timer.cancel()
        if kind != CHOICES:
            self.world.touch(interaction)
            self.world.emit(
                Event(
                    "INTERACTION_ANSWERED",
                    interaction.guild_id,
                    channel,
                    response.message,
                    {"interaction": interaction, "first_response": response},
                )
            )
        if not pending.answer.done():
            pending.answer.set_result(response)
        return self._callback_response(interaction, kind, response)

    def _check_type(self, interaction: Interaction, kind: Any) -> None:
        allowed = {
            COMMAND: (MESSAGE, DEFERRED, MODAL),
            COMPONENT: (MESSAGE, DEFERRED, DEFERRED_UPDATE, UPDATE, MODAL),
            AUTOCOMPLETE: (CHOICES,),
            MODAL_SUBMIT: (MESSAGE, DEFERRED),
        }[interaction.type]
        if interaction.type == MODAL_SUBMIT and interaction.message_id is not None:
            allowed = (*allowed, DEFERRED_UPDATE, UPDATE)
        if kind not in allowed:
            errors = BodyErrors()
            errors.choices("type", "{" + ", ".join(map(str, allowed)) + "}")
            errors.check()

    def _carry_out(self, kind: int, interaction: Interaction, channel: Channel, request: RequestBody) -> FirstResponse:
        response = FirstResponse(_RESPONSE_NAMES[kind])
        if kind == CHOICES:
            response.choices = _check_choices(request.fields.get("data") or {})
        elif kind == MODAL:
            response.modal = check_modal(request.fields.get("data"))
            interaction.modal = response.modal
            interaction.modal_open = True
        elif kind == MESSAGE:
            body = read_message_body(request, limit=self.attachment_limit, prefix="data")
            response.message = self._post(interaction, channel, body)
            interaction.original_id = response.message.id
        elif kind == DEFERRED:
            data: JsonObject = request.fields.get("data") or {}
            flags: int = data.get("flags") or 0
            body = MessageBody(frozenset(), flags=flags & EPHEMERAL)
            response.message = self._post(interaction, channel, body, flags=LOADING)
            interaction.original_id = response.message.id
        else:
            source = self._source(interaction)
            response.message = source
            interaction.original_id = interaction.message_id
            if kind == UPDATE:
                if source is None:
                    raise refuse("unknown_message")
                body = read_message_body(
                    request, limit=self.attachment_limit, prefix="data", base_flags=source.flags, edit=True
                )
                self.messages.edit(source, channel, body)
        return response

    def _source(self, interaction: Interaction) -> Message | None:
        return self.world.messages.get(interaction.channel_id, {}).get(interaction.message_id or "")

    def _post(self, interaction: Interaction, channel: Channel, body: MessageBody, *, flags: int = 0) -> Message:
        world = self.world
        hidden = bool(body.flags & EPHEMERAL)
        # An answer to a command, or to a modal that one opened, is of type 20; an answer to a press replies to the
        # message with the button.
        source = self._source(interaction) if interaction.type != COMMAND else None
        origin = MessageOrigin(
            author_id=world.bot_id,
            webhook_id=world.application_id,
            interaction=interaction.metadata,
            reader_id=interaction.user_id if hidden else None,
            type=20 if interaction.message_id is None else 0,
        )
        message = self.messages.create(channel, body, origin, flags=flags)
        if source is not None and origin.type == 0:
            message.type = 19
            message.reference = {"type": 0, "channel_id": channel.id, "message_id": source.id}
            if channel.guild_id is not None:
                message.reference["guild_id"] = channel.guild_id
        return message

    def _callback_response(self, interaction: Interaction, kind: int, response: FirstResponse) -> JsonObject:
        head: JsonObject = {"id": interaction.id, "type": interaction.type}
        body: JsonObject = {"interaction": head}
        message = response.message
        if message is not None and kind in (MESSAGE, DEFERRED, UPDATE):
            head |= {
                "response_message_id": message.id,
                "response_message_loading": bool(message.flags & LOADING),
                "response_message_ephemeral": message.ephemeral,
                "channel_id": interaction.channel_id,
            }
            if interaction.guild_id is not None:
                head["guild_id"] = interaction.guild_id
            if kind != DEFERRED:
                body["resource"] = {"type": kind, "message": payloads.message(self.world, message)}
        return body

    # --- follow-ups ----------------------------------------------------------------------------------------------

    def by_token(self, application_id: str, token: str) -> Interaction:
        """The answered interaction behind a webhook token; expired and unknown tokens are refused."""
        interaction = self._by_token.get(token)
        if interaction is None or application_id != self.world.application_id or interaction.response is None:
            raise refuse("unknown_webhook")
        if self.clock.now() - interaction.created > TOKEN_LIFETIME:
            raise refuse("webhook_token")
        return interaction

    def follow_up(self, interaction: Interaction, request: RequestBody) -> Message:
        """Post a follow-up; the first one after a deferral fills the waiting message."""
        channel = self.world.channel(interaction.channel_id)
        original = self.world.messages.get(channel.id, {}).get(interaction.original_id or "")
        body = read_message_body(request, limit=self.attachment_limit)
        if interaction.response == DEFERRED and original is not None and original.flags & LOADING:
            whole = MessageBody(frozenset({"content", "embeds", "components", "attachments", "flags"}))
            for name in ("content", "embeds", "components", "attachments", "uploads", "flags", "allowed_mentions"):
                setattr(whole, name, getattr(body, name))
            return self._followed(interaction, channel, self.messages.edit(original, channel, whole, loaded=True))
        return self._followed(interaction, channel, self._post(interaction, channel, body))

    def response_message(self, interaction: Interaction, message_id: str) -> Message:
        """A message that may be changed with this token: `@original` or one of its follow-ups."""
        wanted = interaction.original_id if message_id == "@original" else message_id
        message = self.world.message(interaction.channel_id, wanted or "")
        answers = message.interaction is not None and message.interaction["id"] == interaction.id
        if not answers and message.id != interaction.original_id:
            raise refuse("unknown_message")
        return message

    def edit(self, interaction: Interaction, message: Message, request: RequestBody) -> Message:
        channel = self.world.channel(interaction.channel_id)
        body = read_message_body(request, limit=self.attachment_limit, base_flags=message.flags, edit=True)
        edited = self.messages.edit(message, channel, body, loaded=bool(message.flags & LOADING))
        return self._followed(interaction, channel, edited)

    def _followed(self, interaction: Interaction, channel: Channel, message: Message) -> Message:
        """Tell of a message that was posted or changed with an interaction's token: what was deferred has come."""
        self.world.emit(
            Event("INTERACTION_FOLLOWED", interaction.guild_id, channel, message, {"interaction": interaction})
        )
        return message

    def close_modal(self, interaction: Interaction) -> None:
        interaction.modal_open = False
        self.world.touch(interaction)
        self.world.emit(Event("MODAL_CLOSED", interaction.guild_id, detail={"interaction": interaction}))

    def open_modals(self, user_id: str) -> list[Interaction]:
        return [entry for entry in self.world.interactions.values() if entry.user_id == user_id and entry.modal_open]

    def _expire(self) -> None:
        """Forget interactions whose tokens have expired, now and every minute."""
        limit = self.clock.now() - TOKEN_LIFETIME
        for token, interaction in list(self._by_token.items()):
            if interaction.created < limit and not interaction.modal_open and interaction.id not in self._pending:
                del self._by_token[token]
                if interaction.id in self.world.interactions:
                    self.world.remove(interaction)
        self.clock.call_later(60.0, self._expire)


def _check_choices(data: JsonObject) -> list[JsonObject]:
    errors = BodyErrors()
    choices: list[JsonObject] = data.get("choices") or []
    if len(choices) > 25:
        errors.bad_length("data.choices", 0, 25)
    for i, choice in enumerate(choices):
        errors.text(f"data.choices.{i}.name", choice.get("name"), 1, 100)
        if isinstance(choice.get("value"), str):
            errors.text(f"data.choices.{i}.value", choice["value"], 0, 100)
    errors.check()
    return [{"name": choice["name"], "value": choice["value"]} for choice in choices]
