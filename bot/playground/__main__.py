"""`python -m bot.playground --port P --state FILE [--seed-demo]`: run a playground until Ctrl-C or SIGTERM."""

from __future__ import annotations

import argparse
import asyncio
import signal
import sys
from pathlib import Path

from bot.playground.seed import seed_demo
from bot.playground.server import serve
from bot.playground.world.config import FIRST_ANSWER_WITHIN, PlaygroundConfig
from bot.playground.world.store import StoreError


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bot.playground", description="A Discord-compatible server on loopback."
    )
    parser.add_argument("--port", type=int, default=8123, help="TCP port; 0 takes a free one (default: 8123)")
    parser.add_argument("--state", type=Path, required=True, help="SQLite file in which everything is kept")
    parser.add_argument("--token", default="playground-token", help="the bot's token")
    parser.add_argument("--request-log", type=Path, help="JSONL file for all requests of the bot")
    parser.add_argument(
        "--first-answer-within",
        type=float,
        default=FIRST_ANSWER_WITHIN,
        help="seconds that the bot has for an answer (default: 3, as on Discord)",
    )
    parser.add_argument("--seed-demo", action="store_true", help="make the demo's users and server in a new state file")
    return parser.parse_args()


async def _run(arguments: argparse.Namespace) -> None:
    config = PlaygroundConfig(
        state=arguments.state,
        port=arguments.port,
        token=arguments.token,
        request_log=arguments.request_log,
        first_answer_within=arguments.first_answer_within,
    )
    async with await serve(config) as server:
        if arguments.seed_demo:
            seed_demo(server)
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()

        def heard(_number: int, _frame: object) -> None:
            loop.call_soon_threadsafe(stop.set)

        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, heard)  # the loop's own handlers are missing on Windows
        print(f"playground: {server.url}", flush=True)
        await stop.wait()


def main() -> int:
    arguments = _arguments()
    try:
        asyncio.run(_run(arguments))
    except (StoreError, OSError) as error:
        print(f"playground: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
