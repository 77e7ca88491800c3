"""Rulings on plotting by chat, and on reports between the pieces of a turn."""

from rules_engine.core.protocol.rulebook import rulings_in

OWN_ON_PLOTS = rulings_in("""

VM-N40 [1.5] What the tracker cannot know is reported with the plots of the next piece, and carried out before it is
flown. What only its own captain sees and only lessens what that captain has (engines, power, reserve and shields that
were lost) is taken as it is said, and shows to nobody. All else is put to the other captains; silence agrees. What one
of them objects to is settled between those who report and those who object: they say the same, or the referee decides.

VM-N41 [1.5] A unit that is destroyed, disengaged, caught or off the map is out of the battle with all that is aboard it
or has landed on it, and the tractor that it was in ends.

VM-N42 [1.21] Points of movement that were allocated and not used are lost with the engines that gave them.

VM-N43 [1.21] A plot holds for its piece alone; nothing stands for later ones but the path of a count that still runs.

VM-N44 [1.21] An action without an impulse is done on the first of the piece; one on a condition once, on the first
impulse on which that holds. If it is not legal then, it is not done, and its captain alone is told.

VM-N45 [1.55] Of what is reported between two pieces, what lets go comes first, then who is gone, then tractors that
catch, whoever reports it. Of two tractors that reach for one unit the one with more power has it; of equal ones a die
decides. Where two ends of one unit are reported and nobody objects, its own captain's word holds, else the graver.

VM-N46 [1.4] Of equally near enemies a unit turns to the one for which it has the least to turn, or away from it; where
those lie to both sides, to the right.

VM-N47 [1.5] What is disputed, and on what nobody agrees within the time that the campaign sets, did not happen.

""")
