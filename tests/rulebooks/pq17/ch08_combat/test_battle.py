"""Chapter 8.3.5 and 8.5.2 to 8.5.6: power, surprise, the sheet, and what a result does."""

from collections.abc import Generator
from fractions import Fraction
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import Panel
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.pq17.ch08_combat import battle as ch08
from rules_engine.rulebooks.pq17.ch08_combat import result_form
from rules_engine.rulebooks.pq17.records.battles import Battle
from rules_engine.rulebooks.pq17.records.forces import Marks
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario import invariants
from tests.expected.kept import Kept, cases
from tests.form_documents import form_text
from tests.rulebooks.accounts import said, taken_over
from tests.rulebooks.pq17.worlds.battles import account, battle_of, detected
from tests.rulebooks.pq17.worlds.notation import situation, table, told, world

F = Fraction
NOW = "\nturn 2 impulse 1 half A initiative alliance"
Steps = Generator[Any, Any, Any]


def met(text: str, *rolls: int, **settings: Any) -> TurnContext[State]:
    return detected(table(world(text + NOW, **settings), *rolls))


def fought(at: TurnContext[State], battle: Battle, power: Any = None) -> tuple[AnyAsk, Steps]:
    """Play up to the battle ask; ``power`` answers the Original Defender's sheet."""
    steps = ch08.fight_steps(at, battle)
    batch = next(steps)
    while batch.asks[0].kind == "power":
        (ask,) = batch.asks
        batch = steps.send({ask.id: ask.default if power is None else ask.answer_from(power)})
    (ask,) = batch.asks
    return ask, steps


def settle(at: TurnContext[State], battle: Battle, sheet: dict[str, Any], power: Any = None) -> None:
    ask, steps = fought(at, battle, power)
    with pytest.raises(StopIteration):
        steps.send({ask.id: ask.answer_from(sheet)})


DUEL = "A1 0405 CA speed 2 U\nC1 0405 CA speed 1 ID0"
LOST = account("alliance", 4, AT1="ok", DF1="destroyed")


# --- the Original Defender's power ------------------------------------------------------------------------------------
def asked(text: str = DUEL, power: Any = None, **fields: Any) -> AnyAsk:
    """The ask for the account of a battle in that world."""
    at = met(text, 5)
    return fought(at, battle_of(at, **fields), power)[0]


@cases("case, proves, forces, dice, battle, power, surprised, afterwards", "afterwards")
def test_what_a_battle_begins_with(
    *, forces: str, dice: list[int], battle: dict[str, Any], power: Any, surprised: bool, afterwards: str
) -> None:
    """What the Original Defender pays for the power it keeps on, whether it is surprised, and who is inspected."""
    at = met(forces, *dice)
    fight = battle_of(at, **battle)
    assert fought(at, fight, power)[0].kind == "battle"
    assert (fight.surprised, situation(at.state)) == (surprised, afterwards)


@pytest.mark.rule("pq17", "8.3.5", "8.3.5.1", "8.3.5.2", "8.3.5.2.2", "8.3.5.3", "8.3.5.3.1", "8.3.5.3.3", "8.3.5.3.4")
def test_boxes_turned_off_reduce_the_price_in_proportion_and_are_announced() -> None:
    # 17 of 34 boxes on: half of 4 points
    at = met(DUEL, 5)
    fought(at, battle_of(at), {"DF1": {"boxes_on": 17}})
    assert (at.state.units["C1.CA"].fuel, at.state.units["C1.CA"].boxes_off) == (32, 17)
    announced = "DF1 of the defenders fights with 17 of 34 warp and AWR boxes on."
    heard = told(at, "alliance")
    assert heard.index(announced) < next(n for n, text in enumerate(heard) if "ID4" in text and "warp 30/30" in text)


