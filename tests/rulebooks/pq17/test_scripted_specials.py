"""Campaigns by written orders in which special conditions and random events that seldom come are rolled, entered as the
bot enters them. Expected values are worked out by hand from the rules; seeds were looked for that give the rolls.
"""

from typing import Any

import pytest

from rules_engine.core.basics.counted import counted
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.knowledge.economy.holdings import Economy
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.special_conditions.points import BREAKOUT_HEXES
from tests.rulebooks.pq17.playing.ordered import BOTH, Force, Habit, Order, OrderedPlay, targets, won
from tests.rulebooks.pq17.playing.special_worlds import lines_of, seed_of, special_files

pytestmark = pytest.mark.headless

KIEL = Force("C9", {"kiel": "KLI-BATS"}, base="Kiel")
HUNTER = Force("A1", {"hunter": "FED-CA"})
IN_THE_ZONE = "1009"
"""The middle of WUNDERLAND's zone. PQ-17 C.special.wunderland."""
BUILT = "c-mb-pod-1-base"
LOGISTICS = {"C1": {"posture": ["logistics"]}, "stores": {"sheet": "always"}}


def builds(**line: Any) -> dict[str, Any]:
    return {"build-C1": line}


@pytest.fixture(scope="module")
def wunderland() -> tuple[OrderedPlay, list[Economy]]:
    """Both sides get a base project. The Coalition's tugs come on at Kiel, which stands in the zone here; they begin a
    base, are attacked, put it to work in the next turn and extend it in the third. Also what its owner's economy shows
    while it builds."""
    seen: list[Economy] = []

    def look(ask: AnyAsk) -> Sheet:
        seen.append(game.adjudicator.economy("coalition"))
        return ask.form.prefilled()

    game = OrderedPlay(
        special_files(KIEL, HUNTER, hex_id=IN_THE_ZONE, turns=4),
        Order(1, "coalition", "planning", LOGISTICS),
        Order(1, "coalition", "logistics", builds(build="KLI-MB", conditions="2", parts=["c-repair-pod-1"])),
        Order(1, "alliance", "attack", {"A1": {"target": "Kiel"}}),
        Order(1, BOTH, "battle", won("coalition", AT1={"fate": "destroyed"})),
        Order(2, "coalition", "logistics", builds(build=f"activate {BUILT}")),
        Order(3, "coalition", "logistics", builds(build=f"extend {BUILT}", parts=["c-cargo-pod-1"])),
        habits={"search": look},
        seed=seed_of({"alliance": range(29, 50), "coalition": range(29, 36)}),
    )
    return game.play(3), seen


@pytest.mark.rule("pq17", "1.8.12.2", "1.8.12.3", "1.8.12.4", "1.8.12.6", "1.8.12.7", "1.8.12.8", "1.8.12.9")
def test_a_base_that_was_attacked_while_it_was_built_is_put_to_work_and_extended_later(
    wunderland: tuple[OrderedPlay, list[Economy]],
) -> None:
    game, seen = wunderland
    said = [text for text in game.told("coalition", "logistics") if "MB" in text]
    assert said == [
        "C MB 1009 stands in 1009; all its systems are inactive until the procedure is repeated.",
        "C1 WUNDERLAND has worked on C MB 1009; it works.",
        "C MB 1009 has been extended; it works.",
    ]
    base = game.state.units[BUILT]
    assert not base.repairs.inactive
    (built,) = game.state.built
    assert [part.class_id for part in built.parts] == ["KLI-MB-POD", "KLI-MB-POD", "KLI-REPAIR-POD", "KLI-CARGO-POD"]
    cluster = game.state.tf_of(BUILT)
    assert cluster is not None
    assert cluster.base is not None
    assert (cluster.hex, cluster.base.conditions, cluster.base.known) == (IN_THE_ZONE, 2, False)
    building = [work.what for place in seen[0].places for work in place.queue]
    assert [what for what in building if what.startswith("Builds")] == ["Builds Klingon mobile base"]


