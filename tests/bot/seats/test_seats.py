"""Founding, joining and starting a campaign; cards' places; sides that are out of play."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.records.campaign_settings import CampaignSettings
from bot.store.tables import CampaignRow, MemberRow, ProposalRow, ReaderRow
from bot.verification.verify import verify
from rules_engine.core.basics.base import Side
from rules_engine.core.protocol import asks, turn_context
from rules_engine.core.records.journal import Seated
from tests import toy
from tests.bot.seats.test_consent import ASKS, OFFERS, answer, begin_playing, entries
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server, use_toy
from tests.expected.words import has_words
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
        ("blue", "Missions"), ("blue", "Orders for turn 1"), ("red", "Missions"), ("red", "Orders for turn 1"),
    ]  # fmt: skip
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


async def test_the_last_commander_cannot_leave_and_spectators_cannot_cross_over(game: SimulatedServer) -> None:
    assert "your side's only commander" in said(await game.slash(game.ann, "campaign leave"))
    assert "this seat is taken" in said(await game.slash(game.sam, "campaign join", side="red"))


async def test_a_substitute_takes_the_open_sheets_over(game: SimulatedServer) -> None:
    await game.fill(game.ann, "Orders for turn 1", "0.0", f0="7")
    result = await game.slash(game.rita, "referee substitute", leaving=game.ann.user, arriving=game.abe.user)
    assert said(result).startswith("It waits for the consent of")
    await game.ann.user.click(game.prompt(game.ann, "asks for your consent"), label="Agree")
    assert "number 7" in game.prompt(game.abe, "Orders for turn 1").content
    assert not any(pressable(one) for one in game.dms(game.ann) if "You command" not in one.content), "but the briefing"
    assert sum("You handed your seat over." in one.content for one in game.dms(game.ann)) == 2
    await game.fill(game.abe, "Orders for turn 1", "0.0", f0="8")
    assert not any("number 8" in one.content for one in game.dms(game.ann))
    assert (await game.journal())[-2:] == ["seated", "answered"]


async def test_the_chair_is_handed_over(game: SimulatedServer) -> None:
    assert "commands a side here" in said(await game.slash(game.rita, "referee hand-over", to=game.leo.user))
    await game.hand_over(game.rita, game.zoe)
    assert "is paused" in said(await game.slash(game.zoe, "referee pause"))
    assert said(await game.slash(game.rita, "referee resume")).startswith(("Only", "You are in no campaign"))


async def test_two_campaigns_in_one_server_are_told_apart(here: SimulatedServer) -> None:
    await here.begin("First Duel")
    second = await here.found("Second Duel")
    await here.slash(here.ann, "campaign join", side="red", campaign=second)
    assert said(await here.slash(here.ann, "forces")) == "You are in several campaigns. Which one is meant?"
    overview = said(await here.dm_slash(here.ann, "help"))
    has_words(overview, "You are in several campaigns:", "name it with the `campaign` option")
    own = await here.channel("side:red")
    assert "ships 5" in said(await here.slash(here.ann, "forces", at=own))


async def test_status_says_nothing_that_only_one_side_may_know(game: SimulatedServer) -> None:
    await game.press(game.ann, "Orders for turn 1", "Ready")
    text = said(await game.slash(game.zoe, "campaign status", campaign=game.campaign))
    has_words(text, "Turn 1", never=("<t:", "eady"))


async def test_an_interaction_delivered_twice_is_carried_out_once(game: SimulatedServer) -> None:
    twice: list[dict[str, object]] = []
    feed = game.env.backend.emit

    def doubled(event: str, payload: dict[str, object], *rest: object, **more: object) -> None:
        feed(event, payload, *rest, **more)
        if event == "INTERACTION_CREATE":
            twice.append(payload)
            feed(event, payload, *rest, **more)

    game.env.backend.emit = doubled
    await game.press(game.ann, "Orders for turn 1", "Ready")
    game.env.backend.emit = feed
    assert len(twice) == 1
    assert await game.journal() == ["genesis", "seated", "readied"]


async def test_an_interaction_delivered_again_after_a_restart_is_carried_out_once(game: SimulatedServer) -> None:
    sent: list[dict[str, object]] = []
    feed = game.env.backend.emit

    def kept(event: str, payload: dict[str, object], *rest: object, **more: object) -> None:
        sent.append(payload)
        feed(event, payload, *rest, **more)

    game.env.backend.emit = kept
    await game.press(game.ann, "Orders for turn 1", "Ready")
    game.env.backend.emit = feed
    await game.restart()
    again = next(one for one in sent if isinstance(one.get("data"), dict) and "custom_id" in one["data"])
    game.env.backend.emit("INTERACTION_CREATE", again)
    await game.env.settle()
    assert await game.journal() == ["genesis", "seated", "readied"]


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


# --- who wants no direct messages has cards and reminders in the side's channel, always -------------------------------
TURN = "Orders for turn 1"


async def test_cards_come_in_the_sides_channel_and_work_there(here: SimulatedServer) -> None:
    chosen = await here.dm_slash(here.ann, "quiet cards", where="channel")
    assert "in your side's channel, and you are pinged there" in said(chosen)
    before = len(here.dms(here.ann))
    await here.begin()
    assert not [one for one in here.dms(here.ann)[before:] if pressable(one)]
    cards = [one for one in (await here.channel("side:red")).history() if pressable(one)]
    assert [TURN in one.content for one in cards].count(True) == 1
    assert all(one.content.startswith(f"{here.ann.mention}\n") for one in cards), "as they were posted and as frames"
    assert not any("could not reach you" in one.content for one in cards), "nobody is told off for a choice"
    await here.ann.click(next(one for one in cards if TURN in one.content), label="Ready")
    assert await here.journal() == ["genesis", "seated", "readied"]
    assert not [one for one in (await here.channel("public")).history() if TURN in one.content]


async def test_reminders_come_there_too_and_others_get_theirs_as_ever(here: SimulatedServer) -> None:
    await here.dm_slash(here.ann, "quiet cards", where="channel")
    await here.begin()
    assert [one for one in here.dms(here.leo) if TURN in one.content]
    before = len((await here.channel("side:red")).history())
    await here.later(23 * 3600)
    reminders = (await here.channel("side:red")).history()[before:]
    assert reminders
    assert all(here.ann.mention in one.content for one in reminders)


async def test_direct_messages_can_be_had_again(here: SimulatedServer) -> None:
    await here.dm_slash(here.ann, "quiet cards", where="channel")
    assert await here.rows(ReaderRow.in_channel) == [True]
    await here.dm_slash(here.ann, "quiet cards", where="message")
    assert await here.rows(ReaderRow.in_channel) == [], "nothing is kept of who has chosen nothing"
    await here.begin()
    assert here.prompt(here.ann, TURN)


async def test_a_theme_and_a_place_are_chosen_one_beside_the_other(here: SimulatedServer) -> None:
    async with here.bot.store.write() as tx:
        await tx.readers.set_theme(7, "paper")
        await tx.readers.set_in_channel(7, True)
        assert (await tx.readers.theme(7), await tx.readers.in_channel([7, 8])) == ("paper", {7})
        await tx.readers.set_theme(7, "")
        assert (await tx.readers.theme(7), await tx.readers.in_channel([7])) == ("", {7})


# --- out of play ------------------------------------------------------------------------------------------------------
# a side that is out of play: nobody is reminded or awaited, everybody may see it, and its seat may be left empty.
# The rulebook is the toy one, in which here a side without ships is out of play.
class Sinking(toy.Toy):
    """The toy rulebook; a side without ships is out of play."""

    def out_of_play(self, state: toy.State) -> frozenset[Side]:
        return frozenset(side for side, ships in state.ships.items() if not ships)

    def turn_steps(self, table: turn_context.TurnContext[toy.State]) -> asks.Steps[None]:
        state = table.state
        if not self.out_of_play(state):
            yield from super().turn_steps(table)
            for side in self.out_of_play(state):
                table.tell_all(f"{table.name_of(side)} is out of play.")
            return
        table.set_time(state.turn, 0, f"Turn {state.turn}")
        table.tell_all(f"Turn {state.turn} begins.")
        table.show_maps()
        yield from table.ask_all_steps([self._orders(state, side) for side in table.in_play])
        state.turn += 1


@pytest.fixture
async def sinking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimulatedServer]:
    """A server with a bot that runs."""
    use_toy(monkeypatch)
    monkeypatch.setattr(toy, "RULEBOOK", Sinking())
    async with simulated_server(tmp_path) as made:
        yield made


async def sink(here: SimulatedServer, red: str = "ann") -> None:
    """Blue loses all its ships in the battle of the first turn, and the second begins."""
    both = (here.people[red], here.leo)
    for who in both:
        await here.press(who, "Orders for turn 1", "Ready")
    for who in both:
        await here.fill(who, "Battle of turn 1", "0.0", f0="4", f1="0")
        await here.press(who, "Battle of turn 1", "Send this account")
    assert await here.open_titles() == [("red", "Orders for turn 2")]


async def test_a_side_that_is_out_is_asked_nothing_and_the_others_play_on(sinking: SimulatedServer) -> None:
    await sinking.begin()
    await sink(sinking)
    await sinking.press(sinking.ann, "Orders for turn 2", "Ready")
    assert await sinking.open_titles() == [("red", "Orders for turn 3")]
    assert not any("turn 2" in one.content for one in sinking.dms(sinking.leo))


async def test_its_commander_is_told_that_nothing_is_asked_and_what_there_is_to_watch(sinking: SimulatedServer) -> None:
    campaign = await sinking.begin()
    await sink(sinking)
    text = said(await sinking.slash(sinking.leo, "help"))
    assert "You command **Blue Fleet**." in text
    assert "Your side is out of play; you may watch." in text
    assert "`/campaign leave`" in text
    assert "`/orders" not in text
    assert "out of play" not in said(await sinking.slash(sinking.ann, "help"))
    assert "ships 0" in said(await sinking.slash(sinking.leo, "forces"))
    assert (await sinking.slash(sinking.leo, "map")).response is not None
    second = await sinking.found("Second Duel")
    await sinking.slash(sinking.leo, "campaign join", side="blue", campaign=second)
    assert "• Your side is out of play; you may watch." in said(await sinking.dm_slash(sinking.leo, "help"))
    assert campaign != second


@pytest.mark.parametrize("command", ["orders show", "orders ready", "orders text"])
async def test_its_commander_who_looks_for_a_sheet_is_told_why_none_will_come(sinking: SimulatedServer, command: str):
    await sinking.begin()
    await sink(sinking)
    assert said(await sinking.slash(sinking.leo, command)) == "Your side is out of play; you may watch."


async def test_the_public_status_marks_it(sinking: SimulatedServer) -> None:
    campaign = await sinking.begin()
    assert "out of play" not in said(await sinking.slash(sinking.zoe, "campaign status", campaign=campaign))
    await sink(sinking)
    text = said(await sinking.slash(sinking.zoe, "campaign status", campaign=campaign))
    has_words(text, f"• Blue Fleet, out of play: <@{sinking.leo.user.id}>", f"• Red Fleet: <@{sinking.ann.user.id}>")


async def test_its_map_comes_with_the_public_one(sinking: SimulatedServer) -> None:
    await sinking.begin()
    before = len([one for one in (await sinking.channel("side:blue")).history() if one.attachments])
    await sink(sinking)
    assert len([one for one in (await sinking.channel("side:blue")).history() if one.attachments]) == before + 1


async def test_with_a_sheet_still_open_it_is_neither_awaited_nor_reminded(sinking: SimulatedServer) -> None:
    """The referee takes blue's ships while its sheets are open."""
    await sinking.begin()
    await sinking.fill(sinking.ann, "Orders for turn 1", "0.0", f0="7")
    await sinking.correct(path="ships.blue", value="0", reason="miscounted")
    assert ("blue", "Orders for turn 1") in await sinking.open_titles()
    text = said(await sinking.slash(sinking.rita, "referee late"))
    has_words(text, "Red Fleet", never="Blue Fleet")
    await sinking.later(19 * 3600)
    assert any("time is up" in one.content for one in sinking.dms(sinking.ann))
    assert not any("time is up" in one.content for one in sinking.dms(sinking.leo))
    await sinking.press(sinking.ann, "Orders for turn 1", "Ready")
    assert await sinking.open_titles() == [("red", "The spoils")], "play does not wait for blue"


