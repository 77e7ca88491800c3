"""``plotroom run`` with a seed and nonces that the test knows, so that its story can be rehearsed without the bot.

Only this entry point sets them: the bot itself has no way to be given any.
"""

import random
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from bot.campaigns import runtime
from bot.seats import found_campaign
from tests.chance import NONCE
from tests.forked import Command


def start_bot(seed: bytes, environment: Mapping[str, str], log: Path) -> Command:
    """A bot in a process of its own, with these variables and no others, its output added to ``log``."""
    return Command(["run"], environment, log, log, prepare=partial(_fix_chance, seed))


def _fix_chance(seed: bytes) -> None:
    """The next campaign is founded with this seed and an id that is always the same, and all nonces are one."""
    letters = random.Random(seed)
    found_campaign.secrets = SimpleNamespace(token_bytes=lambda size: seed[:size], choice=letters.choice)  # type: ignore[assignment]
    runtime.secrets = SimpleNamespace(token_hex=lambda _size: NONCE)  # type: ignore[assignment]