@pytest.mark.rule("pq17", "8.3.5.2.1", "9.7")
def test_short_of_fuel_the_boxes_must_go_off_and_no_more_can_be_asked_for() -> None:
    # fuel 1 of 4: 34 x 1/4 = 8 whole boxes; they cost 4 x 8/34 = 16/17
    at = met("A1 0405 CA U\nC1 0405 CA[fuel=1] ID0", 5)
    steps = ch08.fight_steps(at, battle_of(at))
    (ask,) = next(steps).asks
    with pytest.raises(Refused, match=r"no fuel for so many.*8\.3\.5\.2\.1"):
        ask.answer_from({"DF1": {"boxes_on": 9}})
    with pytest.raises(Refused, match="no unit of that name"):
        ask.answer_from({"AT1": {"boxes_on": 1}})
    steps.send({ask.id: ask.default})
    assert (at.state.units["C1.CA"].boxes_off, at.state.units["C1.CA"].fuel) == (26, F(1, 17))


@pytest.mark.rule("pq17", "8.3.5.1", "8.3.5.2")
def test_the_owner_reads_its_power_back_with_its_ships_own_names() -> None:
    at = met("A1 0405 CA U\nC1 0405 CA+DD ID0", 5)
    (ask,) = next(ch08.fight_steps(at, battle_of(at))).asks
    answer = ask.answer_from({"DF1": {"boxes_on": 11}, "DF2": {"boxes_on": 1}})
    assert ask.read_back(answer) == ["DF1 C1.CA: 11 boxes on.", "DF2 C1.DD: 1 box on."]


@pytest.mark.rule("pq17", "8.3.5.2", "8.3.5.2.1")
@pytest.mark.parametrize(("units", "asked"), [("CA[fuel=1]+DD[fuel=0]+HK", [["DF1"]]), ("DD[fuel=0]+HK", [])])
def test_only_a_ship_that_has_a_choice_stands_on_the_sheet_and_without_any_nobody_is_asked(
    units: str, asked: list[list[str]]
) -> None:
    """One has fuel for up to 8 of 34 boxes; the others have no fuel, or no such box."""
    at = met(f"A1 0405 CA U\nC1 0405 {units} ID0", 5)
    steps = ch08.fight_steps(at, battle_of(at))
    batch = next(steps)
    found: list[list[str]] = []
    while batch.asks[0].kind == "power":
        (ask,) = batch.asks
        found.append([line.key for line in ask.form.lines])
        batch = steps.send({ask.id: ask.default})
    assert found == asked


@pytest.mark.rule("pq17", "8.3.5.2", "8.3.4.3")
def test_who_has_paid_by_attacking_has_nothing_to_reduce() -> None:
    at = met(DUEL, 5)
    at.state.units["C1.CA"].marks = Marks(paid_combat=True)
    fought(at, battle_of(at))
    assert at.state.units["C1.CA"].fuel == 34


# --- surprise and ID4 -------------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "8.5.3", "8.5.3.1", "8.5.3.2", "8.5.3.3", "T7")
@cases("text, conditions, roll, surprised")
def test_surprise(text: str, conditions: int, roll: int, surprised: bool) -> None:
    at = met(text, roll)
    battle = battle_of(at, conditions=conditions)
    fought(at, battle)
    assert battle.surprised is surprised


@pytest.mark.rule("pq17", "8.5.3.1", "T7")
def test_the_best_warning_of_several_attackers_counts() -> None:
    at = met("A1 0405 CW cloak warp-off U\nA2 0405 CA passive ID1\nC1 0405 CA passive ID0")
    facts = ch08.surprise_facts(at.state, battle_of(at, attackers="A1 A2", conditions=2))
    assert (facts.attacker_level, facts.attacker_warp_on) == (1, True)
    assert (facts.attacker_cloaked, facts.both_passive) == (False, True)


@pytest.mark.rule("pq17", "8.5.3.1")
def test_both_sides_see_the_surprise_roll_and_every_modifier() -> None:
    at = met(DUEL, 5)
    fought(at, battle_of(at))
    report = next(one for one in at.shared.reports if "weapon status" in one.text)
    assert report.to == ("alliance", "coalition")
    assert dict(report.why.inputs)["attacker only at U"] == "+1"
    assert dict(report.why.inputs)["rolled"] == "5 - 3 = 2 (7 or more surprises)"  # +1 at U, -3 warp on, -1 good
    assert report.why.dice[0].total == 5


