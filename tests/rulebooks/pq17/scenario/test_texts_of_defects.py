"""What is said of impossible states and of wrong scenario files, whole: the texts stand in `texts/`."""

from collections.abc import Callable, Iterator, Mapping

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.pq17 import RULEBOOK
from rules_engine.rulebooks.pq17.records.forces import IdLevel
from rules_engine.rulebooks.pq17.records.minefields import Minefield
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.scenario.invariants import defects
from tests.rulebooks.pq17.scenario.test_reading import BROKEN, FILES, SCENARIO, SHIPS, WORLD
from tests.rulebooks.pq17.worlds.campaign_scenario import files as campaign_files
from tests.rulebooks.pq17.worlds.notation import world
from tests.rulebooks.written_texts import compare

Request = pytest.FixtureRequest
Break = Callable[[State], object]


def mine(state: State, key: str, hex_id: str, level: int = -2, strength: int | None = None) -> None:
    field = Minefield(side="coalition", hex=hex_id, strength=3)
    field.level, field.known_strength = level, strength
    state.mines.fields[key] = field


OTHERS: list[tuple[str, Break]] = [
    ("a unit filed under another id", lambda s: setattr(s.units["A1.CA"], "id", "A1.CB")),
    ("a unit of an unknown class", lambda s: setattr(s.units["A1.CA"], "class_id", "XX")),
    ("more boxes off than there are", lambda s: setattr(s.units["A1.CA"], "boxes_off", 35)),
    ("a task force filed under another id", lambda s: setattr(s.task_forces["A2"], "id", "A5")),
    ("the other side's ship", lambda s: setattr(s.units["A1.CA"], "side", "coalition")),
    ("a port that is not there", lambda s: setattr(s.task_forces["A3"], "hex", "0404")),
    ("a port that is no base", lambda s: setattr(s.task_forces["A3"], "in_port", "A2")),
    ("a base that shadows", lambda s: setattr(s.task_forces["A9"], "shadowing", "C1")),
    ("shadows what is gone", lambda s: setattr(s.task_forces["A1"], "shadowing", "C7")),
    ("a minefield filed elsewhere", lambda s: mine(s, "coalition 0404", "0403")),
    ("a minefield off the map", lambda s: mine(s, "coalition 9999", "9999")),
    ("a minefield known without strength", lambda s: mine(s, "coalition 0403", "0403", level=0)),
    ("a minefield without a number", lambda s: mine(s, "coalition 0403", "0403", level=0, strength=3)),
    ("too many loose mines", lambda s: s.mines.loads.update({"alliance 0403": 200})),
]


@pytest.mark.rule("pq17", "1.6.1", "1.6.3", "1.6.7.1", "1.8.10.1", "5.2.3.5", "5.4.4", "7.3.1", "9.1", "10.2.2")
def test_what_is_impossible(request: Request) -> None:
    lines: list[str] = []
    for name, change in [*((name, change) for name, change, _ in BROKEN), *OTHERS]:
        state = world(WORLD)
        change(state)
        lines += [f"{name}:", *(f"  {one}" for one in defects(state))]
    compare(request, lines)


def test_a_shadower_may_be_shadowed() -> None:
    """C1 shadows A1, which shadows C2: a chain, and no circle."""
    state = world(WORLD.replace("A1 0405 CA+DD speed 2 ID1", "A1 0405 CA+DD speed 2 ID1 shadows C2"))
    state.task_forces["C2"].id_level = IdLevel.U
    state.tracks["alliance"].issue("C2")
    assert defects(state) == []


# --- scenario files ---------------------------------------------------------------------------------------------------

Files = Mapping[str, str]
MOST = 5
"""So many refusals of a file are written down."""


def refused(name: str, files: Files, *, most: int = MOST) -> Iterator[str]:
    yield f"{name}:"
    with pytest.raises(Refused) as caught:
        RULEBOOK.read_scenario(files)
    for one in caught.value.refusals[:most]:
        yield f"  {one}"
    if len(caught.value.refusals) > most:
        yield f"  and {len(caught.value.refusals) - most} more"


def intro(name: str, old: str, new: str) -> dict[str, str]:
    assert old in FILES[name]
    return FILES | {name: FILES[name].replace(old, new, 1)}


