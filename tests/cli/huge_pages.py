"""tlb with huge pages, live: where the system gives them, and where it gives none."""

import mmap
import re

import support

HUGE = 2 << 20
MANY = 256  # twice what the longest chain in huge pages takes here
MIXED = {"Huge Page Data TLB Misses", "Huge Page Load TLB Misses", "Huge Page Store TLB Misses", "Huge Page Data Walks"}
# Events that count small pages and huge ones apart, as some processors do.
EVENTS = {"LOADS_4K": "dtlb_load_miss - dtlb_load_miss_huge", "LOADS_2M": "dtlb_load_miss_huge", "STORES_4K": "dtlb_store_miss - dtlb_store_miss_huge",
          "STORES_2M": "dtlb_store_miss_huge", "WALKS_4K": "load_walks + store_walks - load_walks_huge - store_walks_huge",
          "WALKS_2M": "load_walks_huge + store_walks_huge", "ALL": "instructions"}


def in_huge_pages():
    """Bytes of this process."""
    with open("/proc/self/smaps", encoding="ascii") as smaps:
        return sum(int(kib) for kib in re.findall(r"AnonHugePages: +([0-9]+)", smaps.read())) << 10


def system_gives_huge_pages(count=1, written=True):
    """Asked without catmint: by smaps, of a mapping that is large enough for so many wherever it begins."""
    before = in_huge_pages()
    area = mmap.mmap(-1, (count + 1) * HUGE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    area.madvise(mmap.MADV_HUGEPAGE)
    for at in range(0, len(area), mmap.PAGESIZE):
        if written:
            area[at] = 1
        else:
            _ = area[at]
    given = in_huge_pages() - before
    area.close()
    return given >= count * HUGE


class HugePages(support.Case):
    def discover(self, pmu, *options):
        run = support.Run("discover", "--pmu", f"software:{pmu}", "--benchmark", "tlb", "--repetitions", "3", "--threads", "1", "--programs", "0",
                          "--format", "json", "--verbose", *support.software_alone(), *options)
        self.assertEqual(run.code, 0, run)
        metrics = {metric["metric"]: metric for entry in run.json()["benchmarks"] for metric in entry["metrics"]}
        said = " ".join(run.err.split())
        if "its memory is in pieces" in said and not system_gives_huge_pages(MANY):
            self.skipTest("this system's memory is in pieces: it gives few huge pages")
        if "no huge page of zeros to share" in said and system_gives_huge_pages(written=False):
            self.skipTest("this system gives huge pages of their own memory to who only reads")
        return said, metrics

    def model(self, **changes):
        """TLBs and a first-level cache so small that chains beyond them take 256 MiB."""
        sizes = {"dtlb_entries": 20, "dtlb_huge_entries": 4, "stlb_entries": 64, "stlb_ways": 4, "itlb_entries": 20,
                 "l1d_size": 4096, "l1d_ways": 4, "interference": 0}
        return support.make_model(self.folder / "model", EVENTS, **sizes | changes)

    def composable(self, metrics):
        return {name: support.definition(metric) for name, metric in metrics.items() if support.usable(metric)}

    def test_with(self):
        if not system_gives_huge_pages():
            self.skipTest("this system gives no huge pages")
        said, metrics = self.discover(self.model())
        self.assertNotRegex(said, r"\bH[123]\.[123]")
        found = self.composable(metrics)
        self.assertEqual(found["Data TLB Load Misses"], {"LOADS_4K": 1.0, "LOADS_2M": 1.0})
        self.assertEqual(found["Data TLB Misses"], {name: 1.0 for name in ("LOADS_4K", "LOADS_2M", "STORES_4K", "STORES_2M")})
        self.assertEqual(found["Data Page Walks"], {"WALKS_4K": 1.0, "WALKS_2M": 1.0})
        self.assertEqual(found["Huge Page Load TLB Misses"], {"LOADS_2M": 1.0})
        self.assertEqual(found["Huge Page Data TLB Misses"], {"LOADS_2M": 1.0, "STORES_2M": 1.0})
        self.assertEqual(found["Huge Page Data Walks"], {"WALKS_2M": 1.0})

    def test_stores_that_take_too_much(self):
        """Loads beyond the second TLB need no memory, stores do: without these nothing is said of huge pages' walks."""
        if not system_gives_huge_pages():
            self.skipTest("this system gives no huge pages")
        said, metrics = self.discover(self.model(stlb_entries=2048), "--max-buffer", "256M")
        self.assertIn("tlb: H3.3+store is left out: a chain in huge pages needs a buffer of 8389120 KiB, the limit is 262144 KiB (--max-buffer)", said)
        found = self.composable(metrics)
        self.assertEqual(found["Data Page Walks"], {"WALKS_4K": 1.0, "WALKS_2M": 1.0})
        self.assertFalse(metrics["Huge Page Data Walks"]["measurable"])

    def test_zen4(self):
        """Counts them apart: what is said of small pages is in none of the sums then."""
        if not system_gives_huge_pages():
            self.skipTest("this system gives no huge pages")
        _, metrics = self.discover("zen4", "--max-buffer", "1G")
        hits, misses = ({f"L1_DTLB_MISS:TLB_RELOAD_{size}_L2_{what}": 1.0 for size in ("4K", "2M")} for what in ("HIT", "MISS"))
        found = self.composable(metrics)
        self.assertEqual((found["Data TLB Misses"], found["Data Page Walks"]), (hits | misses, misses))
        self.assertEqual(found["Huge Page Data TLB Misses"], {f"L1_DTLB_MISS:TLB_RELOAD_2M_L2_{what}": 1.0 for what in ("HIT", "MISS")})

    def test_without(self):
        support.forbid_huge_pages(self)
        self.assertFalse(system_gives_huge_pages())
        said, metrics = self.discover(self.model())
        self.assertRegex(said, r"tlb: H1\.1\+0 to H3\.3\+store left out: the system (gives small pages for huge ones|has no huge pages)")
        found = self.composable(metrics)
        self.assertEqual(found["Data TLB Load Misses"], {"LOADS_4K": 1.0})
        for name in MIXED:
            self.assertFalse(metrics[name]["measurable"])

    def test_machines(self):
        """A machine without huge pages, one with others than the system's, and kernels held against their facts."""
        said, _ = self.discover(self.model(huge_page_size=0, dtlb_huge_entries=0))
        self.assertIn("tlb: H1.1+0 to H3.3+store left out: this machine has no huge pages", said)
        if system_gives_huge_pages():
            said, _ = self.discover(self.model(huge_page_size=HUGE // 2))
            self.assertIn("left out: the system's huge pages have 2048 KiB, those of the modelled machine 1024 KiB", said)

    def test_verify(self):
        """Kernels are right where they run, and not wrong where they cannot: nobody takes gigabytes of zeros that are not shared."""
        zeros = () if system_gives_huge_pages(written=False) else ("H3.2+0", "H3.2+5", "H3.3+0", "H3.3+5")
        rows = {True: {}, False: {}}
        for given in (True, False):
            if not given:
                support.forbid_huge_pages(self)
            elif not system_gives_huge_pages():
                continue
            out = self.expect(support.Run("kernels", "--verify", "--benchmark", "tlb"), 0, err=None).out
            rows[given] = dict(re.findall(r"^(H[123]\.[123]\+\w+) +(right|not run|WRONG)", out, re.M))
            self.assertEqual(len(rows[given]), 11)
        self.assertEqual(set(rows[False].values()), {"not run"})
        self.assertNotIn("not run", [rows[True].get(name, "right") for name in ("H1.1+0", "H1.1+store", "H2.1+0", "H2.1+5", "H2.1+store", *zeros)])


if __name__ == "__main__":
    support.main()
