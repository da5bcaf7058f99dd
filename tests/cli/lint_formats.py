"""Formulas of rocprof, of perf's Python and of tables whose columns are told: read, and refused with file and line."""

import json
import re

import lint
import support

# rocprof's XML, and Python of perf's.
ROCPROF = """# counters
<gfx9>
  <metric name="A" block=SQ event=4 descr="a &gt; b"></metric>
  <metric name="B" block=SQ event=5></metric>
  # derived
  <metric name=D_sum expr={} descr="d"></metric>
</gfx9>
<gfx906_expr base="gfx9">
  <metric name="E" expr="{}"/>
</gfx906_expr>
"""
PYTHON = """import math
def Group() -> MetricGroup:
    a, b = Event("A.B"), None
    a = Event("A.B", "C.D"); b = Event(f"{{a.name}}/cmask=1/")
    values = [a, b]
    for c in values:
        pass
    return MetricGroup("g", [
        MetricGroup("h", [Metric("m", "d" " e", {}, "100%") if a else None]), None])
"""

CASES = [
    # rocprof before it: values without quotation marks, GPUs that take over from others
    (ROCPROF.format("sum(A,16)*64+max(B,16)/CU_NUM", "D_sum/A"), []),
    (ROCPROF.format("sum(A,16)+C", "D_sum*"), ["6:27: [unknown event] D_sum: no counter 'C' for gfx9 in this file", "9:32: [syntax] E: the expression ends here"]),
    ("<metrics><gfx9>\n<metric expr='A'/>\n<metric name=X expr=\"A &lt; B\"/></gfx9></metrics>", ["2:2: [syntax] a metric without a name"]),
    # perf's Python: what only executing it would tell is named
    (PYTHON.format("a + b / 2"), []),
    (PYTHON.format("a + a"), ["9:34: [quantity] m: adds A.B to itself"]),
    (PYTHON.format("values[0]"), ["9:27: [syntax] m: its formula is not read, because that would execute Python: several values together (line 9)"]),
    (PYTHON.format("scaled(a)"), ["9:27: [syntax] m: its formula is not read, because that would execute Python: the result of scaled(...) (line 9)"]),
    (PYTHON.format("d_ratio(a, c)"), ["9:27: [syntax] m: its formula is not read, because that would execute Python: 'c' is a loop's (line 6)"]),
    (PYTHON.format("a b"), ["9:51: [syntax] this statement is not read: expected ',' or ')'"]),
]


