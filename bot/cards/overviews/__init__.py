"""Cards that show at a glance what a side has, page by page: its economy, its plots."""
