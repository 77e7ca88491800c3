"""What a person is told when something cannot be done: one clear message that says what would be right."""

from collections.abc import Iterable

from rules_engine.core.basics.refusals import Refusal, nearest


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


def explain(refusals: Iterable[Refusal], *, most: int = 8) -> str:
    """All defects as a short list for a person; beyond ``most`` they are counted."""
    listed = list(refusals)
    lines = [f"• {refusal}" for refusal in listed[:most]]
    if len(listed) > most:
        lines.append(f"• … and {len(listed) - most} more")
    return "\n".join(lines)


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
