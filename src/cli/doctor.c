/* catmint doctor: obstacles and disturbances of counting. */
#include "cli/command.h"

static cli_exit write_findings(const cm_doctor *doctor, const cli_options *options)
{
    cm_error error;
    const cm_output_style style = cli_style(options->format, NULL, stdout);
    cli_exit code = cli_finish_writing(cm_doctor_write(doctor, &style, stdout, &error), &error);
    size_t serious = cm_doctor_count(doctor, CM_SEVERITY_STOPS) + cm_doctor_count(doctor, CM_SEVERITY_DISTURBS);
    return code == CLI_DONE && serious > 0 ? CLI_PARTLY : code;
}

/* --root reads files of another machine, and PAPI's components are those of this one: they are not shown. If PAPI
 * cannot be used, the files show the reason. */
cli_exit cli_doctor(const cli_options *options)
{
    cm_counting *counting = NULL;
    cm_doctor *doctor = NULL;
    cm_error error;
    if (options->root == NULL && cli_open_pmu(options, true, &counting, &error) != CM_OK)
        cli_write("hardware events cannot be asked for: %s", error.text);
    const cm_doctor_options asked = {.size = sizeof asked, .root = options->root, .counting = counting};
    cm_status status = cm_doctor_create(&asked, &doctor, &error);
    cm_counting_close(counting);
    if (status != CM_OK)
        return cli_fail(&error);
    cli_exit code = write_findings(doctor, options);
    cm_doctor_free(doctor);
    return code;
}
