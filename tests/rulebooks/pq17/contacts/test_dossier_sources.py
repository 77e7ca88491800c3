"""How a side came to know what its reports tell: by the rule and the words of each."""

from collections.abc import Iterable
from typing import Any

import pytest

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.dossiers.ages import ago
from rules_engine.core.knowledge.reports import Lost, Removed, Report, Sighted, because
from rules_engine.core.knowledge.views import Board
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from tests.rulebooks.pq17.worlds.notation import table, world

BOARD = Board(
    campaign="C",
    rulebook="pq17",
    heading="",
    when=When(turn=3),
    sides=(
        SideLabel(key="alliance", name="Alliance", emblem="A"),
        SideLabel(key="coalition", name="Coalition", emblem="C"),
    ),
    grid=Grid(columns=24, rows=24),
)


def learned(kind: str, text: str, rule: str, inputs: dict[str, Any] | None = None, facts: Iterable[Any] = ()) -> Any:
    """What the Alliance learns of a report: of each entry whose it is, what of, from where, how surely and where."""
    report = Report(
        number=1,
        place="x",
        when=When(turn=2, step=3),
        to=("alliance",),
        kind=kind,
        text=text,
        why=because(f"PQ-17 {rule}", inputs or {}),
        facts=tuple(facts),
    )
    return [
        (one.about, one.subject, one.source, one.confidence, one.hex, one.ends)
        for one in RULEBOOK.learned(report, "alliance", BOARD)
    ]


def seen(level: IdLevel) -> list[Sighted]:
    """A sighting at a level."""
    return [Sighted(track="E1", hex="0403", owner="coalition", headline="x", level=int(level), level_name=level.label)]


class TestContacts:
    @pytest.mark.parametrize(
        ("rule", "inputs", "source"),
        [
            ("6.2.2", {"detected in": "the same hex"}, "own eyes"),
            ("6.2.2", {"in": "your settled hex"}, "own eyes"),
            ("6.2.2", {"in": "a base that Agent Cobweb watches"}, "spy mission"),
            ("6.3.4.13", {"gain": "+1"}, "reconnaissance"),
            ("12.4.4", {"gain": "+1"}, "reconnaissance"),
            ("6.4.1", {"it moved:": "U to U"}, "own eyes"),
            ("8.5.4", {"in battle in": "0403"}, "battle"),
            ("6.5.3", {"after the battle in": "0403"}, "battle"),
            ("1.8.10.3", {"successfully attacked in": "0403"}, "battle"),
            ("C.random.hf-df", {"from": "U to ID0"}, "intelligence"),
            ("1.6.5.7", {"reorganised in": "0403"}, "own eyes"),
        ],
    )
    def test_by_the_rule_that_told_them(self, rule: str, inputs: dict[str, str], source: str):
        found = learned("contact", "E1 in 0403", rule, inputs, seen(IdLevel.ID1))
        assert found == [("coalition", "E1", source, "partial", "0403", "")]

    @pytest.mark.parametrize(
        ("level", "confidence"),
        [
            (IdLevel.U, "slight"),
            (IdLevel.ID0, "slight"),
            (IdLevel.ID1, "partial"),
            (IdLevel.ID2, "partial"),
            (IdLevel.ID3, "certain"),
            (IdLevel.ID4, "certain"),
        ],
    )
    def test_as_surely_as_the_level_says(self, level: IdLevel, confidence: str):
        ((*_, said, _, _),) = learned("contact", "E1", "6.2.2", {}, seen(level))
        assert said == confidence

    def test_that_are_lost_or_gone(self):
        assert learned("contact", "x", "6.4.2", {}, [Lost(track="E1")]) == [
            ("", "E1", "own eyes", "certain", "", "lost")
        ]
        gone = learned("contact", "x", "1.6.1", {"in battle in": "0403"}, [Removed(track="E1")])
        assert gone == [("", "E1", "battle", "certain", "", "gone")]

    @pytest.mark.parametrize(
        ("text", "rule", "told"),
        [
            ("Farview in 0720 is held at ID1.", "8.6.2.2", ("Farview in 0720", "reconnaissance", "0720")),
            ("Contact E31 has reorganised; its ships are now in E31.", "1.6.5.7", ("E31", "own eyes", "")),
            ("There is no enemy minefield in 1217 any more.", "12.2.2", ("hex 1217", "own eyes", "1217")),
        ],
    )
    def test_without_a_sighting_are_what_the_words_say(self, text: str, rule: str, told: tuple[str, str, str]):
        ((about, subject, source, confidence, hex_id, _),) = learned("contact", text, rule)
        assert (about, confidence) == ("coalition", "certain")
        assert (subject, source, hex_id) == told


