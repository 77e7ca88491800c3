"""A part of a map of lanes in words, for readers who do not see it."""

from map_render.beyond_words import beyond
from map_render.drawing.image import ALT_LIMIT
from map_render.glance_words import words_of
from map_render.lanes.crop import LaneSubject
from map_render.words import alt_of


def lane_crop_words(subject: LaneSubject) -> str:
    """At most 1,024 characters: what it is of, what happened and what one may do, all that is there, what lies
    beyond."""
    number = f"Place {subject.number}, " if subject.number else "Part of the map, "
    said = [f"{number}{words_of(subject.title)}."]
    said += [f"{words_of(choice).rstrip('.')}." for choice in subject.facts[1:]]
    outside = beyond(subject.scene, subject.shown.shown, sorted(subject.systems))
    whole = f"{' '.join(said)} {alt_of(subject.shown, outside)}"
    return whole if len(whole) <= ALT_LIMIT else f"{whole[: ALT_LIMIT - 1].rstrip()}…"
