"""catmint without PAPI counts by the software PMU all the same; without Zydis, too, it imports and analyses; for a big-endian processor it is
not built. It is built once, not optimised, and once more where only that differs."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

import support

CMAKE = os.environ["CATMINT_CMAKE"]
PAPER = support.RECORDED["branch"]


def run(*command, **changes):
    return subprocess.run([str(part) for part in command], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=1200,
                          check=False, env=support.environment(**changes))


class Optional(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="catmint-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = pathlib.Path(folder.name)

    def build(self, *options):
        for command in (("-S", support.SOURCE, "-B", self.folder / "build", "-G", "Ninja", "-DBUILD_TESTING=OFF", "-DCMAKE_BUILD_TYPE=Debug",
                         "-DCMAKE_C_FLAGS_DEBUG=-O0", "-DCATMINT_WARNINGS_AS_ERRORS=ON", *options),
                        ("--build", self.folder / "build", "--target", "catmint_program")):
            done = run(CMAKE, *command)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def catmint(self, *arguments, code=0):
        done = run(self.folder / "build/bin/catmint", *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def test_without(self):
        self.build("-DCATMINT_PAPI=OFF")
        with self.subTest("PAPI"):
            self.without_papi()
        self.build("-DCATMINT_PAPI=OFF", "-DCATMINT_ZYDIS=OFF", "-DCATMINT_ARCHIVE=OFF")
        with self.subTest("Zydis"):
            self.without_zydis()

    def without_papi(self):
        libraries = run("ldd", self.folder / "build/lib/libcatmint.so").stdout
        self.assertNotIn("papi", libraries)
        events = json.loads(self.catmint("events", "--pmu", "software", "--format", "json").stdout)
        self.assertEqual((events["papi"], [component["component"] for component in events["components"]]), ("", ["sde"]))
        self.assertTrue(all(event["countable"] for event in events["events"]))
        self.assertIn("PAPI none", self.catmint("events").stdout)
        self.assertIn("this catmint was built without PAPI", self.catmint("events", "--pmu", "hardware", code=4).stderr)
        results, directory = self.folder / "results.json", self.folder / "sweep"
        self.catmint("sweep", "--pmu", "software", "--benchmark", "branch", "--out", directory)
        self.catmint("analyze", directory, "--format", "json", "--output", results)
        found = {metric["metric"]: [(term["event"], round(term["coefficient"], 3)) for term in metric["terms"]]
                 for entry in json.loads(results.read_text())["benchmarks"] for metric in entry["metrics"] if support.usable(metric)}
        self.assertEqual(found["All Branches"], [("BR_INST_RETIRED:ALL_BRANCHES", 1)])
        self.assertIn("PRESET,PAPI_BR_INS,NOT_DERIVED,BR_INST_RETIRED:ALL_BRANCHES",
                      self.catmint("export", results, "--to", "papi", "--cpu", "spr", code=1).stdout)  # what cannot be composed is left out
        self.catmint("validate", directory, "--programs", "4")

    def without_zydis(self):
        refused = self.catmint("discover", "--pmu", "software", code=4).stderr
        self.assertIn("this catmint has no software PMU", refused)
        self.assertIn("1 x BR_MISP_RETIRED", self.catmint("analyze", "--benchmark", "branch", PAPER).stdout)

    def test_big_endian_is_refused(self):
        if shutil.which("clang") is None:
            self.skipTest("clang, which compiles for other processors, is not installed")
        target = ("-DCMAKE_C_COMPILER=clang", "-DCMAKE_C_COMPILER_TARGET=aarch64_be-linux-gnu", "-DCMAKE_ASM_COMPILER=clang",
                  "-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY", "-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64_be")
        done = run(CMAKE, "-S", support.SOURCE, "-B", self.folder / "big", "-G", "Ninja", *target)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("catmint is for little-endian processors", done.stderr)


if __name__ == "__main__":
    support.main()