def test_wrong_scenarios(request: Request) -> None:
    scenario = "scenario.toml"
    cases = [
        ("a task force off the map", intro(scenario, 'hex = "0403"', 'hex = "4403"')),
        ("a unit of no task force", intro(scenario, 'task_force = "A1"', 'task_force = "A11"')),
        ("a unit of no class", intro(scenario, 'class_id = "MCA"', 'class_id = "MCB"')),
        ("in the enemy's port", intro(scenario, 'in_port = "A9"', 'in_port = "C9"')),
        ("a base in port", intro(scenario, 'id = "A9"', 'id = "A9"\nin_port = "C9"')),
        ("two units with one id", intro(scenario, 'id = "lance"', 'id = "resolve"')),
        ("a base among ships", intro(scenario, 'task_force = "A9"', 'task_force = "A1"')),
        ("one emblem", intro(scenario, 'emblem = "C"', 'emblem = "A"')),
        ("other sides", intro(scenario, 'key = "coalition"', 'key = "horde"')),
        ("conditions that do not reach 100", intro(scenario, "[11, 59, 78, 100]", "[11, 59, 78, 90]")),
        ("no TOML", intro(scenario, "turns = 8", "turns = ")),
        ("an id of the other side", intro(scenario, 'id = "C1"', 'id = "A5"')),
        ("a file too many", FILES | {"scenrio.toml": ""}),
        ("no scenario", {name: text for name, text in FILES.items() if name != scenario}),
        ("no such side's orders", intro(scenario, "turns = 8", 'turns = 8\ndoctrine = { allies = "serch" }')),
        ("raids without nations", intro(scenario, "turns = 8", 'turns = 8\nraid_table = "pq17"')),
        ("conditions without classes", intro(scenario, "turns = 8", 'turns = 8\nspecial_tables = "pq17"')),
    ]
    compare(request, (line for name, files in cases for line in refused(name, files)))


def test_wrong_minefields(request: Request) -> None:
    def field(side: str = "alliance", hex_id: str = "0405", strength: int = 4) -> str:
        return f'[[minefield]]\nside = "{side}"\nhex = "{hex_id}"\nstrength = {strength}\n'

    cases = [
        ("no side", field(side="aliance")),
        ("off the map", field(hex_id="0999")),
        ("in empty space", field(hex_id="0406")),
        ("two of one side", field() * 2),
        ("too weak", field(strength=0)),
        ("too strong", field(strength=100)),
        ("a settlement of nobody", '[[settled]]\nhex = "0301"\nside = "neutral"\nname = "Rock"\n'),
    ]
    files = [(name, {"scenario.toml": SCENARIO + more, "ships.toml": SHIPS}) for name, more in cases]
    mines = {"scenario.toml": SCENARIO.replace("mines = 250", "mines = 281"), "ships.toml": SHIPS}
    compare(request, (line for name, texts in [*files, ("too many mines", mines)] for line in refused(name, texts)))


@pytest.mark.parametrize("strength", [1, 99])
def test_the_weakest_and_the_strongest_minefield_are_read(strength: int) -> None:
    entry = f'[[minefield]]\nside = "alliance"\nhex = "0405"\nstrength = {strength}\n'
    state = RULEBOOK.set_up(RULEBOOK.read_scenario({"scenario.toml": SCENARIO + entry, "ships.toml": SHIPS}))
    assert state.mines.fields["alliance 0405"].strength == strength


WRONG = (
    ('home = "1217"', 'home = "1823"'),
    ('entry = ["1719-1721"]', 'entry = ["1719-1821"]'),
    ('empires = ["Federation"]', 'empires = ["Federaton"]'),
    ('commanded_by = "kzinti"', 'commanded_by = "kzin"'),
    ('"Meridian", "Fortitude"', '"Meridian", "Meridian"'),
    ('class_id = "FED-SB"', 'class_id = "FED-SBX"'),
    ("fittings = { FED-CARGO-POD = 6 }", "fittings = { FED-CA = 6 }"),
    ('id = "A91"', 'id = "C95"'),
    ('force = "federation"\ncount', 'force = "federal"\ncount'),
    ('classes = ["F-L", "F-S"]', 'classes = ["F-L", "FED-DD"]'),
    ('bases = ["kiel"]', 'bases = ["keel"]'),
    ("units = { CA = 2 }", "units = { XX = 2 }"),
    ('forces = ["federation"]\nname = "Patrol', 'forces = ["federal"]\nname = "Patrol'),
    ('entry = ["0801-1201"]\n\n[[campaign.force]]', "\n[[campaign.force]]"),
    ('hex = "1217"\nconditions', "conditions"),
    ("choose = 2\nchoices = [", "choose = 2\n# ["),
    ('key = "orion"\nnation = "orion"', 'key = "orion"\nnation = "orions"'),
)
"""What stands in the campaign's file, and what is wrong in its place."""
WRONG_TOO = (
    ('side = "alliance"\nempires', 'side = "aliance"\nempires'),
    ('"Meridian", "Fortitude"', '"", "Fortitude"'),
    ('class_id = "FED-SB"', 'class_id = "FED-CA"'),
    ('hex = "1217"\nconditions', 'hex = "1217"\nzone = ["1217"]\nconditions'),
)
"""The same for a second file, since these stand in the same places."""


def test_wrong_campaigns(request: Request) -> None:
    lines: list[str] = []
    for name, changes in (("a campaign", WRONG), ("another", WRONG_TOO)):
        text = campaign_files()["scenario.toml"]
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        lines += refused(name, campaign_files() | {"scenario.toml": text}, most=99)
    compare(request, lines)
