"""The verbs of `tabletop prompts`, one module each."""
