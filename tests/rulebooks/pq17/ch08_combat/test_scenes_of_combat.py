"""Combat steps written down whole: sheets, read-backs and reports from the attack to what follows the battle."""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch08_combat import attack, raid_forces, raid_tables
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.written_scenes import heard, refused, scene, sheet
from tests.rulebooks.pq17.worlds.battles import NOW, account, at_battle, battle_asks, won_by
from tests.rulebooks.pq17.worlds.notation import table, world
from tests.rulebooks.pq17.worlds.repair import mined
from tests.rulebooks.pq17.worlds.special_conditions import special_world
from tests.rulebooks.written_texts import compare

# --- scenes of raids --------------------------------------------------------------------------------------------------
Request = pytest.FixtureRequest
HERE = "1719"
USUAL = ("attack", "power", "battle", "reform")
RAID = {"attack coalition": [{"C1": {"target": f"settled {HERE}"}}]}
RELIEF = {"attack alliance": [{"A1": {"target": "E1"}}]}
FRIGATE = f"A1 {HERE} FF speed 1\n"


def raid_world(text: str = "", *, raiders: str = "CA") -> State:
    """A raider in a settled hex that it holds at ID2, as its owner holds the raider."""
    here = f"C1 {HERE} {raiders} speed 1 ID2\n{text}settled {HERE} alliance Meridian\n"
    state = special_world(here + "turn 2 impulse 1 half A initiative coalition", bases="")
    state.settled[HERE].empire = "Federation"
    state.settled[HERE].id_level = IdLevel.ID2
    return state


def raiding(state: State, **labels: int) -> TurnContext[State]:
    """A turn context with rolls by what they are for."""
    return at_battle(state, conditions="good", **{key.replace("_", " "): roll for key, roll in labels.items()})


def raided(state: State, sheets: dict[str, list[Any]], **labels: int) -> list[str]:
    """The Coalition's combat step, with rolls by what they are for (``_`` is a blank)."""
    at = raiding(state, **labels)
    return scene(at, attack.combat_steps(at, "coalition"), sheets, brief=USUAL, unread=("contact",))


@pytest.mark.rule("pq17", "C.raid.note3", "8.6.2.6", "C.vp.11")
def test_a_raid_that_nobody_opposes(request: Request) -> None:
    compare(request, raided(raid_world(), RAID, raid_table=41))


@pytest.mark.rule("pq17", "C.raid.note2", "C.raid.note4", "C.raid.convoy-and-base", "8.6.2.5", "C.raid.note5")
def test_a_raid_opposed_by_a_convoy_succeeds(request: Request) -> None:
    buys = [{"convoy 1": {"refits": ["skids"]}}]
    sheets = RAID | RELIEF | {"local refits alliance": buys, "battle": [won_by("coalition", 3)]}
    compare(request, raided(raid_world(FRIGATE), sheets, raid_table=1, convoy_category=50, convoy_type=45))


