"""Chapter 4: every word of a turn's sheet about docks, bases and accessories, and of what is told then."""

from typing import Any

import pytest

from rules_engine.core.protocol.asks import AnyAsk
from rules_engine.core.protocol.turn_context import TurnContext
from rules_engine.rulebooks.cutler.ch02_sorties.returning import return_sorties
from rules_engine.rulebooks.cutler.ch04_accessories.mine_orders import features
from rules_engine.rulebooks.cutler.ch04_accessories.mines_in_battle import battle_charts
from rules_engine.rulebooks.cutler.ch04_economics.building.bases import keep_sites
from rules_engine.rulebooks.cutler.ch04_economics.docks import docks_of, keep_docks
from rules_engine.rulebooks.cutler.ch04_economics.permits import refit_defects, why_not_refit, why_not_repaired
from rules_engine.rulebooks.cutler.ch04_economics.shown import dock_panel
from rules_engine.rulebooks.cutler.ch06_espionage.plans import turn_ask
from rules_engine.rulebooks.cutler.records.accessories.catalogue import STANDARD, Lot
from rules_engine.rulebooks.cutler.records.accessories.mines import MinesLaid
from rules_engine.rulebooks.cutler.records.combat.terrain import HexTerrain, TerrainFeature
from rules_engine.rulebooks.cutler.records.economy import BaseSite, DockWork
from rules_engine.rulebooks.cutler.records.parts.ground_units import stand_on
from rules_engine.rulebooks.cutler.records.parts.sorties import Sortie
from rules_engine.rulebooks.cutler.records.state import CutlerState, Fight
from tests.rulebooks.cutler.orbits import mooned
from tests.rulebooks.cutler.worlds import Run, kind_of, offered, refusal_words, table_of, world
from tests.rulebooks.cutler.yards import HOME, YARD, refused_in_words, turn, yard

CA, FF, AUX = "hydran-F1-CA", "hydran-F1-FF", "hydran-F2-AUX"


def texts(table: Run | TurnContext[CutlerState], side: str = "hydran") -> list[str]:
    """What a side was told, in order."""
    table = table.table if isinstance(table, Run) else table
    return [one.text for one in table.shared.reports if one.is_for(side)]


def choices(ask: AnyAsk, line: str, field: str) -> list[str]:
    """What a field offers, with its hints."""
    (found,) = (one for one in ask.form.by_key[line].fields if one.key == field)
    return [f"{one.label} ({one.hint})" if one.hint else one.label for one in found.choices]


def works(**lines: Any) -> CutlerState:
    """A yard with three bays; a ship there is damaged and has a poor crew, and a planet has no police ship."""
    state = yard(
        HOME + "hydran F1 0205 CA+FF[warp=9,crew=poor]\nhydran F2 0205 AUX\nhydran police 0307 Watch\n",
        bays=(30, 20, 90),
    )
    state.empires["hydran"].base_pool = 300
    state.classes["ff"] = kind_of("FF", crew_units=20, refits={"sc": 30, "dd": 4})
    state.units[FF].record = state.classes["ff"]
    for name, value in lines.items():
        setattr(state.units[CA], name, value)
    return state


@pytest.mark.rule("cutler", "4.2.1", "4.2.3", "4.2.4.8", "4.3", "2.8")
def test_what_a_bay_offers_by_its_words() -> None:
    ask = turn_ask(works(), "hydran")
    said = choices(ask, "D3", "work")
    assert [one for one in said if not one.startswith("Build") or one.split()[1] in ("CA", "Police", "FRD")] == [
        "Repair: Hydran F1 Ff (FF) (15 CPV for 3 warp boxes)",
        "Build: CA (125 CPV)",
        "Build: FRD (90 CPV)",
        "Build: Police for P0205 (50 CPV)",
        "Refit: Hydran F1 Ca into CC (20 CPV)",
        "New crew: Hydran F1 Ca, outstanding (10 CPV)",
        "New crew: Hydran F2 Aux, outstanding (10 CPV)",
        "Legendary Navigator: Hydran F1 Ca (20 CPV)",
        "Legendary Science Officer: Hydran F1 Ca (20 CPV)",
        "Legendary Captain: Hydran F1 Ca (20 CPV)",
        "Legendary Engineer: Hydran F1 Ca (20 CPV)",
        "Legendary Weapons Officer: Hydran F1 Ca (20 CPV)",
        "Legendary Doctor: Hydran F1 Ca (20 CPV)",
        "Legendary Officer of Marines: Hydran F1 Ca (20 CPV)",
        "Legendary Navigator: Hydran F2 Aux (20 CPV)",
        "Legendary Science Officer: Hydran F2 Aux (20 CPV)",
        "Legendary Captain: Hydran F2 Aux (20 CPV)",
        "Legendary Engineer: Hydran F2 Aux (20 CPV)",
        "Legendary Weapons Officer: Hydran F2 Aux (20 CPV)",
        "Legendary Doctor: Hydran F2 Aux (20 CPV)",
        "Legendary Officer of Marines: Hydran F2 Aux (20 CPV)",
    ]
    assert [repr(one) for one in offered(ask.form.by_key["D3"]) if one[0] in ("Begin", "Name")][1:] == [
        "('Name', 'text', None, 'blank: one is found')",
    ]
    state = works()
    turn(state, D1={"work": "build ff", "cpv": 10}, D3={"work": "build ca", "cpv": 80, "name": "Swell"})
    ask = turn_ask(state, "hydran")
    assert (ask.form.by_key["D1"].label, ask.form.by_key["D1"].note) == (
        "D1: Yard, bay 1",
        "0205, 30 repair boxes: FF 1 (FF), 10 of 60 CPV",
    )
    assert [repr(one) for one in offered(ask.form.by_key["D1"])] == [
        "('Change', 'Give it up', None, 'blank: it goes on')",
        "('CPV into it', '0 to 30', None, 'blank: as many as there are')",
    ]
    assert choices(ask, "D1", "work") == [
        "Give it up (its CPV are lost)",
    ]
    assert choices(ask, "base", "type") == [
        "BATS (250 CPV, 375 where you never had a base)",
        "BS (101 CPV, 152 where you never had a base)",
    ]


