"""Themes: the colours, sizes and words of a map, read from TOML and checked.

A theme knows one *paper* and a handful of *inks*. Everything drawn is some strength of one ink on the paper, so a
whole map fits a palette of 256 colours, and checking each ink against the paper checks the readability of all of it.
The built-in default equals ``config/themes/default.toml``; this module takes texts and reads no files.
"""

import tomllib
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

Rgb = tuple[int, int, int]
MOST_SIDES = 7
"""The sides that have a colour each."""

SIDES = ("#5cb8ee", "#ff8438", "#dd8fbd", "#fb5151", "#a076f4", "#adfa9e", "#b8a694")
"""Blue, orange, pink, red, violet, green and sand. Those of one theme are told apart by eyes that miss one kind of
colour (`tests/map_render/drawing/test_drawing.py`), and a side has the same hue in every theme."""


class ThemeError(ValueError):
    """A theme that cannot be used. ``defects`` holds every defect, each with its path."""

    def __init__(self, defects: tuple[str, ...]) -> None:
        self.defects = defects
        super().__init__("; ".join(defects))


def rgb(colour: str) -> Rgb:
    """The three channels, 0 to 255, of ``"#rrggbb"``."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def luminance(colour: str) -> float:
    """The relative luminance, 0 to 1, as the WCAG defines it."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (channel / 255 for channel in rgb(colour))
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The WCAG contrast ratio of two colours, 1 to 21."""
    bright, dim = sorted((luminance(one), luminance(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def _lower(value: Any) -> Any:
    return value.lower() if isinstance(value, str) else value


Colour = Annotated[str, BeforeValidator(_lower), Field(pattern=r"^#[0-9a-f]{6}$")]
InkName = Literal["text", "quiet", "neutral", "unknown", "gas", "rock", "fire", "world"]
Texture = Literal["plain", "swirl", "pebbles", "dots", "rays", "rings", "hatch", "waves", "cross"]
Icon = Literal["house", "base", "planet", "star", "gate", "anchor", "ring", "gear", "flag", "square"]
Glyph = Literal["none", "base", "mines", "convoy", "battle", "ship", "dot", "initial"]


class _Part(BaseModel):
    """A part of a theme: frozen, and refusing keys it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Inks(_Part):
    """The inks. ``sides`` are those of the campaign's sides in the order of their seats, on everybody's map alike.
    ``neutral`` is that of outsiders, whom nobody commands. ``news`` is new, and nothing else has it."""

    text: Colour = "#f3f7fe"
    quiet: Colour = "#9db0d0"
    sides: Annotated[tuple[Colour, ...], Field(min_length=MOST_SIDES, max_length=MOST_SIDES)] = SIDES
    neutral: Colour = "#d5dae3"
    unknown: Colour = "#f0c987"
    news: Colour = "#ffe14d"
    gas: Colour = "#b78be0"
    rock: Colour = "#b59a7d"
    fire: Colour = "#f6a24a"
    world: Colour = "#7fc7a6"


class Sizes(_Part):
    """Sizes in pixels of the finished image: its long side, and a hex from its middle to a corner. All else on a map
    is in proportion."""

    longest: Annotated[int, Field(ge=800, le=4000)] = 2400
    largest_hex: Annotated[int, Field(ge=20, le=400)] = 190


class TerrainLook(_Part):
    """How one word of terrain is drawn: an ink, the strength of its tint (0 to 15), and a texture."""

    label: str
    ink: InkName
    tint: Annotated[int, Field(ge=0, le=15)] = 2
    texture: Texture = "plain"


class MarkLook(_Part):
    """How one mark is drawn: an icon."""

    label: str
    icon: Icon


class FormLook(_Part):
    """How one form of counter is drawn: a glyph on the owner's shape."""

    label: str
    glyph: Glyph


def _terrain(label: str, ink: InkName, tint: int, texture: Texture) -> TerrainLook:
    return TerrainLook(label=label, ink=ink, tint=tint, texture=texture)


_TERRAIN: dict[str, TerrainLook] = {
    "asteroids": _terrain("asteroids", "rock", 1, "pebbles"),
    "black hole": _terrain("black hole", "quiet", 3, "rings"),
    "dust": _terrain("dust", "rock", 2, "dots"),
    "gas giant": _terrain("gas giant", "gas", 1, "waves"),
    "ion storm": _terrain("ion storm", "world", 2, "waves"),
    "nebula": _terrain("nebula", "gas", 3, "swirl"),
    "planet": _terrain("planet", "world", 2, "rings"),
    "radiation": _terrain("radiation", "fire", 1, "cross"),
    "sun": _terrain("sun", "fire", 4, "rays"),
}

_MARKS: dict[str, MarkLook] = {
    "base": MarkLook(label="base", icon="base"),
    "capital": MarkLook(label="capital", icon="star"),
    "colony": MarkLook(label="colony", icon="flag"),
    "gate": MarkLook(label="gate", icon="gate"),
    "major": MarkLook(label="major planet", icon="gate"),
    "mine": MarkLook(label="mine works", icon="gear"),
    "minor": MarkLook(label="minor planet", icon="square"),
    "planet": MarkLook(label="planet", icon="planet"),
    "port": MarkLook(label="port", icon="anchor"),
    "settled": MarkLook(label="settled", icon="house"),
    "shipyard": MarkLook(label="shipyard", icon="gear"),
    "spy report": MarkLook(label="spy report", icon="ring"),
    "station": MarkLook(label="station", icon="ring"),
    "unsurveyed": MarkLook(label="unsurveyed", icon="flag"),
}

