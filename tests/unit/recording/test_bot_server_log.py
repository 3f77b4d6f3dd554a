"""What a person sees of a server's log."""

from pytest_todeval.recording.bot_server.bot_server import end_of_log

TRACEBACK = """INFO: started
Traceback (most recent call last):
  File "/venv/lib/python3.11/site-packages/uvicorn/main.py", line 8, in <module>
    sys.exit(main())
             ^^^^^^
  File "<frozen importlib._bootstrap>", line 241, in _call
  File "/home/me/bot/app.py", line 9, in chat
    return turn["txt"]
           ~~~~^^^^^^^
  File "/home/me/bot/words.py", line 3, in heard
    raise KeyError("txt")
KeyError: 'txt'
INFO: stopped
"""


def test_frames_of_libraries_are_counted() -> None:
    assert end_of_log(TRACEBACK) == (
        """INFO: started
Traceback (most recent call last):
  ... 2 in libraries
  File "/home/me/bot/app.py", line 9, in chat
    return turn["txt"]
           ~~~~^^^^^^^
  File "/home/me/bot/words.py", line 3, in heard
    raise KeyError("txt")
KeyError: 'txt'
INFO: stopped"""
    )


def test_only_the_end_is_shown() -> None:
    shown = end_of_log("".join(f"line {number}\n" for number in range(1000)))
    assert shown.splitlines() == [f"line {number}" for number in range(960, 1000)]
    assert end_of_log("") == ""


def test_a_log_that_looks_like_a_traceback_costs_no_time() -> None:
    """Linear: as many frames as fit, each with a source line that never ends."""
    hostile = '  File "x", line 1, in ' * 100_000 + "\n" + "    " * 100_000
    assert len(end_of_log(hostile)) <= 40_000
