"""Shows what a change does to the cards on a phone, side by side, and keeps the new ones when asked.

python -m tests.screens [NAME …]            what differs, and pictures of it in var/screens
python -m tests.screens --keep [NAME …]     keep them as they look now

A name is that of a picture or of an evening. A picture of differences has what was kept at the left, what is there now
in the middle, and at the right the new one in grey with every pixel in red that is noticed. When a change is meant,
look at each of them and keep it.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Collection
from pathlib import Path

from PIL import Image

from tests.checkout import ROOT
from tests.screens.evenings import EVENINGS, played
from tests.screens.kept import AT_MOST, BROWSER, PICTURES, before, browser_kept, major, noticed, opened, packed, share
from tests.screens.phone import open_browser

SHOWN = ROOT / "var" / "screens"
RED = (255, 0, 60)
GAP = 20


def side_by_side(old: Image.Image, new: Image.Image) -> Image.Image:
    """What was, what is, and where they differ."""
    mask = noticed(old, new)
    whole = Image.new("RGB", (old.width + new.width + mask.width + 2 * GAP, mask.height), (128, 128, 128))
    whole.paste(old, (0, 0))
    whole.paste(new, (old.width + GAP, 0))
    marked = Image.new("RGB", mask.size)
    marked.paste(new.convert("L").convert("RGB"), (0, 0))
    marked.paste(RED, (0, 0), mask)
    whole.paste(marked, (old.width + new.width + 2 * GAP, 0))
    return whole


def said(name: str, png: bytes, folder: Path) -> str:
    """What became of a picture; one that is new or has changed is written into the folder."""
    old, new = before(name), opened(png)
    size = f"{new.height} high"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.png"
    if old is None:
        new.save(file)
        return f"{name}: is not kept yet; {size}; see {file}"
    differs = share(opened(old), new)
    if differs <= AT_MOST:
        file.unlink(missing_ok=True)
        return f"{name}: as it was; {size}"
    side_by_side(opened(old), new).save(file)
    return f"{name}: {100 * differs:.2f} % differ; {size}, was {opened(old).height}; see {file}"


async def taken(books: Collection[str]) -> tuple[str, dict[str, bytes]]:
    """The browser's major version, and all pictures of some evenings."""
    async with open_browser() as browser:
        found: dict[str, bytes] = {}
        for book in books:
            with tempfile.TemporaryDirectory() as folder:
                found |= await played(book, Path(folder), browser)
        return major(browser.version), found


def main(arguments: list[str] | None = None) -> None:
    """Say it for each picture, or keep each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="a picture or an evening; all without any")
    parser.add_argument("--keep", action="store_true", help="keep the pictures as they look now")
    given = parser.parse_args(arguments)
    books = [book for book in EVENINGS if not given.names or any(name.startswith(book) for name in given.names)]
    start = time.monotonic()
    version, pictures = asyncio.run(taken(books))
    wanted = {name for name in pictures if not given.names or {name, name.partition("-")[0]} & set(given.names)}
    if unknown := set(given.names) - set(pictures) - set(EVENINGS):
        parser.error(f"there is no picture {', '.join(sorted(unknown))}; there is {', '.join(pictures)}")
    if version != browser_kept():
        print(f"Chromium {version} takes them, and {browser_kept() or 'nothing'} took what is kept.")
    for name in sorted(wanted):
        print(said(name, pictures[name], SHOWN))
        if given.keep:
            PICTURES.mkdir(exist_ok=True)
            (PICTURES / f"{name}.png").write_bytes(packed(pictures[name]))
    if given.keep and not given.names:
        BROWSER.write_text(f"{version}\n", encoding="utf-8")
    for file in sorted(PICTURES.glob("*.png")):
        if file.stem.partition("-")[0] in books and file.stem not in pictures:
            print(f"{file.stem}: is taken no more" + (", and kept no more" if given.keep else ""))
            if given.keep:
                file.unlink()
    print(f"{len(pictures)} pictures in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
