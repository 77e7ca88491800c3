"""The page in a real browser against the real server and a real bot: what each seat sees, and what it can do."""

from __future__ import annotations

import re
from base64 import b64encode
from pathlib import Path

import aiohttp
import pytest
from PIL import Image
from playwright.async_api import Locator, Page, expect
from yarl import URL

import bot.playground
from bot.delivery.drawing import Drawing
from bot.playground import Seat
from bot.records.signs.catalogue import SIGNS
from tests.bot.playground.page.scene import PageScene
from tests.bot.playground.rest import Rest
from tests.expected.words import has_words
from tests.patience import PATIENCE

pytestmark = pytest.mark.asyncio(loop_scope="session")


def part(tab: Page, selector: str, text: str) -> Locator:
    """The part of the page that fits the selector and holds the text, letter for letter."""
    return tab.locator(selector, has_text=re.compile(re.escape(text)))


def focused(tab: Page, selector: str) -> Locator:
    """What has the focus, if it fits the selector or lies within such an element."""
    return tab.locator(f":is({selector}):focus, :is({selector}) :focus")


async def open_at(tab: Page, scene: PageScene, seat: str, channel: str, *, whole: bool = True) -> None:
    """Open a channel; `whole` waits for its very beginning as well."""
    await tab.goto(f"{scene.server.url}/{scene.hash(seat, channel)}")
    name = {"general": "general", "blue": "blue-bridge", "red": "red-bridge"}[channel]
    await expect(part(tab, "#head h1", name)).to_be_visible()
    if whole:
        await expect(tab.locator(".channel-start")).to_be_visible()


async def command(tab: Page, line: str) -> None:
    """Type a command without options and send it."""
    await tab.locator("#message-box").click()
    await tab.keyboard.insert_text(line)
    await expect(part(tab, ".suggestion", line)).to_be_visible()
    await tab.keyboard.press("Enter")
    await expect(part(tab, ".command-name", line)).to_be_visible()
    await tab.keyboard.press("Enter")


async def test_each_seat_sees_its_own_channels_only(scene: PageScene, tab: Page) -> None:
    await tab.goto(scene.server.url)
    seats = {"ada": ["general", "blue-bridge", "red-bridge"], "blake": ["general", "blue-bridge"]}
    seats |= {"cleo": ["general", "red-bridge"], "eve": ["general"]}
    for seat, channels in seats.items():
        await tab.locator(f"[data-seat='{scene.users[seat]}']").click()
        await expect(tab.locator(f"[data-seat='{scene.users[seat]}'].current")).to_be_visible()
        await expect(tab.locator("#tree [data-channel] .tree-name")).to_have_text(channels)
    await expect(tab.locator("#tree .tree-category")).to_have_count(0)


async def test_a_reload_returns_to_seat_and_channel(scene: PageScene, tab: Page) -> None:
    await open_at(tab, scene, "blake", "blue")
    await tab.reload()
    await expect(part(tab, ".seat.current", "Blake")).to_be_visible()
    await expect(part(tab, "#head h1", "blue-bridge")).to_be_visible()


async def test_a_channel_that_the_seat_does_not_see_is_not_part(scene: PageScene, tab: Page) -> None:
    await tab.goto(f"{scene.server.url}/#/{scene.users['blake']}/{scene.channels['red']}")
    await expect(part(tab, ".toast.error", "cannot see that channel")).to_be_visible()
    await expect(part(tab, "#head h1", "general")).to_be_visible()


