"""Which version of a rulebook tells what: ``python -m tests.journals.versions`` adds a line for each new version.

Hosts' running campaigns are carried over when a rulebook's version is another than theirs, and only then. So whenever
recorded play comes out otherwise, the version must be raised; a version that is listed tells the same for ever.
"""

import hashlib
import re
from pathlib import Path

from rules_engine import rulebooks
from tests.journals.record import RECORDED, path_of

LIST = Path(__file__).with_name("versions.txt")
_LINKS = re.compile(rb'"(hash|prev)":"[0-9a-f]{64}",?')
_VERSION = re.compile(rb'"version":"[^"]*",?')


def recorded_books() -> tuple[str, ...]:
    """The rulebooks of which campaigns are recorded."""
    return tuple(dict.fromkeys(key.partition("/")[0] for key in RECORDED))


def version_now(book: str) -> str:
    """The version that a rulebook calls itself."""
    return rulebooks.rulebook(book).version


def digest_now(book: str) -> str:
    """A digest of what the book's recorded campaigns ask, answer, roll and tell: all of their entries but what follows
    from the version alone."""
    made = hashlib.sha256()
    for key in RECORDED:
        if key.partition("/")[0] == book:
            first, _, rest = path_of(key).read_bytes().partition(b"\n")
            made.update(_LINKS.sub(b"", _VERSION.sub(b"", first) + b"\n" + rest))
    return made.hexdigest()


def listed() -> list[tuple[str, str, str]]:
    """Each book and version, with its digest."""
    lines = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
    return [(book, version, digest) for book, version, digest in map(str.split, filter(None, lines))]


def problem_with(book: str, version: str, digest: str, known: list[tuple[str, str, str]]) -> str:
    """What is to be done about a book's version; empty if it tells what it is listed with."""
    before = [kept for one, other, kept in known if (one, other) == (book, version)]
    if not before:
        return f"{book} {version} is not listed: run `python -m tests.journals.versions`"
    if before != [digest]:
        return (
            f"recorded play of {book} comes out otherwise than version {version} is listed with: raise `version` in "
            f"rules_engine/rulebooks/{book}/__init__.py, run `python -m tests.journals.record`, and then "
            "`python -m tests.journals.versions`; running campaigns are carried over by that"
        )
    return ""


def main() -> None:
    """Add what is new."""
    known = listed()
    for book in recorded_books():
        version, digest = version_now(book), digest_now(book)
        if not any((one, other) == (book, version) for one, other, _ in known):
            known.append((book, version, digest))
            print(f"{book} {version} is listed")
        elif problem := problem_with(book, version, digest, known):
            print(problem)
    order = {book: at for at, book in enumerate(recorded_books())}
    known.sort(key=lambda one: order.get(one[0], len(order)))  # versions of a book stay in the order of their making
    LIST.write_text("".join(f"{' '.join(one)}\n" for one in known), encoding="utf-8")


if __name__ == "__main__":
    main()
