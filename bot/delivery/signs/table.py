"""Signs on their way out: which of them Discord knows, and components as they leave.

What is sent holds marks and names of signs until here; the table of those that Discord knows is in memory alone, and is
filled by :mod:`bot.delivery.signs.keeper`.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import discord

from bot.delivery.composing.made_layout import MadeLayout
from bot.records.signs.catalogue import SIGNS
from bot.records.signs.marks import shown

Components = list[dict[str, Any]]
AnyView = discord.ui.View | discord.ui.LayoutView

_T = TypeVar("_T")

INVALID_FORM = 50035
"""Discord's code: something in the body is not right; its text names the place."""

BUTTON_LIMIT, OPTION_LIMIT = 80, 100
"""Characters of the label of a button, and of an entry of a menu."""


class _Signed(discord.ui.View):
    """Rows of components as they leave."""

    def __init__(self, sent: Components) -> None:
        super().__init__(timeout=None)
        self.stop()
        self._sent = sent

    def to_components(self) -> Components:
        """As Discord takes them."""
        return self._sent


class Signs:
    """The signs that Discord knows, by name, with the ids of their emojis. Empty at first: words stand alone then."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()
        self._ids: dict[str, int] = {}
        self._views: WeakKeyDictionary[AnyView, AnyView | None] = WeakKeyDictionary()

    @property
    def ids(self) -> dict[str, int]:
        """The ids by name. Not to be changed."""
        return self._ids

    def learn(self, ids: dict[str, int]) -> None:
        """These are known, and no others."""
        self._ids = dict(ids)
        self._views.clear()

    def lose(self) -> None:
        """Discord knows them no longer: words stand alone until somebody who waits for ``lost`` has looked again."""
        self.learn({})
        self.lost.set()

    def text(self, text: str) -> str:
        """A text as it leaves."""
        return shown(text, self._ids)

    def view(self, view: AnyView) -> AnyView:
        """Components as they leave; the same ones if they hold no sign. What is returned is not to be changed."""
        if view not in self._views:
            sent = view.to_components()
            made = [self._component(one) for one in sent]
            signed = MadeLayout(made, view.names) if isinstance(view, MadeLayout) else _Signed(made)
            self._views[view] = None if made == sent else signed  # itself is not kept: it would be for ever
        return self._views[view] or view

    def _component(self, component: dict[str, Any]) -> dict[str, Any]:
        """A component as it leaves, with all in it."""
        made = dict(component)
        if isinstance(content := made.get("content"), str):
            made["content"] = self.text(content)
        if "emoji" in made:
            self._put_sign(made)
        for inner in ("components", "options"):
            if inner in made:
                made[inner] = [self._component(one) for one in made[inner]]
        if "accessory" in made:
            made["accessory"] = self._component(made["accessory"])
        return made

    def _put_sign(self, made: dict[str, Any]) -> None:
        """A sign that is known as its emoji, else what stands instead of it before the words."""
        sign = SIGNS.get(made["emoji"].get("name", ""))
        if sign is None or made["emoji"].get("id"):
            return
        if sign.name in self._ids:
            made["emoji"] = {"id": str(self._ids[sign.name]), "name": sign.made_name}
            return
        del made["emoji"]
        if sign.instead:
            limit = OPTION_LIMIT if "value" in made else BUTTON_LIMIT
            made["label"] = f"{sign.instead} {made.get('label') or ''}".strip()[:limit]


@dataclass(frozen=True, slots=True)
class Emoji:
    """An emoji of the application; ``by`` is the user who made it (None: not told)."""

    id: int
    name: str
    by: int | None

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "Emoji":
        """From Discord's JSON."""
        return cls(int(data["id"]), data.get("name") or "", int(data["user"]["id"]) if data.get("user") else None)


NONE = Signs()
"""Where no signs are known."""


def signs_of(client: discord.Client) -> Signs:
    """The signs that a client's application has."""
    return getattr(client, "signs", NONE)


async def with_signs(client: discord.Client, send: Callable[[Signs], Awaitable[_T]]) -> _T:
    """Send something with the signs that the client's application has; without any if Discord does not know one of
    them, since whoever deleted it must not keep words back."""
    signs = signs_of(client)
    try:
        return await send(signs)
    except discord.HTTPException as error:
        if not signs.ids or error.code != INVALID_FORM or "emoji" not in error.text.lower():
            raise
        signs.lose()
        return await send(NONE)
