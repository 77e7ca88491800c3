"""Notices of trouble reach a referee who may play: whatever the hidden thing was that Discord did not let through, the
words are the same."""

from types import SimpleNamespace
from typing import Any

import pytest

from bot.delivery import advice
from bot.delivery.trouble import Trouble, TroubleKind
from bot.records.campaign_settings import CampaignSettings
from bot.records.campaigns import CampaignInfo, CampaignStatus
from bot.records.effects import Archive, BattleThread, Effect, Post, Wake
from bot.records.places import battle_place
from rules_engine.core.basics.base import SideLabel

HOME = CampaignInfo(
    id="abcde",
    guild_id=1,
    title="Convoy",
    rulebook="toy",
    status=CampaignStatus.RUNNING,
    referee_id=2,
    settings=CampaignSettings(),
    sides=tuple(SideLabel(key=key, name=key.title(), emblem=key[0]) for key in ("hydran", "klingon", "lyran")),
)
NOBODY: Any = SimpleNamespace(get_guild=lambda _: None)
ONE, OTHER = "T1/I4/combat/0505/vs/hydran/klingon/main", "T2/I1/combat/1204/vs/lyran/klingon/raid"


def told(effect: Effect, kind: TroubleKind) -> list[str]:
    """All that a referee may be told of trouble with it."""
    return [advice.to_the_referee(NOBODY, effect, HOME, Trouble(kind, 50013)), advice.stubborn(effect, HOME, 500)]


@pytest.mark.parametrize("kind", [TroubleKind.FORBIDDEN, TroubleKind.FULL])
@pytest.mark.parametrize(
    "made",
    [
        lambda key: Post(place=battle_place(key), content=f"A battle at {key}"),
        lambda key: BattleThread(key=key, name=f"Battle {key}", sides=tuple(key.split("/")[5:7]), content=key),
        lambda key: Archive(key=key),
        lambda key: Wake(key=key),
    ],
)
def test_trouble_with_one_battle_is_told_as_trouble_with_another(made: Any, kind: TroubleKind) -> None:
    assert told(made(ONE), kind) == told(made(OTHER), kind)


def test_trouble_with_a_sides_channel_tells_nothing_of_what_was_to_be_posted() -> None:
    one, other = (Post(place="side:hydran", content=text) for text in ("Contact at 0505.", "Nothing new."))
    assert told(one, TroubleKind.FORBIDDEN) == told(other, TroubleKind.FORBIDDEN)
