"""From what the outbox holds, or a press answers, to a message that can be sent: a card and its files."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import blake2b

from bot.delivery.composing.files import distinct, files_of
from bot.delivery.composing.layouts import layout_of
from bot.delivery.composing.rows import Unfit, view_of
from bot.delivery.prepared import Attachment, Message
from bot.records.components import Block, Card

__all__ = ["Unfit", "distinct", "files_of", "layout_of", "message_of", "view_of"]


def message_of(card: Card, files: Sequence[Attachment] = (), notes: Sequence[str] = ()) -> Message:
    """A card, ready to leave with its files. ``notes`` are what must be said of files that could not be made, and stand
    where a picture would. Raises :class:`Unfit`.

    A picture of its layout gets a name that tells it from any other, so that one that a message carries already need
    not be sent again; and where its block has no words for it, those that it came with.
    """
    layout = card.layout
    if layout is not None:
        shown = {block["name"] for block in layout.blocks if block["type"] == "picture"}
        named = {file.name: _told_apart(file) if file.name in shown else file for file in files}
        layout = replace(layout, blocks=tuple(_showing(block, named, notes) for block in layout.blocks))
        files = tuple(named.values())
    return Message(
        card.content, tuple(files), view_of(card), layout=layout_of(layout, tuple(file.name for file in files))
    )


def _told_apart(file: Attachment) -> Attachment:
    stem, dot, ending = file.name.rpartition(".")
    return replace(file, name=f"{stem}-{blake2b(file.data, digest_size=6).hexdigest()}{dot}{ending}")


def _showing(block: Block, files: Mapping[str, Attachment], notes: Sequence[str]) -> Block:
    if block["type"] != "picture":
        return block
    file = files.get(block["name"])
    if file is None:
        return {"type": "text", "text": "\n".join(notes)} if notes else block
    return {"type": "picture", "name": file.name, "alt": block["alt"] or file.alt}
