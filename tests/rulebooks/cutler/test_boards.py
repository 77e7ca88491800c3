"""What a race reads on its own board: its money, its fleets and planets, its standing orders, and its courses."""

import pytest

from rules_engine.core.basics.base import When
from rules_engine.core.knowledge.reports import Lost, Sighted
from rules_engine.core.knowledge.views import Board, Knowledge
from rules_engine.rulebooks.cutler.boards import omniscient_board, public_board, roster, side_board
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid
from rules_engine.rulebooks.cutler.records.open_space import TERRAIN_WORDS
from rules_engine.rulebooks.cutler.records.parts.moons import moons_of_all
from rules_engine.rulebooks.cutler.records.parts.units import Moment
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.sequence import impulse_steps, open_turn, turn_steps
from rules_engine.rulebooks.cutler.shown.map_news import news_since
from tests.expected.kept import Kept, cases
from tests.expected.spelling import evaluated
from tests.rulebooks.cutler.armed import armed, taken, valued
from tests.rulebooks.cutler.ch01_setup.ring import opened
from tests.rulebooks.cutler.worlds import Run, table_of, world

TEXT = """
turn 2 impulse 3
planet capital 0205 hydran throne
planet major 0303 hydran tide
planet minor 0404 klingon cub
planet capital 0902 lyran den
hydran base 0205 Yard[sensors=2]
hydran F1 0404 CA+DD[warp=12] course 0405 0506
hydran F2 0303 FF[imp=1]
hydran F3 0606 CC[officers=navigator]
lyran F1 0902 CC
reserve hydran 40
"""


def board() -> Board:
    """The Hydran's: a force that lands on Cub, a prize that must leave, one that razes, and a planet that was taken."""
    state = armed(TEXT, parties=4, cub={"boarding_parties": 6, "landed": {"hydran": 7}})
    empire = state.empires["hydran"]
    empire.last_income, empire.base_pool, empire.counter_pool = 150, 75, 12
    empire.cards, empire.asking, empire.station_scans = "bypass", "each", {"hydran-base-0205": ["0204"]}
    taken(state, "tide", "hydran", 1, boarding_parties=16, razed=5, ground={"B": 1})
    state.fleets["hydran/F1"].land, state.fleets["hydran/F1"].parties = "cub", 3
    state.fleets["hydran/F3"].raze = "den"
    prize = state.units["hydran-F2-FF"]
    prize.retreat_hex, prize.captured_from = "0304", "lyran"
    return side_board(state, "hydran", Knowledge())


@pytest.mark.rule("cutler", "4.1.4", "4.1.5", "6.3", "6.4.1.8")
def test_money_is_shown_by_what_it_is_kept_for(kept: Kept):
    assert board().panel("Treasury").rows == kept()


@pytest.mark.rule("cutler", "2.4.1.6", "3.4.5.4", "5.1", "5.2.2")
def test_fleets_are_shown_with_their_orders_and_all_that_is_not_as_it_was_built(kept: Kept):
    ca = "Hydran F1 Ca, CA (BPV 125, 4 boarding parties, invented)"
    dd = "Hydran F1 Dd, DD (BPV 80, warp 12 of 18, 4 boarding parties, invented)"
    ff = "Hydran F2 Ff, FF (BPV 60, impulse 1 of 2, 4 boarding parties, prize, invented)"
    cc = "Hydran F3 Cc, CC (BPV 145, legendary navigator, 4 boarding parties, invented)"
    shown = board()
    # Of eighteen warp boxes six are gone, which is two sixths: the force makes four hexes.
    assert shown.panel("Fleets").rows == kept()
    assert [(one.ships, one.whole) for one in shown.counters[:4]] == [(2, 88), (1, 92), (1, 100), (1, 100)]
    own = [(one.id, one.hex, one.form, one.label, one.sub, one.details) for one in shown.counters]
    assert own[:4] == [
        ("F1", "0404", "force", "F1", "2 ships, speed 4", (ca, dd)),
        ("F2", "0303", "force", "F2", "1 ship, speed 6", (ff,)),
        ("F3", "0606", "force", "F3", "1 ship, speed 6", (cc,)),
        ("own/hydran-base-0205", "0205", "base", "Yard", "", ("Yard, Base (BPV 600, invented)",)),
    ]
    assert [(one.counter, one.kind, one.hexes) for one in shown.courses] == kept("#2")


@pytest.mark.rule("cutler", "5.2.1", "5.3.1", "5.3.2", "4.4.9")
def test_planets_are_shown_with_what_they_make_and_what_holds_them(kept: Kept):
    # Of fifty CPV five are razed, and a captured planet makes half, rounded down.
    assert board().panel("Planets").rows == kept()


