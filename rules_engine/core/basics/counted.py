"""Words that go by a number or a name: ``1 box``, ``3 boxes``, ``an Ash``, ``a Birch``.

Whatever is told of a number of things goes through :func:`counted`, and a verb beside it through :func:`verb`.
"""

from fractions import Fraction

from rules_engine.core.basics.rational import show_fraction

_ES = ("x", "ch", "sh", "s")
_ALIKE = ("CPV", "aircraft", "spacecraft")
"""Nouns that are the same for one and for many."""
_VOWELS = "AEIOU"
_LETTERS_WITH_VOWELS = "AEFHILMNORSX"
"""The letters whose own names begin with a vowel, as they are read in ``an FRD``."""
_SPELLED_OUT = 3
"""Words of capitals are read letter by letter up to this length."""


def plural(thing: str) -> str:
    """The plural of a noun, or of words that end with one: ``box``, ``boarding party``, ``day``."""
    if thing.endswith(_ALIKE):
        return thing
    if thing.endswith("y") and thing[-2:-1].upper() not in _VOWELS:
        return f"{thing[:-1]}ies"
    return f"{thing}{'es' if thing.endswith(_ES) else 's'}"


def singular(things: str) -> str:
    """The singular of a plural noun; a word without a singular is returned unchanged."""
    return f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")


def counted(count: int | Fraction, thing: str) -> str:
    """A number and what it counts, of which ``thing`` is one: ``1 probe``, ``2 probes``, ``0 boxes``, ``1/2 (0.5)
    points``."""
    return f"{show_fraction(Fraction(count))} {noun(count, thing)}"


def noun(count: int | Fraction, thing: str) -> str:
    """The form of a noun that goes with so many, where the number stands elsewhere."""
    return thing if count == 1 else plural(thing)


def with_article(name: str) -> str:
    """``an Ash``, ``a Birch``, ``an ISC``: a name with its article; short words in capitals are spelled."""
    word = name.split(" ", 1)[0]
    spelled_out = word.isupper() and len(word) <= _SPELLED_OUT
    return f"{'an' if name[:1].upper() in (_LETTERS_WITH_VOWELS if spelled_out else _VOWELS) else 'a'} {name}"


def sentence(text: str) -> str:
    """The text with a capital first letter, to begin a sentence."""
    return text[:1].upper() + text[1:]


def verb(count: int | Fraction, one: str, many: str) -> str:
    """The form of a verb that goes with so many: ``verb(2, "sets up", "set up")``."""
    return one if count == 1 else many
