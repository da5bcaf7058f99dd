"""In-core figures of this machine: shapes, formats and errors. How fast it is, is no test."""

import json
import re

import support

KNOWN = "vendor,family,model,operation,vectors,latency,throughput,source\n"
BRIEFLY = ("--cores", "0", "--rounds", "1", "--repetitions", "1", "--load-seconds", "0.01")


def cpuinfo(name):
    found = re.search(rf"^{name}\t+: (.*)$", open("/proc/cpuinfo", encoding="utf-8").read(), re.M)
    return found[1] if found else ""


class Incore(support.Case):
    def measure(self, *options):
        run = support.Run("incore", *BRIEFLY, *options)
        if run.code == 4 and "no timed kernels" in run.err:
            self.skipTest(run.err.strip())
        return run

    def test_document(self):
        output = self.folder / "incore.json"
        self.expect(self.measure("--format", "json", "--output", output), 0, out="")
        document = json.loads(output.read_text())
        self.assertEqual(document["schema"], "catmint.incore/1")
        rows = {(row["operation"], row["vectors"]): row for row in document["instructions"]}
        for operation in ("add", "mul", "div", "sqrt"):
            self.assertEqual(len(rows[operation, "SSE"]["latency"]), 3)
            self.assertGreater(rows[operation, "SSE"]["throughput"][1], 0)
        self.assertIsNone(rows["stores", "SSE"]["latency"])
        self.assertEqual({row["cores"] for row in document["clocks"] + document["stores"]}, {1})
        for row in document["stores"]:
            self.assertAlmostEqual(row["traffic"], row["load"][1] / row["store"][1])
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        schema = json.loads((support.SOURCE / "docs/catmint.incore-1.schema.json").read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        jsonschema.Draft202012Validator(schema).validate(document)

    def test_known(self):
        vendor, family, model = cpuinfo("vendor_id"), cpuinfo("cpu family"), cpuinfo("model")
        if not vendor:
            self.skipTest("this processor has no vendor_id")
        table = self.write("known.csv", KNOWN + f"{vendor},{family},{model},add,SSE,1000,,a wish\n{vendor},{family},,mul,SSE,,1000,a wish\n"
                           f"{vendor},{int(family) + 1},,div,SSE,1,1,another\nOther,{family},,div,SSE,1,1,another\n")
        run = self.expect(self.measure("--known", table), 0)
        self.assertRegex(run.out, r"Differs +latency of SSE add: .* here, 1e\+03 there")
        self.assertRegex(run.out, r"Differs +throughput of SSE multiply: .* here, 1e\+03 there")
        self.assertIn("2 figures; those that differ", run.out)
        self.assertNotIn("another", run.out)

    def test_nothing_known_and_nothing_to_predict(self):
        """No llvm-mca and no compiler is in an empty PATH."""
        run = support.Run("incore", *BRIEFLY, "--known", self.write("none.csv", KNOWN), "--kernels", PATH=str(self.folder))
        if run.code == 4 and "no timed kernels" in run.err:
            self.skipTest(run.err.strip())
        self.assertIn("no figures of this processor are known", self.expect(run, 0).out)
        self.assertIn("llvm-mca is not installed", run.out)

    def test_wrong_input(self):
        for text, words in (("x,1,2,wish,SSE,1,1,s\n", ":2: unknown operation 'wish'"), ("x,a,2,add,SSE,1,1,s\n", ":2:"), ("x,1,2,add,SSE,0,1,s\n", ":2: latency is 0"),
                            ("x,1,2,add,SSE,1,-1,s\n", ":2: throughput is -1"), ("x,1,2,add\n", ":2:")):
            run = support.Run("incore", *BRIEFLY, "--known", self.write("known.csv", KNOWN + text))
            self.assertIn(words, self.expect(run, 3).err)
        self.expect(support.Run("incore", "--known", self.folder / "missing.csv"), 3)

    def test_wrong_options(self):
        for options, words in ((("--load-seconds", "0"), "expected seconds"), (("--load-seconds", "nan"), "expected seconds"), (("--repetitions", "0"), "expected a number"),
                               (("--cores", ""), "expected processors"), (("x",), "unexpected argument")):
            self.assertIn(words, self.expect(support.Run("incore", *options), 2).err)


if __name__ == "__main__":
    support.main()
