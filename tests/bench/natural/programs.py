"""Natural programs: made of single instructions, each with all that it does, at the rates that classes.csv has for real software.

What a program does is a sum of such blocks: a load has a width, a level that answers it, a page that is there or not, and may cross a line,
all at once. So hits and misses add up, bytes follow from widths, and what meets in real software meets here."""

import functools
import math
import pathlib
import random
import re
from collections import defaultdict

import elsewhere
import facts
import habits

HERE = pathlib.Path(__file__).resolve().parent
BASES = ("default", "habits", "elsewhere")  # classes of classes.csv that others take their rates from
COUNT = 200
SEED = 1
WIDTHS = (1, 2, 4, 8, 10, 16, 32, 64)
OPERATIONS = ("add", "sub", "mul", "fma", "div", "sqrt", "other")
VECTOR_INTEGERS = {"add": 25, "sub": 8, "mul": 8, "logic": 22, "shift": 8, "compare": 8, "shuffle": 21}
FP = [f"fp_{precision}_{width}" for precision in "sd" for width in ("scalar", "128", "256", "512")]
# Shares of half precision by width; of the rates that are instructions of 1,000.
HALF = {"scalar": 0.3, "128": 0.3, "256": 0.2, "512": 0.2}
LEVELS = ("l1d", "l2", "l3", "memory")
# Where the rest of 1,000 instructions are integers, at least so many are.
FEWEST_INTEGERS = 60
# Facts that are sums of others, beside truth/data/derived-facts.csv.
SUMS = {f"fp_{p}_{w}": " + ".join(f"fp_{p}_{w}_{o}" for o in OPERATIONS if o != "fma")
        for p in "hsd" for w in ("scalar", "128", "256", "512", *elsewhere.WIDTHS)}
SUMS.update({"l1d_wrong_load_miss": "l2_wrong_load_hit + l2_wrong_load_miss", "l2_wrong_load_miss": "l3_wrong_load_hit + l3_wrong_load_miss",
             "l1i_wrong_fetch_miss": "l2_wrong_fetch_hit + l2_wrong_fetch_miss", "l2_wrong_fetch_miss": "l3_wrong_fetch_hit + l3_wrong_fetch_miss"})
# The fact that says which architectures have what a rate is of.
_EVIDENCE = {"string": "string_instructions", "nt": "nt_stores", "aes": "aes_instructions", "crc": "crc_instructions",
             "x87": "x87_instructions", "mmx": "mmx_instructions", **{f"prefetch_{one}": f"prefetches_{one}" for one in ("nta", "t0", "t1_t2", "w")},
             **{f"int_{width}": f"int_{width}_add" for width in ("128", "256", "512")}, **{name: f"{name}_add" for name in FP}}


# Facts that processors have whose kernels do not show them.
_ELSEWHERE_TOO = re.compile(r"updates|locked_loads|[id]tlb_|(wrong_)?(fetch|load|store)_walks|(loads|stores)_\d")


@functools.cache
def lacking(architecture):
    """Facts of instructions that processors of the architecture have not; TLBs, widths and atomics they have, whatever their kernels show."""
    return frozenset(row["fact"] for row in facts.read_table(facts.TREE / "bases/primitive-facts.csv") if row["fact"].startswith("gpu_")
                     or row["architecture"] and architecture not in row["architecture"].split() and not _ELSEWHERE_TOO.match(row["fact"]))


