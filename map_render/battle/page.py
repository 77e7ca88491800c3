"""The paper that a battle's pictures are drawn on: 1,000 pixels wide or less, as high as it gets, in palette numbers.

Shapes are drawn four times too large and averaged down; their soft edges fade into the paper.
"""

from collections.abc import Callable, Sequence
from math import ceil, floor

from PIL import Image, ImageChops, ImageDraw

from map_render.drawing import text
from map_render.drawing.image import MapImage, coloured, encode
from map_render.drawing.palette import FULL, PAPER, PLATE, covered, mapped, ramp
from map_render.drawing.shapes import OVER
from map_render.drawing.theme import Theme

WIDTH = 1000
TALLEST = 4000
EDGE = 24
"""Pixels between what stands on the paper and its sides."""

NEWS = "news"
"""The ink of what is new: pins, the burst, what is not whole."""


class Brush:
    """Draws on a mask in the coordinates of the page."""

    def __init__(self, draw: ImageDraw.ImageDraw, left: int, top: int) -> None:
        self._draw, self._left, self._top = draw, left, top

    def _at(self, x: float, y: float) -> tuple[float, float]:
        return (x - self._left) * OVER, (y - self._top) * OVER

    def _box(self, box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        return (*self._at(box[0], box[1]), *self._at(box[2], box[3]))

    def polygon(self, points: Sequence[tuple[float, float]], fill: int = 255) -> None:
        """A filled polygon."""
        self._draw.polygon([self._at(x, y) for x, y in points], fill)

    def line(self, points: Sequence[tuple[float, float]], thick: float) -> None:
        """A line through points, its corners filled."""
        self._draw.line([self._at(x, y) for x, y in points], 255, max(OVER, round(thick * OVER)), "curve")

    def disc(self, x: float, y: float, radius: float, fill: int = 255) -> None:
        """A filled circle."""
        self._draw.ellipse(self._box((x - radius, y - radius, x + radius, y + radius)), fill)

    def arc(self, x: float, y: float, radius: float, thick: float, degrees: tuple[float, float]) -> None:
        """Part of a circle's line, clockwise from the right, as thick to both sides of the radius."""
        out = radius + thick / 2
        box = self._box((x - out, y - out, x + out, y + out))
        self._draw.arc(box, *degrees, fill=255, width=max(OVER, round(thick * OVER)))

    def box(self, box: tuple[float, float, float, float], round_by: float = 0, fill: int = 255) -> None:
        """A filled box with rounded corners."""
        left, top, right, low = self._box(box)
        if right > left and low > top:
            self._draw.rounded_rectangle((left, top, right - 1, low - 1), round_by * OVER, fill)

    def frame(self, box: tuple[float, float, float, float], round_by: float, thick: float) -> None:
        """The outline of a box, inwards."""
        self.box(box, round_by)
        left, top, right, low = box
        self.box((left + thick, top + thick, right - thick, low - thick), max(0.0, round_by - thick), 0)


Paint = Callable[[Brush], None]


class Page:
    """A picture that grows downwards; :meth:`image` cuts it to what is used."""

    def __init__(self, wide: int = WIDTH) -> None:
        self.picture = Image.new("L", (wide, TALLEST), PAPER)

    def ground(self, box: tuple[float, float, float, float], number: int, round_by: float = 0) -> None:
        """A box of one palette number."""
        mask, corner = self._mask(box, lambda brush: brush.box(box, round_by))
        self.picture.paste(number, corner, mapped(mask, _HALF))

    def lay(
        self,
        box: tuple[float, float, float, float],
        paint: Paint,
        ink: str,
        fade: int = FULL,
        within: Paint | None = None,
    ) -> None:
        """An ink where ``paint`` draws within a box; and, if given, only where ``within`` draws too."""
        mask, corner = self._mask(box, paint)
        if within is not None:
            mask = ImageChops.multiply(mask, self._mask(box, within)[0])
        self.picture.paste(mapped(mask, ramp(ink, fade)), corner, covered(mask))

    def clear(self, box: tuple[float, float, float, float], paint: Paint, number: int = PAPER) -> None:
        """One palette number where ``paint`` draws within a box."""
        mask, corner = self._mask(box, paint)
        self.picture.paste(number, corner, mapped(mask, _HALF))

    def words(
        self, said: str, x: float, y: float, size: int, ink: str = "text", *, heavy: bool = False, align: str = "left"
    ) -> int:
        """A line of text whose capitals are centred on ``y``; ``x`` is its left, middle or right. Its width."""
        wide = text.width(said, size, heavy)
        if said:
            letters, corner = self._letters(said, (x, y), size, heavy, align)
            self.picture.paste(mapped(letters, ramp(ink)), corner, covered(letters))
        return wide

    def words_on(self, said: str, x: float, y: float, size: int, ink: str, *, align: str = "middle") -> None:
        """Heavy letters as dark as a plate's on a ground of full ink."""
        if said:
            letters, corner = self._letters(said, (x, y), size, True, align)
            table = bytes([*reversed(ramp(ink)[25:]), *([PLATE] * 25)])
            self.picture.paste(mapped(letters, table), corner, covered(letters))

    def stamp_mask(self, mask: Image.Image, left: int, top: int, ink: str, fade: int = FULL) -> None:
        """A finished mask in an ink."""
        self.picture.paste(mapped(mask, ramp(ink, fade)), (left, top), covered(mask))

    def image(self, high: int, theme: Theme, alt: str, filename: str) -> MapImage:
        """The finished picture, cut to a height."""
        picture = self.picture.crop((0, 0, self.picture.width, min(TALLEST, high)))
        return MapImage(encode(coloured(picture, theme)), picture.width, picture.height, alt, filename)

    @staticmethod
    def _letters(
        said: str, at: tuple[float, float], size: int, heavy: bool, align: str
    ) -> tuple[Image.Image, tuple[int, int]]:
        letters, _ = text.masks(said, size, heavy)
        wide = text.width(said, size, heavy)
        left = at[0] - {"left": 0, "middle": wide / 2, "right": wide}[align]
        return letters, (round(left) - 1, round(at[1]) - text.capital_middle(size))

    @staticmethod
    def _mask(box: tuple[float, float, float, float], paint: Paint) -> tuple[Image.Image, tuple[int, int]]:
        left, top = floor(box[0]) - 1, floor(box[1]) - 1
        extent = (ceil(box[2]) + 1 - left, ceil(box[3]) + 1 - top)
        mask = Image.new("L", (extent[0] * OVER, extent[1] * OVER), 0)
        paint(Brush(ImageDraw.Draw(mask), left, top))
        return mask.reduce(OVER), (left, top)


_HALF = bytes([0] * 128 + [255] * 128)
"""A table of 256 values that turns coverage into a mask: what is covered by half or more."""
