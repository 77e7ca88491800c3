"""Who is in several campaigns: what is meant without being named, what is asked, and one press to what waits."""

import json
from typing import Any

from bot.cards.cards import next_button
from bot.interactions.again import MOST_ID, again_component
from bot.records.campaigns import CampaignStatus
from bot.store.tables import CampaignRow, PlaceRow, ReaderRow
from tests.bot.direct.test_plain_messages import answered, labels, newest
from tests.bot.worlds.simulated_server import Place, SimulatedServer, message_of, said
from tests.message_words import as_read


async def two(here: SimulatedServer) -> tuple[str, str]:
    """Two campaigns under way in which ann commands a side; what is asked in the second closes first."""
    first = await here.begin("First Duel")
    second = await here.found("Second Duel", orders="2h")
    await here.seat(second, ann="blue", leo="red")
    await here.slash(here.rita, "campaign start", campaign=second)
    return first, second


def menu(message: Any) -> Any:
    """The one menu below a message."""
    return message.components[0].children[0]


async def test_a_menu_asks_for_which_and_then_the_command_is_carried_out_with_its_options(here: SimulatedServer):
    first, second = await two(here)
    asked = await here.slash(here.ann, "forces", about="ships")
    assert "Which one is meant?" in said(asked)
    listed: Any = message_of(asked).components
    offered = [(one["value"], one["label"], one["description"]) for one in listed[0]["components"][0]["options"]]
    assert offered == [(second, "Second Duel", "waits for you"), (first, "First Duel", "waits for you")]
    chosen = await here.ann.select(asked.response, [first])
    assert "ships 5" in said(chosen)
    assert "points" not in said(chosen)
    own = await here.channel("side:red")
    assert "points 0" in said(await here.slash(here.ann, "forces", at=own))


async def test_in_direct_messages_the_only_one_in_play_is_meant_but_not_where_seats_are(here: SimulatedServer) -> None:
    await here.begin("First Duel")
    second = await here.found("Second Duel")
    await here.slash(here.ann, "campaign join", side="red", campaign=second)
    assert "ships 5" in said(await here.dm_slash(here.ann, "forces"))
    assert "Which one is meant?" in said(await here.dm_slash(here.ann, "campaign leave"))
    assert "You are in several campaigns:" in said(await here.dm_slash(here.ann, "help"))
    assert "Which one is meant?" in said(await here.slash(here.ann, "forces"))  # in the hall it could be either
    assert [one.filename for one in (await answered(here, here.ann, "map")).attachments] == ["map.png"]
    assert "paused" in said(await here.dm_slash(here.rita, "referee pause"))


async def test_what_waits_next_is_one_press_across_campaigns(here: SimulatedServer) -> None:
    first, second = await two(here)
    assert "Second Duel · Blue Fleet" in said(await here.slash(here.ann, "next"))
    await here.slash(here.ann, "orders ready", campaign=second)
    done = next(one for one in reversed(here.dms(here.ann)) if "Second Duel · Blue Fleet" in one.content)
    found = [one for one in labels(done) if one in ("Ready", "Not ready after all", "Next")]
    assert found == ["Not ready after all", "Next"]
    assert "First Duel · Red Fleet" in said(await here.ann.user.click(done, label="Next"))
    assert "Second Duel" in newest(here, here.ann, done).content  # which is another sheet's message
    await here.slash(here.ann, "orders ready", campaign=first)
    assert "Nothing waits for you" in said(await here.ann.user.click(done, label="Next"))
    for word in ("help", "status"):
        assert labels(await answered(here, here.ann, word)) == ["Next"]


async def test_typed_orders_that_fit_in_several_campaigns_are_asked_about(here: SimulatedServer) -> None:
    _, second = await two(here)
    asked = await answered(here, here.ann, "fleet: number 6")
    assert "For which?" in asked.content
    options = menu(asked).options
    assert [one.description for one in options] == ["Second Duel · number 6, careful", "First Duel · number 6, careful"]
    await here.ann.user.select(asked, [options[0].value])
    echo = newest(here, here.ann, asked)
    assert echo.content.startswith("**Second Duel** · Orders for turn 1\n")
    journal = await here.journal()
    await here.ann.user.click(echo, label="Save")
    assert len(await here.journal()) == len(journal) + 1
    assert "number 6" in here.prompt(here.ann, "Second Duel · Blue Fleet · Orders").content
    assert "number 1" in here.prompt(here.ann, "First Duel · Red Fleet · Orders").content
    shown = await answered(here, here.ann, "map")
    assert menu(shown).options[0].value == second
    chosen = await here.ann.user.select(shown, [second])
    assert chosen.followups or chosen.response


