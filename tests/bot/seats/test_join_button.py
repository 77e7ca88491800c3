"""**Join**: a campaign announces itself where it was created, a list leads to seats, and whoever presses takes one."""

from typing import Any

from bot.store.tables import MemberRow
from tests.bot.worlds.simulated_server import SimulatedServer, message_of, said
from tests.message_words import as_read, pressable


def announcement(here: SimulatedServer) -> Any:
    """What the bot has posted last where campaigns are created, as it stands now."""
    return as_read(here.hall.history()[-1])


def labels(message: Any) -> list[str]:
    """What can be pressed on a message."""
    return [one["label"] for one in pressable(message) if "label" in one]


async def seated(here: SimulatedServer) -> list[tuple[int, str]]:
    """Who sits where."""
    return sorted(zip(await here.rows(MemberRow.user_id), await here.rows(MemberRow.side), strict=True))


async def offered(here: SimulatedServer, who: Any, message: Any) -> Any:
    """The answer to **Join**, for the eyes of whoever presses alone."""
    shown = await who.click(message, label="Join")
    assert message_of(shown).ephemeral
    return shown.response


async def test_a_campaign_announces_itself_where_it_was_created_and_a_press_takes_a_seat(here: SimulatedServer) -> None:
    await here.found()
    posted = announcement(here)
    assert "**First Duel** (toy) gathers players." in posted.content
    assert "Red Fleet: nobody yet" in posted.content
    assert labels(posted) == ["Join"]
    menu = await offered(here, here.zoe, posted)
    options = [(one["label"], one["description"]) for one in pressable(menu)[0]["options"]]
    assert options == [("Red Fleet", "nobody yet"), ("Blue Fleet", "nobody yet"), ("Spectator", "sees what is public")]
    told = await here.zoe.select(menu, ["red"])
    assert "You command **Red Fleet** in **First Duel**" in said(told)
    assert await seated(here) == [(here.zoe.id, "red")]
    posted = announcement(here)
    assert f"Red Fleet: <@{here.zoe.id}>" in posted.content
    assert labels(posted) == ["Join"]
    # a second press of the same kind says how things are, and changes nothing
    menu = await offered(here, here.zoe, posted)
    assert "You sit there already." in said(await here.zoe.select(menu, ["red"]))
    assert pressable(menu)[0]["options"][0]["description"] == "has 1 commander"


async def test_the_announcement_follows_whoever_joins_and_leaves_until_play_begins(here: SimulatedServer) -> None:
    campaign = await here.found()
    for who, side in ((here.zoe, "red"), (here.mia, "blue")):
        await here.slash(who, "campaign join", side=side)
    assert "Every side has a commander, so its referee may begin." in announcement(here).content
    await here.slash(here.mia, "campaign leave")
    assert "Blue Fleet: nobody yet" in announcement(here).content
    await here.slash(here.leo, "campaign join", side="blue")
    await here.restart()  # it is known again where it stands
    open_card = announcement(here)
    await here.hand_over(here.rita, here.abe)
    assert f"Its referee is <@{here.abe.id}>." in announcement(here).content
    await here.slash(here.abe, "campaign start", campaign=campaign)
    begun = announcement(here)
    assert "**First Duel** has begun." in begun.content
    assert labels(begun) == []
    assert len([one for one in here.hall.history() if "First Duel" in as_read(one).content]) == 1
    # who looks at an older state of it, and presses, may still watch
    late = await here.forge(here.sam, open_card, f"c|{campaign}|join|")
    assert "Which seat do you take" in said(late)
    assert "You watch **First Duel**" in said(await here.sam.select(message_of(late), ["@spectator"]))
    assert labels(announcement(here)) == []


async def test_join_works_after_a_restart_and_on_its_own_server_alone(here: SimulatedServer) -> None:
    campaign = await here.found()
    posted = announcement(here)
    await here.restart()
    menu = await offered(here, here.zoe, posted)
    assert "You command **Blue Fleet**" in said(await here.zoe.select(menu, ["blue"]))
    await here.slash(here.ann, "campaign join", side="red")
    await here.ann.user.send_dm("help")
    await here.bot.delivery.settled()
    direct = here.dms(here.ann)[-1]
    before = await here.fingerprint()
    forged = (
        (here.mia, posted, f"c|{campaign}|join|x", None),
        (here.mia, posted, f"c|{campaign}|join|", [campaign]),
        (here.mia, posted, "c||join|", None),
        (here.mia, posted, "c||join|", ["nosuch"]),
        (here.mia, posted, "c|nosuch|join|", None),
        (here.mia, posted, f"c|{campaign}|seat|", None),
        (here.mia, posted, f"c|{campaign}|seat|", ["red", "blue"]),
        (here.mia, posted, f"c|{campaign}|seat|", ["green"]),
        (here.mia, posted, "c||seat|", ["red"]),
    )
    for who, message, component, values in forged:
        refused = said(await here.forge(who, message, component, values))
        assert any(word in refused for word in ("not something I offered", "no such campaign", "no such seat")), refused
    assert "There is no such campaign." in said(await here.forge(here.ann.user, direct, f"c|{campaign}|join|"))
    assert await here.fingerprint() == before


async def test_an_announcement_that_was_deleted_stays_so_and_nothing_else_waits(here: SimulatedServer) -> None:
    await here.found()
    here.env.backend.delete_message(here.hall.id, announcement(here).id)
    for who, side in ((here.zoe, "red"), (here.mia, "blue")):
        await here.slash(who, "campaign join", side=side)
    assert here.hall.history() == []
    assert "has begun" in said(await here.slash(here.rita, "campaign start"))
    assert here.hall.history() == []
    assert "Something" not in await here.texts("referee")


async def test_the_referee_is_told_when_it_cannot_be_announced(here: SimulatedServer) -> None:
    here.env.inject_error("POST", f"/channels/{here.hall.id}/messages", status=403, code=50013)
    await here.found()
    assert here.hall.history() == []
    told = "\n".join(one.content for one in here.dms(here.rita))
    assert f"I may not write in <#{here.hall.id}>, so First Duel is not announced there." in told
    assert "has begun" not in said(await here.slash(here.rita, "campaign start"))


async def test_the_list_leads_to_the_seats_of_its_campaigns(here: SimulatedServer) -> None:
    first = await here.begin("First Duel")
    listed = await here.slash(here.zoe, "campaign list")
    assert labels(message_of(listed)) == ["Join First Duel"]
    second = await here.found("Second Duel")
    listed = await here.slash(here.zoe, "campaign list")
    menu = pressable(message_of(listed))[0]
    assert [(one["value"], one["label"], one["description"]) for one in menu["options"]] == [
        (second, "Second Duel", "gathering"),
        (first, "First Duel", "running"),
    ]
    seats = await here.zoe.select(listed.response, [second])
    assert "Which seat do you take in **Second Duel**?" in said(seats)
    assert "You command **Blue Fleet** in **Second Duel**" in said(await here.zoe.select(message_of(seats), ["blue"]))
    assert (await here.slash(here.zoe, "campaign list")).response is not None
