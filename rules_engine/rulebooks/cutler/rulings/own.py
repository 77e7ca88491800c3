"""The package's own rulings."""

from rules_engine.core.protocol.rulebook import rulings_in

OWN = rulings_in("""

CU-N01 [6.4.1.3, 6.5] A movement plot mission makes its victim lodge the impulse-1 plot of its ships in that hex when
announced. That plot is the victim's own and is flown in impulse 1 whether the mission succeeds or not: otherwise being
released would tell the outcome. Stored courses stand for the later impulses. A
victim that commits no points never learns how a mission went; one that does learns it at the end of the phase, from
whether its points come back. The die is the spy's alone, the points are announced to the spy.

CU-N02 [6.5.1] Missions are announced in rounds: each player in the rolled order announces its first, then its second.
The order is rolled and published every turn, whether or not anybody spies.

CU-N03 [2.2, 2.4] Ships are plotted in fleets of the owner's choice with stored courses; a fleet moves when all its
ships can. A stored course is a plot that has been handed in, so silence keeps it. A race is asked again when a
foreign counter comes within two hexes, when something befell its ships, or in every impulse if it wishes.

CU-N04 [6.4] A sheet has room for as many missions as the Reserve could pay for once new CPV are in it, 10 IP for each;
counter-intelligence points that were not used come back.

CU-N05 [2.8, 3.3.2] Police ships and bases neither escape nor pursue nor flank.

CU-N06 [3.5, 3.5.5.3] Where no approach battle is forced, and after one, each attacking unit goes to some feature, for
there is nowhere else; where nobody defends, nothing is fought. Units that cannot move, and bases, are left out.

CU-N07 [3.2] All who are left and have somebody to challenge roll for acting player each time, but a race that has
passed does not until somebody has made a challenge.

CU-N08 [3.3.4, 3.7.1] A wave may be pursued by as many groups as there are ships to pursue it, and there are as many
flanking groups as ships to flank. The numbers of pursuit groups are the order in which they are rolled for.

CU-N09 [3.4.5.4] Disengaged ships of one fleet share the roll for a random hex. Flanking delays are all rolled when
the battle is set up, and shown to their owner only.

CU-N10 [12.0] Where the scenario says so, equal CPV rates are parted by the economic BPV of all units in play.

CU-N11 [3.4.3] Who sets up first: both sides roll a D6, the higher one does.

CU-N12 [3.9, 2.4.1.6] The result form takes the boxes lost in the battle, and the points of D9.4 that the unit has for
them; points for other systems are the players' own. The boxes are lost in all further battles and escapes of the
impulse. When it is over, before anything else that follows combat, the points repair boxes that were lost in it, at
the scenario's price in points: warp engines first, then impulse engines, then cargo boxes. What was destroyed or
captured is not repaired. What is repaired between battles is reported with the points of the next one.

CU-N13 [5.1] A captured unit changes hands where it is, in a fleet of its own; its weapons stay barred.

CU-N14 [3.1, 6.5.1] Hexes in which races meet are fought over side by side, since none depends on another; the map shows
what is left, and fleets are put in order, when all have ended. Victims of missions answer side by side, each its own
missions one by one in the book's order; then all missions are rolled in that order.

CU-N15 [12.0, 6.4] A race that at the end of a turn has neither a planet nor a unit of any kind, bases and police ships
included, is out of play, and everybody is told so then. It is asked nothing more, has no place in the espionage order,
and nobody may spy upon it; its players see what they knew and what is public. It is in play again if at the end of a
later turn it has something. Whoever is out of play cannot win; where no more than one race is left, the campaign ends
with that turn, since no other could have a higher CPV rate.

CU-N16 [1.1.1] Nobody waits for the player before: each says beforehand which races they would like, best first. In the
order of the dice each gets the first of them that is still free, or else the first race of the scenario's list that is.

CU-N17 [1.1.2.2] Whoever may intercede is asked together with the player whose turn it is, and without knowing that
player's choice. If somebody intercedes, that player chooses again.

CU-N18 [1.1.3] Starting ships stand at their race's planets, a fleet at each.

CU-N20 [8.3, 8.8] Scans are standing orders of fleets, and of bases and police ships with special sensors: they are made
in every impulse, as far as they are in reach, until they are changed. A race's own scans go in ascending order of hex,
which tells nothing of who makes them.

CU-N21 [8.3.1, 8.3.2] Whatever has special sensors and is not named elsewhere makes ship-scans: monitors, auxiliaries,
police ships and repair docks as well.

CU-N22 [7.1, 7.1.1] Auxiliary warships are built on the hulls of freighters and need no maintenance. Hulls of other
kinds are due as a CA is; a B10 counts as a DN, an SSCS as an SCS, an NCL or a CM as a CW, an LTT as a tug.

CU-N23 [2.4.1.6, 7.3] A derelict is destroyed at the end of every turn in which its maintenance is overdue, be it that
it missed it before or after it became one.

CU-N24 [9.1] A race surveys every hex in which it has a survey ship, unless its turn's sheet names some of them or
none. Ships survey before they move in that turn, and may go on in its impulses.

CU-N25 [9.2] A delay keeps all units that move and are in that hex, of the surveying race, from any plotted move in
the six impulses of that turn; their stored courses wait. A disengaged ship leaves all the same, and need not roll
again.

CU-N26 [9.2, 9.5] That a monster was met is public. How many ships rolled for it, and which are lost, is their owner's
alone, until the counter goes. PFs are no ships, and do not roll.

CU-N27 [9.7] The last to move through a surveyed hex that is in no empire is who last moved into it and had no other
race's counter there. It counts as the hex's owner where that makes a defender, and for nothing else.

CU-N28 [9.2, 9.3] In a scenario an unsurveyed hex has no terrain and no planet, and lies in no empire: what is there
is rolled when it is surveyed.

CU-N30 [5.2.2] Razing and landing are plotted for a fleet, by planet: its ships do it when they end an impulse in that
planet's hex, and they go on razing until another plot says otherwise. A race razes no planet that it holds. Ships are
split off to do something else.

CU-N31 [5.1.1, 5.1.2] A prize has no razing potential, since its weapons are barred. Its repair is reckoned by the
points that the scenario gives for a box of each kind. Of the CPV that salvage brings, the cargo boxes of the bases
there take what they have room for, and the rest is lost.

CU-N32 [4.2.4.8, 5.3] Troops are landed by fleets, in which at least one ship has a shuttle or a working transporter,
after combat and as far as there is room on the planet; ships that disengaged or escaped land nobody. A landing order is
carried out once. On a planet of one's own, troops that land strengthen its garrison. Troops are not taken aboard again.

CU-N33 [5.1] The boarding parties of a captured unit are lost, and its prize crew counts as none. A unit that comes back
to the race that built it is no prize any more.

CU-N34 [5.3] Whoever lands a boarding party where the holder has none captures the planet at once. If several races have
troops left, they fight on after the next impulse's combat, and a planet is captured by the last of them. Crew units and
ground combat vehicles of the loser count no more; ground bases that are intact go to the captor. Troops on a planet
that is fought for keep their race in play.

CU-N35 [5.3.3, 5.3.6] What rebels kill are boarding parties, and ground combat vehicles in excess of one for ten of
them go too. What rises and what is lost is told to the planet's holder alone, and to everybody that a planet is free.

CU-N36 [5.3.5] A planet's friends are its first owner's ships, police included, and ships of its holder keep it from a
revolt; bases, PFs and freighters do neither. Whose ships escaped or disengaged, but are still there, is there.

CU-N40 [4.1.6.1] Of new CPV, what is named is given first; then work that takes what there is, in the order of the
sheet; the Base Pool, if nothing is said of it, takes the rest.

CU-N41 [4.1.6.1] Repair boxes take stored CPV of their hex first, then new ones: new CPV can go elsewhere, too.

CU-N42 [4.1.6.1, 4.1.7] At the beginning of a turn CPV are shared out among the cargo boxes of a hex as the sheet says.
Before and after combat of an impulse, and so on arrival, a ship that has the order to unloads into its race's bases in
the hex, as far as there is room; into other ships only the sheet moves CPV.

CU-N43 [4.1.8] Empty cargo boxes are lost before full ones. Who wins a battle gets no CPV but those aboard what is
captured.

CU-N44 [4.2.1.1, 4.2.1.3] What is begun in a docking bay stays there until it is done or given up, which costs what was
paid for it. Work of which a sheet says nothing goes on with as many CPV as its hex and its repair boxes allow.

CU-N45 [4.2.1] A race builds classes that the catalogue gives to it or to any race. A completed ship has the hex of its
base and a normal crew, and a fleet of its own if it is plotted in fleets.

CU-N46 [4.2.1.1] What is in the docking bays of a captured base is lost, as with one that is destroyed: nobody finishes
another race's ship.

CU-N47 [4.2.3, 4.3] Any ship in the hex of a base of its race may be docked there for work at the beginning of a turn. A
refit is void when its ship leaves the hex, runs, pursues, flanks, disengages or is lost; who stands and fights at the
base stays docked. Work of all kinds takes a docking bay and the repair boxes of that bay.

CU-N48 [4.3] A repair is made at once, warp engines first, then impulse engines, then cargo boxes, as far as the CPV go;
what buys no whole box is left in the repair boxes. A base repairs itself, whatever its size. Other boxes than these are
the players' own.

CU-N60 [4.4.7] A base costs half as much again in a hex in which its race itself never had one. Bases of others do not
count, whatever the race knows of them: they are their owners' secret, and no price tells of one.

CU-N61 [4.4.1, 4.4.2, 6.4.1.5] Starbases, battle stations, base stations and SAMS are built from the Base Pool; BLMs and
FRDs are built as ships and towed to their site. Tugs build, and large freighters. CPV may be set aside before one
of them is there; from the turn on in which one has built, the site must have one. In unsurveyed space nothing is set
aside, for no base may stand in some terrain. Base Plans tell of sites at which somebody builds; what is set aside is in
the pool no more.

CU-N62 [4.4.5] An upgrade is set aside and built like a base, and costs what the catalogue says. A base at which
anything is under way, be it in a docking bay, an upgrade or salvage, is not scrapped; what it stores is lost with it.
What it brings may be set aside in the same phase. A sheet sets aside for one base, and scraps one.

CU-N63 [4.4.9] Ground bases are of the catalogue's classes of that kind; if a race has none there, of one class, with
the price that the scenario names. A line builds those of one class, the cheapest if it names none. They are built on
the hexsides that are named, or on all, one by one on that which has the fewest; those that a scenario begins with stand
likewise. Of those that are lost in ground combat each is taken from the hexside that has the most.

CU-N140 [2.6.1, 3.5, 4.4.9] A ground base is a unit of its race, without a counter, named after its planet or moon, its
hexside and a number. It is met like a base that orbits what it stands on, and defends there and nowhere else; who has
one is in its hex. It never docks, is repaired after battles alone (D9.4), transports nobody, and is no ship whose plans
are spied upon.

CU-N141 [3.4.5, 5.3] Ships destroy or damage a ground base, and take none: it changes hands with its planet or moon.

CU-N142 [5.1.2, 5.3] Ground bases that go to a captor are no prizes, and serve it with their weapons. Those who were in
them are lost; new ones are taken there as to any unit.

CU-N143 [4.2.4.8, 5.3, 5.3.3] The boarding parties and crew units that come with ground bases stand in their class's
record. They are in the ground base and lost with it, beside the limits of the planet and its garrison. A planet does
not fall before its holder's boarding parties in ground bases are beaten, too: they are reported together, and those
that are lost are taken one by one from the ground base that has the most.
Rebels fight the garrison alone: where they beat it the planet is free, and who is in ground bases there is lost.

CU-N145 [2.9.8, 3.1.3] After the fights of a sortie both have seen again what is left of the units that fought. Whose
fighters came shows nothing of its own units in the hex by that; those are met in the combat phase.

CU-N146 [5.2] That a planet is razed is told in each impulse; its holder is asked for plots because of it once a turn.

CU-N147 [5.1, 4.4.5] What the same sheet moves off a prize that is melted down, or off a base that is scrapped, is moved
before.

CU-N144 [4.4.1, 2.4.1.3] An FRD whose class has impulse engines moves under its own power, one hex a turn like a ship
without warp engines. It is plotted in a fleet, without a counter; ships of that fleet may have it in tow. In an impulse
in which it moved it is no feature, no port and no base of its hex; it is not plotted to where no base may be, nor into
unsurveyed space. In battle it is a base all the same: it neither escapes, pursues, flanks nor disengages. An FRD
without engines is towed alone.

CU-N64 [4.2.1.1, 5.1] Who fights reports whether every internal on the docking module of a starbase was destroyed in
that battle: what was built or refit in its docking bays is then lost, and the module is repaired like all that is not
in a base's record. A prize on which a docking bay works is not melted down before that work is done or given up; what a
prize carries is lost with it.

CU-N72 [4.2.4.8, 5.1] Legendary officers are lost with their unit, and when it is captured; a prize has none. Which of
them are aboard is told to nobody, but shows where their rule changes a roll or a choice that others see.

CU-N65 [4.2.4] Accessories are made, and moved between units of one hex, in the economics phase and at once. They take
repair boxes of a base beside whom they are for: bays for which a number of CPV is named come first, then accessories,
then bays that take what there is. What one order comes to is rounded up. What lies in cargo boxes is inert and leaves
them no room for CPV; when boxes are destroyed empty ones go first, then those with CPV, then those with accessories. A
refit brings what the new class has more of, and what has no room any more is left behind. A ship that is captured keeps
what it carries, but for fighters. Prices, and how many fit into a box, are invented.

CU-N66 [4.2.4.5.1, 4.2.4.5.2] An order to lay mines is plotted with movement and waits until its unit ends an impulse
at the feature and has neither escaped nor disengaged. Features are planets, moons, gas giants and stars, whoever holds
them, and one's own bases; a base that orbits a body is one feature with it. Nothing is laid in nebulae, dust and heat
zones, around suns and in asteroids. Where no map is given mines lie in a ring of eight hexes. With a base that is
destroyed the mines around it are gone; around one that is captured they stay, and whoever laid them learns what became
of it when it has units there.

CU-N67 [4.2.4.5.2] The limit of 120 CPV holds for each race's minefield by itself, or a refusal would tell of others'.

CU-N68 [4.2.4.5.1] Of a minefield that takes part in a battle its owner has the map among its own sheets for it, and
says on its next turn's sheet how many CPV of it were swept or exploded; all else stays.

CU-N100 [3.5, 3.5.2, 4.2.4.5.2] A minefield is no feature by itself, but belongs to the point that it surrounds. It
takes part in the battles of its own race there, whether that defends or attacks, and in no others: approach and escape
battles are fought in open space. Mines by themselves defend nothing: where nobody is, nothing is fought. Nobody else is
told of them, by S1 to S5, by an allocation or by a set-up; they show in the battle as the tactical rules have it.

CU-N102 [3.2, 5.3] Never do three races that are not coordinated take part in one combat. Where two fight at a planet
of a third, it is a feature, and its troops and ground bases do nothing in that battle; they fight those who land.

CU-N104 [3.9] Between battles with two races in a hex each race that has fought there may move boarding parties, crew
units, shuttles, fighters and their packs among its ships there; after all combat in the hex it may move what lies in
the cargo boxes of its units there into ships' own boxes. It is asked for that where it has something to move, and
nobody else is told. What else 3.9 allows is for the players' own sheets, and stands on those of the next battle.

CU-N101 [2.9.1, 2.9.8, 3.5.3, 3.5.6] A sortie's attack is placed like any battle in its hex. The sortie has come last,
so whom it attacks defends: it sends units to features and to an approach battle, and what is left of the fighters goes
to the features, a squadron to one. Features are the bodies that all see and the bases of those attacked, for the
fighters meet no others. Where the planet there is the sortie's own race's, the fighters fly out to meet the enemy,
which is an approach battle: it is set up in open space, as interceptions are. Nobody flanks. Who fought a sortie at a
feature fights at no other in that impulse.

CU-N69 [4.2.4.2.1, 4.2.4.5.1, 4.2.4.8] Of shuttles that are reported lost the ordinary ones go first, then minelaying,
multi-role ones and SWACs, with mines for which no room is left. Crew units that are lost change no quality.

CU-N70 [4.2.4.1, 4.2.4.2, 4.2.4.3] A new ship comes with drones of the first type in its racks and reloads and with a
shuttle in each of its boxes for them; fighters are bought by themselves. A drone is bought with its reload, and turned
in with it. A ship may leave shuttles in cargo boxes, but keeps one; one that was moved aboard serves for maintenance as
one that was bought does.

CU-N73 [2.6.2.1, 5.2, 5.3, 8, 9.1] A cloak is plotted for a fleet, all of whose ships need one; a prize's does not work,
and whom a delayed survey keeps does not go under it. Cloaked ships neither scan nor survey nor raze nor land troops;
they neither call a planet to revolt nor keep it from that. Hidden ships still see S1 to S5 of the others in their hex.

CU-N74 [2.6.2.1, 8.6] Whoever was found under cloak may be fought by the race that found it, if this has a ship in the
hex that is no base and not hidden itself. Where that race's other ships are seen by all, the found ones stand with them
against the finder alone; else the two meet after all others in the hex, with cards of their own. Nobody else is told.

CU-N75 [6.4.1] Location Detection alone finds cloaked ships: a movement plot, a random ship and stored CPV are those of
ships that are not under cloak. Who must fly a plot that was lodged for impulse 1 goes under cloak after it, and a
Federal Express ship takes that one step.

CU-N76 [2.4.1.5] A tow is within one fleet: its line names the ships that the others tow. Tugs are filled first. What is
towed goes where and when its tower goes; the hexes count for both. A tow ends when its tower is lost, captured,
disengages or has no engines left, when either runs or pursues, and when they part. A light tactical transport is a tug.

CU-N77 [2.4.1.8] A fleet of Federal Express ships alone goes two hexes along its course in each impulse, as long as it
may; for one hex, plot one. It ends its impulse in dust and nebulae, and in and out of unsurveyed space it moves like
other ships. If it has no warp engines left or is cloaked or tows, it is an ordinary ship.

CU-N80 [2.7] Freighters sail to any planet, for all know where planets are, and to bases, repair docks and building
sites of their own race. Each sheet may send one convoy from each hex. What is left blank of its way is a shortest path.

CU-N81 [2.7, 3.4.5.4] Freighters that disengage leave the hex as all ships do, and come back by a shortest path: to the
next hex of their plot, or to where they lay. Freighters that lie elsewhere, as prizes do and those that were left
behind, may sail from there; the place they go to counts as their point of embarkation, and Q-ships among them then need
no freighters to embark.

CU-N82 [2.7.3, 5.1.2] The weapons of a captured Q-ship are barred, so that it escorts nobody and sails as a freighter.

CU-N83 [2.7.3] Which Q-ships turn back, if there are too many, the owner says beforehand with any sheet; of those that
are not named, the first by their records. They turn back with their next move, each by a shortest path.

CU-N103 [2.7.5] A fleet's line names a convoy of its race in its hex, also one that the same sheet sends off, and the
fleet then goes where that goes, when it goes, until its line says otherwise. It has no course of its own meanwhile.
Where the convoy arrives, is lost, or parts from it, the fleet holds. Its ships are plotted and seen as all ships are.

CU-N84 [2.7.1, 8.9] A convoy meets whoever has units of any kind in its hex, other convoys too, and is announced in each
impulse in which it does. What becomes of it else is told to its owner alone, and nobody is asked to plot because of it.
Whoever has seen a convoy or another unit that moves without a counter holds it until the next movement, and longer only
with units in its hex.

CU-N85 [2.8] A planet has one police ship. Any base that can build it may build one for a planet of its race that has
none, that no other is on its way to, and for which none is being built: the one that is named, else the nearest. It
sails with the speed of a ship, cannot be plotted, and if it disengages, goes on its way.

CU-N86 [9.1, 9.2] Survey freighters are plotted like ships, in fleets, and show no counter. A monster rolls for
freighters as well.

CU-N94 [3.6.1.1] The pursuer names all groups that try to surround before any die falls; then all attempts are rolled,
then the directions of those that succeed. Directions count from the facing of the escaping ships, which is 1. The rest
of the force, and groups that fail, are set up in the one direction that the pursuer names.

CU-N95 [3.7.4] Each flanking group has a die of its own from the beginning, secret like its turn of arrival: if an enemy
group arrives on the same turn, the higher die sets up first. Equal dice are rolled again beforehand.

CU-N96 [3.5, 3.5.2] Points are planets, gas giants, moons, bases that orbit nothing, and stars that fill no hex;
locations are suns, asteroid fields and asteroid belts. A base orbits the planet of its hex unless the scenario says
otherwise. Bases in a nebula are points, with the nebula everywhere.

CU-N97 [3.5.5.1] After the waves, the defender says which ships that pursued a wave to a feature go on there. Fighters
and PFs do not, since those of the approach battle fight at no feature.

CU-N98 [3.5.8] Fighters that are apart from their carrier have a line of their own, with as many as were sent, and
booster packs as far as it has some. What is left of them goes back aboard before another encounter in the hex, and at
the end.

CU-N99 [3.8] Of the example's slips one more: the F5CVL that goes on to the planet in its step I fights there in step O,
too.

CU-N78 [2.4.1.10] Where sheets close only at their deadlines, a navigator of hidden ships is not asked as long as
no counter is in any nebula, since all would wait and wonder: 1 is added where that lets the group out.

CU-N110 [1.1.2.4, 4.2.4.8, 5.2.2, 5.3.2] Whose planet it is has its moons, and those of the gas giant beside it, to
begin with. Troops land on a moon and take it as they do a planet; its holder is public. It makes no CPV, is not razed,
does not rebel and needs no garrison. A planet that changes hands leaves its moons as they are. Who has troops or a
ground base on a moon is in its hex and in play; a bare moon counts for nothing. A gas giant is nobody's: no troops land
there, and no ground base stands on it.

CU-N111 [9.2, 1.1.2.4] What else is in the hex of a discovered planet is rolled when all surveys of the turn are done.
Its finder is asked for sizes and distances at once; all of it is public.

CU-N112 [5.2.3] A ground base keeps all races from razing in its hex but the one whose it is.

CU-N113 [4.4.9] Ground bases on moons are paid with the new CPV of the planet in their hex, where one race holds both.
They are built on the moons and hexsides that are named, or on all, one by one on the moon that has the fewest.

CU-N114 [2.4.1.5, 4.4.1] BLMs and FRDs of a fleet's race in its hex may be in its tow, and so may freighters and Q-ships
without engines that are in no convoy; for FRDs with engines, see CU-N144. A base in tow goes with its tower and without
a counter, is no feature, no port and no base of its hex. It is not plotted into unsurveyed space or where no base may
be; where it is let go there, it is lost. Anywhere else it is deployed as soon as nobody tows it.

CU-N115 [4.2.4.8, 5.3.3] A fleet may leave ordinary shuttles where it lands on a planet or a moon of its race, in the
shuttle boxes of ground bases there, of which each has as many as the scenario says; each ship keeps one shuttle. They
are not taken aboard again. Those that have no box any more are lost, and so are all where the holder changes.

CU-N71 [5.1] A prize is made into a hybrid of the catalogue that its class names, in a docking bay and as any refit is,
but for 15 CPV at least; into nothing else, and nothing else becomes one. It is its new race's own ship from then on.

CU-N87 [2.10] On every plot sheet a race says with which others it would be one force; that stands until it says
otherwise. Those who name each other, and nobody else, are one force when plotting closes. An offer is told to those
whom it names, and nobody else hears of an answer. Who names a partner no longer leaves the force; it goes on among the
others. Coordination is about stacking, counters, combat and sorties: planets, docks and boxes stay each race's own.

CU-N88 [2.10, 2.6.2] Where a force has units of several races, one counter stands for them, and its move is announced
as that of one race. Others see S1 to S5 of all of them as one contact, with the races that have units in it; partners
see each other as before. With equal command ratings the counter is that of the race that is named first in the
scenario.

CU-N89 [2.10, 3.1.1] Each race of a force names a card, and the force shows combat if one of them does. With its card a
race may leave the force; then its own card counts, in this hex. Everywhere else it has left when combat is over. Who
has standing orders for cards is not asked, and stays.

CU-N90 [2.10, 3.3, 3.4, 3.7] Of escape waves, pursuit and flanking groups each race names its own units; the wave or
group is what all have put into it. Any race of a force may report its battle, or challenge for it. What the enemy
captures goes to the race that the report names, and who escapes or disengages has done so from the whole force. Each
race allocates, surrounds and goes on to features with its own units; waves to different features are waves by
themselves. Whoever is hidden in a hex is in no force there, and who is found there fights by itself.

CU-N91 [2.9] A race is asked for sorties when a counter that is not its force's is next to fighters with boosters, or
in every impulse if it wishes to plot in all of them. The fighters of one carrier fly into one hex. Which race sorties
into which hex is announced to all, for a coordinated force as one race; from where and with how many is not. If
coordinated races together send more than 24 fighters into a hex, or send them from different hexes, none of these fly.
With its sheet a race may leave its coordinated force.

CU-N92 [2.9.7] Sorties into one hex meet there, wherever they come from. Each may intercept every other one once, with
as many fighters as it likes; it meets all that the other has left. Attacked is who is known to be in the hex, by a
counter or a contact that is held; who is not found there is not attacked, and nothing else is learnt. Who attacks a
counter says whether all of its coordinated force is meant, without being told whether there is one.

CU-N93 [2.9.6, 3.3.2, 3.7.5, 5.1] With the order to sortie goes whether the fighters come back or land in their target
hex; where there are no boxes for that, they do the other. They land in fighter boxes of their own race, since shuttles
keep theirs. A fighter comes with three sets of booster packs; one without cannot fly back. Fighters that pursue land
on their carrier, or on another one in the hex. Fighters are not captured, and those aboard a captured unit are lost.

CU-N120 [4.2.4.8] A new ship's line names its crew and its legendary officers, which are trained at starbases and battle
stations alone. For each of its crew units a crew that is not normal costs as much more, or less, as such a unit by
itself does; the whole is rounded up. What is built or trained is told by Construction Plans with it.

CU-N121 [4.2.4.8] Fighters with aces, or with poor pilots, are bought as such. Where part of a carrier's fighters fly or
are lost, those with poor pilots come first and aces last. How pilots gain by experience is for the players' sheets.

CU-N122 [4.2.4.8] Officers and aces are moved between units of one hex in the economics phase, as accessories are, into
service or into hull boxes, in which they have no effect. A unit has one officer of a kind; PFs have none, and
transport nobody. An ace takes over a fighter with an ordinary pilot. A prize has no officers, but may transport them.

CU-N123 [2.9.6.2] Aces whose fighters find no box go aboard a ship or base of theirs in the hex from which they flew,
else the one nearest to that to which they flew. Those aboard a carrier that is lost are lost with it.

CU-N124 [4.2.4.8] How many transporters a class has stands in its record; they work unless their ship has no engine box
left.

CU-N125 [4.2.4.8] Ground combat vehicles are carried in cargo boxes, or in the box of a shuttle. With a landing go as
many as the boarding parties there may have. Crew units are landed on a planet of one's own, if a number is named;
each ship keeps one. What there is no room for stays aboard.

CU-N126 [5.3.3] Commandos and heavy weapons squads are boarding parties of other kinds, for all limits. Where some of a
number of boarding parties are landed or lost, ordinary ones come first and commandos last; what is left on a planet
that is fought for is reported kind by kind. Militia are the rebels alone, who stay on no planet.

CU-N150 [4.1.6, 4.1.6.1, 4.2.1.3] A budget may stand: it is filled in on the sheet of each later turn, and carried out
for a race that says nothing, until the race changes it. Of docking bays stands what is built there and how many CPV go
into it at most: it is begun again when a bay is free, and a bay that is taken goes on. Names, refits, repairs, goods
that are moved, bases set aside and bases scrapped do not stand. What no longer fits when a turn begins is taken out,
its owner is told why, and the rest stands.

CU-N151 [2.2, 3.1] What standing orders answer is settled at once. A referee may have it take as long as an answer
instead, so that nobody can tell by the time who has any: play waits there until their race says that it is ready, or
for the deadline. It is the same where a race is not asked to plot because its orders cover a meeting, or its fleets go
on or hold.

CU-N152 [2.10] A choice that a coordinated force makes as one is answered by standing orders only where each of its
races has ordered so; the book gives a force no commander, and any of its races may answer for it.

CU-N153 [3.4.4, 3.6, 3.7.6] Where a battle is tracked, a ship's maximum speed is what its warp engines as they are give
by its movement cost, 30 at most, and 1 more while an impulse engine works. The slowest of a force is found among the
ships and PFs that are there at the start: who flanks does not slow the others down, and bases and fighters do not
count.

CU-N154 [3.4.3, 3.5.9, 3.6.1] At exactly 40 or 30 hexes stands a ship, PF or Interceptor; of a force of fighters alone
any of them. No record says how fast fighters are: they begin as fast as their owner says, up to the speed of their
force.

CU-N155 [3.5.2, 3.5.9] The book gives locations no shape. A tracked battle at an edge is fought at a round one, 18 hexes
from its middle to its edge, and a gas giant reaches as far as its size says. Where all defenders stand within the
location, no attacker 40 hexes off its edge could be 40 from them: attackers are measured from the edge instead.

CU-N156 [2.10, 3.4.3] In a tracked battle the races of a coordinated force place their units one after the other. What
holds for a force is judged of all of its units that are placed by then; that one is at the exact distance, of all.

CU-N127 [4.2.4.8, 5.1, 7.3] A captured ship's crew is gone with its quality: whoever mans a prize begins with a normal
crew. Officers and aces leave a prize that is melted down, and a base that is scrapped, for another unit of theirs in
the hex, where they are transported; all others aboard are lost with it.
""")
