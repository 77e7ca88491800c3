"""A battle's thread is awake as long as the battle is open, says when it is over, and is closed then."""

from typing import Any

import pytest

from bot.recording.battle_threads import AGAIN, BACK_IN, OVER, VOID
from bot.records.campaigns import CampaignStatus
from bot.store.tables import BattleRow, CampaignRow, OutboxRow, PlaceRow
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.bot.worlds.strict_threads import be_strict

BATTLE = "Battle of turn 1"
DAY = 24 * 3600.0


@pytest.fixture(autouse=True)
def strict(here: SimulatedServer) -> None:
    """Archived threads are as on the real Discord."""
    be_strict(here.env.backend)


async def to_battle(here: SimulatedServer, turn: int = 1) -> None:
    """Both sides name the same number."""
    for who in (here.ann, here.leo):
        await here.press(who, f"Orders for turn {turn}", "Ready")


async def account(here: SimulatedServer, who: Any, red: str = "4", blue: str = "2", title: str = BATTLE) -> None:
    """Fill in an account and send it."""
    await here.fill(who, title, "0.0", f0=red, f1=blue)
    await here.press(who, title, "Send this account")


async def settle(here: SimulatedServer, title: str = BATTLE) -> None:
    """Both send the same account."""
    for who in (here.ann, here.leo):
        await account(here, who, title=title)


async def go_back(here: SimulatedServer, to: int) -> None:
    """The referee goes back to an entry."""
    await here.go_back(to, "A slip.")
    assert (await here.journal())[-1] == "rewound"


async def thread_of(here: SimulatedServer, key: str = "t1") -> Any:
    """A battle's thread as Discord has it."""
    return here.env.backend.get_channel((await here.channel(f"battle:{key}")).id)


async def is_closed(here: SimulatedServer, key: str = "t1") -> bool:
    """Whether it is archived and locked; it is never one without the other."""
    kept = (await thread_of(here, key)).thread_metadata
    assert kept.archived == kept.locked
    return kept.archived


async def posts(here: SimulatedServer, key: str = "t1") -> list[str]:
    """What stands in a battle's thread, from the first to the last."""
    return [message.content for message in (await here.channel(f"battle:{key}")).history()]


async def given_up(here: SimulatedServer) -> list[str]:
    """What could not be delivered."""
    return await here.rows(OutboxRow.error, OutboxRow.status == "failed")


# --- how battles end --------------------------------------------------------------------------------------------------
async def test_accounts_that_agree_close_it(game: SimulatedServer) -> None:
    await to_battle(game)
    await account(game, game.ann)
    assert not await is_closed(game)
    await account(game, game.leo)
    assert (await posts(game))[-1] == f"{OVER} Closed: everybody was ready."
    assert await is_closed(game)


async def test_a_ruling_is_said_in_it_and_closes_it(game: SimulatedServer) -> None:
    await to_battle(game)
    (offered,) = await game.rita.autocomplete(game.hall, "referee ruling", "battle", "")
    ruling = {"battle": offered["value"], "reason": "I saw it.", "text": "ships: red 3; blue 1"}
    await game.slash(game.rita, "referee ruling", **ruling)
    ruled, over = (await posts(game))[-2:]
    assert "The referee has ruled" in ruled
    assert over.startswith(OVER)
    assert await is_closed(game)


async def test_a_deadline_closes_it_only_if_it_settles_the_battle(game: SimulatedServer) -> None:
    await to_battle(game)
    await game.later(7 * DAY + 60)
    assert "without an agreed account" in (await posts(game))[-1]
    assert not await is_closed(game)
    await account(game, game.ann)
    await game.later(7 * DAY)
    assert (await posts(game))[-1] == f"{OVER} Closed at its deadline."
    assert await is_closed(game)


async def test_what_it_says_at_the_end_is_the_same_whatever_came_of_the_battle(game: SimulatedServer) -> None:
    await to_battle(game)
    await settle(game)
    await to_battle(game, 2)
    for who in (game.ann, game.leo):
        await account(game, who, "0", "3", title="Battle of turn 2")
    assert (await posts(game))[-1] == (await posts(game, "t2"))[-1]


async def test_the_end_of_the_campaign_leaves_none_open(game: SimulatedServer) -> None:
    for turn in (1, 2, 3):
        await to_battle(game, turn)
        await settle(game, f"Battle of turn {turn}")
    assert await game.rows(CampaignRow.status) == ["ended"]
    assert [await is_closed(game, f"t{turn}") for turn in (1, 2, 3)] == [True, True, True]
    assert await game.rows(BattleRow.key, BattleRow.stirred_at.is_not(None)) == []
    assert await given_up(game) == []


