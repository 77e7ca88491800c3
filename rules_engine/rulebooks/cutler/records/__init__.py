"""A campaign's records, the rulebook's tables, and the models of players' sheets."""
