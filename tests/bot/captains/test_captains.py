"""Captains: commanders of one side with ships of their own. Each orders these, each confirms, and they change hands."""

from typing import Any

from bot.store.tables import CaptainRow, ConfirmedRow, PromptRow
from tests.bot.captains.conftest import ECONOMY, SEATS, CaptainsServer
from tests.bot.worlds.simulated_server import said

MOVE_F1 = "F1: course 0405"


def ids(*people: Any) -> str:
    """People as the bot names them."""
    return ", ".join(sorted(f"<@{one.user.id}>" for one in people))


async def shared_out(here: CaptainsServer) -> None:
    """Ann has F1, abe F2 and F3; zoe, of the same side, has nothing."""
    await here.begin()
    assert f"are {ids(here.ann)}'s now" in await here.hand(here.ann, "F1", here.ann)
    assert f"F2, F3 are {ids(here.abe)}'s now" in await here.hand(here.ann, "f2 F3", here.abe)


async def draft(here: CaptainsServer) -> dict[str, Any]:
    """What is kept of the Klingons' sheet."""
    return (await here.rows(PromptRow.draft, PromptRow.side == "klingon"))[-1] or {}


# --- writing ----------------------------------------------------------------------------------------------------------
async def test_each_writes_the_lines_of_their_own_ships_and_all_those_of_the_side(here: CaptainsServer) -> None:
    await shared_out(here)
    await here.write(here.ann, ECONOMY, "economy: reserve 5")
    await here.write(here.abe, ECONOMY, "F2: go hold")
    await here.write(here.zoe, ECONOMY, "economy: reserve 7")
    kept = await draft(here)
    assert kept["economy"]["reserve"] == 7
    before = await here.journal()
    refused = await here.write(here.abe, ECONOMY, "F1: go hold\nF2: go hold")
    assert f"it orders ships of {ids(here.ann)}" in here.prompt(here.abe, ECONOMY).content, said(refused)
    await here.write(here.zoe, ECONOMY, "F2: go course")
    assert f"it orders ships of {ids(here.abe)}" in here.prompt(here.zoe, ECONOMY).content
    assert (await draft(here), await here.journal()) == (kept, before), "nothing of it was taken"


async def test_nobody_takes_another_captains_ship_into_a_fleet_of_theirs(here: CaptainsServer) -> None:
    await shared_out(here)
    kept = await draft(here)
    for text in ("F2: ships bellows, anvil", "new: ships anvil"):
        await here.write(here.abe, ECONOMY, text)
        assert f"it orders ships of {ids(here.ann)}" in here.prompt(here.abe, ECONOMY).content, text
    assert await draft(here) == kept
    await here.write(here.ann, ECONOMY, "F1: ships anvil\nnew: ships hammerfall")
    assert "Not accepted" not in here.prompt(here.ann, ECONOMY).content
    await here.write(here.abe, ECONOMY, "new: ships -")
    assert f"it orders ships of {ids(here.ann)}" in here.prompt(here.abe, ECONOMY).content, "a new fleet is its ships'"


async def test_starting_over_leaves_the_lines_of_others(here: CaptainsServer) -> None:
    await shared_out(here)
    await here.write(here.ann, ECONOMY, "F1: ships anvil\nnew: ships hammerfall")
    await here.write(here.abe, ECONOMY, "F3: ships ember, lantern, spark, tongs; go hold")
    await here.write(here.abe, ECONOMY, "economy: reserve 9")
    asked = await here.press(here.abe, ECONOMY, "Start over")
    await here.abe.user.click(asked.response, label="Throw it away")
    kept = await draft(here)
    assert kept["F1"]["ships"] == ["anvil"]
    assert kept["new"]["ships"] == ["hammerfall"]
    assert kept["economy"].get("reserve") != 9
    assert "Not accepted" not in here.prompt(here.abe, ECONOMY).content


# --- confirming -------------------------------------------------------------------------------------------------------
async def test_the_side_is_ready_when_every_captain_has_confirmed(here: CaptainsServer) -> None:
    await shared_out(here)
    before = await here.journal()
    await here.press(here.ann, ECONOMY, "Ready")
    assert await here.journal() == before, "nothing is said for the side yet"
    ann, abe = here.prompt(here.ann, ECONOMY), here.prompt(here.abe, ECONOMY)
    for card in (ann, abe, here.prompt(here.zoe, ECONOMY)):
        assert f"Confirmed by {ids(here.ann)}; awaited: {ids(here.abe)}." in card.content
    assert "⚓ Yours: F1" in ann.content
    assert "⚓ Yours: F2, F3" in abe.content
    assert "Yours" not in here.prompt(here.zoe, ECONOMY).content
    assert "Not ready after all" in here.buttons(here.ann, ECONOMY)
    assert "Ready" in here.buttons(here.abe, ECONOMY)
    await here.press(here.abe, ECONOMY, "Ready")
    assert await here.journal() == [*before, "readied"]
    assert "All captains have confirmed" in here.prompt(here.ann, ECONOMY).content
    await here.press(here.ann, ECONOMY, "Not ready after all")
    assert await here.journal() == [*before, "readied", "readied"]
    assert f"Confirmed by {ids(here.abe)}; awaited: {ids(here.ann)}." in here.prompt(here.abe, ECONOMY).content
    for who in (here.ann, here.leo, here.mia):
        await here.press(who, ECONOMY, "Ready")
    assert [title for _, title in await here.open_titles()] == ["Turn 2: economy, espionage and courses"] * 3
    assert await here.rows(ConfirmedRow.user_id) == [], "what was confirmed is over"


