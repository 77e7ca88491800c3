"""The referee's chair: offered, accepted, taken back, and given to another when its holder is gone or says nothing."""

from typing import Any

import pytest

from bot.store.tables import CampaignRow, ProposalRow
from bot.verification.verify import verify
from rules_engine.core.records.journal import Seated
from tests.bot.seats.test_consent import ASKS, OFFERS, answer, begin_playing, entries
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable

DAY = 24 * 3600.0
SETTLED = "This is settled, or has waited too long; nothing more is asked of you."


async def referee(here: SimulatedServer) -> str:
    """The name of the only campaign's referee."""
    (user,) = await here.rows(CampaignRow.referee_id)
    return next(name for name, who in here.people.items() if who.user.id == user)


async def offer(here: SimulatedServer, to: Any, by: Any = None) -> str:
    """Offer the chair; gives what the giver reads."""
    return said(await here.slash(by or here.rita, "referee hand-over", to=to.user))


async def name(here: SimulatedServer, by: Any, to: Any, **options: Any) -> str:
    """Name another referee; gives what is answered."""
    return said(await here.slash(by, "campaign name-referee", to=to.user, **options))


async def decide(here: SimulatedServer, who: Any, label: str, about: str = OFFERS) -> str:
    """Press a button of the last question that somebody was asked."""
    return said(await who.user.click(here.prompt(who, about), label=label))


# --- offered and accepted ---------------------------------------------------------------------------------------------
async def test_chair_passes_only_once_the_receiver_accepts(game: SimulatedServer) -> None:
    waits = await offer(game, game.zoe)
    assert waits == f"It waits for the consent of <@{game.zoe.user.id}>. Until then you can take it back."
    assert await referee(game) == "rita"
    asked = game.prompt(game.zoe, OFFERS)
    assert "You could then see everything in it, and command no side of it any more." in asked.content
    assert [one["label"] for one in pressable(asked)] == ["Accept", "Decline"]
    assert f"It takes the consent of <@{game.zoe.user.id}>." in await game.texts("public")
    assert (await decide(game, game.zoe, "Accept")).startswith("You agree, and it is done.")
    assert await referee(game) == "zoe"
    assert f"<@{game.zoe.user.id}> is the referee now, instead of" in await game.texts("public")
    assert "is paused" in said(await game.slash(game.zoe, "referee pause"))
    verify(await entries(game))


async def test_offer_survives_a_restart(game: SimulatedServer) -> None:
    await offer(game, game.zoe)
    await game.restart()
    await decide(game, game.zoe, "Accept")
    assert await referee(game) == "zoe"


async def test_chair_stays_when_the_receiver_declines(game: SimulatedServer) -> None:
    await offer(game, game.zoe)
    assert await decide(game, game.zoe, "Decline") == "You do not agree, so nothing changes."
    assert await referee(game) == "rita"
    assert await game.rows(ProposalRow.token) == []


async def test_chair_is_refused_to_who_is_not_on_the_server(game: SimulatedServer) -> None:
    game.guild.remove_member(game.zoe)
    refused = await offer(game, game.zoe)
    assert refused == f"<@{game.zoe.user.id}> is not on this campaign's server, so they cannot be its referee."
    assert await game.rows(ProposalRow.token) == []


async def test_chair_is_refused_to_a_receiver_who_left_the_server_before_accepting(game: SimulatedServer) -> None:
    await offer(game, game.zoe)
    game.guild.remove_member(game.zoe)
    assert "is not on this campaign's server" in await decide(game, game.zoe, "Accept")
    assert await referee(game) == "rita"


async def test_chair_is_refused_to_a_receiver_who_took_a_side_meanwhile(here: SimulatedServer) -> None:
    campaign = await here.found()
    await offer(here, here.ann)
    await here.slash(here.ann, "campaign join", side="red", campaign=campaign)
    assert "commands a side here" in await decide(here, here.ann, "Accept")
    assert await referee(here) == "rita"


