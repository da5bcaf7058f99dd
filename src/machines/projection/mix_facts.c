/* A mix from facts of the software PMU, as `catmint count --mix` counts them. */
#include "machines/projection/projection.h"

/* The share of accesses that caches must have seen, or another program's hits are better; and the least, by which its
 * own are used at all: QEMU does not report the addresses of scalable vectors, and registers may not tell them. */
#define SEEN_BY_CACHES 0.5
#define LEAST_SEEN 0.05

/* How long a division or root of shorter numbers occupies the divider, of one in double precision: ours, the middle of
 * public tables' figures for divisions. Cycles, short by double: 29/43 (Fujitsu's manual of the A64FX, chapter 16); by
 * the scheduling models of LLVM 19 4/6 (ThunderX2), 3/5 (Zen 4), 3/4 and, of 256 bits, 5/8 (Skylake); of roots 5/9 to
 * 29/43. */
#define SHORT_DIVISION (2.0 / 3.0)

typedef struct facts {
    const cm_table *table;
    size_t column;
    const char *lacking; /* the first fact that the table lacks */
    char name[32];
} facts;

/* The value of a fact; 0 if the table lacks it, and then `lacking` names it. */
static double fact(facts *of, const char *name)
{
    for (size_t row = 0; row < of->table->row_count; row++)
        if (strcmp(cm_table_text(of->table, row, 0), name) == 0) {
            double value = cm_table_values(of->table, row)[of->column];
            if (!isnan(value))
                return value;
        }
    if (of->lacking == NULL) {
        snprintf(of->name, sizeof of->name, "%s", name);
        of->lacking = of->name;
    }
    return 0.0;
}

static double fact_of(facts *of, const char *stem, char precision, const char *width, const char *end)
{
    char name[32];
    snprintf(name, sizeof name, "%s_%c%s%s", stem, precision, width, end);
    return fact(of, name);
}

static const struct {
    char letter;
    double bits;
} precisions[] = {{'h', 16.0}, {'s', 32.0}, {'d', 64.0}};
enum { PRECISIONS = CM_COUNT_OF(precisions) };

/* Adds the divider's work in `plain` instructions of one kind and width: unknown in older counts and longer vectors. */
static void add_divisions(const facts *of, cm_width_mix *mix, double plain, const char *stem, size_t precision,
                          const char *width)
{
    facts optional = *of;
    const double share = precision + 1 < PRECISIONS ? SHORT_DIVISION : 1.0;
    optional.lacking = NULL;
    if (!(plain > 0.0))
        return;
    const double divided = fact_of(&optional, stem, precisions[precision].letter, width, "_div");
    const double rooted = fact_of(&optional, stem, precisions[precision].letter, width, "_sqrt");
    mix->divided += optional.lacking == NULL ? share * divided : NAN;
    mix->rooted += optional.lacking == NULL ? share * rooted : NAN;
}

/* Adds arithmetic of one kind and width: the operations of all lanes, two in each for a fused multiply-add. */
static void add_operations(facts *of, cm_mix *mix, int place, const char *stem, size_t precision, const char *width,
                           double bits)
{
    const double lanes = bits > 0.0 ? bits / precisions[precision].bits : 1.0;
    double plain = fact_of(of, stem, precisions[precision].letter, width, "");
    double fused = fact_of(of, stem, precisions[precision].letter, width, "_fma");
    add_divisions(of, &mix->widths[place], plain, stem, precision, width);
    mix->widths[place].plain += plain;
    mix->widths[place].fused += fused;
    mix->instructions += plain + fused;
    mix->operations += lanes * (plain + 2.0 * fused);
}

/* Adds the operations in vectors of fixed width. */
static void add_fixed(facts *of, cm_mix *mix)
{
    static const struct {
        const char *name;
        double bits;
    } widths[] = {{"_scalar", 0.0}, {"_128", 128.0}, {"_256", 256.0}, {"_512", 512.0}};
    for (size_t p = 0; p < PRECISIONS; p++)
        for (size_t w = 0; w < CM_COUNT_OF(widths); w++)
            add_operations(of, mix, (int)w, "fp", p, widths[w].name, widths[w].bits);
    /* A dot product counts its operations once more, as the correct counters do: it multiplies and adds. */
    mix->operations += 4.0 * fact(of, "fp_s_128_dpp") + 8.0 * fact(of, "fp_s_256_dpp") + 2.0 * fact(of, "fp_d_128_dpp");
}

