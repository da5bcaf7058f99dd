"""Definitions of GPUs' metrics for the vendors' own profilers: read back by their rules, which are written down here anew."""

import ast
import fractions
import json
import operator
import re

import support

AMD = {"rocprofv3": ("--cpu", "gfx90a"), "rocprof-compute": ()}


def yaml_value(text):
    return json.loads(text) if text.startswith(('"', "[", "{")) else text


def read_yaml(text):
    """Maps, lists and scalars, by their indentation: no more of YAML is written."""
    lines = [(len(line) - len(line.lstrip()), line.strip()) for line in text.splitlines() if line.strip() and not line.strip().startswith(("#", "---"))]

    def block(at, indent):
        if lines[at][1].startswith("- "):
            found = []
            while at < len(lines) and lines[at][0] == indent and lines[at][1].startswith("- "):
                lines[at] = (indent + 2, lines[at][1][2:])
                item, at = block(at, indent + 2) if re.match(r'("[^"]*"|[\w.-]+( [\w.-]+)*):( |$)', lines[at][1]) else (yaml_value(lines[at][1]), at + 1)
                found.append(item)
            return found, at
        found = {}
        while at < len(lines) and lines[at][0] == indent and not lines[at][1].startswith("- "):
            key, value = re.fullmatch(r'("(?:[^"\\]|\\.)*"|[^:]+):(?: (.*))?', lines[at][1]).groups()
            if value is None:
                found[yaml_value(key)], at = block(at + 1, lines[at + 1][0])
            else:
                found[yaml_value(key)], at = yaml_value(value), at + 1
        return found, at

    return block(0, 0)[0]


def linear(tree):
    """{counter: factor} of a sum, as exact fractions; "" is the constant."""
    if isinstance(tree, ast.Expression):
        return linear(tree.body)
    if isinstance(tree, ast.Constant):
        return {"": fractions.Fraction(str(tree.value))}
    if isinstance(tree, ast.Name):
        return {tree.id: fractions.Fraction(1)}
    if isinstance(tree, ast.Call):
        assert tree.func.id == "reduce" and tree.args[1].id == "sum" and len(tree.args) == 2, ast.dump(tree)
        return linear(tree.args[0])
    left, right = linear(tree.left), linear(tree.right)
    if isinstance(tree.op, (ast.Add, ast.Sub)):
        sign = operator.add if isinstance(tree.op, ast.Add) else operator.sub
        return {name: sign(left.get(name, 0), right.get(name, 0)) for name in {*left, *right}}
    number, other = (right[""], left) if set(right) == {""} else (left[""], right)
    assert isinstance(tree.op, ast.Mult) or other is left, ast.dump(tree)
    return {name: factor * number if isinstance(tree.op, ast.Mult) else factor / number for name, factor in other.items()}


def terms(text):
    return {name: float(factor) for name, factor in linear(ast.parse(text, mode="eval")).items() if name or factor}


def counters(text):
    """As rocprofiler-sdk takes them: whole numbers up to 2147483647, no sign that begins a term."""
    document = read_yaml(text)["rocprofiler-sdk"]
    assert document["counters-schema-version"] == "1"
    found = {}
    for counter in document["counters"]:
        definition, = counter["definitions"]
        assert counter["properties"] == [] and isinstance(counter["description"], str)
        for number in re.findall(r"(?<![\w])[\d.]+", definition["expression"]):
            assert number.isdigit() and int(number) < 2**31, number
        assert not re.search(r"(^|[(+*/,-])\s*-", definition["expression"]), definition["expression"]
        assert re.fullmatch(r"[A-Za-z_]\w*", counter["name"])
        found[counter["name"]] = definition["architectures"], terms(definition["expression"])
    return found


def panel(text):
    config = read_yaml(text)["Panel Config"]
    table = config["data source"][0]["metric_table"]
    found = {}
    for metric, columns in table["metric"].items():
        assert set(table["header"]) == {"metric", *columns}
        expressions = {re.fullmatch(rf"{key.upper()}\(\((.*)\)\)", columns[key])[1] for key in ("avg", "min", "max")}
        expression, = expressions
        found[metric] = terms(expression)
    return found


def section(text):
    """{metric: terms} and {label: metric} of a section file: text of Protocol Buffers, a field a line."""
    names = re.findall(r'MetricDefinitions \{\n    Name: "(.*)"\n    Expression: "(.*)"\n', text)
    labels = dict(re.findall(r'Label: "((?:[^"\\]|\\.)*)"\n        Name: "(.*)"', text))
    assert text.count("{") == text.count("}")
    assert re.search(r"^ +Rows: (\d+)\n +Columns: 1$", text, re.MULTILINE)[1] == str(len(names))
    return {name: {part.replace("_DOT_", "."): factor for part, factor in terms(expression.replace(".", "_DOT_")).items()}
            for name, expression in names}, labels


