"""Chapter 1: the set-up, from the draft of races to the first fleets."""
