"""Sending letters: who may write to whom, how much, and each letter once, in the order of its two sides."""

import secrets
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta

from bot.campaigns.directory import seat_in
from bot.campaigns.loaded import AnyAdjudicator
from bot.campaigns.notices import holding
from bot.campaigns.permissions import require
from bot.campaigns.runtime import Runtime
from bot.errors import Sorry, Stale
from bot.faults import point
from bot.letters.names import sides_named
from bot.letters.posting import post_letter
from bot.recording.commit import judged_again, mark_seen
from bot.recording.transaction import Recording
from bot.records.campaign_settings import CampaignSettings
from bot.records.campaigns import IN_PLAY, CampaignInfo
from bot.records.letters.agreements import NotNow, agreements_in
from bot.records.letters.letter import (
    AGREEING,
    FIRST_PREV,
    Draft,
    Handed,
    KeptLetter,
    Letter,
    LetterKind,
    pair_of,
)
from bot.store.transaction import Transaction

DAY = timedelta(days=1)
AGAIN = timedelta(minutes=10)
"""Who says the same to the same side again so soon, with nothing between, got no answer the first time."""

MOST_LINES = 40
KEPT = timedelta(hours=24)
"""How long what somebody has seen before it is sent may still be sent."""

COUNTED = frozenset({LetterKind.LETTER, LetterKind.HANDED, LetterKind.OFFER})
"""Kinds of letters that a side's number in a day is counted of; answers to offers are as many as the offers."""

GONE = "This is not kept any more: it was sent already, or you prepared others since. `/letters` shows what was sent."


@dataclass(frozen=True, slots=True)
class Writing:
    """What somebody wants to say: the kind of letter, and to which offer it belongs."""

    text: str = ""
    kind: LetterKind = LetterKind.LETTER
    about: int | None = None
    until: int | None = None
    handed: Handed | None = None


Sent = list[tuple[Letter, bool]]
"""Letters, and whether each is new; one that is not was sent a moment ago."""


@dataclass(frozen=True, slots=True)
class LetterWriter:
    """A commander who may write letters now: the campaign, the side, the other sides in play by name."""

    campaign: CampaignInfo
    adjudicator: AnyAdjudicator
    user_id: int
    side: str
    others: Mapping[str, str]

    @property
    def names(self) -> dict[str, str]:
        """All sides by key."""
        return self.campaign.side_names