@pytest.mark.parametrize("way", ["button", "command"])
async def test_offer_is_taken_back_until_it_is_accepted(game: SimulatedServer, way: str) -> None:
    offered = await game.slash(game.rita, "referee hand-over", to=game.zoe.user)
    if way == "button":
        done = said(await game.rita.click(offered.response, label="Take it back"))
    else:
        done = said(await game.slash(game.rita, "referee hand-over"))
    assert done == "It is taken back; the referee stays who it is."
    assert "takes back what was asked" in await game.texts("public")
    assert (await decide(game, game.zoe, "Accept")).startswith(SETTLED)
    assert await referee(game) == "rita"
    assert said(await game.slash(game.rita, "referee hand-over")).startswith(
        "You have offered the referee's chair to no"
    )


async def test_nobody_else_takes_an_offer_back(game: SimulatedServer) -> None:
    await offer(game, game.zoe)
    (token,) = await game.rows(ProposalRow.token)
    notice = (await game.channel("public")).history()[0]
    for who in (game.ann, game.zoe, game.mia):
        result = said(await game.forge(who, notice, f"c|{game.campaign}|withdraw|{token}"))
        assert result.startswith("You have offered the referee's chair to nobody"), who
    await decide(game, game.zoe, "Accept")
    assert await referee(game) == "zoe"


async def test_second_offer_replaces_the_first(game: SimulatedServer) -> None:
    await offer(game, game.zoe)
    await offer(game, game.mia)
    assert (await decide(game, game.zoe, "Accept")).startswith(SETTLED)
    await decide(game, game.mia, "Accept")
    assert await referee(game) == "mia"


async def test_offer_is_void_once_the_campaign_is_over(game: SimulatedServer) -> None:
    await offer(game, game.zoe)
    async with game.store.write() as tx:
        from bot.records.campaigns import CampaignStatus

        await tx.campaigns.set_status(game.campaign, CampaignStatus.ENDED, "Over.")
    assert (await decide(game, game.zoe, "Accept")).startswith("This campaign is over")
    assert await referee(game) == "rita"


async def test_offer_holds_when_its_giver_leaves_the_server(game: SimulatedServer) -> None:
    await offer(game, game.zoe)
    game.guild.remove_member(game.rita)
    await decide(game, game.zoe, "Accept")
    assert await referee(game) == "zoe"


# --- named by all sides -----------------------------------------------------------------------------------------------
async def test_sides_name_another_referee_together_when_theirs_has_left_the_server(game: SimulatedServer) -> None:
    game.guild.remove_member(game.rita)
    waits = await name(game, game.ann, game.zoe)
    assert waits.startswith(f"It waits for the consent of Blue Fleet, <@{game.zoe.user.id}>. ")
    await decide(game, game.zoe, "Accept")
    assert await referee(game) == "rita", "blue has not agreed"
    assert "is to be the referee instead of" in game.prompt(game.leo, ASKS).content
    await answer(game, game.leo)
    assert await referee(game) == "zoe"
    last = (await entries(game))[-1].body
    assert isinstance(last, Seated)
    assert last.text.endswith(f"with the consent of side:blue, user:{game.zoe.user.id}")
    verify(await entries(game))


async def test_referee_stays_when_one_side_does_not_agree(game: SimulatedServer) -> None:
    game.guild.remove_member(game.rita)
    await name(game, game.ann, game.zoe)
    await answer(game, game.leo, "Do not agree")
    assert (await decide(game, game.zoe, "Accept")).startswith(SETTLED)
    assert await referee(game) == "rita"


async def test_nobody_is_named_while_the_referee_is_there(game: SimulatedServer) -> None:
    refused = await name(game, game.ann, game.zoe)
    assert refused.startswith(f"<@{game.rita.user.id}> is on this server. Somebody else can be named once")
    await game.later(20 * DAY)  # nothing waits for a referee, so saying nothing is no fault
    assert "is on this server" in await name(game, game.ann, game.zoe)


