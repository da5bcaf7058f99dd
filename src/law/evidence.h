/* The evidence that definitions are held against: counts of all usable events on all kernels of a sweep, and what
 * each metric means there. */
#ifndef CM_LAW_EVIDENCE_H
#define CM_LAW_EVIDENCE_H

#include <catmint/request.h>

#include "law/law.h"
#include "tables/tables.h"

enum { CM_NO_COLUMN = -1 };

/* Columns of a table: those that are fitted, or controls. */
typedef struct cm_kernel_choice {
    size_t count;
    size_t *columns;      /* of the table */
    char **names;         /* the table's */
    ptrdiff_t *quiet;     /* columns of what was counted for as long while nothing ran, CM_NO_COLUMN: none */
    ptrdiff_t empty;      /* column of the kernel that does nothing, CM_NO_COLUMN: none, or not to be taken off */
    bool rough;           /* caches are measured: runs that a neighbour disturbed say nothing of stray counts */
    cm_fact_table *facts; /* NULL: not read */
} cm_kernel_choice;

/* The source of a benchmark's events: a table in memory, or one that is streamed. */
typedef struct cm_event_source {
    const cm_measurements *measurements; /* of a stream: its head */
    const cm_stream *stream;             /* NULL: in memory */
    cm_kernel_choice choice;             /* kernels that are fitted */
    size_t *tags;                        /* of a stream: how to find each event again */
    bool good;                           /* false: a stream that cannot be read so */
} cm_event_source;

/* A row of the problem. */
typedef struct cm_evidence_row {
    const cm_kernel_facts *kernel;   /* NULL: what it does is not known */
    const cm_kernel_facts *twins[2]; /* NULL, or the two kernels whose difference it is */
    double *chances;                 /* standard deviations of each symbol in one iteration */
    double *means; /* of a program: what each metric means there, and behind that their ranges; NULL: its
                      kernel's facts tell */
    cm_noise_row runs;
} cm_evidence_row;

typedef struct cm_evidence {
    const char *benchmark;
    bool deterministic; /* nothing disturbed the counts: no stray ones are among them */
    const cm_basis *basis;
    const cm_signatures *signatures;
    cm_fact_table *facts;
    double *nothing; /* x of events that count nothing on what is fitted */
    double *symbols; /* weights of facts, cm_fact_count() a symbol */
    double *metrics; /* likewise, a metric: what it means */
    bool *meant;     /* whether a metric's meaning is known */
    cm_arena arena;
    cm_problem problem;
    size_t row_capacity; /* of the events' counts */
    size_t grown;        /* of the arrays that have one a row */
    cm_evidence_row *rows;
    double alphas[2]; /* between which the same events are selected */
    size_t repetitions, table_count;
    cm_sum_noise *noise;
    double next_noise;     /* of the quietest event that is too noisy; infinity: none */
    cm_target *targets;    /* one a metric */
    cm_name_index *places; /* of events by name, while counts are gathered */
    size_t own_controls;   /* rows behind the fitted ones: controls of the benchmark's own table */
    bool own_difference;   /* of two of these */
    size_t looked_count;   /* events that were looked at on controls, by their index in the analysis: usable ones and
                              the first that count nothing anywhere */
    const cm_usable_event **looked;
    size_t free_count;           /* rows behind those of the problem: kernels for facts that vendors disagree about */
    size_t law_count;            /* kernels that the law looks at, and their rows when it was made */
    size_t *law_rows, law_known; /* so many rows of the problem were known then */
    cm_law_kernel *law_kernels;
    cm_counted_law *law; /* NULL until definitions are sought */
} cm_evidence;

/* Reads facts and meanings, and sets the conditions of the analysis. */
cm_status cm_evidence_create(const char *benchmark, const cm_benchmark_request *request, cm_event_source *source,
                             const cm_basis *basis, const cm_signatures *signatures, cm_analysis *analysis,
                             cm_evidence **evidence, cm_error *error);
void cm_evidence_free(cm_evidence *evidence);

/* After the pivoting: takes the events that are selected or dependent, and of the others the first that are not too
 * noisy, with their counts on all kernels, and makes the targets of all metrics. */
cm_status cm_evidence_gather(cm_evidence *evidence, const cm_benchmark_request *request, const cm_event_source *source,
                             const cm_analysis *analysis, cm_error *error);

/* ---- kernel_choice.c ---- */

