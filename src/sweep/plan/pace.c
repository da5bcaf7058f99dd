#include "sweep/plan/plan.h"

static const double jump = 1.3;    /* an estimate that grows by less than this factor is not changed */
static const double belief = 0.25; /* weight of the expected time, in repetitions */
static const double outlier = 8.0; /* a repetition of more than so many usual times includes an interruption */
enum { USUAL = 4 };                /* repetitions after which the usual time is known */

void cm_pace_begin(cm_pace *pace, double expected, size_t planned, double shown)
{
    *pace = (cm_pace){.expected = expected, .first = planned, .shown = shown};
}

/* Seconds a repetition; NaN: unknown. */
static double seconds_each(const cm_pace *pace)
{
    double done = (double)pace->done;
    if (pace->done == 0)
        return pace->expected;
    return isnan(pace->expected) ? pace->spent / done : (pace->spent + belief * pace->expected) / (done + belief);
}

/* Limits `since`, the time of the repetitions that ended now, or of the running one, to exclude interruptions. */
static double without_outliers(const cm_pace *pace, double since, size_t repetitions)
{
    return pace->done < USUAL ? since : fmin(since, outlier * seconds_each(pace) * (double)repetitions);
}

/* The factor by which the repetitions left in the plans are expected to grow. */
static double growth(const cm_pace *pace, size_t planned)
{
    if (planned <= pace->first || pace->done == 0)
        return 1.0;
    return 1.0 + fmin((double)(planned - pace->first) / (double)pace->done, 1.0);
}

double cm_pace_left(cm_pace *pace, size_t planned, size_t done, double seconds, cm_pace_later later)
{
    if (done > pace->done) {
        pace->spent += without_outliers(pace, seconds - pace->at, done - pace->done);
        pace->done = done;
        pace->at = seconds;
    }
    double each = seconds_each(pace), since = without_outliers(pace, seconds - pace->at, 1);
    if (since > each) /* the running repetition shows that they take longer */
        each = (each * (double)pace->done + since) / ((double)pace->done + 1.0);
    size_t left = planned > pace->done ? planned - pace->done : 0;
    double estimate = each * (double)left * growth(pace, planned) - (left > 0 ? fmin(since, each) : 0.0);
    estimate += later.seconds + each * later.repetitions;
    if (isnan(estimate))
        return NAN;
    if (isnan(pace->shown) || estimate < pace->shown || estimate > jump * pace->shown)
        pace->shown = estimate;
    return pace->shown;
}
