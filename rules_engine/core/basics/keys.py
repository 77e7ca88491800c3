"""What a text in a state is the key of, noted beside its type: ``Annotated[str, KeyOf("systems")]``.

A referee who corrects the record reads and types what the entry of that key is called.
"""


class KeyOf:
    """A text is a key of one of these tables of the state, whose entries have names. With ``or_other`` another text may
    stand there, too."""

    __slots__ = ("or_other", "tables")

    def __init__(self, *tables: str, or_other: bool = False) -> None:
        self.tables = tables
        self.or_other = or_other
