"""Whole campaigns: by officers on both sides, by written orders, and by anything that may happen."""

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from rules_engine.core.basics.base import Json
from rules_engine.core.forms.forms import Sheet
from rules_engine.core.knowledge.views import Knowledge
from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.records.journal import Closed
from rules_engine.rulebooks.pq17.records import damage, forces
from tests.expected.kept import Kept, cases
from tests.rulebooks.anything import AnyCampaign, often
from tests.rulebooks.pq17.playing.campaign_play import CAMPAIGN, INTRO, CampaignPlay, contact_problems, scenario
from tests.rulebooks.pq17.playing.officers import Manner, Officer
from tests.rulebooks.pq17.playing.ordered import BOTH, HERE, Force, Order, OrderedPlay, files, targets, won
from tests.rulebooks.pq17.playing.special_worlds import NATION, NATIONS, ships
from tests.seeds import DRAWN, IS_FULL, QUICK

# --- campaign play ----------------------------------------------------------------------------------------------------
# whole campaigns, played by officers on both sides through the referee, with every invariant checked after each step.
# In everyday testing a campaign's first period stands for the rest; continuous integration adds the beginnings of
# campaigns with seeds that nobody has tried; ``PLOTROOM_SWEEP=full`` plays all 22 periods of 30 turns.
PERIOD = 30
WHOLE = 22 * PERIOD
CAMPAIGN_SEEDS = range(1, 21)
"""Of whole campaigns; each takes some minutes."""
PERIOD_SEEDS = range(11, 161)
"""Of campaigns of one period and of the introduction."""
WILD = Manner(bold=0.8, whims=0.6, silence=0.15)


def manner_of(seed: int) -> Manner | None:
    """Every fourth campaign is played by officers who change their minds at every sheet."""
    return WILD if seed % 4 == 0 else None


def played(key: str, seed: int, turns: int, manner: Manner | None = None) -> CampaignPlay:
    """A campaign of so many turns; its own length is set to that."""
    print(f"seed {seed}: {key}, {turns} turns")  # pytest shows it beside a failure
    book, document = scenario(key, turns=turns)
    return CampaignPlay(book, document, seed, manner=manner, looking=True).play()


@pytest.mark.headless
def test_the_campaign_begins_and_replays():
    game = played(CAMPAIGN, 1, 2, Manner(bold=0.8))
    assert game.adjudicator.ending is not None
    assert {"purchase", "deployment", "period", "planning"} <= set(game.tally.asks)
    game.verify()


@pytest.mark.headless
def test_the_first_period_and_the_beginning_of_the_second():
    """Special conditions, intelligence, convoys, command points, the account at the period's end."""
    game = played(CAMPAIGN, 1, PERIOD + 2)
    assert game.adjudicator.ending is not None
    assert game.tally.asks["period"] == 2 * 2
    assert game.tally.turns["busy"] > 0
    assert game.state.ledger, "nothing was scored"
    game.verify()


@pytest.mark.headless
def test_a_period_that_nobody_answers_comes_to_its_end():
    book, document = scenario(CAMPAIGN, turns=PERIOD + 1)
    game = CampaignPlay(book, document, 2, manner=Manner(silence=1.0), check=False).play(PERIOD - 1)
    game.check = True
    game.play()
    assert game.adjudicator.ending is not None
    assert game.state.turn == PERIOD + 1
    game.verify()


@pytest.mark.headless
def test_a_crowded_map_has_battles_and_replays_from_its_last_turn():
    game = played(INTRO, 1, 10, Manner(bold=0.9))
    assert {"planning", "battle"} <= set(game.tally.asks)
    assert game.state.ledger, "nothing was scored"
    assert game.snapshot is not None
    assert any(isinstance(entry.body, Closed) for entry in game.entries[1:])
    game.verify()


@pytest.mark.parametrize(
    ("key", "turns", "seed"),
    [
        *((CAMPAIGN, 8, seed) for seed in DRAWN[::2]),
        *((INTRO, 20, seed) for seed in DRAWN[1::2] or DRAWN),
        *(pytest.param(*one, QUICK[0], marks=pytest.mark.thorough) for one in ((CAMPAIGN, 8), (INTRO, 20))),
    ],
)
def test_seeds_that_nobody_has_tried(key: str, turns: int, seed: int):
    game = played(key, seed, turns, WILD if seed % 2 else None)
    assert game.adjudicator.ending is not None
    game.verify()