async def test_a_command_with_completion_reaches_its_seat_only(scene: PageScene, tab: Page, tmp_path: Path) -> None:
    """Keyboard alone: the command, a completed option, a number out of range, a choice, an optional file."""
    await open_at(tab, scene, "blake", "general")
    await tab.locator("#message-box").click()
    await tab.keyboard.insert_text("/plot s")
    await expect(part(tab, ".suggestion", "Hand in the plot of one task force")).to_be_visible()
    await tab.keyboard.press("Enter")
    await expect(part(tab, ".suggestion", "TF2 Buckler")).to_be_visible()
    await tab.keyboard.insert_text("buck")
    await expect(part(tab, ".suggestion", "TF1 Lance")).to_be_hidden()
    await tab.keyboard.press("Enter")
    await expect(tab.locator("[data-option='speed']")).to_be_focused()
    await tab.keyboard.insert_text("9")
    await tab.keyboard.press("Tab")
    await expect(part(tab, ".suggestion", "Silent")).to_be_visible()
    await tab.keyboard.insert_text("Sil")
    await tab.keyboard.press("Enter")
    await tab.keyboard.press("Enter")
    await expect(part(tab, ".command-hint.wrong", "speed must be a whole number, 0 to 6")).to_be_visible()
    await tab.keyboard.press("Control+A")
    await tab.keyboard.insert_text("3")
    paper = tmp_path / "sheet.txt"
    paper.write_text("twelve bytes")
    await part(tab, ".add-option", "sheet").click()
    await tab.locator("[data-option='sheet'][type='file']").set_input_files(paper)
    await expect(part(tab, ".file-chosen", "sheet.txt (12 bytes)")).to_be_visible()
    await tab.locator(".send").click()
    answer = tab.locator(".message.ephemeral")
    await expect(answer).to_be_visible()
    await expect(answer).to_contain_text("plot kept: TF2, speed 3, silent, sheet.txt of 12 bytes")
    await expect(answer).to_contain_text("Only you can see this")
    await expect(part(tab, ".above", "Blake used /plot submit")).to_be_visible()
    await expect(tab.locator("#message-box")).to_be_visible()

    await tab.locator(f"[data-seat='{scene.users['cleo']}']").click()
    await expect(part(tab, ".seat.current", "Cleo")).to_be_visible()
    await expect(part(tab, "#head h1", "general")).to_be_visible()
    await expect(tab.locator(".channel-start")).to_be_visible()
    await expect(tab.locator("body")).not_to_contain_text("plot kept")

    await tab.locator(f"[data-seat='{scene.users['blake']}']").click()
    await tab.locator(".only-you .link").click()
    await expect(tab.locator(".message.ephemeral")).to_be_hidden()


async def test_a_typed_line_becomes_the_command(scene: PageScene, tab: Page) -> None:
    await open_at(tab, scene, "blake", "general")
    await tab.locator("#message-box").click()
    await tab.keyboard.insert_text("/plot submit task_force: TF3 speed: 2 posture: Cruise")
    await expect(part(tab, ".command-name", "/plot submit")).to_be_visible()
    await expect(tab.locator(".option-input")).to_have_count(3)
    await expect(tab.locator(".option-input:focus")).to_be_visible()
    await tab.keyboard.press("Escape")
    await tab.locator(".send").click()
    await expect(part(tab, ".message", "plot kept: TF3, speed 2, cruise")).to_be_visible()


async def test_buttons_and_menus(scene: PageScene, tab: Page) -> None:
    await open_at(tab, scene, "blake", "general")
    await command(tab, "/controls")
    await part(tab, "button", "Count 0").click()
    await part(tab, "button", "Count 1").click()
    await expect(part(tab, "button", "Count 2")).to_be_visible()
    await expect(tab.get_by_role("button", name="Closed", exact=True)).to_be_disabled()
    rules = tab.get_by_role("link", name="Rules")
    await expect(rules).to_have_attribute("href", "https://example.org/rules")
    await expect(rules).to_have_attribute("rel", "noopener noreferrer")

    await part(tab, ".select", "Posture").click()
    await part(tab, ".option", "Silent").click()
    await expect(part(tab, ".message.ephemeral", "posture is silent")).to_be_visible()

    await part(tab, ".select", "Task forces").click()
    await expect(part(tab, ".select-count", "0 chosen; choose 1 to 2")).to_be_visible()
    for _ in range(3):  # The third is one too many and is not taken.
        await tab.keyboard.press("Space")
        await tab.keyboard.press("ArrowDown")
    await expect(part(tab, ".select-count", "2 chosen")).to_be_visible()
    await tab.locator(".select-foot button").click()
    await expect(part(tab, ".message.ephemeral", "chosen TF1 and TF2")).to_be_visible()

    await part(tab, ".select", "Ally").click()
    await part(tab, ".option", "Cleo").click()
    await expect(part(tab, ".message.ephemeral .mention", "@Cleo")).to_be_visible()


