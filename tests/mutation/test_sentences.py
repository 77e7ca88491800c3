"""What becomes of sentences, and which texts are some."""

from tests.expected.kept import cases
from tests.mutation.sentences import is_sentence, literal_parts, sentence_edits


def turned(segment: str) -> list[str]:
    """The source after each edit."""
    return [segment[: one.start] + one.after + segment[one.end :] for one in sentence_edits(segment)]


@cases("before, after", "")
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


@cases("segment, said", "")
def test_a_sentence_has_words_with_a_space(segment: str, said: bool) -> None:
    assert is_sentence(segment) is said
