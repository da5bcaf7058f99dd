"""Regions of C++ and Fortran programs: the examples, compiled, and counted under the emulated PMU."""

import json
import os
import shutil
import subprocess

import support

LIBRARY = os.environ["CATMINT_LIBRARY"]


class Languages(support.Case):
    def count(self, compiler, example):
        if shutil.which(compiler) is None:
            self.skipTest(f"{compiler} is not installed")
        program, counts = self.folder / "regions", self.folder / "counts.json"
        own = ["-J", self.folder] if compiler == "gfortran" else ["-Werror", "-I", support.SOURCE / "include", "-I", os.environ["CATMINT_INCLUDE"]]
        subprocess.run([compiler, "-O2", "-Wall", "-Wextra", *own, support.SOURCE / "docs/examples" / example, "-o", program, LIBRARY,
                        f"-Wl,-rpath,{os.path.dirname(LIBRARY)}"], check=True)
        run = support.Run("count", "--regions", "--mix", "--pmu", "software", "--format", "json", "--output", counts, "--", program)
        if "the emulated PMU needs" in run.err:
            self.skipTest(run.err.strip())
        self.expect(run, 0, out="1000")
        scope, = json.loads(counts.read_text())["scopes"]
        facts = {entry["event"]: entry["value"] for entry in scope["events"]}
        self.assertEqual((scope["name"], scope["calls"]), ("dot", 1))
        lanes = {"scalar": 1, "128": 2, "256": 4}
        self.assertEqual(sum(times * (facts[f"fp_d_{width}"] + 2 * facts[f"fp_d_{width}_fma"]) for width, times in lanes.items()), 2000)

    def test_cpp(self):
        self.count("g++", "regions.cpp")

    def test_fortran(self):
        self.count("gfortran", "regions.f90")


if __name__ == "__main__":
    support.main()
