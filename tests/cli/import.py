"""Other people's tables: turned, parted and numbered in every way, they become the same measurement table."""

import csv

import support

EVENTS = {"BR_A": [[1000, 2000000, 3.5], [1001, 2000000, 3.5]], "BR_B": [[5, 6, 7], [5, 6, 7]]}
KERNELS = ["b1", "b2", "b3"]


def plain(value):
    return f"{value:g}" if value < 1000 else f"{value:.0f}"


def thousands(value):
    return f"{value:,}"


def german(value):
    return f"{value:,}".translate(str.maketrans(",.", ".,"))


def quoted(value):
    return f'"{value:,}"'


def by_event(separator, number, heading="Event Name", run="Run"):
    lines = [separator.join([heading, *([run] if run else []), *KERNELS])]
    for event, rows in EVENTS.items():
        for index, row in enumerate(rows, 1):
            lines.append(separator.join([event, *([str(index)] if run else []), *map(number, row)]))
    return "\n".join(lines) + "\n"


def by_kernel(separator, number):
    lines = [separator.join(["kernel", *EVENTS, *EVENTS])]
    for at, kernel in enumerate(KERNELS):
        lines.append(separator.join([kernel, *(number(rows[index][at]) for index in (0, 1) for rows in EVENTS.values())]))
    return "\n".join(lines) + "\n"


