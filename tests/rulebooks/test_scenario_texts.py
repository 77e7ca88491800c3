"""Texts of scenarios' files, in every book: marks that nobody sees are dropped, what no text may hold is refused."""

import pytest

from rules_engine import rulebooks
from rules_engine.core.basics.refusals import Refused
from tests.rulebooks.test_every_rulebook import EACH, SHELF


@pytest.mark.parametrize("key", EACH)
def test_a_scenario_reads_the_same_when_marks_that_nobody_sees_are_in_its_texts(key: str):
    ref = SHELF.ref(key)
    files = SHELF.files(ref)
    marked = {
        name: text.replace('= "', '= "\u200e').replace('",', '\u200b",') if name.endswith(".toml") else f"\ufeff{text}"
        for name, text in files.items()
    }
    assert marked != files
    book = rulebooks.rulebook(ref.rulebook)
    assert book.read_scenario(marked) == book.read_scenario(files)


@pytest.mark.parametrize("key", EACH)
def test_a_scenario_is_refused_when_an_escape_in_any_file_stands_for_what_no_text_may_hold(key: str):
    ref = SHELF.ref(key)
    files = SHELF.files(ref)
    book = rulebooks.rulebook(ref.rulebook)
    for name, text in files.items():
        wrong, letter = (text.replace('= "', r'= "\u0000', 1), "U+0000") if name.endswith(".toml") else (None, "")
        if wrong is None:
            first = text.rstrip("\n").rfind("\n") + 1
            wrong, letter = f"{text[:first]}\u202e{text[first:]}", "U+202E"
        if wrong == text:
            continue
        with pytest.raises(Refused) as refused:
            book.read_scenario({**files, name: wrong})
        assert any(letter in one.problem for one in refused.value.refusals), (name, refused.value.refusals)
        assert "\0" not in str(refused.value)