@pytest.mark.slow
@pytest.mark.skipif(not IS_FULL, reason="minutes each: PLOTROOM_SWEEP=full")
@pytest.mark.parametrize("seed", CAMPAIGN_SEEDS)
def test_a_whole_campaign(seed: int):
    game = played(CAMPAIGN, seed, WHOLE, manner_of(seed))
    assert game.adjudicator.ending is not None
    assert game.adjudicator.turn >= WHOLE
    game.verify()


@pytest.mark.slow
@pytest.mark.skipif(not IS_FULL, reason="many seeds: PLOTROOM_SWEEP=full")
@pytest.mark.parametrize("seed", PERIOD_SEEDS)
@pytest.mark.parametrize(("key", "turns"), [(CAMPAIGN, PERIOD + 3), (INTRO, 40)])
def test_many_seeds(key: str, turns: int, seed: int):
    assert played(key, seed, turns, WILD if seed % 2 else None).adjudicator.ending is not None


# --- anything that may happen to a campaign of the introduction: :mod:`tests.rulebooks.anything` ----------------------
RECKLESS = Manner(bold=0.9, whims=0.5, silence=0.0)


class Introduction(AnyCampaign):
    """The introduction, four turns long."""

    book, document = scenario(INTRO, turns=4)
    junk = ({"nowhere": {"speed": "warp 9"}},)

    def answer_to(self, side: str, ask: AnyAsk, seed: int) -> Json:
        return Officer(self.adjudicator, side, Random(seed), RECKLESS).answer(ask)

    def problems_of(self, side: str, known: Knowledge) -> Iterable[str]:
        return contact_problems(self.adjudicator._state, side, known)


Introduction.TestCase.settings = often(20)
TestCampaign = Introduction.TestCase


# --- scripted campaigns -----------------------------------------------------------------------------------------------
# campaigns by written orders in which what seldom happens does: repairs by every kind of repair boxes, a refit,
# laying and sweeping. Expected values are worked out by hand from the rules.

# --- repairs and a refit ----------------------------------------------------------------------------------------------
YARD = files(
    Force("A9", {"dock": "FRD"}, base="Dock"),
    Force(
        "A1",
        dict.fromkeys(("five", "four", "one", "three", "two"), "CA")
        | {"helper": "RS", "pod-a": "RP", "pod-b": "RP", "tug": "TG"},
        port="A9",
    ),
    Force("C1", {"raider": "CA"}),
    turns=6,
)
DAMAGE = won(
    "alliance",
    AT1={"fate": "destroyed"},
    DF2={"damage": "hull 3"},  # five
    DF3={"damage": "hull 2"},  # four
    DF8={"warp": 29, "damage": "hull 2"},  # three
    DF10={"warp": 26, "damage": "hull 3, phaser-1 1", "cdr": 2},  # two
)
NAMES = ("five", "four", "three", "two")
NOTHING = {"dock": {"give": None}, "helper": {"give": None}}


def docked(**orders: dict[str, Any]) -> dict[str, Any]:
    """A logistics sheet: who is docked to what, repairs by unit, and no supplies."""
    groups = {"dock-dock": ["one", "two"], "dock-helper": ["three"], "dock-tug": ["four", "five"]}
    repairs = {f"repair-{name}": {"boxes": None, "by": None, "refit": None} for name in (*NAMES, "one")}
    repairs |= {f"repair-{name}": order for name, order in orders.items()}
    return {**{key: {"ships": ships} for key, ships in groups.items()}, **repairs, **NOTHING}


REFIT = {"by": "dock", "refit": "mix", "most": 200}
WORK = (
    docked(
        one=REFIT,
        two={"by": "dock", "boxes": "hull 3, phaser-1, warp 2, self-repair 2", "most": 100},
        three={"by": "helper", "boxes": "hull 2, warp"},
        four={"by": "tug", "boxes": "hull 2"},
        five={"by": "tug", "boxes": "hull 3"},
    ),
    docked(
        one=REFIT,
        two={"by": "dock", "boxes": "warp 2, self-repair 2", "most": 100},
        three={"by": "helper", "boxes": "warp"},
        five={"by": "tug", "boxes": "hull"},
    ),
    docked(one=REFIT, two={"by": "dock", "boxes": "self-repair 2", "most": 100}),
    docked(one=REFIT),
    docked(one=REFIT),
)
"""The sheets of turns 2 to 6."""


