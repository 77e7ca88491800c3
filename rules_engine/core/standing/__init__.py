"""Standing orders in words: read clause by clause, read back, obeyed in order, answering asks; books add clauses."""
