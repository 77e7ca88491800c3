"""Reading an export, and what is said when something in it does not hold."""

from pathlib import Path

from pydantic import ValidationError

from rules_engine.core.records.journal import JournalEntry

LARGEST_EXPORT = 500_000_000
"""Bytes."""


class VerifyError(Exception):
    """The export does not hold; the text says where and why. ``seq`` is the entry, 0 when none can be named."""

    def __init__(self, text: str, seq: int = 0) -> None:
        self.seq = seq
        super().__init__(text)


def at_entry(entry: JournalEntry, problem: str) -> VerifyError:
    """That an entry does not hold, and why."""
    return VerifyError(f"entry {entry.seq}: {problem}", entry.seq)


def read_export(path: Path) -> list[JournalEntry]:
    """The entries of an export file.

    Raises:
        VerifyError: when it cannot be read, naming the line.
    """
    try:
        if path.stat().st_size > LARGEST_EXPORT:
            raise VerifyError(f"{path.name} is larger than {LARGEST_EXPORT:,} bytes")
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise VerifyError(f"{path.name} is not UTF-8 text; an export is a file of JSON lines") from None
    except OSError as error:
        raise VerifyError(f"{path.name} cannot be read: {error.strerror}") from None
    entries: list[JournalEntry] = []
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), start=1):
        try:
            entries.append(JournalEntry.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            raise VerifyError(f"entry {number} is not a journal entry: {where}: {first['msg']}", number) from None
    if not entries:
        raise VerifyError(f"{path.name} holds no entries")
    return entries
