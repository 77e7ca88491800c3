"""What people mean by words that a form does not have: only ever proposed, never taken for what was said."""

from collections.abc import Mapping, Sequence

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


def near(word: str, names: Mapping[str, str] | Sequence[str]) -> tuple[str, ...]:
    """What may have been meant by ``word`` among ``names`` (or the values of names): by its meaning if it has one here,
    else by its letters. A word that is known to mean something else is never matched by its letters."""
    known: dict[str, str] = {**names} if isinstance(names, Mapping) else {name: name for name in names}
    plain = folded(word)
    meant = _meant(plain, known)
    if meant is not None:
        return meant
    return tuple(dict.fromkeys(known[one] for one in nearest(word, known)))


def _meant(plain: str, known: Mapping[str, str]) -> tuple[str, ...] | None:
    """The names with the meaning of a word; None for a word that is not known to have one."""
    groups = [meant for said, meant in _ALIKE if plain in said]
    if not groups:
        return None
    found: Sequence[str] = [
        value for name, value in known.items() if any(set(folded(name).split()) & meant for meant in groups)
    ]
    return tuple(dict.fromkeys(found))[:3]
