"""The printed tables, as data, with what looks them up."""
