"""Chapter 4.2.4.5: mines, who carries them, and minefields."""

import pytest

from rules_engine.rulebooks.cutler.ch03_combat.combat import combat_phase_steps
from rules_engine.rulebooks.cutler.ch04_accessories.mine_orders import features
from rules_engine.rulebooks.cutler.ch04_accessories.minefields import lay_mines
from rules_engine.rulebooks.cutler.ch06_espionage.espionage import espionage_steps
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.accessories.holds import layable, load_defects, mine_room
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid, MinesToLay, read_chart, ring
from rules_engine.rulebooks.cutler.records.setup import StarSystem
from rules_engine.rulebooks.cutler.records.state import CutlerState, Mission, Moment
from rules_engine.rulebooks.cutler.sequence import turn_steps
from tests.expected.kept import Kept, cases
from tests.rulebooks.cutler import combats, worlds
from tests.rulebooks.cutler.worlds import Run, kind_of, offered, refusal_words, refusals, sees, table_of, world
from tests.rulebooks.cutler.yards import HOME, YARD, refused, refused_in_words, turn, yard

MS, CA = "hydran-F1-MS", "hydran-F1-CA"
DOCKED = HOME + "hydran F1 0205 MS+CA\nhydran F2 0303 MS\n"
CUB = "planet capital 0205 hydran\nplanet minor 0404 lyran cub\nplanet capital 0902 lyran\n"
OVER_CUB = "turn 1 impulse 3\n" + CUB + "hydran F1 0404 MS[mines=40]\nhydran F2 0404 MS[mines=40]\n"


def mines(count: int, to: str, **more: object) -> dict[str, object]:
    return {"item": "mines", "count": count, "to": to, **more}


def field_of(state: CutlerState, around: str = "cub", race: str = "hydran", **places: int) -> MinesLaid:
    laid = state.minefields[f"{race}/{around}"] = MinesLaid(race=race, around=around, hex="0404", places=places)
    return laid


# --- carrying --------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.4.5", "4.2.4")
def test_mines_are_bought_a_cpv_for_each_cpv_worth_through_repair_boxes(kept: Kept):
    state = yard(DOCKED)
    run = turn(state, A1=mines(30, MS), A2=mines(20, f"{YARD} cargo"))
    assert state.units[MS].holds["mines"].count == 30
    base = state.units[YARD]
    # Twenty CPV worth lie in one cargo box, of fifty.
    assert (base.stowed["mines"].count, base.cargo_boxes) == (20, 49)
    assert state.empires["hydran"].base_pool == 125 - 50
    assert [(one.base, one.item, one.cpv) for one in state.spent] == kept()
    assert "Made: 30 CPV of mines for 30 CPV from Yard into Hydran F1 Ms in 0205." in run.texts("hydran")


@cases("lines, words", made="lines")
def test_what_may_carry_mines(lines, words):
    said = refused_in_words(yard(DOCKED), **lines)
    assert [one.replace("9" * 5000, "9…") for one in said] == words


@cases("base_type, made")
def test_ordnance_is_made_by_all_bases_that_build_anything(base_type, made):
    assert (refused(yard(DOCKED, base_type=base_type), A1=mines(1, MS)) == []) == made


@pytest.mark.rule("cutler", "4.2.4", "4.2.1.1")
def test_bays_that_take_what_there_is_get_what_accessories_leave():
    state = yard(DOCKED)
    turn(state, D1={"work": "build ca"}, D2={"work": "build ff"}, A1=mines(40, MS))
    # Fifty boxes, of which mines take forty; the first bay may have thirty.
    assert {work.bay: work.paid for work in state.works.values()} == {1: 10, 2: 0}


@pytest.mark.rule("cutler", "4.2.4.5", "4.2.4.1.2")
def test_mines_are_moved_within_a_hex_and_lie_inert_in_cargo_boxes(kept: Kept):
    state = yard(DOCKED)
    state.units[YARD].stowed["mines"] = Lot(item=STANDARD["mines"], count=35)
    turn(state, A1=mines(35, MS, origin=f"{YARD} cargo"))
    assert (state.units[MS].holds["mines"].count, state.units[YARD].stowed, state.spent) == (35, {}, [])
    away = {"A1": mines(5, "hydran-F2-MS", origin=MS)}
    assert refused_in_words(state, **away) == kept("refused_in_words(state, **away)")
    assert refused_in_words(state, A1=mines(36, f"{YARD} cargo", origin=MS)) == kept("#1")


