"""Plots of projections: what they draw against the document, and what happens to files that are there."""

import math
import re
import xml.etree.ElementTree

import support
from projecting import MIX, MOVED, SOURCE, TARGET, Projected, machine, mix

SVG = "{http://www.w3.org/2000/svg}"


class Plots(Projected):
    def draw(self, *mixes, options=(), code=0, **expected):
        self.plots = self.folder / "plots"
        run = self.project(machine(SOURCE), machine(TARGET), *mixes, options=("--format", "json", "--plots", self.plots, *options), code=code, **expected)
        return run.json() if run.out else None

    def svg(self, name):
        return xml.etree.ElementTree.parse(self.plots / name).getroot()

    def elements(self, root, tag, css):
        return [one for one in root.iter(SVG + tag) if css in one.get("class", "").split()]

    def place(self, mark):
        return [float(part) for part in re.match(r"M([\d.]+) ([\d.]+)", mark.get("d")).groups()]

    def test_a_cross_for_each_projection(self):
        """Heights are logarithms of GFLOP/s, and those of the box the interval's ends."""
        document = self.draw(mix(MIX, "here", "there"))
        interval, = document["intervals"]
        self.assertEqual(sorted(path.name for path in self.plots.glob("*.svg")), ["projection-1.svg", "projections.svg"])
        root = self.svg("projection-1.svg")
        crosses = [mark for mark in self.elements(root, "path", "projected") if mark.find(SVG + "title") is not None]
        values = [pair["projected"]["value"] for pair in interval["projections"]]
        self.assertEqual([mark.find(SVG + "title").text for mark in crosses],
                         [f"{value:.4g} GFLOP/s by the intensity of {pair['intensity_of']} in the roofline of {pair['roofline_of']}"
                          for value, pair in zip(values, interval["projections"])])
        heights = [self.place(mark)[1] for mark in crosses]
        low, high = values.index(min(values)), values.index(max(values))
        scale = (heights[low] - heights[high]) / math.log10(values[high] / values[low])
        for value, height in zip(values, heights):
            self.assertAlmostEqual(height, heights[low] - scale * math.log10(value / values[low]), delta=0.3)
        box = {round(float(line.get(end))) for line in self.elements(root, "line", "interval") for end in ("y1", "y2")}
        self.assertEqual(len(box), 2)
        self.assertAlmostEqual(max(box) - min(box), scale * math.log10(max(values) / min(values)), delta=1.1)
        # Three levels, the performance and the mix's, and the legend; the measured speed at each of three intensities.
        self.assertEqual([len(self.elements(root, "line", side)) for side in ("source", "target")], [6, 6])
        self.assertEqual(len([mark for mark in self.elements(root, "path", "measured") if mark.find(SVG + "title") is not None]), 3)
        self.assertEqual({line.get("class") for line in self.elements(root, "line", "mix")}, {"source mix", "target mix"})

    def test_a_row_for_each_case(self):
        columns = {name: (*cells, cells[1]) for name, cells in MOVED.items()}
        columns["operations"] = (1000, 1000, 2000)
        document = self.draw(mix(columns, "here", "gcc", "a <b>"), options=("--memory-bandwidth", "DDR4=30,HBM2=90"), err=None)
        root = self.svg("projections.svg")
        words = [text.text for text in root.iter(SVG + "text")]
        self.assertEqual([word for word in words if word and " bits" in word],
                         [f"{name}, 512 bits, {memory}" for name in ("gcc", "a <b>") for memory in ("DDR4", "HBM2")])
        for css, key in (("value", "interval"), ("worst", "bound")):
            drawn = [mark.find(SVG + "title").text for mark in self.elements(root, "path", css) if mark.find(SVG + "title") is not None]
            ends = [one["interval"] if key == "interval" else one["bound"]["interval"] for one in document["intervals"]]
            self.assertEqual(drawn, [f"{value:.4g} GFLOP/s" for pair in ends for value in pair])
        self.assertEqual(len(list(self.plots.glob("projection-*.svg"))), 4)

    def test_what_has_no_operations_in_a_level(self):
        """An infinite intensity stands at the right end."""
        self.draw(mix({**MIX, "bytes:L2": (0, 0), "bytes:MEM": (0, 0)}, "here", "there"), options=("--least-share", "0"), err=None)
        for mark in self.elements(self.svg("projection-1.svg"), "path", "projected"):
            self.assertTrue(all(math.isfinite(value) for value in self.place(mark)))

    def test_files_that_are_there(self):
        self.draw(mix(MIX, "here", "there"), options=("--memory-bandwidth", "30,60"))
        (self.plots / "mine.svg").write_text("mine")
        self.draw(mix(MIX, "here", "there"))
        self.assertEqual(sorted(path.name for path in self.plots.glob("*.svg")), ["mine.svg", "projection-1.svg", "projections.svg"])
        self.project(machine(SOURCE), machine(TARGET), mix(MIX, "a", "b"), options=("--plots", ""), code=2, err="--plots: expected a path")
        self.project(machine(SOURCE), machine(TARGET), mix(MIX, "a", "b"), options=("--plots", self.plots / "mine.svg"), code=4, err=r"mine\.svg")


if __name__ == "__main__":
    support.main()
