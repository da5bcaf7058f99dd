"""Random PMUs from a seed: events that are honest, and events that lie in one of many ways. What each counts is known in facts."""

import functools
import math
import random
import re
from fractions import Fraction

from algebra import Span
from facts import BENCHMARKS, PAPERS, TOLERANCE, add, primitive, value

SCALES = [Fraction(1, 64), Fraction(1, 16), Fraction(1, 8), Fraction(1, 4), Fraction(1, 2)] + [
    Fraction(n) for n in (2, 3, 4, 8, 16, 64, 1000, 100000)]
NUISANCES = """instructions integer loads stores load_bytes store_bytes simd_instructions nops fences calls returns branches_indirect
    branches_cond branches_uncond dtlb_load_miss mispredicted_indirect x87_instructions split_loads""".split()
# And where code and translations are what is measured: misses of data, and what it takes to have them.
BESIDE_FETCHES = "l1d_load_miss l2_load_miss l3_load_miss l1d_store_miss l3_store_miss l1d_written_back".split()
# And of machines with the habits of real ones: what prefetchers, prefetches by instruction and wrong paths do.
HABITS = "l1d_prefetch_miss l2_prefetch_miss l1d_hint_miss l1d_wrong_load_miss wrong_path_loads wrong_path_instructions".split()
# And of machines with a system: what handlers of interrupts do, walks that are waited for, loads of lines on their way, operations that are two.
SYSTEM = "kernel_instructions kernel_loads kernel_stores kernel_branches_cond interrupts load_walks_merged l1d_load_fill_hit micro_fused".split()
# What goes with a fact in events that count it as well.
WITH = {"instructions": "kernel_instructions", "loads": "kernel_loads", "stores": "kernel_stores", "branches_cond": "kernel_branches_cond",
        "load_walks": "load_walks_merged", "store_walks": "store_walks_merged", "l1d_load_hit": "l1d_load_fill_hit"}
# Instructions between interrupts, and of a handler; of its instructions, shares that are others (docs/reference/habits.md).
EVERY, HANDLER = (10_000, 50_000, 200_000), (64, 256, 1024)
OF_HANDLER = {"kernel_instructions": Fraction(1), "kernel_loads": Fraction(1, 4), "kernel_stores": Fraction(1, 8), "kernel_branches_cond": Fraction(1, 16)}
# Kinds of lies, and on which benchmarks each can be told; () is all.
LIES = {
    "overcount": (),  # all of it, by 2 to 20 %
    "symbol": (),  # one symbol, or one fact of it, by 2 to 20 %
    "part": ("cpu-flops",),  # a fact of a symbol is not counted, or twice
    "kernel": (),  # off on one kernel, and in no program
    "nuisance": (),  # another fact counts as well
    "impostor": (),  # another fact, and nothing else
    "offset": (),  # so much an iteration
    "pair": (),  # more where one fact meets another
    "path": ("branch",),  # wrong paths count as well
    "unequal": ("branch",),  # mispredictions taken and not taken count differently
}
NOISE = 0.05  # the largest


class Event:
    """What an event counts: facts, by exact weights; pairs of facts (weight, fact, fact), the lesser of both; and what disturbs it:
    relative noise, counts that interrupts add to a run, a constant a run, and a factor on one kernel."""

    def __init__(self, kind, facts, symbols=None):
        self.name, self.kind, self.facts, self.symbols = None, kind, facts, symbols
        self.said = None  # the facts as a model says them; None: as they are judged
        self.pairs, self.kernel = [], None
        self.noise, self.stray, self.overhead = 0.0, 0.0, 0

    @property
    def honest(self):
        return self.symbols is not None

    @functools.cached_property
    def weights(self):
        """The facts' weights as they are at first use, not exact."""
        return [(name, float(weight)) for name, weight in self.facts.items()]

    def of(self, facts):
        """What the event counts of such facts, pairs left out."""
        return sum(weight * facts[name] for name, weight in self.weights if name in facts)

    def per_iteration(self, kernel):
        facts, total = kernel.facts, self.of(kernel.facts)
        total += sum(float(weight) * min(facts.get(a, 0), facts.get(b, 0)) for weight, a, b in self.pairs)
        return total * self.kernel[1] if self.kernel and self.kernel[0] == kernel.name else total