/* The facts of a request's kernels, which the caller frees: read anew, or those that requests share. */
cm_status cm_take_facts(const cm_benchmark_request *request, cm_fact_table **facts, cm_error *error);
/* Chooses the kernels of a benchmark's own table, except for controls, of which the basis has no row. A kernel that is
 * neither in the basis nor a control, of the benchmark (facts of the architecture) or of the request, is chosen, too:
 * the basis says that it lacks it. Or it is left out and named, where the request says so. Clear also after a failure;
 * the table must live as long as the choice. */
cm_status cm_kernel_choice_make(const char *benchmark, const cm_benchmark_request *request,
                                const cm_measurements *table, const cm_basis *basis, cm_kernel_choice *choice,
                                cm_error *error);
/* Adds the table's kernels that the caller's own controls have and the basis has not. */
void cm_kernel_choice_add_own(const cm_basis *controls, const cm_measurements *table, const cm_basis *basis,
                              cm_kernel_choice *choice);
/* Finds the empty kernel, whose counts are then taken from all others'. */
void cm_kernel_choice_find_empty(const cm_fact_table *facts, const char *benchmark, const cm_measurements *table,
                                 cm_kernel_choice *choice);
/* Chooses, of any benchmark's table, the kernels that control definitions, and the empty one. Rows of `basis` (may be
 * NULL) are none, nor are kernels for facts that vendors disagree about, or whose facts are not known. */
cm_status cm_kernel_choice_controls(const cm_fact_table *facts, const char *benchmark, const cm_measurements *table,
                                    const cm_basis *basis, cm_kernel_choice *choice, cm_error *error);
/* Chooses the kernels for facts on which vendors disagree. */
cm_status cm_kernel_choice_free(const cm_fact_table *facts, const char *benchmark, const cm_measurements *table,
                                cm_kernel_choice *choice, cm_error *error);
/* Leaves kernels out whose instructions trap: Instructions does not say whether these count. */
void cm_kernel_choice_leave_traps_out(const cm_fact_table *facts, const char *benchmark, cm_kernel_choice *choice);
void cm_kernel_choice_clear(cm_kernel_choice *choice);

/* ---- vectors.c ---- */

/* A buffer that grows; free(values) at last. */
typedef struct cm_vector_buffer {
    double *values;
    size_t size;
} cm_vector_buffer;

/* Counts per iteration of the chosen kernels, medians over threads; one measurement vector a repetition. If the choice
 * has an empty kernel, its median is subtracted from each run. *slack: by how many counts a run may be off. NULL:
 * memory ran out. */
double *cm_vectors_of(const cm_measurement *event, const cm_measurements *table, const cm_kernel_choice *choice,
                      cm_vector_buffer *buffer, double *slack);

/* The vectors of one event once more, by any choice of the table's kernels; free with free(), also on failure. */
cm_status cm_event_source_vectors(const cm_event_source *source, const cm_kernel_choice *choice, size_t event,
                                  double **vectors, double *slack, size_t *repetitions, cm_error *error);

/* Takes one event of a stream, as cm_stream_visit; the buffer is the thread's. */
typedef bool (*cm_take_streamed)(void *context, size_t block, const cm_measurement *event, size_t tag,
                                 cm_vector_buffer *buffer);
/* Takes all events, by as many threads as there are cores. False where the table cannot be read so, or `take` says so.
 */
bool cm_take_all_streamed(const cm_stream *stream, cm_take_streamed take, void *context);

/* ---- evidence_rows.c ---- */

/* Room for so many rows. */
cm_status cm_evidence_grow(cm_evidence *evidence, size_t rows, cm_error *error);
/* A row behind the others; `kernel`: NULL if nobody knows what it does. */
cm_status cm_evidence_add_row(cm_evidence *evidence, const char *name, const cm_kernel_facts *kernel, double iterations,
                              cm_error *error);
/* Rows for the kernels of a choice; `benchmark` is that of the table. */
cm_status cm_evidence_add_rows(cm_evidence *evidence, const char *benchmark, const cm_measurements *table,
                               const cm_kernel_choice *choice, cm_error *error);
/* The counts of an event (its place) on as many rows as there are kernels, from row `first` on. */
void cm_evidence_take(cm_evidence *evidence, size_t place, size_t first, size_t kernels, const double *vectors,
                      size_t repetitions, double slack);
/* All events of another benchmark's table that are usable; on kernels for facts that vendors disagree about, or on the
 * others. */
cm_status cm_evidence_gather_table(cm_evidence *evidence, const cm_control_table *table, bool is_free,
                                   const volatile int *stop, cm_error *error);
