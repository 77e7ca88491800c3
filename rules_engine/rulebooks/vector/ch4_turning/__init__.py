"""Turns, high energy turns and tumbling. CJD1.4"""
