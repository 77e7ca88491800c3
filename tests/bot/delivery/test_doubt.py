"""Whether a message that stands in a channel is the one that was being sent when the process died."""

import pytest

from bot.delivery import doubt
from bot.delivery.composing.made_layout import MadeLayout
from bot.delivery.exit import Sent
from bot.delivery.prepared import Attachment, Message

WORDS = MadeLayout([{"type": 10, "content": "Turn 1"}], ("map.png", "orders.txt"))
PART = Message("Turn 1", (Attachment("map.png", b"m"), Attachment("orders.txt", b"o")), layout=WORDS)


@pytest.mark.parametrize(
    ("text", "files", "is_ours"),
    [
        ("Turn 1", ("map.png", "orders.txt"), True),
        ("Turn 1", ("orders.txt", "map.png"), True),
        ("Turn 1", ("map.png",), False),
        ("Turn 1", ("map.png", "orders.txt", "log.txt"), False),
        ("Turn 2", ("map.png", "orders.txt"), False),
    ],
)
def test_blocks_are_ours_by_their_words_and_files_in_whatever_order(text: str, files: tuple[str, ...], is_ours: bool):
    assert doubt._looks_like(Sent(1, None, text, files, is_layout=True), PART) is is_ours