@pytest.mark.rule("cutler", "4.2.1", "4.2.3", "4.2.3.3", "4.3", "4.4.1", "4.4.5", "4.1.7")
def test_what_docks_and_bases_read_back_warn_of_and_tell() -> None:
    state = works(cargo_cpv=0)
    state.classes["bs"] = kind_of("base", class_id="bs", name="BS", base_type="BS", bpv_economic=101, cargo=10)
    state.units["hydran-base-0307"] = state.units[YARD].copied()
    other = state.units["hydran-base-0307"]
    other.id, other.name, other.hex, other.record = "hydran-base-0307", "Post", "0307", state.classes["bs"]
    other.cargo_cpv = 3
    state.units[AUX].unload = True
    first: dict[str, Any] = {
        "H0205": {"cargo": 5, "repair": 90},
        "D1": {"work": "build ff", "cpv": 10},
        "D2": {"work": f"repair {FF}", "cpv": 14},
        "D3": {"work": "build ff", "then": "sc", "cpv": 60, "name": "Swell"},
        "L1": {"carry": 2, "unload": False},
        "scrap": {"base": "hydran-base-0307", "sure": True},
    }
    ask = turn_ask(state, "hydran")
    assert refusal_words(ask, first) == []
    assert ask.read_back(ask.answer_from(first)) == [
        "0 CPV to the Reserve, 30 to the Base Pool, 0 lost.",
        "In 0205: 5 new CPV into cargo boxes, 90 CPV into repair boxes.",
        "Post is scrapped for 50 CPV.",
        "D1: begins FF 1 (FF) with 10 CPV, then 10 of 60.",
        "D2: repairs Hydran F1 Ff: 2 warp boxes for 10 CPV.",
        "D3: begins Swell (FF) with 60 CPV, done; then 0 CPV into a refit into SC.",
        "Hydran F2 Aux holds 2 CPV.",
        "Hydran F2 Aux no longer unloads into bases it comes upon.",
        "F1 (Hydran F1 Ca, Hydran F1 Ff): holds in 0205.",
        "F2 (Hydran F2 Aux): holds in 0205.",
    ]
    assert ask.warn(ask.answer_from(first)) == [
        "6 CPV in repair boxes are used by nothing and will be lost (4.1.6.2).",
        "What Post stores is lost when it is scrapped (4.1.5).",
        "D2: 4 CPV repair no whole box and will be lost (4.3).",
        "D3: the refit does not begin, for nothing is left for it (4.2.3.3).",
        "F1 moves at the speed of Hydran F1 Ff, 5.",
    ]
    run = turn(state, **first)
    assert texts(run) == [
        (
            "Income 125 CPV: 0 to the Intelligence Reserve, 30 to the Base Pool, 5 into cargo boxes in 0205, "
            "90 into repair boxes in 0205."
        ),
        "Hydran F1 Ff is repaired at Yard in 0205: 2 warp boxes for 10 CPV.",
        "Swell (FF) is completed at Yard in 0205.",
        "Post in 0307 is scrapped: 50 CPV go into the Base Pool.",
    ]
    assert state.empires["hydran"].alerts == [
        "Swell was completed in 0205",
    ]
    second: dict[str, Any] = {
        "D1": {"work": "give up"},
        "D3": {"work": f"refit {CA} into cc"},
        "L1": {"unload": True},
        "H0205": {"repair": 50},
    }
    ask = turn_ask(state, "hydran")
    assert refusal_words(ask, second) == []
    assert ask.read_back(ask.answer_from(second)) == [
        "0 CPV to the Reserve, 80 to the Base Pool, 0 lost.",
        "In 0205: 50 CPV into repair boxes.",
        "D1: FF 1 (FF), 10 of 60 CPV: given up.",
        "D3: begins refit of Hydran F1 Ca into CC with 20 CPV, done.",
        "Hydran F2 Aux unloads into bases it comes upon.",
        "F1 (Hydran F1 Ca, Hydran F1 Ff): holds in 0205.",
        "F2 (Hydran F2 Aux): holds in 0205.",
        "F3 (Swell): holds in 0205.",
    ]
    assert texts(turn(state, **second)) == [
        (
            "Income 125 CPV: 0 to the Intelligence Reserve, 80 to the Base Pool, 45 into repair boxes in "
            "0205. Out of cargo boxes into repair boxes: 5 in 0205."
        ),
        "Given up: FF 1 (FF), 10 of 60 CPV.",
        "Hydran F1 Ca is made into a CC at Yard in 0205.",
    ]
    assert [f"{one.item}, {one.cpv}" for one in state.spent] == [
        "an FF, 10",
        "repairs of an FF, 10",
        "an FF, 60",
        "the refit of a CA into a CC, 20",
    ]


