"""Words of rulebooks and people, joined to what follows."""

import pytest

from bot.cards.sentences import leading, refused, sentence
from bot.cards.sheets import ListedSheet, sheet_lines


@pytest.mark.parametrize(
    ("words", "as_sentence", "with_more"),
    [
        ("Turn 1", "Turn 1.", "Turn 1: nothing new"),
        ("Whom to search?", "Whom to search?", "Whom to search? Nothing new"),
        ("**Go or stay?**", "**Go or stay?**", "**Go or stay?** Nothing new"),
        ("Nobody attacks.", "Nobody attacks.", "Nobody attacks. Nothing new"),
        ("**Turn 1**", "**Turn 1**.", "**Turn 1**: nothing new"),
        ("And so on …", "And so on …", "And so on … Nothing new"),
    ],
)
def test_no_sentence_has_two_ends(words: str, as_sentence: str, with_more: str) -> None:
    assert (sentence(words), leading(words, "nothing new")) == (as_sentence, with_more)


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        ("Turn 1", "Turn 1: not accepted"),
        ("Whom to search?", "Whom to search? Not accepted"),
        ("Contact at Scene Flow", "Contact at Scene Flow: not accepted"),
        ("Where do your forces begin?", "Not accepted"),
    ],
)
def test_what_was_refused_is_headed_in_six_words(words: str, heading: str) -> None:
    assert refused(words) == heading


def test_a_list_of_sheets_joins_no_colon_to_a_question() -> None:
    asked = [ListedSheet("t", title, "saved", None) for title in ("Which battle first?", "Impulse 2")]
    assert sheet_lines(asked) == ["• **Which battle first?** Saved", "• **Impulse 2**: saved"]
