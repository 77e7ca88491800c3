"""Chapter 5: speeds, postures, moves."""
