"""How a race came to know what its reports tell of others: by kind and rule, and what is in no dossier."""

from typing import Any

import pytest

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.dossiers.ages import ago
from rules_engine.core.knowledge.dossiers.files import dossier_of
from rules_engine.core.knowledge.reports import EVERYBODY, Lost, MapNote, Report, Sighted, because
from rules_engine.core.knowledge.views import Board
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.boards import public_board, side_board
from rules_engine.rulebooks.cutler.ch06_espionage.espionage import FILE
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.records.parts.missions import Mission
from tests.expected.kept import Kept
from tests.rulebooks.cutler.worlds import table_of, world

BOARD = Board(
    campaign="C",
    rulebook="cutler",
    heading="",
    when=When(turn=3),
    sides=tuple(
        SideLabel(key=key, name=name, emblem=name[0])
        for key, name in (("hydran", "Hydran"), ("lyran", "Lyran"), ("klingon", "Klingon"), ("isc", "ISC"))
    ),
    grid=Grid(columns=12, rows=10),
)
BOTH = ("hydran", "lyran", "klingon")


def report(kind: str, text: str, rule: str, to: tuple[str, ...] = ("hydran",), facts: Any = ()) -> Report:
    why = because(rule) if rule else None
    return Report(number=1, place="x", when=When(turn=2, step=30), to=to, kind=kind, text=text, why=why, facts=facts)


def learned(*args: Any, **more: Any) -> list[tuple[str, str, str, str, str]]:
    """What the Hydran learns: of each entry whose it is, what of, from where, how surely and where."""
    found = RULEBOOK.learned(report(*args, **more), "hydran", BOARD)
    return [(one.about, one.subject, one.source, one.confidence, one.hex) for one in found]


def seen(track: str = "C1", owner: str = "lyran") -> Sighted:
    return Sighted(track=track, hex="0605", owner=owner, headline="2 Lyran units", level=5, level_name="S1-S5")


class TestContacts:
    @pytest.mark.parametrize(
        ("kind", "rule", "source"),
        [
            ("contact", "3.1.3, CU-R48", "own eyes"),
            ("contact", "8.4, CU-R118", "scan"),
            ("scan", "8.4, CU-R118", "scan"),
            ("intelligence", "6.4.1.6", "spy mission"),
        ],
    )
    def test_by_what_told_them(self, kind: str, rule: str, source: str):
        assert learned(kind, "x", rule, facts=(seen(),)) == [("lyran", "C1", source, "partial", "0605")]

    def test_that_are_lost(self):
        assert learned("contact", "x", "", facts=(Lost(track="C1"),)) == [("", "C1", "own eyes", "certain", "")]