/* Adds scalable vectors by their active lanes if these are known of all, else by all lanes. */
static void add_scalable(facts *of, cm_mix *mix, double bits)
{
    cm_mix scalable = {0};
    double active = 0.0;
    for (size_t p = 0; p < PRECISIONS; p++) {
        add_operations(of, &scalable, CM_WIDTH_SCALABLE, "fp", p, "_v128", 128.0);
        add_operations(of, &scalable, CM_WIDTH_SCALABLE, "fp", p, "_v256", 256.0);
        add_operations(of, &scalable, CM_WIDTH_SCALABLE, "fp", p, "_v512", 512.0);
        add_operations(of, &scalable, CM_WIDTH_SCALABLE, "fp_longer", p, "", bits);
        active += fact_of(of, "fp_lanes", precisions[p].letter, "", "") +
                  2.0 * fact_of(of, "fp_lanes", precisions[p].letter, "", "_fma");
    }
    mix->widths[CM_WIDTH_SCALABLE] = scalable.widths[CM_WIDTH_SCALABLE];
    mix->instructions += scalable.instructions;
    mix->all_lanes = fact(of, "fp_lanes_unknown") > 0.0;
    mix->operations += mix->all_lanes ? scalable.operations : active;
    mix->vector_bits = scalable.instructions > 0.0 ? bits : NAN;
}

/* Lines that each level moves: a miss of a level brings a line from the next, and stores past the caches move `size`
 * bytes each. `hits`: accesses that each level answers; `past`: those to memory that bypass the caches. */
static void move_lines(facts *of, cm_mix *mix, const double hits[CM_LEVELS], double past, double size)
{
    facts optional = *of;
    const double line = fact(&optional, "line_bytes");
    if (!(line > 0.0))
        return;
    const double lines = hits[CM_LEVEL_MEM] - past, beyond = past * size;
    mix->moved[CM_LEVEL_MEM] = line * lines + beyond;
    mix->moved[CM_LEVEL_L3] = line * (hits[CM_LEVEL_L3] + lines);
    mix->moved[CM_LEVEL_L2] = line * (hits[CM_LEVEL_L2] + hits[CM_LEVEL_L3] + lines);
    mix->store_share = fact(of, "store_bytes") / (fact(of, "load_bytes") + fact(of, "store_bytes"));
    mix->moved[CM_LEVEL_L1] = fact(of, "load_bytes") + fact(of, "store_bytes");
}

/* Bytes of the second accesses of loads or stores that cross a line, each of the average size. */
static double second_accesses(const facts *of, const char *split, const char *accesses, const char *bytes)
{
    facts optional = *of;
    const double count = fact(&optional, split), all = fact(&optional, accesses);
    return all > 0.0 ? count * fact(&optional, bytes) / all : 0.0;
}

/* Divides the bytes among the levels by their hits. Without a third level, misses of the second go to memory. */
static void add_bytes(facts *of, cm_mix *mix)
{
    static const char *const levels[] = {"l1d", "l2", "l3"};
    const double accesses = fact(of, "loads") + fact(of, "stores");
    const double bytes = fact(of, "load_bytes") + fact(of, "store_bytes");
    double hits[CM_LEVELS] = {0}, seen = 0.0;
    for (size_t i = 0; i < CM_LEVEL_MEM; i++) {
        char loads[32], stores[32];
        snprintf(loads, sizeof loads, "%s_load_hit", levels[i]);
        snprintf(stores, sizeof stores, "%s_store_hit", levels[i]);
        hits[i] = fact(of, loads) + fact(of, stores);
    }
    const double past = fact(of, "nt_stores");
    hits[CM_LEVEL_MEM] = fact(of, "l2_load_miss") + fact(of, "l2_store_miss") - hits[CM_LEVEL_L3] + past;
    for (size_t i = 0; i < CM_LEVELS; i++)
        seen += hits[i];
    if (seen < SEEN_BY_CACHES * accesses || !(seen > 0.0))
        mix->all_bytes = bytes;
    if (seen < LEAST_SEEN * accesses || !(seen > 0.0))
        return;
    mix->seen = fmin(1.0, seen / accesses);
    for (size_t i = 0; i < CM_LEVELS; i++) {
        mix->bytes[i] = bytes * hits[i] / seen;
        hits[i] /= mix->seen;
    }
    move_lines(of, mix, hits, past / mix->seen, bytes / accesses);
    mix->split_bytes = second_accesses(of, "split_loads", "loads", "load_bytes") +
                       second_accesses(of, "split_stores", "stores", "store_bytes");
}

cm_status cm_mix_from_facts(const cm_table *table, size_t column, cm_mix *mix, cm_error *error)
{
    facts of = {.table = table, .column = column};
    facts bits = of;
    mix->operations = mix->instructions = 0.0;
    memset(mix->widths, 0, sizeof mix->widths);
    add_fixed(&of, mix);
    add_scalable(&of, mix, fact(&bits, "vector_bits"));
    add_bytes(&of, mix);
    mix->in_core_cycles = fact(&bits, "in_core_cycles");
    if (mix->in_core_cycles == 0.0) /* missing in older counts */
        mix->in_core_cycles = NAN;
    if (of.lacking != NULL)
        return cm_error_set(error, CM_BAD_INPUT, table->file, 0, 0,
                            "it does not count '%s', expected the output of 'catmint count --mix --format json'",
                            of.lacking);
    return CM_OK;
}
