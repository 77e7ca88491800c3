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


_NOTHING = _Spoken()
_SEVERAL = _Spoken("several")
_spoken: ContextVar[_Spoken] = ContextVar("the campaign that is spoken of", default=_NOTHING)

_BLOCKS = ("-# ", "# ", "## ", "### ", "```", "> ", "• ", "* ", "- ")
"""What Discord reads otherwise in the middle of a line."""


def begin() -> None:
    """A new input: it is about no campaign so far."""
    _spoken.set(_NOTHING)


def campaign(campaign_id: str, title: str) -> None:
    """The input is about this campaign; about several, and none by name, if another one was looked up for it before."""
    before = _spoken.get()
    _spoken.set(_Spoken(campaign_id, title) if before.campaign_id in {"", campaign_id} else _SEVERAL)


def named(text: str) -> str:
    """An answer with the campaign's name in its first line, where it is about one."""
    title = _spoken.get().title
    if not title or not text or title in text.split("\n", 1)[0]:
        return text
    return f"**{title}**{chr(10) if text.startswith(_BLOCKS) else ' · '}{text}"
