"""What captains read of our rulings, whole: a word of a ruling changes here too, with a line in the changelog."""

import pytest

from rules_engine.rulebooks.vector import RULEBOOK
from tests.rulebooks.written_texts import compare, spell_rulings


def test_rulings_on_the_book(request: pytest.FixtureRequest) -> None:
    compare(request, spell_rulings(RULEBOOK.rulings))
