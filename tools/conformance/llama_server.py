"""llama.cpp's own server in this process, for a Python that has xllamacpp: `python llama_server.py MODEL CONTEXT PORT`."""

from __future__ import annotations

import sys
import threading

import xllamacpp


def main(model: str, context: str, port: str) -> None:
    """Serve the model on loopback until the process is killed."""
    settings = xllamacpp.CommonParams()
    settings.model.path = model
    settings.n_ctx, settings.n_parallel = int(context), 1
    settings.hostnames, settings.port = ["127.0.0.1"], int(port)
    kept = xllamacpp.Server(settings)
    threading.Event().wait()
    del kept


if __name__ == "__main__":
    main(*sys.argv[1:])
