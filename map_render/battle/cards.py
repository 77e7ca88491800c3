"""Battle sheets as images, the same for all who may read them."""

from map_render.battle.details import draw_details
from map_render.battle.own_units import draw_own_units
from map_render.battle.panels import render_panels
from map_render.battle.set_up import draw_set_up
from map_render.battle.words import details_alt, own_alt, set_up_alt
from map_render.drawing.image import MapImage
from map_render.drawing.theme import DEFAULT, Theme
from rules_engine.core.basics.base import Side
from rules_engine.core.protocol.asks import BattleSetup


def render_battle(sheet: BattleSetup, *, theme: Theme = DEFAULT, side: Side | None = None) -> MapImage:
    """All that one needs to start a battle. Of a sheet without a scene, its panels, and those that only ``side`` reads.

    Where there is a scene nothing depends on who looks; what ``side`` alone reads is with the details.
    """
    if sheet.scene is None:
        return render_panels(sheet, theme=theme, side=side)
    drawn, high = draw_set_up(sheet.scene)
    return drawn.image(high, theme, set_up_alt(sheet.scene), "battle.png")


def render_battle_details(sheet: BattleSetup, *, theme: Theme = DEFAULT, side: Side | None = None) -> MapImage | None:
    """What the table needs later: every figure of every unit, and the rules of its beginning and end.

    ``side`` adds what only that side reads. None of a sheet without a scene, all of which is on its first picture.
    """
    if sheet.scene is None:
        return None
    secret = sheet.secret.get(side, ()) if side is not None else ()
    drawn, high = draw_details(sheet.scene, secret)
    return drawn.image(high, theme, details_alt(sheet.scene, secret), "details.png")


def render_own_units(sheet: BattleSetup, side: Side, *, theme: Theme = DEFAULT) -> MapImage | None:
    """A side's own units with what is left of each, for that side alone. None where there is nothing of the kind."""
    own = sheet.own.get(side)
    if sheet.scene is None or own is None or not own.units:
        return None
    drawn, high = draw_own_units(sheet.scene, own)
    return drawn.image(high, theme, own_alt(sheet.scene, own), "own.png")
