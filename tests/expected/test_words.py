"""Words that stand in a text, and such as must not."""

import pytest

from tests.expected.words import has_words


def test_words_that_stand_there_pass() -> None:
    has_words("a ship sails", "a ship", "sails", never="sun")


@pytest.mark.parametrize(("words", "never", "missed"), [(["ship", "sun"], (), "sun"), (["ship"], "sails", "sails")])
def test_what_is_missing_and_what_is_too_much_is_named(words: list[str], never: str, missed: str) -> None:
    with pytest.raises(AssertionError, match=rf"\['{missed}'\] should"):
        has_words("a ship sails", *words, never=never)
