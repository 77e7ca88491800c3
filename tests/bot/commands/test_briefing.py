"""`/brief`, and the briefing that comes before the first order."""

from tests.bot.worlds.simulated_server import SimulatedServer, said

HEAD = "**First Duel: you command Red Fleet**"


async def test_each_commander_is_briefed_before_the_first_sheet_with_the_map(here: SimulatedServer) -> None:
    await here.begin()
    told = here.dms(here.ann)
    briefed = [place for place, one in enumerate(told) if one.content.startswith(HEAD)]
    assert len(briefed) == 1
    first_card = next(place for place, one in enumerate(told) if one.components)
    assert briefed[0] < first_card
    message = told[briefed[0]]
    assert message.attachments
    assert "**Letters:** E1: the first escort" in message.content
    assert not [one for one in here.dms(here.rita) if "you command" in one.content], "the referee commands nobody"
    assert [one for one in here.dms(here.leo) if one.content.startswith("**First Duel: you command Blue Fleet**")]


async def test_it_is_told_again_at_any_time_to_commanders_alone(here: SimulatedServer) -> None:
    await here.begin()
    again = await here.dm_slash(here.ann, "brief")
    assert HEAD in said(again)
    assert again.response is not None
    assert again.response.attachments
    other = await here.slash(here.rita, "brief")
    assert "You command no side of this campaign." in said(other)


async def test_who_takes_a_seat_over_is_briefed_and_who_leaves_is_not_told_again(here: SimulatedServer) -> None:
    await here.begin()
    left = len(here.dms(here.leo))
    await here.slash(here.rita, "referee substitute", leaving=here.leo.user, arriving=here.zoe.user)
    await here.press(here.leo, "is to take the seat", "Agree")
    head = "**First Duel: you command Blue Fleet**"
    assert len([one for one in here.dms(here.zoe) if one.content.startswith(head)]) == 1
    assert not [one for one in here.dms(here.leo)[left:] if one.content.startswith(head)]
