"""The campaigns of this bot: what each is, who may do what in it, and those that are in memory now."""