@pytest.mark.rule("cutler", "4.2.1", "4.2.3", "4.2.3.3", "4.3", "2.8", "4.4.9", "4.1.1")
def test_what_docks_refuse_and_why() -> None:
    state = works()
    state.classes["rock"] = kind_of("base", class_id="rock", name="Rock", kind="ground_base", base_type=None, cargo=0)
    state.classes["free"] = kind_of("FF", class_id="free", name="Free", bpv_economic=0)
    state.classes["spot"] = kind_of("base", class_id="spot", name="Spot", base_type="BS", bpv_economic=0)
    state.classes["other"] = kind_of("FF", class_id="other", name="Other", empire="lyran")
    state.classes["mule"] = kind_of("FF", class_id="mule", name="Mule", hybrid=True)
    sheets: tuple[dict[str, Any], ...] = (
        {"D1": {"work": "build rock"}},
        {"D1": {"work": "build free"}},
        {"D1": {"work": "build sb"}},
        {"D1": {"work": "build other"}},
        {"D1": {"work": "build mule"}},
        {"D1": {"work": "build ff for p0307"}},
        {"D1": {"work": "build police for p0307"}},
        {"D1": {"work": "build police"}, "D2": {"work": "build police"}},
        {"D1": {"work": "build cl"}},
        {"D1": {"work": "build ff", "name": "Yard"}},
        {"D1": {"work": f"refit {CA} into dd"}},
        {"D1": {"work": f"refit {FF} into sc"}},
        {"D1": {"work": f"refit {CA} into cc"}, "D2": {"work": f"refit {CA} into cc"}},
        {"D1": {"work": f"repair {CA}"}},
        {"D1": {"work": f"repair {FF}", "then": "sc"}},
        {"D1": {"work": "build ca", "then": "cc"}},
        {"D1": {"work": "build ff", "then": "ca"}},
        {"D1": {"work": f"crew outstanding for {YARD}"}},
        {"D1": {"work": f"crew poor for {FF}"}},
        {"D2": {"work": "build ff", "cpv": 21}},
        {"D1": {"work": "give up"}},
        {"base": {"type": "spot", "at": "0404"}},
        {"base": {"type": "bs", "at": "4404"}},
        {"base": {"type": "frd", "at": "0404"}},
        {"base": {"type": "ff"}},
        {"base": {"type": "tower"}},
        {"scrap": {"base": YARD}},
        {"G9": {"build": 1}},
        {"salvage": {"ships": [CA]}},
    )
    assert [refused_in_words(state, **sheet) for sheet in sheets] == [
        [
            "D1.work: a Rock is no ship (4.4.9). Legal: a planet builds it from its own new CPV.",
        ],
        [
            "D1.work: a Free has no price (4.1.1). Legal: a class with an economic BPV.",
        ],
        [
            "D1.work: an SB is no ship (4.4.1). Legal: a base is built from the Base Pool, at its site.",
        ],
        [
            "D1.work: an Other is of another race (4.2.1). Legal: classes of the Hydran, or of any race.",
        ],
        [
            "D1.work: a Mule is a hybrid (5.1). Legal: a prize may be made into one.",
        ],
        [
            "D1.work: only a police ship is built for a planet. Legal: build a class.",
        ],
        [
            ("D1.work: this planet has a police ship, or gets one (2.8, CU-N85). Legal: p0205. Did you mean p0205?"),
        ],
        [
            "D2.work: this planet has a police ship, or gets one (2.8, CU-N85). Legal: no police ship.",
        ],
        [
            (
                "D1.work: nothing like this can be begun. Legal: repair hydran-F1-FF, build aux, build blm, "
                "build ca, build cc, build cv, build cw, build dd, build dn, build dw, build ff, build fl, build "
                "frd, build fs, build mon, build ms, build pf, build pft, build police, build ql, build qs, "
                "build sc, build sfl, build sfs, build sur, refit hydran-F1-CA into cc, crew outstanding for "
                "hydran-F1-CA, crew outstanding for hydran-F2-AUX, train officer_navigator for hydran-F1-CA, "
                "train officer_science for hydran-F1-CA, train officer_captain for hydran-F1-CA, train "
                "officer_engineer for hydran-F1-CA, train officer_weapons for hydran-F1-CA, train officer_doctor "
                "for hydran-F1-CA, train officer_marines for hydran-F1-CA, train officer_navigator for "
                "hydran-F2-AUX, train officer_science for hydran-F2-AUX, train officer_captain for "
                "hydran-F2-AUX, train officer_engineer for hydran-F2-AUX, train officer_weapons for "
                "hydran-F2-AUX, train officer_doctor for hydran-F2-AUX, train officer_marines for hydran-F2-AUX. "
                "Did you mean build sc or build ql or build fl?"
            ),
        ],
        [
            "D1.name: you have another 'Yard'. Legal: another name, or none.",
        ],
        [
            "D1.work: a CA is not made into a DD (4.2.3.1, 4.2.3.4, CU-R87). Legal: cc.",
        ],
        [
            (
                "D1.work: Hydran F1 Ff has lost 3 warp boxes (4.2.3.3, 4.3.1, CU-R86). Legal: a refit in a turn "
                "after its repair."
            ),
        ],
        [
            (
                "D2.work: Hydran F1 Ca lies in bay D1 (4.2.1.1, 4.2.3.3, CU-R82, CU-R86). Legal: its repair or "
                "refit in D1."
            ),
            (
                "D2.work: one command cruiser may be begun a turn, and D1 begins one (4.2.2, CU-R84). Legal: "
                "another class, or a later turn."
            ),
        ],
        [
            "D1.work: Hydran F1 Ca is not damaged (4.3). Legal: a damaged unit.",
        ],
        [
            "D1.then: only a ship that is built or refit here is refit then (4.2.3.3, CU-R86)",
        ],
        [
            (
                "D1.then: CA 1 (CA) leaves no repair box of the bay free in this turn (4.2.3.3, 4.2.1.1). Legal: "
                "in a later turn."
            ),
        ],
        [
            "D1.then: an FF is not made into that (4.2.3.1, 4.2.3.4, CU-R87). Legal: sc, dd.",
        ],
        [
            "D1.work: Yard is a base (4.2.4.8). Legal: a ship.",
        ],
        [
            "D1.work: the crew of Hydran F1 Ff is poor (4.2.4.8). Legal: a better crew.",
        ],
        [
            "D2.cpv: bay 2 has 20 repair boxes, and 60 CPV are to pay (4.2.1, 4.2.1.1, CU-R82). Legal: 0 to 20.",
        ],
        [
            (
                "D1.work: nothing like this can be begun. Legal: repair hydran-F1-FF, build aux, build blm, "
                "build ca, build cc, build cv, build cw, build dd, build dn, build dw, build ff, build fl, build "
                "frd, build fs, build mon, build ms, build pf, build pft, build police, build ql, build qs, "
                "build sc, build sfl, build sfs, build sur, refit hydran-F1-CA into cc, crew outstanding for "
                "hydran-F1-CA, crew outstanding for hydran-F2-AUX, train officer_navigator for hydran-F1-CA, "
                "train officer_science for hydran-F1-CA, train officer_captain for hydran-F1-CA, train "
                "officer_engineer for hydran-F1-CA, train officer_weapons for hydran-F1-CA, train officer_doctor "
                "for hydran-F1-CA, train officer_marines for hydran-F1-CA, train officer_navigator for "
                "hydran-F2-AUX, train officer_science for hydran-F2-AUX, train officer_captain for "
                "hydran-F2-AUX, train officer_engineer for hydran-F2-AUX, train officer_weapons for "
                "hydran-F2-AUX, train officer_doctor for hydran-F2-AUX, train officer_marines for hydran-F2-AUX."
            ),
        ],
        [
            "base.type: a Spot has no price (4.1.1). Legal: another class of base.",
        ],
        [
            (
                "base.at: '4404' is not a hex of this map (columns 01-11, rows 01-09, numbered CCRR). Did you "
                "mean 1101 or 1102 or 1103?"
            ),
        ],
        [
            (
                "base.type: an FRD is built as a ship, and towed to its site (4.4.1, CU-N61). Legal: another "
                "class of base."
            ),
        ],
        [
            "base.type: an FF is no base (4.4.1). Legal: another class of base.",
        ],
        [
            "base.type: no such base. Legal: base, bats, bs, sb.",
        ],
        [
            "scrap.sure: scrapping cannot be undone. Legal: yes, if you mean it.",
        ],
        [
            "G9: you hold no such planet. Legal: G1, G2.",
        ],
        [
            "salvage.ships: Hydran F1 Ca is not a prize (5.1, CU-R83). Legal: none.",
        ],
    ]
    gone = yard(HOME + "hydran F1 0205 CA+FF\n")
    gone.empires["hydran"].base_pool = 300
    assert refused_in_words(gone, base={"type": "bs"}) == [
        "base.at: say in which hex. Legal: the number of a hex.",
    ]
    assert refused_in_words(gone, D1={"work": "build police for p0205"}, D2={"work": "build police for p0205"}) == [
        ("D2.work: this planet has a police ship, or gets one (2.8, CU-N85). Legal: p0307. Did you mean p0307?"),
    ]


