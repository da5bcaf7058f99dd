"""Every model that comes with catmint: it is read, all of its events are evaluated from kept facts, and its names and codes are libpfm4's."""
import csv
import ctypes
import ctypes.util
import os
import pathlib
import tempfile
import unittest

from support import SOURCE, Run

MODELS = sorted(path.parent.name for path in (SOURCE / "data/pmu").glob("*/events.csv"))


def rows_of(path):
    return list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))


def is_of_gpu(model):
    return "\ngpu," in (SOURCE / f"data/pmu/{model}/machine.csv").read_text() if (SOURCE / f"data/pmu/{model}/machine.csv").exists() else False


class Models(unittest.TestCase):
    def test_there_are_many(self):
        self.assertGreaterEqual(len([model for model in MODELS if not is_of_gpu(model)]), 50)

    def test_every_event_is_evaluated_from_kept_facts(self):
        for model in MODELS:
            if is_of_gpu(model):
                continue
            with self.subTest(model), tempfile.TemporaryDirectory() as folder:
                run = Run("sweep", "--pmu", f"software:{model}", "--facts", "kept", "--out", f"{folder}/sweep")
                self.assertEqual(run.code, 0, run)
                counted = {row["event"] for row in rows_of(pathlib.Path(folder) / "sweep/events.csv") if row["status"] == "counted"}
                unknown = {row["event"] for row in rows_of(pathlib.Path(folder) / "sweep/events.csv") if row["status"] == "unavailable"}
                listed = rows_of(SOURCE / f"data/pmu/{model}/events.csv")
                self.assertEqual(counted, {row["event"] for row in listed if row["expression"] != "unknown"})
                self.assertEqual(unknown, {row["event"] for row in listed if row["expression"] == "unknown"})

    def test_formulas_are_audited_against_a_model(self):
        with tempfile.TemporaryDirectory() as folder:
            formulas = pathlib.Path(folder) / "formulas.csv"
            formulas.write_text("metric,formula,unit,source\nLoads,MEM_UOPS_RETIRED:ALL_LOADS,,\nStores,MEM_UOPS_RETIRED:ALL_LOADS,,\n")
            run = Run("audit", formulas, "--pmu", "software:haswell")
            self.assertEqual((run.code, run.err), (1, ""), run)
            self.assertRegex(run.out, r"(?m)^Not tried +what hsw does not execute: AVX512")
            self.assertRegex(run.out, r"(?m)^right.* Loads +Loads")
            self.assertRegex(run.out, r"(?m)^wrong +Stores +Stores")
            for option in (("--benchmark", "branch"), ("--events", "X*"), ("--repetitions", "2"), ("--resume",)):
                refused = Run("sweep", "--pmu", "software:haswell", "--facts", "kept", "--out", f"{folder}/out", *option)
                self.assertEqual((refused.code, refused.out), (2, ""), refused)
                self.assertIn("--facts takes all counts", refused.err)

    def test_each_row_says_its_source(self):
        for model in MODELS:
            if (SOURCE / f"data/pmu/{model}/inherits").exists():
                text = (SOURCE / f"data/pmu/{model}/events.csv").read_text()
                for row in rows_of(SOURCE / f"data/pmu/{model}/events.csv"):
                    self.assertIn(row["source"], ("pfm", "likwid", "papi"), (model, row["event"]))
                    self.assertIn(f"{row['source']}: ", text, model)

    def test_names_are_libpfm4s(self):
        """Of the processors that the installed library has tables of: those of its own architecture, as old as it is."""
        if ctypes.util.find_library("pfm") is None:
            self.skipTest("libpfm4 is not installed")
        os.environ["LIBPFM_ENCODE_INACTIVE"] = "1"
        library = ctypes.CDLL(ctypes.util.find_library("pfm"))
        library.pfm_initialize()
        pmus = {}
        for row in rows_of(SOURCE / "data/upstream.csv"):
            pmus.setdefault(row["model"], []).append(row["cpu"])
        held, lacking = [], []
        for model in MODELS:
            if (SOURCE / f"data/pmu/{model}/inherits").exists():
                names = [row["event"] for row in rows_of(SOURCE / f"data/pmu/{model}/events.csv") if row["source"] == "pfm"]
                missing = [name for name in names if all(library.pfm_find_event(f"{pmu}::{name}".encode()) < 0 for pmu in pmus.get(model, []))]
                held += [model] if len(missing) < len(names) else []
                lacking += [f"{model} {name}" for name in missing if len(missing) < len(names)]
        self.assertEqual(lacking, [])
        print(f"held against libpfm4: {', '.join(held) or 'none: it has no such processor'}")


if __name__ == "__main__":
    unittest.main(verbosity=0)