Turns = dict[int, dict[str, forces.Unit]]
"""The units as they are at the end of each turn, by id."""


@pytest.fixture(scope="module")
def worked() -> Turns:
    """The campaign in which a dock with everything in port is attacked, and five turns of work follow."""
    game = OrderedPlay(
        YARD,
        Order(1, "coalition", "attack", {"C1": {"target": "Dock"}}),
        Order(1, BOTH, "battle", DAMAGE),
        Order(1, "alliance", "reform", {f"repair {name}": {"boxes": None} for name in NAMES}),
        Order(2, "alliance", "planning", {"A1": {"posture": ["logistics"]}, "stores": {"sheet": "always"}}),
        *(Order(turn, "alliance", "logistics", sheet) for turn, sheet in enumerate(WORK, start=2)),
    )
    return {turn: {key: unit.copied() for key, unit in game.play(turn).state.units.items()} for turn in range(1, 7)}


@pytest.mark.headless
@pytest.mark.rule("pq17", "11.4.9.2.3", "11.4.9.2.4", "11.4.9.2.5", "11.4.9.1", "11.4.9.2.8")
def test_a_dock_works_on_two_units_a_repair_ship_on_one_and_a_tug_on_one_for_each_pod(worked: Turns) -> None:
    """Two hull boxes at 5 points use up the 10 points of the tug's pod; the other pod's 10 leave one of three. The
    repair ship's 30 points are two hull boxes and 20 towards a warp box of 50."""
    ships = worked[2]
    assert (ships["four"].repairs.damage, ships["five"].repairs.damage) == ({}, {"hull": 1})
    assert (ships["three"].repairs.damage, ships["three"].warp) == ({}, 29)
    assert ships["three"].repairs.in_hand == damage.BoxInHand(box="warp", points=20, turn=2)
    assert ships["one"].repairs.refit is not None
    assert ships["two"].repairs.damage == {}


@pytest.mark.headless
@pytest.mark.rule("pq17", "11.2.4.3", "11.4.9.3", "11.4.9.3.1", "11.4.9.4", "11.4.9.5", "11.4.9.7", "11.4.9.8")
def test_boxes_are_finished_in_order_and_each_takes_a_repair_point_of_the_repairing_unit(worked: Turns) -> None:
    """100 points a turn: three hull boxes are 15, a phaser that the table does not list is 50, 35 are left for a warp
    box of 50. In the next turn 15 finish it, 50 the other one, and 35 are over. The dock's 300 points fall by four and
    two, the pods' 20 by four and one; the ships' own in their DAMCON tracks stay."""
    damaged, second, third = (worked[turn]["two"] for turn in (1, 2, 3))
    assert (damaged.warp, damaged.repairs.damage) == (26, {"hull": 3, "phaser-1": 1})
    assert (second.warp, second.repairs.damage) == (26, {})
    assert second.repairs.in_hand == damage.BoxInHand(box="warp", points=35, turn=2)
    assert third.warp == 28
    assert third.repairs.in_hand == damage.BoxInHand(box="self-repair", points=35, turn=3)
    assert [worked[turn]["dock"].rp_repair for turn in (1, 2, 3)] == [300, 296, 294]
    assert [worked[turn]["helper"].rp_repair for turn in (1, 2, 3)] == [30, 28, 27]
    assert [sum(worked[turn][pod].rp_repair for pod in ("pod-a", "pod-b")) for turn in (1, 2, 3)] == [20, 16, 15]
    assert [worked[turn]["two"].rp_damcon for turn in (1, 2, 3)] == [2, 2, 2]


@pytest.mark.headless
@pytest.mark.rule("pq17", "11.3.4", "11.3.5", "11.4.9.3.2", "11.4.9.6")
def test_one_of_two_lost_self_repairs_comes_back_and_takes_no_repair_point(worked: Turns) -> None:
    """Two of four were used in the battle. 35 points and 100 more make one at 125, and 10 over are lost with the next
    turn, in which nobody goes on with it."""
    assert [worked[turn]["two"].self_repairs_left for turn in (1, 3, 4, 5)] == [2, 2, 3, 3]
    assert worked[4]["two"].repairs.in_hand == damage.BoxInHand(box="self-repair", points=10, turn=4)
    assert worked[5]["two"].repairs.in_hand is None
    assert worked[4]["dock"].rp_repair == 294


