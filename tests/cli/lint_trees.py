"""What lint finds with the lists of events in the trees of PAPI, LIKWID, perfmon and perf, and of the processors that they are for."""

import support
from lint import group, perf, terms

# libpfm4's sources, as far as lint reads them: a table with an array of unit masks, one with unit masks in braces, and what PMUs they are of.
PFM_TABLE = """#include "pfmlib_priv.h"
static const intel_x86_umask_t one_a[] = {
  { .uname = "ALL", .udesc = "all { of } them", .ucode = 0x100 },
  { .uname = "HIT", .udesc = "a \\"hit\\"", },
  { .uname = "FIRST", .udesc = "}", .uflags = X86_NCOMBO | X86_DFL, },
  { .uname = "SECOND", .uflags = X86_NCOMBO, .grpid = 1, },
};
static const intel_x86_entry_t one_pe[] = {
{ .name = "A", .desc = "name = \\"NONE\\"", .umasks = one_a, },
/* { .name = "GONE" }, */
{ .name = "B", .masks = { { .name = "X" }, { .name = "Y" } }, },
{ .name = "BR_MIS_PRED" }, { .name = "BR_MIS_PRED_RETIRED" }, { .name = "BR_PRED" }, { .name = "BR_RETIRED" },
{ .name = "ASE_SPEC" }, { .name = "SVE_INST_SPEC" },
{ .name = "FP", .masks = { { .name = "SCALAR_SINGLE" } } }, { .name = "FP2", .masks = { { .name = "SCALAR_HALF" } } },
{ .name = "EXE", .masks = { { .name = "SSE" }, { .name = "X87" } } },
{ .name = "OLD", .equiv = "A" }, { .name = "OLDER", .equiv = "A:HIT" },
};
"""
PFM_PMUS = """#include "events/one_events.h"
static const x_entry_t two_pe[] = { { .pme_name = "C" } };
pfmlib_pmu_t one = { .desc = "One", .name = "one", .type = PFM_PMU_TYPE_CORE, .pe = one_pe };
pfmlib_pmu_t two = { .name = "two", .type = PFM_PMU_TYPE_CORE, .pe = two_pe };
#define DEFINE_REV(n) pfmlib_pmu_t n = { .name = "family_"#n, .type = PFM_PMU_TYPE_CORE, .pe = two_pe };
DEFINE_REV(young)
pfmlib_pmu_t l3 = { .name = "one_l3", .type = PFM_PMU_TYPE_UNCORE, .pe = two_pe };
"""


