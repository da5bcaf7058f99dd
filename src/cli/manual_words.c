/* Exit statuses and examples of manual pages. */
#include "cli/options.h"

#define AGREES "2 wrong usage; 3 bad input; 4 not possible on this machine; 130 interrupted.\n"

static const struct {
    const char *command;
    const char *exits;    /* NULL: those of the program */
    const char *examples; /* a purpose, and below it the command, indented */
} rows[] = {
    {"discover", NULL,
     "Find out what the events of this machine measure, with a report and presets:\n"
     "    catmint discover --out sweep\n"
     "Only floating-point operations and branches, in two minutes at most:\n"
     "    catmint discover --benchmark cpu-flops,branch --budget 2m --out sweep\n"},
    {"sweep", NULL,
     "Count all events on all kernels; finish the sweep if it was interrupted:\n"
     "    catmint sweep --out sweep\n"
     "    catmint sweep --out sweep --resume\n"},
    {"analyze", NULL,
     "Definitions of a sweep, and those of one benchmark in JSON:\n"
     "    catmint analyze sweep\n"
     "    catmint analyze sweep --benchmark branch --format json\n"},
    {"validate", "0 no definition is refuted; 1 one is, or part of it failed;\n" AGREES,
     "Hold the definitions of a sweep against other programs than before:\n"
     "    catmint validate sweep --seed 2\n"},
    {"explain", NULL,
     "Why a metric is defined so, and what an event counts:\n"
     "    catmint explain --metric \"DP Ops.\" sweep\n"
     "    catmint explain BR_MISP_RETIRED sweep\n"},
    {"evaluate", "0 all values exist and all hierarchies add up; 1 not so;\n" AGREES,
     "A hierarchy of formulas, computed from the counts of a program:\n"
     "    catmint count --formulas t.csv --format json -o c.json -- ./prog\n"
     "    catmint evaluate t.csv --counts c.json\n"
     "The same for several runs, side by side, and for the ranks of an MPI program, added:\n"
     "    catmint evaluate t.csv 1.json 8.json 64.json\n"
     "    catmint evaluate t.csv --sum rank-*.json\n"},
    {"audit", "0 no formula is wrong; 1 one is wrong;\n" AGREES,
     "Compare presets with what their events really count:\n"
     "    catmint audit presets.csv --against sweep\n"
     "    catmint audit presets.csv --pmu software:golden-cove\n"},
    {"lint", "0 no fault; 1 a fault; 2 wrong usage; 3 a file cannot be read; 4 not possible here.\n",
     "Faults in a file of formulas, as annotations of GitHub's workflows:\n"
     "    catmint lint presets.csv --format github\n"},
    {"count",
     "That of COMMAND, of several runs the first that is not 0, and 128 and the signal's number if one ended\n"
     "it. 125 if catmint itself fails, wrong usage included; 126 if COMMAND cannot be run; 127 if it does not\n"
     "exist.\n",
     "Operations and branches of a program, by definitions of a sweep:\n"
     "    catmint count --results r.json --metrics \"DP Ops.,Loads\" -- ./prog\n"
     "The median of five runs, in JSON:\n"
     "    catmint count --results r.json --repeat 5 --format json -- ./prog\n"},
    {"topdown",
     "That of COMMAND, and 128 and the signal's number if one ended it. 125 if catmint itself fails, wrong\n"
     "usage, a processor without a table and a model without time included; 126 if COMMAND cannot be run; 127\n"
     "if it does not exist.\n",
     "Where a program loses its slots on a model of Sapphire Rapids:\n"
     "    catmint topdown --pmu software:golden-cove -- ./prog\n"},
    {"project", NULL,
     "How fast a program with that mix is elsewhere:\n"
     "    catmint project --from skylake.csv --to a64fx.csv --mix mix.json\n"},
    {"roofline", NULL,
     "The peaks of this machine, with a page and plots:\n"
     "    catmint roofline --out here\n"},
    {"incore", NULL,
     "Latencies, throughputs and clocks:\n"
     "    catmint incore\n"},
    {"export",
     "0 all definitions are exported; 1 some are refused;\n"
     "2 wrong usage; 3 bad input, or none is exported; 4 not possible; 130 interrupted.\n",
     "Presets for PAPI, and groups for LIKWID:\n"
     "    catmint export --to papi --cpu spr results.json --output presets.csv\n"
     "    catmint export --to likwid results.json --output groups\n"},
    {"report", NULL,
     "A page of one sweep, and one that compares two:\n"
     "    catmint report sweep --output report.html\n"
     "    catmint report before.json after.json --output report.html\n"},
    {"bundle", NULL,
     "Pack a sweep, and check what was packed:\n"
     "    catmint bundle sweep --output sweep.tar.gz\n"
     "    catmint bundle --check sweep.tar.gz\n"},
    {"diff", "0 they agree; 1 they differ; 2 anything failed; 130 interrupted.\n",
     "List the differences between two sweeps:\n"
     "    catmint diff before/results.json after/results.json\n"},
    {"events", NULL,
     "Events that can be counted here, and all of a model in JSON:\n"
     "    catmint events\n"
     "    catmint events --pmu software:skylake --format json\n"},
    {"doctor", "0 nothing stops or disturbs counting; 1 something does; 2 wrong usage; 4 not possible here.\n",
     "List what stops or disturbs counting:\n"
     "    catmint doctor\n"},
    {"metrics", "0 done; 2 wrong usage; 3 no metric fits; 4 not possible on this machine.\n",
     "Metrics of double precision, and the one of a preset:\n"
     "    catmint metrics double\n"
     "    catmint metrics PAPI_DP_OPS\n"},
    {"models", "0 done; 2 wrong usage; 3 no model fits; 4 not possible on this machine.\n",
     "Models of Neoverse cores, and the events of a processor:\n"
     "    catmint models neoverse\n"
     "    catmint events --pmu software:skylake\n"},
    {"kernels",
     "0 done; 1 a kernel differs from its facts, or facts are not separate; 2 wrong usage;\n"
     "3 bad input; 4 not possible on this machine; 130 interrupted.\n",
     "Hold each kernel against the instructions that it executes:\n"
     "    catmint kernels --verify\n"},
    {"measure", NULL,
     "Count an instruction of interest on a model, and write it as a row of a basis:\n"
     "    catmint measure add.s --pmu software:skylake\n"
     "    catmint measure add.s --basis-row cpu-flops\n"},
    {"merge", NULL,
     "Join the shards of two nodes:\n"
     "    catmint merge node1 node2 --out all\n"},
    {"import", NULL,
     "Analyse counts from a spreadsheet:\n"
     "    catmint import counts.tsv --benchmark branch --out tables\n"
     "    catmint analyze --benchmark branch tables/branch.csv\n"},
    {"import-cat", NULL,
     "Analyse three runs of cat_collect:\n"
     "    catmint import-cat run1 run2 run3 --out tables\n"},
    {"import-ncu", NULL,
     "Analyse counts of a GPU:\n"
     "    catmint import-ncu ncu.csv --out tables\n"},
    {"manual", NULL,
     "Read the page of a command:\n"
     "    catmint manual sweep | man -l -\n"},
    {"completion", NULL,
     "Complete commands and options in this bash:\n"
     "    source <(catmint completion bash)\n"},
};

/* The row of a command; every command has one. */
static size_t row_of(const cli_command *command)
{
    return CM_FIND_BY(command, command->name, rows, CM_COUNT_OF(rows) - 1);
}

const char *cli_command_exits(const cli_command *command)
{
    const char *exits = rows[row_of(command)].exits;
    return exits != NULL ? exits : cli_exit_words;
}

const char *cli_command_examples(const cli_command *command)
{
    return rows[row_of(command)].examples;
}
