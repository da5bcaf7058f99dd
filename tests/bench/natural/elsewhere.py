"""What programs of natural classes do that x86-64 has not: control registers, reservations, short instructions, vectors of scalable length.

These are kinds of the instructions and accesses that a program has anyway, so its totals stay."""

WIDTHS = ("v128", "v256", "v512")
OPERATIONS = ("add", "sub", "mul", "fma", "div", "sqrt", "other")
LANES = {"h": 8, "s": 4, "d": 2}  # of 128 bits
# The facts of what is counted by itself, and their rates.
SINGLE = {"csr_reads": "csr_read", "csr_writes": "csr_write", "csr_swaps": "csr_swap", "environment_calls": "environment_call", "breakpoints": "breakpoint",
          "trap_returns": "trap_return", "instruction_fences": "instruction_fence", "reserved_loads": "reserved"}
NAMES = [f"fp_{kind}_{precision}{end}" for kind in ("lanes", "longer") for precision in LANES for end in ("", "_fma")] + ["fp_lanes_unknown"]


def write(out, rates):
    """Adds them; what the architecture has none of is taken out behind."""
    if out.machine.architecture not in ("aarch64", "riscv64"):
        return
    got = out.facts
    out.add(1, **{fact: rates[rate] for fact, rate in SINGLE.items()}, conditional_stores=rates["reserved"] * rates["conditional"])
    out.add(got["instructions"], short_instructions=rates["short"])
    for kind in ("load", "store"):
        out.add(got[f"l1d_{kind}_hit"], **{f"misaligned_{kind}s": rates["misaligned"]})
    _vectors(out, rates)


def _vectors(out, rates):
    """Arithmetic on vectors of scalable length, with a part of their lanes."""
    absent = out.machine.absent
    half = 0 if "half" in absent else rates["scalable_half"]
    mix = {one: out.rates[one] for one in OPERATIONS if one not in absent}
    for precision, share in (("h", half), ("s", (1 - half) / 2), ("d", (1 - half) / 2)):
        for one, weight in mix.items():
            often = rates["scalable"] * share * weight / sum(mix.values())
            last = "_fma" if one == "fma" else ""
            for part, width in enumerate(WIDTHS):
                if width not in absent:
                    out.add(often, **{f"fp_{precision}_{width}_{one}": 1 / 3, f"fp_lanes_{precision}{last}": (LANES[precision] << part) * rates["lanes"] / 3,
                                      "fp_lanes_unknown": rates["unknown_lanes"] / 3})
            if "v128" not in absent and out.machine.architecture == "aarch64":
                out.add(often * rates["longer"], **{f"fp_longer_{precision}{last}": 1})
