"""What the program says that it cannot tell from a definition, and whether that is what makes the definition wrong. A note that names
nothing of the difference is no excuse."""

import re

from facts import primitive


class Named:
    """The facts, and the pairs of facts, that `confounded_with` names."""

    def __init__(self, texts):
        self.facts, self.pairs, self.beside = set(), [], set()
        for text in texts or ():
            if re.match(r"events? ", text):  # another event that counts the same is no fact that this one counts beside
                continue
            what, _, why = text.partition(", which no ")
            if " beside " in what:
                one, others = what.split(" beside ")
                if others == "others":  # whichever no kernel has beside it
                    self.beside.add(one)
                else:
                    self.pairs.append((one, others))
            elif re.fullmatch(r"\w+(, \w+)?", what):  # one, or two that no kernel distinguishes
                assert why or ", " not in what, text
                self.facts |= set(what.split(", "))
            else:
                assert text.startswith("anything that these kernels do alike"), text

    def of_facts(self, derived):
        """The primitive facts that are named."""
        return sorted({name for fact in self.facts for name in primitive({fact: 1}, derived)})

    def of_pairs(self, pairs):
        """Those of the pairs that are named."""
        named = {frozenset(pair) for pair in self.pairs}
        return [pair for pair in pairs if frozenset(pair[1:]) in named or self.beside & set(pair[1:])]


def _share(kernels, fact, other):
    """The most of a fact that a kernel may have beside another."""
    return max(((kernel.facts[fact] + kernel.ranges.get(fact, 0)) / kernel.facts[other]
                for kernel in kernels if kernel.facts.get(other) and fact in kernel.facts), default=0)


def _without(difference, fact, other, share):
    """The difference without the fact, and without what of the other goes with it, to the other side."""
    rest = dict(difference)
    size, weight = float(rest.get(other, 0)), float(rest.pop(fact))
    if size * weight < 0:
        rest[other] = (1 if size > 0 else -1) * max(0.0, abs(size) - abs(weight) * share)
    return rest


def unnamed(texts, pmu, difference, pairs, off):
    """The difference and the pairs that are left of a definition's without what the results name, and what they take for it; None: they name
    nothing of the difference. OFF: how far a definition is off its metric in programs by a difference and pairs."""
    named = Named(texts)
    facts = [fact for fact in named.of_facts(pmu.world.derived) if difference.get(fact)]
    meet = named.of_pairs(pairs)
    if not facts and not meet:
        return None
    pairs = [pair for pair in pairs if pair not in meet and not {*pair[1:]} & set(facts)]
    for fact in facts:
        ways = [_without(difference, fact, other, _share(pmu.world.kernels, fact, other)) for other in [*difference] if other != fact]
        difference = min(ways or [{}], key=lambda rest: off(rest, pairs))
    return difference, pairs
