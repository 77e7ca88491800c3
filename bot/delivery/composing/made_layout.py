"""A message made of blocks, ready to be sent."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import unquote, urlsplit

import discord

LAYOUT_FLAG = 1 << 15
"""Discord's flag of a message that is made of blocks."""

_TEXT = 10
_HEADING = "## "
MOST_TITLE = 30
"""Letters of a campaign's name in a heading, which should still fit two lines of a phone."""
MOST_WORDS = 4_000
"""Characters of a whole layout, as Discord has it."""

Piece = Mapping[str, Any]
"""A component as Discord has it."""


def pieces_of(components: Iterable[Piece]) -> Iterator[Piece]:
    """Every component, outer ones first, from above to below."""
    for one in components:
        yield one
        yield from pieces_of(one.get("components") or ())
        if one.get("accessory"):
            yield from pieces_of([one["accessory"]])


def words_of(pieces: Iterable[Piece]) -> str:
    """What they say."""
    return "\n".join(one["content"] for one in pieces if one["type"] == _TEXT)


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that stands in a message already, as an edit names it to keep it."""

    id: int
    filename: str

    def to_dict(self) -> dict[str, Any]:
        """As Discord takes it."""
        return {"id": str(self.id), "filename": self.filename}


def files_of(pieces: Iterable[Piece]) -> Iterator[Kept]:
    """The files of the message that they show. Discord lists those nowhere else."""
    for one in pieces:
        held = (one, *(one.get("items") or ()))
        for media in (holder[key] for holder in held for key in ("media", "file") if holder.get(key)):
            if media.get("attachment_id"):
                yield Kept(int(media["attachment_id"]), _file_name(media["url"]))


def files_shown(components: Iterable[Any]) -> Iterator[Kept]:
    """The same of components as discord.py reads them."""
    for one in components:
        for holder in (one, *getattr(one, "items", ())):
            media: Any = getattr(holder, "media", None)
            if media is not None and media.attachment_id:
                yield Kept(media.attachment_id, _file_name(media.url))
        inner = [*getattr(one, "children", ()), getattr(one, "accessory", None)]
        yield from files_shown(filter(None, inner))


def _file_name(url: str) -> str:
    """The file's name, which its address ends with."""
    return unquote(urlsplit(url).path.rpartition("/")[2])


def ids_of(pieces: Iterable[Piece]) -> frozenset[str]:
    """The custom ids among them."""
    return frozenset(one["custom_id"] for one in pieces if one.get("custom_id"))


def _headed_by(shown: str, components: list[dict[str, Any]]) -> list[dict[str, Any]] | None:
    """The components, which are shared and stay as they are, with these words at the beginning of their heading."""
    for at, one in enumerate(components):
        changed: dict[str, Any] | None = None
        if one["type"] == _TEXT and one["content"].startswith(_HEADING):
            words = one["content"].removeprefix(_HEADING)
            if words.startswith(shown):
                return None
            changed = {**one, "content": f"{_HEADING}{shown}{words}"}
        elif one.get("components") and (inner := _headed_by(shown, one["components"])) is not None:
            changed = {**one, "components": inner}
        if changed is not None:
            return [*components[:at], changed, *components[at + 1 :]]
    return None


class MadeLayout(discord.ui.LayoutView):
    """Blocks as Discord takes them; shared, so nobody changes them. ``names`` are the files of the message they show.

    discord.py asks no more of it than what is sent: it keeps no state, and presses are routed by custom id elsewhere.
    """

    def __init__(self, sent: list[dict[str, Any]], names: tuple[str, ...] = ()) -> None:
        super().__init__(timeout=None)
        self.stop()
        self._sent = sent
        self.names = names

    def headed(self, words: str) -> "MadeLayout":
        """The same below a line of words."""
        return MadeLayout([{"type": _TEXT, "content": words}, *self._sent], self.names)

    def titled(self, title: str) -> "MadeLayout":
        """The same with the campaign's ``title`` in front of its heading; as it is where it has none, where that names
        it already, or where Discord would not take more words."""
        name = title if len(title) <= MOST_TITLE else f"{title[: MOST_TITLE - 1].rstrip()}…"
        shown = f"{discord.utils.escape_markdown(name)} · "
        if not title or len(self.words) + len(shown) > MOST_WORDS:
            return self
        sent = _headed_by(shown, self._sent)
        return self if sent is None else MadeLayout(sent, self.names)

    def to_components(self) -> list[dict[str, Any]]:
        """As Discord takes them."""
        return self._sent

    def has_components_v2(self) -> bool:
        """Always: also words alone are sent as a block of text."""
        return True

    @cached_property
    def words(self) -> str:
        """What it says."""
        return words_of(pieces_of(self._sent))
