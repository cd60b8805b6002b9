"""Expressions of case files: their range by interval arithmetic, their value, and other names for their variables."""
import ast
import math
import re

_FUNCTIONS = {"sin": math.sin, "cos": math.cos, "exp": math.exp, "tanh": math.tanh, "sqrt": math.sqrt, "abs": abs}
_MONOTONIC = ("exp", "tanh", "sqrt")


def _python(text):
    """a ? b : c becomes b if a else c, in brackets too."""
    depth, marks, inside, start = 0, {}, [], 0
    for k, sign in enumerate(text):
        if sign == "(":
            depth, start = depth + 1, start if depth else k
        elif sign == ")":
            depth -= 1
            if not depth:
                inside.append((start, k))
        elif not depth and sign in "?:":
            marks.setdefault(sign, k)
    if marks:
        first, second = marks["?"], marks[":"]
        return f"(({_python(text[first + 1:second])}) if ({_python(text[:first])}) else ({_python(text[second + 1:])}))"
    for a, b in reversed(inside):
        text = f"{text[:a + 1]}{_python(text[a + 1:b])}{text[b:]}"
    return text


def _tree(text):
    """Of Python's syntax."""
    return ast.parse(_python(text).replace("^", "**").replace("&&", " and ").strip(), mode="eval").body


def span(value, ranges):
    """(lowest, highest) value, never too narrow, of a number or an expression; ranges: {"x": (0, 1), ..}.  None if it
    depends on something else."""
    if not isinstance(value, str):
        return float(value), float(value)
    try:
        return _span(_tree(value), {"pi": (math.pi, math.pi), **ranges})
    except (KeyError, ZeroDivisionError):
        return None


def _span(node, ranges):
    if isinstance(node, ast.Constant):
        return float(node.value), float(node.value)
    if isinstance(node, ast.Name):
        return ranges[node.id]
    if isinstance(node, ast.UnaryOp):
        low, high = _span(node.operand, ranges)
        return (-high, -low) if isinstance(node.op, ast.USub) else (low, high)
    if isinstance(node, ast.IfExp):
        a, b = _span(node.body, ranges), _span(node.orelse, ranges)
        return min(a[0], b[0]), max(a[1], b[1])
    if isinstance(node, ast.Call):
        name, (low, high) = node.func.id, _span(node.args[0], ranges)
        if name in ("sin", "cos"):
            return (-1.0, 1.0) if low != high else (_FUNCTIONS[name](low),) * 2
        if name in _MONOTONIC:
            return _FUNCTIONS[name](low), _FUNCTIONS[name](high)
        return (0.0 if low < 0 < high else min(abs(low), abs(high))), max(abs(low), abs(high))
    (a, b), (c, d) = _span(node.left, ranges), _span(node.right, ranges)
    if isinstance(node.op, ast.Add):
        return a + c, b + d
    if isinstance(node.op, ast.Sub):
        return a - d, b - c
    if isinstance(node.op, ast.Pow):
        ends = [a ** c, b ** c] + [0.0] * (a < 0 < b)
    elif isinstance(node.op, ast.Mult):
        ends = [a * c, a * d, b * c, b * d]
    else:
        if c <= 0 <= d:
            raise ZeroDivisionError
        ends = [a / c, a / d, b / c, b / d]
    return min(ends), max(ends)


def value_at(value, **variables):
    """The number that an expression has there."""
    if not isinstance(value, str):
        return float(value)
    code = compile(ast.Expression(_tree(value)), value, "eval")
    return float(eval(code, {"__builtins__": {}}, {**_FUNCTIONS, "pi": math.pi, **variables}))  # noqa: S307


def uses(value, *names):
    """Does it depend on one of these variables?"""
    return isinstance(value, str) and bool(re.search(r"(?<![\w.])(" + "|".join(names) + r")(?!\w)", value))


def renamed(value, by):
    """With other terms in the place of variables, {"x": "(-y)"}; all at once."""
    if not isinstance(value, str) or value.startswith("table:"):
        return value
    return re.sub(r"(?<![\w.])([a-z_]+)(?![\w(])", lambda found: by.get(found[1], found[1]), value)


def shifted(value, by):
    """value + by, of a number or an expression."""
    return f"{by!r}+({value})" if isinstance(value, str) else value + by


def multiplied(value, by):
    """by value, of a number, an expression or a list of them."""
    if isinstance(value, list):
        return [multiplied(v, by) for v in value]
    return f"{float(by)!r}*({value})" if isinstance(value, str) else value * by
