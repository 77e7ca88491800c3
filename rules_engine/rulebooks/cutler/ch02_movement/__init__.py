"""Chapter 2: fleets, their secret plots, and their moves."""
