"""The letters between sides. Appending one is a compare-and-swap, as in the journal: it is taken only behind the letter
that it names as the last between the same two sides."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, Row, func, insert, or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.records.letters.letter import FIRST_PREV, KeptLetter, Letter, LetterKind, PairHead
from bot.store.errors import Overtaken
from bot.store.tables import LetterRow

_LETTER = select(LetterRow.token, LetterRow.letter)


class Letters:
    """All letters."""

    def __init__(self, connection: AsyncConnection) -> None:
        self._connection = connection

    async def append(self, token: str, letter: Letter) -> None:
        """Keep a letter.

        Raises:
            Overtaken: when another came first between these two sides; the transaction is of no use then.
        """
        last = await self.last(letter.campaign, letter.pair)
        number, prev = (0, FIRST_PREV) if last is None else (last.number, last.hash)
        if (letter.number, letter.prev) != (number + 1, prev):
            raise Overtaken(letter.campaign)
        row = {
            "campaign_id": letter.campaign,
            "pair": letter.pair,
            "number": letter.number,
            "token": token,
            "sender": letter.sender,
            "receiver": letter.receiver,
            "kind": letter.kind.value,
            "at": letter.moment,
            "hash": letter.hash,
            "letter": letter.model_dump_json(),
        }
        try:
            await self._connection.execute(insert(LetterRow), row)
        except IntegrityError:  # between our look and our writing
            raise Overtaken(letter.campaign) from None

    async def last(self, campaign_id: str, pair: str) -> Letter | None:
        """The last letter between two sides."""
        query = _LETTER.where(_of_pair(campaign_id, pair)).order_by(LetterRow.number.desc()).limit(1)
        row = (await self._connection.execute(query)).first()
        return None if row is None else _kept(row).letter

    async def find(self, token: str) -> KeptLetter | None:
        """The letter of that token."""
        row = (await self._connection.execute(_LETTER.where(LetterRow.token == token))).first()
        return None if row is None else _kept(row)

    async def between(self, campaign_id: str, pair: str, kinds: Collection[LetterKind]) -> list[KeptLetter]:
        """The letters of these kinds between two sides, in their order."""
        query = _LETTER.where(_of_pair(campaign_id, pair), LetterRow.kind.in_([kind.value for kind in kinds]))
        return [_kept(row) for row in await self._connection.execute(query.order_by(LetterRow.number))]

    async def count(self, campaign_id: str, side: str | None, other: str | None = None) -> int:
        """How many letters a side (None: any) has sent or got, to and from one side or all."""
        query = select(func.count()).select_from(LetterRow).where(_concerning(campaign_id, side, other))
        return await self._connection.scalar(query) or 0

    async def page(
        self, campaign_id: str, side: str | None, other: str | None, *, skip: int, most: int
    ) -> list[KeptLetter]:
        """Some of the same, the newest first."""
        query = _LETTER.where(_concerning(campaign_id, side, other))
        order = (LetterRow.at.desc(), LetterRow.pair.desc(), LetterRow.number.desc())
        return [_kept(row) for row in await self._connection.execute(query.order_by(*order).offset(skip).limit(most))]

    async def handed_to(self, campaign_id: str, side: str) -> list[Letter]:
        """The letters by which something was handed on to a side, oldest first."""
        query = _LETTER.where(
            LetterRow.campaign_id == campaign_id,
            LetterRow.receiver == side,
            LetterRow.kind == LetterKind.HANDED.value,
        )
        order = (LetterRow.at, LetterRow.pair, LetterRow.number)
        return [_kept(row).letter for row in await self._connection.execute(query.order_by(*order))]

    async def sent_since(self, campaign_id: str, side: str, moment: datetime, kinds: Collection[LetterKind]) -> int:
        """How many letters of these kinds a side has sent since a moment."""
        query = select(func.count()).where(
            LetterRow.campaign_id == campaign_id,
            LetterRow.sender == side,
            LetterRow.at > moment,
            LetterRow.kind.in_([kind.value for kind in kinds]),
        )
        return await self._connection.scalar(query) or 0

    async def all_of(self, campaign_id: str) -> list[Letter]:
        """All letters of a campaign, pair by pair, each pair's in order."""
        query = _LETTER.where(LetterRow.campaign_id == campaign_id).order_by(LetterRow.pair, LetterRow.number)
        return [_kept(row).letter for row in await self._connection.execute(query)]

    async def heads(self, campaign_id: str) -> list[PairHead]:
        """Each pair that has written, with how many letters, and the hash of the last."""
        latest = (
            select(LetterRow.pair, func.max(LetterRow.number).label("number"))
            .where(LetterRow.campaign_id == campaign_id)
            .group_by(LetterRow.pair)
            .subquery()
        )
        is_latest = (LetterRow.pair == latest.c.pair) & (LetterRow.number == latest.c.number)
        query = select(LetterRow.pair, LetterRow.number, LetterRow.hash).join(latest, is_latest)
        rows = await self._connection.execute(
            query.where(LetterRow.campaign_id == campaign_id).order_by(LetterRow.pair)
        )
        return [(row.pair, row.number, row.hash) for row in rows]


def _of_pair(campaign_id: str, pair: str) -> ColumnElement[bool]:
    return (LetterRow.campaign_id == campaign_id) & (LetterRow.pair == pair)


def _concerning(campaign_id: str, side: str | None, other: str | None) -> ColumnElement[bool]:
    found = LetterRow.campaign_id == campaign_id
    for key in filter(None, (side, other)):
        found &= or_(LetterRow.sender == key, LetterRow.receiver == key)
    return found


def _kept(row: Row[str, str]) -> KeptLetter:
    return KeptLetter(row.token, Letter.model_validate_json(row.letter))
