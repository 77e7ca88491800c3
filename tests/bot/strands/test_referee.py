"""What a referee does to parts of play that are open side by side, and who is told of it."""

import re
from datetime import timedelta
from typing import Any

import pytest

from bot.errors import Sorry
from bot.recording import transition
from tests.bot.worlds.islands_server import EAST, WEST, IslandsServer
from tests.bot.worlds.simulated_server import said

HOUR = timedelta(hours=1)


async def menu(here: IslandsServer) -> Any:
    """The list of what could be closed now."""
    listed = await here.slash(here.rita, "referee resolve-now")
    assert listed.response is not None
    return listed.response


def options(message: Any) -> dict[str, str]:
    """The entries of its menu: values by label."""
    rows = [row if isinstance(row, dict) else row.to_dict() for row in message.components]
    (select,) = [one for row in rows for one in row["components"] if "options" in one]
    return {one["label"]: one["value"] for one in select["options"]}


async def test_all_running_deadlines_move_together_and_nobody_is_told_a_moment(here: IslandsServer) -> None:
    await here.part()
    await here.claim(1, "ash", "birch")
    before = await here.clocks()
    result = said(await here.slash(here.rita, "referee extend", by="6h"))
    assert "<t:" not in result
    assert await here.clocks() == {strand: moment + 6 * HOUR for strand, moment in before.items()}
    told = (await here.texts("public")).splitlines()[-1]
    assert told == "🕰️ All running deadlines fall 6 hours later."
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
    told = said(await here.slash(here.rita, "referee late"))
    east, west = told.split("**Claim on 0102**")
    assert "**Claim on 0101**" in east
    assert "**Birch**" in east
    assert "**Ash**" not in east
    assert "**Cedar**" in west
    assert "**Dogwood**" in west


async def test_play_goes_back_into_a_parting(here: IslandsServer) -> None:
    campaign = await here.part()
    await here.claim(1, "ash", "birch")
    await here.claim(2, "cedar", "dogwood")
    offered = dict(await here.bot.services.referee.rewinding.points(campaign, here.rita.user.id))
    (east,) = [seq for seq, label in offered.items() if label.endswith("meet 0101 closed")]
    listed = await here.slash(here.rita, "referee rewind", to=str(east))
    assert listed.response is not None
    shown = await here.rita.click(listed.response, label=f"Go back to entry {east} …")
    await here.submit(here.rita, shown, text="a slip")
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


async def test_a_side_that_is_asked_in_many_strands_gets_one_list(
    here: IslandsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    shown = await here.ann.user.select(newest, [token])
    assert "Offer in ash+cedar" in said(shown)
