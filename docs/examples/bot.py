"""A bot in Python, without dependencies: tabletop play coup --seat 'cmd:python bot.py' --seat bot:steady"""

import json
import random
import sys


def decide(ask, rng):
    """A random legal answer; where text is free, any text for the field."""
    if ask["legal"] is not None:
        return rng.choice(ask["legal"])
    fields = ask["schema"]["properties"]
    return {name: rng.choice(field["enum"]) if "enum" in field else "A quiet sea." for name, field in fields.items()}


rng, seat = random.Random(1), None
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        seat = message["seat"]
    elif message["type"] == "told":
        for event in message["events"]:
            print(f"P-{seat} hears: {event['text']}", file=sys.stderr)
    elif message["type"] == "ask":
        print(json.dumps({"number": message["number"], "answer": decide(message, rng)}), flush=True)
    elif message["type"] == "end":
        break
