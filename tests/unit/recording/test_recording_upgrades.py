"""A websocket over httpx (as httpx-ws makes it): named while recording, not half recorded."""

import socket
import threading
from pathlib import Path

import httpx

from pytest_todeval.core.lane import Lane, in_lane
from pytest_todeval.recording.mode import modes_from
from pytest_todeval.recording.tape import Tape


def test_an_upgrade_is_named_and_no_cassette_is_written(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(
                    b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n"
                    b"connection: upgrade\r\n\r\n"
                )
                connection.recv(1)

        thread = threading.Thread(target=serve)
        thread.start()
        url = f"http://127.0.0.1:{server.getsockname()[1]}/ws"
        headers = {"connection": "upgrade", "upgrade": "websocket"}
        path = tmp_path / "t"
        with Tape(path, test="t", dialogue="d", modes=modes_from("rewrite")) as tape:
            with in_lane("d", Lane.SYSTEM, 1), httpx.stream("GET", url, headers=headers) as answer:
                assert answer.status_code == 101
                assert "network_stream" in answer.extensions
            [refused] = tape.refusals
        thread.join(10)
    assert "GET /ws (lane system, turn 1" in str(refused)
    assert "it became a websocket (101)" in str(refused)
    assert not path.exists()
