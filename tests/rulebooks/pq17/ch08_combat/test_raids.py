"""Chapter 8.6: raids on settled hexes, their tables, and the forces raised against them."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch06_reconnaissance.attempt import conditions_between, quarry_of, seeker_of
from rules_engine.rulebooks.pq17.ch06_reconnaissance.declarations import targets_of
from rules_engine.rulebooks.pq17.ch06_reconnaissance.step import reconnaissance_steps
from rules_engine.rulebooks.pq17.ch08_combat import attack as ch08_attack
from rules_engine.rulebooks.pq17.ch08_combat import standing_attacks
from rules_engine.rulebooks.pq17.ch08_combat.declarations import able_to_attack, attack_ask, attackable
from rules_engine.rulebooks.pq17.ch08_combat.raid_forces import Muster, missing_types, muster_steps
from rules_engine.rulebooks.pq17.ch08_combat.raid_tables import RAID_TABLE, all_types
from rules_engine.rulebooks.pq17.ch11_repair.refits import give_refit
from rules_engine.rulebooks.pq17.contacts.detection import start_impulse
from rules_engine.rulebooks.pq17.orders.standing_words import read_orders
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario import invariants, reading
from rules_engine.rulebooks.pq17.tables.ship_classes import Refit, ShipClass
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.worlds.battles import battle_asks, detected, won_by
from tests.rulebooks.pq17.worlds.notation import asks_of, run, table, told
from tests.rulebooks.pq17.worlds.special_conditions import CAMPAIGN, SHIPS, asked_of, event, seen, special_world

HERE = "1719"
RAIDER = f"C1 {HERE} CA speed 1\n"
SETTLED = f"settled {HERE} alliance Meridian\n"
NOW = "turn 2 impulse 1 half A initiative coalition\n"


def raid_world(text: str = "", *, level: IdLevel = IdLevel.U, empire: str = "Federation") -> State:
    """A raider in a settled hex that it holds at ``level``, and what ``text`` adds."""
    state = special_world(RAIDER + SETTLED + text + NOW, bases="")
    state.settled[HERE].empire = empire
    state.settled[HERE].id_level = level
    return state


def met(state: State, *rolls: int, **labels: int) -> TurnContext[State]:
    """A table over the state once everybody is detected, with nothing told yet."""
    return detected(table(state, *rolls, by_label={"/surprise": 5, "local conditions": 50, **labels}))


def answering(sheets: dict[str, Any], battle: Callable[[Any], Any] | None = None) -> Callable[[AnyAsk], object]:
    """Answers by kind and side (``attack coalition``); battles by the given account, all else by its default."""

    def answer(ask: AnyAsk) -> object:
        if ask.kind == "battle" and battle is not None:
            return battle(ask.form.prefilled())
        return sheets.get(f"{ask.kind} {ask.parties[0]}")

    return answer


RAID = {"attack coalition": {"C1": {"target": f"settled {HERE}"}}}
RELIEF = {"attack alliance": {"A1": {"target": "E1"}}}


# --- as a target ------------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.raid.table")
def test_each_row_of_the_raid_table_begins_where_the_one_before_ends() -> None:
    assert [(row.least, row.most) for row in RAID_TABLE] == [(1, 40), (41, 65), (66, 80), (81, 90), (91, 100)]
    assert [row.convoy for row in RAID_TABLE] == [(15, 44), (45, 74), (75, 104), (105, 134), (105, 134)]


@pytest.mark.rule("pq17", "8.6.2", "8.6.2.1", "8.6.2.2")
def test_a_raider_searches_the_settled_hex_as_a_force_at_u_in_good_conditions() -> None:
    state = raid_world()
    (track, target) = next(iter(targets_of(state, state.task_forces["C1"]).items()))
    assert (track, target.id_level, target.label) == (f"settled {HERE}", IdLevel.U, f"settled hex {HERE}")
    quarry = quarry_of(state, target, int(target.id_level))
    assert (quarry.passive, quarry.warp_off, quarry.cloaked, quarry.s_counts) == (False, False, False, False)
    at = met(state)
    assert conditions_between(at, seeker_of(state, state.task_forces["C1"]), target) == 1
    assert at.shared.rolls == []  # no roll for local conditions


@pytest.mark.rule("pq17", "8.6.2.1", "8.6.2.2")
def test_a_successful_search_raises_the_level_and_costs_fuel(kept: Kept) -> None:
    # Table 6b, force rows, column 1: the settled hex searches C1 too (main 99: fails); C1's main roll 1 succeeds
    state = raid_world()
    at = met(state, 99, 1, 1)
    run(reconnaissance_steps(at, "coalition"), answering({"search coalition": {"C1": {"target": f"settled {HERE}"}}}))
    assert state.settled[HERE].id_level > IdLevel.U
    assert state.units["C1.CA"].fuel == 34 - 2
    assert any("is held at" in text for text in told(at, "coalition"))
    # the owner learns of the search and its outcome, not of the level
    assert [text for text in told(at, "alliance") if "settled hex" in text] == kept()


@pytest.mark.rule("pq17", "8.6.2.2")
def test_a_settled_hex_can_be_shadowed_and_s_then_counts() -> None:
    state = raid_world()
    at = met(state, 99, 1, 1)
    sheet = {"search coalition": {"C1": {"target": f"settled {HERE}", "shadow": True}}}
    run(reconnaissance_steps(at, "coalition"), answering(sheet))
    assert state.settled[HERE].shadowed_by == ["C1.CA"]
    assert quarry_of(state, targets_of(state, state.task_forces["C1"])[f"settled {HERE}"], 0).s_counts
    start_impulse(at)
    assert state.settled[HERE].shadowed_by == ["C1.CA"]
    state.set_hex(state.task_forces["C1"], "1618")
    start_impulse(at)
    assert (state.settled[HERE].shadowed_by, state.settled[HERE].id_level) == ([], IdLevel.U)


@pytest.mark.rule("pq17", "8.6.2.2", "7.3.2")
def test_of_several_shadowers_of_a_settled_hex_only_those_that_are_still_there_shadow_it() -> None:
    state = raid_world("C2 1719 DD ID0\n")
    state.settled[HERE].shadowed_by = ["C1.CA", "C2.DD"]
    state.set_hex(state.task_forces["C1"], "1618")
    start_impulse(met(state))
    assert state.settled[HERE].shadowed_by == ["C2.DD"]


@pytest.mark.rule("pq17", "8.6.2.2", "7.3.8", "7.3.9")
def test_who_shadows_a_settled_hex_searches_and_attacks_nothing_else() -> None:
    """Ruling SHD-8: like any shadower, until it has left."""
    state = raid_world("A1 1719 DD ID0\n", level=IdLevel.ID0)
    raider = state.task_forces["C1"]
    assert len(targets_of(state, raider)) == 2
    state.settled[HERE].shadowed_by = ["C1.CA"]
    assert list(targets_of(state, raider)) == [f"settled {HERE}"]
    assert list(attackable(state, raider)) == [f"settled {HERE}"]


@pytest.mark.rule("pq17", "8.6.2.2", "8.6.2.8")
def test_what_raiders_know_of_it_stays_while_one_is_there() -> None:
    state = raid_world(level=IdLevel.ID2)
    start_impulse(met(state))
    assert state.settled[HERE].id_level is IdLevel.ID2
    state.set_hex(state.task_forces["C1"], "1618")
    start_impulse(met(state))
    assert state.settled[HERE].id_level is IdLevel.U


@pytest.mark.rule("pq17", "8.6.2.3", "8.3.4")
def test_an_attack_is_made_by_the_usual_procedure_and_paid_for() -> None:
    # main roll 99 fails in every column
    state = raid_world(level=IdLevel.ID2)
    at = met(state, 99)
    run(ch08_attack.combat_steps(at, "coalition"), answering(RAID))
    assert state.units["C1.CA"].fuel == 34 - 4
    assert (state.settled[HERE].raided_on, state.ledger) == (0, [])
    assert told(at, "alliance")[:1] == [f"E1 in {HERE} attacks your settled hex {HERE}."]


# --- without opposition -----------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "8.6.2.4", "8.6.2.6", "8.6.2.8", "C.raid.note1", "C.raid.note2", "C.raid.note3")
@pytest.mark.parametrize("rolled", [1, 40, 41, 81, 100])
def test_without_explicit_opposition_every_roll_scores_and_no_battle_is_formed(rolled: int) -> None:
    state = raid_world(level=IdLevel.ID2)
    at = met(state, 1, rolled)  # the attempt, then the raid table
    run(ch08_attack.combat_steps(at, "coalition"), answering(RAID))
    assert [line.amount for line in state.ledger] == [-1]
    assert state.ledger[0].public
    assert (state.settled[HERE].raided_on, state.settled[HERE].id_level) == (2, IdLevel.U)
    assert [roll.purpose for roll in at.shared.rolls].count("raid table") == 1
    assert state.units["C1.CA"].fuel == 34 - 4  # RAID-13
    assert invariants.defects(state) == []


@pytest.mark.rule("pq17", "8.6.2.7")
def test_a_settled_hex_is_raided_once_a_turn() -> None:
    state = raid_world("C2 1719 CA speed 1\n", level=IdLevel.ID2)
    both = {"attack coalition": {"C1": {"target": f"settled {HERE}"}, "C2": {"target": f"settled {HERE}"}}}
    at = met(state, 1, 1, 50)
    run(ch08_attack.combat_steps(at, "coalition"), answering(both))
    assert [line.amount for line in state.ledger] == [-1]
    state.settled[HERE].id_level = IdLevel.ID2
    state.impulse = 3
    start_impulse(at)
    assert attackable(state, state.task_forces["C1"]) == {}
    state.turn = 3
    assert list(attackable(state, state.task_forces["C1"])) == [f"settled {HERE}"]


@pytest.mark.rule("pq17", "8.6.2.7", "8.6.2.3", "8.6.1", "C.random.high-command-caution")
@cases("level, raided, cautious, said", "")
def test_raids_that_are_refused(level: str, raided: int, cautious: bool, said: str) -> None:
    state = raid_world(f"A1 {HERE} CA ID3\n", level=IdLevel[level])
    state.settled[HERE].raided_on = raided
    if cautious:
        event(state, "coalition", "high command caution")
    ask = attack_ask(met(state), "coalition", able_to_attack(state, "coalition"))
    with pytest.raises(Refused, match=said):
        ask.answer_from(RAID["attack coalition"])


@pytest.mark.rule("pq17", "8.6.1")
def test_the_alliance_raids_nobody_since_it_would_score_nothing() -> None:
    state = special_world("A1 1404 CA ID0\nC1 1404 CA ID1\nsettled 1404 coalition Kor\n" + NOW, bases="")
    state.settled["1404"].id_level = IdLevel.ID2
    assert "settled 1404" not in targets_of(state, state.task_forces["A1"])
    ask = attack_ask(met(state), "alliance", able_to_attack(state, "alliance"))
    with pytest.raises(Refused, match=r"scores nothing by raids.*8\.6\.1"):
        ask.answer_from({"A1": {"target": "settled 1404"}})


def test_without_a_raid_table_nothing_can_be_raided() -> None:
    state = raid_world(level=IdLevel.ID2)
    state.settings = state.settings.model_copy(update={"raid_table": ""})
    assert targets_of(state, state.task_forces["C1"]) == {}


# --- with opposition --------------------------------------------------------------------------------------------------
DEFENDER = f"A1 {HERE} CA speed 1\n"


def defended(text: str = DEFENDER, *, empire: str = "Federation") -> State:
    """The raider, whom its target's owner holds at ID2, and a defender in the hex."""
    state = raid_world(text, level=IdLevel.ID2, empire=empire)
    state.task_forces["C1"].id_level = IdLevel.ID2
    state.tracks["alliance"].issue("C1")
    return state


