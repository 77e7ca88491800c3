"""What a person is told when something cannot be done: one clear message that says what would be right."""

import re
from collections.abc import Iterable

from rules_engine.core.basics.refusals import Refusal, nearest
from rules_engine.core.forms.forms import Form
from rules_engine.core.forms.misfits import in_words


class Sorry(Exception):
    """A request that was not carried out; the text is for the person who made it, and nothing was changed.

    ``code`` is a neutral word for the log; it never holds contents.
    """

    def __init__(self, text: str, *, code: str) -> None:
        self.text = text
        self.code = code
        super().__init__(code)


class Stale(Sorry):
    """The component pressed belongs to something that is over; it should disappear."""

    def __init__(self, text: str) -> None:
        super().__init__(text, code="stale")


MOST_REASONS = 750
"""Characters of all reasons together: what they are about has to find room beside them."""
_LONGEST = {"path": 100, "problem": 260, "legal": 200}
_LONG_QUOTE = re.compile("“([^”]{48})[^”]{12,}”")


def explain(refusals: Iterable[Refusal], *, most: int = 8) -> str:
    """All defects as a short list for a person; beyond ``most`` they are counted."""
    return "\n".join(explained(refusals, most=most))


def explained(refusals: Iterable[Refusal], form: Form | None = None, *, most: int = 8) -> list[str]:
    """The same row by row: at least one, and of more only as many as are read at a glance. What a sheet's refusals are
    about is said in the words of its ``form``."""
    listed = [refusal if form is None else in_words(form, refusal) for refusal in refusals]
    rows: list[str] = []
    for refusal in listed[:most]:
        row = f"• {_bounded(refusal)}"
        if rows and sum(map(len, rows)) + len(row) > MOST_REASONS:
            break
        rows.append(row)
    return [*rows, f"• … and {len(listed) - len(rows)} more"] if len(listed) > len(rows) else rows


def _bounded(refusal: Refusal) -> Refusal:
    """The same in few words: long quotes of what was written are cut, so that the reason is not; none opens a block."""
    texts = {name: getattr(refusal, name).replace("```", "ˋˋˋ") for name in _LONGEST}
    texts["problem"] = _LONG_QUOTE.sub(r"“\1 …”", texts["problem"])
    return refusal.model_copy(update={name: shortened(text, _LONGEST[name]) for name, text in texts.items()})


def there_is(wanted: str, known: Iterable[str], *, most: int = 10) -> str:
    """What there is instead of something that there is not, and which of it may have been meant."""
    names = list(known)
    near = nearest(wanted, names)
    meant = f"Did you mean {' or '.join(near)}? " if near else ""
    more = f" … ({len(names)} in all)" if len(names) > most else ""
    return f"{meant}There is: {', '.join(names[:most]) or 'none'}{more}."


def shortened(text: str, most: int) -> str:
    """At most so many characters of it, cut between words and visibly."""
    return text if len(text) <= most else f"{text[: most - 1].rpartition(' ')[0] or text[: most - 1]}…"
