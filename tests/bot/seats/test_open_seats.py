"""Seats before races: how many is chosen when a campaign is founded; names, roles and channels follow the draw."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.delivery.worker import Delivery
from bot.recording import naming, transaction
from bot.store.tables import CampaignRow, OutboxRow
from bot.verification.verify import verify
from rules_engine.core.records.journal import Genesis
from tests.bot.worlds.races_server import TITLE, RacesServer, races_server
from tests.bot.worlds.simulated_server import SimulatedServer, said
from tests.expected.words import has_words

SEATS = {f"seat-{one}": (f"Seat {one}", f"seat-{one}") for one in (1, 2, 3)}
DRAWN = {"seat-1": ("Hydran", "hydran"), "seat-2": ("Lyran", "lyran"), "seat-3": ("Gorn", "gorn")}


@pytest.fixture
async def races(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[RacesServer]:
    """A server with the rulebook of races."""
    async with races_server(tmp_path, monkeypatch) as made:
        yield made


async def go_back(here: RacesServer, to: int = 1) -> None:
    """The referee goes back to just after an entry."""
    await here.go_back(to, "A wish was lost.")


async def number(here: RacesServer, **numbers: int) -> None:
    """They name their numbers and are ready."""
    for who, value in numbers.items():
        await here.press(here.people[who], "Number", str(value))
        await here.press(here.people[who], "Number", "Ready")


# --- founding ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seats", range(2, 8))
async def test_a_campaign_is_founded_with_as_many_seats_as_are_chosen(races: RacesServer, seats: int) -> None:
    told = said(await races.create(seats=seats))
    names = [f"Seat {one}" for one in range(1, seats + 1)]
    assert f"Seats: {', '.join(names)}." in told
    assert await races.kept_names() == names
    (campaign,) = await races.rows(CampaignRow.id)
    roles = {role.name for role in races.env.backend.guilds[races.guild.id].roles.values()}
    assert {f"{name} [{campaign}]" for name in names} <= roles
    for one in range(1, seats + 1):
        assert (await races.stored(f"side:seat-{one}")).name == f"seat-{one}"


@pytest.mark.parametrize("seats", [None, 1, 8, 0, -3])
async def test_a_number_of_seats_that_the_scenario_does_not_allow_is_refused(races: RacesServer, seats: int | None):
    told = said(await races.create(**({} if seats is None else {"seats": seats})))
    has_words(told, "“races/open” cannot be founded so", "Legal: 2 to 7.")
    assert await races.rows(CampaignRow.id) == []


async def test_seats_are_refused_where_the_sides_are_fixed(races: RacesServer) -> None:
    assert "the sides of this scenario are fixed" in said(await races.create(scenario="races/fixed", seats=3))
    assert await races.rows(CampaignRow.id) == []
    await races.create(scenario="races/fixed")
    assert await races.kept_names() == ["Seat 1", "Seat 2", "Seat 3"]


async def test_a_rulebook_without_seats_refuses_them(here: SimulatedServer) -> None:
    told = said(await here.slash(here.rita, "campaign create", title="Duel", scenario="toy/duel", seats=2))
    assert "the sides of this scenario are fixed" in told
    assert await here.rows(CampaignRow.id) == []


async def test_the_numbers_of_seats_that_are_possible_are_offered(races: RacesServer) -> None:
    async def offered(**chosen: Any) -> list[Any]:
        found = await races.rita.autocomplete(races.hall, "campaign create", "seats", "", title="R", **chosen)
        return [one["value"] for one in found]

    assert await offered(scenario="races/open") == [2, 3, 4, 5, 6, 7]
    assert await offered(scenario="races/fixed") == []
    assert await offered(scenario="races/none") == []
    assert await offered() == []


async def test_a_rulebook_without_seats_offers_none_and_is_not_read_for_it(
    here: SimulatedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(_: str) -> Any:
        raise AssertionError("a large scenario takes a moment to read")

    monkeypatch.setattr(here.bot.services.scenarios, "read", read)
    assert here.bot.services.scenarios.seats("toy/duel") is None
    assert await here.rita.autocomplete(here.hall, "campaign create", "seats", "", title="R", scenario="toy/duel") == []


# --- before the draw --------------------------------------------------------------------------------------------------
async def test_people_take_seats_by_name_or_key_before_any_race_is_known(races: RacesServer) -> None:
    campaign = await races.found(TITLE, scenario="races/open", seats=2)
    offered = await races.ann.autocomplete(races.hall, "campaign join", "side", "", campaign=campaign)
    assert [(one["name"], one["value"]) for one in offered][:2] == [("Seat 1", "seat-1"), ("Seat 2", "seat-2")]
    assert "You command **Seat 1**" in said(await races.slash(races.ann, "campaign join", side="seat 1"))
    assert "You command **Seat 2**" in said(await races.slash(races.leo, "campaign join", side="seat-2"))
    assert "There is no such seat" in said(await races.slash(races.zoe, "campaign join", side="Lyran"))
    assert "has begun" in said(await races.slash(races.rita, "campaign start"))


async def test_until_the_draw_nothing_is_renamed_or_told(races: RacesServer) -> None:
    await races.begin()
    await races.wish(then=False)
    assert await races.shown_names() == SEATS
    public = await races.texts("public")
    has_words(public, never=("is now", "take these names"))
    assert races.renamings() == []
    assert "Seat 2" in races.prompt(races.leo, "Race").content


# --- the draw ---------------------------------------------------------------------------------------------------------
async def test_when_races_are_drawn_names_roles_and_channels_follow(races: RacesServer) -> None:
    await races.begin()
    roles = [(await races.role(side)).id for side in SEATS]
    channels = [(await races.stored(f"side:{side}")).id for side in SEATS]
    await races.wish()
    assert await races.kept_names() == ["Hydran", "Lyran", "Gorn"]
    assert await races.shown_names() == DRAWN
    assert [(await races.role(side)).id for side in SEATS] == roles, "they are the same ones, renamed"
    assert [(await races.stored(f"side:{side}")).id for side in SEATS] == channels
    assert (await races.stored("side:seat-2")).topic.startswith("Lyran only · ")
    assert len(races.renamings()) == 6, "one call for each role and each channel"
    public = await races.texts("public")
    for seat, name, emblem in (("Seat 1", "Hydran", "Hy"), ("Seat 2", "Lyran", "Ly"), ("Seat 3", "Gorn", "Go")):
        assert public.count(f"{seat} is now **{name}** ({emblem} on maps).") == 1
    assert public.count("Roles and channels take these names.") == 1
    assert "Seat 2 rolled" in public, "the rules told of the draw in the names of then"
    assert "Lyran" in races.prompt(races.leo, "Number").content


async def test_races_that_are_drawn_when_play_begins_are_named_at_once(races: RacesServer) -> None:
    await races.begin(scenario="races/at-once")
    assert sorted(await races.kept_names()) == ["Federation", "Hydran", "Klingon"]
    assert {name for name, _ in (await races.shown_names()).values()} == {"Federation", "Hydran", "Klingon"}
    public = await races.texts("public")
    assert public.count(" is now **Hydran** (Hy on maps).") == 1
    assert public.index("begins.") < public.index("is now **Hydran**")


async def test_from_then_on_everything_names_the_races(races: RacesServer) -> None:
    await races.begin()
    await races.wish()
    assert f"• Lyran: <@{races.leo.user.id}>" in said(await races.slash(races.leo, "campaign status"))
    listed = said(await races.slash(races.ann, "campaign list"))
    assert [part.split(":")[0] for part in listed.split("; ")[1:]] == ["Hydran", "Lyran", "Gorn"]
    late = said(await races.slash(races.rita, "referee late"))
    has_words(late, "Lyran", never="Seat")
    listed = said(await races.slash(races.rita, "referee resolve-now"))
    has_words(listed, "Lyran", never="Seat")
    await number(races, ann=1, leo=3, zoe=0)
    assert "Lyran scores." in await races.texts("public")


async def test_a_battle_is_of_the_races(races: RacesServer) -> None:
    await races.begin()
    await races.wish()
    await number(races, ann=3, leo=3, zoe=0)
    assert "Hydran and Lyran: play this battle by hand" in await races.texts("battle:t2")
    await races.press(races.ann, "Winner", "seat-1")
    await races.press(races.ann, "Winner", "Send this account")
    assert "Hydran sent its account; awaited: Lyran." in await races.texts("battle:t2")
    shown = said(await races.slash(races.rita, "referee battle"))
    has_words(shown, "Hydran", never="Seat")
    (offered,) = await races.rita.autocomplete(races.hall, "referee ruling", "battle", "")
    await races.slash(races.rita, "referee ruling", battle=offered["value"], reason="So it was.", account_of="hydran")
    assert "Hydran scores." in await races.texts("public")


async def test_a_battle_that_opens_with_the_draw_is_of_the_races(races: RacesServer) -> None:
    await races.begin(scenario="races/duel")
    await races.wish()
    assert "Hydran and Lyran: play this battle by hand" in await races.texts("battle:t1")


async def test_an_end_that_comes_with_the_draw_names_the_races(races: RacesServer) -> None:
    await races.begin(scenario="races/brief")
    await races.wish()
    assert "Scores: Hydran 0, Lyran 0, Gorn 0" in await races.texts("public")


async def test_who_has_read_the_campaign_before_the_draw_does_not_name_the_sides_again(races: RacesServer) -> None:
    """What a command has read of it may be older than what was written meanwhile."""
    campaign = await races.begin()
    earlier = await races.bot.services.campaigns.info(campaign)
    await races.wish()
    before = await races.rows(OutboxRow.id)
    runtime = races.bot.services.runtime
    async with runtime.loaded.use(campaign) as adjudicator, races.store.write() as tx:
        await naming.name_sides(transaction.Recording(tx, earlier, adjudicator, races.now()))
    assert await races.rows(OutboxRow.id) == before


async def test_the_end_names_the_races(races: RacesServer) -> None:
    await races.begin()
    await races.wish()
    await number(races, ann=1, leo=3, zoe=0)
    await number(races, ann=1, leo=3, zoe=0)
    assert "Scores: Hydran 0, Lyran 2, Gorn 0" in await races.texts("public")
    (campaign,) = await races.bot.services.campaigns.in_server(races.guild.id)
    async with races.store.read() as tx:
        entries = await tx.journal.entries(campaign.id)
    verdict = verify(entries)
    assert verdict.replayed
    assert verdict.ending is not None
    genesis = entries[0].body
    assert isinstance(genesis, Genesis)
    assert [label.name for label in genesis.sides] == ["Seat 1", "Seat 2", "Seat 3"]


async def test_seats_are_found_by_the_races_then(races: RacesServer) -> None:
    campaign = await races.begin()
    await races.wish()
    offered = await races.mia.autocomplete(races.hall, "campaign join", "side", "", campaign=campaign)
    assert [(one["name"], one["value"]) for one in offered][1] == ("Lyran", "seat-2")
    for word in ("Lyran", "seat-2"):
        told = said(await races.slash(races.mia, "campaign join", side=word, campaign=campaign))
        assert "this seat is taken" in told
    told = said(await races.slash(races.mia, "campaign join", side="Seat 2", campaign=campaign))
    assert "There is: Hydran, Lyran, Gorn, spectator." in told


# --- once, whatever happens -------------------------------------------------------------------------------------------
async def test_killed_between_the_commit_and_the_renaming_it_is_done_afterwards_and_told_once(
    races: RacesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await races.begin()
    await races.wish(then=False)
    for who in (races.ann, races.leo):
        await races.press(who, "Race", "Ready")
    with monkeypatch.context() as nothing_is_delivered:
        nothing_is_delivered.setattr(Delivery, "kick", lambda _: None)
        await races.press(races.zoe, "Race", "Ready")
    assert await races.kept_names() == ["Hydran", "Lyran", "Gorn"], "it was committed"
    assert await races.shown_names() == SEATS
    assert "is now" not in await races.texts("public")
    await races.restart()
    assert await races.shown_names() == DRAWN
    assert (await races.texts("public")).count("Seat 2 is now **Lyran**") == 1
    await races.restart()
    assert len(races.renamings()) == 6


async def test_a_referees_correction_renames_and_is_told_once(races: RacesServer) -> None:
    await races.begin()
    await races.wish()
    await races.correct(path="races.seat-2", value="ISC", reason="They agreed on it.")
    assert await races.shown_names() == {**DRAWN, "seat-2": ("ISC", "isc")}
    assert (await races.texts("public")).count("Lyran is now **ISC** (IS on maps).") == 1
    told = said(await races.slash(races.rita, "referee edit", path="races.seat-2", value="Gorn", reason="No."))
    assert "has the name of another side" in told
    assert await races.kept_names() == ["Hydran", "ISC", "Gorn"]


async def test_going_back_to_before_the_draw_puts_the_names_back(races: RacesServer) -> None:
    await races.begin()
    await races.wish()
    await go_back(races)
    assert await races.kept_names() == ["Seat 1", "Seat 2", "Seat 3"]
    assert await races.shown_names() == SEATS
    public = await races.texts("public")
    assert public.count("Lyran is now **Seat 2** (2 on maps).") == 1
    assert public.index("The referee goes back") < public.index("Lyran is now **Seat 2**")
    await races.wish()
    assert await races.shown_names() == DRAWN
    (campaign,) = await races.bot.services.campaigns.in_server(races.guild.id)
    async with races.store.read() as tx:
        assert verify(await tx.journal.entries(campaign.id)).entries == len(await races.journal())


# --- trouble ----------------------------------------------------------------------------------------------------------
async def test_where_renaming_is_not_permitted_the_referee_is_told_and_play_goes_on(races: RacesServer) -> None:
    await races.begin()
    races.env.inject_error("PATCH", "/guilds/*/roles/*", status=403, code=50013, times=3)
    await races.wish()
    assert await races.shown_names() == SEATS
    assert await races.kept_names() == ["Hydran", "Lyran", "Gorn"]
    assert (await races.texts("referee")).count("I may not rename a side's role and channel.") == 1
    await number(races, ann=1, leo=3, zoe=0)
    assert "Lyran scores." in await races.texts("public")
    await races.later(3600)
    races.bot.delivery.kick()
    await races.env.settle()
    assert await races.shown_names() == DRAWN
    assert set(await races.rows(OutboxRow.status, OutboxRow.kind == "rename")) == {"done"}


async def test_a_draw_of_one_race_for_two_halts_the_campaign(races: RacesServer) -> None:
    await races.begin(scenario="races/twice")
    for who in ("ann", "leo", "zoe"):
        await races.fill(races.people[who], "Race", "0.0", f0=["Lyran"])
        await races.press(races.people[who], "Race", "Ready")
    assert await races.rows(CampaignRow.status) == ["halted"]
    assert "This campaign is halted" in await races.texts("referee")
    assert await races.kept_names() == ["Seat 1", "Seat 2", "Seat 3"]
    assert await races.shown_names() == SEATS
