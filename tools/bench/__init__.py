"""Measurements, as ratios within one run: `make bench`. Nothing here is part of the suite, for no test is timed."""
