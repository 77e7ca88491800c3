"""Signs on Discord: kept by the bot as emojis of its application, in texts, buttons and menus, and in nobody's way."""

import asyncio
import contextlib
from typing import Any

import aiohttp
import discord
import pytest

from bot import faults
from bot.delivery import compose, prepared
from bot.delivery.signs import keeper as emojis
from bot.delivery.signs import table
from bot.delivery.signs.keeper import SignKeeper
from bot.records import components, effects
from bot.records.signs.catalogue import DRAWN, SIGNS, TextSign
from bot.records.signs.marks import sign, signed
from tests.bot.delivery.world import KillAt, Killed, World
from tests.patience import PATIENCE

BOT, SOMEBODY = 7, 8
GO: dict[str, Any] = {"type": "button", "id": "p|t|go|", "label": "Why?", "style": "primary", "disabled": False}
MENU: dict[str, Any] = {
    "type": "select", "id": "p|t|line|", "placeholder": "",
    "options": [
        {"value": "a", "label": "A6", "description": "", "default": False, "sign": "blue_force"},
        {"value": "b", "label": "B", "description": "", "default": False},
    ],
    "min": 1, "max": 1,
}  # fmt: skip
ALL = {one.made_name for one in SIGNS.values()}


class Application:
    """The emojis of an application, as Discord would keep them; a call of ``failing`` raises, before or after it."""

    def __init__(self, *there: tuple[str, int | None]) -> None:
        self.there = [table.Emoji(at, name, by) for at, (name, by) in enumerate(there, 1)]
        self.bot_id = BOT
        self.failing: dict[str, list[BaseException]] = {}
        self.calls: list[str] = []

    @property
    def names(self) -> list[str]:
        return sorted(one.name for one in self.there)

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if self.failing.get(name):
            raise self.failing[name].pop(0)

    async def emojis(self) -> list[table.Emoji]:
        self._called("list")
        return list(self.there)

    async def create_emoji(self, name: str, png: bytes) -> table.Emoji:
        self._called("create")
        made = table.Emoji(len(self.calls) + 100, name, BOT)
        self.there.append(made)
        self._called("created")
        return made

    async def delete_emoji(self, emoji_id: int) -> None:
        self._called("delete")
        self.there = [one for one in self.there if one.id != emoji_id]


class Running:
    """A keeper at work on an application, which draws nothing and waits only as long as a test wants."""

    def __init__(self, application: Application, draw: Any = lambda one: one.name.encode()) -> None:
        self.signs = table.Signs()
        self.waits: list[float] = []
        self.waiting, self.go_on = asyncio.Event(), asyncio.Event()
        self.keeper = SignKeeper(application, self.signs, draw, self._wait)  # type: ignore[arg-type]  what it uses of it
        self.keeper.pause = 0.0

    async def _wait(self, _: asyncio.Event, seconds: float) -> None:
        self.waits.append(seconds)
        self.waiting.set()
        await asyncio.wait_for(self.go_on.wait(), PATIENCE)

    async def to_the_end(self) -> None:
        self.go_on.set()
        self.keeper.start()
        await asyncio.wait_for(self.keeper.is_done.wait(), PATIENCE)


def away() -> aiohttp.ClientError:
    return aiohttp.ServerDisconnectedError()


# --- keeping them -----------------------------------------------------------------------------------------------------
async def test_what_is_missing_is_uploaded_once() -> None:
    application = Application()
    first = Running(application)
    await first.to_the_end()
    assert application.names == sorted(ALL)
    found = {one.name: one.id for one in application.there}
    assert found == {SIGNS[name].made_name: emoji for name, emoji in first.signs.ids.items()}
    application.calls.clear()
    again = Running(application, draw=lambda _: pytest.fail("nothing is drawn where nothing is missing"))
    await again.to_the_end()
    assert application.calls == ["list"]
    assert again.signs.ids == first.signs.ids


async def test_only_outdated_ones_of_its_own_are_deleted() -> None:
    others = [
        ("pin_1_pr0", SOMEBODY),  # somebody's of the same name
        ("pin_2_pr0", None),  # nobody says whose
        ("party", BOT),  # not a sign's name
        ("pin_3", BOT),
        (f"pin_1_pr{DRAWN + 1}", BOT),  # a newer version's
    ]
    application = Application(("pin_1_pr0", BOT), *others, ("gone_pr0", BOT), (f"gone_pr{DRAWN}", BOT))
    await Running(application).to_the_end()
    assert set(application.names) == ALL | {name for name, _ in others}