@pytest.mark.rule("cutler", "4.2.3", "4.3", "4.4.9", "4.2.3.4")
def test_ground_bases_dock_nowhere_and_survey_freighters_are_refit_among_themselves() -> None:
    state = yard(HOME)
    planet = next(iter(state.planets.values()))
    stand_on(state, planet, {"A": 1}, state.ground_base_cost.record)
    (ground,) = (unit for unit in state.units.values() if unit.kind == "ground_base")
    (dock, *_) = docks_of(state, "hydran").values()
    assert why_not_refit(state, "hydran", dock, ground, state.classes["ff"]) == (
        "P0205 A1 is a ground base, and docks nowhere",
        "4.2.3, 4.4.9",
        "a ship",
    )
    assert why_not_repaired(dock, ground) == (
        "P0205 A1 is a ground base, and docks nowhere",
        "4.3, 4.4.9",
        "a ship, or a base in space",
    )
    classes = {"fl": kind_of("FL", refits={"sfl": 10}), "sfl": kind_of("SFL")}
    assert [str(one) for one in refit_defects(classes)] == [
        (
            "ships.fl.refits: an FL and a Sfl do not both sail in convoys (4.2.3.4, CU-R35). Legal: survey "
            "freighters by themselves."
        ),
    ]


@pytest.mark.rule("cutler", "4.2.1.1", "4.2.3", "4.4.2", "4.1.8")
def test_what_is_told_of_works_and_sites_that_are_lost() -> None:
    told: list[list[str]] = []
    for change in ("base", "module", "bay", "ship", "site", "upgrade"):
        state = works()
        work = DockWork(
            base=YARD, bay=3, race="hydran", into=state.classes["cc"], named="Hydran F1 Ca", cost=60, paid=9, ship=CA
        )
        state.works[work.key] = work
        site = BaseSite(
            key="S1",
            race="hydran",
            hex="0205",
            into=state.classes["bs"],
            named="Rock",
            cost=60,
            set_aside=12,
            builder=AUX,
        )
        if change == "base":
            state.units[YARD].perish()
        elif change == "module":
            state.units[YARD].module_lost = True
        elif change == "bay":
            state.units[YARD].record = kind_of("base", repair=50, docking_bays=(30, 20), base_type="SB")
        elif change == "ship":
            state.units[CA].hex, state.units[CA].sailed = "0206", True
        elif change == "site":
            state.sites["hydran/S1"] = site
            state.units[AUX].perish()
        else:
            state.sites["hydran/S1"] = site.changed(upgrades=YARD, builder="", named="Yard")
            state.units[YARD].taken_by("lyran")
        table = table_of(state)
        keep_docks(table)
        keep_sites(table)
        told.append(texts(table))
    assert told == [
        [
            "With Yard in 0205 is lost what was in its docking bay: refit of Hydran F1 Ca into CC, 9 of 60 CPV.",
        ],
        [
            (
                "With the docking module of Yard in 0205 is lost what was in its bay: refit of Hydran F1 Ca into "
                "CC, 9 of 60 CPV."
            ),
        ],
        [
            "Yard in 0205 has no such docking bay any more; lost: refit of Hydran F1 Ca into CC, 9 of 60 CPV.",
        ],
        [
            ("Hydran F1 Ca is no longer docked at Yard in 0205; lost: refit of Hydran F1 Ca into CC, 9 of 60 CPV."),
        ],
        [
            "Nobody builds on in 0205: Rock (BS) is lost, and all that was set aside for it.",
        ],
        [
            "With Yard in 0205 is lost what was in its docking bay: refit of Hydran F1 Ca into CC, 9 of 60 CPV.",
            "With Yard in 0205 its upgrade to BS is lost.",
        ],
    ]


