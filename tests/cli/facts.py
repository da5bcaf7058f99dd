"""Facts as the one language: bases and signatures follow from them, and kernels tell them apart."""

import csv
import functools
import json
import re
import shutil

import support

BENCHMARKS = ("cpu-flops", "branch", "dcache", "dcache-write", "mem-ops", "instructions", "core")


def rows(name):
    lines = (support.SOURCE / name).read_text().splitlines()
    return list(csv.DictReader(line for line in lines if not line.startswith("#")))


@functools.cache
def compiled(expression):
    return compile(expression or "0", "expression", "eval"), set(re.findall(r"[a-z]\w*", expression))


def value(expression, facts):
    """Of an expression over facts, those that are not named being 0."""
    code, names = compiled(expression)
    return eval(code, {"__builtins__": {}}, {name: facts.get(name, 0.0) for name in names})


class Facts(support.Case):
    FILE = "bases/facts.csv"
    # Where facts meet an event may count otherwise, which only a kernel that surely has both shows.
    MEETING = (("split_loads", ("l2_load_hit", "l3_load_hit", "dtlb_load_miss", "load_walks")),
               ("split_stores", ("l2_store_hit", "l3_store_hit")), ("l1d_load_hit", ("l2_load_hit", "l3_load_hit", "l3_load_miss")),
               ("mispredicted_cond", ("l2_fetch_hit", "l3_fetch_hit", "l2_load_hit", "l3_load_hit", "l2_store_hit", "l3_store_hit", "dtlb_load_miss", "load_walks",
                                      "dtlb_store_miss", "store_walks")), ("l1i_fetch_hit", ("l2_fetch_hit", "l3_fetch_hit", "l3_fetch_miss")),
               ("l2_load_hit", ("l2_fetch_hit",)), ("l3_load_hit", ("l3_fetch_hit",)),
               ("fp_d_scalar_add", ("l2_load_hit", "l3_load_hit", "dtlb_load_miss", "mispredicted_cond", "l2_fetch_hit", "itlb_miss", "calls", "nops")),
               ("fp_d_256_fma", ("l2_load_hit", "l3_load_hit", "l3_load_miss", "loads_32")), ("fp_d_512_fma", ("l2_load_hit", "loads_64")),
               ("locked_loads", ("l2_load_hit", "l3_load_hit", "l3_store_miss", "load_walks", "store_walks")),
               ("int_scalar_div", ("l2_load_hit", "mispredicted_cond")), ("l3_store_miss", ("calls", "nt_stores")))

    @classmethod
    def setUpClass(cls):
        cls.primitive = [row["fact"] for row in rows("bases/primitive-facts.csv")]
        cls.derived = {row["fact"]: row["expression"] for row in rows("bases/derived-facts.csv")}
        cls.kernels = {}
        for row in rows(cls.FILE):
            done = compiled(row["facts"])[1]
            facts = {name: value(row["facts"], {name: 1.0}) if name in done else 0.0 for name in cls.primitive}
            facts |= {name: value(expression, facts) for name, expression in cls.derived.items()}
            cls.kernels[row["benchmark"], row["kernel"]] = row["role"], facts

    def basis(self, benchmark):
        """The kernels of other processors serve the same bases: those that are there."""
        return [row for row in rows(f"bases/{benchmark}.csv") if (benchmark, row["kernel"]) in self.kernels]

    def known(self, expression):
        return set(re.findall(r"[a-z]\w*", expression)) <= {*self.primitive, *self.derived}

    def test_bases_are_derived(self):
        symbols = {(row["benchmark"], row["symbol"]): row["expression"] for row in rows("bases/symbols.csv")}
        for benchmark in BENCHMARKS:
            basis = self.basis(benchmark)
            self.assertEqual([row["kernel"] for row in basis],
                             [kernel for (of, kernel), (role, _) in self.kernels.items() if of == benchmark and role == "basis"])
            for row in basis:
                kernel = row.pop("kernel")
                for symbol, number in row.items():
                    self.assertTrue(self.known(symbols[benchmark, symbol]), symbol)
                    self.assertEqual(float(number), value(symbols[benchmark, symbol], self.kernels[benchmark, kernel][1]), (kernel, symbol))

    def test_signatures_are_derived(self):
        """Symbols are independent, so what a metric means on every kernel of the basis fixes its coordinates."""
        for benchmark in BENCHMARKS:
            basis = {row.pop("kernel"): row for row in self.basis(benchmark)}
            socket = f"signatures/socket/{benchmark}.csv"
            for metric in rows(f"signatures/{benchmark}.csv") + (rows(socket) if (support.SOURCE / socket).exists() else []):
                self.assertTrue(self.known(metric["meaning"]), metric["metric"])
                for kernel, expectations in basis.items():
                    counted = sum(float(metric[symbol]) * float(number) for symbol, number in expectations.items())
                    self.assertAlmostEqual(counted, value(metric["meaning"], self.kernels[benchmark, kernel][1]), msg=(metric["metric"], kernel))

    def test_free_facts_are_part_of_no_meaning(self):
        free = {row["fact"] for row in rows("bases/primitive-facts.csv") if row["kind"] == "free"}
        for benchmark in BENCHMARKS:
            for metric in rows(f"signatures/{benchmark}.csv"):
                self.assertFalse(free & set(re.findall(r"[a-z]\w*", metric["meaning"])), metric["metric"])
        for (benchmark, kernel), (role, facts) in self.kernels.items():
            self.assertEqual(role == "free", any(facts[name] for name in free), kernel)

    def test_kernels_have_what_meets(self):
        ranges = {(row["benchmark"], row["kernel"]): row["range"] or "" for row in rows(self.FILE)}
        for one, others in self.MEETING:
            for other in others:
                sure = [kernel for kernel, (role, facts) in self.kernels.items()
                        if role == "control" and facts[one] and facts[other] and not {one, other} & set(re.findall(r"[a-z]\w*", ranges[kernel]))]
                self.assertTrue(sure, (one, other))


