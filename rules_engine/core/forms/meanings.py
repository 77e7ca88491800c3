"""What people mean by words that a form does not have: only ever proposed, never taken for what was said."""

import re
from collections.abc import Iterable, Mapping, Sequence

from rules_engine.core.basics.refusals import nearest
from rules_engine.core.forms.form_names import folded

_ALIKE: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(said.split()), frozenset(meant.split()))
    for said, meant in (
        ("dead killed sunk lost gone exploded wrecked wiped eliminated die died dies kia", "destroyed"),
        (
            "away fled flee escaped escapes retreated retreats withdrew ran left disengages",
            "disengaged withdraw retreat",
        ),
        ("fine alive intact unhurt undamaged whole survived survives unharmed untouched", "ok intact"),
        ("hurt hit wounded crippled", "damaged crippled"),
        ("taken seized boarded prize", "captured"),
        ("wait halt stand remain idle", "hold stay station"),
        ("fight attack engage", "combat attack"),
        ("avoid evade pass sneak", "bypass"),
        ("quiet silent dark hidden", "passive"),
        ("velocity pace", "speed"),
        ("path way course move destination waypoints", "route course"),
        ("enemy victim quarry", "target"),
    )
)

_NUMBERED = re.compile(r"([A-Za-z]{1,4})([0-9]{1,4})")
"""A short name with a number, as people know what it stands for."""


def near(word: str, names: Mapping[str, str] | Sequence[str]) -> tuple[str, ...]:
    """What may have been meant by ``word`` among ``names`` (or the values of names): by its meaning if it has one here,
    else by its letters. A word that is known to mean something else is never matched by its letters."""
    known: dict[str, str] = {**names} if isinstance(names, Mapping) else {name: name for name in names}
    plain = folded(word)
    meant = _meant(plain, known)
    if meant is not None:
        return meant
    return tuple(dict.fromkeys(known[one] for one in nearest(word, known)))


def numbered_like(name: str, keys: Iterable[str], most: int = 3) -> tuple[str, ...]:
    """The keys of the same letters whose numbers are nearest to that of a name, ``F3`` and ``F2`` for ``F9``; none for
    a name that is not letters with a number."""
    wanted = _NUMBERED.fullmatch(name.strip())
    if wanted is None:
        return ()
    found: list[tuple[int, int, str]] = []
    for key in keys:
        known = _NUMBERED.fullmatch(key)
        if known is not None and known[1].casefold() == wanted[1].casefold():
            found.append((abs(int(known[2]) - int(wanted[2])), int(known[2]), key))
    return tuple(key for _, _, key in sorted(found)[:most])


def _meant(plain: str, known: Mapping[str, str]) -> tuple[str, ...] | None:
    """The names with the meaning of a word; None for a word that is not known to have one."""
    groups = [meant for said, meant in _ALIKE if plain in said]
    if not groups:
        return None
    found: Sequence[str] = [
        value for name, value in known.items() if any(set(folded(name).split()) & meant for meant in groups)
    ]
    return tuple(dict.fromkeys(found))[:3]
