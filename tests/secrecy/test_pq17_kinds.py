"""PQ-17: for every kind of report and ask that the book has, worlds that must look alike to a side do.

Kinds that chapters' own tests compare are marked there; here are the others, and the count.
"""

from fractions import Fraction
from typing import Any

import pytest

from rules_engine.rulebooks.pq17.campaign import arrivals, convoys, period_ends, reaction_force
from rules_engine.rulebooks.pq17.ch01_forces.task_forces import reorganise
from rules_engine.rulebooks.pq17.ch06_reconnaissance import shadowing as ch07
from rules_engine.rulebooks.pq17.ch06_reconnaissance.step import reconnaissance_steps
from rules_engine.rulebooks.pq17.ch08_combat import attack, raid_forces, raid_tables
from rules_engine.rulebooks.pq17.ch10_supply.end_of_turn import supply_steps
from rules_engine.rulebooks.pq17.contacts.detection import announce_detections
from rules_engine.rulebooks.pq17.plotting.impulse_plots import stay_steps
from rules_engine.rulebooks.pq17.records import forces, progress
from rules_engine.rulebooks.pq17.records.special_conditions import Flotilla
from rules_engine.rulebooks.pq17.records.state import State
from rules_engine.rulebooks.pq17.special_conditions import flotilla_5, intelligence
from rules_engine.rulebooks.pq17.tables.ship_classes import Refit
from tests.expected.kept import cases
from tests.rulebooks.pq17.playing.campaign_play import AT, INTRO, CampaignPlay, scenario
from tests.rulebooks.pq17.worlds.campaign import campaign, make, put
from tests.rulebooks.pq17.worlds.notation import table, world
from tests.rulebooks.pq17.worlds.special_conditions import SHIPS, event, executes, holds, special_world
from tests.rulebooks.pq17.worlds.supply import depot, empty, plan
from tests.secrecy import kinds, twin_turns
from tests.secrecy.watched_steps import Watched, unseen_by

BOOK = "pq17"


def test_every_kind_of_report_and_ask_has_a_case_of_two_worlds() -> None:
    made, compared = kinds.kinds_of(BOOK), kinds.kinds_compared(BOOK)
    assert len(made.reports) > 15
    assert len(made.asks) > 20
    assert {kind: made.reports[kind] for kind in made.reports if kind not in compared.reports} == {}
    assert {kind: made.asks[kind] for kind in made.asks if kind not in compared.asks} == {}
    assert set(compared.reports) <= set(made.reports)
    assert set(compared.asks) <= set(made.asks)


# --- the referee ------------------------------------------------------------------------------------------------------
@pytest.mark.unseen("pq17", reports=("referee",), asks=("planning",))
def test_a_correction_of_the_enemys_forces_says_nothing_of_them() -> None:
    told: dict[str, str] = {}

    def corrected(path: str, value: Any, reason: str = "a mistake") -> list[object]:
        book, document = scenario(INTRO)
        adjudicator = CampaignPlay(book, document, 1, check=False).adjudicator
        step = adjudicator.edit(path, value, by="rita", reason=reason, at=AT)
        told[path] = "\n".join(one.text for one in step.reports if one.to == ("coalition",))
        read = [twin_turns.report_as_read(one) for one in step.reports if one.is_for("alliance")]
        return [read, adjudicator.view("alliance"), [ask.form for ask in adjudicator.asks_for("alliance")]]

    plain = corrected("units.shade.name", "Shadow")
    assert "correction" in str(plain[0])
    assert corrected("units.shade.probes", 0, "Shade had fired them at A1.") == plain
    assert corrected("task_forces.C1.posture.active", value=False) == plain
    assert corrected("task_forces.C1.hex", "0607", "It was there all the time.") == plain
    assert "“Shade" in told["units.shade.name"]
    assert "probes" in told["units.shade.probes"]
    assert "The referee's reason: Shade had fired them at A1." in told["units.shade.probes"]
    assert "is now hex 0607" in told["task_forces.C1.hex"]


# --- shadowing and moving ---------------------------------------------------------------------------------------------
@pytest.mark.unseen("pq17", reports=("shadowing",))
@pytest.mark.parametrize("target", ["C1 0405 DD#2 speed 2 U", "C1 0405 CA[probes=0] speed 2 U", "C1 0405 FF speed 2 U"])
def test_who_begins_to_shadow_learns_the_speed_and_nothing_of_the_ships(target: str) -> None:
    def begun(text: str) -> Watched:
        at = table(world(f"A1 0405 CA speed 3 U\n{text}\nturn 2 impulse 1 half A initiative alliance"))
        announce_detections(at)
        ch07.try_to_shadow(at, at.state.task_forces["A1"], at.state.task_forces["C1"])
        assert at.state.task_forces["A1"].shadowing == "C1"
        return Watched(at)

    unseen_by("alliance", begun("C1 0405 CA speed 2 U"), begun(target))


