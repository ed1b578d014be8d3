"""The command `tabletop`, also `python -m runner`."""

from __future__ import annotations

import errno
import io
import os
import sys
from contextlib import suppress

_UNWRITABLE = frozenset({errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})

_INTERRUPTED = 130
"""Exit status after Ctrl-C where nothing can be resumed, as shells have it."""


def main() -> None:
    """Run the command and exit with its status. A user's mistake is one sentence on standard error."""
    try:
        status = _main()
    except KeyboardInterrupt:  # while the command was loaded
        status = _INTERRUPTED
    sys.exit(status)


def _main() -> int:
    from runner.gc_tuning import collect_seldom

    _make_encodable()
    collect_seldom()
    status = _status()
    try:
        sys.stdout.flush()
    except OSError as error:
        ended = _end_output(error, is_reported=status == 0)
        status = status or ended
    return status


def _status() -> int:
    """Run the command and return its exit status."""
    try:
        from games import BrokenGameError
        from games.core.errors import OptionError
    except ImportError:
        return _foreign_games()
    from runner.cli.app import app
    from runner.cli.usage_errors import USAGE_ERROR, is_help, sentence_of
    from runner.errors import Exit, TabletopError

    try:
        return app(prog_name="tabletop", standalone_mode=False) or Exit.DONE
    except TabletopError as error:
        _complain(error.sentence)
        return error.exit
    except BrokenGameError as error:
        _complain(f"{error} `tabletop doctor` shows where.")
        return Exit.ACCOUNT
    except OptionError as error:
        _complain(error)
        return Exit.USAGE
    except USAGE_ERROR as error:
        sys.stderr.write(f"{error}\n") if is_help(error) else _complain(sentence_of(error))
        return Exit.USAGE
    except OSError as error:
        return _end_output(error)
    except SystemExit as leaving:  # as typer does when a pipe is closed
        if isinstance(leaving.__context__, BrokenPipeError):
            return _end_output(leaving.__context__)
        raise


def _foreign_games() -> int:
    """Name the package that stands in for tabletop's games. Raises the import's error when there is none."""
    from runner.cli.own_packages import foreign_packages
    from runner.errors import Exit

    sentences = foreign_packages()
    if not sentences:
        raise
    _complain(sentences[0])
    return Exit.ACCOUNT


def _end_output(error: OSError, is_reported: bool = True) -> int:
    """Discard further output, and report that unless the reader of a pipe just left. A path that cannot be used is named; any
    other error is raised again."""
    from runner.errors import Exit, unusable

    if (refusal := unusable(error)) is not None:
        _complain(refusal.sentence)
        return refusal.exit
    if error.errno not in _UNWRITABLE:
        raise error
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    if isinstance(error, BrokenPipeError):
        os.dup2(nowhere, 2)
        return Exit.DONE
    if is_reported:
        _complain(f"Cannot write to standard output: {error.strerror}.")
    return Exit.USAGE


def _make_encodable() -> None:
    """Make standard output and standard error exist and accept any text in any locale."""
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 -- open until the end
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 -- open until the end
    if not all((stream.encoding or "").lower().startswith("utf") for stream in (sys.stdout, sys.stderr)):
        from runner.screen.ascii_fallback import use_ascii_fallback

        use_ascii_fallback(sys.stdout, sys.stderr)
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a path may have bytes that are no text


def _complain(error: object) -> None:
    from runner.llm.address import without_password
    from runner.screen.consoles import print_note
    from runner.screen.safe_text import clean

    with suppress(OSError):  # the exit status reports it as well
        print_note(f"tabletop: {clean(without_password(str(error)), 2000)}")


if __name__ == "__main__":
    main()