@pytest.mark.rule("cutler", "4.2.3", "4.1.8")
def test_cpv_without_a_box_after_a_refit_are_told_and_sites_without_a_builder_shown() -> None:
    state = works(cargo_cpv=60)
    state.units[CA].record = kind_of("CA", cargo=60, refits={"cc": 20})
    state.classes["cc"] = kind_of("CC", cargo=5)
    state.sites["hydran/S1"] = BaseSite(
        key="S1", race="hydran", hex="0404", into=state.classes["bs"], named="Rock", cost=60, set_aside=12
    )
    state.sites["hydran/S2"] = BaseSite(
        key="S2", race="hydran", hex="0205", into=state.classes["bs"], named="Reef", cost=60, set_aside=60, builder=AUX
    )
    assert list(dock_panel(state, "hydran").rows)[-2:] == [
        "S1 Rock (BS) in 0404: 48 of 60 CPV; nobody builds yet",
        "S2 Reef (BS) in 0205: 0 of 60 CPV; Hydran F2 Aux builds",
    ]
    run = turn(state, D3={"work": f"refit {CA} into cc"})
    assert [one for one in texts(run) if "Ca" in one] == [
        "Hydran F1 Ca is made into a CC at Yard in 0205. 35 CPV that no longer have a cargo box are lost.",
    ]


@pytest.mark.rule("cutler", "4.4.9", "1.1.2.4")
def test_what_is_asked_refused_and_told_of_ground_bases_on_planets_and_moons() -> None:
    state = mooned(yard(HOME), "0205")
    (ours,) = (planet for planet in state.planets.values() if planet.hex == "0205")
    state.classes["fort"] = kind_of(
        "base", class_id="fort", name="Fort", kind="ground_base", base_type=None, cargo=0, bpv_economic=9
    )
    state.classes["keep"] = kind_of(
        "base", class_id="keep", name="Keep", kind="ground_base", base_type=None, cargo=0, bpv_economic=12
    )
    moon = next(one for one in state.moons.values())
    ask = turn_ask(state, "hydran")
    (line,) = (one for one in ask.form.lines if one.label == f"Ground bases on {ours.name}")
    assert [line.label, line.note, *map(repr, offered(line))] == [
        "Ground bases on P0205",
        "no ground bases; paid with the new CPV of this planet alone",
        "('Ground bases to build', '0 to 11', 0, '9 or 12 CPV each')",
        (
            "('Hexsides', 'A: 4 free, B: 4 free, C: 4 free, D: 4 free, E: 4 free, F: 4 free', [], 'one by "
            "one in turn; none: on all')"
        ),
        "('Ground bases to build on its moons', '0 to 11', 0, 'paid likewise')",
        (
            "('Moons', 'gas giant moon 1 of P0205: no ground bases, gas giant moon 2 of P0205: no ground "
            "bases, gas giant moon 3 of P0205: no ground bases, moon 1 of P0205: no ground bases, moon 2 of "
            "P0205: no ground bases', [], 'one by one in turn; none: on all')"
        ),
        "('Hexsides of moons', 'A, B, C, D, E, F', [], 'one by one in turn; none: on all')",
        "('Of which class', 'Fort, Keep', None, 'blank: the first')",
    ]
    sheets: tuple[dict[str, Any], ...] = (
        {"build": 1, "type": "ff"},
        {"build": 1, "type": "tower"},
        {"build": 1, "sides": ["G"]},
        {"build": 99},
        {"on_moons": 99},
        {"build": 1, "on_moons": 11, "type": "fort"},
        {"build": 5, "sides": ["A"], "type": "fort"},
        {"on_moons": 1, "moons": ["giant_0205"]},
        {"on_moons": 1, "moons": ["moon7_0205"]},
        {"on_moons": 2, "moons": [moon.key], "moon_sides": ["B"], "type": "fort"},
    )
    assert [refused_in_words(state, **{line.key: one}) for one in sheets] == [
        [
            "G1.type: FF: no ground base, or another race's (4.4.9, CU-N63). Legal: fort, keep.",
        ],
        [
            "G1.type: there is no such class. Legal: fort, keep.",
        ],
        [
            "G1.sides: there is no hexside 'G'. Legal: A, B, C, D, E, F.",
        ],
        [
            ("G1.build: P0205 makes 100 CPV, and 99 ground bases cost 891 (4.4.9, CU-R94). Legal: 0 to 11 in all."),
        ],
        [
            ("G1.on_moons: P0205 makes 100 CPV, and 99 ground bases cost 891 (4.4.9, CU-R94). Legal: 0 to 11 in all."),
        ],
        [
            ("G1.build: P0205 makes 100 CPV, and 12 ground bases cost 108 (4.4.9, CU-R94). Legal: 0 to 11 in all."),
        ],
        [
            (
                "G1.build: a capital planet has room for 4 ground bases on a hexside, 24 in all (4.4.9, CU-R94). "
                "Legal: 0 to 4 on A."
            ),
        ],
        [
            (
                "G1.moons: no ground base stands on a gas giant (4.4.9, CU-R94). Legal: giantmoon1_0205, "
                "giantmoon2_0205, giantmoon3_0205, moon1_0205, moon2_0205."
            ),
        ],
        [
            (
                "G1.moons: there is no such moon. Legal: giantmoon1_0205, giantmoon2_0205, giantmoon3_0205, "
                "moon1_0205, moon2_0205. Did you mean moon2_0205 or moon1_0205 or giantmoon3_0205?"
            ),
        ],
        [
            (
                "G1.on_moons: a moon has room for 1 ground base on a hexside, 6 in all (4.4.9, CU-R94). Legal: 0 "
                "to 1 on these moons and hexsides."
            ),
        ],
    ]
    state.moons[moon.key].owner = "lyran"
    assert refused_in_words(state, **{line.key: {"on_moons": 1, "moons": [moon.key]}}) == [
        (
            "G1.moons: moon 1 of P0205 is not a moon of yours in 0205 (4.4.9, CU-N113). Legal: "
            "giantmoon1_0205, giantmoon2_0205, giantmoon3_0205, moon2_0205."
        ),
    ]
    state.moons[moon.key].owner = "hydran"
    sheet: dict[str, Any] = {line.key: {"build": 2, "sides": ["A", "C"], "on_moons": 1, "type": "keep"}}
    assert [one for one in ask.read_back(ask.answer_from(sheet)) if "will have" in one] == [
        "P0205 will have 2 ground bases (hexsides A 1, C 1), the new ones of class Keep.",
        "gas giant moon 1 of P0205 will have 1 ground base (hexside A 1), the new ones of class Keep.",
    ]
    assert [one for one in texts(turn(state, **sheet)) if "builds" in one] == [
        "P0205 (0205) builds 2 for 24 CPV (Keep), and has 2 ground bases (hexsides A 1, C 1).",
        "gas giant moon 1 of P0205 (0205) builds 1 for 12 CPV (Keep), and has 1 ground base (hexside A 1).",
    ]