async def test_who_has_no_ship_on_the_sheet_confirms_nothing(here: CaptainsServer) -> None:
    await shared_out(here)
    before = await here.journal()
    told = said(await here.press(here.zoe, ECONOMY, "Ready"))
    assert f"{ids(here.ann, here.abe)} must confirm it" in told
    assert await here.journal() == before
    assert await here.rows(ConfirmedRow.user_id) == []


async def test_a_change_takes_back_the_word_of_who_made_it_and_nobody_elses(here: CaptainsServer) -> None:
    await shared_out(here)
    await here.press(here.ann, ECONOMY, "Ready")
    await here.press(here.abe, ECONOMY, "Ready")
    await here.write(here.ann, ECONOMY, "economy: reserve 5")
    assert f"Confirmed by {ids(here.abe)}; awaited: {ids(here.ann)}." in here.prompt(here.abe, ECONOMY).content
    await here.press(here.leo, ECONOMY, "Ready")
    await here.press(here.mia, ECONOMY, "Ready")
    assert ("klingon", "Turn 1: economy, espionage and courses") in await here.open_titles()
    await here.press(here.ann, ECONOMY, "Ready")
    assert ("klingon", "Turn 2: economy, espionage and courses") in await here.open_titles()


async def test_the_deadline_waits_for_no_captain(here: CaptainsServer) -> None:
    await shared_out(here)
    await here.write(here.ann, ECONOMY, "economy: reserve 5")
    await here.later(25 * 3600)
    assert ("klingon", "Turn 2: economy, espionage and courses") in await here.open_titles()


async def test_only_captains_who_have_not_confirmed_are_reminded(here: CaptainsServer) -> None:
    await shared_out(here)
    await here.press(here.ann, ECONOMY, "Ready")
    await here.later(19 * 3600)
    people = ("ann", "abe", "zoe", "leo")
    reminded = {name for name in people if any("⏳" in one.content for one in here.dms(here.people[name]))}
    assert reminded == {"abe", "leo"}, "ann has confirmed, and zoe has no ship on the sheet"


async def test_a_referee_who_plays_hands_no_ships_on(here: CaptainsServer) -> None:
    campaign = await here.found("Border", scenario="cutler/intro")
    for who, side in {**SEATS, "rita": "lyran"}.items():
        await here.slash(here.people[who], "campaign join", side=side, campaign=campaign)
    await here.slash(here.rita, "campaign start", campaign=campaign)
    await here.hand(here.ann, "F1", here.abe)
    kept = await here.rows(CaptainRow.user_id)
    assert set(kept) == {here.abe.user.id}
    told = said(await here.slash(here.rita, "referee hand-ships", captain=here.abe.user, to=here.ann.user))
    assert "you cannot do this while it runs" in told
    assert await here.rows(CaptainRow.user_id) == kept


async def test_what_captains_have_and_have_confirmed_outlives_the_process(here: CaptainsServer) -> None:
    await shared_out(here)
    await here.press(here.ann, ECONOMY, "Ready")
    before = await here.journal()
    await here.restart()
    await here.press(here.abe, ECONOMY, "Ready")
    assert await here.journal() == [*before, "readied"]


async def test_after_a_rewind_captains_confirm_anew(here: CaptainsServer) -> None:
    await shared_out(here)
    before = len(await here.journal())
    await here.press(here.ann, ECONOMY, "Ready")
    await here.resolve_now()
    await here.press(here.ann, "Turn 2", "Ready")
    listed = await here.slash(here.rita, "referee rewind", to=str(before))
    asked = await here.rita.click(listed.response, label=f"Go back to entry {before} …")
    await here.submit(here.rita, asked, text="A wrong map was posted.")
    assert ("klingon", "Turn 1: economy, espionage and courses") in await here.open_titles()
    assert f"Awaited: {ids(here.ann, here.abe)}." in here.prompt(here.ann, ECONOMY).content


