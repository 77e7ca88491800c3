"""The examples of orders on the players' page are legal."""

import re
from pathlib import Path

import pytest

from rules_engine.core.forms.order_text import read_sheet
from rules_engine.rulebooks.pq17.plotting.planning_sheet import planning_ask
from tests.rulebooks.pq17.worlds.notation import table, world

PAGE = Path(__file__).resolve().parents[4] / "docs" / "players.md"


def test_the_examples_of_a_planning_sheet_are_legal() -> None:
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    ask = planning_ask(table(world("A1 0403 CA\nC1 0607 CA")), "alliance")
    (sheet,) = re.findall(r"`(A1: speed [^`]+)`", page)
    (standing,) = re.findall(r"\(the field `doctrine`\): `([^`]+)`", page)
    (stop,) = re.findall(r"what else should stop it: `([^`]+)`", page)
    routes = re.findall(r"`((?:\d{4} \d{4}|to \d{4}|loop \d{4} \d{4}))`", page)
    assert len(routes) == 3
    (said,) = re.findall(r"`(A1 to \d{4} at \d)`", page)
    assert read_sheet(ask.form, said) == {"A1": {"route": "to 0405", "speed": "2"}}
    for text in (sheet, said, f'A1: doctrine "{standing}"', f'side: doctrine "{standing}"; stop "{stop}"'):
        ask.answer_from(read_sheet(ask.form, text))


@pytest.mark.parametrize("route", ["0404 0405", "to 0407", "loop 0406 0405"])
def test_the_examples_of_routes_are_legal_from_beside_them(route: str) -> None:
    assert f"`{route}`" in PAGE.read_text(encoding="utf-8")
    state = world(f"A1 {'0403' if route.startswith('0404') else '0405'} CA\nC1 0607 CA")
    ask = planning_ask(table(state), "alliance")
    ask.answer_from(read_sheet(ask.form, f"A1: speed 1; route {route}"))
