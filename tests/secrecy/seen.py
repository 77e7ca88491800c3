"""What one person sees of a server: everything that a client would show, as lines that can be compared.

simcord works out who sees which channel, from roles, overwrites and thread members, not from the bot's own idea
of it. Left out is only what is random or counts everybody's actions: ids, the tokens in components, the receipts of
journal entries and the hashes of the record (both of salted entries), the times of the messages, and under which ids
a frame shows the message's files. Ids of users read as their names.
"""

import hashlib
import json
import re
from typing import Any

import discord
import simcord
from simcord.backend.access import channel_accessible

from tests.bot.worlds.simulated_server import SimulatedServer

_IN_COMPONENT = re.compile(r"^([pmtbl])\|([^|]+)\|([^|]*)\|(.*)$")
_IN_MODAL = re.compile(r"^([mnuk])\|([^|]+)\|([^|]*)\|([^|]*)$")
_RECEIPT = re.compile(r"receipt `[0-9a-f]{12}`")
_INCIDENT = re.compile(r"Incident `[0-9a-f]+`")
_HASH = re.compile(r"hash `[0-9a-f]{64}`")
OPAQUE = re.compile(r"[0-9a-f]{25}")
"""A nonce from which nobody without the installation's secret can read anything."""

_CHANNEL = re.compile(r"/channels/(\d+)/(?:messages|pins)")
_MENTION = re.compile(r"<(@&?|#)(\d+)>")


