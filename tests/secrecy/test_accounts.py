"""Who learns what of accounts of a battle: two worlds in which they differ look alike to all who may not know."""

import re
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from rules_engine import rulebooks
from tests import toy_forces
from tests.bot.battles.test_forces import BATTLE, account, to_battle
from tests.bot.worlds.simulated_server import SimulatedServer, simulated_server
from tests.message_words import pressable

Play = Callable[[SimulatedServer, str, str], Awaitable[None]]
TOKEN = re.compile(r"\|[\w-]{12}\|")


@pytest.fixture(autouse=True)
def three_forces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Red and Blue stand together against Green, and Gold by itself against both."""
    monkeypatch.setattr(rulebooks, "_PACKAGES", {"toy": "tests.toy_forces"})
    monkeypatch.setattr(toy_forces, "RULEBOOK", toy_forces.ToyForces(toy_forces.THREE))


def looked(message: Any, campaign: str) -> tuple[str, tuple[Any, ...], tuple[Any, ...]]:
    """All that somebody sees of a message and could look up in it: words, buttons with their ids, files. The
    campaign's own id, which is drawn by lot when it is founded and stands on the briefing's buttons, is left out."""
    words = re.sub(r"<t:\d+:\w>|`[0-9a-f]{12}`", "<…>", message.content)
    controls = tuple(
        (
            one.get("label"),
            TOKEN.sub("|…|", one["custom_id"]).replace(campaign, "<campaign>"),
            one.get("disabled", False),
        )
        for one in pressable(message)
    )
    return words, controls, tuple((one.filename, one.description) for one in message.attachments)


async def seen(tmp_path: Path, name: str, left: tuple[str, str], play: Play) -> dict[str, Any]:
    """What each reader sees at the end of a world in which Red and Green say this."""
    folder = tmp_path / name
    folder.mkdir()
    async with simulated_server(folder) as here:
        campaign = await to_battle(here)
        await play(here, *left)
        readers = {who: [looked(one, campaign) for one in here.dms(here.people[who])] for who in ("ann", "leo", "mia")}
        public = re.sub("`[0-9a-f]{64}`", "<seal>", await here.texts("public"))
        return {**readers, "public": public, "thread": await here.texts("battle:t1")}


async def one_sent(here: SimulatedServer, red: str, green: str) -> None:
    """Red has sent its account, and Green none; Green looks at its sheet, and fills in its own."""
    await account(here, here.ann, red)
    await here.fill(here.leo, BATTLE, "0.0", f0="6")
    for verb in ("make|0.0-00000000", "stand|00000000", "referee|00000000", "page|1", "short|0"):
        token = await here.token("green", "battle")
        await here.forge(here.leo.user, here.prompt(here.leo, BATTLE), f"p|{token}|{verb}")


async def two_differ(here: SimulatedServer, red: str, green: str) -> None:
    """Red and Green differ, Red stands by its account, and Green asks the referee; Gold has sent none."""
    await account(here, here.ann, red)
    await account(here, here.leo, green)
    await here.press(here.ann, BATTLE, "Stand by mine")
    await here.press(here.leo, BATTLE, "Ask the referee")
    await here.fill(here.mia, BATTLE, "0.0", f0="6")


async def test_who_has_sent_no_account_learns_nothing_of_another(tmp_path: Path) -> None:
    one, other = [await seen(tmp_path, name, left, one_sent) for name, left in (("a", ("4", "")), ("b", ("3", "")))]
    assert (one["leo"], one["mia"], one["public"]) == (other["leo"], other["mia"], other["public"])
    assert one["thread"] == other["thread"]
    assert one["ann"] != other["ann"], "her own account is on her card"


async def test_a_third_side_learns_nothing_of_what_two_differ_in(tmp_path: Path) -> None:
    worlds = (("a", ("4", "3")), ("b", ("5", "2")))
    one, other = [await seen(tmp_path, name, left, two_differ) for name, left in worlds]
    assert (one["mia"], one["public"]) == (other["mia"], other["public"])
    assert one["thread"] == other["thread"], "all parties read it, also those who have sent none"
    assert one["ann"] != other["ann"]
    assert one["leo"] != other["leo"]