class ExportGpu(support.Case):
    def document(self, *definitions):
        document = support.Run("analyze", "--method", "paper", support.RECORDED["gpu-flops"], "--benchmark", "gpu-flops", "--format", "json").json()
        if definitions:
            benchmark = document["benchmarks"][0]
            model = support.metric(document, "gpu-flops", "All DP Ops.")
            benchmark["metrics"] = [model | {"metric": name, "definition": [{"event": event, "coefficient": value} for event, value in wanted.items()]}
                                    for name, wanted in definitions]
            benchmark["events"] = [benchmark["events"][0] | {"event": event} for event in dict.fromkeys(event for _, wanted in definitions for event in wanted)]
        return document

    def export(self, document, to, *options):
        return support.Run("export", "--to", to, self.write("results.json", json.dumps(document)), *options)

    def test_the_papers_table(self):
        """Table VI of the paper goes out whole, and comes back."""
        document = self.document()
        composable = support.composable(support.benchmark(document, "gpu-flops"))
        self.assertGreaterEqual(len(composable), 4)
        run = self.export(document, "rocprofv3", "--cpu", "gfx90a", "--cpu", "gfx942")
        found = counters(self.expect(run, 1, err="2 definitions are not composable").out)
        self.assertEqual(found, {re.sub("[^A-Z]+", "_", name.upper()).strip("_"): (["gfx90a", "gfx942"], wanted) for name, wanted in composable.items()})
        self.assertEqual(panel(self.expect(self.export(document, "rocprof-compute"), 1).out), composable)

    def test_all_that_can_be_said(self):
        rows = [("thirds", {"SQ_WAVES": 1 / 3, "rocm:::SQ_INSTS:device=0": -2 / 3}), ("minus", {"SQ_WAVES": -1, "rocp_sdk:::TCC_HIT:device=12": -4}),
                ("half", {"sde:::SQ_WAVES": 0.5}), ('quoted "name"', {"GRBM_COUNT": 2147483647})]
        expected = {"thirds": {"SQ_WAVES": 1 / 3, "SQ_INSTS": -2 / 3}, "minus": {"SQ_WAVES": -1, "TCC_HIT": -4}, "half": {"SQ_WAVES": 0.5},
                    'quoted "name"': {"GRBM_COUNT": 2147483647}}
        for name, wanted in rows:
            document = self.document((name, wanted))
            with self.subTest(name=name):
                (found,) = counters(self.expect(self.export(document, "rocprofv3", *AMD["rocprofv3"]), 0, err="").out).values()
                self.assertEqual(found[1], expected[name])
                self.assertEqual(panel(self.expect(self.export(document, "rocprof-compute"), 0, err="").out), {name: expected[name]})

    def test_refused_for_amd(self):
        for event, words in (("FP_ARITH_INST_RETIRED:SCALAR_DOUBLE", "it has qualifiers"), ("perf_event:::SQ_WAVES", "it is no counter of an AMD GPU"),
                             ("cuda:::sm__inst_executed:stat=sum", "it is no counter"), ("BR_MISP", "it is no counter"),
                             ("rocp_sdk:::SQ_WAVES:DIMENSION_XCC=0:device=0", "qualifiers other than a device"), ("rocm:::SQ_WAVES:device=", "qualifiers other"),
                             ("rocm:::SQ WAVES", "it is no counter")):
            for to, options in AMD.items():
                with self.subTest(event=event, to=to):
                    run = self.export(self.document(("m", {event: 1})), to, *options)
                    self.expect(run, 3, err=words)
                    self.assertNotIn(event, run.out)
        run = self.export(self.document(("m", {"SQ_WAVES": 0.1234567891234})), "rocprofv3", *AMD["rocprofv3"])
        self.expect(run, 3, err="'SQ_WAVES' is not a fraction of whole numbers that rocprofv3 can read")
        self.assertEqual(counters(run.out.replace("counters:\n", "counters: []\n")), {})
        # Devices of one counter are one there: neither name leads back to one event.
        both = self.document(("m", {"rocm:::SQ_WAVES:device=0": 1, "rocm:::SQ_WAVES:device=1": 1}))
        self.expect(self.export(both, "rocprof-compute"), 3, err="SQ_WAVES")

    def test_which_gpu(self):
        document = self.document()
        self.expect(self.export(document, "rocprofv3"), 2, err="do not say which GPU the counters are for, expected its name, as in --cpu gfx90a")
        self.expect(self.export(document, "rocprofv3", "--cpu", "zen4"), 2, err="'zen4' is no GPU of AMD's, expected a name like 'gfx90a'")

    def test_section(self):
        dadd, dfma = (f"sm__sass_thread_inst_executed_op_{operation}_pred_on" for operation in ("dadd", "dfma"))
        document = self.document(("DP Ops.", {f"cuda:::{dadd}:stat=sum": 1, f"cuda:::{dfma}:stat=sum:device=0": 2}), ("Less", {f"{dadd}:stat=max": 3, "a__b:stat=sum": -1}))
        metrics, labels = section(self.expect(self.export(document, "ncu-section"), 0, err="").out)
        self.assertEqual(metrics, {"catmint__dp_ops": {f"{dadd}.sum": 1, f"{dfma}.sum": 2}, "catmint__less": {f"{dadd}.max": 3, "a__b.sum": -1}})
        self.assertEqual(labels, {"DP Ops.": "catmint__dp_ops", "Less": "catmint__less"})

    def test_refused_for_nvidia(self):
        good = ("Good", {"a__b:stat=sum": 1})
        for wanted, words in (({"SQ_WAVES": 1}, "it is no metric of an NVIDIA GPU"), ({"rocm:::a__b:stat=sum": 1}, "it is no metric"),
                              ({"c__d:stat=sum": 0.5}, "no whole numbers, which no document"), ({"c__d:stat=sum": -1}, "begins with a subtraction"),
                              ({"c__d e:stat=sum": 1}, "other than letters")):
            with self.subTest(words=words):
                metrics, labels = section(self.expect(self.export(self.document(good, ("m", wanted)), "ncu-section"), 1, err=f"^catmint: m: .*{words}").out)
                self.assertEqual((metrics, labels), ({"catmint__good": {"a__b.sum": 1}}, {"Good": "catmint__good"}))


if __name__ == "__main__":
    support.main()