async def test_a_pause_a_halt_and_an_edit_close_nothing(game: SimulatedServer) -> None:
    await to_battle(game)
    await game.slash(game.rita, "referee edit", path="ships.red", value="3", reason="miscounted")
    await game.slash(game.rita, "referee pause")
    before = await posts(game)
    assert not await is_closed(game)
    async with game.store.write() as tx:
        await tx.campaigns.set_status(game.campaign, CampaignStatus.HALTED, "a test")
    (await thread_of(game)).thread_metadata.archived = True
    await game.later(6 * DAY)
    assert not await is_closed(game), "it can be talked of, and played on once somebody has mended it"
    assert await posts(game) == before


# --- going back -------------------------------------------------------------------------------------------------------
async def test_going_back_to_before_an_open_battle_says_so_and_closes_it(game: SimulatedServer) -> None:
    await to_battle(game)
    await account(game, game.ann)
    await go_back(game, 1)
    assert (await posts(game))[-1] == VOID
    assert await is_closed(game)


async def test_going_back_to_before_a_battle_that_is_over_says_so_once_and_leaves_it_closed(game: SimulatedServer):
    await to_battle(game)
    await settle(game)
    await go_back(game, 1)
    assert (await posts(game))[-1] == VOID
    assert await is_closed(game)
    await go_back(game, 1)
    assert (await posts(game)).count(VOID) == 1
    assert await is_closed(game)
    assert await given_up(game) == []


async def test_a_battle_that_is_fought_again_has_its_thread_open_with_a_word_in_it(game: SimulatedServer) -> None:
    await to_battle(game)
    thread = await thread_of(game)
    await go_back(game, 1)
    await to_battle(game)
    assert await thread_of(game) is thread
    assert not await is_closed(game)
    assert AGAIN in (await posts(game))[-1]
    assert "All accounts must agree." in (await posts(game))[-1]
    await settle(game)
    assert (await posts(game))[-1].startswith(OVER)
    assert await is_closed(game)


@pytest.mark.parametrize("is_over", [False, True])
async def test_going_back_into_a_battle_has_its_thread_open(game: SimulatedServer, is_over: bool) -> None:
    await to_battle(game)
    at = (await game.rows(BattleRow.opened_seq))[0]
    await account(game, game.ann)
    if is_over:
        await account(game, game.leo)
    await go_back(game, at)
    assert not await is_closed(game)
    assert BACK_IN in (await posts(game))[-1]
    assert VOID not in await posts(game)
    await settle(game)
    assert await is_closed(game)
    assert await given_up(game) == []


async def test_going_back_to_after_a_battle_changes_nothing_of_it(game: SimulatedServer) -> None:
    await to_battle(game)
    await settle(game)
    at = len(await game.journal())
    before = await posts(game)
    await to_battle(game, 2)
    await go_back(game, at)
    assert await posts(game) == before
    assert await is_closed(game)
    assert (await posts(game, "t2"))[-1] == VOID
    assert await is_closed(game, "t2")


# --- silence ----------------------------------------------------------------------------------------------------------
def stirred(here: SimulatedServer) -> list[Any]:
    """The calls by which threads were kept awake."""
    asked = [one.json for one in here.env.http_requests if one.method == "PATCH" and "/channels/" in one.path]
    return [one for one in asked if one and "auto_archive_duration" in one]


async def test_an_open_battles_thread_is_kept_awake_and_one_that_is_over_is_left_alone(game: SimulatedServer) -> None:
    await to_battle(game)
    before = await posts(game)
    await game.later(4 * DAY)
    assert stirred(game) == []
    await game.later(1.5 * DAY)
    first, second = stirred(game)
    assert first == {"archived": False, "locked": False, "auto_archive_duration": 4320}
    assert second == {"auto_archive_duration": 10080}, "silence is counted from here on, for as long as Discord allows"
    await game.later(DAY)
    assert len(stirred(game)) == 2
    assert await posts(game) == before, "without a word"
    await game.later(4.5 * DAY)
    assert len(stirred(game)) == 4
    await settle(game)
    await game.later(60 * DAY)
    assert len(stirred(game)) == 4
    assert await is_closed(game)


async def archive(here: SimulatedServer, archived: bool = True) -> None:
    """Discord puts the thread away."""
    thread = await thread_of(here)
    thread.thread_metadata.archived = archived
    here.env.backend.announce_channel_update(thread.id)
    await here.env.settle()


