"""Chapter 2: fleets, their secret plots, and moves."""