class Machine:
    """What a model's machine has of the levels that facts speak of, and what the kernels on it could execute."""

    def __init__(self, keys, absent=()):
        self.levels = 3 if float(keys.get("l3_size", 0)) else 2 if float(keys.get("l2_size", 0)) else 1
        self.second_tlb = bool(float(keys.get("stlb_entries", 0)))
        self.fetches = bool(float(keys.get("l1i_size", 0)))
        self.code_pages = bool(float(keys.get("itlb_entries", 0)))
        self.huge = bool(float(keys.get("huge_page_size", 0)))
        self.prefetches, self.prefetches_l2 = (any(float(keys.get(f"{level}_prefetch_{one}", 0)) for one in ("ahead", "next")) for level in ("l1d", "l2"))
        self.hints = bool(float(keys.get("prefetch_instructions", 0)))
        self.wrong_paths = bool(float(keys.get("wrong_path_accesses", 0)))
        self.wrong_fetches = bool(float(keys.get("wrong_path_fetches", 0)))
        self.forwards = bool(float(keys.get("store_forwarding", 0)))
        self.tables = bool(float(keys.get("walk_cache_entries", 0)))
        self.fuses = bool(float(keys.get("macro_fusion", 0)))
        self.operates = bool(float(keys.get("operations", 0)))
        self.combines = bool(float(keys.get("combining_buffers", 0)))
        self.fills = bool(float(keys.get("fill_accesses", 0)))
        self.merges = bool(float(keys.get("walk_accesses", 0)))
        self.splits = float(keys.get("operations", 0)) == 1
        every = float(keys.get("interrupt_every", 0))  # interrupts for each instruction, instructions of a handler
        self.interrupted = (1 / every, float(keys.get("interrupt_instructions", 0))) if every else None
        self.architecture = keys.get("architecture", "x86_64")
        here = self.architecture == "x86_64"  # elsewhere vectors of a fixed length have 128 bits
        self.absent = frozenset(absent) | frozenset(() if here else ("256", "512"))  # of the widths but "scalar" and "128", "half" and "fma"
        self.key = (self.levels, self.second_tlb, self.fetches, self.code_pages, self.huge, self.prefetches, self.prefetches_l2, self.hints, self.wrong_paths,
                    self.wrong_fetches, self.forwards, self.tables, self.architecture, self.fuses, self.operates, self.combines, self.fills, self.merges,
                    self.splits, self.interrupted, self.absent)

    @classmethod
    def read(cls, folder, absent=()):
        return cls({row["key"]: row["value"] for row in facts.read_table(pathlib.Path(folder) / "machine.csv") if row["key"] not in ("conflict", "fixed")}, absent)

    def derived(self):
        """Facts as sums of others, on this machine: what comes to a level that is not there misses it, what a machine lacks is nothing."""
        found = {row["fact"]: facts.parse(row["expression"]) for row in facts.read_table(facts.DATA / "derived-facts.csv")}
        found.update((name, facts.parse(text)) for name, text in SUMS.items())
        for kind in ("load", "store", "fetch"):
            for level in range(self.levels + 1, 4):
                found[f"l{level}_{kind}_hit"] = {}
            if not self.second_tlb:
                found[f"{kind}_walks"] = {"itlb_miss" if kind == "fetch" else f"dtlb_{kind}_miss": 1}
                found[f"{kind}_walks_huge"] = {f"dtlb_{kind}_miss_huge": 1}
                found[f"wrong_{kind}_walks"] = {"itlb_wrong_fetch_miss" if kind == "fetch" else f"dtlb_wrong_{kind}_miss": 1}
        if not self.second_tlb:
            found["hint_walks"] = {"dtlb_hint_miss": 1}
        for level in range(self.levels + 1, 4):
            found[f"l{level}_written_back"] = {f"l{level - 1}_written_back" if level > 2 else "l1d_written_back": 1}
        gone = [f"{name}_huge" for name in ("dtlb_load_miss", "dtlb_store_miss", "load_walks", "store_walks")] if not self.huge else []
        gone += ["l1i_fetch_hit", "l2_fetch_hit", "l3_fetch_hit", "l3_fetch_miss"] if not self.fetches else []
        gone += ["itlb_miss", "fetch_walks"] if not self.code_pages else []
        found.update((name, {}) for name in (*gone, *lacking(self.architecture)))
        return found


@functools.cache
def _rows():
    """{class: {rate: (low, high, scale)}} of the file. ValueError for a rate that no base class has, which nothing would draw."""
    found = {}
    for row in facts.read_table(HERE / "classes.csv"):
        found.setdefault(row["class"], {})[row["rate"]] = float(row["low"]), float(row["high"]), row["scale"]
    based = set().union(*(found[base] for base in BASES))
    lost = sorted(f"{rate} of class {name}" for name, rates in found.items() for rate in rates.keys() - based)
    if lost:
        raise ValueError(f"classes.csv: none of the classes {', '.join(BASES)} has {', '.join(lost)}")
    return found


@functools.cache
def classes(base="default"):
    """{class: {rate: (low, high, scale)}}, the rates of that base class, each as the class has it or else the base."""
    default = _rows()[base]
    return {name: {rate: own.get(rate, how) for rate, how in default.items()} for name, own in _rows().items() if name not in BASES}


def _draw(rng, low, high, scale):
    return math.exp(rng.uniform(math.log(low), math.log(high))) if scale == "log" else rng.uniform(low, high)


def _shared(weights):
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}


