"""LIKWID lists and parses the groups that catmint exports."""

import json
import os
import re
import shutil
import subprocess

import support

CLIENT = os.environ.get("CATMINT_CLIENT_LIKWID", "")
ICELAKE = os.environ.get("CATMINT_CLIENT_LIKWID_ICELAKE", "")
ARCHITECTURE = "ICX"


class Likwid(support.Case):
    def setUp(self):
        super().setUp()
        if not CLIENT:
            self.skipTest("likwid.h and LIKWID's library are not there")
        document = support.sapphire_rapids()
        self.groups = self.folder / ".likwid/groups" / ARCHITECTURE
        self.groups.parent.mkdir(parents=True)
        (self.folder / "none" / ARCHITECTURE).mkdir(parents=True)
        path = self.write("results.json", json.dumps(document))
        self.expect(support.Run("export", "--to", "likwid", path, "--counters", "8", "--output", self.groups), 1, err=r"\A[^\n]*not composable[^\n]*\n\Z")
        self.names = sorted(path.stem for path in self.groups.glob("*.txt"))
        self.assertEqual(self.names, ["BRANCH_CATMINT", "CPU_FLOPS_CATMINT", "DCACHE_CATMINT", "FLOPS_DP_CATMINT", "FLOPS_SP_CATMINT"])

    def run_client(self, *command, **variables):
        done = subprocess.run([*map(str, command)], env=support.environment(HOME=str(self.folder), **variables),
                              capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    def test_library(self):
        """Its own parser finds the events, counters, metrics and formulas that stand in the files."""
        for name in self.names:
            code, out, err = self.run_client(CLIENT, self.folder / "none", ARCHITECTURE, name)
            self.assertEqual(code, 0, err)
            lines = [line.split("\t") for line in out.splitlines()]
            text = (self.groups / f"{name}.txt").read_text()
            head, events, metrics, _ = re.fullmatch(r"(?:# [^\n]*\n)+SHORT ([^\n]*)\n\nEVENTSET\n(.*?)\n\nMETRICS\n(.*?)\n\nLONG\n(.*)", text,
                                                    re.DOTALL).groups()
            self.assertIn(["listed", name, head], lines)
            self.assertEqual([line[1:] for line in lines if line[0] == "event"], [line.split() for line in events.splitlines()])
            self.assertEqual([line[1:] for line in lines if line[0] == "metric"],
                             [line.rsplit(" ", 1) for line in metrics.splitlines()])
            self.assertGreater(len(metrics.splitlines()), 1)

    def test_program(self):
        """likwid-perfctr lists and explains them, where it is told of a processor that it knows."""
        program = shutil.which("likwid-perfctr")
        if program is None:
            self.skipTest("likwid-perfctr is not there")
        icelake = support.preloading(ICELAKE)
        _, out, err = self.run_client(program, "-a", **icelake)
        if "FLOPS_DP" not in out:
            self.skipTest(f"likwid-perfctr lists no groups of {ARCHITECTURE}: {err}")
        for name in self.names:
            self.assertRegex(out, rf"(?m)^ *{name}\s+\S+ by catmint, group 1 of 1$")
            _, told, _ = self.run_client(program, "-H", "-g", name, **icelake)
            self.assertIn(f"Group {name}:", told)
            self.assertIn("backward error", told)


if __name__ == "__main__":
    support.main()
