"""Parts of the page: its Markdown, its welcome, and the types of the seat API."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from bot.playground import PlaygroundServer, Seat
from tests.bot.playground.page.scene import Controls, PageScene, chart
from tests.bot.playground.page.test_page import open_at, part
from tests.expected.sections import section_rows

pytestmark = pytest.mark.asyncio(loop_scope="session")

HERE = Path(__file__).parent
_RENDER = (HERE / "render.js").read_text(encoding="utf-8").partition("export default ")[2].rstrip(";\n")


@pytest_asyncio.fixture(loop_scope="session")
async def page(server: PlaygroundServer, tab: Page) -> Page:
    await tab.goto(server.url)
    await expect(tab.locator("#notice")).to_be_visible()
    return tab


async def test_renders(page: Page) -> None:
    """All cases in one page, for a window of its own for each would cost more than the tests."""
    rows = section_rows("test_renders")
    shown = await page.evaluate(_RENDER, {name: text for name, text, _ in rows})
    assert shown == {name: expected for name, _, expected in rows}


async def test_html_makes_no_elements(page: Page) -> None:
    """What looks like HTML stays text: the only element is the paragraph."""
    count = await page.evaluate(
        "() => import('/message/text.js').then(({render}) => { const box = document.createElement('div');"
        " box.append(render('<img src=x onerror=alert(1)><script>1</script>', {}));"
        " return box.querySelectorAll('*').length; })"
    )
    assert count == 1


async def _links(page: Page, text: str) -> list[dict[str, Any]]:
    return await page.evaluate(
        "async (text) => { const {render} = await import('/message/text.js');"
        " const names = {jump: (url) => url.includes('/channels/') ? {href: '#/1/31', label: '#general'} : null};"
        " const box = document.createElement('div'); box.append(render(text, names));"
        " return [...box.querySelectorAll('a')].map((a) => ({text: a.textContent, href: a.getAttribute('href'),"
        " rel: a.rel, target: a.target})); }",
        text,
    )


async def test_outside_links_open_apart_without_a_handle_on_the_page(page: Page) -> None:
    links = await _links(
        page, "see https://example.org/a_b_c. and [rules](https://example.org/r) <https://example.org/q>"
    )
    found = [link["href"] for link in links]
    assert found == ["https://example.org/a_b_c", "https://example.org/r", "https://example.org/q"]
    assert [link["text"] for link in links] == ["https://example.org/a_b_c", "rules", "https://example.org/q"]
    assert {link["rel"] for link in links} == {"noopener noreferrer"}
    assert {link["target"] for link in links} == {"_blank"}


async def test_jump_links_stay_in_the_page(page: Page) -> None:
    found = await _links(page, "https://discord.com/channels/1/31")
    assert found == [{"text": "#general", "href": "#/1/31", "rel": "", "target": ""}]


async def test_times(page: Page) -> None:
    """Relative times, by hand: 7,200 s ahead of the given now, and 90,000 s (25 h) behind it."""
    assert await page.evaluate(
        "() => import('/message/text.js').then(({relativeTime: words}) =>"
        " [words(8200, 1000), words(10000, 100000), words(5, 5)])"
    ) == ["in 2 hours", "yesterday", "now"]
    shown = await page.evaluate(
        "() => import('/message/text.js').then(({render}) => { const box = document.createElement('div');"
        " box.append(render('<t:86400:D> <t:99999999999999999:F>', {}));"
        " return [box.querySelector('time').dateTime, box.textContent]; })"
    )
    assert shown[0] == "1970-01-02T00:00:00.000Z"
    assert "<t:99999999999999999:F>" in shown[1]


async def test_a_spoiler_is_out_of_reach_until_pressed(page: Page) -> None:
    await page.evaluate(
        "() => import('/message/text.js').then(({render}) => {"
        " const box = document.createElement('div'); box.id = 'trial';"
        " box.style.cssText = 'position:fixed;inset:100px;z-index:99'; box.append(render('||secret||', {}));"
        " document.body.append(box); })"
    )
    spoiler = page.locator("#trial .spoiler")
    state = "(node) => [node.getAttribute('role'), node.firstChild.inert]"
    assert await spoiler.evaluate(state) == ["button", True]
    await spoiler.click()
    assert await spoiler.evaluate(state) == ["group", False]


async def test_hostile_text_takes_no_time(page: Page) -> None:
    """Each text is as long as a message may be and made to lead a parser astray; 500 ms is far more than any needs."""
    runs = [
        "*" * 2000, "**" * 900 + "a", "_a" * 900, "||" * 900, "[" * 1900, "> " * 900, "`" * 1999, "- " * 900,
        "```" + "`\n" * 900,
    ]  # fmt: skip
    spent = await page.evaluate(
        "(runs) => import('/model/markdown.js').then(({parse}) => runs.map((text) => {"
        " const from = performance.now(); parse(text); return performance.now() - from; }))",
        runs,
    )
    assert max(spent) < 500, dict(zip((text[:6] for text in runs), spent, strict=True))


# --- what the page's scripts believe of the seat API's JSON (`seat_api.d.ts`) is what the server sends ----------------
TYPES = HERE.parents[3] / "bot/playground/seat_api.js"

#: Events of every kind but `hello` and `reload`, which come to a new window only, and what changes a server.
EVENTS = {
    "message_create", "message_update", "message_delete", "channel_create", "channel_update", "channel_delete",
    "pins_update", "interaction", "interaction_failed", "modal", "modal_closed", "unread",
}  # fmt: skip


class Layout(discord.ui.LayoutView):
    """A component of every kind that a message lays out."""

    def __init__(self) -> None:
        super().__init__(timeout=None)
        look = discord.ui.Button[Any](label="Look", custom_id="look", emoji="🌑")
        self.add_item(
            discord.ui.Container(
                discord.ui.TextDisplay("**Turn 3**"),
                discord.ui.Separator(),
                discord.ui.Section(discord.ui.TextDisplay("Blue to plot"), accessory=look),
                discord.ui.MediaGallery(discord.MediaGalleryItem("attachment://map.png", description="the map")),
                discord.ui.File("attachment://orders.txt"),
                accent_colour=0xE69F00,
            )
        )


async def play(scene: PageScene) -> dict[str, list[Any]]:
    """Use the playground in every way that its page shows; what Blake's seat was sent, by the name of its type."""
    general = scene.channels["general"]
    place = await scene.bot.fetch_channel(int(general))
    assert isinstance(place, discord.TextChannel)
    async with Seat(scene.server.url, scene.users["blake"], channel=general) as blake:
        said = await blake.say("the **order** of the day")
        controls = (await blake.command("controls"))["message"]
        opened = await blake.press(controls, label="Write orders")
        await blake.request("POST", "modal_dismiss", {"interaction_id": opened["modal"]["interaction_id"]})
        await blake.press(controls, label="Write orders")
        await blake.press(controls, label="Deaf", wait=False)
        scene.server.clock.advance(scene.server.config.first_answer_within + 1)
        mapped = await blake.command("map")
        files = [chart(), discord.File(HERE / "scene.py", "orders.txt")]
        await place.send(view=Layout(), files=files)
        pinned = await place.send("pinned", reference=await place.fetch_message(int(said["id"])))
        await pinned.pin()
        thread = await pinned.create_thread(name="Battle of 0412")
        await thread.send("come here")
        await thread.edit(archived=True)
        await (await place.send("a slip")).delete()
        await (await place.send("a draft")).edit(content="done")
        await (await scene.bot.fetch_user(int(scene.users["blake"]))).send("a word in private")
        await thread.delete()
        state = await blake.state()
        await blake.wait_for_event(lambda event: event["type"] == "channel_delete")
        return {
            "State": [state],
            "Message": [message for channel in blake_channels(state) for message in await blake.messages(channel)],
            "Answer": [opened, mapped],
            "SeatEvent": blake.events,
        }


