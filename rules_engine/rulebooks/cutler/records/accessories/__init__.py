"""Accessories (4.2.4): what can be bought, what units carry of it, minefields, and the lines of sheets about them."""