class Eyes:
    """One person's eyes. Tokens are numbered in the order in which this person first sees them."""

    def __init__(self, club: SimulatedServer, person: Any) -> None:
        self._club = club
        self._person = person
        self._tokens: dict[str, str] = {}
        self._pictures: dict[str, bytes] = {}
        self._calls = 0

    # --- the record ----------------------------------------------------------------------------------------------

    def everything(self) -> list[str]:
        """All that can be seen now, a line each."""
        return [*self._server(), *(line for channel in self.channels() for line in self._channel(channel))]

    def channels(self) -> list[Any]:
        """The channels, threads and direct messages that this person can read, in the order of their making."""
        backend = self._club.env.backend
        return [one for key, one in sorted(backend.channels.items()) if channel_accessible(backend, key, self.id)]

    @property
    def id(self) -> int:
        """The person's id."""
        return self._person.id

    def calls(self) -> list[str]:
        """What the bot did since the last look in places that this person can read: posts, edits, deletions.

        An edit that comes to nothing would be visible as it happens, so the calls are compared beside what stands.
        """
        seen = {str(channel.id) for channel in self.channels()}
        fresh = self._club.env.http_requests[self._calls :]
        self._calls = len(self._club.env.http_requests)
        found: list[tuple[str, str, dict[str, Any]]] = []
        for call in fresh:
            at = _CHANNEL.search(call.path)
            if call.method == "GET" or at is None or at[1] not in seen:
                continue
            channel = at[1]
            what = re.sub(r"\d{6,}", "…", call.path)
            body = dict(call.json) if isinstance(call.json, dict) else {}
            if OPAQUE.fullmatch(str(body.get("nonce", ""))):  # else it is shown, and may tell what was counted
                del body["nonce"]
            found.append((channel, f"{call.method} {what}", body))
        order = {str(channel.id): number for number, channel in enumerate(self.channels())}
        found.sort(key=lambda call: order[call[0]])  # each channel keeps its order; between them delivery is free
        return [f"{what} {self._plain(body)}" for _, what, body in found]  # so tokens are numbered in that order too

    def _server(self) -> list[str]:
        guild = self._club.env.backend.guilds[self._club.guild.id]
        roles = sorted(guild.roles.values(), key=lambda role: role.id)
        names = {role.id: role.name for role in roles}
        lines = [f"role {role.name} {role.permissions} {role.mentionable}" for role in roles]
        for user_id, member in sorted(guild.members.items()):
            held = sorted(names[one] for one in member.role_ids if one in names)
            lines.append(f"member {self._name(user_id)} {held}")
        return [self._text(line) for line in lines]

    def _channel(self, channel: Any) -> list[str]:
        backend = self._club.env.backend
        parent = backend.channels.get(channel.parent_id) if channel.parent_id else None
        head = [channel.type, channel.name, channel.topic, parent.name if parent else None]
        members = sorted(self._name(one) for one in channel.thread_members)
        kept = channel.thread_metadata
        closed = "" if kept is None else f" archived {kept.archived} locked {kept.locked}"
        lines = [f"channel {self._plain(head)} {members}{closed}"]
        for _, message in sorted(backend.messages.get(channel.id, {}).items()):
            if message.visible_to(self.id) and not self._announces_private_thread(message):
                lines.append(f"  {self._plain(self._message(message))}")
        return lines

    def _announces_private_thread(self, message: Any) -> bool:
        """Whether it says that a private thread was begun: simcord says so of all threads, Discord of others only."""
        about = message.reference or {}
        thread = self._club.env.backend.channels.get(int(about.get("channel_id") or 0))
        private = thread is None or thread.type == discord.ChannelType.private_thread.value
        return message.type == discord.MessageType.thread_created.value and private

    def _message(self, message: Any) -> dict[str, Any]:
        return {
            "by": self._name(message.author_id), "text": message.content,
            "files": [self._file(one) for one in message.attachments],
            "components": message.components, "embeds": message.embeds,
            "edited": message.edited_timestamp is not None, "flags": message.flags, "pinned": message.pinned,
            "pings": [sorted(map(self._name, message.ping_user_ids)), len(message.ping_role_ids)],
        }  # fmt: skip

    def _file(self, stored: dict[str, Any]) -> list[Any]:
        data = self._club.env.backend.cdn.get(stored["url"]) or b""
        return [stored["filename"], stored["description"], stored["size"], hashlib.sha256(data).hexdigest()]

    # --- leaving out what is random ------------------------------------------------------------------------------

    def answer(self, result: simcord.InteractionResult | Any) -> list[str]:
        """What an interaction gave to its caller: answers, a form, or completions."""
        shown = [part for part in (result.response, *result.followups) if part is not None]
        lines = [self._plain(self._message(part._message)) for part in shown]
        if result.modal is not None:
            lines.append(f"form {self._plain(result.modal)}")
        return [f"deferred {result.deferred}", *lines]

    def message(self, stored: Any) -> str:
        """A message as it is now."""
        now = self._club.env.backend.messages[stored.channel_id].get(stored.id)
        return "gone" if now is None else self._plain(self._message(now))

    def completions(self, choices: list[dict[str, Any]]) -> list[str]:
        """What an autocompletion offered."""
        return [self._plain({**one, "value": self._token(str(one["value"]))}) for one in choices]

    def _plain(self, value: Any) -> str:
        return json.dumps(self._walk(value), sort_keys=True, ensure_ascii=False)

    def _walk(self, value: Any) -> Any:
        if isinstance(value, dict):
            left_out = ("id", "attachment_id", "url", "proxy_url") if "attachment_id" in value else ("id",)
            return {key: self._walk(one) for key, one in value.items() if key not in left_out}
        if isinstance(value, list | tuple):
            return [self._walk(one) for one in value]
        return self._text(value) if isinstance(value, str) else value

    def _text(self, text: str) -> str:
        if found := _IN_COMPONENT.match(text):
            kind, token, verb, rest = found.groups()
            rest = "nonce" if kind == "m" else rest
            return f"{kind}|{self._token(token)}|{verb}|{rest}"
        if found := _IN_MODAL.match(text):
            return f"{found[1]}|{self._token(found[2])}|{found[3]}|nonce"
        if text in self._tokens:
            return self._tokens[text]
        text = _RECEIPT.sub("receipt `…`", text)
        text = _HASH.sub("hash `…`", text)
        text = _INCIDENT.sub("Incident `…`", text)
        return _MENTION.sub(lambda found: f"<{found[1]}{self._name(int(found[2]))}>", text)

    def _token(self, token: str) -> str:
        return self._tokens.setdefault(token, f"token {len(self._tokens) + 1}")

    def _name(self, user_id: int) -> str:
        people = {person.id: name for name, person in self._club.people.items()}
        if user_id in people:
            return people[user_id]
        return "bot" if user_id == self._club.env.backend.bot_user.id else "somebody"
