"""Special conditions and random events: rolled, carried out, scored."""
