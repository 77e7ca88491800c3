"""Rulings on what a ship is, on docking bays, and on derelicts: the package's own, and those on the book's text."""

from rules_engine.core.protocol.rulebook import rulings_in

SHIPS = rulings_in("""

CU-N170 [2.4.1.6] An account has a field for the life support of every unit that can be left without engines, since an
enemy does not know which of them have lost the last one. It counts for those that are derelicts then, and for no other.
With the first engine that works again life support is full.

CU-R126 [4.2.2, 5.2.1.1, 8.3.2] For all rules a scout is a ship with special sensors or of that mark, a tug one of that
hull or mark, and a PF tender one of that mark. Where the text names light tactical transports beside tugs, they are as
tugs are.

CU-R129 [2.5] Who lies in a docking bay for a refit or other work counts neither against the stacking limit nor for it.
In a battle at the base such a ship begins docked, and stays there unless its owner sends it elsewhere.
""")