@pytest.mark.unseen("pq17", reports=("shadowing",))
@pytest.mark.parametrize("shadower", ["A1 0405 CA#2 speed 3 U", "A1 0405 CA[fuel=25] speed 3 U"])
def test_the_shadowed_learns_nothing_of_who_shadows_it(shadower: str) -> None:
    def begun(text: str) -> Watched:
        at = table(world(f"{text}\nC1 0405 CA speed 2 U\nturn 2 impulse 1 half A initiative alliance"))
        announce_detections(at)
        ch07.try_to_shadow(at, at.state.task_forces["A1"], at.state.task_forces["C1"])
        return Watched(at)

    unseen_by("coalition", begun("A1 0405 CA speed 3 U"), begun(shadower))


@pytest.mark.unseen("pq17", asks=("shadow",), reports=("shadowing",))
@pytest.mark.parametrize(("kept", "left"), [("C5", "C9"), ("C2", "C3")])
def test_who_follows_a_target_that_split_is_not_told_its_numbers(kept: str, left: str) -> None:
    def split(one: str, other: str) -> Watched:
        at = table(world(f"A1 0405 CA+DD speed 3 shadows {one} U\n{one} 0405 CA+DD speed 2 U\nturn 3"))
        ch07.remember_links(at.state)
        reorganise(at.state, "coalition", {one: [f"{one}.CA"], other: [f"{one}.DD"]})
        reorganise(at.state, "alliance", {"A1": ["A1.CA"], "A2": ["A1.DD"]})
        return Watched(at).play(ch07.continue_shadowing_steps(at))

    unseen_by("alliance", split("C1", "C2"), split(kept, left))


MEETING = "C1 0405 CA speed 2 plot 0406\nturn 1 impulse 1 half B"


@pytest.mark.unseen("pq17", asks=("stay",))
@cases("entered", "")
def test_the_option_to_stay_says_nothing_of_who_came(entered: str) -> None:
    def met(text: str) -> Watched:
        state = world(f"{text}\n{MEETING}")
        state.set_mark(state.all_task_forces("alliance")[0], "entered")
        at = table(state)
        announce_detections(at)
        return Watched(at).play(stay_steps(at, "coalition"), {"stay coalition": {"C1": {"move": "stay"}}})

    unseen_by("coalition", met("A1 0405 CA"), met(entered))


# --- combat -----------------------------------------------------------------------------------------------------------
@pytest.mark.unseen("pq17", asks=("order of battles", "attack"), reports=("declared", "attempt"))
@pytest.mark.parametrize("other", ["C4 0303 CA ID0", "C2 0303 CA#2 ID0", "C2 0303 CA[fuel=20] ID0"])
def test_who_orders_the_battles_reads_nothing_of_who_defends(other: str) -> None:
    def formed(text: str) -> Watched:
        lines = f"A1 0405 CA ID0\nA2 0303 CA ID0\nC1 0405 CA ID0\n{text}"
        state = world(f"{lines}\nturn 2 impulse 1 half A initiative alliance")
        at = table(state, 5, 10, 5, 10, by_label={"/surprise": 5})
        announce_detections(at)
        watched = Watched(at)
        steps = attack.combat_steps(at, "alliance")
        batch = next(steps)
        while "power" not in {ask.kind for ask in batch.asks}:
            for ask in batch.asks:
                watched.shown(ask)
            sheets = {"attack": {"A1": {"target": "E1"}, "A2": {"target": "E2"}}, "order of battles": None}
            answers = {
                ask.id: ask.default if sheets[ask.kind] is None else ask.answer_from(sheets[ask.kind])
                for ask in batch.asks
            }
            batch = steps.send(answers)
        return watched

    one, two = formed("C2 0303 CA ID0"), formed(other)
    for part, again in zip(one.seen("alliance")[:2], two.seen("alliance")[:2], strict=True):
        assert part == again
    assert one.at.state != two.at.state


RAIDED = "1719"


def raid(text: str) -> State:
    state = special_world(
        f"{text}\nsettled {RAIDED} alliance Meridian\nturn 2 impulse 1 half A initiative coalition\n", bases=""
    )
    state.settled[RAIDED].empire = "Federation"
    state.settled[RAIDED].id_level = forces.IdLevel.ID2
    return state


