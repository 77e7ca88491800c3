"""A dossier that is kept as play goes on is the one that all reports make, however they come; and it is bounded."""

from typing import Any

import pytest

from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.dossiers.files import NOTHING_KEPT, dossier_of
from rules_engine.core.knowledge.dossiers.folding import MOST_ENTRIES, MOST_SUBJECTS, KeptDossier, folded
from rules_engine.core.knowledge.reports import Fact, Lost, Removed, Report, Sighted
from tests.core.knowledge.test_dossiers import board

READER = "red"
BOARD = board()


def report(number: int, *facts: Fact, to: str = READER) -> Report:
    when = When(turn=number, step=0, label=f"Turn {number}")
    return Report(number=number, place=f"T{number}", when=when, to=(to,), kind="contact", text="Seen.", facts=facts)


def sighted(track: str, hex_id: str = "0101", owner: str = "blue") -> Sighted:
    return Sighted(track=track, owner=owner, hex=hex_id, level=1, level_name="ID1", headline="a cruiser")


TOLD = [
    report(1, sighted("E1"), sighted("E2", "0203")),
    report(2, sighted("E1")),
    report(2, Lost(track="E2")),
    report(3, sighted("E3"), to="blue"),
    report(3, sighted("E1", "0102")),
    report(4, Removed(track="E1", into="E4"), sighted("E4", "0102", owner="")),
    report(5, sighted("E2", "0204")),
    report(6, Lost(track="E4")),
]


def kept(told: list[Report], before: KeptDossier = NOTHING_KEPT) -> KeptDossier:
    return folded(before, object(), READER, BOARD, told)


def dossier(told: list[Report], before: KeptDossier = NOTHING_KEPT) -> Any:
    return dossier_of(object(), READER, BOARD, told, open_map=BOARD, kept=before)


@pytest.mark.parametrize("at", range(len(TOLD) + 1))
def test_it_does_not_matter_where_it_was_kept(at: int) -> None:
    before = KeptDossier.model_validate_json(kept(TOLD[:at]).model_dump_json())
    assert dossier(TOLD[at:], before) == dossier(TOLD)
    assert kept(TOLD[at:], before) == kept(TOLD)


def test_what_ends_is_whose_it_was_and_what_others_were_told_is_not_read() -> None:
    found = kept(TOLD)
    assert {(one.about, one.subject) for one in found.files} == {("blue", "E1"), ("blue", "E2"), ("", "E4")}
    assert [entry.ends for one in found.files if one.subject == "E2" for entry in one.entries] == ["", "lost", ""]


def test_the_same_several_times_in_a_row_is_kept_once_with_since_when() -> None:
    (first, *_) = next(one.entries for one in kept(TOLD).files if one.subject == "E1")
    assert (first.when.turn, first.since.turn if first.since else None) == (2, 1)


def test_a_long_campaign_keeps_the_newest_of_each_thing_and_no_more_than_so_many() -> None:
    long = [report(turn, sighted("E1", f"{turn % 2 + 1:02}01")) for turn in range(1, 3 * MOST_ENTRIES)]
    (file,) = kept(long).files
    assert len(file.entries) == MOST_ENTRIES
    assert file.entries[-1].when.turn == long[-1].when.turn
    many = [report(turn, sighted(f"E{turn}")) for turn in range(1, MOST_SUBJECTS + 20)]
    subjects = [one.subject for one in kept(many).files]
    assert len(subjects) == MOST_SUBJECTS
    assert subjects[-1] == f"E{MOST_SUBJECTS + 19}"
    assert "E1" not in subjects
