"""Stories: what commanders order, and how the rules alone say it turns out. Seeds are searched until the dice fit.

A story is rehearsed on the engine, without a bot, with one seed after another until what should happen happens; the
bot then plays it with that seed. So a change of the rules changes the seed and not the test, and what the rehearsal
told each side is what the bot must have posted, word by word.
"""

import functools
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from bot.campaigns.scenarios import InstalledScenarios
from bot.recording.drafts import complete, with_values
from bot.settings import BUILT_IN
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.knowledge.reports import Report
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from tests.chance import NONCE

MOST_SEEDS = 400
AT = "2026-01-01T00:00:00.000+00:00"


@dataclass(frozen=True)
class Story:
    """``orders`` are typed into the sheet of that kind by that side; a side without orders is ready with the sheet as
    it is.

    ``asked`` are the kinds of asks, batch by batch, up to the one at which the story ends; ``told`` are words that
    must be told to somebody on the way. Orders are given in the turn in which the story begins. ``first`` is the seed
    that is tried first, because it was the right one when somebody last looked.
    """

    scenario: str
    orders: Mapping[tuple[str, str], str]
    asked: tuple[str, ...]
    told: tuple[str, ...]
    first: int = 1


@dataclass
class Rehearsal:
    """How a story turned out: the asks of each batch as (kind, parties, title), and all that was told.

    A batch is what is open in one strand; of several the first is played first.
    """

    story: Story
    seed: bytes
    batches: list[list[tuple[str, tuple[str, ...], str]]] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)
    entries: list[JournalEntry] = field(default_factory=list)
    sheet_keys: list[str] = field(default_factory=list)

    @property
    def asked(self) -> tuple[str, ...]:
        """The kinds of the batches."""
        return tuple(batch[0][0] for batch in self.batches)

    def told_to(self, side: str) -> list[str]:
        """Everything told to some sides only, including this one."""
        return [one.text for one in self.reports if one.is_for(side) and not one.is_public()]

    def public(self) -> list[str]:
        """What everybody was told."""
        return [one.text for one in self.reports if one.is_public()]

    def secrets_from(self, side: str) -> list[str]:
        """Everything told to others and not to this side, in any wording."""
        own = {one.text for one in self.reports if one.is_for(side)}
        return [one.text for one in self.reports if not one.is_for(side) and one.text not in own]

    def title(self, kind: str, side: str) -> str:
        """The title of the first ask of that kind to that side."""
        return next(
            title for batch in self.batches for found, parties, title in batch if found == kind and side in parties
        )


def rehearse(story: Story, seed: bytes) -> Rehearsal:
    """Play a story on the engine."""
    book, scenario = InstalledScenarios(BUILT_IN).read(story.scenario)
    adjudicator, step = Adjudicator.open(book, title="Rehearsal", scenario=scenario, seed=seed, at=AT, nonce=NONCE)
    played = Rehearsal(story, seed)
    while True:
        played.reports += step.reports
        played.entries.append(step.entry)
        strand = next(iter(adjudicator.strands()), "")
        asks = [ask for ask in adjudicator.open_asks() if ask.strand == strand]
        played.batches.append([(ask.kind, ask.parties, ask.title) for ask in asks])
        played.sheet_keys += [ask.setup.key for ask in asks if ask.setup is not None]
        if len(played.batches) == len(story.asked) or adjudicator.ending is not None:
            return played
        for ask in asks:
            for side in ask.parties:
                _answer(adjudicator, story, ask, side)
        step = adjudicator.close("deadline", by="clock", at=AT, strand=strand, nonce=NONCE)


def _answer(adjudicator: Adjudicator, story: Story, ask: AnyAsk, side: str) -> None:
    text = story.orders.get((ask.kind, side))
    if text is not None:
        sheet = complete(ask, with_values(ask, None, read_sheet(ask.form, text)))
        adjudicator.answer(side, ask.id, sheet, by=side, at=AT)


@functools.cache
def find_seed(key: str) -> Rehearsal:
    """The first seed with which the story of that name happens as told.

    Raises:
        LookupError: when none of many seeds does it; the rules must have changed what can happen.
    """
    story = STORIES[key]
    for number in (story.first, *range(1, MOST_SEEDS)):
        try:
            played = rehearse(story, number.to_bytes(32, "big"))
        except Refused:
            continue  # with these dice the orders are impossible: there is no enemy to attack, say
        words = "\n".join(report.text for report in played.reports)
        if played.asked == story.asked and all(phrase in words for phrase in story.told):
            return played
    raise LookupError(f"the story {key!r} happens with none of {MOST_SEEDS} seeds")


STORIES: dict[str, Story] = {
    name: Story(
        scenario=told["scenario"], orders={(one["ask"], one["side"]): one["text"] for one in told["orders"]},
        asked=tuple(told["asked"]), told=tuple(told["told"]), first=told["first"],
    )
    for name, told in tomllib.loads(Path(__file__).with_name("stories.toml").read_text(encoding="utf-8")).items()
}  # fmt: skip