@pytest.mark.rule("cutler", "4.2.4.5", "4.1.5", "4.1.8")
def test_cargo_boxes_hold_either_mines_or_cpv(kept: Kept):
    state = yard(DOCKED)
    base = state.units[YARD]
    base.cargo_cpv = 49
    assert refused(state, A1=mines(20, f"{YARD} cargo")) == []
    assert refused(state, A1=mines(21, f"{YARD} cargo"), H0205={"repair": 21}) == []  # stored CPV are used first
    base.cargo_cpv = 50
    stores = {"economy": {"reserve": 0}, "H0205": {"cargo": 20}}
    assert refused_in_words(state, A1=mines(20, f"{YARD} cargo"), **stores) == kept()
    base.cargo_cpv = 20
    base.stowed["mines"] = Lot(item=STANDARD["mines"], count=40)
    base.lose_cargo_boxes(30)
    assert (base.cargo_cpv, len(base.stowed)) == (18, 1)  # 20 boxes left, two of them with mines
    base.lose_cargo_boxes(19)
    # One box is left: all CPV go before the second box of mines does.
    assert (base.cargo_cpv, base.stowed["mines"].count, base.cargo_boxes) == (0, 20, 0)


@pytest.mark.rule("cutler", "4.1.8")
def test_accessories_are_lost_box_by_box_and_not_in_the_order_in_which_they_came_aboard():
    for order in (("mines", "shuttle"), ("shuttle", "mines")):
        base = yard(DOCKED).units[YARD]
        counts = {"mines": 45, "shuttle": 5}  # three boxes each: of 20, 20 and 5, and of 2, 2 and 1
        base.stowed = {key: Lot(item=STANDARD[key], count=counts[key]) for key in order}
        base.lose_cargo_boxes(45)
        assert {key: lot.count for key, lot in base.stowed.items()} == {"mines": 45, "shuttle": 4}
        base.lose_cargo_boxes(3)
        assert {key: lot.count for key, lot in base.stowed.items()} == {"mines": 40}


@pytest.mark.rule("cutler", "4.2.4.5", "4.2.4.5.1")
def test_shuttles_that_can_carry_mines_and_ships_that_may_drop_them_in_combat_alone():
    state = world(OVER_CUB + "hydran F3 0404 CC")
    ship = state.units["hydran-F3-CC"]
    ship.record = kind_of("CC", shuttles=4)
    ship.holds = {"mrs": Lot(item=STANDARD["mrs"], count=1), "mines": Lot(item=STANDARD["mines"], count=6)}
    assert (mine_room(ship), layable(ship), load_defects(ship)) == (6, 6, [])
    ship.holds["mines"] = Lot(item=STANDARD["mines"], count=7)
    assert [law for _, law, _ in load_defects(ship)] == ["4.2.4.5"]
    ship.record = kind_of("CC", shuttles=4, noted=["mines"], mine_room=12)
    ship.holds = {"mines": Lot(item=STANDARD["mines"], count=12)}
    assert (mine_room(ship), layable(ship), load_defects(ship)) == (12, 0, [])
    assert [line.key for line in turn_ask(state, "hydran").form.lines if line.key[0] == "K"] == ["K1", "K2"]
    with pytest.raises(ValueError, match="only a minesweeper"):
        kind_of("CC", mine_room=12)


# --- laying ----------------------------------------------------------------------------------------------------------
@pytest.mark.rule("cutler", "4.2.4.5.1", "4.2.4.5.2")
def test_mines_are_laid_after_combat_where_their_ship_ends_an_impulse():
    state = world("turn 0\n" + CUB + "hydran F1 0204 MS[mines=40]\nlyran F1 0902 CA\nlyran F2 0404 CA")
    table = table_of(state)
    sheet = {
        "F1": {"course": "0304 0404"},
        "K1": {"around": "cub", "chart": "A5=10 c12+3=20"},
        "standing": {"cards": "bypass"},
    }
    quiet = {"standing": {"cards": "bypass"}}
    run = Run(table, turn_steps(table), {("turn", "hydran"): sheet, ("turn", "lyran"): quiet})
    (told,) = run.told("hydran", "mines")
    assert told.place == "T0/I2/after"
    assert "lays 30 CPV of mines around Cub, 0404; 30 lie there: A5=10 C12+3=20." in told.text
    assert state.minefields["hydran/cub"].places == {"A5": 10, "C12+3": 20}
    assert (state.units[MS].holds["mines"].count, state.units[MS].lays) == (10, None)
    assert run.told("lyran", "mines") == []


