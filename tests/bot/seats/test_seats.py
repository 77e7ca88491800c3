"""Founding, joining and starting a campaign."""

import asyncio

from bot.records.campaign_settings import CampaignSettings
from bot.store.tables import CampaignRow
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.message_words import pressable


async def test_a_campaign_is_founded_joined_and_started(here: SimulatedServer) -> None:
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


async def test_a_title_stands_once_and_is_plain(here: SimulatedServer) -> None:
    await here.slash(here.rita, "campaign create", title=" First  Duel ", scenario="toy/duel")
    result = await here.slash(here.zoe, "campaign create", title="First Duel", scenario="toy/duel")
    assert "There is a campaign “First Duel” here already" in said(result)


async def test_an_unknown_scenario_names_the_nearest(here: SimulatedServer) -> None:
    result = await here.slash(here.rita, "campaign create", title="A", scenario="toy/dual")
    assert said(result) == "There is no scenario “toy/dual”. Did you mean toy/duel? There is: toy/duel."


async def test_a_campaign_is_founded_in_a_server(here: SimulatedServer) -> None:
    result = await here.dm_slash(here.rita, "campaign create", title="A", scenario="toy/duel")
    assert said(result) == "A campaign lives in a server; found it there."


async def test_deadlines_are_read_as_people_write_them(here: SimulatedServer) -> None:
    result = await here.slash(
        here.rita, "campaign create", title="A", scenario="toy/duel", orders="90m", decisions="36h", battles="1w"
    )
    assert "Orders: 1.5 hours. Decisions: 1.5 days. Battles: 7 days." in said(result)
    result = await here.slash(here.rita, "campaign create", title="B", scenario="toy/duel", orders="soon")
    assert said(result) == "Write a time like `90m`, `24h`, `3d` or `1w`."
    result = await here.slash(here.rita, "campaign create", title="B", scenario="toy/duel", orders="9999w")
    assert "at most 60 days" in said(result)


async def test_settings_are_seen_by_all_and_changed_by_the_referee(here: SimulatedServer) -> None:
    campaign = await here.found()
    result = await here.slash(here.rita, "campaign settings", campaign=campaign, orders="2h")
    assert "Orders: 2 hours." in said(result)
    result = await here.slash(here.rita, "campaign settings", campaign=campaign, orders="0m")
    assert said(result) == "A deadline lasts at least 2 seconds and at most 60 days."
    assert "From the next deadline on: Orders: 2 hours." in await here.texts("public")
    result = await here.slash(here.zoe, "campaign settings", campaign=campaign, orders="3h")
    assert said(result) == "Only the campaign's referee can do this here."


async def test_seats_are_offered_and_misspelt_ones_corrected(here: SimulatedServer) -> None:
    campaign = await here.found()
    offered = await here.ann.autocomplete(here.hall, "campaign join", "side", "", campaign=campaign)
    assert [one["name"] for one in offered] == ["Red Fleet", "Blue Fleet", "Spectator"]
    result = await here.slash(here.ann, "campaign join", side="Red Flet", campaign=campaign)
    assert "Did you mean Red Fleet or Blue Fleet? There is: Red Fleet, Blue Fleet, spectator." in said(result)


async def test_a_seat_is_taken_once(here: SimulatedServer) -> None:
    await here.found()
    await here.slash(here.ann, "campaign join", side="red")
    assert said(await here.slash(here.ann, "campaign join", side="red")) == "You sit there already."
    assert "leave it first" in said(await here.slash(here.ann, "campaign join", side="blue"))
    assert said(await here.slash(here.ann, "campaign leave")) == "You have left **First Duel**."
    assert "Blue Fleet" in said(await here.slash(here.ann, "campaign join", side="blue"))


async def test_play_cannot_begin_with_an_empty_seat(here: SimulatedServer) -> None:
    await here.found()
    await here.slash(here.ann, "campaign join", side="red")
    assert said(await here.slash(here.rita, "campaign start")) == "Nobody commands Blue Fleet yet."


async def test_the_last_commander_cannot_leave_and_spectators_cannot_cross_over(here: SimulatedServer) -> None:
    await here.begin()
    assert "your side's only commander" in said(await here.slash(here.ann, "campaign leave"))
    assert "this seat is taken" in said(await here.slash(here.sam, "campaign join", side="red"))


