"""The welcome of the page: what it says, whose seat it offers, and that it leads to the first card, by any means."""

from __future__ import annotations

import pytest
from playwright.async_api import Page, expect

from tests.bot.playground.page.scene import Controls, PageScene
from tests.bot.playground.page.test_page import open_at, part

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def written(scene: PageScene) -> None:
    """The bot has written to Blake: a word, a card to be answered, and another one."""
    blake = await scene.bot.fetch_user(int(scene.users["blake"]))
    await blake.send("You command Blue.")
    await blake.send("Plan turn 1\n" + "\n".join(f"line {number}" for number in range(60)), view=Controls())
    await blake.send("Another sheet", view=Controls())


async def test_it_opens_with_what_this_is_and_one_press_leads_to_the_first_card(scene: PageScene, phone: Page) -> None:
    await written(scene)
    await phone.goto(scene.server.url)
    await expect(part(phone, "#welcome h1", "Welcome to Plotroom")).to_be_visible()
    await expect(phone.locator("#timeline")).to_be_hidden()
    assert await phone.evaluate("document.documentElement.scrollWidth") == 390
    button = phone.get_by_role("button", name="Take Blake’s seat")
    box = await button.bounding_box()
    assert box is not None
    assert box["y"] + box["height"] < 844, "in sight without scrolling"
    await button.tap()
    await expect(part(phone, ".seat.current", "Blake")).to_be_visible()
    await expect(phone.locator("#welcome")).to_be_hidden()
    card = part(phone, ".message", "Plan turn 1")
    await expect(card).to_be_in_viewport()
    top = await card.evaluate("(node) => node.getBoundingClientRect().top")
    assert 0 < top < 300, "a card that is higher than the page begins at its top"
    await expect(part(phone, ".message", "Another sheet")).not_to_be_in_viewport()
    await card.locator(".select", has_text="Posture").tap()
    await part(phone, ".option", "Silent").tap()
    answer = part(phone, ".message.ephemeral", "posture is silent")
    await expect(answer).to_be_in_viewport()  # though it stands below all else


async def test_the_keyboard_alone_takes_the_seat_and_a_reader_is_told_what_for(scene: PageScene, tab: Page) -> None:
    await written(scene)
    await tab.goto(scene.server.url)
    offered = tab.get_by_role("button", name="Take Blake’s seat")
    await expect(offered).to_be_focused()
    told = await offered.evaluate(
        "(node) => node.getAttribute('aria-describedby').split(' ')"
        ".map((id) => document.getElementById(id).textContent)"
    )
    assert "each side sees only what it has found out" in told[0]
    assert "The bot has written to Blake" in told[1]
    await expect(tab.get_by_role("region", name="Welcome to Plotroom")).to_be_visible()
    await tab.keyboard.press("Enter")
    await expect(part(tab, "#head h1", "Plotroom")).to_be_visible()
    await expect(part(tab, ".message:focus", "Plan turn 1")).to_be_visible()


async def test_the_mark_shows_it_again_and_escape_leaves_it(scene: PageScene, tab: Page) -> None:
    await open_at(tab, scene, "blake", "blue")
    await expect(tab.locator("#welcome")).to_be_hidden()
    mark = tab.get_by_role("button", name="What is this?")
    await mark.click()
    await expect(tab.locator("#welcome")).to_be_visible()
    await expect(mark).to_have_attribute("aria-expanded", "true")
    await tab.keyboard.press("Escape")
    await expect(tab.locator("#welcome")).to_be_hidden()
    await expect(mark).to_be_focused()
    await expect(part(tab, "#head h1", "blue-bridge")).to_be_visible()
    await mark.click()
    await part(tab, "#welcome .link", "Cleo (commander of Red)").click()
    await expect(part(tab, ".seat.current", "Cleo")).to_be_visible()
    await expect(tab.locator("#welcome")).to_be_hidden()
    await mark.click()
    await part(tab, "#tree a", "general").click()
    await expect(tab.locator("#welcome")).to_be_hidden()
