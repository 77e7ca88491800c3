"""The parts of the playground that handlers of REST requests use: world, messages, gateway, limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.playground.discord_api.faults import Faults
from bot.playground.discord_api.ratelimit import RateLimiter
from bot.playground.discord_api.recorder import Recorder
from bot.playground.world.config import PlaygroundConfig
from bot.playground.world.interactions import Interactions
from bot.playground.world.messages import Messages
from bot.playground.world.world import World


@dataclass(frozen=True, slots=True)
class RestServices:
    """The parts of one playground that answer the bot's requests.

    `gateway_url` is a function, since the port is known only once the server listens.
    """

    config: PlaygroundConfig
    world: World
    messages: Messages
    interactions: Interactions
    faults: Faults
    limiter: RateLimiter
    recorder: Recorder
    gateway_url: Callable[[], str]
