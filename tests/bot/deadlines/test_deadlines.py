"""Deadlines that keep themselves: defaults for the silent, reminders for the late, and quiet hours."""

from tests.bot.worlds.simulated_server import SimulatedServer


async def test_a_silent_side_takes_its_default_at_the_deadline(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.later(24 * 3600 + 60)
    assert "closed" in await here.journal()
    assert await here.open_titles() == [("red", "The spoils")]
    assert any("Closed at its deadline." in one.content for one in here.dms(here.leo))


async def test_reminders_go_to_those_who_are_late_and_name_what_is_missing(here: SimulatedServer) -> None:
    await here.begin()
    await here.press(here.leo, "Orders for turn 1", "Ready")
    await here.later(19 * 3600)
    reminded = [one.content for one in here.dms(here.ann) if "time is up" in one.content]
    assert len(reminded) == 1
    assert "“Orders for turn 1”, “Missions”." in reminded[0]
    assert not any("time is up" in one.content for one in here.dms(here.leo))


async def test_quiet_hours_keep_reminders_away(here: SimulatedServer) -> None:
    await here.begin()
    hour = (here.now().hour + 19) % 24
    await here.slash(here.ann, "quiet hours", start=(hour - 2) % 24, end=(hour + 3) % 24)
    await here.later(19 * 3600)
    assert not any("time is up" in one.content for one in here.dms(here.ann))
    assert any("time is up" in one.content for one in here.dms(here.leo))
