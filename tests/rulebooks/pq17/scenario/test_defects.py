"""Defects of scenario files and of states: what can be wrong, and the sentences for it."""

import tomllib
from typing import Any

import pytest

from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.ch01_forces.new_units import new_units, place_units
from rules_engine.rulebooks.pq17.ch06_reconnaissance.attempt import fixed_conditions
from rules_engine.rulebooks.pq17.records import forces
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from rules_engine.rulebooks.pq17.tables.order_of_battle import OrderOfBattle, spread
from rules_engine.rulebooks.pq17.tables.unit_types import payers
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.playing.campaign_play import scenario
from tests.rulebooks.pq17.scenario.test_reading import WORLD
from tests.rulebooks.pq17.worlds.campaign import scenario_file
from tests.rulebooks.pq17.worlds.campaign_scenario import campaign, document, files, purchase, refused, rules_of
from tests.rulebooks.pq17.worlds.notation import world
from tests.rulebooks.scenario_defects import Scenarios, without_line

# --- the campaign's file against its text: what the orders of battle print, number for number -------------------------
NATIONS = {"FED": "federation", "KZI": "kzinti", "KLI": "klingon"}


def printed() -> OrderOfBattle:
    return scenario_file().campaign


@cases("name, kind, fixed, more")
def test_bases(name: str, kind: str, fixed: dict[str, int], more: tuple[int, int]) -> None:
    """``more`` are modules that the owner chooses, and packages of mines. All are known and in good conditions but the
    Bastion, which is unknown, in terrible ones, and where its owner puts it."""
    (base,) = [one for one in printed().base if f"{one.name} in {one.hex}" == name]
    prefix = kind[:3]
    assert (base.class_id, base.nation) == (kind, NATIONS[prefix])
    assert base.fittings == {f"{prefix}-{part}": count for part, count in fixed.items()}
    assert (base.choose, base.mine_packages) == more
    assert (base.known, base.conditions) == ((False, 4) if base.hex is None else (True, 1))


@pytest.mark.rule("pq17", "C.oob.klingon.bastion")
def test_bastions_zone() -> None:
    """Row 12 and rimward, column 9 and spinward; more than three hexes from Kzinti settled hexes."""
    (bastion,) = [one for one in printed().base if one.name == "Bastion"]
    assert (bastion.zone, bastion.away_from_settled) == (tuple(f"{row}01-{row}09" for row in range(12, 18)), 3)


@pytest.mark.rule("pq17", "C.oob.federation.points", "C.oob.kzinti.points", "C.oob.klingon.points")
@pytest.mark.rule("pq17", "C.oob.klingon.lyran-force", "C.oob.kzinti.reaction-force", "C.oob.kzinti.orion-mercenaries")
def test_points_of_forces() -> None:
    found = {
        one.key: ({str(key): int(value) for key, value in one.points.items()}, one.most) for one in printed().force
    }
    assert found == {
        "federation": ({"CA": 1100, "CL": 500, "DD": 1800, "FF": 450}, {}),
        "kzinti-convoy": ({"CIV": 1100}, {}),
        "kzinti": ({"DD": 300, "FF": 800}, {}),
        "kzinti-reaction": ({"CA": 450, "CL": 250}, {}),
        "orion": ({"BB": 500}, {"CA": 1, "CL": 1}),
        "klingon": ({"CA": 1100, "DD": 2600, "FF": 400}, {}),
        "lyran": ({"BB": 500}, {"CA": 1, "CL": 1}),
    }


@pytest.mark.rule("pq17", "C.oob.federation.mandatory-ships", "C.oob.klingon.mandatory-ships")
def test_mandatory_ships() -> None:
    """Two dreadnoughts; a C8, three F-AL of any variant, three L-Q."""
    assert [(one.force, one.count, one.classes[0]) for one in printed().mandatory] == [
        ("federation", 2, "FED-DN"), ("klingon", 1, "KLI-C8"), ("klingon", 3, "KLI-F-AL"), ("klingon", 3, "KLI-L-Q"),
    ]  # fmt: skip
    assert [len(one.classes) > 1 for one in printed().mandatory] == [False, False, True, False]


@pytest.mark.rule("pq17", "C.oob.federation.base-convoy", "C.oob.kzinti.base-convoy", "C.oob.klingon.base-convoy")
def test_base_convoys() -> None:
    """Trailing edge, or rimward from 1722 to 1719; spinward from 0801 to 1201; rimward from 1701 to 1715."""
    assert [(one.nation, one.boxes, one.entry) for one in printed().convoy] == [
        ("federation", 450, ("0122-1722", "1719-1722")),
        ("kzinti", 200, ("0801-1201",)),
        ("klingon", 200, ("1701-1715",)),
    ]


@pytest.mark.rule("pq17", "C.oob.federation.deployment", "C.oob.klingon.deployment", "C.oob.federation.patrol-white")
def test_groups_that_have_their_place(kept: Kept) -> None:
    groups = {
        one.name: (one.units, one.hexes, one.bases, one.around, one.within) for one in printed().area if one.units
    }
    assert groups == kept()


