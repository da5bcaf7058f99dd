/* Obstacles and disturbances of counting, with their remedies. */
#include "counting/doctor/doctor.h"
#include "report/report.h"

enum { SEVERITIES = CM_SEVERITY_NOTE + 1, FINDING_INDENT = 4 };

static const struct {
    const char *heading;
    cm_mark mark;
} parts[SEVERITIES] = {
    {"Stops counting", CM_MARK_BAD},
    {"Disturbs counting", CM_MARK_BOLD},
    {"Good to know", CM_MARK_PLAIN},
};

/* The name of an earlier finding with the same advice, or NULL. */
static const char *advised_by(const cm_doctor *doctor, size_t number)
{
    const char *advice = cm_doctor_get(doctor, number).advice;
    for (size_t i = 0; i < number; i++)
        if (strcmp(cm_doctor_get(doctor, i).advice, advice) == 0)
            return cm_doctor_get(doctor, i).name;
    return NULL;
}

/* Writes a finding, and its advice unless an earlier one has it. */
static void write_finding(const cm_page *page, const cm_doctor *doctor, size_t number)
{
    const cm_doctor_finding finding = cm_doctor_get(doctor, number);
    const char *same = advised_by(doctor, number);
    fprintf(page->stream, "  %s\n%*s", finding.name, FINDING_INDENT, "");
    cm_text_wrap(finding.text, FINDING_INDENT, FINDING_INDENT, page->width, page->stream);
    if (finding.advice[0] != '\0' && same != NULL) {
        fprintf(page->stream, "\n%*s-> as for %s", FINDING_INDENT, "", same);
    } else if (finding.advice[0] != '\0') {
        fprintf(page->stream, "\n%*s-> ", FINDING_INDENT, "");
        cm_text_wrap(finding.advice, FINDING_INDENT + 3, FINDING_INDENT + 3, page->width, page->stream);
    }
    fputc('\n', page->stream);
}

/* Whether it is an obstacle that follows from one that has advice: PAPI repeats the lacks of the kernel. */
static bool follows_finding(const cm_doctor *doctor, size_t number)
{
    const cm_doctor_finding finding = cm_doctor_get(doctor, number);
    bool advised = false;
    for (size_t i = 0; i < cm_doctor_finding_count(doctor); i++) {
        const cm_doctor_finding other = cm_doctor_get(doctor, i);
        advised |= other.severity == CM_SEVERITY_STOPS && other.advice[0] != '\0';
    }
    return advised && finding.severity == CM_SEVERITY_STOPS && finding.advice[0] == '\0';
}

/* Writes the findings of one severity under their heading. */
static void write_part(const cm_doctor *doctor, cm_doctor_severity severity, const cm_page *page)
{
    if (cm_doctor_count(doctor, severity) == 0)
        return;
    cm_page_mark(page, parts[severity].mark);
    fputs(parts[severity].heading, page->stream);
    cm_page_mark(page, CM_MARK_PLAIN);
    fputc('\n', page->stream);
    for (size_t i = 0; i < cm_doctor_finding_count(doctor); i++)
        if (cm_doctor_get(doctor, i).severity == severity && !follows_finding(doctor, i))
            write_finding(page, doctor, i);
    fputc('\n', page->stream);
}

/* Writes all findings, and whether hardware events can be counted. */
static void write_doctor_table(const void *content, const cm_page *page)
{
    const cm_doctor *doctor = content;
    for (cm_doctor_severity severity = CM_SEVERITY_STOPS; severity <= CM_SEVERITY_NOTE; severity++)
        write_part(doctor, severity, page);
    size_t stops = cm_doctor_count(doctor, CM_SEVERITY_STOPS), disturbs = cm_doctor_count(doctor, CM_SEVERITY_DISTURBS);
    if (stops > 0)
        fputs("Some or all hardware events cannot be counted here.\n"
              "The software PMU (--pmu software), if this build has one, needs none of this.\n",
              page->stream);
    else if (disturbs > 0)
        fputs("Hardware events can be counted here, with the disturbances above.\n", page->stream);
    else
        fputs("Nothing here stops or disturbs counting.\n", page->stream);
}

static json_t *doctor_json(const void *content)
{
    return json_pack("{s:s, s:o}", "schema", "catmint.doctor/1", "findings", cm_doctor_json(content));
}

static const cm_report doctor_report = {"findings", doctor_json, .page = write_doctor_table};

CM_REPORT_WRITE(cm_doctor_write, cm_doctor, doctor_report)