@pytest.mark.rule("pq17", "C.special.wunderland", "C.special.gearbox", "1.8.12.5")
def test_wunderlands_base_scores_once_it_works_and_gearboxs_ships_wait_off_the_map(
    wunderland: tuple[OrderedPlay, list[Economy]],
) -> None:
    """It works from turn 2 on, before the cargo pod is added: two core pods at 2 points and the repair pod at 1 are
    5."""
    game, _ = wunderland
    assert [(line.line, line.amount, line.turn) for line in game.state.ledger if line.line == "C.special"] == [
        ("C.special", -5, 2)
    ]
    modules = [unit for unit in game.state.units.values() if unit.class_id == "KLI-POWER-MODULE"]
    assert {unit.carried_by for unit in modules} == {"c-f-al-1"}
    assert game.state.units["c-f-al-1"].module_boxes == 2 * 12
    brought = [unit for unit in game.state.units.values() if unit.class_id in ("FED-TUG", "FED-F-AL", "F-AL")]
    assert len([unit for unit in brought if unit.side == "alliance"]) == 4


@pytest.mark.rule("pq17", "C.special.breakout")
def test_the_breakouts_ships_join_at_kiel_and_warships_may_leave_over_the_trailing_edge() -> None:
    game = OrderedPlay(
        special_files(KIEL, Force("C1", {"raider": "KLI-CA"}), HUNTER, turns=2),
        Order(1, "coalition", "operations", {"breakout": {"now": "yes"}}),
        seed=seed_of({"alliance": range(93, 101), "coalition": range(36, 43)}),
    ).play(1)
    (project,) = game.state.special.projects
    kinds = sorted(game.state.units[one].class_id for one in project.ships)
    assert (project.name, project.due, kinds) == ("breakout", 2, ["KLI-FD7", "KLI-FD7", "KLI-FD7", "KLI-TGB"])
    permit = game.state.progress.permits["raider"]
    assert set(BREAKOUT_HEXES) <= set(permit.hexes)
    assert permit.key == "breakout"


@pytest.mark.rule("pq17", "C.suicide-freighter", "C.random.residual-minefield", "12.7.3")
def test_a_freighter_at_kiel_is_loaded_with_explosives_and_runs_into_old_mines() -> None:
    """The cargo boxes that the mines have left take a supply point each, which the freighter has itself."""
    game = OrderedPlay(
        special_files(KIEL, Force("C1", {"cargo": "F-L"}, port="C9"), HUNTER, turns=2),
        Order(1, "coalition", "planning", LOGISTICS),
        Order(1, "coalition", "suicide freighters", {"cargo": {"convert": True}}),
        Order(1, "alliance", "random event", {"use": {"on": "E1"}}),
        habits={"mine damage": lambda ask: ask.form.prefilled()},
        seed=seed_of({"alliance": range(93, 101), "coalition": range(50, 57)}, {"alliance": (0, 18)}),
    ).play(1)
    met = [text for text in game.told("coalition", "mines") if text.startswith("C1 met a residual minefield")]
    assert len(met) == 1
    cargo = game.state.units["cargo"]
    assert (cargo.module_boxes, cargo.supply) == (cargo.cargo, 0)
    assert f"Cargo is a suicide freighter with {counted(cargo.cargo, 'box')} of explosives." in game.told(
        "coalition", "special"
    )


@pytest.mark.rule("pq17", "C.special.coalition-convoy", "SOP.2.c.ii")
def test_what_a_coalition_convoy_unloads_far_from_1715_counts_as_delivered() -> None:
    """Kiel stands in 0404 here, more than three hexes from 1715. Its cargo is full, so that the points are lost."""
    game = OrderedPlay(
        special_files(KIEL, HUNTER, turns=2),
        Order(1, "coalition", "planning", LOGISTICS),
        Order(1, "coalition", "logistics", {"stores": {"lose": True}, "c-f-l-1": {"give": "> kiel 3 supply"}}),
        seed=seed_of({"coalition": range(8, 22)}),
    ).play(1)
    loads = {load.unit: (load.left, load.delivered) for load in game.state.special.shiploads}
    assert loads == {"c-f-l-1": (47, 3), "c-f-l-2": (50, 0)}


SETTLED = '[[settled]]\nhex = "0404"\nside = "alliance"\nname = "Meridian"\nempire = "Federation"\n'


@pytest.mark.rule("pq17", "8.6.2.2", "7.2.1")
def test_a_raider_that_finds_a_settled_hex_shadows_it_while_it_stays() -> None:
    def look(ask: AnyAsk) -> Sheet:
        sheet = ask.form.prefilled()
        for target in targets(ask).get("C1", [])[:1]:
            sheet["C1"] |= {"target": target, "shadow": True} if target.startswith("settled") else {}
        return sheet

    game = OrderedPlay(
        special_files(Force("C1", {"raider": "KLI-CA"}), turns=2, more='raid_table = "pq17"', tables=SETTLED),
        habits={"search": look},
        seed=seed_of({"alliance": range(93, 101), "coalition": range(93, 101)}),
    ).play(1)
    assert game.state.settled["0404"].shadowed_by == ["raider"]
    assert "C1 shadows settled hex 0404 while it stays there." in game.told("coalition", "shadowing")