# --- the sheet: whole sheets are compared in test_golden_sheets -------------------------------------------------------
def sheet_of(
    text: str, *, attackers: str = "A1", original: str = "C1", roll: int = 5, **fields: Any
) -> dict[str, Panel]:
    at = met(text, roll)
    ask, _ = fought(at, battle_of(at, attackers, original, **fields))
    return {panel.title: panel for panel in ask.setup.panels}


def row(panel: Panel, name: str) -> str:
    return next(text for text in panel.rows if text.startswith(f"{name}:"))


@pytest.mark.rule("pq17", "8.2.3")
def test_everybody_begins_in_combat_mode() -> None:
    panels = sheet_of("A1 0405 CA U\nC1 0405 CA ID0")
    for title in ("Original Defender (Coalition)", "Attacking force 1 (Alliance)"):
        assert panels[title].rows[0].endswith("starts in Combat Mode (8.2.3)")


@pytest.mark.rule("pq17", "1.9.9")
@pytest.mark.parametrize("agreed", ["", "plasma torpedoes bolt (FP8.0)"])
def test_optional_tactical_rules_are_those_the_players_agreed_to(agreed: str) -> None:
    at = met("A1 0405 CA U\nC1 0405 CA ID0", 5, battle_notes=agreed)
    ask, _ = fought(at, battle_of(at))
    found = [text for panel in ask.setup.panels for text in panel.rows if text.startswith("Agreed")]
    assert found == ([f"Agreed between the players: {agreed}"] if agreed else [])


@cases("case, proves, forces, power, title, units, says")
def test_what_the_sheet_says_of_a_unit(
    forces: str, power: dict[str, Any], title: str, units: str, says: list[str]
) -> None:
    (panel,) = (panel for panel in asked(forces, power).setup.panels if panel.title == title)
    assert [row(panel, unit) for unit in units.split()] == says


@pytest.mark.rule("pq17", "1.8.12.8", "8.5.5.3.8", "8.5.5.3.11", "8.5.5.3.12")
def test_an_inactive_base_powers_nothing_and_has_no_lock_on() -> None:
    at = met("A1 0405 CA U\nC9 0405 BATS base Lair known", 5)
    at.state.units["C9.BATS"].repairs = at.state.units["C9.BATS"].repairs.with_values(inactive=True)
    ask, _ = fought(at, battle_of(at, original="C9"))
    panels = {panel.title: panel for panel in ask.setup.panels}
    assert row(panels["Turn zero"], "DF1") == "DF1: on the map, all systems inactive (1.8.12.8, 11.5.4)"
    ranges = "DF1: 25 hexes, 25 to cloaked units (range 50, doubled without lock-on)"
    assert row(panels["Detection ranges"], "DF1") == ranges
    posture = "Operational speed 0, all systems inactive; starts in Combat Mode (8.2.3)"
    assert panels["Original Defender, base Lair (Coalition)"].rows[0] == posture


@pytest.mark.rule("pq17", "1.8.12.10", "8.5.5.4.2")
def test_both_sides_read_where_a_base_was_put_beside_another() -> None:
    at = met("A1 0405 CA U\nC9 0405 BATS+DOCK base Lair known", 5)
    lair = at.state.task_forces["C9"].base
    lair.positions = {"C9.DOCK": "40 hexes rimward"}
    ask, _ = fought(at, battle_of(at, original="C9"))
    (rows,) = (panel.rows for panel in ask.setup.panels if panel.title == "Deployment")
    assert rows[2] == "   DF2 lies where it was put beside Lair: 40 hexes rimward (1.8.12.10)"


