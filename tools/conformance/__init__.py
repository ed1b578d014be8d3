"""The model layer against servers written by others, when they are installed: `python -m tools.conformance`."""