class Correspondence:
    """Writes letters."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    async def receivers(self, campaign_id: str, user_id: int) -> dict[str, str]:
        """The sides that somebody may write to, by key.

        Raises:
            Sorry: when they may write to nobody.
        """
        async with self.as_writer(campaign_id, user_id) as writer:
            return dict(writer.others)

    async def named(self, campaign_id: str, user_id: int, typed: str) -> tuple[str, ...]:
        """The sides that somebody names. Raises Sorry, naming those there are."""
        return sides_named(typed, await self.receivers(campaign_id, user_id))

    @asynccontextmanager
    async def as_writer(self, campaign_id: str, user_id: int) -> AsyncGenerator[LetterWriter, None]:
        """Hold a campaign for somebody who may write letters in it now.

        Raises:
            Sorry: when they may not, saying why.
        """
        campaign, caller = await self._runtime.directory.seat(campaign_id, user_id)
        require(caller, "letter")
        _check_open(campaign)
        assert caller.side is not None
        async with holding(self._runtime, campaign_id, campaign.head) as adjudicator:
            if adjudicator.is_out(caller.side):
                raise Sorry("Your side is out of play: it writes no more letters.", code="out-of-play")
            others = {
                key: name
                for key, name in campaign.side_names.items()
                if key != caller.side and not adjudicator.is_out(key)
            }
            yield LetterWriter(campaign, adjudicator, user_id, caller.side, others)

    @judged_again
    async def write(
        self, campaign_id: str, user_id: int, to: Sequence[str], writing: Writing, *, interaction_id: int | None = None
    ) -> Sent:
        """Send a letter to one side or several, a copy to each; none of them learns of the others.

        Raises:
            Sorry: when it cannot be sent; then it goes to nobody.
        """
        async with self.as_writer(campaign_id, user_id) as writer, self._runtime.store.write() as tx:
            await mark_seen(self._runtime, tx, interaction_id)
            return await self._send(writer, tx, to, writing)

    async def _send(self, writer: LetterWriter, tx: Transaction, to: Sequence[str], writing: Writing) -> Sent:
        """The same within a transaction."""
        campaign, caller = await seat_in(tx, writer.campaign.id, writer.user_id)  # as it is now
        require(caller, "letter")
        _check_open(campaign)
        if caller.side != writer.side:
            raise Sorry("Your seat has changed meanwhile; nothing was sent.", code="moved-on")
        check_writing(writing, campaign.settings)
        gone = [campaign.side_names.get(one, one) for one in to if one not in writer.others]
        if gone or not to:
            names = ", ".join(gone) or "nobody"
            raise Sorry(f"You cannot write to {names} now. Nothing was sent.", code="unknown-side")
        recording = Recording(tx, campaign, writer.adjudicator, self._runtime.now())
        prepared = [await self._letter(recording, writer, one, writing) for one in dict.fromkeys(to)]
        fresh = [letter for letter, is_new in prepared if is_new]
        await self._check_number(recording, writer.side, [one for one in fresh if one.kind in COUNTED])
        point("letter.before")
        for letter in fresh:
            kept = KeptLetter(secrets.token_urlsafe(12), letter)
            await tx.letters.append(kept.token, letter)
            await post_letter(recording, kept, campaign.side_names)
        point("letter.written")
        return prepared

    async def _letter(
        self, recording: Recording, writer: LetterWriter, to: str, writing: Writing
    ) -> tuple[Letter, bool]:
        """The next letter to a side, and whether it is new."""
        campaign_id, now = recording.campaign.id, recording.now
        last = await recording.tx.letters.last(campaign_id, pair_of(writer.side, to))
        letter = Letter(
            campaign=campaign_id,
            number=1 if last is None else last.number + 1,
            kind=writing.kind,
            sender=writer.side,
            receiver=to,
            by=str(writer.user_id),
            at=now.isoformat(timespec="milliseconds"),
            turn=writer.adjudicator.turn,
            text=writing.text.strip(),
            about=writing.about,
            until=writing.until,
            handed="" if writing.handed is None else writing.handed.model_dump_json(),
            prev=FIRST_PREV if last is None else last.hash,
        )
        if last is not None and last.says_the_same(letter) and now - last.moment < AGAIN:
            return last, False
        if writing.about is not None:
            await _check_agreeing(recording.tx, letter)
        return letter.sealed(), True

    async def _check_number(self, recording: Recording, side: str, letters: Sequence[Letter]) -> None:
        most = recording.campaign.settings.letters_a_day
        if not letters:
            return
        since = recording.now - DAY
        before = await recording.tx.letters.sent_since(recording.campaign.id, side, since, COUNTED)
        if before + len(letters) > most:
            raise Sorry(
                f"A side sends at most {most} letters a day here, and yours has sent {before} in the last 24 hours. "
                "Nothing was sent; keep it for later.",
                code="many-letters",
            )

    # --- what is seen before it is sent ------------------------------------------------------------------------------

    async def prepare(
        self, campaign_id: str, user_id: int, to: Sequence[str], writing: Writing, *, interaction_id: int | None = None
    ) -> tuple[Draft, dict[str, str]]:
        """Keep a letter for its writer to see before it is sent; gives it, and the names of all sides.

        Raises:
            Sorry: when it could not be sent as it is.
        """
        runtime = self._runtime
        async with self.as_writer(campaign_id, user_id) as writer, runtime.store.write() as tx:
            await mark_seen(runtime, tx, interaction_id)
            check_writing(writing, writer.campaign.settings)
            token = secrets.token_urlsafe(12)
            text = writing.text.strip()
            draft = Draft(token, campaign_id, user_id, runtime.now(), tuple(to), text, writing.handed)
            await tx.letter_drafts.forget_before(runtime.now() - KEPT)
            await tx.letter_drafts.keep(draft)
        return draft, writer.names

    @judged_again
    async def send_prepared(self, token: str, user_id: int, *, interaction_id: int | None = None) -> tuple[str, Sent]:
        """Send what its writer has seen, exactly so, once; gives the campaign's id and the letters.

        Raises:
            Stale: when it was sent already, or is kept no more.
            Sorry: when it cannot be sent.
        """
        runtime = self._runtime
        draft = await self._prepared(token, user_id)
        async with self.as_writer(draft.campaign_id, user_id) as writer, runtime.store.write() as tx:
            await mark_seen(runtime, tx, interaction_id)
            if await tx.letter_drafts.find(token, user_id) is None:  # pressed twice at once
                raise Stale(GONE)
            _check_own(draft, writer.side)
            kind = LetterKind.LETTER if draft.handed is None else LetterKind.HANDED
            writing = Writing(draft.text, kind, handed=draft.handed)
            sent = await self._send(writer, tx, draft.to, writing)
            await tx.letter_drafts.drop(token)
        return draft.campaign_id, sent

    async def drop_prepared(self, token: str, user_id: int) -> None:
        """Send nothing after all."""
        await self._prepared(token, user_id)
        async with self._runtime.store.write() as tx:
            await tx.letter_drafts.drop(token)

    async def _prepared(self, token: str, user_id: int) -> Draft:
        async with self._runtime.store.read() as tx:
            draft = await tx.letter_drafts.find(token, user_id)
        if draft is None or self._runtime.now() - draft.at > KEPT:
            raise Stale(GONE)
        return draft


def _check_open(campaign: CampaignInfo) -> None:
    if campaign.status not in IN_PLAY:
        raise Sorry(f"The campaign is {campaign.status}: letters are written while it is played.", code="no-letters")
    if campaign.settings.letters == "off":
        raise Sorry("Sides cannot write to each other in this campaign.", code="letters-off")


def check_writing(writing: Writing, settings: CampaignSettings) -> None:
    """Whether a text may be a letter.

    Raises:
        Sorry: saying what is wrong with it.
    """
    text = writing.text.strip()
    if writing.kind in {LetterKind.ACCEPT, LetterKind.DECLINE, LetterKind.WITHDRAW}:
        return  # the words are the offer's own
    if not text and writing.kind in {LetterKind.LETTER, LetterKind.OFFER}:
        raise Sorry("A letter says something; this has no words.", code="empty-letter")
    if len(text) > settings.letter_length:
        raise Sorry(
            f"A letter has at most {settings.letter_length:,} characters here; this has {len(text):,}. Nothing was "
            "sent.",
            code="long-letter",
        )
    if text.count("\n") >= MOST_LINES:
        raise Sorry(f"A letter has at most {MOST_LINES} lines. Nothing was sent.", code="long-letter")


def _check_own(draft: Draft, side: str) -> None:
    """What was prepared of one side's knowledge is not sent in the name of another."""
    handed = draft.handed
    givers = {one.source for one in handed.items} if handed is not None else set[str]()
    if handed is not None and handed.view is not None:
        givers.add(handed.view.side)
    if givers - {side}:
        raise Stale(GONE)


async def _check_agreeing(tx: Transaction, letter: Letter) -> None:
    """Whether a word about an offer can be said now, after all that was said of it before."""
    said = await tx.letters.between(letter.campaign, letter.pair, AGREEING)
    try:
        agreements_in([*(kept.letter for kept in said), letter])
    except NotNow as why:
        raise Sorry(f"{why} Nothing was changed.", code="not-now") from None
