"""Our own rulings, where the text and the common list are silent."""

from rules_engine.core.protocol.rulebook import rulings_in

OWN = rulings_in("""

BP-N01 [V8.21, V8.22] An Orion that operates for itself is nobody's friend and holds nobody, as one in Normal
Movement. A leased one is unfriendly to all but its lessee and counts for its strength, but alone it holds nobody.

BP-N02 [V8.42, V8.48] A unit that is crippled in a turn of Emergency Movement uses it no longer, from the next phase
on; no engineer's roll helps.

BP-N03 [T8.720] A stack is out of supply if one of its units is.

BP-N04 [T8.720] Of units with the same highest BPV the best helmsman counts.

BP-N05 [V8.23] Monsters and alien ships count one each, crippled ones half.

BP-N06 [V8.32, V8.86] What has no tactical movement cost is not towed.

BP-N07 [V8.24] Whoever is in tow and leaves with its tower counts among those that leave by Command Rating; of several
with the best rating any one may be the one that must leave.

BP-N08 [V8.55] Of several units as near the one is hunted that it is after already, else one that is drawn.

BP-N09 [V8.67] A cloaked unit's zone is its own hex even where it stands with a base.

BP-N10 [V8.43] A Damage Control Rating of 0 in a unit's record is none; one that was shot down to 0 is an allotment
that is used up.

BP-N11 [V8.47] A failed attempt uses no turn of the allotment, and takes no more boxes than there are.

BP-N12 [V8.31] A Team tows its own units alone, leased Orions among them.

BP-N13 [V8.16] One or two races serve a Team, not a captain; a captain commands the stacks that bear the seat's key.

BP-N14 [V8.24] Each captain begins with one flagship, a warship or a tug.

BP-N15 [V8.22] Orions that operate for themselves cannot begin in a scenario yet; leased ones can.

BP-N16 [V8.15] A stack moves as one, by the column of its slowest unit. Units may stay as a stack of their own, and
stacks of one captain in one hex may join, at a turn's beginning.

BP-N17 [V8.18] What is aboard others is lost with the last of them.

BP-N18 [V8.21, V8.56] Who is under cloak and was not turned up holds nobody, neither bars supply nor opens a way for
it, and is in no battle, for all that would tell that it is there.

BP-N19 [V8.11] A province is held by the one Team whose units stand in it in the open, nobody else among them, one of
them uncrippled and in supply. Points and what they are for are public; income is not.

BP-N20 [V8.11] A campaign ends after its last turn, at the scenario's lead, or when a Team has no unit left that
travels by itself; that Team has lost, whatever it scored.

BP-N21 [V8.45] A star system was held in a turn unless others alone stood in it at the turn's end.

BP-N22 [V8.15] In each phase the Teams move in turn, the lower initiative first, each time one stack by one hex: one in
the open before any under cloak, of these that which has moved least in the phase, then by number. Convoys move with
their Team's stacks, monsters and alien ships after both.

BP-N23 [V8.94] What a stack does that sees others before it is judged by the hex that it would enter next. Bases stop
nobody: they were there before.

BP-N24 [V8.22] A monster or an alien ship leaves the map when, at a phase's end, one Team alone stands with it whose
uncrippled units in the open have the BPV that the scenario names; else it holds who is there. One that is fought by
hand has no such BPV (BP-N31).

BP-N25 [V8.14] Who disengages goes at once back to the hex from which its stack came in this turn or, where others
stand there or it did not move, to the hex beside it without others that is nearest to an own base or star system; a
convoy goes back along its way. Who has no working warp engines, or is in tow, does not leave. Fighters and PFs go along
when no ship of their stack stays. Both Teams are told after the battle; where hidden units went, their own alone.

BP-N26 [V8.62] At a phase's end a hex becomes a battle hex that somebody entered openly in it, or was turned up in, and
where units of both Teams stand in the open; all of them fight, bases among them. They may stay there afterwards.

BP-N27 [V8.48] A chief engineer with enough skill always tries to keep Emergency Movement that damage endangers: who
declared it wanted it.

BP-N28 [V8.22] A unit may be captured by others that stay in the battle hex. It goes over to their Team as it is, as a
stack of its own that holds, and scores as one destroyed; what was aboard it is lost. Fighters and PFs are not captured
by themselves. Its name begins with "Prize" until it is taken back.

BP-N29 [V8.83] Tugs take pods up and set them down at a turn's beginning, in their hex; a tug that is left behind by its
stack or joins another keeps those that it has. A pod that was set down is for its own Team alone to see and to take up.
Pods on a destroyed tug are lost; those of a crippled one lie where it was crippled, also if it was captured then; a
sound one is captured with its pods.

BP-N30 [T8.730] A cloaked stack may fight the convoy that it comes upon, if the scenario says which ships sail in the
other Team's: it shows itself, and the hex is a battle hex. What is left of the convoy sails on afterwards, off the map,
and the stack is hidden again. A convoy of which nothing is left is caught.

BP-N31 [V8.22] A monster or an alien ship that the scenario has fought by hand is in a battle hex with who stands openly
where it or they came in the phase. The Team that is not there plays it, and so learns who fights it; where both are,
the one that moved last. Whoever alone is left there when it is destroyed or leaves scores it; it leaves off the map.
What it destroys scores for the other Team.

BP-N32 [V8.15] A battle that is tracked is set up in the open order of the phase: monsters and alien ships first, then
the Team with the lower initiative, then the other. A Team's units are within 10 hexes of each other, what is in tow
beside its tower, and those that come later 25 to 35 hexes from the nearest that is there. Speeds are as each likes, up
to what the warp boxes give and one hex by impulse. Asteroids, dust and nebulae fill the map; other ground is not on it.

BP-N33 [V8.15] A convoy leaves behind ships that cannot move as long as one with cargo goes on; else all of it stays.

BP-N34 [V8.61, V8.69] Who left its station in reaction and caught others moves on as part of that reaction, by what it
holds still. Who caught others at its station leaves it by orders, which ends the reaction (BP-R60). It does not ask the
others to let it go in a phase in which it has nothing but held points, for leaving so would end them.

BP-N35 [V8.54] Who went after a hidden unit beside special sensors, and is there without them now, has lost it.

BP-N36 [V8.14, V8.41] A battle on whose account nobody agrees within the time that the campaign sets ends without
losses: every unit is as it was when the battle began, and stays where it is. It is fought again only when somebody
enters the hex. A scenario may have the stacks disengage that moved in that phase.

""")
