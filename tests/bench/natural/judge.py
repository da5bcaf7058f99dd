"""Judges what `catmint discover` says of a modelled PMU: every definition, in natural programs. It reads results and the model's own
expressions, and shares no code with the program.

What results name excuses what a definition counts beside its metric, and never a part of the metric itself that it leaves out or counts too often, no kernel of
the machine having that part or not: the program knows what the metric means, and may say that it cannot be had there."""

import functools
import random
import re
from collections import Counter
from fractions import Fraction

import algebra
import elsewhere
import facts
import programs
from expressions import Expression, normal

# A definition is wrong in a class where its median deviation is larger.
WRONG = 0.15
# Programs in which a metric happens at least so often in 1,000 instructions judge its definitions, and so many of a class.
OFTEN = 1.0
FEWEST = 12
# Metrics that cost more cancellation than this are nobody's to find.
AMPLIFICATION = 10
# Nor are those whose coefficients are no simple fractions, of such numbers at most.
SIMPLE = 64
ORDERS = 12
# What `also_counts` says in words: these are among the `other` arithmetic, too.
OTHERS = ("fp_min_max", "fp_reciprocals", "fp_s_128_dpp", "fp_s_256_dpp", "fp_d_128_dpp", "fp_h_scalar_complex")


def meanings():
    """{(benchmark, metric): what it means}, of the tree."""
    found = {}
    for path in sorted((facts.TREE / "signatures").glob("*.csv")):
        for row in facts.read_table(path):
            found[path.stem, row["metric"]] = Expression(row["meaning"])
    return found


def events_of(model):
    return {row["event"]: Expression(row["expression"]) for row in facts.read_table(model / "events.csv")}


def absent(results):
    """What the kernels of these results could not execute: vectors of so many bits, half precision, fused multiply-adds."""
    dropped = {symbol for one in results["benchmarks"] for symbol in one.get("dropped_symbols", ())}
    symbols = {"256": "S_ADD_256", "512": "S_ADD_512", "half": "H_ADD_SCAL", "fma": "S_FMA_SCAL", **{width: f"S_ADD_{width.upper()}" for width in elsewhere.WIDTHS}}
    return [name for name, symbol in symbols.items() if symbol in dropped]


class Claim:
    """A definition that the program says measures a metric. `ranges`: where it says so, as `valid_above` has them."""

    def __init__(self, sort, key, terms, entry, inherited=None):
        inherited = inherited or {}
        self.sort, self.key, self.terms = sort, key, terms
        self.confounded = entry.get("confounded_with", inherited.get("confounded_with", ()))
        self.also = entry.get("also_counts", inherited.get("also_counts", ()))
        self.ranges = entry.get("valid_above") or []
        self.deviations = {}  # class: median deviation in its range, of what nothing excuses
        self.wrong, self.excused, self.wrong_anywhere, self.in_range = None, False, False, 1.0
        self.culprit = ""

    def text(self):
        return " + ".join(f"{coefficient:g} x {event}" for event, coefficient in self.terms).replace("+ -", "- ")


def _terms(entries):
    return [(entry["event"], entry["coefficient"]) for entry in entries]


def claims(results):
    """All that results claim: definitions, alternatives, definitions with fewer events, and equivalents of their terms."""
    for benchmark in results["benchmarks"]:
        for entry in benchmark["metrics"]:
            key = benchmark["benchmark"], entry["metric"]
            if entry["composable"] or entry.get("valid_above"):
                terms = _terms(entry["definition"])
                yield Claim("definition", key, terms, entry)
                for number, term in enumerate(entry["definition"]):
                    for other in term.get("equivalents", ()):
                        swapped = (other["event"], term["coefficient"] / other["factor"])
                        yield Claim("equivalent", key, terms[:number] + [swapped] + terms[number + 1:], entry)
            limited = entry.get("limited")
            for sort, found in [("alternative", one) for one in entry.get("alternatives", ())] + [("limited", limited)] * bool(limited):
                if found["composable"] or found.get("valid_above"):
                    yield Claim(sort, key, _terms(found["definition"]), found, entry)


@functools.cache
def _fact_words():
    """{words: facts} by which `also_counts` may name what it means."""
    found = {}
    for row in facts.read_table(facts.TREE / "bases/primitive-facts.csv"):
        found[row["words"]] = {row["fact"]}
    others = {name for name in programs.names() if re.fullmatch(r"fp_[hsd]_\w+_other", name)}
    for words, named in found.items():
        if named & set(OTHERS):
            found[words] = named | others
    return found


