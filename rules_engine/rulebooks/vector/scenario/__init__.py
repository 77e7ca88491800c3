"""Scenarios: what their files hold, every defect of them, and the state that they begin with."""
