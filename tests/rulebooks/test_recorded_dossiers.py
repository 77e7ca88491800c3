"""Dossiers of whole recorded campaigns: what sides knew at their end, and that nothing else is in them."""

import re
from functools import cache
from typing import Any
from unittest import mock

import pytest

from bot.verification.export_file import read_export
from rules_engine import rulebooks
from rules_engine.core.knowledge.dossiers.ages import ago
from rules_engine.core.knowledge.dossiers.files import Dossier
from rules_engine.core.knowledge.reports import Report, Sighted, because
from rules_engine.core.records.journal import Genesis, Revealed
from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.core.running.replay import replay
from tests.expected.kept import Kept
from tests.journals.record import path_of

NUMBERED = re.compile(r"[A-Z]\d+")
"""What a side calls those that it has met."""
PLAYED = ("pq17/intro", "cutler/intro", "cutler/frontier")


@cache
def played(key: str) -> tuple[Adjudicator[Any], tuple[Report, ...]]:
    """A recorded campaign at its end, with all that was told in it."""
    entries = read_export(path_of(key))
    genesis = entries[0].body
    assert isinstance(genesis, Genesis)
    seed = next(bytes.fromhex(one.body.seed) for one in entries if isinstance(one.body, Revealed))
    told: list[Report] = []
    repeat = Adjudicator.repeat

    def listening(self: Adjudicator[Any], entry: Any) -> Any:
        step = repeat(self, entry)
        told.extend(step.reports)
        return step

    with mock.patch.object(Adjudicator, "repeat", listening):
        campaign = replay(rulebooks.rulebook(genesis.rulebook), entries, seed)
    return campaign, tuple(told)


def dossier(key: str, side: str) -> Dossier:
    campaign, told = played(key)
    return campaign.dossier(side, told)


def lines(found: Dossier, parts: Any, owner: str) -> list[str]:
    """An opponent's files, one line each."""
    return [
        f"{one.subject} {one.last_seen.hex} {one.latest.source} {one.latest.confidence} "
        f"{one.latest.ends or 'held'} {ago(found.now, one.latest.when, parts)}"
        for one in found.about(owner)
    ]


def test_what_the_alliance_knew_of_the_coalition(kept: Kept):
    # By hand, from the log of that side: E1 was met in 0603, searched, fought twice, and was no more.
    campaign, _ = played("pq17/intro")
    assert lines(dossier("pq17/intro", "alliance"), campaign.turn_parts, "coalition") == kept()


def test_how_one_contact_became_known_step_by_step():
    (e1,) = [one for one in dossier("pq17/intro", "alliance").files if one.subject == "E1"]
    assert [(one.source, one.confidence, one.text.partition(": ")[2] or one.text) for one in reversed(e1.entries)] == [
        ("own eyes", "slight", "Force present, U"),
        ("own eyes", "slight", "Force present, U"),
        ("reconnaissance", "slight", "Force identified, ID0"),
        ("battle", "certain", "Force identified, ID4"),
        ("battle", "certain", "Force identified, ID3"),
        ("battle", "certain", "E1: speed 1/2, passive."),
        ("battle", "certain", "Force identified, ID4"),
        ("battle", "certain", "is no more"),
    ]


def test_what_the_hydran_knew_of_the_lyran(kept: Kept):
    campaign, _ = played("cutler/intro")
    found = [
        one for one in lines(dossier("cutler/intro", "hydran"), campaign.turn_parts, "lyran") if "open map" not in one
    ]
    assert found == kept()


@pytest.mark.parametrize("key", PLAYED)
def test_every_sighting_in_the_ledger_has_a_source_an_age_and_a_confidence(key: str):
    campaign, told = played(key)
    for label in campaign.labels:
        (table,) = [one for one in campaign.side_tables(label.key, told) if one.key == "contacts"]
        assert table.columns[-3:] == ("Source", "Age", "Confidence")
        met = [one for one in campaign.dossier(label.key, told).files if NUMBERED.fullmatch(one.subject)]
        assert met
        assert table.rows or all(one.latest.ends == "gone" for one in met), "what is no more is in no ledger"
        assert all(row[-3] and row[-2] and row[-1] for row in table.rows), table.rows


@pytest.mark.parametrize("key", PLAYED)
def test_what_others_were_told_changes_nothing(key: str):
    """With and without the reports to others a dossier is the same, byte for byte."""
    campaign, told = played(key)
    for label in campaign.labels:
        own = [one for one in told if one.is_for(label.key)]
        assert len(own) < len(told)
        assert campaign.dossier(label.key, own) == campaign.dossier(label.key, told)
        assert campaign.side_tables(label.key, own) == campaign.side_tables(label.key, told)


@pytest.mark.parametrize("key", PLAYED)
def test_nothing_of_ones_own_and_nothing_without_an_owner_is_in_it(key: str):
    campaign, told = played(key)
    names = {label.key for label in campaign.labels}
    for label in campaign.labels:
        files = campaign.dossier(label.key, told).files
        assert {one.about for one in files} <= names - {label.key}
        assert files


@pytest.mark.parametrize("key", PLAYED)
def test_a_report_to_others_under_the_same_number_lends_no_source(key: str):
    """Each side counts its contacts for itself: E1 of one is not E1 of another."""
    campaign, told = played(key)
    side, other = (label.key for label in campaign.labels[:2])
    mine = [one for one in told if one.is_for(side) and any(isinstance(fact, Sighted) for fact in one.facts)]
    theirs = [
        one.model_copy(update={"to": (other,), "kind": "contact", "why": because("PQ-17 C.random.hf-df")})
        for one in mine
    ]
    assert campaign.side_tables(side, [*told, *theirs]) == campaign.side_tables(side, told)
    assert campaign.dossier(side, [*told, *theirs]) == campaign.dossier(side, told)
