/* Bundles: measurements, and the results and pages derived from them. A check unpacks a bundle, compares every file
 * with its list, and derives the results again. */
#include "cli/options.h"

static const char measurements[] = "measurements", results_name[] = "results.json", page_name[] = "report.html",
                  exports_name[] = "exports", table_name[] = "papi_events.csv";

static cli_exit refuse_bundle(const char *needed)
{
    return cli_end(CLI_USAGE, "bundle needs %s; see 'catmint bundle --help'", needed);
}

static bool join_path(const char *directory, const char *name, char path[CLI_PATH_SIZE])
{
    return (size_t)snprintf(path, CLI_PATH_SIZE, "%s/%s", directory, name) < CLI_PATH_SIZE;
}

/* ---- making one ---- */

static cli_exit save_analysis(const char *directory, const char *path)
{
    const cli_options usual = {.tau = NAN, .alpha = NAN, .residual = NAN, .format = CM_FORMAT_JSON, .output = path};
    return cli_analyze_path(directory, &usual);
}

/* Writes the page of the results in the file `results`. */
static cli_exit save_results_page(const char *results, const char *path, const cli_options *options)
{
    cm_results_view *views[CM_MOST_VIEWS] = {NULL};
    cm_error error;
    const cm_page_options page = {.size = sizeof page, .cpus = options->cpus.items, .cpu_count = options->cpus.count};
    cli_exit code = cli_load_view(results, &views[0]);
    /* The path of the results must not matter, because they are checked elsewhere. */
    if (code == CLI_DONE && (cm_results_view_set_name(views[0], results_name, &error) != CM_OK ||
                             cm_results_views_save_page(views, 1, &page, path, &error) != CM_OK))
        code = cli_fail_writing(&error);
    cm_results_view_free(views[0]);
    return code;
}

/* Writes each export format. A definition that a format cannot express is not in its file, which states the reason. */
static cm_status save_formats(const cm_definitions *definitions, const char *core, const char *directory,
                              const cli_options *options, cm_error *error)
{
    static const struct {
        const char *format, *name;
        bool takes_cpus;
    } exports[] = {{"csv", "metrics.csv", false},
                   {"perf", "perf.json", false},
                   {"likwid", "likwid", false},
                   {"papi", table_name, true}};
    cm_status status = CM_OK;
    for (size_t i = 0; status == CM_OK && i < CM_COUNT_OF(exports); i++) {
        char path[CLI_PATH_SIZE];
        const cm_export_options export = {.size = sizeof export,
                                          .format = exports[i].format,
                                          .cpus = options->cpus.items,
                                          .cpu_count = options->cpus.count,
                                          .core = core};
        bool wanted = !exports[i].takes_cpus || options->cpus.count != 0;
        if (wanted && join_path(directory, exports[i].name, path))
            status = cm_export_save(definitions, &export, path, NULL, error);
    }
    return status;
}

/* Writes the exports; for a hybrid processor, each type of cores in its own directory. */
static cli_exit save_exports(const char *results, const char *directory, const cli_options *options)
{
    cm_definitions *definitions = NULL;
    cm_error error;
    cm_status status = cm_definitions_load(results, &definitions, &error);
    size_t cores = status == CM_OK ? cm_definitions_core_count(definitions) : 0;
    if (status == CM_OK && cores == 0)
        status = save_formats(definitions, NULL, directory, options, &error);
    for (size_t i = 0; i < cores && status == CM_OK; i++) {
        char path[CLI_PATH_SIZE];
        const char *core = cm_definitions_core(definitions, i)->name;
        if (join_path(directory, core, path) && mkdir(path, 0777) == 0)
            status = save_formats(definitions, core, path, options, &error);
    }
    cm_definitions_free(definitions);
    return status == CM_OK ? CLI_DONE : cli_fail_writing(&error);
}

/* Writes everything that is derived from results into the directory. */
static cli_exit derive_files(const char *results, const char *directory, const cli_options *options)
{
    char page[CLI_PATH_SIZE], exports[CLI_PATH_SIZE];
    if (!join_path(directory, page_name, page) || !join_path(directory, exports_name, exports) ||
        mkdir(exports, 0777) != 0)
        return cli_end(CLI_IMPOSSIBLE, "%s: cannot be written to", directory);
    cli_exit code = save_results_page(results, page, options);
    return code == CLI_DONE ? save_exports(results, exports, options) : code;
}

static void write_summary(const cm_bundle_summary *summary)
{
    printf("%zu %s, %llu bytes, SHA-256 of their list %s\n", summary->files, cm_plural(summary->files, "file", "files"),
           (unsigned long long)summary->bytes, summary->digest);
}

/* Turns B into "B.sig". */
static char *name_signature(const char *bundle)
{
    char *path = NULL;
    if (asprintf(&path, "%s.sig", bundle) >= 0)
        return path;
    cli_write("out of memory");
    return NULL;
}

/* Checks before the work that the key can be read. */
static cli_exit check_key(const char *path)
{
    FILE *key = NULL;
    cm_error error;
    if (cm_input_open(path, &key, &error) != CM_OK)
        return cli_fail(&error);
    fclose(key);
    return CLI_DONE;
}

