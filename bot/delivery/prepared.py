"""Content that is ready to leave: text within Discord's limits, files with alt text, who may be pinged.

Nothing is truncated silently. A text that is too long for one message is split at line ends; where it must stay one
message (an edit), the whole of it goes along as a file and the message says so.
"""

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import discord

from bot import spoken_of
from bot.delivery.composing.made_layout import MadeLayout, ids_of, pieces_of

TEXT_LIMIT = 2_000
ALT_LIMIT = 1_024
FILES_LIMIT = 10
SIZE_LIMIT = 10 * 1024 * 1024
"""Bytes a message may carry on a server without boosts, and in a DM."""

_FENCE = "```"
_CONTINUED = "\n… continued in the attached file."


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file. ``alt`` says in words what a picture shows."""

    name: str
    data: bytes
    alt: str = ""

    def file(self) -> discord.File:
        """A fresh object of discord.py, which can be sent once."""
        return discord.File(io.BytesIO(self.data), self.name, description=self.alt or None)


@dataclass(frozen=True, slots=True)
class Message:
    """One message, or as many as its text needs. Only the named users are pinged, whatever the text says.

    With a ``layout`` it becomes that frame of blocks, whose pictures are among the ``files``. Where it has to be
    noticed it comes as ``text`` and ``view`` first, because Discord notifies nobody of the words in a frame.
    """

    text: str = ""
    files: tuple[Attachment, ...] = ()
    view: discord.ui.View | None = None
    ping_users: tuple[int, ...] = ()
    layout: MadeLayout | None = None

    @property
    def ids(self) -> frozenset[str]:
        """The custom ids of its buttons and menus, as it is posted and as its layout."""
        components = [
            *(self.view.to_components() if self.view else ()),
            *(self.layout.to_components() if self.layout else ()),
        ]
        return ids_of(pieces_of(components))

    def allowed_mentions(self) -> discord.AllowedMentions:
        """None but those opted in."""
        return discord.AllowedMentions(
            everyone=False,
            replied_user=False,
            users=[discord.Object(user) for user in self.ping_users],
            roles=[],
        )

    def named(self, *, alone: bool = True) -> "Message":
        """The same with the name of the campaign that the answered input is about in its first line; and in the heading
        of a frame, if it is read ``alone`` by somebody who has several."""
        named = replace(self, text=spoken_of.named(self.text))
        return named.titled(spoken_of.heading()) if alone else named

    def titled(self, title: str) -> "Message":
        """The same with a campaign's ``title`` in the heading of its frame, if it is one."""
        return replace(self, layout=self.layout.titled(title)) if title and self.layout else self

    def pinging(self) -> "Message":
        """The same with the mentions written in front, where the text does not name them already."""
        marks = [f"<@{user}>" for user in self.ping_users]
        missing = " ".join(mark for mark in marks if mark not in self.text)
        return replace(self, text=f"{missing}\n{self.text}".strip()) if missing else self

    def parts(self) -> list["Message"]:
        """Messages that Discord takes: text split at line ends, files and components on the last ones.

        The last one alone becomes the layout, and carries all its files.
        """
        texts = split(self.text)
        groups = [self.files] if self.layout else grouped(self.files) or [()]
        count = max(len(texts), 1) + len(groups) - 1
        texts += [""] * (count - len(texts))
        groups = [()] * (count - len(groups)) + groups
        parts = [
            replace(
                self,
                text=text,
                files=files,
                view=self.view if at == count - 1 else None,
                layout=self.layout if at == count - 1 else None,
                ping_users=self.ping_users if at == 0 else (),
            )
            for at, (text, files) in enumerate(zip(texts, groups, strict=True))
        ]
        return [part for part in parts if part.text or part.files or part.view or part.layout]

    def whole(self) -> "Message":
        """One message for an edit: a text that is too long goes along as a file, and the message says so. A layout
        stands for all of its text."""
        if self.layout or len(self.text) <= TEXT_LIMIT:
            return self
        opening = split(self.text, TEXT_LIMIT - len(_CONTINUED))[0]
        full = Attachment("full-text.txt", self.text.encode())
        return replace(self, text=opening + _CONTINUED, files=(*self.files, full))


def split(text: str, limit: int = TEXT_LIMIT) -> list[str]:
    """``text`` in pieces of at most ``limit`` characters, cut at line ends, else at spaces, else hard.

    A code block that is cut is closed in one piece and opened again in the next. Empty text gives no piece.
    """
    pieces: list[str] = []
    piece = ""
    fence = ""  # the line that opened the code block we are in
    for line in text.split("\n"):
        in_code = bool(fence) or _FENCE in line
        for bit in _bits(line, limit - len(fence) - len(_FENCE) - 2 if in_code else limit):
            turns = bit.lstrip().startswith(_FENCE)
            closing = len(_FENCE) + 1 if bool(fence) != turns else 0
            if piece and len(piece) + 1 + len(bit) + closing > limit:
                pieces.append(f"{piece}\n{_FENCE}" if fence else piece)
                piece = f"{fence}\n{bit}" if fence else bit
            else:
                piece = f"{piece}\n{bit}" if piece else bit
            if turns:
                fence = "" if fence else bit.strip()[:20]
    pieces.append(piece)
    return [piece.strip("\n") for piece in pieces if piece.strip()]


def _bits(line: str, limit: int) -> Iterator[str]:
    """One line, in bits that fit."""
    while len(line) > limit:
        at = line.rfind(" ", 1, limit)
        at = at if at > 0 else limit
        yield line[:at]
        line = line[at:].lstrip(" ")
    yield line


def picture(
    name: str, data: bytes, alt: str, limit: int = SIZE_LIMIT, words: Callable[[], str] | None = None
) -> tuple[tuple[Attachment, ...], str]:
    """A picture as attachments, and a line for the message if something had to be said about it.

    A picture that is too big for Discord is replaced by ``words`` for the whole of it (else ``alt``), in a text file.
    """
    if len(alt) > ALT_LIMIT:
        raise ValueError(f"{name}: alt text of {len(alt)} characters, at most {ALT_LIMIT}")
    if len(data) <= limit:
        return (Attachment(name, data, alt),), ""
    told = Attachment(f"{name.rpartition('.')[0]}.txt", (words() if words else alt).encode())
    size = len(data) / 1024 / 1024
    return (told,), f"-# The picture is too big for Discord ({size:.1f} MiB); {told.name} says what it shows."


def document(name: str, data: bytes, limit: int = SIZE_LIMIT) -> tuple[tuple[Attachment, ...], str]:
    """A file as attachments: in numbered pieces if it is too big for one message."""
    if len(data) <= limit:
        return (Attachment(name, data),), ""
    count = -(-len(data) // limit)
    pieces = tuple(
        Attachment(f"{name}.{number + 1}of{count}", data[number * limit : (number + 1) * limit])
        for number in range(count)
    )
    return pieces, f"-# {name} is too big for one file; join its {count} pieces in order."


def grouped(files: Sequence[Attachment], limit: int = SIZE_LIMIT) -> list[tuple[Attachment, ...]]:
    """Files in groups that one message can carry, by number and by size."""
    groups: list[tuple[Attachment, ...]] = []
    group: tuple[Attachment, ...] = ()
    for file in files:
        if group and (len(group) == FILES_LIMIT or sum(len(one.data) for one in (*group, file)) > limit):
            groups.append(group)
            group = ()
        group = (*group, file)
    return [*groups, group] if group else groups
