"""The printed charts and tables, as data; figures that a scenario may change stand in its settings."""
