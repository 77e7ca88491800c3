"""Being ready: not with what was refused, not for good, and both sides together go on at once."""

from tests.bot.worlds.simulated_server import SimulatedServer, said


async def test_nobody_is_ready_with_what_was_refused_and_the_card_says_so_beside_its_buttons(
    here: SimulatedServer,
) -> None:
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="2", f1=["bold"])
    for _ in range(2):
        last = here.prompt(here.ann, "Orders for turn 1").content.splitlines()[-1]
        assert last.startswith("-# 🛑 Not ready: what was not accepted still stands on the sheet.")
        await here.press(here.ann, "Orders for turn 1", "Ready")
    assert await here.journal() == ["genesis", "seated"]
    await here.press(here.ann, "Orders for turn 1", "Start over")
    await here.press(here.ann, "Orders for turn 1", "Ready")
    assert "✅ You are ready" in here.prompt(here.ann, "Orders for turn 1").content


async def test_both_sides_ready_closes_at_once_and_the_messages_say_so(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.press(here.ann, "Orders for turn 1", "Ready")
    assert "You are ready" in here.prompt(here.ann, "Orders for turn 1").content
    await here.press(here.leo, "Orders for turn 1", "Ready")
    assert await here.journal() == ["genesis", "seated", "answered", "readied", "readied", "closed"]
    closed = [one.content for one in here.dms(here.ann) if not one.components]
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
