"""Counts of NVIDIA's ncu: both forms of its CSV become one table, and what is no count, or no kernel, is said. The examples are made up."""

import csv

import support

KERNELS = {"A_D.24": 24, "A_D.48": 48, "A_D.96": 96, "F_D.12": 12, "F_D.24": 24, "F_D.48": 48}
DADD, DFMA = "sm__sass_thread_inst_executed_op_dadd_pred_on.sum", "sm__sass_thread_inst_executed_op_dfma_pred_on.sum"
TIME, RATE, SIZE = "gpu__time_duration.sum", "sm__inst_executed.sum.per_cycle_elapsed", "launch__registers_per_thread"
UNITS = {DADD: "inst", DFMA: "inst", TIME: "usecond", RATE: "inst/cycle", SIZE: "register/thread"}
THREADS, LOOPS = 80 * 256, 1000
LAUNCH = ("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Context", "Stream", "Block Size", "Grid Size", "Device", "CC")


def thousands(value):
    return f"{value:,}"


def german(value):
    return f"{value:,}".translate(str.maketrans(",.", ".,"))


def launches(device=0, again=2):
    """One row a launch: its columns, and the values of its metrics."""
    number = 0
    for _ in range(again):
        for kernel, count in KERNELS.items():
            counted = count * THREADS * LOOPS
            name = "catmint_" + kernel.replace(".", "_") + "(unsigned int, float *)"
            yield ((number, 77, "catmint", "127.0.0.1", name, 1, 7, "(256, 1, 1)", "(80, 1, 1)", device, "9.0"),
                   {DADD: counted if kernel[0] == "A" else 0, DFMA: counted if kernel[0] == "F" else 0, TIME: 12.5, RATE: 0.5, SIZE: 16})
            number += 1


def line(cells):
    return ",".join(f'"{cell}"' for cell in cells) + "\n"


def wide(rows, number=thousands, head="==PROF== Connected to process 77 (/usr/bin/catmint)\n"):
    metrics = list(UNITS)
    text = head + line((*LAUNCH, *metrics)) + line((*[""] * len(LAUNCH), *(UNITS[metric] for metric in metrics)))
    for launch, counts in rows:
        text += line((*launch, *(number(counts[metric]) for metric in metrics)))
    return text


def narrow(rows, number=thousands):
    text = line((*LAUNCH, "Section Name", "Metric Name", "Metric Unit", "Metric Value"))
    for launch, counts in rows:
        for metric, value in counts.items():
            text += line((*launch, "Command line profiler metrics", metric, UNITS[metric], number(value)))
    return text