async def test_words_have_signs_while_the_rest_is_uploaded() -> None:
    application = Application((f"pin_1_pr{DRAWN}", BOT))
    application.failing["create"] = [away()]
    running = Running(application)
    running.keeper.start()
    await asyncio.wait_for(running.waiting.wait(), PATIENCE)
    assert running.signs.ids == {"pin_1": 1}
    assert running.waits == [emojis.FIRST_WAIT]
    running.go_on.set()
    await asyncio.wait_for(running.keeper.is_done.wait(), PATIENCE)
    assert application.names == sorted(ALL)


@pytest.mark.parametrize("at", ["create", "created", "delete"])
@pytest.mark.parametrize("nth", [0, 3])
async def test_the_process_may_die_at_any_call(at: str, nth: int) -> None:
    application = Application(*((f"old_{n}_pr0", BOT) for n in range(5)))
    real, passed = application._called, [0]

    def called(name: str) -> None:
        real(name)
        if name == at:
            passed[0] += 1
            if passed[0] == nth + 1:
                raise Killed(name)

    application._called = called  # type: ignore[method-assign]
    dying = Running(application)
    dying.keeper.start()
    assert dying.keeper._task is not None
    with pytest.raises(Killed):
        await dying.keeper._task
    await Running(application).to_the_end()
    assert application.names == sorted(ALL)


async def test_two_that_a_lost_answer_made_become_one() -> None:
    application = Application((f"pin_1_pr{DRAWN}", BOT), (f"pin_1_pr{DRAWN}", BOT))
    running = Running(application)
    await running.to_the_end()
    assert application.names == sorted(ALL)
    assert running.signs.ids["pin_1"] == 1


async def test_it_gives_up_until_the_next_start() -> None:
    application = Application()
    application.failing["list"] = [away() for _ in range(50)]
    running = Running(application)
    await running.to_the_end()
    assert application.calls == ["list"] * emojis.TRIES
    assert running.waits == [120.0, 240.0, 480.0, 960.0]
    assert running.signs.ids == {}


async def test_what_cannot_be_drawn_is_left_out() -> None:
    def draw(one: TextSign) -> bytes:
        if one.name == "pin_2":
            raise ValueError("a renderer's mistake")
        return b""

    application = Application()
    running = Running(application, draw)
    await running.to_the_end()
    assert set(application.names) == ALL - {SIGNS["pin_2"].made_name}
    assert "pin_2" not in running.signs.ids


# --- what leaves ------------------------------------------------------------------------------------------------------
def known(world: World, **ids: int) -> table.Signs:
    """The application has these."""
    signs = table.Signs()
    signs.learn(ids)
    world.env.bot.signs = signs  # type: ignore[attr-defined]
    return signs


CARD = {"content": "x", "rows": [[{**GO, "sign": "pin_1"}], [MENU]]}


