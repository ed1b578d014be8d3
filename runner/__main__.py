"""The command `tabletop`, also `python -m runner`.

It loads nothing before `main`, so that Ctrl-C has its sentence from the first moment on.
"""

from __future__ import annotations

import atexit
import os
import sys

_PAUSED = 3
"""`Exit.PAUSED`, which may not be loaded yet."""

_INTERRUPTED = "tabletop: interrupted.\n"
_TYPERS_INTERRUPTED = 130
"""What Typer makes of Ctrl-C that no verb handles."""


def main() -> None:
    """Run the command and exit with its status. A user's mistake is one sentence on standard error."""
    if sys.unraisablehook is sys.__unraisablehook__:
        sys.unraisablehook = _unraisable
    try:
        status = _main()
    except BaseException as error:
        if not _is_interrupt(error):
            raise
        status = _TYPERS_INTERRUPTED
    if status == _TYPERS_INTERRUPTED:
        status = _PAUSED
        sys.stderr.write(_INTERRUPTED)
    atexit.register(_ignore_interrupts)
    sys.exit(status)


def _main() -> int:
    from runner.child_processes import collect_seldom

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
    try:
        from games import BrokenGameError
        from games.core import GameFault, OptionError
    except ImportError as error:
        return _foreign_games(error)
    from runner.cli.app import app
    from runner.cli.usage_errors import ABORTED, USAGE_ERROR, is_help, sentence_of
    from runner.errors import Exit, TabletopError, exhausted, told_fault

    try:
        words = sys.argv[1:] or ["--help"]
        if not sys.argv[1:] and sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") not in (None, "dumb"):
            from runner.cli.lobby import chosen_commands

            statuses = (app([*words], prog_name="tabletop", standalone_mode=False) for words in chosen_commands())
            return next((status for status in statuses if status), Exit.DONE)
        return app(words, prog_name="tabletop", standalone_mode=False) or Exit.DONE
    except TabletopError as error:
        _complain(error.sentence)
        return error.exit
    except GameFault as fault:
        _complain(told_fault(fault))
        return Exit.BUG
    except BrokenGameError as error:
        _complain(f"{error} `tabletop doctor` shows where.")
        return Exit.ACCOUNT
    except OptionError as error:
        _complain(error)
        return Exit.USAGE
    except USAGE_ERROR as error:
        sys.stderr.write(f"{error}\n") if is_help(error) else _complain(sentence_of(error))
        return Exit.USAGE
    except ABORTED:
        return _TYPERS_INTERRUPTED
    except (OSError, MemoryError, ImportError, RuntimeError) as error:
        if (limit := exhausted(error)) is not None:
            _complain(limit.sentence)
            return limit.exit
        if isinstance(error, OSError):
            return _end_output(error)
        raise
    except SystemExit as leaving:  # as typer does when a pipe is closed
        if isinstance(leaving.__context__, BrokenPipeError):
            return _end_output(leaving.__context__)
        raise


def _is_interrupt(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind an error. Python makes another one of it while it loads some classes."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _unraisable(error: sys.UnraisableHookArgs) -> None:
    """End the command where Python would report Ctrl-C and go on, as in the callback of a weak reference."""
    if not isinstance(error.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(error)
        return
    sys.stderr.write(_INTERRUPTED)
    sys.stderr.flush()
    os._exit(_PAUSED)


def _ignore_interrupts() -> None:
    """The last act of the process: what is left takes Python some milliseconds, in which Ctrl-C would kill it."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _foreign_games(error: ImportError) -> int:
    """Name the package that stands in for tabletop's games. Raises the import's error when there is none."""
    from runner.cli.own_packages import foreign_packages
    from runner.errors import Exit

    sentences = foreign_packages()
    if not sentences:
        raise error
    _complain(sentences[0])
    return Exit.ACCOUNT


def _end_output(error: OSError, is_reported: bool = True) -> int:
    """Discard further output, and report that unless the reader of a pipe just left. A path that cannot be used is named; any
    other error is raised again."""
    import errno

    from runner.errors import Exit, unusable

    if (refusal := unusable(error)) is not None:
        _complain(refusal.sentence)
        return refusal.exit
    if error.errno not in (errno.EPIPE, errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF):
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
    import io

    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 -- open until the end
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 -- open until the end
    if not all((stream.encoding or "").lower().startswith("utf") for stream in (sys.stdout, sys.stderr)):
        from runner.screen.consoles import use_ascii_fallback

        use_ascii_fallback(sys.stdout, sys.stderr)
    elif isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a path may have bytes that are no text


def _complain(error: object) -> None:
    from contextlib import suppress

    from runner.llm.address import without_password
    from runner.screen.consoles import print_note
    from runner.screen.safe_text import clean

    with suppress(OSError):  # the exit status reports it as well
        print_note(f"tabletop: {clean(without_password(str(error)), 2000)}")


if __name__ == "__main__":
    main()
