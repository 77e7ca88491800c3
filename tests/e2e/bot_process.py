"""``plotroom run`` with a seed and nonces that the test knows, so that its story can be rehearsed without the bot; with
dice that a test has loaded; with a clock that stands still until the test moves it; and with a bot that does not hurry.

Only this entry point sets them: the bot itself has no way to be given any.
"""

import os
import random
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from bot import running
from bot.campaigns import runtime
from bot.client import PlotroomBot
from bot.interactions import guard
from bot.seats import found_campaign
from bot.settings import HostSettings
from bot.store.database import Store
from rules_engine.core.basics.dice import DiceStream
from tests import slow_turns
from tests.chance import NONCE, Falls, loaded
from tests.e2e import delays
from tests.e2e.bot_clock import BotClock, TimeGiven
from tests.forked import Command
from tests.patience import PATIENCE

TIME_IS_WON = "PLOTROOM_TIME_IS_WON"
"""A bot with this in its environment answers everything only after a first answer that won time for it."""


def start_bot(seed: bytes, environment: Mapping[str, str], log: Path, falls: Falls, time: TimeGiven) -> Command:
    """Start a bot in a process of its own, with these variables and no others, its output added to ``log``."""
    try:
        return Command(["run"], environment, log, log, prepare=partial(_prepare, seed, falls, time))
    finally:
        time.line.close()  # the process has its own


def _prepare(seed: bytes, falls: Falls, time: TimeGiven) -> None:
    _fix_chance(seed, falls)
    _fix_time(BotClock(time))
    delays.begin()
    if os.environ.get(TIME_IS_WON):
        slow_turns.begin()


def _fix_time(clock: BotClock) -> None:
    """Have the bot go by this clock. That a machine is busy changes nothing of what people see: the bot does not win
    time by another answer first, and opens each form."""

    class TimedBot(PlotroomBot):
        def __init__(self, store: Store, settings: HostSettings) -> None:
            super().__init__(store, settings, now=clock.now)
            # Pictures that wait for a moment are sent by the clock that runs.
            self.services.runtime.now = clock.campaigns_now
            self.services.runtime.lived = lambda: clock.campaigns_now().timestamp()
            clock.listen(self.deadlines.wake)

    running.PlotroomBot = TimedBot  # type: ignore[misc]
    guard.PATIENCE = PATIENCE


def _fix_chance(seed: bytes, falls: Falls) -> None:
    """The next campaign is founded with this seed and an id that is always the same, and all nonces are one; the loaded
    dice fall the same way whenever they are rolled again."""
    letters = random.Random(seed)
    found_campaign.secrets = SimpleNamespace(token_bytes=lambda size: seed[:size], choice=letters.choice)  # type: ignore[assignment]
    runtime.secrets = SimpleNamespace(token_hex=lambda _size: NONCE)  # type: ignore[assignment]
    if falls:
        DiceStream.draw = loaded(falls)  # type: ignore[method-assign]