@pytest.mark.rule("pq17", "C.raid.table", "C.raid.note2", "C.raid.note4", "C.raid.note6", "C.raid.convoy-and-base")
def test_explicit_opposition_brings_a_convoy_and_everybody_into_one_battle() -> None:
    # raid table 1: convoy of 15 to 44; category 50 type 45 is an F-S
    state = defended()
    sheets = {key: [sheet] for key, sheet in (RAID | RELIEF).items()}
    battle = next(battle_asks(met(state, 1, 1, 1, *[50, 45] * 3), sheets, "coalition"))
    (formed,) = state.battles
    assert (formed.attacker, formed.defender, formed.attackers) == ("coalition", "alliance", ["C1"])
    assert (formed.joiners, formed.conditions) == ({"A1": "C1"}, 1)
    (local,) = formed.original
    units = state.units_of(state.task_forces[local])
    assert {unit.class_id for unit in units} == {"F-S"}
    value = sum(SHIPS["F-S"].bpv_economic for _ in units)
    assert 15 <= value <= 44
    assert value - SHIPS["F-S"].bpv_economic < 15  # drawn until the range was reached, and no further
    titles = [panel.title for panel in battle.setup.panels]
    assert any(title.startswith("Original Defender") for title in titles)
    assert any(title.startswith("Relieving force 1") for title in titles)
    assert any("Small freighter F-S" in row for row in [row for panel in battle.setup.panels for row in panel.rows])


