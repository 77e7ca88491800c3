"""The everyday set: what `make test` runs, which dear tests it leaves out, and the check that keeps it quick."""