async def test_its_last_commander_may_leave_and_nobody_takes_the_seat(sinking: SimulatedServer) -> None:
    campaign = await sinking.begin()
    assert "your side's only commander" in said(await sinking.slash(sinking.leo, "campaign leave"))
    await sink(sinking)
    assert said(await sinking.slash(sinking.leo, "campaign leave")) == "You have left **First Duel**."
    assert await sinking.rows(MemberRow.user_id, MemberRow.side == "blue") == []
    text = said(await sinking.slash(sinking.zoe, "campaign status", campaign=campaign))
    assert "• Blue Fleet, out of play: nobody" in text.splitlines()
    refused = said(await sinking.slash(sinking.zoe, "campaign join", side="blue", campaign=campaign))
    assert refused == "That side is out of play, so it has no seat; you may watch as a spectator."
    assert "your side's only commander" in said(await sinking.slash(sinking.ann, "campaign leave"))
    assert "You watch" in said(await sinking.slash(sinking.leo, "campaign join", side="spectator", campaign=campaign))
    await sinking.restart()
    for turn in (2, 3):
        await sinking.press(sinking.ann, f"Orders for turn {turn}", "Ready")
    assert verify(await entries(sinking)).seats


async def test_its_consent_is_not_needed(sinking: SimulatedServer) -> None:
    await begin_playing(sinking)
    await sink(sinking, "rita")
    waits = said(await sinking.slash(sinking.rita, "referee hand-over", to=sinking.zoe.user))
    assert waits.startswith(f"It waits for the consent of <@{sinking.zoe.user.id}>. ")
    await sinking.zoe.user.click(sinking.prompt(sinking.zoe, OFFERS), label="Accept")
    assert f"<@{sinking.zoe.user.id}> is the referee now" in await sinking.texts("public")
    assert not any(ASKS in one.content for one in sinking.dms(sinking.leo))
    assert await sinking.rows(ProposalRow.token) == []


