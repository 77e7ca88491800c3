"""Chapter 11: damage by boxes and its repair."""