@pytest.mark.rule("cutler", "4.2.4.5.2")
def test_no_more_than_120_cpv_lie_around_a_feature(kept: Kept):
    state = world(OVER_CUB)
    field_of(state, A8=60)
    both = {"K1": {"around": "cub"}, "K2": {"around": "cub", "cpv": 40}}
    assert refused(state, **both) == []
    turn(state, **both)
    lay_mines(table_of(state))
    assert state.minefields["hydran/cub"].cpv == 120
    assert "mines" not in state.units[MS].holds
    assert state.units["hydran-F2-MS"].holds["mines"].count == 20
    assert refused_in_words(state, K1={"around": "cub", "cpv": 1}) == kept()


@cases("left, around, order, shown")
def test_a_sheet_begins_with_what_a_standing_order_would_still_lay(left, around, order, shown):
    state = world(OVER_CUB)
    state.units[MS].lays = MinesToLay(around="cub", **order)
    state.units[MS].holds["mines"] = Lot(item=STANDARD["mines"], count=left)
    if around:
        field_of(state, A8=around)
    ask = turn_ask(state, "hydran")
    assert {field.key: field.value for field in ask.form.line("K1").fields} == shown
    assert refusals(ask, ask.form.prefilled()) == []


@cases("line, expected")
def test_where_mines_may_be_laid(line, expected):
    state = world(OVER_CUB + "nebula 0605\nhydran base 0605\nhydran base 0506\nlyran base 0606")
    assert refused_in_words(state, K1=line) == expected
    assert refused_in_words(state, K3=line) == ["K3: you have no unit with mines to lay. Legal: K1, K2."]


@pytest.mark.rule("cutler", "4.2.4.5.1", "4.2.4.5.2")
def test_a_sheet_says_what_mines_there_are_and_how_a_map_of_them_is_written(kept: Kept):
    line = turn_ask(world(OVER_CUB), "hydran").form.line("K1")
    assert (line.label, line.note) == kept("(line.label, line.note)")
    assert offered(line) == kept()
    assert (line.fields[1].least, line.fields[1].most, line.fields[2].most) == (1, 40, 300)
    # The example means what its words say: two places, with the CPV after the sign.
    assert read_chart("A5=2 C12+3=3", "") == ({"A5": 2, "C12+3": 3}, [])
    assert read_chart(line.fields[2].help.removeprefix("e.g. ").split(";")[0], "") == ({"A5": 2, "C12+3": 3}, [])


@pytest.mark.rule("cutler", "4.2.4.5.2")
def test_what_is_said_where_others_lie_already_where_nothing_is_and_who_has_no_mines(kept: Kept):
    state = world(OVER_CUB)
    assert refused_in_words(state, K1={"around": "cubs"}) == kept("#1")
    field_of(state, A8=100)
    assert refused_in_words(state, K1={"around": "cub", "cpv": 20}) == []
    assert refused_in_words(state, K1={"around": "cub", "cpv": 21}) == kept("#2")
    assert refused_in_words(world(CUB), K1={"around": "cub"}) == kept("#3")


@cases("line, says", "")
def test_orders_to_lay_mines_are_read_back(line, says):
    ask = turn_ask(world(OVER_CUB), "hydran")
    said = ask.read_back(ask.answer_from({"K1": {"around": "cub", **line}}))
    assert [one for one in said if one.startswith("K")] == [f"K1 (Hydran F1 Ms): {says}."]


@pytest.mark.rule("cutler", "4.2.4.5.1", "4.2.4.5.2")
def test_who_lays_no_mines_is_told_why(kept: Kept):
    state = world(OVER_CUB)
    field_of(state, A8=120)
    state.units[MS].lays = MinesToLay(around="cub")
    state.units["hydran-F2-MS"].lays = MinesToLay(around="hydran-base-0506")
    lay_mines(table := table_of(state))
    assert [one.text for one in table.shared.reports if one.is_for("hydran")] == kept()
    assert [state.units[key].lays for key in (MS, "hydran-F2-MS")] == [None, None]


@pytest.mark.rule("cutler", "4.2.4.5.1")
def test_a_field_that_was_fought_over_has_a_line_for_what_was_swept():
    state = world(OVER_CUB)
    field_of(state, A8=30, B8=20).fought = True
    line = turn_ask(state, "hydran").form.line("N1")
    assert (line.label, line.note) == ("Mines around Cub", "0404, 50 CPV")
    assert offered(line) == [("Swept or exploded in battle", "0 to 50", 0, "CPV worth of mines")]


