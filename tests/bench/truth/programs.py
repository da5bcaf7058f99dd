"""Random programs: single instructions of every class in free proportions, said as facts. They are no combinations of the kernels' loops,
which would only show what was fitted again."""

import math

# How often an instruction of a class is part of a program at all.
PRESENT = 0.7


class Programs:
    """COUNT programs: values of expressions over facts, in each of them."""

    def __init__(self, world, rng, count=200):
        made = [_program(rng, world.instructions) for _ in range(count)]
        for beside in (world.fetches, world.habits, world.system):  # after all, so that what instructions a program has does not depend on these
            for facts in made:
                _happens(facts, _program(rng, beside), 1)
        names = sorted({name for facts in made for name in facts})
        self.zeros = [0.0] * count
        self.columns = {name: [facts.get(name, 0.0) for facts in made] for name in names}

    def values(self, expression, pairs=()):
        """What the expression, and each pair (weight, fact, fact) by the lesser of its facts, is in each program."""
        total = list(self.zeros)
        for name, weight in expression.items():
            if name in self.columns:
                weight = float(weight)
                total = [sum_ + weight * fact for sum_, fact in zip(total, self.columns[name])]
        for weight, one, other in pairs:
            lesser = map(min, self.columns.get(one, self.zeros), self.columns.get(other, self.zeros))
            total = [sum_ + float(weight) * fact for sum_, fact in zip(total, lesser)]
        return total

    def always_lesser(self, one, other, kernels):
        """Of two facts, the one that no program and no kernel has more often than the other; None: neither."""
        pairs = [*zip(self.columns.get(one, self.zeros), self.columns.get(other, self.zeros)),
                 *((kernel.facts.get(one, 0), kernel.facts.get(other, 0)) for kernel in kernels)]
        if all(a <= b for a, b in pairs):
            return one
        return other if all(b <= a for a, b in pairs) else None


def _program(rng, instructions):
    """Facts of one program: classes in free proportions, and within each the instructions."""
    share = {kind: math.exp(rng.gauss(0, 1)) for kind in dict.fromkeys(kind for kind, _ in instructions)}
    weights = [math.exp(rng.gauss(0, 1.2)) if rng.random() < PRESENT else 0.0 for _ in instructions]
    total = dict.fromkeys(share, 1e-12)
    for (kind, _), weight in zip(instructions, weights):
        total[kind] += weight
    facts = {}
    for (kind, does), weight in zip(instructions, weights):
        if kind != "wrong" and weight:
            _happens(facts, does, weight * share[kind] / total[kind])
    # Wrong paths follow mispredictions: up to two branches each.
    wrong = facts.get("mispredicted_cond", 0.0) * rng.uniform(0, 2)
    for (kind, does), weight in zip(instructions, weights):
        if kind == "wrong" and weight:
            _happens(facts, does, wrong * weight / total[kind])
    return facts


def _happens(facts, does, often):
    for name, times in does.items():
        facts[name] = facts.get(name, 0.0) + float(times) * often


def median(values):
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def off(measured, meant):
    """The median over programs of |measured - meant| / |meant|, where something is meant; None where that is nowhere."""
    errors = [abs(value - wanted) / abs(wanted) for value, wanted in zip(measured, meant) if wanted]
    return median(errors) if errors else None
