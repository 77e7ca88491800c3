"""What the referee of a campaign does."""

import json
from datetime import timedelta

import pytest
from sqlalchemy import update

from bot.store.tables import CampaignRow, DeadlineRow, JournalRow
from rules_engine.core.records.journal import Closed, write_entry
from tests.bot.worlds.simulated_server import SimulatedServer, said


async def test_a_pause_keeps_the_time_that_is_left(here: SimulatedServer) -> None:
    await here.begin()
    await here.later(3600)
    await here.slash(here.rita, "referee pause", reason="Holidays.")
    assert await here.falls_at() is None
    assert "is paused; the clock stands still. Holidays." in await here.texts("public")
    await here.later(50 * 3600)
    assert await here.journal() == ["genesis", "seated", "remarked"]
    result = await here.press(here.ann, "Orders for turn 1", "Ready")
    assert "The campaign is paused" in said(result)
    await here.slash(here.rita, "referee resume")
    falls_at = await here.falls_at()
    assert falls_at is not None
    assert 22.9 < (falls_at - here.now()).total_seconds() / 3600 < 23.1


async def test_extending_moves_the_deadline_and_says_so(here: SimulatedServer) -> None:
    await here.begin()
    before = await here.falls_at()
    await here.slash(here.rita, "referee extend", by="12h")
    after = await here.falls_at()
    assert before is not None
    assert after is not None
    assert (after - before).total_seconds() == 12 * 3600
    assert "The deadline moves to" in await here.texts("public")
    assert "at most 504 hours" in said(await here.slash(here.rita, "referee extend", by="9w"))