class ImportNcu(support.Case):
    def load(self, text, *options, code=0, err=None):
        table = self.write("ncu.csv", text)
        return self.expect(support.Run("import-ncu", table, "--out", self.folder / "out", *options), code, err=err, out="")

    def read(self):
        """{event: rows} and the kernels, by the CSV of another reader."""
        with open(self.folder / "out" / "gpu-flops.csv", newline="") as stream:
            rows = list(csv.reader(line for line in stream if not line.startswith("#")))
        found = {}
        for row in rows[1:]:
            found.setdefault(row[0], []).append([float(value) for value in row[3:]])
        return rows[0][3:], found

    def check(self, device=""):
        kernels, found = self.read()
        self.assertEqual(kernels, list(KERNELS))
        event = f"cuda:::sm__sass_thread_inst_executed_op_%s_pred_on:stat=sum{device}"
        self.assertEqual(found[event % "dadd"], [[count * THREADS * LOOPS if kernel[0] == "A" else 0 for kernel, count in KERNELS.items()]] * 2)
        self.assertEqual(found[event % "dfma"], [[count * THREADS * LOOPS if kernel[0] == "F" else 0 for kernel, count in KERNELS.items()]] * 2)
        self.assertEqual(found[f"cuda:::gpu__time_duration:stat=sum{device}"], [[12500] * len(KERNELS)] * 2)
        return found

    def test_both_forms_and_all_ways_of_numbers(self):
        for form in (wide, narrow):
            for number in (str, thousands, german):
                with self.subTest(form=form.__name__, number=number.__name__):
                    run = self.load(form(launches(), number), "--iterations", str(LOOPS))
                    found = self.check()
                    self.assertEqual(found["iterations"], [[THREADS * LOOPS] * len(KERNELS)])
                    self.assertRegex(run.err, r"2 metrics are rates or properties, no counts, .*: .*per_cycle_elapsed")
                    self.assertEqual(len(found), 4)

    def test_definitions_follow(self):
        self.load(wide(launches()), "--iterations", str(LOOPS))
        # The kernels of double precision alone, and what they are made of.
        basis = self.write("basis.csv", "kernel,A_D,F_D\n" + "".join(f"{k},{n if k[0] == 'A' else 0},{n if k[0] == 'F' else 0}\n" for k, n in KERNELS.items()))
        metrics = self.write("metrics.csv", "metric,preset,description,A_D,F_D\nDP Ops.,,,1,2\n")
        run = support.Run("analyze", self.folder / "out" / "gpu-flops.csv", "--benchmark", "gpu-flops", "--basis", basis, "--signatures", metrics,
                          "--format", "json")
        self.expect(run, 0)
        metric = support.metric(run.json(), "gpu-flops", "DP Ops.")
        self.assertTrue(support.usable(metric))
        event = "cuda:::sm__sass_thread_inst_executed_op_%s_pred_on:stat=sum"
        self.assertEqual(support.definition(metric), {event % "dadd": 1, event % "dfma": 2})

    def test_devices_are_events_of_their_own(self):
        rows = list(launches()) + [((200 + launch[0], *launch[1:9], 1, launch[10]), counts) for launch, counts in launches(1)]
        self.load(wide(rows))
        self.check(":device=0")
        self.check(":device=1")

    def test_what_several_sections_list_counts_once(self):
        text = narrow(launches())
        self.load(text + text.split("\n", 1)[1])
        self.check()

    def test_instances_and_other_kernels(self):
        others = [((900, 77, "app", "127.0.0.1", "void gemm<float>(int)", 1, 7, "(32, 1, 1)", "(1, 1, 1)", 0, "9.0"), dict.fromkeys(UNITS, 5))]
        run = self.load(wide([*launches(), *others], lambda value: f"{value:,} (1; 2)"))
        self.check()
        self.assertRegex(run.err, r"1 kernel is none of this benchmark's and is left out: void gemm<float>\(int\)")
        self.assertRegex(run.err, "counts are divided by the threads of each launch; --iterations N")

    def test_a_missing_count_leaves_its_event_out(self):
        for gap in ("n/a", "nan", ""):
            text = wide(launches()).replace('"12.5"', f'"{gap}"', 1)
            self.load(text, code=1, err="^catmint: cuda:::gpu__time_duration:stat=sum is left out: a count is missing")
            self.assertNotIn("cuda:::gpu__time_duration:stat=sum", self.read()[1])

    def test_without_sizes_only_iterations_divide(self):
        columns = [index for index, name in enumerate(LAUNCH) if name not in ("Block Size", "Grid Size")]
        rows = [[launch[index] for index in columns] + [counts[DADD]] for launch, counts in launches()]
        text = line([*(LAUNCH[index] for index in columns), DADD]) + "".join(line(row) for row in rows)
        self.load(text, err="counts are divided by nothing: the file has neither grid nor block sizes; see --iterations")
        self.assertNotIn("iterations", self.read()[1])
        self.load(text, "--iterations", "5")
        self.assertEqual(self.read()[1]["iterations"], [[5] * len(KERNELS)])

    def test_what_is_no_such_csv(self):
        good = wide(launches())
        second = line(("1", "77", "catmint", "h", "catmint_A_D_24", "1", "7", "(256, 1, 1)", "(81, 1, 1)", "0", "9.0", *"12345"))
        for text, words in (("a,b\n1,2\n", r"ncu.csv:1: expected the CSV of ncu with the headings 'ID' and 'Kernel Name'"),
                            (line(("ID", "Kernel Name", "Metric Name")) + line((0, "a", "b")), r"ncu.csv:1: expected the columns 'Metric Name' and 'Metric Value'"),
                            (good.replace("catmint_", "other_"), r"ncu.csv:2: no launch is of a kernel of gpu-flops"),
                            (good.replace(".sum", ".pct").replace("__", "__x"), r"ncu.csv:2: no metric of gpu-flops's kernels is a count"),
                            (good.replace("(80, 1, 1)", "x", 1), r"ncu.csv:4: column 9, 'Grid Size': expected a size as in '\(256, 1, 1\)', found 'x'$"),
                            (good.replace("(256, 1, 1)", "(256, 0, 1)", 1), r"ncu.csv:4: column 8, 'Block Size': expected a size as in .*, found '\(256, 0, 1\)'$"),
                            (good.replace(',"16"\n', "\n", 1), r"ncu.csv:4: expected 16 cells, as headings, found 15$"),
                            (good.replace(',"16"\n', ',"16","1"\n', 1), r"ncu.csv:4: expected 16 cells, as headings, found 17$"),
                            (good + "12\n", r"ncu.csv:16: expected 16 cells, as headings, found 1$"),
                            (good.replace("(256, 1, 1)", "(1,024, 1, 1)", 1), r"ncu.csv:4: column 8, 'Block Size': expected a size as in .*, found '\(1,024, 1, 1\)'$"),
                            (good + second, r"ncu.csv:16: kernel 'A_D.24' was launched with 20736 threads, before with 20480"),
                            ("", "expected a row of headings"), (b"\xff\0a", "UTF-8")):
            with self.subTest(words=words):
                self.load(text, code=3, err=words)

    def test_units_and_values_that_differ(self):
        for unit in ("%", "byte/second", "sector/ns", "GHz"):
            run = self.load(wide(launches()).replace('"inst"', f'"{unit}"', 1), err=rf"3 metrics are rates or properties, no counts, and are left out: {DADD}")
            self.assertNotIn("dadd", " ".join(self.read()[1]), run.err)
        for unit in ("furlong", "Mfurlong", "KiB"):
            self.load(wide(launches()).replace('"inst"', f'"{unit}"', 1), err=f"1 unit is unknown, its numbers are taken as counts: {unit}")
            self.check()
        text = narrow(launches())
        self.load(text + text.split("\n", 2)[1].replace('"491,520,000"', '"7"') + "\n", err="1 event stands there twice with other values, the first is taken: .*dadd")
        self.check()

    def test_rows_between_launches(self):
        """What the program prints is named and left out; messages of ncu, headings and units again are not; other headings are refused."""
        text = wide(launches())
        lines = text.splitlines(keepends=True)
        run = self.load("".join([*lines[:5], "step 1 of 9\n", "1 of 9 done\n", '==PROF== Profiling "x"\n', *lines[5:]]), err=r"^catmint: 2 rows are no launches and are left out: ncu\.csv:6: 'step 1 of 9', ncu\.csv:7: '1 of 9 done'$")
        self.check()
        self.load("".join([*lines[:5], lines[1], lines[2], *lines[5:]]))
        self.check()
        self.assertNotIn("no launches", self.load(text).err, run.err)
        self.load("".join([*lines[:5], lines[1].replace(DADD, DFMA, 1).replace(DFMA, DADD), *lines[5:]]), code=3, err=r"ncu\.csv:6: other headings than in line 2: expected each table in a file of its own$")

    def test_a_lone_quote_of_the_program(self):
        """It begins no cell: the launch behind it counts. Cells have line breaks, and quotes that are doubled."""
        lines = wide(launches()).splitlines(keepends=True)
        for said in ('he said " and went\n', '" alone\n', '5" 3"\n', 'a "b\n'):
            run = self.load("".join([*lines[:5], said, *lines[5:]]), err=r"^catmint: 1 row is no launch and is left out: ncu\.csv:6: ")
            self.check()
        self.load("".join([*lines[:5], lines[5].replace('"127.0.0.1"', '"a ""b"" ""\nc"', 1), *lines[6:]]))
        self.check()

    def test_usage(self):
        self.expect(support.Run("import-ncu", self.write("ncu.csv", wide(launches()))), 2, err="import-ncu needs --out DIR", out="")
        self.load(wide(launches()), "--benchmark", "no-such", code=2, err="unknown benchmark 'no-such', expected one of gpu-")
        self.load(wide(launches()), "--benchmark", "branch,tlb", code=2, err="expected one name")
        self.load(wide(launches()), "--iterations", "0", code=2, err="--iterations")
        self.expect(support.Run("import-ncu", self.folder / "none.csv", "--out", self.folder), 3, err="none.csv", out="")


if __name__ == "__main__":
    support.main()
