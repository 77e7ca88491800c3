"""A side's own units in a battle, with what it alone may know: what is left of each, and its figures."""

from map_render.battle.details import Columns, heading_of, planned, table
from map_render.battle.page import TALLEST, Page
from map_render.battle.rows import rows_of
from map_render.battle.set_up import HEADER, ROOMY, draw_rows, head
from map_render.battle.signs import looks_of
from map_render.battle.words import SECRET
from rules_engine.core.knowledge.battle_scene import BattleScene, OwnUnits

MOST_ROWS = 28


def draw_own_units(scene: BattleScene, own: OwnUnits) -> tuple[Page, int]:
    """The picture on its page, and its height: rows in two columns, and a table where there are figures."""
    page = Page()
    looks = looks_of(scene)
    head(page, "Your units", f"{scene.title} · {SECRET}")
    rows = rows_of(own.units, MOST_ROWS, MOST_ROWS)
    half = -(-len(rows) // 2)
    y = max(draw_rows(page, [rows[:half], rows[half:]], looks, HEADER + 18, ROOMY))
    if own.columns:
        columns = Columns(own.columns, planned(own.columns, rows))
        y = table(page, columns, rows, looks, heading_of(page, "Figures", y + 8, "text"))
    return page, min(TALLEST, y + 16)
