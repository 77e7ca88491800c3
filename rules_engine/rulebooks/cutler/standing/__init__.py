"""Standing orders in Cutler's rules: their words, whose are obeyed, and what they decide of each ask."""
