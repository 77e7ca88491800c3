"""Two bots write to one campaign: whoever comes second is judged again by what the first made of it."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import pytest
import sqlalchemy as sa
from structlog.testing import capture_logs

from bot.campaigns.loaded import AnyAdjudicator
from bot.errors import Sorry, Stale
from bot.orders.open_prompt import OpenPrompt, PlayedOn
from bot.records.campaigns import CampaignStatus
from bot.store.repositories.journal import Journal
from bot.store.tables import JournalRow, OutboxRow
from rules_engine.core.records.journal import Answered, JournalEntry
from rules_engine.core.running.transitions import Transition
from tests import toy
from tests.bot.worlds.two_bots import ANN, LEO, RITA, ZOE, Bot, before_writing, sound
from tests.databases import POSTGRESQL

Two = tuple[Bot, Bot]
Game = tuple[Bot, Bot, str]


@pytest.fixture
async def game(two: Two) -> Game:
    """Two bots, and the campaign that one of them began."""
    a, b = two
    return a, b, await a.begin()


def overtaken(logs: list[Any]) -> int:
    """How often something was judged anew."""
    return sum(one["event"] == "overtaken" for one in logs)


def answers(entries: list[JournalEntry]) -> list[tuple[str, int]]:
    """Who named which number, in order."""
    bodies = [entry.body for entry in entries if isinstance(entry.body, Answered)]
    return [(body.side, body.document["fleet"]["number"]) for body in bodies]


# --- both answer ------------------------------------------------------------------------------------------------------
async def test_who_answers_from_a_memory_that_is_behind_catches_up_first(game: Game) -> None:
    a, b, campaign = game
    mine, theirs = await a.token(campaign, ANN), await b.token(campaign, LEO)
    assert a.loaded.in_memory() == b.loaded.in_memory() == 1
    with capture_logs() as logs:
        await b.name(theirs, LEO, 4)
        answered = await a.name(mine, ANN, 7)
    assert overtaken(logs) == 0, "the look at the head was enough"
    assert isinstance(answered, OpenPrompt)
    entries = await sound(campaign, a, b)
    assert answers(entries) == [("blue", 4), ("red", 7)]
    assert answered.state.receipt == entries[-1].receipt


async def test_who_is_overtaken_while_it_writes_is_judged_again(game: Game) -> None:
    a, b, campaign = game
    mine, theirs = await a.token(campaign, ANN), await b.token(campaign, LEO)
    before_writing(a.store, lambda: b.name(theirs, LEO, 4))
    with capture_logs() as logs:
        answered = await a.name(mine, ANN, 7, interaction_id=5)
    assert overtaken(logs) == 1
    entries = await sound(campaign, a, b)
    assert answers(entries) == [("blue", 4), ("red", 7)]
    assert answered.state.receipt == entries[-1].receipt, "that of the entry that stands"
    with pytest.raises(Sorry, match="seen"):
        await a.name(mine, ANN, 8, interaction_id=5)
    assert await sound(campaign, a, b) == entries


async def test_both_sides_are_ready_at_once_and_play_goes_on_once(game: Game) -> None:
    a, b, campaign = game
    mine, theirs = await a.token(campaign, ANN), await b.token(campaign, LEO)
    await a.name(mine, ANN, 7)
    before_writing(a.store, lambda: b.services.orders.readiness.say(theirs, LEO, is_ready=True))
    assert isinstance(await a.services.orders.readiness.say(mine, ANN, is_ready=True), PlayedOn)
    entries = await sound(campaign, a, b)
    assert [entry.body.kind for entry in entries] == ["genesis", "seated", "answered", "readied", "readied", "closed"]


async def test_any_number_of_answers_at_once_all_stand(game: Game) -> None:
    a, b, campaign = game
    mine, theirs = await a.token(campaign, ANN), await b.token(campaign, LEO)
    for number in range(2, 8):
        tries = await asyncio.gather(a.name(mine, ANN, number), b.name(theirs, LEO, number), return_exceptions=True)
        assert not [one for one in tries if isinstance(one, BaseException)]
        await sound(campaign, a, b)
    entries = await a.entries(campaign)
    for side in ("red", "blue"):
        assert [number for one, number in answers(entries) if one == side] == [2, 3, 4, 5, 6, 7]


async def test_who_is_overtaken_again_and_again_is_refused_politely_and_may_try_again(game: Game) -> None:
    a, b, campaign = game
    mine = await a.token(campaign, ANN)
    before_writing(a.store, lambda: b.remark(campaign), times=3)
    with capture_logs() as logs, pytest.raises(Sorry) as refused:
        await a.name(mine, ANN, 7, interaction_id=5)
    assert refused.value.code == "overtaken"
    assert "nothing was changed. Try again." in refused.value.text
    assert overtaken(logs) == 3
    entries = await sound(campaign, a, b)
    assert [entry.body.kind for entry in entries] == ["genesis", "seated", "remarked", "remarked", "remarked"]
    async with a.store.read() as tx:
        assert [prompt.draft for prompt in await tx.prompts.open_of(campaign, "red")] == [None, None]
    await a.name(mine, ANN, 7, interaction_id=5)
    assert answers(await sound(campaign, a, b)) == [("red", 7)]


async def test_who_is_overtaken_twice_still_succeeds(game: Game) -> None:
    a, b, campaign = game
    mine = await a.token(campaign, ANN)
    before_writing(a.store, lambda: b.remark(campaign), times=2)
    await a.name(mine, ANN, 7)
    assert await a.kinds(campaign) == ["genesis", "seated", "remarked", "remarked", "answered"]


# --- the other goes back ----------------------------------------------------------------------------------------------
async def test_an_answer_to_a_sheet_that_was_rewound_meanwhile_is_stale(game: Game) -> None:
    a, b, campaign = game
    await a.play_turn(campaign)
    old = await a.token(campaign, ANN)
    await b.services.referee.rewinding.rewind(campaign, RITA, 1, "a slip")
    with pytest.raises(Stale):
        await a.name(old, ANN, 9)
    assert (await sound(campaign, a, b))[-1].body.kind == "rewound"
    await a.name(await a.token(campaign, ANN), ANN, 8)
    assert answers(await sound(campaign, a, b)) == [("red", 5), ("red", 8)]


async def test_an_answer_that_was_judged_before_a_rewind_does_not_land_on_the_branch_that_is_cut_off(game: Game):
    a, b, campaign = game
    await a.play_turn(campaign)
    old = await a.token(campaign, ANN)
    before_writing(a.store, lambda: b.services.referee.rewinding.rewind(campaign, RITA, 1, "a slip"))
    with capture_logs() as logs, pytest.raises(Stale):
        await a.name(old, ANN, 9)
    assert overtaken(logs) == 1
    entries = await sound(campaign, a, b)
    assert entries[-1].body.kind == "rewound"
    assert answers(entries) == [("red", 5)]


async def test_the_last_word_that_would_have_closed_a_batch_is_stale_behind_a_rewind(game: Game) -> None:
    a, b, campaign = game
    mine, theirs = await a.token(campaign, ANN), await a.token(campaign, LEO)
    await a.services.orders.readiness.say(theirs, LEO, is_ready=True)
    before_writing(a.store, lambda: b.services.referee.rewinding.rewind(campaign, RITA, 1, "a slip"))
    with pytest.raises(Stale):
        await a.services.orders.readiness.say(mine, ANN, is_ready=True)
    assert [entry.body.kind for entry in await sound(campaign, a, b)] == ["genesis", "seated", "readied", "rewound"]


async def test_a_correction_judged_before_a_rewind_is_judged_again_behind_it(game: Game) -> None:
    a, b, campaign = game
    await a.play_turn(campaign)
    async with a.loaded.use(campaign) as adjudicator:
        assert adjudicator.turn == 2
    before_writing(a.store, lambda: b.services.referee.rewinding.rewind(campaign, RITA, 1, "a slip"))
    await a.services.referee.corrections.edit(campaign, RITA, "ships.red", "3", "they sank")
    assert [entry.body.kind for entry in (await sound(campaign, a, b))[-2:]] == ["rewound", "edited"]
    async with a.loaded.use(campaign) as adjudicator:
        assert adjudicator.turn == 1
        assert (adjudicator._state.ships, adjudicator._state.points["red"]) == ({"red": 3, "blue": 5}, 0)


async def test_a_correction_that_was_prepared_is_stale_when_another_writes_first(game: Game) -> None:
    a, b, campaign = game
    corrections = a.services.referee.corrections
    shown = await corrections.prepare(campaign, RITA, "ships.red", "3", "they sank")
    before_writing(a.store, lambda: b.remark(campaign))
    with pytest.raises(Stale):
        await corrections.make(campaign, RITA, shown.token)
    assert [entry.body.kind for entry in await sound(campaign, a, b)] == ["genesis", "seated", "remarked"]
    shown = await b.services.referee.corrections.prepare(campaign, RITA, "ships.red", "3", "they sank")
    await corrections.make(campaign, RITA, shown.token)  # prepared by one process, made by another
    assert (await sound(campaign, a, b))[-1].body.kind == "edited"


async def test_a_deadline_of_a_batch_that_was_rewound_meanwhile_closes_nothing(game: Game) -> None:
    a, b, campaign = game
    await a.play_turn(campaign)
    async with a.store.read() as tx:
        deadline = await tx.deadlines.of(campaign)
    assert deadline is not None
    before_writing(a.store, lambda: b.services.referee.rewinding.rewind(campaign, RITA, 1, "a slip"))
    assert not await a.services.closing.close(campaign, "deadline", by="clock", opened_seq=deadline.opened_seq)
    assert (await sound(campaign, a, b))[-1].body.kind == "rewound"


async def test_of_two_rewinds_at_once_the_second_knows_of_the_first(game: Game) -> None:
    a, b, campaign = game
    await a.play_turn(campaign)
    before_writing(a.store, lambda: b.services.referee.rewinding.rewind(campaign, RITA, 3, "b's"))
    await a.services.referee.rewinding.rewind(campaign, RITA, 1, "a's")
    entries = await sound(campaign, a, b)
    rewinds = [(body.reason, body.to, body.branch) for body in (one.body for one in entries) if body.kind == "rewound"]
    assert rewinds == [("b's", 3, 1), ("a's", 1, 2)]


async def test_a_rewind_whose_plan_was_overtaken_is_refused(game: Game) -> None:
    a, b, campaign = game
    await a.play_turn(campaign)
    plan = await a.services.referee.rewinding.plan(campaign, RITA, 1)
    theirs = await b.token(campaign, LEO)
    before_writing(a.store, lambda: b.name(theirs, LEO, 4))
    with pytest.raises(Sorry, match="plan-moved"):
        await a.services.referee.rewinding.rewind(campaign, RITA, 1, "a slip", undoes=plan.undone)
    assert answers(await sound(campaign, a, b))[-1] == ("blue", 4)


@pytest.mark.parametrize("two", [POSTGRESQL], indirect=True)
async def test_a_rewind_that_is_committed_within_anothers_transaction_overtakes_it(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite keeps everybody else out from the beginning of a transaction on."""
    a, b, campaign = game
    await a.play_turn(campaign)
    append, came = Journal.append, asyncio.Event()

    async def late(journal: Journal, campaign_id: str, transitions: list[Transition]) -> None:
        if not came.is_set():
            came.set()
            await b.services.referee.rewinding.rewind(campaign, RITA, 1, "a slip")
        await append(journal, campaign_id, transitions)

    monkeypatch.setattr(Journal, "append", late)
    with capture_logs() as logs:
        await a.services.referee.corrections.edit(campaign, RITA, "ships.red", "3", "they sank", interaction_id=5)
    assert overtaken(logs) == 1
    assert [entry.body.kind for entry in (await sound(campaign, a, b))[-2:]] == ["rewound", "edited"]


