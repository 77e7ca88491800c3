"""Players for any rulebook: they fill in any form they are given, legally, from a seeded source."""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pydantic import BaseModel

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Field, Form, Line, Sheet
from rules_engine.core.grids.charts import Chart
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.grids.unbounded import Space
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from rules_engine.core.running.transitions import Transition
from tests.chance import KnownNonces
from tests.form_documents import form_text
from tests.rulebooks.vector.phrases import random_phrase
from tests.rules.reached import unnoted

AT = "2026-01-01T00:00:00.000+00:00"
TRIES = 3
OF_A_SERIES = 4
BOLDNESS = 0.6
WALKS = {"course", "route"}
"""Text fields that take a row of adjacent hexes."""
LOOKS = {"scan"}
"""Text fields that take one hex not far from the line's own."""
LONGEST_LOOK = 3


AnyPlaces = Grid | Chart | Space
"""A map of any kind."""

LONGEST_WALK = 6
INWARD = 0.7
"""How often a random walk goes towards the middle of the map, where the enemy is."""


def random_walk(places: AnyPlaces, line: Line, chance: random.Random) -> str | None:
    """A row of adjacent places from the one that the line names; None if it names none, and where none are walked."""
    if isinstance(places, Chart):
        return _random_jumps(places, line, chance)
    if isinstance(places, Space):
        return None
    return _random_hexes(places, line, chance)


def _random_jumps(chart: Chart, line: Line, chance: random.Random) -> str | None:
    """Systems and planets one jump from each other, as routes of lanes are written, sometimes round and round."""
    here = chart.named_in(line.note)
    if not here:
        return None
    walk: list[str] = []
    for _ in range(chance.randint(1, LONGEST_WALK)):
        around = chart.neighbours(here)
        if not around:
            break
        here = chance.choice(around)
        walk.append(chart.called(here))
    return f"{chance.choice(['', '', 'loop '])}{' > '.join(walk)}" if walk else None


