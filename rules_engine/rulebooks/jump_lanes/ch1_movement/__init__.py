"""Movement along jump lanes: what it takes, what it costs, and how long it lasts. 13.1"""
