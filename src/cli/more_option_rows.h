/* The rest of option_rows.h: machines, programs, foreign tables and kernels. */

/* Projections. */
ROW("from", CLI_PROJECT, "MACHINE", "the machine that the program was measured on, CSV or JSON", PATH(from))
ROW("to", CLI_PROJECT, "MACHINE", "the machine that its speed is projected to", PATH(to_machine))
ROW("mix", CLI_PROJECT, "FILE",
    "the program's mix of instructions, as 'catmint count --mix --format json' writes it, or a table; may be "
    "repeated: the first is of the program on --from, the others of those on --to",
    PATHS(mixes))
ROW("performance", CLI_PROJECT, "GFLOPS", "the program's speed on --from (default: as the first mix says)",
    NUMBER(performance, DBL_TRUE_MIN, BELOW(1e12), "GFLOP/s"))
ROW("memory-bandwidth", CLI_PROJECT, "LIST", "GB/s of the memory of --to, as in DDR4=21.1,HBM2=65.5",
    LIST(memories, "GB/s, with a name or without, as in 'DDR4=21.1,HBM2=65.5'"))
ROW("least-share", CLI_PROJECT, "X",
    "leave out rooflines of levels that answer a smaller part of the bytes (default 0: all levels)",
    NUMBER(least_share, 0.0, 1.0, "a number from 0 to 1"))
ROW("mix", CLI_COUNT, NULL,
    "also count the mix of instructions for 'catmint project', under the emulated PMU without "
    "prefetches: a line counts when the program asks for it",
    FLAG(mix))
ROW("plan", CLI_COUNT, "FILE",
    "also count the events of this table, set,event: those of different sets in different runs (under the emulated "
    "PMU all in one)",
    PATH(plan))
ROW("stepped", CLI_COUNT, NULL,
    "under the emulated PMU: step the program in its own process, as this processor executes it (AVX-512): all of it "
    "but the dynamic linker's "
    "start and signal handlers; with threads, or linked statically, it is refused",
    FLAG(stepped))
ROW("vector-bits", CLI_PROJECT, "N",
    "the length of the scalable vectors of --to (default: the mix's, or the machine's)",
    OTHER(cli_set_vector_bits, NULL, NULL))
ROW("vector-bits", CLI_COUNT, "N", "the length of the scalable vectors of the emulated processor, SVE's or RVV's",
    OTHER(cli_set_vector_bits, NULL, NULL))

/* Measuring machines. */
ROW("cores", CLI_ROOFLINE, "LIST", "processors to measure on, as in '0-3,8': one core, then all of them (default: all)",
    OTHER(cli_set_cores, NULL, NULL))
ROW("precision", CLI_ROOFLINE, "LIST", "some of double,single,half (default: all that this processor has)",
    OTHER(cli_set_precisions, NULL, NULL))
ROW("machine", CLI_ROOFLINE, "FILE", "do not measure: take the figures from this machine.json", PATH(machine))
ROW("machine", CLI_REPORT, "FILE", "also show the rooflines of this machine.json, as 'catmint roofline' writes it",
    SAME(PATH(machine)))
ROW("points", CLI_ROOFLINE | CLI_REPORT, "FILE",
    "also show these programs: a table with the columns name,flops,l1_bytes,memory_bytes,seconds,cores, or a file "
    "of 'catmint count --format json'; may be repeated",
    PATHS(points))
ROW("cores", CLI_INCORE, "LIST", "processors to measure on, as in '0-3,8': one core, two, four, all (default: all)",
    OTHER(cli_set_cores, NULL, NULL))
ROW("load-seconds", CLI_INCORE, "S", "how long each load lasts under which the clock is measured (default 0.5)",
    NUMBER(load_seconds, DBL_TRUE_MIN, 3600.0, "seconds, above 0 and at most 3600"))
ROW("kernels", CLI_INCORE, NULL,
    "also hold 13 streaming kernels, as gcc and clang compile them, against the predictions of llvm-mca", FLAG(kernels))
ROW("assembly", CLI_INCORE, "FILE",
    "do not measure: analyse the innermost loops of this assembly by a model of the core's ports; with --function "
    "NAME those of one function",
    PATH(assembly))
ROW("function", CLI_INCORE, "BINARY:SYMBOL",
    "do not measure: analyse the innermost loops of a program's function, as objdump disassembles it",
    TEXT(function, "a function, as in ./program:solve"))
ROW("ports", CLI_INCORE, NULL,
    "do not measure: show the ports of a core and what each executes, with --format svg as a diagram", FLAG(ports))
ROW("machine", CLI_INCORE, "NAME",
    "with --assembly, --function or --ports: the ports of this processor (golden-cove, zen4, zen5, neoverse-v2), or a "
    "table of your own (default: this processor)",
    SAME(PATH(machine)))