def _random_hexes(grid: Grid, line: Line, chance: random.Random) -> str | None:
    """Adjacent hexes, mostly inwards."""
    named = [word for word in re.findall(r"\b\d{4}\b", f"{line.label} {line.note}") if word in grid]
    if not named:
        return None
    here, walk = named[0], []
    hexes = grid.hexes()
    middle = hexes[len(hexes) // 2]
    for _ in range(chance.randint(1, LONGEST_WALK)):
        around = grid.neighbours(here)
        inward = [one for one in around if grid.distance(one, middle) < grid.distance(here, middle)]
        here = chance.choice(inward if inward and chance.random() < INWARD else around)
        walk.append(here)
    return " ".join(walk)


def random_look(grid: AnyPlaces, line: Line, chance: random.Random) -> str | None:
    """A hex not far from the one that the line names; None if it names none."""
    walk = (random_walk(grid, line, chance) or "").split()[:LONGEST_LOOK]
    return walk[-1] if walk else None


def random_value(field: Field, line: Line, grid: AnyPlaces, chance: random.Random) -> Json:
    """Any value that the field's own description allows; None leaves an optional field out."""
    if field.optional and chance.random() < 0.3:
        return None
    match field.kind:
        case "one":
            return chance.choice(field.choices).value if field.choices else None
        case "many":
            picked = [choice.value for choice in field.choices if chance.random() < 0.4]
            return list(picked)
        case "number":
            least = field.least if field.least is not None else 0
            most = field.most if field.most is not None else least + 10
            return chance.randint(least, most)
        case "flag":
            return chance.random() < 0.5
        case "text" if field.key in LOOKS:
            return random_look(grid, line, chance) or field.value
        case "text":
            walk = random_walk(grid, line, chance) if field.key in WALKS else None
            return walk or random_phrase(field, line, chance) or field.value


def changed_line(line: Line, values: dict[str, Json], grid: AnyPlaces, chance: random.Random) -> dict[str, Json]:
    """A line of a sheet with some of its fields changed at random."""
    changed = dict(values)
    for field in line.fields:
        if chance.random() < BOLDNESS:
            value = random_value(field, line, grid, chance)
            if value is None:
                changed.pop(field.key, None)
            else:
                changed[field.key] = value
    return _one_way(changed, values, chance)


def _one_way(changed: dict[str, Json], values: dict[str, Json], chance: random.Random) -> dict[str, Json]:
    """A line that says where to go by a menu or as a way, not by both."""
    ways = [key for key in WALKS if key in changed and changed[key] != values.get(key)]
    if "go" in changed and ways and chance.random() < 0.5:
        del changed["go"]
    elif "go" in changed and ways:
        changed |= {key: values[key] for key in ways if key in values}
        changed = {key: value for key, value in changed.items() if key not in ways or key in values}
    return changed


def random_answer(adjudicator: Adjudicator[Any], side: str, ask: AnyAsk, chance: random.Random) -> Json:
    """A legal answer: line by line something is changed at random, and kept where that is legal.

    A refusal must name what is wrong; any other exception is an error of the rulebook.
    """
    grid = adjudicator.view(side).board.places
    sheet, legal = _beginning(adjudicator, side, ask, chance)
    lines = within_reach(ask.form)
    chance.shuffle(lines)
    for line in lines:
        for _ in range(TRIES):
            tried = {**sheet, line.key: changed_line(line, sheet.get(line.key, {}), grid, chance)}
            answer = legal if tried == sheet else judged(adjudicator, side, ask, tried)
            if answer is not None:
                sheet, legal = tried, answer
                break
    if legal is None:
        assert ask.default is not None, f"{ask.kind}: nothing that was tried is legal and there is no default"
        legal = ask.default
    return legal.model_dump(mode="json", exclude_unset=True)


def within_reach(form: Form) -> list[Line]:
    """The lines of a form; of each series the first few, since the others ask the same again."""
    seen: Counter[str] = Counter()
    lines: list[Line] = []
    for line in form.lines:
        seen[line.series] += 1
        if not line.series or seen[line.series] <= OF_A_SERIES:
            lines.append(line)
    return lines


def _beginning(
    adjudicator: Adjudicator[Any], side: str, ask: AnyAsk, chance: random.Random
) -> tuple[Sheet, BaseModel | None]:
    """The prefilled sheet, or for a battle that is not over by it one in which some side is beaten."""
    sheet = ask.form.prefilled()
    legal = judged(adjudicator, side, ask, sheet)
    if legal is None and ask.pace == "battle":
        for _ in range(30):
            tried = beaten(ask, chance)
            legal = judged(adjudicator, side, ask, tried)
            if legal is not None:
                return tried, legal
    return sheet, legal


def beaten(ask: AnyAsk, chance: random.Random) -> Sheet:
    """A battle's sheet in which every unit of one force (named in brackets by its label) is out of the fight."""
    sheet = ask.form.prefilled()
    forces = sorted({found for line in ask.form.lines for found in re.findall(r"\(([^()]+)\)$", line.label)})
    loser = chance.choice(forces)
    for line in ask.form.lines:
        for field in line.fields:
            if field.key == "fate" and line.label.endswith(f"({loser})"):
                out = [choice.value for choice in field.choices[1:] if choice.value != "damaged"]
                sheet[line.key]["fate"] = chance.choice(out)
            if field.key == "turn" and sheet[line.key]["fate"] == "disengaged":
                sheet[line.key]["turn"] = 1
            if field.key == "winner":
                sheet[line.key]["winner"] = chance.choice(field.choices).value
            if field.key == "turns":
                sheet[line.key]["turns"] = chance.randint(1, 12)
    return sheet


def judged(adjudicator: Adjudicator[Any], side: str, ask: AnyAsk, sheet: Sheet) -> BaseModel | None:
    try:
        return adjudicator.try_answer(side, ask.id, sheet)
    except Refused as refused:
        if not refused.refusals or not all(one.problem for one in refused.refusals):
            raise AssertionError(f"{ask.kind} refused without a word") from refused
        return None


def never_said(words: Iterable[str], games: Iterable["Match"]) -> set[str]:
    """Those of some words that no report of the games says; no more games are played than it takes, and each to its
    end."""
    missing = set(words)
    for game in games:
        assert game.adjudicator.ending is not None
        missing = {word for word in missing if not any(word in text for text in game.texts())}
        if not missing:
            break
    return missing


class Match:
    """One campaign played by random players, with its journal and all that was told.

    Its dice are ``sealed`` as those of the bot's campaigns are, or of the kind that there was before seals.
    """

    def __init__(
        self, rulebook: Any, scenario: dict[str, Json], seed: int, *, sealed: bool = True, tracker: Any = None
    ) -> None:
        self.chance = random.Random(seed)
        self.seed = seed.to_bytes(4, "big") * 8
        self.nonce: Callable[[], str | None] = KnownNonces(seed) if sealed else lambda: None
        self.adjudicator, step = Adjudicator.open(
            rulebook, title="Match", scenario=scenario, seed=self.seed, at=AT, nonce=self.nonce(), tracker=tracker
        )
        self.entries: list[JournalEntry] = []
        self.steps: list[Transition] = []
        self.asked: dict[tuple[Any, ...], int] = {}
        self.take(step)

    def take(self, step: Transition) -> None:
        """Keep what a command gave."""
        self.entries.append(JournalEntry.model_validate_json(step.line))  # as it is read again
        self.steps.append(step)

    def texts(self) -> list[str]:
        """What all reports say."""
        return [report.text for step in self.steps for report in step.reports]

    def replayed(self) -> Adjudicator[Any]:
        """It, played again from its journal."""
        return replay(self.adjudicator.rulebook, self.entries, self.seed)

    def answer_to(self, side: str, ask: AnyAsk) -> Json:
        """What a side answers."""
        return random_answer(self.adjudicator, side, ask, self.chance)

    def note_asks(self, strand: str) -> None:
        """No ask repeats itself at one moment unless something has changed since it was answered.

        The state is compared, and not what sides were told: dice that fall again for nothing change nothing.
        """
        moment = self.adjudicator.now
        for ask in self.adjudicator.open_asks():
            if ask.strand != strand or not ask.awaited or ask.pace == "battle":
                continue
            shown = (moment.turn, moment.step, ask.kind, ask.parties, ask.title, ask.text, form_text(ask.form))
            before = self.asked.get(shown)
            since = self.entries[before:] if before is not None else ()
            if before is not None and all(entry.body.kind != "rewound" for entry in since):  # else it is asked anew
                with unnoted():
                    then = replay(self.adjudicator.rulebook, self.entries[:before], self.seed)
                # private, as the digest is also of dice and of what was told
                assert then._state.to_json() != self.adjudicator._state.to_json(), f"asked again for nothing: {ask.id}"
            self.asked[shown] = len(self.entries)

    def round(self, silent: Sequence[str] = ()) -> None:
        """Everybody answers what is open in the first strand (the ``silent`` do not), and it closes."""
        adjudicator = self.adjudicator
        strand = adjudicator.strands()[0]
        self.note_asks(strand)
        agreed: dict[str, Json] = {}
        for label in adjudicator.sides:
            for ask in [one for one in adjudicator.asks_for(label.key) if one.strand == strand]:
                if ask.default is not None:  # a silent side is never stuck
                    assert not ask.check(ask.default), (ask.id, ask.check(ask.default))
                    assert list(ask.read_back(ask.default)), ask.id
                shared = len(ask.parties) > 1
                if label.key in silent and not shared:
                    continue
                if ask.id not in agreed:
                    agreed[ask.id] = self.answer_to(label.key, ask)
                document = agreed[ask.id]
                self.take(adjudicator.answer(label.key, ask.id, document, by=label.key, at=AT))
        self.take(adjudicator.close("deadline", by="clock", at=AT, strand=strand, nonce=self.nonce()))
        with unnoted():
            problems = adjudicator.defects()
        assert not problems, problems

    def play(self, most_rounds: int) -> None:
        """Play until the campaign ends, or for so many rounds."""
        for _ in range(most_rounds):
            if self.adjudicator.ending is not None:
                return
            silent = [label.key for label in self.adjudicator.sides if self.chance.random() < 0.1]
            self.round(silent)