@pytest.mark.rule("pq17", "C.oob.federation.deployment", "C.oob.klingon.deployment", "C.map")
def test_the_map_its_minefields_and_the_campaigns_length() -> None:
    file = scenario_file()
    assert (file.map.columns, file.map.rows, file.turns, file.local_conditions) == (22, 17, 660, (11, 59, 78, 100))
    found = [(one.hex, one.side, one.strength) for one in file.minefield]
    assert found == [("1217", "alliance", 4), ("1715", "coalition", 4)]


def test_setting_up_adds_no_classes_to_the_document() -> None:
    """A journal begins with the document: bases with fittings are classes of the state alone."""
    book, document = scenario(turns=1)
    printed_classes = list(document["classes"])
    assert not any("@" in class_id for class_id in printed_classes)
    assert any("@" in class_id for class_id in book.set_up(document).classes)
    assert list(document["classes"]) == printed_classes


# --- what the text gives ----------------------------------------------------------------------------------------------
@pytest.mark.rule("pq17", "C.year-duration")
def test_the_campaign_is_22_periods_of_30_turns_in_the_year_167() -> None:
    settings = campaign().settings
    assert (settings.turns, settings.campaign.year) == (22 * 30, 167)
    assert settings.victory_points == 22 * 15  # 30 points for every two periods


@pytest.mark.rule("pq17", "C.map")
def test_the_map_says_of_every_hex_where_it_comes_from() -> None:
    state = campaign()
    assert len(state.grid.hexes()) == 17 * 22
    raw = tomllib.loads(files()["scenario.toml"])
    assert raw["map"]["elsewhere"] == "invented"
    assert all(entry["source"] in ("text", "invented") for what in ("settled", "terrain") for entry in raw[what])
    given = {one["hex"] for one in raw["settled"] if one["source"] == "text"}
    assert given == {"0801", "0901", "1001", "1101", "1201", "1719", "1720", "1721"}  # ruling MAP-6
    found = {one["hex"] for one in raw["terrain"] if one["source"] == "invented"}
    assert found == {"0713", *state.grid.neighbours("0713")}


@pytest.mark.rule("pq17", "C.map")
def test_invented_hexes_are_marked_on_every_sides_map() -> None:
    notes = {note.hex: note for note in RULEBOOK.public_board(campaign()).hexes}
    assert notes["0713"].invented
    assert not notes["1001"].invented
    assert notes["1217"].name == "Scapa Flow"


@pytest.mark.rule("pq17", "C.map.mutara-nebula")
def test_in_the_mutara_nebula_conditions_are_always_terrible() -> None:
    state = campaign()
    inside = place_units(state, "alliance", new_units(state, "federation", "FED-DD"), "0713")
    beside = place_units(state, "alliance", new_units(state, "federation", "FED-DD"), "0715")
    assert fixed_conditions(state, inside) == 4
    assert fixed_conditions(state, beside) is None
    assert state.terrain("0713") == "nebula"  # what the battle sheet prints


def test_command_points_by_nation() -> None:
    found = {
        one.key: (one.command_points_start, one.command_points, one.command_points_most)
        for one in campaign().settings.campaign.nation
        if not one.commanded_by
    }
    assert found == {"federation": (0, 8, 0), "kzinti": (0, 2, 4), "klingon": (1, 2, 8)}


@pytest.mark.rule("pq17", "C.oob.federation.bases", "C.oob.klingon.bases")
def test_starting_minefields_lie_at_the_two_fleet_bases() -> None:
    fields = {(one.side, one.hex): one.strength for one in campaign().mines.fields.values()}
    assert fields == {("alliance", "1217"): 4, ("coalition", "1715"): 4}


@pytest.mark.rule("pq17", "1.4.2", "C.oob.federation.base-convoy", "C.oob.kzinti.base-convoy")
def test_entry_edges_are_those_of_the_text() -> None:
    data = campaign().settings.campaign
    trailing = [f"{row:02}22" for row in range(1, 18)]
    assert sorted(spread(data.convoy_of("federation-supply").entry)) == sorted([*trailing, "1719", "1720", "1721"])
    assert spread(data.force_of("kzinti-convoy").entry) == tuple(trailing)
    assert spread(data.convoy_of("kzinti-supply").entry) == ("0801", "0901", "1001", "1101", "1201")
    assert spread(data.convoy_of("klingon-supply").entry) == tuple(f"17{column:02}" for column in range(1, 16))
    found = {one.key: spread(one.entry) for one in data.nation if one.key in ("federation", "klingon")}
    assert found == {"federation": ("1719", "1720", "1721"), "klingon": ("1715",)}


@pytest.mark.rule("pq17", "1.4.2")
def test_a_class_record_may_put_a_unit_into_another_category() -> None:
    """A scenario's clarification: a cruiser of movement cost 1 that counts as a light one is paid from those points."""
    state = campaign()
    state.classes["FED-CA"] = state.classes["FED-CA"].model_copy(update={"table8_category": "CL"})
    assert payers(state.classes["FED-CA"])[0] == "CL"
    assert "C.purchase.1e" not in rules_of(refused(purchase(state, "alliance"), federation_CL={"buy": "1 CA"}))