async def test_what_fits_two_campaigns_is_asked_about_though_it_stands_in_one_already(here: SimulatedServer) -> None:
    await two(here)
    asked = await answered(here, here.ann, "fleet: number 6")
    await here.ann.user.select(asked, [menu(asked).options[0].value])
    await here.ann.user.click(newest(here, here.ann, asked), label="Save")
    again = await answered(here, here.ann, "fleet: number 6")
    assert "For which?" in again.content
    options = [one.description for one in menu(again).options]
    assert options == ["Second Duel · as it is", "First Duel · number 6, careful"]
    # what no sheet takes is refused by none of them before it is known for which it was
    unread = await answered(here, here.ann, "fleet: nummber 6")
    assert "I cannot read this as orders for any of your sheets. For which is it meant?" in unread.content
    assert {one.description for one in menu(unread).options} == {
        "Second Duel · not accepted there",
        "First Duel · not accepted there",
    }
    meant = next(one.value for one in menu(unread).options if one.description.startswith("First"))
    await here.ann.user.select(unread, [meant])
    assert "fleet has no field “nummber”" in newest(here, here.ann, unread).content
    assert newest(here, here.ann, unread).content.startswith("**First Duel** · ")


async def test_who_says_from_now_on_is_asked_no_more_until_they_take_it_back(here: SimulatedServer) -> None:
    await two(here)
    asked = await answered(here, here.ann, "fleet: number 6")
    await here.ann.user.select(asked, [menu(asked).options[0].value])
    echo = newest(here, here.ann, asked)
    assert labels(echo) == ["Save", "Change", "From now on: Second Duel"]
    assert "denied" not in said(await here.forge(here.leo.user, here.dms(here.leo)[-1], f"t|{asked.id}|always|"))
    await here.ann.user.click(echo, label="From now on: Second Duel")
    chosen = newest(here, here.ann, asked)
    assert "what you write is for **Second Duel** where it fits other campaigns, too." in chosen.content
    assert "**ask each time**, written here, takes that back" in chosen.content
    assert labels(chosen) == ["Save", "Change", "Ask me each time"]
    await here.restart()
    direct = await answered(here, here.ann, "fleet: number 4")
    assert direct.content.startswith("**Second Duel** · Orders for turn 1\n")
    assert "It fits First Duel, too: you said that such is for Second Duel from now on." in direct.content
    assert labels(direct) == ["Save", "Change", "Ask me each time"]
    # for another person it holds nothing, and a reply to another campaign's card is meant for that
    assert "For which?" in (await answered(here, here.leo, "fleet: number 3")).content
    card = here.prompt(here.ann, "First Duel · Red Fleet · Orders")
    reference = {"channel_id": str(card.channel.id), "message_id": str(card.id)}
    replied = await answered(here, here.ann, "number 5", reference=reference)
    assert replied.content.startswith("**First Duel** · ")
    # the button asks for this text at once, and each time again
    await here.ann.user.click(direct, label="Ask me each time")
    assert "For which?" in newest(here, here.ann, direct).content
    assert "For which?" in (await answered(here, here.ann, "fleet: number 3")).content
    # and so do words, both ways
    told = await answered(here, here.ann, "From now on: first duel")
    assert "what you write is for **First Duel** where it fits other campaigns, too." in told.content
    assert (await answered(here, here.ann, "fleet: number 3")).content.startswith("**First Duel** · ")
    assert "I ask each time from now on" in (await answered(here, here.ann, "ask each time")).content
    assert (await here.rows(ReaderRow.user_id)) == []


async def test_a_choice_is_without_effect_once_its_campaign_takes_no_orders(here: SimulatedServer) -> None:
    first, _ = await two(here)
    assert "First Duel" in (await answered(here, here.ann, "from now on First Duel")).content
    assert (await answered(here, here.ann, "fleet: number 3")).content.startswith("**First Duel** · ")
    async with here.store.write() as tx:
        await tx.campaigns.set_status(first, CampaignStatus.ENDED)
    echo = await answered(here, here.ann, "fleet: number 3")
    assert echo.content.startswith("**Second Duel** · ")
    assert labels(echo) == ["Save", "Change"]