class _Writer:
    """Adds blocks up."""

    def __init__(self, rng, machine, rates):
        self.rng, self.machine, self.rates = rng, machine, rates
        self.facts = defaultdict(float)

    def add(self, often, **does):
        for name, times in does.items():
            self.facts[name] += often * times

    def levels(self, kind):
        """The share of accesses that each level answers."""
        first, second, third = (self.rates[name] for name in (("l1_miss", "l2_miss", "l3_miss") if kind == "load"
                                                              else ("l1_store_miss", "l2_store_miss", "l3_store_miss")))
        second = second if self.machine.levels > 1 else 1
        third = third if self.machine.levels > 2 else 1
        return dict(zip(LEVELS, (1 - first, first * (1 - second), first * second * (1 - third), first * second * third)))

    def pages(self, kind):
        """{(miss, walk, huge): share} of accesses, by what becomes of their page."""
        miss, walk = (self.rates[name] for name in (("dtlb", "walk") if kind == "load" else ("store_dtlb", "store_walk")))
        walk = walk if self.machine.second_tlb else 1
        huge = self.rates["huge"] if self.machine.huge else 0
        return {(0, 0, 0): 1 - miss, (1, 0, 0): miss * (1 - walk) * (1 - huge), (1, 1, 0): miss * walk * (1 - huge),
                (1, 0, 1): miss * (1 - walk) * huge, (1, 1, 1): miss * walk * huge}

    def widths(self):
        return _shared({width: self.rates[f"w{width}"] for width in WIDTHS if width != 64 or "512" not in self.machine.absent})

    def accesses(self, kind, often):
        """All loads or stores but those of calls, strings and locks: every width, level and page, across a line or not."""
        levels, pages, splits = self.levels(kind), self.pages(kind), self.rates["split" if kind == "load" else "split_store"]
        walking = sum(share for (_, walk, _), share in pages.items() if walk)
        missing = 1 - levels["l1d"]
        # Accesses that walk miss oftener than others; all together miss as often as the class has it.
        of_walks = min(self.rates["walk_misses"], missing / walking) if walking else 0
        of_others = (missing - walking * of_walks) / (1 - walking)
        wide = sum(share * width for width, share in self.widths().items() if width > 1)
        for width, share in self.widths().items():
            across = splits * width / wide if width > 1 else 0
            for (miss, walk, huge), page in pages.items():
                gone = of_walks if walk else of_others
                for level, answers in levels.items():
                    answers = 1 - gone if level == "l1d" else answers / missing * gone if missing else 0
                    for crosses, part in ((1, across), (0, 1 - across)):
                        rate = often * share * page * answers * part
                        if rate:
                            self.access(kind, rate, width, level, miss, walk, huge, crosses)

    def access(self, kind, often, width, level="l1d", miss=0, walk=0, huge=0, crosses=0):
        """One access of that width; by far most blocks are such, so it is written for speed."""
        found = self.facts
        found[f"l3_{kind}_miss" if level == "memory" else f"{level}_{kind}_hit"] += often
        found[f"{kind}s_{width}"] += often
        found[f"{kind}_bytes"] += often * width
        if crosses:
            found[f"split_{kind}s"] += often
        if miss:
            found[f"dtlb_{kind}_miss"] += often
            found[f"{kind}_walks"] += often * walk
            found[f"dtlb_{kind}_miss_huge"] += often * huge
            found[f"{kind}_walks_huge"] += often * walk * huge


def _memory(out, often):
    """Loads and stores; operands of other instructions are no instructions, and vectors are moved by instructions on vectors."""
    rates = out.rates
    alone = often["load"] * (1 - rates["fused"])
    vectors = sum(share for width, share in out.widths().items() if width >= 16)
    x87 = out.widths()[10]
    for rate in (alone, often["store"]):
        out.add(rate, instructions=1, simd_instructions=vectors, x87_instructions=x87)
    repeats = often["string"] * rates["repeats"]
    out.accesses("load", often["load"] + 0.6 * repeats)  # copies; the others fill
    out.accesses("store", often["store"] + repeats)
    out.add(often["update"], instructions=1, int_scalar_add=1, updates=1)
    for kind in ("load", "store"):
        out.access(kind, often["update"], 4)
    for level, share in (("l1d", 1 - rates["lock_miss"]), ("l3" if out.machine.levels > 2 else "memory", rates["lock_miss"])):
        out.access("load", often["lock"] * share, 8, level)
    out.access("store", often["lock"], 8)
    out.add(often["lock"], instructions=1, locked_loads=1, updates=1, int_scalar_add=0.5, int_scalar_compare=0.4)
    out.add(often["string"], instructions=1, string_instructions=1)
    for width, share in ((8, 0.3), (16, 0.4), (32, 0.2), (64, 0.1)):
        width = 32 if width == 64 and "512" in out.machine.absent else width
        out.add(often["nt"] * share, instructions=1, nt_stores=1, store_bytes=width, simd_instructions=width > 8, **{f"stores_{width}": 1})
    for name in ("nta", "t0", "t1_t2", "w"):
        out.add(often[f"prefetch_{name}"], instructions=1, **{f"prefetches_{name}": 1})


