"""The journal, letters and drafts: kept word for word, in one order."""

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from bot.records.letters.letter import AGREEING, FIRST_PREV, Draft, Handed, Letter, LetterKind, digest_of
from bot.store.database import Store
from bot.store.errors import Overtaken
from bot.store.repositories.journal import is_cut
from bot.store.repositories.letters.drafts import MOST_KEPT
from bot.store.tables import Base, JournalRow
from rules_engine.core.knowledge.hearsay.items import Hearsay
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.records.journal import GENESIS_HASH, check_chain
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import Transition
from tests import toy
from tests.bot.store.contention import until_one_waits
from tests.bot.store.samples import NOON, SOURCE, Played, founded
from tests.bot.worlds.beside import store_beside
from tests.databases import POSTGRESQL


@pytest.fixture
async def campaign(store: Store) -> Store:
    """A store with a campaign whose journal is empty."""
    await founded(store)
    return store


@pytest.fixture
async def beside(campaign: Store, address: str) -> AsyncIterator[Store]:
    """What another process would have of the same database."""
    other = await store_beside(address)
    yield other
    await other.close()


async def append(store: Store, transitions: Sequence[Transition], campaign_id: str = "c1") -> None:
    async with store.write() as tx:
        await tx.journal.append(campaign_id, transitions)


async def everything(store: Store) -> list[Any]:
    async with store.read() as tx:
        tables = Base.metadata.sorted_tables
        return [sorted(map(repr, (await tx.connection.execute(sa.select(table))).all())) for table in tables]


# --- there and back ---------------------------------------------------------------------------------------------------
async def test_a_journal_comes_out_as_it_was_written_and_replays_to_where_play_stands(campaign: Store) -> None:
    game = Played()
    game.turn()
    game.remark("Ünï — “é” \\ \n")
    await founded(campaign, "c2")
    other = Played()
    await append(campaign, other.transitions, "c2")
    await append(campaign, game.transitions[:1])
    await append(campaign, game.transitions[1:3])
    await append(campaign, game.transitions[3:])
    async with campaign.read() as tx:
        entries = await tx.journal.entries("c1")
        snapshot = await tx.journal.latest_snapshot("c1")
        rows = (await tx.connection.execute(sa.select(JournalRow.__table__).order_by(JournalRow.seq))).mappings().all()
        assert await tx.journal.entries("c2") == other.entries
        assert await tx.journal.reports("c1") == [one for step in game.transitions for one in step.reports]
    assert entries == game.entries
    lines = [(row["seq"], row["kind"], row["hash"], row["entry"]) for row in rows if row["campaign_id"] == "c1"]
    assert lines == [(one.entry.seq, one.entry.body.kind, one.entry.hash, one.line) for one in game.transitions]
    assert snapshot == game.transitions[3].snapshot
    for with_snapshot in (snapshot, None):
        again = replay(toy.RULEBOOK, entries, SOURCE.seed, with_snapshot)
        assert again.checkpoint() == game.adjudicator.checkpoint()
        assert again.head == game.entries[-1]


async def test_the_head_is_the_last_entrys_hash(campaign: Store) -> None:
    game = Played()
    async with campaign.read() as tx:
        assert await tx.journal.head("c1") is None
    for _ in range(11):  # beyond nine, where order by text would go wrong
        await append(campaign, game.transitions[-1:])
        async with campaign.read() as tx:
            assert await tx.journal.head("c1") == game.entries[-1].hash
        game.remark("more")
    async with campaign.read() as tx:
        assert await tx.journal.head("c2") is None


# --- only behind the last entry ---------------------------------------------------------------------------------------
async def refused(store: Store, transitions: Sequence[Transition]) -> None:
    """Nothing of these is taken, nor of what is written together with them."""
    before = await everything(store)

    async def write() -> None:
        async with store.write() as tx:
            await tx.installation.sign_of_life(NOON)
            await tx.journal.append("c1", transitions)

    with pytest.raises(Overtaken) as overtaken:
        await write()
    assert overtaken.value.campaign_id == "c1"
    assert await everything(store) == before


