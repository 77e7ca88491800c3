"""Chapter 8: units with special sensors scan hexes that they are not in, by standing orders."""

import pytest

from rules_engine.core.basics.refusals import Refused
from rules_engine.core.knowledge.views import STANDING_ORDERS, Knowledge
from rules_engine.rulebooks.cutler.boards import roster, side_board
from rules_engine.rulebooks.cutler.ch02_movement.plots import carry_out_plot
from rules_engine.rulebooks.cutler.ch02_movement.plotting import plot_ask, plotting_steps
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_sheets_steps
from rules_engine.rulebooks.cutler.ch08_scanning.phase import planned_scans, scanning_phase
from rules_engine.rulebooks.cutler.ch08_scanning.sensors import reach_of, scan_limit, sensors_of, stations
from rules_engine.rulebooks.cutler.records.orders import FleetPlots
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler.worlds import Run, kind_of, refusal_words, refusals, sees, table_of, world

TEXT = "turn 1 impulse 2\nhydran F1 0404 SC+DD\nlyran F1 0405 CC+FF\nlyran police 0406\nklingon F1 0708 SC"

STATIONS = """
turn 1 impulse 2
hydran base 0205 Station[sensors=2]
hydran base 0303 Dock
hydran police 0404 Watch[sensors=1]
lyran F1 0505 CC+FF
lyran police 0606
klingon F1 0908 CW
"""
"""Units that never move."""
SCOUTS = "turn 1 impulse 2\nhydran F1 0404 SC\nklingon F1 0708 SC\nlyran F1 0606 SC"
CROWD = (
    "turn 1 impulse 2\nhydran F1 0404 SC\nlyran F1 0405 CC\nlyran F2 0405 PF\nlyran police 0405\n"
    "lyran base 0405 Den\nklingon police 0405"
)


def scanned(text: str, orders: dict[str, dict[str, str]], dice: dict[str, list[int]] | None = None):
    """The scanning phase after such orders of races to their fleets and bases."""
    state = world(text)
    for race, lines in orders.items():
        sheet = {key: {"scan": hexes} for key, hexes in lines.items()}
        carry_out_plot(state, race, FleetPlots.model_validate(sheet))
    scanning_phase(turn := table_of(state, dice))
    return turn


def scan(*hexes, dice=None, text=TEXT):
    return scanned(text, {"hydran": {"F1": " ".join(hexes)}}, dice)


def told(table, side):
    return "\n".join(one.text for one in table.shared.reports if one.is_for(side))


@cases("reach, limits")
def test_reach_and_chance(reach, limits):
    assert [scan_limit(distance, reach) for distance in range(6)] == limits


@pytest.mark.rule("cutler", "8.3.2")
def test_one_hex_is_not_said_to_be_many():
    state = world("turn 1 impulse 1\nhydran F1 0404 SC+CA")
    state.units["hydran-F1-SC"].special_sensors_ok = 1
    ask = plot_ask(state, "hydran")
    (scan,) = [field for field in ask.form.line("F1").fields if field.key == "scan"]
    assert scan.help == "Up to 1 hex; next door, or two away at long range"
    with pytest.raises(Refused) as caught:
        ask.answer_from({"F1": {"scan": "0405 0403"}})
    problem = "F1.scan: 2 hexes for 1 special sensor (8.3.2). Legal: at most 1 hex."
    assert str(caught.value) == problem


@cases("proves, text, race, sheet, words", made="text")
def test_what_may_be_scanned(text, race, sheet, words):
    assert refusal_words(plot_ask(world(text), race), sheet) == words


