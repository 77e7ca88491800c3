"""Messages: in order, once, split and not cut, without pings nobody opted in to, and never lost to trouble."""

import asyncio
import hashlib
import hmac
import re
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

import aiohttp
import discord
import pytest

from bot.delivery import effects, worker
from tests.bot.delivery.world import CAMPAIGN, World
from tests.expected.words import has_words
from tests.message_words import pressable, words_of

BUTTON = {"type": "button", "id": "p|tok|go|", "label": "Go", "style": "primary", "disabled": False}
CARD = {"content": "**Plot** your move.", "rows": [[BUTTON]]}
CLOSED_CARD = {"content": "**Plot** saved.", "rows": [[{**BUTTON, "label": "Change"}]]}


async def test_posts_keep_their_order_within_a_lane(world: World) -> None:
    for number in range(12):
        await world.post("public", f"message {number}")
    await world.deliver()
    assert await world.texts("public") == [f"message {number}" for number in range(12)]


async def test_what_comes_too_late_is_not_sent_and_holds_up_nothing(world: World) -> None:
    for number, seconds in enumerate((-1, 3600)):
        until = (world.now() + timedelta(seconds=seconds)).isoformat()
        await world.post("public", f"message {number}", until=until)
    await world.deliver()
    assert await world.texts("public") == ["message 1"]


async def test_a_lane_in_trouble_keeps_its_order_and_holds_up_no_other(world: World) -> None:
    league = await world.place("side:league")
    world.env.inject_error("POST", f"/channels/{league}/messages", status=403, code=50013, times=2)
    for text in ("one", "two"):
        await world.post("side:league", text)
        await world.post("side:alliance", text)
    await world.settle()
    assert await world.texts("side:alliance") == ["one", "two"]
    assert await world.texts("side:league") == []
    await world.delivery.nudge(world.guild.id)
    await world.deliver()
    assert await world.texts("side:league") == ["one", "two"]


async def test_a_missing_permission_is_told_once_and_the_post_arrives_when_it_is_granted(world: World) -> None:
    league = await world.place("side:league")
    world.env.inject_error("POST", f"/channels/{league}/messages", status=403, code=50013, times=3)
    await world.post("side:league", "At last.")
    for _ in range(4):
        await world.delivery.nudge(world.guild.id)
        await world.settle()
    await world.deliver()
    assert await world.texts("side:league") == ["At last."]
    (told,) = await world.texts("referee")
    assert told.startswith(f"<@{world.referee.id}>")
    has_words(told, "the private channel of League", "**Send Messages**", "nothing is lost")


async def test_a_notice_names_the_channel_for_battles_and_no_battle(world: World) -> None:
    """The referee may play, and a battle of others is not for his eyes."""
    await world.queued(("battles", "thread", {"key": "T1/I4/combat/0505/vs/league", "name": "A battle in 0505"}))
    place = "battle:T1/I4/combat/0505/vs/league"
    world.env.inject_error("POST", f"/channels/{await world.place(place)}/messages", status=403, code=50013, times=2)
    await world.post(place, "Fight!")
    for _ in range(3):
        await world.delivery.nudge(world.guild.id)
        await world.settle()
    await world.deliver()
    (told,) = await world.texts("referee")
    assert "I may not do something I have to in the channel for battles of Convoy" in told
    assert not [word for word in ("0505", "battle:", "T1", "league", "League", "A battle") if word in told]


async def test_trouble_with_the_referees_channel_itself_is_told_by_direct_message(world: World) -> None:
    channel = await world.place("referee")
    world.env.inject_error("POST", f"/channels/{channel}/messages", status=403, code=50001, times=None)
    await world.post("referee", "A ruling is wanted.")
    await world.settle()
    (told,) = world.texts_in(world.direct(world.referee))
    assert "I may not do something" in told
    assert (await world.rows())[-1]["status"] == "done"


@pytest.mark.parametrize("status", [500, 502, 503, 504])
async def test_discords_own_failures_are_tried_again(world: World, status: int) -> None:
    channel = await world.place("public")
    world.env.inject_error("POST", f"/channels/{channel}/messages", status=status, times=3)
    await world.posted("public", "Through.")
    assert await world.texts("public") == ["Through."]
    assert (await world.rows())[-1]["attempts"] == 4


