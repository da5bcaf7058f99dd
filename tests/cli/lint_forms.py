"""What lint writes for other programs: annotations, and SARIF that follows its standard."""

import support

PAPI = "CPU,x\n"
LIKWID = "SHORT a group\n\nEVENTSET\nPMC0 E\nPMC1 F\n\nMETRICS\nBoth PMC0+PMC1\n"


class Forms(support.Case):
    def hold_to_sarif(self, log):
        """What SARIF 2.1.0 (OASIS, 2020, sections 3.13 to 3.30 and 3.49) requires of the objects that are there, and no property that it does not have."""
        def has(value, required, optional=()):
            self.assertLessEqual(set(required), set(value), value)
            self.assertLessEqual(set(value), set(required) | set(optional), value)
        has(log, ("version", "runs"), ("$schema",))
        self.assertEqual(log["version"], "2.1.0")
        for run in log["runs"]:
            has(run, ("tool",), ("results", "columnKind"))
            self.assertIn(run["columnKind"], ("utf16CodeUnits", "unicodeCodePoints"))
            has(run["tool"], ("driver",))
            driver = run["tool"]["driver"]
            has(driver, ("name",), ("version", "rules"))
            rules = [rule["id"] for rule in driver["rules"]]
            self.assertEqual(len(rules), len(set(rules)))
            for rule in driver["rules"]:
                has(rule, ("id",), ("shortDescription",))
                has(rule["shortDescription"], ("text",))
            self.assertIsInstance(run["results"], list)  # a run that finds nothing has an empty one
            for result in run["results"]:
                has(result, ("message",), ("ruleId", "ruleIndex", "level", "locations"))
                has(result["message"], ("text",))
                self.assertEqual(rules[result["ruleIndex"]], result["ruleId"])
                self.assertIn(result["level"], ("none", "note", "warning", "error"))
                for location in result["locations"]:
                    has(location, ("physicalLocation",))
                    has(location["physicalLocation"], ("artifactLocation", "region"))
                    has(location["physicalLocation"]["artifactLocation"], ("uri",))
                    self.assertRegex(location["physicalLocation"]["artifactLocation"]["uri"], r"^(?:[A-Za-z0-9._~/-]|%[0-9A-F]{2})+$")
                    has(location["physicalLocation"]["region"], ("startLine",), ("startColumn",))
                    self.assertGreaterEqual(min(location["physicalLocation"]["region"].values()), 1)

    def test_sarif_of_many_files(self):
        self.write("zen/A.txt", LIKWID + "Third PMC9\n")
        self.write("ä b:c%/p.csv", PAPI + "PRESET,PAPI_A,DERIVED_ADD,E\nPRESET,PAPI_\u2028,DERIVED_ADD,E\nPRESTE,x\n")
        self.write("perf.json", '[{"MetricName": "cpi", "MetricExpr": "instructions / cycles"}, {"MetricName": "a", "MetricExpr": "1 +"}, 7]')
        log = self.expect(support.Run("lint", self.folder, "--format", "sarif"), 1, err=None).json()
        self.hold_to_sarif(log)
        found = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"][len(str(self.folder)):] for result in log["runs"][0]["results"]}
        self.assertEqual(found, {"/zen/A.txt", "/%C3%A4%20b%3Ac%25/p.csv", "/perf.json"})
        clean = self.expect(support.Run("lint", self.write("clean.txt", LIKWID), "--format", "sarif"), 0, err=None).json()
        self.hold_to_sarif(clean)
        self.assertEqual(clean["runs"][0]["results"], [])

    def test_annotations_and_sarif(self):
        path = self.write("a,b%.txt", LIKWID + "Third: x PMC9\nThird: y PMC0/(2-2)\n")
        run = self.expect(support.Run("lint", path, "--format", "github"), 1, err=None)
        place = str(path).replace("%", "%25").replace(",", "%2C")
        self.assertEqual(run.out.splitlines(), [f"::error file={place},line=9,col=10,title=catmint (unknown counter)::Third: x: unknown counter 'PMC9'",
                                                f"::warning file={place},line=10,col=14,title=catmint (division)::Third: y: this divides by zero"])
        log = self.expect(support.Run("lint", path, "--format", "sarif"), 1, err=None).json()
        self.hold_to_sarif(log)
        rules = [rule["id"] for rule in log["runs"][0]["tool"]["driver"]["rules"]]
        results = log["runs"][0]["results"]
        self.assertEqual([(rules[result["ruleIndex"]], result["ruleId"], result["level"]) for result in results],
                         [("unknown counter", "unknown counter", "error"), ("division", "division", "warning")])
        where = results[0]["locations"][0]["physicalLocation"]
        self.assertEqual((where["region"], where["artifactLocation"]["uri"]), ({"startLine": 9, "startColumn": 10}, place))
        self.expect(support.Run("lint", path, "--format", "csv"), 2, err="--format: expected table, json, github or sarif, found 'csv'")


if __name__ == "__main__":
    support.main()
