"""Places: made closed, verified before use, found instead of made twice, made again when deleted."""

from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.delivery.exit import Exit
from bot.delivery.reconciling.building import MADE_AGAIN
from bot.records.components import Card
from bot.records.effects import Admit, Archive, BattleThread, Dismiss, Grant, Notice, Post, Reconcile, Wake
from tests.bot.delivery.world import CAMPAIGN, World
from tests.bot.worlds.strict_threads import be_strict

VIEW = discord.Permissions(view_channel=True).value


async def test_each_sees_exactly_the_places_that_are_theirs(world: World) -> None:
    stranger = world.guild.add_member(world.env.create_user("stan"))
    everybody = {"referee": world.referee, "ann": world.ann, "leo": world.leo, "sam": world.sam, "stan": stranger}
    expected = {
        "public": {"referee", "ann", "leo", "sam", "stan"}, "battles": {"referee", "ann", "leo", "sam"},
        "referee": {"referee"}, "side:alliance": {"ann"}, "side:league": {"leo"},
    }  # fmt: skip
    for key, names in expected.items():
        channel = await world.place(key)
        assert {name for name, user in everybody.items() if world.sees(user, channel)} == names, key


async def test_channels_are_closed_in_the_very_call_that_makes_them(world: World) -> None:
    made = [body for body in world.bodies("POST", f"/guilds/{world.guild.id}/channels") if body["name"] != "bulletins"]
    assert {body["name"] for body in made} == {f"Convoy [{CAMPAIGN}]", "battles", "referee", "alliance", "league"}
    for body in made:
        everyone = [o for o in body["permission_overwrites"] if int(o["id"]) == world.guild.id]
        assert len(everyone) == 1
        assert int(everyone[0]["deny"]) & VIEW


async def test_provisioning_again_makes_nothing_twice(world: World) -> None:
    before = set(world.guild.channels), set(world.guild.roles)
    await world.set_up()
    assert (set(world.guild.channels), set(world.guild.roles)) == before


async def test_places_that_the_database_forgot_are_found_by_their_markers(world: World) -> None:
    ids = [await world.place(key) for key in ("category", "battles", "side:league", "role:league")]
    for key in ("category", "battles", "side:league", "role:league"):
        await world.forget_place(key)
    await world.set_up()
    assert [await world.place(key) for key in ("category", "battles", "side:league", "role:league")] == ids


async def test_a_deleted_channel_is_made_again_closed_and_the_post_arrives(world: World) -> None:
    old = await world.place("side:alliance")
    world.env.backend.delete_channel(old)
    await world.posted("side:alliance", "They come.")
    new = await world.place("side:alliance")
    assert new != old
    assert await world.texts("side:alliance") == ["They come.", MADE_AGAIN]
    assert world.sees(world.ann, new)
    assert not world.sees(world.leo, new)


async def test_a_place_that_is_deleted_before_it_is_looked_at_is_made_again_and_nothing_is_given_up(world: World):
    """As soon as Discord tells of it, the channel is to be looked at once more before anything is posted there."""
    for key in ("side:alliance", "referee", "battles"):
        world.env.backend.delete_channel(await world.place(key))
    await world.delivery.nudge(world.guild.id)
    await world.put(Post(place="side:alliance", content="They come."), Notice(content="A word."))
    await world.carried_out(BattleThread(key="b", name="Battle", sides=("alliance",), content="Fight!"))
    assert await world.texts("side:alliance") == ["They come.", MADE_AGAIN]
    assert f"<@{world.referee.id}>\nA word." in await world.texts("referee")
    assert world.texts_in(await world.place("battle:b")) == [f"<@{world.ann.id}>\nFight!"]
    assert "failed" not in await world.statuses()


async def test_places_are_tried_again_when_discord_refuses_one_for_a_role_that_went_meanwhile(world: World) -> None:
    old = await world.place("side:alliance")
    world.env.backend.delete_channel(old)
    world.env.inject_error("POST", f"/guilds/{world.guild.id}/channels", status=400, code=50035)
    await world.carried_out(Reconcile())
    assert await world.place("side:alliance") != old
    assert "failed" not in await world.statuses()