async def test_a_consent_that_was_asked_for_is_not_waited_for_once_its_side_is_out(sinking: SimulatedServer) -> None:
    people: dict[str, Any] = {"to": sinking.zoe.user}
    await begin_playing(sinking)
    assert "the consent of Blue Fleet, <@" in said(await sinking.slash(sinking.rita, "referee hand-over", **people))
    await sink(sinking, "rita")
    waits = said(await sinking.slash(sinking.rita, "referee hand-over", **people))
    assert waits.startswith(f"It waits for the consent of <@{sinking.zoe.user.id}>. ")
    await sinking.zoe.user.click(sinking.prompt(sinking.zoe, OFFERS), label="Accept")
    assert f"<@{sinking.zoe.user.id}> is the referee now" in await sinking.texts("public")
    assert await sinking.rows(ProposalRow.token) == []


async def substitute(here: SimulatedServer) -> str:
    """The referee wants zoe, who has watched, to take ann's seat: ann and blue are asked for their consent."""
    return said(await here.slash(here.rita, "referee substitute", leaving=here.ann.user, arriving=here.zoe.user))


async def test_the_last_consent_of_those_in_play_is_enough(sinking: SimulatedServer) -> None:
    campaign = await sinking.begin()
    await sinking.slash(sinking.zoe, "campaign join", side="spectator", campaign=campaign)
    await sinking.slash(sinking.zoe, "campaign leave", campaign=campaign)
    assert "Blue Fleet" in await substitute(sinking)
    await sink(sinking)
    assert "Blue Fleet" not in await substitute(sinking)
    assert (await answer(sinking, sinking.ann)).startswith("You agree, and it is done.")
    assert await sinking.rows(MemberRow.user_id, MemberRow.side == "red") == [sinking.zoe.user.id]


