"""Cutler: three empires, and worlds that differ in what passes between the other two."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules_engine.core.running.adjudicator import Adjudicator
from rules_engine.rulebooks.cutler import RULEBOOK
from tests.rulebooks.cutler.scenario_files import HAULER, intro_files
from tests.secrecy.quiet_policies import by_default, cutler_sheet
from tests.secrecy.two_worlds import watch
from tests.secrecy.worlds import Record, World, alike, few, one_after_another, one_by_one

AT = "2026-01-01T00:00:00.000+00:00"
GUESSES = ("F2", "Nightpaw", "lyran-F1")
PLAIN = World(
    "cutler/intro",
    ("hydran", "lyran", "klingon"),
    policies={"hydran": by_default, "lyran": by_default, "klingon": by_default},
)


@cache
def seen(seed: int = 1) -> Record:
    """The plain world, played once for all comparisons."""
    return watch(PLAIN.but(seed=seed), guesses=GUESSES)


def lyran(lines: Mapping[str, Mapping[str, Any]]) -> World:
    return PLAIN.but(policies={**PLAIN.policies, "lyran": cutler_sheet(lines)})


def mission(kind: str, other: str | None, ip: int = 20) -> dict[str, Any]:
    return {"kind": kind, "against": "klingon", "other": other, "ip": ip}


@few
@given(
    reserve=st.integers(0, 20),
    pool=st.integers(0, 20),
    counter=st.sampled_from((0, 10, 25)),
    cards=st.sampled_from(("ask", "bypass", "combat")),
    orders=st.sampled_from(("usual", "combat x1.5; pursue", "counter 10; hold; flank")),
)
def test_where_the_money_goes_and_standing_orders_are_unseen(
    reserve: int, pool: int, counter: int, cards: str, orders: str
) -> None:
    # Income is public by the planets (4.1.4); what it is spent on is written in secret (6.2, 6.4), and so are cards
    # that are shown only when counters meet (3.1.1).
    sheet = {
        "economy": {"reserve": reserve, "pool": pool + 1},
        "counter": {"points": counter},
        "standing": {"cards": cards, "orders": orders},
        "F1": {"orders": "run never; lodge", "stop": "turn 2"},
    }
    alike(seen(), watch(lyran(sheet), guesses=GUESSES))


@pytest.mark.parametrize(
    "missions",
    [
        pytest.param({"M1": mission("base", None)}, marks=pytest.mark.slow),
        {"M1": mission("location", "0908"), "M2": mission("resources", "0708")},
        {"M1": mission("ship", "0908"), "M2": mission("insurrection", "forgefall")},
        pytest.param({"M1": mission("movement", "0708")}, marks=pytest.mark.slow),
    ],
    ids=lambda missions: "+".join(one["kind"] for one in missions.values()),
)
def test_missions_between_two_are_unseen_by_the_third(missions: dict[str, dict[str, Any]]) -> None:
    # Only the spy and the victim hear of a mission (6.5.1).
    alike(seen(), watch(lyran(missions), guesses=GUESSES))


def test_bases_that_are_begun_and_ground_bases_are_unseen() -> None:
    # What is set aside and built, and where, is its race's own: no counter shows it (2.6.1, 4.4.2, 4.4.9).
    sheet = {"base": {"type": "base_station", "at": "0902"}, "G1": {"build": 1}}
    alike(seen(), watch(lyran(sheet), guesses=GUESSES))


def test_countering_between_two_is_unseen_by_the_third() -> None:
    # The victim is asked for points against each mission (6.4.1.8), so that play rests, twice, for it alone.
    spy = cutler_sheet({"M1": mission("base", None), "M2": mission("location", "0908")})

    def counters(adjudicator: Any, side: str, ask: Any, chance: Any) -> Any:
        if ask.kind == "counter":
            return {"counter": {"points": 10}}
        return cutler_sheet({"counter": {"points": 30}})(adjudicator, side, ask, chance)

    policies = {**PLAIN.policies, "lyran": spy, "klingon": counters}
    alike(seen(), watch(PLAIN.but(policies=policies), guesses=GUESSES))


def test_courses_that_do_not_move_a_counter_are_unseen() -> None:
    # A plot is secret until it is flown (2.2): a course out of reach of all impulses but none, and back to nothing.
    def asks_each(adjudicator: Any, side: str, ask: Any, chance: Any) -> Any:
        if ask.kind == "turn":
            return {"standing": {"impulses": "each"}}
        return by_default(adjudicator, side, ask, chance)

    alike(seen(), watch(PLAIN.but(policies={**PLAIN.policies, "lyran": asks_each}), guesses=GUESSES))


@pytest.mark.parametrize(
    ("others_first", "backwards", "restless", "mistakes"), [(True, True, 2, 1), *one_by_one((False, True, 1, 0))]
)
def test_who_answers_when_and_how_often_is_unseen(others_first: bool, backwards: bool, restless: int, mistakes: int):
    world = PLAIN.but(others_first=others_first, backwards=backwards, restless=restless, mistakes=mistakes)
    alike(seen(), watch(world, guesses=GUESSES))


def test_who_lets_the_deadline_fall_is_unseen() -> None:
    # All are late in one world, and one is silent in the other: its default is what it would have said.
    late = PLAIN.but(late=frozenset({"hydran", "lyran"}))
    silent = PLAIN.but(late=frozenset({"hydran"}), silent=frozenset({"klingon"}), others_first=True)
    alike(watch(late, guesses=GUESSES), watch(silent, guesses=GUESSES))


# --- what is so before the first turn ---------------------------------------------------------------------------------
def renamed(text: str) -> str:
    """Other names for the ships of the other two: names are learnt by missions (6.4.1) and battles alone."""
    for name in ("Manticore", "Lynxeye", "Redmane", "Pounce", "Nightpaw", "Doorcat", "Hammerfall", "Tongs", "Lantern"):
        text = text.replace(f'name = "{name}"', f'name = "Other {name[::-1]}"')
    return text


def reclassed(text: str) -> str:
    """Other classes under the same counters: a counter does not tell what is under it (2.6.2)."""
    name = 'name = "Redmane"\ntype = "heavy_cruiser"'
    return text.replace(name, name.replace("heavy_cruiser", "command_cruiser"))


def regrouped(text: str) -> str:
    """The ships of a hex in one fleet or two: fleets are the owner's own grouping (2.2)."""
    return text.replace(
        'name = "Pounce"\ntype = "war_destroyer"\nhex = "0702"\nfleet = "Border"',
        'name = "Pounce"\ntype = "war_destroyer"\nhex = "0702"\nfleet = "Chase"',
    )


