"""The sessions of the bot's clients: a websocket, what was sent to it, and what can be sent again after a RESUME."""

from __future__ import annotations

import asyncio
import contextlib
import json
import zlib
from collections import deque
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from bot.playground.world.clock import Timer

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, VOICE_STATE, RESUME, RECONNECT, REQUEST_MEMBERS = 0, 1, 2, 3, 4, 6, 7, 8
INVALID_SESSION, HELLO, HEARTBEAT_ACK = 9, 10, 11

GUILDS, GUILD_MEMBERS, GUILD_PRESENCES, GUILD_MESSAGES, DIRECT_MESSAGES, MESSAGE_CONTENT = (
    1 << 0,
    1 << 1,
    1 << 8,
    1 << 9,
    1 << 12,
    1 << 15,
)
PRIVILEGED = GUILD_MEMBERS | GUILD_PRESENCES | MESSAGE_CONTENT


def encode(op: int, data: Any, seq: int | None = None, name: str | None = None) -> str:
    return json.dumps({"op": op, "d": data, "s": seq, "t": name}, separators=(",", ":"))


class Connection:
    """A client's websocket. Frames are text, or pieces of one zlib stream where the client asked for that."""

    def __init__(self, socket: web.WebSocketResponse, *, compressed: bool) -> None:
        self.socket = socket
        self._stream = zlib.compressobj() if compressed else None

    async def send(self, text: str) -> None:
        """Write a frame. Pieces of the stream are written in the order in which they were compressed."""
        if self._stream is None:
            await self.socket.send_str(text)
        else:
            await self.socket.send_bytes(self._stream.compress(text.encode()) + self._stream.flush(zlib.Z_SYNC_FLUSH))


@dataclass(slots=True)
class Session:
    """One client that has identified itself. It outlives its socket for a while, so that it can be resumed."""

    id: str
    shard: tuple[int, int]
    intents: int
    buffer: deque[tuple[int, str]]
    seq: int = 0
    acknowledged: int = 0
    connection: Connection | None = None
    expiry: Timer | None = None
    pending: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])
    deaf: bool = False
    """It stays connected and is told nothing, as real sessions sometimes are."""

    def serves(self, guild_id: str | None) -> bool:
        """Whether events of that guild go to this shard; direct messages go to shard 0."""
        shard, count = self.shard
        return shard == (0 if guild_id is None else (int(guild_id) >> 22) % count)

    def dispatch(self, name: str, data: Any) -> None:
        if self.deaf:
            return
        self.seq += 1
        text = encode(DISPATCH, data, self.seq, name)
        self.buffer.append((self.seq, text))
        self.send(text)

    def send(self, text: str) -> None:
        """Write a frame to the socket, without waiting for slow readers."""
        connection = self.connection
        if connection is None or connection.socket.closed:
            return
        sending = asyncio.ensure_future(_quietly(connection, text))
        self.pending.add(sending)
        sending.add_done_callback(self.pending.discard)


async def _quietly(connection: Connection, text: str) -> None:
    # The task that reads the socket notices when it breaks; the buffer keeps the event for a RESUME.
    with contextlib.suppress(ConnectionError, RuntimeError):
        await connection.send(text)
