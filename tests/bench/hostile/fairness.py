"""How much later a user is answered while another sends hundreds of commands at once."""

import asyncio
from pathlib import Path
from tempfile import TemporaryDirectory

import aiohttp

from tests.bench.clicks import begin_campaign
from tests.bench.figures import NS_PER_MS, Counts, Figure, Tick, middle
from tests.bench.stage import Stage, full_bot, stage
from tests.checkout import ROOT

PART = "Fairness"
MOST_LATER_MS = 200.0
ROUNDS = 3
COMMANDS = ("forces", "orders show", "map")
"""What the other user sends, in turns: looks, a card, a picture."""


def steps(counts: Counts) -> int:
    return ROUNDS


async def measure(counts: Counts, tick: Tick) -> list[Figure]:
    """Leo asks for his forces alone, and again in the midst of Ann's flood; three times, the worst counts."""
    (ROOT / "var").mkdir(exist_ok=True)
    alone: list[float] = []
    beside: list[float] = []
    with TemporaryDirectory(dir=ROOT / "var", prefix="bench-") as folder:
        everything_at_once = aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0))
        async with stage(Path(folder) / "stage") as where, full_bot(where), everything_at_once as http:
            await begin_campaign(where)
            await where.letter("leo")
            for _ in range(ROUNDS):
                alone += [await _asked(where) for _ in range(5)]
                commands = [COMMANDS[number % len(COMMANDS)] for number in range(counts.flood)]
                flood = [asyncio.create_task(_flooded(where, http, command)) for command in commands]
                await asyncio.sleep(0.05)
                while not all(one.done() for one in flood):
                    beside.append(await _asked(where))
                await asyncio.gather(*flood)
                tick()
    usual = middle(alone)
    note = f"{len(beside)} looks during {ROUNDS} floods of {counts.flood} commands"
    return [
        Figure(PART, "a look, alone", usual, "ms"),
        Figure(
            PART, "the latest look beside a flood", max(beside), "ms", usual, "alone", note=note, limit=MOST_LATER_MS
        ),
    ]


async def _asked(where: Stage) -> float:
    answer = await where.command("leo", "forces")
    return (answer["t_callback"] - answer["t_dispatch"]) / NS_PER_MS


async def _flooded(where: Stage, http: aiohttp.ClientSession, command: str) -> None:
    """Send a command and care for no answer."""
    body = {"guild_id": where.guild, "channel_id": where.hall, "path": command, "options": {}}
    async with http.post(f"{where.url}/seat-api/{where.ids['ann']}/command", json=body) as response:
        await response.read()
