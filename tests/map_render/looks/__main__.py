"""Draws what maps and battle pictures are judged by, beside the pictures to build towards.

python -m tests.map_render.looks FOLDER     dark and on paper, whole and 400 pixels wide, in grey, and as eyes see it
                                            that miss one kind of colour
"""

import io
import sys
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from map_render import (
    DEFAULT,
    MapImage,
    Theme,
    parse_theme,
    render_battle,
    render_battle_details,
    render_crop,
    render_side,
    render_tactical,
)
from rules_engine.core.protocol.asks import BattleSetup
from tests.map_render.crop.positions import gap
from tests.map_render.kept.positions import recorded
from tests.map_render.looks import LOOKS, alliance
from tests.map_render.looks.eyes import EYES, through
from tests.map_render.tactical.duels import course, melee, nine

PAPER = Path(__file__).resolve().parents[3] / "config" / "themes" / "paper.toml"
WIDE = ("0805", "1717")
"""An area of the war that is too wide for a crop."""


def drawings() -> dict[str, Callable[[Theme], MapImage | None]]:
    """Each picture by its number."""
    maps: dict[str, Callable[[Theme], MapImage | None]] = {
        name: lambda theme, view=view: render_side(view(), theme=theme, ranges=("detection",))
        for name, view in LOOKS.items()
    }
    return maps | {
        "01-area": lambda theme: render_crop(alliance(), area=WIDE, theme=theme),
        "03-crop": lambda theme: render_crop(gap(), 1, theme=theme),
        "04-crop": lambda theme: render_crop(gap(), 2, theme=theme),
        "06-battle": lambda theme: render_battle(recorded(BattleSetup, "pq17-battle"), theme=theme),
        "09-vectors": lambda theme: render_tactical(nine(), theme=theme),
        "09-race": lambda theme: render_tactical(course(), theme=theme),
        "09-six": lambda theme: render_tactical(melee(5, 6, 6, 8, forms=False), theme=theme),
        "09-melee": lambda theme: render_tactical(melee(1, 24), theme=theme),
        "07-details": lambda theme: render_battle_details(recorded(BattleSetup, "pq17-battle"), theme=theme),
    }


def main(folder: Path) -> None:
    """Draw every picture in every way that it is judged by."""
    folder.mkdir(parents=True, exist_ok=True)
    themes: dict[str, Theme] = {"dark": DEFAULT, "paper": parse_theme(PAPER.read_text(encoding="utf-8"))}
    for name, draw in drawings().items():
        for word, theme in themes.items():
            made = draw(theme)
            if made is None:
                continue
            (folder / f"{name}-{word}.png").write_bytes(made.png)
            with Image.open(io.BytesIO(made.png)) as picture:
                extent = (400, round(400 * picture.height / picture.width))
                small = picture.convert("RGB").resize(extent, Image.Resampling.LANCZOS)
                small.save(folder / f"{name}-{word}-400.png")
                small.convert("L").save(folder / f"{name}-{word}-grey.png")
                for kind, eyes in EYES.items():
                    if kind != "usual":
                        seen = through(picture, eyes).resize(extent, Image.Resampling.LANCZOS)
                        seen.save(folder / f"{name}-{word}-{kind}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
