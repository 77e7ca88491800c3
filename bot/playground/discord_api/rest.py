"""What happens to every REST request of the bot: faults, token, rate limit, body, handler, commit, record, answer.

Handlers refuse what the bot lacks a permission for, with :meth:`ApiRequest.need_in_guild` and its like.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from bot.playground.discord_api.ratelimit import RateLimited
from bot.playground.discord_api.recorder import Exchange
from bot.playground.discord_api.services import RestServices
from bot.playground.world.bodies import RequestBody, read_body
from bot.playground.world.errors import ApiError, BodyErrors, refuse
from bot.playground.world.json_values import JsonObject
from bot.playground.world.model import Channel, Guild
from bot.playground.world.permissions import Permission
from bot.playground.world.world import World

log = logging.getLogger(__name__)


@dataclass(slots=True)
class ApiRequest:
    """One request of the bot as a handler sees it; `received` is when its headers came, in monotonic nanoseconds."""

    services: RestServices
    params: dict[str, str]
    query: dict[str, str]
    body: RequestBody
    received: int

    @property
    def fields(self) -> JsonObject:
        """The JSON object of the body; a body of another shape is refused."""
        return self.body.fields

    @property
    def world(self) -> World:
        return self.services.world

    @property
    def bot_id(self) -> str:
        return self.world.bot_id

    def whole_number(self, name: str, errors: BodyErrors, *, usual: int, most: int, least: int = 1) -> int:
        """A whole number of the query; what is wrong with it goes to ``errors``."""
        try:
            value = int(self.query.get(name, usual))
        except ValueError:
            value = least - 1
        errors.integer(name, value, least, most)
        return value

    def guild(self) -> Guild:
        """The guild of the path; the bot must be in it."""
        world = self.world
        guild = world.guilds.get(self.params["guild_id"])
        if guild is None:
            raise refuse("unknown_guild")
        if self.bot_id not in world.members[guild.id]:
            raise refuse("missing_access")
        return guild

    def need_in_guild(self, guild: Guild, permission: Permission) -> None:
        """Refuse unless the bot holds the permission in the whole guild."""
        if not self.world.guild_permissions(self.bot_id, guild.id) & permission:
            raise refuse("missing_permissions")

    def channel(self, *needs: Permission) -> Channel:
        """The channel of the path: the bot must see it and hold all the permissions named."""
        world = self.world
        channel = world.channel(self.params["channel_id"])
        bits = world.permissions(self.bot_id, channel)
        if not bits & Permission.VIEW_CHANNEL:
            raise refuse("missing_access")
        for permission in needs:
            if not bits & permission:
                raise refuse("missing_permissions")
        return channel

    def check_application(self) -> None:
        """Refuse unless the application of the path is the bot's own."""
        if self.params["application_id"] != self.world.application_id:
            raise refuse("unknown_application")


Handler = Callable[[ApiRequest], Any]


@dataclass(slots=True)
class Endpoint:
    """One operation of the API; `token` is False where the path itself holds a secret token."""

    method: str
    template: str
    handler: Handler
    token: bool = True
    status: int = 200


class Endpoints:
    """The endpoints of one file, which it lists by decorating its handlers.

    A handler returns the JSON answer, or None for 204.
    """

    def __init__(self) -> None:
        self.entries: list[Endpoint] = []

    def add(self, method: str, template: str, *, token: bool = True, status: int = 200) -> Callable[[Handler], Handler]:
        """Decorate the handler of an operation; `status` is that of an answer with a body."""

        def keep(handler: Handler) -> Handler:
            self.entries.append(Endpoint(method, template, handler, token, status))
            return handler

        return keep


def _major(params: dict[str, str]) -> str:
    """The parameter of the path by which Discord counts rate limits separately."""
    return params.get("channel_id") or params.get("guild_id") or params.get("webhook_token") or ""


def http_handler(services: RestServices, endpoint: Endpoint) -> Callable[[web.Request], Any]:
    """The aiohttp handler for an endpoint."""
    name = f"{endpoint.method} {endpoint.template}"
    authorization = f"Bot {services.config.token}"

    async def handle(request: web.Request) -> web.StreamResponse:
        received = time.monotonic_ns()
        params = dict(request.match_info)
        headers: dict[str, str] = {}
        body = RequestBody()
        answer: Any = None
        fault = services.faults.take(name)
        try:
            if fault is not None:
                if fault.kind == "delay":
                    await asyncio.sleep(fault.seconds)
                elif fault.kind == "cut_before":
                    return _cut(request)
                elif fault.kind == "error":
                    raise ApiError(fault.status, 0, f"{fault.status}: a fault that was asked for")
            if endpoint.token and request.headers.get("Authorization") != authorization:
                raise refuse("unauthorized")
            limited = services.limiter.take(name, _major(params))
            if fault is not None and fault.kind == "rate_limit":
                limited = RateLimited(fault.seconds, fault.everywhere, fault.scope)
            if isinstance(limited, RateLimited):
                status, answer, headers = 429, limited.body(), limited.headers()
            else:
                headers = limited
                body = await read_body(request)
                answer = endpoint.handler(ApiRequest(services, params, dict(request.query), body, received))
                status = 204 if answer is None else endpoint.status
        except ApiError as error:
            status, answer = error.status, error.body()
        except web.HTTPRequestEntityTooLarge:
            error = refuse("too_large")
            status, answer = error.status, error.body()
        except (KeyError, TypeError, ValueError, AttributeError):
            # A body of a shape that no client sends: Discord answers 400, and the log says where it was not expected.
            log.exception("%s: malformed request", name)
            error = refuse("invalid_json")
            status, answer = error.status, error.body()
        services.world.commit()
        services.recorder.record(
            Exchange(
                endpoint.method,
                endpoint.template,
                request.path,
                dict(request.query),
                body.value,
                [{"filename": upload.filename, "size": len(upload.data)} for upload in body.uploads],
                status,
                answer,
                services.world.clock.now(),
            )
        )
        if fault is not None and fault.kind == "cut_after":
            return _cut(request)
        if status == 204:
            return web.Response(status=204, headers=headers)
        data = json.dumps(answer, separators=(",", ":")).encode()
        return web.Response(status=status, body=data, content_type="application/json", headers=headers)

    return handle


def _cut(request: web.Request) -> web.Response:
    """Close the connection without an answer."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=499)