@pytest.mark.rule("pq17", "8.5.5.4.1", "8.5.5.4.2", "1.8.2")
def test_a_base_and_all_in_port_are_placed_as_one_original_defender(kept: Kept) -> None:
    text = "A1 0405 CA U\nC9 0405 BATS base Lair known\nC1 0405 CA port C9\nC2 0405 DD port C9"
    assert sheet_of(text, original="C9 C1 C2")["Deployment"].rows[:2] == kept()


@pytest.mark.rule("pq17", "1.6.4.1", "8.5.4")
def test_the_sheet_names_units_neutrally_and_tells_each_side_its_own_apart() -> None:
    ask = asked()
    common = ask.setup.common().model_dump_json() + form_text(ask.form)
    assert "C1" not in common
    assert "A1.CA" not in common
    assert ask.setup.secret["coalition"][0].rows == ("DF1 is C1.CA",)
    assert ask.setup.secret["alliance"][0].rows == ("AT1 is A1.CA",)


def test_neutral_names_are_never_those_of_task_forces() -> None:
    """Neither side's own designations nor the numbers of its contacts begin so."""
    at = met("A1 0405 CA+DD U\nA2 0405 CA U\nC1 0405 CA+DD ID0\nC2 0405 DD U", 5)
    battle = battle_of(at, attackers="A1 A2", joiners={"C2": "A1"})
    fought(at, battle)
    assert list(battle.names) == ["DF1", "DF2", "AT1", "AT2", "AT3", "DF3"]
    taken = {*(side.emblem for side in at.state.sides), *(book.prefix for book in at.state.tracks.values())}
    assert not taken & {name.rstrip("0123456789") for name in battle.names}


# --- accounts that are refused, and that differ -----------------------------------------------------------------------
@cases("case, proves, forces, original, changes, refusals")
def test_accounts_that_are_refused(forces: str, original: str, changes: dict[str, Any], refusals: list[str]) -> None:
    """What is changed of an account in which the defender was destroyed; a line that is None is left out."""
    at = met(forces, 5)
    ask, _ = fought(at, battle_of(at, original=original))
    sheet = {key: value for key, value in (LOST | changes).items() if value is not None}
    before = at.state.to_json()
    with pytest.raises(Refused) as refused:
        ask.answer_from(sheet)
    assert [str(one) for one in refused.value.refusals] == refusals
    assert at.state.to_json() == before


@pytest.mark.rule("pq17", "8.5.5.6", "8.3.5.3.1")
def test_the_form_asks_for_each_kind_of_box_that_a_unit_has_by_its_name(kept: Kept) -> None:
    kinds = {"special_sensors": 1, "cargo": 3, "orion_cargo": 5, "repair": 10, "tractors": 2}
    at = met("A1 0405 CL U\nC1 0405 CA ID0", 5)
    at.state.classes["CA"] = at.state.classes["CA"].model_copy(update=kinds)
    for box, count in kinds.items():
        setattr(at.state.units["C1.CA"], box, count)
    ask, _ = fought(at, battle_of(at), {"DF1": {"boxes_on": 17}})
    assert [one.label for one in ask.form.line("DF1").fields if one.label.endswith((" left", " on"))] == kept()


@pytest.mark.rule("pq17", "8.5.5.6")
def test_the_form_asks_of_a_load_neither_speed_nor_power_and_of_who_has_no_track_no_rating(kept: Kept) -> None:
    """A ship's own figures are those of a ship, even where its pod has sensors of its own (rulings SPD-2, PST-5)."""
    at = met("A1 0405 CA U\nC1 0405 TUG+POD[carried_by=C1.TUG]+MOD ID0", 5)
    for name, track in (("POD", (6, 4)), ("MOD", ())):
        at.state.classes[name] = at.state.classes[name].model_copy(update={"sensor_track": track})
    at.state.units["C1.POD"].sensor_track = [6, 4]
    ask, _ = fought(at, battle_of(at))
    figures = ("practical_speed", "unpowered", "sensors")
    found = [(line.label, *(one.key for one in line.fields if one.key in figures)) for line in ask.form.lines[1:]]
    assert found == kept()


