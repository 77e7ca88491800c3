"""How often somebody presses: a quiet turn once, one force changed three times, a contact four times at most."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from bot.settings import BUILT_IN
from tests import toy
from tests.bot.worlds.simulated_server import SimulatedServer, said, simulated_server
from tests.message_words import pressable

SIDES = {
    "pq17/intro": {"ann": "alliance", "leo": "coalition"},
    "cutler/intro": {"ann": "klingon", "leo": "hydran", "mia": "lyran"},
}
FIRST = {"pq17/intro": "Planning, Turn 1", "cutler/intro": "Turn 1: economy"}
MEETING = ("A1: speed 3; route stay 0404 0405\nA2: speed 3; route stay 0305 0405", "C1: speed 3; route stay 0406 0405")
"""Plans by which two forces of the Alliance meet one of the Coalition's."""


class Counted(SimulatedServer):
    """A server of the shipped scenarios that counts what ann presses, menus and forms sent included."""

    presses = 0

    async def begin(self, title: str = "pq17/intro") -> str:
        """That scenario under way."""
        campaign = await self.found("Intro", scenario=title)
        for name, side in SIDES[title].items():
            await self.slash(self.people[name], "campaign join", side=side, campaign=campaign)
        assert "has begun" in said(await self.slash(self.rita, "campaign start", campaign=campaign))
        return campaign

    async def click(self, title: str, label: str) -> Any:
        """Ann presses a button of her card of that title."""
        self.presses += 1
        return await self.ann.user.click(self.prompt(self.ann, title), label=label)

    async def change(self, title: str, line: str, **values: Any) -> None:
        """Ann changes one line by its form, from the menu or by the button beside it."""
        self.presses += 2  # opened, sent back
        await self.fill(self.ann, title, line, **values)

    async def plan(self, alliance: str, coalition: str) -> None:
        """Both sides write these plans and are ready; it costs ann nothing here."""
        orders = self.bot.services.orders
        for who, side, text in ((self.ann, "alliance", alliance), (self.leo, "coalition", coalition)):
            token = await self.token(side, "planning")
            await orders.filling.write(token, who.user.id, text)
            await orders.readiness.say(token, who.user.id, is_ready=True)
        await self.bot.delivery.idle()
        await self.env.settle()

    async def until(self, kind: str) -> str:
        """Others are ready with whatever they are asked, and so is ann, until she is asked this; gives its title."""
        for _ in range(12):
            for side, title in await self.open_titles():
                token_kind = {"alliance": self.ann, "coalition": self.leo}[side]
                if side == "alliance" and title.startswith(kind):
                    return title
                await self.slash(token_kind, "orders ready")
                break
            await self.bot.delivery.idle()
            await self.env.settle()
        raise AssertionError(await self.open_titles())


@pytest.fixture
async def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Counted]:
    monkeypatch.setattr(toy, "CONFIG", BUILT_IN)
    async with simulated_server(tmp_path, Counted) as made:
        assert isinstance(made, Counted)
        yield made


@pytest.mark.parametrize("scenario", SIDES)
async def test_a_quiet_turn_is_one_press(here: Counted, scenario: str) -> None:
    await here.begin(scenario)
    await here.click(FIRST[scenario], "Ready")
    assert "you are ready" in here.prompt(here.ann, FIRST[scenario]).content
    assert here.presses == 1
    assert (await here.journal())[-1] == "readied"


@pytest.mark.parametrize("scenario", SIDES)
async def test_one_force_changed_is_three(here: Counted, scenario: str) -> None:
    await here.begin(scenario)
    title = FIRST[scenario]
    (menu,) = [one for one in pressable(here.prompt(here.ann, title)) if one["type"] == 3]
    line = next(one["value"] for one in menu["options"] if one["label"].startswith(("A1", "F1")))
    await here.change(title, line, **({"f1": ["2"]} if scenario.startswith("pq17") else {"f0": ["hold"]}))
    assert "Saved, receipt" in here.prompt(here.ann, title).content
    await here.click(title, "Ready")
    assert "you are ready" in here.prompt(here.ann, title).content
    assert here.presses == 3


async def test_a_contact_of_two_forces_is_two_presses_at_each_step(here: Counted) -> None:
    await here.begin()
    await here.plan(*MEETING)
    title = await here.until("Reconnaissance")
    card = here.prompt(here.ann, title).content
    assert card.startswith("## Whom to search?\n")
    await here.click(title, "Search E1")
    assert "Searches E1" in here.prompt(here.ann, title).content
    await here.click(title, "Ready")
    assert here.presses == 2


async def test_a_contact_that_is_asked_once_is_two_presses(here: Counted) -> None:
    await here.begin()
    alliance, coalition = MEETING
    await here.plan(f'side: doctrine "ask on contact; attack ask; search ask"\n{alliance}', coalition)
    title = await here.until("Contact")
    card = here.prompt(here.ann, title).content
    assert card.startswith("## Contact in 0405\n")
    assert "A1 and A2 meet E1. What do they do?" in card
    before = await here.journal()
    await here.click(title, "Attack E1")
    assert "Meets E1: searches, attacks" in here.prompt(here.ann, title).content
    assert (await here.journal())[len(before) :] == ["answered"]
    await here.click(title, "Ready")
    assert here.presses == 2


async def test_a_press_twice_is_one_answer_and_a_forged_one_none(here: Counted) -> None:
    await here.begin()
    alliance, coalition = MEETING
    await here.plan(f'side: doctrine "ask on contact; attack ask; search ask"\n{alliance}', coalition)
    title = await here.until("Contact")
    (one,) = [one for one in pressable(here.prompt(here.ann, title)) if one.get("label") == "Slip away"]
    for _ in range(2):
        await here.ann.user.click(here.prompt(here.ann, title), custom_id=one["custom_id"])
    assert "leaves for home" in here.prompt(here.ann, title).content
    before = await here.fingerprint()
    head = one["custom_id"].rpartition("|offer|")[0]
    for wrong in ("offer|9", "offer|", "offer|x", "set|0.0", "set|99.1", "edit|0.99", "edit|page.0x", "orders|-1"):
        told = await here.forge(here.ann.user, here.prompt(here.ann, title), f"{head}|{wrong}")
        assert "not something I offered" in said(told), wrong
    assert await here.fingerprint() == before
    stolen = await here.forge(here.leo.user, here.dms(here.leo)[-1], f"{head}|offer|0")
    assert "not your side's sheet" in said(stolen)
    assert await here.fingerprint() == before


async def test_the_whole_sheet_is_a_page_that_leads_back(here: Counted) -> None:
    await here.begin()
    title = FIRST["pq17/intro"]
    await here.click(title, "All orders")
    page = here.prompt(here.ann, title).content
    assert page.startswith("## All orders")
    assert "__What stands if you send nothing__" in page
    assert "A1 Vanguard (" in page
    await here.click(title, "Back")
    assert here.prompt(here.ann, title).content.startswith("## Turn 1")
