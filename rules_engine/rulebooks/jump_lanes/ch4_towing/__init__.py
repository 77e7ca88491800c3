"""Chapter 13.4: tugs, and what they have in tow."""
