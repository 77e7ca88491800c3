"""What the others must not learn, by worlds that differ in one side's secrets, and how a race knows what it learnt."""

from collections.abc import Callable
from typing import Any

import pytest

from rules_engine.core.basics.base import SideLabel, When
from rules_engine.core.grids.hexes import Grid
from rules_engine.core.knowledge.dossiers.ages import ago
from rules_engine.core.knowledge.dossiers.files import dossier_of
from rules_engine.core.knowledge.reports import EVERYBODY, Lost, MapNote, Report, Sighted, because
from rules_engine.core.knowledge.views import Board, Knowledge
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.boards import public_board, side_board
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch06_espionage.espionage import FILE
from rules_engine.rulebooks.cutler.ch06_espionage.missions import report_success
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.parts.missions import Mission
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.worlds import Run, alike, sees, table_of, world

BASE = """
turn 0
planet capital 0205 hydran throne
planet capital 0902 lyran den
planet capital 0908 klingon hearth
hydran F1 0205 CA+DD
hydran F2 0303 SC+FF
lyran F1 0902 CC+FF
lyran F2 0504 CW
lyran base 0902 Station
klingon F1 0908 CW
klingon F2 0606 DD
reserve hydran 100
reserve lyran 100
reserve klingon 100
"""


def turn(
    change: Callable[[CutlerState], object] | None = None, text: str = BASE, die: int = 1, **answers: object
) -> Run:
    """A whole turn. ``answers`` are named ``kind_side``."""
    state = world(text)
    if change is not None:
        change(state)
    table: TurnContext[CutlerState] = table_of(state, {"mission": [die] * 20})
    scripted = {tuple(name.split("_", 1)): value for name, value in answers.items()}
    return Run(table, turn_steps(table), scripted)


def mission(kind: str, target: str | None, against: str = "lyran", ip: int = 30) -> dict[str, object]:
    return {"kind": kind, "against": against, "other": target, "ip": ip}


def set_(race: str, **fields: object) -> Callable[[CutlerState], object]:
    return lambda state: [setattr(state.empires[race], name, value) for name, value in fields.items()]


def test_the_comparison_can_fail():
    one, other = turn(), turn(set_("lyran", reserve=200))
    assert sees(one.table, one.asks, "lyran") != sees(other.table, other.asks, "lyran")


@pytest.mark.unseen("cutler", reports=("economy",), asks=("turn",))
@pytest.mark.rule("cutler", "6.3", "4.4.1")
@pytest.mark.parametrize("secret", [{"reserve": 250}, {"base_pool": 77}, {"cards": "combat"}, {"last_income": 5}])
def test_treasuries_and_standing_orders_are_unseen(secret):
    alike(turn(), turn(set_("lyran", **secret)), "hydran", "klingon")


def renamed(state: CutlerState) -> None:
    for unit in state.alive("lyran"):
        unit.name = f"Secret {unit.name}"


@cases("case, proves, one, other, sides")
def test_what_one_race_does_is_alike_to_others(one: str, other: str, sides: str) -> None:
    alike(evaluated(one, globals()), evaluated(other, globals()), *sides.split())


@pytest.mark.unseen("cutler", reports=("espionage",), asks=("turn",))
@cases("sheet")
def test_missions_between_two_are_unseen_by_the_third(sheet):
    alike(turn(), turn(turn_hydran=sheet), "klingon")


@pytest.mark.rule("cutler", "6.5.1")
def test_a_mission_is_seen_by_its_victim():
    one, other = turn(), turn(turn_hydran={"M1": mission("base", None)})
    assert sees(one.table, one.asks, "lyran") != sees(other.table, other.asks, "lyran")


@pytest.mark.unseen("cutler", reports=("espionage", "intelligence"), asks=("counter",))
@pytest.mark.rule("cutler", "6.5.1")
def test_how_many_points_a_mission_has_is_unseen_by_its_victim():
    one = turn(turn_hydran={"M1": mission("base", None, ip=10)}, turn_lyran={"counter": {"points": 40}})
    other = turn(turn_hydran={"M1": mission("base", None, ip=100)}, turn_lyran={"counter": {"points": 40}})
    alike(one, other, "lyran", "klingon")


@pytest.mark.rule("cutler", "2.2", "2.6")
def test_plots_that_are_not_flown_yet_are_unseen():
    def course(state: CutlerState) -> None:
        # The chart gives a monitor no move before impulse 3, so what it will do is unknown until then.
        state.fleet("lyran", "F3").course = ["0803"]

    text = BASE + "lyran F3 0802 MON\n"
    ends: list[str] = []
    for change in (None, course):
        state = world(text)
        if change:
            change(state)
        turn = table_of(state)
        ends.append(sees(turn, list(next(turn_steps(turn)).asks), "hydran"))
    assert ends[0] == ends[1]


# --- meetings --------------------------------------------------------------------------------------------------------
MEET = "turn 1 impulse 3\nhydran F1 0404 CA+DD\nlyran F1 0404 CC+FF\nklingon F1 0708 CW\n"


def meeting(text: str = MEET, **answers: object) -> Run:
    turn = table_of(world(text))
    scripted = {tuple(name.split("_", 1)): value for name, value in answers.items()}
    return Run(turn, combat_phase_steps(turn.at("combat")), scripted)


FIGHT = {"force": {"card": "combat"}}


@pytest.mark.rule("cutler", "3.1.1")
def test_cards_are_unseen_until_all_are_shown():
    run = meeting(card_lyran=FIGHT)
    asks = [ask for ask in run.asks if ask.kind == "card"]
    # Both were asked in one batch, before anything of the cards was told.
    assert len(asks) == 2
    for side in ("hydran", "lyran"):
        assert [one.kind for one in run.told(side)][:2] == ["contact", "combat"]