class Formats(support.Case):
    def test_each_kind(self):
        lint.check_each(self, CASES)

    def lines(self, *arguments, code=1):
        """What lint prints, from the kind on, without the folder's name."""
        run = self.expect(support.Run("lint", *arguments), code, err=None)
        return [line[line.index("["):].replace(str(self.folder), "") for line in run.out.splitlines()]

    def test_broken_files(self):
        for text, said in (("import json\n", ":1: no metrics here, expected calls of perf's Metric"), ("import json\na = \"b\n", ":2:5: a string that does not end"),
                           ("import json\nMetric('a', '', (b\n", ":3:1: a parenthesis that does not end"), ("import json\nb)\n", ":2:2: a parenthesis that nothing opens")):
            self.expect(support.Run("lint", self.write("intel_metrics.py", text)), 3, err=re.escape(f"intel_metrics.py{said}"), out="")
        for text, said in (("<gfx9>\n<metric name=A expr=\"B></gfx9>", ":2:21: a quotation mark that is not closed"), ("<gfx9>\n<metric name=A expr=B", ":2:21: a tag that does not end"),
                           ("<gfx9>\n<metric name=A expr=B/>", ":1: 'gfx9' does not end"), ("<gfx9></gfx8>", ":1:13: the end of another tag"), ("<gfx9>\n<metric name A=B>", ":2:14: expected '=' and a value"),
                           ("<gfx9>\n<metric name=A/></gfx9>", ":1: no derived counters here"), ("<!-- <a>", ":1:1: a comment that does not end")):
            self.expect(support.Run("lint", self.write("metrics.xml", text)), 3, err=re.escape(f"metrics.xml{said}"), out="")

    def test_counters_of_an_included_file(self):
        path = self.write("derived.xml", '#include "basic.xml"\n<gfx90a_expr base="gfx9_expr">\n<metric name="X" expr=sum(A,16)+B+C></metric>\n</gfx90a_expr>')
        self.assertEqual(self.lines(path, code=0), [])
        self.write("basic.xml", '<gfx9><metric name="A" block=SQ event=1/></gfx9><gfx90a><metric name="B" block=SQ event=2/></gfx90a>')
        self.assertEqual(self.lines(path), ["[unknown event] X: no counter 'C' for gfx90a/gfx9 in this file"])
        self.assertEqual(self.lines(self.folder), ["[unknown event] X: no counter 'C' for gfx90a/gfx9 in this file"])

    def test_text_that_only_begins_like_a_table(self):
        self.expect(support.Run("lint", self.write("prose.txt", "CPU events\n")), 3, err="prose.txt:1: not a file of formulas", out="")
        self.expect(support.Run("lint", self.folder), 3, err="hold none", out="")

    def test_events_that_python_puts_in_the_place_of_others(self):
        path = self.write("x_metrics.py", PYTHON.format("a"))
        for listed, code in (("A.B", 0), ("C.D", 0), ("E.F", 1)):
            self.assertEqual(len(self.lines(path, "--known-events", self.write("list.txt", listed + "\n"), code=code)), code)

    def test_tables_whose_columns_are_told(self):
        path = self.write("t.csv", "Group,Metric Name,Expression,Unit\nmix,IPC,instructions / cycles,\nmix,\"Twice, all\",A + A,x\nmix,bad,A +,\n")
        told = ("--metric-column", "Metric Name", "--formula-column", "3")
        self.assertEqual(self.lines(path, *told, "--unit-column", "Unit"), ["[quantity] Twice, all: adds A to itself", "[syntax] bad: the expression ends here, expected a number, a name, '-' or '('"])
        self.expect(support.Run("lint", path, "--metric-column", "Metric Names", "--formula-column", "3"), 3, err=r"t\.csv:1: no column 'Metric Names'; did you mean 'Metric Name'\?", out="")
        self.expect(support.Run("lint", path, "--metric-column", "1", "--formula-column", "5"), 3, err=r"t\.csv:1: no column '5'", out="")
        self.expect(support.Run("lint", path, *told[:2]), 2, err="--metric-column needs --formula-column", out="")
        self.expect(support.Run("lint", path, *told[2:]), 2, err="--formula-column needs --metric-column", out="")
        self.expect(support.Run("lint", path, "--unit-column", "4"), 2, err="--unit-column needs --metric-column and --formula-column", out="")
        self.expect(support.Run("lint", path), 3, err="not a file of formulas", out="")

    def test_formulas_over_names_of_perfmon(self):
        def metric(name, base, threshold, value):
            return {"MetricName": name, "LegacyName": f"metric_TMA_{name}(%)", "Events": [{"Name": "INST.ANY", "Alias": "a"}], "Formula": "a", "BaseFormula": base,
                    "Threshold": {"ThresholdMetrics": [{"Alias": "a", "Value": value}], "Formula": "a > 5", "BaseFormula": threshold}}
        def lines(base, threshold="metric_TMA_One(%) > 5", value="metric_TMA_One(%)"):
            path = self.write("f.json", json.dumps({"Metrics": [metric("One", base, threshold, value), metric("Two", "inst.any", "", "metric_TMA_Two(%)")]}))
            return [line.split(": ", 1)[1] for line in support.Run("lint", path).out.splitlines()]
        for base in (" tma_two / inst.any:c1", "100 * tma_one if smt_on else min( inst.any , 2 )", "tma_two / 1e9 / duration_time", "( inst.any:opc=0x182:c1 )", ""):
            self.assertEqual(lines(base), [])
        self.assertEqual(lines("ma_two / inst.any"), ["[unknown counter] One: in its BaseFormula: unknown metric or event 'ma_two'"])
        self.assertEqual(lines("inst.anyway"), ["[unknown counter] One: in its BaseFormula: unknown metric or event 'inst.anyway'"])
        self.assertIn("[syntax] One: in its BaseFormula: ", lines("tma_two + ")[0])
        self.assertEqual(lines("inst.any", "IPC > 5"), ["[unknown counter] One: in its threshold: unknown metric or event 'IPC'"])
        self.assertEqual(lines("inst.any", "tma_two > 5", "metric_TMA_Old"), ["[unknown counter] One: in its threshold: unknown metric or event 'metric_TMA_Old'"])


if __name__ == "__main__":
    support.main()