@pytest.mark.rule("cutler", "8.4", "8.4.1", "8.7", "8.8")
def test_each_scan_is_a_die_of_its_own_with_six_faces(kept: Kept):
    """In the order of their hexes; that of 0404 is one at short range, that of 0406 one at long range."""
    table = scan("0406", "0404", dice={"scan of 0404": [4], "scan of 0406": [2]})
    assert [(one.label, str(one)) for one in table.shared.rolls] == kept("#1")
    assert [(one.text, one.why.text()) for one in table.shared.reports if one.to == ("hydran",)] == kept("#2")
    fields = [field for line in plot_ask(table.state, "hydran").form.lines for field in line.fields]
    assert {field.most for field in fields if field.key == "scan"} == {100}


@cases("case, proves, text, orders, dice, contacts, sides, says", made="text")
def test_who_is_told_what_of_scans(text, orders, dice, *, contacts, sides, says):
    """``contacts`` are the Hydran's afterwards."""
    turn = scanned(text, orders, dice)
    assert [told(turn, side).splitlines() for side in sides.split()] == [says] * len(sides.split())
    assert sorted((one.owner, one.form) for one in turn.knowledge("hydran").contacts.values()) == contacts
    public = [one.why.inputs for one in turn.shared.reports if one.is_public() and "order" not in one.text]
    assert set(public) == {()}


def test_hexes_out_of_reach_are_left_out():
    state = world(TEXT)
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"F1": {"scan": "0405 0908"}}))
    assert planned_scans(state, "hydran") == [("0405", 3)]
    assert any("too far" in line for line in plot_ask(state, "hydran").warn(FleetPlots()))


# --- who scans how ---------------------------------------------------------------------------------------------------
@cases("type_, reach")
def test_bases_scan_three_hexes_far_but_a_sams_makes_ship_scans(type_, reach):
    assert reach_of(world(f"hydran base 0205 Station[sensors=2,type={type_}]").units["hydran-base-0205"]) == reach


@pytest.mark.rule("cutler", "8.3", "8.3.2")
def test_ships_monitors_and_police_ships_make_ship_scans():
    state = world("hydran F1 0404 SC+MON[sensors=1]+AUX[sensors=1]\nhydran police 0205 Watch[sensors=1]")
    assert [reach_of(unit) for unit in state.alive()] == [1, 1, 1, 1]
    assert sensors_of(state.alive()) == 5


@pytest.mark.rule("cutler", "8.1", "8.3.1", "8.3.2")
def test_only_operative_sensors_scan():
    state = world("turn 1 impulse 1\nhydran F1 0404 SC\nhydran base 0205 Station[sensors=2]")
    scout, base = state.units["hydran-F1-SC"], state.units["hydran-base-0205"]
    assert sensors_of([scout, base]) == 4
    scout.special_sensors_ok, base.special_sensors_ok = 1, 0
    assert sensors_of([scout, base]) == 1
    state.empires["hydran"].station_scans = {base.id: ["0204"]}
    state.fleet("hydran", "F1").scans = ["0403", "0405"]
    assert planned_scans(state, "hydran") == [("0403", 3)]
    scout.special_sensors_ok, base.special_sensors_ok = 0, 1
    state.empires["hydran"].station_scans = {base.id: ["0204", "0206"]}
    assert planned_scans(state, "hydran") == [("0204", 3)]


@cases("ships")
def test_pf_tenders_and_scout_pfs_make_no_scans(ships):
    state = world(f"turn 1 impulse 1\nhydran F1 0404 {ships}")
    ask = plot_ask(state, "hydran")
    assert not any(field.key == "scan" for field in ask.form.line("F1").fields)
    assert refusal_words(ask, {"F1": {"scan": "0405"}}) == [
        "F1.scan: special sensors of PF tenders and of scout PFs make no scans (8.3.3). Legal: no scan."
    ]
    assert refusals(ask, {"F1": {"scan": ""}}) == []
    # However the order came about, nothing is scanned.
    state.fleet("hydran", "F1").scans = ["0405"]
    assert planned_scans(state, "hydran") == []


