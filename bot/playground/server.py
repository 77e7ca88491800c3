"""The playground server: makes all parts, connects them and serves them on one port."""

from __future__ import annotations

import contextlib
import secrets
from io import BytesIO
from pathlib import Path

from aiohttp import web
from PIL import Image

from bot.playground.discord_api import channels, commands, emojis, guilds, interactions, messages, users
from bot.playground.discord_api.faults import Faults
from bot.playground.discord_api.gateway import Gateway
from bot.playground.discord_api.ratelimit import RateLimiter
from bot.playground.discord_api.recorder import Recorder
from bot.playground.discord_api.rest import http_handler
from bot.playground.discord_api.services import RestServices
from bot.playground.seats.actions import SeatActions
from bot.playground.seats.api import SeatApi
from bot.playground.seats.seat import Seat
from bot.playground.seats.services import SeatServices
from bot.playground.seats.setup import SeatSetup
from bot.playground.seats.streams import Streams
from bot.playground.world.clock import Clock
from bot.playground.world.config import PlaygroundConfig
from bot.playground.world.guilds import archive_idle
from bot.playground.world.interactions import Interactions
from bot.playground.world.messages import Messages
from bot.playground.world.model import User
from bot.playground.world.store import Store
from bot.playground.world.world import World

_API = "/api/v10"
_PAGE = Path(__file__).parent / "page"
#: The page runs its own files only, and shows pictures of the playground only.
_PAGE_HEADERS = {
    "Cache-Control": "no-cache",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' data: blob:; "
    "base-uri 'none'; frame-ancestors 'none'; form-action 'none'",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_AVATARS = ("5865f2", "757e8a", "3ba55c", "faa61a", "ed4245", "eb459f")
_MODULES = (users, interactions, messages, channels, guilds, commands, emojis)


class PlaygroundServer:
    """A running playground. `url` is its address; tests in the same process may use its parts directly."""

    def __init__(self, config: PlaygroundConfig) -> None:
        self.config = config
        self._store = Store(config.state)
        self.clock = Clock(float(self._store.meta("clock_offset") or 0.0))
        self.world = World(self._store, self.clock)
        self._ensure_bot()
        self.faults = Faults()
        self.limiter = RateLimiter(self.clock, config)
        self.recorder = Recorder(config.request_log)
        self.url = ""
        self._runner: web.AppRunner | None = None

    def _ensure_bot(self) -> None:
        """Give a new playground its bot user and application."""
        world = self.world
        if world.bot_id:
            return
        world.bot_id = world.new_id()
        world.application_id = world.bot_id
        world.verify_key = secrets.token_hex(32)
        name = self.config.application_name
        world.touch(User(world.bot_id, name.lower().replace(" ", "-"), name, bot=True))
        for key in ("bot_id", "application_id", "verify_key"):
            self._store.set_meta(key, getattr(world, key))
        world.commit()

    @property
    def gateway_url(self) -> str:
        return self.url.replace("http", "ws", 1) + "/gateway/"

    async def start(self) -> None:
        """Bind the port and serve."""
        app = web.Application(client_max_size=12 * self.config.attachment_limit)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        # Routes must be there before the app is set up; the port, which attachments' URLs contain, is known only after.
        self._make_parts()
        self._add_routes(app)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self.config.host, self.config.port)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        self.messages.base_url = self.url

    def _make_parts(self) -> None:
        """Make what needs a running event loop, and connect it."""
        world, config = self.world, self.config
        self.messages = Messages(world, self.url)
        self.interactions = Interactions(world, self.messages, self.clock, config)
        self.gateway = Gateway(world, config, lambda: self.gateway_url)
        self.interactions.dispatch = self.gateway.interaction
        self.streams = Streams(world)
        self.gateway.on_status(self.streams.bot_status)
        self.actions = SeatActions(world, self.messages, self.interactions, limit=config.attachment_limit)
        self.setup = SeatSetup(world)
        self._archive_threads()

    def _add_routes(self, app: web.Application) -> None:
        rest = RestServices(
            config=self.config,
            world=self.world,
            messages=self.messages,
            interactions=self.interactions,
            faults=self.faults,
            limiter=self.limiter,
            recorder=self.recorder,
            gateway_url=lambda: self.gateway_url,
        )
        seats = SeatServices(
            config=self.config,
            world=self.world,
            interactions=self.interactions,
            streams=self.streams,
            actions=self.actions,
            setup=self.setup,
            gateway=self.gateway,
            faults=self.faults,
            recorder=self.recorder,
        )
        # Paths without parameters first, so that `@me` and `pins` are not taken for ids.
        endpoints = [endpoint for module in _MODULES for endpoint in module.ENDPOINTS.entries]
        for endpoint in sorted(endpoints, key=lambda entry: entry.template.count("{")):
            app.router.add_route(endpoint.method, _API + endpoint.template, http_handler(rest, endpoint))
        app.router.add_get("/gateway/", self.gateway.handle)
        app.router.add_get("/cdn/{folder:attachments|ephemeral-attachments}/{owner}/{id}/{name}", self._file)
        app.router.add_get("/cdn/emojis/{id:[0-9]+}.png", self._emoji)
        app.router.add_get("/cdn/embed/avatars/{index:[0-5]}.png", self._default_avatar)
        SeatApi(seats).register(app)
        app.router.add_route("*", "/api/{rest:.*}", self._unknown)
        app.router.add_get("/", self._page)
        app.router.add_get("/{name:(?:[a-z]+/)?[^/]+}", self._page)

    def _archive_threads(self) -> None:
        """Archive the threads that have been idle long enough, now and every minute."""
        archive_idle(self.world)
        self.world.commit()
        self.clock.call_later(60.0, self._archive_threads)

    async def stop(self) -> None:
        """Close all sockets and the state file."""
        self._store.set_meta("clock_offset", repr(self.clock.offset))
        await self.gateway.close()
        await self.streams.close()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None
        self.clock.close()
        self.recorder.close()
        self._store.close()

    async def __aenter__(self) -> PlaygroundServer:
        return self

    async def __aexit__(self, *exc: object) -> None:
        await self.stop()

    def seat(self, name: str, *, channel: str | None = None) -> Seat:
        """The seat of the user of that name (not yet connected)."""
        for user in self.world.users.values():
            if user.name == name and not user.bot:
                return Seat(self.url, user.id, channel=channel)
        raise KeyError(f"no user is called {name}")

    # --- other files ---------------------------------------------------------------------------------------------

    async def _file(self, request: web.Request) -> web.Response:
        blob = self.world.blobs.get(request.match_info["id"])
        data = None if blob is None else self._store.bytes_of(blob.id)
        if blob is None or data is None or blob.filename != request.match_info["name"]:
            return web.Response(status=404, text="no such file")
        headers = {"Cache-Control": "private, max-age=31536000", "X-Content-Type-Options": "nosniff"}
        with contextlib.suppress(ValueError):
            return web.Response(body=data, content_type=blob.content_type.split(";")[0], headers=headers)
        return web.Response(body=data, content_type="application/octet-stream", headers=headers)

    async def _emoji(self, request: web.Request) -> web.Response:
        """The picture of an emoji of the application."""
        emoji = self.world.emojis.get(request.match_info["id"])
        data = None if emoji is None else self._store.bytes_of(emoji.id)
        if data is None:
            return web.Response(status=404, text="no such emoji")
        headers = {"Cache-Control": "private, max-age=31536000", "X-Content-Type-Options": "nosniff"}
        return web.Response(body=data, content_type="image/png", headers=headers)

    async def _default_avatar(self, request: web.Request) -> web.Response:
        """The plain avatars of people without a picture, as Discord serves them: one colour each."""
        image = Image.new("P", (128, 128), 0)
        image.putpalette(bytes.fromhex(_AVATARS[int(request.match_info["index"])]))
        data = BytesIO()
        image.save(data, "PNG")
        return web.Response(body=data.getvalue(), content_type="image/png")

    async def _unknown(self, request: web.Request) -> web.Response:
        return web.Response(status=404, body=b'{"message":"404: Not Found","code":0}', content_type="application/json")

    async def _page(self, request: web.Request) -> web.StreamResponse:
        folder = self.config.page or _PAGE
        path = (folder / request.match_info.get("name", "index.html")).resolve()
        if not path.is_relative_to(folder.resolve()) or not path.is_file():
            return web.Response(status=404, text="The playground runs, but it has no such page.")
        return web.FileResponse(path, headers=_PAGE_HEADERS)


async def serve(config: PlaygroundConfig) -> PlaygroundServer:
    """Start a playground in this event loop; `stop` it, or use it as an async context manager."""
    server = PlaygroundServer(config)
    try:
        await server.start()
    except BaseException:
        await server.stop()
        raise
    return server
