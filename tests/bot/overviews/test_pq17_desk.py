"""PQ-17's desk: stores on one card, and the logistics sheet as a budget, by box, file, message and form."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.settings import BUILT_IN
from tests import toy
from tests.bot.direct.test_plain_messages import labels, newest, written
from tests.bot.overviews.conftest import CrownsServer
from tests.bot.overviews.test_economy_and_plots import menus
from tests.bot.worlds.simulated_server import SimulatedServer, message_of, said, simulated_server
from tests.expected.words import has_words
from tests.message_words import words_of

GOOD = "plenty: give > pike 3 supply as fuel\nstores: lose yes; stands yes"
MIXED = f"{GOOD}\npike: give > plenty 999 fuel\ntalon: give > pike 2 supply\nstores: sheet sometimes"


class IntroServer(CrownsServer):
    """Ann commands the Alliance, leo the Coalition."""

    async def begin(self, title: str = "Intro") -> str:
        await self.slash(self.rita, "campaign create", title=title, scenario="pq17/intro")
        await self.seat(title, ann="alliance", leo="coalition")
        assert "has begun" in said(await self.slash(self.rita, "campaign start", campaign=title))
        return title

    async def order(self, who: Any, side: str, text: str) -> None:
        """Write an order into a side's planning sheet and be ready."""
        orders, user = self.bot.services.orders, who.user.id
        token = await self.token(side, "planning")
        await orders.filling.write(token, user, text)
        await orders.readiness.say(token, user, is_ready=True)
        await self.later(5)
        await self.bot.delivery.idle()
        await self.env.settle()

    async def to_logistics(self) -> None:
        """The convoy of the Alliance lies still in Logistics posture, and its sheet is open."""
        await self.begin()
        await self.order(self.ann, "alliance", 'A4: posture logistics; speed 0; route ""\nstores: sheet always')
        await self.order(self.leo, "coalition", "side: ask contact")
        assert any("Logistics" in title for _, title in await self.open_titles())

    async def gives(self) -> Any:
        """What the sheet says of the freighter's transfers and of later turns, as it was journalled."""
        campaign = (await self.bot.services.campaigns.in_server(self.guild.id))[0]
        async with self.bot.services.runtime.loaded.use(campaign.id) as adjudicator:
            (ask,) = adjudicator.asks_for("alliance")
            answer = adjudicator.saved("alliance", ask.id)
            sheet = {} if answer is None else answer.model_dump(mode="json", exclude_unset=True)
        return sheet.get("plenty", {}).get("give"), sheet.get("stores", {}).get("stands")


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SimulatedServer]:
    """A server with the shipped scenarios."""
    monkeypatch.setattr(toy, "CONFIG", BUILT_IN)
    async with simulated_server(tmp_path, IntroServer) as made:
        yield made


SAVED = ("> pike 3 supply as fuel", "yes")


async def test_the_card_has_stores_by_place_and_the_sheet_behind_a_button(here: IntroServer) -> None:
    await here.to_logistics()
    shown = await here.slash(here.ann, "economy")
    text = said(shown)
    has_words(text, "Haven", never="Grimhold")
    assert labels(message_of(shown)._message)[-3:] == ["Write the budget", "Open the sheet", "As a file"]


async def test_good_lines_are_saved_and_each_other_says_rule_and_what_is_legal(here: IntroServer) -> None:
    await here.to_logistics()
    before = await here.journal()
    shown = await here.slash(here.ann, "economy")
    answer = said(await here.box(here.ann, shown.response, "Write the budget", MIXED))
    assert "saved in part" in answer
    assert "line 3, pike, Gives: Pike has" in answer
    assert "(PQ-17 10.3.7.4)" in answer
    assert "line 4" in answer
    assert "line 5, stores, Logistics sheet: “sometimes”" in answer
    assert await here.journal() == [*before, "answered"]
    assert await here.gives() == SAVED


async def test_file_message_text_and_form_say_the_same(here: IntroServer) -> None:
    await here.to_logistics()
    token = await here.token("alliance", "logistics")
    filling, prompts = here.bot.services.orders.filling, here.bot.services.orders.prompts

    async def anew() -> None:
        prompt = await prompts.prompt(token, here.ann.id)
        await filling.reset(token, here.ann.id, prompt.mark)
        assert await here.gives() != SAVED

    await here.slash(here.ann, "economy", budget=("budget.txt", MIXED.encode()))
    assert await here.gives() == SAVED
    await anew()
    (echo,) = await written(here, here.ann, MIXED)
    assert labels(echo) == ["Save what fits", "Change"]
    await here.ann.user.click(echo, label="Save what fits")
    assert await here.gives() == SAVED
    assert "saved in part" in words_of(newest(here, here.ann, echo))
    await anew()
    await filling.fill(token, here.ann.id, {"stores": {"lose": True, "stands": "yes"}})
    await filling.fill(token, here.ann.id, {"plenty": {"give": "> pike 3 supply as fuel"}})
    assert await here.gives() == SAVED


