"""Local server process: llama.cpp's server with one model, for as long as its standard input is open.

The first line of its input is a JSON object with the settings. It answers with one line: `address` and `note`, which may be
empty, or `error`. It is run as a script that imports nothing of tabletop, so that only llama.cpp is in its memory.
"""

import json
import os
import sys
import threading
from typing import Any

_QUIET = 1
"""llama.cpp's level of log that has errors alone."""

_NO_GPU = "llama.cpp finds no GPU, so gpu_layers has no effect"


def main() -> None:
    settings = json.loads(sys.stdin.readline())
    threading.Thread(target=_exit_with_input, daemon=True).start()
    try:
        server = _server(settings)
        answer = {"address": server.listening_address, "note": _NO_GPU if settings["gpu_layers"] and not _has_gpu() else ""}
    except Exception as error:
        server, answer = None, {"error": str(error) or type(error).__name__}
    sys.stdout.write(f"{json.dumps(answer)}\n")
    sys.stdout.flush()
    if server is None:
        os._exit(1)
    threading.Event().wait()


def _exit_with_input() -> None:
    """Exit when the process that started this one closes the pipe, or is gone."""
    sys.stdin.read()
    os._exit(0)


def _server(settings: dict[str, Any]) -> Any:
    """llama.cpp's server, ready for requests on a free port of loopback."""
    import xllamacpp

    if settings["needs_gpu"] and not _has_gpu():
        raise MemoryError("it finds no GPU for gpu_layers, and the memory of this machine is too small")
    wanted = xllamacpp.CommonParams()
    wanted.model.path = settings["path"]
    wanted.model_alias = {settings["name"]}
    wanted.n_ctx, wanted.n_parallel = settings["context"] * settings["slots"], settings["slots"]
    wanted.cache_ram_mib, wanted.swa_full = settings["waiting_mib"], settings["keeps_all"]
    wanted.hostnames, wanted.port, wanted.api_keys = ["127.0.0.1"], 0, [settings["key"]]
    wanted.ui = wanted.endpoint_slots = False
    wanted.verbosity = _QUIET
    if settings["threads"] is not None:
        wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = settings["threads"]
    if settings["gpu_layers"] is not None:
        wanted.n_gpu_layers = settings["gpu_layers"]
    if settings["template"]:
        wanted.chat_template = settings["template"]
    return xllamacpp.Server(wanted)


def _has_gpu() -> bool:
    import xllamacpp

    return any("GPU" in device["type"].name for device in xllamacpp.get_device_info())


if __name__ == "__main__":
    main()
