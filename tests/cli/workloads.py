"""Bytes and arithmetic intensity of STREAM and a matrix product, live, on a model that counts accesses by width: what the algorithms move."""

import csv

import support

WIDTHS = (1, 2, 4, 8, 16, 32, 64)
VECTORS = ("scalar", "128", "256", "512")
METRICS = ("DP Ops.", "Load Bytes", "Store Bytes")
SIDE = 32  # of the matrices
WITHIN = 0.01


class Workloads(support.Case):
    def setUp(self):
        super().setUp()
        events = {f"LOADS:W{width}": f"loads_{width}" for width in WIDTHS} | {f"STORES:W{width}": f"stores_{width}" for width in WIDTHS}
        events |= {f"FP:{vector}": f"fp_d_{vector} + 2*fp_d_{vector}_fma" for vector in VECTORS}
        pmu = ["--pmu", f"software:{support.make_model(self.folder / 'model', events)}"]
        out = self.folder / "out"
        self.expect(support.Run("sweep", *pmu, "--benchmark", "cpu-flops,mem-ops", "--repetitions", "2", "--out", out, *support.software_alone()), 0, out="")
        self.expect(support.Run("validate", out, *pmu, "--workloads", "--programs", "1"), 0)
        document = self.expect(support.Run("analyze", out, "--format", "json"), 0).json()
        self.definitions = {metric: terms for entry in document["benchmarks"] for metric, terms in support.composable(entry).items()}
        self.counts = self.read(out / "validation-workloads/workloads.csv")

    def read(self, path):
        """{workload: {event: count}}, without what the empty one counts."""
        with open(path, newline="", encoding="utf-8") as stream:
            rows = list(csv.reader(line for line in stream if not line.startswith("#")))
        first = {row[0]: [float(count) for count in row[3:]] for row in rows[1:] if row[1] == "1"}
        self.assertEqual(rows[0][3], "empty")
        return {name: {event: counts[i] - counts[0] for event, counts in first.items()} for i, name in enumerate(rows[0][3:]) if i > 0}

    def values(self, name):
        return [sum(weight * self.counts[name][event] for event, weight in self.definitions[metric].items()) for metric in METRICS]

    def near(self, value, expected, message):
        self.assertLessEqual(abs(value - expected), WITHIN * expected, message)

    def test_bytes_and_intensity(self):
        streams = [name for name in self.counts if name.startswith("stream-")]
        products = [name for name in self.counts if name.startswith(("matrix-default.", "matrix-transposed."))]
        self.assertGreaterEqual(min(len(streams), len(products)), 4)
        for name in streams:  # a[i] = b[i] + s * c[i]: two operations, 16 bytes read and 8 written
            operations, loaded, stored = self.values(name)
            self.near(loaded, 8 * operations, name)
            self.near(stored, 4 * operations, name)
            self.near(operations / (loaded + stored), 1 / 12, name)
        steps = SIDE ** 3
        for name in products:  # c += a * b: the sum stays in a register, and is written at each step or, as a compiler may have it, once
            operations, loaded, stored = self.values(name)
            self.assertEqual(operations, 2 * steps, name)
            self.near(loaded, 16 * steps + 8 * SIDE ** 2, name)
            written = min((8 * steps, 8 * SIDE ** 2), key=lambda bytes_: abs(bytes_ - stored))
            self.near(stored, written, name)
            self.near(operations / (loaded + stored), 2 * steps / (16 * steps + 8 * SIDE ** 2 + written), name)


if __name__ == "__main__":
    support.main()
