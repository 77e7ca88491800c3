"""All that is read from the database and written to it, by what it is about. Values go in and out, never rows."""
