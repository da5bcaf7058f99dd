"""Exact linear algebra over sparse vectors of fractions: what is a combination of what, and how."""

import math
from fractions import Fraction

from facts import add


class Span:
    """The span of vectors, in echelon form: {pivot: (row, how the row is made of the vectors taken)}."""

    def __init__(self):
        self.rows, self.count = {}, 0

    def _reduce(self, vector, made):
        """What is left of the vector, and of what it is made, where the rows are taken off."""
        for pivot in sorted(set(vector) & set(self.rows)):
            if pivot in vector:
                row, parts = self.rows[pivot]
                factor = -vector[pivot]
                vector, made = add(vector, (factor, row)), add(made, (factor, parts))
        # A row may bring in pivots of other rows.
        return self._reduce(vector, made) if set(vector) & set(self.rows) else (vector, made)

    def take(self, vector):
        """Takes a vector in; whether it is no combination of those before it. Vectors are numbered from 0."""
        rest, made = self._reduce(dict(vector), {self.count: Fraction(1)})
        self.count += 1
        if not rest:
            return False
        pivot = min(rest)
        scale = 1 / Fraction(rest[pivot])
        rest, made = add((scale, rest)), add((scale, made))
        for name, (row, parts) in self.rows.items():
            if pivot in row:
                self.rows[name] = add(row, (-row[pivot], rest)), add(parts, (-row[pivot], made))
        self.rows[pivot] = rest, made
        return True

    def solve(self, vector):
        """{number of a vector: coefficient} whose combination the vector is; None where there is none."""
        rest, made = self._reduce(dict(vector), {})
        return None if rest else add((-1, made))


def norm(vector):
    return math.sqrt(sum(float(weight) ** 2 for weight in vector.values()))


def multiple(vector, other):
    """By how much the vector is a multiple of the other; None where it is none."""
    if set(vector) != set(other):
        return None
    ratios = {Fraction(vector[name]) / other[name] for name in vector}
    return ratios.pop() if len(ratios) == 1 else None


def cheapest(vectors, targets, orders):
    """For each target the smallest amplification (sum of |c| norm(x) / norm(target)) of an exact combination that is found: a single
    vector, else the basic solutions of the given orders. Infinite where the target is no combination."""
    found = {name: math.inf for name in targets}
    for name, target in targets.items():
        if any(multiple(target, vector) is not None for vector in vectors):
            found[name] = 1.0
    for order in orders:
        span = Span()
        for number in order:
            span.take(vectors[number])
        for name, target in targets.items():
            solution = span.solve(target) if found[name] > 1 else None
            if solution is not None:
                cost = sum(abs(float(c)) * norm(vectors[order[i]]) for i, c in solution.items()) / norm(target)
                found[name] = min(found[name], cost)
    return found
