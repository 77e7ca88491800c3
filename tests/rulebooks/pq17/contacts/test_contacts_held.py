"""Contacts as one side holds them: the dossier's sources, and scenes written down whole."""

from collections.abc import Iterable
from typing import Any, Literal

import pytest

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.dossiers.ages import ago
from rules_engine.core.knowledge.reports import Lost, Removed, Report, Sighted, because
from rules_engine.core.knowledge.views import Board
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import lose_modules
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections, lower_id_of_movers, start_impulse
from rules_engine.rulebooks.pq17.contacts.identification import contact_details
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.minefields import field_key
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import cases
from tests.rulebooks.pq17.ch01_forces.test_construction import site
from tests.rulebooks.pq17.playing.written_scenes import heard
from tests.rulebooks.pq17.worlds import notation, repair
from tests.rulebooks.written_texts import compare

BOARD = Board(
    campaign="C", rulebook="pq17", heading="", when=When(turn=3),
    sides=(
        SideLabel(key="alliance", name="Alliance", emblem="A"),
        SideLabel(key="coalition", name="Coalition", emblem="C"),
    ),
    grid=Grid(columns=24, rows=24),
)  # fmt: skip


def learned(kind: str, text: str, rule: str, inputs: dict[str, Any] | None = None, facts: Iterable[Any] = ()) -> Any:
    """What the Alliance learns of a report: of each entry whose it is, what of, from where, how surely and where."""
    report = Report(
        number=1, place="x", when=When(turn=2, step=3), to=("alliance",), kind=kind, text=text,
        why=because(f"PQ-17 {rule}", inputs or {}), facts=tuple(facts),
    )  # fmt: skip
    return [
        (one.about, one.subject, one.source, one.confidence, one.hex, one.ends)
        for one in RULEBOOK.learned(report, "alliance", BOARD)
    ]


def seen(level: IdLevel) -> list[Sighted]:
    """A sighting at a level."""
    return [Sighted(track="E1", hex="0403", owner="coalition", headline="x", level=int(level), level_name=level.label)]


class TestContacts:
    @cases("rule, inputs, source", "")
    def test_by_the_rule_that_told_them(self, rule: str, inputs: dict[str, str], source: str):
        found = learned("contact", "E1 in 0403", rule, inputs, seen(IdLevel.ID1))
        assert found == [("coalition", "E1", source, "partial", "0403", "")]

    @cases("level, confidence", made="level")
    def test_as_surely_as_the_level_says(self, level: IdLevel, confidence: str):
        ((*_, said, _, _),) = learned("contact", "E1", "6.2.2", {}, seen(level))
        assert said == confidence

    def test_that_are_lost_or_gone(self):
        text = "contact"
        assert learned(text, "x", "6.4.2", {}, [Lost(track="E1")]) == [("", "E1", "own eyes", "certain", "", "lost")]
        gone = learned("contact", "x", "1.6.1", {"in battle in": "0403"}, [Removed(track="E1")])
        assert gone == [("", "E1", "battle", "certain", "", "gone")]

    @cases("text, rule, told")
    def test_without_a_sighting_are_what_the_words_say(self, text: str, rule: str, told: tuple[str, str, str]):
        ((about, subject, source, confidence, hex_id, _),) = learned("contact", text, rule)
        assert (about, confidence) == ("coalition", "certain")
        assert (subject, source, hex_id) == told


class TestOthers:
    @cases("kind, text, rule, told")
    def test_by_kind_and_rule(self, kind: str, text: str, rule: str, told: tuple[str, str, str]):
        ((about, subject, source, confidence, hex_id, _),) = learned(kind, text, rule)
        assert (about, confidence) == ("coalition", "certain")
        assert (subject, source, hex_id) == told

    @cases("kind, text, rule", "")
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
        turn = notation.table(notation.world(text))
        announce_detections(turn)
        (report,) = [one for one in turn.shared.reports if one.is_for("alliance") and one.kind == "contact"]
        (found,) = RULEBOOK.learned(report, "alliance", BOARD)
        assert (found.about, found.hex, found.source, found.confidence) == ("coalition", "0405", "own eyes", "slight")


# --- what each side is told of contacts, written down whole: detected, faded, lost, searched in minefields ------------
Request = pytest.FixtureRequest