/* Signs the bundle; `check_only`: checks before the work that a signature can be written. */
static cli_exit sign_bundle(const cli_options *options, bool check_only)
{
    cm_error error;
    cli_exit code = options->sign != NULL && check_only ? check_key(options->sign) : CLI_DONE;
    if (options->sign == NULL || code != CLI_DONE)
        return code;
    char *signature = name_signature(options->output);
    if (signature == NULL)
        return CLI_IMPOSSIBLE;
    cm_status status = check_only ? cm_bundle_check_signature_place(signature, &error)
                                  : cm_bundle_sign(options->output, options->sign, signature, &error);
    free(signature);
    if (status == CM_OK)
        return CLI_DONE;
    code = cli_fail_writing(&error);
    if (!check_only)
        cli_write("%s is written, and has no signature", options->output);
    return code;
}

/* Packs the measurements in the directory and the derived files in `place`. */
static cli_exit pack_files(const char *directory, const char *place, const char *output, cm_bundle_summary *summary)
{
    cm_measured_files files = {0};
    cm_error error;
    cm_status status = cm_measured_files_find(directory, &files, &error);
    const cm_bundle_files measured = {measurements, files.count, files.sources, files.paths};
    const cm_bundle_part derived = {place, ""};
    CM_THEN(status, cm_bundle_write_files(&measured, &derived, output, summary, &error));
    cm_measured_files_clear(&files);
    return status == CM_OK ? CLI_DONE : cli_fail_writing(&error);
}

/* Derives results, page and exports from the measurements and packs them all. */
static cli_exit make_bundle(const char *directory, const cli_options *options)
{
    char place[CLI_PATH_SIZE], results[CLI_PATH_SIZE];
    cli_exit code = cli_check_output(options);
    CM_THEN(code, sign_bundle(options, true));
    CM_THEN(code, cli_make_temporary(place));
    if (code != CLI_DONE)
        return code;
    cm_bundle_summary summary;
    cli_hide_temporary(place, directory, true);
    code = join_path(place, results_name, results) ? save_analysis(directory, results) : CLI_IMPOSSIBLE;
    cli_options chosen = *options;
    if (cm_sweep_has_cores(directory))
        chosen.cpus = (cli_list){0}; /* each type of cores names its PMU */
    CM_THEN(code, derive_files(results, place, &chosen));
    CM_THEN(code, pack_files(directory, place, options->output, &summary));
    CM_THEN(code, sign_bundle(options, false));
    if (code == CLI_DONE)
        write_summary(&summary);
    cli_hide_temporary(NULL, NULL, false);
    cli_remove_temporary(place);
    return cli_finish_stdout(code);
}

/* ---- checking one ---- */

/* Analyses the measurements: the results must equal those of the bundle. */
static cli_exit compare_measurements(const char *place)
{
    char results[CLI_PATH_SIZE], directory[CLI_PATH_SIZE];
    cm_results_view *said = NULL, *found = NULL;
    cm_error error;
    bool different = false;
    cli_exit code = join_path(place, results_name, results) && join_path(place, measurements, directory)
                        ? cli_load_view(results, &said)
                        : CLI_IMPOSSIBLE;
    CM_THEN(code, cli_load_view(directory, &found));
    const cm_output_style style = cli_style(CM_FORMAT_TABLE, NULL, stdout);
    if (code == CLI_DONE && cm_results_views_write_difference(said, found, &style, stdout, &different, &error) != CM_OK)
        code = cli_fail(&error);
    if (code == CLI_DONE && different) {
        cli_write("its results are not those of its measurements");
        code = CLI_BAD_INPUT;
    }
    cm_results_view_free(said);
    cm_results_view_free(found);
    return code;
}

/* The processors of the bundle's table of PAPI; empty if it has no such table. */
static void read_cpus(const char *directory, cli_list *cpus)
{
    static const char section[] = "CPU,";
    char path[CLI_PATH_SIZE], *line = NULL;
    size_t size = 0;
    bool there = join_path(directory, exports_name, path) && strlen(path) + sizeof table_name < sizeof path;
    if (there)
        strcat(strcat(path, "/"), table_name);
    FILE *file = there ? cm_input_stream(path) : NULL;
    while (file != NULL && getline(&line, &size, file) >= 0) {
        char *name = line + strlen(section);
        if (strncmp(line, section, strlen(section)) != 0)
            continue;
        name[strcspn(name, "\r\n")] = '\0';
        char *copy = strdup(name);
        if (copy == NULL || !cli_append(cpus, copy))
            free(copy);
    }
    free(line);
    if (file != NULL)
        fclose(file);
}

/* Compares every figure of the results, not only the definitions. */
static cli_exit compare_results(const char *place, const char *derived)
{
    char directory[CLI_PATH_SIZE], said[CLI_PATH_SIZE], found[CLI_PATH_SIZE];
    cm_error error;
    if (!join_path(place, measurements, directory) || !join_path(place, results_name, said) ||
        !join_path(derived, results_name, found))
        return CLI_IMPOSSIBLE;
    cli_exit code = save_analysis(directory, found);
    if (code == CLI_DONE && cm_bundle_check_results(said, found, &error) != CM_OK)
        code = cli_fail(&error);
    remove(found);
    return code;
}

