"""A page for each rulebook: from every rule to the functions that carry it out and to the tests that prove it.

``python -m tests.rules.pages FOLDER`` writes them, in the Markdown that `make docs` builds pages of. They are lists and
no tables, so that a phone shows them without scrolling sideways.
"""

import re
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from rules_engine import rulebooks
from tests.rules.coverage import BookCoverage, RuleFunction, coverage

INDEX = """\
# Rule by rule

From each rule of a book to the functions that carry it out, and to the tests that would fail if they did not. These
pages are made from the source when the site is built. The books' own words are not here: have yours at hand.

"""

_NOTHING = "nothing carries them out"
_ROLE = re.compile(r":\w+:(?=`)")
_CODE_OR_SIGN = re.compile(r"(``.+?``|`[^`]+`)|([\\<*_\[\]])")
_JOINING = {"PQ-17", "CU", "ruling", "rulings", "to", "and"}
"""Words that join rule ids at the end of a docstring."""


def pages(found: dict[str, BookCoverage]) -> dict[str, str]:
    """The pages by file name."""
    made = {f"{book}.md": page(one) for book, one in found.items()}
    rows = [f"- [{title_of(one.book)}]({one.book}.md): {counted(one)}" for one in found.values()]
    menu = ["", "```{toctree}", ":hidden:", "", *found, "```", ""]
    return {"index.md": INDEX + "\n".join([*rows, *menu]), **made}


def title_of(book: str) -> str:
    """The printed name of a book that is installed, or its key in words."""
    return rulebooks.rulebook(book).title if book in rulebooks.installed() else book.replace("_", " ").capitalize()


def counted(one: BookCoverage) -> str:
    """How many rules a test claims to prove, how many are explained, and how many neither."""
    explained = sum(rule not in one.tested for rule in one.explained)
    return f"{len(one.ids)} rules, {len(one.tested)} with a test, {explained} explained, {len(one.unclaimed)} missing."


def page(one: BookCoverage) -> str:
    """From each rule of a book to its functions and tests, chapter by chapter."""
    rows = [f"# {title_of(one.book)}, rule by rule", "", counted(one), ""]
    if one.book not in rulebooks.installed():
        stands = "some are carried out by functions that no campaign runs" if one.carried_out else _NOTHING
        rows += [f"This book cannot be played yet: its rules are listed, and {stands}.", ""]
    for chapter, rules in groupby(one.ids, key=chapter_of):
        rows += [f"## {chapter}", ""]
        for rule in rules:
            rows += [f"{{#{anchor(rule)}}}", f"**{rule}**", "", *_about(one, rule), ""]
    return "\n".join(rows)


def chapter_of(rule: str) -> str:
    """What a rule stands under: its first number, its series, or the tables."""
    first = re.split(r"[.:-]", rule)[0]
    if first.isdigit():
        return f"Chapter {first}"
    return "Tables" if re.fullmatch(r"T\d+\w*", first) else first


def anchor(rule: str) -> str:
    """The name by which a link finds a rule on its page."""
    return f"rule-{re.sub(r'[^0-9a-z]+', '-', rule.lower())}"


def _about(one: BookCoverage, rule: str) -> Iterator[str]:
    for function in one.carried_out.get(rule, ()):
        yield f"- {_said(function)}"
    for test in dict.fromkeys(one.tested.get(rule, ())):
        file, _, name = test.rpartition("::")
        yield f"- Tested: {_sentence(name)}.<br>`tests/{file}`"
    if rule in one.explained:
        yield f"- Explained: {_plain(one.explained[rule])}"
    if rule in one.unclaimed:
        yield "- Missing: no test claims it yet."


def _said(function: RuleFunction) -> str:
    says = _plain(_without_ids(_ROLE.sub("", function.says)))
    return f"Carried out by `{function.name}`: {says}.<br>`rules_engine/rulebooks/{function.file}`"


def _without_ids(text: str) -> str:
    """A docstring without the rule ids that it ends with, and without its last full stop."""
    text = text.rstrip(".")
    says, _, last = text.rpartition(". ")
    words = re.split(r"[,;\s]+", last)
    return says if says and all(re.search(r"\d|^(SOP|C\.)", word) or word in _JOINING for word in words) else text


def _plain(text: str) -> str:
    """Text in which Markdown finds nothing but code."""
    return _CODE_OR_SIGN.sub(lambda found: found[1] or f"\\{found[2]}", text)


def _sentence(name: str) -> str:
    """A test's name as the sentence that it is."""
    words = name.removeprefix("test_").removeprefix("Test").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def write_pages(folder: Path) -> None:
    """Write all pages into a folder, which holds nothing else; a page that did not change is left alone."""
    folder.mkdir(parents=True, exist_ok=True)
    made = pages(coverage())
    for old in folder.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
