"""What a referee does to parts of play side by side, and what others hear of it over time."""

import re
from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.errors import Sorry
from bot.recording import transition
from tests.bot.worlds.islands_server import EAST, WEST, IslandsServer, islands_server
from tests.bot.worlds.simulated_server import message_of, said
from tests.expected.words import has_words

HOUR = timedelta(hours=1)


async def menu(here: IslandsServer) -> Any:
    """The list of what could be closed now."""
    listed = await here.slash(here.rita, "referee resolve-now")
    return message_of(listed)


def options(message: Any) -> dict[str, str]:
    """The entries of its menu: values by label."""
    rows = [row if isinstance(row, dict) else row.to_dict() for row in message.components]
    (select,) = [one for row in rows for one in row["components"] if "options" in one]
    return {one["label"]: one["value"] for one in select["options"]}


async def test_all_running_deadlines_move_together_and_nobody_is_told_a_moment(here: IslandsServer) -> None:
    await here.part()
    await here.claim(1, "ash", "birch")
    before = await here.clocks()
    assert "<t:" not in said(await here.slash(here.rita, "referee extend", by="6h"))
    assert await here.clocks() == {strand: moment + 6 * HOUR for strand, moment in before.items()}
    assert (await here.texts("public")).splitlines()[-1] == "🕰️ All running deadlines fall 6 hours later."
    card = here.prompt(here.zoe, "Claim").content
    assert f"<t:{int((before[WEST] + 6 * HOUR).timestamp())}:R>" in card


async def test_one_deadline_moves_and_its_parties_alone_are_told(here: IslandsServer) -> None:
    await here.part()
    before, public = await here.clocks(), await here.texts("public")
    offered = await here.rita.autocomplete(here.hall, "referee extend", "only", "", by="6h")
    by_title = {one["name"]: one["value"] for one in offered}
    assert list(by_title) == ["Claim on 0101", "Claim on 0102"]
    await here.slash(here.rita, "referee extend", by="6h", only=by_title["Claim on 0101"])
    assert await here.clocks() == {EAST: before[EAST] + 6 * HOUR, WEST: before[WEST]}
    assert await here.texts("public") == public
    for side in ("ash", "birch"):
        assert "Claim on 0101: the deadline moves by 6 hours" in await here.texts(f"side:{side}")
    for side in ("cedar", "dogwood"):
        assert "the deadline moves" not in await here.texts(f"side:{side}")


async def test_one_strand_is_closed_early_and_the_others_wait(here: IslandsServer) -> None:
    campaign = await here.part()
    public, west = await here.texts("public"), (await here.clocks())[WEST]
    listed = await menu(here)
    assert list(options(listed)) == ["Claim on 0101", "Claim on 0102", "All of these"]
    token = options(listed)["Claim on 0101"]
    assert "Done" in said(await here.rita.select(listed, [token]))
    assert ("ash", "Fight on 0101") in await here.open_titles()
    assert (await here.clocks())[WEST] == west
    assert await here.texts("public") == public
    assert "The referee closed “Claim on 0101” before the deadline." in await here.texts("side:ash")
    assert "The referee closed" not in await here.texts("side:cedar")
    # What was listed is not what is open now.
    with pytest.raises(Sorry, match="plan-moved"):
        await here.bot.services.referee.clock.close_early(campaign, here.rita.user.id, token)
    assert ("ash", "Fight on 0101") in await here.open_titles()


async def test_all_are_closed_early(here: IslandsServer) -> None:
    await here.part()
    listed = await menu(here)
    await here.rita.select(listed, [options(listed)["All of these"]])
    assert {title for _, title in await here.open_titles()} == {"Fight on 0101", "Fight on 0102"}


async def test_who_is_late_is_listed_strand_by_strand(here: IslandsServer) -> None:
    await here.part()
    await here.press(here.ann, "Claim", "Ready")
    east, west = said(await here.slash(here.rita, "referee late")).split("**Claim on 0102**")
    has_words(east, "**Claim on 0101**", "**Birch**", never="**Ash**")
    has_words(west, "**Cedar**", "**Dogwood**")


async def test_play_goes_back_into_a_parting(here: IslandsServer) -> None:
    campaign = await here.part()
    await here.claim(1, "ash", "birch")
    await here.claim(2, "cedar", "dogwood")
    offered = dict(await here.bot.services.referee.rewinding.points(campaign, here.rita.user.id))
    (east,) = [seq for seq, label in offered.items() if label.endswith("meet 0101 closed")]
    await here.go_back(east, "a slip")
    titles = await here.open_titles()
    assert ("ash", "Fight on 0101") in titles
    assert ("cedar", "Claim on 0102") in titles
    assert list(await here.clocks()) == [EAST, WEST]
    await here.claim(0, "cedar")
    await here.claim(2, "dogwood")
    assert list(await here.clocks()) == [EAST]


async def test_a_process_that_ends_in_the_middle_of_a_parting_goes_on_where_it_was(here: IslandsServer) -> None:
    await here.part()
    await here.claim(1, "ash", "birch")
    await here.name("cedar", "Claim", "2")
    before, titles = await here.clocks(), await here.open_titles()
    await here.restart()
    assert await here.clocks() == before
    assert await here.open_titles() == titles
    await here.claim(0, "dogwood")
    await here.press(here.zoe, "Claim", "Ready")
    assert list(await here.clocks()) == [EAST]


async def test_a_side_that_is_asked_in_many_strands_gets_one_list(here: IslandsServer, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(transition, "MOST_CARDS", 2)
    await here.begin()
    await here.go(ash="0101", birch="0101", cedar="0101", dogwood="0101")
    await here.claim(1, "ash", "birch", "cedar", "dogwood")
    newest = here.dms(here.ann)[-1]
    assert newest.content.startswith("**Islands**: 3 sheets are open.")
    lines = newest.content.splitlines()[1:]
    for heading, sheet, other in zip(lines[::2], lines[1::2], ("birch", "cedar", "dogwood"), strict=True):
        assert re.fullmatch(rf"__ash\+{other} · bargains__ · closes <t:\d+:R>", heading)
        assert sheet == f"• **Offer in ash+{other}**: nothing saved yet"
    assert not any("Offer in" in one.content for one in here.dms(here.ann) if one.id != newest.id)
    token = options(newest)["Offer in ash+cedar"]
    assert "Offer in ash+cedar" in said(await here.ann.user.select(newest, [token]))


# --- two worlds that differ in what happens elsewhere: whoever takes no part hears the same at the same moments -------
# With fixed windows that holds until the window ends; what outlasts it is noticed, and said in the rulebook's notes.
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