def fewer(text: str) -> str:
    """A ship less where others stand: a counter does not tell how many are under it (2.6.2)."""
    start = text.index("[units.ember]")
    return text[:start] + text[text.index("[units.", start + 5) :]


def without_police(text: str) -> str:
    """No police ship: police and bases show no counter (2.6.1)."""
    start = text.index("[units.doorcat]")
    return text[:start] + text[text.index("[units.", start + 5) :]


def green(text: str) -> str:
    """Poor crews: what a crew is, and what maintenance makes of it, is its owner's alone (7.3)."""
    for name in ("Manticore", "Nightpaw", "Tongs"):
        text = text.replace(f'name = "{name}"', f'name = "{name}"\ncrew_quality = "poor"')
    return text


def all_of_it(text: str) -> str:
    """All six at once; a sweep tries them one by one."""
    return one_after_another(text, green, without_police, fewer, regrouped, reclassed, renamed)


CHANGES = one_by_one(renamed, reclassed, regrouped, fewer, without_police, green)


@pytest.mark.parametrize("change", [all_of_it, *CHANGES])
def test_what_is_under_the_others_counters_is_unseen(change: Callable[[str], str]) -> None:
    alike(seen(), watch(PLAIN.but(files={"units.toml": change}), guesses=GUESSES))


def richer(text: str) -> str:
    """Another treasury: it is nobody else's business (6.3)."""
    return text.replace('name = "Lyran"\nemblem = "L"\nreserve = 40', 'name = "Lyran"\nemblem = "L"\nreserve = 90')


def test_treasuries_are_unseen() -> None:
    alike(seen(), watch(PLAIN.but(files={"scenario.toml": richer}), guesses=GUESSES))


def with_a_blind_base(text: str) -> str:
    """One class more: a starbase without special sensors."""
    starbase = text[text.index('class_id = "starbase"') :].split("[[class]]", maxsplit=1)[0]
    blind = starbase.replace('"starbase"', '"blind_base"').replace("special_sensors = 4\n", "")
    assert blind.count("special_sensors") == 0
    return f"{text}\n[[class]]\n{blind}"


def blinded(text: str) -> str:
    """The Lyran and the Klingon starbase cannot scan: who scans nothing does not show that it could (8.1)."""
    for name in ("Den Station", "Hearth Station"):
        text = text.replace(f'name = "{name}"\ntype = "starbase"', f'name = "{name}"\ntype = "blind_base"')
    return text


def test_whether_bases_can_scan_is_unseen() -> None:
    # Only scans that are made are seen, with race, hex and die (8.7).
    alike(seen(), watch(PLAIN.but(files={"ships.toml": with_a_blind_base, "units.toml": blinded}), guesses=GUESSES))