/* The difference of two controls with the same mispredictions, where there are such: a row of its own. */
cm_status cm_evidence_add_difference(cm_evidence *evidence, cm_error *error);

/* ---- evidence_runs.c ---- */

/* Makes room for the repetitions of an event that is noisy: its own table has so many of them. */
cm_status cm_evidence_keep_runs(cm_evidence *evidence, cm_usable_event *event, size_t repetitions, cm_error *error);
/* Keeps the counts of a table's kernels, which stand from row `first` on. */
void cm_evidence_take_runs(const cm_evidence *evidence, cm_usable_event *event, size_t first, size_t kernels,
                           const double *vectors, size_t repetitions);
/* After rows have changed: from now on the problem asks for the noise of sums. */
cm_status cm_evidence_make_noise(cm_evidence *evidence, cm_error *error);

/* ---- evidence_controls.c ---- */

/* Rows for the controls of the benchmark's own table: those that catmint knows, and the caller's own. */
cm_status cm_evidence_add_controls(cm_evidence *evidence, const cm_benchmark_request *request,
                                   const cm_measurements *table, cm_kernel_choice *choice, cm_error *error);

/* The controls of the benchmark's own table, and the difference of two of them. Controls of another table are listed by
 * its own benchmark, and programs by themselves. */
size_t cm_evidence_control_count(const cm_evidence *evidence);
/* Its row in the problem. */
size_t cm_evidence_control(const cm_evidence *evidence, size_t control);
/* Lists the first so many events of the problem as looked at there. */
cm_status cm_evidence_list(cm_evidence *evidence, size_t count, cm_error *error);
/* An event of the analysis, with its counts on all rows; NULL: nobody has looked at it on controls. */
const cm_usable_event *cm_evidence_event(const cm_evidence *evidence, size_t event);
/* Its counts on the controls, one each, and their standard errors. */
void cm_evidence_on_controls(const cm_evidence *evidence, const cm_usable_event *event, double *counts, double *errors);
/* The values that a metric may have on the controls, from low to high, and the errors that verdicts allow beside that.
 * False: its meaning is not known on any. */
bool cm_evidence_bounds(const cm_evidence *evidence, size_t metric, double *low, double *high, double *limits);

/* ---- evidence_law.c ---- */

/* After the counts are gathered: the law of this benchmark, which becomes the problem's last word. */
cm_status cm_evidence_make_law(cm_evidence *evidence, cm_error *error);
/* The row of a kernel that the law looks at. */
size_t cm_evidence_law_row(const cm_evidence *evidence, size_t kernel);
/* The part of a kernel, and of a difference the places of its two kernels. */
cm_kernel_part cm_evidence_law_part(const cm_evidence *evidence, size_t kernel, size_t twins[2]);
/* "fitted", one a part. */
extern const char *const cm_kernel_part_texts[CM_PART_COUNT];

/* The counts of an event, other than zero, on the kernels that the law looks at; the caller frees them. */
typedef struct cm_law_sight {
    size_t count, *places;
    double *means, *errors; /* NaN: not counted there */
} cm_law_sight;
cm_status cm_evidence_law_sight(const cm_evidence *evidence, const cm_usable_event *event, cm_law_sight *sight,
                                cm_error *error);
void cm_law_sight_clear(cm_law_sight *sight);

/* ---- targets.c ---- */

cm_status cm_evidence_make_targets(cm_evidence *evidence, cm_error *error);
void cm_evidence_free_targets(cm_evidence *evidence);

/* ---- stand_ins.c ---- */

/* The events that may stand in for a term. */
struct cm_term_equivalents {
    cm_equivalent_event *list;
    size_t count;
};

/* Fills `found`, one a term of a definition that holds; each list is freed with free(), also on failure. */
cm_status cm_find_stand_ins(const cm_evidence *evidence, const cm_target *target, const cm_solution *solution,
                            struct cm_term_equivalents *found, cm_error *error);

/* Whether `other` counts `factor` times what `one` counts, but for noise, on every measured kernel of any benchmark.
 * Both by the analysis' indices; false for an event that no definition may use. */
bool cm_counts_the_same(const cm_evidence *evidence, size_t one, size_t other, double factor);

/* Whether `other` counts `factor` times what `one` counts on every kernel, as an event that stands in for it must; true
 * where that is unknown, as without evidence (NULL). */
bool cm_counts_alike(const cm_evidence *evidence, size_t one, size_t other, double factor);

#endif