@pytest.mark.rule("cutler", "4.2.4", "4.2.4.1.1", "4.2.4.8", "4.2.4.7")
def test_what_orders_for_accessories_offer_refuse_and_read() -> None:
    state = yard(HOME + "hydran F1 0205 CA[fighters=3,officers=captain]+FF\nhydran F2 0303 FF\n")
    state.units[CA].record = kind_of("CA", drones=20, shuttles=4, fighters=3, cargo=9, crew_units=5, boarding_parties=4)
    state.units[CA].crew_units = 5
    state.units[CA].holds |= {key: Lot(item=STANDARD[key], count=n) for key, n in (("drone_1_slow", 9), ("shuttle", 4))}
    state.units[CA].passengers["ace"] = Lot(item=STANDARD["ace"], count=1)
    ask = turn_ask(state, "hydran")
    assert choices(ask, "A1", "item") == [
        "Legendary Ace (not sold by itself)",
        "Boarding Party (0.5 CPV each, 10 in a cargo box, invented)",
        "Commando Squad (1 CPV each, 10 in a cargo box, invented)",
        "Crew Unit (1 CPV each, 10 in a cargo box, invented)",
        "Outstanding Crew Unit (2 CPV each, 10 in a cargo box, invented)",
        "Poor Crew Unit (0.5 CPV each, 10 in a cargo box, invented)",
        "Type I Fast Drone (1.5 CPV each, 50 in a cargo box, invented)",
        "Type I Slow Drone (0 CPV each, 50 in a cargo box, invented)",
        "ECM Drone (2 CPV each, 50 in a cargo box, invented)",
        "Fighter (8 CPV each, 2 in a cargo box, invented)",
        "Fighter with Ace (18 CPV each, 2 in a cargo box, invented)",
        "Fighter with Poor Pilot (7 CPV each, 2 in a cargo box, invented)",
        "Ground Combat Vehicle (3 CPV each, 2 in a cargo box, invented)",
        "Heavy Weapons Squad (1 CPV each, 10 in a cargo box, invented)",
        "Mines (1 CPV a CPV worth, 20 in a cargo box, invented)",
        "Minelaying Shuttle (4 CPV each, 2 in a cargo box, invented)",
        "Multi-Role Shuttle (8 CPV each, 2 in a cargo box, invented)",
        "Legendary Captain (not sold by itself)",
        "Shuttle (2 CPV each, 2 in a cargo box, invented)",
        "SWAC (15 CPV each, 2 in a cargo box, invented)",
        "WBP Set (not sold by itself)",
    ]
    assert choices(ask, "A1", "to") == [
        "Hydran F1 Ca (CA), 0205",
        "Cargo boxes of Hydran F1 Ca (CA), 0205",
        "Hull boxes of Hydran F1 Ca (CA), 0205",
        "Hydran F1 Ff (FF), 0205",
        "Hull boxes of Hydran F1 Ff (FF), 0205",
        "Yard (Base), 0205",
        "Cargo boxes of Yard (Base), 0205",
        "Hull boxes of Yard (Base), 0205",
    ]
    to_cargo = f"{CA} cargo"
    orders: tuple[dict[str, Any], ...] = (
        {"to": CA},
        {"item": "torpedo", "to": CA},
        {"item": "shuttle"},
        {"item": "shuttle", "to": CA, "origin": "moon"},
        {"item": "shuttle", "to": to_cargo, "origin": to_cargo},
        {"item": "drone_1_fast", "to": FF, "origin": CA, "turned_in": 1},
        {"item": "drone_1_slow", "count": 99, "to": to_cargo, "origin": CA},
        {"item": "shuttle", "to": "hydran-F2-FF", "origin": CA},
        {"item": "shuttle", "to": "hydran-F2-FF"},
        {"item": "officer_doctor", "to": CA},
        {"item": "wbp", "to": CA},
        {"item": "drone_1_fast", "count": 1, "turned_in": 2, "to": CA},
        {"item": "shuttle", "count": 99, "to": f"{YARD} cargo"},
        {"item": "crew_poor", "to": FF, "origin": CA},
        {"item": "shuttle", "count": 4, "to": to_cargo, "origin": CA},
        {"item": "drone_1_fast", "count": 4, "turned_in": 2, "to": CA},
        {"item": "mines", "count": 5, "to": f"{YARD} cargo"},
        {"item": "fighter", "count": 1, "to": f"{YARD} cargo"},
        {"item": "officer_captain", "to": f"{FF} hull", "origin": CA},
        {"item": "ace", "to": f"{FF} hull", "origin": f"{CA} hull"},
        {"item": "drone_1_slow", "count": 2, "to": to_cargo, "origin": CA},
    )
    said = [
        refusal_words(ask, {"A1": one})
        or [text for text in ask.read_back(ask.answer_from({"A1": one})) if "A1" in text]
        for one in orders
    ]
    assert said == [
        [
            (
                "A1.item: say which accessory. Legal: mines, shuttle, mls, mrs, swac, fighter, fighter_ace, "
                "fighter_poor, ace, ewp, wbp, drone_1_slow, drone_1_fast, drone_ecm, boarding_party, commando, "
                "heavy_weapons, gcv, crew_outstanding, crew_normal, crew_poor, officer_navigator, "
                "officer_science, officer_captain, officer_engineer, officer_weapons, officer_doctor, "
                "officer_marines."
            ),
        ],
        [
            (
                "A1.item: say which accessory. Legal: mines, shuttle, mls, mrs, swac, fighter, fighter_ace, "
                "fighter_poor, ace, ewp, wbp, drone_1_slow, drone_1_fast, drone_ecm, boarding_party, commando, "
                "heavy_weapons, gcv, crew_outstanding, crew_normal, crew_poor, officer_navigator, "
                "officer_science, officer_captain, officer_engineer, officer_weapons, officer_doctor, "
                "officer_marines."
            ),
        ],
        [
            "A1.to: say into whose boxes. Legal: a unit of yours, or its cargo boxes.",
        ],
        [
            "A1.origin: say from whose boxes. Legal: a unit of yours, or its cargo boxes.",
        ],
        [
            "A1.to: these are the same boxes. Legal: other boxes.",
        ],
        [
            "A1.turned_in: drones are turned in where others are bought (4.2.4.1.1). Legal: 0 or blank.",
        ],
        [
            "A1.count: 9 x Type I Slow Drone are there (4.2.4). Legal: at most 9.",
        ],
        [
            "A1.to: Hydran F1 Ca is not where Hydran F2 Ff is (4.1.7, CU-N65). Legal: boxes in 0205.",
        ],
        [
            (
                "A1.to: no base of yours in 0303 makes any Shuttle (4.2.1.2, 4.2.4, CU-R83). Legal: a unit beside "
                "a base that makes it."
            ),
        ],
        [
            (
                "A1.item: a Legendary Doctor is trained along with a ship or a fighter, or as a refit (4.2.4.8). "
                "Legal: a docking bay, or a fighter with an ace."
            ),
        ],
        [
            "A1.item: WBP Set is not sold by itself (4.2.4.7). Legal: a fighter.",
        ],
        [
            (
                "A1.turned_in: a factory drone is turned in for each advanced drone that is bought (4.2.4.1.1). "
                "Legal: 0 to 1."
            ),
        ],
        [
            (
                "A1.count: Yard has 50 repair boxes that nothing else uses, and this takes 198 CPV (4.2.1, "
                "CU-N65). Legal: an order of at most 50 CPV, or less in the docking bays."
            ),
        ],
        [
            "A1.item: the crew of Hydran F1 Ca is normal (4.2.4.8). Legal: crew units that are normal.",
        ],
        [
            "A1.count: Hydran F1 Ca must keep a shuttle (4.2.4.2.1). Legal: at most 3.",
        ],
        [
            (
                "A1: 4 x Type I Fast Drone with as many reloads for 5 CPV from Yard into Hydran F1 Ca in 0205, 2 "
                "factory drones turned in."
            ),
        ],
        [
            "A1: 5 CPV of mines for 5 CPV from Yard into the cargo boxes of Yard in 0205.",
        ],
        [
            (
                "A1: 1 x Fighter with 3 EWP and 3 WBP sets each for 8 CPV from Yard into the cargo boxes of Yard "
                "in 0205."
            ),
        ],
        [
            "A1: 1 x Legendary Captain from Hydran F1 Ca into the hull boxes of Hydran F1 Ff in 0205.",
        ],
        [
            ("A1: 1 x Legendary Ace from the hull boxes of Hydran F1 Ca into the hull boxes of Hydran F1 Ff in 0205."),
        ],
        [
            "A1: 2 x Type I Slow Drone from Hydran F1 Ca into the cargo boxes of Hydran F1 Ca in 0205.",
        ],
    ]
    bought = turn(state, A1=orders[-5], A2=orders[-6], A3=orders[-2])
    assert [one for one in texts(bought) if one.startswith(("Made", "Moved"))] == [
        "Made: 5 CPV of mines for 5 CPV from Yard into the cargo boxes of Yard in 0205.",
        (
            "Made: 4 x Type I Fast Drone with as many reloads for 5 CPV from Yard into Hydran F1 Ca in 0205, "
            "2 factory drones turned in."
        ),
        ("Moved: 1 x Legendary Ace from the hull boxes of Hydran F1 Ca into the hull boxes of Hydran F1 Ff in 0205."),
    ]
    assert [f"{one.item}, {one.cpv}" for one in state.spent] == [
        "5 CPV of mines, 5",
        "4 x Type I Fast Drone, 5",
    ]


