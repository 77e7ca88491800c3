"""A side that is out of play: nobody is reminded or awaited, everybody may see it, and its seat may be left empty.

The rulebook is the toy one, in which here a side without ships is out of play.
"""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.store.tables import MemberRow, ProposalRow
from bot.verification.verify import verify
from rules_engine.core.basics.base import Side
from rules_engine.core.protocol.asks import Steps
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.records.journal import Seated
from tests import toy
from tests.bot.seats.test_consent import ASKS, answer, begin_playing, entries
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server, use_toy


class Sinking(toy.Toy):
    """The toy rulebook; a side without ships is out of play."""

    def out_of_play(self, state: toy.State) -> frozenset[Side]:
        return frozenset(side for side, ships in state.ships.items() if not ships)

    def turn_steps(self, table: TurnContext[toy.State]) -> Steps[None]:
        state = table.state
        if not self.out_of_play(state):
            yield from super().turn_steps(table)
            for side in self.out_of_play(state):
                table.tell_all(f"{table.name_of(side)} is out of play.")
            return
        table.set_time(state.turn, 0, f"Turn {state.turn}")
        table.tell_all(f"Turn {state.turn} begins.")
        table.show_maps()
        yield from table.ask_all_steps([self._orders(state, side) for side in table.in_play])
        state.turn += 1


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimulatedServer]:
    """A server with a bot that runs."""
    use_toy(monkeypatch)
    monkeypatch.setattr(toy, "RULEBOOK", Sinking())
    async with simulated_server(tmp_path) as made:
        yield made


async def sink(here: SimulatedServer, red: str = "ann") -> None:
    """Blue loses all its ships in the battle of the first turn, and the second begins."""
    both = (here.people[red], here.leo)
    for who in both:
        await here.press(who, "Orders for turn 1", "Ready")
    for who in both:
        await here.fill(who, "Battle of turn 1", "0.0", f0="4", f1="0")
        await here.press(who, "Battle of turn 1", "Send this account")
    assert await here.open_titles() == [("red", "Orders for turn 2")]


async def test_a_side_that_is_out_is_asked_nothing_and_the_others_play_on(here: SimulatedServer) -> None:
    await here.begin()
    await sink(here)
    await here.press(here.ann, "Orders for turn 2", "Ready")
    assert await here.open_titles() == [("red", "Orders for turn 3")]
    assert not any("turn 2" in one.content for one in here.dms(here.leo))


async def test_its_commander_is_told_that_nothing_is_asked_and_what_there_is_to_watch(here: SimulatedServer) -> None:
    campaign = await here.begin()
    await sink(here)
    text = said(await here.slash(here.leo, "help"))
    assert "You command **Blue Fleet**." in text
    assert "Your side is out of play; you may watch." in text
    assert "`/campaign leave`" in text
    assert "`/orders" not in text
    assert "out of play" not in said(await here.slash(here.ann, "help"))
    assert "ships 0" in said(await here.slash(here.leo, "forces"))
    assert (await here.slash(here.leo, "map")).response is not None
    second = await here.found("Second Duel")
    await here.slash(here.leo, "campaign join", side="blue", campaign=second)
    overview = said(await here.dm_slash(here.leo, "help"))
    assert "• Your side is out of play; you may watch." in overview
    assert campaign != second


@pytest.mark.parametrize("command", ["orders show", "orders ready", "orders text"])
async def test_its_commander_who_looks_for_a_sheet_is_told_why_none_will_come(
    here: SimulatedServer, command: str
) -> None:
    await here.begin()
    await sink(here)
    assert said(await here.slash(here.leo, command)) == "Your side is out of play; you may watch."


async def test_the_public_status_marks_it(here: SimulatedServer) -> None:
    campaign = await here.begin()
    assert "out of play" not in said(await here.slash(here.zoe, "campaign status", campaign=campaign))
    await sink(here)
    text = said(await here.slash(here.zoe, "campaign status", campaign=campaign))
    assert f"• Blue Fleet, out of play: <@{here.leo.user.id}>" in text
    assert f"• Red Fleet: <@{here.ann.user.id}>" in text


async def test_its_map_comes_with_the_public_one(here: SimulatedServer) -> None:
    await here.begin()
    before = len([one for one in (await here.channel("side:blue")).history() if one.attachments])
    await sink(here)
    after = len([one for one in (await here.channel("side:blue")).history() if one.attachments])
    assert after == before + 1


async def test_with_a_sheet_still_open_it_is_neither_awaited_nor_reminded(here: SimulatedServer) -> None:
    """The referee takes blue's ships while its sheets are open."""
    await here.begin()
    await here.fill(here.ann, "Orders for turn 1", "0.0", f0="7")
    await here.correct(path="ships.blue", value="0", reason="miscounted")
    assert ("blue", "Orders for turn 1") in await here.open_titles()
    text = said(await here.slash(here.rita, "referee late"))
    assert "Red Fleet" in text
    assert "Blue Fleet" not in text
    await here.later(19 * 3600)
    assert any("time is up" in one.content for one in here.dms(here.ann))
    assert not any("time is up" in one.content for one in here.dms(here.leo))
    await here.press(here.ann, "Orders for turn 1", "Ready")
    assert await here.open_titles() == [("red", "The spoils")], "play does not wait for blue"


