"""Points of movement: allotted, added from reserve, and paid. CJD1.2"""
