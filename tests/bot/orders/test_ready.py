"""Being ready: not with what was refused, not for good, and both sides together go on at once."""

from bot.store.tables import PromptRow
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable


async def test_ready_means_what_was_accepted_and_says_that_the_rest_does_not_count(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="2", f1=["bold"])
    await here.press(here.ann, "Orders for turn 1", "Ready")
    content = here.prompt(here.ann, "Orders for turn 1").content
    assert "number 7, careful" in content
    assert "✅ You are ready" in content
    assert "What was not accepted does not count" in content
    assert await here.journal() == ["genesis", "seated", "answered", "readied"]
    await here.press(here.ann, "Orders for turn 1", "Not ready after all")
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="4", f1=["bold"])
    await here.press(here.ann, "Orders for turn 1", "Ready")
    assert "does not count" not in here.prompt(here.ann, "Orders for turn 1").content


async def test_a_draft_that_is_legal_no_longer_is_told_once_and_set_aside(here: SimulatedServer) -> None:
    """An earlier version kept such drafts, and a correction may make one."""
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    async with here.store.write() as tx:
        token = await here.token("red", "orders")
        await tx.prompts.keep_draft(token, {"fleet": {"number": 2, "stance": "bold"}})
    await here.press(here.ann, "Orders for turn 1", "Ready")
    content = here.prompt(here.ann, "Orders for turn 1").content
    assert "names 3 or more" in content
    assert content.count("was set aside") == 1
    assert "🛑 •" not in content
    assert await here.journal() == ["genesis", "seated", "answered"]
    box = await here.press(here.ann, "Orders for turn 1", "Write them")
    assert box.modal is not None
    assert box.modal["components"][0]["component"]["value"] == "fleet: number 2; stance bold; loud -\n"
    await here.press(here.ann, "Orders for turn 1", "Ready")
    content = here.prompt(here.ann, "Orders for turn 1").content
    assert "✅ You are ready" in content
    assert "number 7, careful" in content


async def test_what_is_sent_on_top_of_a_draft_that_is_legal_no_longer_is_taken_without_it(
    here: SimulatedServer,
) -> None:
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7", f4="Onward")
    token = await here.token("red", "orders")
    async with here.store.write() as tx:
        await tx.prompts.keep_draft(token, {"fleet": {"number": 2, "stance": "bold"}})
    await here.fill(here.ann, "Orders for turn 1", "0.1", f0="s17")
    for _ in ("as answered", "shown anew"):
        content = here.prompt(here.ann, "Orders for turn 1").content
        assert content.startswith("## Orders for turn 1\n")
        assert "\n⚠️ What is legal no longer was set aside" in content
        assert "does not count" not in content
        assert "number 7, careful" in content
        await here.slash(here.rita, "referee extend", by="1h")
    drafts = await here.rows(PromptRow.draft, PromptRow.token == token)
    assert (drafts[0]["fleet"]["motto"], drafts[0]["fleet"]["sector"]) == ("Onward", "s17")


async def test_where_something_was_set_aside_it_is_not_said_that_nothing_was_changed(here: SimulatedServer) -> None:
    await here.begin()
    async with here.store.write() as tx:
        token = await here.token("red", "orders")
        await tx.prompts.keep_draft(token, {"fleet": {"number": 2, "stance": "bold"}})
    await here.press(here.ann, "Orders for turn 1", "Ready")
    content = here.prompt(here.ann, "Orders for turn 1").content
    assert "was set aside" in content
    assert "nothing was changed" not in content


async def test_a_refused_order_is_told_once_also_when_its_card_is_shown_anew(here: SimulatedServer) -> None:
    await here.begin()
    shown = await here.press(here.ann, "Orders for turn 1", "Write them")
    await here.submit(here.ann.user, shown, text="fleet: number 2; stance bold")
    for _ in ("as answered", "shown anew"):
        content = here.prompt(here.ann, "Orders for turn 1").content
        assert content.count("does not count") == 1
        assert content.count("**Write them**") == 1
        assert content.count("names 3 or more") == 1
        await here.slash(here.rita, "referee extend", by="1h")


async def test_both_sides_ready_closes_at_once_and_the_messages_say_so(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.press(here.ann, "Orders for turn 1", "Ready")
    assert "You are ready" in here.prompt(here.ann, "Orders for turn 1").content
    await here.press(here.leo, "Orders for turn 1", "Ready")
    assert await here.journal() == ["genesis", "seated", "answered", "readied", "readied", "closed"]
    closed = [one.content for one in here.dms(here.ann) if not pressable(one)]
    assert sum("Closed: everybody was ready." in one for one in closed) == 2
    assert await here.open_titles() == [("red", "The spoils")]
    assert "Red Fleet named the higher number." in await here.texts("public")


async def test_not_ready_after_all(here: SimulatedServer) -> None:
    await here.begin()
    await here.press(here.ann, "Orders for turn 1", "Ready")
    await here.press(here.ann, "Orders for turn 1", "Not ready after all")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    assert await here.journal() == ["genesis", "seated", "readied", "readied", "readied"]


async def test_a_quick_choice_is_one_press_and_ready(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.press(here.ann, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Orders for turn 1", "Ready")
    await here.press(here.ann, "The spoils", "gold")
    assert "take gold" in here.prompt(here.ann, "The spoils").content
    await here.press(here.ann, "The spoils", "Ready")
    assert ("red", "Orders for turn 2") in await here.open_titles()


async def test_without_early_closing_only_the_deadline_closes_a_sheet(here: SimulatedServer) -> None:
    """So nobody learns from the waiting whether, or how long, the other side thought."""
    campaign = await here.begin()
    result = await here.slash(here.rita, "campaign settings", campaign=campaign, early=False)
    assert "at their deadlines only" in said(result)
    for who in (here.ann, here.leo):
        await here.press(who, "Orders for turn 1", "Ready")
    await here.press(here.leo, "Missions", "Ready")
    assert "closed" not in await here.journal()
    await here.later(24 * 3600 + 60)
    assert (await here.journal()).count("closed") == 1
    assert "at once" not in said(await here.slash(here.rita, "campaign settings", campaign=campaign, early=True))
