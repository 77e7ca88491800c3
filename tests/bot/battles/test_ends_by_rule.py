"""Battles whose accounts do not come in: given time, warned of, and ended by rule in the end."""

import re
from pathlib import Path

import pytest

from bot.store.tables import DeadlineRow
from bot.verification.verify import verify
from rules_engine.core.records.journal import Ruled
from tests.bot.battles.test_battles import BATTLE, account, to_battle
from tests.bot.seats.test_chair import decide, name, referee
from tests.bot.seats.test_consent import answer, entries
from tests.bot.worlds.simulated_server import SimulatedServer, said

DAY = 24 * 3600.0
ENDS = "All ships are left."
ENDED = f"No account of “{BATTLE}” was agreed on within 30 days: it ends by rule. {ENDS}"


async def days(here: SimulatedServer, count: int) -> None:
    """Let days pass one by one."""
    for _ in range(count):
        await here.later(DAY)


async def test_battle_ends_by_rule_when_no_account_comes_in_for_30_days(here: SimulatedServer) -> None:
    await to_battle(here)
    await days(here, 29)
    assert ("red", BATTLE) in await here.open_titles()
    assert "ends by rule. " not in await here.texts("battle:t1")
    await days(here, 2)
    assert ENDED in await here.texts("battle:t1")
    assert "Battle: 5 to 5." in await here.texts("public")
    assert ("red", "Battle of turn 2") in await here.open_titles()
    ruled = [one.body for one in await entries(here) if isinstance(one.body, Ruled)]
    assert [(one.by, one.reason) for one in ruled] == [("clock", ENDS)]
    verify(await entries(here))


async def test_parties_and_referee_are_warned_ahead_of_the_moment(here: SimulatedServer) -> None:
    await to_battle(here)
    await days(here, 8)
    thread = await here.texts("battle:t1")
    (moment,) = {*re.findall(rf"If there is none by <t:(\d+):f>: {ENDS}", thread)}
    assert f"it ends by rule by <t:{moment}:f>" in await here.texts("referee")
    await days(here, 21)
    told = [one.content for one in here.dms(here.ann)]
    assert any(f"Then “{BATTLE}” ends by rule. {ENDS}" in one for one in told)
    assert not any("ends by rule" in one for one in told[:-3])
    (falls_at,) = await here.rows(DeadlineRow.falls_at)
    assert abs(falls_at.timestamp() - int(moment)) < 60, "it ends when it was announced to"


async def test_accounts_that_differ_end_by_rule_as_well(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "2")
    await account(here, here.leo, "4", "3")
    await days(here, 31)
    assert ENDED in await here.texts("battle:t1")


@pytest.mark.parametrize("way", ["ruling", "one account"])
async def test_battle_that_is_settled_in_time_does_not_end_by_rule(here: SimulatedServer, way: str) -> None:
    campaign = await to_battle(here)
    await days(here, 20)
    await account(here, here.ann, "4", "2")
    if way == "ruling":
        battle = (await here.bot.services.referee.rulings.open_disputes(campaign, here.rita.user.id))[0][0]
        ruled = await here.slash(here.rita, "referee ruling", battle=battle, reason="seen", account_of="red")
        assert said(ruled) == "Your ruling stands."
    await days(here, 12)
    assert "Battle: 4 to 2." in await here.texts("public")
    assert "it ends by rule" not in await here.texts("battle:t1")


async def test_end_comes_as_the_campaign_sets_it(game: SimulatedServer) -> None:
    told = said(await game.slash(game.rita, "campaign settings", campaign=game.campaign, battles="2d", battle_end="5d"))
    assert "A battle whose account nobody agrees on ends by rule after 5 days." in told
    for who in (game.ann, game.leo):
        await game.press(who, "Orders for turn 1", "Ready")
    await days(game, 4)
    assert ("red", BATTLE) in await game.open_titles()
    await days(game, 2)
    assert "was agreed on within 5 days: it ends by rule" in await game.texts("battle:t1")


async def test_time_for_a_battle_is_never_less_than_one_warning(game: SimulatedServer) -> None:
    await game.slash(game.rita, "campaign settings", campaign=game.campaign, battles="2d", battle_end="1h")
    for who in (game.ann, game.leo):
        await game.press(who, "Orders for turn 1", "Ready")
    await game.later(2 * DAY + 60)
    assert ("red", BATTLE) in await game.open_titles()
    assert f": {ENDS}" in await game.texts("battle:t1")
    await game.later(DAY)
    assert "it ends by rule" in await game.texts("battle:t1")


async def test_paused_campaign_ends_no_battle(here: SimulatedServer) -> None:
    await to_battle(here)
    await days(here, 10)
    await here.slash(here.rita, "referee pause")
    await days(here, 40)
    await here.slash(here.rita, "referee resume")
    await days(here, 19)
    assert "it ends by rule" not in await here.texts("battle:t1"), "the time that was left is kept"
    await days(here, 3)
    assert ENDED in await here.texts("battle:t1")


async def test_end_survives_a_restart(here: SimulatedServer, tmp_path: Path) -> None:
    await to_battle(here)
    await days(here, 29)
    await here.restart()
    await days(here, 3)
    assert ENDED in await here.texts("battle:t1")
    await here.restart()
    assert ("red", "Battle of turn 2") in await here.open_titles()


async def test_sides_name_a_referee_when_theirs_rules_on_nothing_for_14_days(here: SimulatedServer) -> None:
    await to_battle(here)
    await days(here, 20)
    assert "Something waits since" in await name(here, here.ann, here.zoe)
    await days(here, 2)
    await name(here, here.ann, here.zoe)
    await answer(here, here.leo)
    await decide(here, here.zoe, "Accept")
    assert await referee(here) == "zoe"
