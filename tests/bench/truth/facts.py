"""Facts, the one language of kernels, symbols, metrics and programs: linear expressions over them.

A fact is something that an instruction stream does, by its name; an expression is a dictionary of facts and exact coefficients."""

import ast
import csv
import pathlib
from fractions import Fraction

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent.parent.parent
DATA = HERE / "data"
PAPERS = ("cpu-flops", "branch", "dcache")  # of which the paper has kernels
BENCHMARKS = (*PAPERS, "dcache-write", "mem-ops", "instructions", "icache", "tlb")
TOLERANCE = {"cpu-flops": 0.01, "branch": 0.01, "dcache": 0.1, "dcache-write": 0.1, "socket/dcache-write": 0.1, "mem-ops": 0.01, "instructions": 0.01, "icache": 0.1, "tlb": 0.1,
             "gpu-flops": 0.01}


def read_table(path):
    """Rows of a CSV file as dictionaries; lines that begin with # are none."""
    with open(path, newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(line for line in stream if not line.startswith("#")))


def add(*expressions):
    """The sum of expressions, or of pairs (factor, expression); what cancels is gone."""
    total = {}
    for part in expressions:
        factor, expression = part if isinstance(part, tuple) else (1, part)
        for name, weight in expression.items():
            if factor != 1:
                weight = factor * weight
            total[name] = total[name] + weight if name in total else weight
    return {name: weight for name, weight in total.items() if weight}


def _linear(node):
    if isinstance(node, ast.Constant):
        return {"": Fraction(str(node.value))}
    if isinstance(node, ast.Name):
        return {node.id: Fraction(1)}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return add((-1, _linear(node.operand)))
    if not isinstance(node, ast.BinOp):
        raise ValueError(f"no linear expression: {ast.dump(node)}")
    left, right = _linear(node.left), _linear(node.right)
    if isinstance(node.op, ast.Add):
        return add(left, right)
    if isinstance(node.op, ast.Sub):
        return add(left, (-1, right))
    if isinstance(node.op, ast.Div) and set(right) == {""}:
        return add((1 / right[""], left))
    if isinstance(node.op, ast.Mult) and (set(left) <= {""} or set(right) <= {""}):
        number, other = (left, right) if set(left) <= {""} else (right, left)
        return add((number.get("", 0), other))
    raise ValueError(f"no linear expression: {ast.dump(node)}")


def parse(text):
    """`2*loads + 0.5*(calls - returns)` as a dictionary; names that begin with digits do not exist."""
    if not text:
        return {}
    found = _linear(ast.parse(text, mode="eval").body)
    if "" in found:
        raise ValueError(f"a constant is no fact: {text}")
    return found


def primitive(expression, derived):
    """The expression with derived facts replaced by what they are sums of."""
    while any(name in derived for name in expression):
        expression = add(*((weight, derived.get(name, {name: Fraction(1)})) for name, weight in expression.items()))
    return expression


def value(expression, facts):
    """The expression's value where those facts happen."""
    return sum(weight * facts[name] for name, weight in expression.items() if name in facts)