async def test_resolving_now_takes_defaults(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    listed = await here.slash(here.rita, "referee resolve-now")
    assert "• Red Fleet: Orders for turn 1, Missions" in said(listed)
    assert "• Blue Fleet: Orders for turn 1, Missions" in said(listed)
    assert await here.journal() == ["genesis", "seated", "answered"], "nothing is closed before it is confirmed"
    assert listed.response is not None
    assert "play has gone on" in said(await here.rita.click(listed.response, label="Close now"))
    assert await here.open_titles() == [("red", "The spoils")]
    assert "The referee closed the open sheets before their deadline." in await here.texts("public")


async def test_only_what_was_listed_is_closed(here: SimulatedServer) -> None:
    await here.begin()
    listed = await here.slash(here.rita, "referee resolve-now")
    assert listed.response is not None
    await here.press(here.ann, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    before = await here.open_titles()
    late = await here.rita.click(listed.response, label="Close now")
    assert "Play has gone on since this was listed" in said(late)
    assert await here.open_titles() == before


async def test_open_cards_follow_the_clock(here: SimulatedServer) -> None:
    await here.begin()
    first = await here.falls_at()
    assert first is not None
    assert f"Closes <t:{int(first.timestamp())}:R>" in here.prompt(here.ann, "Orders for turn 1").content
    await here.slash(here.rita, "referee extend", by="3h")
    later = f"Closes <t:{int(first.timestamp()) + 3 * 3600}:R>"
    for who in (here.ann, here.leo):
        assert later in here.prompt(who, "Orders for turn 1").content
    await here.slash(here.rita, "referee pause")
    assert "⏸️ The clock stands still." in here.prompt(here.ann, "Orders for turn 1").content
    await here.slash(here.rita, "referee resume")
    assert "Closes <t:" in here.prompt(here.ann, "Orders for turn 1").content


async def test_changed_deadlines_are_on_the_record_of_a_campaign_under_way(here: SimulatedServer) -> None:
    await here.begin()
    await here.slash(here.rita, "campaign settings", orders="2h")
    assert await here.journal() == ["genesis", "seated", "remarked"]
    assert "From the next deadline on: Orders: 2 hours." in await here.texts("public")


async def test_settings_that_hold_already_are_said_to_the_referee_and_written_and_told_nobody_again(
    here: SimulatedServer,
) -> None:
    await here.begin()
    await here.slash(here.rita, "campaign settings", orders="2h")
    told = await here.texts("public")
    again = await here.slash(here.rita, "campaign settings", orders="2h")
    assert "From the next deadline on. Orders: 2 hours." in said(again)
    assert await here.journal() == ["genesis", "seated", "remarked"]
    assert await here.texts("public") == told


async def test_open_cards_show_a_deadline_that_moved_while_the_bot_was_down(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.begin()
    first = await here.falls_at()
    assert first is not None

    async def no_last_sign() -> None:
        """It was killed."""

    monkeypatch.setattr(here.bot.deadlines, "_sign_of_life", no_last_sign)
    hour_ago = here.bot.services.runtime.now() - timedelta(hours=1)
    async with here.store.write() as tx:
        await tx.installation.sign_of_life(hour_ago)
    await here.restart()
    await here.later(1)
    later = await here.falls_at()
    assert later is not None
    assert 3590 < (later - first).total_seconds() < 3610
    for who in (here.ann, here.leo):
        assert f"Closes <t:{int(later.timestamp())}:R>" in here.prompt(who, "Orders for turn 1").content


async def test_what_was_refused_is_still_said_when_the_clock_moves(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="2", f1=["bold"])
    await here.slash(here.rita, "referee extend", by="3h")
    content = here.prompt(here.ann, "Orders for turn 1").content
    assert "a bold fleet names 3 or more (Toy 1.3)" in content
    assert "This does not count; nothing was changed." in content
    assert "names 3 or more" not in here.prompt(here.leo, "Orders for turn 1").content


async def test_where_one_may_go_back_to_is_offered(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.resolve_now()
    offered = await here.rita.autocomplete(here.hall, "referee rewind", "to", "")
    assert [(one["name"], one["value"]) for one in offered] == [("4: Turn 1", "4"), ("1", "1")]
    for who in (here.ann, here.sam, here.zoe):
        assert await who.autocomplete(here.hall, "referee rewind", "to", "") == []
    assert "Give the number" in said(await here.slash(here.rita, "referee rewind", to="turn 1"))


async def test_a_rewind_first_lists_who_has_seen_what_and_then_asks_why(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.resolve_now()
    listed = await here.slash(here.rita, "referee rewind", to="1")
    assert "undoes 3 entries of the journal" in said(listed)
    assert "everybody: 1 report" in said(listed)
    assert listed.response is not None
    asked = await here.rita.click(listed.response, label="Go back to entry 1 …")
    await here.submit(here.rita, asked, text="A wrong map was posted.")
    assert (await here.journal())[-1] == "rewound"
    assert "A wrong map was posted." in await here.texts("public")
    offered = await here.rita.autocomplete(here.hall, "referee rewind", "to", "")
    assert [one["value"] for one in offered] == ["5", "1"], "what was cut off is no place to go back to"
    assert ("red", "Orders for turn 1") in await here.open_titles()
    assert "told nothing yet" in said(await here.slash(here.ann, "log"))
    # Play goes on from there.
    await here.fill(here.leo, "Orders for turn 1", "0.0", f0="9")
    await here.resolve_now()
    assert await here.open_titles() == [("blue", "The spoils")]
    await here.restart()
    assert "Blue Fleet named the higher number." in said(await here.slash(here.ann, "log"))


async def test_a_rewind_lists_what_one_side_alone_has_been_told(here: SimulatedServer) -> None:
    await here.begin()
    spy = await here.token("red", "missions")
    await here.bot.services.orders.filling.fill(spy, here.ann.user.id, {"spy": {"send": True}})
    await here.fill(here.leo, "Orders for turn 1", "0.0", f0="7")
    await here.resolve_now()
    listed = said(await here.slash(here.rita, "referee rewind", to="1"))
    assert "• Red Fleet: 1 report, such as “Our spy reports: Blue Fleet named 7.”" in listed
    assert "• Blue Fleet" not in listed
    assert "everybody: 1 report\n" in listed


async def test_a_rewind_is_not_done_when_more_has_happened_since(here: SimulatedServer) -> None:
    await here.begin()
    listed = await here.slash(here.rita, "referee rewind", to="1")
    assert listed.response is not None
    asked = await here.rita.click(listed.response, label="Go back to entry 1 …")
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    result = await here.submit(here.rita, asked, text="why")
    assert "More has happened since this was listed" in said(result)
    assert await here.journal() == ["genesis", "seated", "answered"]


async def test_a_rewind_to_nowhere_names_the_nearest_entry(here: SimulatedServer) -> None:
    await here.begin()
    assert "the nearest is 2" in said(await here.slash(here.rita, "referee rewind", to="99"))


async def test_the_export_is_for_a_referee_who_plays_no_side_and_for_all_at_the_end(here: SimulatedServer) -> None:
    await here.begin()
    result = await here.slash(here.rita, "referee export")
    (file,) = (result.followups or [result.response])[0].attachments  # type: ignore[union-attr]
    entries = [json.loads(line) for line in (await file.read()).decode().splitlines()]
    assert [entry["body"]["kind"] for entry in entries] == ["genesis", "seated"]
    assert "Only" in said(await here.slash(here.zoe, "referee export", campaign=(await here.rows(CampaignRow.id))[0]))
    for turn in (1, 2, 3):
        await here.fill(here.ann, f"Orders for turn {turn}", "0.0", f0="7")
        await here.resolve_now()
        await here.resolve_now()
    assert (await here.rows(CampaignRow.status)) == ["ended"]
    assert "The campaign is over" in await here.texts("public")
    assert await here.rows(DeadlineRow.opened_seq) == []
    result = await here.slash(here.ann, "referee export")
    (file,) = (result.followups or [result.response])[0].attachments  # type: ignore[union-attr]
    last = json.loads((await file.read()).decode().splitlines()[-1])
    assert last["body"]["kind"] == "revealed"


async def test_a_campaign_that_cannot_be_replayed_halts_alone_and_says_so(here: SimulatedServer) -> None:
    await here.begin()
    async with here.store.write() as tx:
        from sqlalchemy import text

        await tx.connection.execute(
            text("UPDATE journal SET entry = replace(entry, 'First Duel', 'Other Duel') WHERE seq = 1")
        )
    await here.restart()
    result = await here.press(here.ann, "Orders for turn 1", "Ready")
    assert "This campaign is halted" in said(result)
    assert "**This campaign is halted.** Its record does not play back as it was played; entry 1: " in await here.texts(
        "referee"
    )
    assert "**The campaign is halted, and its clock stands still.** Nothing is lost" in await here.texts("public")
    assert "entry 1" not in await here.texts("public")
    assert await here.rows(CampaignRow.status) == ["halted"]
    nothing = said(await here.slash(here.ann, "next"))
    assert nothing == "**First Duel** is halted: nothing is asked there until its referee has mended it."
    assert "what you saved stands" in said(await here.slash(here.ann, "help"))
    assert "`/referee resume` tries it again" in said(await here.slash(here.rita, "referee status"))
    assert "`/referee" not in said(await here.slash(here.ann, "orders ready"))


async def test_going_back_behind_an_entry_that_does_not_play_back_mends_a_halted_campaign(here: SimulatedServer):
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.resolve_now()
    (campaign,) = await here.rows(CampaignRow.id)
    async with here.store.write() as tx:  # as if the rules came out otherwise now
        *_, before, closed = await tx.journal.entries(campaign)
        assert isinstance(closed.body, Closed)
        outcome = closed.body.outcome.model_copy(update={"state": "0" * 64})
        body = closed.body.model_copy(update={"outcome": outcome})
        seed = (await tx.campaigns.source(campaign)).seed
        entry, line = write_entry(before, body, at=closed.at, seed=seed)
        changed = update(JournalRow).where(JournalRow.seq == entry.seq).values(entry=line, hash=entry.hash)
        await tx.connection.execute(changed)
    await here.restart()
    assert "This campaign is halted" in said(await here.press(here.ann, "The spoils", "Ready"))

    async def back_to(seq: int) -> str:
        listed = await here.slash(here.rita, "referee rewind", to=str(seq))
        assert listed.response is not None
        asked = await here.rita.click(listed.response, label=f"Go back to entry {seq} …")
        return said(await here.submit(here.rita, asked, text="The record failed."))

    told = f"Entry {entry.seq} does not play back as it was, so play cannot stand at {entry.seq}. Go back further."
    assert told in await back_to(entry.seq)
    assert await here.rows(CampaignRow.status) == ["halted"]
    await back_to(before.seq)
    assert await here.rows(CampaignRow.status) == ["running"]
    assert ("red", "Orders for turn 1") in await here.open_titles()
    assert "Saved" in said(await here.press(here.ann, "Orders for turn 1", "Ready"))