@pytest.mark.rule("pq17", "1.4.2")
def test_every_class_that_the_text_names_is_there_and_every_figure_is_marked_invented() -> None:
    classes = campaign().classes
    general = (
        "F-OL F-OP F-HL F-LL F-L F-PL F-RL F-SL F-TL STG UFL F-HS F-LS F-PS F-RS F-S F-SS F-TS HTG TSS UFS APS APT"
    )
    general += " CUT EPT FDX FT FTK FTP FTR FTT FTZ PT PTC LB SK SSK MCR BSC CCS CPL CPP SAM"
    federation = "GCA MON GDD GFF GSR POL YDN YCC YCA YCL YCM YCS YD YFF YTG WCL WCM WSR WDD DDF DDG F-AL TUG"
    kzinti = "LCS MON LCD LFF POL YDN YCC YCS YSR YCL YCD YDF YFF YCG WCA WCI WCL WLI WDD WFF WFI"
    klingon = "C8 D7C FD7 TGB F5C F5B F5DB E4B F-AL L-Q TUG"
    wanted = set(general.split())
    for prefix, listed in (("FED", federation), ("KZI", kzinti), ("KLI", klingon)):
        wanted |= {f"{prefix}-{one}" for one in listed.split()}
    assert wanted <= set(classes)
    assert all(kind.invented for kind in classes.values())


# --- what can be wrong ------------------------------------------------------------------------------------------------
CAMPAIGN = Scenarios("pq17", RULEBOOK.read_scenario, usual="campaign", changed="campaign")


@cases("old, new, said")
def test_defects_of_the_campaign_are_named_with_their_place(old: str, new: str, said: str) -> None:
    assert CAMPAIGN.told_of("scenario.toml", old, new) == said


@pytest.mark.parametrize(("letters", "wrong"), [(0, True), (1, False), (32, False), (33, True)])
def test_a_ships_name_has_one_to_32_characters(letters: int, wrong: bool) -> None:
    texts = CAMPAIGN.with_change("scenario.toml", '"Meridian", "Fortitude"', f'"{letters * "M"}", "Fortitude"')
    texts["scenario.toml"] = texts["scenario.toml"].replace('home = "1217"', 'home = "1823"', 1)  # one defect at least
    assert any("a ship's name has 1 to 32 characters" in one for one in CAMPAIGN.refused(texts)) is wrong


def test_all_defects_are_told_at_once() -> None:
    texts = CAMPAIGN.with_change("scenario.toml", 'home = "1217"', 'home = "1823"')
    texts["scenario.toml"] = texts["scenario.toml"].replace('bases = ["kiel"]', 'bases = ["keel"]', 1)
    texts["oob_alliance.toml"] += "\n[extras]\n"
    found = " ".join(CAMPAIGN.refused(texts))
    assert all(word in found for word in ("1823", "keel", "oob_alliance.toml.extras"))


@cases("name, old, new, said")
def test_ready_made_orders_of_battle_are_judged_as_a_players(name: str, old: str, new: str, said: str) -> None:
    assert without_line(CAMPAIGN.told_of(name, old, new)) == said


def test_a_scenario_without_ready_made_orders_of_battle_can_be_played() -> None:
    texts = {name: text for name, text in files().items() if not name.startswith("oob_")}
    state = RULEBOOK.set_up(RULEBOOK.read_scenario(texts))
    for side in ("alliance", "coalition"):
        ask = purchase(state, side)
        assert ask.check(ask.default) == []
        assert ask.form.prefilled()  # plain hulls are filled in


def test_own_figures_that_make_ships_dearer_leave_out_what_no_longer_fits() -> None:
    """A destroyer of 160 points: the ready-made line costs far too much, and plain hulls take its place."""
    text = files()["ships.toml"]
    start = text.index('[[class]]\nclass_id = "FED-DD"\n')
    record = text[start : text.index("[[class]]", start + 5)].replace("bpv_economic = 80", "bpv_economic = 160")
    record = record.replace('source = "invented"', 'source = "our own"')
    state = RULEBOOK.set_up(RULEBOOK.read_scenario({**files(), "own_ships.toml": record}))
    sheet = purchase(state, "alliance").form.prefilled()
    assert sheet["federation-DD"] == {"buy": "11 DD"}  # 1760 of 1800
    assert sheet["federation-CA"] == {"buy": "7 CA, 1 CAC"}  # still as it was


def test_the_document_holds_everything_and_reads_back() -> None:
    read: dict[str, Any] = document()
    assert set(read["ready_made"]) == {"alliance", "coalition"}
    assert len(read["file"]["campaign"]["force"]) == 7
    assert RULEBOOK.defects(RULEBOOK.set_up(read)) == []


def test_a_shadower_may_be_shadowed() -> None:
    """C1 shadows A1, which shadows C2: a chain, and no circle."""
    state = world(WORLD.replace("A1 0405 CA+DD speed 2 ID1", "A1 0405 CA+DD speed 2 ID1 shadows C2"))
    state.task_forces["C2"].id_level = forces.IdLevel.U
    state.tracks["alliance"].issue("C2")
    assert defects(state) == []
