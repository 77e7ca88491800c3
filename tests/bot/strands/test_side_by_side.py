"""Parts of play that are open side by side, and the cards of a side that is asked in several."""

import re
from datetime import timedelta
from itertools import combinations
from typing import Any

import discord
import pytest

from bot.recording import transition
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from tests.bot.worlds import islands
from tests.bot.worlds.islands_server import EAST, WEST, IslandsServer
from tests.bot.worlds.simulated_server import message_of, said
from tests.core.strands.islands import IslandsState, choice
from tests.expected.words import has_words
from tests.message_words import pressable

HOUR = timedelta(hours=1)
DECISION = 12 * 3600


async def test_each_strand_has_a_deadline_of_its_own(here: IslandsServer) -> None:
    await here.part()
    assert list(await here.clocks()) == [EAST, WEST]
    assert await here.open_in(EAST) == ["ash", "birch"]
    assert await here.open_in(WEST) == ["cedar", "dogwood"]


async def test_a_strand_closes_when_its_own_parties_are_ready_and_the_other_stays_as_it_was(here: IslandsServer):
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


async def test_ready_means_the_strand_of_its_card(game: IslandsServer) -> None:
    await game.go(ash="0101", birch="0101", cedar="0101", dogwood="0102")
    await game.claim(1, "ash", "birch", "cedar")
    # Three with equal claims: each pair bargains by itself, so each side has two cards.
    await game.name("ash", "Offer in ash+birch", "1")
    await game.press(game.ann, "Offer in ash+birch", "Ready")
    await game.name("birch", "Offer in ash+birch", "1")
    await game.press(game.leo, "Offer in ash+birch", "Ready")
    titles = await game.open_titles()
    assert ("ash", "More for ash+birch") in titles
    assert ("ash", "Offer in ash+cedar") in titles
    assert "nothing saved" in game.prompt(game.ann, "Offer in ash+cedar").content.casefold()


async def test_the_command_ready_is_said_of_every_open_strand(game: IslandsServer) -> None:
    await game.go(ash="0101", birch="0101", cedar="0101", dogwood="0102")
    await game.claim(1, "ash", "birch", "cedar")
    assert said(await game.slash(game.ann, "orders ready")).count("Offer in ash+") == 2
    assert (await game.journal())[-2:] == ["readied", "readied"]
    await game.slash(game.leo, "orders ready")
    assert ("ash", "More for ash+birch") in await game.open_titles()


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


async def test_reminders_are_by_strand_and_one_message_for_what_falls_due_together(game: IslandsServer) -> None:
    await game.go(ash="0101", birch="0101", cedar="0101", dogwood="0102")
    await game.claim(1, "ash", "birch", "cedar")
    await game.press(game.ann, "Offer in ash+birch", "Ready")
    await game.later(9 * 3600 + 60)
    told = [text for _, text in game.heard("ash") if "time is up" in text]
    assert len(told) == 1
    has_words(told[0], "“Offer in ash+cedar”.", never="ash+birch")
    told = [text for _, text in game.heard("birch") if "time is up" in text]
    assert len(told) == 1
    assert "“Offer in ash+birch”, “Offer in birch+cedar”." in told[0]
    assert not any("time is up" in text for _, text in game.heard("dogwood"))


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


# --- cards by strand --------------------------------------------------------------------------------------------------
# cards and lists of a side that is asked in several strands at once: what belongs together is seen to, on a phone.
WITH_BIRCH, WITH_CEDAR = "ash+birch · treaties", "ash+cedar · treaties"
KINDS = ("Term", "Price")
HEADING = re.compile(r"^(?:\*\*.+\*\* · )?__(.+)__ · closes <t:\d+:R>$", re.MULTILINE)


def treaty_steps(turn: TurnContext[IslandsState], pair: str) -> Steps[int]:
    """Two sides negotiate: first a term and a price each, put to them in turn, then the first of them signs."""
    one, other = pair.split("+")
    asks = [choice(kind.lower(), side, f"{kind}, {pair}", ["0", "1"]) for kind in KINDS for side in (one, other)]
    yield from turn.ask_all_steps(asks)
    yield from turn.at("sign").ask_steps(choice("sign", one, f"Sign, {pair}", ["no", "yes"]))
    return 0


def treaties_steps(turn: TurnContext[IslandsState], island_id: str) -> Steps[dict[str, int]]:
    """Each two sides on an island negotiate by themselves; nothing is won."""
    parties = [side for side in turn.in_play if turn.state.at[side] == island_id]
    pairs = {"+".join(pair): pair for pair in combinations(parties, 2)}
    yield from turn.at("treaties").parting_steps(pairs, treaty_steps)
    return dict.fromkeys(parties, 0)


@pytest.fixture
async def treating(here: IslandsServer, monkeypatch: pytest.MonkeyPatch) -> IslandsServer:
    """Ash, birch and cedar are on one island, where each two of them negotiate; dogwood is alone."""
    monkeypatch.setattr(islands.RULEBOOK, "island", treaties_steps)
    await here.begin()
    await here.go(ash="0101", birch="0101", cedar="0101", dogwood="0102")
    return here


def cards(here: IslandsServer, who: Any, *words: str) -> list[discord.Message]:
    """The open cards of somebody with one of these words in their titles, in the order in which they were sent."""
    return [one for one in here.dms(who) if pressable(one) and any(f"## {word}" in one.content for word in words)]


def heading(card: discord.Message) -> str:
    """What stands in the first line of a card."""
    found = HEADING.match(card.content)
    assert found is not None, card.content
    return found[1]


