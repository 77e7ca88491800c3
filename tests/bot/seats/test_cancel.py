"""``/campaign cancel``: a referee gives up a campaign that gathers players, and nothing of it waits any more."""

from typing import Any

import pytest

from bot.records.outbox import OutboxStatus
from bot.store.tables import CampaignRow, OutboxRow, ProposalRow
from tests.bot.seats.test_chair import offer
from tests.bot.seats.test_join_button import announcement, labels
from tests.bot.worlds.simulated_server import TITLE, SimulatedServer, message_of, said

QUESTION = f"Cancel **{TITLE}**? It never begins then, and that cannot be taken back."


async def asked(here: SimulatedServer, campaign: str) -> Any:
    """The question whether it is really to be cancelled, which the referee alone sees."""
    shown = await here.slash(here.rita, "campaign cancel", campaign=campaign)
    assert message_of(shown).ephemeral
    return shown.response


async def cancel(here: SimulatedServer, campaign: str) -> str:
    """Cancel it; gives what the referee reads."""
    told = said(await here.rita.click(await asked(here, campaign), label="Cancel it"))
    await here.bot.delivery.settled()
    return told


async def unfinished(here: SimulatedServer) -> list[str]:
    """What still waits to be delivered, by kind."""
    return await here.rows(OutboxRow.kind, OutboxRow.status.in_((OutboxStatus.QUEUED, OutboxStatus.SENDING)))


async def test_cancelled_campaign_is_over_everywhere_and_its_title_is_free(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.slash(here.ann, "campaign join", side="red")
    question = await asked(here, campaign)
    assert question.content == f"{QUESTION} 1 commander will read it in `#bulletins`."
    assert labels(question) == ["Cancel it", "Keep it"]
    told = said(await here.rita.click(question, label="Cancel it"))
    assert told == f"**{TITLE}** is cancelled, and its title is free again. Its channels stay; you may delete them."
    await here.bot.delivery.settled()
    assert announcement(here).content == f"**{TITLE}** was cancelled before it began."
    assert labels(announcement(here)) == []
    assert f"**{TITLE}** is cancelled: it does not begin. <@{here.ann.user.id}>" in await here.texts("public")
    assert await here.rows(CampaignRow.status) == ["ended"]
    assert await unfinished(here) == []
    founded = said(await here.slash(here.rita, "campaign create", title=TITLE, scenario="toy/duel"))
    assert "is founded" in founded
    assert f"**{TITLE}** (toy) gathers players." in announcement(here).content


async def test_nothing_changes_when_the_referee_keeps_it(here: SimulatedServer) -> None:
    campaign = await here.found()
    before = await here.fingerprint()
    kept = said(await here.rita.click(await asked(here, campaign), label="Keep it"))
    assert kept == f"Nothing was changed of **{TITLE}**."
    assert labels(announcement(here)) == ["Join"]
    assert await here.rows(CampaignRow.status) == ["gathering"]
    assert await here.fingerprint() == before


async def test_cancelling_is_refused_to_others_and_once_play_has_begun(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.slash(here.ann, "campaign join", side="red")
    only = "Only the campaign's referee can do this here."
    assert said(await here.slash(here.ann, "campaign cancel", campaign=campaign)) == only
    posted = announcement(here)
    for pressed, answer in (("yes", only), ("x", "not something I offered"), ("", "not something I offered")):
        assert answer in said(await here.forge(here.ann, posted, f"c|{campaign}|cancel|{pressed}"))
    question = await asked(here, campaign)
    await here.slash(here.leo, "campaign join", side="blue")
    await here.slash(here.rita, "campaign start")
    begun = "This campaign has begun, so it cannot be cancelled."
    assert said(await here.rita.click(question, label="Cancel it")) == begun
    assert said(await here.slash(here.rita, "campaign cancel")) == begun
    assert await here.rows(CampaignRow.status) == ["running"]


async def test_cancelled_campaign_cannot_be_started_joined_or_cancelled_again(here: SimulatedServer) -> None:
    campaign = await here.found()
    await here.slash(here.ann, "campaign join", side="red")
    await here.slash(here.leo, "campaign join", side="blue")
    question, open_card = await asked(here, campaign), announcement(here)
    await cancel(here, campaign)
    await here.restart()
    assert f"**{TITLE}** is over" in said(await here.rita.click(question, label="Cancel it"))
    assert f"**{TITLE}** is over" in said(await here.forge(here.zoe, open_card, f"c|{campaign}|join|"))
    assert "is cancelled already" in said(await here.slash(here.rita, "campaign cancel", campaign=campaign))
    started = said(await here.slash(here.rita, "campaign start", campaign=campaign))
    assert started == "This campaign was cancelled before it began. `/campaign create` founds another."
    assert "is over" in said(await here.slash(here.zoe, "campaign join", campaign=campaign, side="red"))
    assert await here.rows(CampaignRow.status) == ["ended"]


NOTHING_TO_SEE = "This campaign was cancelled before it began, so there is nothing to see."


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("campaign status", "toy: cancelled before it began."),
        ("campaign list", "toy: cancelled; Red Fleet: "),
        ("help", f"**{TITLE}** is cancelled before it began."),
        ("map", NOTHING_TO_SEE),
        ("forces", NOTHING_TO_SEE),
        ("next", ""),
        ("log", ""),
    ],
)
async def test_cancelled_campaign_is_told_as_that_when_it_is_asked_about(
    here: SimulatedServer, command: str, answer: str
) -> None:
    campaign = await here.found()
    await here.slash(here.ann, "campaign join", side="red")
    await cancel(here, campaign)
    options = {} if command in {"help", "campaign list", "next"} else {"campaign": campaign}
    told = said(await here.slash(here.ann, command, **options))
    assert answer in told
    assert "Incident" not in told
    assert await here.rows(CampaignRow.status) == ["ended"], "and is not halted by being looked at"


async def test_offer_of_the_chair_is_void_once_the_campaign_is_cancelled(here: SimulatedServer) -> None:
    campaign = await here.found()
    await offer(here, here.zoe)
    await cancel(here, campaign)
    assert await here.rows(ProposalRow.token) == []


async def test_nothing_waits_when_the_channels_could_not_be_made(here: SimulatedServer) -> None:
    here.env.inject_error("POST", f"/guilds/{here.guild.id}/roles", status=403, code=50013, times=50)
    campaign = await here.found()
    assert "provision" in await unfinished(here)
    await cancel(here, campaign)
    assert await unfinished(here) == []
    assert announcement(here).content == f"**{TITLE}** was cancelled before it began."
