"""Battles flown by vectors in words, from which a captain who does not see the picture can fly.

The same sentences are the table of a turn's end.
"""

from collections.abc import Iterable

from map_render.drawing.image import ALT_LIMIT
from map_render.glance_words import words_of
from map_render.sections import Section, fitted
from rules_engine.core.basics.counted import counted
from rules_engine.core.grids.space import elements_of, lattice_of
from rules_engine.core.knowledge.tactical_scene import (
    TacticalPlot,
    TacticalScene,
    TacticalTerrainSign,
    TacticalUnit,
)

_LONGEST_WORD = 60
_IMPULSES = 32
_FULL = 100


def tactical_alt(scene: TacticalScene) -> str:
    """At most 1,024 characters: what matters most, then own plots, then each unit with hex, facing and vector, and the
    nearest pairs. What does not fit is counted."""
    sections = [
        Section("Plots", tuple(map(plot_line, scene.plots))),
        *(Section(name, tuple(short_line(unit) for unit in units)) for name, units in units_by_side(scene)),
        Section("Ranges", tuple(f"{one.one} to {one.other} {one.hexes}" for one in scene.pairs)),
        Section("Terrain", tuple(terrain_lines(scene))),
    ]
    opening = " ".join(filter(None, (numbered_words(scene), f"{opening_words(scene)}.")))
    return fitted(opening, [one for one in sections if one.items], ALT_LIMIT)


def tactical_table(scene: TacticalScene) -> str:
    """The whole scene in words, of any length: each unit with hex, facing, vector, speed, where it coasts to, what it
    waits for, and how far and which way every other one is; then own plots, and terrain."""
    lines = [f"{opening_words(scene)}.", *(f"{n}. {words_of(one.says)}" for n, one in enumerate(scene.news, 1))]
    for name, units in units_by_side(scene):
        lines += ["", name]
        for unit in units:
            lines += [f"- {long_line(unit)}", *(f"  {said}" for said in others_lines(scene, unit))]
    for title, items in (("Your plots", map(plot_line, scene.plots)), ("Terrain", terrain_lines(scene))):
        if found := [f"- {item}" for item in items]:
            lines += ["", title, *found]
    return "\n".join(lines)


def opening_words(scene: TacticalScene) -> str:
    """Which battle it is, and when."""
    turn = f"turn {scene.turn}" + (f" of {scene.turns}" if scene.turns else "")
    begins = f"{turn} begins" if scene.turn else "set-up"
    when = f"{turn}, after impulse {scene.impulse} of {_IMPULSES}" if scene.impulse else begins
    return ", ".join(filter(None, (words_of(scene.title, 80), words_of(scene.under, 120), when)))


def numbered_words(scene: TacticalScene) -> str:
    """What matters most: ``1. Closest: H1 and L2, 4 hexes at impulse 32. 2. …``; "" for nothing."""
    return " ".join(f"{number}. {words_of(one.says).rstrip('.')}." for number, one in enumerate(scene.news, 1))


def units_by_side(scene: TacticalScene) -> Iterable[tuple[str, list[TacticalUnit]]]:
    """The units of each side under its name, in the campaign's order of sides; sides without any are left out."""
    for party in sorted(scene.parties, key=lambda one: one.seat):
        units = [unit for unit in scene.units if unit.side == party.label.key]
        if units:
            yield words_of(party.label.name, _LONGEST_WORD), units


def short_line(unit: TacticalUnit) -> str:
    """A unit in few words: ``H1 at 0412, faces B, 6A+6B``."""
    flies = words_of(unit.vector, _LONGEST_WORD) if unit.speed else "at rest"
    said = (f"{words_of(unit.code, 20)} at {unit.hex}, faces {unit.facing}, {flies}", *_damage(unit), *_remarks(unit))
    return ", ".join(said)


def long_line(unit: TacticalUnit) -> str:
    """A unit with all that is known of it."""
    said = (words_of(unit.name, _LONGEST_WORD), words_of(unit.kind, _LONGEST_WORD), _form(unit))
    kind = ", ".join(filter(None, said))
    named = f"{words_of(unit.code, 20)} {kind}".strip()
    flies = f"vector {words_of(unit.vector, _LONGEST_WORD)}, speed {unit.speed}" if unit.speed else "at rest, speed 0"
    where = [f"hex {unit.hex}", f"faces {unit.facing}", flies, *_coasting(unit), *_waits(unit), *_damage(unit)]
    return f"{named}: {', '.join([*where, *_shields(unit), *_remarks(unit)])}"


def _form(unit: TacticalUnit) -> str:
    return "" if unit.form == "ship" else unit.form