class LintTrees(support.Case):
    def lines(self, *arguments, code=1):
        """What lint prints, from the kind on, without the folder's name."""
        run = self.expect(support.Run("lint", *arguments), code, err=None)
        return [line[line.index("["):].replace(str(self.folder), "") for line in run.out.splitlines()]

    def papi(self, text):
        self.write("src/libpfm4/lib/events/one_events.h", PFM_TABLE)
        self.write("src/libpfm4/lib/pfmlib_one.c", PFM_PMUS)
        return self.write("src/papi_events.csv", text)

    def test_events_of_papis_tree(self):
        right = "".join(f"PRESET,PAPI_{name},NOT_DERIVED,{event}\n" for name, event in
                        (("L1_DCM", "A:HIT"), ("L1_ICM", "A:ALL:HIT:c=1"), ("L2_DCM", "B:X:e"), ("TOT_INS", "a"), ("TOT_CYC", "perf::CYCLES"), ("TLB_DM", "other::E"), ("BR_INS", "r412e"), ("BR_MSP", "one::r76"), ("BR_TKN", "A:0x21:c=1")))
        self.assertEqual(self.lines(self.papi("CPU,one\n" + right), code=0), [])
        self.assertEqual(self.lines(self.papi("CPU,nobody\nPRESET,PAPI_L1_DCM,NOT_DERIVED,E\n"), code=0), [])
        self.assertEqual(self.lines(self.papi("CPU,one\nPRESET,PAPI_L1_DCM,NOT_DERIVED,A:HITS\nPRESET,PAPI_L1_ICM,NOT_DERIVED,GONE\n")),
                         ["[unknown event] PAPI_L1_DCM: no event 'A:HITS' on one (the tree's libpfm4); did you mean 'A:HIT'?",
                          "[unknown event] PAPI_L1_ICM: no event 'GONE' on one (the tree's libpfm4)"])

    def test_other_names_of_events(self):
        """An event that is another name of one has that one's unit masks; another name of one with a unit mask has none."""
        right = "PRESET,PAPI_L1_DCM,NOT_DERIVED,OLD:HIT\nPRESET,PAPI_L1_ICM,NOT_DERIVED,OLD:ALL:HIT:c=1\nPRESET,PAPI_L2_DCM,NOT_DERIVED,OLDER\n"
        self.assertEqual(self.lines(self.papi("CPU,one\n" + right), code=0), [])
        self.assertEqual(self.lines(self.papi("CPU,one\nPRESET,PAPI_L1_DCM,NOT_DERIVED,OLD:HITS\nPRESET,PAPI_L1_ICM,NOT_DERIVED,OLD:HIT:FIRST\n")),
                         ["[unknown event] PAPI_L1_DCM: no event 'OLD:HITS' on one (the tree's libpfm4); did you mean 'OLD:HIT'?",
                          "[unknown event] PAPI_L1_ICM: 'OLD:HIT:FIRST' on one: the tree's libpfm4 takes these unit masks one at a time; add up events of one each"])

    def test_codes_of_events(self):
        self.write("arch/x86/one/events.json", '[{"EventName": "E"}]')
        for event in ("r01c0", "cpu@r01c0@"):
            self.assertEqual(self.lines(self.write("arch/x86/one/metrics.json", perf(f"E / {event}")), code=0), [])
        self.assertEqual(len(self.lines(self.write("arch/x86/one/metrics.json", perf("E / reads")))), 1)

    def test_unit_masks_that_count_alone(self):
        self.assertEqual(self.lines(self.papi("CPU,one\nPRESET,PAPI_L1_DCM,NOT_DERIVED,A:HIT:SECOND\nPRESET,PAPI_L1_ICM,NOT_DERIVED,A:FIRST:SECOND:c=1\n"), code=0), [])
        for masks in ("HIT:FIRST", "FIRST:HIT", "SECOND:HIT:FIRST:c=1"):
            self.assertEqual(self.lines(self.papi(f"CPU,one\nPRESET,PAPI_L1_DCM,NOT_DERIVED,A:{masks}\n")),
                             [f"[unknown event] PAPI_L1_DCM: 'A:{masks}' on one: the tree's libpfm4 takes these unit masks one at a time; add up events of one each"])

    def test_sections_for_several_processors(self):
        both = "CPU,one\nCPU,two\nPRESET,PAPI_L1_DCM,NOT_DERIVED,C\n"
        self.assertEqual(self.lines(self.papi(both)), ["[unknown event] PAPI_L1_DCM: no event 'C' on one (the tree's libpfm4)"])
        own = "CPU,one\nPRESET,PAPI_L1_DCM,NOT_DERIVED,A:HIT\n"
        self.assertEqual(self.lines(self.papi(own + both)), ["[duplicate] PAPI_L1_DCM: line 2 says otherwise for some of these processors; PAPI takes the last"])
        self.assertEqual(self.lines(self.papi("CPU,one\nCPU,one_l3\nPRESET,PAPI_L3_TCM,NOT_DERIVED,C\nPRESET,PAPI_L1_DCM,NOT_DERIVED,A:ALL\n"), code=0), [])

    def test_branches_of_wrong_paths(self):
        self.assertEqual(self.lines(self.papi("CPU,one\nPRESET,PAPI_BR_MSP,NOT_DERIVED,BR_MIS_PRED\n")),
                         ["[quantity] PAPI_BR_MSP: BR_MIS_PRED counts branches of wrong paths, too; one has BR_MIS_PRED_RETIRED"])
        self.assertEqual(self.lines(self.papi("CPU,one\nPRESET,PAPI_BR_MSP,NOT_DERIVED,BR_MIS_PRED_RETIRED\n"), code=0), [])

    def test_events_beside_those_of_a_preset(self):
        for preset, event, said in (
            ("BR_INS", "BR_PRED", "BR_PRED counts branches of wrong paths, too; one has BR_RETIRED"),
            ("VEC_INS", "ASE_SPEC", "ASE_SPEC leaves out instructions of SVE; one has SVE_INST_SPEC"),
            ("FP_OPS", "EXE:SSE", "leaves out x87: beside EXE:SSE one has EXE:X87"),
            ("FP_INS", "FP:SCALAR_SINGLE", "leaves out half precision: beside FP:SCALAR_SINGLE one has FP2:SCALAR_HALF"),
        ):
            self.assertEqual(self.lines(self.papi(f"CPU,one\nPRESET,PAPI_{preset},NOT_DERIVED,{event}\n")), [f"[quantity] PAPI_{preset}: {said}"])
        right = "PRESET,PAPI_SP_OPS,NOT_DERIVED,FP:SCALAR_SINGLE\nPRESET,PAPI_FP_INS,DERIVED_ADD,FP:SCALAR_SINGLE,FP2:SCALAR_HALF\n"
        right += "PRESET,PAPI_FP_OPS,DERIVED_ADD,EXE:SSE,EXE:X87\n"
        self.assertEqual(self.lines(self.papi(f"CPU,one\n{right}PRESET,PAPI_VEC_INS,DERIVED_ADD,ASE_SPEC,SVE_INST_SPEC\n"), code=0), [])

    def test_processors_that_libpfm4_does_not_know(self):
        preset = "PRESET,PAPI_L1_DCM,NOT_DERIVED,GONE\n"
        for cpu, near in (("onne_l3", "one_l3"), ("one_l4", "one_l3"), ("one_l3", None), ("ONE_L4", None), ("one (l4)", None), ("tow", None), ("power5", None)):
            said = [f"[ignored] unknown processor '{cpu}': no such libpfm4 PMU; nearest {near}"] if near else []
            self.assertEqual(self.lines(self.papi(f"CPU,{cpu}\n{preset}{preset.replace('DCM', 'ICM')}"), code=1 if near else 0), said)
        # without the tree, the processor may be newer than the library
        for cpu, near in (("arm_nn1", "arm_n1"), ("arm_n9", None), ("arm_n1", None), ("amd64_fam19h_zen44", None)):
            said = [f"[ignored] unknown processor '{cpu}': no such libpfm4 PMU; nearest {near}"] if near else []
            self.assertEqual(self.lines(self.write("x.csv", f"CPU,{cpu}\nPRESET,PAPI_L1_DCM,NOT_DERIVED,perf::E\n"), code=1 if near else 0), said)

    def test_processors_that_macros_name(self):
        self.assertEqual(self.lines(self.papi("CPU,family_young\nPRESET,PAPI_L1_DCM,NOT_DERIVED,A:HIT\n")),
                         ["[unknown event] PAPI_L1_DCM: no event 'A:HIT' on family_young (the tree's libpfm4)"])
        self.assertEqual(self.lines(self.papi("CPU,family_young\nPRESET,PAPI_L1_DCM,NOT_DERIVED,C\n"), code=0), [])
        self.assertEqual(self.lines(self.papi("CPU,fam\nPRESET,PAPI_L1_DCM,NOT_DERIVED,E\n"), code=0), [])

    def test_groups_of_a_processor(self):
        volume = group("L1D_CACHE_REFILL", "X", "L1D<-L2 load volume [GBytes] 1.0E-09*PMC0*256.0")
        self.assertEqual(self.lines(self.write("groups/nvidia_grace/L2.txt", volume)),
                         ["[quantity] L1D<-L2 load volume [GBytes]: 256 bytes per line, but the processor's lines have 64"])
        self.assertEqual(self.lines(self.write("groups/arm64fx/L2.txt", volume), code=0), [])
        self.assertEqual(self.lines(self.write("FLOPS_DP.txt", group("RETIRED_FLOPS", "X", "SP [MFLOP/s] 1E-06*PMC0/time"))),
                         ["[quantity] SP [MFLOP/s]: the group FLOPS_DP is of another precision, and so are its events"])

    def test_counters_of_likwids_tree(self):
        units = "".join(f"MBOX{i}C0 R\n" for i in range(3))
        text = "SHORT memory\nEVENTSET\n" + units + "\nMETRICS\nMemory read volume [GBytes] 1.0E-09*(MBOX0C0+MBOX1C0+MBOX2C0)*64.0\n"
        for count, expected in (
            (2, ["[unknown counter] no counter 'MBOX2C0' on this processor"]),
            (3, []),
            (4, []),
            (5, ["[quantity] Memory read volume [GBytes]: a sum of 3 units that leaves out 'MBOX3C0', which other groups count"]),
        ):
            self.write("src/includes/perfmon_zen4_counters.h", "".join(f'{{"MBOX{i}C0", PMC{i}}},\n' for i in range(count)))
            if count == 5:
                self.write("groups/zen4/ALL.txt", "SHORT all\nEVENTSET\nMBOX0C0 R\nMBOX3C0 R\n")
            self.assertEqual(self.lines(self.write("groups/zen4/MEM.txt", text), code=1 if expected else 0), expected)

    def test_counters_that_cannot_count_an_event(self):
        self.write("src/includes/perfmon_zen4_counters.h", '{"PMC0", P0}, {"PMC1", P1}, {"MBOX0FIX", P2}, {"MBOX0C0", P3}')
        self.write("src/includes/perfmon_zen4_events.txt", "EVENT_A 0x1 PMC0|FIX\nUMASK_A_ONE 0x0\nUMASK_A_TWO 0x1\nEVENT_B 0x2 PMC\nUMASK_B 0x0\nEVENT_C 0x2 UMC\nUMASK_C 0x0\nEVENT_X 0x3 TOTAL\nUMASK_X 0x0\n")
        for counters, events, expected in (
            (("PMC0", "PMC1"), ("A_ONE", "B"), []),
            (("MBOX0FIX", "PMC1:EDGE"), ("A_TWO", "B"), []),
            (("PMC1", "PMC0"), ("A_TWO", "B"), ["PMC1 does not count A_TWO, which LIKWID's list has for other counters"]),
            (("PMC0", "MBOX0"), ("A_ONE", "B"), ["no counter 'MBOX0' on this processor", "MBOX0 does not count B, which LIKWID's list has for other counters"]),
            (("PMC0", "TOTAL"), ("A_ONE", "X"), ["no counter 'TOTAL' on this processor"]),  # macros make names with numbers
            (("PMC0", "UMC0C0"), ("A_ONE", "C"), []),  # the table has no counters of this kind: macros make them
        ):
            text = "SHORT g\nEVENTSET\n" + "".join(f"{c} {e}\n" for c, e in zip(counters, events)) + f"\nMETRICS\nBoth {'+'.join(counters)}\n"
            self.assertEqual(self.lines(self.write("groups/zen4/G.txt", text), code=1 if expected else 0), [f"[unknown counter] {text}" for text in expected])

    def test_what_vendors_say_of_events(self):
        energy = group("RAPL_L3_ENERGY", "X", "Energy L3 [J] PMC0", "Energy [J] 1.0*PMC0")
        said = "[quantity] Energy L3 [J]: RAPL_L3_ENERGY is of the whole socket, in spite of its name (AMD, in LIKWID's commit 8cdf9a476)"
        self.assertEqual(self.lines(self.write("groups/zen4/ENERGY.txt", energy)), [said])
        self.assertEqual(self.lines(self.write("groups/SPR/ENERGY.txt", energy), code=0), [])
        for cpu, preset, event, found in (("arm_a64fx", "L1_DCA", "L1D_CACHE", True), ("arm_a64fx", "L1_DCM", "L1D_CACHE", False), ("arm_v1", "L1_DCA", "L1D_CACHE", False),
                                          ("hsw", "REF_CYC", "CPU_CLK_THREAD_UNHALTED:REF_XCLK", True), ("hsw", "REF_CYC", "hsw::CPU_CLK_UNHALTED:REF_P", False)):
            run = support.Run("lint", self.write("own.csv", f"CPU,x\nCPU,{cpu}\nPRESET,PAPI_{preset},NOT_DERIVED,{event}\n"))
            self.assertEqual([" counts " in line for line in run.out.splitlines() if "[quantity]" in line], [True] if found else [], str(run))

    def test_terms_by_the_tree(self):
        text = f"CPU,x\nPRESET,PAPI_L3_TCR,DERIVED_ADD,{terms(12)}\nPRESET,PAPI_L3_TCA,DERIVED_ADD,{terms(13)}\n"
        path = self.write("src/papi_events.csv", text)
        self.assertEqual(len(self.lines(path)), 2)
        self.write("src/papi_internal.h", "/* more */\n#define PAPI_EVENTS_IN_DERIVED_EVENT\t12\n")
        self.assertEqual(self.lines(path), ["[terms] PAPI_L3_TCA: 13 terms, PAPI takes only the first 12"])

    def test_both_states_are_judged_by_the_tree_of_one(self):
        def names(count):
            return ",".join(f"E{i}" for i in range(count))

        self.write("papi/papi_internal.h", "#define PAPI_EVENTS_IN_DERIVED_EVENT 12\n")
        self.write("likwid/src/includes/perfmon_ICX_events.txt", "EVENT_CPU_CLK_UNHALTED_CORE 0x0 FIXC1\nUMASK_CPU_CLK_UNHALTED_CORE 0x0\n")
        self.write("perf/mapfile.csv", "")
        self.write("perf/some/events.json", '[{"EventName": "A"}]')
        self.write("rocm/basic_counters.xml", '<gfx9><metric name="A" block=X event=1></metric></gfx9>')
        slots = group("CPU_CLK_UNHALTED_CORE", "E", "Total Slots 4*PMC0", "Other PMC1")
        rocm = '#include "basic_counters.xml"\n<gfx90a base="gfx9">\n<metric name="X" expr=A></metric>\n<metric name="Y" expr=C></metric></gfx90a>'
        for tree, text, added, count in (
                ("papi/papi_events.csv", f"CPU,none\nPRESET,PAPI_TOT_INS,DERIVED_ADD,{names(10)}\n", "\nPRESET,PAPI_TOT_CYC,DERIVED_ADD,E\n", 1),
                ("likwid/groups/ICX/TMA.txt", slots, "", 0), ("perf/some/metrics.json", perf("A + B"), "", 0), ("rocm/derived.xml", rocm, "", 0)):
            within, without = self.write(tree, text), self.write("copy" + tree[-4:], text)
            for new, old in ((within, without), (without, within)):
                with self.subTest(new=new):
                    new.write_text(text)
                    old.write_text(text)
                    self.assertEqual(self.lines(new, "--base", old, code=0), [])
                    new.write_text(text + added)
                    self.assertEqual(len(self.lines(new, "--base", old, code=min(count, 1))), count)

    def test_each_metric_that_names_an_event_which_the_processor_lacks(self):
        self.write("x/events.json", '[{"EventName": "A"}]')
        metrics = [f'{{"MetricName": "m{i}", "MetricExpr": "A + B + B / A"}}' for i in range(3)]
        old, new = (self.write(name, f"[{','.join(some)}]") for name, some in (("x/old.json", metrics[:2]), ("x/new.json", metrics)))
        self.assertEqual(len(self.lines(new)), 3)
        self.assertEqual([line[:19] for line in self.lines(new, "--base", old)], ["[unknown event] m2:"])

    def test_tests_of_perfs_own(self):
        """Their metrics are wrong on purpose: they are left out of a tree, and looked at where they are named."""
        self.write("pmu-events/arch/x86/m.json", perf("A / B"))
        own = self.write("pmu-events/arch/test/soc/m.json", perf("a + 1"))
        self.assertEqual(self.lines(self.folder, code=0), [])
        self.assertEqual(len(self.lines(own)), 1)

    def test_events_of_other_trees(self):
        events = '{"Header": {}, "Events": [{"EventName": "A.ONE"}, {"EventName": "UNC_B"}]}'
        metric = '{"Metrics": [{"MetricName": "m", "Events": [{"Name": "%s", "Alias": "a"}], "Formula": "2 * a"}]}'
        for name, content, lists, fault in (
            ("groups/zen4/G.txt", group("E", "G", "Both PMC0+PMC1"), {"src/includes/perfmon_zen4_events.txt": "EVENT_E 0x1 PMC\nUMASK_E 0x0\nUMASK_E_ALL 0x1\n"},
             "[unknown event] Both: no event 'G' on this processor (src/includes/perfmon_zen4_events.txt)"),
            ("groups/SPR/G.txt", group("E", "G", "Both PMC0+PMC1"), {"src/includes/perfmon_sapphirerapids_events.txt": "UMASK_E 0x0\n"},
             "[unknown event] Both: no event 'G' on this processor (src/includes/perfmon_sapphirerapids_events.txt)"),
            ("X/metrics/x.json", metric % "A.TWO:c1", {"X/events/x.json": events}, "[unknown event] m: no event 'A.TWO' on this processor (events)"),
            ("X/metrics/x.json", metric % "A.ONE:c1", {"X/events/x.json": events}, None),
            ("X/metrics/x.json", metric % "TSC", {"X/events/x.json": events}, None),
            ("Y/metrics/perf/y.json", perf("cpu@A.TWO\\\\,cmask\\\\=1@"), {"Y/events/x.json": events}, "[unknown event] a: no event 'A.TWO' on this processor (events)"),
            ("Y/metrics/perf/y.json", perf("A.One"), {"Y/events/x.json": events}, "[foreign] a: 'A.One': the list of events (events) has 'A.ONE', in other letters"),
            ("Y/metrics/perf/y.json", perf("cbox@UNC_B_OPCODE@"), {"Y/events/x.json": events}, "[foreign] a: 'cbox/UNC_B_OPCODE/': an event of a filter, without its filter"),
            ("Y/metrics/perf/y.json", perf("cbox@UNC_B_OPCODE\\\\,filter_opc\\\\=0x182@"), {"Y/events/x.json": events}, None),
            ("Y/metrics/perf/y.json", perf("tsc"), {"Y/events/x.json": events}, "[unknown event] a: no event 'tsc' on this processor (events)"),
            ("Y/metrics/perf/y_cove_core_perf.json", perf("cpu@A.ONE@ + A.ONE"), {"Y/events/x.json": events}, "[foreign] a: 'cpu/A.ONE/': a hybrid processor has no device 'cpu'"),
            ("Y/metrics/perf/y.json", perf("UNC_B + topdown\\\\-retiring + cycles + msr@tsc@ + cpu@event\\\\=1@ + #slots"), {"Y/events/x.json": events}, None),
            ("arch/a/b/m.json", perf("A + B"), {"arch/a/b/e.json": '[{"EventName": "a"}]'}, "[unknown event] a: no event 'B' on this processor"),
            ("arch/a/b/m.json", perf("A + B"), {"arch/common-and-microarch.json": '[{"EventName": "B"}]'}, None),
            ("arch/arm64/x/m.json", perf("A + L2I_CACHE"), {"arch/arm64/x/e.json": '[{"EventName": "a"}]'}, None),
            ("arch/x86/x/m.json", perf("A + L2I_CACHE"), {"arch/x86/x/e.json": '[{"EventName": "a"}]'}, "[unknown event] a: no event 'L2I_CACHE' on this processor"),
        ):
            with self.subTest(name=name, fault=fault):
                for beside, text in lists.items():
                    self.write(beside, text)
                found = self.lines(self.write(name, content), code=1 if fault else 0)
                self.assertEqual([line[:len(fault)] for line in found] if fault else found, [fault] if fault else [])


if __name__ == "__main__":
    support.main()
