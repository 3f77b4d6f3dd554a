"""A model server for tests, on this machine: what it answers comes from functions or scripts.

`request` reads what was asked, `answer` is what a test says, `completion` puts it in the wire's
words, `handler` and `listener` speak HTTP, `server` is what tests use.
"""
