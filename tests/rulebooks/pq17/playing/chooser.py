"""Playing whole campaigns in tests: a seeded chooser that fills in any sheet, keeping to what is legal."""

import re
from pathlib import Path
from random import Random
from typing import Any, cast

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Field, Line, Sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import JournalEntry
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.records.state import State
from tests.rulebooks.pq17.worlds.notation import GRID

INTRO = Path(__file__).parents[4] / "config" / "scenarios" / "pq17" / "intro"
SEED = b"a seed for tests, not secret"
MIDDLE = "0405"
AT = "2026-01-01T00:00:00Z"


def intro() -> dict[str, Json]:
    """The introductory scenario, validated."""
    return RULEBOOK.read_scenario({path.name: path.read_text() for path in sorted(INTRO.iterdir())})


def open_intro(seed: bytes = SEED) -> tuple[Adjudicator[State], list[JournalEntry]]:
    """A campaign of the introductory scenario, and its journal."""
    adjudicator, step = Adjudicator.open(RULEBOOK, title="Test", scenario=intro(), seed=seed, at=AT)
    return adjudicator, [step.entry]


def a_sheet(ask: AnyAsk, chooser: Random, boldness: float) -> Sheet:
    """The prefilled sheet with some fields changed at random."""
    sheet = ask.form.prefilled()
    for line in ask.form.lines:
        for field in line.fields:
            value = _route(line, chooser) if field.key == "route" else _value(field, chooser)
            if chooser.random() < boldness and value is not None:
                sheet.setdefault(line.key, {})[field.key] = value
    return sheet


def _route(line: Line, chooser: Random) -> Json:
    """A walk from where the line's task force is towards the middle of the map, where the enemy goes too."""
    here = re.findall(r"in (\d{4})", line.label)[-1]
    steps: list[str] = ["port"] if "in port" in line.label else []
    for _ in range(3):
        around = GRID.neighbours(here)
        here = (
            chooser.choice(around)
            if chooser.random() < 0.3
            else min(around, key=lambda one: GRID.distance(one, MIDDLE))
        )
        steps.append(here)
    return " ".join(steps)


def _value(field: Field, chooser: Random) -> Json:
    match field.kind:
        case "one":
            return chooser.choice(field.choices).value if field.choices else None
        case "many":
            return [one.value for one in field.choices if chooser.random() < 0.2]
        case "number":
            least = field.least or 0
            return chooser.randint(least, max(least, min(field.most if field.most is not None else 2, least + 2)))
        case "flag":
            return chooser.random() < 0.5
        case "text":
            return None


def a_result(ask: AnyAsk, chooser: Random) -> Sheet:
    """A battle's account: one side, or both, is gone from the field, and some of the survivors are damaged."""
    sheet = ask.form.prefilled()
    winner = chooser.choice([*ask.parties, *ask.parties, "nobody"])
    turns = chooser.randint(1, 9)
    sheet["battle"] = {"winner": winner, "turns": turns}
    victors = 0
    for line in ask.form.lines[1:]:
        values = sheet[line.key]
        gone = [choice.value for choice in line.fields[0].choices if choice.value not in ("ok", "captured")]
        if f"({winner.title()})" in line.label:
            values["fate"] = chooser.choice(["ok", "ok", *gone]) if victors else "ok"
            victors += 1
        else:
            values["fate"] = chooser.choice(gone if winner == "nobody" else [*gone, "captured"])
        if values["fate"] == "disengaged":
            values["turn"] = chooser.randint(1, turns)
        if chooser.random() < 0.3:
            values["crippled"] = True
        warp = values.get("warp")
        if isinstance(warp, int) and chooser.random() < 0.5:
            values["warp"] = chooser.randint(0, warp)
    return sheet


def choose(ask: AnyAsk, chooser: Random) -> Json:
    """A legal answer: a bold one if a few tries find it, else the cautious, else the default."""
    if ask.kind == "battle":
        return cast("dict[str, Any]", a_result(ask, chooser))
    for boldness in (0.5, 0.3, 0.2, 0.1):
        sheet = cast("dict[str, Any]", a_sheet(ask, chooser, boldness))
        try:
            ask.answer_from(sheet)
        except Refused:
            continue
        return sheet
    default = ask.default
    return ask.form.prefilled() if default is None else default.model_dump(mode="json")


def answer_all(adjudicator: Adjudicator[State], chooser: Random) -> list[JournalEntry]:
    """Answer every open ask, both sides of a shared one with the same account; then close."""
    answers = [
        (ask, side, document)
        for ask in adjudicator.open_asks()
        for document in [choose(ask, chooser)]
        for side in ask.parties
    ]
    entries = [adjudicator.answer(side, ask.id, document, by=side, at=AT).entry for ask, side, document in answers]
    sides = [label.key for label in adjudicator.sides if adjudicator.asks_for(label.key)]
    entries += [adjudicator.ready(side, is_ready=True, by=side, at=AT).entry for side in sides]
    return [*entries, adjudicator.close("all ready", by="clock", at=AT).entry]