def _written_back(out):
    """Dirty lines that misses drive out: no level gives up more of them than the one before gave it."""
    got, before = out.facts, math.inf
    for level, name in enumerate(("l1d", "l2", "l3"), 1):
        behind = [("l2", "l3", "memory")[level - 1:], ("l3", "memory"), ("memory",)][level - 1]
        missing = {kind: sum(got[f"l3_{kind}_miss" if one == "memory" else f"{one}_{kind}_hit"] for one in behind) for kind in ("load", "store")}
        dirty = missing["store"] * out.rates["dirty_store"] + missing["load"] * out.rates["dirty_load"]
        before = min(before, dirty) if level <= out.machine.levels else before
        got[f"{name}_written_back"] = before


def _branches(out, often):
    rates = out.rates
    missed = rates["misp"] * rates["misp_taken"], rates["misp"] * (1 - rates["misp_taken"])
    for taken, wrong, share in ((1, 1, missed[0]), (0, 1, missed[1]), (1, 0, max(0, rates["taken"] - missed[0])),
                                (0, 0, min(1 - rates["misp"], 1 - rates["taken"] - missed[1]))):
        out.add(often["cond"] * share, instructions=1, branches_cond=1, branches_cond_taken=taken, cond_executed=1,
                cond_executed_taken=taken, mispredicted_cond=wrong, mispredicted_cond_taken=wrong * taken)
    wrong = often["cond"] * rates["misp"]
    out.add(wrong, cond_executed=rates["wrong_cond"], cond_executed_taken=rates["wrong_cond"] * rates["wrong_taken"], uncond_executed=rates["wrong_jump"])
    out.add(often["jump"], instructions=1, branches_uncond=1, uncond_executed=1)
    out.add(often["ijump"], instructions=1, branches_indirect=1, mispredicted_indirect=rates["misp_ind"])
    out.add(often["call"], instructions=1, calls=1, calls_indirect=rates["icall"], mispredicted_indirect=rates["icall"] * rates["misp_ind"])
    out.access("store", often["call"], 8)
    returns = often["call"] * (1 - rates["tail"])
    out.add(returns, instructions=1, returns=1, mispredicted_returns=rates["misp_ret"])
    out.access("load", returns, 8)


def _arithmetic(out, often):
    rates, rng = out.rates, out.rng
    kinds = [(name, often[name]) for name in FP]
    if "half" not in out.machine.absent:
        kinds += [(f"fp_h_{width}", often["fp_h"] * share) for width, share in HALF.items()]
    for name, rate in kinds:
        if name.rsplit("_", 1)[1] in out.machine.absent:
            continue
        mix = _shared({one: rates[one] * math.exp(rng.gauss(0, 0.4)) for one in OPERATIONS if one not in out.machine.absent})
        for one, share in mix.items():
            out.add(rate * share, instructions=1, simd_instructions=1, **{f"{name}_{one}": 1})
        out.add(rate * mix["other"], fp_min_max=rates["min_max"], fp_reciprocals=rates["reciprocal"] if "_s_" in name else 0)
        if f"{name}_dpp" in ("fp_s_128_dpp", "fp_s_256_dpp", "fp_d_128_dpp"):
            out.add(rate * mix["other"], **{f"{name}_dpp": rates["dot"]})
    out.add(often["compare"], instructions=1, simd_instructions=1, fp_compares=1)
    out.add(often["convert"], instructions=1, simd_instructions=1, fp_conversions=1)
    for width in ("128", "256", "512"):
        if width in out.machine.absent:
            continue
        for one, share in _shared({one: weight * math.exp(rng.gauss(0, 0.7)) for one, weight in VECTOR_INTEGERS.items()}).items():
            out.add(often[f"int_{width}"] * share, instructions=1, simd_instructions=1, **{f"int_{width}_{one}": 1})
    out.add(often["vector_move"], instructions=1, simd_instructions=1)
    integers = _shared({one: rates[one] for one in rates if one.startswith("int_") and one[4:] not in ("128", "256", "512")})
    for one, share in integers.items():
        out.add(often["integers"] * share, instructions=1, **({} if one == "int_other" else {one.replace("int_", "int_scalar_"): 1}))


