"""How a picture looks to eyes that miss one kind of colour."""

from PIL import Image

Triple = tuple[float, float, float]
Matrix = tuple[Triple, Triple, Triple]

EYES = {
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""Machado, Oliveira and Fernandes (2009), at full strength, for linear light."""


def to_light(part: float) -> float:
    """The light of a part of a colour, both from 0 to 1."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def from_light(light: float) -> float:
    """The part of a colour that gives that light."""
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def through(picture: Image.Image, eyes: Matrix) -> Image.Image:
    """A picture of few colours as such eyes see it."""
    found = picture.convert("RGB").quantize(256, dither=Image.Dither.NONE)
    table = found.getpalette() or []
    seen: list[int] = []
    for at in range(0, len(table), 3):
        light = [to_light(part / 255) for part in table[at : at + 3]]
        for row in eyes:
            part = from_light(min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True)))))
            seen.append(round(255 * part))
    found.putpalette(seen)
    return found.convert("RGB")
