"""Battles played by hand: the thread, two accounts that differ, then agree; the referee's ruling; the deadline."""

from typing import Any

from bot.cards.accounts import differences_told
from bot.store.tables import DeadlineRow, PlaceRow
from tests.bot.worlds.simulated_server import SimulatedServer, said

BATTLE = "Battle of turn 1"


async def to_battle(here: SimulatedServer) -> str:
    """Both sides name the same number."""
    campaign = await here.begin()
    await here.press(here.ann, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    return campaign


async def account(here: SimulatedServer, who: Any, red: str, blue: str) -> None:
    """Fill in an account and send it."""
    await here.fill(who, BATTLE, "0.0", f0=red, f1=blue)
    await here.press(who, BATTLE, "Send this account")


async def test_a_battle_opens_a_thread_for_its_parties_with_the_sheet(here: SimulatedServer) -> None:
    await to_battle(here)
    thread = await here.channel("battle:t1")
    assert thread.is_thread
    texts = await here.texts("battle:t1")
    assert "Battle of turn 1" in texts
    assert here.ann.mention in texts
    assert here.leo.mention in texts
    names = [file.filename for message in thread.history() for file in message.attachments]
    assert "battle.txt" in names
    assert "the reserve is near" in await here.texts("side:red")
    assert "the reserve is near" not in texts + await here.texts("side:blue")


async def test_an_account_is_a_draft_until_it_is_sent(here: SimulatedServer) -> None:
    await to_battle(here)
    await here.fill(here.ann, BATTLE, "0.0", f0="4", f1="2")
    assert "answered" not in await here.journal()
    await here.press(here.ann, BATTLE, "Send this account")
    assert (await here.journal()).count("answered") == 1
    assert "Red Fleet sent its account; awaited: Blue Fleet." in await here.texts("battle:t1")


async def test_accounts_that_differ_are_compared_and_those_that_agree_let_play_go_on(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "2")
    await account(here, here.leo, "4", "3")
    texts = await here.texts("battle:t1")
    assert "The accounts differ:" in texts
    assert "blue: 2 or 3" in texts
    assert "Blue Fleet: ships left**\nYou: 2. They: 3." in here.prompt(here.ann, BATTLE).content
    for who in (here.ann, here.leo):
        assert "has sent the account" not in here.prompt(who, BATTLE).content, "of two sides both know who is meant"
        assert "every account is in" not in here.prompt(who, BATTLE).content
    await account(here, here.ann, "4", "3")
    assert "Battle: 4 to 3." in await here.texts("public")
    assert ("red", "Orders for turn 2") in await here.open_titles()


async def test_a_side_takes_the_other_sides_account_with_one_press(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "2")
    assert "Take their whole account" not in here.buttons(here.leo, BATTLE), "accounts are compared once both are there"
    await account(here, here.leo, "4", "3")
    assert "accounts differ" in here.prompt(here.leo, BATTLE).content
    await here.press(here.leo, BATTLE, "Take their whole account")
    assert "Battle: 4 to 2." in await here.texts("public")
    assert (await here.journal()).count("answered") == 3, "it is on the record as that side's own account"


async def test_nobody_takes_another_account_than_the_one_that_was_shown(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "2")
    await account(here, here.leo, "4", "3")
    shown = here.prompt(here.leo, BATTLE)
    button = here.buttons(here.leo, BATTLE)["Take their whole account"]
    await account(here, here.ann, "5", "1")
    before = await here.fingerprint()
    late = await here.forge(here.leo.user, shown, button)
    assert "Their account is not what it was; look at the sheet again." in said(late)
    assert await here.fingerprint() == before
    await here.press(here.leo, BATTLE, "Take their whole account")
    assert "Battle: 5 to 1." in await here.texts("public")


async def test_where_the_referee_plays_the_sides_settle_their_disputes(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.slash(here.rita, "campaign join", side="red", campaign=campaign)
    await here.slash(here.leo, "campaign join", side="blue", campaign=campaign)
    await here.slash(here.rita, "campaign start")
    await here.press(here.rita, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    await account(here, here.rita, "4", "2")
    await account(here, here.leo, "4", "3")
    refused = said(await here.slash(here.rita, "referee ruling", battle="x", reason="I was there.", account_of="red"))
    assert "settled when a side presses **Take their whole account**" in refused
    await here.later(7 * 24 * 3600 + 60)
    assert "without an agreed account" in await here.texts("battle:t1")
    assert "without an agreed account" not in await here.texts("referee"), "they cannot rule, nor be told of others'"
    await here.press(here.rita, BATTLE, "Take their whole account")
    assert "Battle: 4 to 3." in await here.texts("public")


async def test_an_account_that_is_not_filled_in_is_not_sent(here: SimulatedServer) -> None:
    await to_battle(here)
    await here.press(here.ann, BATTLE, "Send this account")
    content = here.prompt(here.ann, BATTLE).content
    assert "## Battle of turn 1: not whole yet\n__Still missing, or wrong__\n• " in content
    assert "answered" not in await here.journal()


async def test_battle_in_its_thread_opens_the_callers_own_account(here: SimulatedServer) -> None:
    await to_battle(here)
    thread = await here.channel("battle:t1")
    result = await here.slash(here.ann, "battle", at=thread)
    assert result.ephemeral
    assert "Red Fleet" in said(result)
    assert result.response is not None
    shown = await here.ann.select(result.response, ["0.0"])
    await here.submit(here.ann, shown, f0="5", f1="0")
    assert "Filled in, not sent yet" in said(result)
    assert "red 5, blue 0" in said(result)
    await here.ann.click(result.response, label="Send this account")
    assert "Your account as understood" in said(result)


async def test_the_referee_rules_by_one_sides_account(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "2")
    await account(here, here.leo, "4", "3")
    listed = said(await here.slash(here.rita, "referee disputes"))
    assert BATTLE in listed
    offered = await here.rita.autocomplete(here.hall, "referee ruling", "battle", "")
    assert [one["name"] for one in offered] == [BATTLE]
    result = await here.slash(
        here.rita, "referee ruling", battle=offered[0]["value"], reason="The log shows it.", account_of="blue"
    )
    assert said(result) == "Your ruling stands."
    assert "Battle: 4 to 3." in await here.texts("public")
    assert "The referee has ruled" in await here.texts("battle:t1")


async def test_the_referee_rules_by_a_sheet_of_their_own(here: SimulatedServer) -> None:
    await to_battle(here)
    offered = await here.rita.autocomplete(here.hall, "referee ruling", "battle", "")
    bad = await here.slash(here.rita, "referee ruling", battle=offered[0]["value"], reason="r", text="ships: red 99")
    assert "The ruling was not accepted" in said(bad)
    await here.slash(here.rita, "referee ruling", battle=offered[0]["value"], reason="r", text="ships: red 3; blue 1")
    assert "Battle: 3 to 1." in await here.texts("public")


async def test_a_deadline_without_agreement_calls_the_referee_and_the_clock_runs_on(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "2")
    await account(here, here.leo, "4", "3")
    before = await here.falls_at()
    await here.later(7 * 24 * 3600 + 60)
    assert "without an agreed account" in await here.texts("referee")
    after = (await here.rows(DeadlineRow.falls_at, DeadlineRow.opened_seq > 0))[0]
    assert before is not None
    assert after > before
    assert (await here.open_titles()) == [("blue", BATTLE), ("red", BATTLE)]


async def test_a_silent_side_agrees_to_the_others_account_at_the_deadline(here: SimulatedServer) -> None:
    await to_battle(here)
    await account(here, here.ann, "4", "2")
    await here.later(7 * 24 * 3600 + 60)
    assert "Battle: 4 to 2." in await here.texts("public")


async def test_a_battles_thread_is_forgotten_by_nobody(here: SimulatedServer) -> None:
    await to_battle(here)
    places = await here.rows(PlaceRow.key, PlaceRow.key.startswith("battle:"))
    assert places == ["battle:t1"]


def test_differences_that_do_not_fit_are_counted() -> None:
    lines = [f"A{number} fate: Red says ok, Blue says destroyed" for number in range(60)]
    told = differences_told(lines, most=200)
    shown = told.count("✏️")
    assert 0 < shown < 60
    assert told.endswith(f"… and {60 - shown} more")
    assert len(told) <= 220
    assert differences_told(lines[:2], most=200).count("✏️") == 2
    assert "more" not in differences_told(lines[:2], most=200)