FORCE = """
[[campaign.force]]
key = "klingon"
nation = "klingon"
name = "Klingon"
points = { CA = 200 }
arrives = "deployed"
entry = ["0404"]
"""


@pytest.mark.rule("pq17", "C.purchase.3", "11.5.4")
def test_a_ship_bought_with_a_refit_has_its_boxes_from_the_start() -> None:
    """131 for the cruiser and 7 for the refit leave 62 of 200 points; the refit adds a battery to four. In the account
    of a battle it may have five of them left, and the Federation's cruiser has its four."""
    batteries: dict[str, int | None] = {}

    def fight(ask: AnyAsk) -> Sheet:
        batteries.update(
            {line.key: field.most for line in ask.form.lines for field in line.fields if field.key == "battery"}
        )
        return lines_of(ask, battle={"winner": "coalition", "turns": 3}, AT1={"fate": "destroyed"})

    made = special_files(KIEL, HUNTER, turns=2, tables=FORCE)
    made["scenario.toml"] = made["scenario.toml"].replace(
        'home = "1715"\nentry = ["1715"]', 'home = "0404"\nentry = ["0404"]'
    )
    game = OrderedPlay(
        made,
        Order(1, "coalition", "purchase", {"klingon-CA": {"buy": "1 KLI-CA + K refit"}}),
        Order(1, "alliance", "attack", {"A1": {"target": "Kiel"}}),
        habits={"battle": fight},
    ).play(1)
    assert (batteries["DF2"], batteries["AT1"]) == (5, 4)
    (bought,) = [unit for unit in game.state.units.values() if unit.class_id == "KLI-CA"]
    assert (bought.repairs.refits, bought.battery) == (["K refit"], 5)
    assert any("You keep 62 points for CA" in text for text in game.told("coalition", "purchase"))


@pytest.mark.rule("pq17", "4.2.3", "7.3.2", "7.4.4.2")
def test_a_shadower_without_command_points_falls_behind_when_its_target_goes_on() -> None:
    """The Kzintis have no point for their cruiser, which is to go home to 1001: its target's way to 0505 is none."""

    def shadow(ask: AnyAsk) -> Sheet:
        sheet = ask.form.prefilled()
        if "E1" in targets(ask).get("A1", []):
            sheet["A1"] |= {"target": "E1", "shadow": True}
        return sheet

    def go_on(ask: AnyAsk) -> Sheet:
        sheet = ask.form.prefilled()
        if "C1" in sheet:
            sheet["C1"]["move"] = "0505"
        return sheet

    made = special_files(Force("A1", {"hunter": "KZI-CA"}), Force("C1", {"raider": "KLI-CA"}), turns=2)
    home = 'home = "1001"\nentry = ["1001"]\ncommand_points = '
    made["scenario.toml"] = made["scenario.toml"].replace(f"{home}9", f"{home}0")
    game = OrderedPlay(
        made,
        Order(1, "alliance", "planning", {"A1": {"speed": "2"}}),
        Order(1, "coalition", "planning", {"C1": {"speed": "2"}}),
        habits={"search": shadow, "plot": go_on},
        seed=b"\0\0\0\5" * 8,  # its search succeeds
    ).play(1)
    assert game.told("alliance", "shadowing") == [
        "E1 in 0404 announces speed 2: A1 shadows it from now on.",
        "A1 no longer shadows E1; its speed is 2.",
    ]
    why = [one.why for one in game.reports if one.kind == "shadowing" and one.is_for("alliance")][-1]
    assert why is not None
    assert dict(why.inputs) == {"its target goes to": "0505", "it must go": "to port by the shortest way"}
    assert (game.state.task_forces["A1"].shadowing, game.state.task_forces["C1"].hex) == ("", "0505")


# --- over a period's end ----------------------------------------------------------------------------------------------
CONVOY = """
[[campaign.convoy]]
key = "klingon-supply"
nation = "klingon"
name = "Klingon base convoy"
boxes = 50
classes = ["F-L", "F-S"]
entry = ["1701-1715"]
unload_at = ["1715"]
"""
TRANSFER = """
[[transfer]]
key = "federation-1"
period = 1
nation = "federation"
hulls = { DN = 1 }
"""