@pytest.mark.parametrize(
    "error", [aiohttp.ServerDisconnectedError(), ConnectionResetError(104, "reset"), TimeoutError()], ids=repr
)
async def test_a_broken_connection_is_tried_again(world: World, monkeypatch: pytest.MonkeyPatch, error: Exception):
    send, failures = world.env.bot.http.send_message, [error, error]

    def flaky(*args: Any, **kwargs: Any) -> Any:
        if failures:
            raise failures.pop()
        return send(*args, **kwargs)

    monkeypatch.setattr(world.env.bot.http, "send_message", flaky)
    await world.posted("public", "Through.")
    assert await world.texts("public") == ["Through."]


async def test_a_call_that_was_done_although_it_failed_is_not_done_twice(world: World, monkeypatch: pytest.MonkeyPatch):
    """The message is posted, and the answer lost on its way."""
    send, lost = world.env.bot.http.send_message, [True]

    async def loses_the_answer(*args: Any, **kwargs: Any) -> Any:
        answer = await send(*args, **kwargs)
        if lost:
            lost.pop()
            raise aiohttp.ServerDisconnectedError
        return answer

    monkeypatch.setattr(world.env.bot.http, "send_message", loses_the_answer)
    await world.post("public", "Once.")
    await world.posted("public", "Once.")
    assert await world.texts("public") == ["Once.", "Once."]
    assert len({row["result"]["p0"][1] for row in (await world.rows())[-2:]}) == 2


async def test_every_post_carries_its_own_nonce_and_has_it_enforced(world: World) -> None:
    for _ in range(2):
        await world.post("public", "The same.")
    await world.deliver()
    channel = await world.place("public")
    nonces = [body["nonce"] for body in world.bodies("POST", f"/channels/{channel}/messages")]
    async with world.store.read() as tx:
        secret = (await tx.installation.secret()).encode()
    rows = [f"{CAMPAIGN}.{row['id']}.p0".encode() for row in (await world.rows())[-2:]]
    assert nonces == [hmac.new(secret, row, hashlib.sha256).hexdigest()[:25] for row in rows]
    assert all(body["enforce_nonce"] for body in world.bodies("POST", f"/channels/{channel}/messages"))


async def test_a_closed_dm_goes_to_the_side_with_a_mention_and_a_word_why(world: World) -> None:
    await world.open_prompt("tok")
    world.env.inject_error("POST", f"/channels/{world.direct(world.ann)}/messages", status=403, code=50007)
    await world.wrote_to(world.ann, CARD["content"], card=CARD, prompt="tok", fallback="side:alliance")
    (message,) = world.messages_in(await world.place("side:alliance"))
    assert message.content.startswith(f"<@{world.ann.id}> I could not reach you by direct message")
    assert message.content.endswith("**Plot** your move.")
    assert message.components
    sent = world.bodies("POST", f"/channels/{message.channel_id}/messages")[-1]
    assert sent["allowed_mentions"]["users"] == [world.ann.id]
    assert await world.prompt_messages("tok") == [(message.channel_id, message.id, world.ann.id)]


async def test_a_closed_dm_without_a_fall_back_is_told_to_the_referee(world: World) -> None:
    world.env.inject_error("POST", f"/channels/{world.direct(world.ann)}/messages", status=403, code=50278)
    await world.wrote_to(world.ann, "Psst.")
    (told,) = await world.texts("referee")
    has_words(told, f"<@{world.ann.id}> takes no direct messages", never="Psst")


async def test_nobody_is_pinged_who_was_not_named(world: World) -> None:
    await world.posted("public", f"@everyone <@{world.ann.id}> <@&{await world.place('role:league')}> look!")
    channel = await world.place("public")
    (body,) = world.bodies("POST", f"/channels/{channel}/messages")
    allowed = body["allowed_mentions"]
    assert allowed["parse"] == []
    assert not allowed.get("users")
    assert not allowed.get("roles")