class Named:
    """What results name as not told apart: facts, and facts that meet."""

    def __init__(self, claim, derived):
        self.facts, self.pairs = set(), []
        known = programs.names()
        for text in claim.confounded or ():
            if re.match(r"events? ", text):  # another event that counts the same is no fact that this one counts beside
                continue
            what = text.split(", which ")[0]
            if " beside " in what:
                one, others = what.split(" beside ")
                self.pairs += [(set(normal({a: Fraction(1)}, derived)), set(normal({b: Fraction(1)}, derived)))
                               for a in one.split(", ") if a in known for b in others.split(", ") if b in known]
            else:
                self.facts |= set(re.findall(r"\w+", what)) & known
        words = _fact_words()
        for text in claim.also or ():
            self.facts |= words.get(text, set()) | (set(re.findall(r"\w+", text)) & known)
        if any(fact.startswith("prefetches_") for fact in self.facts):  # and with them all that prefetches by instruction do
            self.facts |= {fact for fact in known if "hint" in fact}
        self.facts |= {part for fact in self.facts for part in normal({fact: Fraction(1)}, derived)}

    def has(self, meeting):
        """Whether a part that is no sum is of what is named."""
        sets = list(meeting.facts.values())
        if any(one <= self.facts for one in sets):
            return True
        return any(a & one and b & other for a, b in self.pairs for one in sets for other in sets if one is not other)


def median(values):
    ordered, middle = sorted(values), len(values) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def is_simple(solution, vectors, target):
    """Whether a sum of vectors, {number: coefficient}, has simple coefficients and cancels little."""
    cost = sum(abs(float(c)) * algebra.norm(vectors[number]) for number, c in solution.items()) / algebra.norm(target)
    return cost <= AMPLIFICATION and all(abs(c.numerator) <= SIMPLE and c.denominator <= SIMPLE for c in solution.values())