async def test_a_button_and_a_command_that_are_not_answered(scene: PageScene, tab: Page) -> None:
    await open_at(tab, scene, "blake", "general")
    await command(tab, "/controls")
    await part(tab, "button", "Deaf").click()
    await expect(tab.locator(".message.busy")).to_be_visible()
    scene.server.clock.advance(PATIENCE + 1)
    await expect(part(tab, ".message .failed", "This interaction failed")).to_be_visible()
    await expect(tab.locator(".message.busy")).to_be_hidden()
    await command(tab, "/deaf")
    await expect(tab.locator(".command-line")).to_have_count(0)
    scene.server.clock.advance(PATIENCE + 1)
    await expect(part(tab, ".note", "/deaf: The application did not respond")).to_be_visible()
    await tab.locator(".note button").click()
    await expect(tab.locator(".note")).to_be_hidden()


async def test_a_form(scene: PageScene, tab: Page) -> None:
    """A form is checked before it goes out, keeps the focus within, and can be left and opened again."""
    await open_at(tab, scene, "blake", "general")
    await command(tab, "/controls")
    await part(tab, "button", "Write orders").click()
    await expect(part(tab, "dialog.modal h2", "Orders of the day")).to_be_visible()
    await expect(focused(tab, "[data-field='course']")).to_be_visible()
    await tab.keyboard.insert_text("041")
    await expect(part(tab, ".count", "3/20, at least 4")).to_be_visible()
    await part(tab, "dialog .button", "Submit").click()
    await expect(part(tab, "[data-field='course'] .field-error", "At least 4 characters; this is 3.")).to_be_visible()
    await expect(part(tab, "[data-field='force'] .field-error", "Choose one.")).to_be_visible()
    await expect(part(tab, ".modal-problem", "3 fields need another look.")).to_be_visible()
    await expect(focused(tab, "[data-field='course']")).to_be_visible()
    await tab.keyboard.insert_text("2 0413")
    await expect(tab.locator("[data-field='course'] .field-error")).to_be_hidden()
    await tab.locator("[data-field='force'] .select").click()
    await expect(part(tab, ".option", "TF3")).to_be_visible()
    await tab.keyboard.press("Escape")
    await expect(tab.locator(".option")).to_be_hidden()
    await tab.locator("dialog.modal [data-field='force'] .select").click()
    await part(tab, ".option", "TF3").click()
    await part(tab, "[data-field='speed'] label", "Fast").click()
    await tab.locator("[data-field='ready'] input").click()
    await tab.locator("dialog .modal-foot .primary").focus()
    await tab.keyboard.press("Tab")
    await expect(focused(tab, "dialog.modal")).to_be_visible()
    await part(tab, "dialog .button", "Submit").click()
    await expect(part(tab, ".message.ephemeral", "orders taken: TF3, 0412 0413, fast, ready=True")).to_be_visible()
    await expect(tab.locator("dialog")).to_be_hidden()

    await part(tab, "button", "Write orders").click()
    await expect(tab.locator("dialog.modal")).to_be_visible()
    await tab.reload()
    await expect(part(tab, "dialog.modal h2", "Orders of the day")).to_be_visible()
    await tab.keyboard.press("Escape")
    await expect(tab.locator("dialog")).to_be_hidden()