async def test_an_entry_that_was_written_already_is_refused(campaign: Store) -> None:
    game = Played()
    await append(campaign, game.transitions)
    await refused(campaign, game.transitions)
    more = [game.answer("red", 5)]
    await append(campaign, more)
    await refused(campaign, more)


async def test_a_second_beginning_is_refused(campaign: Store) -> None:
    await append(campaign, Played().transitions)
    again = Played()
    assert again.entries[0].prev == GENESIS_HASH
    await refused(campaign, again.transitions)


async def test_a_journal_cannot_begin_in_its_middle(campaign: Store) -> None:
    game = Played()
    game.remark("second")
    await refused(campaign, game.transitions[1:])


async def test_an_entry_behind_another_than_the_last_is_refused_even_if_its_number_is_free(campaign: Store) -> None:
    """Two went on from the same entry. The second's next entry has a number that nobody has taken."""
    one, two = Played(), Played()
    one.answer("red", 3)
    await append(campaign, one.transitions)
    two.answer("blue", 9)
    two.answer("red", 9)
    assert two.entries[:1] == one.entries[:1]
    assert two.entries[2].seq == one.entries[-1].seq + 1
    await refused(campaign, two.transitions[2:])
    await refused(campaign, two.transitions[1:])
    one.answer("blue", 4)
    await append(campaign, one.transitions[2:])
    async with campaign.read() as tx:
        entries = await tx.journal.entries("c1")
    check_chain(entries)
    assert entries == one.entries


async def test_an_entry_whose_number_is_taken_is_refused_even_behind_the_last(campaign: Store) -> None:
    game = Played()
    game.answer("red", 3)
    await append(campaign, game.transitions)
    last = game.entries[-1]
    wrong = game.remark("behind the last, but numbered as it")
    assert wrong.entry.prev == last.hash
    await refused(campaign, [replace(wrong, entry=wrong.entry.model_copy(update={"seq": last.seq}))])


async def test_of_two_processes_that_go_on_from_the_same_entry_one_is_refused(campaign: Store, beside: Store) -> None:
    one, two = Played(), Played()
    await append(campaign, one.transitions)
    one.answer("red", 3)
    two.answer("red", 9)
    outcomes = await asyncio.gather(
        append(campaign, one.transitions[1:]), append(beside, two.transitions[1:]), return_exceptions=True
    )
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NoneType", "Overtaken"]
    async with campaign.read() as tx:
        entries = await tx.journal.entries("c1")
    assert entries == (one.entries if outcomes[0] is None else two.entries)


@pytest.mark.parametrize("address", [POSTGRESQL], indirect=True)
async def test_an_entry_that_was_being_written_at_that_moment_refuses_it(campaign: Store, beside: Store, address: str):
    """SQLite has no such moment: there a writer keeps all others out from its beginning."""
    one, two = Played(), Played()
    await append(campaign, one.transitions)
    one.answer("red", 3)
    two.answer("red", 9)
    async with beside.write() as tx:
        await tx.journal.append("c1", two.transitions[1:])
        late = asyncio.create_task(append(campaign, one.transitions[1:]))
        await until_one_waits(address)
        assert not late.done(), "the entry that is not there yet keeps it waiting"
    with pytest.raises(Overtaken):
        await late
    async with campaign.read() as tx:
        assert await tx.journal.entries("c1") == two.entries