class Verdict:
    """What came of one model: its claims, judged, and the metrics that its events define."""

    def __init__(self, results, model, count=programs.COUNT, seed=programs.SEED):
        self.machine = programs.Machine.read(model, absent(results))
        lacking = self.machine.absent
        self.derived = self.machine.derived()
        for name in programs.names():
            if "half" in lacking and name.startswith("fp_h_") or any(f"_{width}" in name for width in lacking):
                self.derived[name] = {}
        self.classes = programs.of(self.machine, count, seed)
        self.events, self.meanings = events_of(model), meanings()
        self._values = {}
        self._texts = {}
        self.claims = [claim for claim in claims(results) if claim.key in self.meanings]
        for claim in self.claims:
            self.judge(claim)
        measured = {(one["benchmark"], entry["metric"]) for one in results["benchmarks"] for entry in one["metrics"] if entry.get("measurable", True)}
        self.definable = self._definable(measured & set(self.meanings))
        right = {claim.key for claim in self.claims if claim.sort == "definition" and not claim.wrong}
        self.found = self.definable & right

    def columns(self, expression):
        """{class: the expression in each program}."""
        if expression.text not in self._values:
            self._values[expression.text] = {name: [expression.value(one) for one in made] for name, made in self.classes.items()}
        return self._values[expression.text]

    def _difference(self, claim):
        """What the definition counts less what its metric means: facts, and parts that are no sums, with their weights."""
        linear, meetings = {}, {}
        for event, coefficient in claim.terms:
            parts = self.events[event].parts(self.derived)
            linear, meetings = (facts.add(total, (Fraction(coefficient), part)) for total, part in zip((linear, meetings), parts))
        return facts.add(linear, (-1, self.meanings[claim.key].parts(self.derived)[0])), meetings

    def _in_range(self, claim, program):
        """Whether all that the definition says of where it holds is so in the program; a share of nothing always is."""
        return all(Expression(one["fact"]).value(program) >= one["share"] * Expression(one["per"]).value(program) for one in claim.ranges)

    def judge(self, claim):
        meant = self.columns(self.meanings[claim.key])
        terms = [(coefficient, self.columns(self.events[event])) for event, coefficient in claim.terms]
        often, within = 0, 0
        rest, unnamed = None, {}
        everywhere = {}
        for name, made in self.classes.items():
            asked = [number for number, wanted in enumerate(meant[name]) if wanted >= OFTEN]
            kept = [number for number in asked if self._in_range(claim, made[number])] if claim.ranges else asked
            often, within = often + len(asked), within + len(kept)
            errors = {number: sum(c * values[name][number] for c, values in terms) - meant[name][number] for number in asked}
            for numbers, found in ((asked, everywhere), (kept, claim.deviations)):
                if len(numbers) >= FEWEST:
                    found[name] = median([abs(errors[number]) / meant[name][number] for number in numbers])
            if claim.deviations.get(name, 0) > WRONG:
                rest = rest or self._rest(claim)
                unnamed[name] = self._unnamed(rest, name, kept, errors, meant[name])
        claim.in_range = within / often if often else 0.0
        claim.wrong_anywhere = any(value > WRONG for value in everywhere.values())
        claim.excused = any(value <= WRONG for value in unnamed.values())
        wrong = {name: claim.deviations[name] for name, value in unnamed.items() if value > WRONG}
        if wrong:
            claim.wrong = max(wrong, key=wrong.get)
            claim.excused = False
            claim.culprit = self._culprit(claim, claim.wrong)

    def _rest(self, claim):
        """The parts of the difference that results name and that are none of the metric's, as functions of a program."""
        named = Named(claim, self.derived)
        linear, meetings = self._difference(claim)
        own = self.meanings[claim.key].parts(self.derived)[0]
        return ([(fact, float(weight)) for fact, weight in linear.items() if fact in named.facts and fact not in own],
                [(meeting.expression, float(weight)) for meeting, weight in meetings.items() if named.has(meeting)])

    def _unnamed(self, rest, name, kept, errors, meant):
        """The class's deviation without what results name; as it is where they name nothing of it."""
        linear, meetings = rest
        made = self.classes[name]
        return median([abs(errors[number] - sum(weight * made[number][fact] for fact, weight in linear)
                           - sum(weight * expression.value(made[number]) for expression, weight in meetings)) / meant[number] for number in kept])

    def _culprit(self, claim, name):
        """The fact that has most of the deviation in the class, and how much of the metric."""
        linear, meetings = self._difference(claim)
        meant = self.columns(self.meanings[claim.key])[name]
        made = self.classes[name]
        asked = [number for number, wanted in enumerate(meant) if wanted >= OFTEN and self._in_range(claim, made[number])]
        found = {fact: median([float(weight) * made[number][fact] / meant[number] for number in asked]) for fact, weight in linear.items() if fact}
        found.update((meeting.text, median([float(weight) * meeting.expression.value(made[number]) / meant[number] for number in asked]))
                     for meeting, weight in meetings.items())
        worst = max(found, key=lambda fact: abs(found[fact]))
        return f"{worst} {100 * found[worst]:+.0f} %"

    def _definable(self, measured):
        """Metrics that some simple sum of events is exactly, in facts and whatever else the events count."""
        def vector(expression):
            linear, meetings = expression.parts(self.derived)
            return facts.add(linear, {meeting.text: weight for meeting, weight in meetings.items()})

        targets = {key: vector(self.meanings[key]) for key in sorted(measured)}
        vectors = [vector(expression) for expression in self.events.values()]
        rng, found = random.Random("orders"), set()
        for _ in range(ORDERS):
            order = rng.sample(range(len(vectors)), len(vectors))
            span = algebra.Span()
            for number in order:
                span.take(vectors[number])
            for key, target in targets.items():
                solution = span.solve(target) if target and key not in found else None
                if solution and is_simple(solution, [vectors[number] for number in order], target):
                    found.add(key)
        return found

    def counts(self):
        """Figures of a row of the table."""
        count = Counter()
        for claim in self.claims:
            for line in (claim.sort, *(["all"] if claim.sort in ("definition", "alternative") else [])):
                count[line] += 1
                count[line, "wrong"] += bool(claim.wrong)
                count[line, "ranged"] += bool(claim.ranges)
                count[line, "wrong in range"] += bool(claim.wrong and claim.ranges)
                count[line, "wrong without range"] += claim.wrong_anywhere
                count[line, "excused"] += claim.excused
                count[line, "share"] += claim.in_range if claim.ranges else 0
        count["definable"], count["found"] = len(self.definable), len(self.found)
        return count
