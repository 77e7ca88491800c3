"""The pictures that are compared byte for byte: of views that were recorded once and lie beside this file.

A view was seen in a campaign played at random, and is kept as it was seen: a picture changes only when drawing does.
"""

from collections.abc import Callable, Collection, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from map_render import (
    DEFAULT,
    MapImage,
    Theme,
    parse_theme,
    render_battle,
    render_battle_details,
    render_card_map,
    render_crop,
    render_omniscient,
    render_public,
    render_side,
)
from rules_engine.core.knowledge.views import OmniscientView, PublicView, SideView
from rules_engine.core.protocol.asks import BattleSetup
from tests.checkout import ROOT

HERE = Path(__file__).parent
VIEWS = HERE / "views"
PICTURES = HERE / "pictures"
AREA = ("0403", "0503")
_M = TypeVar("_M", bound=BaseModel)


@cache
def paper() -> Theme:
    """The second theme that comes with the bot."""
    return parse_theme((ROOT / "config" / "themes" / "paper.toml").read_text(encoding="utf-8"))


def recorded(kind: type[_M], name: str) -> _M:
    """A view or a battle as it was recorded."""
    return kind.model_validate_json((VIEWS / f"{name}.json").read_text(encoding="utf-8"))


def _side(name: str, theme: Callable[[], Theme] = lambda: DEFAULT) -> MapImage:
    return render_side(recorded(SideView, name), theme=theme())


def _details(name: str) -> MapImage:
    found = render_battle_details(recorded(BattleSetup, name))
    if found is None:
        raise ValueError(f"{name} was recorded without a scene")
    return found


DRAWN: dict[str, Callable[[], MapImage]] = {
    "pq17-intro": lambda: _side("pq17-intro"),
    "pq17-intro-paper": lambda: _side("pq17-intro", paper),
    "pq17-intro-public": lambda: render_public(recorded(PublicView, "pq17-intro-public")),
    "pq17-intro-everything": lambda: render_omniscient(recorded(OmniscientView, "pq17-intro-everything")),
    "pq17-intro-ranges-paper": lambda: render_side(
        recorded(SideView, "pq17-intro"), theme=paper(), ranges=("detection",)
    ),
    "pq17-intro-crop": lambda: render_crop(recorded(SideView, "pq17-intro"), 1),
    "pq17-intro-area-paper": lambda: render_crop(recorded(SideView, "pq17-intro"), area=AREA, theme=paper()),
    "pq17-intro-card": lambda: render_card_map(recorded(SideView, "pq17-intro")),
    "pq17-campaign": lambda: _side("pq17-campaign"),
    "cutler-intro": lambda: _side("cutler-intro"),
    "cutler-intro-crop-paper": lambda: render_crop(recorded(SideView, "cutler-intro"), 1, theme=paper()),
    "cutler-seven": lambda: _side("cutler-seven"),
    "cutler-seven-paper": lambda: _side("cutler-seven", paper),
    "border-intro": lambda: _side("border-intro"),
    "border-zone-paper": lambda: _side("border-zone", paper),
    "border-intro-crop": lambda: render_crop(recorded(SideView, "border-intro"), 1),
    "border-battle": lambda: render_battle(recorded(BattleSetup, "border-battle")),
    "border-battle-details": lambda: _details("border-battle"),
    "pq17-battle": lambda: render_battle(recorded(BattleSetup, "pq17-battle")),
    "pq17-battle-details": lambda: _details("pq17-battle"),
    "lanes-arm": lambda: _side("lanes-arm"),
    "lanes-arm-paper": lambda: _side("lanes-arm", paper),
    "lanes-arm-crop": lambda: render_crop(recorded(SideView, "lanes-arm"), 1),
    "lanes-arm-area-paper": lambda: render_crop(recorded(SideView, "lanes-arm"), area=("sol",), theme=paper()),
    "lanes-arm-card": lambda: render_card_map(recorded(SideView, "lanes-arm")),
    "lanes-frontier": lambda: _side("lanes-frontier"),
    "lanes-played": lambda: _side("lanes-played"),
    "lanes-played-paper": lambda: _side("lanes-played", paper),
    "lanes-battles": lambda: _side("lanes-battles"),
    "lanes-battles-crop-paper": lambda: render_crop(recorded(SideView, "lanes-battles"), 2, theme=paper()),
    "lanes-frontier-everything": lambda: render_omniscient(recorded(OmniscientView, "lanes-frontier-everything")),
    "vector-race": lambda: _side("vector-race"),
    "vector-race-paper": lambda: _side("vector-race", paper),
    "vector-race-crop": lambda: render_crop(recorded(SideView, "vector-race"), area=("1020",)),
    "vector-race-card": lambda: render_card_map(recorded(SideView, "vector-race")),
    "vector-melee": lambda: render_public(recorded(PublicView, "vector-melee")),
    "cutler-battle-paper": lambda: render_battle(recorded(BattleSetup, "cutler-battle"), theme=paper()),
}
"""Each picture by the name of its file."""


def now(names: Collection[str] = ()) -> Iterator[tuple[str, bytes]]:
    """Each picture as it is drawn now, as PNG; or those of these names."""
    for name, draw in DRAWN.items():
        if not names or name in names:
            yield name, draw().png


def before(name: str) -> bytes | None:
    """A picture as it is kept; None if none is."""
    file = PICTURES / f"{name}.png"
    return file.read_bytes() if file.is_file() else None
