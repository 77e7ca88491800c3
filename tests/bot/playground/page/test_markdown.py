"""The page's Markdown: what text becomes, read from the nodes that it made."""

from __future__ import annotations

from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Page, expect

from bot.playground import PlaygroundServer

pytestmark = pytest.mark.asyncio(loop_scope="session")

_RENDER = """
async (texts) => {
  const { render } = await import("/message/text.js");
  const names = {
    user: (id) => ({ 11: "Blake" })[id] ?? "unknown person",
    role: (id) => ({ name: id === "21" ? "Blue" : "unknown role", color: "#56b4e9" }),
    channel: (id) => ({ 31: { name: "general", href: "#/1/31" }, 32: { name: "hidden", href: null } })[id] ?? null,
    mine: (kind, id) => id === "11",
    jump: (url) => (url.includes("/channels/") ? { href: "#/1/31/41", label: "#general › message" } : null),
  };
  const show = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.textContent;
    const tag = node.tagName.toLowerCase();
    const kind = node.className ? "." + node.className.split(" ").join(".") : "";
    const inside = [...node.childNodes].map(show).join("");
    return tag === "p" && !kind ? `<p>${inside}</p>` : `<${tag}${kind}>${inside}</${tag}>`;
  };
  const shown = (text) => [...render(text, names).childNodes].map(show).join("");
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, shown(text)]));
}
"""


@pytest_asyncio.fixture(loop_scope="session")
async def page(server: PlaygroundServer, tab: Page) -> Page:
    await tab.goto(server.url)
    await expect(tab.locator("#notice")).to_be_visible()
    return tab


CASES = {
    "plain text": ("all quiet", "<p>all quiet</p>"),
    "bold, italics, underline, strike": (
        "**a** *b* _c_ __d__ ~~e~~",
        "<p><strong>a</strong> <em>b</em> <em>c</em> <u>d</u> <s>e</s></p>",
    ),
    "nested": ("**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"),
    "three stars": ("***a***", "<p><strong><em>a</em></strong></p>"),
    "an underscore within a word": ("task_force_one", "<p>task_force_one</p>"),
    "lone stars": ("2 * 3 * 4", "<p>2 * 3 * 4</p>"),
    "escaped": (r"\*a\* \_b\_", "<p>*a* _b_</p>"),
    "code keeps its marks": ("`**a**`", "<p><code>**a**</code></p>"),
    "code with a backtick": ("`` a`b ``", "<p><code> a`b </code></p>"),
    "code block": ("```py\nx = 1\n```", "<pre.codeblock><code>x = 1</code></pre>"),
    "code block within a line": ("see ```x``` then", "<p>see </p><pre.codeblock><code>x</code></pre><p> then</p>"),
    "a block's first line that is no language": ("```a b\nc\n```", "<pre.codeblock><code>a b\nc</code></pre>"),
    "headings": (
        "# A\n## B\n### C\n#### D",
        "<h3.md-h1>A</h3><h4.md-h2>B</h4><h5.md-h3>C</h5><p>#### D</p>",
    ),
    "small": ("-# rule 6.3", "<p.md-small>rule 6.3</p>"),
    "quote": ("> a\n> b\nc", "<blockquote><p>a\nb</p></blockquote><p>c</p>"),
    "quote to the end": (">>> a\nb", "<blockquote><p>a\nb</p></blockquote>"),
    "an arrow is no quote": (">a", "<p>>a</p>"),
    "lists": ("- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
    "numbered after bullets": ("- a\n1. b\n2. c", "<ul><li>a</li></ul><ol><li>b</li><li>c</li></ol>"),
    "lines and blank lines": ("a\nb\n\nc", "<p>a\nb\n\nc</p>"),
    "mentions": (
        "<@11> <@!12> <@&21> <#31> <#32> <#33>",
        "<p><span.mention.mine>@Blake</span> <span.mention>@unknown person</span> <span.mention>@Blue</span> "
        "<a.mention>#general</a> <span.mention>#hidden</span> <span.mention>#no access</span></p>",
    ),
    "a command": ("</plot submit:99>", "<p><span.mention>/plot submit</span></p>"),
    "spoiler": ("||a **b**||", "<p><span.spoiler><span.spoiler-text>a <strong>b</strong></span></span></p>"),
    "custom emoji": ("<:fuel:5> <:f:5>", "<p><img.emoji></img> <:f:5></p>"),
    "HTML is text": ("<b>x</b><img src=x onerror=alert(1)>", "<p><b>x</b><img src=x onerror=alert(1)></p>"),
    "a script's address is no link": ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>"),
}


async def test_renders(page: Page) -> None:
    """All cases in one page, for a window of its own for each would cost more than the tests."""
    shown = await page.evaluate(_RENDER, {name: text for name, (text, _) in CASES.items()})
    assert shown == {name: expected for name, (_, expected) in CASES.items()}


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
    assert [link["href"] for link in links] == [
        "https://example.org/a_b_c",
        "https://example.org/r",
        "https://example.org/q",
    ]
    assert [link["text"] for link in links] == ["https://example.org/a_b_c", "rules", "https://example.org/q"]
    assert {link["rel"] for link in links} == {"noopener noreferrer"}
    assert {link["target"] for link in links} == {"_blank"}


async def test_jump_links_stay_in_the_page(page: Page) -> None:
    assert await _links(page, "https://discord.com/channels/1/31") == [
        {"text": "#general", "href": "#/1/31", "rel": "", "target": ""}
    ]


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
        "*" * 2000,
        "**" * 900 + "a",
        "_a" * 900,
        "||" * 900,
        "[" * 1900,
        "> " * 900,
        "`" * 1999,
        "- " * 900,
        "```" + "`\n" * 900,
    ]
    spent = await page.evaluate(
        "(runs) => import('/model/markdown.js').then(({parse}) => runs.map((text) => {"
        " const from = performance.now(); parse(text); return performance.now() - from; }))",
        runs,
    )
    assert max(spent) < 500, dict(zip((text[:6] for text in runs), spent, strict=True))
