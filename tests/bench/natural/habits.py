"""What the machine of natural programs does beside their instructions: prefetchers, wrong paths, operations, lines and walks on their way, interrupts."""

ARITHMETIC = ("add", "sub", "mul", "div", "sqrt", "other")
# What prefetchers, prefetches by instruction and wrong paths do, level by level.
NAMES = [f"{level}_{kind}_{end}" for kind in ("prefetch", "hint", "wrong_load", "wrong_fetch") for level in ("l1i" if kind == "wrong_fetch" else "l1d", "l2", "l3")
          for end in ("hit", "miss")]
NAMES += """l1d_prefetch_used l2_prefetch_used l1d_load_fill_hit wrong_path_instructions wrong_path_loads wrong_path_stores dtlb_hint_miss hint_walks dtlb_wrong_load_miss
             wrong_load_walks dtlb_wrong_store_miss wrong_store_walks itlb_wrong_fetch_miss wrong_fetch_walks loads_forwarded loads_blocked loads_aliased
             fused_pairs operations microcode_operations opcache_operations decoder_operations opcache_hit opcache_miss microcode_wrong_operations
             opcache_wrong_operations decoder_wrong_operations opcache_wrong_hit opcache_wrong_miss nt_lines_whole nt_lines_partial
             micro_fused load_walks_merged store_walks_merged interrupts interrupt_skid""".split()
# Walks read entries of tables, and some miss the tables that are kept.
WALKS = ("load_walk", "store_walk", "fetch_walk", "hint_walk", "wrong_load_walk", "wrong_store_walk", "wrong_fetch_walk")
NAMES += [f"{walk}_{end}" for walk in WALKS for end in ("steps", "misses") if end == "steps" or walk in WALKS[:3]]
# What handlers of interrupts do for each 16 of their instructions (docs/reference/habits.md); their lines are a part's data and code.
OF_KERNEL = {"kernel_instructions": 16, "kernel_loads": 4, "kernel_stores": 2, "kernel_load_bytes": 32, "kernel_store_bytes": 16, "kernel_branches_cond": 1,
             "kernel_branches_cond_taken": 1}
NAMES += [*OF_KERNEL, *(f"kernel_{name}" for name in """l1d_load_hit l1d_load_miss l1d_store_hit l1d_store_miss l2_load_hit l2_load_miss l2_store_hit l2_store_miss
           l3_load_hit l3_load_miss l3_store_hit l3_store_miss dtlb_load_miss dtlb_store_miss l1i_fetch_hit l1i_fetch_miss l2_fetch_hit l2_fetch_miss
           l3_fetch_hit l3_fetch_miss itlb_miss load_walks store_walks fetch_walks""".split())]


def write(out, rates):
    """What no instruction asks for, or nothing waits for: each from the levels that loads have it from."""
    machine, got = out.machine, out.facts
    share = out.levels("load")
    second = share["l2"] / (1 - share["l1d"])
    third = share["l3"] / (share["l3"] + share["memory"]) if share["l3"] + share["memory"] else 0

    def read(often, kind, begin=0, first=0.0):
        """OFTEN reads that come to level BEGIN, L1D being 0, which has that share FIRST."""
        for level, hit in list(zip(("l1d", "l2", "l3"), (first, second, third)))[begin:]:
            out.add(often, **{f"{level}_{kind}_hit": hit, f"{level}_{kind}_miss": 1 - hit})
            often *= 1 - hit

    missed = sum(got[name] for name in ("l2_load_hit", "l3_load_hit", "l3_load_miss"))
    if machine.prefetches:
        read(missed * rates["l1d_prefetched"], "prefetch")
        out.add(missed * rates["l1d_prefetched"], l1d_prefetch_used=rates["l1d_used"])
    if machine.prefetches_l2:
        asked = missed * (1 - second) * rates["l2_prefetched"]
        read(asked, "prefetch", 1)
        out.add(asked, l2_prefetch_used=rates["l2_used"])
    if machine.hints:
        hints = sum(got[f"prefetches_{name}"] for name in ("nta", "t0", "t1_t2", "w"))
        out.add(hints * (1 - rates["hint_miss"]), l1d_hint_hit=1)
        read(hints * rates["hint_miss"], "hint")
        _pages(out, "hint", hints, rates["hint_dtlb"], out.rates["walk"])
    if machine.wrong_paths or machine.wrong_fetches:
        wrong = got["mispredicted_cond"] * rates["wrong_path"]
        out.add(wrong, wrong_path_instructions=1, wrong_path_loads=rates["wrong_load"], wrong_path_stores=rates["wrong_store"])
    if machine.wrong_paths:
        read(wrong * rates["wrong_load"], "wrong_load", first=share["l1d"])
        _pages(out, "wrong_load", wrong * rates["wrong_load"], out.rates["dtlb"], out.rates["walk"])
        _pages(out, "wrong_store", wrong * rates["wrong_store"], out.rates["store_dtlb"], out.rates["store_walk"])
    if machine.wrong_fetches:
        _wrong_code(out, wrong * rates["wrong_fetch"])
    if machine.forwards:
        out.add(got["l1d_load_hit"] + missed,
                loads_forwarded=rates["forwarded"], loads_blocked=rates["blocked"], loads_aliased=rates["aliased"])
    if machine.fuses:
        out.add(got["branches_cond"] * rates["fused_pair"], fused_pairs=1)
    if machine.operates:
        _operations(out, rates)
    if machine.combines:
        out.add(got["nt_stores"] * rates["combined"], nt_lines_whole=1 - rates["partial_line"], nt_lines_partial=rates["partial_line"])
    out.add(got["instructions"], tsc_cycles=rates["tsc"])
    out.add(got["fp_h_scalar_other"] * rates["complex"], fp_h_scalar_complex=1)
    _system(out, rates, missed)
    if machine.interrupted:
        _interrupts(out, rates, second, third)
    if machine.tables:
        for walk in WALKS:
            more = got[f"{walk}s"] * rates["walk_table"]
            got[f"{walk}_misses"] = more if walk in WALKS[:3] else 0
            got[f"{walk}_steps"] = got[f"{walk}s"] + more * rates["walk_entries"]


