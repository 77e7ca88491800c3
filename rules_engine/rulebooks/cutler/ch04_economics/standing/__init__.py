"""Chapter 4: a budget that stands for later turns: what is kept of it, and what of it fits in a turn."""
