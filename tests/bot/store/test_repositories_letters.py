"""Letters and drafts: kept as they were given, each pair's in one order, found by those who look for them."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from bot.records.letters.letter import AGREEING, FIRST_PREV, Draft, Handed, Letter, LetterKind, digest_of
from bot.store.database import Store
from bot.store.errors import Overtaken
from bot.store.repositories.letters.drafts import MOST_KEPT
from rules_engine.core.knowledge.hearsay.items import Hearsay
from tests.bot.store.samples import NOON, founded

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
        newest = await tx.letters.page("c1", "red", None, skip=0, most=2)
        assert [one.letter for one in newest] == [third, second]
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
