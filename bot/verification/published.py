"""What Discord shows of a record, held against the record: heads in the public channel, receipts of answers."""

import re
from collections.abc import Sequence

from bot.records.letters.letter import Letter
from bot.verification.export_file import VerifyError
from bot.verification.letters import letter_of_receipt
from rules_engine.core.records.journal import Answered, Closed, JournalEntry, Rewound

_HEAD = re.compile(r"[0-9a-f]{64}")
_RECEIPT = re.compile(r"[0-9a-f]{12}")


def find_head(entries: Sequence[JournalEntry], head: str) -> JournalEntry:
    """The entry with that hash.

    Raises:
        VerifyError: when it is no hash, or no entry has it.
    """
    wanted = _cleaned(head)
    if not _HEAD.fullmatch(wanted):
        raise VerifyError(
            f"“{head[:80]}” is no head; that is 64 digits and letters a to f, as the public channel shows"
        )
    for entry in entries:
        if entry.hash == wanted:
            return entry
    text = f"no entry has the hash {wanted}, so this is not the record that was played when it was posted"
    raise VerifyError(f"{text}: something in it was changed, or its end was cut off", 0)


def said_of_receipt(entries: Sequence[JournalEntry], receipt: str, letters: Sequence[Letter] = ()) -> str:
    """What stands in the record for the receipt of an answer, and whether it was what counted; or for a letter's.

    Raises:
        VerifyError: when it is no receipt, or no answer and no letter has it.
    """
    wanted = _cleaned(receipt)
    if not _RECEIPT.fullmatch(wanted):
        raise VerifyError(f"“{receipt[:80]}” is no receipt; that is 12 digits and letters a to f")
    for number, entry in enumerate(entries):
        if entry.receipt == wanted and isinstance(entry.body, Answered):
            fate = _fate(entries[number + 1 :], entry, entry.body)
            return f"entry {entry.seq}: {entry.body.side} answered “{entry.body.ask}”, by {entry.body.by}; {fate}"
    if (letter := letter_of_receipt(letters, wanted)) is not None:
        return letter
    raise VerifyError(f"no answer in the record has the receipt {wanted}: it was taken out, or changed")


def _fate(later: Sequence[JournalEntry], entry: JournalEntry, answer: Answered) -> str:
    """What became of an answer."""
    for after in later:
        body = after.body
        if isinstance(body, Answered) and (body.ask, body.side) == (answer.ask, answer.side):
            return f"entry {after.seq} took its place"
        if isinstance(body, Rewound) and body.to < entry.seq:
            return f"entry {after.seq} went back to before it"
        if isinstance(body, Closed):
            return f"it counted when entry {after.seq} closed"
    return "it has not been closed yet"


def _cleaned(text: str) -> str:
    """As it is pasted: perhaps with the marks around it, and in capitals."""
    return text.strip().strip("`").casefold()
