"""Lists of unit classes, read from files, merged in layers, and validated with all defects told at once."""
