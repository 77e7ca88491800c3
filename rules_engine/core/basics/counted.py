"""Words that go by a number or a name: ``1 box``, ``3 boxes``, ``an Ash``, ``a Birch``."""

_ES = ("x", "ch", "sh", "s")
_VOWELS = "AEIOU"
_LETTERS_WITH_VOWELS = "AEFHILMNORSX"
"""The letters whose own names begin with a vowel, as they are read in ``an FRD``."""
_SPELLED_OUT = 3
"""Words of capitals are read letter by letter up to this length."""


def plural(thing: str) -> str:
    """The plural of a noun."""
    return f"{thing}{'es' if thing.endswith(_ES) else 's'}"


def singular(things: str) -> str:
    """The singular of a plural noun; a word without a singular is returned unchanged."""
    return f"{things[:-3]}y" if things.endswith("ies") else things.removesuffix("s")


def counted(count: int, thing: str) -> str:
    """``1 probe``, ``2 probes``, ``0 boxes``."""
    return f"{count} {thing if count == 1 else plural(thing)}"


def with_article(name: str) -> str:
    """``an Ash``, ``a Birch``, ``an ISC``: a name with its article; short words in capitals are spelled."""
    word = name.split(" ", 1)[0]
    spelled_out = word.isupper() and len(word) <= _SPELLED_OUT
    return f"{'an' if name[:1].upper() in (_LETTERS_WITH_VOWELS if spelled_out else _VOWELS) else 'a'} {name}"


def verb(count: int, one: str, many: str) -> str:
    """The form of a verb that goes with so many: ``verb(2, "sets up", "set up")``."""
    return one if count == 1 else many
