"""The gateway: the bot's websockets, its sessions and what can be resumed, and which session is sent which event."""

from __future__ import annotations

import json
import secrets
from collections import deque
from collections.abc import Callable

from aiohttp import WSMsgType, web

from bot.playground.discord_api.sessions import (
    DIRECT_MESSAGES,
    GUILD_MEMBERS,
    GUILD_MESSAGES,
    GUILDS,
    HEARTBEAT,
    HEARTBEAT_ACK,
    HELLO,
    IDENTIFY,
    INVALID_SESSION,
    MESSAGE_CONTENT,
    PRESENCE,
    PRIVILEGED,
    RECONNECT,
    REQUEST_MEMBERS,
    RESUME,
    VOICE_STATE,
    Connection,
    Session,
    encode,
)
from bot.playground.world import payloads
from bot.playground.world.config import PlaygroundConfig
from bot.playground.world.json_values import JsonObject, is_list
from bot.playground.world.model import Channel
from bot.playground.world.permissions import Permission
from bot.playground.world.world import Event, World


class Gateway:
    """All sessions of the bot, and the events sent to them."""

    def __init__(self, world: World, config: PlaygroundConfig, address: Callable[[], str]) -> None:
        self.world = world
        self.config = config
        self._address = address
        self.sessions: dict[str, Session] = {}
        self._sockets: set[web.WebSocketResponse] = set()
        self._duplicates = 0
        self._status_listeners: list[Callable[[bool], None]] = []
        self._was_online = False
        world.listen(self._on_event)

    # --- the socket ----------------------------------------------------------------------------------------------

    async def handle(self, request: web.Request) -> web.WebSocketResponse:
        """One client connection, from HELLO to its end."""
        socket = web.WebSocketResponse(max_msg_size=64 * 1024, timeout=1.0, compress=False)
        await socket.prepare(request)
        self._sockets.add(socket)
        connection = Connection(socket, compressed=request.query.get("compress") == "zlib-stream")
        session: Session | None = None
        try:
            await connection.send(encode(HELLO, {"heartbeat_interval": int(self.config.heartbeat_interval * 1000)}))
            async for frame in socket:
                if frame.type not in (WSMsgType.TEXT, WSMsgType.BINARY):
                    await socket.close(code=4002, message=b"Error while decoding payload.")
                    break
                session = await self._receive(connection, session, frame.data)
        finally:
            self._sockets.discard(socket)
            if session is not None and session.connection is connection:
                self._detach(session)
        return socket

    async def _receive(self, connection: Connection, session: Session | None, text: str | bytes) -> Session | None:
        """Take one frame of a client. JSON comes as text or, from hikari, as bytes."""
        socket = connection.socket
        try:
            frame = json.loads(text)
            op, data = frame["op"], frame.get("d")
        except (ValueError, KeyError, TypeError):
            await socket.close(code=4002, message=b"Error while decoding payload.")
            return session
        if op == HEARTBEAT:
            await connection.send(encode(HEARTBEAT_ACK, None))
        elif op == IDENTIFY:
            if session is not None:
                await socket.close(code=4005, message=b"Already authenticated.")
                return session
            return await self._identify(connection, data)
        elif op == RESUME:
            return await self._resume(connection, data)
        elif session is None:
            await socket.close(code=4003, message=b"Not authenticated.")
        elif op == REQUEST_MEMBERS:
            self._members_chunk(session, data)
        elif op not in (PRESENCE, VOICE_STATE):
            await socket.close(code=4001, message=b"Unknown opcode.")
        return session

    async def _identify(self, connection: Connection, data: JsonObject) -> Session | None:
        socket = connection.socket
        if not self._is_own_token(data):
            await socket.close(code=4004, message=b"Authentication failed.")
            return None
        intents = data.get("intents")
        if not isinstance(intents, int):
            await socket.close(code=4013, message=b"Invalid intent(s).")
            return None
        if intents & PRIVILEGED & ~self.config.privileged_intents:
            await socket.close(code=4014, message=b"Disallowed intent(s).")
            return None
        shard = data.get("shard") or [0, 1]
        if not (len(shard) == 2 and 0 <= shard[0] < shard[1]):
            await socket.close(code=4010, message=b"Invalid shard.")
            return None
        session = Session(
            secrets.token_hex(16),
            (shard[0], shard[1]),
            intents,
            deque(maxlen=self.config.replay_buffer),
            connection=connection,
        )
        self.sessions[session.id] = session
        world = self.world
        guilds = [guild for guild in world.guilds_of(world.bot_id) if session.serves(guild.id)]
        session.dispatch(
            "READY",
            {
                "v": 10,
                "user": payloads.own_user(world.bot),
                "guilds": [{"id": guild.id, "unavailable": True} for guild in guilds],
                "session_id": session.id,
                "resume_gateway_url": self._address(),
                "shard": list(session.shard),
                "application": {"id": world.application_id, "flags": 0},
                "private_channels": [],
                "session_type": "normal",
            },
        )
        if intents & GUILDS:
            for guild in guilds:
                everyone = bool(intents & GUILD_MEMBERS)
                session.dispatch("GUILD_CREATE", payloads.guild_create(world, guild, all_members=everyone))
        self._tell_status()
        return session

    def _is_own_token(self, data: JsonObject) -> bool:
        """Some clients send the token as REST has it, behind the word "Bot"."""
        return str(data.get("token")).removeprefix("Bot ") == self.config.token

    async def _resume(self, connection: Connection, data: JsonObject) -> Session | None:
        if not self._is_own_token(data):
            await connection.socket.close(code=4004, message=b"Authentication failed.")
            return None
        session = self.sessions.get(data.get("session_id", ""))
        seq = data.get("seq")
        if session is None or not isinstance(seq, int) or seq > session.seq:
            await connection.send(encode(INVALID_SESSION, False))
            return None
        oldest = session.buffer[0][0] if session.buffer else session.seq + 1
        if seq + 1 < oldest:
            del self.sessions[session.id]
            await connection.send(encode(INVALID_SESSION, False))
            return None
        if session.expiry is not None:
            session.expiry.cancel()
            session.expiry = None
        if session.connection is not None and session.connection is not connection:
            await session.connection.socket.close(code=4000)
        missed = [text for number, text in session.buffer if number > seq]
        session.connection = connection
        for text in missed:
            session.send(text)
        session.dispatch("RESUMED", {})
        self._tell_status()
        return session

    def _members_chunk(self, session: Session, data: JsonObject) -> None:
        world = self.world
        guild_id = str(data.get("guild_id"))
        if world.bot_id not in world.members.get(guild_id, {}):
            return
        members = world.members[guild_id]
        missing: list[str] = []
        if wanted := data.get("user_ids"):
            ids = [str(item) for item in (wanted if is_list(wanted) else [wanted])][:100]
            missing = [user_id for user_id in ids if user_id not in members]
            found = [members[user_id] for user_id in ids if user_id in members]
        else:
            query, limit = data.get("query") or "", data.get("limit") or 0
            if not query and not session.intents & GUILD_MEMBERS:
                return  # Discord needs the members intent for the whole list
            found = world.members_called(guild_id, query)
            if limit:
                found = found[: min(limit, 100)]
        parts = [found[i : i + 1000] for i in range(0, len(found), 1000)] or [[]]
        for index, part in enumerate(parts):
            body: JsonObject = {
                "guild_id": guild_id,
                "members": [payloads.member(world, entry) for entry in part],
                "chunk_index": index,
                "chunk_count": len(parts),
                "not_found": missing,
            }
            if data.get("nonce"):
                body["nonce"] = data["nonce"]
            session.dispatch("GUILD_MEMBERS_CHUNK", body)

    def _detach(self, session: Session) -> None:
        session.connection = None
        session.expiry = self.world.clock.call_later(self.config.session_lifetime, lambda: self._forget(session.id))
        self._tell_status()

    def _forget(self, session_id: str) -> None:
        self.sessions.pop(session_id, None)

    # --- status and faults ---------------------------------------------------------------------------------------

    @property
    def online(self) -> bool:
        return any(session.connection is not None for session in self.sessions.values())

    def on_status(self, listener: Callable[[bool], None]) -> None:
        self._status_listeners.append(listener)

    def _tell_status(self) -> None:
        if self.online != self._was_online:
            self._was_online = self.online
            for listener in self._status_listeners:
                listener(self._was_online)

    async def drop(self, *, resumable: bool, code: int) -> int:
        """Cut every bot socket, and return how many; with code 1006 the connection ends without a closing frame."""
        sockets = list(self._sockets)
        if not resumable:
            for session in self.sessions.values():
                if session.expiry is not None:
                    session.expiry.cancel()
                session.connection = None
            self.sessions.clear()
        for socket in sockets:
            transport = socket._req.transport if socket._req is not None else None  # pyright: ignore[reportPrivateUsage]
            if code == 1006 and transport is not None:
                transport.abort()
            else:
                await socket.close(code=code)
        self._tell_status()
        return len(sockets)

    def deafen(self) -> None:
        """Let no event reach the sessions that there are; heartbeats are answered."""
        for session in self.sessions.values():
            session.deaf = True

    def reconnect(self) -> None:
        for session in self.sessions.values():
            session.send(encode(RECONNECT, None))

    def duplicate(self, count: int) -> None:
        """Deliver the next interactions twice."""
        self._duplicates = count

    @property
    def duplicates(self) -> int:
        return self._duplicates

    async def close(self) -> None:
        for socket in list(self._sockets):
            await socket.close(code=1001)
        for session in self.sessions.values():
            if session.expiry is not None:
                session.expiry.cancel()
        self.sessions.clear()

    # --- events --------------------------------------------------------------------------------------------------

    def interaction(self, guild_id: str | None, payload: JsonObject) -> None:
        """Send INTERACTION_CREATE; no intent is needed for it."""
        times = 1
        if self._duplicates:
            self._duplicates -= 1
            times = 2
        for session in self.sessions.values():
            if session.serves(guild_id):
                for _ in range(times):
                    session.dispatch("INTERACTION_CREATE", payload)

    def _send(self, guild_id: str | None, needs: int, name: str, data: JsonObject) -> None:
        for session in self.sessions.values():
            if session.intents & needs and session.serves(guild_id):
                session.dispatch(name, data)

    def _on_event(self, event: Event) -> None:
        world = self.world
        if not self.sessions or event.name.startswith(("INTERACTION_", "MODAL_", "COMMANDS_")):
            return
        guild_id, channel = event.guild_id, event.channel
        in_guild = guild_id is not None
        leaving = event.name in ("GUILD_DELETE", "GUILD_CREATE")
        if in_guild and not leaving and world.bot_id not in world.members.get(guild_id, {}):
            return
        match event.name:
            case "MESSAGE_CREATE" | "MESSAGE_UPDATE" | "MESSAGE_DELETE":
                self._message_event(event)
            case "BULK_DELETE":
                assert channel is not None
                self._bulk_delete(event, channel)
            case "CHANNEL_CREATE" | "CHANNEL_UPDATE" | "CHANNEL_DELETE":
                assert channel is not None
                if in_guild:
                    self._send(guild_id, GUILDS, event.name, payloads.channel(world, channel))
            case "THREAD_CREATE" | "THREAD_UPDATE" | "THREAD_DELETE" | "THREAD_MEMBERS_UPDATE":
                assert channel is not None
                self._thread_event(event, channel)
            case "CHANNEL_PINS_UPDATE":
                assert channel is not None
                if world.can_view(world.bot_id, channel):
                    body: JsonObject = {"channel_id": channel.id, "last_pin_timestamp": channel.last_pin_timestamp}
                    if in_guild:
                        body["guild_id"] = guild_id
                    self._send(guild_id, GUILDS if in_guild else DIRECT_MESSAGES, event.name, body)
            case "GUILD_ROLE_CREATE" | "GUILD_ROLE_UPDATE" | "GUILD_ROLE_DELETE":
                self._send(guild_id, GUILDS, event.name, {"guild_id": guild_id, **event.detail})
            case "GUILD_MEMBER_ADD" | "GUILD_MEMBER_REMOVE" | "GUILD_MEMBER_UPDATE":
                self._send(guild_id, self._member_intent(event), event.name, {"guild_id": guild_id, **event.detail})
            case "GUILD_CREATE":
                guild = world.guilds[guild_id or ""]
                for session in self.sessions.values():
                    if session.intents & GUILDS and session.serves(guild_id):
                        everyone = bool(session.intents & GUILD_MEMBERS)
                        session.dispatch(
                            "GUILD_CREATE", payloads.guild_create(world, guild, all_members=everyone, joined=True)
                        )
            case "GUILD_DELETE":
                self._send(guild_id, GUILDS, event.name, {"id": guild_id})
            case _:
                self._send(guild_id, GUILDS, event.name, event.detail)

    def _member_intent(self, event: Event) -> int:
        own = event.detail["user"]["id"] == self.world.bot_id
        return GUILDS | GUILD_MEMBERS if own and event.name == "GUILD_MEMBER_UPDATE" else GUILD_MEMBERS

    def _message_event(self, event: Event) -> None:
        world = self.world
        message, channel = event.message, event.channel
        assert message is not None
        assert channel is not None
        if message.reader_id is not None or not world.can_view(world.bot_id, channel):
            return
        if event.detail.get("is_one_of_many"):
            return
        needs = DIRECT_MESSAGES if event.guild_id is None else GUILD_MESSAGES
        if event.name == "MESSAGE_DELETE":
            body: JsonObject = {"id": message.id, "channel_id": channel.id}
            if event.guild_id is not None:
                body["guild_id"] = event.guild_id
            self._send(event.guild_id, needs, event.name, body)
            return
        open_to_bot = event.guild_id is None or message.author_id == world.bot_id or world.bot_id in message.mentions
        for session in self.sessions.values():
            if session.intents & needs and session.serves(event.guild_id):
                content = open_to_bot or bool(session.intents & MESSAGE_CONTENT)
                session.dispatch(event.name, payloads.gateway_message(world, message, content=content))

    def _bulk_delete(self, event: Event, channel: Channel) -> None:
        if self.world.can_view(self.world.bot_id, channel):
            body: JsonObject = {"channel_id": channel.id, "guild_id": event.guild_id, **event.detail}
            self._send(event.guild_id, GUILD_MESSAGES, "MESSAGE_DELETE_BULK", body)

    def _thread_event(self, event: Event, thread: Channel) -> None:
        world = self.world
        gone = event.name == "THREAD_DELETE"
        if not (gone or world.permissions(world.bot_id, thread) & Permission.VIEW_CHANNEL):
            return
        if gone:
            body: JsonObject = {
                "id": thread.id,
                "guild_id": thread.guild_id,
                "parent_id": thread.parent_id,
                "type": thread.type,
            }
        elif event.name == "THREAD_MEMBERS_UPDATE":
            body = {"id": thread.id, "guild_id": thread.guild_id, **event.detail}
        else:
            body = {**payloads.channel(world, thread), **event.detail}
        self._send(event.guild_id, GUILDS, event.name, body)
