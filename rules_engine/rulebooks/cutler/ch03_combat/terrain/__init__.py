"""Chapter 3.5: battles at the terrain features of a hex."""
