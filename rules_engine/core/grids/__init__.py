"""Where things are: hex maps and maps of jump lanes."""
