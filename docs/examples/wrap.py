"""Seats any command that reads a prompt on standard input and prints an answer, such as a coding agent's client.

    tabletop play coup --seat 'cmd:python wrap.py COMMAND ARGUMENT...' --seat bot:steady

The command is run once for each decision. The last JSON object in its output that has the fields of an answer is the answer.
"""

import json
import subprocess
import sys

MARGIN = 5
"""Seconds that are left of the time limit when the command is stopped."""


def prompt(hello, happened, ask):
    """The whole decision as text."""
    parts = [
        f"You play {hello['game']} as P-{hello['seat']}, one of {hello['players']} players.",
        f"# Rules\n\n{hello['rules_text']}",
        "# What has happened\n\n" + "\n".join(f"- {event['text']}" for event in happened),
        f"# What you know now\n\n{json.dumps(ask['view'])}",
        f"# Question\n\n{ask['question']}",
    ]
    if ask["legal"] is not None:
        parts.append("Legal answers:\n" + "\n".join(map(json.dumps, ask["legal"])))
    parts += [f"Your answer {json.dumps(mistake['answer'])} was invalid: {mistake['why']}" for mistake in ask["mistakes"]]
    parts.append(f"End with one JSON object that follows this schema: {json.dumps(ask['schema'])}")
    return "\n\n".join(parts)


def answer_in(output, fields):
    """The last JSON object in a text that has one of the fields; None without one."""
    decoder, found, place = json.JSONDecoder(), None, output.find("{")
    while place >= 0:
        try:
            value, end = decoder.raw_decode(output, place)
            if fields & value.keys():
                found = value
        except ValueError:
            end = place + 1
        place = output.find("{", end)
    return found


def run(command, text, seconds):
    """The output of the command; empty when it takes too long."""
    try:
        done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return ""
    return done.stdout


def main(command):
    """Answer each question until the match ends."""
    hello, happened = {}, []
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            hello = message
        elif message["type"] == "told":
            happened += message["events"]
        elif message["type"] == "ask":
            output = run(command, prompt(hello, happened, message), max(1, message["seconds"] - MARGIN))
            answer = answer_in(output, message["schema"]["properties"].keys())
            print(json.dumps({"number": message["number"], "answer": answer, "reason": output[:2000]}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