# --- what was rewound -------------------------------------------------------------------------------------------------
async def test_what_was_told_on_a_branch_that_was_cut_off_is_left_out(campaign: Store) -> None:
    """Entries 1 to 7 are played, 8 goes back to 4 (the end of turn 1), 9 to 11 are played, 12 goes back to 9."""
    game = Played()
    game.turn(5)
    game.turn(6)
    game.rewind(4)
    second = game.rewind(game.turn(7)[0].entry.seq)
    last = game.close()
    await append(campaign, game.transitions)
    assert [step.entry.body.kind for step in game.transitions] == [
        "genesis", "answered", "closed", "closed",  # 1 to 4
        "answered", "closed", "closed",  # 5 to 7
        "rewound", "answered", "closed", "closed",  # 8 to 11
        "rewound", "closed",  # 12 and 13
    ]  # fmt: skip
    live = {1, 2, 3, 4, 8, 9, 12, 13}
    told = {step.entry.seq: step.reports for step in game.transitions}
    async with campaign.read() as tx:
        journal = tx.journal
        cuts = await journal.cuts("c1")
        assert cuts == [(4, 8), (9, 12)]
        assert {seq for seq in range(1, 14) if not is_cut(seq, cuts)} == live
        assert await journal.reports("c1") == [one for seq in sorted(live) for one in told[seq]]
        assert await journal.resting_points("c1", 25) == [1, 3, 4, 8, 12, 13]
        assert await journal.resting_points("c1", 2) == [12, 13], "the latest, oldest first"
        assert sorted(seq for seq, reports in told.items() if reports) == [3, 6, 10, 13]
        assert await journal.reports_since("c1", 2, live) == [*told[3], *told[13]]
        assert await journal.reports_since("c1", 3, live) == [*told[13]]
        assert await journal.reports_since("c1", 3, {3, 6}) == [*told[6]]
        assert await journal.last_report("c1", 13) == told[13][-1]
        assert await journal.last_report("c1", 12) == told[3][-1], "6 and 10 were cut off"
        assert await journal.last_report("c1", 2) is None
        assert await journal.last_reports("c1", [2, 3, 6, 12]) == {3: told[3][-1], 6: told[6][-1]}
        entries = await journal.entries("c1")
        snapshot = await journal.latest_snapshot("c1")
    assert snapshot == game.transitions[3].snapshot, "later ones were cut off"
    for with_snapshot in (snapshot, None):
        assert replay(toy.RULEBOOK, entries, SOURCE.seed, with_snapshot).checkpoint() == game.adjudicator.checkpoint()
    assert second.entry.prev == game.entries[10].hash
    assert last.entry == entries[-1]


async def test_a_snapshot_behind_the_last_rewind_counts_again(campaign: Store) -> None:
    game = Played()
    game.turn(5)
    game.rewind(1)
    played = game.turn(6)
    await append(campaign, game.transitions)
    async with campaign.read() as tx:
        entries = await tx.journal.entries("c1")
        assert await tx.journal.latest_snapshot("c1") == played[-1].snapshot
    again = replay(toy.RULEBOOK, entries, SOURCE.seed, played[-1].snapshot)
    assert again.checkpoint() == game.adjudicator.checkpoint()


async def test_the_newest_snapshot_before_an_entry_is_found(campaign: Store) -> None:
    game = Played()
    first, second = game.turn(5)[-1], game.turn(6)[-1]
    await append(campaign, game.transitions)
    assert first.snapshot is not None
    assert second.snapshot is not None
    async with campaign.read() as tx:
        seqs = second.entry.seq + 1, second.entry.seq, first.entry.seq
        found = [await tx.journal.latest_snapshot("c1", before=seq) for seq in seqs]
    assert found == [second.snapshot, first.snapshot, None]


async def test_a_log_is_turned_page_by_page_by_those_who_were_told(campaign: Store) -> None:
    """Of each report that the toy rulebook tells everybody two more are made, of which each side is told one."""
    game = Played()
    game.turn(5)
    game.turn(6)
    game.rewind(4)
    game.turn(7)
    steps = [replace(one, reports=tuple(_told_apart(one.reports))) for one in game.transitions]
    await append(campaign, steps)
    kept = [report for one in steps if one.entry.seq < 5 or one.entry.seq > 7 for report in one.reports]
    async with campaign.read() as tx:
        for side in ("red", "blue"):
            own = [one for one in kept if one.is_for(side)]
            assert [one.to for one in own] == [("*",), (side,)] * 2
            assert await tx.journal.count_told("c1", side) == 4
            for first in range(6):
                for most in (1, 2, 9):
                    page = await tx.journal.told("c1", side, first, most, of=4)
                    assert page == own[first : first + most], (first, most)
        assert await tx.journal.count_told("c1", "green") == 2
        assert await tx.journal.count_told("c2", "red") == 0