def reports(at: TurnContext[State]) -> list[str]:
    return [line for report in at.shared.reports for line in heard(at, report)]


@pytest.mark.rule("pq17", "6.1.1", "6.2.2", "6.4.1", "6.4.2", "1.7.2")
def test_contacts_are_made_fade_and_are_lost(request: Request) -> None:
    """E1 is met in a hex and E2 in a settled one, as is the side's own base; both move on, one of them in its place."""
    text = "settled 0202 alliance Ixchel\nA9 0303 BATS base Haven\nA1 0405 CA\n"
    text += "C1 0405 CW cloak ID2\nC2 0202 SC ID1\nC3 0303 CA"
    at = notation.table(notation.world(text))
    announce_detections(at)
    forces = at.state.task_forces
    at.state.set_hex(forces["C1"], "0406")
    lower_id_of_movers(at, [forces["C1"], forces["C2"]])
    start_impulse(at)
    compare(request, reports(at))


@pytest.mark.rule("pq17", "6.2.2", "12.2.2", "12.4.1", "12.3.6")
def test_minefields_are_met_and_missed(request: Request) -> None:
    """The Alliance meets one minefield, and comes back where another was; its own gives it a contact."""
    fields = "mines 0405 coalition 4\nmines 0606 coalition 2 ID1\nmines 0707 alliance 2\n"
    at = notation.table(repair.mined(fields + "A1 0405 CL\nA2 0606 CL\nC1 0707 CL"))
    announce_detections(at)
    del at.state.mines.fields[field_key("coalition", "0606")]
    announce_detections(at)
    compare(request, reports(at))


@pytest.mark.rule("pq17", "6.2.2", "6.2.3", "6.2.4", "6.2.5", "6.2.6", "6.2.7")
def test_what_each_level_reveals(request: Request) -> None:
    """A force of three ships, one without fuel and one a scout; and a base that nobody knows."""
    state = notation.world("C1 0405 CA+DD[fuel=0]+SC+FF#2 speed IC\nC9 0303 BATS base Lair LC1")
    found: list[str] = []
    for tf_id in ("C1", "C9"):
        for level in (IdLevel.U, IdLevel.ID0, IdLevel.ID1, IdLevel.ID2, IdLevel.ID3, IdLevel.ID4):
            found += [f"{tf_id} at {level.label}:", *contact_details(state, state.task_forces[tf_id], level)]
    compare(request, found)


@pytest.mark.rule("pq17", "6.2.7")
def test_a_damaged_unit_at_id4(request: Request) -> None:
    """A crippled cruiser with destroyed boxes of which no count is kept."""
    state = notation.world("C1 0405 CA[crippled=yes,warp=10,probes=1]")
    state.units["C1.CA"].repairs = state.units["C1.CA"].repairs.with_values(damage={"hull": 3, "shield": 2})
    compare(request, [*contact_details(state, state.task_forces["C1"], IdLevel.ID4)])


@pytest.mark.rule("pq17", "1.8.12.5")
def test_modules_are_lost_with_the_boxes_they_fill(request: Request) -> None:
    """Two modules of twelve boxes each, and room for one of them left."""
    state = site("A1 0405 TG+MP#2+CB+PM#2 logistics speed 0")
    for one in ("A1.PM", "A1.PM2"):
        state.units[one].carried_by = "A1.CB"
    state.units["A1.CB"].module_boxes = 12
    at = notation.table(state)
    lose_modules(at, state.units["A1.CB"])
    compare(request, reports(at))


@cases("fate, boxes, left")
def test_as_many_modules_stay_as_their_boxes_hold_and_none_of_a_destroyed_ship(
    fate: Literal["in play", "destroyed"], boxes: int, left: int
) -> None:
    """The smallest module there can be takes one box."""
    state = site("A1 0405 TG+MP#2+CB+PM#2 logistics speed 0")
    state.classes["PM"] = state.classes["PM"].model_copy(update={"cargo_size": 1})
    carrier, modules = state.units["A1.CB"], [state.units[one] for one in ("A1.PM", "A1.PM2")]
    for module in modules:
        module.carried_by = carrier.id
    carrier.fate, carrier.module_boxes = fate, boxes
    lose_modules(notation.table(state), carrier)
    assert sum(module.fate == "in play" for module in modules) == left
