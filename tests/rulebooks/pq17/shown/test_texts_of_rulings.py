"""What players read of our rulings, whole: a word of a ruling changes here too, with a line in the changelog."""

import pytest

from rules_engine.rulebooks.pq17 import RULEBOOK
from tests.rulebooks.written_texts import compare, spell_rulings


def test_rulings_on_the_book(request: pytest.FixtureRequest) -> None:
    compare(request, spell_rulings(one for one in RULEBOOK.rulings if not one.rules.startswith("C.")))


def test_rulings_on_the_campaign(request: pytest.FixtureRequest) -> None:
    compare(request, spell_rulings(one for one in RULEBOOK.rulings if one.rules.startswith("C.")))
