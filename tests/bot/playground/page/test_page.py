"""The page in a real browser against the real server and a real bot: what each seat sees, and what it can do."""

from __future__ import annotations

from pathlib import Path

import aiohttp
from PIL import Image

from bot.playground import Seat
from tests.bot.playground.page.devtools import Tab
from tests.bot.playground.page.scene import PageScene


async def open_at(tab: Tab, scene: PageScene, seat: str, channel: str, *, whole: bool = True) -> None:
    """Open a channel; `whole` waits for its very beginning as well."""
    await tab.go(f"{scene.server.url}/{scene.hash(seat, channel)}")
    await tab.see("#head h1", {"general": "general", "blue": "blue-bridge", "red": "red-bridge"}[channel])
    if whole:
        await tab.see(".channel-start")


async def command(tab: Tab, line: str) -> None:
    """Type a command without options and send it."""
    await tab.click("#message-box")
    await tab.type(line)
    await tab.see(".suggestion", line)
    await tab.key("Enter")
    await tab.see(".command-name", line)
    await tab.key("Enter")


async def test_each_seat_sees_its_own_channels_only(scene: PageScene, tab: Tab) -> None:
    await tab.go(scene.server.url)
    names = "[...document.querySelectorAll('#tree [data-channel] .tree-name')].map((node) => node.textContent)"
    seats = {"ada": ["general", "blue-bridge", "red-bridge"], "blake": ["general", "blue-bridge"]}
    seats |= {"cleo": ["general", "red-bridge"], "eve": ["general"]}
    for seat, channels in seats.items():
        await tab.click(f"[data-seat='{scene.users[seat]}']")
        await tab.see(f"[data-seat='{scene.users[seat]}'].current")
        await tab.until(f"JSON.stringify({names}) === JSON.stringify({channels})")
    assert await tab.run("document.querySelectorAll('#tree .tree-category').length") == 0


async def test_a_reload_returns_to_seat_and_channel(scene: PageScene, tab: Tab) -> None:
    await open_at(tab, scene, "blake", "blue")
    await tab.call("Page.reload")
    await tab.see(".seat.current", "Blake")
    await tab.see("#head h1", "blue-bridge")


async def test_a_channel_that_the_seat_does_not_see_is_not_shown(scene: PageScene, tab: Tab) -> None:
    await tab.go(f"{scene.server.url}/#/{scene.users['blake']}/{scene.channels['red']}")
    await tab.see(".toast.error", "cannot see that channel")
    await tab.see("#head h1", "general")


async def test_a_command_with_completion_reaches_its_seat_only(scene: PageScene, tab: Tab, tmp_path: Path) -> None:
    """Keyboard alone: the command, a completed option, a number out of range, a choice, an optional file."""
    await open_at(tab, scene, "blake", "general")
    await tab.click("#message-box")
    await tab.type("/plot s")
    await tab.see(".suggestion", "Hand in the plot of one task force")
    await tab.key("Enter")
    await tab.see(".suggestion", "TF2 Buckler")
    await tab.type("buck")
    await tab.gone(".suggestion", "TF1 Lance")
    await tab.key("Enter")
    await tab.until("document.activeElement.dataset.option === 'speed'")
    await tab.type("9")
    await tab.key("Tab")
    await tab.see(".suggestion", "Silent")
    await tab.type("Sil")
    await tab.key("Enter")
    await tab.key("Enter")
    await tab.see(".command-hint.wrong", "speed must be a whole number, 0 to 6")
    await tab.run("document.activeElement.select()")
    await tab.type("3")
    paper = tmp_path / "sheet.txt"
    paper.write_text("twelve bytes")
    await tab.click(".add-option", "sheet")
    await tab.choose_file("[data-option='sheet'][type='file']", paper)
    await tab.see(".file-chosen", "sheet.txt (12 bytes)")
    await tab.click(".send")
    await tab.see(".message.ephemeral", "plot kept: TF2, speed 3, silent, sheet.txt of 12 bytes")
    await tab.see(".message.ephemeral", "Only you can see this")
    await tab.see(".above", "Blake used /plot submit")
    await tab.see("#message-box")

    await tab.click(f"[data-seat='{scene.users['cleo']}']")
    await tab.see(".seat.current", "Cleo")
    await tab.see("#head h1", "general")
    await tab.see(".channel-start")
    assert await tab.run("document.body.textContent.includes('plot kept')") is False

    await tab.click(f"[data-seat='{scene.users['blake']}']")
    await tab.click(".only-you .link")
    await tab.gone(".message.ephemeral")