async def test_what_all_in_play_have_agreed_to_is_done_when_it_is_asked_again(sinking: SimulatedServer) -> None:
    campaign = await sinking.begin()
    await sinking.slash(sinking.zoe, "campaign join", side="spectator", campaign=campaign)
    await sinking.slash(sinking.zoe, "campaign leave", campaign=campaign)
    await substitute(sinking)
    assert (await answer(sinking, sinking.ann)) == "You agree. It still takes the consent of Blue Fleet."
    assert "Blue Fleet" in await substitute(sinking)
    await sink(sinking)
    assert (
        await substitute(sinking)
        == f"{sinking.zoe.user.mention} commands Red Fleet now, instead of {sinking.ann.mention}."
    )
    assert await sinking.rows(ProposalRow.token) == []
    seated = (await entries(sinking))[-1].body
    assert isinstance(seated, Seated)
    assert seated.text.endswith(f"with the consent of user:{sinking.ann.user.id}")


async def test_who_is_away_is_replaced_without_the_consent_of_a_side_that_is_out(sinking: SimulatedServer) -> None:
    campaign = await sinking.begin()
    await sinking.slash(sinking.rita, "referee extend", by="20d")
    await sinking.slash(sinking.zoe, "campaign join", side="spectator", campaign=campaign)
    await sinking.slash(sinking.zoe, "campaign leave", campaign=campaign)
    await substitute(sinking)
    await sinking.later(73 * 3600)
    assert "Blue Fleet" in await substitute(sinking), "in play it is asked in any case"
    await sinking.correct(path="ships.blue", value="0", reason="miscounted")
    assert (
        await substitute(sinking)
        == f"{sinking.zoe.user.mention} commands Red Fleet now, instead of {sinking.ann.mention}."
    )
