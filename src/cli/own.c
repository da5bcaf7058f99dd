/* The definitions that discover keeps for this processor, in the user's data directory. */
#include "cli/sweeping.h"
#include "counting/counting.h"

/* The user's directory of data; false if neither XDG_DATA_HOME nor HOME is an absolute path, or it is too long. */
static bool find_home(char home[CLI_PATH_SIZE])
{
    const char *data = getenv("XDG_DATA_HOME"), *user = getenv("HOME");
    int length = -1;
    if (data != NULL && data[0] == '/')
        length = snprintf(home, CLI_PATH_SIZE, "%s/catmint", data);
    else if (user != NULL && user[0] == '/')
        length = snprintf(home, CLI_PATH_SIZE, "%s/.local/share/catmint", user);
    return length >= 0 && length < CLI_PATH_SIZE;
}

bool cli_find_own(char path[CLI_PATH_SIZE])
{
    char home[CLI_PATH_SIZE];
    cm_machine machine;
    cm_machine_read(&machine);
    if (machine.vendor[0] == '\0' || strchr(machine.vendor, '/') != NULL || machine.emulated || !find_home(home))
        return false;
    int length = snprintf(path, CLI_PATH_SIZE, "%s/%s-%u-%X.json", home, machine.vendor, machine.family, machine.model);
    return length >= 0 && length < CLI_PATH_SIZE;
}

/* Makes the directories above the file. */
static bool make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool made = mkdir(path, 0777) == 0 || errno == EEXIST || access(path, F_OK) == 0;
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

/* Whether every benchmark was counted by hardware, with all events. */
static bool are_whole(const cm_results *results, const cli_options *options)
{
    return strcmp(cm_results_pmu(results), "hardware") == 0 && cm_results_not_comparable(results) == NULL &&
           options->benchmarks.count == 0 && options->events.count == 0 && options->events_file == NULL &&
           options->components.count == 0 && options->raw == NULL && !options->uncore && options->core == NULL &&
           options->basis == NULL && options->signatures == NULL && options->budget == 0.0 &&
           options->method == CM_METHOD_CATMINT;
}

void cli_keep_for_user(const cm_results *results, const cli_options *options, char path[CLI_PATH_SIZE])
{
    const cm_output_style json = {.format = CM_FORMAT_JSON};
    cm_error error;
    bool kept = !options->no_keep && are_whole(results, options) && cli_find_own(path);
    if (kept && !make_directories(path)) {
        cli_write("the definitions are not kept for 'catmint count': %s: %s", path, strerror(errno));
        kept = false;
    } else if (kept && cm_results_save(results, &json, path, &error) != CM_OK) {
        cli_write("the definitions are not kept for 'catmint count': %s", error.text);
        kept = false;
    }
    if (!kept)
        path[0] = '\0';
}