@pytest.mark.rule("cutler", "4.2.4.5.2")
def test_terrain_points_are_planets_moons_gas_giants_and_bases(kept: Kept):
    state = world(CUB + "hydran base 0205\nhydran base 0506\ndust 0902")
    state.systems["0404"] = StarSystem(moons=(7,), gas_giant=3, giant_moons=(9, 12))
    # The base in 0205 is one feature with its planet; the capital in 0902 lies in dust.
    assert list(features(state, "hydran")) == kept()


@pytest.mark.rule("cutler", "4.2.4.5.2", "3.5.2")
def test_stars_are_terrain_points_by_their_whole_name(kept: Kept):
    state = world("turn 1")
    state.terrain = {"0404": "black_hole", "0505": "white_dwarf", "0506": "pulsar", "0606": "neutron_star"}
    assert [one.title for one in features(state, "hydran").values()] == kept()


@cases("ordered, aboard, there, laid")
def test_as_many_mines_are_laid_as_there_are_and_may_be(ordered, aboard, there, laid):
    state = world(OVER_CUB)
    unit = state.units[MS]
    unit.holds = {"mines": Lot(item=STANDARD["mines"], count=aboard)} if aboard else {}
    if there:
        field_of(state, A1=there)
    unit.lays = MinesToLay(around="cub", cpv=ordered)
    # The line of the sheet begins with the standing order as long as something of it can be carried out.
    lines = [one for one in turn_ask(state, "hydran").form.lines if one.label == "K1: mines of Hydran F1 Ms"]
    assert [line.fields[0].value for line in lines] == ["cub" if laid else "none"][: len(lines)]
    lay_mines(table_of(state))
    field = state.minefields.get("hydran/cub")
    assert (field.cpv if field else 0) == there + laid
    left = unit.holds.get("mines")
    assert (left.count if left else 0, unit.lays) == (aboard - laid, None)


@cases("there, line, expected")
def test_no_more_mines_are_ordered_than_there_are_and_may_lie_there(there, line, expected):
    state = world(OVER_CUB)
    if there:
        field_of(state, A1=there)
    assert refused_in_words(state, K1=line) == expected


@pytest.mark.rule("cutler", "4.2.4.5.2", "4.2.4.5.1")
def test_a_hundred_and_twenty_cpv_may_be_laid_at_once(kept: Kept):
    state = world(OVER_CUB)
    unit = state.units[MS]
    unit.record = kind_of("MS", mine_room=130)
    unit.holds["mines"] = Lot(item=STANDARD["mines"], count=130)
    assert refused_in_words(state, K1={"around": "cub", "cpv": 121}) == kept()
    assert refused_in_words(state, K1={"around": "cub", "cpv": 120}) == []
    unit.lays = MinesToLay(around="cub")
    lay_mines(table_of(state))
    assert (state.minefields["hydran/cub"].cpv, unit.holds["mines"].count) == (120, 10)


def test_a_field_without_a_map_is_a_ring():
    assert ring(20) == {"A8": 4, "B8": 4, "C8": 3, "D8": 3, "E8": 3, "F8": 3}
    assert read_chart("a5=1, A5=2", "") == ({"A5": 3}, [])
    places = {"B1": 1, "A10": 4, "A9+2": 5, "A9+1": 3, "A9": 2, "A9+11": 6}
    laid = MinesLaid(race="hydran", around="cub", hex="0404", places=places)
    assert (laid.chart, laid.cpv) == ("A9=2 A9+1=3 A9+2=5 A9+11=6 A10=4 B1=1", 21)


# --- in battle -------------------------------------------------------------------------------------------------------
def fought(state: CutlerState, **lines: object) -> Run:
    """A battle at the planet, where all are."""
    state.presence["0404"] = {"hydran": Moment(turn=1, impulse=1), "lyran": Moment(turn=1, impulse=3)}
    table = table_of(state)
    result = {key: {"fate": "intact"} for key in ("H1", "H2", "L1")} | lines
    posts = {f"hydran-F{n}-MS": {"place": "planet"} for n in (1, 2)}
    card = {("card", "lyran"): {"force": {"card": "combat"}}}
    answers = card | {("battle", ""): result, ("allocate", "hydran"): posts}
    answers |= {("allocate", "lyran"): {"lyran-F1-CA": {"place": "planet"}}}
    return Run(table, combat_phase_steps(table.at("combat")), answers)