@pytest.mark.rule("cutler", "4.2.4.5.2", "2.9.6.2")
def test_what_is_said_of_mines_at_features_and_of_an_ace_that_survives() -> None:
    state = mooned(
        world("planet capital 0404 hydran rock\nhydran base 0505 Post\nhydran F1 0303 CA\nlyran F1 0404 CC"), "0404"
    )
    assert [f"{key}: {one.name}, {one.hex}" for key, one in features(state, "hydran").items()] == [
        "rock: Rock, 0404",
        "giant 0404: the gas giant of Rock, 0404",
        "moon 0404/1: moon 1 of Rock, 0404",
        "moon 0404/2: moon 2 of Rock, 0404",
        "giant moon 0404/1: gas giant moon 1 of Rock, 0404",
        "giant moon 0404/2: gas giant moon 2 of Rock, 0404",
        "giant moon 0404/3: gas giant moon 3 of Rock, 0404",
        "hydran-base-0505: Post, 0505",
    ]
    state.minefields["hydran/rock"] = MinesLaid(
        race="hydran", around="rock", hex="0404", places={"A5": 3, "B8": 2}, fought=True
    )
    place = TerrainFeature(key="planet", name="the planet Rock", kind="point")
    state.fights["0404"] = Fight(ground=HexTerrain(features=[place]))
    assert [[panel.title, *panel.rows] for panel in battle_charts(state, "hydran", "0404", "planet")] == [
        [
            "Your minefields here",
            (
                "Rock: 5 CPV at A5=3 B8=2 (there was a battle here since you last said what is left: leave out "
                "what was swept or exploded then)"
            ),
            (
                "Places are counted from what they surround: A5=2 is 2 CPV of mines, five hexes of the tactical "
                "map in A."
            ),
        ],
    ]
    told: list[list[str]] = []
    for count in (1, 2):
        state = world("turn 1 impulse 3\nhydran F1 0303 CA\nlyran F1 0404 CC")
        holds = {"fighter_ace": Lot(item=STANDARD["fighter_ace"], count=count)}
        state.sorties = [Sortie(key="1", race="hydran", origin="0303", target="0404", holds=holds)]
        table = table_of(state)
        return_sorties(table)
        told.append(texts(table))
    assert told == [
        [
            "No box for 1 fighter of the sortie into 0404: lost.",
            "1 legendary ace survives without a fighter: aboard Hydran F1 Ca in 0303.",
        ],
        [
            "No box for 2 fighters of the sortie into 0404: lost.",
            "2 legendary aces survive without their fighters: aboard Hydran F1 Ca in 0303.",
        ],
    ]


