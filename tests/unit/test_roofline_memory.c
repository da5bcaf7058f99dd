/* Figures of machines read, added to and written without memory: every allocation fails once, from there on and alone.
 */
#include "failing_roads.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catmint/catmint.h>
#include <catmint/machines.h>

#include "machines/roofline.h"

enum { PATH_SIZE = 256 };

static char directory[] = "/tmp/catmint-test-XXXXXX";
static char machine[PATH_SIZE], points[PATH_SIZE], counts[PATH_SIZE], files[PATH_SIZE], known[PATH_SIZE];
static char ports[PATH_SIZE], loop[PATH_SIZE];

#define FIGURES "\"cores\": 1, \"undisturbed\": 9, \"rate\": [90, 100, 110], \"clock\": [3, 3, 3]}"

static const char machine_text[] =
    "{\"schema\": \"catmint.machine/1\", \"processor\": \"A\", \"caches\": [1000, 10000, 0], \"repetitions\": 9,"
    "\"ceilings\": [{\"kind\": \"flops\", \"operation\": \"fma\", \"vectors\": \"AVX\", \"precision\": \"double\","
    "\"level\": \"\", \"bytes\": 0, " FIGURES ", {\"kind\": \"bandwidth\", \"operation\": \"load\", \"vectors\": "
    "\"AVX\", \"precision\": \"double\", \"level\": \"L1\", \"bytes\": 500, " FIGURES ", {\"kind\": \"sweep\","
    "\"operation\": \"triad\", \"vectors\": \"AVX\", \"precision\": \"double\", \"level\": \"L1\", \"bytes\": "
    "500, " FIGURES "], \"points\": [{\"name\": \"p\", \"flops\": 10, \"l1_bytes\": 100, \"memory_bytes\": null,"
    "\"seconds\": 1, \"cores\": 1}]}";
static const char points_text[] = "name,flops,l1_bytes,memory_bytes,seconds,cores\nq,10,,100,1,1\n";
/* One of the runs is no point. */
static const char counts_text[] = "event,r,s\nFP Ops.,10,0\nMemory Bytes,100,1\nseconds,1,1\n";

static cm_status go(const test_road *road, FILE *sink, cm_error *error)
{
    const cm_output_style table = {CM_FORMAT_TABLE, 80, true}, json = {.format = CM_FORMAT_JSON};
    cm_roofline *roofline = NULL;
    cm_status status = cm_roofline_load(machine, &roofline, error);
    if (status == CM_OK)
        status = cm_roofline_add_points(roofline, points, error);
    if (status == CM_OK)
        status = cm_roofline_add_points(roofline, counts, error);
    if (status == CM_OK && strcmp(road->what, "files") == 0)
        status = cm_roofline_save(roofline, files, NULL, error);
    else if (status == CM_OK)
        status = cm_roofline_write(roofline, strcmp(road->what, "json") == 0 ? &json : &table, sink, error);
    cm_roofline_free(roofline);
    return status;
}

static const char known_text[] = "vendor,family,model,operation,vectors,latency,throughput,source\n"
                                 "V,1,,add,SSE,5,2,s\nV,1,7,mul,SSE,5,,t\n";

/* Figures that were measured, and what others say of the same machine. */
static cm_status go_incore(const test_road *road, FILE *sink, cm_error *error)
{
    const cm_output_style table = {CM_FORMAT_TABLE, 80, true}, json = {.format = CM_FORMAT_JSON};
    const cm_machine here = {.vendor = "V", .family = 1, .model = 7};
    cm_incore incore = {.processor = "A", .rounds = 4, .repetitions = 3, .load_seconds = 1.0};
    cm_status status = cm_known_figures_load(known, &here, &incore, error);
    cm_instruction instruction = {
        "add", "SSE", 16, {4, 4, 4}, {2, 2, 2}, 3, cm_known_figure_find(&incore, "add", "SSE")};
    cm_load_clock clock = {"SSE", 1, 3, {2e9, 2e9, 2e9}};
    cm_store_rates stores = {"SSE",
                             1,
                             3,
                             {2e9, 2e9, 2e9},
                             {1e9, 1e9, 1e9},
                             {2e9, 2e9, 2e9},
                             {{{{1.5, 1.4, 1.6}, {0, 0, 0}, {1.5, 1.4, 1.6}}},
                              {{{1, 0.9, 1.1}, {NAN, NAN, NAN}, {NAN, NAN, NAN}}},
                              {{{0, 0, 0}, {0.01, 0, 0.02}, {0.01, 0, 0.02}}}}};
    incore.instruction_count = incore.clock_count = incore.store_count = 1;
    incore.instructions = &instruction;
    incore.clocks = &clock;
    incore.stores = &stores;
    if (strcmp(road->what, "times") != 0) {
        incore.counted_on = "software:m";
        incore.counted = 5;
        incore.uncounted = "there is one core";
    }
    if (status == CM_OK)
        status = cm_incore_write(&incore, strcmp(road->what, "json") == 0 ? &json : &table, sink, error);
    cm_arena_clear(&incore.arena);
    free(incore.known);
    return status;
}

static const char ports_text[] = "kind,name,latency,uses,source\nmachine,ports,,A B,\nmachine,width,,2,\n"
                                 "role,integers,,A|B,\nform,addq [ir] r,1,1 A|B,\nform,jne l,0,,\n";
