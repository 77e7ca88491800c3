"""The streams of events of the seats: numbered, holding only what the user sees, sent to all windows of the seat."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from bot.playground.seats import views
from bot.playground.world.interactions import FirstResponse
from bot.playground.world.model import Channel, Interaction
from bot.playground.world.world import Event, World

BACKLOG = 1_000

_GUILD_CHANGES = frozenset(
    {
        "GUILD_CREATE",
        "GUILD_DELETE",
        "GUILD_UPDATE",
        "GUILD_ROLE_CREATE",
        "GUILD_ROLE_UPDATE",
        "GUILD_ROLE_DELETE",
        "GUILD_MEMBER_ADD",
        "GUILD_MEMBER_REMOVE",
        "GUILD_MEMBER_UPDATE",
    }
)


@dataclass(slots=True)
class Stream:
    """One user's events: the last ones, what is in the user's channel list, and who is listening.

    `counts` remembers unread messages and mentions by channel, so that a new message need not count them all again.
    """

    user_id: str
    seq: int = 0
    backlog: deque[tuple[int, str]] = field(default_factory=lambda: deque(maxlen=BACKLOG))
    visible: set[str] = field(default_factory=set[str])
    sockets: set[web.WebSocketResponse] = field(default_factory=set[web.WebSocketResponse])
    pending: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    counts: dict[str, tuple[int, int]] = field(default_factory=dict[str, tuple[int, int]])

    def push(self, kind: str, **fields: Any) -> None:
        self.seq += 1
        text = json.dumps({"type": kind, "seq": self.seq, **fields}, separators=(",", ":"))
        self.backlog.append((self.seq, text))
        for socket in self.sockets:
            self.send(socket, text)

    def send(self, socket: web.WebSocketResponse, text: str) -> None:
        task = asyncio.ensure_future(_quietly(socket, text))
        self.pending.add(task)
        task.add_done_callback(self.pending.discard)


async def _quietly(socket: web.WebSocketResponse, text: str) -> None:
    # The task that reads the socket notices when it breaks; the backlog keeps the event for the next connection.
    with contextlib.suppress(ConnectionError, RuntimeError):
        await socket.send_str(text)


class Streams:
    """The streams of all users; one begins when its user first asks for the state or for events."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.streams: dict[str, Stream] = {}
        world.listen(self._on_event)

    def stream(self, user_id: str) -> Stream:
        if user_id not in self.streams:
            self.streams[user_id] = Stream(user_id, visible=self._visible(user_id))
        return self.streams[user_id]

    def _visible(self, user_id: str) -> set[str]:
        world = self.world
        return {entry.id for entry in world.channels.values() if views.shown(world, user_id, entry)}

    async def handle(self, request: web.Request, user_id: str) -> web.WebSocketResponse:
        """Serve one window of a seat."""
        stream = self.stream(user_id)
        socket = web.WebSocketResponse(compress=False, timeout=1.0)
        await socket.prepare(request)
        me = views.seat(self.world.users[user_id])
        stream.send(socket, json.dumps({"type": "hello", "seq": stream.seq, "me": me}))
        since = request.query.get("since", "")
        if since.isdigit():
            oldest = stream.backlog[0][0] if stream.backlog else stream.seq + 1
            if int(since) > stream.seq or int(since) + 1 < oldest:
                text = {"type": "reload", "seq": stream.seq, "reason": "too much has happened since"}
                stream.send(socket, json.dumps(text))
            else:
                for number, text in stream.backlog:
                    if number > int(since):
                        stream.send(socket, text)
        stream.sockets.add(socket)
        try:
            async for frame in socket:
                if frame.type == WSMsgType.ERROR:
                    break
        finally:
            stream.sockets.discard(socket)
        return socket

    async def close(self) -> None:
        for stream in self.streams.values():
            for socket in list(stream.sockets):
                await socket.close(code=1001)

    def bot_status(self, online: bool) -> None:
        for stream in self.streams.values():
            stream.push("bot_status", online=online)

    # --- events --------------------------------------------------------------------------------------------------

    def _on_event(self, event: Event) -> None:
        for stream in self.streams.values():
            self._tell(stream, event)

    def _tell(self, stream: Stream, event: Event) -> None:
        world, user_id, channel = self.world, stream.user_id, event.channel
        name = event.name
        if name.startswith("MESSAGE_"):
            self._message(stream, event)
        elif name in ("INTERACTION_ANSWERED", "INTERACTION_FOLLOWED", "INTERACTION_FAILED", "MODAL_CLOSED"):
            interaction: Interaction = event.detail["interaction"]
            if interaction.user_id == user_id:
                self._interaction(stream, event, interaction)
        elif name in _GUILD_CHANGES:
            gone = name == "GUILD_MEMBER_REMOVE" and event.detail["user"]["id"] == user_id
            if gone or user_id in world.members.get(event.guild_id or "", {}):
                self._compare(stream, event.guild_id)
                stream.push("guild_update", guild_id=event.guild_id)
        elif name == "COMMANDS_UPDATE":
            if event.guild_id is None or user_id in world.members[event.guild_id]:
                stream.push("commands_update")
        elif channel is not None:
            if name == "CHANNEL_PINS_UPDATE":
                if channel.id in stream.visible:
                    stream.push("pins_update", channel_id=channel.id)
            else:
                self._channel(stream, channel)

    def _channel(self, stream: Stream, channel: Channel) -> None:
        """A channel changed: send it, and the channels that this change showed to the user or hid from it."""
        was = channel.id in stream.visible
        self._compare(stream, channel.guild_id, also=channel)
        if was and channel.id in stream.visible:
            view = views.channel(self.world, stream.user_id, channel)
            stream.push("channel_update", guild_id=channel.guild_id, channel=view)

    def _compare(self, stream: Stream, guild_id: str | None, also: Channel | None = None) -> None:
        """Send the channels of a guild (or the DM `also`) that the user now sees or no longer sees."""
        world = self.world
        candidates = (
            [also] if guild_id is None and also is not None else list(world.by_guild.get(guild_id or "", {}).values())
        )
        here = {entry.id for entry in candidates}
        now = {
            entry.id for entry in candidates if entry.id in world.channels and views.shown(world, stream.user_id, entry)
        }
        if also is not None:
            here.add(also.id)
        for channel_id in sorted(stream.visible & here - now, key=int):
            stream.visible.discard(channel_id)
            stream.push("channel_delete", guild_id=guild_id, channel_id=channel_id)
        for channel_id in sorted(now - stream.visible, key=int):
            stream.visible.add(channel_id)
            view = views.channel(world, stream.user_id, world.channels[channel_id])
            stream.push("channel_create", guild_id=guild_id, channel=view)

    def _message(self, stream: Stream, event: Event) -> None:
        world, user_id = self.world, stream.user_id
        message, channel = event.message, event.channel
        assert message is not None
        assert channel is not None
        if not world.can_see(user_id, message, channel):
            return
        if channel.id not in stream.visible:
            self._compare(stream, channel.guild_id, also=channel)
        if event.name == "MESSAGE_DELETE":
            stream.push("message_delete", channel_id=channel.id, guild_id=channel.guild_id, message_id=message.id)
        else:
            view = views.message(world, user_id, message)
            stream.push(event.name.lower(), channel_id=channel.id, guild_id=channel.guild_id, message=view)
        if message.reader_id is not None:
            return
        if event.name == "MESSAGE_CREATE" and message.author_id == user_id:
            self.recount(stream, channel)  # a user who writes has read all earlier messages
        elif event.name == "MESSAGE_CREATE":
            known = stream.counts.get(channel.id)
            if known is not None:
                mentioned = views.mentions_user(world, user_id, message, channel)
                stream.counts[channel.id] = (known[0] + 1, known[1] + mentioned)
            self.unread(stream, channel)
        elif event.name == "MESSAGE_DELETE":
            self.recount(stream, channel)

    def unread(self, stream: Stream, channel: Channel) -> None:
        if channel.id not in stream.counts:
            stream.counts[channel.id] = views.unread_counts(self.world, stream.user_id, channel)
        unread, mentions = stream.counts[channel.id]
        stream.push("unread", channel_id=channel.id, unread=unread, mentions=mentions)

    def recount(self, stream: Stream, channel: Channel) -> None:
        """Count again from the messages, after reading or a deletion."""
        stream.counts.pop(channel.id, None)
        self.unread(stream, channel)

    def _interaction(self, stream: Stream, event: Event, interaction: Interaction) -> None:
        if event.name == "MODAL_CLOSED":
            stream.push("modal_closed", interaction_id=interaction.id)
        elif event.name == "INTERACTION_FAILED":
            stream.push(
                "interaction_failed",
                interaction_id=interaction.id,
                channel_id=interaction.channel_id,
                message_id=interaction.message_id,
                text=event.detail["text"],
            )
        elif event.name == "INTERACTION_FOLLOWED":
            assert event.message is not None
            view = views.message(self.world, stream.user_id, event.message)
            stream.push("interaction_followed", interaction_id=interaction.id, message=view)
        else:
            response: FirstResponse = event.detail["first_response"]
            if response.modal is not None:
                stream.push("modal", modal=views.modal(interaction))
            stream.push("interaction", interaction_id=interaction.id, response=response.name)