async def test_a_map_is_asked_for_by_its_campaigns_name(here: SimulatedServer) -> None:
    await two(here)
    shown = await answered(here, here.ann, "Map of second duel")
    assert [one.filename for one in shown.attachments] == ["map.png"]
    assert shown.content.startswith("**Second Duel** · ")


async def test_headings_name_the_campaign_for_who_has_several_and_for_nobody_else(here: SimulatedServer) -> None:
    def head(who: Any, title: str) -> str:
        return next(line for line in here.prompt(who, title).content.split("\n") if line.startswith("## "))

    await here.begin("First Duel")
    alone = head(here.ann, "First Duel · Red Fleet · Orders")
    assert "Duel" not in alone
    second = await here.found("Second Duel", orders="2h")
    await here.slash(here.mia, "campaign join", side="red", campaign=second)
    await here.slash(here.ann, "campaign join", side="blue", campaign=second)
    assert head(here.ann, "First Duel · Red Fleet · Orders") == alone
    await here.slash(here.rita, "campaign start", campaign=second)
    # the card that stood there already, the new one, and one that is opened anew
    assert head(here.ann, "First Duel · Red Fleet · Orders") == f"## First Duel · {alone.removeprefix('## ')}"
    assert head(here.ann, "Second Duel · Blue Fleet · Orders").startswith("## Second Duel · ")
    assert "Duel" not in head(here.leo, "First Duel · Blue Fleet · Orders")
    assert "Duel" not in head(here.mia, "Second Duel · Red Fleet · Orders")
    assert "## Second Duel · " in said(await here.slash(here.ann, "next"))
    options = {"campaign": (await ids(here))["First Duel"], "sheet": "Orders for turn 1"}
    assert "## First Duel · " in said(await here.slash(here.ann, "orders show", **options))
    # a press answers with the name in it, once, and what follows by itself has it, too
    card = here.prompt(here.ann, "First Duel · Red Fleet · Orders")
    await here.ann.user.click(card, label="All orders")
    assert newest(here, here.ann, card).content.startswith("## First Duel · All orders\n")
    await here.ann.user.click(newest(here, here.ann, card), label="Back")
    assert head(here.ann, "First Duel · Red Fleet · Orders").count("First Duel") == 1
    await here.slash(here.ann, "orders ready", campaign=second)
    assert head(here.ann, "Second Duel · Blue Fleet · Orders").startswith("## Second Duel · ")
    await here.restart()
    await here.slash(here.rita, "referee extend", by="3h", campaign=second)
    assert head(here.ann, "Second Duel · Blue Fleet · Orders").count("Second Duel") == 1
    # in a side's channel, which others read and which is one campaign's, it does not stand
    await here.slash(here.ann, "quiet cards", where="channel")
    await here.slash(here.leo, "orders ready", campaign=(await ids(here))["First Duel"])
    await here.slash(here.ann, "orders ready", campaign=(await ids(here))["First Duel"])
    places = await here.rows(PlaceRow.discord_id, PlaceRow.key == "side:red")
    assert places
    own = [as_read(one) for place in places for one in channel_of(here, place).history()]
    asked = [one.content for one in own if "First Duel · Red Fleet · " in one.content]
    assert asked
    assert not any(line.startswith("## First Duel") for text in asked for line in text.split("\n"))


async def ids(here: SimulatedServer) -> dict[str, str]:
    """The ids of all campaigns by title."""
    titles = await here.rows(CampaignRow.title)
    return {title: (await here.rows(CampaignRow.id, CampaignRow.title == title))[0] for title in titles}


def channel_of(here: SimulatedServer, place: int) -> Any:
    """A channel by its id."""
    return Place(here.env, here.guild, here.env.backend.get_channel(place))