async def test_cards_of_a_strand_follow_each_other_below_its_name(treating: IslandsServer) -> None:
    shown = cards(treating, treating.ann, *KINDS)
    titles = [re.findall(r"## (.+)", one.content)[0] for one in shown]
    assert titles == ["Term, ash+birch", "Price, ash+birch", "Term, ash+cedar", "Price, ash+cedar"]
    assert [heading(one) for one in shown] == [WITH_BIRCH, WITH_BIRCH, WITH_CEDAR, WITH_CEDAR]
    assert [card.content.count(":R>") for card in shown] == [1, 1, 1, 1], "a clock stands on a card once"


async def test_the_heading_has_the_clock_of_its_own_strand(treating: IslandsServer) -> None:
    await treating.later(3600)
    await treating.press(treating.ann, "Term, ash+birch", "Ready")
    await treating.press(treating.leo, "Term, ash+birch", "Ready")
    clocks = {key.rpartition("/")[2]: moment for key, moment in (await treating.clocks()).items()}
    assert clocks["ash+birch"] > clocks["ash+cedar"]
    for pair, title in {"ash+birch": "Sign", "ash+cedar": "Term"}.items():
        stamp = int(clocks[pair].timestamp())
        content = treating.prompt(treating.ann, f"{title}, {pair}").content
        assert content.startswith(f"__{pair} · treaties__ · closes <t:{stamp}:R>\n")
        assert f" Closes <t:{stamp}:f>.\n" in content


async def test_a_card_says_for_which_strand_its_ready_counts(treating: IslandsServer) -> None:
    await treating.name("ash", "Term, ash+birch", "1")
    term = treating.prompt(treating.ann, "Term, ash+birch").content
    has_words(term, "1 more sheet of yours is open here.", f"Ready counts for {WITH_BIRCH} alone.")
    await treating.press(treating.ann, "Term, ash+birch", "Ready")
    assert f"Ready counts for {WITH_BIRCH} alone." in treating.prompt(treating.ann, "Term, ash+birch").content
    other = treating.prompt(treating.ann, "Term, ash+cedar").content
    assert f"Nothing saved yet. Ready counts for {WITH_CEDAR} alone." in other


async def test_the_list_of_sheets_stands_strand_by_strand_the_soonest_first(treating: IslandsServer) -> None:
    await treating.later(3600)
    for who in (treating.ann, treating.leo):
        await treating.press(who, "Term, ash+birch", "Ready")
    await treating.name("ash", "Price, ash+cedar", "1")
    clocks = {key.rpartition("/")[2]: int(one.timestamp()) for key, one in (await treating.clocks()).items()}
    listed = await treating.slash(treating.ann, "orders show")
    lines = [
        f"__{WITH_CEDAR}__ · closes <t:{clocks['ash+cedar']}:R>",
        "• **Price, ash+cedar**: saved",
        "• **Term, ash+cedar**: nothing saved yet",
        f"__{WITH_BIRCH}__ · closes <t:{clocks['ash+birch']}:R>",
        "• **Sign, ash+birch**: nothing saved yet",
    ]
    assert said(listed).splitlines() == ["**Islands**: 3 sheets are open.", *lines]
    assert "\n".join(["Open now:", *lines]) in said(await treating.slash(treating.ann, "help"))
    rows = [row if isinstance(row, dict) else row.to_dict() for row in message_of(listed).components]
    (menu,) = [one for row in rows for one in row["components"]]
    found = [one["description"] for one in menu["options"]]
    assert found == [f"{WITH_CEDAR}: saved", f"{WITH_CEDAR}: nothing saved yet", f"{WITH_BIRCH}: nothing saved yet"]


async def test_the_list_in_place_of_many_cards_stands_strand_by_strand(
    here: IslandsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transition, "MOST_CARDS", 1)
    monkeypatch.setattr(islands.RULEBOOK, "island", treaties_steps)
    await here.begin()
    await here.go(ash="0101", birch="0101", cedar="0101", dogwood="0102")
    lines = here.dms(here.ann)[-1].content.splitlines()
    assert HEADING.findall("\n".join(lines)) == [WITH_BIRCH, WITH_CEDAR]
    assert [line.partition("**: ")[0] for line in lines if line.startswith("•")] == [
        "• **Price, ash+birch", "• **Term, ash+birch", "• **Price, ash+cedar", "• **Term, ash+cedar",
    ]  # fmt: skip


async def test_the_answer_to_ready_names_each_strand(treating: IslandsServer) -> None:
    assert HEADING.findall(said(await treating.slash(treating.ann, "orders ready"))) == [WITH_BIRCH, WITH_CEDAR]


async def test_a_side_that_is_asked_in_one_strand_reads_of_none(here: IslandsServer) -> None:
    await here.part()
    content = here.prompt(here.ann, "Claim on 0101").content
    assert content.startswith("## Claim on 0101\n")
    assert content.endswith("\n-# Islands · Ash · Claim on 0101")
    assert re.search(r" Closes <t:(\d+):R> \(<t:\1:f>\)\.\n", content)
    has_words(content, "\n-# Nothing saved yet. ", never="Ready counts")


async def test_nobody_reads_of_strands_in_which_others_are_asked(treating: IslandsServer) -> None:
    """Birch and cedar negotiate, too; ash, and dogwood who is alone, read nothing of it."""
    assert "birch+cedar" not in "\n".join(text for side in ("ash", "dogwood") for _, text in treating.heard(side))
    assert "treaties" not in "\n".join(text for _, text in treating.heard("dogwood"))
    for public in ("public", "side:ash", "side:dogwood"):
        assert "treaties" not in await treating.texts(public)
