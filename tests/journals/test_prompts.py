"""How often people are asked: no turn of a recorded campaign asks more than it did when that was last written down."""

from collections import Counter

import pytest

from bot.verification.export_file import read_export
from rules_engine.core.records.journal import Closed, Genesis
from tests.journals.record import RECORDED, path_of

MOST = {
    "pq17/intro": (55, 25),
    "pq17/campaign": (204, 14),
    "cutler/frontier": (94, 50),
    "cutler/intro": (226, 94),
    "cutler/intro/sealed": (167, 90),
    "border_patrol/intro": (10, 5),
    "border_patrol/neutral_zone": (30, 5),
    "jump_lanes/intro": (16, 3),
    "jump_lanes/long-frontier": (43, 5),
    "vector/ambush": (41, 6),
    "vector/courier": (50, 6),
    "vector/race": (64, 6),
    "vector/rendezvous": (48, 8),
}
"""Of each recorded campaign: how many prompts there were in all, and in the turn with the most. They may fall, and are
then written down anew; a rise is paid for by nobody's evening."""


def prompts(key: str) -> Counter[str]:
    """How many prompts each turn of a recorded campaign opened."""
    bodies = [entry.body for entry in read_export(path_of(key))]
    asked = {ask for body in bodies if isinstance(body, Genesis | Closed) for ask in body.outcome.asks}
    return Counter(ask.partition("/")[0] for ask in asked)


@pytest.mark.parametrize("key", RECORDED)
def test_no_campaign_asks_more_than_it_did(key: str) -> None:
    found = prompts(key)
    assert found, "a recorded campaign asks something"
    assert found.total() <= MOST[key][0]
    assert max(found.values()) <= MOST[key][1]
