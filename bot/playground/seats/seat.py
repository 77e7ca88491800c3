"""`Seat`: a client that acts as one user of a playground, for tests and scripts. It waits for events, never sleeps."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable
from types import TracebackType
from typing import Any

import aiohttp

from bot.playground.world.components import walk
from bot.playground.world.json_values import JsonObject, is_list

Predicate = Callable[[JsonObject], bool]

PATIENCE = 120.0
"""Seconds after which a seat gives up waiting; nothing that comes at all takes this long, on a busy machine either."""


class SeatRefusedError(Exception):
    """The playground refused what the seat tried; `code` is the short word of SEAT_API.md."""

    def __init__(self, status: int, code: str, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.code = code
        self.text = text


def file(name: str, data: bytes, description: str | None = None) -> JsonObject:
    """A file for an attachment option, a message or a modal."""
    body: JsonObject = {"name": name, "base64": base64.b64encode(data).decode()}
    if description is not None:
        body["description"] = description
    return body


class Seat:
    """A client of the seat API that acts as one user.

    `channel` is where commands and messages go unless a call says otherwise. Use as an async context manager, or
    `connect` and `close`. `events` holds all that has come so far.
    """

    def __init__(self, url: str, user_id: str, *, channel: str | None = None) -> None:
        self.url = url.rstrip("/")
        self.user_id = user_id
        self.channel = channel
        self.events: list[JsonObject] = []
        self._session: aiohttp.ClientSession | None = None
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._reader: asyncio.Task[None] | None = None
        self._news = asyncio.Condition()
        self._lost = False

    async def connect(self) -> Seat:
        """Open the websocket; `events` holds what comes from now on."""
        self._session = aiohttp.ClientSession()
        self._socket = await self._session.ws_connect(f"{self.url}/seat-api/{self.user_id}/events")
        hello = await self._socket.receive_json()
        assert hello["type"] == "hello"
        self._reader = asyncio.create_task(self._read())
        self._lost = False
        return self

    @property
    def lost(self) -> bool:
        """Whether the playground is not heard: not yet, or no longer."""
        return self._lost or self._reader is None

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            await self._reader
        if self._session is not None:
            await self._session.close()

    async def __aenter__(self) -> Seat:
        return await self.connect()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _read(self) -> None:
        assert self._socket is not None
        async for frame in self._socket:
            if frame.type != aiohttp.WSMsgType.TEXT:
                break
            async with self._news:
                self.events.append(frame.json())
                self._news.notify_all()
        async with self._news:
            self._lost = True
            self._news.notify_all()

    # --- asking --------------------------------------------------------------------------------------------------

    async def request(
        self, method: str, path: str, body: JsonObject | None = None, query: dict[str, str] | None = None
    ) -> Any:
        """Any call of the seat API; `path` is relative to this seat, or absolute with a leading slash."""
        assert self._session is not None, "connect the seat first"
        url = f"{self.url}/seat-api{path}" if path.startswith("/") else f"{self.url}/seat-api/{self.user_id}/{path}"
        async with self._session.request(method, url, json=body, params=query) as response:
            answer = await response.json()
        if response.status >= 400:
            raise SeatRefusedError(response.status, answer["code"], answer["error"])
        return answer

    async def state(self) -> JsonObject:
        return await self.request("GET", "state")

    async def messages(
        self, channel: str | None = None, *, limit: int = 100, before: str | None = None
    ) -> list[JsonObject]:
        """A channel's messages as this user sees them, oldest first."""
        query = {"channel": self._where(channel), "limit": str(limit)}
        if before is not None:
            query["before"] = before
        return (await self.request("GET", "messages", query=query))["messages"]

    async def channels(self, guild_id: str | None = None) -> dict[str, JsonObject]:
        """The visible channels by name (of one server, or of all with the DMs by the other's display name)."""
        state = await self.state()
        found = [c for guild in state["guilds"] if guild_id in (None, guild["id"]) for c in guild["channels"]]
        if guild_id is None:
            found += state["dms"]
        return {channel["name"]: channel for channel in found}

    def _where(self, channel: str | None) -> str:
        chosen = channel or self.channel
        if chosen is None:
            raise ValueError("name the channel, here or when the seat is made")
        return chosen

    # --- doing ---------------------------------------------------------------------------------------------------

    async def command(
        self,
        path: str,
        /,
        *,
        channel: str | None = None,
        options: JsonObject | None = None,
        wait: bool = True,
        **values: Any,
    ) -> JsonObject:
        """Type a slash command; option values by keyword, or in `options` where a name is not a Python name."""
        body: JsonObject = {"channel_id": self._where(channel), "path": path, "options": {**(options or {}), **values}}
        return await self._act("command", body, wait)

    async def carry_out(
        self,
        path: str,
        /,
        *,
        channel: str | None = None,
        within: float = PATIENCE,
        options: JsonObject | None = None,
        **values: Any,
    ) -> JsonObject:
        """A slash command and its answer, also where that comes only after a while (``within`` seconds)."""
        mark = len(self.events)
        answer = await self.command(path, channel=channel, options=options, **values)
        return await self.whole(answer, since=mark, within=within)

    async def whole(self, answer: JsonObject, *, since: int = 0, within: float = PATIENCE) -> JsonObject:
        """The answer to an action, with the message that comes later if it was deferred. ``since`` is a number in
        ``events`` from before the action."""
        if not answer["outcome"].startswith("deferred"):
            return answer
        event = await self.wait_for_event(
            lambda one: one["type"] == "interaction_followed" and one["interaction_id"] == answer["interaction_id"],
            within,
            since=since,
        )
        return {**answer, "message": event["message"]}

    async def complete(
        self, path: str, focused: str, value: Any = "", /, *, channel: str | None = None, **values: Any
    ) -> list[JsonObject]:
        """The completions that the bot offers for an option that is being typed.

        Raises:
            SeatRefusedError: with the code `unanswered`, when the bot did not say in time what it offers.
        """
        options = {**values, focused: value}
        body: JsonObject = {"channel_id": self._where(channel), "path": path, "options": options, "focused": focused}
        return (await self.request("POST", "autocomplete", body))["choices"]

    async def press(
        self, message: JsonObject, *, label: str | None = None, custom_id: str | None = None, wait: bool = True
    ) -> JsonObject:
        """Press a button by its label or custom_id."""
        button = self._component(message, {2}, label=label, custom_id=custom_id)
        body: JsonObject = {
            "channel_id": message["channel_id"],
            "message_id": message["id"],
            "custom_id": button["custom_id"],
        }
        return await self._act("press", body, wait)

    async def select(
        self,
        message: JsonObject,
        *values: str,
        custom_id: str | None = None,
        placeholder: str | None = None,
        wait: bool = True,
    ) -> JsonObject:
        """Choose in a menu; values or, for a menu of options, their labels."""
        menu = self._component(message, {3, 5, 6, 7, 8}, label=placeholder, custom_id=custom_id)
        chosen = [self._option(menu, value) for value in values]
        body: JsonObject = {
            "channel_id": message["channel_id"],
            "message_id": message["id"],
            "custom_id": menu["custom_id"],
            "values": chosen,
        }
        return await self._act("select", body, wait)

    async def fill_modal(
        self, modal: JsonObject, *, wait: bool = True, by_label: JsonObject | None = None, **values: Any
    ) -> JsonObject:
        """Submit a form; values by custom_id, or by label in `by_label`. Options may be given by their labels."""
        given: JsonObject = {}
        for field in modal["fields"]:
            custom_id = field.get("custom_id")
            if custom_id is None:
                continue
            if by_label is not None and field["label"] in by_label:
                given[custom_id] = self._filled(field, by_label[field["label"]])
            elif custom_id in values:
                given[custom_id] = self._filled(field, values.pop(custom_id))
        if values:
            raise KeyError(
                f"the form has no field {', '.join(values)}; it has {[f.get('custom_id') for f in modal['fields']]}"
            )
        if by_label and (extra := set(by_label) - {field.get("label") for field in modal["fields"]}):
            raise KeyError(f"the form has no field labelled {', '.join(sorted(extra))}")
        return await self._act("modal", {"interaction_id": modal["interaction_id"], "values": given}, wait)

    async def dismiss_modal(self, modal: JsonObject) -> None:
        await self.request("POST", "modal_dismiss", {"interaction_id": modal["interaction_id"]})

    async def say(
        self,
        content: str,
        *,
        channel: str | None = None,
        files: list[JsonObject] | None = None,
        reply_to: JsonObject | None = None,
    ) -> JsonObject:
        """Post a plain message."""
        body: JsonObject = {"channel_id": self._where(channel), "content": content}
        if files:
            body["attachments"] = files
        if reply_to is not None:
            body["reply_to"] = reply_to["id"]
        return (await self.request("POST", "message", body))["message"]

    async def open_dm(self, user_id: str) -> JsonObject:
        return (await self.request("POST", "open_dm", {"user_id": user_id}))["channel"]

    async def set_dms(self, *, are_open: bool) -> None:
        await self.request("POST", "settings", {"dms_open": are_open})

    async def read_file(self, attachment: JsonObject) -> bytes:
        """Download an attachment."""
        assert self._session is not None
        async with self._session.get(attachment["url"]) as response:
            response.raise_for_status()
            return await response.read()

    async def _act(self, path: str, body: JsonObject, wait: bool) -> JsonObject:
        return await self.request("POST", path, body) if wait else await self.request("POST", path, body, {"wait": "0"})

    def _component(
        self, message: JsonObject, types: set[int], *, label: str | None, custom_id: str | None
    ) -> JsonObject:
        fitting = [entry for entry in walk(message["components"]) if entry["type"] in types and "custom_id" in entry]
        found = [
            entry
            for entry in fitting
            if custom_id in (None, entry["custom_id"]) and label in (None, entry.get("label"), entry.get("placeholder"))
        ]
        if len(found) != 1:
            names = [entry.get("label") or entry.get("placeholder") or entry["custom_id"] for entry in fitting]
            raise LookupError(
                f"{len(found)} components fit label={label!r} custom_id={custom_id!r}; the message has {names}"
            )
        return found[0]

    @staticmethod
    def _option(holder: JsonObject, value: Any) -> Any:
        for option in holder.get("options") or ():
            if value in (option["value"], option["label"]):
                return option["value"]
        return value

    def _filled(self, field: JsonObject, value: Any) -> Any:
        if is_list(value):
            return [entry if isinstance(entry, dict) else self._option(field, entry) for entry in value]
        return self._option(field, value) if isinstance(value, str) else value

    # --- waiting -------------------------------------------------------------------------------------------------

    async def wait_for_event(self, predicate: Predicate, timeout: float = PATIENCE, *, since: int = 0) -> JsonObject:  # noqa: ASYNC109
        """The first event, from number `since` in `events` on, for which the predicate holds."""
        async with asyncio.timeout(timeout), self._news:
            position = since
            while True:
                while position < len(self.events):
                    event = self.events[position]
                    position += 1
                    if predicate(event):
                        return event
                if self._lost:
                    raise ConnectionError("the playground closed this seat's stream")
                await self._news.wait()

    async def wait_for_message(
        self,
        predicate: Predicate = lambda message: True,
        timeout: float = PATIENCE,  # noqa: ASYNC109
        *,
        channel: str | None = None,
        updates: bool = True,
        since: int = 0,
    ) -> JsonObject:
        """The first message, new or updated, for which the predicate holds."""
        kinds = ("message_create", "message_update") if updates else ("message_create",)
        event = await self.wait_for_event(
            lambda e: e["type"] in kinds and channel in (None, e["channel_id"]) and predicate(e["message"]),
            timeout,
            since=since,
        )
        return event["message"]

    async def wait_for_modal(self, timeout: float = PATIENCE, *, since: int = 0) -> JsonObject:  # noqa: ASYNC109
        return (await self.wait_for_event(lambda e: e["type"] == "modal", timeout, since=since))["modal"]
