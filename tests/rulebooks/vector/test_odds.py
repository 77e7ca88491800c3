"""The book is about movement alone: it has no odds."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.rulebooks.vector import RULEBOOK
from tests.rulebooks.vector.scenarios import opened


def test_nobody_is_asked_for_odds_and_who_asks_is_refused():
    with pytest.raises(Refused) as refused:
        RULEBOOK.odds(opened(), "courier", Knowledge(), "C1", "H1")
    assert [str(one) for one in refused.value.refusals] == ["own: this rulebook has no odds"]
