"""What kernels, symbols and metrics are in facts. Nothing here is catmint's code: tables alone are shared with it, and the judge's own are
in data/."""

import functools
import pathlib
from fractions import Fraction

from algebra import Span
from facts import BENCHMARKS, DATA, TOLERANCE, TREE, add, parse, primitive, read_table, value


class Kernel:
    """What an iteration does: facts, by how much a coin (chance) and the machine (range) change them."""

    def __init__(self, row, derived):
        self.name, self.benchmark, self.role = row["kernel"], row["benchmark"], row["role"]
        self.exact, chance, range_ = (primitive(parse(row[key]), derived) for key in ("facts", "chance", "range"))
        if self.name != "empty":
            self.exact = add(self.exact, {"turns": Fraction(1)}, _plain_integers(self.exact))
        self.facts, self.chances, self.ranges = (
            {name: float(weight) for name, weight in expression.items()} for expression in (self.exact, chance, range_))


def _plain_integers(facts):
    """What is left of the instructions where the others are taken off: additions to an integer, tests, multiplications."""
    others = ("simd_instructions branches_cond branches_uncond branches_indirect nops fences x87_instructions mmx_instructions "
              "l1d_load_hit l2_load_hit l3_load_hit l3_load_miss l1d_store_hit l2_store_hit l3_store_hit l3_store_miss nt_stores").split()
    rest = facts.get("instructions", Fraction(0)) - sum(facts.get(name, 0) for name in others)
    return {"integer": rest} if rest > 0 else {}


class World:
    """Kernels, symbols and meanings that belong together: the tree's, or (`paper`) those of the paper's bases."""

    def __init__(self, tree=TREE, kernels="tree"):
        self.derived = {row["fact"]: parse(row["expression"]) for row in read_table(DATA / "derived-facts.csv")}
        rows = read_table(pathlib.Path(tree) / "bases/facts.csv") if kernels == "tree" else []
        self.paper = not rows or "kernel" not in rows[0]
        if self.paper:
            rows = read_table(DATA / "paper-kernels.csv")
        self.kernels = [Kernel(row, self.derived) for row in rows]
        symbols = DATA / "paper-symbols.csv" if self.paper else pathlib.Path(tree) / "bases/symbols.csv"
        self.symbols = self._symbols(read_table(symbols))
        self.meanings = self._meanings(read_table(DATA / "meanings.csv"))
        self.instructions, self.fetches, self.habits, self.system = ([
            (row["class"], primitive(parse(row["facts"]), self.derived)) for row in read_table(DATA / name)]
            for name in ("instructions.csv", "fetches.csv", "habits.csv", "system.csv"))

    def _symbols(self, rows):
        """{benchmark: {symbol: facts}}, of symbols that a kernel of the basis has."""
        found = {benchmark: {} for benchmark in BENCHMARKS}
        for row in rows:
            if row["benchmark"] in found and row["expression"]:
                facts = primitive(parse(row["expression"]), self.derived)
                if any(value(facts, kernel.exact) for kernel in self.of(row["benchmark"], "basis")):
                    found[row["benchmark"]][row["symbol"]] = facts
        return found if self.paper else {name: _without_sums(symbols) for name, symbols in found.items()}

    def _meanings(self, rows):
        found = {benchmark: {} for benchmark in TOLERANCE}
        for row in rows:
            if not row["kernels"] or self.paper:
                found[row["benchmark"]].setdefault(row["metric"], primitive(parse(row["meaning"]), self.derived))
        return found

    def of(self, benchmark, role=None):
        return [kernel for kernel in self.kernels if kernel.benchmark == benchmark and role in (None, kernel.role)]


def _without_sums(symbols):
    """The symbols that are no sums of ones before them: a table of all bases' symbols may list the paper's beside others."""
    span, kept = Span(), {}
    for name, facts in symbols.items():
        if span.take(facts):
            kept[name] = facts
    return kept


@functools.cache
def load(kernels="tree"):
    return World(kernels=kernels)