@pytest.mark.rule("cutler", "8.3.1", "8.3.2")
def test_units_that_never_move_have_a_line_if_they_can_scan(kept: Kept):
    ask = plot_ask(world(STATIONS), "hydran")
    lines = {line.key: (line.label, line.note, line.fields[0].help) for line in ask.form.lines if line.key[0] == "S"}
    assert lines == kept()
    assert not any(line.key[0] == "S" for line in plot_ask(world(STATIONS), "lyran").form.lines)


@pytest.mark.rule("cutler", "8.0", "8.8")
def test_standing_scans_are_made_in_every_impulse_until_they_are_changed():
    state = scanned(STATIONS, {"hydran": {"S1": "0404 0404"}}).state
    carry_out_plot(state, "hydran", FleetPlots())
    for _ in range(2):
        scanning_phase(turn := table_of(state))
        assert told(turn, "klingon") == "Hydran scans of 0404: 1, 0404: 1."
    carry_out_plot(state, "hydran", FleetPlots.model_validate({"S1": {"scan": ""}}))
    assert planned_scans(state, "hydran") == []


@cases("fate")
def test_a_base_that_was_lost_scans_for_its_old_owner_no_more(fate):
    state = scanned(STATIONS, {"hydran": {"S1": "0404"}}).state
    base = state.units["hydran-base-0205"]
    if fate == "destroyed":
        base.destroyed = True
    else:
        base.race = "lyran"
    assert planned_scans(state, "hydran") == planned_scans(state, "lyran") == []
    assert refusal_words(plot_ask(state, "hydran"), {"S2": {"scan": "0404"}}) == [
        "S2: you have no such unit that scans. Legal: S1."
    ]


@pytest.mark.rule("cutler", "8.3.1")
def test_what_bases_scan_is_read_back_and_among_the_standing_orders():
    state = world(STATIONS)
    sheet = FleetPlots.model_validate({"S1": {"scan": "0404 0505"}})
    assert "S1 (Station): scans 0404, 0505." in plot_ask(state, "hydran").read_back(sheet)
    carry_out_plot(state, "hydran", sheet)
    rows = {side: side_board(state, side, Knowledge()).panel(STANDING_ORDERS).rows for side in state.races()}
    assert rows["hydran"][-1] == "Station scans 0404, 0505 in every impulse."
    assert not any("Station" in row for side in ("lyran", "klingon") for row in rows[side])


def test_a_base_that_scans_belongs_to_a_captain_by_its_line():
    forces = {ship.name: ship.force for ship in roster(world(STATIONS), "hydran")}
    assert forces == {"Station (Base)": "S1", "Dock (Base)": "", "Watch (Police)": "S2"}


def test_who_has_only_a_base_that_scans_is_asked_to_plot_if_there_is_a_reason():
    state = world("turn 1 impulse 2\nhydran base 0205 Station[sensors=2]\nlyran base 0902 Den")
    for race in ("hydran", "lyran"):
        state.empires[race].alerts = ["there is news"]
    turn = table_of(state)
    assert [ask.parties for ask in Run(turn, plotting_steps(turn)).asks] == [("hydran",)]


# --- what is told to whom --------------------------------------------------------------------------------------------
@pytest.mark.unseen("cutler", reports=("scan",))
@pytest.mark.rule("cutler", "8.7")
def test_a_ships_scan_and_a_bases_are_told_alike():
    """In one world a scout next door scans, in the other a starbase far off; the others cannot tell which."""
    text = "turn 1 impulse 2\nhydran F1 0505 SC\nhydran base 0404 Station[sensors=2]\nlyran F1 0606 CC\n"
    tables = [scanned(text, {"hydran": {key: "0606"}}, {"scan of": [2]}) for key in ("F1", "S1")]
    for side in ("lyran", "klingon"):
        assert sees(tables[0], [], side) == sees(tables[1], [], side)


