"""Letters between sides: writing and reading them, agreements, and handing on what one side knows to another.

They are no part of play: the rules know nothing of them, and nobody but the two sides of each learns that there is one.
"""