def blake_channels(state: dict[str, Any]) -> list[str]:
    """The ids of all channels in a state that hold messages."""
    channels = [*state["dms"], *(channel for guild in state["guilds"] for channel in guild["channels"])]
    return [channel["id"] for channel in channels if channel["kind"] != "category"]


def complaints(tmp_path: Path, sent: dict[str, list[Any]]) -> str:
    """What TypeScript says of values that are passed where one of these types is wanted."""
    lines = [f'import type {{ {", ".join(sent)} }} from "{os.path.relpath(TYPES, tmp_path)}";']
    for kind, values in sent.items():
        # A type parameter lets a value hold more than the page reads, but neither less nor anything else.
        lines.append(f"function is{kind}<Sent extends {kind}>(sent: Sent): void {{ void sent; }}")
        lines += [f"is{kind}({json.dumps(value)});" for value in values]
    script = tmp_path / "sent.ts"
    script.write_text("\n".join(lines), encoding="utf-8")
    target = ("--target", "es2023", "--module", "esnext", "--moduleResolution", "bundler", "--types", "")
    compiler = [HERE / "node_modules/.bin/tsc", "--noEmit", "--strict", *target, script]
    run = subprocess.run(compiler, capture_output=True, text=True, check=False)
    assert (run.returncode == 0) == (run.stdout == ""), run.stderr
    return run.stdout


@pytest.mark.skipif(not (HERE / "node_modules/.bin/tsc").exists(), reason="no TypeScript here (make page-check)")
async def test_what_the_server_sends_is_what_the_page_believes(scene: PageScene, tmp_path: Path) -> None:
    sent = await play(scene)
    assert {event["type"] for event in sent["SeatEvent"]} >= EVENTS
    assert complaints(tmp_path, sent) == ""
    spoilt = json.loads(json.dumps(sent["State"][0]))
    spoilt["guilds"][0]["channels"][0]["kind"] = "forum"
    assert '"forum"' in complaints(tmp_path, {"State": [spoilt]})


# --- welcome ----------------------------------------------------------------------------------------------------------
# the welcome of the page: what it says, whose seat it offers, and that it leads to the first card, by any means.
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
