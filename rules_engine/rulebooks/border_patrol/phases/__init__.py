"""The eight movement phases (step 4): initiative, moves of one hex, what comes up on the way, and others' moves."""
