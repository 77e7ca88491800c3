"""Chapter 11: damage by type of box, and its repair."""
