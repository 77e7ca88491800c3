"""Lists of unit classes, read from files, laid over each other, and checked whole."""
