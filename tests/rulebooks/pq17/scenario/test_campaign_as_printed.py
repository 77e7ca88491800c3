"""The campaign's file against its text: what the orders of battle print, number for number."""

import pytest

from rules_engine.rulebooks.pq17.tables.order_of_battle import OrderOfBattle
from tests.expected.kept import Kept, cases
from tests.rulebooks.pq17.playing.campaign_play import scenario
from tests.rulebooks.pq17.worlds.campaign import scenario_file

NATIONS = {"FED": "federation", "KZI": "kzinti", "KLI": "klingon"}


def printed() -> OrderOfBattle:
    return scenario_file().campaign


@pytest.mark.rule(
    "pq17", "C.oob.federation.bases", "C.oob.kzinti.bases", "C.oob.klingon.bases", "C.oob.klingon.bastion"
)
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
    assert bastion.zone == tuple(f"{row}01-{row}09" for row in range(12, 18))
    assert bastion.away_from_settled == 3


@pytest.mark.rule(
    "pq17",
    "C.oob.federation.points",
    "C.oob.kzinti.points",
    "C.oob.klingon.points",
    "C.oob.klingon.lyran-force",
    "C.oob.kzinti.reaction-force",
    "C.oob.kzinti.orion-mercenaries",
)
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
        ("federation", 2, "FED-DN"),
        ("klingon", 1, "KLI-C8"),
        ("klingon", 3, "KLI-F-AL"),
        ("klingon", 3, "KLI-L-Q"),
    ]
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
    assert [(one.hex, one.side, one.strength) for one in file.minefield] == [
        ("1217", "alliance", 4),
        ("1715", "coalition", 4),
    ]


def test_setting_up_adds_no_classes_to_the_document() -> None:
    """A journal begins with the document: bases with fittings are classes of the state alone."""
    book, document = scenario(turns=1)
    printed_classes = list(document["classes"])
    assert not any("@" in class_id for class_id in printed_classes)
    assert any("@" in class_id for class_id in book.set_up(document).classes)
    assert list(document["classes"]) == printed_classes
