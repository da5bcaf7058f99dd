"""The ports of a core as a table, as JSON and as a diagram: against a paper's tables, which the tables of ports were not made from alone."""

import csv
import re
import xml.etree.ElementTree as tree

import documents
import support

SVG = "{http://www.w3.org/2000/svg}"
MACHINES = ("golden-cove", "zen4", "zen5", "neoverse-v2")
# J. Laukemann, G. Hager, G. Wellein, 2024, tables II and III: instructions per cycle (elements by those of a vector), latency, and the number of ports.
PAPER = {
    "golden-cove": {"FP add": (2, None, 2), "FMA 64 B": (2, 4, 2), "FP multiply": (2, 4, 2), "add, logic": (5, None, 5), "load 64 B": (2, None, 2), "store 32 B": (2, None, None), "FP div 64 B": (0.5 / 8, None, None),
                    "FP divide": (0.5 / 4, 14, None), "logic": (3, None, 3)},
    "zen4": {"FP add": (2, 3, 2), "FMA": (2, 4, 2), "FP multiply": (2, 3, 2), "FP divide": (0.8 / 4, 13, None), "add, logic": (4, None, 4), "load 32 B": (2, None, None), "store 32 B": (1, None, None), "logic": (4, None, 4)},
    "neoverse-v2": {"FP add": (4, 2, 4), "FMA": (4, 4, 4), "FP multiply": (4, 3, 4), "divide one": (0.4, 12, None), "FP divide": (0.67 / 2, 7, None), "add, logic": (6, None, 6), "load 16 B": (3, None, 3), "store 16 B": (2, None, None)},
}
PORTS = {"golden-cove": 12, "zen4": 16, "neoverse-v2": 17}  # table II, but for Zen 4: it has 13 there, and stores and loads of vectors have ports of their own here
OWN = """kind,name,latency,uses,source
machine,isa,,x86_64,
machine,ports,,A B C D E,
role,arithmetic,,A|B,
role,loads & stores,,E|C,
role,vectors,,B,
machine,width,,2,
machine,forward,,5,
machine,turn,,1,
load,.,4,1 C,
store,.,0,1 C; 2 E,
form,addq r r,1,1 A|B,
form,mov[a-z]* (M r|r M),0,,
form,vaddpd y y y,2:3,1 B,
form,vdivpd y y y,13,5 D; 1 B,
"""
TABLE = """Machine       own, x86_64
Front end     2 instructions enter the core per cycle; a turn of a loop takes 1 cycle at least
Stores        a load of the stored value has it 5 cycles after the store

A             arithmetic: add, logic
B             arithmetic, vectors: add, logic; FP add; FP divide
C             loads & stores: load 8 B; store 8 B
E             loads & stores: store 8 B
D             FP divide

Kind         by this instruction                 latency   chained per cycle  cycles of ports
add, logic   addq %rax, %rcx                           1         1         2  1 A|B
FP add       vaddpd %ymm0, %ymm1, %ymm2                3         2         1  1 B
FP divide    vdivpd %ymm0, %ymm1, %ymm2               13        13       0.2  5 D; 1 B
load 8 B     movq (%rax), %rcx                         4         4         1  1 C
store 8 B    movq %rcx, (%rax)                         0         0       0.5  1 C; 2 E
"""


def ports_of(machine):
    lines = (support.SOURCE / f"data/ports/{machine}.csv").read_text().splitlines()
    return next(row["uses"].split() for row in csv.DictReader(line for line in lines if not line.startswith("#")) if row["name"] == "ports")


