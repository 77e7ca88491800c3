"""What the others must not learn: worlds that differ only in one side's secrets look alike to everybody else."""

from collections.abc import Callable

import pytest

from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.records import tacintel
from rules_engine.rulebooks.cutler.records.state import CutlerState
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import cases
from tests.rulebooks.cutler.worlds import Run, sees, table_of, world

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


def turn(change: Callable[[CutlerState], object] | None = None, text: str = BASE, **answers: object) -> Run:
    """A whole turn. ``answers`` are named ``kind_side``."""
    state = world(text)
    if change is not None:
        change(state)
    table: TurnContext[CutlerState] = table_of(state, {"mission": [1] * 20})
    scripted = {tuple(name.split("_", 1)): value for name, value in answers.items()}
    return Run(table, turn_steps(table), scripted)


def alike(one: Run, other: Run, *sides: str) -> None:
    """Everything that reaches these sides is the same, byte for byte."""
    for side in sides:
        assert sees(one.table, one.asks, side) == sees(other.table, other.asks, side)


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


@pytest.mark.rule("cutler", "6.2", "6.4")
def test_allocations_are_unseen():
    one = turn(turn_lyran={"economy": {"reserve": 100}})
    other = turn(turn_lyran={"economy": {"reserve": 5, "pool": 10}, "H0902": {"cargo": 50}, "counter": {"points": 50}})
    alike(one, other, "hydran", "klingon")


@pytest.mark.unseen("cutler", reports=("espionage",), asks=("turn",))
@pytest.mark.rule("cutler", "6.4", "6.5.1")
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


def test_how_a_mission_went_is_unseen_by_a_victim_that_did_not_counter():
    texts: list[Run] = []
    for die in (1, 6):
        turn = table_of(world(BASE), {"mission": [die] * 9})
        texts.append(Run(turn, turn_steps(turn), {("turn", "hydran"): {"M1": mission("base", None)}}))
    alike(texts[0], texts[1], "lyran", "klingon")


@pytest.mark.rule("cutler", "6.4.1.8")
def test_counter_intelligence_between_two_is_unseen_by_the_third():
    spy = {"M1": mission("base", None), "M2": mission("base", None)}
    one = turn(turn_hydran=spy, turn_lyran={"counter": {"points": 40}})
    other = turn(
        turn_hydran=spy,
        turn_lyran={"counter": {"points": 40}},
        counter_lyran=[{"counter": {"points": 25}}, {"counter": {"points": 15}}],
    )
    alike(one, other, "klingon")


def test_a_victims_asks_do_not_number_the_others_missions():
    # The Klingon is the victim of the second line of a sheet in one world and by the only one in the other.
    spied = mission("base", None, "klingon")
    one = turn(turn_hydran={"M1": mission("base", None), "M2": spied}, turn_klingon={"counter": {"points": 20}})
    other = turn(turn_hydran={"M1": spied}, turn_klingon={"counter": {"points": 20}})
    alike(one, other, "klingon")


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
        steps = turn_steps(turn)
        batch = next(steps)
        ends.append(sees(turn, list(batch.asks), "hydran"))
    assert ends[0] == ends[1]


@pytest.mark.rule("cutler", "2.6", "2.6.2")
@pytest.mark.parametrize("ships", ["CW", "DN+CA+CA+FF", "PF"])
def test_a_counter_does_not_tell_what_is_under_it(ships):
    alike(turn(), turn(text=BASE.replace("lyran F2 0504 CW", f"lyran F2 0504 {ships}")), "hydran", "klingon")


@pytest.mark.rule("cutler", "2.6.1")
def test_bases_police_and_damage_are_unseen():
    text = BASE.replace("lyran base 0902 Station\n", "lyran police 0902\n").replace("CC+FF", "CC+FF[warp=7]")
    alike(turn(), turn(text=text), "hydran", "klingon")


def test_how_a_race_groups_its_fleets_is_unseen():
    text = BASE.replace("lyran F1 0902 CC+FF", "lyran F1 0902 CC\nlyran F3 0902 FF")
    alike(turn(), turn(text=text), "hydran", "klingon")


def test_the_names_of_units_are_unseen():
    def rename(state: CutlerState) -> None:
        for unit in state.alive("lyran"):
            unit.name = f"Secret {unit.name}"

    alike(turn(), turn(rename), "hydran", "klingon")


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


@pytest.mark.rule("cutler", "3.1.3")
def test_s1_to_s5_do_not_tell_names_damage_or_missions():
    one = meeting(MEET.replace("CC+FF", "CC[warp=9]+SC"))
    alike(meeting(), one, "hydran", "klingon")


@pytest.mark.unseen("cutler", reports=("battle",), asks=("flank", "battle"))
@pytest.mark.rule("cutler", "3.7.8")
def test_flanking_is_unseen_by_the_enemy():
    one = meeting(card_lyran=FIGHT)
    other = meeting(card_lyran=FIGHT, flank_lyran={"lyran-F1-FF": {"group": 1}})
    alike(one, other, "hydran", "klingon")


def test_earlier_damage_is_unseen_on_the_battle_sheet_and_its_form():
    one = meeting(card_lyran=FIGHT)
    other = meeting(MEET.replace("CC+FF", "CC[warp=9]+FF"), card_lyran=FIGHT)
    alike(one, other, "hydran", "klingon")


@pytest.mark.unseen("cutler", reports=("battle", "movement"), asks=("battle",))
def test_where_the_enemy_must_retreat_is_unseen():
    out = {
        "H1": {"fate": "intact"},
        "H2": {"fate": "intact"},
        "L1": {"fate": "disengaged"},
        "L2": {"fate": "disengaged"},
    }
    one = meeting(MEET.replace("CC+FF", "CC[from=0304]+FF[from=0304]"), card_lyran=FIGHT, battle_=out)
    other = meeting(MEET.replace("CC+FF", "CC[from=0405]+FF[from=0405]"), card_lyran=FIGHT, battle_=out)
    alike(one, other, "hydran", "klingon")


def test_no_units_id_reaches_another_race():
    run = meeting(card_lyran=FIGHT, wave_lyran=[{"wave": {"ships": ["lyran-F1-FF"]}}])
    seen = sees(run.table, run.asks, "hydran")
    assert "lyran-F1" not in seen


def test_a_missions_die_may_be_shown_to_its_spy_alone():
    run = turn(turn_hydran={"M1": mission("base", None)})
    dice = [roll for roll in run.table.shared.rolls if roll.purpose == "mission"]
    assert [roll.seen_by for roll in dice] == [frozenset({"hydran"})]


def test_a_side_sees_its_own_fleets_once_and_the_others_as_counters():
    state = world(MEET)
    board = RULEBOOK.side_board(state, "hydran", Knowledge())
    assert [(c.id, c.owner, c.hex, c.level) for c in board.counters] == [
        ("F1", "hydran", "0404", None),
        ("lyran@0404", "lyran", "0404", 0),
        ("klingon@0708", "klingon", "0708", 0),
    ]


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
