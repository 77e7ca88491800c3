"""Campaigns that were begun with versions of a week ago: each is carried over, or what its referee reads is so.

``former/`` has a campaign of each book as the version of that time wrote it: its seed and what its last turn began
with, then its entries to the middle of that turn.
"""

import json
import random
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from bot.campaigns.loaded import Halted, LoadedCampaigns
from bot.campaigns.notices import holding
from bot.campaigns.runtime import Runtime
from bot.campaigns.scenarios import InstalledScenarios
from bot.recording.transaction import Recording
from bot.recording.transition import write_transitions
from bot.records.campaign_settings import CampaignSettings
from bot.records.campaigns import CampaignInfo, CampaignSource, CampaignStatus, NewCampaign
from bot.records.effects import Post
from bot.services import Services
from bot.settings import BUILT_IN
from bot.store.database import Store, open_store
from bot.store.tables import SnapshotRow
from bot.verification.verify import verify
from rules_engine import rulebooks
from rules_engine.core.records.journal import Closed, Genesis, JournalEntry, Rewound, version_of
from rules_engine.core.running.replay import begun_anew, last_boundary, replay
from rules_engine.core.running.transitions import RuleFailure, Snapshot, Transition
from tests.chance import KnownNonces
from tests.databases import prepared_url
from tests.rulebooks.players import AT, Match

FORMER = Path(__file__).parent / "former"
BOOKS = sorted(path.stem for path in FORMER.glob("*.jsonl"))
ROUNDS_AFTER = 3
MOST_CLOSINGS = 12
TURNS_LATER = {0, 1, 2}
"""A turn that plays back is finished by the former rules, and the next, too, where not all are asked as it begins."""
UNREADABLE = {"border_patrol"}
"""Books whose states had another shape then: only a campaign's beginning can be read as it was written."""


class Former:
    """A campaign as a former version left it."""

    def __init__(self, book: str) -> None:
        first, *lines = (FORMER / f"{book}.jsonl").read_text(encoding="utf-8").splitlines()
        self.seed = bytes.fromhex(json.loads(first)["seed"])
        self.snapshot = Snapshot.model_validate(json.loads(first)["snapshot"])
        self.entries = [JournalEntry.model_validate_json(line) for line in lines]
        self.book: Any = rulebooks.rulebook(book)

    @property
    def between_turns(self) -> list[JournalEntry]:
        """The record when the last turn had just begun."""
        return [entry for entry in self.entries if entry.seq <= self.snapshot.seq]

    def begun_anew(self, entries: list[JournalEntry], snapshot: Snapshot | None) -> Match:
        """The campaign, whose turn begins anew by the rules that there are now."""
        start = last_boundary(self.book, entries, self.seed, snapshot)
        adjudicator, step = begun_anew(
            self.book, entries, self.seed, start, by="clock", reason="new rules", at=AT, tracker=rulebooks.tracker()
        )
        game = Match.__new__(Match)
        game.chance, game.seed, game.adjudicator = random.Random(3), self.seed, adjudicator
        game.nonce = KnownNonces(3) if adjudicator.genesis.has_seals else lambda: None
        game.entries, game.steps, game.asked = [*entries], [], {}
        game.take(step)
        return game


def test_there_is_a_former_campaign_of_every_book() -> None:
    assert sorted(rulebooks.installed()) == BOOKS
    for book in BOOKS:
        former = Former(book)
        assert version_of(former.entries) != former.book.version
        assert isinstance(former.entries[-1].body, Closed)
        assert former.entries[-1].seq > former.snapshot.seq


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize("where", ["first turn", "between turns", "within a turn"])
def test_former_campaign_goes_on_by_the_rules_that_there_are_now(book: str, where: str) -> None:
    former = Former(book)
    if book in UNREADABLE and where != "first turn":
        with pytest.raises(RuleFailure):
            former.begun_anew(former.between_turns, former.snapshot)
        return
    game = {
        "first turn": lambda: former.begun_anew(former.entries[:1], None),
        "between turns": lambda: former.begun_anew(former.between_turns, former.snapshot),
        "within a turn": lambda: former.begun_anew(former.entries, former.snapshot),
    }[where]()
    assert game.adjudicator.defects() == []
    game.play(ROUNDS_AFTER)
    again = replay(former.book, game.entries, former.seed)
    assert again.digest() == game.adjudicator.digest()
    assert version_of(game.entries) == former.book.version
    if again.ending is not None:
        game.take(game.adjudicator.reveal(by="clock", at=AT))
    said = verify(game.entries, former.seed).proves
    assert any(f"carried it over to version {former.book.version}" in line for line in said)


# --- in the bot -------------------------------------------------------------------------------------------------------
NOW = datetime(2026, 8, 1, 12, 0, tzinfo=UTC)
ID, RITA = "former", 1


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    """An empty database."""
    made = await open_store(prepared_url(tmp_path))
    yield made
    await made.close()


