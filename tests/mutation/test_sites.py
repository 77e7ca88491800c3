"""Which changes are made of Python source, and what is left alone."""

from textwrap import dedent

from tests.expected.kept import cases
from tests.mutation.changes import Mutation
from tests.mutation.sites import Sites


def changes(source: str) -> list[tuple[str, str]]:
    """Kind and change, of every edit of every place."""
    text = dedent(source)
    return [
        (site.kind, Mutation(site, edit, text[edit.start : edit.end]).change)
        for site in Sites("x.py", text)
        for edit in site.edits
    ]


def made(source: str) -> list[str]:
    """The source after each edit."""
    text = dedent(source)
    return [Mutation(site, edit, "").made(text) for site in Sites("x.py", text) for edit in site.edits]


def test_a_number_is_one_more_or_one_less() -> None:
    assert changes("LIMIT = 10\n") == [("number", "10 -> 11"), ("number", "10 -> 9")]
    assert changes("NONE = 0\n") == [("number", "0 -> 1")]
    assert changes("HALF = 0.5\n") == [("number", "0.5 -> 0.6"), ("number", "0.5 -> 0.4")]
    assert changes('def f():\n    return Fraction("2/3")\n') == [
        ("number", "2 -> 3"),
        ("number", "2 -> 1"),
        ("number", "3 -> 4"),
        ("number", "3 -> 2"),
    ]


@cases("before, after", "")
def test_a_comparison_is_another(before: str, after: str) -> None:
    assert made(f"ok = (a) {before} b\n") == [f"ok = (a) {after} b\n"]


def test_each_comparison_of_a_chain_is_a_place() -> None:
    assert made("ok = a < b <= c\n") == ["ok = a <= b <= c\n", "ok = a < b < c\n"]


def test_a_comparison_is_found_beyond_brackets_and_comments() -> None:
    assert made("ok = (\n    (a)  # < is meant\n    < (b)\n)\n") == ["ok = (\n    (a)  # < is meant\n    <= (b)\n)\n"]


def test_a_condition_is_turned_round_or_always_or_never_so() -> None:
    assert changes("if a:\n    b()\n") == [
        ("condition", "a -> (not (a))"),
        ("condition", "a -> True"),
        ("condition", "a -> False"),
    ]
    assert ("condition", "not -> (nothing)") in changes("while not a:\n    b()\n")
    assert made("x = [a for a in b if c]\n")[1] == "x = [a for a in b if True]\n"
    assert made("x = a if b else c\n")[2] == "x = a if False else c\n"


def test_and_becomes_or() -> None:
    assert made("x = a and b and c\n") == ["x = a or b and c\n", "x = a and b or c\n"]
    assert made("x = a or (b)\n") == ["x = a and (b)\n"]


def test_a_name_that_a_condition_gives_is_not_lost() -> None:
    assert changes("if (x := f()):\n    g(x)\n") == [("condition", "x := f() -> (not (x := f()))")]


def test_numbers_of_a_table_are_its_entries() -> None:
    assert changes("ROWS = ((1, 'a'),)\n") == [("table entry", "1 -> 2"), ("table entry", "1 -> 0")]
    printed = 'T = """\nA 01-38 39-100\n"""\n'
    assert changes(printed)[:4] == [
        ("table entry", "01 -> 02"),
        ("table entry", "01 -> 00"),
        ("table entry", "38 -> 39"),
        ("table entry", "38 -> 37"),
    ]
    assert [(site.line, site.column, site.text) for site in Sites("x.py", printed)] == [
        (2, 3, "A 01-38 39-100"),
        (2, 6, "A 01-38 39-100"),
        (2, 9, "A 01-38 39-100"),
        (2, 12, "A 01-38 39-100"),
    ]


def test_a_number_in_a_function_is_no_entry() -> None:
    assert [kind for kind, _ in changes("def f():\n    return (7, 8)\n")] == ["number"] * 4


def test_sentences_are_changed_in_place() -> None:
    assert made('tell("you may go")\n') == ['tell("you may not go")\n']
    assert made('tell(f"{name} is in {hex}, at least")\n') == [
        'tell(f"{name} is not in {hex}, at least")\n',
        'tell(f"{name} is in {hex}, at most")\n',
    ]


def test_what_a_formatted_string_works_out_is_a_place_too() -> None:
    assert "x = f'{a + 2:>3} of all'\n" in made("x = f'{a + 1:>3} of all'\n")
    assert made("x = f'{1 if a else 2}'\n")[2] == "x = f'{1 if False else 2}'\n"


def test_letters_of_more_than_one_byte_move_nothing() -> None:
    assert made("x = '“×”' + str(3)  # ½\n") == ["x = '“×”' + str(4)  # ½\n", "x = '“×”' + str(2)  # ½\n"]


@cases("source", "")
def test_what_no_player_meets_is_left_alone(source: str) -> None:
    assert changes(source) == []


def test_the_words_of_a_validator_are_read_by_authors() -> None:
    source = "class M:\n    @field_validator('a')\n    def check(cls, a):\n        raise ValueError('it must be so')\n"
    assert ("sentence", "must -> must not") in changes(source)


def test_each_place_knows_its_statement_and_when_it_runs() -> None:
    source = "LIMIT = 3\ndef f(a=4):\n    return g(\n        5,\n        a,\n    )\nclass C:\n    x: int = 6\n"
    found = [(site.line, site.reach, site.in_function, site.names) for site in Sites("x.py", source)]
    assert found == [
        (1, range(1, 2), False, ("LIMIT",)),
        (2, range(2, 3), False, ("f",)),
        (4, range(3, 7), True, ("f",)),
        (8, range(8, 9), False, ("C", "x")),
    ]