class Pmu:
    """A benchmark's events, and what holds for all of them: how kernels are run, and what the machine does with what is left to it."""

    def __init__(self, world, benchmark, seed, live=False, neighbour=None, beside=False):
        self.world, self.benchmark, self.live, self.neighbour = world, benchmark, live, neighbour
        self.habits = live and random.Random(f"{seed}/habits").random() < 1 / 3
        self.seed, self.rng = seed, random.Random(f"{seed}")
        self.interrupts = self._interrupts(random.Random(f"{seed}/system")) if live else None
        # Whose kernels take part: of a live model the others are controls enough.
        self.swept = (benchmark, *(other for other in PAPERS if other != benchmark)) if live else BENCHMARKS
        self.symbols, self.meanings = world.symbols[benchmark], world.meanings[benchmark]
        self.signatures = _signatures(self.symbols, self.meanings)
        payload = {name for signature in self.signatures.values() for name in signature}
        self.payload = [name for name in self.symbols if name in payload]
        self.facts = set().union(*(self.symbols[name] for name in self.payload))
        nuisances = NUISANCES + (BESIDE_FETCHES if benchmark in ("icache", "tlb") else []) + (HABITS if self.habits else [])
        nuisances += SYSTEM if self.interrupts else []
        self.nuisances = [name for name in nuisances if not self._known(name) and (not live or name != "integer")]
        self.events = self._honest()
        self.events += self._lies()
        self.events += self._beside() if beside else []
        self.events += self._of_system(random.Random(f"{seed}/events of a system")) if self.interrupts else []
        self.rng.shuffle(self.events)
        for number, event in enumerate(self.events):
            event.name = f"E{number:02}_{event.kind}"
            event.said, event.facts = event.facts, primitive(event.facts, self._kernel_rates())
        self._surroundings()

    @staticmethod
    def _interrupts(rng):
        """Of a third: the instructions from one interrupt to the next, and of a handler."""
        return (rng.choice(EVERY), rng.choice(HANDLER)) if rng.random() < 1 / 3 else None

    def _kernel_rates(self):
        """What the kernel does for each instruction of a program, on this machine."""
        if not self.interrupts:
            return {}
        every, handler = self.interrupts
        rates = {"interrupts": Fraction(1, every), **{name: share * handler / every for name, share in OF_HANDLER.items()}}
        return {name: {"instructions": rate} for name, rate in rates.items()}

    def _known(self, name):
        """Whether a fact is what the benchmark measures."""
        return bool(set(self._primitive(name)) & self.facts)

    def _primitive(self, name):
        return self.world.derived.get(name, {name: Fraction(1)})

    # ---- honest events ----

    def _honest(self):
        rng = self.rng
        count = rng.randint(2, 7) if self.benchmark != "cpu-flops" else rng.randint(2, 8)
        events = [self._template() for _ in range(count)]
        if self.benchmark == "cpu-flops":
            for first in dict.fromkeys(name.split("_")[0] for name in self.payload):
                if rng.random() < 0.5:
                    events += [{name: Fraction(1)} for name in self.payload if name.split("_")[0] == first]
        made = [Event("honest", self._facts_of(symbols), symbols) for symbols in map(self._scaled, events)]
        if rng.random() < 0.2:  # as some vendors count minima, maxima and estimates, which no metric and no program has
            for event in made:
                event.facts = add(event.facts, {name[:-3] + "other": weight for name, weight in event.facts.items()
                                                if name.startswith("fp_") and name.endswith("_add")})
        for event in made if self.interrupts and random.Random(f"{self.seed}/masks").random() < 0.5 else ():
            event.facts = add(event.facts, _masked(event.facts))
        for event in list(made):
            if rng.random() < 0.08:
                factor = rng.choice(SCALES) if rng.random() < 0.5 else Fraction(1)
                made.append(Event("honest", add((factor, event.facts)), add((factor, event.symbols))))
        return made

    def _facts_of(self, symbols):
        return add(*((weight, self.symbols[name]) for name, weight in symbols.items()))

    def _scaled(self, symbols):
        return add((self.rng.choice(SCALES), symbols)) if self.rng.random() < 0.25 else symbols

    def _template(self):
        """A symbol, a metric, a part of one, a sum or a difference of symbols, none of which can be negative."""
        rng, pick = self.rng, self.rng.random()
        if pick < 0.35:
            return {rng.choice(self.payload): Fraction(1)}
        if pick < 0.8:
            signature = self.signatures[rng.choice(list(self.signatures))]
            return dict(signature) if pick < 0.55 else self._part_of(signature)
        if pick < 0.95 or self.benchmark == "cpu-flops":
            names = rng.sample(self.payload, min(rng.randint(2, 3), len(self.payload)))
            return {name: Fraction(rng.choice((1, 1, 1, 2, 3))) for name in names}
        one, other = rng.sample(self.payload, 2)
        facts = add(self.symbols[one], (-1, self.symbols[other]))
        negative = any(value(facts, does) < 0 for _, does in (*self.world.instructions, *self.world.fetches))
        return {one: Fraction(1)} if negative else {one: Fraction(1), other: Fraction(-1)}

    def _part_of(self, signature):
        """Symbols whose names have a word in common; or some of them."""
        if min(signature.values()) < 0:
            return dict(signature)
        words = sorted({word for name in signature for word in name.split("_")})
        word = self.rng.choice(words)
        part = {name: weight for name, weight in signature.items() if word in name.split("_")}
        if len(part) == len(signature) and len(part) > 1:
            part = {name: signature[name] for name in self.rng.sample(sorted(signature), len(signature) // 2)}
        return part

    # ---- lies ----

    def _lies(self):
        kinds = [kind for kind, where in LIES.items() if not where or self.benchmark in where]
        if self.live:
            kinds = [kind for kind in kinds if kind not in ("kernel", "offset")]
        made = []
        for _ in range(self.rng.choice((0, 0, 1, 1, 2, 3, 4, 6))):
            kind = self.rng.choice(kinds)
            symbols = self._victim()
            event = Event(kind, self._facts_of(symbols))
            getattr(self, "_" + kind)(event, symbols)
            made.append(event)
        return made

    def _victim(self):
        """What a lie is made of: an honest event that it stands for, a metric, or an event of its own."""
        pick = self.rng.random()
        if pick < 0.4 and len(self.events) > 1:
            return self.events.pop(self.rng.randrange(len(self.events))).symbols
        if pick < 0.7:
            return dict(self.signatures[self.rng.choice(list(self.signatures))])
        return self._scaled(self._template())

    def _over(self):
        return Fraction(self.rng.randint(20, 200), 1000)

    def _overcount(self, event, _symbols):
        event.facts = add((1 + self._over(), event.facts))

    def _symbol(self, event, symbols):
        if len(symbols) == 1:
            symbols = dict(self.signatures[self.rng.choice(list(self.signatures))])
        name = self.rng.choice(sorted(symbols))
        facts = self.symbols[name]
        if min(facts.values()) > 0 and self.rng.random() < 0.3:  # of a difference, no event can count a part more
            facts = {fact: weight for fact, weight in facts.items() if fact == self.rng.choice(sorted(facts))} or facts
        event.facts = add(self._facts_of(symbols), (self._over() * abs(symbols[name]), facts))

    def _part(self, event, _symbols):
        fact = self.rng.choice(sorted(event.facts))
        change = self.rng.choice((-1, 1)) if len(event.facts) > 1 else 1
        event.facts = add(event.facts, (change * event.facts[fact], {fact: Fraction(1)}))

    def _kernel(self, event, _symbols):
        counts = [kernel.name for kernel in self.world.of(self.benchmark, "basis") if value(event.facts, kernel.exact)]
        event.kernel = (self.rng.choice(counts), 1 + float(self._over()))

    def _nuisance(self, event, _symbols):
        weight = self.rng.choice([Fraction(1, 64), Fraction(1, 50), Fraction(1, 20), Fraction(1, 8), Fraction(1, 2), Fraction(1)])
        weight *= max(abs(w) for w in event.facts.values())
        event.facts = add(event.facts, (weight, self._primitive(self.rng.choice(self.nuisances))))

    def _impostor(self, event, _symbols):
        event.facts = self._scaled(self._primitive(self.rng.choice(self.nuisances)))

    def _offset(self, event, _symbols):
        event.facts = add(event.facts, (self.rng.choice((Fraction(1, 50), Fraction(1, 2), 1, 2)), {"turns": Fraction(1)}))

    def _pair(self, event, _symbols):
        one, other = self.rng.choice(sorted(self.facts)), self.rng.choice(sorted(event.facts))
        if self.benchmark == "cpu-flops" and other.endswith("_mul"):
            one = other[:-3] + "add"
        event.pairs = [(self._over() * abs(event.facts[other]), one, other)]

    def _path(self, event, _symbols):
        executed, retired = self.rng.choice((("cond_executed", "branches_cond"), ("cond_executed_taken", "branches_cond_taken"),
                                             ("uncond_executed", "branches_uncond")))
        weight = self.rng.choice((Fraction(1), Fraction(1, 2), self._over()))
        event.facts = add(event.facts, (weight, {executed: Fraction(1), retired: Fraction(-1)}))

    def _unequal(self, event, _symbols):
        over = self.rng.choice((-1, 1)) * self._over()
        symbols = {"M": Fraction(1)} if self.rng.random() < 0.6 else {"CR": Fraction(1), "M": Fraction(-1)}
        event.facts = add(self._facts_of(symbols), (over, {"mispredicted_cond_taken": Fraction(1)}))

    # ---- events that count on controls alone ----

    def _beside(self):
        """Events that are a metric and, as well, what no kernel of the benchmark does; and events that count such things alone, not always
        the same, nor as much of them: some of these cancel, some seem to."""
        rng = random.Random(f"{self.seed}/beside")
        fitted = [kernel for kernel in self.world.of(self.benchmark, "basis") if not kernel.name.startswith("empty")]
        facts = [name for name in (*NUISANCES, *BESIDE_FETCHES) if not self._known(name)
                 and not any(value(self._primitive(name), kernel.exact) for kernel in fitted)]
        made = []
        for name in rng.sample(facts, min(len(facts), rng.randint(1, 3))):
            for _ in range(rng.randint(1, 2)):
                event = Event("nuisance", self._facts_of(dict(self.signatures[rng.choice(list(self.signatures))])))
                event.facts = add(event.facts, (rng.choice((Fraction(1), Fraction(1, 2), Fraction(2))), self._primitive(name)))
                made.append(event)
            for _ in range(rng.randint(1, 2)):
                over = Fraction(rng.choice((0, 0, rng.randint(20, 200))), 1000)
                more = self._primitive(rng.choice(facts)) if rng.random() < 0.3 else {}
                made.append(Event("impostor", add((1 + over, self._primitive(name)), (rng.choice((Fraction(1), Fraction(1, 20))), more))))
        return made

    def _of_system(self, rng):
        """Events that count what the system does as well, as those without :u do, and walks and lines that an access waits for."""
        made = []
        for _ in range(rng.randint(1, 3)):
            if rng.random() < 0.4 and len(self.events) > 1:
                symbols = self.events.pop(rng.randrange(len(self.events))).symbols or {}
            else:
                symbols = {}
            event = Event("nuisance", self._facts_of(symbols or self.signatures[rng.choice(list(self.signatures))]))
            beside = [name for fact, name in WITH.items() if set(self._primitive(fact)) <= set(event.facts)]
            event.facts = add(event.facts, {rng.choice(beside or SYSTEM): max(map(abs, event.facts.values()))})
            made.append(event)
        return made

    # ---- surroundings ----

    def _surroundings(self):
        """Noise of 0 to 5 %, stray counts, overheads; and what the machine does with predictors and caches."""
        rng = self.rng
        self.repetitions = rng.choice((3, 5, 5, 7))
        self.few = rng.random() < 0.3  # iterations, as under the software PMU
        self.noise = 0.0 if rng.random() < 0.4 else 10 ** rng.uniform(-6, math.log10(NOISE))
        self.interference = 0.0 if rng.random() < 0.3 else rng.uniform(0.001, 0.008)
        self.bursts = self.neighbour is not None
        if self.bursts:
            self.repetitions, self.interference = 15, self.neighbour
        self.leaning = {}
        self.avoided = rng.choice(self.events) if rng.random() < 0.15 else None
        self.only = self._only()
        stray, overhead = rng.random() < 0.25, rng.random() < 0.3
        if self.live:  # counts are what the kernels do
            self.noise, stray = 0.0, False
        for event in self.events:
            if self.noise and rng.random() < 0.7:
                event.noise = min(self.noise * math.exp(0.5 * rng.gauss(0, 1)), NOISE)
            if stray and rng.random() < 0.5:
                event.stray = rng.uniform(0.1, 3)
            if overhead and rng.random() < 0.5:
                event.overhead = rng.choice((1, 3, 12, 60, 200))

    def _only(self):
        """Now and then, the events that the program is to use alone: most of them. None: all."""
        rng = random.Random(f"{self.seed}/only")
        if self.avoided or rng.random() > 0.15:
            return None
        return rng.sample(self.events, max(1, 2 * len(self.events) // 3))

    def lose(self, names):
        """Symbols that this machine cannot execute: no program has what they are."""
        gone = set().union(*(self.symbols[name] for name in names))
        for event in self.events:
            event.facts = _without(event.facts, gone)
            event.__dict__.pop("weights", None)
            event.symbols = event.symbols and _without(event.symbols, names)
            event.pairs = [pair for pair in event.pairs if not gone & set(pair[1:])]
        self.meanings = {metric: _without(meaning, gone) for metric, meaning in self.meanings.items()}
        self.signatures = {metric: _still_meant(signature, names) for metric, signature in self.signatures.items()}

    def lean(self, fact):
        """-1 to 1: to which side of its range the machine brings a fact. One level serves an access: what one has more the next has less."""
        exchanged = re.fullmatch(r"(l1i|l1d|l3)_(load|store|fetch)_(hit|miss)", fact)
        if exchanged and (exchanged[1] == "l3" or exchanged[3] == "hit"):
            return (1 if exchanged[3] == "miss" else -1) * self.lean(f"l2_{exchanged[2]}_hit")
        if fact not in self.leaning:
            self.leaning[fact] = random.Random(f"{self.seed}/lean/{fact}").uniform(-1, 1)
        return self.leaning[fact]

    def quiet(self):
        """Honest events that may be used, and whose noise is up to a tenth of the tolerance."""
        return [event for event in self.events if event.honest and event.symbols and event.noise <= TOLERANCE[self.benchmark] / 10
                and event is not self.avoided and (self.only is None or event in self.only)]


def _masked(facts):
    """What an event counts less that leaves masked lanes out of operations of 512 bits, whatever kind: no program has such lanes."""
    found = {}
    for precision, lanes in (("h", 32), ("s", 16), ("d", 8)):
        for last, kinds in (("", ("add", "sub", "mul", "div", "sqrt")), ("_fma", ("fma",))):
            weights = {facts.get(f"fp_{precision}_512_{kind}") for kind in kinds}
            if len(weights) == 1 and weights != {None}:
                found[f"fp_masked_{precision}{last}"] = -weights.pop() / lanes
    return found


def _without(expression, names):
    return {name: weight for name, weight in expression.items() if name not in names}


def _precisions(signature):
    return {name[:2] for name in signature if name[1:2] == "_"}


def _still_meant(signature, names):
    """Nothing where a whole precision is gone: whether a definition counts that cannot be seen here."""
    left = _without(signature, names)
    return left if _precisions(left) == _precisions(signature) else {}


def _signatures(symbols, meanings):
    """Each meaning as a combination of symbols, where it is one."""
    span, names, found = Span(), list(symbols), {}
    for name in names:
        span.take(symbols[name])
    for metric, meaning in meanings.items():
        solution = span.solve(meaning)
        if solution is not None:
            found[metric] = {names[number]: weight for number, weight in solution.items()}
    return found
