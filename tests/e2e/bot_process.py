"""``plotroom run`` with a seed that the test knows, so that its story can be rehearsed without the bot.

Only this entry point sets the seed: the bot itself has no way to be given one.
"""

import random
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from types import SimpleNamespace

from bot.seats import found_campaign
from tests.forked import Command


def start_bot(seed: bytes, environment: Mapping[str, str], log: Path) -> Command:
    """A bot in a process of its own, with these variables and no others, its output added to ``log``."""
    return Command(["run"], environment, log, log, prepare=partial(_fix_seed, seed))


def _fix_seed(seed: bytes) -> None:
    """The next campaign is founded with this seed and an id that is always the same."""
    letters = random.Random(seed)
    found_campaign.secrets = SimpleNamespace(token_bytes=lambda size: seed[:size], choice=letters.choice)  # type: ignore[assignment]
