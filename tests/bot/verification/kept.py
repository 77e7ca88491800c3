"""A record as the bot keeps it, and what somebody who has the seed can make of one."""

from collections.abc import Callable, Sequence
from typing import Any

from rules_engine.core.basics.base import Json
from rules_engine.core.records.journal import EntryBody, JournalEntry, Seated, write_entry
from rules_engine.core.running.replay import rewind
from tests.rulebooks.players import Match, random_answer
from tests.rulebooks.test_every_rulebook import MOST_ROUNDS, SHELF

KEY = "cutler/intro"
REFEREE = "rita"


class Kept(Match):
    """A campaign whose record says who sat where, who was ready, what the referee did, and that one went back."""

    def __init__(self, seed: int) -> None:
        super().__init__(*SHELF.read(KEY), seed)
        self._minute = 0
        self.seat("play begins")

    def at(self) -> str:
        """A minute later each time."""
        self._minute += 1
        return f"2026-01-{1 + self._minute // 1440:02}T{self._minute // 60 % 24:02}:{self._minute % 60:02}:00.000+00:00"

    def seat(self, text: str, **commanders: tuple[str, ...]) -> None:
        """Everybody sits with the side whose name they have, unless it is said otherwise."""
        seats = {label.key: (label.key,) for label in self.adjudicator.sides} | commanders
        body = Seated(by=REFEREE, referee=REFEREE, commanders=seats, text=text)
        self.take(self.adjudicator.seat(body, at=self.at()))

    def round(self, silent: Sequence[str] = ()) -> None:
        adjudicator = self.adjudicator
        strand = adjudicator.strands()[0]
        agreed: dict[str, Json] = {}
        for label in adjudicator.sides:
            asks = [ask for ask in adjudicator.asks_for(label.key) if ask.strand == strand]
            for ask in asks:
                if label.key in silent and len(ask.parties) == 1:
                    continue
                if ask.id not in agreed:
                    agreed[ask.id] = random_answer(adjudicator, label.key, ask, self.chance)
                self.take(adjudicator.answer(label.key, ask.id, agreed[ask.id], by=label.key, at=self.at()))
            if asks and label.key not in silent:
                self.take(adjudicator.ready(label.key, is_ready=True, by=label.key, at=self.at(), strand=strand))
        reason: Any = "all ready" if adjudicator.all_done(strand) else "deadline"
        self.take(adjudicator.close(reason, by="clock", at=self.at(), strand=strand, nonce=self.nonce()))

    def remark(self, topic: str, text: str) -> None:
        """The referee's."""
        self.take(self.adjudicator.remark(topic, text, by=REFEREE, at=self.at()))

    def go_back(self, to: int) -> None:
        """Back to just after an entry."""
        book = self.adjudicator.rulebook
        at = self.at()
        self.adjudicator, step = rewind(book, self.entries, self.seed, to=to, by=REFEREE, reason="a slip", at=at)
        self.take(step)

    def whole(self) -> list[JournalEntry]:
        """To its end, with the seed behind it."""
        for _ in range(4):
            self.round()
        self.remark("extend", "3 hours")
        self.go_back([entry.seq for entry in self.entries if entry.body.kind == "closed"][1])
        self.round(silent=("klingon",))
        self.play(MOST_ROUNDS)
        assert self.adjudicator.ending is not None
        self.take(self.adjudicator.reveal(by="clock", at=self.at()))
        return self.entries


Change = Callable[[list[tuple[str, EntryBody]]], None]


def forged(entries: Sequence[JournalEntry], seed: bytes, change: Change) -> list[JournalEntry]:
    """The record with something changed, and numbers, links, salts and hashes all made to fit again."""
    lines = [(entry.at, entry.body) for entry in entries]
    change(lines)
    made: list[JournalEntry] = []
    for at, body in lines:
        entry, _ = write_entry(made[-1] if made else None, body, at=at, seed=seed)
        made.append(entry)
    return made
