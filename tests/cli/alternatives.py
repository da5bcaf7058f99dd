"""The same metric from other events, and from fewer."""

import support


def analyse(benchmark, *options):
    run = support.Run("analyze", "--method", "paper", support.RECORDED[benchmark], "--benchmark", benchmark, "--format", "json", *options)
    if run.code != 0:
        raise AssertionError(str(run))
    return run.json()


def representations(document, benchmark):
    return {event["event"]: event["representation"] for event in support.benchmark(document, benchmark)["events"]}


class Alternatives(support.Case):
    def test_they_measure_the_metric_and_share_at_most_one_event(self):
        found = 0
        for benchmark in ("branch", "cpu-flops", "gpu-flops"):
            document = analyse(benchmark)
            columns = representations(document, benchmark)
            for metric in support.benchmark(document, benchmark)["metrics"]:
                definitions = [support.definition(metric)]
                for other in metric["alternatives"]:
                    self.assertTrue(support.usable(metric) and support.usable(other))
                    terms = support.definition(other)
                    for before in definitions:
                        self.assertLessEqual(len(set(terms) & set(before)), 1, metric["metric"])
                    definitions.append(terms)
                    for i, value in enumerate(metric["signature"]):
                        measured = sum(weight * columns[event][i] for event, weight in terms.items())
                        self.assertAlmostEqual(measured, value, delta=1e-6, msg=f"{metric['metric']}: {terms}")
                    found += 1
                self.assertLessEqual(len(metric["alternatives"]), 2)
        self.assertGreater(found, 4)

    def test_an_event_that_is_avoided_is_replaced(self):
        document = analyse("branch", "--avoid", "BR_MISP_RETIRED")
        entry = support.benchmark(document, "branch")
        self.assertEqual(entry["counts"]["avoided"], 1)
        self.assertNotIn("BR_MISP_RETIRED", entry["selected"])
        metric = support.metric(document, "branch", "Mispredicted Branches")
        self.assertEqual(support.definition(metric), {"MADE_UP:COPY_OF_MISPREDICTED": 1})
        run = support.Run("analyze", "--method", "paper", support.RECORDED["branch"], "--benchmark", "branch", "--avoid", "NO_SUCH")
        self.expect(run, 3, err="event 'NO_SUCH', which is to be avoided, was not measured", out="")

    def test_only_some_are_used(self):
        document = analyse("branch", "--only", "MADE_UP:*", "--only", "BR_INST_RETIRED:COND")
        entry = support.benchmark(document, "branch")
        self.assertIn("BR_INST_RETIRED:COND", entry["selected"])
        self.assertTrue(all(event.startswith("MADE_UP") or event == "BR_INST_RETIRED:COND" for event in entry["selected"]))
        self.assertTrue(support.usable(support.metric(document, "branch", "All Branches")))
        for patterns in (("NO*",), ("BR_*", "NO*")):
            only = [word for pattern in patterns for word in ("--only", pattern)]
            run = support.Run("analyze", "--method", "paper", support.RECORDED["branch"], "--benchmark", "branch", *only)
            self.expect(run, 3, err=r"no event matches 'NO\*'", out="")

    def test_how_much_is_told_of_events(self):
        everything = analyse("branch")["benchmarks"][0]
        self.assertEqual(analyse("branch", "--events-detail", "all")["benchmarks"][0], everything)
        for word, statuses in (("kept", ("dependent", "selected")), ("selected", ("selected",))):
            entry = analyse("branch", "--events-detail", word)["benchmarks"][0]
            self.assertEqual(entry["events"], [event for event in everything["events"] if event["status"] in statuses])
            self.assertEqual(entry["counts"], everything["counts"])
            self.assertEqual(entry["metrics"], everything["metrics"])

    def test_few_events(self):
        plain = analyse("cpu-flops")
        self.assertEqual({metric["limited"] for metric in plain["benchmarks"][0]["metrics"]}, {None})
        for most in (1, 2, 4):
            for metric in analyse("cpu-flops", "--max-events", str(most))["benchmarks"][0]["metrics"]:
                limited = metric["limited"]
                self.assertEqual(limited is not None, len(metric["definition"]) > most, metric["metric"])
                if limited is not None:
                    self.assertLessEqual(len(limited["definition"]), most)
        # A sum of all that the definition takes eight events for is one event.
        limited = support.metric(analyse("cpu-flops", "--max-events", "1"), "cpu-flops", "FP Instrs.")["limited"]
        self.assertEqual((support.definition(limited), support.usable(limited)), ({"MADE_UP:SUM_ALL": 1}, True))
        # Without it: two of four are half of what there is, and miss sqrt(1/2) of it.
        limited = support.metric(analyse("cpu-flops", "--max-events", "2", "--only", "FP_*"), "cpu-flops", "DP Instrs.")
        self.assertAlmostEqual(limited["limited"]["misfit"], 0.5 ** 0.5, places=6)
        self.assertFalse(support.usable(limited["limited"]))
        people = support.Run("analyze", "--method", "paper", support.RECORDED["cpu-flops"], "--benchmark", "cpu-flops", "--max-events", "2",
                             "--only", "FP_*", COLUMNS="200").out
        self.assertRegex(people, r"needs 4 events; with at most 2 error \S+, misses 70\.7 %, not composable: 1 x FP_")
        options = (support.RECORDED["cpu-flops"], "--benchmark", "cpu-flops", "--metric", "DP Instrs.", "--max-events", "2",
                   "--only", "FP_*")
        entry, = support.Run("explain", "--method", "paper", *options, "--format", "json").json()["metrics"]
        self.assertEqual((len(entry["alternatives"]), len(entry["limited"]["definition"])), (0, 2))
        self.assertRegex(support.Run("explain", "--method", "paper", *options).out, r"(?m)^Fewer events +1 x FP_[^~]*misses 70\.7 % of the metric")
        one = support.Run("analyze", "--method", "paper", support.RECORDED["cpu-flops"], "--benchmark", "cpu-flops", "--max-events", "1",
                          COLUMNS="300").out
        self.assertIn("needs 8 events; with at most 1 error 0, misses 0 %, composable: 1 x MADE_UP:SUM_ALL", one)
        self.assertIn("needs 4 events; with at most 1 error", one)

    def test_every_term_has_its_equivalents_the_least_noisy_first(self):
        found = 0
        for benchmark in support.RECORDED:
            document = analyse(benchmark)
            columns = representations(document, benchmark)
            noise = {event["event"]: event["max_rnmse"] for event in document["benchmarks"][0]["events"]}
            same = {}
            for event in document["benchmarks"][0]["events"]:
                same.setdefault(event["equivalent_to"], set()).add(event["event"])
            for metric in document["benchmarks"][0]["metrics"]:
                for term in metric["definition"]:
                    others = term["equivalents"]
                    self.assertEqual({other["event"] for other in others}, same.get(term["event"], set()))
                    self.assertEqual([noise[other["event"]] for other in others], sorted(noise[other["event"]] for other in others))
                    for other in others:
                        self.assertEqual(other["max_rnmse"], noise[other["event"]])
                        for one, own in zip(columns[other["event"]], columns[term["event"]]):
                            self.assertAlmostEqual(one, other["factor"] * own, delta=0.05 * abs(other["factor"]))
                        found += 1
        self.assertGreater(found, 40)


if __name__ == "__main__":
    support.main()