@pytest.mark.rule("cutler", "8.7", "8.8")
def test_the_order_of_a_races_scans_does_not_tell_who_makes_them():
    state = world("turn 1 impulse 2\nhydran F1 0505 SC\nhydran base 0404 Station[sensors=2]")
    state.fleet("hydran", "F1").scans = ["0605", "0404"]
    state.empires["hydran"].station_scans = {"hydran-base-0404": ["0606", "0303"]}
    assert [scan.hex for scan in planned_scans(state, "hydran")] == ["0303", "0404", "0605", "0606"]


@pytest.mark.rule("cutler", "8.5", "8.9")
def test_a_scan_shows_freighters_and_q_ships_alike_where_no_counter_is():
    state = world("turn 1 impulse 2\nhydran F1 0404 SC\nlyran F1 0405 CA+CC\nlyran F2 0902 FF")
    for key, kind in (("lyran-F1-CA", "freighter"), ("lyran-F1-CC", "q_ship")):
        state.units[key].record = kind_of("CA", kind=kind)
    assert ("lyran", "0405") not in state.counters()
    state.fleet("hydran", "F1").scans = ["0405"]
    scanning_phase(turn := table_of(state))
    assert "2 Lyran units (size 3: freighter ×2)" in told(turn, "hydran")
    assert told(turn, "klingon") == "Hydran scan of 0405: 1."


@pytest.mark.rule("cutler", "8.5")
def test_a_scan_of_an_empty_hex_shows_that_a_base_has_gone():
    turn = scan("0405", text="turn 1 impulse 2\nhydran F1 0404 SC\nlyran base 0405 Den")
    state = turn.state
    (contact,) = turn.knowledge("hydran").contacts.values()
    assert contact.live
    state.units["lyran-base-0405"].destroyed = True
    scanning_phase(turn)
    assert told(turn, "hydran").splitlines()[-1] == "Your scan of 0405 succeeds: nobody is there."
    assert not contact.live
    assert state.empires["hydran"].tracks.current == {}


@pytest.mark.rule("cutler", "8.5", "8.9")
def test_a_scan_of_another_races_hex_shows_that_a_base_has_gone():
    turn = scan("0405", text="turn 1 impulse 2\nhydran F1 0404 SC\nlyran base 0405 Den\nklingon F1 0405 CW")
    state = turn.state
    state.units["lyran-base-0405"].destroyed = True
    scanning_phase(turn)
    assert [one.owner for one in turn.knowledge("hydran").contacts.values() if one.live] == ["klingon"]
    assert "what was known to be there has gone" in told(turn, "hydran")


@pytest.mark.rule("cutler", "8.6", "2.10")
def test_a_hidden_partner_beside_a_known_base_does_not_change_what_a_second_scan_says():
    # The Lyran comes before the Klingon, whose base is under no counter: found, both would be one contact of the Lyran.
    text = "turn 1 impulse 2\nhydran F1 0404 SC\nklingon base 0405 Den\nlyran F1 0902 CC\ntogether lyran klingon\n"
    seen = []
    for more in ("", "lyran F2 0405 CA[cloak=up]\n"):
        state = world(text + more)
        state.fleet("hydran", "F1").scans = ["0405"]
        turn = table_of(state, {"scan of": [2, 2]})
        for _ in range(2):
            scanning_phase(turn)
        seen.append(sees(turn, [], "hydran"))
    assert seen[0] == seen[1]


@pytest.mark.rule("cutler", "8.3.1", "2.2")
def test_scans_are_of_the_bases_that_had_these_numbers_when_the_sheet_was_filled_in():
    # The first base is scrapped by the same sheet, so that the second one has its number afterwards.
    state = world("hydran base 0205 Aur[sensors=1]\nhydran base 0404 Rock[sensors=1]\nlyran F1 0902 CC\n")
    turn = table_of(state)
    sheet = {"scrap": {"base": "hydran-base-0205", "sure": True}, "S2": {"scan": "0405"}}
    Run(turn, turn_sheets_steps(turn), {("turn", "hydran"): sheet})
    assert [unit.id for unit in stations(state, "hydran").values()] == ["hydran-base-0404"]
    assert state.empires["hydran"].station_scans["hydran-base-0404"] == ["0405"]