async def test_a_form_that_nobody_answers_keeps_what_was_written(scene: PageScene, tab: Page) -> None:
    await open_at(tab, scene, "blake", "general")
    await command(tab, "/controls")
    await part(tab, "button", "Write orders").click()
    await tab.locator("[data-field='course'] input").click()
    await tab.keyboard.insert_text("0412")
    await tab.locator("[data-field='text'] textarea").click()
    await tab.keyboard.insert_text("stay silent")
    await tab.locator("[data-field='force'] .select").click()
    await part(tab, ".option", "TF1").click()
    await part(tab, "[data-field='speed'] label", "Slow").click()
    await part(tab, "dialog .button", "Submit").click()
    await expect(tab.locator("dialog .working")).to_be_visible()
    scene.server.clock.advance(PATIENCE + 1)
    await expect(part(tab, ".modal-problem", "The bot did not answer.")).to_be_visible()
    await expect(tab.locator("[data-field='text'] textarea")).to_have_value("stay silent")
    await part(tab, "dialog .button", "Cancel").click()
    await expect(tab.locator("dialog")).to_be_hidden()
    await expect(tab.locator(".toast")).to_have_count(0)


async def test_a_jump_link_leads_to_an_old_message(scene: PageScene, tab: Page) -> None:
    """The link's target lies 120 messages back, outside the 50 that are fetched at first."""
    async with Seat(scene.server.url, scene.users["ada"], channel=scene.channels["general"]) as ada:
        old = await ada.say("the order of the day")
        for number in range(120):
            await ada.say(f"line {number}.")
        link = f"https://discord.com/channels/{scene.guild}/{scene.channels['general']}/{old['id']}"
        await ada.say(f"see {link}")
    await open_at(tab, scene, "eve", "general", whole=False)
    await part(tab, "a.mention", "#general › message").click()
    await expect(part(tab, ".message", "the order of the day")).to_be_visible()
    await expect(tab.locator(f"[data-message='{old['id']}']")).to_be_focused()
    await tab.locator("#latest").click()
    await expect(part(tab, "a.mention", "#general › message")).to_be_visible()


async def test_a_link_to_an_old_message_leads_there_when_it_opens_the_page(scene: PageScene, tab: Page) -> None:
    async with Seat(scene.server.url, scene.users["ada"], channel=scene.channels["general"]) as ada:
        old = await ada.say("the order of the day")
        for number in range(60):
            await ada.say(f"line {number}.")
    await tab.goto(f"{scene.server.url}/{scene.hash('eve', 'general')}/{old['id']}")
    await expect(tab.locator(f"#timeline[aria-busy='false'] [data-message='{old['id']}']")).to_be_focused()
    await expect(tab.locator(".toast")).to_have_count(0)


async def test_a_picture_opens_full_size(scene: PageScene, tab: Page) -> None:
    await open_at(tab, scene, "blake", "blue")
    await command(tab, "/map")
    await expect(part(tab, ".embed-title", "Turn 3, impulse 2")).to_be_visible()
    image = tab.locator(".image img")
    await expect(image).to_have_js_property("naturalWidth", 900)
    await expect(image).to_have_attribute("alt", "Blue's map: TF1 at 0412, one contact to the east.")
    assert await image.evaluate("(node) => node.getBoundingClientRect().width") == 550
    await tab.locator(".image").click()
    await expect(part(tab, "dialog.viewer .viewer-caption", "one contact to the east")).to_be_visible()
    await tab.locator(".viewer-image").click()
    await tab.wait_for_function("document.querySelector('.viewer-image').getBoundingClientRect().width === 900")
    await tab.keyboard.press("Escape")
    await expect(tab.locator("dialog.viewer")).to_be_hidden()