USUAL = {"base category": 1, "base type": 5, "local defence category": 40, "local defence type": 1}
USUAL |= {"convoy category": 50, "convoy type": 45, "attack/": 1, "/surprise": 5, "local conditions": 50}
"""A base CCS, local defence of police, and a convoy of small freighters; attacks succeed."""


@cases("case, proves, defender, empire, refits, values, rolled, winner, local", "local")
def test_which_local_forces_are_met_and_vanish_after_the_battle(
    *, defender: str, empire: str, refits: dict[str, int], values: dict[str, int], rolled: int, winner: str,
    local: list[str],
) -> None:  # fmt: skip
    """Every test class has combat value 100, and what its refit is worth; the types of ``values`` have those."""
    state = defended(f"A1 {HERE} {defender} speed 1\n", empire=empire)
    state.classes |= priced(**values) if values else {}
    bought = tuple(Refit(name=str(value), year=165, bpv=Fraction(value)) for value in (30, 60))
    state.classes["CA"] = state.classes["CA"].model_copy(update={"refits": bought})
    for unit, value in refits.items():
        give_refit(state, state.units[unit], str(value))
    at = detected(table(state, by_label=USUAL | {"raid table": rolled}))
    found: list[str] = []

    def account(filled: Any) -> Any:
        units = [(tf, unit) for tf in state.all_task_forces("alliance") for unit in state.units_of(tf)]
        found.extend(
            f"{'base ' if tf.is_base else ''}{unit.class_id} of the {unit.nation}"
            for tf, unit in units if "local forces" in unit.tags
        )  # fmt: skip
        return won_by(winner)(filled)

    run(ch08_attack.combat_steps(at, "coalition"), answering(RAID | RELIEF, account))
    assert sorted(found) == local
    assert {tf.name for tf in state.all_task_forces() if tf.hex == HERE} == {""}
    assert invariants.defects(state) == []


