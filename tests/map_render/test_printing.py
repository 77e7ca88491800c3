"""What is printed is what is drawn, pixel for pixel, as a file that other programs read."""

import io
import re
import zlib
from collections.abc import Callable
from functools import cache

import pytest
from PIL import Image

from map_render import DEFAULT, MapImage, Theme, on_white, pages, parse_theme, render_side
from map_render.drawing.theme import contrast
from tests.bench.renderings import sample_view
from tests.checkout import ROOT
from tests.map_render.pictures import chunks

PAPER = parse_theme((ROOT / "config" / "themes" / "paper.toml").read_text(encoding="utf-8"))


@cache
def wide_map() -> MapImage:
    """Draw a map that is wider than high."""
    return render_side(sample_view(), theme=on_white(PAPER))


@cache
def high_map() -> MapImage:
    """Draw a map that is higher than wide."""
    return render_side(sample_view(columns=4, rows=9), theme=on_white(PAPER))


def objects(file: bytes) -> list[bytes]:
    """The numbered objects of a file, found by its table."""
    table = int(re.findall(rb"startxref\n(\d+)\n%%EOF\n$", file)[0])
    assert file[table:].startswith(b"xref\n")
    begins = [int(one) for one in re.findall(rb"^(\d{10}) 00000 n $", file[table:], re.MULTILINE)]
    found: list[bytes] = []
    for number, (begin, end) in enumerate(zip(begins, [*begins[1:], table], strict=True), start=1):
        assert file[begin:].startswith(b"%d 0 obj\n" % number)
        found.append(file[begin:end].split(b"\n", 1)[1].removesuffix(b"\nendobj\n"))
    return found


def drawn_in(one: bytes) -> Image.Image:
    """The picture in an object of a file, read as a program that shows it does."""
    about, data = one.split(b"\nstream\n", 1)

    def number(name: bytes) -> int:
        return int(re.findall(rb"/%s (\d+)" % name, about)[0])

    rows = zlib.decompress(data.removesuffix(b"\nendstream"))
    width, height = number(b"Width"), number(b"Height")
    assert number(b"Columns") == width
    assert number(b"BitsPerComponent") == 8
    assert len(data.removesuffix(b"\nendstream")) == number(b"Length")
    lines: list[bytes] = []
    above = bytes(width)
    for row in range(height):
        kind, line = rows[row * (width + 1)], bytearray(rows[row * (width + 1) + 1 : (row + 1) * (width + 1)])
        for at in range(width):
            left = line[at - 1] if at else 0
            corner = above[at - 1] if at else 0
            paeth = min((left, above[at], corner), key=lambda one: abs(left + above[at] - corner - one))
            line[at] = (line[at] + (0, left, above[at], (left + above[at]) // 2, paeth)[kind]) % 256
        above = bytes(line)
        lines.append(above)
    picture = Image.frombytes("P", (width, height), b"".join(lines))
    picture.putpalette(bytes.fromhex(re.findall(rb"DeviceRGB \d+ <([0-9a-f]+)>", about)[0].decode()))
    return picture.convert("RGB")


def boxes(file: bytes) -> list[list[float]]:
    """The size of each page."""
    return [[float(one) for one in found.split()] for found in re.findall(rb"/MediaBox \[([^]]+)\]", file)]


@pytest.mark.parametrize("drawn", [wide_map, high_map], ids=["wide", "high"])
def test_a_page_holds_the_very_picture(drawn: Callable[[], MapImage]) -> None:
    image = drawn()
    file = pages([image])
    (found,) = [one for one in objects(file) if b"/Subtype /Image" in one]
    with Image.open(io.BytesIO(image.png)) as picture:
        assert drawn_in(found).tobytes() == picture.convert("RGB").tobytes()


def test_each_picture_has_a_page_of_its_shape_and_lies_within_it() -> None:
    file = pages([wide_map(), high_map(), wide_map()])
    assert wide_map().width > wide_map().height
    assert high_map().width < high_map().height
    across, upright = [0, 0, 841.89, 595.28], [0, 0, 595.28, 841.89]
    assert boxes(file) == [across, upright, across]
    for image, (*_, width, height), found in zip(
        (wide_map(), high_map(), wide_map()), boxes(file), re.findall(rb"q ([\d. ]+) cm /P Do Q", file), strict=True
    ):
        wide, _, _, high, left, below = (float(one) for one in found.split())
        assert wide / high == pytest.approx(image.width / image.height, abs=0.01)
        assert min(left, below) == pytest.approx(24, abs=0.1)
        assert left * 2 + wide == pytest.approx(width, abs=0.1)
        assert below * 2 + high == pytest.approx(height, abs=0.1)


def test_the_same_pictures_give_the_same_file_with_nothing_else_in_it() -> None:
    assert pages([wide_map(), high_map()]) == pages([wide_map(), high_map()])
    for word in (b"/Info", b"Date", b"Author", b"Producer", b"Metadata"):
        assert word not in pages([wide_map()])


def test_a_picture_without_a_palette_is_refused() -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (3, 3)).save(buffer, "PNG")
    assert b"PLTE" not in chunks(buffer.getvalue())
    with pytest.raises(ValueError, match="palette"):
        pages([MapImage(buffer.getvalue(), 3, 3, "")])


def test_paper_is_printed_on_white_and_what_cannot_be_read_there_as_it_is() -> None:
    printed = on_white(PAPER)
    assert printed.paper == printed.margin == "#ffffff"
    assert printed.inks == PAPER.inks
    assert contrast(printed.inks.text, printed.paper) > contrast(PAPER.inks.text, PAPER.paper)
    assert on_white(DEFAULT) is DEFAULT
    assert isinstance(printed, Theme)