async def test_words_pictures_replies_and_badges(scene: PageScene, tab: Page, tmp_path: Path) -> None:
    await open_at(tab, scene, "cleo", "general")
    await tab.locator("#message-box").click()
    await tab.keyboard.insert_text("@bla")
    await expect(part(tab, ".suggestion", "Blake")).to_be_visible()
    await tab.keyboard.press("Enter")
    await tab.keyboard.insert_text("<b>**well?**</b>")
    Image.new("RGB", (40, 20), "red").save(tmp_path / "flag.png")
    await tab.locator("#composer > input[type='file']").set_input_files(tmp_path / "flag.png")
    await expect(part(tab, ".file-chip", "flag.png")).to_be_visible()
    await tab.keyboard.press("Enter")
    await expect(part(tab, ".message .markdown", "@Blake <b>well?</b>")).to_be_visible()
    await expect(tab.locator(".message .image img")).to_have_js_property("naturalWidth", 40)
    await expect(tab.locator(".message .markdown strong")).to_have_text("well?")
    blake = tab.locator(f"[data-seat='{scene.users['blake']}']")
    await expect(blake).to_have_attribute("data-mentions", "1")

    await tab.locator(f"[data-seat='{scene.users['blake']}']").click()
    await expect(part(tab, ".message.mentions-me", "well?")).to_be_visible()
    await expect(blake).to_have_attribute("data-mentions", "0")
    await tab.locator(".message .tools button").first.focus()
    await tab.keyboard.press("Enter")
    await expect(part(tab, ".composer-banner", "Replying to Cleo")).to_be_visible()
    await tab.keyboard.insert_text("aye")
    await tab.keyboard.press("Enter")
    await expect(part(tab, ".message .above", "@Blake <b>well?</b>")).to_be_visible()
    await tab.keyboard.press("ArrowUp")
    await expect(part(tab, ".composer-banner", "Editing your message")).to_be_visible()
    await tab.keyboard.insert_text(", sir")
    await tab.keyboard.press("Enter")
    await expect(part(tab, ".message", "aye, sir (edited)")).to_be_visible()


async def test_emojis_of_the_application_stand_in_words_buttons_and_menus(scene: PageScene, tab: Page) -> None:
    sign = SIGNS["pin_1"]
    rest = Rest(scene.server.url)
    image = f"data:image/png;base64,{b64encode(Drawing().sign(sign)).decode()}"
    emojis = f"/applications/{scene.server.world.application_id}/emojis"
    made = (await rest("POST", emojis, {"name": sign.made_name, "image": image}))[1]
    emoji = {"id": made["id"], "name": made["name"]}
    button = {"type": 2, "style": 2, "custom_id": "a", "label": "Why?", "emoji": emoji}
    menu = {"type": 3, "custom_id": "b", "options": [{"label": "Kiel", "value": "a", "emoji": emoji}]}
    rows = [{"type": 1, "components": [one]} for one in (button, menu)]
    text = f"<:{made['name']}:{made['id']}> **Kiel** <:gone:77> was lost"
    await rest("POST", f"/channels/{scene.channels['general']}/messages", {"content": text, "components": rows})
    await rest.close()
    await open_at(tab, scene, "blake", "general")
    words = part(tab, ".markdown", "was lost").locator("img.emoji")
    pressed = part(tab, "button", "Why?").locator("img.emoji")
    await part(tab, ".select", "Make a selection").last.click()
    chosen = part(tab, ".option", "Kiel").locator("img.emoji")
    for one in (words.first, pressed, chosen):
        await expect(one).to_have_attribute("alt", f":{sign.made_name}:")
        await expect(one).to_have_attribute("title", f":{sign.made_name}:")
        box = await one.bounding_box()
        assert box is not None
        assert (round(box["width"]), round(box["height"])) == (21, 21)
        assert await one.evaluate("(node) => node.decode().then(() => node.naturalWidth)") == 128
    await expect(words.nth(1)).to_have_attribute("alt", ":gone:")


async def test_news_appear_without_asking_and_after_a_lost_connection(scene: PageScene, tab: Page) -> None:
    await open_at(tab, scene, "eve", "general")
    await expect(tab.locator("#status")).to_be_hidden()
    async with Seat(scene.server.url, scene.users["ada"], channel=scene.channels["general"]) as ada:
        await ada.say("first")
        await expect(part(tab, ".message", "first")).to_be_visible()
        for socket in list(scene.server.streams.stream(scene.users["eve"]).sockets):
            await socket.close()
        await ada.say("second")
        await expect(part(tab, ".message", "second")).to_be_visible()
        assert (await ada.say("third"))["content"] == "third"
        await expect(part(tab, ".message", "third")).to_be_visible()
    await expect(tab.locator(".message")).to_have_count(3)


