"""What play puts before people, text by text, and what is wrong with a text: numbers that do not agree with their
nouns, names said twice, sentences that begin in lower case, names of fields, and ids where a name is meant."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.transitions import Transition

ONE_OF_MANY = re.compile(
    r"(?<![\w.,/+×-])(?<![A-Z] )1 (?:(?:more|other|own|enemy|free|further|new|of) )?(?P<noun>[a-z]{2,}s)\b"
)
"""The number one before what may be a plural."""
SINGULAR = re.compile(
    r"\b(?:boards|class|cross|is|has|was|does|goes|stays|less|loss|mass|plus|radius|this|us|mess|its|yours|ours|theirs|of|"
    r"as|chess|progress|status|needs|ends|comes|moves)\b"
)
"""Words with an s at their end that are no plurals."""
MANY_OF_ONE = re.compile(
    r"(?<![\w.,/+×-])(?:0|[2-9]|[1-9]\d+) (?P<noun>box|hex|ship|turn|point|hit|party|unit|force|fighter|shuttle|"
    r"mine|probe|base|planet|fleet|squadron|battle|freighter|pod|module|attack|report|rebel|month|day)"
    r"(?=[.,;:)!?]|$| (?:of|in|at|and|or|from|to|left|on|away|is|are|was|were|by|with|a|for|lost)\b)"
)
"""A number other than one before a singular."""
TWO_NUMBERS = re.compile(r"(?<![\w.,/:+-])(?!\d{4}\b)\d+ (?!\d{4}\b)\d+(?= [a-z])")
"""A number at the end of a name, and at once that of something else: ``F-L 5 3 fuel``."""
TWICE = re.compile(r"(?<![\w-])(?P<name>(?=[\w'-]*[A-Z])\w[\w'-]*) (?P=name)(?![\w-])")
"""A name, and the same once more."""
LOWER = re.compile(r"(?:^|(?<=[.!?] ))(?P<word>[a-z]+)(?![\w-])")
"""The first word of a sentence, in lower case."""
FIELD = re.compile(r"\b(?:[a-z]+_[a-z_]+|(?!(?:vs|nr|mph|th|nd|rd|st)\b)[b-df-hj-np-tv-xz]{3,})\b")
"""A word that no language has: of several with underscores, or without a vowel."""
CODE = re.compile(r"(?:=|is|at|in|of|to|by) None\b|\bTrue\b|\bFalse\b|\bFraction\(|[{}]|<\w+\.\w|\[\]|\(\)")
"""What a program writes where nobody said how a value is told."""


class ToldText(NamedTuple):
    """One text, what it stands on, and whether it is made of sentences."""

    where: str
    text: str
    is_prose: bool


def texts_of(step: Transition) -> Iterator[ToldText]:
    """All that a command told and asked."""
    for report in step.reports:
        yield ToldText(f"report {report.kind}", report.text, True)
        if report.why is not None:
            yield ToldText(f"why of {report.kind}", report.why.text(), False)
    for ask in step.opened:
        yield from texts_on(ask)


def texts_on(ask: AnyAsk) -> Iterator[ToldText]:
    """What an ask puts before its parties, with its default read back."""
    where = f"ask {ask.kind}"
    yield ToldText(f"{where} title", ask.title, True)
    yield ToldText(f"{where} text", ask.text, True)
    yield ToldText(f"{where} default", ask.default_says, True)
    for line in ask.form.lines:
        yield ToldText(f"{where} label", line.label, False)
        yield ToldText(f"{where} note", line.note, False)
        for field in line.fields:
            yield ToldText(f"{where} field", field.label, False)
            yield ToldText(f"{where} help", field.help, False)
            for choice in field.choices:
                yield ToldText(f"{where} choice", choice.label, False)
    if ask.default is not None:
        yield from (ToldText(f"{where} read back", text, True) for text in ask.read_back(ask.default))
        yield from (ToldText(f"{where} warning", text, True) for text in ask.warn(ask.default))


def ids_without_meaning(adjudicator: Adjudicator[Any]) -> set[str]:
    """The keys of sides, and the ids of units that have a name, as they may stand in no text."""
    keys = {label.key for label in adjudicator.sides if label.key != label.name}
    units: Mapping[str, Any] = getattr(adjudicator._state, "units", {})
    named = {key for key, unit in units.items() if getattr(unit, "name", key) != key and "-" in key}
    names = {str(getattr(unit, "name", "")) for unit in units.values()}
    return {key for key in keys | named if key not in names}


def faults_of(told: ToldText, ids: Iterable[str] = ()) -> Iterator[str]:
    """What is wrong with a text."""
    text = told.text
    for found in ONE_OF_MANY.finditer(text):
        if not SINGULAR.fullmatch(found["noun"]):
            yield f"“{found[0]}”"
    for pattern in (MANY_OF_ONE, TWO_NUMBERS, TWICE, FIELD, CODE):
        yield from (f"“{found[0]}”" for found in pattern.finditer(text))
    if told.is_prose:
        yield from (f"begins with “{found[0]}”" for found in LOWER.finditer(text))
    words = set(re.findall(r"[\w?-]+", text))
    yield from (f"the id {one}" for one in ids if one in words)