@pytest.mark.unseen("pq17", reports=("raid", "victory", "attempt"), asks=("attack",))
@pytest.mark.parametrize("raider", ["CA#2", "CA[fuel=20]", "CA[warp=27]"])
def test_the_raided_learn_of_the_raid_and_nothing_of_the_ships(raider: str) -> None:
    def raided(ships: str) -> Watched:
        at = table(raid(f"C1 {RAIDED} {ships} speed 1"), 1, 40, by_label={"/surprise": 5, "local conditions": 50})
        announce_detections(at)
        answers = {"attack coalition": {"C1": {"target": f"settled {RAIDED}"}}}
        return Watched(at).play(attack.combat_steps(at, "coalition"), answers)

    unseen_by("alliance", raided("CA"), raided(raider))


def mustered(raider: str = "CA", fitted: tuple[str, ...] = ()) -> Watched:
    """Local forces are raised: one of two freighters, and its refits."""
    refits = (Refit(name="AWR", year=160, bpv=Fraction(1)), Refit(name="Y165", year=165, bpv=Fraction(2)))
    state = raid(f"C1 {RAIDED} {raider} speed 1")
    for class_id in SHIPS:
        price: dict[str, Any] = {"bpv_economic": Fraction(1000), "bpv_combat": Fraction(1000), "refits": ()}
        if class_id in ("F-S", "UFS"):
            price = {"bpv_economic": Fraction(25), "bpv_combat": Fraction(25), "refits": refits}
        state.classes[class_id] = SHIPS[class_id].model_copy(update=price)
    given = raid_forces.Muster("alliance", RAIDED, "Federation", raid_tables.RAID_TABLE[0], Fraction(0), Fraction(0))
    sheets = {
        "local force alliance": {"pick": {"type": "UFS"}},
        "local refits alliance": {"convoy 1": {"refits": list(fitted)}},
    }
    at = table(state, *[50, 1] * 4)
    return Watched(at).play(raid_forces.muster_steps(at, given), sheets)


@pytest.mark.unseen("pq17", asks=("local force", "local refits"), reports=("raid",))
def test_the_raider_does_not_learn_which_refits_local_forces_have() -> None:
    unseen_by("coalition", mustered(), mustered(fitted=("AWR",)))


@pytest.mark.unseen("pq17", asks=("local force", "local refits"), reports=("raid",))
@pytest.mark.parametrize("raider", ["CA#2", "CA[fuel=20]", "DD"])
def test_who_raises_local_forces_reads_nothing_of_the_raiders_ships(raider: str) -> None:
    unseen_by("alliance", mustered(), mustered(raider))


# --- supply -----------------------------------------------------------------------------------------------------------
@pytest.mark.unseen("pq17", asks=("conversions",), reports=("supply",))
def test_what_supplies_become_is_unseen_even_by_who_is_there() -> None:
    def ended(text: str | None) -> Watched:
        state = depot("A1 0404 FT+CA logistics ID3\nC1 0404 CA ID1")
        empty(state, "A1.CA", fuel=10)
        plan(state, A1_FT="> A1.CA 6 supply", stores={"convert": True})
        at = table(state)
        announce_detections(at)
        sheet = None if text is None else {"A1.CA": {"make": text}, "A1.FT": {"make": None}}
        return Watched(at).play(supply_steps(at), {"conversions alliance": sheet})

    unseen_by("coalition", ended(None), ended("3 fuel, 1 probe, 2 crew units"))


# --- the campaign -----------------------------------------------------------------------------------------------------
@pytest.mark.unseen("pq17", asks=("reaction",), reports=("arrival",))
@pytest.mark.parametrize("entry", ["0901", "1001", "1201"])
def test_where_the_reaction_force_comes_on_is_unseen(entry: str) -> None:
    def called(hex_id: str) -> Watched:
        state = campaign(turn=7)
        force = state.settings.campaign.force_of("kzinti-reaction")
        arrivals.expect_force(state, force, [state.units[one] for one in make(state, "A", ["KZI-CA", "KZI-FF"])], 1)
        put(state, "C1", "1101", "KLI-FF")
        at = table(state)
        reaction_force.watch(at)
        state.turn = 8
        watched = Watched(at).play(reaction_force.reaction_steps(at), {"reaction alliance": {"force": {"hex": hex_id}}})
        state.impulse = 1
        arrivals.place_arrivals(at)
        return watched

    unseen_by("coalition", called("0801"), called(entry))


@pytest.mark.unseen("pq17", reports=("convoy",))
@pytest.mark.parametrize("boxes", [1, 20, 49])
def test_what_a_convoy_delivers_is_unseen(boxes: int) -> None:
    def unloaded(count: int) -> Watched:
        state = campaign()
        tf = put(state, "A1", "0806", "F-L", nation="federation", in_port="A94")
        for unit_id in tf.units:
            document = {"kind": "convoy", "convoy": "x", "nation": "federation", "period": 1, "original": 50}
            state.progress.freighters[unit_id] = progress.Freighter.from_json(document)
        at = table(state)
        base = state.units[state.task_forces["A94"].units[0]]
        convoys.delivered(at, state.units[tf.units[0]], base, count)
        return Watched(at)

    unseen_by("coalition", unloaded(50), unloaded(boxes))


