"""Made-up machines and mixes, what equations 1 to 4 make of them, and projections of them."""

import json
import os
import shutil
import subprocess

import support

LEVELS = ("L1", "L2", "L3", "MEM")

# Three levels, worked by hand: the source has vectors of 128 bits, the target of 512.
SOURCE = {"performance": 16, "vector_bits": 128, "bandwidth:L1": 100, "bandwidth:L2": 40, "bandwidth:MEM": 10}
TARGET = {"performance": 60, "vector_bits": 512, "bandwidth:L1": 300, "bandwidth:L2": 80, "bandwidth:MEM": 30}
UNITS = {"performance": "GFLOP/s", "vector_bits": "bits", "clock": "GHz"}
MIX = {"operations": (1000, 1000), "fp_instructions": (500, 200), "bytes:L1": (4000, 3000), "bytes:L2": (800, 800),
       "bytes:MEM": (200, 200), "performance": (1.5, None)}

# Lines of 64 bytes: 1000 operations with 4000 bytes, of which 800 came from L2, 320 of them from memory.
MOVED = {**MIX, "moved:L1": (4000, 3000), "moved:L2": (800, 1600), "moved:L3": (320, 320), "moved:MEM": (320, 320)}


def machine(values, spread=0.0):
    rows = [(name, value, value * (1 - spread) if spread else "", value * (1 + spread) if spread else "", UNITS.get(name, "GB/s"), "made up")
            for name, value in values.items()]
    return "quantity,value,lowest,highest,unit,source\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


def ceiling(kind, operation, vectors, level, cores, *rate, **more):
    return {"kind": kind, "operation": operation, "vectors": vectors, "precision": "double", "level": level, "bytes": 0 if kind == "flops" else 24000,
            "cores": cores, "undisturbed": 3, "rate": [value * 1e9 for value in rate], "clock": [1e9, 1e9, 1e9], **more}


def measured(ceilings):
    """As `catmint roofline` writes it."""
    return json.dumps({"schema": "catmint.machine/1", "processor": "made up", "caches": [32768, 1048576, 0], "repetitions": 3, "ceilings": ceilings, "points": []})


def mix(values, *programs):
    rows = [(name, *("" if value is None else value for value in cells)) for name, cells in values.items()]
    return "".join(",".join(map(str, row)) + "\n" for row in [("quantity", *programs), *rows])


def weighted(machine, operations, instructions):
    """Equation 2."""
    return machine["performance"] / (2 * machine["vector_bits"] / 64) * operations / instructions


def projections(source, target, mixes, measured):
    """Equations 1, 3 and 4 for every pair of a level's intensity and a level's roofline."""
    found = {}
    for i, level in enumerate(LEVELS):
        if f"bytes:{level}" not in mixes:
            continue
        intensity = [mixes["operations"][side] / sum(mixes.get(f"bytes:{beyond}", (0, 0))[side] for beyond in LEVELS[i:]) for side in (0, 1)]
        for roof in LEVELS:
            if f"bandwidth:{roof}" not in source or f"bandwidth:{roof}" not in target:
                continue
            tops = [min(one[f"bandwidth:{roof}"] * intensity[side], weighted(one, mixes["operations"][side], mixes["fp_instructions"][side]))
                    for side, one in enumerate((source, target))]
            found[level, roof] = measured / tops[0] * tops[1]
    return found


class Projected(support.Case):
    def project(self, source, target, *mixes, options=(), code=0, **expected):
        source = source if os.path.isabs(source) else self.write("source.csv", source)
        target = target if os.path.isabs(target) else self.write("target.csv", target)
        files = [entry if os.path.isabs(entry) else self.write(f"mix{i}.csv", entry) for i, entry in enumerate(mixes)]
        run = support.Run("project", "--from", source, "--to", target, *(word for file in files for word in ("--mix", file)), *options)
        return self.expect(run, code, **expected)


class Counting(support.Case):
    """Mixes of programs, counted."""

    def count(self, program, *options):
        out = self.folder / f"{program.name}-{len(options)}{options[-1] if options else ''}.json"
        done = subprocess.run([support.PROGRAM, "count", "--mix", "--pmu", "software", "--format", "json", "--output", out, *options, "--", program],
                              env=support.environment(), capture_output=True, text=True, check=False)
        if done.returncode == 125 and "the emulated PMU needs" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.returncode, 0, done.stderr)
        return out

    def build(self, name, compiler, text):
        if shutil.which(compiler) is None:
            self.skipTest(f"{compiler} is not installed")
        source = self.write(f"{name}.S", text)
        subprocess.run([compiler, "-nostdlib", "-static", "-o", self.folder / name, source], check=True)
        return self.folder / name

    def table(self, file):
        document = json.loads(file.read_text())
        return {**{entry["event"]: entry["value"] for entry in document["scopes"][0]["events"]}, "vector_bits": document["vector_bits"]}