async def kept(store: Store, former: Former, entries: list[JournalEntry]) -> Services:
    """A bot that finds this record in its database, with somebody in each seat."""
    genesis = entries[0].body
    assert isinstance(genesis, Genesis)
    settings = CampaignSettings()
    info = CampaignInfo(
        id=ID,
        guild_id=1,
        title="Former",
        rulebook=former.book.key,
        status=CampaignStatus.RUNNING,
        referee_id=RITA,
        settings=settings,
        sides=genesis.sides,
    )
    source = CampaignSource(former.book.key, genesis.scenario, former.seed)
    async with store.write() as tx:
        await tx.campaigns.add(NewCampaign(info, source, genesis.version, NOW))
        for number, label in enumerate(genesis.sides, start=11):
            await tx.members.add(ID, number, side=label.key, name="n", at=NOW)
        await tx.journal.append(ID, [Transition(entry=entry) for entry in entries])
        snapshot = former.snapshot
        row = {"campaign_id": ID, "seq": snapshot.seq, "turn": snapshot.turn, "body": snapshot.model_dump_json()}
        await tx.connection.execute(insert(SnapshotRow), row)
    runtime = Runtime(store, LoadedCampaigns(store), now=lambda: NOW)
    return Services.of(runtime, InstalledScenarios(BUILT_IN))


async def to_the_next_turn(services: Services) -> None:
    """Let deadlines fall until the turn has ended: the former turn plays back, so it is finished first."""
    runtime = services.runtime
    for _ in range(MOST_CLOSINGS):
        async with holding(runtime, ID) as adjudicator:
            if adjudicator.played_by == adjudicator.rulebook.version:
                return
            strand, nonce = adjudicator.strands()[0], runtime.nonce()
            step = adjudicator.close("deadline", by="clock", at=runtime.stamp(), strand=strand, nonce=nonce)
            info = await runtime.directory.info(ID)
            async with runtime.store.write() as tx:
                await write_transitions(Recording(tx, info, adjudicator, NOW), [step])


async def told(store: Store) -> str:
    """What was posted in all places, in order."""
    async with store.read() as tx:
        queues = await tx.outbox.due_queues(NOW)
        items = [await tx.outbox.first_of(queue) for queue in queues]
        posted = [
            await tx.outbox.since(ID, item.queue.name, datetime.min.replace(tzinfo=UTC)) for item in items if item
        ]
    return "\n".join(one.content for effects in posted for one in effects if isinstance(one, Post))


@pytest.mark.parametrize("book", [book for book in BOOKS if book not in UNREADABLE])
async def test_bot_carries_a_former_campaign_over_by_itself_when_it_stands_between_turns(
    book: str, store: Store
) -> None:
    former = Former(book)
    services = await kept(store, former, former.between_turns)
    await to_the_next_turn(services)
    async with holding(services.runtime, ID) as adjudicator:
        assert adjudicator.played_by == former.book.version
        assert adjudicator.turn - former.snapshot.turn in TURNS_LATER
    assert f"version {former.book.version}" in await told(store)
    assert (await services.runtime.directory.info(ID)).status in {CampaignStatus.RUNNING, CampaignStatus.PAUSED}


@pytest.mark.parametrize("book", [book for book in BOOKS if book not in UNREADABLE])
async def test_bot_says_what_to_do_with_a_former_campaign_within_a_turn_and_that_works(book: str, store: Store) -> None:
    former = Former(book)
    services = await kept(store, former, former.entries)
    try:
        async with holding(services.runtime, ID):
            pass
    except Halted:
        notice = await told(store)
        assert f"by version {version_of(former.entries)} of the rules" in notice
        assert "all sides are asked whether this turn is to begin anew" in notice
        async with store.read() as tx:
            (proposal,) = await tx.proposals.of(ID)
            by_side = await tx.members.by_side(ID)
        for party in proposal.parties:
            (user,) = by_side[party.partition(":")[2]]
            said = await services.seats.seats.agree(ID, proposal.token, user_id=user)
        assert "it is done" in said
    await to_the_next_turn(services)
    async with holding(services.runtime, ID) as adjudicator:
        assert adjudicator.turn - former.snapshot.turn in TURNS_LATER
    async with store.read() as tx:
        bodies = [one.body for one in await tx.journal.entries(ID)]
    assert any(isinstance(one, Rewound) and one.version == former.book.version for one in bodies)


@pytest.mark.parametrize("book", sorted(UNREADABLE))
@pytest.mark.parametrize("is_within", [False, True])
async def test_bot_asks_nobody_and_names_the_former_version_when_a_turn_cannot_begin_anew(
    book: str, is_within: bool, store: Store
) -> None:
    former = Former(book)
    services = await kept(store, former, former.entries if is_within else former.between_turns)
    with pytest.raises(Halted):
        async with holding(services.runtime, ID):
            pass
    notice = await told(store)
    assert f"by version {version_of(former.entries)} of the rules" in notice
    assert "The host puts back the version of the bot that has the former rules" in notice
    assert "all sides are asked" not in notice
    async with store.read() as tx:
        assert await tx.proposals.of(ID) == []
        assert await tx.journal.entries(ID) == (former.entries if is_within else former.between_turns)