@cases("case, proves, winner, fates, points, raider, says", "points, raider")
def test_how_an_opposed_raid_ends(
    winner: str, fates: dict[str, str], points: list[str], raider: list[str], says: list[str]
) -> None:
    """C1 raids, A1 attacks C1 in turn, and the battle ends as told; the local forces are a small freighter."""
    # conditions of the hex are good where A1 attacks: 50 reads moderate; its main roll 1 succeeds
    at = met(defended(), 1, 1, 1, *[50, 45] * 3)
    run(ch08_attack.combat_steps(at, "coalition"), answering(RAID | RELIEF, won_by(winner, **fates)))
    state = at.state
    assert [f"{line.amount} {line.text}" for line in state.ledger] == points
    assert [one for tf in state.all_task_forces("coalition") for one in tf.units] == raider
    assert set(says) <= set(told(at, "coalition"))
    assert all("local forces" not in unit.tags for unit in state.units.values())
    assert all(tf.name != "local forces" for tf in state.all_task_forces())
    assert (state.special.raids, state.settled[HERE].id_level, state.settled[HERE].raided_on) == ([], IdLevel.U, 2)
    assert invariants.defects(state) == []


@pytest.mark.rule("pq17", "8.6.2.4", "C.raid.note2")
def test_a_raider_of_the_side_that_moves_second_meets_no_opposition() -> None:
    # the Alliance is phasing: its attack on C1 comes first and fails, then C1 raids (ruling RAID-4)
    state = defended()
    run(ch08_attack.combat_steps(met(state, 99, 1, 95), "alliance"), answering(RAID | RELIEF))
    assert ([line.amount for line in state.ledger], state.battles) == ([-1], [])