# --- convoys of the other two -----------------------------------------------------------------------------------------
def with_haulers(text: str) -> str:
    """Two Lyran freighters at the capital."""
    units = (
        f'\n[units.{key}]\nrace = "lyran"\nname = "{key.title()}"\ntype = "hauler"\nhex = "0902"\n' for key in HAULERS
    )
    return text + "".join(units)


HAULERS = ("ox", "mule")


def test_a_convoy_that_nobody_meets_is_unseen() -> None:
    # They show no counter (2.6.1, 2.7); what they do, arriving in impulse 4 too, asks nobody to plot, so that nothing
    # is seen from the time.
    files = {"units.toml": with_haulers, "ships.toml": lambda text: text + HAULER.replace("any", "lyran")}
    sheet = {"E0902": {"to": "0803"}, "H0902": {"cargo": 5}, "L1": {"carry": 5}}
    alike(seen(), watch(lyran(sheet).but(files=files), guesses=GUESSES))


# --- a battle of the other two ----------------------------------------------------------------------------------------
def meeting(text: str) -> str:
    """A Lyran and a Klingon fleet in one hex from the beginning."""
    return text.replace(
        'type = "war_cruiser"\nhex = "0708"\nfleet = "Border"', 'type = "war_cruiser"\nhex = "0702"\nfleet = "Lost"'
    )


def fights(adjudicator: Any, side: str, ask: Any, chance: Any) -> Any:
    return {"force": {"card": "combat"}} if ask.kind == "card" else by_default(adjudicator, side, ask, chance)


FOUGHT = PLAIN.but(files={"units.toml": meeting}, policies={**PLAIN.policies, "lyran": fights, "klingon": fights})


@pytest.mark.thorough
def test_a_battle_of_two_is_unseen_by_the_third() -> None:
    # Everybody in the hex sees the cards and what is behind them (3.1); the battle's thread is private to the two,
    # and what they report of it is theirs. Where the loser's counter goes is public, so both worlds end it alike.
    one = watch(FOUGHT, guesses=GUESSES)
    other = FOUGHT.but(restless=1, mistakes=1, backwards=True)
    assert any(line.startswith("lyran battle") for line in one.hidden), one.hidden
    alike(one, watch(other, guesses=GUESSES))
    assert not [line for moment in one.moments for line in moment if "Battle in" in line]


@pytest.mark.thorough
@pytest.mark.unseen("cutler", reports=("doctrine",))
def test_whether_standing_orders_answered_for_the_others_is_unseen() -> None:
    # Two meet in every impulse. In one world they answer for themselves, in the others orders of a race or of a fleet
    # do, for one of them or for both; what comes of it is the same.
    met = PLAIN.but(files={"units.toml": meeting})
    by_hand = watch(met, guesses=GUESSES)
    assert any(line.startswith("lyran card") for line in by_hand.hidden), by_hand.hidden
    orders = {"standing": {"orders": "bypass; run x1.5; counter 10; go on"}}
    for lyran_sheet, klingon_sheet in ((orders, {}), (orders, orders)):
        policies = {**PLAIN.policies, "lyran": cutler_sheet(lyran_sheet), "klingon": cutler_sheet(klingon_sheet)}
        by_orders = watch(met.but(policies=policies), guesses=GUESSES)
        assert not any(line.startswith("lyran card") for line in by_orders.hidden), by_orders.hidden
        alike(by_hand, by_orders)


# --- planets of the other two -----------------------------------------------------------------------------------------
def over_ridgeclaw(orders: Mapping[str, Any], left: int = 80) -> World:
    """The Klingon ship that stands over a Lyran planet from the beginning does this; of the garrison so many are left
    whenever it is fought for."""

    def answer(adjudicator: Any, side: str, ask: Any, chance: Any) -> Any:
        if ask.kind == "assault":
            sheet = ask.form.prefilled()
            sheet["planet"] |= {"boarding_parties": left, "gcv": 4}
            return sheet
        if ask.kind == "turn" and side == "klingon":
            fleet = next(line for line in ask.form.lines if "Tongs" in line.label)
            return {fleet.key: {key: value for key, value in orders.items() if key in fleet.filled_in()}}
        return by_default(adjudicator, side, ask, chance)

    policies = {**PLAIN.policies, "lyran": answer, "klingon": answer}
    return PLAIN.but(files={"units.toml": meeting}, policies=policies, turns=2)


@pytest.mark.thorough
def test_razing_is_unseen_by_who_is_elsewhere_and_in_the_public_rates() -> None:
    # Its owner and who has a unit there learn of it (CU-R97a), and the rates that all see leave it out.
    one = watch(over_ridgeclaw({}), guesses=GUESSES)
    other = watch(over_ridgeclaw({"raze": "ridgeclaw"}), guesses=GUESSES)
    alike(one, other)
    assert one.hidden != other.hidden