class Aarch64(Facts):
    FILE = "bases/aarch64/facts.csv"
    MEETING = ()


class Ppc64le(Facts):
    FILE = "bases/ppc64le/facts.csv"
    MEETING = ()


class Riscv64(Facts):
    FILE = "bases/riscv64/facts.csv"
    MEETING = ()


class Bases(support.Case):
    def test_some_processor_has_each_kernel(self):
        kernels = {(row["benchmark"], row["kernel"]) for one in (Facts, Aarch64, Ppc64le, Riscv64) for row in rows(one.FILE)}
        for benchmark in BENCHMARKS:
            self.assertEqual([row["kernel"] for row in rows(f"bases/{benchmark}.csv") if (benchmark, row["kernel"]) not in kernels], [])


def named_in(case, events):
    """{metric of tlb: what is said of its definition}, of a PMU with these events."""
    model = case.folder / f"model-{len(list(case.folder.iterdir()))}"
    model.mkdir()
    (model / "inherits").write_text("golden-cove listed\n")
    (model / "events.csv").write_text("event,description,expression\nINST,,instructions\n" + "".join(f"{name},,{expression}\n" for name, expression in events.items()))
    case.expect(support.Run("sweep", "--pmu", f"software:{model}", "--facts", "kept", "--out", model / "sweep"), 0, err=None)
    run = case.expect(support.Run("analyze", model / "sweep", "--benchmark", "tlb", "--format", "json"), 0, err=None)
    return {one["metric"]: one for one in json.loads(run.out)["benchmarks"][0]["metrics"] if one["definition"]}


class Alike(support.Case):
    """Facts that every kernel does as often as one that metrics mean, and programs do not."""
    MODELS = ("golden-cove", "skylake")

    def counted(self, model):
        """{fact: its mean count on each kernel}."""
        sums, runs = {}, {}
        for path in sorted((support.SOURCE / "data/facts" / model).glob("*.csv")):
            for fact, _, _, *counts in list(csv.reader(line for line in path.read_text().splitlines() if not line.startswith("#")))[1:]:
                found = sums.setdefault(fact, {}).setdefault(path.stem, [0.0] * len(counts))
                sums[fact][path.stem] = [one + float(count or 0) for one, count in zip(found, counts)]
                runs[fact, path.stem] = runs.get((fact, path.stem), 0) + 1
        tables = {name: len(counts) for found in sums.values() for name, counts in found.items()}
        return {fact: [count / runs.get((fact, name), 1) for name in sorted(tables) for count in found.get(name, [0.0] * tables[name])]
                for fact, found in sums.items()}

    def test_such_facts_are_listed(self):
        listed = {row["fact"] for kind in ("primitive", "derived") for row in rows(f"bases/{kind}-facts.csv")}
        meant = {row["fact"] for row in rows("bases/primitive-facts.csv") if row["kind"] == "counted"}
        for model in self.MODELS:
            counted = self.counted(model)
            often = {fact for fact, counts in counted.items() if max(counts) > 100}
            self.assertIn("load_walks", often & meant)
            alike = [(one, other) for one in sorted(often - listed) for other in sorted(often & meant)
                     if all(abs(a - b) <= 0.02 * max(a, b) + 12 for a, b in zip(counted[one], counted[other]))]
            self.assertEqual(alike, [], model)

    def test_results_name_them(self):
        sides = ("load", "store", "fetch")
        steps = [f"{side}_walk_steps" for side in sides]
        metrics = named_in(self, dict(zip(("OF_LOADS", "OF_STORES", "OF_CODE", "ALL"), (*steps, " + ".join(steps)))))
        for name, most in (("Load Page Walks", "load"), ("Store Page Walks", "store"), ("Instruction Page Walks", "fetch"), ("Page Walks", "load")):
            self.assertIn(f"{most}_walk_steps, {most}_walks, which no kernel distinguishes", metrics[name]["confounded_with"], name)


