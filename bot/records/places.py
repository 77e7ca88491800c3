"""The keys of a campaign's places on Discord, by which effects name where they go."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SETUP_QUEUE = "setup"
"""The queue of the outbox in which a campaign's channels are made and its roles given and taken."""

RECONCILE_QUEUE = "reconcile"
"""The queue of looks at whether everything on Discord is as it should be."""

BATTLES_PLACE = "battles"
REFEREE_PLACE = "referee"
PUBLIC_PLACE = "public"
CATEGORY_PLACE = "category"

SPECTATOR = "@spectator"
"""Stands for a side in the seat of a member who only watches, and for the role of those."""

REFEREE_ROLE = "@referee"


def side_place(side: str) -> str:
    """The key of a side's private channel."""
    return f"side:{side}"


def battle_place(battle: str) -> str:
    """The key of a battle's thread; ``battle`` is the key of its set-up."""
    return f"battle:{battle}"


def past_battle_place(thread_id: int) -> str:
    """The key of a thread in which a battle of other parties was fought, whose key has another thread now."""
    return f"past-battle:{thread_id}"


def role_place(name: str) -> str:
    """The key of a role: that of a side (given by its key or its place), of the referee or of the spectators."""
    return f"role:{name.removeprefix('side:')}"


def lane_of(place: str) -> str:
    """The name of a place's queue: it tells neither sides nor battles to who reads rows or a log."""
    kind, name = kind_of(place)
    return f"{kind}#{hashlib.sha256(place.encode()).hexdigest()[:16]}" if name else place


def kind_of(place: str) -> tuple[str, str]:
    """The kind of a place and the name that follows it, e.g. ``("side", "alliance")``; ``("public", "")``."""
    kind, _, name = place.partition(":")
    return kind, name


# --- as Discord describes them ---------------------------------------------------------------------------------------

_CATEGORY = 4
"""Discord's number of channels that hold others."""


@dataclass(frozen=True, slots=True)
class Overwrite:
    """What a channel allows and denies one target beyond its general permissions. ``is_role`` or a member."""

    target: int
    is_role: bool
    allow: int
    deny: int

    def as_json(self) -> dict[str, Any]:
        """As Discord takes it."""
        return {"id": self.target, "type": 0 if self.is_role else 1, "allow": str(self.allow), "deny": str(self.deny)}


@dataclass(frozen=True, slots=True)
class Channel:
    """A channel or thread as Discord describes it now."""

    id: int
    name: str
    topic: str
    is_category: bool
    overwrites: frozenset[Overwrite]
    parent: int | None = None
    """The category that a channel is in."""

    is_archived: bool = False
    """Whether a thread was put away."""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Channel":
        """From Discord's JSON."""
        return cls(
            id=int(data["id"]),
            name=data.get("name") or "",
            topic=data.get("topic") or "",
            is_category=data.get("type") == _CATEGORY,
            overwrites=frozenset(
                Overwrite(int(one["id"]), int(one["type"]) == 0, int(one["allow"]), int(one["deny"]))
                for one in data.get("permission_overwrites") or ()
            ),
            parent=None if data.get("parent_id") is None else int(data["parent_id"]),
            is_archived=bool(data["thread_metadata"]["archived"]) if data.get("thread_metadata") else False,
        )


@dataclass(frozen=True, slots=True)
class Server:
    """A server as the gateway has described it: its ``roles``, its ``channels`` by id, and those of its threads that
    the bot is in and that are ``awake``."""

    roles: frozenset[int]
    channels: Mapping[int, Channel]
    awake: frozenset[int]
