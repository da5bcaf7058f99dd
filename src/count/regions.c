/* Counts programs that count their regions themselves. */
#include "count/count.h"

#include <dirent.h>

#include "core/system.h"

cm_status cm_count_directory_make(cm_count_directory *directory, cm_error *error)
{
    directory->lock = cm_temporary_directory(directory->path);
    return directory->lock >= 0 ? CM_OK : cm_error_io(error, directory->path, "cannot be made");
}

/* Opens a file in the directory with mode "re" or "we". */
static FILE *open_in(const char *directory, const char *name, const char *mode)
{
    char *path = NULL;
    if (asprintf(&path, "%s/%s", directory, name) < 0)
        return NULL;
    FILE *file = mode[0] == 'r' ? cm_input_stream(path) : fopen(path, mode);
    free(path);
    return file;
}

void cm_count_directory_remove(cm_count_directory *directory)
{
    if (directory->lock < 0)
        return;
    cm_temporary_remove(directory->path);
    close(directory->lock);
}

/* ---- files of the processes ---- */

/* Parses a line: name, calls and counts, separated by tabs; then seconds, which emulated programs do not write. */
static bool parse_line(char *line, size_t count, double *calls, double *counts, double *seconds)
{
    char *rest = line;
    strsep(&rest, "\t");
    for (size_t i = 0; i <= count; i++) {
        char *end = rest;
        double value = rest != NULL ? strtod(rest, &end) : 0.0;
        if (end == rest)
            return false;
        *(i == 0 ? calls : &counts[i - 1]) = value;
        rest = end + (*end == '\t');
    }
    char *end = rest;
    double value = strtod(rest, &end);
    *seconds = end != rest ? value : NAN;
    return true;
}

/* Reads the file of a process. */
static cm_status read_file(FILE *file, size_t count, double *counts, cm_region_take take, void *data, cm_error *error)
{
    char *line = NULL;
    size_t capacity = 0;
    cm_status status = CM_OK;
    while (status == CM_OK && getline(&line, &capacity, file) > 0) {
        double calls = 0.0, seconds = NAN;
        if (parse_line(line, count, &calls, counts, &seconds))
            status = take(data, line, calls, seconds, counts, error);
    }
    free(line);
    return status;
}

/* Reads the files of all processes in the directory. */
static cm_status read_all(DIR *files, const char *directory, size_t count, double *counts, cm_region_take take,
                          void *data, cm_error *error)
{
    cm_status status = CM_OK;
    for (struct dirent *entry; status == CM_OK && (entry = readdir(files)) != NULL;) {
        if (strspn(entry->d_name, "0123456789") != strlen(entry->d_name))
            continue;
        FILE *file = open_in(directory, entry->d_name, "re");
        if (file == NULL)
            return cm_error_io(error, directory, "cannot be read");
        status = read_file(file, count, counts, take, data, error);
        fclose(file);
    }
    return status;
}

cm_status cm_count_regions_read(const char *directory, size_t count, cm_region_take take, void *data, cm_error *error)
{
    double *counts = calloc(count + 1, sizeof *counts);
    DIR *files = opendir(directory);
    cm_status status = counts == NULL ? cm_error_no_memory(error) : CM_OK;
    if (status == CM_OK && files == NULL)
        status = cm_error_io(error, directory, "cannot be read");
    CM_THEN(status, read_all(files, directory, count, counts, take, data, error));
    if (files != NULL)
        closedir(files);
    free(counts);
    return status;
}

/* ---- a run ---- */

typedef struct region_run {
    cm_run *run;
    size_t count;
    size_t *events; /* events that the program counts, in their order */
} region_run;

/* Adds a line of a region to its scope. */
static cm_status take_counted_region(void *data, const char *name, double calls, double seconds, const double *counts,
                                     cm_error *error)
{
    const region_run *one = data;
    cm_program_counts *all = one->run->counts;
    cm_scope *scope = cm_counts_scope(all, CM_SCOPE_REGION, 0, name);
    if (scope == NULL)
        return cm_error_no_memory(error);
    if (one->run->set == 1)
        cm_scope_add_seconds(scope, one->run->repetition, seconds);
    if (one->run->set == 1 && one->run->repetition == 0)
        scope->calls = scope->calls > 0.0 ? scope->calls + calls : calls;
    for (size_t i = 0; i < one->count; i++)
        cm_scope_add(all, scope, one->run->repetition, one->events[i], counts[i]);
    return CM_OK;
}

/* Finds the events that can be counted together, by trying them in this process, and writes their list. */
static cm_status choose_events(region_run *one, FILE *file, cm_error *error)
{
    cm_run *run = one->run;
    cm_attachment trial = {0};
    const cm_attach_how how = {.multiplexed = run->options->multiplex};
    size_t count = run->counts->event_count;
    bool *left = malloc(count + 1);
    if (left == NULL)
        return cm_error_no_memory(error);
    memcpy(left, run->wanted, count);
    cm_status status = cm_attach(&trial, run->counts->events, count, left, &how, error);
    for (size_t i = 0; status == CM_OK && i < count; i++) {
        if (!run->wanted[i] || left[i])
            continue;
        run->wanted[i] = false;
        run->counts->events[i].set = run->set;
        one->events[one->count++] = i;
        fprintf(file, "%s\n", run->counts->events[i].asked_as);
    }
    cm_attachment_clear(&trial);
    free(left);
    return status;
}

/* Runs the command once. */
static cm_status run_region_child(cm_run *run, const char *directory, cm_error *error)
{
    const char *const variables[] = {CM_REGIONS_VARIABLE, directory};
    cm_child child = {0};
    int cannot = 0;
    double begin = cm_clock_seconds();
    cm_status status = cm_child_fork(run->options->command, variables, 1, &child, error);
    CM_THEN(status, cm_child_begin(&child, &cannot, error));
    while (status == CM_OK && !cm_child_wait(&child, 1.0))
        cm_count_heed(run, &child);
    CM_THEN(status, cm_counts_add_run(run->counts, cm_clock_seconds() - begin, error));
    if (status == CM_OK)
        cm_count_ended(run->counts, &child, cannot);
    cm_child_clear(&child);
    return status;
}

/* Runs the command with the events of this run, and reads its regions. */
static cm_status count_in(region_run *one, const char *directory, cm_error *error)
{
    FILE *file = open_in(directory, CM_REGIONS_EVENTS, "we");
    if (file == NULL)
        return cm_error_io(error, directory, "cannot be written to");
    cm_status status = choose_events(one, file, error);
    if (fclose(file) != 0 && status == CM_OK)
        status = cm_error_io(error, directory, "cannot be written to");
    CM_THEN(status, run_region_child(one->run, directory, error));
    return status == CM_OK ? cm_count_regions_read(directory, one->count, take_counted_region, one, error) : status;
}

cm_status cm_count_regions(cm_run *run, cm_error *error)
{
    region_run one = {.run = run};
    cm_count_directory directory = {.lock = -1};
    one.events = calloc(run->counts->event_count + 1, sizeof *one.events);
    cm_status status = one.events != NULL ? cm_count_directory_make(&directory, error) : cm_error_no_memory(error);
    CM_THEN(status, count_in(&one, directory.path, error));
    cm_count_directory_remove(&directory);
    free(one.events);
    return status;
}