# --- raising forces ---------------------------------------------------------------------------------------------------
def muster(
    state: State, *rolls: int, row: int = 0, attackers: int = 0, explicit: int = 0, answer: Any = None
) -> tuple[TurnContext[State], list[tuple[str, str]]]:
    """Raise forces by the raid table's row; returns the table and (part, class) of each."""
    at = table(state, *rolls)
    given = Muster(
        side="alliance", hex=HERE, empire=state.settled[HERE].empire, meeting=RAID_TABLE[row],
        attackers=Fraction(attackers), explicit=Fraction(explicit),
    )  # fmt: skip
    return at, [(pick.part, pick.kind.class_id) for pick in run(muster_steps(at, given), answer)]


def priced(**values: int) -> dict[str, ShipClass]:
    """The catalogue with all raid types out of reach but these, at these values (``F_S`` is F-S)."""
    dear = {
        class_id: kind.model_copy(update={"bpv_economic": Fraction(1000), "bpv_combat": Fraction(1000)})
        for class_id, kind in SHIPS.items()
    }
    for name, value in values.items():
        key = name.replace("_", "-")
        price = {"bpv_economic": Fraction(value), "bpv_combat": Fraction(value), "refits": ()}
        dear[key] = SHIPS[key].model_copy(update=price)
    return dear


def raised_among(classes: dict[str, ShipClass], empire: str = "Federation") -> State:
    state = raid_world(empire=empire)
    state.classes |= classes
    return state


@cases("case, proves, values, empire, row, sides, rolls, wish, raised", "raised")
def test_what_local_forces_are_raised(
    *, values: dict[str, int], empire: str, row: int, sides: tuple[int, int], rolls: list[int], wish: str | None,
    raised: list[str],
) -> None:  # fmt: skip
    """By a row of the raid table; the types of these values can be had, and of all others only the base CCS. ``sides``
    are the values of attackers and explicit defenders."""
    state = raised_among(priced(**values), empire)
    state.classes["CCS"] = SHIPS["CCS"]
    attackers, explicit = sides
    answer = (lambda ask: {"pick": {"type": wish}}) if wish else None
    _, found = muster(state, *rolls, row=row, attackers=attackers, explicit=explicit, answer=answer)
    assert [f"{part}: {kind}" for part, kind in found] == raised


@pytest.mark.rule("pq17", "C.raid.note6", "C.raid.convoy-and-base")
def test_what_does_not_fit_is_exchanged_within_its_category_or_rolled_again() -> None:
    # range 15 to 44. Category 50, type 1 (F-HS) is too dear: the only type of the category that fits is the F-S
    state = raised_among(priced(F_S=20))
    at, found = muster(state, 50, 1)
    assert found == [("convoy", "F-S")]
    assert f"Raid on {HERE}: General Small Freighters, F-HS does not fit; F-S joins." in told(at, "alliance")
    # nothing of the heavy freighters fits: rolled again
    at, found = muster(state, 5, 1, 50, 45)
    assert found == [("convoy", "F-S")]
    assert any("nothing of the category fits; rolled again" in text for text in told(at, "coalition"))


@pytest.mark.rule("pq17", "C.raid.note6")
def test_a_pick_of_what_does_not_fit_is_refused() -> None:
    state = raised_among(priced(F_S=20, UFS=25))
    given = Muster("alliance", HERE, "Federation", RAID_TABLE[0], Fraction(0), Fraction(0))
    (ask,) = asks_of(muster_steps(table(state, 50, 1), given))
    with pytest.raises(Refused, match=r"C\.raid\.note6.*Legal: F-S, UFS"):
        ask.answer_from({"pick": {"type": "F-HS"}})


