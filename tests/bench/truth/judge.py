"""Judges what the program says of a PMU whose truth is known: every definition, in programs that were not used for fitting. It reads the program's
JSON and shares no code with it."""

import math
import random
from collections import Counter

import algebra
import excuse
import tables
from facts import TOLERANCE, add, parse, primitive, value
from programs import off

# A definition is wrong where it is off by more than so many tolerances; one with a range promises 10 %, whatever the benchmark tolerates.
WRONG = 1.5
PROMISED = 0.1
# Metrics that cost more cancellation than this are nobody's to find.
AMPLIFICATION = 10
ORDERS = 6
# Of a metric's smallest weight: what a kernel must count of it before its tolerance is of that.
FLOOR = 0.5
# Standard errors that a kernel's counts may be off.
ERRORS = 4
CLAIMS = ("definition", "alternative", "limited", "equivalent")


class Claim:
    """A definition that the program says measures a metric. `ranges`: where it says so, as `valid_above` has them."""

    def __init__(self, sort, metric, terms, confounded, ranges):
        self.sort, self.metric, self.terms, self.confounded, self.ranges = sort, metric, terms, confounded, ranges or ()
        self.off, self.wrong, self.truly = None, False, False


def _terms(entries):
    return [(entry["event"], entry["coefficient"]) for entry in entries]


def claims(metrics):
    """All that the metrics of a benchmark's results claim."""
    for entry in metrics:
        metric, confounded = entry["metric"], entry.get("confounded_with")
        if entry["composable"] or entry.get("valid_above"):
            terms, ranges = _terms(entry["definition"]), entry.get("valid_above")
            yield Claim("definition", metric, terms, confounded, ranges)
            for number, term in enumerate(entry["definition"]):
                for other in term.get("equivalents", ()):
                    swapped = (other["event"], term["coefficient"] / other["factor"])
                    yield Claim("equivalent", metric, terms[:number] + [swapped] + terms[number + 1:], confounded, ranges)
        limited = entry.get("limited")
        for sort, found in [("alternative", one) for one in entry.get("alternatives", ())] + [("limited", limited)] * bool(limited):
            if found["composable"] or found.get("valid_above"):
                yield Claim(sort, metric, _terms(found["definition"]), found.get("confounded_with", confounded), found.get("valid_above"))


class Verdict:
    """What came of one PMU: its claims, judged, and the metrics that its honest events define."""

    def __init__(self, pmu, metrics, programs):
        self.pmu, self.programs = pmu, programs
        self.events = {event.name: event for event in pmu.events}
        self.values = {}
        self.meant = {}
        self.claims = [claim for claim in claims(metrics) if claim.metric in pmu.meanings]
        for claim in self.claims:
            self._judge(claim)
        self.definable = definable(pmu)
        right = {claim.metric for claim in self.claims if claim.sort == "definition" and not claim.wrong and not (claim.ranges and claim.off is None)}
        self.found = {metric for metric in self.definable if metric in right}

    def _measured(self, name):
        if name not in self.values:
            event = self.events[name]
            self.values[name] = self.programs.values(event.facts, event.pairs)
        return self.values[name]

    def _meant(self, metric):
        if metric not in self.meant:
            self.meant[metric] = self.programs.values(self.pmu.meanings[metric])
        return self.meant[metric]

    def _judge(self, claim):
        total = list(self.programs.zeros)
        for name, coefficient in claim.terms:
            total = [sum_ + coefficient * count for sum_, count in zip(total, self._measured(name))]
        meant = self._meant(claim.metric)
        kept = [all(within) for within in zip(*(self._within(one) for one in claim.ranges))] if claim.ranges else [True] * len(meant)
        claim.off = off([value for value, there in zip(total, kept) if there], [wanted for wanted, there in zip(meant, kept) if there])
        claim.wrong = claim.off is not None and not claim.off <= WRONG * max(TOLERANCE[self.pmu.benchmark], PROMISED if claim.ranges else 0.0)
        named = self._named(claim) if claim.wrong else None
        claim.truly = named is not None and self._no_kernel_tells(claim, *named)

    def _within(self, one):
        """In each program, whether a range of `valid_above` holds there."""
        return [there >= one["share"] * beside for there, beside in zip(self._amount(one["fact"]), self._amount(one["per"]))]

    def _amount(self, words):
        """In each program: a sum of facts, or the lesser of two, min(a, b)."""
        parts = words[len("min("):-1].split(", ") if words.startswith("min(") else [words]
        return list(map(min, *[self.programs.values(primitive(parse(part), self.pmu.world.derived)) for part in parts + parts[-1:]]))

    def _named(self, claim):
        """What the results name of the difference, facts and pairs, if the definition would be right without it; else None."""
        used = [(c, self.events[name]) for name, c in claim.terms]
        pairs = [(c * weight, one, other) for c, event in used for weight, one, other in event.pairs]
        lesser = [self.programs.always_lesser(one, other, self.pmu.world.kernels) for _, one, other in pairs]
        alike = [(pair[0], {fact: 1}) for pair, fact in zip(pairs, lesser) if fact]
        pairs = [pair for pair, fact in zip(pairs, lesser) if not fact]
        difference = add(*((c, event.facts) for c, event in used), *alike, (-1, self.pmu.meanings[claim.metric]))
        meant = self._meant(claim.metric)

        def off_by(rest, meet):
            return off([value + wanted for value, wanted in zip(self.programs.values(rest, meet), meant)], meant)

        rest = excuse.unnamed(claim.confounded, self.pmu, difference, pairs, off_by)
        if rest is None or off_by(*rest) > WRONG * TOLERANCE[self.pmu.benchmark]:
            return None
        return add(difference, (-1, rest[0])), [pair for pair in pairs if pair not in rest[1]]

    def _no_kernel_tells(self, claim, facts, pairs):
        """Whether the definition reads its metric's meaning on each kernel that shows what is named, these facts and pairs, as this machine
        runs them, or is within its bounds where facts are known by bounds: then the program can only say that it is confounded. Kernels
        that do what is part of no meaning and of no program, as minima, are no judges."""
        meaning = self.pmu.meanings[claim.metric]
        tolerance, least = TOLERANCE[self.pmu.benchmark], FLOOR * min(abs(float(weight)) for weight in meaning.values())
        for kernel in self.pmu.world.kernels:
            if kernel.benchmark not in self.pmu.swept or any(name.endswith("_other") or name.startswith("fp_masked") for name in kernel.facts):  # of the others are no tables
                continue
            left = self._left_to_the_machine(kernel)
            wanted = sum(float(weight) * kernel.facts.get(name, 0.0) for name, weight in meaning.items())
            bound = sum(abs(float(weight)) * kernel.ranges.get(name, 0.0) for name, weight in meaning.items()) if left else 0.0
            counts = [(self.events[name], c * (self.events[name].per_iteration(kernel) + (self.events[name].of(left) if left else 0.0)))
                      for name, c in claim.terms]
            noise = math.sqrt(sum((event.noise * count) ** 2 + (c * self._chance(event, kernel)) ** 2 for (event, count), (_, c) in zip(counts, claim.terms))
                              / self.pmu.repetitions)
            limit = WRONG * tolerance * max(abs(wanted), least) + ERRORS * noise
            if abs(sum(count for _, count in counts) - wanted) - bound > limit and _of(facts, pairs, kernel) > limit:
                return False
        return True

    def _chance(self, event, kernel):
        """By how much, per iteration, a run of the kernel differs from another because coins fall otherwise."""
        return event.of(kernel.chances) / math.sqrt(tables.iterations(self.pmu, kernel))

    def _left_to_the_machine(self, kernel):
        """By how much facts that are known within bounds differ from their middle. Where kernels are run nobody says so."""
        if getattr(self.pmu, "live", True):
            return {}
        return {name: by * self.pmu.lean(name) for name, by in kernel.ranges.items()}

    def kinds(self, claim):
        """The kinds of events that the claim uses: lies, or honest ones alone."""
        found = {self.events[name].kind for name, coefficient in claim.terms if coefficient} - {"honest"}
        return found or {"honest"}