async def test_one_that_is_put_away_all_the_same_is_opened_at_once(game: SimulatedServer) -> None:
    await to_battle(game)
    await archive(game)
    assert not await is_closed(game)
    await settle(game)
    looks = await game.rows(OutboxRow.id, OutboxRow.kind == "reconcile")
    assert looks
    await archive(game)
    assert await is_closed(game)
    assert await game.rows(OutboxRow.id, OutboxRow.kind == "reconcile") == looks, "nobody needs it any more"


async def test_one_that_was_put_away_while_the_bot_was_down_is_opened_when_it_is_back(game: SimulatedServer) -> None:
    await to_battle(game)
    (await thread_of(game)).thread_metadata.archived = True
    await game.restart()
    await game.later(1)
    assert not await is_closed(game)


async def test_an_account_that_is_sent_opens_it(game: SimulatedServer) -> None:
    await to_battle(game)
    (await thread_of(game)).thread_metadata.archived = True
    await account(game, game.ann)
    assert not await is_closed(game)
    assert "sent its account" in (await posts(game))[-1]


# --- deleted by hand --------------------------------------------------------------------------------------------------
async def test_a_thread_that_is_deleted_while_its_battle_is_open_is_made_again_at_once(game: SimulatedServer) -> None:
    await to_battle(game)
    old = await thread_of(game)
    game.env.backend.delete_channel(old.id)
    await game.env.settle()
    new = await thread_of(game)
    assert new is not old
    assert set(new.thread_members) >= {game.ann.user.id, game.leo.user.id}
    assert "All accounts must agree." in (await posts(game))[-1]
    await settle(game)
    assert (await posts(game))[-1].startswith(OVER)
    assert await is_closed(game)


async def test_a_thread_that_is_deleted_when_its_battle_is_over_stays_away(game: SimulatedServer) -> None:
    await to_battle(game)
    await settle(game)
    game.env.backend.delete_channel((await thread_of(game)).id)
    await game.env.settle()
    await go_back(game, 1)
    assert await game.rows(PlaceRow.key, PlaceRow.key == "battle:t1") == []
    await to_battle(game)
    assert AGAIN in (await posts(game))[-1]
    assert not await is_closed(game)


# --- people -----------------------------------------------------------------------------------------------------------
async def substitute(here: SimulatedServer, leaving: Any, arriving: Any) -> None:
    """Hand a seat over, with the consent of who holds it."""
    text = said(await here.slash(here.rita, "referee substitute", leaving=leaving.user, arriving=arriving.user))
    assert "It waits for" in text, text
    await here.press(leaving, "asks for your consent", "Agree")


async def members(here: SimulatedServer, key: str = "t1") -> set[str]:
    """Who sees a battle's thread."""
    there = (await thread_of(here, key)).thread_members
    return {name for name, who in here.people.items() if who.user.id in there}


async def test_a_substitute_is_let_into_a_thread_that_sleeps(game: SimulatedServer) -> None:
    await to_battle(game)
    (await thread_of(game)).thread_metadata.archived = True
    await substitute(game, game.leo, game.zoe)
    assert await members(game) == {"ann", "zoe"}
    assert not await is_closed(game)
    assert await given_up(game) == []


async def test_who_leaves_sees_no_thread_any_more_that_was_closed_before(game: SimulatedServer) -> None:
    await to_battle(game)
    await settle(game)
    await to_battle(game, 2)
    await substitute(game, game.leo, game.zoe)
    assert await members(game) == {"ann"}, "old battles are not the substitute's to read"
    assert await is_closed(game)
    assert await members(game, "t2") == {"ann", "zoe"}
    assert not await is_closed(game, "t2")
    assert await given_up(game) == []


async def test_who_came_while_a_battle_was_void_is_in_its_thread_when_it_is_fought_again(game: SimulatedServer) -> None:
    await to_battle(game)
    await go_back(game, 1)
    await substitute(game, game.leo, game.zoe)
    assert await members(game) == {"ann"}
    await game.press(game.ann, "Orders for turn 1", "Ready")
    await game.press(game.zoe, "Orders for turn 1", "Ready")
    assert await members(game) == {"ann", "zoe"}
    assert not await is_closed(game)


async def test_a_new_referee_sees_no_battle_of_others(game: SimulatedServer) -> None:
    await to_battle(game)
    await game.hand_over(game.rita, game.mia)
    assert "is the referee now" in await game.texts("public")
    assert await members(game) == {"ann", "leo"}
