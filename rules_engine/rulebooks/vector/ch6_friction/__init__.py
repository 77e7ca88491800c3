"""Warp friction, which is optional. CJD1.6"""