@pytest.mark.rule("cutler", "2.2", "8.3.1", "1.1.2.3")
def test_standing_orders_and_public_rates_are_shown(kept: Kept):
    shown = board()
    assert shown.panel("Standing orders").rows == kept()
    assert shown.panel("CPV rates").rows == kept("shown.panel(CPV rates).rows")


def test_a_referee_reads_all_races_panels_by_their_names(kept: Kept):
    state = armed(TEXT + "hydran waits 0205 FL\nhydran V1 0303 FL course 0304\n", parties=4)
    state.minefields["lyran/lyran-F1-CC"] = MinesLaid(race="lyran", around="lyran-F1-CC", hex="0902", places={"A5": 3})
    state.units["hydran-base-0205"].stowed = {"mines": Lot(item=STANDARD["mines"], count=4)}
    state.out = ["klingon"]
    shown = omniscient_board(state)
    rows = [[panel.title, *panel.rows] for panel in shown.panels]
    assert (shown.rulebook, shown.heading) == ("Cutler's campaign rules", "Turn 2 of 3, impulse 3")
    assert rows == kept("rows")
    assert [[panel.title, *panel.rows] for panel in public_board(state).panels] == kept("#2")


def test_a_contact_is_shown_with_when_it_was_seen_and_whether_it_is_gone(kept: Kept):
    """The Lyran is met in impulse 1 and leaves in impulse 2, the Klingon stays; then a turn begins."""
    state = world("turn 1 impulse 0\nhydran F1 0404 CA\nlyran F1 0404 CC\nklingon F1 0404 DN\n")
    turn = table_of(state)
    seen: list[list[str]] = []
    for impulse in (1, 2):
        state.impulse = impulse
        state.fleets["lyran/F1"].course = ["0505"] if impulse == 2 else []
        Run(turn, impulse_steps(turn, impulse))
        seen.append(list(side_board(state, "hydran", turn.knowledge("hydran")).panel("Contacts").rows))
    open_turn(turn)
    seen.append(list(side_board(state, "hydran", turn.knowledge("hydran")).panel("Contacts").rows))
    assert seen == kept("seen")
    assert [one.text for one in turn.shared.reports if one.is_for("hydran")] == kept("#2")
    assert (turn.shared.now.turn, turn.shared.now.label) == (2, "Turn 2, economics")


def test_a_fleets_scans_are_shown_in_its_row_and_among_standing_orders(kept: Kept):
    state = world("turn 1 impulse 1\nhydran F1 0404 SC\nhydran base 0205 Yard[sensors=2]")
    state.fleets["hydran/F1"].scans = ["0405", "0504"]
    state.empires["hydran"].station_scans = {"hydran-base-0205": ["0204", "0206"]}
    shown = side_board(state, "hydran", Knowledge())
    assert shown.panel("Fleets").rows[0] == kept("shown.panel(Fleets).rows(0)")
    assert list(shown.panel("Standing orders").rows) == kept()


def test_the_moments_of_a_turn_are_named(kept: Kept):
    turn = table_of(world("turn 0\nplanet capital 0205 hydran\nhydran F1 0404 CA\nlyran F1 0404 CC\nreserve hydran 40"))
    turn.shared.now = turn.shared.now.model_copy(update={"label": ""})
    mission = {"M1": {"kind": "location", "against": "lyran", "other": "0404", "ip": 10}}
    Run(turn, turn_steps(turn), {("turn", "hydran"): mission})
    assert list(dict.fromkeys(one.when.label for one in turn.shared.reports if one.is_for("hydran"))) == kept()


@pytest.mark.rule("cutler", "3.1.1", "2.2")
def test_each_standing_order_is_shown_in_its_words(kept: Kept):
    state = world("turn 1 impulse 1\nhydran F1 0404 CA[cloak=down]")
    seen = []
    for cards, asking, lurking in (("ask", "each", "ask"), ("bypass", "contact", "stay"), ("combat", "each", "stay")):
        empire = state.empires["hydran"]
        empire.cards, empire.asking, empire.lurking = cards, asking, lurking
        seen.append(list(side_board(state, "hydran", Knowledge()).panel("Standing orders").rows))
    assert seen == kept()


@pytest.mark.rule("cutler", "1.1.2.5.1")
def test_kinds_of_terrain_have_the_names_that_are_typed_here(kept: Kept):
    assert kept() == TERRAIN_WORDS


SEEN = "\nturn 1 impulse 3\nhydran F1 0404 CA\nlyran F1 0606 CC\nlyran F2 0707 DD\nklingon F1 0606 DD\n"


def sighted(track: str, hex_id: str, owner: str, form: str = "force") -> Sighted:
    return Sighted(track=track, hex=hex_id, owner=owner, form=form, headline=f"{track} there", details=("one", "two"))