@pytest.mark.unseen("pq17", asks=("emergency", "purchase"), reports=("victory",))
@cases("side, line", "side")
def test_what_is_bought_at_a_periods_end_is_unseen(side: str, line: dict[str, Any]) -> None:
    def bought(sheet: dict[str, Any] | None) -> Watched:
        at = table(campaign(turn=150))
        return Watched(at).play(period_ends.order_of_battle_steps(at), {f"emergency {side}": sheet})

    unseen_by("alliance" if side == "coalition" else "coalition", bought(None), bought(line))


@pytest.mark.unseen("pq17", asks=("flotilla",), reports=("special",))
@pytest.mark.parametrize("line", [{"hex": "1701"}, {"ask_on": 45}])
def test_where_and_when_flotilla_5_appears_is_unseen(line: dict[str, Any]) -> None:
    def placed(sheet: dict[str, Any]) -> Watched:
        state = special_world("turn 31 impulse 1")
        state.special.flotilla = Flotilla(period=2, ask_on=31)
        at = table(state)
        watched = Watched(at).play(flotilla_5.flotilla_steps(at), {"flotilla coalition": {"flotilla": sheet}})
        if "ask_on" in sheet:  # it comes another day, and its owner alone hears of it
            at.state.turn = 45
            watched.play(flotilla_5.flotilla_steps(at), {"flotilla coalition": {"flotilla": {"hex": "1718"}}})
            at.state.turn = 31
        return watched

    unseen_by("alliance", placed({"hex": "1718"}), placed(line))


INTELLIGENCE = [("alliance", "fis-ultra", "coalition", "sizilien", "breakout"),
                ("coalition", "kis-b", "alliance", "clean sweep", "gale force")]  # fmt: skip


@pytest.mark.unseen("pq17", asks=("revelation",), reports=("special",))
@pytest.mark.parametrize(("side", "name", "enemy", "one", "other"), INTELLIGENCE)
def test_who_is_shown_one_condition_learns_nothing_of_the_rest(side: str, name: Any, enemy: str, one: Any, other: Any):
    def revealed(hidden: Any) -> Watched:
        state = special_world("turn 31")
        event(state, side, name, 2)
        holds(state, enemy, "reinforcements", 1)
        holds(state, enemy, hidden, 2)
        at = table(state)
        return Watched(at).play(
            intelligence.intelligence_steps(at), {f"revelation {enemy}": {"choice": {"choice": "reinforcements"}}}
        )

    unseen_by(side, revealed(one), revealed(other))


@pytest.mark.unseen("pq17", asks=("collection",), reports=("special",))
@pytest.mark.parametrize(
    ("side", "name", "enemy", "known", "other"),
    [(*case[:4], hidden) for case, hidden in zip(INTELLIGENCE, ("wunderland", "gearbox"), strict=True)],
)
def test_who_may_ask_for_a_condition_is_not_told_what_there_is(
    side: str, name: Any, enemy: str, known: Any, other: Any
) -> None:
    def asked(hidden: Any) -> Watched:
        state = special_world("turn 31")
        event(state, side, name, 1).spent = True
        event(state, side, name, 2)
        executes(state, enemy, known, period=2)
        state.special.conditions[0].revealed = True
        holds(state, enemy, hidden, 1)
        at = table(state)
        answers = {f"collection {side}": {"choice": {"choice": f"is {known}"}}}
        return Watched(at).play(intelligence.intelligence_steps(at), answers)

    unseen_by(side, asked("reinforcements"), asked(other))


# --- the order of news ------------------------------------------------------------------------------------------------
@pytest.mark.unseen("pq17", reports=("attempt", "contact", "declared"), asks=("search",))
def test_what_a_search_of_a_port_brings_comes_in_the_searchers_order() -> None:
    def searched(first: str, second: str) -> Watched:
        lines = "A1 0405 CA speed 2\nC9 0405 BATS base Lair known LC1\nC1 0405 CA port C9 U\nC2 0405 CA port C9 U"
        state = world(f"{lines}\nturn 2 impulse 1 half A initiative coalition")
        state.tracks["alliance"].current |= {first: "E1", second: "E2"}
        at = table(state, *[1] * 8)
        announce_detections(at)
        at.shared.reports.clear()
        return Watched(at).play(reconnaissance_steps(at, "coalition"), {"search alliance": {"A1": {"target": "E1"}}})

    one = searched("C1", "C2")
    news = [report.text for report in one.at.shared.reports if report.to == ("alliance",)]
    assert [text for text in news if " searched E" in text] == [f"A1 searched E{n} in 0405: success." for n in (1, 2)]
    unseen_by("alliance", one, searched("C2", "C1"))
