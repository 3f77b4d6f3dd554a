"""Whether evaluating an arithmetic expression would run away.

tau-bench's `calculate` evaluates what the bot sends (digits, `+-*/().`), and `9**9**9**9` would
hold the process, and with it every time limit, for good.
"""

import ast

MOST_BITS = 20_000
"""Of an intermediate number; anything beyond 1024 is refused as no float holds it."""

MOST_CHARACTERS = 10_000


def too_large(expression: object) -> bool:
    """Says whether an intermediate whole number could have more than MOST_BITS bits.

    Only of expressions with a power: without one, numbers grow no faster than the text. What is no
    expression is not too large: evaluating it fails at once.
    """
    if not isinstance(expression, str) or "**" not in expression:
        return False
    if len(expression) > MOST_CHARACTERS:
        return True
    try:
        return _bits(ast.parse(expression.strip(), mode="eval").body) > MOST_BITS
    except (SyntaxError, ValueError, MemoryError):
        return False
    except RecursionError:
        return True


def _bits(node: ast.expr) -> int:
    """At most how many bits the value has; more than MOST_BITS if any part of it does."""
    if isinstance(node, ast.Constant):
        return node.value.bit_length() if isinstance(node.value, int) else 1  # floats overflow
    if isinstance(node, ast.UnaryOp):
        return _bits(node.operand)
    if isinstance(node, ast.BinOp):
        left, right = _bits(node.left), _bits(node.right)
        if (most := max(left, right)) > MOST_BITS:
            return most
        if isinstance(node.op, ast.Pow):
            return left if left <= 1 else left << min(right, MOST_BITS.bit_length())
        return left + right + 1
    parts = [_bits(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
    return max(parts, default=1)
