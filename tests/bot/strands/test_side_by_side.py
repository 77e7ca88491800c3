"""Parts of play that are open side by side: each closes by itself, and others do not notice."""

from datetime import timedelta

from tests.bot.worlds.islands_server import EAST, WEST, IslandsServer
from tests.bot.worlds.simulated_server import said

HOUR = timedelta(hours=1)
DECISION = 12 * 3600


async def test_each_strand_has_a_deadline_of_its_own(here: IslandsServer) -> None:
    await here.part()
    assert list(await here.clocks()) == [EAST, WEST]
    assert await here.open_in(EAST) == ["ash", "birch"]
    assert await here.open_in(WEST) == ["cedar", "dogwood"]


async def test_a_strand_closes_when_its_own_parties_are_ready_and_the_other_stays_as_it_was(
    here: IslandsServer,
) -> None:
    await here.part()
    before, clock = [here.heard(side) for side in ("cedar", "dogwood")], (await here.clocks())[WEST]
    public = await here.texts("public")
    await here.later(3600)
    await here.claim(1, "ash", "birch")
    assert any(title.startswith("Fight on 0101") for _, title in await here.open_titles())
    assert (await here.clocks())[WEST] == clock
    assert [here.heard(side) for side in ("cedar", "dogwood")] == before
    assert await here.texts("public") == public
    assert await here.open_in(WEST) == ["cedar", "dogwood"]


async def test_a_battle_of_one_strand_has_days_and_a_decision_of_another_falls_before_it(here: IslandsServer) -> None:
    await here.part()
    await here.claim(1, "ash", "birch")
    await here.later(DECISION + 60)
    clocks = await here.clocks()
    assert await here.open_in(WEST) != ["cedar", "dogwood"] or clocks[WEST] > here.now()
    assert any(title.startswith("Fight on 0101") for _, title in await here.open_titles())
    closed = [one for one in await here.journal() if one == "closed"]
    assert len(closed) == 3, "where all go, the claims in the east, and those in the west by their deadline"


async def test_ready_means_the_strand_of_its_card(here: IslandsServer) -> None:
    await here.begin()
    await here.go(ash="0101", birch="0101", cedar="0101", dogwood="0102")
    await here.claim(1, "ash", "birch", "cedar")
    # Three with equal claims: each pair bargains by itself, so each side has two cards.
    await here.name("ash", "Offer in ash+birch", "1")
    await here.press(here.ann, "Offer in ash+birch", "Ready")
    await here.name("birch", "Offer in ash+birch", "1")
    await here.press(here.leo, "Offer in ash+birch", "Ready")
    titles = await here.open_titles()
    assert ("ash", "More for ash+birch") in titles
    assert ("ash", "Offer in ash+cedar") in titles
    assert "nothing saved" in here.prompt(here.ann, "Offer in ash+cedar").content.casefold()


async def test_the_command_ready_is_said_of_every_open_strand(here: IslandsServer) -> None:
    await here.begin()
    await here.go(ash="0101", birch="0101", cedar="0101", dogwood="0102")
    await here.claim(1, "ash", "birch", "cedar")
    result = said(await here.slash(here.ann, "orders ready"))
    assert result.count("Offer in ash+") == 2
    assert (await here.journal())[-2:] == ["readied", "readied"]
    await here.slash(here.leo, "orders ready")
    assert ("ash", "More for ash+birch") in await here.open_titles()


async def test_a_dispute_holds_its_own_strand_alone(here: IslandsServer) -> None:
    await here.part()
    await here.claim(1, "ash", "birch")
    await here.name("ash", "Fight on 0101", "ash")
    await here.press(here.ann, "Fight on 0101", "Send this account")
    await here.name("birch", "Fight on 0101", "birch")
    await here.press(here.leo, "Fight on 0101", "Send this account")
    assert "differ" in here.prompt(here.ann, "Fight on 0101").content
    before = (await here.clocks())[EAST]
    await here.claim(0, "dogwood")
    await here.claim(2, "cedar")
    assert (await here.clocks()) == {EAST: before}, "the west has ended, and waits for the east"
    await here.later(7 * 24 * 3600)
    assert (await here.clocks())[EAST] > before, "the fight is given grace"
    fight = (await here.asks_titled("Fight on 0101"))[0]
    await here.slash(here.rita, "referee ruling", battle=fight, account_of="Ash", reason="seen")
    assert ("ash", "Rest") in await here.open_titles()


async def test_reminders_are_by_strand_and_one_message_for_what_falls_due_together(here: IslandsServer) -> None:
    await here.begin()
    await here.go(ash="0101", birch="0101", cedar="0101", dogwood="0102")
    await here.claim(1, "ash", "birch", "cedar")
    await here.press(here.ann, "Offer in ash+birch", "Ready")
    await here.later(9 * 3600 + 60)
    told = [text for _, text in here.heard("ash") if "time is up" in text]
    assert len(told) == 1
    assert "“Offer in ash+cedar”." in told[0]
    assert "ash+birch" not in told[0]
    told = [text for _, text in here.heard("birch") if "time is up" in text]
    assert len(told) == 1
    assert "“Offer in ash+birch”, “Offer in birch+cedar”." in told[0]
    assert not any("time is up" in text for _, text in here.heard("dogwood"))


async def test_pausing_keeps_the_time_that_each_strand_has_left(here: IslandsServer) -> None:
    await here.part()
    await here.claim(1, "ash", "birch")
    before = await here.clocks()
    await here.slash(here.rita, "referee pause")
    assert set((await here.clocks()).values()) == {None}
    await here.later(5 * 3600)
    await here.slash(here.rita, "referee resume")
    after = await here.clocks()
    for strand, moment in before.items():
        assert abs(after[strand] - moment - 5 * HOUR) < timedelta(minutes=1)


async def test_time_without_the_bot_moves_every_strand(here: IslandsServer) -> None:
    await here.part()
    before = await here.clocks()
    await here.restart()
    assert await here.clocks() == before
    await here.env.advance_time(4 * 3600)
    await here.restart()
    after = await here.clocks()
    assert all(after[strand] - before[strand] > 3 * HOUR for strand in before)