async def test_those_who_fight_a_battle_are_pinged_and_written_in_front(world: World) -> None:
    battle = {"key": "b", "name": "Battle", "content": "Fight!", "members": [world.leo.id, world.ann.id]}
    await world.queued(("battles", "thread", battle))
    thread = await world.place("battle:b")
    (body,) = world.bodies("POST", f"/channels/{thread}/messages")
    assert body["content"] == f"<@{world.leo.id}> <@{world.ann.id}>\nFight!"
    assert [int(one) for one in body["allowed_mentions"]["users"]] == [world.leo.id, world.ann.id]
    assert not body["allowed_mentions"].get("roles")


async def test_a_long_text_arrives_whole_in_several_messages(world: World) -> None:
    lines = [f"{number}: {'ship ' * 15}".strip() for number in range(100)]
    await world.posted("public", "\n".join(lines), card=CARD)
    messages = world.messages_in(await world.place("public"))
    assert len(messages) > 3
    assert "\n".join(m.content for m in messages).split("\n") == lines
    assert all(len(m.content) <= 2000 for m in messages)
    assert [bool(m.components) for m in messages] == [False] * (len(messages) - 1) + [True]


async def test_files_come_with_their_names_and_content(world: World) -> None:
    await world.posted(
        "public",
        "Orders.",
        files=[
            {"kind": "text", "name": "orders.txt", "text": "TF1 0412"},
            {"kind": "text", "name": "notes.txt", "text": "none"},
        ],
    )
    (message,) = world.messages_in(await world.place("public"))
    assert [file["filename"] for file in message.attachments] == ["orders.txt", "notes.txt"]


async def test_a_file_that_cannot_be_made_does_not_keep_the_words_back(world: World) -> None:
    await world.posted("public", "Turn 2.", files=[{"kind": "side_map", "view": {"no": "view"}}])
    (text,) = await world.texts("public")
    assert text.startswith("Turn 2.\n")
    assert "A file could not be made" in text


async def test_components_that_discord_would_refuse_are_reported_as_a_defect(world: World) -> None:
    await world.post("public", "x", card={"content": "x", "rows": [[{**BUTTON, "label": "L" * 81}]]})
    await world.posted("public", "The next one comes all the same.")
    assert await world.texts("public") == ["The next one comes all the same."]
    (told,) = await world.texts("referee")
    assert "rows[0][0].label: 81 characters, must be 1 to 80" in told


async def test_a_post_that_discord_refuses_even_without_pictures_is_given_up_and_told(world: World) -> None:
    channel = await world.place("public")
    world.env.inject_error("POST", f"/channels/{channel}/messages", status=400, code=50035, times=2)
    await world.posted("public", "Refused.")
    await world.posted("public", "Accepted.")
    assert await world.texts("public") == ["Accepted."]
    first, then = await world.texts("referee")
    named = r"refused something I had to do \(post, row \d+, refused:50035\): a message in the public channel\. "
    assert re.search(rf"{named}I send it without pictures and buttons\.", first)
    assert re.search(rf"{named}It stays undone\.", then)


async def test_what_was_meant_for_an_account_that_is_gone_goes_to_the_sides_channel(world: World) -> None:
    world.env.inject_error("POST", f"/channels/{world.direct(world.ann)}/messages", status=400, code=50033)
    await world.wrote_to(world.ann, "Psst.", fallback="side:alliance")
    (message,) = world.messages_in(await world.place("side:alliance"))
    assert message.content.endswith("Psst.")


# --- prompts -------------------------------------------------------------------------------------------------------
async def test_a_prompt_is_remembered_refreshed_and_closed_where_it_stands(world: World) -> None:
    await world.open_prompt("tok")
    lane = f"dm:{world.ann.id}"
    await world.wrote_to(world.ann, CARD["content"], card=CARD, prompt="tok", fallback="side:alliance")
    channel = world.direct(world.ann)
    (message,) = world.messages_in(channel)
    assert await world.prompt_messages("tok") == [(channel, message.id, world.ann.id)]
    await world.queued((lane, "refresh", {"token": "tok", "card": CLOSED_CARD, "dm": world.ann.id}))
    (message,) = world.messages_in(channel)
    assert words_of(message) == "**Plot** saved."
    assert [one["label"] for one in pressable(message)] == ["Change"]
    await world.queued((lane, "close_prompt", {"token": "tok", "content": "Closed.", "dm": world.ann.id}))
    (message,) = world.messages_in(channel)
    assert (words_of(message), pressable(message)) == ("Closed.", [])


