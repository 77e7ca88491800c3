"""A headless Chromium driven over the DevTools protocol: real clicks and keys, and waiting for what the page shows."""

from __future__ import annotations

import asyncio
import base64
import itertools
import json
import subprocess
import threading
from pathlib import Path
from typing import Any

import aiohttp

Json = dict[str, Any]

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-extensions",
    "--force-prefers-reduced-motion",
    "--remote-debugging-port=0",
)

#: Seconds that a page may take for anything a test waits for.
PATIENCE = 10

_UNTIL = """
(check, patience) => new Promise((resolve, reject) => {
  const stop = (end, value) => { seen.disconnect(); clearInterval(tick); clearTimeout(late); end(value); };
  const look = () => { const value = check(); if (value) stop(resolve, value); };
  const seen = new MutationObserver(look);
  seen.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
  // What is no mutation (focus, an image that finished loading) is looked at between.
  const tick = setInterval(look, 20);
  const shown = () => document.body.innerText.slice(-1500);
  const late = setTimeout(() => stop(reject, new Error("waited in vain; the page shows: " + shown())), patience * 1000);
  look();
})
"""


_STILL = """
async (find, patience) => {
  const frame = () => new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 50); });
  const end = performance.now() + patience * 1000;
  while (performance.now() < end) {
    const node = find();
    if (node && !node.disabled) {
      node.scrollIntoView({block: "nearest"});
      await frame();
      const before = node.getBoundingClientRect();
      await frame();
      const box = node.getBoundingClientRect();
      const place = {x: box.x + box.width / 2, y: box.y + box.height / 2};
      const hit = document.elementFromPoint(place.x, place.y);
      if (node.contains(hit) && before.x === box.x && before.y === box.y) return place;
    } else await frame();
  }
  throw new Error("nothing to click; the page shows: " + document.body.innerText.slice(-1500));
}
"""


class Chromium:
    """The browser's process; `address` is its DevTools websocket."""

    def __init__(self, program: str, profile: Path) -> None:
        self._process = subprocess.Popen(
            [program, *_FLAGS, f"--user-data-dir={profile}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.address = ""
        stderr = self._process.stderr
        assert stderr is not None
        for line in stderr:
            if "DevTools listening on " in line:
                self.address = line.rsplit(" ", 1)[1].strip()
                break
        # The pipe must go on being read, or the browser stops when it is full.
        self._drain = threading.Thread(target=stderr.read, daemon=True)
        self._drain.start()

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._drain.join(5)
        assert self._process.stderr is not None
        self._process.stderr.close()


class PageError(Exception):
    """A script of the page, or of the test in the page, failed."""


class Tab:
    """One window with cookies and storage of its own. `faults` lists uncaught errors and refused loads of the page."""

    def __init__(self, chromium: Chromium) -> None:
        self._chromium = chromium
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[Json]] = {}
        self.faults: list[str] = []

    async def __aenter__(self) -> Tab:
        self._http = aiohttp.ClientSession()
        self._socket = await self._http.ws_connect(self._chromium.address, max_msg_size=0)
        self._reader = asyncio.create_task(self._read())
        self._session: str | None = None
        self._context = (await self.call("Target.createBrowserContext"))["browserContextId"]
        target = await self.call("Target.createTarget", url="about:blank", browserContextId=self._context)
        attached = await self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "DOM"):
            await self.call(f"{domain}.enable")
        return self

    async def __aexit__(self, *exc: object) -> None:
        self._session = None
        await self.call("Target.disposeBrowserContext", browserContextId=self._context)
        await self._socket.close()
        await self._reader
        await self._http.close()

    async def _read(self) -> None:
        async for frame in self._socket:
            data = json.loads(frame.data)
            if "id" in data:
                self._answers.pop(data["id"]).set_result(data)
            elif data.get("method") == "Runtime.exceptionThrown":
                details = data["params"]["exceptionDetails"]
                self.faults.append(details.get("exception", {}).get("description") or details["text"])
            elif data.get("method") == "Log.entryAdded" and data["params"]["entry"]["source"] in (
                "security",
                "violation",
            ):
                self.faults.append(data["params"]["entry"]["text"])

    async def call(self, method: str, **params: Any) -> Json:
        """Send a DevTools command."""
        number = next(self._numbers)
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        body: Json = {"id": number, "method": method, "params": params}
        if self._session is not None:
            body["sessionId"] = self._session
        await self._socket.send_json(body)
        data = await asyncio.wait_for(answer, PATIENCE + 5)
        if "error" in data:
            raise PageError(f"{method}: {data['error']['message']}")
        return data["result"]

    async def run(self, expression: str) -> Any:
        """The value of an expression in the page; a promise is awaited."""
        done = await self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            details = done["exceptionDetails"]
            raise PageError(f"{expression}\n{details.get('exception', {}).get('description') or details['text']}")
        return done["result"].get("value")

    async def until(self, expression: str) -> Any:
        """Wait until an expression is true in the page; its value."""
        return await self.run(f"({_UNTIL})(() => ({expression}), {PATIENCE})")

    async def size(self, width: int, height: int, *, phone: bool = False) -> None:
        await self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=2 if phone else 1,
            mobile=phone,
        )

    async def go(self, url: str) -> None:
        await self.call("Page.navigate", url=url)

    async def see(self, selector: str, text: str = "") -> None:
        """Wait until an element that fits the selector, and holds the text, is in sight."""
        await self.until(_finder(selector, text))

    async def gone(self, selector: str, text: str = "") -> None:
        await self.until(f"!({_finder(selector, text)})")

    async def click(self, selector: str, text: str = "") -> None:
        """A real click on the middle of the first such element that is in sight, once it stands still and uncovered."""
        place = await self.run(f"({_STILL})(() => {_finder(selector, text)}, {PATIENCE})")
        for kind in ("mousePressed", "mouseReleased"):
            await self.call("Input.dispatchMouseEvent", type=kind, button="left", clickCount=1, **place)

    async def type(self, text: str) -> None:
        """Type into whatever has the focus."""
        await self.call("Input.insertText", text=text)

    async def key(self, name: str, code: int = 0, **more: Any) -> None:
        codes = {
            "Enter": 13,
            "Tab": 9,
            "Escape": 27,
            "ArrowDown": 40,
            "ArrowUp": 38,
            "ArrowRight": 39,
            "Backspace": 8,
            " ": 32,
        }
        body: Json = {"key": name, "code": name, "windowsVirtualKeyCode": code or codes[name], **more}
        if name == "Enter":
            body["text"] = "\r"
        await self.call("Input.dispatchKeyEvent", type="keyDown", **body)
        body.pop("text", None)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **body)

    async def choose_file(self, selector: str, *paths: Path) -> None:
        document = await self.call("DOM.getDocument")
        node = await self.call("DOM.querySelector", nodeId=document["root"]["nodeId"], selector=selector)
        await self.call("DOM.setFileInputFiles", nodeId=node["nodeId"], files=[str(path) for path in paths])

    async def picture(self) -> bytes:
        """A screenshot, as PNG."""
        return base64.b64decode((await self.call("Page.captureScreenshot", format="png"))["data"])


def _finder(selector: str, text: str) -> str:
    """An expression for the first element in sight that fits."""
    return (
        f"[...document.querySelectorAll({json.dumps(selector)})].find("
        "(node) => node.checkVisibility({visibilityProperty: true})"
        f" && node.textContent.includes({json.dumps(text)}))"
    )