static const char loop_text[] = "f:\n1:\n\taddq $1, %rax\n\tjne 1b\n2:\n\taddq $2, %rcx\n\tjne 2b\n";

static cm_status go_ports(const test_road *road, FILE *sink, cm_error *error)
{
    const cm_output_style table = {CM_FORMAT_TABLE, 80, true}, json = {.format = CM_FORMAT_JSON};
    const cm_ports_options wanted = {.size = sizeof wanted, .assembly = loop, .machine = ports};
    cm_ports *made = NULL;
    cm_status status = cm_ports_create(&wanted, &made, error);
    if (status == CM_OK)
        status = cm_ports_write(made, strcmp(road->what, "json") == 0 ? &json : &table, sink, error);
    cm_ports_free(made);
    return status;
}

static void test_ports(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"ports table", "table", go_ports, NULL, 20, 0});
    fail_on_road(&(test_road){"ports json", "json", go_ports, NULL, 40, 0});
}

static cm_status go_core(const test_road *road, FILE *sink, cm_error *error)
{
    static const cm_output_style styles[] = {
        {CM_FORMAT_TABLE, 80, true}, {.format = CM_FORMAT_JSON}, {.format = CM_FORMAT_SVG}};
    const size_t form = strcmp(road->what, "table") == 0 ? 0 : strcmp(road->what, "json") == 0 ? 1 : 2;
    cm_core *made = NULL;
    cm_status status = cm_core_create(ports, &made, error);
    if (status == CM_OK)
        status = cm_core_write(made, &styles[form], sink, error);
    cm_core_free(made);
    return status;
}

static void test_core(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"core table", "table", go_core, NULL, 20, 0});
    fail_on_road(&(test_road){"core json", "json", go_core, NULL, 40, 0});
    fail_on_road(&(test_road){"core svg", "svg", go_core, NULL, 20, 0});
}

static void test_incore(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"in-core table", "table", go_incore, NULL, 8, 0});
    fail_on_road(&(test_road){"in-core json", "json", go_incore, NULL, 20, 0});
}

/* What is said there: 4 cycles where others say 5, and 2 bytes moved for each byte stored. */
static void test_incore_words(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *sink = open_memstream(&text, &size);
    assert_int_equal(go_incore(&(test_road){.what = "times"}, sink, NULL), CM_OK);
    fclose(sink);
    assert_non_null(strstr(text, "--results FILE"));
    assert_null(strstr(text, "software:m"));
    assert_non_null(strstr(text, "latency of SSE add: 4 here, 5 there"));
    assert_null(strstr(text, "throughput of SSE add"));
    assert_non_null(strstr(text, "2 figures; those that differ"));
    assert_non_null(strstr(text, "        2.00        1.00        2.00        2.00        1.00\n"));
    free(text);
}

/* What is loaded is read one and a half times, which is said; what was not counted is no figure; and stores that nobody
 * sees are named. */
static void test_counted_words(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *sink = open_memstream(&text, &size);
    assert_int_equal(go_incore(&(test_road){.what = "table"}, sink, NULL), CM_OK);
    fclose(sink);
    static const char *const words[] = {
        "1.50 +- 0.100     0.00 +- 0.000     1.50 +- 0.100           -\n",
        "1.00 +- 0.100                 -                 -        2.00\n",
        "by software:m: bytes that the model's memory",
        "Doubtful",
        "1.50 bytes read for a byte loaded",
        "Not seen",
        "stores past the caches",
        "Not counted",
        "there is one core",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(text, words[i]) == NULL)
            fail_msg("no '%s' in\n%s", words[i], text);
    assert_null(strstr(text, "--results FILE"));
    free(text);
}

static void look_for_files(const test_road *road, cm_status status)
{
    char path[PATH_SIZE + 32];
    struct stat found;
    snprintf(path, sizeof path, "%s/roofline.html", files);
    if ((stat(path, &found) == 0 && found.st_size > 0) != (status == CM_OK))
        fail_msg("%s: status %d, and the page is %sthere", road->name, (int)status, status == CM_OK ? "not " : "");
    remove_all(files);
}

static void test_written(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"table", "table", go, NULL, 20, 0});
    fail_on_road(&(test_road){"json", "json", go, NULL, 40, 0});
}

static void test_files(void **state)
{
    (void)state;
    fail_on_road(&(test_road){"files", "files", go, look_for_files, 100, 0});
}

static int prepare(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(directory));
    write_file(directory, "machine.json", machine_text, machine, sizeof machine);
    write_file(directory, "points.csv", points_text, points, sizeof points);
    write_file(directory, "counts.csv", counts_text, counts, sizeof counts);
    write_file(directory, "known.csv", known_text, known, sizeof known);
    write_file(directory, "ports.csv", ports_text, ports, sizeof ports);
    write_file(directory, "loop.s", loop_text, loop, sizeof loop);
    snprintf(files, sizeof files, "%s/files", directory);
    fail_jansson();
    return 0;
}

static int tidy_up(void **state)
{
    (void)state;
    remove_all(directory);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written),       cmocka_unit_test(test_files),  cmocka_unit_test(test_ports),
        cmocka_unit_test(test_core),          cmocka_unit_test(test_incore), cmocka_unit_test(test_incore_words),
        cmocka_unit_test(test_counted_words),
    };
    return cmocka_run_group_tests(tests, prepare, tidy_up);
}
