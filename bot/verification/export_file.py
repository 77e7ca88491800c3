"""Reading an export, and what is said when something in it does not hold."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from bot.records.letters.letter import Letter
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


@dataclass(frozen=True, slots=True)
class WholeRecord:
    """What an export holds: the journal, and behind it the letters between sides."""

    entries: list[JournalEntry]
    letters: list[Letter]


class _LetterLine(BaseModel):
    model_config = ConfigDict(extra="forbid")

    letter: Letter


_LETTER = '{"letter":'
"""How the line of a letter begins, as the bot writes it."""


def read_export(path: Path) -> list[JournalEntry]:
    """The journal's entries of an export file.

    Raises:
        VerifyError: when it cannot be read, naming the line.
    """
    return read_record(path).entries


def read_record(path: Path) -> WholeRecord:
    """The entries and letters of an export file.

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
    letters: list[Letter] = []
    for number, line in enumerate(text.removesuffix("\n").split("\n") if text else (), start=1):
        is_letter = line.startswith(_LETTER)
        if letters and not is_letter:
            raise VerifyError(f"line {number} stands behind the letters, and is none")
        try:
            if is_letter:
                letters.append(_LetterLine.model_validate_json(line).letter)
            else:
                entries.append(JournalEntry.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"])) or "the line"
            what = f"line {number} is not a letter" if is_letter else f"entry {number} is not a journal entry"
            raise VerifyError(f"{what}: {where}: {first['msg']}", 0 if is_letter else number) from None
    if not entries:
        raise VerifyError(f"{path.name} holds no entries")
    return WholeRecord(entries, letters)
