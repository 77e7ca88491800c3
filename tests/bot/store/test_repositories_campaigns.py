"""Campaigns, their members, places and deadlines: kept as given, and found by those who look for them."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError, NoResultFound

from bot.records import campaign_settings, members
from bot.records.campaigns import CampaignInfo, CampaignStatus, NewCampaign
from bot.records.deadlines import Deadline
from bot.records.places import SPECTATOR
from bot.store.database import Store
from bot.store.tables import CampaignRow, DeadlineRow
from tests.bot.store.samples import INFO, NOON, SOURCE, founded, seated
from tests.expected.kept import cases

ANN, ABE, LEO, SAM, RITA = 11, 12, 21, 31, 2**62 + 1


async def info(store: Store, campaign_id: str = "c1") -> CampaignInfo:
    async with store.read() as tx:
        found = await tx.campaigns.find(campaign_id)
    assert found is not None
    return found


# --- campaigns --------------------------------------------------------------------------------------------------------
async def test_a_campaign_comes_out_as_it_was_founded(store: Store) -> None:
    assert await founded(store) == INFO
    assert await info(store) == INFO
    async with store.read() as tx:
        assert await tx.campaigns.source("c1") == SOURCE
        row = (await tx.connection.execute(sa.select(CampaignRow.version, CampaignRow.created_at))).one()
    assert tuple(row) == ("1", NOON)


async def test_what_is_not_there_is_not_found(store: Store) -> None:
    await founded(store)
    async with store.read() as tx:
        assert await tx.campaigns.find("c2") is None
        assert await tx.campaigns.find_seat("c2", ANN) is None
        assert await tx.campaigns.of_user(ANN) == []
        assert await tx.campaigns.in_server(1) == []
        assert await tx.campaigns.at_or_of_user([], ANN) == (None, [])
        assert await tx.campaigns.at_or_of_user([1, 2], ANN) == (None, [])
        with pytest.raises(NoResultFound):
            await tx.campaigns.source("c2")


async def test_two_campaigns_cannot_have_one_id(store: Store) -> None:
    await founded(store)
    with pytest.raises(IntegrityError):
        await founded(store, title="Another")
    assert await info(store) == INFO


async def test_settings_of_an_earlier_version_are_filled_up_with_what_is_usual(store: Store) -> None:
    await founded(store)
    async with store.write() as tx:
        await tx.connection.execute(sa.update(CampaignRow).values(settings={"orders_minutes": 5}))
    assert (await info(store)).settings == campaign_settings.CampaignSettings(orders_minutes=5)


async def test_somebodys_seat_is_found_with_the_campaign(store: Store) -> None:
    await founded(store)
    await founded(store, "c2")
    await seated(store, (ANN, "red"), (SAM, SPECTATOR))
    await seated(store, (LEO, "red"), campaign_id="c2")
    async with store.read() as tx:
        seats = {user: await tx.campaigns.find_seat("c1", user) for user in (ANN, SAM, LEO, INFO.referee_id)}
    assert seats == {ANN: (INFO, "red"), SAM: (INFO, SPECTATOR), LEO: (INFO, None), INFO.referee_id: (INFO, None)}


async def test_a_user_belongs_to_what_they_play_watch_or_referee_newest_first(store: Store) -> None:
    for number, (campaign, referee) in enumerate((("c1", RITA), ("c2", ANN), ("c3", RITA), ("c4", RITA), ("c5", ANN))):
        await founded(store, campaign, at=NOON + timedelta(minutes=number), referee_id=referee)
    await seated(store, (ANN, "red"))
    await seated(store, (ANN, SPECTATOR), (LEO, "red"), campaign_id="c3")
    await seated(store, (ANN, "red"), campaign_id="c5")
    async with store.read() as tx:
        found = {user: [one.id for one in await tx.campaigns.of_user(user)] for user in (ANN, LEO, RITA, SAM)}
    assert found == {ANN: ["c5", "c3", "c2", "c1"], LEO: ["c3"], RITA: ["c4", "c3", "c1"], SAM: []}


async def test_a_servers_campaigns_are_its_own_newest_first(store: Store) -> None:
    for number, (campaign, guild) in enumerate((("c1", 1), ("c2", 2), ("c3", 1))):
        await founded(store, campaign, at=NOON + timedelta(minutes=number), guild_id=guild)
    async with store.read() as tx:
        assert [one.id for one in await tx.campaigns.in_server(1)] == ["c3", "c1"]
        assert [one.id for one in await tx.campaigns.in_server(2)] == ["c2"]


async def test_a_title_is_taken_while_its_campaign_goes_on_in_that_server(store: Store) -> None:
    await founded(store, guild_id=1)
    async with store.write() as tx:
        assert await tx.campaigns.is_title_taken(1, INFO.title)
        assert not await tx.campaigns.is_title_taken(2, INFO.title)
        assert not await tx.campaigns.is_title_taken(1, "Second Duel")
        for status in CampaignStatus:
            await tx.campaigns.set_status("c1", status)
            assert await tx.campaigns.is_title_taken(1, INFO.title) == (status is not CampaignStatus.ENDED), status


async def test_a_campaign_begins_once_with_its_rulebooks_version(store: Store) -> None:
    await founded(store)
    await founded(store, "c2")
    async with store.write() as tx:
        assert await tx.campaigns.begin("c1", "2")
        assert not await tx.campaigns.begin("c1", "3")
        assert not await tx.campaigns.begin("c3", "2")
        version = sa.select(CampaignRow.version).order_by(CampaignRow.id)
        assert (await tx.connection.execute(version)).scalars().all() == ["2", "1"]
    assert await info(store) == replace(INFO, status=CampaignStatus.RUNNING)
    assert (await info(store, "c2")).status is CampaignStatus.GATHERING


async def test_a_status_is_changed_once_and_its_note_with_it(store: Store) -> None:
    await founded(store)
    await founded(store, "c2")

    async def note() -> str:
        async with store.read() as tx:
            return await tx.connection.scalar(sa.select(CampaignRow.status_note).where(CampaignRow.id == "c1"))

    async with store.write() as tx:
        assert await tx.campaigns.set_status("c1", CampaignStatus.HALTED, "first")
        assert not await tx.campaigns.set_status("c1", CampaignStatus.HALTED, "second")
    assert await note() == "first"
    assert (await info(store)).status is CampaignStatus.HALTED
    assert (await info(store, "c2")).status is CampaignStatus.GATHERING
    async with store.write() as tx:
        assert await tx.campaigns.set_status("c1", CampaignStatus.RUNNING)
        assert not await tx.campaigns.set_status("c3", CampaignStatus.RUNNING)
    assert await note() == ""


async def test_settings_and_referee_are_changed_of_one_campaign_alone(store: Store) -> None:
    await founded(store)
    await founded(store, "c2")
    settings = campaign_settings.CampaignSettings(battle_minutes=0.5, early_close=True)
    async with store.write() as tx:
        await tx.campaigns.set_settings("c1", settings)
        await tx.campaigns.set_referee("c1", ANN)
    assert await info(store) == replace(INFO, settings=settings, referee_id=ANN)
    assert await info(store, "c2") == replace(INFO, id="c2")


# --- members ----------------------------------------------------------------------------------------------------------
async def test_commanders_come_by_user_id_and_spectators_are_not_among_them(store: Store) -> None:
    await founded(store)
    await founded(store, "c2")
    await seated(store, (LEO, "blue"), (ABE, "red"), (SAM, SPECTATOR), (ANN, "red"))
    await seated(store, (RITA, "red"), campaign_id="c2")
    ann, abe, leo = (members.CampaignMember(user, side) for user, side in ((ANN, "red"), (ABE, "red"), (LEO, "blue")))
    async with store.read() as tx:
        assert await tx.members.commanders("c1") == [ann, abe, leo]
        assert await tx.members.commanders("c1", "red") == [ann, abe]
        assert await tx.members.commanders("c1", "green") == []
        assert await tx.members.seated("c1", "red") == [ANN, ABE]
        assert await tx.members.seated("c1", SPECTATOR) == [SAM]
        assert await tx.members.commanders("c3") == []


async def test_sides_name_their_commanders_in_the_order_in_which_they_joined(store: Store) -> None:
    await founded(store)
    await seated(store, (ABE, "red"), (LEO, "blue"), (SAM, SPECTATOR), (ANN, "red"))
    async with store.read() as tx:
        assert await tx.members.by_side("c1") == {"red": [ABE, ANN], "blue": [LEO]}
        assert await tx.members.by_side("c2") == {}


async def test_who_takes_another_seat_leaves_the_first(store: Store) -> None:
    await founded(store)
    await seated(store, (ANN, "red"), (LEO, "blue"))
    await seated(store, (ANN, SPECTATOR))
    async with store.write() as tx:
        assert await tx.members.by_side("c1") == {"blue": [LEO]}
        assert await tx.members.seated("c1", SPECTATOR) == [ANN]
        await tx.members.remove("c1", ANN)
        await tx.members.remove("c1", RITA)
        assert await tx.members.seated("c1", SPECTATOR) == []
        assert await tx.members.seated("c1", "blue") == [LEO]


async def test_a_campaigns_maps_have_the_theme_that_was_chosen_last(store: Store) -> None:
    for campaign in ("c1", "c2"):
        await founded(store, campaign)
    for theme in ("paper", "", "mine"):
        async with store.write() as tx:
            await tx.campaigns.set_theme("c1", theme)
        assert [(await info(store, campaign)).theme for campaign in ("c1", "c2")] == [theme, ""]


async def test_a_readers_theme_is_the_one_chosen_last_and_nobody_elses(store: Store) -> None:
    for theme in ("paper", "mine", ""):
        async with store.write() as tx:
            await tx.readers.set_theme(RITA, theme)
        async with store.read() as tx:
            assert [await tx.readers.theme(user) for user in (RITA, ANN)] == [theme, ""]


async def test_quiet_hours_hold_for_all_seats_of_a_user_and_nobody_elses(store: Store) -> None:
    for campaign in ("c1", "c2"):
        await founded(store, campaign)
        await seated(store, (ANN, "red"), (LEO, "blue"), campaign_id=campaign)
    async with store.write() as tx:
        assert await tx.members.set_quiet_hours(ANN, 22, 6)
        assert not await tx.members.set_quiet_hours(RITA, 22, 6)
    for campaign in ("c1", "c2"):
        async with store.read() as tx:
            assert await tx.members.commanders(campaign) == [
                members.CampaignMember(ANN, "red", quiet_from=22, quiet_to=6),
                members.CampaignMember(LEO, "blue"),
            ]
    async with store.write() as tx:
        assert await tx.members.set_quiet_hours(ANN, None, None)
        assert await tx.members.commanders("c1", "red") == [members.CampaignMember(ANN, "red")]


@cases("start, end, quiet", made="quiet")
def test_quiet_hours_may_go_across_midnight(start: int | None, end: int | None, quiet: set[int]) -> None:
    member = members.CampaignMember(ANN, "red", quiet_from=start, quiet_to=end)
    assert {hour for hour in range(24) if member.is_quiet_at(hour)} == quiet


# --- places -----------------------------------------------------------------------------------------------------------
async def test_a_place_is_where_it_was_settled_last(store: Store) -> None:
    await founded(store)
    await founded(store, "c2")
    async with store.write() as tx:
        await tx.places.settle("c1", "public", 2**62)
        await tx.places.settle("c1", "side:red", 2)
        await tx.places.settle("c2", "public", 3)
        await tx.places.settle("c1", "side:red", 4)
    async with store.read() as tx:
        assert await tx.places.find("c1", "public") == 2**62
        assert await tx.places.find("c1", "side:red") == 4
        assert await tx.places.find("c1", "side:blue") is None
        assert await tx.places.find("c3", "public") is None
        assert await tx.places.all_of("c1") == {"public": 2**62, "side:red": 4}
        assert await tx.places.all_of("c3") == {}


async def test_a_channel_tells_its_campaign_and_which_of_its_places_it_is(store: Store) -> None:
    await founded(store)
    await founded(store, "c2")
    async with store.write() as tx:
        for campaign, key, place in (("c1", "public", 1), ("c1", "battle:b", 2), ("c2", "public", 3)):
            await tx.places.settle(campaign, key, place)
    async with store.read() as tx:
        assert await tx.campaigns.at_or_of_user([2, 9], RITA) == (INFO, [])
        assert await tx.campaigns.at_or_of_user([3], SAM) == (replace(INFO, id="c2"), [])
        assert await tx.campaigns.at_or_of_user([9], ANN) == (None, [])
        assert await tx.places.keys_of("c1", [1, 2, 3, 9]) == {"public", "battle:b"}
        assert await tx.places.keys_of("c2", [1, 2]) == set()
        assert await tx.places.keys_of("c1", []) == set()


async def test_a_place_that_is_gone_is_forgotten_in_its_campaign_alone(store: Store) -> None:
    await founded(store)
    await founded(store, "c2")
    async with store.write() as tx:
        for campaign, key, place in (("c1", "battle:b", 2), ("c1", "public", 1), ("c2", "public", 2)):
            await tx.places.settle(campaign, key, place)
        await tx.places.forget("c1", 2)
        await tx.places.forget("c1", 9)
        assert await tx.places.all_of("c1") == {"public": 1}
        assert await tx.places.all_of("c2") == {"public": 2}


async def test_nothing_belongs_to_a_campaign_that_is_not_there(store: Store) -> None:
    with pytest.raises(IntegrityError):
        await seated(store, (ANN, "red"), campaign_id="nobody")
    with pytest.raises(IntegrityError):
        async with store.write() as tx:
            await tx.places.settle("nobody", "public", 1)


async def test_a_campaign_cannot_be_founded_without_a_zone_in_its_time(store: Store) -> None:
    with pytest.raises(sa.exc.StatementError):
        async with store.write() as tx:
            await tx.campaigns.add(NewCampaign(INFO, SOURCE, "1", NOON.replace(tzinfo=None)))
    async with store.read() as tx:
        assert await tx.campaigns.find("c1") is None


# --- deadlines: kept as they were given, and those that are due found without looking at the others -------------------
MINUTE, TICK = timedelta(minutes=1), timedelta(microseconds=1)


def at(minutes: float) -> datetime:
    return NOON + minutes * MINUTE


async def kept(store: Store, **deadlines: Deadline) -> None:
    """A campaign for each, with that deadline."""
    for campaign, deadline in deadlines.items():
        await founded(store, campaign)
        async with store.write() as tx:
            await tx.deadlines.keep(replace(deadline, campaign_id=campaign))


def running(falls: float, remind: float | None = None, **more: object) -> Deadline:
    remind_at = None if remind is None else at(remind)
    return Deadline("", 3, at(-60), at(falls), remind_at=remind_at, **more)  # type: ignore[arg-type]


def standing(minutes: float) -> Deadline:
    return Deadline("", 3, at(-60), None, left=minutes * MINUTE)


async def due(store: Store, now: datetime, most: int = 20) -> list[str]:
    async with store.read() as tx:
        return [deadline.campaign_id for deadline in await tx.deadlines.due(now, most)]


@cases("deadline", "", made="deadline")
async def test_a_deadline_comes_out_as_it_was_kept(store: Store, deadline: Deadline) -> None:
    await kept(store, c1=deadline)
    async with store.read() as tx:
        assert await tx.deadlines.of("c1") == deadline
        assert await tx.deadlines.falls_at("c1") == deadline.falls_at
        assert await tx.deadlines.of("c2") is None
        assert await tx.deadlines.falls_at("c2") is None


async def test_a_campaign_has_one_deadline_and_the_clock_is_told_of_each_change(store: Store) -> None:
    await kept(store, c1=running(60), c2=running(90))
    async with store.write() as tx:
        assert not tx.deadlines.changed
        await tx.deadlines.keep(replace(running(5), campaign_id="c1"))
        assert tx.deadlines.changed
    async with store.write() as tx:
        assert await tx.deadlines.falls_at("c1") == at(5)
        assert not tx.deadlines.changed, "looking is no change"
        await tx.deadlines.drop("c1")
        assert tx.deadlines.changed
        assert await tx.deadlines.of("c1") is None
        assert await tx.deadlines.falls_at("c2") == at(90)


async def test_a_deadline_is_due_from_its_very_moment_on(store: Store) -> None:
    await kept(store, c1=running(60))
    assert await due(store, at(60) - TICK) == []
    assert await due(store, at(60)) == ["c1"]
    assert await due(store, at(61)) == ["c1"]


async def test_a_reminder_is_due_from_its_very_moment_on(store: Store) -> None:
    await kept(store, c1=running(60, remind=45))
    assert await due(store, at(45) - TICK) == []
    assert await due(store, at(45)) == ["c1"]
    assert await due(store, at(60)) == ["c1"], "once, though both are due"


async def test_what_has_fallen_comes_first_each_in_its_order_and_only_so_many(store: Store) -> None:
    await kept(
        store, a=running(30, remind=1), b=running(10), c=running(90, remind=5),
        d=running(20, remind=None, reminded=True), e=running(90, remind=3), f=running(90, remind=89), g=standing(0),
    )  # fmt: skip
    assert await due(store, at(25)) == ["b", "d", "a", "e", "c"]
    assert await due(store, at(25), most=3) == ["b", "d", "a"]
    assert await due(store, at(25), most=1) == ["b"]


async def test_a_clock_that_stands_still_is_never_due_and_wakes_nobody(store: Store) -> None:
    await kept(store, c1=standing(0), c2=standing(10))
    assert await due(store, at(10_000)) == []
    async with store.read() as tx:
        assert await tx.deadlines.next_moment() is None


async def test_the_next_moment_is_the_first_that_falls_or_at_which_somebody_is_reminded(store: Store) -> None:
    async def next_moment() -> datetime | None:
        async with store.read() as tx:
            return await tx.deadlines.next_moment()

    assert await next_moment() is None
    await kept(store, c1=running(60), c2=standing(1))
    assert await next_moment() == at(60)
    await kept(store, c3=running(90, remind=50))
    assert await next_moment() == at(50)
    await kept(store, c4=running(40, remind=55))
    assert await next_moment() == at(40)


async def test_an_outage_puts_off_what_runs_and_nothing_else(store: Store) -> None:
    stays = standing(30)
    await kept(store, c1=running(60, remind=45), c2=stays, c3=running(-5, reminded=True))
    async with store.write() as tx:
        assert not tx.deadlines.changed
        assert sorted(await tx.deadlines.put_off(10 * MINUTE)) == ["c1", "c3"]
        assert tx.deadlines.changed
    async with store.read() as tx:
        found = [await tx.deadlines.of(campaign) for campaign in ("c1", "c2", "c3")]
    assert found == [
        replace(running(70, remind=55), campaign_id="c1"),
        replace(stays, campaign_id="c2"),
        replace(running(5, reminded=True), campaign_id="c3"),
    ]


async def test_an_outage_in_which_no_clock_ran_moves_nothing(store: Store) -> None:
    await kept(store, c1=standing(30))
    async with store.write() as tx:
        assert await tx.deadlines.put_off(10 * MINUTE) == []


@pytest.mark.parametrize("column", ["falls_at", "remind_at"])
async def test_what_is_due_is_found_by_index(store: Store, column: str) -> None:
    query = sa.select(DeadlineRow.campaign_id).where(getattr(DeadlineRow, column) <= at(0))
    async with store.write() as tx:
        explain = "EXPLAIN QUERY PLAN " if store.dialect == "sqlite" else "EXPLAIN "
        if store.dialect == "postgresql":  # an empty table is read whole unless that is made dear
            await tx.connection.execute(sa.text("SET LOCAL enable_seqscan = off"))
        compiled = query.compile(tx.connection.sync_connection, compile_kwargs={"literal_binds": True})
        plan = "\n".join(str(row) for row in await tx.connection.execute(sa.text(f"{explain}{compiled}")))
    assert f"ix_deadline_{column}" in plan, plan
