"""A battle of which its book fails to say how it is flown: it is played by hand, and halts nothing."""

import pytest

from rules_engine.core.tactics import describing
from rules_engine.core.tactics.describing import described
from rules_engine.core.tactics.tactics import Tactics
from tests.toy_tracker import BATTLE

SECRET = "the flagship hides in 0303"


def fails() -> Tactics:
    raise KeyError(SECRET)


def test_a_description_is_handed_on():
    tactics = Tactics(BATTLE, lambda _: {})
    assert described(lambda: tactics) == (tactics, "")
    assert described(lambda: None) == (None, "")


def test_one_that_fails_says_where_and_nothing_secret(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(describing, "_GUARDED", True)
    found = described(fails)
    assert found.tactics is None
    assert found.untracked.startswith("KeyError at test_undescribed.py:")
    assert found.untracked.endswith(" in fails")
    assert SECRET not in found.untracked


def test_tests_see_it():
    with pytest.raises(KeyError):
        described(fails)


def test_it_is_let_pass_where_it_ships():
    with open(describing.__file__, encoding="utf-8") as source:
        assert "\n_GUARDED = True\n" in source.read()