# --- all that is said ------------------------------------------------------------------------------------------------
@cases("hex_id, die, says, succeeds", "die")
def test_a_scan_tells_its_die_to_all_and_its_chance_and_findings_to_its_race(hex_id, die, says, succeeds):
    turn = scan(hex_id, dice={"scan of": [die]})
    reports = [(one.text, one.place, one.why.inputs) for one in turn.shared.reports if one.is_for("hydran")]
    place = "T1/hydran/1"
    assert reports == [(f"Hydran scan of {hex_id}: {die}.", place, ()), (says, place, (("succeeds at", succeeds),))]
    found = says.startswith("Scanned")
    assert turn.state.empires["hydran"].alerts == ([f"a scan found the Lyran in {hex_id}"] if found else [])


@cases("cloaks, die, far, unless")
def test_a_scan_that_finds_nobody_says_whether_it_would_have_found_who_is_under_cloak(cloaks, die, far, unless):
    state = world("turn 1 impulse 2\nhydran F1 0404 SC\nlyran F1 0902 CC[cloak=up]")
    state.classes = {"cc": state.units["lyran-F1-CC"].record} if cloaks else {}
    hex_id = "0406" if far else "0405"
    state.fleet("hydran", "F1").scans = [hex_id]
    scanning_phase(turn := table_of(state, {"scan of": [die]}))
    who = "nobody is there who is not under cloak" if unless else "nobody is there"
    assert told(turn, "hydran").splitlines()[1:] == [f"Your scan of {hex_id} succeeds: {who}."]


@pytest.mark.rule("cutler", "8.5", "8.6")
def test_only_what_a_scan_would_have_found_and_no_counter_tells_of_is_refuted_by_it():
    state = world("turn 1 impulse 2\nhydran F1 0404 SC\nlyran base 0405 Den\nlyran F1 0405 CC\nlyran police 0405\n")
    state.fleet("hydran", "F1").scans = ["0405"]
    turn = table_of(state, {"scan of": [2] * 9})
    said = []
    for _ in range(2):  # the same twice is no news, and refutes nothing
        scanning_phase(turn)
        said.append(told(turn, "hydran").splitlines())
        assert {key: one.live for key, one in turn.knowledge("hydran").contacts.items()} == {"C1": True, "C2": True}
    assert said[1] == said[0] * 2
    assert state.empires["hydran"].alerts == ["a scan found the Lyran in 0405"]
    state.units["lyran-F1-CC"].hex = state.units["lyran-police-0405"].hex = "0606"  # whose counter is elsewhere now
    state.units["lyran-base-0405"].destroyed = True
    scanning_phase(turn)
    assert {one.form: one.live for one in turn.knowledge("hydran").contacts.values()} == {"force": True, "base": False}
    assert told(turn, "hydran").splitlines()[-1] == "Your scan of 0405 succeeds: nobody is there."


@pytest.mark.rule("cutler", "8.5")
def test_of_several_in_a_hex_a_scan_says_who_has_gone_if_somebody_has(kept: Kept):
    text = "turn 1 impulse 2\nhydran F1 0404 SC\nlyran base 0405 Den\nklingon F1 0405 CW"
    turn = scan("0405", dice={"scan of": [2] * 9}, text=text)
    state = turn.state
    state.units["lyran-base-0405"].destroyed = True
    scanning_phase(turn)
    assert told(turn, "hydran").splitlines() == kept()
    assert state.empires["hydran"].alerts == [f"a scan found the {race} in 0405" for race in ("Lyran", "Klingon")]