async def test_a_refresh_of_one_message_leaves_the_others(world: World) -> None:
    await world.open_prompt("tok")
    for user in (world.ann, world.sam):
        await world.write_to(user, CARD["content"], card=CARD, prompt="tok")
    await world.deliver()
    (message,) = world.messages_in(world.direct(world.sam))
    await world.queued(("dm:x", "refresh", {"token": "tok", "card": CLOSED_CARD, "message": message.id}))
    assert world.texts_in(world.direct(world.sam)) == ["**Plot** saved."]
    assert world.texts_in(world.direct(world.ann)) == ["**Plot** your move."]


async def test_a_prompt_that_closed_before_it_was_delivered_comes_without_buttons(world: World) -> None:
    await world.open_prompt("tok", status="closed")
    await world.wrote_to(world.ann, CARD["content"], card=CARD, prompt="tok")
    (message,) = world.messages_in(world.direct(world.ann))
    assert message.components == []
    assert "This has closed already." in message.content


async def test_the_closing_of_a_prompt_waits_for_its_post(world: World) -> None:
    await world.open_prompt("tok")
    channel = await world.place("side:alliance")
    world.env.inject_error("POST", f"/channels/{channel}/messages", status=403, code=50013, times=2)
    await world.post("side:alliance", CARD["content"], card=CARD, prompt="tok")
    await world.queue(("prompts", "close_prompt", {"token": "tok", "content": "Closed."}))
    await world.settle()
    assert (await world.rows())[5]["status"] == "queued"
    await world.delivery.nudge(world.guild.id)
    await world.deliver()
    (message,) = world.messages_in(channel)
    assert (words_of(message), pressable(message)) == ("Closed.", [])


async def test_a_prompt_whose_message_was_deleted_is_forgotten(world: World) -> None:
    await world.open_prompt("tok")
    await world.wrote_to(world.ann, CARD["content"], card=CARD, prompt="tok")
    ((channel, message, _),) = await world.prompt_messages("tok")
    world.env.backend.delete_message(channel, message)
    await world.queued((f"dm:{world.ann.id}", "close_prompt", {"token": "tok", "content": "Closed."}))
    assert await world.prompt_messages("tok") == []
    assert set(await world.statuses()) == {"done"}


# --- the worker ------------------------------------------------------------------------------------------------------
async def test_nothing_is_delivered_before_the_start_and_nothing_taken_after_the_stop(world: World) -> None:
    await world.delivery.stop()
    await world.post("public", "Later.")
    world.delivery.kick()
    await asyncio.sleep(0)
    assert await world.texts("public") == []
    await world.restarted()
    assert await world.texts("public") == ["Later."]


