"""The parts of the playground that the seats' HTTP handlers use: world, streams, actions, clock."""

from __future__ import annotations

from dataclasses import dataclass

from bot.playground.discord_api.faults import Faults
from bot.playground.discord_api.gateway import Gateway
from bot.playground.discord_api.recorder import Recorder
from bot.playground.seats.actions import SeatActions
from bot.playground.seats.setup import SeatSetup
from bot.playground.seats.streams import Streams
from bot.playground.world.config import PlaygroundConfig
from bot.playground.world.interactions import Interactions
from bot.playground.world.world import World


@dataclass(frozen=True, slots=True)
class SeatServices:
    """The parts of one playground that serve people and tests: what seats do and see, set-up, and faults on demand."""

    config: PlaygroundConfig
    world: World
    interactions: Interactions
    streams: Streams
    actions: SeatActions
    setup: SeatSetup
    gateway: Gateway
    faults: Faults
    recorder: Recorder