def _told_apart(reports: Sequence[Report]) -> Iterator[Report]:
    for report in reports:
        for number, readers in enumerate((("*",), ("blue",), ("red",))):
            yield report.model_copy(update={"number": 3 * report.number + number, "to": readers})


# --- letters and drafts: kept as they were given, each pair's in one order, found by those who look for them ----------
WORDS = 'Ünï — “é” \\ " \t\n🚀 \u2028 <@1>'
MINUTE = timedelta(minutes=1)
HANDED = Handed(items=(Hearsay(source="red", turn=2, about="E1", words=(WORDS,), hex="0101", age=1),), area=("0101",))


def letter(number: int, sender: str = "red", receiver: str = "blue", *, prev: str = FIRST_PREV, **more: Any) -> Letter:
    values: dict[str, Any] = {
        "campaign": "c1", "number": number, "kind": LetterKind.LETTER, "sender": sender, "receiver": receiver,
        "by": "11", "at": (NOON + number * MINUTE).isoformat(timespec="milliseconds"), "turn": 1, "text": WORDS,
        "prev": prev,
    }  # fmt: skip
    return Letter(**{**values, **more}).sealed()


async def kept(store: Store, *letters: Letter) -> None:
    async with store.write() as tx:
        for one in letters:
            await tx.letters.append(f"token-{one.pair}-{one.number}", one)


async def three(store: Store) -> tuple[Letter, Letter, Letter]:
    """Two between red and blue, of which the second is an offer, and then one from green to red."""
    await founded(store)
    first = letter(1)
    second = letter(2, "blue", "red", prev=first.hash, kind=LetterKind.OFFER)
    third = letter(1, "green", "red", at=(NOON + 9 * MINUTE).isoformat(), handed=HANDED.model_dump_json(),
                   kind=LetterKind.HANDED)  # fmt: skip
    await kept(store, first, second, third)
    return first, second, third


async def test_letters_come_out_as_they_were_put_in_and_in_order(store: Store) -> None:
    first, second, third = await three(store)
    async with store.read() as tx:
        assert await tx.letters.all_of("c1") == [first, second, third]
        found = await tx.letters.find("token-blue & red-2")
        assert found is not None
        assert found.letter == second
        assert found.letter.worked_out() == second.hash
        assert await tx.letters.find("nosuch") is None
        assert await tx.letters.last("c1", "blue & red") == second
        assert await tx.letters.last("c1", "blue & green") is None
        assert [one.letter for one in await tx.letters.between("c1", "blue & red", AGREEING)] == [second]
        assert await tx.letters.handed_to("c1", "red") == [third]
        assert await tx.letters.handed_to("c1", "blue") == []
    assert third.hands_on == HANDED


async def test_a_side_finds_its_own_alone_page_by_page(store: Store) -> None:
    first, second, third = await three(store)
    async with store.read() as tx:
        counts = {
            (side, other): await tx.letters.count("c1", side, other)
            for side, other in (("red", None), ("blue", None), ("green", None), ("red", "blue"), ("blue", "green"))
        }
        assert counts == {("red", None): 3, ("blue", None): 2, ("green", None): 1, ("red", "blue"): 2,
                          ("blue", "green"): 0}  # fmt: skip
        assert await tx.letters.count("c1", None) == 3
        assert await tx.letters.count("c2", None) == 0
        assert [one.letter for one in await tx.letters.page("c1", "red", None, skip=0, most=2)] == [third, second]
        assert [one.letter for one in await tx.letters.page("c1", "red", None, skip=2, most=2)] == [first]
        assert [one.letter for one in await tx.letters.page("c1", "blue", "red", skip=0, most=9)] == [second, first]