@pytest.mark.rule("cutler", "8.3.2", "8.4.1")
def test_a_fleet_that_cannot_scan_a_hex_from_where_it_is_is_warned_of_that_hex_alone(kept: Kept):
    ask = plot_ask(world(TEXT), "hydran")
    warned = {
        scans: [line for line in ask.warn(ask.answer_from({"F1": {"scan": scans}})) if "scan" in line]
        for scans in ("0405 0406", "0407 0405", "0406 0908", "0407 0908")
    }
    assert warned == kept()


def test_an_order_to_scan_has_room_for_a_hundred_characters():
    ask = plot_ask(world("turn 1 impulse 2\nhydran F1 0404 SC\nhydran base 0205 Station[sensors=2]\n"), "hydran")
    fields = [field for line in ask.form.lines for field in line.fields if field.key == "scan"]
    assert [field.most for field in fields] == [100, 100]


@pytest.mark.rule("cutler", "8.4", "8.6", "8.7", "8.8")
def test_all_that_is_told_of_scans(kept: Kept):
    """Each side scans; what was found there before has gone by the next scan."""
    found = scan("0405", "0403", dice={"scan of": [3, 3]}, text=(TEXT + "\nklingon F2 0405 DD[cloak=up]"))
    assert [one.text for one in found.shared.reports if one.is_for("hydran")] == kept("#1")
    assert [one.text for one in found.shared.reports if one.is_for("klingon")] == kept("#4")
    state = found.state
    assert state.empires["hydran"].alerts == kept("state.empires(hydran).alerts")
    state.units["lyran-F1-CC"].hex = state.units["lyran-F1-FF"].hex = "0909"
    state.units["klingon-F2-DD"].record = state.units["klingon-F2-DD"].record.model_copy(update={"cloak": True})
    state.classes["dd"] = state.units["klingon-F2-DD"].record
    again = table_of(state, {"scan of": [2, 6]})
    for race in state.races():
        again.shared.knowledge[race] = found.shared.knowledge[race]
    scanning_phase(again)
    assert [one.text for one in again.shared.reports if one.is_for("hydran")] == kept("#2")
    scanning_phase(third := table_of(state, {"scan of": [2, 2]}))
    assert [one.text for one in third.shared.reports if one.is_for("hydran")] == kept("#3")
    assert [roll.label for roll in third.shared.rolls] == kept("#5")


@pytest.mark.rule("cutler", "8.6", "8.9", "2.7")
def test_a_scan_that_finds_that_what_was_there_has_gone_says_so(kept: Kept):
    text = "turn 1 impulse 2\nhydran F1 0404 SC\nlyran waits 0405 FL\nlyran F1 0405 CC\nklingon F1 0708 SC"
    found = scan("0405", dice={"scan of": [2]}, text=text)
    assert [one.text for one in found.shared.reports if one.is_for("hydran")] == kept("#1")
    found.state.units["lyran-waits-FL"].hex = "0901"
    scanning_phase(again := table_of(found.state, {"scan of": [2]}))
    assert [one.text for one in again.shared.reports if one.is_for("hydran")] == kept("#2")


@pytest.mark.rule("cutler", "8.7", "8.8")
def test_all_scans_of_a_race_are_one_line_to_everybody_and_those_without_success_one_to_itself(kept: Kept):
    text = "turn 1 impulse 2\nhydran F1 0404 SC[sensors=4]\nlyran F1 0505 CA\nklingon F1 0909 DD\n"
    turn = scan("0405 0403 0504 0403", dice={"scan of": [5, 2, 6, 4]}, text=text)
    public = [one for one in turn.shared.reports if one.is_public()]
    assert [one.text for one in public] == ["Hydran scans of 0403: 5, 0403: 2, 0405: 6, 0504: 4."]
    assert [die.total for die in public[0].why.dice] == [5, 2, 6, 4]
    own = [one for one in turn.shared.reports if one.is_for("hydran") and not one.is_public()]
    assert [one.text for one in own] == kept()
    assert all(one.is_public() for one in turn.shared.reports if one.is_for("lyran"))