@pytest.mark.headless
@pytest.mark.rule("pq17", "11.5.1", "11.5.4", "11.5.5", "11.5.5.1", "11.5.5.2", "11.5.5.3", "11.5.5.4", "C.purchase.3b")
def test_a_refit_is_worked_in_by_a_dock_and_counts_when_all_of_it_is_done(worked: Turns) -> None:
    """A battery added is 125, a phaser exchanged 250, a drone rack altered 250, a shield altered 250: 875. At 200 a
    turn it is 800 after four turns, and done with 75 in the fifth."""
    begun = [worked[turn]["one"].repairs.refit for turn in (2, 3, 4, 5)]
    assert [one.points if one is not None else 0 for one in begun] == [200, 400, 600, 800]
    assert [worked[turn]["one"].battery for turn in (2, 5, 6)] == [2, 2, 3]
    assert (worked[6]["one"].repairs.refit, worked[6]["one"].repairs.refits) == (None, ["mix"])


# --- minefields -------------------------------------------------------------------------------------------------------
MINED = files(
    Force("A1", {"layer": "ML"}, mines=600), Force("C1", {f"sweeper-{number}": "MS" for number in range(5)}),
    Force("C9", {"rock": "FRD"}, base="Rock"), turns=3, more=f'minefield_hexes = ["{HERE}"]',
)  # fmt: skip
"""A hex without planet or settlement, whose base is destroyed first: the scenario says that mines may lie there."""
CRUISE = "2"


@pytest.mark.headless
@pytest.mark.rule("pq17", "12.1.3", "12.2.2", "12.4.5", "12.5.3", "12.5.3.10", "12.6.3", "12.6.3.1", "12.6.3.2")
def test_a_minefield_is_laid_swept_laid_again_and_strengthened_before_the_enemys_eyes(kept: Kept) -> None:
    """After its attack on the base the minelayer is held at ID3. Each point expended lowers that by one, and a new
    minefield is known as well as its layer: ID2 in the first impulse; swept in the second; ID1 in the third. Another
    point of strength in the next turn makes it unknown but for its presence. 200 mines go into each point."""
    game = OrderedPlay(
        MINED,
        Order(1, "alliance", "attack", {"A1": {"target": "Rock"}}),
        Order(1, BOTH, "battle", won("alliance", DF1={"fate": "destroyed"})),
        Order(2, "alliance", "planning", {"A1": {"speed": CRUISE, "route": "lay lay"}}),
        Order(2, "coalition", "attack", {"C1": {"target": "E2"}}, place="I2/A"),
        Order(3, "alliance", "planning", {"A1": {"speed": CRUISE, "route": "lay"}}),
        seed=b"1" * 32,  # the sweep's second attempt succeeds, which a minesweeper allows
    ).play(3)
    laid = f"A1 laid 200 mines in {HERE}: your minefield there has strength"
    used_up = f"Your minefield in {HERE} is used up and removed."
    assert game.told("alliance", "mines") == [f"{laid} 1.", used_up, f"{laid} 1.", f"{laid} 2."]
    assert list(dict.fromkeys([text for text in game.told("coalition", "contact") if "inefield" in text])) == kept()
    swept = [text for text in game.told("coalition", "attempt") if "swept" in text]
    assert [text.rpartition(": ")[2] for text in swept] == ["failed, nothing found.", "success."]
    assert [(one.hex, one.strength, one.level) for one in game.state.mines.fields.values()] == [(HERE, 2, -1)]
    assert game.state.units["layer"].stores == {}
    assert {unit.fuel for key, unit in game.state.units.items() if key.startswith("sweeper")} == {14}  # 15 - 2 x 1/2


# --- campaigns by written orders and habits: raids that are opposed, and what WHISKERS tells --------------------------
# Seeds were looked for that give the rolls wanted; expected values are worked out by hand from the rules.

# --- raids ------------------------------------------------------------------------------------------------------------
SETTLED = '[[settled]]\nhex = "{0}"\nside = "alliance"\nname = "Meridian"\nempire = "{1}"'