class PortDiagram(support.Case):
    def shown(self, machine, *options):
        return self.expect(support.Run("incore", "--ports", "--machine", machine, *options), 0, err="^$")

    def document(self, machine):
        document = self.shown(machine, "--format", "json").json()
        documents.hold(self, document)
        return document

    def test_a_table_of_ones_own(self):
        self.assertEqual(self.shown(self.write("own.csv", OWN)).out, TABLE)

    def test_the_paper(self):
        """Throughput and latency of tables II and III, as many ports for each kind, and as many of all kinds beside the dividers."""
        for machine, rows in PAPER.items():
            document = self.document(machine)
            units = {unit["unit"]: unit for unit in document["units"]}
            self.assertEqual(sum("divider" not in " ".join(port["roles"]) for port in document["ports"]), PORTS[machine], machine)
            for name, (per_cycle, latency, ports) in rows.items():
                with self.subTest(f"{machine}: {name}"):
                    self.assertAlmostEqual(units[name]["per_cycle"], per_cycle, delta=0.01)
                    self.assertIn(units[name]["latency"], (latency, units[name]["latency"] if latency is None else None))
                    self.assertEqual(len(units[name]["ports"]), ports or len(units[name]["ports"]))

    def test_every_port_is_there_and_has_work(self):
        for machine in MACHINES:
            document = self.document(machine)
            self.assertEqual(sorted(port["port"] for port in document["ports"]), sorted(ports_of(machine)))
            for port in document["ports"]:
                self.assertTrue(port["roles"] and port["units"], f"{machine}: {port}")
                self.assertEqual(port["units"], [unit["unit"] for unit in document["units"] if port["port"] in unit["ports"]])
            told = self.shown(machine).out
            for unit in document["units"]:
                self.assertRegex(told, re.escape(unit["instruction"]) + rf" +{unit['latency']:g} +{unit['chained']:g} +{unit['per_cycle']:.3g}  {re.escape(unit['uses'])}\n")

    def test_the_diagram(self):
        """A box for each port and each kind that it executes, below it; texts are in their boxes, and no two boxes overlap."""
        for machine in (*MACHINES, self.write("own.csv", OWN)):
            document, root = self.document(machine), tree.fromstring(self.shown(machine, "--format", "svg").out)
            texts = [(text.text, float(text.get("x")), float(text.get("y"))) for text in root.iter(f"{SVG}text") if text.get("class") == "name"]
            boxes = [tuple(float(box.get(key)) for key in ("x", "y", "width", "height")) for box in root.iter(f"{SVG}rect") if box.get("class") != "paper"]
            width, height = (float(root.get(key)) for key in ("width", "height"))
            for i, (x, y, wide, high) in enumerate(boxes):
                self.assertTrue(0 <= x and x + wide <= width and 0 <= y and y + high <= height, machine)
                for left, top, w, h in boxes[:i]:
                    self.assertFalse(x < left + w and left < x + wide and y < top + h and top < y + high, machine)
            for text, x, y in texts:
                self.assertEqual(sum(left < x < left + w and top < y < top + h and 6.7 * len(text) <= w for left, top, w, h in boxes), 1, f"{machine}: {text}")
            for port in document["ports"]:
                (at, below), = [(x, y) for text, x, y in texts if text == port["port"]]
                self.assertEqual([text for text, x, y in texts if x == at and y > below], port["units"], f"{machine}: {port}")
            self.assertEqual(texts[0][0], f"front end: {document['width']:g} instructions a cycle")

    def test_into_a_file(self):
        out = self.folder / "ports.svg"
        self.assertEqual(self.shown("zen4", "--format", "svg", "--output", out).out, "")
        self.assertEqual(out.read_text(), self.shown("zen4", "--format", "svg").out)

    def test_wrong_options(self):
        loop = self.write("loop.s", "\taddq $1, %rax\n")
        broken = self.write("broken.csv", OWN.replace("role,vectors,,B,", "role,vectors,,F,"))
        long = self.write("long.csv", OWN.replace("role,vectors,", "role,words that are too long here,"))
        many = self.write("many.csv", OWN.replace("role,vectors,,B,\n", "role,vectors,,B,\n" * 11))
        for words, code, message in ((("--ports", "--machine", "zen6"), 2, "no ports of a processor 'zen6' are known: expected golden-cove"),
                                     (("--ports", "--machine", broken), 3, r"broken.csv:6: found uses 'F', expected ports, as in 'P0\|P1'"),
                                     (("--ports", "--machine", long), 3, "long.csv:6: found name 'words that are too long here', expected words, at most 23 bytes"),
                                     (("--ports", "--machine", many), 3, "many.csv:16: found uses 'B', expected ports, .* of at most 12 roles"),
                                     (("--ports", "--machine", self.folder / "none.csv"), 3, "none.csv"),
                                     (("--ports", "--machine", "zen5", "--format", "csv"), 2, "--format"),
                                     (("--ports", "--machine", "zen5", "--assembly", loop), 2, "--ports shows the ports alone"),
                                     (("--ports", "--machine", "zen5", "--kernels"), 2, "--ports measure nothing"),
                                     (("--assembly", loop, "--machine", "zen5", "--format", "svg"), 2, "--format svg needs --ports"),
                                     (("--format", "svg"), 2, "--format svg needs --ports"),
                                     (("--machine", "zen5"), 2, "--machine needs --ports, or --assembly FILE or --function BINARY:SYMBOL")):
            self.expect(support.Run("incore", *words), code, out="", err=message)


if __name__ == "__main__":
    support.main()
