"""dcache-write, live: stores at each level, lines written back, and what that teaches of loads."""

import support

RFO = "L2_RQSTS"
LINES = {"MEM_LOAD_RETIRED:L1_MISS": 1.0, f"{RFO}:ALL_RFO": 1.0}
# On every model; what has no event is not composable.
GOLDEN_COVE = {
    "L1 Store Misses": {f"{RFO}:ALL_RFO": 1.0}, "L2 Store Hits": {"MEM_STORE_RETIRED:L2_HIT": 1.0}, "L2 Store Misses": {f"{RFO}:RFO_MISS": 1.0},
    "L2 Writes": {f"{RFO}:ALL_RFO": 1.0}, "L3 Writes": {f"{RFO}:RFO_MISS": 1.0}, "L2 Lines Written Back": {"L2_LINES_OUT:NON_SILENT": 1.0},
    "Memory Read Lines": {"MEM_LOAD_RETIRED:L3_MISS": 1.0, "OCR:DEMAND_RFO_DRAM": 1.0}, "L3 Store Hits": {"OCR:DEMAND_RFO_L3_HIT": 1.0}, "L3 Store Misses": {"OCR:DEMAND_RFO_DRAM": 1.0},
    "L1 Load Misses": {"MEM_LOAD_RETIRED:L1_MISS": 1.0}, "L1 Data Misses": LINES,
    "L2 Reads": {"MEM_LOAD_RETIRED:L1_MISS": 1.0}, "L2 Load Misses": {"MEM_LOAD_RETIRED:L2_MISS": 1.0},
    "L2 Data Misses": {"MEM_LOAD_RETIRED:L2_MISS": 1.0, f"{RFO}:RFO_MISS": 1.0}, "L3 Reads": {"MEM_LOAD_RETIRED:L2_MISS": 1.0},
    "L3 Load Misses": {"MEM_LOAD_RETIRED:L3_MISS": 1.0}, "L2 Data Accesses": LINES, "L3 Data Accesses": {"MEM_LOAD_RETIRED:L2_MISS": 1.0, f"{RFO}:RFO_MISS": 1.0},
    "L2 Data Hits": {"MEM_LOAD_RETIRED:L2_HIT": 1.0, "MEM_STORE_RETIRED:L2_HIT": 1.0},
    "L3 Data Hits": {"MEM_LOAD_RETIRED:L3_HIT": 1.0, "OCR:DEMAND_RFO_L3_HIT": 1.0},
    # Retired loads: ALL_DEMAND_REFERENCES would be simpler, and counts loads on wrong paths, too.
    "L2 Hits of Data and Code": {"MEM_LOAD_RETIRED:L2_HIT": 1.0, "MEM_STORE_RETIRED:L2_HIT": 1.0, f"{RFO}:CODE_RD_HIT": 1.0},
    "L2 Reads of Data and Code": {"MEM_LOAD_RETIRED:L1_MISS": 1.0, f"{RFO}:ALL_CODE_RD": 1.0},
    "L2 Writes of Data and Code": {f"{RFO}:ALL_RFO": 1.0}, "L3 Writes of Data and Code": {f"{RFO}:RFO_MISS": 1.0},
    "L3 Hits of Data and Code": {"MEM_LOAD_RETIRED:L3_HIT": 1.0, "OCR:DEMAND_CODE_RD_L3_HIT": 1.0, "OCR:DEMAND_RFO_L3_HIT": 1.0},
    "L3 Misses of Data and Code": {"MEM_LOAD_RETIRED:L3_MISS": 1.0, "OCR:DEMAND_CODE_RD_DRAM": 1.0, "OCR:DEMAND_RFO_DRAM": 1.0},
    "L3 Reads of Data and Code": {"MEM_LOAD_RETIRED:L2_MISS": 1.0, "FRONTEND_RETIRED:L2_MISS": 1.0},
    **{name: LINES | {f"{RFO}:ALL_CODE_RD": 1.0} for name in ("L1 Misses of Data and Code", "L2 Accesses of Data and Code")},
    **{name: {f"{RFO}:ALL_DEMAND_MISS": 1.0} for name in ("L2 Misses of Data and Code", "L3 Accesses of Data and Code")},
}
ZEN4 = {
    "L1 Store Misses": {"REQUESTS_TO_L2_GROUP1:RD_BLK_X": 1.0}, "L2 Writes": {"REQUESTS_TO_L2_GROUP1:RD_BLK_X": 1.0},
    "L2 Store Hits": {"CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_X": 1.0},
}