async def test_its_last_commander_may_leave_and_nobody_takes_the_seat(here: SimulatedServer) -> None:
    campaign = await here.begin()
    assert "your side's only commander" in said(await here.slash(here.leo, "campaign leave"))
    await sink(here)
    assert said(await here.slash(here.leo, "campaign leave")) == "You have left **First Duel**."
    assert await here.rows(MemberRow.user_id, MemberRow.side == "blue") == []
    text = said(await here.slash(here.zoe, "campaign status", campaign=campaign))
    assert "• Blue Fleet, out of play: nobody" in text.splitlines()
    refused = said(await here.slash(here.zoe, "campaign join", side="blue", campaign=campaign))
    assert refused == "That side is out of play, so it has no seat; you may watch as a spectator."
    assert "your side's only commander" in said(await here.slash(here.ann, "campaign leave"))
    assert "You watch" in said(await here.slash(here.leo, "campaign join", side="spectator", campaign=campaign))
    await here.restart()
    for turn in (2, 3):
        await here.press(here.ann, f"Orders for turn {turn}", "Ready")
    assert verify(await entries(here)).seats


async def test_its_consent_is_not_needed(here: SimulatedServer) -> None:
    await begin_playing(here)
    await sink(here, "rita")
    done = said(await here.slash(here.rita, "referee hand-over", to=here.zoe.user))
    assert "waits" not in done
    assert f"<@{here.zoe.user.id}> is the referee now" in await here.texts("public")
    assert not any(ASKS in one.content for one in here.dms(here.leo))
    assert await here.rows(ProposalRow.token) == []


async def test_a_consent_that_was_asked_for_is_not_waited_for_once_its_side_is_out(here: SimulatedServer) -> None:
    people: dict[str, Any] = {"to": here.zoe.user}
    await begin_playing(here)
    assert said(await here.slash(here.rita, "referee hand-over", **people)).endswith("Blue Fleet.")
    await sink(here, "rita")
    done = said(await here.slash(here.rita, "referee hand-over", **people))
    assert done == f"{here.zoe.user.mention} is the referee of **First Duel** now."
    assert await here.rows(ProposalRow.token) == []


async def substitute(here: SimulatedServer) -> str:
    """The referee wants zoe, who has watched, to take ann's seat: ann and blue are asked for their consent."""
    return said(await here.slash(here.rita, "referee substitute", leaving=here.ann.user, arriving=here.zoe.user))


async def test_the_last_consent_of_those_in_play_is_enough(here: SimulatedServer) -> None:
    campaign = await here.begin()
    await here.slash(here.zoe, "campaign join", side="spectator", campaign=campaign)
    await here.slash(here.zoe, "campaign leave", campaign=campaign)
    assert "Blue Fleet" in await substitute(here)
    await sink(here)
    assert "Blue Fleet" not in await substitute(here)
    assert (await answer(here, here.ann)).startswith("You agree, and it is done.")
    assert await here.rows(MemberRow.user_id, MemberRow.side == "red") == [here.zoe.user.id]


async def test_what_all_in_play_have_agreed_to_is_done_when_it_is_asked_again(here: SimulatedServer) -> None:
    campaign = await here.begin()
    await here.slash(here.zoe, "campaign join", side="spectator", campaign=campaign)
    await here.slash(here.zoe, "campaign leave", campaign=campaign)
    await substitute(here)
    assert (await answer(here, here.ann)) == "You agree. It still takes the consent of Blue Fleet."
    assert "Blue Fleet" in await substitute(here)
    await sink(here)
    assert await substitute(here) == f"{here.zoe.user.mention} commands Red Fleet now, instead of {here.ann.mention}."
    assert await here.rows(ProposalRow.token) == []
    seated = (await entries(here))[-1].body
    assert isinstance(seated, Seated)
    assert seated.text.endswith(f"with the consent of user:{here.ann.user.id}")


async def test_who_is_away_is_replaced_without_the_consent_of_a_side_that_is_out(here: SimulatedServer) -> None:
    campaign = await here.begin()
    await here.slash(here.rita, "referee extend", by="20d")
    await here.slash(here.zoe, "campaign join", side="spectator", campaign=campaign)
    await here.slash(here.zoe, "campaign leave", campaign=campaign)
    await substitute(here)
    await here.later(73 * 3600)
    assert "Blue Fleet" in await substitute(here), "in play it is asked in any case"
    await here.correct(path="ships.blue", value="0", reason="miscounted")
    assert await substitute(here) == f"{here.zoe.user.mention} commands Red Fleet now, instead of {here.ann.mention}."
