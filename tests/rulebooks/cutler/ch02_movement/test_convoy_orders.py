"""Chapter 2.7 on sheets: who may sail where, what is refused, how it is read back, and what random players can do."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.rulebooks.cutler import RULEBOOK
from rules_engine.rulebooks.cutler.ch01_setup.forces import judge_force
from rules_engine.rulebooks.cutler.ch02_movement.convoys.orders import convoy_lines
from rules_engine.rulebooks.cutler.ch02_movement.plot_words import courses_of, warnings_of
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.invariants import defects
from rules_engine.rulebooks.cutler.records.economy import BaseSite
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from rules_engine.rulebooks.cutler.sequence import impulse_steps
from tests.rulebooks.cutler.ch01_setup.ring import opened
from tests.rulebooks.cutler.worlds import HAULER, Run, intro_files, kind_of, refusal_words, refusals, table_of, world

W = "hydran-waits-"
FL, FL2, FS, QL, QS = (f"{W}{code}" for code in ("FL", "FL2", "FS", "QL", "QS"))
TEXT = """
turn 1
planet capital 0302 hydran home
planet minor 0307 hydran front
planet capital 0902 lyran den
hydran base 0504 Post
lyran base 0608 Lair
hydran waits 0302 FL+FL+FS+QL+QS
hydran V1 0303 FL+QL+QS course 0304 0305 0306 0307
hydran F1 0302 FF
lyran F1 1101 CC
"""
OTHERS = "0307, 0504, 0902"


@pytest.mark.rule("cutler", "2.7", "2.7.2", "2.7.3", "2.7.4")
@pytest.mark.parametrize(
    ("sheet", "problems"),
    [
        ({}, []),
        ({"E0302": {"to": "0307"}}, []),
        ({"E0302": {"to": "0504", "ships": [FL], "course": "0403"}}, []),
        # Planets are known to all, whoever holds them; a foreign base is known to nobody else.
        ({"E0302": {"to": "0902"}}, []),
        (
            {"E0302": {"to": "0608"}},
            ["E0302.to: in 0608 there is neither a planet nor a base of yours (2.7, CU-N80). Legal: 0307, 0504, 0902."],
        ),
        (
            {"E0302": {"course": "0304"}},
            [
                "E0302.course: in 0304 there is neither a planet nor a base of yours (2.7, "
                "CU-N80). Legal: 0307, 0504, 0902. Did you mean 0504 or 0307?"
            ],
        ),
        (
            {"E0302": {"course": "0303 0302"}},
            ["E0302.course: this way ends where it begins, in 0302 (2.7). Legal: 0307, 0504, 0902."],
        ),
        (
            {"E0302": {"to": "0302"}},
            ["E0302.to: this way ends where it begins, in 0302 (2.7). Legal: 0307, 0504, 0902."],
        ),
        (
            {"E0302": {"to": "9999"}},
            [
                "E0302.to: '9999' is not a hex of this map (columns 01-11, rows 01-09, numbered "
                "CCRR). Legal: hex numbers in order, as 0404 0505, or to 0505. Did you mean 1009 "
                "or 1109 or 0809?"
            ],
        ),
        (
            {"E0302": {"to": "0307", "ships": []}},
            [
                "E0302.ships: nobody is named to sail. Legal: hydran-waits-FL, hydran-waits-FL2, "
                "hydran-waits-FS, hydran-waits-QL, hydran-waits-QS."
            ],
        ),
        (
            {"E0302": {"to": "0307", "ships": ["hydran-F1-FF", FL]}},
            [
                "E0302.ships: this is no freighter of yours in this hex. Legal: hydran-waits-FL, "
                "hydran-waits-FL2, hydran-waits-FS, hydran-waits-QL, hydran-waits-QS. Did you "
                "mean hydran-waits-FS or hydran-waits-FL or hydran-waits-FL2?"
            ],
        ),
        ({"E0307": {"to": "0302"}}, ["E0307: no freighters of yours wait in this hex. Legal: E0302."]),
        # Under way, nothing is broken off or changed, by no line.
        (
            {"E0302": {"to": "0307", "ships": ["hydran-V1-FL"]}},
            [
                "E0302.ships: Hydran V1 Fl is under way in V1, whose plot is neither broken off "
                "nor changed (2.7.2). Legal: hydran-waits-FL, hydran-waits-FL2, hydran-waits-FS, "
                "hydran-waits-QL, hydran-waits-QS."
            ],
        ),
        (
            {"V1": {"to": "0302"}},
            [
                "V1.to: V1 is under way, and its plot is neither broken off nor changed (2.7.2). "
                "Legal: 0304 0305 0306 0307."
            ],
        ),
        (
            {"V1": {"course": "0302"}},
            [
                "V1.course: V1 is under way, and its plot is neither broken off nor changed "
                "(2.7.2). Legal: 0304 0305 0306 0307."
            ],
        ),
        ({"V2": {"back": []}}, ["V2: you have no such convoy. Legal: V1."]),
        ({"V1": {"back": ["hydran-V1-QL"]}}, []),
        # One Q-ship for every two freighters of its size, and none alone.
        ({"E0302": {"to": "0307", "ships": [FL, FL2, QL]}}, []),
        (
            {"E0302": {"to": "0307", "ships": [FL, FS, QL]}},
            [
                "E0302.ships: 1 large Q-ship for 2 freighters (2.7.3, CU-R42). Legal: 0 of that "
                "size: one for every two large freighters."
            ],
        ),
        (
            {"E0302": {"to": "0307", "ships": [FL, FL2, QL, QS]}},
            [
                "E0302.ships: 1 small Q-ship for 2 freighters (2.7.3, CU-R42). Legal: 0 of that "
                "size: one for every two small freighters."
            ],
        ),
        (
            {"E0302": {"to": "0307", "ships": [QL]}},
            [
                "E0302.ships: Q-ships move only as escorts of freighters (2.7.4). Legal: two "
                "freighters of its size for each Q-ship."
            ],
        ),
    ],
)
def test_what_a_sheet_may_say_of_convoys(sheet, problems):
    for ask in (turn_ask(world(TEXT), "hydran"), plot_ask(world(TEXT), "hydran")):
        assert refusal_words(ask, sheet) == problems


@pytest.mark.rule("cutler", "2.7")
def test_freighters_are_in_no_fleet():
    found = refusals(plot_ask(world(TEXT), "hydran"), {"F1": {"ships": ["hydran-F1-FF", FL]}})
    assert ("F1.ships", "2.7, CU-R34") in found


@pytest.mark.rule("cutler", "2.7.2", "2.7.3")
@pytest.mark.parametrize(
    ("sheet", "said"),
    [
        (
            {"V1": {"to": "0302"}},
            "V1 is under way, and its plot is neither broken off nor changed (2.7.2). Legal: 0304 0305 0306 0307.",
        ),
        ({"E0302": {"to": "0308"}}, "nor a base of yours (2.7, CU-N80). Legal: 0307, 0504, 0902."),
        (
            {"E0302": {"to": "0307", "ships": [FL, FS, QL]}},
            "large Q-ship for 2 freighters (2.7.3, CU-R42). Legal: 0 of that size: one for every two large freighters.",
        ),
    ],
)
def test_a_refusal_says_what_would_be_legal(sheet, said):
    with pytest.raises(Refused) as caught:
        plot_ask(world(TEXT), "hydran").answer_from(sheet)
    assert said in str(caught.value)


@pytest.mark.rule("cutler", "2.7", "2.7.3")
def test_the_form_offers_ports_and_the_largest_legal_convoy_and_sends_nobody_by_itself():
    state = world(TEXT)
    ask = turn_ask(state, "hydran")
    line = ask.form.line("E0302")
    assert ", ".join(choice.value for choice in line.fields[0].choices) == OTHERS
    # Two large freighters and a small one: one large Q-ship, and no small one.
    assert line.filled_in()["ships"] == [FL, FL2, FS, QL]
    assert [choice.value for choice in ask.form.line("V1").fields[0].choices] == ["hydran-V1-QL", "hydran-V1-QS"]
    assert refusals(ask, ask.form.prefilled()) == []
    Run(table := table_of(state), impulse_steps(table, 2), {})
    assert sorted(state.convoys) == ["hydran/V1"]
    assert convoy_lines(world("hydran waits 0302 FL"), "hydran") == []  # there is nowhere to go


@pytest.mark.rule("cutler", "2.7")
def test_a_way_is_filled_in_read_back_and_drawn():
    state = world(f"{TEXT}nebula 0304\n")
    sheet = FleetPlots.model_validate({"E0302": {"to": "0307", "course": "0303 0403 0404 0305"}})
    (course,) = [one for one in courses_of(state, "hydran", sheet) if one.counter == "E0302"]
    assert course.hexes == ("0302", "0303", "0403", "0404", "0305", "0306", "0307")
    assert warnings_of(state, "hydran", sheet) == []
    text = "\n".join(plot_ask(state, "hydran").read_back(sheet))
    assert "0302 → 0303 → 0403 → 0404 → 0305 → 0306 → 0307, for good; unloads on arrival." in text
    straight = FleetPlots.model_validate({"E0302": {"to": "0307"}})
    assert warnings_of(state, "hydran", straight) == [
        "The convoy of E0302 is held up in 0304 (2.4.1.9, 2.4.1.10, 9.3)."
    ]


@pytest.mark.rule("cutler", "2.7")
def test_its_owner_sees_its_convoys_and_may_share_out_their_lines():
    state = world(TEXT)
    board = RULEBOOK.side_board(state, "hydran", table_of(state).knowledge("hydran"))
    assert [(one.id, one.hex, one.sub) for one in board.counters if one.form in ("convoy", "freighters")] == [
        ("V1", "0303", "speed 3"),
        ("E0302", "0302", "5 waiting"),
    ]
    assert [one.hexes for one in board.courses if one.counter == "V1"] == [("0303", "0304", "0305", "0306", "0307")]
    assert board.panel("Convoys").rows[0].startswith("V1 at 0303, under way 0304 0305 0306 0307: Hydran V1 Fl, FL")
    assert not [row for row in board.panel("Fleets").rows if "Waits" in row or "V1" in row]
    lines = {ship[0]: ship[2] for ship in RULEBOOK.roster(state, "hydran")}
    assert (lines[FL], lines["hydran-V1-QL"]) == ("E0302", "V1")
    assert {"E0302", "V1"} <= {line.key for line in plot_ask(state, "hydran").form.lines}


def test_what_is_impossible_of_convoys_is_named():
    state = world(TEXT)
    assert defects(state) == []
    state.convoys["hydran/V1"].units.append("hydran-F1-FF")
    state.convoys["hydran/V1"].course = ["0304", "0707"]
    assert defects(state) == [
        "convoy hydran/V1 holds hydran-F1-FF, which sails in no convoy",
        "convoy hydran/V1 is in two hexes",
        "convoy hydran/V1 has a course that cannot be sailed",
    ]
    state = world(TEXT)
    state.fleet("hydran", "F1").units.append(FL)
    assert defects(state) == [f"unit {FL} sails in convoys and is in fleet hydran/F1"]


# --- scenarios -------------------------------------------------------------------------------------------------------


@pytest.mark.rule("cutler", "2.7")
@pytest.mark.parametrize(
    ("hex_id", "fleet", "problems"),
    [
        ("0205", "", []),
        ("0404", "", [("units.toml.units.ox.hex", "2.7")]),
        ("0205", 'fleet = "Home"\n', [("units.toml.units.ox.fleet", "")]),
    ],
)
def test_a_freighter_of_a_scenario_begins_at_a_port_and_in_no_fleet(hex_id, fleet, problems):
    files = intro_files()
    files["ships.toml"] += HAULER
    files["units.toml"] += f'\n[units.ox]\nrace = "hydran"\nname = "Ox"\ntype = "hauler"\nhex = "{hex_id}"\n{fleet}'
    found = []
    try:
        RULEBOOK.read_scenario(files)
    except Refused as refused:
        found = [(one.path, one.rule) for one in refused.refusals]
    assert found == problems


@pytest.mark.parametrize(("kind", "size"), [("freighter", None), ("q_ship", None), ("ship", "large")])
def test_freighters_and_q_ships_and_nothing_else_have_a_freighter_size(kind, size):
    with pytest.raises(ValueError, match="a freighter or a Q-ship, and nothing else, has a freighter_size"):
        kind_of("CA", kind=kind, freighter_size=size)


@pytest.mark.rule("cutler", "3.1.3", "2.7.3")
def test_no_q_ship_is_told_from_a_freighter_by_its_size_class():
    files = intro_files()
    q_ship = HAULER.replace("hauler", "trap").replace('"Hauler"', '"Trap"').replace('"freighter"', '"q_ship"')
    for size, problems in ((4, []), (3, [("ships.trap.size_class", "3.1.3, CU-R48")])):
        ships = files["ships.toml"] + HAULER + q_ship.replace("size_class = 4", f"size_class = {size}")
        found = []
        try:
            RULEBOOK.read_scenario({**files, "ships.toml": ships})
        except Refused as refused:
            found = [(one.path, one.rule) for one in refused.refusals]
        assert found == problems


@pytest.mark.rule("cutler", "1.1.3")
def test_the_ring_offers_freighters_for_a_quarter_of_the_points():
    _, setup = opened(2)
    kinds = {kind.class_id: kind.kind for kind in setup.buyable("Hydran")}
    assert [kinds[key] for key in ("large_freighter", "small_freighter", "large_q_ship")] == [
        "freighter",
        "freighter",
        "q_ship",
    ]
    # 60 + 60 + 60 + 90 + 90 + 90 = 450 of 500 points.
    assert judge_force(setup, {"all": {"large_freighter": 3, "large_q_ship": 3}}) == []
    more = {"all": {"large_freighter": 3, "large_q_ship": 3, "small_q_ship": 2}}
    assert [one.problem for one in judge_force(setup, more)] == ["freighters for 550 points"]


@pytest.mark.rule("cutler", "2.7")
def test_freighters_sail_to_sites_of_their_own_race_and_are_told_nothing_of_others():
    state = world(TEXT)
    for race, hex_id in (("hydran", "0406"), ("lyran", "0407")):
        site = BaseSite(key=race, race=race, hex=hex_id, into=kind_of("base"), named="Reef", cost=100, set_aside=100)
        state.sites[site.key] = site
    ask = plot_ask(state, "hydran")
    assert refusals(ask, {"E0302": {"to": "0406"}}) == []
    with pytest.raises(Refused) as refused:
        ask.answer_from({"E0302": {"to": "0407"}})
    (refusal,) = refused.value.refusals
    assert (refusal.path, refusal.rule) == ("E0302.to", "2.7, CU-N80")
    assert refusal.legal.split(", ") == ["0307", "0406", "0504", "0902"]
