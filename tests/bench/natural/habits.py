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
# What handlers of interrupts do for each 16 of their instructions (docs/reference/habits.md); their lines are a part's data and code.
OF_KERNEL = {"kernel_instructions": 16, "kernel_loads": 4, "kernel_stores": 2, "kernel_load_bytes": 32, "kernel_store_bytes": 16, "kernel_branches_cond": 1,
             "kernel_branches_cond_taken": 1, "kernel_l1d_store_hit": 2}
NAMES += [*OF_KERNEL, *(f"kernel_{name}" for name in """l1d_load_hit l1d_load_miss l1d_store_miss l2_load_hit l2_load_miss l2_store_hit l2_store_miss
           l3_load_hit l3_load_miss l3_store_hit l3_store_miss dtlb_load_miss dtlb_store_miss l1i_fetch_hit l1i_fetch_miss l2_fetch_hit l2_fetch_miss
           l3_fetch_hit l3_fetch_miss itlb_miss load_walks store_walks fetch_walks""".split())]


def write(out, rates):
    """What no instruction asks for, or nothing waits for: each from the levels that loads have it from."""
    machine, got = out.machine, out.facts
    share = out.levels("load")
    second = share["l2"] / (1 - share["l1d"])
    third = share["l3"] / (share["l3"] + share["memory"]) if share["l3"] + share["memory"] else 0

    def read(often, kind, begin=0):
        """OFTEN reads that come to level BEGIN, L1D being 0, which all but a wrong path's miss there."""
        for level, hit in list(zip(("l1d", "l2", "l3"), (share["l1d"] if kind == "wrong_load" else 0, second, third)))[begin:]:
            out.add(often, **{f"{level}_{kind}_hit": hit, f"{level}_{kind}_miss": 1 - hit})
            often *= 1 - hit

    missed = sum(got[name] for name in ("l2_load_hit", "l3_load_hit", "l3_load_miss"))
    if machine.prefetches:
        read(missed * rates["l1d_prefetched"], "prefetch")
        read(missed * (1 - second) * rates["l2_prefetched"], "prefetch", 1)
    if machine.hints:
        hints = sum(got[f"prefetches_{name}"] for name in ("nta", "t0", "t1_t2", "w"))
        out.add(hints * (1 - rates["hint_miss"]), l1d_hint_hit=1)
        read(hints * rates["hint_miss"], "hint")
    if machine.wrong_paths:
        wrong = got["mispredicted_cond"] * rates["wrong_path"]
        out.add(wrong, wrong_path_instructions=1, wrong_path_loads=rates["wrong_load"], wrong_path_stores=rates["wrong_store"])
        read(wrong * rates["wrong_load"], "wrong_load")
    if machine.fuses:
        out.add(got["branches_cond"] * rates["fused_pair"], fused_pairs=1)
    if machine.operates:
        _operations(out, rates)
    if machine.combines:
        out.add(got["nt_stores"] * rates["combined"], nt_lines_whole=1 - rates["partial_line"], nt_lines_partial=rates["partial_line"])
    _system(out, rates, missed)


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
    if machine.interrupted:
        often, handler = machine.interrupted
        often *= got["instructions"]
        gone = rates["handler_miss"]
        out.add(often, interrupts=1, interrupt_skid=rates["skid"])
        out.add(often * handler / 16, **OF_KERNEL, kernel_l1d_load_hit=4 - gone, kernel_l1d_load_miss=gone, kernel_l2_load_hit=gone,
                kernel_l1i_fetch_hit=1 - gone, kernel_l1i_fetch_miss=gone, kernel_l2_fetch_hit=gone)


def _operations(out, rates):
    """Those of Golden Cove: updates, calls, divisions, locks and strings take more than one."""
    got, missed = out.facts, rates["opcache_miss"]
    microcode = 8 * got["locked_loads"] + got["string_instructions"] * 20
    decoded = got["instructions"] - got["fused_pairs"] - got["locked_loads"] - got["string_instructions"] + got["updates"] + got["calls"] + 3 * got["int_scalar_div"]
    out.add(microcode, operations=1, microcode_operations=1)
    for kind, often in (("", decoded), ("wrong_", got["wrong_path_instructions"])):
        out.add(often, **{f"opcache_{kind}operations": 1 - missed, f"decoder_{kind}operations": missed})
        out.add(often * rates["operation_window"], **{f"opcache_{kind}hit": 1 - missed, f"opcache_{kind}miss": missed})
    out.add(decoded, operations=1)
