"""Boards of battles flown by vectors."""

from rules_engine.core.basics.base import HexId, When
from rules_engine.core.grids.unbounded import Space
from rules_engine.core.knowledge.glance import News
from rules_engine.core.knowledge.tactical_scene import TacticalScene
from rules_engine.core.knowledge.views import Board, Counter, HexNote, PublicView, SideView


def board_of(scene: TacticalScene) -> Board:
    """The board of a scene: its units are counters, its terrain with a name stands in hexes."""
    first: dict[str, HexId] = {one.code: one.hex for one in scene.units}
    news = tuple(
        News(hexes=one.hexes[:1] or (first[one.codes[0]],), title=" and ".join(one.codes), fact=one.says[:48])
        for one in scene.news
    )
    hexes = [one.hex for one in scene.units] + [name for sign in scene.terrain for name in sign.hexes]
    return Board(
        campaign="The Courier", rulebook="vector", heading=f"Turn {scene.turn}", when=When(turn=scene.turn),
        sides=tuple(one.label for one in scene.parties), grid=Space(hexes=tuple(dict.fromkeys(hexes))),
        hexes=tuple(HexNote(hex=sign.hexes[0], name=sign.name) for sign in scene.terrain if sign.name),
        counters=tuple(Counter(id=one.code, hex=one.hex, owner=one.side, label=one.code) for one in scene.units),
        news=news, tactical=scene,
    )  # fmt: skip


def side_view(scene: TacticalScene, side: str = "") -> SideView:
    """What a side sees of it, the first one if none is named."""
    return SideView(side=side or scene.parties[0].label.key, board=board_of(scene))


def public_view(scene: TacticalScene) -> PublicView:
    """What anybody sees of it."""
    return PublicView(public=board_of(scene))