async def test_a_postponed_row_wakes_the_worker_by_itself(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    channel = await world.place("public")
    monkeypatch.setattr(world.delivery, "_backoff", lambda attempts: 0.02 * attempts)
    world.env.inject_error("POST", f"/channels/{channel}/messages", status=503, times=2)
    await world.post("public", "By itself.")
    await world.deliver()  # kicks once; the two retries come from the timer
    assert await world.texts("public") == ["By itself."]


async def test_stop_lets_a_call_under_way_end(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    send, begun, go_on = world.env.bot.http.send_message, asyncio.Event(), asyncio.Event()

    async def slow(*args: Any, **kwargs: Any) -> Any:
        begun.set()
        await go_on.wait()
        return await send(*args, **kwargs)

    monkeypatch.setattr(world.env.bot.http, "send_message", slow)
    await world.post("public", "one")
    await world.post("public", "two")
    world.delivery.kick()
    await begun.wait()
    stopping = asyncio.create_task(world.delivery.stop())
    await asyncio.sleep(0)
    go_on.set()
    await stopping
    assert await world.texts("public") == ["one"]
    assert (await world.statuses())[-2:] == ["done", "queued"]


async def test_a_row_of_a_campaign_that_is_no_more_is_given_up(world: World) -> None:
    await world.queued(("public", "post", {"place": "public", "content": "x"}), campaign="gone")
    assert (await world.rows())[-1]["error"] == "no-campaign"


async def test_a_row_that_falls_due_while_the_worker_looks_is_not_missed(world: World, monkeypatch: pytest.MonkeyPatch):
    """The clock passes the row's moment between two looks at it."""
    channel = await world.place("public")
    world.env.inject_error("POST", f"/channels/{channel}/messages", status=503)
    monkeypatch.setattr(world.delivery, "_backoff", lambda _: 1000.0)
    await world.post("public", "Not missed.")
    await world.settle()
    moment = (await world.rows())[-1]["not_before"]
    looks = iter([moment - timedelta(milliseconds=1)])
    monkeypatch.setattr(world.delivery, "_now", lambda: next(looks, moment + timedelta(milliseconds=1)))
    await world.deliver()
    assert await world.texts("public") == ["Not missed."]


def _stumble_over_files(world: World) -> list[str]:
    """Let Discord answer whatever has a file with a 500; gives what it refused."""
    send, refused = world.env.bot.http.send_message, list[str]()

    def stumbles(channel: int, *, params: Any) -> Any:
        if params.files:
            refused.append("with a file")
            raise discord.DiscordServerError(SimpleNamespace(status=500, reason="?"), {"code": 0, "message": "?"})  # type: ignore[arg-type]
        return send(channel, params=params)

    world.env.bot.http.send_message = stumbles  # type: ignore[method-assign]
    return refused


async def test_what_discord_fails_over_for_ever_goes_out_plain_and_the_referee_is_told(world: World) -> None:
    """It answers some payloads with the same error each time; what else there is passes, before that or after it."""
    refused = _stumble_over_files(world)
    await world.post("public", "A map.", files=[{"kind": "text", "name": "map.txt", "text": "a map"}])
    await world.posted("side:league", "Not held up.")
    assert await world.texts("side:league") == ["Not held up."]
    assert await world.texts("public") == [f"A map.\n{effects.PLAIN}"]
    assert len(refused) >= worker.STUBBORN
    (told,) = await world.texts("referee")
    assert "Discord has failed again and again (500) to take something for the public channel" in told


async def test_what_discord_fails_over_for_ever_says_how_many_posts_wait_behind_it(world: World) -> None:
    _stumble_over_files(world)
    await world.post("public", "A map.", files=[{"kind": "text", "name": "map.txt", "text": "a map"}])
    for number in range(3):
        await world.post("public", f"Behind it, {number}.")
    await world.deliver()
    (told,) = await world.texts("referee")
    assert "3 more posts wait for it, and nothing is lost." in told


async def test_what_discord_fails_over_goes_out_plain_where_nothing_else_is_under_way(world: World) -> None:
    """A campaign at rest: the word to the referee is what shows that Discord takes other things."""
    await world.posted("public", "Before.")
    channel = await world.place("public")
    refused = _stumble_over_files(world)
    await world.posted("public", "A map.", files=[{"kind": "text", "name": "map.txt", "text": "a map"}])
    assert len(refused) > worker.STUBBORN
    assert [message.content for message in world.messages_in(channel)] == ["Before.", f"A map.\n{effects.PLAIN}"]


async def test_while_nothing_passes_nothing_is_made_plain(world: World) -> None:
    """Discord itself is down: what waited comes whole, and the referee hears of it afterwards."""
    channels = [await world.place("public"), await world.place("referee")]
    for channel in channels:
        world.env.inject_error("POST", f"/channels/{channel}/messages", status=503, times=worker.STUBBORN + 3)
    await world.posted("public", "A map.", files=[{"kind": "text", "name": "map.txt", "text": "a map"}])
    (message,) = world.messages_in(channels[0])
    assert message.content == "A map."
    assert [file["filename"] for file in message.attachments] == ["map.txt"]
    (told,) = await world.texts("referee")
    assert "Nothing else waits for it, and nothing is lost." in told


async def test_who_cannot_be_reached_because_too_many_were_is_told_in_the_sides_channel(world: World) -> None:
    world.env.inject_error("POST", "/users/@me/channels", status=403, code=40003)
    await world.wrote_to(world.ann, "Plot.", fallback="side:alliance")
    (message,) = world.messages_in(await world.place("side:alliance"))
    assert message.content.startswith(f"<@{world.ann.id}> I could not reach you by direct message")
    assert await world.texts("referee") == []
