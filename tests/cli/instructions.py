"""instructions, live: kinds of instructions by what processors count of them."""

import support

ANY = "MEM_INST_RETIRED:LOCK_LOADS"
INTEGERS, PACKED = "RETIRED_INT_OPS:SSE_AVX", "PACKED_INT_OPS_RETIRED:INT"
KINDS = ("ADD", "SUB", "MUL", "CMP", "SHIFT", "SHUFFLE", "LOGICAL")
# What each model can tell, and nothing else: of integers in general registers no processor here has more than divisions.
EXPECTED = {
    "golden-cove": {"Instructions": {"INST_RETIRED:ANY": 1.0}, "Nops": {"INST_RETIRED:NOP": 1.0}, "Atomics": {ANY: 1.0},
                    "Load Fences": {"MISC2_RETIRED:LFENCE": 1.0}, "128-bit Integer Additions": {"INT_VEC_RETIRED:ADD_128": 1.0},
                    "256-bit Integer Additions": {"INT_VEC_RETIRED:ADD_256": 1.0}},
    "skylake": {"Instructions": {"INST_RETIRED:ANY_P": 1.0}, "Pauses": {"ROB_MISC_EVENTS:PAUSE_INST": 1.0}, "Atomics": {ANY: 1.0}},
    "zen4": {"Instructions": {"RETIRED_INSTRUCTIONS": 1.0}, "Vector Instructions": {"RETIRED_MMX_FP_INSTRUCTIONS:SSE_INSTR": 1.0},
             "Integer Divides": {"DIV_OP_COUNT": 1.0}, "AES Instructions": {f"{INTEGERS}_AES": 1.0},
             "Vector Integer Instructions": {f"{INTEGERS}_{kind}": 1.0 for kind in KINDS},
             "128-bit Integer Additions": {f"{PACKED}128_ADD": 1.0, f"{PACKED}128_SUB": 1.0},
             "256-bit Integer Additions": {f"{PACKED}256_ADD": 1.0, f"{PACKED}256_SUB": 1.0}},
}
NEEDS = {"256-bit Integer Additions": "ADD_256", "AES Instructions": "AES"}


class Instructions(support.Case):
    def discover(self, pmu, *options):
        run = support.Run("discover", "--pmu", f"software:{pmu}", "--benchmark", "instructions", "--repetitions", "3", *support.BRIEFLY, "--format", "json",
                          *support.software_alone(), *options)
        return support.benchmark(self.expect(run, 0).json(), "instructions")

    def test_models(self):
        for model, expected in EXPECTED.items():
            with self.subTest(model):
                # Other benchmarks' kernels refuse one of zen4's.
                entry = self.discover(model, "--programs", "16") if model == "zen4" else support.benchmark(support.discovered_document(model), "instructions")
                here = {metric: terms for metric, terms in expected.items() if NEEDS.get(metric, "ADD") in entry["symbols"]}
                self.assertEqual(support.composable(entry), here)
                for metric in entry["metrics"]:
                    if support.usable(metric) and metric["validation"]:  # not each is in one of the programs
                        self.assertEqual(metric["validation"]["failed"], 0, metric["metric"])
                    elif not support.usable(metric):
                        self.assertTrue(metric["refused"], metric["metric"])

    def test_what_is_locked_is_told_from_what_updates(self):
        """zen4 counts what loads and stores at once, with a lock or without."""
        atomics = next(metric for metric in self.discover("zen4", "--programs", "0")["metrics"] if metric["metric"] == "Atomics")
        self.assertRegex(atomics["refused"], r"^(counts|loses) 1 an occurrence of .*\bupdates\b")

    def test_time_is_not_measured(self):
        """Cycles and slots of a processor that was stepped are noise, and part of nothing."""
        entry = self.discover("golden-cove", "--programs", "0")
        status = {event["event"]: event["status"] for event in entry["events"]}
        for event in ("CPU_CLK_UNHALTED:THREAD", "UNHALTED_CORE_CYCLES", "TOPDOWN:SLOTS"):
            self.assertIn(status[event], ("noisy", "unrepresentable"), event)
        self.assertFalse([terms for terms in support.composable(entry).values() if any("CLK" in event or "SLOTS" in event for event in terms)])

    def test_what_scatters_is_not_nothing(self):
        """Counts that differ between repetitions by as much as they are, as those of time on a busy machine."""
        lines = (support.SOURCE / "bases/branch.csv").read_text().splitlines()
        kernels = [line.split(",")[0] for line in lines if not line.startswith("#")][1:]
        rows = [["event", "repetition", "thread", *kernels, "empty"], ["iterations", "0", "0", *["1000"] * len(kernels), "1"]]
        for repetition in range(5):
            rows.append(["TIME", str(repetition), "0", *(str(20000 * (1, 9, 2, 5, 10)[(3 * repetition + k) % 5]) for k in range(len(kernels))), "0"])
            rows.append(["FEW", str(repetition), "0", *(str((repetition + k) % 3) for k in range(len(kernels))), "0"])
        table = self.write("table.csv", "".join(",".join(row) + "\n" for row in rows))
        document = self.expect(support.Run("analyze", table, "--benchmark", "branch", "--format", "json"), 0, err=None).json()
        status = {event["event"]: event["status"] for event in support.benchmark(document, "branch")["events"]}
        self.assertEqual(status, {"TIME": "noisy", "FEW": "zero"})

    def test_made_of_kinds(self):
        """A model that counts every kind adds up to integers and to vectors; one that counts a kind twice does not."""
        kinds = ("add", "mul", "div", "logic", "shift", "compare", "address")
        events = {f"INT:{kind.upper()}": f"int_scalar_{kind}" for kind in kinds}
        folder = support.make_model(self.folder / "model", events | {"NOPS": "nops + 0.5*pauses"})
        found = support.composable(self.discover(folder))
        self.assertEqual(found["Integer Instructions"], {event: 1.0 for event in events})
        self.assertNotIn("Nops", found)
        folder = support.make_model(self.folder / "model", events | {"INT:LOGIC": "int_scalar_logic + 0.1*int_scalar_move"})
        sums = next(metric for metric in self.discover(folder, "--programs", "0")["metrics"] if metric["metric"] == "Integer Instructions")
        self.assertFalse(sums["composable"])


if __name__ == "__main__":
    support.main()
