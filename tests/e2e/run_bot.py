"""``plotroom run`` with a seed that the test knows, so that its story can be rehearsed without the bot.

Only this entry point sets the seed: the bot itself has no way to be given one.
"""

import os
import random
from types import SimpleNamespace

from bot.cli import main
from bot.seats import found_campaign

SEED = "PLOTROOM_REHEARSED_SEED"


def fix_seed(seed: bytes) -> None:
    """The next campaign is founded with this seed and an id that is always the same."""
    letters = random.Random(seed)
    found_campaign.secrets = SimpleNamespace(token_bytes=lambda size: seed[:size], choice=letters.choice)  # type: ignore[assignment]


if __name__ == "__main__":
    fix_seed(bytes.fromhex(os.environ[SEED]))
    main()