async def test_closed_direct_messages(scene: PageScene, tab: Page) -> None:
    await open_at(tab, scene, "blake", "general")
    await tab.locator("#dms-open").click()
    await expect(part(tab, ".toast", "refused now")).to_be_visible()
    assert scene.server.world.users[scene.users["blake"]].dms_open is False
    await tab.reload()
    await expect(part(tab, "#me-name", "Blake")).to_be_visible()
    await expect(tab.locator("#dms-open")).not_to_be_checked()


async def test_a_long_channel_is_held_in_part_only(scene: PageScene, tab: Page) -> None:
    """400 messages: the newest 50 come first, older ones on scrolling up, and never more than 300 are held."""
    async with Seat(scene.server.url, scene.users["ada"], channel=scene.channels["general"]) as ada:
        for number in range(1, 401):
            await ada.say(f"line {number}.")
    await tab.goto(f"{scene.server.url}/{scene.hash('eve', 'general')}")
    await expect(part(tab, ".message", "line 400.")).to_be_visible()
    fetched = "performance.getEntriesByType('resource').filter((entry) => entry.name.includes('/messages?')).length"
    assert await tab.evaluate(fetched) == 1
    messages = tab.locator(".message")
    assert await messages.count() == 50
    await tab.wait_for_function(
        "() => { document.querySelector('#timeline').scrollTop = 0;"
        " return [...document.querySelectorAll('.message')].some((node) => node.textContent.includes('line 1.')); }"
    )
    assert await messages.count() == 300
    await tab.locator("#latest").click()
    await expect(part(tab, ".message", "line 400.")).to_be_visible()


async def test_on_a_phone_the_channels_are_a_drawer(scene: PageScene, phone: Page) -> None:
    await open_at(phone, scene, "blake", "general")
    assert await phone.evaluate("document.documentElement.scrollWidth") == 390
    await phone.locator("#open-drawer").tap()
    await part(phone, "#tree a", "blue-bridge").tap()
    await expect(part(phone, "#head h1", "blue-bridge")).to_be_visible()
    await expect(phone.locator("#sidebar")).to_be_hidden()


async def test_the_page_comes_with_a_strict_policy(scene: PageScene) -> None:
    async with aiohttp.ClientSession() as http, http.get(scene.server.url) as answer:
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'; img-src 'self' data: blob:;")
        text = await answer.text()
    has_words(text, never=("style=", "http://", "https://"))


async def test_every_script_is_fetched_at_once(scene: PageScene) -> None:
    """A script that is not named in index.html waits for those that import it, one after the other."""
    folder = Path(bot.playground.__file__).parent / "page"
    scripts = {path.relative_to(folder).as_posix() for path in folder.rglob("*.js")}
    async with aiohttp.ClientSession() as http:
        async with http.get(scene.server.url) as answer:
            named = re.findall(r'(?:modulepreload" href|module" src)="([^"]+)"', await answer.text())
        assert sorted(named) == sorted(scripts)
        for name in named:
            async with http.get(f"{scene.server.url}/{name}") as answer:
                assert answer.status == 200, name


async def test_nothing_outside_the_page_is_served(scene: PageScene) -> None:
    async with aiohttp.ClientSession() as http:
        for path in ("/server.py", "/model/..%2F..%2Fserver.py", "/..%2Fserver.py", "/model", "/none/app.js"):
            async with http.get(URL(scene.server.url + path, encoded=True)) as answer:
                assert answer.status == 404, path


async def test_first_paint(scene: PageScene, tab: Page) -> None:
    """About 0.15 s on an idle machine; the limit leaves room for one that runs other tests besides."""
    await open_at(tab, scene, "blake", "general")
    painted = await tab.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    assert 0 < painted < 2000
