"""Shapes: ours as rules for all focus nodes at once, and those of others run by pySHACL."""
