"""What the tests of folders share: commands that write into one, and what is in it."""

import json
import os

import support

CAT = support.SOURCE / "tests/data/cat"
# The benchmarks that are counted fastest.
SWEEP = ("sweep", "--pmu", "software", "--benchmark", "cpu-flops,instructions", "--repetitions", "2", "--component", "sde")
OLD, NEW = ("--events", "BR_INST_RETIRED:*"), ("--events", "BR_MISP_RETIRED:*")
FILES = ["cpu-flops.csv", "events.csv", "instructions.csv", "manifest.json"]


def names(folder):
    """Of what is in a folder; together.json is there where a definition has been tried."""
    return sorted(path.name for path in folder.iterdir() if path.name != "together.json")


def contents(folder):
    """Of all files below: what was there before must be there after, byte for byte."""
    return {str(path.relative_to(folder)): os.readlink(path) if path.is_symlink() else path.read_bytes()
            for path in folder.rglob("*") if path.is_symlink() or path.is_file()}


def results(folder, *arguments):
    """All that analyze says, without what differs from run to run; or why it says nothing."""
    run = support.Run("analyze", folder, "--method", "paper", "--tau", "inf", "--format", "json", *arguments)  # the faster one
    if run.code != 0:
        return f"{run.code}: {run.err}"
    return [(entry["benchmark"], entry["kernels"], sorted(event["event"] for event in entry["events"]))
            for entry in run.json()["benchmarks"]]


class Folders(support.Case):
    COMMAND = SWEEP

    def sweep(self, out, *arguments, code=0, err=None, **changes):
        return self.expect(support.Run(*self.COMMAND, "--out", out, *arguments, **changes), code, err, out="")

    def swept(self, name, *arguments):
        self.sweep(self.folder / name, *arguments)
        return self.folder / name

    def exports(self):
        path = self.write("results.json", json.dumps(support.sapphire_rapids()))
        return lambda out, counters: ("export", "--to", "likwid", path, "--counters", counters, "--output", out)