def sent_components(world: World, channel: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The button and the menu's entries of the newest message that was posted there."""
    rows = world.bodies("POST", f"/channels/{channel}/messages")[-1]["components"]
    return rows[0]["components"][0], rows[1]["components"][0]["options"]


async def test_texts_buttons_and_menus_have_them(world: World) -> None:
    known(world, pin_1=41, blue_force=42)
    await world.posted("public", f"{signed('pin_1', 'Kiel')} {signed('pin_2', 'Ostrau')}", card=CARD)
    assert await world.texts("public") == ["<:pin_1_pr1:41> Kiel ❷ Ostrau"]
    button, options = sent_components(world, await world.place("public"))
    assert (button["label"], button["emoji"]) == ("Why?", {"id": "41", "name": "pin_1_pr1"})
    assert [one.get("emoji") for one in options] == [{"id": "42", "name": "blue_force_pr1"}, None]


async def test_words_stand_alone_where_none_are_known(world: World) -> None:
    await world.posted("public", f"{signed('pin_1', 'Kiel')} {signed('blue_force', 'A6')}", card=CARD)
    assert await world.texts("public") == ["❶ Kiel A6"]
    button, options = sent_components(world, await world.place("public"))
    assert button["label"] == "❶ Why?"
    assert not button.get("emoji")
    assert not any(one.get("emoji") for one in options)


async def test_signs_that_were_learnt_later_are_on_what_leaves_later(world: World) -> None:
    signs = known(world)
    await world.posted("public", "First.", card=CARD)
    signs.learn({"pin_1": 41})
    await world.posted("public", "Then.", card=CARD)
    button, _ = sent_components(world, await world.place("public"))
    assert button["emoji"]["id"] == "41"


async def test_a_sign_that_somebody_deleted_keeps_no_words_back(world: World) -> None:
    signs = known(world, pin_1=41)
    channel = await world.place("public")
    refusal = "Invalid Form Body: components.0.components.0.emoji.id: Invalid emoji"
    world.env.inject_error("POST", f"/channels/{channel}/messages", status=400, code=50035, message=refusal)
    await world.posted("public", signed("pin_1", "Kiel"), card=CARD)
    assert await world.texts("public") == ["❶ Kiel"]
    assert signs.ids == {}
    assert signs.lost.is_set(), "whoever keeps them looks again"


async def test_after_another_refusal_a_post_comes_as_plain_words_and_signs_stay_known(world: World) -> None:
    signs = known(world, pin_1=41)
    channel = await world.place("public")
    world.env.inject_error("POST", f"/channels/{channel}/messages", status=400, code=50035, message="too long")
    await world.posted("public", signed("pin_1", "Kiel"))
    assert signs.ids == {"pin_1": 41}
    (told,) = await world.texts("public")
    assert told.startswith("<:pin_1_")
    assert "left out" not in told  # it had neither pictures nor buttons


@pytest.mark.parametrize("before", [{}, {"pin_1": 41, "blue_force": 42}])
@pytest.mark.parametrize("after", [{}, {"pin_1": 51}])
async def test_a_post_is_found_again_whichever_signs_are_known_after_a_crash(
    world: World, kill_at: KillAt, monkeypatch: pytest.MonkeyPatch, before: dict[str, int], after: dict[str, int]
) -> None:
    known(world, **before)
    kill_at("post.after", 1)
    point, died = faults.point, asyncio.Event()

    def dying(name: str) -> None:
        try:
            point(name)
        except Killed:
            died.set()
            raise

    monkeypatch.setattr(faults, "point", dying)
    await world.post("public", f"{signed('pin_1', 'Kiel')}\n{signed('blue_force', 'A6')} and <:mine:41>")
    await asyncio.wait_for(died.wait(), PATIENCE)
    with contextlib.suppress(Killed):
        await world.delivery.stop(grace=0)
    (there,) = world.messages_in(await world.place("public"))
    there.nonce = None  # Discord does not always give it back
    kill_at()
    known(world, **after)
    await world.restarted()
    assert [one.id for one in world.messages_in(await world.place("public"))] == [there.id]


async def test_a_long_text_with_signs_is_split_the_same_whichever_are_known(world: World) -> None:
    line = f"{signed('pin_1', 'Kiel')} {'x' * 60}"
    texts: list[list[str]] = []
    for ids in ({}, {"pin_1": 2**63 - 1}):
        signs = table.Signs()
        signs.learn(ids)
        parts = prepared.Message("\n".join([line] * 60)).parts()
        texts.append([signs.text(part.text) for part in parts])
    assert [len(part.split("\n")) for part in texts[0]] == [len(part.split("\n")) for part in texts[1]]
    assert len(texts[0]) > 2
    assert all(len(part) <= 2_000 for parts in texts for part in parts)


async def test_what_stands_instead_of_a_sign_must_find_room() -> None:
    compose.view_of(components.Card("", (({**GO, "label": "x" * 78, "sign": "pin_1"},),)))
    with pytest.raises(compose.Unfit, match="label: 81 characters"):
        compose.view_of(components.Card("", (({**GO, "label": "x" * 79, "sign": "pin_1"},),)))


async def test_a_name_that_is_no_sign_is_nothing() -> None:
    view = compose.view_of(components.Card("", (({**GO, "sign": "skull"},),)))
    assert view is not None
    (row,) = table.Signs().view(view).to_components()
    assert not row["components"][0].get("emoji")
    assert sign("skull") == ""
    assert isinstance(view, discord.ui.View)


async def test_a_layout_has_them_in_its_words_and_beside_its_buttons(world: World) -> None:
    signs = known(world, pin_1=41)
    section = {"type": "section", "text": f"{signed('pin_1', '**Kiel**')}\nLost.", "button": {**GO, "sign": "pin_2"}}
    layout = components.Layout(({"type": "text", "text": signed("pin_1", "x")}, section))  # type: ignore[arg-type]
    await world.put(effects.Post(place="public", content="Kiel lost.", card=components.Card("Kiel lost.", (), layout)))
    await world.deliver()
    (message,) = world.messages_in(await world.place("public"))
    (edit,) = world.bodies("PATCH", f"/channels/{await world.place('public')}/messages/{message.id}")
    text, shown = edit["components"][0]["components"]
    assert text["content"] == "<:pin_1_pr1:41> x"
    assert shown["components"][0]["content"] == "<:pin_1_pr1:41> **Kiel**\nLost."
    assert shown["accessory"]["label"] == "❷ Why?"
    frame = compose.layout_of(layout)
    assert frame is not None
    assert signs.view(frame) is signs.view(frame), "made once"
    signs.learn({})
    assert signs.view(frame).to_components()[0]["components"][0]["content"] == "❶ x"
