"""Reading and writing small things that people type: durations, files of orders."""

import re

from bot.errors import Sorry
from bot.interactions.door import fit_text

MOST_BYTES = 256 * 1024
"""Size of an uploaded order sheet."""

_DURATION = re.compile(r"(\d{1,4}(?:\.\d{1,2})?)\s*(m|min|minutes?|h|hours?|d|days?|w|weeks?|)", re.IGNORECASE)
_MINUTES = {"m": 1, "h": 60, "d": 24 * 60, "w": 7 * 24 * 60}


def minutes_of(text: str) -> float:
    """``90m``, ``24h``, ``3 days``, ``1w`` in minutes; a bare number counts hours.

    Raises:
        Sorry: saying how to write it.
    """
    found = _DURATION.fullmatch(text.strip())
    if found is None:
        raise Sorry("Write a time like `90m`, `24h`, `3d` or `1w`.", code="bad-duration")
    return float(found[1]) * _MINUTES[(found[2] or "h")[0].lower()]


def check_upload(size: int) -> None:
    """Refuse a file by its size, before it is read.

    Raises:
        Sorry: when it is too large.
    """
    if size > MOST_BYTES:
        raise Sorry(
            f"That file has {size / 1024:,.0f} kB; an order sheet has at most {MOST_BYTES // 1024} kB. "
            "`/orders show` and its buttons “All orders” and “As a file” give you the sheet to fill in.",
            code="file-size",
        )


def orders_text(content: bytes) -> str:
    """The text of an uploaded order sheet.

    Raises:
        Sorry: when it is no text, or holds what no text may hold.
    """
    if b"\0" in content or content.startswith((b"%PDF", b"PK\x03\x04", b"\x89PNG", b"\xff\xd8\xff")):
        raise Sorry(
            "That file is not plain text. Save the sheet as a .txt file (UTF-8) and send it again.", code="file-binary"
        )
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Sorry(
            f"That file is not UTF-8 text (byte {error.start + 1:,} does not fit). Save it as UTF-8 and send it again.",
            code="file-encoding",
        ) from None
    return fit_text(text)