class WrongPaths(support.Case):
    def test_of_facts_that_cancel(self):
        sums = {"SUM": "dtlb_store_miss + store_walks", "WALKS": "store_walks + wrong_store_walks"}
        for events, cancels in ((sums, True), ({"MISSES": "dtlb_store_miss"}, False)):
            found = named_in(self, events)["Data TLB Store Misses"]
            self.assertEqual("wrong_store_walks, which no kernel has" in found["confounded_with"], cancels, events)
            self.assertEqual([round(one["at_most"], 2) for one in found["open"] if one["fact"] == "wrong_store_walks"], [1.0] * cancels, events)


class Confounded(support.Case):
    def without(self, pattern):
        """The data without the kernels that match, and mixtures, which do a little of everything."""
        for part in ("bases", "signatures", "data"):
            shutil.rmtree(self.folder / part, ignore_errors=True)
            shutil.copytree(support.SOURCE / part, self.folder / part)
        path = self.folder / "bases/facts.csv"
        lines = path.read_text().splitlines(True)
        kept = [line for line in lines if not re.match(pattern, line) and "mixture" not in line]
        self.assertLess(len(kept), len(lines), pattern)
        path.write_text("".join(kept))
        return {"CATMINT_DATA_DIR": str(self.folder)}

    def test_nothing_that_must_be_separate(self):
        run = self.expect(support.Run("kernels", "--confounded"), 0, err="", out=rf"^{len(rows('bases/facts.csv')) + len(rows('bases/gpu/facts.csv'))} kernels separate 292 of 306 primitive facts$")
        listed = run.out.split("\n\n", 1)[1]
        starts = [line for line in listed.splitlines() if re.match(r"  \S", line)]
        self.assertEqual(len(starts), 306 - 292)
        self.assertEqual(len(re.findall(r"\(left\s+to:\s+\w+\)", listed)), len(starts))

    def test_without_a_family(self):
        families = {
            r"cpu-flops,._((MASKED_)?ADD|MUL|ADD3_MUL1|ADD1_MUL3)_256": "additions in double precision, 256 bits",
            r"cpu-flops,D_(SUB)_": "subtractions in double precision, 128 bits",
            r"cpu-flops,.*_(DIV|SQRT)_": "square roots in single precision, scalar",
            r"cpu-flops,.*_FMA_": "fused multiply-adds in half precision, 512 bits",
            r"cpu-flops,(nop|[bp])|branch,(apart|b|not_taken|two|unrolled|wrong)|instructions,nop|icache,.*random|(dcache|tlb).*(random|known)": "no-operations",
            r"cpu-flops,.*_MINMAX_": "minima and maxima",
            r"cpu-flops,.*_(MASKED|ZEROED)_": "lanes that masks turn off in fused multiply-adds in half precision",
            r"cpu-flops,._RECIPROCAL": "estimates of reciprocals",
            r"cpu-flops,._DOT": "dot products in double precision",
            r"cpu-flops,.*_COMPARE": "comparisons",
            r"cpu-flops,.*_CONVERT": "conversions",
            r"cpu-flops,D_HORIZONTAL": "dot products in double precision",
            r"cpu-flops,vector_|mem-ops|instructions,vector": "AES instructions",
            r"cpu-flops,x87": "x87 instructions",
            r"cpu-flops,mmx": "MMX instructions",
            r"branch,call_register": "calls through a register or memory",
            r"branch,(call|random_call)": "calls",
            r"branch,(indirect|two_targets|random_(target|indirect))": "indirect jumps",
            r"branch,(two_targets|random_target)": "mispredicted indirect jumps and calls",
            r"branch,(random\.|b5)": "mispredicted conditional branches that were taken",
            r"branch,(random\.(?!75)|b5)": "mispredicted conditional branches that were taken",  # the machine may mispredict none on the other
            r"branch,wrong_path_jumps?": "direct jumps executed, on wrong paths too",
            r"branch,wrong_load|dcache,wrong_miss|.*[+]wrong": "loads on wrong paths",
            r"dcache,wrong_miss|tlb,D3.2[+]wrong": "loads on wrong paths that hit the second-level cache",
            r"dcache,L3.*[+]wrong|tlb,D3.3[+]wrong": "loads on wrong paths that hit the third-level cache",
            r"dcache,MEM.*[+]wrong": "loads on wrong paths that memory answers",
            r"tlb,D.*[+]wrong": "loads on wrong paths that miss the data TLB",
            r"branch,(jump.8|call|push|random_call)|dcache(-write)?,|mem-ops|icache|tlb|instructions,(st|rep|movs|lock|up|swap)": "stores that hit the first-level cache",
            r"(dcache(-write)?|mem-ops),(L2|wrong_miss|.*run|code_L2.*load)|(icache|tlb),(lines_L2|[DH]3|D2[.]2|L2.*load)": "loads that hit the second-level cache",
            r"(dcache(-write)?|mem-ops),(L3|.*run|code_L3.*load)|(icache|tlb),(lines_L3|[DH]3|L3.*load)": "loads that hit the third-level cache",
            r"(dcache(-write)?|mem-ops),MEM|icache,lines_MEM": "loads that memory answers",
            r"dcache(-write)?,.*fill_|tlb,(.*fill_|.*store)|icache,lines_MEM": "loads of a line on its way",
            r"dcache-write,L2|tlb,(lines_L2|[DH]3)": "stores that hit the second-level cache",
            r"dcache-write,(L3|MEM)|(icache|tlb),(lines|[DH]3)": "dirty lines that the second-level cache gives up",
            r"dcache-write,.*same|icache,lines_MEM": "dirty lines that the third-level cache gives up",
            r"mem-ops,(split_)?load.16": "loads of 16 bytes",
            r"mem-ops,.*store.64": "stores of 64 bytes",
            r"mem-ops,.*split_store|mem-ops,split_update|dcache-write,.*split": "stores that cross a cache line",
            r"mem-ops,(split_)?update|dcache,L1...3|instructions,update": "locked loads",
            r"(mem-ops|dcache-write),nt_": "non-temporal stores",
            r"mem-ops,prefetch_t0|dcache(-write)?,.*hint_t0": "prefetches into all levels",
            r"instructions,divide": "integer divisions",
            r"instructions,(move|condition|movs|(rep_)?stos)|mem-ops,rep_|.*,mixed[.]|icache,.*straight|branch,(apart|random_target)|.*[+]wrong": "moves between general registers",
            r"instructions,(shift|mixed|bytes)_128": "shifts of integers in vectors, 128 bits",
            r"instructions,shuffle_512": "shuffles of integers in vectors, 512 bits",
            r"instructions,aes": "AES instructions",
            r"instructions,(movs|(rep_)?stos)|mem-ops,rep_": "string instructions",
            r"instructions,pause": "pauses",
            r"icache,(L1|.*(random|call))|tlb,(I2|code_L1)|dcache-write,(code_L1|I2|.*call|code_.*random)": "lines of code fetched that hit the first-level instruction cache",
            r"icache,MEM|dcache-write,code_MEM": "lines of code fetched that memory answers",
            r"tlb,.*store|dcache-write,L2[.][14]": "stores that miss the data TLB",
            r"tlb,D3": "page walks for loads",
            r"tlb,H": "loads of huge pages that miss the data TLB",
            r"tlb,H3": "page walks for stores to huge pages",
            r"(tlb|dcache-write|icache),(I|(code_)?L2[.])": "fetches of code that miss the instruction TLB",
            r"(tlb|dcache-write|icache),(I3|(code_)?L2[.][124])": "page walks for fetches of code",
        }
        for pattern, words in families.items():
            with self.subTest(pattern):
                run = self.expect(support.Run("kernels", "--confounded", **self.without(pattern)), 1,
                                  err=r"^catmint: facts that must be separate and are not: \d+$")
                named = [line for line in re.split(r"\n  (?=\S)", run.out) if "left to" not in " ".join(line.split())]
                self.assertIn(words, " ".join(" ".join(named).split()))

    def test_kernels_that_may_do_none_of_a_fact_separate_nothing(self):
        for share, code in ((1.0, 1), (0.5, 0)):
            environment = self.without("cpu-flops,nop")
            path = self.folder / "bases/facts.csv"
            lines = path.read_text().splitlines()
            for place, line in enumerate(lines):
                found = re.search(r"(?:([0-9.]+)\*)?\bint_scalar_div\b", line)
                if found and not line.startswith("#"):
                    lines[place] = line + (" + " if line[-1] != "," else "") + f"{share * float(found[1] or 1)}*int_scalar_div"
            path.write_text("\n".join(lines) + "\n")
            run = self.expect(support.Run("kernels", "--confounded", **environment), code)
            self.assertEqual("integer divisions" in run.out, code == 1)

    def test_verify_is_something_else(self):
        self.expect(support.Run("kernels", "--verify", "--confounded"), 2, out="", err="exclude each other")


if __name__ == "__main__":
    support.main()