async def test_a_substitute_takes_the_open_sheets_over(here: SimulatedServer) -> None:
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    result = await here.slash(here.rita, "referee substitute", leaving=here.ann.user, arriving=here.abe.user)
    assert said(result).startswith("It waits for the consent of")
    await here.ann.user.click(here.prompt(here.ann, "asks for your consent"), label="Agree")
    assert "number 7" in here.prompt(here.abe, "Orders for turn 1").content
    assert not any(pressable(one) for one in here.dms(here.ann) if "You command" not in one.content), "but the briefing"
    assert sum("You handed your seat over." in one.content for one in here.dms(here.ann)) == 2
    await here.fill(here.abe, "Orders for turn 1", "0.0", f0="8")
    assert not any("number 8" in one.content for one in here.dms(here.ann))
    assert (await here.journal())[-2:] == ["seated", "answered"]


async def test_the_chair_is_handed_over(here: SimulatedServer) -> None:
    await here.begin()
    result = await here.slash(here.rita, "referee hand-over", to=here.leo.user)
    assert "commands a side here" in said(result)
    await here.slash(here.rita, "referee hand-over", to=here.zoe.user)
    assert "is paused" in said(await here.slash(here.zoe, "referee pause"))
    assert said(await here.slash(here.rita, "referee resume")).startswith(("Only", "You are in no campaign"))


async def test_two_campaigns_in_one_server_are_told_apart(here: SimulatedServer) -> None:
    await here.begin("First Duel")
    second = await here.found("Second Duel")
    await here.slash(here.ann, "campaign join", side="red", campaign=second)
    result = await here.slash(here.ann, "forces")
    assert said(result) == "You are in several campaigns. Which one is meant?"
    overview = said(await here.dm_slash(here.ann, "help"))
    assert "You are in several campaigns:" in overview
    assert "name it with the `campaign` option" in overview
    own = await here.channel("side:red")
    assert "ships 5" in said(await here.slash(here.ann, "forces", at=own))


async def test_status_says_nothing_that_only_one_side_may_know(here: SimulatedServer) -> None:
    campaign = await here.begin()
    await here.press(here.ann, "Orders for turn 1", "Ready")
    text = said(await here.slash(here.zoe, "campaign status", campaign=campaign))
    assert "Turn 1" in text
    assert "<t:" not in text
    assert "eady" not in text


async def test_an_interaction_delivered_twice_is_carried_out_once(here: SimulatedServer) -> None:
    await here.begin()
    twice: list[dict[str, object]] = []
    feed = here.env.backend.emit

    def doubled(event: str, payload: dict[str, object], *rest: object, **more: object) -> None:
        feed(event, payload, *rest, **more)
        if event == "INTERACTION_CREATE":
            twice.append(payload)
            feed(event, payload, *rest, **more)

    here.env.backend.emit = doubled
    await here.press(here.ann, "Orders for turn 1", "Ready")
    here.env.backend.emit = feed
    assert len(twice) == 1
    assert await here.journal() == ["genesis", "seated", "readied"]


async def test_an_interaction_delivered_again_after_a_restart_is_carried_out_once(here: SimulatedServer) -> None:
    await here.begin()
    sent: list[dict[str, object]] = []
    feed = here.env.backend.emit

    def kept(event: str, payload: dict[str, object], *rest: object, **more: object) -> None:
        sent.append(payload)
        feed(event, payload, *rest, **more)

    here.env.backend.emit = kept
    await here.press(here.ann, "Orders for turn 1", "Ready")
    here.env.backend.emit = feed
    await here.restart()
    again = next(one for one in sent if isinstance(one.get("data"), dict) and "custom_id" in one["data"])
    here.env.backend.emit("INTERACTION_CREATE", again)
    await here.env.settle()
    assert await here.journal() == ["genesis", "seated", "readied"]


async def test_two_foundings_at_once_make_one_campaign(here: SimulatedServer) -> None:
    """Discord gave up after three seconds, and somebody gave the command again while the first was under way."""
    founding = here.bot.services.seats.founding
    found = [
        founding.create(
            guild_id=here.guild.id,
            user_id=here.rita.user.id,
            title="Twice",
            scenario="toy/duel",
            settings=CampaignSettings(),
            interaction_id=number,
        )
        for number in (1, 2)
    ]
    outcomes = await asyncio.gather(*found, return_exceptions=True)
    assert sorted(type(one).__name__ for one in outcomes) == ["CampaignInfo", "Sorry"]
    assert await here.rows(CampaignRow.title, CampaignRow.title == "Twice") == ["Twice"]