async def test_referee_who_is_silent_for_14_days_while_the_campaign_is_paused_is_replaced(game: SimulatedServer):
    await game.slash(game.rita, "referee pause")
    await game.later(14 * DAY - 60)
    assert "Something waits since" in await name(game, game.ann, game.zoe)
    await game.later(120)
    await name(game, game.ann, game.zoe)
    assert "waits for you, its referee" in game.prompt(game.rita, "waits for you").content
    await answer(game, game.leo)
    await decide(game, game.zoe, "Accept")
    assert await referee(game) == "zoe"
    assert "goes on" in said(await game.slash(game.zoe, "referee resume"))


async def test_silent_referee_who_says_that_they_are_there_stays(game: SimulatedServer) -> None:
    await game.slash(game.rita, "referee pause")
    await game.later(15 * DAY)
    await name(game, game.ann, game.zoe)
    await decide(game, game.rita, "I am here", "waits for you")
    assert (await answer(game, game.leo)).startswith(SETTLED)
    assert await referee(game) == "rita"
    assert "is on this server" in await name(game, game.ann, game.zoe), "the silence begins anew"


async def test_silent_referee_who_acts_meanwhile_stays(game: SimulatedServer) -> None:
    await game.slash(game.rita, "referee pause")
    await game.later(15 * DAY)
    await name(game, game.ann, game.zoe)
    await game.slash(game.rita, "referee resume")
    await answer(game, game.leo)
    assert "is on this server" in await decide(game, game.zoe, "Accept")
    assert await referee(game) == "rita"


async def test_campaign_that_nobody_starts_gets_another_referee(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.slash(here.ann, "campaign join", side="red", campaign=campaign)
    assert "is on this server" in await name(here, here.ann, here.zoe, campaign=campaign)
    await here.later(14 * DAY + 60)
    await name(here, here.ann, here.zoe, campaign=campaign)
    await decide(here, here.zoe, "Accept")
    assert await referee(here) == "zoe"


async def test_new_referee_has_14_days_of_their_own(game: SimulatedServer) -> None:
    await game.slash(game.rita, "referee pause")
    await game.later(15 * DAY)
    await name(game, game.ann, game.zoe)
    await answer(game, game.leo)
    await decide(game, game.zoe, "Accept")
    assert f"<@{game.zoe.user.id}> is on this server" in await name(game, game.ann, game.mia)


async def test_gone_referee_who_played_a_side_is_replaced_with_the_others_consent(here: SimulatedServer) -> None:
    await begin_playing(here)
    here.guild.remove_member(here.rita)
    waits = await name(here, here.leo, here.zoe)
    assert waits.startswith(f"It waits for the consent of Red Fleet, <@{here.zoe.user.id}>. "), waits


async def test_servers_owner_names_a_referee_without_the_sides(game: SimulatedServer) -> None:
    game.env.backend.get_guild(game.guild.id).owner_id = game.mia.user.id
    game.bot.get_guild(game.guild.id).owner_id = game.mia.user.id  # type: ignore[union-attr]
    assert "is on this server" in await name(game, game.mia, game.zoe, campaign=game.campaign)
    game.guild.remove_member(game.rita)
    waits = await name(game, game.mia, game.zoe, campaign=game.campaign)
    assert waits.startswith(f"It waits for the consent of <@{game.zoe.user.id}>. ")
    await decide(game, game.zoe, "Accept")
    assert await referee(game) == "zoe"


async def test_strangers_name_nobody(game: SimulatedServer) -> None:
    game.guild.remove_member(game.rita)
    for who in (game.mia, game.sam):
        assert (await name(game, who, game.zoe, campaign=game.campaign)).startswith("Only a commander of a side")
    assert "commands a side here" in await name(game, game.ann, game.leo)
    assert "commands a side here" in await name(game, game.ann, game.ann)