@pytest.mark.rule("pq17", "8.5.5.6")
def test_the_form_is_filled_in_with_every_unit() -> None:
    ask = asked("A1 0405 CA[warp=20]+DD U\nC1 0405 CA ID0\nC2 0405 DD U", joiners={"C2": "A1"})
    filled = ask.form.prefilled()
    assert sorted(filled) == ["AT1", "AT2", "DF1", "DF2", "battle"]
    assert (filled["AT1"]["warp"], filled["AT1"]["fate"], filled["DF2"]["warp"]) == (20, "ok", 15)


@pytest.mark.rule("pq17", "8.5.5.6")
def test_accounts_agree_line_by_line(kept: Kept) -> None:
    at = met(DUEL, 5)
    battle = battle_of(at)
    ask, _ = fought(at, battle)
    ours = ask.answer_from(LOST | {"AT1": {"fate": "ok", "warp": 30}})  # as it was: the same as left out
    assert result_form.agree(at, battle, {"alliance": ours, "coalition": ask.answer_from(LOST)}).settled is not None
    hurt = ask.answer_from(LOST | {"AT1": {"fate": "ok", "warp": 12, "crippled": True}})
    outcome = result_form.agree(at, battle, {"alliance": ours, "coalition": hurt})
    assert outcome.settled is None
    assert outcome.differences == kept()


@pytest.mark.rule("pq17", "8.5.5.6")
def test_each_place_in_which_accounts_differ_can_be_taken_over_by_itself(kept: Kept) -> None:
    ask = asked("A1 0405 CA speed 2 U\nC1 0405 CA+DD speed 1 ID0")
    ours = ask.answer_from(LOST | {"AT1": {"fate": "ok", "warp": 12}, "DF2": {"fate": "disengaged", "turn": 2}})
    hurt = {"fate": "ok", "crippled": True, "cdr": 1}
    theirs = ask.answer_from(account("alliance", 5, AT1=hurt, DF1=4, DF2=3))
    assert said(ask, ours, theirs, "alliance", "coalition") == kept()
    taken_over(ask, ours, theirs, "alliance", "coalition")
    taken_over(ask, theirs, ours, "coalition", "alliance")


@pytest.mark.rule("pq17", "8.5.5.6")
def test_a_battle_is_accounted_for_in_one_short_form(kept: Kept) -> None:
    ask = asked("A1 0405 CA speed 2 U\nC1 0405 CA+DD speed 1 ID0")
    assert ask.setup.scene is not None
    short, form, sheet = ask.guide.short, ask.form, ask.form.prefilled()
    fields = short.line(0, form, sheet).fields
    assert [field.label for field in fields] == kept("(field.label for field in asked)")
    assert [one.label for one in fields[2].choices] == ["DF1 Test CA", "DF2 Test DD", "AT1 Test CA"]
    chosen: dict[str, Json] = {"battle.turns": 4, "destroyed": ["DF1"], "disengaged": ["DF2"]}
    changes = short.put_in(0, form, sheet, chosen)
    sheet = {key: {**line, **changes.get(key, {})} for key, line in sheet.items()}
    whole = {key: {name: value for name, value in line.items() if value is not None} for key, line in sheet.items()}
    assert ask.read_back(ask.answer_from(whole)) == kept()
    outcome = ask.guide.outcome(ask.setup.scene, sheet)
    assert outcome.forces == (("coalition",), ("alliance",)), "as on the set-up, the defender left"
    assert [(one.code, one.says, one.ending) for one in outcome.units] == kept("#2")


@pytest.mark.rule("pq17", "8.5.5.6")
def test_of_a_unit_whose_fate_is_not_agreed_on_only_the_fate_is_told(kept: Kept) -> None:
    at = met("A1 0405 CA speed 2 U\nC1 0405 CA+DD speed 1 ID0", 5)
    battle = battle_of(at)
    ask, _ = fought(at, battle)
    lost = account("alliance", 4, AT1="ok", DF1="destroyed", DF2=2)
    drawn = account("coalition", 4, AT1="destroyed", DF1="ok", DF2=3)
    said = {"alliance": ask.answer_from(lost), "coalition": ask.answer_from(drawn)}
    assert result_form.agree(at, battle, said).differences == kept()


