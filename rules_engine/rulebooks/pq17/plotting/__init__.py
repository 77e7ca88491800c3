"""What a side is asked before anything moves."""

from rules_engine.rulebooks.pq17.plotting.contact_sheet import contact_steps
from rules_engine.rulebooks.pq17.plotting.impulse_plots import plot_movement_steps, stay_steps
from rules_engine.rulebooks.pq17.plotting.logistics_lines import stores_text
from rules_engine.rulebooks.pq17.plotting.logistics_sheet import logistics_steps, read_back
from rules_engine.rulebooks.pq17.plotting.planning_sheet import announce_plans, carry_out_plans, plan_steps
from rules_engine.rulebooks.pq17.plotting.routes import course_of, say_route
from rules_engine.rulebooks.pq17.plotting.running_on import say_run, sides_to_ask
from rules_engine.rulebooks.pq17.plotting.standing_moves import made_by_orders

__all__ = [
    "announce_plans",
    "carry_out_plans",
    "contact_steps",
    "course_of",
    "logistics_steps",
    "made_by_orders",
    "plan_steps",
    "plot_movement_steps",
    "read_back",
    "say_route",
    "say_run",
    "sides_to_ask",
    "stay_steps",
    "stores_text",
]
