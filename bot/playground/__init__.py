"""A Discord-compatible server on loopback, to which the unchanged discord.py client connects.

`serve` starts one in this process, `python -m bot.playground` from a shell, and `Seat` acts as one user. SEAT_API.md
describes the interface of the web page and the tests.
"""

from bot.playground.seats.seat import Seat, SeatRefusedError
from bot.playground.server import PlaygroundServer, serve
from bot.playground.world.config import PlaygroundConfig

__all__ = ["PlaygroundConfig", "PlaygroundServer", "Seat", "SeatRefusedError", "serve"]
