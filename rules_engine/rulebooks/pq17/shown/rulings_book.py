"""Own rulings on chapters 1 to 12, for players to read."""

from rules_engine.core.protocol.rulebook import RulingNote

BOOK_RULINGS: tuple[RulingNote, ...] = (
    RulingNote(
        id="PQ-1",
        rules="5.1.1, T1",
        text="A task force at Warp Crawl may hold ships that have only impulse power left; those pay no fuel.",
    ),
    RulingNote(
        id="PQ-2",
        rules="5.3.5.3, 5.3.5.4",
        text=(
            "A task force that searched or attacked before its own move stays in its hex; a plot to enter or to leave "
            "port stays in the hex anyway and is carried out. Who declared shadowing makes no plotted move at all, "
            "whether it succeeded or not."
        ),
    ),
    RulingNote(
        id="PQ-3",
        rules="6.4.1, 7.3.2",
        text="A level falls once an impulse, even for a shadower that moves in both halves.",
    ),
    RulingNote(
        id="PQ-4",
        rules="1.6.4.2",
        text=(
            "When contacts split or merge, a force of the very same ships keeps its number. Of the parts of a split a "
            "lot says which keeps it; of contacts that merge the lowest number stays."
        ),
    ),
    RulingNote(
        id="PQ-5",
        rules="5.3.2",
        text=(
            "Routes may be stored for as many steps as you like. They are flown without asking until your side has a "
            "contact that its standing orders do not cover, runs short of fuel, or asks to plot every impulse. A step "
            "not made is kept for the next point."
        ),
    ),
    RulingNote(
        id="PQ-6",
        rules="9.5",
        text="Who cannot pay for a hex and says nothing drops to the highest speed that it can pay for.",
    ),
    RulingNote(
        id="PQ-7",
        rules="5.5.1",
        text="With several friendly bases in a hex a task force enters port with the first.",
    ),
    RulingNote(
        id="PQ-8",
        rules="T5.victory, T5.note6",
        text="A scenario shorter than an operational period states its own threshold, marked as invented.",
    ),
    RulingNote(
        id="PQ-9",
        rules="5.3",
        text=(
            "Only ships with leave to quit the map may do so: convoys, carriers of supply, ships named for a transfer, "
            "and those of special conditions. It takes a movement point in an edge hex of theirs; all else stays on."
        ),
    ),
    RulingNote(
        id="PQ-20",
        rules="6.3.2, 8.4.2",
        text=(
            "Searches, and likewise attacks, in all hexes are declared on one sheet a side and step; what happens "
            "in one hex is not known when another is declared. The phasing side's order of hexes is the order in "
            "which searches are resolved; attacks go by ascending hex number."
        ),
    ),
    RulingNote(
        id="PQ-21",
        rules="6.3.4.11, 6.3.4.12, 7.2.1",
        text=(
            "Probes and shadowing are ordered together with the search, for the case that it succeeds. Probes "
            "ordered so are spent only in columns where the roll can matter."
        ),
    ),
    RulingNote(
        id="PQ-22",
        rules="1.7.4, 1.8.4, 1.8.6",
        text=(
            "Bases and settled hexes search without being told, a settled hex every enemy force and a base the "
            "one it knows least, as long as the target is below ID2 and the search can teach anything."
        ),
    ),
    RulingNote(
        id="PQ-23",
        rules="6.4.1",
        text="A force at U that expends a movement point in place looks no different, so nobody is told.",
    ),
    RulingNote(
        id="PQ-24",
        rules="8.3.4, 8.3.5",
        text="A ship without warp and AWR boxes has no combat fuel to pay.",
    ),
    RulingNote(
        id="PQ-25",
        rules="8.5.6.2, 8.5.6.9.2",
        text=(
            "Whether a pursuer fights or shadows what it catches is ordered with the pursuit. A force that "
            "pursues from port leaves it."
        ),
    ),
    RulingNote(
        id="PQ-26",
        rules="8.5.5.6",
        text=(
            "Only the winner holds prizes at the end of a battle. A captured base stays where it is; a captured "
            "ship joins one of the winner's forces."
        ),
    ),
    RulingNote(
        id="PQ-27",
        rules="8.5.7.2",
        text=(
            "After a battle sequence each side regroups on one sheet, whose groups may not be mixed; forces that "
            "began to shadow keep their station."
        ),
    ),
    RulingNote(
        id="PQ-28",
        rules="7.3.10",
        text=(
            "A shadower that stays out of a battle chooses which part of a split force it follows; it does not "
            "split itself before the next planning step."
        ),
    ),
    RulingNote(
        id="PQ-29",
        rules="5.1.6, 8.5.5.6",
        text=(
            "A force that battle damage has made slower than its speed, or unable to keep its posture, drops to "
            "what it can at once."
        ),
    ),
    RulingNote(
        id="PQ-101",
        rules="10.2.6.1, 10.2.6.4",
        text=(
            "General drones may lie in any space, so only limited and restricted ones have a percentage; reloads "
            "count as the racks that they reload."
        ),
    ),
    RulingNote(
        id="PQ-102",
        rules="10.2.2.2, 11.2.4.5",
        text=(
            "When cargo boxes are destroyed, fuel goes first, then repair points, then consumables, and supply "
            "last: supply can become any of them."
        ),
    ),
    RulingNote(
        id="PQ-103",
        rules="10.3.7.2, 10.3.7.4",
        text=(
            "Ships that pass something on, and are free to, are docked by that, to a base rather than to a ship. "
            "A unit gives what it has when the plan is made; all goods leave before any are stored."
        ),
    ),
    RulingNote(
        id="PQ-104",
        rules="10.3.7.3, T4",
        text="What passes from ship to ship over a tug counts at both docking positions.",
    ),
    RulingNote(
        id="PQ-105",
        rules="10.3.10.1",
        text=(
            "Ships that carry supply or fuel as cargo keep their own engines at least half full, and bases full, "
            "unless their side wishes otherwise."
        ),
    ),
    RulingNote(
        id="PQ-106",
        rules="10.1.1, 10.2.6.3",
        text="Both sides report the consumables that a battle used up. Units begin with all of them aboard but mines.",
    ),
    RulingNote(
        id="PQ-107",
        rules="10.2.7.2",
        text=(
            "A base with implicit supply gets it at the end of each turn, after transfers: itself first, then "
            "what is in port."
        ),
    ),
    RulingNote(
        id="PQ-120",
        rules="12.5.3.9",
        text="A minelayer lays what is missing to the next strength point and keeps the rest aboard.",
    ),
    RulingNote(
        id="PQ-121",
        rules="12.5.3.1, 12.5.3.7",
        text=(
            "Laying is a step of a route or plot: lay. Mines and laying fuel are spent when the impulse ends, by every "
            "ship of the force, and only if nothing spoilt it."
        ),
    ),
    RulingNote(
        id="PQ-122",
        rules="12.7.3",
        text=(
            "Who meets a minefield is told how many mine attacks there were, not what was rolled for their number. The "
            "minefield's owner is told that it attacked, and nothing else."
        ),
    ),
    RulingNote(
        id="PQ-123",
        rules="12.4.4",
        text=(
            "The strength that an enemy holds is that of his last search. A minefield that is gone stays on his map "
            "until he is there again, or shares its hex when it goes."
        ),
    ),
    RulingNote(
        id="PQ-124",
        rules="12.7.7",
        text=(
            "Ships whose class gives six shields have mine hits worked out, unless they cloak or are in tow. What went "
            "through is put to the owner; if he says nothing it is spread evenly over the ship's boxes (invented)."
        ),
    ),
    RulingNote(
        id="PQ-125",
        rules="12.7.8",
        text="Whether minesweepers screen is asked before the number of attacks is rolled; by default they do.",
    ),
    RulingNote(
        id="PQ-126",
        rules="12.6.3, 12.4.1",
        text=(
            "A minefield alone asks nobody to attack but forces with a minesweeper and sides that are asked in every "
            "impulse; one at ID3 asks nobody to search it again."
        ),
    ),
    RulingNote(
        id="PQ-111",
        rules="11.4.9.1, 11.4.9.9",
        text="A damaged base with repair boxes free sees to itself each turn without a posture and without being told.",
    ),
    RulingNote(
        id="PQ-112",
        rules="11.4.5.4, 11.4.6.3",
        text=(
            "On a battle's result, self-repairs count as made before damage to the DAMCON track cuts what is left of "
            "them and of its repair points. Such tracks lose their highest box first and get the lowest back first."
        ),
    ),
    RulingNote(
        id="PQ-113",
        rules="1.8.12.4, 1.8.12.8",
        text="A base that is being extended goes on working; if that is interrupted, the parts stay where they were.",
    ),
    RulingNote(
        id="PQ-114",
        rules="11.5.4, 11.4.9.6",
        text=(
            "A refit is done box by box: a finished box stays done, one that is interrupted or not gone on with is "
            "lost. A ship with a refit begun stays inactive until it is complete; it may be towed."
        ),
    ),
    RulingNote(
        id="PQ-115",
        rules="11.4.9.2.1",
        text=(
            "Where a base's class does not say where its repair boxes are, they are shared out evenly over its docking "
            "positions; repair pods built into it serve a position each, repair modules two."
        ),
    ),
    RulingNote(
        id="PQ-116",
        rules="11.4.7",
        text=(
            "Every ship that fought may repair itself once the battle sequence is over, the loser's too; shields rise "
            "by themselves where nothing else is damaged and the power is plainly there."
        ),
    ),
    RulingNote(
        id="PQ-160",
        rules="T3a",
        text="Fast patrol ships and civilians with special sensors never have a scout's range when a battle is set up.",
    ),
    RulingNote(
        id="PQ-161",
        rules="8.5.5.4.1, 8.5.5.4.2, 1.8.2",
        text=(
            "Where a battle is set up, a base and all forces in port with it are placed like one force: one unit in "
            "the middle of the map, every other within range of all the rest."
        ),
    ),
    RulingNote(
        id="PQ-180",
        rules="6.2.4 to 6.2.6, 12.7.4, 12.7.7",
        text=(
            "A pod on its tug and a module in cargo are no ships: they are neither counted nor hit by themselves, and "
            "lend no sensors. Pods go down with a tug that mines destroy, and score; modules with their cargo boxes. A "
            "module is no prize by itself: it goes with its ship, also when that is captured."
        ),
    ),
    RulingNote(
        id="PQ-181",
        rules="T5, C.purchase.3, C.raid.note6, C.vp.14",
        text=(
            "A ship's value includes its refits, bought with it or given later, for points, raids and transfers. "
            "Drones and commander's options are used up and handed on; they do not count."
        ),
    ),
    RulingNote(
        id="PQ-182",
        rules="1.7.4, 1.8.2.1",
        text=(
            "A settled hex searches a base and all in port with it in one attempt. Who enters port after that is not "
            "searched there in the same impulse, since the base would be searched twice."
        ),
    ),
    RulingNote(
        id="PQ-183",
        rules="5.1.5, 5.4.8",
        text=(
            "An owner may enter any practical speed up to what the ship's warp boxes give; damage lowers it further. "
            "Entering what they give takes the figure back."
        ),
    ),
    RulingNote(
        id="PQ-190",
        rules="5.2.3.2, 5.2.4, 6.3.4.3.1, 8.5.3.1, 9.5",
        text=(
            "Fuel is needed to declare Warp On, in planning and after a battle, and to choose a speed by warp. Neither "
            "ends with the last point: to searches, attacks, surprise, mines and the battle sheet warp is on by the "
            "posture, a search or an attack that took the last fuel is made at full speed, and a force slows down when "
            "its next move cannot be paid for. Bases have warp on for a turn that finds them with AWR boxes and fuel. "
            "A report counts a ship without fuel as not using warp, whatever its posture."
        ),
    ),
    RulingNote(
        id="PQ-191",
        rules="1.2.5, 7.3.1, 7.3.2, 7.2.3",
        text=(
            "Who begins to shadow in the first half of an impulse goes with a target that moves in the second, even if "
            "it has moved itself, and pays that hex at the target's speed when it moves. If a ship of it cannot pay it "
            "stays behind and shadows no longer. A target that stays costs it nothing."
        ),
    ),
    RulingNote(
        id="PQ-192",
        rules="7.4.3, 7.4.4, 7.5.4",
        text=(
            "Whether a shadower can keep up is settled once both sides have plotted, beginning with those next to the "
            "force that leads: whoever is set free may take its own shadowers to another speed. Who loses its target "
            "then makes the move on its plot. Combined forces that would shadow each other in a circle do not: the "
            "side with the initiative, which assigns last, loses that link."
        ),
    ),
    RulingNote(
        id="PQ-193",
        rules="8.3.4.3, 8.3.5.3, 8.5.6.9.3",
        text=(
            "Boxes that an Original Defender did not pay for stay off in every battle of that impulse, also if it then "
            "pursues; damage takes them first. In a later battle one that is turned on costs combat fuel divided by "
            "the boxes left when that battle began."
        ),
    ),
    RulingNote(
        id="PQ-194",
        rules="5.3.5, 5.5.3, 5.1.6, 8.5.7.2.6",
        text=(
            "A force formed after a battle makes the move of the force whose name it keeps, or of the first that gave "
            "it ships, if it still can: not if damage has left it at a speed without a movement point in this impulse, "
            "nor if a ship in it may not leave the hex or the map. A point that is not used so is expended in place. "
            "Who came out of port in the battle has left it: the step on its plot or route that leads out is done."
        ),
    ),
    RulingNote(
        id="PQ-195",
        rules="11.4.9, 11.4.9.9",
        text=(
            "Repair boxes serve their orders in the order of the sheet: first those with a limit of CDR points, then "
            "the others; what repairs itself comes last and uses the boxes that its work on others leaves."
        ),
    ),
    RulingNote(
        id="CMB-7",
        rules="8.5.5.4",
        text=(
            "Who joins a battle by attacking an attacker is set up last: no nearer to the force that it attacked than "
            "that force's ranges, with one unit at it, and outside the ranges of all others."
        ),
    ),
)
