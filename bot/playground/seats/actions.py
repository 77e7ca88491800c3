"""What a seat does: commands, presses, choices, modals, messages.

Each action first checks whether Discord's own client would let this user take it.
"""

from __future__ import annotations

from typing import Any

from bot.playground.seats import invoke, views
from bot.playground.seats.errors import SeatError
from bot.playground.seats.forms import ModalSubmission, choose
from bot.playground.world import guilds, modals
from bot.playground.world.bodies import MessageBody, RequestBody, Upload, read_message_body
from bot.playground.world.components import SELECTS, find
from bot.playground.world.errors import ApiError
from bot.playground.world.interactions import (
    AUTOCOMPLETE,
    COMMAND,
    COMPONENT,
    MODAL_SUBMIT,
    FirstResponse,
    Interactions,
    PendingInteraction,
)
from bot.playground.world.json_values import JsonObject, is_object
from bot.playground.world.messages import MessageOrigin, Messages
from bot.playground.world.model import Channel, ChannelType, Interaction, Message, ReadMark
from bot.playground.world.permissions import Permission
from bot.playground.world.world import Event, World


class SeatActions:
    """The actions of all seats; `user_id` says whose, `body` is what the seat API was sent."""

    def __init__(self, world: World, messages: Messages, interactions: Interactions, *, limit: int) -> None:
        self.world = world
        self.messages = messages
        self.interactions = interactions
        self.limit = limit

    # --- finding what the user can see ---------------------------------------------------------------------------

    def channel(self, user_id: str, channel_id: str) -> Channel:
        channel = self.world.channels.get(channel_id)
        if channel is None or not self.world.can_view(user_id, channel):
            raise SeatError("unknown_channel", "there is no such channel that you can see")
        return channel

    def message(self, user_id: str, channel_id: str, message_id: str) -> tuple[Channel, Message]:
        channel = self.world.channels.get(channel_id)
        message = None if channel is None else self.world.messages.get(channel_id, {}).get(message_id)
        if channel is None or message is None or not self.world.can_see(user_id, message, channel):
            raise SeatError("unknown_message", "there is no such message that you can see")
        return channel, message

    def history(self, user_id: str, query: dict[str, str]) -> JsonObject:
        channel = self.channel(user_id, query.get("channel", ""))
        numbers = {name: query[name] for name in ("before", "after", "limit") if name in query}
        if not all(value.isdigit() for value in numbers.values()):
            raise SeatError("bad_request", "before, after and limit must be numbers")
        limit = max(1, min(100, int(query.get("limit", 50))))
        found = [
            message
            for message in self.world.messages.get(channel.id, {}).values()
            if message.reader_id in (None, user_id)
            and int(query.get("after", 0)) < int(message.id) < int(query.get("before", 2**63))
        ]
        if not self.world.permissions(user_id, channel) & Permission.READ_MESSAGE_HISTORY:
            found = [message for message in found if message.reader_id == user_id]
        page = found[:limit] if "after" in query else found[-limit:]
        return {
            "messages": [views.message(self.world, user_id, entry) for entry in page],
            "more": len(found) > len(page),
        }

    def pins(self, user_id: str, query: dict[str, str]) -> JsonObject:
        channel = self.channel(user_id, query.get("channel", ""))
        pinned = [entry for entry in self.world.messages.get(channel.id, {}).values() if entry.pinned_at is not None]
        pinned.sort(key=lambda entry: entry.pinned_at or "", reverse=True)
        return {"messages": [views.message(self.world, user_id, entry) for entry in pinned]}

    # --- interactions --------------------------------------------------------------------------------------------

    def _command(self, user_id: str, body: JsonObject, focused: str | None) -> tuple[Channel, JsonObject, str]:
        channel = self.channel(user_id, str(body.get("channel_id")))
        if "guild_id" in body and body["guild_id"] != channel.guild_id:
            raise SeatError("unknown_channel", "that channel is not in that server")
        if channel.is_dm and self.world.bot_id not in channel.recipients:
            raise SeatError("unknown_command", "commands of the bot work in its own direct messages only")
        if channel.archived:
            raise SeatError("archived", "this thread is archived: no commands here")
        if not views.can_use_commands(self.world, user_id, channel):
            raise SeatError("forbidden", "you may not use commands in this channel")
        slash_command = invoke.find(self.world, user_id, channel.guild_id, str(body.get("path")))
        options: Any = body.get("options") or {}
        if not is_object(options):
            raise SeatError("bad_request", "options must be an object of names and values")
        data = invoke.command_data(
            self.world,
            self.messages,
            slash_command,
            channel,
            user_id,
            values=options,
            focused=focused,
            limit=self.limit,
        )
        return channel, data, slash_command.path

    def command(self, user_id: str, body: JsonObject) -> PendingInteraction:
        channel, data, path = self._command(user_id, body, None)
        return self.interactions.open(COMMAND, user_id, channel, data, command_line=path)

    def autocomplete(self, user_id: str, body: JsonObject) -> PendingInteraction:
        focused = body.get("focused")
        if not isinstance(focused, str):
            raise SeatError("bad_request", "focused must name the option that is being typed")
        channel, data, path = self._command(user_id, body, focused)
        return self.interactions.open(AUTOCOMPLETE, user_id, channel, data, command_line=path)

    def _component(self, user_id: str, body: JsonObject) -> tuple[Channel, Message, JsonObject]:
        channel, message = self.message(user_id, str(body.get("channel_id")), str(body.get("message_id")))
        component = find(message.components, str(body.get("custom_id")))
        if component is None:
            raise SeatError("unknown_component", "that message has no such button or menu")
        if component.get("disabled"):
            raise SeatError("disabled", "that button or menu is disabled")
        return channel, message, component

    def press(self, user_id: str, body: JsonObject) -> PendingInteraction:
        channel, message, component = self._component(user_id, body)
        if component["type"] != 2:
            raise SeatError("unknown_component", "that is a menu, not a button")
        data: JsonObject = {"component_type": 2, "custom_id": component["custom_id"], "id": component["id"]}
        return self.interactions.open(COMPONENT, user_id, channel, data, message=message)

    def select(self, user_id: str, body: JsonObject) -> PendingInteraction:
        channel, message, component = self._component(user_id, body)
        if component["type"] not in SELECTS:
            raise SeatError("unknown_component", "that is a button, not a menu")
        values, resolved = choose(self.world, user_id, channel, component, body.get("values"))
        data: JsonObject = {
            "component_type": component["type"],
            "custom_id": component["custom_id"],
            "id": component["id"],
            "values": values,
        }
        if resolved:
            data["resolved"] = resolved
        return self.interactions.open(COMPONENT, user_id, channel, data, message=message)

    # --- modals --------------------------------------------------------------------------------------------------

    def _modal(self, user_id: str, body: JsonObject) -> Interaction:
        interaction = self.world.interactions.get(str(body.get("interaction_id")))
        if interaction is None or interaction.user_id != user_id or not interaction.modal_open:
            raise SeatError("unknown_modal", "no such form is open for you")
        return interaction

    def dismiss_modal(self, user_id: str, body: JsonObject) -> JsonObject:
        self.interactions.close_modal(self._modal(user_id, body))
        return {}

    def submit_modal(self, user_id: str, body: JsonObject) -> PendingInteraction:
        opener = self._modal(user_id, body)
        channel = self.channel(user_id, opener.channel_id)
        modal = opener.modal or {}
        values: JsonObject = body.get("values") or {}
        known = {field["custom_id"] for field in modals.fields(modal["components"]) if "custom_id" in field}
        if extra := sorted(set(values) - known):
            raise SeatError("invalid_option", f"the form has no field {', '.join(extra)}")
        submission = ModalSubmission(self.world, self.messages, user_id, channel, self.limit)
        rows = submission.rows(modal["components"], values)
        data: JsonObject = {"custom_id": modal["custom_id"], "components": rows}
        if submission.resolved:
            data["resolved"] = submission.resolved
        message = self.world.messages.get(channel.id, {}).get(opener.message_id or "")
        self.interactions.close_modal(opener)
        return self.interactions.open(MODAL_SUBMIT, user_id, channel, data, message=message, opener=opener)

    # --- messages ------------------------------------------------------------------------------------------------

    def send(self, user_id: str, body: JsonObject) -> JsonObject:
        """Post an ordinary message."""
        channel = self.channel(user_id, str(body.get("channel_id")))
        if channel.is_dm and not views.can_send(self.world, user_id, channel):
            raise SeatError("dms_closed", "this person takes no direct messages")
        if not views.can_send(self.world, user_id, channel):
            raise SeatError("forbidden", "you may not write here")
        files: list[JsonObject] = body.get("attachments") or []
        if files and not self.world.permissions(user_id, channel) & Permission.ATTACH_FILES:
            raise SeatError("forbidden", "you may not attach files here")
        uploads: list[Upload] = []
        fields: JsonObject = {"content": body.get("content") or "", "attachments": []}
        for i, entry in enumerate(files):
            upload = invoke.read_file(
                {key: value for key, value in entry.items() if key != "description"}, limit=self.limit
            )
            upload.slot = str(i)
            uploads.append(upload)
            fields["attachments"].append({"id": i, "description": entry.get("description")})
        if body.get("reply_to"):
            fields["message_reference"] = {"message_id": str(body["reply_to"])}
        checked = _message_body(RequestBody(fields, uploads), self.limit)
        message = self.messages.create(channel, checked, MessageOrigin(user_id))
        self._mark(user_id, channel, message.id)  # before the event is sent, so that the unread counts in it are right
        return {"message": views.message(self.world, user_id, message)}

    def edit(self, user_id: str, body: JsonObject) -> JsonObject:
        channel, message = self.message(user_id, str(body.get("channel_id")), str(body.get("message_id")))
        if message.author_id != user_id:
            raise SeatError("forbidden", "you can edit your own messages only")
        checked = _message_body(RequestBody({"content": body.get("content") or ""}), self.limit)
        self.messages.edit(message, channel, checked)
        return {"message": views.message(self.world, user_id, message)}

    def delete(self, user_id: str, body: JsonObject) -> JsonObject:
        channel, message = self.message(user_id, str(body.get("channel_id")), str(body.get("message_id")))
        manages = channel.guild_id is not None and self.world.permissions(user_id, channel) & Permission.MANAGE_MESSAGES
        if message.author_id != user_id and (not manages or message.reader_id is not None):
            raise SeatError("forbidden", "you can delete your own messages only")
        self.messages.delete(message, channel)
        return {}

    def dismiss(self, user_id: str, body: JsonObject) -> JsonObject:
        channel, message = self.message(user_id, str(body.get("channel_id")), str(body.get("message_id")))
        if message.reader_id != user_id:
            raise SeatError("forbidden", "only a message that nobody else sees can be dismissed")
        self.messages.delete(message, channel)
        return {}

    def open_dm(self, user_id: str, body: JsonObject) -> JsonObject:
        other = self.world.users.get(str(body.get("user_id")))
        if other is None or other.id == user_id:
            raise SeatError("unknown_user", "there is no such other person")
        channel = self.world.dm_between(user_id, other.id)
        if channel is None:
            channel = Channel(self.world.new_id(), ChannelType.DM, recipients=[user_id, other.id])
        channel.owner_id = channel.owner_id or user_id
        self.world.touch(channel)
        self.world.emit(Event("CHANNEL_CREATE", None, channel))
        return {"channel": views.channel(self.world, user_id, channel)}

    def join_thread(self, user_id: str, body: JsonObject) -> JsonObject:
        guilds.join_thread(self.world, self._open_thread(user_id, body), user_id)
        return {}

    def leave_thread(self, user_id: str, body: JsonObject) -> JsonObject:
        guilds.leave_thread(self.world, self._open_thread(user_id, body), user_id)
        return {}

    def _open_thread(self, user_id: str, body: JsonObject) -> Channel:
        thread = self.channel(user_id, str(body.get("channel_id")))
        if not thread.is_thread:
            raise SeatError("bad_request", "that is not a thread")
        if thread.archived:
            raise SeatError("archived", "this thread is archived")
        return thread

    def read(self, user_id: str, body: JsonObject) -> JsonObject:
        channel = self.channel(user_id, str(body.get("channel_id")))
        self._mark(user_id, channel, str(body.get("message_id") or channel.last_message_id or "0"))
        return {}

    def _mark(self, user_id: str, channel: Channel, message_id: str) -> None:
        mark = self.world.reads.get(f"{user_id}:{channel.id}") or ReadMark(user_id, channel.id)
        if int(message_id) > int(mark.message_id):
            mark.message_id = message_id
            self.world.touch(mark)


def _message_body(request: RequestBody, limit: int) -> MessageBody:
    try:
        return read_message_body(request, limit=limit)
    except ApiError as error:
        code = "too_large" if error.status == 413 else "bad_request"
        raise SeatError(
            code, f"Discord would refuse this message: {error.message} {error.errors or ''}".strip()
        ) from error


def first_response_view(world: World, pending: PendingInteraction, response: FirstResponse) -> JsonObject:
    """The answer to `command`, `press`, `select` and `modal`."""
    interaction = pending.interaction
    message = response.message
    return {
        "interaction_id": interaction.id,
        "outcome": response.name,
        "message": None if message is None else views.message(world, interaction.user_id, message),
        "modal": None if response.modal is None else views.modal(interaction),
        "error": response.error,
        "t_dispatch": pending.t_dispatch,
        "t_callback": response.t_callback,
    }
