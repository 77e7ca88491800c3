"""Shows what a change of drawing does to the pictures that are kept, side by side, and keeps the new ones when asked.

python -m tests.map_render.kept [NAME …]            what differs, and pictures of it in var/maps
python -m tests.map_render.kept --keep [NAME …]     keep them as they are drawn now

A picture of differences has what was kept at the left, what is drawn now in the middle, and at the right the new one
in grey with every changed pixel in red. When a change of drawing is meant, look at each of them and keep it.
"""

import argparse
import io
from pathlib import Path

from PIL import Image, ImageChops

from tests.checkout import ROOT
from tests.map_render.kept.positions import DRAWN, PICTURES, before, now

SHOWN = ROOT / "var" / "maps"
RED = (255, 0, 60)
GAP = 20


def opened(png: bytes) -> Image.Image:
    """A picture in red, green and blue."""
    with Image.open(io.BytesIO(png)) as picture:
        return picture.convert("RGB")


def changed(old: Image.Image, new: Image.Image) -> Image.Image:
    """A mask of the size of the larger of both: white where they differ."""
    size = (max(old.width, new.width), max(old.height, new.height))
    difference = ImageChops.difference(_on(old, size), _on(new, size)).split()
    mask = ImageChops.lighter(ImageChops.lighter(difference[0], difference[1]), difference[2])
    if old.size != new.size:
        common = (min(old.width, new.width), min(old.height, new.height))
        beyond = Image.new("L", size, 255)
        beyond.paste(0, (0, 0, *common))
        mask = ImageChops.lighter(mask, beyond)
    return mask.point([0] + [255] * 255)


def _on(picture: Image.Image, size: tuple[int, int]) -> Image.Image:
    ground = Image.new("RGB", size)
    ground.paste(picture, (0, 0))
    return ground


def side_by_side(old: Image.Image, new: Image.Image) -> Image.Image:
    """What was, what is, and where they differ."""
    mask = changed(old, new)
    marked = _on(new, mask.size).convert("L").convert("RGB")
    marked.paste(RED, (0, 0), mask)
    whole = Image.new("RGB", (old.width + new.width + mask.width + 2 * GAP, mask.height), (128, 128, 128))
    whole.paste(old, (0, 0))
    whole.paste(new, (old.width + GAP, 0))
    whole.paste(marked, (old.width + new.width + 2 * GAP, 0))
    return whole


def said(name: str, png: bytes, folder: Path) -> str:
    """What became of a picture; if it has changed, a picture of it is written into the folder."""
    old = before(name)
    if old is None:
        return f"{name}: is not kept yet"
    if old == png:
        return f"{name}: as it was"
    one, other = opened(old), opened(png)
    mask = changed(one, other)
    pixels = mask.histogram()[255]
    if not pixels:
        return f"{name}: the same pixels, written otherwise ({len(old)} and {len(png)} bytes)"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.png"
    side_by_side(one, other).save(file)
    share = 100 * pixels / (mask.width * mask.height)
    return f"{name}: {pixels} pixels differ ({share:.2f} %); see {file}"


def main(arguments: list[str] | None = None, folder: Path = SHOWN) -> None:
    """Say it for each picture, or keep each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(DRAWN))
    parser.add_argument("--keep", action="store_true", help="keep the pictures as they are drawn now")
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - set(DRAWN):
        parser.error(f"there is no picture {', '.join(sorted(unknown))}; there is {', '.join(DRAWN)}")
    for name, png in now(given.names):
        print(said(name, png, folder))
        if given.keep:
            PICTURES.mkdir(exist_ok=True)
            (PICTURES / f"{name}.png").write_bytes(png)
    for file in sorted(PICTURES.glob("*.png")):
        if file.stem not in DRAWN:
            print(f"{file.stem}: is drawn no more" + (", and kept no more" if given.keep else ""))
            if given.keep:
                file.unlink()


if __name__ == "__main__":
    main()
