"""Rulings common to several books that reports and refusals name, in the package's own words."""

from rules_engine.core.protocol.rulebook import rulings_in

COMMON = rulings_in("""

CU-R01 [1.1.1] Equal rolls are rolled again among those who are equal. Each race is played once. A race that the book
does not recommend is warned of and may be chosen.

CU-R02 [1.1.2] A generated map is a ring of equal wedges about a core: empires within five per cent of each other, the
core within a quarter of an empire, twelve to fifteen hexes across, two neighbours each and one with two players. A map
that a referee brings is judged by the same figures, warned of, and used.

CU-R03 [1.1.2.2] Before each choice counts, the last player of those who have no empire yet may intercede; once that is
used, the right passes to the one before. No choice that was made is undone.

CU-R04 [1.1.2.3] Planets lie in their owner's empire, one to a hex, and no two of one race in hexes that touch. Where
a planet is and what kind it is becomes public together.

CU-R05 [1.1.2.4] What else is in a planet's hex is public. Its owner chooses sizes and distances: moons of a planet at 4
to 30, of a gas giant at 8 to 40, no two equal or next to each other.

CU-R06 [1.1.2.4.2, 1.1.2.4.3] A D3 is half a D6, rounded up: a planet has none to two moons, a gas giant none to ten.

CU-R11 [1.1.3] The book's list of restrictions is missing; the scenario has one that can be edited. It limits ships of
some hulls, scouts, carriers, each class, and the share of points for freighters.

CU-R12 [1.1.3] At the start a ship costs the higher of its two values, afterwards its economic one.

CU-R13 [1.1.3] Each planet has a base and a police ship for nothing, as the scenario names them.

CU-R07 [1.1.2.5.1] On the lowest result of the open space chart a further D6 says which it is: a black hole on 1 to 3,
a neutron star on 4 to 6.

CU-R09 [1.1.2.5.2] Terrain that fills its hex is a heat zone, dust or a nebula. No base stands in a black hole, a
neutron star, a white dwarf, a heat zone, dust or at a pulsar; one may stand in a nebula, an asteroid belt, open space
or with a planet.

CU-R15 [2.2] Laying mines is plotted in the impulses, with movement, as razing is; intelligence is not.

CU-R17 [2.4.1.2] Who is under cloak at any plotting of a turn moves four hexes at most in that whole turn, and in the
impulses of speed 4 as long as it is cloaked.

CU-R21 [2.4.1.5] A ship tows one unit, a tug two, each with a tractor of its own. They are in one hex as it begins,
and move together at speed 3 or less. Freighters and Q-ships do not tow; what is towed neither plots nor razes.

CU-R22 [2.4.1.6] The account of a battle says what life support a derelict has. One that has not full life support is
destroyed at the end of the turn, and D9.4 repairs nothing of it; so is a derelict that misses its maintenance.

CU-R24 [2.4.1.8] A Federal Express ship may take two steps in any impulse, six in a turn less one for each sixth of its
warp boxes that is lost. The hex between is announced, and nobody is met there.

CU-R25 [2.4.1.9] Leaving dust takes two chances to move: the first is spent in place and may name another goal, the
second moves. What was spent counts on into the next turn as long as the unit stays.

CU-R26 [2.4.1.10] The die for leaving a nebula: on 1 it stays and must roll again; on 2 it comes out at once in a hex
by lot; on 3 it stays and may leave in the next impulse without a roll; on 4 the same, into a hex by lot; on 5 or 6 it
leaves. What 3 and 4 allow lapses after that impulse. Only units with one goal share a roll, and from nebula to nebula
a roll is needed as well.

CU-R31 [2.5] Where more ships would end than can be commanded, all moves of that race into the hex are called off, hex
by hex from the lowest number, until nothing is too full. Who stands there already stays, but nobody may enter.

CU-R37 [2.6.2.1] Of cloaked ships their owner alone is asked, group by group and before S1 to S5, whether they show
themselves. Those that do not are as good as absent from the hex for that impulse's combat, and nobody else is told that
there was a choice.

CU-R34 [2.4.1.1, 2.6.1] Auxiliary warships show a counter and are plotted in each impulse. Freighters, Q-ships and
survey freighters show none.

CU-R35 [2.7, 4.4.2, 9.1] Freighters that build a base sail to its site, which is an end of a convoy. Survey freighters
sail in no convoy: they are plotted in each impulse, at a speed of 3.

CU-R38 [2.6.3] A command unit's move is announced to all in every impulse: its race, from where and to where, once for
each such pair and without a count, whether or not a counter appears or goes.

CU-R39 [2.7] A convoy is plotted hex by hex, from where it embarks to another planet, base, repair dock or building
site. It is as fast as its slowest member and moves whenever it can; dust and nebulae delay it. Thrown off its
way, it takes a shortest path to the next hex of its plot.

CU-R40 [2.7.2] A convoy whose destination is lost goes there all the same; then it has arrived, and may sail again.

CU-R41 [2.7.1] Who cannot move is left behind, so that the convoy goes on.

CU-R42 [2.7.3] One large Q-ship embarks for every two large freighters, one small one for every two small ones. Under
way there are no more Q-ships than freighters: the owner names who turns back.

CU-R43 [2.8] A new police ship sails by the shortest path that is closest to the straight line. It never shows a counter
and goes nowhere else.

CU-R48 [3.1.3] S1 is that somebody is there, S2 how many, S3 each unit's size class, S4 its race, S5 its hull family.
Not shown are variant, name, refits, damage, crew, cargo and what is docked.

CU-R49 [3.1.3] Both sides learn S1 to S5 without a choice, also of each escape wave and each pursuit group.

CU-R50 [3.1.1] Each race shows one card in a hex; one combat card opens combat, and who showed bypass may be fought as
well.

CU-R51 [3.2] With three races or more cards are shown once. If one of them is combat, the highest roll acts: it
challenges a race that it has not met in this impulse, or passes; then those left roll again. The last pair left shows
cards anew.

CU-R53 [3.3.2] Sublight ships, derelicts, shuttles and fighters outside carriers do not escape. An empty wave ends
that side's waves.

CU-R54 [3.3.4] Every member of a pursuit group must be able to pursue; the group is as fast as its slowest.

CU-R55 [3.3.7.1] The pursuer rolls, and the wave escapes on a modified result of 3 or less; no result is certain
beforehand.

CU-R62 [3.4.5.4] A ship that disengages goes back to the hex that it came from if it came with its last chance to
move, else to a hex by lot. It goes there with its next move, whatever was plotted and whoever is there.

CU-R64 [3.5.2] A planet's hex has the sun and, if there is one, the asteroid field as locations; its planet, gas giant,
moons and bases are points. A base that orbits a body is one feature with it, unless its owner placed it apart.

CU-R65 [3.5.4] Who holds a base or the planet in a hex defends it, however and whenever it got that: a base never
enters, and its former owner is the attacker as soon as it is captured. Elsewhere it is who has been in the hex longest
without a break. Of two that came in the same impulse it is the last race that moved through before, where the hex is
surveyed and nobody's, else the one that has a legendary navigator there, else a die decides for that impulse.

CU-R66 [3.5.3, 3.5.5] The defender alone may force an approach battle. If it does, waves of attackers may try to avoid
all combat or to reach a feature; if not, attackers go to features and nowhere else.

CU-R67 [3.5.4.2] What is allocated to no feature is in the approach battle; bases are at their own feature. PFs are
allocated like ships.

CU-R68 [3.5.10] Battles in a nebula, in dust or in a heat zone are set up as in open space, with that terrain
everywhere; flanking is allowed.

CU-R71 [3.6.1.1] A group surrounds on a die of 1 to 3. A pursuing navigator takes 1 from it and may shift the direction
by 1; an escaping one adds 1, and its side may shift; two cancel each other.

CU-R72 [3.7.2, 3.7.3, 3.7.7] The first flanking group arrives in the turn of a D6 and 1, each other one as much after
the one before. A navigator may take 1 off for the group that he is with.

CU-R74 [3.8] In the example the CA(D) is not there, and the police ship fights at the gas giant; at the planet the base
has the six fighters that were left behind.

CU-R75 [3.5.8] A carrier that escapes from a feature may leave its fighters there, who defend it.

CU-R76 [3.9] How many points of D9.4 a unit may repair is what its players report. Between battles of a hex only what
3.9 lists is done; D9.4 follows after all combat.

CU-R94 [4.4.9] A capital planet has room for 24 ground bases in all, a major one for 18, a minor one for 12: six
hexsides, and four, three or two on each.

CU-R95 [5.1.1] A prize that is melted down brings half of its original CPV less the cost of its full repair, rounded
down, into the boxes of the base there. Its weapons are barred until it is converted.

CU-R96 [5.2.1] A ship's razing potential is 6 less its size class, with its modifiers, and never less than nothing;
every six fighters of a ship add 1. Freighters, PFs and bases have none.

CU-R97 [5.2.3.2, 5.2.5] What is razed adds up on each planet, up to its whole output. After income it recovers a tenth
of its original output, half of that while it is captured.

CU-R97a [5.2] A planet's razed total is told to its owner and to every race with a unit in its hex at that time. The
public rates are those of planets that were never razed.

CU-R98 [5.2.4] Ships raze that are in the hex and neither disengaged nor escaped, one planet each in an impulse, while
no ground base is intact there.

CU-R99 [5.3] Ground combat is fought by hand, and reported like a battle. A planet is captured when its holder has no
boarding parties left. To land, a shuttle or transporter is needed.

CU-R100 [5.3.2, 5.3.3] Rebels are rolled, doubled in a major revolt, and then come those whom insurrections raise.

CU-R80 [4.1.6.1] New CPV of any planet may go to the Base Pool and to Intelligence; stored ones to neither.

CU-R81 [4.1.6] A repair box takes one CPV a turn, at a base that may do the work; what it has not used at the end of the
turn is lost, and never goes back into a cargo box.

CU-R82 [4.2.1.1] A class says which repair boxes belong to which docking bay; where it does not, they are split evenly.
Each bay holds one ship.

CU-R83 [4.2.1.2] A battle station builds size classes 4 and smaller, a base station 6 and smaller, a repair dock 7, a
starbase all; the other bases build nothing.

CU-R84 [4.2.2] A race may begin one a turn of each of these, new or by refit: a dreadnought, SCS or CVA; a BCH; a
command cruiser; a scout; a carrier; a PF tender; a tug; a mauler or other special ship. All else is free.

CU-R85 [4.2.3.2] A refit costs what is printed, one into something cheaper the difference, and each 10 CPV at least; a
hybrid conversion 15.

CU-R86 [4.2.3.3, 4.3.1] A ship may be built and refit in one turn, or refit several times; repaired and refit it may not
be. A refit begins, and goes on, in a turn after the last repair was finished.

CU-R87 [4.2.3.1] A class is made into those that its record in the catalogue names, and into no others.

CU-R88 [4.3] All points of one order of repair are summed and halved; a half is rounded up.

CU-R90 [4.4.3] A builder channels a CPV of what was set aside for each of its cargo boxes that works, in each economics
phase. One builder builds one base.

CU-R91 [4.4.2, 4.4.4] A site at which building was begun must have a builder of its race at the end of each impulse and
of each economics phase, be it another; else the base is lost, and what was set aside for it.

CU-R92 [4.4.5] A base without damage is scrapped for half of its value, rounded down, at once. A base station may be
made into a battle station, no battle station into a starbase.

CU-R101 [5.3.3] A garrison counts boarding parties, squads with heavy weapons, ground combat vehicles (at most one for
ten boarding parties) and shuttles on the surface; no commandos, militia, crews or troops of ground bases.

CU-R102 [5.3.6] For every ten rebels a D6 of the garrison is lost; the last group of less than ten takes its share of a
die, rounded down. A planet without a garrison goes back to its first owner.

CU-R103 [5.3.5] A ship of the planet's first owner that ends an impulse there, with none of the holder's, makes this
turn's rebellion a major revolt. There is one rebellion or revolt a planet in a turn.

CU-R104 [6.4] Several missions of one type are paid for separately, each with 10 to 300 IP, and all together with no
more than the Reserve holds.

CU-R105 [6.3] What would bring the Reserve above 300 is refused; it may be placed elsewhere in the same phase.

CU-R106 [6.5.2] With less than 10 IP net a mission fails without a die; with 10 to 20 it succeeds on 1 to 4, with more
on 1 to 5.

CU-R107 [6.5.2] The IP of a failed mission are lost, and the points against it come back; of a successful one the IP
come back, and the points against it are lost. All of that happens at the end of the phase.

CU-R108 [6.4.1.8, 6.5.1] The pool against missions is nothing or 10 points and more, taken from the Reserve before
missions are announced. It may be divided freely, with one decision for each mission. Only the victim hears of a
mission: its type, its target and the spy's race.

CU-R111 [6.4.1.6] Cloaked ships that were located and do not leave their hex in impulse 1 may be fought there in that
impulse by the spy's ships.

CU-R112 [6.4.1.7] Five insurrections may be tried on a planet in a turn, by all races together and in the order of
announcement; later ones are called off, and their IP come back.

CU-R114 [7.1] Maintenance is due by so many turns after the last one, or after the turn in which the ship was built. It
is made in the economics phase, free, in a hex with a base of its race that may make it; deadlines are looked at when a
turn ends.

CU-R116 [7.3] A level of crew quality is lost at the deadline, and one more after each further interval: outstanding,
normal, poor, then doubled penalties. Breakdown rolls have +1 until the ship is maintained, which does not make the crew
better. A PF that is away from base and tender two turns running is lost.

CU-R117 [8] A hex may be scanned from the same hex up to the limit: 3 hexes for a base and 4 at long range, 1 and 2
for a ship or a SAMS. The sensors must work, and no scanner is under cloak.

CU-R118 [8.4, 8.6] A scan next door shows everything on 1, cloaked ships too, S1 to S5 of uncloaked ones on 2 or 3,
and nothing on 4 to 6. At long range 1 shows uncloaked ships, and all else nothing.

CU-R119 [8.7] Of a scan the race, the hex and the die are public, but not from where it was made, at which range, or
whether it showed anything. What it showed, the scanning race alone learns.

CU-R120 [8.9, 2.6] Bases and police ships are on nobody's map until they are scanned, fought or spied out; afterwards
what was seen of them stays with its date. Planets and terrain are public.

CU-R121 [9.2] On 5 the surveying force may not be plotted for that turn, and its survey is rolled again in the next.
On 16 the hex stays unsurveyed, and may be tried again. Both concern the surveying race's own ships in the hex alone.

CU-R122 [9.2] A discovered planet is its surveyor's. It makes CPV from the next economics phase on.

CU-R123 [9.1] A survey cruiser is worth two large survey freighters, or four small ones; a mixture counts by its parts.

CU-R124 [9.7] Who owns a surveyed hex matters for who is the defender, and never for income.

CU-R125 [10, 12] There are no monsters but those that a survey meets. The highest CPV rate after the last turn wins.

G-6 [3.4, 3.9] No weapon is played out here. A battle ends with a report on each unit, what became of it and which
boxes it lost, on which both sides agree or the referee rules.

CU-R33 [2.10] A coordinated force has one stacking limit, by the best command rating among all its ships in the hex. It
is made by orders of both sides in plotting, and ended by one of them as a phase begins. Its counter is the one on
which they agree, or that of the race with the higher command rating.

CU-R44 [2.9.6] Sorties return after all combat of the impulse, and may fly again in the next. Where no fighter box of
theirs is left in the hex from which they came, they land in the hex to which they went, or are lost.

CU-R45 [2.9.9] At most 24 fighters of a race or of a coordinated force sortie into one hex in an impulse; those of
coordinated races come from one hex.

CU-R46 [2.9.4, 2.9.8] A sortie is fought before normal combat. Fighters that land are the hex's from the next impulse
on. A sortie that attacks nobody learns nothing.

CU-R47 [2.9.3] Fighters that sortie take no part in any combat in the hex from which they came, also if they return.

CU-R58 [3.3.7.5] Fighters of a sortie pursue with speed 5; fighters with boosters that pursue in normal combat have
speed 6.
""")
