"""Texts that hold what no text may hold, at every place where somebody can send one."""

import pytest

from bot.errors import Sorry
from bot.interactions.door import MOST_SHOWN, check_text, check_texts
from tests.bot.worlds.simulated_server import SimulatedServer, said

UNFIT = ["\0", "\ud800", "\u2028", "\x85", "\u202e"]
TOLD = "Nothing was changed: that text holds a character that cannot be kept, U+"


@pytest.mark.parametrize("letter", UNFIT)
async def test_a_commands_text_is_refused(here: SimulatedServer, letter: str) -> None:
    result = await here.slash(here.rita, "campaign create", title=f"North{letter}", scenario="toy/duel")
    assert said(result).startswith(TOLD)
    assert here.failures() == []
    listed = await here.slash(here.rita, "campaign create", title="North", scenario="toy/duel")
    assert "North" in said(listed)


@pytest.mark.parametrize("letter", UNFIT)
async def test_a_forms_text_is_refused_and_nothing_is_changed(here: SimulatedServer, letter: str) -> None:
    await here.begin()
    result = await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7", f4=f"On{letter}ward")
    assert said(result).startswith(TOLD)
    assert await here.journal() == ["genesis", "seated"]
    assert here.failures() == []


async def test_typed_orders_are_given_back_without_it(here: SimulatedServer) -> None:
    await here.begin()
    shown = await here.press(here.ann, "Orders for turn 1", "Write them")
    text = "fleet: number 7; stance bold; motto Onwa\u202erd"
    result = await here.submit(here.ann.user, shown, text=text)
    assert said(result) == (
        f"{TOLD}202E (right-to-left override), character 41. Leave it out. Without such characters it reads:\n"
        "```\nfleet: number 7; stance bold; motto Onward\n```"
    )
    assert await here.journal() == ["genesis", "seated"]


@pytest.mark.parametrize("letter", UNFIT[2:])
async def test_a_files_text_is_refused(here: SimulatedServer, letter: str) -> None:
    await here.begin()
    file = ("orders.txt", f"fleet: motto On{letter}ward".encode())
    result = await here.dm_slash(here.ann, "orders upload", file=file, sheet=await here.token("red", "orders"))
    assert said(result).startswith(TOLD)
    assert await here.journal() == ["genesis", "seated"]


async def test_a_long_text_is_given_back_as_far_as_a_message_holds_it() -> None:
    with pytest.raises(Sorry) as sorry:
        check_text("x" * 5_000 + "\0```")
    assert sorry.value.text.endswith(f"\n```\n{'x' * MOST_SHOWN}…\n```")
    assert len(sorry.value.text) < 2_000


def test_names_that_discord_has_taken_and_what_is_no_text_are_left_alone() -> None:
    member = {"members": {"7": {"nick": "\u202eyzarc"}}}
    check_texts({"name": "join", "options": [{"name": "who", "value": "7"}, {"value": 3}, None], "resolved": member})
    with pytest.raises(Sorry, match="character"):
        check_texts({"options": [{"options": [{"value": "a\u202eb"}]}]})


def test_no_interaction_brings_thousands_of_texts() -> None:
    check_texts({"values": ["a"] * 1_000})
    with pytest.raises(Sorry) as sorry:
        check_texts({"values": ["a"] * 3_000})
    assert sorry.value.code == "too-many-texts"
