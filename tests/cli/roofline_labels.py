"""Texts of rooflines keep off each other, off lines and off marks."""

import math
import re

import support
from rooflines import SVG, Drawn, ceiling, machine

LETTERS = {"tick": 6.3, "limit-text": 6.3, "name": 6.62}  # widths of DejaVu Sans at 12 pixels on average, and of its letters of one width at 11


class Box:
    """A rectangle that rises by an angle: corners, and the directions of its sides."""

    def __init__(self, what, x, y, degrees, left, right, below, above):
        self.what = what
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        self.sides = (cosine, -sine), (sine, cosine)
        self.corners = [(x + along * cosine - up * sine, y - along * sine - up * cosine) for along in (left, right) for up in (-below, above)]

    def meets(self, other):
        for x, y in self.sides + other.sides:
            mine, others = ([corner[0] * x + corner[1] * y for corner in one.corners] for one in (self, other))
            if max(mine) <= min(others) or max(others) <= min(mine):
                return False
        return True


class Labels(Drawn):
    """No text stands on another one, on a mark, or on a line, where there is room for all: by boxes of letters of usual widths."""

    def texts(self, root):
        for text in root.iter(SVG + "text"):
            kind = text.get("class")
            words = text.text or ""
            if kind not in LETTERS or "tspan" in "".join(child.tag for child in text) or re.fullmatch(r"[0-9.e+-]+|10", words):
                continue
            degrees = 0.0
            if text.get("transform") is not None:
                x, y, degrees = map(float, re.fullmatch(r"translate\((\S+) (\S+)\) rotate\((\S+)\)", text.get("transform")).groups())
            else:
                x, y = float(text.get("x")), float(text.get("y"))
            width = LETTERS[kind] * len(words)
            begin = -width if text.get("text-anchor") == "end" else 0
            yield kind, Box(words, x, y, -degrees, begin, begin + width, 2.5, 9)

    def lines(self, root):
        for line in root.iter(SVG + "line"):
            if line.get("class") not in ("grid",):
                x1, y1, x2, y2 = (float(line.get(name)) for name in ("x1", "y1", "x2", "y2"))
                yield Box("a line", x1, y1, math.degrees(math.atan2(y1 - y2, x2 - x1)), 0, math.hypot(x2 - x1, y2 - y1), 1, 1)

    def marks(self, root):
        for mark in root.iter(SVG + "path"):
            x, y = map(float, re.match(r"M(\S+) ([\d.]+)", mark.get("d")).groups())
            yield Box("a mark", x, y, 0, -3.5, 3.5, 3.5, 3.5)

    def check(self, name, names_cross=False):
        root = self.svg(name)
        texts, lines, marks = list(self.texts(root)), list(self.lines(root)), list(self.marks(root))
        self.assertTrue(texts and lines and marks)
        for i, (kind, text) in enumerate(texts):
            others = [*(other for _, other in texts[:i]), *marks, *(lines if kind != "name" or not names_cross else ())]
            for other in others:
                self.assertFalse(text.meets(other), f"{name}: '{text.what}' stands on {other.what}")

    def like_a_zen4(self, cores=(1, 2), apart=1.0):
        """Close peaks, and levels that are close to each other: as this project's machine has them."""
        ceilings = []
        for count in cores:
            for operation, vectors, rate in (("fma", "AVX-512", 58.5), ("fma", "AVX", 58.6), ("fma", "SSE", 29.3), ("fma", "scalar", 14.6),
                                             ("add_mul", "AVX", 55.7), ("product", "AVX-512", 57.9)):
                ceilings.append(ceiling("flops", operation, vectors, count * rate * 1e9, cores=count))
            for level, rate in (("L1", 324), ("L2", 116), ("L3", 86.6 * apart), ("memory", 44.3)):
                ceilings.append(ceiling("bandwidth", "schoenauer" if level in ("L2", "L3") else "triad_nt" if level == "memory" else "triad", "AVX",
                                        count * rate * 1e9, level=level, bytes=1e4, cores=count))
            ceilings += [ceiling("sweep", "triad", "AVX", 1e9 * rate, level="L1", bytes=16384 * 2 ** (i / 2), cores=count)
                         for i, rate in enumerate([300] * 3 + [110] * 9 + [80] * 8 + [40] * 5)]
        return machine(ceilings=ceilings, caches=[32768, 1048576, 33554432])

    def test_two_core_counts(self):
        """The triads that catmint measures itself among them: a name finds no room between L3 and memory."""
        points = "".join(f"\"triad, {level}\",{flops},{24 / 2 * flops},{moved},1,{cores}\n" for cores in (1, 2) for level, flops, moved in
                         (("L1", cores * 27e9, ""), ("L2", cores * 9.5e9, ""), ("L3", cores * 7.2e9, ""), ("memory", cores * 2.7e9, cores * 43e9)))
        for apart in (1.0, 0.9, 1.2, 0.7):
            self.draw(self.like_a_zen4(apart=apart), *self.points(points))
            for cores in (1, 2):
                self.check(f"roofline-{cores}-double.svg", names_cross=True)
                self.check(f"sizes-{cores}.svg")

    def test_peaks_are_joined_to_their_labels(self):
        """In the order of their rates, however close they are."""
        self.draw(self.like_a_zen4())
        root = self.svg("roofline-1-double.svg")
        lines = [(line.get("class"), *(float(line.get(name)) for name in ("x1", "y1", "x2", "y2"))) for line in root.iter(SVG + "line")]
        joints = sorted((y1, y2) for kind, _, y1, _, y2 in lines if kind == "span")
        self.assertEqual([y1 for y1, _ in joints], sorted(y1 for kind, _, y1, _, y2 in lines if kind in ("limit", "expected") and y1 == y2))
        labels = {float(text.get("y")): text.text for text in root.iter(SVG + "text") if "flop/s" in (text.text or "") and " " in text.text}
        rates = [float(labels[y2 + 4].split()[-2]) for _, y2 in joints]
        self.assertEqual(rates, sorted(rates, reverse=True))

    def test_points_beside_points(self):
        """Ten programs near one another, and one each at the edges."""
        points = "".join(f"program {i},{1e8 * (1 + 0.1 * (i % 5))},{(4 + i // 5) * 1e8},,1,1\n" for i in range(10))
        self.draw(machine(), *self.points(points + "at the roof,64e9,16e9,,1,1\nat the right,1e9,1e7,1e7,1,1\nat the bottom,1e7,1e7,1e9,1,1\n"))
        self.check("roofline-1-double.svg")
        self.assertEqual(len([word for word in self.words(self.svg("roofline-1-double.svg")) if word.startswith("program ")]), 10)

    def test_without_room_the_stream_is_left_out(self):
        """And stands in the title."""
        self.draw(self.like_a_zen4(), *self.points("\"triad, L2\",9.5e9,114e9,,1,1\n"))
        label = next(text for text in self.svg("roofline-1-double.svg").iter(SVG + "text") if (text.text or "").startswith("L2 "))
        self.assertEqual((label.text, label[0].text), ("L2 116 GB/s", "L2 116 GB/s, Schönauer triad"))


if __name__ == "__main__":
    support.main()