async def test_a_typed_line_becomes_the_command(scene: PageScene, tab: Tab) -> None:
    await open_at(tab, scene, "blake", "general")
    await tab.click("#message-box")
    await tab.type("/plot submit task_force: TF3 speed: 2 posture: Cruise")
    await tab.see(".command-name", "/plot submit")
    await tab.until(
        "document.querySelectorAll('.option-input').length === 3 && document.activeElement.matches('.option-input')"
    )
    await tab.key("Escape")
    await tab.click(".send")
    await tab.see(".message", "plot kept: TF3, speed 2, cruise")


async def test_buttons_and_menus(scene: PageScene, tab: Tab) -> None:
    await open_at(tab, scene, "blake", "general")
    await command(tab, "/controls")
    await tab.click("button", "Count 0")
    await tab.click("button", "Count 1")
    await tab.see("button", "Count 2")
    assert await tab.run(
        "[...document.querySelectorAll('button')].find((node) => node.textContent === 'Closed').disabled"
    )
    rules = "[...document.querySelectorAll('a.button')].map((node) => [node.href, node.rel])[0]"
    assert await tab.run(rules) == ["https://example.org/rules", "noopener noreferrer"]

    await tab.click(".select", "Posture")
    await tab.click(".option", "Silent")
    await tab.see(".message.ephemeral", "posture is silent")

    await tab.click(".select", "Task forces")
    await tab.see(".select-count", "0 chosen; choose 1 to 2")
    for _ in range(3):  # The third is one too many and is not taken.
        await tab.key(" ")
        await tab.key("ArrowDown")
    await tab.see(".select-count", "2 chosen")
    await tab.click(".select-foot button")
    await tab.see(".message.ephemeral", "chosen TF1 and TF2")

    await tab.click(".select", "Ally")
    await tab.click(".option", "Cleo")
    await tab.see(".message.ephemeral .mention", "@Cleo")


async def test_a_button_and_a_command_that_are_not_answered(scene: PageScene, tab: Tab) -> None:
    await open_at(tab, scene, "blake", "general")
    await command(tab, "/controls")
    await tab.click("button", "Deaf")
    await tab.see(".message.busy")
    scene.server.clock.advance(3.5)
    await tab.see(".message .failed", "This interaction failed")
    await tab.gone(".message.busy")
    await command(tab, "/deaf")
    await tab.until("!document.querySelector('.command-line')")
    scene.server.clock.advance(3.5)
    await tab.see(".note", "/deaf: The application did not respond")
    await tab.click(".note button")
    await tab.gone(".note")


async def test_a_form(scene: PageScene, tab: Tab) -> None:
    """A form is checked before it goes out, keeps the focus within, and can be left and opened again."""
    await open_at(tab, scene, "blake", "general")
    await command(tab, "/controls")
    await tab.click("button", "Write orders")
    await tab.see("dialog.modal h2", "Orders of the day")
    await tab.until("document.activeElement.closest('[data-field]').dataset.field === 'course'")
    await tab.type("041")
    await tab.see(".count", "3/20, at least 4")
    await tab.click("dialog .button", "Submit")
    await tab.see("[data-field='course'] .field-error", "At least 4 characters; this is 3.")
    await tab.see("[data-field='force'] .field-error", "Choose one.")
    await tab.see(".modal-problem", "3 fields need another look.")
    await tab.until("document.activeElement.closest('[data-field]').dataset.field === 'course'")
    await tab.type("2 0413")
    await tab.gone("[data-field='course'] .field-error")
    await tab.click("[data-field='force'] .select")
    await tab.see(".option", "TF3")
    await tab.key("Escape")
    await tab.gone(".option")
    await tab.click("dialog.modal [data-field='force'] .select")
    await tab.click(".option", "TF3")
    await tab.click("[data-field='speed'] label", "Fast")
    await tab.click("[data-field='ready'] input")
    await tab.run("document.querySelector('dialog .modal-foot .primary').focus()")
    await tab.key("Tab")
    assert await tab.run("document.activeElement.closest('dialog.modal') !== null")
    await tab.click("dialog .button", "Submit")
    await tab.see(".message.ephemeral", "orders taken: TF3, 0412 0413, fast, ready=True")
    await tab.gone("dialog")

    await tab.click("button", "Write orders")
    await tab.see("dialog.modal")
    await tab.call("Page.reload")
    await tab.see("dialog.modal h2", "Orders of the day")
    await tab.key("Escape")
    await tab.gone("dialog")