async def test_everything_that_is_missing_is_mended_by_one_look(world: World) -> None:
    backend = world.env.backend
    async with world.store.write() as tx:
        await tx.battles.open(CAMPAIGN, "b", 1, world.now())
    await world.carried_out(BattleThread(key="b", name="Battle", sides=("alliance", "league"), content="Fight!"))
    thread = await world.place("battle:b")
    member = backend.guilds[world.guild.id].members[world.leo.id]
    member.role_ids = [await world.place("role:alliance")]
    backend.channels[thread].thread_members.pop(world.ann.id)
    backend.delete_channel(await world.place("side:league"))
    open_channel(world, await world.place("side:alliance"), world.sam.id, OverwriteType.MEMBER)
    await world.carried_out(Reconcile())
    assert set(member.role_ids) == {await world.place("role:league")}
    assert world.ann.id in backend.channels[thread].thread_members
    assert world.sees(world.leo, await world.place("side:league"))
    assert not world.sees(world.sam, await world.place("side:alliance"))
    assert await world.texts("side:league") == [MADE_AGAIN]
    (told,) = await world.texts("referee")
    assert "could be seen by more than those it is for. I closed it again" in told
    before = len(world.env.http_requests)
    await world.carried_out(Reconcile())
    assert [one for one in world.env.http_requests[before:] if one.method != "GET"] == [], "nothing differs"


async def test_a_role_of_a_seat_that_is_lost_meanwhile_is_not_given(world: World, monkeypatch: pytest.MonkeyPatch):
    """Somebody leaves their side while a look is under way, which must not give back what they lose."""
    member_roles = Exit.member_roles
    league = await world.place("role:league")
    world.env.backend.guilds[world.guild.id].members[world.leo.id].role_ids = []

    async def while_leaving(exit_: Exit, guild_id: int, user_id: int) -> Any:
        held = await member_roles(exit_, guild_id, user_id)
        async with world.store.write() as tx:
            await tx.members.remove(CAMPAIGN, world.leo.id)
        return held

    monkeypatch.setattr(Exit, "member_roles", while_leaving)
    await world.carried_out(Reconcile())
    assert league not in world.env.backend.guilds[world.guild.id].members[world.leo.id].role_ids


async def test_a_card_that_stood_in_a_channel_comes_again_when_it_is_deleted(world: World) -> None:
    await world.open_prompt("t")
    card = Card("Plot!", (({"type": "button", "id": "p|t|x", "label": "Go", "style": "primary", "disabled": False},),))
    async with world.store.write() as tx:
        await tx.readers.set_in_channel(world.ann.id, wanted=True)
    here = {"dm": world.ann.id, "fallback": "side:alliance", "in_channel": True}
    await world.carried_out(Post(content="Plot!", card=card, prompt="t", **here))
    ((channel, message, _),) = await world.prompt_messages("t")
    assert channel == await world.place("side:alliance")
    for way in ("message", "channel"):
        if way == "message":
            world.env.backend.delete_message(channel, message)
        else:
            world.env.backend.delete_channel(channel)
        await world.carried_out(Reconcile())
        ((channel, message, reader),) = await world.prompt_messages("t")
        assert channel == await world.place("side:alliance")
        assert reader == world.ann.id
        texts = world.texts_in(channel)  # what says that the channel was made again may come before or after
        assert sum("Plot!" in text for text in texts) == 1


async def test_a_deleted_role_is_made_again_and_given_back_to_its_members(world: World) -> None:
    world.env.backend.delete_role(world.guild.id, await world.place("role:league"))
    await world.set_up()
    assert world.sees(world.leo, await world.place("side:league"))
    assert not world.sees(world.ann, await world.place("side:league"))


def open_channel(world: World, channel_id: int, target: int, kind: OverwriteType = OverwriteType.ROLE) -> None:
    channel = world.env.backend.channels[channel_id]
    kept = [one for one in channel.overwrites if one.target_id != target]
    channel.overwrites = [*kept, Overwrite(target_id=target, type=kind, allow=VIEW, deny=0)]


