"""``python -m tests.crash.power.subject FOLDER ORDERS``: a campaign whose orders are acknowledged in a file.

The file ``acknowledged`` gets a line with the number that was ordered, as soon as the bot would answer.
"""

import asyncio
import os
import sys
from pathlib import Path

from bot.store.database import open_store
from rules_engine import rulebooks
from tests.bot.worlds.two_bots import ANN, Bot

ACKNOWLEDGED = "acknowledged"


async def main(folder: Path, orders: int) -> None:
    """Order one number after another."""
    rulebooks._PACKAGES = {"toy": "tests.toy"}  # type: ignore[misc]
    store = await open_store(f"sqlite+aiosqlite:///{folder / 'plotroom.db'}")
    bot = Bot(store)
    campaign = await bot.begin()
    token = await bot.token(campaign, ANN)
    target = os.open(folder / ACKNOWLEDGED, os.O_WRONLY | os.O_CREAT)
    for number in range(orders):
        answered = await bot.name(token, ANN, 1 + number % 9)
        receipt = answered.state.receipt  # type: ignore[union-attr]
        os.write(target, f"{receipt}\n".encode())
    await store.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
