"""What random GPU programs do to memory, by plain lists and dictionaries. It reads the machine's file, and shares no code with catmint."""

import csv
from collections import Counter, OrderedDict


def read_machine(path):
    rows = csv.reader(line for line in path.read_text().splitlines() if not line.startswith("#"))
    return {key: int(value) if value.isdigit() else value for key, value, *_ in rows}


class Cache:
    """Lines of sectors, the least recently used of a set leaves first."""
    def __init__(self, size, ways, line):
        self.sets, self.ways = size // line // ways, ways
        self.lines = {}

    def has(self, line, parts):
        """Whether it holds all these parts of a line; from then on it does."""
        held = self.lines.setdefault(line % self.sets, OrderedDict())
        sectors = held.pop(line, set())
        hit = parts <= sectors
        held[line] = sectors | parts
        if len(held) > self.ways:
            held.popitem(last=False)
        return hit


class Memory:
    def __init__(self, machine):
        self.machine, self.line, self.sector = machine, machine["line_size"], machine["gpu_sector"]
        self.stored = min(self.sector, 64)
        self.counts = Counter()

    def launch(self):
        self.second = Cache(self.machine["l2_size"], self.machine["l2_ways"], self.line)

    def block(self):
        self.first = Cache(self.machine["l1d_size"], self.machine["l1d_ways"], self.line)

    def _sectors(self, addresses, size, sector):
        found = OrderedDict()
        for address in addresses:
            for at in range(address // sector, (address + size - 1) // sector + 1):
                found[at * sector] = True
        return list(found)

    def _place(self, at, size):
        return at // self.line, {part // self.stored for part in range(at % self.line, at % self.line + size, self.stored)}

    def load(self, addresses, size, past_first):
        self.counts.update(load_requests=1, asked_load=size * len(addresses))
        for at in self._sectors(addresses, size, self.sector):
            place = self._place(at, self.sector)
            if not past_first and self.first.has(*place):
                self.counts["l1_hit"] += self.sector
            elif self.second.has(*place):
                self.counts["l2_hit"] += self.sector
            else:
                self.counts["l2_miss"] += self.sector

    def store(self, addresses, size, adds):
        self.counts.update({"atomic_requests": 1} if adds else {"store_requests": 1, "asked_store": size * len(addresses)})
        for at in self._sectors(addresses, size, self.stored):
            hit = self.second.has(*self._place(at, self.stored))
            self.counts["atomic" if adds else "store_hit" if hit else "store_miss"] += self.stored

    def share(self, lanes, size, stores):
        """`lanes`: {lane: address}. As many lanes at a time as have 128 bytes; a bank gives one word after another."""
        way = "store" if stores else "load"
        self.counts[f"shared_{way}_requests"] += 1
        groups = {}
        for lane, address in lanes.items():
            groups.setdefault(lane * size // 128, set()).update((address + part) // 4 for part in range(0, size, 4))
        for words in groups.values():
            most = max(Counter(word % 32 for word in words).values())
            self.counts[f"shared_{way}_transactions"] += most
            self.counts[f"shared_{way}_conflicts"] += most - 1


def truths(counts):
    """{metric: value}, from what its name says."""
    loads, misses = counts["l1_hit"] + counts["l2_hit"] + counts["l2_miss"], counts["l2_hit"] + counts["l2_miss"]
    stored = counts["store_hit"] + counts["store_miss"]
    written = stored + counts["atomic"]
    found = {"Global Load Requests": counts["load_requests"], "Global Store Requests": counts["store_requests"], "Global Atomic Requests": counts["atomic_requests"],
             "Global Memory Requests": counts["load_requests"] + counts["store_requests"] + counts["atomic_requests"],
             "Bytes Loaded by Threads": counts["asked_load"], "Bytes Stored by Threads": counts["asked_store"],
             "L1 Load Bytes": loads, "L1 Load Hit Bytes": counts["l1_hit"], "L1 Load Miss Bytes": misses, "L1 Bytes": loads + written,
             "L2 Load Bytes": misses, "L2 Load Hit Bytes": counts["l2_hit"], "L2 Load Miss Bytes": counts["l2_miss"], "L2 Store Bytes": stored,
             "L2 Store Hit Bytes": counts["store_hit"], "L2 Store Miss Bytes": counts["store_miss"],
             "L2 Hit Bytes": counts["l2_hit"] + counts["store_hit"] + counts["atomic"], "L2 Miss Bytes": counts["l2_miss"] + counts["store_miss"],
             "L2 Atomic Bytes": counts["atomic"], "L2 Bytes": misses + written, "Memory Load Bytes": counts["l2_miss"]}
    for what in ("Requests", "Transactions", "Conflicts"):
        load, store = counts[f"shared_load_{what.lower()}"], counts[f"shared_store_{what.lower()}"]
        found |= {f"Shared Load {what}": load, f"Shared Store {what}": store, f"Shared Memory {what}": load + store}
    return found
