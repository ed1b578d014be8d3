"""Every phase of every game in a real terminal, as goldens: `python -m tests.terminal --write` takes them anew."""
