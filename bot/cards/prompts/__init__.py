"""A prompt as a card: what it is made from, where it stands, what its lines say, its frame and its sheet."""