class Import(support.Case):
    def read(self, name="branch"):
        """{event: rows}, by the CSV of another reader."""
        with open(self.folder / "out" / f"{name}.csv", newline="") as stream:
            rows = list(csv.reader(line for line in stream if not line.startswith("#")))
        found = {}
        for row in rows[1:]:
            found.setdefault(row[0], []).append([float(value) for value in row[3:]])
        return rows[0][3:], found

    def load(self, text, *options, code=0, err=None):
        table = self.write("table", text)
        return self.expect(support.Run("import", table, "--out", self.folder / "out", *options), code, err=err, out="")

    def test_every_way_to_write_it(self):
        for text, options in (
                (by_event(",", plain), ()), (by_event("\t", plain), ()), (by_event(";", german), ("--decimal-comma",)), (by_event("|", plain), ()),
                (by_event(" ", plain, "event"), ()), (by_event(";", thousands, "counter"), ()), (by_event(",", quoted), ()),
                (by_event(",", plain, run=None), ()), (by_event(",", plain, "what", "nth"), ("--events-column", "what", "--repetition-column", "2")),
                (by_kernel(",", plain), ()), (by_kernel("\t", thousands), ()), ("A study of ours\n\n" + by_event(",", plain), ("--kernels-row", "3")),
                ("\ufeff" + by_event(",", plain).replace("\n", ",,\r\n") + ",,,,\r\n", ()), ("# by hand\n" + by_event(";", plain), ("--separator", ";"))):
            with self.subTest(text=text):
                self.load(text, "--benchmark", "branch", *options, err="understood: ")
                self.assertEqual(self.read(), (KERNELS, EVENTS))

    def test_several_benchmarks_in_one_sheet(self):
        self.load("branch\n" + by_event(",", plain) + "\nother\n" + by_kernel(",", plain), err="2 tables are in")
        self.assertEqual((self.read(), self.read("other")), ((KERNELS, EVENTS),) * 2)
        self.load("benchmark,event,b1,b2,b3\nbranch,A,1,2,3\nother,B,4,5,6\n", err="2 tables are in")
        self.assertEqual(self.read("other"), (KERNELS, {"B": [[4, 5, 6]]}))
        self.load("branch,b1,b2\nA,1,2\n\ncpu-flops,S_ADD_SCAL.24,S_MUL_SCAL.24\nB,3,4\nC,,\nD,5,6\n", code=1, err="C is left out")
        self.assertEqual((self.read()[1], self.read("cpu-flops")[1]), ({"A": [[1, 2]]}, {"B": [[3, 4]], "D": [[5, 6]]}))

    def test_what_other_programs_put_around_it(self):
        plain_table = by_event(",", plain)
        rule = "|---|---|---|---|---|"
        for text in ("sep=;\n" + by_event(";", plain), by_event(":", plain), by_event("^", plain), "Results of my machine\n" + plain_table,
                     "Results of my machine\nBenchmark: branch\n" + plain_table, plain_table.replace("b1", "B1").replace("b2", "B 2"),
                     plain_table.replace("Event Name", '"Event\nName"').replace(",Run", ',"Run"'),
                     "\n".join([*(f"|{line}|" for line in by_event("|", plain).splitlines()[:1]), rule,
                                *(f"|{line}|" for line in by_event("|", plain).splitlines()[1:])]) + "\n",
                     by_event(";", lambda value: f"{value:,}".replace(",", "\u00a0")).encode("latin-1"),
                     "\n".join(line + tail for line, tail in zip(plain_table.splitlines(), (",mean,unit", *[",1.5,events"] * 4), strict=True)) + "\n"):
            with self.subTest(text=text):
                options = () if "Name\"" not in str(text) else ("--events-column", "1")
                self.load(text, "--benchmark", "branch", *options, err="understood: ")
                self.assertEqual(self.read(), (KERNELS, EVENTS))

    def test_a_row_a_count(self):
        rows = [(event, kernel, run + 1, value) for event, values in EVENTS.items() for run, row in enumerate(values)
                for kernel, value in zip(KERNELS, row, strict=True)]
        for heading, options in (("event,kernel,run,count", ()), ("event,kernel,run,cycles", ()),
                                 ("what,where,run,much", ("--events-column", "what", "--kernels-column", "2", "--counts-column", "much"))):
            text = "\n".join([heading, *(",".join(map(str, row)) for row in rows)]) + "\n"
            self.load(text, "--benchmark", "branch", *options, err="counts in column")
            self.assertEqual(self.read(), (KERNELS, EVENTS))
        self.load("event,kernel,low,high\nA,b1,1,2\n", "--benchmark", "branch", code=3, err="--counts-column")
        self.load("event,b1\nA,1\n", "--benchmark", "branhc", err="branhc is no benchmark of catmint's: 'catmint analyze' takes its table with --basis")
        self.load("event,loop,test\nA,1,2\n", "--benchmark", "branch")  # kernels of these names
        self.assertEqual(self.read()[0], ["loop", "test"])

    def test_known_kernels_say_which_way_it_is_turned(self):
        for text in (",b1,b2\nA,1,2\n", "kernel,b1,b2\nA,1,2\n", "branch,b1,b2\nA,1,2\n", ",A\nb1,1\nb2,2\n"):
            self.load(text, *(() if text.startswith("branch") else ("--benchmark", "branch")), err="by the names of its kernels")
            self.assertEqual(self.read(), (["b1", "b2"], {"A": [[1, 2]]}))

    def test_names_of_kernels_can_be_said(self):
        text = "event,one,two\nA,1,2\n"
        self.load(text, "--benchmark", "branch", err="none of the kernels .* --kernels LIST")
        self.load(text, "--benchmark", "branch", "--kernels", "b4,b7")
        self.assertEqual(self.read(), (["b4", "b7"], {"A": [[1, 2]]}))
        self.load(text, "--benchmark", "branch", "--kernels", "b4", code=3, err="1 name, but the table's kernels are 2")

    def test_iterations_are_divisors(self):
        self.load("event,b1,b2,b3\nIterations,10,10,10\nA,1,2,3\nA,1,2,3\n", "--benchmark", "branch")
        self.assertEqual(self.read()[1]["iterations"], [[10, 10, 10]])

    def test_what_is_missing_is_left_out_and_named(self):
        for cell in ("", "n/a", "-3", "1.2.3"):
            self.load(f"event,b1,b2\nA,1,2\nB,3,{cell}\n", "--benchmark", "branch", code=1, err="^catmint: B is left out: a count is missing")
            self.assertEqual(list(self.read()[1]), ["A"])

    def test_the_papers_kernels_are_known(self):
        """Whatever is analysed is no table of somebody's own names."""
        for benchmark, table in support.RECORDED.items():
            self.expect(support.Run("import", table, "--out", self.folder / "out", "--benchmark", benchmark), 0, err=r"\A(?:(?!.*none of the kernels).*\n)+\Z")
            self.expect(support.Run("analyze", self.folder / "out" / f"{benchmark}.csv", "--benchmark", benchmark), 0)

    def test_what_cannot_be_guessed_is_asked_for(self):
        for text, options, words in (("x,b1\nA,1\n", ("--benchmark", "branch"), ":1: no heading says .*--events-column or --kernels-column"),
                                     ("event,b1\nA,1\n", (), ":2: the table does not name its benchmark: say --benchmark"),
                                     ("event,b1\nA,1\n", ("--events-column", "9"), "there is no column '9'"), ("event\n", (), "expected a row of headings"),
                                     ("event,run,b1\nA,first,1\n", ("--benchmark", "branch"), ":2: 'first' is no number"),
                                     ("event,b1\nA,1\n", ("--benchmark", "../x"), "cannot be the name of a file"), (b"\xff\xfe\0a\0", (), "UTF-8"),
                                     ("event,b1\nA,1\n", ("--kernels-row", "9"), "no row 9"),
                                     ("event\nA\nB\n", ("--benchmark", "branch"), ":1: no column holds counts, expected a column for each kernel"),
                                     ("#\n\nevent,b1\nA,x\n", ("--benchmark", "branch"), ":3: no column holds counts"),
                                     ("kernel,run\nb1,1\n", ("--benchmark", "branch"), ":1: no column holds counts, expected a column for each event"),
                                     ("event,b1\n,1\n", ("--benchmark", "branch"), ":1: no row names an event")):
            with self.subTest(text=text, options=options):
                self.load(text, *options, code=3, err=words)
                self.assertFalse((self.folder / "out").exists())
        self.load("event;b1\nA;1,234\n", "--benchmark", "branch", err="line 2: a comma before three digits .*--decimal-comma")

    def test_numbers_say_how_they_are_written(self):
        for cells, options, expected, words in (
                ("1.234.567;2.000", (), (1234567, 2000), "line 2: a comma is taken for a decimal sign, .* as in '1.234.567'"),
                ("1.234,5;2.000", (), (1234.5, 2000), "as in '1.234,5'"), ("2.000;1,5", (), (2000, 1.5), "as in '1,5'"),
                ("2.000;5.000", (), (2, 5), "line 2: a point before three digits is taken for a decimal sign; with --decimal-comma"),
                ("2.000;5.000", ("--decimal-comma",), (2000, 5000), "understood"),
                *((f"2.000;{cell}", (), (2, value), "^catmint: understood") for cell, value in (("1000.000", 1000), ("0.125", 0.125), ("1.5", 1.5), ("1,234.5", 1234.5))),
                ("1,234.5;2.000,5", (), (1234.5, 2000.5), "^catmint: understood")):
            with self.subTest(cells=cells, options=options):
                self.load(f"event;b1;b2\nA;{cells}\n", "--benchmark", "x", *options, err=words)
                self.assertEqual(self.read("x")[1], {"A": [list(expected)]})

    def test_wrong_options(self):
        for options, words in ((["t"], "needs --out"), (["t", "--out", "d", "--separator", "xy"], "--separator"), (["t", "--out", "d", "--kernels-row", "0"], "--kernels-row"),
                               (["t", "--out", "d", "--events-column", ""], "--events-column"), (["t", "--out", "d", "--benchmark", "a,b"], "one name")):
            self.expect(support.Run("import", *options), 2, words, out="")

    def test_analyze_reads_it_and_points_out_raw_counts(self):
        table = support.measurements("branch", {"BR": {"CR": 1}, "MISP": {"M": 1}})
        self.load(table, "--benchmark", "branch")
        run = self.expect(support.Run("analyze", "--benchmark", "branch", self.folder / "out/branch.csv"), 0, err="")
        self.assertRegex(run.out, "1 x BR")
        raw = "\n".join(",".join([*cells[:3], *(str(float(cell) * 1e6) for cell in cells[3:])]) if number else line for number, line in enumerate(table.splitlines())
                        for cells in [line.split(",")])
        self.load(raw, "--benchmark", "branch")
        self.expect(support.Run("analyze", "--benchmark", "branch", self.folder / "out/branch.csv"), 0, err="no row 'iterations', and 2 of 2 events")


if __name__ == "__main__":
    support.main()
