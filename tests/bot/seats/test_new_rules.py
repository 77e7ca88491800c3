"""Campaigns are carried over to a new version of their rules: between turns by themselves, within one by consent."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.store.tables import CampaignRow
from bot.verification.export_file import VerifyError
from bot.verification.verify import Verdict, verify
from rules_engine.core.basics.refusals import malformed
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.core.records.journal import Answered, Rewound
from tests import toy
from tests.bot.seats.test_seats import Sinking, sink
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server, use_toy

TURN = "Orders for turn 1"
NextVersion = Callable[..., None]


@pytest.fixture
def next_version(monkeypatch: pytest.MonkeyPatch) -> NextVersion:
    """Let the rules be another version: one that tells more as a turn begins, or the same under another name."""
    real = toy.Toy.turn_steps

    def bring(version: str = "2", *, tells_more: bool = True) -> None:
        def turn_steps(self: toy.Toy, table: Any) -> Any:
            table.tell_all("The new rules hold.")
            return (yield from real(self, table))

        monkeypatch.setattr(toy.Toy, "version", version)
        if tells_more:
            monkeypatch.setattr(toy.Toy, "turn_steps", turn_steps)

    return bring


async def verified(here: SimulatedServer) -> Verdict:
    """The record as ``plotroom verify`` judges it."""
    (campaign,) = await here.rows(CampaignRow.id)
    async with here.store.read() as tx:
        return verify(await tx.journal.entries(campaign), (await tx.campaigns.source(campaign)).seed)


async def bodies(here: SimulatedServer, kind: type) -> list[Any]:
    (campaign,) = await here.rows(CampaignRow.id)
    async with here.store.read() as tx:
        return [one.body for one in await tx.journal.entries(campaign) if isinstance(one.body, kind)]


async def to_the_spoils(here: SimulatedServer) -> None:
    """Play has gone on within the first turn: Red chooses."""
    await here.fill(here.ann, TURN, "0.0", f0="7")
    await here.resolve_now()
    assert ("red", "The spoils") in await here.open_titles()


async def test_a_turn_that_has_just_begun_begins_anew_and_keeps_its_orders_when_the_rules_changed(
    here: SimulatedServer, next_version: NextVersion
) -> None:
    await here.begin()
    await here.fill(here.ann, TURN, "0.0", f0="7")
    await here.press(here.ann, TURN, "Ready")
    sent = (await bodies(here, Answered))[-1]
    next_version()
    await here.restart()
    await here.slash(here.leo, "next")
    told = await here.texts("public")
    assert "carried over from version 1 of Secret Numbers to version 2" in told
    assert "What was sent for it stands where it still fits." in told
    assert "The new rules hold." in told
    assert await here.rows(CampaignRow.status) == ["running"]
    (carried,) = await bodies(here, Rewound)
    assert (carried.to, carried.version, carried.by) == (1, "2", "clock")
    assert (await bodies(here, Answered))[-1] == sent
    await here.resolve_now()
    assert "Red Fleet named the higher number." in await here.texts("public"), "its order counted"
    verdict = await verified(here)
    assert any("carried it over to version 2" in line for line in verdict.proves)


async def test_only_the_side_itself_reads_that_its_orders_no_longer_fit_when_a_turn_begins_anew(
    here: SimulatedServer, next_version: NextVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.begin()
    await here.fill(here.ann, TURN, "0.0", f0="7")
    real = toy.Toy._orders

    def other_sheet(state: Any, side: str) -> Any:
        return replace(real(state, side), check=lambda _: [malformed("no longer so", "fleet.number")])

    monkeypatch.setattr(toy.Toy, "_orders", staticmethod(other_sheet))
    next_version()
    await here.restart()
    await here.slash(here.leo, "next")
    lost = "something no longer fits the rules"
    assert [lost in await here.texts(place) for place in ("side:red", "side:blue", "public")] == [True, False, False]
    assert len(await bodies(here, Answered)) == 1, "it was not sent again"


async def test_a_turn_in_its_middle_begins_anew_only_when_all_sides_agree(
    here: SimulatedServer, next_version: NextVersion
) -> None:
    await here.begin()
    await to_the_spoils(here)
    next_version()
    await here.restart()
    assert "This campaign is halted" in said(await here.press(here.ann, "The spoils", "Ready"))
    notice = await here.texts("referee")
    assert "by version 1 of the rules of Secret Numbers, and this bot has version 2" in notice
    assert "all sides are asked" in notice
    first = here.prompt(here.ann, "asks for your consent")
    assert "begin anew" in first.content
    assert "It still takes the consent of Blue Fleet" in said(await here.ann.user.click(first, label="Agree"))
    assert await here.rows(CampaignRow.status) == ["halted"]
    second = here.prompt(here.leo, "asks for your consent")
    assert "it is done" in said(await here.leo.user.click(second, label="Agree"))
    assert await here.rows(CampaignRow.status) == ["running"]
    await here.bot.delivery.idle()
    assert ("blue", TURN) in await here.open_titles()
    assert ("red", "The spoils") not in await here.open_titles()
    await to_the_spoils(here)
    verdict = await verified(here)
    assert any("checked by its hashes alone" in line for line in verdict.proves)


class SinkingWithSpoils(Sinking):
    """A turn of the side that is left has two steps."""

    def turn_steps(self, table: Any) -> Any:
        out = self.out_of_play(table.state)
        yield from super().turn_steps(table)
        if out:
            yield from table.ask_steps(self._spoils(table.in_play[0]))


async def test_a_side_that_is_out_of_play_is_not_asked_whether_a_turn_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_toy(monkeypatch)
    monkeypatch.setattr(toy, "RULEBOOK", SinkingWithSpoils())
    async with simulated_server(tmp_path) as here:
        await here.begin()
        await sink(here)
        await here.press(here.ann, "Orders for turn 2", "Ready")
        assert await here.open_titles() == [("red", "The spoils")]
        real = SinkingWithSpoils.turn_steps

        def tells_more(self: Any, table: Any) -> Any:
            table.tell_all("The new rules hold.")
            return (yield from real(self, table))

        monkeypatch.setattr(SinkingWithSpoils, "turn_steps", tells_more)
        monkeypatch.setattr(toy.Toy, "version", "2")
        await here.restart()
        assert "This campaign is halted" in said(await here.press(here.ann, "The spoils", "Ready"))
        assert not any("asks for your consent" in one.content for one in here.dms(here.leo))
        asked = here.prompt(here.ann, "asks for your consent")
        assert "it is done" in said(await here.ann.user.click(asked, label="Agree"))
        assert await here.rows(CampaignRow.status) == ["running"]
        await here.bot.delivery.idle()
        assert await here.open_titles() == [("red", "Orders for turn 2")]
        await verified(here)


async def test_the_new_rules_hold_from_the_next_turn_though_no_public_map_is_due(
    here: SimulatedServer, next_version: NextVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All are asked as the turn begins, so nobody reads from it that play waits for another."""
    monkeypatch.setattr(TurnContext, "show_maps", lambda *_, **__: None)
    await here.begin()
    await to_the_spoils(here)
    next_version(tells_more=False)
    await here.restart()
    await here.resolve_now()
    assert ("red", "Orders for turn 2") in await here.open_titles()
    assert "From this turn on play goes by version 2" in await here.texts("public")
    await here.restart()
    await here.fill(here.ann, "Orders for turn 2", "0.0", f0="3")
    await here.resolve_now()
    assert await here.rows(CampaignRow.status) == ["running"]
    await verified(here)