@pytest.mark.rule("cutler", "2.6.2")
def test_a_counter_of_others_stands_where_nothing_more_is_known_of_it(kept: Kept) -> None:
    """A force that is held as a contact is drawn as that, its counter is not; of a base in the hex it says nothing."""
    table = table_of(world(SEEN))
    table.set_time(1, 30, "Turn 1, impulse 3")
    facts = [sighted("C1", "0606", "lyran"), sighted("C2", "0707", "lyran", "base"), sighted("C3", "0404", "klingon")]
    table.tell(["hydran"], "Seen.", kind="contact", facts=facts)
    shown = side_board(table.state, "hydran", table.knowledge("hydran")).counters
    assert [one.id for one in shown] == ["F1", "lyran@0707", "klingon@0606", "C1", "C2", "C3"]
    table.tell(["hydran"], "Gone.", kind="contact", facts=[Lost(track="C1")])
    shown = side_board(table.state, "hydran", table.knowledge("hydran")).counters
    assert [one.id for one in shown][:4] == ["F1", "lyran@0606", "lyran@0707", "klingon@0606"]
    assert [one.id for one in public_board(table.state).counters] == kept()


@pytest.mark.rule("cutler", "2.6.2")
def test_contacts_say_since_when_they_are_old_and_whether_they_are_gone(kept: Kept) -> None:
    table = table_of(world(SEEN))
    table.set_time(1, 30, "Turn 1, impulse 3")
    table.tell(
        ["hydran"], "Seen.", kind="contact", facts=[sighted("C1", "0606", "lyran"), sighted("C2", "0707", "lyran")]
    )
    table.tell(["hydran"], "Gone.", kind="contact", facts=[Lost(track="C2")])

    def rows() -> tuple[str, ...]:
        return side_board(table.state, "hydran", table.knowledge("hydran")).panel("Contacts").rows

    assert rows() == ("C1 0606: C1 there; one; two", "C2 0707: C2 there; one; two (Turn 1, impulse 3, gone since)")
    table.state.turn, table.state.impulse = 2, 1
    assert rows() == kept()


@pytest.mark.rule("cutler", "1.1.2.3")
def test_a_board_says_when_it_is() -> None:
    state = world(SEEN)
    assert public_board(state).heading == "Turn 1 of 3, impulse 3"
    state.impulse = 0
    assert (public_board(state).heading, public_board(state).when.step) == ("Turn 1 of 3", 0)
    before, _ = opened(2)
    assert (public_board(before).heading, public_board(before).when.turn) == ("Set-up", 1)


@pytest.mark.rule("cutler", "8.3.1")
def test_all_units_of_a_race_are_named_by_their_lines_each_once(kept: Kept) -> None:
    bases = "hydran base 0205 Yard[sensors=1]\nhydran base 0303 Den\n"
    state = world(f"hydran F1 0404 CA+DD\nhydran F2 0505 FF\n{bases}hydran waits 0205 FL")
    assert [(one.name, one.force) for one in roster(state, "hydran")] == kept()
    state.units["hydran-F1-DD"].destroyed = True
    assert [one.force for one in roster(state, "hydran")][:2] == ["F1", "F2"]


@pytest.mark.rule("cutler", "4.1.4", "5.2.3.1")
def test_the_referee_reads_true_rates_and_everybody_those_of_unrazed_planets() -> None:
    state = armed(TEXT)
    state.planets["throne"].razed, state.out = 30, ["klingon"]  # type: ignore[assignment]
    rates = "Hydran: 150 CPV a turn", "Lyran: 100 CPV a turn", "Klingon: out of play"
    assert public_board(state).panel("CPV rates").rows == rates
    assert omniscient_board(state).panel("CPV rates").rows == ("Hydran: 120 CPV a turn", *rates[1:])


@pytest.mark.rule("cutler", "1.1.2.4", "4.2.4.8")
def test_moons_are_shown_that_somebody_is_on(kept: Kept) -> None:
    """Of five moons the first has a ground base, the second vehicles, the third crew, the fourth nothing, and on the
    fifth, of others, troops have landed."""
    state = armed(TEXT)
    state.systems = {"0205": StarSystem(moons=(4, 6, 8, 10)), "0902": StarSystem(moons=(4,))}
    state.moons = moons_of_all(state.planets.values(), state.systems)
    valued(state, state.moons["moon1_0205"], ground={"A": 1})
    state.moons["moon2_0205"].gcv, state.moons["moon3_0205"].crew_units = 1, 2
    state.moons["moon1_0902"].landed = {"hydran": 1}
    assert side_board(state, "hydran", Knowledge()).panel("Planets").rows[2:] == kept()
    assert "Planets" not in [panel.title for panel in side_board(world(SEEN), "hydran", Knowledge()).panels]


