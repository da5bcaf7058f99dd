/* What catmint's own JSON layout saves against jansson, on a million events as results tell them: bench_json [EVENTS].
 * Prints ratios of times in one run, of processor time, and the sizes written. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <jansson.h>

#include "core/json.h"
#include "core/base.h"

enum { SYMBOLS = 12, RUNS = 1 };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* As representations are: mostly zeros and small integers, some measured. */
static double value_of(size_t event, size_t symbol)
{
    size_t mixed = (event * 2654435761u + symbol * 40503u) >> 4;
    if (mixed % 4 != 0)
        return (double)(mixed % 3);
    return (double)(mixed % 1000003) / 997.0;
}

static void name_event(size_t event, char name[64])
{
    snprintf(name, 64, "EVENT_%zu:UMASK_%zu", event, event % 7);
}

static void write_own(FILE *stream, size_t events)
{
    cm_json_writer *writer = cm_json_writer_create(stream);
    double values[SYMBOLS];
    char name[64];
    cm_json_begin_array(writer);
    for (size_t i = 0; i < events; i++) {
        name_event(i, name);
        for (size_t s = 0; s < SYMBOLS; s++)
            values[s] = value_of(i, s);
        cm_json_begin_object(writer);
        cm_json_key(writer, "event");
        cm_json_write_text(writer, name);
        cm_json_key(writer, "residual");
        cm_json_write_real(writer, values[0] / 7.0);
        cm_json_key(writer, "representation");
        cm_json_write_reals(writer, values, SYMBOLS);
        cm_json_end(writer);
    }
    cm_json_end(writer);
    if (!cm_json_writer_finish(writer))
        abort();
}

/* One value of all, and dumped at once, as jansson wants it. */
static void write_library(FILE *stream, size_t events)
{
    json_t *all = json_array();
    char name[64];
    for (size_t i = 0; i < events; i++) {
        name_event(i, name);
        json_t *values = json_array();
        for (size_t s = 0; s < SYMBOLS; s++)
            json_array_append_new(values, json_real(value_of(i, s)));
        json_array_append_new(all, json_pack("{s:s, s:f, s:o}", "event", name, "residual", value_of(i, 0) / 7.0,
                                             "representation", values));
    }
    if (json_dumpf(all, stream, JSON_INDENT(2)) != 0)
        abort();
    json_decref(all);
}

static double time_document(void (*write)(FILE *, size_t), size_t events, long *bytes, long *peak)
{
    FILE *stream = tmpfile();
    double began = now();
    write(stream, events);
    fflush(stream);
    double taken = now() - began;
    *bytes = ftell(stream);
    fclose(stream);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    *peak = usage.ru_maxrss / 1024;
    return taken;
}

int main(int count, char **arguments)
{
    size_t events = count > 1 ? strtoul(arguments[1], NULL, 10) : 1000000;
    double own = INFINITY, library = INFINITY;
    long sizes[2], peaks[2], first_peak = 0;
    for (int run = 0; run < RUNS; run++) {
        own = fmin(own, time_document(write_own, events, &sizes[0], &peaks[0]));
        first_peak = run == 0 ? peaks[0] : first_peak;
    }
    for (int run = 0; run < RUNS; run++)
        library = fmin(library, time_document(write_library, events, &sizes[1], &peaks[1]));
    printf("%zu events\n", events);
    printf("document: jansson takes %.2f times the time, %.2f times the bytes; peak memory %ld MB, own %ld MB\n",
           library / own, (double)sizes[1] / (double)sizes[0], peaks[1], first_peak);
    printf("seconds: own %.2f, jansson %.2f\n", own, library);
    return 0;
}