@pytest.mark.rule("pq17", "C.raid.note3", "C.raid.note6", "C.raid.federation", "C.raid.convoy-and-base")
def test_a_raid_opposed_by_a_base_and_local_defence_fails(request: Request) -> None:
    """The raiders are worth 200 and the explicit defender 100, so local defence may be worth 100."""
    labels = {"base_category": 1, "base_type": 5, "local_defence_category": 1, "local_defence_type": 1}
    state = raid_world(FRIGATE, raiders="CA#2")
    named: list[str] = []

    def account(filled: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        named.extend(tf.label for tf in state.all_task_forces("alliance"))
        return won_by("alliance", 3)(filled)

    sheets = RAID | RELIEF | {"battle": [account]}
    compare(request, raided(state, sheets, raid_table=91, convoy_category=91, convoy_type=1, **labels))
    assert named == ["A1", "A2 local forces", "A3 local base"]


@pytest.mark.rule("pq17", "C.raid.note6")
def test_picks_and_refits_that_are_refused(request: Request) -> None:
    labels = {"base_category": 1, "base_type": 5, "local_defence_category": 1, "local_defence_type": 1}
    at = raiding(raid_world(FRIGATE, raiders="CA#2"), raid_table=91, convoy_category=50, convoy_type=45, **labels)
    steps = attack.combat_steps(at, "coalition")
    answers: list[Any] = [RAID["attack coalition"][0], RELIEF["attack alliance"][0]]
    (ask,) = next(steps).asks
    while ask.kind == "attack":
        (ask,) = steps.send({ask.id: ask.answer_from(answers.pop(0))}).asks
    wrong = [{"pick": {"type": "GCA"}}, {"pick": {"type": "CL"}}, {"take": {"type": "GDD"}}]
    assert ask.id.endswith("/raid/local defence/pick 1/local force/alliance")
    lines = [f"== {ask.title}", *refused(ask, wrong)]
    while ask.kind == "local force":
        (ask,) = steps.send({ask.id: ask.default}).asks
    wrong = [
        {"convoi 3": {"refits": ["skids"]}},
        {"convoy 3": {"refits": ["skid"]}},
        {"convoy 3": {"refits": ["skids", "skids"]}},
        {f"convoy {number}": {"refits": ["skids"]} for number in range(3, 8)},
    ]
    lines += [f"== {ask.title}", *sheet(ask.form), *refused(ask, wrong)]
    compare(request, [*lines, *ask.read_back(ask.answer_from({"convoy 3": {"refits": []}}))])


@pytest.mark.rule("pq17", "C.raid.convoy-and-base", "C.raid.federation", "C.raid.kzinti", "C.raid.note6")
@cases("part, number, said")
def test_what_is_told_of_each_category_of_local_forces(part: str, number: int, said: str) -> None:
    """By the first number of each category. A convoy without a limit of value; local defence within 50, whose further
    units are police."""
    empire = part.rpartition(" ")[2] if part != "convoy" else "Federation"
    meeting = raid_tables.Meeting(1, 100, (1 if part == "convoy" else 15, 1000), local_defense=part != "convoy")
    muster = raid_forces.Muster("alliance", HERE, empire, meeting, Fraction(50), Fraction(0))
    at = table(raid_world(), number, 1, *[40, 50] * 12)
    found = scene(at, raid_forces.muster_steps(at, muster), brief=("local force", "local refits"))
    first = next(line for line in found if line.startswith("Alliance and Coalition, raid"))
    assert first.partition(": ")[2] == said


FAILS = {"main roll": 99}
ATTACK = {"attack alliance": [{"A1": {"target": "E1"}}]}


def played(at: TurnContext[State], *brief: str, **sheets: list[Any]) -> list[str]:
    """The combat step of the Alliance's half, A1 attacking E1 unless ``sheets`` say otherwise; ``_`` is a blank."""
    given = ATTACK | {key.replace("_", " "): one for key, one in sheets.items()}
    return scene(at, attack.combat_steps(at, "alliance"), given, brief=("battle", *brief))


LEFT = account("alliance", 4, AT1="ok", AT2="ok", DF1=1, DF2={"fate": "disengaged", "turn": 4, "warp": 10, "awr": 0})
TWO_FORCES = {"C1.CA": {"force": 1}, "C1.DD": {"force": 2}, "force 1": {"speed": "2"}, "force 2": {"speed": "1"}}
TWO_PURSUERS = {"A1.CA": {"force": 1}, "A1.DD": {"force": 2}}


def pursuing(*orders: dict[str, str]) -> dict[str, Any]:
    """A sheet of two pursuers with these orders."""
    return TWO_PURSUERS | {f"force {number}": line for number, line in enumerate(orders, start=1)}


@cases("case, proves, name, forces, options, brief, sheets", "", made="sheets")
def test_combat_steps(
    request: Request, *, name: str, forces: str, options: dict[str, int], brief: str, sheets: dict[str, list[Any]]
) -> None:
    """The Alliance's half; ``options`` are other dice than those with which every attempt succeeds."""
    at = at_battle(world(forces + NOW), **options)
    compare(request, played(at, *brief.split(), **sheets), name)


@pytest.mark.rule("pq17", "12.6.3.1", "8.4.2")
def test_a_minefield_to_sweep(request: Request) -> None:
    state = mined("mines 0405 coalition 4 ID1\nA1 0405 MS speed 2 U\nA2 0405 MS+CL speed 2 U\nC1 0405 CL speed 1 ID0")
    state.set_mark(state.task_forces["A2"], "attempted_attack")
    state.task_forces["A2"].posture = state.task_forces["A2"].posture.with_values(logistics=False)
    compare(request, played(at_battle(state, **FAILS), attack_alliance=[{"A1": {"target": "E2"}}]))


# --- surprise, power and the account ----------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "8.5.5.6", "8.5.4.1", "9.8")
def test_the_result_form_of_many_kinds_of_units(request: Request) -> None:
    """A scout, a cruiser with boxes off, a freighter, a tug and a base; every field that a unit can have."""
    text = "A9 0405 BATS base Haven known LC1\nA1 0405 SC+CA[fuel=10]+FT+TUG port A9"
    text += "\nC1 0405 CA[crippled=yes]+CW speed 1 U"
    at = at_battle(world(text + NOW.replace("initiative alliance", "initiative coalition")))
    hurt = {"fate": "ok", "special_sensors": 1, "sensors": 0, "probes": 2, "crippled": True}
    prize = {"fate": "captured", "crippled": True, "warp": 3}
    result = account("alliance", 5, AT1="destroyed", AT2=prize, DF1="ok", DF2="ok", DF3="ok", DF4=hurt, DF5="ok")
    sheets = {"attack coalition": [{"C1": {"target": "Haven"}}], "battle": [result]}
    compare(request, scene(at, attack.combat_steps(at, "coalition"), sheets))


@pytest.mark.rule("pq17", "8.5.3", "8.5.3.1", "T7")
@cases("forces, conditions, said")
def test_what_surprise_depends_on(forces: str, conditions: str, said: list[str]) -> None:
    """Cloaked attackers in the four local conditions, passive ones on a passive defender, and a scout's warning."""
    at = at_battle(world(forces + NOW), conditions=conditions, surprise=8)
    next(battle_asks(at, ATTACK))
    (report,) = [one for one in at.shared.reports if "the defenders are" in one.text]
    assert list(heard(at, report)) == said