def _of(facts, pairs, kernel):
    """How much facts and pairs come to on a kernel at least."""
    known = value(facts, kernel.facts) + sum(float(weight) * min(kernel.facts.get(one, 0), kernel.facts.get(other, 0)) for weight, one, other in pairs)
    return abs(known) - value({name: abs(weight) for name, weight in facts.items()}, kernel.ranges)


def definable(pmu):
    """Metrics that are exact combinations of honest events with little noise, without much cancellation."""
    events = pmu.quiet()
    rng = random.Random(f"{pmu.seed}/orders")
    orders = [rng.sample(range(len(events)), len(events)) for _ in range(ORDERS)]
    signatures = {metric: signature for metric, signature in pmu.signatures.items() if signature}
    found = algebra.cheapest([event.symbols for event in events], signatures, orders)
    return {metric for metric, cost in found.items() if cost <= AMPLIFICATION}


class Tally:
    """Counts over many PMUs; tallies are added up."""

    def __init__(self):
        self.counts = Counter()
        self.worst = []  # wrong claims: (off, where, sort, metric, terms)
        self.failures = []  # runs that the program did not end well, in words

    def take(self, verdict, where):
        count, quiet = self.counts, verdict.pmu.noise <= 0
        count["tables"] += 1
        for claim in verdict.claims:
            lines = [claim.sort] + ([f"metric {claim.metric}"] if claim.sort == "definition" else [])
            if claim.sort != "equivalent":
                lines += ["all"] + [f"kind {kind}" for kind in verdict.kinds(claim)]
            excused = claim.wrong and claim.truly
            for line in lines:
                count[line, "claims"] += 1
                count[line, "confounded"] += excused
                count[line, "wrong"] += claim.wrong and not excused
            if claim.wrong and not excused:
                self.worst.append((claim.off, where, claim.sort, claim.metric, claim.terms))
        for metric in verdict.definable:
            for line in ("without noise" if quiet else "with noise", f"metric {metric}", "all metrics"):
                count[line, "definable"] += 1
                count[line, "found"] += metric in verdict.found

    def add(self, other):
        self.counts.update(other.counts)
        self.worst += other.worst
        self.failures += other.failures


def share(part, whole):
    return f"{part:,} of {whole:,} ({100 * part / whole:.1f} %)" if whole else "none"
