"""`/brief`, and the briefing that comes before the first order."""

from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable, words_of

HEAD = "## You command Red Fleet\n**First Duel:** "
BLUE = "## You command Blue Fleet\n**First Duel:** "


async def test_each_commander_is_briefed_before_the_first_sheet_with_the_map(here: SimulatedServer) -> None:
    await here.begin()
    told = here.dms(here.ann)
    briefed = [place for place, one in enumerate(told) if words_of(one).startswith(HEAD)]
    assert len(briefed) == 1
    labels = [[part.get("label") for part in pressable(one)] for one in told]
    first_card = next(place for place, offered in enumerate(labels) if "Ready" in offered)
    assert briefed[0] < first_card
    message = told[briefed[0]]
    assert message.attachments
    assert "E1: the first escort" in words_of(message)
    assert message.attachments[0].filename.startswith("map")
    assert not [one for one in here.dms(here.rita) if "command" in words_of(one)], "the referee commands nobody"
    assert [one for one in here.dms(here.leo) if words_of(one).startswith(BLUE)]


async def test_it_is_told_again_at_any_time_to_commanders_alone(here: SimulatedServer) -> None:
    await here.begin()
    again = await here.dm_slash(here.ann, "brief")
    assert HEAD in said(again)
    assert again.response is not None
    assert again.response.attachments
    other = await here.slash(here.rita, "brief")
    assert "You command no side of this campaign." in said(other)


async def test_its_buttons_answer_beside_it_and_only_its_side(here: SimulatedServer) -> None:
    """The orders, the rules, the forces and all of it in words: one press each, and the briefing stays."""
    await here.begin()
    message = next(one for one in here.dms(here.ann) if words_of(one).startswith(HEAD))
    ids = {one["label"]: one["custom_id"] for one in pressable(message)}
    told = {label: said(await here.forge(here.ann.user, message, custom_id)) for label, custom_id in ids.items()}
    assert "Missions" in told["Open my orders"]
    assert "**Victory:**" in told["Rules"]
    assert "ships 5" in told["Show"]
    assert told["Everything"].startswith("**First Duel: you command Red Fleet**\n")
    assert "**Letters:** E1: the first escort" in told["Everything"]
    assert words_of(next(one for one in here.dms(here.ann) if one.id == message.id)).startswith(HEAD)
    for label, custom_id in ids.items():
        other = said(await here.forge(here.leo.user, here.dms(here.leo)[0], custom_id))
        assert "Red Fleet" not in other, label
    nonsense = ids["Everything"].replace("whole", "half")
    assert "not something I offered" in said(await here.forge(here.ann.user, message, nonsense))


async def test_who_takes_a_seat_over_is_briefed_and_who_leaves_is_not_told_again(here: SimulatedServer) -> None:
    await here.begin()
    left = len(here.dms(here.leo))
    await here.slash(here.rita, "referee substitute", leaving=here.leo.user, arriving=here.zoe.user)
    await here.press(here.leo, "is to take the seat", "Agree")
    assert len([one for one in here.dms(here.zoe) if words_of(one).startswith(BLUE)]) == 1
    assert not [one for one in here.dms(here.leo)[left:] if words_of(one).startswith(BLUE)]