def raided(empire: str, seed: bytes) -> tuple[OrderedPlay, list[str]]:
    """A turn in which two raiders search and attack a settled hex as often as they may, and two frigates them; raiders
    win the battle. Also the units of the battle, as its form names them."""
    nations = [NATION.format(key, key.title(), side, "0101") for key, side, _ in NATIONS]
    tables = "".join([*nations, SETTLED.format(HERE, empire)])
    frigates = [Force(f"A{number}", {f"guard-{number}": "FED-FF"}) for number in (1, 2)]
    cruisers = [Force(f"C{number}", {f"raider-{number}": "KLI-CA"}) for number in (1, 2)]
    made = files(*frigates, *cruisers, turns=1, more='raid_table = "pq17"', tables=tables)
    labels: list[str] = []

    def at_once(ask: AnyAsk) -> Sheet:
        sheet = ask.form.prefilled()
        for key, offered in targets(ask).items():
            settled = [one for one in offered if one.startswith("settled")]
            for target in (settled or offered)[:1]:
                sheet[key]["target"] = target
        return sheet

    def defenders_lost(ask: AnyAsk) -> Sheet:
        labels.extend(line.label for line in ask.form.lines[1:])
        sheet = ask.form.prefilled()
        for key in sheet:
            sheet[key] |= {"fate": "destroyed"} if key.startswith("DF") else {}
        return {**sheet, "battle": {"winner": "coalition", "turns": 2}}

    habits = {"search": at_once, "attack": at_once, "battle": defenders_lost}
    return OrderedPlay({**made, "ships.toml": ships()}, habits=habits, seed=seed).play(1), labels


@pytest.mark.headless
@cases("empire, seed, base, defense")
def test_an_opposed_raid_meets_a_convoy_and_local_defence_that_are_gone_after_it(
    empire: str, seed: int, base: list[str], defense: list[str]
) -> None:
    """A convoy of 105 to 134 in economic value; local defence of the empire up to what the raiders are worth in combat
    beyond the explicit defenders, and no more of it fits; a base only in the last row of the table."""
    game, labels = raided(empire, bytes([seed]) * 32)
    told = game.told("alliance", "raid")
    words = ["the explicit task forces", "a convoy", "local defence", *(["a base"] if base else [])]
    assert told[0] == f"The raid on Meridian in {HERE} is opposed: {', '.join(words)}."
    joined = [text.rpartition("; ")[2].removesuffix(" joins.") for text in told if text.endswith(" joins.")]
    parts = [*base, *(one.partition("-")[2] for one in defense)]
    assert joined[: len(parts)] == parts
    classes = game.state.classes
    convoy = [classes[one] for one in joined[len(parts) :]]
    value = sum(kind.bpv_economic for kind in convoy)
    assert 105 <= value <= 134
    assert value - convoy[-1].bpv_economic < 105
    guards = sum("rigate" in label and "guard" not in label for label in labels)
    left = 2 * classes["KLI-CA"].bpv_combat - guards * classes["FED-FF"].bpv_combat
    left -= sum(classes[one].bpv_combat for one in defense)
    assert left >= 0
    table = [kind for kind in classes.values() if kind.hull_group == "local defence" and kind.empire == empire]
    assert left < min(kind.bpv_combat for kind in table)
    assert sum(label.endswith("(Coalition)") for label in labels) == 2
    assert len(labels) == 2 + guards + len(joined)
    state = game.state
    assert {unit.class_id for unit in state.units.values() if unit.fate == "in play"} <= {"KLI-CA", "FED-FF"}
    assert [line.amount for line in state.ledger if line.line == "T5.4"] == [-1]
    assert len([line for line in state.ledger if line.line == "T5.1"]) == guards + len(joined)


# --- WHISKERS ---------------------------------------------------------------------------------------------------------
@pytest.mark.headless
@cases("seed, plot, said", "")
def test_whiskers_tells_whether_a_port_strike_was_rolled_and_is_carried_out(seed: int, plot: str, said: str) -> None:
    """Both seeds give the Alliance the event in the first period; the second one the Coalition a Port Strike."""
    _, document = scenario(turns=1)
    orders = [Order(1, "coalition", "operations", {"port-strike": {"now": plot}})] if plot else []
    game = OrderedPlay(document, *orders, seed=seed.to_bytes(16, "big")).play(1)
    answers = [text for text in game.told("alliance", "special") if text.startswith("WHISKERS Collection: ")]
    assert answers == [f"WHISKERS Collection: A Port Strike {said}."]
    assert not [text for text in game.told("alliance", "special") if "Murzank" in text]
