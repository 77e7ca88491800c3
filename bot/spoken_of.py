"""Which campaign an input turns out to be about: noted where it is looked up, said where the answer leaves.

Who has several campaigns, or reads an answer in direct messages, must see which one it is about. The name is put in
front here, once for all answers, so that no path can forget it. It holds for the task that carries an input out.
"""

from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True)
class _Spoken:
    campaign_id: str = ""
    title: str = ""
    is_one_of_several: bool = False


_NOTHING = _Spoken()
_SEVERAL = _Spoken("several")
_spoken: ContextVar[_Spoken] = ContextVar("the campaign that is spoken of", default=_NOTHING)

_BLOCKS = ("-# ", "# ", "## ", "### ", "```", "> ", "• ", "* ", "- ")
"""What Discord reads otherwise in the middle of a line."""


def begin() -> None:
    """A new input: it is about no campaign so far."""
    _spoken.set(_NOTHING)


def campaign(campaign_id: str, title: str, *, is_one_of_several: bool = False) -> None:
    """The input is about this campaign; about several, and none by name, if another one was looked up for it before.

    ``is_one_of_several``: whoever reads the answer commands sides in others that are under way, too.
    """
    before = _spoken.get()
    is_same = before.campaign_id == campaign_id
    several = is_one_of_several or (is_same and before.is_one_of_several)
    _spoken.set(_Spoken(campaign_id, title, several) if is_same or not before.campaign_id else _SEVERAL)


def heading() -> str:
    """What the heading of a card must name for its reader: the campaign, if they have more than one; else nothing."""
    spoken = _spoken.get()
    return spoken.title if spoken.is_one_of_several else ""


def named(text: str) -> str:
    """An answer with the campaign's name in its first line, where it is about one."""
    title = _spoken.get().title
    if not title or not text or title in text.split("\n", 1)[0]:
        return text
    return f"**{title}**{chr(10) if text.startswith(_BLOCKS) else ' · '}{text}"