@pytest.mark.rule("cutler", "4.4.5", "4.2.1", "4.2.3.1")
def test_how_upgrades_and_works_that_go_on_read() -> None:
    state = works()
    state.empires["hydran"].base_pool = 300
    state.units["hydran-base-0307"] = state.units[YARD].copied()
    post = state.units["hydran-base-0307"]
    post.id, post.name, post.hex, post.record = "hydran-base-0307", "Post", "0307", state.classes["bs"]
    ask = turn_ask(state, "hydran")
    assert [one for one in choices(ask, "base", "type") if one.startswith("Upgrade")] == [
        "Upgrade Post to BATS",
    ]
    sheet: dict[str, Any] = {
        "base": {"type": "upgrade hydran-base-0307 into bats"},
        "D1": {"work": "build ff", "cpv": 10},
    }
    assert refusal_words(ask, sheet) == []
    assert ask.read_back(ask.answer_from(sheet))[:4] == [
        "0 CPV to the Reserve, 115 to the Base Pool, 0 lost.",
        "In 0205: 10 CPV into repair boxes.",
        "60 CPV of the Base Pool are set aside for upgrade of Post to BATS in 0307.",
        "D1: begins FF 1 (FF) with 10 CPV, then 10 of 60.",
    ]
    twice = {"base": {"type": "upgrade hydran-base-0307 into bats", "name": "Fort"}}
    assert refusal_words(ask, twice) == [
        "base: an upgrade keeps its hex and name. Legal: leave both blank.",
    ]
    assert texts(turn(state, **sheet)) == [
        "Income 125 CPV: 0 to the Intelligence Reserve, 115 to the Base Pool, 10 into repair boxes in 0205.",
        "60 CPV are set aside for upgrade of Post to BATS in 0307; the Base Pool keeps 355.",
    ]
    assert list(dock_panel(state, "hydran").rows) == [
        "D1 Yard, bay 1 in 0205, 30 repair boxes: FF 1 (FF), 10 of 60 CPV",
        "D2 Yard, bay 2 in 0205, 20 repair boxes: free",
        "D3 Yard, bay 3 in 0205, 90 repair boxes: free",
        "B1 upgrade of Post to BATS in 0307: 0 of 60 CPV; nobody builds yet",
    ]
    ask = turn_ask(state, "hydran")
    goes_on: dict[str, Any] = {"D1": {"cpv": 20}, "D2": {"work": f"refit {AUX} into ca"}}
    assert ask.read_back(ask.answer_from({"D1": {"cpv": 20}}))[1:3] == [
        "In 0205: 20 CPV into repair boxes.",
        "D1: goes on with FF 1 (FF) with 20 CPV, then 30 of 60.",
    ]
    assert refusal_words(ask, goes_on) == [
        "D2.work: an Aux is not made into a CA (4.2.3.1, 4.2.3.4, CU-R87). Legal: none of this class.",
    ]
    (free,) = (one for one in ask.form.by_key["D2"].fields if one.key == "work")
    assert (free.label, free.help) == ("Begin", "blank: nothing")


@pytest.mark.rule("cutler", "4.2.4.8", "4.2.3.3")
def test_a_damaged_ship_gets_no_new_crew() -> None:
    assert refused_in_words(works(), D1={"work": f"crew normal for {FF}"}) == [
        "D1.work: Hydran F1 Ff has lost 3 warp boxes (4.2.3.3, 4.3.1, CU-R86). Legal: a refit in a turn after its "
        "repair."
    ]