# --- everything that writes an entry ----------------------------------------------------------------------------------
async def _filling(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    token = await bot.token(campaign, ANN)
    return lambda: bot.name(token, ANN, 7)


async def _being_ready(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    token = await bot.token(campaign, ANN)
    return lambda: bot.services.orders.readiness.say(token, ANN, is_ready=True)


async def _sending_an_account(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    await bot.to_a_battle(campaign)
    token = await bot.token(campaign, ANN, "battle")
    await bot.account(token, ANN, 3, 4)
    return lambda: bot.services.orders.accounts.hand_in(token, ANN)


async def _agreeing(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    await (await _sending_an_account(bot, campaign))()
    theirs = await bot.token(campaign, LEO, "battle")
    await bot.account(theirs, LEO, 3, 5)
    await bot.services.orders.accounts.hand_in(theirs, LEO)
    mine = await bot.token(campaign, ANN, "battle")
    mark = (await bot.services.orders.prompts.prompt(mine, ANN)).state.theirs
    assert mark
    return lambda: bot.services.orders.accounts.agree(mine, ANN, mark)


async def _ruling(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    await (await _sending_an_account(bot, campaign))()
    ((ask_id, _),) = await bot.services.referee.rulings.open_disputes(campaign, RITA)
    return lambda: bot.services.referee.rulings.rule(
        campaign, RITA, ask_id, text=None, account_of="red", reason="it is so"
    )


async def _pausing(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    return lambda: bot.services.referee.clock.pause(campaign, RITA, "lunch")


async def _resuming(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    await bot.services.referee.clock.pause(campaign, RITA, "lunch")
    return lambda: bot.services.referee.clock.resume(campaign, RITA)


async def _extending(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    return lambda: bot.services.referee.clock.extend(campaign, RITA, 3)


async def _changing_settings(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    return lambda: bot.services.seats.seats.change_settings(campaign, RITA, {"orders_minutes": 7.0})


async def _correcting(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    return lambda: bot.services.referee.corrections.edit(campaign, RITA, "ships.red", "3", "they sank")


async def _rewinding(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    await bot.play_turn(campaign)
    return lambda: bot.services.referee.rewinding.rewind(campaign, RITA, 1, "a slip")


async def _closing(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    return lambda: bot.services.closing.close(campaign, "referee", by=str(RITA))


async def _substituting(bot: Bot, campaign: str) -> Callable[[], Awaitable[object]]:
    seats = bot.services.seats.seats
    await seats.substitute(campaign, by=RITA, out_id=ANN, in_id=ZOE, in_name="Zoe")
    async with bot.store.read() as tx:
        (proposal,) = await tx.proposals.of(campaign)
    return lambda: seats.agree(campaign, proposal.token, user_id=ANN)


WRITERS = {
    _filling: ["answered"], _being_ready: ["readied"], _sending_an_account: ["answered"],
    _agreeing: ["answered", "closed"], _ruling: ["ruled", "closed"], _pausing: ["remarked"], _resuming: ["remarked"],
    _extending: ["remarked"], _changing_settings: ["remarked"], _correcting: ["edited"], _rewinding: ["rewound"],
    _closing: ["closed"], _substituting: ["seated"],
}  # fmt: skip


@pytest.mark.parametrize("writer", WRITERS, ids=lambda writer: writer.__name__.strip("_"))
async def test_whatever_writes_an_entry_is_judged_again_when_overtaken(two: Two, writer: Any) -> None:
    """It is carried out once, behind the other's entry, and tells what it would have told had it come second."""
    a, b = two
    overtaken_one, second = await a.begin(), await a.begin("Second Duel")
    told: list[list[tuple[str, str]]] = []
    for campaign in (overtaken_one, second):
        act = await writer(a, campaign)
        before, old = await a.kinds(campaign), len(await posted(a, campaign))
        with capture_logs() as logs:
            if campaign == second:
                await b.remark(campaign)
            else:
                before_writing(a.store, partial(b.remark, campaign))
            await act()
        assert overtaken(logs) == (campaign == overtaken_one)
        assert [entry.body.kind for entry in await sound(campaign, a, b)] == [*before, "remarked", *WRITERS[writer]]
        told.append(sorted((await posted(a, campaign))[old:]))
    assert told[0] == told[1]
    assert told[0]


async def posted(bot: Bot, campaign: str) -> list[tuple[str, str]]:
    """What was put into a campaign's outbox: queues and kinds."""
    async with bot.store.read() as tx:
        query = sa.select(OutboxRow.lane, OutboxRow.kind).where(OutboxRow.campaign_id == campaign)
        return [tuple(row) for row in await tx.connection.execute(query.order_by(OutboxRow.id))]


async def test_what_was_accepted_stands_behind_the_others_entry_though_the_rules_fail(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    a, b, campaign = game
    mine, theirs = await a.token(campaign, ANN), await a.token(campaign, LEO)
    await a.name(mine, ANN, 7)
    await a.services.orders.readiness.say(theirs, LEO, is_ready=True)
    reload, came = a.loaded.reload, asyncio.Event()

    async def late(campaign_id: str) -> AnyAdjudicator:
        if not came.is_set():
            came.set()
            await b.remark(campaign)
        return await reload(campaign_id)

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(a.loaded, "reload", late)
    monkeypatch.setattr(toy.Toy, "_spoils", fail)
    with capture_logs() as logs, pytest.raises(Sorry, match="halted"):
        await a.services.orders.readiness.say(mine, ANN, is_ready=True)
    assert overtaken(logs) == 1
    entries = await sound(campaign, a, b)
    assert [entry.body.kind for entry in entries[2:]] == ["answered", "readied", "remarked", "readied"]
    assert (await a.runtime.directory.info(campaign)).status is CampaignStatus.HALTED


async def test_a_seed_is_revealed_once_whoever_asks_for_the_record(game: Game) -> None:
    a, b, campaign = game
    for _ in range(3):
        await a.play_turn(campaign)
    assert (await a.runtime.directory.info(campaign)).status is CampaignStatus.ENDED
    async with a.store.write() as tx:  # as an earlier version left it, which published the seed with the record alone
        await tx.connection.execute(sa.delete(JournalRow).where(JournalRow.kind == "revealed"))
    before_writing(a.store, lambda: b.services.referee.record.export(campaign, LEO))
    with capture_logs() as logs:
        exported = await a.services.referee.record.export(campaign, ANN)
    assert overtaken(logs) == 1
    entries = await sound(campaign, a, b)
    assert [entry.body.kind for entry in entries].count("revealed") == 1
    assert exported.count("\n") == len(entries)


async def test_of_two_who_start_a_campaign_at_once_one_does(two: Two) -> None:
    a, b = two
    campaign = await a.found()
    before_writing(a.store, lambda: b.start(campaign))
    with pytest.raises(Sorry, match="started"):
        await a.start(campaign)
    assert [entry.body.kind for entry in await sound(campaign, a, b)] == ["genesis", "seated"]