async def test_a_form_that_nobody_answers_keeps_what_was_written(scene: PageScene, tab: Tab) -> None:
    await open_at(tab, scene, "blake", "general")
    await command(tab, "/controls")
    await tab.click("button", "Write orders")
    await tab.click("[data-field='course'] input")
    await tab.type("0412")
    await tab.click("[data-field='text'] textarea")
    await tab.type("stay silent")
    await tab.click("[data-field='force'] .select")
    await tab.click(".option", "TF1")
    await tab.click("[data-field='speed'] label", "Slow")
    await tab.click("dialog .button", "Submit")
    await tab.see("dialog .working")
    scene.server.clock.advance(3.5)
    await tab.see(".modal-problem", "The bot did not answer.")
    assert await tab.run("document.querySelector('[data-field=text] textarea').value") == "stay silent"
    await tab.click("dialog .button", "Cancel")
    await tab.gone("dialog")
    assert await tab.run("document.querySelector('.toast')") is None


async def test_a_jump_link_leads_to_an_old_message(scene: PageScene, tab: Tab) -> None:
    """The link's target lies 120 messages back, outside the 50 that are fetched at first."""
    async with Seat(scene.server.url, scene.users["ada"], channel=scene.channels["general"]) as ada:
        old = await ada.say("the order of the day")
        for number in range(120):
            await ada.say(f"line {number}.")
        link = f"https://discord.com/channels/{scene.guild}/{scene.channels['general']}/{old['id']}"
        await ada.say(f"see {link}")
    await open_at(tab, scene, "eve", "general", whole=False)
    await tab.click("a.mention", "#general › message")
    await tab.see(".message", "the order of the day")
    await tab.until(f"document.activeElement.dataset.message === '{old['id']}'")
    await tab.click("#latest")
    await tab.see("a.mention", "#general › message")


async def test_a_picture_opens_full_size(scene: PageScene, tab: Tab) -> None:
    await open_at(tab, scene, "blake", "blue")
    await command(tab, "/map")
    await tab.see(".embed-title", "Turn 3, impulse 2")
    await tab.until("document.querySelector('.image img')?.naturalWidth === 900")
    assert (
        await tab.run("document.querySelector('.image img').alt") == "Blue's map: TF1 at 0412, one contact to the east."
    )
    assert await tab.run("document.querySelector('.image img').getBoundingClientRect().width") == 550
    await tab.click(".image")
    await tab.see("dialog.viewer .viewer-caption", "one contact to the east")
    await tab.click(".viewer-image")
    await tab.until("document.querySelector('.viewer-image').getBoundingClientRect().width === 900")
    await tab.key("Escape")
    await tab.gone("dialog.viewer")