async def test_a_turn_in_its_middle_stays_halted_and_the_former_version_finishes_it_when_one_does_not_agree(
    here: SimulatedServer, next_version: NextVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    await here.begin()
    await to_the_spoils(here)
    with monkeypatch.context() as put_back:
        real = toy.Toy.turn_steps
        next_version()
        put_back.setattr(toy.Toy, "version", "2")
        await here.restart()
        await here.press(here.ann, "The spoils", "Ready")
        asked = here.prompt(here.leo, "asks for your consent")
        await here.leo.user.click(asked, label="Do not agree")
        assert await here.rows(CampaignRow.status) == ["halted"]
    monkeypatch.setattr(toy.Toy, "turn_steps", real)
    monkeypatch.setattr(toy.Toy, "version", "1")
    await here.restart()
    await here.slash(here.rita, "referee resume")
    await here.resolve_now()
    assert ("red", "Orders for turn 2") in await here.open_titles()
    next_version()
    await here.restart()
    await here.slash(here.leo, "next")
    assert "carried over from version 1" in await here.texts("public"), "between two turns it goes on by itself"
    assert await here.rows(CampaignRow.status) == ["running"]
    await verified(here)


async def test_the_record_goes_on_by_the_new_version_from_the_next_turn_when_the_old_turn_still_plays_back(
    here: SimulatedServer, next_version: NextVersion
) -> None:
    await here.begin()
    await to_the_spoils(here)
    next_version(tells_more=False)
    await here.restart()
    await here.resolve_now()
    assert ("red", "Orders for turn 2") in await here.open_titles()
    assert "From this turn on play goes by version 2" in await here.texts("public")
    (carried,) = await bodies(here, Rewound)
    assert carried.version == "2"
    assert json.loads(carried.start)["seal"], "the seal is under a mask"
    await here.restart()
    await here.fill(here.ann, "Orders for turn 2", "0.0", f0="3")
    await here.resolve_now()
    assert await here.rows(CampaignRow.status) == ["running"]
    assert (await here.texts("public")).count("From this turn on play goes by") == 1
    await verified(here)
    refused = await here.slash(here.rita, "referee rewind", to="1")
    assert refused.response is not None


async def test_rules_that_changed_under_the_same_version_halt_and_say_so_when_a_turn_has_just_begun(
    here: SimulatedServer, next_version: NextVersion
) -> None:
    await here.begin()
    next_version("1")
    await here.restart()
    assert "halted" in said(await here.press(here.ann, TURN, "Ready"))
    assert "both name version 1 of the rules of Secret Numbers" in await here.texts("referee")


async def test_a_start_that_was_forged_is_found_when_the_record_is_verified(
    here: SimulatedServer, next_version: NextVersion
) -> None:
    await here.begin()
    next_version()
    await here.restart()
    await here.slash(here.leo, "next")
    (campaign,) = await here.rows(CampaignRow.id)
    async with here.store.read() as tx:
        entries = await tx.journal.entries(campaign)
        seed = (await tx.campaigns.source(campaign)).seed
    at = next(number for number, one in enumerate(entries) if isinstance(one.body, Rewound))
    body = entries[at].body
    assert isinstance(body, Rewound)
    start = json.loads(body.start)
    start["state"]["points"] = {"red": 5, "blue": 0}
    forged = body.model_copy(update={"start": json.dumps(start)})
    entries[at] = entries[at].model_copy(update={"body": forged})
    rebuilt = entries[:at]
    for entry in entries[at:]:
        linked = entry.model_copy(update={"prev": rebuilt[-1].hash})
        rebuilt.append(linked.model_copy(update={"hash": linked.computed_hash()}))
    with pytest.raises(VerifyError):
        verify(rebuilt, seed)
