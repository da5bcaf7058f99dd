"""Wherever a name is refused, the one that was probably meant is offered, if one is near, and none otherwise."""

import support


class Near(support.Case):
    def test_the_nearest_name_is_offered(self):
        """A letter wrong, two in the wrong order, another separator, the beginning of a longer name."""
        sweep = self.folder / "sweep"
        sweep.mkdir()
        (sweep / "branch.csv").write_text(support.measurements("branch", {"BR_MISP_RETIRED": {"M": 1}, "BR_INST_RETIRED:COND": {"CR": 1}}))
        model = ("--pmu", "software:golden-cove")
        for words, code, near in ((("metrics", "dp_opz"), 3, "DP Ops."), (("metrics", "PAPI_DP_OPZ"), 3, "PAPI_DP_OPS"),
                                  (("events", "BR_MSIP", *model), 3, "BR_MISP_RETIRED"), (("events", "--facts", "branchez"), 3, "Branches"),
                                  (("explain", "BR_MSIP_RETIRED", sweep), 3, "BR_MISP_RETIRED"), (("explain", "--metric", "mispredicted_branchs", sweep), 3, "Mispredicted Branches"),
                                  (("analyze", "--only", "BR_MSIP*", sweep), 3, "BR_MISP_RETIRED"), (("analyze", "--benchmark", "brunch", sweep), 2, "branch"),
                                  (("analyze", "--format", "jsom", sweep), 2, "json"), (("analyze", "--method", "papper", sweep), 2, "paper"),
                                  (("sweep", "--benchmark", "branch", "--events", "BR_MSIP*", *model, "--out", self.folder / "o"), 2, "BR_MISP_RETIRED"),
                                  (("sweep", "--benchmark", "branch", "--component", "sdf", *model, "--out", self.folder / "o"), 2, "sde"),
                                  (("export", "--to", "papy", sweep), 2, "papi"), (("events", "--pmu", "hardwar"), 2, "hardware"),
                                  (("kernels", "--plan", "rocprofv", "--pmu", "software:gfx90a"), 2, "rocprofv3"), (("completion", "bahs"), 2, "bash"),
                                  (("manual", "cuont"), 2, "count"), (("cuont",), 2, "count"), (("events", "--color", "alwayz"), 2, "always")):
            run = support.Run(*words, cwd=self.folder)
            self.expect(run, code, out="")
            self.assertRegex(run.err.splitlines()[-1], rf"did you mean '{near}'\?", words)

    def test_the_nearest_event_of_a_program(self):
        for name, near in (("dp_opz", "DP Ops."), ("branchez", "Branches"), ("BR_MSIP_RETIRED", "BR_MISP_RETIRED")):
            run = support.Run("count", "--pmu", "software:golden-cove", "-e", name, "--", "true")
            if "the emulated PMU needs qemu" in run.err:
                self.skipTest(run.err.strip())
            self.expect(run, 125, err=rf"'{name}'; did you mean '{near}'\?")

    def test_far_names_get_no_offer(self):
        for words, code in ((("metrics", "no such metric"), 3), (("events", "zzzzzz", "--pmu", "software:golden-cove"), 3), (("events", "--pmu", "software:foo"), 2), (("completion", "tcsh"), 2), (("manual", "zzz"), 2),
                            (("kernels", "--plan", "perf"), 2)):
            self.assertNotIn("did you mean", self.expect(support.Run(*words), code, out="").err)


if __name__ == "__main__":
    support.main()
