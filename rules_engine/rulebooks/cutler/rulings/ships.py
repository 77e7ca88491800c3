"""Rulings on what a ship is, on docking bays, docked PFs and derelicts: the package's own, and those on the text."""

from rules_engine.core.protocol.rulebook import rulings_in

SHIPS = rulings_in("""

CU-N170 [2.4.1.6] An account has a field for the life support of every unit that can be left without engines, since an
enemy does not know which of them have lost the last one. It counts for those that are derelicts then, and for no other.
With the first engine that works again life support is full.

CU-N171 [2.4.1.7, 2.6.1, 3.3.7] A class says how many PFs dock on it; of a PF tender that does not say so it is six, of
any other class none. Bases may have docks, too. PFs of a fleet dock on its tenders and on bases in its hex, each where
it is docked already, else on the first that has a dock left; those of a fleet with a course on its own ships first. All
of a sheet's PFs leave their docks before others enter these, whichever line stands first. A PF that is named as a ship
of a fleet that is sent off leaves its dock. A docked PF is in its tender's fleet, needs no cloak of its own and neither
tows nor is towed. One that has disengaged docks only after it has left.

CU-N172 [3.3.2, 3.3.4, 3.5.8, 3.7.1] PFs leave their docks in a battle on the sheets that are asked anyway, so that no
wait tells of them: named among the ships of an escape wave they run by themselves, or they stay; if the wave is caught,
those leave that the wave's sheet names. A pursuit group, a flanking group, the main force or a terrain feature takes
those that are sent there. All others go with their tender, and are in no battle.

CU-N173 [2.4.1.7, 5.1] The account of a battle has a number for each unit of a class with docks: so many of its PFs did
not share its fate. They get away from a tender that is destroyed or captured, and are lost on one that is not; in the
order of their ids. Docked PFs are captured with their tender, and lost with one that is lost in any other way; they
leave one that its owner gives up.

CU-R23 [2.4.1.7] A PF moves two hexes a turn by itself, a retreat among them; hexes that it is carried do not count. It
docks and leaves when plots are made, leaves as a battle is set up, goes where its tender goes, and is seen by nobody
else while it is docked. It shares its tender's fate unless the account of a battle says otherwise.

CU-R126 [4.2.2, 5.2.1.1, 8.3.2] For all rules a scout is a ship with special sensors or of that mark, a tug one of that
hull or mark, and a PF tender one of that mark. Where the text names light tactical transports beside tugs, they are as
tugs are.

CU-R129 [2.5] Who lies in a docking bay for a refit or other work counts neither against the stacking limit nor for it.
In a battle at the base such a ship begins docked, and stays there unless its owner sends it elsewhere.
""")