@pytest.mark.unseen("cutler", reports=("combat", "contact"), asks=("card", "wave"))
def test_a_meeting_of_two_is_unseen_by_the_third():
    quiet, loud = meeting(), meeting(card_lyran=FIGHT)
    alike(quiet, loud, "klingon")
    assert sees(loud.table, loud.asks, "klingon").count("Lyran F1") == 0


@pytest.mark.unseen("cutler", reports=("battle",), asks=("flank", "battle"))
@pytest.mark.rule("cutler", "3.7.8")
def test_flanking_is_unseen_by_the_enemy():
    one = meeting(card_lyran=FIGHT)
    alike(one, meeting(card_lyran=FIGHT, flank_lyran={"lyran-F1-FF": {"group": 1}}), "hydran", "klingon")


@pytest.mark.unseen("cutler", reports=("battle", "movement"), asks=("battle",))
def test_where_the_enemy_must_retreat_is_unseen():
    out = {key: {"fate": "intact" if key[0] == "H" else "disengaged"} for key in ("H1", "H2", "L1", "L2")}
    one = meeting(MEET.replace("CC+FF", "CC[from=0304]+FF[from=0304]"), card_lyran=FIGHT, battle_=out)
    other = meeting(MEET.replace("CC+FF", "CC[from=0405]+FF[from=0405]"), card_lyran=FIGHT, battle_=out)
    alike(one, other, "hydran", "klingon")


def test_no_units_id_reaches_another_race():
    run = meeting(card_lyran=FIGHT, wave_lyran=[{"wave": {"ships": ["lyran-F1-FF"]}}])
    assert "lyran-F1" not in sees(run.table, run.asks, "hydran")


def test_a_missions_die_may_be_shown_to_its_spy_alone():
    run = turn(turn_hydran={"M1": mission("base", None)})
    dice = [roll for roll in run.table.shared.rolls if roll.purpose == "mission"]
    assert [roll.seen_by for roll in dice] == [frozenset({"hydran"})]


def test_a_side_sees_its_own_fleets_once_and_the_others_as_counters(kept: Kept):
    board = RULEBOOK.side_board(world(MEET), "hydran", Knowledge())
    assert [(c.id, c.owner, c.hex, c.level) for c in board.counters] == kept()


def test_a_held_contact_takes_the_place_of_its_counter_and_ages_when_it_is_gone():
    run = meeting()
    board = RULEBOOK.side_board(run.table.state, "hydran", run.table.knowledge("hydran"))
    seen = [(c.id, c.hex, c.level_name, c.grade) for c in board.counters if c.owner == "lyran"]
    assert seen == [("C1", "0404", "S1-S5", 2)]
    run.table.state.units["lyran-F1-CC"].hex = run.table.state.units["lyran-F1-FF"].hex = "0505"
    run.table.state.turn = 3
    tacintel.fade(run.table)
    board = RULEBOOK.side_board(run.table.state, "hydran", run.table.knowledge("hydran"))
    seen = [(c.id, c.hex, c.live, c.age) for c in board.counters if c.owner == "lyran"]
    assert seen == [("lyran@0505", "0505", True, 0), ("C1", "0404", False, 2)]


# --- dossiers --------------------------------------------------------------------------------------------------------
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
    @cases("kind, rule, source", "")
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

    def test_what_spies_located_is_a_finding_and_a_contact(self, kept: Kept):
        dossier = self.found("location", "hex 0605", "lyran F1 0605 CA+DD", target="0605")
        found = [one for one in dossier.about("lyran") if not one.is_on_the_open_map]
        latest = [(one.subject, one.latest.text, one.latest.details) for one in found]
        assert latest == kept()
        assert [one.latest.confidence for one in found] == ["partial", "certain"]
        assert {(one.latest.source, one.latest.rule) for one in found} == {("spy mission", "6.4.1.6")}
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


class TestBattles:
    def test_its_end_is_known_of_all_others_who_were_told_it(self):
        text = "The battle in 0605 is over. H1 Anvil: intact; L1 Yakback: destroyed."
        battle = ("battle in 0605", "battle", "certain", "0605")
        assert learned("battle", text, "3.4, 3.4.5", to=("hydran", "lyran")) == [("lyran", *battle)]
        assert learned("battle", text, "3.4, 3.4.5", to=BOTH) == [("lyran", *battle), ("klingon", *battle)]

    @pytest.mark.parametrize("rule", ["3.3.3, CU-R49", "3.3.4, CU-R49", "3.5.10, CU-R49"])
    def test_a_glance_within_it_is_known_of_whose_units_are_named(self, rule: str):
        found = learned("combat", "Escape wave 1 in 0605: 3 Lyran and ISC units (size 3: CA; size 4: DD ×2).", rule)
        assert found == [(one, "battle in 0605", "battle", "certain", "0605") for one in ("lyran", "isc")]


@cases("kind, text, rule, to")
def test_the_course_of_battles_and_espionage_is_no_knowledge(kind: str, text: str, rule: str, to: str):
    assert learned(kind, text, rule, to=EVERYBODY if to == "everybody" else tuple(to.split())) == []


def test_ages_are_counted_in_six_impulses(kept: Kept):
    now = When(turn=3, step=20)
    before = ((3, 20), (3, 10), (3, 2), (2, 60), (2, 30), (2, 20), (1, 60))
    assert [ago(now, When(turn=turn, step=step), RULEBOOK.turn_parts) for turn, step in before] == kept()