@pytest.mark.rule("cutler", "2.1", "2.2")
def test_a_board_says_at_which_moment_it_is():
    state = world("turn 2\nhydran F1 0404 CA")
    moments = []
    for impulse in (0, 1, 6):
        state.impulse = impulse
        shown = side_board(state, "hydran", Knowledge())
        assert shown.heading == shown.when.label
        moments.append(shown.when)
    assert moments == [
        When(turn=2, step=0, label="Turn 2 of 3"),
        When(turn=2, step=10, label="Turn 2 of 3, impulse 1"),
        When(turn=2, step=60, label="Turn 2 of 3, impulse 6"),
    ]
    assert public_board(opened(2)[0]).when == When(turn=1, step=0, label="Set-up")


@cases("entries, shown")
def test_the_last_three_entries_of_the_treasury_stand_below_the_money(entries, shown):
    log = tuple(f"entry {n}" for n in range(entries))
    rows = side_board(world("turn 1\nhydran F1 0404 CA"), "hydran", Knowledge(logs={"Treasury": log})).panels
    (treasury,) = [panel for panel in rows if panel.title == "Treasury"]
    assert treasury.rows == (
        "Last income: 0 CPV", "Intelligence Reserve: 0 of 300 IP", "Counter-intelligence set aside: 0",
        "Base Pool: 0 CPV", *log[-shown:][:shown],
    )  # fmt: skip


@cases("captured, makes")
def test_a_planet_makes_nothing_in_the_turn_after_its_capture(captured, makes):
    """Taken in turn 2 it is held for the whole of turn 3, and makes half from turn 4 on: not in the next one. Taken in
    turn 1 it does (5.3.1, CU-R79)."""
    state = world(TEXT)
    taken(state, "tide", "lyran", captured)
    shown = side_board(state, "lyran", Knowledge())
    assert shown.panel("Planets").rows[1].startswith(f"Tide, 0303: makes {makes} of 50 CPV; ")
    assert {note.name: note.figure for note in shown.hexes}["Tide"] == f"+{makes}"


@pytest.mark.rule("cutler", "5.2.2", "5.3")
def test_a_fleet_that_razes_and_lands_says_both(kept: Kept):
    state = armed(TEXT, parties=4)
    state.fleets["hydran/F1"].raze, state.fleets["hydran/F1"].land = "den", "cub"
    assert side_board(state, "hydran", Knowledge()).panel("Standing orders").rows[-1] == kept()


@cases("lurking, row")
def test_what_cloaked_ships_do_is_a_standing_order(lurking, row):
    state = world("turn 1\nhydran F1 0404 CA[cloak=down]\nlyran F1 0606 CA")
    state.empires["hydran"].lurking = state.empires["lyran"].lurking = lurking
    assert side_board(state, "hydran", Knowledge()).panel("Standing orders").rows[2:] == (
        f"Meeting others under cloak: {row}.",
    )
    assert len(side_board(state, "lyran", Knowledge()).panel("Standing orders").rows) == 2


NOTATION = {"StarSystem": StarSystem}


@cases("system, marks", "")
def test_what_else_is_in_a_planets_hex_stands_on_the_map(system, marks):
    state = world("turn 1\nplanet minor 0404 hydran cub")
    state.systems["0404"] = evaluated(system, NOTATION)
    assert [note.marks for note in public_board(state).hexes] == [("planet", "minor", *marks)]


@pytest.mark.rule("cutler", "2.6.1")
def test_a_counter_of_others_tells_whose_it_is_and_nothing_more():
    (one,) = public_board(world("turn 1\nlyran F1 0404 CA+DN")).counters
    assert (one.id, one.owner, one.label) == ("lyran@0404", "lyran", "Lyran CU")
    assert (one.level, one.level_name, one.grade, one.details, one.ships) == (0, "strength unknown", 0, (), None)


@cases("turn, impulse, moved, since")
def test_a_turn_is_told_of_until_the_first_impulse_of_the_next(turn, impulse, moved, since):
    """The force came to 0405 in turn 2."""
    state = world("turn 2 impulse 3\nhydran F1 0405 CA")
    unit = state.units["hydran-F1-CA"]
    unit.entered_from, unit.entered_at = "0404", Moment(turn=2, impulse=1)
    state.turn, state.impulse = turn, impulse
    shown = side_board(state, "hydran", Knowledge())
    assert [(one.kind, one.hexes) for one in shown.courses] == [("moved", ("0404", "0405"))] * moved
    assert news_since(state) == When(turn=since, step=1)
