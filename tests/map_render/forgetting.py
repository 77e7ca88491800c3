"""Drawing as if the process had just started."""

from map_render.drawing.cache import KEPT


def forget_all() -> None:
    """Empty every cache of the renderer."""
    for cache in KEPT:
        cache.cache_clear()
