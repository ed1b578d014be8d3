"""The command `tabletop`, also `python -m runner`."""

from __future__ import annotations

import os
import sys


def main() -> None:
    """Run the command and leave with its exit status; a user's mistake is one sentence on standard error."""
    from games.core.errors import OptionError
    from runner.cli.app import app
    from runner.collecting import collect_seldom
    from runner.errors import Exit, TabletopError

    _make_readable()
    collect_seldom()
    try:
        app(prog_name="tabletop")
    except TabletopError as error:
        _complain(error)
        sys.exit(error.exit)
    except OptionError as error:
        _complain(error)
        sys.exit(Exit.USAGE)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(Exit.DONE)


def _make_readable() -> None:
    """Have standard output and standard error take any text, in any locale."""
    if not all((stream.encoding or "").lower().startswith("utf") for stream in (sys.stdout, sys.stderr)):
        from runner.screen.readable import make_readable

        make_readable(sys.stdout, sys.stderr)


def _complain(error: Exception) -> None:
    from runner.screen.consoles import say_aside
    from runner.screen.text import clean

    say_aside(f"tabletop: {clean(error, 2000)}")


if __name__ == "__main__":
    main()
