"""What a model's events and metrics count: expressions over facts as docs/reference/pmu-models.md has them, evaluated and taken apart."""

import ast
from fractions import Fraction

import facts

_FUNCTIONS = {"__builtins__": {}, "min": min, "max": max}


def normal(linear, derived):
    """Facts replaced by what they are sums of; those that the machine lacks are gone."""
    while any(name in derived for name in linear):
        linear = facts.add(*((weight, derived.get(name, {name: Fraction(1)})) for name, weight in linear.items()))
    return linear


class Expression:
    """Arithmetic over facts, with minima, maxima and conditions."""

    def __init__(self, text):
        self.text = text
        self._tree = ast.parse(text.strip(), mode="eval")
        self._code = compile(self._tree, text, "eval")
        self.names = sorted({node.id for node in ast.walk(self._tree) if isinstance(node, ast.Name)} - {"min", "max"})

    def value(self, program):
        """Of a program's facts; a name that is no fact is an error."""
        return float(eval(self._code, _FUNCTIONS, program))  # pylint: disable=eval-used

    def parts(self, derived):
        """Its sum: {fact: weight} of what is linear, and {meeting: weight} of what is not."""
        linear, meetings = _parts(self._tree.body, derived)
        return normal(linear, derived), meetings


class Meeting:
    """A part that is no sum of facts, such as min(l1d_load_hit, l1d_load_miss): the same where text and facts are the same."""

    def __init__(self, node, derived):
        self.text = ast.unparse(node)
        self.expression = Expression(self.text)
        self.facts = {name: set(normal({name: Fraction(1)}, derived)) | {name} for name in self.expression.names}

    def __eq__(self, other):
        return self.text == other.text

    def __hash__(self):
        return hash(self.text)


def _parts(node, derived):
    if isinstance(node, ast.Constant):
        return {"": Fraction(str(node.value))}, {}
    if isinstance(node, ast.Name):
        return {node.id: Fraction(1)}, {}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return _times(-1, _parts(node.operand, derived))
    if isinstance(node, ast.BinOp):
        left, right = _parts(node.left, derived), _parts(node.right, derived)
        if isinstance(node.op, (ast.Add, ast.Sub)):
            other = _times(1 if isinstance(node.op, ast.Add) else -1, right)
            return facts.add(left[0], other[0]), facts.add(left[1], other[1])
        for number, other in ((right, left), (left, right)):
            if set(number[0]) <= {""} and not number[1]:
                by = number[0].get("", Fraction(0))
                if isinstance(node.op, ast.Mult):
                    return _times(by, other)
                if number is right:
                    return _times(1 / by, other)
    return {}, {Meeting(node, derived): Fraction(1)}


def _times(factor, parts):
    return tuple(facts.add((Fraction(factor), part)) for part in parts)