def _coasting(unit: TacticalUnit) -> list[str]:
    """Where it will be: ``coasts to 0414 at impulse 24, 0416 at impulse 32``."""
    if not unit.speed or not unit.drifts:
        return []
    return ["coasts to " + ", ".join(f"{one.hex} at impulse {one.impulse}" for one in unit.drifts)]


def _waits(unit: TacticalUnit) -> list[str]:
    """What it has yet to wait for, as far as its readers may work that out."""
    ways = (("turn", unit.turns_on), ("accelerate", unit.thrusts_on))
    from_when: dict[str, list[str]] = {}
    for what, when in ways:
        if when is not None:
            from_when.setdefault(_from(when), []).append(what)
    return [f"may {' and '.join(what)} {when}" for when, what in from_when.items()]


def flies_words(unit: TacticalUnit) -> str:
    """Where a unit faces and how it flies: ``Faces B, drifts 6A+6B, speed 12``."""
    flies = f"drifts {unit.vector}, speed {unit.speed}" if unit.speed else "at rest"
    return ", ".join((f"Faces {unit.facing}", flies, *_damage(unit)))


def waits_words(unit: TacticalUnit) -> str:
    """What it may do and when, as a sentence; "" where that is not known."""
    said = " and ".join((*_waits(unit), *_remarks(unit)))
    return said[:1].upper() + said[1:]


def _from(impulse: int) -> str:
    """From which impulse on: ``at once``, ``from impulse 12``, ``from impulse 3 of next turn``."""
    if impulse <= 0:
        return "at once"
    turns, left = divmod(impulse - 1, _IMPULSES)
    after = {0: "", 1: " of next turn"}.get(turns, f" in {turns} turns")
    return f"from impulse {left + 1}{after}"


def _damage(unit: TacticalUnit) -> list[str]:
    return [f"{unit.whole} % whole"] if unit.whole is not None and unit.whole < _FULL else []


def _shields(unit: TacticalUnit) -> list[str]:
    """Its shields from the bow clockwise, unless all are whole."""
    if not unit.shields or all(left == _FULL for left in unit.shields):
        return []
    return ["shields from the bow clockwise " + ", ".join(f"{left} %" for left in unit.shields)]


def _remarks(unit: TacticalUnit) -> list[str]:
    return [words_of(said, _LONGEST_WORD) for said in unit.remarks]


def others_lines(scene: TacticalScene, unit: TacticalUnit) -> Iterable[str]:
    """How far every other unit is, the nearest first, and by which directions: ``L1 11 hexes, 8B+3C``."""
    others = [other for other in scene.units if other.code != unit.code]
    found = sorted((lattice_of(one.hex).plus(lattice_of(unit.hex), -1).length, one.code, one) for one in others)
    said = [f"{words_of(code, 20)} {way_words(unit, other)}" for _, code, other in found]
    for title, friends in (("others", False), ("own side", True)):
        some = [words for words, (_, _, other) in zip(said, found, strict=True) if (other.side == unit.side) == friends]
        if some:
            yield f"to {title}: {'; '.join(some)}"


def way_words(unit: TacticalUnit, other: TacticalUnit) -> str:
    """How far another unit is from one, and which way: ``11 hexes 8B+3C``, ``same hex``."""
    gap = lattice_of(other.hex).plus(lattice_of(unit.hex), -1)
    if not gap.length:
        return "same hex"
    return f"{counted(gap.length, 'hex')} {'+'.join(f'{hexes}{way}' for way, hexes in elements_of(gap))}"


def plot_line(plot: TacticalPlot) -> str:
    """An own plot: what it does where, and how it ends."""
    events = [f"{words_of(said, _LONGEST_WORD)} in {name}" for name, said in plot.events]
    end = f"ends in {plot.hexes[-1]}, " if plot.hexes else "ends "
    ending = f"{end}facing {plot.facing}, vector {words_of(plot.vector, _LONGEST_WORD)}"
    return f"{words_of(plot.code, 20)}: {'; '.join([*events, ending])}"


def terrain_lines(scene: TacticalScene) -> Iterable[str]:
    """Each piece of terrain with its hexes, buoys last and in their order."""
    for sign in sorted(scene.terrain, key=lambda one: (one.number, one.kind)):
        where = ", ".join(sign.hexes) if sign.column is None else f"column {sign.column}, without an end"
        yield f"{terrain_name(sign)}: {where}"


def terrain_name(sign: TacticalTerrainSign) -> str:
    """``buoy 2``, ``asteroids The Rocks``, ``planet Dusk``."""
    number = f" {sign.number}" if sign.number else ""
    return f"{sign.kind}{number}{f' {words_of(sign.name, _LONGEST_WORD)}' if sign.name else ''}"
