"""Players for any rulebook: they fill in whatever form they are given, legally, from a seeded source."""

import random
from collections.abc import Sequence
from typing import Any

from rules_engine.core.asks import AnyAsk
from rules_engine.core.base import Json
from rules_engine.core.forms import Field, Sheet
from rules_engine.core.journal import Entry
from rules_engine.core.referee import Referee, Step
from rules_engine.core.refusals import Refused

AT = "2026-01-01T00:00:00.000+00:00"
TRIES = 12


def random_value(field: Field, chance: random.Random) -> Json:
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
        case "text":
            return field.value


def random_sheet(ask: AnyAsk, chance: random.Random, boldness: float) -> Sheet:
    """The prefilled sheet with some of its fields changed at random."""
    sheet = ask.form.prefilled()
    for line in ask.form.lines:
        for field in line.fields:
            if chance.random() < boldness:
                value = random_value(field, chance)
                values = sheet.setdefault(line.key, {})
                if value is None:
                    values.pop(field.key, None)
                else:
                    values[field.key] = value
    return sheet


def random_answer(referee: Referee[Any], side: str, ask: AnyAsk, chance: random.Random) -> Json:
    """A legal answer: bold at first, ever more cautious, in the end what is filled in or the default.

    A refusal on the way must name what is wrong; anything but a refusal is an error of the rulebook.
    """
    for attempt in range(TRIES):
        sheet = random_sheet(ask, chance, boldness=0.7 * (1 - attempt / TRIES))
        try:
            return referee.try_answer(side, ask.id, sheet).model_dump(mode="json")
        except Refused as refused:
            if not refused.refusals or not all(one.problem for one in refused.refusals):
                raise AssertionError(f"{ask.kind} refused without a word") from refused
    try:
        return referee.try_answer(side, ask.id, ask.form.prefilled()).model_dump(mode="json")
    except Refused:
        assert ask.default is not None, f"{ask.kind}: the prefilled form is refused and there is no default"
        return ask.default.model_dump(mode="json")


class Match:
    """One campaign played by random players, with its journal and all that was told."""

    def __init__(self, rulebook: Any, scenario: dict[str, Json], seed: int) -> None:
        self.chance = random.Random(seed)
        self.seed = seed.to_bytes(4, "big") * 8
        self.referee, step = Referee.open(rulebook, title="Match", scenario=scenario, seed=self.seed, at=AT)
        self.entries: list[Entry] = []
        self.steps: list[Step] = []
        self._take(step)

    def _take(self, step: Step) -> None:
        self.entries.append(step.entry)
        self.steps.append(step)

    def round(self, silent: Sequence[str] = ()) -> None:
        """Everybody answers what is open (the ``silent`` do not), and the batch closes."""
        referee = self.referee
        agreed: dict[str, Json] = {}
        for label in referee.sides:
            for ask in referee.asks_for(label.key):
                shared = len(ask.parties) > 1
                if label.key in silent and not shared:
                    continue
                if ask.id not in agreed:
                    agreed[ask.id] = random_answer(referee, label.key, ask, self.chance)
                document = agreed[ask.id]
                self._take(referee.answer(label.key, ask.id, document, by=label.key, at=AT))
        self._take(referee.close("deadline", by="clock", at=AT))
        problems = referee.defects()
        assert not problems, problems

    def play(self, most_rounds: int) -> None:
        """Play until the campaign ends, or for so many rounds."""
        for _ in range(most_rounds):
            if self.referee.ending is not None:
                return
            silent = [label.key for label in self.referee.sides if self.chance.random() < 0.1]
            self.round(silent)
