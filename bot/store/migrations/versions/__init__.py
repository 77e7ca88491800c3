"""One file for each change of the schema, in order; the later ones have a folder of their own."""