async def test_what_was_sent_lately_is_counted_by_side_and_kind(store: Store) -> None:
    await three(store)
    async with store.read() as tx:

        async def count(side: str, moment: datetime, *kinds: LetterKind) -> int:
            return await tx.letters.sent_since("c1", side, moment, kinds)

        assert await count("red", NOON, LetterKind.LETTER, LetterKind.OFFER) == 1
        assert await count("red", NOON + MINUTE, LetterKind.LETTER) == 0
        assert await count("blue", NOON, LetterKind.LETTER) == 0
        assert await count("blue", NOON, LetterKind.OFFER) == 1


async def test_each_pairs_last_is_its_head_and_all_heads_have_one_hash(store: Store) -> None:
    _, second, third = await three(store)
    async with store.read() as tx:
        heads = await tx.letters.heads("c1")
        assert await tx.letters.heads("c2") == []
    assert heads == [("blue & red", 2, second.hash), ("green & red", 1, third.hash)]
    assert digest_of(heads) == digest_of(heads[::-1])
    assert digest_of(heads) != digest_of(heads[:1])


@pytest.mark.parametrize("number", [1, 3])
async def test_a_letter_is_taken_only_behind_the_last_of_its_pair(store: Store, number: int) -> None:
    first, second, _ = await three(store)
    for prev in (FIRST_PREV, first.hash, second.hash):
        if (number, prev) != (3, second.hash):
            with pytest.raises(Overtaken):
                await kept(store, letter(number, prev=prev))
    await kept(store, letter(3, prev=second.hash))
    async with store.read() as tx:
        assert [one.number for one in await tx.letters.all_of("c1") if one.pair == "blue & red"] == [1, 2, 3]


def draft(token: str, user_id: int = 11, *, minute: int = 0, handed: Handed | None = None) -> Draft:
    return Draft(token, "c1", user_id, NOON + minute * MINUTE, ("blue", "green"), WORDS, handed)


async def test_a_draft_is_its_writers_until_it_is_dropped(store: Store) -> None:
    await founded(store)
    made = draft("d1", handed=HANDED)
    async with store.write() as tx:
        await tx.letter_drafts.keep(made)
        await tx.letter_drafts.keep(draft("d2", 12))
    async with store.read() as tx:
        assert await tx.letter_drafts.find("d1", 11) == made
        assert await tx.letter_drafts.find("d2", 12) == draft("d2", 12)
        assert await tx.letter_drafts.find("d1", 12) is None
    async with store.write() as tx:
        await tx.letter_drafts.drop("d1")
        assert await tx.letter_drafts.find("d1", 11) is None
        assert await tx.letter_drafts.find("d2", 12) is not None


async def test_of_many_drafts_of_one_person_the_last_are_kept_and_old_ones_of_all_forgotten(store: Store) -> None:
    await founded(store)
    async with store.write() as tx:
        await tx.letter_drafts.keep(draft("other", 12))
        for number in range(MOST_KEPT + 2):
            await tx.letter_drafts.keep(draft(f"d{number}", minute=number))
        found = [await tx.letter_drafts.find(f"d{number}", 11) for number in range(MOST_KEPT + 2)]
        assert [one is None for one in found] == [True, True, *[False] * MOST_KEPT]
        await tx.letter_drafts.forget_before(NOON + 5 * MINUTE)
        assert await tx.letter_drafts.find("other", 12) is None
        assert await tx.letter_drafts.find("d4", 11) is None
        assert await tx.letter_drafts.find("d5", 11) is not None


def test_a_letter_from_a_later_version_is_read_as_far_as_it_can_be() -> None:
    later = letter(1, handed='{"items":[],"area":[],"view":null,"sound":"bang"}')
    assert later.hands_on is None
    assert Letter.model_validate_json(later.model_dump_json()).worked_out() == later.hash
