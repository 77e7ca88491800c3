"""Two worlds that differ in what happens elsewhere: whoever takes no part hears the same at the same moments.

With fixed windows that holds until the window ends; what outlasts it is noticed, and said in the rulebook's notes.
"""

import re
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from tests.bot.worlds.islands_server import IslandsServer, islands_server

DECISION = 12 * 3600

Heard = dict[str, list[tuple[str, str]]]


async def world(made: AbstractAsyncContextManager[IslandsServer], places: Mapping[str, str], claim: int) -> list[Heard]:
    """What dogwood, alone on its island, and the public are told: while the first window lasts, and some hours after
    it. Every island's claims are made and changed at the same hours."""
    async with made as here:
        campaign = await here.begin(early=False)
        for side, place in {**places, "dogwood": "0201"}.items():
            await here.name(side, "Go", place)
        await here.later(24 * 3600 + 60)
        asked = [side for side, title in await here.open_titles() if title.startswith("Claim")]
        assert "dogwood" not in asked
        for hour in range(11):
            for side in asked:
                if hour in (2, 6):
                    await here.name(side, "Claim", str(claim if side == "ash" else 1))
                if hour == 7:
                    await here.press(here.commander(side), "Claim", "Ready")
            await here.later(3600)
        within = await heard_by_bystanders(here, campaign)
        await here.later(2 * 3600)
        return [within, await heard_by_bystanders(here, campaign)]


async def heard_by_bystanders(here: IslandsServer, campaign: str) -> Heard:
    """Their messages, with the minute of each; without the campaign's own id and hashes."""
    public = (await here.channel("public")).history()
    own = (await here.channel("side:dogwood")).history()
    heard = {
        "dogwood": here.heard("dogwood"),
        "its channel": [(str(one.created_at), one.content) for one in own],
        "public": [(str(one.created_at), one.content) for one in public],
    }
    own_marks = re.compile(rf"{campaign}|[0-9a-f]{{12,}}")
    return {who: [(moment[:16], own_marks.sub("ID", text)) for moment, text in told] for who, told in heard.items()}


async def test_within_a_window_nobody_can_tell_whether_others_met_or_fought(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = {
        "one wins": ({"ash": "0101", "birch": "0102", "cedar": "0101"}, 2),
        "a fight": ({"ash": "0101", "birch": "0102", "cedar": "0101"}, 1),
        "three bargain": ({"ash": "0101", "birch": "0101", "cedar": "0101"}, 1),
    }
    heard: dict[str, list[Heard]] = {}
    for name, (places, claim) in worlds.items():
        folder = tmp_path / name.replace(" ", "")
        folder.mkdir()
        heard[name] = await world(islands_server(folder, monkeypatch), places, claim)
    first = heard["one wins"][0]
    assert first["dogwood"]
    for within, _ in heard.values():
        assert within == first
    # Behind the window: where one has won the turn is over, and where more is to be settled it is not.
    assert heard["one wins"][1] != first
    assert heard["a fight"][1] == first
    assert heard["three bargain"][1] == first
