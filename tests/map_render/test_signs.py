"""Signs of texts: the counters' own forms, on whatever ground Discord has."""

import hashlib
import io
from collections import Counter

import pytest
from PIL import Image

from bot.delivery.drawing import Drawing
from bot.records.signs.catalogue import DRAWN, SIGNS, TextSign
from map_render.drawing.theme import contrast
from tests.expected.kept import cases

WIDE = 64
"""Pixels at which colours are looked at, each way."""

AS_DRAWN = "d56bec9d5a24a3f4"
"""Of all signs together. Whoever changes it raises `DRAWN`, or nobody's signs become the new ones."""

pytestmark = pytest.mark.pictures


@pytest.fixture(scope="module")
def drawn() -> dict[str, bytes]:
    drawing = Drawing()
    return {name: drawing.sign(one) for name, one in SIGNS.items()}


def opaque(png: bytes) -> tuple[Image.Image, dict[str, list[tuple[int, int]]]]:
    """The picture, and where its opaque pixels are, by colour."""
    image = Image.open(io.BytesIO(png)).resize((WIDE, WIDE), Image.Resampling.NEAREST)
    found: dict[str, list[tuple[int, int]]] = {}
    data = image.tobytes()
    for at in range(WIDE * WIDE):
        red, green, blue, cover = data[4 * at : 4 * at + 4]
        if cover == 255:
            found.setdefault(f"#{red:02x}{green:02x}{blue:02x}", []).append((at % WIDE, at // WIDE))
    return image, found


def test_each_is_a_small_png_that_discord_takes(drawn: dict[str, bytes]) -> None:
    for name, png in drawn.items():
        image = Image.open(io.BytesIO(png))
        assert (image.format, image.size, image.mode) == ("PNG", (128, 128), "RGBA"), name
        assert len(png) < 16 * 1024, name
        assert image.getextrema()[3] == (0, 255), name
        assert not image.info, f"{name}: metadata"


@cases("ground", "")
def test_each_stands_out_from_the_ground_as_a_whole_and_has_an_inside(drawn: dict[str, bytes], ground: str) -> None:
    for name, png in drawn.items():
        image, colours = opaque(png)
        seen = [at for colour, places in colours.items() if contrast(colour, ground) >= 3 for at in places]
        assert len(seen) >= 0.05 * WIDE * WIDE, f"{name}: {len(seen)} pixels on {ground}"
        whole = image.getchannel("A").getbbox()
        assert whole is not None
        for axis in (0, 1):
            reach = max(at[axis] for at in seen) - min(at[axis] for at in seen) + 1
            assert reach >= 0.8 * (whole[axis + 2] - whole[axis]), f"{name} loses its outline on {ground}"
        main = [colour for colour, _ in Counter({one: len(places) for one, places in colours.items()}).most_common(2)]
        assert contrast(*main) >= 3, f"{name}: {main}"


def test_no_two_look_alike_in_a_line_of_text(drawn: dict[str, bytes]) -> None:
    small = {name: Image.open(io.BytesIO(png)).resize((21, 21)).tobytes() for name, png in drawn.items()}
    for one, pixels in small.items():
        for other, others in small.items():
            differing = sum(abs(a - b) > 40 for a, b in zip(pixels, others, strict=True))
            assert one == other or differing >= 45, f"{one} and {other} differ in {differing} of 1764 values"


def test_the_version_follows_the_drawing(drawn: dict[str, bytes]) -> None:
    digest = hashlib.sha256()
    for name in sorted(drawn):
        digest.update(name.encode() + Image.open(io.BytesIO(drawn[name])).tobytes())
    assert (DRAWN, digest.hexdigest()[:16]) == (1, AS_DRAWN)


def test_what_is_known_of_a_force_fills_its_form(drawn: dict[str, bytes]) -> None:
    def filled(name: str) -> int:
        _, colours = opaque(drawn[name])
        return sum(len(places) for colour, places in colours.items() if contrast(colour, "#ff8438") < 1.3)

    assert filled("orange_diamond") > 1.4 * filled("orange_diamond_part") > 1.4 * filled("orange_diamond_unknown")


def test_what_is_drawn_is_known_by_its_name() -> None:
    assert all(name == one.name and isinstance(one, TextSign) for name, one in SIGNS.items())
    assert len({(one.form, one.seat, one.number, one.shape, one.grade) for one in SIGNS.values()}) == len(SIGNS)