class TestMissions:
    def found(self, kind: Any, said: str, text: str, target: str = "0902") -> Any:
        """The dossier of the Hydran, one of whose missions has found something in this world."""
        turn = table_of(world(f"planet capital 0205 hydran\nplanet capital 0902 lyran\nhydran F1 0404 CA\n{text}"))
        mission = Mission(
            line="M1", spy="hydran", kind=kind, against="lyran", target=target, aimed="hex", said=said, ip=20
        )
        report_success(turn, mission, FILE)
        state, told = turn.state, turn.shared.reports
        board = side_board(state, "hydran", turn.knowledge("hydran"))
        return dossier_of(RULEBOOK, "hydran", board, told, open_map=public_board(state))

    def test_what_spies_located_is_a_finding_and_a_contact(self):
        dossier = self.found("location", "hex 0605", "lyran F1 0605 CA+DD", target="0605")
        told = [
            (
                one.subject,
                one.latest.text,
                one.latest.details,
                one.latest.source,
                one.latest.confidence,
                one.latest.rule,
            )
            for one in dossier.about("lyran")
            if not one.is_on_the_open_map
        ]
        words = "Location Detection: 2 Lyran units (size 3: CA; size 4: DD)."
        assert told == [
            ("C1", "2 Lyran units, S1-S5", ("size 3: CA", "size 4: DD"), "spy mission", "partial", "6.4.1.6"),
            ("hex 0605", words, (), "spy mission", "certain", "6.4.1.6"),
        ]
        assert dossier.about("klingon") == ()

    def test_what_they_counted_in_a_hold_is_of_that_hex(self):
        (found, *_) = self.found("resources", "hex 0902", "lyran F1 0902 CA").about("lyran")
        assert (found.subject, found.latest.text) == ("hex 0902", "Resource Check: 0 CPV in cargo and repair boxes.")
        assert (found.latest.hex, found.latest.rule) == ("0902", "6.4.1.9")

    def test_what_they_saw_of_a_planet_stands_with_what_everybody_sees_of_it(self):
        dossier = self.found("minefield", "hex 0902", "lyran F1 0902 CA")
        first = dossier.about("lyran")[0]
        assert (first.subject, first.latest.source) == ("hex 0902", "spy mission")
        assert [one.subject for one in dossier.files if one.is_on_the_open_map]

    def test_a_mission_that_failed_found_nothing(self):
        text = "M1, Location Detection against the Lyran (hex 0605): failed."
        noted = MapNote(topic=FILE, text=f"Turn 2: {text}")
        assert learned("intelligence", text, "6.5.2, CU-R106, 6.4.1.6", facts=(noted,)) == []

    def test_spies_of_others_who_are_announced_are_known_of_their_race(self):
        text = "A Lyran spy attempts Location Detection on hex 0205."
        assert learned("espionage", text, "6.5.1") == [("lyran", "spies", "intelligence", "certain", "0205")]
        assert learned("espionage", "An ISC spy attempts Base Plans on your bases.", "6.5.1") == [
            ("isc", "spies", "intelligence", "certain", "")
        ]

    @pytest.mark.parametrize(
        ("text", "rule", "to"),
        [
            ("Espionage order: Lyran, Hydran, Klingon.", "6.5.1", EVERYBODY),
            ("M1, Base Plans against the Lyran (x): succeeded.", "6.5.2, CU-R106, 6.4.1.5", ("hydran",)),
            ("Your 10 points against Base Plans are lost: it succeeded.", "6.5.2, CU-R107", ("hydran",)),
        ],
    )
    def test_the_course_of_espionage_is_no_knowledge(self, text: str, rule: str, to: tuple[str, ...]):
        assert learned("espionage", text, rule, to=to) == []


class TestBattles:
    def test_its_end_is_known_of_all_others_who_were_told_it(self):
        text = "The battle in 0605 is over. H1 Anvil: intact; L1 Yakback: destroyed."
        battle = ("battle in 0605", "battle", "certain", "0605")
        assert learned("battle", text, "3.4, 3.4.5", to=("hydran", "lyran")) == [("lyran", *battle)]
        assert learned("battle", text, "3.4, 3.4.5", to=BOTH) == [("lyran", *battle), ("klingon", *battle)]

    @pytest.mark.parametrize("rule", ["3.3.3, CU-R49", "3.3.4, CU-R49", "3.5.10, CU-R49"])
    def test_a_glance_within_it_is_known_of_whose_units_are_named(self, rule: str):
        text = "Escape wave 1 in 0605: 3 Lyran and ISC units (size 3: CA; size 4: DD ×2)."
        found = learned("combat", text, rule)
        assert found == [(one, "battle in 0605", "battle", "certain", "0605") for one in ("lyran", "isc")]

    @pytest.mark.parametrize(
        ("kind", "text", "rule", "to"),
        [
            ("battle", "Battle in 0605. The Hydran sets up first.", "3.4.3", ("hydran", "lyran")),
            ("combat", "Cards in 0605: Hydran combat; Lyran bypass.", "3.1.1, 3.1.2", ("hydran", "lyran")),
            ("combat", "Nobody of the Lyran is at the base 1 of the Hydran in 0605.", "3.3.3", ("hydran",)),
            ("economy", "Lyran, 0605: 3 Lyran units (x)", "4.1", ("hydran",)),
            ("scan", "Lyran scan of 0605: 3.", "8.7, CU-R119", EVERYBODY),
        ],
    )
    def test_its_course_is_on_its_own_sheets(self, kind: str, text: str, rule: str, to: tuple[str, ...]):
        assert learned(kind, text, rule, to=to) == []


def test_ages_are_counted_in_six_impulses(kept: Kept):
    now = When(turn=3, step=20)
    before = ((3, 20), (3, 10), (3, 2), (2, 60), (2, 30), (2, 20), (1, 60))
    said = [ago(now, When(turn=turn, step=step), RULEBOOK.turn_parts) for turn, step in before]
    assert said == kept()