def _others(out, often):
    out.add(often["fence"], instructions=1, fences=1, load_fences=out.rates["load_fence"])
    for rate, fact in (("nop", "nops"), ("pause", "pauses"), ("x87", "x87_instructions"), ("mmx", "mmx_instructions"), ("crc", "crc_instructions")):
        out.add(often[rate], instructions=1, **{fact: 1})
    out.add(often["aes"], instructions=1, simd_instructions=1, aes_instructions=1)


def _code(out):
    rates, machine = out.rates, out.machine
    if not machine.fetches:
        return
    second = rates["l2i_miss"] if machine.levels > 1 else 1
    third = rates["l3i_miss"] if machine.levels > 2 else 1
    missing, fetched = rates["l1i_miss"], rates["fetch"]
    out.add(fetched, l1i_fetch_hit=1 - missing, l2_fetch_hit=missing * (1 - second), l3_fetch_hit=missing * second * (1 - third),
            l3_fetch_miss=missing * second * third)
    if machine.code_pages:
        out.add(fetched * rates["itlb"], itlb_miss=1, fetch_walks=rates["fetch_walk"] if machine.second_tlb else 1)


# Rates that are instructions of 1,000.
_COUNTED = ("load", "store", "cond", "jump", "call", "ijump", "lock", "update", "string", "nt", "prefetch_nta", "prefetch_t0", "prefetch_t1_t2",
            "prefetch_w", "fence", "nop", "pause", "aes", "crc", "x87", "mmx", *FP, "fp_h", "compare", "convert", "int_128", "int_256", "int_512", "vector_move")


def make(name, machine, number, seed=SEED):
    """The facts of program NUMBER of a class, all of them, per 1,000 instructions."""
    rng = random.Random(f"{seed}/{name}/{number}")
    rates = {rate: _draw(rng, *how) for rate, how in classes()[name].items()}
    often = {rate: 0.0 if _EVIDENCE.get(rate) in lacking(machine.architecture) else rates[rate] for rate in _COUNTED}
    often["integers"] = max(FEWEST_INTEGERS, 1000 - sum(often.values()) + often["load"] * rates["fused"])
    out = _Writer(rng, machine, rates)
    _memory(out, often)
    _branches(out, often)
    _arithmetic(out, often)
    _others(out, often)
    scale = 1000 / out.facts["instructions"]
    found = {fact: value * scale for fact, value in out.facts.items()}
    out.facts = defaultdict(float, found)
    _written_back(out)
    _code(out)
    rng = random.Random(f"{seed}/{name}/{number}/habits")
    habits.write(out, {rate: _draw(rng, *how) for rate, how in classes("habits")[name].items()})
    elsewhere.write(out, {rate: _draw(rng, *how) for rate, how in classes("elsewhere")[name].items()})
    out.facts.update((fact, 0.0) for fact in lacking(machine.architecture))
    return complete(out.facts)


@functools.cache
def _sums():
    """The facts that are sums, as [(fact, [(part, weight)])] of parts that are none; of widths programs say all themselves."""
    texts = {row["fact"]: row["expression"] for row in facts.read_table(facts.DATA / "derived-facts.csv")}
    texts.update(SUMS)
    sums = {name: facts.parse(text) for name, text in texts.items() if not name.startswith(("loads_", "stores_"))}
    return [(name, [(part, float(weight)) for part, weight in facts.primitive(one, sums).items()]) for name, one in sums.items()]


@functools.cache
def names():
    """Every fact that there is on x86-64 and elsewhere."""
    rows = facts.read_table(facts.TREE / "bases/primitive-facts.csv") + facts.read_table(facts.TREE / "bases/derived-facts.csv")
    return frozenset(row["fact"] for row in rows) | {"tsc_cycles", "in_core_cycles", "mispredicted_cond_ntaken", *habits.NAMES, *elsewhere.NAMES}


def complete(found):
    """The facts with those that are sums of others, and 0 for what never happens."""
    whole = dict.fromkeys(names(), 0.0)
    whole.update(found)
    for name, parts in _sums():
        whole[name] = sum(weight * whole[part] for part, weight in parts)
    return whole


@functools.cache
def _made(key, name, count, seed):
    machine = _MACHINES[key]
    return [make(name, machine, number, seed) for number in range(count)]


_MACHINES = {}


def of(machine, count=COUNT, seed=SEED):
    """{class: programs} for the machine; the same for machines that have the same."""
    _MACHINES[machine.key] = machine
    return {name: _made(machine.key, name, count, seed) for name in classes()}
