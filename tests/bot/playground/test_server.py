"""The server: files that it gives out besides the API, and the people of its demo."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.playground import PlaygroundConfig, __main__, seed, serve


async def test_default_avatars_are_pictures(live) -> None:
    assert (await (await live.bot.fetch_user(int(live.blake.user_id))).display_avatar.read()).startswith(b"\x89PNG")


async def test_the_demos_cast_grows_with_the_sides_and_each_comes_once(tmp_path: Path) -> None:
    server = await serve(PlaygroundConfig(state=tmp_path / "playground.db", port=0, token="t"))
    async with server:
        seed.seed_demo(server)
        assert seed.demo_commanders(server, 2) == ["blake", "cleo"]
        people = len(server.world.users)
        assert seed.demo_commanders(server, 9)[2:] == ["dan", "fay", "gus", "hal", "ida", "commander-8", "commander-9"]
        assert len(server.world.users) == people + 7
        assert seed.demo_commanders(server, 9) == seed.demo_commanders(server, 9)
        (guild,) = server.world.guilds.values()
        members = server.world.members[guild.id]
        assert {user.id for user in server.world.users.values() if not user.bot} <= {*members}
        assert len(server.world.users) == people + 7


def test_a_playground_of_its_own_process_waits_for_answers_as_discord_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["bot.playground", "--port", "0", "--state", "playground.db"])
    assert __main__._arguments().first_answer_within == 3.0
    monkeypatch.setattr("sys.argv", ["bot.playground", "--port", "0", "--state", "s.db", "--first-answer-within", "60"])
    assert __main__._arguments().first_answer_within == 60.0
