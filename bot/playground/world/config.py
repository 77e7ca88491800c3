"""Settings of one playground server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

MEBIBYTE = 1024 * 1024
FIRST_ANSWER_WITHIN = 3.0
"""Seconds that Discord gives a bot for the first answer to an interaction."""

#: Requests allowed in a window of seconds, by route; Discord does not publish its own numbers, and
#: these suffice for play and stop a bot that sends without end.
ROUTE_LIMITS: Mapping[str, tuple[int, float]] = {
    "POST /channels/{channel_id}/messages": (30, 5.0),
    "PATCH /channels/{channel_id}/messages/{message_id}": (30, 5.0),
    "POST /webhooks/{webhook_id}/{webhook_token}": (30, 5.0),
    "POST /users/@me/channels": (30, 10.0),
    "PATCH /channels/{channel_id}": (20, 10.0),
}


@dataclass(slots=True)
class PlaygroundConfig:
    """How a playground is set up; the defaults suit a test.

    `state` names the SQLite file in which everything is kept; None asks, explicitly, for a playground that forgets
    everything when it stops. `port` 0 takes a free one. Times are in seconds, sizes in bytes.
    """

    state: Path | None = None
    host: str = "127.0.0.1"
    port: int = 0
    token: str = "playground-token"
    application_name: str = "Plotroom"
    #: JSONL file to which each bot request is appended, for contract validation.
    request_log: Path | None = None
    attachment_limit: int = 10 * MEBIBYTE
    heartbeat_interval: float = 41.25
    #: Seconds that an interaction waits for the bot's first response: Discord's own. A script that stands in for people
    #: takes more, for a busy machine is not a bot that does not answer.
    first_answer_within: float = FIRST_ANSWER_WITHIN
    #: Privileged intents (bits of GUILD_MEMBERS, GUILD_PRESENCES, MESSAGE_CONTENT) granted to the bot; the others are
    #: refused with close code 4014.
    privileged_intents: int = 0
    global_limit: int = 50
    default_route_limit: tuple[int, float] = (50, 5.0)
    route_limits: Mapping[str, tuple[int, float]] = field(default_factory=lambda: dict(ROUTE_LIMITS))
    #: Events kept for a session that may RESUME, and for how long a session without a socket lives.
    replay_buffer: int = 2_000
    session_lifetime: float = 120.0
    #: Folder with the web page; None serves the one in the package.
    page: Path | None = None
