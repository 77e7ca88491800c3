"""A Discord-compatible server on loopback, to which the unchanged discord.py client connects.

`serve` starts one in this process, `python -m bot.playground` from a shell, `point_client_at` turns discord.py towards
it, and `Seat` plays one user. SEAT_API.md describes the interface of the web page and the tests.
"""

from bot.playground.config import PlaygroundConfig
from bot.playground.connect import point_client_at
from bot.playground.seat import Seat, SeatRefusedError
from bot.playground.server import PlaygroundServer, serve

__all__ = ["PlaygroundConfig", "PlaygroundServer", "Seat", "SeatRefusedError", "point_client_at", "serve"]
