"""The HTTP side of the seat API: one table of operations, each with the keys that its body may have."""

from __future__ import annotations

import inspect
import json
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from bot.playground.discord_api.faults import Fault
from bot.playground.seats import views
from bot.playground.seats.actions import first_response_view
from bot.playground.seats.errors import SeatError
from bot.playground.seats.services import SeatServices
from bot.playground.world.interactions import PendingInteraction
from bot.playground.world.json_values import JsonObject, is_object

Work = Callable[[web.Request, JsonObject], Any]


def _answer(value: Any, status: int = 200) -> web.Response:
    data = json.dumps(value, separators=(",", ":")).encode()
    return web.Response(status=status, body=data, content_type="application/json")


class SeatApi:
    """Registers all routes under /seat-api."""

    def __init__(self, services: SeatServices) -> None:
        self.services = services
        self.world = services.world

    def register(self, app: web.Application) -> None:
        router = app.router
        router.add_get("/seat-api/seats", self._handler(self._seats))
        self._register_test(router)
        self._register_setup(router)
        router.add_get("/seat-api/{user}/state", self._handler(self._state))
        router.add_get("/seat-api/{user}/messages", self._handler(self._messages))
        router.add_get("/seat-api/{user}/pins", self._handler(self._pins))
        router.add_get("/seat-api/{user}/events", self._events)
        actions = self.services.actions
        for name, work, keys in (
            ("command", actions.command, "guild_id channel_id path options"),
            ("press", actions.press, "channel_id message_id custom_id"),
            ("select", actions.select, "channel_id message_id custom_id values"),
            ("modal", actions.submit_modal, "interaction_id values"),
        ):
            router.add_post(f"/seat-api/{{user}}/{name}", self._handler(self._acting(work), keys))
        router.add_post(
            "/seat-api/{user}/autocomplete",
            self._handler(self._autocomplete, "guild_id channel_id path options focused"),
        )
        for name, work, keys in (
            ("modal_dismiss", actions.dismiss_modal, "interaction_id"),
            ("message", actions.send, "channel_id content attachments reply_to"),
            ("edit_message", actions.edit, "channel_id message_id content"),
            ("delete_message", actions.delete, "channel_id message_id"),
            ("dismiss", actions.dismiss, "channel_id message_id"),
            ("open_dm", actions.open_dm, "user_id"),
            ("thread_join", actions.join_thread, "channel_id"),
            ("thread_leave", actions.leave_thread, "channel_id"),
            ("read", self._read, "channel_id message_id"),
            ("settings", self._settings, "dms_open"),
        ):
            router.add_post(f"/seat-api/{{user}}/{name}", self._handler(self._doing(work), keys))

    def _register_setup(self, router: web.UrlDispatcher) -> None:
        setup = self.services.setup
        guild = "/seat-api/guilds/{guild}"
        overwrites = "name kind parent_id topic overwrites archived locked position"
        table: list[tuple[str, str, Work, str]] = [
            (
                "POST",
                "/seat-api/users",
                lambda r, b: setup.create_user(b),
                "name display note avatar_color dms_open locale",
            ),
            ("POST", "/seat-api/guilds", lambda r, b: setup.create_guild(b), "name owner_id with_bot bot_permissions"),
            ("POST", f"{guild}/members", lambda r, b: setup.add_member(r.match_info["guild"], b), "user_id nick roles"),
            ("PATCH", f"{guild}/members/{{id}}", lambda r, b: setup.edit_member(*_guild_and_id(r), b), "nick roles"),
            ("DELETE", f"{guild}/members/{{id}}", lambda r, b: setup.remove_member(*_guild_and_id(r)), ""),
            ("POST", f"{guild}/bot", lambda r, b: setup.invite_bot(r.match_info["guild"], b), "permissions"),
            (
                "POST",
                f"{guild}/roles",
                lambda r, b: setup.create_role(r.match_info["guild"], b),
                "name permissions color mentionable hoist",
            ),
            (
                "PATCH",
                f"{guild}/roles/{{id}}",
                lambda r, b: setup.edit_role(*_guild_and_id(r), b),
                "name permissions color mentionable hoist",
            ),
            ("DELETE", f"{guild}/roles/{{id}}", lambda r, b: setup.delete_role(*_guild_and_id(r)), ""),
            ("POST", f"{guild}/channels", lambda r, b: setup.create_channel(r.match_info["guild"], b), overwrites),
            ("PATCH", f"{guild}/channels/{{id}}", lambda r, b: setup.edit_channel(*_guild_and_id(r), b), overwrites),
            ("DELETE", f"{guild}/channels/{{id}}", lambda r, b: setup.delete_channel(*_guild_and_id(r)), ""),
        ]
        for method, path, work, keys in table:
            router.add_route(method, path, self._handler(work, keys))

    def _register_test(self, router: web.UrlDispatcher) -> None:
        base = "/seat-api/test"
        router.add_get(f"{base}/log", self._handler(lambda r, b: {"requests": self.services.recorder.listed()}))
        router.add_get(f"{base}/state", self._handler(self._test_state))
        for name, work, keys in (
            ("drop_gateway", self._drop, "resumable code"),
            ("reconnect_gateway", self._reconnect, ""),
            ("deafen_gateway", self._deafen, ""),
            ("rate_limit", self._rate_limit, "count retry_after route global scope"),
            ("error", self._error, "count status route"),
            ("cut", self._cut, "count when route"),
            ("delay", self._delay, "count seconds route"),
            ("duplicate_interaction", self._duplicate, "count"),
            ("clear", self._clear, ""),
            ("clock", self._clock, "advance"),
        ):
            router.add_post(f"{base}/{name}", self._handler(work, keys))

    # --- plumbing ------------------------------------------------------------------------------------------------

    def _handler(self, work: Work, keys: str = "") -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
        """Wrap an operation: read and check the body, commit, answer; `work` may return an awaitable."""
        allowed = set(keys.split())

        async def handle(request: web.Request) -> web.StreamResponse:
            try:
                body = await self._body(request, allowed)
                result = work(request, body)
                self.world.commit()
                if inspect.isawaitable(result):
                    result = await result
                    self.world.commit()
            except SeatError as error:
                self.world.commit()
                return _answer(error.body(), error.status)
            return _answer(result)

        return handle

    async def _body(self, request: web.Request, allowed: set[str]) -> JsonObject:
        if request.method == "GET" or not request.can_read_body:
            return {}
        try:
            body = json.loads(await request.read())
        except ValueError as error:
            raise SeatError("bad_request", f"the body is not JSON: {error}") from error
        if not is_object(body):
            raise SeatError("bad_request", "the body must be an object")
        if extra := sorted(set(body) - allowed):
            raise SeatError("bad_request", f"unknown keys: {', '.join(extra)}; known: {', '.join(sorted(allowed))}")
        return body

    def _user(self, request: web.Request) -> str:
        user_id = request.match_info["user"]
        user = self.world.users.get(user_id)
        if user is None or user.bot:
            raise SeatError("unknown_user", "there is no such seat")
        return user_id

    def _doing(self, work: Callable[[str, JsonObject], Any]) -> Work:
        return lambda request, body: work(self._user(request), body)

    def _acting(self, work: Callable[[str, JsonObject], PendingInteraction]) -> Work:
        async def wait(pending: PendingInteraction) -> JsonObject:
            return first_response_view(self.world, pending, await pending.answer)

        def act(request: web.Request, body: JsonObject) -> Any:
            pending = work(self._user(request), body)
            if request.query.get("wait") == "0":
                return {"interaction_id": pending.interaction.id}
            return wait(pending)

        return act

    async def _autocomplete(self, request: web.Request, body: JsonObject) -> JsonObject:
        response = await self.services.actions.autocomplete(self._user(request), body).answer
        if response.error is not None:  # that the bot has none to offer would be another answer
            raise SeatError("unanswered", "the bot did not answer in time")
        return {"choices": response.choices}

    # --- seats ---------------------------------------------------------------------------------------------------

    def _seats(self, request: web.Request, body: JsonObject) -> Any:
        return [views.seat(user) for user in self.world.users.values() if not user.bot]

    def _state(self, request: web.Request, body: JsonObject) -> Any:
        user_id = self._user(request)
        stream = self.services.streams.stream(user_id)
        return views.state(
            self.world,
            user_id,
            application_name=self.services.config.application_name,
            online=self.services.gateway.online,
            modals=self.services.interactions.open_modals(user_id),
            seq=stream.seq,
        )

    def _messages(self, request: web.Request, body: JsonObject) -> Any:
        return self.services.actions.history(self._user(request), dict(request.query))

    def _pins(self, request: web.Request, body: JsonObject) -> Any:
        return self.services.actions.pins(self._user(request), dict(request.query))

    async def _events(self, request: web.Request) -> web.StreamResponse:
        try:
            user_id = self._user(request)
        except SeatError as error:
            return _answer(error.body(), error.status)
        return await self.services.streams.handle(request, user_id)

    def _read(self, user_id: str, body: JsonObject) -> JsonObject:
        result = self.services.actions.read(user_id, body)
        channel = self.world.channels[str(body["channel_id"])]
        self.services.streams.recount(self.services.streams.stream(user_id), channel)
        return result

    def _settings(self, user_id: str, body: JsonObject) -> JsonObject:
        user = self.world.users[user_id]
        if not isinstance(body.get("dms_open"), bool):
            raise SeatError("bad_request", "dms_open must be true or false")
        user.dms_open = body["dms_open"]
        self.world.touch(user)
        return views.seat(user)

    # --- faults and the clock ------------------------------------------------------------------------------------

    def _test_state(self, request: web.Request, body: JsonObject) -> Any:
        sessions = [
            {
                "id": session.id,
                "connected": session.connection is not None,
                "seq": session.seq,
                "buffered": len(session.buffer),
                "shard": list(session.shard),
            }
            for session in self.services.gateway.sessions.values()
        ]
        return {"sessions": sessions, "now": self.world.clock.now(), "faults": self.services.faults.listed()}

    async def _drop(self, request: web.Request, body: JsonObject) -> JsonObject:
        count = await self.services.gateway.drop(
            resumable=body.get("resumable", True) is not False, code=int(body.get("code", 1006))
        )
        return {"dropped": count}

    def _reconnect(self, request: web.Request, body: JsonObject) -> JsonObject:
        self.services.gateway.reconnect()
        return {}

    def _deafen(self, request: web.Request, body: JsonObject) -> JsonObject:
        self.services.gateway.deafen()
        return {}

    def _rate_limit(self, request: web.Request, body: JsonObject) -> JsonObject:
        fault = Fault(
            "rate_limit", int(body.get("count", 1)), body.get("route"), seconds=float(body.get("retry_after", 0.5))
        )
        fault.everywhere = bool(body.get("global"))
        fault.scope = str(body.get("scope", "user"))
        self.services.faults.add(fault)
        return {}

    def _error(self, request: web.Request, body: JsonObject) -> JsonObject:
        self.services.faults.add(
            Fault("error", int(body.get("count", 1)), body.get("route"), status=int(body.get("status", 500)))
        )
        return {}

    def _cut(self, request: web.Request, body: JsonObject) -> JsonObject:
        when = body.get("when", "before")
        if when not in ("before", "after"):
            raise SeatError("bad_request", "when must be before or after")
        kind = "cut_before" if when == "before" else "cut_after"
        self.services.faults.add(Fault(kind, int(body.get("count", 1)), body.get("route")))
        return {}

    def _delay(self, request: web.Request, body: JsonObject) -> JsonObject:
        seconds = float(body.get("seconds", 1.0))
        self.services.faults.add(Fault("delay", int(body.get("count", 1)), body.get("route"), seconds=seconds))
        return {}

    def _duplicate(self, request: web.Request, body: JsonObject) -> JsonObject:
        self.services.gateway.duplicate(int(body.get("count", 1)))
        return {}

    def _clear(self, request: web.Request, body: JsonObject) -> JsonObject:
        self.services.faults.clear()
        self.services.gateway.duplicate(0)
        return {}

    def _clock(self, request: web.Request, body: JsonObject) -> JsonObject:
        seconds = body.get("advance", 0)
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or seconds < 0:
            raise SeatError("bad_request", "advance must be a number of seconds, 0 or more")
        self.world.clock.advance(float(seconds))
        return {"now": self.world.clock.now()}


def _guild_and_id(request: web.Request) -> tuple[str, str]:
    return request.match_info["guild"], request.match_info["id"]
