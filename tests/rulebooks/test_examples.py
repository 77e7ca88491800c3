"""What forms give as examples is legal where it stands, and what they offer in a note can be had there."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.forms.forms import Field, Line
from rules_engine.core.forms.order_text import read_sheet
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.running.adjudicator import Adjudicator
from tests.rulebooks.test_every_rulebook import EACH, first_asks, match

EXAMPLE = re.compile(r"(?:[Ff]or example|e\.g\.) (?P<text>[^;]+?)(?:, or (?P<other>[^;]+))?(?:;|$)")
OF_DAMAGE = {"boxes"}
"""Fields whose examples are legal once something is damaged; what they name is a matter of the ship."""


def examples(field: Field) -> Iterator[str]:
    """The example that a field names, or those in its help: all of the text after “for example”."""
    if field.example:
        yield field.example
    elif field.key == "doctrine":
        yield field.help.removeprefix("For example ")
    elif (found := EXAMPLE.search(field.help)) is not None:
        yield from filter(None, (found["text"], found["other"]))


Asked = tuple[Adjudicator[Any], str, AnyAsk]


def refused(asked: Asked, line: Line, values: dict[str, str]) -> str:
    """The refusal of values in a line, put into the sheet as it is filled in; empty where they are legal. Ships of a
    deployment are then taken out of the line in which they stood."""
    adjudicator, side, ask = asked
    sheet = ask.form.prefilled()
    if ask.kind == "deployment" and "units" in values and sheet[line.key].get("units") != values["units"]:
        taken = [key for key, other in sheet.items() if other.get("units") == values["units"]]
        sheet |= {key: {**sheet[key], "units": None} for key in taken}
    try:
        adjudicator.try_answer(side, ask.id, {**sheet, line.key: {**sheet.get(line.key, {}), **values}})
    except Refused as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize("key", EACH)
def test_examples_are_legal_where_they_stand(key: str) -> None:
    wrong: list[str] = []
    count = 0
    for asked in asks_of_all(key):
        ask = asked[2]
        for line in ask.form.lines:
            given = {field.key: list(examples(field)) for field in line.fields if field.key not in OF_DAMAGE}
            for name, texts in given.items():
                for text in texts:
                    count += 1
                    place = {"hex": given["hex"][0]} if name == "units" and given.get("hex") else {}
                    problem = refused(asked, line, {name: text, **place})
                    if problem:
                        wrong.append(f"{ask.kind} {line.key}.{name} {text!r}: {problem}")
    assert count
    assert wrong == []


@cache
def asks_of_all(key: str) -> list[Asked]:
    """An ask of each kind for one side, and what all sides are asked first."""
    game = match(key, 5)
    first = [(game.adjudicator, side, ask) for ask in game.adjudicator.open_asks() for side in ask.parties]
    return [*first, *first_asks(key)]


def test_the_note_of_a_pool_names_what_its_points_are_for_and_all_of_it_can_be_bought() -> None:
    frigates = 0
    for asked in asks_of_all("pq17/campaign"):
        ask = asked[2]
        pools = [line for line in ask.form.lines if line.label.endswith(" points")] if ask.kind == "purchase" else []
        for line in pools:
            names = re.findall(r"([A-Z][A-Z0-9-]*) [0-9]", line.note)
            assert names, line.key
            for name in names:
                assert refused(asked, line, {"buy": f"1 {name}"}) == "", (line.key, name)
            if line.key.endswith("-FF"):
                frigates += 1
                assert "FF" in names
                assert not {"BATS", "BS", "CPL", "CARGO-MODULE"} & set(names)
    assert frigates >= 3


def test_a_class_that_is_not_understood_is_answered_with_what_the_pool_may_buy() -> None:
    asked = next(one for one in asks_of_all("pq17/campaign") if one[2].kind == "purchase")
    line = next(line for line in asked[2].form.lines if line.key.endswith("-FF"))
    problem = refused(asked, line, {"buy": "2 zorks"})
    listed = problem.partition("classes: ")[2]
    assert listed.startswith("FF")
    assert "BATS" not in listed
    assert "FT" in listed, "freighters too, though they come last"


@pytest.mark.parametrize("key", EACH)
def test_what_a_form_shows_as_a_choice_can_be_typed(key: str) -> None:
    for _, _, ask in first_asks(key):
        for line in ask.form.lines:
            for field in (one for one in line.fields if one.kind in ("one", "many")):
                labels = [choice.label.casefold() for choice in field.choices]
                for choice in field.choices:
                    words = [choice.value] + [choice.label] * (labels.count(choice.label.casefold()) == 1)
                    for word in words:
                        read = read_sheet(ask.form, f'{line.key}: {field.key} "{word}"')
                        value = read[line.key][field.key]
                        assert value in (choice.value, [choice.value]), (ask.kind, line.key, word)
