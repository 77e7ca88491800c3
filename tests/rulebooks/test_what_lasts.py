"""What lasts over turns ends by its own end alone, in every book: nobody else writes it."""

import ast
from collections.abc import Callable

import pytest

from rules_engine import rulebooks
from rules_engine.rulebooks.vector.records.ships import VectorShip
from rules_engine.rulebooks.vector.tracker.leaving import put_out
from tests.rulebooks.lasting import LASTS, only_their_own_write, writers, written
from tests.rulebooks.vector.skies import sky


def test_every_book_has_something_that_lasts():
    assert sorted(LASTS) == sorted(rulebooks.installed())


@pytest.mark.parametrize("book", sorted(LASTS))
def test_what_lasts_is_written_by_its_own_files_alone(book: str):
    assert writers(book) == LASTS[book]


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("unit.cloak = None", {"cloak"}),
        ("unit.moved += 1", {"moved"}),
        ("del unit.cloak", {"cloak"}),
        ("unit.towing.append(key)", {"towing"}),
        ("unit.towing[0] = key", {"towing"}),
        ("unit.changed(cloak=None)", {"cloak"}),
        ("unit.reaction.with_values(held=0)", {"held"}),
        ("print(unit.cloak, unit.towing.index(key), towing.append(key))", set()),
    ],
)
def test_a_field_that_is_written_is_found_however_that_is_done(source: str, found: set[str]):
    assert written(ast.parse(source)) == found


@pytest.mark.parametrize("write", [lambda one: setattr(one, "out", "caught"), lambda one: setattr(one, "aboard", "H2")])
def test_a_write_by_others_is_found_in_play(write: Callable[[VectorShip], None]):
    battle = sky("H1 h 2020 A 0\nH2 h 2020 A 0")
    ship = battle.units["H1"]
    with only_their_own_write("vector"):
        put_out(battle, ["H2"], "destroyed")
        ship.at = "2021"
        made = VectorShip(id="H3", side="h", name="H3", at="2020", out="caught")
        with pytest.raises(AssertionError, match=r"VectorShip\.(out|aboard) is set by"):
            write(ship)
    write(ship)
    assert (battle.units["H2"].out, ship.at, made.out) == ("destroyed", "2021", "caught")
