"""The strip of times on a referee's desk: who is done, who is late, now, and when it closes."""

from map_render.desk.strip import render_times, times_alt

__all__ = ["render_times", "times_alt"]