_FORMS: dict[str, FormLook] = {
    "base": FormLook(label="base", glyph="base"),
    "battle": FormLook(label="battle", glyph="battle"),
    "convoy": FormLook(label="convoy", glyph="convoy"),
    "force": FormLook(label="force", glyph="none"),
    "freighters": FormLook(label="freighters", glyph="convoy"),
    "minefield": FormLook(label="minefield", glyph="mines"),
    "ship": FormLook(label="ship", glyph="ship"),
    "station": FormLook(label="station", glyph="dot"),
    "unit": FormLook(label="unit", glyph="dot"),
}


class Theme(_Part):
    """A whole theme. ``aliases`` maps other words for terrain, marks and forms to those that the theme describes."""

    name: str = "Star chart"
    paper: Colour = "#0e1728"
    margin: Colour = "#0a101d"
    band: Colour = "#15213a"
    callout: Colour = "#17243e"
    rim: Colour = "#45608f"
    plate: Colour = "#06101d"
    grid: Colour = "#21304b"
    inks: Inks = Inks()
    sizes: Sizes = Sizes()
    terrain: dict[str, TerrainLook] = Field(default_factory=lambda: dict(_TERRAIN))
    marks: dict[str, MarkLook] = Field(default_factory=lambda: dict(_MARKS))
    forms: dict[str, FormLook] = Field(default_factory=lambda: dict(_FORMS))
    aliases: dict[str, str] = Field(
        default_factory=lambda: {
            "asteroid": "asteroids",
            "asteroid field": "asteroids",
            "dust cloud": "dust",
            "fleet": "force",
            "mines": "minefield",
            "pulsar": "sun",
            **{f"spy report {age}": "spy report" for age in ("this turn", "1 turn ago", "2 turns ago", "3 turns ago")},
            "star": "sun",
            "starbase": "base",
            "tf": "force",
        }
    )

    @model_validator(mode="after")
    def _readable(self) -> Self:
        """Refuse inks that would be hard to read: texts need WCAG's 4.5 to 1 on every ground, sides on the
        paper and on callouts; signs need 3 to 1."""
        named = {name: getattr(self.inks, name) for name in type(self.inks).model_fields if name != "sides"}
        named |= {f"sides.{seat}": colour for seat, colour in enumerate(self.inks.sides)}
        defects: list[str] = []
        for name, colour in named.items():
            for ground in ("paper", "margin", "band", "callout"):
                lettered = name in ("text", "quiet") or (name.startswith("sides") and ground in ("paper", "callout"))
                wanted = 4.5 if lettered else 3.0
                ratio = contrast(colour, getattr(self, ground))
                if ratio < wanted:
                    defects.append(f"inks.{name} on {ground} has a contrast of {ratio:.1f}, needs {wanted:.1f}")
        for seat, colour in enumerate(self.inks.sides):
            ratio = contrast(colour, self.plate)
            if ratio < 4.5:
                defects.append(f"plate on inks.sides.{seat} has a contrast of {ratio:.1f}, needs 4.5")
        if defects:
            raise ValueError("; ".join(defects))
        return self

    def word(self, text: str) -> str:
        """The word under which this theme describes ``text``: lower case, an alias replaced once."""
        plain = " ".join(text.replace("_", " ").replace("-", " ").lower().split())
        return self.aliases.get(plain, plain)

    def terrain_look(self, text: str) -> TerrainLook | None:
        """How terrain is drawn; None for open space. Words not described get hatching and their own name."""
        word = self.word(text)
        if word in ("", "space", "open", "open space", "clear", "deep space"):
            return None
        return self.terrain.get(word) or TerrainLook(label=word, ink="quiet", tint=2, texture="hatch")

    def mark_look(self, text: str) -> MarkLook:
        """How a mark is drawn; words not described get a square and their own name."""
        word = self.word(text)
        return self.marks.get(word) or MarkLook(label=word, icon="square")

    def form_look(self, text: str) -> FormLook:
        """How a counter's form is drawn; words not described get their initial and their own name."""
        word = self.word(text)
        return self.forms.get(word) or FormLook(label=word, glyph="initial")

    def __hash__(self) -> int:
        """Equal themes have equal names, paper, inks and sizes; dictionaries cannot be hashed and are only compared."""
        return hash((self.name, self.paper, self.inks, self.sizes))


DEFAULT = Theme()


def parse_theme(text: str) -> Theme:
    """The theme that a TOML text describes; what it leaves out is as in the default.

    Raises:
        ThemeError: with every defect, unknown keys included.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ThemeError((f"not TOML: {error}",)) from None
    try:
        return Theme.model_validate(document)
    except ValidationError as error:
        raise ThemeError(
            tuple(
                f"{'.'.join(map(str, defect['loc'])) or 'theme'}: {defect['msg'].removeprefix('Value error, ')}"
                for defect in error.errors()
            )
        ) from None
