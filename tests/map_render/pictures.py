"""What tests read from a picture, and drawing as if the process had just started."""

from PIL import Image

from map_render import DEFAULT
from map_render.drawing import image, scene
from map_render.drawing.cache import KEPT
from map_render.drawing.palette import INKS, STRENGTHS
from map_render.theatre.frame import Frame
from map_render.theatre.picture import paint_plan
from map_render.theatre.placing.plan import plan_theatre


def drawn(view: scene.AnyView, area: tuple[str, ...] = ()) -> tuple[Image.Image, Frame]:
    """The picture of all of a map or of the part around an area, in palette numbers, and its frame."""
    plan = plan_theatre(scene.scene_of(view), DEFAULT, (), area)
    return image.coloured(paint_plan(plan, DEFAULT), DEFAULT), plan.frame


def pixels(view: scene.AnyView, area: tuple[str, ...] = ()) -> Image.Image:
    """The map within the picture, without what stands above and below it."""
    picture, frame = drawn(view, area)
    return picture.crop(frame.field)


def ink_of(number: int) -> str:
    """The ink to which a palette number belongs."""
    return INKS[(number - 1) // STRENGTHS] if 0 < number <= STRENGTHS * len(INKS) else ""


def seen_at_400(view: scene.AnyView, area: tuple[str, ...] = ()) -> dict[str, float]:
    """For each ink how many pixels it covers on the map, when the picture is shown 400 pixels wide."""
    part = pixels(view, area)
    shrink = (part.width / 400) ** 2
    found: dict[str, float] = {}
    for number, count in enumerate(part.histogram()):
        if ink_of(number):
            strength = ((number - 1) % STRENGTHS + 1) / STRENGTHS
            found[ink_of(number)] = found.get(ink_of(number), 0.0) + strength * count / shrink
    return found


def around(view: scene.AnyView, hex_id: str, far: float = 1.0) -> bytes:
    """The picture around the middle of a hex, so many hex sizes to each side."""
    picture, frame = drawn(view)
    x, y = frame.centres[hex_id]
    reach = round(far * frame.size)
    return picture.crop((x - reach, y - reach, x + reach, y + reach)).tobytes()


def chunks(png: bytes) -> list[bytes]:
    """The kinds of chunk in a PNG, in order."""
    kinds, at = [], 8
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        kinds.append(png[at + 4 : at + 8])
        at += 12 + length
    return kinds


# --- drawing as if the process had just started -----------------------------------------------------------------------
def forget_all() -> None:
    """Empty every cache of the renderer."""
    for cache in KEPT:
        cache.cache_clear()
