"""What an author of a scenario is told of what is wrong with its files: all of it at once, each with its line, and what
would be right. The three books whose readers have tables of their own are in their `test_scenarios.py`."""

import pytest

from rules_engine.rulebooks import cutler, pq17
from tests.expected.kept import Kept, cases
from tests.rulebooks.scenario_defects import Scenarios

BOOKS = {
    "pq17": Scenarios(book="pq17", read=pq17.RULEBOOK.read_scenario, usual="intro", changed="intro"),
    "cutler": Scenarios(book="cutler", read=cutler.RULEBOOK.read_scenario, usual="intro", changed="intro"),
}


@cases("book, file, old, new, told")
def test_a_defect_is_told_with_its_line(book: str, file: str, old: str, new: str, told: str) -> None:
    assert BOOKS[book].told_of(file, old, new) == told


@pytest.mark.parametrize(
    ("book", "changes"),
    [
        (
            "pq17",
            [
                ("scenario.toml", "turns = 8", "turns = 0"),
                ("scenario.toml", 'hex = "0403"', 'hex = "4403"'),
                ("scenario.toml", 'class_id = "MCA"', 'class_id = "MCB"'),
                ("scenario.toml", "victory_points", "victory_point"),
                ("repair.toml", "[cost]", "[costs]"),
            ],
        ),
        (
            "cutler",
            [
                ("scenario.toml", "tie_break", "tie_brake"),
                ("scenario.toml", 'hex = "0205"', 'hex = "9905"'),
                ("units.toml", 'type = "frigate"', 'type = "frigat"'),
            ],
        ),
    ],
)
def test_one_defect_hides_no_other(book: str, changes: list[tuple[str, str, str]], kept: Kept) -> None:
    texts = BOOKS[book].files()
    for file, old, new in changes:
        assert old in texts[file], old
        texts[file] = texts[file].replace(old, new, 1)
    assert BOOKS[book].refused(texts) == kept(book)


def test_more_units_than_a_campaign_can_begin_with_are_refused() -> None:
    texts = BOOKS["pq17"].files()
    more = "".join(
        f'\n[[unit]]\nid = "one-{number}"\nname = "One {number}"\nclass_id = "MCA"\ntask_force = "A1"\n'
        for number in range(1_001)
    )
    (told,) = BOOKS["pq17"].refused(texts | {"scenario.toml": texts["scenario.toml"] + more})
    assert told.startswith("scenario.toml.unit (line ")
    assert "at most 1000 items" in told