@pytest.mark.rule("pq17", "C.vp.14", "C.vp.note9", "C.cargo-supply-benefit", "SOP.3.a", "SOP.3.b")
def test_over_a_periods_end_a_missed_transfer_is_scored_and_a_bought_carrier_comes_again_filled() -> None:
    """The Federation has no dreadnought to send: the usual one's 230 points of value count one and a half times, 5.75
    victory points, rounded to 6. The Klingon tug leaves by 1715 in the first turn with its 24 boxes of supply."""
    made = special_files(
        Force("A1", {"flag": "FED-CA"}), Force("C1", {"trader": "KLI-TGB"}), hex_id="1715", turns=32, tables=CONVOY
    )
    game = OrderedPlay(
        made | {"schedule.toml": TRANSFER},
        Order(1, "coalition", "planning", {"C1": {"speed": "2", "route": "exit"}}),
    )
    game.play(1)
    away = game.state.progress.away["trader"]
    assert (away.state, away.turn, game.state.tf_of("trader")) == ("waiting", 1, None)
    game.play(31)
    (missed,) = [line for line in game.state.ledger if line.line == "C.vp.14"]
    assert (missed.amount, missed.text, missed.turn) == (-6, "Federation DN not transferred.", 30)
    (told,) = [one for one in game.reports if one.text.startswith("Period 1:")]
    assert told.is_public()
    assert told.text.startswith("Period 1: Coalition scores 15: ")
    assert "Command points 1 (Federation: 1 command point expended)" in told.text
    (came,) = [text for text in game.told("coalition", "arrival") if "Trader" in text]
    assert came.startswith("Klingon base convoy's carriers came on in 1701 as ")
    assert ("trader" in game.state.progress.away, game.state.units["trader"].supply) == (False, 24)


# --- a straggler ------------------------------------------------------------------------------------------------------
TRADERS = ("A1", "A2", "A3")


@pytest.mark.rule("pq17", "C.random.straggler")
def test_a_straggler_of_known_freighters_is_sunk_by_a_second_attempt_after_a_failed_one() -> None:
    """Four cruisers search three pairs of freighters, and attack those that they know at ID3; who is attacked gets
    away. One attack fails, and the second attempt, which the event allows, sinks a freighter of 60 points of value."""

    def known(ask: AnyAsk, least: int) -> dict[str, list[str]]:
        held = {number: key for key, number in game.state.tracks["coalition"].current.items()}
        levels = {number: game.state.task_forces[key].id_level for number, key in held.items() if key in TRADERS}
        offered = targets(ask) if ask.parties == ("coalition",) else {}
        return {key: [one for one in found if levels.get(one, least - 1) >= least] for key, found in offered.items()}

    def search(ask: AnyAsk) -> Sheet:
        sheet = ask.form.prefilled()
        for number, (key, found) in enumerate(known(ask, IdLevel.N).items()):
            if found:
                sheet[key]["target"] = found[number % len(found)]
        return sheet

    def attack(ask: AnyAsk) -> Sheet:
        sheet = ask.form.prefilled()
        for key, found in known(ask, IdLevel.ID3).items():
            if found:
                sheet[key]["target"] = found[0]
        return sheet

    def get_away(ask: AnyAsk) -> Sheet:
        attackers = {
            line.key: {"fate": "disengaged", "turn": 1} for line in ask.form.lines if line.key.startswith("AT")
        }
        return lines_of(ask, battle={"winner": "alliance", "turns": 3}, **attackers)

    habits: dict[str, Habit] = {"search": search, "attack": attack, "battle": get_away}
    traders = [Force(key, {f"trader{key[1]}": "F-L", f"other{key[1]}": "F-L"}) for key in TRADERS]
    raiders = [Force(f"C{number}", {f"raider{number}": "KLI-CA"}) for number in range(1, 5)]
    game = OrderedPlay(
        special_files(*traders, *raiders, turns=2),
        habits=habits | {"random event": lambda _: {"use": {"on": "yes"}}},
        seed=(637).to_bytes(4, "big") * 8,
    )
    game.play(1)
    assert "A freighter straggles in 0404 and is destroyed." in game.told("coalition", "battle")
    lost = [key for key, unit in game.state.units.items() if unit.fate == "destroyed"]
    assert len(lost) == 1
    assert game.state.units[lost[0]].class_id == "F-L"
    assert [one.amount for one in game.state.ledger if one.text == "A freighter destroyed in 0404."] == [-1]
