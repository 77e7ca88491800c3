"""Checking an export: the chain of hashes, who could do what, the whole campaign played again, what Discord shows."""