async def test_what_would_be_lost_is_said_before_the_deadline(here: IntroServer) -> None:
    await here.to_logistics()
    token = await here.token("alliance", "logistics")
    text = "plenty: give > pike 40 supply as fuel\nstores: lose yes"
    await here.bot.services.orders.filling.write_budget(token, here.ann.id, text)
    assert "Pike has no room for what is worth" in said(await here.slash(here.ann, "economy"))
    closes = await here.falls_at()
    await here.later((closes - here.now()).total_seconds() - 600)
    await here.bot.delivery.idle()
    await here.env.settle()
    assert any("Pike has no room" in message.content for message in here.dms(here.ann))
    assert not any("Pike" in message.content for message in here.dms(here.leo))


# --- plots ------------------------------------------------------------------------------------------------------------
async def route_of(here: IntroServer, force: str, kind: str = "route") -> str:
    """What the open sheet of the Alliance says of a force's way."""
    campaign = (await here.bot.services.campaigns.in_server(here.guild.id))[0]
    async with here.bot.services.runtime.loaded.use(campaign.id) as adjudicator:
        (ask,) = adjudicator.asks_for("alliance")
        answer: Any = adjudicator.saved("alliance", ask.id) or ask.default
        return str(answer.model_dump(mode="json")[force].get(kind) or "")


async def test_all_forces_stand_by_hex_and_menus_make_their_routes_longer(game: IntroServer) -> None:
    shown = await game.slash(game.ann, "plots")
    text = said(shown)
    assert text.index("**0304**") < text.index("A2 Lookout") < text.index("**0403**") < text.index("A1 Vanguard")
    has_words(text, never=("Grimhold", "C1"))
    assert [*menus(shown)] == ["A2", "A3", "A1", "A4"]
    before = await game.journal()
    first = await game.ann.select(shown.response, ["0404"], custom_id=menus(shown)["A1"]["custom_id"])
    assert await game.journal() == [*before, "answered"]
    assert "To 0404" in said(first)
    assert {one["label"]: one["value"] for one in menus(first)["A1"]["options"]}["A1: 0404 > 0405"] == "0404 0405"
    second = await game.ann.select(shown.response, ["0404 0405"], custom_id=menus(first)["A1"]["custom_id"])
    assert await route_of(game, "A1") == "0404 0405"
    third = await game.ann.select(shown.response, ["stop"], custom_id=menus(second)["A1"]["custom_id"])
    assert await route_of(game, "A1") == ""
    port = next(one["value"] for one in menus(third)["A3"]["options"])
    await game.ann.select(shown.response, [port], custom_id=menus(third)["A3"]["custom_id"])
    assert (await route_of(game, "A3")).startswith("port 0")


@pytest.mark.parametrize("text", ["A1: 0403 > 0404 > 0405", "A1 0404 > 0405", "A1: route 0404 0405"])
async def test_steps_are_typed_from_where_a_force_stands_or_from_the_next_hex(game: IntroServer, text: str) -> None:
    (echo,) = await written(game, game.ann, text)
    assert "route 0404 → 0405" in echo.content
    await game.slash(game.ann, "orders upload", file=("orders.txt", text.encode()))
    assert "To 0405" in said(await game.slash(game.ann, "plots"))


async def test_what_was_meant_is_read_back_for_a_step_that_is_none(game: IntroServer) -> None:
    before = await game.journal()
    (echo,) = await written(game, game.ann, "A1: 0404 > 0509")
    has_words(echo.content, "0509 does not touch 0404 (PQ-17 5.3.3)", "Did you mean 0405?")
    assert await game.journal() == before


async def test_a_hand_made_way_is_refused_and_that_of_others_cannot_be_touched(game: IntroServer) -> None:
    shown = await game.slash(game.ann, "plots")
    token = await game.token("alliance", "planning")
    go = menus(shown)["A1"]["custom_id"]
    before = await game.journal()
    own = game.prompt(game.ann, "Turn 1")
    for made, value in ((go, "shadow E1"), (f"p|{token}|go|0.0", "0404"), (go, "0404 " * 30 + "0405")):
        assert "not something I offered" in said(await game.forge(game.ann.user, own, made, [value]))
    assert "does not touch" in said(await game.forge(game.ann.user, own, go, ["0808"]))
    card = game.prompt(game.leo, "Turn 1")
    assert "not your side's sheet" in said(await game.forge(game.leo.user, card, go, ["0404"]))
    assert await game.journal() == before


async def test_in_an_impulse_the_next_hex_is_chosen(game: IntroServer) -> None:
    await game.order(game.ann, "alliance", "side: ask always\nA1: speed 2; route 0404 0405")
    await game.order(game.leo, "coalition", "side: ask contact")
    for _ in range(6):
        if any("Plots" in title for _, title in await game.open_titles()):
            break
        await game.slash(game.ann, "orders ready")
    shown = await game.slash(game.ann, "plots")
    assert "A1 Vanguard in 0403: Goes to 0404." in said(shown)
    options = {one["value"]: one.get("default") for one in menus(shown)["A1"]["options"]}
    assert [value for value, is_chosen in options.items() if is_chosen] == ["0404"]
    await game.ann.select(shown.response, ["0304"], custom_id=menus(shown)["A1"]["custom_id"])
    assert await route_of(game, "A1", "move") == "0304"
    (echo,) = await written(game, game.ann, "A1: 0403 > 0404")
    assert "A1 Vanguard goes to 0404." in echo.content