def test_a_read_back_joins_only_units_of_one_party_that_follow_each_other(kept: Kept) -> None:
    ask = asked("A1 0405 CA+DD speed 2 U\nC1 0405 CA+DD+FF speed 1 ID0")
    fates = {"DF1": "destroyed", "DF3": "destroyed", "AT1": "destroyed", "DF2": "destroyed", "AT2": "ok"}
    lost = account("alliance", 1, **fates)
    assert ask.read_back(ask.answer_from(lost)) == kept()
    in_order = {name: lost[name] for name in ("battle", "AT1", "AT2", "DF1", "DF2", "DF3")}
    assert ask.read_back(ask.answer_from(in_order))[-1] == "DF1-DF3: destroyed."


def test_an_account_survives_a_round_trip_through_its_sheet() -> None:
    ask = asked()
    answer = ask.answer_from(LOST)
    assert isinstance(answer, result_form.BattleResult)
    assert ask.answer_from(ask.sheet_of(answer)) == answer  # type: ignore[arg-type]


# --- what a result does -----------------------------------------------------------------------------------------------
def lost(lines: dict[str, Any]) -> dict[str, Any]:
    """An account in which the defender was destroyed, but for these lines."""
    return LOST | lines


@cases(
    "case, proves, forces, original, power, sheet, afterwards, points, reserve", "afterwards, points, reserve",
    made="sheet",
)  # fmt: skip
def test_what_a_result_does(
    *, forces: str, original: str, power: Any, sheet: dict[str, Any], afterwards: str, points: list[str], reserve: str
) -> None:
    at = met(forces, 5)
    battle = battle_of(at, original=original)
    settle(at, battle, sheet, power)
    assert situation(at.state) == afterwards
    assert [f"{line.line} {line.amount}" for line in at.state.ledger] == points
    assert ", ".join(f"{unit} {turn}" for unit, turn in battle.reserve.items()) == reserve
    assert invariants.defects(at.state) == []


@pytest.mark.rule("pq17", "6.2.7", "6.5.3")
def test_both_sides_inspect_the_enemy_once_more_and_then_hold_it_at_id3() -> None:
    at = met(DUEL, 5)
    settle(at, battle_of(at), LOST | {"DF1": {"fate": "disengaged", "turn": 3, "warp": 9}})
    head, *rows = next(text for text in told(at, "alliance") if text.startswith("Final inspection")).split("\n")
    assert (head, len(rows)) == ("Final inspection in 0405:", 1)
    assert rows[0].startswith("• DF1: Test CA (MC 1 Tester CA): ")
    assert "warp 9/30" in rows[0]
    contact = at.knowledge("alliance").contacts["E1"].latest
    assert (contact.level, contact.details[-1]) == (3, "MC 1 Tester CA")


@pytest.mark.rule("pq17", "6.5.3")
def test_of_a_destroyed_ship_nothing_is_left_to_inspect() -> None:
    at = met(DUEL, 5)
    settle(at, battle_of(at), LOST)
    assert "Final inspection in 0405:\n• DF1: destroyed." in told(at, "alliance")
    assert "E1" not in at.knowledge("alliance").contacts


@pytest.mark.rule("pq17", "8.5.5.6")
def test_results_are_public_by_type_and_never_by_name() -> None:
    at = met(DUEL, 5)
    settle(at, battle_of(at), LOST)
    public = [report for report in at.shared.reports if report.is_public()]
    assert public[0].text == "Battle in 0405: the Alliance won after 4 turns; destroyed: a Tester CA."
    assert not any("C1" in report.model_dump_json(exclude={"place"}) for report in public)
