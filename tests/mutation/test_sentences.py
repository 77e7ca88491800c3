"""What becomes of sentences, and which texts are some."""

import pytest

from tests.mutation.sentences import is_sentence, literal_parts, sentence_edits


def turned(segment: str) -> list[str]:
    """The source after each edit."""
    return [segment[: one.start] + one.after + segment[one.end :] for one in sentence_edits(segment)]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"at least two"', ['"at most two"']),
        ('"you may not go"', ['"you may go"']),
        ('"Only ships"', ['"ships"']),
        ('"costs 15 points"', ['"costs 16 points"']),
        ('"Every ship"', ['"No ship"']),
        ('"by rule 6.3.4 (PQ-17)"', ['"by 6.3.4 (PQ-17)"']),
        ('"is told to those"', ['"is not told to those"']),
        ('"hidden in the nebula"', ['"in the nebula"', '"hidden in the"']),
        ('"a mayor\'s canal"', ['"a mayor\'s"']),
    ],
)
def test_a_sentence_is_turned_round_or_loses_a_word(before: str, after: list[str]) -> None:
    assert turned(before) == after


def test_escapes_quotes_and_braces_stay() -> None:
    assert turned(r'"\nis it"') == [r'"\nis not it"']
    assert turned("f\"{{all}} {of['is']} it is\"") == [
        "f\"{{none}} {of['is']} it is\"",
        "f\"{{all}} {of['is']} it is not\"",
    ]
    assert turned('("one way"  # is it?\n "and " f"{x} more")') == [
        '("one way"  # is it?\n "or " f"{x} more")',
        '("one way"  # is it?\n "and " f"{x} fewer")',
    ]


def test_the_parts_of_a_row_of_literals() -> None:
    assert list(literal_parts("'ab' f\"c{d:>{e}}f\" r'\\n'")) == [(1, "ab"), (7, "c"), (16, "f"), (21, "\\n")]


@pytest.mark.parametrize(
    ("segment", "said"),
    [
        ('"two words"', True),
        ('f"{x} words"', True),
        ('"word"', False),
        ('f"{x}.{y}"', False),
        ('", "', False),
        ('f"{x}, {y}"', False),
        ('f"task-force/{x}"', False),
    ],
)
def test_a_sentence_has_words_with_a_space(segment: str, said: bool) -> None:
    assert is_sentence(segment) is said