@pytest.mark.thorough
@pytest.mark.unseen("cutler", reports=("planet",), asks=("assault",))
def test_how_many_hold_out_on_a_planet_is_unseen_by_the_third() -> None:
    few_left = watch(over_ridgeclaw({"land": "ridgeclaw"}, left=50), guesses=GUESSES)
    alike(few_left, watch(over_ridgeclaw({"land": "ridgeclaw"}, left=70), guesses=GUESSES))
    assert any("assault" in line for line in few_left.hidden), few_left.hidden


# --- maps -------------------------------------------------------------------------------------------------------------
def maps_of_a_turn(standing: Mapping[str, str]) -> Iterator[tuple[set[str], set[str]]]:
    """Of every rest of the first turn: who is asked to plot, whose maps are posted."""
    scenario = RULEBOOK.read_scenario(intro_files())
    referee, step = Adjudicator.open(RULEBOOK, title="Maps", scenario=scenario, seed=bytes(range(32)), at=AT)
    while referee.ending is None and referee.turn == 1:
        asks = referee.open_asks()
        yield {ask.parties[0] for ask in asks if ask.kind in ("turn", "plot")}, set(step.maps_for)
        for ask in asks:
            if ask.kind == "turn":
                sheet: Any = {"standing": {"impulses": standing.get(ask.parties[0], "contact")}}
                referee.answer(ask.parties[0], ask.id, sheet, by="desk", at=AT)
        step = referee.close("deadline", by="clock", at=AT, strand=referee.strands()[0])


@pytest.mark.parametrize("standing", [{}, {"lyran": "each"}, {"lyran": "each", "klingon": "each"}])
def test_a_map_comes_with_a_question_and_never_without(standing: dict[str, str]) -> None:
    rests = list(maps_of_a_turn(standing))
    for plots, maps in rests:
        assert maps == plots
    assert rests[0][1] == {"hydran", "lyran", "klingon"}
    # Who wishes to be asked in every impulse is sent a map in each of the six; the others' maps do not come of that.
    impulses = rests[1:]
    assert [sum(side in maps for _, maps in impulses) == 6 for side in standing] == [True] * len(standing)
    alone = [maps for _, maps in maps_of_a_turn({}) if "hydran" in maps]
    assert sum("hydran" in maps for _, maps in rests) == len(alone)


# --- cloaks -----------------------------------------------------------------------------------------------------------
def lurking(text: str) -> str:
    """The Romulan raider begins beside a Federation survey ship."""
    return one_after_another(text, lambda units: units.replace('"shadow_destroyer"\nhex = "0704"', RAIDER))


RAIDER = '"shadow_destroyer"\nhex = "0404"'


def raider(**orders: str) -> World:
    """It is under cloak from the first impulse on, and does this."""

    def answer(adjudicator: Any, side: str, ask: Any, chance: Any) -> Any:
        if ask.kind == "turn":
            fleet = next(line.key for line in ask.form.lines if "Unheard" in line.label)
            return {fleet: {"cloak": "cloaked", **orders}}
        return by_default(adjudicator, side, ask, chance)

    policies = {"federation": by_default, "romulan": answer}
    return World("cutler/frontier", ("federation", "romulan"), policies=policies, files={"units.toml": lurking})


def test_a_passage_under_cloak_is_unseen_also_by_those_whom_it_meets() -> None:
    # It enters the survey ship's hex, is asked whether to show itself, and stays under cloak (2.6.2.1).
    holds = watch(raider(course=""), guesses=GUESSES)
    passes = watch(raider(course="0304 0303"), guesses=GUESSES)
    alike(holds, passes)
    assert holds.hidden != passes.hidden


# --- docked PFs -------------------------------------------------------------------------------------------------------


def flotilla(*docked: str) -> World:
    """The Romulan tender has these PFs docked on it from the first turn on."""

    def answer(adjudicator: Any, side: str, ask: Any, chance: Any) -> Any:
        if ask.kind == "turn":
            fleet = next(line.key for line in ask.form.lines if "Brood Keeper" in line.label)
            return {fleet: {"dock": [*docked]}}
        return by_default(adjudicator, side, ask, chance)

    return World("cutler/frontier", ("federation", "romulan"), policies={"federation": by_default, "romulan": answer})


def test_pfs_that_dock_on_a_tender_are_unseen() -> None:
    # They stand under its counter before, and are in it then (2.6.1).
    apart = watch(flotilla(), guesses=GUESSES)
    together = watch(flotilla("fledgling_one", "fledgling_two"), guesses=GUESSES)
    alike(apart, together)
    assert apart.hidden != together.hidden
