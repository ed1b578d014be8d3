"""How long tests wait for what has to come. Where it comes, no test takes longer for a larger number."""

PATIENCE = 240.0
"""Seconds after which something will not come, however busy the machine is."""