/* Makes the page and the exports again from the bundle's own results: they must be the same, byte by byte. */
static cli_exit compare_derived(const char *directory)
{
    char results[CLI_PATH_SIZE], derived[CLI_PATH_SIZE];
    cli_options options = {0};
    cm_error error;
    cli_exit code = join_path(directory, results_name, results) ? cli_make_temporary(derived) : CLI_IMPOSSIBLE;
    if (code != CLI_DONE)
        return code;
    read_cpus(directory, &options.cpus);
    code = derive_files(results, derived, &options);
    CM_THEN(code, compare_results(directory, derived));
    if (code == CLI_DONE && cm_bundle_check_derived(directory, derived, exports_name, &error) != CM_OK)
        code = cli_fail(&error);
    for (size_t i = 0; i < options.cpus.count; i++)
        free((void *)(uintptr_t)options.cpus.items[i]); /* read_cpus copied it */
    free(options.cpus.items);
    cli_remove_temporary(derived);
    return code;
}

/* Checks that the bundle has only files that catmint packs, and manifests that catmint wrote. */
static cli_exit check_files(const char *place)
{
    static const char *const others[] = {results_name, page_name};
    char directory[CLI_PATH_SIZE];
    cm_measured_files files = {0};
    cm_error error;
    if (!join_path(place, measurements, directory))
        return CLI_IMPOSSIBLE;
    cm_status status = cm_measured_files_find(directory, &files, &error);
    CM_THEN(status, cm_measured_files_check(&files, &error));
    const cm_bundle_files measured = {measurements, files.count, files.sources, files.paths};
    CM_THEN(status, cm_bundle_check_others(place, &measured, others, 2, exports_name, &error));
    cm_measured_files_clear(&files);
    return status == CM_OK ? CLI_DONE : cli_fail(&error);
}

/* Compares all that can be derived again; a bundle of another version has other pages, and is not compared. */
static cli_exit check_unpacked(const char *directory, const cm_bundle_summary *summary)
{
    bool same_version = strcmp(summary->catmint, cm_version()) == 0;
    cli_exit code = check_files(directory);
    CM_THEN(code, compare_measurements(directory));
    if (code == CLI_DONE && same_version)
        code = compare_derived(directory);
    if (code != CLI_DONE || same_version)
        return code;
    cli_write("catmint %s made the bundle, this is %s: another version may find other definitions; figures, page and "
              "exports are not compared, and may be anybody's",
              summary->catmint, cm_version());
    return CLI_PARTLY;
}

/* Verifies the signature if the user asks for that. */
static cli_exit verify_bundle(const char *bundle, const cli_options *options)
{
    char *signer = NULL;
    cm_error error;
    if (options->signature == NULL)
        return CLI_DONE;
    if (cm_bundle_verify(bundle, options->signature, options->signers, &signer, &error) != CM_OK)
        return cli_fail(&error);
    printf("signed by %s, whom %s lists\n", signer, options->signers);
    free(signer);
    return CLI_DONE;
}

/* Verifies, unpacks and compares a bundle. */
static cli_exit check_bundle(const char *bundle, const cli_options *options)
{
    char directory[CLI_PATH_SIZE];
    cm_error error;
    cm_bundle_summary summary;
    cli_exit code = verify_bundle(bundle, options);
    CM_THEN(code, cli_make_temporary(directory));
    if (code != CLI_DONE)
        return code;
    cli_hide_temporary(directory, bundle, false);
    if (cm_bundle_unpack(bundle, directory, &summary, &error) != CM_OK)
        code = cli_fail_writing(&error);
    CM_THEN(code, check_unpacked(directory, &summary));
    if ((code == CLI_DONE || code == CLI_PARTLY) && options->signature == NULL)
        puts("Checksums do not prove who made it: compare the SHA-256 with one from whom you trust, or use "
             "--signature.");
    if (code == CLI_DONE || code == CLI_PARTLY)
        write_summary(&summary);
    cli_hide_temporary(NULL, NULL, false);
    cli_remove_temporary(directory);
    return cli_finish_stdout(code);
}

cli_exit cli_bundle(const cli_options *options)
{
    if (!cm_bundle_available())
        return cli_end(CLI_IMPOSSIBLE, "this catmint was built without libarchive and nettle, which bundles need");
    const char *operand = options->operands.items[0];
    if ((options->signature == NULL) != (options->signers == NULL))
        return refuse_bundle("--signature and --signers together");
    if (options->signature != NULL && !options->check)
        return refuse_bundle("--check with --signature");
    if (options->sign != NULL && options->check)
        return refuse_bundle("no --check with --sign");
    if (options->check)
        return check_bundle(operand, options);
    return options->output != NULL ? make_bundle(operand, options)
                                   : refuse_bundle("--output FILE, the bundle to write");
}