def _pages(out, kind, often, miss, walk):
    """What becomes of the pages of OFTEN accesses of which that share misses the data TLB."""
    out.add(often * miss, **{f"dtlb_{kind}_miss": 1, f"{kind}_walks": walk if out.machine.second_tlb else 1})


def _wrong_code(out, often):
    """Lines of code of wrong paths, from the levels that others have them from."""
    machine, left = out.machine, often
    missing = (out.rates["l1i_miss"], out.rates["l2i_miss"] if machine.levels > 1 else 1, out.rates["l3i_miss"] if machine.levels > 2 else 1)
    for level, miss in zip(("l1i", "l2", "l3"), missing if machine.fetches else ()):
        out.add(left, **{f"{level}_wrong_fetch_hit": 1 - miss, f"{level}_wrong_fetch_miss": miss})
        left *= miss
    if machine.code_pages:
        out.add(often * out.rates["itlb"], itlb_wrong_fetch_miss=1, wrong_fetch_walks=out.rates["fetch_walk"] if machine.second_tlb else 1)


def _system(out, rates, missed):
    """Lines and walks that an access waits for, operations that are two, masked lanes, and handlers of interrupts."""
    got, machine = out.facts, out.machine
    if machine.fills:
        out.add(min(missed * rates["fill_hit"], got["l1d_load_hit"]), l1d_load_fill_hit=1)
    if machine.merges:
        out.add(got["load_walks"] * rates["merged_walk"], load_walks_merged=1)
        out.add(got["store_walks"] * rates["merged_walk"], store_walks_merged=1)
    if machine.splits:
        out.add(sum(got[f"{level}_store_{end}"] for level, end in (("l1d", "hit"), ("l2", "hit"), ("l3", "hit"), ("l3", "miss"))), micro_fused=1)
        out.add(got["l1d_load_hit"] * rates["micro_fused"], micro_fused=1)
    for precision, lanes in (("h", 32), ("s", 16), ("d", 8)):
        for last, kinds in (("", ARITHMETIC), ("_fma", ["fma"])):
            out.add(sum(got[f"fp_{precision}_512_{one}"] for one in kinds) * lanes * rates["masked_lane"], **{f"fp_masked_{precision}{last}": 1})


def _interrupts(out, rates, second, third):
    """Handlers, whose lines and pages the program made go; the lines that they store to, they load, too."""
    often, handler = out.machine.interrupted
    often *= out.facts["instructions"]
    out.add(often, interrupts=1, interrupt_skid=rates["skid"])
    often *= handler / 16
    out.add(often, **OF_KERNEL)
    page = rates["handler_page"]
    for kind, first, pages, times, gone in (("load", "l1d", "dtlb_load", 4, rates["handler_miss"]), ("fetch", "l1i", "itlb", 1, rates["handler_miss"]),
                                            ("store", "l1d", "dtlb_store", 2, rates["handler_miss"] * page)):
        out.add(often, **{f"kernel_{first}_{kind}_hit": times - gone, f"kernel_{first}_{kind}_miss": gone, f"kernel_{pages}_miss": page})
        out.add(often * page, **{f"kernel_{kind}_walks": out.rates["walk"] if out.machine.second_tlb else 1})
        left = often * gone
        for level, hit in (("l2", second), ("l3", third)):
            out.add(left, **{f"kernel_{level}_{kind}_hit": hit, f"kernel_{level}_{kind}_miss": 1 - hit})
            left *= 1 - hit


def _operations(out, rates):
    """Those of Golden Cove: updates, calls, divisions, locks and strings take more than one."""
    got, missed = out.facts, rates["opcache_miss"]
    microcode = 8 * got["locked_loads"] + got["string_instructions"] * 20
    decoded = got["instructions"] - got["fused_pairs"] - got["locked_loads"] - got["string_instructions"] + got["updates"] + got["calls"] + 3 * got["int_scalar_div"]
    out.add(microcode, operations=1, microcode_operations=1)
    wrong = got["wrong_path_instructions"] if out.machine.wrong_fetches else 0.0
    out.add(wrong, microcode_wrong_operations=rates["wrong_microcode"])
    for kind, often in (("", decoded), ("wrong_", wrong)):
        out.add(often, **{f"opcache_{kind}operations": 1 - missed, f"decoder_{kind}operations": missed})
        out.add(often * rates["operation_window"], **{f"opcache_{kind}hit": 1 - missed, f"opcache_{kind}miss": missed})
    out.add(decoded, operations=1)
