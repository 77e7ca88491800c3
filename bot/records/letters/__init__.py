"""Letters between sides: what one is, the chain that each pair's letters form, and what agreements stand by them."""