@pytest.mark.rule("cutler", "4.2.4.5.1")
def test_mines_dropped_in_combat_are_gone_and_make_no_field(kept: Kept):
    state = world(OVER_CUB + "lyran F1 0404 CA")
    field_of(state, A8=30)
    run = fought(state, H1={"fate": "intact", "mines_dropped": 25}, L1={"fate": "destroyed"})
    assert [state.units[f"hydran-F{n}-MS"].holds["mines"].count for n in (1, 2)] == [15, 40]
    assert state.minefields["hydran/cub"].cpv == 30
    (ask,) = [one for one in run.asks if one.kind == "battle"]
    assert refusal_words(ask, {**ask.form.prefilled(), "H1": {"fate": "intact", "mines_dropped": 41}}) == kept()
    mine, theirs = sees(run.table, run.asks, "hydran"), sees(run.table, run.asks, "lyran")
    assert "Cub, 0404: 30 of 120 CPV at A8=30" in mine
    assert "A8=30" not in theirs


@pytest.mark.rule("cutler", "4.2.4.5.1")
def test_minefields_stay_but_for_what_their_owner_says_was_swept(kept: Kept):
    state = world(OVER_CUB + "lyran F1 0404 CA")
    field_of(state, A8=30, B8=20)
    assert refused_in_words(state, N1={"lost": 1}) == ["N1: no battle was fought at such a minefield. Legal: none."]
    fought(state, L1={"fate": "destroyed"})
    assert refused_in_words(state, N1={"lost": 51}) == kept()
    turn(state, N1={"lost": 35})
    assert state.minefields["hydran/cub"].places == {"B8": 15}
    turn(state)
    assert (state.minefields["hydran/cub"].cpv, refused(state, N1={"lost": 1})) == (15, [("N1", "")])


# --- secrecy and espionage -------------------------------------------------------------------------------------------
@pytest.mark.unseen("cutler", reports=("mines",))
@pytest.mark.rule("cutler", "4.2.4.5.1", "4.2.4.5")
def test_mines_are_unseen_by_others_even_in_the_same_hex():
    runs: list[Run] = []
    for lines in ({}, {"K1": {"around": "cub", "cpv": 12}, "A1": mines(5, "hydran-F3-MS")}):
        more = "hydran base 0205 Yard\nhydran F3 0205 MS\nlyran F1 0404 CA"
        state = world("turn 0\n" + OVER_CUB.partition("\n")[2] + more)
        state.units[YARD].record = kind_of("base", repair=20, cargo=50)
        bypass = {"standing": {"cards": "bypass"}}
        runs.append(combats.whole_turn(state, hydran=lines | bypass, lyran=bypass))
        assert bool(state.minefields) == bool(lines)
    worlds.alike(*runs, "lyran", "klingon")


@pytest.mark.rule("cutler", "6.4.1.1")
def test_a_mission_more_finds_more_of_a_minefield(kept: Kept):
    state = world(OVER_CUB + "hydran base 0404 Post\nreserve lyran 100")
    field_of(state, A8=30, C12=5)
    field_of(state, race="klingon", A8=7)
    values = {"spy": "lyran", "kind": "minefield", "aimed": "hex", "said": "", "ip": 20}
    for n, (against, target) in enumerate([("hydran", "0404")] * 3 + [("klingon", "0404"), ("hydran", "0405")], 1):
        state.missions.append(Mission(line=f"M{n}", against=against, target=target, **values))
    run = Run(table := table_of(state), espionage_steps(table))
    assert [one.text.rpartition(", : ")[2] for one in run.told("lyran", "intelligence")] == kept()
    assert "35 CPV" not in run.texts("klingon")


@pytest.mark.rule("cutler", "6.4.1.1")
def test_missions_for_mines_count_within_a_turn_alone():
    state = world("turn 0\n" + CUB + "hydran F1 0404 MS\nreserve lyran 100")
    field_of(state, A8=30)
    spying = {"M1": {"kind": "minefield", "against": "hydran", "other": "0404", "ip": 20}}
    texts: list[str] = []
    for _ in range(2):
        run = Run(table := table_of(state), turn_steps(table), {("turn", "lyran"): spying})
        texts += [one.text for one in run.told("lyran", "intelligence") if "minefield around" in one.text]
    assert [text.rpartition(": ")[2] for text in texts] == ["a minefield around Cub."] * 2
