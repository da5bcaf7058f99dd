"""Made-up machines, and their rooflines as `catmint roofline` draws them."""

import json
import xml.etree.ElementTree

import support

SVG = "{http://www.w3.org/2000/svg}"
COLUMNS = "name,flops,l1_bytes,memory_bytes,seconds,cores\n"


def ceiling(kind, operation, vectors, rate, **changes):
    return {"kind": kind, "operation": operation, "vectors": vectors, "precision": "double", "level": "", "bytes": 0, "cores": 1,
            "undisturbed": 9, "rate": [0.99 * rate, rate, 1.01 * rate], "rounds": [0.97 * rate, 0.98 * rate, rate], "clock": [2e9, 2e9, 2e9], **changes}


def machine(**changes):
    """One core at 2 GHz: 64 Gflop/s, 128, 32 and 8 GB/s."""
    ceilings = [ceiling("flops", "fma", "AVX", 64e9), ceiling("flops", "fma", "scalar", 8e9), ceiling("flops", "add", "AVX", 32e9)]
    for level, rate in (("L1", 128e9), ("L2", 32e9), ("memory", 8e9)):
        ceilings += [ceiling("bandwidth", "load", "AVX", rate, level=level, bytes=1e4), ceiling("bandwidth", "store_nt", "AVX", 9e9, level=level, bytes=1e4)]
    ceilings += [ceiling("sweep", "triad", "AVX", 1e11 / size, level="L1", bytes=1e4 * size) for size in (1, 2, 4, 8)]
    return {"schema": "catmint.machine/1", "processor": "A <processor>", "caches": [32768, 1048576, 0], "rounds": 4, "repetitions": 9,
            "ceilings": ceilings, "points": [], **changes}


class Drawn(support.Case):
    def setUp(self):
        super().setUp()
        self.out = self.folder / "out"

    def draw(self, document, *options, code=0):
        file = self.write("given.json", json.dumps(document))
        return self.expect(support.Run("roofline", "--machine", file, "--out", self.out, *options), code)

    def points(self, text):
        return "--points", self.write("points.csv", COLUMNS + text)

    def svg(self, name):
        return xml.etree.ElementTree.parse(self.out / name).getroot()

    def words(self, root):
        return ["".join(text.itertext()) for text in root.iter(SVG + "text")]