async def test_a_reply_to_a_card_is_meant_for_its_sheet(here: SimulatedServer) -> None:
    await two(here)
    card = here.prompt(here.ann, "First Duel · Red Fleet · Orders")
    reference = {"channel_id": str(card.channel.id), "message_id": str(card.id)}
    echo = await answered(here, here.ann, "number 6", reference=reference)
    assert echo.content.startswith("**First Duel** · Orders for turn 1\n")
    assert "number 6" in echo.content
    refused = await answered(here, here.ann, "whatever", reference=reference)
    assert refused.content.startswith("**First Duel** · Orders for turn 1\n__Not accepted")
    theirs = here.prompt(here.leo, "First Duel · Blue Fleet · Orders")
    answering = here.bot.services.orders.typed.answering
    assert await answering(theirs.id, here.ann.id) is None
    assert await answering(card.id, here.ann.id) is not None


async def test_what_is_given_again_may_be_forged_and_does_nothing_then(here: SimulatedServer) -> None:
    first, _ = await two(here)
    asked = await answered(here, here.ann, "map")
    before = await here.fingerprint()
    for custom_id, values in (
        ("w|nothing||", [first]),
        ("w|forces|{|", [first]),
        ("w|forces|[]|", [first]),
        ('w|forces|{"about":7}|', [first]),
        ('w|forces|{"about":""}|', [first]),
        ('w|forces|{"else":"x"}|', [first]),
        ("w|orders||", [first]),
        ("w|orders upload||", [first]),
        ("w|forces||1", [first]),
        ("w|forces||", ["no such"]),
        ("w|forces||", [first, first]),
        ("w|referee pause||", [first]),
        ("w|next||", ["no such"]),
    ):
        result = await here.forge(here.ann.user, asked, custom_id, values)
        assert any(word in said(result) for word in ("not something I offered", "no campaign of that", "Only ")), (
            custom_id,
            said(result),
        )
    assert await here.fingerprint() == before


def test_what_does_not_fit_into_an_id_is_asked_in_words() -> None:
    assert again_component("forces", {"about": "x" * 60}) is not None
    assert again_component("forces", {"about": "x" * 90}) is None
    made = again_component("forces", {"about": "a|b"})
    assert made is not None
    assert made.count("|") == 3
    assert json.loads(made.split("|")[2]) == {"about": "a|b"}
    assert len(made) <= MOST_ID
    assert next_button()["id"] == again_component("next", {})


async def test_seats_of_all_campaigns_of_a_server_are_offered_and_found(here: SimulatedServer) -> None:
    first = await here.begin("First Duel")
    second = await here.found("Second Duel")
    offered = await here.zoe.autocomplete(here.hall, "campaign join", "side", "")
    values = {one["value"]: one["name"] for one in offered}
    assert next(iter(values)).startswith(second), "what gathers players stands first"
    assert values[f"{second}/red"] == "Red Fleet · Second Duel"
    assert {f"{second}/blue", f"{first}/@spectator"} <= {*values}
    # what is typed is meant for the one that gathers, what was chosen for the one that was chosen
    assert "You command **Red Fleet** in **Second Duel**" in said(
        await here.slash(here.zoe, "campaign join", side="red")
    )
    chosen = await here.slash(here.mia, "campaign join", side=f"{first}/@spectator")
    assert "You watch **First Duel**" in said(chosen)
    # two that gather: it is asked which, and nothing is done
    await here.found("Third Duel")
    before = await here.fingerprint()
    assert "Which one is meant?" in said(await here.slash(here.abe, "campaign join", side="blue"))
    assert await here.fingerprint() == before
    told = said(await here.slash(here.abe, "campaign join", side=f"{second[:-1]}/red", campaign=second))
    assert "incident" not in told.casefold()


async def test_help_lists_the_commands_when_somebody_is_in_several_campaigns(here: SimulatedServer) -> None:
    await two(here)
    for text in (said(await here.dm_slash(here.ann, "help")), (await answered(here, here.ann, "help")).content):
        assert "`/orders show` opens your sheets" in text
        assert len(text) <= 2_000


async def test_the_list_of_campaigns_says_who_sits_where(here: SimulatedServer) -> None:
    await here.begin("First Duel")
    await here.found("Second Duel")
    first, second = sorted(said(await here.slash(here.zoe, "campaign list")).splitlines())
    assert f"Red Fleet: <@{here.ann.id}>; Blue Fleet: <@{here.leo.id}>" in first
    assert "gathering; Red Fleet: nobody yet; Blue Fleet: nobody yet" in second