ROW("known", CLI_INCORE, "FILE",
    "figures to compare with, instead of catmint's own: a table with the columns "
    "vendor, family, model, operation, vectors, latency, throughput and source",
    PATH(known))

/* The layout of foreign tables. */
ROW("console", CLI_IMPORT, NULL,
    "the files are logs of consoles, on which emitted kernels printed counts: several are joined", FLAG(console))
ROW("name", CLI_IMPORT, "NAME", "with --console: the PMU's name in results (default: the instruction set)",
    TEXT(name, "a name, as in 'my-core r2'"))
ROW("events-column", CLI_IMPORT, "NAME", "events are rows: the heading or the number of the column with their names",
    COLUMN(events_column))
ROW("kernels-column", CLI_IMPORT, "NAME", "events are columns: the heading or the number of the column with kernels",
    COLUMN(kernels_column))
ROW("counts-column", CLI_IMPORT, "NAME", "each row is one count of an event and a kernel: the column with the counts",
    COLUMN(counts_column))
ROW("kernels", CLI_IMPORT, "LIST", "the kernels' names, in the order of the table, separated by commas",
    LIST(kernel_names, "names of kernels, as in 'b1,b2,b3'"))
ROW("repetition-column", CLI_IMPORT, "NAME", "the heading or the number of the column that numbers repetitions",
    COLUMN(repetition_column))
ROW("kernels-row", CLI_IMPORT, "N", "the line with the headings (default: the first that is not blank)",
    WHOLE_AS(kernels_row, 1, 1000000000, "the number of a line, from 1 on"))
ROW("separator", CLI_IMPORT, "C", "the separator of cells: a character, tab or blank (default: found out)",
    OTHER(cli_set_separator, NULL, NULL))
ROW("decimal-comma", CLI_IMPORT, NULL, "a comma is a decimal sign, points part thousands", FLAG(decimal_comma))
ROW("iterations", CLI_IMPORT_NCU, "N", "how often each thread ran the loop of its kernel: counts are divided by N",
    WHOLE_AS(iterations, 1, SIZE_MAX, "a whole number from 1 on"))

/* Kernels that are written out. */
ROW("emit", CLI_KERNELS | CLI_VALIDATE, "DIR",
    "write the kernels' sources there, or the programs', with a program that runs them without an operating system",
    PATH(emit))
ROW("trace", CLI_KERNELS | CLI_VALIDATE, "FILE",
    "with --isa: compare facts with a retirement trace of what was written out, a CSV file of pc and instruction",
    PATH(trace))
ROW("isa", CLI_KERNELS | CLI_VALIDATE, "ISA",
    "the instruction set of the kernels that are written, as compilers name it: rv32imc, rv64gc, aarch64, aarch64+lse",
    TEXT(isa, "an instruction set, as rv32imc, rv64gc or aarch64"))
ROW("target", CLI_KERNELS | CLI_VALIDATE, "TARGET", "with --emit: freestanding, the only one and the default",
    CHOICE(target, targets))
ROW("events", CLI_KERNELS | CLI_VALIDATE, "FILE",
    "with --emit: the events to count, code,event (default: those that such an instruction set has anywhere)",
    SAME(PATH(events_file)))
ROW("select", CLI_KERNELS | CLI_VALIDATE, "WAY",
    "with --emit: index, a code is written into the selector of a counter; one-hot, it is the number of the bit that "
    "is set there; mask, of the bits, as 3+5 (default index)",
    CHOICE(selection, selections))
ROW("counters", CLI_KERNELS | CLI_VALIDATE, "N", "with --emit: how many events are counted at once (default 4)",
    SAME(WHOLE(counters, 1, 31)))
ROW("iterations", CLI_VALIDATE, "N",
    "turns of each kernel that is written, which also runs with twice as many; a power of two (default 64)",
    SAME(WHOLE_AS(iterations, 1, SIZE_MAX, "a power of two, 4 or more")))
ROW("iterations", CLI_KERNELS, "N",
    "turns of each kernel that is written, which also runs with twice as many; a power of two (default 64); with "
    "--run: turns of each thread (default 8192, on the software GPU 2)",
    SAME(WHOLE_AS(iterations, 1, SIZE_MAX, "1 or more with --run, a power of two, 4 or more, with --emit")))

/* Snippets of assembly. */
ROW("copies", CLI_MEASURE, "N",
    "copies of the snippet in a turn of its loop; also twice as many are counted (default 100)",
    WHOLE(copies, 1, 10000))
ROW("iterations", CLI_MEASURE, "N", "turns of the loop under hardware counters (default 1000)",
    SAME(WHOLE(iterations, 1, 1000000000)))
ROW("basis-row", CLI_MEASURE, "BENCHMARK",
    "print the snippet as a row of this benchmark's basis, in CSV: what each symbol counts in a copy",
    OTHER(cli_set_basis_row, NULL, cli_benchmark_at))
