"""Commands, presses, menus, forms and completions, from a seat through discord.py and back."""

from __future__ import annotations

import pytest

from bot.playground.seats.seat import SeatRefusedError, file


async def test_a_command_is_answered_in_public(live) -> None:
    answer = await live.blake.command("ping")
    assert answer["outcome"] == "message"
    assert answer["message"]["content"] == "pong"
    assert answer["message"]["command_line"] == "/ping"
    assert answer["message"]["command_user"]["display"] == "Blake"
    assert 0 < answer["t_callback"] - answer["t_dispatch"] < 3e9
    assert [m["content"] for m in await live.cleo.messages()] == ["pong"]


async def test_an_ephemeral_answer_is_seen_by_its_reader_only(live) -> None:
    answer = await live.blake.command("secret")
    assert answer["message"]["ephemeral"]
    assert [m["content"] for m in await live.blake.messages()] == ["for your eyes"]
    assert await live.cleo.messages() == []
    assert await live.ada.messages() == []
    await live.cleo.command("ping")
    await live.cleo.wait_for_message(lambda m: m["content"] == "pong")
    kinds = [e for e in live.cleo.events if e["type"] == "message_create" and e["message"]["ephemeral"]]
    assert kinds == []


async def test_the_first_follow_up_fills_the_deferred_answer(live) -> None:
    answer = await live.blake.command("slow")
    assert answer["outcome"] == "deferred"
    await live.blake.wait_for_message(lambda m: m["content"] == "second")
    messages = await live.blake.messages()
    assert [(m["content"], m["ephemeral"], m["loading"]) for m in messages] == [
        ("first", True, False),
        ("second", True, False),
    ]


async def test_an_action_without_an_answer_fails_when_its_time_is_over(live) -> None:
    started = await live.blake.command("silent", wait=False)
    half = live.server.config.first_answer_within / 2
    await live.ada.request("POST", "/test/clock", {"advance": half})
    await live.blake.state()  # time for what was told to come
    assert not [e for e in live.blake.events if e["type"] == "interaction_failed"]
    await live.ada.request("POST", "/test/clock", {"advance": half})
    event = await live.blake.wait_for_event(lambda e: e["type"] == "interaction_failed")
    assert event["interaction_id"] == started["interaction_id"]
    assert event["text"] == "The application did not respond"


async def test_a_button_updates_its_message_for_all(live) -> None:
    pad = (await live.blake.command("pad"))["message"]
    answer = await live.cleo.press(pad, label="Count")
    assert answer["outcome"] == "update"
    assert answer["message"]["content"] == "count 1"
    again = await live.blake.wait_for_message(lambda m: m["content"] == "count 1")
    assert (await live.blake.press(again, custom_id="count"))["message"]["content"] == "count 2"


async def test_a_disabled_button_refuses(live) -> None:
    pad = (await live.blake.command("pad"))["message"]
    with pytest.raises(SeatRefusedError) as refusal:
        await live.blake.press(pad, label="Off")
    assert refusal.value.code == "disabled"


async def test_nobody_presses_what_they_cannot_see(live) -> None:
    hidden = (await live.blake.command("secret"))["message"]
    body = {"channel_id": hidden["channel_id"], "message_id": hidden["id"], "custom_id": "x"}
    with pytest.raises(SeatRefusedError) as refusal:
        await live.cleo.request("POST", "press", body)
    assert refusal.value.code == "unknown_message"


async def test_a_menu_takes_only_its_options(live) -> None:
    pad = (await live.blake.command("pad"))["message"]
    answer = await live.blake.select(pad, "Destroyer")
    assert answer["message"]["content"] == "chosen dd"
    with pytest.raises(SeatRefusedError) as refusal:
        await live.blake.select(pad, "battleship")
    assert refusal.value.code == "invalid_option"


async def test_a_form_with_every_kind_of_field(live) -> None:
    opened = await live.blake.command("form")
    assert opened["outcome"] == "modal"
    modal = opened["modal"]
    kinds = [field["kind"] for field in modal["fields"]]
    assert kinds == ["text", "string_select", "radio_group", "checkbox", "file_upload"]
    assert (await live.blake.state())["modals"][0]["interaction_id"] == modal["interaction_id"]
    answer = await live.blake.fill_modal(
        modal, course="0412", speed=["Fast"], posture="silent", sure=True, chart=[file("chart.txt", b"12345")]
    )
    assert answer["message"]["content"] == "0412 2 silent True chart.txt=5"
    assert (await live.blake.state())["modals"] == []
    with pytest.raises(SeatRefusedError) as refusal:
        await live.blake.fill_modal(modal, course="again")
    assert refusal.value.code == "unknown_modal"


async def test_a_form_is_checked_before_it_is_sent(live) -> None:
    modal = (await live.blake.command("form"))["modal"]
    with pytest.raises(SeatRefusedError, match="Course: must have 0 to 20 characters"):
        await live.blake.fill_modal(modal, course="x" * 21, speed=["1"], posture="silent")
    with pytest.raises(SeatRefusedError, match="Posture: must be one of cruise, silent"):
        await live.blake.fill_modal(modal, course="1", speed=["1"], posture="loud")
    with pytest.raises(SeatRefusedError) as refusal:
        await live.cleo.fill_modal(modal, course="1", speed=["1"], posture="silent")
    assert refusal.value.code == "unknown_modal"


async def test_options_of_all_kinds_reach_the_bot(live) -> None:
    paper = {"file": file("orders.bin", b"\x00" * 1000)}
    answer = await live.blake.command("echo", word="hi", number=7, who=live.cleo.user_id, paper=paper)
    assert answer["message"]["content"] == "hi 7 cleo 1000"
    with pytest.raises(SeatRefusedError, match="number: must be from 1 to 9"):
        await live.blake.command("echo", word="hi", number=10)
    with pytest.raises(SeatRefusedError, match="needs word"):
        await live.blake.command("echo")
    with pytest.raises(SeatRefusedError, match="no option sword"):
        await live.blake.command("echo", word="hi", sword=1)


async def test_completions(live) -> None:
    choices = await live.blake.complete("echo", "word", "al")
    assert choices == [{"name": "alpha", "value": "alpha"}, {"name": "altair", "value": "altair"}]


async def test_subcommands_and_where_they_are_offered(live) -> None:
    assert (await live.blake.command("fleet move", to="0412"))["message"]["content"] == "moved to 0412"
    state = await live.blake.state()
    assert "fleet move" in [entry["path"] for entry in state["guilds"][0]["commands"]]
    assert "fleet move" not in [entry["path"] for entry in state["dm_commands"]]
    dm = await live.blake.open_dm(live.server.world.bot_id)
    assert (await live.blake.command("ping", channel=dm["id"]))["message"]["content"] == "pong"
    with pytest.raises(SeatRefusedError) as refusal:
        await live.blake.command("fleet move", channel=dm["id"], to="0412")
    assert refusal.value.code == "unknown_command"