# All that miss less the code among them are data: the same lines as loads and stores that miss. What prefetchers read from L3 as well is told by programs, of which few
# run here.
ALIKE = [({f"{RFO}:ALL_DEMAND_MISS": 1.0, f"{RFO}:CODE_RD_MISS": -1.0}, GOLDEN_COVE["L2 Data Misses"]),
         ({"OCR:READS_TO_CORE_L3_HIT": 1.0}, GOLDEN_COVE["L3 Hits of Data and Code"])]


class DcacheWrite(support.Case):
    def discover(self, pmu, benchmarks, *options):
        run = support.Run("discover", "--pmu", f"software:{pmu}", "--benchmark", benchmarks, "--format", "json", *support.software_alone(), *support.BRIEFLY, *options)
        return self.expect(run, 0).json()

    def composable(self, document):
        return support.composable(support.benchmark(document, "dcache-write"))

    def test_golden_cove(self):
        found = self.composable(support.discovered_document("golden-cove"))
        self.assertEqual({name: next((other for one, other in ALIKE if one == terms), terms) for name, terms in found.items()}, GOLDEN_COVE)

    def test_what_counts_code_too_is_no_line_of_data(self):
        document = self.discover("skylake", "dcache-write", "--repetitions", "3", "--programs", "0", "--only", "LONGEST_LAT_CACHE:MISS")
        self.assertRegex(support.metric(document, "dcache-write", "Memory Read Lines")["refused"], r"^counts \S+ of L\d_\w+, the metric has \S+, and it may be off")
        self.assertTrue(support.usable(support.metric(document, "dcache-write", "L3 Misses of Data and Code")))

    def test_zen4_tells_loads_from_stores(self):
        document = support.discovered_document("zen4")
        found = self.composable(document)
        for metric, definition in ZEN4.items():
            self.assertEqual(found[metric], definition, metric)
        self.assertFalse({"L1 Lines Written Back", "L2 Lines Written Back", "Memory Write Lines", "L3 Store Hits"} & set(found))
        # Events that count stores too are refused by kernels, before any program runs.
        hits = support.metric(document, "dcache", "L3 Hits")
        self.assertFalse(support.usable(hits))
        self.assertRegex(hits["refused"], r"^counts 1 an occurrence of l3_store_hit, ")

    def test_lines_written_back(self):
        """A model that counts them, one of them beside something else."""
        folder = self.folder / "model"
        folder.mkdir()
        events = {"L1_WB": "l1d_written_back", "L2_WB": "0.5*l2_written_back", "MEMORY": "l3_written_back + l3_load_miss + l3_store_miss",
                  "READ": "l3_load_miss + l3_store_miss", "LOADS": "loads", "STORES": "stores", "MISSES": "l1d_store_miss"}
        (folder / "events.csv").write_text("event,description,expression\n" + "".join(f"{name},an event,{text}\n" for name, text in events.items()))
        (folder / "machine.csv").write_text(support.plain_machine())
        found = self.composable(self.discover(folder, "dcache-write", "--repetitions", "4", "--programs", "0"))
        self.assertEqual(found["L1 Lines Written Back"], {"L1_WB": 1.0})
        self.assertEqual(found["L2 Lines Written Back"], {"L2_WB": 2.0})
        self.assertEqual(found["Memory Write Lines"], {"MEMORY": 1.0, "READ": -1.0})
        self.assertEqual(found["Memory Read Lines"], {"READ": 1.0})
        self.assertNotIn("L1 Store Hits", found)  # stores without misses are not: some go past the caches

    def test_prefetches_are_no_misses(self):
        """Events that count what prefetchers fetch are those of misses where there are no prefetchers, and are refused where there are."""
        events = {"LOADS": "loads", "LINES_1": "l1d_load_miss + l1d_store_miss + l1d_prefetch_miss", "LINES_2": "l2_load_miss + l2_prefetch_miss",
                  "LINES_3": "l3_load_miss + l3_prefetch_miss", "HIT_3": "l3_load_hit"}
        prefetchers = {"none": {}, "of L1D": {"l1d_prefetch_ahead": 2}, "of L2": {"l2_prefetch_ahead": 4},
                       "of next lines": {"l1d_prefetch_next": 1, "l2_prefetch_next": 1}}
        defined = {}
        for name, keys in prefetchers.items():
            model = support.make_model(self.folder / name, events, interference=0, **keys)
            document = self.discover(model, "dcache", "--repetitions", "2", "--programs", "0")
            found = support.composable(support.benchmark(document, "dcache"))
            self.assertEqual(found.pop("L3 Hits", {"HIT_3": 1.0}), {"HIT_3": 1.0})  # with next lines it depends on the kernels that are left
            defined[name] = {"L1 Misses", "L2 Misses"} & set(found)
        self.assertEqual(defined, {"none": {"L1 Misses", "L2 Misses"}, "of L1D": set(), "of L2": {"L1 Misses"}, "of next lines": set()})

    def test_events_that_count_rare_misses_otherwise(self):
        """Half as much again, where no more than one access of fifty misses: only kernels in which misses are rare show it."""
        rare = "0.5 * min({}, 0.02 * (loads + stores))"
        events = {f"{name}{'_RARE' if more else ''}": f'"{fact} + {rare.format(fact)}"' if more else fact
                  for name, fact in (("LOADS", "l1d_load_miss"), ("STORES", "l1d_store_miss")) for more in (False, True)}
        for options, expected in (((), {"L1 Load Misses": {"LOADS": 1.0}, "L1 Store Misses": {"STORES": 1.0}}), (("--only", "*_RARE"), {})):
            model = support.make_model(self.folder / f"rare{len(options)}", events, interference=0)
            found = self.composable(self.discover(model, "dcache-write", "--repetitions", "2", "--programs", "0", *options))
            self.assertEqual({name: found[name] for name in found if name in ("L1 Load Misses", "L1 Store Misses")}, expected)

    def test_a_neighbour_is_no_noise_of_other_kernels(self):
        """Who takes one access of 250 moves as many hits as there are misses where these are rare."""
        model = support.make_model(self.folder / "loud", {"LOADS": "l1d_load_miss", "STORES": "l1d_store_miss", "BACK": "l1d_written_back"}, interference=0.004)
        metrics = {metric["metric"]: metric for metric in support.benchmark(self.discover(model, "dcache-write", "--repetitions", "9", "--programs", "0"), "dcache-write")["metrics"]}
        for name, event in (("L1 Load Misses", "LOADS"), ("L1 Store Misses", "STORES"), ("L1 Lines Written Back", "BACK")):
            self.assertTrue(support.usable(metrics[name]), metrics[name]["refused"])
            self.assertEqual(support.definition(metrics[name]), {event: 1.0})

    def test_evasion_changes_no_kernel(self):
        """Chains store parts of lines, which are read with write-allocate evasion, too."""
        tables = []
        for evasion in (0, 1):
            model = support.make_model(self.folder / f"model-{evasion}", {"READ": "l3_load_miss + l3_store_miss", "WRITTEN": "l3_written_back"}, interference=0)
            with open(model / "machine.csv", "a", encoding="utf-8") as machine:
                machine.write(f"write_allocate_evasion,{evasion}\n")
            out = self.folder / f"out-{evasion}"
            self.expect(support.Run("sweep", "--pmu", f"software:{model}", "--benchmark", "dcache-write", "--repetitions", "2", "--out", out, *support.software_alone()), 0)
            found = support.composable(support.benchmark(self.expect(support.Run("analyze", out, "--format", "json"), 0).json(), "dcache-write"))
            self.assertEqual(found["Memory Read Lines"], {"READ": 1.0})
            self.assertEqual(found["Memory Write Lines"], {"WRITTEN": 1.0})
            tables.append([line for line in (out / "dcache-write.csv").read_text().splitlines() if line[0] != "#"])
        self.assertEqual(*tables)


if __name__ == "__main__":
    support.main()
