"""Founding, joining and starting a campaign."""

from tests.bot.club import Club, said


async def test_a_campaign_is_founded_joined_and_started(here: Club) -> None:
    result = await here.slash(here.rita, "campaign create", title="First Duel", scenario="toy/duel")
    assert "is founded" in said(result)
    assert result.ephemeral
    await here.slash(here.ann, "campaign join", side="red")
    await here.slash(here.leo, "campaign join", side="Blue Fleet")
    result = await here.slash(here.rita, "campaign start")
    assert said(result) == "**First Duel** has begun."
    assert await here.open_titles() == [
        ("blue", "Missions"),
        ("blue", "Orders for turn 1"),
        ("red", "Missions"),
        ("red", "Orders for turn 1"),
    ]
    assert "Name a number" in here.prompt(here.ann, "Orders for turn 1").content
