"""Reading what models answer: JSON first, then the shapes that real replies have; else Unreadable.

What cannot be read is never guessed at: no default number, no nearest label, nothing evaluated.
"""