# --- handing on -------------------------------------------------------------------------------------------------------
async def test_ships_change_hands_by_their_captains_hand_and_are_confirmed_anew(here: CaptainsServer) -> None:
    await shared_out(here)
    theirs = [one.content for one in here.dms(here.leo)], await here.texts("public"), await here.texts("side:hydran")
    await here.press(here.ann, ECONOMY, "Ready")
    await here.press(here.abe, ECONOMY, "Ready")
    before = await here.journal()
    text = (await here.hand(here.ann, "F2", here.ann)).replace("is <", "are <")
    assert f"are {ids(here.abe)}'s, who alone may hand it on" in text
    assert f"tongs Tongs (War Cruiser) is {ids(here.ann)}'s now" in await here.hand(here.abe, "tongs", here.ann)
    assert await here.journal() == [*before, "readied", "seated"], "nobody is ready with ships they have not looked at"
    for who in (here.ann, here.abe):
        assert f"Awaited: {ids(here.ann, here.abe)}." in here.prompt(here.people[who.user.name], ECONOMY).content
    assert "⚓ Yours: F1, tongs Tongs (War Cruiser)" in here.prompt(here.ann, ECONOMY).content
    await here.press(here.ann, ECONOMY, "Ready")
    assert f"Confirmed by {ids(here.ann)}; awaited: {ids(here.abe)}." in here.prompt(here.abe, ECONOMY).content
    await here.write(here.ann, ECONOMY, "F3: go hold")
    assert "Not accepted" not in here.prompt(here.ann, ECONOMY).content, "a fleet of both is ordered by either"
    assert "tongs Tongs (War Cruiser)" in (await here.texts("side:klingon"))
    assert theirs == (
        [one.content for one in here.dms(here.leo)],
        await here.texts("public"),
        await here.texts("side:hydran"),
    ), "the others learn nothing of it"


async def test_ships_stay_with_their_side_and_must_be_known(here: CaptainsServer) -> None:
    await shared_out(here)
    before = await here.rows(CaptainRow.ship)
    assert "Ships stay with their side" in await here.hand(here.ann, "F1", here.leo)
    assert "Ships stay with their side" in await here.hand(here.ann, "F1", here.sam)
    assert "no ship or force “F9”" in await here.hand(here.ann, "F9", here.abe)
    assert "Say which ships" in await here.hand(here.ann, " , ", here.abe)
    assert "You are in no campaign" in await here.hand(here.sam, "F1", here.abe)
    assert "Only a commander" in await here.hand(here.rita, "F1", here.abe)
    assert await here.rows(CaptainRow.ship) == before


async def test_ships_of_nobody_are_everybodys(here: CaptainsServer) -> None:
    await shared_out(here)
    assert "F1 are everybody's" in await here.hand(here.ann, "F1")
    await here.write(here.abe, ECONOMY, "F1: go hold")
    await here.write(here.zoe, ECONOMY, "F1: go hold")
    assert "Not accepted" not in here.prompt(here.zoe, ECONOMY).content
    shown = said(await here.slash(here.zoe, "ships show"))
    assert f"⚓ {ids(here.abe)}: F2, F3" in shown
    assert "Everybody's: F1, F4, S1, watchfire" in shown
    assert f"Not confirmed yet, of what is open: {ids(here.abe)}." in shown
    await here.hand(here.abe, "all")
    assert "No ship has a captain of its own" in said(await here.slash(here.zoe, "ships show"))
    await here.press(here.zoe, ECONOMY, "Ready")
    assert (await here.journal())[-1] == "readied"


async def test_who_leaves_gives_ships_up_and_who_comes_instead_has_them(here: CaptainsServer) -> None:
    await shared_out(here)
    await here.press(here.ann, ECONOMY, "Ready")
    await here.slash(here.abe, "campaign leave")
    assert sorted(await here.rows(CaptainRow.ship)) == ["anvil", "hammerfall"]
    assert f"Awaited: {ids(here.ann)}." in here.prompt(here.ann, ECONOMY).content
    asked = await here.slash(here.rita, "referee substitute", leaving=here.ann.user, arriving=here.sam.user)
    assert "consent" in said(asked)
    await here.ann.user.click(here.prompt(here.ann, "asks for your consent"), label="Agree")
    assert set(await here.rows(CaptainRow.user_id)) == {here.sam.user.id}
    assert "⚓ Yours: F1" in here.prompt(here.sam, ECONOMY).content


async def test_the_referee_hands_on_the_ships_of_who_is_away_and_learns_no_names(here: CaptainsServer) -> None:
    await shared_out(here)
    told = said(await here.slash(here.rita, "referee hand-ships", captain=here.abe.user, to=here.ann.user))
    words = f"{ids(here.abe)}'s ships are {ids(here.ann)}'s now, by the referee's word."
    assert told == f"**Border** · {words}"
    assert set(await here.rows(CaptainRow.user_id)) == {here.ann.user.id}
    assert words in await here.texts("side:klingon")
    again = said(await here.slash(here.rita, "referee hand-ships", captain=here.abe.user, to=here.ann.user))
    assert "has no ships of their own" in again
    wrong = said(await here.slash(here.rita, "referee hand-ships", captain=here.ann.user, to=here.leo.user))
    assert "Ships stay with their side" in wrong
    text = said(await here.slash(here.ann, "referee hand-ships", captain=here.ann.user, to=here.abe.user))
    assert "Only the campaign's referee" in text


async def test_the_completion_offers_what_may_be_handed_on(here: CaptainsServer) -> None:
    await shared_out(here)
    offered = await here.ann.autocomplete(here.hall, "ships hand", "ships", "")
    assert [one["value"] for one in offered][:2] == ["all", "F1"]
    assert {"F2", "bellows"}.isdisjoint(one["value"] for one in offered)
    assert "watchfire" in [one["value"] for one in offered], "what is everybody's"
