"""Expected texts in files beside the tests: compared every time, written by `make keep`."""