class TestOthers:
    @pytest.mark.parametrize(
        ("kind", "text", "rule", "told"),
        [
            ("shadowing", "E18 in 1621 shadows your C2.", "7.2.2", ("E18", "shadowing", "1621")),
            ("shadowing", "E7 announces speed 1 for this turn; A12 goes on.", "7.5.6", ("E7", "shadowing", "")),
            ("mines", "A3 met minefield E13 in 1715: 11 mine attacks.", "12.7.3", ("E13", "own eyes", "1715")),
            ("mines", "Your minefield in 1217 attacked contact E9.", "12.7.3", ("E9", "own eyes", "1217")),
            ("battle", "Battle in 0402: the Coalition won.", "8.5.5.6", ("battle in 0402", "battle", "0402")),
            ("battle", "Final inspection in 0402: …", "6.5.3", ("battle in 0402", "battle", "0402")),
            ("battle", "The other side's forces after the battle: E2: speed 0.", "8.5.7.2", ("E2", "battle", "")),
            (
                "special",
                "KIS-B Collection: Sector Reserve.",
                "C.random.kis-b",
                ("Special conditions", "intelligence", ""),
            ),
        ],
    )
    def test_by_kind_and_rule(self, kind: str, text: str, rule: str, told: tuple[str, str, str]):
        ((about, subject, source, confidence, hex_id, _),) = learned(kind, text, rule)
        assert (about, confidence) == ("coalition", "certain")
        assert (subject, source, hex_id) == told

    @pytest.mark.parametrize(
        ("kind", "text", "rule"),
        [
            ("mines", "Dirk loses 15 warp.", "12.7.7"),  # an own ship
            ("battle", "Haven Station repairs 5 sensors.", "11.4.7"),  # own, too
            ("special", "Special condition of period 1: Sector Reserve.", "C.special.sector-reserves"),
            ("shadowing", "A1 shadows Farview while it stays there.", "8.6.2.2"),
            ("battle", "A6 withdraws successfully in 0402.", "8.5.6.5"),
            ("supply", "E1 in 0403", "10.1"),
            ("initiative", "E1 in 0403", "4.1"),
        ],
    )
    def test_what_is_of_the_own_side_is_in_no_dossier(self, kind: str, text: str, rule: str):
        assert learned(kind, text, rule) == []


def test_ages_are_counted_in_impulses_of_two_halves():
    now = When(turn=3, step=5)
    said = [
        ago(now, When(turn=turn, step=step), RULEBOOK.turn_parts) for turn, step in ((3, 6), (3, 5), (3, 1), (2, 6))
    ]
    assert said == ["now", "now", "2 impulses ago", "1 turn ago"]


def test_who_meets_somebody_has_seen_it_with_own_eyes():
    """The whole way: the rule tells, and the dossier says from where; so do a settled hex and a minefield."""
    for text in ("A1 0405 DD\nC1 0405 CW", "settled 0405 alliance\nC1 0405 CW"):
        turn = table(world(text))
        announce_detections(turn)
        (report,) = [one for one in turn.shared.reports if one.is_for("alliance") and one.kind == "contact"]
        (found,) = RULEBOOK.learned(report, "alliance", BOARD)
        assert (found.about, found.hex, found.source, found.confidence) == ("coalition", "0405", "own eyes", "slight")
