"""A file to be printed: pictures on pages of A4, on white, with nothing but the pictures in it."""

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from map_render.drawing.image import MapImage
from map_render.drawing.theme import Theme

SHORT, LONG = 595.28, 841.89
"""The sides of A4, in points of 1/72 inch."""

MARGIN = 24.0
"""The least white around a picture, in points: what printers cannot reach."""

WHITE = "#ffffff"
_PALETTE = 3
"""The colour type of a PNG with a palette."""


def on_white(theme: Theme) -> Theme:
    """A theme whose ground costs no ink; one whose inks cannot be read on white stays as it is."""
    try:
        return Theme.model_validate({**theme.model_dump(), "paper": WHITE, "margin": WHITE})
    except ValidationError:
        return theme


def pages(images: Sequence[MapImage]) -> bytes:
    """The pictures as a PDF, each as large as a page of its own allows, upright or across.

    The same pictures give the same bytes. A PDF may hold a picture's data just as a PNG does, so that they are copied.

    Raises:
        ValueError: for a picture that is no PNG with a palette.
    """
    objects: list[bytes] = [b"", b""]
    kids: list[int] = []
    for image in images:
        drawn = _read(image.png)
        picture, content, page = (len(objects) + step for step in (1, 2, 3))
        across = drawn.width > drawn.height
        width, height = (LONG, SHORT) if across else (SHORT, LONG)
        objects += [
            _stream(_as_image(drawn), drawn.data),
            _stream(b"", _placed(drawn, width, height)),
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 %.2f %.2f] /Contents %d 0 R"
            b" /Resources << /XObject << /P %d 0 R >> >> >>" % (width, height, content, picture),
        ]
        kids.append(page)
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    named = b" ".join(b"%d 0 R" % one for one in kids)
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), named)
    return _file(objects)


@dataclass(frozen=True, slots=True)
class _Png:
    """What a PNG with a palette holds: its size, the bits of a pixel, its colours and its compressed rows."""

    width: int
    height: int
    bits: int
    colours: bytes
    data: bytes


def _read(png: bytes) -> _Png:
    parts: dict[bytes, bytes] = {}
    for kind, data in _chunks(png):
        parts[kind] = parts.get(kind, b"") + data
    width, height, bits, kind, _, _, interlaced = struct.unpack(">IIBBBBB", parts[b"IHDR"])
    if kind != _PALETTE or interlaced:
        raise ValueError("only pictures with a palette are printed")
    return _Png(width, height, bits, parts[b"PLTE"], parts[b"IDAT"])


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 8
    while at < len(png):
        length = int.from_bytes(png[at : at + 4], "big")
        yield png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        at += 12 + length


def _as_image(png: _Png) -> bytes:
    return (
        b"/Type /XObject /Subtype /Image /Width %d /Height %d /BitsPerComponent %d"
        b" /ColorSpace [/Indexed /DeviceRGB %d <%s>] /Filter /FlateDecode"
        b" /DecodeParms << /Predictor 15 /Colors 1 /BitsPerComponent %d /Columns %d >> "
    ) % (
        png.width,
        png.height,
        png.bits,
        len(png.colours) // 3 - 1,
        png.colours.hex().encode(),
        png.bits,
        png.width,
    )


def _placed(png: _Png, width: float, height: float) -> bytes:
    """The picture in the middle of a page, as large as its margins allow."""
    scale = min((width - 2 * MARGIN) / png.width, (height - 2 * MARGIN) / png.height)
    wide, high = png.width * scale, png.height * scale
    return b"q %.3f 0 0 %.3f %.3f %.3f cm /P Do Q" % (wide, high, (width - wide) / 2, (height - high) / 2)


def _stream(about: bytes, data: bytes) -> bytes:
    return b"<< %s/Length %d >>\nstream\n%s\nendstream" % (about, len(data), data)


def _file(objects: Sequence[bytes]) -> bytes:
    """Numbered objects as a file, with the table that says where each begins."""
    written = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    begins: list[int] = []
    for number, one in enumerate(objects, start=1):
        begins.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = len(written)
    written += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    written += b"".join(b"%010d 00000 n \n" % begin for begin in begins)
    written += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table)
    return bytes(written)
