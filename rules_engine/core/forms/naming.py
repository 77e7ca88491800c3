"""Whether a text speaks of a form at all: which of its lines are named in it, wherever they stand."""

import re

from rules_engine.core.basics.refusals import nearest
from rules_engine.core.forms.form_names import FormNames, folded
from rules_engine.core.forms.forms import Form
from rules_engine.core.forms.meanings import numbered_like
from rules_engine.core.forms.plain_names import PlainNames

MOST_WORDS = 400
"""Words of a text that are looked at."""

MOST_ROWS = 8
"""Lines of a text whose first word may be a misspelt name."""

MOST_LETTERS = 40
"""Letters of the longest word that may be one."""

_WORD = re.compile(r"\w+(?:['’./]\w+)*")


def names_in(form: Form, text: str) -> int:
    """How many lines of a form a text names, by key or label; of a form of one line also whether it begins with a
    field's name; 1 where it nearly names one. 0 where it speaks of something else."""
    plain = PlainNames(FormNames(form), {})
    return _named(plain, text) or int(_nearly_names(plain, text) or _begins_series(plain, text))


def exact_names_in(form: Form, text: str) -> int:
    """The same without what is but nearly a name."""
    return _named(PlainNames(FormNames(form), {}), text)


def _named(plain: PlainNames, text: str) -> int:
    names, form = plain.names, plain.names.form
    said = _WORD.findall(text.replace("_", " ").replace("-", " "))[:MOST_WORDS]
    words = [folded(word) for word in said]
    found: set[str] = set()
    for first in range(len(words)):
        for last in range(first + 1, min(first + plain.most_line_words, len(words)) + 1):
            name = " ".join(words[first:last])
            known = plain.lines if said[first][:1].isupper() else names.lines  # proper names have a capital letter
            found.update(line.key for line in known.get(name, ()))
    only = form.lines[0] if len(form.lines) == 1 else None
    if only is not None and words and words[0] in names.fields(only):
        found.add(only.key)
    return len(found)


def _begins_series(plain: PlainNames, text: str) -> bool:
    """Whether a line of a text begins with what a line of a series is for, or nearly so."""
    rows = [_WORD.findall(row)[:MOST_WORDS] for row in text.split("\n", MOST_ROWS)[:MOST_ROWS]]
    begun = [plain.series_begun(words) for words in rows]
    return any(series is not None or meant for series, _, meant in begun)


def _nearly_names(plain: PlainNames, text: str) -> bool:
    """Whether a line of a text begins with what is nearly the name of a line, written as an order is."""
    for row in text.split("\n", MOST_ROWS)[:MOST_ROWS]:
        head, colon, _ = row.strip().partition(":")
        first = head.strip() if colon else head.split(maxsplit=1)[0] if head.split(maxsplit=1) else ""
        is_like_one = bool(colon) or any(letter.isdigit() for letter in head[:MOST_LETTERS])
        if not is_like_one or len(first) > MOST_LETTERS:
            continue
        if numbered_like(first, plain.names.keys) or nearest(first, [*plain.names.keys, *plain.lines]):
            return True
    return False