async def test_nothing_is_posted_in_a_channel_that_does_not_come_back_closed(
    bare: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server makes every channel visible, whatever was asked for: nothing may be said in it."""
    create = bare.env.backend.create_channel

    def careless(guild_id: int | None, name: str | None, **fields: Any) -> Any:
        fields["overwrites"] = [o for o in fields.get("overwrites", ()) if o.target_id != guild_id]
        return create(guild_id, name, **fields)

    monkeypatch.setattr(bare.env.backend, "create_channel", careless)
    await bare.queue_setup()
    await bare.post("side:alliance", "A secret.")
    await bare.settle()
    rows = await bare.rows()
    assert [row["status"] for row in rows[:5]] == ["queued"] * 5
    assert rows[0]["error"] == "open:category"
    said = [m.content for messages in bare.env.backend.messages.values() for m in messages.values()]
    assert not any("secret" in text for text in said)
    assert "can be seen by more than those it is for" in bare.texts_in(bare.direct(bare.referee))[0]


async def test_a_channel_that_somebody_opened_later_gets_nothing_until_it_is_closed_again(world: World) -> None:
    channel = await world.place("side:alliance")
    open_channel(world, channel, world.leo.id, OverwriteType.MEMBER)
    await world.restart()
    world.env.inject_error("PATCH", f"/channels/{channel}", status=403, code=50013, times=1)
    await world.post("side:alliance", "A secret.")
    await world.settle()
    assert world.texts_in(channel) == []
    (told,) = await world.texts("referee")
    assert f"<#{channel}> can be seen by more than those it is for" in told
    stored = world.env.backend.channels[channel]
    stored.overwrites = [one for one in stored.overwrites if one.target_id != world.leo.id]
    await world.delivery.nudge(world.guild.id)
    await world.deliver()
    assert world.texts_in(channel) == ["A secret."]


async def test_secrets_wait_until_those_who_left_have_lost_the_role(world: World) -> None:
    await world.queue(("setup", "revoke", {"user_id": world.ann.id, "role": "side:alliance"}))
    world.env.inject_error("DELETE", "/guilds/*/members/*/roles/*", status=403, code=50013, times=1)
    await world.post("side:alliance", "A secret.")
    await world.post("side:league", "Another.")
    await world.settle()
    assert await world.texts("side:alliance") == []
    assert await world.texts("side:league") == ["Another."]
    await world.delivery.nudge(world.guild.id)
    await world.deliver()
    assert await world.texts("side:alliance") == ["A secret."]
    assert not world.sees(world.ann, await world.place("side:alliance"))


async def test_a_revoke_for_somebody_who_left_the_server_holds_nobody_up(world: World) -> None:
    world.guild.remove_member(world.ann)
    await world.queue(("setup", "revoke", {"user_id": world.ann.id, "role": "side:alliance"}))
    await world.posted("side:alliance", "On we go.")
    assert await world.texts("side:alliance") == ["On we go."]


async def test_a_commander_who_is_not_on_the_server_is_told_of_once_and_gets_the_role_when_they_come(world: World):
    tom = world.env.create_user("tom")
    async with world.store.write() as tx:
        await tx.members.add(CAMPAIGN, tom.id, side="league", name="tom", at=world.now())
    await world.carried_out(Grant(user_id=tom.id, role="side:league"), Reconcile())
    assert set(await world.statuses()) == {"done"}
    (told,) = await world.texts("referee")
    assert f"<@{tom.id}>, who commands League, is not on this server" in told
    world.guild.add_member(tom)
    await world.carried_out(Reconcile())
    assert world.sees(tom, await world.place("side:league"))
    world.guild.remove_member(tom)
    await world.carried_out(Reconcile())
    assert len(await world.texts("referee")) == 2, "away once more, told once more"


THREAD = {
    "key": "P1.T1/battle/0412", "name": "Battle at 0412", "parties": ["alliance", "league"],
    "content": "Set up as follows.", "files": [],
}  # fmt: skip


async def test_a_battle_thread_is_private_with_the_named_members_only(world: World) -> None:
    third = world.guild.add_member(world.env.create_user("tom"))
    await world.queue(("setup", "grant", {"user_id": third.id, "role": "side:league"}))
    await world.queue(("battles", "thread", {**THREAD, "members": [world.ann.id, world.leo.id]}))
    await world.posted("battle:P1.T1/battle/0412", "Fight!")
    thread = await world.place("battle:P1.T1/battle/0412")
    channel = world.env.backend.channels[thread]
    assert channel.type == discord.ChannelType.private_thread.value
    assert set(channel.thread_members) == {world.ann.id, world.leo.id, world.env.bot.user.id}
    assert [world.sees(user, thread) for user in (world.ann, world.leo)] == [True, True]
    assert [world.sees(user, thread) for user in (third, world.sam, world.referee)] == [False, False, False]
    called = f"<@{world.ann.id}> <@{world.leo.id}>"
    assert world.texts_in(thread) == [f"{called}\nSet up as follows.", "Fight!"]
    assert "P1.T1" not in channel.name


async def test_a_thread_waits_for_the_roles_of_those_who_are_let_in(world: World) -> None:
    """A quick player has a battle before all roles are given; nothing is wrong with the bot's permissions."""
    world.env.inject_error("PUT", "/guilds/*/members/*/roles/*", status=500, times=3)
    world.env.inject_error("PUT", "/channels/*/thread-members/*", status=403, code=50001, times=1)
    await world.queue(("setup", "grant", {"user_id": world.ann.id, "role": "side:alliance"}))
    await world.queued(("battles", "thread", {**THREAD, "members": [world.ann.id]}))
    assert world.texts_in(await world.place(f"battle:{THREAD['key']}")) == [f"<@{world.ann.id}>\nSet up as follows."]
    assert await world.texts("referee") == []


async def test_a_sleeping_thread_is_woken_and_an_archived_one_is_locked(world: World) -> None:
    await world.queued(("battles", "thread", {**THREAD, "members": [world.ann.id]}))
    thread = await world.place(f"battle:{THREAD['key']}")
    await world.queued(("battles", "archive", {"key": THREAD["key"]}))
    assert world.bodies("PATCH", f"/channels/{thread}")[-1] == {"archived": True, "locked": True}
    world.env.inject_error("POST", f"/channels/{thread}/messages", status=400, code=50083)
    await world.posted(f"battle:{THREAD['key']}", "One more thing.")
    assert world.texts_in(thread)[-1] == "One more thing."
    assert world.bodies("PATCH", f"/channels/{thread}")[-1] == {"archived": False, "locked": False}


async def test_a_battle_of_others_under_the_same_key_gets_a_thread_of_its_own(world: World) -> None:
    """Play went back and took another course; what the parties of then wrote is not for those of now."""
    be_strict(world.env.backend)
    async with world.store.write() as tx:
        await tx.battles.open(CAMPAIGN, "b", 1, world.now())
    ann_alone = BattleThread(key="b", name="Battle", sides=("alliance",), content="Old.")
    both = BattleThread(key="b", name="Battle", sides=("alliance", "league"), content="New.")
    await world.put(ann_alone, Archive(key="b", content="Void."), both)
    await world.carried_out(Post(place="battle:b", content="Fight!"))
    (old,) = [one for one in await world.places() if one.startswith("past-battle:")]
    old_thread, new_thread = await world.place(old), await world.place("battle:b")
    assert old_thread != new_thread
    assert world.texts_in(old_thread) == [f"<@{world.ann.id}>\nOld.", "Void."]
    assert world.texts_in(new_thread) == [f"<@{world.ann.id}> <@{world.leo.id}>\nNew.", "Fight!"]
    assert not world.sees(world.leo, old_thread)
    assert world.env.backend.channels[old_thread].thread_metadata.locked
    await world.carried_out(Dismiss(user_id=world.ann.id))
    assert [world.sees(world.ann, one) for one in (old_thread, new_thread)] == [False, False]
    assert world.env.backend.channels[old_thread].thread_metadata.archived
    await world.carried_out(ann_alone)  # and back once more
    assert await world.place("battle:b") == old_thread
    assert not world.env.backend.channels[old_thread].thread_metadata.archived
    assert not world.sees(world.leo, old_thread)


async def test_only_a_partys_commander_is_let_into_a_battles_thread_and_only_while_it_is_open(world: World) -> None:
    be_strict(world.env.backend)
    tom = world.guild.add_member(world.env.create_user("tom"))
    async with world.store.write() as tx:
        await tx.battles.open(CAMPAIGN, "b", 1, world.now())
        await tx.members.add(CAMPAIGN, tom.id, side="league", name="tom", at=world.now())
    await world.put(BattleThread(key="b", name="Battle", sides=("alliance",)))
    await world.carried_out(Admit(user_id=tom.id, key="b"))
    thread = await world.place("battle:b")
    assert tom.id not in world.env.backend.channels[thread].thread_members
    async with world.store.write() as tx:
        await tx.battles.close(CAMPAIGN, ["b"])
        await tx.members.remove(CAMPAIGN, tom.id)
        await tx.members.add(CAMPAIGN, tom.id, side="alliance", name="tom", at=world.now())
    await world.carried_out(Archive(key="b"), Admit(user_id=tom.id, key="b"))
    assert tom.id not in world.env.backend.channels[thread].thread_members
    assert world.env.backend.channels[thread].thread_metadata.archived


async def test_nobody_is_let_into_a_thread_before_the_role_with_which_they_see_its_channel(world: World) -> None:
    await world.carried_out(BattleThread(key="b", name="Battle", sides=("alliance", "league")))
    world.env.inject_error("PUT", "/guilds/*/members/*/roles/*", status=403, code=50013, times=1)
    await world.put(Grant(user_id=world.leo.id, role="side:league"), Admit(user_id=world.leo.id, key="b"))
    await world.settle()
    assert (await world.statuses())[-2:] == ["queued", "done"], "the last is the notice"
    assert [row["status"] for row in await world.rows() if row["kind"] == "admit"] == ["queued"]
    await world.delivery.nudge(world.guild.id)
    await world.deliver()
    assert [row["status"] for row in await world.rows() if row["kind"] == "admit"] == ["done"]


async def test_what_is_said_of_a_battle_waits_until_those_who_left_see_it_no_more(world: World) -> None:
    await world.carried_out(BattleThread(key="b", name="Battle", sides=("alliance", "league")))
    thread = await world.place("battle:b")
    world.env.inject_error("DELETE", "/channels/*/thread-members/*", status=403, code=50013, times=1)
    await world.put(Dismiss(user_id=world.leo.id), Post(place="battle:b", content="A word."))
    await world.settle()
    assert "A word." not in world.texts_in(thread)
    await world.delivery.nudge(world.guild.id)
    await world.deliver()
    assert world.texts_in(thread)[-1] == "A word."
    assert not world.sees(world.leo, thread)


async def test_a_thread_that_cannot_be_kept_awake_holds_nothing_up_and_is_closed_all_the_same(world: World) -> None:
    be_strict(world.env.backend)
    async with world.store.write() as tx:
        await tx.battles.open(CAMPAIGN, "b", 1, world.now())
    await world.carried_out(BattleThread(key="b", name="Battle", sides=("alliance", "league")))
    thread = world.env.backend.channels[await world.place("battle:b")]
    world.env.inject_error("PATCH", f"/channels/{thread.id}", status=403, code=50013, times=1)
    await world.put(Wake(key="b"))
    await world.settle()
    await world.put(Post(place="battle:b", content="A word."))
    await world.settle()
    assert world.texts_in(thread.id)[-1] == "A word."
    async with world.store.write() as tx:
        await tx.battles.close(CAMPAIGN, ["b"])
    await world.put(Archive(key="b", content="Over."))
    await world.settle()
    await world.delivery.nudge(world.guild.id)
    await world.deliver()
    assert (thread.thread_metadata.archived, thread.thread_metadata.locked) == (True, True)
    assert set(await world.statuses()) == {"done"}


async def test_one_that_ends_while_it_is_being_woken_is_closed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    be_strict(world.env.backend)
    async with world.store.write() as tx:
        await tx.battles.open(CAMPAIGN, "b", 1, world.now())
    await world.carried_out(BattleThread(key="b", name="Battle", sides=("alliance", "league")))
    stir = Exit.stir

    async def late(exit_: Exit, thread_id: int) -> None:
        async with world.store.write() as tx:
            await tx.battles.close(CAMPAIGN, ["b"])
        await exit_.archive(thread_id)
        await stir(exit_, thread_id)

    monkeypatch.setattr(Exit, "stir", late)
    await world.carried_out(Wake(key="b"))
    thread = world.env.backend.channels[await world.place("battle:b")]
    assert (thread.thread_metadata.archived, thread.thread_metadata.locked) == (True, True)


async def test_what_is_posted_after_a_battle_is_over_leaves_its_thread_closed(world: World) -> None:
    be_strict(world.env.backend)
    async with world.store.write() as tx:
        await tx.battles.open(CAMPAIGN, "b", 1, world.now())
        await tx.battles.close(CAMPAIGN, ["b"])
    await world.put(BattleThread(key="b", name="Battle", sides=("alliance",)), Archive(key="b", content="Over."))
    await world.carried_out(Post(place="battle:b", content="Late."))
    thread = world.env.backend.channels[await world.place("battle:b")]
    assert world.texts_in(thread.id)[-2:] == ["Over.", "Late."]
    assert (thread.thread_metadata.archived, thread.thread_metadata.locked) == (True, True)
    world.env.backend.delete_channel(thread.id)
    await world.put(Post(place="battle:b", content="Later."))
    await world.carried_out(Wake(key="b"))
    assert (await world.statuses())[-2:] == ["failed", "done"]
    assert [one.name for one in world.env.backend.channels.values() if (one.name or "").startswith("Battle")] == []
    assert await world.texts("referee") == [], "nobody need know"


async def test_a_deleted_thread_is_made_again_with_its_members_and_its_set_up(world: World) -> None:
    await world.queued(("battles", "thread", {**THREAD, "members": [world.ann.id, world.leo.id]}))
    old = await world.place(f"battle:{THREAD['key']}")
    world.env.backend.delete_channel(old)
    await world.posted(f"battle:{THREAD['key']}", "Well?")
    new = await world.place(f"battle:{THREAD['key']}")
    assert new != old
    assert sorted(world.texts_in(new)) == ["Set up as follows.", "Well?"]
    assert world.sees(world.leo, new)