@pytest.mark.rule("pq17", "C.raid.note6")
@cases("attackers, explicit, budget")
def test_local_defence_is_worth_what_the_explicit_opposition_leaves(attackers: int, explicit: int, budget: int) -> None:
    given = Muster("alliance", HERE, "Federation", RAID_TABLE[0], Fraction(attackers), Fraction(explicit))
    assert given.defense_budget == budget


@pytest.mark.rule("pq17", "8.4.2", "8.6.2")
@cases("orders, target, said")
def test_whose_orders_forbid_attacks_on_forces_may_still_raid(orders: str, target: str, said: str | None) -> None:
    state = raid_world(f"A1 {HERE} CA ID1\n", level=IdLevel.ID1)
    state.doctrine["coalition"].orders = read_orders(orders, "side")[0]
    decision = standing_attacks.attack_decisions(state, able_to_attack(state, "coalition"))["C1"]
    assert (None if decision is None else decision.said) == said
    if decision is not None:
        assert (decision.values.get("target") or "") == target


@pytest.mark.rule("pq17", "C.raid.note6")
def test_refits_are_bought_within_what_is_left() -> None:
    classes = priced(F_S=20)
    refits = (Refit(name="AWR", year=160, bpv=Fraction(10)), Refit(name="Y165", year=165, bpv=Fraction(15)))
    classes["F-S"] = classes["F-S"].model_copy(update={"refits": refits})
    state = raised_among(classes)
    given = Muster("alliance", HERE, "Federation", RAID_TABLE[0], Fraction(0), Fraction(0))  # 44 - 20 = 24 left
    assert asks_of(muster_steps(table(raised_among(priced(F_S=20)), 50, 45), given)) == ()  # there are none to buy
    (ask,) = asks_of(muster_steps(table(state, 50, 45), given))
    assert ask.kind == "local refits"
    with pytest.raises(Refused, match=r"cost 25.*C\.raid\.note6.*at most 24"):
        ask.answer_from({"convoy 1": {"refits": ["AWR", "Y165"]}})
    picks = run(
        muster_steps(table(state, 50, 45), given),
        lambda ask: {"convoy 1": {"refits": ["Y165"]}} if ask.kind == "local refits" else None,
    )
    assert [pick.refits for pick in picks] == [["Y165"]]


def test_the_shipped_catalogue_holds_every_type_of_the_raid_tables() -> None:
    assert missing_types(SHIPS) == []
    assert missing_types({key: kind for key, kind in SHIPS.items() if key != "F-OP"}) == ["F-OP"]
    assert len(all_types()) > 60


# --- what the enemy must not learn ------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "8.6.2.2")
@pytest.mark.unseen("pq17")
def test_the_owner_never_sees_how_well_his_settled_hex_is_known() -> None:
    one, other = met(raid_world(level=IdLevel.ID2)), met(raid_world(level=IdLevel.U))
    assert seen(one, "alliance") == seen(other, "alliance")
    asks = [asked_of(asks_of(reconnaissance_steps(at, "alliance")), "alliance") for at in (one, other)]
    assert asks[0] == asks[1]


def test_a_scenario_with_raids_needs_a_nation_that_local_forces_belong_to() -> None:
    files = {name: (CAMPAIGN.parent / "intro" / name).read_text() for name in ("scenario.toml", "repair.toml")}
    files["scenario.toml"] = f'raid_table = "pq17"\n{files["scenario.toml"]}'
    files["ships.toml"] = (CAMPAIGN / "ships.toml").read_text()
    with pytest.raises(Refused, match=r"scenario\.toml\.raid_table \(line 1\): the raids' table needs a nation"):
        reading.read_scenario(files)


def test_a_scenario_without_the_classes_of_its_tables_is_refused_with_each_of_them() -> None:
    files = {path.name: path.read_text() for path in CAMPAIGN.iterdir()}
    files["ships.toml"] = files["ships.toml"].replace('class_id = "F-OP"', 'class_id = "F-OQ"')
    with pytest.raises(Refused, match=r"scenario\.toml\.raid_table \(line 16\): this table needs the class F-OP"):
        reading.read_scenario(files)