async def test_words_pictures_replies_and_badges(scene: PageScene, tab: Tab, tmp_path: Path) -> None:
    await open_at(tab, scene, "cleo", "general")
    await tab.click("#message-box")
    await tab.type("@bla")
    await tab.see(".suggestion", "Blake")
    await tab.key("Enter")
    await tab.type("<b>**well?**</b>")
    Image.new("RGB", (40, 20), "red").save(tmp_path / "flag.png")
    await tab.choose_file("#composer > input[type='file']", tmp_path / "flag.png")
    await tab.see(".file-chip", "flag.png")
    await tab.key("Enter")
    await tab.see(".message .markdown", "@Blake <b>well?</b>")
    await tab.until("document.querySelector('.message .image img')?.naturalWidth === 40")
    assert await tab.run("document.querySelector('.message .markdown strong').textContent") == "well?"
    badge = f"document.querySelector(\"[data-seat='{scene.users['blake']}']\").dataset.mentions"
    await tab.until(f"{badge} === '1'")

    await tab.click(f"[data-seat='{scene.users['blake']}']")
    await tab.see(".message.mentions-me", "well?")
    await tab.until(f"{badge} === '0'")
    await tab.run("document.querySelector('.message .tools button').focus()")
    await tab.key("Enter")
    await tab.see(".composer-banner", "Replying to Cleo")
    await tab.type("aye")
    await tab.key("Enter")
    await tab.see(".message .above", "@Blake <b>well?</b>")
    await tab.key("ArrowUp")
    await tab.see(".composer-banner", "Editing your message")
    await tab.type(", sir")
    await tab.key("Enter")
    await tab.see(".message", "aye, sir (edited)")


async def test_news_appear_without_asking_and_after_a_lost_connection(scene: PageScene, tab: Tab) -> None:
    await open_at(tab, scene, "eve", "general")
    await tab.until("document.querySelector('#status').hidden")
    async with Seat(scene.server.url, scene.users["ada"], channel=scene.channels["general"]) as ada:
        await ada.say("first")
        await tab.see(".message", "first")
        streams = scene.server.streams.stream(scene.users["eve"])
        for socket in list(streams.sockets):
            await socket.close()
        await ada.say("second")
        await tab.see(".message", "second")
        thread = await ada.say("third")
        assert thread["content"] == "third"
        await tab.see(".message", "third")
    assert await tab.run("document.querySelectorAll('.message').length") == 3


async def test_closed_direct_messages(scene: PageScene, tab: Tab) -> None:
    await open_at(tab, scene, "blake", "general")
    await tab.click("#dms-open")
    await tab.see(".toast", "refused now")
    assert scene.server.world.users[scene.users["blake"]].dms_open is False
    await tab.call("Page.reload")
    await tab.see("#me-name", "Blake")
    assert await tab.run("document.querySelector('#dms-open').checked") is False


async def test_a_long_channel_is_held_in_part_only(scene: PageScene, tab: Tab) -> None:
    """400 messages: the newest 50 come first, older ones on scrolling up, and never more than 300 are held."""
    async with Seat(scene.server.url, scene.users["ada"], channel=scene.channels["general"]) as ada:
        for number in range(1, 401):
            await ada.say(f"line {number}.")
    await tab.go(f"{scene.server.url}/{scene.hash('eve', 'general')}")
    await tab.see(".message", "line 400.")
    fetched = "performance.getEntriesByType('resource').filter((entry) => entry.name.includes('/messages?')).length"
    assert await tab.run(fetched) == 1
    count = "document.querySelectorAll('.message').length"
    assert await tab.run(count) == 50
    await tab.until(
        "(() => { document.querySelector('#timeline').scrollTop = 0;"
        " return [...document.querySelectorAll('.message')].some((node) => node.textContent.includes('line 1.')); })()"
    )
    assert await tab.run(count) == 300
    await tab.click("#latest")
    await tab.see(".message", "line 400.")


async def test_on_a_phone_the_channels_are_a_drawer(scene: PageScene, tab: Tab) -> None:
    await tab.size(390, 844, phone=True)
    await open_at(tab, scene, "blake", "general")
    assert await tab.run("document.documentElement.scrollWidth") == 390
    await tab.click("#open-drawer")
    await tab.click("#tree a", "blue-bridge")
    await tab.see("#head h1", "blue-bridge")
    await tab.gone("#sidebar")


async def test_the_page_comes_with_a_strict_policy(scene: PageScene) -> None:
    async with aiohttp.ClientSession() as http, http.get(scene.server.url) as answer:
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'; img-src 'self' data: blob:;")
        text = await answer.text()
    assert "style=" not in text
    assert "http://" not in text
    assert "https://" not in text


async def test_first_paint(scene: PageScene, tab: Tab) -> None:
    """About 0.15 s on an idle machine; the limit leaves room for one that runs other tests besides."""
    await open_at(tab, scene, "blake", "general")
    painted = await tab.run("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0")
    assert 0 < painted < 2000
